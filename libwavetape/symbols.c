/* SPDX-License-Identifier: MIT */
/* Symbols of code objects. */
#include "libwavetape/handles.h"

#include <inttypes.h>
#include <stdlib.h>

#include "replayer/code/source.h"

static const char cannot_list[] = "cannot list the symbols";

struct wavetape_symbols {
	struct wavetape_stop *stop; /* which has the names */
	uint64_t load_address;
	struct wt_source_symbol *list;
	size_t count;
};

static struct wt_error *symbols_take(struct wt_source *source, struct wavetape_symbols *symbols)
{
	struct wt_source_symbol symbol;
	size_t position = 0, capacity = 0;

	while (wt_source_symbol_next(source, &position, &symbol)) {
		if (symbols->count == capacity) {
			void *list;

			capacity = capacity ? 2 * capacity : 64;
			list = reallocarray(symbols->list, capacity, sizeof(symbol));
			if (!list)
				return &wt_error_no_memory;
			symbols->list = list;
		}
		symbols->list[symbols->count++] = symbol;
	}
	return NULL;
}

static struct wt_error *read_symbols(struct wavetape_stop *stop, uint64_t code_object,
				     struct wavetape_symbols *symbols)
{
	struct wt_source *source;
	struct wt_error *error;

	if (!wt_view_lists(stop->view, WT_OBJECT_CODE_OBJECT, code_object))
		return wt_error_create(WT_ERROR_NOT_FOUND, cannot_list, stop->trace->path,
				       "there is no code object %" PRIu64 " at stop %u",
				       code_object, stop->number);
	error = wt_explainer_source(stop->explainer, code_object, &source);
	if (!error && !source)
		error = wt_error_create(WT_ERROR_NOT_FOUND, cannot_list, stop->trace->path,
					"the bytes of code object %" PRIu64 " were not recorded",
					code_object);
	if (error)
		return error;
	symbols->load_address = wt_view_number_or(stop->view, WT_OBJECT_CODE_OBJECT, code_object,
						  AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS, 0);
	return symbols_take(source, symbols);
}

struct wavetape_error *wavetape_symbols_open(struct wavetape_stop *stop, uint64_t code_object,
					     struct wavetape_symbols **symbols_ret)
{
	struct wavetape_symbols *symbols;
	struct wt_error *error;

	if (!stop || !symbols_ret)
		return wt_wrong_argument(cannot_list,
					 "the stop or the place for the symbols is NULL");
	symbols = calloc(1, sizeof(*symbols));
	if (!symbols)
		return wt_public(&wt_error_no_memory);
	error = read_symbols(stop, code_object, symbols);
	if (error) {
		free(symbols->list);
		free(symbols);
		return wt_public(error);
	}
	symbols->stop = stop;
	stop->users++;
	*symbols_ret = symbols;
	return NULL;
}

void wavetape_symbols_close(struct wavetape_symbols *symbols)
{
	if (!symbols)
		return;
	wt_stop_release(symbols->stop);
	free(symbols->list);
	free(symbols);
}

size_t wavetape_symbols_count(const struct wavetape_symbols *symbols)
{
	return symbols ? symbols->count : 0;
}

struct wavetape_error *wavetape_symbols_get(const struct wavetape_symbols *symbols, size_t index,
					    struct wavetape_symbol *symbol_ret)
{
	static const uint32_t kinds[] = {
		[WT_SYMBOL_OTHER] = WAVETAPE_SYMBOL_OTHER,
		[WT_SYMBOL_FUNCTION] = WAVETAPE_SYMBOL_FUNCTION,
		[WT_SYMBOL_OBJECT] = WAVETAPE_SYMBOL_OBJECT,
	};
	const struct wt_source_symbol *known;
	struct wavetape_symbol symbol;

	if (!symbols || index >= symbols->count)
		return wt_wrong_argument(cannot_list, "the list is NULL, or is shorter");
	known = &symbols->list[index];
	symbol = (struct wavetape_symbol){
		.name = known->name,
		.address = symbols->load_address + known->address,
		.elf_address = known->address,
		.bytes = known->size,
		.kind = kinds[known->kind],
	};
	return wt_give(cannot_list, &symbol, sizeof(symbol), symbol_ret);
}
