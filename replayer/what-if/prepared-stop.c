/* SPDX-License-Identifier: MIT */
/* The parts of a stop that are needed to go on: waves, workgroups, memory, code, the dispatch. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "gfx/architecture/local.h"
#include "gfx/isa/tables.h"
#include "replayer/recorded/recorded.h"
#include "replayer/view/explain-memory.h"
#include "replayer/view/explain-place.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/what-if/internal.h"

#define PRIVATE_UNIT 1024u /* bytes in which a wave gets private memory */
#define POOL_GROUPS 64u
#define POOL_BYTES (UINT64_C(256) << 20)
#define DESCRIPTOR_HAS_QUEUE                                                                       \
	(1u                                                                                        \
	 << 2) /* a bit of its properties: a wave begins with the address of its queue's structure */

struct wt_error *wt_what_if_refuse(enum wt_error_code code, const char *format, ...)
{
	wt_cleanup_free char *why = NULL;
	va_list arguments;

	va_start(arguments, format);
	why = wt_text_list(format, arguments);
	va_end(arguments);
	return why ? wt_error_create(code, "cannot go on from the stop", NULL, "%s", why)
		   : &wt_error_no_memory;
}

/* ---- The dispatch ---- */

static struct wt_error *stop_take_dispatch(struct wt_prepared_stop *stop)
{
	const struct wt_followed *followed = stop->followed;
	const struct wt_analysis_input *input = &followed->input;
	const struct wt_cause_dispatch *dispatch = &followed->dispatch;
	struct wt_task *task = &stop->task;
	struct wt_view_dispatch known;

	if (followed->cause.why_not)
		return wt_what_if_refuse(WT_ERROR_NOT_FOUND, "%s", followed->cause.why_not);
	if (!dispatch->has_local_size)
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"how much local memory its workgroups have was not recorded");
	wt_view_dispatch(stop->view, dispatch->handle, &known);
	if (dispatch->local_size > stop->architecture->unit.local_bytes ||
	    dispatch->private_size > UINT32_MAX / 64)
		return wt_what_if_refuse(WT_ERROR_INPUT,
					 "no GPU has as much memory for a workgroup");
	*task = (struct wt_task){
		.descriptor = input->descriptor,
		.entry = input->launch.code_entry,
		.arguments_address = input->launch.kernarg_address,
		.group_bytes = (uint32_t)dispatch->local_size,
		.private_bytes = ((uint32_t)dispatch->private_size + 3) / 4 * 4,
		.name = "",
	};
	memcpy(task->grid, dispatch->grid_size, sizeof(task->grid));
	memcpy(task->workgroup, dispatch->workgroup_size, sizeof(task->workgroup));
	gfx_kernel_descriptor_resources(stop->architecture, &task->descriptor, &task->resources);
	for (size_t d = 0; d < 3; d++)
		if (!task->grid[d] || !task->workgroup[d] || task->workgroup[d] > 1024)
			return wt_what_if_refuse(WT_ERROR_INPUT, "no dispatch has such sizes");
	if ((uint64_t)task->workgroup[0] * task->workgroup[1] * task->workgroup[2] > 1024)
		return wt_what_if_refuse(WT_ERROR_INPUT, "no dispatch has such sizes");
	stop->dispatch = (struct wt_device_dispatch){
		.packet_id = known.has_packet ? known.packet : 0,
		.packet_address = followed->source.packet_address,
	};
	memcpy(stop->dispatch.packet, followed->source.packet.bytes, sizeof(stop->dispatch.packet));
	stop->ring_address = wt_view_number_or(stop->view, WT_OBJECT_QUEUE, known.queue,
					       AMD_DBGAPI_QUEUE_INFO_ADDRESS, 0);
	stop->ring_size = wt_view_number_or(stop->view, WT_OBJECT_QUEUE, known.queue,
					    AMD_DBGAPI_QUEUE_INFO_SIZE, 0);
	if (stop->ring_size < GFX_PACKET_SIZE)
		stop->ring_size = GFX_PACKET_SIZE;
	stop->wave_private =
		((uint64_t)task->private_bytes * task->resources.lane_count + PRIVATE_UNIT - 1) /
		PRIVATE_UNIT * PRIVATE_UNIT;
	stop->compute_units =
		wt_view_number_or(stop->view, WT_OBJECT_AGENT,
				  wt_view_number_or(stop->view, WT_OBJECT_QUEUE, known.queue,
						    AMD_DBGAPI_QUEUE_INFO_AGENT, 0),
				  AMD_DBGAPI_AGENT_INFO_EXECUTION_UNIT_COUNT, 4);
	return NULL;
}

/* ---- Waves ---- */

static unsigned long long shown(uint64_t number)
{
	return (unsigned long long)number;
}

/* Workgroups in a dimension. */
static uint64_t group_count(const struct wt_task *task, size_t d)
{
	return (task->grid[d] + (uint64_t)task->workgroup[d] - 1) / task->workgroup[d];
}

static uint64_t group_index(const struct wt_task *task, const uint32_t coordinates[3])
{
	return (coordinates[2] * group_count(task, 1) + coordinates[1]) * group_count(task, 0) +
	       coordinates[0];
}

/*
 * Find out from which instruction a wave goes on. An access that failed did nothing, and is made again if it is known which one it was; what
 * stands in the place of an instruction was not that.
 */
static struct wt_error *wave_find_from(struct wt_prepared_stop *stop, struct wt_prepared_wave *wave)
{
	struct wt_explain_wave explanation;
	struct wt_error *error;

	wave->from = wt_view_next_address(stop->view, stop->architecture, wave->recorded.reasons,
					  wave->recorded.gfx.pc);
	if (!wave->recorded.reasons)
		return NULL;
	error = wt_explain_wave(stop->explainer, wave->recorded.handle, &explanation);
	if (error)
		return error;
	if (explanation.memory_fault && explanation.certain)
		wave->from = explanation.code.address;
	if (explanation.memory_fault && explanation.access.space == GFX_ACCESS_LOCAL &&
	    explanation.has_access)
		stop->strict_local = true;
	wt_explain_wave_deinit(&explanation);
	return NULL;
}

/* Does a wave stand behind an instruction by which waves of a whole dispatch wait? How many are there is nowhere. */
static bool wave_is_at_sync(const struct wt_prepared_stop *stop,
			    const struct wt_prepared_wave *wave)
{
	char name[GFX_NAME_SIZE] = "";
	struct gfx_instruction instruction;
	uint32_t words[2];

	if (wt_view_code(stop->view, wave->recorded.gfx.pc - 8, words, 8) != 8 ||
	    gfx_decode(stop->architecture, words, 2, &instruction) != GFX_DECODE_OK ||
	    instruction.encoding != GFX_DS)
		return false;
	gfx_instruction_name(&instruction, name);
	return !strncmp(name, "ds_gws", strlen("ds_gws"));
}

static struct wt_error *wave_take_place(struct wt_prepared_stop *stop,
					struct wt_prepared_wave *wave)
{
	struct wt_making_wave *recorded = &wave->recorded;
	struct wt_view *view = stop->view;
	uint64_t number;

	if (!wt_view_number(view, WT_OBJECT_WAVE, recorded->handle, AMD_DBGAPI_WAVE_INFO_WORKGROUP,
			    &recorded->workgroup) ||
	    !wt_view_number(view, WT_OBJECT_WAVE, recorded->handle,
			    AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, &number) ||
	    !wt_view_array(view, WT_OBJECT_WAVE, recorded->handle,
			   AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, recorded->coordinates, 3))
		return wt_what_if_refuse(WT_ERROR_NOT_FOUND,
					 "where in the dispatch wave w%llu is was not recorded",
					 shown(recorded->handle));
	for (size_t d = 0; d < 3; d++)
		if ((uint64_t)recorded->coordinates[d] * stop->task.workgroup[d] >=
		    stop->task.grid[d])
			return wt_what_if_refuse(WT_ERROR_INPUT,
						 "wave w%llu is in no workgroup of its dispatch",
						 shown(recorded->handle));
	if (number >= wt_task_waves(&stop->task))
		return wt_what_if_refuse(WT_ERROR_INPUT, "wave w%llu is none of its workgroup",
					 shown(recorded->handle));
	recorded->number_in_group = (uint32_t)number;
	return NULL;
}

static struct wt_error *wave_take_private(struct wt_prepared_stop *stop,
					  struct wt_prepared_wave *wave)
{
	const uint64_t size = (uint64_t)stop->task.private_bytes * stop->task.resources.lane_count;
	const struct wt_item *place = wt_recorded_plain(
		wt_view_recorded(stop->view), WT_ITEM_PRIVATE_PLACE, wave->recorded.handle);
	size_t known;

	if (!size)
		return NULL;
	if (!place || place->number_count != 2 || !place->numbers[0])
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"where the private memory of wave w%llu is was not recorded",
			shown(wave->recorded.handle));
	wave->place = place->numbers[0];
	wave->private_bytes = calloc(1, stop->wave_private);
	if (!wave->private_bytes)
		return &wt_error_no_memory;
	known = wt_view_memory(stop->view, "private_wave", wave->recorded.handle, 0, 0,
			       wave->private_bytes, size);
	if (known < size)
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"of the private memory of wave w%llu %llu of %llu bytes were recorded: a "
			"recording with `memory=all` has more",
			shown(wave->recorded.handle), shown(known), shown(size));
	return NULL;
}

static struct wt_error *stop_take_wave(struct wt_prepared_stop *stop, uint64_t handle)
{
	const struct gfx_wave_resources *resources = &stop->task.resources;
	struct wt_prepared_wave *wave = &stop->waves[stop->wave_count++];
	struct wt_error *error;
	bool whole;

	error = wt_making_wave_take(stop->view, stop->architecture, stop->layout, handle,
				    &wave->recorded, &whole);
	if (error)
		return error;
	if (wt_view_number_or(stop->view, WT_OBJECT_WAVE, handle, AMD_DBGAPI_WAVE_INFO_STATE, 0) !=
	    AMD_DBGAPI_WAVE_STATE_STOP)
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"wave w%llu was running, so that its registers are not known",
			shown(handle));
	if (!whole || wave->recorded.gfx.vgpr_count < resources->vgpr_count ||
	    wave->recorded.gfx.agpr_count < resources->agpr_count)
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"not all registers of wave w%llu were recorded: a recording "
			"with --waves all has them",
			shown(handle));
	error = wave_take_place(stop, wave);
	if (!error)
		error = wave_find_from(stop, wave);
	if (!error && wave_is_at_sync(stop, wave))
		error = wt_what_if_refuse(
			WT_ERROR_UNSUPPORTED,
			"wave w%llu waits for the waves of its whole dispatch, and "
			"how many are there already is not in a recording",
			shown(handle));
	return error ? error : wave_take_private(stop, wave);
}

static int prepared_waves_compare(const void *a, const void *b)
{
	const struct wt_making_wave *one = &((const struct wt_prepared_wave *)a)->recorded,
				    *other = &((const struct wt_prepared_wave *)b)->recorded;

	for (size_t d = 3; d--;)
		if (one->coordinates[d] != other->coordinates[d])
			return one->coordinates[d] < other->coordinates[d] ? -1 : 1;
	return one->number_in_group < other->number_in_group
		       ? -1
		       : one->number_in_group > other->number_in_group;
}

static struct wt_error *stop_take_waves(struct wt_prepared_stop *stop)
{
	const uint64_t *handles;
	size_t count = wt_view_objects(stop->view, WT_OBJECT_WAVE, &handles);
	struct wt_error *error = NULL;

	stop->waves = calloc(count + 1, sizeof(*stop->waves));
	stop->groups = calloc(count + 1, sizeof(*stop->groups));
	if (!stop->waves || !stop->groups)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count && !error; i++)
		if (wt_view_number_or(stop->view, WT_OBJECT_WAVE, handles[i],
				      AMD_DBGAPI_WAVE_INFO_DISPATCH,
				      0) == stop->followed->dispatch.handle)
			error = stop_take_wave(stop, handles[i]);
	if (!error)
		qsort(stop->waves, stop->wave_count, sizeof(*stop->waves), prepared_waves_compare);
	for (size_t i = 1; i < stop->wave_count && !error; i++)
		if (!prepared_waves_compare(&stop->waves[i - 1], &stop->waves[i]))
			error = wt_what_if_refuse(WT_ERROR_INPUT,
						  "two waves are at one place of it");
	return error;
}

/* ---- Workgroups ---- */

static struct wt_error *group_take_local(struct wt_prepared_stop *stop,
					 struct wt_prepared_group *group)
{
	const struct wt_making_wave *first = &stop->waves[group->first].recorded;
	const uint32_t wanted = stop->task.group_bytes;
	const uint32_t room = (uint32_t)gfx_local_room(stop->architecture, wanted);
	size_t known;

	if (!wanted)
		return NULL;
	group->local = calloc(1, room);
	if (!group->local)
		return &wt_error_no_memory;
	known = wt_view_memory(stop->view, "local", first->handle, 0, 0, group->local, room);
	if (known < wanted)
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"of the local memory of workgroup (%u,%u,%u) %llu of %u bytes "
			"were recorded: a recording with `memory=all` has more",
			group->coordinates[0], group->coordinates[1], group->coordinates[2],
			shown(known), wanted);
	return NULL;
}

static struct wt_error *stop_take_groups(struct wt_prepared_stop *stop)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < stop->wave_count && !error; i++) {
		const struct wt_making_wave *wave = &stop->waves[i].recorded;
		struct wt_prepared_group *group = &stop->groups[stop->group_count];

		if (stop->group_count &&
		    !memcmp(group[-1].coordinates, wave->coordinates, sizeof(wave->coordinates))) {
			group[-1].count++;
			continue;
		}
		memcpy(group->coordinates, wave->coordinates, sizeof(wave->coordinates));
		group->first = i;
		group->count = 1;
		stop->group_count++;
		error = group_take_local(stop, group);
	}
	return error;
}

static void stop_set_next(struct wt_prepared_stop *stop, uint64_t index)
{
	const struct wt_task *task = &stop->task;

	for (size_t d = 0; d < 3; d++) {
		stop->next[d] = (uint32_t)(index % group_count(task, d));
		index /= group_count(task, d);
	}
}

/* Workgroups begin in order: those behind the last one that is there have not begun, and those before it that are not there have ended. */
static struct wt_error *stop_find_next(struct wt_prepared_stop *stop)
{
	const struct wt_task *task = &stop->task;
	const struct wt_prepared_group *last = &stop->groups[stop->group_count - 1];
	uint64_t total = 1, bytes = stop->wave_private * wt_task_waves(task);

	for (size_t d = 0; d < 3; d++)
		total *= group_count(task, d);
	stop->not_begun = total - 1 - group_index(task, last->coordinates);
	if (!stop->not_begun)
		return NULL;
	stop_set_next(stop, group_index(task, last->coordinates) + 1);
	if (task->descriptor.properties & DESCRIPTOR_HAS_QUEUE)
		return wt_what_if_refuse(
			WT_ERROR_NOT_FOUND,
			"%llu workgroups have not begun, and need an address that was not "
			"recorded: that of their queue's structure",
			shown(stop->not_begun));
	stop->pool_groups = stop->group_count > POOL_GROUPS ? stop->group_count : POOL_GROUPS;
	if (stop->pool_groups > stop->not_begun)
		stop->pool_groups = (size_t)stop->not_begun;
	if (bytes && stop->pool_groups > POOL_BYTES / bytes)
		stop->pool_groups = POOL_BYTES / bytes ? (size_t)(POOL_BYTES / bytes) : 1;
	return NULL;
}

/* ---- Memory ---- */

/* The known bytes of the dispatch's packet, which a kernel can read. */
static struct wt_error *stop_put_packet(struct wt_prepared_stop *stop)
{
	const struct wt_view_packet *packet = &stop->followed->source.packet;
	struct wt_error *error = NULL;

	for (uint32_t i = 0; i < GFX_PACKET_SIZE && !error && stop->dispatch.packet_address; i++)
		if (packet->known >> i & 1)
			error = wt_pieces_add(&stop->pieces, stop->dispatch.packet_address + i,
					      packet->bytes + i, 1);
	return error;
}

/* Bytes that are there twice are those of the first: private memory, code as it was loaded, without breakpoints, and what was recorded. */
static struct wt_error *stop_put_memory(struct wt_prepared_stop *stop)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < stop->wave_count && !error; i++)
		if (stop->waves[i].place)
			error = wt_pieces_add(&stop->pieces, stop->waves[i].place,
					      stop->waves[i].private_bytes,
					      (size_t)stop->wave_private);
	for (size_t i = 0; i < stop->images.count && !error; i++)
		error = wt_pieces_add(&stop->pieces, stop->images.ranges[i].address,
				      stop->images.ranges[i].data,
				      (size_t)stop->images.ranges[i].size);
	if (!error)
		error = wt_pieces_add_recorded(&stop->pieces, stop->view,
					       stop->followed->source.process);
	return error ? error : stop_put_packet(stop);
}

static struct wt_error *stop_place_pool(struct wt_prepared_stop *stop)
{
	uint64_t bytes = stop->pool_groups * stop->wave_private * wt_task_waves(&stop->task);

	if (bytes && !wt_pieces_find_room(&stop->pieces, bytes, &stop->pool_address))
		return wt_what_if_refuse(WT_ERROR_LIMIT, "there is no room in memory");
	return NULL;
}

struct wt_error *wt_prepared_whose(const struct wt_prepared_stop *stop, uint64_t address,
				   char **text_ret)
{
	const struct wt_cause_source *source = &stop->followed->source;
	const struct wt_moment *moment = wt_view_moment(stop->view);
	struct wt_memory_owner memory;

	*text_ret = NULL;
	if (!source->mappings)
		return NULL;
	memory = wt_memory_whose(source->mappings, source->process, address, 0);
	return wt_memory_describe(wt_mappings_host(source->mappings, source->process),
				  moment ? (int64_t)moment->time : 0, &memory, false, text_ret);
}

/* ---- All of it ---- */

static struct wt_error *stop_check_architecture(struct wt_prepared_stop *stop, uint64_t wave)
{
	stop->architecture = wt_view_architecture(stop->view, WT_OBJECT_WAVE, wave);
	if (!stop->architecture || !gfx_isa_of(stop->architecture))
		return wt_what_if_refuse(WT_ERROR_UNSUPPORTED,
					 "the simulated GPU does not execute instructions of %s",
					 stop->architecture ? stop->architecture->name
							    : "this architecture");
	stop->layout = wt_save_area_layout_find(stop->architecture);
	if (!stop->layout)
		return wt_what_if_refuse(WT_ERROR_UNSUPPORTED,
					 "which registers waves of %s have is not known",
					 stop->architecture->name);
	return NULL;
}

struct wt_error *wt_prepared_stop_init(struct wt_prepared_stop *stop,
				       struct wt_explainer *explainer, uint64_t wave,
				       const struct wt_what_if_options *options)
{
	static const struct wt_cause_limits limits = WT_CAUSE_LIMITS_QUICK;
	struct wt_error *error;

	stop->explainer = explainer;
	stop->view = wt_explainer_view(explainer);
	if (options)
		stop->options = *options;
	if (!stop->options.instructions)
		stop->options.instructions = WT_WHAT_IF_INSTRUCTIONS;
	if (!stop->options.seconds)
		stop->options.seconds = WT_WHAT_IF_SECONDS;
	error = stop_check_architecture(stop, wave);
	if (!error)
		error = wt_followed_create(explainer, wave, &limits, &stop->followed);
	if (!error)
		error = stop_take_dispatch(stop);
	if (!error)
		error = wt_images_load(&stop->images, wt_view_recorded(stop->view));
	if (!error)
		error = stop_take_waves(stop);
	if (!error && !stop->wave_count)
		error = wt_what_if_refuse(WT_ERROR_NOT_FOUND, "its dispatch has no waves there");
	if (!error)
		error = stop_take_groups(stop);
	if (!error)
		error = stop_find_next(stop);
	if (!error)
		error = stop_put_memory(stop);
	return error ? error : stop_place_pool(stop);
}

void wt_prepared_stop_deinit(struct wt_prepared_stop *stop)
{
	for (size_t i = 0; i < stop->wave_count; i++) {
		wt_making_wave_deinit(&stop->waves[i].recorded);
		free(stop->waves[i].private_bytes);
	}
	for (size_t i = 0; i < stop->group_count; i++)
		free(stop->groups[i].local);
	free(stop->waves);
	free(stop->groups);
	wt_pieces_deinit(&stop->pieces);
	wt_images_deinit(&stop->images);
	wt_followed_destroy(stop->followed);
}
