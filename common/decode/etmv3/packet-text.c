/* What packets of ETMv3 say, field by field.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/packet.h"

#include "decode/packet-text.h"

static void
put_isync (struct tb_buffer *text, const struct tb_etmv3_packet *p)
{
  tb_v7_reason_text (text, p->reason);
  if (p->has_address)
    {
      tb_packet_put_hex (text, "address", p->value);
      tb_packet_put_isa (text, p->isa);
    }
  tb_packet_put_number (text, "nonsecure", p->nonsecure);
  tb_packet_put_flag (text, "hyp", p->hyp);
  tb_packet_put_flag (text, "alternative", p->alternative);
  if (p->has_id)
    tb_packet_put_hex (text, "cid", p->id);
  if (p->has_cycles)
    tb_packet_put_number (text, "cycles", p->cycles);
  if (p->in_progress)
    {
      tb_buffer_printf (text, " in-progress");
      tb_v7_address_text (text, &p->address);
    }
}

static void
put_data (struct tb_buffer *text, const struct tb_etmv3_packet *p)
{
  if (p->tag > 0)
    tb_packet_put_number (text, "tag", p->tag);
  if (p->data.address_bits > 0)
    {
      tb_packet_put_hex (text, "address", p->data.address);
      tb_packet_put_number (text, "bits", p->data.address_bits);
    }
  if (p->data.has_endianness)
    tb_buffer_printf (text, " endian=%s", p->data.big_endian ? "big" : "little");
  if (p->data.has_value)
    {
      tb_packet_put_hex (text, "value", p->data.value);
      tb_packet_put_number (text, "bytes", p->data.value_bytes);
    }
}

void
tb_etmv3_packet_text (struct tb_buffer *text, unsigned type,
		      const void *packet)
{
  const struct tb_etmv3_packet *p = packet;
  switch ((enum tb_etmv3_packet_type) type)
    {
    case TB_ETMV3_BAD:
      tb_packet_put_bad (text, (unsigned) p->value,
			 p->value == 0 ? tb_etmv3_packet_names[TB_ETMV3_ASYNC]
				       : NULL);
      break;
    case TB_ETMV3_BRANCH:
      tb_v7_address_text (text, &p->address);
      if (p->has_exception)
	tb_v7_exception_text (text, &p->exception);
      break;
    case TB_ETMV3_P_HEADER:
      tb_packet_put_atoms (text, p->atoms.atoms, p->atoms.natoms);
      if (p->atoms.first_cycles > 0)
	tb_packet_put_number (text, "cycles", p->atoms.first_cycles);
      if (p->atoms.more_cycles > 0 && p->atoms.natoms > 1)
	tb_packet_put_number (text, "each", p->atoms.more_cycles);
      break;
    case TB_ETMV3_ISYNC:
    case TB_ETMV3_ISYNC_CYCLES:
      put_isync (text, p);
      break;
    case TB_ETMV3_CYCLES:
      tb_packet_put_number (text, "cycles", p->cycles);
      break;
    case TB_ETMV3_CONTEXT_ID:
      if (p->has_id)
	tb_packet_put_hex (text, "cid", p->id);
      break;
    case TB_ETMV3_VMID:
      tb_packet_put_hex (text, "vmid", p->id);
      break;
    case TB_ETMV3_TIMESTAMP:
      tb_packet_put_hex (text, "value", p->value);
      tb_packet_put_number (text, "bits", p->value_bits);
      break;
    case TB_ETMV3_DATA:
    case TB_ETMV3_DATA_LATE:
    case TB_ETMV3_DATA_PLACEHOLDER:
    case TB_ETMV3_DATA_NOT_TRACED:
      put_data (text, p);
      break;
    case TB_ETMV3_ASYNC:
    case TB_ETMV3_TRIGGER:
    case TB_ETMV3_IGNORE:
    case TB_ETMV3_EXCEPTION_ENTRY:
    case TB_ETMV3_EXCEPTION_RETURN:
    case TB_ETMV3_DATA_SUPPRESSED:
    case TB_ETMV3_STORE_FAILED:
      break;
    }
}
