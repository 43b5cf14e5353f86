/* SPDX-License-Identifier: MIT */
// One wave: where it stands, who called, variables, and the code.

/** What the reader chose, for the next wave, too. */
const chosen = {wave: null, frame: 0, lane: 0, format: "hex", class: "general", changedOnly: false};

/* ---- Code ---- */

/** Where each instruction of a block is. */
function addressesOf(data) {
	let address = BigInt(data.from);

	return data.rows.map(([size]) => {
		const here = address;

		address += BigInt(size);
		return here;
	});
}

/** Instructions with the source lines above them that they were made of. @frame: its address is marked. @around: no more than so many to each side. */
function codeTable(data, frame, around) {
	const body = make("tbody"), files = data.files, addresses = addressesOf(data);
	const at = around === undefined ? -1 : addresses.indexOf(BigInt(frame.address));
	let last = "", here = null;

	for (const [i, [, text, file, line]] of data.rows.entries()) {
		const address = addresses[i];

		if (at >= 0 && Math.abs(i - at) > around)
			continue;
		const isHere = address === BigInt(frame.address);
		const source = file === undefined ? "" : `${files[file]}:${line}`;

		if (source && source !== last) {
			const words = data.lines[file] && data.lines[file][line];

			body.append(make("tr", {class: "line"}, make("th", {colspan: 2, scope: "rowgroup"},
				make("span", {class: "number"}, `${baseName(files[file])}:${line}`), words !== undefined ? make("code", null, words) : null)));
			last = source;
		}
		const row = make("tr", {class: isHere ? "here" : null, "aria-current": isHere ? "true" : null},
			make("td", {class: "address"}, isHere ? make("span", {class: "unseen"}, frame.words || "stopped here: ") : null, hexText(address)),
			make("td", null, make("code", null, text)));
		body.append(row);
		if (isHere)
			here = row;
	}
	return {table: make("table", {class: "code"}, body), here};
}

function showCode(box, frame) {
	const data = frame && frame.code_block !== undefined ? block(`code-${frame.code_block}`) : null;

	if (!data) {
		box.replaceChildren(make("p", {class: "quiet"}, frame ? "The code there was not recorded, or is not in this report." : "There is no code to show."));
		return;
	}
	const {table, here} = codeTable(data, frame);
	const scroller = make("div", {class: "scroller code-scroller", tabindex: 0, role: "region", "aria-label": `code of ${data.symbol || "the wave"}`}, table);

	box.replaceChildren(scroller);
	if (here)
		scroller.scrollTop = here.offsetTop - scroller.clientHeight / 2;
}

/* ---- Frames and variables ---- */

function frameText(frame) {
	return [make("span", {class: "frame-number"}, `#${frame.frame}`),
		make("span", {class: "frame-name"}, make("b", null, frame.function || "?"), frame.inlined ? make("span", {class: "quiet"}, " inlined") : null),
		make("span", {class: "quiet"}, (frame.source ? sourceText(frame.source) : frame.address) +
			(frame.source_differs ? " (the source differs from the one compiled)" : ""))];
}

/** A value of a variable as C would write it. */
function valueText(value) {
	if (value === null || value === undefined)
		return "?";
	if (Array.isArray(value))
		return `[${value.map(valueText).join(", ")}]`;
	if (typeof value === "string")
		return /^0x[0-9a-f]+$/.test(value) ? value : JSON.stringify(value);
	if (typeof value !== "object")
		return String(value);
	const names = Object.keys(value);
	if (names.length === 1 && names[0] === "unknown")
		return `<${value.unknown}>`;
	if (names.length === 1 && names[0] === "more")
		return `... ${value.more} more`;
	return `{${names.map((name) => `${name} = ${valueText(value[name])}`).join(", ")}}`;
}

/** Is a lane among "0-3,17"? */
function hasLane(text, lane) {
	return text.split(",").some((part) => {
		const [first, last] = part.split("-").map(Number);

		return lane >= first && lane <= (last === undefined ? first : last);
	});
}

function laneValue(value) {
	return make("div", {class: value.value === undefined ? "quiet" : null},
		value.lanes ? make("span", {class: "value-lanes"}, `${/[,-]/.test(value.lanes) ? "lanes" : "lane"} ${value.lanes}`) : null,
		value.value === undefined ? value.unknown || "not known" : make("code", null, valueText(value.value)));
}

/** The value in the lane that is chosen first, the others behind. */
function variableRow({name, type, values, shadowed}) {
	const isChosen = (value) => !value.lanes || hasLane(value.lanes, chosen.lane);
	const sorted = [...values.filter(isChosen), ...values.filter((value) => !isChosen(value))];
	const few = sorted.length > 4 ? 1 : sorted.length;

	return make("tr", null, make("th", {scope: "row"}, make("code", null, name || "?"), shadowed ? make("span", {class: "quiet"}, " of an outer block") : null),
		make("td", {class: "type"}, type || ""),
		make("td", {class: "value"}, sorted.slice(0, few).map(laneValue), few < sorted.length
			? make("details", null, make("summary", {class: "quiet"}, `${sorted.length - few} other values`), make("div", {class: "other-values"}, sorted.slice(few).map(laneValue))) : null));
}

function showVariables(box, frame) {
	const variables = frame && frame.variables;

	if (!variables || !variables.length)
		box.replaceChildren(make("p", {class: "quiet"}, "No variables are described here."));
	else
		box.replaceChildren(make("div", {class: "scroller", tabindex: 0, role: "region", "aria-label": "variables"},
			make("table", {class: "variables"}, make("tbody", null, variables.map(variableRow)))));
}

function framesCard(data) {
	const code = make("div"), variables = make("div");
	const buttons = data.frames.map((frame, i) => button("", {class: "frame"}, () => select(i)));

	function select(i) {
		chosen.frame = i;
		buttons.forEach((element, j) => element.setAttribute("aria-current", String(i === j)));
		showCode(code, data.frames[i]);
		showVariables(variables, data.frames[i]);
	}

	buttons.forEach((element, i) => element.append(...frameText(data.frames[i])));
	const card = [make("section", {class: "card"}, make("h4", null, "Calls"), make("ol", {class: "frames"}, buttons.map((element) => make("li", null, element))),
		data.outermost_known ? make("p", {class: "quiet"}, `Outermost known frame: ${data.outermost_known}`) : null, make("h4", null, "Code"), code),
	make("section", {class: "card"}, make("h4", null, "Variables"), variables)];

	// What is scrolled to needs a place in the page first.
	return {card, select: () => select(Math.min(chosen.frame, Math.max(data.frames.length - 1, 0))),
		redraw: () => showVariables(variables, data.frames[chosen.frame])};
}

/* ---- The way ---- */

const WAY_AROUND = 6; // steps that are shown to each side

/** One step of the way: what it wrote stands behind it, what changed is marked. */
function wayRow([position, file, line, text, lane, values], isHere) {
	return make("tr", {class: isHere ? "here" : null, "aria-current": isHere ? "true" : null},
		make("td", {class: "address"}, String(position)),
		make("td", {class: "type"}, file ? `${file}:${line}` : ""),
		make("td", null, make("code", null, text || "?")),
		make("td", {class: "value"}, values.map(([name, value, changed]) => make("div", null, changed ? "* " : "", make("code", null, `${name} = ${value}`))),
			values.length ? make("span", {class: "quiet"}, `lane ${lane}`) : null));
}

/** What the wave executed before it stopped: a slider over the last steps. */
function wayCard(way) {
	if (!way)
		return null;
	if (!way.rows.length)
		return make("section", {class: "card"}, make("h4", null, "Way"), make("p", {class: "quiet"}, capitalized(way.text)));
	const last = way.rows.length - 1, body = make("tbody");
	const slider = make("input", {type: "range", id: "way", min: 0, max: last, value: last, autocomplete: "off"});
	const draw = () => {
		const at = Number(slider.value), from = Math.max(0, Math.min(at - WAY_AROUND, last - 2 * WAY_AROUND));

		body.replaceChildren(...way.rows.slice(from, from + 2 * WAY_AROUND + 1).map((row, i) => wayRow(row, from + i === at)));
	};

	slider.addEventListener("input", draw);
	draw();
	return make("section", {class: "card"}, make("h4", null, "Way"), make("p", {class: "quiet"}, capitalized(way.text)),
		make("p", {class: "tool"}, make("label", {for: "way"}, "Step"), slider),
		make("div", {class: "scroller", tabindex: 0, role: "region", "aria-label": "the way of the wave"}, make("table", {class: "way"}, body)));
}

/* ---- The wave ---- */

/** Lanes whose access failed: where the wave stands, or before, which the way of the wave has shown. */
function failedLanes(wave, data) {
	const late = lateFault(shown.stop, wave);

	if (!late)
		return BigInt(data.failed_lanes || 0);
	return late.wave === wave.id && late.access && !late.access.scalar ? lanesOf(late.access.unmapped_lanes) : 0n;
}

/** Which lane is looked at: in variables, vector registers, and pointers in them. */
function laneTool(wave, data, redraw) {
	const lanes = data.lanes || 64, exec = BigInt(data.exec || 0), failed = failedLanes(wave, data);
	const input = make("input", {type: "number", id: "lane", min: 0, max: lanes - 1, value: chosen.lane, autocomplete: "off"});
	const strip = make("div", {class: "strip-place"});
	const choose = (lane) => {
		chosen.lane = lane;
		input.value = String(lane);
		draw();
		redraw();
	};
	const draw = () => strip.replaceChildren(laneStrip(lanes, exec, failed, chosen.lane, choose));

	input.addEventListener("input", () => {
		const lane = Number(input.value);

		if (input.value !== "" && Number.isInteger(lane) && lane >= 0 && lane < lanes)
			choose(lane);
	});
	draw();
	return make("div", {class: "lane-tool"}, make("span", {class: "tool"}, make("label", {for: "lane"}, "Lane"), input), strip);
}

function waveHead(wave, data, redraw) {
	const state = STATES[wave.state], map = block(`map-${shown.stop}`);

	return make("section", {class: "card wave-head"},
		make("h3", {tabindex: -1, id: "wave-title"}, `w${wave.id} `, make("span", {class: `tag ${state.class}`}, waveText(wave))),
		wave.place ? make("p", {class: "where"}, wave.place.text) : null,
		data && data.access && !lateFault(shown.stop, wave) ? make("p", {class: "access"}, capitalized(data.access)) : null,
		facts([
			["Kernel", map.kernels[wave.dispatch] || null],
			["Workgroup", `(${wave.group.join(",")}), wave ${wave.number} of it`],
			["Instruction", wave.place ? make("code", null, instructionText(wave.place)) : null],
			["Active lanes", data && data.exec ? `${lanesText(BigInt(data.exec))} of ${data.lanes}` : null],
		], {class: "facts tight"}), data ? laneTool(wave, data, redraw) : null);
}

/** Show a wave of the stop that is shown. @byHand: the reader asked for it. @far: from elsewhere in the page. */
function showWave(wave, byHand, far) {
	const box = place("wave"), data = wave && waveData(shown.stop, wave.id);

	const isOther = !wave || chosen.wave !== wave.id;

	if (isOther)
		chosen.frame = 0;
	chosen.wave = wave && wave.id;
	shown.wave = wave;
	markChosen();
	if (!wave) {
		box.replaceChildren();
		return;
	}
	if (!data) {
		box.replaceChildren(waveHead(wave, null), make("section", {class: "card"}, make("p", {class: "quiet"}, wave.state < 2
			? "It was running at this stop: its registers were not recorded."
			: "Its registers and variables were left out of this report for its size. They are in the trace: "), wave.state < 2 ? null
			: make("p", null, make("code", null, `wavetape registers ${head.name} --stop ${shown.stop} --wave ${wave.id}`))));
	} else {
		const failed = failedLanes(wave, data), exec = BigInt(data.exec || 0);
		const best = failed & exec || exec;

		if (best && (isOther || !((exec >> BigInt(chosen.lane)) & 1n)))
			chosen.lane = firstLane(best);
		const frames = framesCard(data), registers = registersCard(data), memory = memoryCard(wave, data);
		box.replaceChildren(waveHead(wave, data, () => [frames, registers, memory].forEach((part) => part.redraw())),
			...frames.card, ...[wayCard(data.way)].filter(Boolean), registers.card, memory.card);
		frames.select();
	}
	if (byHand) {
		announce(`wave ${wave.id} is shown`);
		// Beside the map it is in view already.
		if (far || window.matchMedia("(max-width: 1023px)").matches) {
			box.scrollIntoView({block: "start"});
			place("wave-title").focus({preventScroll: true});
		}
	}
}
