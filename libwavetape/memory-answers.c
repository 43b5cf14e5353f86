/* SPDX-License-Identifier: MIT */
/* Recorded memory and code objects. */
#include "libwavetape/handles.h"

#include <inttypes.h>
#include <string.h>

#include "replayer/recorded/table-names.h"

static const char cannot_read[] = "cannot read the memory";
static const char cannot_show[] = "cannot show the code object";

/* The spaces whose recorded parts can be listed. */
static bool space_is_listed(const char *space)
{
	return !strcmp(space, "global") || !strcmp(space, "local") ||
	       !strcmp(space, "private_wave");
}

/* A request for memory, as far as it was read. */
struct request {
	struct wavetape_stop *stop;
	const char *space;
	uint64_t wave, address;
	uint32_t lane;
	uint8_t *data, *known;
	size_t size;
};

/* Returns where, behind bytes that are not known, the next known one may be. */
static size_t request_skip_unknown(const struct request *request, size_t position)
{
	uint64_t address = request->address + position, owner = 0, from, to;

	if (!space_is_listed(request->space))
		return position + 1;
	if (!strcmp(request->space, "local"))
		owner = wt_view_number_or(request->stop->view, WT_OBJECT_WAVE, request->wave,
					  AMD_DBGAPI_WAVE_INFO_WORKGROUP, 0);
	else if (!strcmp(request->space, "private_wave"))
		owner = request->wave;
	if (!wt_view_memory_next(request->stop->view, request->space, owner, address, &from, &to) ||
	    from < address || from - request->address >= request->size)
		return request->size;
	return from == address ? position + 1 : (size_t)(from - request->address);
}

/* Return: how many bytes are known. */
static size_t request_read(const struct request *request)
{
	size_t position = 0, total = 0;

	while (position < request->size) {
		size_t got = wt_view_memory(request->stop->view, request->space, request->wave,
					    request->lane, request->address + position,
					    request->data + position, request->size - position);

		if (request->known)
			memset(request->known + position, 1, got);
		total += got;
		position += got;
		if (!request->known)
			break;
		if (position < request->size)
			position = request_skip_unknown(request, position);
	}
	return total;
}

struct wavetape_error *wavetape_memory_read(struct wavetape_stop *stop, const char *space,
					    uint64_t wave, uint32_t lane, uint64_t address,
					    void *data, uint8_t *known, size_t size,
					    size_t *known_bytes_ret)
{
	const struct request request = {
		.stop = stop,
		.space = space,
		.wave = wave,
		.address = address,
		.lane = lane,
		.data = data,
		.known = known,
		/* Nothing is behind the end of the address space. */
		.size = size && size - 1 > UINT64_MAX - address ? -address : size,
	};
	enum gfx_space known_space;

	if (!stop || !space || (!data && size) || !known_bytes_ret)
		return wt_wrong_argument(cannot_read, "an argument is NULL");
	if (!wt_table_names_space(space, &known_space))
		return wt_wrong_argument(cannot_read,
					 "the space is global, generic, local, private_lane or "
					 "private_wave");
	if (strcmp(space, "global") && !wave)
		return wt_wrong_argument(cannot_read, "only global memory is not of a wave");
	if (size)
		memset(data, 0, size);
	if (known)
		memset(known, 0, size);
	*known_bytes_ret = request_read(&request);
	return NULL;
}

struct wavetape_error *wavetape_memory_next(const struct wavetape_stop *stop, const char *space,
					    uint64_t owner, uint64_t address, uint64_t *from_ret,
					    uint64_t *to_ret)
{
	uint64_t from = 0, to = 0;

	if (!stop || !space || !from_ret || !to_ret)
		return wt_wrong_argument(cannot_read, "an argument is NULL");
	if (!space_is_listed(space))
		return wt_wrong_argument(cannot_read,
					 "what is recorded can be listed of global, local and "
					 "private_wave memory");
	if (strcmp(space, "global") && !owner)
		return wt_wrong_argument(cannot_read, "this memory has an owner, which is not 0");
	/* A run up to the end of the address space ends at 0. */
	if (!wt_view_memory_next(stop->view, space, owner, address, &from, &to))
		from = to = 0;
	*from_ret = from;
	*to_ret = to;
	return NULL;
}

struct wavetape_error *wavetape_code_object(struct wavetape_stop *stop, uint64_t number,
					    struct wavetape_code_object *code_object_ret)
{
	struct wavetape_code_object filled;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	if (!wt_view_lists(stop->view, WT_OBJECT_CODE_OBJECT, number))
		return wt_public(wt_error_create(WT_ERROR_NOT_FOUND, cannot_show, stop->trace->path,
						 "there is no code object %" PRIu64 " at stop %u",
						 number, stop->number));
	wt_view_code_object(stop->view, number, &filled);
	return wt_give(cannot_show, &filled, sizeof(filled), code_object_ret);
}
