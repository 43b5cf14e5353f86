# SPDX-License-Identifier: MIT
"""`wavetape diff`: equal where traces hold the same, exactly the differences that were made, and what could not be compared."""

import json
import os
import re
import shutil
import struct

import repair
import sources
import support
from support import Case, wavetape


class Diff(Case):
    def diff(self, *arguments, code=0, stderr=""):
        """What --json says; the exit code is the same for text."""
        self.assertEqual(wavetape("diff", *arguments).code, code)
        return json.loads(self.wavetape("diff", "--json", *arguments, code=code, stderr=stderr))

    def equal(self, a, b, stops=None, **options):
        report = self.diff(a, b, **options)
        self.assertEqual(report["differences"], 0, report)
        self.assertEqual([stop["differences"] for stop in report["stops"]], [[]] * len(report["stops"]))
        if stops is not None:
            self.assertEqual(report["compared"]["stops"], stops)
        return report

    def differences(self, a, b, *arguments):
        """All of them, as (stop of A, difference)."""
        report = self.diff(a, b, *arguments, code=1)
        found = [(stop["a"], difference) for stop in report["stops"] for difference in stop["differences"]]
        self.assertEqual(len(found), report["differences"])
        return found

    def session(self, name, workload, *arguments, **variables):
        """A trace of the session client, of which each run has other handles and calls than our agent's."""
        path = self.directory / f"{name}.wtape"
        done = support.run(support.TREE.command, "record", "-o", path, "--dbgapi", support.TREE.libraries["simulated"],
                           "--", support.TREE.client, *arguments,
                           **{"WAVETAPE_WORKLOAD": support.TREE.workload(workload)} | variables)
        self.assertEqual((done.code, done.stderr), (0, ""))
        return path

    def workload(self, name, change):
        """A workload in a directory of its own, changed, with its code objects beside it."""
        place = self.directory / f"workload-{len(os.listdir(self.directory))}"
        place.mkdir()
        document = json.loads(support.TREE.workload(name).read_text("utf-8"))
        for file in document["code_objects"]:
            shutil.copy(support.TREE.kernels / file, place / file)
        change(document, place)
        (place / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        return place / f"{name}.json"

    def record(self, workload, *options, name="changed"):
        path = self.directory / f"{name}.wtape"
        self.wavetape("record", "--reproducible", "-o", path, *options, "--workload", workload)
        return path


class Same(Diff):
    NAMES = ("oob-store", "oob-load", "debug-trap", "assert-trap-O0", "two-agents", "illegal-gfx90a", "vecadd",
             "matmul-short-buffer")

    def test_with_itself(self):
        for name in self.NAMES:
            with self.subTest(workload=name):
                trace = self.trace(name)
                stops = len(self.json("stops", trace)["stops"])
                report = self.equal(trace, trace, stops)
                self.assertFalse(report["partial"])
                self.assertGreater(report["compared"]["code_objects"], 0)

    def test_rewritten(self):
        """repack and recover keep everything; trim and ring keep their stops."""
        trace = self.session("session", "debug-trap", "--break", "debug_trap", "--steps", "3")
        stops = len(self.json("stops", trace)["stops"])
        self.assertGreater(stops, 4)
        out = self.directory / "out.wtape"
        for arguments in (("repack",), ("recover",)):
            self.wavetape(*arguments, trace, "-o", out)
            self.assertFalse(self.equal(trace, out, stops)["partial"])
            self.assertFalse(self.equal(out, trace, stops)["partial"])
        for first, last in ((1, stops), (2, stops), (2, 3), (stops, stops), (1, 1)):
            self.wavetape("trim", trace, "--stops", f"{first}..{last}", "-o", out)
            report = self.equal(trace, out, last - first + 1)
            self.assertFalse(report["partial"])
            self.assertEqual([(stop["a"], stop["b"]) for stop in report["stops"]],
                             [(n, n - first + 1 if first <= n <= last else None) for n in range(1, stops + 1)])
            self.assertEqual([stop["not_compared"]["a"]["only_stop"] for stop in report["stops"]],
                             [not first <= n <= last for n in range(1, stops + 1)])
        text = self.wavetape("diff", trace, out)
        self.assertTrue(text.startswith("stop 1: equal\nstop 2: not compared: B does not have it, and is not the whole "
                                        "recording\n"), text)

    def test_ring(self):
        arguments = ("--break", "debug_trap", "--steps", "3")
        whole = self.session("whole", "debug-trap", *arguments, WAVETAPE_OPTIONS="reproducible")
        ring = self.session("ring", "debug-trap", *arguments, WAVETAPE_OPTIONS="reproducible,ring=2")
        kept = len(self.json("stops", ring)["stops"])
        self.assertGreater(len(self.json("stops", whole)["stops"]), kept)
        self.equal(whole, ring, kept)

    def test_two_runs(self):
        """Times, process ids and the places of calls are no differences."""
        for name in ("oob-store", "two-agents"):
            runs = []
            for number in range(2):
                path = self.directory / f"{name}-{number}.wtape"
                self.wavetape("record", "-o", path, "--workload", support.TREE.workload(name))
                runs.append(path)
            self.assertFalse(self.equal(*runs)["partial"])

    def test_text(self):
        trace = self.trace("oob-store")
        text = self.wavetape("diff", trace, trace)
        self.assertRegex(text, r"\Astop 1: equal\nstop 2: equal\n2 stops, 5 waves, \d+ registers, \d+ pages of memory "
                               r"compared: 0 differences\n\Z")


class Planted(Diff):
    def test_a_byte_of_a_buffer(self):
        def fill(document, place):
            (place / "in.bin").write_bytes(bytes(4000) + b"\x07" + bytes(95))
            document["buffers"]["out"]["fill"] = {"file": "in.bin"}

        zeros = self.record(self.workload("oob-store", lambda document, place: document["buffers"]["out"].update(
            fill={"constant": {"type": "u8", "value": 0}})), name="zeros")
        changed = self.record(self.workload("oob-store", fill))
        # The workload's place is part of a URI, so that it differs, too.
        found = [(stop, d) for stop, d in self.differences(zeros, changed) if d["kind"] != "code_object"]
        self.assertEqual([(stop, d["kind"], d["space"], d["bytes"], d["what"]) for stop, d in found],
                         [(2, "memory", "global", 1, "bytes")])
        page = found[0][1]
        self.assertEqual(int(page["first"], 16) % 4096, 4000)
        self.assertEqual((page["a"], page["b"]), ("00" * 16, "07" + "00" * 15))
        self.assertEqual(int(page["line"], 16) - int(page["page"], 16), 4000)

    def test_the_place_of_a_code_object(self):
        one, other = (self.record(self.workload("oob-store", lambda document, place: None), name=name)
                      for name in ("one", "other"))
        found = self.differences(one, other)
        self.assertEqual([(stop, d["kind"], d["what"], d["position"]) for stop, d in found],
                         [(1, "code_object", "uri", 1), (2, "code_object", "uri", 1)])
        self.assertTrue(found[0][1]["a"].startswith("file://"))

    def test_a_byte_of_a_code_object(self):
        """In memory it has no place; a byte that no one runs or reads is one difference."""
        def change(flip):
            def do(document, place):
                document["code_objects_from"] = "memory"
                path = place / document["code_objects"][0]
                data = bytearray(path.read_bytes())
                if flip:
                    data[15] ^= 1  # padding of the ELF identification
                path.write_bytes(data)
            return do

        one = self.record(self.workload("oob-store", change(False)), name="one")
        other = self.record(self.workload("oob-store", change(True)), name="other")
        report = self.diff(one, other, code=1)
        for stop in report["stops"]:
            kinds = [d["kind"] for d in stop["differences"]]
            self.assertEqual(kinds[:1], ["code_object"])
            image = stop["differences"][0]
            self.assertEqual((image["what"], image["bytes"], image["first"], image["a"]["bytes"]),
                             ("bytes", 1, 15, image["b"]["bytes"]))
            # The bytes are in the program's memory as well, if they were recorded there.
            self.assertEqual([k for k in kinds[1:] if k != "memory"], [])

    def test_an_argument(self):
        """Another lane stores elsewhere: its registers, the argument, and nothing else."""
        def change(document, place):
            document["dispatches"][0]["arguments"][3] = {"u32": 1025}

        found = [(stop, d) for stop, d in
                 self.differences(self.trace("oob-store"), self.record(self.workload("oob-store", change)))
                 if d["kind"] != "code_object"]
        self.assertEqual({stop for stop, d in found if d["kind"] == "register"}, {2})
        registers = {d["name"]: d for _, d in found if d["kind"] == "register"}
        # The stray distance (s6), its copy in the lanes that take it, and the address that comes of it.
        self.assertEqual(registers["s6"]["a"], "0x00000400")
        self.assertEqual(registers["s6"]["b"], "0x00000401")
        self.assertEqual([lane["lane"] for lane in registers["v0"]["lanes"]], [61, 62, 63])
        for lane in registers["v0"]["lanes"]:
            self.assertEqual(int(lane["b"], 16) - int(lane["a"], 16), 4)
        # The argument is there from the beginning of the dispatch on. It is named once, and is no memory that differs.
        told = [(stop, d["name"], d["position"], d["dispatch_of"]["kernel"], d["a"], d["b"]) for stop, d in found if d["kind"] == "argument"]
        self.assertEqual(told, [(1, "stray", 4, "oob_store", "1024", "1025")])
        self.assertEqual({d["kind"] for _, d in found}, {"register", "argument"})
        for difference in registers.values():
            self.assertEqual(difference["wave"]["workgroup"], [0, 0, 0])
            self.assertEqual(difference["wave"]["number_in_workgroup"], 2)
            self.assertEqual(difference["wave"]["kernel"], "oob_store")

    def test_arguments(self):
        """Values as their types have them; what is beside them in memory is told as memory."""
        def change(document, place):
            document["dispatches"][0]["arguments"][0] = {"f32": 2.75}

        one, other = support.TREE.workload("saxpy"), self.workload("saxpy", change)
        a, b = (self.session(name, "saxpy", "--break", "saxpy", "--steps", "4", WAVETAPE_WORKLOAD=path)
                for name, path in (("a", one), ("b", other)))
        text = self.wavetape("diff", a, b, code=1)
        self.assertEqual(text.count("2.5 | 2.75\n"), 1)
        self.assertIn("  saxpy, a: 2.5 | 2.75\n", text)
        self.assertNotIn("memory 0x", text)
        # Of a stop that is compared alone it is said, too.
        self.assertIn("  saxpy, a: 2.5 | 2.75\n", self.wavetape("diff", a, b, "--stop", "3", code=1))

    def test_members_of_an_argument(self):
        """Of a structure those that differ, by their names."""
        traces = []
        for number in (-7, -8):
            pair = struct.pack("<if h6s Q", 12, -2.5, number, b"hello", 0x123456789ABCDEF0)
            _, code = sources.compile_source("values", "gfx942", "-O2", self.directory)
            workload = self.directory / "workload.json"
            workload.write_text(json.dumps({
                "architecture": "gfx942", "code_objects": [str(code)], "buffers": {"log": {"bytes": 1 << 22}},
                "dispatches": [{"kernel": "values", "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [
                    {"buffer": "log"}, {"i32": 9}, {"f32": 0.75}, {"bytes": pair.hex()}, {"u64": 1}]}]}), "utf-8")
            traces.append(self.directory / f"{number}.wtape")
            self.wavetape("record", "--reproducible", "-o", traces[-1], "--workload", workload)
        told = [(d["name"], d["position"], d["a"], d["b"]) for _, d in self.differences(*traces) if d["kind"] == "argument"]
        self.assertEqual(told, [("pair.inner.low", 4, "-7", "-8")])

    def test_two_stops(self):
        trace = self.session("steps", "vecadd", "--break", "vecadd", "--steps", "2", "--stops", "3")
        found = self.differences(trace, trace, "--stop", "2", "--stop-b", "3")
        kinds = {d["kind"] for _, d in found}
        self.assertIn("register", kinds)
        positions = [d for _, d in found if d["what"] == "position"]
        self.assertTrue(positions)
        for position in positions:
            self.assertEqual(position["a"]["symbol"]["name"], "vecadd")
        self.assertEqual(self.differences(trace, trace, "--stop=2", "--stop-b=3"),
                         [(2, d) for _, d in found])
        one = json.loads(self.wavetape("diff", "--json", trace, "--stop", "2", "--stop-b", "3", code=1))
        self.assertEqual([d for stop in one["stops"] for d in stop["differences"]], [d for _, d in found])

    def test_sources(self):
        """Files that both kept are compared, also where their code is the same; what one has alone is counted."""
        trees = {"a": {"oob-store.c": "one\n" * 20}, "b": {"oob-store.c": "one\n" * 11 + "two\none\n"}, "none": {}}
        paths = {}
        for name, files in trees.items():
            place = self.directory / name / "kernels"
            place.mkdir(parents=True)
            for file, text in files.items():
                (place / file).write_text(text, "utf-8")
            paths[name] = self.record(support.TREE.workload("oob-store"), "--source", f"tests={place.parent}", name=name)
        report = self.diff(paths["a"], paths["b"], code=1)
        self.assertEqual(report["source_files"], [{"file": "tests/kernels/oob-store.c", "line": 12, "a": {"bytes": 80, "lines": 20},
                                                   "b": {"bytes": 52, "lines": 13}}])
        self.assertEqual((report["differences"], report["compared"]["source_files"], report["partial"]), (1, 1, False))
        text = self.wavetape("diff", paths["a"], paths["b"], code=1)
        self.assertRegex(text, r"\Asource tests/kernels/oob-store\.c: differs from line 12 on; 20 \| 13 lines\nstop 1: equal\nstop 2: equal\n"
                               r"2 stops, 5 waves, \d+ registers, 1 source file, \d+ pages of memory compared: 1 difference\n\Z")
        self.assertEqual(self.equal(paths["a"], paths["a"])["source_files"], [])
        for a, b, only in (("a", "none", {"a": 1, "b": 0}), ("none", "b", {"a": 0, "b": 1})):
            report = self.equal(paths[a], paths[b], code=3)
            self.assertEqual((report["only_source_files"], report["partial"]), (only, True))
            self.assertIn(f"\nnot compared: 1 source file that only {'A' if only['a'] else 'B'} has recorded\n2 stops, ",
                          self.wavetape("diff", paths[a], paths[b], code=3))

    def test_waves_of_one_side(self):
        """A grid of another size: waves that only one run has are named, the others are equal."""
        def change(document, place):
            document["dispatches"][0]["grid"][0] *= 2

        one, other = self.trace("oob-load"), self.record(self.workload("oob-load", change))
        waves = {name: {(tuple(w["workgroup"]), w["number_in_workgroup"]) for w in self.json("waves", path)["waves"]}
                 for name, path in (("a", one), ("b", other))}
        last = [len(self.json("stops", path)["stops"]) for path in (one, other)]
        report = self.diff(one, other, "--stop", str(last[0]), "--stop-b", str(last[1]), code=1)
        only = {side: {(tuple(d["wave"]["workgroup"]), d["wave"]["number_in_workgroup"])
                       for d in report["stops"][0]["differences"]
                       if d["what"] == "existence" and d["kind"] == "wave" and d["only_in"] == side} for side in "ab"}
        self.assertEqual(only, {"a": waves["a"] - waves["b"], "b": waves["b"] - waves["a"]})
        self.assertTrue(only["b"] and not only["a"])

    def test_another_gpu(self):
        found = self.differences(self.trace("oob-store"), self.trace("oob-store-gfx90a"))
        agents = [d for _, d in found if d["kind"] == "agent"]
        self.assertEqual([(d["a"], d["b"]) for d in agents], [("gfx942", "gfx90a")] * len(agents))
        self.assertTrue(agents)

    def test_a_stop_too_many(self):
        one = self.session("one", "debug-trap", "--break", "debug_trap", "--steps", "1")
        report = self.diff(self.trace("debug-trap"), one, code=1)
        self.assertTrue([stop for stop in report["stops"] if stop["a"] is None or stop["b"] is None])


class Text(Diff):
    def changed(self):
        def change(document, place):
            document["dispatches"][0]["arguments"][3] = {"u32": 1025}
        return self.record(self.workload("oob-store", change))

    def test_differences(self):
        a, b = self.trace("oob-store"), self.changed()
        text = self.wavetape("diff", a, b, "--stop", "2", code=1)
        lines = text.splitlines()
        self.assertEqual(lines[0], "stop 2:")
        self.assertRegex(lines[1], r"^  code object 1: from file://\S+ \| file://\S+$")
        self.assertEqual(lines[2], "  oob_store, stray: 1024 | 1025")
        self.assertEqual(lines[3], "  (0,0,0)/2 oob_store, w3")
        self.assertIn("    s6           0x00000400 | 0x00000401", lines)
        self.assertRegex(text, r"\n    v0           lanes 61-63: 000012f4 \| 000012f8 in the first\n")
        self.assertRegex(lines[-1], r"^1 stop, 1 wave, \d+ registers, \d+ pages of memory compared: \d+ differences$")

    def test_count(self):
        a, b = self.trace("vecadd"), self.trace("vecadd")
        for options in ([], ["--count", "1"], ["--count", "0"]):
            self.wavetape("diff", a, b, *options)
        trace = self.session("steps", "vecadd", "--break", "vecadd", "--steps", "2", "--stops", "3")
        arguments = ("diff", trace, "--stop", "2", "--stop-b", "3")
        whole = self.wavetape(*arguments, "--count", "0", code=1)
        self.assertNotIn(" more ", whole)
        short = self.wavetape(*arguments, "--count", "1", code=1)
        waves = len(re.findall(r"(?m)^  \(", whole))
        self.assertEqual(len(re.findall(r"(?m)^  \(", short)), 1)
        if waves > 1:
            self.assertIn(f"  and {waves - 1} more wave", short)
        self.assertEqual(whole.splitlines()[-1], short.splitlines()[-1])

    def test_hostile_names(self):
        """What a trace calls things cannot act on a terminal."""
        def change(document, place):
            name = "a\x1b[31m\nstop 9: equal.co"
            os.rename(place / document["code_objects"][0], place / name)
            document["code_objects"] = [name]

        text = self.wavetape("diff", self.trace("oob-store"), self.record(self.workload("oob-store", change)), code=1)
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\nstop 9", text)


class Partial(Diff):
    def test_redacted(self):
        redacted = self.record(support.TREE.workload("oob-store"), "--redact", name="redacted")
        says = f"wavetape: the trace was recorded without memory: {redacted}: memory is not compared\n"
        for pair in ((self.trace("oob-store"), redacted), (redacted, self.trace("oob-store")), (redacted, redacted)):
            report = self.diff(*pair, code=3, stderr=says)
            self.assertEqual((report["differences"], report["partial"], report["compared"]["pages"]), (0, True, 0))
            text = wavetape("diff", *pair)
            self.assertEqual((text.code, text.stderr), (3, says))

    def test_policy(self):
        few = self.record(support.TREE.workload("oob-store"), "--registers=pc,v0-v3", "--no-code", name="few")
        report = self.diff(self.trace("oob-store"), few, code=3)
        self.assertEqual(report["differences"], 0)
        missing = report["stops"][1]["not_compared"]
        # pc, v0 to v3, and exec, which is always taken.
        whole = self.diff(*[self.trace("oob-store")] * 2)["compared"]["registers"]
        self.assertEqual(missing["a"]["only_registers"], whole - 6)
        self.assertEqual(missing["a"]["only_code_objects"], 1)
        self.assertEqual(missing["b"]["only_registers"], 0)
        text = self.wavetape("diff", self.trace("oob-store"), few, code=3)
        self.assertRegex(text, r"stop 2:\n  not compared: 1 code object that only A has recorded\n"
                               r"  not compared: \d+ registers that only A has recorded\n")
        self.assertEqual(self.diff(few, few, code=3)["stops"][0]["not_compared"]["code_objects"], 1)

    def test_damaged(self):
        """A lost state is named and not compared; the others are."""
        whole = self.session("whole", "matmul", "--break", "matmul", "--steps", "6", "--stops", "8",
                             WAVETAPE_OPTIONS="reproducible,keyframes=2")
        data = bytearray(repair.without_parity(whole.read_bytes()))
        chunks = [offset for offset, kind, _ in support.blocks(data) if kind == support.CHUNK]
        data[chunks[len(chunks) // 2] + support.HEAD + 20] ^= 1
        bad = self.directory / "bad.wtape"
        bad.write_bytes(data)
        result = wavetape("diff", whole, bad, "--json")
        self.assertEqual(result.code, 3)
        self.assertRegex(result.stderr, rf"\A(wavetape: the trace is not whole: {bad}: [^\n]+\n)+\Z")
        report = json.loads(result.stdout)
        self.assertEqual(report["differences"], 0)
        self.assertTrue(report["partial"] or any(stop["b"] is None for stop in report["stops"]))
        self.assertGreater(report["compared"]["stops"], 0)
        self.assertLess(report["compared"]["stops"], len(self.json("stops", whole)["stops"]))
        mended = self.directory / "mended.wtape"
        self.assertEqual(wavetape("recover", bad, "-o", mended).code, 3)
        # The stops that were saved are those of the whole trace.
        report = json.loads(wavetape("diff", whole, mended, "--json").stdout)
        self.assertEqual(report["differences"], 0)
        self.assertEqual(report["compared"]["stops"], len(self.json("stops", mended)["stops"]))

    def test_cut(self):
        whole = self.session("whole", "matmul", "--break", "matmul", "--steps", "6", "--stops", "8",
                             WAVETAPE_OPTIONS="reproducible")
        cut = self.directory / "cut.wtape"
        cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
        result = wavetape("diff", whole, cut)
        self.assertEqual(result.code, 3, result.stdout + result.stderr)
        self.assertIn(" 0 differences\n", result.stdout)
        self.assertIn("not compared: B does not have it, and is not the whole recording\n", result.stdout)


class Usage(Diff):
    def wrong(self, arguments, message):
        result = wavetape("diff", *arguments)
        self.assertEqual((result.code, result.stdout), (2, ""))
        self.assertTrue(result.stderr.startswith(f"wavetape diff: {message}\n"), result.stderr)

    def test_wrong_usage(self):
        trace = self.trace("oob-store")
        alone = "with what? Name a second trace, or two stops of this one with --stop and --stop-b"
        self.wrong([], "which trace? Name a FILE")
        self.wrong([trace], alone)
        self.wrong([trace, "--stop", "1"], alone)
        self.wrong([trace, trace, "--stop-b", "1"], "--stop-b goes with --stop, which is the stop of A")
        self.wrong([trace, "--stop-b", "1"], "--stop-b goes with --stop, which is the stop of A")
        self.wrong([trace, trace, trace], "Too many arguments")
        self.wrong([trace, ""], "which trace? B is an empty name")
        for text in ("0", "x", "4294967296", "-1"):
            self.wrong([trace, trace, "--stop=1", f"--stop-b={text}"],
                       f"--stop-b takes a number from 1, as `wavetape stops` lists them, not '{text}'")
        self.wrong([trace, trace, "--count=x"], "--count takes a number, not 'x'")
        self.wrong([trace, trace, "--count=1", "--json"], "--count shortens the text: --json has all")

    def test_wrong_files(self):
        trace, absent = self.trace("oob-store"), self.directory / "absent"
        for arguments in ((trace, absent), (absent, trace)):
            self.expect(wavetape("diff", *arguments), 1, "",
                        f"wavetape: cannot read the trace: {absent}: No such file or directory\n")
        text = self.directory / "text"
        text.write_text("hello", encoding="utf-8")
        for arguments in ((trace, text), (text, trace), (text, text)):
            self.expect(wavetape("diff", *arguments, "--json"), 1, "",
                        f"wavetape: cannot read the trace: {text}: it is not a wavetape trace: it has only 5 bytes\n")

    def test_wrong_stops(self):
        trace = self.trace("oob-store")
        for stops in (("--stop=3",), ("--stop=1", "--stop-b=3"), ("--stop=3", "--stop-b=1")):
            self.expect(wavetape("diff", trace, trace, *stops), 2, "",
                        f"wavetape: cannot show the stop: {trace}: there is no stop 3: the trace has 2, counted from 1\n")

    def test_no_stops(self):
        path = self.directory / "calls.wtape"
        self.wavetape("record", "-o", path, "--workload", support.TREE.workload("vecadd"),
                      WAVETAPE_OPTIONS="journal-only")
        self.expect(wavetape("diff", path, path), 1, "",
                    f"wavetape: cannot show the stop: {path}: the trace has no stop; the rest is not known: no state was "
                    "recorded (journal-only)\n")


if __name__ == "__main__":
    support.main(__doc__)
