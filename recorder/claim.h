/* SPDX-License-Identifier: MIT */
/*
 * Whose trace a file is. The environment that names it is inherited by all that the client starts, and any of
 * these programs may use the library too. The rule: a trace belongs to the process that began it, for as long
 * as that process lives, or a fork of it that executes no other program. Whoever comes meanwhile is not
 * recorded. A lock on the file tells; it is gone with the process, whatever ends it.
 */
#ifndef WT_RECORDER_CLAIM_H
#define WT_RECORDER_CLAIM_H

#include <stdbool.h>

/** Does the trace of that name belong to a process that lives? Also one that has its first name still. */
bool wt_claim_is_held(const char *trace);

/**
 * Claim a trace, by the name that its file has now, until the process ends or unloads the library: other
 * programs must not replace a trace that broke off, either. Where files cannot be locked, nothing happens.
 * The claim is of this file: one that takes its place must be claimed before it does.
 *
 * Return: for wt_claim_release(); -1 if there is no claim.
 */
int wt_claim_hold(const char *path);
void wt_claim_release(int claim);

#endif /* WT_RECORDER_CLAIM_H */
