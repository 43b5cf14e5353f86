/* SPDX-License-Identifier: MIT */
/* What programs of C++ nest: types in functions and blocks, functions inlined five deep, calls of oneself, structures in local memory. */
#include "device.h"

struct flags {
	u32 low : 5;
	int mid : 11;
	u64 wide : 40;
	u8 last : 3;
};

struct item {
	int key;
	float weight;
	flags bits;
	union {
		u32 word;
		float real;
	};
};

static LOCAL __attribute__((loader_uninitialized)) item shared[64];

template <typename T, int N> struct ring {
	typedef T value_type;
	T data[N];
	int head;
	__attribute__((noinline)) T push(T more)
	{
		value_type old = data[head];
		data[head] = more;
		head = (head + 1) % N;
		MARK(old, more);
		return old;
	}
};

INLINE int level5(int e, int seed)
{
	struct inner_pair {
		int left;
		short right;
	} pair = {e + seed, (short)(e * 2)};
	enum mode { OFF, ON = 4 } mode = e & 1 ? ON : OFF;
	MARK(e, seed);
	return pair.left + pair.right + mode;
}
INLINE int level4(int d)
{
	int s4 = d * 3;
	return level5(s4, d) + s4;
}
INLINE int level3(int c)
{
	int s3 = c + 7;
	return level4(s3) - c;
}
INLINE int level2(int b)
{
	int s2 = b ^ 5;
	return level3(s2) + b;
}
template <int K> INLINE int level1(int a)
{
	int s1 = a * K;
	return level2(s1) + K;
}

NOINLINE int deep(int n, int acc)
{
	int here = n * 10 + acc;
	if (n <= 0) {
		MARK(here, acc);
		return acc;
	}
	return deep(n - 1, acc + here) + 1;
}

extern "C" KERNEL void nested(GLOBAL u32 *log, int n, float scale)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	START(log);
	item *mine = (item *)&shared[lane];
	shared[lane].key = lane * 3;
	shared[lane].weight = scale * (float)lane;
	shared[lane].bits.low = (u32)lane;
	shared[lane].bits.mid = -lane;
	shared[lane].bits.wide = (u64)lane << 33;
	shared[lane].bits.last = (u8)lane;
	shared[lane].word = 0x3f800000;
	int total = 0;
	if (lane % 3 == 1) {
		struct only_here {
			float a;
			u8 b[3];
		} local = {scale, {1, 2, (u8)lane}};
		MARK(lane, local);
		total += (int)local.a + local.b[2];
	}
	ring<short, 4> r = {{1, 2, 3, 4}, 1};
	total += r.push((short)lane);
	total += level1<3>(lane + n);
	total += deep(4, lane);
	MARK(lane, n, total, r);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] = (u32)total + (u32)mine->key;
}
