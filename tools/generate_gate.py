# SPDX-License-Identifier: MIT
"""The gate's entries: one for each function at each symbol version, which goes on to where the function is in another library.

An entry does not know what its function takes and gives: it leaves all registers and the stack as they are. So it is assembly, and
of two lines: a jump by a table, and where the table leads before the library is there.
"""

from generate_versions import HEAD, older_functions

# What an entry jumps to first saves what arguments are passed in: none of the API is a floating-point number.
MACHINES = """
#if defined(__x86_64__)
#define ENTRY(number, symbol)                                                                      \\
	__asm__(".text\\n.p2align 4\\n.globl wt_gate_entry_" #number "\\n"                                                             \\
		".type wt_gate_entry_" #number ", @function\\n"                                     \\
		"wt_gate_entry_" #number ":\\n\\tendbr64\\n"                                         \\
		"\\tjmp *wt_gate_functions+8*" #number "(%rip)\\n"                                   \\
		".size wt_gate_entry_" #number ", . - wt_gate_entry_" #number "\\n"                 \\
		"wt_gate_first_" #number ":\\n\\tpushq $" #number "\\n\\tjmp wt_gate_first\\n"         \\
		".symver wt_gate_entry_" #number ", " symbol "\\n")
__asm__(".text\\nwt_gate_first:\\n"
	"\\tpushq %rdi\\n\\tpushq %rsi\\n\\tpushq %rdx\\n\\tpushq %rcx\\n\\tpushq %r8\\n\\tpushq %r9\\n"
	"\\tmovq 48(%rsp), %rdi\\n\\tcall wt_gate_find\\n"
	"\\tpopq %r9\\n\\tpopq %r8\\n\\tpopq %rcx\\n\\tpopq %rdx\\n\\tpopq %rsi\\n\\tpopq %rdi\\n"
	"\\taddq $8, %rsp\\n\\tjmp *%rax\\n");
#elif defined(__aarch64__)
#define ENTRY(number, symbol)                                                                      \\
	__asm__(".text\\n.p2align 4\\n.globl wt_gate_entry_" #number "\\n"                                                             \\
		".type wt_gate_entry_" #number ", %function\\n"                                     \\
		"wt_gate_entry_" #number ":\\n\\thint #34\\n"                                        \\
		"\\tadrp x16, wt_gate_functions+8*" #number "\\n"                                    \\
		"\\tldr x16, [x16, :lo12:wt_gate_functions+8*" #number "]\\n\\tbr x16\\n"             \\
		".size wt_gate_entry_" #number ", . - wt_gate_entry_" #number "\\n"                 \\
		"wt_gate_first_" #number ":\\n\\thint #36\\n\\tmov x16, #" #number "\\n"              \\
		"\\tb wt_gate_first\\n"                                                              \\
		".symver wt_gate_entry_" #number ", " symbol "\\n")
__asm__(".text\\nwt_gate_first:\\n"
	"\\tstp x29, x30, [sp, #-96]!\\n\\tmov x29, sp\\n"
	"\\tstp x0, x1, [sp, #16]\\n\\tstp x2, x3, [sp, #32]\\n\\tstp x4, x5, [sp, #48]\\n"
	"\\tstp x6, x7, [sp, #64]\\n\\tstr x8, [sp, #80]\\n"
	"\\tmov x0, x16\\n\\tbl wt_gate_find\\n\\tmov x16, x0\\n"
	"\\tldp x0, x1, [sp, #16]\\n\\tldp x2, x3, [sp, #32]\\n\\tldp x4, x5, [sp, #48]\\n"
	"\\tldp x6, x7, [sp, #64]\\n\\tldr x8, [sp, #80]\\n"
	"\\tldp x29, x30, [sp], #96\\n\\tbr x16\\n");
#endif
"""


def generate_gate(whole, older):
    """C source: entries, where they lead at first, and what they are called."""
    symbols = [(f.symbol, f.version, "@@") for f in whole.ours().functions if not f.is_older]
    symbols += [(o.function.symbol, o.version, "@") for o in older_functions(whole, of_forms=True)]
    symbols += [(f.symbol, f.version or f.versions[0], "@") for f in whole.functions if f.converted]
    symbols += [(f.name, version, "@") for f in older.functions for version in f.versions]
    lines = [HEAD, '#include "dbgapi/gate/gate.h"', MACHINES]
    lines += [f'ENTRY({i}, "{name}{at}{version}");' for i, (name, version, at) in enumerate(symbols)]
    lines.append("const struct wt_gate_symbol wt_gate_symbols[] = {")
    lines += [f'\t{{ "{name}", "{version}" }},' for name, version, _ in symbols]
    lines += ["};", f"const size_t wt_gate_count = {len(symbols)};", '__asm__(".data\\n.p2align 3\\n.globl wt_gate_functions\\n"',
              '\t".hidden wt_gate_functions\\nwt_gate_functions:\\n"']
    lines += [f'\t"\\t.quad wt_gate_first_{i}\\n"' for i in range(len(symbols))]
    return "\n".join([*lines, '\t".text\\n");']) + "\n"
