/* Packets for fuzz targets of decoders: all bits of the trace are counted, each once, and each
   packet has a text.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FUZZ_PACKETS_H
#define TB_FUZZ_PACKETS_H

#include "decode/decoder.h"

struct fuzz_listing
{
  struct tb_packet_taker taker;
  const struct tb_protocol *protocol;
  struct tb_buffer text;
  uint64_t bits, skipped, index;
};

static inline void
fuzz_take_packet (struct tb_packet_taker *taker, const struct tb_packet_note *note)
{
  struct fuzz_listing *l = (struct fuzz_listing *) taker;
  MUST (note->index >= l->index);
  l->index = note->index;
  if (note->type == l->protocol->npacket_types + TB_PACKET_SKIPPED)
    l->skipped += note->bits;
  else
    l->bits += note->bits;
  tb_buffer_clear (&l->text);
  if (note->packet != NULL && l->protocol->packet_text != NULL)
    l->protocol->packet_text (&l->text, note->type, note->packet);
  MUST (note->type >= l->protocol->npacket_types || note->bits == 0
	|| l->protocol->packet_names[note->type] != NULL);
}

/* Look at the packets of CONFIG, whose buffer has one source's bytes.  */
static inline void
fuzz_packets (const struct tb_decoder_config *config)
{
  struct tb_decoder *d = tb_decoder_open (config, NULL);
  if (d == NULL)
    return;
  struct fuzz_listing listing = { .taker = { fuzz_take_packet }, .protocol = d->protocol };
  struct tb_packet_count *counts = calloc (d->protocol->npacket_types + 1, sizeof *counts);
  struct tb_element elements[100];
  MUST (counts != NULL);
  d->packet_counts = counts;
  d->packet_taker = &listing.taker;
  while (d->read (d, elements, 100) > 0)
    ;
  uint64_t bits = 0;
  for (unsigned i = 0; i <= d->protocol->npacket_types; i++)
    bits += counts[i].bits;
  /* An STM's packets end within a byte; of bytes that are passed over halves count as
     whole.  */
  uint64_t more = bits + 8 * d->stats.skipped - 8 * config->buffer->size;
  MUST (more == 0 || (d->protocol == &tb_protocol_stm
		      && more <= 4 * (d->stats.bad_packets + d->stats.syncs + 1)));
  MUST (bits == listing.bits && listing.skipped == 8 * d->stats.skipped);
  tb_buffer_fini (&listing.text);
  free (counts);
  tb_decoder_close (d);
}

#endif /* TB_FUZZ_PACKETS_H */
