/* SPDX-License-Identifier: MIT */
/*
 * The static libjansson of Debian is compiled for programs, and cannot have the C library's stdin in a shared library: it compares
 * streams with that for a message. The linker takes this in its place (--wrap), which is no stream.
 */
extern void *__wrap_stdin;
void *__wrap_stdin;
