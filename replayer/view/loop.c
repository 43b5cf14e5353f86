/* SPDX-License-Identifier: MIT */
#include "replayer/view/loop.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "gfx/isa/run.h"
#include "gfx/isa/tables.h"
#include "replayer/view/loop-relation.h"
#include "replayer/view/loop-run.h"
#include "replayer/view/loop-until.h"

#define WATCHES 256u /* rounds that are followed for values which decide nothing */
#define WIDENED 4u   /* and how often one is followed again */
#define WORD_BITS 32u

static uint64_t innermost_call(const struct wt_loop_run *run)
{
	return run->call_count && run->call_count <= WT_LOOP_CALLS ? run->calls[run->call_count - 1]
								   : 0;
}

/* An instruction at @from has been executed. */
static void run_note_call(struct wt_loop_run *run, const struct gfx_instruction *instruction,
			  uint64_t from)
{
	const char *name = instruction->operation->name;

	if (instruction->encoding != GFX_SOP1)
		return;
	if (!strcmp(name, "s_swappc_b64")) {
		if (run->call_count < WT_LOOP_CALLS)
			run->calls[run->call_count] = from;
		run->call_count++;
	} else if (!strcmp(name, "s_setpc_b64") && run->call_count &&
		   (run->call_count > WT_LOOP_CALLS ||
		    run->now.wave.pc == run->calls[run->call_count - 1] + 4)) {
		run->call_count--;
	}
}

/* The instruction has been executed: from where all lanes are made active on to where that ends. */
static void run_note_whole(struct wt_loop_run *run, const struct gfx_instruction *instruction,
			   const struct gfx_uses *uses)
{
	if (!strcmp(gfx_computes(instruction->operation), "s_or_saveexec") &&
	    instruction->src[0] == GFX_CODE_MINUS_ONE) {
		run->whole = true;
		return;
	}
	for (uint32_t i = 0; i < uses->write_count; i++)
		if (uses->writes[i].file == GFX_FILE_SCALAR &&
		    uses->writes[i].number == GFX_CODE_EXEC)
			run->whole = false;
}

static void note_read(struct wt_loop_run *run, const struct gfx_access *access,
		      struct wt_loop *loop)
{
	struct wt_loop_read read = {.pc = run->now.wave.pc,
				    .wave = run->handle,
				    .call = innermost_call(run),
				    .lanes = access->scalar ? run->now.wave.exec : access->lanes,
				    .size = access->size < 8 ? access->size : 8};

	if (!access->lanes)
		return;
	read.address = access->addresses[__builtin_ctzll(access->lanes)];
	read.space = access->space;
	if (!wt_loop_is_shared(run, &read.space, &read.address) ||
	    (read.space == GFX_ACCESS_LOCAL && run->has_group))
		return;
	read.addresses = wt_loop_count_addresses(access);
	read.value = wt_loop_value(run, read.space, read.address, read.size);
	for (size_t i = 0; i < loop->count && i < WT_LOOP_READS; i++)
		if (loop->reads[i].pc == read.pc &&
		    (loop->reads[i].wave == read.wave || loop->reads[i].address == read.address)) {
			loop->reads[i].moves |= loop->reads[i].address != read.address;
			return;
		}
	if (loop->count < WT_LOOP_READS)
		loop->reads[loop->count] = read;
	loop->count++;
}

/* ---- Values that change in each round, and decide nothing: a count of the rounds, a sum ---- */

struct idle {
	struct wt_loop_places first, now; /* at the beginning of the round */
	size_t written_count;
	/* The instruction that is executed. */
	struct gfx_access access; /* no lanes: it accesses no memory by lanes */
	uint64_t exec, loaded;	  /* lanes that load such a value */
	uint64_t stored;	  /* lanes that store one, of the registers that are read */
	uint64_t result;	  /* lanes of its result */
	uint8_t bits;		  /* of that, which may change */
	bool scalar;		  /* its scalar result */
	uint64_t
		leads; /* lanes in which such a value is a part of the address that it accesses, in global memory */
	bool stores; /* and one of the round has stored so: nobody knows where other rounds do */
	bool lane_alone; /* it writes the one lane of `exec`, whatever is active */
	bool lost; /* one was stored where nothing is kept of it, since it is as it was recorded */
	uint64_t chosen; /* what is loaded at this pc is such a value; 0: nowhere */
	struct wt_loop_miss
		miss; /* the first comparison of the round that such a value cannot change */
};

static void bits_raise(uint8_t *bits, uint8_t more)
{
	if (more > *bits)
		*bits = more;
}

static bool idle_begin(struct idle *idle, const struct wt_loop_run *run)
{
	bool fine = wt_loop_differ(run, &idle->first);

	idle->stores = idle->lost = false;
	idle->miss.pc = 0;
	idle->now = idle->first;
	idle->written_count = run->now.written_count;
	return fine;
}

static bool idle_is_closed(const struct idle *idle, const struct wt_loop_run *run)
{
	return idle->written_count == run->now.written_count &&
	       wt_loop_places_contain(&idle->first, &idle->now);
}

static void idle_widen(struct idle *idle)
{
	for (size_t i = 0; i < 2 * GFX_MAX_VGPRS; i++)
		idle->now.vectors[i / GFX_MAX_VGPRS][i % GFX_MAX_VGPRS] |=
			idle->first.vectors[i / GFX_MAX_VGPRS][i % GFX_MAX_VGPRS];
	for (size_t i = offsetof(struct wt_loop_places, changing);
	     i < sizeof(struct wt_loop_places); i++)
		bits_raise(&((uint8_t *)&idle->now)[i], ((const uint8_t *)&idle->first)[i]);
	idle->first = idle->now;
}

/* ---- Memory ---- */

/* Find the place that a lane's word is at; false if that is in memory of which bytes alone are kept, at @address_ret. */
static bool idle_find_word(struct wt_loop_places *places, const struct wt_loop_run *run,
			   const struct gfx_access *access, uint32_t lane, uint32_t part,
			   uint32_t word, uint8_t **place_ret, uint64_t *address_ret)
{
	uint64_t address = gfx_part_address(access, lane, part), place;
	enum gfx_access_space space = access->space;

	if (wt_loop_private_place(run, access, lane, part, &place)) {
		place = place / 4 + (uint64_t)word * gfx_lanes(&run->now.wave);
		*place_ret = &places->privates[place < WT_LOOP_PRIVATE / 4 ? place : 0];
		return true;
	}
	place = address;
	if (wt_loop_is_shared(run, &space, &place) && space == GFX_ACCESS_LOCAL) {
		place = place / 4 + word;
		*place_ret = &places->locals[place < WT_LOOP_LOCAL / 4 ? place : 0];
		return true;
	}
	*address_ret = address + 4ULL * word;
	return false;
}

static bool idle_has_bytes(const struct wt_loop_places *places, const struct wt_loop_run *run,
			   uint64_t address, uint32_t size)
{
	for (size_t i = wt_loop_written_from(&run->now, address);
	     i < run->now.written_count && run->now.written[i].address - address < size; i++)
		if (places->written[i])
			return true;
	return false;
}

/* False if nothing is kept of some of the bytes. */
static bool idle_set_bytes(struct wt_loop_places *places, const struct wt_loop_run *run,
			   uint64_t address, uint32_t size, bool is)
{
	uint32_t kept = 0;

	for (size_t i = wt_loop_written_from(&run->now, address);
	     i < run->now.written_count && run->now.written[i].address - address < size;
	     i++, kept++)
		places->written[i] = is;
	return kept == size;
}

/*
 * For a place in each word that a lane accesses: read it, or write that so many of its bits may change. Return: how many may where it is read, or
 * not 0 if one has no room to be written.
 */
static uint8_t idle_visit_lane(struct wt_loop_places *places, const struct wt_loop_run *run,
			       const struct gfx_access *access, uint32_t lane, bool set, uint8_t is)
{
	uint32_t words = access->size < 4 ? 1 : access->size / 4;
	uint32_t size = access->size < 4 ? access->size : 4;
	uint8_t found = 0;

	for (uint32_t i = 0; i < words * access->parts; i++) {
		uint64_t address = 0;
		uint8_t *place = NULL;
		bool is_word = idle_find_word(places, run, access, lane, i / words, i % words,
					      &place, &address);

		if (!set && is_word)
			bits_raise(&found, *place && size < 4 ? WORD_BITS : *place);
		else if (!set)
			bits_raise(&found,
				   idle_has_bytes(places, run, address, size) ? WORD_BITS : 0);
		else if (!is_word)
			bits_raise(&found, !idle_set_bytes(places, run, address, size, is));
		else if (size == 4)
			*place = is;
		else if (is) /* of a part of a word the rest stays */
			*place = WORD_BITS;
	}
	return found;
}

/* ---- An instruction ---- */

static uint64_t idle_use_lanes(const struct idle *idle, const struct gfx_use *use)
{
	uint64_t lanes = 0;

	if (use->file == GFX_FILE_SCALAR)
		return 0;
	for (uint32_t i = 0; i < use->words && use->number + i < GFX_MAX_VGPRS; i++)
		lanes |= idle->now.vectors[use->file == GFX_FILE_ACCUMULATION][use->number + i];
	return lanes;
}

static bool idle_use_scalar(const struct idle *idle, const struct gfx_use *use)
{
	bool is = false;

	for (uint32_t i = 0; use->file == GFX_FILE_SCALAR && i < use->words; i++)
		is |= use->number + i < WT_LOOP_SCALARS && idle->now.scalars[use->number + i];
	return is;
}

/* How many bits of what is read may change. */
static uint8_t idle_use_bits(const struct idle *idle, const struct gfx_use *use)
{
	bool accumulated = use->file == GFX_FILE_ACCUMULATION;
	uint8_t bits = 0;

	for (uint32_t i = 0; i < use->words; i++) {
		uint32_t number = use->number + i;

		if (use->file == GFX_FILE_SCALAR)
			bits_raise(&bits, number < WT_LOOP_SCALARS ? idle->now.scalars[number] : 0);
		else if (number < GFX_MAX_VGPRS && idle->now.vectors[accumulated][number])
			bits_raise(&bits, idle->now.changing[accumulated][number]);
	}
	return bits;
}

/* Do the low bits of the result depend on none but the low bits of what is read? */
static bool instruction_keeps_low_bits(const struct gfx_instruction *instruction,
				       const struct gfx_uses *uses)
{
	static const char *const names[] = {"v_add_",  "v_sub_", "v_subrev_", "v_mul_lo_",
					    "v_add3_", "s_add_", "s_sub_",    "s_mul_",
					    "s_addk_", "s_mulk_"};
	const char *name = gfx_computes(instruction->operation);
	size_t length = strlen(name);

	if (instruction->modified || instruction->second || uses->cross_lane || uses->all_lanes)
		return false;
	if (uses->bitwise)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return !strstr(name, "_hi") && !strstr(name, "_lshl") &&
			       (!strcmp(name + length - 4, "_u32") ||
				!strcmp(name + length - 4, "_i32"));
	return false;
}

/* Does an instruction decide by its operands what is executed next, or how? */
static bool instruction_decides(const struct gfx_instruction *instruction)
{
	static const char *const names[] = {"s_cbranch", "s_setpc",   "s_swappc",
					    "s_setreg",	 "s_sendmsg", "s_call"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(instruction->operation->name, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Lanes of vectors that scalars are kept in: one of them alone is read or written. */
static bool idle_chooses_lane(struct idle *idle, struct wt_loop_run *run,
			      const struct gfx_instruction *instruction,
			      const struct gfx_uses *uses)
{
	const char *name = instruction->operation->name;
	bool reads = !strcmp(name, "v_readlane_b32"), writes = !strcmp(name, "v_writelane_b32"),
	     first = !strcmp(name, "v_readfirstlane_b32");
	const struct gfx_context context = {
		.wave = &run->now.wave, .memory = &run->memory, .instruction = instruction};
	uint64_t lane = 0;

	if (!reads && !writes && !first)
		return false;
	if (first)
		lane = run->now.wave.exec ? (uint64_t)__builtin_ctzll(run->now.wave.exec) : 0;
	else if (instruction->src[1] < GFX_CODE_VGPR0)
		lane = gfx_read_constant(&context, instruction->src[1],
					 (enum gfx_type)instruction->operation->src[1]) %
		       gfx_lanes(&run->now.wave);
	idle->exec = UINT64_C(1) << lane;
	idle->lane_alone = true;
	for (uint32_t i = 0; i < uses->read_count; i++)
		if (!writes || uses->reads[i].file == GFX_FILE_SCALAR) {
			idle->scalar |= idle_use_scalar(idle, &uses->reads[i]) ||
					(idle_use_lanes(idle, &uses->reads[i]) & idle->exec);
			bits_raise(&idle->bits, idle_use_bits(idle, &uses->reads[i]));
		}
	idle->result = idle->scalar ? idle->exec : 0;
	return true;
}

static void idle_find_access(struct idle *idle, struct wt_loop_run *run,
			     const struct gfx_instruction *instruction)
{
	const struct gfx_context context = {
		.wave = &run->now.wave, .memory = &run->memory, .instruction = instruction};

	idle->access.lanes = idle->loaded = 0;
	if (!gfx_touches_memory(instruction) || instruction->encoding == GFX_SMEM)
		return;
	gfx_resolve_access(&context, &idle->access);
	if (idle->access.read && run->now.wave.pc == idle->chosen) {
		idle->loaded = idle->access.lanes;
		idle->bits = WORD_BITS;
	}
	for (uint64_t left = idle->access.read ? idle->access.lanes : 0; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint8_t bits = idle_visit_lane(&idle->now, run, &idle->access, lane, false, 0);

		idle->loaded |= (uint64_t)(bits != 0) << lane;
		bits_raise(&idle->bits, bits);
	}
}

/*
 * In these lanes an access is elsewhere in each round. What it loads is such a value; what it stores changes memory that the round must not look
 * at otherwise. False if it is not global memory, which alone is followed so.
 */
static bool idle_leads(struct idle *idle, const struct wt_loop_run *run, uint64_t lanes)
{
	lanes &= idle->access.lanes;
	for (uint64_t left = lanes; left; left &= left - 1) {
		uint64_t place = idle->access.addresses[__builtin_ctzll(left)];
		enum gfx_access_space space = idle->access.space;

		if (!wt_loop_is_shared(run, &space, &place) || space == GFX_ACCESS_LOCAL)
			return false;
	}
	idle->leads = lanes;
	idle->bits = WORD_BITS;
	idle->loaded |= idle->access.read ? lanes : 0;
	idle->stores |= idle->access.write && lanes;
	return true;
}

/* ---- A number that goes by multiples of a power of 2, and never is what it is compared with ---- */

/* A word of an operand of a lane; false if it is not known. */
static bool compared_word(struct wt_loop_run *run, const struct gfx_instruction *instruction,
			  uint32_t index, uint32_t lane, uint32_t word, uint32_t *value_ret)
{
	const struct gfx_context context = {
		.wave = &run->now.wave, .memory = &run->memory, .instruction = instruction};
	uint32_t code = instruction->src[index];
	const uint32_t *planes;
	uint64_t value;

	if (code < GFX_CODE_VGPR0) {
		value = gfx_read_constant(&context, code,
					  (enum gfx_type)instruction->operation->src[index]);
		*value_ret = (uint32_t)(word ? value >> WORD_BITS : value);
		return true;
	}
	planes = gfx_vgpr(&run->now.wave, code - GFX_CODE_VGPR0 + word, 1, false);
	if (planes)
		*value_ret = planes[lane];
	return planes;
}

/* Bits of a word of an operand that may change. */
static uint8_t idle_operand_bits(const struct idle *idle, const struct gfx_instruction *instruction,
				 uint32_t index, uint32_t word)
{
	uint32_t code = instruction->src[index];
	bool vector = code >= GFX_CODE_VGPR0;
	const struct gfx_use use = {
		.file = vector ? GFX_FILE_VECTOR : GFX_FILE_SCALAR,
		.number = (uint16_t)((vector ? code - GFX_CODE_VGPR0 : code) + word),
		.words = 1};

	return idle_use_bits(idle, &use);
}

/* Words of both sides of a comparison for equality of whole numbers; 0: it is none. */
static uint32_t instruction_compares_words(const struct gfx_instruction *instruction)
{
	struct wt_loop_relation found;

	if (!wt_loop_find_relation(instruction, &found) || found.is_float ||
	    (strcmp(found.relation[0], "==") != 0 && strcmp(found.relation[0], "!=") != 0))
		return 0;
	return found.width / WORD_BITS;
}

/* Do both sides differ in bits that are the same in each round? @bits_ret: how many of these a word has that may change. */
static bool idle_misses_lane(const struct idle *idle, struct wt_loop_run *run,
			     const struct gfx_instruction *instruction, uint32_t lane,
			     uint32_t words, uint8_t *bits_ret)
{
	for (uint32_t word = 0; word < words; word++) {
		uint8_t bits = idle_operand_bits(idle, instruction, 0, word);
		uint32_t left, right;

		bits_raise(&bits, idle_operand_bits(idle, instruction, 1, word));
		if (bits == WORD_BITS || !compared_word(run, instruction, 0, lane, word, &left) ||
		    !compared_word(run, instruction, 1, lane, word, &right) ||
		    !((left ^ right) & (UINT32_MAX >> bits)))
			continue;
		*bits_ret = bits;
		return true;
	}
	return false;
}

/* An operand that is the same in each round, and of all lanes. */
static bool idle_find_limit(const struct idle *idle, struct wt_loop_run *run,
			    const struct gfx_instruction *instruction, uint32_t side,
			    uint32_t words, int64_t *limit_ret)
{
	uint64_t lanes = run->now.wave.exec ? run->now.wave.exec : 1;
	uint32_t first[2] = {0}, value;

	for (uint32_t word = 0; word < words; word++)
		for (uint64_t left = lanes; left; left &= left - 1) {
			uint32_t lane = (uint32_t)__builtin_ctzll(left);

			if (idle_operand_bits(idle, instruction, side, word) ||
			    !compared_word(run, instruction, side, lane, word, &value))
				return false;
			if (left == lanes)
				first[word] = value;
			if (value != first[word])
				return false;
		}
	*limit_ret = words == 1 ? (int32_t)first[0]
				: (int64_t)((uint64_t)first[1] << WORD_BITS | first[0]);
	/* An equality does not say whether it compares numbers with a sign. */
	return *limit_ret >= 0;
}

/* Keep what such a number is compared with. */
static void idle_note_miss(struct idle *idle, struct wt_loop_run *run,
			   const struct gfx_instruction *instruction, uint32_t words, uint8_t bits)
{
	uint32_t side = idle_operand_bits(idle, instruction, 0, 0) ? 1 : 0;

	if (!bits)
		return;
	idle->miss = (struct wt_loop_miss){.pc = run->now.wave.pc,
					   .step = UINT32_C(1) << (WORD_BITS - bits)};
	idle->miss.is_one = idle_find_limit(idle, run, instruction, side, words, &idle->miss.limit);
}

/* Is the result of a comparison the same in each round, though such values are compared? */
static bool idle_misses(struct idle *idle, struct wt_loop_run *run,
			const struct gfx_instruction *instruction)
{
	uint32_t words = instruction_compares_words(instruction);
	uint64_t lanes =
		strncmp(instruction->operation->name, "s_", 2) != 0 ? run->now.wave.exec : 1;
	uint8_t bits = 0;

	if (!words || !lanes)
		return false;
	for (uint64_t left = lanes; left; left &= left - 1)
		if (!idle_misses_lane(idle, run, instruction, (uint32_t)__builtin_ctzll(left),
				      words, &bits))
			return false;
	if (!idle->miss.pc)
		idle_note_miss(idle, run, instruction, words, bits);
	return true;
}

static bool idle_before(struct idle *idle, struct wt_loop_run *run,
			const struct gfx_instruction *instruction, const struct gfx_uses *uses)
{
	uint64_t lanes = 0, address = 0;
	bool scalar = false, by_scalar = false;

	idle->exec = run->now.wave.exec;
	idle->scalar = idle->lane_alone = false;
	idle->bits = 0;
	idle->leads = 0;
	idle->access.lanes = idle->loaded = idle->stored = idle->result = 0;
	if (uses->dynamic || run->now.wave.mode & GFX_MODE_INDEXED)
		return false;
	if (idle_chooses_lane(idle, run, instruction, uses))
		return true;
	if (uses->all_lanes)
		idle->exec = UINT64_MAX;
	for (uint32_t i = 0; i < uses->read_count; i++) {
		const struct gfx_use *use = &uses->reads[i];

		*(use->address ? &address : &lanes) |= idle_use_lanes(idle, use) & idle->exec;
		*(use->address ? &by_scalar : &scalar) |= idle_use_scalar(idle, use);
		bits_raise(&idle->bits, idle_use_bits(idle, use));
	}
	if ((scalar || lanes) && !gfx_touches_memory(instruction) &&
	    !instruction_keeps_low_bits(instruction, uses))
		idle->bits = WORD_BITS;
	if ((scalar || lanes) && idle_misses(idle, run, instruction))
		return true;
	if ((scalar || lanes) && instruction_decides(instruction))
		return false;
	/* Nothing but the lanes' loads is followed. */
	if (instruction->encoding == GFX_SMEM &&
	    (by_scalar || memchr(idle->now.written, 1, sizeof(idle->now.written))))
		return false;
	if (instruction->encoding == GFX_SMEM)
		idle->bits = WORD_BITS;
	scalar |= instruction->encoding == GFX_SMEM && run->now.wave.pc == idle->chosen;
	idle_find_access(idle, run, instruction);
	if ((address || by_scalar) && !idle_leads(idle, run, by_scalar ? idle->exec : address))
		return false;
	idle->stored = scalar ? idle->exec : lanes;
	idle->result = idle->stored | idle->loaded;
	if (idle->result && (uses->cross_lane || uses->all_lanes))
		idle->result = idle->exec;
	idle->scalar = scalar || idle->result;
	for (uint32_t i = 0; i < uses->write_count && idle->scalar; i++)
		if (uses->writes[i].file == GFX_FILE_SCALAR &&
		    (uses->writes[i].number & ~1U) == GFX_CODE_EXEC)
			return false;
	return true;
}

/* Lanes that store such a value. */
static uint64_t idle_stores(const struct idle *idle)
{
	return idle->access.write ? idle->access.lanes &
					    (idle->stored | (idle->access.read ? idle->loaded : 0))
				  : 0;
}

static void idle_store(struct idle *idle, const struct wt_loop_run *run)
{
	uint64_t is = idle_stores(idle);
	uint8_t stored = idle->access.read ? WORD_BITS : idle->bits;

	if (!idle->access.write || idle->leads)
		return;
	for (int round = 0; round < 2; round++)
		/* Lanes that store to the same place: one of them counts. */
		for (uint64_t left = round ? is : idle->access.lanes; left; left &= left - 1)
			idle->lost |= idle_visit_lane(&idle->now, run, &idle->access,
						      (uint32_t)__builtin_ctzll(left), true,
						      round ? stored : 0) &&
				      round;
}

static void idle_set_vector(struct idle *idle, bool accumulated, uint32_t number)
{
	uint64_t *lanes = &idle->now.vectors[accumulated][number];
	uint64_t kept = *lanes & ~idle->exec, set = idle->result & idle->exec;
	uint8_t *bits = &idle->now.changing[accumulated][number];

	if (!kept)
		*bits = 0;
	if (set)
		bits_raise(bits, idle->bits);
	*lanes = kept | set;
}

static void idle_after(struct idle *idle, const struct wt_loop_run *run,
		       const struct gfx_uses *uses)
{
	for (uint32_t i = 0; i < uses->write_count; i++) {
		const struct gfx_use *use = &uses->writes[i];

		for (uint32_t word = 0; word < use->words; word++) {
			uint32_t number = use->number + word;

			if (use->file == GFX_FILE_SCALAR && number < WT_LOOP_SCALARS)
				idle->now.scalars[number] = !idle->scalar ? 0
							    : use->mask || number == GFX_CODE_SCC
								    ? WORD_BITS
								    : idle->bits;
			else if (use->file != GFX_FILE_SCALAR && number < GFX_MAX_VGPRS)
				idle_set_vector(idle, use->file == GFX_FILE_ACCUMULATION, number);
		}
	}
	idle_store(idle, run);
}

/* ---- Rounds ---- */

/* A round is followed for its values that change and decide nothing: it is to have so many steps. */
struct watch {
	struct idle idle;
	unsigned int then,
		end; /* steps: when the wave was remembered; when the round is over, 0: none is followed */
	unsigned int steps, widened, tries;
	bool leads;	     /* in that round such a value was a part of an address */
	struct wt_loop loop; /* of that round */
};

/* The instruction that is next belongs to the round. */
static void run_note(struct wt_loop_run *run, const struct gfx_instruction *instruction, bool reads,
		     struct wt_loop *loop)
{
	struct gfx_wave *wave = &run->now.wave;
	struct gfx_access access;

	loop->lanes |= run->whole ? 0 : wave->exec;
	loop->from = wave->pc < loop->from ? wave->pc : loop->from;
	loop->to = wave->pc > loop->to ? wave->pc : loop->to;
	if (!reads || !gfx_touches_memory(instruction))
		return;
	if (!wt_loop_access(run, instruction, &access))
		loop->scalar = true;
	else if (access.read)
		note_read(run, &access, loop);
}

/* GFX_STEP_ILLEGAL_INSTRUCTION if there is no way on that is known. @watch: NULL: none. */
static enum gfx_step run_step(struct wt_loop_run *run, struct watch *watch, struct wt_loop *loop)
{
	struct gfx_instruction instruction;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;
	uint64_t from = run->now.wave.pc;
	enum gfx_step step;

	if (!wt_loop_decode(run, &instruction, &uses))
		return GFX_STEP_ILLEGAL_INSTRUCTION;
	if (watch && watch->end && !idle_before(&watch->idle, run, &instruction, &uses))
		watch->end = 0;
	run_note(run, &instruction, true, loop);
	if (watch && watch->end) {
		run_note(run, &instruction, !watch->idle.loaded, &watch->loop);
		run->drops = watch->idle.leads;
		run->keeps = idle_stores(&watch->idle);
		watch->leads |= run->drops;
	}
	step = gfx_wave_execute(&run->now.wave, &run->memory, &instruction, &fault);
	run->drops = run->keeps = false;
	if (step != GFX_STEP_DONE)
		return step;
	if (watch && watch->end)
		idle_after(&watch->idle, run, &uses);
	run_note_call(run, &instruction, from);
	run_note_whole(run, &instruction, &uses);
	return step;
}

enum gfx_step wt_loop_step(struct wt_loop_run *run, struct wt_loop *loop)
{
	return run_step(run, NULL, loop);
}

/* The wave is where it began, and not the same: follow the next round, which is as long as from where it was remembered. */
static void watch_begin(struct watch *watch, const struct wt_loop_run *run, unsigned int step)
{
	if (watch->end || watch->tries == WATCHES || !run->has_then)
		return;
	watch->tries++;
	if (!idle_begin(&watch->idle, run))
		return;
	watch->steps = step - watch->then;
	watch->end = step + watch->steps;
	watch->widened = 0;
	watch->leads = false;
	watch->loop = (struct wt_loop){.from = UINT64_MAX};
}

/* The round that was followed is over: are all others alike? Else it begins again, with what the values have come to, a few times. */
static bool watch_is_over(struct watch *watch, const struct wt_loop_run *run)
{
	if (watch->idle.stores && (watch->loop.count || watch->loop.scalar)) {
		watch->end = 0;
		return false;
	}
	if (idle_is_closed(&watch->idle, run))
		return true;
	idle_widen(&watch->idle);
	watch->loop = (struct wt_loop){.from = UINT64_MAX};
	watch->end = watch->widened++ < WIDENED ? watch->end + watch->steps : 0;
	return false;
}

/*
 * Values that the wave had in registers for a first part of a round may be older than those it reads now. So a round counts that
 * begins and ends alike, but for values that decide nothing. Where rounds are in rounds, it is compared with a place that is farther
 * back each time.
 */
static void go_round(struct wt_loop_run *run, struct watch *watch, struct wt_loop *loop)
{
	const uint64_t pc = run->now.wave.pc;
	size_t rounds = 0, next = 1, reads = 0; /* up to that round */
	bool over = true;

	*loop = (struct wt_loop){.from = UINT64_MAX};
	for (unsigned int i = 1; i < WT_LOOP_STEPS; i++) {
		over = run_step(run, watch, loop) == GFX_STEP_DONE;
		if (!over)
			break;
		if (run->now.wave.pc != pc)
			continue;
		if (run->has_then && wt_loop_is_same(run)) {
			watch->leads = false;
			loop->is_same = true;
			return;
		}
		if (watch->end == i && watch_is_over(watch, run)) {
			wt_loop_remember(run);
			run->idle = &watch->idle.first;
			*loop = watch->loop;
			loop->miss = watch->idle.miss;
			loop->is_same = true;
			return;
		}
		if (watch->end < i)
			watch->end = 0;
		watch_begin(watch, run, i);
		if (++rounds == next) {
			wt_loop_remember(run);
			watch->then = i;
			next *= 2;
			reads = loop->count || loop->scalar ? rounds : reads;
			*loop = (struct wt_loop){.from = UINT64_MAX};
		}
	}
	/* `loop` has what the wave did since it was remembered last. */
	*loop = (struct wt_loop){
		.blind_rounds = over && !loop->count && !loop->scalar ? rounds - reads : 0,
	};
}

/* ---- Reads of a round that is known ---- */

/* Addresses of one read in one round that are told apart. */
#define TURNS 4096u

struct turns {
	uint64_t list[TURNS];
	size_t count;	    /* also beyond what there is room for */
	unsigned int steps; /* of all rounds that were followed for this */
};

/* Notes the address of the first lane, if the instruction is that read. */
static void turns_note(struct turns *turns, struct wt_loop_run *run,
		       const struct gfx_instruction *instruction, const struct wt_loop_read *read)
{
	struct gfx_access access;

	if (run->now.wave.pc != read->pc || !wt_loop_access(run, instruction, &access) ||
	    !access.lanes)
		return;
	if (turns->count < TURNS)
		turns->list[turns->count] = access.addresses[__builtin_ctzll(access.lanes)];
	turns->count++;
}

/* How many different ones there are; 0 if there are too many to tell. */
static size_t turns_count(struct turns *turns)
{
	size_t different = 0;

	if (turns->count > TURNS)
		return 0;
	qsort(turns->list, turns->count, sizeof(turns->list[0]), wt_compare_u64);
	for (size_t i = 0; i < turns->count; i++)
		different += !i || turns->list[i] != turns->list[i - 1];
	return different;
}

/* Follow the round once more, in which what is chosen counts as a value that changes. @decides: whether such a value decides anything. False: lost. */
static bool idle_follow_round(struct idle *idle, struct wt_loop_run *run,
			      const struct wt_loop_read *read, struct turns *turns, bool *decides)
{
	struct gfx_instruction instruction;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;

	turns->count = 0;
	for (unsigned int i = 0; i < WT_LOOP_STEPS; i++, turns->steps++) {
		if (!wt_loop_decode(run, &instruction, &uses))
			return false;
		*decides = *decides || !idle_before(idle, run, &instruction, &uses) || idle->leads;
		turns_note(turns, run, &instruction, read);
		if (gfx_wave_execute(&run->now.wave, &run->memory, &instruction, &fault) !=
		    GFX_STEP_DONE)
			return false;
		if (!*decides)
			idle_after(idle, run, &uses);
		*decides = *decides || idle->lost;
		if (run->now.wave.pc == run->then.wave.pc && wt_loop_is_same(run))
			return true;
	}
	return false;
}

/* Whether a read decides nothing, whatever it finds: what it loads is told of no round. False: lost. */
static bool loop_try_read(struct idle *idle, struct wt_loop_run *run, struct wt_loop_read *read,
			  struct turns *turns, bool *decides_ret)
{
	*decides_ret = false;
	memset(&idle->first, 0, sizeof(idle->first));
	if (run->idle)
		idle->first = *run->idle;
	idle->written_count = run->now.written_count;
	idle->lost = false;
	idle->chosen = read->pc;
	for (unsigned int i = 0; i <= WIDENED && turns->steps < WT_LOOP_STEPS; i++) {
		idle->now = idle->first;
		if (!idle_follow_round(idle, run, read, turns, decides_ret))
			return false;
		read->turns = turns_count(turns);
		if (*decides_ret || idle_is_closed(idle, run))
			return true;
		idle_widen(idle);
	}
	*decides_ret = true;
	return true;
}

/*
 * Keep the reads that may end the loop, with how many places they look at in turn. The run is at the beginning of a round, and is so afterwards,
 * unless it is lost.
 */
static struct wt_error *loop_choose_reads(struct wt_loop_run *run, struct wt_loop *loop,
					  bool *lost_ret)
{
	wt_cleanup_free struct idle *idle = calloc(1, sizeof(*idle));
	wt_cleanup_free struct turns *turns = calloc(1, sizeof(*turns));
	size_t kept = 0;
	bool decides;

	*lost_ret = false;
	if (!idle || !turns)
		return &wt_error_no_memory;
	for (size_t i = 0; i < loop->count; i++) {
		struct wt_loop_read read = loop->reads[i];

		decides = true;
		*lost_ret = *lost_ret || !loop_try_read(idle, run, &read, turns, &decides);
		if (*lost_ret || decides)
			loop->reads[kept++] = read;
	}
	loop->count = kept;
	return NULL;
}

/* Find which values of the reads end the loop, each while the others stay as they are. */
static struct wt_error *loop_find_ends(struct wt_loop_run *run, struct wt_loop *loop)
{
	struct wt_error *error = NULL;

	if (loop->count == 1)
		wt_loop_follow_read(run, &loop->reads[0]);
	if (loop->count > WT_LOOP_READS)
		return NULL;
	for (size_t i = 0; i < loop->count && !error; i++)
		if (!loop->reads[i].until)
			error = wt_loop_follow_apart(run, &loop->reads[i]);
	return error;
}

struct wt_error *wt_loop_follow(struct wt_explainer *explainer, uint64_t wave,
				struct wt_loop *loop_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, wave);
	wt_cleanup_free struct wt_loop_run *run = NULL;
	wt_cleanup_free struct watch *watch = NULL;
	struct wt_error *error;
	bool known = false, lost = false;

	*loop_ret = (struct wt_loop){0};
	if (!gfx_isa_of(architecture))
		return NULL;
	run = calloc(1, sizeof(*run));
	watch = calloc(1, sizeof(*watch));
	if (!run || !watch)
		return &wt_error_no_memory;
	run->view = view;
	run->handle = wave;
	error = wt_loop_run_init(run, explainer, architecture, &known);
	if (!error && known)
		go_round(run, watch, loop_ret);
	if (!error && loop_ret->is_same && loop_ret->count <= WT_LOOP_READS && !watch->leads)
		error = loop_choose_reads(run, loop_ret, &lost);
	if (!error && !lost && loop_ret->is_same && !loop_ret->scalar)
		error = loop_find_ends(run, loop_ret);
	wt_loop_run_deinit(run);
	return error;
}

const struct wt_explain_argument *wt_loop_argument(const struct wt_explain_arguments *arguments,
						   uint64_t address)
{
	const struct wt_explain_argument *found = NULL;

	for (size_t i = 0; i < arguments->part_count; i++) {
		const struct wt_explain_argument *part = &arguments->parts[i];

		if (part->pointer && part->known && !part->hidden && part->value <= address &&
		    part->value / WT_PAGE == address / WT_PAGE &&
		    (!found || part->value > found->value))
			found = part;
	}
	return found;
}
