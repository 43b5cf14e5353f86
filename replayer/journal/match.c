/* SPDX-License-Identifier: MIT */
#include "replayer/journal/match.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "trace-format/writer/value.h"

/* A correct client passes no more than this in most calls: registers, instructions. */
#define PLAIN_LIMIT 256u
#define IDENTITIES_LIMIT 65536u

void wt_identities_deinit(struct wt_identities *identities)
{
	free(identities->all);
	*identities = (struct wt_identities){0};
}

const void *wt_identities_find(const struct wt_identities *identities, const char *type,
			       uint64_t ordinal)
{
	for (size_t i = 0; i < identities->count; i++)
		if (identities->all[i].ordinal == ordinal && !strcmp(identities->all[i].type, type))
			return identities->all[i].pointer;
	return NULL;
}

static uint64_t match_hash_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

uint64_t wt_match_recorded_hash(const struct wt_whole_call *call)
{
	const struct wt_function_info *info = &wt_functions[call->function];
	uint64_t hash = match_hash_mix(0, call->function);

	for (size_t i = 0; i < info->parameter_count && i < call->input_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_VALUE)
			hash = match_hash_mix(hash, call->inputs[i].number);
	return hash;
}

uint64_t wt_match_hash(enum wt_function function, const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[function];
	uint64_t hash = match_hash_mix(0, function);

	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].shape == WT_SHAPE_VALUE)
			hash = match_hash_mix(hash, arguments[i].number);
	return hash;
}

/* Bytes of the client's whose length is a claim: the kernel looks where it is long. */
static bool client_bytes_are_same(const void *there, const struct wt_value *recorded)
{
	struct iovec from = {.iov_base = (void *)(uintptr_t)there, .iov_len = recorded->size};
	struct iovec to = {.iov_len = recorded->size};
	bool same;

	if (recorded->size <= PLAIN_LIMIT)
		return !recorded->size || !memcmp(there, recorded->data, recorded->size);
	to.iov_base = malloc(recorded->size);
	same = to.iov_base &&
	       process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)recorded->size &&
	       !memcmp(to.iov_base, recorded->data, recorded->size);
	free(to.iov_base);
	return same;
}

/*
 * The arguments handed to a symbolizer do not matter: the symbol that it gives is compared. One between the client and
 * us, as a recorder, has each call's own.
 */
static bool is_handed_on(const struct wt_parameter *parameter)
{
	return !strcmp(parameter->type, "amd_dbgapi_symbolizer_id_t");
}

/* A number and a pointer either stand for each other, or neither for anything yet. */
static bool same_identity(const struct wt_identities *identities, const char *type,
			  const struct wt_value *recorded, const void *pointer)
{
	/* If there were too many identities, the trace only says that the pointer was not NULL. */
	if (recorded->form != WT_VALUE_NUMBER || !recorded->number)
		return (recorded->form == WT_VALUE_NUMBER) == !pointer;
	for (size_t i = 0; i < identities->count; i++) {
		const struct wt_identity *known = &identities->all[i];

		if (strcmp(known->type, type) != 0)
			continue;
		if (known->ordinal == recorded->number || known->pointer == pointer)
			return known->ordinal == recorded->number && known->pointer == pointer;
	}
	return pointer;
}

static uint64_t callbacks_given(const amd_dbgapi_callbacks_t *callbacks)
{
	const bool given[WT_CALLBACK_COUNT] = {
		[WT_CALLBACK_ALLOCATE_MEMORY] = callbacks->allocate_memory,
		[WT_CALLBACK_DEALLOCATE_MEMORY] = callbacks->deallocate_memory,
		[WT_CALLBACK_CLIENT_PROCESS_GET_INFO] = callbacks->client_process_get_info,
		[WT_CALLBACK_INSERT_BREAKPOINT] = callbacks->insert_breakpoint,
		[WT_CALLBACK_REMOVE_BREAKPOINT] = callbacks->remove_breakpoint,
		[WT_CALLBACK_XFER_GLOBAL_MEMORY] = callbacks->xfer_global_memory,
		[WT_CALLBACK_LOG_MESSAGE] = callbacks->log_message,
	};
	uint64_t bits = 0;

	for (int i = 0; i < WT_CALLBACK_COUNT; i++)
		bits |= (uint64_t)given[i] << i;
	return bits;
}

static bool same_input(const struct wt_identities *identities, const struct wt_parameter *parameter,
		       const struct wt_value *recorded, const struct wt_argument *argument)
{
	bool given = recorded->form != WT_VALUE_ABSENT;

	switch (parameter->shape) {
	case WT_SHAPE_VALUE:
		return given && recorded->number == argument->number;
	case WT_SHAPE_OPAQUE:
		return given &&
		       (is_handed_on(parameter) ||
			same_identity(identities, parameter->type, recorded, argument->pointer));
	case WT_SHAPE_INOUT:
		return given == (argument->pointer != NULL) &&
		       (!given ||
			recorded->number == wt_value_load(argument->pointer, parameter->size,
							  parameter->is_signed));
	case WT_SHAPE_IN_BYTES:
		return given == (argument->pointer != NULL) &&
		       (recorded->form != WT_VALUE_DATA ||
			client_bytes_are_same(argument->pointer, recorded));
	case WT_SHAPE_SYMBOLIZER:
		return given == (argument->symbolizer != NULL);
	case WT_SHAPE_CALLBACKS:
		return given == (argument->pointer != NULL) &&
		       (!given || recorded->number == callbacks_given(argument->pointer));
	default:
		return given == (argument->pointer != NULL);
	}
}

bool wt_match(const struct wt_identities *identities, const struct wt_whole_call *call,
	      const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[call->function];

	if (call->input_count != info->parameter_count)
		return false;
	for (size_t i = 0; i < info->parameter_count; i++)
		if (!same_input(identities, &info->parameters[i], &call->inputs[i], &arguments[i]))
			return false;
	return true;
}

struct wt_error *wt_match_bind(struct wt_identities *identities, const struct wt_whole_call *call,
			       const struct wt_argument *arguments)
{
	const struct wt_function_info *info = &wt_functions[call->function];

	for (size_t i = 0; i < info->parameter_count && i < call->input_count; i++) {
		const struct wt_value *recorded = &call->inputs[i];
		struct wt_identity *all;

		if (info->parameters[i].shape != WT_SHAPE_OPAQUE ||
		    is_handed_on(&info->parameters[i]) || recorded->form != WT_VALUE_NUMBER ||
		    !recorded->number || identities->count == IDENTITIES_LIMIT ||
		    wt_identities_find(identities, info->parameters[i].type, recorded->number))
			continue;
		all = reallocarray(identities->all, identities->count + 1, sizeof(*all));
		if (!all)
			return &wt_error_no_memory;
		identities->all = all;
		all[identities->count++] = (struct wt_identity){
			.type = info->parameters[i].type,
			.ordinal = recorded->number,
			.pointer = arguments[i].pointer,
		};
	}
	return NULL;
}
