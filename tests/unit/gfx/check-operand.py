#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Symbolic operands against LLVM's assembler and disassembler, on one target.

Usage: check-operand.py OPERAND_TOOL LLVM_MC TARGET [KIND...]

Three comparisons for each operand that the target has: the text of all 65,536 values; these texts read back;
and texts that people write, rightly and wrongly, beside random ones: whether they are
accepted, and as what value. With WAVETAPE_SHARE=N every N'th value and so many fewer random texts are compared.
"""
import itertools
import os
import random
import re
import subprocess
import sys

KINDS = ("waitcnt", "sendmsg", "hwreg", "depctr", "delay_alu")
VALUES = range(65536)
SHARE = max(1, int(os.environ.get("WAVETAPE_SHARE", "1")))
NO_DISASSEMBLER = ("gfx6", "gfx7")

SOPP = {
    "waitcnt": {8: 12, 9: 12, 10: 12, 11: 9, 12: 9},
    "sendmsg": {8: 16, 9: 16, 10: 16, 11: 54, 12: 54},
    "depctr": {10: 35, 11: 8, 12: 8},
    "delay_alu": {11: 7, 12: 7},
}
SOPK_GETREG = {8: 17, 9: 17, 10: 18, 11: 17, 12: 17}


def generation(target):
    return int(target[3:-2])


def instruction(target, kind):
    if kind == "hwreg":
        return "s_getreg_b32 s2, "
    if kind == "depctr":
        return "s_wait_alu " if generation(target) >= 12 else "s_waitcnt_depctr "
    return f"s_{kind} "


def word(target, kind, value):
    if kind == "hwreg":
        return 0xB0020000 | SOPK_GETREG[generation(target)] << 23 | value
    return 0xBF800000 | SOPP[kind][generation(target)] << 16 | value


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def disassemble(llvm_mc, target, kind):
    """The operands that LLVM prints for a share of the values."""
    lines = []
    for value in VALUES[::SHARE]:
        data = word(target, kind, value).to_bytes(4, "little")
        lines.append(" ".join(f"0x{byte:02x}" for byte in data))
    result = run([llvm_mc, "-arch=amdgcn", f"-mcpu={target}", "-disassemble"], "\n".join(lines) + "\n")
    if result.stderr:
        sys.exit(f"{llvm_mc}: {result.stderr[:500]}")
    before = instruction(target, kind)
    texts = [line.strip() for line in result.stdout.splitlines()[1:]]
    for text in texts:
        if not text.startswith(before):
            sys.exit(f"{target} {kind}: LLVM printed '{text}'")
    return [text[len(before):] for text in texts]


def assemble(llvm_mc, target, kind, texts):
    """What LLVM makes of texts: values, None where it refuses."""
    before = instruction(target, kind)
    # After some errors LLVM skips the next line, too: that is an empty one.
    source = "".join(f"{before}{text}\n\n" for text in texts)
    result = run([llvm_mc, "-arch=amdgcn", f"-mcpu={target}", "-show-encoding"], source)
    bad = {int(line) // 2 for line in re.findall(r"^<stdin>:(\d+):\d+: error:", result.stderr, re.M)}
    good = iter(int(high + low, 16)
                for low, high in re.findall(r"encoding: \[0x(..),0x(..)", result.stdout))
    values = [None if i in bad else next(good) for i in range(len(texts))]
    if next(good, None) is not None:
        sys.exit(f"{target} {kind}: more encodings than accepted lines")
    return values


def fields(names, numbers):
    return [f"{name}({number})" for name in names for number in numbers]


def written(kind):
    """Texts with all that the language has, and with the slips that people make."""
    numbers = ("0", "1", "2", "3", "4", "5", "7", "8", "15", "16", "31", "32", "33", "63", "64", "255",
               "256", "-1", "0x10", "010", "0b101", "08", "1+1", "(1)", "~0", "x", "")
    if kind == "waitcnt":
        names = [name + end for name in ("vmcnt", "expcnt", "lgkmcnt", "vscnt", "VMCNT")
                 for end in ("", "_sat")]
        one = fields(names, numbers)
        few = fields(("vmcnt", "expcnt", "lgkmcnt"), ("0", "3"))
    elif kind == "depctr":
        names = [f"depctr_{name}" for name in ("hold_cnt", "sa_sdst", "va_vdst", "va_sdst", "va_ssrc",
                                               "va_vcc", "vm_vsrc", "va_sdst_sat", "foo")]
        one = fields(names, numbers)
        few = fields(("depctr_sa_sdst", "depctr_va_vdst", "depctr_hold_cnt"), ("0", "1"))
    elif kind == "delay_alu":
        values = ["NO_DEP", "SAME", "NEXT", "SKIP_4", "SKIP_5", "VALU_DEP_1", "VALU_DEP_4", "VALU_DEP_5",
                  "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_3", "SALU_CYCLE_4", "1", ""]
        one = fields(("instid0", "instskip", "instid1", "instid2", "Instid0"), values)
        few = ["instid0(VALU_DEP_1)", "instid1(VALU_DEP_2)", "instskip(SKIP_1)", "instid0(VALU_DEP_2)"]
    elif kind == "sendmsg":
        return written_messages(numbers)
    else:
        return written_registers(numbers)
    separators = ("", " ", ",", ", ", "&", " & ", "|", " | ", "&&", ",,", " , & ", " /* and */ ")
    several = [a + separator + b for a in few for b in few for separator in separators]
    ends = (" &", " |", " 5", ")", "(") + ((" ,",) if kind != "delay_alu" else ())
    several += [" ".join(three) for three in itertools.permutations(few, 3)]
    return one + several + [text + end for text in few for end in ends] + [
        few[0].replace("(", " ( "), few[0][:-1], few[0].replace("(", ""), few[0].replace(")", ""),
        "5 " + few[0], few[0].split("(")[0]]


def written_messages(numbers):
    ids = ["MSG_INTERRUPT", "MSG_GS", "MSG_GS_DONE", "MSG_SAVEWAVE", "MSG_STALL_WAVE_GEN", "MSG_HALT_WAVES",
           "MSG_ORDERED_PS_DONE", "MSG_EARLY_PRIM_DEALLOC", "MSG_GS_ALLOC_REQ", "MSG_GET_DOORBELL",
           "MSG_GET_DDID", "MSG_SYSMSG", "MSG_HS_TESSFACTOR", "MSG_DEALLOC_VGPRS", "MSG_RTN_GET_DOORBELL",
           "MSG_RTN_GET_DDID", "MSG_RTN_GET_TMA", "MSG_RTN_GET_REALTIME", "MSG_RTN_SAVE_WAVE",
           "MSG_RTN_GET_TBA", "MSG_RTN_GET_TBA_TO_PC", "MSG_RTN_GET_SE_AID_ID", "MSG_NONE", "msg_gs",
           "2", "3", "15", "16-1", "16", "128", "255", "256", "-1"]
    operations = ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT", "SYSMSG_OP_ECC_ERR_INTERRUPT",
                  "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC", "GS_OP_NONE",
                  "0", "1", "3", "4", "5", "7", "8", "-1"]
    texts = [f"sendmsg({i})" for i in ids] + [f"sendmsg({i}, {o})" for i in ids for o in operations]
    texts += [f"sendmsg({i},{o},{s})" for i in ids[:13] + ids[-8:] for o in operations
              for s in ("0", "1", "3", "4", "-1")]
    texts += [f"sendmsg({n})" for n in numbers] + [f"sendmsg(1, {n})" for n in numbers]
    return texts + ["MSG_INTERRUPT", "sendmsg", "sendmsg()", "sendmsg(1", "sendmsg(1,)", "sendmsg(1,2,)",
                    "sendmsg(1,2,3,0)", "sendmsg (1)", "sendmsg(1) 1", "sendmsg(1)|2", "Sendmsg(1)",
                    "sendmsg(MSG_INTERRUPT+1)", "hwreg(1)", "{id: 1}"]


def written_registers(numbers):
    names = ["MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC", "IB_STS", "SH_MEM_BASES", "TBA_LO",
             "TBA_HI", "TMA_LO", "TMA_HI", "XCC_ID", "SQ_PERF_SNAPSHOT_DATA", "SQ_PERF_SNAPSHOT_DATA1",
             "SQ_PERF_SNAPSHOT_PC_LO", "SQ_PERF_SNAPSHOT_PC_HI", "FLAT_SCR_LO", "FLAT_SCR_HI", "XNACK_MASK",
             "HW_ID1", "HW_ID2", "POPS_PACKER", "SHADER_CYCLES", "SHADER_CYCLES_LO", "SHADER_CYCLES_HI",
             "PERF_SNAPSHOT_DATA", "PERF_SNAPSHOT_DATA1", "PERF_SNAPSHOT_DATA2", "PERF_SNAPSHOT_PC_LO",
             "PERF_SNAPSHOT_PC_HI", "STATE_PRIV", "EXCP_FLAG_PRIV", "EXCP_FLAG_USER", "TRAP_CTRL",
             "SCRATCH_BASE_LO", "SCRATCH_BASE_HI", "DVGPR_ALLOC_LO", "DVGPR_ALLOC_HI", "FOO", "mode"]
    texts = [f"hwreg(HW_REG_{name})" for name in names] + [f"hwreg(HW_REG_{name}, 1, 2)" for name in names]
    texts += [f"hwreg({n})" for n in numbers]
    texts += [f"hwreg(1, {a}, {b})" for a in numbers for b in numbers]
    texts += [f"{{{name}: {n}}}" for name in ("id", "offset", "size", "width") for n in numbers]
    return texts + ["{}", "{id: 1, offset: 4, size: 5}", "{size: 5, id: 1}", "{id: 1, id: 1}", "{id: 1,}",
                    "{id 1}", "{id: 1", "{id: 1} 2", "{id: HW_REG_MODE}", "{,}", "{id: 1 offset: 2}",
                    "hwreg()", "hwreg(1", "hwreg(1,)", "hwreg(1, 2)", "hwreg(1, 2, 3, 4)", "hwreg(1, 2, 3",
                    "hwreg (1)", "hwreg", "HW_REG_MODE", "hwreg(1)|1", "hwreg(HW_REG_MODE+1)", "sendmsg(1)"]


EXPRESSIONS = [
    "0", "1", "0x1000", "0xffff", "0x10000", "0xfffffffff", "-1", "-0x8000", "-0x8001", "65535", "3.0", "0.1",
    "1e3", ".5", "1 | (2 << 4) | (3 << 8)", "1==1", "1<2", "2<1", "5>>1", "-8>>60", "1||0", "1&&2", "0&&1",
    "!0", "!5", "1|2+4", "1+2|4", "6!2", "1<>2", "1!=1", "7/2", "-7/2", "-7%4", "7%-4", "1/0", "1%0", "1>=1",
    "5^1", "2*3<<1", "10-3-2", "100/5/2", "1 - -1", "~0", "- - 1", "+5", "1+", "(1", "1)", "()", "", "1 2", "a",
    "18446744073709551615", "18446744073709551616", "0xffffffffffffffff", "0X1f", "0B11", "0b2", "0x", "0b",
    "09", "007", "1/*x*/+/*y*/1", "((((((((1))))))))", "2-3*4", "1<<15", "3&1", "3&2+1", "4|1&1",
]


def random_texts(kind, texts, count):
    """Texts put together from pieces of others; the same ones on every run."""
    source = random.Random(f"operands of {kind}")
    pieces = sorted({piece for text in texts for piece in re.findall(r"\w+|[^\w\s]", text)})
    whole = [text for text in texts if 0 < len(text) < 60]
    result = []
    while len(result) < count:
        parts = re.findall(r"\w+|\s+|[^\w\s]", source.choice(whole))
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(parts) + 1)
            action = source.randrange(3)
            if action == 0:
                parts.insert(place, source.choice(pieces))
            elif parts and action == 1:
                del parts[min(place, len(parts) - 1)]
            elif parts:
                parts[min(place, len(parts) - 1)] = source.choice(pieces)
        result.append("".join(parts))
    return result


def out_of_scope(text):
    """What belongs to the statement and not to the operand (labels, comments, a comma at the end), or what LLVM has
    beyond what is documented (suffixes of numbers, other brackets and quotes, shifts by any number)."""
    return bool(re.search(r"^\s*[=:]|,\s*$|/\*|\*/|//|[][;#\"'@$.?]|\b\d\w*[uUlL]\b|<<|>>", text))


def compare(what, texts, ours, theirs, report):
    for text, our, their in zip(texts, ours, theirs, strict=True):
        if our != their and len(report) < 20:
            report.append(f"{what}: '{text}': we say {our}, LLVM says {their}")


def check(tool, llvm_mc, target, kind):
    printed = run([tool, target, kind, "print"], "")
    if printed.returncode == 3:
        return [], 0
    if printed.returncode:
        sys.exit(f"{tool}: exit code {printed.returncode}")
    report = []
    texts = printed.stdout.splitlines()
    assert len(texts) == len(VALUES)
    if not target.startswith(NO_DISASSEMBLER):
        compare(f"{kind} value", [str(v) for v in VALUES[::SHARE]], texts[::SHARE], disassemble(llvm_mc, target, kind), report)
    # Plain numbers are most of some tables, and all alike: some of them.
    wanted = [text for i, text in enumerate(dict.fromkeys(texts)) if i % 61 == 0 or not text[0].isdigit()]
    hand = EXPRESSIONS + written(kind)
    mixed = [text for text in random_texts(kind, hand, 4000 // SHARE) if not out_of_scope(text)]
    wanted += [text for text in dict.fromkeys(hand + mixed) if text.strip()]
    parsed = run([tool, target, kind, "parse"], "".join(text + "\n" for text in wanted))
    ours = [None if line == "error" else int(line) for line in parsed.stdout.splitlines()]
    compare(f"{kind} text", wanted, ours, assemble(llvm_mc, target, kind, wanted), report)
    return report, len(wanted)


def main():
    tool, llvm_mc, target, *kinds = sys.argv[1:]
    failed = False
    for kind in kinds or KINDS:
        report, count = check(tool, llvm_mc, target, kind)
        for line in report:
            print(f"{target}: {line}")
        failed |= bool(report)
        if count:
            print(f"{target} {kind}: {count} texts compared")
    sys.exit(failed)


if __name__ == "__main__":
    main()
