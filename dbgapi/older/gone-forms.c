/* SPDX-License-Identifier: MIT */
/* Parts that the oldest form and later levels had alike, and that today's has not. */
#include "dbgapi/older/older.h"
#include "gfx/architecture/architecture.h"

amd_dbgapi_status_t
wt_older_watch(const struct wt_older_calls *calls, amd_dbgapi_process_id_t process_id,
	       amd_dbgapi_global_address_t address, amd_dbgapi_size_t size,
	       amd_dbgapi_watchpoint_kind_t kind, amd_dbgapi_watchpoint_id_t *id_ret,
	       amd_dbgapi_global_address_t *address_ret, amd_dbgapi_size_t *size_ret)
{
	bool whole = id_ret && address_ret && size_ret;
	amd_dbgapi_global_address_t set_address;
	amd_dbgapi_watchpoint_id_t id = AMD_DBGAPI_WATCHPOINT_NONE;
	amd_dbgapi_size_t set_size;
	amd_dbgapi_status_t status =
		calls->set_watchpoint(process_id, address, size, kind, whole ? &id : NULL);

	if (status != AMD_DBGAPI_STATUS_SUCCESS || !whole)
		return status;
	status = calls->watchpoint_get_info(id, AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS,
					    sizeof(set_address), &set_address);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = calls->watchpoint_get_info(id, AMD_DBGAPI_WATCHPOINT_INFO_SIZE,
						    sizeof(set_size), &set_size);
	if (status != AMD_DBGAPI_STATUS_SUCCESS) {
		calls->remove_watchpoint(id);
		return status;
	}
	*id_ret = id;
	*address_ret = set_address;
	*size_ret = set_size;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* The DWARF number of an address space, which is the same on every architecture. */
static amd_dbgapi_status_t dwarf_number(const struct wt_older_calls *calls,
					amd_dbgapi_address_space_id_t id, uint64_t *number_ret)
{
	return calls->address_space_get_info(id, AMD_DBGAPI_ADDRESS_SPACE_INFO_DWARF,
					     sizeof(*number_ret), number_ret);
}

/* The generic space has addresses of every space but region. */
static bool generic_reaches(uint64_t generic, uint64_t other)
{
	return generic == GFX_DWARF_SPACE_GENERIC && other != GFX_DWARF_SPACE_REGION;
}

/* Both private spaces are the same memory. */
static bool space_number_is_private(uint64_t space)
{
	return space == GFX_DWARF_SPACE_PRIVATE_LANE || space == GFX_DWARF_SPACE_PRIVATE_WAVE;
}

amd_dbgapi_status_t wt_older_may_alias(const struct wt_older_calls *calls,
				       amd_dbgapi_address_space_id_t first_id,
				       amd_dbgapi_address_space_id_t second_id, bool *alias_ret)
{
	uint64_t first, second;
	amd_dbgapi_status_t status = dwarf_number(calls, first_id, &first);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = dwarf_number(calls, second_id, &second);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		*alias_ret = first == second || generic_reaches(first, second) ||
			     generic_reaches(second, first) ||
			     (space_number_is_private(first) && space_number_is_private(second));
	return status;
}
