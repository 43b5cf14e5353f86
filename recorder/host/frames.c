/* SPDX-License-Identifier: MIT */
#include "recorder/host/frames.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/cleanup.h"

/* Nothing is searched for on the disk or fetched over the network: what is mapped must do. */
static int find_no_debuginfo(Dwfl_Module *module, void **opaque, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word checksum, char **found)
{
	(void)module;
	(void)opaque;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)checksum;
	(void)found;
	return -1;
}

/*
 * The table of segments is made when the first address is looked up. Where there is no memory for it, dwfl_addrmodule() gives a module that it has
 * never set, to us and to libdw's own unwinder, and so it is made here.
 */
static bool frames_make_segments(Dwfl *dwfl)
{
	Dwfl_Module *module = NULL;

	dwfl_errno();
	dwfl_addrsegment(dwfl, 0, &module);
	return !dwfl_errno();
}

Dwfl *wt_frames_open(pid_t process)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = find_no_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (!dwfl)
		return NULL;
	if (!dwfl_linux_proc_report(dwfl, process) && !dwfl_report_end(dwfl, NULL, NULL) &&
	    frames_make_segments(dwfl))
		return dwfl;
	dwfl_end(dwfl);
	return NULL;
}

/* ---- Where libdw has no memory ---- */

/* libdw ends the program then, unless a handler does not return to it. */
static __thread jmp_buf *frames_way_out;

/* Only who is tried has libdw allocate anything of a file that has this handler. */
__attribute__((noreturn)) static void frames_run_out(void)
{
	longjmp(*frames_way_out, 1);
}

static void frames_handle(Dwfl_Module *module)
{
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);

	if (dwarf)
		dwarf_new_oom_handler(dwarf, frames_run_out);
}

bool wt_frames_try(struct wt_gathering *gathering, void (*run)(void *opaque), void *opaque)
{
	jmp_buf here, *const before = frames_way_out;

	if (setjmp(here)) {
		frames_way_out = before;
		gathering->no_memory = true;
		return false;
	}
	frames_way_out = &here;
	run(opaque);
	frames_way_out = before;
	return true;
}

/* ---- Source lines ---- */

/* The unit that has an address. Compilers leave the list out that says it for all units: then each is asked. */
static Dwarf_Die *find_unit(struct wt_gathering *gathering, Dwfl_Module *module, Dwarf_Addr address,
			    Dwarf_Addr *bias_ret)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias_ret);

	if (unit)
		return unit;
	for (unit = dwfl_module_nextcu(module, NULL, bias_ret); unit;
	     unit = dwfl_module_nextcu(module, unit, bias_ret)) {
		if (dwarf_haspc(unit, address - *bias_ret) == 1)
			return unit;
		if (wt_gathering_is_over(gathering))
			return NULL;
	}
	return NULL;
}

static void set_file(struct wt_gathering *gathering, struct wt_host_frame *frame, const char *file,
		     int line)
{
	if (!file || line <= 0)
		return;
	free(frame->file);
	frame->file = wt_gathering_text(gathering, file, SIZE_MAX);
	frame->line = (uint32_t)line;
}

/* The place from which the code of an inlined function was called. */
static void set_call(struct wt_gathering *gathering, Dwarf_Die *unit, Dwarf_Die *inlined,
		     struct wt_host_frame *frame)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) ||
	    dwarf_getsrcfiles(unit, &files, &count) || file >= count || line > INT32_MAX)
		return;
	set_file(gathering, frame, dwarf_filesrc(files, (size_t)file, NULL, NULL), (int)line);
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	name = name ? name : dwarf_diename(die);
	return name ? name : "";
}

/* The scopes that code lies in, innermost first. The first call alone would go on with those that an inlined function was declared in. */
static int scopes_around(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes_ret)
{
	Dwarf_Die *scopes = NULL, innermost;
	int count = dwarf_getscopes(unit, address, &scopes);

	if (count <= 0)
		return 0;
	innermost = scopes[0];
	free(scopes);
	return dwarf_getscopes_die(&innermost, scopes_ret);
}

/* A place in the program, and what is said of it. */
struct place {
	struct wt_gathering *gathering;
	Dwfl_Module *module;
	Dwarf_Addr address;
	struct wt_host_frame *frames;
	size_t room, used;
};

/*
 * The first frame has the line of the code itself. Each inlined function that it lies in gets a frame of its own, and gives its line
 * to the next: there it was called.
 */
static void place_add_lines(void *opaque)
{
	struct place *place = opaque;
	struct wt_gathering *gathering = place->gathering;
	struct wt_host_frame *frames = place->frames;
	Dwarf_Addr bias = 0, address = place->address;
	Dwarf_Die *unit = find_unit(gathering, place->module, address, &bias);
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
	wt_cleanup_free Dwarf_Die *scopes = NULL;
	size_t used = 1;
	int number = 0, count;

	if (!line)
		return;
	dwarf_lineno(line, &number);
	set_file(gathering, &frames[0], dwarf_linesrc(line, NULL, NULL), number);
	count = scopes_around(unit, address - bias, &scopes);
	for (int i = 0; i < count && used < place->room; i++) {
		struct wt_host_frame *inner = &frames[used - 1], *outer = &frames[used];

		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		*outer = *inner;
		outer->file = NULL;
		outer->line = 0;
		set_call(gathering, unit, &scopes[i], outer);
		if (!outer->file)
			outer->file = wt_gathering_text(gathering, "", 0);
		outer->path =
			wt_gathering_text(gathering, inner->path ? inner->path : "", SIZE_MAX);
		inner->symbol = wt_gathering_text(gathering, name_of(&scopes[i]), SIZE_MAX);
		inner->symbol_offset = 0;
		used++;
	}
	place->used = used;
}

/* ---- The function that was called ---- */

static bool read_program(const struct wt_gathering *gathering, uint64_t address, void *data,
			 size_t size)
{
	const struct iovec to = {.iov_base = data, .iov_len = size};
	const struct iovec from = {.iov_base = (void *)(uintptr_t)address, .iov_len = size};

	return process_vm_readv((pid_t)gathering->process, &to, 1, &from, 1, 0) == (ssize_t)size;
}

static bool read_relative(const struct wt_gathering *gathering, uint64_t address,
			  uint64_t *target_ret)
{
	int32_t distance;

	if (!read_program(gathering, address, &distance, sizeof(distance)))
		return false;
	*target_ret = address + sizeof(distance) + (uint64_t)(int64_t)distance;
	return true;
}

/* A stub of the procedure linkage table: a jump by a word, behind what may stand before it. */
static bool follow_stub(const struct wt_gathering *gathering, uint64_t stub, uint64_t *target_ret)
{
	static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint8_t code[16];
	size_t at = 0;
	uint64_t word;

	if (!read_program(gathering, stub, code, sizeof(code)))
		return false;
	at += !memcmp(code, landing, sizeof(landing)) ? sizeof(landing) : 0;
	at += code[at] == 0xf2;
	return code[at] == 0xff && code[at + 1] == 0x25 &&
	       read_relative(gathering, stub + at + 2, &word) &&
	       read_program(gathering, word, target_ret, sizeof(*target_ret));
}

/* Calls through a stub, or by the word itself. */
static bool find_target(const struct wt_gathering *gathering, uint64_t returns_to,
			uint64_t *target_ret)
{
#ifdef __x86_64__
	uint8_t code[6];
	uint64_t place;

	if (!read_program(gathering, returns_to - sizeof(code), code, sizeof(code)))
		return false;
	if (code[0] == 0xff && code[1] == 0x15)
		return read_relative(gathering, returns_to - 4, &place) &&
		       read_program(gathering, place, target_ret, sizeof(*target_ret));
	return code[1] == 0xe8 && read_relative(gathering, returns_to - 4, &place) &&
	       follow_stub(gathering, place, target_ret);
#else
	(void)gathering;
	(void)returns_to;
	(void)target_ret;
	return false;
#endif
}

static bool called_describe(struct wt_gathering *gathering, Dwfl *dwfl, uint64_t returns_to,
			    uint64_t inner, struct wt_host_frame *frame_ret)
{
	Dwfl_Module *module = dwfl_addrmodule(dwfl, inner - 1);
	const char *symbol, *inner_symbol, *path = NULL;
	uint64_t target;
	GElf_Off offset;
	GElf_Sym sym;

	if (!module || module == dwfl_addrmodule(dwfl, returns_to - 1) ||
	    !find_target(gathering, returns_to, &target) || dwfl_addrmodule(dwfl, target) != module)
		return false;
	inner_symbol = dwfl_module_addrinfo(module, inner - 1, &offset, &sym, NULL, NULL, NULL);
	symbol = dwfl_module_addrinfo(module, target, &offset, &sym, NULL, NULL, NULL);
	if (!symbol || offset || (inner_symbol && !strcmp(symbol, inner_symbol)))
		return false;
	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
	if (!path)
		path = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	*frame_ret = (struct wt_host_frame){
		.address = target,
		.symbol = wt_gathering_text(gathering, symbol, SIZE_MAX),
		.path = wt_gathering_text(gathering, path ? path : "", SIZE_MAX),
		.file = wt_gathering_text(gathering, "", 0),
	};
	return true;
}

/* ---- Both ---- */

static size_t place_describe(struct wt_gathering *gathering, Dwfl *dwfl, uint64_t address,
			     bool is_call, struct wt_host_frame *frames_ret, size_t room)
{
	/* The call is before the place that it returns to. */
	Dwfl_Module *module = dwfl_addrmodule(dwfl, address - is_call);
	struct wt_host_frame *frame = &frames_ret[0];
	const char *path = "", *symbol = NULL;
	struct place place = {gathering, module, address - is_call, frames_ret, room, 1};
	GElf_Off offset = 0;
	GElf_Sym sym;

	*frame = (struct wt_host_frame){.address = address};
	if (module) {
		dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &path, NULL);
		symbol = dwfl_module_addrinfo(module, address - is_call, &offset, &sym, NULL, NULL,
					      NULL);
		if (symbol)
			frame->symbol_offset = offset + is_call;
		if (!path)
			path = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	}
	frame->symbol = wt_gathering_text(gathering, symbol ? symbol : "", SIZE_MAX);
	frame->path = wt_gathering_text(gathering, path ? path : "", SIZE_MAX);
	frame->file = wt_gathering_text(gathering, "", 0);
	if (!module)
		return 1;
	frames_handle(module);
	return wt_frames_try(gathering, place_add_lines, &place) ? place.used : 1;
}

size_t wt_frames_describe(struct wt_gathering *gathering, Dwfl *dwfl, uint64_t address,
			  bool is_call, uint64_t inner, struct wt_host_frame *frames_ret,
			  size_t room)
{
	size_t called =
		inner && room > 1 && called_describe(gathering, dwfl, address, inner, frames_ret);

	return called + place_describe(gathering, dwfl, address, is_call, frames_ret + called,
				       room - called);
}
