#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`wavetape export`: what it writes says the same as the other verbs."""

import base64
import json
import os
import resource
import signal
import stat

import support
from support import CHUNK, HEAD, Case, blocks, wavetape


class Export(Case):
    def session(self, *arguments, name="session", workload="debug-trap"):
        """A trace of a client that stops and steps waves."""
        path = self.directory / f"{name}.wtape"
        done = support.run(support.TREE.command, "record", "-o", path, "--dbgapi", support.TREE.libraries["simulated"],
                           "--", support.TREE.client, *arguments, WAVETAPE_WORKLOAD=support.TREE.workload(workload))
        self.assertEqual((done.code, done.stderr), (0, ""))
        return path

    def torn(self, name="oob-load", chunk=2):
        """A trace of which a chunk is damaged."""
        data = bytearray(self.trace(name).read_bytes())
        places = [offset for offset, kind, _ in blocks(data) if kind == CHUNK]
        data[places[chunk - 1] + HEAD + 20] ^= 0x20
        path = self.directory / "torn.wtape"
        path.write_bytes(data)
        return path


class Output(Export):
    FORMS = ("--json-lines",)

    def test_where(self):
        trace = self.trace("oob-store")
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
        trace = self.trace("oob-store")
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
                                 (1, f"wavetape: cannot export the trace: {self.directory}/none/out: "
                                     "No such file or directory\n"))
                # What is no trace leaves what was there.
                out = self.directory / "kept"
                out.write_bytes(b"before")
                self.assertEqual(wavetape("export", "/dev/null", form, "-o", out).code, 1)
                self.assertEqual(out.read_bytes(), b"before")

    def test_full(self):
        """A file that cannot grow: nothing is left of it, and an older one stays."""
        trace = self.trace("oob-store")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
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
        for line in text.splitlines():
            value = json.loads(line)
            found.setdefault(value.pop("line"), []).append(value)
        return found

    def without(self, value, *keys):
        return {key: item for key, item in value.items() if key not in keys}

    def test_everything(self):
        """As the other verbs have it, in their words."""
        trace = self.session("--break", "debug_trap", "--steps", "3")
        found = self.lines(trace)
        end = found["end"][0]
        info = self.json("info", trace)
        self.assertEqual({**found["trace"][0], **end}, {key: info[key] for key in {**found["trace"][0], **end}})
        self.assertEqual(found["host"], [self.json("host", trace)])
        self.assertEqual(found["call"], [call for call in self.json("journal", trace) if "call" in call])
        self.assertEqual(found["notice"], [call for call in self.json("journal", trace) if "notice" in call])
        self.assertEqual([self.without(stop, "process") for stop in found["stop"]], self.json("stops", trace))
        self.assertEqual([(event["event"], event["kind"]) for event in found["event"]],
                         [(event["event"], event["kind"]) for stop in found["stop"] for event in stop["events"]])
        self.assertEqual(end["stops"], len(found["stop"]))
        images = {}
        for number in range(1, end["stops"] + 1):
            of = {kind: [self.without(value, "stop") for value in values if value.get("stop") == number]
                  for kind, values in found.items()}
            waves = self.json("waves", trace, "--stop", number)["waves"]
            self.assertEqual([self.without(wave, "dispatch") for wave in of["wave"]], waves)
            self.assertEqual(of["code_object"], self.json("code-objects", trace, "--stop", number))
            for registers in of.get("registers", []):
                said = self.json("registers", trace, "--stop", number, "--wave", registers["wave"])
                self.assertEqual({"stop": number, **registers}, said)
            ranges = self.json("memory", trace, "--stop", number)
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
                (("--json-lines", "--json"), "--json says nothing of --json-lines\n"),
                (("--json-lines", "--only", "stop,"), "--only: '' is no kind of line; those are trace, "),
                (("--json-lines", "--only", "stops"), "--only: 'stops' is no kind of line; those are trace, ")):
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


if __name__ == "__main__":
    support.main(__doc__)
