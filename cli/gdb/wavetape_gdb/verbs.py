# SPDX-License-Identifier: MIT
"""Asking the command wavetape about the recording."""

import atexit
import json
import os
import subprocess
import tempfile

import gdb

PATIENCE = 300  # seconds, for a trace of any size
FINE = (0, 3)   # exit codes; 3: something is lost, and is named


class Question:
    """A verb and its arguments, under way."""

    def __init__(self, *arguments):
        self.command = os.environ.get("WAVETAPE_COMMAND")
        if not self.command:
            raise gdb.GdbError("This needs the command wavetape: start GDB with `wavetape replay FILE -- gdb`.")
        # A file has room for any answer, whoever waits for it.
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        # GDB's library path leads to the replaying library; the command brings its own.
        variables = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        try:
            self.process = subprocess.Popen([self.command, *arguments], stdin=subprocess.DEVNULL, stdout=self.output,
                                            stderr=self.errors, env=variables, start_new_session=True)
            # Nobody waits for it when GDB is gone.
            atexit.register(self.process.kill)
        except OSError as error:
            raise gdb.GdbError(f"Cannot run {self.command}: {error}") from None

    def answer(self, patience=PATIENCE):
        """What the verb printed; None if that is not there in time."""
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        except BaseException:
            self.process.kill()
            raise
        output, errors = map(self.read, (self.output, self.errors))
        if code not in FINE:
            raise gdb.GdbError(errors.strip() or f"{self.command} failed.")
        return output

    def drop(self):
        """Nobody wants to know any more."""
        self.process.kill()
        self.process.wait()
        self.output.close()
        self.errors.close()

    @staticmethod
    def read(file):
        with file:
            file.seek(0)
            return file.read().decode("utf-8", "backslashreplace")


def ask(*arguments):
    answer = Question(*arguments).answer()
    if answer is None:
        raise gdb.GdbError(f"wavetape {' '.join(arguments)} does not come to an end.")
    return answer


def ask_json(*arguments):
    return json.loads(ask(*arguments))
