/* SPDX-License-Identifier: MIT */
/*
 * The recorder's own questions: what it asks the wrapped library, to put it into the state. They are asked on the
 * client's thread, never inside a callback, with `changed` = NULL (the flag is one per process, not per caller), and
 * are not in the journal. The lock is held.
 */
#ifndef WT_RECORDER_RECORDING_QUESTION_H
#define WT_RECORDER_RECORDING_QUESTION_H

#include "recorder/recording/recorder.h"

/* Generated: one call of the get_info or list function of a kind, whatever its types are. */
amd_dbgapi_status_t wt_ask_get_info(const struct wt_api *api, enum wt_object object,
				    uint64_t handle, uint32_t query, size_t value_size,
				    void *value);
/** @handles_ret: an array of ours, to free(). INVALID_ARGUMENT for what is no list. */
amd_dbgapi_status_t wt_ask_list(const struct wt_api *api, enum wt_function function, uint64_t owner,
				size_t *count_ret, uint64_t **handles_ret);

/**
 * One query, its result as bytes (dbgapi/client/marshal.h) behind what is in the buffer.
 *
 * Identities are zeros in a reproducible trace, pointers of the client's are ordinals.
 */
amd_dbgapi_status_t wt_ask(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
			   const struct wt_query *query, struct wt_buffer *buffer);

/** A query whose result is an integer or a handle of 4 or 8 bytes; false if there is no answer. */
bool wt_ask_number(struct wt_recorder *recorder, enum wt_object object, uint64_t handle,
		   uint32_t query, uint64_t *number_ret);

/** The ordinal of a client thread. */
uint64_t wt_question_client_thread(struct wt_recorder *recorder, const void *thread);

/** Keys of the state. */
static inline struct wt_key wt_key_object(struct wt_recorder *recorder, enum wt_object object,
					  uint64_t handle)
{
	return (struct wt_key){.type = WT_ITEM_OBJECT,
			       .kind = wt_number_object(&recorder->numbers, object),
			       .owner = handle};
}

struct wt_key wt_key_function(struct wt_recorder *recorder, enum wt_item_type type,
			      enum wt_function function, uint64_t owner);
static inline struct wt_key wt_key_plain(enum wt_item_type type, uint64_t owner)
{
	return (struct wt_key){.type = type, .owner = owner};
}

/** Ask all queries of an object, and put the answers into a state. */
struct wt_error *wt_take_object(struct wt_recorder *recorder, struct wt_state *state,
				enum wt_object object, uint64_t handle);
/** @item_ret: the item, until another takes its place in the state. */
struct wt_error *wt_take_object_item(struct wt_recorder *recorder, struct wt_state *state,
				     enum wt_object object, uint64_t handle,
				     const struct wt_item **item_ret);

/** The answers of an event's queries, in one piece of memory, as wt_attached_add_event() takes it over. */
struct wt_error *wt_take_event(struct wt_recorder *recorder, uint64_t handle, uint32_t kind,
			       struct wt_event *event_ret);

/**
 * Ask for a list, and put it into a state.
 *
 * @handles_ret: the handles, to free(); none if the library refused.
 */
struct wt_error *wt_take_list(struct wt_recorder *recorder, struct wt_state *state,
			      enum wt_function function, uint64_t owner, size_t *count_ret,
			      uint64_t **handles_ret);

/** Put a list and all its objects into a state. @handles_ret and @count_ret may be NULL. */
struct wt_error *wt_take_objects(struct wt_recorder *recorder, struct wt_state *state,
				 enum wt_object object, uint64_t owner, size_t *count_ret,
				 uint64_t **handles_ret);

/** Put an item with bytes into a state; @data is copied. */
struct wt_error *wt_take_bytes(struct wt_state *state, const struct wt_item *item, const void *data,
			       size_t size);

#endif /* WT_RECORDER_RECORDING_QUESTION_H */
