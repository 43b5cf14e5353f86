/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/value.h"

#include <string.h>

#include "replayer/dwarf/expression-stack.h"

/* One byte of a register or a value, from a byte on. */
static const char *read_byte(const struct wt_dwarf_frame *frame, uint32_t lane,
			     const struct wt_dwarf_piece *piece, uint64_t byte, uint8_t *byte_ret)
{
	const uint8_t *data = piece->data ? piece->data : piece->value;
	const char *why;
	bool accumulation;
	uint32_t value, index;

	if (piece->place == WT_DWARF_AT_VALUE) {
		if (byte >= piece->size)
			return WT_DWARF_UNKNOWN "the compiler describes only a part of it";
		*byte_ret = data[byte];
		return NULL;
	}
	if (piece->number == WT_DWARF_EXEC_64 || piece->number == WT_DWARF_EXEC_32) {
		lane = byte / 4 < 2 ? (uint32_t)(byte / 4) : UINT32_MAX;
		byte %= 4;
	}
	if (piece->whole && wt_dwarf_is_vector(piece->number, &accumulation, &index)) {
		lane = byte / 4 < frame->machine->lanes ? (uint32_t)(byte / 4) : UINT32_MAX;
		byte %= 4;
	}
	if (byte >= 4 || lane == UINT32_MAX)
		return WT_DWARF_UNKNOWN "the compiler describes only a part of it";
	why = wt_dwarf_frame_register(frame, piece->number, lane, &value);
	if (!why)
		*byte_ret = (uint8_t)(value >> 8 * byte);
	return why;
}

static const char *piece_memory_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				     const struct wt_dwarf_piece *piece, uint64_t byte,
				     uint8_t *data, size_t size)
{
	if (piece->has_lane)
		lane = piece->lane;
	if (wt_dwarf_frame_memory(frame, piece->space, lane, piece->address + byte, data, size) <
	    size)
		return wt_dwarf_not_there(frame);
	return NULL;
}

static const char *piece_bytes_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				    const struct wt_dwarf_piece *piece, uint64_t byte,
				    uint8_t *data, size_t size)
{
	const char *why = NULL;

	if (piece->place == WT_DWARF_AT_MEMORY)
		return piece_memory_read(frame, lane, piece, byte, data, size);
	for (size_t i = 0; i < size && !why; i++)
		why = read_byte(frame, lane, piece, byte + i, data + i);
	return why;
}

const char *wt_dwarf_piece_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				const struct wt_dwarf_piece *piece, uint64_t offset, uint8_t *data,
				size_t size)
{
	uint64_t start = piece->offset + offset;
	unsigned int shift = start % 8;
	const char *why;
	uint8_t next;

	if (piece->place == WT_DWARF_AT_UNKNOWN)
		return piece->why;
	if (piece->place == WT_DWARF_AT_POINTER)
		return WT_DWARF_UNKNOWN "it points to a variable that is not in memory";
	why = piece_bytes_read(frame, lane, piece, start / 8, data, size);
	if (why || !shift)
		return why;
	why = piece_bytes_read(frame, lane, piece, start / 8 + size, &next, 1);
	/* Bytes behind the last one matter only for the bits that are shifted in from there. */
	if (why)
		next = 0;
	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)(data[i] >> shift | (i + 1 < size ? data[i + 1] : next)
							       << (8 - shift));
	return NULL;
}

/* Put bits at a place that need not be a whole byte. */
static void put_bits(uint8_t *data, uint64_t at, const uint8_t *bits, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t to = at + i;

		data[to / 8] = (uint8_t)((data[to / 8] & ~(1u << to % 8)) |
					 (bits[i / 8] >> i % 8 & 1u) << to % 8);
	}
}

/* A part of one piece, eight bytes at most at a time. */
static const char *piece_part_read(const struct wt_dwarf_frame *frame, uint32_t lane,
				   const struct wt_dwarf_piece *piece, uint64_t offset,
				   uint64_t bits, uint8_t *data, uint64_t at)
{
	uint8_t part[8];
	const char *why = NULL;

	if (!(at % 8) && !(bits % 8) && !((piece->offset + offset) % 8))
		return wt_dwarf_piece_read(frame, lane, piece, offset, data + at / 8,
					   (size_t)(bits / 8));
	for (uint64_t done = 0; done < bits && !why; done += 8) {
		uint64_t count = bits - done < 8 ? bits - done : 8;

		/* Not a byte further than there are bits: it may not be there. */
		why = wt_dwarf_piece_read(frame, lane, piece, offset + done, part, 1);
		if (!why)
			put_bits(data, at + done, part, count);
	}
	return why;
}

const char *wt_dwarf_read(const struct wt_dwarf_frame *frame, uint32_t lane,
			  const struct wt_dwarf_location *location, uint64_t offset, uint64_t bits,
			  uint8_t *data)
{
	uint64_t start = 0, at = 0;

	if (bits % 8)
		data[bits / 8] = 0;
	for (uint64_t byte = offset / 8; location->doubt && 8 * byte < offset + bits; byte++)
		if (byte >= WT_DWARF_MAX_DOUBTED || !(location->stored[byte / 8] >> byte % 8 & 1))
			return location->doubt;
	for (size_t i = 0; i < location->count && at < bits; i++) {
		const struct wt_dwarf_piece *piece = &location->pieces[i];
		uint64_t end = piece->bits > UINT64_MAX - start ? UINT64_MAX : start + piece->bits;
		uint64_t from = offset + at, count;
		const char *why;

		if (from >= end) {
			start = end;
			continue;
		}
		count = end - from < bits - at ? end - from : bits - at;
		why = piece_part_read(frame, lane, piece, from - start, count, data, at);
		if (why)
			return why;
		at += count;
		start = end;
	}
	return at < bits ? WT_DWARF_UNKNOWN "the compiler describes only a part of it" : NULL;
}

void wt_dwarf_location_memory(struct wt_dwarf_location *location, enum gfx_space space,
			      uint64_t address)
{
	*location = (struct wt_dwarf_location){.count = 1};
	location->pieces[0] = (struct wt_dwarf_piece){.place = WT_DWARF_AT_MEMORY,
						      .bits = UINT64_MAX,
						      .space = space,
						      .address = address};
}

bool wt_dwarf_address(const struct wt_dwarf_location *location, uint64_t offset,
		      enum gfx_space *space_ret, uint64_t *address_ret)
{
	const struct wt_dwarf_piece *piece = location->pieces;

	if (location->count != 1 || piece->place != WT_DWARF_AT_MEMORY || piece->has_lane ||
	    (piece->offset + offset) % 8)
		return false;
	*space_ret = piece->space;
	*address_ret = piece->address + (piece->offset + offset) / 8;
	return true;
}

/* A part of an object that is in one piece. Return: NULL, or why it is nowhere. */
static const char *piece_place(const struct wt_dwarf_piece *piece, uint64_t offset, uint64_t bits,
			       uint32_t lane, struct wt_dwarf_part_place *place_ret)
{
	uint64_t at = piece->offset + offset;

	*place_ret = (struct wt_dwarf_part_place){
		.lane = piece->has_lane ? piece->lane : lane,
		.size = (bits + 7) / 8,
	};
	switch (piece->place) {
	case WT_DWARF_AT_MEMORY:
		place_ret->memory = true;
		place_ret->space = piece->space;
		place_ret->address = piece->address + at / 8;
		return NULL;
	case WT_DWARF_AT_REGISTER:
		place_ret->number = piece->number + (piece->whole ? 0 : at / 32);
		if (piece->whole)
			place_ret->lane = (uint32_t)(at / 32);
		return NULL;
	case WT_DWARF_AT_UNKNOWN:
		return piece->why;
	default:
		return "it is in no register and in no memory: the compiler knows its value";
	}
}

const char *wt_dwarf_location_visit(
	const struct wt_dwarf_location *location, uint64_t offset, uint64_t bits, uint32_t lane,
	bool (*visit)(void *opaque, const struct wt_dwarf_part_place *place), void *opaque)
{
	size_t i = 0;

	while (i < location->count && bits) {
		const struct wt_dwarf_piece *piece = &location->pieces[i];
		struct wt_dwarf_part_place place;
		uint64_t part = bits;
		const char *why;

		if (offset >= piece->bits) {
			offset -= piece->bits;
			i++;
			continue;
		}
		if (piece->bits - offset < part)
			part = piece->bits - offset;
		/* Words of a register are told one by one. */
		if (piece->place == WT_DWARF_AT_REGISTER &&
		    part > 32 - (piece->offset + offset) % 32)
			part = 32 - (piece->offset + offset) % 32;
		why = piece_place(piece, offset, part, lane, &place);
		if (why || !visit(opaque, &place))
			return why;
		offset += part;
		bits -= part;
	}
	return NULL;
}
