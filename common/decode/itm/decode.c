/* The ITM decoder.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Section numbers are those of DDI 0403.  A packet makes one element or none;
   what it means depends on little that came before: the page of stimulus
   ports, the global timestamp's bits, and whether packets were lost.  */

#include "config.h"

#include <string.h>
#include <strings.h>

#include "decode/itm/packet.h"
#include "decode/swshell.h"

/* All that a checkpoint keeps.  */
struct itm_state
{
  struct tb_sw_state sw;
  uint8_t page;
  uint8_t zeros;		/* Zero bytes before this place, at most
				   TB_ITM_SYNC_ZEROS.  */
  bool high_missing;		/* Bits 26 up of the global timestamp ...  */
  bool clock_changed;
  uint64_t global;
  uint64_t local;		/* Sum of local timestamps.  */
};

struct itm_decoder
{
  struct tb_sw_decoder sw;
  unsigned prescaler;		/* Ticks a local timestamp counts.  */
  struct itm_state s;
};

static void
itm_forget (struct tb_sw_decoder *sw, bool at_break)
{
  struct itm_state *s = &((struct itm_decoder *) sw)->s;
  s->page = 0;
  s->clock_changed = false;
  s->high_missing = true;
  s->global = s->local = 0;
  if (at_break)
    s->zeros = 0;
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
  while (from < end && (mark = memchr (from, 0x80, (size_t) (end - from))) != NULL)
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
  s->zeros = (uint8_t) zeros_before (bytes, bytes + count, s->zeros);
  s->sw.stats.bytes += count;
  tb_stream_consume (d->sw.stream, count);
}

static void
itm_search (struct tb_sw_decoder *sw, const uint8_t *bytes, size_t length)
{
  struct itm_decoder *d = (struct itm_decoder *) sw;
  struct itm_state *s = &d->s;
  const uint8_t *found = find_sync (bytes, length, s->zeros);
  size_t used = found != NULL ? (size_t) (found - bytes) : length, sync = 0;
  s->sw.stats.skipped += used;
  if (found != NULL)
    {
      s->sw.phase = TB_SW_DECODE;
      s->sw.stats.syncs++;
      s->sw.stats.packets++;
      size_t size = TB_ITM_SYNC_ZEROS + 1;
      if (size > used)
	size = used;
      s->sw.stats.skipped -= size;
      sync = size;
    }
  if (tb_packets_noted (&sw->base))
    {
      if (used > sync)
	tb_packet_skipped (&sw->base, used - sync,
			   tb_stream_index (sw->stream, 0));
      if (found != NULL)
	tb_packet_noted (&sw->base, TB_ITM_PACKET_SYNC, 8 * sync,
			 tb_stream_index (sw->stream, used - sync), NULL);
    }
  consume (d, bytes, used);
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
      s->sw.stats.syncs++;
      s->page = 0;
      return false;
    case TB_ITM_PACKET_OVERFLOW:
      s->sw.overflow = true;
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
	  e->u.itm.channel += (uint16_t) (32 * s->page);
	}
      break;
    case TB_ITM_PACKET_BAD:
      e->kind = TB_ELEMENT_BAD_PACKET;
      s->sw.stats.bad_packets++;
      tb_sw_lose_sync (&d->sw, TB_REASON_BAD_PACKET);
      return true;
    }
  if (s->sw.overflow)
    e->flags |= TB_ITM_OVERFLOW;
  s->sw.overflow = false;
  return true;
}

/* Read packets until there is no room or sync is lost.  Returns how many
   elements.  */
static size_t
itm_decode (struct tb_sw_decoder *sw, struct tb_element *out, size_t room)
{
  struct itm_decoder *d = (struct itm_decoder *) sw;
  struct itm_state *s = &d->s;
  size_t length, at = 0, n = 0;
  bool last;
  const uint8_t *bytes = tb_stream_peek (d->sw.stream, &length, &last);
  while (n < room && s->sw.phase == TB_SW_DECODE)
    {
      if (length - at < TB_STREAM_LOOKAHEAD)
	{
	  consume (d, bytes, at);
	  at = 0;
	  bytes = tb_stream_peek (d->sw.stream, &length, &last);
	  if (length == 0)
	    {
	      s->sw.phase = TB_SW_END;
	      break;
	    }
	}
      struct tb_itm_packet packet;
      size_t size = tb_itm_packet_read (bytes + at, length - at, &packet);
      if (size == 0)
	{
	  /* The trace ends within a packet, of which nothing can be said.  */
	  tb_packet_cut (&d->sw.base, 8 * (length - at),
			 tb_stream_index (d->sw.stream, at));
	  s->sw.stats.broken_off += length - at;
	  at = length;
	  continue;
	}
      uint64_t index = tb_stream_index (d->sw.stream, at);
      out[n] = (struct tb_element) { .index = index };
      n += decode_packet (d, &packet, &out[n]);
      s->sw.stats.packets += packet.type != TB_ITM_PACKET_SYNC_PART;
      /* A sync packet may begin where a bad one does.  */
      if (packet.type == TB_ITM_PACKET_BAD)
	size = 0;
      if (tb_packets_noted (&d->sw.base))
	tb_packet_noted (&d->sw.base, packet.type, 8 * size, index, &packet);
      at += size;
    }
  consume (d, bytes, at);
  return n;
}

static bool
itm_matches (const char *type)
{
  return strncasecmp (type, "ITM", 3) == 0;
}

/* Snapshots may call ITM_TCR CONTROL_REGISTER.  NULL: it is not there.  */
static const struct tb_device_reg *
control_register (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_sw_control_register (source, "ITMTCR");
  if (reg == NULL)
    reg = tb_device_reg (source, "ITM_TCR");
  return reg != NULL ? reg : tb_device_reg (source, "CONTROL_REGISTER");
}

static unsigned
itm_trace_id (const struct tb_device *source)
{
  return tb_sw_trace_id (control_register (source));
}

/* The one register that decoding needs.  */
static const struct tb_unit_register control_unit
  = { 0x3a0, "ITMTCR", "the prescaler of local timestamps" };

static void
itm_unit (const struct tb_decoder_config *config,
	  struct tb_unit_report *report)
{
  if (control_register (config->source) == NULL)
    tb_unit_lacks (report, &control_unit, "a prescaler of 1", true);
}

static const struct tb_sw_methods methods =
{
  .decoder_size = sizeof (struct itm_decoder),
  .state_offset = offsetof (struct itm_decoder, s),
  .state_size = sizeof (struct itm_state),
  .id_register = "ITMTCR",
  .search = itm_search,
  .decode = itm_decode,
  .forget = itm_forget
};

static struct tb_decoder *
itm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct itm_decoder *d
    = (struct itm_decoder *) tb_sw_open (config, &tb_protocol_itm, &methods,
					 diag);
  if (d == NULL)
    return NULL;
  const struct tb_device_reg *control = control_register (config->source);
  /* ITM_TCR bits 9:8, TSPrescale: 1, 4, 16 or 64 (C1.7.6).  */
  struct tb_unit_report report = { .source = config->source };
  itm_unit (config, &report);
  tb_unit_say (&report, diag);
  if (config->aligned)
    {
      d->s.sw.phase = TB_SW_DECODE;
      d->s.sw.report = false;
    }
  d->prescaler = control != NULL ? 1u << (control->value >> 8 & 3) * 2 : 1;
  return &d->sw.base;
}

/* TraceBusID is ITM_TCR bits 22:16.  */
static const struct tb_kind_register itm_registers[] = { { 0x3a0, "ITMTCR", 0 } };
static const struct tb_kind itm_kind = { "ITM", 0, 1, 0, 16, itm_registers, NULL };

const struct tb_protocol tb_protocol_itm = {
  .name = "ITM",
  .matches = itm_matches,
  .trace_id = itm_trace_id,
  .unit = itm_unit,
  .open = itm_open,
  .software = true,
  .sync_text = "five zero bytes and 0x80",
  .can_be_aligned = true,
  .packet_names = tb_itm_packet_names,
  .npacket_types = TB_ITM_PACKET_TYPES,
  .packet_text = tb_itm_packet_text,
  .kinds = &itm_kind,
  .nkinds = 1
};
