/* SPDX-License-Identifier: MIT */
/*
 * For check-operand.py.
 *
 * operand-tool TARGET KIND print: the texts of all values, one a line.
 * operand-tool TARGET KIND parse: for each line of the input its value, or "error"; as LLVM would.
 * The exit code is 3 if the target does not have the operand.
 */
#include <stdio.h>
#include <string.h>

#include "gfx/operand/operand.h"

static void print_all(const struct gfx_operand_target *target, enum gfx_operand_kind kind)
{
	char text[GFX_OPERAND_TEXT];

	for (uint32_t value = 0; value <= UINT16_MAX; value++) {
		gfx_operand_print(target, kind, (uint16_t)value, false, text, sizeof(text));
		puts(text);
	}
}

static void parse_all(const struct gfx_operand_target *target, enum gfx_operand_kind kind)
{
	struct gfx_operand_report report;
	char line[4096];
	uint16_t value;

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (gfx_operand_parse(target, kind, line, true, &value, &report))
			printf("%u\n", (unsigned int)value);
		else
			puts("error");
	}
}

int main(int argc, char **argv)
{
	const struct gfx_operand_target *target;
	enum gfx_operand_kind kind;

	if (argc != 4 || !gfx_operand_kind_by_name(argv[2], &kind))
		return 2;
	target = gfx_operand_target_by_name(argv[1]);
	if (!target)
		return 2;
	if (!gfx_operand_exists(target, kind))
		return 3;
	if (!strcmp(argv[3], "print"))
		print_all(target, kind);
	else
		parse_all(target, kind);
	return 0;
}
