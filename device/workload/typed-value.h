/* SPDX-License-Identifier: MIT */
/* Values in a workload: typed numbers, hex digits, and the contents of buffers. */
#ifndef WT_DEVICE_WORKLOAD_TYPED_VALUE_H
#define WT_DEVICE_WORKLOAD_TYPED_VALUE_H

#include "device/workload/description.h"
#include "device/workload/json.h"

/** A type by its name, "i8" to "u64", "f32" or "f64"; NULL if there is none. */
const struct wt_scalar_type *wt_scalar_type_by_name(const char *name);

/** Parse a number that fits @type. Sets type->size bytes of @bytes_ret, little endian. */
struct wt_error *wt_scalar_parse(const struct wt_place *place, json_t *value,
				 const struct wt_scalar_type *type, uint8_t bytes_ret[8]);

/** Parse pairs of hex digits. The caller frees @data_ret. */
struct wt_error *wt_hex_parse(const struct wt_place *place, json_t *value, uint8_t **data_ret,
			      size_t *size_ret);

/**
 * Parse the field `fill` of a buffer of @size bytes. fill_ret->path becomes the file's name as it is in the workload; the
 * caller resolves and frees it.
 */
struct wt_error *wt_fill_parse(const struct wt_place *place, json_t *value, uint64_t size,
			       struct wt_fill *fill_ret);

/** Fill @size bytes with the elements of a constant or an iota. */
void wt_fill_elements(const struct wt_fill *fill, uint8_t *data, uint64_t size);

#endif /* WT_DEVICE_WORKLOAD_TYPED_VALUE_H */
