/* SPDX-License-Identifier: MIT */
#include "device.h"

typedef float float4 __attribute__((ext_vector_type(4)));
typedef int length_t;
enum color { RED, GREEN = 5, BLUE = -3 };
struct inner {
	short low;
	char text[6];
};
struct pair {
	int first;
	float second;
	struct inner inner;
	u64 wide;
};
struct bits {
	u32 a : 3, b : 9;
	int c : 5;
	u32 d : 15;
};
union either {
	int number;
	float real;
	u8 bytes[4];
};
struct list {
	struct list *next;
	int value;
};

/* Every kind of number. */
NOINLINE int numbers(int seed, float scale)
{
	i8 tiny = (i8)(seed * 3 - 7);
	u8 byte = (u8)(seed * 5);
	i16 little = (i16)(seed * 301 - 5000);
	u16 word = (u16)(seed * 777);
	u32 number = (u32)seed * 2654435761u;
	i64 wide = (i64)seed * 1234567890123 - 5;
	u64 large = (u64)number << 31 | byte;
	float real = (float)seed * scale - 0.5f;
	double precise = (double)real / 3;

	MARK(seed, scale, tiny, byte, little, word, number, wide, large);
	MARK(real, precise, large, wide);
	_Float16 half = (_Float16)real;
	_Bool odd = seed & 1, big = number > 100000u;
	enum color color = odd ? GREEN : BLUE;
	length_t length = seed + 40;
	MARK(half, odd, big, color, length);
	return tiny + byte + little + word + (int)real + (int)precise + (odd ? 3 : 5) + (int)large;
}

/* Structures, unions, arrays, vectors, in private memory or wherever the compiler has them. */
NOINLINE int objects(struct pair *pair, int lane)
{
	struct bits bits = {(u32)lane & 7, (u32)lane * 7 & 511, lane % 13 - 6,
			    (u32)lane * 99 & 32767};
	union either either = {.real = (float)lane + 0.25f};
	float4 vector = {(float)lane, 1.5f, -(float)lane, 0};
	int array[5] = {lane, lane + 1, 2, 3, lane * lane};
	int table[2][3] = {{lane, 1, 2}, {3, lane, 5}};
	struct pair copy = *pair;

	copy.first += lane;
	copy.inner.text[0] = (char)('a' + lane % 26);
	MARK(lane, bits, either, vector, array, table, copy);
	array[lane % 5] += 7;
	vector.y += (float)array[1];
	bits.c = 3;
	MARK(array, vector, bits, table, pair);
	return array[2] + table[1][1] + (int)vector.y + (int)bits.d + either.number + copy.first;
}

/* Pointers to pointers, and a list in private memory. */
NOINLINE int pointers(GLOBAL u32 *where, int lane)
{
	int value = lane * 11;
	int *pointer = &value;
	int **twice = &pointer;
	struct list last = {0, lane}, first = {&last, 2 * lane};
	struct list *walk = &first;
	int sum = 0;

	MARK(where, lane, value, pointer, twice, first, last, walk);
	for (; walk; walk = walk->next) {
		sum += walk->value;
		MARK(sum, lane);
	}
	**twice += sum;
	MARK(value, sum, pointer);
	return value + *pointer;
}

KERNEL void values(GLOBAL u32 *log, int n, float scale, struct pair pair, u64 big)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	u64 together = big + (u64)lane;
	int sum;

	START(log);
	MARK(lane, n, scale, pair, big, together, log);
	sum = numbers(lane + n, scale);
	MARK(lane, sum, n);
	sum += objects(&pair, lane);
	MARK(lane, sum, together);
	sum += pointers(log, lane);
	MARK(sum);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] = (u32)sum;
}
