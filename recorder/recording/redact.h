/* SPDX-License-Identifier: MIT */
/* Leaves the program's memory out of the journal: of its bytes a value then says only that there were some. */
#ifndef WT_RECORDER_RECORDING_REDACT_H
#define WT_RECORDER_RECORDING_REDACT_H

#include "recorder/recording/recorder.h"
#include "recorder/recording/value.h"

/* No function has more values of one direction. */
#define WT_REDACT_VALUES 16u

/** Does a function carry memory of the program, or what follows from it, such as its disassembly? */
static inline bool wt_redact_function(enum wt_function function)
{
	switch ((int)function) {
	case WT_FUNCTION_READ_MEMORY:
	case WT_FUNCTION_WRITE_MEMORY:
	case WT_FUNCTION_QUEUE_PACKET_LIST:
	case WT_FUNCTION_DISASSEMBLE_INSTRUCTION:
	case WT_FUNCTION_CLASSIFY_INSTRUCTION:
		return true;
	default:
		return false;
	}
}

/**
 * The values to write: those given, or, in a redacted trace, a copy in @store without bytes.
 *
 * @carries: whether they may hold memory of the program.
 */
const struct wt_value *wt_redact(const struct wt_recorder *recorder, bool carries,
				 const struct wt_value *values, size_t count,
				 struct wt_value store[WT_REDACT_VALUES]);

#endif /* WT_RECORDER_RECORDING_REDACT_H */
