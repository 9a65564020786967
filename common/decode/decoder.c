/* The protocols, and opening a decoder for one.  See decoder.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/decoder.h"

#include "decode/stitched.h"

static const struct tb_protocol *const protocols[] = {
  &tb_protocol_mtb,
  &tb_protocol_etmv3,
  &tb_protocol_etmv4,
  &tb_protocol_ptm,
  &tb_protocol_itm,
  &tb_protocol_stm,
};

const struct tb_protocol *
tb_protocol_find (const char *type)
{
  for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++)
    if (protocols[i]->matches (type))
      return protocols[i];
  return NULL;
}

const struct tb_protocol *
tb_protocol_number (size_t number)
{
  return number < sizeof protocols / sizeof protocols[0] ? protocols[number]
							  : NULL;
}

void
tb_decoder_unit (const struct tb_decoder_config *config,
		 struct tb_unit_report *report)
{
  const struct tb_protocol *protocol
    = config->protocol != NULL ? config->protocol
			       : tb_protocol_find (config->source->type);
  *report = (struct tb_unit_report) { .source = config->source };
  if (protocol != NULL && protocol->unit != NULL)
    protocol->unit (config, report);
}

struct tb_decoder *
tb_decoder_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  if (config->stitched != NULL)
    return tb_stitched_open (config->stitched, diag);
  const struct tb_protocol *protocol
    = config->protocol != NULL ? config->protocol
			       : tb_protocol_find (config->source->type);
  if (protocol == NULL)
    {
      tb_error (diag, "%s: [device] type: no decoder for \"%s\"",
		config->source->file, config->source->type);
      return NULL;
    }
  return protocol->open (config, diag);
}

void
tb_decoder_close (struct tb_decoder *decoder)
{
  if (decoder != NULL)
    decoder->close (decoder);
}

void
tb_packet_noted (const struct tb_decoder *decoder, unsigned type,
		 uint64_t bits, uint64_t index, const void *packet)
{
  const struct tb_packet_note note = { .index = index, .bits = bits,
				       .type = type, .packet = packet };
  if (decoder->packet_counts == NULL)
    return;
  decoder->packet_counts[type].packets++;
  decoder->packet_counts[type].bits += bits;
  if (decoder->packet_taker != NULL)
    decoder->packet_taker->take (decoder->packet_taker, &note);
}

void
tb_packet_cut (const struct tb_decoder *decoder, uint64_t bits, uint64_t index)
{
  tb_packet_noted (decoder, decoder->protocol->npacket_types + TB_PACKET_CUT,
		   bits, index, NULL);
}

void
tb_packet_skipped (const struct tb_decoder *decoder, uint64_t bytes,
		   uint64_t index)
{
  const struct tb_packet_note note = {
    .index = index, .bits = 8 * bytes,
    .type = decoder->protocol->npacket_types + TB_PACKET_SKIPPED };
  /* They are counted by the decoder.  */
  if (decoder->packet_taker != NULL && bytes > 0)
    decoder->packet_taker->take (decoder->packet_taker, &note);
}

enum tb_space
tb_decoder_context (struct tb_decoder_stats *stats, const struct tb_memmap *map,
		    const struct tb_context *named, enum tb_space otherwise)
{
  enum tb_space space = tb_memmap_context (map, named);
  if (space == TB_SPACE_CONTEXTS && stats->strange++ == 0)
    stats->stranger = *named;
  return space == TB_SPACE_ANY ? otherwise : space;
}

void
tb_decoder_stats_add (struct tb_decoder_stats *to,
		      const struct tb_decoder_stats *after,
		      const struct tb_decoder_stats *before)
{
  static const struct tb_decoder_stats none;
  if (before == NULL)
    before = &none;
  to->bytes += after->bytes - before->bytes;
  to->packets += after->packets - before->packets;
  to->bad_packets += after->bad_packets - before->bad_packets;
  to->syncs += after->syncs - before->syncs;
  to->skipped += after->skipped - before->skipped;
  to->broken_off += after->broken_off - before->broken_off;
  to->conditions += after->conditions - before->conditions;
  if (to->strange == 0 && after->strange > before->strange)
    to->stranger = after->stranger;
  to->strange += after->strange - before->strange;
  unsigned from = tb_fault_places (before), n = tb_fault_places (to);
  for (; from < tb_fault_places (after) && n < TB_FAULT_PLACES; from++)
    to->places[n++] = after->places[from];
  to->bad_image += after->bad_image - before->bad_image;
  for (unsigned i = 0; i < TB_FAULT_COUNT; i++)
    to->faults[i] += after->faults[i] - before->faults[i];
}
