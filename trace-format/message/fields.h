/* SPDX-License-Identifier: MIT */
/*
 * Field numbers of trace.proto, for the encoder. A unit test holds them against the generated code.
 */
#ifndef WT_TRACE_FORMAT_MESSAGE_FIELDS_H
#define WT_TRACE_FORMAT_MESSAGE_FIELDS_H

#include <stdint.h>

#define WT_TRACE_PACKET_TAG (1u << 3 | 2) /* of Trace.packet */

/* The fields of message Packet, as trace.proto numbers them; 0: it has no body. */
#define WT_PACKET_FIELDS                                                                           \
	32u /* bodies, also those of later versions, are below; other fields from here on */
enum wt_packet_field {
	WT_PACKET_HEADER = 1,
	WT_PACKET_NAMES,
	WT_PACKET_BLOB,
	WT_PACKET_CALL_BEGIN,
	WT_PACKET_CALLBACK,
	WT_PACKET_CALL_END,
	WT_PACKET_FACTS,
	WT_PACKET_MOMENT,
	WT_PACKET_LATE,
	WT_PACKET_NOTICE,
	WT_PACKET_END,
};

/** The bit of a packet in the contents of its chunk. */
static inline uint32_t wt_packet_content(uint32_t field)
{
	return field ? UINT32_C(1) << field : 0;
}

enum wt_field_header {
	WT_HEADER_RECORDER = 1,
	WT_HEADER_API_LEVEL,
	WT_HEADER_LIBRARY_VERSION,
	WT_HEADER_LIBRARY_BUILD_NAME,
	WT_HEADER_START_TIME,
	WT_HEADER_REPRODUCIBLE,
	WT_HEADER_COMMAND_LINE,
	WT_HEADER_PROCESS_ID,
	WT_HEADER_PART,
	WT_HEADER_OPTIONS,
	WT_HEADER_REDACTED,
};

enum wt_field_part { WT_PART_STOPS_BEFORE = 1, WT_PART_CALLS_BEFORE };

enum wt_field_names { WT_NAMES_FIRST = 1, WT_NAMES_TEXT };

enum wt_field_blob { WT_BLOB_KEY = 1, WT_BLOB_ENCODING, WT_BLOB_DATA };
enum wt_blob_encoding { WT_BLOB_PLAIN, WT_BLOB_PLANES4, WT_BLOB_DELTAS4 };

enum wt_field_value { WT_VALUE_FIELD_NUMBER = 1, WT_VALUE_FIELD_DATA, WT_VALUE_FIELD_PRESENT };

enum wt_field_call_begin {
	WT_BEGIN_NUMBER = 1,
	WT_BEGIN_FUNCTION,
	WT_BEGIN_THREAD,
	WT_BEGIN_START,
	WT_BEGIN_INPUT,
};

enum wt_field_callback {
	WT_CALLBACK_CALL = 1,
	WT_CALLBACK_FUNCTION,
	WT_CALLBACK_INPUT,
	WT_CALLBACK_RESULT,
	WT_CALLBACK_OUTPUT,
};

enum wt_field_call_end { WT_END_NUMBER = 1, WT_END_STATUS, WT_END_DURATION, WT_END_OUTPUT };

enum wt_field_item {
	WT_ITEM_TYPE = 1,
	WT_ITEM_KIND,
	WT_ITEM_OWNER,
	WT_ITEM_ADDRESS,
	WT_ITEM_REMOVED,
	WT_ITEM_STATUS,
	WT_ITEM_ANSWER,
	WT_ITEM_HANDLE,
	WT_ITEM_BLOB,
	WT_ITEM_SIZE,
	WT_ITEM_PATCH,
	WT_ITEM_NUMBER,
	WT_ITEM_MORE_BLOB,
	WT_ITEM_HANDLE_BLOB,
	WT_ITEM_KEEP,
};

enum wt_field_answer { WT_ANSWER_QUERY = 1, WT_ANSWER_STATUS, WT_ANSWER_VALUE };
enum wt_field_patch { WT_PATCH_OFFSET = 1, WT_PATCH_DATA, WT_PATCH_ENCODING };
enum wt_field_facts { WT_FACTS_ITEM = 1 };
enum wt_field_event { WT_EVENT_HANDLE = 1, WT_EVENT_KIND, WT_EVENT_ANSWER };

enum wt_field_moment {
	WT_MOMENT_NUMBER = 1,
	WT_MOMENT_PROCESS,
	WT_MOMENT_CAUSE,
	WT_MOMENT_CALL,
	WT_MOMENT_TIME,
	WT_MOMENT_KEYFRAME,
	WT_MOMENT_EVENT,
	WT_MOMENT_AFTER_RESUME,
	WT_MOMENT_STOP_REQUESTED,
	WT_MOMENT_LOG,
	WT_MOMENT_ITEM,
	WT_MOMENT_FUNCTION,
};

enum wt_field_log { WT_LOG_LEVEL = 1, WT_LOG_TEXT, WT_LOG_EVENT };
enum wt_field_late { WT_LATE_MOMENT = 1, WT_LATE_ITEM };
enum wt_field_notice {
	WT_NOTICE_FIELD_KIND = 1,
	WT_NOTICE_FIELD_TEXT,
	WT_NOTICE_FIELD_CALL,
	WT_NOTICE_FIELD_HOST,
};

enum wt_field_host {
	WT_HOST_VERSION = 1,
	WT_HOST_PROCESS_ID,
	WT_HOST_EXECUTABLE,
	WT_HOST_COMMAND_LINE,
	WT_HOST_MAP,
	WT_HOST_THREAD,
	WT_HOST_ENVIRONMENT,
	WT_HOST_MISSING,
	WT_HOST_TIME,
};

enum wt_field_host_version { WT_HOST_VERSION_OF = 1, WT_HOST_VERSION_TEXT };

enum wt_field_host_map {
	WT_HOST_MAP_START = 1,
	WT_HOST_MAP_END,
	WT_HOST_MAP_OFFSET,
	WT_HOST_MAP_ACCESS,
	WT_HOST_MAP_PATH,
	WT_HOST_MAP_BUILD_ID,
};

enum wt_field_host_thread {
	WT_HOST_THREAD_ID = 1,
	WT_HOST_THREAD_NAME,
	WT_HOST_THREAD_STATE,
	WT_HOST_THREAD_WAITING,
	WT_HOST_THREAD_FRAME,
};

enum wt_field_host_frame {
	WT_HOST_FRAME_ADDRESS = 1,
	WT_HOST_FRAME_SYMBOL,
	WT_HOST_FRAME_SYMBOL_OFFSET,
	WT_HOST_FRAME_PATH,
};

enum wt_field_host_variable {
	WT_HOST_VARIABLE_NAME = 1,
	WT_HOST_VARIABLE_VALUE,
	WT_HOST_VARIABLE_WITH_VALUE,
};

enum wt_field_end {
	WT_END_PACKETS = 1,
	WT_END_MOMENTS,
	WT_END_CALLS,
	WT_END_REASON,
};

#endif /* WT_TRACE_FORMAT_MESSAGE_FIELDS_H */
