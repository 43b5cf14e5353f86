/* SPDX-License-Identifier: MIT */
#include "recorder/moment/taking.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "gfx/architecture/packet.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/late.h"
#include "recorder/moment/wave-registers.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"

/* Larger than that of any architecture so far. */
#define LOCAL_LIMIT (160u << 10)
#define PRIVATE_LIMIT_WAVE (1u << 20)
#define ARGUMENTS_LIMIT (64u << 10)
#define HUNG_WAVES 16u /* whose pointers are followed, at one place of a program that hangs */
#define ARGUMENT_POINTERS 512u	  /* bytes of them that are looked at */
#define GLOBALS_LIMIT (64u << 10) /* bytes of a code object's variables */
#define BUFFER_LIMIT (64u << 10)  /* bytes from where an argument points on */
#define POINTED_MOST 256u  /* places that are looked at for pointers, those of arguments first */
#define POINTED_BYTES 512u /* of each of them */
/* Bytes that the packet processor reads of a kernel; the size of its arguments is the third word. */
#define DESCRIPTOR_SIZE 64u
#define DESCRIPTOR_ARGUMENTS 8u
/* A value can be an address above the pages that are never mapped, and below the end of 48 bits. */
#define LOWEST_ADDRESS UINT64_C(0x10000)
/* Below it two numbers side by side are more likely than an address that leads nowhere. */
#define LOWEST_POINTER (UINT64_C(1) << 40)
#define HIGHEST_ADDRESS UINT64_C(0x0000ffffffffffff)

/*
 * Is one of the stop reasons a fault of the program, not a request of a debugger? A reason that is not known here is
 * taken for a fault, so that all of the wave is recorded; what is shown as a fault, WT_FAULT_REASONS says.
 */
static bool reasons_are_fault(uint32_t reasons)
{
	const uint32_t wanted =
		AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT | AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT |
		AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP | AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP;

	return reasons & ~wanted;
}

const uint8_t *wt_taking_bytes(const struct wt_stopped_wave *wave, uint32_t offset, size_t size)
{
	const struct wt_bytes *bytes = wave->registers ? wave->registers->bytes : NULL;

	if (!bytes || offset > bytes->size || size > bytes->size - offset)
		return NULL;
	return bytes->data + offset;
}

/* Subtract bytes that were put into the state from the budget. */
static void taking_spend(struct wt_taking *taking, uint64_t bytes)
{
	taking->bytes_left -= bytes < taking->bytes_left ? bytes : taking->bytes_left;
}

bool wt_taking_is_over(struct wt_taking *taking)
{
	if (taking->over)
		return true;
	taking->out_of_memory = !taking->bytes_left;
	taking->over = taking->out_of_memory ||
		       (taking->deadline != UINT64_MAX && wt_clock_ns() >= taking->deadline);
	return taking->over;
}

static bool takes_memory(const struct wt_taking *taking)
{
	const struct wt_policy *policy = &taking->recorder->options.policy;

	return !policy->redact && policy->memory_bytes;
}

static bool takes_all(const struct wt_taking *taking)
{
	return takes_memory(taking) && taking->recorder->options.policy.all_memory;
}

struct wt_error *wt_take_ranges(struct wt_taking *taking)
{
	const struct wt_policy *policy = &taking->recorder->options.policy;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < policy->range_count && !policy->redact; i++) {
		struct wt_range range =
			wt_range_global(taking->recorder, taking->process,
					policy->ranges[i].address, policy->ranges[i].size);
		uint64_t last = range.address + (range.size - 1);
		uint64_t page = range.address & ~(uint64_t)(WT_PAGE - 1);

		for (; !error && page <= last && !wt_taking_is_over(taking); page += WT_PAGE) {
			size_t done;

			error = wt_take_page(taking->recorder, taking->state, &range,
					     &taking->reservations, page, true, &done);
			taking_spend(taking, done);
			if (page > UINT64_MAX - WT_PAGE)
				break;
		}
	}
	return error;
}

/* @up_to_missing: nothing is taken from the first page on that cannot be read. */
static struct wt_error *take_pages(struct wt_taking *taking, uint64_t address, uint64_t size,
				   bool keep_unreadable, bool up_to_missing)
{
	struct wt_range range = wt_range_global(taking->recorder, taking->process, address, size);
	uint64_t page = address & ~(uint64_t)(WT_PAGE - 1), last = address + (size ? size - 1 : 0);
	struct wt_error *error = NULL;

	if (last < address || !takes_memory(taking))
		return NULL;
	/* Pages are counted, since an address of -1 is in the last one there is. */
	for (uint64_t left = last / WT_PAGE - page / WT_PAGE + 1; left && !error;
	     left--, page += WT_PAGE) {
		size_t seen = taking->pages.count, done;
		uint64_t ordinal;

		if (!wt_ordinal(&taking->pages, (uintptr_t)page + 1, &ordinal)) {
			taking->pages_cut = true;
			return NULL;
		}
		if (taking->pages.count == seen)
			continue;
		if (wt_taking_is_over(taking))
			return NULL;
		if (!taking->pages_left || !taking->tries_left) {
			taking->pages_cut = true;
			return NULL;
		}
		error = wt_take_page(taking->recorder, taking->state, &range, &taking->reservations,
				     page, keep_unreadable, &done);
		taking->tries_left--;
		taking_spend(taking, done);
		taking->pages_left -= done || keep_unreadable;
		if (up_to_missing && !done)
			break;
	}
	return error;
}

struct wt_error *wt_take_global(struct wt_taking *taking, uint64_t address, uint64_t size,
				bool keep_unreadable)
{
	return take_pages(taking, address, size, keep_unreadable, false);
}

/* The kernel arguments of a dispatch, and their size in bytes; a page where the kernel does not say: those of assemblers have 0. */
static bool dispatch_find_arguments(struct wt_taking *taking, uint64_t dispatch,
				    uint64_t *arguments_ret, uint32_t *size_ret)
{
	uint64_t descriptor;

	if (!wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, &descriptor) ||
	    !wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, arguments_ret))
		return false;
	if (!wt_read_global(taking->recorder, taking->process, descriptor + DESCRIPTOR_ARGUMENTS,
			    size_ret, sizeof(*size_ret)) ||
	    !*size_ret || *size_ret > ARGUMENTS_LIMIT)
		*size_ret = WT_PAGE;
	return *arguments_ret;
}

/* @keep_unreadable: that nothing is there is worth knowing. */
static struct wt_error *take_pointer(struct wt_taking *taking, uint32_t low, uint32_t high,
				     bool keep_unreadable)
{
	uint64_t address = (uint64_t)high << 32 | low;

	/* A high half of 0 is a number far more often than an address. */
	if (!high || address < LOWEST_ADDRESS || address > HIGHEST_ADDRESS)
		return NULL;
	return wt_take_global(taking, address, 1, keep_unreadable && address >= LOWEST_POINTER);
}

/* The memory around an address, up to where there is none. */
static struct wt_error *take_around(struct wt_taking *taking, uint64_t address)
{
	uint64_t page = address & ~(uint64_t)(WT_PAGE - 1);
	struct wt_error *error =
		take_pages(taking, address, HIGHEST_ADDRESS - address, false, true);

	for (; page >= LOWEST_ADDRESS + WT_PAGE && !error && !taking->over; page -= WT_PAGE) {
		uint64_t before = taking->bytes_left;
		size_t seen = taking->pages.count;

		error = take_pages(taking, page - WT_PAGE, WT_PAGE, false, true);
		if (taking->bytes_left == before && taking->pages.count > seen)
			break;
	}
	return error;
}

/* Values that a kernel reads from its buffers decide where a wave goes and what it accesses. */
static struct wt_error *take_buffer(struct wt_taking *taking, uint32_t low, uint32_t high)
{
	uint64_t address = (uint64_t)high << 32 | low;

	if (address < LOWEST_POINTER || address > HIGHEST_ADDRESS - BUFFER_LIMIT)
		return NULL;
	return takes_all(taking) ? take_around(taking, address)
				 : take_pages(taking, address, BUFFER_LIMIT, false, true);
}

/* Places where pointers may be. */
struct pointed {
	uint64_t places[POINTED_MOST];
	size_t count;
};

static void pointed_add(struct pointed *pointed, uint64_t address)
{
	if (address < LOWEST_POINTER || address > HIGHEST_ADDRESS - POINTED_BYTES ||
	    address % sizeof(uint32_t))
		return;
	for (size_t i = 0; i < pointed->count; i++)
		if (pointed->places[i] == address)
			return;
	if (pointed->count < POINTED_MOST)
		pointed->places[pointed->count++] = address;
}

/* Reads a place: up to the end of its page, where memory ends behind that. Return: how many words. */
static size_t pointed_read(const struct wt_taking *taking, uint64_t address,
			   uint64_t words_ret[POINTED_BYTES / sizeof(uint64_t)])
{
	const uint64_t sizes[] = {POINTED_BYTES, WT_PAGE - address % WT_PAGE};

	for (size_t i = 0; i < 2; i++)
		if (sizes[i] <= POINTED_BYTES &&
		    wt_read_global(taking->recorder, taking->process, address, words_ret, sizes[i]))
			return sizes[i] / sizeof(uint64_t);
	return 0;
}

/*
 * Takes what structures point to that the arguments point to, and so on: no register leads to where a pointer was loaded from, once the wave
 * has gone on with what it found there.
 */
static struct wt_error *take_pointed(struct wt_taking *taking, struct pointed *pointed)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < pointed->count && !error && takes_memory(taking); i++) {
		uint64_t words[POINTED_BYTES / sizeof(uint64_t)];
		size_t count;

		error = wt_take_global(taking, pointed->places[i], 1, false);
		if (error || wt_taking_is_over(taking) || taking->pages_cut)
			break;
		count = pointed_read(taking, pointed->places[i], words);
		for (size_t word = 0; word < count; word++)
			pointed_add(pointed, le64toh(words[word]));
	}
	return error;
}

static uint32_t word(const struct wt_stopped_wave *wave, uint32_t offset)
{
	const uint8_t *data = wt_taking_bytes(wave, offset, 4);

	return data ? (uint32_t)wt_value_load(data, 4, false) : 0;
}

static struct wt_error *take_vector_pointers(struct wt_taking *taking,
					     const struct wt_stopped_wave *wave)
{
	struct wt_error *error = NULL;

	for (uint32_t v = 0; v + 1 < wave->layout->vgpr_end; v++) {
		if (wave->layout->vgprs[v] == UINT32_MAX ||
		    wave->layout->vgprs[v + 1] == UINT32_MAX)
			continue;
		for (uint32_t lane = 0; lane < wave->lane_count && !error; lane++)
			if (wave->exec >> lane & 1)
				error = take_pointer(
					taking, word(wave, wave->layout->vgprs[v] + 4 * lane),
					word(wave, wave->layout->vgprs[v + 1] + 4 * lane), false);
		if (error)
			return error;
	}
	return NULL;
}

/*
 * Takes what the kernel arguments of a dispatch may point to: registers may have other values by now. It is the same for all
 * waves of a dispatch.
 */
static struct wt_error *take_argument_pointers(struct wt_taking *taking, uint64_t dispatch)
{
	uint32_t words[ARGUMENT_POINTERS / sizeof(uint32_t)] = {0};
	struct pointed pointed = {.count = 0};
	struct wt_error *error = NULL;
	uint64_t arguments;
	uint32_t size;

	if (taking->followed_dispatch == dispatch)
		return NULL;
	taking->followed_dispatch = dispatch;
	if (!dispatch_find_arguments(taking, dispatch, &arguments, &size))
		return NULL;
	size = size < sizeof(words) ? size : sizeof(words);
	if (!wt_read_global(taking->recorder, taking->process, arguments, words, size))
		return NULL;
	for (uint32_t i = 0; i + 1 < size / sizeof(uint32_t) && !error; i += 2)
		error = take_pointer(taking, le32toh(words[i]), le32toh(words[i + 1]), true);
	for (uint32_t i = 0; i + 1 < size / sizeof(uint32_t) && !error; i += 2)
		error = take_buffer(taking, le32toh(words[i]), le32toh(words[i + 1]));
	for (uint32_t i = 0; i + 1 < size / sizeof(uint32_t); i += 2)
		pointed_add(&pointed, le32toh(words[i]) | (uint64_t)le32toh(words[i + 1]) << 32);
	return error ? error : take_pointed(taking, &pointed);
}

/* Waves that stand at one place in a program that hangs wait for the same as a rule: some of them are enough. */
static bool wave_hangs(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	uint8_t *followed = &taking->hung_at[wave->pc / 4 % WT_HUNG_PLACES];

	if (wave->reasons || !taking->asked_only || *followed >= HUNG_WAVES ||
	    wt_taking_is_at_barrier(taking, wave))
		return false;
	++*followed;
	return true;
}

/* The limit for a wave or a group, when so much may be taken of all that are left. */
static uint64_t smaller(uint64_t left, uint64_t limit)
{
	return left < limit ? left : limit;
}

/* The code object that was loaded next below an address; 0 if there is none. */
static uint64_t find_code_object(struct wt_taking *taking, uint64_t address, uint64_t *load_ret)
{
	const struct wt_key key =
		wt_key_function(taking->recorder, WT_ITEM_LIST,
				wt_objects[WT_OBJECT_CODE_OBJECT].list, taking->process);
	const struct wt_item *list = wt_state_get(taking->state, &key);
	uint64_t found = 0;

	*load_ret = 0;
	for (size_t i = 0; list && i < list->handle_count; i++) {
		uint64_t load;

		if (!wt_ask_number(taking->recorder, WT_OBJECT_CODE_OBJECT, list->handles[i],
				   AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, &load) ||
		    load > address || (found && load < *load_ret))
			continue;
		found = list->handles[i];
		*load_ret = load;
	}
	return found;
}

/* A segment of an ELF file that may be damaged; false if it has no such one. */
static bool read_segment(const struct wt_bytes *image, size_t index, Elf64_Phdr *segment_ret)
{
	Elf64_Ehdr header;
	uint64_t at;

	if (image->size < sizeof(header))
		return false;
	memcpy(&header, image->data, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    le16toh(header.e_phentsize) != sizeof(*segment_ret) || index >= le16toh(header.e_phnum))
		return false;
	at = le64toh(header.e_phoff);
	if (at > image->size || (index + 1) * sizeof(*segment_ret) > image->size - at)
		return false;
	memcpy(segment_ret, image->data + at + index * sizeof(*segment_ret), sizeof(*segment_ret));
	return true;
}

/* An address in the code object of a wave's kernel: the wave itself may have jumped to where no code is. */
static uint64_t wave_kernel_address(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	uint64_t descriptor;

	return wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, wave->dispatch,
			     AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, &descriptor)
		       ? descriptor
		       : wave->pc;
}

/*
 * The variables of the code object that a wave's kernel is of: registers may have other values by now than where they are, and the file has
 * what was in them at first.
 */
static struct wt_error *take_globals(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	uint64_t load, object = find_code_object(taking, wave_kernel_address(taking, wave), &load);
	uint64_t left = takes_all(taking) ? UINT64_MAX : GLOBALS_LIMIT;
	const struct wt_key key = wt_key_plain(WT_ITEM_IMAGE, object);
	const struct wt_item *image = wt_state_get(taking->state, &key);
	const struct wt_bytes *bytes = image ? image->bytes : NULL;
	struct wt_error *error = NULL;
	Elf64_Phdr segment;

	if (!object || taking->globals_of == object || !bytes)
		return NULL;
	taking->globals_of = object;
	for (size_t i = 0; !error && left && read_segment(bytes, i, &segment); i++) {
		uint64_t size = smaller(left, le64toh(segment.p_memsz));

		if (le32toh(segment.p_type) != PT_LOAD || !(le32toh(segment.p_flags) & PF_W) ||
		    !size)
			continue;
		error = wt_take_global(taking, load + le64toh(segment.p_vaddr), size, false);
		left -= size;
	}
	return error;
}

/*
 * Take the memory to which scalar registers may point; for a faulting wave also vector registers of active lanes, the arguments, and the
 * variables of the code object that it stands in.
 * The same for a few waves without a reason at each place, where all waves are: what it waits for in a program that hangs. Not for one that is at a
 * barrier, since that waits for other waves.
 */
static struct wt_error *take_pointers(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	struct wt_error *error = NULL;
	bool fault =
		takes_all(taking) || reasons_are_fault(wave->reasons) || wave_hangs(taking, wave);

	if (!wave->reasons && !fault)
		return NULL;
	/* Addresses in scalar registers start at even numbers. */
	for (uint32_t s = 0; s + 1 < wave->layout->sgpr_end && !error; s += 2)
		if (wave->layout->sgprs[s] != UINT32_MAX &&
		    wave->layout->sgprs[s + 1] != UINT32_MAX)
			error = take_pointer(taking, word(wave, wave->layout->sgprs[s]),
					     word(wave, wave->layout->sgprs[s + 1]),
					     wave->reasons &
						     AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION);
	if (!error && fault)
		error = take_vector_pointers(taking, wave);
	if (!error && fault)
		error = take_argument_pointers(taking, wave->dispatch);
	if (!error && fault)
		error = take_globals(taking, wave);
	return error;
}

/* Pages from 0 until one is short; false in @complete_ret if the limit ended it. */
static struct wt_error *take_from_zero(struct wt_taking *taking, const struct wt_range *range,
				       uint64_t limit, uint64_t *taken_ret)
{
	struct wt_error *error = NULL;
	size_t done = WT_PAGE;

	*taken_ret = 0;
	while (!error && done == WT_PAGE && *taken_ret < limit && !wt_taking_is_over(taking)) {
		error = wt_take_page(taking->recorder, taking->state, range, &taking->reservations,
				     *taken_ret, false, &done);
		*taken_ret += done;
		taking_spend(taking, done);
	}
	return error;
}

/* Take the local memory of the wave's workgroup, or the wave's private memory. */
static struct wt_error *take_local_memory(struct wt_taking *taking,
					  const struct wt_stopped_wave *wave)
{
	uint64_t limit = smaller(taking->local_left, LOCAL_LIMIT);
	struct wt_error *error;
	struct wt_range range;
	uint64_t taken;

	if (!takes_memory(taking) ||
	    !wt_range_of_wave(taking->recorder, taking->process, wave->handle, wave->architecture,
			      "local", wave->workgroup, &range))
		return NULL;
	error = take_from_zero(taking, &range, limit, &taken);
	taking->local_left -= smaller(taking->local_left, taken);
	taking->local_cut |= limit < LOCAL_LIMIT && taken >= limit;
	return error;
}

static struct wt_error *take_private(struct wt_taking *taking, const struct wt_stopped_wave *wave)
{
	uint64_t limit =
		smaller(taking->private_left, takes_all(taking) ? UINT64_MAX : PRIVATE_LIMIT_WAVE);
	struct wt_error *error;
	struct wt_range range;
	uint64_t taken;

	if (!takes_memory(taking) ||
	    !wt_range_of_wave(taking->recorder, taking->process, wave->handle, wave->architecture,
			      "private_wave", wave->handle, &range))
		return NULL;
	error = take_from_zero(taking, &range, limit, &taken);
	taking->private_left -= smaller(taking->private_left, taken);
	taking->private_cut |= taken >= limit;
	return error;
}

struct wt_error *wt_take_kernel(struct wt_taking *taking, uint64_t dispatch)
{
	uint64_t descriptor, arguments;
	uint32_t size;
	struct wt_error *error;

	if (!wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, &descriptor))
		return NULL;
	error = wt_take_global(taking, descriptor, DESCRIPTOR_SIZE, false);
	if (error || !dispatch_find_arguments(taking, dispatch, &arguments, &size))
		return error;
	return wt_take_global(taking, arguments, size, false);
}

/* The packet that a queue is at comes first. */
struct wt_error *wt_take_signals(struct wt_taking *taking, const struct wt_item *packets)
{
	struct wt_error *error = NULL;
	struct gfx_packet packet;

	if (!packets || packets->status || !packets->bytes ||
	    packets->bytes->size < GFX_PACKET_SIZE)
		return NULL;
	packet = gfx_packet_decode(packets->bytes->data);
	for (size_t i = 0; i < packet.signal_count && !error; i++)
		error = wt_take_global(taking, packet.signals[i] + GFX_SIGNAL_VALUE,
				       sizeof(uint64_t), false);
	return error;
}

/* The waves of a snapshot: which of them come first, how much is taken of each, and their registers and memory. */

/* Bytes of registers at one stop that are taken of waves that were only asked to stop, if nobody says otherwise. */
#define AUTO_OTHER_BYTES (4u << 20)

/* The library's answers on a wave at this moment, before anything is put in its place (keep_pcs()). */
struct wave {
	uint64_t handle, architecture, workgroup, dispatch, pc, exec;
	uint32_t reasons, lane_count;
	uint8_t rank;
};

/* The place of an answer in the items of waves: mostly the same in all of them. */
struct sought {
	uint32_t query; /* name */
	size_t place;
};

/* The answers that a wave is described by. */
enum { ARCHITECTURE, WORKGROUP, DISPATCH, PC, EXEC, REASONS, LANE_COUNT, STATE, DESCRIBING };

static void seek_all(struct wt_recorder *recorder, struct sought sought[DESCRIBING])
{
	static const uint32_t queries[DESCRIBING] = {
		[ARCHITECTURE] = AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
		[WORKGROUP] = AMD_DBGAPI_WAVE_INFO_WORKGROUP,
		[DISPATCH] = AMD_DBGAPI_WAVE_INFO_DISPATCH,
		[PC] = AMD_DBGAPI_WAVE_INFO_PC,
		[EXEC] = AMD_DBGAPI_WAVE_INFO_EXEC_MASK,
		[REASONS] = AMD_DBGAPI_WAVE_INFO_STOP_REASON,
		[LANE_COUNT] = AMD_DBGAPI_WAVE_INFO_LANE_COUNT,
		[STATE] = AMD_DBGAPI_WAVE_INFO_STATE,
	};

	for (size_t i = 0; i < DESCRIBING; i++)
		sought[i] = (struct sought){
			.query = wt_number_query(&recorder->numbers, WT_OBJECT_WAVE,
						 wt_query_find(WT_OBJECT_WAVE, queries[i])),
		};
}

/* 0 if it was not answered with a number. */
static uint64_t sought_number(const struct wt_item *wave, struct sought *sought)
{
	const struct wt_answer *answer;
	size_t place = sought->place;

	if (place >= wave->answer_count || wave->answers[place].query != sought->query)
		for (place = 0; place < wave->answer_count; place++)
			if (wave->answers[place].query == sought->query)
				break;
	if (place == wave->answer_count)
		return 0;
	sought->place = place;
	answer = &wave->answers[place];
	if (answer->status != AMD_DBGAPI_STATUS_SUCCESS || (answer->size != 4 && answer->size != 8))
		return 0;
	return wt_value_load(answer->value, answer->size, false);
}

/* @state: where its registers go. */
static struct wt_error *open_wave(struct wt_taking *taking, struct wt_state *state,
				  const struct wave *known, enum wt_extent extent,
				  struct wt_stopped_wave *wave)
{
	struct wt_recorder *recorder = taking->recorder;
	struct wt_error *error = NULL;

	*wave = (struct wt_stopped_wave){
		.handle = known->handle,
		.architecture = known->architecture,
		.workgroup = known->workgroup,
		.dispatch = known->dispatch,
		.pc = known->pc,
		.exec = known->exec,
		.reasons = known->reasons,
		.lane_count = known->lane_count,
	};
	if (taking->facts_of != wave->architecture)
		error = wt_facts_take(recorder, wave->architecture);
	if (error)
		return error;
	taking->facts_of = wave->architecture;
	error = wt_take_registers(recorder, state, wave->handle, extent, &wave->registers);
	if (error)
		return error;
	wave->layout = wt_register_layout_find(recorder, wave->registers, wave->lane_count);
	return wave->layout ? NULL : &wt_error_no_memory;
}

static struct wt_error *take_memory(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				    bool local)
{
	struct wt_error *error = wt_take_instruction(taking, wave);

	if (!error && local)
		error = take_local_memory(taking, wave);
	if (!error)
		error = take_private(taking, wave);
	return error ? error : take_pointers(taking, wave);
}

static void spend(struct wt_taking *taking, enum wt_extent extent, size_t bytes)
{
	taking_spend(taking, bytes);
	if (extent != WT_REGISTERS_PLAIN)
		taking->registers_left -=
			bytes < taking->registers_left ? bytes : taking->registers_left;
}

static size_t size_of(const struct wt_item *registers)
{
	return registers->bytes ? registers->bytes->size : 0;
}

/* One that is not seen to be stopped: what the library gives of it is registers alone, if any. */
static struct wt_error *take_running(struct wt_taking *taking, const struct wave *known,
				     enum wt_extent extent)
{
	wt_cleanup_state struct wt_state *apart = wt_state_create();
	struct wt_stopped_wave wave;
	struct wt_error *error =
		apart ? open_wave(taking, apart, known, extent, &wave) : &wt_error_no_memory;

	if (error || !size_of(wave.registers))
		return error;
	spend(taking, extent, size_of(wave.registers));
	return wt_state_set_all(taking->state, apart);
}

/*
 * One wave, as much of it as there are registers. What was to blame comes first when a budget is spent.
 *
 * @local: with the local memory of its workgroup.
 */
static struct wt_error *take_stopped(struct wt_taking *taking, const struct wave *known,
				     enum wt_extent extent, bool local)
{
	struct wt_stopped_wave wave;
	struct wt_error *error = open_wave(taking, taking->state, known, extent, &wave);

	if (error)
		return error;
	spend(taking, extent, size_of(wave.registers));
	error = wt_take_private_place(taking->recorder, taking->state, taking->process, wave.handle,
				      wave.architecture);
	if (error)
		return error;
	return extent == WT_REGISTERS_PLAIN ? wt_take_instruction(taking, &wave)
					    : take_memory(taking, &wave, local);
}

/*
 * In the order in which they are taken: what faulted, what stopped for another reason, what was asked to
 * stop, and what runs as far as the client has been told.
 */
enum rank { FAULT, REASON, ASKED, RUNNING, RANKS };

static enum rank find_rank(uint64_t state, uint32_t reasons)
{
	if (state != AMD_DBGAPI_WAVE_STATE_STOP)
		return RUNNING;
	return reasons_are_fault(reasons) ? FAULT : reasons ? REASON : ASKED;
}

/* From what was taken of it. */
static struct wave wave_describe(uint64_t handle, const struct wt_item *item,
				 struct sought sought[DESCRIBING])
{
	struct wave wave = {.handle = handle};

	wave.architecture = sought_number(item, &sought[ARCHITECTURE]);
	wave.workgroup = sought_number(item, &sought[WORKGROUP]);
	wave.dispatch = sought_number(item, &sought[DISPATCH]);
	wave.pc = sought_number(item, &sought[PC]);
	wave.exec = sought_number(item, &sought[EXEC]);
	wave.reasons = (uint32_t)sought_number(item, &sought[REASONS]);
	wave.lane_count = (uint32_t)sought_number(item, &sought[LANE_COUNT]);
	wave.rank = (uint8_t)find_rank(sought_number(item, &sought[STATE]), wave.reasons);
	return wave;
}

static enum wt_extent choose_extent(struct wt_taking *taking, enum rank rank, uint64_t wave)
{
	const struct wt_session *session = &taking->recorder->session;
	enum wt_policy_waves waves = taking->recorder->options.policy.waves;

	/* Registers that the client has looked at are in the trace, or it could not be played back. */
	if (wt_handles_has(&session->looked_at, wave))
		return WT_REGISTERS_EVERY;
	if (waves == WT_WAVES_AUTO && taking->registers_left)
		return WT_REGISTERS_WANTED;
	if (waves == WT_WAVES_AUTO || (waves == WT_WAVES_FAULTING && rank > REASON)) {
		taking->plain_waves++;
		return WT_REGISTERS_PLAIN;
	}
	return WT_REGISTERS_WANTED;
}

static struct wt_error *take_rank(struct wt_taking *taking, enum rank rank,
				  const struct wave *waves, size_t count, struct wt_handles *groups)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++) {
		enum wt_extent extent;
		bool first;

		if (waves[i].rank != rank)
			continue;
		if (wt_taking_is_over(taking)) {
			taking->waves_left_out++;
			continue;
		}
		extent = choose_extent(taking, rank, waves[i].handle);
		first = rank != RUNNING && !wt_handles_has(groups, waves[i].workgroup);
		if (rank == RUNNING)
			error = take_running(taking, &waves[i], extent);
		else if (first && !wt_handles_add(groups, waves[i].workgroup))
			error = &wt_error_no_memory;
		else
			error = take_stopped(taking, &waves[i], extent, first);
	}
	return error;
}

/* An answer that tells a register's value, as it was told at the last moment. */
static void keep_answer(struct wt_recorder *recorder, struct wt_item *wave,
			const struct wt_item *before, uint32_t query)
{
	const uint32_t name = wt_number_query(&recorder->numbers, WT_OBJECT_WAVE,
					      wt_query_find(WT_OBJECT_WAVE, query));
	const struct wt_answer *old = wt_item_answer(before, name);

	for (size_t i = 0; old && i < wave->answer_count; i++)
		if (wave->answers[i].query == name)
			wave->answers[i] = *old;
}

/* Waves whose registers are kept as they were when they stopped have the same pc and exec mask, too. */
static struct wt_error *keep_pcs(struct wt_recorder *recorder, struct wt_state *state)
{
	const struct wt_session *session = &recorder->session;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < session->written.count && !error; i++) {
		const uint64_t handle = session->written.values[i];
		const struct wt_key key = wt_key_object(recorder, WT_OBJECT_WAVE, handle);
		const struct wt_item *now = wt_state_get(state, &key);
		const struct wt_item *before =
			session->state ? wt_state_get(session->state, &key) : NULL;
		struct wt_answer answers[WT_MAX_QUERIES];
		struct wt_item wave;
		const struct wt_key unreported = wt_late_unreported_key(recorder, handle);

		/* A wave that had stopped without the client knowing had no such answers then. */
		if (!now || !before || wt_state_get(session->state, &unreported) ||
		    !wt_session_keeps(session, handle) || now->answer_count > WT_MAX_QUERIES)
			continue;
		wave = *now;
		memcpy(answers, now->answers, now->answer_count * sizeof(*answers));
		wave.answers = answers;
		keep_answer(recorder, &wave, before, AMD_DBGAPI_WAVE_INFO_PC);
		keep_answer(recorder, &wave, before, AMD_DBGAPI_WAVE_INFO_EXEC_MASK);
		error = wt_state_set(state, &wave);
	}
	return error;
}

static void note_seen(struct wt_recorder *recorder, const struct wave *wave)
{
	if (wave->rank == FAULT)
		recorder->host.seen = WT_SEEN_FAULT;
	else if (wave->rank != RUNNING && recorder->host.seen == WT_SEEN_NOTHING)
		recorder->host.seen = WT_SEEN_STOP;
}

/* Ask about all of them, and describe each before what is told of it is changed. */
static struct wt_error *ask_waves(struct wt_taking *taking, struct wave **waves_ret,
				  size_t *count_ret)
{
	struct wt_recorder *recorder = taking->recorder;
	wt_cleanup_free uint64_t *handles = NULL;
	wt_cleanup_free struct wave *waves = NULL;
	struct sought sought[DESCRIBING];
	struct wt_error *error;
	size_t count = 0;

	error = wt_take_list(recorder, taking->state, WT_FUNCTION_PROCESS_WAVE_LIST,
			     taking->process, &count, &handles);
	waves = error ? NULL : calloc(count + 1, sizeof(*waves));
	if (!error && !waves)
		error = &wt_error_no_memory;
	seek_all(recorder, sought);
	for (size_t i = 0; i < count && !error; i++) {
		const struct wt_item *item;

		error = wt_take_object_item(recorder, taking->state, WT_OBJECT_WAVE, handles[i],
					    &item);
		if (error)
			break;
		waves[i] = wave_describe(handles[i], item, sought);
		note_seen(recorder, &waves[i]);
	}
	if (error)
		return error;
	*waves_ret = waves;
	*count_ret = count;
	waves = NULL;
	return NULL;
}

struct wt_error *wt_take_waves(struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	int ranks_taken = recorder->options.policy.waves == WT_WAVES_ALL ? RANKS : RUNNING;
	wt_cleanup_free struct wave *waves = NULL;
	struct wt_handles groups = {0};
	struct wt_error *error;
	size_t count = 0;

	error = ask_waves(taking, &waves, &count);
	taking->asked_only = true;
	for (size_t i = 0; i < count; i++)
		taking->asked_only &= waves[i].rank == ASKED;
	if (!error)
		error = keep_pcs(recorder, taking->state);
	for (int rank = FAULT; rank < ranks_taken && !error; rank++) {
		if (rank == ASKED && taking->registers_left > AUTO_OTHER_BYTES)
			taking->registers_left = AUTO_OTHER_BYTES;
		error = take_rank(taking, (enum rank)rank, waves, count, &groups);
	}
	wt_handles_deinit(&groups);
	return error;
}
