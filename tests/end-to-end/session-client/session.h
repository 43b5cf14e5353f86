/* SPDX-License-Identifier: MIT */
/*
 * A client that knows nothing but the public header: see client.c.
 *
 *   client.c      the library's life, events, and the order of it all
 *   show.c        what there is, and what the library says of it
 *   breakpoint.c  the breakpoint at a symbol
 */
#ifndef SESSION_CLIENT_SESSION_H
#define SESSION_CLIENT_SESSION_H

#include <amd-dbgapi/amd-dbgapi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WAVES 4096

extern amd_dbgapi_process_id_t session_process;

/** Anything but success ends the program by a message and exit code 1. */
void session_check(const char *what, amd_dbgapi_status_t status);

/** The waves there are, at most MAX_WAVES. */
size_t session_list_waves(amd_dbgapi_wave_id_t *waves);

/* ---- What there is ---- */

/** Print one query of an object: the value in hex, or the status. */
#define SHOW(function, id, query, type)                                                            \
	do {                                                                                       \
		type value_;                                                                       \
		amd_dbgapi_status_t status_;                                                       \
                                                                                                   \
		memset(&value_, 0, sizeof(value_));                                                \
		status_ = function(id, query, sizeof(value_), &value_);                            \
		printf(" %s=", &(#query)[strlen("AMD_DBGAPI_")]);                                  \
		if (status_ != AMD_DBGAPI_STATUS_SUCCESS)                                          \
			printf("!%d", (int)status_);                                               \
		else                                                                               \
			for (size_t i_ = sizeof(value_); i_ > 0; i_--)                             \
				printf("%02x", ((const uint8_t *)&value_)[i_ - 1]);                \
	} while (0)

#define SHOW_TEXT(function, id, query)                                                             \
	do {                                                                                       \
		char *text_ = NULL;                                                                \
		amd_dbgapi_status_t status_ = function(id, query, sizeof(text_), &text_);          \
                                                                                                   \
		printf(" %s=", &(#query)[strlen("AMD_DBGAPI_")]);                                  \
		if (status_ != AMD_DBGAPI_STATUS_SUCCESS)                                          \
			printf("!%d", (int)status_);                                               \
		else                                                                               \
			printf("\"%s\"", text_);                                                   \
		free(text_);                                                                       \
	} while (0)

void show_architecture(amd_dbgapi_architecture_id_t architecture);
void show_agents(void);
void show_queues(void);
void show_dispatches(void);
/** @registers: with them, its instruction and memory, if it has stopped. */
void show_wave(amd_dbgapi_wave_id_t wave, bool registers);

/* ---- The breakpoint ---- */

/** Print the code objects, and find the place of a symbol in them; NULL: there is to be no breakpoint. */
void breakpoint_find(const char *symbol);

/** Insert it, or take it back; nothing if there is no such place. */
void breakpoint_set(amd_dbgapi_architecture_id_t architecture, bool insert);

/** As debuggers do after a breakpoint: the pc goes back to the instruction that was replaced. */
void breakpoint_adjust_pcs(void);

#endif /* SESSION_CLIENT_SESSION_H */
