/* SPDX-License-Identifier: MIT */
/* The page of the way: a line for each instruction that the wave executed. Going up is going back; values that change are marked. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/browse/browser-session.h"
#include "cli/look/show.h"
#include "replayer/view/explain-cause.h"

struct way_page {
	struct wt_session *session;
	struct wt_way *way; /* NULL: not followed, or the wave has not stopped */
	char *why;	    /* why not */
	uint64_t version;
};

static void way_page_close(struct way_page *page)
{
	wt_way_destroy(page->way);
	free(page->why);
	page->way = NULL;
	page->why = NULL;
}

static void way_page_deinit(void *opaque)
{
	way_page_close(opaque);
}

static bool way_page_goes_on(void *opaque, uint64_t instructions)
{
	const struct way_page *page = opaque;

	(void)instructions;
	return !page->session->interrupted || !page->session->interrupted();
}

/* Follow the wave that the user is at, if that was not done. */
static void way_page_make(struct way_page *page)
{
	struct wt_session *session = page->session;
	uint64_t version = session->stop_version + session->wave_version + 1;
	struct wt_way_options options = {.go_on = way_page_goes_on, .opaque = page};
	struct wt_explainer *explainer = wt_session_explainer(session);
	struct wt_error *error;

	if (page->version == version)
		return;
	way_page_close(page);
	page->version = version;
	if (!explainer || !session->wave)
		return;
	error = wt_way_create(explainer, session->wave, &options, &page->way);
	if (!error)
		error = wt_way_describe(page->way, &page->why);
	if (error) {
		way_page_close(page);
		page->why = wt_error_line(error);
	}
}

/* ---- Lines and positions: what is left out has one line ---- */

static size_t way_page_lines(const struct way_page *page)
{
	const struct wt_way_summary *summary = wt_way_summary(page->way);

	return (size_t)(summary->steps + 1 - summary->cut_count + (summary->cut_count ? 1 : 0));
}

/* False: the line stands for positions that are left out. */
static bool line_position(const struct way_page *page, size_t line, uint64_t *position_ret)
{
	const struct wt_way_summary *summary = wt_way_summary(page->way);

	*position_ret = line;
	if (!summary->cut_count || line < summary->cut_from)
		return true;
	*position_ret = line - 1 + summary->cut_count;
	return line > summary->cut_from;
}

static size_t position_line(const struct way_page *page, uint64_t position)
{
	const struct wt_way_summary *summary = wt_way_summary(page->way);

	if (summary->cut_count && position >= summary->cut_from)
		return (size_t)(position + 1 - summary->cut_count);
	return (size_t)position;
}

static size_t way_page_count(void *opaque, size_t want)
{
	struct way_page *page = opaque;

	(void)want;
	way_page_make(page);
	return page->way && wt_way_summary(page->way)->found ? way_page_lines(page) : 1;
}

/* At first one is where the wave stopped. */
static size_t way_page_home(void *opaque)
{
	return way_page_count(opaque, 0) - 1;
}

/* A register before a step and behind it. */
struct written {
	char name[24];
	uint32_t lane; /* that the value is of */
	struct wt_way_value before;
};

#define SHOWN_WRITES 4u

/* The registers of one word that a step writes, as they are before it. */
static size_t step_take_writes(const struct wt_way *way, const struct wt_way_step *step,
			       uint32_t lane, struct written writes[SHOWN_WRITES])
{
	size_t count = 0;

	for (size_t i = 0; i < step->touch_count; i++) {
		const struct wt_way_touch *touch = &step->touches[i];

		for (uint32_t word = 0;
		     touch->write && !touch->memory && word < touch->words && count < SHOWN_WRITES;
		     word++) {
			wt_cli_way_word(touch, word, writes[count].name);
			writes[count].lane = wt_way_touched_lane(touch, lane);
			if (wt_way_register(way, writes[count].name, writes[count].lane,
					    &writes[count].before))
				count++;
		}
	}
	return count;
}

static void put_writes(const struct wt_way *way, const struct written *writes, size_t count,
		       uint32_t lane, struct wt_line *line)
{
	char text[WT_CLI_WAY_VALUE];
	struct wt_way_value value;

	for (size_t i = 0; i < count; i++) {
		char of_lane[24] = "";
		bool changed;

		if (!wt_way_register(way, writes[i].name, writes[i].lane, &value))
			continue;
		if (writes[i].lane != lane)
			snprintf(of_lane, sizeof(of_lane), " of lane %u", writes[i].lane);
		changed = value.status != writes[i].before.status ||
			  value.value != writes[i].before.value;
		wt_line_put(line, changed ? WT_STYLE_CHANGED : WT_STYLE_PLAIN, "  %s%s%s = %s",
			    changed ? "*" : "", writes[i].name, of_lane,
			    wt_cli_way_value(&value, text));
	}
}

static void put_step(struct way_page *page, const struct wt_way_step *step, struct wt_line *line)
{
	uint32_t lane = wt_way_lane(page->way, UINT32_MAX);
	struct written writes[SHOWN_WRITES];
	size_t count = step_take_writes(page->way, step, lane, writes);
	struct wt_error *error;
	char place[64] = "";
	uint64_t next;

	if (step->place.file)
		snprintf(place, sizeof(place), "%.40s:%u", wt_text_file_name(step->place.file),
			 step->place.line);
	wt_line_put(line, WT_STYLE_QUIET, "%9" PRIu64 " ", step->position);
	wt_line_field(line, WT_STYLE_SOURCE, place, 20);
	wt_line_text(line, WT_STYLE_PLAIN, " ");
	wt_line_field(line, WT_STYLE_PLAIN, step->place.instruction ? step->place.instruction : "?",
		      40);
	if (!wt_way_next(page->way, false, &next))
		return;
	error = wt_way_go(page->way, next);
	if (!error)
		put_writes(page->way, writes, count, lane, line);
	wt_error_destroy(error);
}

static void way_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct way_page *page = opaque;
	struct wt_way_step step;
	struct wt_error *error;
	uint64_t position;
	bool has = false;

	if (!page->way || !wt_way_summary(page->way)->found) {
		if (page->why)
			wt_line_text(line, WT_STYLE_PLAIN, page->why);
		else
			wt_session_put_why(page->session, line);
		return;
	}
	if (!line_position(page, number, &position)) {
		wt_line_put(line, WT_STYLE_QUIET, "          %" PRIu64 " instructions are left out",
			    wt_way_summary(page->way)->cut_count);
		return;
	}
	error = wt_way_go(page->way, position);
	if (!error)
		error = wt_way_step(page->way, &has, &step);
	if (!error && has) {
		put_step(page, &step, line);
		wt_way_step_deinit(&step);
	} else if (!error && position == wt_way_summary(page->way)->steps) {
		wt_line_put(line, WT_STYLE_HERE, "%9" PRIu64 " the wave stopped here", position);
	}
	wt_error_destroy(error);
}

static void way_page_title(void *opaque, struct wt_line *line)
{
	struct way_page *page = opaque;

	way_page_make(page);
	wt_line_text(line, WT_STYLE_QUIET,
		     page->way && wt_way_summary(page->way)->found ? page->why
								   : "what the wave executed");
}

/* Who wrote last what the instruction of a line reads: the first of its registers that somebody has written. */
static bool way_page_follow(struct way_page *page, uint64_t position, struct wt_outcome *answer)
{
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	struct wt_way_step step;
	struct wt_error *error = wt_way_go(page->way, position);
	bool has = false;

	if (!error)
		error = wt_way_step(page->way, &has, &step);
	for (size_t i = 0; !error && has && i < step.touch_count && found.answer != WT_WAY_FOUND;
	     i++) {
		const struct wt_way_target target = {step.touches[i].name, UINT32_MAX};

		if (!step.touches[i].write && !step.touches[i].memory)
			error = wt_way_last_write(page->way, &target, &found);
	}
	if (!error && has)
		wt_way_step_deinit(&step);
	wt_error_destroy(error);
	if (found.answer != WT_WAY_FOUND)
		return false;
	answer->turn = answer->has_line = true;
	answer->line = position_line(page, found.position);
	return true;
}

/* To the source line before, or behind, over calls. */
static void way_page_stride(struct way_page *page, uint64_t position, bool back,
			    struct wt_outcome *answer)
{
	struct wt_way_found found;
	struct wt_error *error = wt_way_go(page->way, position);

	/* The call of an inlined function is no other line of the page than the first one of that function. */
	do {
		if (!error)
			error = wt_way_stride(page->way, back, WT_WAY_OVER, &found);
	} while (!error && found.answer == WT_WAY_FOUND && found.position == position);
	if (!error) {
		answer->turn = answer->has_line = true;
		answer->line = position_line(page, found.position);
	}
	wt_error_destroy(error);
}

static bool way_page_key(void *opaque, size_t line, int key, struct wt_outcome *answer)
{
	struct way_page *page = opaque;
	uint64_t position;

	answer->page = WT_PAGE_WAY;
	if (!page->way || !wt_way_summary(page->way)->found ||
	    !line_position(page, line, &position))
		return false;
	switch (key) {
	case '<':
	case '>':
		way_page_stride(page, position, key == '<', answer);
		return true;
	case WT_KEY_ENTER:
		if (!way_page_follow(page, position, answer))
			wt_outcome_say(answer, "no instruction before has written what it reads");
		return true;
	default:
		return false;
	}
}

const struct wt_page_kind wt_page_way = {
	.size = sizeof(struct way_page),
	.deinit = way_page_deinit,
	.count = way_page_count,
	.line = way_page_put_line,
	.title = way_page_title,
	.home = way_page_home,
	.key = way_page_key,
	.hint = " k j back, on  < > lines  Enter who wrote what it reads  Esc back  F1 help",
};
