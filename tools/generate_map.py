# SPDX-License-Identifier: MIT
"""The linker's version script: each function at the version its contract last changed in."""


def generate_version_script(table, older=None):
    """Versions that functions had before, and those of the older form, are exported by wrappers that name them; here is their order."""
    lines = ["/* Generated from the API table. */"]
    versions = [*(older.settings["versions"] if older else []), *table.api["all_versions"]]
    previous = ""
    for version in versions:
        lines.append(f"{version} {{")
        names = [f.name for f in table.functions if f.version == version and not f.is_older]
        if names:
            lines.append("global:")
            lines += [f"\t{name};" for name in names]
        # In a node that wrappers name it would take these away: none names the newest.
        if version == versions[-1]:
            lines += ["local:", "\t*;"]
        lines.append(f"}}{' ' + previous if previous else ''};")
        previous = version
    return "\n".join(lines) + "\n"


def generate_level_script(table, older, exact):
    """For a library with the symbols of one level alone: what wrappers name is taken away where another level has it."""
    lines, previous = ["/* Generated from the API table. */"], ""
    there = {(f.version, f.symbol) for f in exact.functions}
    for version in [*older.settings["versions"], *table.api["all_versions"]]:
        names = sorted(name for at, name in there if at == version)
        lines += [f"{version} {{", *(["global:", *[f"\t{name};" for name in names]] if names else []), "local:", "\t*;",
                  f"}}{' ' + previous if previous else ''};"]
        previous = version
    return "\n".join(lines) + "\n"
