/* SPDX-License-Identifier: MIT */
/*
 * The tools of `wavetape mcp`: verbs of the command, each in a process of its own, so that a trace that is wrong cannot end the server.
 * All of them only read.
 */
#ifndef WT_CLI_SERVE_MCP_TOOLS_H
#define WT_CLI_SERVE_MCP_TOOLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct wt_mcp_files {
	char *const *allowed; /* of the command line: no others are opened; none: all may be */
	size_t count;
	char *current;	/* that was opened last; owned by who has these */
	char nonce[17]; /* in the marks around what is read from a trace */
};

/** Describe the tools to an assistant. */
json_t *wt_mcp_tools_json(void);

/**
 * Call a tool.
 *
 * @is_cancelled: asked now and then; then NULL is returned.
 * @wrong_ret: why the call is wrong, for the caller to free(); then NULL is returned, too.
 * Return: the result of the protocol: text, and whether it is an error.
 */
json_t *wt_mcp_call(struct wt_mcp_files *files, const char *name, const json_t *arguments,
		    bool (*is_cancelled)(void *opaque), void *opaque, char **wrong_ret);

#endif /* WT_CLI_SERVE_MCP_TOOLS_H */
