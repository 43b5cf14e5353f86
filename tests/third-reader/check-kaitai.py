# SPDX-License-Identifier: MIT
"""trace-format/wtape.ksy, the description for Kaitai Struct: what it reads of whole traces is what the second reader reads."""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "end-to-end"), str(HERE.parent / "second-reader")]

import support  # noqa: E402: these lie beside the other tests

# Tools of this test alone, at the versions that it was made with.
MODULES = ("kaitai-struct@0.11.0", "kaitai-struct-compiler@0.11.0", "js-yaml@4.1.0")
CHUNK_FIELDS = {
    "rawLength": "raw", "firstPacket": "first_packet", "firstCall": "first_call", "firstBlob": "first_blob",
    "firstName": "first_name", "firstMoment": "first_moment", "keyframe": "keyframe", "packetCount": "packets",
    "callCount": "calls", "blobCount": "blobs", "nameCount": "names", "momentCount": "moments", "contents": "contents"}


def install_modules():
    """The folder of modules, fetched once for a build directory."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise support.unittest.SkipTest("npm is not there, which has the compiler of such descriptions")
    place = support.TREE.build / "tests/third-reader/npm"
    modules = place / "node_modules"
    if not all((modules / name.rpartition("@")[0] / "package.json").exists() for name in MODULES):
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([npm, "install", "--no-audit", "--no-fund", "--prefix", place, *MODULES], capture_output=True,
                              check=False, text=True, timeout=120)
        if done.returncode:
            raise support.unittest.SkipTest(f"npm cannot fetch {', '.join(MODULES)}: {done.stderr.strip()[-200:]}")
    return node, modules


class Kaitai(support.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.node, cls.modules = install_modules()
        # Where protoc put trace_pb2.py for the second reader.
        sys.path.insert(0, str(support.TREE.build / "tests/second-reader"))

    def read(self, *files):
        done = subprocess.run([self.node, HERE / "read-blocks.js", self.modules, support.TREE.source / "trace-format/wtape.ksy", *files],
                              capture_output=True, check=False, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_whole_traces(self):
        import container

        vectors = support.TREE.source / "tests/vectors"
        whole = [path.with_suffix(".wtape") for path in sorted(vectors.glob("*.json"))
                 if json.loads(path.read_text("utf-8"))["exit"] == 0]
        files = [*whole, *sorted((support.TREE.source / "tests/golden").glob("*.wtape"))]
        self.assertGreater(len(files), 60)
        kinds = set()
        for path, blocks in zip(files, self.read(*files), strict=True):
            with self.subTest(trace=path.name):
                kinds |= self.compare(path.read_bytes(), blocks, container)
        self.assertGreaterEqual(kinds, {container.FILE, container.CHUNK, container.INDEX, container.FINAL, container.FOOTER})

    def compare(self, data, blocks, container):
        reader = container.Container(data)
        offset = 0
        for block in blocks:
            head = reader.head_at(offset)
            self.assertIsNotNone(head, offset)
            self.assertEqual(
                (block["offset"], block["kind"], block["frameLength"], block["sequence"], block["payloadLength"], block["fileIdLow"],
                 block["newestIndex"], block["payloadChecksum"], block["headChecksum"],
                 block["flags"]["required"], block["flags"]["isInline"]),
                (offset, head.kind, head.frame, head.sequence, head.stored, head.file_id, head.index, head.payload_crc, head.crc,
                 bool(head.flags & container.REQUIRED), bool(head.flags & container.INLINE)))
            if head.kind == container.CHUNK:
                self.compare_fields(block["fields"], container.ChunkFields(head.fields))
                self.assertEqual(block["zstd_bytes"], head.stored)
            if head.kind == container.FINAL:
                self.compare_final(block["sections"], reader)
            offset = head.end
        self.assertEqual(offset, len(data))
        return {block["kind"] for block in blocks}

    def compare_fields(self, said, fields):
        self.assertEqual({CHUNK_FIELDS[name]: value for name, value in said.items()}, vars(fields))

    def compare_final(self, sections, reader):
        entries = [entry for section in sections for entry in section.get("entries", ())]
        self.assertEqual(len(entries), len(reader.chunks))
        for entry, chunk in zip(entries, reader.chunks):
            self.assertEqual((entry["offset"], entry["sequence"], entry["payloadLength"], entry["payloadChecksum"]),
                             (chunk.offset, chunk.sequence, chunk.stored, chunk.payload_crc))
            self.compare_fields(entry["fields"], chunk.fields)
        repeated = [packet for section in sections for packet in section.get("packets", ())]
        self.assertEqual([packet["bytes"] for packet in repeated], list(self.lengths(reader)))

    def lengths(self, reader):
        """The bytes of each body that FINAL repeats."""
        import wire

        for _, raw in reader.repeated[-1:]:
            for packet in wire.split_packets(raw):
                _, body = wire.find_body(packet)
                yield len(body)

    def test_what_is_no_trace(self):
        path = self.directory / "no.wtape"
        path.write_bytes(b"no trace at all" * 20)
        done = subprocess.run([self.node, HERE / "read-blocks.js", self.modules, support.TREE.source / "trace-format/wtape.ksy", path],
                              capture_output=True, check=False, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("ValidationNotEqualError", done.stderr)


if __name__ == "__main__":
    support.main(__doc__)
