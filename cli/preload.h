/* SPDX-License-Identifier: MIT */
/*
 * Bringing the recording or the replaying library into clients. Both get in by the gate (dbgapi/gate/gate.h), which is preloaded: run
 * paths of a client do not matter then, and its debugged programs do not notice. Whether it got in is seen by notes.
 */
#ifndef WT_CLI_PRELOAD_H
#define WT_CLI_PRELOAD_H

#include "base/error.h"

struct wt_cli_gate {
	char *notes; /* path of the file; NULL: there can be none */
};

/** Says how a client has come by one of our libraries. */
enum wt_cli_gate_state {
	WT_CLI_GATE_UNUSED, /* no program has called the gate, as far as can be seen */
	WT_CLI_GATE_USED,
	WT_CLI_GATE_FAILED, /* a program has called it, and none of them got the library */
};

/**
 * Prepare the environment for clients.
 *
 * @provider: absolute path of the library that they are to use.
 * @gate_ret: released by wt_cli_gate_deinit(), when the client has ended.
 *
 * Errors: IO if the gate cannot be found.
 */
struct wt_error *wt_cli_gate_init(const char *provider, struct wt_cli_gate *gate_ret);
void wt_cli_gate_deinit(struct wt_cli_gate *gate);

/**
 * Look how it went, after the client's end.
 *
 * @why_ret: why the library could not be loaded, if that is so; else untouched. The caller frees it.
 */
enum wt_cli_gate_state wt_cli_gate_look(const struct wt_cli_gate *gate, char **why_ret);

/**
 * A library that the loader gives to a program which is linked with it, as the loader says; nothing of the program is run.
 *
 * @program: path of an ELF file.
 * @name: of the library, as it is linked with.
 *
 * Return: the library's path, which the caller frees; NULL if the program is not linked with it, or none is found.
 */
char *wt_cli_linked_library(const char *program, const char *name);

#endif /* WT_CLI_PRELOAD_H */
