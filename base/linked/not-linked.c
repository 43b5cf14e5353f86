/* SPDX-License-Identifier: MIT */
/* Parts of static libraries that are not linked: the linker takes these in their place (--wrap). */

/*
 * The bzip2 of elfutils is for images of kernels, and Debian's static libbz2 fits into programs only. A debuginfod would be asked for debug information
 * over the network, and its library is loaded into the program with ours: a program that has faulted waits for neither.
 */

#define UNKNOWN_ERROR                                                                              \
	1 /* DWFL_E_UNKNOWN_ERROR, the number of which is part of the interface: 0 is no error */

int __wrap___libdw_bunzip2(void);
int __wrap___libdwfl_debuginfod_find_executable(void);
int __wrap___libdwfl_debuginfod_find_debuginfo(void);
void __wrap___libdwfl_debuginfod_end(void);

int __wrap___libdw_bunzip2(void)
{
	return UNKNOWN_ERROR;
}

int __wrap___libdwfl_debuginfod_find_executable(void)
{
	return -1;
}

int __wrap___libdwfl_debuginfod_find_debuginfo(void)
{
	return -1;
}

void __wrap___libdwfl_debuginfod_end(void)
{
}
