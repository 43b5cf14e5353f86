/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "dbgapi/architecture/disassemble.h"
#include "gfx/isa/decode.h"
#include "replayer/recorded/recorded.h"
#include "replayer/view/explain-mapping.h"

/* Symbols and lines of one code object; kept, since names that were handed out point into it. */
struct code_object_source {
	uint64_t code_object;
	struct wt_source *source; /* NULL if the image was not recorded or is no ELF file */
};

/* Waves stand at few addresses: a place that was described is described once. */
#define KEPT_PLACES 64u

struct kept_place {
	const struct gfx_architecture *architecture;
	bool used;
	struct wavetape_place code;
};

struct wt_explainer {
	struct wt_view *view;
	struct kept_place kept[KEPT_PLACES]; /* by address */
	struct code_object_source *sources;
	size_t source_count;
	const struct gfx_architecture *architecture; /* that `disassembler` is for */
	const struct gfx_architecture *decoded_as;
	struct wt_disassembler *disassembler;
	bool no_text;
	struct wt_mappings *mappings; /* NULL until they are asked for */
};

struct wt_error *wt_explainer_create(struct wt_view *view, struct wt_explainer **explainer_ret)
{
	struct wt_explainer *explainer = calloc(1, sizeof(*explainer));

	if (!explainer)
		return &wt_error_no_memory;
	explainer->view = view;
	*explainer_ret = explainer;
	return NULL;
}

static void forget_places(struct wt_explainer *explainer)
{
	for (size_t i = 0; i < KEPT_PLACES; i++) {
		wt_explain_code_deinit(&explainer->kept[i].code);
		explainer->kept[i].used = false;
	}
}

void wt_explainer_leave_text_out(struct wt_explainer *explainer)
{
	explainer->no_text = true;
	forget_places(explainer);
}

void wt_explainer_destroy(struct wt_explainer *explainer)
{
	if (!explainer)
		return;
	forget_places(explainer);
	for (size_t i = 0; i < explainer->source_count; i++)
		wt_source_close(explainer->sources[i].source);
	free(explainer->sources);
	wt_disassembler_destroy(explainer->disassembler);
	wt_mappings_destroy(explainer->mappings);
	free(explainer);
}

struct wt_error *wt_explainer_mappings(struct wt_explainer *explainer,
				       const struct wt_mappings **mappings_ret)
{
	struct wt_error *error =
		explainer->mappings ? NULL
				    : wt_mappings_create(explainer->view, &explainer->mappings);

	*mappings_ret = explainer->mappings;
	return error;
}

struct wt_view *wt_explainer_view(const struct wt_explainer *explainer)
{
	return explainer->view;
}

/* An image that cannot be read is remembered as none. */
struct wt_error *wt_explainer_source(struct wt_explainer *explainer, uint64_t code_object,
				     struct wt_source **source_ret)
{
	struct code_object_source *sources;
	struct wt_source *source = NULL;
	const uint8_t *image;
	size_t size;

	for (size_t i = 0; i < explainer->source_count; i++) {
		if (explainer->sources[i].code_object != code_object)
			continue;
		*source_ret = explainer->sources[i].source;
		return NULL;
	}
	sources = reallocarray(explainer->sources, explainer->source_count + 1, sizeof(*sources));
	if (!sources)
		return &wt_error_no_memory;
	explainer->sources = sources;
	if (wt_view_image(explainer->view, code_object, &image, &size)) {
		struct wt_error *error = wt_source_open(image, size, &source);

		if (error && error->code == WT_ERROR_MEMORY)
			return error;
		wt_error_destroy(error);
	}
	sources[explainer->source_count++] = (struct code_object_source){code_object, source};
	*source_ret = source;
	return NULL;
}

void wt_explain_symbol(struct wt_source *source, struct wavetape_place *code)
{
	struct wt_source_symbol symbol;

	if (wt_source_symbol_at(source, code->elf_address, &symbol)) {
		code->symbol = symbol.name;
		code->symbol_offset = code->elf_address - symbol.address;
	}
	wt_source_find(source, code->elf_address, code);
}

static struct wt_error *explainer_select_disassembler(struct wt_explainer *explainer,
						      const struct gfx_architecture *architecture)
{
	const struct gfx_architecture *as = architecture;
	struct wt_disassembler *disassembler;
	struct wt_error *error;

	if (explainer->architecture == architecture)
		return NULL;
	error = wt_disassembler_create(architecture, &as, &disassembler);
	if (error)
		return error;
	wt_disassembler_destroy(explainer->disassembler);
	explainer->disassembler = disassembler;
	explainer->decoded_as = as;
	explainer->architecture = architecture;
	return NULL;
}

/** Say that words are not decoded though they may well be an instruction. */
__attribute__((format(printf, 2, 3))) static struct wt_error *
leave_undecoded(struct wavetape_place *code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	code->not_decoded = wt_text_list(format, arguments);
	va_end(arguments);
	return code->not_decoded ? NULL : &wt_error_no_memory;
}

/* Disassembles newer code with an older LLVM as far as that can. */
static struct wt_error *explain_newer(const struct gfx_architecture *architecture,
				      const struct gfx_architecture *as,
				      struct wavetape_place *code)
{
	if (as == architecture)
		return NULL;
	code->decoded_as = as->name;
	return code->instruction
		       ? NULL
		       : leave_undecoded(code,
					 "no instruction of %s, as which it is decoded: what "
					 "disassembles here does not know %s",
					 as->name, architecture->name);
}

/* By the tables of the architecture; a word where they do not tell. */
static uint32_t place_measure(const struct gfx_architecture *architecture, const uint32_t *words,
			      size_t size)
{
	struct gfx_instruction instruction;

	if (gfx_decode(architecture, words, size / sizeof(*words), &instruction) != GFX_DECODE_OK)
		return sizeof(*words);
	return (uint32_t)(instruction.word_count * sizeof(*words));
}

/** Bytes, words and text of the instruction; a build without LLVM leaves the text out. */
static struct wt_error *explain_instruction(struct wt_explainer *explainer,
					    const struct gfx_architecture *architecture,
					    struct wavetape_place *code)
{
	wt_cleanup_error struct wt_error *failure = NULL;
	struct wt_disassembled decoded;
	uint8_t bytes[WT_EXPLAIN_WORDS * 4] = {0};
	size_t size = wt_view_code(explainer->view, code->address, bytes, sizeof(bytes));

	memcpy(code->words, bytes, sizeof(bytes));
	if (size < sizeof(uint32_t))
		return NULL;
	code->instruction_bytes = place_measure(architecture, code->words, size);
	if (!code->code_object && wt_view_knows_code(explainer->view))
		return leave_undecoded(code, "it is in no code object");
	if (explainer->no_text)
		return NULL;
	if (!architecture)
		return leave_undecoded(code, "its architecture is not known here");
	failure = explainer_select_disassembler(explainer, architecture);
	if (failure)
		return leave_undecoded(code, "%s: %s", failure->where, failure->why);
	if (wt_disassembler_decode(explainer->disassembler, code->address, bytes, size, &decoded)) {
		code->instruction_bytes = (uint32_t)decoded.size;
		code->instruction = strdup(decoded.text);
		if (!code->instruction)
			return &wt_error_no_memory;
	}
	return explain_newer(architecture, explainer->decoded_as, code);
}

static struct wt_error *describe_address(struct wt_explainer *explainer,
					 const struct gfx_architecture *architecture,
					 uint64_t address, struct wavetape_place *code_ret)
{
	struct wavetape_place code = {.address = address};
	uint64_t load_address = 0;
	struct wt_source *source;
	struct wt_error *error;

	code.code_object = wt_view_code_object_at(explainer->view, address, &load_address);
	if (code.code_object) {
		code.elf_address = address - load_address;
		error = wt_explainer_source(explainer, code.code_object, &source);
		if (error)
			return error;
		if (source)
			wt_explain_symbol(source, &code);
	}
	error = explain_instruction(explainer, architecture, &code);
	if (error) {
		wt_explain_code_deinit(&code);
		return error;
	}
	*code_ret = code;
	return NULL;
}

/* With texts of its own. */
static struct wt_error *copy_code(const struct wavetape_place *code,
				  struct wavetape_place *copy_ret)
{
	struct wavetape_place copy = *code;

	copy.instruction = code->instruction ? strdup(code->instruction) : NULL;
	copy.not_decoded = code->not_decoded ? strdup(code->not_decoded) : NULL;
	if (!copy.instruction != !code->instruction || !copy.not_decoded != !code->not_decoded) {
		wt_explain_code_deinit(&copy);
		return &wt_error_no_memory;
	}
	*copy_ret = copy;
	return NULL;
}

struct wt_error *wt_explain_address(struct wt_explainer *explainer,
				    const struct gfx_architecture *architecture, uint64_t address,
				    struct wavetape_place *code_ret)
{
	struct kept_place *kept = &explainer->kept[address / sizeof(uint32_t) % KEPT_PLACES];

	if (!kept->used || kept->architecture != architecture || kept->code.address != address) {
		struct wavetape_place code;
		struct wt_error *error = describe_address(explainer, architecture, address, &code);

		if (error)
			return error;
		wt_explain_code_deinit(&kept->code);
		*kept = (struct kept_place){architecture, true, code};
	}
	return copy_code(&kept->code, code_ret);
}

static void inner_call_find(struct wt_source *source, struct wavetape_place *code)
{
	struct wt_source_function functions[WT_SOURCE_MAX_FUNCTIONS];
	size_t count = wt_source_functions(source, code->elf_address, functions);

	while (count--) {
		const struct wavetape_place call = {.call_file = functions[count].call_file,
						    .call_line = functions[count].call_line};
		const char *file;
		uint32_t line;

		if (!wt_source_own_line(&call, &file, &line))
			continue;
		code->call_file = file;
		code->call_line = line;
		return;
	}
}

struct wt_error *wt_explain_inner_call(struct wt_explainer *explainer, struct wavetape_place *code)
{
	struct wt_source *source = NULL;
	struct wt_error *error =
		code->code_object ? wt_explainer_source(explainer, code->code_object, &source)
				  : NULL;

	if (!error && source)
		inner_call_find(source, code);
	return error;
}

void wt_explain_code_deinit(struct wavetape_place *code)
{
	free((char *)(uintptr_t)code->instruction);
	free((char *)(uintptr_t)code->not_decoded);
	code->instruction = code->not_decoded = NULL;
}

const char *wt_explainer_kernel(struct wt_explainer *explainer, struct wt_view_kernel kernel,
				bool *codeless_ret)
{
	uint64_t load_address, code_object;
	struct wt_source_symbol symbol;
	struct wt_source *source;

	if (codeless_ret)
		*codeless_ret = false;
	code_object = wt_view_code_object_at(explainer->view, kernel.entry, &load_address);
	if (!code_object)
		return NULL;
	wt_cleanup_error struct wt_error *error =
		wt_explainer_source(explainer, code_object, &source);
	if (error || !source)
		return NULL;
	if (!wt_source_kernel_at(source, kernel.descriptor - load_address,
				 kernel.entry - load_address, &symbol))
		return NULL;
	if (codeless_ret)
		*codeless_ret = !symbol.size;
	return symbol.name;
}

/* ---- Variables of the program ---- */

static bool symbol_covers(const struct wt_source_symbol *symbol, uint64_t address)
{
	size_t length = strlen(symbol->name);

	/* Kernel descriptors are objects, too. */
	return symbol->kind == WT_SYMBOL_OBJECT && address >= symbol->address &&
	       address - symbol->address < symbol->size &&
	       (length < 3 || strcmp(symbol->name + length - 3, ".kd"));
}

struct wt_error *wt_explain_variable_at(struct wt_explainer *explainer, uint64_t address,
					struct wt_explain_variable *variable_ret)
{
	struct wt_source_symbol symbol;
	struct wt_source *source;
	struct wt_error *error;
	uint64_t code_object, load;
	size_t position = 0;

	*variable_ret = (struct wt_explain_variable){.symbol = NULL};
	code_object = wt_view_code_object_at(wt_explainer_view(explainer), address, &load);
	if (!code_object)
		return NULL;
	error = wt_explainer_source(explainer, code_object, &source);
	if (error || !source)
		return error;
	while (wt_source_symbol_next(source, &position, &symbol)) {
		if (!symbol_covers(&symbol, address - load))
			continue;
		*variable_ret = (struct wt_explain_variable){
			.symbol = symbol.name,
			.address = load + symbol.address,
			.size = symbol.size,
		};
		break;
	}
	return NULL;
}

struct wt_error *wt_explain_variable(struct wt_explainer *explainer, uint64_t address,
				     char **name_ret)
{
	struct wt_explain_variable variable;
	struct wt_error *error = wt_explain_variable_at(explainer, address, &variable);

	*name_ret = NULL;
	if (error || !variable.symbol)
		return error;
	*name_ret = address > variable.address
			    ? wt_text("%s + %llu", variable.symbol,
				      (unsigned long long)(address - variable.address))
			    : wt_text("%s", variable.symbol);
	return *name_ret ? NULL : &wt_error_no_memory;
}
