# SPDX-License-Identifier: MIT
"""Vectors of traces in which numbers of names are left out, as in those that were recovered."""

import trace_pb2
from catalogue import flipped, vector
from worlds import DATA, five_stops, later_stops, one_stop, stop

GAPS = {"minor": 3, "required": 3}


def with_gaps(**options):
    """Two names are missing between two chunks, and a hundred thousand between two packets of one."""
    tape = one_stop(**options)
    tape.lose_names(2)
    tape.call("amd_dbgapi_wave_stop")
    tape.lose_names(100000)
    tape.call("amd_dbgapi_wave_resume")
    tape.chunk()
    tape.call("amd_dbgapi_process_detach")
    return tape


@vector
def names_with_gaps():
    return with_gaps(**GAPS).close()


@vector
def names_with_gaps_and_not_closed():
    tape = with_gaps(**GAPS)
    tape.chunk()
    tape.index()
    later_stops(tape, 1)
    return bytes(tape.file)


@vector
def names_with_gaps_that_nothing_repeats():
    tape = with_gaps(**GAPS)
    tape.end()
    tape.chunk()
    tape.repeated = []
    return tape.final()


@vector
def names_with_gaps_and_one_not_repeated():
    tape = with_gaps(**GAPS)
    tape.end()
    tape.chunk()
    tape.repeated = [packet for packet in tape.repeated if "amd_dbgapi_wave_stop" not in packet.names.text]
    return tape.final()


@vector
def names_with_gaps_and_nothing_says_so():
    """Without the feature they are not numbered as they should be."""
    return with_gaps().close()


@vector
def names_with_gaps_and_no_identity():
    """What features there are was in the head of the file, and there is no footer."""
    tape = with_gaps(**GAPS)
    tape.chunk()
    return flipped(bytes(tape.file), 33)


@vector
def names_with_gaps_that_are_referred_to():
    """The function of a call, and the space that memory is of."""
    tape = one_stop(**GAPS)
    tape.lose_names(2)
    tape.call("amd_dbgapi_wave_stop", callbacks=["allocate_memory"])
    begin, callback = tape.packets[1], tape.packets[3]
    begin.call_begin.function -= 1
    callback.callback.function = begin.call_begin.function - 1
    items = [tape.memory(DATA + 8192, blob=tape.blob(b"of a space that is lost"))]
    items[0].kind = callback.callback.function
    stop(tape, items)
    return tape.close()


@vector
def names_that_run_backwards():
    """Also where there may be gaps no number comes again."""
    tape = one_stop(**GAPS)
    tape.lose_names(10)
    tape.call("amd_dbgapi_wave_stop")
    tape.add(trace_pb2.Packet(names=trace_pb2.Names(first=len(tape.names), text=["a number that was left out"])))
    later_stops(tape, 1)
    return tape.close()


@vector
def first_name_that_runs_backwards():
    tape = one_stop(**GAPS)
    tape.chunk(change={"first_name": 2})
    later_stops(tape, 1)
    return tape.close()


@vector
def names_far_apart_behind_a_loss():
    """A few bytes that claim four million names: a loss of packets may have taken as many."""
    tape = five_stops()
    tape.notice("this was lost")
    tape.chunk(lost=True)
    tape.lose_names(4000000)
    tape.totals["name"] += 4000000
    tape.call("amd_dbgapi_wave_stop")
    return tape.close()
