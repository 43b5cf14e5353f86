/* SPDX-License-Identifier: MIT */
#include "dbgapi/architecture/instruction.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* The most words of an instruction that matter to the control flow. */
#define MAX_WORDS 3

void wt_disassemblers_deinit(struct wt_disassemblers *disassemblers)
{
	for (size_t i = 0; i < disassemblers->count; i++)
		wt_disassembler_destroy(disassemblers->entries[i].disassembler);
	memset(disassemblers, 0, sizeof(*disassemblers));
}

struct wt_disassembler *wt_disassemblers_get(struct wt_disassemblers *disassemblers,
					     const struct gfx_architecture *architecture,
					     const struct wt_client *client)
{
	wt_cleanup_error struct wt_error *error = NULL;
	const struct gfx_architecture *as = architecture;
	struct wt_disassembler *disassembler = NULL;
	size_t count = disassemblers->count;

	for (size_t i = 0; i < count; i++)
		if (disassemblers->entries[i].architecture == architecture)
			return disassemblers->entries[i].disassembler;
	if (count == WT_DISASSEMBLERS)
		return NULL;
	error = wt_disassembler_create(architecture, &as, &disassembler);
	if (as != architecture && client)
		wt_client_log(client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "%s is newer than the LLVM here: its instructions are decoded as "
			      "those of %s",
			      architecture->name, as->name);
	if (error && client)
		wt_client_log(client, AMD_DBGAPI_LOG_LEVEL_WARNING, "%s: %s: %s", error->what,
			      error->where, error->why);
	disassemblers->entries[count].architecture = architecture;
	disassemblers->entries[count].disassembler = disassembler;
	disassemblers->count++;
	return disassembler;
}

/* Makes the text to write after "# " for an address, malloc'd: the symbolizer's text or the number. */
static amd_dbgapi_status_t target_symbolize(const struct wt_client *client, uint64_t target,
					    amd_dbgapi_symbolizer_id_t symbolizer_id,
					    wt_symbolizer symbolizer, char **symbol_ret)
{
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND;
	char *given = NULL, *symbol = NULL;

	if (symbolizer)
		status = symbolizer(symbolizer_id, target, &given);
	if (status == AMD_DBGAPI_STATUS_SUCCESS) {
		if (given && *given)
			symbol = strdup(given);
		/* The client allocated the text; the library is the one to give it back. */
		if (given)
			client->callbacks.deallocate_memory(given);
	} else if (status != AMD_DBGAPI_STATUS_ERROR_SYMBOL_NOT_FOUND) {
		return AMD_DBGAPI_STATUS_ERROR_CLIENT_CALLBACK;
	} else if (asprintf(&symbol, "%#" PRIx64, target) < 0) {
		symbol = NULL;
	}
	if (!symbol)
		return AMD_DBGAPI_STATUS_ERROR;
	*symbol_ret = symbol;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_instruction_annotate(const struct wt_client *client, const char *text,
					    const uint64_t *target,
					    amd_dbgapi_symbolizer_id_t symbolizer_id,
					    wt_symbolizer symbolizer, char **text_ret)
{
	wt_cleanup_free char *symbol = NULL, *whole = NULL;
	amd_dbgapi_status_t status;
	int length;

	if (target) {
		status = target_symbolize(client, *target, symbolizer_id, symbolizer, &symbol);
		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return status;
	}
	length = asprintf(&whole, "%s%s%s", text, symbol ? "  # " : "", symbol ? symbol : "");
	if (length < 0) {
		whole = NULL;
		return AMD_DBGAPI_STATUS_ERROR;
	}
	return wt_client_return_memory(client, sizeof(*text_ret), text_ret, whole,
				       (size_t)length + 1);
}

/* The checks that both functions begin with, in order. */
static amd_dbgapi_status_t instruction_check(const struct wt_static *provider,
					     amd_dbgapi_architecture_id_t architecture_id,
					     uint64_t address, const amd_dbgapi_size_t *size,
					     const void *memory,
					     const struct gfx_architecture **architecture_ret)
{
	const struct gfx_architecture *architecture;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!memory || !size || !*size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	architecture = wt_static_architecture(provider, architecture_id);
	if (!architecture)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	if (address % architecture->alignment)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*architecture_ret = architecture;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t instruction_decode(const struct wt_static *provider,
					      struct wt_disassemblers *disassemblers,
					      const struct gfx_architecture *architecture,
					      uint64_t address, const void *memory, size_t size,
					      struct wt_disassembled *result)
{
	struct wt_disassembler *disassembler =
		wt_disassemblers_get(disassemblers, architecture, provider->client);

	if (!disassembler)
		return AMD_DBGAPI_STATUS_ERROR;
	if (!wt_disassembler_decode(disassembler, address, memory, size, result))
		return AMD_DBGAPI_STATUS_ERROR_ILLEGAL_INSTRUCTION;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_static_disassemble_instruction(
	const struct wt_static *provider, struct wt_disassemblers *disassemblers,
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t *size, const void *memory, char **instruction_text,
	amd_dbgapi_symbolizer_id_t symbolizer_id, wt_symbolizer symbolizer)
{
	const struct gfx_architecture *architecture;
	struct wt_disassembled result;
	amd_dbgapi_status_t status;

	status = instruction_check(provider, architecture_id, address, size, memory, &architecture);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	status = instruction_decode(provider, disassemblers, architecture, address, memory, *size,
				    &result);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	/* Without a place for the text only the size is wanted, and the symbolizer is not asked. */
	if (instruction_text)
		status = wt_instruction_annotate(provider->client, result.text,
						 result.has_target ? &result.target : NULL,
						 symbolizer_id, symbolizer, instruction_text);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		*size = result.size;
	return status;
}

/* The information that goes with each kind, as an array of 64-bit numbers. */
static size_t list_information(const struct gfx_classification *c, uint64_t list_ret[4])
{
	size_t count = 0;

	switch (c->kind) {
	case GFX_INSTRUCTION_DIRECT_BRANCH:
	case GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL:
		list_ret[count++] = c->target;
		break;
	case GFX_INSTRUCTION_DIRECT_CALL:
		list_ret[count++] = c->target;
		list_ret[count++] = c->saved_registers[0];
		list_ret[count++] = c->saved_registers[1];
		break;
	case GFX_INSTRUCTION_INDIRECT_BRANCH:
	case GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL:
	case GFX_INSTRUCTION_INDIRECT_CALL:
	case GFX_INSTRUCTION_RELATIVE_BRANCH:
		list_ret[count++] = c->source_registers[0];
		list_ret[count++] = c->source_registers[1];
		if (c->kind != GFX_INSTRUCTION_INDIRECT_CALL)
			break;
		list_ret[count++] = c->saved_registers[0];
		list_ret[count++] = c->saved_registers[1];
		break;
	case GFX_INSTRUCTION_TRAP:
		list_ret[count++] = c->trap_id;
		break;
	case GFX_INSTRUCTION_UNKNOWN:
	case GFX_INSTRUCTION_SEQUENTIAL:
	case GFX_INSTRUCTION_TERMINATE:
	case GFX_INSTRUCTION_HALT:
	case GFX_INSTRUCTION_BARRIER:
	case GFX_INSTRUCTION_SLEEP:
	case GFX_INSTRUCTION_SPECIAL:
		break;
	}
	return count;
}

static amd_dbgapi_status_t return_information(const struct wt_client *client,
					      const struct gfx_classification *classification,
					      void **information_ret)
{
	uint64_t list[4];
	size_t count = list_information(classification, list);

	if (!count) {
		*information_ret = NULL;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	return wt_client_return_memory(client, sizeof(*information_ret), information_ret, list,
				       count * sizeof(list[0]));
}

amd_dbgapi_status_t wt_static_classify_instruction(
	const struct wt_static *provider, struct wt_disassemblers *disassemblers,
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t *size, const void *memory,
	amd_dbgapi_instruction_kind_t *instruction_kind,
	amd_dbgapi_instruction_properties_t *instruction_properties, void **instruction_information)
{
	const struct gfx_architecture *architecture;
	struct gfx_classification classification;
	struct wt_disassembled result;
	uint32_t words[MAX_WORDS];
	amd_dbgapi_status_t status;
	const uint8_t *bytes = memory;
	size_t count = 0;

	/* A missing place for the kind is found where a missing memory is. */
	status = instruction_check(provider, architecture_id, address, size,
				   instruction_kind ? memory : NULL, &architecture);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	status = instruction_decode(provider, disassemblers, architecture, address, memory, *size,
				    &result);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	for (size_t i = 0; i < MAX_WORDS && 4 * i < result.size; i++)
		words[count++] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
				 (uint32_t)bytes[4 * i + 2] << 16 |
				 (uint32_t)bytes[4 * i + 3] << 24;
	gfx_classify(architecture, address, words, count, &classification);
	if (instruction_information) {
		status = return_information(provider->client, &classification,
					    instruction_information);
		if (status != AMD_DBGAPI_STATUS_SUCCESS)
			return status;
	}
	if (instruction_properties)
		*instruction_properties = AMD_DBGAPI_INSTRUCTION_PROPERTY_NONE;
	*instruction_kind = (amd_dbgapi_instruction_kind_t)classification.kind;
	*size = result.size;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
