/* SPDX-License-Identifier: MIT */
/* Code objects: which are the same ones, and what differs in those that are not. */
#include <stdlib.h>
#include <string.h>

#include "base/uri.h"
#include "replayer/diff/internal.h"

#define NO_PARTNER SIZE_MAX

static int compare_codes(const void *a, const void *b)
{
	const struct wt_diff_code *x = a, *y = b;

	return x->handle < y->handle ? -1 : x->handle > y->handle;
}

static bool find_codes(struct wt_diff_half *half)
{
	const uint64_t *listed;
	size_t count = wt_view_objects(half->view, WT_OBJECT_CODE_OBJECT, &listed);

	half->codes = calloc(count + 1, sizeof(*half->codes));
	if (!half->codes)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct wt_diff_code *code = &half->codes[i];

		code->handle = listed[i];
		code->partner = NO_PARTNER;
		code->load_address = wt_view_number_or(half->view, WT_OBJECT_CODE_OBJECT, listed[i],
						       AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 0);
		code->uri = wt_view_text(half->view, WT_OBJECT_CODE_OBJECT, listed[i],
					 AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);
		code->recorded = wt_view_image(half->view, listed[i], &code->data, &code->size);
	}
	half->code_count = count;
	qsort(half->codes, count, sizeof(*half->codes), compare_codes);
	return true;
}

/* ---- Matching ---- */

static bool same_code_bytes(const struct wt_diff_code *a, const struct wt_diff_code *b)
{
	return a->recorded && b->recorded && a->size == b->size &&
	       !memcmp(a->data, b->data, a->size);
}

/* The process of a memory:// URI is another one in each run. */
static bool same_uri(const struct wt_diff_code *a, const struct wt_diff_code *b)
{
	struct wt_uri x = {0}, y = {0};
	bool same = a->uri && b->uri && !strcmp(a->uri, b->uri);
	struct wt_error *error;

	if (same || !a->uri || !b->uri)
		return same;
	error = wt_uri_parse(a->uri, &x);
	if (!error)
		error = wt_uri_parse(b->uri, &y);
	same = !error && x.kind == WT_URI_MEMORY && y.kind == WT_URI_MEMORY &&
	       x.offset == y.offset && x.size == y.size;
	wt_uri_deinit(&x);
	wt_uri_deinit(&y);
	wt_error_destroy(error);
	return same;
}

static bool same_place_and_bytes(const struct wt_diff_code *a, const struct wt_diff_code *b)
{
	return a->load_address == b->load_address && same_code_bytes(a, b);
}

static bool any_other(const struct wt_diff_code *a, const struct wt_diff_code *b)
{
	(void)a;
	(void)b;
	return true;
}

/* Pair those that have no partner yet, in order, by one criterion. Returns how many of A are left. */
static size_t match_by(struct wt_diff_pair *pair,
		       bool (*same)(const struct wt_diff_code *, const struct wt_diff_code *))
{
	struct wt_diff_half *a = &pair->half[WT_DIFF_A], *b = &pair->half[WT_DIFF_B];
	size_t left = 0;

	for (size_t i = 0; i < a->code_count; i++) {
		for (size_t j = 0; a->codes[i].partner == NO_PARTNER && j < b->code_count; j++) {
			if (b->codes[j].partner != NO_PARTNER || !same(&a->codes[i], &b->codes[j]))
				continue;
			a->codes[i].partner = j;
			b->codes[j].partner = i;
		}
		left += a->codes[i].partner == NO_PARTNER;
	}
	return left;
}

static size_t count_left(const struct wt_diff_half *half)
{
	size_t left = 0;

	for (size_t i = 0; i < half->code_count; i++)
		left += half->codes[i].partner == NO_PARTNER;
	return left;
}

/* By what says most first. What is left is paired in order if there is as much of it on both sides. */
static void code_objects_match(struct wt_diff_pair *pair)
{
	match_by(pair, same_place_and_bytes);
	match_by(pair, same_code_bytes);
	if (match_by(pair, same_uri) == count_left(&pair->half[WT_DIFF_B]))
		match_by(pair, any_other);
}

/* ---- Reporting ---- */

static struct wt_diff code_diff_describe(size_t position, enum wt_diff_what what)
{
	return (struct wt_diff){
		.kind = WT_DIFF_CODE_OBJECT, .what = what, .position = position + 1};
}

static struct wt_error *report_bytes(struct wt_diff_pair *pair, size_t position,
				     const struct wt_diff_code *const code[WT_DIFF_SIDES])
{
	struct wt_diff diff = code_diff_describe(position, WT_DIFF_BYTES);
	bool recorded = true;

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		pair->counts.only_images[side] += code[side]->recorded && !code[!side]->recorded;
		recorded &= code[side]->recorded;
		diff.value[side] = (struct wt_diff_value){
			.present = true, .data = code[side]->data, .size = code[side]->size};
	}
	pair->counts.no_images += !code[WT_DIFF_A]->recorded && !code[WT_DIFF_B]->recorded;
	if (!recorded || same_code_bytes(code[WT_DIFF_A], code[WT_DIFF_B]))
		return NULL;
	return wt_diff_report(pair, &diff);
}

static struct wt_error *report_pair(struct wt_diff_pair *pair, size_t position,
				    const struct wt_diff_code *const code[WT_DIFF_SIDES])
{
	struct wt_diff load = code_diff_describe(position, WT_DIFF_LOAD_ADDRESS);
	struct wt_diff uri = code_diff_describe(position, WT_DIFF_URI);
	struct wt_error *error = report_bytes(pair, position, code);

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		load.value[side] =
			(struct wt_diff_value){.present = true, .number = code[side]->load_address};
		uri.value[side] = (struct wt_diff_value){.present = code[side]->uri != NULL,
							 .text = code[side]->uri};
	}
	pair->counts.code_objects++;
	if (!error && code[WT_DIFF_A]->load_address != code[WT_DIFF_B]->load_address)
		error = wt_diff_report(pair, &load);
	if (!error && code[WT_DIFF_A]->uri && code[WT_DIFF_B]->uri &&
	    !same_uri(code[WT_DIFF_A], code[WT_DIFF_B]))
		error = wt_diff_report(pair, &uri);
	return error;
}

static struct wt_error *single_code_report(struct wt_diff_pair *pair, enum wt_diff_side side,
					   size_t position)
{
	const struct wt_diff_code *code = &pair->half[side].codes[position];
	struct wt_diff diff = code_diff_describe(position, WT_DIFF_EXISTENCE);

	diff.value[side] = (struct wt_diff_value){
		.present = true, .text = code->uri, .number = code->load_address};
	return wt_diff_report(pair, &diff);
}

struct wt_error *wt_diff_codes(struct wt_diff_pair *pair)
{
	struct wt_diff_half *a = &pair->half[WT_DIFF_A], *b = &pair->half[WT_DIFF_B];
	struct wt_error *error = NULL;

	if (!find_codes(a) || !find_codes(b))
		return &wt_error_no_memory;
	code_objects_match(pair);
	pair->same_layout = !count_left(a) && !count_left(b);
	for (size_t i = 0; !error && i < a->code_count; i++) {
		const struct wt_diff_code *code[WT_DIFF_SIDES] = {&a->codes[i], NULL};

		if (a->codes[i].partner == NO_PARTNER) {
			error = single_code_report(pair, WT_DIFF_A, i);
			continue;
		}
		code[WT_DIFF_B] = &b->codes[a->codes[i].partner];
		pair->same_layout &= code[WT_DIFF_A]->load_address == code[WT_DIFF_B]->load_address;
		error = report_pair(pair, i, code);
	}
	for (size_t i = 0; !error && i < b->code_count; i++)
		if (b->codes[i].partner == NO_PARTNER)
			error = single_code_report(pair, WT_DIFF_B, i);
	return error;
}

/* ---- Addresses ---- */

/* The code object around an address; NULL if there is none whose bytes were recorded. */
static const struct wt_diff_code *code_at(const struct wt_diff_half *half, uint64_t address)
{
	uint64_t handle = wt_view_code_object_at(half->view, address, NULL);

	for (size_t i = 0; handle && i < half->code_count; i++)
		if (half->codes[i].handle == handle)
			return &half->codes[i];
	return NULL;
}

bool wt_diff_same_code(const struct wt_diff_pair *pair, const uint64_t address[WT_DIFF_SIDES])
{
	const struct wt_diff_half *b = &pair->half[WT_DIFF_B];
	const struct wt_diff_code *code[WT_DIFF_SIDES];

	if (pair->same_layout)
		return address[WT_DIFF_A] == address[WT_DIFF_B];
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		code[side] = code_at(&pair->half[side], address[side]);
	if (!code[WT_DIFF_A] || !code[WT_DIFF_B])
		return !code[WT_DIFF_A] && !code[WT_DIFF_B] &&
		       address[WT_DIFF_A] == address[WT_DIFF_B];
	return code[WT_DIFF_A]->partner != NO_PARTNER &&
	       &b->codes[code[WT_DIFF_A]->partner] == code[WT_DIFF_B] &&
	       address[WT_DIFF_A] - code[WT_DIFF_A]->load_address ==
		       address[WT_DIFF_B] - code[WT_DIFF_B]->load_address;
}
