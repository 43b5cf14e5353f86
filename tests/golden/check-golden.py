# SPDX-License-Identifier: MIT
"""Traces of every version of the format, and of every release so far: they open, say what they always said, and replay."""

import hashlib
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import support  # noqa: E402: it lies beside the other end-to-end tests
from dap_client import Client  # noqa: E402
from support import Case  # noqa: E402

# Where the identity lies in a file.
IDENTITY = 48
# So that nobody changes one without meaning to.
TRACES = {
    "format-1.0": "b2d2779da9e1b3fb1e26a33dfe57ea4863c62b325a9b8cdc158b8215c0689e42",
    "format-1.1": "6eb112ea00397c88399c33757c6c2d21b9a3a49195678bdc8ad44c819f523d47",
    "format-1.2": "7f29be017691c5e1488aa0fb5bb4034226a19db8d1302ad9ecaf6a9ebc8c531a",
    "format-1.3": "ff7351a2de4b2a64a8f0a87cebdc8a50121db955f08b6b2d7e2c5aced84e7d72",
    "format-1.4": "9d48777e38131206642c94b4d6652caaa85066e40b58a1561ef7e01091be7580",
    "format-1.5": "0f783d7c014f56b9f98a3a5523ac045cdec80a31a19ef6ca301ea3aab71181de",
    "format-1.6": "9632f8502c5a909a9572eb598f0c0c91b988a7c6b04ba00805e1148f141c1a63",
    "format-1.7": "f2e7b819bf71e6e98197ec4c46f22b848a1a062cd4d489896ca249d807d36bfc",
    "release-0.1.0": "43e87a552aee07f30414cd66f1d68d1cca1cec9928587a29497ba49a20d687a3",
}


# Verbs that look into a trace, and what they are asked of it; OUT is a file that they write, TRACE the trace, NAME a variable of it.
READ = [
    *([verb] for verb in ("info", "stops", "waves", "explain", "registers", "memory", "backtrace", "locals", "disassemble", "code-objects",
                          "journal", "triage", "check", "verify", "way")),
    ["print", "NAME"], ["diff", "TRACE"], ["report", "-o", "OUT"], ["repack", "-o", "OUT"], ["recover", "-o", "OUT"],
    ["trim", "--stops", "1", "-o", "OUT"], ["export", "--json-lines", "-o", "OUT"], ["export", "--core", "-o", "OUT"],
]
NAMES = {"release-0.1.0": "length"}
# Nothing of the machine and no times are kept of a recording that is to be the same each time.
REFUSED = {
    ("host",): "cannot show the host: {0}.wtape: this trace has nothing of it: ",
    ("export", "--perfetto", "-o", "OUT"): "cannot export a timeline: {0}.wtape: the trace has no times: ",
}
# A program that nobody made reproducible has times, and memory that its kernel goes on to was not recorded.
TIMED = ("release-0.1.0",)
WHAT_IF = {"release-0.1.0": "which were not recorded: a recording with `memory=all` may have them"}
# What is answered over a trace in other ways, each by a test of its own below, and what reads none.
ELSEWHERE = {"host", "what-if", "replay", "browse", "dap", "mcp"}
READS_NONE = {"record", "snapshot", "replays", "goto", "next", "previous", "device", "simulate", "doctor", "operand"}


class Golden(Case):
    def test_every_trace_is_listed(self):
        self.assertEqual(sorted(path.stem for path in HERE.glob("*.wtape")), sorted(TRACES))
        for name, digest in TRACES.items():
            data = (HERE / f"{name}.wtape").read_bytes()
            self.assertEqual(hashlib.sha256(data).hexdigest(), digest, name)

    def test_what_is_said_of_them(self):
        for name in TRACES:
            for verb in ("info", "stops", "check"):
                with self.subTest(trace=name, verb=verb):
                    expected = (HERE / f"{name}.{verb}.json").read_text("utf-8")
                    said = self.wavetape(verb, "--json", f"{name}.wtape", cwd=HERE)
                    if '"instruction"' in expected and '"instruction"' not in said:
                        raise unittest.SkipTest("this build has no disassembler")
                    # The one that this machine has.
                    self.assertEqual(re.sub(r'\n *"decoder": "[^"]*",', "", said), expected)

    def ask(self, verb, name):
        """What a verb says of a trace, and whether it wrote its file, which is gone afterwards."""
        written = self.directory / "out"
        words = [{"OUT": written, "TRACE": f"{name}.wtape", "NAME": NAMES.get(name, "out")}.get(word, word) for word in verb]
        result = support.wavetape(words[0], f"{name}.wtape", *words[1:], cwd=HERE)
        there = written.exists()
        written.unlink(missing_ok=True)
        return result, there

    def test_each_verb_reads_each(self):
        for name in TRACES:
            for verb in READ:
                with self.subTest(trace=name, verb=verb):
                    result, written = self.ask(verb, name)
                    self.assertEqual((result.code, result.stderr, written), (0, "", "OUT" in verb))
            for verb, why in REFUSED.items():
                with self.subTest(trace=name, verb=verb):
                    result, written = self.ask(verb, name)
                    if name in TIMED and "--perfetto" in verb:
                        self.assertEqual((result.code, result.stderr, written), (0, "", True))
                        continue
                    self.assertEqual((result.code, written), (1, False))
                    self.assertIn(why.format(name), result.stderr)

    def test_what_if(self):
        for name in TRACES:
            with self.subTest(trace=name):
                result, _ = self.ask(["what-if"], name)
                self.assertIn(WHAT_IF.get(name, ""), result.stderr)
                self.assertEqual(result.code, int(name in WHAT_IF), result.stderr)

    def test_client(self):
        """A client that nobody recorded, over each."""
        client = support.TREE.build / "tests/end-to-end/session-client"
        for name in TRACES:
            with self.subTest(trace=name):
                result = support.wavetape("replay", HERE / f"{name}.wtape", "--", client, "--stops", 1)
                self.assertEqual((result.code, result.stderr), (0, ""))
                self.assertRegex(result.stdout, r"(?m)^wave \d+ WAVE_INFO_STATE=\d+ WAVE_INFO_STOP_REASON=")

    def test_editor(self):
        for name in TRACES:
            with self.subTest(trace=name), Client([support.TREE.command, "dap", HERE / f"{name}.wtape"], support.environment()) as editor:
                thread = editor.begin()["threadId"]
                self.assertTrue(editor.ask("stackTrace", threadId=thread)["stackFrames"][0]["name"])

    def test_assistant(self):
        asked = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
                 ("tools/call", {"name": "what_happened", "arguments": {}})]
        messages = "".join(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"
                           for number, (method, params) in enumerate(asked)).encode()
        path = self.directory / "asked"
        path.write_bytes(messages)
        for name in TRACES:
            with self.subTest(trace=name), path.open("rb") as stdin:
                said = support.run(support.TREE.command, "mcp", HERE / f"{name}.wtape", stdin=stdin)
                answer = json.loads(said.stdout.splitlines()[1])["result"]
                self.assertFalse(answer["isError"], answer)
                self.assertIn("memory violation", answer["content"][0]["text"])

    def browse(self, path):
        """What the browser shows on a terminal until `q` ends it, and its exit code."""
        child, terminal = pty.fork()
        if not child:
            os.execve(support.TREE.command, [str(support.TREE.command), "browse", str(path)], support.environment(TERM="xterm"))
        shown, end = b"", time.monotonic() + support.TIMEOUT
        try:
            while select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
                shown += os.read(terminal, 1 << 16)
                if b"memory violation" in shown:
                    os.write(terminal, b"q")
        except OSError:
            # The other side is closed.
            pass
        finally:
            if time.monotonic() >= end:
                os.kill(child, signal.SIGKILL)
            os.close(terminal)
        return shown.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_browser(self):
        for name in TRACES:
            with self.subTest(trace=name):
                shown, code = self.browse(HERE / f"{name}.wtape")
                if "built without ncurses" in shown:
                    raise unittest.SkipTest("this build has no browser")
                self.assertEqual(code, 0, shown)
                self.assertIn("memory violation", shown)

    def test_no_verb_is_forgotten(self):
        said = support.wavetape("--help").stdout
        verbs = set(re.findall(r"(?m)^  ([a-z-]+)  ", said))
        self.assertEqual(verbs, {verb[0] for verb in READ} | ELSEWHERE | READS_NONE)

    def test_no_version_is_forgotten(self):
        """Each minor version up to the one that is written, and each release that CHANGELOG.md dates."""
        head = (support.TREE.source / "trace-format/container/block.h").read_text("utf-8")
        major, minor = (int(re.search(rf"#define WT_FORMAT_{part} (\d+)", head)[1]) for part in ("MAJOR", "MINOR"))
        wanted = {f"format-{major}.{number}" for number in range(minor + 1)}
        changes = (support.TREE.source / "CHANGELOG.md").read_text("utf-8")
        wanted |= {f"release-{version}" for version in re.findall(r"(?m)^## (\S+), \d{4}-\d\d-\d\d$", changes)}
        self.assertEqual(set(TRACES), wanted)
        for name in TRACES:
            kind, version = name.split("-")
            data = (HERE / f"{name}.wtape").read_bytes()
            if kind == "format":
                # Where FORMAT.md has the identity, behind the head of the first block.
                self.assertEqual(struct.unpack_from("<HH", data, IDENTITY + 16), (major, int(version.split(".")[1])), name)
            else:
                self.assertIn(f"by wavetape {version},", support.wavetape("info", HERE / f"{name}.wtape").stdout)

    def test_replay(self):
        for name in TRACES:
            with self.subTest(trace=name):
                report = self.json("verify", HERE / f"{name}.wtape")
                self.assertEqual(report["differences"], {"count": 0, "first": []})
                self.assertEqual((report["not_driven"], report["unfinished"]), (0, False))
                self.assertGreater(report["calls"], 10)


if __name__ == "__main__":
    support.main(__doc__)
