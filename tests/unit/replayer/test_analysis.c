/* SPDX-License-Identifier: MIT */
/*
 * Waves that are executed once more, against the waves themselves: whatever part of memory is not known, nothing is taken
 * for known that is something else. The waves are those of the test kernels, at places where they happen to be.
 */
#include "tests/unit/device/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/machine/machine.h"
#include "replayer/analysis/analysis.h"

#define PLACES 3       /* in each workload */
#define PLACES_LONG 24 /* in the long form */

/* A wave of the simulated GPU, as the analysis may see it. */
struct subject {
	struct wt_device *device;
	const struct gfx_wave *wave;
	uint64_t arguments, arguments_size;
	bool all_memory; /* else kernel arguments alone, and code */
	uint64_t wrong;	 /* the register value that is not told right; UINT64_MAX: none */
	uint64_t asked;
};

static bool fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct subject *subject = opaque;

	return subject->device->operations->read_memory(subject->device, address, data, size) ==
	       size;
}

static bool read_memory(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct subject *subject = opaque;
	uint64_t offset = address - subject->arguments;

	if (!subject->all_memory &&
	    (address < subject->arguments || offset >= subject->arguments_size ||
	     size > subject->arguments_size - offset))
		return false;
	return fetch(opaque, address, data, size);
}

static bool read_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	struct subject *subject = opaque;
	const struct gfx_wave *wave = subject->wave;
	uint32_t number = (uint32_t)strtoul(name + 1, NULL, 10);

	if (!strcmp(name, "exec"))
		*value = wave->exec;
	else if (!strcmp(name, "vcc"))
		*value = wave->vcc;
	else if (name[0] == 's' && number < wave->sgpr_count)
		*value = wave->sgprs[number];
	else if (name[0] == 'v' && number < wave->vgpr_count)
		*value = wave->vgprs[number * GFX_MAX_LANES + lane];
	else if (name[0] == 'a' && number < wave->agpr_count)
		*value = wave->agprs[number * GFX_MAX_LANES + lane];
	else
		return false;
	if (subject->asked++ == subject->wrong)
		*value ^= 4;
	return true;
}

/* How often following ended in which way. */
static size_t ends[WT_ANALYSIS_DIFFERENT + 1];

static struct wt_analysis_input make_input(const struct wt_queue *queue, const struct wt_wave *wave,
					   struct subject *subject)
{
	const struct wt_task *task = queue->task;
	struct wt_analysis_input input = {
		.architecture = wave->gfx.architecture,
		.descriptor = task->descriptor,
		.launch = {.code_entry = task->entry,
			   .kernarg_address = task->arguments_address,
			   .private_segment_size = task->private_bytes,
			   .wave_in_group = wave->wave.number_in_group},
		.target = wave->gfx.pc,
		.step_limit = 20000,
		.memory_limit = 16 << 20,
		.opaque = subject,
		.fetch = fetch,
		.read = read_memory,
		.read_register = read_register,
	};

	memcpy(input.launch.workgroup, wave->group->workgroup.coordinates,
	       sizeof(input.launch.workgroup));
	memcpy(input.launch.workgroup_size, task->workgroup, sizeof(input.launch.workgroup_size));
	memcpy(input.launch.grid_size, task->grid, sizeof(input.launch.grid_size));
	return input;
}

static enum wt_analysis_end analyse(const struct wt_analysis_input *input, const char *workload)
{
	struct wt_analysis analysis;
	enum wt_analysis_end end;

	assert_null(wt_analyse(input, &analysis));
	end = analysis.end;
	if (end == WT_ANALYSIS_ARRIVED)
		for (size_t i = 0; i < analysis.count; i++)
			for (uint32_t j = 0; j < analysis.steps[i].source_count; j++)
				assert_true(analysis.steps[i].sources[j] < analysis.count ||
					    analysis.steps[i].sources[j] >= WT_ANALYSIS_NOT_SHOWN);
	if (end == WT_ANALYSIS_DIFFERENT || end == WT_ANALYSIS_MISSED)
		fail_msg("%s: the wave at 0x%llx: end %d", workload,
			 (unsigned long long)input->target, end);
	wt_analysis_deinit(&analysis);
	return end;
}

/* One wave where it is: with nothing known of memory it is never something else than it is. */
static void try_wave(struct support_session *session, const struct wt_queue *queue,
		     const struct wt_wave *wave, const char *workload)
{
	struct subject subject = {
		.device = session->device,
		.wave = &wave->gfx,
		.arguments = queue->task->arguments_address,
		.arguments_size = queue->task->descriptor.kernarg_size,
		.wrong = UINT64_MAX,
	};
	struct wt_analysis_input input = make_input(queue, wave, &subject);

	ends[analyse(&input, workload)]++;
}

static void try_waves(struct support_session *session, const char *workload)
{
	const struct wt_machine *machine = (const struct wt_machine *)(void *)session->device;

	for (size_t q = 0; q < machine->workload->queue_count; q++) {
		const struct wt_queue *queue = machine->queues[q];

		for (size_t i = 0; queue->task && i < queue->resident_count; i++)
			for (uint32_t j = 0; j < queue->resident[i]->wave_count; j += 3)
				if (queue->resident[i]->waves[j].live)
					try_wave(session, queue, &queue->resident[i]->waves[j],
						 workload);
	}
}

/* Kernels whose waves do without atomics that order them. */
static const char *const workloads[] = {
	"bits",		  "conversions", "crc",		  "divergent",
	"divide",	  "doubles",	 "dpp",		  "gcd",
	"geometry",	  "halves",	 "histogram",	  "horner",
	"indirect-calls", "life",	 "matmul",	  "private-sort",
	"queens",	  "recursion",	 "reduce",	  "scan",
	"stencil",	  "structs",	 "text",	  "transpose",
	"vecadd",	  "wave-values", "wide-integers", "widths",
};
static const char *const variants[] = {"", "-O0", "-gfx90a", "-gfx90a-O0"};

static void test_never_wrong(void **state)
{
	bool is_long = getenv("WAVETAPE_LONG");
	size_t each = is_long ? 1 : 5, turn = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		for (size_t v = 0; v < 4; v++) {
			struct support_session *session;
			char name[64];

			if (turn++ % each)
				continue;
			snprintf(name, sizeof(name), "%s%s.json", workloads[i], variants[v]);
			session = support_open(name);
			session->device->operations->begin(session->device);
			for (uint64_t place = 0; place < (is_long ? PLACES_LONG : PLACES);
			     place++) {
				session->device->operations->run(session->device,
								 150 + 311 * place);
				try_waves(session, name);
			}
			support_close(session);
		}
	for (size_t i = 0; i <= WT_ANALYSIS_DIFFERENT; i++)
		printf("end %zu: %zu waves\n", i, ends[i]);
	assert_true(ends[WT_ANALYSIS_ARRIVED] > 20);
}

/* A wave that has another value in one register than it can have is not taken for the same. */
static void test_other_registers(void **state)
{
	struct support_session *session = support_open("vecadd.json");
	const struct wt_machine *machine = (const struct wt_machine *)(void *)session->device;
	struct subject subject = {.device = session->device, .all_memory = true};
	struct wt_analysis_input input;
	struct wt_analysis analysis;
	const struct wt_wave *wave;

	(void)state;
	session->device->operations->begin(session->device);
	session->device->operations->run(session->device, 40);
	wave = &machine->queues[0]->resident[0]->waves[0];
	assert_true(wave->live);
	subject.wave = &wave->gfx;
	input = make_input(machine->queues[0], wave, &subject);
	/* s0 is changed as the debugger's user might have. */
	for (subject.wrong = UINT64_MAX;; subject.wrong = 0) {
		subject.asked = 0;
		assert_null(wt_analyse(&input, &analysis));
		assert_int_equal(analysis.end,
				 subject.wrong ? WT_ANALYSIS_ARRIVED : WT_ANALYSIS_DIFFERENT);
		wt_analysis_deinit(&analysis);
		if (!subject.wrong)
			break;
	}
	support_close(session);
}

/* Limits end it, and are said. */
static void test_limits(void **state)
{
	struct support_session *session = support_open("queens.json");
	const struct wt_machine *machine = (const struct wt_machine *)(void *)session->device;
	struct subject subject = {.device = session->device, .wrong = UINT64_MAX};
	struct wt_analysis_input input;
	struct wt_analysis analysis;

	(void)state;
	session->device->operations->begin(session->device);
	session->device->operations->run(session->device, 40);
	subject.wave = &machine->queues[0]->resident[0]->waves[0].gfx;
	input = make_input(machine->queues[0], &machine->queues[0]->resident[0]->waves[0],
			   &subject);
	input.step_limit = 2;
	assert_null(wt_analyse(&input, &analysis));
	assert_int_equal(analysis.end, WT_ANALYSIS_LIMIT);
	wt_analysis_deinit(&analysis);
	input.step_limit = 20000;
	input.launch.private_segment_size = UINT32_MAX;
	assert_null(wt_analyse(&input, &analysis));
	assert_int_equal(analysis.end, WT_ANALYSIS_PRIVATE);
	wt_analysis_deinit(&analysis);
	support_close(session);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_never_wrong),
		cmocka_unit_test(test_other_registers),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests_name("replayer-analysis", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
