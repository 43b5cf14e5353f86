/* SPDX-License-Identifier: MIT */
#include "recorder/moment/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/moment/dwarf-numbers.h"
#include "recorder/moment/hooks.h"
#include "recorder/recording/question.h"

/* No register comes near; a library that says otherwise does not get us to read that much. */
#define REGISTER_LIMIT 65536u

static const enum wt_object parts[] = {WT_OBJECT_REGISTER_CLASS, WT_OBJECT_REGISTER,
				       WT_OBJECT_ADDRESS_CLASS, WT_OBJECT_ADDRESS_SPACE};

/* One that was answered, of an object's; NULL for none. */
static const struct wt_answer *find_answer(struct wt_recorder *recorder, enum wt_object object,
					   const struct wt_item *item, uint32_t query)
{
	const struct wt_query *info = wt_query_find(object, query);
	const struct wt_answer *answer =
		item && info
			? wt_item_answer(item, wt_number_query(&recorder->numbers, object, info))
			: NULL;

	return answer && answer->status == AMD_DBGAPI_STATUS_SUCCESS ? answer : NULL;
}

const struct wt_answer *wt_facts_answer(struct wt_recorder *recorder, enum wt_object object,
					uint64_t handle, uint32_t query)
{
	const struct wt_key key = wt_key_object(recorder, object, handle);
	const struct wt_state *facts = recorder->session.facts;

	return facts ? find_answer(recorder, object, wt_state_get(facts, &key), query) : NULL;
}

static int compare_registers(const void *a, const void *b)
{
	uint64_t x = ((const struct wt_register_fact *)a)->handle;
	uint64_t y = ((const struct wt_register_fact *)b)->handle;

	return x < y ? -1 : x > y;
}

/* Libraries number them in order, so that mostly there is nothing to do. */
static void sort_registers(struct wt_register_fact *registers, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (compare_registers(&registers[i - 1], &registers[i]) <= 0)
			continue;
		qsort(registers, count, sizeof(*registers), compare_registers);
		return;
	}
}

const struct wt_register_fact *wt_facts_register(const struct wt_session *session, uint64_t handle)
{
	const struct wt_register_fact key = {.handle = handle};

	if (!session->register_count)
		return NULL;
	return bsearch(&key, session->registers, session->register_count, sizeof(key),
		       compare_registers);
}

static uint64_t find_space(struct wt_recorder *recorder, uint64_t architecture, const char *name)
{
	const struct wt_key key = wt_key_function(
		recorder, WT_ITEM_LIST, WT_FUNCTION_ARCHITECTURE_ADDRESS_SPACE_LIST, architecture);
	const struct wt_item *list =
		recorder->session.facts ? wt_state_get(recorder->session.facts, &key) : NULL;

	for (size_t i = 0; list && i < list->handle_count; i++) {
		const struct wt_answer *answer =
			wt_facts_answer(recorder, WT_OBJECT_ADDRESS_SPACE, list->handles[i],
					AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME);

		if (answer && answer->size == strlen(name) &&
		    !memcmp(answer->value, name, answer->size))
			return list->handles[i];
	}
	return 0;
}

uint64_t wt_facts_space(struct wt_recorder *recorder, uint64_t architecture, const char *name)
{
	struct wt_session *session = &recorder->session;
	struct wt_space_fact *space = session->spaces;
	uint64_t handle;

	for (size_t i = 0; i < session->space_count; i++)
		if (space[i].architecture == architecture && !strcmp(space[i].name, name))
			return space[i].handle;
	handle = find_space(recorder, architecture, name);
	if (!handle || session->space_count == WT_SPACES_KEPT ||
	    strlen(name) >= sizeof(space->name))
		return handle;
	space += session->space_count++;
	space->architecture = architecture;
	space->handle = handle;
	strcpy(space->name, name);
	return handle;
}

/* Classes of an architecture, by name and member list. More than it has so far. */
#define CLASSES 16u

struct classes {
	size_t count;
	const struct wt_item *members[CLASSES];
	size_t next[CLASSES]; /* members of each that were met */
	char names[CLASSES][24];
};

static void find_classes(struct wt_recorder *recorder, uint64_t architecture,
			 struct classes *classes)
{
	const struct wt_key key = wt_key_function(
		recorder, WT_ITEM_LIST, WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST, architecture);
	const struct wt_item *list = wt_state_get(recorder->session.facts, &key);

	*classes = (struct classes){0};
	for (size_t i = 0; list && i < list->handle_count && classes->count < CLASSES; i++) {
		const struct wt_key members = wt_key_function(
			recorder, WT_ITEM_LIST, WT_FUNCTION_REGISTER_IS_IN_REGISTER_CLASS,
			list->handles[i]);
		const struct wt_answer *name =
			wt_facts_answer(recorder, WT_OBJECT_REGISTER_CLASS, list->handles[i],
					AMD_DBGAPI_REGISTER_CLASS_INFO_NAME);

		classes->members[classes->count] = wt_state_get(recorder->session.facts, &members);
		if (!name || name->size >= sizeof(classes->names[0]))
			continue;
		memcpy(classes->names[classes->count++], name->value, name->size);
	}
}

/* Is the next register of the architecture in a class? Members are in the architecture's order (take_members()). */
static bool meet_member(struct classes *classes, size_t class, uint64_t handle)
{
	const struct wt_item *members = classes->members[class];
	size_t next = classes->next[class];

	if (!members || next == members->handle_count || members->handles[next] != handle)
		return false;
	classes->next[class]++;
	return true;
}

/* Marks a register as policy says of it. */
static void mark_register(const struct wt_policy *policy, struct classes *classes,
			  struct wt_register_fact *fact)
{
	const char *names[CLASSES + 1] = {NULL};
	size_t count = 0;

	fact->plain = true;
	for (size_t i = 0; i < classes->count; i++) {
		if (!meet_member(classes, i, fact->handle))
			continue;
		names[count++] = classes->names[i];
		fact->plain &= strcmp(classes->names[i], "vector") != 0 &&
			       strcmp(classes->names[i], "scalar") != 0;
	}
	fact->wanted = wt_policy_names(policy, fact->name, names) || !strcmp(fact->name, "pc") ||
		       !strcmp(fact->name, "exec");
}

/* Registers with sizes, so that reading those of a wave takes no question about each. */
static struct wt_error *index_registers(struct wt_recorder *recorder, uint64_t architecture,
					const uint64_t *handles, size_t count)
{
	struct classes classes;
	struct wt_session *session = &recorder->session;
	struct wt_register_fact *registers = reallocarray(
		session->registers, session->register_count + count + 1, sizeof(*registers));
	size_t place = 0;

	if (!registers)
		return &wt_error_no_memory;
	session->registers = registers;
	find_classes(recorder, architecture, &classes);
	for (size_t i = 0; i < count; i++, place++) {
		const struct wt_key key = wt_key_object(recorder, WT_OBJECT_REGISTER, handles[i]);
		const struct wt_item *item = wt_state_get_near(session->facts, &key, &place);
		const struct wt_answer *size = find_answer(recorder, WT_OBJECT_REGISTER, item,
							   AMD_DBGAPI_REGISTER_INFO_SIZE);
		const struct wt_answer *name = find_answer(recorder, WT_OBJECT_REGISTER, item,
							   AMD_DBGAPI_REGISTER_INFO_NAME);
		struct wt_register_fact *fact = &registers[session->register_count];

		*fact = (struct wt_register_fact){.handle = handles[i]};
		if (name && name->size < sizeof(fact->name))
			memcpy(fact->name, name->value, name->size);
		/* Also of one that is left out: its place among the members is passed. */
		mark_register(&recorder->options.policy, &classes, fact);
		if (!size || wt_value_load(size->value, size->size, false) > REGISTER_LIMIT)
			continue;
		fact->size = (uint32_t)wt_value_load(size->value, size->size, false);
		session->register_count++;
	}
	sort_registers(registers, session->register_count);
	return NULL;
}

/* Which of the registers belong to a class. */
static struct wt_error *take_members(struct wt_recorder *recorder, struct wt_state *facts,
				     uint64_t class, const uint64_t *registers, size_t count)
{
	const amd_dbgapi_register_class_id_t id = {class};
	wt_cleanup_free uint64_t *members = calloc(count + 1, sizeof(*members));
	struct wt_item list = {
		.key = wt_key_function(recorder, WT_ITEM_LIST,
				       WT_FUNCTION_REGISTER_IS_IN_REGISTER_CLASS, class),
		.handles = members,
	};

	if (!members)
		return &wt_error_no_memory;
	wt_own_begin();
	for (size_t i = 0; i < count; i++) {
		const amd_dbgapi_register_id_t reg = {registers[i]};
		amd_dbgapi_register_class_state_t state;

		if (recorder->api.register_is_in_register_class(id, reg, &state) ==
			    AMD_DBGAPI_STATUS_SUCCESS &&
		    state == AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER)
			members[list.handle_count++] = registers[i];
	}
	wt_own_end();
	return wt_state_set(facts, &list);
}

static struct wt_error *take_membership(struct wt_recorder *recorder, struct wt_state *facts,
					uint64_t architecture, const uint64_t *registers,
					size_t count)
{
	const struct wt_key key = wt_key_function(
		recorder, WT_ITEM_LIST, WT_FUNCTION_ARCHITECTURE_REGISTER_CLASS_LIST, architecture);
	const struct wt_item *item = wt_state_get(facts, &key);
	size_t class_count = item ? item->handle_count : 0;
	wt_cleanup_free uint64_t *classes = calloc(class_count + 1, sizeof(*classes));
	struct wt_error *error = NULL;

	if (!classes)
		return &wt_error_no_memory;
	if (class_count)
		memcpy(classes, item->handles, class_count * sizeof(*classes));
	for (size_t i = 0; i < class_count && !error; i++)
		error = take_members(recorder, facts, classes[i], registers, count);
	return error;
}

/* Write what is in a state as facts, and keep it. */
static struct wt_error *write_facts(struct wt_recorder *recorder, const struct wt_state *facts)
{
	struct wt_session *session = &recorder->session;
	size_t count = wt_state_count(facts);
	wt_cleanup_free const struct wt_item **items = calloc(count + 1, sizeof(*items));
	struct wt_error *error = wt_own_check();

	if (!session->facts)
		session->facts = wt_state_create();
	if (!items || !session->facts)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++) {
		items[i] = wt_state_at(facts, i);
		error = wt_state_set(session->facts, items[i]);
	}
	return error ? error : wt_writer_facts(recorder->writer, items, count);
}

static struct wt_error *take_parts(struct wt_recorder *recorder, struct wt_state *facts,
				   uint64_t architecture)
{
	wt_cleanup_free uint64_t *registers = NULL;
	struct wt_error *error = NULL;
	size_t register_count = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !error; i++) {
		bool is_register = parts[i] == WT_OBJECT_REGISTER;

		error = wt_take_objects(recorder, facts, parts[i], architecture,
					is_register ? &register_count : NULL,
					is_register ? &registers : NULL);
	}
	if (!error)
		error = wt_take_dwarf_registers(recorder, facts, architecture, registers,
						register_count);
	if (!error)
		error = take_membership(recorder, facts, architecture, registers, register_count);
	if (!error)
		error = write_facts(recorder, facts);
	return error ? error : index_registers(recorder, architecture, registers, register_count);
}

/* Replace or add one pair of a map of facts, and write the map again if it is new. */
static struct wt_error *add_pair(struct wt_recorder *recorder, enum wt_function function,
				 uint64_t owner, uint64_t number, uint64_t handle)
{
	wt_cleanup_state struct wt_state *facts = NULL;
	wt_cleanup_free uint64_t *numbers = NULL, *handles = NULL;
	struct wt_item map = {.key = wt_key_function(recorder, WT_ITEM_MAP, function, owner)};
	const struct wt_item *old =
		recorder->session.facts ? wt_state_get(recorder->session.facts, &map.key) : NULL;
	size_t count = old ? old->number_count : 0;
	struct wt_error *error;

	for (size_t i = 0; i < count; i++)
		if (old->numbers[i] == number)
			return NULL;
	facts = wt_state_create();
	numbers = calloc(count + 1, sizeof(*numbers));
	handles = calloc(count + 1, sizeof(*handles));
	if (!facts || !numbers || !handles)
		return &wt_error_no_memory;
	if (count) {
		memcpy(numbers, old->numbers, count * sizeof(*numbers));
		memcpy(handles, old->handles, count * sizeof(*handles));
	}
	numbers[count] = number;
	handles[count] = handle;
	map.numbers = numbers;
	map.handles = handles;
	map.number_count = map.handle_count = count + 1;
	error = wt_state_set(facts, &map);
	return error ? error : write_facts(recorder, facts);
}

struct wt_error *wt_facts_take(struct wt_recorder *recorder, uint64_t architecture)
{
	wt_cleanup_state struct wt_state *facts = NULL;
	const struct wt_key key = wt_key_object(recorder, WT_OBJECT_ARCHITECTURE, architecture);
	struct wt_error *error;
	uint64_t machine;

	if (!architecture ||
	    (recorder->session.facts && wt_state_get(recorder->session.facts, &key)))
		return NULL;
	facts = wt_state_create();
	if (!facts)
		return &wt_error_no_memory;
	error = wt_take_object(recorder, facts, WT_OBJECT_ARCHITECTURE, architecture);
	if (!error)
		error = wt_take_dwarf_spaces(recorder, facts, architecture);
	if (!error)
		error = take_parts(recorder, facts, architecture);
	if (error || !wt_ask_number(recorder, WT_OBJECT_ARCHITECTURE, architecture,
				    AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE, &machine))
		return error;
	return add_pair(recorder, WT_FUNCTION_GET_ARCHITECTURE, 0, machine, architecture);
}

/* The text of a status, or that the library knows no such status. */
static struct wt_error *take_status(struct wt_recorder *recorder, struct wt_state *facts,
				    uint64_t status)
{
	const uint32_t function =
		wt_number_function(&recorder->numbers, WT_FUNCTION_GET_STATUS_STRING);
	struct wt_answer answer = {.query = function};
	struct wt_item item = {.key = {.type = WT_ITEM_OBJECT, .kind = function, .owner = status},
			       .answers = &answer,
			       .answer_count = 1};
	const char *text = NULL;

	wt_own_begin();
	answer.status = recorder->api.get_status_string((amd_dbgapi_status_t)status, &text);
	wt_own_end();
	if (answer.status == AMD_DBGAPI_STATUS_SUCCESS && text) {
		answer.value = (const uint8_t *)text;
		answer.size = strlen(text);
	}
	return wt_state_set(facts, &item);
}

struct wt_error *wt_facts_take_statuses(struct wt_recorder *recorder)
{
	const struct wt_enumeration *statuses = wt_enumeration_find("amd_dbgapi_status_t");
	const struct wt_key first =
		wt_key_function(recorder, WT_ITEM_OBJECT, WT_FUNCTION_GET_STATUS_STRING,
				(uint64_t)AMD_DBGAPI_STATUS_SUCCESS);
	wt_cleanup_state struct wt_state *facts = NULL;
	struct wt_error *error = NULL;

	if (recorder->session.facts && wt_state_get(recorder->session.facts, &first))
		return NULL;
	facts = wt_state_create();
	if (!facts)
		return &wt_error_no_memory;
	for (size_t i = 0; i < statuses->count && !error; i++)
		error = take_status(recorder, facts, (uint64_t)statuses->values[i].value);
	return error ? error : write_facts(recorder, facts);
}

/* Offsets of the two fields that say what a 64-bit ELF file is for. */
#define ELF_MACHINE_AT 18u
#define ELF_FLAGS_AT 48u
#define ELF_MACHINE_AMDGPU 224u

static bool machine_of_image(const uint8_t *image, size_t size, uint32_t *machine_ret)
{
	static const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2 /* 64 bits */,
					1 /* little endian */};

	if (size < ELF_FLAGS_AT + 4 || memcmp(image, ident, sizeof(ident)) != 0 ||
	    (image[ELF_MACHINE_AT] | image[ELF_MACHINE_AT + 1] << 8) != ELF_MACHINE_AMDGPU)
		return false;
	*machine_ret = image[ELF_FLAGS_AT];
	return true;
}

struct wt_error *wt_facts_take_of_image(struct wt_recorder *recorder, const uint8_t *image,
					size_t size)
{
	amd_dbgapi_architecture_id_t architecture;
	amd_dbgapi_status_t status;
	struct wt_error *error;
	uint32_t machine;

	if (!machine_of_image(image, size, &machine))
		return NULL;
	wt_own_begin();
	status = recorder->api.get_architecture(machine, &architecture);
	wt_own_end();
	/* A replay has tables of its own, and must not know what the library refuses. */
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE)
		return add_pair(recorder, WT_FUNCTION_GET_ARCHITECTURE, 0, machine, 0);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return NULL;
	error = wt_facts_take(recorder, architecture.handle);
	return error ? error
		     : add_pair(recorder, WT_FUNCTION_GET_ARCHITECTURE, 0, machine,
				architecture.handle);
}

void wt_after_get_architecture(struct wt_call *call, amd_dbgapi_status_t status,
			       uint32_t elf_amdgpu_machine,
			       const amd_dbgapi_architecture_id_t *architecture_id)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_session *session = &recorder->session;
	bool refused = status == AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE;
	struct wt_error *error = NULL;

	if (!wt_call_takes_state(call) ||
	    (!refused && (status != AMD_DBGAPI_STATUS_SUCCESS || !architecture_id)))
		return;
	/* A debugger asks for the same one again and again. */
	if (!refused && architecture_id->handle &&
	    architecture_id->handle == session->last_architecture &&
	    elf_amdgpu_machine == session->last_machine)
		return;
	if (!refused)
		error = wt_facts_take(recorder, architecture_id->handle);
	if (!error)
		error = add_pair(recorder, WT_FUNCTION_GET_ARCHITECTURE, 0, elf_amdgpu_machine,
				 refused ? 0 : architecture_id->handle);
	if (!wt_recorder_check(recorder, error) || refused)
		return;
	session->last_architecture = architecture_id->handle;
	session->last_machine = elf_amdgpu_machine;
}

static void after_dwarf(struct wt_call *call, amd_dbgapi_status_t status, uint64_t architecture,
			uint64_t number, const uint64_t *handle)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_error *error;

	if (!wt_call_takes_state(call) || status != AMD_DBGAPI_STATUS_SUCCESS || !handle)
		return;
	error = wt_facts_take(recorder, architecture);
	if (!error)
		error = add_pair(recorder, call->function, architecture, number, *handle);
	wt_recorder_check(recorder, error);
}

void wt_after_dwarf_register_to_register(struct wt_call *call, amd_dbgapi_status_t status,
					 amd_dbgapi_architecture_id_t architecture_id,
					 uint64_t dwarf_register,
					 const amd_dbgapi_register_id_t *register_id)
{
	after_dwarf(call, status, architecture_id.handle, dwarf_register,
		    register_id ? &register_id->handle : NULL);
}

void wt_after_dwarf_address_class_to_address_class(
	struct wt_call *call, amd_dbgapi_status_t status,
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_address_class,
	const amd_dbgapi_address_class_id_t *address_class_id)
{
	after_dwarf(call, status, architecture_id.handle, dwarf_address_class,
		    address_class_id ? &address_class_id->handle : NULL);
}

void wt_after_dwarf_address_space_to_address_space(
	struct wt_call *call, amd_dbgapi_status_t status,
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_address_space,
	const amd_dbgapi_address_space_id_t *address_space_id)
{
	after_dwarf(call, status, architecture_id.handle, dwarf_address_space,
		    address_space_id ? &address_space_id->handle : NULL);
}
