// SPDX-License-Identifier: MIT
// Variables in every place that DWARF can name, of which clang writes few: parts of registers, values at the call, pointers to what is
// not in memory, values that are nowhere. What stands there in waves that never ran is in planted.c.
	.text
	.file	1 "." "places.s"
	.globl	places
	.p2align	8
	.type	places,@function
places:
.Lbegin:
	.loc	1 1 0
	s_nop 0
	.loc	1 2 1 prologue_end
	s_mov_b32 s20, 0
.Lmiddle:
	.loc	1 3 1
	s_trap 3
	.loc	1 4 1
	s_nop 1
	// What nobody reads is not shown.
	.altmacro
	.macro	read_vector number
	ds_write_b32 v0, v\number
	.endm
	.macro	read_scalar number
	s_cmp_eq_u32 s\number, 0
	s_cbranch_scc1 .Lread\number
.Lread\number:
	.endm
	.set	number, 0
	.rept	64
	read_vector %number
	.set	number, number + 1
	.endr
	.set	number, 0
	.rept	64
	read_scalar %number
	.set	number, number + 1
	.endr
	.noaltmacro
	s_endpgm
.Lend:
	.size	places, .-places

	.section	.debug_abbrev,"",@progbits
	.macro	abbreviation code, tag, children, fields:vararg
	.uleb128 \code
	.uleb128 \tag
	.byte	\children
	.irp	field, \fields
	.uleb128 \field
	.endr
	.byte	0, 0
	.endm
	// Attributes and forms: name 3 string 8, type 0x49 ref4 0x13, location 2 exprloc 0x18 or sec_offset 0x17, sizes data1 0xb.
	abbreviation 1, 0x11, 1, 3, 8, 0x11, 1, 0x12, 7, 0x10, 0x17		// the unit
	abbreviation 2, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 7			// a function
	abbreviation 3, 0x24, 0, 3, 8, 0x3e, 0xb, 0xb, 0xb			// a number
	abbreviation 4, 0x34, 0, 3, 8, 0x49, 0x13, 2, 0x18			// a variable
	abbreviation 5, 0x34, 0, 3, 8, 0x49, 0x13, 2, 0x17			// one with a list
	abbreviation 6, 0x34, 0, 3, 8, 0x49, 0x13, 0x1c, 0xd			// one with a constant
	abbreviation 7, 0x26, 0, 0x49, 0x13					// const
	abbreviation 8, 0xf, 0, 0x49, 0x13, 0x33, 0xb				// a pointer with an address class
	abbreviation 9, 0x13, 1, 3, 8, 0xb, 0xb				// a structure
	abbreviation 10, 0xd, 0, 3, 8, 0x49, 0x13, 0x38, 0xb			// a member
	abbreviation 11, 0xd, 0, 3, 8, 0x49, 0x13, 0x6b, 0xb, 0xd, 0xb	// a bit field
	abbreviation 12, 0x17, 1, 3, 8, 0xb, 0xb				// a union
	abbreviation 13, 4, 1, 3, 8, 0x49, 0x13, 0xb, 0xb			// an enumeration
	abbreviation 14, 0x28, 0, 3, 8, 0x1c, 0xd				// an enumerator
	abbreviation 15, 1, 1, 0x49, 0x13, 0x2107, 0x19			// a vector
	abbreviation 16, 0x21, 0, 0x37, 0xb					// its length
	abbreviation 17, 1, 1, 0x49, 0x13					// an array
	abbreviation 18, 0x10, 0, 0x49, 0x13					// a reference
	abbreviation 19, 0x34, 0, 3, 8, 0x49, 0x13				// a variable that is nowhere
	.byte	0

	.macro	number name, encoding, size
	.uleb128 3
	.asciz	"\name"
	.byte	\encoding, \size
	.endm
	.macro	member name, type, offset
	.uleb128 10
	.asciz	"\name"
	.long	\type-.Linfo
	.byte	\offset
	.endm
	.macro	field name, type, offset, bits
	.uleb128 11
	.asciz	"\name"
	.long	\type-.Linfo
	.byte	\offset, \bits
	.endm
	.macro	variable name, type, expression:vararg
	.uleb128 4
	.asciz	"\name"
	.long	\type-.Linfo
	.uleb128 .Lafter\@-.Lbefore\@
.Lbefore\@:
	.byte	\expression
.Lafter\@:
	.endm
	// A pointer to another variable: DW_OP_implicit_pointer.
	.macro	removed name, type, target, offset
	.uleb128 4
	.asciz	"\name"
	.long	\type-.Linfo
	.uleb128 6
	.byte	0xa0
	.long	\target-.Linfo
	.sleb128 \offset
	.endm
	.macro	listed name, type, list
	.uleb128 5
	.asciz	"\name"
	.long	\type-.Linfo
	.long	\list
	.endm
	.macro	derived code, type, more:vararg
	.uleb128 \code
	.long	\type-.Linfo
	.ifnb	\more
	.byte	\more
	.endif
	.endm

	.section	.debug_info,"",@progbits
.Linfo:
	.long	.Linfo_end-.Linfo_start
.Linfo_start:
	.short	5
	.byte	1, 8
	.long	.debug_abbrev
	.uleb128 1
	.asciz	"places.s"
	.quad	.Lbegin
	.quad	.Lend-.Lbegin
	.long	.debug_line
.Lint:
	number	int, 5, 4
.Lunsigned:
	number	unsigned, 7, 4
.Llong:
	number	"unsigned long", 7, 8
.Lshort:
	number	short, 5, 2
.Lfloat:
	number	float, 4, 4
.Lbool:
	number	bool, 2, 1
.Lconst_int:
	derived	7, .Lint
.Lconst_float:
	derived	7, .Lfloat
.Lpointer:
	derived	8, .Lint, 0
.Lprivate:
	derived	8, .Lunsigned, 1
.Lconst_private:
	derived	7, .Lprivate
.Llocal:
	derived	8, .Lint, 2
.Lconst_local:
	derived	7, .Llocal
.Lconst_pointer:
	derived	7, .Lpointer
.Lregion:
	derived	8, .Lint, 9
.Lconst_region:
	derived	7, .Lregion
.Lreference:
	derived	18, .Lint
.Lpair:
	.uleb128 9
	.asciz	"pair"
	.byte	8
	member	first, .Lunsigned, 0
	member	second, .Lunsigned, 4
	.byte	0
.Lpair_pointer:
	derived	8, .Lpair, 0
.Lbits:
	.uleb128 9
	.asciz	"bits"
	.byte	4
	field	low, .Lunsigned, 0, 4
	field	lane, .Lint, 4, 6
	field	index, .Lunsigned, 12, 8
	field	top, .Lint, 28, 4
	.byte	0
.Leither:
	.uleb128 12
	.asciz	"either"
	.byte	4
	member	number, .Lint, 0
	member	real, .Lfloat, 0
	member	half, .Lshort, 2
	.byte	0
.Lcolor:
	.uleb128 13
	.asciz	"color"
	.long	.Lunsigned-.Linfo
	.byte	4
	.irp	name, RED, GREEN, BLUE
	.uleb128 14
	.asciz	"\name"
	.ifc	\name, RED
	.sleb128 0
	.endif
	.ifc	\name, GREEN
	.sleb128 1
	.endif
	.ifc	\name, BLUE
	.sleb128 5
	.endif
	.endr
	.byte	0
.Lvector:
	.uleb128 15
	.long	.Lunsigned-.Linfo
	.uleb128 16
	.byte	2
	.byte	0
.Larray:
	.uleb128 17
	.long	.Lunsigned-.Linfo
	.uleb128 16
	.byte	2
	.byte	0

	.uleb128 2
	.asciz	"places"
	.quad	.Lbegin
	.quad	.Lend-.Lbegin
.Lin_register:
	variable in_register, .Lunsigned, 0x90, 0x83, 0x14				// v3
	variable uniform, .Lunsigned, 0x90, 40						// s8
	variable parts, .Llong, 0x90, 40, 0x93, 4, 0x90, 0x83, 0x14, 0x93, 4		// s8, v3
.Lhalf_gone:
	variable half_gone, .Lpair, 0x93, 4, 0x90, 0x85, 0x14, 0x93, 4			// nothing, v5
.Ltwo:
	variable two, .Lpair, 0x90, 0x84, 0x14, 0x93, 4, 0x90, 0x85, 0x14, 0x93, 4	// v4, v5
	variable bits, .Lbits, 0x90, 0x86, 0x14					// v6
	variable mixed, .Lshort, 0x90, 0x87, 0x14, 0x9d, 8, 4, 0x90, 40, 0x9d, 8, 0	// bits 4 to 11 of v7, bits 0 to 7 of s8
	variable either, .Leither, 0x90, 41						// s9
	variable color, .Lcolor, 0x92, 45, 0, 0x33, 0x1a, 0x9f				// s13 & 3
	variable other_color, .Lcolor, 0x92, 45, 0, 0x32, 0x1a, 0x9f			// s13 & 2
	variable vector, .Lvector, 0x90, 0x84, 0x14, 0x93, 4, 0x90, 0x85, 0x14, 0x93, 4
	variable array, .Larray, 0x90, 0x84, 0x14, 0x93, 4, 0x90, 0x85, 0x14, 0x93, 4
	variable framed, .Lpair, 0x92, 65, 0x30, 0x31, 0x16, 0x18			// at 48 of the frame
	variable fixed, .Lconst_float, 0x9e, 4, 0, 0, 0xc0, 0x3f			// DW_OP_implicit_value
	variable loose, .Lint, 0x37, 0x9f						// 7, but of a variable that may change
	variable called_with, .Lunsigned, 0xa3, 2, 0x90, 60, 0x9f			// s28 at the call
	variable called_sum, .Lunsigned, 0xa3, 2, 0x90, 60, 0x23, 2, 0x9f		// that plus 2
	variable was_called_with, .Lunsigned, 0xa3, 2, 0x90, 52, 0x9f			// s20 at the call, which was written since
	variable condition, .Lbool, 0x90, 40						// s8: a mask
	variable odd, .Lunsigned, 0xe9, 0x63						// an operation that there is not
	variable in_private, .Lconst_private, 0x9e, 4, 0, 1, 0, 0			// 0x100
	variable in_local, .Lconst_local, 0x9e, 4, 0, 1, 0, 0
	variable in_global, .Lconst_pointer, 0x9e, 8, 0, 0x10, 0, 0, 1, 0, 0, 0
	variable in_region, .Lconst_region, 0x9e, 8, 0, 0x10, 0, 0, 0, 0, 0, 0
	removed	to_register, .Lpointer, .Lin_register, 0
	removed	to_two, .Lpair_pointer, .Ltwo, 0
	removed	to_second, .Lpointer, .Ltwo, 4
	removed	to_gone, .Lpair_pointer, .Lhalf_gone, 0
	removed	to_type, .Lpointer, .Lint, 0
	removed	behind, .Lpointer, .Ltwo, 8
	removed	refers, .Lreference, .Lin_register, 0
	listed	here, .Lunsigned, .Llist_here
	listed	elsewhere, .Lunsigned, .Llist_elsewhere
	.uleb128 6
	.asciz	"limit"
	.long	.Lconst_int-.Linfo
	.sleb128 -42
	.uleb128 19
	.asciz	"nowhere"
	.long	.Lint-.Linfo
	.byte	0
	.byte	0
.Linfo_end:

	.section	.debug_loclists,"",@progbits
	.long	.Llists_end-.Llists_start
.Llists_start:
	.short	5
	.byte	8, 0
	.long	0
	// DW_LLE_start_end
.Llist_here:
	.byte	7
	.quad	.Lbegin, .Lmiddle
	.uleb128 2
	.byte	0x90, 42								// s10
	.byte	7
	.quad	.Lmiddle, .Lend
	.uleb128 3
	.byte	0x90, 0x88, 0x14						// v8
	.byte	0
.Llist_elsewhere:
	.byte	7
	.quad	.Lbegin, .Lmiddle
	.uleb128 2
	.byte	0x90, 42
	.byte	0
.Llists_end:
