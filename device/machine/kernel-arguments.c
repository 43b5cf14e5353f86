/* SPDX-License-Identifier: MIT */
#include "device/machine/kernel-arguments.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#define SEGMENT_ALIGNMENT 64

uint32_t wt_grid_dimensions(const uint32_t grid[3])
{
	return grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
}

uint64_t wt_arguments_size(const struct wt_kernel_metadata *kernel)
{
	uint64_t size = kernel->kernarg_size ? kernel->kernarg_size : 1;

	return (size + SEGMENT_ALIGNMENT - 1) / SEGMENT_ALIGNMENT * SEGMENT_ALIGNMENT;
}

/* The low bytes of a number, as many as the argument has. */
static void argument_number_store(const struct wt_kernel_argument *argument, uint64_t value,
				  uint8_t *data)
{
	size_t size = argument->size < sizeof(value) ? argument->size : sizeof(value);

	value = htole64(value);
	memcpy(data + argument->offset, &value, size);
}

/* Which argument of the kernel is meant: "n", by_value, 4 bytes. */
static void kernel_argument_describe(const struct wt_kernel_argument *argument, char *text,
				     size_t size)
{
	snprintf(text, size, "%s%s%s%s, %u bytes", argument->name ? "\"" : "",
		 argument->name ? argument->name : "", argument->name ? "\", " : "", argument->kind,
		 argument->size);
}

static struct wt_error *check_kind(const struct wt_place *place,
				   const struct wt_kernel_metadata *kernel,
				   const struct wt_kernel_argument *expected,
				   const struct wt_workload_argument *given)
{
	char wanted[256];

	kernel_argument_describe(expected, wanted, sizeof(wanted));
	if (expected->value == WT_VALUE_OTHER)
		return wt_place_error(
			WT_ERROR_UNSUPPORTED, place,
			"kernel %s takes an argument here that no workload can give (%s)",
			kernel->name, wanted);
	if (expected->value == WT_VALUE_GLOBAL_BUFFER && !given->is_buffer && !given->is_address)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "kernel %s takes a pointer here (%s), not %s; give "
				      "{\"buffer\": NAME}, or an {\"address\": NUMBER}",
				      kernel->name, wanted, given->kind);
	if (expected->value == WT_VALUE_GLOBAL_BUFFER && expected->size != sizeof(uint64_t))
		return wt_place_error(WT_ERROR_INPUT, place,
				      "kernel %s takes a pointer of an unknown size here (%s)",
				      kernel->name, wanted);
	if (expected->value == WT_VALUE_BY_VALUE && (given->is_buffer || given->is_address))
		return wt_place_error(WT_ERROR_INPUT, place,
				      "kernel %s takes a value here (%s), not %s", kernel->name,
				      wanted, given->is_buffer ? "a buffer" : "an address");
	if (expected->value == WT_VALUE_BY_VALUE && expected->size != given->size)
		return wt_place_error(
			WT_ERROR_INPUT, place,
			"kernel %s takes another size here (%s) than the %zu bytes of %s",
			kernel->name, wanted, given->size, given->kind);
	return NULL;
}

static struct wt_error *check_count(const struct wt_place *place,
				    const struct wt_kernel_metadata *kernel, size_t given)
{
	size_t expected = 0;

	for (size_t i = 0; i < kernel->argument_count; i++)
		expected += wt_kernel_argument_explicit(&kernel->arguments[i]);
	if (given == expected)
		return NULL;
	return wt_place_error(WT_ERROR_INPUT, place, "%zu arguments; kernel %s takes %zu", given,
			      kernel->name, expected);
}

/* The component of an argument that exists for x, y and z. */
static size_t axis(const struct wt_kernel_argument *argument, enum wt_kernel_value first)
{
	return (size_t)(argument->value - first);
}

static uint64_t hidden_value(const struct wt_kernel_argument *argument,
			     const struct wt_hidden_values *hidden)
{
	size_t d;

	switch (argument->value) {
	case WT_VALUE_HIDDEN_BLOCK_COUNT_X:
	case WT_VALUE_HIDDEN_BLOCK_COUNT_Y:
	case WT_VALUE_HIDDEN_BLOCK_COUNT_Z:
		d = axis(argument, WT_VALUE_HIDDEN_BLOCK_COUNT_X);
		return hidden->grid[d] / hidden->workgroup[d];
	case WT_VALUE_HIDDEN_GROUP_SIZE_X:
	case WT_VALUE_HIDDEN_GROUP_SIZE_Y:
	case WT_VALUE_HIDDEN_GROUP_SIZE_Z:
		return hidden->workgroup[axis(argument, WT_VALUE_HIDDEN_GROUP_SIZE_X)];
	case WT_VALUE_HIDDEN_REMAINDER_X:
	case WT_VALUE_HIDDEN_REMAINDER_Y:
	case WT_VALUE_HIDDEN_REMAINDER_Z:
		d = axis(argument, WT_VALUE_HIDDEN_REMAINDER_X);
		return hidden->grid[d] % hidden->workgroup[d];
	case WT_VALUE_HIDDEN_GRID_DIMS:
		return wt_grid_dimensions(hidden->grid);
	case WT_VALUE_HIDDEN_DYNAMIC_LDS_SIZE:
		return hidden->dynamic_group_bytes;
	case WT_VALUE_HIDDEN_PRIVATE_BASE: /* the upper halves of the apertures */
		return hidden->private_base >> 32;
	case WT_VALUE_HIDDEN_SHARED_BASE:
		return hidden->local_base >> 32;
	case WT_VALUE_HIDDEN_QUEUE_PTR:
		return hidden->queue_address;
	case WT_VALUE_BY_VALUE:
	case WT_VALUE_GLOBAL_BUFFER:
	case WT_VALUE_OTHER:
	case WT_VALUE_HIDDEN_NONE:
	case WT_VALUE_HIDDEN_OTHER:
		break;
	}
	return 0;
}

static struct wt_error *store_hidden(const struct wt_place *place,
				     const struct wt_kernel_metadata *kernel,
				     const struct wt_kernel_argument *argument,
				     const struct wt_hidden_values *hidden, uint8_t *data)
{
	if (argument->value == WT_VALUE_HIDDEN_OTHER)
		return wt_place_error(
			WT_ERROR_UNSUPPORTED, place,
			"kernel %s needs the hidden argument %s, which is not known here",
			kernel->name, argument->kind);
	argument_number_store(argument, hidden_value(argument, hidden), data);
	return NULL;
}

struct wt_error *wt_arguments_build(const struct wt_place *place,
				    const struct wt_kernel_metadata *kernel,
				    const struct wt_workload_dispatch *dispatch,
				    const uint64_t *buffer_addresses,
				    const struct wt_hidden_values *hidden, uint8_t *data)
{
	const struct wt_place list = wt_place_field(place, "arguments");
	struct wt_error *error;
	size_t next = 0;

	error = check_count(&list, kernel, dispatch->argument_count);
	for (size_t i = 0; i < kernel->argument_count && !error; i++) {
		const struct wt_kernel_argument *argument = &kernel->arguments[i];
		const struct wt_workload_argument *given = &dispatch->arguments[next];
		const struct wt_place element = wt_place_element(&list, next);

		if (!wt_kernel_argument_explicit(argument)) {
			error = store_hidden(place, kernel, argument, hidden, data);
			continue;
		}
		next++;
		error = check_kind(&element, kernel, argument, given);
		if (error)
			return error;
		if (given->is_buffer)
			argument_number_store(
				argument, buffer_addresses[given->buffer] + given->offset, data);
		else
			memcpy(data + argument->offset, given->data, given->size);
	}
	return error;
}
