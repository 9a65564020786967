/* The STM decoder's interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/stm/internal.h"

#include <stdlib.h>
#include <strings.h>

static size_t
stm_read (struct tb_decoder *base, struct tb_element *out, size_t capacity)
{
  struct tb_stm_decoder *d = (struct tb_stm_decoder *) base;
  struct tb_stm_state *s = &d->s;
  size_t n = 0;
  while (n < capacity && s->phase != TB_STM_PHASE_DONE)
    switch (s->phase)
      {
      case TB_STM_PHASE_SEARCH:
	n += tb_stm_search (d, &out[n]);
	break;
      case TB_STM_PHASE_DECODE:
	n += tb_stm_decode (d, out + n, capacity - n);
	break;
      case TB_STM_PHASE_END:
	if (tb_stream_pass_break (d->stream))
	  {
	    tb_stm_lose_sync (d, tb_break_reason (s->report, s->lost));
	    s->half = false;
	    s->ones = 0;
	    break;
	  }
	out[n++] = (struct tb_element) {
	  .index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_END };
	s->phase = TB_STM_PHASE_DONE;
	break;
      case TB_STM_PHASE_DONE:
	break;
      }
  base->stats = s->stats;
  return n;
}

static void *
stm_save (const struct tb_decoder *base)
{
  const struct tb_stm_decoder *d = (const struct tb_stm_decoder *) base;
  struct tb_stm_state *copy = malloc (sizeof *copy);
  if (copy != NULL)
    {
      *copy = d->s;
      tb_stream_tell (d->stream, &copy->place);
    }
  return copy;
}

static void
stm_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_stm_decoder *d = (struct tb_stm_decoder *) base;
  d->s = *(const struct tb_stm_state *) saved;
  tb_stream_seek (d->stream, &d->s.place);
  base->stats = d->s.stats;
}

static void
stm_close (struct tb_decoder *base)
{
  struct tb_stm_decoder *d = (struct tb_stm_decoder *) base;
  tb_stream_close (d->stream);
  free (d);
}

static bool
stm_matches (const char *type)
{
  return strncasecmp (type, "STM", 3) == 0;
}

/* STMTCSR is at 0xe80, which snapshots give as such or as a word number.  NULL:
   it is not there.  */
static const struct tb_device_reg *
control_register (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, 0x3a0, "STMTCSR");
  return reg != NULL ? reg : tb_device_reg_id (source, 0xe80, "STMTCSR");
}

static unsigned
stm_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg = control_register (source);
  return reg != NULL ? reg->value >> 16 & 0x7f : TB_ID_NONE;
}

static struct tb_decoder *
stm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  unsigned id = stm_trace_id (config->source);
  if (config->buffer->format == TB_FORMAT_SOURCE_DATA)
    id = TB_ID_NONE;
  else if (id == TB_ID_NONE)
    {
      tb_error (diag, "%s: [regs]: expected STMTCSR (0x3a0), which says which "
		"of the buffer's bytes are this source's; found none",
		config->source->file);
      return NULL;
    }
  struct tb_stm_decoder *d = calloc (1, sizeof *d);
  if (d != NULL)
    d->stream = tb_stream_open (config->buffer, id);
  if (d == NULL || d->stream == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      free (d);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_stm, .read = stm_read, .save = stm_save,
    .restore = stm_restore, .close = stm_close
  };
  tb_stm_table_init (&d->table);
  tb_stm_lose_sync (d, TB_REASON_INIT);
  return &d->base;
}

const struct tb_protocol tb_protocol_stm = {
  .name = "STM",
  .matches = stm_matches,
  .trace_id = stm_trace_id,
  .open = stm_open,
  .software = true,
  .packet_names = tb_stm_count_names,
  .npacket_types = TB_STM_COUNTS
};
