/* SPDX-License-Identifier: MIT */
/*
 * What a client is served otherwise than it was recorded, because it could not use it as it was:
 * URIs of files that are not here, and GPUs that it has never heard of. Nothing of it without an
 * option.
 */
#ifndef WT_REPLAYER_LIBRARY_SUBSTITUTE_H
#define WT_REPLAYER_LIBRARY_SUBSTITUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_substitute_uri;

#define WT_SUBSTITUTE_MACHINES 64
#define WT_SUBSTITUTE_NAMES 8
#define WT_SUBSTITUTE_GPUS 32

/* A GPU under another's ELF machine number. */
struct wt_substitute_name {
	uint64_t architecture; /* recorded handle */
	uint32_t recorded, served;
};

struct wt_substitute {
	struct wt_substitute_uri *uris; /* of extracted code objects */
	/*
	 * Machine numbers that the client asked for. A debugger asks for all it knows, at its
	 * start.
	 */
	uint32_t asked[WT_SUBSTITUTE_MACHINES];
	size_t asked_count;
	/*
	 * Architectures of the recorded GPUs. A trace may tell of more, which the recorded client
	 * asked for. None: any of them may be one.
	 */
	uint64_t gpus[WT_SUBSTITUTE_GPUS];
	size_t gpu_count;
	struct wt_substitute_name names[WT_SUBSTITUTE_NAMES];
	size_t name_count;
	bool told;	    /* the client, that there are any */
	bool told_of_names; /* and that there are code objects of which only the name is known */
};

void wt_substitute_deinit(struct wt_substitute *substitute);

/** A trace was opened, or a process is attached to: find out what GPUs it is of. */
void wt_substitute_look(void);

/** Is an architecture that of a recorded GPU, as far as a client that is served otherwise has to know? */
bool wt_substitute_is_gpu(uint64_t architecture);

/** The client asks for an architecture. */
void wt_substitute_asked(uint32_t machine);

/**
 * A process was attached to: recorded GPUs that the client never asked for are served under the
 * machine number of the most alike that it did ask for.
 */
void wt_substitute_choose(void);

/** The architecture that a machine number stands for by that; 0 if it stands for none. */
uint64_t wt_substitute_architecture(uint32_t machine);

/** The machine number that an architecture is served under; false if it is its own. */
bool wt_substitute_machine(uint64_t architecture, uint32_t *machine_ret);

/**
 * The URI of an extracted copy of a code object. Where its bytes are not in the trace, or could not be
 * written (which is then logged), it is one that cannot be opened. NULL if there is no such option, and
 * the recorded one is to be served; or if there is no memory.
 */
const char *wt_substitute_uri(uint64_t code_object);

#endif /* WT_REPLAYER_LIBRARY_SUBSTITUTE_H */
