/* SPDX-License-Identifier: MIT */
/* The waves of a snapshot: which of them come first, how much is taken of each, and their registers and memory. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "recorder/moment/facts.h"
#include "recorder/moment/late.h"
#include "recorder/moment/taking.h"
#include "recorder/moment/wave-registers.h"
#include "recorder/recording/journal-value.h"
#include "recorder/recording/question.h"

/* Bytes of registers at one stop that are taken of waves that were only asked to stop, if nobody says otherwise. */
#define AUTO_OTHER_BYTES (4u << 20)

/* The library's answers on a wave at this moment, before anything is put in its place (keep_pcs()). */
struct wave {
	uint64_t handle, architecture, workgroup, dispatch, pc, exec;
	uint32_t reasons, lane_count;
	uint8_t rank;
};

/* The place of an answer in the items of waves: mostly the same in all of them. */
struct sought {
	uint32_t query; /* name */
	size_t place;
};

/* The answers that a wave is described by. */
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
static uint64_t sought_number(const struct wt_item *wave, struct sought *sought)
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

/* @state: where its registers go. */
static struct wt_error *open_wave(struct wt_taking *taking, struct wt_state *state,
				  const struct wave *known, enum wt_extent extent,
				  struct wt_stopped_wave *wave)
{
	struct wt_recorder *recorder = taking->recorder;
	struct wt_error *error = NULL;

	*wave = (struct wt_stopped_wave){
		.handle = known->handle,
		.architecture = known->architecture,
		.workgroup = known->workgroup,
		.dispatch = known->dispatch,
		.pc = known->pc,
		.exec = known->exec,
		.reasons = known->reasons,
		.lane_count = known->lane_count,
	};
	if (taking->facts_of != wave->architecture)
		error = wt_facts_take(recorder, wave->architecture);
	if (error)
		return error;
	taking->facts_of = wave->architecture;
	error = wt_take_registers(recorder, state, wave->handle, extent, &wave->registers);
	if (error)
		return error;
	wave->layout = wt_register_layout_find(recorder, wave->registers, wave->lane_count);
	return wave->layout ? NULL : &wt_error_no_memory;
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

static void spend(struct wt_taking *taking, enum wt_extent extent, size_t bytes)
{
	wt_taking_spend(taking, bytes);
	if (extent != WT_REGISTERS_PLAIN)
		taking->registers_left -=
			bytes < taking->registers_left ? bytes : taking->registers_left;
}

static size_t size_of(const struct wt_item *registers)
{
	return registers->bytes ? registers->bytes->size : 0;
}

/* One that is not seen to be stopped: what the library gives of it is registers alone, if any. */
static struct wt_error *take_running(struct wt_taking *taking, const struct wave *known,
				     enum wt_extent extent)
{
	wt_cleanup_state struct wt_state *apart = wt_state_create();
	struct wt_stopped_wave wave;
	struct wt_error *error =
		apart ? open_wave(taking, apart, known, extent, &wave) : &wt_error_no_memory;

	if (error || !size_of(wave.registers))
		return error;
	spend(taking, extent, size_of(wave.registers));
	return wt_state_set_all(taking->state, apart);
}

/*
 * One wave, as much of it as there are registers. What was to blame comes first when a budget is spent.
 *
 * @local: with the local memory of its workgroup.
 */
static struct wt_error *take_stopped(struct wt_taking *taking, const struct wave *known,
				     enum wt_extent extent, bool local)
{
	struct wt_stopped_wave wave;
	struct wt_error *error = open_wave(taking, taking->state, known, extent, &wave);

	if (error)
		return error;
	spend(taking, extent, size_of(wave.registers));
	error = wt_take_private_place(taking->recorder, taking->state, taking->process, wave.handle,
				      wave.architecture);
	if (error)
		return error;
	return extent == WT_REGISTERS_PLAIN ? wt_take_instruction(taking, &wave)
					    : take_memory(taking, &wave, local);
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
static struct wave wave_describe(uint64_t handle, const struct wt_item *item,
				 struct sought sought[DESCRIBING])
{
	struct wave wave = {.handle = handle};

	wave.architecture = sought_number(item, &sought[ARCHITECTURE]);
	wave.workgroup = sought_number(item, &sought[WORKGROUP]);
	wave.dispatch = sought_number(item, &sought[DISPATCH]);
	wave.pc = sought_number(item, &sought[PC]);
	wave.exec = sought_number(item, &sought[EXEC]);
	wave.reasons = (uint32_t)sought_number(item, &sought[REASONS]);
	wave.lane_count = (uint32_t)sought_number(item, &sought[LANE_COUNT]);
	wave.rank = (uint8_t)find_rank(sought_number(item, &sought[STATE]), wave.reasons);
	return wave;
}

static enum wt_extent choose_extent(struct wt_taking *taking, enum rank rank, uint64_t wave)
{
	const struct wt_session *session = &taking->recorder->session;
	enum wt_policy_waves waves = taking->recorder->options.policy.waves;

	/* Registers that the client has looked at are in the trace, or it could not be played back. */
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
		enum wt_extent extent;
		bool first;

		if (waves[i].rank != rank)
			continue;
		if (wt_taking_is_over(taking)) {
			taking->waves_left_out++;
			continue;
		}
		extent = choose_extent(taking, rank, waves[i].handle);
		first = rank != RUNNING && !wt_handles_has(groups, waves[i].workgroup);
		if (rank == RUNNING)
			error = take_running(taking, &waves[i], extent);
		else if (first && !wt_handles_add(groups, waves[i].workgroup))
			error = &wt_error_no_memory;
		else
			error = take_stopped(taking, &waves[i], extent, first);
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

		/* A wave that had stopped without the client knowing had no such answers then. */
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

static void note_seen(struct wt_recorder *recorder, const struct wave *wave)
{
	if (wave->rank == FAULT)
		recorder->host.seen = WT_SEEN_FAULT;
	else if (wave->rank != RUNNING && recorder->host.seen == WT_SEEN_NOTHING)
		recorder->host.seen = WT_SEEN_STOP;
}

/* Ask about all of them, and describe each before what is told of it is changed. */
static struct wt_error *ask_waves(struct wt_taking *taking, struct wave **waves_ret,
				  size_t *count_ret)
{
	struct wt_recorder *recorder = taking->recorder;
	wt_cleanup_free uint64_t *handles = NULL;
	wt_cleanup_free struct wave *waves = NULL;
	struct sought sought[DESCRIBING];
	struct wt_error *error;
	size_t count = 0;

	error = wt_take_list(recorder, taking->state, WT_FUNCTION_PROCESS_WAVE_LIST,
			     taking->process, &count, &handles);
	waves = error ? NULL : calloc(count + 1, sizeof(*waves));
	if (!error && !waves)
		error = &wt_error_no_memory;
	seek_all(recorder, sought);
	for (size_t i = 0; i < count && !error; i++) {
		const struct wt_item *item;

		error = wt_take_object_item(recorder, taking->state, WT_OBJECT_WAVE, handles[i],
					    &item);
		if (error)
			break;
		waves[i] = wave_describe(handles[i], item, sought);
		note_seen(recorder, &waves[i]);
	}
	if (error)
		return error;
	*waves_ret = waves;
	*count_ret = count;
	waves = NULL;
	return NULL;
}

struct wt_error *wt_take_waves(struct wt_taking *taking)
{
	struct wt_recorder *recorder = taking->recorder;
	int ranks_taken = recorder->options.policy.waves == WT_WAVES_ALL ? RANKS : RUNNING;
	wt_cleanup_free struct wave *waves = NULL;
	struct wt_handles groups = {0};
	struct wt_error *error;
	size_t count = 0;

	error = ask_waves(taking, &waves, &count);
	taking->asked_only = true;
	for (size_t i = 0; i < count; i++)
		taking->asked_only &= waves[i].rank == ASKED;
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
