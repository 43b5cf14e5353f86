/* SPDX-License-Identifier: MIT */
/* Two queues whose kernels run at the same time. */
#include "suite.h"

#define REASON(name) AMD_DBGAPI_WAVE_STOP_REASON_##name
#define STOP_EVENT AMD_DBGAPI_EVENT_KIND_WAVE_STOP
#define BREAKPOINT 0xbf920001
#define QUEUES 2
#define STEPS 3

/* The first wave of each queue that has some. Return: how many there are. */
static size_t choose_waves(const uint64_t *waves, size_t count, uint64_t chosen[QUEUES])
{
	uint64_t queues[QUEUES] = {0};
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t queue = ask(WT_OBJECT_WAVE, waves[i], AMD_DBGAPI_WAVE_INFO_QUEUE);
		bool known = false;

		for (size_t k = 0; k < found; k++)
			known = known || queues[k] == queue;
		if (known || found == QUEUES)
			continue;
		queues[found] = queue;
		chosen[found++] = waves[i];
	}
	return found;
}

/* By turns: where one goes, the other stands. */
static void check_steps(uint64_t process, const uint64_t waves[QUEUES])
{
	bool moved = true, stands = true;

	for (size_t i = 0; i < QUEUES * STEPS; i++) {
		uint64_t wave = waves[i % QUEUES], other = waves[(i + 1) % QUEUES];
		uint64_t pc = wave_pc(wave), others = wave_pc(other);

		moved = moved && step(process, wave) && wave_pc(wave) != pc &&
			stop_reason(wave) == REASON(SINGLE_STEP);
		stands = stands && wave_pc(other) == others;
	}
	check("W49 waves of two queues are stepped by turns", moved, "one is not");
	check("W49 and one stands while the other steps", stands, "it does not");
}

/* One runs into a breakpoint while the other runs to its end. */
static void check_breakpoint(uint64_t process, const uint64_t waves[QUEUES])
{
	uint64_t pc = wave_pc(waves[1]), value;

	write_word(process, pc, BREAKPOINT);
	wave_resume(waves[0], false);
	wave_resume(waves[1], false);
	check_number("W49 a breakpoint in the kernel of one queue stops its wave",
		     take(process, STOP_EVENT), waves[1]);
	check_number("W49 for that reason", stop_reason(waves[1]), REASON(BREAKPOINT));
	check("W49 the other queue's wave runs to its end", nothing_comes(process),
	      "an event comes");
	check_status("W49 and is none then",
		     get_info(WT_OBJECT_WAVE, waves[0], AMD_DBGAPI_WAVE_INFO_STATE, 4, &value),
		     ERROR(INVALID_WAVE_ID));
}

void section_queues(void)
{
	uint64_t process = attach_ready("two-queues"), waves[MAX_LISTED] = {0}, chosen[QUEUES];
	size_t count;

	first_wave_stopped(process);
	count = handles_of(WT_OBJECT_WAVE, process, waves, MAX_LISTED);
	check_number("both queues have a dispatch",
		     handles_of(WT_OBJECT_DISPATCH, process, NULL, 0), QUEUES);
	if (choose_waves(waves, count, chosen) == QUEUES) {
		check_steps(process, chosen);
		check_breakpoint(process, chosen);
	} else {
		check("W49 waves of both are listed", false, "%zu waves are", count);
	}
	detach(process);
}
