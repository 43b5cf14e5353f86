"""What it costs when there is more of it: waves, stops, bytes. A part of tests/bench/run.

A row is as many waves, stops or megabytes as its first column says; times are of the processor, of whole processes, so that what
else the machine does counts little; memory is the most that the process had. The line below the last two rows has for each
column by which power of the first one it grew between them: 1.00 is linearly, 2.00 with the square.
"""

import json
import math
import os
import shutil
import subprocess
import time

WAVES = (16, 256, 4096, 9728, 16000)
STOPS = (1, 1000, 100000)
MEGABYTES = (1, 100, 1000, 4000)
FULL_GPU = 9728
LOOKED_AT = 4096

# More than this is said to grow faster than linearly. What is short is mostly the start of a process, and grows less.
LINEAR = 1.3
# A run that takes longer is not made again.
LONG = 2.0


def once(command, environment):
    """Of a whole process: seconds of the processor, MB, its output."""
    with subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def cost(command, environment=None):
    """The least of three runs; of one where it takes long."""
    best = once(command, environment)
    for _ in range(2):
        if best[0] < LONG:
            best = min(best, once(command, environment), key=lambda run: run[0])
    return best


class Table:
    """Rows of numbers with their growth below."""

    def __init__(self, first, columns):
        self.columns = columns
        self.widths = [max(9, len(name) + 2) for name in columns]
        self.rows = []
        print(f"{first:>9}" + "".join(f"{name:>{width}}" for name, width in zip(columns, self.widths)))

    def add(self, amount, values):
        self.rows.append((amount, values))
        print(f"{amount:>9}" + "".join(f"{value:>{width}.{0 if value >= 100 else 1}f}"
                                       for value, width in zip(values, self.widths)), flush=True)

    def end(self):
        (before, old), (after, new) = self.rows[-2:]
        powers = [math.log(b / a) / math.log(after / before) if a > 0 and b > 0 else 0 for a, b in zip(old, new)]
        print(f"{'growth':>9}" + "".join(f"{power:>{width}.2f}" for power, width in zip(powers, self.widths)))
        worse = [name for name, power in zip(self.columns, powers) if power > LINEAR]
        print("faster than linearly: " + (", ".join(worse) if worse else "nothing") + "\n")


def recording(bench, trace, workload, options="sync=none"):
    return bench.environment({"WAVETAPE_WORKLOAD": workload, "WAVETAPE_TRACE": trace, "WAVETAPE_DBGAPI": bench.simulated,
                              "WAVETAPE_OPTIONS": options})


def record(bench, trace, workload, steps, options="sync=none"):
    """A session alone and recorded: seconds alone, seconds added, MB added, what the recorded one printed."""
    environment = recording(bench, trace, workload, options)
    alone, memory, _ = cost([bench.program, "steps", bench.simulated, steps], environment)
    trace.unlink(missing_ok=True)
    recorded, more, output = cost([bench.program, "steps", bench.recording, steps], environment)
    return alone, recorded - alone, more - memory, json.loads(output)


def verbs(bench, trace, commands):
    """Milliseconds and MB of each verb."""
    values = []
    for command in commands:
        seconds, memory, _ = cost([bench.wavetape, *command, trace])
        values += [1e3 * seconds, memory]
    return values


def with_memory(names):
    return [column for name in names for column in (f"{name} ms", "MB")]


def measure_waves(bench):
    print("Waves, which all stand at a trap; the recording: what it adds to one stop\n")
    commands = [["info"], ["stops"], ["waves"], ["registers"], ["memory"], ["verify"]]
    table = Table("waves", ["alone ms", "added ms", "added MB", "trace KiB"] + with_memory(command[0] for command in commands))
    for waves in WAVES:
        trace = bench.directory / "waves.wtape"
        alone, added, memory, _ = record(bench, trace, bench.workload(waves), 0)
        table.add(waves, [1e3 * alone, 1e3 * added, memory, trace.stat().st_size / 1024] + verbs(bench, trace, commands[:4])
                  + kernel_arguments(bench, trace) + verbs(bench, trace, commands[5:]))
    table.end()


def kernel_arguments(bench, trace):
    seconds, memory, _ = cost([bench.wavetape, "memory", trace, "0x220000000000", "64"])
    return [1e3 * seconds, memory]


def one_wave(bench):
    path = bench.workload(1)
    described = json.loads(path.read_text(encoding="utf-8"))
    described["dispatches"][0]["arguments"][1] = {"u32": 100 * max(STOPS)}
    path.write_text(json.dumps(described), encoding="utf-8")
    return path


def measure_stops(bench):
    print("Stops of one wave after each step; then what is asked of the last stop, and of one in the middle\n")
    workload, trace = one_wave(bench), bench.directory / "growth.wtape"
    table = Table("stops", ["alone ms", "added ms", "added MB", "trace KiB"]
                  + with_memory(("info", "stops", "waves", "middle", "registers", "verify")))
    for stops in STOPS:
        alone, added, memory, _ = record(bench, trace, workload, stops - 1)
        middle = ["waves", "--stop", str(max(1, stops // 2))]
        commands = [["info"], ["stops"], ["waves"], middle, ["registers"], ["verify"]]
        table.add(stops, [1e3 * alone, 1e3 * added, memory, trace.stat().st_size / 1024] + verbs(bench, trace, commands))
    table.end()
    trace.unlink()


def measure_bytes(bench):
    print("Bytes: states of 1 MB that cannot be compressed\n")
    trace = bench.directory / "growth.wtape"
    table = Table("MB", ["write ms", "MB", "open us", "a stop ms", "MB"] + with_memory(("info", "stops", "waves", "check")))
    for size in MEGABYTES:
        if shutil.disk_usage(bench.directory).free < 3e6 * size:
            print(f"Left out: {size} MB, there is not three times as much room in {bench.directory}")
            break
        written, memory, _ = once([bench.container, "grow", trace, size], None)
        opened = bench.run(bench.container, "open", trace)
        table.add(size, [1e3 * written, memory, opened["open"] / 1e3, opened["seek"] / 1e6, opened["seek_kb"] / 1024]
                  + verbs(bench, trace, [["info"], ["stops"], ["waves"], ["check"]]))
        trace.unlink()
    table.end()


def full(bench, waves):
    """So many waves with 128 KiB of registers each; a queue runs four workgroups of four at a time."""
    path = bench.directory / "full.json"
    queues = waves // 16
    path.write_text(json.dumps({
        "architecture": "gfx942", "code_objects": [str(bench.build / "tests/bench/full.co")], "queues": [{}] * queues,
        "buffers": {f"{name}{queue}": {"bytes": 4096, "fill": {"iota": {"type": "f32", "start": queue + 0.5, "step": 0.731}}}
                    for queue in range(queues) for name in "ab"},
        "dispatches": [{"kernel": "full", "grid": [1024, 1, 1], "workgroup": [256, 1, 1], "queue": queue,
                        "arguments": [{"buffer": f"a{queue}"}, {"buffer": f"b{queue}"}, {"u32": 1}]} for queue in range(queues)],
    }), encoding="utf-8")
    return path


def compressed(bench, trace):
    """What zstd -1 makes of the state of a trace, in one piece: seconds of the clock and of the processor, MB, MB before."""
    dump, small = bench.directory / "gpu.dump", bench.directory / "gpu.zst"
    bench.run(bench.program, "dump", trace, dump)
    begin = time.perf_counter()
    seconds, _, _ = once(["zstd", "-1", "-q", "-f", "--single-thread", dump, "-o", small], None)
    took = time.perf_counter() - begin
    sizes = [path.stat().st_size / 1e6 for path in (small, dump)]
    small.unlink()
    dump.unlink()
    return took, seconds, *sizes


def measure_gpu(bench):
    """The clock counts here, too: it is how long the program stands still."""
    print(f"A full GPU: {FULL_GPU} waves that all stop, with few registers each, and with 128 KiB (1.2 GB). What recording adds to the\n"
          "first stop; beside it what zstd -1 takes for the recorded state as one file, without asking for it\n")
    print(f"{'registers':<22} {'clock':>9} {'processor':>11} {'memory':>9} {'trace':>9}   {'zstd -1':>9} {'processor':>11}"
          f" {'of':>8} {'to':>9}  trace/zstd")
    trace = bench.directory / "gpu.wtape"
    for name, workload, options in (
            ("few, default policy", bench.workload(FULL_GPU), "sync=none"),
            ("512, default policy", full(bench, FULL_GPU), "sync=none"),
            ("512, of all waves", full(bench, FULL_GPU), "sync=none,waves=all,max-memory=3G")):
        environment = recording(bench, trace, workload, options)
        runs = []
        for library in (bench.simulated, bench.recording):
            trace.unlink(missing_ok=True)
            seconds, memory, output = once([bench.program, "steps", library, 0], environment)
            runs.append((json.loads(output)["first"], seconds, memory))
        first, processor, memory = (recorded - alone for alone, recorded in zip(*runs))
        size = trace.stat().st_size / 1e6
        took, spent, small, raw = compressed(bench, trace)
        print(f"{name:<22} {first / 1e6:>6.0f} ms {1e3 * processor:>8.0f} ms {memory:>6.0f} MB {size:>6.1f} MB   {1e3 * took:>6.0f} ms "
              f"{1e3 * spent:>8.0f} ms {raw:>5.0f} MB {small:>6.1f} MB {size / small:>11.2f}", flush=True)
    trace.unlink()


def measure_verify(bench):
    """Each call of a journal is made twice: in step, and from state. The last two are steps: of one wave, and of 64 at once."""
    trace = bench.directory / "verify.wtape"
    print(f"verify{'calls':>17}{'ms':>8}{'MB':>6}{'calls/s':>12}")
    for name, waves, *steps in (("row", 64), ("calls", 64), ("callbacks", 64), ("steps", 1, 20000), ("steps", 64, 200)):
        trace.unlink(missing_ok=True)
        workload = one_wave(bench) if waves == 1 else bench.workload(waves)
        subprocess.run([str(word) for word in (bench.program, name, bench.recording, *steps)],
                       env=recording(bench, trace, workload), check=True, stdout=subprocess.DEVNULL)
        seconds, memory, output = cost([bench.wavetape, "verify", "--json", trace])
        report = json.loads(output)
        calls = report["calls"] + report["from_state"]["calls"]
        title = f"{name} {waves}" if steps else name
        print(f"{title:<10}{calls:>13}{1e3 * seconds:>8.0f}{memory:>6.0f}{calls / seconds:>12.0f}", flush=True)
    trace.unlink()
    print()


def measure_looking(bench):
    """One wave of very many: what is not shown is not read."""
    trace = bench.directory / "full.wtape"
    trace.unlink(missing_ok=True)
    once([bench.program, "steps", bench.recording, 0],
         recording(bench, trace, full(bench, LOOKED_AT), "sync=none,waves=all,max-memory=16G"))
    print(f"{LOOKED_AT} waves with 128 KiB of registers each")
    for verb in ("info", "waves", "registers", "memory", "disassemble", "backtrace", "locals", "explain"):
        seconds, memory, _ = cost([bench.wavetape, verb, trace])
        print(f"{verb:<14}{1e3 * seconds:>8.0f} ms{memory:>6.0f} MB", flush=True)
    trace.unlink()
    print()


def measure(bench):
    measure_verify(bench)
    measure_looking(bench)
    measure_waves(bench)
    measure_stops(bench)
    measure_bytes(bench)
    measure_gpu(bench)
