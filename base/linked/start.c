/* SPDX-License-Identifier: MIT */
/*
 * How a program is started by C libraries before 2.34: they call what runs its constructors, where newer ones run these by themselves. A newer
 * one that is asked for the older version does as the older ones did.
 */
typedef int (*main_function)(int, char **, char **);
typedef void (*constructor)(int, char **, char **);

/* The linker's names for the list of constructors. */
extern const constructor __init_array_start[] __attribute__((visibility("hidden")));
extern const constructor __init_array_end[] __attribute__((visibility("hidden")));

__asm__(".symver libc_start, __libc_start_main@GLIBC_2.2.5");
int libc_start(main_function run, int argc, char **argv, constructor before, void (*after)(void),
	       void (*at_exit)(void), void *stack_end);
int __wrap___libc_start_main(main_function run, int argc, char **argv, constructor before,
			     void (*after)(void), void (*at_exit)(void), void *stack_end);

static void run_constructors(int argc, char **argv, char **environment)
{
	for (const constructor *each = __init_array_start; each != __init_array_end; each++)
		(*each)(argc, argv, environment);
}

int __wrap___libc_start_main(main_function run, int argc, char **argv, constructor before,
			     void (*after)(void), void (*at_exit)(void), void *stack_end)
{
	return libc_start(run, argc, argv, before ? before : run_constructors, after, at_exit,
			  stack_end);
}
