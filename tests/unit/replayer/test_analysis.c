/* SPDX-License-Identifier: MIT */
/*
 * Waves that are executed once more, against the waves themselves: whatever part of memory is not known, nothing is taken
 * for known that is something else. The waves are those of the test kernels, at places where they happen to be.
 */
#include "tests/unit/device/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/machine/machine.h"
#include "replayer/analysis/analysis.h"
#include "replayer/analysis/track.h"

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
/* All others that run to their end: what atomics give is not known to who executes them again, but all else is. */
static const char *const others[] = {
	"append",	 "arithmetic",	   "atomics-float", "atomics-global", "atomics-local",
	"bit-fields",	 "bitonic-sort",   "denormals",	    "dynamic-local",  "elimination",
	"interpreter",	 "mandelbrot",	   "matrix-bytes",  "matrix-doubles", "matrix-halves",
	"matrix-narrow", "matrix-singles", "matrix-sparse", "matrix-upper",   "matrix-sparse-bytes",
	"mixed-halves",	 "packed-halves",  "packed-shorts", "packed-singles", "random",
	"rounding",	 "saturate",	   "saxpy",	    "shorts",	      "singles",
	"vectors",
};
static const char *const variants[] = {"",
				       "-O0",
				       "-gfx90a",
				       "-gfx90a-O0",
				       "-gfx1100",
				       "-gfx1100-O0",
				       "-gfx1100-w64",
				       "-gfx1100-w64-O0",
				       "-gfx1030",
				       "-gfx1030-O0",
				       "-gfx1030-w64",
				       "-gfx1030-w64-O0",
				       "-gfx1151",
				       "-gfx1151-w64",
				       "-gfx1201",
				       "-gfx1201-O0",
				       "-gfx1201-w64",
				       "-gfx1201-w64-O0"};

#define VARIANTS (sizeof(variants) / sizeof(variants[0]))

/* Not every kernel is compiled for each. */
static bool workload_is_there(const char *name)
{
	return !access(support_path(name), R_OK);
}

static void test_never_wrong(void **state)
{
	bool is_long = getenv("WAVETAPE_LONG");
	size_t each = is_long ? 1 : 11, turn = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		for (size_t v = 0; v < VARIANTS; v++) {
			struct support_session *session;
			char name[64];

			snprintf(name, sizeof(name), "%s%s.json", workloads[i], variants[v]);
			if (!workload_is_there(name) || turn++ % each)
				continue;
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

struct followed_wave {
	struct support_session *session;
	struct subject subject;
	struct wt_analysis_input input;
	struct wt_track *track;
};

/* Follows the first wave of a workload up to the limit, to where it never stood. */
static void follow_to_limit(const char *name, uint64_t steps, uint32_t private_bytes,
			    struct followed_wave *followed)
{
	const struct wt_track_options options = {.bytes = 64 << 20};
	struct support_session *session = support_open(name);
	const struct wt_machine *machine = (const struct wt_machine *)(void *)session->device;
	const struct wt_wave *wave;

	session->device->operations->begin(session->device);
	session->device->operations->run(session->device, 1);
	wave = &machine->queues[0]->resident[0]->waves[0];
	followed->session = session;
	followed->subject = (struct subject){.device = session->device,
					     .wave = &wave->gfx,
					     .all_memory = true,
					     .wrong = UINT64_MAX};
	followed->input = make_input(machine->queues[0], wave, &followed->subject);
	followed->input.target = 0;
	followed->input.step_limit = steps;
	if (private_bytes)
		followed->input.launch.private_segment_size = private_bytes;
	assert_null(wt_track_create(&followed->input, &options, &followed->track));
	assert_null(wt_track_arrive(followed->track));
	assert_int_equal(followed->track->end, WT_ANALYSIS_LIMIT);
}

static void followed_end(struct followed_wave *followed)
{
	wt_track_destroy(followed->track);
	support_close(followed->session);
}

/* To keep states takes no longer than to execute: those of a wave with much memory are farther apart. */
static void test_large_states(void **state)
{
	const uint32_t private_bytes[] = {0, 1 << 16};
	struct followed_wave followed;
	size_t states[2];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		follow_to_limit("queens.json", 20000, private_bytes[i], &followed);
		states[i] = followed.track->count;
		for (uint64_t step = 19999; step < 20000; step -= 1999)
			assert_true(wt_track_go(followed.track, step));
		followed_end(&followed);
	}
	assert_int_equal(states[0], 1 + 20000 / WT_TRACK_SEGMENT);
	assert_in_range(states[1], 1, states[0] - 1);
}

/* A way that was too long is not gone once more, with less known. */
static void test_too_long_once(void **state)
{
	struct followed_wave followed;

	(void)state;
	follow_to_limit("text.json", 100, 0, &followed);
	assert_true(followed.track->rerun->loaded->overwritten);
	assert_int_equal(followed.track->later.count, 0);
	followed_end(&followed);
}

/* ---- A wave that can be brought back, against the wave itself, instruction by instruction ---- */

#define WATCHED 1200 /* instructions of a wave */
#define JUMPS 60     /* to a step, in any order */
#define JUMPS_LONG 1000

/* A wave after so many of its instructions. */
struct seen {
	uint64_t pc, exec, vcc;
	uint32_t m0, scc;
	uint32_t sgprs[GFX_MAX_SGPRS];
	uint32_t *vgprs;
};

struct walk {
	struct seen seen[WATCHED + 1];
	uint32_t vgpr_count;
	uint64_t steps;
	uint64_t known, recorded, all; /* values of registers that were compared */
};

static void seen_take(struct seen *seen, const struct gfx_wave *wave)
{
	size_t size = (size_t)wave->vgpr_count * GFX_MAX_LANES * sizeof(uint32_t);

	*seen = (struct seen){.pc = wave->pc,
			      .exec = wave->exec,
			      .vcc = wave->vcc,
			      .m0 = wave->m0,
			      .scc = wave->status & 1};
	memcpy(seen->sgprs, wave->sgprs, sizeof(seen->sgprs));
	seen->vgprs = malloc(size);
	assert_non_null(seen->vgprs);
	memcpy(seen->vgprs, wave->vgprs, size);
}

/* Steps a wave until it has executed as many instructions as are watched, or ends. Others run where it waits for them. */
static void walk_watch(struct wt_machine *machine, struct wt_wave *wave, uint64_t limit,
		       struct walk *walk)
{
	walk->vgpr_count = wave->gfx.vgpr_count;
	seen_take(&walk->seen[0], &wave->gfx);
	while (walk->steps < limit && wave->live) {
		bool begun;

		if (!wt_wave_run(machine->queues[0], wave, 1) && !wt_machine_round(machine, &begun))
			break;
		if (!wave->live || wave->gfx.instruction_count == walk->steps)
			continue;
		walk->steps = wave->gfx.instruction_count;
		if (walk->steps <= WATCHED)
			seen_take(&walk->seen[walk->steps], &wave->gfx);
	}
}

/* What the track says of a register is what it was, if it says anything. */
static void walk_compare_word(struct walk *walk, const struct wt_track *track,
			      enum gfx_register_file file, uint32_t number, uint32_t lane,
			      uint32_t was)
{
	struct wt_track_word word = wt_track_word(track, file, number, lane);

	walk->all++;
	if (!word.recorded && word.doubt != WT_TRACK_NO_DOUBT)
		return;
	if (word.value != was)
		fail_msg("step %llu: register %u of file %d, lane %u: 0x%x, was 0x%x",
			 (unsigned long long)track->rerun->step_count, number, (int)file, lane,
			 word.value, was);
	walk->known += !word.recorded;
	walk->recorded += word.recorded;
}

/* Between two operations that an instruction does at once the wave never stood. */
static void walk_compare(struct walk *walk, const struct wt_track *track, uint64_t position)
{
	const struct seen *seen = &walk->seen[position];

	if (!seen->vgprs || track->rerun->wave.pc & WT_RERUN_HALF)
		return;
	assert_int_equal(track->rerun->wave.pc, seen->pc);
	walk_compare_word(walk, track, GFX_FILE_SCALAR, GFX_CODE_EXEC, 0, (uint32_t)seen->exec);
	walk_compare_word(walk, track, GFX_FILE_SCALAR, GFX_CODE_EXEC + 1, 0,
			  (uint32_t)(seen->exec >> 32));
	walk_compare_word(walk, track, GFX_FILE_SCALAR, GFX_CODE_VCC, 0, (uint32_t)seen->vcc);
	walk_compare_word(walk, track, GFX_FILE_SCALAR, GFX_CODE_VCC + 1, 0,
			  (uint32_t)(seen->vcc >> 32));
	walk_compare_word(walk, track, GFX_FILE_SCALAR, GFX_CODE_M0, 0, seen->m0);
	walk_compare_word(walk, track, GFX_FILE_SCALAR, GFX_CODE_SCC, 0, seen->scc);
	for (uint32_t i = 0; i < track->rerun->wave.sgpr_count; i++)
		walk_compare_word(walk, track, GFX_FILE_SCALAR, i, 0, seen->sgprs[i]);
	for (uint32_t i = 0; i < walk->vgpr_count; i++)
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++)
			walk_compare_word(walk, track, GFX_FILE_VECTOR, i, lane,
					  seen->vgprs[i * GFX_MAX_LANES + lane]);
}

/* Memory that was there at the end counts as memory that another wave can have changed, but for arguments. */
static bool arguments_are_fixed(void *opaque, uint64_t address)
{
	const struct subject *subject = opaque;

	return address - subject->arguments < subject->arguments_size;
}

/* Everything that says how a wave stands in the track's own words. */
static uint64_t track_digest(const struct wt_track *track)
{
	uint64_t digest = track->rerun->wave.pc;

	for (uint32_t file = 0; file <= GFX_FILE_ACCUMULATION; file++)
		for (uint32_t i = 0; i < (file == GFX_FILE_SCALAR ? WT_RERUN_CODES : 64u); i++)
			for (uint32_t lane = 0; lane < (file == GFX_FILE_SCALAR ? 1 : 64u);
			     lane++) {
				struct wt_track_word word =
					wt_track_word(track, (enum gfx_register_file)file, i, lane);

				digest = (digest ^ word.value ^ (uint64_t)word.doubt << 32 ^
					  (uint64_t)word.recorded << 40) *
					 UINT64_C(0x100000001b3);
			}
	return digest;
}

/* Each step in order, back from the end, and in any order. */
static void walk_track(struct walk *walk, struct wt_track *track, bool is_long)
{
	uint64_t *digests = calloc(track->steps + 1, sizeof(*digests));
	uint64_t random = 88172645463325252ULL, position, pc = 0, at = 0, here, step_there;

	assert_non_null(digests);
	assert_int_equal(track->positions, walk->steps);
	for (uint64_t step = 0; step <= track->steps; step++) {
		assert_true(wt_track_go(track, step));
		walk_compare(walk, track, at);
		digests[step] = track_digest(track);
		assert_true(wt_track_position_of(track, step, &position));
		assert_int_equal(position, at);
		assert_true(step == track->steps || wt_track_pc(track, step, &pc));
		/* The second of two operations belongs to the instruction before. */
		here = at - (pc & WT_RERUN_HALF ? 1 : 0);
		assert_true(step == track->steps || !walk->seen[here].vgprs ||
			    (pc & ~WT_RERUN_HALF) == walk->seen[here].pc);
		if (step < track->steps && !(pc & WT_RERUN_HALF)) {
			assert_true(wt_track_step_of(track, at, &step_there));
			assert_int_equal(step_there, step);
			at++;
		}
	}
	for (uint32_t i = 0; i < (is_long ? JUMPS_LONG : JUMPS); i++) {
		uint64_t to;

		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		to = i & 1 ? random % (track->steps + 1)
			   : track->steps - (i < track->steps ? i : track->steps);
		assert_true(wt_track_go(track, to));
		assert_int_equal(track_digest(track), digests[to]);
	}
	free(digests);
}

/* Return: how many instructions the wave executed, if it ended before it was stopped; else 0. */
static uint64_t try_walk(const char *name, uint64_t limit, bool all_memory, bool is_long,
			 struct walk *total)
{
	struct support_session *session = support_open(name);
	struct wt_machine *machine = (struct wt_machine *)(void *)session->device;
	const struct wt_track_options options = {.bytes = 64 << 20};
	struct subject subject = {.device = session->device, .all_memory = all_memory};
	struct walk *walk = calloc(1, sizeof(*walk));
	struct wt_analysis_input input;
	struct wt_track *track;
	struct wt_wave *wave;
	uint64_t ended = 0;

	assert_non_null(walk);
	session->device->operations->begin(session->device);
	wt_machine_begin(machine);
	assert_non_null(machine->queues[0]->task);
	wave = &machine->queues[0]->resident[0]->waves[0];
	walk_watch(machine, wave, limit, walk);
	/* It may end before, or be let run on to another place by a round. */
	if (!wave->live)
		ended = walk->steps;
	if (!wave->live || walk->steps > WATCHED || !walk->seen[walk->steps].vgprs)
		goto out;
	subject.wave = &wave->gfx;
	subject.arguments = machine->queues[0]->task->arguments_address;
	subject.arguments_size = machine->queues[0]->task->descriptor.kernarg_size;
	subject.wrong = UINT64_MAX;
	input = make_input(machine->queues[0], wave, &subject);
	input.is_fixed = arguments_are_fixed;
	assert_null(wt_track_create(&input, &options, &track));
	assert_null(wt_track_arrive(track));
	ends[track->end]++;
	/* It may come by as it was once before; then that is where it ends. */
	if (track->end == WT_ANALYSIS_ARRIVED && track->positions == walk->steps) {
		assert_true(wt_track_keep_end(track));
		walk_track(walk, track, is_long);
		total->steps += walk->steps;
		total->known += walk->known;
		total->recorded += walk->recorded;
		total->all += walk->all;
	}
	wt_track_destroy(track);
out:
	for (size_t i = 0; i <= WATCHED; i++)
		free(walk->seen[i].vgprs);
	free(walk);
	support_close(session);
	return ended;
}

static void walk_each(const char *const *names, size_t count, bool is_long, struct walk *total)
{
	size_t each = is_long ? 1 : 11, turn = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t v = 0; v < VARIANTS; v++) {
			uint64_t executed;
			char name[64];

			snprintf(name, sizeof(name), "%s%s.json", names[i], variants[v]);
			if (!workload_is_there(name) || turn++ % each)
				continue;
			executed = try_walk(name, WATCHED, turn & 1, is_long, total);
			if (executed)
				try_walk(name, executed * 2 / 3, turn & 1, is_long, total);
		}
}

static void test_each_step(void **state)
{
	bool is_long = getenv("WAVETAPE_LONG");
	struct walk *total = calloc(1, sizeof(*total));

	(void)state;
	assert_non_null(total);
	walk_each(workloads, sizeof(workloads) / sizeof(workloads[0]), is_long, total);
	walk_each(others, sizeof(others) / sizeof(others[0]), is_long, total);
	printf("%llu steps, %llu values of registers: %.1f %% known, %.1f %% recorded\n",
	       (unsigned long long)total->steps, (unsigned long long)total->all,
	       100.0 * (double)total->known / (double)total->all,
	       100.0 * (double)total->recorded / (double)total->all);
	assert_true(total->steps > 1000);
	/* A way of which next to nothing is known would be right, too. */
	assert_true((total->known + total->recorded) * 3 > total->all);
	free(total);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_never_wrong),   cmocka_unit_test(test_other_registers),
		cmocka_unit_test(test_limits),	      cmocka_unit_test(test_large_states),
		cmocka_unit_test(test_too_long_once), cmocka_unit_test(test_each_step),
	};

	return cmocka_run_group_tests_name("replayer-analysis", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
