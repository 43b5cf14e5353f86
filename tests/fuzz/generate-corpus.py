# SPDX-License-Identifier: MIT
"""Small inputs to start fuzzing from: generate-corpus.py GOLDEN-TRACE DIRECTORY.

blocks/ has whole files, packets/ and rewrite/ what such a file decompresses to, replay/ the same behind
eight bytes that choose calls; header/ has heads, chunk/ the numbers of a head and a payload, index/ payloads of an index,
and delta/ values with patches, as the targets say.
"""

import pathlib
import struct
import subprocess
import sys

HEAD = 128


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return value, at


def packets(raw):
    """The `Trace.packet` fields of a message, each with its tag and length."""
    at = 0
    while at < len(raw):
        assert raw[at] == 0x0A, raw[at]
        length, start = varint(raw, at + 1)
        yield raw[at : start + length]
        at = start + length


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
        "chunk": {"first": chunks[0], "second": chunks[-1]},
        "index": {"final": final, "links": struct.pack("<HHIQQ", 2, 0, 0, 8, 128) + bytes(16)},
        "delta": {"fits": b"\x08" + bytes(8) + b"\0" + patch + struct.pack("<HB", 0, 0),
                  "past": b"\x04" + bytes(4) + b"\0" + patch, "short": b"\x08" + bytes(8) + b"\x05" + patch,
                  "empty": b"\0\0" + struct.pack("<HB", 0, 0)},
    }


def main():
    trace, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    file = trace.read_bytes()
    raw = subprocess.run(["zstd", "-dc", trace], capture_output=True, check=True).stdout
    every = list(packets(raw))
    short = b"".join(packet for packet in every if len(packet) < 600)
    start = b"".join(every)[: sum(map(len, every[: len(every) // 2]))]
    bodies = {"whole": raw, "short": short, "half": start, "header": every[0]}
    corpus = {
        **parts(file),
        "blocks": {"whole": file, "cut": file[: len(file) * 2 // 3 // 128 * 128],
                   "no-footer": file[:-128], "head": file[:256], "text": b"not a trace\n" * 30},
        "packets": bodies,
        "rewrite": bodies,
        "replay": {name: bytes(range(8)) + body for name, body in bodies.items()},
    }
    for folder, inputs in corpus.items():
        (target / folder).mkdir(parents=True, exist_ok=True)
        for name, data in inputs.items():
            (target / folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
