#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copy a static library so that a shared one can be linked with it.

Usage: tools/share-static.py NAME.a OUTPUT.a

Distributions compile static libraries for programs, whose thread-local variables have places that are known when they are linked; in a
shared library they have not, and the linker refuses them (R_X86_64_TPOFF32). The copy has them as variables of the process. That is
for libraries whose thread-local variables may be shared by threads: elfutils has the number of the last error, which nobody here
asks for, and a number by which threads take memory of one `Dwarf`, which one thread at a time works on.

What is changed is the access `%fs:PLACE`, whose encoding has two bytes more than `PLACE(%rip)`. Whatever is not encoded so is
refused, and so is all that is not an archive of objects for x86-64.
"""
import pathlib
import struct
import sys

SHT_SYMTAB, SHT_RELA = 2, 4
SHF_TLS = 0x400
STT_OBJECT, STT_TLS = 1, 6
R_X86_64_PC32, R_X86_64_TPOFF32 = 2, 23
# Bytes of an immediate value behind the place, by opcode.
IMMEDIATE = {0x80: 1, 0x81: 4, 0x83: 1, 0xC6: 1, 0xC7: 4}
# Opcodes with a byte for operands and none of the above: moves, comparisons, additions and the like.
PLAIN = {0x01, 0x03, 0x09, 0x0B, 0x21, 0x23, 0x29, 0x2B, 0x31, 0x33, 0x39, 0x3B, 0x63, 0x85, 0x88, 0x89, 0x8A, 0x8B}


class Refused(Exception):
    """The archive has something that cannot be changed."""


def members(data):
    """Name, offset and size of each member of an archive."""
    if data[:8] != b"!<arch>\n":
        raise Refused("no archive")
    at = 8
    while at + 60 <= len(data):
        if data[at + 58:at + 60] != b"`\n":
            raise Refused(f"no member at {at}")
        size = int(data[at + 48:at + 58])
        if size > len(data) - at - 60:
            raise Refused(f"a member at {at} that is cut off")
        yield data[at:at + 16].rstrip().decode(), at + 60, size
        at += 60 + size + size % 2


def share_access(code, at):
    """Make `%fs:PLACE` at the place's offset `at` relative to the pc. Returns how far behind the place the instruction ends."""
    start = at - 5 if code[at - 4] & 0xF0 == 0x40 else at - 4
    opcode, operands, base = code[at - 3:at]
    if start < 0 or code[start] != 0x64 or base != 0x25 or operands & 0xC7 != 0x04 or opcode not in IMMEDIATE | dict.fromkeys(PLAIN):
        raise Refused(f"an access that is not known: {code[max(at - 5, 0):at + 4].hex()}")
    rest = bytes(code[start + 1:at - 2])
    # A nop of two bytes for the segment and the byte that said that there is no base.
    code[start:at] = b"\x66\x90" + rest + bytes([operands & 0x38 | 0x05])
    return 4 + IMMEDIATE.get(opcode, 0)


def rename(image, at):
    """Take the t of a section's name away. No other name ends as it does: none has a t there."""
    name = bytes(image[at:at + 256]).split(b"\0")[0]
    if name[:5] != b".tbss" and name[:6] != b".tdata":
        raise Refused(f"a section for threads: {name.decode(errors='replace')}")
    image[at:at + len(name)] = b"." + name[2:] + b"\0"


def share_object(image):
    """Change one object, a writable view. Returns how many accesses were changed."""
    if bytes(image[:6]) != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", image, 16) != (1, 62):
        raise Refused("no object for x86-64")
    table, = struct.unpack_from("<Q", image, 40)
    count, = struct.unpack_from("<H", image, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, table + 64 * i) for i in range(count)]
    changed = 0
    for _, kind, _, _, offset, size, _, target, _, _ in sections:
        if kind != SHT_RELA:
            continue
        start, length = sections[target][4:6]
        code = image[start:start + length]
        for entry in range(offset, offset + size, 24):
            at, info, addend = struct.unpack_from("<QQq", image, entry)
            if info & 0xFFFFFFFF == R_X86_64_TPOFF32:
                addend -= share_access(code, at)
                struct.pack_into("<QQq", image, entry, at, info >> 32 << 32 | R_X86_64_PC32, addend)
                changed += 1
    if changed:
        names = sections[struct.unpack_from("<H", image, 62)[0]][4]
        # A linker goes by names, too: .tbss and .tdata, and what may follow.
        for i, section in enumerate(sections):
            if section[2] & SHF_TLS:
                rename(image, names + section[0])
                struct.pack_into("<Q", image, table + 64 * i + 8, section[2] & ~SHF_TLS)
            if section[1] == SHT_SYMTAB:
                for entry in range(section[4], section[4] + section[5], 24):
                    if image[entry + 4] & 15 == STT_TLS:
                        image[entry + 4] = image[entry + 4] & 0xF0 | STT_OBJECT
    return changed


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    data = bytearray(pathlib.Path(sys.argv[1]).read_bytes())
    view = memoryview(data)
    name = ""
    try:
        for name, at, size in members(data):
            if name not in ("/", "//", "/SYM64/"):
                share_object(view[at:at + size])
    except (Refused, struct.error, IndexError) as error:
        sys.exit(f"share-static.py: {sys.argv[1]}: {name}: {error}")
    pathlib.Path(sys.argv[2]).write_bytes(data)


if __name__ == "__main__":
    main()
