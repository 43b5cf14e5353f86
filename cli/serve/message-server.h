/* SPDX-License-Identifier: MIT */
/*
 * The loop of a server over two descriptors: it reads messages, hands them on one after the other, and writes what is sent. What
 * came in while one is handled waits, and is looked at before: so a request can be taken back that has not begun, or is being
 * handled.
 */
#ifndef WT_CLI_SERVE_MESSAGE_SERVER_H
#define WT_CLI_SERVE_MESSAGE_SERVER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "cli/serve/message.h"

struct wt_server_kind {
	enum wt_framing framing;
	/** A message came. It may have to wait for others; what is true of it at once is noted here. NULL: nothing is. */
	void (*arrive)(void *opaque, const json_t *message);
	/** Handle a message. False: it was the last. */
	bool (*handle)(void *opaque, const json_t *message);
	/** Bytes came that are no message. */
	void (*complain)(void *opaque, const char *why);
};

struct wt_server;

/**
 * Make a server.
 *
 * @input, @output: of the caller, who closes them after it.
 * @opaque: for the functions of @kind.
 */
struct wt_error *wt_server_create(const struct wt_server_kind *kind, void *opaque, int input,
				  int output, struct wt_server **server_ret);
void wt_server_destroy(struct wt_server *server); /* NULL is legal */

/** Handle messages up to the last, or up to the end of the input. Errors: IO, if what was sent cannot be written. */
struct wt_error *wt_server_run(struct wt_server *server);

/** Send a message, whose reference is taken. */
void wt_server_send(struct wt_server *server, json_t *message);

/** Let what came in meanwhile arrive, without waiting for it: for who is at something long. */
void wt_server_look(struct wt_server *server);

#endif /* WT_CLI_SERVE_MESSAGE_SERVER_H */
