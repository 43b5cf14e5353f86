/* SPDX-License-Identifier: MIT */
/* `wavetape diff` as text: what A has, a bar, what B has. Of each kind only the first differences are listed. */
#include <inttypes.h>
#include <string.h>

#include "base/plural.h"
#include "cli/describe.h"
#include "cli/files/verb-diff.h"
#include "cli/function-names.h"
#include "cli/output.h"

#define LABEL_WIDTH 12
#define SHOWN_LINES 4 /* of a page */

static const char *const side_names[WT_DIFF_SIDES] = {"A", "B"};

static enum wt_diff_side diff_text_side_of(const struct wt_diff *diff)
{
	return diff->value[WT_DIFF_A].present ? WT_DIFF_A : WT_DIFF_B;
}

/* ---- Stops and waves ---- */

static void diff_text_print_stop_name(const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	const struct wt_diff_stop *a = stops[WT_DIFF_A], *b = stops[WT_DIFF_B];

	printf("stop %u", a ? a->number : b->number);
	if (a && b && a->number != b->number)
		printf(" | %u", b->number);
	putchar(':');
}

/* Before the first line about a stop. */
static void diff_text_begin_stop(struct wt_diff_text *text)
{
	if (text->begun)
		return;
	diff_text_print_stop_name(text->stops);
	putchar('\n');
	text->begun = true;
}

/* After the last line about a wave. */
static void diff_text_end_wave(struct wt_diff_text *text)
{
	uint64_t hidden =
		text->limit && text->registers > text->limit ? text->registers - text->limit : 0;

	if (hidden && (!text->limit || text->waves <= text->limit))
		printf("    and %" PRIu64 " more %s\n", hidden,
		       wt_plural(hidden, "register", "registers"));
	text->handle[WT_DIFF_A] = text->handle[WT_DIFF_B] = 0;
	text->registers = 0;
}

/* "(0,0,0)/2"; its dispatch only if that is not the first one. */
static void diff_text_print_place(const struct wt_diff_place *place)
{
	char text[WT_DESCRIBE_MAX];

	printf("%s", wt_describe_place(place->has_workgroup ? place->workgroup : NULL,
				       place->number_in_group, text));
	if (place->agent > 1)
		printf(" of agent %u", place->agent);
	if (place->queue > 1)
		printf(" of queue %u", place->queue);
	if (place->has_packet && place->packet)
		printf(" of packet %" PRIu64, place->packet);
}

static void diff_text_print_wave(const struct wt_diff_wave *wave)
{
	uint64_t a = wave->handle[WT_DIFF_A], b = wave->handle[WT_DIFF_B];
	char name[WT_CLI_NAME];

	diff_text_print_place(&wave->place);
	if (wave->kernel) {
		putchar(' ');
		wt_cli_put(stdout, wt_cli_name(wave->kernel, name));
	}
	printf(", w%" PRIu64, a ? a : b);
	if (a && b && a != b)
		printf(" | w%" PRIu64, b);
}

/* Before a line about a wave. False if no more waves are listed. */
static bool diff_text_begin_wave(struct wt_diff_text *text, const struct wt_diff *diff)
{
	const struct wt_diff_wave *wave = diff->wave;

	if (memcmp(text->handle, wave->handle, sizeof(text->handle))) {
		diff_text_end_wave(text);
		text->waves++;
		memcpy(text->handle, wave->handle, sizeof(text->handle));
		if (!text->limit || text->waves <= text->limit) {
			diff_text_begin_stop(text);
			printf("  ");
			diff_text_print_wave(wave);
			if (diff->what == WT_DIFF_EXISTENCE)
				printf(": only in %s", side_names[diff_text_side_of(diff)]);
			putchar('\n');
		}
	}
	return !text->limit || text->waves <= text->limit;
}

/* ---- Values ---- */

static void diff_text_put_text(const char *text)
{
	wt_cli_put(stdout, text ? text : "?");
}

static void diff_text_print_event(const struct wt_diff_event *event)
{
	char text[WT_DESCRIBE_MAX];

	if (!event)
		return;
	printf("%s", wt_describe_event_kind(event->kind, text));
	if (event->has_wave) {
		putchar(' ');
		diff_text_print_place(&event->wave);
	}
	if (event->detail)
		printf(" %" PRIu64, event->detail);
}

/* Print what one side has, for differences that fit in a line. */
static void diff_text_print_value(const struct wt_diff *diff, enum wt_diff_side side)
{
	const struct wt_diff_value *value = &diff->value[side];
	char text[WT_DESCRIBE_MAX];

	switch (diff->what) {
	case WT_DIFF_LOAD_ADDRESS:
		printf("0x%" PRIx64, value->number);
		break;
	case WT_DIFF_STATE:
		printf("%s", value->number == WT_DIFF_STOPPED ? "stopped" : "running");
		break;
	case WT_DIFF_REASONS:
		printf("%s", wt_describe_reasons_plainly((uint32_t)value->number, text));
		break;
	case WT_DIFF_BYTES:
		if (value->text)
			wt_cli_put(stdout, value->text);
		else
			printf("%s", wt_describe_value(value->data, value->size, text));
		break;
	case WT_DIFF_KIND:
		diff_text_print_event(value->event);
		break;
	default:
		diff_text_put_text(value->text);
	}
}

static void diff_text_print_both(const struct wt_diff *diff)
{
	diff_text_print_value(diff, WT_DIFF_A);
	printf(" | ");
	diff_text_print_value(diff, WT_DIFF_B);
	putchar('\n');
}

/* ---- Differences ---- */

static void diff_text_print_position(const struct wt_diff *diff)
{
	char text[WT_DESCRIBE_MAX];

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		printf("    %-*s %s %s\n", LABEL_WIDTH, side ? "" : "at", side_names[side],
		       wt_describe_code(diff->value[side].code, text));
}

static void diff_text_print_wave_property(const struct wt_diff *diff)
{
	static const char *const labels[] = {[WT_DIFF_KERNEL] = "kernel",
					     [WT_DIFF_STATE] = "state",
					     [WT_DIFF_REASONS] = "stopped for"};

	if (diff->what == WT_DIFF_EXISTENCE)
		return;
	if (diff->what == WT_DIFF_POSITION) {
		diff_text_print_position(diff);
		return;
	}
	printf("    %-*s ", LABEL_WIDTH, labels[diff->what]);
	diff_text_print_both(diff);
}

/* Print of a vector register the lanes, and the values of the first. */
static void diff_text_print_register(const struct wt_diff *diff)
{
	uint64_t lanes = diff->vector ? wt_diff_lanes(diff->value) : 0;
	char text[WT_DESCRIBE_MAX];
	uint32_t first = 0;

	printf("    ");
	wt_cli_put_padded(diff->name, LABEL_WIDTH);
	putchar(' ');
	if (!lanes) {
		diff_text_print_both(diff);
		return;
	}
	while (!(lanes >> first & 1))
		first++;
	printf("%s %s: %08x | %08x", lanes & (lanes - 1) ? "lanes" : "lane",
	       wt_describe_lanes(lanes, text), wt_diff_lane(&diff->value[WT_DIFF_A], first),
	       wt_diff_lane(&diff->value[WT_DIFF_B], first));
	puts(lanes & (lanes - 1) ? " in the first" : "");
}

static void diff_text_print_agent(const struct wt_diff *diff)
{
	printf("  agent %" PRIu64 ": ", diff->position);
	if (diff->what == WT_DIFF_EXISTENCE) {
		printf("only in %s: ", side_names[diff_text_side_of(diff)]);
		diff_text_put_text(diff->value[diff_text_side_of(diff)].text);
		putchar('\n');
	} else {
		diff_text_print_both(diff);
	}
}

static void diff_text_print_code_object(const struct wt_diff *diff)
{
	const struct wt_diff_value *value = diff->value;
	struct wt_diff_bytes bytes;

	printf("  code object %" PRIu64 ": ", diff->position);
	if (diff->what == WT_DIFF_EXISTENCE) {
		printf("only in %s: ", side_names[diff_text_side_of(diff)]);
		diff_text_put_text(value[diff_text_side_of(diff)].text);
		putchar('\n');
	} else if (diff->what == WT_DIFF_BYTES) {
		bytes = wt_diff_count_bytes(value);
		printf("%" PRIu64 " %s from offset 0x%" PRIx64 " on; %zu | %zu bytes\n",
		       bytes.count, wt_plural(bytes.count, "byte differs", "bytes differ"),
		       bytes.first, value[WT_DIFF_A].size, value[WT_DIFF_B].size);
	} else {
		printf("%s ", diff->what == WT_DIFF_LOAD_ADDRESS ? "loaded at" : "from");
		diff_text_print_both(diff);
	}
}

static void diff_text_print_event_difference(const struct wt_diff *diff)
{
	printf("  event %" PRIu64 ": ", diff->position);
	if (diff->what == WT_DIFF_EXISTENCE) {
		printf("only in %s: ", side_names[diff_text_side_of(diff)]);
		diff_text_print_event(diff->value[diff_text_side_of(diff)].event);
		putchar('\n');
	} else {
		diff_text_print_both(diff);
	}
}

static void diff_text_print_argument(const struct wt_diff *diff)
{
	char name[WT_CLI_NAME];

	printf("  ");
	wt_cli_put(stdout,
		   diff->dispatch->kernel ? wt_cli_name(diff->dispatch->kernel, name) : "kernel");
	printf(", ");
	wt_cli_put(stdout, diff->name);
	printf(": ");
	diff_text_print_both(diff);
}

/* The first lines of a page that differ. */
static void diff_text_print_page(const struct wt_diff *diff, const char *indent)
{
	const struct wt_diff_value *value = diff->value;
	unsigned int shown = 0;

	for (size_t at = 0; at < value->size && shown < SHOWN_LINES; at += WT_CLI_DUMP_BYTES) {
		size_t left = value->size - at;
		size_t count = left < WT_CLI_DUMP_BYTES ? left : WT_CLI_DUMP_BYTES;

		if (!memcmp(value[WT_DIFF_A].data + at, value[WT_DIFF_B].data + at, count))
			continue;
		printf("%s  0x%012" PRIx64 " A ", indent, diff->position + at);
		wt_cli_put_bytes(value[WT_DIFF_A].data + at, count);
		printf("%s  %14s B ", indent, "");
		wt_cli_put_bytes(value[WT_DIFF_B].data + at, count);
		shown++;
	}
}

static void diff_text_print_memory(const struct wt_diff *diff)
{
	const char *indent = diff->wave ? "    " : "  ";
	struct wt_diff_bytes bytes = wt_diff_count_bytes(diff->value);

	printf("%s%s memory 0x%" PRIx64, indent, diff->name, diff->position);
	if (diff->group) {
		printf(" of ");
		diff_text_print_wave(diff->group);
	}
	printf(": %" PRIu64 " %s\n", bytes.count,
	       wt_plural(bytes.count, "byte differs", "bytes differ"));
	diff_text_print_page(diff, indent);
}

static bool diff_text_is_listed(struct wt_diff_text *text, const struct wt_diff *diff)
{
	if (diff->wave && !diff_text_begin_wave(text, diff))
		return false;
	if (diff->kind == WT_DIFF_REGISTER)
		return ++text->registers <= text->limit || !text->limit;
	if (diff->kind == WT_DIFF_WAVE)
		return true;
	return ++text->found[diff->kind] <= text->limit || !text->limit;
}

static struct wt_error *diff_text_print_difference(void *opaque, const struct wt_diff *diff)
{
	struct wt_diff_text *text = opaque;

	if (!diff->wave)
		diff_text_end_wave(text);
	if (!diff_text_is_listed(text, diff))
		return NULL;
	diff_text_begin_stop(text);
	switch (diff->kind) {
	case WT_DIFF_AGENT:
		diff_text_print_agent(diff);
		break;
	case WT_DIFF_CODE_OBJECT:
		diff_text_print_code_object(diff);
		break;
	case WT_DIFF_EVENT:
		diff_text_print_event_difference(diff);
		break;
	case WT_DIFF_ARGUMENT:
		diff_text_print_argument(diff);
		break;
	case WT_DIFF_WAVE:
		diff_text_print_wave_property(diff);
		break;
	case WT_DIFF_REGISTER:
		diff_text_print_register(diff);
		break;
	case WT_DIFF_MEMORY:
		diff_text_print_memory(diff);
		break;
	case WT_DIFF_KINDS:
		break;
	}
	return NULL;
}

/* ---- Stops ---- */

static struct wt_error *diff_text_print_begin(void *opaque,
					      const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	struct wt_diff_text *text = opaque;

	*text = (struct wt_diff_text){.limit = text->limit,
				      .stops = {stops[WT_DIFF_A], stops[WT_DIFF_B]}};
	return NULL;
}

/* Say how much was found and not listed. */
static void diff_text_print_more(const struct wt_diff_text *text)
{
	static const char *const names[WT_DIFF_KINDS][2] = {
		[WT_DIFF_AGENT] = {"agent", "agents"},
		[WT_DIFF_CODE_OBJECT] = {"difference of code objects",
					 "differences of code objects"},
		[WT_DIFF_EVENT] = {"event", "events"},
		[WT_DIFF_MEMORY] = {"page of memory", "pages of memory"},
	};
	uint64_t waves = text->limit && text->waves > text->limit ? text->waves - text->limit : 0;

	if (waves)
		printf("  and %" PRIu64 " more %s\n", waves, wt_plural(waves, "wave", "waves"));
	for (int kind = 0; text->limit && kind < WT_DIFF_KINDS; kind++) {
		uint64_t more =
			text->found[kind] > text->limit ? text->found[kind] - text->limit : 0;

		if (more)
			printf("  and %" PRIu64 " more %s\n", more,
			       wt_plural(more, names[kind][0], names[kind][1]));
	}
}

static void diff_text_print_missing(struct wt_diff_text *text, uint64_t count, const char *one,
				    const char *more, const char *where)
{
	if (!count)
		return;
	diff_text_begin_stop(text);
	printf("  not compared: %" PRIu64 " %s %s\n", count, wt_plural(count, one, more), where);
}

/* Say what could not be compared, since one side has not recorded it. */
static void diff_text_print_not_compared(struct wt_diff_text *text,
					 const struct wt_diff_counts *counts)
{
	static const char *const only[] = {"that only A has recorded", "that only B has recorded"};
	static const char *const unknown[] = {"of which A has the name only",
					      "of which B has the name only"};

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		diff_text_print_missing(text, counts->only_images[side], "code object",
					"code objects", only[side]);
		diff_text_print_missing(text, counts->unknown_waves[side], "wave", "waves",
					unknown[side]);
		diff_text_print_missing(text, counts->only_registers[side], "register", "registers",
					only[side]);
		diff_text_print_missing(text, counts->only_pages[side], "page of memory",
					"pages of memory", only[side]);
	}
	diff_text_print_missing(text, counts->no_images, "code object", "code objects",
				"that neither has recorded");
}

/* A pair of stops of which there is nothing to list. */
static void diff_text_print_whole_stop(const struct wt_diff_text *text,
				       const struct wt_diff_counts *counts)
{
	enum wt_diff_side side = text->stops[WT_DIFF_A] ? WT_DIFF_A : WT_DIFF_B;
	bool single = !text->stops[WT_DIFF_A] || !text->stops[WT_DIFF_B];

	diff_text_print_stop_name(text->stops);
	if (single && counts->differences)
		printf(" only in %s\n", side_names[side]);
	else if (single)
		printf(" not compared: %s does not have it, and is not the whole recording\n",
		       side_names[!side]);
	else if (counts->lost_stops[WT_DIFF_A] && counts->lost_stops[WT_DIFF_B])
		puts(" not compared: its state is lost in A and B");
	else if (counts->lost_stops[WT_DIFF_A] || counts->lost_stops[WT_DIFF_B])
		printf(" not compared: its state is lost in %s\n",
		       side_names[!counts->lost_stops[WT_DIFF_A]]);
	else
		puts(" equal");
}

static struct wt_error *diff_text_print_end(void *opaque, const struct wt_diff_counts *counts)
{
	struct wt_diff_text *text = opaque;

	diff_text_end_wave(text);
	diff_text_print_more(text);
	diff_text_print_not_compared(text, counts);
	if (!text->begun)
		diff_text_print_whole_stop(text, counts);
	return NULL;
}

/* ---- Source files ---- */

static struct wt_error *diff_text_print_source(void *opaque, const struct wt_diff_source *source)
{
	(void)opaque;
	printf("source ");
	wt_cli_put(stdout, source->name);
	printf(": differs from line %" PRIu64 " on; %" PRIu64 " | %" PRIu64 " lines\n",
	       source->line, source->lines[WT_DIFF_A], source->lines[WT_DIFF_B]);
	return NULL;
}

void wt_diff_text_sources(const struct wt_diff_counts *counts)
{
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		if (counts->only_sources[side])
			printf("not compared: %" PRIu64 " %s that only %s has recorded\n",
			       counts->only_sources[side],
			       wt_plural(counts->only_sources[side], "source file", "source files"),
			       side_names[side]);
}

struct wt_diff_listener wt_diff_text_listener(struct wt_diff_text *text)
{
	return (struct wt_diff_listener){
		.opaque = text,
		.source = diff_text_print_source,
		.begin = diff_text_print_begin,
		.difference = diff_text_print_difference,
		.end = diff_text_print_end,
	};
}
