/* SPDX-License-Identifier: MIT */
/* Names of signals without "SIG". The C library has told them since 2.32 only. */
#ifndef WT_BASE_SIGNAL_NAMES_H
#define WT_BASE_SIGNAL_NAMES_H

/** The name of a signal of the kernel's own: "USR2"; NULL for another number. */
const char *wt_signal_name(int number);

#endif /* WT_BASE_SIGNAL_NAMES_H */
