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
NOT_LOADED = ("wavetape: nothing was recorded: {}: the recording library was not loaded, or had no library to record: does the client "
              "use librocm-dbgapi.so.0, and is AMD's found (--dbgapi)?\n")


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


if __name__ == "__main__":
    support.main(__doc__)
