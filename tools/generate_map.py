# SPDX-License-Identifier: MIT
"""The linker's version script: each function at the version its contract last changed in."""


def generate_version_script(table):
    lines = ["/* Generated from the API table. */"]
    previous = ""
    for version in table.api["versions"]:
        lines.append(f"{version} {{")
        names = [f.name for f in table.functions if f.version == version]
        lines.append("global:")
        lines += [f"\t{name};" for name in names]
        if not previous:
            lines += ["local:", "\t*;"]
        lines.append(f"}}{' ' + previous if previous else ''};")
        previous = version
    return "\n".join(lines) + "\n"
