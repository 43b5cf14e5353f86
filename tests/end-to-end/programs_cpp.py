# SPDX-License-Identifier: MIT
"""Random programs in C++, over those in C of programs.py: classes with bases, virtual ones too, bit-fields, unions without a name, methods,
templates, namespaces, references, lambdas, vectors, arrays in classes, numbers of 16 and of 128 bits. Clang as C++ and as HIP takes them."""

import programs

HEAD = """/* Made by programs_cpp.py, seed {seed}. */
#ifdef HOST
#define MARK(...) host_mark()
#else
#define MARK(...) __builtin_debugtrap()
#endif
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif
#include "device.h"
typedef int i32;
typedef _Float16 f16;
typedef __int128 i128;
typedef unsigned __int128 u128;
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x2 __attribute__((ext_vector_type(2)));
typedef double f64x2 __attribute__((ext_vector_type(2)));
typedef int i32x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x4 __attribute__((ext_vector_type(4)));
typedef u8 u8x4 __attribute__((ext_vector_type(4)));
typedef f16 f16x2 __attribute__((ext_vector_type(2)));
template <typename T, u32 N> struct fixed {{
	T cells[N];
	DEVICE T &operator[](u32 at) {{ return cells[at % N]; }}
	DEVICE const T &operator[](u32 at) const {{ return cells[at % N]; }}
	DEVICE T *begin() {{ return cells; }}
	DEVICE T *end() {{ return cells + N; }}
}};
template <typename A, typename B> struct both {{
	A first;
	B second;
}};
template <typename T> struct maybe {{
	union {{
		T held;
		u8 nothing;
	}};
	bool is_there;
}};
template <typename... Rest> struct row {{
}};
struct nothing {{
}};
template <typename T> struct wrapped : nothing {{
	typedef T kind;
	struct inside {{
		kind low, high;
	}} range;
	const T &shown;
	union named {{
		u32 whole;
		u16 halves[2];
	}} either;
}};
template <typename First, typename... Rest> struct row<First, Rest...> : row<Rest...> {{
	First head;
}};
"""

VECTORS = {"f32x4": ("float", 4), "f32x2": ("float", 2), "f64x2": ("double", 2), "i32x2": ("i32", 2), "u16x4": ("u16", 4), "u8x4": ("u8", 4),
           "f16x2": ("f16", 2)}


class Writer(programs.Writer):
    """One program in C++."""

    integers = (*programs.INTEGERS, "bool", "i128", "u128", "char", "long long", "wchar_t", "char16_t")
    reals = (*programs.REALS, "f16")
    static = "static DEVICE"

    def __init__(self, seed):
        super().__init__(seed)
        self.strict = f"e{seed}"
        self.fields = []
        self.space = f"n{seed}"

    # ---- Variables ----

    def variables(self):
        found = super().variables()
        for name, kind, fixed in self.fields:
            found += self.parts(name, kind, fixed)
        return found

    def parts(self, place, kind, fixed, length=0):
        if kind in VECTORS and not length:
            base, size = VECTORS[kind]
            return [(f"{place}.{'xyzw'[self.random.randrange(size)]}", base, fixed)]
        if kind == "table":
            return []
        if kind.endswith("]") and kind.split("[")[0] in self.structures:
            return self.parts(f"{place}[{self.index(int(kind.split('[')[1][:-1]))}]", kind.split("[")[0], fixed)
        members = self.structures.get(kind) or self.templates.get(kind)
        if members:
            return [part for member, member_kind in members for part in self.parts(f"{place}.{member}", member_kind, fixed)]
        return super().parts(place, kind, fixed, length)

    def value(self, kind):
        if kind in VECTORS:
            base, size = VECTORS[kind]
            return f"({kind}){{{', '.join(self.value(base) for _ in range(size))}}}"
        if kind in ("i128", "u128"):
            return f"(({kind})(i64){self.integer()} << {self.random.randrange(30, 90)} ^ ({kind})(u32){self.integer()})"
        if kind in self.reals:
            return f"({kind})({self.real()})"
        if kind == self.strict:
            return f"{self.strict}::{self.pick(('low', 'zero', 'high'))}"
        if kind == "bool":
            return f"(bool)({self.condition()})"
        return super().value(kind)

    def argument(self, kind):
        if kind.endswith(" &"):
            base = kind[:-2].removeprefix("const ")
            places = [name for scope in self.scopes for name, other, fixed in scope if other == base and (not fixed or kind.startswith("const "))]
            return self.pick(places) if places else None
        return super().argument(kind)

    # ---- Types ----

    def member_kind(self):
        kind = self.pick((*self.integers, *self.reals, "u32", "i32", "i32", self.enumeration, self.strict, *VECTORS))
        if kind in ("u32", "i32", "u16", "i64", "bool", self.strict, self.enumeration) and self.chance(0.4):
            return f"{kind}:{1 if kind == 'bool' else self.random.randrange(7, 14)}"
        if kind not in VECTORS and self.chance(0.2):
            return f"{kind}[{self.random.randrange(2, 5)}]"
        return kind

    def write_member(self, name, kind):
        base, *size = kind.replace("]", "").split("[")
        self.put(f"{base.split(':')[0]} {name}{'[' + size[0] + ']' if size else ''}{' : ' + base.split(':')[1] if ':' in base else ''};")

    def union(self, stem):
        """Two views of the same bytes, without a name."""
        wide = self.chance(0.5)
        first, others = ("u64", ("i64", "double", "u32[2]", "u8[8]")) if wide else ("u32", ("i32", "float", "u16[2]", "u8[4]"))
        other = self.pick(others)
        self.put("union {")
        self.indent += 1
        self.write_member(f"{stem}w", first)
        self.write_member(f"{stem}o", other)
        self.indent -= 1
        self.put("};")
        return [(f"{stem}w", first)]

    def structure(self, number):
        name = f"s{self.seed}_{number}"
        bases = []
        for base in self.structures:
            if self.chance(0.35) and len(bases) < 2 and not any(base in self.ancestors[other] or other in self.ancestors[base] or
                                                                 self.ancestors[base] & self.ancestors[other] for other in bases):
                bases.append(base)
        virtual = [base for base in bases if self.chance(0.3)]
        self.ancestors[name] = {name}.union(*(self.ancestors[base] for base in bases))
        self.put(f"struct {name}{' : ' if bases else ''}{', '.join(('virtual ' if one in virtual else '') + one for one in bases)} {{")
        self.indent += 1
        members, own = [], []
        for base in bases:
            members += self.structures[base]
        for i in range(self.random.randrange(1, 6)):
            stem = f"m{number}{i}"
            if self.chance(0.12):
                own += self.union(stem)
            elif self.chance(0.1):
                self.put("struct {")
                self.indent += 1
                for part in "ab":
                    kind = self.pick(("u16", "i8", "float", "i32"))
                    self.write_member(stem + part, kind)
                    own.append((stem + part, kind))
                self.indent -= 1
                self.put("};")
            elif self.chance(0.12) and self.structures:
                inner = self.pick(self.structures)
                self.put(f"{inner} {stem};")
                own.append((stem, inner))
            elif self.chance(0.12):
                element, size = self.pick(("i32", "u16", "float", "double", "u8")), self.random.randrange(2, 5)
                self.put(f"fixed<{element}, {size}> {stem};")
                own.append((f"{stem}.cells", f"{element}[{size}]"))
            else:
                kind = self.member_kind()
                self.write_member(stem, kind)
                own.append((stem, kind))
        self.structures[name] = members + own
        for i in range(self.random.randrange(0, 3)):
            self.method(name, i)
        if self.chance(0.3):
            self.put(f"static constexpr i32 limit = {self.random.randrange(99)};")
        self.indent -= 1
        self.put("};")
        self.put("")

    def method(self, of, number):
        self.begin(3)
        constant, parameters = self.chance(0.5), [self.pick(("i32", "u32", "float", "u64", "i16", self.strict)) for _ in range(self.random.randrange(0, 3))]
        name, result = f"do{of[1:]}_{number}", self.pick(("u32", "i32", "float", "u64"))
        for i, kind in enumerate(parameters):
            self.add(f"p{i}", kind)
        self.put(f"METHOD {result} {name}({', '.join(f'{kind} p{i}' for i, kind in enumerate(parameters))}){' const' if constant else ''}")
        self.put("{")
        self.fields = [(member, kind, constant) for member, kind in self.structures[of]]
        functions, self.functions = self.functions, []
        self.block_of_function(result)
        self.functions = functions
        self.fields = []
        self.put("}")
        self.methods.append((of, programs.Function(name, result, parameters, max(self.hits, 1))))

    # ---- Statements ----

    def declare(self):
        choice, name = self.random.random(), self.name()
        if choice < 0.2 and self.structures:
            self.declare_structure()
        elif choice < 0.22:
            self.put(f"char {name}[6] = \"{''.join(self.pick('abcXYZ') for _ in range(self.random.randrange(1, 6)))}\";")
            self.add(name, "char[6]")
        elif choice < 0.27:
            kind = self.pick(VECTORS)
            self.put(f"{kind} {name} = {self.value(kind)};")
            self.add(name, kind)
        elif choice < 0.34:
            kind = self.pick(("i128", "u128", "f16", "bool", self.strict))
            self.put(f"{kind} {name} = {self.value(kind)};")
            self.add(name, kind)
        elif choice < 0.42:
            self.reference(name)
        elif choice < 0.48:
            self.fixed(name)
        elif choice < 0.54:
            self.of_template(name)
        elif choice < 0.6:
            self.table(name)
        elif choice < 0.63 and self.structures:
            kind, size = self.pick(self.structures), self.random.randrange(2, 4)
            self.put(f"{kind} {name}[{size}] = {{}};")
            for i in range(size):
                for place, member in self.members_of(f"{name}[{i}]", kind):
                    self.put(f"{place} = {self.value(member)};")
            self.add(name, f"{kind}[{size}]")
        elif choice < 0.66:
            self.wrapped(name)
        else:
            super().declare()

    def declare_structure(self):
        kind, name = self.pick(self.structures), self.name("s")
        self.put(f"{kind} {name}{{}};")
        for place, member in self.members_of(name, kind):
            self.put(f"{place} = {self.value(member)};")
        self.add(name, kind)

    def members_of(self, name, kind):
        """All parts of a class, each with a type that can be assigned."""
        for member, other in self.structures[kind]:
            if other in self.structures:
                yield from self.members_of(f"{name}.{member}", other)
            elif "[" in other:
                base, size = other[:-1].split("[")
                for i in range(int(size)):
                    yield f"{name}.{member}[{i}]", base
            else:
                yield f"{name}.{member}", other.split(":")[0]

    def reference(self, name):
        found = [(other, kind, fixed) for scope in self.scopes for other, kind, fixed in scope
                 if kind in self.integers or kind in self.reals or kind in self.structures]
        if not found:
            return
        other, kind, fixed = self.pick(found)
        constant = fixed or self.chance(0.4)
        self.put(f"{'const ' if constant else ''}{kind} &{name} = {other};")
        self.add(name, kind, constant)

    def fixed(self, name):
        element, size = self.pick(("i32", "u16", "float", "double", "u8", "u64")), self.random.randrange(2, 6)
        self.put(f"fixed<{element}, {size}> {name};")
        self.fill(name, element, size, "u32")
        self.templates[f"fixed<{element}, {size}>"] = [("cells", f"{element}[{size}]")]
        self.add(name, f"fixed<{element}, {size}>")

    def of_template(self, name):
        first, second = (self.pick(("i32", "float", "u64", "u8", "bool", "double", self.strict)) for _ in range(2))
        which = self.random.randrange(3)
        kind = (f"both<{first}, {second}>", f"maybe<{first}>", f"row<{first}, {second}>")[which]
        members = ([("first", first), ("second", second)], [("held", first), ("is_there", "bool")],
                   [("head", first), (f"row<{second}>::head", second)])[which]
        self.put(f"{kind} {name}{{}};")
        for member, member_kind in members:
            self.put(f"{name}.{member} = {self.value(member_kind)};")
        self.templates[kind] = members
        self.add(name, kind)
        if which == 0 and self.chance(0.5):
            names = [self.name() for _ in range(2)]
            self.put(f"auto [{', '.join(names)}] = {name};")
            self.bindings |= set(names)
            for one, member_kind in zip(names, (first, second)):
                self.add(one, member_kind)

    def wrapped(self, name):
        """A class of nearly no members whose names are told: an empty base, a type in it, a reference, a union with a name."""
        kind = self.pick(("i32", "float", "u64", "i16"))
        shown = self.named(kind)
        if not shown:
            return
        self.put(f"wrapped<{kind}> {name} = {{{{}}, {{{self.value(kind)}, {self.value(kind)}}}, {self.pick(shown)}, {{{self.value('u32')}}}}};")
        self.templates[f"wrapped<{kind}>"] = [("range.low", kind), ("range.high", kind), ("either.whole", "u32")]
        self.add(name, f"wrapped<{kind}>")

    def table(self, name):
        kind, rows, columns = self.pick(("i32", "u16", "float", "u8")), self.random.randrange(2, 4), self.random.randrange(2, 4)
        inner = ", ".join("{" + ", ".join(self.value(kind) for _ in range(columns)) + "}" for _ in range(rows))
        self.put(f"{self.pick(('', 'const '))}{kind} {name}[{rows}][{columns}] = {{{inner}}};")
        self.add(name, "table")

    def lambda_(self):
        scopes = self.scopes
        # Compilers of today's ROCm alone capture what is bound.
        self.scopes = [[one for one in scope if one[0] not in self.bindings] for scope in scopes]
        places = [name for scope in self.scopes for name, kind, fixed in scope if kind == "u32" and not fixed]
        name, mark, taken = self.name("l"), self.hits + self.rounds <= self.limit, self.name()
        by_reference = places and self.chance(0.5)
        self.put(f"auto {name} = [{'&' if by_reference else '='}](u32 x, i32 y) {{")
        self.indent += 1
        value = self.value("u32")
        self.put(f"u32 inside = x * 3 + {value};")
        if by_reference:
            self.put(f"{self.pick(places)} += inside;")
        if mark:
            self.hits += self.rounds
            self.put("MARK(x, y, inside);")
        self.put("return inside + (u32)y;")
        self.indent -= 1
        self.put("};")
        self.scopes = scopes
        known = self.known()
        self.put(f"u32 {taken} = {name}({self.value('u32')}, {self.value('i32')}); /* MARK({known}); */")
        self.add(taken, "u32")

    def through_member(self):
        """A member by a pointer to members, and a round over an array."""
        for scope in self.scopes:
            for name, kind, fixed in scope:
                if kind.startswith("fixed<") and not fixed:
                    total = self.name()
                    element = self.templates[kind][0][1].split("[")[0]
                    self.put(f"double {total} = 0;")
                    self.put("")
                    self.put(f"for (const {element} &one : {name}.cells)")
                    self.put(f"\t{total} += (double)one;")
                    self.add(total, "double")
                    return

    def call_method(self):
        fitting = [(name, method) for of, method in self.methods for name in
                   [name for scope in self.scopes for name, kind, fixed in scope if not fixed and kind in self.structures and of in self.ancestors[kind]]
                   if self.hits + self.rounds * method.hits <= self.limit]
        if not fitting:
            return
        of, method = self.pick(fitting)
        arguments = [self.value(kind) for kind in method.parameters]
        self.hits += self.rounds * method.hits
        known, name = self.known(), self.name()
        self.put(f"{method.result} {name} = {of}.{method.name}({', '.join(arguments)}); /* MARK({known}); */")
        self.add(name, method.result)

    def statement(self):
        choice = self.random.random()
        if choice < 0.06:
            self.lambda_()
        elif choice < 0.2:
            self.call_method()
        elif choice < 0.24:
            self.through_member()
        else:
            super().statement()

    # ---- Functions ----

    def function(self, number):
        if self.chance(0.5):
            super().function(number)
            return
        self.begin(6)
        name, result = f"t{self.seed}_{number}", self.pick(("u32", "i32", "u64", "float"))
        kind, size = self.pick(("i32", "u32", "float", "double", "u8", "i16", "u64")), self.random.randrange(1, 9)
        others = [f"{self.pick((*self.structures, 'u32', 'i32'))} &" for _ in range(self.random.randrange(0, 2))]
        others = [f"const {one}" if self.chance(0.5) else one for one in others]
        self.put(f"template <typename T, u32 N> {'INLINE' if self.chance(0.3) else 'NOINLINE'} {result} {name}("
                 f"{', '.join(['T p0', *(f'{one} p{i + 1}' for i, one in enumerate(others))])})")
        self.put("{")
        self.add("p0", kind)
        for i, one in enumerate(others):
            self.add(f"p{i + 1}", one[:-2].removeprefix("const "), one.startswith("const "))
        self.indent += 1
        self.put("constexpr u32 twice = N * 2;")
        self.put("T copy = (T)(p0 * N + twice);")
        self.indent -= 1
        self.add("copy", kind)
        self.block_of_function(result)
        self.put("}")
        self.put("")
        self.functions.append(programs.Function(f"{name}<{kind}, {size}>", result, [kind, *others], max(self.hits, 1)))

    def program(self):
        self.ancestors, self.methods, self.templates, self.bindings = {}, [], {}, set()
        self.put(f"namespace {self.space} {{")
        self.put(f"enum class {self.strict} : {self.pick(('i8', 'u8', 'i16', 'i32', 'u64'))} {{ low = {self.random.randrange(1, 3)}, zero = 0, high = 100 }};")
        lines = super().program()
        at = next(i for i, line in enumerate(lines) if line.startswith("KERNEL"))
        lines.insert(at, "}")
        lines.insert(at + 1, f"using namespace {self.space};")
        lines[at + 2] = 'extern "C" ' + lines[at + 2]
        return lines


def source_of(seeds):
    """The text of a source with a program for each seed."""
    lines = []
    for seed in seeds:
        lines += ["", *Writer(seed).program()]
    return HEAD.format(seed=", ".join(map(str, seeds))) + "\n".join(lines) + "\n"
