/* SPDX-License-Identifier: MIT */
/* Writing traces of waves that never ran: what all have alike. */
#ifndef WT_TEST_PLANTED_ITEMS_H
#define WT_TEST_PLANTED_ITEMS_H

#include "base/buffer.h"
#include "base/cleanup.h"
#include "dbgapi/table/api.h"
#include "gfx/architecture/architecture.h"
#include "tests/end-to-end/planted.h"
#include "trace-format/writer/writer.h"

#define PROCESS 7u
#define SCALARS 102u
#define VECTORS 256u
/* Positions of registers: scalar ones, vector ones, and these. */
enum planted_register {
	PLANTED_PC = SCALARS + VECTORS,
	PLANTED_EXEC,
	PLANTED_VCC,
	PLANTED_COUNT,
};

struct planted {
	const struct gfx_architecture *architecture;
	uint32_t lanes;
	struct wt_writer *writer;
	struct wt_state *state;
};

struct object {
	enum wt_object kind;
	uint64_t handle;
	struct wt_answer answers[16];
	uint64_t values[16][2];
	size_t count;
};

/** Ends the program with a message if there is an error. */
void must(struct wt_error *error);

uint32_t name_of(const struct planted *planted, const char *text);
void put_list(struct planted *planted, enum wt_function function, uint64_t owner, uint64_t *handles,
	      size_t count);

/** An answer of an object: bytes, which must live until it is put; a number; a text. */
void answer(const struct planted *planted, struct object *object, uint32_t query, const void *value,
	    size_t size);
void number(const struct planted *planted, struct object *object, uint32_t query, uint64_t value);
void text(const struct planted *planted, struct object *object, uint32_t query, const char *value);
void put_object(struct planted *planted, struct object *object);
void put_bytes(struct planted *planted, struct wt_item *item, const void *data, size_t size);

/** A register by its position. */
struct gfx_register register_at(const struct planted *planted, uint32_t position);

/** Create the writer, and write what holds at every moment. @planted: its architecture and lanes are set. */
void begin_trace(struct planted *planted, const char *path);
/** A process with an agent and a code object, at PLANTED_LOAD. */
void put_program(struct planted *planted, const char *path);
/** Write a moment with the state: one after an attach, or a stop. */
void put_moment(struct planted *planted, bool stop);

#endif /* WT_TEST_PLANTED_ITEMS_H */
