# SPDX-License-Identifier: MIT
"""`wavetape operand`: numbers to text, text to numbers, and what it refuses."""

import json

import support
from support import Case, wavetape


def operand(target, kind, value, *options):
    return wavetape("operand", "--target", target, kind, value, *options)


class Translate(Case):
    def test_text(self):
        for target, kind, value, text in (
            ("gfx942", "waitcnt", "0x0f70", "vmcnt(0)"),
            ("gfx942", "waitcnt", "3952", "vmcnt(0)"),
            ("gfx1100", "waitcnt", "0x03f7", "vmcnt(0)"),
            ("gfx1100", "sendmsg", "3", "sendmsg(MSG_DEALLOC_VGPRS)"),
            ("gfx900", "sendmsg", "0x8002", "32770"),
            ("gfx942", "hwreg", "0xf814", "hwreg(HW_REG_XCC_ID)"),
            ("gfx1030", "depctr", "0xff9e", "depctr_sa_sdst(0)"),
            ("gfx1201", "delay_alu", "0x91", "instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)"),
        ):
            self.expect(operand(target, kind, value), 0, text + "\n", "")

    def test_value(self):
        for target, kind, text, value in (
            ("gfx1100", "waitcnt", "vmcnt(0) lgkmcnt(3)", "0x0037"),
            ("gfx942", "waitcnt", "vmcnt(0) & lgkmcnt_sat(100)", "0x0f70"),
            ("gfx942", "waitcnt", "1 | (2 << 4)", "0x0021"),
            ("gfx803", "sendmsg", "sendmsg(MSG_GS, GS_OP_CUT, 1)", "0x0112"),
            ("gfx1030", "hwreg", "{id: 1, offset: 4, size: 5}", "0x2101"),
        ):
            self.expect(operand(target, kind, text), 0, value + "\n", "")

    def test_exact(self):
        self.expect(operand("gfx942", "waitcnt", "0x3f70"), 0, "vmcnt(0)\n", "")
        self.expect(operand("gfx942", "waitcnt", "0x3f70", "--exact"), 0,
                    "vmcnt(0) /* 0x3f70, not shown: 0x3000 */\n", "")

    def test_json(self):
        result = operand("gfx942", "waitcnt", "0x3f70", "--json")
        self.expect(result, 0, result.stdout, "")
        self.assertEqual(json.loads(result.stdout), {
            "format": 3, "target": "gfx942", "operand": "waitcnt", "value": 0x3F70, "text": "vmcnt(0)",
            "not_shown": 0x3000})
        result = operand("gfx1100", "delay_alu", "instid0(VALU_DEP_1)", "--json")
        self.assertEqual(json.loads(result.stdout), {
            "format": 3, "target": "gfx1100", "operand": "delay_alu", "value": 1,
            "text": "instid0(VALU_DEP_1)", "not_shown": 0})

    def test_doubtful(self):
        self.expect(operand("gfx942", "waitcnt", "vmcnt(1) vmcnt(2)"), 0, "0x0f72\n",
                    "wavetape: doubtful: vmcnt(1) vmcnt(2): at character 10: "
                    "vmcnt is given twice: the last one counts\n")
        text = "instid0(VALU_DEP_1) | instid0(VALU_DEP_2)"
        self.expect(operand("gfx1100", "delay_alu", text), 1, "",
                    f"wavetape: not an operand: {text}: at character 23: instid0 is given twice\n")
        result = operand("gfx1100", "delay_alu", text, "--follow-llvm", "--json")
        self.assertEqual((result.code, json.loads(result.stdout)["value"]), (0, 3))
        self.assertEqual(json.loads(result.stdout)["remark"],
                         "instid0 is given twice: its values are OR-ed")


class Wrong(Case):
    def test_operands(self):
        for target, kind, text, message in (
            ("gfx942", "waitcnt", "vmcnt(64)", "at character 7: vmcnt is 64; it must be from 0 to 63"),
            ("gfx803", "waitcnt", "vmcnt(16)", "at character 7: vmcnt is 16; it must be from 0 to 15"),
            ("gfx942", "waitcnt", "08", "at character 1: 08 is not a number of base 8"),
            ("gfx1100", "sendmsg", "sendmsg(MSG_GS)", "at character 9: this target has no MSG_GS"),
        ):
            self.expect(operand(target, kind, text), 1, "",
                        f"wavetape: not an operand: {text}: {message}\n")

    def test_empty(self):
        self.expect(operand("gfx942", "waitcnt", ""), 1, "",
                    "wavetape: not an operand: at character 1: expected counters or a number\n")

    def test_too_large(self):
        result = wavetape("operand", "--target", "gfx942", "waitcnt", "65536")
        self.assertEqual((result.code, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "wavetape: not an operand: 65536: it does not fit in 16 bits; an operand is "
                         "from 0 to 65535\n")

    def test_usage(self):
        for arguments, message in (
            (("operand",), "name the operand and its value or its text"),
            (("operand", "waitcnt", "0"), "for which processor? Name it with --target"),
            (("operand", "--target", "gfx94", "waitcnt", "0"), "no such target: gfx94; there are: gfx600 "),
            (("operand", "--target", "gfx942", "s_waitcnt", "0"), "no such operand: s_waitcnt; there are "),
            (("operand", "--target", "gfx942", "depctr", "0"), "gfx942 has no depctr"),
            (("operand", "--target", "gfx942", "waitcnt", "0", "1"), "Too many arguments"),
            (("operand", "--such"), "unrecognized option"),
        ):
            result = wavetape(*arguments)
            self.assertEqual((result.code, result.stdout), (2, ""), result.stderr)
            self.assertIn(message, result.stderr)

    def test_help(self):
        text = self.wavetape("operand", "--help")
        for word in ("Usage: wavetape operand ", "--json", "--exact", "delay_alu", "Examples:"):
            self.assertIn(word, text)


if __name__ == "__main__":
    support.main(__doc__)
