/* What DWT elements say, in words.  See decode/element-text.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/element-text.h"

/* Bits of VALUE that the architecture has no meaning for are told, BYTES wide.  */
static void
put_reserved (struct tb_buffer *text, uint32_t value, uint32_t known, unsigned bytes)
{
  if (value & ~known)
    tb_buffer_printf (text, ", reserved: 0x%0*x", 2 * (int) bytes, value & ~known);
}

static void
put_events (struct tb_buffer *text, uint32_t events)
{
  /* By bit (DDI 0403, D4.3.1).  */
  static const char *const names[] =
    { "CPI", "exception overhead", "sleep", "LSU", "folded", "cycles" };
  const char *before = "counters wrapped: ";
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (events >> i & 1)
      {
	tb_buffer_printf (text, "%s%s", before, names[i]);
	before = ", ";
      }
  put_reserved (text, events, TB_DWT_EVENTS_KNOWN, 1);
}

static void
put_counters (struct tb_buffer *text, uint32_t counters)
{
  const char *before = "PMU counters overflowed: ";
  for (unsigned i = 0; i < 8; i++)
    if (counters >> i & 1)
      {
	tb_buffer_printf (text, "%s%u", before, i);
	before = ", ";
      }
}

void
tb_dwt_match_text (struct tb_buffer *text, const struct tb_element *e)
{
  uint32_t value = e->u.itm.value;
  unsigned digits = 2 * e->u.itm.bytes;
  switch ((enum tb_dwt) e->u.itm.dwt)
    {
    case TB_DWT_DATA_PC:
      if (e->u.itm.bytes == 4)
	tb_buffer_printf (text, "PC %#x", value);
      else
	tb_buffer_printf (text, "PC ends in 0x%0*x", (int) digits, value);
      break;
    case TB_DWT_DATA_ADDRESS:
      tb_buffer_printf (text, "address %s0x%0*x",
			e->u.itm.bytes < 4 ? "ends in " : "", (int) digits,
			value);
      break;
    case TB_DWT_DATA_MATCH:
      tb_buffer_printf (text, "matched");
      break;
    case TB_DWT_DATA_READ:
    case TB_DWT_DATA_WRITE:
      tb_buffer_printf (text, "%s 0x%0*x",
			e->u.itm.dwt == TB_DWT_DATA_READ ? "read" : "wrote",
			(int) digits, value);
      break;
    default:
      break;
    }
}

void
tb_element_explain (struct tb_buffer *text, const struct tb_element *e)
{
  static const char *const actions[] =
    { "?", "enter", "exit", "return to" };
  if (e->kind != TB_ELEMENT_DWT)
    return;
  uint32_t value = e->u.itm.value;
  switch ((enum tb_dwt) e->u.itm.dwt)
    {
    case TB_DWT_RESERVED:
      tb_buffer_printf (text, "reserved: 0x%0*x of discriminator %u", 2 * (int) e->u.itm.bytes,
			value, e->u.itm.channel);
      break;
    case TB_DWT_EVENTS:
      put_events (text, value);
      break;
    case TB_DWT_EXCEPTION:
      tb_buffer_printf (text, "%s exception %u",
			actions[e->u.itm.action & 3], e->u.itm.exception);
      put_reserved (text, value, TB_DWT_EXCEPTION_KNOWN, 2);
      break;
    case TB_DWT_PC_SAMPLE:
      tb_buffer_printf (text, "PC sample %#x", value);
      break;
    case TB_DWT_SLEEP:
      tb_buffer_printf (text, "PC sample: asleep");
      break;
    case TB_DWT_PROHIBITED:
      tb_buffer_printf (text, "PC sample: prohibited");
      break;
    case TB_DWT_PMU_OVERFLOW:
      put_counters (text, value);
      break;
    case TB_DWT_DATA_PC:
    case TB_DWT_DATA_ADDRESS:
    case TB_DWT_DATA_MATCH:
    case TB_DWT_DATA_READ:
    case TB_DWT_DATA_WRITE:
      tb_buffer_printf (text, "comparator %u: ", e->u.itm.comparator);
      tb_dwt_match_text (text, e);
      break;
    }
}
