/* SPDX-License-Identifier: MIT */
// Registers of a wave: by class, in three formats, marked where the stop before had another value.

const FORMATS = ["hex", "int", "float"];

/** Classes that have a register here, the most telling first. */
function classesOf(data) {
	const order = ["general", "scalar", "vector", "system", "trap"];
	const found = new Set();

	for (const [id] of data.registers)
		for (const name of (registerTable.get(id) || {classes: []}).classes)
			found.add(name);
	const names = [...found].sort((a, b) => (order.indexOf(a) + 99) % 99 - (order.indexOf(b) + 99) % 99);
	return names.length ? names : ["all"];
}

function scalarRegister(register, value, old, format) {
	const text = value === null ? "not recorded" : scalarText(value, register.size, format);

	return make("div", {class: `register${old !== undefined ? " changed" : ""}`, title: `${register.type}${old !== undefined ? `, before: ${scalarText(old, register.size, format)}` : ""}`},
		make("span", {class: "register-name"}, register.name), make("span", {class: value === null ? "quiet" : "register-value"}, text),
		old !== undefined ? make("span", {class: "unseen"}, `changed, before ${scalarText(old, register.size, format)}`) : null);
}

/** The value in the chosen lane; opened, of all lanes. */
function vectorRegister(register, value, old, format, exec) {
	if (value === null)
		return scalarRegister(register, null, undefined, format);
	const values = laneValues(value), before = old === undefined ? null : laneValues(old);
	const isUniform = values.every((word) => word === values[0]);
	const lanes = make("div", {class: "lane-values"});
	const box = make("details", {class: `register vector${old !== undefined ? " changed" : ""}`},
		make("summary", null, make("span", {class: "register-name"}, register.name),
			make("span", {class: "register-value"}, wordText(values[chosen.lane] || 0, format)),
			make("span", {class: "quiet uniform"}, isUniform ? "all lanes" : ""),
			old !== undefined ? make("span", {class: "unseen"}, "changed") : null), lanes);

	box.addEventListener("toggle", () => {
		if (!lanes.childElementCount)
			lanes.append(...values.map((word, lane) => make("span", {
				class: [before && before[lane] !== word ? "changed" : "", (exec >> BigInt(lane)) & 1n ? "" : "idle"].join(" ").trim() || null,
				title: before && before[lane] !== word ? `before: ${wordText(before[lane], format)}` : null},
			make("i", null, String(lane)), wordText(word, format))));
	});
	return box;
}

function drawRegisters(box, data) {
	const exec = BigInt(data.exec || 0);
	const list = data.registers.map(([id, value, old]) => [registerTable.get(id) || {name: "?", type: "", classes: []}, value, old])
		.filter(([register, , old]) => (chosen.class === "all" || register.classes.includes(chosen.class)) && (!chosen.changedOnly || old !== undefined));
	const part = (title, isVector) => {
		const some = list.filter(([register]) => register.isVector === isVector);

		return some.length ? make("div", null, title ? make("h5", null, title) : null, make("div", {class: isVector ? "registers vectors" : "registers"},
			some.map(([register, value, old]) => isVector ? vectorRegister(register, value, old, chosen.format, exec)
				: scalarRegister(register, value, old, chosen.format)))) : null;
	};
	const both = list.some(([register]) => register.isVector) && list.some(([register]) => !register.isVector);

	box.replaceChildren(...[part(both ? "Scalar" : null, false), part(`In lane ${chosen.lane}`, true)].filter(Boolean));
	if (!list.length)
		box.append(make("p", {class: "quiet"}, chosen.changedOnly ? "None of these changed since the stop before." : "None was recorded."));
}

function registersCard(data) {
	const names = classesOf(data), body = make("div", {class: "scroller register-scroller", tabindex: 0, role: "region", "aria-label": "registers"});
	const changes = data.registers.filter((row) => row.length > 2).length;
	const only = make("input", {type: "checkbox", id: "changed-only"});
	const draw = () => drawRegisters(body, data);

	if (!names.includes(chosen.class))
		chosen.class = names[0];
	chosen.changedOnly = chosen.changedOnly && changes > 0;
	only.checked = chosen.changedOnly;
	only.addEventListener("change", () => {
		chosen.changedOnly = only.checked;
		draw();
	});
	draw();
	const card = make("section", {class: "card"}, make("h4", null, "Registers"),
		make("div", {class: "tools"},
			choices("Register class", names, chosen.class, (name) => {
				chosen.class = name;
				draw();
			}),
			choices("Format", FORMATS, chosen.format, (name) => {
				chosen.format = name;
				draw();
			}),
			changes ? make("span", {class: "tool"}, only, make("label", {for: "changed-only"}, ` Only the ${changes.toLocaleString("en")} that changed`)) : null),
		body,
		data.compared ? changes ? null : make("p", {class: "quiet"}, "No register changed since the stop before.") : make("p", {class: "quiet"}, shown.stop === 1 ? "This is the first stop: what changed is not known."
			: "What changed since the stop before is not known: this wave's registers were not recorded there."));

	return {card, redraw: draw};
}
