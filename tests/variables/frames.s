// SPDX-License-Identifier: MIT
// Call frame information as AMD's compiler writes it and clang 19 does not: the address of the frame in private memory, registers in
// memory, in lanes of vector registers, and in the memory of those lanes that a mask names. Each function stands at a trap.
	.text
	.cfi_sections .debug_frame

	.globl	frames
	.p2align	8
	.type	frames,@function
frames:
	.cfi_startproc
	.cfi_escape 0x07, 16			// DW_CFA_undefined: nothing called it
	s_swappc_b64 s[30:31], s[4:5]
	s_nop 1
	s_endpgm
	.cfi_endproc
	.size	frames, .-frames

	.type	outer,@function
outer:
	.cfi_startproc
	s_trap 3
	// The row of the start holds no longer.
	.cfi_escape 0x30, 65, 0, 6		// DW_CFA_LLVM_def_aspace_cfa s33 + 0, private memory of the wave
	.cfi_escape 0x10, 16, 16		// DW_CFA_expression of the return address: lanes 3 and 4 of v40
	.cfi_escape 0x90, 0xa8, 0x14, 0xe9, 5, 12, 0x93, 4
	.cfi_escape 0x90, 0xa8, 0x14, 0xe9, 5, 16, 0x93, 4
	.cfi_escape 0x10, 66, 6			// s34: lane 7 of v41
	.cfi_escape 0x90, 0xa9, 0x14, 0xe9, 5, 28
	.cfi_escape 0x07, 67			// s35: undefined
	.cfi_escape 0x09, 68, 42		// DW_CFA_register: s36 is in s10
	.cfi_escape 0x14, 69, 2			// DW_CFA_val_offset: s37 is the frame's address + 8
	.cfi_escape 0x16, 70, 5, 0x92, 65, 4, 0x32, 0x22 // DW_CFA_val_expression: s38 is s33 + 4 + 2
	.cfi_escape 0x08, 71			// DW_CFA_same_value: s39
	.cfi_escape 0x05, 72, 3			// DW_CFA_offset_extended: s40 is at the frame's address + 12
	.cfi_escape 0x11, 0xaa, 0x14, 16	// DW_CFA_offset_extended_sf: v42 at + 64, all lanes
	.cfi_escape 0x10, 17, 16		// EXEC: lanes 0 and 1 of v44
	.cfi_escape 0x90, 0xac, 0x14, 0xe9, 5, 0, 0x93, 4
	.cfi_escape 0x90, 0xac, 0x14, 0xe9, 5, 4, 0x93, 4
	.cfi_escape 0x10, 0xab, 0x14, 15	// v43: at + 256 in the lanes of that EXEC, else where it was
	.cfi_escape 0x90, 0xab, 0x14, 0x16, 0xe9, 5, 0x80, 2, 0xe9, 7, 17, 0xe9, 12, 32, 64
	s_nop 2
	s_trap 3
	.cfi_escape 0x0a			// DW_CFA_remember_state
	.cfi_escape 0x07, 66
	.cfi_escape 0x07, 0xaa, 0x14
	s_nop 3
	s_trap 3
	.cfi_escape 0x0b			// DW_CFA_restore_state
	.cfi_escape 0x06, 68			// DW_CFA_restore_extended
	s_swappc_b64 s[30:31], s[6:7]
	s_nop 4
	s_setpc_b64 s[30:31]
	.cfi_endproc
	.size	outer, .-outer

	.type	inner,@function
inner:
	.cfi_startproc
	.cfi_escape 0x0f, 6, 0x92, 64, 0, 0x36, 0xe9, 2	// DW_CFA_def_cfa_expression: s32, private memory of the wave
	.cfi_escape 0x10, 16, 8			// the return address: s30 and s31
	.cfi_escape 0x90, 62, 0x93, 4, 0x90, 63, 0x93, 4
	.cfi_escape 0x16, 65, 3, 0x92, 65, 0x40	// s33 is s33 - 64
	s_nop 5
	s_trap 3
	s_setpc_b64 s[30:31]
	.cfi_endproc
	.size	inner, .-inner

	.type	lost,@function
lost:
	.cfi_startproc
	.cfi_escape 0x10, 16, 2, 0xe9, 99	// an operation that there is not
	s_trap 3
	s_setpc_b64 s[30:31]
	.cfi_endproc
	.size	lost, .-lost
