/* SPDX-License-Identifier: MIT */
/* Reading .debug_frame and .eh_frame: entries, and the instructions that make the row of an address. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/code/bytes.h"
#include "replayer/dwarf/cfi-rules.h"
#include "replayer/dwarf/cfi.h"

#define MAX_RULES 2048u
#define MAX_STEPS 65536u
#define MAX_REMEMBERED 8u
#define MAX_TEXT 64u

/* AMD's instructions: as DW_CFA_def_cfa and DW_CFA_def_cfa_sf, with an address space behind them. */
#define CFA_LLVM_def_aspace_cfa 0x30
#define CFA_LLVM_def_aspace_cfa_sf 0x31

/* The common information entry (CIE) that functions share. */
struct common {
	uint64_t code_factor, data_factor, return_column;
	size_t address_size;
	uint8_t encoding; /* of addresses, in .eh_frame */
	struct wt_cursor instructions;
};

/* A section that is walked. */
struct frames {
	const struct wt_dwarf_section *section;
	uint64_t address; /* where .eh_frame is loaded */
	bool is_eh;
};

struct program {
	const struct common *common;
	struct wt_dwarf_row row, initial;
	struct wt_dwarf_row remembered[MAX_REMEMBERED];
	size_t remembered_count, steps;
	uint64_t location;
	bool no_memory;
};

/* ---- Rows ---- */

static bool row_copy(struct wt_dwarf_row *to, const struct wt_dwarf_row *from)
{
	struct wt_dwarf_rule *rules = calloc(MAX_RULES, sizeof(*rules));

	if (!rules)
		return false;
	if (from->count)
		memcpy(rules, from->rules, from->count * sizeof(*rules));
	*to = *from;
	to->rules = rules;
	return true;
}

static bool row_rule_set(struct program *program, const struct wt_dwarf_rule *rule)
{
	struct wt_dwarf_row *row = &program->row;

	for (size_t i = 0; i < row->count; i++)
		if (row->rules[i].number == rule->number) {
			row->rules[i] = *rule;
			return true;
		}
	if (row->count == MAX_RULES)
		return false;
	row->rules[row->count++] = *rule;
	return true;
}

static bool row_rule_restore(struct program *program, uint64_t number)
{
	struct wt_dwarf_rule rule = {.number = number};

	for (size_t i = 0; i < program->initial.count; i++)
		if (program->initial.rules[i].number == number)
			rule = program->initial.rules[i];
	return row_rule_set(program, &rule);
}

static bool row_remember(struct program *program)
{
	if (program->remembered_count == MAX_REMEMBERED)
		return false;
	if (row_copy(&program->remembered[program->remembered_count], &program->row)) {
		program->remembered_count++;
		return true;
	}
	program->no_memory = true;
	return false;
}

static bool recall(struct program *program)
{
	if (!program->remembered_count)
		return false;
	free(program->row.rules);
	program->row = program->remembered[--program->remembered_count];
	return true;
}

/* ---- Instructions ---- */

static bool cfi_block_take(struct wt_cursor *bytes, struct wt_cursor *block_ret)
{
	const uint8_t *data;
	uint64_t size;

	if (!wt_dwarf_uleb(bytes, &size) || size > bytes->remaining ||
	    !wt_cursor_take(bytes, (size_t)size, &data))
		return false;
	*block_ret = wt_cursor_init(data, (size_t)size);
	return true;
}

static bool define_base(struct program *program, struct wt_cursor *bytes, unsigned int code)
{
	struct wt_dwarf_base *base = &program->row.base;
	bool is_signed = code == DW_CFA_def_cfa_sf || code == DW_CFA_def_cfa_offset_sf ||
			 code == CFA_LLVM_def_aspace_cfa_sf;
	bool has_space = code == CFA_LLVM_def_aspace_cfa || code == CFA_LLVM_def_aspace_cfa_sf;
	bool has_number = code != DW_CFA_def_cfa_offset && code != DW_CFA_def_cfa_offset_sf;

	if (code == DW_CFA_def_cfa_expression) {
		base->kind = WT_DWARF_BASE_EXPRESSION;
		return cfi_block_take(bytes, &base->expression);
	}
	/* An instruction that changes only the register or only the offset needs the other to be there. */
	if ((!has_number || code == DW_CFA_def_cfa_register) &&
	    base->kind != WT_DWARF_BASE_REGISTER)
		return false;
	if (has_number && !wt_dwarf_uleb(bytes, &base->number))
		return false;
	if (code != DW_CFA_def_cfa_register) {
		if (!(is_signed ? wt_dwarf_sleb(bytes, &base->offset)
				: wt_dwarf_uleb(bytes, &base->offset)))
			return false;
		if (is_signed)
			base->offset *= program->common->data_factor;
	}
	if (has_number && code != DW_CFA_def_cfa_register)
		base->has_space = has_space;
	base->kind = WT_DWARF_BASE_REGISTER;
	return !has_space || wt_dwarf_uleb(bytes, &base->space);
}

static bool define_rule(struct program *program, struct wt_cursor *bytes, unsigned int code)
{
	struct wt_dwarf_rule rule = {0};
	bool is_signed = code == DW_CFA_offset_extended_sf || code == DW_CFA_val_offset_sf;

	if (!wt_dwarf_uleb(bytes, &rule.number))
		return false;
	switch (code) {
	case DW_CFA_undefined:
		rule.kind = WT_DWARF_RULE_UNDEFINED;
		return row_rule_set(program, &rule);
	case DW_CFA_same_value:
		rule.kind = WT_DWARF_RULE_SAME;
		return row_rule_set(program, &rule);
	case DW_CFA_restore_extended:
		return row_rule_restore(program, rule.number);
	case DW_CFA_register:
		rule.kind = WT_DWARF_RULE_REGISTER;
		return wt_dwarf_uleb(bytes, &rule.operand) && row_rule_set(program, &rule);
	case DW_CFA_expression:
	case DW_CFA_val_expression:
		rule.kind = code == DW_CFA_expression ? WT_DWARF_RULE_LOCATION
						      : WT_DWARF_RULE_EXPRESSION;
		return cfi_block_take(bytes, &rule.expression) && row_rule_set(program, &rule);
	default:
		rule.kind = code == DW_CFA_val_offset || code == DW_CFA_val_offset_sf
				    ? WT_DWARF_RULE_VALUE
				    : WT_DWARF_RULE_AT;
		if (!(is_signed ? wt_dwarf_sleb(bytes, &rule.operand)
				: wt_dwarf_uleb(bytes, &rule.operand)))
			return false;
		rule.operand *= program->common->data_factor;
		return row_rule_set(program, &rule);
	}
}

static bool cfi_location_advance(struct program *program, struct wt_cursor *bytes, size_t size)
{
	uint64_t distance;

	if (!wt_dwarf_fixed(bytes, size, &distance))
		return false;
	program->location += distance * program->common->code_factor;
	return true;
}

static bool cfi_instruction_step(struct program *program, struct wt_cursor *bytes,
				 unsigned int code)
{
	uint64_t ignored;

	switch (code) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		return wt_dwarf_fixed(bytes, program->common->address_size, &program->location);
	case DW_CFA_advance_loc1:
		return cfi_location_advance(program, bytes, 1);
	case DW_CFA_advance_loc2:
		return cfi_location_advance(program, bytes, 2);
	case DW_CFA_advance_loc4:
		return cfi_location_advance(program, bytes, 4);
	case DW_CFA_remember_state:
		return row_remember(program);
	case DW_CFA_restore_state:
		return recall(program);
	case DW_CFA_GNU_args_size:
		return wt_dwarf_uleb(bytes, &ignored);
	case DW_CFA_def_cfa:
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
	case DW_CFA_def_cfa_expression:
	case CFA_LLVM_def_aspace_cfa:
	case CFA_LLVM_def_aspace_cfa_sf:
		return define_base(program, bytes, code);
	case DW_CFA_undefined:
	case DW_CFA_same_value:
	case DW_CFA_restore_extended:
	case DW_CFA_register:
	case DW_CFA_expression:
	case DW_CFA_val_expression:
	case DW_CFA_offset_extended:
	case DW_CFA_offset_extended_sf:
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		return define_rule(program, bytes, code);
	default:
		return false;
	}
}

/* Executes the instructions that have an operand in their own byte. */
static bool short_step(struct program *program, struct wt_cursor *bytes, unsigned int code)
{
	struct wt_dwarf_rule rule = {.number = code & 0x3f, .kind = WT_DWARF_RULE_AT};

	switch (code & 0xc0) {
	case DW_CFA_advance_loc:
		program->location += (code & 0x3f) * program->common->code_factor;
		return true;
	case DW_CFA_restore:
		return row_rule_restore(program, rule.number);
	default: /* DW_CFA_offset */
		if (!wt_dwarf_uleb(bytes, &rule.operand))
			return false;
		rule.operand *= program->common->data_factor;
		return row_rule_set(program, &rule);
	}
}

/* Up to the row of an address; false if an instruction cannot be read. */
static bool cfi_program_run(struct program *program, struct wt_cursor bytes, uint64_t address)
{
	while (bytes.remaining && program->location <= address) {
		const uint8_t *code;

		if (++program->steps > MAX_STEPS)
			return false;
		wt_cursor_take(&bytes, 1, &code);
		if (!(*code & 0xc0 ? short_step(program, &bytes, *code)
				   : cfi_instruction_step(program, &bytes, *code)))
			return false;
	}
	return true;
}

static void cfi_program_deinit(struct program *program)
{
	free(program->row.rules);
	free(program->initial.rules);
	for (size_t i = 0; i < program->remembered_count; i++)
		free(program->remembered[i].rules);
}

/* Make the row of an address from an entry's instructions and those common to several. */
static bool cfi_row_make(const struct common *common, struct wt_cursor instructions, uint64_t start,
			 uint64_t address, struct wt_dwarf_rules **rules_ret)
{
	struct program program = {.common = common};
	static const struct wt_dwarf_row empty;
	bool good = row_copy(&program.row, &empty);

	program.no_memory = !good;
	good = good && cfi_program_run(&program, common->instructions, UINT64_MAX);
	if (good && !row_copy(&program.initial, &program.row)) {
		program.no_memory = true;
		good = false;
	}
	program.location = start;
	good = good && cfi_program_run(&program, instructions, address);
	if (good && (program.row.count || program.row.base.kind != WT_DWARF_BASE_NONE)) {
		struct wt_dwarf_rules *rules = calloc(1, sizeof(*rules));

		if (rules) {
			*rules = (struct wt_dwarf_rules){.row = program.row,
							 .return_column = common->return_column,
							 .address_size = common->address_size};
			program.row.rules = NULL;
			*rules_ret = rules;
		} else {
			program.no_memory = true;
		}
	}
	cfi_program_deinit(&program);
	return !program.no_memory;
}

/* ---- Entries ---- */

/* An entry's bytes behind its length and its id, or where the common part is that it names. */
struct entry {
	struct wt_cursor bytes;
	bool is_common;
	uint64_t common; /* offset of it in the section */
};

/* @cursor stands at an entry and is moved behind it. */
static bool frame_entry_take(const struct frames *frames, struct wt_cursor *cursor,
			     struct entry *entry_ret)
{
	const uint8_t *data;
	uint64_t length, id, at;
	size_t width = 4;

	if (!wt_dwarf_fixed(cursor, 4, &length))
		return false;
	if (length == UINT32_MAX) {
		width = 8;
		if (!wt_dwarf_fixed(cursor, 8, &length))
			return false;
	}
	at = frames->section->size - cursor->remaining;
	if (length > cursor->remaining || !wt_cursor_take(cursor, (size_t)length, &data))
		return false;
	entry_ret->bytes = wt_cursor_init(data, (size_t)length);
	/* The end of .eh_frame is an entry of no bytes. */
	if (!wt_dwarf_fixed(&entry_ret->bytes, frames->is_eh ? 4 : width, &id))
		return false;
	entry_ret->is_common = frames->is_eh ? !id : id == (width == 4 ? UINT32_MAX : UINT64_MAX);
	entry_ret->common = frames->is_eh ? at - id : id;
	return true;
}

/* 'zR' and the like, of .eh_frame: how addresses are written. */
static bool read_augmentation(const char *text, struct wt_cursor *bytes, struct common *common)
{
	struct wt_cursor data;

	/* AMD's, which says that its extensions are used, has no data. */
	if (!*text || *text == '[')
		return true;
	if (*text != 'z' || !cfi_block_take(bytes, &data))
		return false;
	for (text++; *text; text++) {
		uint64_t encoding;

		if (*text == 'S' || *text == 'B')
			continue;
		if (*text != 'R' || !wt_dwarf_fixed(&data, 1, &encoding))
			return false;
		common->encoding = (uint8_t)encoding;
	}
	return true;
}

static bool read_common(const struct frames *frames, uint64_t offset, struct common *common)
{
	struct wt_cursor cursor;
	struct entry entry;
	const uint8_t *end;
	const char *text;
	uint64_t version, size = 8, segment = 0;

	*common = (struct common){.address_size = 8};
	if (offset >= frames->section->size)
		return false;
	cursor = wt_cursor_init(frames->section->data + offset,
				frames->section->size - (size_t)offset);
	if (!frame_entry_take(frames, &cursor, &entry) || !entry.is_common ||
	    !wt_dwarf_fixed(&entry.bytes, 1, &version) ||
	    (version != 1 && version != 3 && version != 4))
		return false;
	end = memchr(entry.bytes.data, 0,
		     entry.bytes.remaining < MAX_TEXT ? entry.bytes.remaining : MAX_TEXT);
	text = (const char *)entry.bytes.data;
	if (!end || !wt_cursor_take(&entry.bytes, (size_t)(end - entry.bytes.data) + 1, &end))
		return false;
	if (version == 4 &&
	    (!wt_dwarf_fixed(&entry.bytes, 1, &size) || !wt_dwarf_fixed(&entry.bytes, 1, &segment)))
		return false;
	if ((size != 4 && size != 8) || segment ||
	    !wt_dwarf_uleb(&entry.bytes, &common->code_factor) ||
	    !wt_dwarf_sleb(&entry.bytes, &common->data_factor) ||
	    !(version == 1 ? wt_dwarf_fixed(&entry.bytes, 1, &common->return_column)
			   : wt_dwarf_uleb(&entry.bytes, &common->return_column)) ||
	    !read_augmentation(text, &entry.bytes, common))
		return false;
	common->address_size = (size_t)size;
	common->instructions = entry.bytes;
	return true;
}

/* An address of .eh_frame. @place: where it is loaded itself. */
static bool take_encoded(struct wt_cursor *bytes, uint8_t encoding, size_t address_size,
			 uint64_t place, uint64_t *value_ret)
{
	static const struct {
		size_t size;
		bool is_signed;
	} forms[16] = {[DW_EH_PE_udata2] = {2, false}, [DW_EH_PE_udata4] = {4, false},
		       [DW_EH_PE_udata8] = {8, false}, [DW_EH_PE_sdata2] = {2, true},
		       [DW_EH_PE_sdata4] = {4, true},  [DW_EH_PE_sdata8] = {8, true}};
	size_t size = encoding & 15 ? forms[encoding & 15].size : address_size;
	bool is_relative = (encoding & 0x70) == DW_EH_PE_pcrel;

	if (!size || encoding & 0x80 || (encoding & 0x70 && !is_relative) ||
	    !(forms[encoding & 15].is_signed ? wt_dwarf_fixed_signed(bytes, size, value_ret)
					     : wt_dwarf_fixed(bytes, size, value_ret)))
		return false;
	*value_ret += is_relative ? place : 0;
	return true;
}

/* The row of an address, if an entry is of the function around it. */
static bool read_entry(const struct frames *frames, struct entry *entry, uint64_t address,
		       struct wt_dwarf_rules **rules_ret, bool *found_ret)
{
	struct common common;
	struct wt_cursor ignored;
	uint64_t start, size, place;

	if (!read_common(frames, entry->common, &common))
		return true;
	place = frames->address + (uint64_t)(entry->bytes.data - frames->section->data);
	if (!take_encoded(&entry->bytes, common.encoding, common.address_size, place, &start) ||
	    !take_encoded(&entry->bytes, common.encoding & 15, common.address_size, 0, &size) ||
	    address < start || address - start >= size)
		return true;
	*found_ret = true;
	if (frames->is_eh && !cfi_block_take(&entry->bytes, &ignored))
		return true;
	return cfi_row_make(&common, entry->bytes, start, address, rules_ret);
}

static bool frame_entries_search(const struct frames *frames, uint64_t address,
				 struct wt_dwarf_rules **rules_ret)
{
	struct wt_cursor cursor = wt_cursor_init(frames->section->data, frames->section->size);
	struct entry entry;
	bool found = false, good = true;

	while (good && !found && cursor.remaining && frame_entry_take(frames, &cursor, &entry))
		if (!entry.is_common)
			good = read_entry(frames, &entry, address, rules_ret, &found);
	return good;
}

bool wt_dwarf_rules_find(const struct wt_dwarf_object *object, uint64_t address,
			 struct wt_dwarf_rules **rules_ret)
{
	const struct frames frames[] = {
		{.section = &object->frame},
		{.section = &object->eh_frame, .address = object->eh_frame_address, .is_eh = true},
	};

	*rules_ret = NULL;
	for (size_t i = 0; i < 2 && !*rules_ret; i++)
		if (frames[i].section->data &&
		    !frame_entries_search(&frames[i], address, rules_ret))
			return false;
	return true;
}

void wt_dwarf_rules_destroy(struct wt_dwarf_rules *rules)
{
	if (!rules)
		return;
	free(rules->row.rules);
	free(rules);
}
