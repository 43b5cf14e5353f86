/* SPDX-License-Identifier: MIT */
/* Numbers that C does not have, and how numbers are written: wide and small ones, flags, bytes, references. */
#include "device.h"

typedef __bf16 bf16x2 __attribute__((ext_vector_type(2)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));

/* The names are HIP's: it has no other type for these numbers. */
struct __half {
	union {
		_Float16 data;
		u16 __x;
	};
};
struct __hip_bfloat162 {
	u16 x, y;
};
struct __hip_fp8_e4m3 {
	u8 __x;
};
struct __hip_fp8x4_e4m3_fnuz {
	u32 __x;
};
struct __hip_fp8x2_e5m2 {
	u16 __x;
};

enum access { NONE = 0, READ = 1, WRITE = 2, APPEND = 4, ALL = 7 };
enum count { ZERO, ONE, TWO, THREE, FOUR };

struct taken {
	int unknown;
	int more;
};
struct refers {
	int &to;
	refers &self;
};

static LOCAL __attribute__((loader_uninitialized)) int shared[4];

extern "C" KERNEL void numbers(GLOBAL u32 *log, int n)
{
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	__int128 wide = -((__int128)lane << 100), one = 1;
	unsigned __int128 most = ~(unsigned __int128)0;
	__bf16 brain = (__bf16)1.5f;
	bf16x2 brains = {(__bf16)-2.0f, (__bf16)0.1f};
	half4 halves = {(_Float16)0.1f, (_Float16)65504, (_Float16)-0.0f, (_Float16)10};
	__half half = {{(_Float16)2.5f}};
	__hip_bfloat162 pair = {0x3f80, 0xc000};
	__hip_fp8_e4m3 small = {0x7e};
	__hip_fp8x4_e4m3_fnuz smalls = {0x80407f01};
	__hip_fp8x2_e5m2 wider = {0x7c3c};
	float ten = 10, hundred = 100, million = 1e6f, large = 123456792, huge = 1e20f,
	      tenth = 0.1f;
	double exact = 9007199254740993.0, tiny = 1e-7;
	access rights = (access)(READ | APPEND), odd = (access)9, all = ALL, none = NONE;
	count beyond = (count)5;
	u8 bytes[3] = {104, 105, 33}, others[3] = {0, 200, 33};
	i8 letters[2] = {65, 66};
	char text[3] = "hi";
	u8 letter = 65;
	taken odd_names = {1, 2};
	int value = lane * 10;
	int &reference = value;
	refers chain = {value, *(refers *)&lane};
	int taken::*member = &taken::more;
	decltype(nullptr) nothing = nullptr;
	LOCAL int *spot = &shared[2];

	START(log);
	shared[lane & 3] = n;
	MARK(lane);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] =
		(u32)wide + (u32)one + (u32)most + (u32)(float)brain + (u32)halves.x +
		(u32)half.__x + (u32)brains.x + pair.x + small.__x + smalls.__x + wider.__x +
		(u32)(ten + hundred) + (u32)(million + large + huge + tenth) + (u32)(exact + tiny) +
		(u32)rights + (u32)odd + (u32)all + (u32)none + (u32)beyond + bytes[0] +
		others[1] + (u32)letters[0] + (u32)text[0] + letter + (u32)(odd_names.*member) +
		(u32)reference + (u32)chain.to + (u32)(nothing == nullptr) + (u32)*spot;
}
