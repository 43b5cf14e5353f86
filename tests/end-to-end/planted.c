/* SPDX-License-Identifier: MIT */
/*
 * A trace of waves that never ran, of any architecture: at given places of a code object, with registers and private memory whose
 * values say where they are. A test that knows the same formulas can tell what is to be shown, where no simulated GPU executes.
 *
 * Usage: planted TRACE ARCHITECTURE LANES CODE-OBJECT < WAVES
 *
 * The input is described in planted.h.
 */
#include <stdlib.h>

#include "planted-items.h"

#define PRIVATE 0x4000u /* bytes of each lane */
#define WAVE_REGISTERS (PLANTED_PC + 1)

/* ---- Waves ---- */

static void put_registers(struct planted *planted, uint64_t handle, const struct planted_wave *wave)
{
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = handle},
			       .handle_count = WAVE_REGISTERS};
	wt_cleanup_buffer struct wt_buffer values = {0};
	const uint64_t pc = wave->pc + PLANTED_LOAD;
	uint64_t ids[WAVE_REGISTERS];

	for (uint32_t i = 0; i < WAVE_REGISTERS; i++) {
		uint32_t lanes = i < SCALARS || i == WAVE_REGISTERS - 1 ? 1 : planted->lanes;

		ids[i] = register_at(planted, i).id;
		for (uint32_t lane = 0; lane < lanes && i < WAVE_REGISTERS - 1; lane++) {
			const uint32_t value = i < SCALARS
						       ? planted_scalar(wave, i)
						       : planted_vector(wave, i - SCALARS, lane);

			wt_buffer_append(&values, &value, sizeof(value));
		}
	}
	wt_buffer_append(&values, &pc, sizeof(pc));
	item.handles = ids;
	put_bytes(planted, &item, values.data, values.size);
	put_list(planted, WT_FUNCTION_WAVE_REGISTER_LIST, handle, ids, WAVE_REGISTERS);
}

/* Four bytes of each lane stand side by side. */
static void put_private(struct planted *planted, uint64_t handle)
{
	static uint32_t page[WT_PAGE / 4];

	for (uint32_t at = 0; at < PRIVATE * planted->lanes; at += WT_PAGE) {
		struct wt_item item = {.key = {.type = WT_ITEM_MEMORY,
					       .kind = name_of(planted, "private_wave"),
					       .owner = handle,
					       .address = at}};

		for (uint32_t i = 0; i < WT_PAGE / 4; i++)
			page[i] = planted_private((at / 4 + i) % planted->lanes,
						  (at / 4 + i) / planted->lanes * 4);
		put_bytes(planted, &item, page, sizeof(page));
	}
}

static void put_wave(struct planted *planted, uint64_t handle, const struct planted_wave *wave)
{
	struct object object = {.kind = WT_OBJECT_WAVE, .handle = handle};
	struct object dispatch = {.kind = WT_OBJECT_DISPATCH, .handle = handle};

	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
	       wave->entry + PLANTED_LOAD);
	put_object(planted, &dispatch);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_STATE, AMD_DBGAPI_WAVE_STATE_STOP);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
	       AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, planted->architecture->id);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_PROCESS, PROCESS);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_DISPATCH, handle);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, planted->lanes);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_PC, wave->pc + PLANTED_LOAD);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_EXEC_MASK,
	       planted->lanes == 32 ? UINT32_MAX : UINT64_MAX);
	put_object(planted, &object);
	put_registers(planted, handle, wave);
	put_private(planted, handle);
}

static void put_stop(struct planted *planted, size_t waves)
{
	static uint64_t handles[PLANTED_WAVES];

	put_moment(planted, false);
	for (size_t i = 0; i < waves; i++)
		handles[i] = i + 1;
	put_list(planted, WT_FUNCTION_PROCESS_WAVE_LIST, PROCESS, handles, waves);
	put_moment(planted, true);
}

int main(int argc, char **argv)
{
	struct planted planted = {.state = NULL};
	struct planted_wave wave;
	size_t count = 0;

	if (argc != 5)
		return 2;
	planted.architecture = gfx_architecture_by_name(argv[2]);
	planted.lanes = (uint32_t)strtoul(argv[3], NULL, 10);
	if (!planted.architecture)
		return 2;
	begin_trace(&planted, argv[1]);
	put_program(&planted, argv[4]);
	while (count < PLANTED_WAVES && planted_read(&wave))
		put_wave(&planted, ++count, &wave);
	put_stop(&planted, count);
	wt_state_destroy(planted.state);
	must(wt_writer_close(planted.writer, "finalized"));
	return 0;
}
