# SPDX-License-Identifier: MIT
"""Small inputs to start fuzzing from: generate-corpus.py GOLDEN-TRACE DIRECTORY.

blocks/ has whole files, packets/ and rewrite/ what such a file decompresses to, replay/ the same behind
eight bytes that choose calls.
"""

import pathlib
import subprocess
import sys


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


def main():
    trace, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    file = trace.read_bytes()
    raw = subprocess.run(["zstd", "-dc", trace], capture_output=True, check=True).stdout
    every = list(packets(raw))
    short = b"".join(packet for packet in every if len(packet) < 600)
    start = b"".join(every)[: sum(map(len, every[: len(every) // 2]))]
    bodies = {"whole": raw, "short": short, "half": start, "header": every[0]}
    corpus = {
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
