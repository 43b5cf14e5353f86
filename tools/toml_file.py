# SPDX-License-Identifier: MIT
"""Files of TOML, which Python reads itself since 3.11; before, by the package tomli, of which that is a copy."""

try:
    import tomllib
except ModuleNotFoundError:
    import tomli as tomllib


def read(path):
    """What is in the file; raise ValueError where it is no TOML."""
    with open(path, "rb") as file:
        return tomllib.load(file)
