/* SPDX-License-Identifier: MIT */
/* Calls and frames of a wave: stack.c follows them, stack-print.c looks names up in them. */
#ifndef WT_REPLAYER_VIEW_STACK_INTERNAL_H
#define WT_REPLAYER_VIEW_STACK_INTERNAL_H

#include "replayer/dwarf/scope.h"
#include "replayer/view/explain-arguments.h"
#include "replayer/view/stack.h"
#include "replayer/view/wave-machine.h"

/* Calls that are followed, and frames with inlined ones. */
#define MAX_CALLS 256
#define MAX_FRAMES 1024

/* A code object, as far as stacks need it; kept, since names that were handed out point into it. */
struct program {
	struct wt_view_code code;
	uint64_t code_object;
	struct wt_source *source; /* NULL if the image was not recorded or is no ELF file */
	/* Effects of functions on registers up to a pc, which are the same for all waves that are there. */
	struct kept {
		uint64_t low, pc, lookup; /* of the function, and in it */
		uint64_t called;	  /* the function that it is calling; else 0 */
		struct wt_dwarf_kept *kept;
		struct wt_dwarf_rules *rules;
	} * kept;
	size_t kept_count;
};

struct wt_stacks {
	struct wt_view *view;
	struct program **programs;
	size_t count;
	const struct gfx_architecture *architecture; /* that `disassembler` is for */
	struct wt_disassembler *disassembler;
	bool has_none; /* and none is to be made */
};

/* A function that was really called. */
struct physical {
	struct wt_dwarf_frame frame;
	struct wt_dwarf_scopes scopes;
	struct program *program;
};

/* A function as users see it. */
struct logical {
	struct wt_stack_frame frame;
	struct wt_dwarf_function function;
	struct physical *physical;
	struct wt_dwarf_variable *variables;
	struct wt_dwarf_trust *trusts; /* of each of them */
	size_t variable_count;
	bool has_function, has_variables;
};

struct wt_stack {
	struct wt_stacks *stacks;
	struct wt_view_machine machine;
	uint64_t lanes;
	uint64_t entry; /* of the kernel, in memory; 0 if not known */
	struct physical *calls[MAX_CALLS];
	size_t call_count;
	struct logical *frames;
	size_t frame_count;
	const char *end;
	/* The kernel's, found when they are first asked for. */
	struct wt_explain_arguments arguments;
	bool has_arguments;
};

#endif /* WT_REPLAYER_VIEW_STACK_INTERNAL_H */
