/* What packets of an MTB say, field by field.  See mtb.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/mtb/mtb.h"

#include "decode/packet-text.h"

void
tb_mtb_packet_text (struct tb_buffer *text, unsigned type, const void *packet)
{
  const struct tb_mtb_packet *p = packet;
  (void) type;
  tb_packet_put_hex (text, "source", p->source);
  tb_packet_put_hex (text, "destination", p->destination);
  tb_packet_put_flag (text, "a", p->atomic);
  tb_packet_put_flag (text, "s", p->start);
}
