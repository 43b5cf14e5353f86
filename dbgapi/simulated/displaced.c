/* SPDX-License-Identifier: MIT */
/*
 * Displaced stepping: a wave executes the instruction that a breakpoint has overwritten, and the
 * breakpoint stays where it is for the others. An instruction that can be executed anywhere is put
 * into a buffer of the queue, and the pc moves there; one that depends on the pc, or changes it, is
 * executed where it belongs, without a buffer. Waves of one queue that stand at the same place
 * share one operation.
 */
#include "dbgapi/simulated/internal.h"

#include <endian.h>
#include <string.h>

#include "gfx/isa/decode.h"

/* The instruction as it was: the client's bytes in place of the breakpoint, then what is there. */
static size_t read_instruction(const struct wt_api_wave *wave, const void *saved,
			       uint32_t words_ret[WT_INSTRUCTION_WORDS])
{
	struct wt_device *device = wave->entry.process->device;
	uint64_t pc = wave->device->gfx->pc;
	uint32_t words[WT_INSTRUCTION_WORDS] = {0};
	size_t count;

	memcpy(&words[0], saved, sizeof(words[0]));
	count = 1 + device->operations->read_memory(device, pc + sizeof(words[0]), &words[1],
						    sizeof(words) - sizeof(words[0])) /
			    sizeof(words[0]);
	for (size_t i = 0; i < WT_INSTRUCTION_WORDS; i++)
		words_ret[i] = le32toh(words[i]);
	return count;
}

static struct wt_api_displaced *find_shared(const struct wt_api_wave *wave,
					    const struct wt_api_queue *queue)
{
	struct wt_api_displaced *displaced = NULL;

	while ((displaced = wt_next(wave->entry.process, WT_OBJECT_DISPLACED_STEPPING, displaced)))
		if (displaced->queue == queue && displaced->from == wave->device->gfx->pc)
			return displaced;
	return NULL;
}

/* The words as memory has them. */
static void words_store(const uint32_t words[WT_INSTRUCTION_WORDS],
			uint32_t stored_ret[WT_INSTRUCTION_WORDS])
{
	for (size_t i = 0; i < WT_INSTRUCTION_WORDS; i++)
		stored_ret[i] = htole32(words[i]);
}

/*
 * Hardware executes more than what has a row in our tables: what LLVM knows can be executed elsewhere, too, unless its name says
 * that it cannot. Return: how many words it has; 0 if it is to stay where it is.
 */
static size_t instruction_measure(const struct wt_api_wave *wave, const uint32_t *words,
				  size_t count)
{
	struct wt_disassembler *disassembler = wt_disassemblers_get(
		&wt_provider.disassemblers, wt_wave_architecture(wave), &wt_provider.client);
	uint32_t stored[WT_INSTRUCTION_WORDS];
	struct wt_disassembled found;

	words_store(words, stored);
	if (!wave->entry.process->device->live || !disassembler ||
	    !wt_disassembler_decode(disassembler, wave->device->gfx->pc, stored,
				    count * sizeof(*stored), &found) ||
	    found.has_target || gfx_name_depends_on_position(found.text))
		return 0;
	return found.size / sizeof(*stored);
}

static amd_dbgapi_status_t displaced_create(const struct wt_api_wave *wave,
					    struct wt_api_queue *queue, const void *saved,
					    struct wt_api_displaced **displaced_ret)
{
	const uint32_t number = (uint32_t)wt_provider.last_handle[WT_OBJECT_DISPLACED_STEPPING] + 1;
	struct wt_device *device = wave->entry.process->device;
	struct gfx_instruction instruction;
	struct wt_api_displaced *displaced;
	uint32_t words[WT_INSTRUCTION_WORDS];
	size_t count = read_instruction(wave, saved, words);
	bool known =
		gfx_decode(wt_wave_architecture(wave), words, count, &instruction) == GFX_DECODE_OK;
	uint64_t to = 0;

	count = known ? instruction.word_count : instruction_measure(wave, words, count);
	if (!count)
		return AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION;
	if (!known || !gfx_instruction_depends_on_position(&instruction)) {
		uint32_t stored[WT_INSTRUCTION_WORDS];

		words_store(words, stored);
		to = device->operations->buffer_allocate(device, queue->device, stored,
							 count * sizeof(*stored));
		if (!to)
			return device->core
				       ? AMD_DBGAPI_STATUS_FATAL
				       : AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE;
	}
	displaced = wt_create(wave->entry.process, WT_OBJECT_DISPLACED_STEPPING, number,
			      sizeof(*displaced));
	if (!displaced && to)
		device->operations->buffer_free(device, queue->device, to);
	if (!displaced)
		return AMD_DBGAPI_STATUS_FATAL;
	displaced->queue = queue;
	displaced->from = wave->device->gfx->pc;
	displaced->to = to;
	memcpy(displaced->words, words, sizeof(words));
	displaced->word_count = count;
	*displaced_ret = displaced;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

void wt_displaced_release(struct wt_api_wave *wave)
{
	struct wt_api_displaced *displaced = wave->displaced;
	struct wt_device *device = wave->entry.process->device;

	wave->displaced = NULL;
	if (!displaced || --displaced->users)
		return;
	if (displaced->to)
		device->operations->buffer_free(device, displaced->queue->device, displaced->to);
	wt_remove(WT_OBJECT_DISPLACED_STEPPING, &displaced->entry);
}

/*
 * AMD's library ends with FATAL if the queue has no buffer left. This one answers
 * DISPLACED_STEPPING_BUFFER_NOT_AVAILABLE, as its documentation has it; over a core it answers as AMD's.
 */
amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_start(amd_dbgapi_wave_id_t wave_id,
				    const void *saved_instruction_bytes,
				    amd_dbgapi_displaced_stepping_id_t *displaced_stepping)
{
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_SUCCESS;
	struct wt_api_displaced *displaced;
	struct wt_api_queue *queue;
	struct wt_api_wave *wave;
	struct wt_device *device;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!saved_instruction_bytes || !displaced_stepping)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	wave = wt_wave_find(wave_id);
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (!wt_wave_is_stopped(wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (wave->displaced)
		return AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE;
	device = wave->entry.process->device;
	queue = wave->workgroup->dispatch->queue;
	displaced = find_shared(wave, queue);
	if (!displaced)
		status = displaced_create(wave, queue, saved_instruction_bytes, &displaced);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	displaced->users++;
	wave->displaced = displaced;
	if (displaced->to)
		wave->device->gfx->pc = displaced->to;
	else
		device->operations->wave_override(device, wave->device, displaced->words,
						  displaced->word_count);
	wt_wave_written(wave);
	displaced_stepping->handle = displaced->entry.handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The pc goes back to the program: behind the instruction, or to it if the wave has not made the
 * step. */
amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_complete(amd_dbgapi_wave_id_t wave_id,
				       amd_dbgapi_displaced_stepping_id_t displaced_stepping)
{
	struct wt_api_displaced *displaced;
	struct wt_api_wave *wave;
	struct wt_device *device;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	wave = wt_wave_find(wave_id);
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (wave->entry.process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (!wt_wave_is_stopped(wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	displaced = wt_find(WT_OBJECT_DISPLACED_STEPPING, displaced_stepping.handle);
	if (!displaced)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID;
	if (wave->displaced != displaced)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	device = wave->entry.process->device;
	if (displaced->to)
		wave->device->gfx->pc += displaced->from - displaced->to;
	else
		device->operations->wave_override(device, wave->device, NULL, 0);
	wt_wave_written(wave);
	wt_displaced_release(wave);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
amd_dbgapi_displaced_stepping_get_info(amd_dbgapi_displaced_stepping_id_t displaced_stepping_id,
				       amd_dbgapi_displaced_stepping_info_t query,
				       size_t value_size, void *value)
{
	const struct wt_api_displaced *displaced;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	displaced = wt_find(WT_OBJECT_DISPLACED_STEPPING, displaced_stepping_id.handle);
	if (!displaced)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_DISPLACED_STEPPING_ID;
	if (query != AMD_DBGAPI_DISPLACED_STEPPING_INFO_PROCESS)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	return wt_answer_u64(value_size, value, displaced->entry.process->entry.handle);
}
