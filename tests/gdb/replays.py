# SPDX-License-Identifier: MIT
"""
Sessions of a GDB on a terminal, written down and made again over their recordings.

Usage: python3 replays.py FOLDER COMMAND -- GDB [ARGUMENT...]
    GDB under `wavetape record`, with COMMAND as its path: FOLDER gets N.wtape, the trace of this session, and N.json, what was typed and what
    came. A GDB that is only asked something (--version, -batch) is run as it is.
"""
import collections
import json
import os
import pathlib
import pty
import re
import select
import signal
import sys
import time

import process_tree

PROMPT = re.compile(r"(?:^|[\r\n])(?:\(gdb\) | *>|.*\(y or \[?n\]?\) )$")
# Seconds: for a prompt; for more of what comes by itself.
PATIENCE, QUIET = 60, 1.0


def record(folder, command, words):
    """Runs a GDB between this process's terminal and one of its own, and writes down what goes through."""
    number = sum(1 for _ in folder.glob("*.json"))
    trace, said = folder / f"{number}.wtape", [["", ""]]

    def write_down():
        (folder / f"{number}.json").write_text(json.dumps({"arguments": words[1:], "said": said}), "utf-8")

    def typed(fd):
        data = os.read(fd, 65536)
        said.append([data.decode("utf-8", "replace"), ""])
        return data

    def shown(fd):
        data = os.read(fd, 65536)
        said[-1][1] += data.decode("utf-8", "replace")
        write_down()
        return data

    # Whoever tests closes the terminal at the end, and does not wait.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    write_down()
    return os.waitstatus_to_exitcode(pty.spawn([command, "record", "-o", trace, "--", *words], shown, typed))


class Session:
    """A GDB over a recording, on a terminal."""

    def __init__(self, command, trace, gdb, arguments):
        words = [str(word) for word in (command, "replay", trace, "--", gdb, *arguments, "-iex", "set breakpoint pending on")]
        self.pid, self.fd = pty.fork()
        if not self.pid:
            try:
                os.execve(words[0], words, {**os.environ, "TERM": "dumb"})
            finally:
                os._exit(127)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        process_tree.end(self.pid)
        os.close(self.fd)
        os.waitpid(self.pid, 0)

    def until(self, wait_for_prompt):
        """What is shown up to a prompt, or until nothing more comes."""
        shown, end = "", time.monotonic() + PATIENCE
        while not (wait_for_prompt and PROMPT.search(shown)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left if wait_for_prompt else min(left, QUIET))[0]:
                break
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data.decode("utf-8", "replace")
        return shown

    def say(self, text):
        os.write(self.fd, text.encode())


class Threads:
    """Which numbers a session gives to waves, and which thread is selected in it."""

    NAME = re.compile(r"\b[Tt]hread (\d+(?:\.\d+)?) \((AMDGPU Wave [\d:]+)|^[* ] *(\d+(?:\.\d+)?) +(AMDGPU Wave [\d:]+)", re.M)
    STOP = re.compile(r"^(?:Thread (\d+(?:\.\d+)?) .*?(?:hit|received|stopped)|(?:Temporary breakpoint|Breakpoint) \d+, |"
                      r"\[Switching to thread (\d+(?:\.\d+)?) )", re.M)

    def __init__(self):
        self.names, self.selected = {}, None

    def note_names(self, shown):
        for found in self.NAME.findall(shown):
            number, name = found[:2] if found[0] else found[2:]
            self.names[number] = name

    def note(self, shown):
        self.note_names(shown)
        for found in self.STOP.finditer(shown):
            self.selected = found[1] or found[2]
        if "exited normally" in shown:
            self.selected = None

    def number_of(self, name):
        return next((number for number, other in self.names.items() if other == name), None)

    def is_at_wave(self):
        return self.selected in self.names

    def named(self, text):
        """With names in place of numbers."""
        return re.sub(r"\b([Tt]hread) (\d+(?:\.\d+)?)\b(?: \(AMDGPU Wave [\d:]+)?", lambda found: f"{found[1]} {self.names.get(found[2], 'of the host')}", text)


def joined(said):
    """Lines: what was typed came in pieces, or in none that ends a line."""
    lines = []
    for typed, shown in said:
        if lines and lines[-1][0] and not lines[-1][0].endswith(("\n", "\3")):
            lines[-1] = [lines[-1][0] + typed, lines[-1][1] + shown]
        else:
            lines.append([typed, shown])
    return lines


# Lines of a session that are no part of what is compared: why not.
NOT_COMPARED = re.compile("|".join((
    # The host program's threads: the recording has waves only. So it has nothing of what the program printed.
    r"\[New Thread .*", r"\[Thread .* exited\]", r"\[Thread debugging using .*", r"Using host libthread_db .*", r"result is \d+",
    # Displaced steps of the host's thread, which a replay's host makes elsewhere.
    r"\[displaced\] .*(?:-stepping \d+\.|\b0x10[0-9a-f]{4}\b).*",
    # What `wavetape` says of a replay.
    r"wavetape: .*", r"recorded: .*", r".* is not run: the recorded program is shown in its place.*", r"Starting program: .*",
    r"No wave is stopped at any recorded stop of this process\.", r"Reading symbols from .*", r"\(No debugging symbols found in .*")))


def plain(text, typed, threads):
    text = text.replace("\r", "").removeprefix(typed)
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not NOT_COMPARED.fullmatch(line.strip())]
    text = re.sub(r"(?:file|memory)://\S+#offset=\w+&size=\d+|file://\S+\.elf", "CODE", "\n".join(lines))
    # A replay tells of code that came and went between two of its stops once.
    text = re.sub(r"^(warning: .* unloaded shared library .*)(?:\n\1)+$", r"\1", text, flags=re.M)
    text = re.sub(r"\bthread=\d+\.", "thread=HOST.", text)
    text = re.sub(r"\bprocess \d+|\bThread 0x\w+ \(LWP \d+\)(?: \(id \d+\))?", "HOST", text)
    return threads.named(text).splitlines()


RESUMES = re.compile(r"(?:run|start|continue|c|next|step|stepi|nexti|finish|until|with .* -- (?:stepi|continue|next|step))\b")


def replay(command, trace, gdb, file):
    """
    Types the same over a recording. A stop of the host program is in no recording: where the program was to run to one, it runs to
    wavetape-host's main, or not at all. Return: of each line what was typed, what came, what comes now (None: it was not typed), and
    whether the session was at the host's thread before it and behind it.
    """
    session = json.loads(file.read_text("utf-8"))
    said, again, live, now = joined(session["said"]), [], Threads(), Threads()
    for _, was_shown in said:
        live.note_names(was_shown)
    with Session(command, trace, gdb, session["arguments"]) as terminal:
        terminal.until(True)
        for typed, was_shown in said[1:]:
            at_wave, words = live.is_at_wave(), typed
            live.note(was_shown)
            host_stops = RESUMES.match(typed) and not live.is_at_wave() and "exited normally" not in was_shown
            in_host = not at_wave and not live.is_at_wave() and "exited normally" not in was_shown
            if host_stops and not typed.startswith("run"):
                again.append((typed, plain(was_shown, typed, live), None, in_host))
                continue
            if typed.startswith("thread "):
                words = re.sub(r"[\d.]+", lambda found: now.number_of(live.names.get(found[0])) or found[0], typed, count=1)
            elif host_stops and " main " not in was_shown:
                words = "starti\n"
            terminal.say(words)
            shown = terminal.until(bool(PROMPT.search(was_shown)))
            now.note(shown)
            if RESUMES.match(typed) and not now.is_at_wave():
                # Non-stop mode does not say which wave a thread is.
                terminal.say("info threads\n")
                now.note_names(terminal.until(True))
            again.append((typed, plain(was_shown, typed, live), plain(shown, words, now), in_host))
    file.with_suffix(".replayed").write_text(json.dumps(again, indent=1), "utf-8")
    return again


# Why a session may show something else from there on: what one of the two then says.
FROM_THERE_ON = (
    ("of another process, which the program makes", re.compile(r"[Ff]ork|[Ii]nferior 2|executing new program")),
    ("of a variable of the host program", re.compile(r"No symbol table is loaded|No symbol \"\w+\" in current context")),
    # A recorded interrupt has no time: the wave has stopped when it is let go.
    ("behind a command in the background", re.compile(r"^continue(?: -a)? &$", re.M)))
HOST, GPU = "of the host's thread", "of the GPU"


def compare(again):
    """Return: how many lines showed the same; how many did not, by what they are about; and those that are about the GPU."""
    equal, kinds, other = 0, collections.Counter(), []
    why = None
    for typed, live, replayed, in_host in again:
        said = "\n".join([typed, *live, *(replayed or ())])
        why = why or next((reason for reason, words in FROM_THERE_ON if words.search(said)), None)
        if live == replayed:
            equal += 1
            continue
        kind = why or (HOST if in_host or replayed is None else GPU)
        kinds[kind] += 1
        if kind == GPU:
            other.append((typed, live, replayed))
    return equal, kinds, other


def main():
    if len(sys.argv) < 5 or sys.argv[3] != "--":
        print(__doc__, file=sys.stderr)
        return 2
    folder, command, words = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[4:]
    if not sys.stdin.isatty() or {"-batch", "--batch", "--version", "--configuration"} & set(words):
        os.execvp(words[0], words)
    return record(folder, command, words)


if __name__ == "__main__":
    sys.exit(main())
