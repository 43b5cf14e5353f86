/* SPDX-License-Identifier: MIT */
// What the page holds of the trace: blocks of JSON, each read when it is first shown.

const elements = new Map([...document.scripts].filter((script) => script.type === "application/json").map((script) => [script.id, script]));
const cache = new Map();

function hasBlock(name) {
	return elements.has(name);
}

/** A block by its name; null if the page has none. */
function block(name) {
	if (!hasBlock(name))
		return null;
	if (!cache.has(name))
		cache.set(name, JSON.parse(elements.get(name).textContent));
	return cache.get(name);
}

/** Blocks that are numbered from 0: prefix-0, prefix-1. */
function blocks(prefix) {
	const found = [];

	for (let i = 0; ; i++) {
		const next = block(`${prefix}-${i}`);

		if (next === null)
			return found;
		found.push(next);
	}
}

const head = block("head");
const stops = block("stops") || [];

/* ---- Registers ---- */

/** Registers by handle: name, type, whether they are vectors, names of their classes. */
const registerTable = (() => {
	const table = new Map();
	const {classes, rows} = block("registers") || {classes: [], rows: []};

	for (const [id, name, type, mask, size] of rows)
		table.set(id, {name: name || "?", type: type || "", isVector: /\[\d+\]$/.test(type || ""), size,
			classes: classes.filter((_, i) => (mask >> i) & 1)});
	return table;
})();

/** "7f,3c0+5*3f": the value of each lane. All numbers are hexadecimal: a value, what it grows by from lane to lane, how many lanes. */
function laneValues(text) {
	const values = [];

	for (const part of text.split(",")) {
		const [first, times] = part.split("*"), [value, step] = first.split("+").map((digits) => parseInt(digits, 16));

		for (let i = 0; i < (times ? parseInt(times, 16) : 1); i++)
			values.push((value + i * (step || 0)) % 0x100000000);
	}
	return values;
}

const scratch = new DataView(new ArrayBuffer(8));

/** A word of 32 bits as the reader wants it. */
function wordText(word, format) {
	scratch.setUint32(0, word);
	if (format === "int")
		return String(scratch.getInt32(0));
	if (format === "float")
		return floatText(scratch.getFloat32(0));
	return hexText(word);
}

/** As few digits as tell a float from its neighbours. */
function floatText(value) {
	for (let digits = 1; digits < 10; digits++)
		if (Math.fround(Number(value.toPrecision(digits))) === value)
			return String(Number(value.toPrecision(digits)));
	return String(value);
}

/** The value of a scalar register of so many bytes. */
function scalarText(digits, size, format) {
	if (size === 4)
		return wordText(parseInt(digits, 16), format);
	const value = BigInt("0x" + digits);

	if (format === "int")
		return String(BigInt.asIntN(size * 8, value));
	if (format === "float" && size === 8) {
		scratch.setBigUint64(0, value);
		return String(scratch.getFloat64(0));
	}
	return hexText(value);
}

/* ---- Memory ---- */

function decode(text, size) {
	const bytes = new Uint8Array(size), raw = atob(text);

	for (let i = 0; i < raw.length; i++)
		bytes[i] = raw.charCodeAt(i);
	return bytes;
}

const memories = new Map();

/** The memory of a stop: pages by space, owner and address. Bytes of a page are made when they are asked for. */
function memoryOf(stop) {
	if (!memories.has(stop)) {
		const spaces = new Map();

		for (const {space, owner, pages} of blocks(`memory-${stop}`)) {
			const name = `${space} ${owner}`;

			if (!spaces.has(name))
				spaces.set(name, {space, owner, pages: new Map()});
			for (const [from, size, text] of pages)
				spaces.get(name).pages.set(BigInt(from), {size, text, bytes: null});
		}
		memories.set(stop, spaces);
	}
	return memories.get(stop);
}

const PAGE = 4096n;

/** A byte of memory; undefined where none is in the page. */
function byteAt(memory, address) {
	const offset = address % PAGE, found = memory.pages.get(address - offset);

	if (!found || offset >= BigInt(found.size))
		return undefined;
	found.bytes = found.bytes || decode(found.text, found.size);
	return found.bytes[Number(offset)];
}

/* ---- Waves ---- */

/** The waves of a stop as objects; null if the page has no map of it. */
const wavesOf = (() => {
	const made = new Map();

	return (stop) => {
		if (!made.has(stop)) {
			const map = block(`map-${stop}`);

			made.set(stop, map && map.waves.id.map((id, i) => ({
				id,
				dispatch: map.waves.dispatch[i],
				group: [map.waves.x[i], map.waves.y[i], map.waves.z[i]],
				number: map.waves.number[i],
				state: map.waves.state[i],
				place: map.places[map.waves.place[i]] || null,
			})));
		}
		return made.get(stop);
	};
})();

/** The explanation of a fault behind which a wave went on, its own if it has one: what the wave would access where it stopped is not what failed. */
function lateFault(stop, wave) {
	const found = stop === head.stop && wave.place && wave.place.fault
		? (head.explanations || []).filter((one) => one.late && one.code.address === wave.place.address) : [];

	return found.find((one) => one.wave === wave.id) || found[0] || null;
}

/** All that the page has of a wave at a stop; null if that is nothing. Calls and names of registers are shared by waves. */
const waveData = (() => {
	const made = new Map();

	return (stop, id) => {
		const name = `wave-${stop}-${id}`, data = block(name);

		if (data && !made.has(name)) {
			const layout = block(`layout-${data.layout}`);

			made.set(name, {...data, frames: block(`frames-${data.frames}`),
				registers: data.values.map((value, i) => [layout[i], ...(Array.isArray(value) ? value : [value])])});
		}
		return data && made.get(name);
	};
})();

/** What a wave's state is called, and how it is drawn: the numbers are those of cli/report/report.h. */
const STATES = [
	{name: "unknown", class: "unknown", text: "not recorded"},
	{name: "running", class: "running", text: "running"},
	{name: "stopped", class: "stopped", text: "stopped on request"},
	{name: "reason", class: "reason", text: "stopped, no fault"},
	{name: "fault", class: "fault", text: "fault"},
];

function waveText(wave) {
	return wave.place ? wave.place.reasons : STATES[wave.state].text;
}

function coordinates(wave) {
	return `(${wave.group.join(",")})/${wave.number}`;
}
