/* SPDX-License-Identifier: MIT */
/*
 * Answers in place of recorded ones that this client could not use: URIs of files that are not on this machine, and ELF
 * machine numbers of GPUs that the client does not know. Only with an option of the replay (struct wt_replay_options).
 */
#ifndef WT_REPLAYER_LIBRARY_SUBSTITUTE_H
#define WT_REPLAYER_LIBRARY_SUBSTITUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_replay_process;
struct wt_substitute;

void wt_substitute_deinit(struct wt_substitute *substitute);

/** Find the GPUs of the trace. Call it when a trace is opened or a process attached. */
void wt_substitute_look(void);

/** Is it the architecture of a recorded GPU? True if that is not known. */
bool wt_substitute_is_gpu(uint64_t architecture);

/** Note that the client asked for the architecture with this machine number. */
void wt_substitute_asked(uint32_t machine);

/**
 * Choose a machine number for each recorded GPU that the client never asked for: that of the most similar architecture that it
 * did ask for. Call it when a process is attached.
 */
void wt_substitute_choose(void);

/** The architecture for which the machine number was chosen; 0 if there is none. */
uint64_t wt_substitute_architecture(uint32_t machine);

/** The machine number that was chosen for an architecture; false if it has its own. */
bool wt_substitute_machine(uint64_t architecture, uint32_t *machine_ret);

/**
 * The URI of an extracted copy of a code object. If its bytes are not in the trace, or cannot be written (an error is
 * logged), it is a URI that cannot be opened.
 * Return: NULL if the recorded URI is to be used, because the option is not set or there is no memory.
 */
const char *wt_substitute_uri(const struct wt_replay_process *process, uint64_t code_object);

#endif /* WT_REPLAYER_LIBRARY_SUBSTITUTE_H */
