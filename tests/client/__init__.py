# SPDX-License-Identifier: MIT
"""One client of the debugger API for tests, in Python over any library that has it.

    import client
    debugger = client.Client(client.Api(path))
    process = debugger.attach()
    for wave in debugger.list("wave", process):
        print(debugger.ask("wave", wave, "STATE"))

Programs that use it put tests/ in front of sys.path; the build's part of it is found by PYTHONPATH, or in build/ of the tree.
"""

import importlib.util
import pathlib
import sys

if not importlib.util.find_spec("wavetape_build"):
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "build/tests/client"))

# pylint: disable=wrong-import-position
from .api import SUCCESS, Api, Callbacks, Lacking, buffer, libc, malloc, number
from .core import Core
from .rocgdb import RocGdb
from .session import Client, Refused, take_array

__all__ = ["SUCCESS", "Api", "Callbacks", "Client", "Core", "Lacking", "Refused", "RocGdb", "buffer", "libc", "malloc", "number", "take_array"]
