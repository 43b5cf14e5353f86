/* SPDX-License-Identifier: MIT */
// Memory around what registers of a wave point to.

const ROW = 16n, ROWS = 12n;

/** Pairs of scalar registers, and of vector registers in the lane, that point to memory of the page: what and where. */
function pointersOf(data, memory) {
	const words = new Map(), found = new Map();
	let pc = null;
	const note = (name, address) => {
		if (byteAt(memory, address) === undefined)
			return;
		if (!found.has(address))
			found.set(address, []);
		if (found.get(address).length < 3)
			found.get(address).push(name);
	};

	// That it is not mapped is what went wrong.
	if (data.address)
		found.set(BigInt(data.address), [`accessed in lane ${data.lane}`]);
	for (const [id, value] of data.registers) {
		const register = registerTable.get(id);

		if (!register || value === null)
			continue;
		if (register.name === "pc")
			pc = BigInt("0x" + value);
		else if (!register.isVector && register.size === 8)
			note(register.name, BigInt("0x" + value));
		else if (/^[sv]\d+$/.test(register.name))
			words.set(register.name, register.isVector ? laneValues(value)[chosen.lane] : parseInt(value, 16));
	}
	for (const [name, low] of words) {
		const number = Number(name.slice(1)), high = words.get(name[0] + (number + 1));

		if (high !== undefined && high !== 0 && (name[0] === "v" || number % 2 === 0))
			note(`${name[0]}[${number}:${number + 1}]`, BigInt(high) << 32n | BigInt(low));
	}
	if (pc !== null)
		note("pc", pc);
	return [...found].map(([address, names]) => ({address, name: names.join(", ")}));
}

function dumpRow(memory, address, marked) {
	const cells = [], text = [];

	for (let i = 0n; i < ROW; i++) {
		const byte = byteAt(memory, address + i);
		const mark = address + i === marked ? "marked" : null;

		cells.push(make("span", {class: mark}, byte === undefined ? "··" : byte.toString(16).padStart(2, "0")));
		text.push(byte === undefined ? " " : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".");
	}
	return make("tr", null, make("th", {class: "address", scope: "row"}, hexText(address)),
		make("td", {class: "bytes"}, cells.slice(0, 8), make("i"), cells.slice(8)), make("td", {class: "ascii"}, text.join("")));
}

/** The ends of memory that are nearest to an address where there is none. */
function nearest(memory, address) {
	let before = null, after = null;

	for (const [from, page] of memory.pages) {
		const end = from + BigInt(page.size);

		if (end <= address && (before === null || end > before))
			before = end;
		if (from > address && (after === null || from < after))
			after = from;
	}
	return {before, after};
}

/** What is near an address where no memory was recorded. */
function dumpAround(memory, address) {
	const {before, after} = nearest(memory, address), rows = [];
	const add = (from) => {
		for (let i = 0n; i < 4n; i++)
			rows.push(dumpRow(memory, from + i * ROW, address));
	};
	const gap = (text) => rows.push(make("tr", {class: "gap"}, make("td", {colspan: 3}, text)));

	if (before !== null) {
		add(before - before % ROW - 4n * ROW);
		gap(`here memory ends, ${count(Number(address - before), "byte")} before ${hexText(address)}`);
	}
	if (after !== null) {
		gap(`and begins again ${count(Number(after - address), "byte")} behind it`);
		add(after - after % ROW);
	}
	return rows;
}

function drawDump(box, memory, address) {
	const from = address - address % ROW - 4n * ROW;
	let rows = [], gap = false;

	for (let i = 0n; i < ROWS; i++) {
		const at = from + i * ROW;
		let any = false;

		for (let j = 0n; j < ROW && at >= 0n; j++)
			any = any || byteAt(memory, at + j) !== undefined;
		if (any)
			rows.push(dumpRow(memory, at, address));
		else if (!gap)
			rows.push(make("tr", {class: "gap"}, make("td", {colspan: 3}, "not recorded, or not mapped")));
		gap = !any;
	}
	if (!rows.some((row) => row.className !== "gap"))
		rows = dumpAround(memory, address);
	box.replaceChildren(make("table", {class: "dump"}, make("tbody", null, rows)));
}

/** What a space is called. Local memory is a workgroup's, private memory a wave's. */
function spaceText({space, owner}) {
	return {global: "global", local: `local, workgroup ${owner}`, "private_wave": `private, w${owner}`}[space] || space;
}

function firstAddress(memory) {
	return [...memory.pages.keys()].reduce((least, address) => least === null || address < least ? address : least, null);
}

/** Global memory, and what belongs to the wave. */
function memoryCard(wave, data) {
	const spaces = [...memoryOf(shown.stop).values()].filter((memory) => memory.space === "global" || memory.space === "local" || memory.owner === wave.id);
	const card = make("section", {class: "card"}, make("h4", null, "Memory"));

	if (!spaces.length) {
		card.append(make("p", {class: "quiet"}, block("missing").redacted ? "The program's memory was left out when it was recorded."
			: "No memory of this stop was recorded, or it is not in this report."));
		return {card, redraw: () => {}};
	}
	const dump = make("div", {class: "scroller dump-scroller", tabindex: 0, role: "region", "aria-label": "memory"});
	const input = make("input", {type: "text", id: "address", spellcheck: "false", autocomplete: "off", placeholder: "0x..."});
	const list = make("div", {class: "pointers", role: "group", "aria-label": "Pointers"});
	let memory = spaces[0];
	const go = (address) => {
		input.value = hexText(address);
		drawDump(dump, memory, address);
		for (const element of list.children)
			element.setAttribute("aria-pressed", String(element.address === address));
	};
	const form = make("form", {class: "tool"}, make("label", {for: "address"}, "Address "), input, make("button", {type: "submit"}, "Show"));
	const select = make("select", {id: "space"}, spaces.map((other, i) => make("option", {value: i}, spaceText(other))));
	const drawPointers = () => {
		const pointers = memory.space === "global" ? pointersOf(data, memory) : [];

		list.replaceChildren(...pointers.map(({address, name}) => {
			const element = button("", {"aria-pressed": String(hexText(address) === input.value)}, () => go(address));

			element.address = address;
			element.append(make("b", null, name), ` ${hexText(address)}`);
			return element;
		}));
		return pointers;
	};
	const choose = (other) => {
		memory = other;
		const pointers = drawPointers();

		go(pointers.length ? pointers[0].address : firstAddress(other));
	};

	form.addEventListener("submit", (event) => {
		event.preventDefault();
		if (/^(0x[0-9a-f]{1,16}|\d{1,20})$/i.test(input.value.trim()))
			go(BigInt(input.value.trim()));
		else
			announce("that is no address");
	});
	select.addEventListener("change", () => choose(spaces[Number(select.value)]));
	choose(memory);
	card.append(make("div", {class: "tools"}, spaces.length > 1 ? make("span", {class: "tool"}, make("label", {for: "space"}, "Space "), select) : null, form), list, dump);
	return {card, redraw: drawPointers};
}
