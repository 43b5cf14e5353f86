/* SPDX-License-Identifier: MIT */
/* Architectures and their instructions, and the packets of queues. */
#include "replayer/library/created.h"
#include "replayer/library/internal.h"
#include "replayer/library/substitute.h"

/*
 * The recorded process was asked for some machine numbers; an architecture that it knew has its
 * number among its answers, too. Of other machines our tables say what they are, but not to a debugger: it could meet none of
 * them here, and one may be the name of a recorded GPU (substitute.c).
 */
static uint64_t machine_architecture_find(uint32_t machine)
{
	const struct wt_recorded *facts = &wt_replayer.facts;
	const struct wt_item *map =
		wt_recorded_function(facts, WT_ITEM_MAP, WT_FUNCTION_GET_ARCHITECTURE, 0);
	struct wt_key key = {.type = WT_ITEM_OBJECT,
			     .kind = facts->names->objects[WT_OBJECT_ARCHITECTURE]};
	const struct wt_static tables = wt_replay_tables();
	amd_dbgapi_architecture_id_t known;
	uint64_t handle, number;

	if (wt_recorded_map(map, machine, &handle))
		return handle;
	for (size_t i = wt_state_lower_bound(facts->state, &key); i < wt_state_count(facts->state);
	     i++) {
		const struct wt_item *item = wt_state_at(facts->state, i);

		if (item->key.type != key.type || item->key.kind != key.kind)
			break;
		if (wt_recorded_number(facts, WT_OBJECT_ARCHITECTURE, item->key.owner,
				       AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE, &number) &&
		    number == machine)
			return item->key.owner;
	}
	return !wt_replayer.options.host && wt_static_get_architecture(&tables, machine, &known) ==
						    AMD_DBGAPI_STATUS_SUCCESS
		       ? known.handle
		       : 0;
}

amd_dbgapi_status_t wt_answer_get_architecture(uint32_t elf_amdgpu_machine,
					       amd_dbgapi_architecture_id_t *architecture_id)
{
	uint64_t handle;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!architecture_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	wt_substitute_asked(elf_amdgpu_machine);
	handle = wt_substitute_architecture(elf_amdgpu_machine);
	if (!handle && wt_replayer.reader)
		handle = machine_architecture_find(elf_amdgpu_machine);
	if (handle && !wt_substitute_is_gpu(handle))
		handle = 0;
	if (!handle)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE;
	architecture_id->handle = handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Instructions of an architecture that the trace describes, but our tables do not know, are not available. */
static amd_dbgapi_status_t instruction_status_of(amd_dbgapi_status_t status,
						 amd_dbgapi_architecture_id_t architecture)
{
	return status == AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID &&
			       wt_replay_fact(WT_OBJECT_ARCHITECTURE, architecture.handle)
		       ? AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE
		       : status;
}

amd_dbgapi_status_t wt_answer_disassemble_instruction(
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t *size, const void *memory, char **instruction_text,
	amd_dbgapi_symbolizer_id_t symbolizer_id,
	amd_dbgapi_status_t (*symbolizer)(amd_dbgapi_symbolizer_id_t symbolizer_id,
					  amd_dbgapi_global_address_t address, char **symbol_text))
{
	struct wt_static known = wt_replay_static();

	return instruction_status_of(
		wt_static_disassemble_instruction(&known, &wt_replayer.disassemblers,
						  architecture_id, address, size, memory,
						  instruction_text, symbolizer_id, symbolizer),
		architecture_id);
}

amd_dbgapi_status_t
wt_answer_classify_instruction(amd_dbgapi_architecture_id_t architecture_id,
			       amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
			       const void *memory, amd_dbgapi_instruction_kind_t *instruction_kind,
			       amd_dbgapi_instruction_properties_t *instruction_properties,
			       void **instruction_information)
{
	struct wt_static known = wt_replay_static();

	return instruction_status_of(
		wt_static_classify_instruction(&known, &wt_replayer.disassemblers, architecture_id,
					       address, size, memory, instruction_kind,
					       instruction_properties, instruction_information),
		architecture_id);
}

amd_dbgapi_status_t wt_answer_queue_packet_list(amd_dbgapi_queue_id_t queue_id,
						amd_dbgapi_os_queue_packet_id_t *read_packet_id,
						amd_dbgapi_os_queue_packet_id_t *write_packet_id,
						size_t *packets_byte_size, void **packets_bytes)
{
	struct wt_replay_process *process = wt_replay_process_of(WT_OBJECT_QUEUE, queue_id.handle);
	const struct wt_item *item;
	amd_dbgapi_status_t status;
	size_t size;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	queue_id.handle = wt_replay_handle(process, WT_OBJECT_QUEUE, queue_id.handle);
	if (!read_packet_id || !write_packet_id || !packets_byte_size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!wt_replay_exists(process, WT_OBJECT_QUEUE, queue_id.handle)) {
		status = wt_created_setting(process, WT_FUNCTION_QUEUE_PACKET_LIST, 0);
		return status == AMD_DBGAPI_STATUS_SUCCESS
			       ? AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID
			       : status;
	}
	if (process->broken)
		return AMD_DBGAPI_STATUS_FATAL;
	item = wt_recorded_plain(&process->timeline.recorded, WT_ITEM_PACKETS, queue_id.handle);
	if (item && item->status != AMD_DBGAPI_STATUS_SUCCESS)
		return (amd_dbgapi_status_t)item->status;
	if (!item || item->number_count < 2)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	size = item->bytes ? item->bytes->size : 0;
	if (packets_bytes) {
		status = wt_client_return_memory(&wt_replayer.client, sizeof(*packets_bytes),
						 packets_bytes, size ? item->bytes->data : NULL,
						 size);
		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return status;
	}
	*read_packet_id = item->numbers[0];
	*write_packet_id = item->numbers[1];
	*packets_byte_size = size;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
