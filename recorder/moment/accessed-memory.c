/* SPDX-License-Identifier: MIT */
/* Takes the memory that the instruction accesses at which a wave stopped, or one of those before it. */
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/isa/touched-memory.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/taking.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"

/* How far back an access is looked for that failed: words of code, and accesses among them. */
#define EARLIER_WORDS 32u
#define EARLIER_ACCESSES 6u

/* For gfx_decode_access(): registers by name from what was taken. */
struct reading {
	const struct wt_stopped_wave *wave;
	struct wt_recorder *recorder;
	bool all_lanes; /* whatever exec is by now */
};

static bool read_named(const struct reading *reading, const char *name, uint64_t *value_ret)
{
	const struct wt_item *registers = reading->wave->registers;
	uint32_t offset = 0;

	for (size_t i = 0; registers && i < registers->handle_count; i++) {
		const struct wt_register_fact *fact =
			wt_facts_register(&reading->recorder->session, registers->handles[i]);
		const uint8_t *data;

		if (!fact)
			return false;
		if (!strcmp(fact->name, name) && (fact->size == 4 || fact->size == 8)) {
			data = wt_taking_bytes(reading->wave, offset, fact->size);
			if (data)
				*value_ret = wt_value_load(data, fact->size, false);
			return data;
		}
		offset += fact->size;
	}
	return false;
}

static bool reading_register(void *opaque, const char *name, uint32_t lane, uint64_t *value)
{
	const struct reading *reading = opaque;
	uint32_t number, offset = UINT32_MAX;
	const uint8_t *data;

	if (reading->all_lanes && !strcmp(name, "exec")) {
		*value = UINT64_MAX >>
			 (reading->wave->lane_count < 64 ? 64 - reading->wave->lane_count : 0);
		return true;
	}
	if (wt_register_numbered(name, 's', GFX_MAX_SGPRS, &number))
		offset = reading->wave->layout->sgprs[number];
	else if (wt_register_numbered(name, 'v', GFX_MAX_VGPRS, &number) &&
		 reading->wave->layout->vgprs[number] != UINT32_MAX &&
		 lane < reading->wave->lane_count)
		offset = reading->wave->layout->vgprs[number] + 4 * lane;
	else
		return read_named(reading, name, value);
	data = offset != UINT32_MAX ? wt_taking_bytes(reading->wave, offset, 4) : NULL;
	if (data)
		*value = wt_value_load(data, 4, false);
	return data;
}

/*
 * The architecture in our tables, by the name that the library gives it: "amdgcn-amd-amdhsa--gfx942" and "gfx942" are the
 * same thing. AMD's calls all that code can be generic for "generic": then by their machine.
 */
static const struct gfx_architecture *find_architecture(struct wt_recorder *recorder,
							uint64_t handle)
{
	const struct wt_answer *name = wt_facts_answer(recorder, WT_OBJECT_ARCHITECTURE, handle,
						       AMD_DBGAPI_ARCHITECTURE_INFO_NAME);
	const struct wt_answer *machine =
		wt_facts_answer(recorder, WT_OBJECT_ARCHITECTURE, handle,
				AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE);
	const struct gfx_architecture *found;
	char text[64] = "", *dashes;

	if (!name || name->size >= sizeof(text))
		return NULL;
	memcpy(text, name->value, name->size);
	dashes = strstr(text, "--");
	found = gfx_architecture_by_name(dashes ? dashes + 2 : text);
	if (found || !machine || machine->size != sizeof(uint32_t))
		return found;
	return gfx_architecture_by_machine((uint32_t)wt_value_load(machine->value, 4, false));
}

/* One access of one lane, as global memory; accesses of the other spaces are taken as a whole. */
static struct wt_error *take_lane(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				  enum gfx_access_space space, uint32_t lane, uint64_t address,
				  uint64_t size)
{
	struct wt_range range;

	if (space == GFX_ACCESS_GENERIC) {
		uint64_t generic = wt_facts_space(taking->recorder, wave->architecture, "generic");

		if (!generic ||
		    !wt_range_resolve(taking->recorder, taking->process, wave->handle, lane,
				      generic, address, size, &range) ||
		    range.wave)
			return NULL;
		address = range.address;
	} else if (space != GFX_ACCESS_GLOBAL) {
		return NULL;
	}
	return wt_take_global(taking, address, size, true);
}

static struct wt_error *access_take(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				    const struct gfx_access *access)
{
	struct wt_error *error = NULL;

	for (uint64_t left = access->lanes; left && !error; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);

		for (uint32_t part = 0; part < access->parts && !error; part++)
			error = take_lane(taking, wave, access->space, lane,
					  gfx_part_address(access, lane, part), access->size);
	}
	return error;
}

/* Is it known by now that a page is not mapped? */
static bool is_unmapped(const struct wt_taking *taking, uint64_t address)
{
	const struct wt_range range =
		wt_range_global(taking->recorder, taking->process, address, 1);
	const struct wt_key key = wt_range_key(&range, address);
	const struct wt_item *item = wt_state_get(taking->state, &key);

	return item && item->status;
}

/* The first lane whose memory is not there; false if there is none. */
static bool find_unmapped(const struct wt_taking *taking, const struct gfx_access *access,
			  uint32_t *lane_ret)
{
	if (access->space != GFX_ACCESS_GLOBAL && access->space != GFX_ACCESS_GENERIC)
		return false;
	for (uint64_t left = access->lanes; left; left &= left - 1) {
		*lane_ret = (uint32_t)__builtin_ctzll(left);
		if (is_unmapped(taking, access->addresses[*lane_ret]))
			return true;
	}
	return false;
}

/* ---- Where mapped memory ends before an address that faulted ---- */

#define BOUNDARIES_MOST 16u	     /* in one snapshot: each costs up to 28 reads */
#define FARTHEST (UINT64_C(1) << 40) /* bytes from the pointer to the address */
#define ARGUMENTS_MOST 4096u	     /* bytes of arguments that are looked at */
#define DESCRIPTOR_ARGUMENTS 8u	     /* where the kernel's descriptor has their size */
#define LOWEST_ADDRESS UINT64_C(0x10000)

static uint64_t boundary_page(uint64_t address)
{
	return address & ~(uint64_t)(WT_PAGE - 1);
}

/* The answer is kept with the moment, so that who records a replay comes to the same end. */
static struct wt_error *boundary_try(struct wt_taking *taking, uint64_t page, bool *is_mapped_ret)
{
	const struct wt_range range = wt_range_global(taking->recorder, taking->process, page, 1);
	const struct wt_key key = wt_range_key(&range, page);
	struct wt_error *error = wt_take_global(taking, page, 1, true);
	const struct wt_item *item = error ? NULL : wt_state_get(taking->state, &key);

	*is_mapped_ret = item && item->status == AMD_DBGAPI_STATUS_SUCCESS;
	return error;
}

/* The arguments of the wave's kernel; 0 if they cannot be read. */
static size_t read_arguments(struct wt_taking *taking, const struct wt_stopped_wave *wave,
			     uint8_t bytes[ARGUMENTS_MOST])
{
	uint64_t descriptor, arguments;
	uint32_t size;

	if (!wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, wave->dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, &descriptor) ||
	    !wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, wave->dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, &arguments) ||
	    !wt_read_global(taking->recorder, taking->process, descriptor + DESCRIPTOR_ARGUMENTS,
			    &size, sizeof(size)))
		return 0;
	/* Kernels of assemblers do not say: their size is 0. */
	if (!size || size > ARGUMENTS_MOST)
		size = ARGUMENTS_MOST;
	if (!arguments ||
	    !wt_read_global(taking->recorder, taking->process, arguments, bytes, size))
		return 0;
	return size;
}

/* The argument that points next below an address; 0 if there is none. */
static uint64_t boundary_find_argument(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				       uint64_t address)
{
	uint8_t bytes[ARGUMENTS_MOST];
	size_t size = read_arguments(taking, wave, bytes);
	uint64_t nearest = 0;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t pointer = 0;

		for (size_t j = 0; j < 8; j++)
			pointer |= (uint64_t)bytes[i + j] << 8 * j;
		if (pointer >= LOWEST_ADDRESS && pointer <= address && pointer > nearest &&
		    address - pointer < FARTHEST)
			nearest = pointer;
	}
	return nearest;
}

/*
 * Take the last page that is mapped between the kernel argument that points next below an address and that address, and the
 * page behind it, which is not, with those that were tried on the way there: an access to the address failed, and its page is not mapped.
 * Nothing if no argument points below it to mapped memory, or after a few of these in one snapshot.
 */
static struct wt_error *boundary_take(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				      uint64_t address)
{
	uint64_t mapped, unmapped = boundary_page(address), pointer;
	struct wt_error *error;
	bool is_mapped;

	if (taking->boundaries >= BOUNDARIES_MOST || wt_taking_is_over(taking) || !wave->dispatch)
		return NULL;
	taking->boundaries++;
	pointer = boundary_find_argument(taking, wave, address);
	mapped = boundary_page(pointer);
	if (!pointer || mapped == unmapped)
		return NULL;
	error = boundary_try(taking, mapped, &is_mapped);
	if (error || !is_mapped)
		return error;
	/* One of the two is always mapped, the other never. */
	while (!error && unmapped - mapped > WT_PAGE && !wt_taking_is_over(taking)) {
		uint64_t middle = boundary_page(mapped + (unmapped - mapped) / 2);

		error = boundary_try(taking, middle, &is_mapped);
		if (is_mapped)
			mapped = middle;
		else
			unmapped = middle;
	}
	return error;
}

/* ---- What an instruction accesses that failed ---- */

/*
 * Take what an instruction accesses, as far as the registers say that now; and how far the memory goes that the first lane that
 * failed was meant to access.
 */
static struct wt_error *take_failing(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				     const struct gfx_access *access)
{
	struct wt_error *error = access_take(taking, wave, access);
	uint32_t lane;

	return !error && wave->reasons & AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION &&
			       find_unmapped(taking, access, &lane)
		       ? boundary_take(taking, wave, access->addresses[lane])
		       : error;
}

/* ---- Instructions before the pc ---- */

/* Words of instructions that end where the pc is: how many instructions, and where each begins; 0 if they do not end there. */
static size_t decode_from(const struct gfx_architecture *architecture, const uint32_t *words,
			  size_t first, size_t starts[EARLIER_WORDS])
{
	size_t count = 0;

	for (size_t at = first; at < EARLIER_WORDS;) {
		struct gfx_instruction instruction;

		if (gfx_decode(architecture, words + at, EARLIER_WORDS - at, &instruction) !=
		    GFX_DECODE_OK)
			return 0;
		starts[count++] = at;
		at += instruction.word_count;
		if (at > EARLIER_WORDS)
			return 0;
	}
	return count;
}

/*
 * Takes the memory of the accesses before the pc, with the registers as they are now: one at the pc that fails need not be the first. Which
 * lanes were active then is not known.
 */
static struct wt_error *take_earlier(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				     const struct gfx_architecture *architecture)
{
	struct reading reading = {.wave = wave, .recorder = taking->recorder, .all_lanes = true};
	uint32_t words[EARLIER_WORDS];
	size_t starts[EARLIER_WORDS], count = 0, accesses = 0;
	struct wt_error *error = NULL;

	if (wave->pc < sizeof(words) ||
	    !wt_read_global(taking->recorder, taking->process, wave->pc - sizeof(words), words,
			    sizeof(words)))
		return NULL;
	for (size_t first = 0; first < EARLIER_WORDS && !count; first++)
		count = decode_from(architecture, words, first, starts);
	while (count-- && !error && accesses < EARLIER_ACCESSES) {
		struct gfx_access access;

		if (!gfx_decode_access(architecture, words + starts[count],
				       EARLIER_WORDS - starts[count], reading_register, &reading,
				       &access) ||
		    access.space == GFX_ACCESS_NONE)
			continue;
		accesses++;
		error = take_failing(taking, wave, &access);
	}
	return error;
}

/* Finds the code at a wave's pc. Nothing moves while a moment is taken, and many waves stand at the same place. */
static const struct wt_taken_code *taken_code_find(struct wt_taking *taking,
						   const struct wt_stopped_wave *wave)
{
	struct wt_taken_code *code = &taking->code;

	if (code->process == taking->process && code->architecture == wave->architecture &&
	    code->pc == wave->pc)
		return code;
	if (code->process != taking->process || code->architecture != wave->architecture)
		code->gfx = find_architecture(taking->recorder, wave->architecture);
	code->process = taking->process;
	code->architecture = wave->architecture;
	code->pc = wave->pc;
	code->count = 0;
	while (code->count < GFX_INSTRUCTION_WORDS &&
	       wt_read_global(taking->recorder, taking->process, wave->pc + 4 * code->count,
			      &code->words[code->count], sizeof(*code->words)))
		code->count++;
	code->accesses = code->count && code->gfx &&
			 gfx_decode_touches_memory(code->gfx, code->words, code->count);
	return code;
}

bool wt_taking_is_at_barrier(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	const struct wt_taken_code *code = taken_code_find(taking, wave);
	struct gfx_classification flow = {0};
	uint32_t word;

	if (!code->gfx || wave->pc < sizeof(word) ||
	    !wt_read_global(taking->recorder, taking->process, wave->pc - sizeof(word), &word,
			    sizeof(word)))
		return false;
	word = le32toh(word);
	gfx_classify(code->gfx, wave->pc - sizeof(word), &word, 1, &flow);
	return flow.kind == GFX_INSTRUCTION_BARRIER;
}

/* Takes the memory that the instruction at the pc accesses. */
static struct wt_error *take_at_pc(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				   const struct wt_taken_code *code)
{
	struct reading reading = {.wave = wave, .recorder = taking->recorder};
	struct gfx_access access;

	if (!code->accesses || !gfx_decode_access(code->gfx, code->words, code->count,
						  reading_register, &reading, &access))
		return NULL;
	return take_failing(taking, wave, &access);
}

/* The code around the pc; many waves stand at the same place. */
static struct wt_error *take_code(struct wt_taking *taking, uint64_t pc)
{
	if (pc && pc == taking->last_pc)
		return NULL;
	taking->last_pc = pc;
	return wt_take_global(taking, pc, 2 * WT_PAGE, false);
}

struct wt_error *wt_take_instruction(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	struct wt_error *error = take_code(taking, wave->pc);
	const struct wt_taken_code *code;

	if (error || !wave->reasons)
		return error;
	code = taken_code_find(taking, wave);
	if (!code->gfx)
		return NULL;
	error = take_at_pc(taking, wave, code);
	if (error || !(wave->reasons & AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION))
		return error;
	return take_earlier(taking, wave, code->gfx);
}
