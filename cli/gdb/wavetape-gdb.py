# SPDX-License-Identifier: MIT
"""GDB's commands for a recording; `help tape` lists them.

`wavetape replay FILE -- gdb` loads this file; `source` does it by hand. What is in wavetape_gdb/ beside it talks to the
replaying library, which is loaded in this very process.
"""

import os
import sys


def load():
    folder = os.path.dirname(os.path.abspath(__file__))
    kept = sys.dont_write_bytecode
    # Nothing is written to where we are installed.
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    try:
        import wavetape_gdb.commands
        wavetape_gdb.commands.define()
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = kept


load()
