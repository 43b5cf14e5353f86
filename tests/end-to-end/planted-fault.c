/* SPDX-License-Identifier: MIT */
/*
 * A trace of a wave that faults on an architecture that no simulated GPU executes, from a trace of one that does.
 *
 * Memory, the kernel's arguments and the dispatch are those of the trace of the simulated GPU. The kernel, compiled for the other
 * architecture, is executed from its launch to the first access that fails; there the wave stands, with the registers that it
 * has. That it is the right access, with the right addresses, is for the test to say: it has those of the simulated GPU.
 *
 * Usage: planted-fault FROM TO ARCHITECTURE CODE-OBJECT ENTRY DESCRIPTOR
 *
 * The last two are addresses of the ELF file. Exit code 3: there is no failing access, or the way to it is not known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planted-items.h"

#include "replayer/analysis/rerun-launch.h"
#include "replayer/analysis/rerun.h"
#include "replayer/view/explain.h"
#include "replayer/view/kernel-launch.h"

#define GARBAGE UINT32_C(0x5a5a5a5a) /* where nobody knows what the wave has */
#define LIMIT 1000000u
#define MAX_WAVES 32u
#define CODE_BYTES                                                                                 \
	(UINT64_C(1)                                                                               \
	 << 24) /* from PLANTED_LOAD on: memory of the other trace has other code there */

struct fault {
	struct planted planted;
	struct wt_reader *reader, *code_reader;
	struct wt_view *from; /* the moment of the fault */
	struct wt_view *code; /* a trace that has the code object */
	uint64_t process, wave, dispatch, entry, descriptor;
	uint32_t workgroup[3];
	struct wt_view_dispatch launch;
	struct wt_analysis_input input;
	struct wt_rerun *rerun;
	const char *object;
};

/* ---- What the wave is executed with ---- */

static bool fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct fault *fault = opaque;

	return wt_view_code(fault->code, address, data, size) >= size;
}

static bool read_global(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct fault *fault = opaque;

	return wt_view_memory(fault->from, "global", fault->wave, 0, address, data, size) == size;
}

/* Pages that were looked at, and are not there. */
static bool is_missing(const struct fault *fault, uint64_t address)
{
	const struct wt_key key = {.type = WT_ITEM_MEMORY,
				   .kind = wt_reader_name_number(fault->reader, "global"),
				   .owner = fault->process,
				   .address = address - address % WT_PAGE};
	const struct wt_item *item = wt_state_get(wt_view_state(fault->from), &key);

	return item && (item->status || !item->bytes || item->bytes->size <= address - key.address);
}

static enum wt_access_verdict judge(void *opaque, const struct gfx_access *access,
				    enum gfx_access_space space, uint64_t address)
{
	const struct fault *fault = opaque;
	uint64_t end = space == GFX_ACCESS_LOCAL ? fault->launch.local_bytes
						 : fault->input.launch.private_segment_size;

	if (access->read && access->write && address % access->size)
		return WT_ACCESS_FAILS;
	if (space == GFX_ACCESS_GLOBAL)
		return is_missing(fault, address) || is_missing(fault, address + access->size - 1)
			       ? WT_ACCESS_FAILS
			       : WT_ACCESS_FINE;
	return end && (address >= end || access->size > end - address) ? WT_ACCESS_FAILS
								       : WT_ACCESS_FINE;
}

static bool no_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	(void)opaque;
	(void)name;
	(void)lane;
	(void)value;
	return false;
}

static void prepare(struct fault *fault, uint32_t wave_in_group)
{
	uint8_t bytes[64];
	const char *wrong = "it cannot be read";

	fault->input = (struct wt_analysis_input){
		.architecture = fault->planted.architecture,
		.late = WT_ANALYSIS_LATE,
		.opaque = fault,
		.fetch = fetch,
		.read = read_global,
		.judge = judge,
		.read_register = no_register,
	};
	if (wt_view_code(fault->code, fault->descriptor + PLANTED_LOAD, bytes, sizeof(bytes)) ==
	    sizeof(bytes))
		wrong = gfx_kernel_descriptor_parse(fault->planted.architecture, bytes,
						    &fault->input.descriptor);
	if (wrong)
		must(wt_error_create(WT_ERROR_INPUT, "cannot launch", fault->object, "%s", wrong));
	fault->input.launch.code_entry = fault->entry + PLANTED_LOAD;
	fault->input.launch.kernarg_address = fault->launch.arguments;
	fault->input.launch.private_segment_size = fault->input.descriptor.private_segment_size;
	fault->input.launch.wave_in_group = wave_in_group;
	memcpy(fault->input.launch.workgroup, fault->workgroup, sizeof(fault->workgroup));
	memcpy(fault->input.launch.workgroup_size, fault->launch.workgroup,
	       sizeof(fault->launch.workgroup));
	memcpy(fault->input.launch.grid_size, fault->launch.grid, sizeof(fault->launch.grid));
}

/* The simulated GPU begins with zeros in private and local memory. */
static void know_memory(struct wt_rerun *rerun)
{
	memset(rerun->private_unknown, 0, rerun->private_words * sizeof(*rerun->private_unknown));
	memset(rerun->local_unknown, 0, rerun->wave.lds_size / 4 * sizeof(*rerun->local_unknown));
}

/* Execute a wave up to its first access that fails. */
static bool run(struct fault *fault, uint32_t wave_in_group)
{
	struct wt_analysis_initial initial;
	enum wt_analysis_end end;

	prepare(fault, wave_in_group);
	must(wt_rerun_create(&fault->input, false, &fault->rerun));
	wt_rerun_begin(fault->rerun, &initial);
	know_memory(fault->rerun);
	for (uint32_t i = 0; i < LIMIT && fault->rerun->first_exec; i++) {
		const struct wt_rerun_code *code = wt_rerun_code(fault->rerun);

		if (!code) {
			fprintf(stderr, "planted-fault: no instruction that is known at 0x%llx\n",
				(unsigned long long)(fault->rerun->wave.pc - PLANTED_LOAD));
			return false;
		}
		if (wt_rerun_failing(fault->rerun, code, NULL, NULL))
			return true;
		if (!wt_rerun_step(fault->rerun, code, &end)) {
			if (end != WT_ANALYSIS_MISSED)
				fprintf(stderr, "planted-fault: end %u at 0x%llx\n", end,
					(unsigned long long)(fault->rerun->wave.pc - PLANTED_LOAD));
			break;
		}
	}
	return false;
}

/* ---- What is written ---- */

static void copy_memory(struct fault *fault, const struct wt_view *view)
{
	const struct wt_state *state = wt_view_state(view);
	uint32_t global = wt_reader_name_number(fault->reader, "global");

	for (size_t i = 0; i < wt_state_count(state); i++) {
		struct wt_item item = *wt_state_at(state, i);

		if (item.key.type != WT_ITEM_MEMORY || item.key.kind != global ||
		    item.key.address - PLANTED_LOAD < CODE_BYTES)
			continue;
		item.key.kind = name_of(&fault->planted, "global");
		item.key.owner = PROCESS;
		must(wt_state_set(fault->planted.state, &item));
	}
}

/* A vector register's lanes, or a scalar one. */
static void append_register(const struct wt_rerun *rerun, uint32_t lanes, uint32_t position,
			    struct wt_buffer *values)
{
	enum gfx_register_file file = position < SCALARS ? GFX_FILE_SCALAR : GFX_FILE_VECTOR;
	uint32_t number = position < SCALARS ? position : position - SCALARS;
	uint64_t known = wt_rerun_known(rerun, file, number);

	for (uint32_t lane = 0; lane < (position < SCALARS ? 1 : lanes); lane++) {
		bool there = position < SCALARS || number < rerun->wave.vgpr_count;
		uint32_t value = there && known >> lane & 1
					 ? wt_rerun_value(rerun, file, number, lane)
					 : GARBAGE;

		wt_buffer_append(values, &value, sizeof(value));
	}
}

static void put_registers(struct fault *fault, uint64_t handle)
{
	struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = handle},
			       .handle_count = PLANTED_COUNT};
	wt_cleanup_buffer struct wt_buffer values = {0};
	const struct wt_rerun *rerun = fault->rerun;
	const uint64_t last[] = {rerun->wave.pc, rerun->wave.exec, rerun->wave.vcc};
	uint32_t lanes = fault->planted.lanes;
	uint64_t ids[PLANTED_COUNT];

	for (uint32_t i = 0; i < PLANTED_COUNT; i++) {
		ids[i] = register_at(&fault->planted, i).id;
		if (i < PLANTED_PC)
			append_register(rerun, lanes, i, &values);
		else
			wt_buffer_append(&values, &last[i - PLANTED_PC],
					 i == PLANTED_PC ? sizeof(last[0]) : lanes / 8);
	}
	item.handles = ids;
	put_bytes(&fault->planted, &item, values.data, values.size);
	put_list(&fault->planted, WT_FUNCTION_WAVE_REGISTER_LIST, handle, ids, PLANTED_COUNT);
}

static void put_dispatch(struct fault *fault)
{
	struct object dispatch = {.kind = WT_OBJECT_DISPATCH, .handle = 1};
	const struct planted *planted = &fault->planted;
	const uint16_t sizes[3] = {(uint16_t)fault->launch.workgroup[0],
				   (uint16_t)fault->launch.workgroup[1],
				   (uint16_t)fault->launch.workgroup[2]};

	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS,
	       fault->entry + PLANTED_LOAD);
	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS,
	       fault->descriptor + PLANTED_LOAD);
	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS,
	       fault->launch.arguments);
	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE,
	       fault->input.descriptor.private_segment_size);
	number(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE,
	       fault->launch.local_bytes);
	answer(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES, sizes, sizeof(sizes));
	answer(planted, &dispatch, AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES, fault->launch.grid,
	       sizeof(fault->launch.grid));
	put_object(&fault->planted, &dispatch);
}

static void put_wave(struct fault *fault)
{
	struct object object = {.kind = WT_OBJECT_WAVE, .handle = 1};
	const struct planted *planted = &fault->planted;
	uint64_t one = 1, reasons = AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION;

	(void)wt_view_number(fault->from, WT_OBJECT_WAVE, fault->wave,
			     AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_STATE, AMD_DBGAPI_WAVE_STATE_STOP);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_STOP_REASON, reasons);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_ARCHITECTURE, planted->architecture->id);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_PROCESS, PROCESS);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_DISPATCH, 1);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_LANE_COUNT, planted->lanes);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_PC, fault->rerun->wave.pc);
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_EXEC_MASK, fault->rerun->wave.exec);
	answer(planted, &object, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, fault->workgroup,
	       sizeof(fault->workgroup));
	number(planted, &object, AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP,
	       fault->input.launch.wave_in_group);
	put_object(&fault->planted, &object);
	put_dispatch(fault);
	put_registers(fault, 1);
	put_list(&fault->planted, WT_FUNCTION_PROCESS_WAVE_LIST, PROCESS, &one, 1);
}

/* Stops without a wave that runs have memory alone. */
static void write_trace(struct fault *fault, const char *path)
{
	begin_trace(&fault->planted, path);
	put_program(&fault->planted, fault->object);
	put_moment(&fault->planted, false);
	for (uint32_t i = 0; fault->rerun && i < wt_reader_moment_count(fault->reader); i++) {
		struct wt_view *view;

		must(wt_view_open(fault->reader, i, &view));
		if (wt_view_moment(view)->cause == WT_MOMENT_STOP) {
			copy_memory(fault, view);
			if (i + 1 == wt_reader_moment_count(fault->reader))
				put_wave(fault);
			put_moment(&fault->planted, true);
		}
		wt_view_close(view);
	}
	if (!fault->rerun)
		put_moment(&fault->planted, true);
	wt_state_destroy(fault->planted.state);
	must(wt_writer_close(fault->planted.writer, "finalized"));
}

static bool read_from(struct fault *fault, const char *path)
{
	must(wt_reader_open(path, &fault->reader));
	must(wt_view_open(fault->reader, wt_reader_moment_count(fault->reader) - 1, &fault->from));
	fault->process = wt_view_moment(fault->from)->process;
	fault->wave = wt_view_telling_wave(fault->from);
	fault->dispatch = wt_view_number_or(fault->from, WT_OBJECT_WAVE, fault->wave,
					    AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	wt_view_dispatch(fault->from, fault->dispatch, &fault->launch);
	return fault->wave && fault->launch.has_sizes &&
	       wt_view_array(fault->from, WT_OBJECT_WAVE, fault->wave,
			     AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, fault->workgroup, 3);
}

/* The code object alone, to read its code from. */
static void open_code(struct fault *fault, const char *path)
{
	wt_cleanup_free char *name = NULL;

	if (asprintf(&name, "%s.code", path) < 0)
		must(&wt_error_no_memory);
	write_trace(fault, name);
	must(wt_reader_open(name, &fault->code_reader));
	must(wt_view_open(fault->code_reader, wt_reader_moment_count(fault->code_reader) - 1,
			  &fault->code));
}

int main(int argc, char **argv)
{
	struct fault fault = {.object = argc == 7 ? argv[4] : NULL};
	bool found = false;

	if (argc != 7)
		return 2;
	fault.planted.architecture = gfx_architecture_by_name(argv[3]);
	fault.entry = strtoull(argv[5], NULL, 16);
	fault.descriptor = strtoull(argv[6], NULL, 16);
	fault.planted.lanes = 32;
	if (!fault.planted.architecture || !read_from(&fault, argv[1]))
		return 2;
	open_code(&fault, argv[2]);
	for (uint32_t wave = 0; wave < MAX_WAVES && !found; wave++) {
		wt_rerun_destroy(fault.rerun);
		found = run(&fault, wave);
	}
	if (found) {
		fault.planted.lanes = fault.rerun->lanes;
		write_trace(&fault, argv[2]);
	}
	wt_rerun_destroy(fault.rerun);
	wt_view_close(fault.code);
	wt_view_close(fault.from);
	wt_reader_close(fault.code_reader);
	wt_reader_close(fault.reader);
	return found ? 0 : 3;
}
