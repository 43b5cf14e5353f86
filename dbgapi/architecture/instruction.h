/* SPDX-License-Identifier: MIT */
/*
 * disassemble_instruction and classify_instruction for providers. They are not in static-info.h because they need a
 * disassembler.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_INSTRUCTION_H
#define WT_DBGAPI_ARCHITECTURE_INSTRUCTION_H

#include "dbgapi/architecture/disassemble.h"
#include "dbgapi/architecture/static-info.h"

/* More than there are architectures today, so that a trace may have new ones. */
#define WT_DISASSEMBLERS 48

/* The disassemblers of a provider, each made at its first use. Zero it before use. Only one thread may use it
 * at a time. */
struct wt_disassemblers {
	struct {
		const struct gfx_architecture *architecture;
		struct wt_disassembler *disassembler; /* NULL if it cannot be made */
	} entries[WT_DISASSEMBLERS];
	size_t count;
};

void wt_disassemblers_deinit(struct wt_disassemblers *disassemblers);

/**
 * The disassembler of an architecture; NULL if it cannot be made, which is logged once as a warning.
 *
 * @client: for the log; may be NULL.
 */
struct wt_disassembler *wt_disassemblers_get(struct wt_disassemblers *disassemblers,
					     const struct gfx_architecture *architecture,
					     const struct wt_client *client);

typedef amd_dbgapi_status_t (*wt_symbolizer)(amd_dbgapi_symbolizer_id_t symbolizer_id,
					     amd_dbgapi_global_address_t address,
					     char **symbol_text);

/**
 * Append a comment with the branch target to the text of an instruction: the client's symbol, or a number
 * if the client has no symbol for it.
 *
 * @target: the address; NULL if the instruction is not a direct branch.
 * @symbolizer: may be NULL.
 * @text_ret: in memory of the client.
 *
 * Return: CLIENT_CALLBACK if the symbolizer fails in another way or there is no memory, ERROR if it
 * succeeds without a text.
 */
amd_dbgapi_status_t wt_instruction_annotate(const struct wt_client *client, const char *text,
					    const uint64_t *target,
					    amd_dbgapi_symbolizer_id_t symbolizer_id,
					    wt_symbolizer symbolizer, char **text_ret);

/**
 * The API functions of the same names with their checks. Without a disassembler they return ERROR for what may be an
 * instruction.
 */
amd_dbgapi_status_t wt_static_disassemble_instruction(
	const struct wt_static *provider, struct wt_disassemblers *disassemblers,
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t *size, const void *memory, char **instruction_text,
	amd_dbgapi_symbolizer_id_t symbolizer_id, wt_symbolizer symbolizer);
amd_dbgapi_status_t
wt_static_classify_instruction(const struct wt_static *provider,
			       struct wt_disassemblers *disassemblers,
			       amd_dbgapi_architecture_id_t architecture_id,
			       amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
			       const void *memory, amd_dbgapi_instruction_kind_t *instruction_kind,
			       amd_dbgapi_instruction_properties_t *instruction_properties,
			       void **instruction_information);

#endif /* WT_DBGAPI_ARCHITECTURE_INSTRUCTION_H */
