/* The ITM decoder.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Section numbers are those of DDI 0403.  A packet makes one element or none;
   what it means depends on little that came before: the page of stimulus
   ports, the global timestamp's bits, and whether packets were lost.  */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "decode/decoder.h"
#include "decode/itm/packet.h"

enum phase
{
  PHASE_SEARCH, PHASE_DECODE, PHASE_END, PHASE_DONE
};

/* All that a checkpoint keeps.  */
struct itm_state
{
  enum phase phase;
  bool report;			/* Say that there is no sync.  */
  uint8_t lost;			/* Why: enum tb_reason  */
  uint8_t page;
  uint8_t zeros;		/* Zero bytes before this place, at most
				   TB_ITM_SYNC_ZEROS.  */
  bool overflow;		/* Packets were lost before the next one.  */
  bool high_missing;		/* Bits 26 up of the global timestamp ...  */
  bool clock_changed;
  uint64_t global;
  uint64_t local;		/* Sum of local timestamps.  */
  struct tb_decoder_stats stats;
  struct tb_stream_place place;
};

struct itm_decoder
{
  struct tb_decoder base;
  struct tb_stream *stream;
  unsigned prescaler;		/* Ticks a local timestamp counts.  */
  struct itm_state s;
};

static void
lose_sync (struct itm_decoder *d, enum tb_reason reason)
{
  struct itm_state *s = &d->s;
  s->phase = PHASE_SEARCH;
  s->report = true;
  s->lost = reason;
  s->page = 0;
  s->overflow = s->clock_changed = false;
  s->high_missing = true;
  s->global = s->local = 0;
}

/* How many of the bytes before END are zero, at most TB_ITM_SYNC_ZEROS, where
   there are BEFORE zeros before BYTES.  */
static unsigned
zeros_before (const uint8_t *bytes, const uint8_t *end, unsigned before)
{
  unsigned zeros = 0;
  while (zeros < TB_ITM_SYNC_ZEROS && end > bytes && end[-1] == 0)
    zeros++, end--;
  if (end == bytes)
    zeros += before;
  return zeros < TB_ITM_SYNC_ZEROS ? zeros : TB_ITM_SYNC_ZEROS;
}

/* The byte after the sync packet that ends in the LENGTH bytes at BYTES, or
   NULL.  Its first zeros may have been taken for data of a packet that was not
   whole: there are BEFORE zeros before BYTES.  */
static const uint8_t *
find_sync (const uint8_t *bytes, size_t length, unsigned before)
{
  const uint8_t *end = bytes + length, *from = bytes, *mark;
  while (from < end && (mark = memchr (from, 0x80, end - from)) != NULL)
    {
      if (zeros_before (bytes, mark, before) == TB_ITM_SYNC_ZEROS)
	return mark + 1;
      from = mark + 1;
    }
  return NULL;
}

/* Go ahead by the COUNT first ones of BYTES.  */
static void
consume (struct itm_decoder *d, const uint8_t *bytes, size_t count)
{
  struct itm_state *s = &d->s;
  s->zeros = zeros_before (bytes, bytes + count, s->zeros);
  s->stats.bytes += count;
  tb_stream_consume (d->stream, count);
}

/* Look for synchronisation.  At most one element.  */
static bool
search (struct itm_decoder *d, struct tb_element *out)
{
  struct itm_state *s = &d->s;
  size_t length;
  bool last;
  const uint8_t *bytes = tb_stream_peek (d->stream, &length, &last);
  if (length == 0)
    {
      s->phase = PHASE_END;
      return false;
    }
  if (s->report)
    {
      *out = (struct tb_element) {
	.index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_NO_SYNC,
	.reason = s->lost };
      s->report = false;
      return true;
    }
  const uint8_t *found = find_sync (bytes, length, s->zeros);
  size_t used = found != NULL ? (size_t) (found - bytes) : length;
  s->stats.skipped += used;
  if (found != NULL)
    {
      s->phase = PHASE_DECODE;
      s->stats.syncs++;
      s->stats.packets++;
      size_t size = TB_ITM_SYNC_ZEROS + 1;
      if (size > used)
	size = used;
      s->stats.skipped -= size;
      tb_count_packet (&d->base, TB_ITM_PACKET_SYNC, 8 * size);
    }
  consume (d, bytes, used);
  return false;
}

/* D4.2.5: a first packet has low bits; if it says that the others changed, they
   come in a second one.  False: the time is not known yet.  */
static bool
decode_global_time (struct itm_decoder *d, const struct tb_itm_packet *p,
		    struct tb_element *e)
{
  struct itm_state *s = &d->s;
  if (p->type == TB_ITM_PACKET_GLOBAL_TIME_1)
    {
      uint64_t mask = (UINT64_C (1) << p->bits) - 1;
      s->global = (s->global & ~mask) | p->value;
      s->high_missing |= p->wrapped;
      s->clock_changed |= p->clock_changed;
      if (s->high_missing)
	return false;
    }
  else
    {
      s->global = (s->global & ((1u << 26) - 1)) | p->value << 26;
      s->high_missing = false;
    }
  e->kind = TB_ELEMENT_ITM_GLOBAL_TIME;
  e->u.time.value = s->global;
  if (s->clock_changed)
    e->flags |= TB_ITM_CLOCK_CHANGED;
  s->clock_changed = false;
  return true;
}

/* The element that P makes; false: none.  */
static bool
decode_packet (struct itm_decoder *d, const struct tb_itm_packet *p,
	       struct tb_element *e)
{
  struct itm_state *s = &d->s;
  switch ((enum tb_itm_packet_type) p->type)
    {
    case TB_ITM_PACKET_SYNC:
      s->stats.syncs++;
      s->page = 0;
      return false;
    case TB_ITM_PACKET_OVERFLOW:
      s->overflow = true;
      s->local = 0;
      return false;
    case TB_ITM_PACKET_PAGE:
      s->page = (uint8_t) p->value;
      return false;
    case TB_ITM_PACKET_SYNC_PART:
    case TB_ITM_PACKET_EXTENSION:
      return false;
    case TB_ITM_PACKET_LOCAL_TIME:
      s->local += p->value * d->prescaler;
      e->kind = TB_ELEMENT_ITM_LOCAL_TIME;
      e->u.time.value = s->local;
      e->u.time.delta = (uint32_t) p->value;
      e->u.time.relation = p->id;
      break;
    case TB_ITM_PACKET_GLOBAL_TIME_1:
    case TB_ITM_PACKET_GLOBAL_TIME_2:
      if (!decode_global_time (d, p, e))
	return false;
      break;
    case TB_ITM_PACKET_SOFTWARE:
    case TB_ITM_PACKET_HARDWARE:
      e->u.itm.value = (uint32_t) p->value;
      e->u.itm.bytes = p->bytes;
      e->u.itm.channel = p->id;
      if (p->type == TB_ITM_PACKET_HARDWARE)
	{
	  e->kind = TB_ELEMENT_DWT;
	  tb_dwt_explain (e);
	}
      else
	{
	  e->kind = TB_ELEMENT_ITM;
	  e->u.itm.channel += 32 * s->page;
	}
      break;
    case TB_ITM_PACKET_BAD:
      e->kind = TB_ELEMENT_BAD_PACKET;
      s->stats.bad_packets++;
      lose_sync (d, TB_REASON_BAD_PACKET);
      return true;
    }
  if (s->overflow)
    e->flags |= TB_ITM_OVERFLOW;
  s->overflow = false;
  return true;
}

/* Read packets until there is no room or sync is lost.  Returns how many
   elements.  */
static size_t
decode_packets (struct itm_decoder *d, struct tb_element *out, size_t room)
{
  struct itm_state *s = &d->s;
  size_t length, at = 0, n = 0;
  bool last;
  const uint8_t *bytes = tb_stream_peek (d->stream, &length, &last);
  while (n < room && s->phase == PHASE_DECODE)
    {
      if (length - at < TB_STREAM_LOOKAHEAD)
	{
	  consume (d, bytes, at);
	  at = 0;
	  bytes = tb_stream_peek (d->stream, &length, &last);
	  if (length == 0)
	    {
	      s->phase = PHASE_END;
	      break;
	    }
	}
      struct tb_itm_packet packet;
      size_t size = tb_itm_packet_read (bytes + at, length - at, &packet);
      if (size == 0)
	{
	  /* The trace ends within a packet, of which nothing can be said.  */
	  tb_count_packet (&d->base, TB_ITM_PACKET_TYPES, 8 * (length - at));
	  at = length;
	  continue;
	}
      out[n] = (struct tb_element) {
	.index = tb_stream_index (d->stream, at) };
      n += decode_packet (d, &packet, &out[n]);
      s->stats.packets += packet.type != TB_ITM_PACKET_SYNC_PART;
      /* A sync packet may begin where a bad one does.  */
      if (packet.type == TB_ITM_PACKET_BAD)
	size = 0;
      tb_count_packet (&d->base, packet.type, 8 * size);
      at += size;
    }
  consume (d, bytes, at);
  return n;
}

static size_t
itm_read (struct tb_decoder *base, struct tb_element *out, size_t capacity)
{
  struct itm_decoder *d = (struct itm_decoder *) base;
  struct itm_state *s = &d->s;
  size_t n = 0;
  while (n < capacity && s->phase != PHASE_DONE)
    switch (s->phase)
      {
      case PHASE_SEARCH:
	n += search (d, &out[n]);
	break;
      case PHASE_DECODE:
	n += decode_packets (d, out + n, capacity - n);
	break;
      case PHASE_END:
	if (tb_stream_pass_break (d->stream))
	  {
	    lose_sync (d, tb_break_reason (s->report, s->lost));
	    s->zeros = 0;
	    break;
	  }
	/* Nobody is left to tell that packets were lost.  */
	out[n++] = (struct tb_element) {
	  .index = tb_stream_index (d->stream, 0), .kind = TB_ELEMENT_END,
	  .reason = s->overflow ? TB_REASON_OVERFLOW : TB_REASON_NONE };
	s->phase = PHASE_DONE;
	break;
      case PHASE_DONE:
	break;
      }
  base->stats = s->stats;
  return n;
}

static void *
itm_save (const struct tb_decoder *base)
{
  const struct itm_decoder *d = (const struct itm_decoder *) base;
  struct itm_state *copy = malloc (sizeof *copy);
  if (copy != NULL)
    {
      *copy = d->s;
      tb_stream_tell (d->stream, &copy->place);
    }
  return copy;
}

static void
itm_restore (struct tb_decoder *base, const void *saved)
{
  struct itm_decoder *d = (struct itm_decoder *) base;
  d->s = *(const struct itm_state *) saved;
  tb_stream_seek (d->stream, &d->s.place);
  base->stats = d->s.stats;
}

static void
itm_close (struct tb_decoder *base)
{
  struct itm_decoder *d = (struct itm_decoder *) base;
  tb_stream_close (d->stream);
  free (d);
}

static bool
itm_matches (const char *type)
{
  return strncasecmp (type, "ITM", 3) == 0;
}

/* ITM_TCR is at 0xe80, which snapshots give as such or as a word number; the
   snapshot format calls it CONTROL_REGISTER.  NULL: it is not there.  */
static const struct tb_device_reg *
control_register (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, 0x3a0, "ITMTCR");
  if (reg == NULL)
    reg = tb_device_reg_id (source, 0xe80, "ITM_TCR");
  return reg != NULL ? reg : tb_device_reg (source, "CONTROL_REGISTER");
}

static unsigned
itm_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg = control_register (source);
  return reg != NULL ? reg->value >> 16 & 0x7f : TB_ID_NONE;
}

static struct tb_decoder *
itm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  const struct tb_device_reg *control = control_register (config->source);
  bool framed = config->buffer->format != TB_FORMAT_SOURCE_DATA;
  if (framed && control == NULL)
    {
      tb_error (diag, "%s: [regs]: expected ITMTCR (0x3a0), which says which "
		"of the buffer's bytes are this source's; found none",
		config->source->file);
      return NULL;
    }
  struct itm_decoder *d = calloc (1, sizeof *d);
  if (d != NULL)
    d->stream = tb_stream_open (config->buffer,
				framed ? itm_trace_id (config->source)
				       : TB_ID_NONE);
  if (d == NULL || d->stream == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      free (d);
      return NULL;
    }
  d->base = (struct tb_decoder) {
    .protocol = &tb_protocol_itm, .read = itm_read, .save = itm_save,
    .restore = itm_restore, .close = itm_close
  };
  /* ITM_TCR bits 9:8, TSPrescale: 1, 4, 16 or 64 (C1.7.6).  */
  d->prescaler = control != NULL ? 1u << (control->value >> 8 & 3) * 2 : 1;
  lose_sync (d, TB_REASON_INIT);
  return &d->base;
}

const struct tb_protocol tb_protocol_itm = {
  .name = "ITM",
  .matches = itm_matches,
  .trace_id = itm_trace_id,
  .open = itm_open,
  .software = true,
  .packet_names = tb_itm_packet_names,
  .npacket_types = TB_ITM_PACKET_TYPES
};
