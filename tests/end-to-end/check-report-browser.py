# SPDX-License-Identifier: MIT
"""Reports in a real browser: what a reader sees, clicks, types, and that the browser has nothing to complain about.

Pictures of each page at three widths are left in PICTURES, if the environment names such a directory.
"""

import json
import os
import pathlib
import re
import shutil
import unittest

import browser
import support
from support import Case, wavetape

WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1440, 900)}
MANY = 4032  # waves of a GPU that is in full use
OPENS = 2.0  # seconds
LIMIT = 5000000  # bytes, without --max-size

# A name that would run in the page, if it were markup there.
HOSTILE = "<img src=x onerror=document.title='ran'>.wtape"


def many_waves(directory):
    """A workload in which nearly all of so many waves fault."""
    queues, items = MANY // 64, 64 * 64
    path = directory / "many.json"
    path.write_text(json.dumps({
        "architecture": "gfx942", "code_objects": [str(support.TREE.kernels / "oob-load.co")], "queues": [{} for _ in range(queues)],
        "buffers": {"in": {"bytes": 4096}, "out": {"bytes": 4 * items},
                    "index": {"bytes": 4 * items, "fill": {"iota": {"type": "u32", "start": 0, "step": 5}}}},
        "dispatches": [{"kernel": "oob_load", "grid": [items, 1, 1], "workgroup": [1024, 1, 1], "queue": queue,
                        "arguments": [{"buffer": "in"}, {"buffer": "index"}, {"buffer": "out"}]} for queue in range(queues)]}), "utf-8")
    return path


class Seen(Case):
    browser = None

    def setUp(self):
        super().setUp()
        # One for all tests: to start it costs more than most of them.
        if Seen.browser is None:
            Seen.browser = browser.Browser(support.TREE.temporary)
            unittest.addModuleCleanup(Seen.browser.close)
        self.browser.size(*WIDTHS["desk"])
        self.browser.scheme("light")

    def tearDown(self):
        super().tearDown()
        self.assertEqual(self.browser.log(), [])

    def open(self, trace, *options, code=0):
        """Make a report and open it: the seconds that it took."""
        self.page = self.directory / "report.html"
        done = wavetape("report", trace, "-o", self.page, *options)
        self.assertEqual(done.code, code, done.stderr)
        return self.browser.open(self.page)

    def picture(self, name):
        if "PICTURES" in os.environ:
            self.browser.picture(pathlib.Path(os.environ["PICTURES"]) / f"{name}.png", whole=True)

    def run_script(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def focused(self):
        """What a screen reader says of the element with the focus."""
        return self.run_script("const e = document.activeElement; return e.getAttribute('aria-label') || e.innerText || e.id")


class FirstScreen(Seen):
    def test_text(self):
        """Exactly what `info` says."""
        self.open(self.trace("oob-store"), "--source-map", f"={support.TREE.source}")
        line = support.TREE.line_of("oob-store", "out[index] = 3 * i;")
        info = self.json("info", self.trace("oob-store"))
        (fault,) = (one | info["faults"][0] for one in info["explanations"])
        seen = self.browser.text("#crash .fault-card").splitlines()
        source = (support.TREE.source / "tests/kernels/oob-store.c").read_text("utf-8").splitlines()[line - 4 : line + 3]
        shown = [text for i, text in enumerate(source) for text in (str(line - 3 + i), text.expandtabs(4).rstrip()) if text]
        expected = [
            "Memory violation in kernel oob_store", f"tests/kernels/oob-store.c:{line}:13, oob_store()", "oob_store+0x60", "stop 2", "Cause",
            fault["cause"]["sentence"], *shown, fault["code"]["address"], "global_store_dword v[0:1], v4, off", "Lanes of w3", "Arguments",
            "out = 0x210000000000, first = 189, count = 3, stray = 1024", "Waves", "1 of 1 stopped here", "w3", "(0,0,0)/2",
            "lanes 61-63 store 4 bytes at 0x2100000012f4 .. 0x2100000012fc (not mapped)"]
        self.assertEqual([text.strip() for text in seen if text.strip()], [text.strip() for text in expected])
        here = self.run_script("return document.querySelector('#crash .source [aria-current=true]').innerText")
        self.assertEqual(re.sub(r"\s+", " ", here).strip(), f"{line} out[index] = 3 * i;")
        self.assertEqual(self.run_script("return document.title"), "oob-store.wtape: wavetape report")
        lanes = self.run_script("const strip = document.querySelector('#crash .lanes'); return [strip.getAttribute('aria-label'), "
                                "strip.querySelectorAll('.failed').length, strip.children.length]")
        self.assertEqual(lanes, ["active lanes 0-63; failed lanes 61-63", 3, 64])

    def test_what_failed_before_the_wave_stopped(self):
        """Its place and its lane, on the first screen and where the wave is shown; and where the wave was by then."""
        self.open(support.TREE.source / "tests/golden/release-0.1.0.wtape")
        seen = self.browser.text("#crash .fault-card")
        for text in ("Memory violation in kernel count(particle const*, int, int*)\n", "\n0x7f3db2c2b798\nglobal_atomic_add v[0:1], v2, off\n",
                     "\nThe wave was stopped at 0x7f3db2c2b7a0, 1 instruction later.\n"):
            self.assertIn(text.replace("\n", " "), f" {' '.join(seen.split())} ")
        rows = self.browser.texts("#crash .excerpt tr.here")
        self.assertEqual([re.sub(r"\s+", " ", row).strip() for row in rows],
                         ["failed here: 0x7f3db2c2b798 global_atomic_add v[0:1], v2, off"])
        self.assertEqual(self.run_script("return document.querySelector('#lane').value"), "13")
        strips = "return [...document.querySelectorAll('.lanes')].map((strip) => strip.getAttribute('aria-label'))"
        self.assertEqual(self.run_script(strips)[:2], ["active lanes 0-63; failed lanes 13"] * 2)

    def test_wave_that_went_on(self):
        """Where it was stopped stands what would have failed next, in other lanes: nothing is said of that."""
        place, trace = self.directory / "late.json", self.directory / "late.wtape"
        place.write_text(json.dumps({
            "architecture": "gfx942", "code_objects": [str(support.TREE.kernels / "faults.co")], "buffers": {"out": {"bytes": 300000}},
            "dispatches": [{"kernel": "grid_stride", "grid": [64, 1, 1], "workgroup": [64, 1, 1],
                            "arguments": [{"buffer": "out"}, {"u32": 100000}]}]}), "utf-8")
        self.record_that_goes_on(trace, place)
        info = self.json("info", trace)
        (first,), (fault,) = info["explanations"], info["faults"]
        self.assertEqual((first["late"], first["access"]["unmapped_lanes"]), (8, list(range(56, 64))))
        self.open(trace)
        self.assertEqual(self.browser.text("#crash .wave-lines").split()[-3:], ["active", "lanes", "0-63"])
        strips = "return [...document.querySelectorAll('.lanes')].map((strip) => strip.getAttribute('aria-label'))"
        self.assertEqual(self.run_script(strips)[:2], ["active lanes 0-63; failed lanes 56-63"] * 2)
        self.assertEqual(self.browser.texts("#wave .access"), [])

    def test_arguments_by_their_types(self):
        workload = json.loads(support.TREE.workload("saxpy").read_text("utf-8"))
        workload["code_objects"] = [str(support.TREE.kernels / "saxpy.co")]
        workload["dispatches"][0]["arguments"][2] = {"address": 4096}
        place, trace = self.directory / "saxpy.json", self.directory / "saxpy.wtape"
        place.write_text(json.dumps(workload), "utf-8")
        self.assertEqual(wavetape("record", "-o", trace, "--workload", place).code, 0)
        said = re.search(r"(?m)^arguments +(.*)$", wavetape("info", trace).stdout)[1]
        self.assertIn("= 2.5, ", said)
        self.open(trace)
        self.assertIn(f"Arguments {said} Waves", " ".join(self.browser.text("#crash .fault-card").split()))

    def test_without_source(self):
        """The instructions around it stand there."""
        self.open(self.trace("oob-store"))
        rows = self.browser.texts("#crash .excerpt tr.here")
        self.assertEqual(len(rows), 1)
        self.assertIn("global_store_dword v[0:1], v4, off", rows[0])

    def test_command(self):
        """A long command of the client is there to its end, whatever the width."""
        path = self.directory / "long.wtape"
        done = support.run(support.TREE.command, "record", "-o", path, "--dbgapi", support.TREE.libraries["simulated"], "--",
                           support.TREE.client, "--break", "vecadd", *["--steps", "1"] * 40, "--stops", "2",
                           WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        self.assertEqual((done.code, done.stderr), (0, ""))
        command = " ".join(self.json("info", path)["command_line"])
        self.assertGreater(len(command), 400)
        self.open(path)
        for width, height in (*WIDTHS.values(), (1600, 900)):
            with self.subTest(width=width):
                self.browser.size(width, height)
                text, inside, cut = self.run_script("""
                    const command = document.querySelector('.recording .command'), box = command.getBoundingClientRect();
                    const cut = [];
                    for (let one = command; one; one = one.parentElement)
                        if (one.scrollWidth > one.clientWidth && one.clientWidth) cut.push(one.className || one.tagName);
                    return [command.innerText, box.left >= 0 && box.right <= innerWidth, cut];""")
                self.assertEqual((text, inside, cut), (command, True, []))

    def test_no_fault(self):
        self.open(self.trace("vecadd"))
        self.assertEqual(self.browser.text("#crash h1"), "No fault")
        self.assertEqual(self.browser.texts(".notice"), [])

    def test_notices(self):
        """Damaged, cut and redacted traces say so at the top, before anything else."""
        whole = self.trace("matmul-short-buffer").read_bytes()
        chunks = [offset for offset, kind, _ in support.blocks(whole) if kind == support.CHUNK]
        bad = self.directory / "bad.wtape"
        for at in support.share((chunks[0], chunks[-1])):
            bad.write_bytes(whole[: at + support.HEAD + 20] + bytes([whole[at + support.HEAD + 20] ^ 1]) + whole[at + support.HEAD + 21 :])
            self.open(bad, code=3)
            self.assertRegex(self.browser.text("main").lstrip(), r"\AThis trace is damaged\. ")
        bad.write_bytes(whole[: len(whole) // 2])
        self.open(bad, code=3)
        self.assertRegex(self.browser.text("main").lstrip(), r"\AThis trace is damaged\. ")
        redacted = self.directory / "redacted.wtape"
        self.wavetape("record", "-o", redacted, "--redact", "--workload", support.TREE.workload("oob-store"))
        self.open(redacted)
        self.assertRegex(self.browser.text("main").lstrip(), r"\AThis trace is redacted\. The program's memory was left out when it was recorded\.\n")
        self.assertIn("The program's memory was left out", self.browser.text("#wave"))

    def test_hostile(self):
        """Names are text, whatever they hold."""
        trace = self.directory / HOSTILE
        shutil.copy(self.trace("oob-store"), trace)
        self.open(trace)
        self.assertEqual(self.run_script("return document.title"), f"{HOSTILE}: wavetape report")
        self.assertEqual(self.browser.text("#file"), HOSTILE)
        self.assertEqual(self.run_script("return document.images.length"), 0)
        # Should the page's own script ever try, the browser refuses.
        refused = self.run_script("try { document.body.innerHTML = '<b>x</b>'; return 'made' } catch (error) { return error.name }")
        self.assertEqual(refused, "TypeError")
        self.assertEqual(len(self.browser.log()), 1)


class Used(Seen):
    def test_wave(self):
        """A click on a wave shows it: what the verbs say."""
        trace = self.trace("matmul-short-buffer")
        self.open(trace)
        stop = self.json("info", trace)["stop"]
        waves = [wave for wave in self.json("waves", trace, "--stop", stop)["waves"] if wave["state"] == "stopped"]
        wave = waves[-1]["wave"]
        self.browser.click(f'#map button.cell[aria-label^="wave {wave},"]')
        self.assertRegex(self.browser.text("#wave-title"), rf"\Aw{wave} ")
        self.assertEqual(self.browser.text("#announcer"), f"wave {wave} is shown")
        self.assertEqual(self.run_script("return [...document.querySelectorAll('#map [aria-pressed=true]')].map((cell) => cell.wave.id)"), [wave])
        where = ("--stop", stop, "--wave", wave)
        pc = next(register for register in self.json("registers", trace, "pc", *where)["registers"])
        self.choose("Register class", "general")
        self.assertIn(f"pc\n{pc['value']}", self.browser.text(".register-scroller"))
        here = self.browser.texts("#wave .code tr.here")
        self.assertEqual(len(here), 1)
        self.assertIn(waves[-1]["code"]["instruction"], here[0])
        self.formats(trace, where)

    def test_way(self):
        """A slider over the last steps of the wave that failed: what the verb says of each, with what changed marked."""
        trace = self.trace("oob-store")
        self.open(trace)
        steps = self.json("way", trace, "-n", "200")["steps"]
        self.assertEqual(self.run_script("return document.getElementById('way').max"), str(len(steps) - 1))
        for at in (len(steps) - 1, 4, 0):
            self.run_script("const way = document.getElementById('way'); way.value = arguments[0]; way.dispatchEvent(new Event('input'))", at)
            here = self.browser.texts("#wave .way tr.here")
            self.assertEqual(len(here), 1)
            step = steps[at]
            self.assertIn(str(step["position"]), here[0])
            self.assertIn(" ".join(step["code"]["instruction"].split()), " ".join(here[0].split()))
            for touch in step["writes"]:
                if "register" in touch and touch["values"][0]["status"] != "not known":
                    self.assertIn(f"{touch['register']} = {touch['values'][0]['value']}", here[0])

    def choose(self, group, name):
        self.run_script("[...document.querySelectorAll(`[aria-label='${arguments[0]}'] button`)].find((button) => "
                        "button.innerText === arguments[1]).click()", group, name)

    def formats(self, trace, where):
        """A vector register in a lane, as hex, int and float."""
        (register,) = self.json("registers", trace, "v2", *where)["registers"]
        self.choose("Register class", "vector")
        self.browser.click(".strip-place .lane:nth-child(6)")
        self.assertEqual(self.run_script("return document.querySelector('#lane').value"), "5")
        word = int(register["lanes"][5], 16)
        expected = {"hex": hex(word), "int": str(word - (word >> 31 << 32))}
        for name, value in expected.items():
            self.choose("Format", name)
            row = next(text for text in self.browser.texts(".register.vector summary") if text.split("\n")[0] == "v2")
            self.assertEqual(row.split("\n")[1], value)
        self.choose("Format", "hex")
        self.run_script("[...document.querySelectorAll('.register.vector')].find((row) => row.innerText.startsWith('v2')).open = true")
        self.browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        lanes = self.browser.texts(".register.vector[open] .lane-values span")
        self.assertEqual([int(text.split("0x")[1], 16) for text in lanes], [int(lane, 16) for lane in register["lanes"]])

    def test_slider(self):
        """Stops by the slider, by its buttons and by keys; what changed is marked."""
        path = self.directory / "steps.wtape"
        done = support.run(support.TREE.command, "record", "-o", path, "--dbgapi", support.TREE.libraries["simulated"], "--",
                           support.TREE.client, "--break", "vecadd", "--steps", "3", "--stops", "4",
                           WAVETAPE_WORKLOAD=support.TREE.workload("vecadd"))
        self.assertEqual((done.code, done.stderr), (0, ""))
        stops = self.json("stops", path)["stops"]
        self.open(path)
        self.run_script("document.querySelector('#stop-slider').focus()")
        self.browser.press("Home")
        compared = support.share(range(2, len(stops) + 1))
        for i, stop in enumerate(stops):
            self.assertEqual(self.browser.text(".stop-number"), f"{stop['stop']} of {len(stops)}")
            self.assertIn(f"{stop['waves']} wave", self.browser.text(".stop-text"))
            waves = self.json("waves", path, "--stop", stop["stop"])["waves"]
            self.assertEqual(self.run_script("return document.querySelectorAll('#map .map-body .cell').length"), len(waves))
            if stop["stop"] in compared:
                self.compare_changes(path, stop["stop"])
            if i + 1 < len(stops):
                self.browser.press("ArrowRight")
        self.browser.click("#timeline button[aria-label='stop before']")
        self.assertEqual(self.browser.text(".stop-number"), f"{len(stops) - 1} of {len(stops)}")

    def compare_changes(self, path, stop):
        shown = self.run_script("const cell = document.querySelector('#map [aria-pressed=true]'); return cell && cell.wave.id")
        old, new = (wavetape("registers", path, "--stop", at, "--wave", shown, "--json") for at in (stop - 1, stop))
        # At the first breakpoint the wave ran before.
        if old.code:
            return
        before, now = ({one["name"]: one for one in json.loads(text.stdout)["registers"]} for text in (old, new))
        expected = {name for name in now if name in before and now[name] != before[name]}
        marked = set()
        for name in self.browser.texts("[aria-label='Register class'] button"):
            self.choose("Register class", name)
            marked |= set(self.run_script("return [...document.querySelectorAll('.register.changed .register-name')].map((name) => name.innerText)"))
        self.assertEqual(marked, expected)
        self.assertTrue(marked or not expected)

    def test_search(self):
        trace = self.trace("oob-store")
        calls = self.json("journal", trace)["entries"]
        self.open(trace)
        self.assertEqual(self.browser.text("#journal-count"), f"{len(calls)} calls")
        self.browser.click("#journal-search")
        self.browser.type("#journal-search", "pending WAVE_STOP")
        found = [call["call"] for call in calls if "pending" in call["function"] and "WAVE_STOP" in json.dumps(call["outputs"])]
        self.assertEqual(self.browser.texts("#journal tbody .call-number"), [str(call) for call in found])
        self.assertEqual(self.browser.text("#journal-count"), f"{len(found)} {'call' if len(found) == 1 else 'calls'} of {len(calls)}")
        self.browser.type("#journal-search", "no such word")
        self.assertEqual(self.browser.texts("#journal tbody tr"), [])

    def test_keyboard(self):
        """By keys alone: to the map, along it, into a wave; nothing holds the focus."""
        self.open(self.trace("matmul-short-buffer"))
        reached = []
        for _ in range(6):
            self.browser.press("Tab")
            reached.append(self.focused())
        self.assertEqual(reached, ["To the crash", "Crash", "Waves", "Journal", "Host", "Missing"])
        for _ in range(24):
            self.browser.press("Tab")
            reached.append(self.focused())
            if reached[-1].startswith("wave "):
                break
        self.assertRegex(reached[-1], r"\Awave \d+, workgroup [\d,]+, number \d+: memory violation\Z")
        self.browser.press("Home")
        first = self.focused()
        self.browser.press("ArrowRight", "ArrowRight", "ArrowLeft")
        second = self.focused()
        self.assertNotEqual(first, second)
        self.browser.press("ArrowDown", "End")
        self.assertNotIn(self.focused(), (first, second))
        self.browser.press("Home", "Enter")
        self.assertEqual(self.browser.text("#announcer"), f"wave {first.split(',')[0].split(' ')[1]} is shown")
        self.browser.press("Tab")
        self.assertNotIn("wave ", self.focused())
        # All that can be used has a name.
        nameless = self.run_script(
            "return [...document.querySelectorAll('button, input, select, summary, a, [tabindex]')].filter((element) => !(element.innerText || '').trim() && "
            "!element.getAttribute('aria-label') && !(element.labels && element.labels.length)).map((element) => element.outerHTML)")
        self.assertEqual(nameless, [])

    def test_memory(self):
        trace = self.trace("oob-store")
        self.open(trace)
        names = self.browser.texts(".pointers button")
        self.assertEqual(names[0], "accessed in lane 61 0x2100000012f4")
        self.assertIn("here memory ends, 756 bytes before 0x2100000012f4", self.browser.text(".dump"))
        self.browser.click("#address")
        self.run_script("document.querySelector('#address').value = ''")
        self.browser.type("#address", "0x210000000ff0")
        self.browser.press("Enter")
        data = self.json("memory", trace, "0x210000000ff0", "16")["data"]
        row = next(text for text in self.browser.texts(".dump tr") if text.startswith("0x210000000ff0"))
        self.assertEqual(re.sub(r"\s", "", row.split("\t")[1]), data)


class Shown(Seen):
    def check_width(self, width):
        """Nothing sticks out of it."""
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width)

    def check_contrast(self):
        """All text can be told from its ground."""
        weak = self.run_script("""
            const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const ground = (element) => { for (let e = element; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
                if (c.length < 4 || c[3] === 1) return c; } return [255, 255, 255]; };
            const weak = [];
            for (const element of document.querySelectorAll("main *, header *")) {
                if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !element.offsetParent || element.closest(":disabled, .idle")) continue;
                const a = light(numbers(getComputedStyle(element).color)), b = light(ground(element));
                const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (ratio < 4.5) weak.push([element.className, element.textContent.slice(0, 40), ratio.toFixed(2)]);
            }
            return weak.slice(0, 5);""")
        self.assertEqual(weak, [])

    def test_widths(self):
        """Three widths, light and dark; by finger."""
        self.open(self.trace("oob-load-O0"), "--source-map", f"={support.TREE.source}")
        grounds = {"light": "rgb(246, 246, 244)", "dark": "rgb(18, 20, 24)"}
        both = [(scheme, name) for scheme in grounds for name in WIDTHS]
        for scheme, name in both if "PICTURES" in os.environ else support.share(both):
            self.browser.scheme(scheme)
            self.assertEqual(self.run_script("return getComputedStyle(document.body).backgroundColor"), grounds[scheme])
            self.browser.size(*WIDTHS[name], touch=name == "phone")
            self.check_width(WIDTHS[name][0])
            self.check_contrast()
            self.picture(f"{name}-{scheme}")
        self.browser.size(*WIDTHS["phone"], touch=True)
        self.check_width(WIDTHS["phone"][0])
        self.tap()

    def tap(self):
        """On a phone a finger finds a wave, which leads to it."""
        cells = self.run_script("return Math.min(...[...document.querySelectorAll('#map button.cell')].map((cell) => cell.offsetWidth))")
        self.assertGreaterEqual(cells, 22)
        self.browser.click("#map button.cell.fault")
        self.assertEqual(self.run_script("return document.activeElement.id"), "wave-title")

    def test_many(self):
        """A GPU full of waves: small, quick, and each wave is there."""
        trace = self.directory / "many.wtape"
        self.wavetape("record", "-o", trace, "--workload", many_waves(self.directory),
                      stdout=None)
        took = self.open(trace)
        self.assertLessEqual(self.page.stat().st_size, LIMIT)
        # Other programs use the machine, too: the quicker of two counts.
        self.assertLess(took if took < OPENS else self.browser.open(self.page), OPENS)
        self.assertEqual(self.run_script("return document.querySelectorAll('#map .map-body button.cell').length"), MANY)
        # All waves are in it, with all there is of them; of the journal the calls up to the stop are.
        self.assertEqual(self.run_script("return document.querySelectorAll('script[id^=\"wave-3-\"]').length"), MANY)
        self.assertRegex(self.browser.text("#notices"), r"\AThis report is not the whole trace\. ")
        self.assertRegex(self.browser.text("#gap-list"), r"\d+ of \d+ calls of the journal")
        self.assertNotIn("wave", self.browser.text("#gap-list"))
        self.browser.click("#map details:last-of-type .workgroup:last-child button.cell:last-child")
        self.assertEqual(self.browser.text("#wave-title"), f"w{MANY} memory violation")
        self.assertIn("s[", self.browser.text(".pointers"))
        self.check_width(WIDTHS["desk"][0])
        self.picture("many")


if __name__ == "__main__":
    support.main(__doc__)
