/* SPDX-License-Identifier: MIT */
/* A byte code that each work-item runs with a stack of its own: a switch in a loop. */
#include "device.h"

enum code {
	PUSH,
	ADD,
	SUBTRACT,
	MULTIPLY,
	DUPLICATE,
	SWAP,
	ITEM,
	ROTATE,
	NEGATE,
	AND,
	OR,
	JUMP_IF_ODD,
	END,
};

CONSTANT u8 program[] = {
	ITEM, PUSH, 17, MULTIPLY, DUPLICATE, PUSH,   5,	  ADD, SWAP, JUMP_IF_ODD, 14,  NEGATE,
	PUSH, 99,   OR, ITEM,	  DUPLICATE, ROTATE, AND, ADD, ITEM, SUBTRACT,	  END,
};

KERNEL void interpreter(GLOBAL u32 *out, u32 limit)
{
	u32 stack[16] = {0}, depth = 2, at = 0, steps = 0;

	while (program[at] != END && steps++ < limit) {
		u32 a = stack[(depth - 1) % 16], b = stack[(depth - 2) % 16];

		switch (program[at++]) {
		case PUSH:
			stack[depth++ % 16] = program[at++];
			break;
		case ADD:
			stack[(--depth - 1) % 16] = b + a;
			break;
		case SUBTRACT:
			stack[(--depth - 1) % 16] = b - a;
			break;
		case MULTIPLY:
			stack[(--depth - 1) % 16] = b * a;
			break;
		case DUPLICATE:
			stack[depth++ % 16] = a;
			break;
		case SWAP:
			stack[(depth - 1) % 16] = b;
			stack[(depth - 2) % 16] = a;
			break;
		case ITEM:
			stack[depth++ % 16] = global_id_x();
			break;
		case ROTATE:
			stack[(depth - 1) % 16] = a << 7 | a >> 25;
			break;
		case NEGATE:
			stack[(depth - 1) % 16] = 0 - a;
			break;
		case AND:
			stack[(--depth - 1) % 16] = b & a;
			break;
		case OR:
			stack[(--depth - 1) % 16] = b | a;
			break;
		default:
			at = a & 1 ? program[at] : at + 1;
			depth--;
			break;
		}
	}
	out[global_id_x()] = stack[(depth - 1) % 16] + (steps << 24);
}

HOST_KERNEL(interpreter, "pI", POINTER(0), U32(1));
