/* SPDX-License-Identifier: MIT */
#include "recorder/agent/core-kind.h"

#include <elf.h>
#include <string.h>

#include "device/queue-structure.h"

/* The interface that the runtime names where it has not asked the driver. */
#define WITHOUT_DEBUGGER_MINOR 18u

struct range {
	uint64_t address, size;
};

static bool ranges_meet(const struct range *a, const struct range *b)
{
	return a->size && b->size &&
	       (a->address < b->address ? b->address - a->address < a->size
					: a->address - b->address < b->size);
}

static uint32_t queue_xcc_count(const struct wt_core_note *note,
				const struct wt_core_note_queue *queue)
{
	for (uint32_t i = 0; i < note->agent_count; i++)
		if (note->agents[i].gpu_id == queue->gpu_id)
			return note->agents[i].xcc_count ? note->agents[i].xcc_count : 1;
	return 1;
}

/* The private memory of a queue's waves, as far as its structure is in the core. */
static struct range queue_private_memory(struct wt_core_file *file, uint64_t structure)
{
	struct range range = {0};
	uint64_t words[2];

	if (wt_core_file_read(file, structure + WT_QUEUE_STRUCTURE_SCRATCH_BASE, words,
			      sizeof(words)) == sizeof(words))
		range = (struct range){words[0], words[1]};
	return range;
}

static bool queue_needs(struct wt_core_file *file, const struct wt_core_note *note,
			const struct wt_core_note_queue *queue, const struct range *piece)
{
	uint64_t structure = queue->write_pointer_address - WT_QUEUE_STRUCTURE_WRITE_ID;
	const struct range ranges[] = {
		{queue->save_address, (uint64_t)queue->save_size * queue_xcc_count(note, queue)},
		{queue->ring_address, queue->ring_size},
		{structure, WT_QUEUE_STRUCTURE_BYTES},
		{queue->read_pointer_address, 8},
		queue_private_memory(file, structure),
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (ranges_meet(&ranges[i], piece))
			return true;
	return false;
}

/* How many bytes a code object takes that begins at an address, by its program headers, which are loaded with it; 0 if none does. */
static uint64_t code_size(struct wt_core_file *file, uint64_t address)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	uint64_t size = 0;

	if (wt_core_file_read(file, address, &header, sizeof(header)) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(segment))
		return 0;
	for (uint16_t i = 0; i < header.e_phnum; i++) {
		uint64_t place = address + header.e_phoff + i * sizeof(segment), end;

		if (wt_core_file_read(file, place, &segment, sizeof(segment)) != sizeof(segment))
			break;
		if (segment.p_type != PT_LOAD ||
		    __builtin_add_overflow(segment.p_vaddr, segment.p_memsz, &end))
			continue;
		size = end > size ? end : size;
	}
	return size ? size : sizeof(header);
}

static bool queues_need(struct wt_core_file *file, const struct wt_core_note *note,
			const struct range *piece)
{
	const struct range list = {note->r_debug, 1};

	for (uint32_t i = 0; i < note->queue_count; i++)
		if (queue_needs(file, note, &note->queues[i], piece))
			return true;
	/* The runtime's list of code objects, should it be in the GPUs' memory. */
	return ranges_meet(&list, piece);
}

static bool note_has_exception(const struct wt_core_note *note)
{
	for (uint32_t i = 0; i < note->agent_count; i++)
		if (note->agents[i].exceptions)
			return true;
	for (uint32_t i = 0; i < note->queue_count; i++)
		if (note->queues[i].exceptions)
			return true;
	return false;
}

struct wt_core_kind wt_core_kind_find(struct wt_core_file *file, const struct wt_core_note *note)
{
	struct wt_core_kind kind = {
		.driver_major = note->driver_major,
		.driver_minor = note->driver_minor,
		.without_debugger =
			note->driver_minor >= WITHOUT_DEBUGGER_MINOR && !note_has_exception(note),
	};
	struct range piece, code = {0};

	/* Pieces come in the order of their addresses. */
	for (size_t i = 0; wt_core_file_piece(file, i, &piece.address, &piece.size); i++) {
		if (ranges_meet(&code, &piece))
			continue;
		code = (struct range){piece.address, code_size(file, piece.address)};
		if (!code.size && !queues_need(file, note, &piece))
			kind.data_bytes += piece.size;
	}
	return kind;
}
