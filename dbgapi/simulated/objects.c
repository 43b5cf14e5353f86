/* SPDX-License-Identifier: MIT */
/* Objects that are there from the start: code objects, agents, queues. */
#include "dbgapi/simulated/internal.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/uri.h"

#define PACKET_BYTES 64u

amd_dbgapi_status_t amd_dbgapi_process_code_object_list(amd_dbgapi_process_id_t process_id,
							size_t *code_object_count,
							amd_dbgapi_code_object_id_t **code_objects,
							amd_dbgapi_changed_t *changed)
{
	return wt_list(WT_OBJECT_CODE_OBJECT, process_id, code_object_count, code_objects, changed);
}

/* By the documented grammar: of the file, or of the process's memory that holds the image. */
static amd_dbgapi_status_t answer_uri(const struct wt_api_code_object *object, size_t value_size,
				      void *value)
{
	const struct wt_device_code_object *device = object->device;
	wt_cleanup_free char *uri = NULL;

	if (!device->image_address)
		return wt_client_return_string(&wt_provider.client, value_size, value, device->uri);
	uri = wt_uri_of_memory((uint64_t)object->entry.process->os_id, device->image_address,
			       device->image_size);
	if (!uri)
		return AMD_DBGAPI_STATUS_FATAL;
	return wt_client_return_string(&wt_provider.client, value_size, value, uri);
}

amd_dbgapi_status_t amd_dbgapi_code_object_get_info(amd_dbgapi_code_object_id_t code_object_id,
						    amd_dbgapi_code_object_info_t query,
						    size_t value_size, void *value)
{
	const struct wt_api_code_object *object;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	object = wt_find(WT_OBJECT_CODE_OBJECT, code_object_id.handle);
	if (!object)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_CODE_OBJECT_ID;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_CODE_OBJECT_INFO_PROCESS:
		return wt_answer_u64(value_size, value, object->entry.process->entry.handle);
	case AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME:
		return answer_uri(object, value_size, value);
	case AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS:
		return wt_answer_u64(value_size, value, (uint64_t)object->device->load_address);
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

amd_dbgapi_status_t amd_dbgapi_process_agent_list(amd_dbgapi_process_id_t process_id,
						  size_t *agent_count,
						  amd_dbgapi_agent_id_t **agents,
						  amd_dbgapi_changed_t *changed)
{
	return wt_list(WT_OBJECT_AGENT, process_id, agent_count, agents, changed);
}

/* The PCI domain is always 0; the slot is in the usual form of bus, device and function. */
static amd_dbgapi_status_t agent_pci_info(const struct wt_device_agent *agent, uint32_t query,
					  size_t value_size, void *value)
{
	uint16_t domain = 0, slot = (uint16_t)agent->pci_slot;

	switch (query) {
	case AMD_DBGAPI_AGENT_INFO_PCI_DOMAIN:
		return wt_answer(value_size, value, &domain, sizeof(domain));
	case AMD_DBGAPI_AGENT_INFO_PCI_SLOT:
		return wt_answer(value_size, value, &slot, sizeof(slot));
	case AMD_DBGAPI_AGENT_INFO_PCI_VENDOR_ID:
		return wt_answer_u32(value_size, value, agent->pci_vendor);
	case AMD_DBGAPI_AGENT_INFO_PCI_DEVICE_ID:
		return wt_answer_u32(value_size, value, agent->pci_device);
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

amd_dbgapi_status_t amd_dbgapi_agent_get_info(amd_dbgapi_agent_id_t agent_id,
					      amd_dbgapi_agent_info_t query, size_t value_size,
					      void *value)
{
	const struct wt_api_agent *agent;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	agent = wt_find(WT_OBJECT_AGENT, agent_id.handle);
	if (!agent)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_AGENT_ID;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_AGENT_INFO_PROCESS:
		return wt_answer_u64(value_size, value, agent->entry.process->entry.handle);
	case AMD_DBGAPI_AGENT_INFO_NAME:
		return wt_client_return_string(&wt_provider.client, value_size, value,
					       agent->device->name);
	case AMD_DBGAPI_AGENT_INFO_ARCHITECTURE:
		if (!agent->device->architecture)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return wt_answer_u64(value_size, value, agent->device->architecture->id);
	case AMD_DBGAPI_AGENT_INFO_STATE:
		return wt_answer_u32(value_size, value,
				     agent->device->supported
					     ? AMD_DBGAPI_AGENT_STATE_SUPPORTED
					     : AMD_DBGAPI_AGENT_STATE_NOT_SUPPORTED);
	case AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT:
		return wt_answer_u64(value_size, value, agent->device->execution_unit_count);
	case AMD_DBGAPI_AGENT_INFO_MAX_WAVES_PER_EXECUTION_UNIT:
		return wt_answer_u64(value_size, value,
				     agent->device->max_waves_per_execution_unit);
	case AMD_DBGAPI_AGENT_INFO_OS_ID:
		return wt_answer_u64(value_size, value, agent->device->os_id);
	default:
		return agent_pci_info(agent->device, query, value_size, value);
	}
}

amd_dbgapi_status_t amd_dbgapi_process_queue_list(amd_dbgapi_process_id_t process_id,
						  size_t *queue_count,
						  amd_dbgapi_queue_id_t **queues,
						  amd_dbgapi_changed_t *changed)
{
	return wt_list(WT_OBJECT_QUEUE, process_id, queue_count, queues, changed);
}

amd_dbgapi_status_t amd_dbgapi_queue_get_info(amd_dbgapi_queue_id_t queue_id,
					      amd_dbgapi_queue_info_t query, size_t value_size,
					      void *value)
{
	const struct wt_api_queue *queue;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	queue = wt_find(WT_OBJECT_QUEUE, queue_id.handle);
	if (!queue)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_QUEUE_INFO_AGENT:
		return wt_answer_u64(value_size, value, queue->agent->entry.handle);
	case AMD_DBGAPI_QUEUE_INFO_PROCESS:
		return wt_answer_u64(value_size, value, queue->entry.process->entry.handle);
	case AMD_DBGAPI_QUEUE_INFO_ARCHITECTURE:
		return wt_answer_u64(value_size, value, queue->agent->device->architecture->id);
	case AMD_DBGAPI_QUEUE_INFO_TYPE:
		return wt_answer_u32(value_size, value, queue->device->type);
	case AMD_DBGAPI_QUEUE_INFO_STATE: /* as AMD's library */
	case AMD_DBGAPI_QUEUE_INFO_ERROR_REASON:
		return AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED;
	case AMD_DBGAPI_QUEUE_INFO_ADDRESS:
		return wt_answer_u64(value_size, value, queue->device->ring_address);
	case AMD_DBGAPI_QUEUE_INFO_SIZE:
		return wt_answer_u64(value_size, value, queue->device->ring_size);
	case AMD_DBGAPI_QUEUE_INFO_OS_ID:
		return wt_answer_u64(value_size, value, queue->device->os_id);
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

/* The ring may wrap around between the first packet and the last. */
static bool read_packets(const struct wt_api_queue *queue, uint64_t first, size_t count,
			 uint8_t *packets)
{
	struct wt_device *device = queue->entry.process->device;
	uint64_t capacity = queue->device->ring_size / PACKET_BYTES;

	for (size_t i = 0; i < count; i++) {
		uint64_t address =
			queue->device->ring_address + (first + i) % capacity * PACKET_BYTES;

		if (device->operations->read_memory(device, address, packets + i * PACKET_BYTES,
						    PACKET_BYTES) != PACKET_BYTES)
			return false;
	}
	return true;
}

static amd_dbgapi_status_t return_packets(const struct wt_api_queue *queue, uint64_t first,
					  size_t count, void **packets_bytes)
{
	size_t size = count * PACKET_BYTES;
	wt_cleanup_free uint8_t *packets = malloc(size ? size : 1);

	if (!packets)
		return AMD_DBGAPI_STATUS_FATAL;
	if (!read_packets(queue, first, count, packets))
		return AMD_DBGAPI_STATUS_ERROR;
	return wt_client_return_memory(&wt_provider.client, sizeof(*packets_bytes), packets_bytes,
				       packets, size);
}

/* For a bad handle AMD's library answers FATAL, which is a slip: it documents no status for it. */
amd_dbgapi_status_t amd_dbgapi_queue_packet_list(amd_dbgapi_queue_id_t queue_id,
						 amd_dbgapi_os_queue_packet_id_t *read_packet_id,
						 amd_dbgapi_os_queue_packet_id_t *write_packet_id,
						 size_t *packets_byte_size, void **packets_bytes)
{
	const struct wt_api_queue *queue;
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_SUCCESS;
	struct wt_device *device;
	uint64_t first, end;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!read_packet_id || !write_packet_id || !packets_byte_size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	queue = wt_find(WT_OBJECT_QUEUE, queue_id.handle);
	if (!queue)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID;
	if (queue->device->type != AMD_DBGAPI_OS_QUEUE_TYPE_HSA_AQL)
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	if (queue->entry.process->broken)
		return AMD_DBGAPI_STATUS_FATAL;
	device = queue->entry.process->device;
	if (device->live && !device->live->read_queue(device, queue->device))
		return AMD_DBGAPI_STATUS_ERROR;
	first = queue->device->read_packet_id;
	end = queue->device->write_packet_id;
	if (end < first || end - first > queue->device->ring_size / PACKET_BYTES)
		return AMD_DBGAPI_STATUS_ERROR;
	if (packets_bytes)
		status = return_packets(queue, first, (size_t)(end - first), packets_bytes);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	*read_packet_id = first;
	*write_packet_id = end;
	*packets_byte_size = (size_t)(end - first) * PACKET_BYTES;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
