/* SPDX-License-Identifier: MIT */
/* Location expressions, over a machine whose registers and memory have values that say where they come from. */
#include <stdint.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/code/checksum.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/doubt-memory.h"
#include "replayer/dwarf/unwind.h"
#include "replayer/dwarf/value.h"

/* Four bytes of a register: its number and the lane; s33 is where the frame is. */
static bool read_register(void *opaque, uint64_t number, uint32_t lane, uint32_t *value_ret)
{
	bool accumulation;
	uint32_t index;

	(void)opaque;
	if (wt_dwarf_is_scalar(number, &index))
		*value_ret = index == 33 ? 0x40 << 6 : 0x5000 + index;
	else if (wt_dwarf_is_vector(number, &accumulation, &index))
		*value_ret = 0x80000000 | (accumulation ? 0xa0000u : 0) | index << 8 | lane;
	else
		return false;
	return number != WT_DWARF_SGPR + 9;
}

/* A byte of memory: space and lane in the upper half, the address in the lower one. */
static size_t read_memory(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
			  void *data, size_t size)
{
	(void)opaque;
	if (address >= 0x8000)
		return 0;
	for (size_t i = 0; i < size; i++)
		((uint8_t *)data)[i] =
			(uint8_t)(space * 16 + (space == GFX_SPACE_PRIVATE_LANE ? lane * 4 : 0) +
				  address + i);
	return size;
}

/* The code of the function, at 0x100, of which the pc is at the end. */
static const struct wt_dwarf_instruction *code;
static size_t code_count;

static size_t decode(void *opaque, const struct wt_dwarf_object *object, uint64_t from, uint64_t to,
		     const struct wt_dwarf_instruction **instructions_ret)
{
	size_t count = 0;

	(void)opaque;
	(void)object;
	(void)from;
	while (count < code_count && code[count].address < to)
		count++;
	*instructions_ret = code;
	return count;
}

static struct wt_dwarf_effort effort;

static struct wt_dwarf_machine machine = {
	.effort = &effort,
	.lanes = 64,
	.scratch_shift = 6,
	.has_scratch_shift = true,
	.read_register = read_register,
	.read_memory = read_memory,
	.decode = decode,
};

#define V(n) 0x80 | ((2560 + (n)) & 0x7f), (2560 + (n)) >> 7
#define S(n) 32 + (n)
#define REGX 0x90
#define BREGX 0x92
#define PIECE 0x93
#define STACK_VALUE 0x9f
#define USER 0xe9
#define END USER, 10
#define MASKED                                                                                     \
	BYTES(REGX, V(7), REGX, V(8), REGX, S(4), PIECE, 4, REGX, S(5), PIECE, 4, END, USER, 12,   \
	      32, 64)
#define BYTES(...) {__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})

static const struct {
	const char *name;
	uint8_t bytes[32];
	size_t size;
	bool amd, boolean;
	uint32_t lane, bits;
	uint64_t value;	 /* of the object */
	const char *why; /* or how the reason starts */
} cases[] = {
	{"register of the lane", BYTES(REGX, V(7)), .lane = 5, .bits = 32, .value = 0x80000705},
	{"wave32's number", BYTES(REGX, 0x87, 0x0c), .lane = 5, .bits = 32, .value = 0x80000705},
	{"accumulation register", BYTES(REGX, 0x82, 0x18), .lane = 1, .bits = 32,
	 .value = 0x800a0201},
	{"scalar register", BYTES(REGX, S(4)), .lane = 5, .bits = 32, .value = 0x5004},
	{"two halves", BYTES(REGX, V(7), PIECE, 4, REGX, V(8), PIECE, 4), .lane = 1, .bits = 64,
	 .value = 0x8000080180000701},
	{"half of it is nowhere", BYTES(PIECE, 4, REGX, V(8), PIECE, 4), .bits = 64,
	 .why = "optimized out"},
	{"a mask as a truth value", BYTES(REGX, S(4)), .boolean = true, .bits = 8,
	 .why = "unknown"},
	{"more than the object", BYTES(REGX, S(4), PIECE, 4, REGX, S(5), PIECE, 4), .bits = 8,
	 .why = "unknown"},
	{"not recorded", BYTES(REGX, S(9)), .bits = 32, .why = "not recorded"},
	{"value plus constant", BYTES(BREGX, S(4), 7, STACK_VALUE), .bits = 32, .value = 0x500b},
	{"half of the value is not certain", BYTES(BREGX, S(4), 7, STACK_VALUE), .bits = 64,
	 .why = "unknown"},
	{"a shift of what may have a sign", BYTES(BREGX, V(7), 0, 0x31, 0x25, STACK_VALUE),
	 .bits = 32, .why = "unknown"},
	{"a shift of what has none", BYTES(BREGX, S(4), 0, 0x31, 0x25, STACK_VALUE), .bits = 32,
	 .value = 0x2802},
	{"a shift of a small number", BYTES(BREGX, S(4), 0, 0x31, 0x25, STACK_VALUE), .bits = 8,
	 .why = "unknown"},
	{"division by zero", BYTES(0x34, 0x30, 0x1b, STACK_VALUE), .bits = 32, .why = "unknown"},
	{"in the frame", BYTES(BREGX, S(33), 4), .lane = 2, .bits = 8, .value = 0x30 + 8 + 0x44},
	{"in the frame, as upstream says it", BYTES(BREGX, S(33), 4, 0x31, 0x16, 0x18), .lane = 2,
	 .bits = 8, .value = 0x30 + 8 + 0x44},
	{"the address of a frame as a value", BYTES(BREGX, S(33), 4, STACK_VALUE), .bits = 32,
	 .why = "unknown"},
	{"a register that looks like an address", BYTES(BREGX, V(3), 0, 0x31, 0x16, 0x18),
	 .bits = 32, .why = "unknown"},
	{"memory at a register", BYTES(BREGX, S(4), 0), .bits = 32, .why = "unknown"},
	{"global address", BYTES(3, 0x10, 0x20, 0, 0, 0, 0, 0, 0), .bits = 8, .value = 0x11},
	{"upstream's local address", BYTES(3, 0x10, 0x20, 0, 0, 0, 0, 0, 0, 0x32, 0x16, 0x18),
	 .bits = 8, .why = "unknown"},
	{"local", BYTES(0x34, 0x33, USER, 2), .amd = true, .bits = 8, .value = 0x44},
	{"private of the lane", BYTES(0x34, 0x35, USER, 2), .amd = true, .lane = 1, .bits = 8,
	 .value = 0x34 + 4},
	{"private of lane 2", BYTES(0x34, 8, 0x22, USER, 2), .amd = true, .lane = 1, .bits = 8,
	 .value = 0x34 + 8},
	{"region", BYTES(0x34, 0x32, USER, 2), .amd = true, .bits = 8, .why = "unknown"},
	{"lane of a register", BYTES(REGX, V(7), USER, 3, 0x34, 0x1e, USER, 4), .amd = true,
	 .lane = 3, .bits = 32, .value = 0x80000703},
	{"a lane's register, by a constant", BYTES(REGX, V(7), USER, 5, 8), .amd = true, .lane = 3,
	 .bits = 32, .value = 0x80000702},
	{"bits of a register", BYTES(REGX, V(7), 0x38, USER, 6), .amd = true, .lane = 3, .bits = 8,
	 .value = 7},
	{"behind the last lane", BYTES(REGX, V(7), USER, 5, 0x80, 2), .amd = true, .bits = 32,
	 .why = "unknown"},
	{"undefined", BYTES(USER, 8), .amd = true, .bits = 32, .why = "optimized out"},
	{"a register's address space", BYTES(0x33, USER, 9, S(4), 8), .amd = true, .bits = 8,
	 .value = 0x40 + 0x0c},
	{"no such operation", BYTES(USER, 99), .amd = true, .bits = 32, .why = "unknown"},
	{"an operand that is cut off", BYTES(REGX, 0x80), .bits = 32, .why = "unknown"},
	{"nothing on the stack", BYTES(0x22), .bits = 32, .why = "unknown"},
	{"a loop without an end", BYTES(0x2f, 0xfd, 0xff), .bits = 32, .why = "unknown"},
	{"a loop with an end",
	 BYTES(0x33, 0x31, 0x1c, 0x12, 0x28, 0xfa, 0xff, 0x35, 0x22, STACK_VALUE), .bits = 32,
	 .value = 5},
	{"a jump to before the first byte", BYTES(0x2f, 0xfc, 0xff), .bits = 32, .why = "unknown"},
	{"a jump far before it", BYTES(0x2f, 0x00, 0x80), .bits = 32, .why = "unknown"},
	{"a jump past the last byte", BYTES(0x2f, 1, 0), .bits = 32, .why = "unknown"},
	{"nothing", {0}, 0, .bits = 32, .why = "optimized out"},
	{"implicit value", BYTES(0x9e, 2, 0x34, 0x12), .bits = 16, .value = 0x1234},
	{"a value at a call that is no register's", BYTES(0xa3, 2, 0x34, 0x35, STACK_VALUE),
	 .bits = 32, .why = "unknown"},
	{"a register at a call", BYTES(0xa3, 2, REGX, S(5), STACK_VALUE), .bits = 32,
	 .why = "unknown"},
	{"a register at a call that is kept since", BYTES(0xa3, 2, REGX, S(60), STACK_VALUE),
	 .bits = 32, .value = 0x5000 + 60},
	{"the frame's address without a description", BYTES(0x9c), .bits = 32, .why = "unknown"},
	{"lanes by a mask", BYTES(REGX, V(7), REGX, V(8), 0x34, USER, 12, 32, 64), .amd = true,
	 .lane = 2, .bits = 32, .value = 0x80000802},
	{"the other lanes", BYTES(REGX, V(7), REGX, V(8), 0x34, USER, 12, 32, 64), .amd = true,
	 .lane = 3, .bits = 32, .value = 0x80000703},
	{"a mask for fewer lanes", BYTES(REGX, V(7), REGX, V(8), 0x34, USER, 12, 32, 2),
	 .amd = true, .lane = 3, .bits = 32, .why = "unknown"},
	{"parts as one place", BYTES(REGX, V(7), PIECE, 4, REGX, V(8), PIECE, 4, END), .amd = true,
	 .lane = 1, .bits = 64, .value = 0x8000080180000701},
	{"its second part", BYTES(REGX, V(7), PIECE, 4, REGX, V(8), PIECE, 4, END, USER, 5, 4),
	 .amd = true, .lane = 1, .bits = 32, .value = 0x80000801},
	{"halves of both", BYTES(REGX, V(7), PIECE, 4, REGX, V(8), PIECE, 4, END, 0x40, USER, 6),
	 .amd = true, .lane = 1, .bits = 32, .value = 0x08018000},
	{"it as a part",
	 BYTES(REGX, V(7), PIECE, 4, REGX, V(8), PIECE, 4, END, PIECE, 6, REGX, S(4), PIECE, 2),
	 .amd = true, .lane = 1, .bits = 64, .value = 0x5004080180000701},
	{"a part that is longer than it", BYTES(REGX, S(4), PIECE, 2, END, PIECE, 4), .amd = true,
	 .bits = 32, .why = "unknown location: the compiler describes only a part"},
	{"a part that is nowhere, not what is below",
	 BYTES(REGX, V(7), REGX, S(4), PIECE, 2, PIECE, 2, END), .amd = true, .bits = 32,
	 .why = "optimized out"},
	{"what is in it",
	 BYTES(REGX, S(4), PIECE, 2, REGX, S(5), PIECE, 2, END, 0x94, 4, STACK_VALUE), .amd = true,
	 .bits = 32, .value = 0x50055004},
	{"it for all lanes",
	 BYTES(REGX, S(4), PIECE, 4, REGX, S(5), PIECE, 4, END, USER, 11, 64, 64), .amd = true,
	 .lane = 3, .bits = 64, .value = 0x500500005004},
	{"lanes by a mask in two registers", MASKED, .amd = true, .lane = 2, .bits = 32,
	 .value = 0x80000802},
	{"the other lanes of it", MASKED, .amd = true, .lane = 3, .bits = 32, .value = 0x80000703},
	{"of its second register", MASKED, .amd = true, .lane = 32, .bits = 32,
	 .value = 0x80000820},
	{"the other lanes of that", MASKED, .amd = true, .lane = 33, .bits = 32,
	 .value = 0x80000721},
	{"parts by lane",
	 BYTES(REGX, S(4), PIECE, 4, REGX, S(5), PIECE, 4, END, REGX, S(6), PIECE, 4, REGX, S(7),
	       PIECE, 4, END, 0x32, USER, 12, 32, 2),
	 .amd = true, .lane = 1, .bits = 32, .value = 0x5007},
	{"no parts", BYTES(REGX, S(4), END), .amd = true, .bits = 32, .why = "unknown"},
	{"something above the parts", BYTES(REGX, S(4), PIECE, 4, REGX, S(5), END), .amd = true,
	 .bits = 32, .why = "unknown"},
	{"parts of which one is not known",
	 BYTES(0x34, 0x06, PIECE, 4, REGX, S(5), PIECE, 4, END, USER, 5, 4), .amd = true,
	 .bits = 32, .value = 0x5005},
	{"parts without end", BYTES(PIECE, 1, END, 0x2f, 0xf9, 0xff), .amd = true, .bits = 32,
	 .why = "unknown"},
	{"a scalar for all lanes", BYTES(REGX, S(5), USER, 11, 32, 64), .amd = true, .lane = 3,
	 .bits = 32, .value = 0x5005},
};

#define MAX_CODE 16

/* The instructions of gfx90a that some words are, from 0x100 on. */
static size_t words_decode(const uint32_t (*words)[2], size_t count,
			   struct wt_dwarf_instruction decoded[MAX_CODE])
{
	uint64_t address = 0x100;

	for (size_t i = 0; i < count; i++) {
		assert_true(wt_dwarf_decode(gfx_architecture_by_name("gfx90a"), 64, address,
					    words[i], 2, &decoded[i]));
		address += decoded[i].size;
	}
	return count;
}

#define DECODE(words, decoded) words_decode(words, sizeof(words) / sizeof((words)[0]), decoded)

/* The call is at 0x120. */
static const uint32_t with_frame[][2] = {
	{0xbe840021},		  /* s_mov_b32 s4, s33 */
	{0xbea10020},		  /* s_mov_b32 s33, s32 */
	{0xd28a0028, 0x00010404}, /* v_writelane_b32 v40, s4, 2 */
	{0xd28a0028, 0x0001001e}, /* v_writelane_b32 v40, s30, 0 */
	{0xd28a0028, 0x0001021f}, /* v_writelane_b32 v40, s31, 1 */
	{0xbe9e1e06},		  /* s_swappc_b64 s[30:31], s[6:7] */
	{0xd2890021, 0x00010528}, /* v_readlane_b32 s33, v40, 2 */
	{0xbe801d1e},		  /* s_setpc_b64 s[30:31] */
};

static struct wt_dwarf_frame frame_at(uint64_t pc)
{
	static struct wt_dwarf_instruction decoded[MAX_CODE];

	code_count = DECODE(with_frame, decoded);
	code = decoded;
	return (struct wt_dwarf_frame){.machine = &machine,
				       .pc = pc,
				       .lookup = pc,
				       .low = 0x100,
				       .high = 0x130,
				       .load_address = 1};
}

static void test_expressions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct wt_dwarf_unit unit = {
			.version = 5, .address_size = 8, .offset_size = 4, .amd = cases[i].amd};
		struct wt_dwarf_frame frame = frame_at(0x124);
		const struct wt_dwarf_context context = {.frame = &frame,
							 .unit = &unit,
							 .lane = cases[i].lane,
							 .object_bits = cases[i].bits,
							 .is_boolean = cases[i].boolean};
		struct wt_dwarf_location location = {0};
		uint64_t value = 0;
		uint8_t bytes[8] = {0};
		const char *why;

		assert_true(wt_dwarf_frame_keep(&frame));
		wt_dwarf_evaluate(&context, wt_cursor_init(cases[i].bytes, cases[i].size),
				  &location);
		why = wt_dwarf_read(&frame, cases[i].lane, &location, 0, cases[i].bits, bytes);
		for (size_t j = 0; j < 8; j++)
			value |= (uint64_t)bytes[j] << 8 * j;
		if (cases[i].why ? !why || strncmp(why, cases[i].why, strlen(cases[i].why))
				 : why || value != cases[i].value)
			fail_msg("%s: %s, 0x%llx", cases[i].name, why ? why : "known",
				 (unsigned long long)value);
		wt_dwarf_frame_deinit(&frame);
	}
}

/* Where the frame register points to another function's frame, there is no answer. */
static void test_prologue(void **state)
{
	static const struct {
		uint64_t pc;
		bool holds;
	} places[] = {{0x100, false}, {0x104, false}, {0x108, true}, {0x124, true}, {0x12c, false}};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct wt_dwarf_frame frame = frame_at(places[i].pc);

		assert_int_equal(!wt_dwarf_base_holds(&frame, 33), places[i].holds);
	}
}

/* The caller's registers, wherever the function has put them. */
static void test_return(void **state)
{
	static const struct {
		uint64_t pc, address;
	} places[] = {
		{0x100, 0x501f0000501e},     /* still in s30 and s31 */
		{0x124, 0x8000280180002800}, /* in lanes of v40 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct wt_dwarf_frame frame = frame_at(places[i].pc);
		uint64_t address = 0;
		uint32_t value = 0;

		assert_true(wt_dwarf_frame_keep(&frame));
		assert_null(wt_dwarf_frame_return(&frame, &address));
		assert_int_equal(address, places[i].address);
		assert_null(wt_dwarf_frame_entry(&frame, WT_DWARF_SGPR + 33, 0, &value));
		assert_int_equal(value, i ? 0x80002802 : 0x40 << 6);
		/* What a call may have changed is not known. */
		if (i)
			assert_non_null(wt_dwarf_frame_entry(&frame, WT_DWARF_VGPR_64, 0, &value));
		wt_dwarf_frame_deinit(&frame);
	}
}

static void test_writes(void **state)
{
	static const struct {
		const char *architecture;
		uint32_t words[3];
		struct wt_dwarf_name name;
		bool writes;
	} instructions[] = {
		{"gfx90a", {0x7e020302}, {'v', 1}, true},   /* v_mov_b32_e32 v1, v2 */
		{"gfx90a", {0x7e020302}, {'v', 2}, false},  /* v_mov_b32_e32 v1, v2 */
		{"gfx90a", {0x7e040221}, {'s', 33}, false}, /* v_mov_b32_e32 v2, s33 */
		{"gfx90a",
		 {0xd1e00401, 0x040a0702},
		 {'s', 4},
		 true}, /* v_div_scale_f32 v1, s[4:5], v2, v3, v2 */
		{"gfx90a",
		 {0xc00a0104, 0x00000000},
		 {'s', 6},
		 true}, /* s_load_dwordx4 s[4:7], s[8:9], 0x0 */
		{"gfx90a",
		 {0xd1190401, 0x00020702},
		 {'s', 5},
		 true}, /* v_add_co_u32_e64 v1, s[4:5], v2, v3 */
		{"gfx1100",
		 {0xca100102, 0x29280101},
		 {'v', 40},
		 true}, /* v_dual_mov_b32 v41, v2 :: v_dual_mov_b32 v40, v1 */
		{"gfx90a",
		 {0xdc708000, 0x00060001},
		 {'v', 1},
		 false}, /* global_store_dword v1, v0, s[6:7] */
		{"gfx90a", {0xd81a0000, 0x00000201}, {'v', 1}, false}, /* ds_write_b32 v1, v2 */
		{"gfx90a", {0xbf04810a}, {'s', 10}, false},	       /* s_cmp_lt_i32 s10, 1 */
		{"gfx90a", {0xbe9e1e06}, {'s', 31}, true},  /* s_swappc_b64 s[30:31], s[6:7] */
		{"gfx90a", {0xbefe0118}, {'s', 24}, false}, /* s_mov_b64 exec, s[24:25] */
		{"gfx1100",
		 {0xdc55001c, 0x01210000},
		 {'v', 2},
		 true}, /* scratch_load_b64 v[1:2], off, s33 offset:28 */
		/* Images that are not executed: their components alone, and one in case pages are missing. */
		{"gfx1030", {0xf0000108, 0x00000402}, {'v', 8}, true}, /* image_load v4, ... */
		{"gfx1030", {0xf0000108, 0x00000402}, {'v', 9}, false},
		{"gfx1030", {0xf0000108, 0x00000402}, {'s', 4}, false},
		{"gfx90a", {0xf0ac0100, 0x00000402}, {'a', 8}, true}, /* image_sample_c_b ... */
		{"gfx90a", {0xf0ac0100, 0x00000402}, {'v', 9}, false},
		/* Rays of gfx12 write more than that. */
		{"gfx1201", {0xd0200000, 0x00000004}, {'v', 40}, true},
		{"gfx1201", {0xd0004000, 0x00000004}, {'v', 40}, false}, /* image_load_mip */
		/* Nothing is known of ds_ordered_count. */
		{"gfx1030", {0xd8fe0001, 0x01000000}, {'v', 9}, true},
		{"gfx1030", {0xd8fe0001, 0x01000000}, {'s', 4}, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(instructions) / sizeof(*instructions); i++) {
		const struct gfx_architecture *architecture =
			gfx_architecture_by_name(instructions[i].architecture);
		struct wt_dwarf_instruction instruction;

		assert_true(wt_dwarf_decode(architecture, 64, 0, instructions[i].words, 3,
					    &instruction));
		assert_int_equal(wt_dwarf_writes(&instruction, instructions[i].name),
				 instructions[i].writes);
	}
}

/* What a function has stored in its frame, which is at 0x40, whichever way it came to the pc. */
static void test_stored(void **state)
{
	static const uint32_t stores[][2] = {
		{0xbea10020},		  /* s_mov_b32 s33, s32 */
		{0xbe8022c1},		  /* s_xor_saveexec_b64 s[0:1], -1 */
		{0xe0700028, 0x21000800}, /* buffer_store_dword v8, off, s[0:3], s33 offset:40 */
		{0xbefe0100},		  /* s_mov_b64 exec, s[0:1] */
		{0xe0700004, 0x21000100}, /* buffer_store_dword v1, off, s[0:3], s33 offset:4 */
		{0xdc744008, 0x00210200}, /* scratch_store_dwordx2 off, v[2:3], s33 offset:8 */
		{0xbf850002},		  /* s_cbranch_scc1 2 */
		{0xe0600010, 0x21000100}, /* buffer_store_byte v1, off, s[0:3], s33 offset:16 */
		{0xe0701014,
		 0x21000102}, /* buffer_store_dword v1, v2, s[0:3], s33 offen offset:20 */
		{0xbe84206a}, /* s_and_saveexec_b64 s[4:5], vcc */
		{0xe0700018, 0x21000100}, /* buffer_store_dword v1, off, s[0:3], s33 offset:24 */
	};
	struct wt_dwarf_instruction decoded[MAX_CODE];
	struct wt_dwarf_frame frame = frame_at(0x144);
	struct wt_dwarf_bytes bytes[4];

	(void)state;
	frame.high = 0x144;
	code_count = DECODE(stores, decoded);
	code = decoded;
	assert_int_equal(wt_dwarf_stored_bytes(&frame, 4, bytes), 2);
	assert_int_equal(bytes[0].from, 0x44);
	assert_int_equal(bytes[0].to, 0x48);
	assert_int_equal(bytes[1].from, 0x48);
	assert_int_equal(bytes[1].to, 0x50);
	assert_int_equal(wt_dwarf_stored_bytes(&frame, 1, bytes), 1);
	frame.pc = frame.lookup = 0x11c;
	assert_int_equal(wt_dwarf_stored_bytes(&frame, 4, bytes), 1);
}

/* Which bytes code needs as they are: not those that it stores itself, but where lanes are left out. */
static void test_needed(void **state)
{
	static const uint32_t accesses[][2] = {
		{0xbea10020},		  /* s_mov_b32 s33, s32 */
		{0xe0500004, 0x21000100}, /* buffer_load_dword v1, off, s[0:3], s33 offset:4 */
		{0xe0700008, 0x21000100}, /* buffer_store_dword v1, off, s[0:3], s33 offset:8 */
		{0xe0500008, 0x21000100}, /* buffer_load_dword v1, off, s[0:3], s33 offset:8 */
		{0xbe84206a},		  /* s_and_saveexec_b64 s[4:5], vcc */
		{0xe070000c, 0x21000100}, /* buffer_store_dword v1, off, s[0:3], s33 offset:12 */
		{0x87fe047e},		  /* s_or_b64 exec, exec, s[4:5] */
		{0xe050000c, 0x21000100}, /* buffer_load_dword v1, off, s[0:3], s33 offset:12 */
		{0xe0700014, 0x21000100}, /* buffer_store_dword v1, off, s[0:3], s33 offset:20 */
		{0xe0500014, 0x21000100}, /* buffer_load_dword v1, off, s[0:3], s33 offset:20 */
		{0xe0480018, 0x21000100}, /* buffer_load_ushort v1, off, s[0:3], s33 offset:24 */
		{0xb720f400},		  /* s_addk_i32 s32, 0xf400 */
		{0xe0500020, 0x20000600}, /* buffer_load_dword v6, off, s[0:3], s32 offset:32 */
		{0xbe801d1e},		  /* s_setpc_b64 s[30:31] */
	};
	static const struct wt_dwarf_bytes range = {0x40, 0x80};
	struct wt_dwarf_instruction decoded[MAX_CODE];
	struct wt_dwarf_frame frame = frame_at(0x104);

	(void)state;
	code_count = DECODE(accesses, decoded);
	code = decoded;
	frame.high = decoded[code_count - 1].address + decoded[code_count - 1].size;
	assert_int_equal(wt_dwarf_needed_bytes(&frame, &range, true), UINT64_C(0xf0300f0f0));
}

/* Which function a call leads to, by the code in front of it. */
static void test_targets(void **state)
{
	static const uint32_t calls[][5][2] = {
		{
			{0xbe801c00},		  /* s_getpc_b64 s[0:1] */
			{0x8000ff00, 0x00000084}, /* s_add_u32 s0, s0, 0x84 */
			{0x7e000307},		  /* v_mov_b32_e32 v0, v7 */
			{0x82018001},		  /* s_addc_u32 s1, s1, 0 */
			{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
		},
		{
			{0xbe801c00}, /* s_getpc_b64 s[0:1] */
			{0x8000d000}, /* s_add_u32 s0, s0, -16 */
			{0x7e000307}, /* v_mov_b32_e32 v0, v7 */
			{0x8201c101}, /* s_addc_u32 s1, s1, -1 */
			{0xbe9e1e00}, /* s_swappc_b64 s[30:31], s[0:1] */
		},
		{
			{0xbe801c00},		  /* s_getpc_b64 s[0:1] */
			{0x8000ff00, 0x00000084}, /* s_add_u32 s0, s0, 0x84 */
			{0xc0060000, 0x00000000}, /* s_load_dwordx2 s[0:1], s[0:1], 0x0 */
			{0x82018001},		  /* s_addc_u32 s1, s1, 0 */
			{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
		},
		{
			{0xbe801c00},		  /* s_getpc_b64 s[0:1] */
			{0x8000ff00, 0x00000084}, /* s_add_u32 s0, s0, 0x84 */
			{0xbf850000},		  /* s_cbranch_scc1 0 */
			{0x82018001},		  /* s_addc_u32 s1, s1, 0 */
			{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
		},
		{
			{0x7e000000}, /* v_nop */
			{0x7e000000}, /* v_nop */
			{0x7e000000}, /* v_nop */
			{0x7e000000}, /* v_nop */
			{0xbe9e1e00}, /* s_swappc_b64 s[30:31], s[0:1] */
		},
	};
	static const uint64_t targets[] = {0x188, 0xf4, 0, 0, 0};

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct wt_dwarf_instruction decoded[MAX_CODE];
		const size_t count = DECODE(calls[i], decoded);
		uint64_t target = 0;
		bool known = wt_dwarf_call_target(decoded, count, 4, &target);

		assert_int_equal(known, targets[i] != 0);
		if (known)
			assert_int_equal(target, targets[i]);
	}
}

/* Calls by an address that was computed in front of another call, and in front of a loop with two ways. */
static void test_targets_of_later_calls(void **state)
{
	static const uint32_t later[][2] = {
		{0xbe801c00},		  /* s_getpc_b64 s[0:1] */
		{0x8000ff00, 0x00000084}, /* s_add_u32 s0, s0, 0x84 */
		{0x82018001},		  /* s_addc_u32 s1, s1, 0 */
		{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
		{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
		{0xbf850001},		  /* s_cbranch_scc1 1 */
		{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
		{0xbf84fffc},		  /* s_cbranch_scc0 65532 */
		{0xbe810002},		  /* s_mov_b32 s1, s2 */
		{0xbf840000},		  /* s_cbranch_scc0 0 */
		{0xbe9e1e00},		  /* s_swappc_b64 s[30:31], s[0:1] */
	};
	static const size_t calls[] = {3, 4, 6};
	struct wt_dwarf_instruction decoded[MAX_CODE];
	const size_t count = DECODE(later, decoded);
	uint64_t target;

	(void)state;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		assert_true(wt_dwarf_call_target(decoded, count, calls[i], &target));
		assert_int_equal(target, 0x188);
	}
	assert_false(wt_dwarf_call_target(decoded, count, 10, &target));
}

/* ---- Line tables ---- */

/* Behind the directories: three files with a name, a directory and an MD5 sum, whose bytes are the number of the file. */
#define NUMBERS(n) n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n
#define FILES                                                                                      \
	3, 0x1, 0x8, 0x2, 0xb, 0x5, 0x1e, 3, 'f', 0, 0, NUMBERS(1), 'f', 0, 0, NUMBERS(2), 'f', 0, \
		0, NUMBERS(3)
/* Before them: what is said of instructions, and lengths of two opcodes. */
#define INSTRUCTIONS 4, 1, 1, 0xfb, 14, 3, 0, 1

static const uint8_t table_32[] = {93, 0, 0,	0, 5, 0, 8, 0, 85, 0, 0, 0, INSTRUCTIONS,
				   1,  1, 0x1f, 2, 9, 9, 9, 9, 8,  8, 8, 8, FILES};
static const uint8_t table_64[] = {
	0xff, 0xff, 0xff, 0xff, 97,	      0, 0, 0,	  0, 0, 0, 0, 5, 0, 8, 0, 85, 0,    0, 0,
	0,    0,    0,	  0,	INSTRUCTIONS, 1, 1, 0x1f, 1, 9, 9, 9, 9, 9, 9, 9, 9,  FILES};

static const uint8_t *sum_in(const void *table, size_t size, size_t file)
{
	/* Memory of its own, so that sanitizers see who reads past its end. */
	uint8_t *copy = test_malloc(size ? size : 1);
	const uint8_t *found;

	memcpy(copy, table, size);
	found = wt_checksum_in(wt_cursor_init(copy, size), file);
	if (found) {
		for (size_t i = 0; i < WT_MD5_SIZE; i++)
			assert_int_equal(found[i], file + 1);
		found = (const uint8_t *)table + (found - copy);
	}
	test_free(copy);
	return found;
}

static void test_checksums(void **state)
{
	uint8_t wrong[sizeof(table_32)];

	(void)state;
	for (size_t file = 0; file < 3; file++) {
		assert_non_null(sum_in(table_32, sizeof(table_32), file));
		assert_non_null(sum_in(table_64, sizeof(table_64), file));
	}
	assert_null(sum_in(table_32, sizeof(table_32), 3));
	assert_null(sum_in(table_32, sizeof(table_32), SIZE_MAX));
	/* It claims to be as long as it is. */
	for (size_t size = 0; size < sizeof(table_32); size++)
		assert_null(sum_in(table_32, size, 0));
	for (size_t size = 0; size < sizeof(table_64); size++)
		assert_null(sum_in(table_64, size, 0));
	/* A version, a form, and columns that are not read. */
	for (size_t i = 0; i < 3; i++) {
		const size_t at[] = {4, 36, 32};
		const uint8_t value[] = {4, 0x7f, 17};

		memcpy(wrong, table_32, sizeof(wrong));
		assert_int_equal(wrong[at[0]], 5);
		assert_int_equal(wrong[at[1]], 0xb);
		assert_int_equal(wrong[at[2]], 3);
		wrong[at[i]] = value[i];
		assert_null(sum_in(wrong, sizeof(wrong), 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions), cmocka_unit_test(test_prologue),
		cmocka_unit_test(test_return),	    cmocka_unit_test(test_writes),
		cmocka_unit_test(test_stored),	    cmocka_unit_test(test_needed),
		cmocka_unit_test(test_targets),	    cmocka_unit_test(test_targets_of_later_calls),
		cmocka_unit_test(test_checksums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
