/* SPDX-License-Identifier: MIT */
/*
 * disassemble_instruction and classify_instruction, for providers. Apart from static-info.h because
 * they need a disassembler.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_INSTRUCTION_H
#define WT_DBGAPI_ARCHITECTURE_INSTRUCTION_H

#include "dbgapi/architecture/disassemble.h"
#include "dbgapi/architecture/static-info.h"

/* For all architectures of our tables; more fit, so that a trace's own may be new ones. */
#define WT_DISASSEMBLERS 48

/* The disassemblers of a provider, made when first asked for. Zero it before use; one thread at a
 * time. */
struct wt_disassemblers {
	struct {
		const struct gfx_architecture *architecture;
		struct wt_disassembler
			*disassembler; /* NULL: it cannot be made, and this was logged */
	} entries[WT_DISASSEMBLERS];
	size_t count;
};

void wt_disassemblers_deinit(struct wt_disassemblers *disassemblers);

/**
 * The disassembler of an architecture; NULL if there is none. The first failure goes to the
 * client's log
 * (@client may be NULL) as a warning.
 */
struct wt_disassembler *wt_disassemblers_get(struct wt_disassemblers *disassemblers,
					     const struct gfx_architecture *architecture,
					     const struct wt_client *client);

typedef amd_dbgapi_status_t (*wt_symbolizer)(amd_dbgapi_symbolizer_id_t symbolizer_id,
					     amd_dbgapi_global_address_t address,
					     char **symbol_text);

/**
 * Add to an instruction's text the comment that names its branch target: by the client's symbolizer
 * (may be NULL), or as a number if it knows no symbol there.
 *
 * @text: the instruction.
 * @target: where it goes, or NULL if it is no direct branch.
 * @text_ret: in the client's memory.
 *
 * Return: CLIENT_CALLBACK if the symbolizer failed otherwise or there is no memory, ERROR if it
 * succeeded without a text.
 */
amd_dbgapi_status_t wt_instruction_annotate(const struct wt_client *client, const char *text,
					    const uint64_t *target,
					    amd_dbgapi_symbolizer_id_t symbolizer_id,
					    wt_symbolizer symbolizer, char **text_ret);

/**
 * The API functions of the same names, checks included. Without a disassembler (no LLVM) the answer
 * is ERROR for what may well be an instruction.
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
