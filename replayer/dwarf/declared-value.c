/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/declared-value.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "replayer/code/declared-text.h"
#include "replayer/dwarf/arithmetic.h"
#include "replayer/dwarf/expression-value.h"
#include "replayer/dwarf/named.h"
#include "replayer/dwarf/one-value.h"
#include "replayer/dwarf/print-expression.h"
#include "replayer/dwarf/scope.h"

#define MAX_DEPTH 6  /* of declarations whose values others are computed of */
#define MAX_STEPS 64 /* declarations that are looked at for one value */

/* ---- What is asked for, and in which function its names are looked up ---- */

struct declared {
	const struct wt_dwarf_frame *frame;
	struct wt_dwarf_unit *unit;
	uint32_t lane;
	unsigned int depth, *steps;
	unsigned int height; /* of the operands that declarations compute */
	struct wt_declared_text text;
	struct wt_dwarf_scopes scopes;
	Dwarf_Off function; /* of the names */
	const struct wt_dwarf_variable *variables;
	size_t count;
	bool has_operand; /* lanes may differ */
};

static bool declared_compute(struct declared *declared, Dwarf_Off function, Dwarf_Die *die,
			     const struct wt_dwarf_type *type, struct wt_dwarf_scalar *scalar_ret);

/* Types whose values are one number that is computed alike everywhere. */
static bool type_is_plain(const struct wt_dwarf_type *type)
{
	return type->kind != WT_DWARF_TYPE_POINTER && wt_dwarf_type_is_number(type) &&
	       type->bits <= 64 && (type->kind != WT_DWARF_TYPE_FLOAT || type->bits >= 32);
}

/* ---- The text ---- */

static bool declared_has_variable(void *opaque, const char *name)
{
	const struct declared *declared = opaque;

	for (size_t i = 0; i < declared->count; i++)
		if (!strcmp(declared->variables[i].name, name))
			return true;
	return false;
}

/* Notes types whose arithmetic differs from that of integers. */
static void declared_note_type(struct declared *declared, const struct wt_dwarf_type *type)
{
	declared->text.has_real |= type->kind == WT_DWARF_TYPE_FLOAT;
}

/* Notes those of casts, and of names for numbers. Variables hide both: for them not all of the unit is looked through. */
static void declared_note_words(struct declared *declared, const struct wt_dwarf_scene *scene)
{
	const struct wt_dwarf_names names = {scene->unit, scene->scopes, scene->scope_count};
	const char *text = declared->text.text, *end;
	char name[WT_MAX_DECLARED_TEXT];
	struct wt_dwarf_named named;
	struct wt_dwarf_type type;
	uint64_t number;

	for (; text; text = strchr(text, ' ') ? strchr(text, ' ') + 1 : NULL) {
		size_t length = wt_dwarf_path_length(text);

		memcpy(name, text, length);
		name[length] = '\0';
		if (declared_has_variable(declared, name))
			continue;
		if (length && wt_dwarf_named_parse(&names, text, &named, &end))
			declared_note_type(declared, &named.type);
		if (length && wt_dwarf_named_enumerator(&names, name, &type, &number))
			declared_note_type(declared, &type);
	}
}

/* ---- Operands ---- */

/* Is a variable in sight where the expression stands, and is it that one alone? */
static bool declared_sees(const struct declared *declared, const struct wt_text_variable *operand,
			  bool is_parameter)
{
	const struct wt_tokens *tokens = declared->text.file;
	size_t at = declared->text.at, around;

	if (operand->file != tokens || operand->body != declared->text.body || operand->at >= at)
		return false;
	around = tokens->list[operand->at].around;
	return is_parameter ||
	       (around != WT_NO_TOKEN && around < at && tokens->list[around].partner > at);
}

/* The only variable of the name; NULL if there are none or several. */
static const struct wt_dwarf_variable *declared_named(const struct declared *declared,
						      const char *name)
{
	const struct wt_dwarf_variable *found = NULL;

	for (size_t i = 0; i < declared->count; i++)
		if (!strcmp(declared->variables[i].name, name)) {
			if (found)
				return NULL;
			found = &declared->variables[i];
		}
	return found;
}

/* A number that tells a variable from others of its frame. */
static uint64_t variable_entry(Dwarf_Off function, Dwarf_Die *die)
{
	return dwarf_dieoffset(die) << 32 ^ function;
}

static const char *declared_read(const struct declared *declared, Dwarf_Die *die,
				 const struct wt_dwarf_type *type, struct wt_dwarf_scalar *scalar)
{
	struct wt_dwarf_effort *effort = declared->frame->machine->effort;
	uint64_t entry = variable_entry(declared->function, die);
	size_t slots = sizeof(effort->judged) / sizeof(*effort->judged);
	struct wt_dwarf_judged *judged = &effort->judged[entry % slots];
	struct wt_dwarf_location location;
	struct wt_dwarf_trust trust = {0};

	if (judged->frame == declared->frame && judged->entry == entry)
		trust = (struct wt_dwarf_trust){.known = judged->known, .why = judged->why};
	wt_dwarf_variable_find(declared->frame, declared->unit, declared->function, die, type,
			       declared->lane, &trust, &location);
	*judged = (struct wt_dwarf_judged){declared->frame, entry, trust.known, trust.why};
	return wt_dwarf_scalar_read(declared->frame, declared->lane, type, &location, 0, type->bits,
				    scalar);
}

/* A variable that may change is there, too: it hides others of its name. */
static bool declared_operand(void *opaque, const char *name, uint32_t lane,
			     struct wt_dwarf_operand *operand)
{
	struct declared *declared = opaque;
	const struct wt_dwarf_variable *variable = declared_named(declared, name);
	const struct wt_dwarf_context context = {
		.frame = declared->frame, .unit = declared->unit, .lane = lane};
	const struct wt_dwarf_piece other = {
		.place = WT_DWARF_AT_UNKNOWN, .bits = UINT64_MAX, .why = WT_DWARF_OPTIMIZED_OUT};
	struct wt_dwarf_scalar scalar = {0};
	struct wt_text_variable text;
	struct wt_dwarf_type type;
	const char *why;
	struct wt_dwarf_variable global;
	Dwarf_Die die;

	*operand = (struct wt_dwarf_operand){.location = {.count = 1, .pieces = {other}}};
	if (!variable && (declared_has_variable(declared, name) ||
			  !wt_dwarf_global(&declared->scopes, name, false, &global)))
		return declared_has_variable(declared, name);
	die = variable ? variable->die : global.die;
	wt_dwarf_type_of(&operand->type, declared->unit, &die);
	operand->bits = operand->type.bits;
	type = operand->type;
	/* Each place that names it is looked at, also of what is const: one may declare another variable. */
	type.is_constant = false;
	if (!variable || !type_is_plain(&type) ||
	    !wt_dwarf_has_one_value(&context, declared->function, &die, &type, &text) ||
	    !declared_sees(declared, &text, variable->is_parameter))
		return true;
	why = declared_read(declared, &die, &type, &scalar);
	if (why && declared_compute(declared, declared->function, &die, &type, &scalar))
		why = NULL;
	declared->has_operand = true;
	declared_note_type(declared, &type);
	wt_dwarf_operand_number(operand, &scalar);
	operand->type = type;
	operand->why = why;
	return true;
}

static bool declared_has_no_register(void *opaque, const char *name, uint32_t lane, uint64_t *value,
				     unsigned int *bits, const char **why)
{
	(void)opaque;
	(void)name;
	(void)lane;
	(void)value;
	(void)bits;
	(void)why;
	return false;
}

static bool declared_launch_value(void *opaque, const char *name, uint32_t dimension, uint32_t lane,
				  uint32_t *value_ret, const char **why_ret)
{
	struct declared *declared = opaque;
	const struct wt_dwarf_machine *machine = declared->frame->machine;
	bool is_one =
		machine->launch_value && machine->launch_value(machine->stack_opaque, name,
							       dimension, lane, value_ret, why_ret);

	declared->has_operand |= is_one;
	return is_one;
}

/* ---- Values ---- */

/* Each compilation computes integers alike; of other numbers the last bits differ. */
static bool declared_is_exact(const struct declared *declared)
{
	const char *text = declared->text.text;

	return !text[strcspn(text, "+-*/%&|^~!<>=?:")] || !declared->text.has_real;
}

static bool declared_evaluate(struct declared *declared, const struct wt_dwarf_function *function,
			      struct wt_dwarf_operand *operand)
{
	const struct wt_dwarf_scene scene = {
		.frame = declared->frame,
		.unit = declared->unit,
		.scopes = &declared->scopes.dies[function->first],
		.scope_count = function->last - function->first + 1,
		.opaque = declared,
		.variable = declared_operand,
		.has_variable = declared_has_variable,
		.read_register = declared_has_no_register,
		.launch_value = declared_launch_value,
	};
	struct wt_dwarf_complaint complaint;

	declared_note_words(declared, &scene);
	return wt_dwarf_operand_parse(&scene, declared->lane, declared->text.text, operand,
				      &complaint) &&
	       operand->computed && !operand->why && !operand->has_target && !operand->repeated &&
	       type_is_plain(&operand->type);
}

/* Evaluates what the declaration, or the call, says. @functions: from the one on in which that stands. */
static bool declared_value(struct declared *declared, const struct wt_dwarf_function *function,
			   const struct wt_dwarf_type *type, struct wt_dwarf_scalar *scalar)
{
	struct wt_dwarf_variable *variables = NULL;
	struct wt_dwarf_operand operand = {0};
	bool is_known;

	declared->function = dwarf_dieoffset(&declared->scopes.dies[function->first]);
	declared->count = wt_dwarf_variables(&declared->scopes, function, &variables);
	declared->variables = variables;
	is_known = declared->count != SIZE_MAX && declared_evaluate(declared, function, &operand) &&
		   declared_is_exact(declared) &&
		   !wt_dwarf_convert_to(&operand.scalar, type, scalar);
	free(variables);
	return is_known;
}

/* Is a function one that makes objects? Such a one is also called where its name does not stand: to make one of a value. */
static bool declared_is_constructor(struct declared *declared,
				    const struct wt_dwarf_function *function)
{
	struct wt_dwarf_variable *variables = NULL;
	const struct wt_dwarf_variable *object;
	struct wt_dwarf_type pointer, type;
	const char *name = NULL;

	declared->count = wt_dwarf_variables(&declared->scopes, function, &variables);
	declared->variables = variables;
	object = declared->count != SIZE_MAX ? declared_named(declared, "this") : NULL;
	if (object) {
		Dwarf_Die die = object->die;

		wt_dwarf_type_of(&pointer, declared->unit, &die);
		wt_dwarf_type_target(&pointer, declared->unit, &type);
		name = type.has_die ? dwarf_diename(&type.die) : NULL;
	}
	free(variables);
	/* Classes of a template have its arguments behind their names. */
	return object && (!name || !function->name ||
			  (strlen(function->name) == strcspn(name, "<") &&
			   !strncmp(name, function->name, strlen(function->name))));
}

static void location_set(struct wt_dwarf_location *location, const void *value, size_t size)
{
	location->count = 1;
	location->pieces[0] = (struct wt_dwarf_piece){
		.place = WT_DWARF_AT_VALUE, .bits = UINT64_MAX, .size = size};
	memcpy(location->pieces[0].value, value, size);
}

/* A parameter of the kernel has what that was given, if it is never assigned to. */
static bool kernel_argument(const struct declared *declared, Dwarf_Off function, Dwarf_Die *die,
			    const struct wt_dwarf_type *type, struct wt_dwarf_scalar *scalar)
{
	const struct wt_dwarf_frame *frame = declared->frame;
	const struct wt_dwarf_machine *machine = frame->machine;
	struct wt_dwarf_location given = {.count = 0};
	Dwarf_Die kernel = frame->function;
	uint64_t value;

	if (!frame->is_kernel || !machine->argument || dwarf_dieoffset(&kernel) != function ||
	    type->bits % 8 ||
	    !machine->argument(machine->stack_opaque, dwarf_diename(die), type->bits / 8, &value))
		return false;
	location_set(&given, &value, sizeof(value));
	return !wt_dwarf_scalar_read(frame, declared->lane, type, &given, 0, type->bits, scalar);
}

static bool declared_compute_anew(struct declared *asking, Dwarf_Off function, Dwarf_Die *die,
				  const struct wt_dwarf_type *type, struct wt_dwarf_scalar *scalar,
				  unsigned int *height_ret)
{
	struct declared declared = {.frame = asking->frame,
				    .unit = asking->unit,
				    .lane = asking->lane,
				    .depth = asking->depth + 1,
				    .steps = asking->steps};
	const struct wt_dwarf_context context = {
		.frame = asking->frame, .unit = asking->unit, .lane = asking->lane};
	struct wt_dwarf_function functions[WT_DWARF_MAX_SCOPES];
	struct wt_text_variable variable;
	size_t count, at = 0;
	bool is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	bool is_known;

	if (declared.depth > MAX_DEPTH || ++*declared.steps > MAX_STEPS ||
	    !(type_is_plain(type) || (is_parameter && type->kind == WT_DWARF_TYPE_POINTER)) ||
	    !wt_dwarf_has_one_value(&context, function, die, type, &variable))
		return false;
	*height_ret = 1;
	if (is_parameter && kernel_argument(asking, function, die, type, scalar))
		return true;
	if (!type_is_plain(type) || !wt_declared_text_find(&variable, &declared.text) ||
	    !wt_dwarf_scopes_find(asking->frame->object, asking->frame->lookup, &declared.scopes))
		return false;
	count = wt_dwarf_functions(&declared.scopes, functions);
	while (at < count &&
	       dwarf_dieoffset(&declared.scopes.dies[functions[at].first]) != function)
		at++;
	if (at < count && is_parameter && declared_is_constructor(&declared, &functions[at]))
		return false;
	/* The text of what is passed for a parameter stands in the function that calls. */
	at += is_parameter;
	is_known = at < count && declared_value(&declared, &functions[at], type, scalar);
	asking->has_operand |= declared.has_operand;
	*height_ret = declared.height + 1;
	asking->text.has_real |= declared.text.has_real;
	return is_known;
}

/*
 * The value of a variable as its declaration has it. @asking: who asks. Each is computed once for a lane: a chain of declarations
 * would be gone through again for each of its links. How many of them a value needs is kept with it, so that it does not depend on
 * which was asked for first.
 */
static bool declared_compute(struct declared *asking, Dwarf_Off function, Dwarf_Die *die,
			     const struct wt_dwarf_type *type, struct wt_dwarf_scalar *scalar)
{
	struct wt_dwarf_effort *effort = asking->frame->machine->effort;
	uint64_t entry = variable_entry(function, die);
	struct wt_dwarf_computed *known =
		&effort->computed[(entry + asking->lane) %
				  (sizeof(effort->computed) / sizeof(*effort->computed))];
	bool had_operand = asking->has_operand, had_real = asking->text.has_real;
	unsigned int left = MAX_DEPTH - asking->depth, height = 1;
	bool is_known;

	if (known->frame == asking->frame && known->entry == entry && known->lane == asking->lane &&
	    (known->is_known || known->height >= left)) {
		is_known = known->is_known && known->height <= left;
		*scalar = (struct wt_dwarf_scalar){.kind = type->kind,
						   .bits = (unsigned int)type->bits,
						   .number = known->number,
						   .real = known->real,
						   .form = type->form,
						   .is_signed = type->is_signed ||
								type->kind == WT_DWARF_TYPE_SIGNED};
		asking->has_operand |= known->has_operand;
		asking->text.has_real |= known->has_real;
		height = known->height;
	} else {
		asking->has_operand = asking->text.has_real = false;
		is_known = declared_compute_anew(asking, function, die, type, scalar, &height);
		/* A value that was too much together with others may be found alone. A pointer has more than a number. */
		if (*asking->steps <= MAX_STEPS && type_is_plain(type))
			*known = (struct wt_dwarf_computed){.frame = asking->frame,
							    .entry = entry,
							    .lane = asking->lane,
							    .height = is_known ? height : left,
							    .is_known = is_known,
							    .has_operand = asking->has_operand,
							    .has_real = asking->text.has_real,
							    .number = is_known ? scalar->number : 0,
							    .real = is_known ? scalar->real : 0};
		asking->has_operand |= had_operand;
		asking->text.has_real |= had_real;
	}
	if (is_known && height > asking->height)
		asking->height = height;
	return is_known;
}

/* The location of a number that is known. */
static void location_set_number(struct wt_dwarf_location *location,
				const struct wt_dwarf_scalar *scalar)
{
	float single = (float)scalar->real;

	if (scalar->kind != WT_DWARF_TYPE_FLOAT)
		location_set(location, &scalar->number, sizeof(scalar->number));
	else if (scalar->bits == 32)
		location_set(location, &single, sizeof(single));
	else
		location_set(location, &scalar->real, sizeof(scalar->real));
	location->is_declared = true;
}

void wt_dwarf_value_find(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
			 Dwarf_Off function, Dwarf_Die *die, const struct wt_dwarf_type *type,
			 uint32_t lane, struct wt_dwarf_trust *trust,
			 struct wt_dwarf_location *location)
{
	unsigned int steps = 0;
	struct declared asking = {.frame = frame, .unit = unit, .lane = lane, .steps = &steps};
	struct wt_dwarf_scalar scalar = {0};
	bool is_known;

	wt_dwarf_variable_find(frame, unit, function, die, type, lane, trust, location);
	if (trust->has_no_text || location->count != 1 ||
	    location->pieces[0].place != WT_DWARF_AT_UNKNOWN || !frame->machine->effort)
		return;
	is_known = declared_compute(&asking, function, die, type, &scalar);
	/* Lanes are alike where no variable is among the operands; what was too much for one lane is not tried again for each. */
	trust->has_no_text = !is_known && (!asking.has_operand || steps > MAX_STEPS);
	if (is_known)
		location_set_number(location, &scalar);
}
