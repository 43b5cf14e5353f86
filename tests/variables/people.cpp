/* SPDX-License-Identifier: MIT */
/*
 * Kernels as people write them: reductions, tiles, classes, structures that are returned, unions, bits, searches, state machines, lambdas.
 * check-programs.py holds what is shown at each mark against a debugger of the host.
 */
#ifdef HOST
#define MARK(...) host_mark()
#else
#define MARK(...) __builtin_debugtrap()
#endif
#include "device.h"

#define K extern "C" KERNEL void
#define ARGUMENTS GLOBAL u32 *log, int n, const GLOBAL u32 *data

/* ---- A reduction over a type and an operation ---- */

template <typename T> struct plus {
	static T apply(T a, T b) { return a + b; }
	static constexpr T neutral = 0;
};
template <typename T> struct largest {
	static T apply(T a, T b) { return a > b ? a : b; }
	static constexpr T neutral = 0;
};

template <typename T, template <typename> class Op, int N> INLINE T reduce(const GLOBAL u32 *from, u32 start)
{
	T sum = Op<T>::neutral;
	for (int i = 0; i < N; i++) {
		T next = (T)from[(start + (u32)i) % 64];
		sum = Op<T>::apply(sum, next);
	}
	MARK(start, sum);
	return sum;
}

K k1(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 total = reduce<u32, plus, 4>(data, lane);
	u32 most = reduce<u32, largest, 8>(data, lane + (u32)n);
	MARK(n, lane, total, most);
	log[lane] = total + most;
}

/* ---- A tile of a matrix ---- */

K k2(ARGUMENTS)
{
	const int lane = (int)__builtin_amdgcn_workitem_id_x();
	const int row = lane / 8, column = lane % 8;
	float a[4], sum = 0;
	for (int k = 0; k < 4; k++)
		a[k] = (float)data[(row * 8 + k) % 64];
	for (int k = 0; k < 4; k++) {
		float b = (float)data[(k * 8 + column) % 64];
		sum += a[k] * b;
		if (k == 2)
			MARK(n, lane, row, column, k, b, sum);
	}
	MARK(n, lane, row, column, sum);
	log[lane] = (u32)sum;
}

/* ---- Classes ---- */

struct shape {
	int width, height;
	int area() const { return width * height; }
};
struct box : shape {
	int depth;
	__attribute__((noinline)) int volume(int scale) const
	{
		int base = area();
		int result = base * depth * scale;
		MARK(scale, base, result);
		return result;
	}
};

K k3(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	box it;
	it.width = n;
	it.height = (int)lane + 1;
	it.depth = (int)data[lane % 64];
	int volume = it.volume(2);
	MARK(n, lane, volume);
	log[lane] = (u32)volume;
}

/* ---- Structures that are returned and passed ---- */

struct vec3 {
	float x, y, z;
};

NOINLINE vec3 cross(vec3 a, vec3 b)
{
	vec3 c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
	MARK(a, b, c);
	return c;
}

K k4(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	vec3 up = {0, 0, 1}, to = {(float)lane, (float)n, (float)data[lane]};
	vec3 side = cross(up, to); /* MARK(n, lane, up, to); */
	float length = side.x * side.x + side.y * side.y;
	MARK(n, lane, side, length);
	log[lane] = (u32)length;
}

/* ---- Unions and bits ---- */

union word {
	u32 whole;
	u16 halves[2];
	u8 bytes[4];
};
struct header {
	u32 kind : 3, length : 13, rest : 16;
};

K k5(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	word w;
	w.whole = data[lane] * 0x01020304u;
	u32 sum = 0;
	for (int i = 0; i < 4; i++)
		sum += w.bytes[i];
	header h;
	h.kind = lane & 7;
	h.length = sum;
	h.rest = (u32)n;
	MARK(n, lane, sum);
	log[lane] = h.kind + h.length * h.rest + w.halves[1];
}

/* ---- A search that ends early ---- */

NOINLINE int find(const GLOBAL u32 *data, u32 wanted, int count)
{
	int low = 0, high = count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (data[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	MARK(wanted, count, low, high);
	return low;
}

K k6(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 wanted = 3 + 5 * (lane / 2) + (lane & 1);
	int found = find(data, wanted, 64);
	int step = 0;
	for (; step < n; step++)
		if (data[(found + step) % 64] % 7 == 0)
			break;
	MARK(n, lane, wanted, found, step);
	log[lane] = (u32)(found + step);
}

/* ---- A machine with states ---- */

enum class state : i8 { idle = -1, reading, done = 7 };

K k7(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	state now = state::idle;
	u32 count = 0, last = 0;
	for (u32 at = lane; at < lane + 6; at++) {
		u32 symbol = data[at % 64];
		switch (symbol % 4) {
		case 0:
			now = state::reading;
			count++;
			break;
		case 1:
			now = state::done;
			last = symbol;
			break;
		default:
			count += 2;
		}
	}
	MARK(n, lane, count, last);
	log[lane] = count * 100 + last + (u32)now;
}

/* ---- Lambdas ---- */

template <typename F> INLINE u32 apply_all(u32 from, u32 to, F f)
{
	u32 sum = 0;
	for (u32 i = from; i < to; i++)
		sum += f(i);
	return sum;
}

K k8(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 scale = (u32)n + lane;
	u32 sum = apply_all(lane, lane + 5, [=](u32 i) {
		u32 value = data[i % 64];
		return value * scale;
	});
	u32 rest = sum % 13;
	MARK(n, lane, scale, sum, rest);
	log[lane] = sum + rest;
}

/* ---- An array of structures ---- */

struct particle {
	float place, speed;
	int hits;
};

K k9(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	particle all[3];
	for (int i = 0; i < 3; i++) {
		all[i].place = (float)data[(lane + (u32)i) % 64];
		all[i].speed = (float)i - 1;
		all[i].hits = 0;
	}
	for (int step = 0; step < n; step++)
		for (int i = 0; i < 3; i++) {
			all[i].place += all[i].speed * 0.5f;
			if (all[i].place > 100)
				all[i].hits++;
		}
	float sum = 0;
	int hits = 0;
	for (const particle &one : all) {
		sum += one.place;
		hits += one.hits;
	}
	MARK(n, lane, all, sum, hits);
	log[lane] = (u32)(sum + (float)hits);
}

/* ---- Recursion ---- */

NOINLINE u32 ackermann(u32 m, u32 n)
{
	if (!m) {
		MARK(m, n);
		return n + 1;
	}
	if (!n)
		return ackermann(m - 1, 1); /* MARK(m, n); */
	u32 inner = ackermann(m, n - 1); /* MARK(m, n); */
	return ackermann(m - 1, inner) + 0; /* MARK(m, n); */
}

K k10(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 result = ackermann(1, 1); /* MARK(n, lane); */
	MARK(n, lane, result);
	log[lane] = result;
}

/* ---- Functions that a pointer chooses ---- */

NOINLINE int twice(int a)
{
	int b = a * 2;
	MARK(a, b);
	return b;
}
NOINLINE int square(int a)
{
	int b = a * a;
	MARK(a, b);
	return b;
}

K k11(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	int (*how)(int) = n > 3 ? twice : square;
	int first = how((int)lane); /* MARK(n, lane); */
	int second = how(first + n); /* MARK(n, lane, first); */
	MARK(n, lane, first, second);
	log[lane] = (u32)(first ^ second);
}

/* ---- Hashes ---- */

INLINE u32 mix(u32 h)
{
	h ^= h >> 16;
	h *= 0x85ebca6bu;
	h ^= h >> 13;
	h *= 0xc2b2ae35u;
	h ^= h >> 16;
	return h;
}

K k12(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 key = data[lane];
	u32 hash = mix(key + (u32)n);
	u32 slot = hash % 61;
	int probes = 0;
	while (data[slot % 64] % 3 && probes < 10) {
		slot = (slot + 1) % 61;
		probes++;
	}
	MARK(n, lane, key, hash, slot, probes);
	log[lane] = slot + (u32)probes;
}

/* ---- Numbers of 64 bits ---- */

K k13(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u64 a = (u64)data[lane] << 20, b = a * 3 + (u64)n;
	i64 difference = (i64)(b - a);
	double ratio = (double)b / 1024.0;
	MARK(n, lane, a, b, difference, ratio);
	log[lane] = (u32)(difference >> 10) + (u32)ratio;
}

/* ---- Two loops, one in the other ---- */

K k14(ARGUMENTS)
{
	const int lane = (int)__builtin_amdgcn_workitem_id_x();
	int best = 0, best_i = -1, best_j = -1;
	for (int i = 0; i < n; i++)
		for (int j = i; j < n; j++) {
			int value = (int)(data[(lane + i) % 64] ^ data[(lane + j) % 64]);
			if (value > best) {
				best = value;
				best_i = i;
				best_j = j;
			}
		}
	MARK(n, lane, best, best_i, best_j);
	log[lane] = (u32)(best + best_i * best_j);
}

/* ---- A list in an array ---- */

struct node {
	int next;
	u32 value;
};

K k15(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	node nodes[5];
	for (int i = 0; i < 5; i++) {
		nodes[i].next = (i * 2 + 1) % 5;
		nodes[i].value = data[(lane + (u32)i * 3) % 64];
	}
	int at = 0, steps = 0;
	u32 sum = 0;
	do {
		sum += nodes[at].value;
		at = nodes[at].next;
		steps++;
	} while (at && steps < n);
	MARK(n, lane, at, steps, sum);
	log[lane] = sum + (u32)at;
}

/* ---- A chain of calls with arguments that are kept ---- */

NOINLINE float inner(float x, int depth)
{
	float y = x * 0.5f;
	int left = depth - 1;
	MARK(x, depth, y, left);
	return y + (float)left;
}
NOINLINE float middle(float x, int depth, int times)
{
	float sum = 0;
	for (int i = 0; i < times; i++)
		sum += inner(x + (float)i, depth); /* MARK(x, depth, times, i, sum); */
	return sum * (float)depth;
}

K k16(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	float start = (float)data[lane];
	float result = middle(start, n, 2); /* MARK(n, lane, start); */
	MARK(n, lane, start, result);
	log[lane] = (u32)(result + start);
}

/* ---- Early returns ---- */

NOINLINE int classify(int value, int limit)
{
	if (value < 0)
		return -1;
	int rest = value % limit;
	if (!rest) {
		MARK(value, limit, rest);
		return 0;
	}
	int part = value / limit;
	MARK(value, limit, rest, part);
	return part > rest ? part : rest;
}

K k17(ARGUMENTS)
{
	const int lane = (int)__builtin_amdgcn_workitem_id_x();
	int kind = classify((int)data[lane] - 20, n); /* MARK(n, lane); */
	MARK(n, lane, kind);
	log[lane] = (u32)kind;
}

/* ---- Small numbers ---- */

K k18(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u8 byte = (u8)data[lane];
	i16 small = (i16)((int)byte * -3);
	bool odd = byte & 1;
	u16 mixed = (u16)(small ^ (i16)(odd ? n : -n));
	MARK(n, lane, byte, small, odd, mixed);
	log[lane] = (u32)byte + mixed + (u32)small;
}

/* ---- Parallel in one thread: a prefix sum by hand ---- */

K k19(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 values[8];
#pragma unroll
	for (int i = 0; i < 8; i++)
		values[i] = data[(lane + (u32)i) % 64];
#pragma unroll
	for (int offset = 1; offset < 8; offset *= 2)
#pragma unroll
		for (int i = 7; i >= offset; i--)
			values[i] += values[i - offset];
	u32 total = values[7];
	MARK(n, lane, values, total);
	log[lane] = total + values[3];
}

/* ---- An index as everybody computes it ---- */

struct pitched {
	const GLOBAL u32 *base;
	int pitch, rows;
	__attribute__((always_inline)) u32 at(int row, int column) const
	{
		int index = row * pitch + column;
		return base[index % 64];
	}
};

K k20(ARGUMENTS)
{
	const int lane = (int)__builtin_amdgcn_workitem_id_x();
	pitched image = {data, 8, 8};
	int row = lane >> 3, column = lane & 7;
	u32 left = column > 0 ? image.at(row, column - 1) : 0;
	u32 right = column < 7 ? image.at(row, column + 1) : 0;
	u32 middle = image.at(row, column);
	int gradient = (int)right - (int)left;
	if (gradient != n)
		MARK(n, lane, row, column, left, right, middle, gradient);
	log[lane] = middle + (u32)gradient;
}

/* ---- A template that calls itself ---- */

template <int N> NOINLINE u32 unrolled(u32 value)
{
	u32 next = value * 3 + N;
	if constexpr (N == 0) {
		MARK(value, next);
		return next;
	} else {
		u32 below = unrolled<N - 1>(next); /* MARK(value, next); */
		return below ^ value;
	}
}

K k21(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	u32 value = unrolled<3>(data[lane]); /* MARK(n, lane); */
	MARK(n, lane, value);
	log[lane] = value;
}

/* ---- Virtual functions do without: a visitor ---- */

template <typename D> struct visitor {
	u32 seen = 0;
	__attribute__((always_inline)) void visit(u32 value)
	{
		seen++;
		static_cast<D *>(this)->take(value);
	}
};
struct adder : visitor<adder> {
	u32 sum = 0;
	__attribute__((always_inline)) void take(u32 value) { sum += value; }
};

K k22(ARGUMENTS)
{
	const u32 lane = (u32)__builtin_amdgcn_workitem_id_x();
	adder all;
	for (u32 i = 0; i < (u32)n; i++)
		all.visit(data[(lane * i) % 64]);
	u32 mean = all.sum / (all.seen ? all.seen : 1);
	MARK(n, lane, mean);
	log[lane] = mean;
}
