/* SPDX-License-Identifier: MIT */
/* Packets as fields of message Trace. The numbers of their own fields are generated from trace.proto. */
#ifndef WT_TRACE_FORMAT_MESSAGE_PACKET_H
#define WT_TRACE_FORMAT_MESSAGE_PACKET_H

#include <stdint.h>

#include "trace-format/fields.h"

#define WT_TRACE_PACKET_TAG (WT_FIELD_TRACE_PACKET << 3 | 2)
#define WT_VARINT_MAX 10u /* bytes of the longest varint */
#define WT_PACKET_FIELDS                                                                           \
	32u /* numbers of bodies, also in later versions, are below this; other fields are not */

/** The bit of a packet in the contents of its chunk. @field: of message Packet; 0: the packet has no body. */
static inline uint32_t wt_packet_content(uint32_t field)
{
	return field ? UINT32_C(1) << field : 0;
}

#endif /* WT_TRACE_FORMAT_MESSAGE_PACKET_H */
