/* SPDX-License-Identifier: MIT */
#include "cli/look/way-json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describe.h"
#include "cli/facts.h"
#include "cli/output.h"

static uint32_t shown_lane(uint32_t lane, uint64_t lanes)
{
	if (lane != UINT32_MAX)
		return lane;
	return lanes ? (uint32_t)__builtin_ctzll(lanes) : 0;
}

const char *wt_cli_way_value(const struct wt_way_value *value, char text_ret[WT_CLI_WAY_VALUE])
{
	if (value->status == WT_WAY_NOT_KNOWN && !value->may_be)
		return "?";
	snprintf(text_ret, WT_CLI_WAY_VALUE, "0x%" PRIx64 "%s", value->value,
		 value->may_be ? "?" : "");
	return text_ret;
}

void wt_cli_way_word(const struct wt_way_touch *touch, uint32_t word, char name[24])
{
	size_t digits = strcspn(touch->name, "0123456789"), length = strlen(touch->name);

	if (word == 1 && length > 3 && !strcmp(touch->name + length - 3, "_lo"))
		snprintf(name, 24, "%.*s_hi", (int)length - 3, touch->name);
	else if (!word || !touch->name[digits])
		snprintf(name, 24, "%s", touch->name);
	else
		snprintf(name, 24, "%.*s%lu", (int)digits, touch->name,
			 strtoul(touch->name + digits, NULL, 10) + word);
}

static json_t *way_value_json(const struct wt_way_value *value)
{
	struct wavetape_way_value facts;

	wt_way_value_facts(value, &facts);
	return wt_way_value_facts_json(&facts);
}

/* The values of a touch's registers where the way stands now. */
static json_t *touch_values_json(struct wt_way *way, const struct wt_way_touch *touch,
				 uint32_t lane)
{
	json_t *values = json_array();
	struct wt_way_value value;
	char name[24];

	for (uint32_t word = 0; word < touch->words; word++) {
		wt_cli_way_word(touch, word, name);
		if (wt_way_register(way, name, lane, &value))
			json_array_append_new(values, way_value_json(&value));
	}
	return values;
}

/* Addresses by lane, of those that are known. */
static json_t *touch_addresses_json(const struct wt_way_touch *touch)
{
	json_t *addresses = json_object();
	char name[16];

	if (!touch->memory)
		return NULL;
	for (uint64_t left = touch->lanes; left; left &= left - 1) {
		int lane = __builtin_ctzll(left);

		snprintf(name, sizeof(name), "%d", lane);
		json_object_set_new(addresses, name,
				    wt_cli_json_hex(touch->access->addresses[lane]));
	}
	return addresses;
}

/* @where: whether the way stands behind the step, so that what was written is there; of what is read before it. */
static json_t *touches_json(struct wt_way *way, const struct wt_way_step *step, bool write,
			    uint32_t lane)
{
	json_t *array = json_array();

	for (size_t i = 0; i < step->touch_count; i++) {
		const struct wt_way_touch *touch = &step->touches[i];
		struct wavetape_way_touch facts;

		if (touch->write != write)
			continue;
		wt_way_touch_facts(touch, &facts);
		json_array_append_new(
			array, wt_way_touch_facts_json(
				       &facts, touch_addresses_json(touch),
				       touch->memory ? NULL : touch_values_json(way, touch, lane)));
	}
	return array;
}

static struct wt_error *way_step_json(struct wt_way *way, uint32_t lane, uint64_t next,
				      json_t **json_ret)
{
	struct wavetape_way_step facts;
	struct wt_way_step step;
	json_t *reads;
	bool has;
	struct wt_error *error = wt_way_step(way, &has, &step);

	*json_ret = NULL;
	if (error || !has)
		return error;
	lane = shown_lane(lane, step.exec);
	reads = touches_json(way, &step, false, lane);
	wt_way_step_facts(&step, &facts);
	error = wt_way_go(way, next);
	if (!error)
		*json_ret = wt_way_step_facts_json(&facts, wt_describe_code_json(&step.place),
						   reads, touches_json(way, &step, true, lane));
	else
		json_decref(reads);
	wt_way_step_deinit(&step);
	return error;
}

struct wt_error *wt_cli_way_steps_json(struct wt_way *way, uint32_t lane, uint64_t from,
				       uint64_t count, json_t **json_ret)
{
	struct wt_error *error = wt_way_go(way, from);
	json_t *array = json_array(), *step;
	uint64_t next;

	while (!error && count-- && wt_way_next(way, false, &next) &&
	       next == wt_way_position(way) + 1) {
		error = way_step_json(way, lane, next, &step);
		if (!error && step)
			json_array_append_new(array, step);
	}
	if (error) {
		json_decref(array);
		return error;
	}
	*json_ret = array;
	return NULL;
}

static void print_writes(struct wt_way *way, const struct wt_way_step *step, uint32_t lane)
{
	char text[WT_CLI_WAY_VALUE], name[24];
	struct wt_way_value value;

	for (size_t i = 0; i < step->touch_count; i++) {
		const struct wt_way_touch *touch = &step->touches[i];

		if (!touch->write)
			continue;
		if (touch->memory && !(touch->lanes >> lane & 1)) {
			printf("  %s [?]", wt_access_space_name(touch->access->space));
			continue;
		}
		if (touch->memory) {
			printf("  %s [0x%" PRIx64 "]", wt_access_space_name(touch->access->space),
			       touch->access->addresses[lane]);
			continue;
		}
		for (uint32_t word = 0; word < touch->words; word++) {
			wt_cli_way_word(touch, word, name);
			if (wt_way_register(way, name, lane, &value))
				printf("  %s = %s", name, wt_cli_way_value(&value, text));
		}
	}
}

static struct wt_error *way_step_print(struct wt_way *way, uint32_t lane, uint64_t next)
{
	char line[64] = "";
	struct wt_way_step step;
	bool has;
	struct wt_error *error = wt_way_step(way, &has, &step);

	if (error)
		return error;
	if (!has)
		return wt_way_go(way, next);
	lane = shown_lane(lane, step.exec);
	if (step.place.file) {
		const char *name = strrchr(step.place.file, '/');

		snprintf(line, sizeof(line), "%.40s:%u", name ? name + 1 : step.place.file,
			 step.place.line);
	}
	printf("%10" PRIu64 "  ", step.position);
	wt_cli_put_padded(line, 24);
	printf("  0x%" PRIx64 "  ", step.place.address);
	wt_cli_put_padded(step.place.instruction ? step.place.instruction : "?", 44);
	error = wt_way_go(way, next);
	if (!error)
		print_writes(way, &step, lane);
	putchar('\n');
	wt_way_step_deinit(&step);
	return error;
}

struct wt_error *wt_cli_way_steps_print(struct wt_way *way, uint32_t lane, uint64_t from,
					uint64_t count)
{
	struct wt_error *error = wt_way_go(way, from);
	uint64_t next;

	while (!error && count-- && wt_way_next(way, false, &next) &&
	       next == wt_way_position(way) + 1)
		error = way_step_print(way, lane, next);
	return error;
}

json_t *wt_cli_way_registers_json(struct wt_way *way, uint32_t lane)
{
	json_t *registers = json_object();
	size_t count = wt_way_register_count(way);
	uint64_t known;

	lane = shown_lane(lane, wt_way_exec(way, &known));
	for (size_t i = 0; i < count; i++) {
		struct wt_way_value value;
		const char *name;
		bool vector;

		if (wt_way_register_at(way, i, &name, &vector) &&
		    wt_way_register(way, name, lane, &value))
			json_object_set_new(registers, name, way_value_json(&value));
	}
	return registers;
}
