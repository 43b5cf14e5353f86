/* SPDX-License-Identifier: MIT */
/*
 * Answers to requests. Fields of an answer:
 *
 *   pid        of the process that replays
 *   trace      absolute path; bytes that are not printable ASCII, and '%', as %XX
 *   stop       the last stop that was reached, counted as `wavetape stops` does; 0: none yet
 *   first      the stops that one can go to, first and last; 0 0: none
 *   last
 *   journey    how many were asked for over the socket
 *   done       how many of them are over; equal to journey if nothing is pending
 *   wanted     the stop that the last journey leads to; 0 if there was none
 *   running    the last journey to a stop at which no wave is stopped; 0: none
 *   events     the last journey of which there were events for the client; 0: none
 *   quiet      the last journey of which it has nothing to learn, by events or a call of the host; 0: none
 *   wave       to be shown where the last journey led, as the client knows it; 0: none
 *   failed     the last journey that could not be made; 0: none
 *   why        the reason of it
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "replayer/control/internal.h"

struct answer {
	char *text;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void control_answer_add(struct answer *answer,
								     const char *format, ...)
{
	size_t left = WT_CONTROL_ANSWER - answer->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(answer->text + answer->length, left, format, arguments);
	va_end(arguments);
	if (length > 0 && (size_t)length < left)
		answer->length += (size_t)length;
}

static void add_escaped(struct answer *answer, const char *name, const char *text)
{
	control_answer_add(answer, "%s ", name);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte > ' ' && byte < 0x7f && byte != '%')
			control_answer_add(answer, "%c", byte);
		else
			control_answer_add(answer, "%%%02X", (unsigned int)byte);
	}
	control_answer_add(answer, "\n");
}

__attribute__((format(printf, 2, 3))) static void control_answer_refuse(struct answer *answer,
									const char *format, ...)
{
	char why[WT_CONTROL_WHY];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	/* One line, whatever a file's name brings in. */
	for (char *c = why; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	answer->length = 0;
	control_answer_add(answer, WT_CONTROL_HELLO "refused %s\n", why);
}

/* Find all stops, once; false if that was refused. */
static bool survey(struct wt_control *control, struct answer *answer)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_reader *reader;
	struct stat trace;

	if (control->surveyed)
		return true;
	if (stat(control->trace, &trace) || trace.st_dev != control->device ||
	    trace.st_ino != control->inode) {
		control_answer_refuse(answer, "the trace is no longer where it was: %s",
				      control->trace);
		return false;
	}
	error = wt_reader_open(control->trace, &reader);
	if (!error) {
		error = wt_itinerary_init(&control->itinerary, reader);
		wt_reader_close(reader);
	}
	if (error)
		control_answer_refuse(answer, "%s: %s: %s", error->what, error->where, error->why);
	control->surveyed = !error;
	return control->surveyed;
}

static void control_place_report(struct wt_control *control, struct answer *answer)
{
	struct wt_itinerary_range range;
	bool none;

	pthread_mutex_lock(&control->lock);
	range = wt_itinerary_range(&control->itinerary, control->place.start,
				   control->place.process);
	none = range.first > range.last;
	control_answer_add(answer, WT_CONTROL_HELLO "ok\npid %d\n", (int)control->owner);
	add_escaped(answer, "trace", control->trace);
	control_answer_add(answer, "stop %u\nfirst %u\nlast %u\n",
			   wt_itinerary_at(&control->itinerary, control->place.position),
			   none ? 0 : range.first, none ? 0 : range.last);
	control_answer_add(answer, "journey %" PRIu64 "\ndone %" PRIu64 "\nwanted %u\n",
			   control->asked, control->done,
			   control->wanted ? wt_itinerary_at(&control->itinerary, control->wanted)
					   : 0);
	control_answer_add(answer, "running %" PRIu64 "\nevents %" PRIu64 "\nquiet %" PRIu64 "\n",
			   control->running, control->events, control->quiet);
	control_answer_add(answer, "wave %" PRIu64 "\nfailed %" PRIu64 "\n", control->wave,
			   control->failed);
	add_escaped(answer, "why", control->why);
	pthread_mutex_unlock(&control->lock);
}

/* Leave the request for the client's next call, and wake the client. */
static void leave_request(struct wt_control *control, const struct wt_control_request *request)
{
	ssize_t written;

	pthread_mutex_lock(&control->lock);
	control->request = *request;
	if (!request->stays)
		control->wanted = request->destination;
	control->requested = true;
	control->asked++;
	pthread_mutex_unlock(&control->lock);
	do
		written = write(control->notifier, "+", 1);
	while (written < 0 && errno == EINTR);
}

/* Finds the stop to which a step leads from the one that was reached, or that was asked for before; 0: nowhere. */
static uint32_t control_step_find(struct wt_control *control, const struct wt_control_place *place,
				  const struct wt_itinerary_range *range, bool forward)
{
	uint32_t stop = wt_itinerary_at(&control->itinerary, place->position);

	return forward ? wt_itinerary_next(&control->itinerary, range, place->process, stop)
		       : wt_itinerary_previous(&control->itinerary, range, place->process, stop);
}

/* The words behind a request: " at-once [WAVE]"; they are cut off. False if there are others. */
static bool take_mode(char *words, struct wt_control_request *wanted)
{
	static const char mode[] = " at-once";
	char *place = strstr(words, mode), *rest;

	if (!place)
		return true;
	rest = place + strlen(mode);
	wanted->at_once = true;
	if (*rest == ' ' && rest[1] >= '0' && rest[1] <= '9')
		wanted->selected = strtoull(rest + 1, &rest, 10);
	*place = '\0';
	return !*rest;
}

/* The stop that a request names; 0 if that was refused. */
static uint32_t control_stop_find(struct wt_control *control, const struct wt_control_place *place,
				  const struct wt_itinerary_range *range, const char *words,
				  struct answer *answer)
{
	unsigned int stop = 0;
	int length = 0;

	if (!strcmp(words, "next") || !strcmp(words, "previous")) {
		stop = control_step_find(control, place, range, *words == 'n');
		if (!stop)
			control_answer_refuse(
				answer, "there is no stop %s stop %u",
				*words == 'n' ? "after" : "before",
				wt_itinerary_at(&control->itinerary, place->position));
		return stop;
	}
	if (sscanf(words, "goto %9u%n", &stop, &length) != 1 || words[length]) {
		control_answer_refuse(answer,
				      "no such request: info, goto STOP, next, previous, stay");
		return 0;
	}
	if (stop >= range->first && stop <= range->last &&
	    control->itinerary.stops[stop - 1].process == place->process)
		return stop;
	control_answer_refuse(answer, "no stop %u: stops %u to %u can be gone to", stop,
			      range->first, range->last);
	return 0;
}

static void control_move(struct wt_control *control, char *words, struct answer *answer)
{
	struct wt_control_request wanted = {.stays = !strcmp(words, "stay")};
	struct wt_itinerary_range range;
	struct wt_control_place place;
	uint32_t stop;

	pthread_mutex_lock(&control->lock);
	place = control->place;
	pthread_mutex_unlock(&control->lock);
	range = wt_itinerary_range(&control->itinerary, place.start, place.process);
	if (range.first > range.last) {
		control_answer_refuse(answer, "there is no stop in what is replayed");
		return;
	}
	if (!wanted.stays) {
		/* Words that are not understood are no stop's name either. */
		stop = control_stop_find(control, &place, &range,
					 take_mode(words, &wanted) ? words : "", answer);
		if (!stop)
			return;
		wanted.destination = control->itinerary.stops[stop - 1].position;
	}
	leave_request(control, &wanted);
	control_place_report(control, answer);
}

size_t wt_control_answer(struct wt_control *control, const char *request,
			 char answer_ret[WT_CONTROL_ANSWER])
{
	const size_t hello = strlen(WT_CONTROL_HELLO);
	struct answer answer = {.text = answer_ret};
	char words[WT_CONTROL_REQUEST] = "";

	if (strlen(request) > hello)
		snprintf(words, sizeof(words), "%s", request + hello);
	if (strncmp(request, WT_CONTROL_HELLO, hello))
		control_answer_refuse(&answer, "a request begins with '%s'", WT_CONTROL_HELLO);
	else if (!survey(control, &answer))
		;
	else if (!strcmp(request + hello, "info"))
		control_place_report(control, &answer);
	else
		control_move(control, words, &answer);
	return answer.length;
}
