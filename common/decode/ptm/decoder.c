/* The PTM decoder's loop, and its interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/ptm/internal.h"

#include <stdlib.h>

#include "decode/v7kinds.h"

/* Atom packets.  */
static inline void
stretch (struct tb_v7_decoder *v7, struct tb_element **out,
	 const struct tb_element *stop)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) v7;

  if (v7->state.phase != TB_V7_DECODE || tb_packets_noted (&v7->base))
    return;
  while (stop - *out >= TB_V7_STEP && tb_v7_sees_packet (v7))
    {
      const struct tb_ptm_header *header
	= &d->table.header[v7->view[v7->at]];
      if (header->type != TB_PTM_ATOM)
	return;
      tb_v7_note_index (v7);
      uint32_t cycles;
      bool counted = d->table.cycle_accurate;
      size_t size = counted ? tb_ptm_cycles_read (&cycles, v7->view + v7->at,
						   TB_STREAM_LOOKAHEAD) : 1;
      tb_v7_pass_packet (v7, size);
      tb_ptm_follow (d, out, header->natoms, header->atoms, false,
		     counted ? &cycles : NULL);
    }
}

/* One packet.  */
static inline void
step (struct tb_v7_decoder *v7, struct tb_element **out)
{
  struct tb_ptm_decoder *d = (struct tb_ptm_decoder *) v7;

  if (!tb_v7_at_packet (v7, out))
    return;
  struct tb_ptm_packet packet;
  size_t size = tb_ptm_packet_read (&d->table, v7->view + v7->at,
				    v7->length - v7->at, &packet);
  if (tb_v7_pass_any (v7, packet.type, size, &packet))
    tb_ptm_decode_packet (d, out, &packet);
}

static size_t
ptm_read (struct tb_decoder *base, struct tb_element *elements,
	  size_t capacity)
{
  return tb_v7_read ((struct tb_v7_decoder *) base, elements, capacity, stretch,
		     step);
}

static struct tb_decoder *
ptm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct tb_ptm_decoder *d = calloc (1, sizeof *d);

  if (d == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      return NULL;
    }
  bool ready = tb_v7_shell_init (&d->v7, &tb_protocol_ptm, TB_PTM_ASYNC,
				 config, true, diag);
  d->v7.base.read = ptm_read;
  tb_ptm_table_init (&d->table, &d->v7.settings);
  /* ETMCCER[24]: DMB and DSB are waypoints; ETMCCER[23] and ETMCR[29]: the
     return stack is there and in use.  */
  const struct tb_follow_options options = {
    .barrier_is_waypoint = d->v7.settings.ccer >> 24 & 1,
    .it_is_unmarked = true, .user = &tb_protocol_ptm
  };
  d->v7.state.stack.enabled = (d->v7.settings.ccer >> 23 & 1)
			      && (d->v7.settings.cr >> 29 & 1);
  d->v7.base.follow = tb_follow_share_get (config->share, config->map, config->profile,
					   &options);
  if (d->v7.base.follow == NULL)
    tb_error (diag, "no memory to decode %s", config->source->name);
  if (!ready || d->v7.base.follow == NULL)
    {
      tb_v7_close (&d->v7.base);
      return NULL;
    }
  return &d->v7.base;
}

/* "PTM", "PTM1.1", "PFT1.1"; the second is the architecture's name.  */
static bool
ptm_matches (const char *type)
{
  return tb_v7_type_matches (type, "PTM", 0)
	 || tb_v7_type_matches (type, "PFT", 0);
}

static void
ptm_unit (const struct tb_decoder_config *config,
	  struct tb_unit_report *report)
{
  struct tb_v7_settings settings;
  tb_v7_settings_read (&settings, config->profile, true, report);
}

const struct tb_protocol tb_protocol_ptm =
{
  .name = "PTM",
  .matches = ptm_matches,
  .trace_id = tb_v7_trace_id,
  .unit = ptm_unit,
  .open = ptm_open,
  .exceptions = TB_NUMBERS_V7,
  .packet_names = tb_ptm_packet_names,
  .npacket_types = TB_PTM_PACKET_TYPES,
  .packet_text = tb_ptm_packet_text,
  .kinds = tb_ptm_kinds,
  .nkinds = TB_PTM_KINDS
};
