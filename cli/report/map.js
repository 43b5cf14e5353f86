/* SPDX-License-Identifier: MIT */
// The stops as a slider, and the waves of one as a map: agent, queue, dispatch, workgroup, wave.

/** So many waves are drawn at once; dispatches behind them when they are opened. */
const DRAWN_WAVES = 6000;

const shown = {stop: 0, wave: null};

/* ---- Stops ---- */

function stopText(stop) {
	if (stop.state_lost)
		return `${stop.events}; its state is lost`;
	return `${stop.events}; ${count(stop.waves, "wave")}, ${stop.stopped.toLocaleString("en")} stopped` +
		(stop.stopped && stop.reasons !== "NONE" ? `: ${stop.reasons.toLowerCase().replaceAll("_", " ").replaceAll("|", " and ")}` : "");
}

function showTimeline() {
	const card = place("timeline");

	if (!stops.length) {
		card.append(make("p", {class: "quiet"}, "There are no stops."));
		return;
	}
	const slider = make("input", {type: "range", id: "stop-slider", min: 0, max: stops.length - 1, step: 1, value: 0});
	const marks = make("div", {class: "stop-marks", "aria-hidden": "true"},
		stops.length > 160 ? [] : stops.map((stop) => make("i", {class: (stop.reasons || "").split("|").some((reason) => head.fault_reasons.includes(reason)) ? "fault" : null})));
	const number = make("output", {for: "stop-slider", class: "stop-number"});
	const text = make("p", {class: "stop-text"}), where = make("p", {class: "stop-where"});
	const step = (by) => () => {
		slider.value = String(Number(slider.value) + by);
		slider.dispatchEvent(new Event("input"));
	};
	const before = button("‹", {class: "step", "aria-label": "stop before"}, step(-1));
	const next = button("›", {class: "step", "aria-label": "next stop"}, step(1));

	slider.addEventListener("input", () => showStop(stops[Number(slider.value)].stop));
	card.append(make("div", {class: "stop-line"},
		make("label", {for: "stop-slider"}, "Stop"), number, before, make("div", {class: "slider"}, marks, slider), next), text, where);
	showTimeline.update = (stopNumber) => {
		const at = stops.findIndex((stop) => stop.stop === stopNumber), stop = stops[at];

		slider.value = String(at);
		slider.setAttribute("aria-valuetext", `stop ${stop.stop}: ${stopText(stop)}`);
		number.textContent = `${stop.stop} of ${head.stops}`;
		before.disabled = at === 0;
		next.disabled = at === stops.length - 1;
		text.textContent = stopText(stop);
		where.textContent = stop.at ? `${stop.kernel ? stop.kernel + ": " : ""}${stop.at}` : "";
		[...marks.children].forEach((mark, i) => mark.classList.toggle("chosen", i === at));
	};
}

/* ---- The map ---- */

function cell(wave) {
	const element = make("button", {type: "button", class: `cell ${STATES[wave.state].class}`, tabindex: -1, "aria-pressed": "false",
		"aria-label": `wave ${wave.id}, workgroup ${wave.group.join(",")}, number ${wave.number}: ${waveText(wave)}`,
		title: `w${wave.id} ${coordinates(wave)}\n${waveText(wave)}`});

	element.wave = wave;
	return element;
}

/** Waves in their workgroups, in the order of the trace. */
function drawWaves(waves) {
	const groups = new Map();

	for (const wave of waves) {
		const name = wave.group.join(",");

		if (!groups.has(name))
			groups.set(name, make("div", {class: "workgroup", role: "group", "aria-label": `workgroup ${name}`}));
		groups.get(name).append(cell(wave));
	}
	return [...groups.values()];
}

function dispatchTitle(map, id, waves) {
	const row = map.dispatches.find(({dispatch}) => dispatch === id);
	const kernel = map.kernels[id];
	const faults = waves.filter((wave) => wave.state === 4).length;
	const groups = new Set(waves.map((wave) => wave.group.join(","))).size;

	return [faults ? make("span", {class: "tag fault"}, `${faults.toLocaleString("en")} ${faults === 1 ? "fault" : "faults"}`) : null,
		make("b", null, kernel || (row ? "unknown kernel" : "of an unknown dispatch")),
		make("span", {class: "quiet"}, row
			? ` dispatch ${id}, queue ${row.queue}: ${count(waves.length, "wave")} in ${count(groups, "workgroup")}` : ` ${count(waves.length, "wave")}`)];
}

/** A dispatch, drawn at once or when it is opened. */
function dispatchBox(map, id, waves, open) {
	const box = make("details", {class: "dispatch", open});
	const field = make("div", {class: "field"});
	const isDrawn = () => field.childElementCount > 0;
	const draw = () => {
		if (!isDrawn())
			field.append(...drawWaves(waves));
	};

	box.append(make("summary", null, dispatchTitle(map, id, waves)), field);
	box.addEventListener("toggle", () => {
		if (box.open && !isDrawn()) {
			draw();
			markChosen();
		}
	});
	box.draw = () => {
		box.open = true;
		draw();
	};
	box.drawn = isDrawn;
	box.ids = new Set(waves.map((wave) => wave.id));
	if (open)
		draw();
	return box;
}

function legend(waves) {
	const counts = STATES.map(() => 0);

	for (const wave of waves)
		counts[wave.state]++;
	return make("ul", {class: "legend", "aria-label": "States of waves"}, STATES.map((state, i) => counts[i]
		? make("li", null, make("i", {class: `cell ${state.class}`, "aria-hidden": "true"}), `${state.text} `, make("b", null, counts[i].toLocaleString("en"))) : null).reverse());
}

function agentBoxes(map, waves) {
	const agents = new Map(map.agents.map(({agent, architecture, name}) => [agent, {title: `${name || "no name"} `, architecture, dispatches: new Map()}]));
	const byId = new Map(map.dispatches.map((row) => [row.dispatch, row]));
	let left = DRAWN_WAVES;

	for (const wave of waves) {
		const row = byId.get(wave.dispatch), id = row ? row.agent : 0;

		if (!agents.has(id))
			agents.set(id, {title: "Unknown agent", architecture: "", dispatches: new Map()});
		const dispatches = agents.get(id).dispatches;
		if (!dispatches.has(wave.dispatch))
			dispatches.set(wave.dispatch, []);
		dispatches.get(wave.dispatch).push(wave);
	}
	return [...agents].filter(([, agent]) => agent.dispatches.size).map(([id, agent]) =>
		make("section", {class: "agent", "aria-label": `agent ${id}`},
			make("h4", null, agent.title, make("span", {class: "quiet"}, agent.architecture || "")),
			[...agent.dispatches].map(([dispatch, list]) => {
				left -= list.length;
				return dispatchBox(map, dispatch, list, left >= 0);
			})));
}

/** Arrow keys go from cell to cell; Tab goes past the map. */
function moveInMap(event) {
	const cells = [...place("map").querySelectorAll("details[open] button.cell")], at = cells.indexOf(document.activeElement);
	const step = {ArrowRight: 1, ArrowLeft: -1}[event.key], row = {ArrowDown: 1, ArrowUp: -1}[event.key];
	let next = at;

	if (at < 0)
		return;
	if (event.key === "Home")
		next = 0;
	else if (event.key === "End")
		next = cells.length - 1;
	else if (step)
		next = at + step;
	else if (row)
		next = nextRow(cells, at, row);
	else
		return;
	event.preventDefault();
	if (!cells[next])
		return;
	cells[at].tabIndex = -1;
	cells[next].tabIndex = 0;
	cells[next].focus();
}

/** The cell of the next row that is nearest to the one below or above. */
function nextRow(cells, at, way) {
	const from = cells[at].getBoundingClientRect();
	let best = at, distance = Infinity, top = null;

	for (let i = at + way; cells[i]; i += way) {
		const to = cells[i].getBoundingClientRect();

		if (Math.abs(to.top - from.top) < 2)
			continue;
		top = top === null ? to.top : top;
		if (Math.abs(to.top - top) > 2)
			break;
		if (Math.abs(to.left - from.left) < distance) {
			distance = Math.abs(to.left - from.left);
			best = i;
		}
	}
	return best;
}

function showMap() {
	const card = place("map"), map = block(`map-${shown.stop}`), waves = wavesOf(shown.stop);

	card.replaceChildren(make("h3", {id: "map-title"}, "Waves"));
	if (!map) {
		card.append(make("p", {class: "quiet"}, stops.length ? "The waves of this stop are not in this report, or its state is lost." : "There are none."));
		return;
	}
	if (!waves.length)
		card.append(make("p", {class: "quiet"}, "There is no wave at this stop."));
	if (waves.length < map.count)
		card.append(make("p", {class: "quiet"}, `${waves.length.toLocaleString("en")} of ${map.count.toLocaleString("en")} waves are in this report.`));
	card.append(legend(waves));
	const body = make("div", {class: "map-body"}, agentBoxes(map, waves));
	body.addEventListener("click", (event) => event.target.wave && showWave(event.target.wave, true));
	body.addEventListener("keydown", moveInMap);
	card.append(body);
	markChosen();
}

/** Draw the dispatch of a wave. Was it not drawn yet? */
function openDispatchOf(wave) {
	const box = [...place("map").querySelectorAll(".dispatch")].find((other) => !other.drawn() && other.ids.has(wave.id));

	if (box)
		box.draw();
	return Boolean(box);
}

/** Bring the chosen wave into what is seen of the map, without moving the page. */
function scrollToChosen() {
	const body = place("map").querySelector(".map-body"), cell = body && body.querySelector('button.cell[aria-pressed="true"]');

	if (!cell)
		return;
	const inside = cell.getBoundingClientRect(), around = body.getBoundingClientRect();
	if (inside.top < around.top || inside.bottom > around.bottom)
		body.scrollTop += inside.top - around.top - around.height / 2;
}

/** Of all cells one is pressed, and one is where Tab comes in. */
function markChosen() {
	const body = place("map");
	const old = body.querySelector('button.cell[aria-pressed="true"]');
	let chosen = null;

	for (const element of body.querySelectorAll("button.cell")) {
		if (element.tabIndex === 0)
			element.tabIndex = -1;
		if (shown.wave && element.wave.id === shown.wave.id)
			chosen = element;
	}
	if (old)
		old.setAttribute("aria-pressed", "false");
	if (chosen)
		chosen.setAttribute("aria-pressed", "true");
	else if (shown.wave && openDispatchOf(shown.wave))
		return markChosen();
	const entry = chosen || body.querySelector("button.cell");
	if (entry)
		entry.tabIndex = 0;
	return chosen;
}

/** Show a stop, and in it the wave that was shown, if it is there; else the most telling one. */
function showStop(number) {
	const before = shown.wave && shown.wave.id;

	shown.stop = number;
	showTimeline.update(number);
	const waves = wavesOf(number) || [];
	const best = (list) => list.reduce((found, wave) => !found || wave.state > found.state ? wave : found, null);

	shown.wave = waves.find((wave) => wave.id === before) || best(waves.filter((wave) => hasBlock(`wave-${number}-${wave.id}`))) || best(waves);
	showMap();
	showWave(shown.wave, false);
	scrollToChosen();
	announce(`stop ${number}`);
}

function goToWave(stop, id) {
	if (shown.stop !== stop)
		showStop(stop);
	const wave = (wavesOf(stop) || []).find((other) => other.id === id);

	if (wave)
		showWave(wave, true, true);
	scrollToChosen();
}
