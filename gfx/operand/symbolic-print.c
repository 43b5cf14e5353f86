/* SPDX-License-Identifier: MIT */
/* Symbolic operands as text: which names and numbers stand for a value. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gfx/operand/tables.h"

/* Text that grows in a buffer of the caller; the length counts what did not fit, too. */
struct text {
	char *buffer;
	size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void text_append(struct text *text, const char *format,
							      ...)
{
	size_t left = text->length < text->size ? text->size - text->length : 0;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(left ? text->buffer + text->length : NULL, left, format, arguments);
	va_end(arguments);
	if (length > 0)
		text->length += (size_t)length;
}

/* A value in one field of an operand, "name(3)", with a blank before it if it is not the first. */
static void append_field(struct text *text, const struct gfx_operand_field *field, uint32_t value)
{
	text_append(text, "%s%s(%u)", text->length ? " " : "", field->name, value);
}

/*
 * Fields that have their largest value when nothing is said: those with another one, or all of them if
 * there is none.
 */
static void print_fields(struct text *text, const struct gfx_operand_field *fields, size_t count,
			 enum gfx_operand_profile profile, uint32_t operand)
{
	for (int all = 0; all < 2 && !text->length; all++) {
		for (size_t i = 0; i < count; i++) {
			uint32_t value = gfx_operand_field_get(&fields[i], operand);

			if (gfx_operand_in(fields[i].profiles, profile) &&
			    (all || value != gfx_operand_field_limit(&fields[i])))
				append_field(text, &fields[i], value);
		}
	}
}

/* The bits of all fields that a profile has. */
static uint32_t field_bits(const struct gfx_operand_field *fields, size_t count,
			   enum gfx_operand_profile profile)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < count; i++)
		if (gfx_operand_in(fields[i].profiles, profile))
			bits = gfx_operand_field_set(&fields[i], bits,
						     gfx_operand_field_limit(&fields[i]));
	return bits;
}

static uint32_t depctr_bits(enum gfx_operand_profile profile)
{
	return field_bits(gfx_operand_depctr_fields(), GFX_OPERAND_DEPCTR_FIELDS, profile);
}

static void print_depctr(struct text *text, enum gfx_operand_profile profile, uint32_t operand)
{
	if (operand & ~depctr_bits(profile))
		text_append(text, "0x%x", operand);
	else
		print_fields(text, gfx_operand_depctr_fields(), GFX_OPERAND_DEPCTR_FIELDS, profile,
			     operand);
}

/* A message taken apart. From gfx11 on printing sees no operation: its bits belong to the id. */
struct message {
	uint32_t id, operation, stream;
	const char *name; /* NULL: it is to be printed as numbers */
};

static struct message take_apart(enum gfx_operand_profile profile, uint32_t operand)
{
	struct message m = {.id = operand & gfx_operand_message_limit(profile)};

	if (profile < GFX_OPERAND_GFX11) {
		m.operation = operand >> GFX_OPERAND_OPERATION_SHIFT & GFX_OPERAND_OPERATION_LIMIT;
		m.stream = operand >> GFX_OPERAND_STREAM_SHIFT & GFX_OPERAND_STREAM_LIMIT;
	}
	m.name = gfx_operand_name_of(GFX_OPERAND_MESSAGES, profile, m.id);
	if (!gfx_operand_operation_fits(profile, m.id, m.operation) ||
	    (m.stream && !gfx_operand_message_has_stream(profile, m.id, m.operation)))
		m.name = NULL;
	return m;
}

static uint32_t put_together(const struct message *m)
{
	return m->id | m->operation << GFX_OPERAND_OPERATION_SHIFT |
	       m->stream << GFX_OPERAND_STREAM_SHIFT;
}

static void print_sendmsg(struct text *text, enum gfx_operand_profile profile, uint32_t operand)
{
	struct message m = take_apart(profile, operand);

	if (m.name) {
		text_append(text, "sendmsg(%s", m.name);
		if (gfx_operand_message_has_operation(profile, m.id))
			text_append(text, ", %s",
				    gfx_operand_name_of(gfx_operand_operations_of(m.id), profile,
							m.operation));
		if (gfx_operand_message_has_stream(profile, m.id, m.operation))
			text_append(text, ", %u", m.stream);
		text_append(text, ")");
	} else if (put_together(&m) == operand) {
		text_append(text, "sendmsg(%u, %u, %u)", m.id, m.operation, m.stream);
	} else {
		text_append(text, "%u", operand);
	}
}

static void print_hwreg(struct text *text, enum gfx_operand_profile profile, uint32_t operand)
{
	uint32_t id = operand & GFX_OPERAND_REGISTER_LIMIT;
	uint32_t offset = operand >> GFX_OPERAND_OFFSET_SHIFT & GFX_OPERAND_OFFSET_LIMIT;
	uint32_t size = (operand >> GFX_OPERAND_SIZE_SHIFT) + 1;
	const char *name = gfx_operand_name_of(GFX_OPERAND_HARDWARE_REGISTERS, profile, id);

	if (name)
		text_append(text, "hwreg(%s", name);
	else
		text_append(text, "hwreg(%u", id);
	if (offset || size != GFX_OPERAND_SIZE_LIMIT)
		text_append(text, ", %u, %u", offset, size);
	text_append(text, ")");
}

static void print_delay(struct text *text, uint32_t operand)
{
	const struct gfx_operand_field *fields = gfx_operand_delay_fields();

	for (int i = 0; i < GFX_OPERAND_DELAY_FIELDS; i++) {
		uint32_t value = gfx_operand_field_get(&fields[i], operand);
		const char *name = gfx_operand_delay_name(&fields[i], value);

		if (!value)
			continue;
		text_append(text, "%s%s(", text->length ? " | " : "", fields[i].name);
		if (name)
			text_append(text, "%s)", name);
		else
			text_append(text, "/* invalid %s value */)",
				    i == 1 ? "instskip" : "instid");
	}
	if (!text->length)
		text_append(text, "0");
}

/* The bits of a delay that its text does not show: all above the fields, and values without a name. */
static uint32_t delay_hidden(uint32_t operand)
{
	const struct gfx_operand_field *fields = gfx_operand_delay_fields();
	uint32_t shown = 0;

	for (int i = 0; i < GFX_OPERAND_DELAY_FIELDS; i++) {
		uint32_t value = gfx_operand_field_get(&fields[i], operand);

		if (gfx_operand_delay_name(&fields[i], value))
			shown = gfx_operand_field_set(&fields[i], shown, value);
	}
	return operand & ~shown;
}

uint16_t gfx_operand_hidden_bits(const struct gfx_operand_target *target,
				 enum gfx_operand_kind kind, uint16_t value)
{
	enum gfx_operand_profile profile = target->profile;
	uint32_t hidden = 0;

	if (kind == GFX_OPERAND_WAITCNT) {
		hidden = value &
			 ~field_bits(gfx_operand_counters(profile), GFX_OPERAND_COUNTERS, profile);
	} else if (kind == GFX_OPERAND_SENDMSG) {
		struct message m = take_apart(profile, value);

		if (m.name)
			hidden = value & ~put_together(&m);
	} else if (kind == GFX_OPERAND_DELAY_ALU) {
		hidden = delay_hidden(value);
	}
	return (uint16_t)hidden;
}

size_t gfx_operand_print(const struct gfx_operand_target *target, enum gfx_operand_kind kind,
			 uint16_t value, bool exact, char *buffer, size_t size)
{
	enum gfx_operand_profile profile = target->profile;
	struct text text = {buffer, size, 0};
	uint16_t hidden;

	if (size)
		*buffer = '\0';
	switch (kind) {
	case GFX_OPERAND_WAITCNT:
		print_fields(&text, gfx_operand_counters(profile), GFX_OPERAND_COUNTERS, profile,
			     value);
		break;
	case GFX_OPERAND_SENDMSG:
		print_sendmsg(&text, profile, value);
		break;
	case GFX_OPERAND_HWREG:
		print_hwreg(&text, profile, value);
		break;
	case GFX_OPERAND_DEPCTR:
		print_depctr(&text, profile, value);
		break;
	case GFX_OPERAND_DELAY_ALU:
		print_delay(&text, value);
		break;
	case GFX_OPERAND_KINDS:
		break;
	}
	hidden = gfx_operand_hidden_bits(target, kind, value);
	if (exact && hidden)
		text_append(&text, " /* 0x%04x, not shown: 0x%04x */", value, hidden);
	return text.length;
}
