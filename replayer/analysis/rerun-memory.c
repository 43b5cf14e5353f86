/* SPDX-License-Identifier: MIT */
/* Loads and stores of a wave that is executed once more: whose bytes are known, and who wrote them. */
#include <stdlib.h>
#include <string.h>

#include "gfx/architecture/private.h"
#include "gfx/wave/context.h"
#include "gfx/wave/memory-access.h"
#include "replayer/analysis/rerun.h"

#define ALL UINT64_MAX
#define WORDS_AT_FIRST 256
/* Bytes behind the place of private memory that count as an address of it: 32 bits of each lane. */
#define PRIVATE_REACH (UINT64_C(1) << 38)

/* ---- What the wave has written to global memory ---- */

static struct wt_written *slot_of(struct wt_written *entries, size_t capacity, uint64_t address)
{
	size_t at = (size_t)(address / 4 * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (capacity - 1);

	while (entries[at].bytes && entries[at].address != address)
		at = (at + 1) & (capacity - 1);
	return &entries[at];
}

/* A word that was written before all was forgotten is not known. */
static void written_settle(const struct wt_rerun *rerun, struct wt_written *word)
{
	word->unknown |= word->forgotten != rerun->written.forgotten;
	word->forgotten = rerun->written.forgotten;
}

static struct wt_written *written_find(const struct wt_rerun *rerun, uint64_t address)
{
	struct wt_written *slot;

	if (!rerun->written.capacity)
		return NULL;
	slot = slot_of(rerun->written.entries, rerun->written.capacity, address & ~UINT64_C(3));
	if (!slot->bytes)
		return NULL;
	written_settle(rerun, slot);
	return slot;
}

bool wt_written_has(const struct wt_written_words *words, uint64_t address)
{
	return words && words->capacity &&
	       slot_of(words->entries, words->capacity, address & ~UINT64_C(3))->bytes;
}

void wt_written_add(struct wt_written_words *words, const struct wt_written_words *more)
{
	for (size_t i = 0; i < more->capacity; i++) {
		struct wt_written *slot;

		if (!more->entries[i].bytes)
			continue;
		slot = slot_of(words->entries, words->capacity, more->entries[i].address);
		words->count += !slot->bytes;
		*slot = more->entries[i];
	}
}

static size_t loaded_bit(uint64_t address)
{
	return (size_t)(address / 4 * UINT64_C(0x9e3779b97f4a7c15) >> 40) % WT_RERUN_LOADED_BITS;
}

/* A word is loaded as it was recorded. */
static void loaded_note(const struct wt_rerun *rerun, uint64_t address)
{
	size_t bit = loaded_bit(address);

	rerun->loaded->bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void loaded_check(const struct wt_rerun *rerun, uint64_t address)
{
	size_t bit = loaded_bit(address);

	rerun->loaded->overwritten |= rerun->loaded->bits[bit / 64] >> bit % 64 & 1;
}

static bool grow(struct wt_rerun *rerun)
{
	struct wt_written_words *words = &rerun->written;
	size_t capacity = words->capacity ? words->capacity * 2 : WORDS_AT_FIRST;
	struct wt_written *entries;

	if (words->capacity && words->count < words->capacity / 2)
		return true;
	entries = calloc(capacity, sizeof(*entries));
	rerun->no_memory |= !entries;
	if (!entries)
		return false;
	for (size_t i = 0; i < words->capacity; i++)
		if (words->entries[i].bytes)
			*slot_of(entries, capacity, words->entries[i].address) = words->entries[i];
	free(words->entries);
	words->entries = entries;
	words->capacity = capacity;
	return true;
}

static struct wt_written *make_written(struct wt_rerun *rerun, uint64_t address)
{
	struct wt_written *slot;

	if (!grow(rerun))
		return NULL;
	slot = slot_of(rerun->written.entries, rerun->written.capacity, address & ~UINT64_C(3));
	if (!slot->bytes) {
		loaded_check(rerun, address);
		slot->address = address & ~UINT64_C(3);
		slot->forgotten = rerun->written.forgotten;
		rerun->written.count++;
	}
	written_settle(rerun, slot);
	return slot;
}

/* Nobody knows where the wave has written: nothing of what it wrote is known to be there still. */
static void written_forget(struct wt_rerun *rerun)
{
	rerun->loaded->anywhere = true;
	rerun->written.forgotten++;
}

/* ---- Private memory ---- */

static bool rerun_is_private(const struct wt_rerun *rerun, uint64_t address, size_t size)
{
	uint64_t offset = address - rerun->wave.scratch_base;

	return address >= rerun->wave.scratch_base && offset < rerun->wave.scratch_size &&
	       size <= rerun->wave.scratch_size - offset;
}

static uint64_t *private_unknown(struct wt_rerun *rerun, uint64_t word_of_all, uint32_t *lane_ret)
{
	*lane_ret = (uint32_t)(word_of_all % rerun->lanes);
	return &rerun->private_unknown[word_of_all / rerun->lanes];
}

/* ---- Callbacks of the emulator ---- */

static bool rerun_read(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_rerun *rerun = opaque;
	uint8_t *to = data;

	if (rerun_is_private(rerun, address, size)) {
		memcpy(data, rerun->wave.scratch + (address - rerun->wave.scratch_base), size);
		return true;
	}
	/* Unknown memory reads as zeros: whether it is known is another question. */
	if (!rerun->input->read(rerun->input->opaque, address, data, size)) {
		memset(data, 0, size);
		for (size_t i = 0; i < size; i++)
			if (!rerun->input->read(rerun->input->opaque, address + i, to + i, 1))
				to[i] = 0;
	}
	for (size_t i = 0; i < size && rerun->written.count; i++) {
		struct wt_written *word = written_find(rerun, address + i);

		if (word && word->bytes >> (address + i) % 4 & 1)
			to[i] = (uint8_t)(word->value >> 8 * ((address + i) % 4));
	}
	return true;
}

static bool rerun_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	struct wt_rerun *rerun = opaque;
	const uint8_t *from = data;

	if (rerun_is_private(rerun, address, size)) {
		memcpy(rerun->wave.scratch + (address - rerun->wave.scratch_base), data, size);
		return true;
	}
	for (size_t i = 0; i < size; i++) {
		struct wt_written *word = make_written(rerun, address + i);
		uint32_t shift = 8 * (uint32_t)((address + i) % 4);

		if (!word)
			return true;
		word->value = (word->value & ~(UINT32_C(0xff) << shift)) | (uint32_t)from[i]
										   << shift;
		word->bytes |= (uint8_t)(1U << (address + i) % 4);
		word->writer = (uint32_t)rerun->step_count;
		/* Other bytes of the word may still be unknown. */
		if (word->address >= address && word->address + 4 <= address + size)
			word->unknown = false;
	}
	return true;
}

static bool rerun_may_access(void *opaque, uint64_t address, size_t size, bool write)
{
	(void)opaque;
	(void)address;
	(void)size;
	(void)write;
	return true;
}

static bool rerun_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	struct wt_rerun *rerun = opaque;

	return rerun->input->fetch(rerun->input->opaque, address, data, size);
}

void wt_rerun_memory_init(struct wt_rerun *rerun)
{
	const struct gfx_architecture *architecture = rerun->input->architecture;

	rerun->memory = (struct gfx_memory){
		.opaque = rerun,
		.read = rerun_read,
		.write = rerun_write,
		.fetch = rerun_fetch,
		.probe = rerun_may_access,
		.lenient_local = true,
		.local_base = architecture->local_aperture,
		.local_limit = architecture->local_aperture + UINT32_MAX,
		.private_base = architecture->private_aperture,
		.private_limit = architecture->private_aperture + UINT32_MAX,
	};
}

/* ---- Whose bytes are known ---- */

enum place { PLACE_GLOBAL, PLACE_LOCAL, PLACE_PRIVATE };

/* The place of a lane's bytes; in private memory the lane's own address, in the global form that of its word. */
static enum place rerun_find_place(const struct wt_rerun *rerun, const struct gfx_access *access,
				   uint64_t address, uint64_t *offset_ret)
{
	const struct gfx_memory *memory = &rerun->memory;

	*offset_ret = address;
	if (access->space == GFX_ACCESS_LOCAL)
		return PLACE_LOCAL;
	if (access->space == GFX_ACCESS_PRIVATE)
		return PLACE_PRIVATE;
	if (access->space != GFX_ACCESS_GENERIC)
		return PLACE_GLOBAL;
	if (address >= memory->local_base && address <= memory->local_limit)
		return PLACE_LOCAL;
	if (address < memory->private_base || address > memory->private_limit)
		return PLACE_GLOBAL;
	*offset_ret = address - memory->private_base;
	return PLACE_PRIVATE;
}

/* The word of all lanes' private memory that has a byte; false if it is no private memory, or past its end. */
static bool private_word(const struct wt_rerun *rerun, enum place place, uint64_t offset,
			 uint32_t lane, uint64_t *word_ret)
{
	if (place == PLACE_PRIVATE)
		*word_ret = gfx_private_place(rerun->lanes, lane, offset) / 4;
	else if (place == PLACE_GLOBAL && rerun_is_private(rerun, offset, 1))
		*word_ret = (offset - rerun->wave.scratch_base) / 4;
	else
		return false;
	return *word_ret / rerun->lanes < rerun->private_words;
}

struct wt_rerun_place wt_rerun_place_of(const struct wt_rerun *rerun, enum gfx_access_space space,
					uint32_t lane, uint64_t address)
{
	const struct gfx_access access = {.space = space};
	struct wt_rerun_place place = {.kind = WT_RERUN_GLOBAL};
	enum place found = rerun_find_place(rerun, &access, address, &place.offset);
	uint64_t word;

	if (found == PLACE_LOCAL) {
		place.kind = WT_RERUN_LOCAL;
		place.offset =
			space == GFX_ACCESS_LOCAL ? address : address - rerun->memory.local_base;
		place.there = place.offset < rerun->wave.lds_size;
	} else if (private_word(rerun, found, place.offset, lane, &word)) {
		place.kind = WT_RERUN_PRIVATE;
		place.offset = word * 4 + place.offset % 4;
		place.there = true;
	} else if (found == PLACE_PRIVATE) {
		place.kind = WT_RERUN_PRIVATE;
	}
	return place;
}

const struct wt_written *wt_rerun_written(const struct wt_rerun *rerun, uint64_t address)
{
	const struct wt_written *word = written_find(rerun, address);

	return word && word->bytes >> address % 4 & 1 ? word : NULL;
}

static bool global_is_known(const struct wt_rerun *rerun, uint64_t address, uint32_t size)
{
	uint8_t byte;

	for (uint32_t i = 0; i < size; i++) {
		struct wt_written *word = written_find(rerun, address + i);

		if (word && word->bytes >> (address + i) % 4 & 1) {
			if (word->unknown)
				return false;
		} else if (wt_written_has(rerun->later, address + i) ||
			   !rerun->input->read(rerun->input->opaque, address + i, &byte, 1)) {
			return false;
		} else {
			loaded_note(rerun, address + i);
		}
	}
	return true;
}

/* The byte of the workgroup's local memory that an address stands for. */
static uint64_t local_offset(const struct wt_rerun *rerun, const struct gfx_access *access,
			     uint64_t address)
{
	return access->space == GFX_ACCESS_LOCAL ? address : address - rerun->memory.local_base;
}

/* Is there what the wave is known to have left there? */
static bool local_word_is_known(const struct wt_rerun *rerun, uint64_t word)
{
	return !rerun->local_unknown[word] &&
	       (!rerun->local_since || rerun->local_writers[word] > rerun->local_since);
}

/* Behind the workgroup's memory everybody reads 0. */
static bool local_is_known(const struct wt_rerun *rerun, uint64_t offset, uint32_t size)
{
	if (offset >= rerun->wave.lds_size && rerun->input->has_local_room)
		return true;
	if (offset >= rerun->wave.lds_size || size > rerun->wave.lds_size - offset)
		return false;
	for (uint64_t word = offset / 4; word <= (offset + size - 1) / 4; word++)
		if (!local_word_is_known(rerun, word))
			return false;
	return true;
}

static bool part_is_known(struct wt_rerun *rerun, const struct gfx_access *access, uint32_t lane,
			  uint64_t address)
{
	uint64_t offset, word;
	enum place place = rerun_find_place(rerun, access, address, &offset);
	uint32_t word_lane;

	if (place == PLACE_LOCAL)
		return local_is_known(rerun, local_offset(rerun, access, address), access->size);
	if (place == PLACE_GLOBAL && !rerun_is_private(rerun, offset, 1))
		return global_is_known(rerun, offset, access->size);
	for (uint32_t i = 0; i < access->size; i++) {
		if (!private_word(rerun, place, offset + i, lane, &word))
			return false;
		if (*private_unknown(rerun, word, &word_lane) >> word_lane & 1)
			return false;
	}
	return true;
}

static bool lane_is_known(struct wt_rerun *rerun, const struct gfx_access *access, uint32_t lane)
{
	for (uint32_t part = 0; part < access->parts; part++)
		if (!part_is_known(rerun, access, lane, gfx_part_address(access, lane, part)))
			return false;
	return true;
}

/* ---- Who wrote what is loaded ---- */

/* The current step loads as its word @word what @writer stored as its word @place. */
static void refer_to_word(struct wt_rerun *rerun, uint32_t writer, uint32_t word, uint32_t place)
{
	const struct wt_reference reference = {
		.writer = writer,
		.number = (uint16_t)(word | place << WT_REFERENCE_PLACE),
		.memory = true,
	};

	wt_rerun_refer(rerun, &reference);
}

static void refer_to_local(struct wt_rerun *rerun, uint64_t offset, uint32_t size)
{
	for (uint32_t i = 0; i < size && offset + i < rerun->wave.lds_size; i += 4)
		if (rerun->alone || local_word_is_known(rerun, (offset + i) / 4))
			refer_to_word(rerun, rerun->local_writers[(offset + i) / 4],
				      WT_REFERENCE_ANY, WT_REFERENCE_ANY);
}

/* @whole: all that the step loads. */
static void refer_to_bytes(struct wt_rerun *rerun, enum place place, uint64_t offset, uint32_t lane,
			   uint32_t size, bool whole)
{
	uint64_t word;

	for (uint32_t i = 0; i < size; i += 4) {
		uint32_t of_load = whole && offset % 4 == 0 ? i / 4 : WT_REFERENCE_ANY;
		struct wt_written *written;

		if (private_word(rerun, place, offset + i, lane, &word)) {
			refer_to_word(rerun, rerun->private_writers[word], of_load,
				      rerun->private_places[word]);
			continue;
		}
		written = written_find(rerun, offset + i);
		if (written)
			refer_to_word(rerun, written->writer, of_load, written->place);
	}
}

static void refer_to_memory(struct wt_rerun *rerun, const struct gfx_access *access, uint32_t lane)
{
	for (uint32_t part = 0; part < access->parts; part++) {
		uint64_t offset;
		enum place place = rerun_find_place(rerun, access,
						    gfx_part_address(access, lane, part), &offset);

		if (place == PLACE_LOCAL)
			refer_to_local(rerun, local_offset(rerun, access, offset), access->size);
		else
			refer_to_bytes(rerun, place, offset, lane, access->size,
				       access->parts == 1);
	}
}

/* ---- Stores ---- */

static void note_local(struct wt_rerun *rerun, uint64_t offset, uint32_t size, bool unknown)
{
	for (uint32_t i = 0; i < size && offset + i < rerun->wave.lds_size; i++) {
		uint64_t word = (offset + i) / 4;

		/* A part of an unknown word that becomes known leaves it unknown. */
		if (unknown || size >= 4)
			rerun->local_unknown[word] = unknown;
		rerun->local_writers[word] = (uint32_t)rerun->step_count;
	}
}

/* Which word of a store a byte of it is from, if its words are those of its registers. */
static uint8_t word_of_store(const struct gfx_access *access, uint32_t byte, uint64_t address)
{
	return access->parts == 1 && address % 4 == 0 ? (uint8_t)(byte / 4) : WT_REFERENCE_ANY;
}

static void note_stored_bytes(struct wt_rerun *rerun, const struct gfx_access *access,
			      uint32_t lane, uint64_t address, bool unknown, uint64_t influence)
{
	uint64_t offset, word;
	enum place place = rerun_find_place(rerun, access, address, &offset);

	if (place == PLACE_LOCAL) {
		note_local(rerun, local_offset(rerun, access, address), access->size, unknown);
		return;
	}
	for (uint32_t i = 0; i < access->size; i++) {
		if (private_word(rerun, place, offset + i, lane, &word)) {
			uint32_t at;
			uint64_t *bits = private_unknown(rerun, word, &at);

			/* A part of an unknown word that becomes known leaves it unknown. */
			if (unknown)
				*bits |= UINT64_C(1) << at;
			else if (access->size >= 4)
				*bits &= ~(UINT64_C(1) << at);
			rerun->private_writers[word] = (uint32_t)rerun->step_count;
			rerun->private_places[word] = word_of_store(access, i, offset);
			rerun->private_stored[word] |= (uint8_t)(1U << (offset + i) % 4);
			rerun->private_influence[word / rerun->lanes] |= influence;
		} else {
			struct wt_written *written = unknown ? make_written(rerun, offset + i)
							     : written_find(rerun, offset + i);

			if (!written && unknown)
				return;
			if (written)
				written->place = word_of_store(access, i, offset);
			if (!unknown)
				continue;
			written->bytes |= (uint8_t)(1U << (offset + i) % 4);
			written->unknown = true;
			written->writer = (uint32_t)rerun->step_count;
		}
	}
}

static void forget_private(struct wt_rerun *rerun)
{
	rerun->private_anywhere = true;
	if (rerun->private_words)
		memset(rerun->private_unknown, 0xff,
		       rerun->private_words * sizeof(*rerun->private_unknown));
}

static void forget_local(struct wt_rerun *rerun)
{
	rerun->alone = false;
	rerun->local_since = (uint32_t)rerun->step_count;
}

/* Lanes that store nobody knows where. */
static void store_anywhere(struct wt_rerun *rerun, const struct gfx_access *access, uint64_t lanes)
{
	if (!lanes)
		return;
	if (access->space != GFX_ACCESS_PRIVATE && access->space != GFX_ACCESS_LOCAL)
		written_forget(rerun);
	if (access->space != GFX_ACCESS_LOCAL)
		forget_private(rerun);
	if (access->space == GFX_ACCESS_LOCAL || access->space == GFX_ACCESS_GENERIC)
		forget_local(rerun);
}

static uint64_t unknown_data(const struct wt_rerun *rerun, const struct gfx_uses *uses)
{
	struct gfx_uses data = {.read_count = 0};

	for (uint32_t i = 0; i < uses->read_count; i++)
		if (!uses->reads[i].address)
			data.reads[data.read_count++] = uses->reads[i];
	return wt_rerun_unknown_lanes(rerun, &rerun->unknown, &data, false);
}

static void note_store(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		       const struct gfx_access *access, uint64_t known, bool done)
{
	uint64_t maybe = wt_rerun_exec_unknown(rerun);
	uint64_t unknown = unknown_data(rerun, &code->uses) | maybe;
	uint64_t influence = wt_rerun_influence(rerun, &code->uses);
	bool atomic = code->instruction.operation->memory == GFX_MEMORY_ATOMIC;

	rerun->written_influence |= influence;
	for (uint64_t left = (access->lanes | maybe) & known; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		for (uint32_t part = 0; part < access->parts; part++)
			note_stored_bytes(rerun, access, lane, gfx_part_address(access, lane, part),
					  unknown >> lane & 1 || atomic || !done, influence);
	}
	store_anywhere(rerun, access, (access->lanes | maybe) & ~known);
}

/* ---- Loads ---- */

/* Which word of the kernel arguments an address is, as a bit; 0 if it is elsewhere. */
static uint64_t argument_bit(const struct wt_rerun *rerun, uint64_t address)
{
	uint64_t offset = address - rerun->input->launch.kernarg_address;

	if (address < rerun->input->launch.kernarg_address ||
	    offset >= rerun->input->descriptor.kernarg_size)
		return 0;
	return UINT64_C(1) << (offset / 4 < WT_INFLUENCE_WORDS ? offset / 4 : WT_INFLUENCE_REST);
}

/* The influence on a byte of memory of all waves: which argument it is, or that another wave can have changed it since. */
static uint64_t global_influence(const struct wt_rerun *rerun, uint64_t address)
{
	uint64_t argument = argument_bit(rerun, address);

	if (argument || !rerun->input->is_fixed ||
	    rerun->input->is_fixed(rerun->input->opaque, address))
		return argument;
	return WT_INFLUENCE_OTHERS;
}

/* Remember which of the arguments the step loads in the followed lane. */
static void note_argument(struct wt_rerun *rerun, const struct wt_rerun_code *code,
			  uint64_t address)
{
	if (!rerun->remembers || rerun->no_memory || !argument_bit(rerun, address))
		return;
	rerun->steps[rerun->step_count - 1].argument =
		(int32_t)(address - rerun->input->launch.kernarg_address);
	rerun->steps[rerun->step_count - 1].number = code->instruction.dst;
}

/* The influence on the bytes that a lane loads. */
static uint64_t loaded_influence(const struct wt_rerun *rerun, const struct gfx_access *access,
				 uint32_t lane)
{
	uint64_t influence = 0, offset, word;

	for (uint32_t part = 0; part < access->parts; part++) {
		enum place place = rerun_find_place(rerun, access,
						    gfx_part_address(access, lane, part), &offset);

		for (uint32_t i = 0; i < access->size; i += access->size < 4 ? 1 : 4) {
			if (private_word(rerun, place, offset + i, lane, &word))
				influence |= rerun->private_influence[word / rerun->lanes];
			else
				influence |=
					rerun->written_influence |
					(place == PLACE_GLOBAL ? global_influence(rerun, offset + i)
					 : place == PLACE_LOCAL && !rerun->alone
						 ? WT_INFLUENCE_OTHERS
						 : 0);
		}
	}
	return influence;
}

static void note_load(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		      const struct gfx_access *access, uint64_t known, bool done)
{
	uint64_t maybe = wt_rerun_exec_unknown(rerun), unknown = ~known | maybe;
	uint64_t exec = rerun->wave.exec | maybe;
	uint64_t influence = wt_rerun_influence(rerun, &code->uses);

	/* D16 forms keep a half. */
	unknown |= unknown_data(rerun, &code->uses);
	for (uint64_t left = access->lanes & known; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		if (!lane_is_known(rerun, access, lane))
			unknown |= UINT64_C(1) << lane;
		influence |= loaded_influence(rerun, access, lane);
	}
	if (!done)
		unknown = ALL;
	for (uint32_t i = 0; i < code->uses.write_count; i++)
		wt_rerun_write_lanes(rerun, &code->uses.writes[i], exec, unknown, 0, influence);
}

void wt_rerun_access(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		     struct gfx_access *access_ret, uint64_t *known_ret)
{
	struct gfx_context context = {
		.wave = &rerun->wave, .memory = &rerun->memory, .instruction = &code->instruction};
	struct gfx_address_inputs inputs = {.exec = 1};
	const struct gfx_instruction *instruction = &code->instruction;

	*known_ret = ~wt_rerun_unknown_lanes(rerun, &rerun->unknown, &code->uses, true);
	if (instruction->encoding != GFX_SMEM) {
		gfx_resolve_access(&context, access_ret);
		return;
	}
	if (instruction->operation->flags & GFX_RESOURCE) {
		gfx_read_resource(&context, &inputs);
	} else {
		inputs.base = gfx_read_scalar64(&context, instruction->address);
		if (instruction->scalar_address != GFX_CODE_OFF)
			inputs.base_offset =
				gfx_read_scalar32(&context, instruction->scalar_address);
	}
	gfx_compute_access(instruction, &inputs, access_ret);
}

void wt_rerun_name_private(const struct wt_rerun *rerun, struct gfx_access *access, uint64_t known)
{
	uint64_t lanes = access->lanes & known;

	if (access->space != GFX_ACCESS_GLOBAL || !lanes || access->parts > 1 ||
	    !rerun->wave.scratch_base)
		return;
	for (uint64_t left = lanes; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);
		uint64_t offset = access->addresses[lane] - rerun->wave.scratch_base;

		if (access->addresses[lane] < rerun->wave.scratch_base || offset >= PRIVATE_REACH ||
		    offset / 4 % rerun->lanes != lane)
			return;
	}
	access->space = GFX_ACCESS_PRIVATE;
	for (uint64_t left = lanes; left; left &= left - 1) {
		uint64_t *address = &access->addresses[gfx_first_lane(left)];
		uint64_t offset = *address - rerun->wave.scratch_base;

		*address = offset / 4 / rerun->lanes * 4 + offset % 4;
	}
}

/* The space that an address is one of, and the address there. */
static enum gfx_access_space space_of(const struct wt_rerun *rerun, const struct gfx_access *access,
				      uint64_t address, uint64_t *offset_ret)
{
	switch (rerun_find_place(rerun, access, address, offset_ret)) {
	case PLACE_LOCAL:
		*offset_ret = local_offset(rerun, access, *offset_ret);
		return GFX_ACCESS_LOCAL;
	case PLACE_PRIVATE:
		return GFX_ACCESS_PRIVATE;
	default:
		return rerun_is_private(rerun, *offset_ret, 1) ? GFX_ACCESS_PRIVATE
							       : GFX_ACCESS_GLOBAL;
	}
}

/* The address of private memory is made up here. */
static enum wt_access_verdict part_judge(const struct wt_rerun *rerun,
					 const struct gfx_access *access, uint64_t address)
{
	const struct wt_analysis_input *input = rerun->input;
	uint64_t offset;
	enum gfx_access_space space = space_of(rerun, access, address, &offset);

	return rerun_is_private(rerun, offset, 1)
		       ? WT_ACCESS_FINE
		       : input->judge(input->opaque, access, space, offset);
}

uint64_t wt_rerun_failing(struct wt_rerun *rerun, const struct wt_rerun_code *code,
			  uint64_t *suspect_ret, uint64_t *unknown_ret)
{
	const struct wt_analysis_input *input = rerun->input;
	uint64_t known, lanes = 0, suspect = 0;
	struct gfx_access access = {0};
	bool looks = input->late && gfx_touches_memory(&code->instruction);

	if (looks)
		wt_rerun_access(rerun, code, &access, &known);
	if (unknown_ret)
		*unknown_ret = looks ? access.lanes & ~known : 0;
	if (suspect_ret)
		*suspect_ret = 0;
	if (!looks)
		return 0;
	for (uint64_t left = access.lanes & known; left; left &= left - 1) {
		const uint32_t lane = gfx_first_lane(left);

		for (uint32_t part = 0; part < access.parts; part++) {
			enum wt_access_verdict verdict =
				part_judge(rerun, &access, gfx_part_address(&access, lane, part));

			lanes |= (uint64_t)(verdict == WT_ACCESS_FAILS) << lane;
			suspect |= (uint64_t)(verdict == WT_ACCESS_MAY_FAIL) << lane;
		}
	}
	if (suspect_ret)
		*suspect_ret = suspect;
	return lanes;
}

bool wt_rerun_is_private(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	uint32_t lane = rerun->input->lane;
	uint64_t known, offset, word;
	struct gfx_access access;
	enum place place;

	if (code->instruction.encoding == GFX_SMEM || code->instruction.encoding == GFX_DS)
		return false;
	wt_rerun_access(rerun, code, &access, &known);
	place = rerun_find_place(rerun, &access, access.addresses[lane], &offset);
	return known >> lane & 1 && private_word(rerun, place, offset, lane, &word);
}

bool wt_rerun_is_never_written(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	uint32_t lane = rerun->input->lane;
	uint64_t known, offset, word;
	struct gfx_access access;
	enum place place;

	if (code->instruction.encoding == GFX_SMEM ||
	    code->instruction.operation->memory != GFX_MEMORY_LOAD)
		return false;
	wt_rerun_access(rerun, code, &access, &known);
	if (!((known & access.lanes) >> lane & 1) || access.parts != 1)
		return false;
	place = rerun_find_place(rerun, &access, access.addresses[lane], &offset);
	if (place == PLACE_LOCAL) {
		offset = local_offset(rerun, &access, offset);
		return rerun->alone && offset < rerun->wave.lds_size &&
		       !rerun->local_writers[offset / 4];
	}
	return !rerun->private_anywhere && private_word(rerun, place, offset, lane, &word) &&
	       !rerun->private_writers[word];
}

/* Lanes whose address is not known take no part; false if the others fail. */
static bool execute_known(struct wt_rerun *rerun, const struct wt_rerun_code *code, uint64_t known)
{
	uint64_t exec = rerun->wave.exec, pc = rerun->wave.pc;
	struct gfx_fault fault = {0};
	bool done;

	rerun->wave.exec &= known;
	done = gfx_wave_execute(&rerun->wave, &rerun->memory, &code->instruction, &fault) ==
	       GFX_STEP_DONE;
	rerun->wave.exec = exec;
	rerun->wave.status = (rerun->wave.status & ~(1U << 9)) | (exec ? 0 : 1U << 9);
	rerun->wave.pc = pc + 4ULL * code->instruction.word_count;
	return done;
}

void wt_rerun_vector_memory(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	enum gfx_memory_kind kind = (enum gfx_memory_kind)code->instruction.operation->memory;
	struct gfx_access access;
	uint64_t known, suspect, unknown;
	uint64_t failing = wt_rerun_failing(rerun, code, &suspect, &unknown);
	/* Values that an access loads or stores are not known if it fails, or may have failed. */
	bool fails = failing | suspect, done = false;
	/* Nobody follows which lane's address an element of a transposed matrix is from. */
	bool own = !code->uses.cross_lane;

	if (unknown && kind == GFX_MEMORY_LOAD)
		rerun->doubtful[rerun->step_count % WT_ANALYSIS_LATE] = (uint32_t)rerun->step_count;
	wt_rerun_access(rerun, code, &access, &known);
	if (own && kind != GFX_MEMORY_STORE && known >> rerun->input->lane & 1)
		refer_to_memory(rerun, &access, rerun->input->lane);
	/* Nobody follows which lane a byte there is from, and whether it is known. */
	if (code->instruction.to_local)
		forget_local(rerun);
	if (kind == GFX_MEMORY_LOAD) {
		if (own && known >> rerun->input->lane & 1)
			note_argument(rerun, code, access.addresses[rerun->input->lane]);
		/* Before: the destination may be the address. */
		struct wt_rerun_code copy = *code;

		note_load(rerun, &copy, &access, known, true);
		done = execute_known(rerun, code, known);
		if (!done || fails || !own)
			note_load(rerun, &copy, &access, known, false);
		return;
	}
	if (kind == GFX_MEMORY_STORE)
		done = execute_known(rerun, code, known);
	else
		rerun->wave.pc += 4ULL * code->instruction.word_count;
	note_store(rerun, code, &access, known, done && !fails);
	for (uint32_t i = 0; i < code->uses.write_count; i++)
		wt_rerun_write_lanes(rerun, &code->uses.writes[i],
				     rerun->wave.exec | wt_rerun_exec_unknown(rerun), ALL, 0, 0);
}

/* ---- Scalar loads ---- */

/* The bits of a word that are not known: of the bytes of one that are, others may be nobody's, as those that a packet reserves. */
static uint32_t unknown_bits(const struct wt_rerun *rerun, uint64_t address, uint32_t size)
{
	uint32_t bits = 0;

	if (global_is_known(rerun, address, size))
		return 0;
	if (size < 4)
		return UINT32_MAX;
	for (uint32_t i = 0; i < size; i++)
		if (!global_is_known(rerun, address + i, 1))
			bits |= UINT32_C(0xff) << 8 * i;
	return bits;
}

void wt_rerun_scalar_load(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	uint64_t known, pc = rerun->wave.pc, influence = wt_rerun_influence(rerun, &code->uses);
	uint64_t suspect, failing = wt_rerun_failing(rerun, code, &suspect, NULL);
	struct gfx_fault fault = {0};
	struct gfx_access access;

	wt_rerun_access(rerun, code, &access, &known);
	if (known & 1) {
		refer_to_bytes(rerun, PLACE_GLOBAL, access.addresses[0], 0, access.size, true);
		note_argument(rerun, code, access.addresses[0]);
	}
	(void)gfx_wave_execute(&rerun->wave, &rerun->memory, &code->instruction, &fault);
	rerun->wave.pc = pc + 4ULL * code->instruction.word_count;
	for (uint32_t i = 0; i < (code->instruction.operation->size + 3U) / 4; i++) {
		uint64_t address = access.addresses[0] + 4 * i;
		uint32_t size = access.size < 4 ? access.size : 4;
		uint32_t unknown = known & 1 && !(failing | suspect)
					   ? unknown_bits(rerun, address, size)
					   : UINT32_MAX;

		wt_rerun_write_scalar(rerun, code->instruction.dst + i, unknown, 0,
				      influence |
					      (known & 1 ? global_influence(rerun, address) : ALL));
	}
}
