/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/cfi.h"

#include <string.h>

#include "replayer/dwarf/cfi-rules.h"
#include "replayer/dwarf/value.h"

/* A rule may ask for registers that have rules: so deep, and so many for one value. */
#define MAX_DEPTH 64
#define MAX_STEPS 20000

static const char too_much[] = WT_DWARF_UNKNOWN "finding it takes more steps than are followed";

#define BROKEN WT_DWARF_UNKNOWN "the debug information is broken"
#define UNDEFINED WT_DWARF_UNKNOWN "a function that was called has not kept the register"
#define NO_FRAME                                                                                   \
	WT_DWARF_UNKNOWN "where the frame of a function that was called is, is not described"

/* ---- The frame's address ---- */

static const char *place_at_register(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
				     uint32_t lane, struct wt_dwarf_piece *piece)
{
	const struct wt_dwarf_base *base = &frame->rules->row.base;
	uint32_t value, scalar;
	const char *why = wt_dwarf_frame_register(frame, base->number, lane, &value);
	bool is_stack = wt_dwarf_is_scalar(base->number, &scalar) && (scalar == 32 || scalar == 33);

	if (why)
		return why;
	piece->address = value + base->offset;
	if (base->has_space)
		return wt_dwarf_space(unit, base->space, &piece->space) ? NULL : BROKEN;
	/* Without a space it would be global memory, where no frame is. */
	if (!is_stack || !frame->machine->has_scratch_shift)
		return WT_DWARF_UNKNOWN "the compiler does not say in which address space it is";
	piece->space = GFX_SPACE_PRIVATE_LANE;
	piece->address = (value >> frame->machine->scratch_shift) + base->offset;
	return NULL;
}

static const char *find_frame(const struct wt_dwarf_frame *frame, uint32_t lane,
			      struct wt_dwarf_unit *unit, struct wt_dwarf_piece *piece_ret)
{
	const struct wt_dwarf_base *base = &frame->rules->row.base;
	const struct wt_dwarf_context context = {.frame = frame, .unit = unit, .lane = lane};
	struct wt_dwarf_location location = {0};

	*piece_ret = (struct wt_dwarf_piece){.place = WT_DWARF_AT_MEMORY, .bits = UINT64_MAX};
	switch (base->kind) {
	case WT_DWARF_BASE_NONE:
		return NO_FRAME;
	case WT_DWARF_BASE_REGISTER:
		return place_at_register(frame, unit, lane, piece_ret);
	case WT_DWARF_BASE_EXPRESSION:
		break;
	}
	wt_dwarf_evaluate(&context, base->expression, &location);
	*piece_ret = location.pieces[0];
	if (location.count == 1 && piece_ret->place == WT_DWARF_AT_MEMORY)
		return NULL;
	return location.pieces[0].place == WT_DWARF_AT_UNKNOWN ? location.pieces[0].why : BROKEN;
}

/* ---- Rules ---- */

static const struct wt_dwarf_rule *find_rule(const struct wt_dwarf_rules *rules, uint64_t number)
{
	for (size_t i = 0; i < rules->row.count; i++)
		if (rules->row.rules[i].number == number &&
		    rules->row.rules[i].kind != WT_DWARF_RULE_NONE)
			return &rules->row.rules[i];
	return NULL;
}

/* The other number of a vector register: assemblers write those of 64 lanes only. */
static uint64_t other_number(uint64_t number)
{
	if (number >= WT_DWARF_VGPR_64 && number - WT_DWARF_VGPR_64 < 1024)
		return number - WT_DWARF_VGPR_64 + WT_DWARF_VGPR_32;
	if (number >= WT_DWARF_VGPR_32 && number - WT_DWARF_VGPR_32 < 1024)
		return number - WT_DWARF_VGPR_32 + WT_DWARF_VGPR_64;
	return number;
}

static void register_bytes_from(uint64_t value, uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)(value >> 8 * i);
}

/* Finds where a rule says that the register is. */
static const char *locate(const struct wt_dwarf_frame *frame, const struct wt_dwarf_rule *rule,
			  struct wt_dwarf_unit *unit, uint32_t lane,
			  struct wt_dwarf_location *location)
{
	struct wt_dwarf_context context = {.frame = frame, .unit = unit, .lane = lane};
	struct wt_dwarf_piece base;
	const char *why = find_frame(frame, lane, unit, &base);
	bool accumulation;
	uint32_t index;

	if (rule->kind == WT_DWARF_RULE_LOCATION) {
		/* Not every expression needs it. */
		context.initial = why ? NULL : &base;
		wt_dwarf_evaluate(&context, rule->expression, location);
		return NULL;
	}
	if (why)
		return why;
	location->count = 1;
	location->pieces[0] = base;
	location->pieces[0].address += rule->operand;
	/* All lanes of a register stand together in the memory of a wave. */
	if (base.space != GFX_SPACE_PRIVATE_LANE &&
	    wt_dwarf_is_vector(rule->number, &accumulation, &index))
		location->pieces[0].address += 4 * (uint64_t)lane;
	return NULL;
}

static const char *compute(const struct wt_dwarf_frame *frame, const struct wt_dwarf_rule *rule,
			   struct wt_dwarf_unit *unit, uint32_t lane, uint64_t *value_ret)
{
	struct wt_dwarf_context context = {.frame = frame, .unit = unit, .lane = lane};
	struct wt_dwarf_piece base;
	const char *why = find_frame(frame, lane, unit, &base);

	if (rule->kind == WT_DWARF_RULE_EXPRESSION) {
		context.initial = why ? NULL : &base;
		return wt_dwarf_evaluate_number(&context, rule->expression, value_ret);
	}
	if (!why)
		*value_ret = base.address + rule->operand;
	return why;
}

/* @size bytes of a register of the caller, @from so many on. */
static const char *read_rule(const struct wt_dwarf_frame *frame, const struct wt_dwarf_rule *rule,
			     uint32_t lane, size_t from, uint8_t *data, size_t size)
{
	struct wt_dwarf_unit unit = {.object = frame->object,
				     .version = 5,
				     .address_size = frame->rules->address_size,
				     .offset_size = 4,
				     .amd = true};
	struct wt_dwarf_location location = {0};
	uint64_t value = 0;
	const char *why = NULL;

	switch (rule->kind) {
	case WT_DWARF_RULE_SAME:
	case WT_DWARF_RULE_REGISTER:
		for (size_t i = 0; i < size && !why; i += 4) {
			uint32_t word = 0;

			why = wt_dwarf_frame_register(
				frame,
				rule->kind == WT_DWARF_RULE_SAME ? rule->number : rule->operand,
				lane + (uint32_t)(from + i) / 4, &word);
			register_bytes_from(word, data + i, 4);
		}
		return why;
	case WT_DWARF_RULE_AT:
	case WT_DWARF_RULE_LOCATION:
		why = locate(frame, rule, &unit, lane, &location);
		return why ? why : wt_dwarf_read(frame, lane, &location, 8 * from, 8 * size, data);
	case WT_DWARF_RULE_VALUE:
	case WT_DWARF_RULE_EXPRESSION:
		why = compute(frame, rule, &unit, lane, &value);
		register_bytes_from(value >> 8 * from, data, size);
		return why;
	case WT_DWARF_RULE_NONE:
	case WT_DWARF_RULE_UNDEFINED:
		break;
	}
	return UNDEFINED;
}

/* The same, within limits. */
static const char *read_limited(const struct wt_dwarf_frame *frame,
				const struct wt_dwarf_rule *rule, uint32_t lane, size_t from,
				uint8_t *data, size_t size)
{
	struct wt_dwarf_effort *effort = frame->machine->effort;
	const char *why;

	if (!effort->depth)
		effort->steps = 0;
	if (effort->depth >= MAX_DEPTH || ++effort->steps > MAX_STEPS)
		return too_much;
	effort->depth++;
	why = read_rule(frame, rule, lane, from, data, size);
	effort->depth--;
	return why;
}

static uint32_t find_value(const struct wt_dwarf_frame *frame, const struct wt_dwarf_rule *rule,
			   uint64_t number, uint32_t lane, const char **why_ret)
{
	bool is_exec = number == WT_DWARF_EXEC_32 || number == WT_DWARF_EXEC_64;
	uint8_t data[4] = {0};

	/* The second half of a mask of lanes is asked for as if it were a lane. */
	*why_ret = read_limited(frame, rule, is_exec ? 0 : lane, is_exec ? 4 * lane : 0, data,
				sizeof(data));
	return data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

bool wt_dwarf_rules_entry(const struct wt_dwarf_frame *frame, uint64_t number, uint32_t lane,
			  uint32_t *value_ret, const char **why_ret)
{
	struct wt_dwarf_effort *effort = frame->machine->effort;
	struct wt_dwarf_found_register *found;
	const struct wt_dwarf_rule *rule;

	if (!frame->rules)
		return false;
	rule = find_rule(frame->rules, number);
	if (!rule)
		rule = find_rule(frame->rules, other_number(number));
	if (!rule)
		return false;
	found = &effort->found[((uintptr_t)frame / sizeof(*frame) * 31 + number * 7 + lane) %
			       (sizeof(effort->found) / sizeof(*effort->found))];
	if (found->frame != frame || found->number != number || found->lane != lane) {
		const char *why;
		const uint32_t value = find_value(frame, rule, number, lane, &why);

		/* A value that took too long from here may be found from elsewhere. */
		if (why == too_much) {
			*why_ret = why;
			return true;
		}
		*found = (struct wt_dwarf_found_register){frame, number, lane, value, why};
	}
	*value_ret = found->value;
	*why_ret = found->why;
	return true;
}

bool wt_dwarf_rules_return(const struct wt_dwarf_frame *frame, uint64_t *address_ret,
			   const char **why_ret)
{
	const struct wt_dwarf_rule *rule;
	uint8_t data[8] = {0};

	rule = frame->rules ? find_rule(frame->rules, frame->rules->return_column) : NULL;
	if (!rule)
		return false;
	*address_ret = 0;
	*why_ret = rule->kind == WT_DWARF_RULE_UNDEFINED
			   ? "the compiler says that nothing called it"
			   : read_limited(frame, rule, 0, 0, data, sizeof(data));
	for (size_t i = 0; i < sizeof(data); i++)
		*address_ret |= (uint64_t)data[i] << 8 * i;
	return true;
}

const char *wt_dwarf_rules_frame(const struct wt_dwarf_frame *frame, uint32_t lane,
				 struct wt_dwarf_piece *piece_ret)
{
	struct wt_dwarf_unit unit = {
		.object = frame->object, .version = 5, .offset_size = 4, .amd = true};
	struct wt_dwarf_effort *effort = frame->machine->effort;
	const char *why;

	if (!frame->rules)
		return WT_DWARF_UNKNOWN "where the function's frame is, is not described";
	unit.address_size = frame->rules->address_size;
	if (effort->depth >= MAX_DEPTH)
		return too_much;
	/* An expression could ask for itself. */
	effort->depth++;
	why = find_frame(frame, lane, &unit, piece_ret);
	effort->depth--;
	return why;
}
