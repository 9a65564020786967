/* The registers of a trace unit.  See unit.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/unit.h"

#include <inttypes.h>

static void
note (struct tb_unit_report *report, const struct tb_unit_missing *missing)
{
  if (report->count < TB_UNIT_MISSING)
    report->missing[report->count++] = *missing;
}

uint32_t
tb_unit_read (struct tb_unit_report *report, const struct tb_unit_register *reg,
	      uint32_t absent, bool matters)
{
  const struct tb_device_reg *found
    = tb_device_reg_id (report->source, reg->id, reg->name);
  if (found != NULL)
    return (uint32_t) found->value;
  const struct tb_unit_missing missing = { reg, matters, absent, NULL };
  note (report, &missing);
  return absent;
}

void
tb_unit_lacks (struct tb_unit_report *report, const struct tb_unit_register *reg,
	       const char *taken, bool matters)
{
  const struct tb_unit_missing missing = { reg, matters, 0, taken };
  note (report, &missing);
}

void
tb_unit_read_permissions (struct tb_unit_report *report)
{
  const struct tb_device_reg *found
    = tb_device_reg_id (report->source, 0x3ee, "TRCAUTHSTATUS");
  if (found == NULL)
    found = tb_device_reg (report->source, "ETMAUTHSTATUS");
  report->has_permissions = found != NULL;
  report->permissions = found != NULL ? (uint32_t) found->value : 0;
}

/* Of each state two bits: 3 it may be traced, 2 it may not; others: there is no such
   state, or no such control (IHI 0064, TRCAUTHSTATUS; IHI 0014, ETMAUTHSTATUS; DDI
   0487, TRCAUTHSTATUS, for the last three).  */
void
tb_unit_untraced (struct tb_buffer *text, const struct tb_unit_report *report)
{
  static const struct { uint8_t shift; const char *name; } states[] = {
    { 2, "non-secure" }, { 6, "secure" }, { 10, "hypervisor" },
    { 14, "realm" }, { 26, "root" }
  };
  const char *separator = "";
  for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
    if (report->has_permissions
	&& (report->permissions >> states[i].shift & 3) == 2)
      {
	tb_buffer_printf (text, "%s%s", separator, states[i].name);
	separator = ", ";
      }
}

void
tb_unit_text (struct tb_buffer *text, const struct tb_unit_missing *missing)
{
  tb_buffer_printf (text, "%s (0x%03" PRIx32 "), ", missing->reg->name,
		    missing->reg->id);
  if (missing->taken != NULL)
    tb_buffer_printf (text, "%s", missing->taken);
  else
    tb_buffer_printf (text, "0x%08" PRIx32, missing->value);
  tb_buffer_printf (text, " is taken: %s", missing->reg->tells);
}

void
tb_unit_say (const struct tb_unit_report *report, struct tb_diag *diag)
{
  for (unsigned i = 0; i < report->count; i++)
    {
      struct tb_buffer text = { 0 };
      tb_unit_text (&text, &report->missing[i]);
      tb_buffer_append (&text, "", 1);
      if (!text.failed)
	tb_report (diag, report->missing[i].matters ? TB_WARNING : TB_NOTE,
		   "%s: [regs]: expected a register, found none: %s",
		   report->source->file, (const char *) text.data);
      tb_buffer_fini (&text);
    }
}
