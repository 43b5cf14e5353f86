/* SPDX-License-Identifier: MIT */
/* Control flow, exec mask handling, and the wave's own state registers. */
#include "gfx/alu/scalar.h"
#include "gfx/architecture/local.h"
#include "gfx/instruction/fields.h"

#define STATUS_HALT (1U << 13)
#define STATUS_PRIORITY_SHIFT 3
#define STATUS_DEBUG_USER (1U << 20)
#define STATUS_DEBUG_SYSTEM (1U << 21)

/* The forms of 32 bits see and change the lower lanes alone. Return: what has been put. */
static uint64_t put_exec(struct gfx_scalar *scalar, uint64_t mask)
{
	bool narrow = scalar->context->instruction->operation->dst == GFX_B32;
	struct gfx_wave *wave = scalar->context->wave;

	if (narrow)
		mask &= UINT32_MAX;
	wave->exec = narrow ? (wave->exec & ~(uint64_t)UINT32_MAX) | mask : mask;
	return mask;
}

/* dst = exec; exec = expression of the source a and the old exec; scc = exec != 0 */
#define SAVE_EXEC(name, expression)                                                                \
	void gfx_s_##name##_saveexec(struct gfx_scalar *scalar)                                    \
	{                                                                                          \
		uint64_t a = scalar->a, exec = scalar->context->wave->exec;                        \
                                                                                                   \
		scalar->scc = put_exec(scalar, (expression)) != 0;                                 \
		scalar->d = exec;                                                                  \
	}

SAVE_EXEC(and, a &exec)
SAVE_EXEC(or, a | exec)
SAVE_EXEC(xor, a ^ exec)
SAVE_EXEC(andn2, a & ~exec)
SAVE_EXEC(orn2, a | ~exec)
SAVE_EXEC(nand, ~(a &exec))
SAVE_EXEC(nor, ~(a | exec))
SAVE_EXEC(xnor, ~(a ^ exec))
SAVE_EXEC(andn1, ~a &exec)
SAVE_EXEC(orn1, ~a | exec)

/* Destination and exec both get the new mask. */
static void write_exec(struct gfx_scalar *scalar, uint64_t mask)
{
	scalar->d = put_exec(scalar, mask);
	scalar->scc = scalar->d != 0;
}

void gfx_s_andn1_wrexec(struct gfx_scalar *scalar)
{
	write_exec(scalar, ~scalar->a & scalar->context->wave->exec);
}

void gfx_s_andn2_wrexec(struct gfx_scalar *scalar)
{
	write_exec(scalar, scalar->a & ~scalar->context->wave->exec);
}

void gfx_s_getpc_b64(struct gfx_scalar *scalar)
{
	scalar->d = scalar->context->next_pc;
}

void gfx_s_setpc_b64(struct gfx_scalar *scalar)
{
	scalar->context->next_pc = scalar->a;
}

void gfx_s_swappc_b64(struct gfx_scalar *scalar)
{
	scalar->d = scalar->context->next_pc;
	scalar->context->next_pc = scalar->a;
}

static uint64_t target(const struct gfx_context *context)
{
	return context->next_pc + (uint64_t)((int64_t)context->instruction->offset * 4);
}

void gfx_s_call_b64(struct gfx_scalar *scalar)
{
	scalar->d = scalar->context->next_pc;
	scalar->context->next_pc = target(scalar->context);
}

static enum gfx_step branch_if(struct gfx_context *context, bool condition)
{
	if (condition)
		context->next_pc = target(context);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_s_branch(struct gfx_context *context)
{
	return branch_if(context, true);
}

enum gfx_step gfx_s_cbranch_scc0(struct gfx_context *context)
{
	return branch_if(context, !(context->wave->status & GFX_STATUS_SCC));
}

enum gfx_step gfx_s_cbranch_scc1(struct gfx_context *context)
{
	return branch_if(context, context->wave->status & GFX_STATUS_SCC);
}

enum gfx_step gfx_s_cbranch_vccz(struct gfx_context *context)
{
	return branch_if(context, gfx_vcc_lanes(context->wave) == 0);
}

enum gfx_step gfx_s_cbranch_vccnz(struct gfx_context *context)
{
	return branch_if(context, gfx_vcc_lanes(context->wave) != 0);
}

enum gfx_step gfx_s_cbranch_execz(struct gfx_context *context)
{
	return branch_if(context, context->wave->exec == 0);
}

enum gfx_step gfx_s_cbranch_execnz(struct gfx_context *context)
{
	return branch_if(context, context->wave->exec != 0);
}

enum gfx_step gfx_s_cbranch_cdbgsys(struct gfx_context *context)
{
	return branch_if(context, context->wave->status & STATUS_DEBUG_SYSTEM);
}

enum gfx_step gfx_s_cbranch_cdbguser(struct gfx_context *context)
{
	return branch_if(context, context->wave->status & STATUS_DEBUG_USER);
}

enum gfx_step gfx_s_cbranch_cdbgsys_or_user(struct gfx_context *context)
{
	return branch_if(context,
			 context->wave->status & (STATUS_DEBUG_SYSTEM | STATUS_DEBUG_USER));
}

enum gfx_step gfx_s_cbranch_cdbgsys_and_user(struct gfx_context *context)
{
	uint32_t both = STATUS_DEBUG_SYSTEM | STATUS_DEBUG_USER;

	return branch_if(context, (context->wave->status & both) == both);
}

enum gfx_step gfx_s_endpgm(struct gfx_context *context)
{
	context->fault->reason = "end of program";
	return GFX_STEP_END;
}

enum gfx_step gfx_s_barrier(struct gfx_context *context)
{
	context->fault->reason = "barrier";
	return GFX_STEP_BARRIER;
}

/* The workgroup's barrier is -1; the others are those of trap handlers, and those that have names. */
static enum gfx_step join_barrier(struct gfx_context *context, uint32_t number,
				  enum gfx_sync_kind kind)
{
	if (number != UINT32_MAX)
		return gfx_illegal(context, true, "a barrier that is not the workgroup's");
	context->wave->sync = (struct gfx_sync){.kind = kind};
	context->fault->reason = "barrier";
	return GFX_STEP_GLOBAL_SYNC;
}

/* Who has to do with the other waves tells, in scc, whether this is the first one of them. */
enum gfx_step gfx_s_barrier_signal(struct gfx_context *context)
{
	const struct gfx_instruction *instruction = context->instruction;
	enum gfx_step step = join_barrier(context, gfx_read_scalar32(context, instruction->src[0]),
					  GFX_SYNC_SIGNAL);

	context->wave->sync.value = instruction->operation->flags & GFX_NONZERO_SCC ? 1 : 0;
	return step;
}

enum gfx_step gfx_s_barrier_wait(struct gfx_context *context)
{
	return join_barrier(context, (uint32_t)context->instruction->offset, GFX_SYNC_WAIT);
}

enum gfx_step gfx_s_trap(struct gfx_context *context)
{
	context->fault->trap_id = (uint32_t)context->instruction->offset & 0xff;
	context->fault->reason = "trap instruction";
	return GFX_STEP_TRAP;
}

enum gfx_step gfx_s_sendmsghalt(struct gfx_context *context)
{
	context->wave->status |= STATUS_HALT;
	context->fault->reason = "the wave halted itself";
	return GFX_STEP_HALT;
}

enum gfx_step gfx_s_sethalt(struct gfx_context *context)
{
	if (context->instruction->offset & 1)
		return gfx_s_sendmsghalt(context);
	context->wave->status &= ~STATUS_HALT;
	return GFX_STEP_DONE;
}

enum gfx_step gfx_s_setprio(struct gfx_context *context)
{
	uint32_t priority = (uint32_t)context->instruction->offset & 3;
	struct gfx_wave *wave = context->wave;

	wave->status &= ~(3U << STATUS_PRIORITY_SHIFT);
	wave->status |= priority << STATUS_PRIORITY_SHIFT;
	return GFX_STEP_DONE;
}

/* Rounding and denormals from gfx10 on: the lower bits of mode. */
enum gfx_step gfx_s_round_mode(struct gfx_context *context)
{
	struct gfx_wave *wave = context->wave;

	wave->mode = (wave->mode & ~0xfU) | ((uint32_t)context->instruction->offset & 0xf);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_s_denorm_mode(struct gfx_context *context)
{
	struct gfx_wave *wave = context->wave;

	wave->mode = (wave->mode & ~0xf0U) | ((uint32_t)context->instruction->offset & 0xf) << 4;
	return GFX_STEP_DONE;
}

#define MESSAGE_REAL_TIME 0x83

/* Time alone is known: the doorbell, the trap handler and the place of the wave read as 0. */
void gfx_s_sendmsg_rtn(struct gfx_scalar *scalar)
{
	bool time = (scalar->context->instruction->words[0] & 0xff) == MESSAGE_REAL_TIME;

	scalar->d = time ? scalar->context->wave->instruction_count : 0;
}

#define M0_WHICH (0xfU << GFX_M0_WHICH_SHIFT)

static void set_index(struct gfx_wave *wave, uint64_t index)
{
	wave->m0 = (wave->m0 & ~GFX_M0_INDEX) | ((uint32_t)index & GFX_M0_INDEX);
}

static void set_indexed_operands(struct gfx_wave *wave, uint32_t which)
{
	wave->m0 = (wave->m0 & ~M0_WHICH) | (which << GFX_M0_WHICH_SHIFT & M0_WHICH);
}

/* The second source field is no register here but the set of operands. */
void gfx_s_set_gpr_idx_on(struct gfx_scalar *scalar)
{
	struct gfx_wave *wave = scalar->context->wave;

	set_index(wave, scalar->a);
	set_indexed_operands(wave, scalar->context->instruction->src[1]);
	wave->mode |= GFX_MODE_INDEXED;
}

void gfx_s_set_gpr_idx_idx(struct gfx_scalar *scalar)
{
	set_index(scalar->context->wave, scalar->a);
}

enum gfx_step gfx_s_set_gpr_idx_mode(struct gfx_context *context)
{
	set_indexed_operands(context->wave, (uint32_t)context->instruction->offset);
	return GFX_STEP_DONE;
}

enum gfx_step gfx_s_set_gpr_idx_off(struct gfx_context *context)
{
	context->wave->mode &= ~GFX_MODE_INDEXED;
	return GFX_STEP_DONE;
}

/* Waits, hints and cache operations: memory is always coherent here and nothing is ever pending. */
enum gfx_step gfx_execute_nothing(struct gfx_context *context)
{
	(void)context;
	return GFX_STEP_DONE;
}

#define SHADER_CYCLES_MASK 0xfffffu

/* The registers that s_getreg and s_setreg reach, by number. */
enum hardware_register {
	HWREG_MODE = 1,
	HWREG_STATUS = 2,
	HWREG_TRAPSTS = 3,
	HWREG_GPR_ALLOC = 5,
	HWREG_LDS_ALLOC = 6,
	HWREG_SH_MEM_BASES = 15,
	/* From gfx10 on. */
	HWREG_FLAT_SCRATCH_LOW = 20,
	HWREG_FLAT_SCRATCH_HIGH = 21,
	HWREG_SHADER_CYCLES = 29,
	/* gfx12 alone has these. */
	HWREG_STATE_PRIV = 4,
	HWREG_EXCP_FLAG_PRIV = 17,
	HWREG_EXCP_FLAG_USER = 18,
	HWREG_TRAP_CTRL = 19,
};

/* Sizes are in granules less one: 8 VGPRs, 16 SGPRs; the AGPRs begin at the accumulation offset. */
static uint32_t register_allocation(const struct gfx_wave *wave)
{
	uint32_t vgprs = wave->vgpr_count + wave->agpr_count;

	return ((vgprs + 7) / 8 - 1) << 8 | ((wave->sgpr_count + 15) / 16 - 1) << 24;
}

static uint32_t local_allocation(const struct gfx_wave *wave)
{
	uint64_t room = gfx_local_room(wave->architecture, wave->lds_size);

	return (uint32_t)(room / wave->architecture->unit.local_step) << 12;
}

/* The two apertures are known by the upper 16 bits of their addresses, private first. */
static uint32_t memory_bases(const struct gfx_memory *memory)
{
	uint32_t private_base = (uint32_t)(memory->private_base >> 48);

	return private_base | (uint32_t)(memory->local_base >> 48) << 16;
}

/* A register of the wave's state; NULL if it is none. @wave has them apart, where there are such. */
static uint32_t *find_state(struct gfx_wave *wave, uint32_t number)
{
	bool later = wave->architecture->generation >= GFX_GENERATION_12;

	switch (number) {
	case HWREG_MODE:
		return &wave->mode;
	case HWREG_STATUS:
		return &wave->status;
	case HWREG_TRAPSTS:
		return later ? NULL : &wave->trapsts;
	case HWREG_STATE_PRIV:
		return later ? &wave->state_priv : NULL;
	case HWREG_EXCP_FLAG_PRIV:
		return later ? &wave->excp_flag_priv : NULL;
	case HWREG_EXCP_FLAG_USER:
		return later ? &wave->excp_flag_user : NULL;
	case HWREG_TRAP_CTRL:
		return later ? &wave->trap_ctrl : NULL;
	default:
		return NULL;
	}
}

/* Registers that the simulated device has no notion of (HW_ID, XCC_ID, trap handler bases) read as 0. */
static uint32_t read_hardware(const struct gfx_context *context, uint32_t number)
{
	struct gfx_wave *wave = context->wave, apart;
	const uint32_t *state;

	if (wave->architecture->generation >= GFX_GENERATION_12) {
		apart = *wave;
		gfx_wave_part_state(&apart);
		wave = &apart;
	}
	state = find_state(wave, number);
	if (state)
		return *state;
	if (gfx_is_later(context->instruction) && number == HWREG_FLAT_SCRATCH_LOW)
		return (uint32_t)wave->flat_scratch;
	if (gfx_is_later(context->instruction) && number == HWREG_FLAT_SCRATCH_HIGH)
		return (uint32_t)(wave->flat_scratch >> 32);
	if (gfx_is_later(context->instruction) && number == HWREG_SHADER_CYCLES)
		return (uint32_t)wave->instruction_count & SHADER_CYCLES_MASK;
	switch (number) {
	case HWREG_GPR_ALLOC:
		return register_allocation(wave);
	case HWREG_LDS_ALLOC:
		return local_allocation(wave);
	case HWREG_SH_MEM_BASES:
		return memory_bases(context->memory);
	default:
		return 0;
	}
}

struct hardware_field {
	uint32_t number, offset, mask; /* mask is not shifted */
};

static struct hardware_field hardware_field(const struct gfx_instruction *instruction)
{
	uint32_t word = (uint32_t)instruction->offset & 0xffff;
	uint32_t width = (word >> 11) + 1;

	return (struct hardware_field){
		.number = word & 63,
		.offset = word >> 6 & 31,
		.mask = width >= 32 ? UINT32_MAX : (1U << width) - 1,
	};
}

void gfx_s_getreg_b32(struct gfx_scalar *scalar)
{
	struct hardware_field field = hardware_field(scalar->context->instruction);

	scalar->d = read_hardware(scalar->context, field.number) >> field.offset & field.mask;
}

/* A shader may set its mode and its trap status, in gfx10 also where its private memory is; the other registers take privilege. */
static void set_hardware(struct gfx_scalar *scalar, uint32_t value)
{
	struct hardware_field field = hardware_field(scalar->context->instruction);
	struct gfx_wave *wave = scalar->context->wave;
	uint32_t mask = field.mask << field.offset;
	bool gfx10 = scalar->context->instruction->generation == GFX_GENERATION_10;
	uint32_t *to = NULL;

	gfx_wave_part_state(wave);
	if (gfx10 && field.number == HWREG_FLAT_SCRATCH_LOW)
		wave->flat_scratch =
			(wave->flat_scratch & ~(uint64_t)mask) | (value << field.offset & mask);
	else if (gfx10 && field.number == HWREG_FLAT_SCRATCH_HIGH)
		wave->flat_scratch = (wave->flat_scratch & ~((uint64_t)mask << 32)) |
				     (uint64_t)(value << field.offset & mask) << 32;
	else if (field.number == HWREG_MODE || field.number == HWREG_TRAPSTS ||
		 field.number == HWREG_EXCP_FLAG_USER)
		to = find_state(wave, field.number);
	if (to)
		*to = (*to & ~mask) | (value << field.offset & mask);
	gfx_wave_join_state(wave);
}

void gfx_s_setreg_b32(struct gfx_scalar *scalar)
{
	/* The destination field names the source. */
	set_hardware(scalar, gfx_read_scalar32(scalar->context, scalar->context->instruction->dst));
}

void gfx_s_setreg_imm32_b32(struct gfx_scalar *scalar)
{
	set_hardware(scalar, scalar->context->instruction->literal);
}
