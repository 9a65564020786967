/* Which stack pointer is in use.  See tarmac-sp.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-sp.h"

#include "recording/tarmac.h"
#include "snapshot/m-frame.h"

void
tb_sp_step (struct tb_sp_finder *s, uint32_t opcode, unsigned size)
{
  s->wrote[0] = s->wrote[1] = s->exception = s->returned = false;
  s->control = s->wrote_plain = s->left = false;
  s->exc_return = 0;
  /* MSR (DDI 0403, B5.2.3).  */
  s->msr = size == 4 && (opcode & UINT32_C (0xfff0d000))
			== UINT32_C (0xf3808000);
}

void
tb_sp_write (struct tb_sp_finder *s, bool process)
{
  s->wrote[process] = true;
}

void
tb_sp_plain (struct tb_sp_finder *s)
{
  s->plain = s->wrote_plain = true;
}

void
tb_sp_control (struct tb_sp_finder *s, uint32_t value)
{
  s->control = true;
  /* In a handler it does not say what thread mode will use.  */
  if (!s->mode_known || !s->handler)
    s->thread = value & 2 ? TB_FACTS_SP_PSP : TB_FACTS_SP_MSP;
}

void
tb_sp_psr (struct tb_sp_finder *s, uint32_t value)
{
  bool handler = (value & TB_PSR_IPSR) != 0;
  if (s->mode_known && s->handler && !handler)
    s->returned = true;
  s->left |= s->mode_known && s->handler && s->ipsr != 0
	     && s->ipsr != (value & TB_PSR_IPSR);
  s->ipsr = value & TB_PSR_IPSR;
  s->mode_known = true;
  s->handler = handler;
}

/* Is EXC_RETURN of an exception that was taken from thread mode?  */
static bool
leaves_thread (uint32_t exc_return)
{
  return exc_return >> TB_EXC_RETURN_THREAD & 1;
}

/* The stack pointer that was in use then.  */
static uint8_t
stack_of (uint32_t exc_return)
{
  return exc_return >> TB_EXC_RETURN_PSP & 1 ? TB_FACTS_SP_PSP : TB_FACTS_SP_MSP;
}

void
tb_sp_lr (struct tb_sp_finder *s, uint32_t value)
{
  if (s->exception && value >> 8 == 0xffffff && leaves_thread (value))
    s->thread = stack_of (value);
}

void
tb_sp_exception (struct tb_sp_finder *s, bool reset)
{
  s->exception = true;
  s->ipsr = 0;
  s->mode_known = true;
  s->handler = !reset;
  if (reset)
    s->thread = TB_FACTS_SP_MSP;
}

void
tb_sp_return (struct tb_sp_finder *s, uint32_t exc_return)
{
  /* A line of the PSR told of it already.  */
  bool told = s->left || s->returned;
  s->returned = true;
  s->exc_return = exc_return;
  if (told)
    return;
  s->ipsr = 0;
  s->mode_known = exc_return != 0;
  s->handler = !leaves_thread (exc_return);
}

void
tb_sp_lost (struct tb_sp_finder *s)
{
  *s = (struct tb_sp_finder) { .active = s->active, .plain = s->plain };
}

void
tb_sp_settle (struct tb_sp_finder *s)
{
  bool one = s->wrote[0] != s->wrote[1];
  uint8_t wrote = s->wrote[1] ? TB_FACTS_SP_PSP : TB_FACTS_SP_MSP;
  if (s->returned && leaves_thread (s->exc_return))
    s->thread = stack_of (s->exc_return);
  else if (s->returned)
    /* What the frame was taken from; SPSEL may have changed without a word.  */
    s->thread = one ? wrote : TB_FACTS_SP_UNKNOWN;
  else if (one && !s->exception && !s->msr
	   && !(s->mode_known && s->handler))
    s->thread = wrote;
  s->active = s->plain ? TB_FACTS_SP_UNKNOWN
	      : s->mode_known && s->handler ? TB_FACTS_SP_MSP : s->thread;
  s->lost = s->plain && !s->wrote_plain
	    && (s->exception || s->returned || s->control);
}
