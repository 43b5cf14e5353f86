/* SPDX-License-Identifier: MIT */
#include "cli/browse/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t wt_number_read(const uint8_t *bytes, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size && i < sizeof(number); i++)
		number |= (uint64_t)bytes[i] << (8 * i);
	return number;
}

const char *wt_number_float(uint32_t word, char text[WT_NUMBER_MAX])
{
	float number;

	memcpy(&number, &word, sizeof(number));
	if (isnan(number)) {
		snprintf(text, WT_NUMBER_MAX, "nan");
		return text;
	}
	for (int digits = 1; digits <= 9; digits++) {
		snprintf(text, WT_NUMBER_MAX, "%.*g", digits, (double)number);
		if (strtof(text, NULL) == number)
			break;
	}
	return text;
}
