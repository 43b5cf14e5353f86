/* SPDX-License-Identifier: MIT */
#include "replayer/library/substitute.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/code/elf-copy.h"
#include "replayer/code/extract-code.h"
#include "replayer/library/internal.h"

#define MACHINE_MASK 0xffu /* EF_AMDGPU_MACH of e_flags */
#define MACHINE_OFFSET 48  /* of e_flags in a 64-bit ELF header */
#define URI_LIMIT 65536u   /* bytes; no file has such a name */

struct wt_substitute_uri {
	struct wt_substitute_uri *next;
	uint64_t code_object;
	struct wt_bytes *image; /* NULL: it was not recorded */
	char *uri;
};

void wt_substitute_deinit(struct wt_substitute *substitute)
{
	struct wt_substitute_uri *uri, *next;

	for (uri = substitute->uris; uri; uri = next) {
		next = uri->next;
		wt_bytes_release(uri->image);
		free(uri->uri);
		free(uri);
	}
	substitute->uris = NULL;
	substitute->name_count = 0;
}

/* ---- GPUs ---- */

/* GPUs are there from when the program has begun to use them, which is soon. */
#define MOMENTS_LOOKED_AT 256u

static void add_gpu(uint64_t architecture)
{
	struct wt_substitute *substitute = &wt_replayer.substitute;

	for (size_t i = 0; i < substitute->gpu_count; i++)
		if (substitute->gpus[i] == architecture)
			return;
	if (substitute->gpu_count < WT_SUBSTITUTE_GPUS)
		substitute->gpus[substitute->gpu_count++] = architecture;
}

static void add_gpus(const struct wt_state *state)
{
	struct wt_layout layout = {0};
	const struct wt_recorded recorded = {
		.names = &wt_replayer.names, .state = state, .layout = &layout};
	const struct wt_key first = {.type = WT_ITEM_OBJECT,
				     .kind = wt_replayer.names.objects[WT_OBJECT_AGENT]};
	size_t count = first.kind ? wt_state_count(state) : 0;

	for (size_t i = wt_state_lower_bound(state, &first); i < count; i++) {
		const struct wt_item *item = wt_state_at(state, i);
		uint64_t architecture;

		if (item->key.type != first.type || item->key.kind != first.kind)
			break;
		if (wt_recorded_number(&recorded, WT_OBJECT_AGENT, item->key.owner,
				       AMD_DBGAPI_AGENT_INFO_ARCHITECTURE, &architecture))
			add_gpu(architecture);
	}
	wt_layout_deinit(&layout);
}

/* States that cannot be read are passed over: their errors have been told, or will be when the timeline gets there. */
void wt_substitute_look(void)
{
	uint32_t count = wt_replayer.reader ? wt_reader_moment_count(wt_replayer.reader) : 0;
	struct wt_substitute *substitute = &wt_replayer.substitute;

	substitute->gpu_count = 0;
	if (!wt_replayer.options.host || wt_replayer.known.count < 2)
		return;
	for (uint32_t i = 0; i < count && i < MOMENTS_LOOKED_AT && !substitute->gpu_count; i++) {
		struct wt_state *state = NULL;
		struct wt_error *error = wt_reader_state(wt_replayer.reader, i, &state);

		if (!error)
			add_gpus(state);
		wt_state_destroy(state);
		wt_error_destroy(error);
	}
}

bool wt_substitute_is_gpu(uint64_t architecture)
{
	const struct wt_substitute *substitute = &wt_replayer.substitute;

	for (size_t i = 0; i < substitute->gpu_count; i++)
		if (substitute->gpus[i] == architecture)
			return true;
	return !substitute->gpu_count;
}

/* ---- Machines ---- */

static bool machine_was_asked(uint32_t machine)
{
	const struct wt_substitute *substitute = &wt_replayer.substitute;

	for (size_t i = 0; i < substitute->asked_count; i++)
		if (substitute->asked[i] == machine)
			return true;
	return false;
}

void wt_substitute_asked(uint32_t machine)
{
	struct wt_substitute *substitute = &wt_replayer.substitute;

	if (!machine_was_asked(machine) && substitute->asked_count < WT_SUBSTITUTE_MACHINES)
		substitute->asked[substitute->asked_count++] = machine;
}

static size_t common_prefix(const char *a, const char *b)
{
	size_t length = 0;

	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

/* Names of one family begin alike; the latest of them comes last in our table. */
static const struct gfx_architecture *most_alike(const struct gfx_architecture *wanted)
{
	const struct gfx_architecture *best = NULL;
	size_t count;
	const struct gfx_architecture *const *known = gfx_architectures(&count);

	for (size_t i = 0; i < count; i++)
		if (machine_was_asked(known[i]->elf_machine) &&
		    (!best || common_prefix(known[i]->name, wanted->name) >=
				      common_prefix(best->name, wanted->name)))
			best = known[i];
	return best;
}

static void substitute_choose(const struct gfx_architecture *wanted)
{
	const struct gfx_architecture *alike = most_alike(wanted);
	const struct wt_known *known = &wt_replayer.known;
	struct wt_substitute *substitute = &wt_replayer.substitute;
	uint64_t taken;

	if (!alike || substitute->name_count == WT_SUBSTITUTE_NAMES)
		return;
	/* A trace of both GPUs cannot have one under the other's name. */
	for (size_t i = 0; i < known->count; i++)
		if (known->architectures[i]->elf_machine == alike->elf_machine &&
		    wt_substitute_is_gpu(known->architectures[i]->id))
			return;
	taken = wt_substitute_architecture(alike->elf_machine);
	if (taken)
		return;
	substitute->names[substitute->name_count++] =
		(struct wt_substitute_name){.architecture = wanted->id,
					    .recorded = wanted->elf_machine,
					    .served = alike->elf_machine};
	if (substitute->told)
		return;
	substitute->told = true;
	wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
		      "wavetape: this debugger does not know %s, and is told that it is %s; "
		      "registers and "
		      "instructions are those of %s",
		      wanted->name, alike->name, wanted->name);
}

void wt_substitute_choose(void)
{
	const struct wt_known *known = &wt_replayer.known;

	wt_replayer.substitute.name_count = 0;
	if (!wt_replayer.options.host || !wt_replayer.substitute.asked_count)
		return;
	for (size_t i = 0; i < known->count; i++)
		if (wt_substitute_is_gpu(known->architectures[i]->id) &&
		    !machine_was_asked(known->architectures[i]->elf_machine))
			substitute_choose(known->architectures[i]);
}

uint64_t wt_substitute_architecture(uint32_t machine)
{
	const struct wt_substitute *substitute = &wt_replayer.substitute;

	for (size_t i = 0; i < substitute->name_count; i++)
		if (substitute->names[i].served == machine)
			return substitute->names[i].architecture;
	return 0;
}

bool wt_substitute_machine(uint64_t architecture, uint32_t *machine_ret)
{
	const struct wt_substitute *substitute = &wt_replayer.substitute;

	for (size_t i = 0; i < substitute->name_count; i++) {
		if (substitute->names[i].architecture == architecture) {
			*machine_ret = substitute->names[i].served;
			return true;
		}
	}
	return false;
}

/* ---- Code objects ---- */

/* The recorded GPU that code for @machine runs on; NULL if the trace has none. */
static const struct gfx_architecture *gpu_for_machine(uint32_t machine)
{
	const struct wt_known *known = &wt_replayer.known;
	const struct gfx_architecture *best = NULL;

	for (size_t i = 0; i < known->count; i++) {
		const struct gfx_architecture *gpu = known->architectures[i];

		if (!wt_substitute_is_gpu(gpu->id))
			continue;
		if (gpu->elf_machine == machine)
			return gpu;
		if (!best || (gfx_architecture_may_run(gpu, machine) &&
			      !gfx_architecture_may_run(best, machine)))
			best = gpu;
	}
	return best;
}

/* In the copy, the machine is that of a GPU, as the client knows it: none is of a generic target, and GDB 17 knows none of these. */
static void rename_machine(uint8_t *copy, size_t size)
{
	const struct gfx_architecture *gpu;
	uint32_t flags, served;

	if (size < MACHINE_OFFSET + sizeof(flags))
		return;
	memcpy(&flags, copy + MACHINE_OFFSET, sizeof(flags));
	gpu = gpu_for_machine(flags & MACHINE_MASK);
	if (!gpu)
		return;
	if (!wt_substitute_machine(gpu->id, &served))
		served = gpu->elf_machine;
	if (served != (flags & MACHINE_MASK))
		wt_elf_set_machine(copy, size, served);
}

static struct wt_error *substitute_image_extract(const struct wt_bytes *image, char **uri_ret)
{
	wt_cleanup_free uint8_t *copy = malloc(image->size ? image->size : 1);
	wt_cleanup_free char *path = NULL;
	struct wt_error *error;

	if (!copy)
		return &wt_error_no_memory;
	memcpy(copy, image->data, image->size);
	rename_machine(copy, image->size);
	if (wt_replayer.options.without_debug_frame)
		wt_elf_drop_debug_frame(copy, image->size);
	error = wt_extract((const char *const *)wt_replayer.options.directories, copy, image->size,
			   &path);
	if (error)
		return error;
	*uri_ret = wt_extract_uri(path);
	return *uri_ret ? NULL : &wt_error_no_memory;
}

static const struct wt_substitute_uri *substitute_uri_find(uint64_t code_object,
							   const struct wt_bytes *image)
{
	const struct wt_substitute_uri *uri = wt_replayer.substitute.uris;

	while (uri && (uri->code_object != code_object || uri->image != image))
		uri = uri->next;
	return uri;
}

/*
 * The recorded URI, as one that cannot be opened. What it names here may be anything: another build, or with
 * contents that the client cannot take. NULL if there is none, or no memory.
 */
static char *name_only(const struct wt_replay_process *process, uint64_t code_object)
{
	const struct wt_answer *answer =
		wt_recorded_answer(&process->timeline.recorded, WT_OBJECT_CODE_OBJECT, code_object,
				   AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME);
	char *uri;

	if (!answer || answer->status != AMD_DBGAPI_STATUS_SUCCESS || answer->size > URI_LIMIT ||
	    asprintf(&uri, "not-recorded+%.*s", (int)answer->size, (const char *)answer->value) < 0)
		return NULL;
	return uri;
}

static void tell_of_names(void)
{
	if (!wt_replayer.substitute.told_of_names)
		wt_client_log(&wt_replayer.client, AMD_DBGAPI_LOG_LEVEL_WARNING,
			      "wavetape: a code object is not in the recording, so that its code "
			      "has no symbols; "
			      "--code-objects=recorded takes the files that the recording names");
	wt_replayer.substitute.told_of_names = true;
}

const char *wt_substitute_uri(const struct wt_replay_process *process, uint64_t code_object)
{
	const struct wt_item *item =
		wt_recorded_plain(&process->timeline.recorded, WT_ITEM_IMAGE, code_object);
	struct wt_bytes *image =
		item && item->status == AMD_DBGAPI_STATUS_SUCCESS ? item->bytes : NULL;
	const struct wt_substitute_uri *known;
	struct wt_substitute_uri *added;

	if (!wt_replayer.options.extract)
		return NULL;
	known = substitute_uri_find(code_object, image);
	if (known)
		return known->uri;
	added = calloc(1, sizeof(*added));
	if (!added)
		return NULL;
	added->code_object = code_object;
	added->image = image ? wt_bytes_reference(image) : NULL;
	if (image)
		wt_replay_log_error(substitute_image_extract(image, &added->uri));
	else
		tell_of_names();
	if (!added->uri)
		added->uri = name_only(process, code_object);
	added->next = wt_replayer.substitute.uris;
	wt_replayer.substitute.uris = added;
	return added->uri;
}
