/* SPDX-License-Identifier: MIT */
/*
 * The architectures: a GPU is one row. The macro of its family says what it shares with its relatives, GPU() what only a
 * device has, and the rest of the row what is its own.
 *
 * Properties are those that the Linux kernel's driver tells a debugger (kfd_topology_set_capabilities and
 * kfd_dbg_has_ttmps_always_setup), with the newest firmware; machine numbers are LLVM's EF_AMDGPU_MACH.
 */
#include "gfx/architecture/architecture.h"
#include "gfx/architecture/data.h"
#include "gfx/architecture/registers-gfx10.h"
#include "gfx/architecture/registers-gfx11.h"
#include "gfx/architecture/registers-gfx12.h"
#include "gfx/architecture/registers-gfx9.h"

/* The fields that all have alike, or that follow from the id. */
#define IDENTITY(id_, name_, machine_, profile_)                                                   \
	.id = (id_), .name = (name_), .elf_machine = (machine_),                                   \
	.operands = {(name_), (profile_)}, .alignment = 4, .breakpoint_size = 4,                   \
	.breakpoint_pc_adjust = 4, .pc_register = GFX_PC_NUMBER,                                   \
	.aperture_mask = GFX_APERTURE_MASK, .local_aperture = GFX_LOCAL_APERTURE,                  \
	.private_aperture = GFX_PRIVATE_APERTURE,                                                  \
	.classes = (const struct gfx_register_class_info[])GFX_REGISTER_CLASSES(id_),              \
	.spaces = (const struct gfx_address_space[])GFX_ADDRESS_SPACES(id_),                       \
	.space_count = GFX_ADDRESS_SPACE_COUNT,                                                    \
	.address_classes = (const struct gfx_address_class[])GFX_ADDRESS_CLASSES(id_),             \
	.address_class_count = GFX_ADDRESS_CLASS_COUNT

#define GPU(version_, save_area_) .version = (version_), .save_area = GFX_SAVE_AREA_##save_area_
/* Code that is compiled for it runs on several GPUs. */
#define GENERIC .save_area = GFX_SAVE_AREA_NO_GPU

/* Words of s_trap 1 and s_endpgm. */
#define BREAKPOINT_GFX9 .breakpoint = {0x01, 0x00, 0x92, 0xbf}, .end_word = 0xbf810000
#define BREAKPOINT_GFX11 .breakpoint = {0x01, 0x00, 0x90, 0xbf}, .end_word = 0xbfb00000

#define WATCH_BITS(first_, last_) .watch_first_bit = (first_), .watch_last_bit = (last_)

/*
 * A compute unit, by LLVM's AMDGPUBaseInfo: its SIMDs, waves of each, vector registers of each, by how many they are given, lanes of those
 * registers, and scalar registers. Where accumulation registers are apart, they are counted. All but one have 64 KiB of local memory.
 */
#define UNIT_WITH(local_, local_step_, simds_, waves_, vectors_, step_, lanes_, scalars_)          \
	.unit = {                                                                                  \
		(simds_),   (waves_), (vectors_) * (lanes_)*4, (step_) * (lanes_)*4,               \
		(scalars_), (local_), (local_step_),                                               \
	}
#define UNIT(...) UNIT_WITH(65536, 512, __VA_ARGS__)
#define UNIT_GCN UNIT(4, 10, 256, 4, 64, 800)
#define UNIT_CDNA1 UNIT(4, 10, 512, 8, 64, 800)
#define UNIT_CDNA2 UNIT(4, 8, 512, 8, 64, 800)
#define UNIT_CDNA4 UNIT_WITH(163840, 1280, 4, 8, 512, 8, 64, 800)
#define UNIT_RDNA1 UNIT(2, 20, 1024, 8, 32, 0)
#define UNIT_RDNA2 UNIT(2, 16, 1024, 16, 32, 0)
#define UNIT_RDNA3_LARGE UNIT(2, 16, 1536, 24, 32, 0)

/* ---- Families ---- */

#define FAMILY_GFX9(id_, name_, machine_, profile_, registers_)                                    \
	IDENTITY(id_, name_, machine_, profile_), GFX_REGISTERS(registers_),                       \
		.generation = GFX_GENERATION_9, .largest_instruction = 8, BREAKPOINT_GFX9
#define GFX900(id_, name_, machine_)                                                               \
	FAMILY_GFX9(id_, name_, machine_, GFX_OPERAND_GFX9, registers_gfx900), WATCH_BITS(6, 29),  \
		UNIT_GCN, .ttmps_always = true
#define GFX908(id_, name_, machine_)                                                               \
	FAMILY_GFX9(id_, name_, machine_, GFX_OPERAND_GFX9, registers_gfx908), WATCH_BITS(6, 29),  \
		UNIT_CDNA1, .ttmps_always = true
#define GFX90A(id_, name_, machine_)                                                               \
	FAMILY_GFX9(id_, name_, machine_, GFX_OPERAND_GFX9, registers_gfx908), WATCH_BITS(6, 29),  \
		UNIT_CDNA2, .precise_memory = true
#define FAMILY_GFX940(id_, name_, machine_)                                                        \
	FAMILY_GFX9(id_, name_, machine_, GFX_OPERAND_GFX940, registers_gfx940),                   \
		.ttmps_always = true, .precise_memory = true, .trap_after_instruction = true,      \
		.traps_at_ends = true
#define GFX940(id_, name_, machine_)                                                               \
	FAMILY_GFX940(id_, name_, machine_), UNIT_CDNA2, WATCH_BITS(7, 30)
#define GFX950(id_, name_, machine_)                                                               \
	FAMILY_GFX940(id_, name_, machine_), UNIT_CDNA4, WATCH_BITS(6, 29)

/* From gfx10 on all have these properties. */
#define LATER(id_, name_, machine_, profile_, registers_)                                          \
	IDENTITY(id_, name_, machine_, profile_), GFX_REGISTERS(registers_), WATCH_BITS(7, 29),    \
		.ttmps_always = true
#define FAMILY_GFX10(id_, name_, machine_, profile_, registers_)                                   \
	LATER(id_, name_, machine_, profile_, registers_),                                         \
		.generation = GFX_GENERATION_10, .largest_instruction = 20, BREAKPOINT_GFX9
#define GFX1010(id_, name_, machine_)                                                              \
	FAMILY_GFX10(id_, name_, machine_, GFX_OPERAND_GFX10_1, registers_gfx1010), UNIT_RDNA1
/* Their generic target has the operands of the first ones, but as the second ones no mask for replays. */
#define GFX10_1_GENERIC(id_, name_, machine_)                                                      \
	FAMILY_GFX10(id_, name_, machine_, GFX_OPERAND_GFX10_1, registers_gfx1030), UNIT_RDNA1
#define GFX1030(id_, name_, machine_)                                                              \
	FAMILY_GFX10(id_, name_, machine_, GFX_OPERAND_GFX10_3, registers_gfx1030), UNIT_RDNA2

/* Some of them have half as many vector registers again. */
#define FAMILY_GFX11(id_, name_, machine_)                                                         \
	LATER(id_, name_, machine_, GFX_OPERAND_GFX11, registers_gfx11),                           \
		.generation = GFX_GENERATION_11, .largest_instruction = 20, BREAKPOINT_GFX11
#define GFX1100(id_, name_, machine_) FAMILY_GFX11(id_, name_, machine_), UNIT_RDNA3_LARGE
#define GFX1102(id_, name_, machine_) FAMILY_GFX11(id_, name_, machine_), UNIT_RDNA2
#define GFX1150(id_, name_, machine_)                                                              \
	FAMILY_GFX11(id_, name_, machine_), UNIT_RDNA2, .traps_at_ends = true
#define GFX1151(id_, name_, machine_)                                                              \
	FAMILY_GFX11(id_, name_, machine_), UNIT_RDNA3_LARGE, .traps_at_ends = true

#define FAMILY_GFX12(id_, name_, machine_, profile_, registers_)                                   \
	LATER(id_, name_, machine_, profile_, registers_), .largest_instruction = 24,              \
							   BREAKPOINT_GFX11, .precise_alu = true,  \
							   .traps_at_ends = true
#define GFX1200(id_, name_, machine_)                                                              \
	FAMILY_GFX12(id_, name_, machine_, GFX_OPERAND_GFX12, registers_gfx1200),                  \
		UNIT_RDNA3_LARGE, .generation = GFX_GENERATION_12
#define GFX1250(id_, name_, machine_)                                                              \
	FAMILY_GFX12(id_, name_, machine_, GFX_OPERAND_GFX12_5, registers_gfx1250),                \
		.generation = GFX_GENERATION_12_5, .precise_memory = true

/* ---- Products that are simulated ---- */

/*
 * Arrangement, queues and clocks are those that the kernel driver's topology tells, waves on a control stack those of its
 * kfd_queue_ctx_save_restore_size().
 */
#define FAMILY_AI 141
#define FAMILY_NV 143
#define FAMILY_GC_11_0 145
#define FAMILY_GC_11_0_1 148
#define FAMILY_GC_11_5 150
#define FAMILY_GC_12_0 152

#define CDNA                                                                                       \
	.drm_family = FAMILY_AI, .lanes = 64, .engine_arrays = 1, .units_step = 8,                 \
	.stack_unit_waves = 40, .stack_engine_waves = 512, .copy_engines = 2, .copy_queues = 8,    \
	.compute_queues = 24, .firmware = 65, .copy_firmware = 8, .graphics_block = 9,             \
	.copy_block = 4, .clock = 1700, .memory_clock = 1600, .memory_width = 4096,                \
	.caches = {{16, 64}, {8192, 128}}, .data_centre = true

/* Compute units go by pairs. */
#define RDNA2                                                                                      \
	.lanes = 32, .engine_arrays = 2, .stack_unit_waves = 32, .graphics_block = 10,             \
	.copy_block = 5
#define RDNA3                                                                                      \
	.lanes = 32, .engine_arrays = 2, .stack_unit_waves = 32, .graphics_block = 11,             \
	.copy_block = 6, .copy_queues = 6, .compute_queues = 8

static const struct gfx_product mi250x = {
	CDNA,
	.name = "Simulated AMD Instinct MI250X",
	.codename = "aldebaran",
	.pci_device = 0x7408,
	.compute_units = 110,
	.engines = 8,
};

static const struct gfx_product mi300x = {
	CDNA,
	.name = "Simulated AMD Instinct MI300X",
	.codename = "aqua_vanjaram",
	.pci_device = 0x74a1,
	.compute_units = 304,
	.engines = 4,
};

/* Its kernel driver is not simulated. */
static const struct gfx_product mi355x = {
	.name = "Simulated AMD Instinct MI355X",
	.codename = "gfx950",
	.pci_device = 0x75a3,
	.compute_units = 256,
	.drm_family = FAMILY_AI,
	.lanes = 64,
	.engines = 4,
	.engine_arrays = 1,
	.units_step = 8,
};

static const struct gfx_product rx6900xt = {
	RDNA2,
	.name = "Simulated AMD Radeon RX 6900 XT",
	.codename = "sienna_cichlid",
	.pci_device = 0x73bf,
	.pci_revision = 0xc0,
	.compute_units = 80,
	.drm_family = FAMILY_NV,
	.engines = 4,
	.units_step = 16,
	.copy_engines = 4,
	.copy_queues = 8,
	.compute_queues = 8,
	.firmware = 118,
	.copy_firmware = 83,
	.clock = 2660,
	.memory_clock = 1000,
	.memory_width = 256,
	.caches = {{16, 128}, {4096, 128}, {131072, 64}},
};

#define RDNA3_CARD                                                                                 \
	RDNA3, .drm_family = FAMILY_GC_11_0, .copy_engines = 2, .firmware = 2140,                  \
	       .copy_firmware = 20

static const struct gfx_product rx7900xtx = {
	RDNA3_CARD,
	.name = "Simulated AMD Radeon RX 7900 XTX",
	.codename = "gfx1100",
	.pci_device = 0x744c,
	.pci_revision = 0xc8,
	.compute_units = 96,
	.engines = 6,
	.units_step = 24,
	.clock = 2482,
	.memory_clock = 1249,
	.memory_width = 384,
	.caches = {{32, 128}, {6144, 128}, {98304, 64}},
};

static const struct gfx_product rx7800xt = {
	RDNA3_CARD,
	.name = "Simulated AMD Radeon RX 7800 XT",
	.codename = "gfx1101",
	.pci_device = 0x747e,
	.pci_revision = 0xc8,
	.compute_units = 60,
	.engines = 3,
	.units_step = 12,
	.clock = 2430,
	.memory_clock = 1219,
	.memory_width = 256,
	.caches = {{32, 128}, {4096, 128}, {65536, 64}},
};

static const struct gfx_product rx7600 = {
	RDNA3_CARD,
	.name = "Simulated AMD Radeon RX 7600",
	.codename = "gfx1102",
	.pci_device = 0x7480,
	.pci_revision = 0xcf,
	.compute_units = 32,
	.engines = 2,
	.units_step = 8,
	.clock = 2625,
	.memory_clock = 1124,
	.memory_width = 128,
	.caches = {{32, 128}, {2048, 128}, {32768, 64}},
};

#define RDNA3_IN_PROCESSOR                                                                         \
	RDNA3, .copy_engines = 1, .firmware = 30, .copy_firmware = 14, .in_processor = true

static const struct gfx_product radeon780m = {
	RDNA3_IN_PROCESSOR,
	.name = "Simulated AMD Radeon 780M",
	.codename = "gfx1103",
	.pci_device = 0x15bf,
	.pci_revision = 0xc4,
	.compute_units = 12,
	.drm_family = FAMILY_GC_11_0_1,
	.engines = 1,
	.units_step = 12,
	.clock = 2700,
	.memory_clock = 2800,
	.memory_width = 128,
	.caches = {{32, 128}, {2048, 128}},
};

#define RDNA3_5                                                                                    \
	RDNA3_IN_PROCESSOR, .drm_family = FAMILY_GC_11_5, .clock = 2900, .memory_clock = 1000

static const struct gfx_product radeon890m = {
	RDNA3_5,
	.name = "Simulated AMD Radeon 890M",
	.codename = "gfx1150",
	.pci_device = 0x150e,
	.pci_revision = 0xc1,
	.compute_units = 16,
	.engines = 1,
	.units_step = 8,
	.memory_width = 128,
	.caches = {{32, 128}, {2048, 128}},
};

static const struct gfx_product radeon8060s = {
	RDNA3_5,
	.name = "Simulated AMD Radeon 8060S",
	.codename = "gfx1151",
	.pci_device = 0x1586,
	.pci_revision = 0xc1,
	.compute_units = 40,
	.engines = 2,
	.units_step = 8,
	.memory_width = 256,
	.caches = {{32, 128}, {2048, 128}, {32768, 64}},
};

static const struct gfx_product radeon860m = {
	RDNA3_5,
	.name = "Simulated AMD Radeon 860M",
	.codename = "gfx1152",
	.pci_device = 0x1114,
	.pci_revision = 0xc2,
	.compute_units = 8,
	.engines = 1,
	.units_step = 8,
	.memory_width = 128,
	.caches = {{32, 128}, {1024, 128}},
};

static const struct gfx_product radeon840m = {
	RDNA3_5,
	.name = "Simulated AMD Radeon 840M",
	.codename = "gfx1153",
	.pci_device = 0x1902,
	.pci_revision = 0xc1,
	.compute_units = 4,
	.engines = 1,
	.units_step = 4,
	.memory_width = 128,
	.caches = {{32, 128}, {1024, 128}},
};

#define RDNA4                                                                                      \
	.drm_family = FAMILY_GC_12_0, .lanes = 32, .engine_arrays = 2, .stack_unit_waves = 32,     \
	.graphics_block = 12, .copy_block = 7, .copy_engines = 2, .copy_queues = 6,                \
	.compute_queues = 8, .firmware = 3010, .copy_firmware = 662

static const struct gfx_product rx9060xt = {
	RDNA4,
	.name = "Simulated AMD Radeon RX 9060 XT",
	.codename = "gfx1200",
	.pci_device = 0x7590,
	.pci_revision = 0xc0,
	.compute_units = 32,
	.engines = 2,
	.units_step = 8,
	.clock = 3320,
	.memory_clock = 1259,
	.memory_width = 128,
	.caches = {{32, 128}, {4096, 256}, {32768, 64}},
};

static const struct gfx_product rx9070xt = {
	RDNA4,
	.name = "Simulated AMD Radeon RX 9070 XT",
	.codename = "gfx1201",
	.pci_device = 0x7550,
	.pci_revision = 0xc0,
	.compute_units = 64,
	.engines = 4,
	.units_step = 16,
	.clock = 2570,
	.memory_clock = 1259,
	.memory_width = 256,
	.caches = {{32, 128}, {8192, 256}, {65536, 64}},
};

/* ---- The table ---- */

#define ROW(...)                                                                                   \
	&(const struct gfx_architecture)                                                           \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

/*
 * The order is that of ids, which debuggers see: a new one comes last. `llvm` is the first version of LLVM that knows it, where
 * not all that can be used do.
 */
static const struct gfx_architecture *const architectures[] = {
	ROW(GFX900(1, "gfx900", 0x2c), GPU(90000, GFX900), .operations = GFX_OPERATIONS_GFX900),
	ROW(GFX900(2, "gfx906", 0x2f), GPU(90006, GFX900), .operations = GFX_OPERATIONS_GFX908),
	ROW(GFX908(3, "gfx908", 0x30), GPU(90008, GFX908), .operations = GFX_OPERATIONS_GFX908),
	ROW(GFX90A(4, "gfx90a", 0x3f), GPU(90010, GFX90A), .operations = GFX_OPERATIONS_GFX90A,
	    .product = &mi250x),
	/* gfx940 and gfx941 were never sold, and removed in LLVM 21; AMD's builds of 20 may lack them. */
	ROW(GFX940(5, "gfx940", 0x40), GPU(90400, GFX940), .llvm = 15, .llvm_last = 19,
	    .alike = "gfx942", .operations = GFX_OPERATIONS_GFX942),
	ROW(GFX940(6, "gfx941", 0x4b), GPU(90401, GFX940), .llvm = 17, .llvm_last = 19,
	    .alike = "gfx942", .operations = GFX_OPERATIONS_GFX942),
	ROW(GFX940(7, "gfx942", 0x4c), GPU(90402, GFX940), .llvm = 17, .alike = "gfx940",
	    .operations = GFX_OPERATIONS_GFX942, .product = &mi300x),
	ROW(GFX1010(8, "gfx1010", 0x33), GPU(100100, GFX1010),
	    .operations = GFX_OPERATIONS_GFX1010),
	ROW(GFX1010(9, "gfx1011", 0x34), GPU(100101, GFX1010),
	    .operations = GFX_OPERATIONS_GFX1010),
	ROW(GFX1010(10, "gfx1012", 0x35), GPU(100102, GFX1010),
	    .operations = GFX_OPERATIONS_GFX1010),
	ROW(GFX1030(11, "gfx1030", 0x36), GPU(100300, GFX1030),
	    .operations = GFX_OPERATIONS_GFX1030, .product = &rx6900xt),
	ROW(GFX1030(12, "gfx1031", 0x37), GPU(100301, GFX1030),
	    .operations = GFX_OPERATIONS_GFX1030),
	ROW(GFX1030(13, "gfx1032", 0x38), GPU(100302, GFX1030),
	    .operations = GFX_OPERATIONS_GFX1030),
	ROW(GFX1100(14, "gfx1100", 0x41), GPU(110000, GFX1100), .llvm = 15,
	    .operations = GFX_OPERATIONS_GFX11, .product = &rx7900xtx),
	ROW(GFX1100(15, "gfx1101", 0x46), GPU(110001, GFX1100), .llvm = 15,
	    .operations = GFX_OPERATIONS_GFX11, .product = &rx7800xt),
	ROW(GFX1102(16, "gfx1102", 0x47), GPU(110002, GFX1100), .llvm = 15,
	    .operations = GFX_OPERATIONS_GFX11, .product = &rx7600),
	ROW(GFX1200(17, "gfx1200", 0x48), GPU(120000, GFX1200), .llvm = 18,
	    .operations = GFX_OPERATIONS_GFX12, .product = &rx9060xt),
	ROW(GFX1200(18, "gfx1201", 0x4e), GPU(120001, GFX1200), .llvm = 18,
	    .operations = GFX_OPERATIONS_GFX12, .product = &rx9070xt),
	ROW(GFX950(19, "gfx950", 0x4f), GPU(90500, GFX950), .llvm = 20, .alike = "gfx942",
	    .operations = GFX_OPERATIONS_GFX950, .product = &mi355x),
	ROW(GFX1150(20, "gfx1150", 0x43), GPU(110500, GFX1100), .llvm = 17,
	    .operations = GFX_OPERATIONS_GFX1150, .product = &radeon890m),
	ROW(GFX1151(21, "gfx1151", 0x4a), GPU(110501, GFX1100), .llvm = 17,
	    .operations = GFX_OPERATIONS_GFX1150, .product = &radeon8060s),
	ROW(GFX1150(22, "gfx1152", 0x55), GPU(110502, GFX1100), .llvm = 19, .alike = "gfx1151",
	    .operations = GFX_OPERATIONS_GFX1150, .product = &radeon860m),
	ROW(GFX1150(23, "gfx1153", 0x58), GPU(110503, GFX1100), .llvm = 20, .alike = "gfx1152",
	    .operations = GFX_OPERATIONS_GFX1150, .product = &radeon840m),
	ROW(GFX1250(24, "gfx1250", 0x49), GPU(120500, UNKNOWN), .llvm = 21),
	ROW(GFX900(25, "gfx9-generic", 0x51), GENERIC, .llvm = 19, .alike = "gfx900",
	    .operations = GFX_OPERATIONS_GFX908),
	ROW(GFX940(26, "gfx9-4-generic", 0x5f), GENERIC, .llvm = 20, .alike = "gfx942",
	    .operations = GFX_OPERATIONS_GFX942),
	ROW(GFX10_1_GENERIC(27, "gfx10-1-generic", 0x52), GENERIC, .llvm = 19, .alike = "gfx1010",
	    .operations = GFX_OPERATIONS_GFX1010),
	ROW(GFX1030(28, "gfx10-3-generic", 0x53), GENERIC, .llvm = 19, .alike = "gfx1030",
	    .operations = GFX_OPERATIONS_GFX1030),
	ROW(GFX1102(29, "gfx11-generic", 0x54), GENERIC, .llvm = 19, .alike = "gfx1100",
	    .operations = GFX_OPERATIONS_GFX11),
	ROW(GFX1200(30, "gfx12-generic", 0x59), GENERIC, .llvm = 19, .alike = "gfx1200",
	    .operations = GFX_OPERATIONS_GFX12),
	ROW(GFX1102(31, "gfx1103", 0x44), GPU(110003, GFX1100), .llvm = 15,
	    .operations = GFX_OPERATIONS_GFX11, .product = &radeon780m),
	ROW(GFX1150(32, "gfx1154", 0x57), GPU(110504, GFX1100), .llvm = 23, .alike = "gfx1153",
	    .operations = GFX_OPERATIONS_GFX1150),
	ROW(GFX1150(33, "gfx1170", 0x5d), GPU(110700, UNKNOWN), .llvm = 23, .alike = "gfx1153",
	    .operations = GFX_OPERATIONS_GFX1170),
	ROW(GFX1150(34, "gfx1171", 0x5e), GPU(110701, UNKNOWN), .llvm = 23, .alike = "gfx1153",
	    .operations = GFX_OPERATIONS_GFX1170),
	ROW(GFX1150(35, "gfx1172", 0x5c), GPU(110702, UNKNOWN), .llvm = 23, .alike = "gfx1153",
	    .operations = GFX_OPERATIONS_GFX1170),
	ROW(GFX1150(36, "gfx11-7-generic", 0x62), GENERIC, .llvm = 23, .alike = "gfx1153",
	    .operations = GFX_OPERATIONS_GFX1170),
	/* Code for the first revision of gfx1250, whose version the driver gives to both; only AMD's LLVM knows it. */
	ROW(GFX1250(37, "gfx1250-strict", 0xeb), GENERIC, .llvm = 23, .alike = "gfx1250"),
	ROW(GFX1250(38, "gfx1251", 0x5a), GPU(120501, UNKNOWN), .llvm = 22, .alike = "gfx1250"),
	ROW(GFX1250(39, "gfx12-5-generic", 0x5b), GENERIC, .llvm = 23, .alike = "gfx1250"),
};

static const struct gfx_machine machines[] = {
	{0x20, {"gfx600", GFX_OPERAND_GFX6}},		{0x21, {"gfx601", GFX_OPERAND_GFX6}},
	{0x3a, {"gfx602", GFX_OPERAND_GFX6}},		{0x22, {"gfx700", GFX_OPERAND_GFX6}},
	{0x23, {"gfx701", GFX_OPERAND_GFX6}},		{0x24, {"gfx702", GFX_OPERAND_GFX6}},
	{0x25, {"gfx703", GFX_OPERAND_GFX6}},		{0x26, {"gfx704", GFX_OPERAND_GFX6}},
	{0x3b, {"gfx705", GFX_OPERAND_GFX6}},		{0x28, {"gfx801", GFX_OPERAND_GFX8}},
	{0x29, {"gfx802", GFX_OPERAND_GFX8}},		{0x2a, {"gfx803", GFX_OPERAND_GFX8}},
	{0x3c, {"gfx805", GFX_OPERAND_GFX8}},		{0x2b, {"gfx810", GFX_OPERAND_GFX8}},
	{0x2d, {"gfx902", GFX_OPERAND_GFX9}},		{0x2e, {"gfx904", GFX_OPERAND_GFX9}},
	{0x31, {"gfx909", GFX_OPERAND_GFX9}},		{0x32, {"gfx90c", GFX_OPERAND_GFX9}},
	{0x42, {"gfx1013", GFX_OPERAND_GFX10_1}},	{0x39, {"gfx1033", GFX_OPERAND_GFX10_3}},
	{0x3e, {"gfx1034", GFX_OPERAND_GFX10_3}},	{0x3d, {"gfx1035", GFX_OPERAND_GFX10_3}},
	{0x45, {"gfx1036", GFX_OPERAND_GFX10_3}},	{0x50, {"gfx1310", GFX_OPERAND_UNKNOWN}},
	{0x63, {"gfx13-generic", GFX_OPERAND_UNKNOWN}},
};

const struct gfx_machine *gfx_machines(size_t *count_ret)
{
	*count_ret = GFX_COUNT(machines);
	return machines;
}

const struct gfx_architecture *const *gfx_architectures(size_t *count_ret)
{
	*count_ret = GFX_COUNT(architectures);
	return architectures;
}
