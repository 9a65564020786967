/* The 16-bit T32 instructions as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv6-M Architecture Reference Manual (DDI 0419), A5.2 (encoding of
   16-bit instructions) and A6.7 (each instruction); for what ARMv6-M lacks ARMv7-M
   (DDI 0403), A5.2 and A7.7, and ARMv8-M (DDI 0553), C2.4.  */

#include "config.h"
#include "arm/lift/aarch32.h"

/* D is bits 2:0, N 5:3, M 8:6, A 10:8.  The row's argument is the operation, if nothing
   else is said.  */

/* LSL, LSR, ASR by a constant.  */
static void
shift_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_shift_flags (s, f->arg, f->d, f->n, IMM, f->amount ? f->amount : 32);
}

/* ADD, SUB of registers; of a constant of 3 bits (bit 10), or of 8 to A.  */
static void
add_three (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_add_flags (s, f->op >> 9 & 1, f->d, f->n,
		    f->op >> 10 & 1 ? IMM : f->m, f->m);
}

static void
add_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_add_flags (s, f->arg == TB_OP_SUB, f->a, f->a, IMM, f->op & 255);
}

static void
compare_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_add_flags (s, true, NONE, f->a, IMM, f->op & 255);
}

static void
move_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_logic_flags (s, TB_OP_MOV, f->a, IMM, NONE, f->op & 255);
}

/* D = N; D = D OP N.  */
static void
move_low (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_logic_flags (s, TB_OP_MOV, f->d, f->n, NONE, 0);
}

static void
logic (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_logic_flags (s, f->arg, f->d, f->d, f->n, 0);
}

static void
shift (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_shift_flags (s, f->arg, f->d, f->d, f->n, 0);
}

static void
add_carry (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_adc (s, f->arg == TB_OP_SUB, true, f->d, f->d, f->n);
}

static void
test (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_logic_flags (s, TB_OP_AND, NONE, f->d, f->n, 0);
}

/* RSB #0: 0 - Rn.  */
static void
negate (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, T1, IMM, NONE, 0);
  tb_sem_add_flags (s, true, f->d, T1, f->n, 0);
}

/* CMP, CMN.  */
static void
compare (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_add_flags (s, f->arg == TB_OP_SUB, NONE, f->d, f->n, 0);
}

static void
invert (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_logic_flags (s, TB_OP_EOR, f->d, f->n, IMM, UINT32_MAX);
}

/* Register R of 4 bits: a PC that is read is in place SPARE.  */
static unsigned
any_register (struct tb_semantics *s, const struct tb_fields *f, unsigned r,
	      unsigned spare)
{
  if (r != 15)
    return r;
  tb_sem_emit (s, TB_OP_MOV, spare, IMM, NONE, f->here);
  return spare;
}

/* ADD (the row's argument: ADD), MOV, CMP (SUB) of any registers.  */
static void
special (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned rd = (f->op & 7) | (f->op >> 4 & 8);
  unsigned a = any_register (s, f, rd, T1);
  unsigned b = any_register (s, f, f->op >> 3 & 15, T2);
  if (f->arg == TB_OP_SUB)
    tb_sem_add_flags (s, true, NONE, a, b, 0);
  else if (f->arg == TB_OP_MOV)
    tb_sem_write_any (s, rd, b);
  else
    {
      tb_sem_emit (s, TB_OP_ADD, T0, a, b, 0);
      tb_sem_write_any (s, rd, T0);
    }
}

/* BX, BLX (bit 7): the register is read first.  */
static void
exchange (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned b = any_register (s, f, f->op >> 3 & 15, T2);
  if (f->op & 0x80)
    {
      tb_sem_emit (s, TB_OP_MOV, T0, b, NONE, 0);
      tb_sem_emit (s, TB_OP_MOV, LR, IMM, NONE, (f->here - 2) | 1);
      b = T0;
    }
  tb_sem_emit (s, TB_OP_TARGET, NONE, b, NONE, UINT32_MAX);
}

/* BXNS, BLXNS (bit 7; DDI 0553, C2.4).  If the address has bit 0 clear, the branch is to
   Non-secure state, which has registers of its own, and BLXNS pushes the return address
   and part of xPSR.  */
static void
nonsecure (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned b = any_register (s, f, f->op >> 3 & 15, T2);
  tb_sem_emit (s, TB_OP_MOV, T2, b, NONE, 0);
  if (f->op & 0x80)
    {
      tb_sem_unknown (s, T1);
      tb_sem_emit (s, TB_OP_SUB, T0, SP, IMM, 4);
      tb_sem_store_perhaps (s, T1, T0, T3, 4);
      tb_sem_unknown (s, T1);
      tb_sem_emit (s, TB_OP_SUB, T0, SP, IMM, 8);
      tb_sem_store_perhaps (s, T1, T0, T3, 4);
      tb_sem_unknown (s, LR);
      /* In Handler mode Non-secure code sees another number.  */
      tb_sem_unknown (s, TB_SLOT_IPSR);
    }
  tb_sem_emit (s, TB_OP_TARGET, NONE, T2, NONE, ~UINT32_C (1));
  tb_sem_other_security (s);
}

/* The place that literals and ADR count from.  */
static uint32_t
literals (const struct tb_fields *f)
{
  return (f->here & ~UINT32_C (3)) + 4 * (f->op & 255);
}

static void
load_literal (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, T0, IMM, NONE, literals (f));
  tb_sem_emit (s, TB_OP_LOAD, f->a, T0, NONE, 4);
  s->flags |= TB_SEM_LOADS;
}

static void
address (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_MOV, f->a, IMM, NONE, literals (f));
}

/* Loads and stores: the row's argument is the size, and how a loaded value is
   extended.  At N + M; at N + a constant that counts in sizes; at SP + one.  */
#define AS(size, extend) ((size) | TB_OP_##extend << 4)

static void
load_register (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_load (s, f->d, f->n, f->m, 0, f->arg & 15, f->arg >> 4);
}

static void
store_register (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_store (s, f->d, f->n, f->m, 0, f->arg);
}

static void
load_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_load (s, f->d, f->n, IMM, f->amount * f->arg, f->arg, TB_OP_MOV);
}

static void
store_constant (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_store (s, f->d, f->n, IMM, f->amount * f->arg, f->arg);
}

static void
load_stack (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_load (s, f->a, SP, IMM, 4 * (f->op & 255), 4, TB_OP_MOV);
}

static void
store_stack (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_store (s, f->a, SP, IMM, 4 * (f->op & 255), 4);
}

/* ADD Rd, SP; ADD SP, SUB SP.  */
static void
stack_address (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_ADD, f->a, SP, IMM, 4 * (f->op & 255));
}

static void
move_stack (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, f->arg, SP, SP, IMM, 4 * (f->op & 127));
}

/* CBZ, CBNZ.  */
static void
branch_zero (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_ISZERO, T0, f->d, NONE, 0);
  tb_sem_emit (s, TB_OP_BRANCH_IF, NONE, T0, NONE, !(f->op >> 11 & 1));
}

/* SXTH, SXTB, REV and its kin; UXTH, UXTB (the row's argument: the mask).  */
static void
extend (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, f->arg, f->d, f->n, NONE, 0);
}

static void
extend_zero (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_emit (s, TB_OP_AND, f->d, f->n, IMM, f->arg);
}

static void
push (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = (f->op & 0x1ff) != 0;
  tb_sem_store_multiple (s, SP, (f->op & 255) | (f->op & 256) << 6, true, true);
}

static void
pop (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = (f->op & 0x1ff) != 0;
  tb_sem_load_multiple (s, SP, (f->op & 255) | (f->op & 256) << 7, false, true);
}

static void
load_multiple (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned list = f->op & 255;
  s->modelled = list != 0;
  tb_sem_load_multiple (s, f->a, list, false, !(list >> f->a & 1));
}

static void
store_multiple (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = (f->op & 255) != 0;
  tb_sem_store_multiple (s, f->a, f->op & 255, false, true);
}

static void
system_of_a (struct tb_semantics *s, const struct tb_fields *f)
{
  s->modelled = tb_sem_t16_system (s, f->op);
}

static void
branch_condition (struct tb_semantics *s, const struct tb_fields *f)
{
  tb_sem_condition (s, f->op >> 8 & 15);
}

#define KEEPS TB_KEEPS_FLAGS

/* DDI 0419, A5.2.1: shift, add, subtract, move, compare.  */
static const struct tb_row constants[] = {
  { 0xffc0, 0x0000, 0, 0, move_low },
  { 0xf800, 0x0000, 0, TB_OP_LSL, shift_constant },
  { 0xf800, 0x0800, 0, TB_OP_LSR, shift_constant },
  { 0xf800, 0x1000, 0, TB_OP_ASR, shift_constant },
  { 0xf800, 0x1800, 0, 0, add_three },
  { 0xf800, 0x2000, 0, 0, move_constant },
  { 0xf800, 0x2800, KEEPS, 0, compare_constant },
  { 0xf800, 0x3000, 0, TB_OP_ADD, add_constant },
  { 0xf800, 0x3800, 0, TB_OP_SUB, add_constant },
};

static const struct tb_row literal[] = {
  { 0xf800, 0x4800, 0, 0, load_literal },
};

/* A5.2.3: special data, branch and exchange.  */
static const struct tb_row special_rows[] = {
  { 0xff87, 0x4700, TB_EXCHANGE, 0, exchange },
  { 0xff87, 0x4780, TB_INDIRECT (LINK), 0, exchange },
  { 0xff87, 0x4704, TB_EXCHANGE | TB_ON_V8M, 0, nonsecure },
  { 0xff87, 0x4784, TB_INDIRECT (LINK) | TB_ON_V8M, 0, nonsecure },
  { 0xff80, 0x4700, TB_EXCHANGE, 0, tb_sem_undefined },
  { 0xff80, 0x4780, TB_INDIRECT (LINK), 0, tb_sem_undefined },
  { 0xff87, 0x4487, TB_INDIRECT (NONE), TB_OP_ADD, special },
  { 0xff00, 0x4400, 0, TB_OP_ADD, special },
  { 0xff00, 0x4500, KEEPS, TB_OP_SUB, special },
  { 0xff87, 0x4687, TB_EXCHANGE, TB_OP_MOV, special },
  { 0xff00, 0x4600, 0, TB_OP_MOV, special },
};

/* A5.2.2: data processing.  */
static const struct tb_row registers[] = {
  { 0xffc0, 0x4000, 0, TB_OP_AND, logic },
  { 0xffc0, 0x4040, 0, TB_OP_EOR, logic },
  { 0xffc0, 0x4080, 0, TB_OP_LSL, shift },
  { 0xffc0, 0x40c0, 0, TB_OP_LSR, shift },
  { 0xffc0, 0x4100, 0, TB_OP_ASR, shift },
  { 0xffc0, 0x4140, 0, TB_OP_ADD, add_carry },
  { 0xffc0, 0x4180, 0, TB_OP_SUB, add_carry },
  { 0xffc0, 0x41c0, 0, TB_OP_ROR, shift },
  { 0xffc0, 0x4200, KEEPS, 0, test },
  { 0xffc0, 0x4240, 0, 0, negate },
  { 0xffc0, 0x4280, KEEPS, TB_OP_SUB, compare },
  { 0xffc0, 0x42c0, KEEPS, TB_OP_ADD, compare },
  { 0xffc0, 0x4300, 0, TB_OP_ORR, logic },
  { 0xffc0, 0x4340, 0, TB_OP_MUL, logic },
  { 0xffc0, 0x4380, 0, TB_OP_BIC, logic },
  { 0xffc0, 0x43c0, 0, 0, invert },
};

/* A5.2.4: load and store of one register; ADR, ADD of SP.  */
static const struct tb_row memory[] = {
  { 0xf800, 0x6000, 0, 4, store_constant },
  { 0xf800, 0x6800, 0, 4, load_constant },
  { 0xf800, 0x7000, 0, 1, store_constant },
  { 0xf800, 0x7800, 0, 1, load_constant },
  { 0xf800, 0x8000, 0, 2, store_constant },
  { 0xf800, 0x8800, 0, 2, load_constant },
};
static const struct tb_row stack[] = {
  { 0xf800, 0x9000, 0, 0, store_stack },
  { 0xf800, 0x9800, 0, 0, load_stack },
  { 0xf800, 0xa000, 0, 0, address },
  { 0xf800, 0xa800, 0, 0, stack_address },
};
static const struct tb_row indexed[] = {
  { 0xfe00, 0x5000, 0, 4, store_register },
  { 0xfe00, 0x5200, 0, 2, store_register },
  { 0xfe00, 0x5400, 0, 1, store_register },
  { 0xfe00, 0x5600, 0, AS (1, SXTB), load_register },
  { 0xfe00, 0x5800, 0, AS (4, MOV), load_register },
  { 0xfe00, 0x5a00, 0, AS (2, MOV), load_register },
  { 0xfe00, 0x5c00, 0, AS (1, MOV), load_register },
  { 0xfe00, 0x5e00, 0, AS (2, SXTH), load_register },
};

/* A5.2.5: miscellaneous.  */
static const struct tb_row miscellaneous[] = {
  { 0xf500, 0xb100, TB_DIRECT (NONE, ZERO) | TB_ON_NEWER, 0, branch_zero },
  { 0xf500, 0xb100, TB_IS (UNDEFINED), 0, tb_sem_undefined },
  { 0xfe00, 0xb400, 0, 0, push },
  { 0xff00, 0xbc00, 0, 0, pop },
  { 0xff00, 0xbd00, TB_INDIRECT (V7RETURN), 0, pop },
  { 0xff80, 0xb000, 0, TB_OP_ADD, move_stack },
  { 0xff80, 0xb080, 0, TB_OP_SUB, move_stack },
  { 0xffc0, 0xb200, 0, TB_OP_SXTH, extend },
  { 0xffc0, 0xb240, 0, TB_OP_SXTB, extend },
  { 0xffc0, 0xb280, 0, 0xffff, extend_zero },
  { 0xffc0, 0xb2c0, 0, 0xff, extend_zero },
  { 0xffc0, 0xba00, 0, TB_OP_REV, extend },
  { 0xffc0, 0xba40, 0, TB_OP_REV16, extend },
  { 0xffc0, 0xbac0, 0, TB_OP_REVSH, extend },
  /* HLT, of which one is a semihosting call.  */
  { 0xffff, 0xbabc, TB_ON_AR, 0, tb_sem_undefined },
  { 0xffc0, 0xba80, TB_IS (BREAK) | TB_ON_AR, 0, tb_sem_undefined },
  { 0xffef, 0xbf20, TB_IS (WAIT), 0, tb_sem_nothing },	/* WFE, WFI.  */
  { 0xff0f, 0xbf00, 0, 0, tb_sem_nothing },		/* Hints.  */
  /* IT  */
  { 0xff00, 0xbf00, TB_BEGINS_IT | TB_ON (TB_GROUP_NOT_BASELINE), 0, tb_sem_nothing },
  { 0xff00, 0xbf00, TB_IS (UNDEFINED) | TB_ON_NEWER, 0, tb_sem_nothing },
  { 0xff00, 0xbf00, TB_IS (UNDEFINED), 0, tb_sem_undefined },
  /* BKPT, of which one is a semihosting call.  */
  { 0xffff, 0xbeab, 0, 0, tb_sem_trap },
  { 0xff00, 0xbe00, TB_IS (BREAK), 0, tb_sem_trap },
  { 0xffec, 0xb660, TB_ON_M, 0, tb_t16_change_state },
  { 0xff00, 0xb600, TB_ON_AR, 0, system_of_a },
};

/* Load and store multiple.  */
static const struct tb_row multiple[] = {
  { 0xf800, 0xc000, 0, 0, store_multiple },
  { 0xf800, 0xc800, 0, 0, load_multiple },
};

/* UDF; SVC, of which one is a semihosting call; B<c>.  */
static const struct tb_row conditional[] = {
  { 0xff00, 0xde00, TB_IS (BREAK), 0, tb_sem_trap },
  { 0xffff, 0xdfab, 0, 0, tb_sem_trap },
  { 0xff00, 0xdf00, TB_IS (SERVICE), 0, tb_sem_trap },
  { 0xf000, 0xd000, TB_DIRECT (NONE, 8), 0, branch_condition },
};

static const struct tb_row branch[] = {
  { 0xf800, 0xe000, TB_DIRECT (NONE, 11), 0, tb_sem_nothing },
};

/* By bits 15:10.  */
static const struct tb_rows tables[64] = {
  [0 ... 15] = TB_ROWS (constants), [16] = TB_ROWS (registers),
  [17] = TB_ROWS (special_rows), [18 ... 19] = TB_ROWS (literal),
  [20 ... 23] = TB_ROWS (indexed), [24 ... 35] = TB_ROWS (memory),
  [36 ... 43] = TB_ROWS (stack), [44 ... 47] = TB_ROWS (miscellaneous),
  [48 ... 51] = TB_ROWS (multiple), [52 ... 55] = TB_ROWS (conditional),
  [56 ... 63] = TB_ROWS (branch)
};

const struct tb_row *
tb_t16_row (uint32_t op, unsigned groups)
{
  return tb_find_row (&tables[op >> 10 & 63], op, groups);
}

bool
tb_sem_t16 (struct tb_semantics *s, const struct tb_row *row, uint32_t op,
	    uint32_t pc, const struct tb_profile *profile)
{
  struct tb_fields f = {
    .op = op, .arg = row->arg, .pc = pc, .here = pc + 4, .profile = profile,
    .d = op & 7, .n = op >> 3 & 7, .m = op >> 6 & 7, .a = op >> 8 & 7,
    .amount = op >> 6 & 31
  };
  s->modelled = true;
  row->emit (s, &f);
  return s->modelled;
}
