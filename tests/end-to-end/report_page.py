# SPDX-License-Identifier: MIT
"""A report as a program reads it: its elements, its own script and style, and its blocks of data."""

import base64
import hashlib
import html.parser
import json
import re

# Elements that have no end.
EMPTY = {"meta", "br", "img", "input", "link", "hr"}


class Page(html.parser.HTMLParser):
    """What the markup of a report is, and that it is well formed."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.bytes = path.read_bytes()
        self.open, self.tags, self.problems = [], [], []
        self.blocks, self.scripts, self.styles, self.policies = {}, [], [], []
        self.feed(self.bytes.decode("utf-8"))
        self.close()
        if self.open:
            self.problems.append(f"not ended: {self.open}")

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag not in EMPTY:
            self.open.append((tag, attributes))
        self.problems += [f"<{tag} {name}>" for name in attributes if name.startswith("on") or name in ("src", "style", "srcdoc", "action")]
        if not attributes.get("href", "#").startswith("#"):
            self.problems.append(f"<{tag} href={attributes['href']}>")
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(attributes["content"])
        elif "http-equiv" in attributes:
            self.problems.append(f"<meta http-equiv={attributes['http-equiv']}>")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.problems.append(f"</{tag}> in {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        tag, attributes = self.open[-1] if self.open else ("", {})
        if tag == "style":
            self.styles.append(data)
        elif tag == "script" and attributes.get("type") == "application/json":
            if attributes["id"] in self.blocks:
                self.problems.append(f"two blocks {attributes['id']}")
            if re.search(r"[<>&]", data):
                self.problems.append(f"block {attributes['id']} has a character of markup")
            self.blocks[attributes["id"]] = json.loads(data)
        elif tag == "script":
            if attributes:
                self.problems.append(f"<script {attributes}>")
            self.scripts.append(data)

    def handle_comment(self, data):
        self.problems.append(f"comment {data}")

    def wave(self, stop, wave):
        """A wave with its registers as (name, type, bytes, value, values before) and its frames."""
        data = self.blocks[f"wave-{stop}-{wave}"]
        table = {row[0]: row for row in self.blocks["registers"]["rows"]}
        rows = []
        for handle, value in zip(self.blocks[f"layout-{data['layout']}"], data["values"]):
            _, name, type_, _, size = table[handle]
            rows.append((name, type_, size, *value) if isinstance(value, list) else (name, type_, size, value))
        return {**data, "registers": rows, "frames": self.blocks[f"frames-{data['frames']}"]}

    def policy(self):
        """Directive -> its words."""
        (text,) = self.policies
        return {words[0]: words[1:] for words in (part.split() for part in text.split(";"))}

    def markup(self):
        """The elements that are there, without the blocks of data."""
        return [(tag, attributes) for tag, attributes in self.tags if attributes.get("type") != "application/json"]


def hash_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def lane_values(text):
    """"7f,3c0+5*3f" as numbers: a value, what it grows by, how many lanes, all in hexadecimal."""
    values = []
    for part in text.split(","):
        first, _, times = part.partition("*")
        value, _, step = first.partition("+")
        values += [(int(value, 16) + i * int(step or "0", 16)) % (1 << 32) for i in range(int(times or "1", 16))]
    return values
