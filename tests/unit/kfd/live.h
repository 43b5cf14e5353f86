/* SPDX-License-Identifier: MIT */
/*
 * A program on the driver that is debugged through the API: this process is the program, and its own debugger. Its calls on
 * /dev/kfd go to the driver's process, or fail where a test wants it so.
 */
#ifndef WT_TESTS_UNIT_KFD_LIVE_H
#define WT_TESTS_UNIT_KFD_LIVE_H

#include "tests/unit/driver/debugger.h"

#include <stdlib.h>

#include <amd-dbgapi/amd-dbgapi.h>

#define SUCCESS AMD_DBGAPI_STATUS_SUCCESS
#define STATUS(name) AMD_DBGAPI_STATUS_ERROR_##name
#define assert_success(call) assert_int_equal((call), SUCCESS)

#define LIVE_CORE ((amd_dbgapi_client_process_id_t)&live.core)

#define CODE_URI "file:///kernels/a.co"

/* How calls of the library fail. */
extern struct live_faults {
	unsigned int calls;	/* made until now */
	unsigned int fail_at;	/* the number of the one that fails, from 1; 0: none does */
	int error;		/* how */
	bool stays;		/* all that follow fail, too */
	bool absent;		/* there is no driver */
	unsigned int suspended; /* calls that suspend queues */
	uint32_t major, minor;	/* of the version, if not 0 */
	/* Called before and after each debug call that is made, unless NULL; a test may change what is answered. */
	void (*before)(const struct kfd_debug_trap *args);
	void (*after)(struct kfd_debug_trap *args);
} live_faults;

struct live {
	struct session *session;
	struct aql queue;
	struct memory debug; /* r_debug and its list */
	amd_dbgapi_process_id_t process;
	pid_t pid; /* of the program: this process, unless a test has another one */
	amd_dbgapi_breakpoint_id_t breakpoint;
	uint64_t breakpoint_address;
	unsigned int breakpoints; /* inserted and not removed */
	bool refuse_breakpoint;
	char log[256]; /* the last warning or error */
	amd_dbgapi_core_state_data_t
		core; /* of a client's process that is LIVE_CORE: a core of this process */
};
extern struct live live;

/** Begin a test: memory, and the library initialized. With a runtime and a queue if @loaded. */
void live_begin(void **state, bool loaded);
/** End it: the library finalized; the queue has executed @packets. */
void live_end(uint64_t packets);

/** Attach, and take the RUNTIME event. */
void live_attach(void);
void live_detach(void);

/** The list of code objects: as many as @count of those that the test knows. */
void live_set_code(size_t count);

/** Wait for the next event of a kind; others must not come. Return: the event, not processed. */
amd_dbgapi_event_id_t live_expect(amd_dbgapi_event_kind_t kind);
/** The same of a wave, and processed. */
amd_dbgapi_wave_id_t live_take_wave(amd_dbgapi_event_kind_t kind);
void live_process(amd_dbgapi_event_id_t event);

/** The only wave there is, once it is there. */
amd_dbgapi_wave_id_t live_wave(void);
/* How many there are of what a function lists. */
#define live_count(list)                                                                           \
	({                                                                                         \
		void *listed_ = NULL;                                                              \
		size_t count_ = 0;                                                                 \
                                                                                                   \
		assert_success(list(live.process, &count_, (void *)&listed_, NULL));               \
		free(listed_);                                                                     \
		count_;                                                                            \
	})

uint64_t live_pc(amd_dbgapi_wave_id_t wave);
uint32_t live_reason(amd_dbgapi_wave_id_t wave);
uint32_t live_state(amd_dbgapi_wave_id_t wave);
void live_resume(amd_dbgapi_wave_id_t wave, amd_dbgapi_resume_mode_t mode,
		 amd_dbgapi_exceptions_t exceptions);
/** A register of the wave's architecture by its name. */
amd_dbgapi_register_id_t live_register(amd_dbgapi_wave_id_t wave, const char *name);

#endif /* WT_TESTS_UNIT_KFD_LIVE_H */
