/* What packets of ETMv4 and ETE say, field by field.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/packet.h"

#include "decode/packet-text.h"

static void
put_context (struct tb_buffer *text, const struct tb_etmv4_context *c)
{
  if (!c->present)
    {
      tb_buffer_printf (text, " same");
      return;
    }
  tb_packet_put_number (text, "el", c->el);
  tb_packet_put_number (text, "ns", c->ns);
  tb_packet_put_flag (text, "nse", c->nse);
  tb_packet_put_number (text, "bits", c->sf ? 64 : 32);
  if (c->has_vmid)
    tb_packet_put_hex (text, "vmid", c->vmid);
  if (c->has_cid)
    tb_packet_put_hex (text, "cid", c->cid);
}

/* VALUE replaces low bits of an address that the trace unit and the decoder
   remember; or it is the one of that place.  */
static void
put_address (struct tb_buffer *text, const struct tb_etmv4_packet *p,
	     bool exact)
{
  if (exact)
    {
      tb_packet_put_number (text, "entry", p->is);
      return;
    }
  tb_packet_put_hex (text, p->bits < 64 ? "low" : "address", p->value);
  tb_packet_put_number (text, "given", p->bits);
  tb_packet_put_number (text, "is", p->is);
}

static void
put_cycles (struct tb_buffer *text, const struct tb_etmv4_packet *p)
{
  if (p->has_cycles)
    {
      tb_packet_put_number (text, "cycles", p->cycles);
      tb_packet_put_flag (text, "+threshold", p->plus_threshold);
    }
  else
    tb_buffer_printf (text, " cycles=-");
  if (p->count > 0)
    tb_packet_put_number (text, "commit", p->count);
}

static void
put_q (struct tb_buffer *text, const struct tb_etmv4_packet *p)
{
  if (p->count > 0)
    tb_packet_put_number (text, "count", p->count);
  if (p->has_address)
    put_address (text, p, p->address_type == TB_ETMV4_ADDRESS_EXACT);
}

/* Packets of conditional instructions; what keys and tokens mean depends on those before.  */
static void
put_conditional (struct tb_buffer *text, const struct tb_etmv4_packet *p)
{
  switch ((enum tb_etmv4_packet_type) p->type)
    {
    case TB_ETMV4_CONDITIONAL_1:
      tb_packet_put_number (text, "key", p->value);
      break;
    case TB_ETMV4_CONDITIONAL_2:
      tb_packet_put_number (text, "ci", p->value);
      break;
    case TB_ETMV4_CONDITIONAL_3:
      tb_packet_put_number (text, "num", p->value >> 1 & 0x3f);
      tb_packet_put_number (text, "z", p->value & 1);
      break;
    case TB_ETMV4_RESULT_1:
      for (unsigned i = 0; i < p->natoms; i++)
	{
	  tb_packet_put_number (text, "key", p->value >> 32 * i & UINT32_MAX);
	  tb_packet_put_hex (text, "result", p->atoms >> 8 * i & 0xf);
	  tb_packet_put_number (text, "ci", p->atoms >> (8 * i + 4) & 1);
	}
      break;
    case TB_ETMV4_RESULT_2:
      tb_packet_put_number (text, "k", p->value >> 2);
      tb_packet_put_number (text, "token", p->value & 3);
      break;
    case TB_ETMV4_RESULT_3:
      tb_packet_put_hex (text, "tokens", p->value);
      break;
    default:
      tb_packet_put_number (text, "token", p->value);
      break;
    }
}

void
tb_etmv4_packet_text (struct tb_buffer *text, unsigned type,
		      const void *packet)
{
  const struct tb_etmv4_packet *p = packet;
  switch ((enum tb_etmv4_packet_type) type)
    {
    case TB_ETMV4_BAD:
      tb_packet_put_bad (text, (unsigned) p->value,
			 p->address_type == TB_ETMV4_EXTENSION
			 ? "an extension packet"
			 : tb_etmv4_packet_names[p->address_type]
			   == tb_etmv4_packet_names[TB_ETMV4_BAD]
			 ? NULL : tb_etmv4_packet_names[p->address_type]);
      break;
    case TB_ETMV4_TRACE_INFO:
      tb_packet_put_number (text, "speculation", p->count);
      tb_packet_put_number (text, "threshold", p->cycles);
      tb_packet_put_flag (text, "in-transaction", p->in_transaction);
      break;
    case TB_ETMV4_TIMESTAMP:
      tb_packet_put_hex (text, "value", p->value);
      tb_packet_put_number (text, "given", p->bits);
      if (p->has_cycles)
	tb_packet_put_number (text, "cycles", p->cycles);
      break;
    case TB_ETMV4_CYCLES_1:
    case TB_ETMV4_CYCLES_2:
    case TB_ETMV4_CYCLES_3:
      put_cycles (text, p);
      break;
    case TB_ETMV4_EVENT:
      tb_packet_put_hex (text, "events", p->value);
      break;
    case TB_ETMV4_ATOM:
      tb_packet_put_atoms (text, p->atoms, p->natoms);
      break;
    case TB_ETMV4_Q:
      put_q (text, p);
      break;
    case TB_ETMV4_EXCEPTION:
      tb_packet_put_number (text, "number", p->exception);
      tb_packet_put_flag (text, "same-address", p->same_address);
      break;
    case TB_ETMV4_CONTEXT:
      put_context (text, &p->context);
      break;
    case TB_ETMV4_ADDRESS_EXACT:
    case TB_ETMV4_SOURCE_EXACT:
      put_address (text, p, true);
      break;
    case TB_ETMV4_ADDRESS_SHORT:
    case TB_ETMV4_ADDRESS_32:
    case TB_ETMV4_ADDRESS_64:
    case TB_ETMV4_SOURCE_SHORT:
    case TB_ETMV4_SOURCE_32:
    case TB_ETMV4_SOURCE_64:
      put_address (text, p, false);
      break;
    case TB_ETMV4_ADDRESS_CONTEXT_32:
    case TB_ETMV4_ADDRESS_CONTEXT_64:
      put_address (text, p, false);
      put_context (text, &p->context);
      break;
    case TB_ETMV4_COMMIT:
      tb_packet_put_number (text, "commit", p->count);
      break;
    case TB_ETMV4_CANCEL_1:
    case TB_ETMV4_CANCEL_1_MISPREDICT:
    case TB_ETMV4_CANCEL_2:
    case TB_ETMV4_CANCEL_3:
      tb_packet_put_number (text, "cancel", p->count);
      tb_packet_put_atoms (text, p->atoms, p->natoms);
      break;
    case TB_ETMV4_MISPREDICT:
      tb_packet_put_atoms (text, p->atoms, p->natoms);
      break;
    case TB_ETMV4_CONDITIONAL_1:
    case TB_ETMV4_CONDITIONAL_2:
    case TB_ETMV4_CONDITIONAL_3:
    case TB_ETMV4_RESULT_1:
    case TB_ETMV4_RESULT_2:
    case TB_ETMV4_RESULT_3:
    case TB_ETMV4_RESULT_4:
      put_conditional (text, p);
      break;
    case TB_ETMV4_DATA_SYNC_MARKER:
      tb_packet_put_number (text, p->value < 8 ? "number" : "unnumbered",
			    p->value & 7);
      break;
    case TB_ETMV4_INSTRUMENTATION:
      tb_packet_put_number (text, "el", p->el);
      tb_packet_put_hex (text, "value", p->value);
      break;
    default:			/* The type is all.  */
      break;
    }
}
