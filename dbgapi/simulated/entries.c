/* SPDX-License-Identifier: MIT */
#include "dbgapi/simulated/entries.h"

#include <stdlib.h>

#define FIRST_BITS 5u
/* So many numbers in a row have their chains side by side: who goes through all objects finds the next chain in the cache. */
#define BLOCK_BITS 4u
#define BLOCK (1u << BLOCK_BITS)
/* Its multiples are far from each other, so blocks that follow one another do not meet, nor do those at a regular distance. */
#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

static uint64_t entry_number(const struct wt_api_entry *entry, enum wt_api_key key)
{
	return key == WT_BY_HANDLE ? entry->handle : entry->number;
}

/*
 * There are chains once anything was added. Each block begins elsewhere within its place: so blocks that meet there, and of
 * which only a few numbers are left, each the same, mostly use different chains.
 */
static struct wt_api_entry **chain_of(const struct wt_api_table *table, uint64_t number)
{
	uint64_t mixed = number / BLOCK * SPREAD;
	uint64_t place = mixed >> (64 - table->bits + BLOCK_BITS);

	return &table->chains[place * BLOCK + (number + (mixed >> 36)) % BLOCK];
}

static void table_put(struct wt_api_table *table, enum wt_api_key key, struct wt_api_entry *entry)
{
	struct wt_api_entry **chain = chain_of(table, entry_number(entry, key));

	entry->chained[key] = *chain;
	*chain = entry;
}

/* Within a chain, what was added later stays in front. */
static void move_chain(struct wt_api_table *to, enum wt_api_key key, struct wt_api_entry *entry)
{
	struct wt_api_entry *next, *reversed = NULL;

	for (; entry; entry = next) {
		next = entry->chained[key];
		entry->chained[key] = reversed;
		reversed = entry;
	}
	for (; reversed; reversed = next) {
		next = reversed->chained[key];
		table_put(to, key, reversed);
	}
}

static bool table_grow(struct wt_api_table *table, enum wt_api_key key)
{
	struct wt_api_table grown = {.bits = table->chains ? table->bits + 1 : FIRST_BITS,
				     .count = table->count};

	grown.chains = calloc((size_t)1 << grown.bits, sizeof(struct wt_api_entry *));
	if (!grown.chains)
		return false;
	for (size_t i = 0; table->chains && i < (size_t)1 << table->bits; i++)
		move_chain(&grown, key, table->chains[i]);
	free(table->chains);
	*table = grown;
	return true;
}

bool wt_table_add(struct wt_api_table *table, enum wt_api_key key, struct wt_api_entry *entry)
{
	if ((!table->chains || table->count >> table->bits) && !table_grow(table, key))
		return false;
	table_put(table, key, entry);
	table->count++;
	return true;
}

struct wt_api_entry *wt_table_find(const struct wt_api_table *table, enum wt_api_key key,
				   uint64_t number)
{
	struct wt_api_entry *entry;

	if (!table->chains)
		return NULL;
	entry = *chain_of(table, number);
	while (entry && entry_number(entry, key) != number)
		entry = entry->chained[key];
	return entry;
}

void wt_table_remove(struct wt_api_table *table, enum wt_api_key key, struct wt_api_entry *entry)
{
	struct wt_api_entry **link = chain_of(table, entry_number(entry, key));

	while (*link != entry)
		link = &(*link)->chained[key];
	*link = entry->chained[key];
	table->count--;
}

void wt_table_deinit(struct wt_api_table *table)
{
	free(table->chains);
	*table = (struct wt_api_table){0};
}
