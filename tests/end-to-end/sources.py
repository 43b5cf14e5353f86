# SPDX-License-Identifier: MIT
"""The sources in tests/variables: how they are compiled, and values of their types from bytes, as --json has them."""

import functools
import re
import struct

import made
import support

COMPILERS = {
    ".c": ["clang-19", "-ffreestanding", "-std=gnu11"],
    ".cpp": ["clang++-19", "-ffreestanding", "-std=gnu++17", "-fno-rtti"],
    ".cl": ["clang-19", "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header"],
}
# What the sources declare: members of structures with their offsets in bits, their sizes in bits and types.
STRUCTURES = {
    "inner": [("low", 0, 16, "short"), ("text", 16, 48, "char[6]")],
    "pair": [("first", 0, 32, "int"), ("second", 32, 32, "float"), ("inner", 64, 64, "inner"),
             ("wide", 128, 64, "u64")],
    "bits": [("a", 0, 3, "u32"), ("b", 3, 9, "u32"), ("c", 12, 5, "int"), ("d", 17, 15, "u32")],
    "either": [("number", 0, 32, "int"), ("real", 0, 32, "float"), ("bytes", 0, 32, "u8[4]")],
    "list": [("next", 0, 64, "list *"), ("value", 64, 32, "int")],
    "cell": [("key", 0, 32, "int"), ("weights", 32, 64, "float[2]"), ("part", 96, 48, "part"), ("any", 160, 32, "any")],
    "part": [("low", 0, 16, "u16"), ("flags", 16, 24, "i8[3]")],
    "any": [("word", 0, 32, "u32"), ("halves", 0, 32, "u16[2]"), ("real", 0, 32, "float")],
    "node": [("next", 0, 32, "local node *"), ("value", 32, 32, "int")],
    "word": [("fields", 0, 32, "fields"), ("whole", 0, 32, "u32")],
    "fields": [("first", 0, 8, "u8"), ("second", 8, 8, "u8"), ("rest", 16, 16, "i16")],
    "mixed": [("key", 0, 32, "int"), ("color", 128, 128, "float4"), ("pair", 256, 32, "short2"), ("text", 288, 32, "char[4]")],
    "tile<float, 3U>": [("cells", 0, 96, "float[3]"), ("used", 96, 32, "u32")],
    "only_here": [("a", 0, 32, "float"), ("b", 32, 24, "u8[3]")],
    "ring<short, 4>": [("data", 0, 64, "short[4]"), ("head", 64, 32, "int")],
    "dim3": [("x", 0, 32, "u32"), ("y", 32, 32, "u32"), ("z", 64, 32, "u32")],
    "base": [("id", 0, 32, "int"), ("what", 32, 8, "kind")],
    "box<float, 3>": [("shapes::base", 0, 64, "base"), ("items", 64, 96, "float[3]"), ("total", 160, 32, "float")],
}
SIZES = {"cell": 24, "part": 6, "any": 4, "node": 8, "word": 4, "fields": 4, "mixed": 48, "tile<float, 3U>": 16, "dim3": 12, "only_here": 8, "ring<short, 4>": 12, "base": 8, "box<float, 3>": 24, "inner": 8, "pair": 24, "bits": 4, "either": 4, "list": 16}
NUMBERS = {
    "i8": "b", "u8": "B", "char": "b", "i16": "h", "short": "h", "value_type": "h", "u16": "H", "int": "i", "length_t": "i", "u32": "I",
    "i64": "q", "u64": "Q", "unsigned long": "Q", "unsigned int": "I", "uint": "I", "size_t": "Q", "float": "f", "double": "d", "_Float16": "e", "_Bool": "?",
}
VECTOR = r"(float|short|uint)([24])"
COLORS = {0: "RED", 5: "GREEN", -3: "BLUE"}
KINDS = {0: "circle", 7: "square"}


def size_of(name):
    if name.endswith(("*", "&")):
        return 4 if re.fullmatch(r"(local|private) [^*]*\*", name) else 8
    array = re.fullmatch(r"([\w *]+)\[(\d+)\](.*)", name)
    if array:
        return int(array[2]) * size_of((array[1] + array[3]).strip())
    vector = re.fullmatch(VECTOR, name)
    if vector:
        return int(vector[2]) * size_of(vector[1])
    if name in ("color", "kind"):
        return {"color": 4, "kind": 1}[name]
    return SIZES.get(name) or struct.calcsize(NUMBERS[name])


def decode(name, data):
    """The value of a type in bytes, as --json has it."""
    if name.endswith(("*", "&")):
        return hex(int.from_bytes(data, "little"))
    vector = re.fullmatch(VECTOR, name)
    if vector:
        return list(struct.unpack(f"<{vector[2]}{NUMBERS[vector[1]]}", data))
    if name == "color":
        number = struct.unpack("<i", data)[0]
        return COLORS.get(number, number)
    if name == "kind":
        return KINDS.get(data[0], data[0])
    array = re.fullmatch(r"([\w *]+)\[(\d+)\](.*)", name)
    if array:
        element = (array[1] + array[3]).strip()
        size = size_of(element)
        if element == "char" and data.rstrip(b"\0").isascii() and b"\0" not in data.rstrip(b"\0"):
            return data.rstrip(b"\0").decode()
        return [decode(element, data[i * size:(i + 1) * size]) for i in range(int(array[2]))]
    if name in STRUCTURES:
        number = int.from_bytes(data, "little")
        result = {}
        for member, offset, bits, kind in STRUCTURES[name]:
            part = number >> offset & (1 << bits) - 1
            if kind == "int" and bits < 32 and part >> bits - 1:
                part -= 1 << bits
            result[member] = (part if bits % 8 or kind in ("int", "u32") and bits < 32 else
                              decode(kind, part.to_bytes(bits // 8, "little")))
        return result
    return struct.unpack("<" + NUMBERS[name], data)[0]


def plain(shown):
    """A value by names alone: members that are a list become a dictionary, and a reference the value that it refers to."""
    if isinstance(shown, list):
        return [plain(one) for one in shown]
    if not isinstance(shown, dict):
        return shown
    if "members" in shown:
        return {member["name"]: plain(member["value"]) for member in shown["members"]}
    return plain(shown["value"]) if "reference" in shown else {name: plain(value) for name, value in shown.items()}


def same(shown, written):
    """Is a value that is shown what was written, as far as it says what it is? Returns how many numbers of it were shown."""
    shown = plain(shown)
    if isinstance(shown, dict) and set(shown) == {"unknown"}:
        return 0
    if isinstance(written, dict):
        assert set(shown) == set(written), (shown, written)
        return sum(same(shown[name], written[name]) for name in written)
    if isinstance(shown, str) and isinstance(written, list):
        # Numbers of eight bits that could be text.
        shown = [ord(character) for character in shown.ljust(len(written), "\0")]
    if isinstance(written, str) and isinstance(shown, list):
        written = [ord(character) for character in written.ljust(len(shown), "\0")]
    if isinstance(written, list):
        assert len(shown) == len(written), (shown, written)
        return sum(same(*both) for both in zip(shown, written))
    if isinstance(written, float) and written != written:
        assert shown == "nan", (shown, written)
        return 1
    if isinstance(written, int) and not isinstance(written, bool) and written > (1 << 63) - 1:
        shown = int(shown)
    assert shown == written and isinstance(shown, bool) == isinstance(written, bool), (shown, written)
    return 1


@functools.cache
def marks(source):
    """The variables of each MARK, by line, and the lines in the order of the source."""
    found = {}
    for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
        mark = re.search(r"\bMARK\((.*?)\);", line)
        if mark:
            found[number] = [name.strip() for name in mark[1].split(",")]
    assert len(found) >= 4, source
    return found


def compilation(source, target, output, *flags):
    """The commands that make a code object of a source."""
    common = ["-g", *flags, "-ffp-contract=off", "-o", output, source]
    if source.suffix == ".s":
        return [["clang-19", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-g", "-fuse-ld=lld", "--ld-path=ld.lld-19", "-o", output, source]]
    if source.suffix == ".hip":
        return [["hipcc", f"--offload-arch={target}", "--genco", "-std=c++17", *common],
                ["clang-offload-bundler-19", "--unbundle", "--type=o", f"--input={output}", f"--output={output}",
                 f"--targets=hipv4-amdgcn-amd-amdhsa--{target}"]]
    return [[*COMPILERS[source.suffix], "-target", "amdgcn-amd-amdhsa", "-nogpulib", f"-mcpu={target}", "-fuse-ld=lld", "--ld-path=ld.lld-19", *common]]


def compile_source(name, target, level, directory, *flags):
    """The source of that name, and the code object that is made of it."""
    source = next((support.TREE.source / "tests/variables").glob(f"{name}.*"))
    output = directory / f"{name}{level}-{target}.co"
    made.take(output, compilation(source, target, output, level, *flags, f"-ffile-prefix-map={support.TREE.source}/="), [source.parent])
    return source, output
