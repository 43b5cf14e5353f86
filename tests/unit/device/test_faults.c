/* SPDX-License-Identifier: MIT */
/* What stops waves that is in their program: memory that is not theirs, traps, and what is no instruction. */
#include "tests/unit/device/support.h"

#include <stdio.h>
#include <stdlib.h>

static void test_store_out_of_bounds(void **state)
{
	struct support_session *session = support_open("oob-store.json");
	const struct wt_device_wave *wave;
	uint64_t address, size;
	uint32_t *out;
	size_t bytes;

	(void)state;
	assert_true(wt_simulated_buffer(session->device, "out", &address, &size));
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_int_equal(session->stopped_count, 1);
	wave = session->stopped[0];
	support_check_stopped(wave, REASON(MEMORY_VIOLATION), MEM_VIOL | XNACK_ERROR, 0);
	/* Work-items 189 to 191 are lanes 61 to 63 of wave 2; they go 1024 elements too far. */
	assert_int_equal(wave->number_in_group, 2);
	assert_true(wave->fault.lanes == UINT64_C(7) << 61);
	assert_true(wave->fault.address == address + 4 * (189 + 1024));
	assert_true(wave->fault.write);
	assert_true(wave->gfx->exec == UINT64_MAX);
	/* The pc is at a global_store_dword. */
	assert_int_equal(support_code_word(session, wave->gfx->pc) & 0xfffe0000, 0xdc700000);
	assert_non_null(strstr(session->message, "write to 0x"));
	assert_non_null(
		strstr(session->message, "kernel oob_store, workgroup 0,0,0, wave 2 of it"));
	assert_false(session->warning);
	/* The other waves go on to their end; of this one no lane has stored. */
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	out = (uint32_t *)(void *)support_buffer(session, "out", &bytes);
	for (uint32_t i = 0; i < 1024; i++)
		assert_int_equal(out[i], i < 256 && i / 64 != 2 ? 3 * i : 0);
	free(out);
	support_close(session);
}

static void test_load_out_of_bounds(void **state)
{
	struct support_session *session = support_open("oob-load.json");
	uint64_t address, size;
	bool found = false;

	(void)state;
	assert_true(wt_simulated_buffer(session->device, "in", &address, &size));
	for (enum wt_device_progress progress = support_run(session); progress != WT_DEVICE_BLOCKED;
	     progress = support_run(session))
		assert_int_equal(progress, WT_DEVICE_EVENT);
	for (size_t i = 0; i < session->stopped_count; i++) {
		const struct wt_device_wave *wave = session->stopped[i];

		support_check_stopped(wave, REASON(MEMORY_VIOLATION), MEM_VIOL | XNACK_ERROR, 0);
		assert_false(wave->fault.write);
		/* Element 5 * 205 = 1025 is the first that is not there: lane 13 of the last wave. */
		if (wave->fault.lanes == UINT64_MAX << 13)
			found = wave->fault.address == address + 4 * 1025;
	}
	assert_true(found);
	support_close(session);
}

static void test_assert_trap(void **state)
{
	struct support_session *session = support_open("assert-trap.json");
	const struct wt_device_wave *wave;

	(void)state;
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	wave = session->stopped[0];
	support_check_stopped(wave, REASON(ASSERT_TRAP), 0, 2);
	assert_int_equal(support_code_word(session, wave->gfx->pc), S_TRAP(2));
	/* 201 and above: lanes 9 and above of wave 3 are those that are there. */
	assert_int_equal(wave->number, 3);
	assert_true(wave->gfx->exec == UINT64_MAX << 9);
	support_close(session);
}

static void test_debug_trap(void **state)
{
	struct support_session *session = support_open("debug-trap.json");
	uint32_t *data;
	size_t size, stops = 0;

	(void)state;
	while (support_run(session) == WT_DEVICE_EVENT) {
		for (size_t i = 0; i < session->stopped_count; i++, stops++) {
			struct wt_device_wave *wave = session->stopped[i];

			support_check_stopped(wave, REASON(DEBUG_TRAP), 0, 3);
			assert_int_equal(support_code_word(session, wave->gfx->pc - 4), S_TRAP(3));
			assert_true(wave->gfx->exec == 1);
			support_resume(session, wave, false);
			assert_int_equal(wave->state, WT_WAVE_RUNNING);
			assert_int_equal(wave->stop_reasons, 0);
			assert_int_equal(wave->gfx->ttmps[6], 0);
			assert_false(wave->gfx->status & STATUS_HALT);
		}
		support_clear(session);
	}
	assert_int_equal(stops, 2);
	support_run_to_end(session);
	data = (uint32_t *)(void *)support_buffer(session, "data", &size);
	for (uint32_t i = 0; i < size / 4; i++)
		assert_int_equal(data[i], (i + 1) * 5);
	free(data);
	support_close(session);
}

static void test_illegal_instruction(void **state)
{
	struct support_session *session = support_open("illegal.json");
	const struct wt_device_wave *wave;
	char pc[32];

	(void)state;
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	wave = session->stopped[0];
	support_check_stopped(wave, REASON(ILLEGAL_INSTRUCTION), ILLEGAL_INST, 0);
	assert_int_equal(support_code_word(session, wave->gfx->pc), 0xbfff1234);
	assert_int_equal(wave->workgroup->coordinates[0], 2);
	snprintf(pc, sizeof(pc), "pc %#llx", (unsigned long long)wave->gfx->pc);
	assert_non_null(strstr(session->message, pc));
	assert_non_null(strstr(session->message, "instruction bfff1234"));
	support_close(session);
}

static void test_other_trap(void **state)
{
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);

	(void)state;
	support_set_code_word(session, entry, S_TRAP(7));
	support_resume(session, session->waves[5], false);
	assert_int_equal(support_run(session), WT_DEVICE_EVENT);
	assert_int_equal(session->stopped_count, 1);
	assert_ptr_equal(session->stopped[0], session->waves[5]);
	support_check_stopped(session->waves[5], REASON(TRAP), 0, 7);
	assert_int_equal(session->waves[5]->gfx->pc, entry);
	support_close(session);
}

static void test_wild_pc(void **state)
{
	static const uint64_t wild[] = {0, 0x210000000000, 0x2000000000000, UINT64_MAX - 3};
	uint64_t entry;
	struct support_session *session = support_open_halted("vecadd.json", &entry);

	(void)state;
	for (size_t i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
		struct wt_device_wave *wave = session->waves[i];

		wave->gfx->pc = wild[i];
		support_resume(session, wave, i % 2);
		assert_int_equal(support_run(session), WT_DEVICE_EVENT);
		support_check_stopped(wave, REASON(MEMORY_VIOLATION), MEM_VIOL | XNACK_ERROR, 0);
		assert_true(wave->gfx->pc == wild[i]);
	}
	support_close(session);
}

/* A store to where an address points, by one work-item: what stops it, and what is there then. */
static struct support_session *write_to(uint64_t address)
{
	struct support_session *session;
	uint64_t buffer, size;
	char text[1024];

	snprintf(text, sizeof(text),
		 "{\"architecture\":\"gfx942\",\"code_objects\":[\"%s\"],"
		 "\"buffers\":{\"address\":{\"bytes\":8}},\"dispatches\":[{\"kernel\":"
		 "\"write_anywhere\",\"grid\":[1,1,1],\"workgroup\":[1,1,1],"
		 "\"dynamic_group_bytes\":16,\"arguments\":[{\"buffer\":\"address\"},{\"u32\":77}]}"
		 "]}",
		 support_path("../unit/device/pointers.co"));
	session = support_open(text);
	assert_true(wt_simulated_buffer(session->device, "address", &buffer, &size));
	assert_int_equal(
		session->device->operations->write_memory(session->device, buffer, &address, 8), 8);
	session->halt_new = true;
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	support_resume(session, session->waves[0], false);
	return session;
}

/* Neither the segment with the ELF header nor the code may be written by the program. */
static void test_write_to_code(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		struct support_session *session = write_to(0x200000000000);
		uint64_t address = 0x200000000000, buffer, size;
		uint32_t word;

		assert_true(wt_simulated_buffer(session->device, "address", &buffer, &size));
		if (i)
			address = session->waves[0]->workgroup->dispatch->kernel_entry;
		session->device->operations->write_memory(session->device, buffer, &address, 8);
		word = support_code_word(session, address);
		assert_int_equal(support_run(session), WT_DEVICE_EVENT);
		support_check_stopped(session->waves[0], REASON(MEMORY_VIOLATION),
				      MEM_VIOL | XNACK_ERROR, 0);
		assert_true(session->waves[0]->fault.address == address);
		assert_true(session->waves[0]->fault.write);
		assert_int_equal(support_code_word(session, address), word);
		support_close(session);
	}
}

static void test_write_to_local_memory(void **state)
{
	const struct gfx_architecture *gfx942 = gfx_architecture_by_name("gfx942");
	struct support_session *session = write_to(gfx942->local_aperture + 12);
	uint8_t *lds = session->waves[0]->workgroup->lds;

	(void)state;
	assert_int_equal(session->waves[0]->workgroup->lds_size, 16);
	support_run_to_end(session);
	assert_int_equal(lds[12], 77);
	support_close(session);
	/* The workgroup has 16 bytes, and a work-item of this kernel no private memory. */
	for (uint32_t i = 0; i < 2; i++) {
		session = write_to(i ? gfx942->private_aperture : gfx942->local_aperture + 16);
		assert_int_equal(support_run(session), WT_DEVICE_EVENT);
		support_check_stopped(session->waves[0], REASON(ADDRESS_ERROR), MEM_VIOL, 0);
		support_close(session);
	}
}

/* Programs with bits changed: whatever they do, the device says it and lives on. */
static void test_mutated_programs(void **state)
{
	static const char *const workloads[] = {"matmul.json", "private-sort.json", "bits-O0.json"};
	uint64_t random = 3, entry;

	(void)state;
	for (uint32_t i = 0; i < 90; i++) {
		struct support_session *session = support_open_halted(workloads[i % 3], &entry);

		for (uint32_t n = 0; n < 3; n++) {
			uint64_t address;

			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			address = entry + (random >> 33) % 110 * 4;
			support_set_code_word(session, address,
					      support_code_word(session, address) ^
						      1u << (random >> 59));
		}
		support_resume_all(session);
		for (uint32_t r = 0; r < 20; r++) {
			support_clear(session);
			session->device->operations->run(session->device, 2000);
		}
		support_close(session);
	}
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_store_out_of_bounds),
		cmocka_unit_test(test_load_out_of_bounds),
		cmocka_unit_test(test_assert_trap),
		cmocka_unit_test(test_debug_trap),
		cmocka_unit_test(test_illegal_instruction),
		cmocka_unit_test(test_other_trap),
		cmocka_unit_test(test_wild_pc),
		cmocka_unit_test(test_write_to_code),
		cmocka_unit_test(test_write_to_local_memory),
		cmocka_unit_test(test_mutated_programs),
	};

	return cmocka_run_group_tests_name("device-faults", tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	return support_main(argc, argv, run);
}
