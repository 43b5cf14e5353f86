/* SPDX-License-Identifier: MIT */
/* `wavetape doctor`: on one screen, whether this machine can record, and what to do about what it cannot. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/output.h"
#include "dbgapi/kfd/debug-ioctl.h"
#include "device/save-area/note.h"
#include "driver/wire/wire.h"
#include "gfx/architecture/architecture.h"

struct options {
	bool json, list, try;
	struct wt_doctor_try trial;
};

/* Options without a letter. */
enum { OPTION_TRY = 256, OPTION_GPU, OPTION_HANG, OPTION_ALL };

const char *const wt_doctor_state_names[] = {
	[WT_DOCTOR_GREEN] = "green",
	[WT_DOCTOR_YELLOW] = "yellow",
	[WT_DOCTOR_RED] = "red",
};

/* ---- The kernel driver: may it be opened, which debug interface does it have, and what are its GPUs? ---- */

#define DRIVER "/dev/kfd"
#define NODES "/sys/class/kfd/kfd/topology/nodes"
/* The driver's debugger interface came with this version, in Linux 6.5. */
#define DEBUG_MAJOR 1u
#define DEBUG_MINOR 13u

static void driver_tell_refused(struct wt_doctor *doctor, const char *path, int errnum)
{
	const struct group *group = NULL;
	struct stat status;

	if (errnum == ENOENT) {
		wt_doctor_add(doctor, WT_DOCTOR_RED, "driver",
			      wt_text("%s is not there: the kernel has no AMD GPU driver, or "
				      "this is a container without it",
				      path),
			      wt_text("load amdgpu (`modprobe amdgpu`); start a container with "
				      "--device /dev/kfd --device /dev/dri"));
		return;
	}
	if (errnum == EACCES && !stat(path, &status))
		group = getgrgid(status.st_gid);
	wt_doctor_add(doctor, WT_DOCTOR_RED, "driver",
		      wt_text("%s cannot be opened: %s", path, strerror(errnum)),
		      group ? wt_text("become a member of the group %s (`usermod -aG %s "
				      "USER`) and log in again",
				      group->gr_name, group->gr_name)
		      : errnum == EACCES
			      ? wt_text("let this user open it: its group has no name here, as "
					"in a container that was started without --group-add")
			      : wt_text("look at the kernel's messages (`dmesg | grep -i "
					"amdgpu`)"));
}

static bool driver_look_at_version(struct wt_doctor *doctor)
{
	const char *of = getenv(WT_WIRE_VARIABLE) ? "the simulated GPU's: " : "";
	struct kfd_get_version version = {0};
	struct wt_kfd_calls calls;
	char module[64];
	int error = wt_kfd_calls_open(&calls, (uint32_t)getpid());

	if (error) {
		driver_tell_refused(doctor, DRIVER, -error);
		return false;
	}
	error = wt_kfd_calls_version(&calls, &version);
	wt_kfd_calls_close(&calls);
	wt_doctor_read_line("/sys/module/amdgpu/version", module, sizeof(module));
	if (error)
		wt_doctor_add(doctor, WT_DOCTOR_RED, "driver",
			      wt_text("%s does not tell its version: %s", DRIVER, strerror(-error)),
			      wt_text("look at the kernel's messages (`dmesg | grep -i amdgpu`)"));
	else if (version.major != DEBUG_MAJOR || version.minor < DEBUG_MINOR)
		wt_doctor_add(doctor, WT_DOCTOR_RED, "driver",
			      wt_text("its interface is %u.%u%s%s: without calls for debuggers",
				      version.major, version.minor, *module ? ", amdgpu " : "",
				      module),
			      wt_text("take Linux 6.5 or later, or AMD's driver of ROCm 5.7 or "
				      "later"));
	else
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "driver",
			      wt_text("%sits interface is %u.%u, with calls for debuggers%s%s", of,
				      version.major, version.minor, *module ? "; amdgpu " : "",
				      module),
			      NULL);
	return !error;
}

/* A property of a node: a name and a number on a line of its own. */
static bool properties_find(const char *text, const char *name, uint32_t *number_ret)
{
	size_t length = strlen(name);

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ' ') {
			*number_ret = (uint32_t)strtoul(line + length, NULL, 10);
			return true;
		}
	}
	return false;
}

static bool node_read(uint32_t node, struct wt_doctor_gpu *gpu_ret, uint32_t *minor_ret)
{
	char path[128], text[8192];
	wt_cleanup_close int fd = -1;
	uint32_t simds = 0, version = 0;
	ssize_t size;

	snprintf(path, sizeof(path), NODES "/%u/properties", node);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		return false;
	text[size] = '\0';
	if (!properties_find(text, "simd_count", &simds) || !simds ||
	    !properties_find(text, "gfx_target_version", &version) || !version)
		return false;
	*gpu_ret = (struct wt_doctor_gpu){.node = node, .version = version};
	/* The stepping is hexadecimal in the name. */
	snprintf(gpu_ret->name, sizeof(gpu_ret->name), "gfx%u%u%x", version / 10000,
		 version / 100 % 100, version % 100);
	properties_find(text, "capability", &gpu_ret->capability);
	*minor_ret = 0;
	properties_find(text, "drm_render_minor", minor_ret);
	return true;
}

/* Makes the text of a GPU that can be debugged: its name, and what is known of it. */
static char *gpu_describe(const struct wt_doctor_gpu *gpu,
			  const struct gfx_architecture *architecture)
{
	bool precise = gpu->capability & WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY;

	if (!architecture)
		return wt_text("%s (node %u), which wavetape does not know: it is recorded by "
			       "AMD's description of it, and not decoded",
			       gpu->name, gpu->node);
	return wt_text("%s (node %u): waves, registers and code are known%s%s", gpu->name,
		       gpu->node,
		       precise ? ", faults can be made precise (the agent's word `precise')"
			       : ", faults are reported some instructions late",
		       architecture->operations ? ", instructions are executed to find causes"
						: "; causes are found without executing "
						  "instructions");
}

static void gpu_look_at(struct wt_doctor *doctor, const struct wt_doctor_gpu *gpu, uint32_t minor)
{
	const struct gfx_architecture *architecture = gfx_architecture_by_version(gpu->version);
	char render[64];

	snprintf(render, sizeof(render), "/dev/dri/renderD%u", minor);
	if (!(gpu->capability & WT_CORE_NOTE_CAPABILITY_DEBUG))
		wt_doctor_add(
			doctor, WT_DOCTOR_RED, "GPU",
			wt_text("%s (node %u): the driver does not debug it", gpu->name, gpu->node),
			wt_text("take a newer kernel, or another GPU"));
	else if (!(gpu->capability & WT_CORE_NOTE_CAPABILITY_FIRMWARE))
		wt_doctor_add(doctor, WT_DOCTOR_RED, "GPU",
			      wt_text("%s (node %u): its firmware is too old to be debugged",
				      gpu->name, gpu->node),
			      wt_text("install newer firmware (linux-firmware, or AMD's "
				      "amdgpu-dkms-firmware) and restart"));
	else if (minor && access(render, R_OK | W_OK))
		wt_doctor_add(doctor, WT_DOCTOR_RED, "GPU",
			      wt_text("%s (node %u): %s cannot be opened: %s", gpu->name, gpu->node,
				      render, strerror(errno)),
			      wt_text("become a member of its group (render or video); give a "
				      "container --device /dev/dri"));
	else
		wt_doctor_add(doctor, architecture ? WT_DOCTOR_GREEN : WT_DOCTOR_YELLOW, "GPU",
			      gpu_describe(gpu, architecture),
			      architecture ? NULL : wt_text("look for a newer wavetape"));
}

static void driver_look_at_gpus(struct wt_doctor *doctor)
{
	DIR *nodes = opendir(NODES);
	const struct dirent *entry;
	uint32_t most = 0, minor;

	/* In the order of their numbers, which readdir() does not have. */
	while (nodes && (entry = readdir(nodes))) {
		uint32_t number = (uint32_t)strtoul(entry->d_name, NULL, 10);

		most = number > most && number < 4096 ? number : most;
	}
	if (nodes)
		closedir(nodes);
	for (uint32_t node = 0; node <= most && doctor->gpu_count < WT_DOCTOR_GPUS; node++)
		if (node_read(node, &doctor->gpus[doctor->gpu_count], &minor))
			gpu_look_at(doctor, &doctor->gpus[doctor->gpu_count++], minor);
	if (!doctor->gpu_count)
		wt_doctor_add(doctor, WT_DOCTOR_RED, "GPU",
			      wt_text("the driver has none: " NODES " names no GPU"),
			      wt_text("look at the kernel's messages (`dmesg | grep -i amdgpu`)"));
}

/* Look at the driver and its GPUs. */
static void doctor_look_at_driver(struct wt_doctor *doctor)
{
	if (driver_look_at_version(doctor))
		driver_look_at_gpus(doctor);
}

/* ---- Findings ---- */

void wt_doctor_add(struct wt_doctor *doctor, enum wt_doctor_state state, const char *topic,
		   char *text, char *advice)
{
	struct wt_doctor_finding *findings =
		realloc(doctor->findings, (doctor->count + 1) * sizeof(*findings));

	if (findings)
		doctor->findings = findings;
	if (findings && text) {
		findings[doctor->count++] = (struct wt_doctor_finding){topic, state, text, advice};
		return;
	}
	doctor->no_memory = true;
	free(text);
	free(advice);
}

void wt_doctor_read_line(const char *path, char *line_ret, size_t size)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t length = fd < 0 ? -1 : read(fd, line_ret, size - 1);

	line_ret[length > 0 ? length : 0] = '\0';
	line_ret[strcspn(line_ret, "\n")] = '\0';
}

static void doctor_deinit(struct wt_doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++) {
		free(doctor->findings[i].text);
		free(doctor->findings[i].advice);
	}
	free(doctor->findings);
	wt_search_deinit(&doctor->library);
	wt_search_deinit(&doctor->runtime);
}

static enum wt_doctor_state doctor_worst(const struct wt_doctor *doctor)
{
	enum wt_doctor_state worst = WT_DOCTOR_GREEN;

	for (size_t i = 0; i < doctor->count; i++)
		if (doctor->findings[i].state > worst)
			worst = doctor->findings[i].state;
	return worst;
}

/* ---- Text ---- */

static void state_print(enum wt_doctor_state state)
{
	static const enum wt_cli_colour colours[] = {
		[WT_DOCTOR_GREEN] = WT_CLI_GREEN,
		[WT_DOCTOR_YELLOW] = WT_CLI_YELLOW,
		[WT_DOCTOR_RED] = WT_CLI_RED,
	};

	printf("%s%-6s%s ", wt_cli_colour(stdout, colours[state]), wt_doctor_state_names[state],
	       wt_cli_colour(stdout, WT_CLI_PLAIN));
}

static void finding_print(const struct wt_doctor_finding *finding)
{
	state_print(finding->state);
	wt_cli_put_padded(finding->topic, 11);
	wt_cli_put(stdout, finding->text);
	putchar('\n');
	if (finding->advice) {
		printf("%19s", "-> ");
		wt_cli_put(stdout, finding->advice);
		putchar('\n');
	}
}

static void search_print(const struct wt_search *search)
{
	const struct wt_search_place *taken = wt_search_taken(search);

	printf("\n%s\n", search->name);
	for (size_t i = 0; i < search->count; i++) {
		const struct wt_search_place *place = &search->places[i];

		printf("  %c ", place == taken ? '*' : ' ');
		wt_cli_put(stdout, place->path);
		printf(" (");
		wt_cli_put(stdout, place->source);
		if (place->file.state != WT_LIBRARY_GOOD)
			printf("): %s\n", wt_library_state_text(place->file.state));
		else if (search->of_api)
			printf("): level 0.%u%s\n", place->file.level,
			       place == taken ? ", taken: the first that is good" : "");
		else
			printf(")%s\n", place == taken ? ": taken: the first that is good" : "");
	}
}

static void doctor_print(const struct wt_doctor *doctor, bool list)
{
	size_t counts[3] = {0};

	for (size_t i = 0; i < doctor->count; i++) {
		counts[doctor->findings[i].state]++;
		finding_print(&doctor->findings[i]);
	}
	if (list) {
		search_print(&doctor->library);
		search_print(&doctor->runtime);
	}
	printf("\n%zu green, %zu yellow, %zu red: ", counts[WT_DOCTOR_GREEN],
	       counts[WT_DOCTOR_YELLOW], counts[WT_DOCTOR_RED]);
	puts(counts[WT_DOCTOR_RED]	? "programs on the GPU cannot be recorded here"
	     : counts[WT_DOCTOR_YELLOW] ? "programs on the GPU can be recorded, with limits"
					: "programs on the GPU can be recorded");
}

/* ---- JSON ---- */

static json_t *search_to_json(const struct wt_search *search)
{
	const struct wt_search_place *taken = wt_search_taken(search);
	json_t *places = json_array();

	for (size_t i = 0; places && i < search->count; i++) {
		const struct wt_search_place *place = &search->places[i];

		if (json_array_append_new(
			    places,
			    json_pack("{s:o, s:o, s:s, s:o, s:b}", "path",
				      wt_cli_json_text(place->path), "source",
				      wt_cli_json_text(place->source), "is",
				      wt_library_state_text(place->file.state), "level",
				      place->file.level ? json_sprintf("0.%u", place->file.level)
							: json_null(),
				      "taken", place == taken))) {
			json_decref(places);
			return NULL;
		}
	}
	return places;
}

json_t *wt_doctor_findings_to_json(const struct wt_doctor *doctor)
{
	json_t *findings = json_array();

	for (size_t i = 0; findings && i < doctor->count; i++) {
		const struct wt_doctor_finding *finding = &doctor->findings[i];

		if (json_array_append_new(findings,
					  json_pack("{s:s, s:s, s:o, s:o}", "state",
						    wt_doctor_state_names[finding->state], "topic",
						    finding->topic, "text",
						    wt_cli_json_text(finding->text), "advice",
						    wt_cli_json_text(finding->advice)))) {
			json_decref(findings);
			return NULL;
		}
	}
	return findings;
}

static int doctor_print_json(const struct wt_doctor *doctor)
{
	json_t *findings = wt_doctor_findings_to_json(doctor),
	       *library = search_to_json(&doctor->library);
	json_t *runtime = search_to_json(&doctor->runtime);

	return wt_cli_json(NULL, 0,
			   json_pack("{s:s, s:s, s:o, s:o, s:o}", "version", WT_VERSION, "state",
				     wt_doctor_state_names[doctor_worst(doctor)], "findings",
				     findings, "library", library, "runtime", runtime));
}

/* ---- The verb ---- */

static uint32_t doctor_parse_number(struct argp_state *state, const char *name, const char *text)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || number > 86400)
		argp_error(state, "%s takes a number up to 86400, not '%s'", name, text);
	return (uint32_t)number;
}

static void doctor_check_options(const struct options *options, struct argp_state *state)
{
	if (!options->try && (options->trial.hang || options->trial.all || options->trial.output ||
			      options->trial.gpu))
		argp_error(state, "--gpu, --hang, --all and --output are for --try");
	if (!options->trial.seconds)
		argp_error(state, "--time-limit takes at least 1 second");
}

static error_t doctor_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'l':
		options->list = true;
		return 0;
	case OPTION_TRY:
		options->try = true;
		return 0;
	case OPTION_GPU:
		options->trial.gpu = doctor_parse_number(state, "--gpu", argument);
		return 0;
	case OPTION_HANG:
		options->trial.hang = true;
		return 0;
	case OPTION_ALL:
		options->trial.all = true;
		return 0;
	case 't':
		options->trial.seconds = doctor_parse_number(state, "--time-limit", argument);
		return 0;
	case 'o':
		options->trial.output = argument;
		return 0;
	case ARGP_KEY_END:
		doctor_check_options(options, state);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "it takes no argument: '%s'", argument);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int wt_command_doctor(int argc, char **argv)
{
	static const struct argp_option entries[] = {
		{"list", 'l', NULL, 0,
		 "also list where AMD's libraries were looked for, and which was taken", 0},
		{"try", OPTION_TRY, NULL, 0,
		 "then run five small kernels on the GPU with the agent in each, and hold their "
		 "traces "
		 "against what must be in them: one is right, one uses local and private memory, "
		 "one "
		 "faults, one traps, one hangs until it was seen. No compiler and no HIP are "
		 "needed. "
		 "Leaves wavetape-doctor-HOST.tar.gz",
		 0},
		{"gpu", OPTION_GPU, "N", 0,
		 "with --try: the N'th GPU of the runtime, from 0 (default 0)", 0},
		{"time-limit", 't', "SECONDS", 0,
		 "with --try: how long a kernel may last (default 60)", 0},
		{"hang", OPTION_HANG, NULL, 0,
		 "with --try: let the kernel that hangs have no limit of its own; it may leave the "
		 "GPU "
		 "unusable if it cannot be stopped",
		 0},
		{"all", OPTION_ALL, NULL, 0,
		 "with --try: put into the archive what the programs print and the host's facts, "
		 "with "
		 "paths and names",
		 0},
		{"output", 'o', "FILE", 0, "with --try: the archive to write", 0},
		WT_CLI_JSON_OPTION,
		{0},
	};
	static const struct argp argp = {
		.options = entries,
		.parser = doctor_parse,
		.doc = "Say whether programs on this machine's GPU can be recorded: driver, GPUs, "
		       "AMD's libraries, permissions, limits and environment, and for each that is "
		       "not as it should be the one thing to do."
		       "\v"
		       "Exits with 0 if all is green, with 3 if something is yellow, with 1 if "
		       "something is red; with --try with 0 if all steps are right, with 3 if one "
		       "was "
		       "otherwise or left out, with 1 if one is wrong.",
	};
	struct options options = {.trial.seconds = 60};
	struct wt_doctor doctor = {0};
	int code;

	wt_cli_parse(&argp, argc, argv, &options);
	doctor_look_at_driver(&doctor);
	wt_doctor_look_at_software(&doctor);
	wt_doctor_look_at_system(&doctor);
	if (doctor.no_memory || doctor.library.no_memory || doctor.runtime.no_memory) {
		doctor_deinit(&doctor);
		return wt_cli_fail(&wt_error_no_memory);
	}
	code = (int[]){WT_EXIT_FINE, WT_EXIT_PARTIAL, WT_EXIT_FAILED}[doctor_worst(&doctor)];
	if (!options.json)
		doctor_print(&doctor, options.list);
	options.trial.json = options.json;
	if (options.try)
		code = wt_doctor_try(&doctor, &options.trial);
	else if (options.json && doctor_print_json(&doctor))
		code = WT_EXIT_FAILED;
	doctor_deinit(&doctor);
	return code;
}
