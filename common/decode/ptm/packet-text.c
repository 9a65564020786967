/* What packets of PTM say, field by field.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/ptm/packet.h"

#include "decode/packet-text.h"

static void
put_isync (struct tb_buffer *text, const struct tb_ptm_packet *p)
{
  tb_v7_reason_text (text, p->reason);
  tb_packet_put_hex (text, "address", p->value);
  tb_packet_put_isa (text, p->isa);
  tb_packet_put_number (text, "nonsecure", p->nonsecure);
  tb_packet_put_flag (text, "hyp", p->hyp);
  tb_packet_put_flag (text, "alternative", p->alternative);
  if (p->has_id)
    tb_packet_put_hex (text, "cid", p->id);
}

void
tb_ptm_packet_text (struct tb_buffer *text, unsigned type, const void *packet)
{
  const struct tb_ptm_packet *p = packet;
  switch ((enum tb_ptm_packet_type) type)
    {
    case TB_PTM_BAD:
      tb_packet_put_bad (text, (unsigned) p->value,
			 p->value == 0 ? tb_ptm_packet_names[TB_PTM_ASYNC]
				       : NULL);
      break;
    case TB_PTM_ATOM:
      tb_packet_put_atoms (text, p->atoms, p->natoms);
      break;
    case TB_PTM_BRANCH:
      tb_v7_address_text (text, &p->address);
      if (p->has_exception)
	tb_v7_exception_text (text, &p->exception);
      break;
    case TB_PTM_WAYPOINT_UPDATE:
      tb_v7_address_text (text, &p->address);
      if (p->has_alternative)
	tb_packet_put_number (text, "alternative", p->alternative);
      break;
    case TB_PTM_ISYNC:
      put_isync (text, p);
      break;
    case TB_PTM_CONTEXT_ID:
      if (p->has_id)
	tb_packet_put_hex (text, "cid", p->id);
      break;
    case TB_PTM_VMID:
      tb_packet_put_hex (text, "vmid", p->id);
      break;
    case TB_PTM_TIMESTAMP:
      tb_packet_put_hex (text, "value", p->value);
      tb_packet_put_number (text, "bits", p->value_bits);
      break;
    case TB_PTM_ASYNC:
    case TB_PTM_TRIGGER:
    case TB_PTM_IGNORE:
    case TB_PTM_EXCEPTION_RETURN:
      break;
    }
  if (p->has_cycles)
    tb_packet_put_number (text, "cycles", p->cycles);
}
