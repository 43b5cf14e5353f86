/* SPDX-License-Identifier: MIT */
/* Expressions of users over a frame: its variables, globals, and registers. */
#include <stdio.h>
#include <string.h>

#include "replayer/view/stack-internal.h"

/* ---- Expressions ---- */

/* The scene in which the names of an expression are looked up. */
struct scene {
	struct wt_stack *stack;
	struct logical *frame;
};

static bool find_variable(const struct scene *scene, const char *name, size_t *index_ret)
{
	const struct logical *frame = scene->frame;

	for (size_t i = 0; i < frame->variable_count; i++)
		if (!frame->variables[i].is_shadowed && !strcmp(frame->variables[i].name, name)) {
			*index_ret = i;
			return true;
		}
	return false;
}

static void set_operand(const struct scene *scene, struct wt_dwarf_variable *variable,
			struct wt_dwarf_trust *trust, uint32_t lane,
			struct wt_dwarf_operand *operand)
{
	struct physical *physical = scene->frame->physical;
	struct wt_dwarf_unit *unit = &physical->scopes.unit;

	wt_dwarf_type_of(&operand->type, unit, &variable->die);
	wt_dwarf_variable_find(
		&physical->frame, unit,
		dwarf_dieoffset(&physical->scopes.dies[scene->frame->function.first]),
		&variable->die, &operand->type, lane, trust, &operand->location);
	operand->computed = operand->has_target = false;
	operand->why = NULL;
	operand->offset = 0;
	operand->bits = operand->type.bits;
}

static bool scene_variable(void *opaque, const char *name, uint32_t lane,
			   struct wt_dwarf_operand *operand)
{
	const struct scene *scene = opaque;
	struct wt_dwarf_variable global;
	struct wt_dwarf_trust trust = {0};
	size_t index;

	if (!scene->frame->has_function)
		return false;
	if (find_variable(scene, name, &index))
		set_operand(scene, &scene->frame->variables[index], &scene->frame->trusts[index],
			    lane, operand);
	else if (wt_dwarf_global(&scene->frame->physical->scopes, name, &global))
		set_operand(scene, &global, &trust, lane, operand);
	else
		return false;
	return true;
}

static bool scene_has_variable(void *opaque, const char *name)
{
	const struct scene *scene = opaque;
	struct wt_dwarf_variable global;
	size_t index;

	return scene->frame->has_function &&
	       (find_variable(scene, name, &index) ||
		wt_dwarf_global(&scene->frame->physical->scopes, name, &global));
}

/* v4, s7, a1: as they are in the frame. */
static bool general_register(const struct scene *scene, const char *name, uint32_t lane,
			     uint64_t *value_ret, const char **why_ret)
{
	unsigned int index;
	uint32_t value = 0;
	uint64_t number;
	char kind, rest;

	if (sscanf(name, "%c%u%c", &kind, &index, &rest) != 2 || !strchr("sva", kind) ||
	    index >= (kind == 's' ? 106 : WT_DWARF_VECTORS))
		return false;
	number = kind == 's'   ? wt_dwarf_scalar(index)
		 : kind == 'v' ? WT_DWARF_VGPR_64 + index
			       : WT_DWARF_AGPR_64 + index;
	*why_ret = wt_dwarf_frame_register(&scene->frame->physical->frame, number, lane, &value);
	*value_ret = value;
	return true;
}

static bool scene_register(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret,
			   unsigned int *bits_ret, const char **why_ret)
{
	const struct scene *scene = opaque;
	const struct wt_view_machine *machine = &scene->stack->machine;
	struct wt_view_register found;

	*bits_ret = 32;
	if (scene->frame->physical && general_register(scene, name, lane, value_ret, why_ret))
		return true;
	if (!wt_view_register(machine->view, machine->wave, name, &found) ||
	    !wt_view_register_value(machine->view, machine->wave, name, lane, value_ret))
		return false;
	*bits_ret = 8 * (found.vector ? found.size / machine->machine.lanes : found.size);
	if (scene->frame->physical && scene->frame->physical->frame.inner)
		*why_ret =
			WT_DWARF_UNKNOWN "a function that was called may have changed the register";
	return true;
}

struct wt_error *wt_stack_print(struct wt_stack *stack, size_t index, uint32_t lane,
				const char *text, const struct wt_dwarf_sink *sink,
				char type_ret[WT_DWARF_MAX_TYPE], bool *is_one_ret,
				struct wt_dwarf_complaint *complaint_ret)
{
	struct scene names = {stack, &stack->frames[index]};
	struct wt_dwarf_scene scene = {
		.opaque = &names,
		.variable = scene_variable,
		.has_variable = scene_has_variable,
		.read_register = scene_register,
	};
	struct wt_dwarf_unit no_unit = {0};
	struct wt_error *error;
	size_t count;

	error = wt_stack_variables(stack, index, &count);
	if (error)
		return error;
	scene.unit = &no_unit;
	if (names.frame->physical) {
		scene.frame = &names.frame->physical->frame;
		scene.unit = &names.frame->physical->scopes.unit;
	}
	if (names.frame->has_function) {
		const struct wt_dwarf_function *function = &names.frame->function;

		scene.scopes = &names.frame->physical->scopes.dies[function->first];
		scene.scope_count = function->last - function->first + 1;
	}
	*is_one_ret = wt_dwarf_print(&scene, lane, text, sink, type_ret, complaint_ret);
	return NULL;
}
