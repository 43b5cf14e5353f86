/* SPDX-License-Identifier: MIT */
/* One call of every function, for every query: how it is made and what a recording of it must hold. */
#ifndef WT_TEST_RECORDER_CASES_H
#define WT_TEST_RECORDER_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "dbgapi/table/api.h"
#include "tests/unit/recorder/journal.h"
#include "trace-format/writer/writer.h"

struct expected {
	enum wt_function function;
	const struct wt_value *inputs;
	/* After success, after an error that wrote nothing, after one that wrote all the same. */
	const struct wt_value *outputs[3];
	size_t input_count, output_count;
	int64_t returned;
	struct wt_buffer captured; /* all that the client got */
};

typedef void (*test_case)(const struct wt_api *api, struct expected *expected);

extern const test_case test_cases[];
extern const size_t test_case_count;
extern const test_case test_null_cases[]; /* every pointer is NULL */
extern const size_t test_null_case_count;

/* Of the test program. */
extern const uint8_t fake_pattern[];
amd_dbgapi_status_t test_symbolizer(amd_dbgapi_symbolizer_id_t id,
				    amd_dbgapi_global_address_t address, char **text);
void test_capture(struct expected *expected, const void *data, size_t size);
void test_capture_memory(struct expected *expected, const void *memory, size_t size, bool owned);
void test_capture_query(struct expected *expected, enum wt_object object, uint32_t query,
			void *value);

#endif /* WT_TEST_RECORDER_CASES_H */
