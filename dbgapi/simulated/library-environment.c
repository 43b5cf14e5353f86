/* SPDX-License-Identifier: MIT */
/* The only file of the library that reads the environment. */
#include "dbgapi/simulated/internal.h"

#include <stdlib.h>

const char *wt_workload_path(void)
{
	return getenv("WAVETAPE_WORKLOAD");
}
