/* Where execution goes on elsewhere than the last instruction of a Tarmac log leads to.
   See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Logs need not have events.  A place that the instruction before does not lead to is then
   an exception if the PSR or serial numbers say that nothing else ran in between, and a
   gap otherwise.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include "recording/step-flow.h"

bool
tb_tarmac_core_leads_to (const struct tb_tarmac_core *c, uint64_t pc)
{
  const struct tb_facts_code *code = tb_facts_build_code (c->builder);
  const struct tb_tarmac_between *b = &c->between;
  if (b->class & (TB_CLASS_REGISTER | TB_CLASS_LOAD) && b->target_known
      && b->target >> 24 != 0xff)
    return pc == (b->target & ~UINT32_C (1));
  /* The next one, as most do, is told without decoding.  */
  if (pc == code->pc + code->size || b->class & TB_CLASS_ANYWHERE)
    return true;
  const struct tb_step step = tb_tarmac_step_of (code);
  const struct tb_profile profile = tb_tarmac_profile_of (c->facts);
  return step.size == 0 || tb_step_leads_to (&step, pc, &profile);
}

void
tb_tarmac_core_take (struct tb_tarmac_core *c, uint16_t number, uint64_t offset)
{
  struct tb_tarmac_between *b = &c->between;
  const struct tb_event event = {
    .step = c->facts->steps, .index = offset,
    .kind = TB_EVENT_EXCEPTION, .exception = number,
    .address = b->fault ? b->fault_at : 0,
    .flags = b->fault ? 0 : TB_EXCEPTION_NO_RETURN
  };
  tb_tarmac_core_put_event (c, &event);
  tb_sp_exception (&c->sp, false);
  b->exceptions = true;
  b->fault = false;
  b->number = number;
}

/* Does a line of the PSR show that the core took an exception behind the last
   instruction, and not what that one did?  *NUMBER: which, where that is told.  */
static bool
shows_entry (const struct tb_tarmac_core *c, uint16_t *number)
{
  enum { MODE = 0x1f, MASK_I = 0x80, MASKS = 0x3c0 };
  uint32_t before, known, mask;
  size_t psr = tb_tarmac_core_number (c, "psr");
  if (psr == SIZE_MAX || !(c->between.told & TB_TOLD_PSR)
      || !tb_facts_register (&c->facts->registers[psr], 0, c->facts->steps - 1,
			     &before, &known))
    return false;
  uint32_t now = tb_facts_build_last (c->builder, psr, 0, &mask);
  mask &= known;
  if (c->facts->is_m)
    {
      *number = now & TB_PSR_IPSR;
      return (mask & TB_PSR_IPSR) == TB_PSR_IPSR && *number != 0
	     && ((now ^ before) & TB_PSR_IPSR) != 0;
    }
  if ((mask & (MODE | MASKS)) != (MODE | MASKS))
    return false;
  /* In the same mode it sets masks, of A64 all, which instructions that mask
     interrupts seldom do.  */
  uint32_t set = c->vectors.a64 ? MASKS : MASK_I;
  return ((now ^ before) & MODE) != 0
	 || ((now & set) == set && (before & set) != set);
}

void
tb_tarmac_core_jump (struct tb_tarmac_core *c)
{
  struct tb_tarmac_between *b = &c->between;
  uint16_t ipsr = TB_EXCEPTION_UNKNOWN;
  bool shown = shows_entry (c, &ipsr);
  if (!shown && !c->in_order)
    {
      tb_tarmac_core_gap (c, b->next_offset);
      return;
    }
  if (!shown)
    {
      /* What was told is of the instruction before.  */
      b->told = 0;
      tb_tarmac_core_remark (c, TB_TARMAC_REMARK_JUMP,
			     (struct tb_tarmac_word) { "PC", 2 }, b->ran_line);
    }
  tb_tarmac_core_take (c, shown ? ipsr : TB_EXCEPTION_UNKNOWN, b->next_offset);
}
