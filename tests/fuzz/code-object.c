/* SPDX-License-Identifier: MIT */
/* Any bytes as a code object that the simulated GPU is to load: ELF, metadata, relocations, kernel descriptors. */
#include "device/code-object/loader.h"
#include "fuzz.h"

static void check_kernels(const struct wt_code_object *object)
{
	fuzz_reached += object->metadata.kernel_count > 0;
	for (size_t i = 0; i < object->metadata.kernel_count; i++) {
		const struct wt_kernel *kernel = &object->kernels[i];

		FUZZ_CHECK(kernel->metadata == &object->metadata.kernels[i]);
		FUZZ_CHECK(wt_code_object_kernel(object, kernel->metadata->name));
		FUZZ_CHECK(kernel->descriptor_address >= object->first &&
			   kernel->descriptor_address < object->end);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct gfx_architecture *architectures[] = {gfx_architecture_by_name("gfx942"),
							  gfx_architecture_by_name("gfx90a")};
	struct wt_code_object *object;
	struct wt_memory memory;
	struct wt_error *error;

	wt_memory_init(&memory);
	error = wt_code_object_create(fuzz_save("object.co", data, size), 0, architectures, 2,
				      &memory, &object);
	if (!error) {
		check_kernels(object);
		wt_code_object_destroy(object);
	}
	wt_error_destroy(error);
	wt_memory_deinit(&memory);
	return 0;
}
