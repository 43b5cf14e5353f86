/* SPDX-License-Identifier: MIT */
/*
 * Whose memory an address is one of, by what the trace says of the mappings of the recorded program. A debugger reads the program's
 * own memory like that of the GPU, which has access to what the driver knows of alone.
 */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_MAPPING_H
#define WT_REPLAYER_VIEW_EXPLAIN_MAPPING_H

#include "replayer/view/view.h"

/* Drivers name pages of this size. */
#define WT_DRIVER_PAGE UINT64_C(4096)

enum wt_mapping_kind {
	WT_MAPPING_UNKNOWN,  /* nothing is known of that stop's mappings, or not of all */
	WT_MAPPING_NONE,     /* nothing is mapped there */
	WT_MAPPING_RESERVED, /* addresses alone: without a name, and nobody may access them */
	WT_MAPPING_DEVICE,   /* of a GPU's driver */
	WT_MAPPING_HOST, /* the program's own: its heap, a file, or memory without a name. The driver may know of it all the same */
};

/* Addresses for which something holds alike: from the first to the last. */
struct wt_span {
	uint64_t first, last;
};

/** Leave of a span, which has @address, what is on the same side of both limits of a range as that. @end: past its last byte. */
static inline void wt_span_narrow(struct wt_span *span, uint64_t address, uint64_t start,
				  uint64_t end)
{
	if (address < start)
		span->last = span->last < start - 1 ? span->last : start - 1;
	else
		span->first = span->first > start ? span->first : start;
	if (address >= end)
		span->first = span->first > end ? span->first : end;
	else
		span->last = span->last < end - 1 ? span->last : end - 1;
}

/** Leave of a span what is in another one, too. */
static inline void wt_span_intersect(struct wt_span *span, const struct wt_span *other)
{
	span->first = span->first > other->first ? span->first : other->first;
	span->last = span->last < other->last ? span->last : other->last;
}

struct wt_mapping {
	enum wt_mapping_kind kind;
	struct wt_span
		alike; /* addresses that are in it, or that are, as the one that was asked for, in none */
	uint64_t start, end, offset; /* of its first byte in the file */
	bool executable;	     /* by the host */
	const char *name;	     /* "[heap]", a file, or ""; it belongs to the mappings */
};

struct wt_mappings;
struct wt_host;

/** The mappings that were recorded with the stop of a view. */
struct wt_error *wt_mappings_create(const struct wt_view *view, struct wt_mappings **mappings_ret);
void wt_mappings_destroy(struct wt_mappings *mappings);

/**
 * The mapping that an address of a process is in; where nothing is mapped, start and end are those of the driver's that ends there or up
 * to 1 MiB below.
 */
struct wt_mapping wt_mapping_at(const struct wt_mappings *mappings, uint64_t process,
				uint64_t address);

/**
 * The page that the kernel's driver named for a memory violation: the one that has @address, or else any.
 *
 * @page_ret: its address. Return: false if it named none.
 */
bool wt_mappings_device_fault(const struct wt_mappings *mappings, uint64_t process,
			      uint64_t address, uint64_t *page_ret);

/** Is an address in a page that it named? So are all addresses of that page. */
static inline bool wt_mappings_device_named(const struct wt_mappings *mappings, uint64_t process,
					    uint64_t address)
{
	uint64_t page;

	return wt_mappings_device_fault(mappings, process, address, &page) &&
	       address - page < WT_DRIVER_PAGE;
}

/** The host that those are of, with what the program had allocated then; NULL if nothing is known of that stop, or of that process. */
const struct wt_host *wt_mappings_host(const struct wt_mappings *mappings, uint64_t process);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_MAPPING_H */
