# SPDX-License-Identifier: MIT
"""Small recordings in which something stopped, composed by hand: what the vectors vary."""

import struct

import trace_pb2
from compose import ITEM, Tape

REGISTER = (0xF << 32) + 1
PC = (0xF << 32) + 2
WAVE_QUERY = "AMD_DBGAPI_WAVE_INFO_"
CODE = 0x200000000000
DATA = 0x210000000000


def u64(number):
    return struct.pack("<Q", number)


def u32(number):
    return struct.pack("<I", number)


def lanes(first):
    return struct.pack("<64I", *((first + lane) & 0xFFFFFFFF for lane in range(64)))


def facts(tape):
    """Two registers, so that their values can be told apart."""
    tape.facts([
        tape.object("register", REGISTER, {"AMD_DBGAPI_REGISTER_INFO_NAME": b"v0",
                                           "AMD_DBGAPI_REGISTER_INFO_TYPE": b"int32_t[64]",
                                           "AMD_DBGAPI_REGISTER_INFO_SIZE": u64(256)}),
        tape.object("register", PC, {"AMD_DBGAPI_REGISTER_INFO_NAME": b"pc",
                                     "AMD_DBGAPI_REGISTER_INFO_TYPE": b"void (*)()",
                                     "AMD_DBGAPI_REGISTER_INFO_SIZE": u64(8)})])


def wave(tape, handle, pc, reason=0x200, group=0):
    return tape.object("wave", handle, {
        WAVE_QUERY + "STATE": u32(3), WAVE_QUERY + "STOP_REASON": u32(reason), WAVE_QUERY + "PC": u64(pc),
        WAVE_QUERY + "EXEC_MASK": u64(0xFFFFFFFFFFFFFFFF), WAVE_QUERY + "WORKGROUP_COORD": u32(group) + bytes(8),
        WAVE_QUERY + "WAVE_NUMBER_IN_WORKGROUP": u32(handle % 4)})


def registers(wave_handle, blob, **fields):
    return ITEM(type=ITEM.REGISTERS, owner=wave_handle, handle=[REGISTER, PC], blob=blob, **fields)


def block(first, pc):
    return lanes(first) + u64(pc)


def whole_state(tape, first=0, waves=(1, 2)):
    """The items of a keyframe: waves with registers, a page of memory, a code object."""
    items = [tape.list("amd_dbgapi_process_wave_list", list(waves))]
    for handle in waves:
        items.append(wave(tape, handle, CODE + 4 * first + handle))
        items.append(registers(handle, tape.blob(block(first + 64 * handle, CODE + 4 * first + handle))))
    items.append(tape.memory(DATA, blob=tape.blob(bytes(range(256)) * 16)))
    items.append(tape.memory(DATA + 4096, blob=tape.blob(bytes(100))))
    items.append(tape.list("amd_dbgapi_process_code_object_list", [1]))
    items.append(tape.object("code_object", 1, {"AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS": u64(CODE),
                                                "AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME": b"file:///by/hand.co"}))
    items.append(ITEM(type=ITEM.IMAGE, owner=1, blob=tape.blob(b"\x7fELF, but no more of it")))
    return items


def event(handle, wave_handle):
    return trace_pb2.Event(handle=handle, kind=1,
                           answer=[trace_pb2.Answer(query=0, value=u64(wave_handle))])


def attach(tape):
    tape.call("amd_dbgapi_initialize")
    tape.call("amd_dbgapi_process_attach", callbacks=["client_process_get_info"])
    facts(tape)
    tape.moment(keyframe=True, cause=trace_pb2.Moment.ATTACH)


def stop(tape, items, **fields):
    """A call for events and the stop that it made."""
    number = tape.call("amd_dbgapi_process_next_pending_event")
    return tape.moment(items, event=[event(number, 1)], **fields)


def started(**options):
    """A tape with a header and an attached process in its first chunk."""
    tape = Tape(**options)
    tape.header()
    attach(tape)
    return tape


def one_stop(**options):
    tape = started(**options)
    tape.chunk()
    stop(tape, whole_state(tape), keyframe=True)
    tape.chunk()
    return tape


def later_stops(tape, count, keyframes=()):
    """Stops that change the first wave's registers and a few bytes of memory; one chunk each."""
    for number in range(1, count + 1):
        if number in keyframes:
            stop(tape, whole_state(tape, number), keyframe=True)
        else:
            patch = [trace_pb2.Patch(offset=4 * number, data=u32(0xA0000000 + number)),
                     trace_pb2.Patch(offset=256, data=u64(CODE + 8 * number))]
            stop(tape, [wave(tape, 1, CODE + 8 * number),
                        ITEM(type=ITEM.REGISTERS, owner=1, patch=patch),
                        tape.memory(DATA, patch=[trace_pb2.Patch(offset=number, data=b"changed")])])
        tape.chunk()


def five_stops(**options):
    tape = one_stop(**options)
    later_stops(tape, 4, keyframes=(3,))
    return tape
