/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/unwind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/dwarf/cfi.h"
#include "replayer/dwarf/code.h"

#define SCALARS 106
#define MAX_SLOTS 256
#define MAX_INDEX 512
#define NOBODY (-1)
#define NOT_SAVED UINT32_MAX

#define NOT_KEPT WT_DWARF_UNKNOWN "a function that was called has changed the register"
#define NO_CODE WT_DWARF_UNKNOWN "the code of a function that was called cannot be followed"

/* A lane of a vector register that holds a scalar register of the caller. */
struct slot {
	uint32_t vector, lane;
	int origin;
};

struct wt_dwarf_kept {
	int origin[SCALARS]; /* whose value at the function's start it holds now; or NOBODY */
	bool dirty[2][WT_DWARF_VECTORS]; /* v and a: not as they were */
	uint32_t saved
		[WT_DWARF_VECTORS]; /* where in the frame they are, in bytes of a lane; or NOT_SAVED */
	struct slot slots[MAX_SLOTS];
	size_t slot_count;
};

/* ---- Following code ---- */

static bool operand_index(const struct wt_dwarf_instruction *code, unsigned int operand, char kind,
			  uint32_t limit, uint32_t *index_ret)
{
	const char *text;
	char copy[16], rest;
	unsigned int index;
	size_t length;

	if (!wt_dwarf_operand(code, operand, &text, &length) || length >= sizeof(copy) ||
	    text[0] != kind)
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (sscanf(copy + 1, "%u%c", &index, &rest) != 1 || index >= limit)
		return false;
	*index_ret = index;
	return true;
}

static bool operand_number(const struct wt_dwarf_instruction *code, unsigned int operand,
			   uint32_t *number_ret)
{
	const char *text;
	size_t length;
	char *end;

	if (!wt_dwarf_operand(code, operand, &text, &length))
		return false;
	*number_ret = (uint32_t)strtoul(text, &end, 0);
	return end == text + length;
}

static void drop_slots(struct wt_dwarf_kept *kept, uint32_t vector, uint32_t lane)
{
	for (size_t i = 0; i < kept->slot_count; i++)
		if (kept->slots[i].vector == vector &&
		    (lane == UINT32_MAX || kept->slots[i].lane == lane))
			kept->slots[i].origin = NOBODY;
}

static const struct slot *find_slot(const struct wt_dwarf_kept *kept, uint32_t vector,
				    uint32_t lane)
{
	for (size_t i = kept->slot_count; i-- > 0;)
		if (kept->slots[i].vector == vector && kept->slots[i].lane == lane &&
		    kept->slots[i].origin != NOBODY)
			return &kept->slots[i];
	return NULL;
}

/* v_writelane_b32 v40, s30, 0: keeps a scalar register. */
static bool write_lane(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	uint32_t vector, scalar, lane;

	if (!wt_dwarf_is(code, "v_writelane_b32") ||
	    !operand_index(code, 0, 'v', WT_DWARF_VECTORS, &vector) ||
	    !operand_number(code, 2, &lane))
		return false;
	drop_slots(kept, vector, lane);
	kept->dirty[0][vector] = true;
	if (operand_index(code, 1, 's', SCALARS, &scalar) && kept->origin[scalar] != NOBODY &&
	    kept->slot_count < MAX_SLOTS)
		kept->slots[kept->slot_count++] = (struct slot){vector, lane, kept->origin[scalar]};
	return true;
}

static bool read_lane(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	uint32_t vector, scalar, lane;
	const struct slot *slot;

	if (!wt_dwarf_is(code, "v_readlane_b32") ||
	    !operand_index(code, 0, 's', SCALARS, &scalar) ||
	    !operand_index(code, 1, 'v', WT_DWARF_VECTORS, &vector) ||
	    !operand_number(code, 2, &lane))
		return false;
	slot = find_slot(kept, vector, lane);
	kept->origin[scalar] = slot ? slot->origin : NOBODY;
	return true;
}

static bool move(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	uint32_t to, from;

	if (!wt_dwarf_is(code, "s_mov_b32") || !operand_index(code, 0, 's', SCALARS, &to) ||
	    !operand_index(code, 1, 's', SCALARS, &from))
		return false;
	kept->origin[to] = kept->origin[from];
	return true;
}

/*
 * buffer_store_dword v42, off, s[0:3], s33 offset:24 and scratch_store_dword off, v42, s33 offset:24, or the loads: a vector
 * register in the frame.
 */
static bool in_frame(const struct wt_dwarf_instruction *code, const char *what,
		     uint32_t *vector_ret, uint32_t *offset_ret)
{
	bool buffer = wt_dwarf_is(code, "buffer_"), scratch = wt_dwarf_is(code, "scratch_");
	bool load = !strcmp(what, "_load_");
	const char *offset;

	if ((!buffer && !scratch) || !strstr(code->text, what) ||
	    (!strstr(code->text, "_dword ") && !strstr(code->text, "_b32 ")) ||
	    !operand_index(code, buffer || load ? 0 : 1, 'v', WT_DWARF_VECTORS, vector_ret) ||
	    !wt_dwarf_operand_is(code, buffer ? 3 : 2, (struct wt_dwarf_name){'s', 33}))
		return false;
	offset = strstr(code->text, " offset:");
	*offset_ret = offset ? (uint32_t)strtoul(offset + strlen(" offset:"), NULL, 0) : 0;
	return true;
}

static bool keep_vector(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	uint32_t vector, offset;

	if (in_frame(code, "_store_", &vector, &offset)) {
		/* The first store is that of the caller's value, if nothing else was written before. */
		if (!kept->dirty[0][vector] && kept->origin[33] == 32 &&
		    kept->saved[vector] == NOT_SAVED)
			kept->saved[vector] = offset;
		return true;
	}
	if (!in_frame(code, "_load_", &vector, &offset))
		return false;
	drop_slots(kept, vector, UINT32_MAX);
	kept->dirty[0][vector] = kept->saved[vector] != offset;
	return true;
}

/* What follows an instruction in its function. */
struct rest {
	const struct wt_dwarf_instruction *code;
	size_t count;
};

/*
 * Is a lane of a vector register read back before it is written? Then a call leaves it as it is: of functions that nobody else
 * calls, compilers know which registers they use, and keep values in the others.
 */
static bool is_read_back(const struct rest *rest, uint32_t vector, uint32_t lane)
{
	const struct wt_dwarf_name name = {'v', vector};

	for (size_t i = 0; i < rest->count; i++) {
		const struct wt_dwarf_instruction *code = &rest->code[i];
		bool reads = wt_dwarf_is(code, "v_readlane_b32");
		uint32_t found, number;

		if (reads && operand_index(code, 1, 'v', WT_DWARF_VECTORS, &found) &&
		    operand_number(code, 2, &number) && found == vector && number == lane)
			return true;
		if (wt_dwarf_is(code, "v_writelane_b32") && operand_number(code, 2, &number) &&
		    number != lane)
			continue;
		if (wt_dwarf_writes(code, name))
			return false;
	}
	return false;
}

static void drop_unread(struct wt_dwarf_kept *kept, const struct rest *rest, uint32_t vector)
{
	for (size_t i = 0; i < kept->slot_count; i++)
		if (kept->slots[i].vector == vector &&
		    !is_read_back(rest, vector, kept->slots[i].lane))
			kept->slots[i].origin = NOBODY;
}

/* Registers that a function need not give back as they were. */
static void call(struct wt_dwarf_kept *kept, const struct rest *rest)
{
	for (uint32_t i = 0; i < 32; i++)
		kept->origin[i] = NOBODY;
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++) {
		/* Of v40 and on, eight of sixteen are given back. */
		if (i < 40 || (i - 40) % 16 >= 8) {
			kept->dirty[0][i] = true;
			drop_unread(kept, rest, i);
		}
		kept->dirty[1][i] |= i < 32;
	}
}

static void write_any(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	struct wt_dwarf_range ranges[WT_DWARF_MAX_WRITTEN];
	size_t count = wt_dwarf_written(code, ranges);

	for (size_t i = 0; i < count; i++) {
		for (uint32_t j = ranges[i].first; j <= ranges[i].last && j < MAX_INDEX; j++) {
			if (ranges[i].kind == 's' && j < SCALARS)
				kept->origin[j] = NOBODY;
			if (ranges[i].kind == 's' || j >= WT_DWARF_VECTORS)
				continue;
			kept->dirty[ranges[i].kind == 'a'][j] = true;
			if (ranges[i].kind == 'v')
				drop_slots(kept, j, UINT32_MAX);
		}
	}
}

static void follow(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code,
		   const struct rest *rest)
{
	if (write_lane(kept, code) || read_lane(kept, code) || move(kept, code) ||
	    keep_vector(kept, code))
		return;
	write_any(kept, code);
	if (wt_dwarf_calls(code))
		call(kept, rest);
}

/*
 * What stands behind a return or a branch is reached from elsewhere in the function. There it is as after the last register
 * was kept, but for what is changed anywhere.
 */
static void resume(struct wt_dwarf_kept *kept, const struct wt_dwarf_kept *body,
		   const struct wt_dwarf_kept *now)
{
	struct wt_dwarf_kept result = *body;

	for (uint32_t i = 0; i < SCALARS; i++)
		if (i != 33 && now->origin[i] != result.origin[i])
			result.origin[i] = NOBODY;
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++) {
		result.dirty[0][i] |= now->dirty[0][i];
		result.dirty[1][i] |= now->dirty[1][i];
	}
	*kept = result;
}

/* An instruction that may have been executed or not: what it changes is lost, what it gives back is as it was. */
static void lose(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code,
		 const struct rest *rest)
{
	const struct slot *slot;
	uint32_t to, from, lane;

	if (wt_dwarf_is(code, "v_readlane_b32") && operand_index(code, 0, 's', SCALARS, &to) &&
	    operand_index(code, 1, 'v', WT_DWARF_VECTORS, &from) &&
	    operand_number(code, 2, &lane)) {
		slot = find_slot(kept, from, lane);
		if (!slot || slot->origin != (int)to)
			kept->origin[to] = NOBODY;
		return;
	}
	if (wt_dwarf_is(code, "v_writelane_b32") &&
	    operand_index(code, 0, 'v', WT_DWARF_VECTORS, &to) && operand_number(code, 2, &lane)) {
		drop_slots(kept, to, lane);
		kept->dirty[0][to] = true;
		return;
	}
	if (wt_dwarf_is(code, "s_mov_b32") && operand_index(code, 0, 's', SCALARS, &to) &&
	    operand_index(code, 1, 's', SCALARS, &from) && kept->origin[from] == (int)to)
		return;
	if (in_frame(code, "_store_", &to, &from) ||
	    (in_frame(code, "_load_", &to, &from) && kept->saved[to] == from))
		return;
	write_any(kept, code);
	if (wt_dwarf_calls(code))
		call(kept, rest);
}

/*
 * Loops: what stands behind the pc may have been executed before it. That is all up to the last branch that leads back to the
 * pc or before it, or to what is found so.
 */
static void lose_in_loops(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code,
			  size_t count, size_t total, uint64_t pc)
{
	uint64_t reach = pc;
	size_t end = count;

	for (size_t i = count; i < total; i++)
		if (code[i].has_target && code[i].target <= reach && !wt_dwarf_calls(&code[i])) {
			reach = code[i].address;
			end = i + 1;
		}
	for (size_t i = count; i < end; i++) {
		const struct rest rest = {&code[i + 1], total - i - 1};

		lose(kept, &code[i], &rest);
	}
}

static bool keeps(const struct wt_dwarf_instruction *code)
{
	return wt_dwarf_is(code, "v_writelane_b32") || wt_dwarf_is(code, "s_mov_b32 s33, s32");
}

/* Follow @count of the function's @total instructions. */
static void follow_all(struct wt_dwarf_kept *kept, struct wt_dwarf_kept *body,
		       const struct wt_dwarf_instruction *code, size_t count, size_t total)
{
	for (size_t i = 0; i < SCALARS; i++)
		kept->origin[i] = (int)i;
	for (size_t i = 0; i < WT_DWARF_VECTORS; i++)
		kept->saved[i] = NOT_SAVED;
	*body = *kept;
	for (size_t i = 0; i < count; i++) {
		const struct rest rest = {&code[i + 1], total - i - 1};

		follow(kept, &code[i], &rest);
		if (keeps(&code[i]))
			*body = *kept;
		if (wt_dwarf_ends(&code[i])) {
			const struct wt_dwarf_kept now = *kept;

			resume(kept, body, &now);
		}
	}
}

bool wt_dwarf_frame_keep(struct wt_dwarf_frame *frame)
{
	const struct wt_dwarf_instruction *code = NULL;
	struct wt_dwarf_kept *body;
	size_t count = 0, total = 0;

	if (frame->object && !wt_dwarf_rules_find(frame->object, frame->lookup, &frame->rules))
		return false;
	if (frame->pc < frame->low || frame->pc > frame->high || !frame->high)
		return true;
	if (frame->pc > frame->low) {
		/* All of it, or as far as it is needed. */
		total = wt_dwarf_function_code(frame, frame->high, &code);
		if (!total)
			total = wt_dwarf_function_code(frame, frame->pc, &code);
		if (!total)
			return true;
		count = total;
		/* Decoding may give more than was asked for. */
		while (count && code[count - 1].address >= frame->pc)
			count--;
	}
	body = calloc(1, sizeof(*body));
	frame->kept = calloc(1, sizeof(*frame->kept));
	if (!body || !frame->kept) {
		free(body);
		return false;
	}
	follow_all(frame->kept, body, code, count, total);
	lose_in_loops(frame->kept, code, count, total, frame->pc);
	free(body);
	return true;
}

void wt_dwarf_frame_deinit(struct wt_dwarf_frame *frame)
{
	free(frame->kept);
	frame->kept = NULL;
	wt_dwarf_rules_destroy(frame->rules);
	frame->rules = NULL;
}

/* ---- Registers ---- */

static const char *entry_scalar(const struct wt_dwarf_frame *frame, uint32_t index,
				uint32_t *value_ret)
{
	const struct wt_dwarf_kept *kept = frame->kept;

	/* Where it was is the first place to look. */
	for (uint32_t i = 0; i < SCALARS; i++) {
		uint32_t at = (index + i) % SCALARS;

		if (kept->origin[at] == (int)index)
			return wt_dwarf_frame_register(frame, wt_dwarf_scalar(at), 0, value_ret);
	}
	for (size_t i = 0; i < kept->slot_count; i++)
		if (kept->slots[i].origin == (int)index)
			return wt_dwarf_frame_register(frame,
						       WT_DWARF_VGPR_64 + kept->slots[i].vector,
						       kept->slots[i].lane, value_ret);
	return NOT_KEPT;
}

static const char *entry_vector(const struct wt_dwarf_frame *frame, uint64_t number,
				bool accumulation, uint32_t index, uint32_t lane,
				uint32_t *value_ret)
{
	const struct wt_dwarf_kept *kept = frame->kept;
	uint32_t base;
	const char *why;
	uint8_t data[4];

	if (!kept->dirty[accumulation][index])
		return wt_dwarf_frame_register(frame, number, lane, value_ret);
	if (accumulation || kept->saved[index] == NOT_SAVED)
		return NOT_KEPT;
	why = frame->machine->has_scratch_shift ? wt_dwarf_base_holds(frame, 33) : NOT_KEPT;
	if (!why)
		why = wt_dwarf_frame_register(frame, wt_dwarf_scalar(33), 0, &base);
	if (why)
		return why;
	if (wt_dwarf_frame_memory(frame, GFX_SPACE_PRIVATE_LANE, lane,
				  (base >> frame->machine->scratch_shift) + kept->saved[index],
				  data, sizeof(data)) < sizeof(data))
		return WT_DWARF_NOT_RECORDED;
	*value_ret = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
		     (uint32_t)data[3] << 24;
	return NULL;
}

const char *wt_dwarf_frame_entry(const struct wt_dwarf_frame *frame, uint64_t number, uint32_t lane,
				 uint32_t *value_ret)
{
	const char *why;
	bool accumulation;
	uint32_t index;

	if (wt_dwarf_rules_entry(frame, number, lane, value_ret, &why))
		return why;
	if (!frame->kept)
		return NO_CODE;
	if (wt_dwarf_is_scalar(number, &index))
		return entry_scalar(frame, index, value_ret);
	if (wt_dwarf_is_vector(number, &accumulation, &index))
		return entry_vector(frame, number, accumulation, index, lane, value_ret);
	return NOT_KEPT;
}

const char *wt_dwarf_frame_register(const struct wt_dwarf_frame *frame, uint64_t number,
				    uint32_t lane, uint32_t *value_ret)
{
	if (frame->inner)
		return wt_dwarf_frame_entry(frame->inner, number, lane, value_ret);
	if (frame->machine->read_register(frame->machine->opaque, number, lane, value_ret))
		return NULL;
	return WT_DWARF_NOT_RECORDED;
}

size_t wt_dwarf_frame_memory(const struct wt_dwarf_frame *frame, enum gfx_space space,
			     uint32_t lane, uint64_t address, void *data, size_t size)
{
	return frame->machine->read_memory(frame->machine->opaque, space, lane, address, data,
					   size);
}

const char *wt_dwarf_frame_return(const struct wt_dwarf_frame *frame, uint64_t *address_ret)
{
	uint32_t low, high;
	const char *why;

	if (wt_dwarf_rules_return(frame, address_ret, &why))
		return why;
	why = wt_dwarf_frame_entry(frame, wt_dwarf_scalar(30), 0, &low);
	if (!why)
		why = wt_dwarf_frame_entry(frame, wt_dwarf_scalar(31), 0, &high);
	if (!why)
		*address_ret = low | (uint64_t)high << 32;
	return why;
}
