/* SPDX-License-Identifier: MIT */
/*
 * A library that answers as our library does and has habits of its own, as other libraries of the API have: it stands in front of
 * the library that STAND_IN_OF names. What is written for our own library's habits alone shows over it.
 *
 * Architectures, registers, address spaces and classes have other handles. With STAND_IN_REFUSES it refuses every third attach, with
 * STAND_IN_ROOM it allocates more for a list than it returns, as AMD's does for the registers of a wave, and with STAND_IN_HABITS it
 * does both, and
 *
 * - lists the newest objects first,
 * - refuses calls: every third attach and every third write of a register, watchpoints, precise memory, new waves stopped, and the
 *   packets of a queue that there is not, with FATAL,
 * - has texts of its own,
 * - reads a little of each core that is still attached when it is finalized,
 * - reads back from a register what was written to it last, whatever bits of it are read-only.
 *
 * With STAND_IN_ARCHITECTURE=950 its gfx942 devices are called gfx950, which has the same registers. With any other three digits
 * they are of an architecture that nobody else knows: with other names of registers, register classes and an address space, too.
 * With STAND_IN_CLUSTERS two workgroups each are a cluster. With STAND_IN_WAITS nothing runs, and work waits: waits.h.
 *
 * STAND_IN_FAILS=HOW:N is about the N'th call of those that nobody makes but a client: late, it takes a while, as one other call of all does;
 * fatal, or with a status that there is not (odd), it is not made; without a word (nothing) it is not made either, and is said to have been
 * fine; never, it does not come back, until somebody has no more patience and kills the process.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dbgapi/client/marshal.h"
#include "replayer/library/replay-call.h"
#include "tests/habits/waits.h"

/* No object has it. */
#define NO_HANDLE (UINT64_MAX - 5)

#define ARCHITECTURES_BEFORE 3u
#define REGISTERS_BEFORE ((uint64_t)ARCHITECTURES_BEFORE << 32)

#define MORE_BYTES 24u

static struct wt_api api;
static bool loaded, has_habits, makes_room, refuses_attaches, has_clusters, waits;
static const char *architecture;	 /* the digits of its name, or NULL: as it is */
static amd_dbgapi_callbacks_t callbacks; /* the client's */
static enum wt_function current;
static unsigned int attaches, register_writes;

enum failing { ANSWERS, LATE, FATAL, ODD, NOTHING, NEVER };

static enum failing failing;
static unsigned long failing_at, all_calls, client_calls;

/* What was written to a register last. */
static struct {
	uint64_t wave, id;
	size_t size;
	uint8_t bytes[8];
} written;

/* ---- Handles ---- */

enum numbering { AS_THEY_ARE, ARCHITECTURES, REGISTERS, CLASSES, SPACES };

#define OTHER(handle) (2 * (handle) + 9)

/* Types of pointers have the same beginning. */
static bool is_of(const char *type, const char *handle)
{
	return !strncmp(type, handle, strlen(handle));
}

static enum numbering numbering_of(const char *type)
{
	if (is_of(type, "amd_dbgapi_architecture_id_t"))
		return ARCHITECTURES;
	if (is_of(type, "amd_dbgapi_register_id_t"))
		return REGISTERS;
	if (is_of(type, "amd_dbgapi_register_class_id_t") ||
	    is_of(type, "amd_dbgapi_address_class_id_t"))
		return CLASSES;
	if (is_of(type, "amd_dbgapi_address_space_id_t"))
		return SPACES;
	return AS_THEY_ARE;
}

/* The handle that the client gets for one. */
static uint64_t show(const char *type, uint64_t handle)
{
	if (!handle)
		return 0;
	switch (numbering_of(type)) {
	case ARCHITECTURES:
		return handle + ARCHITECTURES_BEFORE;
	case REGISTERS:
		return handle + REGISTERS_BEFORE;
	case SPACES:
		/* The API gives the global one its handle. */
		return handle == AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle ? handle : OTHER(handle);
	case CLASSES:
		return OTHER(handle);
	default:
		return handle;
	}
}

/* And what it means by one. */
static uint64_t mean(const char *type, uint64_t shown)
{
	if (!shown)
		return 0;
	switch (numbering_of(type)) {
	case ARCHITECTURES:
		return shown > ARCHITECTURES_BEFORE ? shown - ARCHITECTURES_BEFORE : NO_HANDLE;
	case REGISTERS:
		return shown >= REGISTERS_BEFORE + 1 ? shown - REGISTERS_BEFORE : NO_HANDLE;
	case SPACES:
		if (shown == AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle)
			return shown;
		return shown > OTHER(AMD_DBGAPI_ADDRESS_SPACE_GLOBAL.handle) && shown % 2
			       ? (shown - 9) / 2
			       : NO_HANDLE;
	case CLASSES:
		return shown > 9 && shown % 2 ? (shown - 9) / 2 : NO_HANDLE;
	default:
		return shown;
	}
}

static void show_all(const char *type, uint64_t *handles, size_t count)
{
	for (size_t i = 0; handles && i < count; i++)
		handles[i] = show(type, handles[i]);
}

/* ---- Outputs ---- */

static void reverse(uint64_t *handles, size_t count)
{
	for (size_t i = 0; handles && i < count / 2; i++) {
		uint64_t handle = handles[i];

		handles[i] = handles[count - 1 - i];
		handles[count - 1 - i] = handle;
	}
}

static void show_array(const struct wt_function_info *info, const struct wt_parameter *parameter,
		       const struct wt_argument *arguments, void *place)
{
	size_t count = *(const size_t *)arguments[parameter->count_index].pointer;
	uint64_t *handles;

	memcpy(&handles, place, sizeof(handles));
	if (!parameter->is_handle)
		return;
	show_all(parameter->type, handles, count);
	if (has_habits && is_of(info->parameters[0].type, "amd_dbgapi_process_id_t"))
		reverse(handles, count);
}

static void show_information(const struct wt_argument *arguments, void *place)
{
	static const char type[] = "amd_dbgapi_register_id_t";
	const amd_dbgapi_instruction_kind_t *kind = arguments[4].pointer;
	amd_dbgapi_direct_call_register_pair_information_t *call;
	void *information;

	memcpy(&information, place, sizeof(information));
	if (!information)
		return;
	switch (*kind) {
	case AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_REGISTER_PAIR:
	case AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_BRANCH_CONDITIONAL_REGISTER_PAIR:
		show_all(type, information, 2);
		return;
	case AMD_DBGAPI_INSTRUCTION_KIND_INDIRECT_CALL_REGISTER_PAIRS:
		show_all(type, information, 4);
		return;
	case AMD_DBGAPI_INSTRUCTION_KIND_DIRECT_CALL_REGISTER_PAIR:
		call = information;
		show_all(type, (uint64_t *)(void *)call->saved_return_address_register, 2);
		return;
	default:
		return;
	}
}

static void show_query(const struct wt_function_info *info, const struct wt_parameter *parameter,
		       const struct wt_argument *arguments, void *place)
{
	const struct wt_query *query =
		wt_query_find(info->object, (uint32_t)arguments[parameter->query_index].number);
	uint64_t handle;

	if (!query || !query->is_handle || query->result != WT_RESULT_FIXED)
		return;
	memcpy(&handle, place, sizeof(handle));
	handle = show(query->type, handle);
	memcpy(place, &handle, sizeof(handle));
}

static void show_output(const struct wt_function_info *info, const struct wt_parameter *parameter,
			const struct wt_argument *arguments, void *place)
{
	uint64_t handle;

	switch (parameter->shape) {
	case WT_SHAPE_OUT:
		if (!parameter->is_handle)
			return;
		memcpy(&handle, place, sizeof(handle));
		handle = show(parameter->type, handle);
		memcpy(place, &handle, sizeof(handle));
		return;
	case WT_SHAPE_OUT_ARRAY:
		show_array(info, parameter, arguments, place);
		return;
	case WT_SHAPE_OUT_QUERY:
		show_query(info, parameter, arguments, place);
		return;
	case WT_SHAPE_OUT_INFORMATION:
		show_information(arguments, place);
		return;
	default:
		return;
	}
}

/* ---- Habits ---- */

static void *allocate_memory(size_t size)
{
	bool list = current == WT_FUNCTION_WAVE_REGISTER_LIST ||
		    (wt_functions[current].object != WT_OBJECT_COUNT &&
		     wt_objects[wt_functions[current].object].list == current);

	return callbacks.allocate_memory(size + (list ? MORE_BYTES : 0));
}

static amd_dbgapi_status_t initialize(amd_dbgapi_callbacks_t *client)
{
	static amd_dbgapi_callbacks_t own;
	amd_dbgapi_status_t status;

	if (!client || !client->allocate_memory || !(makes_room || waits))
		return api.initialize(client);
	own = *client;
	if (makes_room)
		own.allocate_memory = allocate_memory;
	status = api.initialize(&own);
	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		callbacks = *client;
	return status;
}

static void note_write(const struct wt_argument *arguments)
{
	size_t size = arguments[3].number;

	if (arguments[2].number || !size || size > sizeof(written.bytes))
		return;
	written.wave = arguments[0].number;
	written.id = arguments[1].number;
	written.size = size;
	memcpy(written.bytes, arguments[4].pointer, size);
}

static void read_back(const struct wt_argument *arguments)
{
	size_t size = arguments[3].number;

	if (written.size && !arguments[2].number && arguments[0].number == written.wave &&
	    arguments[1].number == written.id)
		memcpy(arguments[4].pointer, written.bytes,
		       size < written.size ? size : written.size);
}

/* Processes that are attached, and the client's names of them. */
static struct {
	uint64_t process;
	amd_dbgapi_client_process_id_t client;
} attached[4];

static bool is_attached(uint64_t process)
{
	for (size_t i = 0; i < sizeof(attached) / sizeof(*attached); i++)
		if (process && attached[i].process == process)
			return true;
	return false;
}

/* What a call is refused with; SUCCESS: it is not. */
static amd_dbgapi_status_t refuse(enum wt_function function, const struct wt_argument *arguments)
{
	if (function == WT_FUNCTION_PROCESS_ATTACH && refuses_attaches)
		return attaches++ % 3 == 2 ? AMD_DBGAPI_STATUS_FATAL : AMD_DBGAPI_STATUS_SUCCESS;
	if (!has_habits)
		return AMD_DBGAPI_STATUS_SUCCESS;
	switch ((int)function) {
	case WT_FUNCTION_SET_WATCHPOINT:
		return AMD_DBGAPI_STATUS_FATAL;
	case WT_FUNCTION_SET_MEMORY_PRECISION:
	case WT_FUNCTION_PROCESS_SET_WAVE_CREATION:
		return is_attached(arguments[0].number) && arguments[1].number == 1
			       ? AMD_DBGAPI_STATUS_FATAL
			       : AMD_DBGAPI_STATUS_SUCCESS;
	case WT_FUNCTION_WRITE_REGISTER:
		return register_writes++ % 3 == 2
			       ? AMD_DBGAPI_STATUS_ERROR_DISPLACED_STEPPING_ACTIVE
			       : AMD_DBGAPI_STATUS_SUCCESS;
	default:
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
}

static void replace_attached(uint64_t from, uint64_t to, amd_dbgapi_client_process_id_t client)
{
	for (size_t i = 0; i < sizeof(attached) / sizeof(*attached); i++)
		if (attached[i].process == from) {
			attached[i].process = to;
			attached[i].client = client;
			return;
		}
}

/* A core has no process id. */
static bool is_core(amd_dbgapi_client_process_id_t client)
{
	amd_dbgapi_os_process_id_t id;

	return callbacks.client_process_get_info(client, AMD_DBGAPI_CLIENT_PROCESS_INFO_OS_PID,
						 sizeof(id), &id) != AMD_DBGAPI_STATUS_SUCCESS;
}

static void read_once_more(void)
{
	for (size_t i = 0; i < sizeof(attached) / sizeof(*attached); i++) {
		amd_dbgapi_size_t size = 8;
		uint8_t bytes[8];

		if (attached[i].process && is_core(attached[i].client))
			callbacks.xfer_global_memory(attached[i].client, 0x1000, &size, bytes,
						     NULL);
	}
	memset(attached, 0, sizeof(attached));
}

static void follow_habits(enum wt_function function, const struct wt_argument *arguments)
{
	static const char text[] = "a text of its own";
	const char *own = text;

	switch ((int)function) {
	case WT_FUNCTION_GET_STATUS_STRING:
		memcpy(arguments[1].pointer, &own, sizeof(own));
		return;
	case WT_FUNCTION_WRITE_REGISTER:
		note_write(arguments);
		return;
	case WT_FUNCTION_READ_REGISTER:
		read_back(arguments);
		return;
	case WT_FUNCTION_PROCESS_ATTACH:
		replace_attached(0, ((const amd_dbgapi_process_id_t *)arguments[1].pointer)->handle,
				 arguments[0].pointer);
		return;
	case WT_FUNCTION_PROCESS_DETACH:
		replace_attached(arguments[0].number, 0, NULL);
		written.size = 0;
		return;
	case WT_FUNCTION_WAVE_RESUME:
		written.size = 0;
		return;
	default:
		return;
	}
}

/* ---- An architecture ---- */

#define MACHINE_GFX942 0x4cu
#define MACHINE_GFX950 0x4fu
#define MACHINE_INVENTED 0xfeu
#define LARGEST_INSTRUCTION 40u

static bool is_invented(void)
{
	return strcmp(architecture, "950");
}

static uint32_t machine_number(void)
{
	return is_invented() ? MACHINE_INVENTED : MACHINE_GFX950;
}

/* A text of the same length in place of another one, or of its beginning. */
static void rename_text(char *text, const char *from, const char *to, bool whole)
{
	size_t length = strlen(from);

	if (!strncmp(text, from, length) && (!whole || !text[length]))
		memcpy(text, to, length);
}

static void rename_register(char *name)
{
	static const char digits[] = "0123456789";

	if (strspn(name + 1, digits) == strlen(name + 1)) {
		rename_text(name, "s", "u", false);
		rename_text(name, "v", "w", false);
		rename_text(name, "a", "q", false);
	}
	rename_text(name, "vcc", "cnd", true);
	rename_text(name, "flat_scratch", "heap_pointer", true);
	rename_text(name, "xnack_mask", "retry_mask", true);
}

/* The answer to a query, as this architecture gives it. */
static void change_answer(enum wt_object object, uint32_t query, void *value)
{
	const struct wt_query *info = wt_query_find(object, query);
	const amd_dbgapi_size_t largest = LARGEST_INSTRUCTION;
	const uint32_t machine = machine_number();
	char *text;

	if (object == WT_OBJECT_ARCHITECTURE &&
	    query == AMD_DBGAPI_ARCHITECTURE_INFO_ELF_AMDGPU_MACHINE)
		memcpy(value, &machine, sizeof(machine));
	if (is_invented() && object == WT_OBJECT_ARCHITECTURE &&
	    query == AMD_DBGAPI_ARCHITECTURE_INFO_LARGEST_INSTRUCTION_SIZE)
		memcpy(value, &largest, sizeof(largest));
	if (!info || info->result != WT_RESULT_STRING)
		return;
	memcpy(&text, value, sizeof(text));
	if (object == WT_OBJECT_ARCHITECTURE) {
		rename_text(text + strlen(text) - 3, "942", architecture, true);
	} else if (!is_invented()) {
		return;
	} else if (object == WT_OBJECT_REGISTER && query == AMD_DBGAPI_REGISTER_INFO_NAME) {
		rename_register(text);
	} else if (object == WT_OBJECT_REGISTER_CLASS) {
		rename_text(text, "scalar", "single", true);
		rename_text(text, "vector", "bundle", true);
	} else if (object == WT_OBJECT_ADDRESS_SPACE) {
		rename_text(text, "private_lane", "private_item", true);
	}
}

/* ---- Clusters ---- */

/* The clusters that somebody was told of, each with one of its workgroups. */
static struct {
	uint64_t handle, workgroup;
} clusters[64];

struct place {
	uint64_t cluster;
	uint32_t at[3], within[3];
};

static amd_dbgapi_status_t find_place(uint64_t workgroup, struct place *place_ret)
{
	uint64_t dispatch = 0;
	size_t slot = 0;
	amd_dbgapi_status_t status = api.workgroup_get_info(
		(amd_dbgapi_workgroup_id_t){workgroup}, AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD,
		sizeof(place_ret->at), place_ret->at);

	if (status == AMD_DBGAPI_STATUS_SUCCESS)
		status = api.workgroup_get_info((amd_dbgapi_workgroup_id_t){workgroup},
						AMD_DBGAPI_WORKGROUP_INFO_DISPATCH,
						sizeof(dispatch), &dispatch);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	memset(place_ret->within, 0, sizeof(place_ret->within));
	place_ret->within[0] = place_ret->at[0] % 2;
	place_ret->at[0] /= 2;
	place_ret->cluster = dispatch << 16 | (place_ret->at[0] + 1);
	while (slot < 63 && clusters[slot].handle && clusters[slot].handle != place_ret->cluster)
		slot++;
	clusters[slot].handle = place_ret->cluster;
	clusters[slot].workgroup = workgroup;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t answer(const struct wt_argument *arguments, const void *value,
				  size_t size)
{
	if (!arguments[3].pointer)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (arguments[2].number != size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	memcpy(arguments[3].pointer, value, size);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static amd_dbgapi_status_t cluster_info(const struct wt_argument *arguments)
{
	amd_dbgapi_status_t status;
	struct place place;
	uint64_t handle;

	/* Ours has none, and says so only when it is initialized. */
	status = api.cluster_get_info(AMD_DBGAPI_CLUSTER_NONE, AMD_DBGAPI_CLUSTER_INFO_DISPATCH,
				      sizeof(handle), &handle);
	if (status != AMD_DBGAPI_STATUS_ERROR_INVALID_CLUSTER_ID)
		return status;
	for (size_t i = 0; i < 64 && clusters[i].handle; i++) {
		if (clusters[i].handle != arguments[0].number ||
		    find_place(clusters[i].workgroup, &place) != AMD_DBGAPI_STATUS_SUCCESS)
			continue;
		if (arguments[1].number == AMD_DBGAPI_CLUSTER_INFO_CLUSTER_COORD)
			return answer(arguments, place.at, sizeof(place.at));
		/* A workgroup's other queries have the same numbers. */
		if (arguments[1].number > AMD_DBGAPI_CLUSTER_INFO_CLUSTER_COORD ||
		    api.workgroup_get_info((amd_dbgapi_workgroup_id_t){clusters[i].workgroup},
					   (amd_dbgapi_workgroup_info_t)arguments[1].number,
					   sizeof(handle), &handle) != AMD_DBGAPI_STATUS_SUCCESS)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
		if (arguments[1].number == AMD_DBGAPI_CLUSTER_INFO_ARCHITECTURE)
			handle = show("amd_dbgapi_architecture_id_t", handle);
		return answer(arguments, &handle, sizeof(handle));
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_CLUSTER_ID;
}

/* Where in its cluster a workgroup is; false if that is not what was asked. */
static bool place_info(enum wt_function function, const struct wt_argument *arguments,
		       int64_t *status_ret)
{
	uint64_t workgroup = arguments[0].number;
	const uint64_t query = arguments[1].number;
	struct place place;

	if (function == WT_FUNCTION_WAVE_GET_INFO) {
		if (query < AMD_DBGAPI_WAVE_INFO_CLUSTER ||
		    query > AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD_IN_CLUSTER)
			return false;
		*status_ret = api.wave_get_info((amd_dbgapi_wave_id_t){workgroup},
						AMD_DBGAPI_WAVE_INFO_WORKGROUP, sizeof(workgroup),
						&workgroup);
		if (*status_ret != AMD_DBGAPI_STATUS_SUCCESS)
			return true;
	} else if (function != WT_FUNCTION_WORKGROUP_GET_INFO ||
		   query < AMD_DBGAPI_WORKGROUP_INFO_CLUSTER ||
		   query > AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD_IN_CLUSTER) {
		return false;
	}
	*status_ret = find_place(workgroup, &place);
	if (*status_ret != AMD_DBGAPI_STATUS_SUCCESS)
		return true;
	if (query == (function == WT_FUNCTION_WAVE_GET_INFO
			      ? (uint64_t)AMD_DBGAPI_WAVE_INFO_CLUSTER
			      : (uint64_t)AMD_DBGAPI_WORKGROUP_INFO_CLUSTER))
		*status_ret = answer(arguments, &place.cluster, sizeof(place.cluster));
	else if (function == WT_FUNCTION_WAVE_GET_INFO &&
		 query == AMD_DBGAPI_WAVE_INFO_CLUSTER_COORD)
		*status_ret = answer(arguments, place.at, sizeof(place.at));
	else
		*status_ret = answer(arguments, place.within, sizeof(place.within));
	return true;
}

static bool answer_cluster(enum wt_function function, const struct wt_argument *arguments,
			   int64_t *status_ret)
{
	if (function != WT_FUNCTION_CLUSTER_GET_INFO)
		return place_info(function, arguments, status_ret);
	*status_ret = cluster_info(arguments);
	return true;
}

/* ---- Failing ---- */

#define LATE_MICROSECONDS 150000u
#define ODD_STATUS (-4711)

static void failing_choose(const char *words)
{
	static const char *const hows[] = {
		[LATE] = "late:",	[FATAL] = "fatal:", [ODD] = "odd:",
		[NOTHING] = "nothing:", [NEVER] = "never:",
	};

	for (size_t i = LATE; words && i < sizeof(hows) / sizeof(*hows); i++)
		if (!strncmp(words, hows[i], strlen(hows[i]))) {
			failing = (enum failing)i;
			failing_at = strtoul(words + strlen(hows[i]), NULL, 10);
		}
}

/* Recorders ask, but they change nothing. */
static bool is_of_clients(enum wt_function function)
{
	switch ((int)function) {
	case WT_FUNCTION_PROCESS_ATTACH:
	case WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT:
	case WT_FUNCTION_EVENT_PROCESSED:
	case WT_FUNCTION_WAVE_STOP:
	case WT_FUNCTION_WAVE_RESUME:
	case WT_FUNCTION_WRITE_REGISTER:
	case WT_FUNCTION_WRITE_MEMORY:
		return true;
	default:
		return false;
	}
}

/* Is the call not made? Then this is its answer. */
static bool answer_fails(enum wt_function function, int64_t *status_ret)
{
	bool now = is_of_clients(function) && ++client_calls == failing_at;

	if (failing == LATE && (now || ++all_calls == 20 * failing_at))
		usleep(LATE_MICROSECONDS);
	if (!now || failing == ANSWERS || failing == LATE)
		return false;
	if (failing == NEVER) {
		usleep(LATE_MICROSECONDS);
		kill(getpid(), SIGKILL);
	}
	/* Who is told that a wave stops or runs waits for that. */
	if (failing == NOTHING &&
	    (function == WT_FUNCTION_EVENT_PROCESSED || function == WT_FUNCTION_WRITE_REGISTER ||
	     function == WT_FUNCTION_WRITE_MEMORY))
		*status_ret = AMD_DBGAPI_STATUS_SUCCESS;
	else
		*status_ret = failing == ODD ? ODD_STATUS : AMD_DBGAPI_STATUS_FATAL;
	return true;
}

/* ---- Calls ---- */

static void load(void)
{
	struct wt_error *error = wt_api_load(getenv("STAND_IN_OF"), &api);

	if (error)
		abort();
	has_habits = getenv("STAND_IN_HABITS");
	makes_room = has_habits || getenv("STAND_IN_ROOM");
	refuses_attaches = has_habits || getenv("STAND_IN_REFUSES");
	architecture = getenv("STAND_IN_ARCHITECTURE");
	has_clusters = getenv("STAND_IN_CLUSTERS");
	waits = getenv("STAND_IN_WAITS");
	failing_choose(getenv("STAND_IN_FAILS"));
	loaded = true;
}

static void invoke(enum wt_function function, const struct wt_argument *arguments,
		   int64_t *status_ret, const char **text_ret)
{
	enum wt_function outer = current;

	current = function;
	if (function == WT_FUNCTION_INITIALIZE)
		*status_ret = initialize(arguments[0].pointer);
	else
		wt_invoke(&api, function, arguments, status_ret, text_ret);
	current = outer;
}

void wt_replay_call(enum wt_function function, const struct wt_argument *arguments,
		    int64_t *status_ret, const char **text_ret)
{
	const struct wt_function_info *info = &wt_functions[function];
	struct wt_argument meant[WT_ARGUMENTS];
	amd_dbgapi_status_t refusal;

	if (!loaded)
		load();
	if (has_habits && function == WT_FUNCTION_FINALIZE)
		read_once_more();
	if (answer_fails(function, status_ret))
		return;
	refusal = refuse(function, arguments);
	if (refusal != AMD_DBGAPI_STATUS_SUCCESS) {
		*status_ret = refusal;
		return;
	}
	memcpy(meant, arguments, info->parameter_count * sizeof(*meant));
	for (size_t i = 0; i < info->parameter_count; i++)
		if (info->parameters[i].is_handle && info->parameters[i].shape == WT_SHAPE_VALUE)
			meant[i].number = mean(info->parameters[i].type, meant[i].number);
	if (has_clusters && answer_cluster(function, meant, status_ret))
		return;
	if (waits && wt_waits_answer(&api, &callbacks, function, meant, status_ret))
		return;
	if (architecture && function == WT_FUNCTION_GET_ARCHITECTURE)
		meant[0].number = meant[0].number == machine_number() ? MACHINE_GFX942 : 0;
	invoke(function, meant, status_ret, text_ret);
	if (has_habits && function == WT_FUNCTION_QUEUE_PACKET_LIST &&
	    *status_ret == AMD_DBGAPI_STATUS_ERROR_INVALID_QUEUE_ID)
		*status_ret = AMD_DBGAPI_STATUS_FATAL;
	if (!status_ret || *status_ret != AMD_DBGAPI_STATUS_SUCCESS)
		return;
	for (size_t i = 0; i < info->parameter_count; i++)
		if (wt_shape_is_output(info->parameters[i].shape) && arguments[i].pointer)
			show_output(info, &info->parameters[i], arguments, arguments[i].pointer);
	if (architecture && info->object < WT_OBJECT_COUNT &&
	    function == wt_objects[info->object].get_info)
		change_answer(info->object, (uint32_t)arguments[1].number, arguments[3].pointer);
	if (has_habits)
		follow_habits(function, arguments);
}
