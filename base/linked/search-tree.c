/* SPDX-License-Identifier: MIT */
/* Search trees of elfutils, for static libraries that do not have them. */

/*
 * Since 0.192 libelf and libdw call these functions of a third library, libeu, which Debian 13 has put into neither of its archives. A tree is a root
 * as that of tsearch(), with a lock behind it that only these functions know; without them, as before 0.192, one thread at a time works on it, and
 * that is how it is used here. The linker takes them where nothing else has them.
 */
#include <search.h>
#include <stddef.h>

struct search_tree {
	void *root;
};

typedef int (*comparison)(const void *, const void *);

void *eu_tsearch(const void *key, struct search_tree *tree, comparison compare);
void *eu_tfind(const void *key, struct search_tree *tree, comparison compare);
void *eu_tdelete(const void *key, struct search_tree *tree, comparison compare);
void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *));
void eu_search_tree_init(struct search_tree *tree);
void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *));

void *eu_tsearch(const void *key, struct search_tree *tree, comparison compare)
{
	return tsearch(key, &tree->root, compare);
}

void *eu_tfind(const void *key, struct search_tree *tree, comparison compare)
{
	return tfind(key, &tree->root, compare);
}

void *eu_tdelete(const void *key, struct search_tree *tree, comparison compare)
{
	return tdelete(key, &tree->root, compare);
}

void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = NULL;
}

void eu_search_tree_init(struct search_tree *tree)
{
	tree->root = NULL;
}

void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *))
{
	eu_tdestroy(tree, free_node);
}
