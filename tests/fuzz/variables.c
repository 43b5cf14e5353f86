/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a code object whose variables are asked for: scopes, types, locations and expressions over a machine that has an
 * answer to everything. The mutator changes sections of DWARF, since most other bytes only make the file none.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "mutate.h"
#include "replayer/code/source.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/print-expression.h"
#include "replayer/dwarf/scope.h"
#include "replayer/dwarf/unwind.h"

/* Places of code that are looked at, and variables at each. */
#define MAX_PLACES 24
#define MAX_VARIABLES 24

/* Callers, of which each may have rules that ask for registers of the next. */
#define MAX_FRAMES 100

static bool read_register(void *opaque, uint64_t number, uint32_t lane, uint32_t *value_ret)
{
	(void)opaque;
	*value_ret = (uint32_t)(number * 64 + lane);
	return number % 7 != 3;
}

static size_t read_memory(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
			  void *data, size_t size)
{
	(void)opaque;
	memset(data, (int)(space + lane + address), size);
	return address % 5 ? size : size / 2;
}

/*
 * Code without effects: every instruction has four bytes, and blocks have four of them. They need all registers. Two in front of the ends
 * of places in one of the seeds, life, write what ends there.
 */
static size_t decode(void *opaque, const struct wt_dwarf_object *object, uint64_t from, uint64_t to,
		     const struct wt_dwarf_instruction **instructions_ret)
{
	static struct wt_dwarf_instruction code[4096];
	static const uint32_t words[][2] = {
		{0xbea10020},		  /* s_mov_b32 s33, s32 */
		{0xd28a0028, 0x0001001e}, /* v_writelane_b32 v40, s30, 0 */
		{0xdc508000, 0x017f0002}, /* global_load_dword v1, v[2:3], off */
		{0xbf840001},		  /* s_cbranch_scc0 1 */
		{0xbf060504},		  /* s_cmp_eq_u32 s4, s5 */
		{0x7d940b04},		  /* v_cmp_eq_u32_e32 vcc, v4, v5 */
		{0xdc500000, 0x01000002}, /* flat_load_dword v1, v[2:3] */
		{0xbf850001},		  /* s_cbranch_scc1 1 */
		{0xbf070504},		  /* s_cmp_lg_u32 s4, s5 */
		{0x7d9a0b04},		  /* v_cmp_ne_u32_e32 vcc, v4, v5 */
		{0xd86c0000, 0x01000002}, /* ds_read_b32 v1, v2 */
		{0xbf860001},		  /* s_cbranch_vccz 1 */
		{0xbf080504},		  /* s_cmp_gt_u32 s4, s5 */
		{0x7d920b04},		  /* v_cmp_lt_u32_e32 vcc, v4, v5 */
		{0xdc504000, 0x017f0002}, /* scratch_load_dword v1, v2, off */
		{0xbf880001},		  /* s_cbranch_execz 1 */
	};
	const struct gfx_architecture *architecture = gfx_architecture_by_name("gfx90a");
	size_t count = 0;

	(void)opaque;
	(void)object;
	if (to < from || to - from > sizeof(code) / sizeof(*code))
		return 0;
	for (uint64_t at = from; at < to; at += 4, count++) {
		struct wt_dwarf_instruction *one = &code[count];

		FUZZ_CHECK(wt_dwarf_decode(architecture, 64, at, words[at / 4 % 16], 2, one));
		one->size = 4;
		one->has_target = false;
		if (at == 0x1e44 || at == 0x1e60) {
			one->written_count = 1;
			one->written[0] = (struct wt_dwarf_range){'v', 0, 3};
		}
		one->has_read = true;
		one->read_count = 2;
		one->read[0] = (struct wt_dwarf_range){'v', 0, 255};
		one->read[1] = (struct wt_dwarf_range){'s', 0, 105};
	}
	*instructions_ret = code;
	return count;
}

/* ---- What is shown ---- */

static unsigned long shown, opened;

static void open(void *opaque, enum wt_dwarf_opened what)
{
	(void)opaque;
	(void)what;
	opened++;
}

static void open_reference(void *opaque, uint64_t address)
{
	(void)opaque;
	(void)address;
	opened++;
}

static void close(void *opaque)
{
	(void)opaque;
	FUZZ_CHECK(opened);
	opened--;
}

static void count_text(void *opaque, const char *text)
{
	(void)opaque;
	FUZZ_CHECK(strlen(text) < 1 << 20);
	shown++;
}

static void count_label(void *opaque, const struct wt_dwarf_label *label)
{
	count_text(opaque, label->text);
}

static void count_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	(void)opaque;
	FUZZ_CHECK(scalar->bits <= 128);
	shown++;
	fuzz_reached++;
}

static void count_string(void *opaque, const char *text, size_t length)
{
	(void)opaque;
	(void)text;
	FUZZ_CHECK(length <= WT_DWARF_MAX_ELEMENTS);
}

static void count_more(void *opaque, uint64_t count)
{
	(void)opaque;
	FUZZ_CHECK(count);
}

static const struct wt_dwarf_sink sink = {
	.open = open,
	.reference = open_reference,
	.close = close,
	.member = count_label,
	.scalar = count_scalar,
	.text = count_string,
	.unknown = count_text,
	.more = count_more,
};

/* ---- Asking ---- */

static void ask(const struct wt_dwarf_frame *frame, struct wt_dwarf_scopes *scopes,
		Dwarf_Off function, struct wt_dwarf_variable *variable)
{
	char name[WT_DWARF_MAX_TYPE];
	struct wt_dwarf_trust trust = {0};
	struct wt_dwarf_type type;

	wt_dwarf_type_of(&type, &scopes->unit, &variable->die);
	FUZZ_CHECK(strlen(wt_dwarf_type_name(&type, &scopes->unit, name)) < WT_DWARF_MAX_TYPE);
	for (uint32_t lane = 0; lane < 64; lane += 37) {
		struct wt_dwarf_location location;

		wt_dwarf_variable_find(frame, &scopes->unit, function, &variable->die, &type, lane,
				       &trust, &location);
		FUZZ_CHECK(location.count && location.count <= WT_DWARF_MAX_PIECES);
		shown = 0;
		wt_dwarf_show(frame, &scopes->unit, lane, &type, &location, 0, &sink);
		FUZZ_CHECK(!opened && shown <= 4 * WT_DWARF_MAX_SCALARS);
	}
}

/* Registers of callers: as many as there could be, of the same function. */
static void look_behind(const struct wt_dwarf_frame *frame)
{
	static const uint64_t numbers[] = {17, 62, 65, 66, 69, 70, 2602, 2603, 1579};
	struct wt_dwarf_frame frames[MAX_FRAMES];
	uint64_t address;

	for (size_t i = 0; i < MAX_FRAMES; i++) {
		frames[i] = *frame;
		frames[i].inner = i ? &frames[i - 1] : frame;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		uint32_t value;

		wt_dwarf_frame_entry(frame, numbers[i], 1, &value);
		wt_dwarf_frame_register(&frames[MAX_FRAMES - 1], numbers[i], 33, &value);
	}
	wt_dwarf_frame_return(&frames[MAX_FRAMES - 1], &address);
	fuzz_reached += frame->rules != NULL;
	FUZZ_CHECK(!frame->machine->effort->depth);
}

static void look_at(const struct wt_dwarf_machine *machine, const struct wt_dwarf_object *object,
		    uint64_t pc)
{
	struct wt_dwarf_function functions[WT_DWARF_MAX_SCOPES];
	struct wt_dwarf_frame frame = {
		.machine = machine, .object = object, .pc = pc, .lookup = pc};
	struct wt_dwarf_scopes scopes;
	uint64_t address;
	size_t count;

	if (!wt_dwarf_scopes_find(object, pc, &scopes))
		return;
	wt_dwarf_scopes_fill(&scopes, &frame);
	FUZZ_CHECK(wt_dwarf_frame_keep(&frame));
	wt_dwarf_frame_return(&frame, &address);
	look_behind(&frame);
	count = wt_dwarf_functions(&scopes, functions);
	for (size_t i = 0; i < count; i++) {
		struct wt_dwarf_variable *variables = NULL;
		size_t found = wt_dwarf_variables(&scopes, &functions[i], &variables);

		for (size_t j = 0; j < found && j < MAX_VARIABLES; j++)
			ask(&frame, &scopes, dwarf_dieoffset(&scopes.dies[functions[i].first]),
			    &variables[j]);
		free(variables);
	}
	wt_dwarf_frame_deinit(&frame);
}

static void look(struct wt_source *source)
{
	static struct wt_dwarf_effort effort;
	const struct wt_dwarf_machine machine = {
		.lanes = 64,
		.effort = &effort,
		.has_scratch_shift = true,
		.read_register = read_register,
		.read_memory = read_memory,
		.decode = decode,
	};
	struct wt_dwarf_object object;

	if (!wt_source_dwarf(source))
		return;
	wt_dwarf_object_init(&object, wt_source_dwarf(source));
	for (uint64_t i = 0; i < MAX_PLACES; i++) {
		memset(&effort, 0, sizeof(effort));
		look_at(&machine, &object, 0x1500 + i * 0x130);
	}
	/* Where frames.s has its rules. */
	for (uint64_t pc = 0x1300; pc < 0x1340; pc += 8) {
		memset(&effort, 0, sizeof(effort));
		look_at(&machine, &object, pc);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_source *source;
	struct wt_error *error = wt_source_open(data, size, &source);

	if (!error) {
		look(source);
		wt_source_close(source);
	}
	wt_error_destroy(error);
	return 0;
}

/* ---- Changing DWARF ---- */

/* Where sections of DWARF are in a file: how many. */
static size_t find_sections(const uint8_t *data, size_t size, size_t starts[16], size_t sizes[16])
{
	Elf *elf;
	Elf_Scn *section = NULL;
	size_t names, count = 0;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)data, size);
	if (!elf || elf_getshdrstrndx(elf, &names))
		names = 0;
	while (elf && names && count < 16 && (section = elf_nextscn(elf, section))) {
		const char *name;
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || (strncmp(name, ".debug_", 7) && strcmp(name, ".eh_frame")) ||
		    !header.sh_size || header.sh_offset > size ||
		    header.sh_size > size - header.sh_offset)
			continue;
		starts[count] = header.sh_offset;
		sizes[count++] = header.sh_size;
	}
	elf_end(elf);
	return count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	size_t starts[16], sizes[16], count = find_sections(data, size, starts, sizes);

	if (!count || rand_r(&seed) % 16 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	for (int i = rand_r(&seed) % 4; i >= 0; i--) {
		size_t at = (size_t)rand_r(&seed) % count, byte = (size_t)rand_r(&seed) % sizes[at];

		data[starts[at] + byte] = (uint8_t)rand_r(&seed);
	}
	return size;
}
