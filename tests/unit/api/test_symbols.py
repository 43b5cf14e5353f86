# SPDX-License-Identifier: MIT
"""The library has the functions of the API at the versions that clients of AMD's library ask for.

Usage: test_symbols.py LIBRARY FACTS
"""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

# pylint: disable=wrong-import-position
from client import libc
from client.case import Case, main


class Symbols(Case):
    def setUp(self):
        self.facts = json.loads(pathlib.Path(self.folder).read_text("utf-8"))

    def tearDown(self):
        pass

    def find(self, name, version):
        return libc.dlvsym(self.api.library._handle, name.encode(), version.encode())

    def test_functions_and_versions(self):
        functions = self.facts["functions"]
        versions = [(name, held[0]) for name, history in functions.items() for held in history.values() if held and held[0]]
        self.assertEqual([pair for pair in versions if not self.find(*pair)], [])
        # A client that asks for what never was has to be told so.
        self.assertEqual([name for name in functions if self.find(name, "AMD_DBGAPI_0.71")], [])
        self.assertEqual(len(functions), 69)
        self.assertGreater(len(versions), 100)

    def test_soname(self):
        dynamic = subprocess.run(["readelf", "-d", self.library], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"\(SONAME\) .*\[(.*)\]", dynamic), [self.facts["soname"]])

    def test_nothing_else(self):
        """Nothing of ours may get in the way of a client's own names."""
        for name in ("wt_provider", "wt_client_initialize", "gfx_wave_step"):
            self.assertFalse(hasattr(self.api.library, name), name)


if __name__ == "__main__":
    main(__doc__)
