/* SPDX-License-Identifier: MIT */
#include "device/workload/typed-value.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"

static const struct wt_scalar_type scalar_types[] = {
	{"i8", 1, false, true},	  {"u8", 1, false, false},  {"i16", 2, false, true},
	{"u16", 2, false, false}, {"i32", 4, false, true},  {"u32", 4, false, false},
	{"i64", 8, false, true},  {"u64", 8, false, false}, {"f32", 4, true, true},
	{"f64", 8, true, true},
};

const struct wt_scalar_type *wt_scalar_type_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof(scalar_types) / sizeof(scalar_types[0]); i++)
		if (strcmp(scalar_types[i].name, name) == 0)
			return &scalar_types[i];
	return NULL;
}

static void store_whole(const struct wt_scalar_type *type, uint64_t value, uint8_t *bytes)
{
	value = htole64(value);
	memcpy(bytes, &value, type->size);
}

static void store_real(const struct wt_scalar_type *type, double value, uint8_t *bytes)
{
	float single = (float)value;
	uint32_t word;
	uint64_t bits;

	if (type->size == sizeof(float)) {
		memcpy(&word, &single, sizeof(word));
		bits = word;
	} else {
		memcpy(&bits, &value, sizeof(bits));
	}
	store_whole(type, bits, bytes);
}

/* A u64 as text, for what a JSON integer cannot hold. */
static struct wt_error *parse_long(const struct wt_place *place, const char *text,
				   uint64_t *number_ret)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 16);
	if (text[0] != '0' || text[1] != 'x' || !isxdigit((unsigned char)text[2]) || *end || errno)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "\"%s\" is not \"0x\" and 1 to 16 hex digits", text);
	*number_ret = number;
	return NULL;
}

static struct wt_error *parse_whole(const struct wt_place *place, json_t *value,
				    const struct wt_scalar_type *type, uint64_t *number_ret)
{
	uint32_t bits = 8 * type->size;
	int64_t minimum = type->is_signed ? INT64_MIN >> (64 - bits) : 0;
	int64_t maximum = INT64_MAX >> (64 - bits);
	struct wt_error *error;
	int64_t number;

	if (!type->is_signed && type->size == 8 && json_is_string(value))
		return parse_long(place, json_string_value(value), number_ret);
	if (!type->is_signed && type->size < 8)
		maximum = 2 * maximum + 1;
	error = wt_json_integer(place, value, minimum, maximum, &number);
	if (!error)
		*number_ret = (uint64_t)number;
	return error;
}

static struct wt_error *parse_real(const struct wt_place *place, json_t *value,
				   const struct wt_scalar_type *type, double *number_ret)
{
	double number = json_number_value(value);

	if (!json_is_number(value))
		return wt_place_error(WT_ERROR_INPUT, place, "expected a number, found %s",
				      wt_json_kind(value));
	if (type->size == sizeof(float) && isinf((float)number))
		return wt_place_error(WT_ERROR_INPUT, place, "%g is out of the range of %s", number,
				      type->name);
	*number_ret = number;
	return NULL;
}

struct wt_error *wt_scalar_parse(const struct wt_place *place, json_t *value,
				 const struct wt_scalar_type *type, uint8_t bytes_ret[8])
{
	struct wt_error *error;
	uint64_t whole = 0;
	double real = 0;

	if (type->real) {
		error = parse_real(place, value, type, &real);
		if (!error)
			store_real(type, real, bytes_ret);
	} else {
		error = parse_whole(place, value, type, &whole);
		if (!error)
			store_whole(type, whole, bytes_ret);
	}
	return error;
}

static int scalar_hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	digit = (char)(digit | 0x20);
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

struct wt_error *wt_hex_parse(const struct wt_place *place, json_t *value, uint8_t **data_ret,
			      size_t *size_ret)
{
	wt_cleanup_free uint8_t *data = NULL;
	struct wt_error *error;
	const char *text;
	size_t size;

	error = wt_json_string(place, value, &text);
	if (error)
		return error;
	size = json_string_length(value) / 2;
	if (json_string_length(value) % 2)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "an odd number of hex digits; two are needed for each byte");
	if (size > WT_WORKLOAD_MAX_ARGUMENT_BYTES)
		return wt_place_error(WT_ERROR_LIMIT, place, "%zu bytes; at most %d are accepted",
				      size, WT_WORKLOAD_MAX_ARGUMENT_BYTES);
	data = malloc(size);
	if (!data)
		return &wt_error_no_memory;
	for (size_t i = 0; i < size; i++) {
		int high = scalar_hex_digit(text[2 * i]), low = scalar_hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return wt_place_error(WT_ERROR_INPUT, place,
					      "byte %zu is not two hex digits", i);
		data[i] = (uint8_t)(high << 4 | low);
	}
	*data_ret = wt_take(data);
	*size_ret = size;
	return NULL;
}

/* The field @name of a fill: where it starts or by how much it goes on. */
static struct wt_error *parse_term(const struct wt_place *place, json_t *object, const char *name,
				   const struct wt_scalar_type *type, bool step,
				   uint64_t *whole_ret, double *real_ret)
{
	static const struct wt_scalar_type any_step = {"i64", 8, false, true};
	const struct wt_place field = wt_place_field(place, name);
	struct wt_error *error;
	json_t *value;

	error = wt_json_field(place, object, name, &value);
	if (error)
		return error;
	if (type->real)
		return parse_real(&field, value, type, real_ret);
	/* A step may be negative for unsigned types too: elements wrap around. */
	return parse_whole(&field, value, step ? &any_step : type, whole_ret);
}

static struct wt_error *parse_elements(const struct wt_place *place, json_t *value, bool iota,
				       uint64_t size, struct wt_fill *fill_ret)
{
	static const char *const constant_fields[] = {"type", "value", NULL};
	static const char *const iota_fields[] = {"type", "start", "step", NULL};
	const struct wt_place field = wt_place_field(place, iota ? "iota" : "constant");
	const struct wt_place type_place = wt_place_field(&field, "type");
	struct wt_error *error;
	const char *name;
	json_t *type;

	error = wt_json_check_object(&field, value, iota ? iota_fields : constant_fields);
	if (!error)
		error = wt_json_field(&field, value, "type", &type);
	if (!error)
		error = wt_json_string(&type_place, type, &name);
	if (error)
		return error;
	fill_ret->kind = WT_FILL_ELEMENTS;
	fill_ret->type = wt_scalar_type_by_name(name);
	if (!fill_ret->type)
		return wt_place_error(
			WT_ERROR_INPUT, &type_place,
			"unknown type \"%s\"; known: i8, u8, i16, u16, i32, u32, i64, u64, "
			"f32 and f64",
			name);
	if (size % fill_ret->type->size)
		return wt_place_error(WT_ERROR_INPUT, &type_place,
				      "the buffer's %llu bytes are no multiple of %s's %u",
				      (unsigned long long)size, name, fill_ret->type->size);
	error = parse_term(&field, value, iota ? "start" : "value", fill_ret->type, false,
			   &fill_ret->start, &fill_ret->real_start);
	if (error || !iota)
		return error;
	return parse_term(&field, value, "step", fill_ret->type, true, &fill_ret->step,
			  &fill_ret->real_step);
}

struct wt_error *wt_fill_parse(const struct wt_place *place, json_t *value, uint64_t size,
			       struct wt_fill *fill_ret)
{
	static const char *const kinds[] = {"constant", "iota", "file", NULL};
	const struct wt_place file_place = wt_place_field(place, "file");
	json_t *iota = json_object_get(value, "iota"), *file = json_object_get(value, "file");
	struct wt_error *error;
	const char *path;

	error = wt_json_check_object(place, value, kinds);
	if (error)
		return error;
	if (json_object_size(value) != 1)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "%zu fields; a fill is one of constant, iota and file",
				      json_object_size(value));
	if (!file)
		return parse_elements(place, iota ? iota : json_object_get(value, "constant"),
				      iota != NULL, size, fill_ret);
	error = wt_json_string(&file_place, file, &path);
	if (error)
		return error;
	fill_ret->kind = WT_FILL_FILE;
	fill_ret->path = strdup(path);
	return fill_ret->path ? NULL : &wt_error_no_memory;
}

void wt_fill_elements(const struct wt_fill *fill, uint8_t *data, uint64_t size)
{
	uint64_t count = size / fill->type->size;

	for (uint64_t i = 0; i < count; i++) {
		uint8_t *element = data + i * fill->type->size;

		if (fill->type->real)
			store_real(fill->type, fill->real_start + (double)i * fill->real_step,
				   element);
		else
			store_whole(fill->type, fill->start + i * fill->step, element);
	}
}
