/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "gfx/architecture/local.h"
#include "gfx/isa/tables.h"
#include "gfx/isa/translate.h"

#define DESCRIPTOR_SIZE 64

static bool fetch_code(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_code(source->view, address, data, size) >= size;
}

static bool code_is_there(void *opaque, uint64_t address)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_code_object_at(source->view, address, NULL);
}

/* Bytes of the dispatch packet: what the API says of the dispatch is what is there. */
static bool read_packet(const struct wt_cause_source *source, uint64_t address, void *data,
			size_t size)
{
	uint64_t offset = address - source->packet_address;

	if (!source->packet_address || address < source->packet_address ||
	    offset >= GFX_PACKET_SIZE || size > GFX_PACKET_SIZE - offset)
		return false;
	for (size_t i = 0; i < size; i++)
		if (!(source->packet.known >> (offset + i) & 1))
			return false;
	memcpy(data, source->packet.bytes + offset, size);
	return true;
}

static bool source_read_memory(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct wt_cause_source *source = opaque;

	return read_packet(source, address, data, size) ||
	       wt_view_memory(source->view, "global", source->wave, 0, address, data, size) ==
		       size ||
	       wt_view_constant(source->view, address, data, size);
}

static bool disassemble(void *opaque, uint64_t address, const void *bytes, size_t size,
			char text_ret[WT_ANALYSIS_TEXT], size_t *size_ret)
{
	const struct wt_cause_source *source = opaque;

	return wt_explainer_disassemble(source->explainer, source->architecture, address, bytes,
					size, text_ret, WT_ANALYSIS_TEXT, size_ret);
}

/* The verdict on a byte of global memory. The packet processor has read packet and arguments, so that a wave can, too. */
static enum wt_access_verdict judge_mapped_byte(const struct wt_cause_source *source,
						uint64_t address)
{
	enum wt_mapping_kind kind = WT_MAPPING_UNKNOWN;
	enum wt_memory_access access = WT_MEMORY_MAYBE;
	uint64_t end;
	int page;

	if (address < WT_CAUSE_LOWEST_ADDRESS || address >= WT_CAUSE_HIGHEST_ADDRESS)
		return WT_ACCESS_FAILS;
	if (address - source->arguments < source->arguments_end - source->arguments ||
	    (source->packet_address &&
	     address - source->packet_address < sizeof(source->packet.bytes)))
		return WT_ACCESS_FINE;
	page = wt_cause_page(source->view, source->process, address, &end);
	if (source->mappings)
		kind = wt_mapping_at(source->mappings, source->process, address).kind;
	if (source->mappings)
		access = wt_memory_access(source->mappings, source->process, address);
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
static enum wt_access_verdict judge_byte(const struct wt_cause_source *source, uint64_t address)
{
	enum wt_access_verdict verdict = judge_mapped_byte(source, address);

	if (verdict == WT_ACCESS_MAY_FAIL && source->mappings &&
	    wt_mappings_device_named(source->mappings, source->process, address))
		return WT_ACCESS_FAILS;
	return verdict;
}

/* Does an access reach behind local or private memory, whose sizes the dispatch has? */
bool wt_cause_is_past_end(const struct wt_cause_dispatch *dispatch, const struct gfx_access *access,
			  enum gfx_access_space space, uint64_t address)
{
	bool local = space == GFX_ACCESS_LOCAL;
	uint64_t end = local ? dispatch->local_size : dispatch->private_size;

	/* A kernel may have no local memory, but one without private memory would not access it. */
	if (local ? !dispatch->has_local_size : !end)
		return false;
	return address >= end || access->size > end - address;
}

enum wt_access_verdict wt_cause_judge_bytes(const struct wt_cause_source *source, uint64_t address,
					    uint32_t size)
{
	enum wt_access_verdict first = judge_byte(source, address);
	enum wt_access_verdict last = judge_byte(source, address + size - 1);

	if (first == WT_ACCESS_FAILS || last == WT_ACCESS_FAILS)
		return WT_ACCESS_FAILS;
	return first == WT_ACCESS_MAY_FAIL || last == WT_ACCESS_MAY_FAIL ? WT_ACCESS_MAY_FAIL
									 : WT_ACCESS_FINE;
}

/* An atomic has to be aligned. */
bool wt_cause_is_misaligned(const struct gfx_access *access, uint64_t address)
{
	return access->read && access->write && access->size && address % access->size;
}

/* The verdict on an access, by its space, and if it has to be aligned. */
enum wt_access_verdict wt_cause_judge_access(void *opaque, const struct gfx_access *access,
					     enum gfx_access_space space, uint64_t address)
{
	const struct wt_cause_source *source = opaque;
	uint8_t constant[64];

	if (wt_cause_is_misaligned(access, address))
		return WT_ACCESS_FAILS;
	/* An access past local memory is no violation of mapped memory. */
	if (space == GFX_ACCESS_LOCAL &&
	    !(source->reasons & ~(uint32_t)AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION))
		return WT_ACCESS_FINE;
	if (space != GFX_ACCESS_GLOBAL)
		return wt_cause_is_past_end(source->dispatch, access, space, address)
			       ? WT_ACCESS_FAILS
			       : WT_ACCESS_FINE;
	/* Constants of a code object are where its code is, which the wave executes. */
	if (!access->write && access->size <= sizeof(constant) &&
	    wt_view_constant(source->view, address, constant, access->size))
		return WT_ACCESS_FINE;
	return wt_cause_judge_bytes(source, address, access->size);
}

static bool source_read_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	const struct wt_cause_source *source = opaque;

	return wt_view_register_value(source->view, source->wave, name, lane, value);
}

__attribute__((format(printf, 2, 3))) struct wt_error *wt_cause_say_why_not(struct wt_cause *cause,
									    const char *format, ...)
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

bool wt_cause_read_dispatch(const struct wt_view *view, uint64_t wave,
			    struct wt_cause_dispatch *dispatch)
{
	struct wt_view_dispatch known;

	dispatch->handle =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	dispatch->process =
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PROCESS, 0);
	wt_view_dispatch(view, dispatch->handle, &known);
	dispatch->has_local_size = known.has_local;
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
const char *wt_cause_input_prepare(const struct wt_cause_source *source, struct wt_cause *cause,
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
uint32_t wt_cause_late_instructions(const struct wt_view *view, const struct wt_explain_wave *wave)
{
	uint32_t mode;

	if (!wave->memory_fault)
		return has_jumped(view, wave);
	return wt_view_memory_precision(view, &mode) && mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE
		       ? 1
		       : WT_ANALYSIS_LATE;
}

/* Whose instructions are not known here; nothing of those that are. */
struct wt_error *wt_cause_say_not_followed(struct wt_explainer *explainer,
					   const struct gfx_architecture *architecture,
					   struct wt_cause *cause)
{
	wt_cleanup_free char *why = NULL;
	struct wt_error *error;

	if (architecture && gfx_isa_of(architecture))
		return NULL;
	if (!architecture || !gfx_is_translated(architecture))
		return wt_cause_say_why_not(
			cause, "instructions of %s are not followed: their tables are not here",
			architecture ? architecture->name : "this architecture");
	error = wt_explainer_no_text(explainer, architecture, &why);
	if (error || !why)
		return error;
	return wt_cause_say_why_not(
		cause, "instructions of %s are followed by what LLVM makes of them: %s",
		architecture->name, why);
}

/* The packet's bytes are what the queue held; its address is 0 where the recording has none. */
struct wt_cause_source wt_cause_source_of(struct wt_explainer *explainer,
					  const struct wt_cause_dispatch *dispatch, uint64_t wave)
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

	if (dispatch->has_local_size)
		source.local_room = gfx_local_room(dispatch->local_size);
	source.packet_address = wt_view_packet(view, dispatch->handle, &source.packet);
	return source;
}

/* Finds out where the arguments lie, and what the program has mapped. */
struct wt_error *wt_cause_source_know_arguments(struct wt_cause_source *source,
						const struct wt_cause *cause)
{
	const struct wt_explain_arguments *arguments = &cause->arguments;

	source->reasons = cause->wave.reasons;
	source->arguments = source->arguments_end = arguments->address;
	for (size_t i = 0; i < arguments->count; i++)
		source->arguments_end =
			arguments->address + arguments->list[i].offset + arguments->list[i].size;
	return wt_explainer_mappings(source->explainer, &source->mappings);
}

/* Exceptions that a wave has raised, as bits of trapsts. A memory fault is explained in its place. */
uint32_t wt_cause_exceptions(const struct wt_explain_wave *wave)
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

struct wt_analysis_input wt_cause_input_of(struct wt_cause_source *source,
					   const struct wt_cause_limits *limits,
					   const struct wt_cause *cause)
{
	const uint32_t raised = wt_cause_exceptions(&cause->wave);

	return (struct wt_analysis_input){
		.architecture = source->architecture,
		.target = wt_cause_late_instructions(source->view, &cause->wave) || raised
				  ? cause->wave.pc
				  : cause->wave.code.address,
		.raised = raised,
		.late = wt_cause_late_instructions(source->view, &cause->wave),
		.jumped = has_jumped(source->view, &cause->wave),
		.is_code = code_is_there,
		.judge = wt_cause_judge_access,
		.step_limit = limits->instructions,
		.memory_limit = limits->bytes,
		.opaque = source,
		.fetch = fetch_code,
		.read = source_read_memory,
		.disassemble = disassemble,
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
	has_dispatch =
		wt_cause_read_dispatch(wt_explainer_view(explainer), wave, &followed->dispatch);
	followed->source = wt_cause_source_of(explainer, &followed->dispatch, wave);
	followed->input = wt_cause_input_of(&followed->source, limits, cause);
	error = wt_explain_arguments(explainer, followed->dispatch.handle, &cause->arguments);
	if (!error)
		error = wt_cause_say_not_followed(explainer, followed->input.architecture, cause);
	if (!error && !cause->why_not)
		error = wt_cause_source_know_arguments(&followed->source, cause);
	if (!error && !cause->why_not && !has_dispatch)
		error = wt_cause_say_why_not(cause, "its dispatch was not recorded");
	if (!error && !cause->why_not) {
		const char *wrong =
			wt_cause_input_prepare(&followed->source, cause, &followed->input);

		if (wrong)
			error = wt_cause_say_why_not(cause, "%s", wrong);
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
