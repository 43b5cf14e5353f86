/* SPDX-License-Identifier: MIT */
#include "tests/unit/recorder/journal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct fake *journal_provider;
char journal_identity;

const struct journal_mode journal_modes[JOURNAL_MODES] = {
	{AMD_DBGAPI_STATUS_SUCCESS, true},
	{AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE, false},
	{AMD_DBGAPI_STATUS_ERROR_RESTRICTION, true},
};

void journal_set_mode(const struct journal_mode *mode)
{
	journal_provider->status = mode->status;
	journal_provider->writes = mode->writes;
}

static amd_dbgapi_status_t client_process_get_info(amd_dbgapi_client_process_id_t process,
						   amd_dbgapi_client_process_info_t query,
						   size_t value_size, void *value)
{
	(void)process;
	(void)query;
	memset(value, 0x42, value_size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t breakpoint)
{
	(void)process;
	(void)address;
	(void)breakpoint;
	return AMD_DBGAPI_STATUS_ERROR;
}

static amd_dbgapi_status_t xfer_global_memory(amd_dbgapi_client_process_id_t process,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t *size, void *read_buffer,
					      const void *write_buffer)
{
	(void)process;
	(void)address;
	(void)write_buffer;
	if (read_buffer) {
		*size = 4;
		memcpy(read_buffer, "read", 4);
	}
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_callbacks_t journal_callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = client_process_get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = support_remove_breakpoint,
	.xfer_global_memory = xfer_global_memory,
	.log_message = support_log_message,
};

void journal_compare_values(enum wt_function function, const char *what,
			    const struct wt_value *values, size_t count,
			    const struct wt_value *found, size_t found_count)
{
	const char *name = wt_functions[function].name;

	if (count != found_count)
		fail_msg("%s: %zu %s, not %zu", name, found_count, what, count);
	for (size_t i = 0; i < count; i++) {
		const struct wt_value *a = &values[i], *b = &found[i];

		if (a->form != b->form)
			fail_msg("%s: %s %zu: form %d, not %d", name, what, i, b->form, a->form);
		if (a->number != b->number)
			fail_msg("%s: %s %zu: %#lx, not %#lx", name, what, i,
				 (unsigned long)b->number, (unsigned long)a->number);
		if (a->size != b->size || (a->size && memcmp(a->data, b->data, a->size)))
			fail_msg("%s: %s %zu: other data (%zu bytes, not %zu)", name, what, i,
				 b->size, a->size);
	}
}

const struct wt_journal_record *journal_next_call(struct wt_journal *journal)
{
	const struct wt_journal_record *record;

	do
		support_must(wt_journal_next(journal, &record));
	while (record && record->kind != WT_JOURNAL_BEGIN && record->kind != WT_JOURNAL_END);
	return record;
}

int journal_load_provider(void **state)
{
	void *handle = dlopen(FAKE_LIBRARY, RTLD_NOW);

	(void)state;
	if (!handle)
		return -1;
	journal_provider = dlsym(handle, "fake");
	return journal_provider ? 0 : -1;
}
