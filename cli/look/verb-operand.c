/* SPDX-License-Identifier: MIT */
/* `wavetape operand`: a 16-bit instruction operand as LLVM writes it, and back. */
#include <string.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "gfx/operand/operand.h"

struct options {
	const struct gfx_operand_target *target;
	enum gfx_operand_kind kind;
	const char *operand; /* a number, or text */
	unsigned int argument_count;
	bool json, exact, follow_llvm;
};

/* All targets, for the error of someone who named none of them. */
static const char *list_targets(char *buffer, size_t size)
{
	const struct gfx_operand_target *target;
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; used < size && (target = gfx_operand_target_at(i)); i++)
		used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? " " : "",
					 target->name);
	return buffer;
}

static void parse_target(struct options *options, const char *name, struct argp_state *state)
{
	char known[1024];

	options->target = gfx_operand_target_by_name(name);
	if (!options->target)
		argp_error(state, "no such target: %s; there are: %s", name,
			   list_targets(known, sizeof(known)));
}

static void check_options(const struct options *options, struct argp_state *state)
{
	if (options->argument_count < 2)
		argp_error(state, "name the operand and its value or its text");
	if (!options->target)
		argp_error(state, "for which processor? Name it with --target");
	else if (!gfx_operand_exists(options->target, options->kind))
		argp_error(state, "%s has no %s", options->target->name,
			   gfx_operand_kind_name(options->kind));
}

static error_t operand_parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 't':
		parse_target(options, argument, state);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case 'e':
		options->exact = true;
		return 0;
	case 'l':
		options->follow_llvm = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->argument_count == 2)
			return ARGP_ERR_UNKNOWN;
		if (options->argument_count++)
			options->operand = argument;
		else if (!gfx_operand_kind_by_name(argument, &options->kind))
			argp_error(state,
				   "no such operand: %s; there are waitcnt, sendmsg, hwreg, depctr "
				   "and delay_alu",
				   argument);
		return 0;
	case ARGP_KEY_END:
		check_options(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int show_json(const struct options *options, uint16_t value, const char *remark)
{
	char text[GFX_OPERAND_TEXT];
	uint16_t hidden = gfx_operand_hidden_bits(options->target, options->kind, value);

	gfx_operand_print(options->target, options->kind, value, options->exact, text,
			  sizeof(text));
	return wt_cli_json(NULL, 0,
			   json_pack("{s:s, s:s, s:i, s:s, s:i, s:s*}", "target",
				     options->target->name, "operand",
				     gfx_operand_kind_name(options->kind), "value", (int)value,
				     "text", text, "not_shown", (int)hidden, "remark",
				     *remark ? remark : NULL));
}

/* A number: what it means. */
static int operand_show_text(const struct options *options, uint64_t number)
{
	char text[GFX_OPERAND_TEXT];

	if (number > UINT16_MAX)
		return wt_cli_fail(wt_error_create(
			WT_ERROR_INPUT, "not an operand", options->operand,
			"it does not fit in 16 bits; an operand is from 0 to 65535"));
	if (options->json)
		return show_json(options, (uint16_t)number, "");
	gfx_operand_print(options->target, options->kind, (uint16_t)number, options->exact, text,
			  sizeof(text));
	puts(text);
	return WT_EXIT_FINE;
}

/* A text: its number. */
static int show_value(const struct options *options)
{
	struct gfx_operand_report report;
	uint16_t value;

	if (!gfx_operand_parse(options->target, options->kind, options->operand,
			       options->follow_llvm, &value, &report))
		return wt_cli_fail(wt_error_create(WT_ERROR_INPUT, "not an operand",
						   options->operand, "at character %zu: %s",
						   report.position + 1, report.text));
	if (report.text[0])
		fprintf(stderr, "wavetape: doubtful: %s: at character %zu: %s\n", options->operand,
			report.position + 1, report.text);
	if (options->json)
		return show_json(options, value, report.text);
	printf("0x%04x\n", value);
	return WT_EXIT_FINE;
}

int wt_command_operand(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"target", 't', "PROCESSOR", 0, "as LLVM names it: gfx942, gfx1100; always needed",
		 0},
		{"exact", 'e', NULL, 0,
		 "say with the text which bits of the value it does not show, as LLVM does not", 0},
		{"follow-llvm", 'l', NULL, 0,
		 "accept what LLVM's assembler cuts or ORs together without a word; it is reported",
		 0},
		WT_CLI_JSON_OPTION,
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = operand_parse_option,
		.args_doc = "OPERAND VALUE|TEXT",
		.doc = "Translate the 16-bit operand of an instruction: a number to LLVM's text, "
		       "anything "
		       "else to its number. OPERAND is waitcnt (of s_waitcnt), sendmsg "
		       "(s_sendmsg), "
		       "hwreg (s_getreg, s_setreg), depctr (s_waitcnt_depctr, s_wait_alu) or "
		       "delay_alu "
		       "(s_delay_alu).\v"
		       "Examples:\n"
		       "  wavetape operand --target gfx942 waitcnt 0x0f70\n"
		       "  wavetape operand --target gfx1100 waitcnt 'vmcnt(0) lgkmcnt(3)'",
	};
	struct options options = {0};
	uint64_t number;

	wt_cli_parse(&argp, argc, argv, &options);
	if (wt_cli_number(options.operand, &number))
		return operand_show_text(&options, number);
	return show_value(&options);
}
