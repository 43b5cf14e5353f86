/* SPDX-License-Identifier: MIT */
/* The state of a wave where its way stands: registers, memory, calls; each value known, recorded, or not known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/architecture/private.h"
#include "gfx/wave/context.h"
#include "replayer/recorded/table-names.h"
#include "replayer/way/internal.h"

#define NOT_FOLLOWED "it is not followed"
#define NOT_HERE "not known on the way"

const char *wt_way_status_name(enum wt_way_status status)
{
	static const char *const names[] = {
		[WT_WAY_NOT_KNOWN] = "not known",
		[WT_WAY_KNOWN] = "known",
		[WT_WAY_RECORDED] = "recorded",
	};

	return names[status];
}

/* ---- Registers by name ---- */

struct named {
	const char *name;
	uint32_t code, words;
};

static const struct named *named_registers(size_t *count_ret)
{
	static const struct named list[] = {
		{"exec", GFX_CODE_EXEC, 2},
		{"vcc", GFX_CODE_VCC, 2},
		{"scc", GFX_CODE_SCC, 1},
		{"m0", GFX_CODE_M0, 1},
		{"flat_scratch", GFX_CODE_FLAT_SCRATCH, 2},
		{"xnack_mask", GFX_CODE_XNACK_MASK, 2},
		{"exec_lo", GFX_CODE_EXEC, 1},
		{"exec_hi", GFX_CODE_EXEC + 1, 1},
		{"vcc_lo", GFX_CODE_VCC, 1},
		{"vcc_hi", GFX_CODE_VCC + 1, 1},
	};

	*count_ret = sizeof(list) / sizeof(list[0]);
	return list;
}

void wt_way_scalar_name(const struct wt_way *way, uint32_t code, char name_ret[16])
{
	static const struct named halves[] = {
		{"flat_scratch_lo", GFX_CODE_FLAT_SCRATCH, 1},
		{"flat_scratch_hi", GFX_CODE_FLAT_SCRATCH + 1, 1},
		{"xnack_mask_lo", GFX_CODE_XNACK_MASK, 1},
		{"xnack_mask_hi", GFX_CODE_XNACK_MASK + 1, 1},
		{"vcc_lo", GFX_CODE_VCC, 1},
		{"vcc_hi", GFX_CODE_VCC + 1, 1},
		{"m0", GFX_CODE_M0, 1},
		{"exec_lo", GFX_CODE_EXEC, 1},
		{"exec_hi", GFX_CODE_EXEC + 1, 1},
		{"scc", GFX_CODE_SCC, 1},
		{"vccz", GFX_CODE_VCCZ, 1},
		{"execz", GFX_CODE_EXECZ, 1},
	};
	bool plain = code < GFX_CODE_FLAT_SCRATCH ||
		     (code < GFX_CODE_VCC && gfx_has_short_waves(way->input.architecture));

	for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]) && !plain; i++)
		if (halves[i].code == code) {
			snprintf(name_ret, 16, "%s", halves[i].name);
			return;
		}
	if (!plain && code >= GFX_CODE_TTMP0 && code < GFX_CODE_TTMP0 + 16)
		snprintf(name_ret, 16, "ttmp%u", code - GFX_CODE_TTMP0);
	else
		snprintf(name_ret, 16, "s%u", code % 1000);
}

static uint32_t way_lanes(const struct wt_way *way)
{
	return way->track ? way->track->rerun->lanes
			  : (uint32_t)wt_view_number_or(way->view, WT_OBJECT_WAVE, way->wave,
							AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 64);
}

uint32_t wt_way_lanes(const struct wt_way *way)
{
	uint32_t lanes = way_lanes(way);

	return lanes == 32 ? 32 : GFX_MAX_LANES;
}

/* The number of a register of a file: "v17" is 17. */
static bool file_number(const char *name, char kind, uint32_t limit, uint32_t *number_ret)
{
	char *end;
	unsigned long number;

	if (name[0] != kind || name[1] < '0' || name[1] > '9')
		return false;
	number = strtoul(name + 1, &end, 10);
	if (*end || number >= limit)
		return false;
	*number_ret = (uint32_t)number;
	return true;
}

/* The last six of a wave's own are also vcc and its neighbours before gfx10, and have both names. */
static uint32_t scalars_named(const struct gfx_wave *wave)
{
	return wave->sgpr_count > GFX_CODE_FLAT_SCRATCH ? wave->sgpr_count : GFX_CODE_FLAT_SCRATCH;
}

bool wt_way_register_find(const struct wt_way *way, const char *name,
			  struct wt_way_register_place *place_ret)
{
	struct wt_way_register_place place = {.file = GFX_FILE_SCALAR, .words = 1};
	const struct gfx_wave *wave = &way->track->rerun->wave;
	const struct named *list;
	size_t count;

	if (!strcmp(name, "pc")) {
		place.is_pc = true;
	} else if (!strcmp(name, "mode")) {
		place.is_mode = true;
	} else if (file_number(name, 's', scalars_named(wave), &place.number)) {
		if (!wt_rerun_scalar(way->track->rerun, place.number, &place.number))
			return false;
	} else if (file_number(name, 'v', wave->vgpr_count, &place.number)) {
		place.file = GFX_FILE_VECTOR;
	} else if (file_number(name, 'a', wave->agpr_count, &place.number)) {
		place.file = GFX_FILE_ACCUMULATION;
	} else if (!strncmp(name, "ttmp", 4) && file_number(name + 3, 'p', 16, &place.number)) {
		place.number += GFX_CODE_TTMP0;
	} else {
		list = named_registers(&count);
		while (count && strcmp(list->name, name) != 0) {
			list++;
			count--;
		}
		if (!count || (list->code >= GFX_CODE_FLAT_SCRATCH && list->code < GFX_CODE_VCC &&
			       gfx_has_short_waves(way->input.architecture)))
			return false;
		place.number = list->code;
		place.words = list->words;
		if ((list->code == GFX_CODE_EXEC || list->code == GFX_CODE_VCC) &&
		    wt_way_lanes(way) == 32)
			place.words = 1;
	}
	*place_ret = place;
	return true;
}

/* ---- Values of registers ---- */

static const char *doubt_text(enum wt_track_doubt doubt)
{
	static const char *const texts[] = {
		[WT_TRACK_NO_DOUBT] = NULL,
		[WT_TRACK_NOT_WRITTEN] = "nothing has written it since the wave was launched",
		[WT_TRACK_UNKNOWN] = "it hangs on what was not recorded",
		[WT_TRACK_PLACED] = "it hangs on where private memory was",
		[WT_TRACK_OTHERS] = "another wave may have changed the memory that it hangs on",
		[WT_TRACK_NO_REGISTER] = NOT_FOLLOWED,
	};

	return texts[doubt];
}

static void word_read(const struct wt_way *way, const struct wt_way_register_place *place,
		      uint32_t word, uint32_t lane, struct wt_way_value *value)
{
	struct wt_track_word found =
		wt_track_word(way->track, place->file, place->number + word, lane);

	if (found.recorded && value->status == WT_WAY_KNOWN)
		value->status = WT_WAY_RECORDED;
	if (!found.recorded && found.doubt != WT_TRACK_NO_DOUBT) {
		value->status = WT_WAY_NOT_KNOWN;
		value->may_be &= found.doubt == WT_TRACK_OTHERS;
		if (!value->why || found.doubt != WT_TRACK_OTHERS)
			value->why = doubt_text(found.doubt);
	}
	value->value |= word ? (uint64_t)found.value << 32 : found.value;
}

static bool recorded_read(const struct wt_way *way, const char *name, uint32_t lane,
			  struct wt_way_value *value)
{
	struct wt_view_register found;
	uint32_t lanes = way_lanes(way);

	if (!wt_view_register(way->view, way->wave, name, &found) ||
	    !wt_view_register_lane(&found, lanes, lane, &value->value))
		return false;
	value->status = WT_WAY_RECORDED;
	value->bits = 8 * (found.vector && lanes ? found.size / lanes : found.size);
	return true;
}

bool wt_way_register(const struct wt_way *way, const char *name, uint32_t lane,
		     struct wt_way_value *value_ret)
{
	struct wt_way_value value = {.status = WT_WAY_KNOWN, .may_be = true};
	struct wt_way_register_place place;
	struct wt_view_register found;
	const struct wt_rerun *rerun;

	if (lane >= GFX_MAX_LANES)
		return false;
	value.bits = 32;
	if (wt_way_is_at_end(way) && strcmp(name, "pc") != 0 &&
	    recorded_read(way, name, lane, &value)) {
		value.may_be = false;
		*value_ret = value;
		return true;
	}
	if (!strcmp(name, "pc")) {
		*value_ret = (struct wt_way_value){
			.status = wt_way_is_at_end(way) ? WT_WAY_RECORDED : WT_WAY_KNOWN,
			.value = wt_way_pc(way),
			.bits = 64,
		};
		return true;
	}
	if (!way->track || !wt_way_register_find(way, name, &place)) {
		*value_ret = (struct wt_way_value){.bits = 32, .why = NOT_FOLLOWED};
		return wt_view_register(way->view, way->wave, name, &found);
	}
	rerun = way->track->rerun;
	value.bits = 32 * place.words;
	if (place.is_mode)
		value.value = rerun->wave.mode;
	for (uint32_t word = 0; word < place.words && !place.is_mode; word++)
		word_read(way, &place, word, lane, &value);
	value.may_be &= value.status == WT_WAY_NOT_KNOWN;
	if (value.status == WT_WAY_NOT_KNOWN && !value.may_be)
		value.value = 0;
	*value_ret = value;
	return true;
}

size_t wt_way_register_count(const struct wt_way *way)
{
	return wt_view_register_count(way->view, way->wave);
}

bool wt_way_register_at(const struct wt_way *way, size_t index, const char **name_ret,
			bool *vector_ret)
{
	struct wt_view_register found;

	if (!wt_view_register_at(way->view, way->wave, index, &found))
		return false;
	*name_ret = found.name;
	*vector_ret = found.vector;
	return true;
}

uint64_t wt_way_pc(const struct wt_way *way)
{
	if (way->track)
		return way->track->rerun->wave.pc & ~WT_RERUN_HALF;
	return way->followed->cause.wave.code.address;
}

uint64_t wt_way_exec(const struct wt_way *way, uint64_t *known_ret)
{
	struct wt_way_value value;
	uint64_t lanes = wt_way_lanes(way) == 32 ? UINT32_MAX : UINT64_MAX;

	if (!way->track || wt_way_is_at_end(way)) {
		*known_ret = recorded_read(way, "exec", 0, &value) ? lanes : 0;
		return *known_ret ? value.value & lanes : 0;
	}
	*known_ret = ~wt_rerun_exec_unknown(way->track->rerun) & lanes;
	if (wt_way_register(way, "exec", 0, &value) && value.status != WT_WAY_NOT_KNOWN) {
		*known_ret = lanes;
		return value.value & lanes;
	}
	return way->track->rerun->wave.exec & *known_ret;
}

uint32_t wt_way_lane(const struct wt_way *way, uint32_t lane)
{
	uint64_t known, active = wt_way_exec(way, &known);

	if (lane != UINT32_MAX)
		return lane;
	if (active & way->summary.failed_lanes)
		active &= way->summary.failed_lanes;
	return active ? (uint32_t)__builtin_ctzll(active) : 0;
}

/* ---- Memory ---- */

struct byte {
	enum wt_way_status status;
	uint8_t value;
};

static bool byte_recorded(const struct wt_way *way, enum gfx_space space, uint32_t lane,
			  uint64_t address, struct byte *byte)
{
	if (wt_view_memory(way->view, wt_table_names_space_name(space), way->wave, lane, address,
			   &byte->value, 1) != 1)
		return false;
	byte->status = WT_WAY_RECORDED;
	return true;
}

/* @offset: of the byte in that of all lanes, which stand side by side. */
static void private_read(const struct wt_way *way, uint64_t offset, struct byte *byte)
{
	const struct wt_rerun *rerun = way->track->rerun;
	uint64_t word = offset / 4, row = word / rerun->lanes;
	uint32_t lane = (uint32_t)(word % rerun->lanes);

	if (!(rerun->private_unknown[row] >> lane & 1) &&
	    !(rerun->private_influence[row] & WT_INFLUENCE_OTHERS)) {
		byte->value = rerun->wave.scratch[offset];
		byte->status = WT_WAY_KNOWN;
		return;
	}
	if (rerun->private_writers[word] == way->track->end_private[word] &&
	    !way->track->end_anywhere)
		byte_recorded(way, GFX_SPACE_PRIVATE_LANE, lane, row * 4 + offset % 4, byte);
}

/* The local memory of a group of several waves is not known before the stop. */
static void local_read(const struct wt_way *way, uint64_t offset, struct byte *byte)
{
	const struct wt_rerun *rerun = way->track->rerun;

	if (!rerun->alone)
		return;
	if (!rerun->local_unknown[offset / 4] &&
	    !(rerun->written_influence & WT_INFLUENCE_OTHERS)) {
		byte->value = rerun->wave.lds[offset];
		byte->status = WT_WAY_KNOWN;
	} else if (rerun->local_writers[offset / 4] == way->track->end_local[offset / 4]) {
		byte_recorded(way, GFX_SPACE_LOCAL, 0, offset, byte);
	}
}

static void global_read(const struct wt_way *way, uint64_t address, struct byte *byte)
{
	const struct wt_rerun *rerun = way->track->rerun;
	const struct wt_analysis_input *input = rerun->input;
	const struct wt_written *written = wt_rerun_written(rerun, address);

	if (!input->is_fixed(input->opaque, address))
		return;
	if (!written) {
		/* Memory is known as it is where the way ends, or begins. */
		if (!way->earlier && wt_written_has(&way->track->end_written, address))
			return;
		if (input->read(input->opaque, address, &byte->value, 1))
			byte->status = WT_WAY_KNOWN;
		return;
	}
	if (written->unknown || rerun->written_influence & WT_INFLUENCE_OTHERS)
		return;
	byte->value = (uint8_t)(written->value >> 8 * (address % 4));
	byte->status = WT_WAY_KNOWN;
}

/* The space of an access that such an address has, and the address of all lanes' private memory as one of a lane. */
static enum gfx_access_space access_space(const struct wt_way *way, enum gfx_space space,
					  uint32_t *lane, uint64_t *address)
{
	uint32_t lanes = wt_way_lanes(way);

	switch (space) {
	case GFX_SPACE_LOCAL:
		return GFX_ACCESS_LOCAL;
	case GFX_SPACE_PRIVATE_WAVE:
		*lane = (uint32_t)(*address / GFX_PRIVATE_WORD % lanes);
		*address = *address / GFX_PRIVATE_WORD / lanes * GFX_PRIVATE_WORD +
			   *address % GFX_PRIVATE_WORD;
		return GFX_ACCESS_PRIVATE;
	case GFX_SPACE_PRIVATE_LANE:
		return GFX_ACCESS_PRIVATE;
	case GFX_SPACE_GENERIC:
		return GFX_ACCESS_GENERIC;
	case GFX_SPACE_GLOBAL:
		break;
	}
	return GFX_ACCESS_GLOBAL;
}

static struct byte byte_read(const struct wt_way *way, enum gfx_space space, uint32_t lane,
			     uint64_t address)
{
	struct byte byte = {.status = WT_WAY_NOT_KNOWN};
	struct wt_rerun_place place;
	enum gfx_access_space access;

	if (wt_way_is_at_end(way)) {
		byte_recorded(way, space, lane, address, &byte);
		if (byte.status != WT_WAY_NOT_KNOWN || !way->track)
			return byte;
	}
	access = access_space(way, space, &lane, &address);
	if (lane >= GFX_MAX_LANES)
		return byte;
	place = wt_rerun_place_of(way->track->rerun, access, lane, address);
	if (place.kind == WT_RERUN_GLOBAL)
		global_read(way, place.offset, &byte);
	else if (place.there && place.kind == WT_RERUN_PRIVATE)
		private_read(way, place.offset, &byte);
	else if (place.there)
		local_read(way, place.offset, &byte);
	return byte;
}

void wt_way_memory(struct wt_way *way, enum gfx_space space, uint32_t lane, uint64_t address,
		   uint8_t *data, enum wt_way_status *status, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		struct byte byte = byte_read(way, space, lane, address + i);

		data[i] = byte.status == WT_WAY_NOT_KNOWN ? 0 : byte.value;
		status[i] = byte.status;
	}
}

/* ---- Calls and variables ---- */

static bool state_register(void *opaque, const char *name, uint32_t lane, uint64_t *value_ret,
			   unsigned int *bits_ret, const char **why_ret)
{
	const struct wt_way *way = opaque;
	struct wt_way_value value;

	if (!wt_way_register(way, name, lane, &value))
		return false;
	*value_ret = value.value;
	*bits_ret = value.bits;
	*why_ret = value.status == WT_WAY_NOT_KNOWN ? NOT_HERE : NULL;
	return true;
}

static size_t state_memory(void *opaque, enum gfx_space space, uint32_t lane, uint64_t address,
			   void *data, size_t size)
{
	uint8_t *bytes = data;
	size_t i = 0;

	for (; i < size; i++) {
		struct byte byte = byte_read(opaque, space, lane, address + i);

		if (byte.status == WT_WAY_NOT_KNOWN)
			break;
		bytes[i] = byte.value;
	}
	return i;
}

static enum wt_dwarf_stored state_stored(void *opaque, uint32_t lane, uint64_t address)
{
	const struct wt_way *way = opaque;
	const struct wt_rerun *rerun = way->track ? way->track->rerun : NULL;

	if (!rerun || lane >= rerun->lanes || address / 4 >= rerun->private_words)
		return WT_DWARF_STORED_UNKNOWN;
	if (rerun->private_stored[gfx_private_place(rerun->lanes, lane, address) / 4] >>
		    address % 4 &
	    1)
		return WT_DWARF_STORED;
	return rerun->private_anywhere || way->earlier ? WT_DWARF_STORED_UNKNOWN
						       : WT_DWARF_NOT_STORED;
}

void wt_way_state_init(struct wt_way *way)
{
	way->state = (struct wt_machine_state){
		.opaque = way,
		.read_register = state_register,
		.read_memory = state_memory,
		.is_stored = state_stored,
	};
}

struct wt_error *wt_way_stack(struct wt_way *way, struct wt_stack **stack_ret)
{
	uint64_t known, lanes = wt_way_lanes(way) == 32 ? UINT32_MAX : UINT64_MAX;

	way->state.pc = wt_way_pc(way);
	way->state.exec = wt_way_exec(way, &known);
	way->state.has_exec = known == lanes;
	way->state.hidden = way->hidden;
	way->state.not_there = wt_way_is_at_end(way) ? NULL : NOT_HERE;
	return wt_stack_create_at(way->stacks, way->wave, &way->state, stack_ret);
}
