#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What editors are given: the extension of Visual Studio Code with a stand-in for the editor, and clients that nobody here wrote.

The extension runs where there is node. Where WAVETAPE_TEST_NODE_MODULES names a folder with @vscode/debugadapter-testsupport, its client
and its expectations are tried; where WAVETAPE_TEST_NVIM_DAP names a tree of nvim-dap, Neovim drives a session. What is not tried is said.
"""

import json
import os
import re
import shutil
import unittest

import support

MODULES = os.environ.get("WAVETAPE_TEST_NODE_MODULES")
NVIM_DAP = os.environ.get("WAVETAPE_TEST_NVIM_DAP")

# The editor, as far as the extension needs it: what it registers is kept, and shown at the end.
STAND_IN = """
const Module = require("module");
const kept = { commands: {}, sessions: [], messages: [] };
const vscode = {
	workspace: { getConfiguration: () => ({ get: () => kept.command || process.argv[3] }) },
	window: {
		registerCustomEditorProvider: (type, provider) => { kept.editor = [type, provider]; return {}; },
		showInformationMessage: (text) => kept.messages.push(text),
		showErrorMessage: (text) => kept.messages.push(text),
		showOpenDialog: async () => [{ fsPath: "/chosen.wtape" }],
		tabGroups: { activeTabGroup: { activeTab: undefined } },
	},
	debug: {
		registerDebugAdapterDescriptorFactory: (type, factory) => { kept.factory = [type, factory]; return {}; },
		startDebugging: async (_folder, configuration) => kept.sessions.push(configuration),
	},
	commands: { registerCommand: (name, run) => { kept.commands[name] = run; return {}; } },
	DebugAdapterExecutable: class { constructor(command, args) { this.command = command; this.args = args; } },
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
const context = { subscriptions: [] };
require(process.argv[2]).activate(context);
(async () => {
	const panel = { webview: {} }, lost = { webview: {} };
	const editor = kept.editor[1];
	await editor.resolveCustomEditor(editor.openCustomDocument({ fsPath: process.argv[4] }), panel);
	await editor.resolveCustomEditor(editor.openCustomDocument({ fsPath: "/nowhere<.wtape" }), lost);
	await kept.commands["wavetape.debugTrace"]({ fsPath: "/clicked.wtape" });
	await kept.commands["wavetape.debugTrace"]();
	await kept.commands["wavetape.chooseLane"]();
	const adapter = await kept.factory[1].createDebugAdapterDescriptor();
	kept.command = "/nowhere/wavetape";
	const missing = await kept.factory[1].createDebugAdapterDescriptor().then(() => "found", (error) => error.code);
	console.log(JSON.stringify({
		commands: Object.keys(kept.commands), disposables: context.subscriptions.length, type: [kept.factory[0], kept.editor[0]],
		adapter, missing, sessions: kept.sessions, messages: kept.messages,
		page: panel.webview.html, lost: lost.webview.html, scripts: panel.webview.options }));
})();
"""

# The client of the protocol's own tests, and what it expects.
TESTSUPPORT = """
const { DebugClient } = require("@vscode/debugadapter-testsupport");
const [command, trace, line, source] = process.argv.slice(2);
(async () => {
	const client = new DebugClient(command, "dap", "wavetape", {}, true);
	client.spawnDebugAdapter = undefined;
	const child = require("child_process").spawn(command, ["dap"]);
	client.connect(child.stdout, child.stdin);
	await Promise.all([
		client.configurationSequence(), client.launch({ program: trace }),
		client.assertStoppedLocation("exception", { line: Number(line) })]);
	const threads = (await client.threadsRequest()).body.threads;
	const threadId = threads[0].id;
	await Promise.all([client.stepBackRequest({ threadId }), client.waitForEvent("stopped")]);
	await Promise.all([client.reverseContinueRequest({ threadId }), client.waitForEvent("stopped")]);
	const set = await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: Number(line) }] });
	const hit = client.waitForEvent("stopped");
	await client.continueRequest({ threadId });
	const stopped = await hit;
	const failed = await client.send("nonsense").then(() => "answered", (error) => error.message);
	await client.disconnectRequest({});
	console.log(JSON.stringify([threads.length, set.body.breakpoints[0].verified, stopped.body.reason, failed]));
	process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
"""


class Code(support.Case):
    """The extension of Visual Studio Code."""

    folder = property(lambda self: support.TREE.source / "editors/vscode")

    def test_what_it_names(self):
        """Commands, the type and requests of the extension are those of the package and of the adapter."""
        package = json.loads((self.folder / "package.json").read_text("utf-8"))
        text = (self.folder / "extension.js").read_text("utf-8")
        contributes = package["contributes"]
        self.assertEqual(package["main"], "./extension.js")
        self.assertEqual(contributes["debuggers"][0]["type"], "wavetape")
        self.assertEqual(contributes["customEditors"][0]["selector"], [{"filenamePattern": "*.wtape"}])
        named = {item["command"] for menu in contributes["menus"].values() for item in menu}
        self.assertLessEqual(named, {command["command"] for command in contributes["commands"]})
        served = "".join(path.read_text("utf-8") for path in (support.TREE.source / "cli/serve").glob("dap-*.c"))
        for request in re.findall(r'customRequest\("([^"]+)"', text):
            self.assertIn(f'{{"{request}", ', served)
        taken = set(re.findall(r'(?:wt_dap_number|wt_dap_text|json_object_get)\(arguments, "(\w+)"', served))
        for kind in contributes["debuggers"][0]["configurationAttributes"].values():
            self.assertLessEqual(set(kind["properties"]), taken)

    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_with_a_stand_in(self):
        program = self.directory / "editor.js"
        program.write_text(STAND_IN, "utf-8")
        trace = self.trace("oob-store-O0")
        result = support.run("node", program, self.folder / "extension.js", support.TREE.command, trace)
        self.assertEqual((result.code, result.stderr), (0, ""))
        kept = json.loads(result.stdout)
        package = json.loads((self.folder / "package.json").read_text("utf-8"))
        self.assertEqual(sorted(kept["commands"]), sorted(one["command"] for one in package["contributes"]["commands"]))
        self.assertEqual(kept["disposables"], 2 + len(kept["commands"]))
        self.assertEqual(kept["type"], ["wavetape", package["contributes"]["customEditors"][0]["viewType"]])
        self.assertEqual(kept["adapter"], {"command": str(support.TREE.command), "args": ["dap"]})
        self.assertEqual([one["program"] for one in kept["sessions"]], ["/clicked.wtape", "/chosen.wtape"])
        self.assertEqual(kept["missing"], "ENOENT")
        self.assertEqual(kept["messages"], ["No recorded session is being debugged.",
                                            "wavetape cannot be run: spawn /nowhere/wavetape ENOENT: the setting wavetape.command names it, "
                                            "on the machine that has the trace."])
        self.assertIn("<!doctype html>", kept["page"].lower())
        self.assertIn("oob_store", kept["page"])
        self.assertTrue(kept["lost"].startswith("<p>This trace has no report:</p><pre>wavetape: "), kept["lost"])
        self.assertIn("/nowhere&#60;.wtape", kept["lost"])
        self.assertEqual(kept["scripts"], {"enableScripts": True, "localResourceRoots": []})


class Others(support.Case):
    @unittest.skipUnless(MODULES, "WAVETAPE_TEST_NODE_MODULES names no folder")
    def test_the_client_of_the_protocol(self):
        program = self.directory / "client.js"
        program.write_text(TESTSUPPORT, "utf-8")
        os.symlink(MODULES, self.directory / "node_modules")
        line = support.TREE.line_of("oob-store", "out[index] =")
        result = support.run("node", program, support.TREE.command, self.trace("oob-store-O0"), str(line), "tests/kernels/oob-store.c")
        self.assertEqual((result.code, result.stderr), (0, ""))
        self.assertEqual(json.loads(result.stdout), [1, True, "breakpoint", "cannot answer: there is no request nonsense here"])

    @unittest.skipUnless(NVIM_DAP and shutil.which("nvim"), "WAVETAPE_TEST_NVIM_DAP names no tree, or there is no nvim")
    def test_neovim(self):
        """Neovim with nvim-dap: to the fault, a step back, and to the launch."""
        script = self.directory / "drive.lua"
        script.write_text(NEOVIM, "utf-8")
        result = support.run("nvim", "--headless", "-u", "NONE", "--cmd", f"set runtimepath+={NVIM_DAP}", "-c",
                             f"luafile {script}", WAVETAPE=support.TREE.command, TRACE=self.trace("oob-store-O0"),
                             OUT=self.directory / "out", HOME=self.directory)
        said = (self.directory / "out").read_text("utf-8") if (self.directory / "out").exists() else result.stderr
        line = support.TREE.line_of("oob-store", "out[index] =")
        self.assertEqual(said.splitlines()[:1], [f"exception oob_store {line} 1213"], said)
        self.assertRegex(said, r"\nstep oob_store \d+ \S+\nstep oob_store \d+ \S+\nclosed\n\Z")


# nvim-dap calls listeners; each stop starts the next request.
NEOVIM = """
local dap = require('dap')
local out = io.open(os.getenv('OUT'), 'w')
local orders = { 'step_back', 'reverse_continue', 'close' }
local function say(text) out:write(text .. '\\n') out:flush() end
dap.adapters.wavetape = { type = 'executable', command = os.getenv('WAVETAPE'), args = { 'dap' } }
dap.listeners.after.event_stopped['test'] = function(session, body)
  session:request('stackTrace', { threadId = body.threadId }, function(err, response)
    if err then say('error ' .. vim.inspect(err)) vim.cmd('qall!') end
    local frame = response.stackFrames[1]
    session:request('evaluate', { expression = 'index', frameId = frame.id, context = 'watch' }, function(wrong, value)
      say(body.reason .. ' ' .. frame.name .. ' ' .. frame.line .. ' ' .. (wrong and '?' or value.result:match('^%S+')))
      local order = table.remove(orders, 1)
      vim.schedule(function()
        if order == 'close' then
          dap.terminate()
          vim.defer_fn(function() say('closed') vim.cmd('qall!') end, 500)
        else
          dap[order]()
        end
      end)
    end)
  end)
end
dap.run({ type = 'wavetape', request = 'launch', name = 'trace', program = os.getenv('TRACE') })
vim.defer_fn(function() say('late') vim.cmd('qall!') end, 30000)
"""

if __name__ == "__main__":
    for name, what in (("WAVETAPE_TEST_NODE_MODULES", "the client of the protocol's tests"), ("WAVETAPE_TEST_NVIM_DAP", "Neovim")):
        if not os.environ.get(name):
            print(f"{what} is not tried: {name} names no folder with it")
    support.main(__doc__)
