/* SPDX-License-Identifier: MIT */
/*
 * Notes tell `wavetape record -- PROGRAM` of its program, however many processes that has: the agent appends a letter
 * for each thing that happens to a file, which the command reads at the end.
 */
#ifndef WT_BASE_AGENT_NOTES_H
#define WT_BASE_AGENT_NOTES_H

#define WT_AGENT_NOTE_LOADED 'l'  /* the runtime loaded the agent */
#define WT_AGENT_NOTE_WATCHED 'w' /* the GPU is watched */
#define WT_AGENT_NOTE_FAULT 'f'
#define WT_AGENT_NOTE_TRACE 't' /* a trace was written */

#endif /* WT_BASE_AGENT_NOTES_H */
