/* SPDX-License-Identifier: MIT */
#include "libwavetape/value-tree.h"

#include <stdlib.h>
#include <string.h>

static const char cannot_show[] = "cannot show the value";

/* ---- Making ---- */

/* The next part of what is open; the root itself if nothing is. NULL if there is no memory. */
static struct wavetape_value *maker_value_add(struct wt_value_maker *maker, uint32_t kind)
{
	struct wavetape_value *around = maker->depth ? maker->open[maker->depth - 1] : NULL;
	struct wavetape_value *value = maker->root;

	if (maker->failed)
		return NULL;
	if (around && around->info.count == around->capacity) {
		size_t capacity = around->capacity ? around->capacity * 2 : 4;
		struct wavetape_value *parts =
			reallocarray(around->parts, capacity, sizeof(*parts));

		maker->failed = !parts;
		if (!parts)
			return NULL;
		around->parts = parts;
		around->capacity = capacity;
	}
	if (around)
		value = &around->parts[around->info.count++];
	*value = (struct wavetape_value){.info.kind = kind, .info.name = maker->name};
	maker->name = NULL;
	return value;
}

static const char *maker_text_copy(struct wt_value_maker *maker, const char *text, size_t length)
{
	char *copied = strndup(text, length);

	maker->failed |= !copied;
	return copied;
}

static void open_part(void *opaque, bool is_array)
{
	struct wt_value_maker *maker = opaque;
	struct wavetape_value *value =
		maker_value_add(maker, is_array ? WAVETAPE_VALUE_ARRAY : WAVETAPE_VALUE_STRUCT);

	if (value && maker->depth < WT_VALUE_DEPTH)
		maker->open[maker->depth++] = value;
	else
		maker->failed = true;
}

static void close_part(void *opaque)
{
	struct wt_value_maker *maker = opaque;

	maker->depth -= maker->depth > 0;
}

static void take_member(void *opaque, const char *name)
{
	struct wt_value_maker *maker = opaque;

	free(maker->name);
	maker->name = (char *)maker_text_copy(maker, name, strlen(name));
}

static void maker_take_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	static const uint32_t kinds[] = {
		[WT_DWARF_TYPE_NONE] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_SIGNED] = WAVETAPE_VALUE_SIGNED,
		[WT_DWARF_TYPE_UNSIGNED] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_BOOLEAN] = WAVETAPE_VALUE_BOOLEAN,
		[WT_DWARF_TYPE_CHARACTER] = WAVETAPE_VALUE_CHARACTER,
		[WT_DWARF_TYPE_FLOAT] = WAVETAPE_VALUE_FLOAT,
		[WT_DWARF_TYPE_ENUM] = WAVETAPE_VALUE_ENUM,
		[WT_DWARF_TYPE_POINTER] = WAVETAPE_VALUE_POINTER,
		[WT_DWARF_TYPE_ARRAY] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_STRUCT] = WAVETAPE_VALUE_UNSIGNED,
		[WT_DWARF_TYPE_FUNCTION] = WAVETAPE_VALUE_UNSIGNED,
	};
	struct wt_value_maker *maker = opaque;
	struct wavetape_value *value = maker_value_add(maker, kinds[scalar->kind]);

	if (!value)
		return;
	value->info.number = scalar->number;
	value->info.real = scalar->real;
	value->info.bits = scalar->bits;
	if (scalar->kind == WT_DWARF_TYPE_ENUM && scalar->name)
		value->info.text = maker_text_copy(maker, scalar->name, strlen(scalar->name));
}

static void maker_take_text(void *opaque, const char *text, size_t length)
{
	struct wt_value_maker *maker = opaque;
	struct wavetape_value *value = maker_value_add(maker, WAVETAPE_VALUE_TEXT);

	if (value)
		value->info.text = maker_text_copy(maker, text, length);
}

static void take_unknown(void *opaque, const char *why)
{
	struct wt_value_maker *maker = opaque;
	struct wavetape_value *value = maker_value_add(maker, WAVETAPE_VALUE_UNKNOWN);

	if (value)
		value->info.text = maker_text_copy(maker, why, strlen(why));
}

static void take_more(void *opaque, uint64_t count)
{
	struct wavetape_value *value = maker_value_add(opaque, WAVETAPE_VALUE_MORE);

	if (value)
		value->info.number = count;
}

struct wt_dwarf_sink wt_value_maker_sink(struct wt_value_maker *maker)
{
	return (struct wt_dwarf_sink){
		.opaque = maker,
		.open = open_part,
		.close = close_part,
		.member = take_member,
		.scalar = maker_take_scalar,
		.text = maker_take_text,
		.unknown = take_unknown,
		.more = take_more,
	};
}

/* ---- Asking ---- */

/* The depth is limited by that of types. */
static void value_tree_deinit(struct wavetape_value *value)
{
	for (size_t i = 0; i < value->info.count; i++)
		value_tree_deinit(&value->parts[i]);
	free(value->parts);
	free((char *)value->info.name);
	free((char *)value->info.text);
	free((char *)value->info.type);
	free((char *)value->info.rendered);
}

void wavetape_value_close(struct wavetape_value *value)
{
	if (!value)
		return;
	value_tree_deinit(value);
	free(value);
}

struct wavetape_error *wavetape_value_info(const struct wavetape_value *value,
					   struct wavetape_value_info *info_ret)
{
	if (!value)
		return wt_wrong_argument(cannot_show, "the value is NULL");
	return wt_give(cannot_show, &value->info, sizeof(value->info), info_ret);
}

const struct wavetape_value *wavetape_value_part(const struct wavetape_value *value, size_t index)
{
	return value && index < value->info.count ? &value->parts[index] : NULL;
}
