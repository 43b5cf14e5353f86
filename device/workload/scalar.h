/* SPDX-License-Identifier: MIT */
/* Values in a workload: numbers of a type, hex digits, and what fills a buffer. */
#ifndef WT_DEVICE_WORKLOAD_SCALAR_H
#define WT_DEVICE_WORKLOAD_SCALAR_H

#include "device/workload/description.h"
#include "device/workload/json.h"

/** A type by name, "i8" to "u64", "f32" or "f64"; NULL if there is none. */
const struct wt_scalar_type *wt_scalar_type_by_name(const char *name);

/** A number that fits @type, as its bytes: type->size of them are set. */
struct wt_error *wt_scalar_parse(const struct wt_place *place, json_t *value,
				 const struct wt_scalar_type *type, uint8_t bytes_ret[8]);

/** Pairs of hex digits, as bytes; @data_ret is the caller's to free. */
struct wt_error *wt_hex_parse(const struct wt_place *place, json_t *value, uint8_t **data_ret,
			      size_t *size_ret);

/**
 * The field `fill` of a buffer of @size bytes. @fill_ret->path is set to the file's name as it
 * stands there, for the caller to resolve and free.
 */
struct wt_error *wt_fill_parse(const struct wt_place *place, json_t *value, uint64_t size,
			       struct wt_fill *fill_ret);

/** Write the elements of a constant or an iota over @size bytes. */
void wt_fill_elements(const struct wt_fill *fill, uint8_t *data, uint64_t size);

#endif /* WT_DEVICE_WORKLOAD_SCALAR_H */
