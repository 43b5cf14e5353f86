/* SPDX-License-Identifier: MIT */
#include "replayer/view/loop-relation.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/isa/tables.h"

/* The relation of the left operand to the right one and that of the right one to the left, and the contrary of each. */
static const struct named_relation {
	char name[3];
	const char *relation[2], *contrary[2];
} relations[] = {
	{"eq", {"==", "=="}, {"!=", "!="}}, {"ne", {"!=", "!="}, {"==", "=="}},
	{"lg", {"!=", "!="}, {"==", "=="}}, {"lt", {"<", ">"}, {">=", "<="}},
	{"le", {"<=", ">="}, {">", "<"}},   {"gt", {">", "<"}, {"<=", ">="}},
	{"ge", {">=", "<="}, {"<", ">"}},
};

static const struct named_relation *relation_find(const char *name)
{
	for (size_t i = 0; i < sizeof(relations) / sizeof(relations[0]); i++)
		if (!strncmp(name, relations[i].name, 2))
			return &relations[i];
	return NULL;
}

static void relation_take(const struct named_relation *named, bool contrary,
			  struct wt_loop_relation *ret)
{
	memcpy(ret->relation, contrary ? named->contrary : named->relation, sizeof(ret->relation));
	memcpy(ret->contrary, contrary ? named->relation : named->contrary, sizeof(ret->contrary));
}

/* Floats: "v_cmp_lt_f32", and "v_cmp_nlt_f32" for the contrary, which holds for what is no number, too. */
static bool relation_find_of_floats(const char *name, struct wt_loop_relation *ret)
{
	size_t length = strlen(name), other = length == strlen("v_cmp_nlt_f32");
	const struct named_relation *named;

	if (strncmp(name, "v_cmp_", 6) != 0 || length - other != strlen("v_cmp_lt_f32") ||
	    strcmp(name + 8 + other, "_f32") != 0 || (other && name[6] != 'n'))
		return false;
	named = relation_find(name + 6 + other);
	if (!named)
		return false;
	ret->width = 32;
	ret->is_float = true;
	relation_take(named, other, ret);
	return true;
}

static bool relation_find_of_integers(const char *name, struct wt_loop_relation *ret)
{
	const struct named_relation *named;

	if ((strncmp(name, "v_cmp_", 6) != 0 && strncmp(name, "s_cmp_", 6) != 0) ||
	    strlen(name) != strlen("v_cmp_lt_i32") || (name[9] != 'i' && name[9] != 'u'))
		return false;
	for (uint32_t i = 16; i <= 64; i *= 2)
		ret->width = (uint32_t)atoi(name + 10) == i ? i : ret->width;
	named = relation_find(name + 6);
	if (!named || !ret->width)
		return false;
	/* Compilers take the form without a sign for either where it makes no difference. */
	ret->is_signed =
		name[9] == 'i' || named->relation[0][0] == '=' || named->relation[0][0] == '!';
	relation_take(named, false, ret);
	return true;
}

bool wt_loop_find_relation(const struct gfx_instruction *instruction,
			   struct wt_loop_relation *relation_ret)
{
	const char *name = instruction->operation->name;

	*relation_ret = (struct wt_loop_relation){.width = 0};
	return !instruction->modified && (relation_find_of_integers(name, relation_ret) ||
					  relation_find_of_floats(name, relation_ret));
}
