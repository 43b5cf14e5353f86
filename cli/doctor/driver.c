/* SPDX-License-Identifier: MIT */
/* The kernel driver: may it be opened, which debug interface does it have, and what are its GPUs? */
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
#include "cli/doctor/doctor.h"
#include "dbgapi/kfd/debug-ioctl.h"
#include "device/save-area/note.h"
#include "driver/wire/wire.h"
#include "gfx/architecture/architecture.h"

#define DRIVER "/dev/kfd"
#define NODES "/sys/class/kfd/kfd/topology/nodes"
/* The driver's debugger interface came with this version, in Linux 6.5. */
#define DEBUG_MAJOR 1u
#define DEBUG_MINOR 13u

/* ---- Access ---- */

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

/* ---- GPUs ---- */

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

void wt_doctor_look_at_driver(struct wt_doctor *doctor)
{
	if (driver_look_at_version(doctor))
		driver_look_at_gpus(doctor);
}
