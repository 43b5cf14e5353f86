/* SPDX-License-Identifier: MIT */
#include "cli/examples.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *verb, *lines;
} examples[] = {
	{"wavetape record", "  wavetape record -o crash.wtape -- rocgdb ./program\n"
			    "  wavetape record -o crash.wtape --workload oob-store.json\n"},
	{"wavetape snapshot", "  wavetape snapshot 4711\n"},
	{"wavetape replay", "  wavetape replay crash.wtape -- gdb\n"},
	{"wavetape replays", "  wavetape replays\n"},
	{"wavetape goto", "  wavetape goto 3\n"},
	{"wavetape next", "  wavetape next\n"},
	{"wavetape previous", "  wavetape previous\n"},
	{"wavetape info", "  wavetape info crash.wtape\n"
			  "  wavetape info crash.wtape --source-map /build=src\n"},
	{"wavetape browse", "  wavetape browse crash.wtape\n"},
	{"wavetape triage", "  wavetape triage traces/*.wtape\n"},
	{"wavetape host", "  wavetape host crash.wtape\n"
			  "  wavetape host crash.wtape --all\n"},
	{"wavetape stops", "  wavetape stops crash.wtape\n"},
	{"wavetape waves", "  wavetape waves crash.wtape --stop 2\n"},
	{"wavetape explain", "  wavetape explain crash.wtape\n"
			     "  wavetape explain crash.wtape --wave 3 --lane 61 --all\n"},
	{"wavetape memory", "  wavetape memory crash.wtape\n"
			    "  wavetape memory crash.wtape 0x210000000000 64\n"},
	{"wavetape backtrace", "  wavetape backtrace crash.wtape\n"
			       "  wavetape backtrace crash.wtape --all\n"},
	{"wavetape locals", "  wavetape locals crash.wtape --frame 1 --lane 3\n"},
	{"wavetape what-if", "  wavetape what-if crash.wtape --set v3=0\n"
			     "  wavetape what-if crash.wtape --lane 5 --set i=12 --seed 7\n"},
	{"wavetape disassemble", "  wavetape disassemble crash.wtape\n"
				 "  wavetape disassemble crash.wtape --kernel oob_store\n"},
	{"wavetape code-objects", "  wavetape code-objects crash.wtape\n"
				  "  wavetape code-objects crash.wtape --extract 1 -o kernel.co\n"},
	{"wavetape journal", "  wavetape journal crash.wtape --function wave --to 100\n"},
	{"wavetape report", "  wavetape report crash.wtape -o crash.html\n"},
	{"wavetape diff", "  wavetape diff good.wtape bad.wtape\n"
			  "  wavetape diff crash.wtape --stop 1 --stop 2\n"},
	{"wavetape verify", "  wavetape verify crash.wtape\n"},
	{"wavetape check", "  wavetape check crash.wtape\n"},
	{"wavetape recover", "  wavetape recover broken.wtape -o whole.wtape\n"},
	{"wavetape repack", "  wavetape repack crash.wtape -o small.wtape\n"},
	{"wavetape trim", "  wavetape trim long.wtape --stops 3..5 -o short.wtape\n"},
	{"wavetape device", "  wavetape device -- ./program\n"},
	{"wavetape dap", "  wavetape dap crash.wtape\n"
			 "  wavetape dap --port 4711 crash.wtape\n"},
	{"wavetape mcp", "  wavetape mcp\n"},
	{"wavetape simulate", "  wavetape simulate workload.json --save out=out.bin\n"},
};

const char *wt_cli_examples(const char *verb)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++)
		if (!strcmp(examples[i].verb, verb))
			return examples[i].lines;
	return NULL;
}
