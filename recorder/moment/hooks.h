/* SPDX-License-Identifier: MIT */
/*
 * Hooks of the generated wrappers, beside the journal: in calls that make a moment, and in calls whose outcome the
 * state has to hold. The lock is held; none of them changes what the client gets.
 *
 * A `before` hook runs before the begin of the call is written to the journal, an `after` hook after its end.
 */
#ifndef WT_RECORDER_MOMENT_HOOKS_H
#define WT_RECORDER_MOMENT_HOOKS_H

#include "recorder/recording/call.h"
#include "recorder/recording/query-value.h"

/* Moments (moment.c). */
void wt_after_initialize(struct wt_call *call, amd_dbgapi_status_t status,
			 const amd_dbgapi_callbacks_t *callbacks);
void wt_before_finalize(struct wt_call *call);
void wt_after_finalize(struct wt_call *call, amd_dbgapi_status_t status);
void wt_after_process_attach(struct wt_call *call, amd_dbgapi_status_t status,
			     amd_dbgapi_client_process_id_t client_process_id,
			     const amd_dbgapi_process_id_t *process_id);
/* There are events of which no moment tells yet. */
void wt_inspection_of_events(struct wt_call *call);
/**
 * Before any call that inspects what a running program changes. With normal progress the program runs on between one
 * event and the next, so that what the client sees of it now may be in no later state: it gets a moment of its own.
 */
static inline void wt_before_inspection(struct wt_call *call)
{
	if (__builtin_expect(wt_session_runs_on(&call->recorder->session), 0))
		wt_inspection_of_events(call);
}

void wt_before_process_detach(struct wt_call *call, amd_dbgapi_process_id_t process_id);
void wt_after_process_detach(struct wt_call *call, amd_dbgapi_status_t status,
			     amd_dbgapi_process_id_t process_id);
void wt_before_process_set_progress(struct wt_call *call, amd_dbgapi_process_id_t process_id,
				    amd_dbgapi_progress_t progress);
void wt_after_process_set_progress(struct wt_call *call, amd_dbgapi_status_t status,
				   amd_dbgapi_process_id_t process_id,
				   amd_dbgapi_progress_t progress);
void wt_before_process_set_wave_creation(struct wt_call *call, amd_dbgapi_process_id_t process_id,
					 amd_dbgapi_wave_creation_t creation);
void wt_after_process_set_wave_creation(struct wt_call *call, amd_dbgapi_status_t status,
					amd_dbgapi_process_id_t process_id,
					amd_dbgapi_wave_creation_t creation);
void wt_after_process_next_pending_event(struct wt_call *call, amd_dbgapi_status_t status,
					 amd_dbgapi_process_id_t process_id,
					 const amd_dbgapi_event_id_t *event_id,
					 const amd_dbgapi_event_kind_t *kind);
void wt_before_event_processed(struct wt_call *call, amd_dbgapi_event_id_t event_id);
void wt_after_event_processed(struct wt_call *call, amd_dbgapi_status_t status,
			      amd_dbgapi_event_id_t event_id);
void wt_before_wave_resume(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
			   amd_dbgapi_resume_mode_t resume_mode,
			   amd_dbgapi_exceptions_t exceptions);
void wt_after_wave_resume(struct wt_call *call, amd_dbgapi_status_t status,
			  amd_dbgapi_wave_id_t wave_id, amd_dbgapi_resume_mode_t resume_mode,
			  amd_dbgapi_exceptions_t exceptions);
void wt_after_wave_stop(struct wt_call *call, amd_dbgapi_status_t status,
			amd_dbgapi_wave_id_t wave_id);

void wt_after_report_breakpoint_hit(struct wt_call *call, amd_dbgapi_status_t status,
				    amd_dbgapi_breakpoint_id_t breakpoint_id,
				    amd_dbgapi_client_thread_id_t client_thread_id,
				    const amd_dbgapi_breakpoint_action_t *action);

/* These learn from the call what it shows of the state (late-*.c). */
/** @needs_stopped: whether the function needs a stopped wave. Of any other it is called where there is no such wave. */
void wt_after_wave_call(struct wt_call *call, amd_dbgapi_status_t status, bool needs_stopped,
			amd_dbgapi_wave_id_t wave_id);
/* A wave's answers may be the client's own doing. */
void wt_learn_wave_info(struct wt_call *call, amd_dbgapi_status_t status, uint64_t wave,
			const struct wt_value_query *query, const struct wt_value *answer);
/* Learns the answer of any other object. */
void wt_learn_object_info(struct wt_call *call, amd_dbgapi_status_t status, enum wt_object object,
			  uint64_t handle, const struct wt_value_query *query,
			  const struct wt_value *answer);
/** @object: of those that come, change and go; the others are facts. */
static inline void wt_after_get_info(struct wt_call *call, amd_dbgapi_status_t status,
				     enum wt_object object, uint64_t handle,
				     const struct wt_value_query *query,
				     const struct wt_value *answer)
{
	if (object == WT_OBJECT_WAVE)
		wt_learn_wave_info(call, status, handle, query, answer);
	else
		wt_learn_object_info(call, status, object, handle, query, answer);
}
/** @handles: NULL if the client got none. */
void wt_after_list(struct wt_call *call, amd_dbgapi_status_t status, enum wt_object object,
		   amd_dbgapi_process_id_t process_id, const size_t *count, const uint64_t *handles,
		   const amd_dbgapi_changed_t *changed);
void wt_after_queue_packet_list(struct wt_call *call, amd_dbgapi_status_t status,
				amd_dbgapi_queue_id_t queue_id,
				const amd_dbgapi_os_queue_packet_id_t *read_packet_id,
				const amd_dbgapi_os_queue_packet_id_t *write_packet_id,
				const amd_dbgapi_size_t *packets_byte_size,
				void *const *packets_bytes);
void wt_after_wave_register_list(struct wt_call *call, amd_dbgapi_status_t status,
				 amd_dbgapi_wave_id_t wave_id, const size_t *register_count,
				 amd_dbgapi_register_id_t *const *registers);
void wt_after_read_register(struct wt_call *call, amd_dbgapi_status_t status,
			    amd_dbgapi_wave_id_t wave_id, amd_dbgapi_register_id_t register_id,
			    amd_dbgapi_size_t offset, amd_dbgapi_size_t value_size,
			    const void *value);
void wt_before_write_register(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
			      amd_dbgapi_register_id_t register_id, amd_dbgapi_size_t offset,
			      amd_dbgapi_size_t value_size, const void *value);
void wt_after_read_memory(struct wt_call *call, amd_dbgapi_status_t status,
			  amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			  amd_dbgapi_lane_id_t lane_id,
			  amd_dbgapi_address_space_id_t address_space_id,
			  amd_dbgapi_segment_address_t segment_address,
			  const amd_dbgapi_size_t *value_size, const void *value);
void wt_before_write_memory(struct wt_call *call, amd_dbgapi_process_id_t process_id,
			    amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
			    amd_dbgapi_address_space_id_t address_space_id,
			    amd_dbgapi_segment_address_t segment_address,
			    const amd_dbgapi_size_t *value_size, const void *value);
void wt_after_set_memory_precision(struct wt_call *call, amd_dbgapi_status_t status,
				   amd_dbgapi_process_id_t process_id,
				   amd_dbgapi_memory_precision_t memory_precision);
void wt_after_set_alu_exceptions_precision(
	struct wt_call *call, amd_dbgapi_status_t status, amd_dbgapi_process_id_t process_id,
	amd_dbgapi_alu_exceptions_precision_t alu_exceptions_precision);
void wt_after_set_watchpoint(struct wt_call *call, amd_dbgapi_status_t status,
			     amd_dbgapi_process_id_t process_id,
			     amd_dbgapi_global_address_t address, amd_dbgapi_size_t size,
			     amd_dbgapi_watchpoint_kind_t kind,
			     const amd_dbgapi_watchpoint_id_t *watchpoint_id);
void wt_after_remove_watchpoint(struct wt_call *call, amd_dbgapi_status_t status,
				amd_dbgapi_watchpoint_id_t watchpoint_id);
void wt_after_set_watchpoint_0_54(struct wt_call *call, amd_dbgapi_status_t status,
				  amd_dbgapi_process_id_t process_id,
				  amd_dbgapi_global_address_t address, amd_dbgapi_size_t size,
				  amd_dbgapi_watchpoint_kind_t kind,
				  const amd_dbgapi_watchpoint_id_t *watchpoint_id,
				  const amd_dbgapi_global_address_t *watchpoint_address,
				  const amd_dbgapi_size_t *watchpoint_size);
void wt_after_remove_watchpoint_0_54(struct wt_call *call, amd_dbgapi_status_t status,
				     amd_dbgapi_process_id_t process_id,
				     amd_dbgapi_watchpoint_id_t watchpoint_id);
void wt_before_displaced_stepping_start(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
					const void *saved_instruction_bytes,
					const amd_dbgapi_displaced_stepping_id_t *stepping);
void wt_before_displaced_stepping_complete(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
					   amd_dbgapi_displaced_stepping_id_t displaced_stepping);
void wt_after_displaced_stepping_start(
	struct wt_call *call, amd_dbgapi_status_t status, amd_dbgapi_wave_id_t wave_id,
	const void *saved_instruction_bytes,
	const amd_dbgapi_displaced_stepping_id_t *displaced_stepping);
void wt_after_displaced_stepping_complete(struct wt_call *call, amd_dbgapi_status_t status,
					  amd_dbgapi_wave_id_t wave_id,
					  amd_dbgapi_displaced_stepping_id_t displaced_stepping);

/* Architectures (facts.c). */
void wt_after_get_architecture(struct wt_call *call, amd_dbgapi_status_t status,
			       uint32_t elf_amdgpu_machine,
			       const amd_dbgapi_architecture_id_t *architecture_id);
void wt_after_dwarf_register_to_register(struct wt_call *call, amd_dbgapi_status_t status,
					 amd_dbgapi_architecture_id_t architecture_id,
					 uint64_t dwarf_register,
					 const amd_dbgapi_register_id_t *register_id);
void wt_after_dwarf_address_class_to_address_class(
	struct wt_call *call, amd_dbgapi_status_t status,
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_address_class,
	const amd_dbgapi_address_class_id_t *address_class_id);
void wt_after_dwarf_address_space_to_address_space(
	struct wt_call *call, amd_dbgapi_status_t status,
	amd_dbgapi_architecture_id_t architecture_id, uint64_t dwarf_address_space,
	const amd_dbgapi_address_space_id_t *address_space_id);

/** The saved instruction bytes of a displaced step, as long as the wave's breakpoint instruction. */
struct wt_value wt_value_saved_instruction(struct wt_call *call, amd_dbgapi_wave_id_t wave_id,
					   const void *bytes);

#endif /* WT_RECORDER_MOMENT_HOOKS_H */
