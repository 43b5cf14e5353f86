/* SPDX-License-Identifier: MIT */
#include "tool/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

/* A name of some hundred letters can stand for one that fills the memory: longer ones stay as they are. */
#define MANGLED_MAX 512u

/* Of the C++ ABI, which says who frees: the caller. */
typedef char *(*demangle_fn)(const char *mangled, char *buffer, size_t *size, int *status_ret);

/* In the libraries that the program has loaded, and in none that it has not. */
static demangle_fn find_demangler(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
	void *found = dlsym(library ? library : RTLD_DEFAULT, "__cxa_demangle");
	demangle_fn demangle;

	if (library)
		dlclose(library);
	memcpy(&demangle, &found, sizeof(demangle));
	return demangle;
}

const char *wt_tool_name(const char *symbol, char buffer[WT_TOOL_NAME])
{
	wt_cleanup_free char *demangled = NULL;
	demangle_fn demangle = NULL;
	int status;

	if (!strncmp(symbol, "_Z", 2) && strlen(symbol) <= MANGLED_MAX)
		demangle = find_demangler();
	if (demangle)
		demangled = demangle(symbol, NULL, NULL, &status);
	snprintf(buffer, WT_TOOL_NAME, "%s", demangled ? demangled : symbol);
	return buffer;
}
