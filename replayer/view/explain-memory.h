/* SPDX-License-Identifier: MIT */
/*
 * Whose memory an address is one of, in words: a buffer of the program, by who allocated it; one that was freed before; memory of the
 * program itself. By what the trace has of the program's allocations, and of its mappings.
 */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_MEMORY_H
#define WT_REPLAYER_VIEW_EXPLAIN_MEMORY_H

#include "replayer/view/explain-mapping.h"
#include "trace-format/state/host-facts.h"

enum wt_memory_kind {
	WT_MEMORY_UNKNOWN,
	WT_MEMORY_BUFFER, /* in it: `distance` bytes from its start */
	WT_MEMORY_PAST,	  /* behind it, by `distance` bytes */
	WT_MEMORY_BEFORE, /* `distance` bytes before it */
	WT_MEMORY_FREED,  /* in one that is gone: `distance` bytes from its start */
	WT_MEMORY_HOST,	  /* the program's own, which no GPU was told of */
	WT_MEMORY_NONE,	  /* nobody's */
};

struct wt_memory_owner {
	enum wt_memory_kind kind;
	uint64_t distance;
	bool by_host_address; /* of memory of the program that GPUs have elsewhere */
	const struct wt_host_allocation
		*allocation; /* it belongs to the mappings; NULL of HOST and NONE */
	struct wt_mapping mapping;
};

/** "device": the name of an enum wt_allocation_kind; "unknown" for one of a later version. */
const char *wt_memory_allocation_kind_name(uint32_t kind);

/**
 * Find whose memory an address is one of.
 *
 * @pointer: that the address was made from, for addresses that are outside of its buffer: 0 if that is not known. Then the next
 *	buffer counts, if it is near, and no other one is about as near.
 */
struct wt_memory_owner wt_memory_whose(const struct wt_mappings *mappings, uint64_t process,
				       uint64_t address, uint64_t pointer);

/** The end of the buffer that a pointer leads into; false if it is not known. */
bool wt_memory_end(const struct wt_mappings *mappings, uint64_t process, uint64_t pointer,
		   uint64_t *end_ret);

enum wt_memory_openness {
	WT_MEMORY_MAYBE,
	WT_MEMORY_OPEN,	  /* it was pinned, and GPUs have it there */
	WT_MEMORY_CLOSED, /* it is the program's, and the runtime was not told of it */
};

/**
 * Have GPUs access to a byte, as far as the program's allocations say so?
 *
 * @alike: narrowed to the addresses around it for which the same holds.
 */
enum wt_memory_openness wt_memory_access(const struct wt_mappings *mappings, uint64_t process,
					 uint64_t address, struct wt_span *alike);

/**
 * "24 bytes past the end of a buffer of 4096 bytes, allocated by hipMalloc in main.cpp:33".
 *
 * @host: of the mappings. @now: the time of the stop, nanoseconds since the trace began.
 * @shortly: of a pointer, in few words: "4096 bytes", "64 into 4096 bytes", "freed".
 * @text_ret: for the caller to free(); NULL if nothing is known.
 */
struct wt_error *wt_memory_describe(const struct wt_host *host, int64_t now,
				    const struct wt_memory_owner *memory, bool shortly,
				    char **text_ret);

/** Who called the runtime: the first frame outside of it. */
struct wt_memory_caller {
	const char *
		function; /* of the runtime, that was called: "hipMalloc"; NULL if it is not known */
	const char *file; /* of the source; NULL if it is not known */
	uint32_t line;
	const char *from_file; /* and line: who called that function; NULL if it is not known */
	uint32_t from_line;
	const char *module; /* base name of the mapped file; NULL if it is not known */
	const char *symbol; /* the function that called; NULL if it is not known */
};
struct wt_memory_caller wt_memory_caller_find(const struct wt_host *host,
					      const struct wt_host_allocating *call);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_MEMORY_H */
