/* SPDX-License-Identifier: MIT */
/* How a function that replaces one of the C library is exported, and how it calls the one that it replaces. */
#ifndef WT_DRIVER_PROGRAM_NEXT_H
#define WT_DRIVER_PROGRAM_NEXT_H

#include <dlfcn.h>

#define EXPORT __attribute__((visibility("default")))

/* The function of that name that would have been called without us. */
#define NEXT(name)                                                                                 \
	({                                                                                         \
		static __typeof__(name) *next_;                                                    \
		__typeof__(name) *found_ = __atomic_load_n(&next_, __ATOMIC_RELAXED);              \
                                                                                                   \
		if (!found_) {                                                                     \
			found_ = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);                      \
			__atomic_store_n(&next_, found_, __ATOMIC_RELAXED);                        \
		}                                                                                  \
		found_;                                                                            \
	})

#endif /* WT_DRIVER_PROGRAM_NEXT_H */
