/* SPDX-License-Identifier: MIT */
/* Architectures, registers, address spaces and classes, as the API answers: against the facts. */
#include "tests/unit/facts.h"

#include "dbgapi/architecture/static-info.h"

static struct wt_client client;
static struct wt_static provider;
static const amd_dbgapi_architecture_id_t gfx942 = {7}, none = {0}, bad = {99};
static const amd_dbgapi_wave_id_t no_wave = {0};

#define ARCHITECTURES 30

/* The architecture that the line at hand is about. */
static amd_dbgapi_architecture_id_t current;

static void select_architecture(const json_t *line)
{
	const struct gfx_architecture *a = gfx_architecture_by_name(fact_text(line, "arch"));

	assert_non_null(a);
	current.handle = a->id;
}

static void *allocate(size_t size)
{
	return malloc(size);
}

static int set_up(void **state)
{
	(void)state;
	client.initialized = true;
	client.callbacks.allocate_memory = allocate;
	client.callbacks.deallocate_memory = free;
	provider = wt_static_init(&client);
	return 0;
}

/* Compare text that the client has got, and give it back. */
static void check_string(amd_dbgapi_status_t status, char **text, const char *expected)
{
	assert_int_equal(status, 0);
	assert_string_equal(*text, expected);
	free(*text);
}

static void architecture_string(amd_dbgapi_architecture_info_t query, const char *expected)
{
	char *text = NULL;

	check_string(
		wt_static_architecture_get_info(&provider, current, query, sizeof(text), &text),
		&text, expected);
}

static uint64_t architecture_number(amd_dbgapi_architecture_info_t query)
{
	uint64_t value = 0;

	assert_int_equal(
		wt_static_architecture_get_info(&provider, current, query, sizeof(value), &value),
		0);
	return value;
}

static void check_architecture(const json_t *line)
{
	amd_dbgapi_register_id_t pc = {
		architecture_number(AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER)};
	amd_dbgapi_architecture_id_t id = {0};
	uint8_t expected[8], *breakpoint = NULL;
	size_t size = fact_bytes(line, "breakpoint", expected, sizeof(expected));
	uint32_t machine = 0;
	char *name = NULL;

	architecture_string(AMD_DBGAPI_ARCHITECTURE_INFO_NAME, fact_text(line, "arch"));
	assert_int_equal(
		wt_static_architecture_get_info(&provider, current, 2, sizeof(machine), &machine),
		0);
	assert_int_equal(machine, fact_hex(line, "elf_machine"));
	assert_int_equal(architecture_number(3), fact_number(line, "largest_instruction"));
	assert_int_equal(architecture_number(4), fact_number(line, "alignment"));
	assert_int_equal(architecture_number(5), fact_number(line, "breakpoint_size"));
	assert_int_equal(architecture_number(7), fact_number(line, "pc_adjust"));
	assert_int_equal(wt_static_architecture_get_info(&provider, current, 6, sizeof(breakpoint),
							 &breakpoint),
			 0);
	assert_memory_equal(breakpoint, expected, size);
	free(breakpoint);
	check_string(wt_static_register_get_info(&provider, pc, AMD_DBGAPI_REGISTER_INFO_NAME,
						 sizeof(name), &name),
		     &name, fact_text(line, "pc_register"));
	assert_int_equal(wt_static_get_architecture(&provider, machine, &id), 0);
	check_fact_id(line, 0, id.handle);
	assert_int_equal(id.handle, current.handle);
}

static void check_register_class(const json_t *line)
{
	amd_dbgapi_register_class_id_t *classes = NULL;
	amd_dbgapi_architecture_id_t owner = {0};
	size_t count = 0, index = fact_number(line, "index");
	char *name = NULL;

	assert_int_equal(wt_static_register_class_list(&provider, current, &count, &classes), 0);
	assert_int_equal(count, 5);
	check_fact_id(line, 0, classes[index].handle);
	check_string(wt_static_register_class_get_info(&provider, classes[index], 2, sizeof(name),
						       &name),
		     &name, fact_text(line, "name"));
	assert_int_equal(wt_static_register_class_get_info(&provider, classes[index], 1,
							   sizeof(owner), &owner),
			 0);
	assert_int_equal(owner.handle, current.handle);
	free(classes);
}

static void check_membership(const json_t *line, amd_dbgapi_register_id_t id)
{
	amd_dbgapi_register_class_id_t *classes = NULL;
	const json_t *names = json_object_get(line, "classes");
	size_t count = 0, members = 0;

	assert_int_equal(wt_static_register_class_list(&provider, current, &count, &classes), 0);
	for (size_t i = 0; i < count; i++) {
		amd_dbgapi_register_class_state_t member;
		bool listed = false;
		char *name = NULL;

		assert_int_equal(wt_static_register_class_get_info(&provider, classes[i], 2,
								   sizeof(name), &name),
				 0);
		for (size_t j = 0; j < json_array_size(names); j++)
			listed |= !strcmp(json_string_value(json_array_get(names, j)), name);
		assert_int_equal(
			wt_static_register_is_in_register_class(&provider, classes[i], id, &member),
			0);
		assert_int_equal(member, listed);
		members += listed;
		free(name);
	}
	assert_int_equal(members, json_array_size(names));
	free(classes);
}

static void check_registers(const json_t *line)
{
	amd_dbgapi_register_id_t *registers = NULL, id, by_dwarf;
	const json_t *dwarf = json_object_get(line, "dwarf");
	uint64_t size = 0, number = 0;
	uint32_t properties = 99;
	size_t count = 0;
	char *text = NULL;

	assert_int_equal(wt_static_register_list(&provider, current, &count, &registers), 0);
	id = registers[fact_number(line, "index")];
	free(registers);
	check_fact_id(line, 0, id.handle);
	check_string(wt_static_register_get_info(&provider, id, 2, sizeof(text), &text), &text,
		     fact_text(line, "name"));
	assert_int_equal(wt_static_register_get_info(&provider, id, 3, sizeof(size), &size), 0);
	assert_int_equal(size, fact_number(line, "size"));
	check_string(wt_static_register_get_info(&provider, id, 4, sizeof(text), &text), &text,
		     fact_text(line, "type"));
	if (json_is_integer(dwarf)) {
		assert_int_equal(wt_static_register_get_info(&provider, id, 5, 8, &number), 0);
		assert_int_equal(number, json_integer_value(dwarf));
		assert_int_equal(
			wt_static_dwarf_register_to_register(&provider, current, number, &by_dwarf),
			0);
		assert_int_equal(by_dwarf.handle, id.handle);
	} else {
		/* Not being available comes before a wrong size. */
		assert_int_equal(wt_static_register_get_info(&provider, id, 5, 1, &number),
				 AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE);
	}
	assert_int_equal(wt_static_register_get_info(&provider, id, 6, 4, &properties), 0);
	assert_int_equal(properties, fact_number(line, "properties"));
	check_membership(line, id);
}

static void check_register_count(const json_t *line)
{
	amd_dbgapi_register_id_t *registers = NULL;
	size_t count = 0;

	assert_int_equal(wt_static_register_list(&provider, current, &count, &registers), 0);
	assert_int_equal(count, fact_number(line, "count"));
	free(registers);
}

static amd_dbgapi_address_space_id_t space_named(const char *name)
{
	amd_dbgapi_address_space_id_t *spaces = NULL, found = {0};
	size_t count = 0;

	assert_int_equal(wt_static_address_space_list(&provider, current, &count, &spaces), 0);
	for (size_t i = 0; i < count; i++) {
		char *text = NULL;

		assert_int_equal(wt_static_address_space_get_info(&provider, spaces[i], 1,
								  sizeof(text), &text),
				 0);
		if (!strcmp(text, name))
			found = spaces[i];
		free(text);
	}
	free(spaces);
	assert_int_not_equal(found.handle, 0);
	return found;
}

static amd_dbgapi_address_class_id_t class_named(const char *name)
{
	amd_dbgapi_address_class_id_t *classes = NULL, found = {0};
	size_t count = 0;

	assert_int_equal(wt_static_address_class_list(&provider, current, &count, &classes), 0);
	for (size_t i = 0; i < count; i++) {
		char *text = NULL;

		assert_int_equal(wt_static_address_class_get_info(&provider, classes[i], 1,
								  sizeof(text), &text),
				 0);
		if (!strcmp(text, name))
			found = classes[i];
		free(text);
	}
	free(classes);
	assert_int_not_equal(found.handle, 0);
	return found;
}

static uint64_t space_number(amd_dbgapi_address_space_id_t id,
			     amd_dbgapi_address_space_info_t query, size_t size)
{
	uint64_t value = 0;

	assert_int_equal(wt_static_address_space_get_info(&provider, id, query, size, &value), 0);
	return value;
}

static void check_address_space(const json_t *line)
{
	amd_dbgapi_address_space_id_t id = space_named(fact_text(line, "name"));
	json_t *dependencies = json_object_get(line, "dependency");
	const char *address;
	json_t *expected;

	check_fact_id(line, 0, id.handle);
	assert_int_equal(space_number(id, 2, 8), fact_number(line, "address_size"));
	assert_int_equal(space_number(id, 3, 8), fact_hex(line, "null"));
	assert_int_equal(space_number(id, 4, 4), fact_number(line, "access"));
	assert_int_equal(space_number(id, 5, 8), fact_number(line, "dwarf"));
	assert_true(json_object_size(dependencies) >= 8);
	json_object_foreach(dependencies, address, expected)
	{
		amd_dbgapi_segment_address_dependency_t dependency;

		assert_int_equal(wt_static_address_dependency(
					 &provider, id, strtoull(address, NULL, 16), &dependency),
				 0);
		assert_int_equal(dependency, json_integer_value(expected));
	}
}

static void check_address_class(const json_t *line)
{
	amd_dbgapi_address_class_id_t id = class_named(fact_text(line, "name"));
	amd_dbgapi_address_space_id_t space = {0};
	uint64_t dwarf = 99;

	check_fact_id(line, 0, id.handle);
	assert_int_equal(wt_static_address_class_get_info(&provider, id, 2, sizeof(space), &space),
			 0);
	assert_int_equal(space.handle, space_named(fact_text(line, "space")).handle);
	assert_int_equal(wt_static_address_class_get_info(&provider, id, 3, sizeof(dwarf), &dwarf),
			 0);
	assert_int_equal(dwarf, fact_number(line, "dwarf"));
}

static uint64_t dwarf_spaces_seen[ARCHITECTURES + 1], dwarf_classes_seen[ARCHITECTURES + 1];

static void check_dwarf_space(const json_t *line)
{
	amd_dbgapi_address_space_id_t id = {0};
	uint64_t dwarf = fact_number(line, "dwarf");

	assert_int_equal(
		wt_static_dwarf_address_space_to_address_space(&provider, current, dwarf, &id), 0);
	assert_int_equal(id.handle, space_named(fact_text(line, "name")).handle);
	dwarf_spaces_seen[current.handle] |= UINT64_C(1) << dwarf;
}

static void check_dwarf_class(const json_t *line)
{
	amd_dbgapi_address_class_id_t id = {0};
	uint64_t dwarf = fact_number(line, "dwarf");

	assert_int_equal(
		wt_static_dwarf_address_class_to_address_class(&provider, current, dwarf, &id), 0);
	assert_int_equal(id.handle, class_named(fact_text(line, "name")).handle);
	dwarf_classes_seen[current.handle] |= UINT64_C(1) << dwarf;
}

/* The number of a status whose name the facts give; only those that occur here. */
static amd_dbgapi_status_t status_named(const char *name)
{
	static const struct {
		const char *name;
		amd_dbgapi_status_t status;
	} names[] = {
		{"SUCCESS", AMD_DBGAPI_STATUS_SUCCESS},
		{"ERROR_NOT_INITIALIZED", AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED},
		{"ERROR_INVALID_ARGUMENT", AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT},
		{"ERROR_INVALID_ARGUMENT_COMPATIBILITY",
		 AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY},
		{"ERROR_INVALID_ARCHITECTURE_ID", AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID},
		{"ERROR_INVALID_ELF_AMDGPU_MACHINE",
		 AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE},
		{"ERROR_INVALID_REGISTER_ID", AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID},
		{"ERROR_INVALID_REGISTER_CLASS_ID",
		 AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_CLASS_ID},
		{"ERROR_INVALID_ADDRESS_SPACE_ID",
		 AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID},
		{"ERROR_INVALID_ADDRESS_CLASS_ID",
		 AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID},
		{"ERROR_INVALID_WAVE_ID", AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return names[i].status;
	fail_msg("unknown status %s", name);
	return AMD_DBGAPI_STATUS_FATAL;
}

/* The facts were asked at this address. */
#define CONVERTED UINT64_C(0x1000)

static void check_convert(const json_t *line)
{
	amd_dbgapi_status_t expected = status_named(fact_text(line, "status"));
	uint64_t address = 77, bytes = 88;

	assert_int_equal(wt_static_convert_address_space(
				 &provider, NULL, no_wave, AMD_DBGAPI_LANE_NONE,
				 space_named(fact_text(line, "from")), CONVERTED,
				 space_named(fact_text(line, "to")), &address, &bytes),
			 expected);
	assert_int_equal(address, expected ? 77 : fact_hex(line, "address"));
	assert_int_equal(bytes, expected ? 88 : fact_hex(line, "contiguous"));
}

static void check_in_class(const json_t *line)
{
	amd_dbgapi_status_t expected = status_named(fact_text(line, "status"));
	amd_dbgapi_address_class_state_t member = 77;

	assert_int_equal(wt_static_address_is_in_address_class(
				 &provider, NULL, no_wave, AMD_DBGAPI_LANE_NONE,
				 space_named(fact_text(line, "space")), CONVERTED,
				 class_named(fact_text(line, "class")), &member),
			 expected);
	assert_int_equal(member, expected ? 77 : fact_number(line, "state"));
}

/* The check that is on, for lines of one architecture after the other. */
static void (*checking)(const json_t *line);

static void select_and_check(const json_t *line)
{
	select_architecture(line);
	checking(line);
}

static size_t each(const char *kind, void (*check)(const json_t *line))
{
	checking = check;
	return each_fact(WT_FACTS, kind, select_and_check);
}

static void test_facts(void **state)
{
	(void)state;
	assert_int_equal(each("architecture", check_architecture), ARCHITECTURES);
	assert_int_equal(each("register_class", check_register_class), ARCHITECTURES * 5);
	assert_int_equal(each("registers", check_registers), 514);
	assert_int_equal(each("register_count", check_register_count), ARCHITECTURES);
	assert_int_equal(each("address_space", check_address_space), ARCHITECTURES * 5);
	assert_int_equal(each("address_class", check_address_class), ARCHITECTURES * 5);
	assert_int_equal(each("dwarf_address_space", check_dwarf_space), ARCHITECTURES * 5);
	assert_int_equal(each("dwarf_address_class", check_dwarf_class), ARCHITECTURES * 5);
	/* Level 0.80 converts no generic address without a wave: of three that only it knows there is no line of that. */
	assert_int_equal(each("convert_no_wave", check_convert), ARCHITECTURES * 25 - 3);
	assert_int_equal(each("in_class_no_wave", check_in_class), ARCHITECTURES * 25);
}

/* DWARF numbers that stand for no space or class; those that do are in the facts. */
static void test_unknown_dwarf_numbers(void **state)
{
	uint64_t ignored;

	(void)state;
	for (uint64_t id = 1; id <= ARCHITECTURES; id++) {
		amd_dbgapi_architecture_id_t a = {id};

		for (uint64_t i = 0; i < 64; i++) {
			if (!(dwarf_spaces_seen[id] >> i & 1))
				assert_int_equal(
					wt_static_dwarf_address_space_to_address_space(
						&provider, a, i, (void *)&ignored),
					AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
			if (!(dwarf_classes_seen[id] >> i & 1))
				assert_int_equal(
					wt_static_dwarf_address_class_to_address_class(
						&provider, a, i, (void *)&ignored),
					AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
		}
		assert_int_equal(dwarf_spaces_seen[id], 0x6b);
		assert_int_equal(dwarf_classes_seen[id], 0x1f);
	}
}

/* Calls with errors, by the names that the facts give them. */
static uint64_t out[4];
static amd_dbgapi_register_id_t *register_list;

static int get_architecture(uint32_t machine, void *result)
{
	return wt_static_get_architecture(&provider, machine, result);
}

static int architecture_info(amd_dbgapi_architecture_id_t id, int query, size_t size, void *value)
{
	return wt_static_architecture_get_info(&provider, id, (amd_dbgapi_architecture_info_t)query,
					       size, value);
}

static int register_info(uint64_t id, int query, size_t size, void *value)
{
	return wt_static_register_get_info(&provider, (amd_dbgapi_register_id_t){id},
					   (amd_dbgapi_register_info_t)query, size, value);
}

#define PC UINT64_C(0x700000522)
#define BAD_REGISTER UINT64_C(0x7000fffff)

static int run(const char *call)
{
#define CALL(name, expression)                                                                     \
	if (!strcmp(call, name))                                                                   \
		return (int)(expression);
	CALL("get_architecture", get_architecture(0x4c, out))
	CALL("get_architecture(NULL)", get_architecture(0x4c, NULL))
	CALL("get_architecture(0)", get_architecture(0, out))
	CALL("get_architecture(x,NULL)", get_architecture(0x4c, NULL))
	CALL("get_architecture(0,NULL)", get_architecture(0, NULL))
	CALL("architecture_get_info(bad)", architecture_info(bad, 3, 8, out))
	CALL("architecture_get_info(none)", architecture_info(none, 3, 8, out))
	CALL("architecture_get_info(size 4 for u64)", architecture_info(gfx942, 3, 4, out))
	CALL("architecture_get_info(size 16 for u64)", architecture_info(gfx942, 3, 16, out))
	CALL("architecture_get_info(value NULL)", architecture_info(gfx942, 3, 8, NULL))
	CALL("architecture_get_info(value NULL, size 4)", architecture_info(gfx942, 3, 4, NULL))
	CALL("architecture_get_info(query 0)", architecture_info(gfx942, 0, 8, out))
	CALL("architecture_get_info(query 99, value NULL)", architecture_info(gfx942, 99, 8, NULL))
	CALL("architecture_get_info(bad arch, query 99)", architecture_info(bad, 99, 8, out))
	CALL("register_list(bad arch)",
	     wt_static_register_list(&provider, bad, out, &register_list))
	CALL("register_list(bad arch, NULL)", wt_static_register_list(&provider, bad, NULL, NULL))
	CALL("register_list(count NULL)",
	     wt_static_register_list(&provider, gfx942, NULL, &register_list))
	CALL("register_get_info(bad)", register_info(BAD_REGISTER, 3, 8, out))
	CALL("register_get_info(none)", register_info(0, 3, 8, out))
	CALL("register_get_info(pc, value NULL, query 99)", register_info(PC, 99, 8, NULL))
	CALL("register_get_info(pc, query 99)", register_info(PC, 99, 8, out))
	CALL("register_get_info(pc, size 4)", register_info(PC, 3, 4, out))
	CALL("register_is_in_register_class(bad class, bad reg)",
	     wt_static_register_is_in_register_class(
		     &provider, (amd_dbgapi_register_class_id_t){999},
		     (amd_dbgapi_register_id_t){BAD_REGISTER}, (void *)out))
	CALL("dwarf_register_to_register(unknown number)",
	     wt_static_dwarf_register_to_register(&provider, gfx942, 99999, (void *)out))
	CALL("dwarf_register_to_register(bad arch)",
	     wt_static_dwarf_register_to_register(&provider, bad, 16, (void *)out))
	CALL("dwarf_register_to_register(NULL)",
	     wt_static_dwarf_register_to_register(&provider, gfx942, 16, NULL))
	CALL("address_space_get_info(bad)",
	     wt_static_address_space_get_info(&provider, (amd_dbgapi_address_space_id_t){999}, 2, 8,
					      out))
	CALL("address_class_get_info(bad)",
	     wt_static_address_class_get_info(&provider, (amd_dbgapi_address_class_id_t){999}, 3, 8,
					      out))
#undef CALL
	return INT32_MIN; /* of another part of the API */
}

static size_t errors_checked;

static void check_error(const json_t *line)
{
	const char *call = fact_text(line, "call");
	int status;

	client.initialized = !strcmp(fact_text(line, "phase"), "initialized");
	memset(out, 0xaa, sizeof(out));
	status = run(call);
	client.initialized = true;
	if (status == INT32_MIN)
		return;
	errors_checked++;
	if (status != status_named(fact_text(line, "status")))
		fail_msg("%s %s: status %d", fact_text(line, "phase"), call, status);
	if (status)
		for (size_t i = 0; i < sizeof(out); i++)
			assert_int_equal(((uint8_t *)out)[i], 0xaa);
}

static void test_errors(void **state)
{
	(void)state;
	each_fact(WT_ERROR_FACTS, "error", check_error);
	assert_int_equal(errors_checked, 29);
}

/* With a second architecture of other ids, what belongs to the other one is told apart. */
static void test_two_architectures(void **state)
{
	static const struct gfx_register_class_info classes[GFX_CLASS_COUNT] = {
		{901, "general"}, {902, "system"}, {903, "trap"}, {904, "vector"}, {905, "scalar"}};
	struct gfx_architecture other = *gfx_architecture_by_id(7);
	const struct gfx_architecture *const list[] = {gfx_architecture_by_id(7), &other};
	const struct wt_static two = {&client, list, 2};
	amd_dbgapi_register_class_state_t member;
	char *name = NULL;

	(void)state;
	other.id = 40;
	other.name = "gfxnew";
	other.classes = classes;
	check_string(wt_static_architecture_get_info(&two, (amd_dbgapi_architecture_id_t){40}, 1,
						     sizeof(name), &name),
		     &name, "gfxnew");
	assert_int_equal(
		wt_static_register_is_in_register_class(&two, (amd_dbgapi_register_class_id_t){901},
							(amd_dbgapi_register_id_t){PC}, &member),
		AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY);
	assert_int_equal(wt_static_register_is_in_register_class(
				 &two, (amd_dbgapi_register_class_id_t){901},
				 (amd_dbgapi_register_id_t){UINT64_C(40) << 32 | 0x522}, &member),
			 0);
	assert_int_equal(member, AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_unknown_dwarf_numbers),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_two_architectures),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
