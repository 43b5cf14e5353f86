/* SPDX-License-Identifier: MIT */
/*
 * Exceptions stop a wave, and the program hears of them. Without a debugger the runtime is told: by a mask of
 * exceptions in the queue's save area and an event, and of accesses that are not possible by an event of memory. The
 * wave stays as it is: the runtime stops the queue, and a debugger may look at it.
 */
#include <string.h>

#include <errno.h>

#include "driver/engine/internal.h"

/* Bits of exceptions, as the driver's interface counts them from 1. */
enum exception {
	EXCEPTION_ABORT = 1 << 0,
	EXCEPTION_TRAP = 1 << 1,
	EXCEPTION_MATH = 1 << 2,
	EXCEPTION_ILLEGAL = 1 << 3,
	EXCEPTION_MEMORY = 1 << 4,
	EXCEPTION_APERTURE = 1 << 5,
};

/* The value that a queue's inactive signal has for this. */
#define INACTIVE_APERTURE INT64_C(0x20000000)
#define INACTIVE_ILLEGAL INT64_C(0x40000000)
#define INACTIVE_TRAP INT64_C(0x80000000)

#define TRAP_SIZE 4   /* of an s_trap */
#define ACCESS_MAX 64 /* bytes of the largest access */
#define AT_INACTIVE_SIGNAL 0xc0

/* In the header of the save area. */
#define AT_ERROR_REASON 24
#define AT_ERROR_EVENT 32

static const uint32_t math_reasons = WT_STOP_FP_INPUT_DENORMAL | WT_STOP_FP_DIVIDE_BY_0 |
				     WT_STOP_FP_OVERFLOW | WT_STOP_FP_UNDERFLOW |
				     WT_STOP_FP_INEXACT | WT_STOP_FP_INVALID_OPERATION |
				     WT_STOP_INT_DIVIDE_BY_0;

/* Tell by the save area. False if there is none, or the runtime does not look there. */
static bool tell_reason(struct wt_engine_queue *queue, uint64_t exceptions)
{
	const struct wt_engine_host *host = &queue->view->engine->host;
	uint64_t area = queue->options.save_address, reason = 0, mask = 0;
	uint32_t event = 0;

	if (!area || !wt_sight_read(queue->view, area + AT_ERROR_REASON, &reason, sizeof(reason)) ||
	    !wt_sight_read(queue->view, area + AT_ERROR_EVENT, &event, sizeof(event)) || !reason ||
	    !wt_sight_read(queue->view, reason, &mask, sizeof(mask)))
		return false;
	mask |= exceptions;
	if (!wt_sight_publish(queue->view, reason, &mask, sizeof(mask)))
		return false;
	if (event)
		host->signal(host->opaque, event);
	return true;
}

static void tell_program(struct wt_engine_queue *queue, uint64_t exceptions, int64_t inactive)
{
	uint64_t signal = 0;

	if (tell_reason(queue, exceptions))
		return;
	if (wt_sight_read(queue->view, queue->structure + AT_INACTIVE_SIGNAL, &signal,
			  sizeof(signal)))
		wt_signal_set(queue, signal, inactive);
}

static void exception_tell(struct wt_engine_queue *queue, uint64_t exceptions, int64_t inactive)
{
	const struct wt_engine_host *host = &queue->view->engine->host;

	if (!host->exception(host->opaque, queue->id, exceptions))
		tell_program(queue, exceptions, inactive);
}

void wt_engine_tell_violation(struct wt_engine *engine, uint32_t id)
{
	struct wt_engine_queue *queue = wt_engine_find(engine, id);

	if (queue)
		tell_program(queue, EXCEPTION_MEMORY, INACTIVE_TRAP);
}

int wt_engine_tell_runtime(struct wt_engine *engine, uint32_t id, uint64_t exceptions)
{
	struct wt_engine_queue *queue = wt_engine_find(engine, id);

	return queue && tell_reason(queue, exceptions) ? 0 : -EINVAL;
}

void wt_queue_fail(struct wt_engine_queue *queue, uint64_t exceptions, int64_t inactive,
		   const char *why)
{
	queue->failed = true;
	wt_engine_message(queue->view->engine, "queue %u has failed: %s", queue->id, why);
	exception_tell(queue, exceptions, inactive);
}

static struct wt_engine_queue *queue_of(const struct wt_device_wave *wave)
{
	const struct wt_device_queue *queue = wave->workgroup->dispatch->queue;

	/* The device's queue is the first of the machine's, which is the first of ours. */
	return (struct wt_engine_queue *)(uintptr_t)queue;
}

static void exception_tell_memory(struct wt_engine_queue *queue, const struct wt_device_wave *wave)
{
	const struct wt_engine_host *host = &queue->view->engine->host;
	const struct gfx_memory *memory = &queue->queue.agent->memory;
	struct wt_engine_fault fault = queue->view->fault;

	fault.agent = queue->view->agent;
	/* An access may begin in a page that is there, and fail in the next. */
	if (wave->fault.address && !fault.execute &&
	    !memory->probe(memory->opaque, wave->fault.address, ACCESS_MAX, wave->fault.write))
		fault = queue->view->fault;
	else if (wave->fault.address)
		fault.address = wave->fault.address;
	exception_tell(queue, EXCEPTION_MEMORY, INACTIVE_TRAP);
	host->fault(host->opaque, &fault);
}

void wt_engine_tell_stop(const struct wt_device_wave *wave)
{
	struct wt_engine_queue *queue = queue_of(wave);
	uint32_t reasons = wave->stop_reasons;

	if (reasons & WT_STOP_MEMORY_VIOLATION)
		exception_tell_memory(queue, wave);
	else if (reasons & WT_STOP_ADDRESS_ERROR)
		exception_tell(queue, EXCEPTION_APERTURE, INACTIVE_APERTURE);
	else if (reasons & WT_STOP_ILLEGAL_INSTRUCTION)
		exception_tell(queue, EXCEPTION_ILLEGAL, INACTIVE_ILLEGAL);
	else if (reasons & WT_STOP_ASSERT_TRAP)
		exception_tell(queue, EXCEPTION_ABORT, INACTIVE_TRAP);
	else if (reasons & math_reasons)
		exception_tell(queue, EXCEPTION_MATH, INACTIVE_TRAP);
	else
		exception_tell(queue, EXCEPTION_TRAP, INACTIVE_TRAP);
}

bool wt_engine_wave_left_local(void *opaque, struct wt_device_wave *wave)
{
	const struct wt_engine *engine = opaque;

	(void)wave;
	if (engine->local == WT_ENGINE_LOCAL_DEBUGGED)
		return !engine->debug.attached;
	return engine->local == WT_ENGINE_LOCAL_HARDWARE;
}

void wt_engine_wave_stopped(void *opaque, struct wt_device_wave *wave)
{
	const struct wt_engine *engine = opaque;

	wt_engine_enter_handler(&((struct wt_wave *)(void *)wave)->gfx);
	/* The runtime's trap handler leaves the pc behind every trap. */
	if (wave->stop_reasons & (WT_STOP_ASSERT_TRAP | WT_STOP_TRAP))
		((struct wt_wave *)(void *)wave)->gfx.pc += TRAP_SIZE;
	/* A debug trap is for a debugger: without one it does nothing. */
	if (wave->stop_reasons == WT_STOP_DEBUG_TRAP && !engine->debug.attached) {
		wt_wave_resume((struct wt_wave *)(void *)wave, false);
		return;
	}
	wt_engine_tell_stop(wave);
}
