/* SPDX-License-Identifier: MIT */
/*
 * The common part of all objects with a handle, and tables in which they are found by a number of theirs.
 *
 * A table has about as many chains as objects, and numbers that follow one another come into chains of their own: so
 * most objects are found at the first look, without touching others, however many there are.
 *
 * At a step of 9,728 waves uthash takes 1.6 times as long, and with chains of two and this hash still 1.14 to 1.25
 * times, with 13 % more instructions and cache misses; growing it turns chains around, so that of a number used again
 * it finds the older object. Judy arrays take 1.2 times as long, with twice the instructions.
 */
#ifndef WT_DBGAPI_SIMULATED_ENTRIES_H
#define WT_DBGAPI_SIMULATED_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* By which number. */
enum wt_api_key { WT_BY_HANDLE, WT_BY_NUMBER, WT_API_KEYS };

struct wt_api_process;

struct wt_api_entry {
	uint64_t handle;
	uint32_t number; /* the device's number of the object */
	bool hidden;	 /* not in lists, and not found: a wave that is halted at its launch */
	struct wt_api_process *process;
	struct wt_api_entry *chained[WT_API_KEYS]; /* the next one in the chain of a table */
	TAILQ_ENTRY(wt_api_entry) link; /* of its kind and process, in order of creation */
};

TAILQ_HEAD(wt_api_entries, wt_api_entry);

/* Zeroed: without objects. */
struct wt_api_table {
	struct wt_api_entry *
		*chains; /* two to the power of @bits; NULL: there were no objects yet */
	unsigned int bits;
	size_t count;
};

/** Add an object. Return: false if there is no memory. */
bool wt_table_add(struct wt_api_table *table, enum wt_api_key key, struct wt_api_entry *entry);

/** The one added last that has this number; NULL if there is none. */
struct wt_api_entry *wt_table_find(const struct wt_api_table *table, enum wt_api_key key,
				   uint64_t number);

/** Remove an object that is in the table. */
void wt_table_remove(struct wt_api_table *table, enum wt_api_key key, struct wt_api_entry *entry);

/** Free the table, which must have no objects; it can be used again. */
void wt_table_deinit(struct wt_api_table *table);

#endif /* WT_DBGAPI_SIMULATED_ENTRIES_H */
