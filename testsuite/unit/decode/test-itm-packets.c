/* Tests of the ITM decoder: bytes to elements, and what DWT packets say.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "sw-run.h"
#include "decode/itm/packet.h"

#define BYTES(...) { __VA_ARGS__ }, sizeof (uint8_t[]) { __VA_ARGS__ }

/* What comes after a sync packet, and the lines for it.  */
static const struct row
{
  const char *what;
  uint8_t bytes[24];
  size_t length;
  const char *text;
} rows[] =
{
  { "nothing", BYTES (0, 0, 0, 0, 0, 0x80), "" },
  { "stimulus port 3, a byte", BYTES (0x19, 0xbb),
    "I swit chan=0x3 bytes=1 data=0xbb\n" },
  { "two bytes", BYTES (0x02, 0x45, 0x23),
    "I swit chan=0x0 bytes=2 data=0x2345\n" },
  { "four bytes, the last port", BYTES (0xfb, 0x01, 0, 0, 0x67),
    "I swit chan=0x1f bytes=4 data=0x67000001\n" },
  { "pages of ports",
    BYTES (0x78, 0x09, 1, 0x08, 0x09, 2, 0x18, 0, 0, 0, 0, 0, 0x80, 0x09, 3),
    "I swit chan=0xe1 bytes=1 data=0x01\n"
    "I swit chan=0x1 bytes=1 data=0x02\n"
    "I swit chan=0x1 bytes=1 data=0x03\n" },
  { "extensions without a meaning",
    BYTES (0x1c, 0x88, 0x7f, 0x8c, 0xff, 0xff, 0xff, 0xff, 0x09, 1),
    "I swit chan=0x1 bytes=1 data=0x01\n" },
  { "overflow", BYTES (0x70, 0x01, 1, 0x01, 2),
    "I swit chan=0x0 bytes=1 data=0x01 overflow\n"
    "I swit chan=0x0 bytes=1 data=0x02\n" },
  { "local timestamps in the header", BYTES (0x10, 0x60),
    "I lts 1 ts-sync sum=1\nI lts 6 ts-sync sum=7\n" },
  { "local timestamps, late in each way",
    BYTES (0xc0, 0x01, 0xd0, 0x80, 0x01, 0xe0, 0x02, 0xf0, 0xff, 0xff, 0xff,
	   0x7f),
    "I lts 1 ts-sync sum=1\nI lts 128 ts-delay sum=129\n"
    "I lts 2 packet-delay sum=131\n"
    "I lts 268435455 ts-and-packet-delay sum=268435586\n" },
  { "overflow ends the sum", BYTES (0x20, 0x70, 0x30),
    "I lts 2 ts-sync sum=2\nI lts 3 ts-sync sum=3 overflow\n" },
  { "a global timestamp waits for its high bits",
    BYTES (0x94, 0x05, 0xb4, 0x81, 0x80, 0x80, 0x00, 0x94, 0x06, 0x94, 0x87,
	   0x01),
    "I gts 0x4000005\nI gts 0x4000006\nI gts 0x4000087\n" },
  { "all bits of a global timestamp",
    BYTES (0x94, 0xff, 0xff, 0xff, 0x1f, 0xb4, 0xff, 0xff, 0xff, 0xff, 0xff,
	   0x07),
    "I gts 0xffffffffffffffff\n" },
  { "high bits that changed",
    BYTES (0xb4, 0x81, 0x80, 0x80, 0x00, 0x94, 0x80, 0x80, 0x80, 0x40, 0x94,
	   0x01, 0xb4, 0x82, 0x80, 0x80, 0x00),
    "I gts 0x4000000\nI gts 0x8000001\n" },
  { "reserved headers",
    BYTES (0x04, 0x09, 1, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "a local timestamp with a header that is none",
    BYTES (0x90, 0x01, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "a local timestamp that is too long",
    BYTES (0xc0, 0x81, 0x81, 0x81, 0x81, 0x01, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "global timestamps that are too long",
    BYTES (0x94, 0x81, 0x81, 0x81, 0x81, 0x01, 0, 0, 0, 0, 0, 0x80, 0xb4,
	   0x81, 0x81, 0x81, 0x81, 0x81, 0x81, 0x01),
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n" },
  { "nothing is kept across a bad packet",
    BYTES (0x18, 0x70, 0x20, 0x70, 0x84, 0, 0, 0, 0, 0, 0x80, 0x09, 2, 0x10),
    "I lts 2 ts-sync sum=2 overflow\n"
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\nI lts 1 ts-sync sum=1\n" },
  { "a sync packet that is too short",
    BYTES (0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "a sync packet that is long",
    BYTES (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "a packet that is not whole takes zeros from the sync packet after it",
    BYTES (0x0b, 1, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "I swit chan=0x1 bytes=4 data=0x00000001\n"
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "... all but one",
    BYTES (0x0b, 0, 0, 0, 0, 0, 0x80, 0x09, 2),
    "I swit chan=0x1 bytes=4 data=0x00000000\n"
    "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
    "I swit chan=0x1 bytes=1 data=0x02\n" },
  { "the end within a packet", BYTES (0x09, 2, 0x0b, 1, 2, 3),
    "I swit chan=0x1 bytes=1 data=0x02\n" },
};

static void
test_rows (void)
{
  static const uint8_t sync[] = { 0, 0, 0, 0, 0, 0x80 };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct row *r = &rows[i];
      uint8_t bytes[sizeof sync + sizeof r->bytes];
      char text[512];
      unsigned before = check_failures;
      memcpy (bytes, sync, sizeof sync);
      memcpy (bytes + sizeof sync, r->bytes, r->length);
      snprintf (text, sizeof text, "Y init-decoder\n%sZ end-of-trace\n",
		r->text);
      sw_check ("ITM", 0, bytes, sizeof sync + r->length, text);
      if (check_failures != before)
	fprintf (stderr, "  in: %s\n", r->what);
    }
}

static void
test_ends (void)
{
  /* No byte: nothing that could be out of sync.  */
  sw_check ("ITM", 0, NULL, 0, "Z end-of-trace\n");
  static const uint8_t none[] = { 1, 2, 3, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0 };
  sw_check ("ITM", 0, none, sizeof none, "Y init-decoder\nZ end-of-trace\n");
  static const uint8_t overflow[] = { 0, 0, 0, 0, 0, 0x80, 0x70 };
  sw_check ("ITM", 0, overflow, sizeof overflow,
	    "Y init-decoder\nZ overflow\n");
}

/* TSPrescale: local timestamps count 64 ticks.  */
static void
test_prescaler (void)
{
  static const uint8_t bytes[] = { 0, 0, 0, 0, 0, 0x80, 0x20, 0x30 };
  sw_check ("ITM", 0x300, bytes, sizeof bytes,
	    "Y init-decoder\nI lts 2 ts-sync sum=128\n"
	    "I lts 3 ts-sync sum=320\nZ end-of-trace\n");
}

/* Zeros without end, then sync; the place and the counts of what follows.  */
static void
test_long_sync (void)
{
  enum { ZEROS = 5000 };
  static uint8_t bytes[6 + ZEROS + 3];
  bytes[5] = 0x80;
  bytes[6 + ZEROS] = 0x80;
  bytes[6 + ZEROS + 1] = 0x09;
  bytes[6 + ZEROS + 2] = 0x77;
  sw_check ("ITM", 0, bytes, sizeof bytes,
	    "Y init-decoder\nI swit chan=0x1 bytes=1 data=0x77\n"
	    "Z end-of-trace\n");
  struct sw_source source;
  struct tb_decoder *d = sw_open (&source, "ITM", 0, bytes, sizeof bytes);
  struct tb_element e[4];
  CHECK_INT (d->read (d, e, 4), 3);
  CHECK_INT (e[1].kind, TB_ELEMENT_ITM);
  CHECK_INT (e[1].index, 6 + ZEROS + 1);
  CHECK_INT (d->read (d, e, 4), 0);
  CHECK_INT (d->stats.bytes, sizeof bytes);
  CHECK_INT (d->stats.packets, 3);
  CHECK_INT (d->stats.syncs, 2);
  CHECK_INT (d->stats.skipped, 0);
  CHECK_INT (d->stats.bad_packets, 0);
  tb_decoder_close (d);
}

static const struct
{
  uint8_t id, bytes;
  uint32_t value;
  uint8_t dwt;
  uint16_t exception;
  uint8_t action, comparator;
  const char *words;
} meanings[] =
{
  { 0, 1, 0x15, TB_DWT_EVENTS, 0, 0, 0,
    "counters wrapped: CPI, sleep, folded" },
  { 0, 1, 0x41, TB_DWT_EVENTS, 0, 0, 0,
    "counters wrapped: CPI, reserved: 0x40" },
  { 0, 1, 0, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x00 of discriminator 0" },
  { 0, 1, 0x80, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x80 of discriminator 0" },
  { 0, 2, 0x15, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x0015 of discriminator 0" },
  { 1, 2, 0x1004, TB_DWT_EXCEPTION, 4, TB_DWT_ENTER, 0,
    "enter exception 4" },
  { 1, 2, 0x2123, TB_DWT_EXCEPTION, 0x123, TB_DWT_EXIT, 0,
    "exit exception 291" },
  { 1, 2, 0x3000, TB_DWT_EXCEPTION, 0, TB_DWT_RETURN, 0,
    "return to exception 0" },
  { 1, 2, 0xdf23, TB_DWT_EXCEPTION, 0x123, TB_DWT_ENTER, 0,
    "enter exception 291, reserved: 0xce00" },
  { 1, 2, 0x0003, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x0003 of discriminator 1" },
  { 1, 1, 0x10, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x10 of discriminator 1" },
  { 2, 4, 0x1000, TB_DWT_PC_SAMPLE, 0, 0, 0,
    "PC sample 0x1000" },
  { 2, 1, 0, TB_DWT_SLEEP, 0, 0, 0,
    "PC sample: asleep" },
  { 2, 1, 0xff, TB_DWT_PROHIBITED, 0, 0, 0,
    "PC sample: prohibited" },
  { 2, 1, 1, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x01 of discriminator 2" },
  { 2, 2, 0, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x0000 of discriminator 2" },
  { 3, 1, 0x81, TB_DWT_PMU_OVERFLOW, 0, 0, 0,
    "PMU counters overflowed: 0, 7" },
  { 3, 1, 0, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x00 of discriminator 3" },
  { 4, 4, 1, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x00000001 of discriminator 4" },
  { 7, 1, 1, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x01 of discriminator 7" },
  { 8, 4, 0x8000, TB_DWT_DATA_PC, 0, 0, 0,
    "comparator 0: PC 0x8000" },
  { 9, 2, 0x8000, TB_DWT_DATA_ADDRESS, 0, 0, 0,
    "comparator 0: address ends in 0x8000" },
  { 14, 1, 1, TB_DWT_DATA_MATCH, 0, 0, 3,
    "comparator 3: matched" },
  { 14, 1, 2, TB_DWT_DATA_PC, 0, 0, 3,
    "comparator 3: PC ends in 0x02" },
  { 10, 2, 0x8124, TB_DWT_DATA_PC, 0, 0, 1,
    "comparator 1: PC ends in 0x8124" },
  { 12, 1, 0, TB_DWT_DATA_PC, 0, 0, 2,
    "comparator 2: PC ends in 0x00" },
  { 14, 1, 3, TB_DWT_RESERVED, 0, 0, 3,
    "reserved: 0x03 of discriminator 14" },
  { 10, 2, 0x8125, TB_DWT_RESERVED, 0, 0, 1,
    "reserved: 0x8125 of discriminator 10" },
  { 13, 4, 0x20000000, TB_DWT_DATA_ADDRESS, 0, 0, 2,
    "comparator 2: address 0x20000000" },
  { 16, 1, 0x44, TB_DWT_DATA_READ, 0, 0, 0,
    "comparator 0: read 0x44" },
  { 17, 2, 0x44, TB_DWT_DATA_WRITE, 0, 0, 0,
    "comparator 0: wrote 0x0044" },
  { 22, 4, 0x44, TB_DWT_DATA_READ, 0, 0, 3,
    "comparator 3: read 0x00000044" },
  { 23, 4, 0x44, TB_DWT_DATA_WRITE, 0, 0, 3,
    "comparator 3: wrote 0x00000044" },
  { 24, 4, 0x44, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x00000044 of discriminator 24" },
  { 31, 1, 1, TB_DWT_RESERVED, 0, 0, 0,
    "reserved: 0x01 of discriminator 31" },
};

/* Each through the decoder, so that the header is right too.  */
static void
test_meanings (void)
{
  for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
    {
      uint8_t size = meanings[i].bytes, bytes[11] = { [5] = 0x80 };
      bytes[6] = (uint8_t) (meanings[i].id << 3 | 4 | (size == 4 ? 3 : size));
      for (unsigned j = 0; j < size; j++)
	bytes[7 + j] = (uint8_t) (meanings[i].value >> (8 * j));
      struct sw_source source;
      struct tb_decoder *d = sw_open (&source, "ITM", 0, bytes,
				      (size_t) size + 7);
      struct tb_element e[3] = { { 0 } };
      unsigned before = check_failures;
      CHECK_INT (d->read (d, e, 3), 3);
      CHECK_INT (e[1].kind, TB_ELEMENT_DWT);
      CHECK_INT (e[1].u.itm.channel, meanings[i].id);
      CHECK_INT (e[1].u.itm.bytes, size);
      CHECK_INT (e[1].u.itm.value, meanings[i].value);
      CHECK_INT (e[1].u.itm.dwt, meanings[i].dwt);
      CHECK_INT (e[1].u.itm.exception, meanings[i].exception);
      CHECK_INT (e[1].u.itm.action, meanings[i].action);
      CHECK_INT (e[1].u.itm.comparator, meanings[i].comparator);
      struct tb_buffer words = { 0 };
      tb_element_explain (&words, &e[0]);
      CHECK_INT (words.size, 0);
      tb_element_explain (&words, &e[1]);
      tb_buffer_append (&words, "", 1);
      CHECK_STR ((const char *) words.data, meanings[i].words);
      tb_buffer_fini (&words);
      if (check_failures != before)
	fprintf (stderr, "  meaning %zu\n", i);
      tb_decoder_close (d);
    }
}

/* The clock's change is kept for the timestamp that is next delivered.  */
static void
test_clock_change (void)
{
  static const uint8_t bytes[] = { 0, 0, 0, 0, 0, 0x80, 0x94, 0x81, 0x80,
    0x80, 0x60, 0xb4, 0x80, 0x80, 0x80, 0x00, 0x94, 0x02 };
  struct sw_source source;
  struct tb_decoder *d = sw_open (&source, "ITM", 0, bytes, sizeof bytes);
  struct tb_element e[4];
  CHECK_INT (d->read (d, e, 4), 4);
  CHECK_INT (e[1].kind, TB_ELEMENT_ITM_GLOBAL_TIME);
  CHECK_INT (e[1].flags, TB_ITM_CLOCK_CHANGED);
  CHECK_INT (e[1].u.time.value, 1);
  CHECK_INT (e[2].flags, 0);
  CHECK_INT (e[2].u.time.value, 2);
  tb_decoder_close (d);
}

/* What comes after a break has nothing to do with what was before: neither a
   packet that is not whole, nor a lost one, nor the zeros of a sync packet.  */
static void
test_break (void)
{
  static const uint8_t first[SW_FRAME_DATA]
    = { 0, 0, 0, 0, 0, 0x80, 0x09, 1, 0x70, 0x0b, 0, 0, 0 };
  static const uint8_t second[SW_FRAME_DATA]
    = { 0, 0x80, 0x01, 2, 0, 0, 0, 0, 0, 0x80, 0x09, 3, 0x0b, 4 };
  sw_check_break ("ITM", 0x200000, first, second,
		  "Y init-decoder\nI swit chan=0x1 bytes=1 data=0x01\n"
		  "I swit chan=0x1 bytes=4 data=0x00000000 overflow\n"
		  "Y reset-decoder\nI swit chan=0x1 bytes=1 data=0x03\n"
		  "Z end-of-trace\n");
}

/* Where the source's trace ID may stand.  */
static void
test_trace_id (void)
{
  static const struct
  {
    struct tb_device_reg reg;
    unsigned id;
  } regs[] =
  {
    { { .name = "ITMTCR", .has_id = true, .id = 0x3a0, .value = 0x200006 },
      0x20 },
    { { .name = "ITMTCR", .has_id = true, .id = 0xe80, .value = 0x140000 },
      0x14 },
    { { .name = "TCR", .has_id = true, .id = 0xe80, .value = 0xff0000 },
      0x7f },
    { { .name = "CONTROL_REGISTER", .value = 0x300001 }, 0x30 },
    { { .name = "OTHER", .value = 0x300001 }, TB_ID_NONE },
  };
  const struct tb_protocol *itm = tb_protocol_find ("ITM");
  CHECK (itm == &tb_protocol_itm && itm->software);
  for (size_t i = 0; i < sizeof regs / sizeof regs[0]; i++)
    {
      struct tb_device device = { .type = "ITM", .regs = &regs[i].reg,
				  .nregs = 1 };
      CHECK_INT (itm->trace_id (&device), regs[i].id);
    }
}

int
main (void)
{
  test_rows ();
  test_ends ();
  test_prescaler ();
  test_long_sync ();
  test_meanings ();
  test_clock_change ();
  test_break ();
  test_trace_id ();
  return check_done ();
}
