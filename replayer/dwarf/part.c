/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replayer/dwarf/expression-value.h"

/* Nobody opens more members of a structure. */
#define MAX_MEMBERS 10000

static bool operand_is_nowhere(const struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_location *location = &operand->location;

	if (operand->computed)
		return true;
	return location->count == 1 && location->pieces[0].place == WT_DWARF_AT_UNKNOWN;
}

/* Follow a pointer; false if it is not known, null, or leads to nothing that can be shown. */
static bool pointer_follow(const struct wt_dwarf_scene *scene, uint32_t lane,
			   struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_complaint complaint;
	struct wt_dwarf_parser parser = {
		.scene = scene, .lane = lane, .start = "", .at = "", .complaint = &complaint};

	if (operand->type.kind == WT_DWARF_TYPE_POINTER && !operand->computed) {
		struct wt_dwarf_operand loaded = *operand;

		wt_dwarf_operand_load(&parser, &loaded);
		if (parser.failed || (!loaded.why && !loaded.scalar.number))
			return false;
	} else if (operand->computed && (operand->why || !operand->scalar.number)) {
		return false;
	}
	wt_dwarf_operand_dereference(&parser, operand);
	return !parser.failed && !operand->computed;
}

static bool operand_is_pointer(const struct wt_dwarf_operand *operand)
{
	return operand->has_target || operand->type.kind == WT_DWARF_TYPE_POINTER;
}

static bool member_find(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			uint64_t index, struct wt_dwarf_member *member_ret)
{
	struct wt_dwarf_members state = {0};

	for (uint64_t i = 0; i < MAX_MEMBERS; i++) {
		if (!wt_dwarf_member_next(type, unit, &state, member_ret))
			return false;
		if (i == index)
			return true;
	}
	return false;
}

static uint64_t member_count(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit)
{
	struct wt_dwarf_members state = {0};
	struct wt_dwarf_member member;
	uint64_t count = 0;

	while (count < MAX_MEMBERS && wt_dwarf_member_next(type, unit, &state, &member))
		count++;
	return count;
}

uint64_t wt_dwarf_part_count(const struct wt_dwarf_scene *scene, uint32_t lane,
			     const struct wt_dwarf_operand *operand)
{
	struct wt_dwarf_type element;
	uint64_t count;

	if (operand->repeated)
		return operand_is_nowhere(operand) ? 0 : operand->repeated;
	if (operand_is_pointer(operand)) {
		struct wt_dwarf_operand target = *operand;

		return pointer_follow(scene, lane, &target);
	}
	if (operand_is_nowhere(operand))
		return 0;
	if (operand->type.kind == WT_DWARF_TYPE_STRUCT)
		return member_count(&operand->type, scene->unit);
	if (operand->type.kind != WT_DWARF_TYPE_ARRAY)
		return 0;
	wt_dwarf_type_target(&operand->type, scene->unit, &element);
	return wt_dwarf_type_count(&operand->type, &count) && element.bits ? count : 0;
}

static bool member_take(const struct wt_dwarf_scene *scene, uint32_t lane,
			struct wt_dwarf_operand *operand, uint64_t index,
			char name_ret[WT_DWARF_MAX_TYPE])
{
	struct wt_dwarf_member member;
	char label[WT_DWARF_MAX_TYPE];
	uint64_t place;
	const char *why;

	if (!member_find(&operand->type, scene->unit, index, &member))
		return false;
	snprintf(name_ret, WT_DWARF_MAX_TYPE, "%s",
		 wt_dwarf_member_label(&operand->type, scene->unit, &member, label));
	why = wt_dwarf_member_place(scene->frame, scene->unit, lane, &operand->location,
				    operand->offset, &member, &place);
	if (why) {
		wt_dwarf_operand_unknown(operand, &member.type, why);
		return true;
	}
	operand->type = member.type;
	operand->offset = place;
	operand->bits = member.bits;
	return true;
}

bool wt_dwarf_part_take(const struct wt_dwarf_scene *scene, uint32_t lane,
			struct wt_dwarf_operand *operand, uint64_t index,
			char name_ret[WT_DWARF_MAX_TYPE])
{
	struct wt_dwarf_type element;

	if (index >= wt_dwarf_part_count(scene, lane, operand))
		return false;
	if (operand->repeated) {
		snprintf(name_ret, WT_DWARF_MAX_TYPE, "[%" PRIu64 "]", index);
		operand->offset += index * operand->bits;
		operand->repeated = 0;
		return true;
	}
	if (operand_is_pointer(operand)) {
		snprintf(name_ret, WT_DWARF_MAX_TYPE, "*");
		return pointer_follow(scene, lane, operand);
	}
	if (operand->type.kind == WT_DWARF_TYPE_STRUCT)
		return member_take(scene, lane, operand, index, name_ret);
	wt_dwarf_type_target(&operand->type, scene->unit, &element);
	if (index > (UINT64_MAX - operand->offset) / element.bits)
		return false;
	snprintf(name_ret, WT_DWARF_MAX_TYPE, "[%" PRIu64 "]", index);
	wt_dwarf_operand_select(operand, &element, index * element.bits, element.bits);
	return true;
}
