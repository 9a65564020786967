/* The SVE registers of a written Tarmac log.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The lowest 128 bits of Z registers have lines as V registers before these.  */

#include "config.h"
#include "tarmac.h"

#include <stdlib.h>
#include <string.h>

#include "state/answer/sve.h"

#define NEVER UINT64_MAX

struct log_sve
{
  unsigned length;
  uint64_t next;		/* The least of the below.  */
  struct
  {
    uint64_t good, next;	/* Known from that step on to the end; before that one it
				   may be another.  */
    bool shown;
  } regs[TB_NSVE];
};

bool
log_sve_look (struct log_registers *r, uint64_t from, uint64_t end)
{
  unsigned length = tb_state_sve_length (r->state);
  if (length == 0)
    return true;
  r->sve = calloc (1, sizeof *r->sve);
  if (r->sve == NULL)
    return false;
  r->sve->length = length;
  for (unsigned i = 0; i < TB_NSVE; i++)
    {
      uint64_t good = from;
      for (uint64_t at = from; at < end;)
	{
	  struct tb_sve value;
	  uint64_t next = tb_state_sve_next (r->state, at, i);
	  tb_state_sve (r->state, at, i, &value);
	  if (!tb_sve_known (&value, 0, tb_sve_size (length, i)))
	    good = next < end ? next : NEVER;
	  at = next;
	}
      r->sve->regs[i].good = good;
    }
  return true;
}

void
log_sve_forget (struct log_registers *r)
{
  for (unsigned i = 0; r->sve != NULL && i < TB_NSVE; i++)
    {
      r->sve->regs[i].next = 0;
      r->sve->regs[i].shown = false;
    }
  if (r->sve != NULL)
    r->sve->next = 0;
}

static void
put_bytes (struct tb_buffer *text, const uint8_t *bytes, unsigned size)
{
  tb_buffer_append (text, " ", 1);
  for (unsigned i = size; i > 0; i--)
    tb_buffer_printf (text, "%02x", bytes[i - 1]);
}

/* Register REG is NOW before STEP.  */
static void
put (struct log_registers *r, unsigned reg, uint64_t step, const struct tb_sve *now,
     struct log_text *text)
{
  static const struct tb_sve none;
  char room[8];
  const char *name = tb_sve_name (reg, room);
  unsigned size = tb_sve_size (r->sve->length, reg);
  unsigned from = reg < TB_SVE_P ? TB_SVE_MIN : 0;
  bool any = memcmp (now->mask + from, none.mask + from, TB_SVE_MAX - from) != 0;
  if (!any && !r->sve->regs[reg].shown)
    return;
  r->sve->regs[reg].shown = any;
  log_begin (text);
  if (step >= r->sve->regs[reg].good)
    {
      /* Models write it so.  */
      if (reg < TB_SVE_FFR)
	*room = (char) (*room - 'a' + 'A');
      tb_buffer_printf (&text->buffer, "R %s", name);
      put_bytes (&text->buffer, now->bytes, size);
    }
  else
    {
      tb_buffer_printf (&text->buffer, "TB %s", name);
      put_bytes (&text->buffer, now->bytes, size);
      put_bytes (&text->buffer, now->mask, size);
    }
  tb_buffer_append (&text->buffer, "\n", 1);
}

void
log_sve_put (struct log_registers *r, uint64_t step, struct log_text *text)
{
  struct log_sve *sve = r->sve;
  if (sve == NULL || step < sve->next)
    return;
  sve->next = NEVER;
  for (unsigned i = 0; i < TB_NSVE; i++)
    {
      struct tb_sve now;
      if (step >= sve->regs[i].next)
	{
	  tb_state_sve (r->state, step, i, &now);
	  /* The shortest Z register is a V register.  */
	  if (i >= TB_SVE_P || sve->length > TB_SVE_MIN)
	    put (r, i, step, &now, text);
	  sve->regs[i].next = tb_state_sve_next (r->state, step, i);
	}
      if (sve->regs[i].next < sve->next)
	sve->next = sve->regs[i].next;
    }
}
