/* SPDX-License-Identifier: MIT */
/*
 * An ELF core file that has a GPU's state: the core-state note, and memory by address. AMD's runtime writes a GPU's state and its memory
 * into a file of their own, beside the kernel's core file of the process: both together are what one merged file is.
 *
 * The file is never held in memory: its program headers are, and its bytes are read where they are
 * asked for. What comes through a pipe is kept in a temporary file meanwhile. Nothing in the file
 * is trusted, and it may end anywhere behind its program headers and its notes.
 */
#ifndef WT_RECORDER_AGENT_CORE_FILE_H
#define WT_RECORDER_AGENT_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wt_core_file;

/* Facts about the file as such. */
struct wt_core_file_facts {
	uint64_t size;		  /* bytes of the file that are there */
	uint64_t segments;	  /* of memory */
	uint64_t memory_bytes;	  /* that the file should hold */
	uint64_t missing_bytes;	  /* of these, behind the end of a file that was cut off */
	uint64_t missing_address; /* of the first of them in memory */
	bool of_process; /* the GPUs' state is in the core of the process itself, with the memory of that */
};

/* Called while a pipe is read: bytes so far. */
typedef void (*wt_core_file_progress)(void *opaque, uint64_t bytes);

/**
 * Open a core file.
 *
 * @path: of a file, or of a pipe; "-" is the standard input.
 * @host: likewise, the core file of the process itself, which has no note of a GPU: what memory the first does not have is read from
 *        it, and the facts are of both. NULL: there is none.
 * @temporary: the directory for what comes through a pipe.
 * @progress: may be NULL.
 *
 * Errors: WT_ERROR_IO; WT_ERROR_INPUT for what is no 64-bit little-endian ELF core file, is cut off
 * before its memory begins, or has no note of a GPU where it is to have one, or one where not; WT_ERROR_LIMIT.
 */
struct wt_error *wt_core_file_open(const char *path, const char *host, const char *temporary,
				   wt_core_file_progress progress, void *opaque,
				   struct wt_core_file **file_ret);
void wt_core_file_close(struct wt_core_file *file);

/** The content of the core-state note; owned by the file. */
const void *wt_core_file_note(const struct wt_core_file *file, size_t *size_ret);

const struct wt_core_file_facts *wt_core_file_facts(const struct wt_core_file *file);

/** Bytes of memory from @address on: fewer than @size where what the file has of it ends. */
size_t wt_core_file_read(struct wt_core_file *file, uint64_t address, void *data, size_t size);

/** One piece of memory after the other of the file that has the GPUs' state, as far as it is there; false behind the last. */
bool wt_core_file_piece(const struct wt_core_file *file, size_t index, uint64_t *address_ret,
			uint64_t *size_ret);

#endif /* WT_RECORDER_AGENT_CORE_FILE_H */
