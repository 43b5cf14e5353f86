#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does check-folders.py find what it is there to find? A small tree that keeps every rule passes; each rule, broken in it
once, is named with the two that it is about.

Usage: check-folder-rules.py CHECK-FOLDERS [TEST...]
"""

import contextlib
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock


def header(path, body=""):
    guard = re.sub(r"\W", "_", path[:-2]).upper() + "_H"
    guard = guard if guard.startswith("GFX_") else "WT_" + guard
    return f"#ifndef {guard}\n#define {guard}\n{body}#endif\n"


def source(*names, body=""):
    return "".join(f'#include "{name}"\n' for name in names) + body


# Every file keeps to its room: the reader above the container, the replayer above both, and a private header beside its own.
RIGHT = {
    "base/error.h": header("base/error.h"),
    "base/meson.build": "base_dep = declare_dependency()\n",
    "gfx/wave/wave.h": header("gfx/wave/wave.h", "struct gfx_wave {\n\tint pc;\n};\n"),
    "gfx/meson.build": "gfx_dep = declare_dependency()\n",
    "device/meson.build": "device_dep = declare_dependency(dependencies: [base_dep, gfx_dep])\n",
    "trace-format/container/file.h": header("trace-format/container/file.h"),
    "trace-format/reader/reader.h": header("trace-format/reader/reader.h"),
    "trace-format/reader/reader.c": source("trace-format/container/file.h", "trace-format/reader/reader.h"),
    "replayer/view/view.h": header("replayer/view/view.h", "void wt_view_open(void);\nvoid wt_view_find(void);\n"),
    "replayer/view/internal.h": header("replayer/view/internal.h", '#include "replayer/view/view.h"\n'),
    "replayer/view/view.c": source(
        "base/error.h", "trace-format/reader/reader.h", "replayer/view/internal.h",
        body="/* Never abort(): what a caller sees is an error, not \"exit(1)\". */\nvoid wt_view_open(void)\n{\n}\n"),
    "replayer/view/find.c": source(
        "replayer/view/internal.h", body="void wt_view_find(void)\n{\n\twt_view_open();\n}\n"),
    "replayer/host/host.h": header("replayer/host/host.h"),
    "cli/info.c": source("replayer/view/view.h", body='#include <jansson.h>\nint main(void) { printf("fine"); }\n'),
    "cli/meson.build": "executable('wavetape', dependencies: [gfx_dep, base_dep])\n",
}

PASSES = "every file keeps to its folder and its room\n"


class Planted(unittest.TestCase):
    path, check = "", None
    maxDiff = None

    @contextlib.contextmanager
    def tree(self, files):
        with tempfile.TemporaryDirectory() as root:
            rooms = [f"| `{folder}/{room}/` | |\n" for folder, order in self.check.ROOMS.items() for room in order
                     if room != "."]
            pathlib.Path(root, "CONTRIBUTING.md").write_text("".join(rooms), encoding="utf-8")
            for path, text in files.items():
                file = pathlib.Path(root, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            yield root

    def run_on(self, files, *options):
        with self.tree(files) as root, contextlib.redirect_stdout(io.StringIO()) as output:
            code = self.check.main(root, *options)
        return code, output.getvalue()


class Rules(Planted):
    def test_map_without_a_room(self):
        with self.tree(RIGHT) as root, contextlib.redirect_stdout(io.StringIO()) as output:
            text = pathlib.Path(root, "CONTRIBUTING.md").read_text(encoding="utf-8")
            pathlib.Path(root, "CONTRIBUTING.md").write_text(text.replace("| `gfx/alu/` | |\n", ""), encoding="utf-8")
            code = self.check.main(root)
        self.assertEqual((code, output.getvalue()), (1, (
            "CONTRIBUTING.md: rooms of gfx/ are isa, alu, wave, instruction, operand, architecture, not isa, wave, "
            "instruction, operand, architecture\n")))

    def test_map_of_what_is_not_there(self):
        """A file that has gone, and a function that has another name."""
        with self.tree(RIGHT) as root, contextlib.redirect_stdout(io.StringIO()) as output:
            with open(pathlib.Path(root, "CONTRIBUTING.md"), "a", encoding="utf-8") as text:
                text.write("`cli/info.c`: `main`, `cli/gone.c`: `main`, `replayer/view/view.c`: `wt_view_close`\n"
                           "`replayer/view/view.c`: `wt_view_open`, `wt_view_shut`\n\n"
                           "    a verb   cli/info.c: main\n    asks     replayer/view/view.c: wt_view_look\n")
            code = self.check.main(root)
        self.assertEqual((code, output.getvalue()), (1, (
            "CONTRIBUTING.md: there is no cli/gone.c\n"
            "CONTRIBUTING.md: replayer/view/view.c has no wt_view_close\n"
            "CONTRIBUTING.md: replayer/view/view.c has no wt_view_shut\n"
            "CONTRIBUTING.md: replayer/view/view.c has no wt_view_look\n")))

    def breaks(self, message, files):
        self.assertEqual(self.run_on(RIGHT | files), (1, message + "\n"))

    def test_a_right_tree(self):
        self.assertEqual(self.run_on(RIGHT), (0, PASSES))

    def test_as_a_program(self):
        for files, code, text in ((RIGHT, 0, PASSES), ({}, 1, "no files\n")):
            with self.tree(files) as root:
                result = subprocess.run([sys.executable, self.path, root], capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (code, text, ""))

    def test_order_of_folders(self):
        self.breaks("trace-format/reader/reader.c:2: trace-format/ may not include replayer/view/view.h",
                    {"trace-format/reader/reader.c": source("trace-format/reader/reader.h", "replayer/view/view.h")})

    def test_order_of_folders_in_angle_brackets(self):
        self.breaks("gfx/wave/wave.c:1: gfx/ may not include cli/command.h",
                    {"gfx/wave/wave.c": "#include <cli/command.h>\n"})

    def test_folders_side_by_side(self):
        self.breaks("replayer/view/code.c:1: replayer/ may not include recorder/host/host.h",
                    {"replayer/view/code.c": source("recorder/host/host.h")})

    def test_order_of_rooms(self):
        self.breaks("trace-format/container/file.c:1: trace-format/container/ may not include "
                    "trace-format/reader/reader.h: trace-format/reader/ stands above it",
                    {"trace-format/container/file.c": source("trace-format/reader/reader.h")})

    def test_private_header_of_another_room(self):
        self.breaks("replayer/host/host.c:1: replayer/host/ may not include replayer/view/internal.h, "
                    "which is private to its room",
                    {"replayer/host/host.c": source("replayer/view/internal.h")})

    def test_private_header_of_another_folder(self):
        self.breaks("cli/info.c:1: cli/ may not include replayer/view/internal.h, which is private to its room",
                    {"cli/info.c": source("replayer/view/internal.h")})

    def test_private_header_among_friends(self):
        files = {"replayer/host/host.c": source("replayer/view/internal.h")}
        with unittest.mock.patch.object(self.check, "FRIENDS", {("replayer/host", "replayer/view")}):
            self.assertEqual(self.run_on(RIGHT | files), (0, PASSES))

    def test_include_by_another_path(self):
        self.breaks("replayer/view/view.c:1: view.h is not named by its path from the root",
                    {"replayer/view/view.c": source("view.h")})

    def test_include_guard(self):
        self.breaks("replayer/view/view.h: its include guard is not WT_REPLAYER_VIEW_VIEW_H",
                    {"replayer/view/view.h": header("replayer/view.h")})

    def test_include_guard_of_gfx(self):
        self.breaks("gfx/wave/wave.h: its include guard is not GFX_WAVE_WAVE_H",
                    {"gfx/wave/wave.h": header("wave/wave.h")})

    def test_call(self):
        self.breaks("replayer/view/find.c:3: replayer/ may not call printf()",
                    {"replayer/view/find.c": "/* printf() */\n\nint main(void) { printf(\"abort()\"); }\n"})

    def test_call_of_gfx_alone(self):
        call = "void *room(void)\n{\n\treturn malloc(1);\n}\n"
        self.breaks("gfx/wave/wave.c:3: gfx/ may not call malloc()",
                    {"gfx/wave/wave.c": call, "replayer/view/code.c": call})

    def test_name(self):
        self.breaks("device/queue.c:1: device/ may not name amd_dbgapi_wave_id_t",
                    {"device/queue.c": "static amd_dbgapi_wave_id_t wave; /* amd_dbgapi_queue_id_t */\n"})

    def test_name_of_the_room_in_the_file(self):
        self.breaks("replayer/view/view-find.c: a file does not repeat the name of its room",
                    {"replayer/view/view-find.c": ""})

    def test_unknown_room(self):
        self.breaks("replayer/cellar/wine.c: replayer/cellar/ is no room of the list", {"replayer/cellar/wine.c": ""})

    def test_file_outside_rooms(self):
        self.breaks("replayer/wine.c: replayer/./ is no room of the list", {"replayer/wine.c": ""})

    def test_include_of_an_unknown_room(self):
        self.breaks("replayer/view/find.c:1: replayer/cellar/ is no room of the list",
                    {"replayer/view/find.c": source("replayer/cellar/wine.h")})

    def test_library_of_other_folders(self):
        self.breaks("replayer/view/find.c:1: replayer/ may not include curses.h",
                    {"replayer/view/find.c": "#include <curses.h>\n"})

    def test_link(self):
        self.breaks("base/meson.build: base/ may not link gfx_dep of gfx/",
                    {"base/meson.build": "base_dep = declare_dependency(dependencies: [gfx_dep]) # and cli_dep\n"})

    def test_several_at_once(self):
        self.breaks("gfx/wave/wave.c:1: gfx/ may not include cli/command.h\n"
                    "gfx/wave/wave.c:2: gfx/ may not call abort()\n"
                    "replayer/view/view-find.c: a file does not repeat the name of its room",
                    {"gfx/wave/wave.c": source("cli/command.h", body="void end(void) { abort(); }\n"),
                     "replayer/view/view-find.c": ""})


class Graph(Planted):
    """The graph of a tree: rooms, arrows, and circles of files with what ties them."""

    def graph(self, files):
        code, text = self.run_on(RIGHT | files, "--graph")
        self.assertEqual(code, 0)
        return text.splitlines()

    def circles(self, files):
        lines = self.graph(files)
        return lines[next(place for place, line in enumerate(lines) if "circles of files" in line):]

    def test_rooms_and_arrows(self):
        lines = self.graph({})
        self.assertIn("trace-format/: 3 files, 7 rooms, 1 arrows between them, 0 against the order", lines)
        self.assertIn("  reader           2 files  -> container", lines)
        self.assertIn("7 rooms, 4 arrows between them, 0 against the order", lines)

    def test_arrows_against_the_order(self):
        lines = self.graph({"trace-format/container/file.c": source("trace-format/reader/reader.h", "cli/command.h")})
        self.assertIn("trace-format/: 4 files, 7 rooms, 2 arrows between them, 1 against the order", lines)
        self.assertIn("7 rooms, 6 arrows between them, 2 against the order", lines)

    def test_a_private_header_makes_no_circle(self):
        self.assertEqual(self.circles({}), ["0 circles of files"])

    def test_calls_make_a_circle(self):
        files = {"replayer/view/view.c": source(
            "replayer/view/internal.h", body="static int find;\n\nvoid wt_view_open(void)\n{\n\twt_view_find();\n}\n")}
        self.assertEqual(self.circles(files), [
            "1 circles of files",
            "  replayer/view/find replayer/view/view",
            "    replayer/view/find -> replayer/view/view: wt_view_open",
            "    replayer/view/view -> replayer/view/find: wt_view_find",
        ])

    def test_types_make_a_circle(self):
        files = {
            "replayer/view/a.h": header("replayer/view/a.h", "struct wt_a {\n\tint x;\n};\n"),
            "replayer/view/a.c": source("replayer/view/a.h", "replayer/view/b.h", body="int a = WT_B;\n"),
            "replayer/view/b.h": header("replayer/view/b.h", "#define WT_B 1\n"),
            "replayer/view/b.c": source("replayer/view/b.h", "replayer/view/a.h", body="static struct wt_a b;\n"),
        }
        self.assertEqual(self.circles(files)[1:], [
            "  replayer/view/a replayer/view/b",
            "    replayer/view/a -> replayer/view/b: WT_B",
            "    replayer/view/b -> replayer/view/a: struct wt_a",
        ])

    def test_what_ties(self):
        """A variable, an enumerator and an inline function, also by way of a header between."""
        body = "enum wt_a { WT_A_ONE, WT_A_TWO = 2 };\nstatic inline int wt_a_size(void)\n{\n\treturn 1;\n}\n"
        files = {
            "replayer/view/a.h": header("replayer/view/a.h", body),
            "replayer/view/a.c": source("replayer/view/a.h", body="int wt_here(void)\n{\n\treturn wt_there[0];\n}\n"),
            "replayer/view/between.h": header("replayer/view/between.h", '#include "replayer/view/a.h"\n'),
            "replayer/view/b.c": source("replayer/view/between.h", body=(
                "__attribute__((noinline)) static int wt_here(void)\n{\n\treturn WT_A_TWO + wt_a_size();\n}\n\n"
                "const int wt_there[] = {WT_A_ONE};\n")),
            "replayer/view/c.c": "static enum wt_a other = WT_A_ONE; /* of no header that it includes */\n",
        }
        self.assertEqual(self.circles(files)[1:], [
            "  replayer/view/a replayer/view/b",
            "    replayer/view/a -> replayer/view/b: wt_there",
            "    replayer/view/b -> replayer/view/a: WT_A_ONE, WT_A_TWO, wt_a_size",
        ])

    def test_what_is_no_use(self):
        """A member, a tag, a comment, a declaration, and a name that two define tie nothing."""
        body = ("struct wt_view_find {\n\tint x;\n};\n\nvoid wt_view_open(void)\n{\n"
                "\tuse(place.wt_view_find, place->wt_view_find); /* wt_view_find() */\n\twt_twice();\n}\n")
        files = {
            "replayer/view/view.c": source("replayer/view/internal.h", body=body),
            "replayer/view/once.c": "int wt_twice(void)\n{\n\twt_view_open();\n}\n",
            "replayer/view/twice.c": "int wt_twice(void)\n{\n\twt_view_open();\n}\n",
        }
        self.assertEqual(self.circles(files), ["0 circles of files"])


if __name__ == "__main__":
    Planted.path = sys.argv.pop(1)
    specification = importlib.util.spec_from_file_location("check_folders", Planted.path)
    Planted.check = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(Planted.check)
    unittest.main()
