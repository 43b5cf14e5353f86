/* SPDX-License-Identifier: MIT */
/*
 * Code objects: ELF files for AMD GPUs, as clang links them, in the simulated GPU's memory.
 *
 * Everything in the file is checked before it is used. Segments are mapped to the byte, as their
 * flags say, and relocated; kernels are those of the metadata, each with its descriptor.
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
	uint64_t descriptor_address; /* what an AQL packet calls the kernel object */
	uint64_t entry;		     /* of the first instruction */
	struct gfx_kernel_descriptor descriptor;
};

struct wt_code_object {
	struct wt_device_code_object object; /* as the API sees it */
	char *path, *uri;
	uint8_t *image;
	const struct gfx_architecture *architecture;
	uint64_t first, end; /* global addresses: all segments lie within them */
	struct wt_metadata metadata;
	struct wt_kernel *kernels; /* one for each of metadata.kernels */
};

/**
 * Load a code object.
 *
 * @path: the file.
 * @number: its number among the code objects.
 * @architectures, @architecture_count: of the agents; it must be for one of them.
 * @memory: where its segments go. After an error what was mapped stays there.
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

/** A file's path as a URI by the API's grammar; the caller frees it. NULL: no memory. */
char *wt_file_uri(const char *path);

#endif /* WT_DEVICE_CODE_OBJECT_LOADER_H */
