# SPDX-License-Identifier: MIT
"""Reading traces of wavetape: stops, waves, registers, memory, code objects, variables and causes of a recorded AMD GPU session.

    import wavetape

    with wavetape.open("crash.wtape") as trace:
        print(trace.stop().crash)

Numbers of stops, waves and code objects are those that the command `wavetape` prints: `trace.stops[3]` is the third stop. Everything
is read when it is asked for. What was not recorded is None, or raises NotFoundError; it is never made up.

A trace can be used by several threads: its calls wait for each other. Different traces do not.
"""

from wavetape._cause import Cause, Step
from wavetape._facts import Agent, Argument, CodeObject, Damage, Dispatch, HostFrame, Map, Queue, Symbol, TraceInfo
from wavetape._handle import (ClosedError, Error, InputError, InternalError, LimitError, NotFoundError, OutOfMemoryError, FileError,
                              UnsupportedError, UsageError)
from wavetape._host import Host, Thread
from wavetape._journal import Answer, Call, Callback, Notice
from wavetape._place import Place
from wavetape._source import Source, Sources
from wavetape._stack import Frame, Member, Stack, Value, Variable
from wavetape._stop import Memory, Stop
from wavetape._trace import Stops, StopSummary, Trace, open, version
from wavetape._wave import Access, Register, Registers, Wave, Waves
from wavetape._way import LastWrite, Way, WayInfo, WayStep, WayTouch, WayValue

__all__ = [
    "Access", "Agent", "Answer", "Argument", "Call", "Callback", "Cause", "ClosedError", "CodeObject", "Damage", "Dispatch", "Error", "Frame", "Host",
    "HostFrame", "InputError", "InternalError", "LastWrite", "LimitError", "Map", "Member", "Memory", "NotFoundError", "Notice",
    "OutOfMemoryError", "Place",
    "Queue", "Register", "Registers", "Source", "Sources", "Stack", "Step", "Stop", "StopSummary", "Stops", "Symbol", "FileError", "Thread", "Trace", "TraceInfo",
    "UnsupportedError", "UsageError", "Value", "Variable", "Wave", "Waves", "Way", "WayInfo", "WayStep", "WayTouch", "WayValue", "open", "version",
]
