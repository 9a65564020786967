/* The ETMv3 decoder's loop, and its interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/internal.h"

#include <stdlib.h>

#include "decode/v7kinds.h"

static inline void
stretch (struct tb_v7_decoder *v7, struct tb_element **out,
	 const struct tb_element *stop)
{
  if (v7->state.phase == TB_V7_DECODE && !tb_packets_noted (&v7->base))
    tb_etmv3_stretch ((struct tb_etmv3_decoder *) v7, out, stop);
}

/* One packet.  */
static inline void
step (struct tb_v7_decoder *v7, struct tb_element **out)
{
  struct tb_etmv3_decoder *d = (struct tb_etmv3_decoder *) v7;
  struct tb_etmv3_packet packet;

  if (!tb_v7_at_packet (v7, out))
    return;
  size_t size = tb_etmv3_packet_read (&d->table, v7->view + v7->at,
				      v7->length - v7->at, &packet);
  if (tb_v7_pass_any (v7, packet.type, size, &packet))
    tb_etmv3_decode_packet (d, out, &packet);
}

static size_t
etmv3_read (struct tb_decoder *base, struct tb_element *elements,
	    size_t capacity)
{
  return tb_v7_read ((struct tb_v7_decoder *) base, elements, capacity, stretch,
		     step);
}

static struct tb_decoder *
etmv3_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct tb_etmv3_decoder *d = calloc (1, sizeof *d);

  if (d == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      return NULL;
    }
  bool ready = tb_v7_shell_init (&d->v7, &tb_protocol_etmv3, TB_ETMV3_ASYNC,
				 config, false, diag);
  d->v7.base.read = etmv3_read;
  tb_etmv3_table_init (&d->table, &d->v7.settings);
  d->cycle_accurate = tb_v7_cycle_accurate (&d->v7.settings);
  d->halves = !(d->v7.settings.idr >> 18 & 1);
  d->has_data = d->table.data_addresses || d->table.data_values;
  d->v7.base.has_data = d->has_data;
  bool coprocessor = d->has_data && d->v7.settings.cr >> 1 & 1;
  const struct tb_follow_options options = {
    .it_is_unmarked = true, .user = &tb_protocol_etmv3,
    .variant = d->has_data | (unsigned) coprocessor << 1
  };
  d->v7.base.follow = tb_follow_share_get (config->share, config->map, config->profile,
					   &options);
  if (d->v7.base.follow != NULL)
    d->code = tb_etmv3_code_of (d->v7.base.follow, d->has_data, coprocessor);
  if (d->code == NULL)
    tb_error (diag, "no memory to decode %s", config->source->name);
  if (!ready || d->code == NULL)
    {
      tb_v7_close (&d->v7.base);
      return NULL;
    }
  return &d->v7.base;
}

static bool
etmv3_matches (const char *type)
{
  return tb_v7_type_matches (type, "ETM", 3);
}

static void
etmv3_unit (const struct tb_decoder_config *config,
	    struct tb_unit_report *report)
{
  struct tb_v7_settings settings;
  tb_v7_settings_read (&settings, config->profile, false, report);
}

const struct tb_protocol tb_protocol_etmv3 =
{
  .name = "ETMv3",
  .matches = etmv3_matches,
  .trace_id = tb_v7_trace_id,
  .unit = etmv3_unit,
  .open = etmv3_open,
  .exceptions = TB_NUMBERS_V7,
  .conditions_told = true,	/* Every instruction has an atom.  */
  .packet_names = tb_etmv3_packet_names,
  .npacket_types = TB_ETMV3_PACKET_TYPES,
  .packet_text = tb_etmv3_packet_text,
  .kinds = tb_etmv3_kinds,
  .nkinds = TB_ETMV3_KINDS
};
