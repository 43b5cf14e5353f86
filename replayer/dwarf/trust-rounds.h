/* SPDX-License-Identifier: MIT */
/* Rounds of loops: has a register what another round than that of the pc gives to a variable? */
#ifndef WT_REPLAYER_DWARF_TRUST_ROUNDS_H
#define WT_REPLAYER_DWARF_TRUST_ROUNDS_H

#include "replayer/dwarf/line-order.h"

/**
 * May a register of a place have what another round has given to the variable, of a loop or of one that became straight code?
 *
 * @is_single: one instruction makes the only value that the variable ever has.
 */
bool wt_dwarf_is_of_other_round(const struct wt_dwarf_order *order,
				const struct wt_dwarf_expression *expression, uint64_t number,
				bool is_single);

#endif /* WT_REPLAYER_DWARF_TRUST_ROUNDS_H */
