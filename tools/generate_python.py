# SPDX-License-Identifier: MIT
"""Numbers, types and symbol versions, as a Python module for who calls the library by ctypes."""

import pprint


def _short(name):
    """Of a query's name, what stands behind _INFO_."""
    return name.split("_INFO_", 1)[1]


def generate_python(table):
    versions = {f.name: f.version for f in table.functions if not f.is_older}
    queries = {o.name: {_short(q.name): (q.value, q.type) for q in o.queries} for o in table.objects}
    enumerations = {name: {value["name"]: value["value"] for value in values if "alias" not in value}
                    for name, values in table.enumerations.items()}
    parts = ['"""Generated from the API table."""']
    for name, value in (("SONAME", table.api["soname"]), ("VERSIONS", versions), ("QUERIES", queries),
                        ("ENUMERATIONS", enumerations)):
        parts.append(f"{name} = {pprint.pformat(value, width=110, sort_dicts=False)}")
    return "\n\n".join(parts) + "\n"
