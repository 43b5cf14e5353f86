/* SPDX-License-Identifier: MIT */
/*
 * Signatures make crashes of one cause look the same: names of functions without what differs between instances of one template,
 * overloads and builds.
 */
#ifndef WT_REPLAYER_VIEW_SIGNATURE_H
#define WT_REPLAYER_VIEW_SIGNATURE_H

#include <stdint.h>

/**
 * The qualified name of a function without template arguments, parameters, return type, and what compilers append:
 * "void at::fill<4, float>(float*) [clone .kd]" gives "at::fill". Of a name that OpenMP gave to a kernel the numbers of device and
 * file go.
 *
 * @name: as a demangler has it, or of C. What cannot be taken apart stays as it is.
 *
 * Return: for the caller to free(); NULL if there is no memory.
 */
char *wt_signature_name(const char *name);

/**
 * The start of a hash, and the hash of what came before with a text after it; NULL differs from "". It is XXH3 with what came before
 * as seed: the same on every machine, and not against attackers.
 */
#define WT_SIGNATURE_START UINT64_C(0)
uint64_t wt_signature_add(uint64_t hash, const char *text);

#endif /* WT_REPLAYER_VIEW_SIGNATURE_H */
