/* The fields of packets as text.  See packet-text.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/packet-text.h"

#include <inttypes.h>

void
tb_packet_put_hex (struct tb_buffer *text, const char *name, uint64_t value)
{
  tb_buffer_printf (text, " %s=0x%" PRIx64, name, value);
}

void
tb_packet_put_number (struct tb_buffer *text, const char *name, uint64_t value)
{
  tb_buffer_printf (text, " %s=%" PRIu64, name, value);
}

void
tb_packet_put_flag (struct tb_buffer *text, const char *name, bool set)
{
  if (set)
    tb_buffer_printf (text, " %s", name);
}

void
tb_packet_put_atoms (struct tb_buffer *text, uint32_t atoms, unsigned count)
{
  if (count > 0)
    tb_buffer_printf (text, " atoms=");
  for (unsigned i = 0; i < count; i++)
    tb_buffer_append (text, atoms >> i & 1 ? "E" : "N", 1);
}

void
tb_packet_put_isa (struct tb_buffer *text, unsigned isa)
{
  tb_buffer_printf (text, " isa=%s", isa == TB_ISA_UNKNOWN
				     ? "Jazelle"
				     : tb_isa_name ((enum tb_isa) isa));
}

void
tb_packet_put_bad (struct tb_buffer *text, unsigned header, const char *name)
{
  tb_packet_put_hex (text, "header", header);
  if (name != NULL)
    tb_buffer_printf (text, " (expected the rest of %s behind it)", name);
  else
    tb_buffer_printf (text, " (expected that of a packet)");
}

void
tb_v7_reason_text (struct tb_buffer *text, unsigned reason)
{
  static const char *const names[] = {
    [TB_V7_PERIODIC] = "periodic", [TB_V7_TRACE_ON] = "trace-on",
    [TB_V7_OVERFLOW] = "overflow", [TB_V7_DEBUG_EXIT] = "debug-exit"
  };
  tb_buffer_printf (text, " reason=%s", names[reason]);
}

/* The address bytes give low bits of the address; those that are always zero are not
   sent, and which these are depends on the instruction set.  */
void
tb_v7_address_text (struct tb_buffer *text, const struct tb_v7_address *a)
{
  unsigned shift = !a->full || a->isa == TB_ISA_UNKNOWN ? 0
		   : a->isa == TB_ISA_A32 ? 2 : 1;
  if (a->full)
    {
      tb_packet_put_hex (text, "address", (uint32_t) (a->field << shift));
      tb_packet_put_isa (text, a->isa);
    }
  else
    {
      uint32_t mask = a->bits < 32 ? (UINT32_C (1) << a->bits) - 1 : UINT32_MAX;
      tb_packet_put_hex (text, "field", a->field & mask);
      tb_packet_put_number (text, "bits", a->bits);
    }
}

void
tb_v7_exception_text (struct tb_buffer *text, const struct tb_v7_exception *x)
{
  tb_packet_put_number (text, "exception", x->number);
  tb_packet_put_flag (text, "cancel", x->cancel);
  if (x->size > 0)
    tb_packet_put_number (text, "nonsecure", x->nonsecure);
  tb_packet_put_flag (text, "alternative", x->alternative);
  if (x->has_hyp)
    tb_packet_put_number (text, "hyp", x->hyp);
  if (x->resume > 0)
    tb_packet_put_number (text, "resume", x->resume);
}
