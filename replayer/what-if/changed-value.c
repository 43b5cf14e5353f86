/* SPDX-License-Identifier: MIT */
/* The meaning of a change: a register, memory or a variable, and the value that it gets. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "gfx/architecture/private.h"
#include "replayer/view/stack.h"
#include "replayer/view/wave-machine.h"
#include "replayer/what-if/internal.h"

#define MAX_PLACES 16u
#define STATUS_SCC 1u

static __attribute__((format(printf, 2, 3))) struct wt_error *
change_refuse(const struct wt_changed_value *change, const char *format, ...)
{
	wt_cleanup_free char *why = NULL, *text = wt_text("%s=%s", change->what, change->value);
	va_list arguments;

	va_start(arguments, format);
	why = wt_text_list(format, arguments);
	va_end(arguments);
	return why && text ? wt_error_create(WT_ERROR_INPUT, "cannot set", text, "%s", why)
			   : &wt_error_no_memory;
}

struct wt_error *wt_changed_value_init(const char *text, uint32_t lane,
				       struct wt_changed_value *change_ret)
{
	const char *sign = strrchr(text, '=');

	if (!sign || sign == text || !sign[1])
		return wt_error_create(WT_ERROR_INPUT, "cannot set", text,
				       "a change is WHAT=VALUE, as v3=0");
	*change_ret = (struct wt_changed_value){
		.what = strndup(text, (size_t)(sign - text)),
		.value = strdup(sign + 1),
		.lane = lane,
	};
	if (change_ret->what && change_ret->value)
		return NULL;
	wt_changed_value_deinit(change_ret);
	return &wt_error_no_memory;
}

void wt_changed_value_deinit(struct wt_changed_value *change)
{
	free(change->what);
	free(change->value);
}

/* ---- Values ---- */

static bool text_has_point(const char *text)
{
	return !strchr(text, 'x') && !strchr(text, 'X') && strpbrk(text, ".eEnN");
}

static struct wt_error *change_parse_point(const struct wt_changed_value *change, uint32_t bits,
					   uint64_t *value_ret)
{
	char *end;
	double value = strtod(change->value, &end);
	float narrow = (float)value;
	uint32_t word;

	if (*end || (bits != 32 && bits != 64))
		return change_refuse(change, *end ? "the value is no number"
						  : "a number with a point has 4 or 8 bytes");
	if (bits == 64) {
		memcpy(value_ret, &value, sizeof(value));
		return NULL;
	}
	if (isinf(narrow) && !isinf(value))
		return change_refuse(change, "the value does not fit in a number of 4 bytes");
	memcpy(&word, &narrow, sizeof(word));
	*value_ret = word;
	return NULL;
}

/* @bits: at most 64. */
static struct wt_error *change_parse_whole(const struct wt_changed_value *change, uint32_t bits,
					   uint64_t *value_ret)
{
	bool negative = *change->value == '-';
	const char *digits = change->value + negative;
	uint64_t value, most = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	char *end;

	errno = 0;
	value = strtoull(digits, &end, 0);
	if (*digits < '0' || *digits > '9' || *end)
		return change_refuse(change, "the value is no number");
	if (errno || (negative ? value > most / 2 + 1 : value > most))
		return change_refuse(change, "the value does not fit in %u bit%s", bits,
				     bits == 1 ? "" : "s");
	*value_ret = (negative ? -value : value) & most;
	return NULL;
}

static struct wt_error *change_parse_value(const struct wt_changed_value *change, uint32_t bits,
					   uint64_t *value_ret)
{
	return text_has_point(change->value) ? change_parse_point(change, bits, value_ret)
					     : change_parse_whole(change, bits, value_ret);
}

/* ---- Registers ---- */

/* The place of a register in the state of a wave. */
struct register_place {
	uint32_t *words; /* of a vector register those of its lanes */
	uint64_t *wide;
	uint32_t count; /* of words */
	uint32_t
		stride; /* words from a lane to the same in the next register; 0: it is no vector register */
	uint32_t mask; /* of the word; 0: all of it */
};

/* "v3": a number behind a letter, and no more. */
static bool parse_numbered(const char *name, uint32_t *number_ret)
{
	char *end;
	unsigned long number;

	if (name[1] < '0' || name[1] > '9')
		return false;
	number = strtoul(name + 1, &end, 10);
	*number_ret = (uint32_t)number;
	return !*end && number < GFX_MAX_VGPRS;
}

static bool register_find_numbered(struct gfx_wave *gfx, char kind, uint32_t number,
				   struct register_place *place_ret)
{
	uint32_t words = gfx_vector_words(gfx);

	if (kind == 's' && number < gfx->sgpr_count)
		*place_ret = (struct register_place){.words = &gfx->sgprs[number], .count = 1};
	else if (kind == 'v' && number < gfx->vgpr_count)
		*place_ret = (struct register_place){
			.words = &gfx->vgprs[number * words], .count = 1, .stride = words};
	else if (kind == 'a' && number < gfx->agpr_count)
		*place_ret = (struct register_place){
			.words = &gfx->agprs[number * words], .count = 1, .stride = words};
	else
		return false;
	return true;
}

static bool register_find_named(struct gfx_wave *gfx, const char *name,
				struct register_place *place_ret)
{
	const struct {
		const char *name;
		struct register_place place;
	} named[] = {
		{"pc", {.wide = &gfx->pc}},
		{"exec", {.wide = &gfx->exec}},
		{"vcc", {.wide = &gfx->vcc}},
		{"flat_scratch", {.wide = &gfx->flat_scratch}},
		{"xnack_mask", {.wide = &gfx->xnack_mask}},
		{"m0", {.words = &gfx->m0, .count = 1}},
		{"mode", {.words = &gfx->mode, .count = 1}},
		{"scc", {.words = &gfx->status, .count = 1, .mask = STATUS_SCC}},
	};
	uint32_t number;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (!strcmp(name, named[i].name)) {
			*place_ret = named[i].place;
			return true;
		}
	return *name && parse_numbered(name, &number) &&
	       register_find_numbered(gfx, *name, number, place_ret);
}

/* "v3", "s[4:5]", and of one lane "v3[5]", which is taken off. @is_one_ret: is the text of the form of a register, if it names none? */
static bool register_find(struct gfx_wave *gfx, const char *text, uint32_t *lane,
			  struct register_place *place_ret, bool *is_one_ret)
{
	unsigned int first, last, one;
	char kind, rest, name[16];

	text += *text == '$';
	*is_one_ret = false;
	if (sscanf(text, "%c[%u:%u]%c", &kind, &first, &last, &rest) == 3 && strchr("sva", kind)) {
		*is_one_ret = true;
		if (last < first || last - first > 1 ||
		    !register_find_numbered(gfx, kind, last, place_ret) ||
		    !register_find_numbered(gfx, kind, first, place_ret))
			return false;
		place_ret->count = last - first + 1;
		return true;
	}
	if (sscanf(text, "%15[va0-9][%u]%c", name, &one, &rest) == 2 && strchr("va", *name)) {
		*is_one_ret = parse_numbered(name, &first);
		*lane = one;
		return *is_one_ret && register_find_named(gfx, name, place_ret);
	}
	*is_one_ret = strchr("sva", *text) && *text && parse_numbered(text, &first);
	return register_find_named(gfx, text, place_ret);
}

static void register_place_put(const struct register_place *place, uint32_t lane, uint64_t value)
{
	if (place->wide) {
		*place->wide = value;
		return;
	}
	if (place->mask) {
		*place->words = (*place->words & ~place->mask) | (value ? place->mask : 0);
		return;
	}
	for (uint32_t word = 0; word < place->count; word++)
		place->words[place->stride ? word * place->stride + lane : word] =
			(uint32_t)(value >> 32 * word);
}

static uint32_t register_bits(const struct register_place *place)
{
	return place->wide ? 64 : place->mask ? 1 : 32 * place->count;
}

/* ---- Lanes ---- */

/* The lanes that are meant: one, or all that are active. */
static struct wt_error *change_lanes(const struct wt_changed_value *change,
				     const struct gfx_wave *gfx, uint32_t lane, uint64_t *lanes_ret)
{
	if (lane == UINT32_MAX && !gfx->exec)
		return change_refuse(change, "no lane is active: say which one is meant");
	if (lane != UINT32_MAX && lane >= gfx->lane_count)
		return change_refuse(change, "the wave has %u lanes", gfx->lane_count);
	*lanes_ret = lane == UINT32_MAX ? gfx->exec : UINT64_C(1) << lane;
	return NULL;
}

/* ---- Memory ---- */

/* A generic address may be one of local or of private memory. */
static enum gfx_space lower_address(const struct gfx_wave *gfx, enum gfx_space space,
				    uint64_t *address)
{
	const struct gfx_architecture *architecture = gfx->architecture;

	if (space != GFX_SPACE_GENERIC)
		return space;
	if (*address - architecture->local_aperture <= UINT32_MAX) {
		*address -= architecture->local_aperture;
		return GFX_SPACE_LOCAL;
	}
	if (*address - architecture->private_aperture <= UINT32_MAX) {
		*address -= architecture->private_aperture;
		return GFX_SPACE_PRIVATE_LANE;
	}
	return GFX_SPACE_GLOBAL;
}

/* The byte of memory that is not global; NULL if there is none. */
static uint8_t *wave_byte(const struct gfx_wave *gfx, enum gfx_space space, uint32_t lane,
			  uint64_t address)
{
	uint64_t place;

	if (space == GFX_SPACE_LOCAL)
		return address < gfx->lds_size ? gfx->lds + address : NULL;
	if (space != GFX_SPACE_PRIVATE_LANE || address > UINT32_MAX || lane >= gfx->lane_count)
		return NULL;
	place = gfx_private_place(gfx->lane_count, lane, address);
	return gfx->scratch && place < gfx->scratch_size ? gfx->scratch + place : NULL;
}

static size_t wave_peek(struct wt_going_on *going, const struct gfx_wave *gfx, enum gfx_space space,
			uint32_t lane, uint64_t address, uint8_t *data, size_t size)
{
	const uint8_t *byte;
	size_t i = 0;

	space = lower_address(gfx, space, &address);
	if (space == GFX_SPACE_GLOBAL)
		return wt_memory_peek(&going->machine.memory, address, data, size);
	for (; i < size && (byte = wave_byte(gfx, space, lane, address + i)) != NULL; i++)
		data[i] = *byte;
	return i;
}

/* False, and nothing is written, unless all bytes are there. */
static bool wave_poke(struct wt_going_on *going, const struct gfx_wave *gfx, enum gfx_space space,
		      uint32_t lane, uint64_t address, const uint8_t *data, size_t size)
{
	uint8_t before[8];

	if (size > sizeof(before) ||
	    wave_peek(going, gfx, space, lane, address, before, size) != size)
		return false;
	space = lower_address(gfx, space, &address);
	if (space == GFX_SPACE_GLOBAL)
		return wt_memory_poke(&going->machine.memory, address, data, size) == size;
	for (size_t i = 0; i < size; i++)
		*wave_byte(gfx, space, lane, address + i) = data[i];
	return true;
}

static void value_bytes(uint64_t value, uint8_t bytes_ret[8])
{
	for (size_t i = 0; i < 8; i++)
		bytes_ret[i] = (uint8_t)(value >> 8 * i);
}

/* "private 16:8"; false if it is none. */
static bool change_parse_memory(const char *text, enum gfx_space *space_ret, uint64_t *address_ret,
				uint64_t *size_ret)
{
	static const struct {
		const char *name;
		enum gfx_space space;
	} spaces[] = {{"global ", GFX_SPACE_GLOBAL},
		      {"generic ", GFX_SPACE_GENERIC},
		      {"local ", GFX_SPACE_LOCAL},
		      {"private ", GFX_SPACE_PRIVATE_LANE}};
	char *end;

	*space_ret = GFX_SPACE_GENERIC;
	*size_ret = 4;
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (!strncmp(text, spaces[i].name, strlen(spaces[i].name))) {
			*space_ret = spaces[i].space;
			text += strlen(spaces[i].name);
			break;
		}
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*address_ret = strtoull(text, &end, 0);
	if (*end == ':' && end[1] >= '0' && end[1] <= '9')
		*size_ret = strtoull(end + 1, &end, 0);
	return !errno && !*end;
}

static struct wt_error *change_put_memory(const struct wt_changed_value *change,
					  struct wt_going_on *going, const struct gfx_wave *gfx,
					  enum gfx_space space, uint64_t address, uint64_t size)
{
	uint64_t value, lanes = 1, lowered = address;
	struct wt_error *error;
	uint8_t bytes[8];

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return change_refuse(change, "of memory 1, 2, 4 or 8 bytes are set");
	error = change_parse_value(change, (uint32_t)size * 8, &value);
	if (!error && lower_address(gfx, space, &lowered) == GFX_SPACE_PRIVATE_LANE)
		error = change_lanes(change, gfx, change->lane, &lanes);
	if (error)
		return error;
	value_bytes(value, bytes);
	for (; lanes; lanes &= lanes - 1)
		if (!wave_poke(going, gfx, space, (uint32_t)__builtin_ctzll(lanes), address, bytes,
			       (size_t)size))
			return change_refuse(change,
					     "there is no such memory, or it was not recorded");
	return NULL;
}

/* ---- Variables ---- */

struct variable {
	struct wt_going_on *going;
	struct gfx_wave *gfx;
	struct wt_dwarf_part_place places[MAX_PLACES];
	size_t count;
	bool too_many;
};

static bool variable_read_register(void *opaque, const char *name, uint32_t lane,
				   uint64_t *value_ret, unsigned int *bits_ret,
				   const char **why_ret)
{
	struct variable *variable = opaque;
	struct register_place place;
	uint32_t none = lane;
	bool is_one;

	if (!register_find(variable->gfx, name, &none, &place, &is_one) || place.mask ||
	    (place.stride && lane >= variable->gfx->lane_count))
		return false;
	*value_ret = place.wide ? *place.wide : place.words[place.stride ? lane : 0];
	*bits_ret = place.wide ? 64 : 32;
	*why_ret = NULL;
	return true;
}

static size_t variable_read_memory(void *opaque, enum gfx_space space, uint32_t lane,
				   uint64_t address, void *data, size_t size)
{
	struct variable *variable = opaque;

	return wave_peek(variable->going, variable->gfx, space, lane, address, data, size);
}

static enum wt_dwarf_stored variable_is_stored(void *opaque, uint32_t lane, uint64_t address)
{
	(void)opaque;
	(void)lane;
	(void)address;
	return WT_DWARF_STORED_UNKNOWN;
}

static bool variable_add_place(void *opaque, const struct wt_dwarf_part_place *place)
{
	struct variable *variable = opaque;

	variable->too_many |= variable->count == MAX_PLACES;
	if (variable->too_many)
		return false;
	variable->places[variable->count++] = *place;
	return true;
}

static uint64_t place_bytes(const struct wt_dwarf_part_place *place)
{
	return place->memory ? place->size : 4;
}

/* Bits of a type that is narrower than a register, and whether it has no sign. */
static uint32_t narrow_bits(const char *type, bool *unsigned_ret)
{
	static const struct {
		const char *name;
		uint32_t bits;
		bool no_sign;
	} types[] = {{"bool", 1, true},		  {"_Bool", 1, true},	      {"char", 8, false},
		     {"signed char", 8, false},	  {"unsigned char", 8, true}, {"short", 16, false},
		     {"unsigned short", 16, true}};

	*unsigned_ret = false;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(type, types[i].name)) {
			*unsigned_ret = types[i].no_sign;
			return types[i].bits;
		}
	return 64;
}

static bool type_has_point(const char *type)
{
	return !strcmp(type, "float") || !strcmp(type, "double");
}

static const char *type_without_words(const char *type)
{
	static const char *const words[] = {"const ", "volatile "};

	for (size_t i = 0; i < 2; i++)
		if (!strncmp(type, words[i], strlen(words[i])))
			return type_without_words(type + strlen(words[i]));
	return type;
}

static struct wt_error *variable_value(const struct wt_changed_value *change, const char *type,
				       uint64_t size, uint64_t *value_ret)
{
	bool no_sign;
	uint32_t bits = narrow_bits(type, &no_sign);
	struct wt_error *error;

	if (!size || size > 8)
		return change_refuse(change, "it has %llu bytes: set a part of it",
				     (unsigned long long)size);
	if (type_has_point(type))
		return change_parse_point(change, (uint32_t)size * 8, value_ret);
	if (text_has_point(change->value))
		return change_refuse(change, "it is of type %s, which has no point", type);
	bits = bits < size * 8 ? bits : (uint32_t)size * 8;
	error = change_parse_whole(change, bits, value_ret);
	/* The register of a narrow number has its sign in all of its bits. */
	if (!error && bits < size * 8 && !no_sign && *value_ret >> (bits - 1) & 1)
		*value_ret |= ~((UINT64_C(1) << bits) - 1);
	return error;
}

static struct wt_error *variable_put(const struct wt_changed_value *change,
				     const struct variable *variable, uint64_t value)
{
	bool accumulation;

	for (size_t i = 0; i < variable->count; i++) {
		const struct wt_dwarf_part_place *place = &variable->places[i];
		struct register_place in;
		uint32_t number;
		uint8_t bytes[8];
		bool found = false;

		value_bytes(value, bytes);
		if (place->memory)
			found = wave_poke(variable->going, variable->gfx, place->space, place->lane,
					  place->address, bytes, (size_t)place->size);
		else if (wt_dwarf_is_scalar(place->number, &number))
			found = register_find_numbered(variable->gfx, 's', number, &in);
		else if (wt_dwarf_is_vector(place->number, &accumulation, &number))
			found = register_find_numbered(variable->gfx, accumulation ? 'a' : 'v',
						       number, &in);
		if (!found)
			return change_refuse(change, "its place is not one that can be set");
		if (!place->memory)
			register_place_put(&in, place->lane, value);
		value = place_bytes(place) < 8 ? value >> 8 * place_bytes(place) : 0;
	}
	return NULL;
}

static struct wt_error *variable_set_lane(const struct wt_changed_value *change,
					  struct wt_stack *stack, struct variable *variable,
					  uint32_t lane)
{
	char why[WT_STACK_WHY] = "";
	struct wt_dwarf_complaint complaint = {0};
	wt_cleanup_free char *type = NULL;
	uint64_t size = 0, value;
	struct wt_error *error;

	variable->count = 0;
	error = wt_stack_places(stack, 0, lane, change->what, variable_add_place, variable, why);
	if (error)
		return error;
	if (!variable->count || variable->too_many)
		return change_refuse(change, "%s", *why ? why : "it is in too many places");
	for (size_t i = 0; i < variable->count; i++)
		size += place_bytes(&variable->places[i]);
	error = wt_stack_print_type(stack, 0, lane, change->what, true, &type, &complaint);
	if (!error)
		error = variable_value(change, type ? type_without_words(type) : "", size, &value);
	return error ? error : variable_put(change, variable, value);
}

/* The places of variables are those at the instruction from which the wave goes on. */
static struct wt_error *change_put_variable(const struct wt_changed_value *change,
					    struct wt_going_on *going, struct gfx_wave *gfx,
					    uint64_t wave)
{
	struct variable variable = {.going = going, .gfx = gfx};
	const struct wt_machine_state state = {
		.opaque = &variable,
		.pc = gfx->pc,
		.exec = gfx->exec,
		.has_exec = true,
		.read_register = variable_read_register,
		.read_memory = variable_read_memory,
		.is_stored = variable_is_stored,
	};
	struct wt_stacks *stacks = NULL;
	struct wt_stack *stack = NULL;
	uint64_t lanes = 0;
	struct wt_error *error = change_lanes(change, gfx, change->lane, &lanes);

	if (!error)
		error = wt_stacks_create(going->stop->view, &stacks);
	if (!error)
		error = wt_stack_create_at(stacks, wave, &state, &stack);
	if (!error && (!stack || !wt_stack_count(stack)))
		error = change_refuse(change, "no frame is known where the wave goes on");
	for (; lanes && !error; lanes &= lanes - 1)
		error = variable_set_lane(change, stack, &variable,
					  (uint32_t)__builtin_ctzll(lanes));
	wt_stack_destroy(stack);
	wt_stacks_destroy(stacks);
	return error;
}

/* ---- All of it ---- */

static struct wt_error *change_put_register(const struct wt_changed_value *change,
					    struct gfx_wave *gfx,
					    const struct register_place *place, uint32_t lane)
{
	uint64_t value, lanes = 1;
	struct wt_error *error = change_parse_value(change, register_bits(place), &value);

	if (!error && place->stride)
		error = change_lanes(change, gfx, lane, &lanes);
	if (!error && place->wide == &gfx->pc && value % 4)
		error = change_refuse(change, "no instruction is at such an address");
	for (; lanes && !error; lanes &= lanes - 1)
		register_place_put(place, (uint32_t)__builtin_ctzll(lanes), value);
	return error;
}

/* NULL if none of the stop has the handle. */
static struct wt_wave *changed_wave_find(const struct wt_going_on *going, uint64_t handle)
{
	for (size_t i = 0; i < going->wave_count; i++)
		if (going->waves[i].handle == handle)
			return going->waves[i].wave;
	return NULL;
}

struct wt_error *wt_changed_value_put(const struct wt_changed_value *change,
				      struct wt_going_on *going, uint64_t wave)
{
	struct wt_wave *stopped = changed_wave_find(going, wave);
	uint32_t lane = change->lane;
	struct register_place place;
	enum gfx_space space;
	uint64_t address, size;
	bool is_one;

	if (!stopped)
		return change_refuse(change, "there is no wave w%llu", (unsigned long long)wave);
	if (register_find(&stopped->gfx, change->what, &lane, &place, &is_one))
		return change_put_register(change, &stopped->gfx, &place, lane);
	if (is_one)
		return change_refuse(change, "wave w%llu has no such register",
				     (unsigned long long)wave);
	if (change_parse_memory(change->what, &space, &address, &size))
		return change_put_memory(change, going, &stopped->gfx, space, address, size);
	return change_put_variable(change, going, &stopped->gfx, wave);
}
