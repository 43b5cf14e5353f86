/* SPDX-License-Identifier: MIT */
/* Which unit, functions and blocks of DWARF hold an address. libdw's own search leaks memory where DWARF is broken. */
#ifndef WT_REPLAYER_CODE_ADDRESS_SCOPE_H
#define WT_REPLAYER_CODE_ADDRESS_SCOPE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* Deeper nesting of scopes than this is not looked into. */
#define WT_SCOPE_MAX_DEPTH 64

/* More children of one entry than this are not looked at. */
#define WT_SCOPE_MAX_CHILDREN 1000000

/** The unit that holds the address. */
bool wt_scope_unit(Dwarf *dwarf, uint64_t address, Dwarf_Die *unit_ret);

/**
 * The function, inlined function or block among the children of @parent that holds the address; namespaces and types hold what
 * is in them. WT_SCOPE_MAX_CHILDREN of them are looked at.
 *
 * @depth: how many of these may be in each other.
 * @scope_ret: may be @parent.
 */
bool wt_scope_find(Dwarf_Die *parent, uint64_t address, int depth, Dwarf_Die *scope_ret);

#endif /* WT_REPLAYER_CODE_ADDRESS_SCOPE_H */
