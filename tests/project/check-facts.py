#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of facts, row by row: each says all that it has to, and what is made of it knows its rows and no others: the structures, the
Python module, JSON, and the page. A table that contradicts itself is refused.

Usage: check-facts.py GENERATOR TABLE SOURCE BUILD [TEST...]
"""

import dataclasses
import importlib.util
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GENERATOR, TABLE, SOURCE, BUILD = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
# A wave with a fault and an access, and ones that were not stopped.
TRACE = SOURCE / "tests/golden/format-1.3.wtape"
VECTORS = SOURCE / "tests/vectors"


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    # Its own modules lie beside it.
    sys.path.insert(0, str(pathlib.Path(path).parent))
    spec.loader.exec_module(module)
    return module


def wavetape_module():
    """The module of the build, with its library: a program finds that by LD_LIBRARY_PATH, which is read when it starts."""
    sys.path.insert(0, str(BUILD / "libwavetape/python"))
    import ctypes
    ctypes.CDLL(str(BUILD / "libwavetape/libwavetape.so.0"), mode=ctypes.RTLD_GLOBAL)
    import wavetape
    return wavetape


def verb(*arguments, code=0):
    done = subprocess.run([BUILD / "cli/wavetape", *map(str, arguments), "--json"], capture_output=True, text=True)
    assert done.returncode == code, done
    return json.loads(done.stdout)


class Rows(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.facts = generator.Facts(TABLE)

    def test_rows(self):
        self.assertTrue(self.facts.things)
        for thing in self.facts.things:
            self.assertTrue(thing.doc and thing.since, thing.name)
            for field in thing.fields:
                with self.subTest(field=field.where):
                    self.assertRegex(field.name, r"^[a-z][a-z0-9_]*$")
                    self.assertRegex(field.since, r"^\d+\.\d+\.\d+$")
                    self.assertNotRegex(field.doc, r"^\s|\s$|\n|\.$")
                    self.assertTrue(field.flag or field.name in thing.json or field.python or not thing.python or field.name == thing.name,
                                    "nothing shows it")

    def test_made_by(self):
        """The function that fills a thing in is where the table says."""
        for thing in self.facts.things:
            if thing.made_by:
                path, function = thing.made_by.split(": ")
                self.assertRegex((SOURCE / path).read_text(encoding="utf-8"), rf"\b{function}\(", thing.name)

    def test_page(self):
        """Made anew by: tools/generate-facts.py page replayer/facts/facts.toml docs/facts.md"""
        self.assertEqual("\n".join(generator.page(self.facts)) + "\n", (SOURCE / "docs/facts.md").read_text(encoding="utf-8"))


class Made(unittest.TestCase):
    def setUp(self):
        self.facts = generator.Facts(TABLE)
        self.module = wavetape_module()
        self.seen = set()

    def test_structures(self):
        """ctypes reads the header as a compiler does."""
        from wavetape import _native as native
        for thing in self.facts.for_programs:
            members = [name for name, _ in getattr(native, thing.name)._fields_]
            self.assertEqual(members, ["size", *thing.by_name], thing.name)

    def test_python(self):
        from wavetape import _facts
        for thing in self.facts.things:
            wanted = [field.python for field in thing.fields if field.python]
            if not thing.python:
                continue
            made = getattr(_facts, thing.python)
            if thing.live:
                found = [name for name, value in vars(made).items() if isinstance(value, property)]
                self.assertTrue(all(inspect.getdoc(getattr(made, name)) for name in found))
            else:
                found = [field.name for field in dataclasses.fields(made)][:len(wanted)]
            self.assertEqual(found, wanted, thing.name)

    def test_waves(self):
        with self.module.open(str(TRACE)) as trace:
            for stop in trace.stops:
                self.compare("wave", verb("waves", TRACE, "--stop", stop.number)["waves"], stop.waves)
        self.assertEqual(self.unseen("wave"), {"cluster", "workgroup_in_cluster"})

    def test_places(self):
        with self.module.open(str(TRACE)) as trace:
            for stop in trace.stops:
                shown = verb("waves", TRACE, "--stop", stop.number)["waves"]
                self.compare("place", [wave["code"] for wave in shown if "code" in wave], [wave.place for wave in stop.waves if wave.place])
        self.assertEqual(self.unseen("place"), {"not_decoded", "decoded_as"})

    def test_accesses(self):
        with self.module.open(str(TRACE)) as trace:
            for stop in trace.stops:
                shown = verb("waves", TRACE, "--stop", stop.number)["waves"]
                self.compare("access", [wave["access"] for wave in shown if "access" in wave], [wave.access for wave in stop.waves if wave.access])
        self.assertEqual(self.unseen("access"), set())

    def test_stops(self):
        with self.module.open(str(TRACE)) as trace:
            self.compare("stop_summary", verb("stops", TRACE)["stops"], trace.stops.summaries())
        self.assertEqual(self.unseen("stop_summary"), {"process", "state_lost"})

    def test_code_objects(self):
        with self.module.open(str(TRACE)) as trace:
            for stop in trace.stops:
                self.compare("code_object", verb("code-objects", TRACE, "--stop", stop.number)["code_objects"], stop.code_objects.values())
        self.assertEqual(self.unseen("code_object"), set())

    def test_trace_info(self):
        with self.module.open(str(TRACE)) as trace:
            self.compare("trace_info", [verb("info", TRACE)], [trace.info], beside=True)
        self.assertEqual(self.unseen("trace_info"), {"client_level"})

    def test_damage(self):
        for name in ("a-blob-is-gone", "chunk-damaged"):
            with self.module.open(str(VECTORS / f"{name}.wtape")) as trace:
                self.assertTrue(trace.missing)
                # The verb reads all there is, and finds more.
                texts = [one.text for one in trace.damage]
                shown = verb("check", VECTORS / f"{name}.wtape", code=3)["damage"]
                self.compare("damage", [one for one in shown if one["what"] in texts], trace.damage)
        self.assertEqual(self.unseen("damage"), set())

    def test_registers(self):
        with self.module.open(str(TRACE)) as trace:
            stop = trace.stop()
            shown = verb("registers", TRACE, "--stop", stop.number, "--wave", stop.wave.number)["registers"]
            self.compare("register", shown, stop.wave.registers.select())
        self.assertEqual(self.unseen("register"), set())

    def test_sources(self):
        with self.module.open(str(VECTORS / "source-files.wtape")) as trace:
            self.compare("source", verb("info", VECTORS / "source-files.wtape")["source_files"], trace.sources())
        self.assertEqual(self.unseen("source"), set())

    def test_entries(self):
        """A thing that is several objects: each has the facts of its list, under the names that are given there."""
        thing = next(thing for thing in self.facts.things if thing.name == "entry")
        names = {which: [key or name for name, key in items] for which, items in thing.objects.items()}
        shown = verb("journal", TRACE)["entries"]
        calls = [list(one) for one in shown if "function" in one and "duration_ns" in one]
        self.assertEqual({tuple(key for key in one if key != "callbacks") for one in calls}, {(*names["call"], *names["return"])})
        callbacks = [list(one) for call in shown for one in call.get("callbacks", [])]
        self.assertEqual({tuple(one) for one in callbacks}, {tuple(names["callback"])})
        self.assertEqual({tuple(one) for one in shown if "notice" in one} or {tuple(names["notice"])}, {tuple(names["notice"])})

    def keys(self, name):
        """What JSON calls each, with its row, or none where who prints puts it there."""
        thing = next(thing for thing in self.facts.things if thing.name == name)
        rows = {one: None if one in thing.parts else thing.by_name[one] for one in thing.json}
        return {row.json if row else one: row for one, row in rows.items()}

    def unseen(self, name):
        return self.keys(name).keys() - self.seen

    def compare(self, name, shown, things, beside=False):
        """
        What JSON shows of a thing are rows of the table, in its order, with the values that Python has; what counts not is None there.
        @beside: there are other things in the same object.
        """
        keys = self.keys(name)
        for found, one in zip(shown, things, strict=True):
            self.assertEqual([key for key in keys if key in found], [key for key in found if key in keys or not beside])
            self.seen |= set(found)
            for key, field in keys.items():
                if field and field.python and (key in found or field.when):
                    self.assertEqual(found.get(key), self.as_json(field, getattr(one, field.python)), key)

    def as_json(self, field, value):
        if value is not None and field.form in ("hex", "mask"):
            return hex(value)
        return list(value) if isinstance(value, tuple) else value


class JsonAlone(unittest.TestCase):
    """Things that programs get nothing of: JSON has their rows, in that order, and what is put beside them."""

    def setUp(self):
        self.facts = generator.Facts(TABLE)

    def made(self, name):
        """What stands in the function that makes its JSON."""
        thing = next(thing for thing in self.facts.things if thing.name == name)
        return thing, "\n".join(generator.json_function(thing, "facts"))

    def test_nothing_for_programs(self):
        alone = [thing.name for thing in self.facts.things if thing.json_alone]
        self.assertIn("what_if", alone)
        for kind in ("header", "fields", "answers", "python"):
            text = "\n".join(generator.KINDS[kind](self.facts))
            for name in alone:
                self.assertNotRegex(text, rf"wavetape_{name}\b|wt_{name}_facts", kind)

    def test_what_is_stored(self):
        _, text = self.made("what_if")
        self.assertIn("const struct wt_what_if_summary *facts", text)
        self.assertIn('"bytes_from_without", json_integer((json_int_t)facts->from_plain)', text)

    def test_conditions(self):
        _, text = self.made("waiting_packet")
        self.assertIn("if (facts->packet.kind == GFX_PACKET_DISPATCH && facts->compiled_for)", text)
        self.assertIn("wt_cli_json_hex((uint64_t)facts->packet.mask)", text)

    def test_null(self):
        _, text = self.made("queue_error")
        self.assertIn('"os_id", facts->handle ? json_integer((json_int_t)facts->os_id) : json_null()', text)

    def test_names_of_enumerators(self):
        self.assertIn("[WT_MEMORY_PAST] = \"past_end\"", "\n".join(generator.names_of(self.facts)))
        self.assertIn("[WT_WHAT_IF_HALTED] = \"halted\"", "\n".join(generator.names_of(self.facts)))


class Wrong(unittest.TestCase):
    """A table with one mistake, and what is said of it."""

    def refuse(self, old, new, words):
        text = TABLE.read_text(encoding="utf-8")
        self.assertIn(old, text)
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "facts.toml"
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            done = subprocess.run([sys.executable, GENERATOR, "header", path, os.devnull], capture_output=True, text=True)
        self.assertEqual((done.returncode, words in done.stderr), (1, True), done.stderr)

    def test_refused(self):
        row = '{ name = "agent", type = "u64", unit = "number", doc = "that it runs on; 0 if not known", query = "AGENT", optional = true }'
        for new, words in (
                (row.replace('unit = "number", ', ""), "wave.agent: numbers have a unit"),
                (row.replace("u64", "u65"), "wave.agent: no such type: u65"),
                (row.replace("that it runs on; 0 if not known", ""), "wave.agent: it does not say what it is"),
                (row.replace("optional", "options"), "wave.agent: no such key: options"),
                (row.replace("optional = true", 'form = "roman"'), "wave.agent: no such form: roman"),
                (row.replace("optional = true", 'optional = "min"'), "wave.agent: no such way to say that it is not known: min"),
                (row.replace('query = "AGENT"', 'stored = "agent"'), "wave.agent: it cannot be taken from a structure"),
                (row.replace("optional = true", 'when = "has_agent"'), "wave.agent: no such fact: has_agent"),
                (row.replace("optional = true", 'since = "0.2.0"'), "a new one comes last"),
                (row.replace('"agent"', '"queue"'), "two fields of one name")):
            with self.subTest(words):
                self.refuse(row, new, words)

    def test_stored(self):
        self.refuse('header = "trace-format/reader/reader.h"\n', "", "trace_info: a structure that it is taken from has a header")
        self.refuse('stored = "size", python = "size"', 'stored = "", python = "size"', "damage.bytes: nothing fills it in")

    def test_json_alone(self):
        self.refuse('header = "replayer/what-if/what-if.h"\njson_alone = true\n', 'header = "replayer/what-if/what-if.h"\njson_alone = true\npython = "WhatIf"\n',
                    "what_if: JSON alone shows what is stored")
        self.refuse('stored = "is_parameter"', 'stored = "is_parameter", null_unless = "shadowed"', "variable.parameter: a fact for programs is the same for all of them")
        self.refuse('stored = "handle", null_unless = "queue"', 'stored = "handle", null_unless = "handle"', "queue_error.queue: no such fact: handle")

    def test_list(self):
        self.refuse('json = ["wave", ', 'json = ["wives", ', "wave: no such fact: wives")


generator = load("generate_facts", GENERATOR)

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
