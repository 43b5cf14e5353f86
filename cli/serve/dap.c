/* SPDX-License-Identifier: MIT */
/* Requests come in and are answered; frames and references are given out. */
#include "cli/serve/dap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/output.h"

/* ---- Arguments ---- */

struct wt_error *wt_dap_wrong(const char *what, const char *format, ...)
{
	wt_cleanup_free char *why = NULL;
	va_list arguments;

	va_start(arguments, format);
	why = wt_text_list(format, arguments);
	va_end(arguments);
	return why ? wt_error_create(WT_ERROR_USAGE, what, NULL, "%s", why) : &wt_error_no_memory;
}

struct wt_error *wt_dap_number(const json_t *arguments, const char *name, json_int_t least,
			       json_int_t most, json_int_t otherwise, json_int_t *number_ret)
{
	const json_t *value = json_object_get(arguments, name);
	json_int_t number = json_integer_value(value);

	*number_ret = otherwise;
	if (!value || json_is_null(value))
		return NULL;
	if (!json_is_integer(value) || number < least || number > most)
		return wt_dap_wrong("the arguments are wrong",
				    "%s is a number from %" PRId64 " to %" PRId64, name,
				    (int64_t)least, (int64_t)most);
	*number_ret = number;
	return NULL;
}

const char *wt_dap_text(const json_t *arguments, const char *name)
{
	return json_string_value(json_object_get(arguments, name));
}

/* ---- Sending ---- */

static void dap_send(struct wt_dap *dap, json_t *message)
{
	json_object_set_new(message, "seq", json_integer(++dap->sequence));
	wt_server_send(dap->server, message);
}

static json_t *event_make(const char *name, json_t *body)
{
	json_t *event = json_pack("{s:s, s:s}", "type", "event", "event", name);

	if (body)
		json_object_set_new(event, "body", body);
	return event;
}

void wt_dap_event(struct wt_dap *dap, const char *name, json_t *body)
{
	dap_send(dap, event_make(name, body));
}

void wt_dap_event_later(struct wt_dap *dap, const char *name, json_t *body)
{
	json_array_append_new(dap->later, event_make(name, body));
}

void wt_dap_say(struct wt_dap *dap, const char *category, const char *text)
{
	wt_cleanup_free char *line = wt_text("%s\n", text);

	wt_dap_event(dap, "output",
		     json_pack("{s:s, s:o}", "category", category, "output",
			       wt_cli_json_text(line ? line : text)));
}

static void dap_respond(struct wt_dap *dap, json_int_t request, const char *command, json_t *body,
			const char *failure)
{
	json_t *response =
		json_pack("{s:s, s:I, s:b, s:o}", "type", "response", "request_seq", request,
			  "success", !failure, "command", wt_cli_json_text(command));
	json_t *event;
	size_t i;

	if (failure) {
		json_object_set_new(response, "message", wt_cli_json_text(failure));
		json_decref(body);
		/* Braces in a format stand for variables. */
		body = json_pack("{s:{s:i, s:s, s:{s:o}, s:b}}", "error", "id", 1, "format",
				 "{text}", "variables", "text", wt_cli_json_text(failure),
				 "showUser", 0);
	}
	if (body)
		json_object_set_new(response, "body", body);
	dap_send(dap, response);
	json_array_foreach(dap->later, i, event) dap_send(dap, json_incref(event));
	json_array_clear(dap->later);
}

/* ---- What was given out ---- */

void wt_dap_forget(struct wt_dap *dap)
{
	for (size_t i = 0; i < dap->reference_count; i++) {
		free(dap->references[i].expression);
		free(dap->references[i].name);
		free(dap->references[i].parts);
		json_decref(dap->references[i].json);
	}
	dap->reference_count = dap->frame_count = 0;
}

/* Room for one more in a list that doubles; false if there is none. */
static bool list_grow(void **list, size_t count, size_t size)
{
	void *grown;

	if (count >= WT_DAP_REFERENCES_MAX)
		return false;
	if (count & (count - 1))
		return true;
	grown = reallocarray(*list, count ? 2 * count : 1, size);
	if (grown)
		*list = grown;
	return grown != NULL;
}

json_int_t wt_dap_frame_number(struct wt_dap *dap, uint64_t wave, size_t index)
{
	if (!list_grow((void **)&dap->frames, dap->frame_count, sizeof(*dap->frames)))
		return 0;
	dap->frames[dap->frame_count++] = (struct wt_dap_frame){wave, index};
	return (json_int_t)dap->frame_count;
}

json_int_t wt_dap_refer(struct wt_dap *dap, const struct wt_dap_reference *reference)
{
	if (!list_grow((void **)&dap->references, dap->reference_count, sizeof(*dap->references))) {
		free(reference->expression);
		free(reference->name);
		free(reference->parts);
		json_decref(reference->json);
		return 0;
	}
	dap->references[dap->reference_count++] = *reference;
	return (json_int_t)dap->reference_count;
}

/* ---- Requests ---- */

/* The request that a cancel is about; 0 for another message, and for one about work that is over. */
static json_int_t cancel_find_request(const struct wt_dap *dap, const json_t *message)
{
	const char *command = wt_dap_text(message, "command");
	const json_t *arguments = json_object_get(message, "arguments");
	const char *progress = wt_dap_text(arguments, "progressId");

	if (!command || strcmp(command, "cancel") != 0)
		return 0;
	if (progress && dap->work.is_shown && !strcmp(progress, WT_DAP_PROGRESS))
		return dap->current;
	return json_integer_value(json_object_get(arguments, "requestId"));
}

static bool dap_takes_back(void *opaque, const json_t *message, const json_t *earlier)
{
	json_int_t request = cancel_find_request(opaque, message);

	return request && request == json_integer_value(json_object_get(earlier, "seq"));
}

bool wt_dap_is_cancelled(struct wt_dap *dap)
{
	dap->is_cancelled = wt_server_is_taken_back(dap->server);
	return dap->is_cancelled;
}

/* The request that is meant was answered before. */
static struct wt_error *handle_cancel(struct wt_dap *dap, const json_t *arguments,
				      json_t **body_ret)
{
	(void)arguments;
	(void)body_ret;
	return dap->has_cancelled
		       ? NULL
		       : wt_dap_wrong("cannot cancel", "no such request is waiting or at work");
}

static const struct wt_dap_command cancel_commands[] = {
	{"cancel", handle_cancel, true},
	{NULL, NULL, false},
};

static const struct wt_dap_command *command_find(const char *name)
{
	static const struct wt_dap_command *const parts[] = {
		wt_dap_begin_commands,	  wt_dap_stop_commands,	  wt_dap_value_commands,
		wt_dap_evaluate_commands, wt_dap_memory_commands, wt_dap_break_commands,
		wt_dap_step_commands,	  cancel_commands};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		for (const struct wt_dap_command *command = parts[i]; command->name; command++)
			if (!strcmp(command->name, name))
				return command;
	return NULL;
}

static struct wt_error *request_answer(struct wt_dap *dap, const char *name,
				       const json_t *arguments, json_t **body_ret)
{
	const struct wt_dap_command *command = command_find(name);

	if (!command)
		return wt_dap_wrong("cannot answer", "there is no request %.64s here", name);
	if (!dap->is_initialized && strcmp(name, "initialize") != 0)
		return wt_dap_wrong("cannot answer", "initialize comes first");
	if (!dap->opened && !command->without_trace)
		return wt_dap_wrong("cannot answer", "no trace is open: launch or attach first");
	if (arguments && !json_is_object(arguments) && !json_is_null(arguments))
		return wt_dap_wrong("the arguments are wrong", "they are no object");
	return command->handle(dap, arguments, body_ret);
}

/* The command of a request; NULL: it is another message. */
static const char *request_find_command(const json_t *message)
{
	const char *type = wt_dap_text(message, "type");

	return type && !strcmp(type, "request") ? wt_dap_text(message, "command") : NULL;
}

static void dap_complain(void *opaque, const json_t *message, const char *why)
{
	const char *command = request_find_command(message);

	if (command)
		dap_respond(opaque, json_integer_value(json_object_get(message, "seq")), command,
			    NULL, why);
	else
		wt_dap_say(opaque, "important", why);
}

/* Return: whether the answer is that the request was taken back. */
static bool dap_request_handle(struct wt_dap *dap, const char *command, const json_t *message)
{
	wt_cleanup_free char *failure = NULL;
	struct wt_error *error;
	json_t *body = NULL;

	if (wt_dap_is_cancelled(dap)) {
		dap_respond(dap, dap->current, command, NULL, "cancelled");
		return true;
	}
	error = request_answer(dap, command, json_object_get(message, "arguments"), &body);
	if (error && dap->is_cancelled) {
		wt_error_destroy(error);
		dap_respond(dap, dap->current, command, body, "cancelled");
		return true;
	}
	/* A request without a place of its own has nothing between. */
	if (error)
		failure = wt_opened_error_line(error);
	dap_respond(dap, dap->current, command, body,
		    error && !failure ? "there is no memory" : failure);
	return false;
}

static enum wt_handled dap_handle(void *opaque, const json_t *message, bool has_taken_back)
{
	struct wt_dap *dap = opaque;
	const char *command = request_find_command(message);
	bool is_taken_back = false;

	dap->current = json_integer_value(json_object_get(message, "seq"));
	dap->has_cancelled = has_taken_back;
	if (!command)
		dap_complain(dap, NULL, "a message came that is no request");
	else
		is_taken_back = dap_request_handle(dap, command, message);
	if (dap->is_over)
		return WT_HANDLED_LAST;
	return is_taken_back ? WT_HANDLED_AS_TAKEN_BACK : WT_HANDLED;
}

static void dap_deinit(struct wt_dap *dap)
{
	wt_dap_forget(dap);
	wt_dap_breakpoints_drop(dap);
	free(dap->targets);
	free(dap->frames);
	free(dap->references);
	wt_opened_close(dap->opened);
	for (size_t i = 0; i < dap->map_text_count; i++)
		free(dap->map_texts[i]);
	json_decref(dap->later);
	json_decref(dap->exception.body);
	json_decref(dap->exception.facts);
	wt_server_destroy(dap->server);
}

struct wt_error *wt_dap_serve(const struct wt_dap_options *options, int input, int output)
{
	static const struct wt_server_kind kind = {
		.framing = WT_FRAMING_LENGTH,
		.takes_back = dap_takes_back,
		.handle = dap_handle,
		.complain = dap_complain,
	};
	struct wt_dap dap = {.options = options, .later = json_array(), .maps = *options->maps};
	struct wt_error *error = wt_server_create(&kind, &dap, input, output, &dap.server);

	if (!error)
		error = wt_server_run(dap.server);
	dap_deinit(&dap);
	return error;
}
