/* SPDX-License-Identifier: MIT */
#include "tests/bench/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW 400000u	/* calls that fill some tens of chunks */
#define CALLERS 100000u /* the same with callbacks, which take several times as many bytes */
#define BATCHES 41
#define BATCH_NS 200000.0 /* about what a batch takes */
#define MOST_CALLS 400	  /* in a batch */
#define FEWEST_CALLS 4

/* What the calls are made with, found once. */
struct subject {
	struct session *session;
	amd_dbgapi_wave_id_t wave;
	amd_dbgapi_architecture_id_t architecture;
	uint32_t machine; /* the architecture's, in ELF files */
	amd_dbgapi_register_id_t pc_register, vector_register;
	amd_dbgapi_register_class_id_t register_class;
	uint64_t pc;
	uint8_t instruction[20];     /* what GDB offers of them */
	size_t instruction_size;     /* what could be read */
	amd_dbgapi_size_t read_size; /* of memory around pc */
	bool forward;		     /* what progress was last set to */
};

struct call {
	const char *name;
	amd_dbgapi_status_t (*make)(struct subject *subject);
};

/*
 * The fifteen calls that GDB 16 makes most, counted in the journals of recorded sessions (run, info threads, info registers,
 * x, disassemble, stepi, continue, kill). Registers are read in two sizes.
 */

static amd_dbgapi_status_t register_exists(struct subject *subject)
{
	amd_dbgapi_register_exists_t exists;

	return subject->session->api.wave_register_exists(subject->wave, subject->vector_register,
							  &exists);
}

static amd_dbgapi_status_t register_properties(struct subject *subject)
{
	amd_dbgapi_register_properties_t properties;

	return subject->session->api.register_get_info(subject->vector_register,
						       AMD_DBGAPI_REGISTER_INFO_PROPERTIES,
						       sizeof(properties), &properties);
}

static amd_dbgapi_status_t register_text(struct subject *subject, amd_dbgapi_register_info_t query)
{
	char *text = NULL;
	amd_dbgapi_status_t status = subject->session->api.register_get_info(
		subject->vector_register, query, sizeof(text), &text);

	free(text);
	return status;
}

static amd_dbgapi_status_t register_name(struct subject *subject)
{
	return register_text(subject, AMD_DBGAPI_REGISTER_INFO_NAME);
}

static amd_dbgapi_status_t register_type(struct subject *subject)
{
	return register_text(subject, AMD_DBGAPI_REGISTER_INFO_TYPE);
}

static amd_dbgapi_status_t register_dwarf(struct subject *subject)
{
	uint64_t number;

	return subject->session->api.register_get_info(
		subject->vector_register, AMD_DBGAPI_REGISTER_INFO_DWARF, sizeof(number), &number);
}

static amd_dbgapi_status_t in_class(struct subject *subject)
{
	amd_dbgapi_register_class_state_t state;

	return subject->session->api.register_is_in_register_class(
		subject->register_class, subject->vector_register, &state);
}

static amd_dbgapi_status_t class_name(struct subject *subject)
{
	char *name = NULL;
	amd_dbgapi_status_t status = subject->session->api.architecture_register_class_get_info(
		subject->register_class, AMD_DBGAPI_REGISTER_CLASS_INFO_NAME, sizeof(name), &name);

	free(name);
	return status;
}

static amd_dbgapi_status_t get_architecture(struct subject *subject)
{
	amd_dbgapi_architecture_id_t architecture;

	return subject->session->api.get_architecture(subject->machine, &architecture);
}

static amd_dbgapi_status_t read_memory(struct subject *subject)
{
	uint8_t value[64];
	size_t size = subject->read_size;

	return subject->session->api.read_memory(subject->session->process, subject->wave, 0,
						 AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, subject->pc,
						 &size, value);
}

static amd_dbgapi_status_t read_pc(struct subject *subject)
{
	uint64_t value;

	return subject->session->api.read_register(subject->wave, subject->pc_register, 0,
						   sizeof(value), &value);
}

static amd_dbgapi_status_t read_vector(struct subject *subject)
{
	uint8_t value[256];

	return subject->session->api.read_register(subject->wave, subject->vector_register, 0,
						   sizeof(value), value);
}

static amd_dbgapi_status_t wave_list(struct subject *subject)
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

/* There is none: GDB asks until it is told so. */
static amd_dbgapi_status_t next_pending_event(struct subject *subject)
{
	amd_dbgapi_event_kind_t kind;
	amd_dbgapi_event_id_t event;

	return subject->session->api.process_next_pending_event(subject->session->process, &event,
								&kind);
}

/*
 * GDB sets what is not set already. All waves are stopped: nothing runs because of it. Of a core nothing can be
 * let go: it is set to what it is.
 */
static amd_dbgapi_status_t set_progress(struct subject *subject)
{
	subject->forward = !subject->forward && !subject->session->of_core;
	return subject->session->api.process_set_progress(
		subject->session->process,
		subject->forward ? AMD_DBGAPI_PROGRESS_NORMAL : AMD_DBGAPI_PROGRESS_NO_FORWARD);
}

static amd_dbgapi_status_t stop_reason(struct subject *subject)
{
	amd_dbgapi_wave_stop_reasons_t reasons;

	return subject->session->api.wave_get_info(subject->wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
						   sizeof(reasons), &reasons);
}

static amd_dbgapi_status_t symbolize(amd_dbgapi_symbolizer_id_t symbolizer,
				     amd_dbgapi_global_address_t address, char **symbol_text)
{
	(void)symbolizer;
	(void)address;
	(void)symbol_text;
	return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
}

static amd_dbgapi_status_t disassemble(struct subject *subject)
{
	amd_dbgapi_size_t size = subject->instruction_size;
	char *text = NULL;
	amd_dbgapi_status_t status = subject->session->api.disassemble_instruction(
		subject->architecture, subject->pc, &size, subject->instruction, &text, NULL,
		symbolize);

	free(text);
	return status;
}

static const struct call calls[] = {
	{"wave_register_exists", register_exists},
	{"register_get_info(PROPERTIES)", register_properties},
	{"register_get_info(NAME)", register_name},
	{"register_get_info(DWARF)", register_dwarf},
	{"register_get_info(TYPE)", register_type},
	{"register_is_in_register_class", in_class},
	{"read_memory(64 bytes)", read_memory},
	{"get_architecture", get_architecture},
	{"read_register(pc)", read_pc},
	{"read_register(v0)", read_vector},
	{"process_wave_list", wave_list},
	{"process_next_pending_event", next_pending_event},
	{"process_set_progress", set_progress},
	{"wave_get_info(STOP_REASON)", stop_reason},
	{"disassemble_instruction", disassemble},
	{"..._register_class_get_info", class_name},
};

/* ---- Measuring ---- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Nanoseconds of a call, over so many of them. */
static double batch(const struct call *call, struct subject *subject, size_t count)
{
	uint64_t before = nanoseconds();

	for (size_t i = 0; i < count; i++)
		check(call->make(subject), call->name);
	return (double)(nanoseconds() - before) / (double)count;
}

static double median(double batches[BATCHES])
{
	qsort(batches, BATCHES, sizeof(*batches), compare);
	return batches[BATCHES / 2];
}

/* What a call takes. */
struct cost {
	double median,
		tenth; /* of the batches; the tenth percentile hardly has anything of the machine's other work */
	amd_dbgapi_status_t status; /* where it failed, there is neither */
};

double calls_clock(void)
{
	double batches[BATCHES];

	for (size_t i = 0; i < BATCHES; i++) {
		uint64_t before = nanoseconds();

		for (size_t j = 0; j < MOST_CALLS; j++)
			nanoseconds();
		batches[i] = (double)(nanoseconds() - before) / (MOST_CALLS + 1);
	}
	return median(batches);
}

static struct cost measure(const struct call *call, struct subject *subject)
{
	struct cost cost = {.status = call->make(subject)};
	double batches[BATCHES], about;
	size_t count = MOST_CALLS;

	/* A library may be without a call, or without what the call needs. */
	if (cost.status != AMD_DBGAPI_STATUS_SUCCESS)
		return cost;
	batch(call, subject, FEWEST_CALLS);
	about = batch(call, subject, FEWEST_CALLS);
	if (about * MOST_CALLS > BATCH_NS)
		count = (size_t)(BATCH_NS / about);
	/* An even number, so that what is set and set back is as it was. */
	count = count < FEWEST_CALLS ? FEWEST_CALLS : count & ~(size_t)1;
	for (size_t i = 0; i < BATCHES; i++)
		batches[i] = batch(call, subject, count);
	cost.median = median(batches);
	cost.tenth = batches[BATCHES / 10];
	return cost;
}

/* ---- What they are made with ---- */

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

/* A wave that has a reason to be stopped, as the one that a debugger shows; else any. */
static amd_dbgapi_wave_id_t find_wave(const struct session *session)
{
	for (size_t i = 0; i < session->wave_count; i++) {
		amd_dbgapi_wave_stop_reasons_t reasons = AMD_DBGAPI_WAVE_STOP_REASON_NONE;

		check(session->api.wave_get_info(session->waves[i],
						 AMD_DBGAPI_WAVE_INFO_STOP_REASON, sizeof(reasons),
						 &reasons),
		      "wave_get_info");
		if (reasons)
			return session->waves[i];
	}
	return session->waves[0];
}

static void find_class(struct subject *subject)
{
	amd_dbgapi_register_class_id_t *classes = NULL;
	size_t count;

	check(subject->session->api.architecture_register_class_list(subject->architecture, &count,
								     &classes),
	      "architecture_register_class_list");
	if (!count)
		die("the architecture has no register classes");
	subject->register_class = classes[0];
	free(classes);
}

static void find_code(struct subject *subject)
{
	uint8_t code[64];
	size_t size = sizeof(code);

	check(subject->session->api.read_memory(subject->session->process, subject->wave, 0,
						AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, subject->pc, &size,
						code),
	      "read_memory");
	subject->read_size = size;
	subject->instruction_size =
		size < sizeof(subject->instruction) ? size : sizeof(subject->instruction);
	memcpy(subject->instruction, code, subject->instruction_size);
}

static void find_subject(struct subject *subject)
{
	const struct wt_api *api = &subject->session->api;

	subject->wave = find_wave(subject->session);
	check(api->wave_get_info(subject->wave, AMD_DBGAPI_WAVE_INFO_PC, sizeof(subject->pc),
				 &subject->pc),
	      "wave_get_info");
	check(api->wave_get_info(subject->wave, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
				 sizeof(subject->architecture), &subject->architecture),
	      "wave_get_info");
	check(api->architecture_get_info(subject->architecture,
					 AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE,
					 sizeof(subject->machine), &subject->machine),
	      "architecture_get_info");
	check(api->architecture_get_info(subject->architecture,
					 AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER,
					 sizeof(subject->pc_register), &subject->pc_register),
	      "architecture_get_info");
	subject->vector_register = find_register(subject, "v0");
	find_class(subject);
	find_code(subject);
}

/* A value of each call, or why there is none. */
static void print_costs(const char *name, const struct cost costs[], bool tenth)
{
	printf("\"%s\": {", name);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		printf("%s\"%s\": ", i ? ", " : "", calls[i].name);
		if (costs[i].status == AMD_DBGAPI_STATUS_SUCCESS)
			printf("%.1f", tenth ? costs[i].tenth : costs[i].median);
		else
			printf("\"%s\"", wt_status_name(costs[i].status));
	}
	putchar('}');
}

double calls_row(struct session *session)
{
	const struct call call = {"wave_get_info(STOP_REASON)", stop_reason};
	struct subject subject = {.session = session};

	find_subject(&subject);
	return batch(&call, &subject, ROW);
}

double calls_callbacks(struct session *session)
{
	static const struct call callers[] = {
		{"register_get_info(NAME)", register_name},
		{"register_get_info(TYPE)", register_type},
		{"disassemble_instruction", disassemble},
		{"..._register_class_get_info", class_name},
		{"process_wave_list", wave_list},
	};
	struct subject subject = {.session = session};
	double sum = 0;

	find_subject(&subject);
	for (size_t i = 0; i < CALLERS; i++)
		sum += batch(&callers[i % (sizeof(callers) / sizeof(*callers))], &subject, 1);
	return sum / CALLERS;
}

void calls_measure(struct session *session)
{
	struct cost costs[sizeof(calls) / sizeof(*calls)];
	struct subject subject = {.session = session};

	find_subject(&subject);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		costs[i] = measure(&calls[i], &subject);
	print_costs("calls", costs, false);
	printf(", ");
	print_costs("tenth", costs, true);
}
