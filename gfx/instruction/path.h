/* SPDX-License-Identifier: MIT */
/*
 * The instructions of the host that vector operations are compiled for. A function that is defined for each path has one
 * source; its results are the same on all of them, bit for bit.
 */
#ifndef GFX_INSTRUCTION_PATH_H
#define GFX_INSTRUCTION_PATH_H

#include <stdbool.h>

enum gfx_path {
	GFX_PATH_PLAIN, /* what every host of the kind has */
	GFX_PATH_AVX2,
	GFX_PATH_AVX512,
	GFX_PATH_COUNT,
};

/** The name of a path, as users choose it: "plain", "avx2", "avx512". */
const char *gfx_path_name(enum gfx_path path);
/** Whether this host has the instructions of a path. */
bool gfx_path_works(enum gfx_path path);
/** The fastest path that works. */
enum gfx_path gfx_path_best(void);
/** The path of a name. Return: false if there is none, or if it does not work here. */
bool gfx_path_find(const char *name, enum gfx_path *path_ret);

/*
 * GFX_ON_EACH_PATH(M, ...) is M(path, target, ...) for each path that can be compiled; `target` is the attribute of a
 * function. GFX_PATH_TABLE(name) initialises an array, indexed by path, with the functions name_on_PATH.
 */
#if defined(__SANITIZE_ADDRESS__)
#define GFX_ONE_PATH /* the source is the same: what a sanitizer finds, it finds there */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GFX_ONE_PATH
#endif
#endif
#if defined(__x86_64__) && !defined(GFX_ONE_PATH)
#define GFX_HAS_PATHS
#define GFX_TARGET_AVX2 __attribute__((target("avx2,fma,bmi,bmi2,popcnt")))
#define GFX_TARGET_AVX512                                                                          \
	__attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2,"     \
			      "popcnt")))
#define GFX_ON_EACH_PATH(M, ...)                                                                   \
	M(plain, , __VA_ARGS__)                                                                    \
	M(avx2, GFX_TARGET_AVX2, __VA_ARGS__)                                                      \
	M(avx512, GFX_TARGET_AVX512, __VA_ARGS__)
#define GFX_PATH_TABLE(name)                                                                       \
	{                                                                                          \
		name##_on_plain, name##_on_avx2, name##_on_avx512                                  \
	}
#else
#define GFX_ON_EACH_PATH(M, ...) M(plain, , __VA_ARGS__)
#define GFX_PATH_TABLE(name)                                                                       \
	{                                                                                          \
		name##_on_plain                                                                    \
	}
#endif

#endif /* GFX_INSTRUCTION_PATH_H */
