/* SPDX-License-Identifier: MIT */
#include "trace-format/writer/host.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/encode.h"
#include "trace-format/reader/internal.h"
#include "trace-format/writer/internal.h"

#define NOTICE_TEXT "facts of the machine and the recorded program"

struct wt_host *wt_host_create(void)
{
	return calloc(1, sizeof(struct wt_host));
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

static void free_threads(struct wt_host *host)
{
	for (size_t i = 0; i < host->threads_count; i++) {
		struct wt_host_thread *thread = &host->threads[i];

		for (size_t j = 0; j < thread->frame_count; j++) {
			free(thread->frames[j].symbol);
			free(thread->frames[j].path);
		}
		free(thread->frames);
		free(thread->name);
		free(thread->state);
		free(thread->waiting);
	}
	free(host->threads);
}

void wt_host_destroy(struct wt_host *host)
{
	if (!host)
		return;
	free(host->executable);
	for (size_t i = 0; i < host->versions_count; i++) {
		free(host->versions[i].of);
		free(host->versions[i].text);
	}
	free(host->versions);
	free_texts(host->command_line, host->command_line_count);
	for (size_t i = 0; i < host->maps_count; i++)
		free(host->maps[i].path);
	free(host->maps);
	free_threads(host);
	for (size_t i = 0; i < host->environment_count; i++) {
		free(host->environment[i].name);
		free(host->environment[i].value);
	}
	free(host->environment);
	free_texts(host->missing, host->missing_count);
	free(host);
}

void *wt_host_add(void **list, size_t *count, size_t *capacity, size_t size)
{
	if (*count == *capacity) {
		size_t wanted = *capacity ? *capacity * 2 : 16;
		void *grown = reallocarray(*list, wanted, size);

		if (!grown)
			return NULL;
		*list = grown;
		*capacity = wanted;
	}
	return memset((uint8_t *)*list + (*count)++ * size, 0, size);
}

/* ---- Writing ---- */

static void encode_map(struct wt_buffer *packet, const struct wt_host_map *map)
{
	size_t mark = wt_encode_begin(packet, WT_HOST_MAP);

	wt_encode_number(packet, WT_HOST_MAP_START, map->start);
	wt_encode_number(packet, WT_HOST_MAP_END, map->end);
	wt_encode_number(packet, WT_HOST_MAP_OFFSET, map->offset);
	wt_encode_string(packet, WT_HOST_MAP_ACCESS, map->access, false);
	wt_encode_string(packet, WT_HOST_MAP_PATH, map->path, false);
	if (map->build_id_size)
		wt_encode_bytes(packet, WT_HOST_MAP_BUILD_ID, map->build_id, map->build_id_size);
	wt_encode_end(packet, mark);
}

static void encode_thread(struct wt_buffer *packet, const struct wt_host_thread *thread)
{
	size_t mark = wt_encode_begin(packet, WT_HOST_THREAD);

	wt_encode_number(packet, WT_HOST_THREAD_ID, thread->id);
	wt_encode_string(packet, WT_HOST_THREAD_NAME, thread->name, false);
	wt_encode_string(packet, WT_HOST_THREAD_STATE, thread->state, false);
	wt_encode_string(packet, WT_HOST_THREAD_WAITING, thread->waiting, false);
	for (size_t i = 0; i < thread->frame_count; i++) {
		const struct wt_host_frame *frame = &thread->frames[i];
		size_t inner = wt_encode_begin(packet, WT_HOST_THREAD_FRAME);

		wt_encode_number(packet, WT_HOST_FRAME_ADDRESS, frame->address);
		wt_encode_string(packet, WT_HOST_FRAME_SYMBOL, frame->symbol, false);
		wt_encode_number(packet, WT_HOST_FRAME_SYMBOL_OFFSET, frame->symbol_offset);
		wt_encode_string(packet, WT_HOST_FRAME_PATH, frame->path, false);
		wt_encode_end(packet, inner);
	}
	wt_encode_end(packet, mark);
}

static void encode_pairs(struct wt_buffer *packet, const struct wt_host *host)
{
	for (size_t i = 0; i < host->versions_count; i++) {
		size_t mark = wt_encode_begin(packet, WT_HOST_VERSION);

		wt_encode_string(packet, WT_HOST_VERSION_OF, host->versions[i].of, false);
		wt_encode_string(packet, WT_HOST_VERSION_TEXT, host->versions[i].text, false);
		wt_encode_end(packet, mark);
	}
	for (size_t i = 0; i < host->environment_count; i++) {
		const struct wt_host_variable *variable = &host->environment[i];
		size_t mark = wt_encode_begin(packet, WT_HOST_ENVIRONMENT);

		wt_encode_string(packet, WT_HOST_VARIABLE_NAME, variable->name, false);
		wt_encode_string(packet, WT_HOST_VARIABLE_VALUE, variable->value, false);
		wt_encode_number(packet, WT_HOST_VARIABLE_WITH_VALUE, variable->value != NULL);
		wt_encode_end(packet, mark);
	}
}

static void encode(struct wt_buffer *packet, const struct wt_host *host)
{
	size_t mark = wt_encode_begin(packet, WT_NOTICE_FIELD_HOST);

	wt_encode_number(packet, WT_HOST_PROCESS_ID, host->process_id);
	wt_encode_string(packet, WT_HOST_EXECUTABLE, host->executable, false);
	for (size_t i = 0; i < host->command_line_count; i++)
		wt_encode_string(packet, WT_HOST_COMMAND_LINE, host->command_line[i], true);
	for (size_t i = 0; i < host->maps_count; i++)
		encode_map(packet, &host->maps[i]);
	for (size_t i = 0; i < host->threads_count; i++)
		encode_thread(packet, &host->threads[i]);
	encode_pairs(packet, host);
	for (size_t i = 0; i < host->missing_count; i++)
		wt_encode_string(packet, WT_HOST_MISSING, host->missing[i], true);
	wt_encode_number(packet, WT_HOST_TIME, host->time);
	wt_encode_end(packet, mark);
}

static struct wt_error *write_host(struct wt_writer *writer, const struct wt_host *host)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_NOTICE, &packet);

	if (error)
		return error;
	wt_encode_number(packet, WT_NOTICE_FIELD_KIND, WT_NOTICE_CONTEXT);
	wt_encode_string(packet, WT_NOTICE_FIELD_TEXT, NOTICE_TEXT, false);
	encode(packet, host);
	error = wt_tape_end(writer->tape, 0);
	return error ? error : wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_host(struct wt_writer *writer, const struct wt_host *host)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_host(writer, host));
}

/* ---- Reading ---- */

/* Lists that are as long as those of the message; the arena's limits hold for them. */
#define MAKE_LIST(host, list, number)                                                              \
	((host)->list = calloc((number) + 1, sizeof(*(host)->list)),                               \
	 (host)->list##_count = (host)->list ? (number) : 0, (host)->list != NULL)

static bool take_maps(struct wt_host *host, const Wavetape__Host *from)
{
	bool fine = MAKE_LIST(host, maps, from->n_map);

	for (size_t i = 0; fine && i < from->n_map; i++) {
		const Wavetape__HostMap *map = from->map[i];
		struct wt_host_map *to = &host->maps[i];

		to->start = map->start;
		to->end = map->end;
		to->offset = map->offset;
		strncpy(to->access, map->access, sizeof(to->access) - 1);
		to->path = strdup(map->path);
		to->build_id_size = map->build_id.len < sizeof(to->build_id) ? map->build_id.len
									     : sizeof(to->build_id);
		if (to->build_id_size)
			memcpy(to->build_id, map->build_id.data, to->build_id_size);
		fine = to->path;
	}
	return fine;
}

static bool take_frames(struct wt_host_thread *to, const Wavetape__HostThread *from)
{
	to->frames = calloc(from->n_frame + 1, sizeof(*to->frames));
	for (size_t i = 0; to->frames && i < from->n_frame; i++) {
		struct wt_host_frame *frame = &to->frames[to->frame_count++];

		frame->address = from->frame[i]->address;
		frame->symbol_offset = from->frame[i]->symbol_offset;
		frame->symbol = strdup(from->frame[i]->symbol);
		frame->path = strdup(from->frame[i]->path);
		if (!frame->symbol || !frame->path)
			return false;
	}
	return to->frames;
}

static bool take_threads(struct wt_host *host, const Wavetape__Host *from)
{
	bool fine = MAKE_LIST(host, threads, from->n_thread);

	for (size_t i = 0; fine && i < from->n_thread; i++) {
		struct wt_host_thread *to = &host->threads[i];

		to->id = from->thread[i]->id;
		to->name = strdup(from->thread[i]->name);
		to->state = strdup(from->thread[i]->state);
		to->waiting = strdup(from->thread[i]->waiting);
		fine = to->name && to->state && to->waiting && take_frames(to, from->thread[i]);
	}
	return fine;
}

static bool take_pairs(struct wt_host *host, const Wavetape__Host *from)
{
	bool fine = MAKE_LIST(host, versions, from->n_version) &&
		    MAKE_LIST(host, environment, from->n_environment);

	for (size_t i = 0; fine && i < from->n_version; i++) {
		host->versions[i].of = strdup(from->version[i]->of);
		host->versions[i].text = strdup(from->version[i]->text);
		fine = host->versions[i].of && host->versions[i].text;
	}
	for (size_t i = 0; fine && i < from->n_environment; i++) {
		const Wavetape__HostVariable *variable = from->environment[i];

		host->environment[i].name = strdup(variable->name);
		host->environment[i].value = variable->with_value ? strdup(variable->value) : NULL;
		fine = host->environment[i].name &&
		       (host->environment[i].value || !variable->with_value);
	}
	return fine;
}

static bool take_texts(char **to, char *const *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		to[i] = strdup(from[i]);
		if (!to[i])
			return false;
	}
	return true;
}

static struct wt_error *take_host(const Wavetape__Host *from, struct wt_host **host_ret)
{
	struct wt_host *host = wt_host_create();
	bool fine = host && MAKE_LIST(host, command_line, from->n_command_line) &&
		    MAKE_LIST(host, missing, from->n_missing);

	if (fine) {
		host->process_id = from->process_id;
		host->time = from->time;
		host->executable = *from->executable ? strdup(from->executable) : NULL;
		fine = (host->executable || !*from->executable) &&
		       take_texts(host->command_line, from->command_line, from->n_command_line) &&
		       take_texts(host->missing, from->missing, from->n_missing) &&
		       take_maps(host, from) && take_threads(host, from) && take_pairs(host, from);
	}
	if (!fine) {
		wt_host_destroy(host);
		return &wt_error_no_memory;
	}
	*host_ret = host;
	return NULL;
}

static struct wt_error *look_into(struct wt_reader *reader, size_t place, struct wt_arena *arena,
				  struct wt_host **host_ret)
{
	struct wt_chunk *chunk = NULL;
	struct wt_error *error;

	reader->spent = 0;
	error = wt_reader_load(reader, place, &chunk);
	/* What is damaged has been noted. */
	if (error && error->code == WT_ERROR_INPUT) {
		wt_error_destroy(error);
		return NULL;
	}
	for (size_t i = error ? 0 : chunk->packet_count; !error && !*host_ret && i > 0; i--) {
		ProtobufCMessage *message = NULL;

		if (chunk->packets[i - 1].field != WT_PACKET_NOTICE)
			continue;
		wt_arena_reset(arena, 0);
		error = wt_packet_unpack(reader, arena, chunk, &chunk->packets[i - 1], &message);
		if (!error && ((const Wavetape__Notice *)message)->host)
			error = take_host(((const Wavetape__Notice *)message)->host, host_ret);
		/* A packet that cannot be decoded is lost by itself; who reads the journal is told. */
		if (error && error->code == WT_ERROR_INPUT) {
			wt_error_destroy(error);
			error = NULL;
		}
	}
	wt_chunk_release(chunk);
	return error;
}

struct wt_error *wt_reader_host(struct wt_reader *reader, struct wt_host **host_ret)
{
	struct wt_error *error = NULL;
	struct wt_host *host = NULL;
	struct wt_arena arena;

	wt_arena_init(&arena, 0);
	for (size_t i = reader->place_count; !error && !host && i > 0; i--)
		if (reader->places[i - 1].entry.chunk.contents & 1u << WT_PACKET_NOTICE)
			error = look_into(reader, i - 1, &arena, &host);
	wt_arena_deinit(&arena);
	if (!error)
		*host_ret = host;
	return error;
}
