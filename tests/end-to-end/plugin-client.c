/* SPDX-License-Identifier: MIT */
/*
 * Loads a plugin that is a client, as debuggers do: by its path, with its own libraries before those that are there already.
 *
 * Usage: plugin-client PLUGIN WHAT...
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
	int (*plugin_main)(int, char **);

	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)&plugin_main = dlsym(plugin, "plugin_main");
	return plugin_main(argc - 1, argv + 1);
}
