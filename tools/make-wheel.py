#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make a Python wheel of an installation: the module wavetape with libwavetape beside it.

Usage: tools/make-wheel.py PREFIX VERSION DIRECTORY

The same installation makes the same file, byte by byte.
"""
import base64
import hashlib
import pathlib
import sys
import zipfile

LIBRARY = "libwavetape.so.0"
# The C library of 2.28 or later: a test holds the library to that.
TAG = "py3-none-manylinux_2_28_x86_64"
METADATA = """Metadata-Version: 2.1
Name: wavetape
Version: {version}
Summary: reading recorded AMD GPU debug sessions
License: MIT
Requires-Python: >=3.11
Description-Content-Type: text/plain

Reads traces of wavetape, a flight recorder for AMD GPU debug sessions: stops, waves and their registers, memory,
code objects, variables, and why a kernel faulted. It needs nothing but the C library.
"""
WHEEL = """Wheel-Version: 1.0
Generator: wavetape
Root-Is-Purelib: false
Tag: {tag}
"""


def find(prefix, name):
    """The one file of that name below the prefix; of links, what they lead to."""
    found = {path.resolve() for path in prefix.rglob(name)}
    if len(found) != 1:
        sys.exit(f"make-wheel.py: {prefix}: {len(found)} files {name}")
    return found.pop()


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    prefix, version, directory = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    module = find(prefix, "wavetape/_native.py").parent
    files = {f"wavetape/{path.name}": path.read_bytes() for path in sorted(module.iterdir()) if path.is_file()}
    files[f"wavetape/{LIBRARY}"] = find(prefix, LIBRARY).read_bytes()
    info = f"wavetape-{version}.dist-info"
    files[f"{info}/LICENSE"] = find(prefix, "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = METADATA.format(version=version).encode()
    files[f"{info}/WHEEL"] = WHEEL.format(tag=TAG).encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(directory / f"wavetape-{version}-{TAG}.whl", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(LIBRARY) else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


if __name__ == "__main__":
    main()
