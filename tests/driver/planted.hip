// SPDX-License-Identifier: MIT
// Mistakes in HIP kernels. The command line names the kernel, its launch and its arguments: check-planted-hip.py has them with what
// is to be said of each, and finds lines by the marks in comments.
//
//   planted KERNEL GROUPS GROUP-SIZE LOCAL-BYTES ARGUMENT...
//
// An argument is `i:VALUE` (32 bits), `l:VALUE` (64 bits), `b:BYTES` (memory of the GPU, zeros), `b:BYTES+OFFSET` (the same, and a pointer
// into it), `w:BYTES:FIRST:STEP` (words that count), `q:BYTES:FIRST:STEP` (the same, of 64 bits), `f:BYTES` (freed again before the
// launch), `h:BYTES` (the program's own heap), `r:BYTES` (addresses that the program has reserved, and nothing is at), or `t:BYTES:N` (a table of N pointers to memory of as many bytes, the last of which is null).
#include <hip/hip_runtime.h>

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define ITEM (blockIdx.x * blockDim.x + threadIdx.x)

struct particle {
	float x, y, z, mass;
};

struct node {
	const node *next;
	u64 value;
};

// Past the end: a condition that is off by one, a neighbour, a stride, a loop, an index, a row.
__global__ void off_by_one(u32 *out, u32 n)
{
	u32 i = ITEM;
	if (i <= n)
		out[i] = i; // off_by_one
}

__global__ void right_neighbour(const float *in, float *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[i] = in[i] + in[(u64)i + 1]; // right_neighbour
}

__global__ void wrong_stride(u64 *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[2 * (u64)i] = i; // wrong_stride
}

__global__ void grid_stride(u32 *out, u32 n)
{
	for (u32 i = ITEM; i <= n; i += gridDim.x * blockDim.x)
		out[i] = 7 * i; // grid_stride
}

__global__ void gather(const float *table, const u32 *index, float *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[i] = table[index[i]]; // gather
}

__global__ void rows(u16 *image, u32 width, u32 height)
{
	u32 column = threadIdx.x, row = blockIdx.x;
	if (column < width)
		image[(u64)row * width + column] = (u16)(row + height); // rows
}

__global__ void too_small(const u32 *in, u32 *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[i] = in[i]; // too_small
}

__global__ void through_local(u32 *out, u32 stride)
{
	__shared__ u32 places[64];
	u32 i = threadIdx.x;
	places[i] = i * stride;
	__syncthreads();
	out[places[63 - i]] = i; // through_local
}

__global__ void through_private(u32 *out, u32 stride)
{
	volatile u32 places[8];
	u32 i = threadIdx.x;
	for (u32 k = 0; k < 8; k++)
		places[k] = (i + k) * stride;
	out[places[i % 8]] = i; // through_private
}

__global__ void branches(u32 *out, u32 near, u32 far)
{
	u32 i = threadIdx.x, place;
	if (i % 3 == 0)
		place = i + near;
	else if (i % 5 == 0)
		place = i + far;
	else
		place = i;
	out[place] = i; // branches
}

// Before the start.
__global__ void left_neighbour(const float *in, float *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[i] = in[i] - in[(int64_t)i - 1]; // left_neighbour
}

__global__ void backwards(u32 *out, int last)
{
	for (int i = last; i >= -3; i--)
		out[i] = (u32)i; // backwards
}

// Below zero, in 32 bits without a sign.
__global__ void wrapped(u32 *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[i - 1] = i; // wrapped
}

__global__ void scatter(const u32 *index, u64 *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[index[i]] = i; // scatter
}

// Null, and what no pointer is.
__global__ void store(u32 *out, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		out[i] = i; // store
}

// Two stores in a row, to where a GPU may have memory or not, as far as the program's mappings say.
__global__ void pair(u32 *first, u32 *second)
{
	first[threadIdx.x] = 1; // pair
	second[threadIdx.x] = 2;
}

__global__ void null_field(const particle *particles, float *out)
{
	out[threadIdx.x] = particles->mass; // null_field
}

__global__ void null_next(const node *list, u64 *out, u32 hops)
{
	const node *at = list;
	for (u32 i = 0; i < hops; i++)
		at = at->next;
	out[threadIdx.x] = at->value; // null_next
}

__global__ void null_row(u32 *const *table, u32 column)
{
	table[threadIdx.x][column] = 1; // null_row
}

__global__ void exchanged(u32 *out, u64 n)
{
	u64 i = ITEM;
	if (i < n)
		out[i] = 1; // exchanged
}

__global__ void truncated(u32 *out, u32 n)
{
	u32 kept = (u32)(u64)(out + n);
	*(u32 *)(u64)kept = n; // truncated
}

__global__ void never_set(u32 *out, u32 n)
{
	u32 *volatile pointers[4];
	if (n > 100)
		pointers[n % 4] = out;
	*pointers[n % 4] = n; // never_set
}

// Set only where a condition held often enough: of lane 20 alone the last one was not.
__global__ void seldom_set(const u32 *marks, const u32 *from, u32 *out, u32 n)
{
	const u32 *best[4];
	u32 kept = 0;
	for (u32 i = 0; i < n; i++)
		if (marks[i] > threadIdx.x % 21 && kept < 4)
			best[kept++] = &from[i];
	out[threadIdx.x] = *best[0] + *best[3]; // seldom_set
}

// Misaligned.
__global__ void misaligned(u8 *bytes, u32 record)
{
	u32 i = ITEM;
	atomicAdd((unsigned long long *)(bytes + (u64)i * record), 1ull); // misaligned
}

// A product that overflows.
__global__ void pitch(float *image, int pitch, int row)
{
	int i = (int)threadIdx.x;
	image[row * pitch + i] = 1; // pitch
}

__global__ void pitch_each(float *image, int pitch, int first)
{
	int row = first + (int)ITEM;
	image[row * pitch] = 1; // pitch_each
}

__global__ void pitch_unsigned(u64 *image, u32 pitch, u32 row)
{
	u32 i = threadIdx.x;
	image[row * pitch + i] = 1; // pitch_unsigned
}

// Numbers of 16 and 8 bits that have no room for what they are set to.
__global__ void short_item(u32 *out, int n)
{
	short item = (short)ITEM;
	if (item < n)
		out[item] = 1; // short_item
}

__global__ void short_pitch(double *image, int row, int pitch)
{
	short at = (short)(row * pitch);
	image[at] = 1; // short_pitch
}

__global__ void byte_slot(float4 *slots, int slot)
{
	signed char at = (signed char)(slot + threadIdx.x);
	slots[at].x = 1; // byte_slot
}

// No guard.
__global__ void no_guard(u32 *out, u32 n)
{
	u32 i = ITEM;
	(void)n;
	out[i] = i; // no_guard
}

__global__ void no_guard_sum(const double *a, const double *b, double *sum, u64 n)
{
	u32 i = ITEM;
	(void)n;
	sum[i] = a[i] + b[i]; // no_guard_sum
}

__global__ void wrong_limit(u32 *out, u32 n, u32 padded)
{
	u32 i = ITEM;
	(void)n;
	if (i < padded)
		out[i] = i; // wrong_limit
}

// Local and private memory.
__global__ void local_end(u32 *out, u32 stride)
{
	extern __shared__ u32 shared[];
	u32 i = threadIdx.x;
	shared[i * stride] = i; // local_end
	__syncthreads();
	out[i] = shared[0];
}

__global__ void local_start(u32 *out, u32 n)
{
	__shared__ u32 shared[64];
	u32 i = threadIdx.x;
	shared[i - n] = i; // local_start
	__syncthreads();
	out[i] = shared[63 - i];
}

__global__ void private_end(u32 *out, u32 index)
{
	volatile u32 own[16];
	own[index] = index; // private_end
	out[threadIdx.x] = own[0];
}

__global__ void private_way(u32 *out, int index)
{
	volatile u32 own[16];
	for (u32 k = 0; k < 16; k++)
		own[k] = k;
	own[index] = 1; // private_way
	out[threadIdx.x] = own[3];
}

// Elements as the source has them: a member, bytes that are taken for numbers, a table that is shorter.
__global__ void members(particle *particles, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		particles[i].mass = 1; // members
}

__global__ void bytes(u8 *all, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		((double *)(all + n))[i] = 1; // bytes
}

__global__ void past_table(u32 *const *table, u32 at)
{
	table[at][threadIdx.x] = 1; // past_table
}

// Found in no element: the register of the place has what it had.
__global__ void unset_index(u32 *out, const u32 *keys, int n, u32 key)
{
	int at;
	for (int i = 0; i < n; i++)
		if (keys[i] == key)
			at = i;
	out[at * 1024] = key; // unset_index
}

__global__ void far_store(u32 *out, int n)
{
	out[n + (int)threadIdx.x] = 1; // far_store
}

// An index, and a pointer, that never was one.
__global__ void far_index(const u32 *index, float *out)
{
	u32 i = threadIdx.x;
	out[index[i]] = 1; // far_index
}

__global__ void wild_pointer(u32 *const *table, u32 *out)
{
	u32 i = threadIdx.x;
	out[i] = table[i][i]; // wild_pointer
}

// Where no cause is simple: a hash and a mask that is too wide, two buffers and their distance, numbers, tags, indices of 64 bits.
__global__ void hash(u32 *table, u32 mask)
{
	u32 i = ITEM;
	u32 h = (i + 77) * 2654435761u;
	table[(h >> 7) & mask] = i; // hash
}

__global__ void distance(u32 *a, u32 *b, u32 factor)
{
	u64 from = (u64)a, to = (u64)b;
	*(u32 *)(from + (to - from) * factor) = 1; // distance
}

__global__ void number(u64 where)
{
	*(u32 *)where = 1; // number
}

__global__ void tagged(u64 pointer, u32 n)
{
	u32 i = ITEM;
	if (i < n)
		((u32 *)(pointer ^ (u64)(i + 1) << 52))[i] = i; // tagged
}

__global__ void mixed_bits(u32 *out, u32 seed, u32 shift)
{
	u32 i = ITEM, x = i * 747796405u + seed;
	x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
	x = (x >> 22) ^ x;
	out[(u64)x << shift] = i; // mixed_bits
}

__global__ void generator(u32 *out, u32 seed, u32 steps)
{
	u32 x = seed + ITEM;
	for (u32 k = 0; k < steps; k++)
		x = x * 1664525u + 1013904223u;
	out[x] = steps; // generator
}

__global__ void wide_sum(u32 *out, u32 a, u32 b)
{
	u64 sum = (u64)a + b;
	out[sum + threadIdx.x] = 1; // wide_sum
}

__global__ void wide_product(u32 *out, u32 a, u32 b)
{
	out[(u64)a * b + threadIdx.x] = 1; // wide_product
}

__global__ void offsets(const u64 *offset, u64 from)
{
	*(u32 *)(from + offset[threadIdx.x]) = 1; // offsets
}

__global__ void packed(u64 word)
{
	u64 pointer = word << 16 >> 20;
	((u32 *)pointer)[threadIdx.x] = 1; // packed
}

__global__ void exclusive(u64 a, u64 b)
{
	*(u64 *)((a ^ b) + 8 * threadIdx.x) = 1; // exclusive
}

__global__ void ring(u32 *out, u32 head, u32 room)
{
	u32 i = ITEM, at = head - i;
	out[(at % room) * (u64)room] = i; // ring
}

// The same of what has a meaning of its own: strings, random numbers, codes of places, handles, pointers in disguise, clocks.
__global__ void text_hash(u64 *out, const u8 *text, u32 length)
{
	u32 h = 0;
	for (u32 k = 0; k < length; k++)
		h = h * 31 + text[k];
	out[(u64)h * 64 + threadIdx.x] = h; // text_hash
}

__global__ void text_hash_33(u64 *out, const u8 *text, u32 length)
{
	u32 h = 5381;
	for (u32 k = 0; k < length; k++)
		h = (h << 5) + h + text[k];
	out[(u64)h * 64] = h; // text_hash_33
}

__global__ void fowler(u32 *out, u32 seed, u32 rounds)
{
	u32 h = 2166136261u;
	for (u32 k = 0; k < rounds; k++)
		h = (h ^ (seed >> 8 * k & 255)) * 16777619u;
	out[(u64)h] = h; // fowler
}

__global__ void once(u32 *out, u32 seed)
{
	u32 x = (seed + threadIdx.x) * 1664525u + 1013904223u;
	out[(u64)x] = x; // once
}

__global__ void once_signed(u32 *out, int seed)
{
	int x = (int)((u32)seed * 22695477u + 1u);
	out[x] = x; // once_signed
}

__global__ void fibonacci(u64 *out, u64 key, u32 bits)
{
	out[(key * 11400714819323198485ull) >> bits] = key; // fibonacci
}

__global__ void morton(u32 *out, u32 x, u32 y)
{
	u64 code = 0;
	for (u32 k = 0; k < 20; k++)
		code |= (u64)(x >> k & 1) << 2 * k | (u64)(y >> k & 1) << (2 * k + 1);
	out[code] = 1; // morton
}

__global__ void shift_register(u32 *out, u32 state, u32 steps)
{
	for (u32 k = 0; k < steps; k++)
		state = (state >> 1) ^ (-(state & 1u) & 0xb4bcd35cu);
	out[(u64)state] = steps; // shift_register
}

__global__ void xor_shift(u32 *out, const u32 *seeds, u32 steps)
{
	u32 x = seeds[threadIdx.x];
	for (u32 k = 0; k < steps; k++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	out[(int)x] = x; // xor_shift
}

__global__ void sequence(u64 *out, u16 serial, u16 step)
{
	u16 at = (u16)(serial * step);
	out[(u64)at << 14] = at; // sequence
}

__global__ void bit_field(u32 *out, const u64 *keys)
{
	u64 key = keys[threadIdx.x];
	out[key >> 11 & 0xffffffff] = (u32)key; // bit_field
}

__global__ void handle(u32 *out, const u64 *handles)
{
	u64 one = handles[threadIdx.x];
	out[one] = 1; // handle
}

// Two lists in one: each link is the neighbours' difference in all bits.
__global__ void both_ways(const u64 *first, u64 *out, u32 hops)
{
	u64 before = 0, at = (u64)first;
	for (u32 k = 0; k < hops; k++) {
		u64 link = *(const u64 *)at, next = before ^ link;
		before = at;
		at = next;
	}
	out[threadIdx.x] = *(const u64 *)at; // both_ways
}

__global__ void relative(const int *first, int *out)
{
	const int *at = (const int *)((const char *)first + first[threadIdx.x]);
	out[threadIdx.x] = *at; // relative
}

__global__ void compressed(u64 base, const u32 *short_pointers, u32 *out)
{
	out[threadIdx.x] = *(const u32 *)(base + ((u64)short_pointers[threadIdx.x] << 3)); // compressed
}

__global__ void boxed(const u64 *values, u32 *out)
{
	u64 value = values[threadIdx.x] & 0xffffffffffffull;
	out[threadIdx.x] = *(const u32 *)value; // boxed
}

__global__ void low_tag(const u64 *values, u32 *out)
{
	u64 value = values[threadIdx.x], tag = value & 7;
	out[threadIdx.x] = ((const u32 *)(value & ~7ull))[tag << 28]; // low_tag
}

__global__ void protected_pointer(const u64 *links, u32 *out)
{
	u64 link = links[threadIdx.x] ^ ((u64)&links[threadIdx.x] >> 12);
	out[threadIdx.x] = *(const u32 *)link; // protected_pointer
}

__global__ void two_halves(const u32 *low, const u32 *high, u32 *out)
{
	u64 pointer = low[threadIdx.x] | (u64)high[threadIdx.x] << 32;
	out[threadIdx.x] = *(const u32 *)pointer; // two_halves
}

__global__ void of_pointer(const u32 *object, u32 *out)
{
	u64 key = (u64)object;
	out[(key >> 4) * 2654435761u >> 12] = 1; // of_pointer
}

__global__ void between(const u32 *a, const u32 *b, u32 *out, u32 factor)
{
	out[(b - a) * (int64_t)factor] = 1; // between
}

__global__ void float_bits(u32 *out, float value, u32 shift)
{
	out[(u64)__float_as_uint(value) << shift] = 1; // float_bits
}

__global__ void timed(u32 *out, u32 factor)
{
	u64 now = clock64();
	out[(now | 1ull << 30) * factor] = 1; // timed
}

__global__ void stale_odd(u64 pointer, const u32 *keys, u32 *out)
{
	u64 at = (pointer ^ keys[threadIdx.x]) + ((u64)keys[threadIdx.x] << 21);
	out[threadIdx.x] = *(const u32 *)at; // stale_odd
}

__global__ void stale_row(u64 *const *table, u32 key, u64 *out)
{
	u64 at = (u64)table[key & 1] * 3 + key;
	out[threadIdx.x] = *(const u64 *)(at >> 1 & ~7ull); // stale_row
}

__global__ void zobrist(u32 *out, const u32 *numbers, u32 board)
{
	u32 h = 0;
	for (u32 k = 0; k < 16; k++)
		if (board >> k & 1)
			h ^= numbers[k];
	out[(u64)h << 2] = h; // zobrist
}

__global__ void fixed_point(u32 *out, int a, int b)
{
	int product = (int)((u32)a * (u32)b);
	out[product >> 4] = 1; // fixed_point
}

__global__ void turns(u32 *out, u32 angle, u32 speed)
{
	u32 at = angle * speed; // a full turn is 2^32
	out[(u64)(at >> 2)] = 1; // turns
}

__global__ void checksum(u32 *out, const u32 *words, u32 count)
{
	u32 a = 1, b = 0;
	for (u32 k = 0; k < count; k++) {
		a += words[k];
		b += a;
	}
	out[(u64)b << 3 | (a & 7)] = 1; // checksum
}

__global__ void ticket(u32 *out, u32 next, u32 serving)
{
	u32 ahead = next - serving; // numbers go round
	out[(u64)ahead >> 1] = 1; // ticket
}

static const struct {
	const char *name;
	const void *function;
} kernels[] = {
#define KERNEL(name) {#name, (const void *)name}
	KERNEL(off_by_one), KERNEL(right_neighbour), KERNEL(wrong_stride), KERNEL(grid_stride), KERNEL(gather), KERNEL(rows),
	KERNEL(too_small), KERNEL(through_local), KERNEL(through_private), KERNEL(branches), KERNEL(left_neighbour), KERNEL(backwards),
	KERNEL(wrapped), KERNEL(scatter), KERNEL(store), KERNEL(null_field), KERNEL(pair), KERNEL(null_next), KERNEL(null_row), KERNEL(exchanged),
	KERNEL(truncated), KERNEL(never_set), KERNEL(seldom_set), KERNEL(misaligned), KERNEL(pitch), KERNEL(pitch_each), KERNEL(pitch_unsigned),
	KERNEL(no_guard), KERNEL(no_guard_sum), KERNEL(wrong_limit), KERNEL(local_end), KERNEL(local_start), KERNEL(private_end),
	KERNEL(short_item), KERNEL(short_pitch), KERNEL(byte_slot),
	KERNEL(private_way), KERNEL(members), KERNEL(bytes),
	KERNEL(past_table), KERNEL(unset_index), KERNEL(far_store), KERNEL(far_index), KERNEL(wild_pointer), KERNEL(hash), KERNEL(distance), KERNEL(number), KERNEL(tagged), KERNEL(mixed_bits),
	KERNEL(generator), KERNEL(wide_sum), KERNEL(wide_product), KERNEL(offsets), KERNEL(packed), KERNEL(exclusive), KERNEL(ring),
	KERNEL(text_hash), KERNEL(text_hash_33), KERNEL(fowler), KERNEL(once), KERNEL(once_signed), KERNEL(fibonacci),
	KERNEL(morton), KERNEL(shift_register), KERNEL(xor_shift), KERNEL(sequence), KERNEL(bit_field), KERNEL(handle),
	KERNEL(both_ways), KERNEL(relative), KERNEL(compressed), KERNEL(boxed), KERNEL(low_tag), KERNEL(protected_pointer),
	KERNEL(two_halves), KERNEL(of_pointer), KERNEL(between), KERNEL(float_bits), KERNEL(timed), KERNEL(stale_odd),
	KERNEL(stale_row), KERNEL(zobrist), KERNEL(fixed_point), KERNEL(turns), KERNEL(checksum), KERNEL(ticket),
};

[[noreturn]] static void fail(const char *what, const char *why)
{
	fprintf(stderr, "planted: %s: %s\n", what, why);
	exit(2);
}

static void check(hipError_t error, const char *what)
{
	if (error != hipSuccess)
		fail(what, hipGetErrorString(error));
}

static void *allocated(const void *content, size_t size)
{
	void *memory = nullptr;

	check(hipMalloc(&memory, size), "hipMalloc");
	check(hipMemcpy(memory, content, size, hipMemcpyHostToDevice), "hipMemcpy");
	return memory;
}

template <typename word> static void *counting(char *text)
{
	size_t size = strtoull(text, &text, 0);
	word first = strtoull(text + 1, &text, 0), step = strtoull(text + 1, &text, 0);
	std::vector<word> words(size / sizeof(word));

	for (word &at : words) {
		at = first;
		first += step;
	}
	return allocated(words.data(), size);
}

static void *table(char *text)
{
	size_t size = strtoull(text, &text, 0), count = strtoull(text + 1, &text, 0);
	std::vector<void *> rows(count);
	std::vector<char> zeros(size);

	for (size_t i = 0; i + 1 < count; i++)
		rows[i] = allocated(zeros.data(), size);
	return allocated(rows.data(), count * sizeof(void *));
}

static u64 value(char *text)
{
	char kind = text[0], *rest = text + 2;

	switch (kind) {
	case 'i':
	case 'l':
		return strtoull(rest, nullptr, 0);
	case 'b': {
		std::vector<char> zeros(strtoull(rest, &rest, 0));

		return (u64)allocated(zeros.data(), zeros.size()) + (*rest == '+' ? strtoll(rest + 1, nullptr, 0) : 0);
	}
	case 'w':
		return (u64)counting<u32>(rest);
	case 'q':
		return (u64)counting<u64>(rest);
	case 't':
		return (u64)table(rest);
	case 'r':
		return (u64)mmap(nullptr, strtoull(rest, nullptr, 0), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	case 'h':
		return (u64)calloc(strtoull(rest, nullptr, 0), 1);
	case 'f': {
		std::vector<char> zeros(strtoull(rest, nullptr, 0));
		void *memory = allocated(zeros.data(), zeros.size());

		check(hipFree(memory), "hipFree");
		return (u64)memory;
	}
	default:
		fail(text, "no argument");
	}
}

int main(int argc, char **argv)
{
	const void *function = nullptr;
	std::vector<u64> values;
	std::vector<void *> arguments;

	if (argc < 5)
		fail("usage", "planted KERNEL GROUPS GROUP-SIZE LOCAL-BYTES ARGUMENT...");
	for (const auto &kernel : kernels)
		if (!strcmp(kernel.name, argv[1]))
			function = kernel.function;
	if (!function)
		fail(argv[1], "no such kernel");
	for (int i = 5; i < argc; i++)
		values.push_back(value(argv[i]));
	for (u64 &each : values)
		arguments.push_back(&each);
	check(hipLaunchKernel(function, dim3(atoi(argv[2])), dim3(atoi(argv[3])), arguments.data(), atoi(argv[4]), nullptr), argv[1]);
	check(hipDeviceSynchronize(), "hipDeviceSynchronize");
	return 0;
}
