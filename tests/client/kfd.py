# SPDX-License-Identifier: MIT
"""The calls of AMD's kernel driver, and of the process that stands for it, as the headers of the tree have them.

    kfd.create_queue(ring_size=4096)    struct kfd_create_queue
    kfd.QUEUE_COMPUTE_AQL               an enumerator, or a macro that is a number
    wire.call(request=1)                struct wt_wire_call
"""

import ctypes
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WORDS = {"uint64_t": ctypes.c_uint64, "uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32, "uint8_t": ctypes.c_uint8}
TOKEN = re.compile(r"\w+|[^\s\w]")


class Headers:
    """What some headers define of one prefix, without it."""

    def __init__(self, prefix, *names):
        self._prefix = prefix
        self._values = {"KFD_EXCEPTION": lambda code: 1 << code - 1}
        for name in names:
            text = re.sub(r"/\*.*?\*/", "", (SOURCE / name).read_text("utf-8"), flags=re.S)
            for macro, value in re.findall(r"(?m)^#define (\w+) (.+)$", text):
                self._define(macro, value)
            for body in re.findall(r"\benum \w+ \{(.*?)\};", text, re.S):
                self._enumerate(body)
            for structure, body in re.findall(r"(?m)^struct (\w+) (\{.*?^\});", text, re.S):
                self._set(structure, self._structure(structure, iter(TOKEN.findall(body)[1:])))

    def _set(self, name, value):
        self._values[name] = value
        if name.lower().startswith(self._prefix):
            setattr(self, name[len(self._prefix):], value)

    def _number(self, text):
        text = re.sub(r"U?INT(?:64|32)_C\((\w+)\)", r"\1", text)
        text = re.sub(r"\b(0x[0-9a-fA-F]+|\d+)[uU]\b", r"\1", text)
        return eval(text, {}, self._values)  # pylint: disable=eval-used

    def _define(self, name, text):
        try:
            value = self._number(text)
        except (NameError, SyntaxError):
            return
        self._set(name, ord(value) if isinstance(value, str) and len(value) == 1 else value)

    def _enumerate(self, body):
        following = 0
        for part in filter(str.strip, body.split(",")):
            name, _, text = part.partition("=")
            value = self._number(text.strip()) if text else following
            self._set(name.strip(), value)
            following = value + 1

    def _structure(self, name, tokens, base=ctypes.Structure):
        """A structure or union, whose opening brace is behind us."""
        fields, anonymous = [], []
        for token in tokens:
            if token == "}":
                break
            word = token
            kind = WORDS.get(word)
            if word in ("struct", "union"):
                tag = next(tokens)
                kind = (self._structure(f"{name}_part", tokens, ctypes.Union if word == "union" else ctypes.Structure) if tag == "{"
                        else self._values[tag])
            if kind is None:
                raise ValueError(f"{name}: {word} is no type that is known")
            token = next(tokens)
            if token == ";":
                anonymous.append(f"part{len(fields)}")
                fields.append((anonymous[-1], kind))
            while token != ";":
                member, token = token, next(tokens)
                count = None
                if token == "[":
                    count = self._number(next(tokens))
                    if next(tokens) != "]":
                        raise ValueError(f"{name}.{member}: its length is no single word")
                    token = next(tokens)
                fields.append((member, kind * count if count is not None else kind))
                if token == ",":
                    token = next(tokens)
        return type(name, (base,), {"_anonymous_": anonymous, "_fields_": fields})


kfd = Headers("kfd_", "device/kfd-debug.h", "driver/owner/kfd.h")
wire = Headers("wt_wire_", "driver/wire/wire.h")
