/* SPDX-License-Identifier: MIT */
/*
 * What the trap handler of the gfx9 family and debuggers keep in a wave's registers: bits of status, and of the trap
 * temporaries that hold the state of a stopped wave.
 */
#ifndef WT_DEVICE_TRAP_HANDLER_H
#define WT_DEVICE_TRAP_HANDLER_H

#define WT_STATUS_PRIVILEGED (1u << 5)
#define WT_STATUS_HALT (1u << 13)
#define WT_STATUS_SKIP_EXPORT                                                                      \
	(1u << 18) /* set while a wave is stopped, from r_debug version 10 on */

#define WT_TTMP6_PACKET 0x1ffffffu /* index in the ring; in ttmp11 on gfx94x */
#define WT_TTMP6_TRAP_ID_SHIFT 25
#define WT_TTMP6_TRAP_ID (0xfu << WT_TTMP6_TRAP_ID_SHIFT)
#define WT_TTMP6_SAVED_HALT (1u << 29) /* status.halt as the program had it */
#define WT_TTMP6_STOPPED (1u << 30)
#define WT_TTMP6_NOT_SET_UP (1u << 31)	/* hardware has not written trap temporaries at launch */
#define WT_TTMP11_NUMBER 0x3fu		/* of the wave in its workgroup */
#define WT_TTMP11_PACKET_SHIFT 6	/* on gfx94x */
#define WT_TTMP11_PARKED (0xffffu << 7) /* upper bits of a parked pc; the lower ones are in ttmp7 */
#define WT_TTMP11_PARKED_SHIFT 7
#define WT_TTMP11_SET_UP (1u << 31) /* gfx94x: the trap handler has set up its temporaries */

#endif /* WT_DEVICE_TRAP_HANDLER_H */
