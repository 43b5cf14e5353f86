# SPDX-License-Identifier: MIT
"""Buffers that are handed on as files: what runtimes of ROCm 6 do to map virtual memory, and to share memory.

Usage: test_shared.py WAVETAPE
"""

import ctypes
import errno
import mmap
import os

from driver import BARRIER_AND, PAGE, SYSTEM, ProgramCase, ioctl, kfd, main, wire

AT_VALUE = 8  # of a signal
BUFFER_BYTES = 4 * PAGE
MAPPED_AT = 0x310000000000
# Calls of a render node, as libdrm_amdgpu makes them.
GEM_CLOSE, PRIME_FD_TO_HANDLE, GEM_MMAP, GEM_VA = 0x09, 0x2E, 0x41, 0x48
VA_MAP, VA_UNMAP, VA_ALL = 1, 2, 0xE  # read, write, execute


class Prime(ctypes.Structure):
    _fields_ = [("handle", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("file", ctypes.c_int32)]


class Va(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("handle", "padding", "operation", "flags")] + [
        (name, ctypes.c_uint64) for name in ("address", "offset", "size")]


class Shared(ProgramCase):
    def setUp(self):
        super().setUp()
        self.program.acquire()
        self.queue = self.program.queue()

    def allocate(self):
        """Memory without an address, as for virtual memory. Return: its handle."""
        return self.program.must("allocate_memory", kfd.allocate_memory(
            size=BUFFER_BYTES, gpu_id=self.program.gpu_id, flags=kfd.MEMORY_VRAM | kfd.MEMORY_WRITABLE)).handle

    def export(self, handle):
        """Return: the result, and the file."""
        argument = kfd.export_dmabuf(handle=handle)
        self.program.thread.send(ioctl("K", kfd.EXPORT_DMABUF, ctypes.sizeof(argument)), argument)
        answer, file = self.program.thread.receive()
        self.assertEqual(answer.file_at, 0 if file is None else kfd.export_dmabuf.file.offset)
        return answer.result, file

    def export_new(self):
        """Return: the handle of a buffer, and its file, which ends with the test."""
        handle = self.allocate()
        result, file = self.export(handle)
        self.assertEqual(result, 0)
        self.addCleanup(os.close, file)
        return handle, file

    def import_object(self, file):
        prime = Prime(file=file)
        self.assertEqual(self.program.render(PRIME_FD_TO_HANDLE, prime), 0)
        return prime.handle

    def close_object(self, handle):
        return self.program.render(GEM_CLOSE, (ctypes.c_uint32 * 2)(handle))

    def place(self, handle, operation, offset, size):
        return self.program.render(GEM_VA, Va(handle, 0, operation, VA_ALL, MAPPED_AT, offset, size))

    def signal_by_device(self):
        """The device decrements a signal where the buffer is mapped, when a packet is done."""
        self.queue.packet().put(56, MAPPED_AT, 8)
        self.queue.submit(BARRIER_AND | SYSTEM)
        self.assertTrue(self.queue.wait(self.queue.written))

    def info(self, file):
        info = kfd.get_dmabuf_info(file=file)
        return self.program.call("get_dmabuf_info", info), info

    def test_buffer_is_mapped_where_it_is_wanted(self):
        _, file = self.export_new()
        self.assertEqual(os.fstat(file).st_size, BUFFER_BYTES)
        # Bytes would be others than the device's.
        self.assertRaises(OSError, mmap.mmap, file, PAGE, mmap.MAP_SHARED, mmap.PROT_READ)
        handle = self.import_object(file)
        self.assertEqual(self.import_object(file), handle)
        offset = ctypes.c_uint64(handle)
        self.assertEqual(self.program.render(GEM_MMAP, offset), 0)
        with mmap.mmap(self.program.anchor.files[wire.RENDER], BUFFER_BYTES, offset=offset.value) as data:
            def value(at):
                return int.from_bytes(data[at + AT_VALUE : at + AT_VALUE + 8], "little", signed=True)

            data[PAGE + AT_VALUE] = 5
            # The second page of it.
            self.assertEqual(self.place(handle, VA_MAP, PAGE, 2 * PAGE), 0)
            self.signal_by_device()
            self.assertEqual(value(PAGE), 4)
            # There is something now; and it goes as it came.
            self.assertEqual([self.place(handle, *what) for what in ((VA_MAP, PAGE, 2 * PAGE), (VA_UNMAP, 0, 2 * PAGE), (VA_UNMAP, 0, 2 * PAGE))],
                             [-errno.EINVAL, 0, -errno.ENOENT])
            # Elsewhere in it, at the same address.
            self.assertEqual(self.place(handle, VA_MAP, 0, PAGE), 0)
            self.signal_by_device()
            self.assertEqual((value(PAGE), value(0)), (4, -1))

    def test_what_is_no_buffer_is_refused(self):
        anchor = self.program.anchor.socket.fileno()
        self.assertEqual(self.export(12345), (-errno.EINVAL, None))
        for file in (anchor, -1):
            self.assertEqual(self.program.render(PRIME_FD_TO_HANDLE, Prime(file=file)), -errno.EBADF)
        self.assertEqual(self.info(anchor)[0], -errno.EINVAL)
        foreign = kfd.import_dmabuf(address=MAPPED_AT, gpu_id=self.program.gpu_id, file=9999)
        self.assertEqual(self.program.call("import_dmabuf", foreign), -errno.EINVAL)
        self.assertEqual(self.close_object(1), -errno.EINVAL)
        self.assertEqual(self.place(1, VA_MAP, 0, PAGE), -errno.ENOENT)
        handle = self.import_object(self.export_new()[1])
        for offset, size in ((PAGE // 2, PAGE), (0, BUFFER_BYTES + PAGE), (BUFFER_BYTES, PAGE), (2**64 - PAGE, 2 * PAGE), (0, 0), (0, 100)):
            self.assertEqual(self.place(handle, VA_MAP, offset, size), -errno.EINVAL)
        self.assertEqual(self.place(handle, 77, 0, PAGE), -errno.EINVAL)
        self.assertEqual(self.place(handle, VA_UNMAP, 0, PAGE), -errno.ENOENT)

    def test_buffer_is_there_as_long_as_it_is_used(self):
        """The allocation is freed while an object still has it, and the other way round."""
        def available():
            return self.program.must("available_memory", kfd.available_memory(gpu_id=self.program.gpu_id)).available

        before = available()
        handle, file = self.export_new()
        shared = self.import_object(file)
        self.assertEqual(self.place(shared, VA_MAP, 0, PAGE), 0)
        self.program.must("free_memory", kfd.free_memory(handle))
        self.signal_by_device()
        result, info = self.info(file)
        self.assertEqual((result, info.size, info.gpu_id), (0, BUFFER_BYTES, self.program.gpu_id))
        imported = self.program.must("import_dmabuf", kfd.import_dmabuf(address=MAPPED_AT + PAGE * 64, gpu_id=self.program.gpu_id, file=file))
        # Its mapping goes with it.
        self.assertEqual((self.close_object(shared), self.close_object(shared)), (0, -errno.EINVAL))
        self.assertEqual(available(), before - BUFFER_BYTES)
        self.program.must("free_memory", kfd.free_memory(imported.handle))
        self.assertEqual(available(), before)
        # The file stands for nothing now.
        self.assertEqual(self.info(file)[0], -errno.EINVAL)


if __name__ == "__main__":
    main(__doc__)
