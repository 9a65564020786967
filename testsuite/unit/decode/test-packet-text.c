/* Tests of the text of packets, as --format=packets lists them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "decode/decoder.h"
#include "decode/etmv3/packet.h"
#include "decode/etmv4/packet.h"
#include "decode/itm/packet.h"
#include "decode/mtb/mtb.h"
#include "decode/ptm/packet.h"
#include "decode/stm/packet.h"

#define BYTES(...) { __VA_ARGS__ }, sizeof (uint8_t[]) { __VA_ARGS__ }

/* A packet's bytes, and its type and fields.  */
struct row
{
  uint8_t bytes[24];
  size_t length;
  const char *text;
};

/* Cycle-accurate, with context IDs, data addresses and values; the alternative form
   of branches.  */
static const struct tb_v7_settings etmv3_unit
  = { .cr = 0xc | 1 << 12 | 3 << 14, .idr = 0x4114f250, .ccer = 1 << 28 };
static const struct tb_v7_settings ptm_unit
  = { .cr = 1 << 12 | 3 << 14, .idr = 0x411cf312, .ccer = 0x34c01ac2,
      .is_ptm = true };

static const struct row etmv3[] =
{
  { BYTES (0, 0, 0, 0, 0, 0x80), "A-sync" },
  { BYTES (0x08, 0x78, 0x56, 0x34, 0x12, 0x29, 0x01, 0x80, 0, 0),
    "I-sync reason=trace-on address=0x8000 isa=T32 nonsecure=1 cid=0x12345678" },
  { BYTES (0x70, 0x05, 0, 0, 0, 0, 0x41, 0, 0x80, 0, 0),
    "I-sync reason=overflow address=0x8000 isa=A32 nonsecure=0 cid=0x0 cycles=5" },
  { BYTES (0x94), "P-header atoms=EEEEE cycles=1 each=1" },
  { BYTES (0xc4), "P-header atoms=EN cycles=1 each=1" },
  { BYTES (0x80), "P-header cycles=1" },
  { BYTES (0x05), "Branch address field=0x2 bits=6" },
  { BYTES (0x04, 0x07), "Cycle count cycles=7" },
  { BYTES (0x0c), "Trigger" },
  { BYTES (0x6e, 1, 0, 0, 0), "Context ID cid=0x1" },
  { BYTES (0x3c, 9), "VMID vmid=0x9" },
  { BYTES (0x42, 0x81, 0x01), "Timestamp value=0x81 bits=14" },
  { BYTES (0x2e, 0x84, 0x01, 1, 2, 3, 4),
    "Normal data address=0x84 bits=14 value=0x4030201 bytes=4" },
  { BYTES (0x02), "Normal data value=0x0 bytes=0" },
  { BYTES (0x28, 0x11, 0x22), "Out-of-order data tag=1 value=0x2211 bytes=2" },
  { BYTES (0x78, 0x10), "Out-of-order placeholder tag=2 address=0x10 bits=7" },
  { BYTES (0x6a), "Value not traced" },
  { BYTES (0x62), "Data suppressed" },
  { BYTES (0x16), "Reserved header=0x16 (expected that of a packet)" },
};

static const struct row ptm[] =
{
  { BYTES (0x08, 0x83, 0x8d, 0x01, 0xc0, 0x01, 1, 0, 0, 0),
    "I-sync reason=periodic address=0xc0018d82 isa=T32 nonsecure=0 cid=0x1" },
  { BYTES (0xe8, 0x20), "Atom atoms=E cycles=522" },
  { BYTES (0xde, 0x01), "Atom atoms=N cycles=23" },
  { BYTES (0x21, 0), "Branch address field=0x10 bits=6 cycles=0" },
  { BYTES (0x81, 0x80, 0x80, 0x80, 0x4c, 0x10, 0x04),
    "Branch address address=0x80000000 isa=A32 exception=8 nonsecure=0 cycles=1" },
  { BYTES (0x76), "Exception return" },
};

static const struct tb_etmv4_config etmv4_unit
  = { .configr = 1, .idr0 = 0x28018ea1, .idr2 = 0x1088, .version = 0x46,
      .is_v8 = true };
static const struct tb_etmv4_config ete_unit
  = { .configr = 1, .idr0 = 0x2881cea1, .idr2 = 0xd0001088, .version = 0x53,
      .is_v8 = true };

static const struct row etmv4[] =
{
  { BYTES (0x01, 0x0c, 0x05, 0x06), "Trace Info speculation=5 threshold=6" },
  { BYTES (0x02, 0x81, 0x01), "Timestamp value=0x81 given=14" },
  { BYTES (0x06, 0x1c), "Exception number=14" },
  { BYTES (0x80), "Context same" },
  { BYTES (0x81, 0xf1, 1, 0, 0, 0, 2, 0, 0, 0),
    "Context el=1 ns=1 bits=64 vmid=0x1 cid=0x2" },
  { BYTES (0x95, 0x91, 0x02), "Short Address low=0x444 given=17 is=0" },
  { BYTES (0x9e, 1, 2, 3, 4, 5, 6, 7, 8),
    "64-bit Long Address address=0x807060504030202 given=64 is=1" },
  { BYTES (0x92), "Exact Match Address entry=2" },
  { BYTES (0xfe), "Atom atoms=NEE" },
  { BYTES (0xe1), "Atom atoms=EEEEN" },
  { BYTES (0x2d, 0x03), "Commit commit=3" },
  { BYTES (0x36), "Cancel 2 cancel=1 atoms=EE" },
  { BYTES (0x33), "Mispredict atoms=N" },
  { BYTES (0x0e, 0x07), "Cycle Count 1 cycles=7 +threshold" },
  { BYTES (0x73), "Event events=0x3" },
  { BYTES (0xa1, 0x05), "Q count=5 entry=1" },
  { BYTES (0xaf), "Q" },
  { BYTES (0xb3), "Reserved header=0xb3 (expected that of a packet)" },
  { BYTES (0x00, 0x07),
    "Reserved header=0x0 (expected the rest of an extension packet behind it)" },
  { BYTES (0x2d, 0x81, 0x81, 0x81, 0x81, 0x81, 0x01),
    "Reserved header=0x2d (expected the rest of Commit behind it)" },
};

static const struct tb_etmv4_config conditional_unit
  = { .configr = 0x701, .idr0 = 0x28000ee1, .idr2 = 0x488, .version = 0x42,
      .is_v8 = true };

static const struct row conditional[] =
{
  { BYTES (0x6c, 0x81, 0x02), "Conditional Instruction 1 key=257" },
  { BYTES (0x42), "Conditional Instruction 2 ci=2" },
  { BYTES (0x6d, 0x0b), "Conditional Instruction 3 num=5 z=1" },
  { BYTES (0x43), "Conditional Flush" },
  { BYTES (0x6a, 0x21, 0x93, 0x04),
    "Conditional Result 1 key=2 result=0x1 ci=0 key=33 result=0x3 ci=1" },
  { BYTES (0x6f, 0x1f), "Conditional Result 1 key=1 result=0xf ci=1" },
  { BYTES (0x4e), "Conditional Result 2 k=1 token=2" },
  { BYTES (0x5a, 0xff), "Conditional Result 3 tokens=0xaff" },
  { BYTES (0x45), "Conditional Result 4 token=1" },
};

static const struct row ete[] =
{
  { BYTES (0xb4, 0x11), "Short Source Address low=0x44 given=9 is=0" },
  { BYTES (0x09, 0x02, 1, 2, 3, 4, 5, 6, 7, 8),
    "Instrumentation el=2 value=0x807060504030201" },
  { BYTES (0x0a), "Transaction Start" },
};

static const struct row itm[] =
{
  { BYTES (0x19, 0xbb), "Instrumentation port=3 bytes=1 value=0xbb" },
  { BYTES (0x0e, 0x02, 0x10), "Hardware source discriminator=1 bytes=2 value=0x1002" },
  { BYTES (0x60), "Local timestamp delta=6 relation=ts-sync" },
  { BYTES (0xd0, 0x80, 0x01), "Local timestamp delta=128 relation=ts-delay" },
  { BYTES (0x94, 0x80, 0x80, 0x80, 0x60),
    "Global timestamp 1 low=0x0 given=26 wrapped clock-changed" },
  { BYTES (0xb4, 0x01), "Global timestamp 2 high=0x1" },
  { BYTES (0x18), "Stimulus port page page=1" },
  { BYTES (0x70), "Overflow" },
  { BYTES (0x04), "Reserved header=0x4 (expected that of a packet)" },
  { BYTES (0xc0, 0x81, 0x81, 0x81, 0x81),
    "Reserved header=0xc0 (expected the rest of Local timestamp behind it)" },
};

/* The packet that PACKET became.  */
static void
check_text (const struct tb_protocol *protocol, unsigned type,
	    const void *packet, const char *want)
{
  struct tb_buffer text = { 0 };
  tb_buffer_printf (&text, "%s", protocol->packet_names[type]);
  protocol->packet_text (&text, type, packet);
  tb_buffer_append (&text, "", 1);
  CHECK_STR (text.failed ? "no memory" : (const char *) text.data, want);
  tb_buffer_fini (&text);
}

#define ROWS(rows) for (const struct row *r = rows; \
			r < rows + sizeof rows / sizeof rows[0]; r++)

static void
test_v7 (void)
{
  struct tb_etmv3_table v3;
  struct tb_ptm_table pft;
  tb_etmv3_table_init (&v3, &etmv3_unit);
  tb_ptm_table_init (&pft, &ptm_unit);
  ROWS (etmv3)
    {
      struct tb_etmv3_packet p;
      size_t size = tb_etmv3_packet_read (&v3, r->bytes, r->length, &p);
      CHECK (p.type == TB_ETMV3_BAD || size == r->length);
      check_text (&tb_protocol_etmv3, p.type, &p, r->text);
    }
  ROWS (ptm)
    {
      struct tb_ptm_packet p;
      CHECK_INT (tb_ptm_packet_read (&pft, r->bytes, r->length, &p), r->length);
      check_text (&tb_protocol_ptm, p.type, &p, r->text);
    }
}

static void
test_etmv4 (void)
{
  struct tb_etmv4_table table;
  struct tb_etmv4_packet p;
  tb_etmv4_table_init (&table, &etmv4_unit);
  ROWS (etmv4)
    {
      size_t size = tb_etmv4_packet_read (&table, r->bytes, r->length, &p);
      CHECK (p.type == TB_ETMV4_BAD || size == r->length);
      check_text (&tb_protocol_etmv4, p.type, &p, r->text);
    }
  tb_etmv4_table_init (&table, &conditional_unit);
  ROWS (conditional)
    {
      CHECK_INT (tb_etmv4_packet_read (&table, r->bytes, r->length, &p), r->length);
      check_text (&tb_protocol_etmv4, p.type, &p, r->text);
    }
  tb_etmv4_table_init (&table, &ete_unit);
  ROWS (ete)
    {
      CHECK_INT (tb_etmv4_packet_read (&table, r->bytes, r->length, &p), r->length);
      check_text (&tb_protocol_etmv4, p.type, &p, r->text);
    }
}

static void
test_software (void)
{
  ROWS (itm)
    {
      struct tb_itm_packet p;
      size_t size = tb_itm_packet_read (r->bytes, r->length, &p);
      CHECK (p.type == TB_ITM_PACKET_BAD || size == r->length);
      check_text (&tb_protocol_itm, p.type, &p, r->text);
    }
  const struct tb_stm_packet d8 = { .data = 5, .bits = 8, .timed = true,
				    .timestamp = 0x77, .upper = true };
  check_text (&tb_protocol_stm, 2 * TB_STM_TYPES + 4 + 1, &d8,
	      "D8TS data=0x05 ts=0x77 upper-nibble");
  const struct tb_stm_packet bad = { .data = 0xf02, .bits = 12 };
  check_text (&tb_protocol_stm, 2 * TB_STM_BAD, &bad,
	      "Reserved opcode=0xf02 (expected that of a packet)");
  const struct tb_mtb_packet mtb = tb_mtb_packet_of (0x101, 0x203);
  check_text (&tb_protocol_mtb, 1, &mtb,
	      "Exception or debug (A) source=0x100 destination=0x202 a s");
}

/* Every type that has a name can be written where it has no fields set.  */
static void
test_all_types (void)
{
  static const union
  {
    struct tb_etmv3_packet v3;
    struct tb_etmv4_packet v4;
    struct tb_ptm_packet ptm;
    struct tb_itm_packet itm;
    struct tb_stm_packet stm;
    struct tb_mtb_packet mtb;
  } zero;
  const struct tb_protocol *protocol;
  for (size_t i = 0; (protocol = tb_protocol_number (i)) != NULL; i++)
    for (unsigned type = 0; type < protocol->npacket_types; type++)
      if (protocol->packet_names[type] != NULL)
	{
	  struct tb_buffer text = { 0 };
	  CHECK (protocol->packet_text != NULL);
	  protocol->packet_text (&text, type, &zero);
	  CHECK (!text.failed && (text.size == 0 || text.data[0] == ' '));
	  tb_buffer_fini (&text);
	}
}

int
main (void)
{
  test_v7 ();
  test_etmv4 ();
  test_software ();
  test_all_types ();
  return check_done ();
}
