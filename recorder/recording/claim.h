/* SPDX-License-Identifier: MIT */
/*
 * Whose trace a file is. The environment that names it is inherited by all that the client starts, and any of
 * these programs may use the library too. The rule: a trace belongs to the process that began it, for as long
 * as that process lives, or a fork of it that executes no other program, unless it ends the trace itself. Whoever comes
 * meanwhile is not recorded. A lock on the file tells; it is gone with the process, whatever ends it.
 */
#ifndef WT_RECORDER_RECORDING_CLAIM_H
#define WT_RECORDER_RECORDING_CLAIM_H

#include <stdbool.h>

/**
 * Begin to look whose a trace is, and to make one: a lock on its directory keeps others from doing so until it is
 * released, so that of several who come at once one gets it. Waits for them a moment, not for ever; where directories
 * cannot be locked nothing happens.
 *
 * Return: for wt_claim_release(); -1 if there is no lock.
 */
int wt_claim_begin(const char *trace);

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

/** Give it up. @owner: is this the process that took it? Then forks of it, which share it, do not keep it. */
void wt_claim_release(int claim, bool owner);

/** Does the file of that very name belong to another process that lives? */
bool wt_claim_is_locked(const char *path);

#endif /* WT_RECORDER_RECORDING_CLAIM_H */
