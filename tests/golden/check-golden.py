# SPDX-License-Identifier: MIT
"""Traces of every version of the format so far: they open, say what they always said, and replay."""

import hashlib
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "end-to-end"))

import support  # noqa: E402: it lies beside the other end-to-end tests
from support import Case  # noqa: E402

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
}


# Verbs that look into a trace, and what they are asked of it; OUT is a file that they write.
READ = [
    *([verb] for verb in ("info", "stops", "waves", "explain", "registers", "memory", "backtrace", "locals", "disassemble", "code-objects",
                          "journal", "triage", "check", "verify")),
    ["print", "out"], ["diff", "TRACE"], ["report", "-o", "OUT"], ["repack", "-o", "OUT"], ["trim", "--stops", "1", "-o", "OUT"],
    ["export", "--json-lines", "-o", "OUT"], ["export", "--core", "-o", "OUT"],
]
# Nothing of the machine and no times are kept of a recording that is to be the same each time.
REFUSED = {
    ("host",): "cannot show the host: {0}.wtape: this trace has nothing of it: ",
    ("export", "--perfetto", "-o", "OUT"): "cannot export a timeline: {0}.wtape: the trace has no times: ",
}


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
        words = [{"OUT": written, "TRACE": f"{name}.wtape"}.get(word, word) for word in verb]
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
                    self.assertEqual((result.code, written), (1, False))
                    self.assertIn(why.format(name), result.stderr)

    def test_replay(self):
        for name in TRACES:
            with self.subTest(trace=name):
                report = self.json("verify", HERE / f"{name}.wtape")
                self.assertEqual(report["differences"], {"count": 0, "first": []})
                self.assertEqual((report["not_driven"], report["unfinished"]), (0, False))
                self.assertGreater(report["calls"], 10)


if __name__ == "__main__":
    support.main(__doc__)
