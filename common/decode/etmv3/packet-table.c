/* The table of ETMv3 header bytes.  See packet.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv3/packet.h"

#include <string.h>

/* When a header is one.  */
enum v3_condition { V3_ALWAYS, DATA, VALUES };

/* IHI 0014 table 7-1: the bytes whose bits in MASK are VALUE.  Of two rows that
   match the later one holds: out-of-order packets with tag 0 are others.  */
static const struct
{
  uint8_t mask, value;
  uint8_t type;
  uint8_t condition;
} headers[] =
{
  { 0x01, 0x01, TB_ETMV3_BRANCH, V3_ALWAYS },
  { 0x81, 0x80, TB_ETMV3_P_HEADER, V3_ALWAYS },
  { 0x93, 0x00, TB_ETMV3_DATA_LATE, VALUES },	/* 0TT0SS00  */
  { 0xd3, 0x50, TB_ETMV3_DATA_PLACEHOLDER, DATA },	/* 01A1TT00  */
  { 0xd3, 0x02, TB_ETMV3_DATA, DATA },		/* 00A0SS10  */
  { 0xef, 0x6a, TB_ETMV3_DATA_NOT_TRACED, DATA },	/* 011A1010  */
  { 0xfb, 0x42, TB_ETMV3_TIMESTAMP, V3_ALWAYS },	/* 01000R10  */
  { 0xff, 0x00, TB_ETMV3_ASYNC, V3_ALWAYS },
  { 0xff, 0x04, TB_ETMV3_CYCLES, V3_ALWAYS },
  { 0xff, 0x08, TB_ETMV3_ISYNC, V3_ALWAYS },
  { 0xff, 0x0c, TB_ETMV3_TRIGGER, V3_ALWAYS },
  { 0xff, 0x3c, TB_ETMV3_VMID, V3_ALWAYS },
  { 0xff, 0x50, TB_ETMV3_STORE_FAILED, DATA },
  { 0xff, 0x62, TB_ETMV3_DATA_SUPPRESSED, DATA },
  { 0xff, 0x66, TB_ETMV3_IGNORE, V3_ALWAYS },
  { 0xff, 0x6e, TB_ETMV3_CONTEXT_ID, V3_ALWAYS },
  { 0xff, 0x70, TB_ETMV3_ISYNC_CYCLES, V3_ALWAYS },
  { 0xff, 0x76, TB_ETMV3_EXCEPTION_RETURN, V3_ALWAYS },
  { 0xff, 0x7e, TB_ETMV3_EXCEPTION_ENTRY, V3_ALWAYS },
};

static void
set_atoms (struct tb_etmv3_header *h, unsigned executed, unsigned failed)
{
  h->natoms = (uint8_t) (executed + failed);
  h->atoms = (uint16_t) ((1u << executed) - 1);
}

/* Two instructions; bits 3 and 2 are set where the first and the second did not
   pass.  */
static void
set_pair (struct tb_etmv3_header *h, unsigned byte)
{
  h->natoms = 2;
  h->atoms = (byte & 8 ? 0 : 1) | (byte & 4 ? 0 : 2);
}

/* What packets of data trace have behind header BYTE (7.4).  */
static void
data_header (const struct tb_etmv3_table *table, struct tb_etmv3_header *h,
	     unsigned byte)
{
  static const uint8_t sizes[] = { 0, 1, 2, 4 };

  if (h->type == TB_ETMV3_DATA_LATE
      || (h->type == TB_ETMV3_DATA && table->data_values))
    h->value_bytes = sizes[byte >> 2 & 3];
  /* The A bit; NOT_TRACED has it elsewhere.  */
  if (h->type == TB_ETMV3_DATA_NOT_TRACED)
    h->has_address = table->data_addresses && (byte & 0x10) != 0;
  else if (h->type == TB_ETMV3_DATA || h->type == TB_ETMV3_DATA_PLACEHOLDER)
    h->has_address = table->data_addresses && (byte & 0x20) != 0;
}

/* P-headers (7.3.1), tables 7-2 and 7-3.  False: reserved.  */
static bool
p_header (struct tb_etmv3_header *h, unsigned byte, bool cycle_accurate)
{
  if (!cycle_accurate)
    {
      if ((byte & 3) == 0)			/* 1NEEEE00  */
	set_atoms (h, byte >> 2 & 0xf, byte >> 6 & 1);
      else if ((byte & 0xf3) == 0x82)		/* 1000FF10  */
	set_pair (h, byte);
      else
	return false;
      return true;
    }
  if (byte == 0x80)				/* W  */
    h->first_cycles = 1;
  else if ((byte & 0xa3) == 0x80)		/* 1N0EEE00: WE ..., WN  */
    {
      set_atoms (h, byte >> 2 & 7, byte >> 6 & 1);
      h->first_cycles = h->more_cycles = 1;
    }
  else if ((byte & 0xf3) == 0x82)		/* 1000FF10: W, two atoms  */
    {
      set_pair (h, byte);
      h->first_cycles = 1;
    }
  else if ((byte & 0xa3) == 0xa0)		/* 1E1WWW00: W ..., E  */
    {
      h->first_cycles = (byte >> 2 & 7) + 1;
      set_atoms (h, byte >> 6 & 1, 0);
    }
  else if ((byte & 0xfb) == 0x92)		/* 10010F10: an atom, no W  */
    set_atoms (h, byte & 4 ? 0 : 1, byte & 4 ? 1 : 0);
  else
    return false;
  return true;
}

void
tb_etmv3_table_init (struct tb_etmv3_table *table,
		     const struct tb_v7_settings *settings)
{
  *table = (struct tb_etmv3_table) { .cid_bytes = 0 };
  table->cid_bytes = (uint8_t) tb_v7_context_id_bytes (settings);
  table->timestamp_bytes = tb_v7_timestamp_bits (settings) == 64 ? 9 : 7;
  /* ETMIDR[20]; the form came with ETMv3.4.  */
  table->form = (settings->idr >> 20 & 1) && tb_v7_minor (settings) >= 4
		? TB_V7_ALTERNATIVE : TB_V7_ORIGINAL;
  table->has_alternative = tb_v7_minor (settings) >= 3;
  table->has_hyp = tb_v7_has_virtualization (settings);
  table->instructions = !(settings->cr >> 20 & 1);
  table->data_values = settings->cr >> 2 & 1;
  table->data_addresses = settings->cr >> 3 & 1;
  bool data = table->data_values || table->data_addresses;

  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    {
      if ((headers[i].condition == DATA && !data)
	  || (headers[i].condition == VALUES && !table->data_values))
	continue;
      /* All values of the bits that are not in the mask.  */
      const unsigned rest = ~headers[i].mask & 0xffu;
      unsigned bits = 0;
      do
	table->header[headers[i].value | bits].type = headers[i].type;
      while ((bits = (bits - rest) & rest) != 0);
    }
  for (unsigned byte = 0x80; byte < 256; byte += 2)
    if (!p_header (&table->header[byte], byte,
		   tb_v7_cycle_accurate (settings)))
      table->header[byte].type = TB_ETMV3_BAD;
  for (unsigned byte = 0; byte < 256; byte++)
    data_header (table, &table->header[byte], byte);
}

const char *const tb_etmv3_packet_names[TB_ETMV3_PACKET_TYPES] =
{
  [TB_ETMV3_BAD] = "Reserved",
  [TB_ETMV3_BRANCH] = "Branch address", [TB_ETMV3_P_HEADER] = "P-header",
  [TB_ETMV3_ASYNC] = "A-sync", [TB_ETMV3_ISYNC] = "I-sync",
  [TB_ETMV3_ISYNC_CYCLES] = "I-sync with cycle count",
  [TB_ETMV3_CYCLES] = "Cycle count", [TB_ETMV3_TRIGGER] = "Trigger",
  [TB_ETMV3_IGNORE] = "Ignore", [TB_ETMV3_CONTEXT_ID] = "Context ID",
  [TB_ETMV3_VMID] = "VMID", [TB_ETMV3_TIMESTAMP] = "Timestamp",
  [TB_ETMV3_EXCEPTION_ENTRY] = "Exception entry",
  [TB_ETMV3_EXCEPTION_RETURN] = "Return from exception",
  [TB_ETMV3_DATA] = "Normal data",
  [TB_ETMV3_DATA_LATE] = "Out-of-order data",
  [TB_ETMV3_DATA_PLACEHOLDER] = "Out-of-order placeholder",
  [TB_ETMV3_DATA_NOT_TRACED] = "Value not traced",
  [TB_ETMV3_DATA_SUPPRESSED] = "Data suppressed",
  [TB_ETMV3_STORE_FAILED] = "Store failed"
};
