/* SPDX-License-Identifier: MIT */
/* Symbolic operands from text: counters and delays. Messages and hwreg are in macro.c. */
#include <stdio.h>
#include <string.h>

#include "gfx/operand/assembly-reader.h"
#include "gfx/operand/macro.h"
#include "gfx/operand/tables.h"

/* Fields that an operand lists as NAME(VALUE): s_waitcnt and depctr. */
struct fields {
	const char *instruction; /* for reports */
	const struct gfx_operand_field *fields;
	size_t count;
	enum gfx_operand_profile profile;
	bool saturating; /* NAME_sat is there too, and takes any value */
	bool once;	 /* a field must not be given twice */
	uint32_t seen;	 /* bits by position: which were given */
};

/* The field that is at hand by its name; NULL, reported, if there is none. */
static const struct gfx_operand_field *find_field(struct gfx_operand_reader *reader,
						  const struct fields *fields, bool *saturated_ret)
{
	char name[64];
	size_t length = strlen(gfx_operand_token_text(reader, name));

	*saturated_ret = fields->saturating && length > 4 && !strcmp(name + length - 4, "_sat");
	if (*saturated_ret)
		name[length - 4] = '\0';
	for (size_t i = 0; i < fields->count; i++) {
		if (strcmp(fields->fields[i].name, name))
			continue;
		if (gfx_operand_in(fields->fields[i].profiles, fields->profile))
			return &fields->fields[i];
		gfx_operand_fail(reader, reader->token.start, "this target has no %s", name);
		return NULL;
	}
	gfx_operand_fail(reader, reader->token.start, "%s has no counter '%s'", fields->instruction,
			 gfx_operand_token_text(reader, name));
	return NULL;
}

/* Whether a field may be given, after those before it. */
static bool note_field(struct gfx_operand_reader *reader, struct fields *fields,
		       const struct gfx_operand_field *field, size_t position)
{
	uint32_t bit = UINT32_C(1) << (field - fields->fields);
	bool again = fields->seen & bit;

	fields->seen |= bit;
	if (again && fields->once)
		return gfx_operand_fail(reader, position, "%s is given twice", field->name);
	if (again)
		gfx_operand_remark(reader, position, "%s is given twice: the last one counts",
				   field->name);
	return true;
}

/* The value between the parentheses of a field. */
static bool field_read_value(struct gfx_operand_reader *reader,
			     const struct gfx_operand_field *field, bool saturated,
			     uint32_t *value_ret)
{
	uint32_t limit = gfx_operand_field_limit(field);
	size_t position;
	int64_t value;

	gfx_operand_next(reader);
	if (!gfx_operand_expect(reader, '(', "after the counter's name"))
		return false;
	position = reader->token.start;
	if (!gfx_operand_expression(reader, "a number", &value))
		return false;
	if (saturated && (value < 0 || value > limit))
		value = limit;
	if (value < 0 || value > limit)
		return gfx_operand_fail(reader, position, "%s is %lld; it must be from 0 to %u",
					field->name, (long long)value, limit);
	*value_ret = (uint32_t)value;
	return gfx_operand_expect(reader, ')', "after the counter's value");
}

/* Fields until the end, with at most one ',' or '&' between them. */
static bool read_fields(struct gfx_operand_reader *reader, struct fields *fields, uint32_t *operand)
{
	do {
		const struct gfx_operand_field *field;
		size_t position = reader->token.start;
		bool saturated;
		uint32_t value = 0;

		if (reader->token.kind != GFX_OPERAND_NAME)
			return gfx_operand_fail(reader, position, "expected a counter's name");
		field = find_field(reader, fields, &saturated);
		if (!field || !note_field(reader, fields, field, position) ||
		    !field_read_value(reader, field, saturated, &value))
			return false;
		*operand = gfx_operand_field_set(field, *operand, value);
		if ((gfx_operand_take(reader, ',') || gfx_operand_take(reader, '&')) &&
		    reader->token.kind == GFX_OPERAND_END)
			return gfx_operand_fail(reader, reader->token.start,
						"expected a counter's name after the separator");
	} while (reader->token.kind != GFX_OPERAND_END);
	return true;
}

/* The operand with the limits of all fields, which those have that a text does not name. */
static uint32_t all_limits(const struct fields *fields)
{
	uint32_t operand = 0;

	for (size_t i = 0; i < fields->count; i++)
		if (gfx_operand_in(fields->fields[i].profiles, fields->profile))
			operand =
				gfx_operand_field_set(&fields->fields[i], operand,
						      gfx_operand_field_limit(&fields->fields[i]));
	return operand;
}

/* A number for the whole operand, where LLVM does not look whether it fits. */
static bool read_unchecked(struct gfx_operand_reader *reader, uint32_t *operand)
{
	size_t position = reader->token.start;
	int64_t value;

	if (!gfx_operand_expression(reader, "counters or a number", &value))
		return false;
	*operand = (uint32_t)value & 0xffff;
	if (value == *operand)
		return true;
	if (!reader->follow_llvm)
		return gfx_operand_fail(reader, position,
					"the operand is %lld; it must be from 0 to 65535",
					(long long)value);
	gfx_operand_remark(reader, position, "%lld does not fit in 16 bits: it is cut to %u",
			   (long long)value, *operand);
	return true;
}

static bool parse_waitcnt(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			  uint32_t *operand)
{
	struct fields fields = {.instruction = "s_waitcnt",
				.fields = gfx_operand_counters(profile),
				.count = GFX_OPERAND_COUNTERS,
				.profile = profile,
				.saturating = true};

	if (!gfx_operand_at_call(reader))
		return read_unchecked(reader, operand);
	*operand = all_limits(&fields);
	return read_fields(reader, &fields, operand);
}

/* Negative numbers of 16 bits are all right here. */
static bool parse_depctr(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			 uint32_t *operand)
{
	struct fields fields = {.instruction = "depctr",
				.fields = gfx_operand_depctr_fields(),
				.count = GFX_OPERAND_DEPCTR_FIELDS,
				.profile = profile,
				.once = true};
	size_t position = reader->token.start;
	int64_t value;

	if (gfx_operand_at_call(reader)) {
		*operand = all_limits(&fields);
		return read_fields(reader, &fields, operand);
	}
	if (!gfx_operand_expression(reader, "counters or a number", &value))
		return false;
	if (value < INT16_MIN || value > UINT16_MAX)
		return gfx_operand_fail(reader, position,
					"the operand is %lld; it must be from -32768 to 65535",
					(long long)value);
	*operand = (uint32_t)value & 0xffff;
	return true;
}

static const struct gfx_operand_field *find_delay(struct gfx_operand_reader *reader)
{
	const struct gfx_operand_field *fields = gfx_operand_delay_fields();
	char name[64];

	gfx_operand_token_text(reader, name);
	for (int i = 0; i < GFX_OPERAND_DELAY_FIELDS; i++)
		if (reader->token.kind == GFX_OPERAND_NAME && !strcmp(fields[i].name, name))
			return &fields[i];
	gfx_operand_fail(reader, reader->token.start,
			 "expected instid0, instskip or instid1, not '%s'", name);
	return NULL;
}

/* One NAME(VALUE) of a delay; values are names, too. */
static bool read_delay(struct gfx_operand_reader *reader, uint32_t *seen, uint32_t *operand)
{
	const struct gfx_operand_field *field = find_delay(reader);
	size_t position = reader->token.start;
	uint32_t value, limits;
	char name[64];

	if (!field)
		return false;
	limits = gfx_operand_field_set(field, 0, gfx_operand_field_limit(field));
	if (*seen & limits && !reader->follow_llvm)
		return gfx_operand_fail(reader, position, "%s is given twice", field->name);
	if (*seen & limits)
		gfx_operand_remark(reader, position, "%s is given twice: its values are OR-ed",
				   field->name);
	*seen |= limits;
	gfx_operand_next(reader);
	if (!gfx_operand_expect(reader, '(', "after the field's name"))
		return false;
	if (reader->token.kind != GFX_OPERAND_NAME ||
	    !gfx_operand_delay_value(field, reader->text + reader->token.start,
				     reader->token.length, &value))
		return gfx_operand_fail(reader, reader->token.start, "%s has no value '%s'",
					field->name, gfx_operand_token_text(reader, name));
	*operand |= gfx_operand_field_set(field, 0, value);
	gfx_operand_next(reader);
	return gfx_operand_expect(reader, ')', "after the field's value");
}

static bool parse_delay(struct gfx_operand_reader *reader, uint32_t *operand)
{
	uint32_t seen = 0;

	if (!gfx_operand_at_call(reader))
		return read_unchecked(reader, operand);
	*operand = 0;
	do {
		if (!read_delay(reader, &seen, operand))
			return false;
	} while (gfx_operand_take(reader, '|'));
	return true;
}

static bool operand_parse(struct gfx_operand_reader *reader, enum gfx_operand_kind kind,
			  enum gfx_operand_profile profile, uint32_t *operand)
{
	switch (kind) {
	case GFX_OPERAND_WAITCNT:
		return parse_waitcnt(reader, profile, operand);
	case GFX_OPERAND_SENDMSG:
		return gfx_operand_parse_sendmsg(reader, profile, operand);
	case GFX_OPERAND_HWREG:
		return gfx_operand_parse_hwreg(reader, profile, operand);
	case GFX_OPERAND_DEPCTR:
		return parse_depctr(reader, profile, operand);
	case GFX_OPERAND_DELAY_ALU:
		return parse_delay(reader, operand);
	case GFX_OPERAND_KINDS:
		break;
	}
	return false;
}

bool gfx_operand_parse(const struct gfx_operand_target *target, enum gfx_operand_kind kind,
		       const char *text, bool follow_llvm, uint16_t *value_ret,
		       struct gfx_operand_report *report_ret)
{
	struct gfx_operand_reader reader;
	uint32_t operand = 0;

	gfx_operand_reader_init(&reader, text, follow_llvm, report_ret);
	if (!gfx_operand_exists(target, kind))
		return gfx_operand_fail(&reader, 0, "%s has no %s", target->name,
					gfx_operand_kind_name(kind));
	if (!operand_parse(&reader, kind, target->profile, &operand))
		return false;
	if (reader.token.kind != GFX_OPERAND_END)
		return gfx_operand_fail(&reader, reader.token.start,
					"expected the end of the operand");
	*value_ret = (uint16_t)operand;
	return true;
}
