/* SPDX-License-Identifier: MIT */
/*
 * Messages of JSON in a stream of bytes: those that editors send, each behind a head with its length, and those of assistants, a
 * line each. Bytes go in as they come, messages come out; nothing that comes ends it.
 */
#ifndef WT_CLI_SERVE_MESSAGE_H
#define WT_CLI_SERVE_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

enum wt_framing {
	WT_FRAMING_LENGTH, /* "Content-Length: N", an empty line, N bytes: the Debug Adapter Protocol */
	WT_FRAMING_LINE, /* a line each: the Model Context Protocol */
};

/* No message that a client sends is longer; the longest are breakpoints of a file. In memory JSON takes about fifty times its bytes. */
#define WT_MESSAGE_MAX ((size_t)1 << 20)
#define WT_MESSAGE_HEAD_MAX ((size_t)4096)

struct wt_message_reader {
	enum wt_framing framing;
	struct wt_buffer bytes;
	size_t taken;	   /* of them */
	uint64_t skipped;  /* bytes that are still to come of a message that is too long */
	bool is_line_lost; /* the rest of a line that is too long is still to come */
	bool is_lost;	   /* bytes that are no head were passed over: that is told once */
};

void wt_message_reader_deinit(struct wt_message_reader *reader);

/** Add what was read. */
void wt_message_reader_feed(struct wt_message_reader *reader, const void *data, size_t size);

enum wt_message_result {
	WT_MESSAGE_NONE, /* more bytes are needed */
	WT_MESSAGE_READ,
	WT_MESSAGE_MALFORMED,
};

#define WT_MESSAGE_WHY 256

/**
 * Take the next message.
 *
 * @message_ret: for the caller to json_decref(). With WT_MESSAGE_MALFORMED it is NULL, or the message with U+FFFD in place of what
 *	is no character: enough to say which one was malformed, and not what was asked.
 * @why: of WT_MESSAGE_MALFORMED; the next message can be taken after it.
 */
enum wt_message_result wt_message_next(struct wt_message_reader *reader, json_t **message_ret,
				       char why[WT_MESSAGE_WHY]);

/** Append a message as it is sent. False if there is no memory, or it is no JSON. */
bool wt_message_encode(enum wt_framing framing, const json_t *message, struct wt_buffer *bytes);

/*
 * ---- Servers ----
 *
 * The loop of a server over two descriptors: it reads messages, hands them on one after the other, and writes what is sent. What
 * came in while one is handled waits, and is looked at before: so a request can be taken back that has not begun, or is being
 * handled.
 */

enum wt_handled {
	WT_HANDLED,
	WT_HANDLED_AS_TAKEN_BACK,
	WT_HANDLED_LAST, /* no others are */
};

struct wt_server_kind {
	enum wt_framing framing;
	/** Does a message that came in take back one that waits, or is being handled? */
	bool (*takes_back)(void *opaque, const json_t *message, const json_t *earlier);
	/** Handle a message. @has_taken_back: one that this takes back was answered as such. */
	enum wt_handled (*handle)(void *opaque, const json_t *message, bool has_taken_back);
	/** Bytes came that are no message. @message: NULL, or one like it, that says whom it asks to answer what. */
	void (*complain)(void *opaque, const json_t *message, const char *why);
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

/** Was the message that is being handled taken back? Looks at what came in meanwhile, without waiting for it. */
bool wt_server_is_taken_back(struct wt_server *server);

#endif /* WT_CLI_SERVE_MESSAGE_H */
