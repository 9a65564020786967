/* Tests of reading PTM packets: every type, bytes to contents.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "decode/ptm/packet.h"
#include "v7-run.h"

/* How trace units differ: ETMCR, ETMIDR, ETMCCER.  */
enum unit { A15, A9, CA, CID4, CID2, CA_CID };

static const struct tb_v7_settings units[] =
{
  /* 64-bit timestamps, Hyp mode.  */
  [A15] = { .cr = 0x400, .idr = 0x411cf312, .ccer = 0x34c01ac2,
	    .is_ptm = true },
  /* PFTv1.0: 48-bit timestamps whatever ETMCCER has there.  */
  [A9] = { .cr = 0x400, .idr = 0x411cf302, .ccer = 0x20c019a2,
	   .is_ptm = true },
  [CA] = { .cr = 0x1400, .idr = 0x411cf312, .ccer = 0x34c01ac2,
	   .is_ptm = true },
  [CID4] = { .cr = 0xc400, .idr = 0x411cf312, .ccer = 0x34c01ac2,
	     .is_ptm = true },
  [CID2] = { .cr = 0x8400, .idr = 0x411cf312, .ccer = 0x34c01ac2,
	     .is_ptm = true },
  [CA_CID] = { .cr = 0xd400, .idr = 0x411cf312, .ccer = 0x34c01ac2,
	       .is_ptm = true },
};

static const struct
{
  enum unit unit;
  const char *bytes;
  const char *want;		/* Size, type, contents; "-": it goes on.  */
} table[] =
{
  /* Atoms; the oldest first.  */
  { A15, "80", "1 atoms E" },
  { A15, "82", "1 atoms N" },
  { A15, "84", "1 atoms E" },
  { A15, "88", "1 atoms EE" },
  { A15, "8a", "1 atoms EN" },
  { A15, "8c", "1 atoms NE" },
  { A15, "90", "1 atoms EEE" },
  { A15, "92", "1 atoms EEN" },
  { A15, "98", "1 atoms NEE" },
  { A15, "a2", "1 atoms EEEN" },
  { A15, "be", "1 atoms NNNN" },
  { A15, "c0", "1 atoms EEEEE" },
  { A15, "c2", "1 atoms EEEEN" },
  { A15, "e0", "1 atoms NEEEE" },
  { A15, "fe", "1 atoms NNNNN" },
  { CA, "80", "1 atoms E +0" },
  { CA, "be", "1 atoms N +15" },
  { CA, "c401", "2 atoms E +17" },
  { CA, "c48102", "3 atoms E +4113" },
  { CA, "c4ffffffff", "5 atoms E +4294967281" },
  { CA, "c4", "-" },
  /* Branches.  */
  { A15, "41", "1 branch 0x20/6" },
  { A15, "c120", "2 branch 0x820/12" },
  { A15, "c1a001", "3 branch 0x2820/19" },
  { A15, "c1a08102", "4 branch 0x202820/26" },
  { A15, "c1a0818208", "5 branch 0x202820/30 A32" },
  { A15, "c1a0818218", "5 branch 0x40202820/31 T32" },
  { A15, "c1a0818231", "5 branch 0x88202820/32 ?" },
  { A15, "c160", "-" },
  { A15, "c1601c", "3 branch 0x820/12 x14 S" },
  { A15, "c1601d", "3 branch 0x820/12 x14 N" },
  { A15, "c1609f20", "4 branch 0x820/12 x15 N hyp" },
  { A15, "c160c100", "4 branch 0x820/12 x0 N alt nohyp" },
  { A15, "c1a08182481c", "6 branch 0x202820/30 A32 x14 S" },
  { CA, "41", "-" },
  { CA, "4108", "2 branch 0x20/6 +2" },
  { CA, "c1601c4801", "5 branch 0x820/12 x14 S +18" },
  { CA, "c1a081824802ffffffff7f",
    "11 branch 0x202820/30 A32 x1 S +4294967295" },
  /* Waypoint updates; bit 6 does not announce anything before byte five.  */
  { A15, "7241", "2 update 0x20/6" },
  { A15, "72c160", "3 update 0x820/12" },
  { A15, "72c1a0818208", "6 update 0x202820/30 A32" },
  { A15, "72c1a0818258", "-" },
  { A15, "72c1a081825840", "7 update 0x40202820/31 T32 alt" },
  { A15, "72c1a081825800", "7 update 0x40202820/31 T32 noalt" },
  { CA, "7241", "2 update 0x20/6" },
  /* Synchronisation.  */
  { A15, "000000000080", "6 async" },
  { A15, "0000000000000080", "8 async" },
  { A15, "0000000080", "5 bad" },
  { A15, "0002", "2 bad" },
  { A15, "0000", "-" },
  { A15, "080010004021", "6 isync 1 0x40001000 A32 S" },
  { A15, "080110004049", "6 isync 2 0x40001000 T32 N" },
  { A15, "080110004067", "6 isync 3 0x40001000 T32EE S hyp" },
  { A9, "080110004063", "6 isync 3 0x40001000 T32 S" },
  { A15, "0801100040", "-" },
  { CID4, "08001000402178563412", "10 isync 1 0x40001000 A32 S id0x12345678" },
  { CID2, "0800100040217856", "8 isync 1 0x40001000 A32 S id0x5678" },
  { CA, "080010004001", "6 isync 0 0x40001000 A32 S" },
  { CA, "08001000402104", "7 isync 1 0x40001000 A32 S +1" },
  { CA_CID, "080010004021ffffffff7f78563412",
    "15 isync 1 0x40001000 A32 S id0x12345678 +4294967295" },
  { CA_CID, "08001000400178563412",
    "10 isync 0 0x40001000 A32 S id0x12345678" },
  /* What else there is.  */
  { A15, "0c", "1 trigger" },
  { A15, "66", "1 ignore" },
  { A15, "76", "1 return" },
  { A15, "3c42", "2 vmid 0x42" },
  { CID4, "6e78563412", "5 cid 0x12345678" },
  { CID2, "6e7856", "3 cid 0x5678" },
  { A15, "6e", "1 cid none" },
  { A15, "4205", "2 time 0x5/7" },
  { A15, "4685ff7f", "4 time 0x1fff85/21" },
  { A15, "42ffffffffffffffff80", "10 time 0x80ffffffffffffff/64" },
  { A9, "42ffffffffffff3f", "8 time 0xffffffffffff/48" },
  { A9, "42ffffffffffffff", "8 time 0xffffffffffff/48" },
  { CA, "4205", "-" },
  { CA, "420508", "3 time 0x5/7 +2" },
  { CA, "42ffffffffffffffff80ffffffff7f",
    "15 time 0x80ffffffffffffff/64 +4294967295" },
  /* Reserved.  */
  { A15, "02", "1 bad" },
  { A15, "04", "1 bad" },
  { A15, "70", "1 bad" },
  { A15, "7e", "1 bad" },
  { A15, "50", "1 bad" },
};

static const char *const names[] =
{
  [TB_PTM_BAD] = "bad", [TB_PTM_ATOM] = "atoms", [TB_PTM_BRANCH] = "branch",
  [TB_PTM_WAYPOINT_UPDATE] = "update", [TB_PTM_ASYNC] = "async",
  [TB_PTM_ISYNC] = "isync", [TB_PTM_TRIGGER] = "trigger",
  [TB_PTM_IGNORE] = "ignore", [TB_PTM_CONTEXT_ID] = "cid",
  [TB_PTM_VMID] = "vmid", [TB_PTM_TIMESTAMP] = "time",
  [TB_PTM_EXCEPTION_RETURN] = "return"
};

static void
put_address (struct tb_buffer *b, const struct tb_ptm_packet *p)
{
  const struct tb_v7_address *a = &p->address;

  tb_buffer_printf (b, " 0x%" PRIx32 "/%u", a->field, a->bits);
  if (a->full)
    tb_buffer_printf (b, " %s", tb_isa_name ((enum tb_isa) a->isa));
  if (p->has_alternative)
    tb_buffer_printf (b, p->alternative ? " alt" : " noalt");
  if (!p->has_exception)
    return;
  tb_buffer_printf (b, " x%u %c", p->exception.number,
		    p->exception.nonsecure ? 'N' : 'S');
  if (p->exception.alternative)
    tb_buffer_printf (b, " alt");
  if (p->exception.has_hyp)
    tb_buffer_printf (b, p->exception.hyp ? " hyp" : " nohyp");
}

static void
describe (struct tb_buffer *b, const struct tb_ptm_packet *p, size_t size)
{
  if (size == 0)
    {
      tb_buffer_printf (b, "-");
      return;
    }
  tb_buffer_printf (b, "%u %s", (unsigned) size, names[p->type]);
  switch (p->type)
    {
    case TB_PTM_ATOM:
      tb_buffer_printf (b, " ");
      for (unsigned i = 0; i < p->natoms; i++)
	tb_buffer_printf (b, "%c", p->atoms >> i & 1 ? 'E' : 'N');
      break;
    case TB_PTM_BRANCH:
    case TB_PTM_WAYPOINT_UPDATE:
      put_address (b, p);
      break;
    case TB_PTM_ISYNC:
      tb_buffer_printf (b, " %u 0x%" PRIx64 " %s %c", p->reason, p->value,
			tb_isa_name ((enum tb_isa) p->isa),
			p->nonsecure ? 'N' : 'S');
      if (p->hyp)
	tb_buffer_printf (b, " hyp");
      if (p->has_id)
	tb_buffer_printf (b, " id0x%" PRIx32, p->id);
      break;
    case TB_PTM_CONTEXT_ID:
    case TB_PTM_VMID:
      if (p->has_id)
	tb_buffer_printf (b, " 0x%" PRIx32, p->id);
      else
	tb_buffer_printf (b, " none");
      break;
    case TB_PTM_TIMESTAMP:
      tb_buffer_printf (b, " 0x%" PRIx64 "/%u", p->value, p->value_bits);
      break;
    default:
      break;
    }
  if (p->has_cycles)
    tb_buffer_printf (b, " +%" PRIu32, p->cycles);
}

/* Packets are as long as they say with anything behind them, too; and never
   more than the greatest length.  */
static void
check_row (size_t i)
{
  struct tb_ptm_table packets;
  struct tb_ptm_packet p, longer;
  struct tb_buffer text = { 0 };
  uint8_t bytes[2 * TB_PTM_PACKET_MAX];

  tb_ptm_table_init (&packets, &units[table[i].unit]);
  size_t length = v7_bytes (bytes, sizeof bytes, table[i].bytes);
  size_t size = tb_ptm_packet_read (&packets, bytes, length, &p);
  describe (&text, &p, size);
  tb_buffer_append (&text, "", 1);
  check_str ((const char *) text.data, table[i].want, table[i].bytes, (int) i,
	     "packet");
  tb_buffer_fini (&text);
  if (size == 0)
    {
      memset (bytes + length, 0xff, sizeof bytes - length);
      CHECK (tb_ptm_packet_read (&packets, bytes, TB_PTM_PACKET_MAX, &longer)
	     != 0);
      return;
    }
  memset (bytes + length, 0xa5, sizeof bytes - length);
  CHECK_INT (tb_ptm_packet_read (&packets, bytes, sizeof bytes, &longer),
	     size);
  CHECK (memcmp (&p, &longer, sizeof p) == 0);
  for (size_t n = 1; n < size && p.type != TB_PTM_BAD; n++)
    CHECK_INT (tb_ptm_packet_read (&packets, bytes, n, &longer), 0);
}

/* Every header byte, whatever follows, is read within the bounds.  */
static void
check_all_headers (void)
{
  for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
    {
      struct tb_ptm_table packets;
      tb_ptm_table_init (&packets, &units[u]);
      for (unsigned fill = 0; fill < 256; fill += 51)
	for (unsigned header = 0; header < 256; header++)
	  {
	    uint8_t bytes[TB_PTM_PACKET_MAX];
	    struct tb_ptm_packet p;
	    memset (bytes, (int) fill, sizeof bytes);
	    bytes[0] = (uint8_t) header;
	    size_t size = tb_ptm_packet_read (&packets, bytes, sizeof bytes,
					      &p);
	    CHECK (size > 0 && size <= TB_PTM_PACKET_MAX);
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
