# SPDX-License-Identifier: MIT
"""info agents, info queues, info dispatches and info lanes, in GDBs that do not have them.

The columns are those of AMD's GDB, so that what reads them there reads them here.
"""

import gdb

from wavetape_gdb import console, dbgapi, threads

QUEUE_TYPES = {0x001: "HSA", 0x101: "PM4", 0x201: "DMA", 0x202: "XGMI"}
FENCES = {0: "", 1: "Agent", 2: "System"}


def ask(kind, handle, *queries):
    return [dbgapi.get(kind, handle, query) for query in queries]


def text(value, form="{}"):
    return "?" if value is None else form.format(value)


def numbers(values):
    return "?" if values is None else "[" + ",".join(map(str, values)) + "]"


def of_selected(kind):
    """The object of a kind that the selected wave belongs to; 0 if none is selected."""
    wave = threads.wave_of(threads.selected())
    return dbgapi.get("wave", wave, kind) if wave else 0


def print_table(heads, rows, marked):
    """Columns as wide as what is in them; numbers of objects are those of the library."""
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    for row, mark in [(heads, False), *zip(rows, marked)]:
        line = " ".join(cell.ljust(width) for cell, width in zip(row, widths))
        gdb.write(f"{'*' if mark else ' '} {line.rstrip()}\n")


def name_of_function(address):
    if address is None:
        return "?"
    symbol = console.text(f"info symbol {address:#x}")
    return f"{address:#x}" if symbol.startswith("No symbol") else symbol.split(" in section ")[0]


class Info(gdb.Command):
    """A list of what the library has of a kind."""

    name = kind = ""

    def __init__(self):
        super().__init__(f"info {self.name}", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if argument.strip():
            raise gdb.GdbError(f"`info {self.name}` takes no argument here.")
        if not threads.is_alive():
            raise gdb.GdbError("The program is not being run.")
        self.show()

    def show(self):
        handles = dbgapi.library().list(self.kind)
        if not handles:
            gdb.write(f"No {self.name}.\n")
            return
        current = of_selected(self.kind.upper())
        print_table(self.heads, [self.row(handle) for handle in handles],
                    [handle == current for handle in handles])


class InfoAgents(Info):
    """Show the GPUs of the program."""

    name, kind = "agents", "agent"
    heads = ["Id", "State", "Target Id", "Architecture", "Device Name", "Cores", "Threads", "Location"]

    def row(self, handle):
        state, os_id, architecture, device, units, waves, domain, slot = ask(
            "agent", handle, "STATE", "OS_ID", "ARCHITECTURE", "NAME", "EXECUTION_UNIT_COUNT",
            "MAX_WAVES_PER_EXECUTION_UNIT", "PCI_DOMAIN", "PCI_SLOT")
        location = "?" if slot is None else f"{domain or 0:04x}:{slot >> 8:02x}:{slot >> 3 & 31:02x}.{slot & 7}"
        return [str(handle), {1: "A", 2: "U"}.get(state, "?"), f"AMDGPU Agent (GPUID {text(os_id)})",
                text(architecture and dbgapi.get("architecture", architecture, "NAME")), text(device), text(units),
                text(None if None in (units, waves) else units * waves), location]


class InfoQueues(Info):
    """Show the queues of the GPUs."""

    name, kind = "queues", "queue"
    heads = ["Id", "Target Id", "Type", "Read", "Write", "Size", "Address"]

    def row(self, handle):
        agent, os_id, kind, size, address = ask("queue", handle, "AGENT", "OS_ID", "TYPE", "SIZE", "ADDRESS")
        read, written = dbgapi.library().packets(handle) or (None, None)
        return [str(handle), f"AMDGPU Queue {text(agent)}:{handle} (QID {text(os_id)})",
                QUEUE_TYPES.get(kind, "?"), text(read), text(written), text(size), text(address, "{:#018x}")]


class InfoDispatches(Info):
    """Show the dispatches that have waves: grid, workgroup, fences and kernel."""

    name, kind = "dispatches", "dispatch"
    heads = ["Id", "Target Id", "Grid", "Workgroup", "Fence", "Kernel Function"]

    def row(self, handle):
        agent, queue, packet, dimensions, grid, group, barrier, acquire, release, entry = ask(
            "dispatch", handle, "AGENT", "QUEUE", "OS_QUEUE_PACKET_ID", "GRID_DIMENSIONS", "GRID_SIZES",
            "WORKGROUP_SIZES", "BARRIER", "ACQUIRE_FENCE", "RELEASE_FENCE", "KERNEL_CODE_ENTRY_ADDRESS")
        fences = ["B"] if barrier else []
        fences += [f"A{FENCES[acquire][:1].lower()}"] if acquire in (1, 2) else []
        fences += [f"R{FENCES[release][:1].lower()}"] if release in (1, 2) else []
        return [str(handle), f"AMDGPU Dispatch {text(agent)}:{text(queue)}:{handle} (PKID {text(packet)})",
                numbers(grid and grid[:dimensions]), numbers(group and group[:dimensions]), "|".join(fences),
                name_of_function(entry)]


class InfoLanes(Info):
    """Show the lanes of the selected wave: which of them take part, their work-items, and where the wave is."""

    name, kind = "lanes", "wave"
    heads = ["Id", "State", "Target Id", "Frame"]

    def show(self):
        wave = threads.wave_of(threads.selected())
        if not wave:
            raise gdb.GdbError("No wave is selected: `thread N` selects one.")
        count, exec_mask, dispatch, group, number = ask("wave", wave, "LANE_COUNT", "EXEC_MASK", "DISPATCH",
                                                        "WORKGROUP_COORD", "WAVE_NUMBER_IN_WORKGROUP")
        if count is None or exec_mask is None:
            raise gdb.GdbError("The lanes of this wave are not known: it ran on when the stop was recorded.")
        agent, queue = ask("wave", wave, "AGENT", "QUEUE")
        sizes = dispatch and dbgapi.get("dispatch", dispatch, "WORKGROUP_SIZES")
        frame = name_of_function(dbgapi.get("wave", wave, "PC"))
        coordinates = "(?)" if group is None else f"({group[0]},{group[1]},{group[2]})"
        rows = []
        for lane in range(count):
            item = self.work_item(sizes, number, count, lane)
            rows.append([str(lane), "A" if exec_mask >> lane & 1 else "I",
                         f"AMDGPU Lane {text(agent)}:{text(queue)}:{text(dispatch)}:{wave}/{lane} {coordinates}{item}",
                         frame])
        print_table(self.heads, rows, [False] * count)

    @staticmethod
    def work_item(sizes, number, count, lane):
        """Where a lane is in its workgroup: x counts up first."""
        if not sizes or number is None or not all(sizes):
            return "[?]"
        flat = number * count + lane
        return f"[{flat % sizes[0]},{flat // sizes[0] % sizes[1]},{flat // sizes[0] // sizes[1]}]"


def is_there(command):
    try:
        gdb.execute(f"help {command}", to_string=True)
        return True
    except gdb.error:
        return False


def define():
    for command in InfoAgents, InfoQueues, InfoDispatches, InfoLanes:
        if not is_there(f"info {command.name}"):
            command()
