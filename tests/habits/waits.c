/* SPDX-License-Identifier: MIT */
#include "tests/habits/waits.h"

#include <string.h>

#define PACKET 64u
#define BYTES (2 * (size_t)PACKET)
#define FIRST 5u
#define UNMAPPED UINT64_C(0x123456789000)

/* The first slot of the ring has the first dispatch, whether it was taken or not. */
static void fill(const struct wt_api *api, amd_dbgapi_queue_id_t queue, uint8_t *packets)
{
	amd_dbgapi_process_id_t process = {0};
	const uint64_t unmapped = UNMAPPED;
	amd_dbgapi_size_t size = PACKET;
	uint64_t ring = 0;

	memset(packets, 0, BYTES);
	api->queue_get_info(queue, AMD_DBGAPI_QUEUE_INFO_ADDRESS, sizeof(ring), &ring);
	api->queue_get_info(queue, AMD_DBGAPI_QUEUE_INFO_PROCESS, sizeof(process), &process);
	api->read_memory(process, AMD_DBGAPI_WAVE_NONE, AMD_DBGAPI_LANE_NONE,
			 AMD_DBGAPI_ADDRESS_SPACE_GLOBAL, ring, &size, packets + PACKET);
	packets[0] = 3;
	packets[PACKET] = 2;
	memcpy(packets + 8, &ring, sizeof(ring));
	memcpy(packets + 24, &unmapped, sizeof(unmapped));
}

/* Of pointers that are NULL nothing is asked. */
static int64_t list_none(const amd_dbgapi_callbacks_t *client, const struct wt_argument *arguments)
{
	void **list = arguments[2].pointer;

	if (!arguments[1].pointer || !list)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*list = client->allocate_memory(0);
	if (!*list)
		return AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK;
	*(size_t *)arguments[1].pointer = 0;
	if (arguments[3].pointer)
		*(amd_dbgapi_changed_t *)arguments[3].pointer = AMD_DBGAPI_CHANGED_YES;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static int64_t list_packets(const struct wt_api *api, const amd_dbgapi_callbacks_t *client,
			    const struct wt_argument *arguments)
{
	void **packets = arguments[4].pointer;

	*(uint64_t *)arguments[1].pointer = FIRST;
	*(uint64_t *)arguments[2].pointer = FIRST + BYTES / PACKET;
	*(size_t *)arguments[3].pointer = BYTES;
	if (!packets)
		return AMD_DBGAPI_STATUS_SUCCESS;
	*packets = client->allocate_memory(BYTES);
	if (!*packets)
		return AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK;
	fill(api, (amd_dbgapi_queue_id_t){arguments[0].number}, *packets);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_waits_answer(const struct wt_api *api, const amd_dbgapi_callbacks_t *client,
		     enum wt_function function, const struct wt_argument *arguments,
		     int64_t *status_ret)
{
	if (function == WT_FUNCTION_PROCESS_WAVE_LIST)
		*status_ret = list_none(client, arguments);
	else if (function == WT_FUNCTION_QUEUE_PACKET_LIST)
		*status_ret = list_packets(api, client, arguments);
	else
		return false;
	return true;
}
