/* SPDX-License-Identifier: MIT */
#include "tool/call-stack.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unwind.h>

/* ---- The program's unwinder ---- */

/*
 * The one that the program's exceptions are thrown with, libgcc's: every program of C++ has it, and so has AMD's runtime. It is not linked, so
 * that the agent needs the C library alone, nor has the agent one of its own, which would not know code that the program makes.
 */
struct eh_bases {
	void *text, *data, *function;
};

static struct unwinder {
	const void *(*find_fde)(void *address, struct eh_bases *bases);
	_Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn visit, void *opaque);
	_Unwind_Ptr (*ip)(struct _Unwind_Context *context);
	_Unwind_Word (*cfa)(struct _Unwind_Context *context);
} unwinder;

static void *unwinder_take(void *library, const char *name)
{
	return library ? dlsym(library, name) : NULL;
}

static void unwinder_load(void)
{
	/* The library stays open for good: its functions may be called until the process ends. */
	void *library = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_LOCAL);
	void *functions[] = {
		unwinder_take(library, "_Unwind_Find_FDE"),
		unwinder_take(library, "_Unwind_Backtrace"),
		unwinder_take(library, "_Unwind_GetIP"),
		unwinder_take(library, "_Unwind_GetCFA"),
	};

	_Static_assert(sizeof(functions) == sizeof(unwinder), "one for each function");
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!functions[i])
			return;
	memcpy(&unwinder, functions, sizeof(unwinder));
}

/* The same for all threads; NULL if the program has none. */
static const struct unwinder *unwinder_find(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, unwinder_load);
	return unwinder.backtrace ? &unwinder : NULL;
}

/* ---- Frames by the unwind table ---- */

/*
 * How a function is left: where its caller's stack begins, and where it keeps the register that a frame may be found by. On architectures
 * other than x86-64 all are of kind OTHER.
 */
enum call_frame_kind {
	CALL_FRAME_BY_STACK, /* so many bytes above where the stack is in the call */
	CALL_FRAME_BY_BASE,  /* so many bytes above what the base register has */
	CALL_FRAME_LAST,     /* nobody has called it, or it is not known who */
	CALL_FRAME_OTHER,    /* in another way */
};

struct call_frame {
	enum call_frame_kind kind;
	uint32_t distance;
	uint32_t
		base_below; /* bytes below there the caller's base register is kept; 0: it has not been changed */
};

#ifdef __x86_64__

/* The numbers of registers in DWARF on x86-64. */
enum { BASE = 6, STACK = 7, RETURN = 16 };

#define REMEMBERED 8u /* states that a program may put aside */

struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t cursor_read(struct cursor *cursor, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(cursor->end - cursor->at) < size) {
		cursor->bad = true;
		cursor->at = cursor->end;
		return 0;
	}
	memcpy(&value, cursor->at, size);
	cursor->at += size;
	return value;
}

/* @sign: of a signed number, all bits from its last one on; 0 if it is not negative. */
static uint64_t cursor_read_bits(struct cursor *cursor, uint64_t *sign)
{
	uint64_t value = 0, byte;
	unsigned int shift = 0;

	do {
		byte = cursor_read(cursor, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !cursor->bad);
	*sign = shift < 64 && byte & 0x40 ? ~UINT64_C(0) << shift : 0;
	return value;
}

static uint64_t cursor_read_leb(struct cursor *cursor)
{
	uint64_t sign;

	return cursor_read_bits(cursor, &sign);
}

static int64_t cursor_read_signed(struct cursor *cursor)
{
	uint64_t sign, value = cursor_read_bits(cursor, &sign);

	return (int64_t)(value | sign);
}

/* A record: its length, in 4 bytes, which may say that it is in the next 8. */
static struct cursor cursor_open_record(const uint8_t *at)
{
	uint32_t length;

	memcpy(&length, at, sizeof(length));
	/* Longer ones are not made for code. */
	if (length == UINT32_MAX)
		return (struct cursor){.at = at, .end = at, .bad = true};
	return (struct cursor){.at = at + sizeof(length), .end = at + sizeof(length) + length};
}

/* ---- The program of a record ---- */

struct rules {
	uint64_t cfa_register, cfa_offset;
	bool cfa_is_other;  /* an expression says it */
	int64_t base;	    /* where it is kept, from there; 0: it is not */
	bool base_is_other; /* it is kept in another way */
	bool last;	    /* there is nowhere to return to */
};

struct program {
	struct rules rules, first; /* after those of the common record */
	struct rules remembered[REMEMBERED];
	size_t remembered_count;
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t place, target; /* of the code */
	bool bad;
};

static void program_set_offset(struct program *program, uint64_t number, int64_t offset)
{
	if (number == BASE) {
		program->rules.base = offset;
		program->rules.base_is_other = !offset;
	}
}

static void program_set_other(struct program *program, uint64_t number)
{
	program->rules.base_is_other |= number == BASE;
	program->bad |= number == STACK || number == RETURN;
}

static void program_restore(struct program *program, uint64_t number)
{
	if (number == BASE) {
		program->rules.base = program->first.base;
		program->rules.base_is_other = program->first.base_is_other;
	}
}

static void cursor_skip(struct cursor *cursor, uint64_t size)
{
	if (size > (uint64_t)(cursor->end - cursor->at))
		cursor->bad = true;
	else
		cursor->at += size;
}

/* Instructions that have no operand in their first byte (DWARF 5, section 6.4.2). */
static void program_run_extended(struct program *program, struct cursor *cursor, uint8_t code)
{
	uint64_t number;

	switch (code) {
	case 0x00: /* nop */
		break;
	case 0x02: /* advance_loc1, 2 and 4 */
		program->place += cursor_read(cursor, 1) * program->code_factor;
		break;
	case 0x03:
		program->place += cursor_read(cursor, 2) * program->code_factor;
		break;
	case 0x04:
		program->place += cursor_read(cursor, 4) * program->code_factor;
		break;
	case 0x05: /* offset_extended */
		number = cursor_read_leb(cursor);
		program_set_offset(program, number,
				   (int64_t)cursor_read_leb(cursor) * program->data_factor);
		break;
	case 0x06: /* restore_extended */
		program_restore(program, cursor_read_leb(cursor));
		break;
	case 0x07: /* undefined */
		number = cursor_read_leb(cursor);
		program->rules.last |= number == RETURN;
		program->rules.base_is_other |= number == BASE;
		break;
	case 0x08: /* same_value */
		number = cursor_read_leb(cursor);
		if (number == BASE)
			program->rules.base = 0;
		break;
	case 0x09: /* register */
		program_set_other(program, cursor_read_leb(cursor));
		cursor_read_leb(cursor);
		break;
	case 0x0a: /* remember_state */
		if (program->remembered_count < REMEMBERED)
			program->remembered[program->remembered_count++] = program->rules;
		else
			program->bad = true;
		break;
	case 0x0b: /* restore_state */
		if (program->remembered_count)
			program->rules = program->remembered[--program->remembered_count];
		else
			program->bad = true;
		break;
	case 0x0c: /* def_cfa */
		program->rules.cfa_register = cursor_read_leb(cursor);
		program->rules.cfa_offset = cursor_read_leb(cursor);
		program->rules.cfa_is_other = false;
		break;
	case 0x0d: /* def_cfa_register */
		program->rules.cfa_register = cursor_read_leb(cursor);
		program->rules.cfa_is_other = false;
		break;
	case 0x0e: /* def_cfa_offset */
		program->rules.cfa_offset = cursor_read_leb(cursor);
		break;
	case 0x0f: /* def_cfa_expression */
		cursor_skip(cursor, cursor_read_leb(cursor));
		program->rules.cfa_is_other = true;
		break;
	case 0x10: /* expression, and val_expression */
	case 0x16:
		program_set_other(program, cursor_read_leb(cursor));
		cursor_skip(cursor, cursor_read_leb(cursor));
		break;
	case 0x11: /* offset_extended_sf */
		number = cursor_read_leb(cursor);
		program_set_offset(program, number,
				   cursor_read_signed(cursor) * program->data_factor);
		break;
	case 0x2e: /* GNU_args_size */
		cursor_read_leb(cursor);
		break;
	default:
		program->bad = true;
	}
}

/* Run instructions up to the place that counts. */
static void rules_run(struct program *program, struct cursor cursor)
{
	while (cursor.at < cursor.end && !program->bad && program->place <= program->target) {
		uint8_t code = (uint8_t)cursor_read(&cursor, 1);
		uint8_t low = code & 0x3f;

		switch (code >> 6) {
		case 1: /* advance_loc */
			program->place += low * program->code_factor;
			break;
		case 2: /* offset */
			program_set_offset(program, low,
					   (int64_t)cursor_read_leb(&cursor) *
						   program->data_factor);
			break;
		case 3: /* restore */
			program_restore(program, low);
			break;
		default: {
			struct rules before = program->rules;

			program_run_extended(program, &cursor, low);
			/* Rules that hold behind the place do not count. */
			if (program->place > program->target)
				program->rules = before;
		}
		}
		program->bad |= cursor.bad;
	}
}

/* How many bytes an address has that is kept in a form of its own. 0: not known. */
static size_t encoded_size(uint8_t form)
{
	switch (form & 0x0f) {
	case 0x00:
	case 0x04:
	case 0x0c:
		return 8;
	case 0x03:
	case 0x0b:
		return 4;
	case 0x02:
	case 0x0a:
		return 2;
	default:
		return 0;
	}
}

/* The common record of several functions. @form_ret: of addresses in their records. @signal_ret: they are no functions. */
static bool program_run_common(struct program *program, const uint8_t *at, uint8_t *form_ret,
			       bool *has_length_ret)
{
	struct cursor cursor = cursor_open_record(at);
	const char *letters;
	uint8_t version;

	if (cursor.bad || cursor_read(&cursor, 4))
		return false;
	version = (uint8_t)cursor_read(&cursor, 1);
	letters = (const char *)cursor.at;
	cursor_skip(&cursor, strnlen(letters, (size_t)(cursor.end - cursor.at)) + 1);
	if (cursor.bad || (version != 1 && version != 3))
		return false;
	program->code_factor = cursor_read_leb(&cursor);
	program->data_factor = cursor_read_signed(&cursor);
	if ((version == 1 ? cursor_read(&cursor, 1) : cursor_read_leb(&cursor)) != RETURN)
		return false;
	*form_ret = 0;
	*has_length_ret = *letters == 'z';
	if (*letters && *letters != 'z')
		return false;
	if (*letters)
		cursor_read_leb(&cursor);
	for (letters += *letters == 'z'; *letters; letters++) {
		uint8_t form;

		switch (*letters) {
		case 'R':
			*form_ret = (uint8_t)cursor_read(&cursor, 1);
			break;
		case 'L':
			cursor_read(&cursor, 1);
			break;
		case 'P':
			form = (uint8_t)cursor_read(&cursor, 1);
			if ((form & 0xf0) == 0x50 || !encoded_size(form))
				return false;
			cursor_skip(&cursor, encoded_size(form));
			break;
		default: /* 'S': what a signal has interrupted does not stand at a call */
			return false;
		}
	}
	rules_run(program, cursor);
	program->first = program->rules;
	return !cursor.bad && !program->bad;
}

static struct call_frame program_summarize(const struct program *program)
{
	const struct rules *rules = &program->rules;
	struct call_frame frame = {.kind = CALL_FRAME_OTHER};

	if (rules->last) {
		frame.kind = CALL_FRAME_LAST;
		return frame;
	}
	if (rules->cfa_is_other || rules->base_is_other || rules->cfa_offset >= 1 << 24 ||
	    rules->cfa_offset < 8 || rules->base > 0 || rules->base <= -(1 << 24) ||
	    (rules->cfa_register != STACK && rules->cfa_register != BASE))
		return frame;
	frame.kind = rules->cfa_register == STACK ? CALL_FRAME_BY_STACK : CALL_FRAME_BY_BASE;
	frame.distance = (uint32_t)rules->cfa_offset;
	frame.base_below = (uint32_t)-rules->base;
	return frame;
}

static struct call_frame call_frame_find(uint64_t returns_to)
{
	struct call_frame frame = {.kind = CALL_FRAME_OTHER};
	const struct unwinder *found = unwinder_find();
	struct eh_bases bases;
	const uint8_t *record, *common;
	struct program program = {.place = 0};
	struct cursor cursor;
	bool has_length;
	uint8_t form;
	int32_t back;

	if (!found)
		return frame;
	/* The call is before the place that it returns to. */
	record = found->find_fde((void *)(uintptr_t)(returns_to - 1), &bases);
	if (!record) {
		frame.kind = CALL_FRAME_LAST;
		return frame;
	}
	cursor = cursor_open_record(record);
	if (cursor.bad)
		return frame;
	common = cursor.at;
	back = (int32_t)cursor_read(&cursor, sizeof(back));
	program.target = UINT64_MAX;
	if (!program_run_common(&program, common - back, &form, &has_length) || !encoded_size(form))
		return frame;
	cursor_skip(&cursor, 2 * encoded_size(form));
	if (has_length)
		cursor_skip(&cursor, cursor_read_leb(&cursor));
	program.place = (uint64_t)(uintptr_t)bases.function;
	program.target = returns_to - 1;
	rules_run(&program, cursor);
	return cursor.bad || program.bad ? frame : program_summarize(&program);
}

#else

/* A call may put the place that it returns to into a register: the stack alone does not say it then. */
#define call_frame_find(returns_to) ((struct call_frame){.kind = CALL_FRAME_OTHER})

#endif

#define PROBES 8u
#define FARTHEST (UINT64_C(64) << 20) /* no frame is so large */

/* ---- Frames that are remembered ---- */

/* A frame in one word: its kind in 2 bits above a 1, the two distances above that in 24 bits each. */
static uint64_t frame_pack(const struct call_frame *frame)
{
	return 1 | (uint64_t)frame->kind << 1 | (uint64_t)frame->distance << 8 |
	       (uint64_t)frame->base_below << 32;
}

static struct call_frame frame_unpack(uint64_t word)
{
	return (struct call_frame){
		.kind = (enum call_frame_kind)(word >> 1 & 3),
		.distance = word >> 8 & 0xffffff,
		.base_below = word >> 32 & 0xffffff,
	};
}

/* The unwind table is read where it is not remembered what it says; where there is no room, each time. */
static struct call_frame frame_find(struct wt_call_stacks *stacks, uint64_t address)
{
	const size_t first = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40);
	struct call_frame frame;

	for (size_t i = 0; i < PROBES; i++) {
		struct wt_call_place *place = &stacks->frames[(first + i) % WT_CALL_STACKS];
		uint64_t there = atomic_load_explicit(&place->address, memory_order_relaxed), word;

		if (there == address) {
			/* Who has taken the place may not have written yet. */
			word = atomic_load_explicit(&place->frame, memory_order_relaxed);
			if (word)
				return frame_unpack(word);
			break;
		}
		if (there)
			continue;
		frame = call_frame_find(address);
		if (atomic_compare_exchange_strong(&place->address, &there, address))
			atomic_store_explicit(&place->frame, frame_pack(&frame),
					      memory_order_relaxed);
		return frame;
	}
	return call_frame_find(address);
}

/* ---- The way up ---- */

struct walk {
	const struct unwinder *unwinder;
	uint64_t frame; /* where the function's caller has its own stack from */
	struct wt_call_stack *stack;
	bool inside; /* of the callers, not of the agent itself */
};

/* Called for each function from the innermost one on, with where it has its own stack from. */
static _Unwind_Reason_Code walk_visit(struct _Unwind_Context *context, void *opaque)
{
	struct walk *walk = opaque;
	uint64_t address = walk->unwinder->ip(context);

	walk->inside |= walk->unwinder->cfa(context) == walk->frame;
	if (!walk->inside)
		return _URC_NO_REASON;
	if (!address)
		return _URC_END_OF_STACK;
	walk->stack->frames[walk->stack->count++] = address;
	return walk->stack->count == WT_CALL_STACK_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void stack_unwind(uint64_t frame, struct wt_call_stack *stack)
{
	struct walk walk = {.unwinder = unwinder_find(), .frame = frame, .stack = stack};

	stack->count = 0;
	if (walk.unwinder)
		walk.unwinder->backtrace(walk_visit, &walk);
}

static uint64_t stack_load(uint64_t address)
{
	return *(const uint64_t *)(uintptr_t)address;
}

/*
 * The same by what is remembered of each frame; false if that is not enough.
 *
 * @stack_at: where the function's caller has its own stack from. @base: what the base register had there.
 */
static bool stack_recall(struct wt_call_stacks *stacks, uint64_t stack_at, uint64_t base,
			 struct wt_call_stack *stack)
{
	stack->count = 0;
	while (stack->count < WT_CALL_STACK_FRAMES) {
		uint64_t address = stack_load(stack_at - 8), next;
		struct call_frame frame;

		if (!address)
			return true;
		frame = frame_find(stacks, address);
		if (frame.kind == CALL_FRAME_OTHER)
			return false;
		stack->frames[stack->count++] = address;
		if (frame.kind == CALL_FRAME_LAST)
			return true;
		next = (frame.kind == CALL_FRAME_BY_BASE ? base : stack_at) + frame.distance;
		if (next <= stack_at || next - stack_at > FARTHEST || next % 8)
			return false;
		if (frame.base_below)
			base = stack_load(next - frame.base_below);
		stack_at = next;
	}
	return true;
}

/* ---- Stacks that are stored ---- */

static uint64_t stack_hash(const struct wt_call_stack *stack)
{
	uint64_t hash = stack->count;

	for (uint32_t i = 0; i < stack->count; i++)
		hash = (hash ^ stack->frames[i]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
	return hash;
}

static bool stack_is(const struct wt_call_stack *a, const struct wt_call_stack *b)
{
	return a->count == b->count && !memcmp(a->frames, b->frames, a->count * sizeof(*a->frames));
}

/* The number of a stack that is there; 0 if it is not. @place_ret: where it would be. */
static uint32_t stack_lookup(struct wt_call_stacks *stacks, const struct wt_call_stack *stack,
			     size_t *place_ret)
{
	const size_t size = sizeof(stacks->places) / sizeof(*stacks->places);
	size_t place = (size_t)(stack_hash(stack) >> 20) % size;
	uint32_t number;

	while ((number = atomic_load_explicit(&stacks->places[place], memory_order_acquire))) {
		if (stack_is(&stacks->stacks[number - 1], stack))
			return number;
		place = (place + 1) % size;
	}
	*place_ret = place;
	return 0;
}

static uint32_t stack_store(struct wt_call_stacks *stacks, const struct wt_call_stack *stack)
{
	uint32_t number;
	size_t place;

	pthread_mutex_lock(&stacks->lock);
	number = stack_lookup(stacks, stack, &place);
	if (!number && stacks->count < WT_CALL_STACKS) {
		stacks->stacks[stacks->count++] = *stack;
		number = stacks->count;
		atomic_store_explicit(&stacks->places[place], number, memory_order_release);
	}
	pthread_mutex_unlock(&stacks->lock);
	return number;
}

uint32_t wt_call_stack_number(struct wt_call_stacks *stacks, const void *frame)
{
	struct wt_call_stack stack;
	uint32_t number;
	size_t place;

	/* The function has its caller's base register there, and above it where it returns to. */
	if (!stack_recall(stacks, (uint64_t)(uintptr_t)frame + 16, *(const uint64_t *)frame,
			  &stack))
		stack_unwind((uint64_t)(uintptr_t)frame + 16, &stack);
	if (!stack.count)
		return 0;
	number = stack_lookup(stacks, &stack, &place);
	return number ? number : stack_store(stacks, &stack);
}
