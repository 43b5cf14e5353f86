/* SPDX-License-Identifier: MIT */
/*
 * The gate: a library that is preloaded into whatever a command starts, in place of one of our providers. It has the provider's
 * name and symbols, needs nothing but the C library, and does nothing before a program makes a call of the API. With the first
 * call it loads the provider, and takes itself out of LD_PRELOAD, so that what that program starts, a debugged program above all,
 * has the environment that it would have without us. A program that is linked with the library finds the gate in its place
 * whatever its run path says, since the loader has a library of the name already, and so does one that loads it by its name.
 */
#ifndef WT_DBGAPI_GATE_GATE_H
#define WT_DBGAPI_GATE_GATE_H

#include <stddef.h>

/*
 * The gate reads two variables: WAVETAPE_PROVIDER is the path of the provider that calls go to; WAVETAPE_PROVIDER_NOTES
 * is that of a file for notes, a line each: that the provider was loaded, or why not. The file need not be there.
 */
/* Characters with which a line of the notes begins. */
#define WT_GATE_LOADED '+'
#define WT_GATE_FAILED '-'

struct wt_gate_symbol {
	const char *name, *version;
};

/* Generated from the API table: the functions at their versions, and where the entry of each jumps to. */
extern const struct wt_gate_symbol wt_gate_symbols[];
extern const size_t wt_gate_count;
extern void *wt_gate_functions[];

/**
 * The address of a function in the provider, which is loaded if it is not yet. For entries, before their first jump to it.
 *
 * @index: of the function in the tables.
 *
 * Return: the address; of a function that answers AMD_DBGAPI_STATUS_ERROR where there is no provider. errno stays.
 */
void *wt_gate_find(size_t index);

#endif /* WT_DBGAPI_GATE_GATE_H */
