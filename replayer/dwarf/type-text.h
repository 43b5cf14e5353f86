/* SPDX-License-Identifier: MIT */
/* A type as its source declares it, for who asks what it is made of. */
#ifndef WT_REPLAYER_DWARF_TYPE_TEXT_H
#define WT_REPLAYER_DWARF_TYPE_TEXT_H

#include "base/buffer.h"
#include "replayer/dwarf/type.h"

/** Append what a type is made of, without its typedefs: members with bases, enumerators with values; of a pointer what it points to. */
void wt_dwarf_type_define(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_buffer *text);

/** Append its name, of a typedef the name of what that stands for. */
void wt_dwarf_type_unroll(const struct wt_dwarf_type *type, struct wt_dwarf_unit *unit,
			  struct wt_buffer *text);

#endif /* WT_REPLAYER_DWARF_TYPE_TEXT_H */
