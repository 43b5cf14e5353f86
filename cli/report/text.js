/* SPDX-License-Identifier: MIT */
// Elements and text. All that is shown of a trace becomes text of an element: there is no other way in this page.

/** The attributes that elements here may get: none takes markup, style or script. */
const ATTRIBUTES = /^(class|id|type|role|title|for|min|max|step|value|name|placeholder|tabindex|scope|colspan|autocomplete|spellcheck|href|open|aria-[a-z]+)$/;

/** Make an element. Children are elements or text; null and undefined are left out. */
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {})) {
		if (!ATTRIBUTES.test(name))
			throw new Error(`no attribute of this page: ${name}`);
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value === true ? "" : String(value));
	}
	for (const child of children.flat())
		if (child !== null && child !== undefined)
			element.append(child);
	return element;
}

/** The element of this page's own that has the id. */
function place(id) {
	return document.getElementById(id);
}

function button(text, attributes, run) {
	const element = make("button", {type: "button", ...attributes}, text);

	element.addEventListener("click", run);
	return element;
}

/** Tell those who do not see the page what happened. */
function announce(text) {
	place("announcer").textContent = text;
}

/** "1 wave", "3 waves", "4,032 waves". */
function count(number, one, many) {
	return `${number.toLocaleString("en")} ${number === 1 ? one : many || one + "s"}`;
}

function capitalized(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

function bytesText(bytes) {
	if (bytes < 10 * 1024)
		return count(bytes, "byte");
	if (bytes < 10 * 1024 * 1024)
		return `${Math.round(bytes / 1024).toLocaleString("en")} KiB`;
	return `${Math.round(bytes / 1048576).toLocaleString("en")} MiB`;
}

function baseName(path) {
	return path.slice(path.lastIndexOf("/") + 1);
}

/** "oob-store.c:16:13" of a source place. */
function sourceText(source, whole) {
	const file = whole ? source.file : baseName(source.file);

	return `${file}:${source.line}${source.column ? ":" + source.column : ""}`;
}

function hexText(number) {
	return "0x" + number.toString(16);
}

/** Lanes by their numbers, as bits. */
const lanesOf = (lanes) => lanes.reduce((set, lane) => set | 1n << BigInt(lane), 0n);

/** "0-3,17" of a set of lanes. */
function lanesText(lanes) {
	const parts = [];

	for (let lane = 0; lane < 64; lane++) {
		const first = lane;

		while (lane < 64 && (lanes >> BigInt(lane)) & 1n)
			lane++;
		if (lane > first)
			parts.push(lane - first === 1 ? `${first}` : `${first}-${lane - 1}`);
	}
	return parts.join(",") || "none";
}

/** A list of terms with what they are. Rows without a value are left out. */
function facts(rows, attributes) {
	const list = make("dl", {class: "facts", ...attributes});

	for (const [term, ...values] of rows) {
		const shown = values.flat().filter((value) => value !== null && value !== undefined && value !== "");

		if (shown.length)
			list.append(make("dt", null, term), make("dd", null, shown));
	}
	return list;
}

/** A row of buttons of which one is on. */
function choices(label, names, chosen, choose) {
	const group = make("div", {class: "choices", role: "radiogroup", "aria-label": label});
	const buttons = names.map((name) => button(name, {role: "radio"}, () => select(name)));

	function select(name, quietly) {
		buttons.forEach((element, i) => {
			element.setAttribute("aria-checked", String(names[i] === name));
			element.tabIndex = names[i] === name ? 0 : -1;
		});
		if (!quietly)
			choose(name);
	}

	group.addEventListener("keydown", (event) => {
		const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
		const at = buttons.indexOf(document.activeElement);

		if (!step || at < 0)
			return;
		event.preventDefault();
		const next = (at + step + buttons.length) % buttons.length;
		select(names[next]);
		buttons[next].focus();
	});
	group.append(...buttons);
	select(chosen, true);
	return group;
}

/** The lowest lane of a set that is not empty. */
function firstLane(lanes) {
	let lane = 0;

	while (!((lanes >> BigInt(lane)) & 1n))
		lane++;
	return lane;
}

/** Sixty-four lanes at a glance: which are active, and which failed. */
function laneStrip(lanes, active, failed, chosen, choose) {
	const strip = make("div", {class: "lanes", role: "img", "aria-label":
		`active lanes ${lanesText(active)}` + (failed ? `; failed lanes ${lanesText(failed)}` : "")});

	for (let lane = 0; lane < lanes; lane++) {
		const bit = 1n << BigInt(lane);
		const state = failed & bit ? "failed" : active & bit ? "active" : "idle";
		const cell = make("i", {class: `lane ${state}${lane === chosen ? " chosen" : ""}`,
			title: `lane ${lane}${state === "failed" ? ": failed" : state === "idle" ? ": not active" : ""}`});

		if (choose)
			cell.addEventListener("click", () => choose(lane));
		strip.append(cell);
	}
	return strip;
}
