/* SPDX-License-Identifier: MIT */
/* Leaves the program's memory out of the journal: of its bytes a value then says only that there were some. */
#ifndef WT_RECORDER_RECORDING_REDACT_H
#define WT_RECORDER_RECORDING_REDACT_H

#include "recorder/recording/journal-value.h"
#include "recorder/recording/recorder.h"

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

/** The form in which a value that may hold memory of the program is written: without its bytes in a redacted trace. */
static inline struct wt_value wt_redact_value(const struct wt_recorder *recorder,
					      struct wt_value value)
{
	return value.form == WT_VALUE_DATA && recorder->options.policy.redact
		       ? wt_value_present(true)
		       : value;
}

#endif /* WT_RECORDER_RECORDING_REDACT_H */
