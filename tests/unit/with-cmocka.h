/* SPDX-License-Identifier: MIT */
/* The header of cmocka, behind those that it needs and does not include. */
#ifndef WT_TESTS_UNIT_WITH_CMOCKA_H
#define WT_TESTS_UNIT_WITH_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif /* WT_TESTS_UNIT_WITH_CMOCKA_H */
