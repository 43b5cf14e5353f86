/* SPDX-License-Identifier: MIT */
/* The verbs of `wavetape`, one in each file, and the exit codes that all of them use. */
#ifndef WT_CLI_COMMAND_H
#define WT_CLI_COMMAND_H

enum wt_exit {
	WT_EXIT_FINE = 0,
	WT_EXIT_FAILED = 1, /* it failed, or did not compare equal */
	WT_EXIT_USAGE = 2,
	WT_EXIT_PARTIAL = 3, /* something is lost or damaged, and a message names it */
};

/* Each runs a verb and returns the exit code. argv[0] is "wavetape VERB". */
int wt_command_record(int argc, char **argv);
int wt_command_replay(int argc, char **argv);
int wt_command_replays(int argc, char **argv);
int wt_command_goto(int argc, char **argv);
int wt_command_next(int argc, char **argv);
int wt_command_previous(int argc, char **argv);
int wt_command_browse(int argc, char **argv);
int wt_command_host(int argc, char **argv);
int wt_command_info(int argc, char **argv);
int wt_command_stops(int argc, char **argv);
int wt_command_explain(int argc, char **argv);
int wt_command_waves(int argc, char **argv);
int wt_command_way(int argc, char **argv);
int wt_command_what_if(int argc, char **argv);
int wt_command_registers(int argc, char **argv);
int wt_command_memory(int argc, char **argv);
int wt_command_backtrace(int argc, char **argv);
int wt_command_locals(int argc, char **argv);
int wt_command_print(int argc, char **argv);
int wt_command_disassemble(int argc, char **argv);
int wt_command_code_objects(int argc, char **argv);
int wt_command_journal(int argc, char **argv);
int wt_command_report(int argc, char **argv);
int wt_command_diff(int argc, char **argv);
int wt_command_export(int argc, char **argv);
int wt_command_verify(int argc, char **argv);
int wt_command_check(int argc, char **argv);
int wt_command_recover(int argc, char **argv);
int wt_command_repack(int argc, char **argv);
int wt_command_trim(int argc, char **argv);
int wt_command_dap(int argc, char **argv);
int wt_command_mcp(int argc, char **argv);
int wt_command_device(int argc, char **argv);
int wt_command_simulate(int argc, char **argv);
int wt_command_snapshot(int argc, char **argv);
int wt_command_triage(int argc, char **argv);
int wt_command_doctor(int argc, char **argv);
int wt_command_operand(int argc, char **argv);

#endif /* WT_CLI_COMMAND_H */
