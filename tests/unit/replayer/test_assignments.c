/* SPDX-License-Identifier: MIT */
/* Texts of functions, and whether a variable in them has the value of its declaration only. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/code/declared-text.h"

/* Debug information that knows two functions: one may change what it is given. */
static enum wt_known_word know(void *opaque, const char *word, size_t size)
{
	(void)opaque;
	if (size == 6 && !memcmp(word, "change", 6))
		return WT_WORD_FUNCTION;
	return size == 5 && !memcmp(word, "value", 5) ? WT_WORD_TAKES_VALUES : WT_WORD_UNKNOWN;
}

static uint32_t line_of(const char *text, const char *what)
{
	const char *found = strstr(text, what);
	uint32_t line = 1;

	assert_non_null(found);
	for (; text < found; text++)
		line += *text == '\n';
	return line;
}

struct asked {
	const char *text; /* in which the variable is declared where DECLARED first stands */
	bool is_c, is_pointer, is_constant;
};

#define DECLARED "int v"

/* Is v, which is declared in f, given one value? */
static bool is_fixed(const struct asked *asked, struct wt_text_variable *found)
{
	const char *parenthesis = strstr(asked->text, "f(");
	struct wt_declared declared = {
		.name = "v",
		.function = "f",
		.line = line_of(asked->text, DECLARED),
		.is_parameter = strstr(asked->text, DECLARED) < strchr(parenthesis, '{'),
		.is_pointer = asked->is_pointer,
		.is_constant = asked->is_constant,
	};
	struct wt_tokens tokens;
	struct wt_assignments text = {.file = &tokens, .is_c = asked->is_c, .know = know};
	bool fixed;

	assert_null(wt_tokens_init(&tokens, asked->text, strlen(asked->text)));
	fixed = wt_assignments_none(&text, &declared, NULL, 0, found) && found->is_once;
	wt_tokens_deinit(&tokens);
	return fixed;
}

#define BODY(text) "static void f(int a, int *p, int c)\n{\n\tint v = a + 1;\n\t" text "\n}\n"

/* The same in C and in C++. */
static void test_read(void **state)
{
	static const char *const texts[] = {
		BODY("p[0] = v;"),
		BODY("p[v] = v + 2; p[1] += -v * 3;"),
		BODY("int w = v; w++; p[0] = w;"),
		BODY("if (v) p[0] = 1; else p[1] = v;"),
		BODY("while (v < 3 && !v) p[0]++;"),
		BODY("for (int i = 0; i < v; i++) p[i] = i & v;"),
		BODY("p[0] = value(v) + (int)v + (v);"),
		BODY("int w = c ? v : a; p[0] = w;"),
		BODY("p->v = 3; q.v++; r::v = 2;"),
		BODY("if (c) { p[0] = c ? v : 2; } else { p[0] = v; }"),
		BODY("switch (a) { case 1: p[0] = v; case 2: { p[1] = v; } default: { p[2] = v; } "
		     "}"),
		"#define LEAST(v, w) ((v) < (w) ? (v) : (w))\n" BODY("p[0] = LEAST(v, a);"),
		BODY("/* v = 3 */ p[0] = v; // v++"),
		BODY("const char *t = \"v = 3\"; char u = '='; p[0] = v;"),
		BODY("switch (v) { case 0: p[0] = 1; break; default: break; }"),
		BODY("p[0] = v;\n#pragma unroll\n\tfor (int i = 0; i < 4; i++) p[i] = v;"),
		"#define TWICE(x) ((x) * 2)\n" BODY("p[0] = TWICE(v);"),
		"enum { SIZE = 4 };\n" BODY("p[0] = v % SIZE;"),
		"#define SIZE 16\n" BODY("p[0] = v % SIZE;"),
		"static int own(int x) { return x + 1; }\n" BODY("p[0] = own(v);"),
		"static int own(int x) { return x + 1; }\n#ifdef A\n#endif\n" BODY("own(v);"),
		"void f(int v, int *p)\n{\n\tp[0] = v + 1;\n}\n",
		/* The second name of a declaration, behind a cast; an enumeration without a name. */
		BODY("int w = 0, hits = v; hits++; p[0] = (int)hits;"),
		BODY("int w = 0, hits = v; return (int)hits;"),
		BODY("enum { FIRST, LAST } state = FIRST; p[state] = v;"),
		/* Numbers of the language's library, of which no file may make something else. */
		BODY("p[0] = v < INT_MAX ? v : 0; p[1] = v > FLT_MAX;"),
		BODY("unsigned w = UINT32_MAX; float r = v * M_PI; p[0] = w; p[1] = r;"),
	};
	struct wt_text_variable last;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (int is_c = 0; is_c < 2; is_c++)
			if (!is_fixed(&(struct asked){.text = texts[i], .is_c = is_c}, &last))
				fail_msg("taken for assigned to in %s: %s", is_c ? "C" : "C++",
					 texts[i]);
}

static void test_assigned(void **state)
{
	static const char *const texts[] = {
		BODY("v = 3;"),
		/* It may be a macro of a header. */
		BODY("if (a) hits; p[0] = v;"),
		BODY("(void)hits; p[0] = v;"),
		BODY("EACH(a) hits; p[0] = v;"),
		BODY("p[0] = v < MOST ? v : 0;"),
		"#define INT_MAX v++\n" BODY("p[0] = a < INT_MAX;"),
		BODY("v += 3;"),
		BODY("v <<= 1;"),
		BODY("v++;"),
		BODY("p[0] = --v;"),
		BODY("(v) = 3;"),
		BODY("((v))++;"),
		BODY("int *q = &v; *q = 1;"),
		BODY("int *q = &(v); *q = 1;"),
		BODY("change(&v);"),
		BODY("p[0] = (a) & v;"), /* may be a cast of an address */
		BODY("if (c) { v = 2; }"),
		BODY("{ int v = 3; p[0] = v; }"),
		BODY("UNKNOWN(v + 1);"),
		BODY("UNKNOWN(2);"),
		BODY("UNKNOWN;"),
		BODY("p[0] = UNKNOWN;"),
		BODY("step;"),
		BODY("p[0] = unknown(a + v);"), /* may be a macro of a header */
		BODY("each(i, 4) { p[0] = v; }"),
		BODY("each(i, 4) p[0] = v;"),
		BODY("asm volatile(\"v_mov\" : \"+v\"(v));"),
		BODY("again: p[0] = v; if (c) goto again;"),
		BODY("p[0] = v;\n#pragma omp atomic\n\tp[0]++;"),
		BODY("p[0] = v;\n#define X 3\n"),
		BODY("p[0] = f(v);"), /* which compilers make a loop of */
		"#define SET(x) x = 3\n" BODY("SET(v);"),
		"#define NEXT v++\n" BODY("p[0] = NEXT;"),
		"#define NEXT v++\n#define MORE NEXT + 1\n" BODY("p[0] = MORE;"),
		"#define MANY(x) for (int i = 0; i < 4; i++) x\n" BODY("MANY(p[0] = v);"),
		"#ifdef A\n#define SET(x) (x)\n#else\n#define SET(x) (x = 3)\n#endif\n" BODY(
			"p[0] = SET(v);"),
		"static void g(int *p);\nstatic void f(int a, int *p)\n{\n\tint v = a;\n\tg(p + "
		"v);\n}\n"
		"static void g(int *p)\n{\n\tf(1, p);\n}\n",
		"void f(int a)\n{\n\tint v;\n\tv = a;\n}\n",
		"void f(int a)\n{\n\tfor (int i = 0; i < 4; i++) {\n\t\tint v = i;\n\t\tuse(v + "
		"1);\n\t}\n}\n",
		"void f(int a)\n{\n\tdo\n\t\tif (a) {\n\t\t\tint v = a; value(v);\n\t\t}\n\twhile "
		"(a);\n}\n",
		"void f(int a)\n{\n\tfor (int v = 0; v < 4; v++)\n\t\tuse(v);\n}\n",
		"void f(int a)\n{\n\ttry { a = 1; } catch (...) { } for (;;) { int v = a; "
		"value(v); }\n}\n",
		"void f(int v, int *p)\n{\n\tp[0] = v--;\n}\n",
		"X::f(int v) : m{v}\n{\n\tv = 3;\n}\n",
		"#define SAME v\n" BODY("SAME = 3;"),
		"#define SAME(x) x\n" BODY("SAME(v) = 3;"),
		"#define BUMP change(v)\n" BODY("p[0] = BUMP;"),
		"#define SAME(x) ((x))\n" BODY("SAME(v)++;"),
		"#line 1 \"other.h\"\n" BODY("p[0] = v;"),
		BODY("p[0] = v;\n# 7\n"),
		"static int g(int w) { return w; } void f(int v) { v = 3; g(v); }\n",
		"static int g(int v) { return v; } void f(int v) { v = 3; }\n",
		"void f(int a)\n{\n\tforever {\n\t\tint v = a;\n\t\tvalue(v);\n\t}\n}\n",
		"void f(int a, int *p)\n{\n\tfor (;;)\n\t\tp[0] = a ? 1 :\n\t\t({ int v = a; v "
		"+ 1; });\n}\n",
		"void f(int a, int *p)\n{\n\tp[0] = ({ for (;;) { int v = a; p[0] = v; } 0; "
		"});\n}\n",
		"void f(int a)\n{\n\tif (({ for (;;) { int v = a; value(v); } 0; }))\n\t\t;\n}\n",
		"void f(int a, int *p)\n{\n\tfor (;;)\n\t\there: { int v = a; p[0] = v; }\n}\n",
		BODY("p[0] = v; }"), /* of which brackets do not fit */
		BODY("p[0] = v;\n#if A\n\tif (a) {\n#else\n\twhile (a) {\n#endif\n\t} }"),
	};
	struct wt_text_variable last;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		for (int is_c = 0; is_c < 2; is_c++)
			if (is_fixed(&(struct asked){.text = texts[i], .is_c = is_c}, &last))
				fail_msg("taken for fixed in %s: %s", is_c ? "C" : "C++", texts[i]);
}

/* C++ passes by reference where C makes a copy. */
static void test_reference(void **state)
{
	static const char *const texts[] = {
		BODY("change(v);"),
		BODY("p[0] = change(a, v);"),
		BODY("p[0] = change(c ? v : a);"),
		"int own(int &x) { return x++; }\n" BODY("p[0] = own(v);"),
		BODY("p[0] = a >> v;"),		    /* as of a stream */
		BODY("p[0] = (unsigned)(v) >> 2;"), /* as what a call returns */
		BODY("int w[] = {v, 2}; p[0] = w[0];"),
	};
	static const char *const only[] = {
		BODY("int &r = v; r = 2;"),
		BODY("auto &&r = v; r = 2;"),
		BODY("auto &r = c ? v : a; r = 2;"),
		BODY("(c ? v : a) = 2;"),
		BODY("(c, v) = 2;"),
		BODY("auto g = [&v] { v = 2; }; g();"),
		BODY("auto g = [&] { v++; }; g();"),
		BODY("auto g = [&r = v] { r++; }; g();"),
		BODY("((int &)v) = 2;"),
		BODY("static_cast<int &>(v) = 2;"),
		BODY("thing w(v); p[0] = w;"),
		BODY("thing w{v}; p[0] = w;"),
		BODY("v and_eq 3;"),
		BODY("int *q = bitand v; *q = 1;"),
		BODY("auto g = [&]() -> int & { return v; }; g() = 2;"),
		BODY("decltype((v)) r = v; r = 2;"),
		BODY("decltype(auto) r = (v); r = 2;"),
		"void change(float x) { }\n" BODY("change(v);"), /* of another header, too */
		"void own(float x) { }\n" BODY("auto own = [](auto &x) { x++; }; own(v);"),
	};
	struct wt_text_variable last;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (is_fixed(&(struct asked){.text = texts[i]}, &last))
			fail_msg("taken for fixed in C++: %s", texts[i]);
		if (!is_fixed(&(struct asked){.text = texts[i], .is_c = true}, &last))
			fail_msg("taken for assigned to in C: %s", texts[i]);
	}
	for (size_t i = 0; i < sizeof(only) / sizeof(*only); i++)
		if (is_fixed(&(struct asked){.text = only[i]}, &last))
			fail_msg("taken for fixed: %s", only[i]);
	/* A constant is not assigned to by anyone, but may have a value in each round. */
	assert_true(
		is_fixed(&(struct asked){.text = BODY("change(v);"), .is_constant = true}, &last));
	assert_false(is_fixed(&(struct asked){.text = "void f(int a)\n{\n\twhile (a) {\n\t\tconst "
						      "int v = a--;\n\t\tuse(v);\n\t}\n}\n",
					      .is_constant = true},
			      &last));
}

static void test_pointer(void **state)
{
	static const char *const read[] = {
		BODY("*v = 3;"),
		BODY("v[2] = 3; v[1]++; v->x = 2;"),
		BODY("change(&v[1]);"),
		BODY("p = v + 1;"),
	};
	static const char *const changed[] = {
		BODY("*v++ = 3;"),
		BODY("v++;"),
		BODY("v = p;"),
		BODY("change(&v);"),
	};
	struct wt_text_variable last;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		if (!is_fixed(&(struct asked){.text = read[i], .is_pointer = true}, &last))
			fail_msg("taken for assigned to: %s", read[i]);
		if (is_fixed(&(struct asked){.text = changed[i], .is_pointer = true}, &last))
			fail_msg("taken for fixed: %s", changed[i]);
	}
	/* A vector is no pointer, and is changed by its parts. */
	assert_false(is_fixed(&(struct asked){.text = BODY("v[2] = 3;")}, &last));
	assert_false(is_fixed(&(struct asked){.text = BODY("v.x = 3;")}, &last));
}

/* The value is there behind the last line of the declaration. */
static void test_last_line(void **state)
{
	struct wt_text_variable last = {0};

	(void)state;
	assert_true(is_fixed(
		&(struct asked){.text = "void f(int a, int *p)\n{\n\tint v = a +\n\t\t1 +\n\t\t"
					"value(a);\n\tp[0] = v;\n}\n"},
		&last));
	assert_int_equal(last.last, 5);
}

/* Functions that stand in the place of a call: that must not be in a loop of the caller. */
static void test_calls(void **state)
{
	static const char text[] =
		"static int f(int v) { return v + 1; }\n"
		"void once(int *p)\n{\n\tp[0] = f(1);\n}\n"
		"void often(int *p)\n{\n\tfor (int i = 0; i < 4; i++)\n\t\tp[i] = f(i);\n}\n"
		"void itself(int *p)\n{\n\tp[0] = f(2); itself(p);\n}\n"
		"void hidden(int *p)\n{\n\tALL(i) { p[0] = f(3); }\n}\n";
	static const struct {
		const char *function, *where;
		bool fixed;
	} calls[] = {{"once", "f(1)", true},
		     {"often", "f(i)", false},
		     {"itself", "f(2)", false},
		     {"hidden", "f(3)", false},
		     {"operator()", "f(1)", false}};
	const struct wt_declared declared = {
		.name = "v", .function = "f", .line = 1, .is_parameter = true};
	struct wt_tokens tokens;
	struct wt_assignments assignments = {.file = &tokens};
	struct wt_text_variable found;

	(void)state;
	assert_null(wt_tokens_init(&tokens, text, strlen(text)));
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct wt_text_call call = {&tokens, calls[i].function,
					    line_of(text, calls[i].where)};

		assert_true(wt_assignments_none(&assignments, &declared, &call, 1, &found));
		assert_int_equal(found.is_once, calls[i].fixed);
	}
	wt_tokens_deinit(&tokens);
}

/* Whatever the text is, it ends. */
static void test_broken(void **state)
{
	static const char whole[] =
		"#define A(x) \\\n (x)\nint f(int v) { R\"(\n\")\" \"\\\"\" 'x'; return A(v); }";
	struct wt_tokens tokens;

	(void)state;
	for (size_t size = 0; size < sizeof(whole); size++) {
		struct wt_assignments text = {.file = &tokens};
		struct wt_declared declared = {
			.name = "v", .function = "f", .line = 3, .is_parameter = true};
		char *copy = test_malloc(size + 1);
		struct wt_text_variable found;

		memcpy(copy, whole, size);
		assert_null(wt_tokens_init(&tokens, copy, size));
		/* Half a function is none. */
		assert_true(size == sizeof(whole) - 1 ||
			    !wt_assignments_none(&text, &declared, NULL, 0, &found));
		wt_tokens_deinit(&tokens);
		test_free(copy);
	}
}

/* Macros of macros, each of which has many of the next. */
static void test_macros(void **state)
{
	char text[4096] = "#define M0(x) ((x) + 1)\n";
	struct wt_text_variable last;

	(void)state;
	for (unsigned int i = 1; i < 24; i++)
		sprintf(text + strlen(text),
			"#define M%u(x) (M%u(x) + M%u(x) + M%u(x) + M%u(x) + M%u(x))\n", i, i - 1,
			i - 1, i - 1, i - 1, i - 1);
	strcat(text, BODY("p[0] = M23(v);"));
	assert_true(is_fixed(&(struct asked){.text = text}, &last));
}

/* The expression that gives v its value; an empty text if none is sure to. */
static const char *text_of(const char *text, bool is_call, struct wt_declared_text *found)
{
	struct wt_declared declared = {.name = "v",
				       .function = "f",
				       .line = line_of(text, DECLARED),
				       .is_parameter = is_call};
	struct wt_tokens tokens;
	struct wt_assignments assignments = {.file = &tokens, .know = know};
	struct wt_text_call call = {&tokens, "g", is_call ? line_of(text, "f(1") : 0};
	struct wt_text_variable variable;

	assert_null(wt_tokens_init(&tokens, text, strlen(text)));
	if (!wt_assignments_none(&assignments, &declared, &call, is_call, &variable) ||
	    !wt_declared_text_find(&variable, found))
		found->text[0] = '\0';
	wt_tokens_deinit(&tokens);
	return found->text;
}

static void test_text(void **state)
{
#define GIVEN(what)                                                                                \
	"#define N 3\n#define M (3)\n#if A\n#define K 3\n#endif\nint f(int a) {\nint v" what "\n}"
#define CALLED(what) "int f(int a,\nint v) { return a + v; }\nint g(int b) {\nreturn " what ";\n}"
	static const struct {
		const char *text, *value;
		bool is_call;
	} texts[] = {
		{GIVEN(" = a * 2;"), "a * 2 ", false},
		{GIVEN(" = N + 1, w = 2;"), "3 + 1 ", false},
		{GIVEN("(7);"), "7 ", false},
		{GIVEN("{7};"), "7 ", false},
		{GIVEN("{7, 8};"), "", false},
		{GIVEN(" = M;"), "", false},
		{GIVEN(" = K;"), "", false},
		{GIVEN(" = a[1];"), "", false},
		{GIVEN(" = a.b;"), "", false},
		{GIVEN(" = 'a';"), "", false},
		{GIVEN(" = $v1;"), "", false},
		{GIVEN("; v = 1;"), "", false},
		{GIVEN(" = 3\n#if A\n+ 4\n#endif\n;"), "", false},
		{GIVEN(" = a; typedef char a;"), "", false},
		{GIVEN(" = a * B; { enum { B = 4 }; }"), "", false},
		{GIVEN(" = C; enum kind : char { B, C = 2 };"), "", false},
		{GIVEN(" = a * B; enum kind { C, D } state = C;"), "a * B ", false},
		{GIVEN(" = a; { auto [a] = b; }"), "", false},
		{"int f(int a) {\nstatic int v = 3;\n}", "", false},
		{"int f(int a) { switch (a) {\nint v = 3; case 1: a = v; } }", "", false},
		{"int f(int a) { switch (a) { case 1: {\nint v = 3; a = v; } } }", "3 ", false},
		{CALLED("f(1, b + 2)"), "b + 2 ", true},
		{CALLED("f(1, (b, 2))"), "", true},
		{CALLED("f(1)"), "", true},
		{CALLED("f(1, 2\n#if A\n+ 4\n#endif\n)"), "", true},
		{"int f(int a,\n#if A\nint b,\n#endif\nint v) { return v; }\nint g() { return f(1, "
		 "2); }",
		 "", true},
		{CALLED("f(1, b) + f(1, 2)"), "", true},
		{CALLED("UNKNOWN + f(1, 2)"), "", true},
		{"#define once f (1, 3)\n" CALLED("once + f(1, 2)"), "", true},
		{CALLED("f(1 < b, c > (2), 3)"), "", true},
		{"#define f(x, y) h(y, x)\n" CALLED("f(1, 2)"), "", true},
	};
	struct wt_declared_text found;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_string_equal(text_of(texts[i].text, texts[i].is_call, &found),
				    texts[i].value);
	text_of(GIVEN(" = 1e3;"), false, &found);
	assert_true(found.has_real);
	text_of(GIVEN(" = 0xef;"), false, &found);
	assert_false(found.has_real);
}

/* A byte of zeros is no bracket. */
static void test_zeros(void **state)
{
	static const char text[] = "\0(\0)\0int f(int v)\0{ \0 }";
	struct wt_tokens tokens;

	(void)state;
	assert_null(wt_tokens_init(&tokens, text, sizeof(text)));
	assert_false(tokens.is_odd);
	assert_int_equal(tokens.list[1].partner, 3);
	assert_int_equal(tokens.list[0].partner, WT_NO_TOKEN);
	wt_tokens_deinit(&tokens);
}

/* A file of more tokens than are looked through in a moment. */
static void test_many(void **state)
{
	const size_t size = (size_t)1 << 20;
	char *text = test_malloc(size);
	struct wt_tokens tokens;

	(void)state;
	for (size_t i = 0; i < size; i++)
		text[i] = i & 1 ? ';' : 'a';
	assert_null(wt_tokens_init(&tokens, text, size / 8));
	assert_false(tokens.is_odd);
	wt_tokens_deinit(&tokens);
	assert_null(wt_tokens_init(&tokens, text, size));
	assert_true(tokens.is_odd);
	assert_in_range(tokens.count, 1, size / 2);
	wt_tokens_deinit(&tokens);
	test_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),	  cmocka_unit_test(test_assigned),
		cmocka_unit_test(test_reference), cmocka_unit_test(test_pointer),
		cmocka_unit_test(test_last_line), cmocka_unit_test(test_calls),
		cmocka_unit_test(test_broken),	  cmocka_unit_test(test_text),
		cmocka_unit_test(test_zeros),	  cmocka_unit_test(test_many),
		cmocka_unit_test(test_macros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
