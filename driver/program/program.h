/* SPDX-License-Identifier: MIT */
/*
 * The part of the driver that is in the program: a preloaded library. For its process the files of AMD's kernel driver exist.
 * It redirects paths and passes ioctls to the owner of the device.
 *
 *     files.c             the functions of the C library that open files
 *     lookups.c           those that say what is at a path
 *     own-mappings.c      the process's list of mappings
 *     owner-connection.c  the connections to the owner
 *
 * The room must not know what a call means. It changes nothing in a process that does not open these files: no thread, no
 * descriptor, no signal handler.
 */
#ifndef WT_DRIVER_PROGRAM_PROGRAM_H
#define WT_DRIVER_PROGRAM_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "driver/wire/wire.h"

/**
 * The path to use for @path: in the session's directory if the file belongs to the driver, else @path itself.
 *
 * @buffer: memory for the new path.
 *
 * Return: @path or @buffer.
 */
const char *wt_program_path(const char *path, char buffer[PATH_MAX]);

/** The root of the session's files, in @buffer; NULL: there is no session. */
const char *wt_program_root(char buffer[PATH_MAX]);

/** The driver's file that a path names; WT_WIRE_FILES if it names none. */
enum wt_wire_file wt_program_file_of(const char *path);

/**
 * Open one of the driver's files.
 *
 * @path: as wt_program_file_of() knows it: the number of a render node is told to the owner with each call.
 *
 * Return: a descriptor, which the caller closes; or -1 and errno.
 */
int wt_program_open(enum wt_wire_file file, const char *path, int flags);

/** Whether this process has opened the device. */
bool wt_program_has_device(void);

/**
 * Open the process's own list of mappings, in which the device's memory has the driver's names.
 *
 * Return: a descriptor for reading, which the caller closes; -1 if @path is another file, or the list is to be read as it is.
 */
int wt_program_open_maps(const char *path);

/** The driver's file that a descriptor is of, also after dup(); WT_WIRE_FILES if it is of none. */
enum wt_wire_file wt_program_file_at(int fd);

/** An ioctl on one of the files, by its descriptor. Return: as ioctl(), with errno. */
int wt_program_call(enum wt_wire_file file, int fd, unsigned long request, void *argument);

#endif /* WT_DRIVER_PROGRAM_PROGRAM_H */
