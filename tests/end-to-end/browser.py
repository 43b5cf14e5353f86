# SPDX-License-Identifier: MIT
"""A headless Chromium, driven through chromedriver by the WebDriver protocol, with Python's standard library only."""

import base64
import json
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# Neither looks for updates nor for anything else: all that is opened is a file.
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage", "--mute-audio",
    "--force-device-scale-factor=1", "--no-default-browser-check",
)
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011",
        "End": "\ue010", "Tab": "\ue004", "Enter": "\ue007", "Space": "\ue00d"}


def programs():
    """chromedriver and chromium; None where they are not installed."""
    found = [shutil.which(name) for name in ("chromedriver", "chromium")]
    return found if all(found) else None


class Browser:
    """One session. Pages are local files."""

    def __init__(self, directory):
        driver, chromium = programs()
        self.shown = None
        self.profile = tempfile.mkdtemp(dir=directory)
        # The port is the one that the system gives it, which it says on its first lines.
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        start_new_session=True)
        try:
            self.root = f"http://127.0.0.1:{self._port()}"
            self.root += "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": {"binary": chromium, "args": [*ARGUMENTS, f"--user-data-dir={self.profile}"]},
                "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def _port(self):
        for line in self.process.stdout:
            if "started successfully on port" in line:
                return int(line.rstrip(".\n").rsplit(" ", 1)[1])
        raise RuntimeError("chromedriver did not start")

    def close(self):
        try:
            if "/session/" in getattr(self, "root", ""):
                self.ask("DELETE", "")
        finally:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=20)
            self.process.stdout.close()

    def ask(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.root + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {json.load(error)['value']['message']}") from None

    def open(self, path):
        """Seconds until the page had run its script and was laid out."""
        start = time.monotonic()
        self.ask("POST", "/url", {"url": pathlib.Path(path).resolve().as_uri()})
        self.run("return document.body.offsetHeight")
        return time.monotonic() - start

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, touch=False):
        """As a device of that width in CSS pixels shows it."""
        if self.shown == (width, height, touch):
            return
        self.shown = (width, height, touch)
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=touch)

    def scheme(self, name):
        """"light" or "dark"."""
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", {ELEMENT: element})
        self.ask("POST", f"/element/{element}/click")

    def type(self, selector, text):
        self.ask("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Keys go to what has the focus."""
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]}]})

    def text(self, selector):
        """What a reader sees of it: what is not rendered is not in it."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def texts(self, selector):
        return self.run("return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)", selector)

    def log(self):
        """What the browser had to say since it was last asked: errors, warnings, refused scripts and requests."""
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"})]

    def picture(self, path, whole=False):
        """A PNG of what is seen, or of the whole page."""
        if whole:
            size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
            data = self.devtools("Page.captureScreenshot", captureBeyondViewport=True,
                                 clip={"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1})["data"]
        else:
            data = self.ask("GET", "/screenshot")
        pathlib.Path(path).write_bytes(base64.b64decode(data))
