/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/type.h"

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* Types of types deeper than this, and longer lists of members, are taken for broken. */
#define MAX_DEPTH 32
#define MAX_MEMBERS 4096
#define MAX_BITS (UINT64_C(1) << 40)

#define AT_LLVM_address_space                                                                      \
	0x3e0c /* where AMD's compiler writes it; upstream has DW_AT_address_class */

static bool attribute_value_of(Dwarf_Die *die, unsigned int name, uint64_t *value_ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value))
		return false;
	*value_ret = value;
	return true;
}

static bool type_die(Dwarf_Die *entry, Dwarf_Die *die_ret)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(entry, DW_AT_type, &attribute) &&
	       dwarf_formref_die(&attribute, die_ret);
}

static bool is_bfloat(const char *name)
{
	return !strcmp(name, "__bf16") || !strcmp(name, "bfloat16_t") ||
	       !strcmp(name, "std::bfloat16_t");
}

static void read_base(struct wt_dwarf_type *type)
{
	const char *name = dwarf_diename(&type->die);
	uint64_t encoding = 0;

	attribute_value_of(&type->die, DW_AT_encoding, &encoding);
	type->kind = WT_DWARF_TYPE_UNSIGNED;
	switch (encoding) {
	case DW_ATE_boolean:
		type->kind = WT_DWARF_TYPE_BOOLEAN;
		break;
	case DW_ATE_float:
		type->kind = WT_DWARF_TYPE_FLOAT;
		/* The encoding is the same; the name alone says it. */
		if (type->bits == 16 && name && is_bfloat(name))
			type->form = WT_REAL_BFLOAT16;
		break;
	case DW_ATE_signed:
		type->kind = WT_DWARF_TYPE_SIGNED;
		break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		type->is_signed = encoding == DW_ATE_signed_char;
		if (encoding == DW_ATE_UTF || (name && !strcmp(name, "char")))
			type->kind = WT_DWARF_TYPE_CHARACTER;
		else if (type->is_signed)
			type->kind = WT_DWARF_TYPE_SIGNED;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_address:
		break;
	default:
		type->kind = WT_DWARF_TYPE_NONE;
	}
}

static void read_type(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, Dwarf_Die *die,
		      unsigned int depth);

/* Is an enumerator of it negative, by a form that has a sign? */
static bool has_negative(Dwarf_Die *enumeration)
{
	size_t count = 0;
	Dwarf_Die child;

	if (dwarf_child(enumeration, &child))
		return false;
	do {
		Dwarf_Attribute attribute;
		Dwarf_Sword number;
		unsigned int form;

		if (dwarf_tag(&child) != DW_TAG_enumerator ||
		    !dwarf_attr(&child, DW_AT_const_value, &attribute))
			continue;
		form = dwarf_whatform(&attribute);
		if ((form == DW_FORM_sdata || form == DW_FORM_implicit_const) &&
		    !dwarf_formsdata(&attribute, &number) && number < 0)
			return true;
	} while (++count < MAX_MEMBERS && !dwarf_siblingof(&child, &child));
	return false;
}

/* An enumeration is signed as the integer below it is; where none is named, as its enumerators are. */
static void read_enumeration(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			     unsigned int depth)
{
	struct wt_dwarf_type below = {0};
	Dwarf_Die die;

	type->kind = WT_DWARF_TYPE_ENUM;
	if (depth < MAX_DEPTH && type_die(&type->die, &die))
		read_type(&below, unit, &die, depth + 1);
	if (!type->bits)
		type->bits = below.bits;
	type->is_signed =
		below.kind == WT_DWARF_TYPE_SIGNED || below.is_signed || has_negative(&type->die);
}

static void read_pointer(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit)
{
	uint64_t number = 0, size;

	type->kind = WT_DWARF_TYPE_POINTER;
	type->is_reference = dwarf_tag(&type->die) != DW_TAG_pointer_type;
	if (unit->amd && attribute_value_of(&type->die, AT_LLVM_address_space, &number)) {
		type->has_space = wt_dwarf_space(unit, number, &type->space);
	} else if (attribute_value_of(&type->die, DW_AT_address_class, &number) && number) {
		type->has_space = wt_dwarf_space(unit, number, &type->space);
	} else {
		/* Global and generic pointers are not told apart, and need not be: apertures say which. */
		type->has_space = true;
		type->space = GFX_SPACE_GENERIC;
	}
	if (type->has_space &&
	    (type->space == GFX_SPACE_LOCAL || type->space == GFX_SPACE_PRIVATE_LANE ||
	     type->space == GFX_SPACE_PRIVATE_WAVE))
		type->bits = 32;
	else
		type->bits = 8 * unit->address_size;
	if (attribute_value_of(&type->die, DW_AT_byte_size, &size) && size <= 8)
		type->bits = size * 8;
}

static void read_array(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, unsigned int depth);

/* A pointer to a member that is no function is how many bytes from the start of the object it is. */
static void read_member_pointer(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
				unsigned int depth)
{
	struct wt_dwarf_type member = {0};
	Dwarf_Die die;

	if (depth >= MAX_DEPTH || !type_die(&type->die, &die))
		return;
	read_type(&member, unit, &die, depth + 1);
	if (member.kind == WT_DWARF_TYPE_FUNCTION)
		return;
	type->kind = WT_DWARF_TYPE_SIGNED;
	type->is_signed = true;
	type->bits = 8 * unit->address_size;
}

/* The type of nullptr has a name and nothing else. */
static void read_unspecified(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit)
{
	const char *name = dwarf_diename(&type->die);

	if (!name || strcmp(name, "decltype(nullptr)") != 0)
		return;
	type->kind = WT_DWARF_TYPE_POINTER;
	type->has_space = true;
	type->space = GFX_SPACE_GENERIC;
	type->bits = 8 * unit->address_size;
}

static void read_type(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, Dwarf_Die *die,
		      unsigned int depth)
{
	uint64_t size;
	int tag;

	*type = (struct wt_dwarf_type){.die = *die, .named = *die, .has_die = true};
	for (;; depth++) {
		tag = dwarf_tag(&type->die);
		type->is_constant |= tag == DW_TAG_const_type;
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_restrict_type &&
		    tag != DW_TAG_atomic_type)
			break;
		if (depth >= MAX_DEPTH || !type_die(&type->die, &type->die)) {
			type->kind = WT_DWARF_TYPE_NONE;
			return;
		}
	}
	if (attribute_value_of(&type->die, DW_AT_byte_size, &size) && size <= MAX_BITS / 8)
		type->bits = size * 8;
	switch (tag) {
	case DW_TAG_base_type:
		read_base(type);
		break;
	case DW_TAG_enumeration_type:
		read_enumeration(type, unit, depth);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		read_pointer(type, unit);
		break;
	case DW_TAG_array_type:
		type->kind = WT_DWARF_TYPE_ARRAY;
		type->is_vector = dwarf_hasattr(&type->die, DW_AT_GNU_vector);
		if (depth < MAX_DEPTH)
			read_array(type, unit, depth + 1);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		type->kind = WT_DWARF_TYPE_STRUCT;
		type->is_union = tag == DW_TAG_union_type;
		break;
	case DW_TAG_subroutine_type:
		type->kind = WT_DWARF_TYPE_FUNCTION;
		break;
	case DW_TAG_ptr_to_member_type:
		read_member_pointer(type, unit, depth);
		break;
	case DW_TAG_unspecified_type:
		read_unspecified(type, unit);
		break;
	default:
		type->kind = WT_DWARF_TYPE_NONE;
	}
}

/* The size of each dimension, from the first on: how many there are; 0 if one is not known. */
static unsigned int dimensions(const struct wt_dwarf_type *type, uint64_t counts[MAX_DEPTH])
{
	Dwarf_Die array = type->die, child;
	unsigned int count = 0;

	if (dwarf_child(&array, &child))
		return 0;
	do {
		uint64_t number;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (count == MAX_DEPTH)
			return 0;
		if (attribute_value_of(&child, DW_AT_count, &number))
			counts[count] = number;
		else if (attribute_value_of(&child, DW_AT_upper_bound, &number))
			counts[count] = number + 1;
		else
			counts[count] = UINT64_MAX;
		count++;
	} while (!dwarf_siblingof(&child, &child));
	return count;
}

static void read_array(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, unsigned int depth)
{
	uint64_t counts[MAX_DEPTH];
	unsigned int count = dimensions(type, counts);
	struct wt_dwarf_type element;
	Dwarf_Die die;

	/* A vector of three elements is as large as one of four: its size is written. */
	if (type->bits && type->is_vector && !type->dimension)
		return;
	type->bits = 0;
	if (!type_die(&type->die, &die))
		return;
	read_type(&element, unit, &die, depth);
	if (type->dimension >= count)
		return;
	type->bits = element.bits;
	for (unsigned int i = type->dimension; i < count; i++)
		type->bits = counts[i] && type->bits <= MAX_BITS / counts[i]
				     ? type->bits * counts[i]
				     : 0;
}

void wt_dwarf_type_init(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, Dwarf_Die *die)
{
	read_type(type, unit, die, 0);
}

void wt_dwarf_type_of(struct wt_dwarf_type *type, struct wt_dwarf_unit *unit, Dwarf_Die *entry)
{
	Dwarf_Die die;

	if (type_die(entry, &die))
		read_type(type, unit, &die, 0);
	else
		*type = (struct wt_dwarf_type){.kind = WT_DWARF_TYPE_NONE};
}

void wt_dwarf_type_target(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_dwarf_type *target_ret)
{
	uint64_t counts[MAX_DEPTH];
	Dwarf_Die die = type->die;

	if (type->kind == WT_DWARF_TYPE_ARRAY && type->dimension + 1 < dimensions(type, counts)) {
		*target_ret = *type;
		target_ret->dimension++;
		read_array(target_ret, unit, 1);
		return;
	}
	wt_dwarf_type_of(target_ret, unit, &die);
}

bool wt_dwarf_type_count(const struct wt_dwarf_type *type, uint64_t *count_ret)
{
	uint64_t counts[MAX_DEPTH];
	unsigned int count = dimensions(type, counts);

	if (type->dimension >= count || counts[type->dimension] == UINT64_MAX)
		return false;
	*count_ret = counts[type->dimension];
	return true;
}

/* ---- Members ---- */

/* Finds where a member is, in bits; false if an expression says so that is more than a constant. */
static bool place_member(struct wt_dwarf_member *member)
{
	uint64_t offset = 0, bit_offset, size;
	Dwarf_Attribute attribute;
	Dwarf_Block block;

	if (member->is_base &&
	    !dwarf_formblock(dwarf_attr(&member->die, DW_AT_data_member_location, &attribute),
			     &block)) {
		member->is_virtual = true;
		member->place = wt_cursor_init(block.data, block.length);
		return true;
	}
	if (dwarf_hasattr(&member->die, DW_AT_data_member_location) &&
	    (!attribute_value_of(&member->die, DW_AT_data_member_location, &offset) ||
	     offset > MAX_BITS / 8))
		return false;
	member->offset = offset * 8;
	if (attribute_value_of(&member->die, DW_AT_data_bit_offset, &bit_offset))
		member->offset = bit_offset;
	/* Before DWARF 4: counted from the highest bit of a word of the type's size. */
	if (attribute_value_of(&member->die, DW_AT_bit_offset, &bit_offset)) {
		size = member->type.bits;
		if (attribute_value_of(&member->die, DW_AT_byte_size, &size))
			size *= 8;
		if (bit_offset + member->bits > size)
			return false;
		member->offset += size - bit_offset - member->bits;
	}
	return member->offset <= MAX_BITS;
}

bool wt_dwarf_member_next(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_dwarf_members *state, struct wt_dwarf_member *member)
{
	Dwarf_Die parent = type->die;

	for (;;) {
		int tag;

		if (state->started ? dwarf_siblingof(&state->die, &state->die)
				   : dwarf_child(&parent, &state->die))
			return false;
		state->started = true;
		if (++state->count > MAX_MEMBERS)
			return false;
		tag = dwarf_tag(&state->die);
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    dwarf_hasattr(&state->die, DW_AT_declaration) ||
		    dwarf_hasattr(&state->die, DW_AT_external))
			continue;
		*member = (struct wt_dwarf_member){.die = state->die,
						   .is_base = tag == DW_TAG_inheritance};
		member->name = dwarf_diename(&state->die);
		wt_dwarf_type_of(&member->type, unit, &state->die);
		member->bits = member->type.bits;
		member->is_field = attribute_value_of(&state->die, DW_AT_bit_size, &member->bits);
		if (place_member(member))
			return true;
	}
}

const char *wt_dwarf_enumerator(const struct wt_dwarf_type *type, uint64_t value)
{
	Dwarf_Die parent = type->die, child;
	uint64_t mask = type->bits < 64 ? (UINT64_C(1) << type->bits) - 1 : UINT64_MAX;
	size_t count = 0;

	if (dwarf_child(&parent, &child))
		return NULL;
	do {
		Dwarf_Attribute attribute;
		Dwarf_Sword number;

		if (dwarf_tag(&child) == DW_TAG_enumerator &&
		    !dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &attribute), &number) &&
		    ((uint64_t)number & mask) == (value & mask))
			return dwarf_diename(&child);
	} while (++count < MAX_MEMBERS && !dwarf_siblingof(&child, &child));
	return NULL;
}

#define MAX_FLAGS 64

/* The enumerators that are one bit each. */
struct flags {
	const char *names[MAX_FLAGS]; /* by bit */
	uint64_t bits;
};

/* Enumerators that count, as 0, 1, 2, 3 do, are no bits; some that are several bits of others may be among them. */
static bool flags_read(const struct wt_dwarf_type *type, struct flags *flags)
{
	uint64_t mask = type->bits < 64 ? (UINT64_C(1) << type->bits) - 1 : UINT64_MAX;
	uint64_t several = 0, most = 0;
	Dwarf_Die parent = type->die, child;
	size_t count = 0, values = 0;

	if (type->kind != WT_DWARF_TYPE_ENUM || dwarf_child(&parent, &child))
		return false;
	do {
		Dwarf_Attribute attribute;
		Dwarf_Sword number;
		uint64_t value;

		if (dwarf_tag(&child) != DW_TAG_enumerator)
			continue;
		if (dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &attribute), &number) ||
		    (type->is_signed && number < 0))
			return false;
		value = (uint64_t)number & mask;
		values += value != 0;
		most = value > most ? value : most;
		if (value & (value - 1)) {
			several |= value;
		} else if (value && !(flags->bits & value)) {
			flags->bits |= value;
			flags->names[__builtin_ctzll(value)] = dwarf_diename(&child);
		}
	} while (++count < MAX_MEMBERS && !dwarf_siblingof(&child, &child));
	return flags->bits & (flags->bits - 1) && !(several & ~flags->bits) &&
	       !(most > 2 && values >= most);
}

bool wt_dwarf_flags(const struct wt_dwarf_type *type, uint64_t value, char text[WT_DWARF_MAX_TYPE])
{
	uint64_t mask = type->bits < 64 ? (UINT64_C(1) << type->bits) - 1 : UINT64_MAX;
	struct flags flags = {0};
	size_t used = 0;

	value &= mask;
	if (!flags_read(type, &flags) || !(value & flags.bits))
		return false;
	for (unsigned int bit = 0; bit < MAX_FLAGS && used < WT_DWARF_MAX_TYPE; bit++)
		if (value >> bit & 1 && flags.names[bit])
			used += (size_t)snprintf(text + used, WT_DWARF_MAX_TYPE - used, "%s%s",
						 used ? " | " : "", flags.names[bit]);
	if (value & ~flags.bits && used < WT_DWARF_MAX_TYPE)
		used += (size_t)snprintf(text + used, WT_DWARF_MAX_TYPE - used, " | 0x%llx",
					 (unsigned long long)(value & ~flags.bits));
	/* Half of the names would be wrong. */
	return used && used < WT_DWARF_MAX_TYPE;
}

unsigned int wt_dwarf_type_reals(const struct wt_dwarf_type *type, enum wt_real_form *form_ret,
				 unsigned int *bits_ret)
{
	Dwarf_Die die = type->die;
	const char *name = type->kind == WT_DWARF_TYPE_STRUCT ? dwarf_diename(&die) : NULL;

	return name ? wt_real_class(name, type->bits, form_ret, bits_ret) : 0;
}

/* ---- Names ---- */

static void type_name_append(char *buffer, const char *text)
{
	size_t length = strlen(buffer);

	snprintf(buffer + length, WT_DWARF_MAX_TYPE - length, "%s", text);
}

static void prepend(char *buffer, const char *text)
{
	size_t length = strlen(text), rest = strlen(buffer) + 1;

	if (length + rest > WT_DWARF_MAX_TYPE)
		return;
	memmove(buffer + length, buffer, rest);
	for (size_t i = 0; i < length; i++)
		buffer[i] = text[i];
}

static const char *space_word(const struct wt_dwarf_type *type)
{
	if (!type->has_space)
		return "";
	switch (type->space) {
	case GFX_SPACE_LOCAL:
		return "local ";
	case GFX_SPACE_PRIVATE_LANE:
	case GFX_SPACE_PRIVATE_WAVE:
		return "private ";
	case GFX_SPACE_GLOBAL:
	case GFX_SPACE_GENERIC:
		break;
	}
	return "";
}

static void name_die(struct wt_dwarf_unit *unit, Dwarf_Die *die, unsigned int dimension,
		     char *buffer, unsigned int depth);

static void name_inner(struct wt_dwarf_unit *unit, Dwarf_Die *die, char *buffer, unsigned int depth)
{
	Dwarf_Die inner;

	if (type_die(die, &inner))
		name_die(unit, &inner, 0, buffer, depth + 1);
	else
		type_name_append(buffer, "void");
}

/* " pair::*", behind the type of the member. */
static void name_class(Dwarf_Die *die, char *buffer)
{
	Dwarf_Attribute attribute;
	Dwarf_Die class;
	const char *name = NULL;

	if (dwarf_formref_die(dwarf_attr(die, DW_AT_containing_type, &attribute), &class))
		name = dwarf_diename(&class);
	type_name_append(buffer, " ");
	type_name_append(buffer, name ? name : "?");
	type_name_append(buffer, "::*");
}

static void name_array(struct wt_dwarf_unit *unit, Dwarf_Die *die, unsigned int dimension,
		       char *buffer, unsigned int depth)
{
	const struct wt_dwarf_type array = {.die = *die};
	uint64_t counts[MAX_DEPTH];
	unsigned int count = dimensions(&array, counts);
	char text[32];

	name_inner(unit, die, buffer, depth);
	for (unsigned int i = dimension; i < count; i++) {
		if (counts[i] == UINT64_MAX)
			type_name_append(buffer, "[]");
		else
			type_name_append(buffer, (snprintf(text, sizeof(text), "[%llu]",
							   (unsigned long long)counts[i]),
						  text));
	}
}

static void name_die(struct wt_dwarf_unit *unit, Dwarf_Die *die, unsigned int dimension,
		     char *buffer, unsigned int depth)
{
	const char *name = dwarf_diename(die);
	struct wt_dwarf_type type = {.die = *die};
	int tag = dwarf_tag(die);

	if (depth >= MAX_DEPTH) {
		type_name_append(buffer, "?");
		return;
	}
	switch (tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		read_pointer(&type, unit);
		name_inner(unit, die, buffer, depth);
		prepend(buffer, space_word(&type));
		if (buffer[strlen(buffer) - 1] != '*')
			type_name_append(buffer, " ");
		type_name_append(buffer, tag == DW_TAG_pointer_type	? "*"
					 : tag == DW_TAG_reference_type ? "&"
									: "&&");
		return;
	case DW_TAG_const_type:
		name_inner(unit, die, buffer, depth);
		if (strchr("*&", buffer[strlen(buffer) - 1]))
			type_name_append(buffer, " const");
		else
			prepend(buffer, "const ");
		return;
	case DW_TAG_volatile_type:
		name_inner(unit, die, buffer, depth);
		prepend(buffer, "volatile ");
		return;
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		name_inner(unit, die, buffer, depth);
		return;
	case DW_TAG_array_type:
		name_array(unit, die, dimension, buffer, depth);
		return;
	case DW_TAG_subroutine_type:
		name_inner(unit, die, buffer, depth);
		type_name_append(buffer, "()");
		return;
	case DW_TAG_ptr_to_member_type:
		name_inner(unit, die, buffer, depth);
		name_class(die, buffer);
		return;
	default:
		/* An empty name is none: what stands behind a name looks at its end. */
		type_name_append(buffer, name && *name			  ? name
					 : tag == DW_TAG_union_type	  ? "union"
					 : tag == DW_TAG_enumeration_type ? "enum"
									  : "struct");
	}
}

/* Finding out in which scopes an entry is costs a walk through the unit. */
static const char *type_find_path(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
				  char buffer[WT_DWARF_MAX_TYPE])
{
	wt_cleanup_free Dwarf_Die *scopes = NULL;
	Dwarf_Die die = type->die;
	int count = type->has_die ? dwarf_getscopes_die(&die, &scopes) : 0;

	wt_dwarf_type_name(type, unit, buffer);
	for (int i = 1; i < count; i++) {
		const char *name = dwarf_diename(&scopes[i]);
		int tag = dwarf_tag(&scopes[i]);

		if (!name || (tag != DW_TAG_namespace && tag != DW_TAG_structure_type &&
			      tag != DW_TAG_class_type && tag != DW_TAG_union_type))
			continue;
		prepend(buffer, "::");
		prepend(buffer, name);
	}
	return buffer;
}

const char *wt_dwarf_type_path(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			       char buffer[WT_DWARF_MAX_TYPE])
{
	struct wt_dwarf_path *path;
	Dwarf_Die named = type->named;
	Dwarf_Off offset;

	if (!type->has_die || type->dimension)
		return wt_dwarf_type_name(type, unit, buffer);
	offset = dwarf_dieoffset(&named);
	path = &unit->paths[offset % WT_DWARF_PATHS];
	if (path->offset != offset) {
		type_find_path(type, unit, path->text);
		path->offset = offset;
	}
	snprintf(buffer, WT_DWARF_MAX_TYPE, "%s", path->text);
	return buffer;
}

#define MAX_LABELS 256 /* members that are compared */

static const char *member_name(const struct wt_dwarf_member *member, struct wt_dwarf_unit *unit,
			       char buffer[WT_DWARF_MAX_TYPE])
{
	if (member->name)
		return member->name;
	return member->is_base ? wt_dwarf_type_path(&member->type, unit, buffer)
			       : wt_dwarf_type_name(&member->type, unit, buffer);
}

/* How many members before it that have no name either are called the same. */
static size_t count_same(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			 const struct wt_dwarf_member *member, const char *name)
{
	struct wt_dwarf_members state = {0};
	char buffer[WT_DWARF_MAX_TYPE];
	struct wt_dwarf_member other;
	Dwarf_Die own = member->die;
	size_t count = 0;

	for (size_t i = 0; i < MAX_LABELS && wt_dwarf_member_next(type, unit, &state, &other);
	     i++) {
		if (dwarf_dieoffset(&other.die) == dwarf_dieoffset(&own))
			break;
		if (!other.name && !strcmp(member_name(&other, unit, buffer), name))
			count++;
	}
	return count;
}

const char *wt_dwarf_member_label(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
				  const struct wt_dwarf_member *member,
				  char buffer[WT_DWARF_MAX_TYPE])
{
	char number[32];
	size_t before;

	if (member->name)
		return member->name;
	member_name(member, unit, buffer);
	before = count_same(type, unit, member, buffer);
	if (before) {
		snprintf(number, sizeof(number), " #%zu", before + 1);
		type_name_append(buffer, number);
	}
	return buffer;
}

/* Keys that stand for something else in objects of JSON. */
static bool json_key_is_taken(const char *name)
{
	static const char *const taken[] = {"unknown", "more", "members", "reference"};

	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (!strcmp(taken[i], name))
			return true;
	return false;
}

bool wt_dwarf_type_is_plain(const struct wt_dwarf_type *type)
{
	const char *names[MAX_LABELS];
	Dwarf_Die parent = type->die, child;
	size_t count = 0;

	if (dwarf_child(&parent, &child))
		return true;
	do {
		if (dwarf_tag(&child) == DW_TAG_inheritance)
			return false;
		if (dwarf_tag(&child) != DW_TAG_member ||
		    dwarf_hasattr(&child, DW_AT_declaration) ||
		    dwarf_hasattr(&child, DW_AT_external))
			continue;
		if (count == MAX_LABELS)
			return false;
		names[count] = dwarf_diename(&child);
		if (!names[count] || json_key_is_taken(names[count]))
			return false;
		for (size_t i = 0; i < count; i++)
			if (!strcmp(names[i], names[count]))
				return false;
		count++;
	} while (!dwarf_siblingof(&child, &child));
	return true;
}

const char *wt_dwarf_type_name(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			       char buffer[WT_DWARF_MAX_TYPE])
{
	Dwarf_Die die;

	buffer[0] = '\0';
	if (!type->has_die) {
		type_name_append(buffer, "void");
		return buffer;
	}
	die = type->dimension ? type->die : type->named;
	name_die(unit, &die, type->dimension, buffer, 0);
	return buffer;
}
