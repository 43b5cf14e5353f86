/* SPDX-License-Identifier: MIT */
/* Values, as an editor shows them: scopes, variables part by part, registers, and the lane that is looked at. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/describe.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "cli/serve/dap.h"

#define CANNOT_SHOW "cannot show variables"
#define SHOWN_MAX 512	  /* bytes of a value in a list */
#define GROUPS_SHOWN 4	  /* other values than that of the lane in focus */
#define CHILDREN_MAX 2000 /* of one request that names no count */
#define PARTS_MAX 32

/* ---- Values that differ from lane to lane ---- */

/* "5 (lane 3); lanes 0-2: 7; and 2 more values". */
static void values_describe(const struct wt_cli_values *values, uint32_t lane,
			    struct wt_buffer *text)
{
	size_t focus = 0, others = 0, left = 0;
	char lanes[WT_DESCRIBE_MAX];

	if (!values->count) {
		wt_buffer_append_text(text, "<no lane is active here>");
		return;
	}
	for (size_t i = 0; i < values->count; i++)
		if (values->of[i].lanes >> lane & 1)
			focus = i;
	wt_buffer_append_text(text, values->of[focus].text);
	if (values->count == 1)
		return;
	wt_buffer_append_format(text, " (lane %u)", lane);
	for (size_t i = 0; i < values->count; i++) {
		if (i == focus)
			continue;
		if (others == GROUPS_SHOWN) {
			left++;
			continue;
		}
		others++;
		wt_buffer_append_format(
			text, "; %s %s: %s",
			values->of[i].lanes & (values->of[i].lanes - 1) ? "lanes" : "lane",
			wt_describe_lanes(values->of[i].lanes, lanes), values->of[i].text);
	}
	if (left)
		wt_buffer_append_format(text, "; and %zu more %s", left,
					left == 1 ? "value" : "values");
}

/* @full: however long it is. */
static json_t *dap_values_json(const struct wt_cli_values *values, uint32_t lane, bool full)
{
	struct wt_buffer buffer = {0};
	wt_cleanup_free char *text = NULL;

	values_describe(values, lane, &buffer);
	if (!full && buffer.size > SHOWN_MAX) {
		buffer.size = SHOWN_MAX;
		wt_buffer_append_text(&buffer, "...");
	}
	text = wt_buffer_take_text(&buffer);
	return wt_cli_json_text(text ? text : "<there is no memory>");
}

/* ---- Objects ---- */

struct shown_object {
	struct wt_stack *stack;
	struct wt_stack_object object;
	struct wt_stack_object_info info; /* of the lane that was shown last */
	struct wt_dwarf_complaint complaint;
	struct wt_error *error;
	bool is_one;
};

static void object_show_lane(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink)
{
	struct shown_object *shown = opaque;

	if (shown->error)
		return;
	shown->error = wt_stack_show_object(shown->stack, &shown->object, lane, sink, &shown->info,
					    &shown->is_one, &shown->complaint);
	/* A pointer of one lane may lead to what that of another does not. */
	if (!shown->error && !shown->is_one)
		sink->unknown(sink->opaque, "not there in this lane");
}

static uint64_t stack_active(const struct wt_stack *stack)
{
	uint32_t count;

	return wt_stack_lanes(stack, &count);
}

static char *text_copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

/* The reference for an object's parts or values. */
static json_int_t object_refer(struct wt_dap *dap, enum wt_dap_kind kind, uint64_t wave,
			       const struct wt_stack_object *object, const char *name)
{
	uint64_t *parts = calloc(object->depth + 1, sizeof(*parts));
	struct wt_dap_reference reference = {
		.kind = kind,
		.wave = wave,
		.frame = object->frame,
		.index = object->variable,
		.expression = text_copy(object->expression),
		.name = text_copy(name),
		.parts = parts,
		.depth = object->depth,
	};

	if (parts && object->depth)
		memcpy(parts, object->parts, object->depth * sizeof(*parts));
	if (parts && (reference.expression || !object->expression))
		return wt_dap_refer(dap, &reference);
	free(reference.expression);
	free(reference.name);
	free(parts);
	return 0;
}

static struct wt_stack_object reference_object(const struct wt_dap_reference *reference)
{
	return (struct wt_stack_object){.frame = reference->frame,
					.expression = reference->expression,
					.variable = reference->index,
					.parts = reference->parts,
					.depth = reference->depth};
}

static void object_add_memory(const struct wt_stack_object_info *info, uint64_t wave, uint32_t lane,
			      json_t *json)
{
	if (info->is_pointer)
		json_object_set_new(
			json, "memoryReference",
			wt_dap_memory_reference(info->target_space, wave, lane, info->target));
	else if (info->has_address)
		json_object_set_new(
			json, "memoryReference",
			wt_dap_memory_reference(info->space, wave, lane, info->address));
}

static json_int_t count_json(uint64_t count)
{
	return count < INT32_MAX ? (json_int_t)count : INT32_MAX;
}

/* Parts of it can be opened, or where it has none, its values if they differ. */
static void object_add_children(struct wt_dap *dap, const struct shown_object *shown, uint64_t wave,
				const struct wt_cli_values *values, const char *name, json_t *json)
{
	json_int_t reference = 0;

	if (shown->info.parts && shown->object.depth < PARTS_MAX) {
		reference = object_refer(dap, WT_DAP_OBJECT, wave, &shown->object, name);
		if (values->count > 1)
			json_object_set_new(
				json, "namedVariables",
				json_integer(1 + (shown->info.is_array
							  ? 0
							  : count_json(shown->info.parts))));
		else if (!shown->info.is_array)
			json_object_set_new(json, "namedVariables",
					    json_integer(count_json(shown->info.parts)));
		if (shown->info.is_array)
			json_object_set_new(json, "indexedVariables",
					    json_integer(count_json(shown->info.parts)));
	} else if (values->count > 1) {
		reference = object_refer(dap, WT_DAP_GROUPS, wave, &shown->object, name);
		json_object_set_new(json, "namedVariables",
				    json_integer((json_int_t)values->count));
	}
	json_object_set_new(json, "variablesReference", json_integer(reference));
}

/* Editors show the type where the mouse is, which is the place to say that a value was not read. */
static json_t *object_type_json(const struct wt_stack_object_info *info)
{
	char text[sizeof(info->type) + 64];

	snprintf(text, sizeof(text), "%s%s", info->type,
		 info->is_declared ? " (computed from the source)" : "");
	return wt_cli_json_visible(text);
}

struct wt_error *wt_dap_object_json(struct wt_dap *dap, struct wt_stack *stack, uint64_t wave,
				    const struct wt_stack_object *object, const char *key,
				    const char *name, bool full, json_t **json_ret,
				    bool *is_one_ret, struct wt_dwarf_complaint *complaint_ret)
{
	struct shown_object shown = {.stack = stack, .object = *object};
	const struct wt_cli_lanes lanes = {.lanes = stack_active(stack),
					   .failed = dap->failed_lanes};
	uint32_t lane = wt_dap_lane(dap, lanes.lanes);
	struct wt_cli_values values;
	struct wt_error *error = wt_cli_values_find(&lanes, object_show_lane, &shown, &values);

	if (!error)
		error = shown.error;
	/* Parts are those of the lane in focus. */
	if (!error)
		error = wt_stack_show_object(stack, object, lane, NULL, &shown.info, &shown.is_one,
					     complaint_ret);
	*is_one_ret = shown.is_one;
	if (!error && shown.is_one) {
		*json_ret = json_pack("{s:o}", key, dap_values_json(&values, lane, full));
		if (dap->client.types)
			json_object_set_new(*json_ret, "type", object_type_json(&shown.info));
		if (name && !strcmp(key, "value"))
			json_object_set_new(*json_ret, "evaluateName", wt_cli_json_text(name));
		object_add_memory(&shown.info, wave, lane, *json_ret);
		object_add_children(dap, &shown, wave, &values, name, *json_ret);
	}
	wt_cli_values_deinit(&values);
	return error;
}

/* ---- Scopes ---- */

static void scope_add(struct wt_dap *dap, json_t *scopes, const char *name, const char *hint,
		      const struct wt_dap_reference *reference, bool expensive)
{
	json_t *scope = json_pack("{s:s, s:I, s:b}", "name", name, "variablesReference",
				  wt_dap_refer(dap, reference), "expensive", expensive);

	if (hint)
		json_object_set_new(scope, "presentationHint", json_string(hint));
	json_array_append_new(scopes, scope);
}

/* The place that the wave was walked to stands for the one where it stopped: its stop is yet to come there. */
static struct wt_error *facts_walk(struct wt_dap *dap, uint64_t wave, const struct wt_way *way,
				   json_t *facts)
{
	uint64_t known, exec = wt_way_exec(way, &known), pc = wt_way_pc(way);
	uint32_t lanes = wt_way_lanes(way);
	struct wavetape_place place;
	struct wt_error *error = wt_explain_address(
		dap->opened->explainer,
		wt_view_architecture(dap->opened->view, WT_OBJECT_WAVE, wave), pc, &place);

	if (error)
		return error;
	json_object_set_new(facts, "pc", wt_cli_json_hex(pc));
	json_object_set_new(facts, "code", wt_describe_code_json(&place));
	wt_explain_code_deinit(&place);
	if (known == (lanes < 64 ? (UINT64_C(1) << lanes) - 1 : UINT64_MAX))
		json_object_set_new(facts, "exec", wt_cli_json_hex(exec));
	else
		json_object_del(facts, "exec");
	json_object_del(facts, "stop_reason");
	json_object_del(facts, "place_is_certain");
	json_object_del(facts, "access");
	return NULL;
}

/*
 * All that is known of the wave, as `wavetape waves --json` has it, but its kernel, which people read. Of a wave that failed at an access of
 * memory and went on, the place and the access are those that failed, as `wavetape info` has them.
 */
static struct wt_error *facts_make(struct wt_dap *dap, uint64_t wave, json_t **facts_ret)
{
	const struct wt_way *way = wt_opened_way_at(dap->opened, wave);
	wt_cleanup_free char *position = NULL;
	struct wt_explain_wave explained;
	json_t *facts = NULL;
	struct wt_error *error = wt_explain_wave(dap->opened->explainer, wave, &explained);

	if (error)
		return error;
	if (explained.memory_fault && !way)
		error = wt_dap_fault_facts(dap, wave, &facts);
	else
		facts = wt_describe_wave_json(&explained);
	if (!error && explained.kernel)
		json_object_set_new(facts, "kernel", wt_describe_name_json(explained.kernel));
	wt_explain_wave_deinit(&explained);
	position = wt_dap_position(dap, wave);
	if (!error && position)
		json_object_set_new(facts, "way", json_string(position));
	if (!error && way)
		error = facts_walk(dap, wave, way, facts);
	if (error)
		json_decref(facts);
	else
		*facts_ret = facts;
	return error;
}

static struct wt_error *handle_scopes(struct wt_dap *dap, const json_t *arguments,
				      json_t **body_ret)
{
	struct wt_dap_frame frame;
	struct wt_stack *stack;
	struct wt_dap_reference reference;
	json_t *scopes, *facts = NULL;
	struct wt_error *error =
		wt_dap_frame_find(dap, arguments, "cannot show scopes", &frame, &stack);

	if (!error)
		error = facts_make(dap, frame.wave, &facts);
	if (error)
		return error;
	scopes = json_array();
	reference = (struct wt_dap_reference){.wave = frame.wave, .frame = frame.index};
	reference.kind = WT_DAP_ARGUMENTS;
	scope_add(dap, scopes, "Arguments", "arguments", &reference, false);
	reference.kind = WT_DAP_LOCALS;
	scope_add(dap, scopes, "Locals", "locals", &reference, false);
	reference.kind = WT_DAP_LANES;
	scope_add(dap, scopes, "Lanes", NULL, &reference, false);
	reference.kind = WT_DAP_REGISTERS;
	scope_add(dap, scopes, "Registers", "registers", &reference, true);
	reference.kind = WT_DAP_LOCAL_MEMORY;
	scope_add(dap, scopes, "Local memory", NULL, &reference, true);
	reference.kind = WT_DAP_JSON;
	reference.json = facts;
	scope_add(dap, scopes, "Wave", NULL, &reference, true);
	*body_ret = json_pack("{s:o}", "scopes", scopes);
	return NULL;
}

/* ---- Lists of variables ---- */

/* The children that a request wants. */
struct page {
	size_t start, count;
	bool named, indexed; /* which ones: both where the request does not say */
	json_t *array;
};

static bool page_has(const struct page *page, size_t position)
{
	return position >= page->start && position - page->start < page->count;
}

static void page_add(struct page *page, json_t *name, json_t *variable)
{
	json_object_set_new(variable, "name", wt_cli_json_visible(json_string_value(name)));
	json_decref(name);
	if (!json_object_get(variable, "variablesReference"))
		json_object_set_new(variable, "variablesReference", json_integer(0));
	json_array_append_new(page->array, variable);
}

static void page_add_text(struct page *page, const char *name, const char *value)
{
	page_add(page, wt_cli_json_text(name),
		 json_pack("{s:o}", "value", wt_cli_json_text(value)));
}

static struct wt_error *variables_list(struct wt_dap *dap, const struct wt_dap_reference *reference,
				       struct wt_stack *stack, struct page *page)
{
	bool parameters = reference->kind == WT_DAP_ARGUMENTS;
	size_t count, position = 0;
	struct wt_error *error = wt_stack_variables(stack, reference->frame, &count);

	for (size_t i = 0; i < count && !error; i++) {
		struct wt_stack_object object = {.frame = reference->frame, .variable = i};
		struct wt_dwarf_complaint complaint;
		struct wt_stack_variable variable;
		json_t *json = NULL;
		bool is_one = false;

		wt_stack_variable(stack, reference->frame, i, &variable);
		if (variable.is_parameter != parameters || !page_has(page, position++))
			continue;
		error = wt_dap_object_json(dap, stack, reference->wave, &object, "value",
					   variable.is_shadowed ? NULL : variable.name, false,
					   &json, &is_one, &complaint);
		if (!error && is_one) {
			json_t *name = wt_cli_json_text(variable.name ? variable.name : "?");

			if (variable.is_shadowed) {
				json_decref(name);
				name = json_sprintf("%s (of an outer block)",
						    variable.name ? variable.name : "?");
			}
			page_add(page, name ? name : json_string("?"), json);
		}
	}
	if (!error && !count && page_has(page, 0) && !parameters)
		page_add_text(page, "(none)", "no variables are described here");
	return error;
}

/* "p->x", "a[3]", "*p": a part as an expression, for the caller to free(); NULL if there is none. */
static char *part_expression(const char *whole, const char *part)
{
	if (!whole || strchr(part, '#') || strchr(part, ' '))
		return NULL;
	if (!strcmp(part, "*"))
		return wt_text("*(%s)", whole);
	if (part[0] == '[')
		return wt_text("(%s)%s", whole, part);
	return wt_text("(%s).%s", whole, part);
}

static struct wt_error *object_part_add(struct wt_dap *dap,
					const struct wt_dap_reference *reference,
					struct wt_stack *stack, uint64_t index, struct page *page)
{
	uint64_t parts[PARTS_MAX + 1];
	struct wt_stack_object object = reference_object(reference);
	uint32_t lane = wt_dap_lane(dap, stack_active(stack));
	struct wt_stack_object_info info;
	struct wt_dwarf_complaint complaint;
	wt_cleanup_free char *expression = NULL;
	json_t *json = NULL;
	struct wt_error *error;
	bool is_one;

	if (object.depth > PARTS_MAX)
		return NULL;
	if (object.depth)
		memcpy(parts, object.parts, object.depth * sizeof(*parts));
	parts[object.depth++] = index;
	object.parts = parts;
	error = wt_stack_show_object(stack, &object, lane, NULL, &info, &is_one, &complaint);
	if (error || !is_one)
		return error;
	expression = part_expression(reference->name, info.name);
	error = wt_dap_object_json(dap, stack, reference->wave, &object, "value", expression, false,
				   &json, &is_one, &complaint);
	if (!error && is_one)
		page_add(page, wt_cli_json_text(info.name), json);
	return error;
}

/* A group of lanes that agree, which can be looked at for its own sake. */
static struct wt_error *groups_list(struct wt_dap *dap, const struct wt_dap_reference *reference,
				    struct wt_stack *stack, struct page *page)
{
	struct shown_object shown = {.stack = stack, .object = reference_object(reference)};
	const struct wt_cli_lanes lanes = {.lanes = stack_active(stack),
					   .failed = dap->failed_lanes};
	struct wt_cli_values values;
	struct wt_error *error = wt_cli_values_find(&lanes, object_show_lane, &shown, &values);
	char text[WT_DESCRIBE_MAX];

	if (error)
		return error;
	for (size_t i = 0; i < values.count && !shown.error; i++) {
		json_t *name;

		if (!page_has(page, i))
			continue;
		name = json_sprintf(
			"%s %s", values.of[i].lanes & (values.of[i].lanes - 1) ? "lanes" : "lane",
			wt_describe_lanes(values.of[i].lanes, text));
		page_add(page, name,
			 json_pack("{s:o}", "value", wt_cli_json_text(values.of[i].text)));
	}
	wt_cli_values_deinit(&values);
	return shown.error;
}

static struct wt_error *parts_list(struct wt_dap *dap, const struct wt_dap_reference *reference,
				   struct wt_stack *stack, struct page *page)
{
	const struct wt_stack_object object = reference_object(reference);
	uint32_t lane = wt_dap_lane(dap, stack_active(stack));
	struct wt_stack_object_info info;
	struct wt_dwarf_complaint complaint;
	struct wt_error *error;
	bool is_one, is_listed;

	error = wt_stack_show_object(stack, &object, lane, NULL, &info, &is_one, &complaint);
	if (error || !is_one)
		return error ? error
			     : wt_dap_wrong(CANNOT_SHOW, "it is not there in lane %u", lane);
	is_listed = info.is_array ? page->indexed : page->named;
	for (size_t i = 0; is_listed && i < page->count && i < info.parts - page->start && !error;
	     i++) {
		if (page->start >= info.parts)
			break;
		error = object_part_add(dap, reference, stack, page->start + i, page);
	}
	/* The values of all lanes are behind the members, and beside the elements. */
	if (!error && page->named && page_has(page, info.is_array ? 0 : (size_t)info.parts)) {
		struct page one = {.count = 64, .named = true, .array = json_array()};

		error = groups_list(dap, reference, stack, &one);
		if (!error && json_array_size(one.array) > 1)
			page_add(page, json_string("lanes"),
				 json_pack("{s:o, s:I}", "value",
					   json_sprintf("%zu different values",
							json_array_size(one.array)),
					   "variablesReference",
					   object_refer(dap, WT_DAP_GROUPS, reference->wave,
							&object, reference->name)));
		json_decref(one.array);
	}
	return error;
}

/* ---- JSON ---- */

static json_t *leaf_json(json_t *value)
{
	wt_cleanup_free char *text = NULL;

	if (json_is_string(value))
		return json_incref(value);
	text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	return wt_cli_json_text(text);
}

static void json_child_add(struct wt_dap *dap, json_t *name, json_t *value, struct page *page)
{
	json_t *variable = json_pack("{s:o}", "value", leaf_json(value));

	if (json_is_object(value) && json_object_size(value)) {
		const struct wt_dap_reference reference = {.kind = WT_DAP_JSON,
							   .json = json_incref(value)};

		json_object_set_new(variable, "variablesReference",
				    json_integer(wt_dap_refer(dap, &reference)));
	}
	page_add(page, name, variable);
}

static struct wt_error *json_list(struct wt_dap *dap, json_t *json, struct page *page)
{
	size_t position = 0;
	const char *name;
	json_t *value;

	json_object_foreach(json, name, value)
	{
		if (page_has(page, position++))
			json_child_add(dap, json_string(name), value, page);
	}
	return NULL;
}

/* ---- Registers ---- */

struct dap_register {
	const char *name, *type;
	bool vector;
	uint32_t lanes, size; /* bytes of one value */
};

/* How many registers a wave has, and one of them; false if nothing is known of it. */
static size_t dap_register_count(struct wt_dap *dap, uint64_t wave)
{
	return wt_view_register_count(dap->opened->view, wave);
}

static bool dap_register_at(struct wt_dap *dap, uint64_t wave, size_t index,
			    struct dap_register *register_ret)
{
	struct wt_view_register found;
	uint32_t lanes = (uint32_t)wt_view_number_or(dap->opened->view, WT_OBJECT_WAVE, wave,
						     AMD_DBGAPI_WAVE_INFO_LANE_COUNT, 64);

	if (!wt_view_register_at(dap->opened->view, wave, index, &found))
		return false;
	if (!lanes || lanes > 64)
		lanes = 64;
	*register_ret = (struct dap_register){
		.name = found.name,
		.type = found.type,
		.vector = found.vector,
		.lanes = found.vector ? lanes : 1,
		.size = found.vector ? found.size / lanes : found.size,
	};
	return true;
}

/* A register of any size, as the command prints it. */
static void register_put(const uint8_t *value, size_t size, const struct wt_dwarf_sink *sink)
{
	const struct wt_dwarf_scalar scalar = {.kind = WT_DWARF_TYPE_ENUM,
					       .bits = (unsigned int)(8 * size)};
	char text[WT_DESCRIBE_MAX];
	struct wt_dwarf_scalar named = scalar;

	/* An enumerator's name is shown as it is. */
	named.name = wt_describe_value(value, size, text);
	sink->scalar(sink->opaque, &named);
}

static void way_register_show(const struct wt_way *way, const struct dap_register *wanted,
			      uint32_t lane, const struct wt_dwarf_sink *sink)
{
	struct wt_way_value value;
	char text[WT_DESCRIBE_MAX];

	if (!wt_way_register(way, wanted->name, lane, &value)) {
		sink->unknown(sink->opaque, "not followed on the way");
	} else if (value.status != WT_WAY_NOT_KNOWN) {
		register_put((const uint8_t *)&value.value, value.bits / 8, sink);
	} else if (value.may_be) {
		snprintf(text, sizeof(text), "not known, but 0x%0*" PRIx64 " unless %s",
			 (int)value.bits / 4, value.value,
			 value.why ? value.why : "another wave has changed it");
		sink->unknown(sink->opaque, text);
	} else {
		sink->unknown(sink->opaque, value.why ? value.why : "not known");
	}
}

/* Shows the value that it has in a lane. */
static void dap_register_show(struct wt_dap *dap, uint64_t wave, size_t index, uint32_t lane,
			      const struct wt_dwarf_sink *sink)
{
	const struct wt_way *way = wt_opened_way_at(dap->opened, wave);
	struct dap_register wanted;
	struct wt_view_register found;

	if (way && dap_register_at(dap, wave, index, &wanted)) {
		way_register_show(way, &wanted, lane, sink);
		return;
	}
	if (!dap_register_at(dap, wave, index, &wanted) ||
	    !wt_view_register_at(dap->opened->view, wave, index, &found) || !found.value ||
	    (found.vector && lane >= wanted.lanes)) {
		sink->unknown(sink->opaque, "not recorded");
		return;
	}
	register_put(found.value + (found.vector ? (size_t)lane * wanted.size : 0), wanted.size,
		     sink);
}

static const char *const classes[] = {"scalar", "vector", "system", "trap"};
#define CLASSES (sizeof(classes) / sizeof(*classes))

static bool register_is_in(struct wt_dap *dap, uint64_t wave, size_t index, const char *class)
{
	struct wt_view_register found;

	return wt_view_register_at(dap->opened->view, wave, index, &found) &&
	       wt_view_register_in_class(dap->opened->view, found.id, class);
}

/* Registers of no class are behind the others. */
static bool register_is_listed(struct wt_dap *dap, uint64_t wave, size_t index, size_t class)
{
	if (class < CLASSES)
		return register_is_in(dap, wave, index, classes[class]);
	for (size_t i = 0; i < CLASSES; i++)
		if (register_is_in(dap, wave, index, classes[i]))
			return false;
	return true;
}

static struct wt_error *register_classes_list(struct wt_dap *dap,
					      const struct wt_dap_reference *reference,
					      struct page *page)
{
	size_t total = dap_register_count(dap, reference->wave), position = 0;

	for (size_t class = 0; class <= CLASSES; class ++) {
		struct wt_dap_reference child = {
			.kind = WT_DAP_REGISTER_CLASS, .wave = reference->wave, .index = class};
		size_t count = 0;

		for (size_t i = 0; i < total; i++)
			count += register_is_listed(dap, reference->wave, i, class);
		if (!count || !page_has(page, position++))
			continue;
		page_add(page, json_string(class < CLASSES ? classes[class] : "other"),
			 json_pack("{s:o, s:I, s:I}", "value",
				   json_sprintf("%zu %s", count,
						count == 1 ? "register" : "registers"),
				   "variablesReference", wt_dap_refer(dap, &child),
				   "namedVariables", (json_int_t)count));
	}
	if (!total && page_has(page, 0))
		page_add_text(page, "(none)", "registers of this wave were not recorded");
	return NULL;
}

struct shown_register {
	struct wt_dap *dap;
	uint64_t wave;
	size_t index;
};

static void register_show_lane(void *opaque, uint32_t lane, const struct wt_dwarf_sink *sink)
{
	const struct shown_register *shown = opaque;

	dap_register_show(shown->dap, shown->wave, shown->index, lane, sink);
}

/* A vector register has a value in lanes that are not active, too. */
static uint64_t register_lanes(const struct dap_register *found)
{
	if (!found->vector)
		return 1;
	return found->lanes >= 64 ? UINT64_MAX : (UINT64_C(1) << found->lanes) - 1;
}

static struct wt_error *register_values(struct wt_dap *dap, uint64_t wave, size_t index,
					const struct dap_register *found,
					struct wt_cli_values *values)
{
	struct shown_register shown = {dap, wave, index};
	const struct wt_cli_lanes lanes = {.lanes = register_lanes(found)};

	return wt_cli_values_find(&lanes, register_show_lane, &shown, values);
}

static struct wt_error *register_add(struct wt_dap *dap, uint64_t wave, size_t index,
				     struct page *page)
{
	const struct wt_dap_reference child = {
		.kind = WT_DAP_REGISTER, .wave = wave, .index = index};
	struct dap_register found;
	struct wt_cli_values values;
	struct wt_error *error;
	json_t *json;

	if (!dap_register_at(dap, wave, index, &found))
		return NULL;
	error = register_values(dap, wave, index, &found, &values);
	if (error)
		return error;
	json = json_pack("{s:o, s:o}", "value",
			 dap_values_json(&values, wt_dap_lane(dap, register_lanes(&found)), false),
			 "evaluateName", json_sprintf("$%s", found.name));
	wt_cli_values_deinit(&values);
	/* Names of flags are in the type, behind its own. */
	if (dap->client.types && found.type)
		json_object_set_new(
			json, "type",
			json_sprintf("%.*s", (int)strcspn(found.type, "{"), found.type));
	if (found.vector) {
		json_object_set_new(json, "variablesReference",
				    json_integer(wt_dap_refer(dap, &child)));
		json_object_set_new(json, "indexedVariables",
				    json_integer((json_int_t)found.lanes));
	}
	page_add(page, wt_cli_json_text(found.name), json);
	return NULL;
}

static struct wt_error *registers_list(struct wt_dap *dap, const struct wt_dap_reference *reference,
				       struct page *page)
{
	size_t total = dap_register_count(dap, reference->wave), position = 0;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < total && !error; i++)
		if (register_is_listed(dap, reference->wave, i, reference->index) &&
		    page_has(page, position++))
			error = register_add(dap, reference->wave, i, page);
	return error;
}

static struct wt_error *
register_lanes_list(struct wt_dap *dap, const struct wt_dap_reference *reference, struct page *page)
{
	struct dap_register found;
	struct wt_cli_values values;
	struct wt_error *error;

	if (!page->indexed || !dap_register_at(dap, reference->wave, reference->index, &found))
		return NULL;
	error = register_values(dap, reference->wave, reference->index, &found, &values);
	for (uint32_t lane = 0; !error && lane < found.lanes; lane++)
		for (size_t i = 0; i < values.count; i++)
			if (values.of[i].lanes >> lane & 1 && page_has(page, lane))
				page_add(page, json_sprintf("[%u]", lane),
					 json_pack("{s:o}", "value",
						   wt_cli_json_text(values.of[i].text)));
	if (!error)
		wt_cli_values_deinit(&values);
	return error;
}

/* ---- Lanes ---- */

#define FOCUS "focus"

static struct wt_error *lanes_list(struct wt_dap *dap, struct wt_stack *stack, struct page *page)
{
	uint32_t count;
	uint64_t active = wt_stack_lanes(stack, &count);
	uint32_t focus = wt_dap_lane(dap, active);
	char text[WT_DESCRIBE_MAX], name[32];

	if (page_has(page, 0))
		page_add(page, json_string(FOCUS),
			 json_pack("{s:o}", "value", json_sprintf("%u", focus)));
	if (page_has(page, 1))
		page_add_text(page, "active", wt_describe_lanes(active, text));
	if (page_has(page, 2))
		page_add_text(page, "failed", wt_describe_lanes(dap->failed_lanes & active, text));
	for (uint32_t lane = 0; lane < count && lane < 64; lane++) {
		if (!page_has(page, 3 + lane))
			continue;
		snprintf(name, sizeof(name), "lane %u", lane);
		snprintf(text, sizeof(text), "%s%s%s", active >> lane & 1 ? "active" : "not active",
			 (active & dap->failed_lanes) >> lane & 1 ? ", its access failed" : "",
			 lane == focus ? ", in focus" : "");
		page_add_text(page, name, text);
	}
	return NULL;
}

/* The only thing that can be set is which lane is looked at: "focus" to a number, or a lane to anything. */
static struct wt_error *handle_set_variable(struct wt_dap *dap, const json_t *arguments,
					    json_t **body_ret)
{
	static const char what[] = "cannot set this";
	const char *name = wt_dap_text(arguments, "name"), *value = wt_dap_text(arguments, "value");
	json_int_t number;
	struct wt_error *error =
		wt_dap_number(arguments, "variablesReference", 1, INT32_MAX, 0, &number);
	unsigned int named;
	uint64_t lane;
	char end;

	if (error)
		return error;
	if (!number || (size_t)number > dap->reference_count || !name || !value ||
	    dap->references[number - 1].kind != WT_DAP_LANES)
		return wt_dap_wrong(what, "a recording does not change; the lane in focus can be "
					  "set, in the scope Lanes");
	if (sscanf(name, "lane %u%c", &named, &end) == 1)
		lane = named;
	else if (strcmp(name, FOCUS) != 0 || !wt_cli_number(value, &lane))
		return wt_dap_wrong(what, "the lane in focus is a number from 0 to 63");
	error = wt_dap_take_lane(dap, lane > 63 ? 64 : (json_int_t)lane);
	if (!error)
		*body_ret = json_pack("{s:o}", "value",
				      strcmp(name, FOCUS) ? json_string("in focus")
							  : json_sprintf("%u", dap->lane));
	return error;
}

/* ---- Local memory ---- */

#define ROW 16

static struct wt_error *local_runs_list(struct wt_dap *dap,
					const struct wt_dap_reference *reference, struct page *page)
{
	struct wt_view *view = dap->opened->view;
	uint64_t group = wt_view_number_or(view, WT_OBJECT_WAVE, reference->wave,
					   AMD_DBGAPI_WAVE_INFO_WORKGROUP, 0);
	uint64_t address = 0, from, to;
	size_t position = 0;

	while (group && wt_view_memory_next(view, "local", group, address, &from, &to) &&
	       to > from) {
		const struct wt_dap_reference child = {.kind = WT_DAP_MEMORY_RUN,
						       .wave = reference->wave,
						       .index = (size_t)from,
						       .size = to - from};

		if (page_has(page, position++))
			page_add(page, json_sprintf("0x%" PRIx64, from),
				 json_pack("{s:o, s:I, s:I, s:o}", "value",
					   json_sprintf("%" PRIu64 " bytes", to - from),
					   "variablesReference", wt_dap_refer(dap, &child),
					   "indexedVariables",
					   count_json((to - from + ROW - 1) / ROW),
					   "memoryReference",
					   wt_dap_memory_reference(GFX_SPACE_LOCAL, reference->wave,
								   0, from)));
		address = to;
	}
	if (!position && page_has(page, 0))
		page_add_text(page, "(none)", "no local memory of its workgroup was recorded");
	return NULL;
}

static struct wt_error *
memory_rows_list(struct wt_dap *dap, const struct wt_dap_reference *reference, struct page *page)
{
	uint64_t rows = (reference->size + ROW - 1) / ROW;

	for (size_t i = 0; page->indexed && i < page->count; i++) {
		struct wt_dap_memory memory = {.space = GFX_SPACE_LOCAL, .wave = reference->wave};
		uint64_t row = page->start + i;
		uint8_t data[ROW];
		char text[4 * ROW] = "";
		size_t size;

		if (row >= rows)
			break;
		memory.address = reference->index + row * ROW;
		size = wt_dap_memory_read(dap, &memory, data,
					  reference->size - row * ROW < ROW
						  ? (size_t)(reference->size - row * ROW)
						  : ROW);
		for (size_t j = 0; j < size; j++)
			snprintf(text + (j ? 3 * j - 1 : 0), 4, j ? " %02x" : "%02x", data[j]);
		page_add(page, json_sprintf("0x%04" PRIx64, memory.address),
			 json_pack("{s:s}", "value", size ? text : "not known"));
	}
	return NULL;
}

/* ---- The request ---- */

static struct wt_error *reference_list(struct wt_dap *dap, const struct wt_dap_reference *reference,
				       struct page *page)
{
	struct wt_stack *stack = NULL;
	struct wt_error *error = NULL;

	if (reference->kind != WT_DAP_JSON)
		error = wt_dap_stack(dap, reference->wave, &stack);
	if (error)
		return error;
	switch (reference->kind) {
	case WT_DAP_REGISTERS:
		return register_classes_list(dap, reference, page);
	case WT_DAP_REGISTER_CLASS:
		return registers_list(dap, reference, page);
	case WT_DAP_REGISTER:
		return register_lanes_list(dap, reference, page);
	case WT_DAP_LOCAL_MEMORY:
		return local_runs_list(dap, reference, page);
	case WT_DAP_MEMORY_RUN:
		return memory_rows_list(dap, reference, page);
	case WT_DAP_JSON:
		return json_list(dap, reference->json, page);
	case WT_DAP_ARGUMENTS:
	case WT_DAP_LOCALS:
	case WT_DAP_LANES:
	case WT_DAP_OBJECT:
	case WT_DAP_GROUPS:
		break;
	}
	if (!stack)
		return wt_dap_wrong(CANNOT_SHOW, "the wave is not stopped");
	if (reference->kind == WT_DAP_LANES)
		return lanes_list(dap, stack, page);
	if (reference->kind == WT_DAP_OBJECT)
		return parts_list(dap, reference, stack, page);
	if (reference->kind == WT_DAP_GROUPS)
		return groups_list(dap, reference, stack, page);
	return variables_list(dap, reference, stack, page);
}

static struct wt_error *handle_variables(struct wt_dap *dap, const json_t *arguments,
					 json_t **body_ret)
{
	const char *filter = wt_dap_text(arguments, "filter");
	struct wt_dap_reference reference;
	json_int_t number, start = 0, count = 0;
	struct page page;
	struct wt_error *error =
		wt_dap_number(arguments, "variablesReference", 0, INT32_MAX, 0, &number);

	if (!error)
		error = wt_dap_number(arguments, "start", 0, INT32_MAX, 0, &start);
	if (!error)
		error = wt_dap_number(arguments, "count", 0, INT32_MAX, 0, &count);
	if (error)
		return error;
	if (!number || (size_t)number > dap->reference_count)
		return wt_dap_wrong(CANNOT_SHOW,
				    "there is nothing by reference %" PRId64
				    ": references end when something moves",
				    (int64_t)number);
	page = (struct page){.start = (size_t)start,
			     .count = count && count < CHILDREN_MAX ? (size_t)count : CHILDREN_MAX,
			     .named = !filter || strcmp(filter, "indexed") != 0,
			     .indexed = !filter || strcmp(filter, "named") != 0,
			     .array = json_array()};
	/* The list of references may move while some are added. */
	reference = dap->references[number - 1];
	error = reference_list(dap, &reference, &page);
	if (error)
		json_decref(page.array);
	else
		*body_ret = json_pack("{s:o}", "variables", page.array);
	return error;
}

const struct wt_dap_command wt_dap_value_commands[] = {
	{"scopes", handle_scopes, false},
	{"variables", handle_variables, false},
	{"setVariable", handle_set_variable, false},
	{NULL, NULL, false},
};
