# SPDX-License-Identifier: MIT
"""Small inputs to start fuzzing from: generate-corpus.py SEEDS WAVETAPE KERNELS VECTORS GOLDEN-TRACE... DEPENDENCIES
DIRECTORY.

SEEDS is the program that makes small traces of every kind, KERNELS the directory with code objects and workloads,
VECTORS that of the test vectors. blocks/ has whole files, packets/ and rewrite/ what such a file decompresses to, replay/
the same behind eight bytes that choose calls; golden traces are thinned out for them. header/ has heads, chunk/ the
numbers of a head and a payload, index/ payloads of an index, and delta/ values with patches, as the targets say. core/
has GPU core dumps, way/ packets of a trace with waves that can be followed, code-object/, metadata/ and workload/ what a workload is made of, options/ words for the recording
library, driver/ what programs ask of the driver, dap/ what editors ask, a line each, of the trace in traces/. DEPENDENCIES is a file that gets told what was read of VECTORS, as make has it.

Each file gets to what its target tests; those of which that is not said are in odd/ of the same directory.
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import driver_inputs

HEAD = 128
NAMES, BLOB, CALL_BEGIN, CALLBACK, CALL_END, FACTS, MOMENT, LATE = range(2, 10)
ITEMS = {FACTS: 1, MOMENT: 11, LATE: 2}  # the field of a packet's body that has its items
KEYS_KEPT = 3  # of each type and kind
CALLS_KEPT = 20
BLOB_KEPT = 96  # bytes
CHANGES = {"blob 0", "blob 1", "blob 2", "patch 0", "patch 1", "patch 2", "keep"}  # all encodings
VECTOR_SIZE, BODY_SIZE = 24 << 10, 12 << 10  # of the largest that are taken


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return value, at


def put_varint(value):
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data) + bytes([value])


def fields(message):
    """Number and content of each field: bytes, or a number."""
    at = 0
    while at < len(message):
        tag, at = varint(message, at)
        value, at = varint(message, at)
        if tag & 7 == 2:
            yield tag >> 3, message[at:at + value]
            at += value
        else:
            yield tag >> 3, value


def field(number, value):
    if isinstance(value, int):
        return put_varint(number << 3) + put_varint(value)
    return put_varint(number << 3 | 2) + put_varint(len(value)) + value


def packets(raw):
    """The kind and the body of each packet."""
    for number, packet in fields(raw):
        assert number == 1, number
        yield next(fields(packet))


def join(parts):
    return b"".join(field(1, field(kind, body)) for kind, body in parts)


def items_of(kind, body):
    return [dict_of(value) for inner, value in fields(body) if inner == ITEMS.get(kind)]


def dict_of(message):
    """Each field's values."""
    found = {}
    for inner, value in fields(message):
        found.setdefault(inner, []).append(value)
    return found


def key_of(item):
    return tuple(tuple(item.get(inner, ())) for inner in (1, 2, 3, 4))


def changes_of(raw):
    """Which ways to tell what changed a trace uses."""
    found = set()
    for kind, body in packets(raw):
        if kind == BLOB:
            found.add(f"blob {dict_of(body).get(2, [0])[0]}")
        for item in items_of(kind, body):
            found |= {f"patch {dict_of(patch).get(3, [0])[0]}" for patch in item.get(11, [])}
            found |= {"keep"} if item.get(15) else set()
    return found


def thin_items(kind, body, keys):
    """The items of a body but for those of which there are many alike."""
    for inner, value in fields(body):
        if inner == ITEMS[kind]:
            key = key_of(dict_of(value))
            kept = keys.setdefault(key[:2], [])
            if key not in kept and len(kept) == KEYS_KEPT:
                continue
            if key not in kept:
                kept.append(key)
        yield field(inner, value)


def thin(raw):
    """A trace's packets with the start of what is long; what is changed later stays as it is."""
    keys, patched, whole = {}, set(), set()
    for kind, body in packets(raw):
        for item in items_of(kind, body):
            if 11 in item or 15 in item:
                patched.add(key_of(item))
                keys.setdefault(key_of(item)[:2], []).append(key_of(item))
    for kind, body in packets(raw):
        whole |= {blob for item in items_of(kind, body) if key_of(item) in patched for blob in item.get(9, [])}
    number = 0
    for kind, body in packets(raw):
        if kind in ITEMS:
            body = b"".join(thin_items(kind, body, keys))
        elif kind == BLOB:
            number += 1
            size = len(body) if number in whole else BLOB_KEPT
            body = b"".join(field(inner, value[:size] if inner == 3 else value) for inner, value in fields(body))
        elif kind in (CALL_BEGIN, CALLBACK, CALL_END) and dict_of(body)[1][0] > CALLS_KEPT:
            continue
        yield kind, body


def blocks(file):
    """Kind, head and payload of each block."""
    at = 0
    while len(file) - at >= HEAD:
        kind, stored = struct.unpack_from("<H", file, at + 16)[0], struct.unpack_from("<Q", file, at + 32)[0]
        yield kind, file[at : at + HEAD], file[at + HEAD : at + HEAD + stored]
        at += HEAD + stored


def summary_of(final):
    """The message in the summary of a FINAL."""
    at = 0
    while True:
        kind, _, _, length = struct.unpack_from("<HHIQ", final, at)
        if kind == 4:
            return unpack(final[at + 16 + 8:at + 16 + length])
        at += 16 + length + -length % 8


def parts(file):
    """What of a file the targets take that look at one part of it."""
    chunks = [head[48:112] + payload for kind, head, payload in blocks(file) if kind == 2]
    final = next(payload for kind, _, payload in blocks(file) if kind == 4)
    heads = {kind: head for kind, head, _ in blocks(file)}
    patch = struct.pack("<HB", 2, 3) + b"abc"
    return {
        "header": {"file": heads[1], "chunk": heads[2], "footer": heads[5]},
        "chunk": {"first": chunks[0], "second": chunks[1], "last": chunks[-1]},
        "index": {"final": final, "links": struct.pack("<HHIQQ", 2, 0, 0, 8, 128) + bytes(16)},
        "summary": {"closed": summary_of(final), "odd/half": summary_of(final)[:-7], "odd/nothing": b""},
        "delta": {"fits": b"\x08" + bytes(8) + b"\0" + patch + struct.pack("<HB", 0, 0),
                  "odd/past": b"\x04" + bytes(4) + b"\0" + patch, "short": b"\x08" + bytes(8) + b"\x05" + patch,
                  "empty": b"\0\0" + struct.pack("<HB", 0, 0)},
    }


def unpack(file):
    return subprocess.run(["zstd", "-dc"], input=file, capture_output=True, check=True).stdout


def seeds(program):
    """Name and content of small traces."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([program, directory], check=True)
        return {path.name: path.read_bytes() for path in sorted(pathlib.Path(directory).iterdir())}


def without_reserve(file):
    """A trace of a recording that was killed, with less of the space that it had reserved."""
    cut = b""
    for kind, head, payload in blocks(file):
        cut += head + (payload if kind not in (6, 7) else payload[:4096])
        if kind == 7:
            return cut
    return cut


def compact(core):
    """A core file without what fills pages, and without private memory that was planted."""
    header, count = bytearray(core[:64]), struct.unpack_from("<H", core, 56)[0]
    start = struct.unpack_from("<Q", core, 32)[0]
    table, contents = b"", b""
    for i in range(count):
        kind, flags, offset, address, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", core, start + 56 * i)
        content = b"" if address >> 40 == 0x32 else core[offset : offset + size]
        # PT_LOAD; regions of save areas are read to their end.
        if kind == 1 and address >> 40 not in (0x25, 0x31):
            content = content.rstrip(b"\0")
            content += bytes(-len(content) % 8)
        table += struct.pack("<IIQQQQQQ", kind, flags, 64 + 56 * count + len(contents), address, 0, len(content),
                             len(content), 1)
        contents += content
    struct.pack_into("<Q", header, 32, 64)
    return bytes(header) + table + contents


def without_sections(code_object):
    """What is loaded of a code object: the rest is for debuggers of its source."""
    data = bytearray(code_object)
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    segments = [struct.unpack_from("<IIQQQQQQ", data, start + 56 * i) for i in range(count)]
    struct.pack_into("<Q", data, 40, 0)
    struct.pack_into("<HHH", data, 58, 0, 0, 0)
    return bytes(data[: max(offset + size for kind, _, offset, _, _, size, _, _ in segments if kind == 1)])


def core_of(wavetape, workload):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "core"
        run = subprocess.run([wavetape, "simulate", workload, "--core", path], capture_output=True, check=False)
        assert run.returncode in (0, 1), run.stderr
        return compact(path.read_bytes())


def planted(program, code, *shape):
    """A core of two waves that never ran: architecture, lanes, vector registers, shared ones."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "core"
        subprocess.run([program, path, *shape, code], input="1900 1900 0 1900 0 0 0\n" * 2, text=True, check=True)
        return compact(path.read_bytes())


def metadata_of(code_object):
    """The content of its note, whose name is AMDGPU."""
    at = code_object.index(b"AMDGPU\0")
    size = struct.unpack_from("<I", code_object, at - 8)[0]
    return code_object[at + 8 : at + 8 + size]


def recorded(wavetape, workload):
    """The packets of a trace of a workload."""
    with tempfile.TemporaryDirectory() as directory:
        trace = pathlib.Path(directory) / "recorded.wtape"
        subprocess.run([wavetape, "record", "-o", trace, "--workload", workload], check=True, capture_output=True)
        return unpack(trace.read_bytes())


def program_inputs(wavetape, planted_core, kernels):
    """What of a program is given as files."""
    loaded = {name: (kernels / f"{name}.co").read_bytes() for name in ("vecadd", "dynamic-local-gfx90a")}
    names = ("vecadd", "two-queues", "two-agents", "loads", "structs")
    options = ("waves=all,registers=pc:s0-s15:scalar memory=0x1000+64:near redact", "ring=3 sync=every=2 max-bytes=4M",
               "no-code no-host environment hold reproducible journal-only min-free=1G", "memory=4K,waves=faulting,x",
               "registers=" + ":".join(f"s{i}" for i in range(56)) + " memory="
               + ":".join(f"{i:#x}+64" for i in range(16)))
    return {
        "core": {"fault": core_of(wavetape, kernels / "oob-load.json"),
                 **{"-".join(shape): planted(planted_core, kernels / "vecadd.co", *shape)
                    for shape in (("gfx1011", "64", "8", "16"), ("gfx1100", "32", "8", "0"), ("gfx1201", "32", "16", "0"))},
                 "odd/end": core_of(wavetape, kernels / "vecadd.json")},
        "code-object": {name: without_sections(data) for name, data in loaded.items()},
        # Nothing of the optimised structures is believed where the target stands, but they are gone through.
        "variables": {"odd/structs": (kernels / "structs.co").read_bytes(),
                      **{name: (kernels / f"{name}.co").read_bytes()
                         for name in ("structs-O0", "structs-gfx90a-O0", "recursion-gfx90a", "life", "frames")}},
        "way": {name: recorded(wavetape, kernels / f"{name}.json") for name in ("oob-store", "oob-store-O0", "debug-trap")},
        "metadata": {name: metadata_of(data) for name, data in loaded.items()},
        "workload": {name: (kernels / f"{name}.json").read_bytes() for name in names},
        "options": {f"words-{i}" if "memory=0x" in words else f"odd/words-{i}": words.encode()
                    for i, words in enumerate(options)},
    }


def editor_inputs():
    """What editors ask, a request in each line; a line that is none is sent as it is."""
    begin = [("initialize", {"adapterID": "x", "supportsVariableType": True, "supportsInvalidatedEvent": True}), ("launch", {"stop": 2}),
             ("configurationDone", {}), ("threads", {}), ("stackTrace", {"threadId": 3, "startFrame": 0, "levels": 20}),
             ("scopes", {"frameId": 1})]
    walks = [("stepBack", {"threadId": 3}), ("stackTrace", {"threadId": 3}), ("scopes", {"frameId": 1}),
             ("variables", {"variablesReference": 1}), ("next", {"threadId": 3}), ("wavetape/stepBackOut", {"threadId": 3}),
             ("setBreakpoints", {"source": {"path": "tests/kernels/oob-store.c"}, "breakpoints": [{"line": 16, "condition": "i == 3 in lane 3"}]}),
             ("setFunctionBreakpoints", {"breakpoints": [{"name": "oob_store"}]}),
             ("setInstructionBreakpoints", {"breakpoints": [{"instructionReference": "0x200000001de8", "offset": -8}]}),
             ("dataBreakpointInfo", {"variablesReference": 2, "name": "index"}), ("setDataBreakpoints", {"breakpoints": [{"dataId": "index in lane 5"}]}),
             ("reverseContinue", {"threadId": 3}), ("continue", {"threadId": 3}), ("wavetape/goPosition", {"threadId": 3, "position": 100}),
             ("wavetape/lastWrite", {"threadId": 3, "name": "v2", "go": True}), ("wavetape/firstRead", {"threadId": 3, "name": "0x210000000000:8"}),
             ("gotoTargets", {"source": {"path": "oob-store.c"}, "line": 16}), ("goto", {"threadId": 3, "targetId": 1}),
             ("breakpointLocations", {"source": {"path": "oob-store.c"}, "line": 1, "endLine": 99}), ("wavetape/way", {"threadId": 3})]
    looks = [("variables", {"variablesReference": reference, "start": 0, "count": 9}) for reference in range(1, 12)]
    looks += [("evaluate", {"expression": "out[i]", "frameId": 1, "context": "hover"}), ("evaluate", {"expression": "explain", "context": "repl"}),
              ("readMemory", {"memoryReference": "private_lane:3:5:0x20", "offset": 4, "count": 64}),
              ("readMemory", {"memoryReference": "0x210000000ff0", "count": 64}), ("setVariable", {"variablesReference": 3, "name": "focus", "value": "7"}),
              ("disassemble", {"memoryReference": "0x200000001de8", "instructionOffset": -9, "instructionCount": 20}),
              ("source", {"sourceReference": 1, "source": {"path": "x"}}), ("modules", {"startModule": 0, "moduleCount": 1}),
              ("exceptionInfo", {"threadId": 3}), ("completions", {"text": "in", "column": 3, "frameId": 1}), ("loadedSources", {}),
              ("wavetape/stops", {}), ("wavetape/goStop", {"stop": 1}), ("restart", {"arguments": {"stop": 2}}), ("cancel", {"requestId": 3}),
              ("disconnect", {})]
    for name, requests in (("looks", begin + looks), ("walks", begin + walks)):
        yield name, b"".join(json.dumps({"seq": number, "type": "request", "command": command, "arguments": arguments}).encode() + b"\n"
                             for number, (command, arguments) in enumerate(requests, 1))
    yield "bytes", b"Content-Length: 3\r\n" + b"\n" + begin_line(begin[0]) + b"Content-Length: 99999999999\r\n\n" + begin_line(begin[1])


def begin_line(request):
    return json.dumps({"seq": 1, "type": "request", "command": request[0], "arguments": request[1]}).encode() + b"\n"


def are_numbered(raw):
    """Whether names are numbered one after the other: all packets are in one chunk here, which is damaged if not."""
    count = 0
    try:
        for _, packet in fields(raw):
            for names in dict_of(packet).get(NAMES, []):
                names = dict_of(names)
                if names.get(1) != [count + 1]:
                    return False
                count += len(names.get(2, []))
    except (IndexError, TypeError):  # what is no packet
        return False
    return True


class Vectors:
    """Parts of the test vectors; what is no whole trace, or is in none, is odd."""

    def __init__(self, directory):
        self.inputs = {"header": {}, "chunk": {}, "index": {}, "blocks": {}}
        self.bodies = {}
        self.seen = set()
        named = {path.stem: path for path in sorted(directory.glob("*.wtape")) if not path.stem.startswith("recorded-")}
        for path in named.values():
            meaning = json.loads(path.with_suffix(".json").read_bytes())
            self.moments = meaning.get("check", {}).get("moments", {"count": 0, "lost": 0})
            self.whole = meaning["exit"] == 0
            self.take(path.stem, path.read_bytes(), meaning)

    def put(self, target, name, data, fits, alike):
        """One of those that are alike is enough; a whole trace's is taken where there is one."""
        if (target, alike) not in self.seen:
            self.seen.add((target, alike))
            self.inputs[target][name if fits else f"odd/{name}"] = data

    def take(self, name, file, meaning):
        if len(file) <= VECTOR_SIZE:
            self.put("blocks", name, file, self.moments["count"] > 0, name)
        for number, (kind, head, payload) in enumerate(blocks(file)):
            place = f"{name}-{number}"
            self.put("header", place, head, self.whole, (self.whole, head[16:20], head[48 + 16:48 + 32] * (kind in (1, 5))))
            if kind == 2:
                first, count = struct.unpack_from("<I", head, 48 + 32)[0], struct.unpack_from("<I", head, 48 + 56)[0]
                self.put("chunk", place, head[48:112] + payload, self.whole and first + count > 0, head[48:112] + payload)
            elif kind in (3, 4):
                self.put("index", place, payload, self.whole, (self.whole, kind, len(payload)))
        done = subprocess.run(["zstd", "-dcq"], input=file, capture_output=True, check=False)
        if not done.returncode and len(done.stdout) <= BODY_SIZE and done.stdout not in self.bodies.values():
            fits = meaning.get("check", {}).get("stops") and not self.moments["lost"] and are_numbered(done.stdout)
            self.bodies[name if fits else f"odd/{name}"] = done.stdout


def bodies_of(files, golden):
    """What small traces and golden ones decompress to."""
    bodies = {name: unpack(files[name]) for name in ("closed", "changes", "ring", "part")}
    assert changes_of(bodies["changes"]) == CHANGES, changes_of(bodies["changes"])
    header = join([next(packets(bodies["closed"]))])
    bodies["odd/header"] = header
    bodies["odd/half"] = bodies["closed"][: len(bodies["closed"]) // 2]
    # Of later versions: bodies of other kinds, and packets without one.
    bodies["later"] = header + join([(13, b"ab"), (20, b"cd")]) + b"\x0a\0" + bodies["part"]
    clients = {}
    for path in golden:
        raw = unpack(path.read_bytes())
        clients[path.stem] = join(thin(raw))
        assert changes_of(raw) == changes_of(clients[path.stem]), path
    first = next(iter(clients.values()))
    return bodies, {**clients, "odd/half": first[: len(first) // 2]}


def main():
    program, wavetape, planted_core, kernels, vectors, *golden, dependencies, target = sys.argv[1:]
    # The directory, too: it changes when there is one more.
    read = [vectors, *sorted(map(str, pathlib.Path(vectors).glob("*.wtape")))]
    text = " ".join(path.replace(" ", r"\ ") for path in read)
    pathlib.Path(dependencies).write_text(f"{target}: {text}\n", encoding="utf-8")
    target = pathlib.Path(target)
    files = seeds(program)
    closed = files["closed"]
    bodies, clients = bodies_of(files, [pathlib.Path(path) for path in golden])
    vectors = Vectors(pathlib.Path(vectors))
    # No client of theirs has a process to attach to.
    replayed = {f"odd/{pathlib.Path(name).name}": body for name, body in bodies.items()}
    bodies.update(vectors.bodies)
    corpus = {
        **parts(closed),
        "blocks": {**{name: without_reserve(file) for name, file in files.items()},
                   "cut": closed[: len(closed) * 2 // 3 // 128 * 128], "no-footer": closed[:-128],
                   "odd/head": closed[:256], "odd/text": b"not a trace\n" * 30},
        "packets": {**bodies, **clients},
        "rewrite": {**bodies, **clients},
        "replay": {name: bytes(range(8)) + body for name, body in {**replayed, **vectors.bodies, **clients}.items()},
        **program_inputs(wavetape, planted_core, pathlib.Path(kernels)),
        "driver": driver_inputs.make(),
        "dap": dict(editor_inputs()),
    }
    for folder, inputs in vectors.inputs.items():
        corpus[folder].update(inputs)
    for folder, inputs in corpus.items():
        shutil.rmtree(target / folder, ignore_errors=True)
        (target / folder / "odd").mkdir(parents=True)
        for name, data in inputs.items():
            (target / folder / name).write_bytes(data)
    (target / "traces").mkdir(exist_ok=True)
    subprocess.run([wavetape, "record", "-o", target / "traces/fault.wtape", "--workload", pathlib.Path(kernels) / "oob-store-O0.json"],
                   check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
