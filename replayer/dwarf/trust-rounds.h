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

/**
 * May a register of a place have what the round before has given to the variable, at its end? Code of a loop may be turned, so that the loop is
 * entered behind what writes the register: that is done at the end of each round then, also in place of a line in front of the pc,
 * which this round has passed already. Only what the head does with its own variable belongs there.
 */
bool wt_dwarf_is_of_turned_round(const struct wt_dwarf_order *order, uint64_t number);

#endif /* WT_REPLAYER_DWARF_TRUST_ROUNDS_H */
