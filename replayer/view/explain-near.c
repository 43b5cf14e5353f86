/* SPDX-License-Identifier: MIT */
/* Neighbours of an address: mapped memory around it, and the kernel argument that points there. */
#include "replayer/view/explain-cause-internal.h"

#include <string.h>

#include "gfx/architecture/packet.h"
#include "trace-format/state/host-facts.h"

#define LOOK_AROUND (UINT64_C(1) << 24) /* bytes to each side */
#define MAX_PAGES 65536u		/* of one buffer */

/* The recorder's answer for the page of an address; NULL if it did not look there. */
static const struct wt_item *page_find(const struct wt_view *view, uint64_t process,
				       uint64_t address)
{
	const struct wt_key key = {
		.type = WT_ITEM_MEMORY,
		.kind = wt_reader_name_number(wt_view_reader(view), "global"),
		.owner = process,
		.address = address - address % WT_PAGE,
	};

	return wt_state_get(wt_view_state(view), &key);
}

int wt_cause_page(const struct wt_view *view, uint64_t process, uint64_t address, uint64_t *end_ret)
{
	const struct wt_item *item = page_find(view, process, address);

	*end_ret = address - address % WT_PAGE;
	if (!item)
		return 0;
	if (item->status || !item->bytes)
		return -1;
	*end_ret += item->bytes->size;
	return address < *end_ret ? 1 : -1;
}

bool wt_cause_is_reserved(const struct wt_view *view, uint64_t process, uint64_t address)
{
	const struct wt_item *item = page_find(view, process, address);

	return item && item->status == WT_PAGE_RESERVED;
}

bool wt_cause_end(const struct wt_view *view, uint64_t process, uint64_t from, uint64_t *end_ret)
{
	uint64_t at = from;

	for (uint32_t i = 0; i < MAX_PAGES; i++) {
		uint64_t end;
		int state = wt_cause_page(view, process, at, &end);

		if (state == 0 || (state < 0 && at == from))
			return false;
		if (state < 0) {
			*end_ret = at;
			return true;
		}
		at = end;
	}
	return false;
}

/* ---- The argument ---- */

const struct wt_explain_argument *wt_cause_loaded_argument(const struct wt_cause *cause,
							   const struct wt_analysis_step *step,
							   uint32_t word)
{
	uint64_t base = cause->arguments.address, address, lane = cause->lane;

	if (!step->loads || !step->writes || !base || step->access.parts > 1 ||
	    (step->access.space != GFX_ACCESS_GLOBAL && step->access.space != GFX_ACCESS_GENERIC))
		return NULL;
	if (step->access.scalar)
		lane = 0;
	if (!(step->address_known >> lane & 1) || !(step->access.lanes >> lane & 1))
		return NULL;
	address = step->access.addresses[lane] + 4ULL * word;
	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		const struct wt_explain_argument *argument = &cause->arguments.parts[i];

		if (address >= base + argument->offset &&
		    address < base + argument->offset + argument->size)
			return argument;
	}
	return NULL;
}

bool wt_cause_loads_packet(const struct wt_cause *cause, const struct wt_analysis_step *step,
			   uint64_t *offset_ret)
{
	uint32_t lane = step->access.scalar ? 0 : cause->lane;

	if (!step->loads || !step->writes || !cause->packet_address ||
	    (step->access.space != GFX_ACCESS_GLOBAL && step->access.space != GFX_ACCESS_GENERIC) ||
	    !(step->address_known >> lane & 1) || !(step->access.lanes >> lane & 1))
		return false;
	*offset_ret = step->access.addresses[lane] - cause->packet_address;
	return step->access.addresses[lane] >= cause->packet_address &&
	       *offset_ret < GFX_PACKET_SIZE;
}

/* Is a word of an argument a part of the address? */
static bool is_part(const struct wt_cause *cause, const struct wt_explain_argument *argument)
{
	return wt_cause_has_words(cause->analysis.address_arguments, argument);
}

bool wt_cause_has_words(uint64_t words, const struct wt_explain_argument *argument)
{
	uint64_t end = (uint64_t)argument->offset + argument->size;

	/* The last bit stands for all words from there on. */
	for (uint64_t at = argument->offset; at < end; at += 4) {
		uint64_t word = at / 4 < 63 ? at / 4 : 63;

		if (words >> word & 1)
			return true;
		if (word == 63)
			break;
	}
	return false;
}

/* The pointer argument that is a part of the address; SIZE_MAX if there is none, or more than one. */
static size_t pointer_part_find(const struct wt_cause *cause)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < cause->arguments.part_count; i++) {
		if (!cause->arguments.parts[i].pointer ||
		    !is_part(cause, &cause->arguments.parts[i]))
			continue;
		if (found != SIZE_MAX)
			return SIZE_MAX;
		found = i;
	}
	return found;
}

/*
 * Mappings are whole pages: of 4 KiB, 64 KiB or 2 MiB. A number that fills less than half of one has another meaning as well as
 * this.
 */
static bool ends_after(uint64_t start, uint64_t bytes, uint64_t end)
{
	static const uint64_t pages[] = {1, 4096, 65536, UINT64_C(1) << 21};

	if (bytes < (end - start) / 2)
		return false;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if ((start + bytes + pages[i] - 1) / pages[i] * pages[i] == end)
			return true;
	return false;
}

bool wt_cause_counts(const struct wt_cause *cause, const struct wt_explain_argument *pointer,
		     const struct wt_explain_argument *argument, uint64_t end)
{
	return wt_cause_is_number(argument) &&
	       ends_after(pointer->value, argument->value * cause->near.unit, end);
}

/*
 * The first byte that is not mapped behind a pointer, where pages between were not recorded: the nearest end below the
 * address, if an argument says that it is the pointer's.
 */
static bool find_counted_end(const struct wt_cause *cause,
			     const struct wt_explain_argument *pointer, uint64_t *end_ret)
{
	uint64_t end = cause->near.before_end;

	if (!cause->near.mapped_before || end <= pointer->value)
		return false;
	for (size_t i = 0; i < cause->arguments.part_count; i++)
		if (wt_cause_counts(cause, pointer, &cause->arguments.parts[i], end)) {
			*end_ret = end;
			return true;
		}
	return false;
}

/* Is all between two addresses one readable mapping of the recorded process? */
static struct wt_error *is_one_mapping(const struct wt_view *view, uint64_t from, uint64_t to,
				       bool *is_one_ret)
{
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(wt_view_reader(view), &host);

	*is_one_ret = false;
	for (size_t i = 0; !error && host && i < host->maps_count; i++) {
		const struct wt_host_map *map = &host->maps[i];

		*is_one_ret |= map->access[0] == 'r' && map->start <= from && to <= map->end;
	}
	wt_host_destroy(host);
	return error;
}

/*
 * The same where no argument says it: the nearest end below the address, if what is mapped where the pointer points goes on up to
 * there.
 */
static struct wt_error *find_mapped_end(const struct wt_view *view, struct wt_cause *cause,
					const struct wt_explain_argument *pointer)
{
	struct wt_cause_near *near = &cause->near;

	if (near->has_end || !pointer->value || !near->mapped_before ||
	    near->before_end <= pointer->value)
		return NULL;
	near->end = near->before_end;
	return is_one_mapping(view, pointer->value, near->end, &near->has_end);
}

/*
 * The same where the pages there were not recorded, since the wave had gone on: the end of what the GPU's driver has mapped where the
 * pointer points.
 */
static void find_driver_end(const struct wt_mappings *mappings, uint64_t process,
			    struct wt_cause *cause, const struct wt_explain_argument *pointer)
{
	struct wt_mapping mapping = {.end = pointer->value};

	if (cause->near.has_end || !pointer->value)
		return;
	do
		mapping = wt_mapping_at(mappings, process, mapping.end);
	while (mapping.kind == WT_MAPPING_DEVICE && (cause->near.end = mapping.end));
	cause->near.has_end = mapping.kind == WT_MAPPING_NONE && cause->near.end > pointer->value;
}

/* The end of the buffer counts where that is known: memory behind it is another's. */
static void find_buffer_end(const struct wt_mappings *mappings, uint64_t process,
			    struct wt_cause *cause, const struct wt_explain_argument *pointer)
{
	struct wt_cause_near *near = &cause->near;
	uint64_t end;

	if (!wt_memory_end(mappings, process, pointer->value, &end) ||
	    (near->has_end && near->end == end))
		return;
	near->has_end = near->buffer = true;
	near->end = end;
}

/* ---- Around the address ---- */

/* Memory ends where it is known to: behind a page that was recorded may be one that was not. */
static void mapped_find_below(const struct wt_view *view, uint64_t process, struct wt_cause *cause)
{
	uint64_t lowest = cause->address > LOOK_AROUND ? cause->address - LOOK_AROUND : 0;
	uint64_t at = cause->address, end, unused;

	/* From page to page down: what is nearest. */
	for (at -= at % WT_PAGE; at >= lowest; at -= WT_PAGE) {
		int state = wt_cause_page(view, process, at, &end);

		if (state == 1 && end <= cause->address) {
			cause->near.mapped_before =
				wt_cause_page(view, process, end, &unused) == -1;
			cause->near.before_end = end;
			return;
		}
		if (at < WT_PAGE)
			return;
	}
}

static void find_above(const struct wt_view *view, uint64_t process, struct wt_cause *cause)
{
	uint64_t from, to;

	if (wt_view_memory_next(view, "global", process, cause->address, &from, &to) &&
	    from > cause->address && from - cause->address <= LOOK_AROUND) {
		cause->near.mapped_after = true;
		cause->near.after_start = from;
	}
}

/* The element is the next one at or below the address. */
static void near_place(struct wt_cause_near *near, uint32_t size)
{
	int64_t unit = near->unit, rest = unit ? near->byte_offset % unit : 0;

	rest += rest < 0 ? unit : 0;
	near->rest = (uint32_t)rest;
	near->whole = unit && size && (!rest || rest + size <= unit);
	near->element = near->whole ? (near->byte_offset - rest) / unit : 0;
}

static struct wt_error *relate_to_argument(const struct wt_view *view,
					   const struct wt_mappings *mappings, uint64_t process,
					   struct wt_cause *cause)
{
	struct wt_error *error;
	struct wt_cause_near *near = &cause->near;
	const struct wt_explain_argument *argument;
	uint32_t size = cause->wave.access.size;

	near->argument = pointer_part_find(cause);
	if (near->argument == SIZE_MAX)
		return NULL;
	argument = &cause->arguments.parts[near->argument];
	/* The list may have no room for what is long ago. */
	if (!argument->known ||
	    (cause->analysis.whole && !wt_cause_points_on(cause, 0, argument))) {
		near->argument = SIZE_MAX;
		return NULL;
	}
	near->byte_offset = (int64_t)(cause->address - argument->value);
	near->unit = argument->element ? argument->element : size;
	near_place(near, size);
	near->has_end =
		argument->value && (wt_cause_end(view, process, argument->value, &near->end) ||
				    find_counted_end(cause, argument, &near->end));
	error = find_mapped_end(view, cause, argument);
	if (!error)
		find_driver_end(mappings, process, cause, argument);
	if (!error)
		find_buffer_end(mappings, process, cause, argument);
	return error;
}

struct wt_error *wt_cause_look_around(struct wt_view *view, const struct wt_mappings *mappings,
				      uint64_t process, struct wt_cause *cause)
{
	cause->near.argument = SIZE_MAX;
	if (cause->wave.access.space == GFX_ACCESS_LOCAL ||
	    cause->wave.access.space == GFX_ACCESS_PRIVATE)
		return NULL;
	mapped_find_below(view, process, cause);
	find_above(view, process, cause);
	if (cause->analysed && cause->analysis.end == WT_ANALYSIS_ARRIVED)
		return relate_to_argument(view, mappings, process, cause);
	return NULL;
}
