/* MRS, MSR and CPS of the M profile as micro-operations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What unprivileged code reads is 0, but for xPSR and CONTROL; what it writes, but for
   the flags, is ignored.  BASEPRI, FAULTMASK and what else is not named here is kept
   nowhere.

   Source: DDI 0419, B5.2; DDI 0403, B5.2; DDI 0553, D1.1.  */

#include "config.h"
#include "arm/lift/aarch32.h"
#include "arm/lift/system-fields.h"
#include "arm/machine/regs.h"

/* SYSm (DDI 0403, B5.1.1).  Those below MSP are parts of xPSR.  */
enum { IPSR_TOO = 1, NO_FLAGS = 4, SYS_MSP = 8, SYS_PSP, SYS_PRIMASK = 16, SYS_CONTROL = 20 };

/* T0 = a register of which only the bits MOST may be 1.  */
static void
begin_read (struct tb_semantics *s, uint32_t most)
{
  tb_sem_emit (s, TB_OP_UNKNOWN, T0, NONE, NONE, most);
}

/* xPSR or a part of it.  */
static void
read_psr (struct tb_semantics *s, const struct tb_fields *f, unsigned number)
{
  struct tb_system_register psr = tb_system_psr (f->profile);
  uint32_t which = (number & IPSR_TOO ? TB_PSR_IPSR : 0)
		   | (number & NO_FLAGS ? 0 : ~TB_PSR_IPSR), most = 0;
  for (unsigned i = 0; i < psr.count; i++)
    most |= tb_field_ones (psr.fields[i].width) << psr.fields[i].at & which;
  /* Bit 27 is reserved on ARMv6-M (DDI 0419, B1.4.2).  */
  begin_read (s, most | (which & UINT32_C (1) << 27));
  tb_sem_read_fields (s, &psr, which, NONE);
  tb_sem_emit (s, TB_OP_MOV, f->d, T0, NONE, 0);
}

static void
read_control (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_system_register control = tb_system_control (f->profile);
  begin_read (s, ~control.zero);
  control.count--;
  tb_sem_read_fields (s, &control, UINT32_MAX, NONE);
  const struct tb_system_field *spsel = &control.fields[control.count];
  unsigned thread = NONE;
  /* On ARMv8-M that of handler mode is the one of thread mode.  */
  if (f->profile->arch >= TB_ARCH_V8M_BASE)
    tb_sem_emit (s, TB_OP_EOR, thread = T3, TB_SLOT_HANDLER, IMM, 1);
  tb_sem_read_field (s, spsel->slot, thread, TB_FIELD (spsel->at, spsel->width));
  tb_sem_emit (s, TB_OP_MOV, f->d, T0, NONE, 0);
}

/* T1, T2 = 1 where code is privileged and PSP (or MSP) is, or is not, the stack pointer in
   use, which is PSP if SPSEL is 1.  */
static void
in_use (struct tb_semantics *s, bool psp)
{
  unsigned same = psp ? T1 : T2, other = psp ? T2 : T1;
  tb_sem_privileged (s);
  tb_sem_emit (s, TB_OP_AND, same, T3, TB_SLOT_SPSEL, 0);
  tb_sem_emit (s, TB_OP_EOR, other, TB_SLOT_SPSEL, IMM, 1);
  tb_sem_emit (s, TB_OP_AND, other, other, T3, 0);
}

void
tb_t32_mrs (struct tb_semantics *s, const struct tb_fields *f)
{
  unsigned number = f->op & 255;
  bool psp = number == SYS_PSP;
  switch (number)
    {
    case 0: case 1: case 2: case 3: case 5: case 6: case 7:
      read_psr (s, f, number);
      break;
    case SYS_MSP: case SYS_PSP:
      in_use (s, psp);
      tb_sem_emit (s, TB_OP_MOV, f->d, IMM, NONE, 0);
      tb_sem_move_if (s, T1, f->d, SP, 0);
      tb_sem_move_if (s, T2, f->d, TB_SLOT_SP_OTHER, 0);
      break;
    case SYS_PRIMASK:
      tb_sem_privileged (s);
      tb_sem_emit (s, TB_OP_MOV, f->d, IMM, NONE, 0);
      tb_sem_move_if (s, T3, f->d, TB_SLOT_PRIMASK, 0);
      break;
    case SYS_CONTROL:
      read_control (s, f);
      break;
    default:
      tb_sem_unknown (s, f->d);
      break;
    }
}

/* MSP or PSP.  */
static void
write_sp (struct tb_semantics *s, const struct tb_fields *f, bool psp)
{
  tb_sem_emit (s, TB_OP_AND, T0, f->n, IMM, ~UINT32_C (3));
  in_use (s, psp);
  tb_sem_move_if (s, T1, SP, T0, 0);
  tb_sem_move_if (s, T2, TB_SLOT_SP_OTHER, T0, 0);
}

static void
write_control (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_system_register control = tb_system_control (f->profile);
  const struct tb_system_field *spsel = &control.fields[control.count - 1];
  tb_sem_emit (s, TB_OP_MOV, T0, f->n, NONE, 0);
  /* Without the Unprivileged/Privileged Extension nPRIV stays 0 (DDI 0419, B1.4.3).  */
  if (f->profile->arch == TB_ARCH_V6M)
    tb_sem_may_keep (s, 1);
  else
    tb_sem_emit (s, TB_OP_FP, NONE, NONE, NONE, 1);
  tb_sem_privileged (s);
  tb_sem_write_fields (s, control.fields, control.count - 1, T0, UINT32_MAX, T3);
  /* SPSEL can be written in thread mode only.  */
  tb_sem_extract (s, T1, T0, spsel->at, 1);
  tb_sem_emit (s, TB_OP_EOR, T2, TB_SLOT_HANDLER, IMM, 1);
  tb_sem_emit (s, TB_OP_AND, T3, T3, T2, 0);
  tb_sem_emit_if (s, T3, TB_OP_WRITE_SPSEL, NONE, T1, NONE, 0);
}

static const struct tb_system_field primask = { TB_SLOT_PRIMASK, 0, 1, true };

void
tb_t32_msr (struct tb_semantics *s, const struct tb_fields *f)
{
  struct tb_system_register psr = tb_system_psr (f->profile);
  unsigned number = f->op & 255, mask = f->op >> 10 & 3;
  if (number < 4)
    tb_sem_write_fields (s, psr.fields, psr.count, f->n,
			 (mask & 2 ? 0xf8000000 : 0) | (mask & 1 ? 0x000f0000 : 0), NONE);
  else if (number == SYS_MSP || number == SYS_PSP)
    write_sp (s, f, number == SYS_PSP);
  else if (number == SYS_PRIMASK)
    {
      tb_sem_privileged (s);
      tb_sem_write_fields (s, &primask, 1, f->n, 1, T3);
    }
  else if (number == SYS_CONTROL)
    write_control (s, f);
}

void
tb_t16_change_state (struct tb_semantics *s, const struct tb_fields *f)
{
  /* FAULTMASK is not kept, and ARMv6-M has none.  */
  s->modelled = f->profile->arch != TB_ARCH_V6M || (f->op & 3) == 2;
  if (!(f->op & 2))
    return;
  tb_sem_privileged (s);
  tb_sem_move_if (s, T3, primask.slot, IMM, f->op >> 4 & 1);
}
