/* The mode that a log leaves its core in.  See log.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Lines of instructions tell their modes.  Behind the last one, of the A profile, it may
   be another: by an exception, a return from one, or an instruction that writes it.  */

#include "config.h"
#include "state/evidence/log.h"

#include <stdio.h>

#include "recording/facts.h"

/* May the instruction of CODE leave the mode that it ran in?  DDI 0406, B9.3; DDI 0487,
   C4.1.94 and F4.1.  */
static bool
may_change_mode (const struct tb_facts_code *code)
{
  uint32_t op = code->opcode;
  if (code->flags & TB_CODE_SKIPPED)
    return false;
  if (code->size == 0)
    return true;
  switch (code->isa)
    {
    case TB_ISA_A64:
      /* Exceptions; MSR and the like, but hints and barriers; ERET.  */
      return op >> 24 == 0xd4
	     || (op >> 22 == 0x354 && op >> 13 != 0xd5032000 >> 13)
	     || (op & UINT32_C (0xfffff000)) == UINT32_C (0xd69f0000);
    case TB_ISA_A32:
      if (op >> 28 == 15)
	/* CPS; RFE.  */
	return (op & UINT32_C (0xfff10020)) == UINT32_C (0xf1000000)
	       || (op & UINT32_C (0xfe500000)) == UINT32_C (0xf8100000);
      /* MSR, HVC, SMC and what is beside them; SVC; LDM with ^; S with PC.  */
      return (op & 0x0f900000) == 0x01000000
	     || (op & 0x0fb00000) == 0x03200000
	     || (op & 0x0f000000) == 0x0f000000
	     || (op & 0x0e508000) == 0x08508000
	     || (op & 0x0c10f000) == 0x0010f000;
    case TB_ISA_T32:
      if (code->size == 2)
	return op >> 8 == 0xdf || op >> 8 == 0xbe;
      /* MSR, CPS, SUBS PC, HVC, SMC and what is beside them; RFE.  */
      return (op & UINT32_C (0xff80d000)) == UINT32_C (0xf3808000)
	     || (op & UINT32_C (0xffe0d000)) == UINT32_C (0xf7e08000)
	     || (op & UINT32_C (0xfe500000)) == UINT32_C (0xe8100000);
    default:
      return true;
    }
}

bool
tb_state_log_end_mode (const struct tb_columns *f, const char **mode, char *room)
{
  enum { ROOM = TB_STATE_LOG_MODE };
  static const struct { uint8_t bits; char name[4]; } modes[] = {
    { 0x10, "usr" }, { 0x11, "fiq" }, { 0x12, "irq" }, { 0x13, "svc" },
    { 0x16, "mon" }, { 0x17, "abt" }, { 0x1a, "hyp" }, { 0x1b, "und" },
    { 0x1f, "sys" }
  };
  uint32_t value, mask;
  if (f->steps == 0)
    return false;
  const struct tb_facts_code *last = tb_facts_step (f, f->steps - 1);
  *mode = f->modes[last->mode];
  if (f->is_m
      || (tb_facts_event_at (f, f->steps)
	  == f->events.size / sizeof (struct tb_event)
	  && !may_change_mode (last)))
    return true;
  const struct tb_facts_register *psr = tb_facts_find (f, "psr");
  if (psr == NULL || !tb_facts_register (psr, 0, f->steps, &value, &mask)
      || (mask & 0x1f) != 0x1f)
    return false;
  *mode = room;
  if (!(value & 0x10))
    {
      snprintf (room, ROOM, "EL%u%c", value >> 2 & 3, value & 1 ? 'h' : 't');
      return true;
    }
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
    if (modes[i].bits == (value & 0x1f))
      {
	snprintf (room, ROOM, "%s", modes[i].name);
	return true;
      }
  return false;
}
