/* SPDX-License-Identifier: MIT */
/* Disassembly and classification against what AMD's library answers (with LLVM 19 under it). */
#include "tests/unit/facts.h"

#include "base/error.h"
#include "dbgapi/architecture/instruction.h"

#define PROBE_ADDRESS UINT64_C(0x100000)
#define PROBED 29 /* architectures, with 38 probes each */

static struct wt_client client;
static struct wt_static provider;
static struct wt_disassemblers disassemblers;
/* The architecture that words are disassembled for. */
static amd_dbgapi_architecture_id_t current = {7};
static int live_allocations;

static void *allocate(size_t size)
{
	live_allocations++;
	return malloc(size);
}

static void deallocate(void *data)
{
	if (data)
		live_allocations--;
	free(data);
}

static int set_up(void **state)
{
	(void)state;
	client.initialized = true;
	client.callbacks.allocate_memory = allocate;
	client.callbacks.deallocate_memory = deallocate;
	provider = wt_static_init(&client);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	wt_disassemblers_deinit(&disassemblers);
	return 0;
}

/* Symbolizers: what the client may do with an address. */
static amd_dbgapi_status_t name_it(amd_dbgapi_symbolizer_id_t id,
				   amd_dbgapi_global_address_t address, char **text)
{
	char buffer[64];

	assert_ptr_equal(id, &client);
	snprintf(buffer, sizeof(buffer), "sym+%#llx", (unsigned long long)address);
	*text = allocate(strlen(buffer) + 1);
	strcpy(*text, buffer);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t not_found(amd_dbgapi_symbolizer_id_t id,
				     amd_dbgapi_global_address_t address, char **text)
{
	(void)id, (void)address, (void)text;
	return AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
}

static amd_dbgapi_status_t broken(amd_dbgapi_symbolizer_id_t id,
				  amd_dbgapi_global_address_t address, char **text)
{
	(void)id, (void)address, (void)text;
	return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
}

static amd_dbgapi_status_t without_text(amd_dbgapi_symbolizer_id_t id,
					amd_dbgapi_global_address_t address, char **text)
{
	(void)id, (void)address;
	*text = NULL;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t empty_text(amd_dbgapi_symbolizer_id_t id,
				      amd_dbgapi_global_address_t address, char **text)
{
	(void)id, (void)address;
	*text = allocate(1);
	**text = 0;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t disassemble(const uint8_t *bytes, amd_dbgapi_size_t *size, char **text,
				       wt_symbolizer symbolizer)
{
	return wt_static_disassemble_instruction(&provider, &disassemblers, current, PROBE_ADDRESS,
						 size, bytes, text,
						 (amd_dbgapi_symbolizer_id_t)&client, symbolizer);
}

static void select_architecture(const char *name)
{
	const struct gfx_architecture *a = gfx_architecture_by_name(name);

	assert_non_null(a);
	current.handle = a->id;
}

static bool expects_success(const json_t *line, const char *key)
{
	const char *status = fact_text(line, key);

	if (!strcmp(status, "SUCCESS"))
		return true;
	assert_string_equal(status, "ERROR_ILLEGAL_INSTRUCTION");
	return false;
}

static void check_text(const json_t *line, const uint8_t *bytes, size_t byte_count,
		       wt_symbolizer symbolizer, const char *expected)
{
	amd_dbgapi_size_t size = byte_count;
	char *text = NULL;

	assert_int_equal(disassemble(bytes, &size, &text, symbolizer), 0);
	assert_int_equal(size, fact_number(line, "size"));
	assert_string_equal(text, expected);
	deallocate(text);
}

static void check_disassembly(const json_t *line)
{
	uint8_t bytes[16];
	size_t count = fact_bytes(line, "bytes", bytes, sizeof(bytes));
	amd_dbgapi_size_t size = count;
	char *text = (char *)0x55;

	select_architecture(fact_text(line, "arch"));
	if (!expects_success(line, "status")) {
		assert_int_equal(disassemble(bytes, &size, &text, NULL),
				 AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION);
		assert_int_equal(disassemble(bytes, &size, NULL, NULL),
				 AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION);
		assert_ptr_equal(text, (char *)0x55);
		assert_int_equal(size, count);
		return;
	}
	check_text(line, bytes, count, NULL, fact_text(line, "text"));
	check_text(line, bytes, count, not_found, fact_text(line, "text"));
	check_text(line, bytes, count, name_it, fact_text(line, "text_sym"));
	assert_int_equal(disassemble(bytes, &size, NULL, broken), 0);
	assert_int_equal(size, fact_number(line, "size_only"));
}

static void test_disassembly(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_INSTRUCTIONS, "disasm", check_disassembly), PROBED * 38);
	assert_int_equal(live_allocations, 0);
}

static void test_bad_symbolizers(void **state)
{
	static const uint8_t branch[] = {0x04, 0x00, 0x82, 0xbf}, nop[] = {0, 0, 0x80, 0xbf};
	static const struct {
		wt_symbolizer symbolizer;
		amd_dbgapi_status_t status;
	} cases[] = {
		{broken, AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK},
		{without_text, AMD_DBGAPI_STATUS_ERROR},
		{empty_text, AMD_DBGAPI_STATUS_ERROR},
	};

	(void)state;
	select_architecture("gfx942");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		amd_dbgapi_size_t size = 8;
		char *text = (char *)0x55;

		assert_int_equal(disassemble(branch, &size, &text, cases[i].symbolizer),
				 cases[i].status);
		assert_ptr_equal(text, (char *)0x55);
		assert_int_equal(size, 8);
		size = sizeof(nop);
		assert_int_equal(disassemble(nop, &size, &text, cases[i].symbolizer), 0);
		deallocate(text);
	}
	assert_int_equal(live_allocations, 0);
}

/* The name of a register or an address or number, as the facts write it. */
static json_t *element(uint64_t value, bool is_register, bool is_trap)
{
	struct gfx_register reg;
	char text[32];

	if (is_register) {
		assert_true(
			gfx_register_by_id(gfx_architecture_by_id(current.handle), value, &reg));
		gfx_register_name(&reg, text);
		return json_string(text);
	}
	snprintf(text, sizeof(text), is_trap ? "%llu" : "%#llx", (unsigned long long)value);
	return json_string(text);
}

static void compare_information(const json_t *line, amd_dbgapi_instruction_kind_t kind,
				const uint64_t *information)
{
	const json_t *expected = json_object_get(line, "info");
	size_t count = json_array_size(expected);

	if (json_is_null(expected)) {
		assert_null(information);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		bool direct = kind == AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR;
		bool is_register = json_string_value(json_array_get(expected, i))[0] == 's';
		json_t *got = element(information[i], is_register,
				      kind == AMD_DBGAPI_INSTRUCTION_KIND_TRAP);

		assert_true(!direct || is_register == (i > 0));
		assert_string_equal(json_string_value(got),
				    json_string_value(json_array_get(expected, i)));
		json_decref(got);
	}
}

static void check_classification(const json_t *line)
{
	amd_dbgapi_instruction_kind_t kind = (amd_dbgapi_instruction_kind_t)99;
	amd_dbgapi_instruction_properties_t properties;
	uint8_t bytes[16];
	amd_dbgapi_size_t size = fact_bytes(line, "bytes", bytes, sizeof(bytes));
	void *information = NULL;
	amd_dbgapi_status_t status;

	select_architecture(fact_text(line, "arch"));
	status = wt_static_classify_instruction(&provider, &disassemblers, current, PROBE_ADDRESS,
						&size, bytes, &kind, &properties, &information);
	if (!expects_success(line, "status")) {
		assert_int_equal(status, AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION);
		assert_int_equal(kind, 99);
		return;
	}
	assert_int_equal(status, 0);
	assert_int_equal(kind, fact_number(line, "ikind"));
	assert_int_equal(size, fact_number(line, "size"));
	assert_int_equal(properties, fact_number(line, "properties"));
	compare_information(line, kind, information);
	deallocate(information);
}

static void test_classification(void **state)
{
	(void)state;
	assert_int_equal(each_fact(WT_INSTRUCTIONS, "classify", check_classification), PROBED * 38);
	assert_int_equal(live_allocations, 0);
}

static void test_create(void **state)
{
	const struct gfx_architecture *as = NULL;
	struct wt_disassembler *disassembler = NULL;
	struct wt_error *error =
		wt_disassembler_create(gfx_architecture_by_name("gfx942"), &as, &disassembler);

	(void)state;
	assert_null(error);
	assert_string_equal(as->name, "gfx942");
	wt_disassembler_destroy(disassembler);
	wt_disassembler_destroy(NULL);
}

/* One that LLVM here is too old for: decoded as one alike, or refused; LLVM would end the process. */
static void test_newer_than_llvm(void **state)
{
	struct gfx_architecture newer = *gfx_architecture_by_name("gfx950");
	struct gfx_architecture gone = *gfx_architecture_by_name("gfx940");
	const struct gfx_architecture *as = NULL;
	struct wt_disassembler *disassembler = NULL;
	struct wt_error *error;

	(void)state;
	newer.llvm = 1000;
	assert_null(wt_disassembler_create(&newer, &as, &disassembler));
	assert_string_equal(as->name, "gfx942");
	wt_disassembler_destroy(disassembler);
	/* Nor is one asked for that newer ones have lost. */
	gone.llvm_last = 1;
	assert_null(wt_disassembler_create(&gone, &as, &disassembler));
	assert_string_equal(as->name, "gfx942");
	wt_disassembler_destroy(disassembler);
	newer.alike = NULL;
	error = wt_disassembler_create(&newer, &as, &disassembler);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_UNSUPPORTED);
	wt_error_destroy(error);
}

/* A short read must not be decoded from what stands behind it. */
static void test_truncated(void **state)
{
	static const uint8_t load[] = {0x02, 0x00, 0x06, 0xc0, 0, 0, 0, 0};
	struct wt_disassembled result;
	struct wt_disassembler *disassembler =
		wt_disassemblers_get(&disassemblers, gfx_architecture_by_id(7), NULL);

	(void)state;
	assert_non_null(disassembler);
	assert_true(wt_disassembler_decode(disassembler, 0, load, 8, &result));
	assert_int_equal(result.size, 8);
	for (size_t size = 1; size < 8; size++)
		assert_false(wt_disassembler_decode(disassembler, 0, load, size, &result));
}

/* The kind that a mnemonic stands for; where the operands decide, the classification must have
 * looked. */
static bool kind_fits(const char *text, const struct gfx_classification *c)
{
	static const struct {
		const char *mnemonic;
		enum gfx_instruction_kind kind, or_kind;
	} table[] = {
		{"s_branch ", GFX_INSTRUCTION_DIRECT_BRANCH, GFX_INSTRUCTION_DIRECT_BRANCH},
		{"s_cbranch_join", GFX_INSTRUCTION_SPECIAL, GFX_INSTRUCTION_SPECIAL},
		{"s_cbranch_g_fork", GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_UNKNOWN},
		{"s_cbranch_i_fork", GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_UNKNOWN},
		{"s_cbranch_", GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL},
		{"s_setpc_b64", GFX_INSTRUCTION_INDIRECT_BRANCH, GFX_INSTRUCTION_UNKNOWN},
		{"s_swappc_b64", GFX_INSTRUCTION_INDIRECT_CALL, GFX_INSTRUCTION_UNKNOWN},
		{"s_call_b64", GFX_INSTRUCTION_DIRECT_CALL, GFX_INSTRUCTION_UNKNOWN},
		{"s_subvector_loop_", GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL,
		 GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL},
		{"s_code_end", GFX_INSTRUCTION_UNKNOWN, GFX_INSTRUCTION_UNKNOWN},
		{"s_endpgm_", GFX_INSTRUCTION_SEQUENTIAL, GFX_INSTRUCTION_SEQUENTIAL},
		{"s_endpgm", GFX_INSTRUCTION_TERMINATE, GFX_INSTRUCTION_TERMINATE},
		{"s_trap ", GFX_INSTRUCTION_TRAP, GFX_INSTRUCTION_TRAP},
		{"s_sethalt ", GFX_INSTRUCTION_SEQUENTIAL, GFX_INSTRUCTION_HALT},
		{"s_barrier_wait ", GFX_INSTRUCTION_BARRIER, GFX_INSTRUCTION_BARRIER},
		{"s_barrier_", GFX_INSTRUCTION_SEQUENTIAL, GFX_INSTRUCTION_SEQUENTIAL},
		{"s_barrier", GFX_INSTRUCTION_BARRIER, GFX_INSTRUCTION_BARRIER},
		{"s_sleep ", GFX_INSTRUCTION_SLEEP, GFX_INSTRUCTION_SLEEP},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strncmp(text, table[i].mnemonic, strlen(table[i].mnemonic)))
			return c->kind == table[i].kind || c->kind == table[i].or_kind;
	return c->kind == GFX_INSTRUCTION_SEQUENTIAL;
}

/* One word: what it does to the control flow, decoded by us, against how LLVM prints it. */
static void compare_word(struct wt_disassembler *disassembler, uint32_t word)
{
	const uint32_t words[2] = {word, 0};
	struct gfx_classification c;
	struct wt_disassembled result;
	bool has_target;

	if (!wt_disassembler_decode(disassembler, PROBE_ADDRESS, words, sizeof(words), &result))
		return;
	gfx_classify(gfx_architecture_by_id(current.handle), PROBE_ADDRESS, words, 2, &c);
	if (!kind_fits(result.text, &c))
		fail_msg("%s: %08x %s: kind %d", gfx_architecture_by_id(current.handle)->name, word,
			 result.text, (int)c.kind);
	/* A target is counted from the end of a single word. */
	if (c.target && result.size != 4)
		fail_msg("%08x %s: %zu bytes", word, result.text, result.size);
	has_target = word >> 23 == 0x17f && c.target;
	if (result.has_target != has_target || (has_target && result.target != c.target))
		fail_msg("%08x %s: target %#llx", word, result.text,
			 (unsigned long long)result.target);
}

static void check_every_opcode(const char *name)
{
	static const uint32_t low_halves[] = {0x0000, 0x0001, 0x8004, 0xffff,
					      0x7fff, 0x1e04, 0x1d1e};
	struct wt_disassembler *disassembler;

	select_architecture(name);
	disassembler =
		wt_disassemblers_get(&disassemblers, gfx_architecture_by_id(current.handle), NULL);
	assert_non_null(disassembler);
	for (uint32_t high = 0; high < 0x10000; high++)
		for (size_t i = 0; i < sizeof(low_halves) / sizeof(low_halves[0]); i++)
			compare_word(disassembler, high << 16 | low_halves[i]);
	/* SOP1 has its opcode in the low half. */
	for (uint32_t low = 0; low < 0x10000; low++)
		compare_word(disassembler, 0xbe9e0000 | low);
}

/* The classification goes by generation: one architecture of each. */
static void test_every_opcode(void **state)
{
	static const char *const names[] = {"gfx942", "gfx1030", "gfx1100", "gfx1201"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_every_opcode(names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disassembly),	cmocka_unit_test(test_bad_symbolizers),
		cmocka_unit_test(test_classification),	cmocka_unit_test(test_create),
		cmocka_unit_test(test_newer_than_llvm), cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_every_opcode),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
