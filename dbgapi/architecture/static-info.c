/* SPDX-License-Identifier: MIT */
/* Look-ups by handle, and what architectures say of themselves. */
#include "dbgapi/architecture/static-info.h"

struct wt_static wt_static_init(const struct wt_client *client)
{
	size_t count;
	const struct gfx_architecture *const *architectures = gfx_architectures(&count);

	return (struct wt_static){
		.client = client,
		.architectures = architectures,
		.architecture_count = count,
		.address_level = WT_ADDRESS_LEVEL_RELEASED,
	};
}

const struct gfx_architecture *wt_static_architecture(const struct wt_static *provider,
						      amd_dbgapi_architecture_id_t id)
{
	for (size_t i = 0; i < provider->architecture_count; i++)
		if (provider->architectures[i]->id == id.handle)
			return provider->architectures[i];
	return NULL;
}

const struct gfx_architecture *wt_static_register(const struct wt_static *provider,
						  amd_dbgapi_register_id_t id,
						  struct gfx_register *register_ret)
{
	for (size_t i = 0; i < provider->architecture_count; i++)
		if (provider->architectures[i]->id == id.handle >> 32 &&
		    gfx_register_by_id(provider->architectures[i], id.handle, register_ret))
			return provider->architectures[i];
	return NULL;
}

const struct gfx_address_space *
wt_static_address_space(const struct wt_static *provider, amd_dbgapi_address_space_id_t id,
			const struct gfx_architecture **architecture_ret)
{
	for (size_t i = 0; i < provider->architecture_count; i++) {
		const struct gfx_address_space *space =
			gfx_address_space_by_id(provider->architectures[i], id.handle);

		if (space) {
			*architecture_ret = provider->architectures[i];
			return space;
		}
	}
	return NULL;
}

const struct gfx_address_class *
wt_static_address_class(const struct wt_static *provider, amd_dbgapi_address_class_id_t id,
			const struct gfx_architecture **architecture_ret)
{
	for (size_t i = 0; i < provider->architecture_count; i++) {
		const struct gfx_address_class *class =
			gfx_address_class_by_id(provider->architectures[i], id.handle);

		if (class) {
			*architecture_ret = provider->architectures[i];
			return class;
		}
	}
	return NULL;
}

amd_dbgapi_status_t wt_static_get_architecture(const struct wt_static *provider,
					       uint32_t elf_amdgpu_machine,
					       amd_dbgapi_architecture_id_t *architecture_id)
{
	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!architecture_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	for (size_t i = 0; i < provider->architecture_count; i++) {
		if (provider->architectures[i]->elf_machine != elf_amdgpu_machine)
			continue;
		architecture_id->handle = provider->architectures[i]->id;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ELF_AMDGPU_MACHINE;
}

static amd_dbgapi_status_t return_u64(const struct wt_static *provider, size_t value_size,
				      void *value, uint64_t result)
{
	return wt_client_return(provider->client, value_size, value, &result, sizeof(result));
}

amd_dbgapi_status_t wt_static_architecture_get_info(const struct wt_static *provider,
						    amd_dbgapi_architecture_id_t architecture_id,
						    amd_dbgapi_architecture_info_t query,
						    size_t value_size, void *value)
{
	const struct wt_client *client = provider->client;
	const struct gfx_architecture *a;

	if (!client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	switch (query) {
	case AMD_DBGAPI_ARCHITECTURE_INFO_NAME:
		return wt_client_return_string(client, value_size, value, a->name);
	case AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE:
		return wt_client_return(client, value_size, value, &a->elf_machine,
					sizeof(a->elf_machine));
	case AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE:
		return return_u64(provider, value_size, value, a->largest_instruction);
	case AMD_DBGAPI_ARCHITECTURE_INFO_MINIMUM_INSTRUCTION_ALIGNMENT:
		return return_u64(provider, value_size, value, a->alignment);
	case AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_SIZE:
		return return_u64(provider, value_size, value, a->breakpoint_size);
	case AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION:
		return wt_client_return_memory(client, value_size, value, a->breakpoint,
					       a->breakpoint_size);
	case AMD_DBGAPI_ARCHITECTURE_INFO_BREAKPOINT_INSTRUCTION_PC_ADJUST:
		return return_u64(provider, value_size, value, a->breakpoint_pc_adjust);
	case AMD_DBGAPI_ARCHITECTURE_INFO_PC_REGISTER:
		return return_u64(provider, value_size, value, a->id << 32 | a->pc_register);
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
}
