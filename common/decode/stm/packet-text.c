/* What packets of an STM say, field by field.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/stm/packet.h"

#include "decode/packet-text.h"

void
tb_stm_packet_text (struct tb_buffer *text, unsigned type, const void *packet)
{
  const struct tb_stm_packet *p = packet;
  if (type == 2 * TB_STM_BAD)
    {
      tb_buffer_printf (text, " opcode=0x%0*llx (expected that of a packet%s)",
			(int) (p->bits / 4), (unsigned long long) p->data,
			p->timed ? ", and the size of its timestamp" : "");
      return;
    }
  if (p->bits > 0)
    tb_buffer_printf (text, " data=0x%0*llx", (int) (p->bits / 4),
		      (unsigned long long) p->data);
  if (p->timed)
    tb_packet_put_hex (text, "ts", p->timestamp);
  tb_packet_put_flag (text, "upper-nibble", p->upper);
}
