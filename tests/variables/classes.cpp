/* SPDX-License-Identifier: MIT */
/* Enumerations with a sign, and members of the same name: bases, unnamed unions and structures. */
#include "device.h"

namespace front
{
struct base {
	int x;
};
} // namespace front
namespace back
{
struct base {
	int x;
};
} // namespace back

struct two : front::base, back::base {
	union {
		u32 word;
		float real;
	};
	union {
		i64 big;
		double wide;
	};
	struct {
		u16 low, high;
	};
	int tail;
};

struct root {
	int id;
};
struct left : virtual root {
	int at_left;
};
struct right : virtual root {
	int at_right;
};
struct both : left, right {
	int own;
};

enum class small : i8 { negative = -5, zero, large = 100 };
enum class wide : u64 { most = 0xffffffffffffffff };
enum level { BELOW = -4, ABOVE = 9 };
enum flags { ONE = 1, TWO = 2, FOUR = 4 };
struct fields {
	small first : 5;
	level second : 6;
	int third : 4;
	u32 fourth : 4;
};

NOINLINE void change(both *object)
{
	object->own++;
}

extern "C" KERNEL void classes(GLOBAL u32 *log, int n)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	small first = small::negative;
	level second = (level)-2;
	flags third = (flags)(ONE | FOUR);
	wide fourth = wide::most, fifth = (wide)0xfffffffffffffffe;
	fields packed = {first, BELOW, -8, 15};
	two twice;
	both object;

	/* Debug information has both with the function. */
	if (n) {
		enum { INNER = 4, ALONE = 6 };
		lane += INNER - 4 + ALONE - 6;
	}
	if (n) {
		enum { INNER = 5 };
		lane += INNER - 5;
	}
	START(log);
	twice.front::base::x = 11;
	twice.back::base::x = 22;
	twice.word = (u32)lane;
	twice.wide = 2.5;
	twice.low = 1;
	twice.high = 2;
	twice.tail = n;
	object.id = 42;
	object.at_left = 1;
	object.at_right = 2;
	object.own = 3;
	change(&object);
	MARK(lane);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] =
		(u32)first + (u32)second + (u32)third + (u32)packed.first + (u32)packed.second +
		(u32)twice.back::base::x + (u32)fourth + (u32)fifth + (u32)object.id;
}
