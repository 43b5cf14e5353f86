/* SPDX-License-Identifier: MIT */
// The first screen: what `wavetape info` says.

/** Structures that are longer than this are not put into the line. */
const ARGUMENT_TEXT = 120;

/** Above all: what makes the rest less than the whole. */
function showNotices() {
	const missing = block("missing"), list = place("notices");
	const tell = (kind, title, ...texts) => list.append(make("div", {class: `notice ${kind}`, role: "note"},
		make("strong", null, title), ...texts.map((text) => make("span", null, " " + text))));

	if (missing.damage_count)
		tell("bad", "This trace is damaged.", `${capitalized(missing.damage[0])}.`,
			missing.damage_count > 1 ? `${count(missing.damage_count, "piece")} of damage are listed below.` : "");
	if (missing.ended_early)
		tell("bad", "The recording ended early.", `${capitalized(missing.ended_early)}.`);
	else if (!missing.damage_count && !head.complete)
		tell("bad", "This trace is not complete.", `${capitalized(head.not_known.join("; "))}.`);
	if (missing.redacted)
		tell("calm", "This trace is redacted.", "The program's memory was left out when it was recorded.");
	if (missing.left_out.length)
		tell("calm", "This report is not the whole trace.",
			`To keep it small, ${count(missing.left_out.length, "thing")} ${missing.left_out.length === 1 ? "was" : "were"} left out: see `);
	if (missing.left_out.length)
		list.lastChild.append(make("a", {href: "#gaps"}, "what is missing"), ".");
}

/** "out = 0x210000000000, x = 1.5": the arguments of the source, not the compiler's own. */
function argumentsText(list) {
	return (list || []).filter((argument) => !argument.hidden).map((argument) => {
		const name = argument.name || "?", memory = argument.memory ? ` (${argument.memory})` : "";

		if (argument.text && argument.text.length <= ARGUMENT_TEXT)
			return `${name} = ${argument.text}${memory}`;
		if (argument.bytes > 8)
			return `${name} (${argument.bytes} bytes)`;
		if (typeof argument.value !== "string")
			return `${name} (not recorded)`;
		return `${name} = ${argument.kind === "by_value" ? BigInt(argument.value).toString() : argument.value}${memory}`;
	}).join(", ");
}

/** What the queue of the failed kernel ran last, and what waits there. */
function dispatchedText(queues) {
	const queue = (queues || []).find((other) => other.packets.some((packet) => packet.state === "failed"));

	if (!queue || queue.packets.length < 2)
		return "";
	return queue.packets.map((packet) => `${packet.packet} ${packet.state}: ${packet.name || "?"}, grid ${packet.grid.join(" x ")}`).join("; ");
}

function sourceLines(explanation) {
	const lines = explanation.source_lines, source = (explanation.failed_at || explanation.code).source;

	if (!lines || !lines.length)
		return null;
	return make("div", null, make("ol", {class: "source", "aria-label": `source of ${source.file}`}, lines.map((line) =>
		make("li", {class: line.line === source.line ? "here" : null, "aria-current": line.line === source.line ? "true" : null},
			make("span", {class: "number"}, String(line.line)), make("code", null, line.text)))),
	explanation.source_differs ? make("p", {class: "quiet"}, "The source differs from the one compiled.") : null);
}

/** Where the source is not at hand: the instructions around the one that failed, or else that the wave was stopped at. */
function codeExcerpt(explanation) {
	const wave = waveData(head.stop, explanation.wave), frame = wave && wave.frames[0];
	const data = frame && frame.code_block !== undefined ? block(`code-${frame.code_block}`) : null;

	const failed = data && explanation.late && explanation.failed_at && addressesOf(data).includes(BigInt(explanation.failed_at.address));
	const at = failed ? {address: explanation.failed_at.address, words: "failed here: "} : frame;

	return data && make("div", {class: "scroller excerpt", tabindex: 0, role: "region", "aria-label": failed ? "code where it failed" : "code where it stopped"},
		codeTable(data, at, 4).table);
}

/** Lanes of the access, or the active ones. */
function crashLanes(explanation) {
	const access = explanation.access;
	const exec = BigInt(explanation.exec);

	if (!access || access.scalar)
		return laneStrip(64, exec, 0n);
	return laneStrip(64, lanesOf(Object.keys(access.addresses)) & exec, lanesOf(access.unmapped_lanes));
}

function instructionText(code) {
	if (code.instruction)
		return code.instruction;
	return code.words ? `${code.words[0]} (${code.not_decoded || "no instruction of this architecture"})` : "the code was not recorded";
}

/** What one of the waves of a fault did, as the map has it of where it was stopped. */
function faultWaveText(stop, wave, access) {
	if (!lateFault(stop, wave))
		return access;
	const data = waveData(stop, wave.id);

	return data && data.exec ? `active lanes ${lanesText(BigInt(data.exec))}` : "";
}

/** All of a fault: where, why, what the first waves did. */
function faultCard(explanation, first) {
	const code = explanation.failed_at || explanation.code, stop = head.stop;
	const map = block(`map-${stop}`);
	const at = map && map.places.find((other) => other.fault && other.address === explanation.code.address
		&& map.waves.id.some((id, i) => id === explanation.wave && map.places[map.waves.place[i]] === other));
	const waves = at ? wavesOf(stop).filter((wave) => wave.place === at) : [];
	const shown = waves.filter((wave) => map.access[wave.id] !== undefined);
	const title = `${capitalized(at ? at.reasons : explanation.stop_reason.toLowerCase().replaceAll("_", " "))} in kernel `;
	const where = code.source ? `${sourceText(code.source, true)}, ${code.source.function || "?"}()` : null;
	const cause = explanation.cause;

	return make("article", {class: "fault-card"},
		make(first ? "h1" : "h2", {id: first ? "crash-title" : null, class: "sentence"}, title,
			make("code", {class: "kernel"}, explanation.kernel || "of unknown name")),
		make("p", {class: "where"}, [
			where && make("span", {class: "at"}, where),
			code.symbol && make("span", {class: "symbol"}, `${code.symbol.name}+${hexText(code.symbol.offset)}`),
			make("span", {class: "symbol"}, `stop ${stop}`)]),
		cause && (cause.sentence || cause.why_not) ? make("p", {class: "cause"},
			make("b", null, cause.sentence ? "Cause" : "No cause is certain"), make("span", null, cause.sentence || cause.why_not)) : null,
		sourceLines(explanation) || codeExcerpt(explanation),
		make("p", {class: "instruction"}, make("span", {class: "address"}, code.address), make("code", null, instructionText(code))),
		explanation.late ? make("p", {class: "quiet"}, `The wave was stopped at ${explanation.pc}` +
			`${explanation.code.address === explanation.pc && explanation.code.source ? `, ${sourceText(explanation.code.source)}` : ""}, ` +
			`${count(explanation.late, "instruction")} later.`) : null,
		explanation.place_is_certain === false
			? make("p", {class: "quiet"}, "Which is not certain: without precise memory a fault may be of an earlier instruction.") : null,
		make("div", {class: "strip"}, make("h3", null, "Lanes", make("span", {class: "quiet"}, ` of w${explanation.wave}`)), crashLanes(explanation)),
		facts([
			["Memory", explanation.memory ? `${explanation.address} is ${explanation.memory.sentence}` : null],
			["Arguments", argumentsText(explanation.arguments) || null],
			["Kernels", first ? dispatchedText(head.dispatched) || null : null],
			["Waves", at ? `${at.waves.toLocaleString("en")} of ${head.waves.toLocaleString("en")} stopped here` : null],
		]),
		shown.length ? make("ul", {class: "wave-lines"}, shown.map((wave) => make("li", null,
			button(`w${wave.id}`, {class: "link", "aria-label": `show wave ${wave.id}`}, () => goToWave(stop, wave.id)),
			make("span", {class: "coordinates"}, coordinates(wave)), make("span", null, faultWaveText(stop, wave, map.access[wave.id]))))) : null,
		waves.length && at.waves > shown.length ? make("p", {class: "quiet"}, `and ${(at.waves - shown.length).toLocaleString("en")} more in the map below`) : null);
}

function recordingFacts() {
	const map = block(`map-${head.stop}`), host = block("host");
	const agents = map ? map.agents.map(({architecture, name}) => `${architecture || "unknown architecture"}, ${name || "no name"}`) : [];
	const time = head.start_time_ns ? new Date(head.start_time_ns / 1e6).toISOString().replace("T", " ").slice(0, 19) + " UTC" : null;
	const system = host && [["Linux", host.versions.Linux], ["", host.versions.system]].filter(([, text]) => text)
		.map(([name, text]) => `${name} ${text}`.trim()).join(", ");

	return make("div", {class: "card recording"}, make("h2", null, "Recording"), facts([
		["Trace", `${head.name}, ${bytesText(head.file_bytes)}${head.complete ? ", complete" : ", not complete"}`],
		["Recorded", [time, head.process_id ? `process ${head.process_id}` : null].filter(Boolean).join(", ")],
		["By", head.recorder ? `${head.recorder}, API ${head.api_level}, library ${head.library_build_name || head.library_version}` : "what is not known"],
		["Timeline", `${count(head.stops, "stop")}, ${count(head.calls, "API call")}${head.end_reason ? `, ended: ${head.end_reason}` : ""}`],
		["Device", agents.map((text) => make("div", null, text))],
		["Program", head.host ? head.host.executable : null],
		["Host", system],
		["Command", head.command_line && head.command_line.length ? make("code", {class: "command"}, head.command_line.join(" ")) : null],
	]));
}

/** A trace without a fault: what there is of it. */
function noFault() {
	const places = (head.places && (head.places.places || head.places)) || [];
	const known = head.not_known.length ? ` in what is here; the rest is not known: ${head.not_known.join("; ")}` : "";

	if (!head.stops)
		return [make("h1", {id: "crash-title", class: "sentence"}, "No stop"),
			make("p", null, known ? `No stop${known}.` : "Nothing stopped while this was recorded.")];
	if (!head.stop)
		return [make("h1", {id: "crash-title", class: "sentence"}, "No state"), make("p", null, "The states of all stops are lost.")];
	return [make("h1", {id: "crash-title", class: "sentence"}, "No fault"),
		make("p", null, known ? `No fault${known}.` : head.waves ? `${count(head.waves, "wave")}, none stopped for a fault.` : "No wave stopped for a fault."),
		Array.isArray(places) && places.length ? make("ul", {class: "wave-lines"}, places.slice(0, 8).map((at) => make("li", null,
			make("span", {class: "coordinates"}, count(at.waves || 0, "wave")),
			make("span", null, at.code && at.code.source ? `${sourceText(at.code.source)}` : at.pc || "")))) : null];
}

function showCrash() {
	const explanations = head.explanations || [], section = place("crash");
	const card = make("div", {class: "card crash"});

	document.title = `${head.name}: wavetape report`;
	place("file").textContent = head.name;
	place("made").textContent = `Made by wavetape ${head.wavetape} of ${head.name}. This page needs no network, and sends nothing.`;
	if (explanations.length) {
		card.append(faultCard(explanations[0], true));
	} else {
		place("crash-link").textContent = "Trace";
		card.append(...noFault().filter(Boolean));
	}
	section.append(make("div", {class: "first"}, card, recordingFacts()));
	if (explanations.length > 1)
		section.append(make("details", {class: "card more"},
			make("summary", null, `${count(explanations.length - 1, "other fault")} at this stop`),
			explanations.slice(1).map((explanation) => faultCard(explanation, false))));
}
