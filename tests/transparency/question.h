/* SPDX-License-Identifier: MIT */
/* Questions to a library of the API: what is asked, and the line that is printed of the answer. */
#ifndef TESTS_TRANSPARENCY_QUESTION_H
#define TESTS_TRANSPARENCY_QUESTION_H

#include "dbgapi/table/api.h"

#define PAGE 4096u

enum kind {
	QUERY,
	LIST,
	REGISTER,
	EXISTS,
	REGISTERS,
	PACKETS,
	MEMORY,
	TEXT,
	MEMBER,
	ADDRESS,
	CLASS
};

struct question {
	enum kind kind;
	int what;				      /* object or function */
	uint64_t owner, number, address, lane, other; /* handle, as `number` */
};

extern struct wt_api api;
extern uint64_t process; /* attached to */

/** Print a question and its answer on a line. */
void ask(const struct question *question);

/** Any get_info function. */
amd_dbgapi_status_t get_info(enum wt_object object, uint64_t handle, uint32_t query, size_t size,
			     void *value);

/** A list, for free(); NULL if there is none. */
uint64_t *get_list(enum wt_function function, uint64_t owner, size_t *count_ret,
		   amd_dbgapi_status_t *status_ret);

#endif /* TESTS_TRANSPARENCY_QUESTION_H */
