# SPDX-License-Identifier: MIT
"""A session of `wavetape dap` as a test case: with a trace of one of the kernels that are here for it, and walks in the way of a wave.

Where WAVETAPE_TEST_DAP_SCHEMA names the protocol's own debugAdapterProtocol.json, and Python has jsonschema, every message that came
is held against it.
"""

import json
import os

import support
from dap_client import Client, Refused, Schema

SCHEMA = os.environ.get("WAVETAPE_TEST_DAP_SCHEMA")
FAILS = "/* fails */"


class Case(support.Case):
    schema = Schema(SCHEMA) if SCHEMA else None

    def failing(self, name):
        """A trace of a kernel NAME.c that fails at its fourth store."""
        if name not in support.TREE.traces:
            workload = support.TREE.temporary / f"{name}.json"
            path = support.TREE.temporary / f"{name}.wtape"
            workload.write_text(json.dumps({
                "architecture": "gfx942", "code_objects": [str(support.TREE.build / f"tests/end-to-end/{name}.co")],
                "buffers": {"out": {"bytes": 4096}},
                "dispatches": [{"kernel": name, "grid": [128, 1, 1], "workgroup": [64, 1, 1],
                                "arguments": [{"buffer": "out"}, {"u32": 8}, {"u32": 400}]}]}), "utf-8")
            self.wavetape("record", "-o", path, "--workload", workload)
            folder = os.path.dirname(self.source_name(path))
            self.wavetape("record", "-o", path, "--workload", workload, "--source",
                          f"{folder}={support.TREE.source}/tests/end-to-end")
            support.TREE.traces[name] = path
        return support.TREE.traces[name]

    def served(self):
        return self.failing("served")

    def source_name(self, trace):
        return self.json("backtrace", trace)["frames"][0]["source"]["file"]

    def open(self, *arguments, **begin):
        """A session that has come to its first stop."""
        client = Client([support.TREE.command, "dap", *arguments], support.environment())
        self.addCleanup(self.close, client)
        client.stopped = client.begin(**begin)
        return client

    def close(self, client):
        client.__exit__()
        for message in client.seen if self.schema else ():
            self.schema.check(message)

    def line(self, text, name="served"):
        """The number of the one line of NAME.c that holds a text."""
        lines = (support.TREE.source / f"tests/end-to-end/{name}.c").read_text("utf-8").splitlines()
        found = [number for number, line in enumerate(lines, 1) if text in line]
        self.assertEqual(len(found), 1, text)
        return found[0]

    def frames(self, client, thread=1):
        return client.ask("stackTrace", threadId=thread)["stackFrames"]

    def refused(self, client, what, command, **arguments):
        with self.assertRaises(Refused) as refused:
            client.ask(command, **arguments)
        self.assertEqual(str(refused.exception), what)

    def by_name(self, variables):
        return {variable["name"]: variable for variable in variables}


class Walker(Case):
    """One who walks in the way of a wave."""

    def place(self, client, thread=1):
        frame = self.frames(client, thread)[0]
        return frame["name"], frame["line"]

    def go(self, client, command, **arguments):
        """Where the wave is after a request, and what is said of that."""
        client.ask(command, threadId=1, **arguments)
        stopped = client.event("stopped")
        return stopped, self.place(client)

    def value(self, client, expression):
        return client.ask("evaluate", expression=expression, frameId=self.frames(client)[0]["id"])["result"]
