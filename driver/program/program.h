/* SPDX-License-Identifier: MIT */
/*
 * The side of the driver that is in the program: a preloaded library in whose process the files of AMD's kernel driver
 * exist. It redirects paths and passes calls on to the owner of the device; it must not know what a call means, and leaves
 * a process that never opens these files as it is: no thread, no descriptor, no signal handler.
 *
 * files.c has the functions of the C library that it stands in front of, session.c the connections to the owner.
 */
#ifndef WT_DRIVER_PROGRAM_PROGRAM_H
#define WT_DRIVER_PROGRAM_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "driver/wire/wire.h"

/**
 * Where a path of the system is found: below the session's directory for what belongs to the driver, else where it was.
 *
 * @buffer: room for the new path.
 *
 * Return: @path or @buffer.
 */
const char *wt_program_path(const char *path, char buffer[PATH_MAX]);

/** Which of the driver's files a path names; WT_WIRE_FILES if none. */
enum wt_wire_file wt_program_file_of(const char *path);

/** Open one of the driver's files. Return: a descriptor of the caller's, or -1 and errno. */
int wt_program_open(enum wt_wire_file file, int flags);

/** Which of the driver's files a descriptor is of, also one that was duplicated; WT_WIRE_FILES if none. */
enum wt_wire_file wt_program_file_at(int fd);

/** A call on one of the files. Return: as ioctl() does, with errno. */
int wt_program_call(enum wt_wire_file file, unsigned long request, void *argument);

#endif /* WT_DRIVER_PROGRAM_PROGRAM_H */
