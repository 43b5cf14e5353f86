/* SPDX-License-Identifier: MIT */
/* The two forms of open() are one function each here. */
#undef _FILE_OFFSET_BITS
#include "tests/unit/kfd/live.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#define PATIENCE 60000 /* milliseconds: it may run under a sanitizer, on a busy machine */

/* In the page of r_debug. */
#define AT_MAPS 64
#define MAP_BYTES 40
#define AT_NAMES 1024
#define BREAKPOINT_ADDRESS UINT64_C(0x123456780000)

struct live_faults live_faults;
struct live live;

/* ---- The driver, as the library finds it ---- */

#define EXPORT __attribute__((visibility("default")))

/* The C library's function of a name that is defined here for the library, too. */
#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

EXPORT int open64(const char *path, int flags, ...)
{
	if (strcmp(path, "/dev/kfd") != 0)
		return NEXT(open64)(path, flags, 0600);
	if (live_faults.absent) {
		errno = ENOENT;
		return -1;
	}
	return NEXT(open64)("/dev/null", O_RDWR | O_CLOEXEC);
}

static bool fails(void)
{
	live_faults.calls++;
	return live_faults.fail_at &&
	       (live_faults.stays ? live_faults.calls >= live_faults.fail_at
				  : live_faults.calls == live_faults.fail_at);
}

static int answer(int result)
{
	if (result >= 0)
		return result;
	errno = -result;
	return -1;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	struct kfd_debug_trap *trap;
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (_IOC_TYPE(request) != KFD_IOCTL_BASE)
		return NEXT(ioctl)(fd, request, argument);
	if (fails())
		return answer(-live_faults.error);
	trap = _IOC_NR(request) == KFD_DEBUG ? argument : NULL;
	if (trap)
		live_faults.suspended += trap->operation == KFD_DEBUG_SUSPEND_QUEUES;
	if (trap && live_faults.before)
		live_faults.before(trap);
	result = call_on(live.session->thread, WT_WIRE_KFD, (uint32_t)request, argument,
			 _IOC_SIZE(request));
	if (trap && result >= 0 && live_faults.after)
		live_faults.after(trap);
	if (!result && _IOC_NR(request) == KFD_GET_VERSION && live_faults.major)
		*(struct kfd_get_version *)argument =
			(struct kfd_get_version){live_faults.major, live_faults.minor};
	return answer(result);
}

/* ---- The client ---- */

/* The library deallocates what it is given. */
static amd_dbgapi_status_t get_core(amd_dbgapi_client_process_info_t query, void *value)
{
	amd_dbgapi_core_state_data_t state = live.core;
	void *data;

	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE)
		return STATUS(NOT_AVAILABLE);
	data = malloc(state.size);
	memcpy(data, state.data, state.size);
	state.data = data;
	memcpy(value, &state, sizeof(state));
	return SUCCESS;
}

static amd_dbgapi_status_t get_info(amd_dbgapi_client_process_id_t process,
				    amd_dbgapi_client_process_info_t query, size_t value_size,
				    void *value)
{
	const amd_dbgapi_os_process_id_t pid = live.pid;

	if (process == LIVE_CORE)
		return get_core(query, value);
	if (query != AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID || value_size != sizeof(pid))
		return STATUS(NOT_AVAILABLE);
	memcpy(value, &pid, sizeof(pid));
	return SUCCESS;
}

static amd_dbgapi_status_t insert_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_breakpoint_id_t id)
{
	(void)process;
	if (live.refuse_breakpoint)
		return AMD_DBGAPI_STATUS_ERROR;
	live.breakpoint = id;
	live.breakpoint_address = address;
	live.breakpoints++;
	return SUCCESS;
}

static amd_dbgapi_status_t remove_breakpoint(amd_dbgapi_client_process_id_t process,
					     amd_dbgapi_breakpoint_id_t id)
{
	(void)process;
	assert_int_equal(id.handle, live.breakpoint.handle);
	live.breakpoints--;
	return SUCCESS;
}

static amd_dbgapi_status_t xfer_memory(amd_dbgapi_client_process_id_t process,
				       amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				       void *read, const void *write)
{
	const struct iovec from = {(void *)(uintptr_t)address, *size}, to = {read, *size};
	ssize_t done = -1;

	if (process == LIVE_CORE && !write)
		done = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
	if (done <= 0)
		return STATUS(MEMORY_ACCESS);
	*size = (amd_dbgapi_size_t)done;
	return SUCCESS;
}

static void log_message(amd_dbgapi_log_level_t level, const char *message)
{
	if (level <= AMD_DBGAPI_LOG_LEVEL_WARNING)
		snprintf(live.log, sizeof(live.log), "%s", message);
}

static amd_dbgapi_callbacks_t callbacks = {
	.allocate_memory = malloc,
	.deallocate_memory = free,
	.client_process_get_info = get_info,
	.insert_breakpoint = insert_breakpoint,
	.remove_breakpoint = remove_breakpoint,
	.xfer_global_memory = xfer_memory,
	.log_message = log_message,
};

/* ---- The program ---- */

static void put(size_t offset, uint64_t value, size_t size)
{
	memcpy(live.debug.data + offset, &value, size);
}

/* A list of one size is written whole: what is read of it follows its links. */
void live_set_code(size_t count)
{
	put(24, 1, 4);
	put(8, count ? live.debug.address + AT_MAPS : 0, 8);
	for (size_t i = 0; i < count; i++) {
		size_t map = AT_MAPS + i * MAP_BYTES, name = AT_NAMES + i * 64;

		snprintf((char *)live.debug.data + name, 64, CODE_URI "#%zu", i);
		put(map, 0x1000 * (i + 1), 8);
		put(map + 8, live.debug.address + name, 8);
		put(map + 24, i + 1 < count ? live.debug.address + map + MAP_BYTES : 0, 8);
	}
	put(24, 0, 4);
}

static void make_r_debug(void)
{
	live.debug = session_memory(live.session, PAGE);
	put(0, 10, 4);
	put(16, BREAKPOINT_ADDRESS, 8);
	live_set_code(1);
}

/* The debugger's memory is behind the save area. */
static void make_queue(void)
{
	live.queue = session_queue_with(live.session, 126 * PAGE);
	const uint32_t head[] = {(uint32_t)(126 * PAGE), (uint32_t)PAGE};

	memcpy(live.queue.save.data + 16, head, sizeof(head));
}

void live_begin(void **state, bool loaded)
{
	live_faults = (struct live_faults){0};
	live = (struct live){.session = *state, .pid = getpid()};
	session_acquire(live.session);
	make_r_debug();
	if (loaded) {
		assert_int_equal(
			runtime_comes(live.session, live.session->thread, live.debug.address), 0);
		make_queue();
	}
	amd_dbgapi_set_log_level(AMD_DBGAPI_LOG_LEVEL_WARNING);
	assert_success(amd_dbgapi_initialize(&callbacks));
}

void live_end(uint64_t packets)
{
	live_faults.fail_at = 0;
	assert_success(amd_dbgapi_finalize());
	assert_int_equal(live.breakpoints, 0);
	if (packets)
		assert_true(aql_wait(&live.queue, packets));
}

void live_attach(void)
{
	amd_dbgapi_runtime_state_t runtime;
	amd_dbgapi_event_id_t event;
	amd_dbgapi_status_t status;

	status = amd_dbgapi_process_attach((amd_dbgapi_client_process_id_t)&live, &live.process);
	if (status != SUCCESS)
		fail_msg("attach: %d: %s", status, live.log);
	event = live_expect(AMD_DBGAPI_EVENT_KIND_RUNTIME);
	assert_success(amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE,
						 sizeof(runtime), &runtime));
	assert_int_equal(runtime, AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS);
	assert_success(amd_dbgapi_event_processed(event));
	assert_int_equal(live.breakpoint_address, BREAKPOINT_ADDRESS);
}

void live_detach(void)
{
	assert_success(amd_dbgapi_process_detach(live.process));
}

/* ---- Events and waves ---- */

amd_dbgapi_event_id_t live_expect(amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_event_id_t event = {0};
	amd_dbgapi_event_kind_t got = AMD_DBGAPI_EVENT_KIND_NONE;
	amd_dbgapi_notifier_t notifier;
	char byte;

	assert_success(amd_dbgapi_process_get_info(live.process, AMD_DBGAPI_PROCESS_INFO_NOTIFIER,
						   sizeof(notifier), &notifier));
	while (true) {
		struct pollfd wait = {.fd = notifier, .events = POLLIN};

		assert_success(amd_dbgapi_process_next_pending_event(live.process, &event, &got));
		if (got != AMD_DBGAPI_EVENT_KIND_NONE)
			break;
		assert_int_equal(poll(&wait, 1, PATIENCE), 1);
		while (read(notifier, &byte, 1) == 1)
			;
	}
	assert_int_equal(got, kind);
	return event;
}

void live_process(amd_dbgapi_event_id_t event)
{
	assert_success(amd_dbgapi_event_processed(event));
}

amd_dbgapi_wave_id_t live_take_wave(amd_dbgapi_event_kind_t kind)
{
	amd_dbgapi_event_id_t event = live_expect(kind);
	amd_dbgapi_wave_id_t wave;

	assert_success(
		amd_dbgapi_event_get_info(event, AMD_DBGAPI_EVENT_INFO_WAVE, sizeof(wave), &wave));
	live_process(event);
	return wave;
}

amd_dbgapi_wave_id_t live_wave(void)
{
	amd_dbgapi_wave_id_t *waves, wave = {0};
	size_t count = 0;

	while (!count) {
		assert_success(amd_dbgapi_process_wave_list(live.process, &count, &waves, NULL));
		if (count)
			wave = waves[0];
		free(waves);
	}
	assert_int_equal(count, 1);
	return wave;
}

static uint64_t ask(amd_dbgapi_wave_id_t wave, amd_dbgapi_wave_info_t query, size_t size)
{
	uint64_t value = 0;

	assert_success(amd_dbgapi_wave_get_info(wave, query, size, &value));
	return value;
}

uint64_t live_pc(amd_dbgapi_wave_id_t wave)
{
	return ask(wave, AMD_DBGAPI_WAVE_INFO_PC, 8);
}

uint32_t live_reason(amd_dbgapi_wave_id_t wave)
{
	return (uint32_t)ask(wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON, 4);
}

uint32_t live_state(amd_dbgapi_wave_id_t wave)
{
	return (uint32_t)ask(wave, AMD_DBGAPI_WAVE_INFO_STATE, 4);
}

void live_resume(amd_dbgapi_wave_id_t wave, amd_dbgapi_resume_mode_t mode,
		 amd_dbgapi_exceptions_t exceptions)
{
	assert_success(amd_dbgapi_wave_resume(wave, mode, exceptions));
}

amd_dbgapi_register_id_t live_register(amd_dbgapi_wave_id_t wave, const char *name)
{
	amd_dbgapi_register_id_t *registers, found = {0};
	size_t count;

	assert_success(amd_dbgapi_wave_register_list(wave, &count, &registers));
	for (size_t i = 0; i < count && !found.handle; i++) {
		char *text;

		assert_success(amd_dbgapi_register_get_info(
			registers[i], AMD_DBGAPI_REGISTER_INFO_NAME, sizeof(text), &text));
		if (!strcmp(text, name))
			found = registers[i];
		free(text);
	}
	free(registers);
	assert_int_not_equal(found.handle, 0);
	return found;
}
