# SPDX-License-Identifier: MIT
"""How the recording and the replaying library get into clients: of every way to be linked, behind launchers, and into nothing else."""

import os
import shutil
import subprocess
import unittest.mock

import support
from support import Case

# Which library answered is seen by its name, in which one letter is another.
SIMULATED, OTHER = b"(simulated GPU)", b"(Simulated GPU)"
UNUSED = ("wavetape: nothing was replayed: {}: the client made no call of the replaying library: what it may have shown of a GPU is "
          "not from the trace\n")
NOT_LOADED = ("wavetape: nothing was recorded: {}: the client made no call of the recording library: it does not use librocm-dbgapi.so.0, "
              "or loads another by its path, or runs where LD_PRELOAD does not reach\n")


class Entering(Case):
    def setUp(self):
        super().setUp()
        self.client = support.TREE.build / "tests/end-to-end/loader-client"
        self.trace = self.directory / "t.wtape"
        self.variables = {"WAVETAPE_WORKLOAD": support.TREE.workload("vecadd")}
        # Who runs the tests may have a path to all libraries of the build.
        self.enterContext(unittest.mock.patch.dict(os.environ, {"LD_LIBRARY_PATH": "", "LD_PRELOAD": ""}))
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
            del os.environ[name]
        simulated = support.TREE.libraries["simulated"].read_bytes()
        self.assertEqual(simulated.count(SIMULATED), 1)
        # The client's own library.
        self.own = self.directory / "own"
        self.own.mkdir()
        (self.own / "librocm-dbgapi.so.0").write_bytes(simulated.replace(SIMULATED, OTHER))
        self.elsewhere = support.TREE.libraries["simulated"].parent

    def linked(self, *how):
        """The client with a run path to its own library."""
        client = self.directory / "client"
        shutil.copy(self.client, client)
        subprocess.run(["patchelf", *how, "--set-rpath", self.own, client], check=True)
        return client

    def launcher(self, *lines, name="launcher"):
        script = self.directory / name
        script.write_text("\n".join(["#!/bin/sh", "set -e", *lines]) + "\n")
        script.chmod(0o755)
        return script

    def session(self, *command, library=OTHER, **variables):
        """Alone, recorded and replayed the client says the same; what was recorded is the library that it has by itself."""
        live = support.run(*command, **self.variables, **variables)
        self.assertEqual((live.code, live.stderr), (0, ""))
        self.assertIn("finalize 0\n", live.stdout)
        recorded = support.wavetape("record", "-o", self.trace, "--", *command, **self.variables, **variables)
        self.assertEqual(recorded, live)
        self.assertEqual(self.json("info", self.trace)["library_build_name"].encode()[-len(OTHER):], library)
        replayed = support.wavetape("replay", self.trace, "--", *command, **self.variables, **variables)
        self.assertEqual(replayed, live)
        return live.stdout

    def test_run_paths(self):
        """DT_RPATH comes before LD_LIBRARY_PATH, and DT_RUNPATH after it."""
        rpath, path = self.linked("--force-rpath"), {"LD_LIBRARY_PATH": self.elsewhere}
        self.session(rpath, "session")
        self.session(rpath, "session", **path)
        runpath = self.linked()
        self.session(runpath, "session")
        self.session(runpath, "session", library=SIMULATED, **path)
        self.session(self.client, "session", library=SIMULATED, **path)

    def test_another_library_is_named(self):
        """What is recorded is what --dbgapi names, though the client has another."""
        client = self.linked("--force-rpath")
        for how in (["--dbgapi", self.elsewhere / "librocm-dbgapi.so.0"], []):
            self.wavetape("record", "-o", self.trace, *how, "--", client, "session", **self.variables)
            self.assertEqual("(simulated GPU)" in self.json("info", self.trace)["library_build_name"], bool(how))

    def test_launchers(self):
        """As AMD's rocgdb is: scripts in front of the program. They are loaded into, too, and nothing comes of it."""
        client = self.linked("--force-rpath")
        inner = self.launcher(f"echo $(basename {client})", f'exec {client} "$@"', name="inner")
        outer = self.launcher("python=$(uname)", f'exec {inner} "$@"', name="outer")
        self.assertEqual(self.session(outer, "session").splitlines()[0], "client")
        self.session("env", client, "session")
        python = f"import os; os.execv('{client}', ['{client}', 'session'])"
        self.session("python3", "-c", python)

    def test_loading_by_name(self):
        """A client that is linked with no library, and loads it itself: without a path the loader has it already."""
        client, path = support.TREE.build / "tests/end-to-end/ending-client", {"LD_LIBRARY_PATH": self.elsewhere}
        workload = {"WAVETAPE_WORKLOAD": support.TREE.workload("oob-store")}
        live = support.run(client, "exit", **workload, **path)
        self.assertEqual(support.wavetape("record", "-o", self.trace, "--", client, "exit", **workload, **path), live)
        self.assertEqual(self.json("info", self.trace)["stops"], 1)
        self.assertEqual(support.wavetape("replay", self.trace, "--", client, "exit"), live)

    def test_a_plugin_that_asks_its_own_first(self):
        """One that is loaded so is linked with the library, too, and there is one of the name already."""
        self.skip_with_sanitizer()
        plugin = self.directory / "plugin.so"
        shutil.copy(support.TREE.build / "tests/end-to-end/loader-plugin.so", plugin)
        for how in (["--force-rpath"], []):
            subprocess.run(["patchelf", *how, "--set-rpath", self.own, plugin], check=True)
            self.session(support.TREE.build / "tests/end-to-end/plugin-client", plugin, "session")

    def test_no_library_to_record(self):
        """A client that loads the library itself, and there is none but ours: the command says where it was looked for."""
        client = support.TREE.build / "tests/end-to-end/ending-client"
        result = support.wavetape("record", "-o", self.trace, "--", client, "exit", LD_LIBRARY_PATH=self.directory,
                                  ROCM_PATH="/nowhere/rocm", **self.variables)
        self.assertNotEqual(result.code, 0)
        start, end = f"wavetape: nothing was recorded: {self.trace}: AMD's debugger library was not found: it is not in ", "; name it with --dbgapi\n"
        self.assertTrue(result.stderr.startswith(start) and result.stderr.endswith(end), result.stderr)
        places = result.stderr.removeprefix(start).removesuffix(end).split(", ")
        for place in (f"{self.directory} (LD_LIBRARY_PATH)", "/nowhere/rocm/lib (ROCM_PATH)", "/opt/rocm/lib (ROCm)",
                      "/opt/rocm/core/lib (ROCm)"):
            self.assertIn(place, places)

    def test_what_a_client_starts(self):
        """It finds nothing of ours: what the user has preloaded stays, in its order, and the library of the API is in none of them."""
        client = self.linked("--force-rpath")
        preloads = [support.TREE.build / "tests/end-to-end/libfail-nth.so", support.TREE.build / "driver/libwavetape-device.so"]
        for names in ([], preloads, preloads[::-1]):
            preloaded = {"LD_PRELOAD": ":".join(map(str, names))} if names else {}
            output = self.session(client, "child", **preloaded)
            self.assertIn(f"preload {preloaded.get('LD_PRELOAD', 'none')}\nloaded 0\n", output)

    def test_children(self):
        """Children that use the library go their own ways, with a library of their own."""
        client = self.linked("--force-rpath")
        for what in ("fork", "vfork", "spawn", "threads"):
            with self.subTest(what=what):
                self.session(client, what)

    def test_without_our_library(self):
        """Who gets another library all the same is told so: what comes of it is neither recorded nor replayed."""
        client = self.linked("--force-rpath")
        self.session(client, "session")
        stripped = ["env", "-u", "LD_PRELOAD", client, "session"]
        live = support.run(client, "session", **self.variables).stdout
        for command, output in ((stripped, live), (["true"], ""), ([self.client, "nothing"], "")):
            variables = {"LD_LIBRARY_PATH": self.elsewhere, **self.variables}
            self.wavetape("replay", self.trace, "--", *command, code=1, stdout=output, stderr=UNUSED.format(self.trace), **variables)
            other = self.directory / "other.wtape"
            self.wavetape("record", "-o", other, "--", *command, code=1, stdout=output, stderr=NOT_LOADED.format(other), **variables)
            self.assertFalse(other.exists())
        # The client's exit status is more than ours.
        self.wavetape("replay", self.trace, "--", "sh", "-c", "exit 7", code=7, stderr=UNUSED.format(self.trace))

    def test_the_library_cannot_be_loaded(self):
        """A client gets errors, and no crash; the command says why."""
        build = self.directory / "broken"
        for folder in ("cli", "recorder", "replayer", "dbgapi/gate"):
            (build / folder).mkdir(parents=True)
        shutil.copy(support.TREE.command, build / "cli")
        shutil.copy(support.TREE.build / "dbgapi/gate/librocm-dbgapi.so.0", build / "dbgapi/gate")
        for folder in ("recorder", "replayer"):
            (build / folder / "librocm-dbgapi.so.0").write_bytes(b"no library" * 100)
        client = self.linked("--force-rpath")
        self.session(client, "session")
        for verb, what, name in (("record", "recorded: {0}: the recording", "recorder"),
                                 ("replay", "replayed: {0}: the replaying", "replayer")):
            arguments = ["-o", self.trace] if verb == "record" else [self.trace]
            result = support.run(build / "cli/wavetape", verb, *arguments, "--", client, "session", **self.variables)
            library = build / name / "librocm-dbgapi.so.0"
            self.assertEqual((result.code, result.stderr), (
                1, f"wavetape: nothing was {what.format(self.trace)} library could not be loaded: {library}: invalid ELF header\n"))
            self.assertIn("initialize -1\n", result.stdout)

    def test_names_that_the_loader_would_take_apart(self):
        """Blanks and colons in the path of the build or of the installation."""
        build = self.directory / "b:c d"
        for name in ("cli/wavetape", "replayer/librocm-dbgapi.so.0", "dbgapi/gate/librocm-dbgapi.so.0"):
            (build / name).parent.mkdir(parents=True)
            shutil.copy(support.TREE.build / name, build / name)
        client = self.linked("--force-rpath")
        output = self.session(client, "child")
        result = support.run(build / "cli/wavetape", "replay", self.trace, "--", client, "child")
        self.assertEqual((result.code, result.stdout, result.stderr), (0, output, ""))

    def test_static_and_privileged_helpers(self):
        """What the loader does not load into runs as ever."""
        source = self.directory / "static.c"
        source.write_text("int main(void) { return 0; }\n")
        helper = self.directory / "static"
        subprocess.run(["cc", "-static", "-o", helper, source], check=True)
        privileged = self.directory / "privileged"
        shutil.copy("/bin/true", privileged)
        if os.geteuid() == 0:
            os.chown(privileged, 65534, 65534)
            privileged.chmod(0o4755)
        client = self.linked("--force-rpath")
        self.session(self.launcher(helper.as_posix(), privileged.as_posix(), f'exec {client} "$@"'), "session")


class Tomorrow(Case):
    """A library that is newer than the table: its client does not start with ours in the place of its own."""

    def setUp(self):
        super().setUp()
        self.enterContext(unittest.mock.patch.dict(os.environ, {"LD_LIBRARY_PATH": "", "LD_PRELOAD": ""}))
        for name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
            del os.environ[name]
        self.file = self.directory / "t.wtape"
        self.rocm = self.directory / "rocm"
        (self.rocm / "bin").mkdir(parents=True)
        (self.rocm / "lib").mkdir()
        shutil.copy(support.TREE.build / "tests/levels/libdbgapi-future.so", self.rocm / "lib/librocm-dbgapi.so.0")
        self.variables = {"WAVETAPE_WORKLOAD": support.TREE.workload("oob-load"), "LD_BIND_NOW": "1"}

    def client(self, name, *how):
        client = self.rocm / "bin" / name
        shutil.copy(support.TREE.build / "tests/levels/future-client", client)
        subprocess.run(["patchelf", *how, "--set-rpath", "$ORIGIN/../lib", client], check=True)
        return client

    def launcher(self, path, *lines):
        path.write_text("\n".join(["#!/bin/sh", "set -e", *lines]) + "\n")
        path.chmod(0o755)
        return path

    def recorded(self, *command, **variables):
        live = support.run(*command, **self.variables, **variables)
        self.assertEqual((live.code, live.stderr), (0, ""))
        self.assertIn("\ntomorrow 0x2a\n", live.stdout)
        self.assertEqual(support.wavetape("record", "-o", self.file, "--", *command, **self.variables, **variables), live)
        info = support.wavetape("info", self.file).stdout
        self.assertIn("amd_dbgapi_of_tomorrow@AMD_DBGAPI_0.90", info)
        self.assertIn("amd_dbgapi_read_register", {call.get("function") for call in self.json("journal", self.file)["entries"]})
        self.file.unlink()

    def test_run_paths(self):
        """Found by nothing but the client's own path, of either kind."""
        for how in (["--force-rpath"], []):
            self.recorded(self.client("client", *how))

    def test_launchers(self):
        """AMD's rocgdb is a script, with a program for each Python beside it; it may be called by a link, and by another script."""
        self.skip_with_sanitizer()
        self.client("rocgdb-py3.11", "--force-rpath")
        script = self.launcher(self.rocm / "bin/rocgdb", 'version=3.11', 'exec "$(dirname "$(realpath "$0")")/rocgdb-py$version" "$@"')
        self.recorded(script)
        (self.directory / "bin").mkdir()
        link = self.directory / "bin/rocgdb"
        link.symlink_to(script)
        self.recorded(link)
        path = {"PATH": f"{link.parent}:{os.environ['PATH']}"}
        self.recorded("rocgdb", **path)
        self.recorded(self.launcher(self.directory / "outer", 'exec rocgdb "$@"'), **path)
        self.recorded("env", "rocgdb", **path)

    def test_a_replay_is_refused(self):
        """Its client would get answers of two libraries: it does not start, and both the loader and the command say so."""
        client = self.client("client", "--force-rpath")
        result = support.wavetape("replay", self.trace("oob-load"), "--", client, **self.variables)
        self.assertNotEqual(result.code, 0)
        self.assertIn("version `AMD_DBGAPI_0.90' not found", result.stderr)
        self.assertEqual(result.stderr.splitlines()[-1], UNUSED.format(self.trace("oob-load")).rstrip())


if __name__ == "__main__":
    support.main(__doc__)
