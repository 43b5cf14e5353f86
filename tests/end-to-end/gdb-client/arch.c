/* SPDX-License-Identifier: MIT */
/* Architectures as GDB sets them up, and its grammar of register types. */
#include "gdb.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

static struct gdb_arch arches[MAX_MACHINES];
static size_t arch_count;

/* Machine numbers in which GDB's object file library has architectures for amdgcn. */
#define FIRST_MACHINE 0x20u
#define LAST_MACHINE 0x5fu

/* ---- Types ---- */

#define IDENTIFIER "[A-Za-z0-9_.]+"
#define WS "[ \t]+"
#define WSOPT "[ \t]*"
#define MAX_TYPES 64

/* Names that one type string has defined: "flags32 x", "enum y". */
struct names {
	char names[MAX_TYPES][112];
	size_t count;
};

static bool find_name(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->names[i], name))
			return true;
	return false;
}

static bool matches(const char *pattern, const char *text, regmatch_t *found, size_t count)
{
	regex_t regex;
	int result;

	if (regcomp(&regex, pattern, REG_EXTENDED))
		return false;
	result = regexec(&regex, text, count, found, 0);
	regfree(&regex);
	return result == 0;
}

static void copy_match(const char *text, const regmatch_t *match, char *copy, size_t size)
{
	size_t length = (size_t)(match->rm_eo - match->rm_so);

	if (length >= size)
		length = size - 1;
	memcpy(copy, text + match->rm_so, length);
	copy[length] = 0;
}

/* A definition must be new, a mention must not. */
static bool note_name(struct names *names, const char *name, bool definition)
{
	bool known = find_name(names, name);

	if (definition == known)
		return false;
	if (!definition)
		return true;
	if (names->count == MAX_TYPES)
		return false;
	snprintf(names->names[names->count++], sizeof(names->names[0]), "%s", name);
	return true;
}

static size_t parse_type(const char *type, struct names *names);

static size_t parse_enum(const char *type, struct names *names)
{
	char name[96], tagged[112], *fields;
	regmatch_t found[4];
	size_t size = 4, length;
	bool good = true;

	if (!matches("^enum" WS "(" IDENTIFIER ")" WSOPT "(\\{" WSOPT "([^}]*)})?", type, found, 4))
		return 0;
	copy_match(type, &found[1], name, sizeof(name));
	snprintf(tagged, sizeof(tagged), "enum %s", name);
	if (!note_name(names, tagged, found[2].rm_so >= 0))
		return 0;
	if (found[2].rm_so < 0)
		return size;
	length = (size_t)(found[3].rm_eo - found[3].rm_so);
	fields = gdb_allocate(length + 1);
	copy_match(type, &found[3], fields, length + 1);
	for (const char *rest = fields; good && *rest; rest += found[0].rm_eo) {
		good = matches("^(" IDENTIFIER ")" WSOPT "=" WSOPT "([0-9]+)" WSOPT "(," WSOPT ")?",
			       rest, found, 4);
		if (good && strtoull(rest + found[2].rm_so, NULL, 10) > UINT32_MAX)
			size = 8;
	}
	free(fields);
	return good ? size : 0;
}

static bool parse_field(const char *rest, unsigned int bits, struct names *names, size_t *next_ret)
{
	regmatch_t found[6];
	char pattern[256], type[1024];
	unsigned long low, high;

	snprintf(pattern, sizeof(pattern),
		 "^(bool|uint%u_t|enum" WS IDENTIFIER WSOPT "(\\{[^}]*})?)" WS "(" IDENTIFIER
		 ")" WSOPT "@([0-9]+)(-[0-9]+)?" WSOPT ";" WSOPT,
		 bits);
	if (!matches(pattern, rest, found, 6))
		return false;
	*next_ret = (size_t)found[0].rm_eo;
	low = high = strtoul(rest + found[4].rm_so, NULL, 10);
	copy_match(rest, &found[1], type, sizeof(type));
	if (!strcmp(type, "bool"))
		return low < bits;
	if (found[5].rm_so < 0)
		return false;
	high = strtoul(rest + found[5].rm_so + 1, NULL, 10);
	return low <= high && high < bits && parse_type(type, names);
}

static size_t parse_flags(const char *type, struct names *names)
{
	char name[96], tagged[112], *fields;
	unsigned int bits = !strncmp(type, "flags64_t", 9) ? 64 : 32;
	regmatch_t found[5];
	size_t length, next = 0;
	bool good = true;

	if (!matches("^(flags32_t|flags64_t)" WS "(" IDENTIFIER ")" WSOPT "(\\{" WSOPT "(.*)})?",
		     type, found, 5))
		return 0;
	copy_match(type, &found[2], name, sizeof(name));
	snprintf(tagged, sizeof(tagged), "flags%u %s", bits, name);
	if (!note_name(names, tagged, found[3].rm_so >= 0))
		return 0;
	if (found[3].rm_so < 0)
		return bits / 8;
	length = (size_t)(found[4].rm_eo - found[4].rm_so);
	fields = gdb_allocate(length + 1);
	copy_match(type, &found[4], fields, length + 1);
	for (const char *rest = fields; good && *rest; rest += next)
		good = parse_field(rest, bits, names, &next);
	free(fields);
	return good ? bits / 8 : 0;
}

static size_t parse_vector(const char *type, const char *bracket, struct names *names)
{
	char element[256];
	unsigned long count = strtoul(bracket + 1, NULL, 10);
	size_t size = (size_t)(bracket - type);

	if (!strchr(bracket, ']') || size >= sizeof(element))
		return 0;
	memcpy(element, type, size);
	element[size] = 0;
	return parse_type(element, names) * count;
}

/* Size of a value; 0: GDB would give up on this text. */
static size_t parse_type(const char *type, struct names *names)
{
	static const struct {
		const char *name;
		size_t size;
	} scalars[] = {
		{"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8},    {"uint64_t", 8},
		{"float", 4},	{"double", 8},	 {"void (*)()", 8},
	};
	const char *bracket = strrchr(type, '[');

	if (bracket)
		return parse_vector(type, bracket, names);
	if (!strncmp(type, "flags32_t", 9) || !strncmp(type, "flags64_t", 9))
		return parse_flags(type, names);
	if (!strncmp(type, "enum", 4))
		return parse_enum(type, names);
	for (size_t i = 0; i < sizeof(scalars) / sizeof(*scalars); i++)
		if (!strcmp(scalars[i].name, type))
			return scalars[i].size;
	return 0;
}

size_t gdb_type_size(const char *type)
{
	struct names names = {.count = 0};

	return parse_type(type, &names);
}

size_t gdb_register_size(const struct gdb_arch *arch, size_t number)
{
	struct gdb_register *reg = &arch->registers[number];
	uint64_t size = 0;
	char *type;

	if (reg->size)
		return reg->size;
	gdb_check("register type",
		  amd_dbgapi_register_get_info(reg->id, AMD_DBGAPI_REGISTER_INFO_TYPE, sizeof(type),
					       &type));
	reg->size = gdb_type_size(type);
	if (!reg->size)
		printf("cannot parse type \"%s\" of register %s\n", type, reg->name);
	gdb_assert(reg->size != 0);
	free(type);
	gdb_check("register size",
		  amd_dbgapi_register_get_info(reg->id, AMD_DBGAPI_REGISTER_INFO_SIZE, sizeof(size),
					       &size));
	gdb_assert(size == reg->size);
	return reg->size;
}

/* ---- Architectures ---- */

#define ASK(arch, query, value)                                                                    \
	gdb_check(#query,                                                                          \
		  amd_dbgapi_architecture_get_info((arch)->id, query, sizeof(value), &(value)))

static void set_up_classes(struct gdb_arch *arch)
{
	gdb_check("register classes", amd_dbgapi_architecture_register_class_list(
					      arch->id, &arch->class_count, &arch->classes));
	arch->class_names = gdb_allocate(arch->class_count * sizeof(*arch->class_names));
	for (size_t i = 0; i < arch->class_count; i++) {
		gdb_check("class name",
			  amd_dbgapi_architecture_register_class_get_info(
				  arch->classes[i], AMD_DBGAPI_REGISTER_CLASS_INFO_NAME,
				  sizeof(char *), &arch->class_names[i]));
		for (size_t j = 0; j < i; j++)
			gdb_assert(strcmp(arch->class_names[i], arch->class_names[j]) != 0);
	}
}

static void set_up_registers(struct gdb_arch *arch)
{
	amd_dbgapi_register_id_t *ids;

	gdb_check("register list",
		  amd_dbgapi_architecture_register_list(arch->id, &arch->register_count, &ids));
	gdb_assert(arch->register_count > 0);
	arch->registers = gdb_allocate(arch->register_count * sizeof(*arch->registers));
	for (size_t i = 0; i < arch->register_count; i++) {
		struct gdb_register *reg = &arch->registers[i];
		amd_dbgapi_status_t status;
		uint64_t dwarf;

		reg->id = ids[i];
		gdb_check("register name",
			  amd_dbgapi_register_get_info(reg->id, AMD_DBGAPI_REGISTER_INFO_NAME,
						       sizeof(reg->name), &reg->name));
		status = amd_dbgapi_register_get_info(reg->id, AMD_DBGAPI_REGISTER_INFO_DWARF,
						      sizeof(dwarf), &dwarf);
		if (status != AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE)
			gdb_check("DWARF number", status);
		gdb_check("properties",
			  amd_dbgapi_register_get_info(reg->id, AMD_DBGAPI_REGISTER_INFO_PROPERTIES,
						       sizeof(reg->properties), &reg->properties));
	}
	free(ids);
}

static void set_up(struct gdb_arch *arch)
{
	amd_dbgapi_register_id_t pc;

	set_up_classes(arch);
	set_up_registers(arch);
	ASK(arch, AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER, pc);
	arch->pc = arch->register_count;
	for (size_t i = 0; i < arch->register_count; i++)
		if (arch->registers[i].id.handle == pc.handle)
			arch->pc = i;
	gdb_assert(arch->pc < arch->register_count);
	ASK(arch, AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE, arch->largest_instruction);
	ASK(arch, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE, arch->breakpoint_size);
	ASK(arch, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION, arch->breakpoint);
	ASK(arch, AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST, arch->pc_adjust);
	gdb_assert(arch->breakpoint_size > 0 && arch->breakpoint_size <= 16);
	gdb_assert(arch->largest_instruction <= 32);
}

static void show_arch(const struct gdb_arch *arch)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < arch->register_count; i++)
		hash = hash * 31 +
		       gdb_hash(arch->registers[i].name, strlen(arch->registers[i].name)) +
		       arch->registers[i].properties;
	printf("architecture 0x%x: %zu registers %016" PRIx64
	       ", %zu classes, pc %s, instruction %" PRIu64 ", breakpoint %" PRIu64
	       " adjust %" PRIu64 " %016" PRIx64 "\n",
	       arch->machine, arch->register_count, hash, arch->class_count,
	       arch->registers[arch->pc].name, arch->largest_instruction, arch->breakpoint_size,
	       arch->pc_adjust, gdb_hash(arch->breakpoint, arch->breakpoint_size));
}

const struct gdb_arch *gdb_arch_find(uint32_t machine)
{
	struct gdb_arch *arch = arches;

	while (arch < &arches[arch_count] && arch->machine != machine)
		arch++;
	if (arch < &arches[arch_count])
		return arch;
	gdb_assert(arch_count < MAX_MACHINES);
	*arch = (struct gdb_arch){.machine = machine};
	gdb_check("get_architecture", amd_dbgapi_get_architecture(machine, &arch->id));
	set_up(arch);
	show_arch(arch);
	arch_count++;
	return arch;
}

void gdb_arch_probe_all(void)
{
	amd_dbgapi_architecture_id_t id;
	uint32_t known[LAST_MACHINE - FIRST_MACHINE + 1];
	size_t count = 0;

	for (uint32_t machine = FIRST_MACHINE; machine <= LAST_MACHINE; machine++) {
		amd_dbgapi_status_t status = amd_dbgapi_get_architecture(machine, &id);

		if (status == AMD_DBGAPI_STATUS_SUCCESS)
			known[count++] = machine;
		else
			gdb_assert(status == AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE);
	}
	printf("architectures known: %zu:", count);
	for (size_t i = 0; i < count; i++)
		printf(" 0x%x", known[i]);
	printf("\n");
}

void gdb_arch_forget_all(void)
{
	for (size_t i = 0; i < arch_count; i++) {
		for (size_t j = 0; j < arches[i].register_count; j++)
			free(arches[i].registers[j].name);
		for (size_t j = 0; j < arches[i].class_count; j++)
			free(arches[i].class_names[j]);
		free(arches[i].registers);
		free(arches[i].class_names);
		free(arches[i].classes);
		free(arches[i].breakpoint);
	}
	arch_count = 0;
}
