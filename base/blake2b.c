/* SPDX-License-Identifier: MIT */
#include "base/blake2b.h"

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#define BLOCK 128u

/* Section 2.6 of the RFC: the first words of the fractions of the square roots of primes, as SHA-512 has them. */
static const uint64_t start[8] = {UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b),
				  UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1),
				  UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
				  UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179)};

/* Section 2.7: which words of the block a round mixes in, in which order. Rounds 10 and 11 are as 0 and 1. */
static const uint8_t order[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
				      {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
				      {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
				      {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
				      {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
				      {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
				      {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
				      {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
				      {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
				      {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint64_t word_rotate(uint64_t word, unsigned int bits)
{
	return word >> bits | word << (64 - bits);
}

static inline void words_mix(uint64_t v[16], unsigned int a, unsigned int b, unsigned int c,
			     unsigned int d, uint64_t x, uint64_t y)
{
	v[a] += v[b] + x;
	v[d] = word_rotate(v[d] ^ v[a], 32);
	v[c] += v[d];
	v[b] = word_rotate(v[b] ^ v[c], 24);
	v[a] += v[b] + y;
	v[d] = word_rotate(v[d] ^ v[a], 16);
	v[c] += v[d];
	v[b] = word_rotate(v[b] ^ v[c], 63);
}

static void block_compress(uint64_t state[8], const uint8_t *block, uint64_t done, bool last)
{
	uint64_t v[16], m[16];

	memcpy(m, block, sizeof(m));
	for (unsigned int i = 0; i < 16; i++)
		m[i] = le64toh(m[i]);
	memcpy(v, state, 8 * sizeof(*v));
	memcpy(v + 8, start, sizeof(start));
	v[12] ^= done;
	if (last)
		v[14] = ~v[14];
		/* Unrolled, indexes are known, and words stay in registers: that is more than twice as fast. */
#pragma GCC unroll 12
	for (unsigned int round = 0; round < 12; round++) {
		const uint8_t *at = order[round % 10];

#pragma GCC unroll 4
		for (unsigned int i = 0; i < 4; i++)
			words_mix(v, i, i + 4, i + 8, i + 12, m[at[2 * i]], m[at[2 * i + 1]]);
#pragma GCC unroll 4
		for (unsigned int i = 0; i < 4; i++)
			words_mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12,
				  m[at[8 + 2 * i]], m[at[9 + 2 * i]]);
	}
	for (unsigned int i = 0; i < 8; i++)
		state[i] ^= v[i] ^ v[i + 8];
}

void wt_blake2b(const void *data, size_t size, uint8_t hash[WT_BLAKE2B_SIZE])
{
	const uint8_t *bytes = data;
	uint8_t rest[BLOCK] = {0};
	uint64_t state[8];
	size_t done = 0;

	memcpy(state, start, sizeof(state));
	/* The parameters: length of the hash, of the key, fanout and depth. */
	state[0] ^= 0x01010000 | WT_BLAKE2B_SIZE;
	for (; size - done > BLOCK; done += BLOCK)
		block_compress(state, bytes + done, done + BLOCK, false);
	if (size > done)
		memcpy(rest, bytes + done, size - done);
	block_compress(state, rest, size, true);
	for (unsigned int i = 0; i < 4; i++)
		state[i] = htole64(state[i]);
	memcpy(hash, state, WT_BLAKE2B_SIZE);
}
