/* SPDX-License-Identifier: MIT */
/*
 * Which process records into a file. The environment that names the trace is inherited by all programs that the client
 * starts, and any of them may use the library too. The rule: a trace belongs to the process that began it, for as long
 * as that process lives, or a fork of it that executes no other program, unless it ends the trace itself. A process that
 * comes meanwhile is not recorded. The claim is a lock on the file, which the kernel drops when the process ends.
 */
#ifndef WT_RECORDER_RECORDING_CLAIM_H
#define WT_RECORDER_RECORDING_CLAIM_H

#include <stdbool.h>

/**
 * Lock the directory of a trace while it is found out who claims the trace, and one is created: of several processes
 * that start at once, one gets it. Waits for the others for a limited time; where directories cannot be locked nothing
 * happens.
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
