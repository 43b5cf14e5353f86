/* SPDX-License-Identifier: MIT */
#include "recorder/host/recorded-host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/cleanup.h"
#include "dbgapi/finding/search.h"
#include "recorder/host/allocations.h"
#include "recorder/host/frames.h"
#include "recorder/host/gathering.h"
#include "recorder/host/kernel-log.h"
#include "recorder/naming/pattern.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"

#define FILE_LIMIT ((size_t)1 << 20)

static void add_version(struct wt_gathering *gathering, const char *of, const char *text)
{
	struct wt_host_version *version = WT_HOST_ADD(gathering->host, versions);

	if (version) {
		version->of = wt_gathering_text(gathering, of, SIZE_MAX);
		version->text = wt_gathering_text(gathering, text, strcspn(text, "\n"));
	}
	gathering->no_memory |= !version;
}

static void add_version_file(struct wt_gathering *gathering, const char *of, const char *path)
{
	wt_cleanup_buffer struct wt_buffer text = {0};

	if (wt_gathering_read_file(path, WT_HOST_TEXT, &text) && text.size > 1)
		add_version(gathering, of, (const char *)text.data);
}

/* PRETTY_NAME="..." */
static void add_system(struct wt_gathering *gathering)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	char *name, *end;

	if (!wt_gathering_read_file("/etc/os-release", WT_HOST_TEXT, &text))
		return;
	name = strstr((char *)text.data, "PRETTY_NAME=");
	if (!name)
		return;
	name += strlen("PRETTY_NAME=");
	name += *name == '"';
	end = name + strcspn(name, "\"\n");
	*end = '\0';
	add_version(gathering, "system", name);
}

static void gather_versions(struct wt_gathering *gathering)
{
	struct utsname system;
	char text[256];

	if (!uname(&system)) {
		snprintf(text, sizeof(text), "%s %s", system.release, system.machine);
		add_version(gathering, system.sysname, text);
	}
	add_system(gathering);
	/* A driver that came with the kernel has no version of its own. */
	add_version_file(gathering, "amdgpu", "/sys/module/amdgpu/version");
	add_version_file(gathering, "amdgpu source", "/sys/module/amdgpu/srcversion");
	if (access("/sys/class/kfd/kfd", F_OK))
		wt_gathering_missing(gathering,
				     "the driver's version: there is no AMD GPU driver (kfd) here");
}

/* The ROCm of the runtime that the program has; of a program that has none, or is none of this machine, what is installed. */
static void gather_rocm(struct wt_gathering *gathering)
{
	static const char *const libraries[] = {"/libhsa-runtime64.so", "/libamdhip64.so"};
	const struct wt_host *host = gathering->host;
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);
	wt_cleanup_free char *version = NULL;

	for (size_t i = 0; i < host->maps_count && !version; i++)
		for (size_t j = 0; host->maps[i].path && j < 2 && !version; j++)
			if (strstr(host->maps[i].path, libraries[j]))
				version = wt_search_rocm_of(host->maps[i].path);
	if (!version) {
		wt_search_add_known(&search, NULL, NULL);
		version = wt_search_rocm(&search);
	}
	if (version)
		add_version(gathering, "ROCm", version);
	gathering->no_memory |= search.no_memory;
	wt_search_deinit(&search);
}

/* Traces of a cluster are told apart by it. */
static void gather_host_name(struct wt_gathering *gathering)
{
	struct utsname system;

	if (gathering->names && !uname(&system) && *system.nodename)
		add_version(gathering, "host name", system.nodename);
}

static void gather_command(struct wt_gathering *gathering)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	char path[128], target[WT_HOST_TEXT];
	ssize_t length;

	snprintf(path, sizeof(path), "/proc/%llu/exe", (unsigned long long)gathering->process);
	length = readlink(path, target, sizeof(target) - 1);
	if (length > 0)
		gathering->host->executable = wt_gathering_text(gathering, target, (size_t)length);
	else
		wt_gathering_missing(gathering, "executable: %s", strerror(errno));
	if (!wt_gathering_read(gathering, "cmdline", FILE_LIMIT, &text)) {
		wt_gathering_missing(gathering, "command line: %s", strerror(errno));
		return;
	}
	/* Each argument ends with a NUL, and one more follows that is ours. */
	for (size_t at = 0; at + 1 < text.size;) {
		const char *argument = (const char *)text.data + at;
		char **word = WT_HOST_ADD(gathering->host, command_line);

		at += strlen(argument) + 1;
		if (word)
			*word = wt_gathering_text(gathering, argument, SIZE_MAX);
		gathering->no_memory |= !word;
	}
}

/* Gathers what a scheduler called the process. */
static void gather_rank(struct wt_gathering *gathering, const struct wt_buffer *environment)
{
	char rank[WT_NAME_WORD], job[WT_NAME_WORD];

	if (!gathering->names)
		return;
	wt_name_words_in((const char *)environment->data, environment->size, rank, job);
	if (strcmp(rank, "none") != 0)
		add_version(gathering, "rank", rank);
	if (strcmp(job, "none") != 0)
		add_version(gathering, "job", job);
}

static void gather_environment(struct wt_gathering *gathering)
{
	struct wt_host *host = gathering->host;
	wt_cleanup_buffer struct wt_buffer text = {0};

	if (!wt_gathering_read(gathering, "environ", FILE_LIMIT, &text)) {
		wt_gathering_missing(gathering, "environment: %s", strerror(errno));
		return;
	}
	gather_rank(gathering, &text);
	for (size_t at = 0; at + 1 < text.size && host->environment_count < WT_HOST_VARIABLES;) {
		const char *entry = (const char *)text.data + at;
		size_t name = strcspn(entry, "=");
		struct wt_host_variable *variable = WT_HOST_ADD(host, environment);

		at += strlen(entry) + 1;
		gathering->no_memory |= !variable;
		if (!variable)
			return;
		variable->name = wt_gathering_text(gathering, entry, name);
		if (entry[name] &&
		    (gathering->values || (gathering->names && wt_host_is_of_runtime(entry))))
			variable->value = wt_gathering_text(gathering, entry + name + 1, SIZE_MAX);
	}
}

/* The program that is debugged, which is the client itself for an agent that looks at its own process. */
static uint64_t find_process(struct wt_recorder *recorder, uint64_t process)
{
	uint64_t id = 0;

	if (!wt_ask_number(recorder, WT_OBJECT_PROCESS, process, AMD_DBGAPI_PROCESS_INFO_OS_ID,
			   &id))
		return 0;
	return id;
}

/* Copies what the recording is made for. */
static void host_gather_queue_error(struct wt_gathering *gathering,
				    const struct wt_host_queue_error *error)
{
	struct wt_host_queue_error *copy;

	if (!error)
		return;
	copy = calloc(1, sizeof(*copy));
	gathering->host->queue_error = copy;
	gathering->no_memory |= !copy;
	if (!copy)
		return;
	copy->ring_address = error->ring_address;
	copy->status = error->status;
	copy->text = wt_gathering_text(gathering, error->text, SIZE_MAX);
}

static void host_gather(struct wt_gathering *gathering)
{
	char path[64];

	gather_versions(gathering);
	gather_host_name(gathering);
	if (!gathering->process) {
		wt_gathering_missing(gathering,
				     "the recorded program: the client named no process of this "
				     "machine, as with a core dump");
		return;
	}
	snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)gathering->process);
	if (access("/proc/self", F_OK)) {
		wt_gathering_missing(gathering, "the recorded program: /proc is not mounted");
		return;
	}
	if (access(path, F_OK)) {
		wt_gathering_missing(gathering, "the recorded program: process %llu is not here",
				     (unsigned long long)gathering->process);
		return;
	}
	gather_command(gathering);
	gather_environment(gathering);
	wt_gather_maps(gathering);
	gathering->alive = true;
}

static void gather_device_faults(const struct wt_recorder *recorder, struct wt_gathering *gathering)
{
	for (size_t i = 0; i < recorder->device_fault_count; i++) {
		struct wt_host_device_fault *fault = WT_HOST_ADD(gathering->host, device_faults);

		if (!fault) {
			gathering->no_memory = true;
			return;
		}
		*fault = recorder->device_faults[i];
	}
}

/* ---- Code of the host that waves stand in ---- */

/* A wave that has jumped to a function of the host stops there: on another machine nothing but the recording can say which one that is. */
#define PLACES_MOST 16u
#define PLACE_FRAMES 8u /* with those of inlined functions */

/* Code of the host: of a file, or of memory that has no name. Code of the GPU lies in what a driver has mapped. */
static bool host_is_code(const struct wt_host *host, uint64_t address)
{
	for (size_t i = 0; i < host->maps_count; i++)
		if (address >= host->maps[i].start && address < host->maps[i].end)
			return host->maps[i].access[2] == 'x' &&
			       strncmp(host->maps[i].path, "/dev/", 5) != 0;
	return false;
}

static void host_add_place(struct wt_gathering *gathering, Dwfl *dwfl, uint64_t address)
{
	struct wt_host_stack *stack = WT_HOST_ADD(gathering->host, stacks);

	gathering->no_memory |= !stack;
	if (!stack)
		return;
	stack->frames = calloc(PLACE_FRAMES, sizeof(*stack->frames));
	gathering->no_memory |= !stack->frames;
	if (stack->frames)
		stack->frame_count = wt_frames_describe(gathering, dwfl, address, false, 0,
							stack->frames, PLACE_FRAMES);
}

/* The place in code of the host where a stopped wave stands; 0 if it does not stand there. */
static uint64_t host_find_place(struct wt_recorder *recorder, const struct wt_host *host,
				const struct wt_item *item)
{
	const struct wt_answer *answer;
	uint64_t pc;

	if (item->key.type != WT_ITEM_OBJECT ||
	    item->key.kind != wt_key_object(recorder, WT_OBJECT_WAVE, 0).kind)
		return 0;
	answer = wt_item_answer(
		item, wt_number_query(&recorder->numbers, WT_OBJECT_WAVE,
				      wt_query_find(WT_OBJECT_WAVE, AMD_DBGAPI_WAVE_INFO_PC)));
	if (!answer || answer->status || answer->size != sizeof(pc))
		return 0;
	pc = wt_value_load(answer->value, sizeof(pc), false);
	return host_is_code(host, pc) ? pc : 0;
}

static bool host_places_have(const uint64_t *places, size_t count, uint64_t place)
{
	while (count && places[count - 1] != place)
		count--;
	return count;
}

static void host_gather_wave_code(struct wt_recorder *recorder, struct wt_gathering *gathering,
				  const struct wt_state *state)
{
	uint64_t places[PLACES_MOST];
	Dwfl *dwfl = NULL;
	size_t count = 0;

	for (size_t i = 0; state && i < wt_state_count(state) && count < PLACES_MOST; i++) {
		uint64_t place = host_find_place(recorder, gathering->host, wt_state_at(state, i));

		if (place && !host_places_have(places, count, place))
			places[count++] = place;
	}
	if (count)
		dwfl = wt_frames_open((pid_t)gathering->process);
	for (size_t i = 0; dwfl && i < count && !wt_gathering_is_over(gathering); i++)
		host_add_place(gathering, dwfl, places[i]);
	dwfl_end(dwfl);
}

/* ---- All of it ---- */

struct wt_error *wt_take_host(struct wt_recorder *recorder, uint64_t process,
			      const struct wt_state *state)
{
	const struct wt_policy *policy = &recorder->options.policy;
	struct wt_gathering gathering = {
		.values = policy->environment && !policy->redact,
		.names = !policy->redact,
	};
	struct wt_error *error;
	int cancel;

	if (recorder->options.reproducible || (policy->no_host && !recorder->host.queue_error) ||
	    (recorder->host.written && recorder->host.written_at >= recorder->host.seen))
		return NULL;
	recorder->host.written = true;
	recorder->host.written_at = recorder->host.seen;
	wt_gathering_begin(&gathering, recorder->options.max_stopped_ms);
	gathering.host = wt_host_create();
	if (!gathering.host)
		return &wt_error_no_memory;
	gathering.process = gathering.host->process_id = find_process(recorder, process);
	gathering.host->time = wt_recorder_time(recorder);
	cancel = wt_cancel_disable();
	host_gather_queue_error(&gathering, recorder->host.queue_error);
	if (policy->no_host)
		wt_gathering_missing(&gathering, "the rest: it was not to be taken (no-host)");
	else
		host_gather(&gathering);
	if (!policy->no_host)
		gather_rocm(&gathering);
	if (gathering.alive && !policy->redact)
		wt_gather_allocations(recorder, &gathering, process, state);
	if (gathering.alive)
		host_gather_wave_code(recorder, &gathering, state);
	gather_device_faults(recorder, &gathering);
	if (gathering.alive)
		wt_gather_kernel_log(&gathering, "");
	if (gathering.alive)
		wt_gather_threads(&gathering);
	wt_cancel_restore(cancel);
	error = gathering.no_memory ? &wt_error_no_memory
				    : wt_writer_host(recorder->writer, gathering.host);
	wt_host_destroy(gathering.host);
	return error;
}
