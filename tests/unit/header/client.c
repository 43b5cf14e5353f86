/* SPDX-License-Identifier: MIT */
/* A client that uses each way in which the public header can be written down: C and C++ alike. */
#include <amd-dbgapi/amd-dbgapi.h>

/* Without a word it is the newest level of a released ROCm. */
#if defined(AMD_DBGAPI_LEVEL_NEWEST)
#define EXPECTED_LEVEL 82
#else
#define EXPECTED_LEVEL 77
#endif
#if AMD_DBGAPI_VERSION_MAJOR != 0 || AMD_DBGAPI_VERSION_MINOR != EXPECTED_LEVEL
#error "another API level"
#endif

#define CHECK(name, condition) typedef char check_##name[(condition) ? 1 : -1]

/* What is part of the binary interface: sizes, and the order of the callbacks. */
CHECK(handle, sizeof(amd_dbgapi_wave_id_t) == 8);
CHECK(status, sizeof(amd_dbgapi_status_t) == 4);
CHECK(exceptions, sizeof(amd_dbgapi_exceptions_t) == 4);
CHECK(pid, sizeof(amd_dbgapi_os_process_id_t) == 4);
CHECK(core_state, sizeof(amd_dbgapi_core_state_data_t) == 24);
CHECK(call_information, sizeof(amd_dbgapi_direct_call_register_pair_information_t) == 24);
CHECK(callbacks, sizeof(amd_dbgapi_callbacks_t) == 7 * sizeof(void *));
CHECK(log_message, offsetof(amd_dbgapi_callbacks_t, log_message) == 6 * sizeof(void *));
CHECK(preemption, (uint32_t)AMD_DBGAPI_EXCEPTION_QUEUE_PREEMPTION_ERROR == 0x80000000u);
CHECK(lane, AMD_DBGAPI_LANE_NONE == 0xffffffffu);

uint64_t sum_of_null_handles(void);
amd_dbgapi_status_t read_first_word(amd_dbgapi_process_id_t process, uint32_t *word);

uint64_t sum_of_null_handles(void)
{
	return AMD_DBGAPI_ARCHITECTURE_NONE.handle + AMD_DBGAPI_PROCESS_NONE.handle +
	       AMD_DBGAPI_CODE_OBJECT_NONE.handle + AMD_DBGAPI_AGENT_NONE.handle +
	       AMD_DBGAPI_QUEUE_NONE.handle + AMD_DBGAPI_DISPATCH_NONE.handle +
	       AMD_DBGAPI_WORKGROUP_NONE.handle + AMD_DBGAPI_WAVE_NONE.handle +
	       AMD_DBGAPI_DISPLACED_STEPPING_NONE.handle + AMD_DBGAPI_WATCHPOINT_NONE.handle +
	       AMD_DBGAPI_REGISTER_CLASS_NONE.handle + AMD_DBGAPI_REGISTER_NONE.handle +
	       AMD_DBGAPI_ADDRESS_CLASS_NONE.handle + AMD_DBGAPI_ADDRESS_SPACE_NONE.handle +
	       AMD_DBGAPI_EVENT_NONE.handle + AMD_DBGAPI_BREAKPOINT_NONE.handle;
}

amd_dbgapi_status_t read_first_word(amd_dbgapi_process_id_t process, uint32_t *word)
{
	amd_dbgapi_size_t size = sizeof(*word);

	return amd_dbgapi_read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
				      AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, 0, &size, word);
}
