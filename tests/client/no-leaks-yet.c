/* SPDX-License-Identifier: MIT */
/* Is in a Python that calls libraries with a sanitizer: what Python allocates from its start on is no leak of theirs. */
void __lsan_disable(void);

__attribute__((constructor)) static void begin(void)
{
	__lsan_disable();
}
