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
struct wt_substitute_uri;

#define WT_SUBSTITUTE_MACHINES 64
#define WT_SUBSTITUTE_NAMES 8
#define WT_SUBSTITUTE_GPUS 32

/* A GPU that the client sees under the ELF machine number of another one. */
struct wt_substitute_name {
	uint64_t architecture; /* recorded handle */
	uint32_t recorded, served;
};

struct wt_substitute {
	struct wt_substitute_uri *uris; /* of extracted code objects */
	/* Machine numbers that the client asked for. A debugger asks for all that it knows when it starts. */
	uint32_t asked[WT_SUBSTITUTE_MACHINES];
	size_t asked_count;
	/*
	 * Architectures of the recorded GPUs. The trace may have others, for which the recorded client asked. If the list
	 * is empty, each architecture of the trace may be that of a GPU.
	 */
	uint64_t gpus[WT_SUBSTITUTE_GPUS];
	size_t gpu_count;
	struct wt_substitute_name names[WT_SUBSTITUTE_NAMES];
	size_t name_count;
	bool told;	    /* the client was told that there are such names */
	bool told_of_names; /* and that of some code objects only the name is known */
};

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
