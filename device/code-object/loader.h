/* SPDX-License-Identifier: MIT */
/*
 * Load code objects, the ELF files that clang links for AMD GPUs, into the simulated GPU's memory.
 *
 * Everything in the file is checked before it is used. Segments are mapped with exactly their size, with the access that
 * their flags permit, and relocated. The kernels are those of the metadata, each with its kernel descriptor.
 *
 * The room `code-object` reads code objects: ELF, and metadata, which is MessagePack (metadata.h). It must not know
 * queues, dispatches or workloads.
 */
#ifndef WT_DEVICE_CODE_OBJECT_LOADER_H
#define WT_DEVICE_CODE_OBJECT_LOADER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "device/device.h"
#include "device/memory.h"
#include "device/code-object/metadata.h"
#include "gfx/architecture/architecture.h"
#include "gfx/isa/launch.h"
#include "gfx/wave/wave.h"

struct wt_kernel {
	const struct wt_kernel_metadata *metadata;
	uint64_t descriptor_address; /* the "kernel object" of an AQL packet */
	uint64_t entry;		     /* of the first instruction */
	struct gfx_kernel_descriptor descriptor;
};

struct wt_code_object {
	struct wt_device_code_object object; /* as debuggers see it */
	char *path, *uri;
	uint8_t *image;
	const struct gfx_architecture *architecture;
	uint64_t first, end; /* global addresses that enclose all segments */
	struct wt_metadata metadata;
	struct wt_kernel *kernels; /* as many as metadata.kernels */
};

/**
 * Load a code object.
 *
 * @path: of the file.
 * @number: the index of the code object.
 * @architectures, @architecture_count: of the agents. The code object must be for one of them.
 * @memory: gets the segments. After an error some may stay mapped.
 *
 * Errors: WT_ERROR_IO, WT_ERROR_INPUT and WT_ERROR_LIMIT, all with the path.
 */
struct wt_error *wt_code_object_create(const char *path, uint32_t number,
				       const struct gfx_architecture *const *architectures,
				       size_t architecture_count, struct wt_memory *memory,
				       struct wt_code_object **object_ret);
void wt_code_object_destroy(struct wt_code_object *object);

/** A kernel by name, or NULL. */
const struct wt_kernel *wt_code_object_kernel(const struct wt_code_object *object,
					      const char *name);

/** The URI of a file, as base/uri.h describes; the caller frees it. NULL if there is no memory. */
char *wt_file_uri(const char *path);

#endif /* WT_DEVICE_CODE_OBJECT_LOADER_H */
