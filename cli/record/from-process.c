/* SPDX-License-Identifier: MIT */
#include "cli/record/from-process.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "base/user-socket.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "recorder/agent/attach.h"
#include "recorder/agent/ptrace.h"

#define DRIVER "/dev/kfd"

/* One debugger at a time: the agent is one, and can do the same. */
static bool process_has_agent(pid_t process)
{
	socklen_t size;
	const struct sockaddr_storage address = wt_user_socket_agent(process, &size);
	wt_cleanup_close int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd >= 0 && !connect(fd, (const struct sockaddr *)&address, size) &&
	       wt_user_socket_process(fd) == process;
}

static struct wt_error *attach_check_driver(void)
{
	const struct group *group = NULL;
	struct stat status;

	if (!access(DRIVER, R_OK | W_OK) || errno != EACCES)
		return NULL;
	if (!stat(DRIVER, &status))
		group = getgrgid(status.st_gid);
	return wt_error_create(WT_ERROR_IO, "cannot debug the process", DRIVER,
			       "this user may not open it%s%s", group ? ": be in the group " : "",
			       group ? group->gr_name : "");
}

struct wt_error *wt_record_attach_check(const struct wt_record_attach *attach)
{
	pid_t process = (pid_t)attach->process;
	struct wt_error *error;
	char where[40];

	snprintf(where, sizeof(where), "process %" PRIu64, attach->process);
	if (process_has_agent(process))
		return wt_error_create(WT_ERROR_USAGE, "cannot attach to the process", where,
				       "it has the agent: `wavetape snapshot %" PRIu64
				       "` lets that take a trace",
				       attach->process);
	error = attach_check_driver();
	if (!error)
		error = wt_trace_begin(process);
	if (!error)
		wt_trace_end(process);
	return error;
}

static void attach_describe(const struct wt_attach_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	switch (summary->end) {
	case WT_ATTACH_SNAPSHOT:
		printf("%" PRIu64 " %s where they stood; the process goes on\n", summary->waves,
		       wt_plural(summary->waves, "wave", "waves"));
		break;
	case WT_ATTACH_FAULT:
		printf("%u %s stopped for a fault: %s\n", summary->counts.faulted_waves,
		       wt_plural(summary->counts.faulted_waves, "wave", "waves"),
		       wt_describe_reasons_plainly(summary->counts.fault_reasons, reasons));
		break;
	case WT_ATTACH_EXIT:
		puts("the process ended meanwhile");
		break;
	}
}

int wt_record_attach_run(const struct wt_record_attach *attach, const char *library)
{
	static const char *const ends[] = {[WT_ATTACH_SNAPSHOT] = "snapshot",
					   [WT_ATTACH_FAULT] = "fault",
					   [WT_ATTACH_EXIT] = "exit"};
	const struct wt_attach_options options = {.process = (pid_t)attach->process,
						  .follow_ms = attach->seconds * 1000,
						  .owner = attach->owner};
	struct wt_attach_summary summary;
	struct wt_error *error;
	struct wt_api api;

	error = wt_api_load(library, &api);
	if (!error)
		error = wt_attach_run(&api, &options, &summary);
	if (error)
		return wt_cli_fail(error);
	if (attach->json)
		return wt_cli_json(attach->output, 0,
				   json_pack("{s:s, s:I, s:I}", "end", ends[summary.end], "waves",
					     (json_int_t)summary.waves, "faulted_waves",
					     (json_int_t)summary.counts.faulted_waves));
	attach_describe(&summary);
	return WT_EXIT_FINE;
}
