// SPDX-License-Identifier: MIT
// Print the blocks of traces as the Kaitai description has them, one JSON line a file.
// Usage: node read-blocks.js MODULES DESCRIPTION FILE...
// MODULES is a node_modules with kaitai-struct, kaitai-struct-compiler and js-yaml.
"use strict";
const fs = require("fs");
const path = require("path");
const [modules, description, ...files] = process.argv.slice(2);
const load = (name) => require(path.join(modules, name));

// A class of values as plain objects: 64-bit numbers are doubles in this language, exact up to 2^53.
const KEPT = new Set(["_io", "_parent", "_root", "_is_le"]);
function plain(value) {
	if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
	if (Array.isArray(value)) return value.map(plain);
	if (value === null || typeof value !== "object") return value;
	const made = {};
	for (const [key, member] of Object.entries(value))
		if (!KEPT.has(key) && !key.startsWith("_")) made[key] = plain(member);
	return made;
}

function packetOf(packet) {
	const body = packet.body.field[packet.body.field.length - 1];
	return { number: body.number, bytes: body.bytes.length };
}

function sectionOf(section) {
	const made = { kind: section.kind, length: section.length };
	if (section.content && section.content.entry) made.entries = plain(section.content.entry);
	if (section.content && section.content.packet) made.packets = section.content.packet.map(packetOf);
	if (section.content && section.content.indexOffset) made.links = section.content.indexOffset;
	return made;
}

function blockOf(block) {
	const made = plain(block.head);
	if (block.payload && block.payload.section) made.sections = block.payload.section.map(sectionOf);
	if (block.payload && block.payload.zstdFrame) made.zstd_bytes = block.payload.zstdFrame.length;
	return made;
}

load("kaitai-struct-compiler")
	.compile("javascript", load("js-yaml").load(fs.readFileSync(description, "utf8")), null, false)
	.then((sources) => {
		const made = {};
		const define = (parameters, factory) => factory(made, load("kaitai-struct/KaitaiStream"));
		define.amd = true;
		new Function("define", "exports", "module", "require", "self", sources["Wtape.js"])(
			define, undefined, undefined, undefined, {});
		const { Wtape } = made;
		const Stream = load("kaitai-struct/KaitaiStream");
		for (const file of files) {
			const trace = new Wtape(new Stream(fs.readFileSync(file)));
			console.log(JSON.stringify(trace.blocks.map(blockOf)));
		}
	})
	.catch((error) => {
		console.error(String((error && error.stack) || error));
		process.exitCode = 1;
	});
