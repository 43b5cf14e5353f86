#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model of two layers with weights by chance, for llama.cpp: small enough for a simulated GPU, and of no use otherwise.

Usage: tiny-gguf.py FILE

The format is GGUF, version 3: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Matrices are of type Q8_0: blocks of 32 bytes with a
scale of half precision.
"""
import random
import struct
import sys

EMBEDDING, LAYERS, FORWARD, HEADS, CONTEXT = 256, 2, 512, 4, 256
UNKNOWN, CONTROL, BYTE = 2, 3, 6  # kinds of tokens
U32, I32, F32, STRING, ARRAY = 4, 5, 6, 8, 9  # types of values
TYPE_F32, TYPE_Q8_0 = 0, 8  # types of tensors
BLOCK, ALIGNMENT = 32, 32
TOKENS = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key, kind, value):
    return text(key) + struct.pack("<I", kind) + value


def array(kind, items):
    return struct.pack("<IQ", kind, len(items)) + b"".join(items)


def entries():
    yield entry("general.architecture", STRING, text("llama"))
    yield entry("general.name", STRING, text("tiny"))
    for key, value in (("context_length", CONTEXT), ("embedding_length", EMBEDDING), ("block_count", LAYERS),
                       ("feed_forward_length", FORWARD), ("attention.head_count", HEADS), ("attention.head_count_kv", HEADS),
                       ("rope.dimension_count", EMBEDDING // HEADS), ("vocab_size", len(TOKENS))):
        yield entry(f"llama.{key}", U32, struct.pack("<I", value))
    yield entry("llama.attention.layer_norm_rms_epsilon", F32, struct.pack("<f", 1e-5))
    yield entry("tokenizer.ggml.model", STRING, text("llama"))
    yield entry("tokenizer.ggml.tokens", ARRAY, array(STRING, [text(token) for token in TOKENS]))
    yield entry("tokenizer.ggml.scores", ARRAY, array(F32, [struct.pack("<f", -float(i)) for i in range(len(TOKENS))]))
    kinds = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256
    yield entry("tokenizer.ggml.token_type", ARRAY, array(I32, [struct.pack("<i", kind) for kind in kinds]))
    yield entry("tokenizer.ggml.bos_token_id", U32, struct.pack("<I", 1))
    yield entry("tokenizer.ggml.eos_token_id", U32, struct.pack("<I", 2))


def matrix(rows, columns, scale):
    blocks = []
    for _ in range(rows * columns // BLOCK):
        values = [random.gauss(0, scale) for _ in range(BLOCK)]
        step = max(map(abs, values)) / 127
        blocks.append(struct.pack(f"<e{BLOCK}b", step, *(max(-127, min(127, round(value / step))) for value in values)))
    return (columns, rows), TYPE_Q8_0, b"".join(blocks)


def vector(count):
    return (count,), TYPE_F32, struct.pack(f"<{count}f", *(random.uniform(0.8, 1.2) for _ in range(count)))


def tensors():
    yield "token_embd.weight", matrix(len(TOKENS), EMBEDDING, 1)
    yield "output_norm.weight", vector(EMBEDDING)
    yield "output.weight", matrix(len(TOKENS), EMBEDDING, 0.2)
    for layer in range(LAYERS):
        yield f"blk.{layer}.attn_norm.weight", vector(EMBEDDING)
        yield f"blk.{layer}.ffn_norm.weight", vector(EMBEDDING)
        for name in ("q", "k", "v", "output"):
            yield f"blk.{layer}.attn_{name}.weight", matrix(EMBEDDING, EMBEDDING, 0.08)
        yield f"blk.{layer}.ffn_gate.weight", matrix(FORWARD, EMBEDDING, 0.08)
        yield f"blk.{layer}.ffn_up.weight", matrix(FORWARD, EMBEDDING, 0.08)
        yield f"blk.{layer}.ffn_down.weight", matrix(EMBEDDING, FORWARD, 0.08)


def main():
    random.seed(7)
    facts, all_tensors, data = list(entries()), list(tensors()), bytearray()
    head = struct.pack("<IIQQ", int.from_bytes(b"GGUF", "little"), 3, len(all_tensors), len(facts)) + b"".join(facts)
    for name, (shape, kind, content) in all_tensors:
        head += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape) + struct.pack("<IQ", kind, len(data))
        data += content + bytes(-len(content) % ALIGNMENT)
    with open(sys.argv[1], "wb") as file:
        file.write(head + bytes(-len(head) % ALIGNMENT) + data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
