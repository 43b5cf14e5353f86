/* SPDX-License-Identifier: MIT */
#include "gfx/operand/macro.h"

#include <string.h>

#include "gfx/operand/tables.h"

/* An argument that may be a name. */
struct argument {
	size_t position;
	int64_t value;
	const char *name; /* by which it was given, or NULL: as a number */
	bool absent;
};

/* A name of a family if one is at hand, else a number. */
static bool read_argument(struct gfx_operand_reader *reader, enum gfx_operand_family family,
			  enum gfx_operand_profile profile, const char *what,
			  struct argument *argument)
{
	const struct gfx_operand_name *entry = NULL;

	argument->position = reader->token.start;
	argument->absent = false;
	if (reader->token.kind == GFX_OPERAND_NAME)
		entry = gfx_operand_find(family, profile, reader->text + reader->token.start,
					 reader->token.length);
	if (!entry)
		return gfx_operand_expression(reader, what, &argument->value);
	if (!gfx_operand_in(entry->profiles, profile))
		return gfx_operand_fail(reader, argument->position, "this target has no %s",
					entry->name);
	argument->value = entry->value;
	argument->name = entry->name;
	gfx_operand_next(reader);
	return true;
}

static bool argument_read(struct gfx_operand_reader *reader, struct argument *argument)
{
	argument->position = reader->token.start;
	argument->absent = false;
	return gfx_operand_expression(reader, "a number", &argument->value);
}

/* Whether a number is in its limits. */
static bool argument_check(struct gfx_operand_reader *reader, const struct argument *argument,
			   const char *what, int64_t lowest, int64_t highest)
{
	if (argument->value >= lowest && argument->value <= highest)
		return true;
	return gfx_operand_fail(reader, argument->position,
				"%s is %lld; it must be from %lld to %lld", what,
				(long long)argument->value, (long long)lowest, (long long)highest);
}

/* A number for the whole operand. */
static bool operand_read_whole(struct gfx_operand_reader *reader, const char *what,
			       uint32_t *operand)
{
	struct argument whole = {.position = reader->token.start};

	if (!gfx_operand_expression(reader, what, &whole.value) ||
	    !argument_check(reader, &whole, "the operand", 0, UINT16_MAX))
		return false;
	*operand = (uint32_t)whole.value;
	return true;
}

/* Go past NAME( if it is at hand. */
static bool take_macro(struct gfx_operand_reader *reader, const char *name)
{
	char text[64];

	if (!gfx_operand_at_call(reader) || strcmp(gfx_operand_token_text(reader, text), name))
		return false;
	gfx_operand_next(reader);
	gfx_operand_next(reader);
	return true;
}

struct message {
	struct argument id, operation, stream;
};

/* By number, anything goes that fits in its field. */
static bool check_numbers(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			  const struct message *m)
{
	return argument_check(reader, &m->id, "the message id", 0,
			      gfx_operand_message_limit(profile)) &&
	       argument_check(reader, &m->operation, "the operation", 0,
			      GFX_OPERAND_OPERATION_LIMIT) &&
	       argument_check(reader, &m->stream, "the stream", 0, GFX_OPERAND_STREAM_LIMIT);
}

static bool check_operation(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			    const struct message *m)
{
	uint32_t id = (uint32_t)m->id.value;
	bool wanted = gfx_operand_message_has_operation(profile, id);

	if (wanted && m->operation.absent)
		return gfx_operand_fail(reader, reader->token.start, "%s needs an operation",
					m->id.name);
	if (!wanted && !m->operation.absent)
		return gfx_operand_fail(reader, m->operation.position, "%s takes no operation",
					m->id.name);
	if (m->operation.value >= 0 && m->operation.value <= GFX_OPERAND_OPERATION_LIMIT &&
	    gfx_operand_operation_fits(profile, id, (uint32_t)m->operation.value))
		return true;
	return gfx_operand_fail(reader, m->operation.position, "%s has no operation %lld",
				m->id.name, (long long)m->operation.value);
}

/* By name, the message decides what may follow. */
static bool check_named(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			const struct message *m)
{
	if (!check_operation(reader, profile, m))
		return false;
	if (!m->stream.absent && !gfx_operand_message_has_stream(profile, (uint32_t)m->id.value,
								 (uint32_t)m->operation.value))
		return gfx_operand_fail(reader, m->stream.position,
					"%s takes no stream with operation %lld", m->id.name,
					(long long)m->operation.value);
	return argument_check(reader, &m->stream, "the stream", 0, GFX_OPERAND_STREAM_LIMIT);
}

static bool read_message(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			 struct message *m)
{
	enum gfx_operand_family operations = GFX_OPERAND_GS_OPERATIONS;

	if (!read_argument(reader, GFX_OPERAND_MESSAGES, profile,
			   "a message's name or an absolute expression", &m->id))
		return false;
	if (m->id.value == GFX_OPERAND_MESSAGE_SYSTEM)
		operations = GFX_OPERAND_SYSTEM_OPERATIONS;
	if (gfx_operand_take(reader, ',')) {
		if (!read_argument(reader, operations, profile,
				   "an operation's name or an absolute expression", &m->operation))
			return false;
		if (gfx_operand_take(reader, ',') && !argument_read(reader, &m->stream))
			return false;
	}
	return gfx_operand_at(reader, ')') ||
	       gfx_operand_expect(reader, ')', "after the last argument");
}

bool gfx_operand_parse_sendmsg(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			       uint32_t *operand)
{
	struct message m = {.operation.absent = true, .stream.absent = true};

	if (!take_macro(reader, "sendmsg"))
		return operand_read_whole(reader, "sendmsg(...) or an absolute expression",
					  operand);
	if (!read_message(reader, profile, &m))
		return false;
	if (m.id.name ? !check_named(reader, profile, &m) : !check_numbers(reader, profile, &m))
		return false;
	*operand = (uint32_t)m.id.value |
		   (uint32_t)m.operation.value << GFX_OPERAND_OPERATION_SHIFT |
		   (uint32_t)m.stream.value << GFX_OPERAND_STREAM_SHIFT;
	return gfx_operand_expect(reader, ')', "after the last argument");
}

enum { HWREG_ID, HWREG_OFFSET, HWREG_SIZE, HWREG_ARGUMENTS };

/* hwreg(ID) or hwreg(ID, OFFSET, SIZE), behind the parenthesis. */
static bool read_function(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			  struct argument *arguments)
{
	if (!read_argument(reader, GFX_OPERAND_HARDWARE_REGISTERS, profile,
			   "a register's name or an absolute expression", &arguments[HWREG_ID]))
		return false;
	if (gfx_operand_take(reader, ')'))
		return true;
	return gfx_operand_expect(reader, ',', "or ')' after the register") &&
	       argument_read(reader, &arguments[HWREG_OFFSET]) &&
	       gfx_operand_expect(reader, ',', "between offset and size") &&
	       argument_read(reader, &arguments[HWREG_SIZE]) &&
	       gfx_operand_expect(reader, ')', "after the size");
}

/* One "NAME: NUMBER" between the braces. */
static bool read_member(struct gfx_operand_reader *reader, struct argument *arguments)
{
	static const char *const names[HWREG_ARGUMENTS] = {"id", "offset", "size"};
	char name[64];
	int i = 0;

	gfx_operand_token_text(reader, name);
	while (i < HWREG_ARGUMENTS &&
	       (reader->token.kind != GFX_OPERAND_NAME || strcmp(names[i], name)))
		i++;
	if (i == HWREG_ARGUMENTS)
		return gfx_operand_fail(reader, reader->token.start,
					"expected id, offset or size, not '%s'", name);
	if (!arguments[i].absent)
		return gfx_operand_fail(reader, reader->token.start, "%s is given twice", name);
	gfx_operand_next(reader);
	return gfx_operand_expect(reader, ':', "after the name") &&
	       argument_read(reader, &arguments[i]);
}

/* {id: ID, offset: OFFSET, size: SIZE}, in any order and number, behind the brace. */
static bool read_structure(struct gfx_operand_reader *reader, struct argument *arguments)
{
	bool first = true;

	while (!gfx_operand_take(reader, '}')) {
		if (!first && !gfx_operand_expect(reader, ',', "or '}' after the value"))
			return false;
		if (!read_member(reader, arguments))
			return false;
		first = false;
	}
	return true;
}

bool gfx_operand_parse_hwreg(struct gfx_operand_reader *reader, enum gfx_operand_profile profile,
			     uint32_t *operand)
{
	struct argument arguments[HWREG_ARGUMENTS] = {
		[HWREG_ID] = {.absent = true},
		[HWREG_OFFSET] = {.absent = true},
		[HWREG_SIZE] = {.absent = true, .value = GFX_OPERAND_SIZE_LIMIT},
	};
	const struct argument *id = &arguments[HWREG_ID];

	if (gfx_operand_take(reader, '{')) {
		if (!read_structure(reader, arguments))
			return false;
	} else if (!take_macro(reader, "hwreg")) {
		return operand_read_whole(reader, "hwreg(...), {...} or an absolute expression",
					  operand);
	} else if (!read_function(reader, profile, arguments)) {
		return false;
	}
	if (!argument_check(reader, id, "the register", 0, GFX_OPERAND_REGISTER_LIMIT) ||
	    !argument_check(reader, &arguments[HWREG_OFFSET], "the offset", 0,
			    GFX_OPERAND_OFFSET_LIMIT) ||
	    !argument_check(reader, &arguments[HWREG_SIZE], "the size", 1, GFX_OPERAND_SIZE_LIMIT))
		return false;
	*operand = (uint32_t)id->value |
		   (uint32_t)arguments[HWREG_OFFSET].value << GFX_OPERAND_OFFSET_SHIFT |
		   (uint32_t)(arguments[HWREG_SIZE].value - 1) << GFX_OPERAND_SIZE_SHIFT;
	return true;
}
