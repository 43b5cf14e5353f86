/* SPDX-License-Identifier: MIT */
/*
 * The part of the API that needs no process: architectures, registers, address spaces and classes. The functions that
 * providers export only call these; those of the provider over a device are made by tools/generate_static.py.
 *
 * wt_static_NAME() has the parameters of amd_dbgapi_NAME(), checks them in the order of AMD's library and writes outputs
 * on success only.
 *
 * The room `architecture` also has disassembly, address conversion and the rules of register writes. It must not know
 * processes, devices or traces.
 */
#ifndef WT_DBGAPI_ARCHITECTURE_STATIC_INFO_H
#define WT_DBGAPI_ARCHITECTURE_STATIC_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "dbgapi/client/client.h"
#include "gfx/architecture/architecture.h"

/* The facts about a wave that address conversion needs. */
struct wt_address_wave {
	const struct gfx_architecture *architecture;
	uint64_t lane_count;
	/* Global address and size in bytes of the wave's private memory. Size 0: it has none. */
	uint64_t scratch_base, scratch_size;
	bool scratch_unplaced; /* the address is not known */
	bool scratch_unsized;  /* the size is not known, only that it is no smaller */
};

/* The minor number of the level whose rules are those of the released libraries up to ROCm 7.0. */
#define WT_ADDRESS_LEVEL_RELEASED 77u

/**
 * Resolve a generic address to global, local or private_lane by its aperture. An address of another space keeps it. The
 * result is truncated to the width of its space.
 *
 * @architecture: not used for the global space; may be NULL then.
 */
void wt_address_lower(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address,
		      const struct gfx_address_space **space_ret, uint64_t *address_ret);

/* The architectures that a provider has: those of gfx/, or those of a trace. */
struct wt_static {
	const struct wt_client *client;
	const struct gfx_architecture *const *architectures;
	size_t architecture_count;
	/* The minor number of the level by whose rules addresses are converted. */
	unsigned int address_level;
};

/** The architectures of gfx/, with the rules of WT_ADDRESS_LEVEL_RELEASED. */
struct wt_static wt_static_init(const struct wt_client *client);

/* Find by handle; NULL if there is none. Registers, spaces and classes are found with their architecture. */
const struct gfx_architecture *wt_static_architecture(const struct wt_static *provider,
						      amd_dbgapi_architecture_id_t id);
const struct gfx_architecture *wt_static_register(const struct wt_static *provider,
						  amd_dbgapi_register_id_t id,
						  struct gfx_register *register_ret);
const struct gfx_address_space *
wt_static_address_space(const struct wt_static *provider, amd_dbgapi_address_space_id_t id,
			const struct gfx_architecture **architecture_ret);
const struct gfx_address_class *
wt_static_address_class(const struct wt_static *provider, amd_dbgapi_address_class_id_t id,
			const struct gfx_architecture **architecture_ret);

/* Architectures. */
amd_dbgapi_status_t wt_static_get_architecture(const struct wt_static *provider,
					       uint32_t elf_amdgpu_machine,
					       amd_dbgapi_architecture_id_t *architecture_id);
amd_dbgapi_status_t wt_static_architecture_get_info(const struct wt_static *provider,
						    amd_dbgapi_architecture_id_t architecture_id,
						    amd_dbgapi_architecture_info_t query,
						    size_t value_size, void *value);

/* Registers. */
amd_dbgapi_status_t wt_static_architecture_register_class_get_info(
	const struct wt_static *provider, amd_dbgapi_register_class_id_t register_class_id,
	amd_dbgapi_register_class_info_t query, size_t value_size, void *value);
amd_dbgapi_status_t wt_static_architecture_register_class_list(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	size_t *register_class_count, amd_dbgapi_register_class_id_t **register_classes);
amd_dbgapi_status_t wt_static_register_get_info(const struct wt_static *provider,
						amd_dbgapi_register_id_t register_id,
						amd_dbgapi_register_info_t query, size_t value_size,
						void *value);
amd_dbgapi_status_t
wt_static_architecture_register_list(const struct wt_static *provider,
				     amd_dbgapi_architecture_id_t architecture_id,
				     size_t *register_count, amd_dbgapi_register_id_t **registers);
amd_dbgapi_status_t wt_static_dwarf_register_to_register(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	uint64_t dwarf_register, amd_dbgapi_register_id_t *register_id);
amd_dbgapi_status_t
wt_static_register_is_in_register_class(const struct wt_static *provider,
					amd_dbgapi_register_class_id_t register_class_id,
					amd_dbgapi_register_id_t register_id,
					amd_dbgapi_register_class_state_t *register_class_state);

/* Address classes and spaces. */
amd_dbgapi_status_t wt_static_address_class_get_info(const struct wt_static *provider,
						     amd_dbgapi_address_class_id_t address_class_id,
						     amd_dbgapi_address_class_info_t query,
						     size_t value_size, void *value);
amd_dbgapi_status_t wt_static_architecture_address_class_list(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	size_t *address_class_count, amd_dbgapi_address_class_id_t **address_classes);
amd_dbgapi_status_t wt_static_dwarf_address_class_to_address_class(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	uint64_t dwarf_address_class, amd_dbgapi_address_class_id_t *address_class_id);
amd_dbgapi_status_t wt_static_address_space_get_info(const struct wt_static *provider,
						     amd_dbgapi_address_space_id_t address_space_id,
						     amd_dbgapi_address_space_info_t query,
						     size_t value_size, void *value);
amd_dbgapi_status_t wt_static_architecture_address_space_list(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	size_t *address_space_count, amd_dbgapi_address_space_id_t **address_spaces);
amd_dbgapi_status_t wt_static_dwarf_address_space_to_address_space(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	uint64_t dwarf_address_space, amd_dbgapi_address_space_id_t *address_space_id);
amd_dbgapi_status_t
wt_static_address_dependency(const struct wt_static *provider,
			     amd_dbgapi_address_space_id_t address_space_id,
			     amd_dbgapi_segment_address_t segment_address,
			     amd_dbgapi_segment_address_dependency_t *segment_address_dependency);
/** Answers as it is asked since level 0.79: of a process, and of a wave or of WAVE_NONE. */
amd_dbgapi_status_t wt_static_address_dependency_of(
	const struct wt_static *provider, bool process_exists, const struct wt_address_wave *wave,
	amd_dbgapi_wave_id_t wave_id, amd_dbgapi_address_space_id_t address_space_id,
	amd_dbgapi_segment_address_t segment_address,
	amd_dbgapi_segment_address_dependency_t *segment_address_dependency);

/**
 * The two functions that may need a wave. The provider has looked up @wave_id: @wave is NULL if there is no such wave, and
 * for AMD_DBGAPI_WAVE_NONE.
 */
amd_dbgapi_status_t
wt_static_convert_address_space(const struct wt_static *provider,
				const struct wt_address_wave *wave, amd_dbgapi_wave_id_t wave_id,
				amd_dbgapi_lane_id_t lane_id,
				amd_dbgapi_address_space_id_t source_address_space_id,
				amd_dbgapi_segment_address_t source_segment_address,
				amd_dbgapi_address_space_id_t destination_address_space_id,
				amd_dbgapi_segment_address_t *destination_segment_address,
				amd_dbgapi_size_t *destination_contiguous_bytes);
/** Answers as it is asked since level 0.81: of a process. */
amd_dbgapi_status_t
wt_static_convert_address_space_of(const struct wt_static *provider, bool process_exists,
				   const struct wt_address_wave *wave, amd_dbgapi_wave_id_t wave_id,
				   amd_dbgapi_lane_id_t lane_id,
				   amd_dbgapi_address_space_id_t source_address_space_id,
				   amd_dbgapi_segment_address_t source_segment_address,
				   amd_dbgapi_address_space_id_t destination_address_space_id,
				   amd_dbgapi_segment_address_t *destination_segment_address,
				   amd_dbgapi_size_t *destination_contiguous_bytes);
amd_dbgapi_status_t
wt_static_address_is_in_address_class(const struct wt_static *provider,
				      const struct wt_address_wave *wave,
				      amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				      amd_dbgapi_address_space_id_t address_space_id,
				      amd_dbgapi_segment_address_t segment_address,
				      amd_dbgapi_address_class_id_t address_class_id,
				      amd_dbgapi_address_class_state_t *address_class_state);

#endif /* WT_DBGAPI_ARCHITECTURE_STATIC_INFO_H */
