/* SPDX-License-Identifier: MIT */
/* What C does not have: templates, references, classes with bases, namespaces. */
#include "device.h"

namespace shapes
{
enum class kind : u8 { circle, square = 7 };

struct base {
	int id;
	kind what;
};

template <typename T, int N> struct box : base {
	T items[N];
	T total;

	__attribute__((noinline)) T sum(T more) const
	{
		T result = more;

		for (int i = 0; i < N; i++)
			result += items[i];
		MARK(result, more);
		return result;
	}
};

template <typename T> NOINLINE T largest(const T &a, const T &b)
{
	T result = a < b ? b : a;

	MARK(result);
	return result;
}
} // namespace shapes

NOINLINE void count(int &up, int by)
{
	int before = up;

	up += by;
	MARK(before, by);
}

extern "C" KERNEL void objects(GLOBAL u32 *log, int n, float scale)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	int counter = lane;
	const int limit = 5;

	START(log);
	shapes::box<float, 3> box = {{lane, shapes::kind::square}, {scale, (float)lane, 2.5f}, 0};
	box.total = box.sum(scale);
	float most = shapes::largest(box.total, (float)n);
	u64 wide = shapes::largest((u64)lane << 33, (u64)n);
	count(counter, n);
	MARK(lane, n, scale, counter, most, wide, box, limit);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] =
		(u32)(box.total + most) + (u32)counter + (u32)wide;
}
