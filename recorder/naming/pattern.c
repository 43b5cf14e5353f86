/* SPDX-License-Identifier: MIT */
#include "recorder/naming/pattern.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/buffer.h"

#define NONE "none"
#define TIME_SIZE sizeof("20261231T235959Z")

/*
 * Programs that start ranks set these. The innermost comes first: a batch script has the rank of its own step, and what
 * mpirun or torchrun start from it inherits that beside theirs.
 */
static const char *const rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", "PMIX_RANK",   "PMI_RANK",
	"MV2_COMM_WORLD_RANK",	"PALS_RANKID", "FLUX_TASK_RANK",
	"SLURM_PROCID",		"PBS_TASKNUM", "LSB_JOBINDEX",
	"JOB_COMPLETION_INDEX",
};
static const char *const job_variables[] = {
	"SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID",	      "LSB_JOBID",	"FLUX_JOB_ID",
	"JOB_NAME",	"POD_NAME",    "TORCHELASTIC_RUN_ID", "PMIX_NAMESPACE",
};

static bool may_stand(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

void wt_name_word(const char *text, char word[WT_NAME_WORD])
{
	size_t length = 0;

	for (; text[length] && length < WT_NAME_WORD - 1; length++)
		word[length] = (char)(may_stand(text[length]) ? text[length] : '_');
	word[length] = '\0';
	if (word[0] == '.')
		word[0] = '_';
}

/* The place where variables are looked up: this process, or the environment of another. */
struct lookup {
	char *(*variable)(const char *name);
	const char *text; /* in place of it: "NAME=VALUE", each with a NUL behind it */
	size_t size;
};

static const char *look_up(const struct lookup *lookup, const char *name)
{
	size_t length = strlen(name), left = lookup->size, entry;

	if (lookup->variable)
		return lookup->variable(name);
	for (const char *text = lookup->text; left; text += entry, left -= entry) {
		entry = strnlen(text, left) + 1;
		/* The last one may have been cut off. */
		if (entry > left)
			return NULL;
		if (entry > length + 1 && !memcmp(text, name, length) && text[length] == '=')
			return text + length + 1;
	}
	return NULL;
}

/* The first of some variables that says anything; NULL: none does. torchrun calls a job without a name "none". */
static const char *lookup_find_variable(const struct lookup *lookup, const char *const *names,
					size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *value = look_up(lookup, names[i]);

		if (value && *value && strcmp(value, NONE) != 0)
			return value;
	}
	return NULL;
}

static const char *lookup_find_rank(const struct lookup *lookup)
{
	/* The name is a common word: it is torchrun's where the size of its world is told, too. */
	const char *rank = look_up(lookup, "WORLD_SIZE") ? look_up(lookup, "RANK") : NULL;

	if (rank && *rank)
		return rank;
	return lookup_find_variable(lookup, rank_variables,
				    sizeof(rank_variables) / sizeof(*rank_variables));
}

/* In Kubernetes the host has the name of the pod, which is made of that of the job. */
static const char *find_job(const struct lookup *lookup)
{
	const char *job = lookup_find_variable(lookup, job_variables,
					       sizeof(job_variables) / sizeof(*job_variables));

	return job || !look_up(lookup, "KUBERNETES_SERVICE_HOST") ? job
								  : look_up(lookup, "HOSTNAME");
}

static void lookup_find_words(const struct lookup *lookup, char rank[WT_NAME_WORD],
			      char job[WT_NAME_WORD])
{
	const char *rank_found = lookup_find_rank(lookup), *job_found = find_job(lookup);

	wt_name_word(rank_found ? rank_found : NONE, rank);
	wt_name_word(job_found && *job_found ? job_found : NONE, job);
}

void wt_name_words_in(const char *text, size_t size, char rank[WT_NAME_WORD],
		      char job[WT_NAME_WORD])
{
	lookup_find_words(&(struct lookup){.text = text, .size = size}, rank, job);
}

static void find_executable(char word[WT_NAME_WORD])
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	/* The kernel still says by which name the program was started where /proc is not mounted. */
	const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	const char *found = length > 0 ? path : started ? started : "", *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(found, '/');
	found = slash ? slash + 1 : found;
	wt_name_word(*found ? found : NONE, word);
}

struct wt_name_facts wt_name_facts_find(char *(*variable)(const char *name))
{
	struct wt_name_facts facts = {.process = getpid(), .time = time(NULL)};
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1))
		host[0] = '\0';
	wt_name_word(*host ? host : NONE, facts.host);
	lookup_find_words(&(struct lookup){.variable = variable}, facts.rank, facts.job);
	find_executable(facts.executable);
	return facts;
}

bool wt_pattern_is(const char *text)
{
	return strchr(text, '%') != NULL;
}

/* The text that stands for a letter, in @buffer or elsewhere; NULL: nothing stands for it. */
static const char *stands_for(char letter, const struct wt_name_facts *facts,
			      char buffer[WT_NAME_WORD])
{
	struct tm parts;

	switch (letter) {
	case 'h':
		return facts->host;
	case 'r':
		return facts->rank;
	case 'j':
		return facts->job;
	case 'e':
		return facts->executable;
	case 'p':
		snprintf(buffer, WT_NAME_WORD, "%ld", (long)facts->process);
		return buffer;
	case 't':
		gmtime_r(&facts->time, &parts);
		return strftime(buffer, TIME_SIZE, "%Y%m%dT%H%M%SZ", &parts) ? buffer : NONE;
	case '%':
		return "%";
	default:
		return NULL;
	}
}

static struct wt_error *pattern_refuse(const char *pattern, char letter)
{
	return wt_error_create(WT_ERROR_USAGE, "cannot understand the name", pattern,
			       letter ? "%%%c stands for nothing: there are %%h host, %%p process, "
					"%%r rank, %%j job, %%t time, %%e executable, and %%%%"
				      : "a %% stands at its end: write %%%% for the sign itself",
			       letter);
}

struct wt_error *wt_pattern_expand(const char *pattern, const struct wt_name_facts *facts,
				   char **path_ret)
{
	wt_cleanup_buffer struct wt_buffer path = {0};
	char word[WT_NAME_WORD];

	for (const char *c = pattern; *c; c++) {
		const char *text = c;
		size_t length = 1;

		if (*c == '%') {
			text = stands_for(*++c, facts, word);
			if (!text)
				return pattern_refuse(pattern, *c);
			length = strlen(text);
		}
		wt_buffer_append(&path, text, length);
	}
	*path_ret = wt_buffer_take_text(&path);
	return *path_ret ? NULL : &wt_error_no_memory;
}

char *wt_pattern_glob(const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *c = slash ? slash + 1 : pattern;
	char *glob = malloc(2 * strlen(c) + 1), *to = glob;

	for (; glob && *c; c++) {
		if (*c == '%' && c[1]) {
			c++;
			if (*c != '%') {
				*to++ = '*';
				continue;
			}
		}
		if (strchr("*?[\\", *c))
			*to++ = '\\';
		*to++ = *c;
	}
	if (glob)
		*to = '\0';
	return glob;
}
