/* SPDX-License-Identifier: MIT */
#include "replayer/view/selection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/guess.h"
#include "gfx/architecture/register-list.h"

void wt_selection_deinit(struct wt_selection *selection)
{
	free(selection->positions);
	free(selection->selected);
}

static bool is_named(struct wt_view *view, const struct gfx_register_word *word, uint64_t id,
		     const char *name)
{
	static const char *const no_classes[] = {NULL};
	wt_cleanup_free char *class_name = NULL;

	if (gfx_register_word_names(word, name, no_classes))
		return true;
	class_name = strndup(word->text, word->length);
	return class_name && wt_view_register_in_class(view, id, class_name);
}

/** Why no recorded register of the wave is named by an element of a list. */
static struct wt_error *not_there(struct wt_view *view, uint64_t wave,
				  const struct gfx_register_word *word)
{
	static const char what[] = "cannot show the register";
	wt_cleanup_free char *where = strndup(word->text, word->length);
	const uint64_t *registers;
	size_t count = wt_view_objects(view, WT_OBJECT_REGISTER, &registers);
	struct wt_guess guess = wt_guess_begin(where ? where : "");
	bool known = false;

	for (size_t i = 0; i < count; i++) {
		const char *name = wt_view_text(view, WT_OBJECT_REGISTER, registers[i],
						AMD_DBGAPI_REGISTER_INFO_NAME);
		bool exists = name && wt_view_register_exists(view, wave, registers[i]);

		if (exists)
			wt_guess_offer(&guess, name);
		if (!name || !is_named(view, word, registers[i], name))
			continue;
		if (exists)
			return wt_error_create(WT_ERROR_NOT_FOUND, what, where,
					       "its value was not recorded for wave %" PRIu64,
					       wave);
		known = true;
	}
	if (known)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, where,
			"wave %" PRIu64 " has no such register, or it was not recorded", wave);
	return wt_error_create(WT_ERROR_NOT_FOUND, what, where,
			       "no GPU of this trace has a register or class of that name%s%s%s",
			       guess.nearest ? ": did you mean " : "",
			       guess.nearest ? guess.nearest : "", guess.nearest ? "?" : "");
}

static void select_one(struct wt_selection *selection, size_t position)
{
	if (!selection->selected[position])
		selection->positions[selection->count++] = position;
	selection->selected[position] = true;
}

/* @total: how many registers of the wave were recorded. */
static struct wt_error *select_word(struct wt_view *view, uint64_t wave,
				    const struct gfx_register_word *word, size_t total,
				    struct wt_selection *selection)
{
	bool found = false;

	for (size_t i = 0; i < total; i++) {
		struct wt_view_register reg;

		if (!wt_view_register_at(view, wave, i, &reg) ||
		    !is_named(view, word, reg.id, reg.name))
			continue;
		found = true;
		select_one(selection, i);
	}
	return found ? NULL : not_there(view, wave, word);
}

struct wt_error *wt_selection_make(struct wt_view *view, uint64_t wave, const char *const *lists,
				   size_t list_count, const char *where,
				   struct wt_selection *selection_ret)
{
	size_t total = wt_view_register_count(view, wave);
	struct wt_selection selection = {0};
	struct wt_error *error = NULL;
	struct gfx_register_word word;

	if (!total)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot show registers", where,
				       "no registers of wave %" PRIu64
				       " were recorded at this stop: only stopped waves' are",
				       wave);
	selection.positions = calloc(total, sizeof(*selection.positions));
	selection.selected = calloc(total, sizeof(*selection.selected));
	if (!selection.positions || !selection.selected)
		error = &wt_error_no_memory;
	for (size_t i = 0; !error && i < total && !list_count; i++)
		select_one(&selection, i);
	for (size_t i = 0; i < list_count; i++) {
		const char *rest = lists[i];

		while (!error && gfx_register_list_next(&rest, &word))
			error = select_word(view, wave, &word, total, &selection);
	}
	if (error)
		wt_selection_deinit(&selection);
	else
		*selection_ret = selection;
	return error;
}
