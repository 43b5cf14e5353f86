# SPDX-License-Identifier: MIT
"""The summary in FINAL: what it must say of a trace, made anew of its chunks, and what of it is not so."""

import struct

import trace_pb2
import zstandard
from container import crc32c
from meaning import View, number

RAW_MAX = 64 << 20
EVENTS_MAX = 4 << 20
STOP = trace_pb2.Moment.STOP


class Wrong(Exception):
    """Why a summary is not used."""


def answered(view, kind, handle, query):
    value = view.answer(kind, handle, query)
    return number(value) if value and len(value) <= 8 else None


def runs(events):
    """Events in a row with one kind and handles that follow one another."""
    listed = []
    for event in events:
        if listed and listed[-1].kind == event.kind and listed[-1].first + listed[-1].count == event.handle:
            listed[-1].count += 1
        else:
            listed.append(trace_pb2.ListedEvents(first=event.handle, count=1, kind=event.kind))
    return listed


def groups(view):
    """Stopped waves by their reasons, in the order of the first of each."""
    listed = {}
    for wave in view.objects("wave"):
        reasons = answered(view, "wave", wave, "AMD_DBGAPI_WAVE_INFO_STOP_REASON")
        if reasons is None:
            continue
        if reasons not in listed:
            group = listed[reasons] = trace_pb2.ListedWaves(reasons=reasons, wave=wave)
            dispatch = answered(view, "wave", wave, "AMD_DBGAPI_WAVE_INFO_DISPATCH")
            known = (("pc", answered(view, "wave", wave, "AMD_DBGAPI_WAVE_INFO_PC")),
                     ("architecture", answered(view, "wave", wave, "AMD_DBGAPI_WAVE_INFO_ARCHITECTURE")),
                     ("entry", dispatch is not None and answered(
                         view, "dispatch", dispatch, "AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS")))
            for bit, (field, value) in enumerate(known):
                if value is not None and value is not False:
                    setattr(group, field, value)
                    group.known |= 1 << bit
        listed[reasons].count += 1
    return list(listed.values())


def code(view):
    """Code objects with an image: handle, load address, numbers of blobs."""
    listed = []
    for handle in view.objects("code_object"):
        load = answered(view, "code_object", handle, "AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS")
        image = view.get(trace_pb2.Item.IMAGE, None, handle)
        if load is None or image is None or image.status or not image.bytes:
            continue
        if image.parts is None:
            raise Wrong("an image is no row of blobs")
        listed.append((handle, load, tuple(image.parts)))
    return listed


def build_stop(trace, moment):
    """What is said of a stop, without its code objects, and these; None if its state is lost."""
    view = View(trace, moment)
    if view.state is None:
        return None
    message = trace.moments[moment][0]
    stop = trace_pb2.ListedStop(moment=moment, process=message.process, call=message.call, time=message.time,
                                event=runs(message.event), waves=len(view.objects("wave")), group=groups(view))
    return stop, code(view)


def build(trace):
    """The whole message."""
    summary = trace_pb2.Summary(has_stops=True, has_notices=True, notice=trace.notice_bodies,
                                host_packet=trace.host_packet)
    before = None
    for moment in trace.stops():
        stop, objects = build_stop(trace, moment)
        if objects == before:
            stop.same_code = True
        for handle, load, blobs in () if objects == before else objects:
            entry = trace_pb2.ListedCode(handle=handle, load_address=load, blob=blobs)
            if entry not in summary.code:
                summary.code.append(entry)
            stop.code.append(list(summary.code).index(entry))
        before = objects
        summary.stop.append(stop)
    return summary


def pack(entries, message):
    """The section's content."""
    body = message if isinstance(message, bytes) else message.SerializeToString()
    return struct.pack("<II", crc32c(entries), 0) + zstandard.ZstdCompressor(write_content_size=True).compress(body)


def decode(container):
    entries, content = container.summary
    if len(content) < 8 or struct.unpack_from("<I", content)[0] != crc32c(entries):
        raise Wrong("it is of other chunks")
    try:
        if zstandard.get_frame_parameters(content[8:]).content_size > RAW_MAX:
            raise Wrong("it is too long")
        return trace_pb2.Summary.FromString(zstandard.ZstdDecompressor().decompress(content[8:]))
    except Wrong:
        raise
    except Exception as error:  # what protobuf raises is not one class over its versions
        raise Wrong("it cannot be decoded") from error


def resolve(summary, moments):
    """Each stop with its code objects in place of their positions."""
    stops, before, events = [], [], 0
    for stop in summary.stop:
        if not stop.same_code:
            if any(position >= len(summary.code) for position in stop.code):
                raise Wrong("it tells of what is not there")
            before = [(entry.handle, entry.load_address, tuple(entry.blob))
                      for entry in (summary.code[position] for position in stop.code)]
        events += sum(run.count for run in stop.event)
        if stop.moment >= moments or events > EVENTS_MAX or stops and stop.moment <= stops[-1][0].moment:
            raise Wrong("it tells of what is not there")
        plain = trace_pb2.ListedStop()
        plain.CopyFrom(stop)
        plain.ClearField("same_code")
        plain.ClearField("code")
        stops.append((plain, before))
    return stops


class Listed:
    """The summary of a trace, as far as it is used; `stops` is None where there is no list."""

    def __init__(self, trace):
        self.trace = trace
        self.stops = None
        self.summary = None
        container = trace.container
        # One that has lost chunks, or not all of their packets, has none.
        before = 0
        for chunk in container.chunks:
            if chunk.fields.first_packet != before:
                return
            before += chunk.fields.packets
        if not container.closed or container.summary is None or not container.chunks:
            return
        self._judge(self._take)
        if self.summary is not None:
            self._judge(self._compare)

    def _judge(self, what):
        try:
            what()
        except Wrong as why:
            self.trace.container.note(False, "the summary is not used: %s" % why)

    def _take(self):
        summary = decode(self.trace.container)
        stops = resolve(summary, self.trace.counts["moments"])
        self.summary = summary
        if summary.has_stops:
            self.stops = stops

    def _compare(self):
        listed = {stop.moment: (stop, objects) for stop, objects in self.stops or ()}
        for moment, (message, _) in self.trace.moments.items() if self.stops is not None else ():
            if (message.cause == STOP) != (moment in listed):
                raise Wrong("it has other stops")
            if message.cause == STOP and build_stop(self.trace, moment) not in (None, listed[moment]):
                raise Wrong("it says something else of a stop")
        if self.trace.lost["packets"]:
            return
        if self.summary.has_notices and list(self.summary.notice) != self.trace.notice_bodies:
            raise Wrong("it has other notices")
        if self.summary.has_notices and self.summary.host_packet != self.trace.host_packet:
            raise Wrong("it has another place of what is known of the host")
