# SPDX-License-Identifier: MIT
"""Core files of GPUs, as a client reads them for a library: the note, and memory."""

import struct

from .api import WORDS, malloc

PT_LOAD, PT_NOTE = 1, 4


class Core:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.image = file.read()
        if self.image[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: it cannot be read as ELF")
        offset, = struct.unpack_from("<Q", self.image, 32)
        size, count = struct.unpack_from("<HH", self.image, 54)
        headers = [struct.unpack_from("<IIQQQQQQ", self.image, offset + i * size) for i in range(count)]
        self.loads = [(address, at, length) for kind, _, at, address, _, length, _, _ in headers if kind == PT_LOAD]
        notes = [note for kind, _, at, _, _, length, _, _ in headers if kind == PT_NOTE for note in self._notes(at, length)]
        if not notes:
            raise ValueError(f"{path}: it has no note of a GPU")
        self.note = notes[-1]

    def _notes(self, at, length):
        end = at + length
        while at + 12 <= end:
            name_size, size, _ = struct.unpack_from("<III", self.image, at)
            name = at + 12
            content = name + (name_size + 3 & ~3)
            if self.image[name : name + name_size] == b"AMDGPU\0":
                yield self.image[content : content + size]
            at = content + (size + 3 & ~3)

    def state(self, level):
        """The core state that a library asks for; its bytes are the library's."""
        copy = malloc(len(self.note))
        (WORDS["u8"] * len(self.note)).from_address(copy)[:] = self.note
        return level.structures["amd_dbgapi_core_state_data_t"](endianness=1, size=len(self.note), data=copy)

    def read(self, address, size):
        """The bytes from an address on, and no more of them than there are."""
        for start, at, length in self.loads:
            if start <= address < start + length and at + length <= len(self.image):
                return self.image[at + address - start : at + min(address - start + size, length)]
        return b""
