# SPDX-License-Identifier: MIT
"""The linker's version script: each function at the version its contract last changed in."""


def generate_version_script(table, older=None):
    """The older form's versions, if it is served, come first and are empty: its wrappers name theirs themselves."""
    lines = ["/* Generated from the API table. */"]
    previous = ""
    for version in [*(older.settings["versions"] if older else []), *table.api["versions"]]:
        lines.append(f"{version} {{")
        names = [f.name for f in table.functions if f.version == version]
        if names:
            lines.append("global:")
            lines += [f"\t{name};" for name in names]
        # In a node that wrappers name it would take these away.
        if version == table.api["versions"][0]:
            lines += ["local:", "\t*;"]
        lines.append(f"}}{' ' + previous if previous else ''};")
        previous = version
    return "\n".join(lines) + "\n"
