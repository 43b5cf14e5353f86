# SPDX-License-Identifier: MIT
"""A server that is spoken to over the pipes of a process."""

import os
import select
import subprocess
import time


class Piped:
    """One session. What came and was not taken yet is in `bytes`."""

    def __init__(self, command, environment, timeout):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment)
        self.timeout = timeout
        self.bytes = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        self.process.wait()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def take(self, split):
        """The next message: `split` makes of the bytes (message, rest), or None while it is not whole."""
        end = time.monotonic() + self.timeout
        while not (found := split(self.bytes)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError(self.bytes[:200])
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise EOFError(self.process.stderr.read().decode())
            self.bytes += data
        message, self.bytes = found
        return message
