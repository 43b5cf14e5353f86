#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`wavetape dap`: what an editor asks of a trace, over the pipes of the real command.

Where WAVETAPE_TEST_DAP_SCHEMA names the protocol's own debugAdapterProtocol.json, and Python has jsonschema, every message that came
is held against it; else that part is not there, and the program says so.
"""

import base64
import json
import pathlib
import re
import signal
import socket
import subprocess

import support
import travel
from dap_case import FAILS, SCHEMA, Case, Walker
from dap_client import Client, Refused, Schema


class Looking(Case):
    """One stop, asked for everything."""

    def test_the_first_stop(self):
        client = self.open(self.served())
        place = f"{self.source_name(self.served())}:{self.line(FAILS)}:13"
        self.assertEqual(client.stopped, {
            "reason": "exception", "threadId": 1, "allThreadsStopped": True, "preserveFocusHint": False,
            "description": "memory violation",
            "text": f"memory violation in kernel served at {place}: past the end: lane 0 stores to out[1200], 177 elements of "
                    "4 bytes past the last one that is mapped, out[1023]"})
        code, said = client.end()
        self.assertEqual((code, said), (0, ""))

    def test_threads(self):
        client = self.open(self.served())
        place = f"served served.c:{self.line(FAILS)}"
        self.assertEqual(client.ask("threads"), {"threads": [
            {"id": 1, "name": f"{place} (0,0,0)/0 w1: memory violation"},
            {"id": 2, "name": f"{place} (1,0,0)/0 w2: memory violation"}]})

    def test_running_waves_and_none(self):
        client = self.open(self.trace("vecadd"))
        self.assertEqual(client.stopped["reason"], "pause")
        threads = client.ask("threads")["threads"]
        self.assertEqual(threads[0], {"id": 1, "name": "vecadd, running (0,0,0)/0 w1"})
        self.assertEqual(client.ask("stackTrace", threadId=1), {"stackFrames": [], "totalFrames": 0})
        self.refused(client, "cannot show scopes: no wave is stopped here", "scopes", frameId=0)

    def test_frames(self):
        client = self.open(self.served())
        trace = client.ask("stackTrace", threadId=1)
        source = trace["stackFrames"][0]["source"]
        self.assertEqual(source, {
            "name": "served.c", "path": self.source_name(self.served()), "sourceReference": 1,
            "origin": "recorded with the trace", "checksums": source["checksums"]})
        self.assertEqual([(frame["name"], frame["line"], frame["column"], frame["moduleId"]) for frame in trace["stackFrames"]],
                         [("stored", self.line(FAILS), 13, 1), ("served", self.line("total = stored"), 11, 1)])
        self.assertEqual(trace["totalFrames"], 2)
        page = client.ask("stackTrace", threadId=1, startFrame=1, levels=1)
        self.assertEqual([frame["name"] for frame in page["stackFrames"]], ["served"])
        self.assertEqual(page["totalFrames"], 2)
        self.assertEqual(client.ask("stackTrace", threadId=1, startFrame=7)["stackFrames"], [])

    def test_lines_from_0(self):
        client = self.open(self.served(), capabilities={"linesStartAt1": False, "columnsStartAt1": False})
        frame = self.frames(client)[0]
        self.assertEqual((frame["line"], frame["column"]), (self.line(FAILS) - 1, 12))

    def test_scopes(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[0]["id"])
        self.assertEqual({name: (scope.get("presentationHint"), scope["expensive"]) for name, scope in scopes.items()}, {
            "Arguments": ("arguments", False), "Locals": ("locals", False), "Lanes": (None, False),
            "Registers": ("registers", True), "Local memory": (None, True), "Wave": (None, True)})

    def test_arguments(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[0]["id"])
        variables = self.by_name(client.variables(scopes["Arguments"]["variablesReference"]))
        self.assertEqual(list(variables), ["out", "index", "value"])
        self.assertEqual((variables["out"]["value"], variables["out"]["type"]), ("0x210000000000", "u32 *"))
        self.assertEqual(variables["index"]["value"],
                         "1200 (lane 0); lane 1: 1201; lane 2: 1202; lane 3: 1203; lane 4: 1204; and 59 more values")
        self.assertEqual(variables["value"]["value"], "18 (lane 0); lanes 32-63: 33")
        self.assertEqual(client.variables(variables["value"]["variablesReference"]), [
            {"name": "lanes 0-31", "value": "18", "variablesReference": 0},
            {"name": "lanes 32-63", "value": "33", "variablesReference": 0}])
        target = client.variables(variables["out"]["variablesReference"])
        self.assertEqual([(one["name"], one["evaluateName"], one["value"]) for one in target], [("*", "*(out)", "0")])

    def test_parts(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[1]["id"])
        variables = self.by_name(client.variables(scopes["Locals"]["variablesReference"]))
        item = variables["item"]
        self.assertEqual(item["value"], "{key = 0, weights = [0.5, 1.5, 2.5], tail = {low = 7, flags = [-1, 1]}} (lane 0); "
                                        "lanes 32-63: {key = 1, weights = [0.5, 1.5, 2.5], tail = {low = 7, flags = [-1, 1]}}")
        parts = client.variables(item["variablesReference"])
        self.assertEqual([(part["name"], part["value"], part.get("evaluateName")) for part in parts], [
            ("key", "0 (lane 0); lanes 32-63: 1", "(item).key"), ("weights", "[0.5, 1.5, 2.5]", "(item).weights"),
            ("tail", "{low = 7, flags = [-1, 1]}", "(item).tail"), ("lanes", "2 different values", None)])
        tail = self.by_name(client.variables(parts[2]["variablesReference"]))
        flags = client.variables(tail["flags"]["variablesReference"])
        self.assertEqual([(flag["name"], flag["value"], flag["evaluateName"]) for flag in flags], [
            ("[0]", "-1", "(((item).tail).flags)[0]"), ("[1]", "1", "(((item).tail).flags)[1]")])
        self.assertEqual(client.ask("evaluate", expression=flags[1]["evaluateName"],
                                    frameId=self.frames(client)[1]["id"])["result"], "1")
        behind = client.variables(variables["pointer"]["variablesReference"])
        self.assertEqual([part["name"] for part in client.variables(behind[0]["variablesReference"])],
                         ["key", "weights", "tail", "lanes"])

    def test_pages(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[1]["id"])
        numbers = self.by_name(client.variables(scopes["Locals"]["variablesReference"]))["numbers"]
        self.assertEqual(numbers["indexedVariables"], 210)
        page = client.variables(numbers["variablesReference"], filter="indexed", start=205, count=100)
        self.assertEqual([element["name"] for element in page], [f"[{index}]" for index in range(205, 210)])
        page = client.variables(numbers["variablesReference"], filter="indexed", start=1, count=3)
        self.assertEqual([(element["name"], element["value"]) for element in page], [("[1]", "1"), ("[2]", "4"), ("[3]", "9")])
        self.assertEqual(client.variables(numbers["variablesReference"], filter="indexed", start=210, count=3), [])

    def test_registers(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[0]["id"])
        classes = self.by_name(client.variables(scopes["Registers"]["variablesReference"]))
        self.assertEqual(list(classes), ["scalar", "vector", "system", "trap", "other"])
        recorded = {one["name"]: one for one in self.json("registers", self.served(), "s0", "v4", "exec")["registers"]}
        scalar = self.by_name(client.variables(classes["scalar"]["variablesReference"]))
        self.assertEqual(scalar["s0"]["value"], "0x%08x" % int(recorded["s0"]["value"], 16))
        vector = self.by_name(client.variables(classes["vector"]["variablesReference"]))
        self.assertEqual(vector["v4"]["value"], "0x00000012 (lane 0); lanes 32-63: 0x00000021")
        lanes = client.variables(vector["v4"]["variablesReference"])
        self.assertEqual([lane["name"] for lane in lanes], [f"[{lane}]" for lane in range(64)])
        self.assertEqual([lane["value"] for lane in lanes], 32 * ["0x00000012"] + 32 * ["0x00000021"])

    def test_local_memory(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[0]["id"])
        run, = client.variables(scopes["Local memory"]["variablesReference"])
        self.assertEqual((run["name"], run["value"], run["memoryReference"]), ("0x0", "256 bytes", "local:1:0x0"))
        rows = client.variables(run["variablesReference"], filter="indexed", start=15, count=9)
        self.assertEqual([(row["name"], row["value"]) for row in rows],
                         [("0x00f0", "3c 00 00 00 3d 00 00 00 3e 00 00 00 3f 00 00 00")])
        data = client.ask("readMemory", memoryReference="local:1:0x0", offset=4, count=8)
        self.assertEqual(data, {"address": "0x4", "data": base64.b64encode(b"\1\0\0\0\2\0\0\0").decode()})

    def test_wave(self):
        client = self.open(self.served())
        scopes = client.scopes(self.frames(client)[0]["id"])
        facts = self.by_name(client.variables(scopes["Wave"]["variablesReference"]))
        wave = self.json("waves", self.served())["waves"][0]
        # The way of the wave knows more of that.
        wave["place_is_certain"] = self.json("info", self.served())["explanations"][0]["place_is_certain"]
        self.assertEqual({name: fact["value"] for name, fact in facts.items() if not fact["variablesReference"]}, {
            name: value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
            for name, value in wave.items() if not isinstance(value, dict)})

    def test_wave_that_went_on(self):
        """Where memory is not precise the wave stops behind the access that failed: that one is shown, as `info` has it."""
        trace = self.directory / "late.wtape"
        self.record_that_goes_on(trace, support.TREE.workload("oob-store-gfx90a"))
        explained, = self.json("info", trace)["explanations"]
        self.assertEqual(explained["late"], 1)
        client = self.open(trace)
        thread = client.stopped["threadId"]
        scopes = client.scopes(self.frames(client, thread)[0]["id"])

        def shown(reference):
            return {name: shown(fact["variablesReference"]) if fact["variablesReference"] else fact["value"]
                    for name, fact in self.by_name(client.variables(reference)).items()}

        facts = shown(scopes["Wave"]["variablesReference"])
        self.assertEqual((facts["place_is_certain"], facts["code"]["address"], facts["access"]["kind"], facts["access"]["bytes"]),
                         ("true", explained["failed_at"]["address"], "store", "4"))
        self.assertNotEqual(facts["code"]["address"], facts["pc"])

    def test_kernel_as_its_author_wrote_it(self):
        client = self.open(support.TREE.source / "tests/golden/release-0.1.0.wtape")
        scopes = client.scopes(self.frames(client)[0]["id"])
        facts = self.by_name(client.variables(scopes["Wave"]["variablesReference"]))
        self.assertEqual(facts["kernel"]["value"], "count(particle const*, int, int*)")

    def test_wave_that_was_walked(self):
        """It is where it was walked to, and has not done yet what it stopped for."""
        client = self.open(self.served())
        wave = self.json("waves", self.served())["waves"][0]
        client.ask("stepBack", threadId=1, granularity="instruction")
        client.event("stopped")
        frame = self.frames(client)[0]
        facts = self.by_name(client.variables(client.scopes(frame["id"])["Wave"]["variablesReference"]))
        way = client.ask("wavetape/way", threadId=1)
        self.assertEqual(list(facts), [name for name in wave if name not in ("stop_reason", "place_is_certain", "access")] + ["way"])
        self.assertNotEqual(facts["pc"]["value"], wave["pc"])
        self.assertEqual((facts["pc"]["value"], facts["exec"]["value"], facts["way"]["value"]),
                         (frame["instructionPointerReference"], "0xffffffffffffffff", f"step {way['position']} of {way['steps']}"))
        code = self.by_name(client.variables(facts["code"]["variablesReference"]))
        instructions = {line["address"]: line["instruction"] for line in self.json("disassemble", self.served())["instructions"]}
        self.assertEqual((code["address"]["value"], code["instruction"]["value"]), (facts["pc"]["value"], instructions[facts["pc"]["value"]]))

    def test_lanes(self):
        client = self.open(self.served(), capabilities={"supportsInvalidatedEvent": True})
        frame = self.frames(client)[0]["id"]
        reference = client.scopes(frame)["Lanes"]["variablesReference"]
        lanes = self.by_name(client.variables(reference))
        self.assertEqual([lanes[name]["value"] for name in ("focus", "active", "failed", "lane 0", "lane 40")],
                         ["0", "0-63", "0-63", "active, its access failed, in focus", "active, its access failed"])
        self.assertEqual(client.ask("setVariable", variablesReference=reference, name="focus", value="40"), {"value": "40"})
        self.assertEqual(client.event("invalidated"), {"areas": ["variables"]})
        self.assertEqual(client.ask("evaluate", expression="value", frameId=frame)["result"], "33 (lane 40); lanes 0-31: 18")
        self.assertEqual(client.ask("wavetape/lane", lane=3), {"lane": 3})
        self.assertEqual(client.ask("evaluate", expression="value", frameId=frame)["result"], "18 (lane 3); lanes 32-63: 33")
        self.refused(client, "cannot look at the lane: lanes are 0 to 63", "setVariable", variablesReference=reference,
                     name="focus", value="64")
        self.refused(client, "cannot set this: the lane in focus is a number from 0 to 63", "setVariable",
                     variablesReference=reference, name="focus", value="x")

    def test_expressions(self):
        client = self.open(self.served())
        inner, outer = (frame["id"] for frame in self.frames(client))
        evaluated = client.ask("evaluate", expression="index + 1", frameId=inner, context="watch")
        self.assertEqual((evaluated["result"].split(";")[0], evaluated["type"]), ("1201 (lane 0)", "unsigned int"))
        self.assertEqual(client.ask("evaluate", expression="item.weights[1]", context="hover", frameId=outer)["result"], "1.5")
        # Without a frame, the innermost in which all names mean something.
        self.assertEqual(client.ask("evaluate", expression="item.weights[1]")["result"], "1.5")
        self.refused(client, "cannot evaluate: item: at character 1: there is no variable item here", "evaluate",
                     expression="item", frameId=inner)
        self.refused(client, "cannot evaluate: 1 +: at character 4: something is missing at the end", "evaluate",
                     expression="1 +", frameId=inner)
        self.refused(client, "cannot evaluate: expression is missing", "evaluate", frameId=inner)
        self.assertEqual(client.ask("evaluate", expression="$v4", frameId=inner)["result"], "18 (lane 0); lanes 32-63: 33")

    def test_console(self):
        client = self.open(self.served())
        self.assertEqual(client.ask("evaluate", expression="lane 5", context="repl")["result"], "lane 5 is in focus")
        explained = client.ask("evaluate", expression="explain", context="repl")["result"]
        self.assertEqual(explained, self.wavetape("explain", self.served(), "--wave", "1"))
        self.assertEqual(client.ask("evaluate", expression="stop 1", context="repl")["result"], "stop 1")
        self.assertEqual(client.event("stopped")["reason"], "goto")
        self.refused(client, f"cannot show the stop: {self.served()}: there is no stop 9: the trace has 2, counted from 1", "evaluate",
                     expression="stop 9", context="repl")

    def test_completions(self):
        client = self.open(self.served())
        outer = self.frames(client)[1]["id"]
        self.assertEqual(client.ask("completions", text="1 + it", column=7, frameId=outer),
                         {"targets": [{"label": "item", "type": "variable"}]})

    def test_memory(self):
        client = self.open(self.served())
        memory = self.json("memory", self.served(), "0x210000000000", "16")
        self.assertEqual(client.ask("readMemory", memoryReference="0x210000000000", count=16), {
            "address": "0x210000000000", "data": base64.b64encode(bytes.fromhex(memory["data"])).decode()})
        behind = client.ask("readMemory", memoryReference="0x210000000000", offset=4096 - 8, count=24)
        self.assertEqual((behind["unreadableBytes"], len(base64.b64decode(behind["data"]))), (16, 8))
        self.assertEqual(client.ask("readMemory", memoryReference="0x10", count=4), {"address": "0x10", "unreadableBytes": 4})
        index = self.by_name(client.variables(client.scopes(self.frames(client)[0]["id"])["Arguments"]["variablesReference"]))["index"]
        self.assertRegex(index["memoryReference"], r"\Aprivate_lane:1:0:0x[0-9a-f]+\Z")
        data = client.ask("readMemory", memoryReference=index["memoryReference"], count=4)["data"]
        self.assertEqual(int.from_bytes(base64.b64decode(data), "little"), 1200)
        for wrong in ("", "x", "local:1", "local:1:2:3", "private_lane:1:64:0", "0x", "0x10:", ":", "local:"):
            self.refused(client, f"cannot read memory: {wrong} is no reference to memory", "readMemory", memoryReference=wrong,
                         count=1)
        self.refused(client, "the arguments are wrong: count is a number from 0 to 16777216", "readMemory",
                     memoryReference="0x0", count=1 << 25)

    def test_instructions(self):
        client = self.open(self.served())
        address = self.frames(client)[0]["instructionPointerReference"]
        lines = self.json("disassemble", self.served())["instructions"]
        marked = next(index for index, line in enumerate(lines) if int(line["address"], 16) == int(address, 16))
        shown = client.ask("disassemble", memoryReference=address, instructionOffset=-5, instructionCount=8)["instructions"]
        self.assertEqual([line["instruction"] for line in shown], [line["instruction"] for line in lines[marked - 5:marked + 3]])
        self.assertEqual([int(line["address"], 16) for line in shown],
                         [int(line["address"], 16) for line in lines[marked - 5:marked + 3]])
        self.assertEqual(shown[5]["line"], self.line(FAILS))
        nothing = client.ask("disassemble", memoryReference="0x10", instructionOffset=-2, instructionCount=4)["instructions"]
        self.assertEqual([line["presentationHint"] for line in nothing], 4 * ["invalid"])

    def test_source(self):
        client = self.open(self.served())
        source = self.frames(client)[0]["source"]
        text = (support.TREE.source / "tests/end-to-end/served.c").read_text("utf-8")
        self.assertEqual(client.ask("source", source=source, sourceReference=source["sourceReference"]), {"content": text})
        self.assertEqual(client.ask("source", sourceReference=0, source={"path": source["path"]}), {"content": text})
        self.refused(client, "cannot show the source: there is no source 99", "source", sourceReference=99)
        self.refused(client, "cannot show the source: it was not recorded, and no sourceMap leads to it", "source",
                     sourceReference=0, source={"path": "/etc/passwd"})
        self.assertEqual([one["name"] for one in client.ask("loadedSources")["sources"]], ["served.c"])

    def test_a_map_of_sources(self):
        name = self.trace("oob-store-O0")
        client = self.open(name, sourceMap={"tests": str(support.TREE.source / "tests")})
        frame = self.frames(client, client.stopped["threadId"])[0]
        self.assertEqual(frame["source"]["path"], str(support.TREE.source / "tests/kernels/oob-store.c"))
        self.assertNotIn("sourceReference", frame["source"])

    def test_the_cause(self):
        client = self.open(self.served())
        cause = client.ask("exceptionInfo", threadId=2)
        self.assertEqual((cause["exceptionId"], cause["breakMode"]), ("MEMORY_VIOLATION", "always"))
        self.assertIn("past the end: lane 0 stores to out[1200]", cause["description"])
        self.assertEqual(cause["details"]["stackTrace"], self.wavetape("explain", self.served(), "--wave", "2"))
        # The answer is kept, of this wave at this stop.
        other = client.ask("exceptionInfo", threadId=1)
        self.assertEqual(other["details"]["stackTrace"], self.wavetape("explain", self.served(), "--wave", "1"))
        for _ in range(2):
            self.assertEqual((client.ask("exceptionInfo", threadId=2), client.ask("exceptionInfo", threadId=1)), (cause, other))
        client.ask("wavetape/goStop", stop=1)
        client.ask("wavetape/goStop", stop=2)
        self.assertEqual((client.ask("exceptionInfo", threadId=1), client.ask("exceptionInfo", threadId=1)), (other, other))
        calm = self.open(self.trace("vecadd"))
        self.refused(calm, "cannot explain: the wave has no fault", "exceptionInfo", threadId=1)

    def test_code_objects(self):
        client = self.open(self.served())
        modules = client.ask("modules")
        self.assertEqual(modules["totalModules"], 1)
        self.assertEqual((modules["modules"][0]["id"], modules["modules"][0]["symbolStatus"]), (1, "recorded"))
        self.assertTrue(modules["modules"][0]["path"].endswith("/served.co"))
        self.assertEqual(client.ask("modules", startModule=1, moduleCount=4), {"modules": [], "totalModules": 1})


    def test_hostile_names(self):
        """What is shown is on its line, in its order; what an editor gives back is as it was."""
        client = self.open(support.hostile_names(self.directory))
        client.ask("threads")
        thread = client.stopped["threadId"]
        frame = self.frames(client, thread)[0]
        variables = self.by_name([one for name in ("Arguments", "Locals")
                                  for one in client.variables(client.scopes(frame["id"])[name]["variablesReference"])])
        index = variables[r"\xe2\x80\xaeix"]
        self.assertEqual(index["evaluateName"], "\u202eix")
        self.assertEqual(variables["count"]["type"], r"\xe2\x80\x8b")
        self.assertEqual(client.ask("evaluate", expression=index["evaluateName"], frameId=frame["id"])["result"], index["value"])
        self.assertIn("\u2028", frame["source"]["path"])
        client.ask("exceptionInfo", threadId=thread)
        client.ask("gotoTargets", source=frame["source"], line=frame["line"])
        client.ask("dataBreakpointInfo", name=index["name"], variablesReference=client.scopes(frame["id"])["Locals"]["variablesReference"])
        for text in "explain", "way", "\u202eix", "stop 1", "stop 2":
            client.receive(client.send("evaluate", expression=text, frameId=frame["id"], context="repl"))

        def shown(part, key=None):
            if isinstance(part, dict):
                return [text for key, value in part.items() for text in shown(value, key)]
            if isinstance(part, list):
                return [text for value in part for text in shown(value, key)]
            return [(key, part)] if isinstance(part, str) else []

        self.assertEqual([(key, text) for key, text in shown(client.seen)
                          if re.search("[\x1b\u200b\u2028\u202e]|\nIgnore", text) and key not in ("path", "evaluateName", "dataId")], [])


class Going(Case):
    """Other stops, and what is opened."""

    def test_stops(self):
        client = self.open(self.served(), "--stop", "1")
        self.assertEqual(client.stopped["reason"], "pause")
        frame = client.ask("wavetape/stops")
        self.assertEqual((frame["stop"], frame["stops"]), (1, self.json("stops", self.served())["stops"]))
        self.assertEqual(client.ask("wavetape/goStop", stop=2), {"stop": 2})
        self.assertEqual(client.event("stopped")["threadId"], 1)
        old = self.frames(client)[0]["id"]
        client.ask("restart", arguments={"stop": 1})
        client.event("stopped")
        self.refused(client, f"cannot show scopes: there is no frame {old}: frames end when something moves", "scopes",
                     frameId=old)
        # It goes back to where it began.
        client.ask("wavetape/goStop", stop=2)
        client.event("stopped")
        client.ask("restart")
        self.assertEqual(client.event("stopped")["reason"], "pause")
        client.ask("wavetape/goStop", stop=2)
        self.refused(client, f"cannot show the stop: {self.served()}: there is no stop 3: the trace has 2, counted from 1", "wavetape/goStop",
                     stop=3)
        self.refused(client, "cannot go there: stop is missing", "wavetape/goStop")
        self.assertEqual(len(self.frames(client)), 2)

    def test_what_is_opened(self):
        client = self.open(program=str(self.served()), wave=2)
        self.assertEqual(client.stopped["threadId"], 2)
        client = self.open(kind="attach", trace=str(self.served()), stop=1)
        self.assertEqual(client.stopped["reason"], "pause")
        with Client([support.TREE.command, "dap"], support.environment()) as client:
            client.ask("initialize", adapterID="x")
            self.refused(client, 'cannot open the trace: "program" or "trace" is its file', "launch")
            self.refused(client, 'cannot attach: "trace" or "core" is a file, "replay" a process', "attach")
            self.refused(client, "cannot read the trace: /nowhere: No such file or directory", "launch", program="/nowhere")
            self.refused(client, "cannot answer: no trace is open: launch or attach first", "threads")
            self.refused(client, "cannot open the trace: there is no wave 77 at this stop", "launch",
                         program=str(self.served()), wave=77)
            self.refused(client, "the arguments are wrong: stop is a number from 1 to 4294967295", "launch",
                         program=str(self.served()), stop="1")
            # After all of that it opens.
            client.ask("launch", program=str(self.served()))
            client.ask("configurationDone")
            self.assertEqual(client.event("stopped")["reason"], "exception")
            self.refused(client, "cannot open the trace: one is open already", "launch", program=str(self.served()))

    def test_a_core(self):
        core = self.directory / "core"
        self.wavetape("export", self.served(), "--core", "-o", core)
        before = set(pathlib.Path(self.directory).iterdir())
        with Client([support.TREE.command, "dap"], support.environment(TMPDIR=self.directory)) as client:
            stopped = client.begin(kind="attach", core=str(core))
            self.assertEqual((stopped["reason"], stopped["description"]), ("exception", "memory violation"))
            self.assertEqual([frame["name"] for frame in self.frames(client, stopped["threadId"])], ["stored", "served"])
            self.assertEqual(client.end()[0], 0)
        self.assertEqual(set(pathlib.Path(self.directory).iterdir()), before)
        with Client([support.TREE.command, "dap"], support.environment(TMPDIR=self.directory)) as client:
            client.ask("initialize", adapterID="x")
            self.refused(client, f"cannot read the core file: {self.served()}: `wavetape record --core` says why", "attach",
                         core=str(self.served()))

    def test_a_damaged_trace(self):
        cut = self.directory / "cut.wtape"
        data = self.served().read_bytes()
        cut.write_bytes(data[:len(data) * 2 // 3])
        with Client([support.TREE.command, "dap", str(cut)], support.environment()) as client:
            client.ask("initialize", adapterID="x")
            try:
                client.ask("launch")
                self.assertIn("the trace is not whole", client.event("output")["output"])
            except Refused as refused:
                self.assertIn(str(cut), str(refused))

    def test_a_socket(self):
        path = self.directory / "socket"
        command = [str(support.TREE.command), "dap", "--socket", str(path), str(self.served())]
        with subprocess.Popen(command, env=support.environment(), stdout=subprocess.PIPE) as process:
            self.addCleanup(process.kill)
            while not path.exists():
                self.assertIsNone(process.poll())
            self.assertEqual(path.stat().st_mode & 0o777, 0o700)
            for _ in range(2):
                self.speak(socket.AF_UNIX, str(path))
            process.send_signal(signal.SIGTERM)

    def test_a_port(self):
        command = [str(support.TREE.command), "dap", "--port", "0", "--once", str(self.served())]
        with subprocess.Popen(command, env=support.environment(), stdout=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            port = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", process.stdout.readline())
            self.speak(socket.AF_INET, ("127.0.0.1", int(port[1])))
            self.assertEqual(process.wait(20), 0)

    def speak(self, family, address):
        with socket.socket(family) as connection:
            connection.settimeout(20)
            connection.connect(address)
            message = b'{"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "x"}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
            self.assertIn(b'"command":"initialize"', connection.recv(65536))


class Walking(Walker):
    """Steps in the way of a wave, forwards and backwards."""

    def test_back_and_forth(self):
        client = self.open(self.served())
        way = client.ask("wavetape/way", threadId=1)
        self.assertEqual(way["position"], way["steps"])
        stopped, place = self.go(client, "stepBack")
        self.assertEqual((stopped["reason"], place), ("step", ("stored", self.line(FAILS))))
        self.assertRegex(stopped["description"], rf"\Astep \d+ of {way['steps']}\Z")
        self.assertEqual(client.ask("threads")["threads"][0]["name"],
                         f"served served.c:{self.line(FAILS)} (0,0,0)/0 w1: {stopped['description']}")
        places = []
        while not places or places[-1][0] != "served":
            places.append(self.go(client, "stepBack")[1])
        self.assertEqual(places, [
            ("stored", self.line("u32 next")), ("stored", self.line("DEVICE_CALL") + 1), ("served", self.line("total = stored"))])
        # Forwards again: over the call the way ends in it, where the wave stopped.
        stopped, place = self.go(client, "next")
        self.assertEqual((stopped["reason"], stopped["text"], place),
                         ("exception", "the way ends here, where the wave stopped", ("stored", self.line(FAILS))))

    def test_over_a_call(self):
        """What comes back from a call is in the middle of its statement: no line begins there."""
        client = self.open(self.served())
        self.go(client, "reverseContinue")
        source = {"path": self.source_name(self.served())}
        calls = self.line("total = stored")
        client.ask("setBreakpoints", source=source, breakpoints=[{"line": calls}])
        columns = []
        while self.go(client, "continue")[0]["reason"] == "breakpoint":
            columns.append(self.frames(client)[0]["column"])
        # Another part of the statement comes behind one of the line before; the fourth call fails.
        self.assertEqual(columns, [18, 9] * 3 + [18])
        client.ask("setBreakpoints", source=source, breakpoints=[])
        self.go(client, "reverseContinue")
        places = [self.go(client, "next")[1] for _ in range(14)]
        self.assertIn(("served", calls), places)
        self.assertEqual(places[places.index(("served", calls)) + 1], ("served", self.line("/* adds */")))

    def test_out_of_a_function(self):
        """Who steps out of a function's end stops in the statement that called it."""
        client = self.open(self.served())
        self.go(client, "reverseContinue")
        client.ask("setFunctionBreakpoints", breakpoints=[{"name": "stored"}])
        self.go(client, "continue")
        places = [("stored", 0)]
        while places[-1][0] != "served":
            places.append(self.go(client, "next")[1])
        self.assertEqual(places[-1], ("served", self.line("total = stored")))

    def test_instructions(self):
        client = self.open(self.served())
        lines = [int(line["address"], 16) for line in self.json("disassemble", self.served())["instructions"]]
        self.go(client, "stepBack", granularity="instruction")
        address = int(self.frames(client)[0]["instructionPointerReference"], 16)
        here = int(self.json("backtrace", self.served())["frames"][0]["address"], 16)
        self.assertEqual(address, lines[lines.index(here) - 1])
        stopped, _ = self.go(client, "stepIn", granularity="instruction")
        self.assertEqual(stopped["reason"], "exception")
        self.assertEqual(int(self.frames(client)[0]["instructionPointerReference"], 16), here)

    def test_the_beginning(self):
        client = self.open(self.served())
        stopped, place = self.go(client, "reverseContinue")
        self.assertEqual((stopped["reason"], stopped["text"], place[0]),
                         ("step", "the way begins here, at the launch of the wave", "served"))
        self.assertTrue(stopped["description"].startswith("step 0 of "))
        # Further back is the stop before, at which the wave is not stopped.
        client.ask("reverseContinue", threadId=1)
        self.assertEqual(client.event("stopped")["reason"], "pause")
        self.assertEqual(client.ask("wavetape/stops")["stop"], 1)
        self.assertEqual(client.ask("continue", threadId=1), {"allThreadsContinued": False})
        self.assertEqual(client.event("stopped")["reason"], "exception")
        stopped, _ = self.go(client, "continue")
        self.assertEqual(stopped["text"], "the way ends here, where the wave stopped")

    def test_back_by_words(self):
        """For editors that have no key for it: the console goes where the requests go."""
        requests, words = self.open(self.served()), self.open(self.served())
        for request, word, said in (("stepBack", "step back", "a line back"),
                                    ("reverseContinue", "run back", "back as far as the way or a breakpoint")):
            stopped, place = self.go(requests, request)
            self.assertEqual(words.ask("evaluate", expression=word, context="repl")["result"], said)
            self.assertEqual(words.event("stopped"), stopped)
            self.assertEqual(self.place(words), place)
        self.refused(words, "cannot evaluate: step backwards: at character 1: there is no variable step here", "evaluate",
                     expression="step backwards", context="repl")

    def test_out_and_in(self):
        client = self.open(self.served())
        _, place = self.go(client, "wavetape/stepBackOut")
        self.assertEqual(place, ("served", self.line("total = stored")))
        _, place = self.go(client, "stepIn")
        self.assertEqual(place[0], "stored")
        stopped, place = self.go(client, "stepOut")
        self.assertEqual(stopped["reason"], "exception")

    def test_line_breakpoints(self):
        client = self.open(self.served())
        line = self.line("adds")
        made, none, behind = client.ask("setBreakpoints", source={"path": "/elsewhere/tests/end-to-end/served.c"}, breakpoints=[
            {"line": line, "condition": "k == 1"}, {"line": 10000}, {"line": self.line("LOCAL_ARRAY") + 1}])["breakpoints"]
        self.assertEqual((made["verified"], made["line"], made["source"]["name"]), (True, line, "served.c"))
        self.assertEqual((none["verified"], none["message"]), (False, "there is no code at this line, nor behind it"))
        self.assertTrue(behind["verified"])
        wrong, = client.ask("setBreakpoints", source={"path": "/other.c"}, breakpoints=[{"line": 1}])["breakpoints"]
        self.assertEqual((wrong["verified"], wrong["message"]), (False, "no code object has code of this file"))
        stopped, place = self.go(client, "reverseContinue")
        self.assertEqual((stopped["reason"], stopped["hitBreakpointIds"], place), ("breakpoint", [made["id"]], ("served", line)))
        self.assertEqual(self.value(client, "k"), "1")
        # None is left of a file whose list is empty.
        client.ask("setBreakpoints", source={"path": "/elsewhere/tests/end-to-end/served.c"}, breakpoints=[])
        stopped, _ = self.go(client, "continue")
        self.assertEqual(stopped["reason"], "exception")
        locations = client.ask("breakpointLocations", source={"path": "served.c"}, line=line, endLine=line + 2)["breakpoints"]
        self.assertEqual(sorted(place["line"] for place in locations), [line, line + 1, line + 2])

    def test_functions_and_instructions(self):
        client = self.open(self.served())
        function, none = client.ask("setFunctionBreakpoints", breakpoints=[{"name": "stored"}, {"name": "nobody"}])["breakpoints"]
        self.assertEqual((function["verified"], function["line"]), (True, self.line("DEVICE_CALL") + 1))
        self.assertEqual((none["verified"], none["message"]), (False, "no code object has such a function"))
        stopped, place = self.go(client, "reverseContinue")
        self.assertEqual((stopped["reason"], place), ("function breakpoint", ("stored", self.line("DEVICE_CALL") + 1)))
        count = 1
        while self.go(client, "reverseContinue")[0]["reason"] == "function breakpoint":
            count += 1
        self.assertEqual(count, 4)
        client.ask("setFunctionBreakpoints", breakpoints=[])
        client.ask("setInstructionBreakpoints", breakpoints=[{"instructionReference": function["instructionReference"]}])
        stopped, _ = self.go(client, "continue")
        self.assertEqual(stopped["reason"], "instruction breakpoint")

    def test_data_breakpoints(self):
        client = self.open(self.served())
        self.go(client, "wavetape/stepBackOut")
        scopes = client.scopes(self.frames(client)[0]["id"])
        info = client.ask("dataBreakpointInfo", variablesReference=scopes["Locals"]["variablesReference"], name="total")
        self.assertEqual(info, {"dataId": "total in lane 0", "description": "total in lane 0", "accessTypes": ["write"],
                                "canPersist": False})
        made, = client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])["breakpoints"]
        self.assertTrue(made["verified"])
        before = self.value(client, "total")
        stopped, place = self.go(client, "reverseContinue")
        self.assertEqual((stopped["reason"], stopped["hitBreakpointIds"]), ("data breakpoint", [made["id"]]))
        self.assertIn(place[1], (self.line("adds"), self.line("total = stored")))
        self.go(client, "stepIn", granularity="instruction")
        self.assertEqual(self.value(client, "total"), before)

    def test_who_wrote(self):
        client = self.open(self.served())
        found = client.ask("wavetape/lastWrite", threadId=1, name="value")
        self.assertEqual(found["answer"], "found")
        said = client.ask("evaluate", expression="last-write value in lane 0", context="repl")["result"]
        self.assertEqual(said, f"value in lane 0: written by, step {found['position']}")
        self.assertEqual(client.event("stopped")["description"].split(" of ")[0], f"step {found['position']}")
        self.assertEqual(self.place(client)[0], "stored")
        self.refused(client, "cannot say who touched this: name is missing", "wavetape/lastWrite", threadId=1)
        with self.assertRaises(Refused):
            client.ask("wavetape/firstRead", threadId=1, name="nobody")

    def test_targets(self):
        client = self.open(self.served())
        line = self.line("adds")
        targets = client.ask("gotoTargets", source={"path": "served.c"}, line=line)["targets"]
        self.assertEqual([target["line"] for target in targets], [line])
        client.ask("goto", threadId=1, targetId=targets[0]["id"])
        self.assertEqual(client.event("stopped")["reason"], "goto")
        self.assertEqual(self.place(client), ("served", line))
        self.refused(client, "cannot go there: there is no target 99", "goto", threadId=1, targetId=99)
        # Where the wave failed, the stop itself is one.
        targets = client.ask("gotoTargets", source={"path": "served.c"}, line=self.line(FAILS))["targets"]
        self.assertIn("stop 2", [target["label"] for target in targets])
        stop = next(target["id"] for target in targets if target["label"] == "stop 2")
        client.ask("goto", threadId=1, targetId=stop)
        client.event("stopped")
        self.assertEqual(self.place(client), ("stored", self.line(FAILS)))

    def test_each_wave_has_its_place(self):
        client = self.open(self.served())
        self.go(client, "wavetape/stepBackOut")
        self.assertEqual(self.place(client, 2), ("stored", self.line(FAILS)))
        self.assertEqual(self.place(client, 1), ("served", self.line("total = stored")))
        client.ask("stepBack", threadId=2)
        client.event("stopped")
        self.assertEqual(self.place(client, 1), ("served", self.line("total = stored")))

    def test_values_on_the_way(self):
        """Registers and memory there are those of that place, or are not known: never those of the stop."""
        client = self.open(self.served())
        client.ask("wavetape/goPosition", threadId=1, position=0)
        client.event("stopped")
        frame = self.frames(client)[0]["id"]
        classes = self.by_name(client.variables(client.scopes(frame)["Registers"]["variablesReference"]))
        vector = self.by_name(client.variables(classes["vector"]["variablesReference"]))
        self.assertNotIn("0x00000012", vector["v4"]["value"])
        system = self.by_name(client.variables(classes["other"]["variablesReference"]))
        entry = client.ask("disassemble", memoryReference=self.frames(client)[0]["instructionPointerReference"],
                           instructionCount=1)["instructions"][0]
        self.assertEqual(int(system["pc"]["value"], 16), int(entry["address"], 16))
        facts = self.by_name(client.variables(client.scopes(frame)["Wave"]["variablesReference"]))
        self.assertTrue(facts["way"]["value"].startswith("step 0 of "))
        for position in (-1, 1 << 50, "x"):
            with self.assertRaises(Refused):
                client.ask("wavetape/goPosition", threadId=1, position=position)
        self.assertEqual(self.place(client)[0], "served")

    def test_no_way(self):
        client = self.open(self.trace("vecadd"))
        for command in ("next", "stepBack", "stepIn", "stepOut"):
            with self.assertRaises(Refused) as refused:
                client.ask(command, threadId=1)
            self.assertTrue(str(refused.exception).startswith("cannot "), refused.exception)
        self.refused(client, "cannot step: there is no thread 1000 at this stop", "next", threadId=1000)


class Replays(Case, travel.TravelCase):
    """An editor attaches to a running replay, and the two go to stops together."""

    def attach(self, name):
        client = Client([support.TREE.command, "dap"], support.environment(XDG_RUNTIME_DIR=self.directory))
        self.addCleanup(self.close, client)
        client.stopped = client.begin(kind="attach", replay=name)
        return client

    def test_together(self):
        replay = self.client()
        replay.do("pump")
        self.go(replay, 3)
        for name in replay.pid, str(replay.pid):
            client = self.attach(name)
            stops = client.ask("wavetape/stops")
            self.assertEqual((len(stops["stops"]), stops["stop"]), (travel.STOPS, self.place(replay)))
            for stop in 6, 2:
                client.ask("wavetape/goStop", stop=stop)
                replay.do("resume", "wait", "pump")
                self.assertEqual((client.ask("wavetape/stops")["stop"], self.place(replay)), (stop, stop))
            self.go(replay, 3)
            self.assertEqual(client.end(), (0, ""))

    def test_one_that_ends(self):
        """The trace is looked at all the same, and the editor is told."""
        replay = self.client()
        replay.do("pump")
        client = self.attach(replay.pid)
        replay.end()
        client.ask("wavetape/goStop", stop=5)
        self.assertEqual(client.event("output")["category"], "important")
        self.assertEqual(client.ask("wavetape/stops")["stop"], 5)
        self.assertTrue(client.ask("threads")["threads"])

    def test_none(self):
        client = Client([support.TREE.command, "dap"], support.environment(XDG_RUNTIME_DIR=self.directory))
        self.addCleanup(self.close, client)
        client.ask("initialize", adapterID="x")
        with self.assertRaisesRegex(Refused, "1"):
            client.ask("attach", replay=1)


class Working(Case):
    """Work that takes long is told of while it goes on, and can be ended."""

    def long(self):
        """A wave whose way has some million instructions."""
        code = support.TREE.build / "tests/bench/loop-gfx90a.co"
        if not code.exists() and subprocess.run(["ninja", "-C", support.TREE.build, "tests/bench/loop-gfx90a.co"],
                                                capture_output=True, check=False).returncode:
            self.skipTest("the kernel is not built")
        workload, trace = self.directory / "long.json", self.directory / "long.wtape"
        workload.write_text(json.dumps({
            "architecture": "gfx90a", "code_objects": [str(code)], "buffers": {"out": {"bytes": 64}},
            "dispatches": [{"kernel": "loop", "grid": [64, 1, 1], "workgroup": [64, 1, 1],
                            "arguments": [{"address": 0}, {"u32": 250000}]}]}), "utf-8")
        self.wavetape("record", "-o", trace, "--workload", workload)
        return trace

    def begin(self, progress):
        client = Client([support.TREE.command, "dap", self.long()], support.environment())
        self.addCleanup(self.close, client)
        client.begin(capabilities={"supportsProgressReporting": progress})
        return client

    def kinds(self, client):
        return [message["event"] for message in client.seen if message["type"] == "event" and message["event"].startswith("progress")]

    def test_progress(self):
        client = self.begin(True)
        client.ask("stepBack", threadId=1)
        kinds = self.kinds(client)
        self.assertEqual((kinds[0], kinds[-1]), ("progressStart", "progressEnd"), kinds)
        self.assertEqual(set(kinds[1:-1]) - {"progressUpdate"}, set())
        self.assertEqual(client.event("progressStart")["cancellable"], True)
        self.assertEqual(client.event("stopped")["reason"], "step")

    def test_who_wants_none(self):
        client = self.begin(False)
        client.ask("stepBack", threadId=1)
        self.assertEqual(self.kinds(client), [])

    def test_cancel(self):
        client = self.begin(True)
        step = client.send("stepBack", threadId=1)
        self.assertEqual(client.event("progressStart")["requestId"], step)
        client.send("cancel", requestId=step)
        taken = client.receive(step)
        self.assertEqual((taken["success"], taken["message"]), (False, "cancelled"))
        self.assertTrue(client.receive(client.sequence)["success"])
        self.assertEqual(self.kinds(client)[-1], "progressEnd")
        # The wave is where it was, and the next request does what it is for.
        self.assertEqual(client.ask("wavetape/way", threadId=1)["position"], client.ask("wavetape/way", threadId=1)["steps"])


    def test_cancel_of_progress(self):
        """By the name of what is shown, as VS Code does it."""
        client = self.begin(True)
        step = client.send("stepBack", threadId=1)
        cancel = client.send("cancel", progressId=client.event("progressStart")["progressId"])
        self.assertEqual(client.receive(step)["message"], "cancelled")
        self.assertTrue(client.receive(cancel)["success"])
        late = client.receive(client.send("cancel", progressId="way"))
        self.assertEqual((late["success"], late["message"]), (False, "cannot cancel: no such request is waiting or at work"))


class Programs(Case):
    """A program that a plain hipcc compiled, recorded by the agent in it."""

    def record(self, level):
        agent = support.TREE.agent
        self.skip_with_sanitizer()
        program = support.TREE.build / f"tests/driver/causes{level}"
        if not program.exists():
            self.skipTest("no HIP programs were built here")
        trace = self.directory / f"painted{level}.wtape"
        environment = support.environment(WAVETAPE_DBGAPI=support.TREE.libraries["simulated"], HSA_TOOLS_LIB=str(agent),
                                          HSA_ENABLE_DEBUG="1", WAVETAPE_AGENT=f"output={trace}")
        subprocess.run([support.TREE.command, "device", "--", program, "painted"],
                       capture_output=True, timeout=240, check=False, env=environment, stdin=subprocess.DEVNULL)
        return trace

    def test_painted(self):
        for level in support.share(("-O0", "-O2")):
            trace = self.record(level)
            client = self.open(trace)
            thread = client.stopped["threadId"]
            self.assertEqual((client.stopped["reason"], client.stopped["description"]), ("exception", "memory violation"))
            self.assertRegex(client.stopped["text"], r"^memory violation in kernel painted\(.*\) at .*: past the end: lane 0 stores to pixels\[\d+\]")
            self.assertEqual(client.ask("exceptionInfo", threadId=thread)["description"], client.stopped["text"])
            shown = self.json("locals", trace, "--wave", str(thread))
            # Memory is not precise: the wave may have gone on behind the access.
            line = shown["frame"]["source"]["line"]
            frame = self.frames(client, thread)[0]
            self.assertEqual((frame["name"].split("(")[0], frame["line"], frame["source"]["name"]), ("painted", line, "causes.hip"))
            arguments = client.variables(client.scopes(frame["id"])["Arguments"]["variablesReference"])
            self.assertEqual([one["name"] for one in arguments],
                             [one["name"] for one in shown["variables"] if one["parameter"]])
            client.ask("stepBack", threadId=thread)
            self.assertEqual(client.event("stopped")["reason"], "step")
            client.ask("reverseContinue", threadId=thread)
            stopped = client.event("stopped")
            self.assertTrue(stopped["description"].startswith("step 0 of "), stopped)
            self.assertEqual(self.frames(client, thread)[-1]["name"].split("(")[0], "painted")
            client.ask("continue", threadId=thread)
            self.assertEqual(client.event("stopped")["reason"], "exception")
            self.assertEqual(self.frames(client, thread)[0]["line"], line)


class Wrong(Case):
    """What no client should send is answered, and the next request, too."""

    def test_requests(self):
        client = self.open(self.served())
        self.refused(client, "cannot answer: there is no request nonsense here", "nonsense")
        self.refused(client, "cannot initialize: this was done before", "initialize", adapterID="x")
        self.refused(client, "cannot show variables: there is nothing by reference 0: references end when something moves",
                     "variables", variablesReference=0)
        self.refused(client, "cannot show variables: there is nothing by reference 77: references end when something moves",
                     "variables", variablesReference=77)
        for wrong in (-1, 1 << 40, "1", [], 1.5, None):
            with self.assertRaises(Refused):
                client.ask("variables", variablesReference=wrong)
            with self.assertRaises(Refused):
                client.ask("stackTrace", threadId=wrong)
            with self.assertRaises(Refused):
                client.ask("exceptionInfo", threadId=wrong)
        self.refused(client, "cannot show the frames: there is no thread 9 at this stop", "stackTrace", threadId=9)
        self.refused(client, "cannot show the frames: threadId is missing", "stackTrace")
        self.refused(client, "cannot set this: a recording does not change; the lane in focus can be set, in the scope Lanes",
                     "setVariable", variablesReference=1, name="x", value="1")
        self.assertEqual(len(client.ask("threads")["threads"]), 2)

    def test_before_initialize(self):
        with Client([support.TREE.command, "dap", self.served()], support.environment()) as client:
            self.refused(client, "cannot answer: initialize comes first", "launch")
            self.refused(client, "cannot answer: initialize comes first", "threads")
            client.begin()

    def test_bytes(self):
        client = self.open(self.served())
        for data, said in (
                (b"garbage\r\n\r\n", "bytes came that are no head with a Content-Length\n"),
                (b"Content-Length: 3\r\n\r\nabc", "a message is no JSON: '[' or '{' expected near 'abc'\n"),
                (b"Content-Length: 2\r\n\r\n[]", "a message came that is no request\n"),
                (b"Content-Length: 2\r\n\r\n{}", "a message came that is no request\n"),
                (b"Content-Length: 5000000\r\n\r\n" + bytes(5000000),
                 "a message of 5000000 bytes is longer than the 1048576 that are taken\n"),
                (client.frame({"type": "request", "seq": "x", "command": 7}), "a message came that is no request\n"),
                (client.frame({"type": "response", "seq": 1, "command": "threads"}), "a message came that is no request\n"),
                (b"Content-Length: 10\r\n\r\n" + b"[" * 10, None)):
            client.write(data)
            output = client.event("output")
            self.assertEqual(output["category"], "important")
            if said:
                self.assertEqual(output["output"], said)
            self.assertEqual(len(client.ask("threads")["threads"]), 2, data[:40])
        client.write(client.frame({"type": "request", "seq": 1000, "command": "threads", "arguments": [1]}))
        self.assertEqual(client.receive(1000)["message"], "the arguments are wrong: they are no object")
        # Texts that no name can be, in a request: who asked is told.
        for text in "a\0", "\ud83d", {"\0": 1}:
            self.refused(client, "a text of the message has U+0000 or half of a surrogate pair, which are no characters",
                         "evaluate", expression=text)
        for number in 10**30, -10**30:
            self.refused(client, "a number of the message is too large", "stackTrace", threadId=number)

    def test_taken_back(self):
        client = self.open(self.served())
        first = client.sequence + 1
        client.write(b"".join(client.frame(message) for message in (
            {"seq": first, "type": "request", "command": "threads"},
            {"seq": first + 1, "type": "request", "command": "threads"},
            {"seq": first + 2, "type": "request", "command": "cancel", "arguments": {"requestId": first + 1}})))
        client.sequence += 3
        self.assertTrue(client.receive(first)["success"])
        taken = client.receive(first + 1)
        self.assertEqual((taken["success"], taken["message"]), (False, "cancelled"))
        self.assertTrue(client.receive(first + 2)["success"])

    def test_taken_back_many(self):
        """As many as wait: none is forgotten. One that was answered, or never came, cannot be taken back."""
        client = self.open(self.served())
        first = client.sequence + 1
        # In one write: most requests wait when the cancels come.
        count = 300
        wanted = [{"seq": first + i, "type": "request", "command": "threads"} for i in range(count)]
        cancels = [{"seq": first + count + i, "type": "request", "command": "cancel", "arguments": {"requestId": first + i}} for i in range(count)]
        client.write(b"".join(client.frame(message) for message in wanted + cancels))
        client.sequence += 2 * count
        answered = [client.receive(first + i)["success"] for i in range(count)]
        self.assertEqual([client.receive(first + count + i)["success"] for i in range(count)], [not success for success in answered])
        self.assertGreater(answered.count(False), 100)
        for arguments in ({"requestId": first}, {"requestId": 1 << 40}, {}):
            late = client.receive(client.send("cancel", **arguments))
            self.assertEqual((late["success"], late["message"]), (False, "cannot cancel: no such request is waiting or at work"))

    def test_a_client_that_is_gone(self):
        client = self.open(self.served())
        client.process.stdin.close()
        self.assertEqual(client.process.wait(20), 0)
        client = self.open(self.served())
        client.process.stdout.close()
        client.send("threads")
        self.assertEqual(client.process.wait(20), 1)
        self.assertEqual(client.process.stderr.read(), b"wavetape: cannot answer: the client: Broken pipe\n")

    def test_command_lines(self):
        for arguments, why in (
                (["--port", "x"], "--port takes 0 to 65535, not 'x'"), (["--port", "1", "--socket", "x"],
                                                                      "--port and --socket go not together"),
                (["--once"], "--once goes with --port or --socket"), (["a", "b"], "one FILE is opened: 'b' stands behind it"),
                (["--stop", "0"], "--stop takes a number from 1, not '0'")):
            result = support.wavetape("dap", *arguments)
            self.assertEqual((result.code, result.stderr.splitlines()[0]), (2, f"wavetape dap: {why}"))
        where = self.directory / ("x" * 120)
        self.wavetape("dap", "--socket", where, code=2,
                      stderr=f"wavetape: cannot serve editors: {where}: the name of a socket has less than 108 bytes\n")


if __name__ == "__main__":
    if not SCHEMA:
        print("messages are not held against the protocol's schema: WAVETAPE_TEST_DAP_SCHEMA names none")
    support.main(__doc__, parts=2)
