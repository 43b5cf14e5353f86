/* SPDX-License-Identifier: MIT */
/* A process of one's own, for work that may end whoever does it. */
#ifndef WT_BASE_APART_H
#define WT_BASE_APART_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Let a process fork off that serves one end of a socket (of packets, AF_UNIX).
 *
 * Nobody has to wait for the process: a debugger that waits for any child does not meet it. No file that is open here is open there,
 * its standard streams are /dev/null, signals are as in a new program, and what it dies of leaves no core file.
 * Other threads of the caller may be anywhere: of the C library it may use what is safe in a child of such.
 *
 * @serve: runs there with the socket, which is at its end when all who hold the other end are gone; the process ends with it.
 * @socket_ret: the other end, no standard stream, for the caller to close(). A child that the caller forks has it, too.
 *
 * Return: false if there is no process or no socket to be had; errno says why.
 */
bool wt_apart_begin(void (*serve)(int socket), int *socket_ret);

/**
 * In the process that serves: what it does now may take so long, else it tells who asked, and ends.
 *
 * @socket: of the function that serves.
 * @ms: milliseconds of a processor, since a busy machine makes nobody hang; or some seconds of the clock, for one that waits. 0: no limit
 * any more.
 * @message: what is sent then, of @size bytes; it stays the caller's, who must not free it before there is no limit.
 */
void wt_apart_limit(int socket, long ms, const void *message, size_t size);

#endif /* WT_BASE_APART_H */
