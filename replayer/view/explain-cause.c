/* SPDX-License-Identifier: MIT */
/* The cause of a fault: what is made of what the analysis finds. */
#include "replayer/view/explain-cause.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "gfx/architecture/local.h"
#include "gfx/isa/tables.h"
#include "replayer/view/explain-access.h"
#include "replayer/view/explain-cause-internal.h"
#include "replayer/view/explain-mapping.h"
#include "replayer/view/explain-place.h"
#include "replayer/view/explain.h"

/* ---- A recorded wave as the analysis wants it: code, memory, registers, how it was launched, and which accesses can fail ---- */

#define DESCRIPTOR_SIZE 64

/* Takes code as it was loaded: recorded memory has the breakpoints of a debugger, which the wave did not execute. */
static bool fetch_code(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_constant(source->view, address, data, size) ||
	       wt_view_code(source->view, address, data, size) >= size;
}

static bool code_is_there(void *opaque, uint64_t address)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_code_object_at(source->view, address, NULL);
}

static bool source_read_memory(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_packet_read(&source->packet, source->packet_address, address, data, size) ||
	       wt_view_memory(source->view, "global", 0, 0, address, data, size) == size ||
	       wt_view_constant(source->view, address, data, size);
}

/* Leave the addresses that are on the same side of both ends of what the wave can access anyway, and in the same page. */
static void source_narrow(const struct wt_cause_source *source, uint64_t address, uint64_t page_end,
			  struct wt_span *alike)
{
	uint64_t page = address - address % WT_PAGE;

	wt_span_narrow(alike, address, WT_CAUSE_LOWEST_ADDRESS, WT_CAUSE_HIGHEST_ADDRESS);
	wt_span_narrow(alike, address, source->arguments, source->arguments_end);
	wt_span_narrow(alike, address, source->packet_address,
		       source->packet_address + sizeof(source->packet.bytes));
	wt_span_narrow(alike, address, page, page + WT_PAGE);
	wt_span_narrow(alike, address, page, page_end);
}

/* The verdict on a byte of global memory. The packet processor has read packet and arguments, so that a wave can, too. */
static enum wt_access_verdict source_judge_mapped(const struct wt_cause_source *source,
						  uint64_t address, struct wt_span *alike)
{
	struct wt_mapping mapping = {.kind = WT_MAPPING_UNKNOWN, .alike = {0, UINT64_MAX}};
	enum wt_memory_openness access = WT_MEMORY_MAYBE;
	enum wt_mapping_kind kind;
	uint64_t end;
	int page = wt_cause_page(source->view, source->process, address, &end);

	source_narrow(source, address, end, alike);
	if (address < WT_CAUSE_LOWEST_ADDRESS || address >= WT_CAUSE_HIGHEST_ADDRESS)
		return WT_ACCESS_FAILS;
	if (address - source->arguments < source->arguments_end - source->arguments ||
	    (source->packet_address &&
	     address - source->packet_address < sizeof(source->packet.bytes)))
		return WT_ACCESS_FINE;
	if (source->mappings) {
		mapping = wt_mapping_at(source->mappings, source->process, address);
		access = wt_memory_access(source->mappings, source->process, address, alike);
	}
	wt_span_intersect(alike, &mapping.alike);
	kind = mapping.kind;
	if (access == WT_MEMORY_OPEN)
		return WT_ACCESS_FINE;
	/* Memory that only the program itself cannot access may be the GPU's: runtimes show it the program's memory at such addresses. */
	if (kind == WT_MAPPING_RESERVED ||
	    wt_cause_is_reserved(source->view, source->process, address))
		return WT_ACCESS_MAY_FAIL;
	if (page < 0 || (!page && kind == WT_MAPPING_NONE) || access == WT_MEMORY_CLOSED)
		return WT_ACCESS_FAILS;
	if (kind == WT_MAPPING_DEVICE || (page && kind != WT_MAPPING_HOST))
		return WT_ACCESS_FINE;
	return WT_ACCESS_MAY_FAIL;
}

/* If the mappings leave it open, the page counts that the GPU's driver has named. */
static const struct wt_judged *source_judge(struct wt_cause_source *source, uint64_t address)
{
	struct wt_judged *judged = &source->judged[address / WT_PAGE % WT_JUDGED_KEPT];

	if (judged->alike.last && address >= judged->alike.first && address <= judged->alike.last)
		return judged;
	judged->alike = (struct wt_span){0, UINT64_MAX};
	judged->verdict = source_judge_mapped(source, address, &judged->alike);
	if (judged->verdict == WT_ACCESS_MAY_FAIL && source->mappings &&
	    wt_mappings_device_named(source->mappings, source->process, address))
		judged->verdict = WT_ACCESS_FAILS;
	return judged;
}

/* Does an access reach behind local or private memory, whose sizes the dispatch has? */
static bool cause_is_past_end(const struct wt_cause_dispatch *dispatch,
			      const struct gfx_access *access, enum gfx_access_space space,
			      uint64_t address)
{
	bool local = space == GFX_ACCESS_LOCAL;
	uint64_t end = local ? dispatch->local_size : dispatch->private_size;

	/* A kernel that has none of it may still be led there by an address. */
	if (local ? !dispatch->has_local_size : !dispatch->has_private_size)
		return false;
	return address >= end || access->size > end - address;
}

/* The verdict on bytes of global memory: that on the worst of them. */
static enum wt_access_verdict cause_judge_bytes(struct wt_cause_source *source, uint64_t address,
						uint32_t size)
{
	const uint64_t last = address + (size ? size - 1 : 0);
	enum wt_access_verdict verdict = WT_ACCESS_FINE;
	const struct wt_judged *judged;

	do {
		judged = source_judge(source, address);
		if (judged->verdict == WT_ACCESS_FAILS)
			return WT_ACCESS_FAILS;
		if (judged->verdict == WT_ACCESS_MAY_FAIL)
			verdict = WT_ACCESS_MAY_FAIL;
		address = judged->alike.last + 1;
	} while (last > judged->alike.last);
	return verdict;
}

/* An atomic has to be aligned. */
static bool cause_is_misaligned(const struct gfx_access *access, uint64_t address)
{
	return access->read && access->write && access->size && address % access->size;
}

/* The verdict on an access, by its space, and if it has to be aligned. @opaque: the source. */
static enum wt_access_verdict cause_judge_access(void *opaque, const struct gfx_access *access,
						 enum gfx_access_space space, uint64_t address)
{
	struct wt_cause_source *source = opaque;
	enum wt_access_verdict verdict;
	uint8_t constant[64];

	if (cause_is_misaligned(access, address))
		return WT_ACCESS_FAILS;
	/* An access past local memory is no violation of mapped memory. */
	if (space == GFX_ACCESS_LOCAL &&
	    !(source->reasons & ~(uint32_t)AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION))
		return WT_ACCESS_FINE;
	if (space != GFX_ACCESS_GLOBAL)
		return cause_is_past_end(source->dispatch, access, space, address) ? WT_ACCESS_FAILS
										   : WT_ACCESS_FINE;
	verdict = cause_judge_bytes(source, address, access->size);
	/* Constants of a code object are where its code is, which the wave executes. */
	return verdict != WT_ACCESS_FINE && !access->write && access->size <= sizeof(constant) &&
			       wt_view_constant(source->view, address, constant, access->size)
		       ? WT_ACCESS_FINE
		       : verdict;
}

static bool source_read_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_register_value(source->view, source->wave, name, lane, value);
}

/* Say in `why_not` of a cause why it is not looked for. */
static __attribute__((format(printf, 2, 3))) struct wt_error *
cause_say_why_not(struct wt_cause *cause, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	cause->why_not = wt_text_list(format, arguments);
	va_end(arguments);
	return cause->why_not ? NULL : &wt_error_no_memory;
}

static uint64_t dispatch_number(const struct wt_view *view, uint64_t dispatch, uint32_t query)
{
	return wt_view_number_or(view, WT_OBJECT_DISPATCH, dispatch, query, 0);
}

/* Read the facts of a wave's dispatch. Return: whether its sizes were recorded. */
static bool cause_read_dispatch(const struct wt_view *view, uint64_t wave,
				struct wt_cause_dispatch *dispatch)
{
	struct wt_view_dispatch known;

	dispatch->handle =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	dispatch->process =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PROCESS, 0);
	wt_view_dispatch(view, dispatch->handle, &known);
	dispatch->has_local_size = known.has_local;
	dispatch->has_private_size = known.has_private;
	dispatch->local_size = known.local_bytes;
	dispatch->private_size = known.private_bytes;
	memcpy(dispatch->workgroup_size, known.workgroup, sizeof(known.workgroup));
	memcpy(dispatch->grid_size, known.grid, sizeof(known.grid));
	return known.has_sizes;
}

/* The segment ends behind the last argument, even where the descriptor, as one that was written by hand, has no size. */
static void widen_arguments(const struct wt_explain_arguments *arguments,
			    struct gfx_kernel_descriptor *descriptor)
{
	for (size_t i = 0; i < arguments->count; i++) {
		uint64_t end = (uint64_t)arguments->list[i].offset + arguments->list[i].size;

		if (end > descriptor->kernarg_size && end <= UINT32_MAX)
			descriptor->kernarg_size = (uint32_t)end;
	}
}

/* Fills in what the recording says of the launch. Return: NULL, or what is missing. */
static const char *cause_input_prepare(const struct wt_cause_source *source, struct wt_cause *cause,
				       struct wt_analysis_input *input)
{
	struct wt_view *view = source->view;
	const struct wt_cause_dispatch *dispatch = source->dispatch;
	uint64_t descriptor = dispatch_number(view, dispatch->handle,
					      AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS);
	uint8_t bytes[DESCRIPTOR_SIZE];
	const char *wrong;

	if (!descriptor || !cause->wave.has_coordinates || !cause->arguments.address)
		return "its dispatch was not recorded";
	if (wt_view_code(view, descriptor, bytes, sizeof(bytes)) < sizeof(bytes))
		return "its kernel descriptor was not recorded";
	wrong = gfx_kernel_descriptor_parse(input->architecture, bytes, &input->descriptor);
	if (wrong)
		return wrong;
	widen_arguments(&cause->arguments, &input->descriptor);
	input->launch.code_entry = descriptor + (uint64_t)input->descriptor.entry_offset;
	input->launch.kernarg_address = cause->arguments.address;
	input->launch.dispatch_packet_address = source->packet_address;
	input->has_local_room = source->dispatch->has_local_size;
	input->local_room = source->local_room;
	input->launch.private_segment_size = (uint32_t)dispatch->private_size;
	memcpy(input->launch.workgroup, cause->wave.workgroup, sizeof(input->launch.workgroup));
	memcpy(input->launch.workgroup_size, dispatch->workgroup_size,
	       sizeof(input->launch.workgroup_size));
	memcpy(input->launch.grid_size, dispatch->grid_size, sizeof(input->launch.grid_size));
	input->launch.wave_in_group = cause->wave.number_in_workgroup;
	return NULL;
}

/*
 * Does the wave stand where no code is? Whatever it has stopped for, it was not to come there. Behind a trap that ends its code it
 * stands there too, but it is the trap that it has stopped at.
 */
static bool has_jumped(const struct wt_view *view, const struct wt_explain_wave *wave)
{
	return wave->state == WAVETAPE_WAVE_STOPPED && wt_view_wave_has_fault(view, wave->wave) &&
	       wt_view_knows_code(view) && !wt_view_code_object_at(view, wave->code.address, NULL);
}

/* How many instructions may be behind an access that failed: where memory is precise, it may be the last one. */
static uint32_t cause_late_instructions(const struct wt_view *view,
					const struct wt_explain_wave *wave)
{
	uint32_t mode;

	if (!wave->memory_fault)
		return has_jumped(view, wave);
	return wt_view_memory_precision(view, &mode) && mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE
		       ? 1
		       : WT_ANALYSIS_LATE;
}

/* The packet's bytes are what the queue held; its address is 0 where the recording has none. */
static struct wt_cause_source cause_source_of(struct wt_explainer *explainer,
					      const struct wt_cause_dispatch *dispatch,
					      uint64_t wave)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_cause_source source = {
		.explainer = explainer,
		.view = view,
		.wave = wave,
		.process = dispatch->process,
		.dispatch = dispatch,
		.architecture = wt_view_architecture(view, WT_OBJECT_WAVE, wave),
		.local_room = UINT64_MAX,
	};

	if (dispatch->has_local_size && source.architecture)
		source.local_room = gfx_local_room(source.architecture, dispatch->local_size);
	source.packet_address = wt_view_packet(view, dispatch->handle, &source.packet);
	return source;
}

/* Finds out where the arguments lie, and what the program has mapped. Nothing is followed whose instructions are not known here. */
static struct wt_error *cause_source_prepare(struct wt_cause_source *source, struct wt_cause *cause)
{
	const struct wt_explain_arguments *arguments = &cause->arguments;

	if (!gfx_isa_of(source->architecture))
		return cause_say_why_not(
			cause, "instructions of %s are not followed: their tables are not here",
			source->architecture ? source->architecture->name : "this architecture");
	source->reasons = cause->wave.reasons;
	source->arguments = source->arguments_end = arguments->address;
	for (size_t i = 0; i < arguments->count; i++)
		source->arguments_end =
			arguments->address + arguments->list[i].offset + arguments->list[i].size;
	return wt_explainer_mappings(source->explainer, &source->mappings);
}

/* Exceptions that a wave has raised, as bits of trapsts. A memory fault is explained in its place. */
static uint32_t cause_exceptions(const struct wt_explain_wave *wave)
{
	static const uint32_t reasons[] = {
		AMD_DBGAPI_WAVE_STOP_REASON_FP_INVALID_OPERATION,
		AMD_DBGAPI_WAVE_STOP_REASON_FP_INPUT_DENORMAL,
		AMD_DBGAPI_WAVE_STOP_REASON_FP_DIVIDE_BY_0,
		AMD_DBGAPI_WAVE_STOP_REASON_FP_OVERFLOW,
		AMD_DBGAPI_WAVE_STOP_REASON_FP_UNDERFLOW,
		AMD_DBGAPI_WAVE_STOP_REASON_FP_INEXACT,
		AMD_DBGAPI_WAVE_STOP_REASON_INT_DIVIDE_BY_0,
	};
	uint32_t raised = 0;

	for (uint32_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!wave->memory_fault && wave->reasons & reasons[i])
			raised |= UINT32_C(1) << i;
	return raised;
}

/* The input of an analysis, but for how the wave was launched. */
static struct wt_analysis_input cause_input_of(struct wt_cause_source *source,
					       const struct wt_cause_limits *limits,
					       const struct wt_cause *cause)
{
	const uint32_t raised = cause_exceptions(&cause->wave);

	return (struct wt_analysis_input){
		.architecture = source->architecture,
		.target = cause_late_instructions(source->view, &cause->wave) || raised
				  ? cause->wave.pc
				  : cause->wave.code.address,
		.raised = raised,
		.late = cause_late_instructions(source->view, &cause->wave),
		.jumped = has_jumped(source->view, &cause->wave),
		.is_code = code_is_there,
		.judge = cause_judge_access,
		.step_limit = limits->instructions,
		.memory_limit = limits->bytes,
		.opaque = source,
		.fetch = fetch_code,
		.read = source_read_memory,
		.read_register = source_read_register,
	};
}

static const char *end_text(enum wt_analysis_end end)
{
	switch (end) {
	case WT_ANALYSIS_BRANCH:
		return "a branch depends on memory or registers that were not recorded";
	case WT_ANALYSIS_INSTRUCTION:
		return "an instruction is not known, or selects its registers by values";
	case WT_ANALYSIS_LIMIT:
		return "the wave's way is too long";
	case WT_ANALYSIS_PRIVATE:
		return "it has too much private memory";
	case WT_ANALYSIS_MISSED:
		return "executed again, the program goes elsewhere";
	default:
		return "executed again, the wave comes here with other registers than it had";
	}
}

struct wt_error *wt_followed_say_end(struct wt_explainer *explainer,
				     const struct gfx_architecture *architecture,
				     enum wt_analysis_end end, uint64_t pc, char **text_ret)
{
	struct wavetape_place code;
	struct wt_error *error = wt_explain_address(explainer, architecture, pc, &code);

	if (error)
		return error;
	*text_ret = code.file ? wt_text("%s: at %s:%d, %s", end_text(end), code.file, code.line,
					code.instruction ? code.instruction : "no instruction")
			      : wt_text("%s: at 0x%llx", end_text(end), (unsigned long long)pc);
	wt_explain_code_deinit(&code);
	return *text_ret ? NULL : &wt_error_no_memory;
}

/* ---- A wave of which a way is wanted, whatever it has stopped for ---- */

struct wt_error *wt_followed_create(struct wt_explainer *explainer, uint64_t wave,
				    const struct wt_cause_limits *limits,
				    struct wt_followed **followed_ret)
{
	struct wt_followed *followed = calloc(1, sizeof(*followed));
	struct wt_cause *cause;
	struct wt_error *error;
	bool has_dispatch;

	if (!followed)
		return &wt_error_no_memory;
	cause = &followed->cause;
	cause->near.argument = SIZE_MAX;
	error = wt_explain_wave(explainer, wave, &cause->wave);
	if (error) {
		free(followed);
		return error;
	}
	has_dispatch = cause_read_dispatch(wt_explainer_view(explainer), wave, &followed->dispatch);
	followed->source = cause_source_of(explainer, &followed->dispatch, wave);
	followed->input = cause_input_of(&followed->source, limits, cause);
	error = wt_explain_arguments(explainer, followed->dispatch.handle, &cause->arguments);
	if (!error)
		error = cause_source_prepare(&followed->source, cause);
	if (!error && !cause->why_not && !has_dispatch)
		error = cause_say_why_not(cause, "its dispatch was not recorded");
	if (!error && !cause->why_not) {
		const char *wrong = cause_input_prepare(&followed->source, cause, &followed->input);

		if (wrong)
			error = cause_say_why_not(cause, "%s", wrong);
	}
	if (error) {
		wt_followed_destroy(followed);
		return error;
	}
	*followed_ret = followed;
	return NULL;
}

void wt_followed_destroy(struct wt_followed *followed)
{
	if (!followed)
		return;
	wt_cause_deinit(&followed->cause);
	free(followed);
}

/* Why the wave was not followed to its end, and from where on. */
static struct wt_error *say_end(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture, struct wt_cause *cause)
{
	return wt_followed_say_end(explainer, architecture, cause->analysis.end,
				   cause->analysis.end_pc, &cause->why_not);
}

/* ---- All of it ---- */

/* Did an access of a lane that is explained fail? Where no other one can have, one of what is only reserved did. */
static bool lane_failed(struct wt_cause_source *source, const struct wt_cause *cause, uint32_t lane)
{
	const struct gfx_access *access = &cause->wave.access;
	uint64_t address;
	enum gfx_access_space space =
		wt_explain_lane_space(source->architecture, access, lane, &address);
	enum wt_access_verdict verdict;

	if (space == GFX_ACCESS_LOCAL || space == GFX_ACCESS_PRIVATE)
		return space != access->space &&
		       cause_is_past_end(source->dispatch, access, space, address);
	verdict = cause_judge_bytes(source, address, access->size);
	return verdict == WT_ACCESS_FAILS ||
	       (verdict == WT_ACCESS_MAY_FAIL && cause->analysis.eliminated &&
		(wt_cause_is_reserved(source->view, source->process, address) ||
		 wt_mapping_at(source->mappings, source->process, address).kind ==
			 WT_MAPPING_RESERVED));
}

/* The access that failed is not the instruction at which the wave stopped, but one before. */
static void take_late_access(struct wt_cause_source *source, struct wt_cause *cause)
{
	struct wt_explain_wave *wave = &cause->wave;

	cause->lane = cause->analysis.lane;
	if (!cause->analysis.steps[0].loads) {
		wave->has_access = false;
		return;
	}
	wave->has_access = true;
	wave->access = cause->analysis.steps[0].access;
	wave->access.lanes &= cause->analysis.steps[0].address_known;
	wave->failed_lanes = wave->unknown_lanes = 0;
	wt_explain_resolve(source->architecture, &wave->access);
	for (uint64_t left = wave->access.lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);

		if (lane_failed(source, cause, lane))
			wave->failed_lanes |= UINT64_C(1) << lane;
	}
	cause->address = wave->access.addresses[cause->lane];
}

/* The wave's way says which access failed, where no other one can have. */
static void settle_place(struct wt_cause_source *source, struct wt_cause *cause)
{
	const struct wt_analysis *analysis = &cause->analysis;
	const struct gfx_access *access = &cause->wave.access;
	/* Misaligned, and past the end of local and private memory, no lane counts as failed. */
	bool fails = analysis->end == WT_ANALYSIS_ARRIVED && cause->wave.has_access &&
		     (cause_is_misaligned(access, cause->address) ||
		      ((access->space == GFX_ACCESS_LOCAL || access->space == GFX_ACCESS_PRIVATE) &&
		       cause_judge_access(source, access, access->space, cause->address) ==
			       WT_ACCESS_FAILS));

	cause->certain = !analysis->suspects && (cause->wave.failed_lanes || fails ||
						 analysis->eliminated || cause->jumped);
}

static struct wt_error *cause_take_calls(struct wt_explainer *explainer,
					 const struct gfx_architecture *architecture,
					 const uint64_t *calls, size_t count,
					 struct wt_cause *cause)
{
	while (cause->call_count < count) {
		struct wt_error *error =
			wt_explain_address(explainer, architecture, calls[cause->call_count],
					   &cause->calls[cause->call_count]);

		if (error)
			return error;
		cause->call_count++;
	}
	return NULL;
}

static struct wt_error *cause_analyse(struct wt_explainer *explainer,
				      const struct wt_cause_dispatch *dispatch,
				      const struct wt_cause_limits *limits, struct wt_cause *cause)
{
	struct wt_cause_source source = cause_source_of(explainer, dispatch, cause->wave.wave);
	struct wt_analysis_input input = cause_input_of(&source, limits, cause);
	struct wt_error *error;
	const char *wrong;

	input.lane = cause->wave.access.scalar ? 0 : cause->lane;
	error = cause_source_prepare(&source, cause);
	if (error || cause->why_not)
		return error;
	cause->packet_address = source.packet_address;
	cause->local_room = source.local_room;
	wrong = cause_input_prepare(&source, cause, &input);
	if (wrong)
		return cause_say_why_not(cause, "%s", wrong);
	error = wt_analyse(&input, &cause->analysis);
	if (error)
		return error;
	cause->analysed = true;
	if (cause->analysis.end != WT_ANALYSIS_ARRIVED)
		return say_end(explainer, input.architecture, cause);
	cause->jumped = input.jumped && cause->analysis.late == 1 && cause->analysis.count &&
			!cause->analysis.steps[0].loads;
	if (cause->analysis.raised) {
		cause->lane = cause->analysis.lane;
	} else if (cause->analysis.late && cause->analysis.count) {
		cause->late = cause->analysis.late;
		take_late_access(&source, cause);
	} else if (cause->wave.memory_fault && cause->wave.code.address != cause->wave.pc) {
		/* The instruction before the pc is not the one that the wave has executed last. */
		error = wt_place_at_pc(explainer, input.architecture, &cause->wave);
		if (error)
			return error;
	}
	settle_place(&source, cause);
	error = cause_take_calls(explainer, input.architecture, cause->analysis.calls,
				 cause->analysis.call_count, cause);
	if (error)
		return error;
	return wt_cause_describe_steps(explainer, input.architecture, input.launch.code_entry,
				       cause);
}

/* Lanes to blame if no lane's memory is missing: those past the end of theirs, or not aligned, or that go farthest. */
static uint64_t suspicious_lanes(const struct wt_cause *cause,
				 const struct wt_cause_dispatch *dispatch,
				 const struct gfx_access *access)
{
	bool shared = access->space == GFX_ACCESS_LOCAL || access->space == GFX_ACCESS_PRIVATE;
	uint64_t lanes = 0, past = 0, farthest = 0;
	uint32_t last = 0;

	if (!(cause->wave.reasons & AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR) || !access->size)
		return access->lanes;
	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);

		if (access->addresses[lane] % access->size)
			lanes |= UINT64_C(1) << lane;
		for (uint32_t part = 0; part < access->parts && shared; part++)
			if (cause_is_past_end(dispatch, access, access->space,
					      gfx_part_address(access, lane, part)))
				past |= UINT64_C(1) << lane;
		if (access->addresses[lane] > farthest) {
			farthest = access->addresses[lane];
			last = lane;
		}
	}
	if (past)
		return past;
	return shared ? UINT64_C(1) << last : lanes;
}

static void choose_lane(struct wt_cause *cause, const struct wt_cause_dispatch *dispatch,
			uint32_t lane)
{
	const struct gfx_access *access = &cause->wave.access;
	uint64_t lanes = cause->wave.failed_lanes ? cause->wave.failed_lanes
						  : suspicious_lanes(cause, dispatch, access);

	if (lane >= GFX_MAX_LANES || !(cause->wave.access.lanes >> lane & 1))
		lane = lanes ? (uint32_t)__builtin_ctzll(lanes) : 0;
	cause->lane = lane;
	cause->address = cause->wave.access.addresses[lane];
}

static struct wt_error *say_suspects(struct wt_cause *cause)
{
	if (cause->analysis.suspects > 1)
		return cause_say_why_not(
			cause,
			"the wave went on behind the access that failed, which may be "
			"any of %u",
			cause->analysis.suspects);
	return cause_say_why_not(cause,
				 "the wave went on behind the access that failed, and which one "
				 "that was is not known");
}

/* Eight bytes that lead to memory are a pointer, where nothing says what a structure has. */
static void arguments_find_pointers(const struct wt_mappings *mappings, uint64_t process,
				    struct wt_explain_arguments *arguments)
{
	for (size_t i = 0; i < arguments->part_count; i++) {
		struct wt_explain_argument *part = &arguments->parts[i];
		struct wt_memory_owner memory;

		if (!part->untyped || !part->known || part->size != sizeof(uint64_t) ||
		    part->value < WT_CAUSE_LOWEST_ADDRESS)
			continue;
		memory = wt_memory_whose(mappings, process, part->value, part->value);
		part->pointer = memory.kind == WT_MEMORY_BUFFER || memory.kind == WT_MEMORY_FREED ||
				memory.kind == WT_MEMORY_HOST;
	}
}

/* In whose buffers pointers lead. */
static struct wt_error *describe_arguments(struct wt_explainer *explainer, uint64_t process,
					   struct wt_explain_arguments *arguments)
{
	const struct wt_mappings *mappings;
	struct wt_error *error = wt_explainer_mappings(explainer, &mappings);

	if (!error)
		arguments_find_pointers(mappings, process, arguments);
	for (size_t i = 0; i < arguments->count && !error; i++) {
		struct wt_explain_argument *argument = &arguments->list[i];
		struct wt_memory_owner memory;

		if (argument->hidden || !argument->pointer || !argument->known || !argument->value)
			continue;
		memory = wt_memory_whose(mappings, process, argument->value, argument->value);
		error = wt_memory_describe(NULL, 0, &memory, true, &argument->memory);
	}
	return error;
}

/* @pointer: an address in memory that is behind or before its end was made from that one; 0: it is not known. */
static struct wt_error *find_memory(const struct wt_mappings *mappings, uint64_t process,
				    int64_t now, uint64_t address, uint64_t pointer,
				    struct wt_cause *cause)
{
	cause->memory = wt_memory_whose(mappings, process, address, pointer);
	if (cause->memory.allocation) {
		cause->memory_made = wt_memory_caller_find(wt_mappings_host(mappings, process),
							   &cause->memory.allocation->made);
		cause->memory_freed = wt_memory_caller_find(wt_mappings_host(mappings, process),
							    &cause->memory.allocation->freed);
	}
	return wt_memory_describe(wt_mappings_host(mappings, process), now, &cause->memory, false,
				  &cause->memory_text);
}

/* Has a function trapped that does not return: one that reports a failed assertion, or abort()? */
static bool cause_is_ending(const struct wt_cause *cause)
{
	static const char *const functions[] = {"__assert_fail", "__assertfail", "__assert_rtn"};
	const char *symbol = cause->wave.code.symbol;
	bool is_ending = symbol && wt_cause_is_abort(symbol);

	for (size_t i = 0; symbol && i < sizeof(functions) / sizeof(*functions); i++)
		is_ending |= !strcmp(symbol, functions[i]);
	return is_ending && cause->wave.reasons & (AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP |
						   AMD_DBGAPI_WAVE_STOP_REASON_TRAP);
}

static struct wt_error *cause_find_ending(struct wt_explainer *explainer,
					  const struct wt_cause_dispatch *dispatch,
					  const struct wt_cause_limits *limits,
					  struct wt_cause *cause)
{
	struct wt_cause_source source = cause_source_of(explainer, dispatch, cause->wave.wave);
	struct wt_analysis_input input = cause_input_of(&source, limits, cause);
	const struct wavetape_place *code = &cause->wave.code;
	struct wt_entry entry = {0};
	struct wt_error *error = cause_source_prepare(&source, cause);
	const char *wrong;

	if (error || cause->why_not)
		return error;
	wrong = cause_input_prepare(&source, cause, &input);
	if (wrong)
		return cause_say_why_not(cause, "%s", wrong);
	error = wt_analyse_entry(&input, code->address - code->symbol_offset, &entry);
	if (error)
		return error;
	if (!entry.call_count)
		return cause_say_why_not(cause, "it is not known from where %s was called",
					 code->symbol);
	error = cause_take_calls(explainer, input.architecture, entry.calls, entry.call_count,
				 cause);
	if (error)
		return error;
	return wt_cause_name_ending(explainer, input.architecture, &entry, cause);
}

static struct wt_error *name_exception(struct wt_explainer *explainer, struct wt_cause *cause)
{
	struct wt_error *error;

	if (!cause->analysis.raised || !cause->analysis.count)
		return cause_say_why_not(cause,
					 "executed again, no lane whose operands are known raises "
					 "it where the wave stopped");
	error = wt_cause_name_exception(explainer, cause);
	return error || cause->sentence
		       ? error
		       : cause_say_why_not(cause,
					   "what the instruction computes has no words here");
}

/* Is the address that is explained known, and one of global memory? */
static bool cause_is_of_global_memory(struct wt_view *view, const struct wt_cause *cause)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, cause->wave.wave);
	enum gfx_access_space space = cause->wave.access.space;
	uint64_t unused;

	if (architecture)
		space = wt_explain_lane_space(architecture, &cause->wave.access, cause->lane,
					      &unused);
	return cause->wave.access.lanes >> cause->lane & 1 && space != GFX_ACCESS_LOCAL &&
	       space != GFX_ACCESS_PRIVATE;
}

static struct wt_error *find_cause(struct wt_explainer *explainer, uint32_t lane,
				   const struct wt_cause_limits *limits, struct wt_cause *cause)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_cause_dispatch dispatch = {0};
	bool has_dispatch = cause_read_dispatch(view, cause->wave.wave, &dispatch);
	const struct wt_mappings *mappings;
	struct wt_error *error;

	error = wt_explain_arguments(explainer, dispatch.handle, &cause->arguments);
	if (error)
		return error;
	if (cause->wave.state != WAVETAPE_WAVE_STOPPED)
		return cause_say_why_not(cause, "the wave did not stop here");
	if (cause_is_ending(cause))
		return has_dispatch ? cause_find_ending(explainer, &dispatch, limits, cause)
				    : cause_say_why_not(cause, "its dispatch was not recorded");
	if (cause->wave.reasons & AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP)
		return wt_cause_name_ending(explainer, NULL, NULL, cause);
	if (!cause->wave.has_access && !cause_late_instructions(view, &cause->wave) &&
	    !cause_exceptions(&cause->wave))
		return cause_say_why_not(cause,
					 "the instruction where it stopped is none whose memory "
					 "access is known");
	error = describe_arguments(explainer, dispatch.process, &cause->arguments);
	if (error)
		return error;
	if (cause->wave.has_access)
		choose_lane(cause, &dispatch, lane);
	else
		cause->lane = lane < GFX_MAX_LANES ? lane : 0;
	if (!has_dispatch)
		error = cause_say_why_not(cause, "its dispatch was not recorded");
	else
		error = cause_analyse(explainer, &dispatch, limits, cause);
	if (error)
		return error;
	if (cause->jumped) {
		error = wt_cause_find_variables(explainer, cause);
		return error ? error : wt_cause_name(explainer, &dispatch, limits, cause);
	}
	if (cause_exceptions(&cause->wave))
		return cause->why_not ? NULL : name_exception(explainer, cause);
	if (!cause->wave.has_access) {
		error = cause->why_not ? NULL : say_suspects(cause);
		return error ? error : wt_cause_name(explainer, &dispatch, limits, cause);
	}
	error = wt_explainer_mappings(explainer, &mappings);
	if (!error)
		error = wt_cause_look_around(view, mappings, dispatch.process, cause);
	if (!error)
		error = wt_cause_find_variables(explainer, cause);
	/* Behind a variable of the program is whatever the program has there: it was not what was meant. */
	if (!error && !cause->variable.symbol && cause->wave.memory_fault &&
	    cause_is_of_global_memory(view, cause)) {
		const struct wt_explain_argument *argument = wt_cause_argument_of(cause);

		error = find_memory(mappings, dispatch.process, (int64_t)wt_view_moment(view)->time,
				    cause->address, argument ? argument->value : 0, cause);
	}
	return error ? error : wt_cause_name(explainer, &dispatch, limits, cause);
}

/*
 * Which argument leads to the buffer that is told, where the access that failed is not known: said behind it, if it is one alone. Farther
 * from it than a page, another buffer's index may have led across it.
 */
static struct wt_error *memory_say_argument(const struct wt_mappings *mappings, uint64_t process,
					    struct wt_cause *cause)
{
	const struct wt_explain_argument *found = NULL;
	char *text;

	if (cause->memory.kind != WT_MEMORY_BUFFER && cause->memory.kind != WT_MEMORY_FREED &&
	    cause->memory.distance >= WT_PAGE)
		return NULL;
	for (size_t i = 0; cause->memory.allocation && i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *part = &cause->arguments.parts[i];

		if (part->hidden || !part->pointer || !part->known ||
		    wt_memory_whose(mappings, process, part->value, part->value).allocation !=
			    cause->memory.allocation)
			continue;
		if (found)
			return NULL;
		found = part;
	}
	if (!found || !cause->memory_text)
		return NULL;
	text = wt_text("%s; the kernel %s%s leads there", cause->memory_text,
		       wt_explain_argument_word(found), found->label);
	if (!text)
		return &wt_error_no_memory;
	free(cause->memory_text);
	cause->memory_text = text;
	return NULL;
}

static struct wt_error *cause_find_reported(struct wt_explainer *explainer, struct wt_cause *cause)
{
	const struct wt_view *view = wt_explainer_view(explainer);
	uint64_t process = wt_view_number_or(view, WT_OBJECT_WAVE, cause->wave.wave,
					     AMD_DBGAPI_WAVE_INFO_PROCESS, 0);
	const struct wt_mappings *mappings;
	struct wt_error *error = wt_explainer_mappings(explainer, &mappings);

	if (error)
		return error;
	cause->has_reported =
		wt_mappings_device_fault(mappings, process, cause->address, &cause->reported);
	/* Its page is known where the access is not. Behind all private memory is whatever the program has there. */
	if (!cause->has_reported || cause->wave.has_access || cause->kind == WT_CAUSE_PRIVATE_END)
		return NULL;
	error = find_memory(mappings, process, (int64_t)wt_view_moment(view)->time, cause->reported,
			    0, cause);
	return error ? error : memory_say_argument(mappings, process, cause);
}

struct wt_error *wt_explain_cause(struct wt_explainer *explainer, uint64_t wave, uint32_t lane,
				  const struct wt_cause_limits *limits, struct wt_cause *cause_ret)
{
	struct wt_cause cause = {.near = {.argument = SIZE_MAX}};
	struct wt_error *error = wt_explain_wave(explainer, wave, &cause.wave);

	if (error)
		return error;
	cause.certain = cause.wave.certain;
	error = find_cause(explainer, lane, limits, &cause);
	if (!error && cause.wave.memory_fault)
		error = cause_find_reported(explainer, &cause);
	if (!error && cause.wave.fault && !cause.sentence)
		error = wt_cause_name_exception(explainer, &cause);
	if (error) {
		wt_cause_deinit(&cause);
		return error;
	}
	*cause_ret = cause;
	return NULL;
}

/* The way to where a function was entered that does not return: who called is known by that, and no register in front of a call. */
static struct wt_error *taken_find_entry(const struct wt_analysis_input *input,
					 const struct wavetape_place *code, struct wt_taken *way)
{
	struct wt_entry entry = {0};
	struct wt_error *error =
		wt_analyse_entry(input, code->address - code->symbol_offset, &entry);

	if (error || !entry.call_count)
		return error;
	way->calls = calloc(entry.call_count, sizeof(*way->calls));
	if (!way->calls)
		return &wt_error_no_memory;
	for (size_t i = 0; i < entry.call_count; i++)
		way->calls[i].pc = entry.calls[i];
	way->call_count = entry.call_count;
	way->end = WT_ANALYSIS_ARRIVED;
	return NULL;
}

static struct wt_error *explainer_find_taken(struct wt_explainer *explainer,
					     const struct wt_cause_limits *limits,
					     struct wt_cause *cause, struct wt_taken *way)
{
	struct wt_view *view = wt_explainer_view(explainer);
	struct wt_cause_dispatch dispatch = {0};
	bool has_dispatch = cause_read_dispatch(view, cause->wave.wave, &dispatch);
	struct wt_cause_source source = cause_source_of(explainer, &dispatch, cause->wave.wave);
	struct wt_analysis_input input = cause_input_of(&source, limits, cause);
	struct wt_error *error;

	if (cause->wave.state != WAVETAPE_WAVE_STOPPED || !has_dispatch ||
	    cause_late_instructions(view, &cause->wave) > 1)
		return NULL;
	error = wt_explain_arguments(explainer, dispatch.handle, &cause->arguments);
	if (!error)
		error = cause_source_prepare(&source, cause);
	if (error || cause->why_not || cause_input_prepare(&source, cause, &input))
		return error;
	error = wt_taken_find(&input, way);
	/* How such a function reports the failure hangs on the host. */
	return error || way->end == WT_ANALYSIS_ARRIVED || !cause_is_ending(cause)
		       ? error
		       : taken_find_entry(&input, &cause->wave.code, way);
}

struct wt_error *wt_explain_taken(struct wt_explainer *explainer, uint64_t wave,
				  const struct wt_cause_limits *limits, struct wt_taken *way_ret)
{
	struct wt_taken way = {.end = WT_ANALYSIS_MISSED};
	struct wt_cause cause = {0};
	struct wt_error *error = wt_explain_wave(explainer, wave, &cause.wave);

	if (error)
		return error;
	error = explainer_find_taken(explainer, limits, &cause, &way);
	wt_cause_deinit(&cause);
	if (!error)
		*way_ret = way;
	return error;
}

const struct wavetape_place *wt_cause_code(const struct wt_cause *cause)
{
	return cause->late && cause->steps ? &cause->steps[0].code : &cause->wave.code;
}

void wt_cause_deinit(struct wt_cause *cause)
{
	for (size_t i = 0; cause->steps && i < cause->analysis.count; i++) {
		wt_explain_code_deinit(&cause->steps[i].code);
		free(cause->steps[i].meaning);
		free(cause->steps[i].global);
	}
	free(cause->steps);
	free(cause->why_not);
	free(cause->sentence);
	free(cause->memory_text);
	for (size_t i = 0; i < cause->call_count; i++)
		wt_explain_code_deinit(&cause->calls[i]);
	wt_analysis_deinit(&cause->analysis);
	wt_explain_arguments_deinit(&cause->arguments);
	wt_explain_wave_deinit(&cause->wave);
	cause->steps = NULL;
}
