/* SPDX-License-Identifier: MIT */
/* The clock of the device, and what its engine has to say. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "driver/engine/internal.h"

#define NANOSECONDS_PER_TICK 10

uint64_t wt_engine_ticks(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return ((uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec) / NANOSECONDS_PER_TICK;
}

void wt_engine_message(const struct wt_engine *engine, const char *format, ...)
{
	va_list arguments;
	char text[512];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	engine->host.message(engine->host.opaque, text);
}
