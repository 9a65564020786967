/* The protocols, and opening a decoder for one.  See decoder.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/decoder.h"

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

struct tb_decoder *
tb_decoder_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  const struct tb_protocol *protocol = tb_protocol_find (config->source->type);
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
