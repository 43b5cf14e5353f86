/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/unwind.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/dwarf/cfi.h"
#include "replayer/dwarf/code-effects.h"

#define SCALARS 106
#define MAX_SLOTS 256
#define MAX_DEPTH 16 /* of calls in functions that are followed */
#define NOBODY (-1)
#define NOT_SAVED UINT32_MAX

#define NOT_KEPT WT_DWARF_UNKNOWN "a function that was called has changed the register"
#define NO_CODE WT_DWARF_UNKNOWN "the code of a function that was called cannot be followed"

/* A lane of a vector register that holds a scalar register of the caller. */
struct slot {
	uint32_t vector, lane;
	int origin;
	bool is_read_back; /* behind the call that the frame is in */
};

/* For which lanes vector instructions are executed: compilers switch it around what they keep in the frame. */
enum lanes {
	AS_CALLED,
	ALL_LANES,
	OTHER_LANES, /* those that were not active: the others do not keep their value */
};

/* The registers that a called function may have changed when it returns. */
struct changed {
	bool scalars[SCALARS], vectors[2][WT_DWARF_VECTORS];
};

struct wt_dwarf_kept {
	enum lanes lanes;
	int origin[SCALARS]; /* whose value at the function's start it holds now; or NOBODY */
	bool dirty[2][WT_DWARF_VECTORS]; /* v and a: not as they were */
	/* By the convention alone calls of nobody knows which function may have changed them. */
	bool doubted[SCALARS], doubted_vectors[WT_DWARF_VECTORS];
	bool is_read_back[SCALARS]; /* as that of slots */
	uint32_t saved
		[WT_DWARF_VECTORS]; /* where in the frame they are, in bytes of a lane; or NOT_SAVED */
	struct slot slots[MAX_SLOTS];
	size_t slot_count;
	/* By functions between the call that the frame is in and the inner frame: they called it in their place, and are gone. */
	struct changed between;
};

/* ---- Following code ---- */

static void drop_slots(struct wt_dwarf_kept *kept, uint32_t vector, uint32_t lane)
{
	for (size_t i = 0; i < kept->slot_count; i++)
		if (kept->slots[i].vector == vector &&
		    (lane == UINT32_MAX || kept->slots[i].lane == lane))
			kept->slots[i].origin = NOBODY;
}

static const struct slot *kept_slot_find(const struct wt_dwarf_kept *kept, uint32_t vector,
					 uint32_t lane)
{
	for (size_t i = kept->slot_count; i-- > 0;)
		if (kept->slots[i].vector == vector && kept->slots[i].lane == lane &&
		    kept->slots[i].origin != NOBODY)
			return &kept->slots[i];
	return NULL;
}

/* v_writelane_b32 v40, s30, 0. */
static bool code_writes_lane(const struct wt_dwarf_instruction *code, uint32_t *vector_ret,
			     uint32_t *lane_ret)
{
	*vector_ret = code->code.dst;
	return wt_dwarf_computes(code, "v_writelane_b32") &&
	       wt_dwarf_source_number(code, 1, lane_ret);
}

/* v_readlane_b32 s30, v40, 0. */
static bool code_reads_lane(const struct wt_dwarf_instruction *code, uint32_t *scalar_ret,
			    uint32_t *vector_ret, uint32_t *lane_ret)
{
	struct wt_dwarf_range vector, scalar;

	if (!wt_dwarf_computes(code, "v_readlane_b32") || !wt_dwarf_result(code, &scalar) ||
	    !wt_dwarf_source(code, 0, &vector) || !wt_dwarf_source_number(code, 1, lane_ret))
		return false;
	*scalar_ret = scalar.first;
	*vector_ret = vector.first;
	return vector.kind == 'v' && scalar.first < SCALARS;
}

/* A lane keeps a scalar register. */
static bool write_lane(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	struct wt_dwarf_range scalar;
	uint32_t vector, lane;

	if (!code_writes_lane(code, &vector, &lane))
		return false;
	drop_slots(kept, vector, lane);
	kept->dirty[0][vector] = true;
	kept->doubted_vectors[vector] = false;
	if (wt_dwarf_source(code, 0, &scalar) && scalar.kind == 's' && scalar.first < SCALARS &&
	    kept->origin[scalar.first] != NOBODY && kept->slot_count < MAX_SLOTS)
		kept->slots[kept->slot_count++] = (struct slot){
			.vector = vector, .lane = lane, .origin = kept->origin[scalar.first]};
	return true;
}

static bool kept_lane_read(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	uint32_t vector, scalar, lane;
	const struct slot *slot;

	if (!code_reads_lane(code, &scalar, &vector, &lane))
		return false;
	slot = kept_slot_find(kept, vector, lane);
	kept->origin[scalar] = slot ? slot->origin : NOBODY;
	kept->doubted[scalar] = false;
	return true;
}

/* s_mov_b32 and s_mov_b64 from scalar registers to others. */
static bool is_move(const struct wt_dwarf_instruction *code, struct wt_dwarf_range *to,
		    struct wt_dwarf_range *from)
{
	return wt_dwarf_computes(code, "s_mov") && wt_dwarf_result(code, to) &&
	       wt_dwarf_source(code, 0, from) && to->kind == 's' && from->kind == 's' &&
	       to->last < SCALARS && from->last < SCALARS &&
	       to->last - to->first == from->last - from->first;
}

static bool kept_register_move(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	struct wt_dwarf_range to, from;
	int origins[2];

	if (!is_move(code, &to, &from) || to.last - to.first > 1)
		return false;
	for (uint32_t i = 0; i <= to.last - to.first; i++)
		origins[i] = kept->origin[from.first + i];
	for (uint32_t i = 0; i <= to.last - to.first; i++) {
		kept->origin[to.first + i] = origins[i];
		kept->doubted[to.first + i] = false;
	}
	return true;
}

/* s_or_saveexec_b64 s[0:1], -1 and the like; any other value of exec is taken for that of the call. */
static void note_lanes(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	bool all;
	const enum wt_dwarf_lanes lanes = wt_dwarf_lanes(code, &all);

	if (lanes == WT_DWARF_LANES_SAVED)
		kept->lanes = all && wt_dwarf_computes(code, "s_or_saveexec")	 ? ALL_LANES
			      : all && wt_dwarf_computes(code, "s_xor_saveexec") ? OTHER_LANES
										 : AS_CALLED;
	else if (lanes == WT_DWARF_LANES_SET)
		kept->lanes = all ? ALL_LANES : AS_CALLED;
}

/*
 * buffer_store_dword v42, off, s[0:3], s33 offset:24 and scratch_store_dword off, v42, s33 offset:24, or the loads: a vector
 * register in the frame. Before the frame is made, and behind it, s32 is where it begins.
 */
static bool in_frame(const struct wt_dwarf_instruction *code, enum gfx_memory_kind kind,
		     uint32_t *vector_ret, uint32_t *offset_ret, uint32_t *base_ret)
{
	const struct gfx_instruction *access = &code->code;

	if (!wt_dwarf_is_private(code, kind) || access->operation->size != 4 || access->acc ||
	    (access->scalar_address != 33 && access->scalar_address != 32))
		return false;
	*vector_ret = kind == GFX_MEMORY_LOAD ? access->dst : access->data[0];
	*offset_ret = (uint32_t)access->offset;
	*base_ret = access->scalar_address;
	return true;
}

static bool keep_vector(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	uint32_t vector, offset, base;

	if (in_frame(code, GFX_MEMORY_STORE, &vector, &offset, &base)) {
		/* The first store is that of the caller's value, if nothing else was written before. */
		if (kept->lanes != OTHER_LANES && !kept->dirty[0][vector] &&
		    kept->origin[base] == 32 && kept->saved[vector] == NOT_SAVED)
			kept->saved[vector] = offset;
		return true;
	}
	if (!in_frame(code, GFX_MEMORY_LOAD, &vector, &offset, &base))
		return false;
	drop_slots(kept, vector, UINT32_MAX);
	if (kept->lanes != OTHER_LANES)
		kept->dirty[0][vector] = kept->saved[vector] != offset;
	kept->doubted_vectors[vector] = false;
	return true;
}

/* A function's code, copied where other functions are followed in between. */
struct function {
	const struct wt_dwarf_instruction *code;
	size_t count;
};

/* The code that follows an instruction in its function. */
struct rest {
	const struct wt_dwarf_instruction *code;
	size_t count;
};

/*
 * Is a lane of a vector register read back before it is written? Then a call leaves it as it is: of functions that nobody else
 * calls, compilers know which registers they use, and keep values in the others.
 */
static bool is_read_back(const struct rest *rest, uint32_t vector, uint32_t lane)
{
	const struct wt_dwarf_name name = {'v', vector};

	for (size_t i = 0; i < rest->count; i++) {
		const struct wt_dwarf_instruction *code = &rest->code[i];
		uint32_t scalar, found, number;

		if (code_reads_lane(code, &scalar, &found, &number) && found == vector &&
		    number == lane)
			return true;
		if (code_writes_lane(code, &found, &number) && number != lane)
			continue;
		if (wt_dwarf_writes(code, name))
			return false;
	}
	return false;
}

/* The same of a scalar register that is copied. */
static bool is_copied_back(const struct rest *rest, uint32_t scalar)
{
	const struct wt_dwarf_name name = {'s', scalar};
	struct wt_dwarf_range to, from;

	for (size_t i = 0; i < rest->count; i++) {
		if (is_move(&rest->code[i], &to, &from) && from.first <= scalar &&
		    scalar <= from.last)
			return true;
		if (wt_dwarf_writes(&rest->code[i], name))
			return false;
	}
	return false;
}

static void drop_unread(struct wt_dwarf_kept *kept, const struct rest *rest, uint32_t vector)
{
	for (size_t i = 0; i < kept->slot_count; i++)
		if (kept->slots[i].vector == vector &&
		    !is_read_back(rest, vector, kept->slots[i].lane))
			kept->slots[i].origin = NOBODY;
}

/* ---- Calls ---- */

/* Registers that a function need not give back as they were, by convention. */
static void change_by_convention(struct changed *changed)
{
	*changed = (struct changed){0};
	for (uint32_t i = 0; i < 32; i++)
		changed->scalars[i] = changed->vectors[1][i] = true;
	/* The convention gives back eight of each sixteen from v40 on. */
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++)
		changed->vectors[0][i] = i < 40 || (i - 40) % 16 >= 8;
}

/* A function whose code was followed to its ends. */
struct called {
	uint64_t low;
	bool followed; /* else it is being followed, or cannot be: then the convention counts */
	struct changed changed;
};

#define MAX_CALLED 64
#define MAX_CALLED_STEPS 65536

/* The functions that were called on the way, and how many more instructions of them are looked at. */
struct calls {
	const struct wt_dwarf_machine *machine;
	const struct wt_dwarf_object *object;
	/* The call that the frame is in; `open` if the registers are those of the inner frame's start, which it leads to. */
	const struct wt_dwarf_instruction *last, *open;
	struct called *called[MAX_CALLED];
	size_t count, steps, depth;
};

/* @is_certain: of a function whose code was followed, not by convention. */
static void kept_call_clobber(struct wt_dwarf_kept *kept, const struct changed *changed,
			      bool is_certain, const struct rest *rest)
{
	for (uint32_t i = 0; i < SCALARS; i++) {
		if (!changed->scalars[i] || (!is_certain && kept->origin[i] != NOBODY &&
					     kept->origin[i] != (int)i && is_copied_back(rest, i)))
			continue;
		kept->doubted[i] = !is_certain && (kept->doubted[i] || kept->origin[i] == (int)i);
		kept->origin[i] = NOBODY;
	}
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++) {
		kept->dirty[1][i] |= changed->vectors[1][i];
		if (!changed->vectors[0][i])
			continue;
		kept->doubted_vectors[i] =
			!is_certain && (kept->doubted_vectors[i] || !kept->dirty[0][i]);
		kept->dirty[0][i] = true;
		drop_unread(kept, rest, i);
	}
}

/* The function that was called gives back what is read behind the call that the frame is in. */
static void note_read_back(struct wt_dwarf_kept *kept, const struct rest *rest)
{
	for (uint32_t i = 0; i < SCALARS; i++)
		kept->is_read_back[i] = is_copied_back(rest, i);
	for (size_t i = 0; i < kept->slot_count; i++)
		kept->slots[i].is_read_back =
			is_read_back(rest, kept->slots[i].vector, kept->slots[i].lane);
}

static const struct changed *find_changed(struct calls *calls, uint64_t low);

static void forget_scalar(struct wt_dwarf_kept *kept, uint32_t index)
{
	kept->origin[index] = NOBODY;
	kept->doubted[index] = false;
}

static void forget_vector(struct wt_dwarf_kept *kept, bool accumulation, uint32_t index)
{
	kept->dirty[accumulation][index] = true;
	if (accumulation)
		return;
	kept->doubted_vectors[index] = false;
	drop_slots(kept, index, UINT32_MAX);
}

/* An instruction that is not known may write any register. */
static void write_any(struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	static const struct wt_dwarf_range all[] = {
		{'s', 0, SCALARS}, {'v', 0, WT_DWARF_VECTORS}, {'a', 0, WT_DWARF_VECTORS}};
	const struct wt_dwarf_range *ranges = code->has_written ? code->written : all;
	size_t count = code->has_written ? code->written_count : sizeof(all) / sizeof(*all);

	for (size_t i = 0; i < count; i++)
		for (uint32_t j = ranges[i].first; j <= ranges[i].last; j++) {
			if (ranges[i].kind == 's' && j < SCALARS)
				forget_scalar(kept, j);
			else if (ranges[i].kind != 's' && j < WT_DWARF_VECTORS)
				forget_vector(kept, ranges[i].kind == 'a', j);
		}
}

/*
 * Follows a call. Compilers know which registers functions use that nobody else calls, and keep values in the others,
 * whatever the convention says: so the code of the function that was called decides, where it is known which one that
 * is.
 */
static void follow_call(struct calls *calls, struct wt_dwarf_kept *kept,
			const struct function *function, size_t at)
{
	const struct rest rest = {&function->code[at + 1], function->count - at - 1};
	const struct changed *found = NULL;
	struct changed changed;
	uint64_t target;

	if (&function->code[at] == calls->last)
		note_read_back(kept, &rest);
	if (&function->code[at] == calls->open)
		return;
	if (wt_dwarf_call_target(function->code, function->count, at, &target))
		found = find_changed(calls, target);
	if (!found)
		change_by_convention(&changed);
	kept_call_clobber(kept, found ? found : &changed, found, &rest);
}

static void kept_instruction_follow(struct calls *calls, struct wt_dwarf_kept *kept,
				    const struct function *function, size_t at)
{
	const struct wt_dwarf_instruction *code = &function->code[at];

	note_lanes(kept, code);
	if (write_lane(kept, code) || kept_lane_read(kept, code) ||
	    kept_register_move(kept, code) || keep_vector(kept, code))
		return;
	write_any(kept, code);
	if (wt_dwarf_calls(code))
		follow_call(calls, kept, function, at);
}

/* Adds what a function has changed since its last register was kept, and has not given back yet. */
static void note_changed(struct changed *since, const struct wt_dwarf_kept *body,
			 const struct wt_dwarf_kept *now)
{
	for (uint32_t i = 0; i < SCALARS; i++)
		since->scalars[i] |= now->origin[i] != body->origin[i];
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++)
		since->vectors[0][i] |= now->dirty[0][i];
}

/*
 * Code behind a return or a branch is reached from elsewhere in the function. There it is as after the last register
 * was kept, but for what is changed anywhere, also if it was given back in front of a return.
 */
static void kept_resume(struct wt_dwarf_kept *kept, const struct wt_dwarf_kept *body,
			const struct wt_dwarf_kept *now, const struct changed *since)
{
	struct wt_dwarf_kept result = *body;

	for (uint32_t i = 0; i < SCALARS; i++) {
		bool is_written = (now->origin[i] != (int)i && !now->doubted[i]) ||
				  (body->origin[i] != (int)i && !body->doubted[i]);

		if (i != 33 && (now->origin[i] != result.origin[i] || since->scalars[i])) {
			result.origin[i] = NOBODY;
			result.doubted[i] = !is_written;
		}
	}
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++) {
		result.doubted_vectors[i] = (now->doubted_vectors[i] || !now->dirty[0][i]) &&
					    (body->doubted_vectors[i] || !body->dirty[0][i]) &&
					    (now->dirty[0][i] || body->dirty[0][i]);
		result.dirty[0][i] |= now->dirty[0][i] || since->vectors[0][i];
		result.dirty[1][i] |= now->dirty[1][i];
	}
	*kept = result;
}

/* An instruction that may have been executed or not: what it changes is lost, what it gives back is as it was. */
static void lose(struct calls *calls, struct wt_dwarf_kept *kept, const struct function *function,
		 size_t at)
{
	const struct wt_dwarf_instruction *code = &function->code[at];
	struct wt_dwarf_range moved, source;
	const struct slot *slot;
	uint32_t to, from, lane, base;

	if (code_reads_lane(code, &to, &from, &lane)) {
		slot = kept_slot_find(kept, from, lane);
		if (!slot || slot->origin != (int)to)
			kept->origin[to] = NOBODY;
		return;
	}
	if (code_writes_lane(code, &to, &lane)) {
		drop_slots(kept, to, lane);
		kept->dirty[0][to] = true;
		kept->doubted_vectors[to] = false;
		return;
	}
	if (is_move(code, &moved, &source) && moved.first == moved.last &&
	    kept->origin[source.first] == (int)moved.first)
		return;
	if (in_frame(code, GFX_MEMORY_STORE, &to, &from, &base) ||
	    (in_frame(code, GFX_MEMORY_LOAD, &to, &from, &base) && kept->saved[to] == from))
		return;
	write_any(kept, code);
	if (wt_dwarf_calls(code))
		follow_call(calls, kept, function, at);
}

/* Can code go on from an instruction to another place of the function, and does it not run straight to its end? */
static bool may_go_back(const struct function *function, size_t at)
{
	for (size_t i = at; i < function->count; i++) {
		if (function->code[i].has_target)
			return true;
		if (wt_dwarf_ends(&function->code[i]))
			return false;
	}
	return false;
}

/*
 * Loops: what stands behind the pc may have been executed before it. That is all up to the last branch that leads back to the
 * pc or before it, or to what is found so.
 */
static void lose_in_loops(struct calls *calls, struct wt_dwarf_kept *kept,
			  const struct function *function, size_t count, uint64_t pc)
{
	const struct wt_dwarf_instruction *code = function->code;
	const struct wt_dwarf_instruction *open = calls->open;
	uint64_t reach = pc, from = pc;
	size_t end = count;

	for (size_t i = count; i < function->count; i++)
		if (code[i].has_target && code[i].target <= reach) {
			reach = code[i].address;
			end = i + 1;
			from = code[i].target < from ? code[i].target : from;
		}
	/* In rounds before this one the call has returned. */
	calls->open = NULL;
	if (open && open->address >= from)
		lose(calls, kept, function, count - 1);
	for (size_t i = count; i < end; i++)
		if (may_go_back(function, i))
			lose(calls, kept, function, i);
}

static bool keeps(const struct wt_dwarf_instruction *code)
{
	struct wt_dwarf_range to, from;

	return wt_dwarf_computes(code, "v_writelane_b32") ||
	       (is_move(code, &to, &from) && to.first == 33 && to.last == 33 && from.first == 32);
}

/* A function from its start on: what it has done so far. */
struct following {
	struct wt_dwarf_kept kept, body;
	struct changed since; /* @body, what was given back later */
};

/* May it give a register of the caller back? */
static bool gives_back(const struct wt_dwarf_instruction *code)
{
	uint32_t vector, offset, base;
	struct wt_dwarf_range to, from;

	return wt_dwarf_computes(code, "v_readlane_b32") || is_move(code, &to, &from) ||
	       in_frame(code, GFX_MEMORY_LOAD, &vector, &offset, &base);
}

static void following_start(struct following *following)
{
	struct wt_dwarf_kept *kept = &following->kept;

	for (size_t i = 0; i < SCALARS; i++)
		kept->origin[i] = (int)i;
	for (size_t i = 0; i < WT_DWARF_VECTORS; i++)
		kept->saved[i] = NOT_SAVED;
	following->body = *kept;
}

static void follow_next(struct calls *calls, struct following *following,
			const struct function *function, size_t at)
{
	const struct wt_dwarf_instruction *code = &function->code[at];

	if (gives_back(code))
		note_changed(&following->since, &following->body, &following->kept);
	kept_instruction_follow(calls, &following->kept, function, at);
	if (keeps(code)) {
		following->body = following->kept;
		following->since = (struct changed){0};
	}
	if (wt_dwarf_ends(code)) {
		const struct wt_dwarf_kept now = following->kept;

		kept_resume(&following->kept, &following->body, &now, &following->since);
	}
}

/* ---- Functions that were called ---- */

/* Does it return to who called the function? */
static bool returns(const struct wt_dwarf_kept *kept, const struct wt_dwarf_instruction *code)
{
	struct wt_dwarf_range range;

	return wt_dwarf_source(code, 0, &range) && range.kind == 's' && range.last < SCALARS &&
	       range.last == range.first + 1 && kept->origin[range.first] == 30 &&
	       kept->origin[range.last] == 31;
}

static void add_changed(struct changed *changed, const struct wt_dwarf_kept *kept)
{
	/* The stack and frame registers are given back by adding to them what was taken from them. */
	for (uint32_t i = 0; i < SCALARS; i++)
		changed->scalars[i] |= kept->origin[i] != (int)i && i != 32 && i != 33;
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++) {
		changed->vectors[0][i] |= kept->dirty[0][i];
		changed->vectors[1][i] |= kept->dirty[1][i];
	}
}

/*
 * Follow a function to each of its returns; false if it ends in another way, as by calling another one in its place, unless those
 * ends are meant as well.
 */
static bool follow_to_ends(struct calls *calls, const struct function *function, bool returns_only,
			   struct changed *changed)
{
	struct following *following = calloc(2, sizeof(*following));
	bool known = following != NULL;

	if (following)
		following_start(following);
	for (size_t i = 0; known && i < function->count; i++) {
		const struct wt_dwarf_instruction *code = &function->code[i];

		if (wt_dwarf_computes(code, "s_setpc_b64")) {
			following[1] = following[0];
			known = !returns_only || returns(&following->kept, code);
			lose_in_loops(calls, &following[1].kept, function, i, code->address);
			add_changed(changed, &following[1].kept);
		}
		follow_next(calls, following, function, i);
	}
	free(following);
	return known;
}

static bool copy_function(struct calls *calls, uint64_t low, struct function *function)
{
	const struct wt_dwarf_instruction *code = NULL;
	struct wt_dwarf_instruction *copy;

	function->count = wt_dwarf_whole_function(calls->machine, calls->object, low, &code);
	if (!function->count || function->count > MAX_CALLED_STEPS - calls->steps)
		return false;
	calls->steps += function->count;
	copy = reallocarray(NULL, function->count, sizeof(*copy));
	if (copy)
		memcpy(copy, code, function->count * sizeof(*copy));
	function->code = copy;
	return copy;
}

/* Finds what a function changes; NULL if only the convention says so. */
static const struct changed *find_changed(struct calls *calls, uint64_t low)
{
	/* The call that has not returned is in the function that calls this one. */
	const struct wt_dwarf_instruction *open = calls->open;
	struct function function = {0};
	struct called *called;

	for (size_t i = 0; i < calls->count; i++)
		if (calls->called[i]->low == low)
			return calls->called[i]->followed ? &calls->called[i]->changed : NULL;
	if (calls->count == MAX_CALLED || calls->depth == MAX_DEPTH)
		return NULL;
	called = calloc(1, sizeof(*called));
	if (!called)
		return NULL;
	calls->called[calls->count++] = called;
	called->low = low;
	calls->depth++;
	calls->open = NULL;
	if (copy_function(calls, low, &function))
		called->followed = follow_to_ends(calls, &function, true, &called->changed);
	calls->open = open;
	calls->depth--;
	free((struct wt_dwarf_instruction *)(uintptr_t)function.code);
	return called->followed ? &called->changed : NULL;
}

/* ---- Frames ---- */

/* Compilers describe all calls of a function that they optimise; no other one calls another in its place. */
static bool frame_may_be_left(const struct wt_dwarf_frame *frame)
{
	Dwarf_Die function = frame->function;

	return !frame->has_function || dwarf_hasattr(&function, DW_AT_call_all_calls) ||
	       dwarf_hasattr(&function, DW_AT_GNU_all_call_sites);
}

/* A function that calls another one in its place changes registers of its own; the others may do the same, and are called by convention. */
static void change_between(struct calls *calls, uint64_t low, struct changed *between)
{
	struct function function = {0};
	struct changed own = {0};
	bool known = copy_function(calls, low, &function) &&
		     follow_to_ends(calls, &function, false, &own);

	for (uint32_t i = 0; i < SCALARS; i++)
		between->scalars[i] |= (!known && i != 32 && i != 33) || own.scalars[i];
	for (uint32_t i = 0; i < WT_DWARF_VECTORS; i++) {
		between->vectors[0][i] |= !known || own.vectors[0][i];
		between->vectors[1][i] |= !known || own.vectors[1][i];
	}
	free((struct wt_dwarf_instruction *)(uintptr_t)function.code);
}

/* The call that the frame is in: does it lead to the inner frame, or have others called that one in their place? */
static void follow_open_call(struct calls *calls, const struct wt_dwarf_frame *frame, size_t count,
			     const struct function *function, struct changed *between)
{
	uint64_t target;
	bool known;

	if (!count || !frame->inner || frame->lookup >= frame->pc)
		return;
	calls->last = &function->code[count - 1];
	known = wt_dwarf_call_target(function->code, function->count, count - 1, &target);
	if (known ? target == frame->inner->low : !frame_may_be_left(frame)) {
		calls->open = &function->code[count - 1];
		return;
	}
	change_by_convention(between);
	if (known)
		change_between(calls, target, between);
}

/* The function up to its pc, and what stands behind it. */
static void follow_frame(struct calls *calls, const struct wt_dwarf_frame *frame, size_t count,
			 const struct function *function, struct following *following)
{
	struct changed between = {0};

	follow_open_call(calls, frame, count, function, &between);
	following_start(following);
	for (size_t i = 0; i < count; i++)
		follow_next(calls, following, function, i);
	lose_in_loops(calls, &following->kept, function, count, frame->pc);
	following->kept.between = between;
}

static bool follow_copy(struct wt_dwarf_frame *frame, const struct wt_dwarf_instruction *code,
			size_t total)
{
	struct calls calls = {.machine = frame->machine, .object = frame->object};
	struct wt_dwarf_instruction *copy = reallocarray(NULL, total + 1, sizeof(*copy));
	struct following *following = calloc(1, sizeof(*following));
	const struct function function = {copy, total};
	size_t count = total;

	frame->kept = calloc(1, sizeof(*frame->kept));
	if (copy && following && frame->kept) {
		if (total)
			memcpy(copy, code, total * sizeof(*copy));
		/* Decoding may give more than was asked for. */
		while (count && copy[count - 1].address >= frame->pc)
			count--;
		follow_frame(&calls, frame, count, &function, following);
		*frame->kept = following->kept;
	}
	for (size_t i = 0; i < calls.count; i++)
		free(calls.called[i]);
	free(copy);
	free(following);
	return copy && following && frame->kept;
}

bool wt_dwarf_frame_keep(struct wt_dwarf_frame *frame)
{
	const struct wt_dwarf_instruction *code = NULL;
	size_t total = 0;

	if (frame->object && !wt_dwarf_rules_find(frame->object, frame->lookup, &frame->rules))
		return false;
	if (frame->pc < frame->low || frame->pc > frame->high || !frame->high)
		return true;
	if (frame->pc > frame->low) {
		/* All of it, or as far as it is needed. */
		total = wt_dwarf_function_code(frame, frame->high, &code);
		if (!total)
			total = wt_dwarf_function_code(frame, frame->pc, &code);
		if (!total)
			return true;
	}
	return follow_copy(frame, code, total);
}

void wt_dwarf_frame_deinit(struct wt_dwarf_frame *frame)
{
	free(frame->kept);
	frame->kept = NULL;
	wt_dwarf_rules_destroy(frame->rules);
	frame->rules = NULL;
}

/* ---- Registers ---- */

/*
 * A register of a frame whose code reads it behind the call: so the function that was called gives it back. Where that does not keep it
 * anywhere, those that it has called leave it as it is, whatever the convention says; and one that has called another in its place has
 * given it back before.
 */
static const char *spared_register(const struct wt_dwarf_frame *frame, uint64_t number,
				   uint32_t lane, uint32_t *value_ret)
{
	bool accumulation, doubted = true;
	uint32_t index;

	while (frame->inner && doubted) {
		const struct wt_dwarf_kept *kept = frame->inner->kept;

		doubted = kept && ((wt_dwarf_is_scalar(number, &index) && kept->doubted[index]) ||
				   (wt_dwarf_is_vector(number, &accumulation, &index) &&
				    kept->doubted_vectors[index]));
		if (doubted)
			frame = frame->inner;
	}
	return frame->inner ? wt_dwarf_frame_entry(frame->inner, number, lane, value_ret)
			    : wt_dwarf_frame_register(frame, number, lane, value_ret);
}

static const char *entry_scalar(const struct wt_dwarf_frame *frame, uint32_t index,
				uint32_t *value_ret)
{
	const struct wt_dwarf_kept *kept = frame->kept;

	/* The register's own place is looked at first. */
	for (uint32_t i = 0; i < SCALARS; i++) {
		uint32_t at = (index + i) % SCALARS;

		if (kept->origin[at] == (int)index)
			return kept->is_read_back[at]
				       ? spared_register(frame, wt_dwarf_scalar(at), 0, value_ret)
				       : wt_dwarf_frame_register(frame, wt_dwarf_scalar(at), 0,
								 value_ret);
	}
	for (size_t i = 0; i < kept->slot_count; i++)
		if (kept->slots[i].origin == (int)index)
			return kept->slots[i].is_read_back
				       ? spared_register(frame,
							 WT_DWARF_VGPR_64 + kept->slots[i].vector,
							 kept->slots[i].lane, value_ret)
				       : wt_dwarf_frame_register(
						 frame, WT_DWARF_VGPR_64 + kept->slots[i].vector,
						 kept->slots[i].lane, value_ret);
	return NOT_KEPT;
}

static const char *entry_vector(const struct wt_dwarf_frame *frame, uint64_t number,
				bool accumulation, uint32_t index, uint32_t lane,
				uint32_t *value_ret)
{
	const struct wt_dwarf_kept *kept = frame->kept;
	uint32_t base;
	const char *why;
	uint8_t data[4];

	if (!kept->dirty[accumulation][index])
		return wt_dwarf_frame_register(frame, number, lane, value_ret);
	if (accumulation || kept->saved[index] == NOT_SAVED)
		return NOT_KEPT;
	why = frame->machine->has_scratch_shift ? wt_dwarf_base_holds(frame, 33) : NOT_KEPT;
	if (!why)
		why = wt_dwarf_frame_register(frame, wt_dwarf_scalar(33), 0, &base);
	if (why)
		return why;
	if (wt_dwarf_frame_memory(frame, GFX_SPACE_PRIVATE_LANE, lane,
				  (base >> frame->machine->scratch_shift) + kept->saved[index],
				  data, sizeof(data)) < sizeof(data))
		return wt_dwarf_not_there(frame);
	*value_ret = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
		     (uint32_t)data[3] << 24;
	return NULL;
}

const char *wt_dwarf_frame_entry(const struct wt_dwarf_frame *frame, uint64_t number, uint32_t lane,
				 uint32_t *value_ret)
{
	const char *why;
	bool accumulation;
	uint32_t index;

	if (wt_dwarf_rules_entry(frame, number, lane, value_ret, &why))
		return why;
	if (!frame->kept)
		return NO_CODE;
	if (wt_dwarf_is_scalar(number, &index))
		return entry_scalar(frame, index, value_ret);
	if (wt_dwarf_is_vector(number, &accumulation, &index))
		return entry_vector(frame, number, accumulation, index, lane, value_ret);
	return NOT_KEPT;
}

/* Has a function that was called by the frame, and is gone, changed a register? */
static bool is_changed_between(const struct wt_dwarf_frame *frame, uint64_t number)
{
	const struct changed *between = frame->kept ? &frame->kept->between : NULL;
	bool accumulation;
	uint32_t index;

	if (between && wt_dwarf_is_scalar(number, &index))
		return between->scalars[index];
	return between && wt_dwarf_is_vector(number, &accumulation, &index) &&
	       between->vectors[accumulation][index];
}

/* A register of a frame that has called: what the inner frames say of it; else as it was when the wave came by there, if its way is known. */
static const char *caller_register(const struct wt_dwarf_frame *frame, uint64_t number,
				   uint32_t lane, uint32_t *value_ret)
{
	const struct wt_dwarf_machine *machine = frame->machine;
	const char *why = is_changed_between(frame, number)
				  ? NOT_KEPT
				  : wt_dwarf_frame_entry(frame->inner, number, lane, value_ret);
	uint32_t depth = 0;

	if (!why || !machine->read_at_call)
		return why;
	for (const struct wt_dwarf_frame *inner = frame->inner->inner; inner; inner = inner->inner)
		depth++;
	return machine->read_at_call(machine->opaque, depth, frame->pc + frame->load_address,
				     number, lane, value_ret)
		       ? NULL
		       : why;
}

const char *wt_dwarf_frame_register(const struct wt_dwarf_frame *frame, uint64_t number,
				    uint32_t lane, uint32_t *value_ret)
{
	if (frame->inner)
		return caller_register(frame, number, lane, value_ret);
	if (frame->machine->read_register(frame->machine->opaque, number, lane, value_ret))
		return NULL;
	return wt_dwarf_not_there(frame);
}

size_t wt_dwarf_frame_memory(const struct wt_dwarf_frame *frame, enum gfx_space space,
			     uint32_t lane, uint64_t address, void *data, size_t size)
{
	return frame->machine->read_memory(frame->machine->opaque, space, lane, address, data,
					   size);
}

const char *wt_dwarf_frame_return(const struct wt_dwarf_frame *frame, uint64_t *address_ret)
{
	const struct wt_dwarf_machine *machine = frame->machine;
	uint32_t low, high, depth = 0;
	const char *why;

	if (!wt_dwarf_rules_return(frame, address_ret, &why)) {
		why = wt_dwarf_frame_entry(frame, wt_dwarf_scalar(30), 0, &low);
		if (!why)
			why = wt_dwarf_frame_entry(frame, wt_dwarf_scalar(31), 0, &high);
		if (!why)
			*address_ret = low | (uint64_t)high << 32;
	}
	if (!why || !machine->return_address)
		return why;
	for (const struct wt_dwarf_frame *inner = frame->inner; inner; inner = inner->inner)
		depth++;
	return machine->return_address(machine->opaque, depth, address_ret) ? NULL : why;
}
