# SPDX-License-Identifier: MIT
"""The Python module over libwavetape: its answers are those of the verbs, its page is true, and nothing that is done to it crashes."""

import contextlib
import ctypes
import dataclasses
import gc
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import unittest

import support
from sources import compile_source
from support import Case, share

wavetape = None


def setUpModule():
    """Import the module of the build directory. A library that is loaded already is found by its name."""
    global wavetape
    ctypes.CDLL(str(support.TREE.build / "libwavetape/libwavetape.so.0"), ctypes.RTLD_GLOBAL)
    sys.path.insert(0, str(support.TREE.build / "libwavetape/python"))
    import wavetape as module
    wavetape = module


def code_json(place):
    """A place as the verbs have it."""
    json = {"address": hex(place.address), "instruction": place.instruction}
    for name in ("not_decoded", "decoded_as"):
        if getattr(place, name):
            json[name] = getattr(place, name)
    if place.words:
        json["words"] = [f"0x{word:08x}" for word in place.words]
    if place.code_object:
        json["code_object"] = place.code_object
    if place.symbol:
        json["symbol"] = {"name": place.symbol, "offset": place.symbol_offset}
    if place.file:
        json["source"] = {"file": place.file, "line": place.line, "column": place.column, "function": place.function}
    return json


def differs_json(sources, place):
    differs = sources.differs(place)
    return {} if differs is None else {"source_differs": differs}


def access_json(access):
    return {
        "space": access.space, "kind": "update" if access.read and access.write else "store" if access.write else "load",
        "scalar": access.scalar, "bytes": access.size, "unmapped_lanes": access.unmapped_lanes, "unknown_lanes": access.unknown_lanes,
        "addresses": {str(lane): hex(address) for lane, address in access.addresses.items()},
    }


def wave_json(wave):
    json = {"wave": wave.number, "state": wave.state, "number_in_workgroup": wave.number_in_workgroup}
    if wave.workgroup:
        json["workgroup"] = list(wave.workgroup)
    if wave.kernel:
        json["kernel"] = wave.kernel
    if wave.state == "stopped":
        json |= {"stop_reason": wave.reasons, "pc": hex(wave.pc), "exec": hex(wave.exec), "code": code_json(wave.place)}
        if wave.place_is_certain is not None:
            json["place_is_certain"] = wave.place_is_certain
        if wave.access:
            json["access"] = access_json(wave.access)
    return json


def register_json(one):
    json = {"name": one.name, "type": one.type, "bytes": one.size}
    if isinstance(one.value, list):
        return json | {"lanes": [f"0x{value:08x}" for value in one.value]}
    return json | {"value": None if one.value is None else hex(one.value % 2**64)}


def frame_json(frame):
    json = code_json(frame.place)
    return json | {"frame": frame.number, "function": frame.function, "inlined": frame.inlined}


def stop_json(stop):
    json = {"stop": stop.number, "call": stop.call, "time_ns": stop.time_ns,
            "events": [{"event": number, "kind": kind} for number, kind in stop.events]}
    if stop.state_lost:
        return json | {"state_lost": True}
    json |= {"waves": stop.waves, "stopped": stop.stopped, "reasons": stop.reasons, "kernel": stop.kernel}
    return json | ({"at": None} if stop.place else {})


def cause_json(cause):
    """Without the steps."""
    arguments = [{"name": one.name, "kind": one.kind, "hidden": one.hidden, "offset": one.offset, "bytes": one.size}
                 | ({"value": hex(one.value)} if one.value is not None and one.size <= 8 else {})
                 | {name: said for name in ("type", "text") if (said := getattr(one, name)) is not None} for one in cause.arguments]
    json = {"cause": {"kind": cause.kind, "sentence": cause.sentence, "why_not": cause.why_not}, "arguments": arguments}
    if cause.lane is None:
        return json
    near = {"memory_ends_before": cause.memory_ends_before, "memory_begins_after": cause.memory_begins_after, "end": cause.end}
    near = {name: hex(value) for name, value in near.items() if value is not None}
    if cause.argument:
        near |= {"argument": cause.argument.name, "byte_offset": cause.byte_offset}
    if cause.element is not None:
        near["element"] = cause.element
    json |= {"lane": cause.lane, "address": hex(cause.address), "near": near}
    return json | ({"late": cause.late} if cause.late else {})


def values_json(variable):
    """The different values of a variable, with the lanes that have each. Numbers of pointers are as Python has them."""
    groups = []
    for lane, value in variable.values().items():
        found = next((group for group in groups if group[1] == value), None)
        if found:
            found[0].append(lane)
        else:
            groups.append(([lane], value))
    return [{"lanes": lanes} | ({"unknown": value.why} if value.why else {"value": value.value}) for lanes, value in groups]


def plain(value):
    """A value of a verb as Python has it: addresses as numbers, and without what stands for what is not there."""
    if isinstance(value, str) and re.fullmatch(r"0x[0-9a-f]+", value):
        return int(value, 16)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{17,}", value):
        return int(value)
    if value in ("nan", "inf", "-inf"):
        return float(value)
    if isinstance(value, list):
        return [plain(one) for one in value if not (isinstance(one, dict) and list(one) == ["more"])]
    if isinstance(value, dict) and list(value) == ["members"]:
        members = [wavetape.Member(one["name"], plain(one["value"]), one.get("base", False)) for one in value["members"]]
        # Keys that JSON has for other things are names like any other here.
        return members if any("base" in one or "unnamed" in one for one in value["members"]) else {one.name: one.value for one in members}
    if isinstance(value, dict) and list(value) == ["reference", "value"]:
        return plain(value["value"])
    if isinstance(value, dict):
        return None if list(value) == ["unknown"] else {name: plain(one) for name, one in value.items()}
    return value


class Values(Case):
    """Values of C++ as Python has them, against those that `locals` prints as JSON."""

    def recorded(self, name, arguments):
        _, code = compile_source(name, "gfx90a", "-O0", self.directory)
        workload, trace = self.directory / f"{name}.json", self.directory / f"{name}.wtape"
        workload.write_text(support.json.dumps({
            "architecture": "gfx90a", "code_objects": [str(code)], "buffers": {"log": {"bytes": 64 * 48 * 192 * 4}},
            "dispatches": [{"kernel": name, "grid": [64, 1, 1], "workgroup": [64, 1, 1], "arguments": [{"buffer": "log"}, *arguments]}],
        }), "utf-8")
        self.assertEqual(support.wavetape("record", "-o", trace, "--workload", workload).code, 0)
        return trace

    def test_values(self):
        for name in ("classes", "numbers"):
            path = self.recorded(name, [{"i32": 9}])
            expected = {variable["name"]: variable["values"][0] for variable in
                        support.json.loads(self.wavetape("locals", path, "--stop", 2, "--lane", 3, "--json"))["variables"]}
            with wavetape.open(path) as trace, trace.stops[2].wave.stack as stack:
                found = {variable.name: variable.value(3).value for variable in stack[0].variables}
            self.assertEqual(set(found), set(expected))
            for variable, one in expected.items():
                # NaN is no NaN's equal.
                self.assertEqual(repr(found[variable]), repr(plain(one.get("value"))), variable)
            if name == "classes":
                self.assertEqual(found["twice"][1], wavetape.Member("back::base", {"x": 22}, True))
                self.assertEqual([member.name for member in found["twice"]], ["front::base", "back::base", "union", "union #2", "struct", "tail"])
            else:
                self.assertEqual((found["reference"], found["most"], found["wide"]), (30, 2**128 - 1, -3 << 100))


class BuildTree(Case):
    """As the pages say: nothing is installed."""

    def in_tree(self, *words, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "PYTHONPATH")}
        return subprocess.run(words, capture_output=True, text=True, check=False, env=environment | variables, cwd=self.directory)

    def test_module(self):
        if os.environ.get("ASAN_OPTIONS") or os.environ.get("LD_PRELOAD"):
            self.skipTest("a Python without the sanitizers' runtime does not load it")
        done = self.in_tree(sys.executable, "-c", "import wavetape; print(wavetape.version())", PYTHONPATH=str(support.TREE.build / "libwavetape/python"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_library(self):
        if os.environ.get("ASAN_OPTIONS") or os.environ.get("LD_PRELOAD") or not shutil.which("pkg-config"):
            self.skipTest("no pkg-config, or a library that needs a runtime")
        flags = self.in_tree("pkg-config", "--cflags", "--libs", "wavetape", PKG_CONFIG_PATH=str(support.TREE.build / "meson-uninstalled"))
        self.assertEqual((flags.returncode, flags.stderr), (0, ""))
        source = support.TREE.source / "docs/examples/crash-site.c"
        made = self.in_tree("cc", str(source), "-o", "crash-site", *flags.stdout.split())
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        said = self.in_tree("./crash-site", str(self.trace("oob-store")), LD_LIBRARY_PATH=str(support.TREE.build / "libwavetape"))
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("oob_store", said.stdout)


class Same(Case):
    """Answers against what verbs print as JSON, of golden traces, vectors and what is recorded here."""

    def traces(self):
        source = support.TREE.source / "tests"
        paths = [*sorted(source.glob("golden/*.wtape")), source / "vectors/recorded-redacted.wtape", self.trace("oob-store-O0"),
                 self.trace("recursion-O0"), self.trace("divergent")]
        return share(paths)

    def verb(self, *arguments):
        """Its JSON, or None where it fails; a trace that is not whole ends it with 3."""
        done = support.wavetape(*arguments, "--json")
        self.assertIn(done.code, (0, 1, 3), done.stderr)
        return support.json.loads(done.stdout) if done.code != 1 else None

    def check_stops(self, path, trace):
        expected = self.verb("stops", path)["stops"]
        found = [stop_json(stop) for stop in trace.stops.summaries()]
        for stop in expected:
            stop.pop("process", None)
            if "at" in stop:
                stop["at"] = None
        self.assertEqual(found, expected)
        self.assertEqual([stop.number for stop in trace.stops], [stop["stop"] for stop in expected])

    def check_waves(self, path, stop):
        expected = self.verb("waves", path, "--stop", stop.number)
        self.assertEqual([wave_json(wave) for wave in stop.waves], expected["waves"])
        columns = stop.waves.columns()
        self.assertEqual(columns["wave"], [wave["wave"] for wave in expected["waves"]])
        self.assertEqual({len(column) for column in columns.values()}, {len(expected["waves"])})

    def check_registers(self, path, stop):
        expected = self.verb("registers", path, "--stop", stop.number)
        if not expected:
            return self.assertRaises(wavetape.NotFoundError, lambda: stop.wave)
        wave = stop.wave
        self.assertEqual(wave.number, expected["wave"])
        self.assertEqual([register_json(one) for one in wave.registers.select()], expected["registers"])
        listed = self.verb("registers", path, "pc,s0-s3", "vector", "--stop", stop.number)
        found = wave.registers.select("pc,s0-s3") + wave.registers.select("vector")
        return self.assertEqual([register_json(one) for one in found], listed["registers"])

    def check_memory(self, path, stop):
        expected = self.verb("memory", path, "--stop", stop.number)["ranges"]
        spaces = [("global", stop.process), *(("local", number) for number in stop.workgroups),
                  *(("private_wave", number) for number in stop.waves.numbers)]
        found = [{"space": space, "owner": owner, "from": hex(start), "to": hex(end)}
                 for space, owner in spaces for start, end in stop.memory.runs(space, owner)]
        self.assertEqual(found, expected)
        for run in expected[:2]:
            start = int(run["from"], 16)
            part = self.verb("memory", path, start, 256, "--stop", stop.number)
            data, known = stop.memory.peek(start, 256)
            self.assertEqual(data[:part["recorded_bytes"]].hex(), part["data"])
            self.assertEqual(known[:part["recorded_bytes"]], b"\1" * part["recorded_bytes"])

    def check_code(self, path, stop):
        found = [{"code_object": one.number, "load_address": hex(one.load_address), "uri": one.uri, "recorded": one.data is not None,
                  "bytes": len(one.data or b"")} for one in stop.code_objects.values()]
        self.assertEqual(found, self.verb("code-objects", path, "--stop", stop.number)["code_objects"])

    def check_variables(self, path, stop):
        expected = self.verb("locals", path, "--stop", stop.number)
        calls = self.verb("backtrace", path, "--stop", stop.number)
        if not expected:
            return
        with stop.wave.stack as stack, wavetape.open(path) as trace, trace.sources() as sources:
            self.assertEqual([frame_json(frame) | differs_json(sources, frame.place) for frame in stack], calls["frames"])
            self.assertEqual(stack.active_lanes, expected["lanes"])
            found = [{"name": one.name, "type": one.type, "parameter": one.parameter, "shadowed": one.shadowed,
                      "values": values_json(one)} for one in stack[0].variables]
        for variable in expected["variables"]:
            # The command's word for values of which it printed one.
            variable.pop("computed", None)
            variable["values"] = [{name: plain(value) if name == "value" else value for name, value in group.items()}
                                  for group in variable["values"]]
        self.assertEqual(found, expected["variables"])

    def check_cause(self, path, stop):
        for expected in self.verb("explain", path, "--stop", stop.number)["explanations"]:
            cause = stop.waves[expected["wave"]].explain()
            steps = [{"code": code_json(step.place), "meaning": step.meaning, "part": step.part, "indirect": step.indirect,
                      "comparison": step.comparison}
                     | ({"register": step.written, "held": step.held} if step.written else {})
                     | ({"values": {str(lane): hex(value) for lane, value in step.values.items()}} if step.values else {})
                     for step in cause.steps]
            for step in expected.get("steps", []):
                step.pop("sources")
                if not step.get("values"):
                    step.pop("values", None)
            self.assertEqual(steps, expected.pop("steps", []))
            expected.pop("more_steps", None)
            if cause.late:
                self.assertEqual(code_json(cause.steps[0].place), expected.pop("failed_at"))
            # The text of source lines is the verb's own.
            expected.pop("source_lines", None)
            with wavetape.open(path) as trace, trace.sources() as sources:
                self.assertEqual(differs_json(sources, stop.waves[expected["wave"]].place).get("source_differs"), expected.pop("source_differs", None))
            found = wave_json(stop.waves[expected["wave"]]) | cause_json(cause)
            for access in (found.get("access"), expected.get("access")) if cause.late else ():
                # Of an access before the pc the way judges lanes whose addresses nobody looked at; the wave alone cannot.
                access["failed"] = sorted(access.pop("unmapped_lanes") + access.pop("unknown_lanes"))
            self.assertEqual(found, expected)
            self.assertIn(cause.sentence or "", stop.crash)

    def check_dispatches(self, path, stop):
        done = support.wavetape("export", path, "--json-lines", "--only", "dispatch", "--stop", stop.number)
        expected = [support.json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(stop.dispatches, [one["dispatch"] for one in expected])
        for one in expected:
            found = stop.dispatch(one["dispatch"])
            addresses = (found.arguments, found.descriptor, found.entry, found.completion)
            names = ("kernel_argument_segment", "kernel_descriptor", "kernel_code_entry", "kernel_completion")
            self.assertEqual(addresses, tuple(int(one.get(f"{name}_address", "0"), 16) or None for name in names))
            self.assertEqual((found.grid, found.workgroup), (tuple(one["grid_sizes"]), tuple(one["workgroup_sizes"])))
            self.assertEqual((found.agent, found.queue, found.packet, found.dimensions, found.private_bytes, found.local_bytes),
                             tuple(one[name] for name in ("agent", "queue", "os_queue_packet_id", "grid_dimensions", "private_segment_size",
                                                          "group_segment_size")))
            self.assertEqual(found.kernel, stop.place(found.entry).symbol)

    def check_agents(self, path, stop):
        """Agents and queues, by the names that the debugger's API has for what is known of them."""
        done = support.wavetape("export", path, "--json-lines", "--only", "agent,queue", "--stop", stop.number)
        expected = [support.json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([("agent", number) for number in stop.agents] + [("queue", number) for number in stop.queues],
                         [(one["line"], one[one["line"]]) for one in expected])
        for one in expected:
            if one["line"] == "agent":
                found = stop.agent(one["agent"])
                names = ("name", "pci_domain", "pci_slot", "pci_vendor_id", "pci_device_id", "execution_unit_count", "max_waves_per_execution_unit", "os_id")
                self.assertEqual((found.name, found.pci_domain, found.pci_slot, found.vendor, found.device, found.execution_units,
                                  found.waves_of_unit, found.os_id), tuple(one[name] for name in names))
                self.assertEqual({found.architecture}, {wave.architecture for wave in stop.waves} or {found.architecture})
            else:
                found = stop.queue(one["queue"])
                # The driver's first queue is 0 there, which the library has for not known.
                self.assertEqual((found.agent, hex(found.address), found.size, found.os_id),
                                 (one["agent"], one["address"], one["size"], one["os_id"] or None))
        self.assertRaises(wavetape.NotFoundError, stop.agent, 99)
        self.assertRaises(wavetape.NotFoundError, stop.queue, 99)

    def check_symbols(self, path, stop):
        """As readelf lists them, but for what has no address."""
        for number, code in stop.code_objects.items():
            if code.data is None:
                continue
            image = support.TREE.temporary / "symbols.co"
            image.write_bytes(code.data)
            text = support.subprocess.run(["readelf", "--symbols", "--wide", image], check=True, capture_output=True, text=True).stdout
            table = text.split("Symbol table '.symtab'")[-1]
            rows = re.findall(r"^ +\d+: (\w+) +(\w+) (FUNC|OBJECT|NOTYPE) +\w+ +\w+ +(?:\[.*?\] +)?\d+ (\S+)$", table, re.MULTILINE)
            kinds = {"FUNC": "FUNCTION", "OBJECT": "OBJECT", "NOTYPE": "OTHER"}
            expected = [(name, int(value, 16), code.load_address + int(value, 16), int(size, 0), kinds[kind])
                        for value, size, kind, name in rows]
            self.assertEqual([(one.name, one.elf_address, one.address, one.bytes, one.kind) for one in stop.symbols(number)], expected)
            self.assertTrue(expected)

    def test_stops(self):
        for path in self.traces():
            with self.subTest(path.name), wavetape.open(path) as trace:
                self.check_stops(path, trace)
                if not len(trace.stops):
                    continue
                with trace.stop() as stop:
                    for check in (self.check_waves, self.check_registers, self.check_memory, self.check_code, self.check_variables,
                                  self.check_cause, self.check_agents, self.check_dispatches, self.check_symbols):
                        with self.subTest(check=check.__name__):
                            check(path, stop)

    def check_value(self, expected, found):
        """A number may be an enumerator's or an address; a text is the same."""
        if isinstance(expected, int):
            expected = {str(expected), hex(expected), f"#{expected}"}
            return self.assertIn(found, expected)
        return self.assertEqual(found, expected)

    def test_journal(self):
        for path in (support.TREE.source / "tests/golden/format-1.3.wtape",
                     support.TREE.source / "tests/vectors/callbacks-and-notices.wtape",
                     support.TREE.source / "tests/vectors/call-without-end.wtape"):
            with wavetape.open(path) as trace:
                found = list(trace.journal())
            expected = self.verb("journal", path)["entries"]
            self.assertEqual(len(found), len(expected), path)
            for one, entry in zip(found, expected):
                if isinstance(one, wavetape.Notice):
                    self.assertEqual({"notice": one.text}, entry)
                    continue
                self.assertEqual((one.number, one.status), (entry["call"], entry.get("status")))
                if isinstance(one, wavetape.Answer):
                    continue
                self.assertEqual((one.function, one.thread, one.start_ns, one.duration_ns, one.returned),
                                 (entry["function"], entry["thread"], entry["start_ns"], entry.get("duration_ns"), "status" in entry))
                self.assertEqual([(callback.name, callback.result) for callback in one.callbacks],
                                 [(callback["callback"], callback["result"]) for callback in entry.get("callbacks", [])])
                for found_values, values in ((one.inputs, entry["inputs"]), (one.outputs, entry.get("outputs", {}))):
                    self.assertEqual(list(found_values), list(values))
                    for name, value in values.items():
                        self.check_value(value, found_values[name])

    def test_host(self):
        path = self.directory / "host.wtape"
        self.wavetape("record", "-o", path, "--workload", support.TREE.workload("oob-store"), stderr=None or "")
        expected = self.json("host", path)
        with wavetape.open(path) as trace:
            host = trace.host
        self.assertEqual((host.process_id, host.executable, host.command_line, host.versions, host.environment, host.not_known),
                         tuple(expected[name] for name in ("process_id", "executable", "command_line", "versions", "environment",
                                                           "not_known")))
        self.assertEqual([(hex(one.start), one.path, one.access, one.build_id.hex() if one.build_id else None) for one in host.maps],
                         [(one["start"], one["path"], one["access"], one["build_id"]) for one in expected["maps"]])
        frames = [frame for one in host.threads for frame in one.frames]
        self.assertEqual([(hex(one.address), one.symbol, one.symbol_offset, one.path, one.file, one.line) for one in frames],
                         [(one["address"], one["symbol"], one["offset"], one["path"], one.get("file"), one.get("line"))
                          for thread in expected["threads"] for one in thread["frames"]])
        self.assertEqual([(one.id, one.name, len(one.frames)) for one in host.threads],
                         [(one["id"], one["name"], len(one["frames"])) for one in expected["threads"]])

    def test_what_is_missing(self):
        for name in ("a-chunk-is-gone", "a-keyframe-is-gone", "recorded-redacted", "recorded-trimmed"):
            path = support.TREE.source / f"tests/vectors/{name}.wtape"
            expected = self.verb("info", path)
            with wavetape.open(path) as trace:
                self.assertEqual(trace.missing, [reason for reason in expected["not_known"] if not reason.startswith("the state of")])
                self.assertEqual(trace.info.redacted, name == "recorded-redacted")
                self.assertEqual(bool(trace.damage), name.endswith("-gone"))


class Way(Case):
    """The way of a wave: its steps, values and answers are those of `wavetape way`."""

    def test_steps(self):
        trace = self.trace("oob-store")
        verb = self.json("way", trace, "-n", "100")
        with wavetape.open(trace) as opened, opened.stop(2).waves[3].way() as way:
            info = way.info
            self.assertEqual((info.found, info.steps, info.proved, info.recorded, info.why_not),
                             (True, verb["way"]["steps"], verb["way"]["proved"], verb["way"]["recorded"], None))
            self.assertEqual(way.position, info.steps)
            steps = list(way.steps())
            self.assertEqual([(step.position, step.place.instruction, step.exec, step.depth) for step in steps],
                             [(step["position"], step["code"]["instruction"], int(step["exec"], 16), step["depth"])
                              for step in verb["steps"]])
            self.assertEqual([[touch.first or touch.space for touch in step.writes] for step in steps],
                             [[touch.get("register") or touch["space"] for touch in step["writes"]] for step in verb["steps"]])
            # Behind each step is what it is said to have written.
            for step in verb["steps"][:-1]:
                way.position = step["position"] + 1
                for touch in step["writes"]:
                    if touch.get("register", "").startswith("v") and not touch["register"].startswith("vcc"):
                        value = way.value(touch["register"], step["lane"])
                        self.assertEqual((value.status, hex(value.value)), (touch["values"][0]["status"], touch["values"][0]["value"]))
            way.go(info.steps)
            self.assertEqual(way.last_write("v4"), wavetape.LastWrite(11, True))
            way.go(0)
            self.assertIsNone(way.last_write("v4"))

    def test_lane_that_failed(self):
        """Where no lane is named, the one whose access failed is meant, as by the verb: the first lanes have another last write."""
        trace = self.trace("oob-store-O0")
        verb = self.json("way", trace, "--last-write", "index", "-n", "1")
        lane = int(re.search(r"values of lane (\d+), whose access failed", self.wavetape("way", trace, "-n", "1", stdout=None))[1])
        with wavetape.open(trace) as opened, opened.stop(2).waves[3].way() as way:
            self.assertEqual(way.last_write("index"), wavetape.LastWrite(verb["position"], True))
            way.go(way.info.steps)
            self.assertEqual(way.last_write("index", lane=lane), wavetape.LastWrite(verb["position"], True))
            way.go(way.info.steps)
            self.assertLess(way.last_write("index", lane=0).position, verb["position"])

    def test_wrong(self):
        with wavetape.open(self.trace("oob-store")) as opened, opened.stop(2).waves[3].way() as way:
            with self.assertRaisesRegex(wavetape.InputError, "^cannot go there: the way ends at position 17$"):
                way.go(18)
            with self.assertRaisesRegex(wavetape.NotFoundError, "no step is next where the way stands"):
                way.step
            with self.assertRaisesRegex(wavetape.NotFoundError, "x9: the wave has no such register"):
                way.value("x9")
            with self.assertRaisesRegex(wavetape.InputError, "there is no variable nothing here"):
                way.last_write("nothing")
        with self.assertRaises(wavetape.ClosedError):
            way.go(0)


class Wrong(Case):
    """What is asked wrongly raises, and says what was wrong."""

    def golden(self):
        return wavetape.open(support.TREE.source / "tests/golden/format-1.3.wtape")

    def test_files(self):
        with self.assertRaisesRegex(wavetape.FileError, "^cannot read the trace: /nowhere: No such file or directory$"):
            wavetape.open("/nowhere")
        self.assertRaises(OSError, wavetape.open, "/nowhere")
        with self.assertRaisesRegex(wavetape.InputError, "ELF"):
            wavetape.open(sys.executable)
        with self.assertRaises(wavetape.UsageError):
            wavetape.open("a\0b")
        with self.assertRaises(wavetape.LimitError):
            wavetape.open(support.TREE.source / "tests/golden/format-1.3.wtape", memory_limit=4096)

    def test_sources(self):
        tree = support.TREE.source
        with wavetape.open(tree / "tests/golden/format-1.4.wtape") as trace, trace.sources(f"={tree}") as sources:
            [kept] = sources
            self.assertEqual((kept.name, kept.recorded, len(sources)), ("tests/kernels/oob-store.c", True, 1))
            self.assertEqual((len(kept.lines), sources.line(kept.name, 18), sources.line(kept.name, 19)), (18, kept.lines[17], None))
            other = sources["tests/kernels/vecadd.c"]
            self.assertEqual((other.text, other.recorded), ((tree / other.name).read_bytes(), False))
            place = wavetape.Place(**dict.fromkeys(wavetape.Place.__dataclass_fields__) | {"file": kept.name})
            self.assertEqual([sources.differs(dataclasses.replace(place, md5=md5)) for md5 in (None, hashlib.md5(kept.text).digest(), bytes(16))],
                             [None, False, True])
            self.assertRaises(KeyError, lambda: sources["/etc/passwd"])
            self.assertRaises(KeyError, lambda: sources["../" * 20 + "etc/passwd"])
            self.assertRaises(wavetape.UsageError, trace.sources, "here")
            self.assertRaises(wavetape.UsageError, trace.sources, *["a=b"] * 17)

    def test_names(self):
        with self.golden() as trace:
            self.assertRaises(IndexError, lambda: trace.stops[0])
            self.assertRaises(IndexError, lambda: trace.stops[4])
            self.assertEqual(trace.stops[-1].number, 3)
            stop = trace.stops[3]
            self.assertRaises(KeyError, lambda: stop.waves[2])
            self.assertRaises(KeyError, lambda: stop.code_objects[7])
            self.assertRaises(KeyError, lambda: stop.wave.registers["v999"])
            self.assertRaises(wavetape.UsageError, stop.wave.registers.select, "s9-s2")
            self.assertRaises(wavetape.UsageError, stop.memory.read, 0, 8, "moon")
            self.assertRaises(wavetape.UsageError, stop.memory.read, 2**64, 8)
            self.assertRaises(wavetape.UsageError, stop.memory.read, 0, -1)
            with self.assertRaisesRegex(wavetape.NotFoundError, "global 0x210000001000"):
                stop.memory.read(0x210000000ffc, 8)
            with self.assertRaisesRegex(wavetape.InputError, "at character"):
                stop.wave.print("1 +")
            with self.assertRaisesRegex(wavetape.NotFoundError, "not active"):
                stop.wave.print("1", lane=64)
            self.assertRaises(IndexError, lambda: stop.wave.stack[1])
            self.assertIsNone(trace.stops[1].crash)
            self.assertRaises(wavetape.NotFoundError, lambda: trace.stops[1].wave)

    def test_closed(self):
        trace = self.golden()
        stop, stops, journal = trace.stop(), trace.stops, trace.journal()
        stack, wave, memory = stop.wave.stack, stop.wave, stop.memory
        next(journal)
        trace.close()
        trace.close()
        self.assertTrue(trace.closed)
        self.assertRaises(wavetape.ClosedError, lambda: trace.info)
        self.assertRaises(wavetape.ClosedError, lambda: len(stops))
        self.assertRaises(ValueError, trace.__enter__)
        # What is still open goes on.
        self.assertEqual((wave.number, len(list(journal)) > 3000), (3, True))
        stop.close()
        for use in (lambda: stop.waves, lambda: wave.pc, lambda: wave.registers["pc"], lambda: memory.read(0, 1), lambda: stop.crash):
            self.assertRaises(wavetape.ClosedError, use)
        self.assertEqual(stack[0].function, "oob_store")
        variable = stack[0].variables[0]
        stack.close()
        self.assertRaises(wavetape.ClosedError, variable.value)

    def test_thrown_away(self):
        """Handles that nobody closes are closed in any order."""
        for _ in range(20):
            trace = self.golden()
            stop = trace.stop()
            keep = [stop.wave.stack, trace.journal(), stop, trace]
            keep.reverse()
            del trace, stop
            keep.pop()
            del keep
        gc.collect()

    def test_threads(self):
        shared, found, failed = self.golden(), [], []

        def ask(trace):
            try:
                for _ in range(5):
                    found.append((trace.stop().crash, len(trace.stops[2].waves.columns()["wave"])))
            except Exception as error:
                failed.append(error)

        threads = [threading.Thread(target=ask, args=(trace,)) for trace in (shared, shared, self.golden(), self.golden())]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failed, len(found), len(set(found))), ([], 20, 1))


class Page(Case):
    """docs/python.md: each example, of about five lines, prints what stands below it."""

    def test_examples(self):
        text = (support.TREE.source / "docs/python.md").read_text("utf-8")
        examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
        self.assertEqual(len(examples), text.count("```python"))
        self.assertGreater(len(examples), 5)
        (self.directory / "crash.wtape").write_bytes(self.trace("oob-store").read_bytes())
        (self.directory / "plain.wtape").write_bytes(self.trace("oob-store-O0").read_bytes())
        (self.directory / "src").mkdir()
        shutil.copy(support.TREE.source / "tests/kernels/oob-store.c", self.directory / "src")
        for source, expected in examples:
            lines = [line for line in source.splitlines() if line and not line.startswith("import ")]
            self.assertLessEqual(len(lines), 5, source)
            output = io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.chdir(self.directory):
                exec(compile(source, "example", "exec"), {})
            self.assertEqual(output.getvalue(), expected, source)

    @unittest.skipUnless(os.environ.get("WAVETAPE_LONG") and shutil.which("mypy"), "in the long form, where there is mypy")
    def test_annotations(self):
        self.expect(support.run("mypy", "--strict", "--cache-dir", self.directory, "wavetape", timeout=200,
                                cwd=support.TREE.build / "libwavetape/python"), stdout=None)

    def test_words(self):
        """What is offered is there, and has words about it."""
        self.assertEqual([name for name in wavetape.__all__ if not getattr(wavetape, name).__doc__], [])
        self.assertEqual(wavetape.version(), support.run(support.TREE.command, "--version").stdout.split()[1])
        self.assertTrue((pathlib.Path(wavetape.__file__).parent / "py.typed").exists())


if __name__ == "__main__":
    support.main(__doc__)
