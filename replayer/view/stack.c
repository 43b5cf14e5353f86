/* SPDX-License-Identifier: MIT */
/* Calls of a wave are followed, and names of variables and expressions looked up in their frames. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/dwarf/code-effects.h"
#include "replayer/dwarf/declared-value.h"
#include "replayer/dwarf/part.h"
#include "replayer/dwarf/scope.h"
#include "replayer/dwarf/unwind.h"
#include "replayer/view/explain-arguments.h"
#include "replayer/view/explain.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/view/stack.h"
#include "replayer/view/sources.h"
#include "replayer/view/wave-machine.h"

/* Calls that are followed, and frames with inlined ones. */
#define MAX_CALLS 256
#define MAX_FRAMES 1024

#define SPOTS 1024u /* that are kept of a code object */

/* An address of code, and what DWARF says of it, which costs a walk through all that its unit declares. */
struct spot {
	uint64_t lookup;
	struct wt_dwarf_scopes scopes;
	struct wt_source_symbol symbol;
	bool has_symbol;
	struct wavetape_place place; /* its source line and function */
};

/* A code object, as far as stacks need it; kept, since names that were handed out point into it. */
struct program {
	struct wt_view_code code;
	uint64_t code_object;
	struct wt_source *source; /* NULL if the image was not recorded or is no ELF file */
	/* Effects of functions on registers up to a pc, which are the same for all waves that are there. */
	struct kept {
		uint64_t low, pc, lookup; /* of the function, and in it */
		uint64_t called;	  /* the function that it is calling; else 0 */
		struct wt_dwarf_kept *kept;
		struct wt_dwarf_rules *rules;
	} * kept;
	size_t kept_count;
	struct spot *spots[SPOTS]; /* by their addresses; one takes the place of another */
};

struct wt_stacks {
	struct wt_view *view;
	struct wt_sources
		*sources; /* what was kept with the trace, found when it is first asked for */
	struct program **programs;
	size_t count;
};

/* A function that was really called. */
struct physical {
	struct wt_dwarf_frame frame;
	struct wt_dwarf_scopes scopes;
	struct wavetape_place place; /* as the innermost function there sees it */
	struct program *program;
};

/* A function as users see it. */
struct logical {
	struct wt_stack_frame frame;
	struct wt_dwarf_function function;
	struct physical *physical;
	struct wt_dwarf_variable *variables;
	struct wt_dwarf_trust *trusts; /* of each of them */
	size_t variable_count;
	bool has_function, has_variables;
};

struct wt_stack {
	struct wt_stacks *stacks;
	struct wt_sources *sources; /* that were to be used; or NULL */
	struct wt_view_machine machine;
	uint64_t lanes;
	uint64_t entry; /* of the kernel, in memory; 0 if not known */
	struct physical *calls[MAX_CALLS];
	size_t call_count;
	struct logical *frames;
	size_t frame_count;
	const char *end;
	/* The kernel's, found when they are first asked for. */
	struct wt_explain_arguments arguments;
	bool has_arguments;
};

struct wt_error *wt_stacks_create(struct wt_view *view, struct wt_stacks **stacks_ret)
{
	struct wt_stacks *stacks = calloc(1, sizeof(*stacks));

	if (!stacks)
		return &wt_error_no_memory;
	stacks->view = view;
	*stacks_ret = stacks;
	return NULL;
}

static void program_destroy(struct program *program)
{
	for (size_t i = 0; i < program->kept_count; i++) {
		struct wt_dwarf_frame frame = {.kept = program->kept[i].kept,
					       .rules = program->kept[i].rules};

		wt_dwarf_frame_deinit(&frame);
	}
	free(program->kept);
	for (size_t i = 0; i < SPOTS; i++)
		free(program->spots[i]);
	wt_code_cache_destroy(program->code.cache);
	wt_source_close(program->source);
	free(program);
}

void wt_stacks_destroy(struct wt_stacks *stacks)
{
	if (!stacks)
		return;
	for (size_t i = 0; i < stacks->count; i++)
		program_destroy(stacks->programs[i]);
	free(stacks->programs);
	wt_sources_destroy(stacks->sources);
	free(stacks);
}

/* An image that cannot be read is remembered as none. */
static struct wt_error *program_open(struct wt_stacks *stacks, struct program *program)
{
	struct wt_error *error = NULL;
	const uint8_t *image;
	size_t size;

	program->code.cache = wt_code_cache_create();
	if (!program->code.cache)
		return &wt_error_no_memory;
	if (wt_view_image(stacks->view, program->code_object, &image, &size))
		error = wt_source_open(image, size, &program->source);
	if (error && error->code == WT_ERROR_MEMORY)
		return error;
	wt_error_destroy(error);
	if (program->source && wt_source_dwarf(program->source))
		wt_dwarf_object_init(&program->code.object, wt_source_dwarf(program->source));
	return NULL;
}

/* The code object around an address; NULL if there is none. */
static struct wt_error *find_program(struct wt_stacks *stacks, uint64_t address,
				     struct program **program_ret)
{
	uint64_t load_address, code_object;
	struct program **programs, *program;
	struct wt_error *error;

	*program_ret = NULL;
	code_object = wt_view_code_object_at(stacks->view, address, &load_address);
	if (!code_object)
		return NULL;
	for (size_t i = 0; i < stacks->count; i++)
		if (stacks->programs[i]->code_object == code_object) {
			*program_ret = stacks->programs[i];
			return NULL;
		}
	programs = reallocarray(stacks->programs, stacks->count + 1, sizeof(*programs));
	if (!programs)
		return &wt_error_no_memory;
	stacks->programs = programs;
	program = calloc(1, sizeof(*program));
	if (!program)
		return &wt_error_no_memory;
	program->code_object = code_object;
	program->code.load_address = load_address;
	error = program_open(stacks, program);
	if (error) {
		program_destroy(program);
		return error;
	}
	programs[stacks->count++] = program;
	*program_ret = program;
	return NULL;
}

/* ---- Calls ---- */

/* NULL if there is no memory. */
static const struct spot *program_spot(struct program *program, uint64_t lookup)
{
	struct spot **slot = &program->spots[lookup / 4 % SPOTS], *spot = *slot;

	if (spot && spot->lookup == lookup)
		return spot;
	spot = calloc(1, sizeof(*spot));
	if (!spot)
		return NULL;
	free(*slot);
	*slot = spot;
	spot->lookup = lookup;
	wt_dwarf_scopes_find(&program->code.object, lookup, &spot->scopes);
	if (program->source) {
		spot->has_symbol = wt_source_symbol_at(program->source, lookup, &spot->symbol);
		wt_source_find(program->source, lookup, &spot->place);
	}
	return spot;
}

/* Fills in what is known of the function at the address of a frame. False if there is no memory. */
static bool frame_fill(struct wt_stack *stack, struct physical *call)
{
	struct wt_dwarf_frame *frame = &call->frame;
	const struct spot *spot = program_spot(call->program, frame->lookup);

	if (!spot)
		return false;
	call->scopes = spot->scopes;
	call->place = spot->place;
	wt_dwarf_scopes_fill(&call->scopes, frame);
	if (!frame->high && spot->has_symbol) {
		frame->low = spot->symbol.address;
		frame->high = spot->symbol.address + spot->symbol.size;
	}
	call->place.address = frame->pc + frame->load_address;
	call->place.elf_address = frame->pc;
	call->place.code_object = call->program->code_object;
	if (spot->has_symbol) {
		call->place.symbol = spot->symbol.name;
		call->place.symbol_offset = frame->pc - spot->symbol.address;
	}
	if (frame->high && frame->low + frame->load_address == stack->entry)
		frame->is_kernel = true;
	return true;
}

/* Follow the code of a frame's function up to the pc, if that was not done for another wave. */
static bool program_keep_frame(struct program *program, struct wt_dwarf_frame *frame)
{
	struct kept *grown;

	for (size_t i = 0; i < program->kept_count; i++)
		if (program->kept[i].pc == frame->pc && program->kept[i].low == frame->low &&
		    program->kept[i].lookup == frame->lookup &&
		    program->kept[i].called == (frame->inner ? frame->inner->low : 0)) {
			frame->kept = program->kept[i].kept;
			frame->rules = program->kept[i].rules;
			return true;
		}
	grown = reallocarray(program->kept, program->kept_count + 1, sizeof(*grown));
	if (!grown)
		return false;
	program->kept = grown;
	if (!wt_dwarf_frame_keep(frame)) {
		wt_dwarf_frame_deinit(frame);
		return false;
	}
	grown[program->kept_count++] = (struct kept){
		frame->low,  frame->pc,	  frame->lookup, frame->inner ? frame->inner->low : 0,
		frame->kept, frame->rules};
	return true;
}

/**
 * Add a call at an address.
 *
 * @before: the address is behind the call that is meant.
 * @call_ret: NULL if there is no code object.
 */
static struct wt_error *add_call(struct wt_stack *stack, uint64_t address, bool before,
				 struct physical **call_ret)
{
	struct physical *call,
		*inner = stack->call_count ? stack->calls[stack->call_count - 1] : NULL;
	struct program *program;
	struct wt_error *error = find_program(stack->stacks, address - before, &program);

	*call_ret = NULL;
	if (error || !program)
		return error;
	call = calloc(1, sizeof(*call));
	if (!call)
		return &wt_error_no_memory;
	call->program = program;
	call->frame = (struct wt_dwarf_frame){
		.machine = &stack->machine.machine,
		.object = &program->code.object,
		.load_address = program->code.load_address,
		.pc = address - program->code.load_address,
		.lookup = address - program->code.load_address - before,
		.inner = inner ? &inner->frame : NULL,
	};
	stack->calls[stack->call_count++] = call;
	*call_ret = call;
	return frame_fill(stack, call) && program_keep_frame(program, &call->frame)
		       ? NULL
		       : &wt_error_no_memory;
}

/* Is there a call in front of the address that a function would return to? */
static bool is_behind_call(const struct physical *call)
{
	const struct wt_dwarf_instruction *code;
	size_t count;

	count = wt_dwarf_function_code(&call->frame, call->frame.pc, &code);
	return count && code[count - 1].address + code[count - 1].size == call->frame.pc &&
	       wt_dwarf_calls(&code[count - 1]);
}

static struct wt_error *follow_calls(struct wt_stack *stack, uint64_t pc)
{
	struct physical *call;
	struct wt_error *error = add_call(stack, pc, false, &call);
	bool has_callers = !stack->machine.state || !stack->machine.state->is_innermost;

	while (!error && call && !call->frame.is_kernel && has_callers) {
		uint64_t address;

		stack->end = wt_dwarf_frame_return(&call->frame, &address);
		if (stack->end)
			return NULL;
		if (stack->call_count == MAX_CALLS) {
			stack->end = "there are more calls than are followed";
			return NULL;
		}
		error = add_call(stack, address, true, &call);
		if (!error && call && !is_behind_call(call)) {
			stack->call_count--;
			free(call);
			call = NULL;
		}
	}
	if (!error && !call)
		stack->end = stack->call_count ? "the return address leads to no call"
					       : "no code object that was recorded is there";
	return error;
}

/* ---- Frames ---- */

/* Adds the functions that were inlined into each call, innermost first. */
static void add_frames(struct wt_stack *stack, struct physical *call)
{
	struct wt_dwarf_function functions[WT_DWARF_MAX_SCOPES];
	size_t count = wt_dwarf_functions(&call->scopes, functions);
	const struct wavetape_place *place = &call->place;
	size_t hidden =
		stack->machine.state && call == stack->calls[0] ? stack->machine.state->hidden : 0;

	for (size_t i = hidden < count ? hidden : 0;
	     (i < count || !i) && stack->frame_count < MAX_FRAMES; i++) {
		struct logical *logical = &stack->frames[stack->frame_count++];
		struct wt_stack_frame *frame = &logical->frame;

		logical->physical = call;
		frame->function = place->symbol;
		frame->place = i ? (struct wavetape_place){.address = place->address,
							   .elf_address = place->elf_address,
							   .code_object = place->code_object,
							   .symbol = place->symbol,
							   .symbol_offset = place->symbol_offset}
				 : *place;
		if (i >= count)
			continue;
		logical->has_function = true;
		logical->function = functions[i];
		frame->inlined = functions[i].inlined;
		if (functions[i].name)
			frame->function = functions[i].name;
		if (i) {
			frame->place.file = functions[i].file;
			frame->place.md5 = functions[i].md5;
			frame->place.line = (uint32_t)functions[i].line;
			frame->place.column = (uint32_t)functions[i].column;
		}
		frame->place.function = frame->function;
	}
}

/* A wave that stopped where no code object is has one frame all the same. */
static void add_lost_frame(struct wt_stack *stack, uint64_t pc)
{
	stack->frames[stack->frame_count++].frame.place.address = pc;
}

/* ---- What the kernel was given ---- */

static const struct wt_explain_arguments *stack_arguments(struct wt_stack *stack)
{
	struct wt_view *view = stack->stacks->view;
	struct wt_explainer *explainer = NULL;
	struct wt_error *error;

	if (stack->has_arguments)
		return &stack->arguments;
	stack->has_arguments = true;
	error = wt_explainer_create(view, &explainer);
	if (!error)
		error = wt_explain_arguments(explainer,
					     wt_view_number_or(view, WT_OBJECT_WAVE,
							       stack->machine.wave,
							       AMD_DBGAPI_WAVE_INFO_DISPATCH, 0),
					     &stack->arguments);
	/* Without them a parameter that is nowhere is nowhere. */
	wt_error_destroy(error);
	wt_explainer_destroy(explainer);
	return &stack->arguments;
}

static bool stack_argument(void *opaque, const char *name, size_t size, uint64_t *value_ret)
{
	const struct wt_explain_argument *argument =
		wt_explain_argument_named(stack_arguments(opaque), name);

	if (!argument || argument->size != size || size > sizeof(argument->value))
		return false;
	*value_ret = argument->value;
	return true;
}

static bool stack_launch_value(void *opaque, const char *name, uint32_t dimension, uint32_t lane,
			       uint32_t *value_ret, const char **why_ret)
{
	const struct wt_view_machine *machine = &((const struct wt_stack *)opaque)->machine;
	const struct wt_view_lane where = {machine->wave, lane, machine->machine.lanes};

	return wt_view_launch_value(machine->view, &where, name, dimension, value_ret, why_ret);
}

/* Without memory for the sources there are none. */
static const struct wt_tokens *stack_tokens(void *opaque, const char *file, const uint8_t *md5)
{
	struct wt_stack *stack = opaque;
	struct wt_stacks *stacks = stack->stacks;

	if (stack->sources)
		return wt_sources_tokens(stack->sources, file, md5);
	if (!stacks->sources)
		wt_error_destroy(
			wt_sources_create(wt_view_reader(stacks->view), NULL, &stacks->sources));
	return stacks->sources ? wt_sources_tokens(stacks->sources, file, md5) : NULL;
}

static struct wt_error *stack_init(struct wt_stack *stack, uint64_t wave, uint64_t pc,
				   const struct gfx_architecture *architecture,
				   const struct wt_machine_state *state)
{
	struct wt_view *view = stack->stacks->view;
	struct wt_error *error = NULL;
	uint64_t dispatch;

	stack->frames = calloc(MAX_FRAMES, sizeof(*stack->frames));
	if (!stack->frames)
		return &wt_error_no_memory;
	wt_view_machine_init(&stack->machine, view, wave, architecture, state);
	stack->machine.machine.tokens = stack_tokens;
	stack->machine.machine.argument = stack_argument;
	stack->machine.machine.launch_value = stack_launch_value;
	stack->machine.machine.stack_opaque = stack;
	stack->lanes = state ? state->exec
			     : wt_view_number_or(view, WT_OBJECT_WAVE, wave,
						 AMD_DBGAPI_WAVE_INFO_EXEC_MASK, 0);
	if (wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, &dispatch))
		stack->entry =
			wt_view_number_or(view, WT_OBJECT_DISPATCH, dispatch,
					  AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, 0);
	error = follow_calls(stack, pc);
	for (size_t i = 0; i < stack->call_count; i++)
		add_frames(stack, stack->calls[i]);
	if (!stack->frame_count)
		add_lost_frame(stack, pc);
	return error;
}

static struct wt_error *stack_create(struct wt_stacks *stacks, uint64_t wave, uint64_t pc,
				     const struct wt_machine_state *state,
				     struct wt_stack **stack_ret)
{
	struct wt_stack *stack = calloc(1, sizeof(*stack));
	struct wt_error *error;

	if (!stack)
		return &wt_error_no_memory;
	stack->stacks = stacks;
	error = stack_init(stack, wave, pc,
			   wt_view_architecture(stacks->view, WT_OBJECT_WAVE, wave), state);
	if (error) {
		wt_stack_destroy(stack);
		return error;
	}
	*stack_ret = stack;
	return NULL;
}

struct wt_error *wt_stack_create(struct wt_stacks *stacks, uint64_t wave,
				 struct wt_stack **stack_ret)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(stacks->view, WT_OBJECT_WAVE, wave);
	uint64_t reasons, pc;

	*stack_ret = NULL;
	if (!wt_view_number(stacks->view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
			    &reasons) ||
	    !wt_view_number(stacks->view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &pc))
		return NULL;
	return stack_create(
		stacks, wave,
		wt_view_stopping_address(stacks->view, architecture, (uint32_t)reasons, pc), NULL,
		stack_ret);
}

struct wt_error *wt_stack_create_at(struct wt_stacks *stacks, uint64_t wave,
				    const struct wt_machine_state *state,
				    struct wt_stack **stack_ret)
{
	*stack_ret = NULL;
	return stack_create(stacks, wave, state->pc, state, stack_ret);
}

void wt_stack_destroy(struct wt_stack *stack)
{
	if (!stack)
		return;
	for (size_t i = 0; i < stack->frame_count; i++) {
		free(stack->frames[i].variables);
		free(stack->frames[i].trusts);
	}
	for (size_t i = 0; i < stack->call_count; i++)
		free(stack->calls[i]);
	free(stack->frames);
	wt_view_machine_deinit(&stack->machine);
	wt_explain_arguments_deinit(&stack->arguments);
	free(stack);
}

size_t wt_stack_count(const struct wt_stack *stack)
{
	return stack->frame_count;
}

const struct wt_stack_frame *wt_stack_frame(const struct wt_stack *stack, size_t index)
{
	return &stack->frames[index].frame;
}

struct wt_error *wt_stack_use_sources(struct wt_stack *stack, struct wt_sources *sources)
{
	struct wt_error *error = NULL;

	stack->sources = sources;
	for (size_t i = 0; i < stack->frame_count && !error; i++) {
		struct wt_stack_frame *frame = &stack->frames[i].frame;

		error = wt_sources_check(sources, &frame->place, &frame->source);
	}
	return error;
}

const char *wt_stack_end(const struct wt_stack *stack)
{
	return stack->end;
}

uint64_t wt_stack_lanes(const struct wt_stack *stack, uint32_t *count_ret)
{
	*count_ret = stack->machine.machine.lanes;
	return stack->lanes;
}

/* ---- Variables ---- */

struct wt_error *wt_stack_variables(struct wt_stack *stack, size_t index, size_t *count_ret)
{
	struct logical *frame = &stack->frames[index];

	if (frame->has_function && !frame->has_variables) {
		size_t count = wt_dwarf_variables(&frame->physical->scopes, &frame->function,
						  &frame->variables);

		if (count == SIZE_MAX)
			return &wt_error_no_memory;
		frame->trusts = calloc(count + 1, sizeof(*frame->trusts));
		if (!frame->trusts)
			return &wt_error_no_memory;
		frame->variable_count = count;
		frame->has_variables = true;
	}
	*count_ret = frame->variable_count;
	return NULL;
}

void wt_stack_variable(struct wt_stack *stack, size_t index, size_t number,
		       struct wt_stack_variable *variable_ret)
{
	struct logical *frame = &stack->frames[index];
	struct wt_dwarf_variable *variable = &frame->variables[number];
	struct wt_dwarf_type type;

	wt_dwarf_type_of(&type, &frame->physical->scopes.unit, &variable->die);
	*variable_ret =
		(struct wt_stack_variable){.name = variable->name,
					   .is_parameter = variable->is_parameter,
					   .is_shadowed = variable->is_shadowed,
					   .bits = type.bits,
					   .is_signed = type.kind == WT_DWARF_TYPE_SIGNED ||
							((type.kind == WT_DWARF_TYPE_CHARACTER ||
							  type.kind == WT_DWARF_TYPE_ENUM) &&
							 type.is_signed),
					   .is_integer = type.kind == WT_DWARF_TYPE_SIGNED ||
							 type.kind == WT_DWARF_TYPE_UNSIGNED ||
							 type.kind == WT_DWARF_TYPE_CHARACTER ||
							 type.kind == WT_DWARF_TYPE_ENUM};
	if (dwarf_decl_line(&variable->die, &variable_ret->line))
		variable_ret->line = 0;
	wt_dwarf_type_name(&type, &frame->physical->scopes.unit, variable_ret->type);
}

/* ---- Parameters that are nowhere, but were passed ---- */

static bool frame_is_kernel(const struct wt_stack *stack, const struct wt_stack_frame *frame)
{
	return stack->entry && frame->place.symbol && !frame->inlined &&
	       frame->place.address - frame->place.symbol_offset == stack->entry;
}

struct passed {
	const struct wt_dwarf_sink *sink;
	const struct wt_explain_argument *argument;
};

/* The argument is told, not shown as the value: code may have assigned to the parameter since. */
static void passed_unknown(void *opaque, const char *why)
{
	const struct passed *passed = opaque;
	const struct wt_explain_argument *argument = passed->argument;
	char text[256];

	if (strcmp(why, WT_DWARF_OPTIMIZED_OUT) != 0) {
		passed->sink->unknown(passed->sink->opaque, why);
		return;
	}
	if (argument->text)
		snprintf(text, sizeof(text), "%s; kernel argument %s", why, argument->text);
	else
		snprintf(text, sizeof(text),
			 argument->pointer ? "%s; kernel argument 0x%" PRIx64
					   : "%s; kernel argument %" PRIu64,
			 why, argument->value);
	passed->sink->unknown(passed->sink->opaque, text);
}

static const struct wt_explain_argument *stack_passed(struct wt_stack *stack,
						      const struct logical *frame,
						      const struct wt_dwarf_variable *variable,
						      const struct wt_dwarf_location *location)
{
	const struct wt_explain_argument *argument;

	if (!variable->is_parameter || !variable->name || location->count != 1 ||
	    location->pieces[0].place != WT_DWARF_AT_UNKNOWN ||
	    !frame_is_kernel(stack, &frame->frame))
		return NULL;
	argument = wt_explain_argument_named(stack_arguments(stack), variable->name);
	return argument && (argument->text || argument->size <= sizeof(argument->value)) ? argument
											 : NULL;
}

/* The operand that a variable of a frame, or a global one that its names mean, is in a lane. */
static void variable_locate(const struct logical *frame, struct wt_dwarf_variable *variable,
			    struct wt_dwarf_trust *trust, uint32_t lane,
			    struct wt_dwarf_operand *operand)
{
	struct physical *physical = frame->physical;
	struct wt_dwarf_unit *unit = &physical->scopes.unit;

	*operand = (struct wt_dwarf_operand){0};
	wt_dwarf_type_of(&operand->type, unit, &variable->die);
	wt_dwarf_value_find(&physical->frame, unit,
			    dwarf_dieoffset(&physical->scopes.dies[frame->function.first]),
			    &variable->die, &operand->type, lane, trust, &operand->location);
	operand->bits = operand->type.bits;
}

bool wt_stack_show(struct wt_stack *stack, size_t index, size_t number, uint32_t lane,
		   const struct wt_dwarf_sink *sink)
{
	struct logical *frame = &stack->frames[index];
	struct wt_dwarf_variable *variable = &frame->variables[number];
	struct passed passed = {.sink = sink};
	struct wt_dwarf_operand operand;

	variable_locate(frame, variable, &frame->trusts[number], lane, &operand);
	passed.argument = stack_passed(stack, frame, variable, &operand.location);
	if (passed.argument && operand.location.pieces[0].why)
		passed_unknown(&passed, operand.location.pieces[0].why);
	else
		wt_dwarf_show(&frame->physical->frame, &frame->physical->scopes.unit, lane,
			      &operand.type, &operand.location, 0, sink);
	return operand.location.is_declared;
}

/* ---- Expressions of users over a frame: its variables, globals, and registers ---- */

/* The scene in which the names of an expression are looked up. */
struct scene {
	struct wt_stack *stack;
	struct logical *frame;
	struct wt_dwarf_unit no_unit;
	struct wt_dwarf_scene dwarf;
};

static bool find_variable(const struct scene *scene, const char *name, size_t *index_ret)
{
	const struct logical *frame = scene->frame;

	for (size_t i = 0; i < frame->variable_count; i++)
		if (!frame->variables[i].is_shadowed && !strcmp(frame->variables[i].name, name)) {
			*index_ret = i;
			return true;
		}
	return false;
}

static bool scene_variable(void *opaque, const char *name, uint32_t lane,
			   struct wt_dwarf_operand *operand)
{
	const struct scene *scene = opaque;
	struct wt_dwarf_variable global;
	struct wt_dwarf_trust trust = {0};
	size_t index;

	if (!scene->frame->has_function)
		return false;
	if (find_variable(scene, name, &index))
		variable_locate(scene->frame, &scene->frame->variables[index],
				&scene->frame->trusts[index], lane, operand);
	else if (wt_dwarf_global(&scene->frame->physical->scopes, name, true, &global))
		variable_locate(scene->frame, &global, &trust, lane, operand);
	else
		return false;
	return true;
}

static bool scene_has_variable(void *opaque, const char *name)
{
	const struct scene *scene = opaque;
	struct wt_dwarf_variable global;
	size_t index;

	return scene->frame->has_function &&
	       (find_variable(scene, name, &index) ||
		wt_dwarf_global(&scene->frame->physical->scopes, name, true, &global));
}

static bool scene_launch_value(void *opaque, const char *name, uint32_t dimension, uint32_t lane,
			       uint32_t *value_ret, const char **why_ret)
{
	return stack_launch_value(((const struct scene *)opaque)->stack, name, dimension, lane,
				  value_ret, why_ret);
}

/* v4, s7, a1: as they are in the frame. */
static bool general_register(const struct scene *scene, const char *name, uint32_t lane,
			     uint64_t *value_ret, const char **why_ret)
{
	unsigned int index;
	uint32_t value = 0;
	uint64_t number;
	char kind, rest;

	if (sscanf(name, "%c%u%c", &kind, &index, &rest) != 2 || !strchr("sva", kind) ||
	    index >= (kind == 's' ? 106 : WT_DWARF_VECTORS))
		return false;
	number = kind == 's'   ? wt_dwarf_scalar(index)
		 : kind == 'v' ? WT_DWARF_VGPR_64 + index
			       : WT_DWARF_AGPR_64 + index;
	*why_ret = wt_dwarf_frame_register(&scene->frame->physical->frame, number, lane, &value);
	*value_ret = value;
	return true;
}

static bool scene_register(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret,
			   unsigned int *bits_ret, const char **why_ret)
{
	const struct scene *scene = opaque;
	const struct wt_view_machine *machine = &scene->stack->machine;
	struct wt_view_register found;

	*bits_ret = 32;
	if (scene->frame->physical && general_register(scene, name, lane, value_ret, why_ret))
		return true;
	if (machine->state)
		return machine->state->read_register(machine->state->opaque, name, lane, value_ret,
						     bits_ret, why_ret);
	if (!wt_view_register(machine->view, machine->wave, name, &found) ||
	    !wt_view_register_value(machine->view, machine->wave, name, lane, value_ret))
		return false;
	*bits_ret = 8 * (found.vector ? found.size / machine->machine.lanes : found.size);
	if (scene->frame->physical && scene->frame->physical->frame.inner)
		*why_ret =
			WT_DWARF_UNKNOWN "a function that was called may have changed the register";
	return true;
}

/* The scene points into itself. */
static struct wt_error *scene_init(struct scene *scene, struct wt_stack *stack, size_t index)
{
	struct logical *frame = &stack->frames[index];
	size_t count;

	*scene = (struct scene){.stack = stack, .frame = frame};
	scene->dwarf = (struct wt_dwarf_scene){
		.opaque = scene,
		.variable = scene_variable,
		.has_variable = scene_has_variable,
		.launch_value = scene_launch_value,
		.read_register = scene_register,
		.unit = &scene->no_unit,
	};
	if (frame->physical) {
		scene->dwarf.frame = &frame->physical->frame;
		scene->dwarf.unit = &frame->physical->scopes.unit;
	}
	if (frame->has_function) {
		const struct wt_dwarf_function *function = &frame->function;

		scene->dwarf.scopes = &frame->physical->scopes.dies[function->first];
		scene->dwarf.scope_count = function->last - function->first + 1;
	}
	return wt_stack_variables(stack, index, &count);
}

struct wt_error *wt_stack_print(struct wt_stack *stack, size_t index, uint32_t lane,
				const char *text, const struct wt_dwarf_sink *sink,
				char type_ret[WT_DWARF_MAX_TYPE], bool *is_one_ret,
				struct wt_dwarf_complaint *complaint_ret)
{
	struct scene scene;
	struct wt_error *error = scene_init(&scene, stack, index);

	if (error)
		return error;
	*is_one_ret = wt_dwarf_print(&scene.dwarf, lane, text, sink, type_ret, complaint_ret);
	return NULL;
}

/* ---- Where objects are ---- */

struct wt_error *
wt_stack_places(struct wt_stack *stack, size_t index, uint32_t lane, const char *text,
		bool (*visit)(void *opaque, const struct wt_dwarf_part_place *place), void *opaque,
		char why_ret[WT_STACK_WHY])
{
	struct scene scene;
	struct wt_dwarf_complaint complaint;
	struct wt_dwarf_operand operand;
	const char *why;
	struct wt_error *error = scene_init(&scene, stack, index);

	if (error)
		return error;
	if (!wt_dwarf_operand_parse(&scene.dwarf, lane, text, &operand, &complaint)) {
		snprintf(why_ret, WT_STACK_WHY, "at character %zu: %s", complaint.position + 1,
			 complaint.text);
		return NULL;
	}
	why = operand.computed ? "it is no variable, but computed"
			       : wt_dwarf_location_visit(&operand.location, operand.offset,
							 operand.bits, lane, visit, opaque);
	if (why)
		snprintf(why_ret, WT_STACK_WHY, "%s", why);
	return NULL;
}

bool wt_stack_has_variable(struct wt_stack *stack, size_t index, const char *name)
{
	struct scene scene = {.stack = stack, .frame = &stack->frames[index]};

	return scene_has_variable(&scene, name);
}

struct wt_error *wt_stack_print_type(struct wt_stack *stack, size_t index, uint32_t lane,
				     const char *text, bool is_whole, char **type_ret,
				     struct wt_dwarf_complaint *complaint_ret)
{
	struct scene scene;
	wt_cleanup_buffer struct wt_buffer type = {0};
	struct wt_error *error = scene_init(&scene, stack, index);

	*type_ret = NULL;
	if (error || !wt_dwarf_print_type(&scene.dwarf, lane, text, is_whole, &type, complaint_ret))
		return error;
	*type_ret = wt_buffer_take_text(&type);
	return *type_ret ? NULL : &wt_error_no_memory;
}

/* ---- Objects, part by part ---- */

static void object_describe(const struct wt_dwarf_scene *scene, uint32_t lane,
			    const struct wt_dwarf_operand *operand,
			    struct wt_stack_object_info *info)
{
	struct wt_dwarf_scalar scalar = operand->scalar;

	wt_dwarf_operand_type_name(scene, operand, info->type);
	info->parts = wt_dwarf_part_count(scene, lane, operand);
	info->is_array = operand->repeated || operand->type.kind == WT_DWARF_TYPE_ARRAY;
	if (info->is_array && !wt_dwarf_type_count(&operand->type, &info->elements))
		info->elements = operand->repeated;
	info->bits = operand->bits;
	info->in_local = !operand->computed && operand->location.in_local;
	info->is_declared = !operand->computed && operand->location.is_declared;
	info->has_address =
		!operand->computed &&
		wt_dwarf_address(&operand->location, operand->offset, &info->space, &info->address);
	if (operand->type.kind != WT_DWARF_TYPE_POINTER && !operand->has_target)
		return;
	info->is_pointer = operand->computed
				   ? !operand->why
				   : !wt_dwarf_scalar_read(scene->frame, lane, &operand->type,
							   &operand->location, operand->offset,
							   operand->bits, &scalar) &&
					     operand->type.has_space;
	info->target = scalar.number;
	info->target_space = operand->computed ? scalar.space : operand->type.space;
}

static void complain_no_part(struct wt_dwarf_complaint *complaint)
{
	*complaint = (struct wt_dwarf_complaint){.text = "it has no such part"};
}

/* The whole object, of which parts are taken. */
static bool whole_object_find(const struct scene *scene, const struct wt_stack_object *object,
			      uint32_t lane, struct wt_dwarf_operand *operand,
			      struct wt_dwarf_complaint *complaint)
{
	struct logical *frame = scene->frame;

	if (object->expression)
		return wt_dwarf_operand_parse(&scene->dwarf, lane, object->expression, operand,
					      complaint);
	complain_no_part(complaint);
	if (object->variable >= frame->variable_count)
		return false;
	variable_locate(frame, &frame->variables[object->variable],
			&frame->trusts[object->variable], lane, operand);
	return true;
}

/* A parameter that is nowhere says with which value it was passed. */
static bool object_is_whole_variable(const struct wt_stack_object *object)
{
	return !object->expression && !object->depth;
}

struct wt_error *wt_stack_show_object(struct wt_stack *stack, const struct wt_stack_object *object,
				      uint32_t lane, const struct wt_dwarf_sink *sink,
				      struct wt_stack_object_info *info_ret, bool *is_one_ret,
				      struct wt_dwarf_complaint *complaint_ret)
{
	struct scene scene;
	struct wt_dwarf_operand operand;
	struct wt_error *error = scene_init(&scene, stack, object->frame);

	if (error)
		return error;
	*info_ret = (struct wt_stack_object_info){0};
	*is_one_ret = whole_object_find(&scene, object, lane, &operand, complaint_ret);
	for (size_t i = 0; i < object->depth && *is_one_ret; i++) {
		*is_one_ret = wt_dwarf_part_take(&scene.dwarf, lane, &operand, object->parts[i],
						 info_ret->name);
		if (!*is_one_ret)
			complain_no_part(complaint_ret);
	}
	if (!*is_one_ret)
		return NULL;
	object_describe(&scene.dwarf, lane, &operand, info_ret);
	if (sink && object_is_whole_variable(object))
		wt_stack_show(stack, object->frame, object->variable, lane, sink);
	else if (sink)
		wt_dwarf_operand_show(&scene.dwarf, lane, &operand, sink);
	return NULL;
}
