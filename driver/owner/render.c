/* SPDX-License-Identifier: MIT */
/*
 * The render node, as far as libdrm_amdgpu asks when it is opened: who the caller is, which driver this is, and what the
 * device is called; the calls on its objects are in shared-buffer.c. Numbers and structures are those of Linux' drm.h and
 * amdgpu_drm.h.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "driver/owner/internal.h"
#include "gfx/wave/format.h"

#define DRM_VERSION 0x00
#define DRM_GET_CLIENT 0x05
#define DRM_AMDGPU_INFO 0x45

#define INFO_ACCEL_WORKING 0x00
#define INFO_HW_IP 0x02
#define INFO_HW_IP_COUNT 0x03
#define INFO_READ_REGISTER 0x15
#define INFO_DEVICE 0x16

#define DEVICE_IN_PROCESSOR 1u /* AMDGPU_IDS_FLAGS_FUSION */
#define HW_IP_DMA 2u	       /* behind graphics and compute */

struct drm_client {
	int32_t index, authenticated;
	uint64_t process, user, magic, iocs;
};

struct drm_version {
	int32_t major, minor, patch;
	uint32_t padding;
	uint64_t name_size, name, date_size, date, description_size, description;
};

struct amdgpu_info {
	uint64_t address;
	uint32_t size, query;
	uint32_t more[4];
};

/* The beginning of what is told of a block. No ring: no commands are taken by a render node. */
struct amdgpu_block {
	uint32_t major, minor;
	uint64_t capabilities;
	uint32_t start_alignment, size_alignment, rings, discovered_version;
};

/* The beginning of what the device information has; the rest is zeros. */
struct amdgpu_device {
	uint32_t device_id, chip_revision, external_revision, pci_revision, family;
	uint32_t engines, engine_arrays, counter_frequency_khz;
	uint64_t clocks[2];
	uint32_t units[2], unit_masks[16], graphics[4];
	uint64_t flags;
};

static int get_client(const struct wt_owner_process *process, struct drm_client *client)
{
	client->authenticated = 1;
	client->process = (uint64_t)process->pid;
	return 0;
}

/* A text of the version: as much as there is room for, and how long it is. */
static int render_put_text(const struct wt_owner_process *process, const char *text,
			   uint64_t address, uint64_t *size)
{
	uint64_t length = strlen(text), room = *size;

	*size = length;
	if (!address || !room)
		return 0;
	return wt_owner_copy_out(process, address, text, room < length ? room : length);
}

static int render_get_version(const struct wt_owner_process *process, struct drm_version *version)
{
	int error;

	version->major = 3;
	version->minor = 49;
	version->patch = 0;
	error = render_put_text(process, "amdgpu", version->name, &version->name_size);
	if (!error)
		error = render_put_text(process, "20150101", version->date, &version->date_size);
	if (!error)
		error = render_put_text(process, "simulated AMD GPU", version->description,
					&version->description_size);
	return error;
}

static int render_put_answer(const struct wt_owner_process *process, const struct amdgpu_info *info,
			     const void *data, size_t size)
{
	static const uint8_t zeros[64];
	uint64_t at = info->address;
	uint32_t left = info->size;
	int error = 0;

	size = size < left ? size : left;
	if (size)
		error = wt_owner_copy_out(process, at, data, size);
	at += size;
	left -= (uint32_t)size;
	while (!error && left) {
		size = left < sizeof(zeros) ? left : sizeof(zeros);
		error = wt_owner_copy_out(process, at, zeros, size);
		at += size;
		left -= (uint32_t)size;
	}
	return error;
}

/* All agents share one file: they are alike. */
static int render_get_info(const struct wt_owner_process *process, const struct amdgpu_info *info)
{
	const struct wt_owner_agent *agent = &process->owner->agents[0];
	const uint32_t yes = 1, config = GFX_ADDRESS_CONFIG;
	/* The blocks for graphics, compute and copies are one each; there are none for video. */
	const uint32_t blocks = info->more[0] <= HW_IP_DMA ? 1 : 0;
	const struct gfx_product *product = agent->architecture->product;
	const struct amdgpu_block block = {
		.major = info->more[0] == HW_IP_DMA ? product->copy_block : product->graphics_block,
		.start_alignment = info->more[0] == HW_IP_DMA ? 256 : 32,
		.size_alignment = info->more[0] == HW_IP_DMA ? 4 : 32,
	};
	const struct amdgpu_device device = {
		.device_id = product->pci_device,
		.chip_revision = 1,
		.external_revision = 1,
		.pci_revision = product->pci_revision,
		.family = product->drm_family,
		.engines = product->engines,
		.engine_arrays = product->engine_arrays,
		.counter_frequency_khz = 100000,
		.flags = product->in_processor ? DEVICE_IN_PROCESSOR : 0,
	};

	if (info->size > 4096)
		return -EINVAL;
	switch (info->query) {
	case INFO_ACCEL_WORKING:
		return render_put_answer(process, info, &yes, sizeof(yes));
	case INFO_HW_IP:
		return blocks ? render_put_answer(process, info, &block, sizeof(block)) : -EINVAL;
	case INFO_HW_IP_COUNT:
		return render_put_answer(process, info, &blocks, sizeof(blocks));
	case INFO_READ_REGISTER:
		return render_put_answer(process, info, &config, sizeof(config));
	case INFO_DEVICE:
		return render_put_answer(process, info, &device, sizeof(device));
	default:
		wt_owner_miss(process->owner, "query %#x of /dev/dri/renderD*", info->query);
		return -EINVAL;
	}
}

int wt_owner_render(struct wt_connection *connection, uint32_t minor, uint32_t request,
		    void *argument)
{
	struct wt_owner_process *process = connection->process;
	size_t size = _IOC_SIZE(request);
	int result;

	if (_IOC_TYPE(request) != 'd')
		return -ENOTTY;
	switch (_IOC_NR(request)) {
	case DRM_VERSION:
		return size < sizeof(struct drm_version) ? -EINVAL
							 : render_get_version(process, argument);
	case DRM_GET_CLIENT:
		return size < sizeof(struct drm_client) ? -EINVAL : get_client(process, argument);
	case DRM_AMDGPU_INFO:
		return size < sizeof(struct amdgpu_info) ? -EINVAL
							 : render_get_info(process, argument);
	default:
		break;
	}
	result = wt_owner_shared_call(connection, minor, request, argument);
	if (result != -ENOTTY)
		return result;
	wt_owner_miss(process->owner, "call %#x of /dev/dri/renderD*",
		      (unsigned int)_IOC_NR(request));
	return -EINVAL;
}
