/* What packets of the ITM say, field by field.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/itm/packet.h"

#include "decode/element-text.h"
#include "decode/packet-text.h"

static const char *
bad_name (unsigned header)
{
  if (header == 0)
    return tb_itm_packet_names[TB_ITM_PACKET_SYNC];
  if (header == 0x94)
    return tb_itm_packet_names[TB_ITM_PACKET_GLOBAL_TIME_1];
  if (header == 0xb4)
    return tb_itm_packet_names[TB_ITM_PACKET_GLOBAL_TIME_2];
  return (header & 0xcf) == 0xc0
	 ? tb_itm_packet_names[TB_ITM_PACKET_LOCAL_TIME]
	 : header & 0x08 ? tb_itm_packet_names[TB_ITM_PACKET_EXTENSION] : NULL;
}

void
tb_itm_packet_text (struct tb_buffer *text, unsigned type, const void *packet)
{
  const struct tb_itm_packet *p = packet;
  switch ((enum tb_itm_packet_type) type)
    {
    case TB_ITM_PACKET_BAD:
      tb_packet_put_bad (text, p->header, bad_name (p->header));
      break;
    case TB_ITM_PACKET_LOCAL_TIME:
      tb_packet_put_number (text, "delta", p->value);
      tb_buffer_printf (text, " relation=%s", tb_itm_relation_name (p->id));
      break;
    case TB_ITM_PACKET_GLOBAL_TIME_1:
      tb_packet_put_hex (text, "low", p->value);
      tb_packet_put_number (text, "given", p->bits);
      tb_packet_put_flag (text, "wrapped", p->wrapped);
      tb_packet_put_flag (text, "clock-changed", p->clock_changed);
      break;
    case TB_ITM_PACKET_GLOBAL_TIME_2:
      tb_packet_put_hex (text, "high", p->value);
      break;
    case TB_ITM_PACKET_PAGE:
      tb_packet_put_number (text, "page", p->value);
      break;
    case TB_ITM_PACKET_EXTENSION:
      tb_packet_put_hex (text, "value", p->value);
      break;
    case TB_ITM_PACKET_SOFTWARE:
    case TB_ITM_PACKET_HARDWARE:
      tb_packet_put_number (text, type == TB_ITM_PACKET_SOFTWARE
				  ? "port" : "discriminator", p->id);
      tb_packet_put_number (text, "bytes", p->bytes);
      tb_packet_put_hex (text, "value", p->value);
      break;
    case TB_ITM_PACKET_SYNC:
    case TB_ITM_PACKET_SYNC_PART:
    case TB_ITM_PACKET_OVERFLOW:
      break;
    }
}
