/* SPDX-License-Identifier: MIT */
/* AMD's debugger library and runtime, what decodes instructions, and our own parts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "cli/libraries.h"
#include "dbgapi/architecture/disassemble.h"
#include "recorder/recording/unknown.h"

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
	wt_doctor_add(doctor, WT_DOCTOR_GREEN, "runtime",
		      wt_text("%s (%s)%s%s", file ? file : taken->path, taken->source,
			      rocm ? ", of ROCm " : "", rocm ? rocm : ""),
		      NULL);
}

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
