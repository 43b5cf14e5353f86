/* SPDX-License-Identifier: MIT */
/* Recorded facts of the machine and the program, for other verbs. */
#ifndef WT_CLI_LOOK_VERB_HOST_H
#define WT_CLI_LOOK_VERB_HOST_H

#include <jansson.h>

#include "trace-format/state/host-facts.h"

/** All of it, as `wavetape host --json` prints it. */
json_t *wt_host_json(const struct wt_host *host);

#endif /* WT_CLI_LOOK_VERB_HOST_H */
