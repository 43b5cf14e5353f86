/* SPDX-License-Identifier: MIT */
/*
 * The interface between wavetape-host and the libraries: where the host's own memory is, the block through which they
 * communicate, and the file that the host maps. A debugger runs or attaches to the host as if it were the program that
 * uses the GPU. A library reads and writes the host's memory from outside, as any debugger does, and so finds this block.
 *
 * This room holds the host program (host.c, which is linked alone) and how libraries reach it. It must not know where the
 * bytes of the file come from.
 */
#ifndef WT_DBGAPI_HOST_HOST_H
#define WT_DBGAPI_HOST_HOST_H

#include <stdint.h>

#define WT_HOST_NAME "wavetape-host" /* its file */

/* The whole program lies in here, far below what a recorded process has; see meson.build. */
#define WT_HOST_START 0x100000u
#define WT_HOST_BLOCK 0x180000u /* where the block is */
#define WT_HOST_END 0x200000u	/* no recorded range below it is mapped */

#define WT_HOST_MAGIC 0x3174736f68747721u /* "!wthost1" */

enum wt_host_state {
	WT_HOST_MAPPING = 1, /* it has not got its ranges yet */
	WT_HOST_READY,	     /* it called, or is about to call, the ready function */
};

enum wt_host_command {
	WT_HOST_WAIT,
	WT_HOST_EXIT, /* the recording is at its end: exit, status 0 */
	WT_HOST_CALL, /* call the ready function again; the host then sets WAIT */
};

#define WT_HOST_IMAGE_SIZE 64

struct wt_host_block {
	uint64_t magic;
	uint64_t ready;	  /* address of the ready function */
	uint32_t state;	  /* enum wt_host_state: the host's */
	uint32_t command; /* enum wt_host_command: the library's */
	uint32_t ranges;  /* how many a shared file has by now: the library's */
	uint32_t mapped;  /* of these: the host's */
	/* The path of the file; empty: it is named as wavetape-host says. The library's, before the host has run. */
	char image[WT_HOST_IMAGE_SIZE];
};

/*
 * The file: a header, then as many ranges, in the order of their addresses and not overlapping,
 * then their bytes. Little endian, as the host is.
 *
 * Of a file that is shared the host writes, and sees, the bytes themselves, not a copy. More ranges may come to it while the
 * host runs, in any order: the host maps them when the block says that they are there.
 */
#define WT_HOST_FILE_MAGIC 0x31676d6968747721u	 /* "!wthimg1" */
#define WT_HOST_SHARED_MAGIC 0x31656d6873747721u /* "!wtshme1" */
#define WT_HOST_RANGES 65000u /* at most: Linux gives a process about so many mappings */
#define WT_HOST_PAGE 4096u
/* The end of what a program of an ordinary x86-64 Linux can map. */
#define WT_HOST_LIMIT 0x7ffffffff000u

struct wt_host_file {
	uint64_t magic;
	uint64_t range_count;
};

struct wt_host_range {
	uint64_t address, size; /* multiples of the page size */
	uint64_t offset;	/* in the file, likewise */
};

/* Exit codes. */
enum wt_host_exit {
	WT_HOST_EXIT_FINE = 0,
	WT_HOST_EXIT_FAILED = 1, /* a range could not be mapped, the file not be read */
	WT_HOST_EXIT_USAGE = 2,
};

#endif /* WT_DBGAPI_HOST_HOST_H */
