/* SPDX-License-Identifier: MIT */
#include "cli/browse/terminal.h"

#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/browse/model.h"
#include "cli/browse/terminal-kind.h"

/* Ncurses has one terminal in a process, and a signal has no argument. */
static SCREEN *screen;
static volatile sig_atomic_t signal_come;
/* While a key is waited for; at other times the signals that we catch are held back, so that none is missed. */
static sigset_t waiting_mask;

static void signal_note(int number)
{
	signal_come = number;
}

bool wt_terminal_is_interrupted(void)
{
	const struct timespec now = {0};
	sigset_t set;

	/* One that stops a search does not quit, too. */
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	if (sigtimedwait(&set, NULL, &now) == SIGINT)
		return true;
	sigpending(&set);
	return sigismember(&set, SIGTERM) || sigismember(&set, SIGHUP);
}

/* ---- Looks ---- */

static attr_t looks[WT_STYLES], cursor_look, away_look, match_look;

/* Calm ones, which are read on light and on dark ground. Where there are no colours, bold and reverse say the same. */
static void terminal_choose_looks(void)
{
	static const struct {
		short few, many; /* with 8 colours, with 256; -1: the terminal's own */
		attr_t with, without;
	} table[WT_STYLES] = {
		[WT_STYLE_PLAIN] = {-1, -1, A_NORMAL, A_NORMAL},
		[WT_STYLE_QUIET] = {-1, 244, A_NORMAL, A_NORMAL},
		[WT_STYLE_STRONG] = {-1, -1, A_BOLD, A_BOLD},
		[WT_STYLE_NAME] = {COLOR_CYAN, 37, A_NORMAL, A_NORMAL},
		[WT_STYLE_ADDRESS] = {COLOR_BLUE, 67, A_NORMAL, A_NORMAL},
		[WT_STYLE_SOURCE] = {COLOR_GREEN, 65, A_NORMAL, A_NORMAL},
		[WT_STYLE_CHANGED] = {COLOR_YELLOW, 172, A_NORMAL, A_BOLD},
		[WT_STYLE_FAULT] = {COLOR_RED, 167, A_BOLD, A_BOLD},
		[WT_STYLE_HERE] = {COLOR_MAGENTA, 133, A_BOLD, A_BOLD},
		[WT_STYLE_BAR] = {-1, -1, A_REVERSE, A_REVERSE},
		[WT_STYLE_TAB] = {-1, -1, A_BOLD, A_BOLD},
	};
	/* NO_COLOR asks all programs for none. */
	const char *no_color = getenv("NO_COLOR");
	bool colors = has_colors() && (!no_color || !*no_color) && start_color() == OK &&
		      use_default_colors() == OK;
	bool many = colors && COLORS >= 256;

	for (int style = 0; style < WT_STYLES; style++) {
		const short *color = many ? &table[style].many : &table[style].few;

		looks[style] = colors ? table[style].with : table[style].without;
		if (!colors)
			continue;
		init_pair((short)(style + 1), *color, -1);
		looks[style] |= (attr_t)COLOR_PAIR(style + 1);
	}
	cursor_look = A_REVERSE;
	away_look = A_UNDERLINE;
	match_look = A_BOLD | A_UNDERLINE;
	if (!colors)
		return;
	init_pair(WT_STYLES + 1, many ? 231 : COLOR_BLACK, many ? 24 : COLOR_CYAN);
	init_pair(WT_STYLES + 2, many ? 16 : COLOR_BLACK, many ? 222 : COLOR_YELLOW);
	init_pair(WT_STYLES + 3, many ? 252 : COLOR_WHITE, many ? 238 : COLOR_BLACK);
	init_pair(WT_STYLES + 4, many ? 253 : COLOR_WHITE, many ? 236 : COLOR_BLUE);
	cursor_look = (attr_t)COLOR_PAIR(WT_STYLES + 1);
	match_look = (attr_t)COLOR_PAIR(WT_STYLES + 2);
	away_look = many ? (attr_t)COLOR_PAIR(WT_STYLES + 3) : A_UNDERLINE;
	looks[WT_STYLE_BAR] = (attr_t)COLOR_PAIR(WT_STYLES + 4);
	looks[WT_STYLE_TAB] = (attr_t)COLOR_PAIR(WT_STYLES + 1) | A_BOLD;
}

static attr_t style_look(unsigned char style)
{
	attr_t look = looks[style & WT_STYLE_MASK];

	if (style & WT_STYLE_MATCH)
		return match_look;
	/* On the cursor's ground one colour is read best; without colours it turns what is there around. */
	if (style & WT_STYLE_CURSOR)
		return cursor_look | (look & A_BOLD) |
		       (cursor_look & A_COLOR ? 0 : look & ~(attr_t)A_BOLD);
	if (style & WT_STYLE_AWAY)
		return away_look & A_COLOR ? away_look : look | away_look;
	return look;
}

/* ---- Drawing ---- */

static void terminal_draw_row(size_t row, const struct wt_line *line)
{
	for (size_t column = 0; column < line->columns; column++) {
		wchar_t text[2] = {(wchar_t)line->cells[column], L'\0'};
		cchar_t cell;

		/* The second half of a wide character. */
		if (!text[0])
			continue;
		setcchar(&cell, text, style_look(line->styles[column]) & ~(attr_t)A_COLOR,
			 (short)PAIR_NUMBER(style_look(line->styles[column])), NULL);
		mvadd_wch((int)row, (int)column, &cell);
	}
}

static void terminal_draw(struct wt_model *model)
{
	size_t row, column;

	erase();
	for (row = 0; row < model->rows; row++) {
		struct wt_line line;

		wt_screen_row(model, row, &line);
		terminal_draw_row(row, &line);
	}
	if (wt_screen_cursor(model, &row, &column)) {
		move((int)row, (int)column);
		curs_set(1);
	} else {
		move((int)model->rows - 1, 0);
		curs_set(0);
	}
	refresh();
}

/* ---- Keys ---- */

static int terminal_translate_key(wint_t key)
{
	switch (key) {
	case KEY_UP:
		return WT_KEY_UP;
	case KEY_DOWN:
		return WT_KEY_DOWN;
	case KEY_LEFT:
		return WT_KEY_LEFT;
	case KEY_RIGHT:
		return WT_KEY_RIGHT;
	case KEY_PPAGE:
		return WT_KEY_PAGE_UP;
	case KEY_NPAGE:
		return WT_KEY_PAGE_DOWN;
	case KEY_HOME:
		return WT_KEY_HOME;
	case KEY_END:
		return WT_KEY_END;
	case KEY_BTAB:
		return WT_KEY_BACK_TAB;
	case KEY_BACKSPACE:
		return WT_KEY_BACKSPACE;
	case KEY_ENTER:
		return WT_KEY_ENTER;
	case KEY_F(1):
		return WT_KEY_F1;
	default:
		return 0;
	}
}

static void terminal_take_key(struct wt_model *model, int kind, wint_t key)
{
	int number;

	if (kind == KEY_CODE_YES && key == KEY_RESIZE) {
		wt_model_resize(model, (size_t)LINES, (size_t)COLS);
		/* The terminal has moved the old rows about: all are drawn anew. */
		clear();
		return;
	}
	if (kind == OK && key == WT_CONTROL('l')) {
		clear();
		return;
	}
	number = kind == KEY_CODE_YES	      ? terminal_translate_key(key)
		 : key == 0x7f || key == '\b' ? WT_KEY_BACKSPACE
					      : (int)key;
	if (number)
		wt_model_key(model, number);
}

/* ERR if a signal has come, or if there will be no more keys. */
static int terminal_wait_for_key(wint_t *key)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	bool ready = false;

	for (;;) {
		int kind = get_wch(key);

		if (kind != ERR || signal_come || ready)
			return kind;
		ready = ppoll(&input, 1, NULL, &waiting_mask) > 0;
	}
}

int wt_terminal_run(struct wt_model *model)
{
	wt_model_resize(model, (size_t)LINES, (size_t)COLS);
	while (!model->quit) {
		wint_t key = 0;
		int kind;

		terminal_draw(model);
		kind = terminal_wait_for_key(&key);
		if (kind != ERR) {
			terminal_take_key(model, kind, key);
		} else if (signal_come == SIGINT) {
			signal_come = 0;
			wt_model_interrupt(model);
			if (model->quit)
				return SIGINT;
		} else {
			return signal_come ? signal_come : -1;
		}
	}
	return 0;
}

/* ---- Begin and end ---- */

static void terminal_catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = signal_note};
	sigset_t held;

	sigemptyset(&held);
	/* Ncurses catches this one: the terminal has another size. */
	sigaddset(&held, SIGWINCH);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaction(signals[i], &action, NULL);
		sigaddset(&held, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &held, &waiting_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigdelset(&waiting_mask, signals[i]);
	sigdelset(&waiting_mask, SIGWINCH);
}

static struct wt_error *terminal_refuse(const char *stream)
{
	return wt_error_create(WT_ERROR_USAGE, "cannot browse", stream,
			       "not a terminal; `wavetape info`, `wavetape waves` and the other "
			       "verbs print to files and pipes");
}

struct wt_error *wt_terminal_check(void)
{
	if (!isatty(STDIN_FILENO))
		return terminal_refuse("stdin");
	return isatty(STDOUT_FILENO) ? NULL : terminal_refuse("stdout");
}

struct wt_error *wt_terminal_open(void)
{
	struct wt_error *error = wt_terminal_check_kind();

	if (error)
		return error;
	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot browse", "the terminal",
				       "ncurses cannot use it");
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	/* How long an Esc waits for what could make it another key, in milliseconds. */
	set_escdelay(50);
	terminal_choose_looks();
	terminal_catch_signals();
	return NULL;
}

void wt_terminal_close(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
	sigprocmask(SIG_SETMASK, &waiting_mask, NULL);
}
