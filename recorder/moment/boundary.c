/* SPDX-License-Identifier: MIT */
#include "recorder/moment/boundary.h"

#include <string.h>

#include "recorder/recording/question.h"

#define MOST 16u		     /* in one snapshot: each costs up to 28 reads */
#define FARTHEST (UINT64_C(1) << 40) /* bytes from the pointer to the address */
#define ARGUMENTS_MOST 4096u	     /* bytes of arguments that are looked at */
#define DESCRIPTOR_ARGUMENTS 8u	     /* where the kernel's descriptor has their size */
#define LOWEST_ADDRESS UINT64_C(0x10000)

static uint64_t boundary_page(uint64_t address)
{
	return address & ~(uint64_t)(WT_PAGE - 1);
}

static bool is_mapped(struct wt_taking *taking, uint64_t page)
{
	if (taking->tries_left)
		taking->tries_left--;
	return wt_is_memory(taking->recorder, taking->process, &taking->reservations, page);
}

/* The arguments of the wave's kernel; 0 if they cannot be read. */
static size_t read_arguments(struct wt_taking *taking, const struct wt_stopped_wave *wave,
			     uint8_t bytes[ARGUMENTS_MOST])
{
	uint64_t descriptor, arguments;
	uint32_t size;

	if (!wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, wave->dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, &descriptor) ||
	    !wt_ask_number(taking->recorder, WT_OBJECT_DISPATCH, wave->dispatch,
			   AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, &arguments) ||
	    !wt_read_global(taking->recorder, taking->process, descriptor + DESCRIPTOR_ARGUMENTS,
			    &size, sizeof(size)))
		return 0;
	/* Kernels of assemblers do not say: their size is 0. */
	if (!size || size > ARGUMENTS_MOST)
		size = ARGUMENTS_MOST;
	if (!arguments ||
	    !wt_read_global(taking->recorder, taking->process, arguments, bytes, size))
		return 0;
	return size;
}

/* The argument that points next below an address; 0 if there is none. */
static uint64_t boundary_find_argument(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				       uint64_t address)
{
	uint8_t bytes[ARGUMENTS_MOST];
	size_t size = read_arguments(taking, wave, bytes);
	uint64_t nearest = 0;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t pointer = 0;

		for (size_t j = 0; j < 8; j++)
			pointer |= (uint64_t)bytes[i + j] << 8 * j;
		if (pointer >= LOWEST_ADDRESS && pointer <= address && pointer > nearest &&
		    address - pointer < FARTHEST)
			nearest = pointer;
	}
	return nearest;
}

struct wt_error *wt_take_boundary(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				  uint64_t address)
{
	uint64_t mapped, unmapped = boundary_page(address), pointer;
	struct wt_error *error;

	if (taking->boundaries >= MOST || wt_taking_is_over(taking) || !wave->dispatch)
		return NULL;
	taking->boundaries++;
	pointer = boundary_find_argument(taking, wave, address);
	mapped = boundary_page(pointer);
	if (!pointer || mapped == unmapped || !is_mapped(taking, mapped))
		return NULL;
	error = wt_take_global(taking, pointer, 1, false);
	/* One of the two is always mapped, the other never. */
	while (!error && unmapped - mapped > WT_PAGE && !wt_taking_is_over(taking)) {
		uint64_t middle = boundary_page(mapped + (unmapped - mapped) / 2);

		if (is_mapped(taking, middle))
			mapped = middle;
		else
			unmapped = middle;
	}
	if (!error)
		error = wt_take_global(taking, mapped, 1, false);
	return error ? error : wt_take_global(taking, unmapped, 1, true);
}
