# SPDX-License-Identifier: MIT
"""`wavetape report`: a page that holds what the other verbs say of a trace, and in which nothing of a trace is markup."""

import base64
import json
import os
import re
import shutil
import struct

import support
from report_page import Page, hash_of, lane_values
from support import Case, wavetape

# What ends a script element, and what would then run. A file's name has no '/': that one is of a directory and a file in it.
HOSTILE_DIRECTORY = "a<"
HOSTILE_FILE = "script><img src=x onerror=alert(1)>&quot;'\"\u2028`"


def without_values(variable):
    return {name: value for name, value in variable.items() if name != "values"}


def hash_name(name):
    """The hash of the System V ABI."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        value = (value ^ (value >> 24 & 0xF0)) & 0x0FFFFFFF
    return value


def hash_again(data):
    """Bring the hash table of an ELF file of 64 bits in line with the names of its symbols."""
    sections, size, count = struct.unpack_from("<Q10xHH", data, 40)
    heads = [struct.unpack_from("<IIQQQQII", data, sections + size * i) for i in range(count)]
    table = next(head for head in heads if head[1] == 5)
    symbols, strings = heads[table[6]], heads[heads[table[6]][6]]
    buckets, chains = struct.unpack_from("<II", data, table[4])
    words = [0] * (buckets + chains)
    for symbol in range(1, chains):
        start = strings[4] + struct.unpack_from("<I", data, symbols[4] + 24 * symbol)[0]
        bucket = hash_name(data[start : data.index(b"\0", start)]) % buckets
        words[buckets + symbol], words[bucket] = words[bucket], symbol
    struct.pack_into(f"<{len(words)}I", data, table[4] + 8, *words)
    return data


class Report(Case):
    def report(self, trace, *options, code=0, stderr=""):
        """The page that is made of a trace; what the command printed is kept."""
        path = self.directory / "report.html"
        self.printed = self.wavetape("report", trace, "-o", path, *options, code=code, stderr=stderr)
        page = Page(path)
        self.assertEqual(page.problems, [])
        self.check_frame(page)
        return page

    def check_frame(self, page):
        """All that the browser takes for more than text is what the build made."""
        script, style = page.scripts, page.styles
        self.assertEqual((len(script), len(style)), (1, 1))
        self.assertEqual(page.policy(), {
            "default-src": ["'none'"], "style-src": [hash_of(style[0])], "script-src": [hash_of(script[0])],
            "base-uri": ["'none'"], "form-action": ["'none'"], "require-trusted-types-for": ["'script'"],
            "trusted-types": ["'none'"]})
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(", "http:", "https:"):
            self.assertNotIn(word, script[0])
        for block in ("head", "stops", "registers", "missing"):
            self.assertIn(block, page.blocks)

    def record(self, name, workload, *options):
        path = self.directory / f"{name}.wtape"
        done = wavetape("record", "--reproducible", *options, "-o", path, "--workload", workload)
        self.assertEqual(done.code, 0, done.stderr)
        return path


class Whole(Report):
    def test_first_screen(self):
        """The blocks that it is made of have what `info` says."""
        trace = self.trace("oob-store")
        page, info = self.report(trace, "--source-map", f"={support.TREE.source}"), self.json(
            "info", trace, "--source-map", f"={support.TREE.source}")
        head = page.blocks["head"]
        faults = {fault["wave"]: fault for fault in info["faults"]}
        self.assertEqual(head["explanations"], [faults[one["wave"]] | one for one in info["explanations"]])
        self.assertEqual(head["faults"], len(info["faults"]))
        for name in ("stop", "waves", "stops", "calls", "not_known", "notices", "complete", "command_line"):
            self.assertEqual(head[name], info[name], name)
        self.assertEqual(head["name"], trace.name)
        (explanation,) = head["explanations"]
        self.assertIn("past the end: lane 61 stores to out[1213]", explanation["cause"]["sentence"])
        faulting = [line for line in explanation["source_lines"] if line["line"] == explanation["code"]["source"]["line"]]
        self.assertEqual([line["text"] for line in faulting], ["\tout[index] = 3 * i;"])
        text = self.wavetape("info", trace)
        map_ = page.blocks[f"map-{info['stop']}"]
        for wave, access in map_["access"].items():
            self.assertRegex(text, rf"(?m)^  w{wave} +\(\d,\d,\d\)/\d +{re.escape(access)}$")
        self.assertEqual(self.printed, f"{self.directory / 'report.html'}: {len(page.bytes)} bytes\n")

    def test_waves(self):
        """Map, registers, calls and variables are those of the other verbs."""
        trace = self.trace("matmul-short-buffer")
        page = self.report(trace)
        for stop in (stop["stop"] for stop in self.json("stops", trace)["stops"]):
            map_, waves = page.blocks[f"map-{stop}"], self.json("waves", trace, "--stop", stop)["waves"]
            columns = map_["waves"]
            self.assertEqual(columns["id"], [wave["wave"] for wave in waves])
            self.assertEqual([list(group) for group in zip(columns["x"], columns["y"], columns["z"])], [wave["workgroup"] for wave in waves])
            self.assertEqual(columns["number"], [wave["number_in_workgroup"] for wave in waves])
            for place, state, wave in zip(columns["place"], columns["state"], waves):
                self.assertEqual(map_["places"][place]["address"] if place >= 0 else None, wave.get("code", {}).get("address"))
                fault = wave.get("stop_reason", "") in support.FAULTS.values()
                self.assertEqual(state == 4, fault)
            self.assertEqual(map_["count"], len(waves))
        shown = [name for name in page.blocks if name.startswith("wave-")]
        self.assertGreater(len(shown), 4)
        for name in support.share(sorted(shown)):
            self.check_wave(page, trace, *name.split("-")[1:])

    def check_wave(self, page, trace, stop, wave):
        where = ("--stop", stop, "--wave", wave)
        data = page.wave(stop, wave)
        registers = self.json("registers", trace, *where)["registers"]
        self.assertEqual(len(data["registers"]), len(registers))
        for (name, type_, size, value, *_), register in zip(data["registers"], registers):
            self.assertEqual((name, type_, size), (register["name"], register["type"], register["bytes"]))
            if "lanes" in register:
                self.assertEqual(lane_values(value), [int(lane, 16) for lane in register["lanes"]])
            elif register["value"] is not None:
                self.assertEqual(int(value, 16) & (1 << 64) - 1, int(register["value"], 16))
        frames = self.json("backtrace", trace, *where)["frames"]
        self.assertEqual([frame["address"] for frame in data["frames"]], [frame["address"] for frame in frames])
        variables = self.json("locals", trace, *where)["variables"]
        self.assertEqual([without_values(row) for row in data["frames"][0]["variables"]], [without_values(one) for one in variables])
        for row, variable in zip(data["frames"][0]["variables"], variables):
            self.assertEqual([value.get("value") for value in row["values"]], [value.get("value") for value in variable["values"]])
        code = page.blocks[f"code-{data['frames'][0]['code_block']}"]
        address, texts = int(code["from"], 16), {}
        for size, text, *_ in code["rows"]:
            texts[address] = text
            address += size
        for one in self.json("disassemble", trace, *where)["instructions"]:
            self.assertEqual(texts[int(one["address"], 16)], one["instruction"])

    def test_changed(self):
        """A register that the stop before had with another value has that, too; no other one."""
        trace = self.steps()
        page, compared = self.report(trace), 0
        for name, data in page.blocks.items():
            match = re.fullmatch(r"wave-(\d+)-(\d+)", name)
            if not match or not data["compared"]:
                continue
            stop, wave = map(int, match.groups())
            now, before = ({register["name"]: register for register in self.json("registers", trace, "--stop", at, "--wave", wave)["registers"]}
                           for at in (stop, stop - 1))
            for one, _, size, _, *old in page.wave(stop, wave)["registers"]:
                self.assertEqual(bool(old), one in before and now[one] != before[one], (name, one))
                if old and "lanes" in now[one]:
                    self.assertEqual(lane_values(old[0]), [int(lane, 16) for lane in before[one]["lanes"]])
                elif old:
                    self.assertEqual(int(old[0], 16) & (1 << 64) - 1, int(before[one]["value"], 16), size)
                compared += bool(old)
        self.assertGreater(compared, 4)

    def steps(self):
        """A trace of single steps: at each stop some registers are others."""
        path = self.directory / "steps.wtape"
        done = support.run(support.TREE.command, "record", "-o", path, "--dbgapi", support.TREE.libraries["simulated"], "--",
                           support.TREE.client, "--break", "vecadd", "--steps", "3", "--stops", "4",
                           WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"), WAVETAPE_OPTIONS="reproducible")
        self.assertEqual((done.code, done.stderr), (0, ""))
        return path

    def test_memory(self):
        trace = self.trace("oob-store")
        page, stop = self.report(trace), self.json("info", trace)["stop"]
        blocks = [block for name, block in page.blocks.items() if name.startswith(f"memory-{stop}-")]
        pages = {(block["space"], block["owner"], int(at, 16)): (size, base64.b64decode(text))
                 for block in blocks for at, size, text in block["pages"]}
        runs = self.json("memory", trace)["ranges"]
        self.assertEqual(sum(size for size, _ in pages.values()), sum(int(run["to"], 16) - int(run["from"], 16) for run in runs))
        for (space, _, address), (size, data) in pages.items():
            if space == "global":
                whole = bytes.fromhex(self.json("memory", trace, hex(address), size)["data"])
                self.assertEqual(whole, data + bytes(size - len(data)))
        argument = next(one for one in page.blocks["head"]["explanations"][0]["arguments"] if one["name"] == "out")
        self.assertIn(("global", 1, int(argument["value"], 16)), {(space, 1, at) for space, _, at in pages})

    def test_journal_and_host(self):
        trace = self.trace("oob-store")
        page, calls = self.report(trace), self.json("journal", trace)["entries"]
        rows = page.blocks["journal-0"]
        self.assertEqual([row[0] for row in rows], [call["call"] for call in calls])
        self.assertEqual(["amd_dbgapi_" + row[3] for row in rows], [call["function"] for call in calls])
        self.assertEqual([row[5] for row in rows], [call["status"] for call in calls])
        for row, call in zip(rows, calls):
            for name, value in call["inputs"].items():
                self.assertIn(f"{name}={'NULL' if value is None else value}", row[4])
        self.assertNotIn("host", page.blocks)
        path = self.directory / "host.wtape"
        self.wavetape("record", "-o", path, "--workload", support.TREE.workload("oob-store"))
        self.assertEqual(self.report(path).blocks["host"], self.found("host", path))

    def test_again(self):
        """The same trace makes the same page; --json says what was written."""
        trace = self.trace("oob-load")
        first = self.report(trace).bytes
        written = self.found("report", trace, "-o", self.directory / "report.html")
        self.assertEqual(written, {"written": str(self.directory / "report.html"), "bytes": len(first), "left_out": []})
        self.assertEqual((self.directory / "report.html").read_bytes(), first)
        self.assertEqual((self.directory / "report.html").stat().st_mode & 0o777, 0o600)

    def test_a_stop(self):
        trace = self.trace("oob-load")
        page = self.report(trace, "--stop", "1")
        self.assertEqual((page.blocks["head"]["stop"], page.blocks["head"]["explanations"]), (1, []))
        self.assertIn("map-3", page.blocks)


class Less(Report):
    def test_damaged(self):
        data = bytearray(self.trace("matmul-short-buffer").read_bytes())
        chunks = [offset for offset, kind, _ in support.blocks(data) if kind == support.CHUNK]
        for chunk in support.share(chunks):
            bad = self.directory / "bad.wtape"
            bad.write_bytes(data[: chunk + support.HEAD + 20] + bytes([data[chunk + support.HEAD + 20] ^ 1]) + data[chunk + support.HEAD + 21 :])
            path = self.directory / "report.html"
            path.unlink(missing_ok=True)
            done = wavetape("report", bad, "-o", path)
            self.assertEqual(done.code, 3, done.stderr)
            page = Page(path)
            self.assertEqual(page.problems, [])
            missing = page.blocks["missing"]
            self.assertGreaterEqual(missing["damage_count"], 1)
            self.assertEqual(done.stderr, "".join(f"wavetape: the trace is not whole: {bad}: {text}\n" for text in missing["damage"]))

    def test_cut(self):
        whole = self.trace("matmul-short-buffer")
        cut = self.directory / "cut.wtape"
        size = whole.stat().st_size
        for length in support.share((size - 1, size * 3 // 4, size // 2, size // 4)):
            cut.write_bytes(whole.read_bytes()[:length])
            path = self.directory / "report.html"
            done = wavetape("report", cut, "-o", path)
            self.assertEqual(done.code, 3, done.stderr)
            page = Page(path)
            self.assertEqual(page.problems, [])
            self.assertTrue(page.blocks["missing"]["damage"])

    def test_redacted(self):
        page = self.report(self.record("redacted", support.TREE.workload("oob-store"), "--redact"))
        self.assertTrue(page.blocks["missing"]["redacted"])
        self.assertEqual([name for name in page.blocks if name.startswith("memory-")], [])
        self.assertFalse(self.report(self.trace("oob-store")).blocks["missing"]["redacted"])

    def test_policy(self):
        page = self.report(self.record("few", support.TREE.workload("oob-store"), "--no-code", "--registers=pc", "--memory=none"))
        missing = page.blocks["missing"]
        for word in ("no-code", "registers=pc", "memory=none"):
            self.assertIn(word, missing["policy"].split())
        code = [block for name, block in page.blocks.items() if name.startswith("code-")]
        self.assertEqual(code, [])
        self.assertEqual(page.blocks["head"]["explanations"][0]["code"]["instruction"], None)

    def test_no_stop(self):
        """A recording that ended before anything stopped."""
        path = self.directory / "empty.wtape"
        done = support.run(support.TREE.command, "record", "-o", path, "--dbgapi", support.TREE.libraries["simulated"], "--",
                           support.TREE.client, "--stops", "0", WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        self.assertEqual(done.code, 0, done.stderr)
        if self.json("info", path)["stops"]:
            self.wavetape("trim", path, "--stops", "1", "-o", self.directory / "one.wtape")
        page = self.report(path)
        self.assertEqual(len(page.blocks["stops"]), page.blocks["head"]["stops"])

    def test_size(self):
        """The page is never larger than it may be, and what is not in it is named in it."""
        trace = self.trace("matmul-short-buffer")
        whole = self.report(trace)
        self.assertEqual(whole.blocks["missing"]["left_out"], [])
        for limit, number in (("256K", 256 * 1024), ("300000", 300000)):
            page = self.report(trace, "--max-size", limit)
            left_out = page.blocks["missing"]["left_out"]
            self.assertLessEqual(len(page.bytes), number)
            self.assertTrue(left_out)
            self.assertEqual(self.printed.splitlines()[1:], [f"left out for its size: {text}" for text in left_out])
            # What is there is the same as in the whole one, and the wave that is explained is.
            stop, wave = page.blocks["head"]["stop"], page.blocks["head"]["explanations"][0]["wave"]
            for name in ("head", "stops", f"map-{stop}", f"wave-{stop}-{wave}"):
                self.assertEqual(page.blocks[name], whole.blocks[name], name)


class Hostile(Report):
    def workload(self):
        """Kernel, code object and directories have names that would be markup."""
        place = self.directory / HOSTILE_DIRECTORY / HOSTILE_FILE
        place.mkdir(parents=True)
        document = json.loads(support.TREE.workload("oob-store").read_text("utf-8"))
        code = support.TREE.kernels / document["code_objects"][0]
        name = f"{HOSTILE_FILE}.co"
        data = code.read_bytes()
        self.assertIn(b"oob_store", data)
        data = data.replace(b"oob_store", b"</script>").replace(b"oob-store.c", b"<img src=x>")
        (place / name).write_bytes(hash_again(bytearray(data)))
        document["code_objects"] = [name]
        document["dispatches"][0]["kernel"] = "</script>"
        path = place / "<b>workload.json"
        path.write_text(json.dumps(document), "utf-8")
        return path

    def test_names(self):
        trace = self.directory / f"{HOSTILE_FILE}.wtape"
        done = wavetape("record", "-o", trace, "--workload", self.workload())
        self.assertEqual(done.code, 0, done.stderr)
        plain = self.report(self.trace("oob-store"))
        page = self.report(trace)
        self.assertEqual(page.markup(), plain.markup())
        self.assertEqual((page.scripts, page.styles), (plain.scripts, plain.styles))
        head = page.blocks["head"]
        self.assertEqual(head["explanations"][0]["kernel"], "</script>")
        self.assertIn("<img src=x>", head["explanations"][0]["code"]["source"]["file"])
        self.assertEqual(head["name"], f"{HOSTILE_FILE}.wtape")
        self.assertTrue(any("/a</script><img src=x onerror=alert(1)>" in word for word in head["command_line"]))

    def test_what_failed_before_the_wave_stopped(self):
        """Where memory is not precise the first screen names what failed, as `info` does; and the kernel as its author wrote it."""
        trace = support.TREE.source / "tests/golden/release-0.1.0.wtape"
        page = self.report(trace)
        (explanation,) = page.blocks["head"]["explanations"]
        info = " ".join(self.wavetape("info", trace).split())
        failed = explanation["failed_at"]
        self.assertEqual(explanation["kernel"], "count(particle const*, int, int*)")
        self.assertIn(f"{failed['symbol']['name']}+{failed['symbol']['offset']:#x} instruction {failed['address']}: {failed['instruction']}", info)
        self.assertIn(f"stopped at {explanation['pc']}, 1 instruction later", info)
        self.assertEqual((int(explanation["pc"], 16) - int(failed["address"], 16), explanation["late"]), (8, 1))
        self.assertIn("13", explanation["access"]["addresses"])
        stop = page.blocks["head"]["stop"]
        self.assertEqual(page.blocks["stops"][stop - 1]["kernel"], explanation["kernel"])
        self.assertEqual(set(page.blocks[f"map-{stop}"]["kernels"].values()), {explanation["kernel"]})
        self.assertEqual([place["kernel"] for place in page.blocks[f"map-{stop}"]["places"]], [explanation["kernel"]])

    def test_journal(self):
        """Answers of the recorded library are text, too: the client asks where code objects come from."""
        trace = self.directory / "journal.wtape"
        done = support.run(support.TREE.command, "record", "-o", trace, "--dbgapi", support.TREE.libraries["simulated"], "--",
                           support.TREE.client, WAVETAPE_WORKLOAD=self.workload())
        self.assertEqual(done.code, 0, done.stderr)
        page = self.report(trace)
        answers = [row[6] for name, rows in page.blocks.items() if name.startswith("journal-") for row in rows if len(row) > 1]
        self.assertTrue(any("%3Cimg" in text or "<img" in text or "script" in text for text in answers), answers)
        self.assertEqual(page.markup(), self.report(self.trace("oob-store")).markup())


class Usage(Report):
    def wrong(self, *arguments, says):
        done = wavetape("report", *arguments)
        self.assertEqual((done.code, done.stdout), (2, ""))
        self.assertIn(says, done.stderr)

    def test_wrong(self):
        trace = self.trace("oob-store")
        out = self.directory / "out.html"
        self.wrong(trace, says="where to? Name a file with --output")
        for size in ("255K", "2G", "0", "x", "-1"):
            self.wrong(trace, "-o", out, f"--max-size={size}", says=f"--max-size takes 256K to 1G, not '{size}'")
        self.wrong(trace, "-o", out, "--stop", "99", says="there is no stop 99")
        copy = self.directory / "copy.wtape"
        shutil.copy(trace, copy)
        self.wrong(copy, "-o", copy, says="it is the trace that is read; give another name")
        self.assertEqual(copy.read_bytes(), trace.read_bytes())
        self.assertEqual(sorted(os.listdir(self.directory)), ["copy.wtape"])

    def test_not_written(self):
        for where in (self.directory / "none" / "out.html", self.directory):
            done = wavetape("report", self.trace("oob-store"), "-o", where)
            self.assertEqual((done.code, done.stdout), (1, ""))
            self.assertIn("wavetape: cannot write the report: ", done.stderr)
        self.assertEqual(os.listdir(self.directory), [])

    def test_there(self):
        """A file that is there is replaced by a page that is whole, and by no other."""
        out, junk = self.directory / "out.html", self.directory / "junk"
        junk.write_bytes(b"not a trace" * 100)
        out.write_bytes(b"before")
        out.chmod(0o640)
        self.assertEqual(wavetape("report", junk, "-o", out).code, 1)
        self.assertEqual(out.read_bytes(), b"before")
        self.wavetape("report", self.trace("oob-store"), "-o", out, stdout=None)
        self.assertEqual((out.read_bytes()[:15], out.stat().st_mode & 0o777), (b"<!doctype html>", 0o640))

    def test_no_trace(self):
        junk = self.directory / "junk"
        junk.write_bytes(b"not a trace" * 100)
        done = wavetape("report", junk, "-o", self.directory / "out.html")
        self.assertEqual(done.code, 1)
        self.assertEqual(os.listdir(self.directory), ["junk"])


if __name__ == "__main__":
    support.main(__doc__)
