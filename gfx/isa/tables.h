/* SPDX-License-Identifier: MIT */
/* The operation tables of the architectures that can be executed. */
#ifndef GFX_ISA_TABLES_H
#define GFX_ISA_TABLES_H

#include "gfx/architecture/architecture.h"
#include "gfx/instruction/operation.h"

/* The encodings of an architecture. One that resembles another has rows for the differences only. */
struct gfx_isa {
	const struct gfx_encoding_row *rows; /* the first that matches a word is used */
	size_t row_count;
	const struct gfx_isa *base; /* used if no row matches; may be NULL */
};

/** The tables of an architecture, or NULL if it cannot be executed. */
const struct gfx_isa *gfx_isa_of(const struct gfx_architecture *architecture);

#define GFX942_ENCODING_COUNT 23
extern const struct gfx_encoding_row gfx942_encodings[GFX942_ENCODING_COUNT];

#define GFX942_SOP1_COUNT 64
#define GFX942_SOP2_COUNT 64
#define GFX942_SOPC_COUNT 32
#define GFX942_SOPK_COUNT 32
#define GFX942_SOPP_COUNT 32
#define GFX942_SMEM_COUNT 256
#define GFX942_VOP1_COUNT 128
#define GFX942_VOP2_COUNT 64
#define GFX942_VOPC_COUNT 256
#define GFX942_VOP3_COUNT 256
#define GFX942_VOP3P_COUNT 128
#define GFX942_TO_BYTE_COUNT 2
#define GFX942_DS_COUNT 256
#define GFX942_FLAT_COUNT 128
#define GFX942_MUBUF_COUNT 128
#define GFX942_MTBUF_COUNT 16

/* Indexed by opcode. A row without a name is not an operation, or not implemented; one without a function is not implemented. */
extern const struct gfx_operation gfx942_sop1[GFX942_SOP1_COUNT];
extern const struct gfx_operation gfx942_sop2[GFX942_SOP2_COUNT];
extern const struct gfx_operation gfx942_sopc[GFX942_SOPC_COUNT];
extern const struct gfx_operation gfx942_sopk[GFX942_SOPK_COUNT];
extern const struct gfx_operation gfx942_sopp[GFX942_SOPP_COUNT];
extern const struct gfx_operation gfx942_smem[GFX942_SMEM_COUNT];
extern const struct gfx_operation gfx942_vop1[GFX942_VOP1_COUNT];
extern const struct gfx_operation gfx942_vop2[GFX942_VOP2_COUNT];
extern const struct gfx_operation gfx942_vopc[GFX942_VOPC_COUNT];
extern const struct gfx_operation gfx942_vop3[GFX942_VOP3_COUNT]; /* from opcode 448 on */
extern const struct gfx_operation gfx942_vop3p[GFX942_VOP3P_COUNT];
extern const struct gfx_operation gfx942_to_byte[GFX942_TO_BYTE_COUNT];
/* Matrix operations of VOP3P, below and above the two that move accumulation registers. */
#define GFX_MATRIX_LOW_FIRST 62
#define GFX_MATRIX_LOW_COUNT 26
#define GFX_MATRIX_HIGH_FIRST 90
#define GFX_MATRIX_HIGH_COUNT 38
extern const struct gfx_operation gfx942_matrix_low[GFX_MATRIX_LOW_COUNT];
extern const struct gfx_operation gfx942_matrix_high[GFX_MATRIX_HIGH_COUNT];
extern const struct gfx_operation gfx90a_matrix_low[GFX_MATRIX_LOW_COUNT];
extern const struct gfx_operation gfx90a_matrix_high[GFX_MATRIX_HIGH_COUNT];
extern const struct gfx_operation gfx942_ds[GFX942_DS_COUNT];
extern const struct gfx_operation gfx942_flat[GFX942_FLAT_COUNT];
extern const struct gfx_operation gfx942_scratch[GFX942_FLAT_COUNT];
extern const struct gfx_operation gfx942_global[GFX942_FLAT_COUNT];
extern const struct gfx_operation gfx942_mubuf[GFX942_MUBUF_COUNT];
extern const struct gfx_operation gfx942_mtbuf[GFX942_MTBUF_COUNT];

#define GFX90A_ENCODING_COUNT 24
extern const struct gfx_encoding_row gfx90a_encodings[GFX90A_ENCODING_COUNT];
/* Products and sums that are rounded apart, in place of later fused ones. */
#define GFX90A_VOP2_MAD_COUNT 3
extern const struct gfx_operation gfx90a_vop2_mad[GFX90A_VOP2_MAD_COUNT];
#define GFX90A_VOP3_MAD_COUNT 2
extern const struct gfx_operation gfx90a_vop3_mad[GFX90A_VOP3_MAD_COUNT];

#define GFX908_ENCODING_COUNT 6
extern const struct gfx_encoding_row gfx908_encodings[GFX908_ENCODING_COUNT];
#define GFX900_ENCODING_COUNT 1
extern const struct gfx_encoding_row gfx900_encodings[GFX900_ENCODING_COUNT];

#define GFX950_ENCODING_COUNT 31
extern const struct gfx_encoding_row gfx950_encodings[GFX950_ENCODING_COUNT];
#define GFX950_MATRIX_FIRST 53
#define GFX950_MATRIX_COUNT 75
extern const struct gfx_operation gfx950_matrix[GFX950_MATRIX_COUNT];

/* gfx11, and what gfx12 has of it. */
#define GFX11_ENCODING_COUNT 27
extern const struct gfx_encoding_row gfx11_encodings[GFX11_ENCODING_COUNT];

#define GFX11_SOP1_COUNT 128
#define GFX11_SOP2_COUNT 64
#define GFX11_SOPC_COUNT 128
#define GFX11_SOPK_COUNT 32
#define GFX11_SOPP_COUNT 64
#define GFX11_SMEM_COUNT 64
#define GFX11_VOP1_COUNT 128
#define GFX11_VOP2_COUNT 64
#define GFX11_VOPC_COUNT 256
#define GFX11_VOP3_FIRST 512
#define GFX11_VOP3_COUNT 512
#define GFX11_DOT16_COUNT 2
#define GFX11_VOP3P_COUNT 128
#define GFX11_MATRIX_FIRST 64 /* of the packed ones' opcodes */
#define GFX11_MATRIX_COUNT 6
#define GFX11_DUAL_COUNT 32
#define GFX11_DS_COUNT 256
#define GFX11_FLAT_COUNT 128
#define GFX11_MTBUF_COUNT 16
#define GFX11_MUBUF_COUNT 128

extern const struct gfx_operation gfx11_sop1[GFX11_SOP1_COUNT];
extern const struct gfx_operation gfx11_sop2[GFX11_SOP2_COUNT];
extern const struct gfx_operation gfx11_sopc[GFX11_SOPC_COUNT];
extern const struct gfx_operation gfx11_sopk[GFX11_SOPK_COUNT];
extern const struct gfx_operation gfx11_sopp[GFX11_SOPP_COUNT];
extern const struct gfx_operation gfx11_smem[GFX11_SMEM_COUNT];
extern const struct gfx_operation gfx11_vop1[GFX11_VOP1_COUNT];
extern const struct gfx_operation gfx11_vop2[GFX11_VOP2_COUNT];
extern const struct gfx_operation gfx11_vopc[GFX11_VOPC_COUNT];
extern const struct gfx_operation gfx11_vop3[GFX11_VOP3_COUNT];	  /* from GFX11_VOP3_FIRST on */
extern const struct gfx_operation gfx11_dot16[GFX11_DOT16_COUNT]; /* from opcode 614 on */
extern const struct gfx_operation gfx11_vop3p[GFX11_VOP3P_COUNT];
extern const struct gfx_operation gfx11_matrices[GFX11_MATRIX_COUNT];
extern const struct gfx_operation gfx11_dual[GFX11_DUAL_COUNT];
extern const struct gfx_operation gfx11_ds[GFX11_DS_COUNT];
extern const struct gfx_operation gfx11_flat[GFX11_FLAT_COUNT];
extern const struct gfx_operation gfx11_scratch[GFX11_FLAT_COUNT];
extern const struct gfx_operation gfx11_global[GFX11_FLAT_COUNT];
extern const struct gfx_operation gfx11_mtbuf[GFX11_MTBUF_COUNT];
extern const struct gfx_operation gfx11_mubuf[GFX11_MUBUF_COUNT];

#define GFX1030_ENCODING_COUNT 195
extern const struct gfx_encoding_row gfx1030_encodings[GFX1030_ENCODING_COUNT];
#define GFX1010_ENCODING_COUNT 7
extern const struct gfx_encoding_row gfx1010_encodings[GFX1010_ENCODING_COUNT];

#define GFX1150_ENCODING_COUNT 4
extern const struct gfx_encoding_row gfx1150_encodings[GFX1150_ENCODING_COUNT];

#define GFX1170_ENCODING_COUNT 1
extern const struct gfx_encoding_row gfx1170_encodings[GFX1170_ENCODING_COUNT];

#define GFX12_ENCODING_COUNT 37
extern const struct gfx_encoding_row gfx12_encodings[GFX12_ENCODING_COUNT];

#endif /* GFX_ISA_TABLES_H */
