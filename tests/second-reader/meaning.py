# SPDX-License-Identifier: MIT
"""What a trace means, in the shapes in which `wavetape VERB --json` says it, for what can be said without a table of
the API and without ELF: those parts are compared, the rest of the command's answer is left out."""

import trace_pb2

PAGE = 4096
ITEM = trace_pb2.Item
LISTS = {"wave": "amd_dbgapi_process_wave_list", "code_object": "amd_dbgapi_process_code_object_list",
         "workgroup": "amd_dbgapi_process_workgroup_list"}


def number(data):
    return int.from_bytes(data, "little")


class View:
    """A state, asked by names."""

    def __init__(self, trace, moment):
        self.trace = trace
        self.moment = trace.moments[moment][0]
        self.state = trace.state(moment)

    def get(self, kind, name, owner, address=0):
        named = self.trace.number_of(name) if name else 0
        return None if named is None else self.state.get((kind, named, owner, address))

    def answer(self, object_name, handle, query):
        """The bytes of a query's answer, or None."""
        item = self.get(ITEM.OBJECT, object_name, handle)
        name = self.trace.number_of(query)
        answer = item.answers.get(name) if item and name else None
        return answer.value if answer is not None and answer.status == 0 else None

    def objects(self, name):
        """Handles of a kind: as the library listed them, else by handle."""
        item = self.get(ITEM.LIST, LISTS[name], self.moment.process)
        if item and item.status == 0:
            return item.handles
        named = self.trace.number_of(name)
        return sorted(key[2] for key in self.state if key[0] == ITEM.OBJECT and key[1] == named)

    # ---- verbs ----

    def waves(self):
        waves = []
        for handle in self.objects("wave"):
            wave = {"wave": handle}
            coordinates = self.answer("wave", handle, "AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD")
            in_group = self.answer("wave", handle, "AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP")
            if coordinates is not None:
                wave["workgroup"] = [number(coordinates[at:at + 4]) for at in (0, 4, 8)]
            wave["number_in_workgroup"] = number(in_group) if in_group is not None else 0
            pc = self.answer("wave", handle, "AMD_DBGAPI_WAVE_INFO_PC")
            mask = self.answer("wave", handle, "AMD_DBGAPI_WAVE_INFO_EXEC_MASK")
            reason = self.answer("wave", handle, "AMD_DBGAPI_WAVE_INFO_STOP_REASON")
            known = self.get(ITEM.OBJECT, "wave", handle) is not None
            wave["state"] = "stopped" if reason is not None else "running" if known else "unknown"
            if reason is not None:
                wave["pc"] = hex(number(pc)) if pc is not None else "0x0"
                wave["exec"] = hex(number(mask)) if mask is not None else "0x0"
            waves.append(wave)
        return waves

    def registers(self, wave):
        item = self.get(ITEM.REGISTERS, None, wave)
        if item is None or item.status:
            return []
        registers, offset, known = [], 0, True
        for handle in item.handles:
            name, kind, size = (self.answer("register", handle, "AMD_DBGAPI_REGISTER_INFO_" + query)
                                for query in ("NAME", "TYPE", "SIZE"))
            size = number(size) if size is not None else 0
            known = known and size > 0
            value = item.bytes[offset:offset + size] if known and item.bytes is not None else b""
            offset += size
            register = {"name": name.decode() if name is not None else "?",
                        "type": kind.decode() if kind is not None else "?", "bytes": size}
            if not size or len(value) < size:
                register["value"] = None
            elif "[" in register["type"]:
                register["lanes"] = ["0x%08x" % number(value[at:at + 4]) for at in range(0, size - size % 4, 4)]
            else:
                register["value"] = hex(number(value))
            registers.append(register)
        return registers

    def pages(self, space, owner):
        """Address and bytes of each recorded page of an owner, in order."""
        kind = self.trace.number_of(space)
        return sorted((key[3], item.bytes) for key, item in self.state.items()
                      if key[:3] == (ITEM.MEMORY, kind, owner) and item.status == 0 and item.bytes)

    def memory(self):
        """The runs of recorded bytes."""
        owners = [("global", self.moment.process)]
        owners += [("local", handle) for handle in self.objects("workgroup")]
        owners += [("private_wave", handle) for handle in self.objects("wave")]
        runs = []
        for space, owner in owners:
            end = None
            for address, data in self.pages(space, owner):
                page_end = address + min(len(data), PAGE)
                if end == address and end % PAGE == 0:
                    runs[-1]["to"] = hex(page_end)
                else:
                    runs.append({"space": space, "owner": owner, "from": hex(address), "to": hex(page_end)})
                end = page_end
        return runs

    def bytes_at(self, run):
        """All bytes of a run of the global space, in hexadecimal."""
        begin, end = int(run["from"], 16), int(run["to"], 16)
        return b"".join(data[:PAGE] for address, data in self.pages(run["space"], run["owner"])
                        if begin <= address < end).hex()

    def notes(self):
        """What the state has beside objects, lists and contents, by its keys."""
        return [{"note": ITEM.Type.Name(key[0]), "function": self.trace.name(key[1]), "owner": key[2], "status": item.status,
                 "numbers": list(item.numbers), "handles": list(item.handles)}
                for key, item in sorted(self.state.items(), key=lambda pair: (pair[0][0], self.trace.name(pair[0][1]) or "", pair[0][2:]))
                if key[0] > ITEM.SOURCE]

    def code_objects(self):
        objects = []
        for handle in self.objects("code_object"):
            load = self.answer("code_object", handle, "AMD_DBGAPI_CODE_OBJECT_INFO_LOAD_ADDRESS")
            uri = self.answer("code_object", handle, "AMD_DBGAPI_CODE_OBJECT_INFO_URI_NAME")
            image = self.get(ITEM.IMAGE, None, handle)
            recorded = image is not None and image.status == 0 and image.bytes is not None
            objects.append({"code_object": handle, "load_address": hex(number(load or b"")),
                            "uri": uri.decode() if uri is not None else None, "recorded": recorded,
                            "bytes": len(image.bytes) if recorded else 0})
        return objects


def stops(trace, summary):
    """As the summary lists them, where there is one that can be used; else as the chunks have them."""
    if summary.stops is not None:
        return [{"stop": position, "call": stop.call, "time_ns": stop.time,
                 "events": [run.first + i for run in stop.event for i in range(run.count)], "waves": stop.waves,
                 "stopped": sum(group.count for group in stop.group)}
                for position, (stop, _) in enumerate(summary.stops, 1)]
    listed = []
    for position, moment in enumerate(trace.stops(), 1):
        message = trace.moments[moment][0]
        view = View(trace, moment)
        entry = {"stop": position, "call": message.call, "time_ns": message.time,
                 "events": [event.handle for event in message.event]}
        if view.state is not None:
            waves = view.waves()
            entry["waves"] = len(waves)
            entry["stopped"] = sum(wave["state"] == "stopped" for wave in waves)
        listed.append(entry)
    return listed


def info(trace, summary):
    header = trace.header or trace_pb2.Header()
    return {"complete": trace.end is not None, "end_reason": trace.end.reason if trace.end else None,
            "recorder": header.recorder, "api_level": header.api_level, "library_version": header.library_version,
            "library_build_name": header.library_build_name, "start_time_ns": header.start_time,
            "process_id": header.process_id, "reproducible": header.reproducible,
            "command_line": list(header.command_line), "stops": len(trace.stops() if summary.stops is None else summary.stops),
            **({"client_level": header.client_level} if header.client_level else {}),
            **({"source_files": sources(trace)} if sources(trace) else {})}


def sources(trace):
    """The source files that were kept, by the numbers of their names."""
    state = {}
    trace._apply(state, trace.facts)  # noqa: SLF001
    return [{"file": name_of(trace, key[1]), "bytes": len(item.bytes)} for key, item in sorted(state.items(), key=lambda pair: pair[0])
            if key[0] == ITEM.SOURCE and key[1] and item.bytes is not None]


def name_of(trace, number_):
    return trace.name(number_) or "(lost name %d)" % number_


def journal(trace):
    """Calls with what is in them that needs no table; callbacks by name; notices."""
    listed, calls = [], {}
    for kind, body in trace.journal:
        if kind == "call_begin":
            call = {"call": body.number, "function": name_of(trace, body.function), "thread": body.thread,
                    "start_ns": body.start, "input_count": len(body.input)}
            calls[body.number] = call
            listed.append(call)
        elif kind == "callback" and body.call in calls:
            calls[body.call].setdefault("callbacks", []).append(
                {"callback": name_of(trace, body.function), "result": body.result})
        elif kind == "call_end" and body.number in calls:
            calls[body.number]["output_count"] = sum(value.WhichOneof("form") is not None for value in body.output)
            calls[body.number]["duration_ns"] = body.duration
    return listed


def check(trace):
    container = trace.container
    moments_lost, stop_count = 0, 0
    for moment in range(trace.counts["moments"]):
        if moment not in trace.moments or trace.state(moment) is None:
            moments_lost += 1
        else:
            stop_count += trace.moments[moment][0].cause == trace_pb2.Moment.STOP
    closed = trace.end is not None
    damage = list(container.damage)
    loss = (any(entry.loss for entry in damage) or moments_lost > 0 or trace.left_out or not closed
            or trace.header is None)
    return {"whole": not damage and not loss and container.closed, "loss": loss, "closed": closed,
            "file_bytes": len(container.data), "indexes": container.indexes,
            "chunks": {"count": len(container.chunks), "lost": sum(chunk.lost for chunk in container.chunks)},
            "packets": {"count": trace.counts["packets"], "lost": trace.lost["packets"]},
            "moments": {"count": trace.counts["moments"], "lost": moments_lost},
            "stops": stop_count, "calls": {"count": trace.counts["calls"], "lost": trace.lost["calls"]},
            "blobs": {"count": trace.counts["blobs"], "lost": trace.lost["blobs"]}}


def everything(trace):
    """All of the above, for every stop: what a vector is expected to mean."""
    import summary  # which asks for views of this module
    listed = summary.Listed(trace)
    meaning = {"check": check(trace), "info": info(trace, listed), "stops": stops(trace, listed),
               "journal": journal(trace), "at": []}
    numbered = trace.stops() if listed.stops is None else [stop.moment for stop, _ in listed.stops]
    for position, moment in enumerate(numbered, 1):
        view = View(trace, moment) if moment in trace.moments else None
        if view is None or view.state is None:
            meaning["at"].append({"stop": position, "lost": True})
            continue
        memory = view.memory()
        for run in memory:
            if run["space"] == "global":
                run["data"] = view.bytes_at(run)
        notes = view.notes()
        meaning["at"].append({
            **({"notes": notes} if notes else {}), "stop": position, "waves": view.waves(), "code_objects": view.code_objects(), "memory": memory,
            "registers": {str(wave["wave"]): view.registers(wave["wave"]) for wave in view.waves()}})
    return meaning
