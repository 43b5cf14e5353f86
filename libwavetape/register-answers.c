/* SPDX-License-Identifier: MIT */
#include "libwavetape/handles.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/architecture/register-list.h"
#include "replayer/view/selection.h"

static const char cannot_show[] = "cannot show registers";

struct wavetape_registers {
	struct wavetape_stop *stop;
	uint64_t wave;
	struct wt_selection selection;
};

static struct wt_error *check_list(const char *list)
{
	struct gfx_register_word wrong;
	const char *why = list ? gfx_register_list_check(list, &wrong) : NULL;

	if (!why)
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, cannot_show, list,
			       "'%.*s': %s; a list takes " GFX_REGISTER_LIST_TAKES,
			       (int)wrong.length, wrong.text, why);
}

struct wavetape_error *wavetape_registers_open(struct wavetape_stop *stop, uint64_t wave,
					       const char *list,
					       struct wavetape_registers **registers_ret)
{
	struct wavetape_registers *registers;
	struct wt_error *error;

	if (!stop || !registers_ret)
		return wt_wrong_argument(cannot_show,
					 "the stop or the place for the registers is NULL");
	error = check_list(list);
	if (error)
		return wt_public(error);
	registers = calloc(1, sizeof(*registers));
	if (!registers)
		return wt_public(&wt_error_no_memory);
	error = wt_selection_make(stop->view, wave, &list, list ? 1 : 0, stop->trace->path,
				  &registers->selection);
	if (error) {
		free(registers);
		return wt_public(error);
	}
	registers->wave = wave;
	registers->stop = stop;
	stop->users++;
	*registers_ret = registers;
	return NULL;
}

void wavetape_registers_close(struct wavetape_registers *registers)
{
	if (!registers)
		return;
	wt_selection_deinit(&registers->selection);
	wt_stop_release(registers->stop);
	free(registers);
}

size_t wavetape_registers_count(const struct wavetape_registers *registers)
{
	return registers ? registers->selection.count : 0;
}

static struct wavetape_error *selected_register_find(struct wavetape_registers *registers,
						     size_t index,
						     struct wt_view_register *register_ret)
{
	if (!registers || index >= registers->selection.count)
		return wt_wrong_argument(cannot_show, "the registers are NULL, or are fewer");
	if (wt_view_register_at(registers->stop->view, registers->wave,
				registers->selection.positions[index], register_ret))
		return NULL;
	return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_show,
					 registers->stop->trace->path, "it was not recorded"));
}

struct wavetape_error *wavetape_registers_get(struct wavetape_registers *registers, size_t index,
					      struct wavetape_register *register_ret)
{
	struct wavetape_register filled;
	struct wt_view_register known;
	struct wavetape_error *error = selected_register_find(registers, index, &known);

	if (error)
		return error;
	wt_register_facts_take(&known, &filled);
	filled.lanes = known.vector ? known.size / (uint32_t)sizeof(uint32_t) : 0;
	return wt_give(cannot_show, &filled, sizeof(filled), register_ret);
}

/* The stop before, if there is one of the same process whose state is not lost. */
static struct wt_error *look_before(struct wavetape_stop *stop)
{
	struct wt_stops *stops = &stop->trace->stops;
	struct wt_view *view = NULL;
	struct wt_error *error;
	uint32_t number;

	if (stop->has_looked_before || stop->number < 2)
		return NULL;
	wt_stops_forget(stops);
	error = wt_stops_view(stops, stop->number - 1, &view, &number);
	if (error && !wt_error_is_loss(error))
		return error;
	stop->has_looked_before = true;
	if (view && wt_view_moment(view)->process != wt_view_moment(stop->view)->process) {
		wt_view_close(view);
		view = NULL;
	}
	stop->before = view;
	return NULL;
}

struct wavetape_error *wavetape_registers_change(struct wavetape_registers *registers, size_t index,
						 int *change_ret)
{
	struct wt_view_register now, before;
	struct wavetape_error *error;
	struct wt_view *view;

	if (!change_ret)
		return wt_wrong_argument(cannot_show, "the place for the change is NULL");
	error = selected_register_find(registers, index, &now);
	if (!error)
		error = wt_public(look_before(registers->stop));
	if (error)
		return error;
	view = registers->stop->before;
	if (!view || !now.value || !wt_view_register(view, registers->wave, now.name, &before) ||
	    before.size != now.size)
		*change_ret = WAVETAPE_CHANGE_UNKNOWN;
	else
		*change_ret = memcmp(before.value, now.value, now.size) ? WAVETAPE_CHANGE_CHANGED
									: WAVETAPE_CHANGE_NONE;
	return NULL;
}

struct wavetape_error *wavetape_registers_in_class(struct wavetape_registers *registers,
						   size_t index, const char *class_name,
						   bool *is_in_ret)
{
	struct wt_view_register known;
	struct wavetape_error *error;

	if (!class_name || !is_in_ret)
		return wt_wrong_argument(cannot_show,
					 "the class or the place for the answer is NULL");
	error = selected_register_find(registers, index, &known);
	if (!error)
		*is_in_ret = wt_view_register_in_class(registers->stop->view, known.id, class_name);
	return error;
}
