/* SPDX-License-Identifier: MIT */
/*
 * The files of /sys and /proc that AMD's runtimes read of their driver: one line "name value" for each property of a node,
 * of its memory, caches and links (Linux' kfd_topology.c), what says that the kernel module is loaded, and the PCI devices by which
 * tools list GPUs.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "device/machine/room.h"
#include "device/save-area/layout.h"
#include "driver/owner/internal.h"
#include "gfx/wave/wave.h"

#define CANNOT_MAKE "cannot make the device's files"
#define TOPOLOGY "/sys/devices/virtual/kfd/kfd/topology"
/* Devices are below a root bus of their own. */
#define PCI_ROOT "/sys/devices/pci0000:02"
#define PCI_VENDOR 0x1002u
#define PCI_CLASS 0x38000u /* of displays, another one */
#define DRM_MAJOR 226u
#define DRM_RENDER_FIRST 128u
#define FIRST_SIMD UINT32_C(2147487744) /* ids of processors: above those of the host's */
#define CPU_MEMORY UINT64_C(17179869184)
#define AREA_HEAD 40 /* bytes before the control stack of a save area */
/* The near CPU of a GPU is the one whose link has at most this weight. */
#define LINK_WEIGHT 20
#define LINK_WEIGHT_XGMI 15u
#define LINK_PROCESSOR 2u /* links on the way of two agents that reach each other through it */
/* Types of links. */
#define LINK_PCI 2u
#define LINK_XGMI 11u

/*
 * Bits of `capability`, besides what debuggers look at: doorbells of the second kind, and memories that correct errors, both the GPU's own (bit 26)
 * and the large one (bit 20), as GPUs of data centres have them. The runtime calls the first one "sramecc+" in the name of the instruction set.
 */
#define CAPABILITY_DOORBELLS (2u << 12)
#define CAPABILITY_CORRECTION (1u << 26 | 1u << 20)

static struct wt_error *make_parents(char *path, size_t root)
{
	for (char *slash = strchr(path + root + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0755) && errno != EEXIST)
			return wt_error_errno(errno, CANNOT_MAKE, path);
		*slash = '/';
	}
	return NULL;
}

/* The name of an entry of the tree, by its path in the system, and the text that it holds. The folders above it are made. */
__attribute__((format(printf, 3, 0))) static struct wt_error *
entry_prepare(const struct wt_owner *owner, const char *path, const char *format, va_list arguments,
	      char **name_ret, char **text_ret)
{
	if (asprintf(name_ret, "%s/" WT_WIRE_ROOT "%s", owner->directory, path) < 0) {
		*name_ret = NULL;
		return &wt_error_no_memory;
	}
	*text_ret = wt_text_list(format, arguments);
	if (!*text_ret)
		return &wt_error_no_memory;
	return make_parents(*name_ret, strlen(owner->directory));
}

/* A file of the tree, by its path in the system. */
__attribute__((format(printf, 3, 4))) static struct wt_error *
tree_put(const struct wt_owner *owner, const char *path, const char *format, ...)
{
	wt_cleanup_free char *name = NULL, *text = NULL;
	wt_cleanup_close int fd = -1;
	struct wt_error *error;
	va_list arguments;

	va_start(arguments, format);
	error = entry_prepare(owner, path, format, arguments, &name, &text);
	va_end(arguments);
	if (error)
		return error;
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (fd < 0)
		return wt_error_errno(errno, CANNOT_MAKE, name);
	return wt_file_write_all(fd, text, strlen(text), CANNOT_MAKE, name);
}

/* A symbolic link of the tree. Its target is relative, as those of /sys are. */
__attribute__((format(printf, 3, 4))) static struct wt_error *
put_reference(const struct wt_owner *owner, const char *path, const char *format, ...)
{
	wt_cleanup_free char *name = NULL, *target = NULL;
	struct wt_error *error;
	va_list arguments;

	va_start(arguments, format);
	error = entry_prepare(owner, path, format, arguments, &name, &target);
	va_end(arguments);
	if (!error && symlink(target, name))
		error = wt_error_errno(errno, CANNOT_MAKE, name);
	return error;
}

static struct wt_error *put_system(const struct wt_owner *owner)
{
	struct wt_error *error = tree_put(owner, "/proc/modules", "amdgpu 1 0 - Live 0x0\n");

	if (!error)
		error = tree_put(owner, "/sys/module/amdgpu/initstate", "live\n");
	if (!error)
		error = tree_put(owner, "/sys/module/amdgpu/refcnt", "1\n");
	if (!error)
		error = tree_put(owner, "/sys/module/amdgpu/coresize", "1\n");
	/* Users of the module are listed in a directory, without entries that count. */
	if (!error)
		error = tree_put(owner, "/sys/module/amdgpu/holders/.none", "\n");
	if (!error)
		error = tree_put(owner, TOPOLOGY "/generation_id", "2\n");
	if (!error)
		error = tree_put(owner, TOPOLOGY "/system_properties",
				 "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
	if (!error)
		error = tree_put(owner, "/dev/kfd", "%s", "");
	if (!error)
		error = put_reference(owner, "/sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd");
	if (!error)
		error = put_reference(owner, "/sys/devices/virtual/kfd/kfd/subsystem",
				      "../../../../class/kfd");
	return error;
}

static bool is_on_board(const struct wt_owner *owner, uint32_t node)
{
	return node && owner->agents[node - 1].architecture->product->data_centre;
}

/* Between a processor and an agent, or between two agents: those of data centres reach each other's memory as those of one board do. */
static struct wt_error *put_link(const struct wt_owner *owner, uint32_t from, uint32_t index,
				 uint32_t to)
{
	bool on_board = is_on_board(owner, from) && is_on_board(owner, to);
	char path[128];

	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/io_links/%u/properties", from, index);
	return tree_put(owner, path,
			"type %u\nversion_major 0\nversion_minor 0\nnode_from %u\nnode_to %u\n"
			"weight %u\nmin_latency 0\nmax_latency 0\nmin_bandwidth 312\n"
			"max_bandwidth 31504\nrecommended_transfer_size 0\nflags 1\n",
			on_board ? LINK_XGMI : LINK_PCI, from, to,
			on_board ? LINK_WEIGHT_XGMI
				 : LINK_WEIGHT * (from && to ? LINK_PROCESSOR : 1u));
}

/* A cache is said to be there, so that the host's own files are not looked for. */
static struct wt_error *put_cpu(const struct wt_owner *owner)
{
	struct wt_error *error = tree_put(owner, TOPOLOGY "/nodes/0/gpu_id", "0\n");

	if (!error)
		error = tree_put(owner, TOPOLOGY "/nodes/0/name", "\n");
	if (!error)
		error = tree_put(
			owner, TOPOLOGY "/nodes/0/properties",
			"cpu_cores_count 2\nsimd_count 0\nmem_banks_count 1\ncaches_count 1\n"
			"io_links_count %u\np2p_links_count 0\ncpu_core_id_base 0\n"
			"simd_id_base 0\nmax_waves_per_simd 0\nlds_size_in_kb 0\n"
			"gds_size_in_kb 0\nnum_gws 0\nwave_front_size 0\narray_count 0\n"
			"simd_arrays_per_engine 0\ncu_per_simd_array 0\nsimd_per_cu 0\n"
			"max_slots_scratch_cu 0\ngfx_target_version 0\nvendor_id 0\n"
			"device_id 0\nlocation_id 0\ndomain 0\ndrm_render_minor 0\nhive_id 0\n"
			"num_sdma_engines 0\nnum_sdma_xgmi_engines 0\n"
			"num_sdma_queues_per_engine 0\nnum_cp_queues 0\n"
			"max_engine_clk_ccompute 2400\n",
			owner->agent_count);
	if (!error)
		error = tree_put(owner, TOPOLOGY "/nodes/0/mem_banks/0/properties",
				 "heap_type 0\nsize_in_bytes %llu\nflags 0\nwidth 64\n"
				 "mem_clk_max 3200\n",
				 (unsigned long long)CPU_MEMORY);
	if (!error)
		error = tree_put(owner, TOPOLOGY "/nodes/0/caches/0/properties",
				 "processor_id_low 0\nlevel 1\nsize 32\ncache_line_size 64\n"
				 "cache_lines_per_tag 1\nassociation 8\nlatency 1\ntype 5\n"
				 "sibling_map 1,0\n");
	for (uint32_t i = 0; i < owner->agent_count && !error; i++)
		error = put_link(owner, 0, i, owner->agents[i].node);
	return error;
}

/* Each is the one of the next level. */
static struct wt_error *put_cache(const struct wt_owner *owner, uint32_t node, uint32_t index,
				  const struct gfx_cache *cache)
{
	char path[128];

	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/caches/%u/properties", node, index);
	return tree_put(
		owner, path,
		"processor_id_low %u\nlevel %u\nsize %u\ncache_line_size %u\n"
		"cache_lines_per_tag 1\nassociation 16\nlatency 1\ntype 9\nsibling_map 1,0\n",
		FIRST_SIMD, index + 1, cache->kib, cache->line);
}

/*
 * The sizes of a save area and of the control stack in it, as Linux' kfd_queue.c computes them: runtimes of ROCm 7 read them, older ones
 * compute the same. A compute unit's part is what it holds, with 128 scalar registers and 128 bytes of others for each wave.
 */
static uint32_t stack_bytes(const struct wt_owner_agent *agent)
{
	const struct wt_save_area_layout *layout = wt_save_area_layout_find(agent->architecture);
	uint32_t waves = wt_engine_stack_waves(agent->architecture->product, agent->units);
	uint32_t bytes = AREA_HEAD + 8 + 4 * (layout->state_words + 1) * waves;

	return (uint32_t)((bytes + WT_PAGE - 1) / WT_PAGE * WT_PAGE);
}

static uint32_t agent_area_bytes(const struct wt_owner_agent *agent)
{
	const struct gfx_unit *unit = &agent->architecture->unit;
	uint32_t bytes = unit->simds * (unit->vector_bytes + unit->waves * (128 * 4 + 128)) +
			 unit->local_bytes;

	return stack_bytes(agent) + agent->units * bytes;
}

static uint32_t cache_count(const struct gfx_product *product)
{
	uint32_t count = 0;

	while (count < GFX_PRODUCT_CACHES && product->caches[count].kib)
		count++;
	return count;
}

static struct wt_error *put_gpu_properties(const struct wt_owner *owner,
					   const struct wt_owner_agent *agent)
{
	const struct gfx_product *product = agent->architecture->product;
	const struct gfx_unit *unit = &agent->architecture->unit;
	uint32_t arrays = product->engines * product->engine_arrays;
	char path[128];

	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/properties", agent->node);
	return tree_put(
		owner, path,
		"cpu_cores_count 0\nsimd_count %u\nmem_banks_count 1\ncaches_count %u\n"
		"io_links_count %u\np2p_links_count 0\ncpu_core_id_base 0\nsimd_id_base %u\n"
		"max_waves_per_simd %u\nlds_size_in_kb %u\ngds_size_in_kb 0\nnum_gws %u\n"
		"wave_front_size %u\narray_count %u\nsimd_arrays_per_engine %u\n"
		"cu_per_simd_array %u\nsimd_per_cu %u\nmax_slots_scratch_cu %u\n"
		"gfx_target_version %u\nvendor_id 4098\ndevice_id %u\nlocation_id %u\n"
		"domain 0\ndrm_render_minor %u\nhive_id 0\nnum_sdma_engines %u\n"
		"num_sdma_xgmi_engines 0\nnum_sdma_queues_per_engine %u\nnum_cp_queues %u\n"
		"cwsr_size %u\nctl_stack_size %u\n"
		"max_engine_clk_fcompute %u\nlocal_mem_size 0\nfw_version %u\n"
		"capability %u\ndebug_prop 0\nsdma_fw_version %u\nunique_id %llu\n"
		"max_engine_clk_ccompute 2400\n",
		agent->units * unit->simds, cache_count(product), owner->agent_count, FIRST_SIMD,
		unit->waves, unit->local_bytes / 1024, GFX_SYNC_RESOURCES, product->lanes, arrays,
		product->engine_arrays, agent->units / arrays, unit->simds,
		unit->simds * unit->waves, agent->architecture->version, product->pci_device,
		(agent->node + 2) << 8, agent->minor, product->copy_engines, product->copy_queues,
		product->compute_queues, agent_area_bytes(agent), stack_bytes(agent),
		product->clock, product->firmware,
		WT_CAPABILITY_DEBUG | CAPABILITY_DOORBELLS |
			(product->data_centre ? CAPABILITY_CORRECTION : 0),
		product->copy_firmware, (unsigned long long)agent->gpu_id);
}

static struct wt_error *put_gpu(const struct wt_owner *owner, const struct wt_owner_agent *agent)
{
	const struct gfx_product *product = agent->architecture->product;
	struct wt_error *error;
	char path[128];

	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/gpu_id", agent->node);
	error = tree_put(owner, path, "%u\n", agent->gpu_id);
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/name", agent->node);
	if (!error)
		error = tree_put(owner, path, "%s\n", product->codename);
	if (!error)
		error = put_gpu_properties(owner, agent);
	snprintf(path, sizeof(path), TOPOLOGY "/nodes/%u/mem_banks/0/properties", agent->node);
	if (!error)
		error = tree_put(owner, path,
				 "heap_type 1\nsize_in_bytes %llu\nflags 0\nwidth %u\n"
				 "mem_clk_max %u\n",
				 (unsigned long long)WT_VRAM_BYTES / owner->agent_count,
				 product->memory_width, product->memory_clock);
	for (uint32_t i = 0; i < cache_count(product) && !error; i++)
		error = put_cache(owner, agent->node, i, &product->caches[i]);
	if (!error)
		error = put_link(owner, agent->node, 0, 0);
	for (uint32_t i = 0, index = 1; i < owner->agent_count && !error; i++)
		if (owner->agents[i].node != agent->node)
			error = put_link(owner, agent->node, index++, owner->agents[i].node);
	return error;
}

/* One of a device's nodes for programs: its name, and the minor number. */
static struct wt_error *put_node(const struct wt_owner *owner, const char *slot, const char *kind,
				 uint32_t number, uint32_t minor)
{
	struct wt_error *error;
	char path[128];

	snprintf(path, sizeof(path), PCI_ROOT "/%s/drm/%s%u/dev", slot, kind, number);
	error = tree_put(owner, path, "%u:%u\n", DRM_MAJOR, minor);
	snprintf(path, sizeof(path), PCI_ROOT "/%s/drm/%s%u/uevent", slot, kind, number);
	if (!error)
		error = tree_put(owner, path,
				 "MAJOR=%u\nMINOR=%u\nDEVNAME=dri/%s%u\nDEVTYPE=drm_minor\n",
				 DRM_MAJOR, minor, kind, number);
	snprintf(path, sizeof(path), PCI_ROOT "/%s/drm/%s%u/device", slot, kind, number);
	if (!error)
		error = put_reference(owner, path, "../../../%s", slot);
	snprintf(path, sizeof(path), PCI_ROOT "/%s/drm/%s%u/subsystem", slot, kind, number);
	if (!error)
		error = put_reference(owner, path, "../../../../../class/drm");
	snprintf(path, sizeof(path), "/sys/class/drm/%s%u", kind, number);
	if (!error)
		error = put_reference(owner, path, "../../devices/pci0000:02/%s/drm/%s%u", slot,
				      kind, number);
	return error;
}

/* The agent as a PCI device of the kernel module: what says which it is. What a device measures of itself is not there. */
static struct wt_error *put_pci(const struct wt_owner *owner, const struct wt_owner_agent *agent)
{
	const struct {
		const char *name;
		unsigned long long value;
		const char *format;
	} files[] = {
		{"vendor", PCI_VENDOR, "0x%04llx\n"},
		{"device", agent->architecture->product->pci_device, "0x%04llx\n"},
		{"class", PCI_CLASS, "0x%06llx\n"},
		{"revision", agent->architecture->product->pci_revision, "0x%02llx\n"},
		{"unique_id", agent->gpu_id, "%016llx\n"},
		{"mem_info_vram_total", WT_VRAM_BYTES / owner->agent_count, "%llu\n"},
		{"mem_info_vis_vram_total", WT_VRAM_BYTES / owner->agent_count, "%llu\n"},
	};
	struct wt_error *error = NULL;
	char slot[16], path[128], text[64];
	uint32_t card = agent->minor - DRM_RENDER_FIRST;

	snprintf(slot, sizeof(slot), "0000:%02x:00.0", agent->node + 2);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !error; i++) {
		snprintf(path, sizeof(path), PCI_ROOT "/%s/%s", slot, files[i].name);
		snprintf(text, sizeof(text), files[i].format, files[i].value);
		error = tree_put(owner, path, "%s", text);
	}
	snprintf(path, sizeof(path), PCI_ROOT "/%s/uevent", slot);
	if (!error)
		error = tree_put(
			owner, path,
			"DRIVER=amdgpu\nPCI_CLASS=%X\nPCI_ID=%04X:%04X\nPCI_SLOT_NAME=%s\n",
			PCI_CLASS, PCI_VENDOR, agent->architecture->product->pci_device, slot);
	snprintf(path, sizeof(path), PCI_ROOT "/%s/driver", slot);
	if (!error)
		error = put_reference(owner, path, "../../../bus/pci/drivers/amdgpu");
	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/amdgpu/%s", slot);
	if (!error)
		error = put_reference(owner, path, "../../../../devices/pci0000:02/%s", slot);
	if (!error)
		error = put_node(owner, slot, "card", card, card);
	if (!error)
		error = put_node(owner, slot, "renderD", agent->minor, agent->minor);
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", agent->minor);
	return error ? error : tree_put(owner, path, "%s", "");
}

struct wt_error *wt_tree_create(const struct wt_owner *owner)
{
	struct wt_error *error = put_system(owner);

	if (!error)
		error = put_cpu(owner);
	for (uint32_t i = 0; i < owner->agent_count && !error; i++)
		error = put_gpu(owner, &owner->agents[i]);
	for (uint32_t i = 0; i < owner->agent_count && !error; i++)
		error = put_pci(owner, &owner->agents[i]);
	return error;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	remove(path);
	return 0;
}

void wt_tree_destroy(const struct wt_owner *owner)
{
	wt_cleanup_free char *root = NULL;

	if (asprintf(&root, "%s/" WT_WIRE_ROOT, owner->directory) < 0) {
		root = NULL;
		return;
	}
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
