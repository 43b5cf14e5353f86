/* SPDX-License-Identifier: MIT */
/* Accesses past a workgroup's local memory: who makes the device chooses what becomes of them. */
#ifndef WT_DRIVER_ENGINE_LOCAL_H
#define WT_DRIVER_ENGINE_LOCAL_H

/*
 * When an access to local memory that the dispatch has not asked for stops its wave, as one that is not possible. Else it is
 * as on hardware: what the unit has that the workgroup was given is its own, and behind it DS instructions read 0 and write
 * nothing.
 */
enum wt_engine_local {
	WT_ENGINE_LOCAL_DEBUGGED, /* while a debugger is attached: the default */
	WT_ENGINE_LOCAL_CHECKED,
	WT_ENGINE_LOCAL_HARDWARE,
};

#endif /* WT_DRIVER_ENGINE_LOCAL_H */
