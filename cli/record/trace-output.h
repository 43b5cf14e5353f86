/* SPDX-License-Identifier: MIT */
/* `wavetape record`: an error's beginning that all ways of recording share. */
#ifndef WT_CLI_RECORD_TRACE_OUTPUT_H
#define WT_CLI_RECORD_TRACE_OUTPUT_H

#define WT_RECORD_CANNOT_WRITE "cannot write the trace"

#endif /* WT_CLI_RECORD_TRACE_OUTPUT_H */
