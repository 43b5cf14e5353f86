/* SPDX-License-Identifier: MIT */
/* A program for a debugger to run: it waits, until it is killed or nobody wants it any more. */
#include <unistd.h>

#define FORGOTTEN 300 /* seconds */

int main(void)
{
	alarm(FORGOTTEN);
	for (;;)
		pause();
}
