# SPDX-License-Identifier: MIT
"""Small inputs to start fuzzing from: generate-corpus.py SEEDS WAVETAPE KERNELS GOLDEN-TRACE... DIRECTORY.

SEEDS is the program that makes small traces of every kind, KERNELS the directory with code objects and workloads.
blocks/ has whole files, packets/ and rewrite/ what such a file decompresses to, replay/ the same of golden traces,
thinned out, behind eight bytes that choose calls; header/ has heads, chunk/ the numbers of a head and a payload, index/
payloads of an index, and delta/ values with patches, as the targets say. core/ has GPU core dumps, code-object/,
metadata/ and workload/ what a workload is made of, options/ words for the recording library.
"""

import pathlib
import struct
import subprocess
import sys
import tempfile

HEAD = 128
NAMES, BLOB, FACTS, MOMENT, LATE = 2, 3, 7, 8, 9
ITEMS = {FACTS: 1, MOMENT: 11, LATE: 2}  # the field of a packet's body that has its items
ITEMS_KEPT = 3  # of each type and kind
BLOB_KEPT = 96  # bytes


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return value, at


def put_varint(value):
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data) + bytes([value])


def fields(message):
    """Number and content of each field: bytes, or a number."""
    at = 0
    while at < len(message):
        tag, at = varint(message, at)
        value, at = varint(message, at)
        if tag & 7 == 2:
            yield tag >> 3, message[at:at + value]
            at += value
        else:
            yield tag >> 3, value


def field(number, value):
    if isinstance(value, int):
        return put_varint(number << 3) + put_varint(value)
    return put_varint(number << 3 | 2) + put_varint(len(value)) + value


def packets(raw):
    """The kind and the body of each packet."""
    for number, packet in fields(raw):
        assert number == 1, number
        yield next(fields(packet))


def join(parts):
    return b"".join(field(1, field(kind, body)) for kind, body in parts)


def thin_items(body, number, seen):
    """The items of a body but for those of which there are many alike."""
    for inner, value in fields(body):
        if inner == number:
            kind = tuple(pair for pair in fields(value) if pair[0] in (1, 2))
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] > ITEMS_KEPT:
                continue
        yield field(inner, value)


def thin(raw):
    """A trace's packets with the start of what is long."""
    seen = {}
    for kind, body in packets(raw):
        if kind in ITEMS:
            body = b"".join(thin_items(body, ITEMS[kind], seen))
        elif kind == BLOB:
            body = b"".join(field(inner, value[:BLOB_KEPT] if inner == 3 else value) for inner, value in fields(body))
        yield kind, body


def blocks(file):
    """Kind, head and payload of each block."""
    at = 0
    while at < len(file):
        kind, stored = struct.unpack_from("<H", file, at + 16)[0], struct.unpack_from("<Q", file, at + 32)[0]
        yield kind, file[at : at + HEAD], file[at + HEAD : at + HEAD + stored]
        at += HEAD + stored


def parts(file):
    """What of a file the targets take that look at one part of it."""
    chunks = [head[48:112] + payload for kind, head, payload in blocks(file) if kind == 2]
    final = next(payload for kind, _, payload in blocks(file) if kind == 4)
    heads = {kind: head for kind, head, _ in blocks(file)}
    patch = struct.pack("<HB", 2, 3) + b"abc"
    return {
        "header": {"file": heads[1], "chunk": heads[2], "footer": heads[5]},
        "chunk": {"first": chunks[0], "second": chunks[1], "last": chunks[-1]},
        "index": {"final": final, "links": struct.pack("<HHIQQ", 2, 0, 0, 8, 128) + bytes(16)},
        "delta": {"fits": b"\x08" + bytes(8) + b"\0" + patch + struct.pack("<HB", 0, 0),
                  "past": b"\x04" + bytes(4) + b"\0" + patch, "short": b"\x08" + bytes(8) + b"\x05" + patch,
                  "empty": b"\0\0" + struct.pack("<HB", 0, 0)},
    }


def unpack(file):
    return subprocess.run(["zstd", "-dc"], input=file, capture_output=True, check=True).stdout


def seeds(program):
    """Name and content of small traces."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([program, directory], check=True)
        return {path.name: path.read_bytes() for path in sorted(pathlib.Path(directory).iterdir())}


def without_reserve(file):
    """A trace of a recording that was killed, with less of the space that it had reserved."""
    cut = b""
    for kind, head, payload in blocks(file):
        cut += head + (payload if kind not in (6, 7) else payload[:4096])
        if kind == 7:
            return cut
    return cut


def compact(core):
    """A core file without what fills pages."""
    header, count = bytearray(core[:64]), struct.unpack_from("<H", core, 56)[0]
    start = struct.unpack_from("<Q", core, 32)[0]
    table, contents = b"", b""
    for i in range(count):
        kind, flags, offset, address, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", core, start + 56 * i)
        content = core[offset : offset + size]
        # PT_LOAD; the region of save areas is read to its end.
        if kind == 1 and address >> 40 != 0x25:
            content = content.rstrip(b"\0")
            content += bytes(-len(content) % 8)
        table += struct.pack("<IIQQQQQQ", kind, flags, 64 + 56 * count + len(contents), address, 0, len(content),
                             len(content), 1)
        contents += content
    struct.pack_into("<Q", header, 32, 64)
    return bytes(header) + table + contents


def without_sections(code_object):
    """What is loaded of a code object: the rest is for debuggers of its source."""
    data = bytearray(code_object)
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    segments = [struct.unpack_from("<IIQQQQQQ", data, start + 56 * i) for i in range(count)]
    struct.pack_into("<Q", data, 40, 0)
    struct.pack_into("<HHH", data, 58, 0, 0, 0)
    return bytes(data[: max(offset + size for kind, _, offset, _, _, size, _, _ in segments if kind == 1)])


def core_of(wavetape, workload):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "core"
        run = subprocess.run([wavetape, "simulate", workload, "--core", path], capture_output=True, check=False)
        assert run.returncode in (0, 1), run.stderr
        return compact(path.read_bytes())


def metadata_of(code_object):
    """The content of its note, whose name is AMDGPU."""
    at = code_object.index(b"AMDGPU\0")
    size = struct.unpack_from("<I", code_object, at - 8)[0]
    return code_object[at + 8 : at + 8 + size]


def program_inputs(wavetape, kernels):
    """What of a program is given as files."""
    loaded = {name: (kernels / f"{name}.co").read_bytes() for name in ("vecadd", "dynamic-local-gfx90a")}
    names = ("vecadd", "two-queues", "two-agents", "loads", "structs")
    options = ("waves=all,registers=pc:s0-s15:scalar memory=0x1000+64:near redact", "ring=3 sync=every=2 max-bytes=4M",
               "no-code no-host environment hold reproducible journal-only min-free=1G", "memory=4K,waves=faulting,x",
               "registers=" + ":".join(f"s{i}" for i in range(56)) + " memory="
               + ":".join(f"{i:#x}+64" for i in range(16)))
    return {
        "core": {"fault": core_of(wavetape, kernels / "oob-load.json"),
                 "end": core_of(wavetape, kernels / "vecadd.json")},
        "code-object": {name: without_sections(data) for name, data in loaded.items()},
        "metadata": {name: metadata_of(data) for name, data in loaded.items()},
        "workload": {name: (kernels / f"{name}.json").read_bytes() for name in names},
        "options": {f"words-{i}": words.encode() for i, words in enumerate(options)},
    }


def main():
    program, wavetape, kernels, *golden, target = sys.argv[1:]
    target = pathlib.Path(target)
    files = seeds(program)
    closed = files["closed"]
    bodies = {"closed": unpack(closed), "ring": unpack(files["ring"]), "part": unpack(files["part"]),
              "header": join([next(packets(unpack(closed)))])}
    bodies["half"] = bodies["closed"][: len(bodies["closed"]) // 2]
    # Of later versions: bodies of other kinds, and packets without one.
    bodies["later"] = bodies["header"] + join([(13, b"ab"), (20, b"cd")]) + b"\x0a\0" + bodies["part"]
    recorded = [unpack(pathlib.Path(trace).read_bytes()) for trace in golden]
    clients = {f"golden-{number}": join(thin(raw)) for number, raw in enumerate(recorded)}
    clients["half"] = clients["golden-0"][: len(clients["golden-0"]) // 2]
    corpus = {
        **parts(closed),
        "blocks": {**{name: without_reserve(file) for name, file in files.items()},
                   "cut": closed[: len(closed) * 2 // 3 // 128 * 128], "no-footer": closed[:-128],
                   "head": closed[:256], "text": b"not a trace\n" * 30},
        "packets": {**bodies, **clients},
        "rewrite": {**bodies, **clients},
        "replay": {name: bytes(range(8)) + body for name, body in {**clients, **bodies}.items()},
        **program_inputs(wavetape, pathlib.Path(kernels)),
    }
    for folder, inputs in corpus.items():
        (target / folder).mkdir(parents=True, exist_ok=True)
        for name, data in inputs.items():
            (target / folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
