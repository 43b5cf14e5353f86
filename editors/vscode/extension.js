// SPDX-License-Identifier: MIT
// Visual Studio Code opens traces: the adapter is `wavetape dap`, and a *.wtape file shows the page that `wavetape report` writes.
"use strict";

const child_process = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const vscode = require("vscode");

const MOST_SECONDS = 120;

function command() {
	return vscode.workspace.getConfiguration("wavetape").get("command") || "wavetape";
}

// The page of a trace, or an error with what the command said.
function report(file) {
	return new Promise((resolve, reject) => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), "wavetape-"));
		const page = path.join(folder, "report.html");
		const words = ["report", "--output=" + page, "--", file];

		child_process.execFile(command(), words, { timeout: MOST_SECONDS * 1000 }, (error, _output, messages) => {
			try {
				// A trace that is damaged has a page all the same.
				resolve(fs.readFileSync(page, "utf8"));
			} catch (_) {
				reject(new Error(messages || String(error)));
			} finally {
				fs.rmSync(folder, { recursive: true, force: true });
			}
		});
	});
}

function escaped(text) {
	return text.replace(/[&<>"]/g, (character) => "&#" + character.charCodeAt(0) + ";");
}

// The page loads nothing and sends nothing: it has a policy of its own that says so.
class ReportEditor {
	openCustomDocument(uri) {
		return { uri, dispose() {} };
	}

	async resolveCustomEditor(document, panel) {
		panel.webview.options = { enableScripts: true, localResourceRoots: [] };
		panel.webview.html = "<p>The report is being written.</p>";
		try {
			panel.webview.html = await report(document.uri.fsPath);
		} catch (error) {
			panel.webview.html = "<p>This trace has no report:</p><pre>" + escaped(error.message) + "</pre>";
		}
	}
}

async function pickTrace() {
	const files = await vscode.window.showOpenDialog({ canSelectMany: false, filters: { "wavetape traces": ["wtape"] } });

	return files && files[0].fsPath;
}

// The trace that is shown, or clicked on, or chosen.
async function debugTrace(uri) {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	const shown = tab && tab.input && tab.input.viewType === "wavetape.report" && tab.input.uri;
	const file = (uri && uri.fsPath) || (shown && shown.fsPath) || (await pickTrace());

	if (file)
		await vscode.debug.startDebugging(undefined, {
			type: "wavetape", request: "launch", name: path.basename(file), program: file });
}

function session() {
	const active = vscode.debug.activeDebugSession;

	if (active && active.type === "wavetape")
		return active;
	vscode.window.showInformationMessage("No recorded session is being debugged.");
	return undefined;
}

async function chooseLane() {
	const active = session();
	const lane = active && (await vscode.window.showInputBox({
		prompt: "The lane whose values come first, 0 to 63",
		validateInput: (text) => (/^\d+$/.test(text) && Number(text) < 64 ? undefined : "A lane is a number from 0 to 63.") }));

	if (lane)
		await active.customRequest("wavetape/lane", { lane: Number(lane) });
}

async function chooseStop() {
	const active = session();

	if (!active)
		return;
	const { stop, stops } = await active.customRequest("wavetape/stops");
	const items = stops.map((one) => ({
		label: "stop " + one.stop,
		description: one.stop === stop ? "shown" : undefined,
		detail: one.at,
		stop: one.stop }));
	const chosen = await vscode.window.showQuickPick(items);

	if (chosen)
		await active.customRequest("wavetape/goStop", { stop: chosen.stop });
}

async function lastWrite() {
	const active = session();
	const item = vscode.debug.activeStackItem;
	const editor = vscode.window.activeTextEditor;
	const word = editor && editor.document.getText(editor.selection.isEmpty
		? editor.document.getWordRangeAtPosition(editor.selection.active) : editor.selection);
	const name = active && (await vscode.window.showInputBox({
		prompt: "A variable, a register (v3, s[4:5]) or memory (0x7f00)", value: word }));

	if (!name)
		return;
	let thread = item && item.threadId;

	if (thread === undefined)
		thread = (await active.customRequest("threads")).threads[0].id;
	const found = await active.customRequest("wavetape/lastWrite", { threadId: thread, name, go: true });

	if (found.position === undefined)
		vscode.window.showInformationMessage(name + ": " + found.answer);
}

// The editor itself says nothing of an adapter that is not there: the session just does not begin.
function findCommand() {
	return new Promise((resolve, reject) => {
		child_process.execFile(command(), ["--version"], (error) => error ? reject(error) : resolve(command()));
	});
}

async function describeAdapter() {
	try {
		return new vscode.DebugAdapterExecutable(await findCommand(), ["dap"]);
	} catch (error) {
		vscode.window.showErrorMessage("wavetape cannot be run: " + error.message +
			": the setting wavetape.command names it, on the machine that has the trace.");
		throw error;
	}
}

function activate(context) {
	const factory = { createDebugAdapterDescriptor: describeAdapter };
	const commands = { pickTrace, debugTrace, chooseLane, chooseStop, lastWrite };

	context.subscriptions.push(
		vscode.debug.registerDebugAdapterDescriptorFactory("wavetape", factory),
		vscode.window.registerCustomEditorProvider("wavetape.report", new ReportEditor(), {
			webviewOptions: { retainContextWhenHidden: true } }),
		...Object.keys(commands).map((name) => vscode.commands.registerCommand("wavetape." + name, commands[name])));
}

module.exports = { activate };
