/* SPDX-License-Identifier: MIT */
/* Structures by value through calls, copies of them, and a private array of them. */
#include "device.h"

struct body {
	float place[3], speed[3];
	u16 kind;
	u8 flags[5];
};

DEVICE_CALL struct body moved(struct body body, float time)
{
	for (u32 d = 0; d < 3; d++) {
		body.place[d] += body.speed[d] * time;
		if (body.place[d] > 4.0f || body.place[d] < -4.0f) {
			body.speed[d] = -body.speed[d];
			body.flags[d]++;
		}
	}
	body.kind = (u16)(body.kind * 3 + body.flags[4]);
	return body;
}

KERNEL void structs(GLOBAL struct body *out, u32 steps)
{
	u32 i = global_id_x();
	struct body bodies[3];

	for (u32 b = 0; b < 3; b++) {
		float start = (float)(i + b) * 0.125f;

		bodies[b] = (struct body){{start, -start, 1.0f},
					  {0.5f, 0.25f * (float)(b + 1), -0.75f},
					  (u16)(i * 7 + b),
					  {0, 0, 0, (u8)b, (u8)i}};
	}
	for (u32 k = 0; k < steps; k++)
		bodies[(i + k) % 3] = moved(bodies[k % 3], 0.5f);
	for (u32 d = 0; d < 3; d++) {
		out[i].place[d] = bodies[0].place[d] + bodies[1].place[d];
		out[i].speed[d] = bodies[2].speed[d];
	}
	out[i].kind = (u16)(bodies[0].kind ^ bodies[1].kind ^ bodies[2].kind);
	for (u32 f = 0; f < 5; f++)
		out[i].flags[f] = bodies[f % 3].flags[f];
}

HOST_KERNEL(structs, "pI", POINTER(0), U32(1));
