# SPDX-License-Identifier: MIT
"""What ROCgdb asks of a library and upstream GDB does not, as its commands ask it: lanes, `info agents`, `info queues`, `info dispatches`, names
and positions of threads, locals by lane, address spaces, and what it saves into a core.

Each answer is a line of text, so that two sessions can be compared. What a command would end with is a status in that line.
"""

import ctypes

from .api import SUCCESS, number
from .session import take_array

# By the numbers that DWARF gives them.
DWARF_SPACES = range(8)
# Offsets in a lane's, a wave's and a workgroup's memory: of the first local of -O0 code, and beyond what there may be.
OFFSETS = (0, 8, 64, 1 << 20)


class RocGdb:
    def __init__(self, client, show=print):
        self.client, self.api, self.show = client, client.api, show

    def say(self, what, status, value=None):
        if isinstance(value, bytes):
            value = value.hex()
        self.show(f"{what}: {value if status == SUCCESS else self.api.status_name(status)}")
        return value if status == SUCCESS else None

    def ask(self, kind, handle, *names):
        for name in names or self.client.api.at.objects[kind][3]:
            self.say(f"{kind} {handle} {name}", *self.client.answer(kind, handle, name))

    def value(self, kind, handle, name):
        status, value = self.client.answer(kind, handle, name)
        return value if status == SUCCESS else None

    # ---- Commands ----

    def info_lists(self, process):
        """`info agents`, `info queues`, `info dispatches`: all of each."""
        for kind in self.client.lists(("agent", "queue", "dispatch", "workgroup")):
            handles = self.client.list(kind, process)
            self.show(f"{kind}s: {sorted(handles)}")
            for handle in sorted(handles):
                self.ask(kind, handle)
                if kind == "queue":
                    self.packets(handle)

    def packets(self, queue):
        """Their numbers, without their bytes."""
        first, last, size = number(), number(), number()
        self.say(f"queue {queue} packets", self.api.queue_packet_list(queue, first, last, size, None))
        self.show(f"  {first.value} {last.value} {size.value}")

    def info_threads(self, process):
        """Each wave's name and position: `$_wave_id`, `$_thread_workgroup_pos`, `$_dispatch_pos`, and where its cluster is."""
        waves = sorted(self.client.list("wave", process))
        self.show(f"waves: {waves}")
        for wave in waves:
            self.ask("wave", wave)
            for kind, queries in (("dispatch", ("KERNEL_CODE_ENTRY_ADDRESS", "GRID_SIZES", "WORKGROUP_SIZES")), ("workgroup", ()), ("cluster", ())):
                handle = self.value("wave", wave, kind.upper()) if kind.upper() in self.api.at.objects["wave"][3] else None
                if handle:
                    self.ask(kind, handle, *queries)

    def info_lanes(self, wave):
        """`info lanes`: where each is in its grid, and whether it is active; `$_lane_name`, `$_lane_workgroup_pos`."""
        lanes, active = self.value("wave", wave, "LANE_COUNT"), self.value("wave", wave, "EXEC_MASK")
        dispatch = self.value("wave", wave, "DISPATCH")
        group, inside = self.value("wave", wave, "WORKGROUP_COORD"), self.value("wave", wave, "WAVE_NUMBER_IN_WORKGROUP")
        grid = self.value("dispatch", dispatch, "GRID_SIZES") if dispatch else None
        sizes = self.value("dispatch", dispatch, "WORKGROUP_SIZES") if dispatch else None
        if None in (lanes, active, group, inside, grid, sizes):
            self.show(f"wave {wave} lanes: ?")
            return
        part = [min(size, whole - at * size) for at, size, whole in zip(group, sizes, grid)]
        for lane in (0, lanes - 1):
            flat = inside * lanes + lane
            place = flat % part[0], flat // part[0] % part[1], flat // (part[0] * part[1])
            self.show(f"wave {wave} lane {lane}: {'active' if active >> lane & 1 else 'inactive'} {group}{place}")

    def owned(self, function, process, *arguments):
        """A function of addresses, which newer levels tell the process, and all but the oldest give room for more."""
        parameters = self.api.at.functions[function][2]
        if parameters[0][0] == "process_id":
            arguments = process, *arguments
        return getattr(self.api, function)(*arguments[: len(parameters)])

    def address_spaces(self, process, wave):
        """Of an address in DWARF, and of each that is listed."""
        space, architecture = number(), self.value("wave", wave, "ARCHITECTURE")
        for dwarf in DWARF_SPACES:
            status = self.api.dwarf_address_space_to_address_space(architecture, dwarf, space)
            self.say(f"DWARF space {dwarf}", status, space.value)
        for handle in sorted(self.client.list("address_space", architecture)):
            self.ask("address_space", handle)
            depends = number(0, "u32")
            own = (wave,) if self.api.at.functions["address_dependency"][2][0][0] == "process_id" else ()
            status = self.owned("address_dependency", process, *own, handle, OFFSETS[1], depends)
            self.say(f"address space {handle} depends", status, depends.value)

    def locals_by_lane(self, process, wave):
        """`lane apply all`, with locals in private memory, in registers of a lane, and in local memory; and generic pointers."""
        architecture, lanes = self.value("wave", wave, "ARCHITECTURE"), self.value("wave", wave, "LANE_COUNT")
        if not architecture or not lanes:
            return
        spaces = sorted(self.client.list("address_space", architecture))
        for lane in (0, lanes - 1):
            for space in spaces:
                for offset in OFFSETS:
                    what = f"wave {wave} lane {lane} space {space} at {offset:#x}"
                    if space != self.client.global_space:
                        self.say(what, *self.client.read_memory(process, offset, 4, space, wave, lane))
                    self.convert(what, process, wave, lane, space, offset, spaces)
            self.lane_registers(wave, lane, lanes)

    def convert(self, what, process, wave, lane, space, offset, spaces):
        for other in spaces:
            address, length = number(), number()
            status = self.owned("convert_address_space", process, wave, lane, space, offset, other, address, length)
            self.say(f"{what} in {other}", status, (address.value, length.value))

    def lane_registers(self, wave, lane, lanes):
        for name in ("v0", "v1", "v255"):
            register = self.client.find_register(wave, name)
            size = self.value("register", register, "SIZE") if register else None
            if size and size >= lanes * 4:
                self.say(f"wave {wave} lane {lane} {name}", *self.client.read_register(wave, register, 4, 4 * lane))

    def fetch_registers(self, wave):
        """Every register of the architecture, of which a wave has a part."""
        count, array = number(), ctypes.c_void_p()
        architecture = self.value("wave", wave, "ARCHITECTURE")
        if not architecture or self.api.architecture_register_list(architecture, count, array) != SUCCESS:
            return
        for register in take_array(array.value, count.value):
            size = self.value("register", register, "SIZE")
            status, content = self.client.read_register(wave, register, size)
            if status != self.api.STATUS_ERROR_REGISTER_NOT_AVAILABLE:
                self.say(f"wave {wave} register {register}", status, content)

    def look(self, process, wave):
        """All of it, at a stop of a wave."""
        self.info_lists(process)
        self.info_threads(process)
        self.info_lanes(wave)
        self.address_spaces(process, wave)
        self.locals_by_lane(process, wave)
        self.fetch_registers(wave)
