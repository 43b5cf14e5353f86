/* SPDX-License-Identifier: MIT */
#include "dbgapi/architecture/disassemble.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/apart.h"
#include "dbgapi/architecture/decoder.h"

/*
 * The library that decodes, in a process of its own. LLVM ends the process that gives it bytes which it does not expect (LLVM 22
 * some scalar instructions with a literal for gfx12, 14 to 22 some words of SDWA for gfx10.3), and what is decoded here comes from strangers
 * and from code that was overwritten. There such bytes are no instruction, and the next ones are decoded by another process.
 *
 * The process is a child that forks off when something is decoded for the first time. Nobody has to wait for it, no file that is
 * open here is open there, and it ends when the last one who holds the other end of its socket does.
 */

/* No instruction has more bytes. (VOP3 and flat instructions with a literal have 12; VIMAGE of gfx12 has 12.) */
#define LONGEST_BYTES 20u
/* A question costs more than a decoded instruction: so many are answered at once, of so many bytes. */
#define DECODED_AHEAD 32u
#define QUESTION_BYTES 256u

/* Instructions that were decoded one behind the other. */
struct decoded_run {
	uint32_t count;
	uint32_t lengths[DECODED_AHEAD]; /* in bytes */
	uint16_t texts[DECODED_AHEAD];	 /* where in `text` it begins; it ends with a byte of 0 */
	char text[4096];
};

struct decoder_library {
	char name[512]; /* what it is, and where it was found; empty: there is none */
	unsigned int
		version; /* of LLVM, which ends the process if it is asked for a processor that it does not know; 0: it may be asked */
	int failure;	 /* why no process could look for it, as errno has it; 0: one has looked */
};

/* Processors of one process: each has a context, which takes LLVM a millisecond to make. */
#define MOST_PROCESSORS 32u
/* The time of a processor that one question may take. */
#ifndef WT_DECODER_PATIENCE_MS
#define WT_DECODER_PATIENCE_MS 4000
#endif

/* The length of the longest text of one instruction that is known is about 200. */
#define ONE_TEXT 1024u

/* A message there, and one back. */
struct question {
	char processor[64]; /* empty: which library is it? */
	uint64_t address;
	uint32_t size; /* 0: is the processor known? */
	uint32_t most; /* instructions */
	uint8_t bytes[QUESTION_BYTES];
};

struct answer {
	uint32_t version;
	uint32_t is_known; /* no bool, which a damaged process could give a value that is none */
	uint32_t hung;	   /* the library took longer than anyone waits */
	struct decoded_run decoded; /* of the question for the library: its name is the text */
};

/* ---- There ---- */

struct context {
	char processor[64];
	void *context; /* NULL: it is not known */
};

static struct context *context_take(const struct wt_decoder *decoder, const char *processor)
{
	static struct context contexts[MOST_PROCESSORS];
	static size_t count;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(contexts[i].processor, processor))
			return &contexts[i];
	if (count == MOST_PROCESSORS) {
		if (contexts[--count].context)
			decoder->destroy(contexts[count].context);
	}
	snprintf(contexts[count].processor, sizeof(contexts[count].processor), "%s", processor);
	contexts[count].context = decoder->create(processor);
	return &contexts[count++];
}

/* An instruction whose end may be behind what is there is left to the next question, unless it is the first. */
static void instructions_decode(const struct wt_decoder *decoder, void *context,
				const struct question *question, struct decoded_run *decoded)
{
	uint32_t at = 0, used = 0;

	while (decoded->count < question->most && decoded->count < DECODED_AHEAD &&
	       at < question->size && (!at || question->size - at >= LONGEST_BYTES) &&
	       sizeof(decoded->text) - used >= ONE_TEXT) {
		char *text = &decoded->text[used];
		size_t length =
			decoder->decode(context, question->address + at, &question->bytes[at],
					question->size - at, text, ONE_TEXT);

		if (!length || length > question->size - at)
			return;
		decoded->lengths[decoded->count] = (uint32_t)length;
		decoded->texts[decoded->count++] = (uint16_t)used;
		at += (uint32_t)length;
		used += (uint32_t)strlen(text) + 1;
	}
}

static void question_serve(const struct wt_decoder *decoder, const struct question *question,
			   struct answer *answer)
{
	struct context *context;

	if (!*question->processor) {
		answer->version = decoder->version;
		snprintf(answer->decoded.text, sizeof(answer->decoded.text), "%s", decoder->name);
		return;
	}
	context = context_take(decoder, question->processor);
	answer->is_known = context->context != NULL;
	if (answer->is_known)
		instructions_decode(decoder, context->context, question, &answer->decoded);
}

static void process_serve(int socket)
{
	static const struct answer hung = {.hung = 1};
	struct wt_decoder decoder = {0};
	struct question question;
	bool found = false, looked = false;

	for (;;) {
		struct answer answer = {0};
		ssize_t got = recv(socket, &question, sizeof(question), 0);

		if (got != (ssize_t)sizeof(question) || question.size > QUESTION_BYTES)
			return;
		wt_apart_limit(socket, WT_DECODER_PATIENCE_MS, &hung, sizeof(hung));
		if (!looked)
			found = wt_decoder_llvm.find(&decoder) || wt_decoder_comgr.find(&decoder);
		looked = true;
		question.processor[sizeof(question.processor) - 1] = '\0';
		if (found)
			question_serve(&decoder, &question, &answer);
		wt_apart_limit(socket, 0, NULL, 0);
		if (send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) != (ssize_t)sizeof(answer))
			return;
	}
}

/* ---- Here ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int process_socket = -1;
/* Who made it: a child that forked off since shares the socket, and must not use it. */
static pid_t owner;
static pthread_once_t fork_watched = PTHREAD_ONCE_INIT;

static void process_drop(void)
{
	if (process_socket >= 0)
		close(process_socket);
	process_socket = -1;
}

/* In a child that forked off: another thread may have held the lock, and is not there to give it up. */
static void lock_renew(void)
{
	pthread_mutex_init(&lock, NULL);
}

static void fork_watch(void)
{
	pthread_atfork(NULL, NULL, lock_renew);
}

/* The other process may be damaged: nothing is believed that leads out of its answer. */
static bool decoded_settle(struct decoded_run *decoded, uint32_t size)
{
	uint32_t left = size;

	if (decoded->count > DECODED_AHEAD)
		return false;
	for (uint32_t i = 0; i < decoded->count; left -= decoded->lengths[i++])
		if (!decoded->lengths[i] || decoded->lengths[i] > left ||
		    decoded->texts[i] >= sizeof(decoded->text))
			return false;
	decoded->text[sizeof(decoded->text) - 1] = '\0';
	return true;
}

static bool process_exchange(const struct question *question, struct answer *answer)
{
	ssize_t got;

	do
		got = send(process_socket, question, sizeof(*question), MSG_NOSIGNAL);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof(*question))
		return false;
	do
		got = recv(process_socket, answer, sizeof(*answer), 0);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof(*answer) && decoded_settle(&answer->decoded, question->size);
}

#define PROCESS_ENDED EPIPE
#define PROCESS_HUNG ETIMEDOUT

/*
 * Whoever dies of a question may have died of something else: it is asked again, once. Return: 0; PROCESS_ENDED if both have ended without
 * an answer; PROCESS_HUNG if one has given up; else why there is no process, as errno has it.
 */
static int process_ask(const struct question *question, struct answer *answer)
{
	int failure = PROCESS_ENDED;

	pthread_once(&fork_watched, fork_watch);
	pthread_mutex_lock(&lock);
	for (int attempt = 0; attempt < 2 && failure == PROCESS_ENDED; attempt++) {
		if (process_socket >= 0 && owner != getpid())
			process_drop();
		if (process_socket < 0 && !wt_apart_begin(process_serve, &process_socket)) {
			failure = errno;
			break;
		}
		owner = getpid();
		if (process_exchange(question, answer))
			failure = answer->hung ? PROCESS_HUNG : 0;
		if (failure)
			process_drop();
	}
	pthread_mutex_unlock(&lock);
	return failure;
}

static struct decoder_library found_library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void library_look(void)
{
	const struct question question = {.processor = ""};
	struct answer answer;

	found_library.failure = process_ask(&question, &answer);
	if (found_library.failure)
		return;
	found_library.version = answer.version;
	snprintf(found_library.name, sizeof(found_library.name), "%.*s",
		 (int)sizeof(found_library.name) - 1, answer.decoded.text);
}

static const struct decoder_library *library_find(void)
{
	pthread_once(&once, library_look);
	return &found_library;
}

static struct question question_make(const char *processor)
{
	struct question question = {.size = 0};

	snprintf(question.processor, sizeof(question.processor), "%s", processor);
	return question;
}

static bool processor_is_known(const char *processor)
{
	const struct question question = question_make(processor);
	struct answer answer;

	return !process_ask(&question, &answer) && answer.is_known;
}

static void instructions_ask(const char *processor, uint64_t address, const void *bytes,
			     size_t size, struct decoded_run *decoded_ret)
{
	struct question question = question_make(processor);
	struct answer answer;

	decoded_ret->count = 0;
	question.address = address;
	question.most = DECODED_AHEAD;
	question.size = (uint32_t)(size < sizeof(question.bytes) ? size : sizeof(question.bytes));
	memcpy(question.bytes, bytes, question.size);
	if (!question.size)
		return;
	if (process_ask(&question, &answer)) {
		/* No process may survive one that is behind the first. */
		question.most = 1;
		if (process_ask(&question, &answer))
			return;
	}
	*decoded_ret = answer.decoded;
}

/* ---- What others see ---- */

static const char cannot[] = "cannot disassemble";

const char *wt_disassembler_library(void)
{
	const struct decoder_library *library = library_find();

	return *library->name ? library->name : NULL;
}

/* More steps to one alike would be a circle: each of two may be so to the other, of which a library knows the one or the other. */
#define ALIKE_STEPS 4

static bool may_be_asked(const struct gfx_architecture *architecture, unsigned int version)
{
	return !version || (architecture->llvm <= version &&
			    (!architecture->llvm_last || version <= architecture->llvm_last));
}

/* The architecture, or the one most alike that is known; NULL: there is none. */
static const struct gfx_architecture *
architecture_find_known(const struct gfx_architecture *architecture, unsigned int version)
{
	const struct gfx_architecture *as = architecture;

	for (int step = 0; as && step < ALIKE_STEPS; step++) {
		if (may_be_asked(as, version) && processor_is_known(as->name))
			return as;
		as = as->alike ? gfx_architecture_by_name(as->alike) : NULL;
	}
	return NULL;
}

/* Instructions that were decoded last: most who ask go on behind them. */
struct wt_disassembler {
	char processor[64];
	struct decoded_run decoded;
	uint64_t address; /* of the first */
	uint8_t bytes[QUESTION_BYTES];
};

/* One that was decoded, if these are its bytes. Return: its number; -1: it was not. */
static int decoded_find(const struct wt_disassembler *disassembler, uint64_t address,
			const uint8_t *bytes, size_t size)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < disassembler->decoded.count;
	     at += disassembler->decoded.lengths[i++])
		if (disassembler->address + at == address)
			return size >= disassembler->decoded.lengths[i] &&
					       !memcmp(&disassembler->bytes[at], bytes,
						       disassembler->decoded.lengths[i])
				       ? (int)i
				       : -1;
	return -1;
}

struct wt_error *wt_disassembler_create(const struct gfx_architecture *architecture,
					const struct gfx_architecture **as_ret,
					struct wt_disassembler **disassembler_ret)
{
	const struct decoder_library *library = library_find();
	const struct gfx_architecture *as;
	struct wt_disassembler *disassembler;

	if (library->failure == PROCESS_ENDED || library->failure == PROCESS_HUNG)
		return wt_error_create(
			WT_ERROR_IO, cannot, architecture->name,
			"the process that decodes has %s while it looked for a library",
			library->failure == PROCESS_HUNG ? "hung" : "ended");
	if (library->failure)
		return wt_error_create(WT_ERROR_IO, cannot, architecture->name,
				       "there can be no process that decodes: %s",
				       strerror(library->failure));
	if (!*library->name)
		return wt_error_create(WT_ERROR_IO, cannot, architecture->name,
				       "no library for it was found: looked for %s, and for %s",
				       wt_decoder_llvm.places, wt_decoder_comgr.places);
	as = architecture_find_known(architecture, library->version);
	if (!as)
		return wt_error_create(WT_ERROR_UNSUPPORTED, cannot, architecture->name,
				       "%s does not know it, LLVM %u does", library->name,
				       architecture->llvm);
	disassembler = calloc(1, sizeof(*disassembler));
	if (!disassembler)
		return &wt_error_no_memory;
	snprintf(disassembler->processor, sizeof(disassembler->processor), "%s", as->name);
	if (as_ret)
		*as_ret = as;
	*disassembler_ret = disassembler;
	return NULL;
}

void wt_disassembler_destroy(struct wt_disassembler *disassembler)
{
	free(disassembler);
}

/*
 * Branches whose target is in their own word are printed as the mnemonic and one number: the
 * distance in words from the next instruction, as a 16-bit field. Calls and forks have a register
 * before it, and AMD's library gives no address for those.
 */
static bool branch_find_target(uint64_t address, const struct wt_disassembled *result,
			       uint64_t *target_ret)
{
	const char *operand;
	char *end;
	long distance;

	if (strncmp(result->text, "s_branch ", 9) && strncmp(result->text, "s_cbranch_", 10))
		return false;
	operand = strchr(result->text, ' ');
	if (!operand)
		return false;
	distance = strtol(operand, &end, 0);
	while (isspace((unsigned char)*end))
		end++;
	if (end == operand || *end)
		return false;
	*target_ret = address + result->size + (uint64_t)((int64_t)(int16_t)distance * 4);
	return true;
}

/* LLVM 16 prints every word that it does not know as the instruction that a word of 0 is since gfx10. */
static bool instruction_is_none(const char *text, const void *bytes)
{
	static const uint8_t zero[4];

	return !strcmp(text, "v_illegal") && memcmp(bytes, zero, sizeof(zero)) != 0;
}

void wt_disassembler_drop_literal_marks(char *text)
{
	static const char *const marks[] = {"lit(", "lit64("};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t length = strlen(marks[i]);

		for (char *at = strstr(text, marks[i]), *end; at; at = strstr(at, marks[i])) {
			end = strchr(at, ')');
			if (!end || (at > text && at[-1] != ' ')) {
				at += length;
				continue;
			}
			memmove(end, end + 1, strlen(end + 1) + 1);
			memmove(at, at + length, strlen(at + length) + 1);
		}
	}
}

bool wt_disassembler_decode(struct wt_disassembler *disassembler, uint64_t address,
			    const void *bytes, size_t size, struct wt_disassembled *result_ret)
{
	int found = decoded_find(disassembler, address, bytes, size);
	const char *start, *end;

	if (found < 0) {
		size_t room = sizeof(disassembler->bytes);

		instructions_ask(disassembler->processor, address, bytes, size,
				 &disassembler->decoded);
		if (!disassembler->decoded.count)
			return false;
		memcpy(disassembler->bytes, bytes, size < room ? size : room);
		disassembler->address = address;
		found = 0;
	}
	start = &disassembler->decoded.text[disassembler->decoded.texts[found]];
	while (isspace((unsigned char)*start))
		start++;
	/* Older ones leave a blank where an operand could be. */
	for (end = start + strlen(start); end > start && isspace((unsigned char)end[-1]);)
		end--;
	snprintf(result_ret->text, sizeof(result_ret->text), "%.*s", (int)(end - start), start);
	result_ret->size = disassembler->decoded.lengths[found];
	if (result_ret->size >= 4 && instruction_is_none(result_ret->text, bytes))
		return false;
	wt_disassembler_drop_literal_marks(result_ret->text);
	result_ret->target = 0;
	result_ret->has_target = branch_find_target(address, result_ret, &result_ret->target);
	return true;
}
