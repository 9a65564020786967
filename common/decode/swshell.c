/* What the decoders of ITM and STM have in common.  See swshell.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/swshell.h"

#include <stdlib.h>
#include <string.h>

void
tb_sw_lose_sync (struct tb_sw_decoder *d, enum tb_reason reason)
{
  struct tb_sw_state *s = d->state;
  s->phase = TB_SW_SEARCH;
  s->report = true;
  s->lost = reason;
  s->overflow = false;
  d->methods->forget (d, false);
}

/* Look for synchronisation.  Returns how many elements that makes: one at
   most.  */
static size_t
search (struct tb_sw_decoder *d, struct tb_element *out)
{
  struct tb_sw_state *s = d->state;
  size_t length;
  bool last;
  const uint8_t *bytes = tb_stream_peek (d->stream, &length, &last);
  if (length == 0)
    {
      s->phase = TB_SW_END;
      return 0;
    }
  if (s->report)
    {
      *out = (struct tb_element) {
	.index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_NO_SYNC,
	.reason = s->lost };
      s->report = false;
      return 1;
    }
  d->methods->search (d, bytes, length);
  return 0;
}

/* The stream has no more bytes, or a break.  Returns how many elements that
   makes.  */
static size_t
end (struct tb_sw_decoder *d, struct tb_element *out)
{
  struct tb_sw_state *s = d->state;
  if (tb_stream_pass_break (d->stream))
    {
      tb_sw_lose_sync (d, tb_break_reason (s->report, s->lost));
      d->methods->forget (d, true);
      return 0;
    }
  /* Nobody is left to tell that packets were lost.  */
  *out = (struct tb_element) {
    .index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_END,
    .reason = s->overflow ? TB_REASON_OVERFLOW : TB_REASON_NONE };
  s->phase = TB_SW_DONE;
  return 1;
}

static size_t
sw_read (struct tb_decoder *base, struct tb_element *out, size_t capacity)
{
  struct tb_sw_decoder *d = (struct tb_sw_decoder *) base;
  struct tb_sw_state *s = d->state;
  size_t n = 0;
  while (n < capacity && s->phase != TB_SW_DONE)
    switch (s->phase)
      {
      case TB_SW_SEARCH:
	n += search (d, &out[n]);
	break;
      case TB_SW_DECODE:
	n += d->methods->decode (d, out + n, capacity - n);
	break;
      case TB_SW_END:
	n += end (d, &out[n]);
	break;
      case TB_SW_DONE:
	break;
      }
  base->stats = s->stats;
  return n;
}

static void *
sw_save (const struct tb_decoder *base)
{
  const struct tb_sw_decoder *d = (const struct tb_sw_decoder *) base;
  struct tb_sw_state *copy = malloc (d->methods->state_size);
  if (copy != NULL)
    {
      memcpy (copy, d->state, d->methods->state_size);
      tb_stream_tell (d->stream, &copy->place);
    }
  return copy;
}

static void
sw_restore (struct tb_decoder *base, const void *saved)
{
  struct tb_sw_decoder *d = (struct tb_sw_decoder *) base;
  memcpy (d->state, saved, d->methods->state_size);
  tb_stream_seek (d->stream, &d->state->place);
  base->stats = d->state->stats;
}

static void
sw_close (struct tb_decoder *base)
{
  struct tb_sw_decoder *d = (struct tb_sw_decoder *) base;
  tb_stream_close (d->stream);
  free (d);
}

const struct tb_device_reg *
tb_sw_control_register (const struct tb_device *source, const char *name)
{
  const struct tb_device_reg *reg = tb_device_reg_id (source, 0x3a0, name);
  return reg != NULL ? reg : tb_device_reg_id (source, 0xe80, name);
}

struct tb_sw_decoder *
tb_sw_open (const struct tb_decoder_config *config,
	    const struct tb_protocol *protocol,
	    const struct tb_sw_methods *methods, struct tb_diag *diag)
{
  unsigned id = protocol->trace_id (config->source);
  if (config->buffer->format == TB_FORMAT_SOURCE_DATA)
    id = TB_ID_NONE;
  else if (id == TB_ID_NONE)
    {
      tb_error (diag, "%s: [regs]: expected %s (0x3a0), which says which of "
		"the buffer's bytes are this source's; found none",
		config->source->file, methods->id_register);
      return NULL;
    }
  struct tb_sw_decoder *d = calloc (1, methods->decoder_size);
  if (d != NULL)
    d->stream = tb_stream_open (config->buffer, id);
  if (d == NULL || d->stream == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      free (d);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = protocol, .read = sw_read, .save = sw_save,
    .restore = sw_restore, .close = sw_close
  };
  d->methods = methods;
  d->state = (struct tb_sw_state *) ((char *) d + methods->state_offset);
  tb_sw_lose_sync (d, TB_REASON_INIT);
  return d;
}
