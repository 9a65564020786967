/* The ETMv4 and ETE decoder's interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/internal.h"

#include <stdlib.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "decode/etmv4/kinds.h"

/* Fill OUT as far as whole steps fit, and as there is anything.  */
static void
advance (struct tb_etmv4_decoder *d, struct tb_etmv4_out *out)
{
  struct tb_etmv4_state *s = &d->state;
  while (out->at < out->stop && s->phase != TB_PHASE_ENDED && !d->paused)
    {
      if (s->atoms_left > 0)
	tb_etmv4_follow_atoms (d, out);
      else if (tb_etmv4_must_resolve (s))
	tb_etmv4_resolve (d, out);
      else if (s->phase == TB_PHASE_SEARCH)
	tb_etmv4_search (d, out);
      else if (s->phase == TB_PHASE_DRAIN)
	tb_etmv4_drain (d, out);
      else
	tb_etmv4_decode_packets (d, out);
    }
}

static size_t
etmv4_read (struct tb_decoder *base, struct tb_element *elements,
	    size_t capacity)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  struct tb_etmv4_state *s = &d->state;
  size_t n = 0;
  base->at_sync = false;
  while (n < capacity)
    {
      if (s->spill_at < s->spill_end)
	{
	  elements[n++] = s->spill[s->spill_at++];
	  continue;
	}
      if (d->paused)
	{
	  d->paused = false;
	  base->at_sync = true;
	  base->sync = s->sync;
	  break;
	}
      if (s->phase == TB_PHASE_ENDED)
	break;
      struct tb_etmv4_out out;
      if (capacity - n >= TB_ETMV4_STEP)
	{
	  out.at = elements + n;
	  out.stop = elements + capacity - (TB_ETMV4_STEP - 1);
	  advance (d, &out);
	  n = (size_t) (out.at - elements);
	}
      else
	{
	  out.at = s->spill;
	  out.stop = s->spill + TB_ETMV4_SPILL - (TB_ETMV4_STEP - 1);
	  advance (d, &out);
	  s->spill_at = 0;
	  s->spill_end = (uint8_t) (out.at - s->spill);
	}
    }
  base->stats = s->stats;
  return n;
}

static void
etmv4_close (struct tb_decoder *base)
{
  struct tb_etmv4_decoder *d = (struct tb_etmv4_decoder *) base;
  tb_stream_close (d->stream);
  tb_follow_free (base->follow);
  free (d->items);
  free (d);
}

static bool
etmv4_matches (const char *type)
{
  return strncasecmp (type, "ETM4", 4) == 0
	 || strncasecmp (type, "ETMv4", 5) == 0
	 || strncasecmp (type, "ETE", 3) == 0;
}

static unsigned
etmv4_trace_id (const struct tb_device *source)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, tb_etmv4_traceidr->id,
			tb_etmv4_traceidr->name);
  return reg != NULL ? reg->value & 0x7f : TB_ID_NONE;
}

/* Data have a stream of their own (IHI 0064; DDI 0459, TRCTRACEIDR: its trace ID
   is the next one).  */
static const char *
etmv4_further_stream (const struct tb_device *source, unsigned number,
		      bool *on)
{
  struct tb_etmv4_config config;
  struct tb_unit_report report = { .source = source };
  tb_etmv4_config_read (&config, NULL, &report);
  *on = tb_etmv4_traces_data (&config);
  return number == 1 && !tb_etmv4_is_ete (&config) ? "data trace" : NULL;
}

static void
etmv4_unit (const struct tb_decoder_config *config,
	    struct tb_unit_report *report)
{
  struct tb_etmv4_config settings;
  tb_etmv4_config_read (&settings, config->profile, report);
}

static struct tb_decoder *
etmv4_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  unsigned id = etmv4_trace_id (config->source);
  if (config->buffer == NULL)
    {
      tb_error (diag, "%s: no trace buffer holds this source's trace",
		config->source->file);
      return NULL;
    }
  if (config->buffer->format == TB_FORMAT_SOURCE_DATA)
    id = TB_ID_NONE;
  else if (id == TB_ID_NONE)
    {
      tb_error (diag, "%s: [regs]: expected %s (0x%03" PRIx32 "), which says %s; "
		"found none", config->source->file, tb_etmv4_traceidr->name,
		tb_etmv4_traceidr->id, tb_etmv4_traceidr->tells);
      return NULL;
    }
  struct tb_etmv4_decoder *d = calloc (1, sizeof *d);
  if (d == NULL)
    goto no_memory;
  d->base.protocol = &tb_protocol_etmv4;
  d->base.read = etmv4_read;
  d->base.counts = &d->state.stats;
  d->base.close = etmv4_close;
  tb_etmv4_checkpoint_init (d);
  struct tb_unit_report report = { .source = config->source };
  tb_etmv4_config_read (&d->config, config->profile, &report);
  tb_unit_say (&report, diag);
  tb_etmv4_table_init (&d->table, &d->config);
  const struct tb_region *regions;
  size_t nregions = tb_memmap_regions (config->map, &regions);
  for (size_t i = 0; i < nregions; i++)
    if (regions[i].space < TB_SPACE_CONTEXTS)
      d->has_region[regions[i].space] = true;
  d->map = config->map;
  d->unnamed = (uint8_t) config->space;
  struct tb_follow_options options = {
    .wait_is_branch = tb_etmv4_wait_is_branch (&d->config),
    .tstart_is_waypoint = tb_etmv4_is_ete (&d->config),
    .accesses = (unsigned char) tb_etmv4_accesses (&d->config),
    .user = &tb_protocol_etmv4
  };
  d->base.follow = tb_follow_share_get (config->share, config->map, config->profile,
					&options);
  d->stream = tb_stream_open (config->buffer, id);
  d->capacity = 16;
  d->items = malloc (d->capacity * sizeof *d->items);
  if (d->base.follow == NULL || d->stream == NULL || d->items == NULL)
    {
      etmv4_close (&d->base);
      goto no_memory;
    }
  d->state.stack.enabled = tb_etmv4_uses_return_stack (&d->config);
  tb_etmv4_lose_sync (d, TB_REASON_INIT);
  return &d->base;

no_memory:
  tb_error (diag, "no memory to decode %s", config->source->name);
  return NULL;
}

const struct tb_protocol tb_protocol_etmv4 = {
  .name = "ETMv4",
  .matches = etmv4_matches,
  .trace_id = etmv4_trace_id,
  .further_stream = etmv4_further_stream,
  .unit = etmv4_unit,
  .open = etmv4_open,
  .exceptions = TB_NUMBERS_V8,
  .packet_names = tb_etmv4_packet_names,
  .npacket_types = TB_ETMV4_PACKET_TYPES,
  .packet_text = tb_etmv4_packet_text,
  .kinds = tb_etmv4_kinds,
  .nkinds = TB_ETMV4_KINDS
};
