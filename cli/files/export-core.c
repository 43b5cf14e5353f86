/* SPDX-License-Identifier: MIT */
/* One stop of a trace as a GPU core file. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/plural.h"
#include "cli/describe.h"
#include "cli/files/verb-export.h"
#include "cli/output.h"
#include "replayer/core/core.h"

/* Name what is left out, one line each. */
static void export_core_tell(struct wt_export *export, size_t count, const char *one,
			     const char *more, const char *why)
{
	if (!count)
		return;
	export->partial = true;
	fprintf(stderr, "wavetape: the core lacks something: ");
	wt_cli_put(stderr, export->trace.output);
	fprintf(stderr, ": %zu %s: %s\n", count, wt_plural(count, one, more), why);
}

static void export_core_tell_all(struct wt_export *export, const struct wt_core_export *done)
{
	char reasons[WT_DESCRIBE_MAX], why[2 * WT_DESCRIBE_MAX];

	export_core_tell(export, done->without_registers, "wave is left out", "waves are left out",
			 "their registers were not recorded, or not all of them");
	export_core_tell(export, done->without_dispatch, "wave is left out", "waves are left out",
			 "their dispatch, its packet, or their place in it was not recorded");
	export_core_tell(export, done->dispatches, "dispatch is left out",
			 "dispatches are left out", "no wave of them is in the core");
	export_core_tell(export, done->without_local, "workgroup has no local memory",
			 "workgroups have no local memory", "it was not recorded");
	export_core_tell(export, done->without_private, "wave has no private memory",
			 "waves have no private memory",
			 "it has no place that registers and queue agree on");
	export_core_tell(export, done->code_files, "code object has no bytes",
			 "code objects have no bytes", "they were not recorded");
	snprintf(why, sizeof(why), "a core cannot say %s",
		 done->reasons_lost ? wt_describe_reasons(done->reasons_lost, reasons)
				    : "why they stopped");
	export_core_tell(export, done->reasons, "wave has another stop reason",
			 "waves have other stop reasons", why);
}

static bool export_core_is_file(const struct wt_cli_output *output)
{
	struct stat status;

	return !fstat(fileno(output->stream), &status) && S_ISREG(status.st_mode);
}

struct wt_error *wt_export_core(struct wt_export *export)
{
	struct wt_core_export done;
	struct wt_view *view = NULL;
	struct wt_error *error;
	uint32_t stop;

	if (!export_core_is_file(&export->output))
		return wt_error_create(WT_ERROR_USAGE, "cannot write the core file",
				       export->trace.output,
				       "it is no file, and a core is not written from its start "
				       "to its end");
	error = wt_cli_trace_view(&export->trace, &view, &stop);
	if (!error)
		error = wt_core_export(view, fileno(export->output.stream), export->trace.output,
				       &done);
	wt_view_close(view);
	if (!error)
		export_core_tell_all(export, &done);
	return error;
}
