/* SPDX-License-Identifier: MIT */
/*
 * Facts of the host in a recording: the machine, and the program whose GPU code was recorded (trace.proto, message
 * Host). A struct wt_host owns its strings and arrays: wt_host_destroy() frees them.
 */
#ifndef WT_TRACE_FORMAT_STATE_HOST_FACTS_H
#define WT_TRACE_FORMAT_STATE_HOST_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_host_version {
	char *of, *text;
};

struct wt_host_map {
	uint64_t start, end, offset;
	char access[8];
	char *path;	      /* "" for memory without a name */
	uint8_t build_id[32]; /* only its first bytes if it is longer */
	size_t build_id_size; /* 0 if there is none */
};

struct wt_host_frame {
	uint64_t address, symbol_offset;
	char *symbol, *path; /* "" where there is none */
};

struct wt_host_thread {
	uint64_t id;
	char *name, *state, *waiting;
	struct wt_host_frame *frames;
	size_t frame_count;
};

struct wt_host_variable {
	char *name, *value; /* value: NULL if it was left out */
};

/* A growing array: wt_host_add() makes room. */
#define WT_HOST_LIST(type, name)                                                                   \
	type *name;                                                                                \
	size_t name##_count, name##_capacity

struct wt_host {
	uint64_t process_id, time;
	char *executable; /* NULL if not known */
	WT_HOST_LIST(struct wt_host_version, versions);
	WT_HOST_LIST(char *, command_line);
	WT_HOST_LIST(struct wt_host_map, maps);
	WT_HOST_LIST(struct wt_host_thread, threads);
	WT_HOST_LIST(struct wt_host_variable, environment);
	WT_HOST_LIST(char *, missing);
};

/** Create an empty one; NULL if there is no memory. */
struct wt_host *wt_host_create(void);
void wt_host_destroy(struct wt_host *host);

/** Append a zeroed element to a list and return it; NULL if there is no memory. Used as WT_HOST_ADD(host, maps). */
void *wt_host_add(void **list, size_t *count, size_t *capacity, size_t size);
#define WT_HOST_ADD(host, list)                                                                    \
	((__typeof__((host)->list))wt_host_add((void **)&(host)->list, &(host)->list##_count,      \
					       &(host)->list##_capacity, sizeof(*(host)->list)))

#endif /* WT_TRACE_FORMAT_STATE_HOST_FACTS_H */
