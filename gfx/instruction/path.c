/* SPDX-License-Identifier: MIT */
#include "gfx/instruction/path.h"

#include <stddef.h>
#include <string.h>

static const char *const names[GFX_PATH_COUNT] = {
	[GFX_PATH_PLAIN] = "plain",
	[GFX_PATH_AVX2] = "avx2",
	[GFX_PATH_AVX512] = "avx512",
};

const char *gfx_path_name(enum gfx_path path)
{
	return names[path];
}

#if defined(GFX_HAS_PATHS)
static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	       __builtin_cpu_supports("popcnt");
}

bool gfx_path_works(enum gfx_path path)
{
	if (path == GFX_PATH_AVX2)
		return has_avx2();
	if (path == GFX_PATH_AVX512)
		return has_avx2() && __builtin_cpu_supports("avx512f") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
		       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
	return path == GFX_PATH_PLAIN;
}
#else
bool gfx_path_works(enum gfx_path path)
{
	return path == GFX_PATH_PLAIN;
}
#endif

enum gfx_path gfx_path_best(void)
{
	enum gfx_path path = GFX_PATH_COUNT - 1;

	while (path != GFX_PATH_PLAIN && !gfx_path_works(path))
		path--;
	return path;
}

bool gfx_path_find(const char *name, enum gfx_path *path_ret)
{
	for (enum gfx_path path = GFX_PATH_PLAIN; path < GFX_PATH_COUNT; path++)
		if (!strcmp(name, names[path]) && gfx_path_works(path)) {
			*path_ret = path;
			return true;
		}
	return false;
}
