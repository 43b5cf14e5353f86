/* SPDX-License-Identifier: MIT */
/* Floating point numbers of GPUs: what their bits mean, and how they are written. */
#ifndef WT_REPLAYER_DWARF_REAL_H
#define WT_REPLAYER_DWARF_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a number is made of bits. Those of IEEE 754 are told apart by their size. */
enum wt_real_form {
	WT_REAL_IEEE,
	WT_REAL_BFLOAT16,
	WT_REAL_E4M3, /* of the Open Compute Project's 8 bit specification, like the next one */
	WT_REAL_E5M2,
	WT_REAL_E4M3_FNUZ, /* of gfx942: no infinities and no negative zero; the bits of that are the one NaN */
	WT_REAL_E5M2_FNUZ,
};

/** Is there a number of that form with so many bits? */
bool wt_real_is_known(enum wt_real_form form, unsigned int bits);

/** The number that the lowest @bits of @number are. */
double wt_real_of(enum wt_real_form form, unsigned int bits, uint64_t number);

/** The nearest number that the form has; beyond its largest one an infinity, or NaN where it has none. */
double wt_real_round(enum wt_real_form form, unsigned int bits, double real);

#define WT_REAL_TEXT_MAX 64

/** Write a number with as few digits as tell it from its neighbours: "10", "0.1", "1e+20"; whole ones as they are. */
void wt_real_text(enum wt_real_form form, unsigned int bits, double real,
		  char text[WT_REAL_TEXT_MAX]);

/**
 * Finds a class that stands for numbers, as HIP's __half2 and __hip_fp8x4_e4m3 do, by its name.
 *
 * @size: of an object, in bits.
 * Return: how many numbers it has; 0 if it is no such.
 */
unsigned int wt_real_class(const char *name, uint64_t size, enum wt_real_form *form_ret,
			   unsigned int *bits_ret);

#endif /* WT_REPLAYER_DWARF_REAL_H */
