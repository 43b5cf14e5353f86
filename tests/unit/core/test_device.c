/* SPDX-License-Identifier: MIT */
/* What the simulated GPU saves in the middle of real programs, read back as a core. */
#include "tests/unit/device/support.h"

#include <amd-dbgapi/amd-dbgapi.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "dbgapi/core/core.h"

struct told {
	struct wt_device_wave *waves[4096], *stopped[4096];
	size_t wave_count, stopped_count, dispatches, groups, warnings;
};

static void dispatch_created(void *opaque, struct wt_device_dispatch *dispatch)
{
	struct told *told = opaque;

	assert_int_equal(dispatch->number, told->dispatches++);
}

static void workgroup_created(void *opaque, struct wt_device_workgroup *group)
{
	struct told *told = opaque;

	assert_int_equal(group->number, told->groups++);
}

static void wave_created(void *opaque, struct wt_device_wave *wave)
{
	struct told *told = opaque;

	assert_int_equal(wave->number, told->wave_count);
	told->waves[told->wave_count++] = wave;
}

static void wave_stopped(void *opaque, struct wt_device_wave *wave)
{
	struct told *told = opaque;

	told->stopped[told->stopped_count++] = wave;
}

static void message(void *opaque, bool warning, const char *text)
{
	struct told *told = opaque;

	print_message("%s\n", text);
	told->warnings += warning;
}

static size_t read_device(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_device *device = opaque;

	return device->operations->read_memory(device, address, data, size);
}

/* Let a core tell what it has. */
static void tell(struct wt_device *core, struct told *told)
{
	const struct wt_device_listener listener = {
		.opaque = told,
		.dispatch_created = dispatch_created,
		.workgroup_created = workgroup_created,
		.wave_created = wave_created,
		.wave_stopped = wave_stopped,
		.message = message,
	};

	core->operations->set_listener(core, &listener);
	core->operations->run(core, 0);
}

/* Save a device, and open what it saved. */
static struct wt_device *open_core(struct wt_device *device, struct told *told)
{
	const struct wt_memory_view memory = {.opaque = device, .read = read_device};
	struct wt_buffer bytes = {0};
	struct wt_device *core;
	struct wt_core_note note;

	memset(told, 0, sizeof(*told));
	assert_null(device->operations->save(device, 42, &bytes));
	assert_null(wt_core_note_parse(bytes.data, bytes.size, &note));
	wt_buffer_deinit(&bytes);
	assert_null(wt_core_create(&note, &memory, &core));
	tell(core, told);
	assert_int_equal(told->warnings, 0);
	return core;
}

static struct wt_device_wave *find(struct support_session *session,
				   const struct wt_device_wave *wave)
{
	const struct wt_device_workgroup *group = wave->workgroup;

	for (uint32_t i = 0; i < session->wave_count; i++) {
		struct wt_device_wave *other = session->waves[i];

		if (other && other->number_in_group == wave->number_in_group &&
		    other->workgroup->dispatch->packet_id == group->dispatch->packet_id &&
		    other->workgroup->dispatch->queue->number == group->dispatch->queue->number &&
		    !memcmp(other->workgroup->coordinates, group->coordinates,
			    sizeof(group->coordinates)))
			return other;
	}
	return NULL;
}

static void compare_registers(const struct gfx_wave *live, const struct gfx_wave *saved)
{
	size_t lanes = live->lane_count;

	assert_ptr_equal(saved->architecture, live->architecture);
	assert_int_equal(saved->pc, live->pc);
	assert_int_equal(saved->exec, live->exec);
	assert_int_equal(saved->m0, live->m0);
	assert_int_equal(saved->mode, live->mode);
	assert_int_equal(saved->trapsts, live->trapsts);
	assert_int_equal(saved->vcc, live->vcc);
	assert_int_equal(saved->flat_scratch, live->flat_scratch);
	assert_int_equal(saved->xnack_mask, live->xnack_mask);
	assert_int_equal(saved->sgpr_count, live->sgpr_count);
	assert_int_equal(saved->vgpr_count, live->vgpr_count);
	assert_int_equal(saved->agpr_count, live->agpr_count);
	assert_memory_equal(saved->sgprs, live->sgprs, live->sgpr_count * sizeof(uint32_t));
	assert_memory_equal(saved->vgprs, live->vgprs, live->vgpr_count * lanes * 4);
	if (live->agpr_count)
		assert_memory_equal(saved->agprs, live->agprs, live->agpr_count * lanes * 4);
}

static void compare_memory(struct wt_device *core, const struct wt_device_wave *live,
			   const struct wt_device_wave *saved)
{
	size_t size = live->gfx->scratch_size;
	uint8_t *scratch = malloc(size + 1);

	assert_in_range(saved->gfx->lds_size, live->gfx->lds_size, live->gfx->lds_size + 511);
	if (live->gfx->lds_size)
		assert_memory_equal(saved->gfx->lds, live->gfx->lds, live->gfx->lds_size);
	if (size) {
		assert_in_range(saved->gfx->scratch_size, size, size + 1023);
		assert_int_equal(
			core->operations->read_memory(core, saved->scratch_address, scratch, size),
			size);
		assert_memory_equal(scratch, live->gfx->scratch, size);
	}
	free(scratch);
}

static void compare_group(const struct wt_device_dispatch *live,
			  const struct wt_device_dispatch *saved)
{
	assert_int_equal(saved->kernel_entry, live->kernel_entry);
	assert_int_equal(saved->packet_address, live->packet_address);
	assert_memory_equal(saved->packet, live->packet, sizeof(live->packet));
}

static size_t live_count(const struct support_session *session)
{
	size_t count = 0;

	for (uint32_t i = 0; i < session->wave_count; i++)
		count += session->waves[i] != NULL;
	return count;
}

/* All waves, and each of them whole. Return: how many. */
static size_t compare(struct support_session *session)
{
	struct told *told = malloc(sizeof(*told));
	struct wt_device *core = open_core(session->device, told);
	size_t count = told->wave_count;

	assert_int_equal(count, live_count(session));
	for (size_t i = 0; i < count; i++) {
		struct wt_device_wave *saved = told->waves[i];
		struct wt_device_wave *live = find(session, saved);

		assert_non_null(live);
		assert_true(core->operations->load_wave(core, saved));
		compare_registers(live->gfx, saved->gfx);
		compare_memory(core, live, saved);
		compare_group(live->workgroup->dispatch, saved->workgroup->dispatch);
		assert_int_equal(saved->stop_reasons,
				 live->state == WT_WAVE_STOPPED ? live->stop_reasons : 0);
	}
	core->operations->destroy(core);
	free(told);
	return count;
}

/* In the middle of programs with local and private memory, barriers and accumulation registers. */
static void test_programs(void **state)
{
	static const char *const names[] = {
		"matmul.json",		 "private-sort.json",
		"private-sort-O0.json",	 "reduce.json",
		"scan-O0.json",		 "two-queues.json",
		"two-agents.json",	 "private-sort-gfx90a.json",
		"reduce-gfx90a-O0.json", "histogram-gfx90a.json",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct support_session *session = support_open(names[i]);
		size_t seen = 0;

		for (int round = 0; round < 12; round++) {
			session->device->operations->run(session->device, 1 + 97 * (uint64_t)round);
			seen += compare(session);
		}
		assert_in_range(seen, 8, 100000);
		support_close(session);
	}
}

/* Stopped with a reason first, then what ran; what the client halted is told to be stopped, not as new. */
static void test_order_of_stops(void **state)
{
	struct support_session *session = support_open("matmul-short-buffer.json");
	struct told *told = malloc(sizeof(*told));
	struct wt_device *core;
	size_t reasons = 0;

	(void)state;
	support_run(session);
	session->device->operations->wave_halt(session->device, session->waves[0]);
	core = open_core(session->device, told);
	assert_int_equal(told->wave_count, 16);
	assert_int_equal(told->stopped_count, 15);
	for (size_t i = 0; i < told->stopped_count; i++) {
		assert_int_equal(told->stopped[i]->state, WT_WAVE_STOPPED);
		assert_true(i == 0 || !told->stopped[i]->stop_reasons ||
			    told->stopped[i - 1]->stop_reasons);
		reasons += told->stopped[i]->stop_reasons != 0;
	}
	assert_int_equal(reasons, 4);
	assert_int_equal(core->operations->run(core, 1000), WT_DEVICE_BLOCKED);
	assert_int_equal(told->stopped_count, 15);
	core->operations->destroy(core);
	free(told);
	support_close(session);
}

/* A wave that is kept from starting is known by its pc, and is nobody's stop. */
static void test_halted_at_launch(void **state)
{
	struct support_session *session = support_open("vecadd.json");
	struct told *told = malloc(sizeof(*told));
	struct wt_device *core;

	(void)state;
	session->halt_new = true;
	session->device->operations->run(session->device, 1);
	for (uint32_t i = 0; i < session->wave_count; i++)
		session->waves[i]->halted_at_launch = i != 1;
	core = open_core(session->device, told);
	assert_int_equal(told->wave_count, session->wave_count);
	assert_int_equal(told->stopped_count, 0);
	for (size_t i = 0; i < told->wave_count; i++) {
		assert_int_equal(told->waves[i]->halted_at_launch, i != 1);
		assert_int_equal(told->waves[i]->state, WT_WAVE_STOPPED);
	}
	core->operations->destroy(core);
	free(told);
	support_close(session);
}

/* Memory that ends somewhere: what is there is told, what is not is warned of. */
struct cut {
	struct wt_device *device;
	uint64_t end;
};

static size_t read_cut(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct cut *cut = opaque;

	if (address >= cut->end)
		return 0;
	size = size < cut->end - address ? size : (size_t)(cut->end - address);
	return cut->device->operations->read_memory(cut->device, address, data, size);
}

static void test_missing_memory(void **state)
{
	struct support_session *session = support_open("matmul-short-buffer.json");
	struct cut cut = {.device = session->device};
	const struct wt_memory_view memory = {.opaque = &cut, .read = read_cut};
	size_t all = 0, none = 0, some = 0;
	uint64_t last = 0, address, size;
	struct wt_buffer bytes = {0};

	(void)state;
	support_run(session);
	assert_null(session->device->operations->save(session->device, 1, &bytes));
	for (size_t i = 0;
	     session->device->operations->memory_range(session->device, i, &address, &size); i++)
		last = address + size;
	for (uint64_t cut_off = 0; cut_off < 400000; cut_off += 997) {
		struct told *told = calloc(1, sizeof(*told));
		struct wt_core_note note;
		struct wt_device *core;

		cut.end = last - cut_off;
		assert_null(wt_core_note_parse(bytes.data, bytes.size, &note));
		assert_null(wt_core_create(&note, &memory, &core));
		tell(core, told);
		for (size_t i = 0; i < told->wave_count; i++)
			core->operations->load_wave(core, told->waves[i]);
		assert_true(told->warnings || told->wave_count == 16);
		all += told->wave_count == 16;
		none += told->wave_count == 0;
		some += told->wave_count > 0 && told->wave_count < 16;
		core->operations->destroy(core);
		free(told);
	}
	assert_true(all && none && some);
	wt_buffer_deinit(&bytes);
	support_close(session);
}

/* The linker leads calls of calloc() here. */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

static uint32_t calls_left; /* until one fails; 0: none does */

void *__wrap_calloc(size_t count, size_t size)
{
	return calls_left && !--calls_left ? NULL : __real_calloc(count, size);
}

/* A save for which there is no memory says so, and a later one succeeds. */
static void test_no_memory(void **state)
{
	struct support_session *session = support_open("matmul-short-buffer.json");
	struct wt_error *error = NULL;
	struct wt_device *core;
	struct told told;
	uint32_t failed = 0;

	(void)state;
	support_run(session);
	for (bool fails = true; fails; failed += fails) {
		wt_cleanup_buffer struct wt_buffer bytes = {0};

		calls_left = failed + 1;
		error = session->device->operations->save(session->device, 1, &bytes);
		fails = !calls_left;
		assert_ptr_equal(error, fails ? &wt_error_no_memory : NULL);
	}
	calls_left = 0;
	/* The list of code objects, the waves of the queue, and the agents and queues of the note. */
	assert_true(failed >= 4);
	core = open_core(session->device, &told);
	core->operations->destroy(core);
	support_close(session);
}

/* What is in the note is not to be trusted any more than what is in memory. */
static void test_any_note(void **state)
{
	struct support_session *session = support_open("matmul-short-buffer.json");
	const struct wt_memory_view memory = {.opaque = session->device, .read = read_device};
	struct wt_buffer bytes = {0};
	uint32_t random = 3;
	size_t made = 0;

	(void)state;
	support_run(session);
	assert_null(session->device->operations->save(session->device, 1, &bytes));
	for (int round = 0; round < 3000; round++) {
		uint8_t *copy = malloc(bytes.size);
		struct wt_device *core = NULL;
		struct wt_core_note note;
		struct wt_error *error;

		memcpy(copy, bytes.data, bytes.size);
		for (int change = 0; change < 2; change++) {
			random = random * 1664525 + 1013904223;
			copy[40 + (random >> 8) % (bytes.size - 40)] = (uint8_t)(random >> 24);
		}
		error = wt_core_note_parse(copy, bytes.size, &note);
		if (!error) {
			error = wt_core_create(&note, &memory, &core);
			wt_core_note_deinit(&note);
		}
		made += core != NULL;
		if (core)
			core->operations->destroy(core);
		wt_error_destroy(error);
		free(copy);
	}
	assert_in_range(made, 500, 3000);
	wt_buffer_deinit(&bytes);
	support_close(session);
}

static int all_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),	 cmocka_unit_test(test_order_of_stops),
		cmocka_unit_test(test_halted_at_launch), cmocka_unit_test(test_missing_memory),
		cmocka_unit_test(test_no_memory),	 cmocka_unit_test(test_any_note),
	};

	return cmocka_run_group_tests_name("core device", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, all_tests);
}
