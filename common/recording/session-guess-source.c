/* The trace source that was worked out, as one of a session.  See session-streams.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-streams.h"

#include <stdio.h>

#include "recording/guess.h"

enum tb_status
tb_session_add_guess (struct tb_session *s, const struct tb_trace_buffer *buffer,
		      const struct tb_guess *guess, unsigned id, const struct tb_device *core,
		      const struct tb_device *device)
{
  struct tb_device_reg regs[TB_KIND_REGISTERS];
  uint8_t bytes[TB_KIND_REGISTERS][4];
  for (unsigned i = 0; i < guess->kind->nregisters; i++)
    {
      const struct tb_kind_register *its = &guess->kind->registers[i];
      for (unsigned k = 0; k < 4; k++)
	bytes[i][k] = (uint8_t) (guess->values[i] >> 8 * k);
      regs[i] = (struct tb_device_reg) {
	.name = its->name, .has_id = true, .id = its->id, .bits = 32,
	.value = guess->values[i], .bytes = bytes[i]
      };
    }
  char name[80];
  const char *type = guess->kind->type;
  snprintf (name, sizeof name, "%s_%x", guess->protocol->name, id);
  for (unsigned n = 2; tb_snapshot_device (&s->snapshot, name) != NULL; n++)
    snprintf (name, sizeof name, "%s_%x_%u", guess->protocol->name, id, n);
  struct tb_buffer text = { 0 };
  tb_guess_text (&text, guess, "");
  tb_buffer_append (&text, "", 1);
  const struct tb_device source = {
    .name = name, .file = s->snapshot.path, .type = type, .regs = regs,
    .nregs = guess->kind->nregisters, .evidence = (const char *) text.data
  };
  bool done = !text.failed
	      && (device != NULL
		  ? tb_snapshot_settle_source (&s->snapshot, device, &source)
		  : tb_snapshot_add_source (&s->snapshot, &source, core, buffer));
  tb_buffer_fini (&text);
  return done ? TB_OK : TB_ERR_MEMORY;
}
