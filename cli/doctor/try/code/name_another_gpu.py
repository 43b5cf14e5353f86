#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make code that was compiled for one GPU into code for a newer one that runs it as it is, and that this compiler does not know.

Usage: name_another_gpu.py INPUT OUTPUT GPU MACHINE

  GPU      the newer one's name, as long as the other's: gfx950
  MACHINE  its number in the ELF header's flags: 0x4f

The GPU is named in these flags, and in a note by its target, which AMD's runtime compares with the agent's.
"""

import pathlib
import re
import sys

FLAGS = 48  # in the header; the low byte is the machine
TARGET = re.compile(rb"amdgcn-amd-amdhsa--gfx[0-9a-f]+")


def main(source, output, gpu, machine):
    code = bytearray(pathlib.Path(source).read_bytes())
    code[FLAGS] = int(machine, 16)
    target = f"amdgcn-amd-amdhsa--{gpu}".encode()
    named = {match.group() for match in TARGET.finditer(code)}
    if {len(name) for name in named} != {len(target)}:
        sys.exit(f"{source}: its target is {named}, which cannot be replaced by {target}")
    pathlib.Path(output).write_bytes(TARGET.sub(target, code))


if __name__ == "__main__":
    main(*sys.argv[1:])
