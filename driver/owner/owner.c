/* SPDX-License-Identifier: MIT */
/*
 * All files of the room need this of the owner: its log, the clock, its agents; and the answer to a call that had to
 * wait.
 */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "driver/owner/internal.h"

void wt_owner_log(const struct wt_owner *owner, const char *format, ...)
{
	va_list arguments;

	if (!owner->log)
		return;
	va_start(arguments, format);
	vfprintf(owner->log, format, arguments);
	va_end(arguments);
	fputc('\n', owner->log);
	fflush(owner->log);
}

void wt_owner_complain(const struct wt_owner *owner, const char *format, ...)
{
	wt_cleanup_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return;
	wt_owner_log(owner, "%s", text);
	if (owner->complain)
		owner->complain(text);
}

void wt_owner_miss(struct wt_owner *owner, const char *format, ...)
{
	wt_cleanup_free char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = wt_text_list(format, arguments);
	va_end(arguments);
	if (!text)
		return;
	for (size_t i = 0; i < owner->missing_count; i++)
		if (!strcmp(owner->missing[i], text))
			return;
	wt_owner_log(owner, "not implemented: %s", text);
	if (owner->missing_count == WT_OWNER_MISSING_MAX) {
		owner->missing_more++;
		return;
	}
	owner->missing[owner->missing_count++] = text;
	text = NULL;
}

uint64_t wt_owner_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct wt_owner_agent *wt_owner_agent_of(struct wt_owner *owner, uint32_t gpu_id)
{
	for (uint32_t i = 0; i < owner->agent_count; i++)
		if (owner->agents[i].gpu_id == gpu_id)
			return &owner->agents[i];
	return NULL;
}

void wt_owner_answer(struct wt_connection *connection, int result)
{
	connection->waiting = false;
	connection->answer.result = result;
	if (wt_wire_send(connection->fd, &connection->answer, sizeof(connection->answer)))
		connection->closed = true;
}
