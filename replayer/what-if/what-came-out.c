/* SPDX-License-Identifier: MIT */
/* Both runs of a dispatch, with the changes and without them: how their waves ended, and which memory differs. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/what-if/internal.h"

/* Bytes that are as they were between two that are not are of one difference with them, up to so many. */
#define GAP 8u

struct wt_what_if {
	struct wt_prepared_stop stop;
	uint64_t wave;
	struct wt_changed_value *changes;
	size_t change_count;
	/* The run with the changes; and the one without them, unless there is none. */
	struct wt_going_on *changed, *plain;
	char *plain_why_not;
	struct wt_what_if_difference *differences;
	size_t difference_count;
	uint64_t from_recording, from_plain;
};

struct wt_error *wt_what_if_create(struct wt_explainer *explainer, uint64_t wave,
				   const struct wt_what_if_options *options,
				   struct wt_what_if **what_if_ret)
{
	struct wt_what_if *what_if = calloc(1, sizeof(*what_if));
	struct wt_error *error;

	if (!what_if)
		return &wt_error_no_memory;
	what_if->wave = wave;
	error = wt_prepared_stop_init(&what_if->stop, explainer, wave, options);
	if (error) {
		wt_what_if_destroy(what_if);
		return error;
	}
	*what_if_ret = what_if;
	return NULL;
}

static void going_on_destroy(struct wt_going_on *going)
{
	if (!going)
		return;
	wt_going_on_deinit(going);
	free(going);
}

static void forget_runs(struct wt_what_if *what_if)
{
	going_on_destroy(what_if->changed);
	going_on_destroy(what_if->plain);
	free(what_if->plain_why_not);
	free(what_if->differences);
	what_if->changed = what_if->plain = NULL;
	what_if->plain_why_not = NULL;
	what_if->differences = NULL;
	what_if->difference_count = 0;
	what_if->from_recording = what_if->from_plain = 0;
}

void wt_what_if_destroy(struct wt_what_if *what_if)
{
	if (!what_if)
		return;
	forget_runs(what_if);
	for (size_t i = 0; i < what_if->change_count; i++)
		wt_changed_value_deinit(&what_if->changes[i]);
	free(what_if->changes);
	wt_prepared_stop_deinit(&what_if->stop);
	free(what_if);
}

struct wt_error *wt_what_if_set(struct wt_what_if *what_if, const char *text, uint32_t lane)
{
	struct wt_changed_value *changes =
		reallocarray(what_if->changes, what_if->change_count + 1, sizeof(*changes));
	struct wt_error *error;

	if (!changes)
		return &wt_error_no_memory;
	what_if->changes = changes;
	error = wt_changed_value_init(text, lane, &changes[what_if->change_count]);
	what_if->change_count += !error;
	return error;
}

/* ---- Which memory differs ---- */

/* A place at which all three states are looked at. */
struct compared {
	uint64_t address;
	const uint8_t *recorded, *changed, *plain;
};

static struct wt_error *difference_add(struct wt_what_if *what_if,
				       const struct wt_what_if_difference *difference)
{
	size_t count = what_if->difference_count;
	struct wt_what_if_difference *list = what_if->differences;

	if (count & (count - 1)) {
		list[what_if->difference_count++] = *difference;
		return NULL;
	}
	list = reallocarray(list, count ? 2 * count : 1, sizeof(*list));
	if (!list)
		return &wt_error_no_memory;
	what_if->differences = list;
	list[what_if->difference_count++] = *difference;
	return NULL;
}

/* The difference that begins at a byte, and which ends where so many bytes are equal again. */
static struct wt_what_if_difference difference_measure(struct wt_what_if *what_if,
						       const struct compared *at, size_t room)
{
	struct wt_what_if_difference difference = {
		.address = at->address,
		.recorded = at->recorded,
		.changed = at->changed,
		.plain = at->plain,
	};

	for (size_t i = 0; i < room && i < difference.size + GAP; i++) {
		bool recording = at->changed[i] != at->recorded[i];
		bool plain = at->plain && at->changed[i] != at->plain[i];

		what_if->from_recording += recording;
		what_if->from_plain += plain;
		difference.from_recording |= recording;
		difference.from_plain |= plain;
		if (recording || plain)
			difference.size = i + 1;
	}
	return difference;
}

/* Differences begin and end at words, as what programs store does. */
static void difference_widen(struct wt_what_if_difference *difference, const struct compared *piece,
			     size_t size)
{
	uint64_t before = difference->address % 4, end;

	if (before > difference->address - piece->address)
		before = 0;
	difference->address -= before;
	difference->size += before;
	difference->recorded -= before;
	difference->changed -= before;
	if (difference->plain)
		difference->plain -= before;
	end = (difference->address + difference->size + 3) / 4 * 4;
	if (end - piece->address <= size)
		difference->size = end - difference->address;
}

static struct wt_error *piece_compare(struct wt_what_if *what_if, const struct compared *piece,
				      size_t size)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < size && !error;) {
		const struct compared at = {piece->address + i, piece->recorded + i,
					    piece->changed + i,
					    piece->plain ? piece->plain + i : NULL};
		struct wt_what_if_difference difference;

		if (*at.changed == *at.recorded && (!at.plain || *at.changed == *at.plain)) {
			i++;
			continue;
		}
		difference = difference_measure(what_if, &at, size - i);
		i += difference.size;
		difference_widen(&difference, piece, size);
		error = difference_add(what_if, &difference);
	}
	return error;
}

/* Is an address in the private memory of a wave? What is left there once the wave has ended means nothing. */
static bool address_is_private(const struct wt_prepared_stop *stop, uint64_t address)
{
	for (size_t i = 0; i < stop->wave_count; i++)
		if (stop->waves[i].place && address - stop->waves[i].place < stop->wave_private)
			return true;
	return false;
}

static struct wt_error *memory_compare(struct wt_what_if *what_if)
{
	const struct wt_pieces *pieces = &what_if->stop.pieces;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < pieces->count && !error; i++) {
		const struct wt_piece *piece = &pieces->list[i];
		const struct compared compared = {
			.address = piece->address,
			.recorded = piece->data,
			.changed = wt_memory_at(&what_if->changed->machine.memory, piece->address,
						piece->size),
			.plain = what_if->plain ? wt_memory_at(&what_if->plain->machine.memory,
							       piece->address, piece->size)
						: NULL,
		};

		if (address_is_private(&what_if->stop, piece->address) || !compared.changed)
			continue;
		if (memcmp(compared.changed, piece->data, piece->size) != 0 ||
		    (compared.plain && memcmp(compared.changed, compared.plain, piece->size) != 0))
			error = piece_compare(what_if, &compared, piece->size);
	}
	return error;
}

/* ---- Running ---- */

static struct wt_error *run_once(struct wt_what_if *what_if, bool change,
				 struct wt_going_on **going_ret)
{
	struct wt_going_on *going = calloc(1, sizeof(*going));
	struct wt_error *error;

	if (!going)
		return &wt_error_no_memory;
	error = wt_going_on_init(going, &what_if->stop);
	for (size_t i = 0; i < what_if->change_count && change && !error; i++)
		error = wt_changed_value_put(&what_if->changes[i], going, what_if->wave);
	if (!error)
		error = wt_going_on_run(going);
	if (error) {
		going_on_destroy(going);
		return error;
	}
	*going_ret = going;
	return NULL;
}

struct wt_error *wt_what_if_run(struct wt_what_if *what_if)
{
	struct wt_error *error;

	forget_runs(what_if);
	error = run_once(what_if, true, &what_if->changed);
	if (error)
		return error;
	if (what_if->change_count)
		error = run_once(what_if, false, &what_if->plain);
	if (error && error->code == WT_ERROR_MEMORY)
		return error;
	if (error) {
		what_if->plain_why_not = strdup(error->why);
		wt_error_destroy(error);
		if (!what_if->plain_why_not)
			return &wt_error_no_memory;
	}
	return memory_compare(what_if);
}

/* ---- What came out ---- */

static bool outcomes_differ(const struct wt_what_if_wave *wave)
{
	const struct wt_what_if_outcome *one = &wave->changed, *other = &wave->plain;

	return wave->in_changed != wave->in_plain || one->end != other->end ||
	       one->reasons != other->reasons || one->pc != other->pc ||
	       one->address != other->address || one->lanes != other->lanes;
}

static size_t wave_total(const struct wt_what_if *what_if)
{
	size_t changed = what_if->changed ? what_if->changed->wave_count : 0;
	size_t plain = what_if->plain ? what_if->plain->wave_count : 0;

	return changed > plain ? changed : plain;
}

static bool wave_is_gone(const struct wt_what_if *what_if, size_t index)
{
	const struct wt_going_on *any =
		index < what_if->changed->wave_count ? what_if->changed : what_if->plain;

	return any->waves[index].gone;
}

/* The place of a wave in the machines' lists, which have those, too, that had ended before the stop. */
static size_t wave_find(const struct wt_what_if *what_if, size_t index)
{
	size_t total = wave_total(what_if);

	for (size_t i = 0; i < total; i++)
		if (!wave_is_gone(what_if, i) && !index--)
			return i;
	return total;
}

static struct wt_what_if_wave compared_wave_describe(const struct wt_what_if *what_if, size_t index)
{
	const struct wt_going_on *runs[] = {what_if->changed, what_if->plain};
	struct wt_what_if_wave wave = {.wave = 0};

	for (size_t r = 0; r < 2; r++) {
		const struct wt_going_wave *known =
			runs[r] && index < runs[r]->wave_count ? &runs[r]->waves[index] : NULL;

		if (!known)
			continue;
		wave.wave = known->handle;
		memcpy(wave.workgroup, known->workgroup, sizeof(wave.workgroup));
		wave.number_in_workgroup = known->number_in_workgroup;
		wave.from = known->from;
		if (r)
			wave.plain = known->outcome;
		else
			wave.changed = known->outcome;
		wave.in_changed |= !r;
		wave.in_plain |= r;
	}
	wave.differs = what_if->plain && outcomes_differ(&wave);
	return wave;
}

void wt_what_if_wave(const struct wt_what_if *what_if, size_t index,
		     struct wt_what_if_wave *wave_ret)
{
	*wave_ret = compared_wave_describe(what_if, wave_find(what_if, index));
}

void wt_what_if_summary(const struct wt_what_if *what_if, struct wt_what_if_summary *summary_ret)
{
	const struct wt_prepared_stop *stop = &what_if->stop;
	struct wt_what_if_summary summary = {
		.dispatch = stop->followed->dispatch.handle,
		.kernel = wt_explainer_kernel(
			stop->explainer,
			wt_view_kernel(stop->view, stop->followed->dispatch.handle), NULL),
		.seed = stop->options.seed,
		.waves = stop->wave_count,
		.not_begun = stop->not_begun,
		.instructions = what_if->changed->instructions,
		.limit_reached = what_if->changed->limit_reached,
		.plain_why_not = what_if->plain_why_not,
		.from_recording = what_if->from_recording,
		.from_plain = what_if->from_plain,
		.differences = what_if->difference_count,
	};
	const uint64_t *handles;
	size_t total = wave_total(what_if);

	summary.others = wt_view_objects(stop->view, WT_OBJECT_DISPATCH, &handles);
	summary.others -= summary.others > 0;
	for (size_t i = 0; i < total; i++)
		if (!wave_is_gone(what_if, i)) {
			const struct wt_what_if_wave wave = compared_wave_describe(what_if, i);

			summary.begun += !wave.wave;
			summary.changed_ends += wave.differs;
		}
	*summary_ret = summary;
}

void wt_what_if_difference(const struct wt_what_if *what_if, size_t index,
			   struct wt_what_if_difference *difference_ret)
{
	*difference_ret = what_if->differences[index];
}

struct wt_error *wt_what_if_whose(const struct wt_what_if *what_if, uint64_t address,
				  char **text_ret)
{
	return wt_prepared_whose(&what_if->stop, address, text_ret);
}
