/* SPDX-License-Identifier: MIT */
#ifndef WT_TOOL_DEMANGLE_H
#define WT_TOOL_DEMANGLE_H

#define WT_TOOL_NAME 256

/**
 * The name of a function as its author wrote it, cut where it is longer than the buffer. The program's own C++ library
 * demangles it, which HIP programs have; without one, and for what is no C++ name, it stays as it is.
 */
const char *wt_tool_name(const char *symbol, char buffer[WT_TOOL_NAME]);

#endif /* WT_TOOL_DEMANGLE_H */
