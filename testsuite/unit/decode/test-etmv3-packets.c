/* Tests of reading ETMv3 packets: every type, bytes to contents.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/etmv3/packet.h"
#include "v7-run.h"

/* How trace units differ: ETMCR, ETMIDR, ETMCCER.  */
enum unit { M3, A7, A8, CA, CID4, CID1, DATA, ADDRESSES, VALUES, ONLY, V30 };

static const struct tb_v7_settings units[] =
{
  /* Alternative branches, 48-bit timestamps.  */
  [M3] = { .cr = 0x400, .idr = 0x4114f250, .ccer = 0x18541800,
	   .is_m = true },
  /* Original branches, 64-bit timestamps, Hyp mode.  */
  [A7] = { .cr = 0x400, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [A8] = { .cr = 0x400, .idr = 0x410cf230, .ccer = 0x000008f2 },
  [CA] = { .cr = 0x1400, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [CID4] = { .cr = 0xc400, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [CID1] = { .cr = 0x5400, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [DATA] = { .cr = 0x40c, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [ADDRESSES] = { .cr = 0x408, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [VALUES] = { .cr = 0x404, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [ONLY] = { .cr = 0x10040c, .idr = 0x410cf250, .ccer = 0x344008f2 },
  [V30] = { .cr = 0x400, .idr = 0x4104f200, .ccer = 0 },
};

static const struct
{
  enum unit unit;
  const char *bytes;
  const char *want;		/* Size, type, contents; "-": it goes on.  */
} table[] =
{
  /* Branches.  The field is the address without the bits that the ISA makes
     zero.  */
  { M3, "41", "1 branch 0x20/6" },
  { M3, "c1", "-" },
  { M3, "c120", "2 branch 0x820/12" },
  { M3, "c1a001", "3 branch 0x2820/19" },
  { M3, "c1a08102", "4 branch 0x202820/26" },
  { M3, "c1a0818218", "5 branch 0x40202820/31 T32" },
  { A7, "c12001", "2 branch 0x820/13" },
  { A7, "c1a0818208", "5 branch 0x202820/30 A32" },
  { A7, "c1a081820d", "5 branch 0x28202820/30 A32" },
  { A7, "c1a0818231", "5 branch 0x88202820/32 ?" },
  /* ... with exceptions.  */
  { M3, "c162", "-" },
  { M3, "c1621e", "3 branch 0x8a0/12 x15 S" },
  { M3, "c1623e", "3 branch 0x8a0/12 x15 S cancel" },
  { M3, "c1629e01", "4 branch 0x8a0/12 x31 S" },
  { M3, "c1629e47", "4 branch 0x8a0/12 x15 S resume7" },
  { M3, "c1629e8143", "5 branch 0x8a0/12 x31 S resume3" },
  { M3, "c1a0c1", "-" },
  { M3, "c1a0414c", "4 branch 0x2820/19 x6 S alt" },
  { A7, "c1a081824814", "6 branch 0x202820/30 A32 x10 S" },
  { A7, "c1a08182481d", "6 branch 0x202820/30 A32 x14 N" },
  { A7, "c1a081825801", "6 branch 0x40202820/31 T32 x0 N" },
  { A7, "c1a08182489f20", "7 branch 0x202820/30 A32 x15 N hyp" },
  { A7, "c1a08182489f00", "7 branch 0x202820/30 A32 x15 N nohyp" },
  /* ... in the fifth byte: IRQ, FIQ with cancel, debug.  */
  { V30, "c1a0818288", "5 branch 0x202820/30 A32 x14 S" },
  { V30, "c1a08182e9", "5 branch 0x8202820/30 A32 x15 S cancel" },
  { V30, "c1a08182b8", "5 branch 0x202820/30 A32 x1 S" },
  /* P-headers; the oldest atom first.  */
  { M3, "80", "1 atoms" },
  { M3, "84", "1 atoms E" },
  { M3, "bc", "1 atoms EEEEEEEEEEEEEEE" },
  { M3, "c0", "1 atoms N" },
  { M3, "c8", "1 atoms EEN" },
  { M3, "82", "1 atoms EE" },
  { M3, "86", "1 atoms EN" },
  { M3, "8a", "1 atoms NE" },
  { M3, "8e", "1 atoms NN" },
  { M3, "92", "1 bad" },
  { M3, "a2", "1 bad" },
  { M3, "c2", "1 bad" },
  { CA, "80", "1 atoms 1" },
  { CA, "84", "1 atoms E 1+1" },
  { CA, "dc", "1 atoms EEEEEEEN 1+1" },
  { CA, "8a", "1 atoms NE 1+0" },
  { CA, "a0", "1 atoms 1" },
  { CA, "bc", "1 atoms 8" },
  { CA, "e8", "1 atoms E 3+0" },
  { CA, "92", "1 atoms E 0+0" },
  { CA, "96", "1 atoms N 0+0" },
  { CA, "9a", "1 bad" },
  { CA, "b2", "1 bad" },
  { CA, "a2", "1 bad" },
  /* Synchronisation.  */
  { M3, "000000000080", "6 async" },
  { M3, "00000000000080", "7 async" },
  { M3, "0000000080", "5 bad" },
  { M3, "000001", "3 bad" },
  { M3, "0000", "-" },
  { M3, "082101010040", "6 isync 1 0x40000100 T32 S" },
  { M3, "0801010100", "-" },
  { A7, "0868001004c0", "6 isync 3 0xc0041000 A32 N" },
  { A7, "0826011004c0", "6 isync 1 0xc0041000 T32EE S hyp" },
  { A8, "0826011004c0", "6 isync 1 0xc0041000 T32EE S" },
  { V30, "0825011004c0", "6 isync 1 0xc0041000 T32 S" },
  { A7, "0831031004c0", "6 isync 1 0xc0041003 ? S" },
  { CID4, "087856341241011004c0", "10 isync 2 0xc0041000 T32 S id0x12345678" },
  { CID1, "087f21011004c0", "7 isync 1 0xc0041000 T32 S id0x7f" },
  { CA, "708f1e21011004c0", "8 isync 1 0xc0041000 T32 S 3855" },
  { CA, "70ffffffff0f21011004c0", "11 isync 1 0xc0041000 T32 S 4294967295" },
  { CA, "708f", "-" },
  /* A load or store in progress; the second address is like a branch.  */
  { A7, "08a1011004c021", "7 isync 1 0xc0041000 T32 S then 0x10/6" },
  { A7, "08a1011004c0", "-" },
  { ONLY, "0821", "2 isync 1 none S" },
  /* What else there is.  */
  { CA, "048001", "3 cycles 128" },
  { CA, "0400", "2 cycles 0" },
  { CA, "04ff", "-" },
  { CA, "04ffffffff7f", "6 cycles 4294967295" },
  { M3, "0c", "1 trigger" },
  { M3, "66", "1 ignore" },
  { M3, "3c42", "2 vmid 0x42" },
  { CID4, "6e78563412", "5 cid 0x12345678" },
  { CID1, "6e78", "2 cid 0x78" },
  { M3, "6e", "1 cid none" },
  { M3, "4205", "2 time 0x5/7" },
  { M3, "4685ff7f", "4 time 0x1fff85/21" },
  { M3, "42ffffffffffff3f", "8 time 0xffffffffffff/48" },
  { M3, "42ffffffffffffff", "8 time 0xffffffffffff/48" },
  { A7, "42ffffffffffffffffff", "10 time 0xffffffffffffffff/64" },
  { A7, "42ffffffffffffffff80", "10 time 0x80ffffffffffffff/64" },
  { M3, "4280", "-" },
  { M3, "76", "1 return" },
  { M3, "7e", "1 entry" },
  /* Data.  */
  { DATA, "02", "1 data 0:0x0" },
  { DATA, "0655", "2 data 1:0x55" },
  { DATA, "0a5566", "3 data 2:0x6655" },
  { DATA, "0e55667788", "5 data 4:0x88776655" },
  { DATA, "0e556677", "-" },
  { DATA, "2e8410", "-" },
  { DATA, "2e841055667788", "7 data @0x804/14 4:0x88776655" },
  { DATA, "22ffffffff1f", "6 data @0xffffffff/32 BE 0:0x0" },
  { DATA, "22ffffffff0f", "6 data @0xffffffff/32 LE 0:0x0" },
  { ADDRESSES, "2e8410", "3 data @0x804/14" },
  { ADDRESSES, "0e", "1 data" },
  { VALUES, "2655", "2 data 1:0x55" },
  { DATA, "2c55667788", "5 late1 4:0x88776655" },
  { DATA, "60", "1 late3 0:0x0" },
  { ADDRESSES, "2c", "1 bad" },
  { DATA, "54", "1 later1" },
  { DATA, "7c05", "2 later3 @0x5/7" },
  { VALUES, "7c", "1 later3" },
  { DATA, "6a", "1 left" },
  { DATA, "7a05", "2 left @0x5/7" },
  { DATA, "62", "1 suppressed" },
  { DATA, "50", "1 failed" },
  /* Without data trace, and what is reserved.  */
  { M3, "02", "1 bad" },
  { M3, "2c", "1 bad" },
  { M3, "50", "1 bad" },
  { M3, "54", "1 bad" },
  { M3, "62", "1 bad" },
  { M3, "6a", "1 bad" },
  { DATA, "12", "1 bad" },
  { DATA, "10", "1 bad" },
  { DATA, "30", "1 bad" },
  { DATA, "4a", "1 bad" },
  { DATA, "5e", "1 bad" },
};

static const char *const names[] =
{
  [TB_ETMV3_BAD] = "bad", [TB_ETMV3_BRANCH] = "branch",
  [TB_ETMV3_P_HEADER] = "atoms", [TB_ETMV3_ASYNC] = "async",
  [TB_ETMV3_ISYNC] = "isync", [TB_ETMV3_ISYNC_CYCLES] = "isync+",
  [TB_ETMV3_CYCLES] = "cycles", [TB_ETMV3_TRIGGER] = "trigger",
  [TB_ETMV3_IGNORE] = "ignore", [TB_ETMV3_CONTEXT_ID] = "cid",
  [TB_ETMV3_VMID] = "vmid", [TB_ETMV3_TIMESTAMP] = "time",
  [TB_ETMV3_EXCEPTION_ENTRY] = "entry", [TB_ETMV3_EXCEPTION_RETURN] = "return",
  [TB_ETMV3_DATA] = "data", [TB_ETMV3_DATA_LATE] = "late",
  [TB_ETMV3_DATA_PLACEHOLDER] = "later", [TB_ETMV3_DATA_NOT_TRACED] = "left",
  [TB_ETMV3_DATA_SUPPRESSED] = "suppressed", [TB_ETMV3_STORE_FAILED] = "failed"
};

static const char *
isa_name (unsigned isa)
{
  return tb_isa_name ((enum tb_isa) isa);
}

static void
put_address (struct tb_buffer *b, const struct tb_v7_address *a)
{
  tb_buffer_printf (b, " 0x%" PRIx32 "/%u", a->field, a->bits);
  if (a->full)
    tb_buffer_printf (b, " %s", isa_name (a->isa));
}

static void
put_atoms (struct tb_buffer *b, const struct tb_etmv3_header *h, bool cycles)
{
  if (h->natoms > 0)
    tb_buffer_printf (b, " ");
  for (unsigned i = 0; i < h->natoms; i++)
    tb_buffer_printf (b, "%c", h->atoms >> i & 1 ? 'E' : 'N');
  if (cycles && h->natoms > 0)
    tb_buffer_printf (b, " %u+%u", h->first_cycles, h->more_cycles);
  else if (cycles)
    tb_buffer_printf (b, " %u", h->first_cycles);
}

static void
put_data (struct tb_buffer *b, const struct tb_etmv3_packet *p)
{
  if (p->data.address_bits > 0)
    tb_buffer_printf (b, " @0x%" PRIx32 "/%u", p->data.address,
		      p->data.address_bits);
  if (p->data.has_endianness)
    tb_buffer_printf (b, p->data.big_endian ? " BE" : " LE");
  if (p->data.has_value)
    tb_buffer_printf (b, " %u:0x%" PRIx32, p->data.value_bytes, p->data.value);
}

static void
describe (struct tb_buffer *b, const struct tb_etmv3_packet *p, size_t size,
	  bool cycle_accurate)
{
  if (size == 0)
    {
      tb_buffer_printf (b, "-");
      return;
    }
  tb_buffer_printf (b, "%u %s", (unsigned) size, names[p->type]);
  if (p->tag != 0)
    tb_buffer_printf (b, "%u", p->tag);
  switch (p->type)
    {
    case TB_ETMV3_BRANCH:
      put_address (b, &p->address);
      if (!p->has_exception)
	break;
      tb_buffer_printf (b, " x%u %c", p->exception.number,
			p->exception.nonsecure ? 'N' : 'S');
      if (p->exception.cancel)
	tb_buffer_printf (b, " cancel");
      if (p->exception.alternative)
	tb_buffer_printf (b, " alt");
      if (p->exception.has_hyp && p->exception.number < 16)
	tb_buffer_printf (b, p->exception.hyp ? " hyp" : " nohyp");
      if (p->exception.resume != 0)
	tb_buffer_printf (b, " resume%u", p->exception.resume);
      break;
    case TB_ETMV3_P_HEADER:
      put_atoms (b, &p->atoms, cycle_accurate);
      break;
    case TB_ETMV3_ISYNC:
      tb_buffer_printf (b, " %u ", p->reason);
      if (p->has_address)
	tb_buffer_printf (b, "0x%" PRIx64 " %s", p->value, isa_name (p->isa));
      else
	tb_buffer_printf (b, "none");
      tb_buffer_printf (b, p->nonsecure ? " N" : " S");
      if (p->hyp)
	tb_buffer_printf (b, " hyp");
      if (p->has_id)
	tb_buffer_printf (b, " id0x%" PRIx32, p->id);
      if (p->has_cycles)
	tb_buffer_printf (b, " %" PRIu32, p->cycles);
      if (p->in_progress)
	{
	  tb_buffer_printf (b, " then");
	  put_address (b, &p->address);
	}
      break;
    case TB_ETMV3_CYCLES:
      tb_buffer_printf (b, " %" PRIu32, p->cycles);
      break;
    case TB_ETMV3_CONTEXT_ID:
    case TB_ETMV3_VMID:
      if (p->has_id)
	tb_buffer_printf (b, " 0x%" PRIx32, p->id);
      else
	tb_buffer_printf (b, " none");
      break;
    case TB_ETMV3_TIMESTAMP:
      tb_buffer_printf (b, " 0x%" PRIx64 "/%u", p->value, p->value_bits);
      break;
    default:
      put_data (b, p);
      break;
    }
}

/* Packets are as long as they say with anything behind them, too; and never
   more than the greatest length.  */
static void
check_row (size_t i)
{
  struct tb_etmv3_table packets;
  struct tb_etmv3_packet p, longer;
  struct tb_buffer text = { 0 };
  uint8_t bytes[2 * TB_ETMV3_PACKET_MAX];
  const struct tb_v7_settings *unit = &units[table[i].unit];

  tb_etmv3_table_init (&packets, unit);
  size_t length = v7_bytes (bytes, sizeof bytes, table[i].bytes);
  size_t size = tb_etmv3_packet_read (&packets, bytes, length, &p);
  describe (&text, &p, size, tb_v7_cycle_accurate (unit));
  tb_buffer_append (&text, "", 1);
  check_str ((const char *) text.data, table[i].want, table[i].bytes, (int) i,
	     "packet");
  tb_buffer_fini (&text);
  if (size == 0)
    {
      memset (bytes + length, 0xff, sizeof bytes - length);
      CHECK (tb_etmv3_packet_read (&packets, bytes, sizeof bytes, &longer)
	     != 0);
      CHECK (tb_etmv3_packet_read (&packets, bytes, TB_ETMV3_PACKET_MAX,
				   &longer) != 0);
      return;
    }
  memset (bytes + length, 0xa5, sizeof bytes - length);
  CHECK_INT (tb_etmv3_packet_read (&packets, bytes, sizeof bytes, &longer),
	     size);
  CHECK (memcmp (&p, &longer, sizeof p) == 0);
  for (size_t n = 1; n < size && p.type != TB_ETMV3_BAD; n++)
    CHECK_INT (tb_etmv3_packet_read (&packets, bytes, n, &longer), 0);
}

/* Every header byte, whatever follows, is read within the bounds.  */
static void
check_all_headers (void)
{
  for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
    {
      struct tb_etmv3_table packets;
      tb_etmv3_table_init (&packets, &units[u]);
      for (unsigned fill = 0; fill < 256; fill += 51)
	for (unsigned header = 0; header < 256; header++)
	  {
	    uint8_t bytes[TB_ETMV3_PACKET_MAX];
	    struct tb_etmv3_packet p;
	    memset (bytes, (int) fill, sizeof bytes);
	    bytes[0] = (uint8_t) header;
	    size_t size = tb_etmv3_packet_read (&packets, bytes, sizeof bytes,
						&p);
	    CHECK (size > 0 && size <= TB_ETMV3_PACKET_MAX);
	  }
    }
}

int
main (void)
{
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    check_row (i);
  check_all_headers ();
  return check_done ();
}
