/* SPDX-License-Identifier: MIT */
/*
 * Measures one library, or one trace; tests/bench/run makes ratios of it.
 *
 * Usage: bench calls LIBRARY          nanoseconds of each call, the median of batches, as JSON
 *        bench steps LIBRARY COUNT    nanoseconds of each of COUNT steps of all waves, as JSON
 *        bench dump TRACE FILE        the state at every stop, raw
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/dump.h"
#include "tests/bench/session.h"

#define BATCHES 31
#define CALLS 400 /* in a batch */

/* What the calls are made with, found once. */
struct subject {
	struct session *session;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_register_id_t pc_register, vector_register;
	uint64_t pc;
};

struct call {
	const char *name;
	amd_dbgapi_status_t (*make)(const struct subject *subject);
};

/* ---- The ten calls that GDB makes most ---- */

static amd_dbgapi_status_t next_pending_event(const struct subject *subject)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	return subject->session->api.process_next_pending_event(subject->session->process, &event,
								&kind);
}

static amd_dbgapi_status_t wave_list(const struct subject *subject)
{
	amd_dbgapi_wave_id_t *waves = NULL;
	amd_dbgapi_changed_t changed;
	amd_dbgapi_status_t status;
	size_t count;

	status = subject->session->api.process_wave_list(subject->session->process, &count, &waves,
							 &changed);
	free(waves);
	return status;
}

static amd_dbgapi_status_t wave_state(const struct subject *subject)
{
	amd_dbgapi_wave_state_t state;

	return subject->session->api.wave_get_info(subject->wave, AMD_DBGAPI_WAVE_INFO_STATE,
						   sizeof(state), &state);
}

static amd_dbgapi_status_t wave_architecture(const struct subject *subject)
{
	amd_dbgapi_architecture_id_t architecture;

	return subject->session->api.wave_get_info(subject->wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
						   sizeof(architecture), &architecture);
}

static amd_dbgapi_status_t get_architecture(const struct subject *subject)
{
	amd_dbgapi_architecture_id_t architecture;

	return subject->session->api.get_architecture(0x4c, &architecture);
}

static amd_dbgapi_status_t register_type(const struct subject *subject)
{
	char *type = NULL;
	amd_dbgapi_status_t status = subject->session->api.register_get_info(
		subject->vector_register, AMD_DBGAPI_REGISTER_INFO_TYPE, sizeof(type), &type);

	free(type);
	return status;
}

static amd_dbgapi_status_t register_exists(const struct subject *subject)
{
	amd_dbgapi_register_exists_t exists;

	return subject->session->api.wave_register_exists(subject->wave, subject->vector_register,
							  &exists);
}

static amd_dbgapi_status_t read_pc(const struct subject *subject)
{
	uint64_t value;

	return subject->session->api.read_register(subject->wave, subject->pc_register, 0,
						   sizeof(value), &value);
}

static amd_dbgapi_status_t read_vector(const struct subject *subject)
{
	uint8_t value[256];

	return subject->session->api.read_register(subject->wave, subject->vector_register, 0,
						   sizeof(value), value);
}

static amd_dbgapi_status_t read_memory(const struct subject *subject)
{
	uint8_t value[64];
	size_t size = sizeof(value);

	return subject->session->api.read_memory(subject->session->process, subject->wave, 0,
						 AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, subject->pc,
						 &size, value);
}

static const struct call calls[] = {
	{"get_architecture", get_architecture}, {"wave_get_info(ARCHITECTURE)", wave_architecture},
	{"wave_get_info(STATE)", wave_state},	{"wave_register_exists", register_exists},
	{"read_register(pc)", read_pc},		{"read_register(v0)", read_vector},
	{"read_memory(64 bytes)", read_memory}, {"register_get_info(TYPE)", register_type},
	{"process_wave_list", wave_list},	{"process_next_pending_event", next_pending_event},
};

/* ---- Measuring ---- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double measure(const struct call *call, const struct subject *subject)
{
	double batches[BATCHES];

	check(call->make(subject), call->name);
	for (size_t i = 0; i < BATCHES; i++) {
		uint64_t before = nanoseconds();

		for (size_t j = 0; j < CALLS; j++)
			check(call->make(subject), call->name);
		batches[i] = (double)(nanoseconds() - before) / CALLS;
	}
	qsort(batches, BATCHES, sizeof(*batches), compare);
	return batches[BATCHES / 2];
}

static amd_dbgapi_register_id_t find_register(const struct subject *subject, const char *name)
{
	const struct wt_api *api = &subject->session->api;
	amd_dbgapi_register_id_t *registers, found = AMD_DBGAPI_REGISTER_NONE;
	size_t count;

	check(api->wave_register_list(subject->wave, &count, &registers), "wave_register_list");
	for (size_t i = 0; i < count; i++) {
		char *text = NULL;

		check(api->register_get_info(registers[i], AMD_DBGAPI_REGISTER_INFO_NAME,
					     sizeof(text), &text),
		      "register_get_info");
		if (!strcmp(text, name))
			found = registers[i];
		free(text);
	}
	free(registers);
	if (!found.handle)
		die("the wave has no register %s", name);
	return found;
}

static void measure_calls(const char *library)
{
	struct session session = {0};
	struct subject subject = {.session = &session};

	session_begin(&session, library);
	subject.wave = session.waves[0];
	check(session.api.wave_get_info(subject.wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(subject.pc),
					&subject.pc),
	      "wave_get_info");
	check(session.api.wave_get_info(subject.wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
					sizeof(subject.architecture), &subject.architecture),
	      "wave_get_info");
	check(session.api.architecture_get_info(subject.architecture,
						AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
						sizeof(subject.pc_register), &subject.pc_register),
	      "architecture_get_info");
	subject.vector_register = find_register(&subject, "v0");
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		printf("%s\"%s\": %.1f", i ? ", " : "{", calls[i].name,
		       measure(&calls[i], &subject));
	puts("}");
	session_end(&session);
}

static void measure_steps(const char *library, const char *count_text)
{
	struct session session = {0};
	long count = strtol(count_text, NULL, 10);

	session_begin(&session, library);
	printf("{\"waves\": %zu, \"ns\": [", session.wave_count);
	for (long i = 0; i < count; i++)
		printf("%s%" PRIu64, i ? ", " : "", session_step_all(&session));
	puts("]}");
	session_end(&session);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "calls"))
		measure_calls(argv[2]);
	else if (argc == 4 && !strcmp(argv[1], "steps"))
		measure_steps(argv[2], argv[3]);
	else if (argc == 4 && !strcmp(argv[1], "dump"))
		dump_states(argv[2], argv[3]);
	else
		die("usage: bench calls LIBRARY | steps LIBRARY COUNT | dump TRACE FILE");
	return 0;
}
