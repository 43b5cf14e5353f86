/* SPDX-License-Identifier: MIT */
#include "replayer/library/other.h"

#include "replayer/library/notifier.h"

static struct wt_replay_other *find(uint64_t handle)
{
	for (size_t i = 0; handle && i < WT_REPLAY_OTHERS; i++)
		if (wt_replayer.others[i].handle == handle)
			return &wt_replayer.others[i];
	return NULL;
}

bool wt_other_attach(uint64_t handle, const struct wt_replay_process *like)
{
	struct wt_replay_other *place = NULL;

	for (size_t i = 0; !place && i < WT_REPLAY_OTHERS; i++)
		if (!wt_replayer.others[i].handle)
			place = &wt_replayer.others[i];
	if (!handle || !place || find(handle) || !wt_notifier_open(place->notifier))
		return false;
	place->handle = handle;
	place->has_os_id = like->has_os_id;
	place->os_id = like->os_id;
	/* Whoever attaches learns first of the runtime. */
	wt_notifier_raise(place->notifier);
	return true;
}

void wt_other_detach(uint64_t handle)
{
	struct wt_replay_other *other = find(handle);

	if (!other)
		return;
	wt_notifier_close(other->notifier);
	other->handle = 0;
}

void wt_other_detach_all(void)
{
	for (size_t i = 0; i < WT_REPLAY_OTHERS; i++)
		wt_other_detach(wt_replayer.others[i].handle);
}

bool wt_other_info(uint64_t handle, uint32_t query, size_t value_size, void *value,
		   amd_dbgapi_status_t *status_ret)
{
	const struct wt_replay_other *other = find(handle);
	const struct wt_client *client = &wt_replayer.client;

	if (!other)
		return false;
	switch (query) {
	case AMD_DBGAPI_PROCESS_INFO_NOTIFIER:
		*status_ret = wt_client_return(client, value_size, value, &other->notifier[0],
					       sizeof(other->notifier[0]));
		return true;
	case AMD_DBGAPI_PROCESS_INFO_OS_ID:
		*status_ret = AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		if (other->has_os_id)
			*status_ret = wt_client_return(client, value_size, value, &other->os_id,
						       sizeof(other->os_id));
		return true;
	default:
		return false;
	}
}

void wt_other_notify(void)
{
	for (size_t i = 0; i < WT_REPLAY_OTHERS; i++)
		if (wt_replayer.others[i].handle && wt_replay_is_in_step() &&
		    wt_call_cursor_expects_event(&wt_replayer.cursor, wt_replayer.others[i].handle))
			wt_notifier_raise(wt_replayer.others[i].notifier);
}
