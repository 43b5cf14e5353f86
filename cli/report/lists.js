/* SPDX-License-Identifier: MIT */
// The journal with its search, facts of the host, and what is missing.

const SHOWN_CALLS = 200;

/* ---- The journal ---- */

function callRow(row) {
	if (row.length === 1)
		return make("tr", {class: "notice-row"}, make("td", {colspan: 4}, make("b", null, "notice "), row[0]));
	const [number, start, thread, name, inputs, status, outputs, duration] = row;

	return make("tr", null, make("td", {class: "call-number"}, String(number)),
		make("td", {class: "call-time"}, `${(start / 1e6).toFixed(3)} ms`, make("span", {class: "quiet"}, ` t${thread}`)),
		make("td", {class: "call"}, make("code", null, make("b", null, name), make("span", {class: "quiet"}, `(${inputs})`))),
		make("td", {class: "answer"}, make("code", null, status && status !== "SUCCESS" ? make("b", {class: "bad-status"}, status) : status || "", outputs ? ` → ${outputs}` : ""),
			make("span", {class: "quiet"}, ` ${(duration / 1e3).toFixed(1)} µs`)));
}

function showJournal() {
	const card = place("journal"), calls = blocks("journal").flat();

	if (!calls.length) {
		card.append(make("p", {class: "quiet"}, "No call is in this report."));
		return;
	}
	const texts = [];
	const search = make("input", {type: "search", id: "journal-search", placeholder: "function, argument or answer", spellcheck: "false", autocomplete: "off"});
	const result = make("p", {class: "quiet", role: "status", id: "journal-count"});
	const body = make("tbody");
	const more = button("Show more", {class: "more-button"}, () => draw(false));
	let found = [], drawn = 0;
	const draw = (fresh) => {
		if (fresh) {
			body.replaceChildren();
			drawn = 0;
		}
		body.append(...found.slice(drawn, drawn + SHOWN_CALLS).map(callRow));
		drawn = Math.min(drawn + SHOWN_CALLS, found.length);
		more.hidden = drawn === found.length;
	};
	const filter = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);

		if (!texts.length && words.length)
			texts.push(...calls.map((row) => row.join(" ").toLowerCase()));
		found = words.length ? calls.filter((_, i) => words.every((word) => texts[i].includes(word))) : calls;
		result.textContent = words.length ? `${count(found.length, "call")} of ${calls.length.toLocaleString("en")}` : count(calls.length, "call");
		draw(true);
	};

	search.addEventListener("input", filter);
	card.append(make("div", {class: "tools"}, make("span", {class: "tool wide"}, make("label", {for: "journal-search"}, "Search "), search), result),
		make("div", {class: "scroller journal-scroller", tabindex: 0, role: "region", "aria-label": "calls"}, make("table", {class: "calls"},
			make("thead", null, make("tr", null, ["Call", "Time", "Function", "Answer"].map((name) => make("th", {scope: "col"}, name)))), body)), more);
	filter();
}

/* ---- The host ---- */

function threadItem(thread) {
	const head = `${thread.name || "?"} (${thread.id}), ${thread.state || "?"}${thread.waiting ? ` in ${thread.waiting}` : ""}`;

	if (!thread.frames.length)
		return make("li", null, head);
	return make("li", null, make("details", null, make("summary", null, head), make("ol", {class: "plain"}, thread.frames.map((frame) =>
		make("li", null, make("code", null, frame.symbol ? `${frame.symbol}+${hexText(frame.offset)}` : frame.address), frame.path ? make("span", {class: "quiet"}, ` ${frame.path}`) : null)))));
}

function showHost() {
	const card = place("host-facts"), host = block("host");

	if (!host) {
		card.append(make("p", {class: "quiet"}, "Nothing of it was recorded: no wave stopped, it was left out, or the trace was made of a core."));
		return;
	}
	const part = (name, list, content) => list && list.length ? make("details", null, make("summary", null, `${name} (${list.length})`), content) : null;
	const environment = Object.entries(host.environment || {});

	card.append(...[facts([
		...Object.entries(host.versions).map(([name, text]) => [capitalized(name), text]),
		["Program", host.executable],
		["Command", make("code", {class: "command"}, (host.command_line || []).join(" "))],
		["Process", String(host.process_id)],
		["Device dumps", (host.device_dumps || []).join("; ") || null],
		["Not known", (host.not_known || []).join("; ") || null],
	]),
	part("Kernel's log of AMD's GPUs", host.kernel_log, make("ol", {class: "plain"}, (host.kernel_log || []).map((line) =>
		make("li", null, make("code", null, `${(line.time / 1e9).toFixed(6)} s ${line.text}`))))),
	part("Threads", host.threads, make("ul", {class: "plain"}, (host.threads || []).map(threadItem))),
	part("Mapped files", host.maps, make("div", {class: "scroller", tabindex: 0, role: "region", "aria-label": "mapped files"}, make("table", {class: "maps"},
		make("tbody", null, (host.maps || []).map((map) => make("tr", null, make("td", {class: "address"}, `${map.start}-${map.end}`),
			make("td", null, map.access), make("td", null, map.path || ""), make("td", {class: "quiet"}, map.build_id || ""))))))),
	part("Environment", environment, make("ul", {class: "plain columns-list"}, environment.map(([name, value]) =>
		make("li", null, make("code", null, value === null ? name : `${name}=${value}`))))),
	].filter(Boolean));
}

/* ---- What is missing ---- */

function showMissing() {
	const missing = block("missing"), card = place("gap-list");
	const part = (title, list) => list.length ? [make("h3", null, title), make("ul", {class: "plain"}, list.map((text) => make("li", null, capitalized(text))))] : [];
	const words = missing.policy ? missing.policy.split(" ").filter(Boolean) : [];
	const recorded = [missing.redacted ? "the program's memory (it was redacted)" : null,
		words.length ? `what these options of the recording left out: ${words.join(" ")}` : null, ...head.not_known].filter(Boolean);
	const damage = missing.damage_count > missing.damage.length
		? [...missing.damage, `and ${count(missing.damage_count - missing.damage.length, "more piece")} of damage`] : missing.damage;
	const parts = [...part("Damaged in the trace", damage), ...part("Not recorded", recorded), ...part("The recorder's notices", head.notices),
		...part("Left out of this report for its size", missing.left_out)];

	card.append(...(parts.length ? parts : [make("p", {class: "quiet"}, "Nothing: all that was recorded is in the trace, and all that this report shows of it is here.")]));
}
