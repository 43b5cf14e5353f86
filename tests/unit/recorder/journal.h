/* SPDX-License-Identifier: MIT */
/* A client over the provider that makes its answers up, and what is compared of the journal of its calls. */
#ifndef WT_TEST_RECORDER_JOURNAL_H
#define WT_TEST_RECORDER_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/unit/recorder/fake.h"
#include "tests/unit/recorder/support.h"

/** The provider, from journal_load_provider() on, which sets a group of tests up. */
extern struct fake *journal_provider;
int journal_load_provider(void **state);

/** Success, an error that writes nothing, one that writes all the same. */
extern const struct journal_mode {
	amd_dbgapi_status_t status;
	bool writes;
} journal_modes[];
#define JOURNAL_MODES 3

void journal_set_mode(const struct journal_mode *mode);

/** The client's: what it is known by, and callbacks that say something. */
extern char journal_identity;
extern amd_dbgapi_callbacks_t journal_callbacks;

/** The next begin or end of a call; NULL if there is none. Good until the next. */
const struct wt_journal_record *journal_next_call(struct wt_journal *journal);

/** Fail if values that were found are not those that were expected. @what: in a message, beside the function. */
void journal_compare_values(enum wt_function function, const char *what,
			    const struct wt_value *values, size_t count,
			    const struct wt_value *found, size_t found_count);

#endif /* WT_TEST_RECORDER_JOURNAL_H */
