/* SPDX-License-Identifier: MIT */
#include "tool/hang.h"

#include <stdlib.h>

/* Looks at the queues in the time after which a program that does not go on counts as hanging. */
#define LOOKS 4u
#define LOOK_MIN_MS 20u
#define LOOK_MAX_MS 15000u

static uint64_t hang_pause(const struct wt_tool_hang *hang)
{
	uint64_t pause = hang->after_ms / LOOKS;

	pause = pause < LOOK_MIN_MS ? LOOK_MIN_MS : pause;
	return pause > LOOK_MAX_MS ? LOOK_MAX_MS : pause;
}

struct wt_tool_hang wt_tool_hang_start(uint64_t after_ms, uint64_t now_ms)
{
	struct wt_tool_hang hang = {.after_ms = after_ms, .since_ms = now_ms};

	hang.next_ms = now_ms + hang_pause(&hang);
	return hang;
}

int wt_tool_hang_wait(const struct wt_tool_hang *hang, uint64_t now_ms)
{
	if (!hang->after_ms)
		return -1;
	return hang->next_ms <= now_ms ? 0 : (int)(hang->next_ms - now_ms);
}

static uint64_t hash_mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (sum >> 29);
}

/* The driver's number of a queue: handles are others after each attach. */
static uint64_t queue_number(const struct wt_api *api, amd_dbgapi_queue_id_t queue)
{
	amd_dbgapi_os_queue_id_t number;

	return api->queue_get_info(queue, AMD_DBGAPI_QUEUE_INFO_OS_ID, sizeof(number), &number) ==
			       AMD_DBGAPI_STATUS_SUCCESS
		       ? number
		       : queue.handle;
}

/* A number that changes when a queue comes, goes or takes a packet; @waits_ret: has any queue packets? */
static bool hang_look_at_queues(const struct wt_api *api, amd_dbgapi_process_id_t process,
				uint64_t *moved_ret, bool *waits_ret)
{
	amd_dbgapi_queue_id_t *queues = NULL;
	size_t count = 0;
	uint64_t moved = 0;
	bool waits = false;

	if (api->process_queue_list(process, &count, &queues, NULL) != AMD_DBGAPI_STATUS_SUCCESS)
		return false;
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_os_queue_packet_id_t read = 0, write = 0;
		size_t size;

		/* The packets of other kinds of queues are known to the program's own library alone. */
		if (api->queue_packet_list(queues[i], &read, &write, &size, NULL) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
			continue;
		/* The order of queues in the list means nothing, so a sum does not depend on it. */
		moved += hash_mix(hash_mix(1, queue_number(api, queues[i])), read);
		waits |= read != write;
	}
	free(queues);
	*moved_ret = moved;
	*waits_ret = waits;
	return true;
}

bool wt_tool_hang_note(struct wt_tool_hang *hang, uint64_t moved, bool waits, uint64_t now_ms)
{
	hang->next_ms = now_ms + hang_pause(hang);
	if (!waits || moved != hang->moved) {
		hang->moved = moved;
		hang->since_ms = now_ms;
		hang->told = false;
		return false;
	}
	if (hang->told || now_ms - hang->since_ms < hang->after_ms)
		return false;
	hang->told = true;
	return true;
}

bool wt_tool_hang_check(struct wt_tool_hang *hang, const struct wt_api *api,
			amd_dbgapi_process_id_t process, uint64_t now_ms)
{
	uint64_t moved;
	bool waits;

	if (!hang->after_ms || now_ms < hang->next_ms)
		return false;
	if (!api) {
		waits = hang->look(&moved);
		return wt_tool_hang_note(hang, moved, waits, now_ms);
	}
	if (hang_look_at_queues(api, process, &moved, &waits))
		return wt_tool_hang_note(hang, moved, waits, now_ms);
	hang->next_ms = now_ms + hang_pause(hang);
	return false;
}
