# SPDX-License-Identifier: MIT
"""Random programs in C, the same for the GPU and for a host: structures, loops, calls. Every MARK, and every call, names in its line
the variables of its function that have been assigned there. Values are defined on both: arithmetic is that of unsigned numbers,
shifts and indexes are in range, and numbers with a fraction stay exact as long as they are small."""

import random

# How each type is written, and what kind of arithmetic it takes.
INTEGERS = ("i32", "u32", "i64", "u64", "u8", "i16", "u16", "i8")
REALS = ("float", "double")
MAX_HITS = 24  # of marks, for a call of a kernel

HEAD = """/* Made by programs.py, seed {seed}. */
#ifdef HOST
#define MARK(...) host_mark()
#else
#define MARK(...) __builtin_debugtrap()
#endif
#include "device.h"
typedef int i32;
"""


class Function:
    def __init__(self, name, result, parameters, hits):
        self.name, self.result, self.parameters, self.hits = name, result, parameters, hits


class Writer:
    """One program: its types, its functions, and a kernel that calls them."""

    integers, reals, static = INTEGERS, REALS, "static"

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.lines, self.functions, self.structures = [], [], {}
        self.enumeration = f"kind_{seed}"
        self.indent = 0

    # ---- Text ----

    def put(self, text):
        self.lines.append("\t" * self.indent + text)

    def known(self):
        return ", ".join(name for scope in self.scopes for name, kind, _ in scope if not kind.endswith("*"))

    def mark(self):
        self.hits += self.rounds
        self.put(f"MARK({self.known()});")

    def chance(self, share):
        return self.random.random() < share

    def pick(self, things):
        return self.random.choice(list(things))

    # ---- Variables ----

    def name(self, stem="v"):
        self.names += 1
        return f"{stem}{self.names}"

    def add(self, name, kind, fixed=False):
        self.scopes[-1].append((name, kind, fixed))

    def variables(self):
        """All that can be read here, as expressions with their types, and whether they may be assigned to."""
        found = []
        for scope in self.scopes:
            for name, kind, fixed in scope:
                pointed = kind.endswith(" *")
                base = kind[:-2] if pointed else kind
                if base in self.structures:
                    for member, member_kind in self.structures[base]:
                        place = f"{name}{'->' if pointed else '.'}{member}"
                        found += self.parts(place, member_kind, fixed)
                else:
                    found += self.parts(name, base, fixed, 4 if pointed else 0)
        return found

    def parts(self, place, kind, fixed, length=0):
        if "[" in kind:
            base, length = kind.split("[")[0], int(kind.split("[")[1][:-1])
            return [(f"{place}[{self.index(length)}]", base, fixed)]
        if length:
            return [(f"{place}[{self.index(length)}]", kind, fixed)]
        return [(place, kind.split(":")[0], fixed)]

    def index(self, length):
        if self.chance(0.6):
            return str(self.random.randrange(length))
        counters = [name for scope in self.scopes for name, kind, _ in scope if kind in ("i32", "u32")]
        return f"(u32){self.pick(counters)} % {length}" if counters else "0"

    # ---- Expressions ----

    def integer(self, depth=0):
        choice = self.random.random()
        readable = [(text, kind) for text, kind, _ in self.variables() if kind not in self.reals]
        if depth > 2 or choice < 0.35:
            return self.pick(readable)[0] if readable and self.chance(0.8) else str(self.random.randrange(100))
        if choice < 0.7:
            return f"((u32){self.integer(depth + 1)} {self.pick('+-*^&|')} (u32){self.integer(depth + 1)})"
        if choice < 0.78:
            return f"((u64){self.integer(depth + 1)} {self.pick('+*^')} (u64){self.integer(depth + 1)})"
        if choice < 0.86:
            return f"((u32){self.integer(depth + 1)} {self.pick(('>>', '<<'))} {self.random.randrange(1, 9)})"
        if choice < 0.92:
            return f"((u32){self.integer(depth + 1)} {self.pick('/%')} {self.random.randrange(2, 12)}u)"
        return f"({self.condition(depth + 1)} ? (i32){self.integer(depth + 1)} : (i32){self.integer(depth + 1)})"

    def real(self, depth=0):
        readable = [text for text, kind, _ in self.variables() if kind in self.reals]
        if depth < 2 and readable and self.chance(0.6):
            return f"({self.pick(readable)} {self.pick('+-')} {self.real(depth + 1)})"
        if readable and self.chance(0.3):
            return f"{self.pick(readable)} * {self.pick(('0.5f', '2.0f', '-1.0f'))}"
        return f"(float)((u32){self.integer(2)} & 63u) * 0.25f"

    def condition(self, depth=0):
        readable = [text for text, kind, _ in self.variables() if kind in ("i32", "i16", "i8")]
        if readable and self.chance(0.4):
            return f"{self.pick(readable)} {self.pick(('<', '>', '>='))} {self.random.randrange(-3, 20)}"
        return f"((u32){self.integer(depth + 1)} & {self.pick((1, 2, 3, 5))}u)"

    def value(self, kind):
        if kind in self.reals:
            return self.real()
        if kind == self.enumeration:
            return self.pick(("A_", "B_", "C_")) + str(self.seed)
        return f"({kind}){self.integer()}"

    # ---- Types ----

    def structure(self, number):
        name, members = f"s{self.seed}_{number}", []
        for i in range(self.random.randrange(2, 6)):
            kind = self.pick((*self.integers, *self.reals, "u32", "i32", self.enumeration))
            if kind in ("u32", "i32") and self.chance(0.3):
                kind += f":{self.random.randrange(3, 20)}"
            elif kind != self.enumeration and self.chance(0.25):
                kind += f"[{self.random.randrange(2, 5)}]"
            members.append((f"m{i}", kind))
        self.put(f"typedef struct {name} {{")
        for member, kind in members:
            base, *size = kind.replace("]", "").split("[")
            self.put(f"\t{base.split(':')[0]} {member}{'[' + size[0] + ']' if size else ''}"
                     f"{' : ' + base.split(':')[1] if ':' in base else ''};")
        self.put(f"}} {name};")
        # The members that are written by name have the types of their bits.
        self.structures[name] = members

    # ---- Statements ----

    def declare_structure(self):
        kind, name = self.pick(self.structures), self.name("s")
        values = []
        for _, member in self.structures[kind]:
            base = member.split("[")[0].split(":")[0]
            if "[" in member:
                values.append("{" + ", ".join(self.value(base) for _ in range(int(member.split("[")[1][:-1]))) + "}")
            else:
                values.append(self.value(base))
        self.put(f"{kind} {name} = {{{', '.join(values)}}};")
        self.add(name, kind)

    def fill(self, name, element, size, counting):
        """A loop over what has elements, with a counter of the type `counting`."""
        counter = self.name("k")
        self.put("")
        self.put(f"for ({counting} {counter} = 0; {counter} < {size}; {counter}++)")
        self.scopes.append([(counter, counting, True)])
        self.put(f"\t{name}[{counter}] = {self.value(element)};")
        self.scopes.pop()

    def declare(self):
        choice = self.random.random()
        if choice < 0.12 and self.structures:
            self.declare_structure()
        elif choice < 0.24:
            base, size, name = self.pick(("i32", "u32", "i16", "double", "float", "u64")), self.random.randrange(3, 7), self.name("a")
            self.put(f"{base} {name}[{size}];")
            self.fill(name, base, size, "i32")
            self.add(name, f"{base}[{size}]")
        else:
            kind = self.pick((*self.integers, "i32", "u32", "i32", *self.reals, self.enumeration))
            name, fixed = self.name(), self.chance(0.15)
            self.put(f"{'const ' if fixed else ''}{kind} {name} = {self.value(kind)};")
            self.add(name, kind, fixed)

    def assign(self):
        writable = [(text, kind) for text, kind, fixed in self.variables() if not fixed]
        if not writable:
            return
        text, kind = self.pick(writable)
        if kind in ("u32", "u64", "u8", "u16") and self.chance(0.4):
            self.put(f"{text} {self.pick('+^|')}= ({kind}){self.integer()};")
        elif kind in self.reals and self.chance(0.5):
            self.put(f"{text} += {self.real()};")
        else:
            self.put(f"{text} = {self.value(kind)};")

    def named(self, kind):
        """The variables of a type."""
        return [name for scope in self.scopes for name, other, _ in scope if other == kind]

    def argument(self, kind):
        """What can be passed for a parameter; None if there is nothing of its type."""
        if kind.endswith(" *"):
            base = kind[:-2]
            places = [name for scope in self.scopes for name, other, fixed in scope if not fixed and
                      ((other == base and base in self.structures) or (other.startswith(base + "[") and int(other[len(base) + 1:-1]) >= 4))]
            pointers = self.named(kind)
            if not places and not pointers:
                return None
            place = self.pick(places + pointers)
            return place if place in pointers or base not in self.structures else "&" + place
        if kind in self.structures:
            places = self.named(kind)
            return self.pick(places) if places else None
        return self.value(kind)

    def call(self, function=None):
        fitting = [one for one in self.functions if self.hits + self.rounds * one.hits <= self.limit]
        if not fitting:
            return
        function = function or self.pick(fitting[-3:])
        arguments = []
        for kind in function.parameters:
            argument = self.argument(kind)
            if argument is None:
                return
            arguments.append(argument)
        self.hits += self.rounds * function.hits
        known, name = self.known(), self.name()
        self.put(f"{function.result} {name} = {function.name}({', '.join(arguments)}); /* MARK({known}); */")
        self.add(name, function.result)

    def block(self, statements):
        self.scopes.append([])
        self.indent += 1
        for _ in range(statements):
            self.statement()
        self.indent -= 1
        self.scopes.pop()

    def loop(self):
        rounds, counter = self.random.randrange(2, 9), self.name("k")
        kind = self.pick(("i32", "u32", "i32"))
        if self.rounds * rounds > 32:
            return
        bound = str(rounds) if self.chance(0.7) else f"({kind})((u32){self.integer(2)} % {rounds}u) + 1"
        start = "0" if self.chance(0.7) else f"({kind})((u32){self.integer(2)} & 1u)"
        step = self.pick((f"{counter}++", f"{counter}++", f"{counter} += 2"))
        if not bound.isdigit():
            limit = self.name("n")
            self.put(f"{kind} {limit} = {bound};")
            self.add(limit, kind, True)
            bound = limit
        self.put(f"for ({kind} {counter} = {start}; {counter} < {bound}; {step}) {{")
        self.rounds *= rounds
        self.scopes.append([(counter, kind, True)])
        self.block(self.random.randrange(1, 4))
        if self.chance(0.5) and self.hits + 2 <= self.limit:
            # In one round only, or in each.
            self.indent += 1
            if self.rounds > 8 or self.chance(0.6):
                self.rounds //= rounds
                self.put(f"if ({counter} == {self.random.randrange(rounds)})")
                self.indent += 1
                self.mark()
                self.indent -= 1
                self.rounds *= rounds
            elif self.hits + self.rounds <= self.limit:
                self.mark()
            self.indent -= 1
        self.rounds //= rounds
        self.put("}")
        self.scopes.pop()

    def branch(self):
        self.put(f"if ({self.condition()}) {{")
        self.block(self.random.randrange(1, 3))
        if self.chance(0.5):
            self.put("} else {")
            self.block(self.random.randrange(1, 3))
        self.put("}")

    def switch(self):
        self.put(f"switch ((u32){self.integer(1)} & 3u) {{")
        for case in range(self.random.randrange(1, 3)):
            self.put(f"case {case}: {{")
            self.block(self.random.randrange(1, 3))
            self.put("\tbreak;")
            self.put("}")
        self.put("default:;")
        self.block(1)
        self.put("\tbreak;")
        self.put("}")

    def statement(self):
        nested = self.indent < 4
        ways = [(self.declare, 4), (self.assign, 6), (self.call, 3), (self.loop, 2 if nested else 0),
                (self.branch, 2 if nested else 0), (self.switch, 0.4 if nested else 0),
                (self.mark, 1.5 if self.hits + self.rounds <= self.limit else 0)]
        self.random.choices([way for way, _ in ways], [weight for _, weight in ways])[0]()

    # ---- Functions ----

    def begin(self, limit):
        self.scopes, self.names, self.hits, self.rounds, self.limit = [[]], 0, 0, 1, limit

    def function(self, number):
        self.begin(6)
        name, result = f"f{self.seed}_{number}", self.pick(("u32", "i32", "u64", "float", "i16"))
        kinds = [*self.integers, "u32", "i32", *self.reals, self.enumeration, *self.structures, *(f"{one} *" for one in self.structures), "u32 *", "i32 *"]
        parameters = [self.pick(kinds) for _ in range(self.random.randrange(1, 5))]
        for i, kind in enumerate(parameters):
            self.add(f"p{i}", kind, kind.endswith("*") and self.chance(0.5))
        inline = self.chance(0.3)
        self.put(f"{self.pick(('INLINE', self.static)) if inline else 'NOINLINE'} {result} {name}("
                 f"{', '.join(f'{kind} p{i}' for i, kind in enumerate(parameters))})")
        self.put("{")
        self.block_of_function(result)
        self.put("}")
        self.put("")
        self.functions.append(Function(name, result, parameters, max(self.hits, 1)))

    def block_of_function(self, result):
        self.indent += 1
        for _ in range(self.random.randrange(3, 8)):
            self.statement()
        if not self.hits or (self.chance(0.5) and self.hits < self.limit):
            self.mark()
        last = [one for one in self.functions if one.result == result and not any(kind[-1] in "*&" or kind in self.structures for kind in one.parameters)
                and self.hits + one.hits <= self.limit]
        if last and self.chance(0.3):
            # One that optimised code jumps to.
            self.hits += last[-1].hits
            self.put(f"return {last[-1].name}({', '.join(self.value(kind) for kind in last[-1].parameters)}); /* MARK({self.known()}); */")
        else:
            self.put(f"return {self.value(result)};")
        self.indent -= 1

    def recursive(self):
        """A function that calls itself, at times deeply."""
        name, depth = f"r{self.seed}", 50 if self.chance(0.04) else self.random.randrange(1, 5)
        self.begin(99)
        self.put(f"NOINLINE u32 {name}(u32 depth, u32 sum)")
        self.put("{")
        self.indent += 1
        for known in ("depth", "sum"):
            self.add(known, "u32", known == "depth")
        self.declare()
        self.put("if (!depth) {")
        self.indent += 1
        self.mark()
        self.put("return sum;")
        self.indent -= 1
        self.put("}")
        self.put(f"u32 next = {name}(depth - 1, {self.value('u32')}); /* MARK({self.known()}); */")
        self.add("next", "u32")
        if depth < 9:
            self.mark()
        self.put(f"return next ^ {self.value('u32')};")
        self.indent -= 1
        self.put("}")
        self.put("")
        return name, depth, 1 if depth > 9 else depth + 1

    def pointed(self):
        """Two functions of which a pointer chooses one."""
        names = [f"c{self.seed}_{i}" for i in range(2)]
        for name in names:
            self.begin(3)
            self.put(f"NOINLINE u32 {name}(u32 p0, i32 p1)")
            self.put("{")
            self.add("p0", "u32")
            self.add("p1", "i32")
            self.block_of_function("u32")
            self.put("}")
            self.put("")
        return names

    def program(self):
        self.put(f"typedef enum {{ A_{self.seed} = {self.random.randrange(-9, 1)}, B_{self.seed} = 3, C_{self.seed} = 40 }} {self.enumeration};")
        for i in range(self.random.randrange(1, 3)):
            self.structure(i)
        self.put("")
        recursive = self.recursive() if self.chance(0.25) else None
        for i in range(self.random.randrange(1, 6)):
            self.function(i)
        pointed = self.pointed() if self.chance(0.2) else None
        self.begin(MAX_HITS)
        self.put(f"KERNEL void k{self.seed}(GLOBAL u32 *log, i32 n, const GLOBAL u32 *data)")
        self.put("{")
        self.indent = 1
        self.put("u32 lane = (u32)__builtin_amdgcn_workitem_id_x();")
        self.put(f"u32 given = data[lane & {self.pick((0, 1, 7, 63))}];")
        for name, kind, fixed in (("n", "i32", False), ("lane", "u32", True), ("given", "u32", False)):
            self.add(name, kind, fixed)
        for _ in range(self.random.randrange(4, 9)):
            self.statement()
        for function in self.functions[-2:]:
            if self.hits + function.hits <= MAX_HITS:
                self.call(function)
        if recursive:
            self.put(f"u32 deep = {recursive[0]}({recursive[1]}, {self.value('u32')}); /* MARK({self.known()}); */")
            self.add("deep", "u32")
        if pointed:
            self.put(f"u32 (*way)(u32, i32) = {self.condition()} ? {pointed[0]} : {pointed[1]};")
            self.put(f"u32 chosen = way({self.value('u32')}, {self.value('i32')}); /* MARK({self.known()}); */")
            self.add("chosen", "u32")
        self.mark()
        self.put(f"log[lane] = {self.value('u32')};")
        self.indent = 0
        self.put("}")
        return self.lines


def source_of(seeds):
    """The text of a source with a program for each seed; their kernels are k0, k1, ..."""
    lines = []
    for seed in seeds:
        lines += ["", *Writer(seed).program()]
    return HEAD.format(seed=", ".join(map(str, seeds))) + "\n".join(lines) + "\n"
