/* SPDX-License-Identifier: MIT */
/* The waves of a snapshot: which of them come first, how much is taken of each, and their registers and memory. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/late.h"
#include "recorder/moment/registers.h"
#include "recorder/moment/taking.h"
#include "recorder/recording/question.h"
#include "recorder/recording/value.h"

/* Bytes of registers at one stop that are taken of waves that were only asked to stop, if nobody says otherwise. */
#define AUTO_OTHER_BYTES (4u << 20)

/* What the library says of a wave at this moment, before anything is put in its place (keep_pcs()). */
struct wave {
	uint64_t handle, architecture, workgroup, dispatch, pc, exec;
	uint32_t reasons, lane_count;
	uint8_t rank;
};

/* Where an answer is found in the items of waves: mostly in all of them at the same place. */
struct sought {
	uint32_t query; /* name */
	size_t place;
};

/* Those that a wave is described by. */
enum { ARCHITECTURE, WORKGROUP, DISPATCH, PC, EXEC, REASONS, LANE_COUNT, STATE, DESCRIBING };

static void seek_all(struct wt_recorder *recorder, struct sought sought[DESCRIBING])
{
	static const uint32_t queries[DESCRIBING] = {
		[ARCHITECTURE] = AMD_DBGAPI_WAVE_INFO_ARCHITECTURE,
		[WORKGROUP] = AMD_DBGAPI_WAVE_INFO_WORKGROUP,
		[DISPATCH] = AMD_DBGAPI_WAVE_INFO_DISPATCH,
		[PC] = AMD_DBGAPI_WAVE_INFO_PC,
		[EXEC] = AMD_DBGAPI_WAVE_INFO_EXEC_MASK,
		[REASONS] = AMD_DBGAPI_WAVE_INFO_STOP_REASON,
		[LANE_COUNT] = AMD_DBGAPI_WAVE_INFO_LANE_COUNT,
		[STATE] = AMD_DBGAPI_WAVE_INFO_STATE,
	};

	for (size_t i = 0; i < DESCRIBING; i++)
		sought[i] = (struct sought){
			.query = wt_number_query(&recorder->numbers, WT_OBJECT_WAVE,
						 wt_query_find(WT_OBJECT_WAVE, queries[i])),
		};
}

/* 0 if it was not answered with a number. */
static uint64_t find_number(const struct wt_item *wave, struct sought *sought)
{
	const struct wt_answer *answer;
	size_t place = sought->place;

	if (place >= wave->answer_count || wave->answers[place].query != sought->query)
		for (place = 0; place < wave->answer_count; place++)
			if (wave->answers[place].query == sought->query)
				break;
	if (place == wave->answer_count)
		return 0;
	sought->place = place;
	answer = &wave->answers[place];
	if (answer->status != AMD_DBGAPI_STATUS_SUCCESS || (answer->size != 4 && answer->size != 8))
		return 0;
	return wt_value_load(answer->value, answer->size, false);
}

static struct wt_error *open_wave(struct wt_recorder *recorder, const struct wave *known,
				  enum wt_extent extent, struct wt_stopped_wave *wave,
				  size_t *bytes_ret)
{
	const struct wt_key key = wt_key_plain(WT_ITEM_REGISTERS, known->handle);
	struct wt_error *error;

	*wave = (struct wt_stopped_wave){
		.handle = known->handle,
		.architecture = known->architecture,
		.workgroup = known->workgroup,
		.dispatch = known->dispatch,
		.pc = known->pc,
		.exec = known->exec,
		.reasons = known->reasons,
		.lane_count = known->lane_count,
		.holder = wt_state_create(),
	};
	if (!wave->holder)
		return &wt_error_no_memory;
	error = wt_facts_take(recorder, wave->architecture);
	if (!error)
		error = wt_take_registers(recorder, wave->holder, wave->handle, wave->architecture,
					  extent, bytes_ret);
	wave->registers = error ? NULL : wt_state_get(wave->holder, &key);
	wave->layout =
		error ? NULL : wt_register_layout_find(recorder, wave->registers, wave->lane_count);
	if (wave->layout)
		return NULL;
	wt_state_destroy(wave->holder);
	wave->holder = NULL;
	return error ? error : &wt_error_no_memory;
}

static struct wt_error *take_memory(struct wt_taking *taking, const struct wt_stopped_wave *wave,
				    bool local)
{
	struct wt_error *error = wt_take_instruction(taking, wave);

	if (!error && local)
		error = wt_take_local(taking, wave);
	if (!error)
		error = wt_take_private(taking, wave);
	return error ? error : wt_take_pointers(taking, wave);
}

/*
 * One wave, as much of it as there are registers. What was to blame comes first when a budget is spent.
 *
 * @running: it is not seen to be stopped; what the library gives of it is registers alone.
 */
static struct wt_error *take_wave(struct wt_taking *taking, const struct wave *known,
				  enum wt_extent extent, bool running, bool local)
{
	struct wt_stopped_wave wave;
	size_t bytes = 0;
	struct wt_error *error = open_wave(taking->recorder, known, extent, &wave, &bytes);

	if (error)
		return error;
	wt_taking_spend(taking, bytes);
	if (extent != WT_REGISTERS_PLAIN)
		taking->registers_left -=
			bytes < taking->registers_left ? bytes : taking->registers_left;
	if (!running || bytes)
		error = wt_state_set_all(taking->state, wave.holder);
	if (!error && !running && extent == WT_REGISTERS_PLAIN)
		error = wt_take_instruction(taking, &wave);
	else if (!error && !running)
		error = take_memory(taking, &wave, local);
	wt_state_destroy(wave.holder);
	return error;
}

/*
 * In the order in which they are taken: what faulted, what stopped for another reason, what was asked to
 * stop, and what runs as far as the client has been told.
 */
enum rank { FAULT, REASON, ASKED, RUNNING, RANKS };

static enum rank find_rank(uint64_t state, uint32_t reasons)
{
	if (state != AMD_DBGAPI_WAVE_STATE_STOP)
		return RUNNING;
	return wt_reasons_are_fault(reasons) ? FAULT : reasons ? REASON : ASKED;
}

/* From what was taken of it. */
static struct wave describe(struct wt_recorder *recorder, const struct wt_state *state,
			    uint64_t handle, struct sought sought[DESCRIBING], size_t *place)
{
	const struct wt_key key = wt_key_object(recorder, WT_OBJECT_WAVE, handle);
	const struct wt_item *item = wt_state_get_near(state, &key, place);
	struct wave wave = {.handle = handle, .rank = RUNNING};

	if (!item)
		return wave;
	wave.architecture = find_number(item, &sought[ARCHITECTURE]);
	wave.workgroup = find_number(item, &sought[WORKGROUP]);
	wave.dispatch = find_number(item, &sought[DISPATCH]);
	wave.pc = find_number(item, &sought[PC]);
	wave.exec = find_number(item, &sought[EXEC]);
	wave.reasons = (uint32_t)find_number(item, &sought[REASONS]);
	wave.lane_count = (uint32_t)find_number(item, &sought[LANE_COUNT]);
	wave.rank = (uint8_t)find_rank(find_number(item, &sought[STATE]), wave.reasons);
	return wave;
}

static enum wt_extent choose_extent(struct wt_taking *taking, enum rank rank, uint64_t wave)
{
	const struct wt_session *session = &taking->recorder->session;
	enum wt_policy_waves waves = taking->recorder->options.policy.waves;

	/* What the client has looked at is in the trace, or it could not be played back. */
	if (wt_handles_has(&session->looked_at, wave))
		return WT_REGISTERS_EVERY;
	if (waves == WT_WAVES_AUTO && taking->registers_left)
		return WT_REGISTERS_WANTED;
	if (waves == WT_WAVES_AUTO || (waves == WT_WAVES_FAULTING && rank > REASON)) {
		taking->plain_waves++;
		return WT_REGISTERS_PLAIN;
	}
	return WT_REGISTERS_WANTED;
}

static struct wt_error *take_rank(struct wt_taking *taking, enum rank rank,
				  const struct wave *waves, size_t count, struct wt_handles *groups)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++) {
		bool first;

		if (waves[i].rank != rank)
			continue;
		if (wt_taking_is_over(taking)) {
			taking->waves_left_out++;
			continue;
		}
		first = !wt_handles_has(groups, waves[i].workgroup);
		if (first && rank != RUNNING && !wt_handles_add(groups, waves[i].workgroup))
			error = &wt_error_no_memory;
		else
			error = take_wave(taking, &waves[i],
					  choose_extent(taking, rank, waves[i].handle),
					  rank == RUNNING, first);
	}
	return error;
}

/* An answer that tells a register's value, as it was told at the last moment. */
static void keep_answer(struct wt_recorder *recorder, struct wt_item *wave,
			const struct wt_item *before, uint32_t query)
{
	const uint32_t name = wt_number_query(&recorder->numbers, WT_OBJECT_WAVE,
					      wt_query_find(WT_OBJECT_WAVE, query));
	const struct wt_answer *old = wt_item_answer(before, name);

	for (size_t i = 0; old && i < wave->answer_count; i++)
		if (wave->answers[i].query == name)
			wave->answers[i] = *old;
}

/* Waves whose registers are kept as they were when they stopped have the same pc and exec mask, too. */
static struct wt_error *keep_pcs(struct wt_recorder *recorder, struct wt_state *state)
{
	const struct wt_session *session = &recorder->session;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < session->written.count && !error; i++) {
		const uint64_t handle = session->written.values[i];
		const struct wt_key key = wt_key_object(recorder, WT_OBJECT_WAVE, handle);
		const struct wt_item *now = wt_state_get(state, &key);
		const struct wt_item *before =
			session->state ? wt_state_get(session->state, &key) : NULL;
		struct wt_answer answers[WT_MAX_QUERIES];
		struct wt_item wave;
		const struct wt_key unreported = wt_late_unreported_key(recorder, handle);

		/* Of a wave that had stopped without the client knowing there were none then. */
		if (!now || !before || wt_state_get(session->state, &unreported) ||
		    !wt_session_keeps(session, handle) || now->answer_count > WT_MAX_QUERIES)
			continue;
		wave = *now;
		memcpy(answers, now->answers, now->answer_count * sizeof(*answers));
		wave.answers = answers;
		keep_answer(recorder, &wave, before, AMD_DBGAPI_WAVE_INFO_PC);
		keep_answer(recorder, &wave, before, AMD_DBGAPI_WAVE_INFO_EXEC_MASK);
		error = wt_state_set(state, &wave);
	}
	return error;
}

/* Once before what is told of them is changed. Return: NULL if there is no memory. */
static struct wave *describe_all(struct wt_taking *taking, const uint64_t *handles, size_t count)
{
	struct wt_recorder *recorder = taking->recorder;
	struct wave *waves = calloc(count + 1, sizeof(*waves));
	struct sought sought[DESCRIBING];
	size_t place = 0;

	seek_all(recorder, sought);
	for (size_t i = 0; waves && i < count; i++) {
		waves[i] = describe(recorder, taking->state, handles[i], sought, &place);
		if (waves[i].rank == FAULT)
			recorder->host.seen = WT_SEEN_FAULT;
		else if (waves[i].rank != RUNNING && recorder->host.seen == WT_SEEN_NOTHING)
			recorder->host.seen = WT_SEEN_STOP;
	}
	return waves;
}

struct wt_error *wt_take_waves(struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	int ranks_taken = recorder->options.policy.waves == WT_WAVES_ALL ? RANKS : RUNNING;
	wt_cleanup_free uint64_t *handles = NULL;
	wt_cleanup_free struct wave *waves = NULL;
	struct wt_handles groups = {0};
	struct wt_error *error;
	size_t count = 0;

	error = wt_take_objects(recorder, taking->state, WT_OBJECT_WAVE, taking->process, &count,
				&handles);
	waves = error ? NULL : describe_all(taking, handles, count);
	if (!error && !waves)
		error = &wt_error_no_memory;
	if (!error)
		error = keep_pcs(recorder, taking->state);
	for (int rank = FAULT; rank < ranks_taken && !error; rank++) {
		if (rank == ASKED && taking->registers_left > AUTO_OTHER_BYTES)
			taking->registers_left = AUTO_OTHER_BYTES;
		error = take_rank(taking, (enum rank)rank, waves, count, &groups);
	}
	wt_handles_deinit(&groups);
	return error;
}
