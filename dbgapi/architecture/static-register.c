/* SPDX-License-Identifier: MIT */
/* Registers and their classes. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "dbgapi/architecture/static-info.h"

static const struct gfx_register_class_info *
find_class(const struct wt_static *provider, amd_dbgapi_register_class_id_t id,
	   const struct gfx_architecture **architecture_ret, enum gfx_register_class *class_ret)
{
	for (size_t i = 0; i < provider->architecture_count; i++) {
		const struct gfx_register_class_info *info =
			gfx_register_class_by_id(provider->architectures[i], id.handle, class_ret);

		if (info) {
			*architecture_ret = provider->architectures[i];
			return info;
		}
	}
	return NULL;
}

amd_dbgapi_status_t wt_static_architecture_register_class_get_info(
	const struct wt_static *provider, amd_dbgapi_register_class_id_t register_class_id,
	amd_dbgapi_register_class_info_t query, size_t value_size, void *value)
{
	const struct wt_client *client = provider->client;
	const struct gfx_register_class_info *info;
	const struct gfx_architecture *owner;
	enum gfx_register_class class;

	if (!client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	info = find_class(provider, register_class_id, &owner, &class);
	if (!info)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_CLASS_ID;
	switch (query) {
	case AMD_DBGAPI_REGISTER_CLASS_INFO_ARCHITECTURE:
		return wt_client_return(client, value_size, value, &owner->id, sizeof(owner->id));
	case AMD_DBGAPI_REGISTER_CLASS_INFO_NAME:
		return wt_client_return_string(client, value_size, value, info->name);
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
}

amd_dbgapi_status_t wt_static_architecture_register_class_list(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	size_t *register_class_count, amd_dbgapi_register_class_id_t **register_classes)
{
	const struct gfx_architecture *a;
	uint64_t handles[GFX_CLASS_COUNT];

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	if (!register_class_count || !register_classes)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	for (int i = 0; i < GFX_CLASS_COUNT; i++)
		handles[i] = a->classes[i].id;
	return wt_client_return_list(provider->client, handles, GFX_CLASS_COUNT,
				     register_class_count, register_classes);
}

amd_dbgapi_status_t wt_static_register_get_info(const struct wt_static *provider,
						amd_dbgapi_register_id_t register_id,
						amd_dbgapi_register_info_t query, size_t value_size,
						void *value)
{
	const struct wt_client *client = provider->client;
	const struct gfx_architecture *a;
	char name[GFX_REGISTER_NAME];
	struct gfx_register reg;
	uint64_t size;

	if (!client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_register(provider, register_id, &reg);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID;
	/* Unlike other get_info functions, this one looks at the value before the query. */
	if (!value)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	switch (query) {
	case AMD_DBGAPI_REGISTER_INFO_ARCHITECTURE:
		return wt_client_return(client, value_size, value, &a->id, sizeof(a->id));
	case AMD_DBGAPI_REGISTER_INFO_NAME:
		gfx_register_name(&reg, name);
		return wt_client_return_string(client, value_size, value, name);
	case AMD_DBGAPI_REGISTER_INFO_SIZE:
		size = reg.range->size;
		return wt_client_return(client, value_size, value, &size, sizeof(size));
	case AMD_DBGAPI_REGISTER_INFO_TYPE:
		return wt_client_return_string(client, value_size, value, reg.range->type);
	case AMD_DBGAPI_REGISTER_INFO_DWARF:
		if (reg.dwarf == GFX_DWARF_NONE)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return wt_client_return(client, value_size, value, &reg.dwarf, sizeof(reg.dwarf));
	case AMD_DBGAPI_REGISTER_INFO_PROPERTIES:
		return wt_client_return(client, value_size, value, &reg.range->properties,
					sizeof(reg.range->properties));
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
}

amd_dbgapi_status_t
wt_static_architecture_register_list(const struct wt_static *provider,
				     amd_dbgapi_architecture_id_t architecture_id,
				     size_t *register_count, amd_dbgapi_register_id_t **registers)
{
	wt_cleanup_free uint64_t *handles = NULL;
	const struct gfx_architecture *a;
	struct gfx_register reg;
	size_t count;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	if (!register_count || !registers)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	count = gfx_register_count(a);
	handles = calloc(count, sizeof(*handles));
	if (!handles)
		return AMD_DBGAPI_STATUS_ERROR;
	for (size_t i = 0; i < count && gfx_register_at(a, i, &reg); i++)
		handles[i] = reg.id;
	return wt_client_return_list(provider->client, handles, count, register_count, registers);
}

amd_dbgapi_status_t
wt_static_dwarf_register_to_register(const struct wt_static *provider,
				     amd_dbgapi_architecture_id_t architecture_id,
				     uint64_t dwarf_register, amd_dbgapi_register_id_t *register_id)
{
	const struct gfx_architecture *a;
	struct gfx_register reg;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	if (!register_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!gfx_register_by_dwarf(a, dwarf_register, &reg))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	register_id->handle = reg.id;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_static_register_is_in_register_class(const struct wt_static *provider,
					amd_dbgapi_register_class_id_t register_class_id,
					amd_dbgapi_register_id_t register_id,
					amd_dbgapi_register_class_state_t *register_class_state)
{
	const struct gfx_architecture *class_owner, *a;
	enum gfx_register_class class;
	struct gfx_register reg;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!find_class(provider, register_class_id, &class_owner, &class))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_CLASS_ID;
	a = wt_static_register(provider, register_id, &reg);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_REGISTER_ID;
	if (!register_class_state)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (a != class_owner)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	*register_class_state =
		reg.range->classes & 1u << class ? AMD_DBGAPI_REGISTER_CLASS_STATE_MEMBER
						 : AMD_DBGAPI_REGISTER_CLASS_STATE_NOT_MEMBER;
	return AMD_DBGAPI_STATUS_SUCCESS;
}
