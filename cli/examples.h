/* SPDX-License-Identifier: MIT */
/* Command lines that show what a verb is for. */
#ifndef WT_CLI_EXAMPLES_H
#define WT_CLI_EXAMPLES_H

/** Lines of examples of a verb, "wavetape info"; NULL if its own text has some. */
const char *wt_cli_examples(const char *verb);

#endif /* WT_CLI_EXAMPLES_H */
