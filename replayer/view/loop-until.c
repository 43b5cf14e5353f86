/* SPDX-License-Identifier: MIT */
/*
 * The value is followed from where it is read to the comparison that it is read for, and another one is tried that compares otherwise.
 */
#include "replayer/view/loop-until.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "gfx/isa/run.h"
#include "replayer/view/loop-relation.h"
#include "replayer/view/loop-run.h"

/* Words of the value that was read, as a register may hold them. From PART_BITS on: the bits of it that an instruction has taken out. */
enum part { PART_NONE, PART_LOW, PART_HIGH, PART_MIXED, PART_BITS };

#define SCALARS 256u
#define PRIVATES (WT_LOOP_PRIVATE / 4)
#define ROUNDS_MAX 8u
#define BITS_MAX 8u

/* Bits of the value, which are moved down to those of the mask. */
struct bits {
	uint32_t shift, mask;
};

/* A comparison of the value, or of bits of it, which is on the left. */
struct comparison {
	uint64_t pc;	  /* 0: none has been seen */
	struct bits bits; /* mask 0: all of the value */
	const char *relation, *contrary;
	uint32_t width; /* bits that are compared */
	bool is_signed, is_float;
	uint64_t limit; /* extended to 64 bits; of floats the place in their order */
	bool result;
};

/* Parts of the value are kept in registers, and in words of private memory, where code that is not optimised keeps its variables. */
struct parts {
	uint8_t vectors[GFX_MAX_VGPRS], accumulated[GFX_MAX_VGPRS], scalars[SCALARS];
	uint8_t privates[PRIVATES];
};

/* The value that a loop reads, followed through registers to the comparison that it is read for. */
struct traced {
	struct wt_loop_run *run;
	const struct wt_loop_read *read;
	struct parts parts;
	struct bits bits[BITS_MAX];
	size_t bits_count;
	struct comparison comparison;
	bool exchanges; /* it is read by a compare-and-swap: of no other value than this one is another left in memory */
	uint64_t expected; /* that value */
	bool may_differ;   /* another value is read than the recorded one */
	bool is_only;	   /* no third one compares as that */
	bool differs;	   /* and has been compared with another result */
	bool stored; /* and has been stored where it is not followed: no memory is read after that */
	bool returned; /* the loop was left, and the value is read once more, to be compared again */
};

enum trace_step { TRACE_ON, TRACE_LEFT, TRACE_LOST };

static uint8_t *traced_part(struct traced *traced, enum gfx_register_file file, uint32_t number)
{
	if (file == GFX_FILE_VECTOR && number < GFX_MAX_VGPRS)
		return &traced->parts.vectors[number];
	if (file == GFX_FILE_ACCUMULATION && number < GFX_MAX_VGPRS)
		return &traced->parts.accumulated[number];
	return file == GFX_FILE_SCALAR && number < SCALARS ? &traced->parts.scalars[number] : NULL;
}

/* Is anything of the value read? @address: for an address. */
static bool traced_is_used(struct traced *traced, const struct gfx_uses *uses, bool address)
{
	for (uint32_t i = 0; i < uses->read_count; i++)
		for (uint32_t word = 0; word < uses->reads[i].words; word++) {
			if (address && !uses->reads[i].address)
				continue;
			const uint8_t *part = traced_part(traced, uses->reads[i].file,
							  uses->reads[i].number + word);

			if (part && *part)
				return true;
		}
	return false;
}

/* Registers that are written have nothing of the value then, if they are in all lanes that have it. */
static void traced_overwrite(struct traced *traced, const struct gfx_uses *uses)
{
	bool all = !(traced->read->lanes & ~traced->run->now.wave.exec) && !uses->cross_lane;

	for (uint32_t i = 0; i < uses->write_count; i++)
		for (uint32_t word = 0; word < uses->writes[i].words; word++) {
			uint8_t *part = traced_part(traced, uses->writes[i].file,
						    uses->writes[i].number + word);

			if (part && *part)
				*part = all || uses->writes[i].file == GFX_FILE_SCALAR ? PART_NONE
										       : PART_MIXED;
		}
}

/* @width: of the value, in bits, up to 64. */
static uint64_t value_extend(uint64_t value, uint32_t width, bool is_signed)
{
	uint32_t unused = 64 - width;

	return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused)
			 : value << unused >> unused;
}

/* Words of the register that a value of so many bytes is read into. */
static uint32_t value_words(uint32_t size)
{
	return size < 4 ? 1 : size / 4;
}

/* Floats in their order, as numbers without a sign; both zeros are the same. */
static uint64_t float_order(uint64_t bits)
{
	uint32_t word = (uint32_t)bits == UINT32_C(1) << 31 ? 0 : (uint32_t)bits;

	return word >> 31 ? ~word : word | UINT32_C(1) << 31;
}

static uint32_t float_at(uint64_t order)
{
	return (uint32_t)order >> 31 ? (uint32_t)order & INT32_MAX : ~(uint32_t)order;
}

static bool float_is_finite(uint64_t bits)
{
	return ((uint32_t)bits & INT32_MAX) < UINT32_C(0x7f800000);
}

/* The left side of a comparison. */
static uint64_t comparison_left(const struct comparison *comparison, uint64_t value)
{
	if (comparison->is_float)
		return float_order(value);
	return comparison->bits.mask
		       ? value >> comparison->bits.shift & comparison->bits.mask
		       : value_extend(value, comparison->width, comparison->is_signed);
}

static bool comparison_holds(const struct comparison *comparison, uint64_t value)
{
	uint64_t flip = comparison->is_signed ? UINT64_C(1) << 63 : 0;
	uint64_t left = value ^ flip, right = comparison->limit ^ flip;
	bool equal = left == right;

	switch (comparison->relation[0]) {
	case '=':
		return equal;
	case '!':
		return !equal;
	case '<':
		return left < right || (equal && comparison->relation[1]);
	default:
		return left > right || (equal && comparison->relation[1]);
	}
}

/* An operand that is the same in all lanes. */
static bool traced_operand(const struct traced *traced, const struct gfx_instruction *instruction,
			   uint32_t index, uint64_t *value_ret)
{
	struct gfx_wave *wave = &traced->run->now.wave;
	const struct gfx_context context = {
		.wave = wave, .memory = &traced->run->memory, .instruction = instruction};
	uint32_t code = instruction->src[index], type = instruction->operation->src[index];
	uint32_t words = gfx_type_words(type);
	const uint32_t *planes;

	if (code < GFX_CODE_VGPR0) {
		*value_ret = gfx_read_constant(&context, code, (enum gfx_type)type);
		return true;
	}
	planes = gfx_vgpr(wave, code - GFX_CODE_VGPR0, words, false);
	if (!planes)
		return false;
	for (uint64_t left = traced->read->lanes, first = left; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint64_t value = planes[lane] |
				 (words > 1 ? (uint64_t)planes[GFX_MAX_LANES + lane] << 32 : 0);

		if (left != first && value != *value_ret)
			return false;
		*value_ret = value;
	}
	return true;
}

/* ---- Private memory ---- */

/* The part of the value that a lane's word of private memory has; NULL if it is elsewhere, or not followed. */
static uint8_t *traced_private(struct traced *traced, const struct gfx_access *access,
			       uint32_t lane, uint32_t part, uint32_t word)
{
	uint64_t place;

	if (!wt_loop_private_place(traced->run, access, lane, part, &place))
		return NULL;
	place = place / 4 + (uint64_t)word * gfx_lanes(&traced->run->now.wave);
	return place < PRIVATES ? &traced->parts.privates[place] : NULL;
}

/* The part that words of private memory have in the lanes that have read the value; PART_MIXED if they have not all the same. */
static uint8_t traced_privates(struct traced *traced, const struct gfx_access *access,
			       uint32_t part, uint32_t word)
{
	uint8_t found = PART_NONE;
	bool first = true;

	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		const uint8_t *place = traced_private(traced, access, lane, part, word);
		uint8_t is = place ? *place : PART_NONE;

		if (!first && is != found)
			return PART_MIXED;
		found = is;
		first = false;
	}
	return found;
}

static void traced_set_privates(struct traced *traced, const struct gfx_access *access,
				uint32_t part, uint32_t word, uint8_t is)
{
	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);
		uint8_t *place = traced_private(traced, access, lane, part, word);

		if (place)
			*place = traced->read->lanes >> lane & 1 ? is : PART_NONE;
	}
}

/* Are all bytes of an access private memory, or none? */
static bool traced_is_private(const struct traced *traced, const struct gfx_access *access,
			      bool *private_ret)
{
	uint64_t in = 0, place;

	for (uint64_t left = access->lanes; left; left &= left - 1) {
		uint32_t lane = (uint32_t)__builtin_ctzll(left);

		for (uint32_t part = 0; part < access->parts; part++)
			if (wt_loop_private_place(traced->run, access, lane, part, &place))
				in |= UINT64_C(1) << lane;
	}
	*private_ret = in;
	return !in || in == access->lanes;
}

/*
 * Loads and stores of whole words of private memory, by which the value goes there and comes back. False if the value may be used otherwise
 * than that. @done_ret: registers that are written have their parts.
 */
static bool traced_through_private(struct traced *traced, const struct gfx_instruction *instruction,
				   const struct gfx_uses *uses, bool *done_ret)
{
	bool used = traced_is_used(traced, uses, false);
	struct gfx_access access;
	uint32_t words, count;
	bool is_private, any = false;
	uint8_t *part;

	*done_ret = false;
	wt_loop_access(traced->run, instruction, &access);
	if (traced_is_used(traced, uses, true) || !traced_is_private(traced, &access, &is_private))
		return false;
	if (!is_private) {
		traced->stored |= used && traced->differs && !access.read;
		return traced->stored ? !access.read : !used;
	}
	words = access.size < 4 ? 1 : access.size / 4;
	count = words * access.parts;
	for (uint32_t i = 0; i < count; i++)
		any |= traced_privates(traced, &access, i / words, i % words) != PART_NONE;
	/* The value is to be in no piece of a word, and in nothing that is changed in its place. */
	if (access.size % 4 || access.read == access.write || instruction->acc)
		return !used && !any;
	if (used && (access.lanes != traced->read->lanes ||
		     traced->run->now.wave.exec != traced->read->lanes))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t is = traced_privates(traced, &access, i / words, i % words);

		part = traced_part(traced, GFX_FILE_VECTOR,
				   (access.write ? instruction->data[0] : instruction->dst) + i);
		if (!part)
			return false;
		if (access.write)
			traced_set_privates(traced, &access, i / words, i % words, *part);
		else if (is != PART_NONE && traced->run->now.wave.exec != traced->read->lanes)
			return false;
		else if (any)
			*part = is;
	}
	*done_ret = access.write || any;
	return true;
}

/* Which part of the value a word of an operand has; NULL where that is not known. */
static const uint8_t *traced_operand_part(const struct traced *traced, uint32_t code, uint32_t word)
{
	return code < GFX_CODE_VGPR0
		       ? traced_part((struct traced *)traced, GFX_FILE_SCALAR, code + word)
		       : traced_part((struct traced *)traced, GFX_FILE_VECTOR,
				     code - GFX_CODE_VGPR0 + word);
}

/* Whether an operand is all of the value. */
static bool traced_is_operand(const struct traced *traced, uint32_t code, uint32_t words)
{
	for (uint32_t word = 0; word < words; word++) {
		const uint8_t *part = traced_operand_part(traced, code, word);

		if (!part || *part != PART_LOW + word)
			return false;
	}
	return true;
}

/* Whether an operand has anything of the value. */
static bool traced_has_part(const struct traced *traced, uint32_t code, uint32_t words)
{
	for (uint32_t word = 0; word < words; word++) {
		const uint8_t *part = traced_operand_part(traced, code, word);

		if (!part || *part)
			return true;
	}
	return false;
}

/* The bits of the value that a register holds; false if it holds none, or not them alone. */
static bool traced_bits(const struct traced *traced, enum gfx_register_file file, uint32_t number,
			struct bits *bits_ret)
{
	uint8_t part = file == GFX_FILE_VECTOR && number < GFX_MAX_VGPRS
			       ? traced->parts.vectors[number]
		       : file == GFX_FILE_SCALAR && number < SCALARS ? traced->parts.scalars[number]
								     : PART_NONE;

	if (part == PART_NONE || part == PART_MIXED)
		return false;
	*bits_ret = part == PART_LOW	? (struct bits){0, UINT32_MAX}
		    : part == PART_HIGH ? (struct bits){32, UINT32_MAX}
					: traced->bits[part - PART_BITS];
	return true;
}

static bool traced_operand_bits(const struct traced *traced, uint32_t code, struct bits *bits_ret)
{
	bool vector = code >= GFX_CODE_VGPR0;

	return traced_bits(traced, vector ? GFX_FILE_VECTOR : GFX_FILE_SCALAR,
			   vector ? code - GFX_CODE_VGPR0 : code, bits_ret);
}

/* Which bits of the value are compared: all of it, or some, which are without a sign then. */
static bool comparison_take_bits(const struct traced *traced, uint32_t code, uint32_t words,
				 struct comparison *comparison)
{
	bool equality = comparison->relation[0] == '=' || comparison->relation[0] == '!';
	uint32_t size = traced->read->size;
	uint64_t most = UINT64_MAX >> (64 - comparison->width);
	struct bits bits;

	/* A value of fewer bits than a register has is there with its sign, or without one as bits of it. */
	if (words == value_words(size) && comparison->width >= 8 * size &&
	    (size >= 4 || comparison->is_signed) && traced_is_operand(traced, code, words))
		return true;
	if (words != 1 || !traced_operand_bits(traced, code, &bits) || bits.mask > most)
		return false;
	if (comparison->is_signed && !equality && bits.mask > most / 2)
		return size == 2 && comparison->width == 16 && !bits.shift;
	comparison->bits = bits;
	comparison->is_signed = false;
	return true;
}

/* Finite numbers alone are compared, and small ones as such: the mode lets denormals be. */
static bool comparison_take_floats(const struct traced *traced, uint64_t value,
				   const struct comparison *comparison)
{
	return (traced->run->now.wave.mode >> 4 & 3) == 3 && !comparison->bits.mask &&
	       float_is_finite(value) && float_is_finite(comparison->limit);
}

/*
 * Does a comparison tell the same values apart as the one that was seen before, as `old == 0` and then `old != 0` do? @expected_ret: its
 * result for values like the recorded one.
 */
static bool comparison_agrees(const struct comparison *before, const struct comparison *found,
			      bool *expected_ret)
{
	bool same = !strcmp(before->relation, found->relation);
	bool contrary = !strcmp(before->relation, found->contrary);

	*expected_ret = before->result == same;
	return (same || contrary) && before->limit == found->limit &&
	       before->is_signed == found->is_signed && before->is_float == found->is_float &&
	       (before->bits.mask || before->width == found->width) &&
	       before->bits.shift == found->bits.shift && before->bits.mask == found->bits.mask;
}

/* The comparison of the value with what is not of it, in the lanes that have read it; false if an instruction is another one. */
static bool traced_find_comparison(const struct traced *traced,
				   const struct gfx_instruction *instruction,
				   struct comparison *ret)
{
	const struct gfx_wave *wave = &traced->run->now.wave;
	struct comparison found = {.pc = wave->pc};
	struct wt_loop_relation relation;
	uint64_t value = 0;
	uint32_t words;
	bool left;

	if (!wt_loop_find_relation(instruction, &relation) || wave->exec != traced->read->lanes)
		return false;
	found.width = relation.width;
	found.is_signed = relation.is_signed;
	found.is_float = relation.is_float;
	words = found.width == 64 ? 2 : 1;
	left = traced_has_part(traced, instruction->src[0], words);
	found.relation = relation.relation[left ? 0 : 1];
	found.contrary = relation.contrary[left ? 0 : 1];
	if (traced_has_part(traced, instruction->src[left ? 1 : 0], words) ||
	    !comparison_take_bits(traced, instruction->src[left ? 0 : 1], words, &found) ||
	    !traced_operand(traced, instruction, left ? 1 : 0, &found.limit) ||
	    !traced_operand(traced, instruction, left ? 0 : 1, &value))
		return false;
	if (found.is_float && !comparison_take_floats(traced, value, &found))
		return false;
	found.limit = found.is_float ? float_order(found.limit)
				     : value_extend(found.limit, found.width, found.is_signed);
	if (found.bits.mask && found.limit > found.bits.mask)
		return false;
	/* Bits were taken out of what is there already. */
	found.result = comparison_holds(
		&found, found.is_float ? float_order(value)
				       : value_extend(value, found.width, found.is_signed));
	*ret = found;
	return true;
}

/* An instruction uses the value: to compare it, and as it was compared before. */
static bool traced_compare(struct traced *traced, const struct gfx_instruction *instruction)
{
	struct comparison *before = &traced->comparison, found;
	bool expected = false;

	if (!traced_find_comparison(traced, instruction, &found))
		return false;
	if (!before->pc)
		*before = found;
	if (!comparison_agrees(before, &found, &expected))
		return false;
	traced->differs |= found.result != expected;
	return !traced->differs || traced->may_differ;
}

/* The loop has been left, and the value that ended it is not the one that the same comparison lets go on now. */
static bool traced_waits_for_another(const struct traced *traced,
				     const struct gfx_instruction *instruction)
{
	struct comparison found;

	return traced_find_comparison(traced, instruction, &found) &&
	       found.pc == traced->comparison.pc && found.limit != traced->comparison.limit;
}

/* Another place that holds the value, or a part of it: a register for a register. */
static bool traced_copy(struct traced *traced, const struct gfx_instruction *instruction,
			const struct gfx_uses *uses)
{
	static const char *const copies[] = {"v_mov_b32", "v_mov_b64", "v_readfirstlane_b32"};
	bool is_copy = false;

	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		is_copy |= !strcmp(gfx_computes(instruction->operation), copies[i]);
	if (!is_copy || instruction->second || instruction->modified ||
	    traced->run->now.wave.exec != traced->read->lanes || uses->read_count != 1 ||
	    uses->write_count != 1 || uses->reads[0].words != uses->writes[0].words)
		return false;
	for (uint32_t word = 0; word < uses->writes[0].words; word++) {
		uint8_t *from =
			traced_part(traced, uses->reads[0].file, uses->reads[0].number + word);
		uint8_t *to =
			traced_part(traced, uses->writes[0].file, uses->writes[0].number + word);

		if (!from || !to || *from == PART_MIXED)
			return false;
		*to = *from;
	}
	return true;
}

/* The part that stands for bits of the value; PART_NONE if there are too many of them. */
static uint8_t traced_bits_part(struct traced *traced, struct bits bits)
{
	size_t i = 0;

	while (i < traced->bits_count &&
	       (traced->bits[i].shift != bits.shift || traced->bits[i].mask != bits.mask))
		i++;
	if (i == BITS_MAX)
		return PART_NONE;
	traced->bits[i] = bits;
	traced->bits_count += i == traced->bits_count;
	return (uint8_t)(PART_BITS + i);
}

/* An instruction takes some of the bits out, the same of all lanes, as `& 4` and `>> 8` do. */
static bool traced_take_bits(struct traced *traced, const struct gfx_instruction *instruction,
			     const struct gfx_uses *uses)
{
	const char *name = gfx_computes(instruction->operation);
	bool shifts = !strcmp(name, "v_lshrrev_b32"), masks = !strcmp(name, "v_and_b32"),
	     field = !strcmp(name, "v_bfe_u32");
	uint64_t shift = 0, mask = UINT32_MAX;
	struct bits bits;
	uint32_t from;
	uint8_t *to;

	if ((!shifts && !masks && !field) || instruction->second || instruction->modified ||
	    traced->run->now.wave.exec != traced->read->lanes || uses->write_count != 1)
		return false;
	from = shifts || (masks && !traced_has_part(traced, instruction->src[0], 1)) ? 1 : 0;
	for (uint32_t i = 0; i < (field ? 3U : 2U); i++)
		if (i != from && traced_has_part(traced, instruction->src[i], 1))
			return false;
	if (!traced_operand_bits(traced, instruction->src[from], &bits) ||
	    ((shifts || field) && !traced_operand(traced, instruction, field ? 1 : 0, &shift)) ||
	    (masks && !traced_operand(traced, instruction, 1 - from, &mask)) ||
	    (field && !traced_operand(traced, instruction, 2, &mask)))
		return false;
	if (field)
		mask = (UINT64_C(1) << (mask & 31)) - 1;
	shift &= 31;
	bits.shift += (uint32_t)shift;
	bits.mask = bits.mask >> shift & (uint32_t)mask;
	to = traced_part(traced, uses->writes[0].file, uses->writes[0].number);
	if (!bits.mask || !to)
		return false;
	*to = traced_bits_part(traced, bits);
	return *to != PART_NONE;
}

/* The first register that an atomic has the value in that it compares with, or else the one that it writes. */
static uint32_t atomic_operand(const struct gfx_instruction *instruction, uint32_t words)
{
	bool local = instruction->encoding == GFX_DS;

	if (instruction->operation->atomic != gfx_atomic_cmpswap)
		return instruction->data[0];
	return local ? instruction->data[1] : instruction->data[0] + words;
}

/*
 * The read is one that writes as well, of one lane. Nothing but a value that it was to find makes a compare-and-swap write; an exchange leaves
 * the same whatever was there, and a sum with 0 what was there.
 */
static bool traced_may_write(struct traced *traced, const struct gfx_instruction *instruction,
			     const struct gfx_access *access)
{
	const struct gfx_operation *operation = instruction->operation;
	uint32_t lane = (uint32_t)__builtin_ctzll(access->lanes), words = value_words(access->size);
	const uint32_t *data;
	bool swaps =
		operation->atomic == gfx_atomic_cmpswap || operation->atomic == gfx_atomic_cmpst;

	if (access->lanes & (access->lanes - 1) || !operation->atomic || instruction->acc)
		return false;
	data = gfx_vgpr(&traced->run->now.wave, atomic_operand(instruction, words), words, false);
	if (!data)
		return false;
	traced->expected = data[lane];
	if (words > 1)
		traced->expected |= (uint64_t)data[GFX_MAX_LANES + lane] << 32;
	traced->exchanges = swaps;
	return swaps || operation->atomic == gfx_atomic_swap ||
	       (!traced->expected &&
		(operation->atomic == gfx_atomic_add || operation->atomic == gfx_atomic_sub ||
		 operation->atomic == gfx_atomic_or || operation->atomic == gfx_atomic_xor));
}

/* Does an instruction read a value as the one that is followed is read, by the same lanes? @address_ret: where. */
static bool traced_reads(const struct traced *traced, const struct gfx_instruction *instruction,
			 const struct gfx_uses *uses, struct gfx_access *access_ret,
			 uint64_t *address_ret)
{
	struct wt_loop_run *run = traced->run;
	const struct wt_loop_read *read = traced->read;
	struct gfx_access access;

	if (!wt_loop_access(run, instruction, &access) || !access.read || access.parts != 1 ||
	    access.size != read->size || access.lanes != read->lanes ||
	    run->now.wave.exec != read->lanes || wt_loop_count_addresses(&access) != 1 ||
	    uses->write_count != 1 || uses->writes[0].file != GFX_FILE_VECTOR ||
	    uses->writes[0].words != value_words(read->size) ||
	    (read->size < 4 && (access.write || strstr(instruction->operation->name, "d16"))))
		return false;
	*access_ret = access;
	*address_ret = access.addresses[__builtin_ctzll(access.lanes)];
	return wt_loop_is_shared(run, &access.space, address_ret);
}

/* The registers that an instruction reads into have the value. */
static bool traced_load(struct traced *traced, const struct gfx_instruction *instruction,
			const struct gfx_uses *uses)
{
	uint32_t size = traced->read->size;

	for (uint32_t word = 0; word < uses->writes[0].words; word++) {
		uint8_t *part = traced_part(traced, GFX_FILE_VECTOR, uses->writes[0].number + word);

		if (!part)
			return false;
		*part = (uint8_t)(PART_LOW + word);
		if (size < 4 && !(instruction->operation->flags & GFX_SIGNED))
			*part = traced_bits_part(traced,
						 (struct bits){.mask = (1U << 8 * size) - 1});
	}
	return true;
}

/*
 * The value has ended the loop, and a loop around it has brought the wave back to the read. A lock that was taken is no other's any more. Where
 * one value alone ended it, another one may be waited for now: that of the next turn.
 */
static enum trace_step traced_return(struct traced *traced,
				     const struct gfx_instruction *instruction,
				     const struct gfx_uses *uses)
{
	if (traced->exchanges)
		return TRACE_LEFT;
	if (!traced->is_only || traced->returned)
		return TRACE_LOST;
	traced->returned = true;
	memset(&traced->parts, 0, sizeof(traced->parts));
	return traced_load(traced, instruction, uses) ? TRACE_ON : TRACE_LOST;
}

/* The wave is at the read. */
static enum trace_step traced_begin(struct traced *traced,
				    const struct gfx_instruction *instruction,
				    const struct gfx_uses *uses)
{
	struct gfx_access access;
	uint64_t address;

	if (!traced_reads(traced, instruction, uses, &access, &address) ||
	    (access.write && !traced_may_write(traced, instruction, &access)))
		return TRACE_LOST;
	if (traced->differs && address != traced->read->address)
		return TRACE_LEFT;
	if (traced->differs)
		return traced_return(traced, instruction, uses);
	return traced_load(traced, instruction, uses) && address == traced->read->address
		       ? TRACE_ON
		       : TRACE_LOST;
}

/* Behind the loop another instruction reads the value once more, with nothing of it stored before. */
static bool traced_read_again(struct traced *traced, const struct gfx_instruction *instruction,
			      const struct gfx_uses *uses)
{
	struct gfx_access access;
	uint64_t address;

	return traced->differs && !traced->stored && !traced_is_used(traced, uses, false) &&
	       traced_reads(traced, instruction, uses, &access, &address) && !access.write &&
	       address == traced->read->address && traced_load(traced, instruction, uses);
}

/* Behind the loop the value is computed with, in a way that decides nothing: the results are mixed with it. */
static bool traced_compute(struct traced *traced, const struct gfx_instruction *instruction,
			   const struct gfx_uses *uses)
{
	if (!traced->differs || uses->cross_lane || gfx_touches_memory(instruction))
		return false;
	for (uint32_t i = 0; i < uses->write_count; i++)
		if (uses->writes[i].file == GFX_FILE_SCALAR)
			return false;
	for (uint32_t i = 0; i < uses->write_count; i++)
		for (uint32_t word = 0; word < uses->writes[i].words; word++) {
			uint8_t *part = traced_part(traced, uses->writes[i].file,
						    uses->writes[i].number + word);

			if (!part)
				return false;
			*part = PART_MIXED;
		}
	return uses->write_count;
}

/* Another instruction than the one that is followed reads the value, which is in local memory. */
static bool traced_reads_local(const struct traced *traced,
			       const struct gfx_instruction *instruction)
{
	struct wt_loop_run *run = traced->run;
	struct gfx_access access;

	return traced->read->space == GFX_ACCESS_LOCAL && instruction->encoding != GFX_SMEM &&
	       wt_loop_access(run, instruction, &access) && access.read &&
	       wt_loop_reaches(run, &access, traced->read->space, traced->read->address,
			       traced->read->size);
}

/* May an instruction that loads without the lanes' addresses load what was stored of the value? Stores do not change what the launch knows. */
static bool traced_may_load_stored(const struct traced *traced,
				   const struct gfx_instruction *instruction)
{
	struct gfx_access access;

	if (!traced->stored || instruction->encoding != GFX_SMEM)
		return traced->stored && instruction->encoding == GFX_DS;
	return !wt_loop_access(traced->run, instruction, &access) ||
	       wt_loop_is_shared(traced->run, &access.space, &access.addresses[0]);
}

static enum trace_step traced_step(struct traced *traced)
{
	struct wt_loop_run *run = traced->run;
	struct gfx_instruction instruction;
	struct gfx_fault fault = {0};
	struct gfx_uses uses;
	enum gfx_step step;
	bool at_read = run->now.wave.pc == traced->read->pc, used, again = false, done = false;

	if (run->traced++ >= WT_LOOP_TRACED || !wt_loop_decode(run, &instruction, &uses) ||
	    uses.dynamic || run->now.wave.mode & GFX_MODE_INDEXED)
		return TRACE_LOST;
	/* Once one value alone has ended the loop, it is not followed until it is read again. */
	used = !(traced->differs && traced->is_only && !traced->returned) &&
	       traced_is_used(traced, &uses, false);
	if (at_read) {
		enum trace_step next =
			used ? TRACE_LOST : traced_begin(traced, &instruction, &uses);

		if (next != TRACE_ON)
			return next;
	} else if (traced->differs && traced->is_only && !traced->returned) {
		/* Another one is not there. */
		run->was_read = false;
	} else if (traced_may_load_stored(traced, &instruction)) {
		return TRACE_LOST;
	} else if (traced_reads_local(traced, &instruction)) {
		again = traced_read_again(traced, &instruction, &uses);
		if (!again)
			return TRACE_LOST;
	} else if (gfx_touches_memory(&instruction) && instruction.encoding != GFX_SMEM &&
		   instruction.encoding != GFX_DS) {
		again = traced_read_again(traced, &instruction, &uses);
		if (!again && !traced_through_private(traced, &instruction, &uses, &done))
			return TRACE_LOST;
		if (!again && !done)
			traced_overwrite(traced, &uses);
	} else if (!used || (!traced_copy(traced, &instruction, &uses) &&
			     !traced_take_bits(traced, &instruction, &uses) &&
			     !traced_compute(traced, &instruction, &uses))) {
		if (used && traced->returned)
			return traced_waits_for_another(traced, &instruction) ? TRACE_LEFT
									      : TRACE_LOST;
		if (used && (traced->differs || !traced_compare(traced, &instruction)))
			return TRACE_LOST;
		traced_overwrite(traced, &uses);
	}
	run->was_read = false;
	step = gfx_wave_execute(&run->now.wave, &run->memory, &instruction, &fault);
	if (!at_read && !again && run->was_read && !(traced->differs && traced->is_only))
		return TRACE_LOST;
	if (step == GFX_STEP_DONE)
		return TRACE_ON;
	return traced->differs && (step == GFX_STEP_BARRIER || step == GFX_STEP_GLOBAL_SYNC ||
				   step == GFX_STEP_END)
		       ? TRACE_LEFT
		       : TRACE_LOST;
}

/* Once round; run->then is the state in which it begins and ends. */
static bool traced_round(struct traced *traced)
{
	for (unsigned int i = 0; i < WT_LOOP_STEPS; i++) {
		if (traced_step(traced) != TRACE_ON)
			return false;
		if (traced->run->now.wave.pc == traced->run->then.wave.pc &&
		    wt_loop_is_same(traced->run))
			return true;
	}
	return false;
}

/* Places may keep the value from one round to the next: it is followed until it is in none that it was not in a round before, and compared. */
static bool traced_rounds(struct traced *traced)
{
	wt_cleanup_free struct parts *before = malloc(sizeof(*before));

	for (unsigned int i = 0; before && i < ROUNDS_MAX; i++) {
		*before = traced->parts;
		if (!traced_round(traced))
			return false;
		if (i && !memcmp(before, &traced->parts, sizeof(*before)))
			return traced->comparison.pc;
	}
	return false;
}

/* A value which compares otherwise than the one that was recorded. */
static bool comparison_find_other(const struct comparison *comparison,
				  const struct wt_loop_read *read, uint64_t *value_ret)
{
	const struct bits bits = comparison->bits;
	const uint64_t limit = comparison->limit,
		       tried[] = {limit - 1, limit, limit + 1, bits.mask};
	const uint64_t rest = read->value & ~((uint64_t)bits.mask << bits.shift);

	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		*value_ret = comparison->is_float ? float_at(tried[i])
			     : bits.mask	  ? rest | (tried[i] & bits.mask) << bits.shift
						  : value_extend(tried[i], comparison->width,
								 comparison->is_signed);
		/* The memory has to be able to hold such a value. */
		if (!bits.mask && read->size < 4 &&
		    value_extend(*value_ret, 8 * read->size, comparison->is_signed) != *value_ret)
			continue;
		if (comparison_holds(comparison, comparison_left(comparison, *value_ret)) !=
		    comparison->result)
			return true;
	}
	return false;
}

/* The relation with which a value ends the loop. */
static const char *comparison_until(const struct comparison *comparison)
{
	return comparison->result ? comparison->contrary : comparison->relation;
}

/* A compare-and-swap tells its own value from all others: so is the comparison that follows it to do. */
static bool traced_exchange_fits(const struct traced *traced)
{
	const struct comparison *comparison = &traced->comparison;
	uint64_t limit =
		traced->read->size == 8 ? comparison->limit : comparison->limit & UINT32_MAX;

	return !traced->exchanges ||
	       (!strcmp(comparison_until(comparison), "==") && !comparison->bits.mask &&
		!comparison->is_float && limit == traced->expected &&
		traced->read->value != traced->expected);
}

static bool run_replace(struct wt_loop_run *run, const struct wt_loop_read *read, uint64_t value)
{
	value = htole64(value);
	if (read->space != GFX_ACCESS_LOCAL)
		return run->memory.write(run, read->address, &value, read->size);
	if (read->address > run->now.wave.lds_size ||
	    read->size > run->now.wave.lds_size - read->address)
		return false;
	memcpy(run->now.lds + read->address, &value, read->size);
	return true;
}

/*
 * If nothing but one comparison uses the value, the same way for all lanes, the wave does the same for all values that compare alike. So one that
 * compares otherwise shows whether the loop ends with all of those: the wave is executed with it until it is at a barrier, ends, or waits for
 * another place.
 */
void wt_loop_follow_read(struct wt_loop_run *run, struct wt_loop_read *read)
{
	wt_cleanup_free struct traced *traced = calloc(1, sizeof(*traced));
	enum trace_step step = TRACE_ON;
	uint64_t value;

	if (!traced || read->size > 8 || (read->size & (read->size - 1)) || read->addresses != 1)
		return;
	traced->run = run;
	traced->read = read;
	if (read->space == GFX_ACCESS_GLOBAL) {
		run->watched = read->address;
		run->watched_size = read->size;
	}
	if (!traced_rounds(traced) || !traced_exchange_fits(traced))
		return;
	if (!comparison_find_other(&traced->comparison, read, &value) ||
	    !run_replace(run, read, value))
		return;
	traced->may_differ = true;
	traced->is_only = !traced->comparison.bits.mask && !traced->comparison.is_float &&
			  !strcmp(comparison_until(&traced->comparison), "==");
	for (unsigned int i = 0; i < WT_LOOP_STEPS && step == TRACE_ON; i++)
		step = traced_step(traced);
	if (step != TRACE_LEFT ||
	    (!traced->comparison.is_signed && (traced->comparison.limit | read->value) > INT64_MAX))
		return;
	read->until = comparison_until(&traced->comparison);
	read->mask = (uint64_t)traced->comparison.bits.mask << traced->comparison.bits.shift;
	if (read->size < 4 && read->mask == (UINT64_C(1) << 8 * read->size) - 1)
		read->mask = 0;
	read->limit = (int64_t)(traced->comparison.limit << traced->comparison.bits.shift);
	read->is_unsigned = !traced->comparison.is_signed;
	read->is_float = traced->comparison.is_float;
	if (read->is_float)
		read->limit = float_at(traced->comparison.limit);
}
