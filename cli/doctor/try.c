/* SPDX-License-Identifier: MIT */
/* `wavetape doctor --try`: the first meeting with a GPU. The steps are in cli/doctor/steps.h. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/steps.h"
#include "cli/libraries.h"
#include "cli/output.h"

/* A file of the archive: its contents are those of a path, or a text. */
struct wt_archive_file {
	const char *name; /* in the archive: at most 99 bytes */
	const char *path; /* NULL: @text */
	const char *text;
};

/* A trace and what was printed of each step, and the table. */
#define FILES_MAX (2 * WT_STEPS + 1)

static const char *const result_names[] = {
	[WT_STEP_RIGHT] = "right",
	[WT_STEP_OTHERWISE] = "otherwise",
	[WT_STEP_LEFT_OUT] = "left out",
	[WT_STEP_WRONG] = "wrong",
};

/* ---- Setting out ---- */

/* Paths that are not the doctor's. */
struct setting {
	char *program, *code, *agent, *library, *command, *folder;
	struct wt_steps_setting steps;
	bool own_library;
};

#define TAR_BLOCK 512u
#define FILE_MAX ((off_t)1 << 30)

static const char what[] = "cannot write the archive";

/* ---- tar: the form of POSIX, whose numbers are octal texts ---- */

struct tar_head {
	char name[100], mode[8], owner[8], group[8], size[12], time[12], sum[8], type;
	char link[100], magic[6], version[2], owner_name[32], group_name[32];
	char major[8], minor[8], prefix[155], unused[12];
};

/* False if it cannot be written; why, gzerror() says. No bytes are written well. */
static bool tar_write(gzFile tar, const void *data, size_t size)
{
	return !size || gzwrite(tar, data, (unsigned int)size) == (int)size;
}

static bool tar_append(gzFile tar, const char *name, const void *data, size_t size)
{
	static const uint8_t zeros[TAR_BLOCK];
	struct tar_head head = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
	unsigned int sum = 0;

	snprintf(head.name, sizeof(head.name), "%s", name);
	snprintf(head.mode, sizeof(head.mode), "%07o", 0600);
	snprintf(head.owner, sizeof(head.owner), "%07o", 0);
	snprintf(head.group, sizeof(head.group), "%07o", 0);
	snprintf(head.size, sizeof(head.size), "%011llo", (unsigned long long)size);
	snprintf(head.time, sizeof(head.time), "%011o", 0);
	memset(head.sum, ' ', sizeof(head.sum));
	for (size_t i = 0; i < sizeof(head); i++)
		sum += ((const uint8_t *)&head)[i];
	snprintf(head.sum, sizeof(head.sum), "%06o", sum & 0777777u);
	return tar_write(tar, &head, sizeof(head)) && tar_write(tar, data, size) &&
	       tar_write(tar, zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static struct wt_error *file_read(const char *path, struct wt_buffer *data)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	uint8_t *bytes;

	if (fd < 0 || fstat(fd, &status))
		return wt_error_errno(errno, what, path);
	if (status.st_size > FILE_MAX)
		return wt_error_create(WT_ERROR_LIMIT, what, path, "it has more than 1 GiB");
	bytes = wt_buffer_extend(data, (size_t)status.st_size);
	if (!bytes)
		return &wt_error_no_memory;
	if (wt_file_read_at(fd, 0, bytes, data->size) != (ssize_t)data->size)
		return wt_error_create(WT_ERROR_IO, what, path, "it changed while it was read");
	return NULL;
}

/* ---- The archive ---- */

/* The error of what was written last. */
static struct wt_error *archive_fail(gzFile tar, const char *path)
{
	int kind, errnum = errno;
	const char *why = gzerror(tar, &kind);

	return kind == Z_ERRNO	     ? wt_error_errno(errnum, what, path)
	       : kind == Z_MEM_ERROR ? &wt_error_no_memory
				     : wt_error_create(WT_ERROR_IO, what, path, "%s", why);
}

static struct wt_error *archive_fill(gzFile tar, const char *path,
				     const struct wt_archive_file *files, size_t count)
{
	static const uint8_t end[2 * TAR_BLOCK];

	for (size_t i = 0; i < count; i++) {
		wt_cleanup_buffer struct wt_buffer data = {0};
		struct wt_error *error = files[i].path ? file_read(files[i].path, &data) : NULL;

		if (error)
			return error;
		if (!files[i].path)
			wt_buffer_append_text(&data, files[i].text);
		if (data.failed)
			return &wt_error_no_memory;
		if (!tar_append(tar, files[i].name, data.data, data.size))
			return archive_fail(tar, path);
	}
	return tar_write(tar, end, sizeof(end)) ? NULL : archive_fail(tar, path);
}

static int partial_open(const char *partial)
{
	return open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Can it be written? The kernels run first, and what came out of them is not to be lost. */
static struct wt_error *archive_check(const char *path)
{
	wt_cleanup_free char *partial = wt_text("%s.partial", path);
	wt_cleanup_close int fd = partial ? partial_open(partial) : -1;

	if (!partial)
		return &wt_error_no_memory;
	if (fd < 0)
		return wt_error_errno(errno, what, partial);
	unlink(partial);
	return NULL;
}

/*
 * Write an archive; one of that name is replaced when the new one is whole. Errors: IO; LIMIT if a file is too large.
 */
static struct wt_error *archive_write(const char *path, const struct wt_archive_file *files,
				      size_t count)
{
	wt_cleanup_free char *partial = wt_text("%s.partial", path);
	struct wt_error *error;
	int fd, closed;
	gzFile tar;

	if (!partial)
		return &wt_error_no_memory;
	fd = partial_open(partial);
	if (fd < 0)
		return wt_error_errno(errno, what, partial);
	tar = gzdopen(fd, "wb");
	error = tar ? archive_fill(tar, partial, files, count) : &wt_error_no_memory;
	closed = tar ? gzclose(tar) : close(fd);
	if (!error && closed)
		error = closed == Z_MEM_ERROR ? &wt_error_no_memory
					      : wt_error_errno(errno, what, partial);
	if (!error && rename(partial, path))
		error = wt_error_errno(errno, what, path);
	if (error)
		unlink(partial);
	return error;
}

static void setting_deinit(struct setting *setting)
{
	char *const paths[] = {setting->program, setting->code,	   setting->agent,
			       setting->library, setting->command, setting->folder};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		free(paths[i]);
}

static struct wt_error *setting_make_folder(struct setting *setting)
{
	const char *temporary = wt_cli_temporary();

	setting->folder = wt_text("%s/wavetape-try-XXXXXX", *temporary == '/' ? temporary : "/tmp");
	if (!setting->folder)
		return &wt_error_no_memory;
	if (mkdtemp(setting->folder))
		return NULL;
	return wt_error_errno(errno, "cannot try the GPU", setting->folder);
}

/* AMD's library, else our own, which debugs by the same driver. */
static struct wt_error *setting_choose_library(struct setting *setting,
					       const struct wt_doctor *doctor)
{
	const struct wt_search_place *taken = wt_search_taken(&doctor->library);

	setting->own_library = !taken;
	if (!taken)
		return wt_cli_library(WT_LIBRARY_SIMULATED, &setting->library);
	setting->library = realpath(taken->path, NULL);
	return setting->library ? NULL
				: wt_error_errno(errno, "cannot find the library", taken->path);
}

static struct wt_error *setting_init(struct setting *setting, const struct wt_doctor *doctor,
				     const struct wt_doctor_try *options)
{
	const struct wt_search_place *runtime = wt_search_taken(&doctor->runtime);
	struct wt_error *error = NULL;

	*setting = (struct setting){0};
	if (!runtime)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot try the GPU", WT_SEARCH_RUNTIME,
				       "AMD's runtime was not found: `wavetape doctor --list` says "
				       "where it was looked for");
	error = wt_cli_try_program(&setting->program);
	if (!error)
		error = wt_cli_try_code(&setting->code);
	if (!error)
		error = wt_cli_agent_library(&setting->agent);
	if (!error)
		error = wt_cli_command(&setting->command);
	if (!error)
		error = setting_choose_library(setting, doctor);
	if (!error)
		error = setting_make_folder(setting);
	setting->steps = (struct wt_steps_setting){
		.program = setting->program,
		.code = setting->code,
		.agent = setting->agent,
		.library = setting->library,
		.runtime = runtime->path,
		.command = setting->command,
		.folder = setting->folder,
		.gpu = options->gpu,
		.seconds = options->seconds,
		.hang = options->hang,
		.all = options->all,
	};
	return error;
}

/* ---- The archive ---- */

/* Folders whose names say nothing of people. */
static bool path_is_plain(const char *path)
{
	static const char *const starts[] = {"/dev/",	  "/sys/", "/proc/", "/usr/", "/lib",
					     "/opt/rocm", "/etc/", "/tmp ",  "/."};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(path, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* A text without paths that name people, machines or projects. */
static void text_scrub(struct wt_buffer *scrubbed, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "/");
		bool path;

		wt_buffer_append(scrubbed, text, length);
		text += length;
		if (!*text)
			return;
		/* A slash within a word, as of a URL, begins no path. */
		path = !length || strchr(" =('`\"\n", text[-1]);
		length = strcspn(text, " ,;:()'`\"\n");
		if (path && length > 1 && !path_is_plain(text))
			wt_buffer_append_text(scrubbed, "(path)");
		else
			wt_buffer_append(scrubbed, text, length);
		text += length;
	}
}

/* The table and the findings as the archive has them. The caller frees it. */
static char *archive_text(const struct wt_doctor *doctor, const struct wt_step_outcome *outcomes,
			  bool all)
{
	struct wt_buffer text = {0}, scrubbed = {0};
	wt_cleanup_free char *plain = NULL;
	struct utsname system;

	wt_buffer_append_text(&text, "wavetape " WT_VERSION "\n");
	if (!uname(&system))
		wt_buffer_append_format(&text, "%s %s %s\n", system.sysname, system.release,
					system.machine);
	for (size_t i = 0; i < doctor->count; i++)
		wt_buffer_append_format(&text, "%-6s %-10s %s\n",
					wt_doctor_state_names[doctor->findings[i].state],
					doctor->findings[i].topic, doctor->findings[i].text);
	for (size_t i = 0; i < WT_STEPS; i++)
		wt_buffer_append_format(&text, "%-7s %-10s %.1f s  %.*s\n", wt_steps[i].name,
					result_names[outcomes[i].result], outcomes[i].took,
					(int)outcomes[i].text.size,
					(const char *)outcomes[i].text.data);
	plain = wt_buffer_take_text(&text);
	if (all || !plain)
		return wt_take(plain);
	text_scrub(&scrubbed, plain);
	return wt_buffer_take_text(&scrubbed);
}

static char *archive_name(const struct wt_doctor_try *options)
{
	struct utsname system;

	if (options->output)
		return strdup(options->output);
	if (uname(&system) || strchr(system.nodename, '/'))
		strcpy(system.nodename, "host");
	return wt_text("wavetape-doctor-%s.tar.gz", system.nodename);
}

static struct wt_error *archive_make(const struct setting *setting, const char *text,
				     const struct wt_step_outcome *outcomes, const char *name)
{
	struct wt_archive_file files[FILES_MAX] = {{.name = "table.txt", .text = text}};
	char names[FILES_MAX][32];
	char *paths[FILES_MAX] = {NULL};
	struct wt_error *error = NULL;
	size_t count = 1;

	for (size_t i = 0; i < 2 * WT_STEPS && !error; i++) {
		const char *step = wt_steps[i / 2].name;
		bool log = i % 2;

		/* The texts that a process prints have paths in them. */
		if (log ? !setting->steps.all : !outcomes[i / 2].has_trace)
			continue;
		snprintf(names[count], sizeof(names[count]), "%s.%s", step, log ? "txt" : "wtape");
		paths[count] = wt_text("%s/%s", setting->folder, names[count]);
		if (!paths[count])
			error = &wt_error_no_memory;
		files[count] = (struct wt_archive_file){.name = names[count], .path = paths[count]};
		count++;
	}
	if (!error)
		error = archive_write(name, files, count);
	for (size_t i = 0; i < FILES_MAX; i++)
		free(paths[i]);
	return error;
}

static void folder_remove(const char *folder)
{
	static const char *const ends[] = {"txt", "wtape", "wtape.partial"};

	for (size_t i = 0; i < WT_STEPS; i++)
		for (size_t j = 0; j < sizeof(ends) / sizeof(*ends); j++) {
			wt_cleanup_free char *path =
				wt_text("%s/%s.%s", folder, wt_steps[i].name, ends[j]);

			if (path)
				unlink(path);
		}
	rmdir(folder);
}

/* ---- Printing ---- */

static enum wt_step_result outcomes_worst(const struct wt_step_outcome *outcomes)
{
	enum wt_step_result worst = WT_STEP_RIGHT;

	for (size_t i = 0; i < WT_STEPS; i++)
		worst = outcomes[i].result > worst ? outcomes[i].result : worst;
	return worst;
}

static void step_print(const struct wt_step *step, struct wt_step_outcome *outcome)
{
	wt_cleanup_free char *text = wt_buffer_take_text(&outcome->text);

	printf("%-7s %-10s %5.1f s  ", step->name, result_names[outcome->result], outcome->took);
	wt_cli_put(stdout, text);
	putchar('\n');
	fflush(stdout);
	if (text)
		wt_buffer_append_text(&outcome->text, text);
}

static int steps_print_json(const struct wt_doctor *doctor, const struct setting *setting,
			    const struct wt_step_outcome *outcomes, const char *name)
{
	json_t *steps = json_array(), *findings = wt_doctor_findings_to_json(doctor);

	for (size_t i = 0; steps && i < WT_STEPS; i++) {
		wt_cleanup_free char *text =
			strndup((const char *)outcomes[i].text.data, outcomes[i].text.size);

		json_array_append_new(
			steps,
			json_pack("{s:s, s:s, s:o, s:b, s:f}", "step", wt_steps[i].name, "result",
				  result_names[outcomes[i].result], "text", wt_cli_json_text(text),
				  "trace", outcomes[i].has_trace, "seconds", outcomes[i].took));
	}
	return wt_cli_json(NULL, 0,
			   json_pack("{s:s, s:s, s:b, s:o, s:o, s:o}", "version", WT_VERSION,
				     "result", result_names[outcomes_worst(outcomes)],
				     "own_library", setting->own_library, "steps", steps, "archive",
				     wt_cli_json_text(name), "findings", findings));
}

/* Why no kernel can run at all: the driver is not there for this user. NULL if it is. */
static const char *doctor_find_obstacle(const struct wt_doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++)
		if (doctor->findings[i].state == WT_DOCTOR_RED &&
		    !strcmp(doctor->findings[i].topic, "driver"))
			return doctor->findings[i].text;
	return NULL;
}

static struct wt_error *step_leave_out(const char *obstacle, struct wt_step_outcome *outcome)
{
	outcome->result = WT_STEP_LEFT_OUT;
	wt_buffer_append_text(&outcome->text, obstacle);
	return outcome->text.failed ? &wt_error_no_memory : NULL;
}

static struct wt_error *steps_run(const struct wt_doctor *doctor, const struct setting *setting,
				  bool quiet, struct wt_step_outcome outcomes[WT_STEPS])
{
	const char *obstacle = doctor_find_obstacle(doctor);
	struct wt_error *error = NULL;

	for (size_t i = 0; i < WT_STEPS && !error; i++) {
		error = obstacle ? step_leave_out(obstacle, &outcomes[i])
				 : wt_step_try(&setting->steps, &wt_steps[i], &outcomes[i]);
		if (!error && !quiet)
			step_print(&wt_steps[i], &outcomes[i]);
	}
	return error;
}

/* Take it all together when the steps are over. */
static struct wt_error *steps_pack(const struct wt_doctor *doctor, const struct setting *setting,
				   const struct wt_doctor_try *options, const char *name,
				   struct wt_step_outcome outcomes[WT_STEPS])
{
	wt_cleanup_free char *text = archive_text(doctor, outcomes, options->all);
	struct wt_error *error;

	if (!text)
		return &wt_error_no_memory;
	error = archive_make(setting, text, outcomes, name);
	if (error)
		return error;
	if (options->json) {
		steps_print_json(doctor, setting, outcomes, name);
		return NULL;
	}
	putchar('\n');
	wt_cli_put(stdout, name);
	printf(" has the table and the traces%s: please attach it to an issue of wavetape's, "
	       "whether "
	       "all is right or not\n",
	       options->all ? ", with paths and names of this machine"
			    : ", without paths and names of this machine");
	return NULL;
}

int wt_doctor_try(struct wt_doctor *doctor, const struct wt_doctor_try *options)
{
	static const int codes[] = {
		[WT_STEP_RIGHT] = WT_EXIT_FINE,
		[WT_STEP_OTHERWISE] = WT_EXIT_PARTIAL,
		[WT_STEP_LEFT_OUT] = WT_EXIT_PARTIAL,
		[WT_STEP_WRONG] = WT_EXIT_FAILED,
	};
	struct wt_step_outcome outcomes[WT_STEPS] = {{0}};
	wt_cleanup_free char *name = archive_name(options);
	struct setting setting;
	struct wt_error *error = setting_init(&setting, doctor, options);
	int code = WT_EXIT_FAILED;

	if (!error)
		error = name ? archive_check(name) : &wt_error_no_memory;
	if (!error && !options->json)
		printf("\n%s\n", setting.own_library
					 ? "The kernels of the trial, with wavetape's own debugger "
					   "library in the place of AMD's:"
					 : "The kernels of the trial:");
	if (!error)
		error = steps_run(doctor, &setting, options->json, outcomes);
	if (!error)
		error = steps_pack(doctor, &setting, options, name, outcomes);
	if (!error)
		code = codes[outcomes_worst(outcomes)];
	else
		wt_cli_fail(error);
	if (setting.folder)
		folder_remove(setting.folder);
	for (size_t i = 0; i < WT_STEPS; i++)
		wt_buffer_deinit(&outcomes[i].text);
	setting_deinit(&setting);
	return code;
}
