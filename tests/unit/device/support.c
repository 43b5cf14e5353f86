/* SPDX-License-Identifier: MIT */
#include "tests/unit/device/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/trap-handler.h"

const char *support_kernels;
static char folder[] = "/tmp/wavetape-device-XXXXXX";

static void remove_folder(void)
{
	char path[512];
	struct dirent *entry;
	DIR *directory = opendir(folder);

	while (directory && (entry = readdir(directory))) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		unlink(path);
	}
	if (directory)
		closedir(directory);
	rmdir(folder);
}

int support_main(int argc, char **argv, int (*run)(void))
{
	int result;

	support_kernels = argc > 1 ? argv[1] : ".";
	if (!mkdtemp(folder)) {
		perror(folder);
		return 1;
	}
	result = run();
	remove_folder();
	return result;
}

const char *support_write(const char *name, const void *data, size_t size)
{
	static char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
	return path;
}

const char *support_path(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", support_kernels, name);
	return path;
}

uint8_t *support_read(const char *path, size_t *size_ret)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	long size;

	if (!file)
		fail_msg("%s cannot be opened", path);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	data = malloc((size_t)size + 1);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, (size_t)size, file), size);
	fclose(file);
	*size_ret = (size_t)size;
	return data;
}

void support_expect_error(struct wt_error *error, const char *part)
{
	char text[2048];

	if (!error)
		fail_msg("no error where one with \"%s\" was expected", part);
	snprintf(text, sizeof(text), "%s: %s: %s", error->what, error->where, error->why);
	wt_error_destroy(error);
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, text);
}

__attribute__((format(printf, 2, 3))) static void note(struct support_session *session,
						       const char *format, ...)
{
	va_list arguments;

	assert_true(session->event_count < SUPPORT_MAX_EVENTS);
	va_start(arguments, format);
	vsnprintf(session->events[session->event_count++], sizeof(session->events[0]), format,
		  arguments);
	va_end(arguments);
}

static void dispatch_created(void *opaque, struct wt_device_dispatch *dispatch)
{
	note(opaque, "dispatch %u created", dispatch->number);
}

static void dispatch_ended(void *opaque, struct wt_device_dispatch *dispatch)
{
	note(opaque, "dispatch %u ended", dispatch->number);
}

static void workgroup_created(void *opaque, struct wt_device_workgroup *group)
{
	note(opaque, "workgroup %u created %u,%u,%u", group->number, group->coordinates[0],
	     group->coordinates[1], group->coordinates[2]);
}

static void workgroup_ended(void *opaque, struct wt_device_workgroup *group)
{
	note(opaque, "workgroup %u ended", group->number);
}

static void wave_created(void *opaque, struct wt_device_wave *wave)
{
	struct support_session *session = opaque;

	note(session, "wave %u created in %u", wave->number, wave->workgroup->number);
	assert_int_equal(wave->number, session->wave_count);
	session->waves[session->wave_count++] = wave;
	if (session->halt_new)
		session->device->operations->wave_halt(session->device, wave);
}

static void wave_stopped(void *opaque, struct wt_device_wave *wave)
{
	struct support_session *session = opaque;

	note(session, "wave %u stopped %#x", wave->number, wave->stop_reasons);
	assert_int_equal(wave->state, WT_WAVE_STOPPED);
	session->stopped[session->stopped_count++] = wave;
}

static void wave_terminated(void *opaque, struct wt_device_wave *wave, bool stepping)
{
	struct support_session *session = opaque;

	note(session, "wave %u terminated%s", wave->number, stepping ? " stepping" : "");
	assert_ptr_equal(session->waves[wave->number], wave);
	session->waves[wave->number] = NULL;
}

static void message(void *opaque, bool warning, const char *text)
{
	struct support_session *session = opaque;

	session->warning = warning;
	snprintf(session->message, sizeof(session->message), "%s", text);
}

struct support_session *support_open(const char *workload)
{
	struct support_session *session = calloc(1, sizeof(*session));
	const struct wt_device_listener listener = {
		.opaque = session,
		.dispatch_created = dispatch_created,
		.workgroup_created = workgroup_created,
		.wave_created = wave_created,
		.wave_stopped = wave_stopped,
		.wave_terminated = wave_terminated,
		.workgroup_ended = workgroup_ended,
		.dispatch_ended = dispatch_ended,
		.message = message,
	};
	const char *path = workload[0] == '{' ? support_write("w.json", workload, strlen(workload))
					      : support_path(workload);
	struct wt_error *error;

	assert_non_null(session);
	error = wt_simulated_create(path, &session->device);
	if (error)
		fail_msg("%s: %s: %s", error->what, error->where, error->why);
	session->device->operations->set_listener(session->device, &listener);
	return session;
}

void support_close(struct support_session *session)
{
	session->device->operations->destroy(session->device);
	free(session);
}

enum wt_device_progress support_run(struct support_session *session)
{
	enum wt_device_progress progress = WT_DEVICE_RUNNING;

	for (int i = 0; i < 1000 && progress == WT_DEVICE_RUNNING; i++)
		progress = session->device->operations->run(session->device, 100000);
	return progress;
}

void support_run_to_end(struct support_session *session)
{
	assert_int_equal(support_run(session), WT_DEVICE_IDLE);
}

void support_clear(struct support_session *session)
{
	session->event_count = 0;
	session->stopped_count = 0;
}

uint8_t *support_buffer(struct support_session *session, const char *name, size_t *size_ret)
{
	uint64_t address, size;
	uint8_t *data;

	assert_true(wt_simulated_buffer(session->device, name, &address, &size));
	data = malloc(size);
	assert_non_null(data);
	assert_int_equal(
		session->device->operations->read_memory(session->device, address, data, size),
		size);
	*size_ret = size;
	return data;
}

uint32_t support_code_word(struct support_session *session, uint64_t address)
{
	uint32_t word = 0;

	assert_int_equal(
		session->device->operations->read_memory(session->device, address, &word, 4), 4);
	return word;
}

void support_set_code_word(struct support_session *session, uint64_t address, uint32_t word)
{
	assert_int_equal(
		session->device->operations->write_memory(session->device, address, &word, 4), 4);
}

void support_resume(struct support_session *session, struct wt_device_wave *wave, bool step)
{
	session->device->operations->wave_resume(session->device, wave, step);
}

void support_check_stopped(const struct wt_device_wave *wave, uint32_t reasons, uint32_t trapsts,
			   uint32_t trap_id)
{
	const struct gfx_wave *gfx = wave->gfx;
	const uint32_t bits = MEM_VIOL | ILLEGAL_INST | TRAP_AFTER_INST | XNACK_ERROR;

	assert_int_equal(wave->state, WT_WAVE_STOPPED);
	assert_int_equal(wave->stop_reasons, reasons);
	assert_int_equal(gfx->trapsts & bits, trapsts);
	assert_int_equal(gfx->ttmps[6] >> 25, 1u << 5 | trap_id);
	assert_true(wt_wave_is_halted(gfx));
}

struct support_session *support_open_halted(const char *workload, uint64_t *entry_ret)
{
	struct support_session *session = support_open(workload);

	session->halt_new = true;
	assert_int_equal(support_run(session), WT_DEVICE_BLOCKED);
	session->halt_new = false;
	*entry_ret = session->waves[0]->workgroup->dispatch->kernel_entry;
	for (uint32_t i = 0; i < session->wave_count; i++) {
		assert_int_equal(session->waves[i]->gfx->pc, *entry_ret);
		support_check_stopped(session->waves[i], REASON(NONE), 0, 0);
	}
	support_clear(session);
	return session;
}

void support_resume_all(struct support_session *session)
{
	for (uint32_t i = 0; i < session->wave_count; i++)
		if (session->waves[i])
			support_resume(session, session->waves[i], false);
}
