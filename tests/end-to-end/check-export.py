#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`wavetape export`: what it writes says the same as the other verbs.

Cores are also read by AMD's library, where WAVETAPE_TEST_DBGAPI names one.
"""

import base64
import json
import os
import resource
import runpy
import signal
import stat
import sys

import repair
import support
from support import CHUNK, HEAD, Case, blocks, wavetape


AMD = [os.environ["WAVETAPE_TEST_DBGAPI"]] if os.environ.get("WAVETAPE_TEST_DBGAPI") else []
LONG = os.environ.get("WAVETAPE_LONG") == "1"


class Export(Case):
    def session(self, *arguments, name="session", workload="debug-trap", options=()):
        """A trace of a client that stops and steps waves."""
        path = self.directory / f"{name}.wtape"
        done = support.run(support.TREE.command, "record", *options, "-o", path, "--dbgapi", support.TREE.libraries["simulated"],
                           "--", support.TREE.client, *arguments, WAVETAPE_WORKLOAD=support.TREE.workload(workload))
        self.assertEqual((done.code, done.stderr), (0, ""))
        return path

    def timed(self, name):
        """A trace of a workload by our agent, with times."""
        path = self.directory / f"{name}-timed.wtape"
        if not path.exists():
            self.wavetape("record", "-o", path, "--workload", support.TREE.workload(name), stdout=None)
        return path

    def torn(self, name="oob-load", chunk=2):
        """A trace of which a chunk is damaged."""
        data = bytearray(repair.without_parity(self.timed(name).read_bytes()))
        places = [offset for offset, kind, _ in blocks(data) if kind == CHUNK]
        data[places[chunk - 1] + HEAD + 20] ^= 0x20
        path = self.directory / "torn.wtape"
        path.write_bytes(data)
        return path


    def without(self, value, *keys):
        return {key: item for key, item in value.items() if key not in keys}


class Output(Export):
    FORMS = ("--json-lines", "--perfetto")

    def test_where(self):
        trace = self.timed("oob-store")
        for form in self.FORMS:
            with self.subTest(form=form):
                out = self.directory / "out"
                out.unlink(missing_ok=True)
                self.wavetape("export", trace, form, "-o", out, stdout=None)
                whole = out.read_bytes()
                self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o600)
                # One that is there is replaced, and keeps its mode; a link is followed.
                out.write_bytes(b"before")
                out.chmod(0o640)
                link = self.directory / "link"
                link.unlink(missing_ok=True)
                link.symlink_to(out)
                self.wavetape("export", trace, form, "-o", link, stdout=None)
                self.assertEqual((out.read_bytes(), stat.S_IMODE(out.stat().st_mode)), (whole, 0o640))
                self.assertTrue(link.is_symlink())

    def test_refused(self):
        trace = self.timed("oob-store")
        before = trace.read_bytes()
        for form in self.FORMS:
            with self.subTest(form=form):
                result = wavetape("export", trace, form, "-o", trace)
                self.assertEqual((result.code, result.stderr),
                                 (2, f"wavetape: cannot export the trace: {trace}: it is the trace that is read; "
                                     "give another name\n"))
                self.assertEqual(trace.read_bytes(), before)
                result = wavetape("export", trace, form, "-o", self.directory / "none" / "out")
                self.assertEqual((result.code, result.stderr),
                                 (1, f"wavetape: cannot export the trace: {self.directory}/none/out: the directory {self.directory}/none is "
                                     f"not there; make it first: mkdir -p {self.directory}/none\n"))
                # What is no trace leaves what was there.
                out = self.directory / "kept"
                out.write_bytes(b"before")
                self.assertEqual(wavetape("export", "/dev/null", form, "-o", out).code, 1)
                self.assertEqual(out.read_bytes(), b"before")

    def test_full(self):
        """A file that cannot grow: nothing is left of it, and an older one stays."""
        trace = self.timed("oob-store")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        for form in self.FORMS:
            with self.subTest(form=form):
                place = self.directory / form
                place.mkdir()
                (place / "out").write_bytes(b"before")
                result = support.subprocess.run(
                    [support.TREE.command, "export", trace, form, "-o", place / "out"], capture_output=True, text=True,
                    check=False, preexec_fn=lambda: (limit(), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)))
                self.assertEqual((result.returncode, result.stderr),
                                 (1, f"wavetape: cannot export the trace: {place}/out: File too large\n"))
                self.assertEqual([(path.name, path.read_bytes()) for path in place.iterdir()], [("out", b"before")])


class Lines(Export):
    def lines(self, trace, *options, code=0, stderr=""):
        text = self.wavetape("export", trace, "--json-lines", *options, code=code, stderr=stderr)
        found = {}
        for value in self.whole_stops(text.splitlines()):
            found.setdefault(value.pop("line"), []).append(value)
        return found

    def whole_stops(self, lines):
        """The lines with all memory and registers at each stop, as the page's example reads them."""
        return runpy.run_path(support.TREE.source / "docs/examples/whole-stops.py")["whole"](lines)

    def test_changes(self):
        """What is as an earlier line has it is not written again, and the whole of each stop can be put together from the lines."""
        trace = self.session("--break", "matmul", "--steps", "42", "--stops", "50", workload="matmul",
                             options=("--memory", "near,0x210000000000+1M"))
        lines = self.wavetape("export", trace, "--json-lines", "--only", "stop,registers,memory").splitlines()
        plain = [json.loads(line) for line in lines]
        stops = [line["stop"] for line in plain if line["line"] == "stop"]
        self.assertGreater(len(stops), 30)
        alone = {stop: [line for line in self.wavetape("export", trace, "--json-lines", "--only", "registers,memory", "--stop", stop).splitlines()]
                 for stop in support.share(stops)}
        whole = list(self.whole_stops(lines))
        for stop, expected in alone.items():
            self.assertNotIn('"same_as"', "".join(expected))
            self.assertEqual([line for line in whole if line["line"] != "stop" and line["stop"] == stop],
                             list(self.whole_stops(expected)), stop)
        same = [line for line in plain if "same_as" in line]
        self.assertTrue(all(line["same_as"] < line["stop"] and "data" not in line for line in same))
        self.assertEqual({line["line"] for line in same}, {"memory", "registers"})
        # Memory that nobody wrote is one line, however large it is.
        self.assertTrue(any(line.get("recorded_bytes", 0) > 4096 for line in same))
        # How many registers differ depends on how far other waves have come meanwhile.
        sizes = [sum(len(line) for line in some if json.loads(line)["line"] == "memory") for some in (lines, *alone.values())]
        self.assertLess(sizes[0] * 4 * len(alone), sum(sizes[1:]) * len(stops))
        # Bytes of a page are there once, until they are others, and at a stop no two pages have the same.
        last, written = {}, set()
        for line in plain:
            if "data" in line:
                place = line["space"], line["owner"], line["address"]
                self.assertNotEqual(line["data"], last.get(place))
                last[place] = line["data"]
                self.assertNotIn((line["stop"], line["data"]), written)
                written.add((line["stop"], line["data"]))

    def test_alike(self):
        """Pages of one wave that are as another's name that one's line: private memory that no wave has written is there once."""
        trace = self.session("--break", "private_sort", "--steps", "3", "--stops", "9", workload="private-sort-O0", options=("--waves", "all"))
        plain = [json.loads(line) for line in self.wavetape("export", trace, "--json-lines", "--only", "memory,wave").splitlines()]
        memory = [line for line in plain if line["line"] == "memory"]
        # The bytes are those that `memory` shows, and a page that is named is one that was written whole, and last so.
        last = {}
        for line in memory:
            if "data" in line:
                last[line["space"], line["owner"], line["address"]] = line
            if "same_page" in line:
                page = line["same_page"]
                self.assertNotIn("same_as", line)
                self.assertEqual(last[page["space"], page["owner"], page["address"]]["stop"], page["stop"])
        for page in self.whole_stops(map(json.dumps, memory)):
            if page["stop"] == plain[-1]["stop"] and page["space"] == "global":
                self.assertEqual(page["data"], self.json("memory", trace, page["address"], page["recorded_bytes"], "--stop", page["stop"])["data"])
        waves = {line["wave"] for line in plain if line["line"] == "wave"}
        self.assertGreater(len(waves), 1)
        zeros = [line for line in memory if "data" in line and not line["data"].strip("0")]
        self.assertEqual(len([line for line in zeros if line["recorded_bytes"] == 4096]), 1)
        owners = {line["owner"] for line in memory if line["space"] == "private_wave" and "same_page" in line}
        self.assertEqual(owners, {line["owner"] for line in memory if line["space"] == "private_wave"})

    def test_program(self):
        """The example is a program."""
        text = self.wavetape("export", self.trace("oob-store"), "--json-lines")
        done = support.subprocess.run([sys.executable, support.TREE.source / "docs/examples/whole-stops.py"], input=text, capture_output=True,
                                      text=True, check=True)
        self.assertEqual([json.loads(line) for line in done.stdout.splitlines()], list(self.whole_stops(text.splitlines())))

    def test_everything(self):
        """As the other verbs have it, in their words."""
        trace = self.session("--break", "debug_trap", "--steps", "3")
        found = self.lines(trace)
        end = found["end"][0]
        info = self.json("info", trace)
        self.assertEqual({**found["trace"][0], **end}, {key: info[key] for key in {**found["trace"][0], **end}})
        self.assertEqual(found["host"], [self.found("host", trace)])
        self.assertEqual(found["call"], [call for call in self.json("journal", trace)["entries"] if "call" in call])
        self.assertEqual(found["notice"], [call for call in self.json("journal", trace)["entries"] if "notice" in call])
        self.assertEqual([self.without(stop, "process") for stop in found["stop"]], self.json("stops", trace)["stops"])
        self.assertEqual([(event["event"], event["kind"]) for event in found["event"]],
                         [(event["event"], event["kind"]) for stop in found["stop"] for event in stop["events"]])
        self.assertEqual(end["stops"], len(found["stop"]))
        images = {}
        for number in range(1, end["stops"] + 1):
            of = {kind: [self.without(value, "stop") for value in values if value.get("stop") == number]
                  for kind, values in found.items()}
            waves = self.json("waves", trace, "--stop", number)["waves"]
            self.assertEqual([self.without(wave, "dispatch") for wave in of["wave"]], waves)
            self.assertEqual(of["code_object"], self.json("code-objects", trace, "--stop", number)["code_objects"])
            for registers in of.get("registers", []):
                self.assertEqual(registers, self.found("registers", trace, "--stop", number, "--wave", registers["wave"]))
            ranges = self.json("memory", trace, "--stop", number)["ranges"]
            for page in of["memory"]:
                place = int(page["address"], 16)
                self.assertTrue(any(run["space"] == page["space"] and run["owner"] == page["owner"] and
                                    int(run["from"], 16) <= place < int(run["to"], 16) for run in ranges))
            self.assertEqual(sum(int(run["to"], 16) - int(run["from"], 16) for run in ranges),
                             sum(page["recorded_bytes"] for page in of["memory"]))
            for page in [page for page in of["memory"] if page["space"] == "global"][:4]:
                said = self.json("memory", trace, page["address"], page["recorded_bytes"], "--stop", number)
                self.assertEqual(page["data"], said["data"])
            # Every handle leads to a line.
            for kind, owner in (("queue", "agent"), ("dispatch", "queue"), ("workgroup", "dispatch"), ("wave", "dispatch")):
                self.assertLessEqual({value[owner] for value in of[kind]}, {value[owner] for value in of[owner]})
            for part in of.get("image", []):
                self.assertEqual(part["offset"], len(images.get(part["code_object"], b"")))
                images[part["code_object"]] = images.get(part["code_object"], b"") + bytes.fromhex(part["data"])
        self.assertEqual({number: len(image) for number, image in images.items()},
                         {value["code_object"]: value["bytes"] for value in found["code_object"]})
        out = self.directory / "image"
        self.wavetape("code-objects", trace, "--extract", "1", "-o", out, stdout=None)
        self.assertEqual(images[1], out.read_bytes())
        self.assertIn("gfx942", {value["name"].rpartition("-")[2] for value in found["architecture"]})
        self.assertLessEqual({value["architecture"] for value in found["agent"]},
                             {value["architecture"] for value in found["architecture"]})

    def test_sources(self):
        """Files that were kept are lines of the head, those that are empty, too."""
        kept = self.lines(support.TREE.source / "tests/golden/format-1.4.wtape", "--only", "source")["source"]
        self.assertEqual([(part["file"], part["offset"], bytes.fromhex(part["data"])[:3]) for part in kept],
                         [("tests/kernels/oob-store.c", 0, b"/* ")])
        odd = self.lines(support.TREE.source / "tests/vectors/source-files.wtape", "--only", "source")["source"]
        self.assertEqual([(part["file"], len(part["data"])) for part in odd], [("dir/kernel.hip", 34), ("/usr/include/empty.h", 0)])

    def test_some(self):
        trace = self.trace("oob-store")
        whole = self.lines(trace)
        self.assertEqual(self.lines(trace, "--only", "stop,end"), {kind: whole[kind] for kind in ("stop", "end")})
        one = self.lines(trace, "--stop", "2", "--only", "wave,memory,call")
        self.assertEqual(one, {kind: [value for value in whole[kind] if value["stop"] == 2] for kind in ("wave", "memory")})
        other = self.lines(trace, "--base64", "--only", "memory")
        self.assertEqual([base64.b64decode(page["data"]).hex() for page in other["memory"]],
                         [page["data"] for page in whole["memory"]])

    def test_wrong_usage(self):
        trace = self.trace("oob-store")
        for arguments, why in (
                ((), "in which form? Name one: "),
                (("--json-lines", "--json-lines"), "one form at a time: --json-lines was asked for already\n"),
                (("--perfetto", "--json-lines"), "one form at a time: --perfetto was asked for already\n"),
                (("--perfetto", "--stop", "1"), "a timeline is of all stops: --stop says nothing of it\n"),
                (("--perfetto", "--base64"), "--only and --base64 go with --json-lines\n"),
                (("--json-lines", "--json"), "--json says nothing of --json-lines\n"),
                (("--json-lines", "--only", "stop,"), "--only: '' is no kind of line; those are trace, "),
                (("--json-lines", "--only", "stops"),
                 "--only: 'stops' is no kind of line; those are trace, host, architecture, source, stop, event, agent, queue, dispatch, "
                 "workgroup, code_object, image, wave, registers, memory, call, notice and end\n")):
            with self.subTest(arguments=arguments):
                result = wavetape("export", trace, *arguments)
                self.assertEqual((result.code, result.stdout), (2, ""))
                self.assertIn(why, result.stderr)
        result = wavetape("export", trace, "--json-lines", "--stop", "9")
        self.assertEqual((result.code, result.stderr), (2, f"wavetape: cannot show the stop: {trace}: there is no stop 9: the "
                                                           "trace has 2, counted from 1\n"))

    def test_damaged(self):
        """What is whole comes, and the last line says that there was more."""
        result = wavetape("export", self.torn(), "--json-lines")
        self.assertEqual(result.code, 3)
        self.assertIn("wavetape: the trace is not whole: ", result.stderr)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(lines[0]["line"], "trace")
        self.assertEqual((lines[-1]["line"], lines[-1]["complete"], lines[-1]["not_known"]),
                         ("end", False, ["part of the trace is lost"]))

    def test_streamed(self):
        """Many stops take no more memory than few."""
        few, many = (self.session("--break", "debug_trap", "--steps", steps, "--stops", "200", name=f"steps-{steps}")
                     for steps in ("10", "100"))
        peaks = []
        for trace in (few, many):
            pid = os.posix_spawn(support.TREE.command, [support.TREE.command, "export", trace, "--json-lines", "-o",
                                                        self.directory / "out"], os.environ)
            _, status, usage = os.wait4(pid, 0)
            self.assertEqual(status, 0)
            peaks.append(usage.ru_maxrss)
        self.assertLess(peaks[1], 1.5 * peaks[0], peaks)


class Perfetto(Export):
    """Decoded with the published numbers."""

    def read(self, trace, **options):
        sys.path.insert(0, str(support.TREE.build / "tests/end-to-end"))
        import perfetto_pb2 as pb  # pylint: disable=import-error,import-outside-toplevel
        out = self.directory / "timeline"
        self.wavetape("export", trace, "--perfetto", "-o", out, stdout=None, **options)
        whole = pb.Trace.FromString(out.read_bytes())
        for packet in whole.packet:
            self.assertFalse(packet.UnknownFields() if hasattr(packet, "UnknownFields") else ())
            self.assertEqual(packet.trusted_packet_sequence_id, 1)
        self.assertEqual([packet.sequence_flags for packet in whole.packet if packet.HasField("sequence_flags")], [1])
        tracks = {}
        for packet in whole.packet:
            if packet.HasField("track_descriptor"):
                descriptor = packet.track_descriptor
                self.assertNotIn(descriptor.uuid, tracks)
                self.assertTrue(not descriptor.HasField("parent_uuid") or descriptor.parent_uuid in tracks)
                tracks[descriptor.uuid] = descriptor
        return whole, tracks, self.slices(pb, whole, tracks)

    def slices(self, pb, whole, tracks):
        """By track: (name, begin, end or None, notes). On a track none lies in another, and all follow in time."""
        found = {uuid: [] for uuid in tracks}
        for packet in whole.packet:
            if not packet.HasField("track_event"):
                continue
            event, of = packet.track_event, found[packet.track_event.track_uuid]
            notes = {note.name: note.string_value if note.HasField("string_value") else
                     note.pointer_value if note.HasField("pointer_value") else note.uint_value
                     for note in event.debug_annotations}
            if of:
                self.assertGreaterEqual(packet.timestamp, of[-1][2] or of[-1][1])
            if event.type == pb.TrackEvent.TYPE_SLICE_END:
                self.assertIsNone(of[-1][2])
                of[-1] = (*of[-1][:2], packet.timestamp, {**of[-1][3], **notes})
            else:
                self.assertTrue(not of or of[-1][2] is not None or event.type == pb.TrackEvent.TYPE_INSTANT)
                of.append((event.name, packet.timestamp, None, notes))
        return found

    def named(self, tracks, slices, name):
        """What is on the tracks of that name, and their parents' names."""
        return [(tracks[uuid].parent_uuid, of) for uuid, of in slices.items() if tracks[uuid].name.startswith(name)]

    def test_timeline(self):
        trace = self.session("--break", "debug_trap", "--steps", "3")
        whole, tracks, slices = self.read(trace)
        info, stops = self.json("info", trace), self.json("stops", trace)["stops"]
        clocks = {clock.clock_id: clock.timestamp for clock in whole.packet[0].clock_snapshot.clocks}
        self.assertEqual(clocks, {1: info["start_time_ns"], 6: 0})
        # The calls, with what they took.
        calls = [call for call in self.json("journal", trace)["entries"] if "call" in call]
        (parent, of), = self.named(tracks, slices, "API calls of thread")
        self.assertEqual(tracks[parent].process.pid, self.json("host", trace)["process_id"])
        self.assertEqual([(name, begin, end, notes["call"]) for name, begin, end, notes in of],
                         [(call["function"], call["start_ns"], call["start_ns"] + call["duration_ns"], call["call"])
                          for call in calls])
        self.assertEqual([notes.get("status") for _, _, _, notes in of], [call["status"] for call in calls])
        # The stops.
        (_, of), = self.named(tracks, slices, "stops")
        self.assertEqual([(begin, notes["waves"], notes["stopped"], notes.get("at")) for _, begin, _, notes in of],
                         [(stop["time_ns"], stop["waves"], stop["stopped"], stop.get("at")) for stop in stops])
        self.assertEqual(of[0][0], "stop 1")
        # Each wave and dispatch is there from the first stop that has it to the first that has not.
        times = [stop["time_ns"] for stop in stops]
        for number, time in enumerate(times, 1):
            waves = self.json("waves", trace, "--stop", number)["waves"]
            for wave in waves:
                (parent, of), = self.named(tracks, slices, f"w{wave['wave']} ")
                (name, _, _, notes), = [slice for slice in of if slice[1] <= time and (slice[2] is None or time < slice[2])]
                self.assertEqual(name, "running" if wave["state"] == "running" else
                                 wave["stop_reason"].lower().replace("_", " ") if wave["stop_reason"] != "NONE" else
                                 "stopped on request")
                self.assertEqual(notes.get("pc"), int(wave["pc"], 16) if "pc" in wave else None)
                self.assertEqual(tracks[tracks[parent].parent_uuid].name, "queue 1")
                self.assertEqual(slices[parent][0][0], wave["kernel"])
            live = [of for _, of in self.named(tracks, slices, "w")
                    if any(begin <= time and (end is None or time < end) for _, begin, end, _ in of)]
            self.assertEqual(len(live), len(waves))
        (_, of), = self.named(tracks, slices, "dispatch 1")
        self.assertEqual((of[0][0], of[0][1]), ("debug_trap", times[0]))
        self.assertTrue(all(set(begin for _, begin, _, _ in of) <= set(times)
                            for _, of in self.named(tracks, slices, "w")))

    def test_without_times(self):
        path = self.trace("oob-store")
        out = self.directory / "out"
        result = wavetape("export", path, "--perfetto", "-o", out)
        self.assertEqual((result.code, result.stderr, out.exists()),
                         (1, f"wavetape: cannot export a timeline: {path}: the trace has no times: "
                             "it was recorded with --reproducible\n", False))

    def test_damaged(self):
        result = wavetape("export", self.torn(), "--perfetto", "-o", self.directory / "out")
        self.assertEqual(result.code, 3)
        self.assertIn("wavetape: the trace is not whole: ", result.stderr)
        self.assertGreater((self.directory / "out").stat().st_size, 0)


class Core(Export):
    """A core of a stop, read again by our library: as the trace has it."""

    # Trap temporaries that are not the program's: see check-core.py. The lower half of a parked pc is in ttmp10 of gfx12, in ttmp7 of others.
    OWN = {"ttmp4", "ttmp7", "ttmp11"}
    OWN_GFX12 = {"ttmp4", "ttmp10", "ttmp11"}

    def export(self, trace, *options, code=0, stderr=""):
        core = self.directory / "exported.core"
        self.wavetape("export", trace, "--core", "-o", core, *options, code=code, stderr=stderr, stdout="")
        return core

    def record(self, core, name="again", library=None):
        path = self.directory / f"{name}.wtape"
        path.unlink(missing_ok=True)
        self.wavetape("record", "--reproducible", "--core", core, "--waves", "all", "-o", path, *(("--dbgapi", library) if library else ()),
                      stdout=None)
        return path

    def lacks(self, count, what, why):
        return f"wavetape: the core lacks something: {self.directory}/exported.core: {count} {what}: {why}\n"

    def check_live(self, trace, stop, *options, **expected):
        """What differs is what a core does not have: when its waves stopped, and the debugger's own registers."""
        core, rest = self.export(trace, "--stop", stop, **expected), []
        own = self.OWN_GFX12 if "gfx12" in os.path.basename(trace) else self.OWN
        for library in (*AMD, None):
            again = self.record(core, library=library)
            result = wavetape("diff", trace, again, "--stop", stop, "--stop-b", "1", "--json")
            report = json.loads(result.stdout)
            found = [difference for one in report["stops"] for difference in one["differences"]]
            rest += [difference for difference in found if difference["kind"] != "event" and
                     not (difference["kind"] == "register" and difference.get("name") in own)]
        return again, rest, report["compared"]

    def test_of_a_core(self):
        """Nothing differs of a trace that was made of a core."""
        for name in support.share([name + variant for name in support.FAULTS for variant in support.VARIANTS]):
            with self.subTest(workload=name):
                core = self.directory / "first.core"
                wavetape("simulate", support.TREE.workload(name), "--core", core)
                first = self.record(core, "first")
                again = self.record(self.export(first))
                report = json.loads(self.wavetape("diff", first, again, "--json"))
                self.assertEqual(report["differences"], 0, report)
                self.assertGreater(report["compared"]["registers"], 40)

    def test_larger_slots(self):
        """A queue's slots of private memory are as large as the largest of its kernels wants: places of waves are found, and nothing is dropped."""
        trace = self.session("--break", "vecadd", "--stops", "2", workload="two-kernels-O0", options=("--waves", "all"))
        _, rest, compared = self.check_live(trace, 2)
        self.assertEqual((rest, compared["waves"]), ([], 16))
        # What a library gives of a slot may be more than its wave's kernel wants.
        smaller, larger = (json.loads(support.TREE.workload(name).read_text("utf-8")) for name in ("oob-store-O0", "saxpy-O0"))
        workload = self.directory / "two.json"
        workload.write_text(json.dumps({
            "architecture": "gfx942", "buffers": smaller["buffers"] | larger["buffers"],
            "code_objects": [str(support.TREE.kernels / one["code_objects"][0]) for one in (smaller, larger)],
            "dispatches": smaller["dispatches"] + larger["dispatches"]}), "utf-8")
        core = self.directory / "first.core"
        wavetape("simulate", workload, "--core", core)
        for library in (*AMD, None):
            first = self.record(core, "first", library)
            traces = first, self.record(self.export(first), library=library)
            found = [[line["recorded_bytes"] for line in map(json.loads, self.wavetape(
                "export", path, "--json-lines", "--only", "memory").splitlines()) if line["space"] == "private_wave"] for path in traces]
            self.assertEqual(found, [[4096, 4096]] * 2)
            self.assertEqual(json.loads(self.wavetape("diff", *traces, "--json"))["differences"], 0)

    def test_order(self):
        """Whoever reads the core numbers agents and queues as the trace has them, in which the newest is listed first."""
        for name in ("two-queues", "two-agents"):
            core = self.directory / "first.core"
            wavetape("simulate", support.TREE.workload(name), "--core", core)
            first = self.record(core, "first")
            lines = [[json.loads(line) for line in self.wavetape("export", trace, "--json-lines", "--only", "agent,queue").splitlines()]
                     for trace in (first, self.record(self.export(first)))]
            self.assertGreater(len([line for line in lines[0] if line["line"] in ("queue", "agent")]), 2)
            self.assertEqual(*lines)

    def test_live(self):
        for name in support.share(["oob-load", "assert-trap-O0", "illegal-gfx90a", "matmul-short-buffer-gfx90a-O0"]):
            with self.subTest(workload=name):
                trace = self.trace(name)
                _, rest, compared = self.check_live(trace, len(self.json("stops", trace)["stops"]))
                self.assertEqual(rest, [])
                self.assertGreater(compared["waves"], 0)

    def test_sessions(self):
        """Waves at a breakpoint, of every workload: none of them faults there, and all are in the core."""
        names = sorted(path.stem for path in support.TREE.kernels.glob("*.json") if not path.stem.startswith("bad-"))
        for name in names if LONG else support.share(names[::24]):
            with self.subTest(workload=name):
                kernel = json.loads(support.TREE.workload(name).read_text("utf-8"))["dispatches"][0]["kernel"]
                trace = self.session("--break", kernel, "--stops", "2", workload=name, name=f"at-{name}", options=("--waves", "all"))
                stops = [stop["stop"] for stop in self.json("stops", trace)["stops"] if stop["stopped"]]
                for stop in stops[:1]:
                    _, rest, compared = self.check_live(trace, stop)
                    self.assertEqual(rest, [])
                    self.assertGreater(compared["registers"], 40)

    def test_local_and_private(self):
        """Their bytes, through the wave, as the trace has them."""
        for name, space in (("scan", "local"), ("assert-trap-O0", "private_lane"), ("assert-trap-gfx90a-O0", "private_lane")):
            with self.subTest(workload=name):
                trace = self.trace(name) if name != "scan" else self.session("--break", "scan", "--steps", "3", workload=name)
                stop = max(stop["stop"] for stop in self.json("stops", trace)["stops"] if stop["stopped"])
                waves = self.json("waves", trace, "--stop", stop)["waves"]
                whole = [wave for wave in waves if wavetape("registers", trace, "--stop", stop, "--wave", wave["wave"],
                                                            "v0", "s0").code == 0]
                left = len(waves) - len(whole)
                options = {} if not left else {
                    "code": 3, "stderr": self.lacks(left, "waves are left out" if left > 1 else "wave is left out",
                                                    "their registers were not recorded, or not all of them")}
                again, rest, _ = self.check_live(trace, stop, **options)
                self.assertEqual([difference for difference in rest if difference["kind"] != "wave"], [])
                place = lambda wave: (wave["workgroup"], wave["number_in_workgroup"])
                there = {str(place(wave)): wave["wave"] for wave in self.json("waves", again)["waves"]}
                self.assertEqual(len(there), len(whole))
                data = [self.json("memory", path, "0", "64", "--space", space, "--wave", wave, *options)["data"]
                        for path, wave, options in ((trace, whole[0]["wave"], ("--stop", stop)),
                                                    (again, there[str(place(whole[0]))], ()))]
                self.assertEqual(len(data[0]), 128)
                self.assertEqual(data[0], data[1])

    def test_left_out(self):
        trace = self.trace("debug-trap")
        core = self.export(trace, "--stop", "1", code=3, stderr=self.lacks(
            4, "waves are left out", "their registers were not recorded, or not all of them") + self.lacks(
                1, "dispatch is left out", "no wave of them is in the core"))
        self.assertEqual(self.json("waves", self.record(core))["waves"], [])

    def test_where(self):
        trace = self.trace("oob-store")
        core = self.directory / "exported.core"
        core.write_bytes(b"before")
        core.chmod(0o640)
        self.export(trace)
        self.assertEqual((core.read_bytes()[:4], stat.S_IMODE(core.stat().st_mode)), (b"\x7fELF", 0o640))
        for arguments in ((), ("-o", "-")):
            result = wavetape("export", trace, "--core", *arguments)
            self.assertEqual((result.code, result.stdout), (2, ""))
            self.assertIn("where to? --core needs a file: name it with --output\n", result.stderr)
        result = wavetape("export", trace, "--core", "-o", "/dev/null")
        self.assertEqual((result.code, result.stderr),
                         (2, "wavetape: cannot write the core file: /dev/null: it is no file, and a core is not written "
                             "from its start to its end\n"))

    def test_no_stop(self):
        before = self.directory / "exported.core"
        before.write_bytes(b"before")
        result = wavetape("export", self.trace("oob-store"), "--core", "--stop", "7", "-o", before)
        self.assertEqual((result.code, before.read_bytes()), (2, b"before"))
        self.assertEqual([path.name for path in self.directory.iterdir()], ["exported.core"])

    def test_damaged(self):
        result = wavetape("export", self.torn(chunk=1), "--core", "-o", self.directory / "exported.core")
        self.assertIn("wavetape: the trace is not whole: ", result.stderr)
        self.assertIn(result.code, (1, 3))


if __name__ == "__main__":
    support.main(__doc__)
