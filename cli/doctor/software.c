/* SPDX-License-Identifier: MIT */
/* AMD's debugger library and runtime, what decodes instructions, and our own parts. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/apart.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "cli/libraries.h"
#include "dbgapi/architecture/disassemble.h"
#include "recorder/recording/unknown.h"

#define START_SECONDS 20 /* in which the runtime is to start */

/* ---- AMD's libraries ---- */

/* A library that does not load: of a ROCm that is installed by half, or one whose own code does not come to its end. */
static void library_tell_half(struct wt_doctor *doctor, enum wt_doctor_state state,
			      const char *topic, const struct wt_search_place *taken,
			      const char *reason)
{
	wt_doctor_add(
		doctor, state, topic,
		wt_text("%s (%s) cannot be loaded: %s", taken->path, taken->source, reason),
		wt_text("install it anew, with what it needs: `ldd %s` names that", taken->path));
}

static void library_tell(struct wt_doctor *doctor, const struct wt_search_place *taken)
{
	wt_cleanup_free char *rocm = wt_search_rocm_of(taken->path);
	wt_cleanup_free char *half = wt_cli_try_library(taken->path);
	const char *of = rocm ? ", of ROCm " : "", *version = rocm ? rocm : "";

	if (half)
		library_tell_half(doctor, WT_DOCTOR_RED, "library", taken, half);
	else if (taken->file.level < WT_SEARCH_LIVE_LEVEL)
		wt_doctor_add(doctor, WT_DOCTOR_RED, "library",
			      wt_text("%s (%s): level 0.%u%s%s, which is too old to debug live",
				      taken->path, taken->source, taken->file.level, of, version),
			      wt_text("install that of ROCm 5.7 or later, or name it in "
				      "WAVETAPE_DBGAPI"));
	else if (wt_unknown_functions(taken->path, NULL, NULL))
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "library",
			      wt_text("%s (%s): level 0.%u%s%s, newer than wavetape knows: it is "
				      "recorded as far as it is known",
				      taken->path, taken->source, taken->file.level, of, version),
			      wt_text("look for a newer wavetape"));
	else
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "library",
			      wt_text("%s (%s): level 0.%u%s%s", taken->path, taken->source,
				      taken->file.level, of, version),
			      NULL);
}

static void library_tell_none(struct wt_doctor *doctor)
{
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (named && *named)
		wt_doctor_add(doctor, WT_DOCTOR_RED, "library",
			      wt_text("WAVETAPE_DBGAPI=%s: %s", named,
				      wt_library_state_text(doctor->library.places[0].file.state)),
			      wt_text("name AMD's " WT_SEARCH_DBGAPI
				      " there, or unset it to have it looked for"));
	else
		wt_doctor_add(doctor, WT_DOCTOR_RED, "library",
			      wt_text("AMD's debugger library, " WT_SEARCH_DBGAPI
				      ", was not found; `--list` says where it was looked for"),
			      wt_text("install ROCm's package rocm-dbgapi (Debian: "
				      "librocm-dbgapi0), or name the library in WAVETAPE_DBGAPI"));
}

static void software_look_at_library(struct wt_doctor *doctor)
{
	const struct wt_search_place *taken;

	doctor->library = wt_search_begin(WT_SEARCH_DBGAPI);
	doctor->library.client_level = WT_SEARCH_LIVE_LEVEL;
	wt_cli_search_dbgapi(&doctor->library,
			     doctor->runtime.count && wt_search_taken(&doctor->runtime)
				     ? wt_search_taken(&doctor->runtime)->path
				     : NULL);
	taken = wt_search_taken(&doctor->library);
	if (taken)
		library_tell(doctor, taken);
	else
		library_tell_none(doctor);
}

/* Apart: the program that starts the runtime, which may end it, or never end. No tool of the user's is to run in it. */
static void runtime_start(int socket)
{
	char program[PATH_MAX] = "", runtime[PATH_MAX] = "";

	alarm(2 * START_SECONDS);
	unsetenv("HSA_TOOLS_LIB");
	if (recv(socket, program, sizeof(program) - 1, 0) > 0 &&
	    recv(socket, runtime, sizeof(runtime) - 1, 0) > 0 && dup2(socket, STDOUT_FILENO) >= 0)
		execl(program, program, runtime, (char *)NULL);
}

/*
 * Counts the GPUs that the runtime shows; of what cannot be tried the count is left as it is.
 *
 * Return: why it does not start, for the caller to free; NULL: it does.
 */
static char *runtime_count_gpus(const char *program, const char *runtime, size_t *count)
{
	static const char failed[] = "failed ", gpus[] = "gpus ";
	const struct timeval most = {.tv_sec = START_SECONDS};
	wt_cleanup_close int socket = -1;
	char line[512] = "";
	ssize_t told;

	if (!wt_apart_begin(runtime_start, &socket) ||
	    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)) ||
	    send(socket, program, strlen(program), MSG_NOSIGNAL) < 0 ||
	    send(socket, runtime, strlen(runtime), MSG_NOSIGNAL) < 0)
		return NULL;
	/* Each line is a message of its own. */
	do {
		told = recv(socket, line, sizeof(line) - 1, 0);
		line[told > 0 ? told : 0] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, failed, strlen(failed)))
			return strdup(line + strlen(failed));
		if (!strncmp(line, gpus, strlen(gpus))) {
			*count = strtoul(line + strlen(gpus), NULL, 10);
			return NULL;
		}
	} while (told > 0 || (told < 0 && errno == EINTR));
	return told ? wt_text("it had not come to its end after %d seconds", START_SECONDS)
		    : strdup("its own code ends the program");
}

/* A red driver or GPU is the reason of much else. */
static bool doctor_is_red(const struct wt_doctor *doctor)
{
	for (size_t i = 0; i < doctor->count; i++)
		if (doctor->findings[i].state == WT_DOCTOR_RED)
			return true;
	return false;
}

/* Does the runtime show the GPUs that the driver has? @text: of the runtime, taken over. */
static void runtime_tell(struct wt_doctor *doctor, const char *runtime, char *text)
{
	const char *visible = getenv("ROCR_VISIBLE_DEVICES");
	wt_cleanup_free char *program = NULL, *reason = NULL, *plain = text;
	wt_cleanup_error struct wt_error *error = wt_cli_try_program(&program);
	size_t count = doctor->gpu_count;

	if (!error && !doctor_is_red(doctor))
		reason = runtime_count_gpus(program, runtime, &count);
	if (reason)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "runtime",
			      text ? wt_text("%s: it does not start: %s", text, reason) : NULL,
			      wt_text("see what `rocminfo` says: programs run when it does"));
	else if (!count && doctor->gpu_count)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "runtime",
			      text ? wt_text("%s: it shows none of the driver's GPUs", text) : NULL,
			      visible ? wt_text("unset ROCR_VISIBLE_DEVICES, which may hide them")
				      : wt_text("take a newer ROCm, which may know them"));
	else if (count < doctor->gpu_count && !visible)
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "runtime",
			      text ? wt_text("%s: it shows %zu of the driver's %zu GPUs", text,
					     count, doctor->gpu_count)
				   : NULL,
			      wt_text("take a newer ROCm, which may know the others"));
	else
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "runtime", wt_take(plain), NULL);
}

static void software_look_at_runtime(struct wt_doctor *doctor)
{
	const struct wt_search_place *taken;
	wt_cleanup_free char *rocm = NULL, *file = NULL, *half = NULL;

	doctor->runtime = wt_search_begin(WT_SEARCH_RUNTIME);
	wt_search_add_known(&doctor->runtime, NULL, NULL);
	taken = wt_search_taken(&doctor->runtime);
	if (!taken) {
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "runtime",
			      wt_text(WT_SEARCH_RUNTIME " was not found: programs that bring "
							"one, as PyTorch, run all the same"),
			      wt_text("install ROCm's package hsa-rocr (Debian: "
				      "libhsa-runtime64-1) for `--try`"));
		return;
	}
	half = wt_cli_try_library(taken->path);
	if (half) {
		library_tell_half(doctor, WT_DOCTOR_YELLOW, "runtime", taken, half);
		return;
	}
	/* The name of the file has the version. */
	file = realpath(taken->path, NULL);
	rocm = wt_search_rocm_of(taken->path);
	runtime_tell(doctor, taken->path,
		     wt_text("%s (%s)%s%s", file ? file : taken->path, taken->source,
			     rocm ? ", of ROCm " : "", rocm ? rocm : ""));
}

/* ---- The decoder, and our own parts ---- */

static void software_look_at_decoder(struct wt_doctor *doctor)
{
	const char *library = wt_disassembler_library();

	if (library)
		wt_doctor_add(doctor, WT_DOCTOR_GREEN, "decoder",
			      wt_text("instructions by %s", library), NULL);
	else
		wt_doctor_add(doctor, WT_DOCTOR_YELLOW, "decoder",
			      wt_text("neither LLVM nor AMD's comgr was found: instructions are "
				      "shown as numbers"),
			      wt_text("install LLVM (libllvm19) or ROCm's comgr, here or where "
				      "traces are looked at"));
}

static void software_look_at_own(struct wt_doctor *doctor)
{
	wt_cleanup_free char *agent = NULL, *recorder = NULL, *tool = NULL;
	struct wt_error *error = wt_cli_agent_library(&agent);

	if (!error)
		error = wt_cli_library(WT_LIBRARY_RECORD, &recorder);
	if (error) {
		wt_doctor_add(doctor, WT_DOCTOR_RED, "wavetape",
			      wt_text("%s: %s: %s", error->what, error->where, error->why),
			      wt_text("install wavetape again, whole"));
		wt_error_destroy(error);
		return;
	}
	tool = wt_cli_escape(agent, '\\', WT_CLI_TOOLS_SPECIAL);
	wt_doctor_add(doctor, WT_DOCTOR_GREEN, "wavetape",
		      tool ? wt_text(WT_VERSION ", the agent is %s", tool) : NULL, NULL);
}

void wt_doctor_look_at_software(struct wt_doctor *doctor)
{
	software_look_at_runtime(doctor);
	software_look_at_library(doctor);
	software_look_at_decoder(doctor);
	software_look_at_own(doctor);
}
