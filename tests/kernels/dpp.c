/* SPDX-License-Identifier: MIT */
/* Each pattern of DPP, with and without a value for lanes that have no source; a scan by them. */
#include "device.h"

KERNEL void dpp(GLOBAL const u32 *in, GLOBAL u32 *out)
{
	u32 i = global_id_x(), value = in[i], scan = value;
	GLOBAL u32 *row = out + i * 12;

	row[0] = wave_dpp(77, value, DPP_QUAD(3, 1, 0, 2), 15, 15);
	row[1] = wave_dpp(78, value, DPP_ROW_LEFT(3), 15, 15);
	row[2] = wave_dpp(79, value, DPP_ROW_RIGHT(5), 15, 15);
	row[3] = wave_dpp(80, value, DPP_ROW_ROTATE(7), 15, 15);
	row[4] = wave_dpp(81, value, DPP_WAVE_RIGHT, 15, 15);
	row[5] = wave_dpp(82, value, DPP_MIRROR, 5, 15);
	row[6] = wave_dpp(83, value, DPP_HALF_MIRROR, 15, 9);
	row[7] = wave_dpp(84, value, DPP_BROADCAST_15, 10, 15);
	row[8] = wave_dpp(85, value, DPP_BROADCAST_31, 12, 15);
	row[9] = wave_dpp_zero(value, DPP_ROW_RIGHT(1)) + wave_dpp_zero(value, DPP_ROW_LEFT(15));
	/* Sums of all lanes up to this one. */
	scan += wave_dpp(0, scan, DPP_ROW_RIGHT(1), 15, 15);
	scan += wave_dpp(0, scan, DPP_ROW_RIGHT(2), 15, 15);
	scan += wave_dpp(0, scan, DPP_ROW_RIGHT(4), 15, 15);
	scan += wave_dpp(0, scan, DPP_ROW_RIGHT(8), 15, 15);
	scan += wave_dpp(0, scan, DPP_BROADCAST_15, 10, 15);
	scan += wave_dpp(0, scan, DPP_BROADCAST_31, 12, 15);
	row[10] = scan;
	row[11] = value * 3 + wave_dpp(value, value, DPP_QUAD(1, 0, 3, 2), 15, 15);
}

HOST_KERNEL(dpp, "pp", POINTER(0), POINTER(1));
