/* Semantics: conditions, and what micro-operations read and write.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "arm/ir/semantics-a64.h"

bool
tb_condition_holds (unsigned cc, bool n, bool z, bool c, bool v)
{
  bool holds;
  switch (cc >> 1)
    {
    case 0: holds = z; break;
    case 1: holds = c; break;
    case 2: holds = n; break;
    case 3: holds = v; break;
    case 4: holds = c && !z; break;
    case 5: holds = n == v; break;
    case 6: holds = n == v && !z; break;
    default: return true;
    }
  return holds != (cc & 1);
}

/* The slots of the flags that OP sets.  */
static uint32_t
sets_flags (unsigned op)
{
  return (tb_op_is (op, TB_SETS_NZ)
	  ? TB_SLOT_BIT (TB_SLOT_N) | TB_SLOT_BIT (TB_SLOT_Z) : 0)
	 | (tb_op_is (op, TB_SETS_C) ? TB_SLOT_BIT (TB_SLOT_C) : 0)
	 | (tb_op_is (op, TB_SETS_V) ? TB_SLOT_BIT (TB_SLOT_V) : 0);
}

/* Add the slots that U reads and may write where it deals with banked registers.  */
static void
add_banked (const struct tb_uop *u, uint64_t *reads, uint64_t *may)
{
  enum
  {
    STACKS = TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_SP_OTHER)
	     | TB_SLOT_BIT (TB_SLOT_SPSEL),
    MODE = TB_SLOT_BIT (TB_SLOT_MODE),
    BANKED = 0x7f00 | TB_SLOT_BIT (TB_SLOT_SPSR)	/* r8 to r14, SPSR.  */
  };
  if (u->op == TB_OP_WRITE_SPSEL)
    {
      *reads |= STACKS;
      *may |= STACKS;
    }
  else if (u->op == TB_OP_MODE)
    {
      *reads |= MODE;
      *may |= MODE | BANKED;
    }
  else if (u->op == TB_OP_READ_BANKED)
    *reads |= MODE | BANKED;
  else if (u->op == TB_OP_WRITE_BANKED)
    {
      *reads |= MODE;
      *may |= TB_SLOT_BIT (TB_SYS_REG_R (u->imm)) & BANKED;
    }
}

/* The same of A64, where the return restores the flags.  */
static void
add_banked_a64 (const struct tb_uop *u, uint64_t *reads, uint64_t *writes, uint64_t *may)
{
  uint64_t sp = UINT64_C (1) << TB_A64_SP;
  if (u->op == TB_OP_ERET)
    *writes |= UINT64_C (15) << TB_A64_N;
  /* Perhaps to another stack pointer.  */
  if (u->op == TB_OP_ERET || u->op == TB_OP_WRITE_SPSEL)
    {
      *reads |= sp;
      *may |= sp;
    }
}

void
tb_semantics_effect (const struct tb_uop *uops, unsigned count, bool wide,
		     struct tb_semantics_effect *effect)
{
  unsigned slots = wide ? (unsigned) TB_A64_NSLOTS : (unsigned) TB_NSLOTS;
  unsigned flags = wide ? TB_A64_N - TB_SLOT_N : 0;
  *effect = (struct tb_semantics_effect) { 0, 0, 0 };
  for (unsigned i = 0; i < count; i++)
    {
      const struct tb_uop *u = &uops[i];
      uint64_t reads = 0, writes = 0, may = 0;

      if (u->a < slots)
	reads |= UINT64_C (1) << u->a;
      if (u->b < slots)
	reads |= UINT64_C (1) << u->b;
      if (u->when != TB_ALWAYS && u->when < slots)
	reads |= UINT64_C (1) << u->when;
      if (tb_op_is (u->op, TB_READS_DST) && u->dst < slots)
	reads |= UINT64_C (1) << u->dst;
      if (tb_op_is (u->op, TB_READS_FLAGS))
	reads |= (uint64_t) tb_condition_reads (tb_uop_number (u)) << flags;
      if (tb_op_is (u->op, TB_WRITES) && u->dst < slots)
	writes |= UINT64_C (1) << u->dst;
      /* A shift by 0 leaves C.  */
      if (u->op == TB_OP_C_SHIFT && u->b != TB_PLACE_IMM)
	may |= TB_SLOT_BIT (TB_SLOT_C);
      else
	writes |= sets_flags (u->op);
      if (wide)
	add_banked_a64 (u, &reads, &writes, &may);
      else
	add_banked (u, &reads, &may);
      effect->reads |= reads & ~effect->writes;
      if (u->when == TB_ALWAYS)
	effect->writes |= writes;
      effect->may_write |= writes | may;
    }
}
