/* SPDX-License-Identifier: MIT */
/* Fields and names of symbolic operands, as data. Private to gfx/operand/. */
#ifndef GFX_OPERAND_TABLES_H
#define GFX_OPERAND_TABLES_H

#include "gfx/operand/operand.h"

#define GFX_OPERAND_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A name that some profiles have; bits 1 << enum gfx_operand_profile. */
struct gfx_operand_name {
	const char *name;
	uint8_t value;
	uint16_t profiles;
};

/* A field of up to two parts. The second one has the upper bits of the value; its width is 0 if there is none. */
struct gfx_operand_field {
	const char *name;
	uint8_t shift, width;
	uint8_t high_shift, high_width;
	uint16_t profiles;
};

/** The largest value of a field; its value in an operand; the operand with another value in the field. */
uint32_t gfx_operand_field_limit(const struct gfx_operand_field *field);
uint32_t gfx_operand_field_get(const struct gfx_operand_field *field, uint32_t operand);
uint32_t gfx_operand_field_set(const struct gfx_operand_field *field, uint32_t operand,
			       uint32_t value);

static inline bool gfx_operand_in(uint16_t profiles, enum gfx_operand_profile profile)
{
	return profiles >> profile & 1;
}

/** The counters of s_waitcnt: three, in printing order. */
#define GFX_OPERAND_COUNTERS 3
const struct gfx_operand_field *gfx_operand_counters(enum gfx_operand_profile profile);

/** The fields of depctr: seven in printing order, not all in every profile. */
#define GFX_OPERAND_DEPCTR_FIELDS 7
const struct gfx_operand_field *gfx_operand_depctr_fields(void);

/* The fields of s_delay_alu: instid0, instskip, instid1. */
#define GFX_OPERAND_DELAY_FIELDS 3
const struct gfx_operand_field *gfx_operand_delay_fields(void);

/** The name of a value of a field of s_delay_alu; NULL for values without one. */
const char *gfx_operand_delay_name(const struct gfx_operand_field *field, uint32_t value);
/** The value of a name of @length bytes; false if there is none. */
bool gfx_operand_delay_value(const struct gfx_operand_field *field, const char *name, size_t length,
			     uint32_t *value_ret);

/* Families of names. */
enum gfx_operand_family {
	GFX_OPERAND_MESSAGES,
	GFX_OPERAND_GS_OPERATIONS,
	GFX_OPERAND_SYSTEM_OPERATIONS,
	GFX_OPERAND_HARDWARE_REGISTERS,
};

/** The name of a value in a profile, or NULL. */
const char *gfx_operand_name_of(enum gfx_operand_family family, enum gfx_operand_profile profile,
				uint32_t value);

/**
 * Find the entry of a name of @length bytes: one that the profile has or, if there is none, one that only
 * other profiles have; else NULL.
 */
const struct gfx_operand_name *gfx_operand_find(enum gfx_operand_family family,
						enum gfx_operand_profile profile, const char *name,
						size_t length);

/* s_sendmsg. */
enum {
	GFX_OPERAND_MESSAGE_GS = 2,
	GFX_OPERAND_MESSAGE_GS_DONE = 3,
	GFX_OPERAND_MESSAGE_SYSTEM = 15,
	GFX_OPERAND_GS_NOP = 0,
	GFX_OPERAND_OPERATION_SHIFT = 4,
	GFX_OPERAND_STREAM_SHIFT = 8,
	GFX_OPERAND_OPERATION_LIMIT = 7,
	GFX_OPERAND_STREAM_LIMIT = 3,
};

/** The largest message id. From gfx11 on it has the bits of the operation, too. */
uint32_t gfx_operand_message_limit(enum gfx_operand_profile profile);

/* Parts that a message with a name has besides its id. */
bool gfx_operand_message_is_gs(enum gfx_operand_profile profile, uint32_t message);
bool gfx_operand_message_has_operation(enum gfx_operand_profile profile, uint32_t message);
bool gfx_operand_message_has_stream(enum gfx_operand_profile profile, uint32_t message,
				    uint32_t operation);
/** Whether a message has an operation; 0 fits a message without operations. */
bool gfx_operand_operation_fits(enum gfx_operand_profile profile, uint32_t message,
				uint32_t operation);
/** The family of names of a message's operations. */
enum gfx_operand_family gfx_operand_operations_of(uint32_t message);

/* hwreg. */
enum {
	GFX_OPERAND_REGISTER_LIMIT = 63,
	GFX_OPERAND_OFFSET_SHIFT = 6,
	GFX_OPERAND_OFFSET_LIMIT = 31,
	GFX_OPERAND_SIZE_SHIFT = 11,
	GFX_OPERAND_SIZE_LIMIT = 32,
};

#endif /* GFX_OPERAND_TABLES_H */
