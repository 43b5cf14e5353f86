/* SPDX-License-Identifier: MIT */
/* Functions that only one other calls: the compiler knows which registers each uses, and keeps values in the others. */
#include "device.h"

NOINLINE u32 add(u32 *at, u32 more)
{
	u32 sum = *at + more;

	MARK(sum, more);
	return sum;
}
NOINLINE u32 triple(u32 x)
{
	u32 own = x * 3, sum = add(&own, x + 1);

	MARK(x, own, sum);
	return sum + own;
}
NOINLINE u32 third(u32 x)
{
	u32 more = x + 100, result = triple(more);

	MARK(x, more, result);
	return result * more;
}
NOINLINE u32 fourth(u32 x)
{
	u32 more = x + 200, result = third(more);

	return result * more;
}

KERNEL void calls(GLOBAL u32 *log, u32 n)
{
	u32 lane = __builtin_amdgcn_workitem_id_x(), result;

	START(log);
	result = fourth(lane) + n;
	MARK(lane, n, result);
	log[(lane * RECORDS + RECORDS - 1) * WORDS] = result;
}
