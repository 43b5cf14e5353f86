/* SPDX-License-Identifier: MIT */
/*
 * Mutations that know the forms of a trace: a change behind lengths, checksums and compression, which a change of any
 * byte hardly ever gets past. Targets that want them have a LLVMFuzzerCustomMutator() that calls one.
 */
#ifndef WT_FUZZ_MUTATE_H
#define WT_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

/** A mutator of a target. libFuzzer calls it; run-corpus.c does too, where there is one. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
/** Change any bytes: of libFuzzer, or of run-corpus.c. Return: the new size. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/** A number below @limit. */
uint32_t mutate_below(uint64_t *seed, uint32_t limit);

/** A number as protobuf writes it: false, if there is none. */
bool mutate_take_varint(struct wt_cursor *cursor, uint64_t *value_ret);

/**
 * The packets of a trace, in place: some field, at any depth, is changed, left out, doubled or moved; the lengths around
 * it are made right. What is no message is changed anywhere. Return: the new size, at most @max_size.
 */
size_t mutate_packets(uint8_t *data, size_t size, size_t max_size, uint64_t *seed);

/**
 * A trace file, in place: the packets in a chunk or a stage, numbers of a head, an index, or the order of blocks; then
 * offsets and checksums are mostly made right. Return: the new size, at most @max_size.
 */
size_t mutate_file(uint8_t *data, size_t size, size_t max_size, uint64_t *seed);

/** What a frame of zstd holds, up to 1 MiB: false if it is none. The buffer is the caller's. */
bool mutate_decompress(const uint8_t *stored, size_t size, struct wt_buffer *raw_ret);

/** A payload: one frame of zstd, and a skippable one up to the end of a block. */
bool mutate_compress(const uint8_t *raw, size_t size, struct wt_buffer *stored_ret);

/** The numbers of a head, 64 bytes, that follow from the packets: those that count what is in them. */
void mutate_count(const uint8_t *raw, size_t size, uint8_t fields[64]);

#endif /* WT_FUZZ_MUTATE_H */
