/* SPDX-License-Identifier: MIT */
/* Instructions of architectures. */
#include "dbgapi/simulated/internal.h"

amd_dbgapi_status_t amd_dbgapi_disassemble_instruction(
	amd_dbgapi_architecture_id_t architecture_id, amd_dbgapi_global_address_t address,
	amd_dbgapi_size_t *size, const void *memory, char **instruction_text,
	amd_dbgapi_symbolizer_id_t symbolizer_id,
	amd_dbgapi_status_t (*symbolizer)(amd_dbgapi_symbolizer_id_t symbolizer_id,
					  amd_dbgapi_global_address_t address, char **symbol_text))
{
	struct wt_static provider = wt_provider_static();

	return wt_static_disassemble_instruction(&provider, &wt_provider.disassemblers,
						 architecture_id, address, size, memory,
						 instruction_text, symbolizer_id, symbolizer);
}

amd_dbgapi_status_t
amd_dbgapi_classify_instruction(amd_dbgapi_architecture_id_t architecture_id,
				amd_dbgapi_global_address_t address, amd_dbgapi_size_t *size,
				const void *memory, amd_dbgapi_instruction_kind_t *instruction_kind,
				amd_dbgapi_instruction_properties_t *instruction_properties,
				void **instruction_information)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_classify_instruction(
		&provider, &wt_provider.disassemblers, architecture_id, address, size, memory,
		instruction_kind, instruction_properties, instruction_information);
}
