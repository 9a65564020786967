/* Tests of the STM decoder: nibbles to elements.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "sw-run.h"

/* Nibbles are written as they follow each other.  */
#define ASYNC "fffffffffffffffffffff0"
#define BINARY "f003"
#define GRAY "f004"

#define BAD "! OCSD_ERR_BAD_DECODE_PKT\nY bad-packet\n"
/* The beginning of a line, for the master and channel in most rows.  */
#define NOBODY "W master=- chan=- "
#define ONE_TWO "W master=0x1 chan=0x2 "

/* What comes after ASYNC, and the lines for it.  */
static const struct row
{
  const char *what, *nibbles, *text;
} rows[] =
{
  { "nothing", "", "" },
  { "version and null packets", BINARY "0000000000000000000000000000", "" },
  { "data of every size", BINARY "101302" "c7" "412" "51234" "612345678"
    "7123456789abcdef0",
    ONE_TWO "bits=4 data=0x7 flags=- ts=-\n"
    ONE_TWO "bits=8 data=0x12 flags=- ts=-\n"
    ONE_TWO "bits=16 data=0x1234 flags=- ts=-\n"
    ONE_TWO "bits=32 data=0x12345678 flags=- ts=-\n"
    ONE_TWO "bits=64 data=0x123456789abcdef0 flags=- ts=-\n" },
  { "marked", BINARY "101302" "fd7" "f812" "f91234" "fa12345678"
    "fb123456789abcdef0",
    ONE_TWO "bits=4 data=0x7 flags=m ts=-\n"
    ONE_TWO "bits=8 data=0x12 flags=m ts=-\n"
    ONE_TWO "bits=16 data=0x1234 flags=m ts=-\n"
    ONE_TWO "bits=32 data=0x12345678 flags=m ts=-\n"
    ONE_TWO "bits=64 data=0x123456789abcdef0 flags=m ts=-\n" },
  { "timed", BINARY "101302" "fc711" "f41222f" "f512343abc"
    "f6123456784cdef" "f7123456789abcdef00",
    ONE_TWO "bits=4 data=0x7 flags=- ts=0x1\n"
    ONE_TWO "bits=8 data=0x12 flags=- ts=0x2f\n"
    ONE_TWO "bits=16 data=0x1234 flags=- ts=0xabc\n"
    ONE_TWO "bits=32 data=0x12345678 flags=- ts=0xcdef\n"
    ONE_TWO "bits=64 data=0x123456789abcdef0 flags=- ts=0xcdef\n" },
  { "marked and timed", BINARY "101302" "d711" "81212" "9123413"
    "a1234567814" "b123456789abcdef015",
    ONE_TWO "bits=4 data=0x7 flags=m ts=0x1\n"
    ONE_TWO "bits=8 data=0x12 flags=m ts=0x2\n"
    ONE_TWO "bits=16 data=0x1234 flags=m ts=0x3\n"
    ONE_TWO "bits=32 data=0x12345678 flags=m ts=0x4\n"
    ONE_TWO "bits=64 data=0x123456789abcdef0 flags=m ts=0x5\n" },
  { "flags, a time alone, triggers, frequencies", BINARY "101302"
    "fe" "e17" "f0118" "f06ab" "f07cd19" "f0812345678" "f09123456780"
    "f0f0123456789a" "f0f1123456789a1a",
    ONE_TWO "bits=0 data=- flags=m ts=-\n"
    ONE_TWO "bits=0 data=- flags=m ts=0x7\n"
    ONE_TWO "bits=0 data=- flags=- ts=0x8\n"
    ONE_TWO "bits=8 data=0xab flags=t ts=-\n"
    ONE_TWO "bits=8 data=0xcd flags=t ts=0x9\n"
    ONE_TWO "bits=32 data=0x12345678 flags=f ts=-\n"
    ONE_TWO "bits=32 data=0x12345678 flags=f ts=0x9\n"
    ONE_TWO "bits=40 data=0x123456789a flags=f ts=-\n"
    ONE_TWO "bits=40 data=0x123456789a flags=f ts=0xa\n" },
  { "masters and channels", BINARY
    "c1" "105" "c2" "307" "c3" "f31234" "c4" "356" "c5" "106" "c6"
    "f1beef" "c7" "122" "c8" BINARY "c9",
    NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    "W master=0x5 chan=0x0 bits=4 data=0x2 flags=- ts=-\n"
    "W master=0x5 chan=0x7 bits=4 data=0x3 flags=- ts=-\n"
    "W master=0x5 chan=0x1234 bits=4 data=0x4 flags=- ts=-\n"
    "W master=0x5 chan=0x1256 bits=4 data=0x5 flags=- ts=-\n"
    "W master=0x6 chan=0x0 bits=4 data=0x6 flags=- ts=-\n"
    "W master=0xbeef chan=0x0 bits=4 data=0x7 flags=- ts=-\n"
    "W master=0xbe22 chan=0x0 bits=4 data=0x8 flags=- ts=-\n"
    "W master=0x0 chan=0x0 bits=4 data=0x9 flags=- ts=-\n" },
  { "errors", BINARY "101302" "299" "c1" "f288" "c2" "105" "c3",
    "W master=0x1 chan=0x0 bits=8 data=0x99 flags=e ts=-\n"
    "W master=0x1 chan=0x0 bits=4 data=0x1 flags=- ts=-\n"
    NOBODY "bits=8 data=0x88 flags=g ts=-\n"
    NOBODY "bits=4 data=0x2 flags=- ts=-\n"
    "W master=0x5 chan=0x0 bits=4 data=0x3 flags=- ts=-\n" },
  { "timestamps of every size", BINARY
    "eefedcba9876543210" "e15" "e266" "e3777" "e0" "e800000001"
    "ec123456789abc" "ed11223344556677",
    NOBODY "bits=0 data=- flags=m ts=0xfedcba9876543210\n"
    NOBODY "bits=0 data=- flags=m ts=0xfedcba9876543215\n"
    NOBODY "bits=0 data=- flags=m ts=0xfedcba9876543266\n"
    NOBODY "bits=0 data=- flags=m ts=0xfedcba9876543777\n"
    NOBODY "bits=0 data=- flags=m ts=0xfedcba9876543777\n"
    NOBODY "bits=0 data=- flags=m ts=0xfedcba9800000001\n"
    NOBODY "bits=0 data=- flags=m ts=0xfedc123456789abc\n"
    NOBODY "bits=0 data=- flags=m ts=0xfe11223344556677\n" },
  /* Gray 1, 3, 2, 6, c0 are 1, 2, 3, 4, 80; the second nibble given first is
     that of the Gray code, not of the number.  */
  { "Gray timestamps", GRAY "e11" "e13" "e12" "e16" "e2c0" "e1f"
    "ee8000000000000000" "e11",
    NOBODY "bits=0 data=- flags=m ts=0x1\n"
    NOBODY "bits=0 data=- flags=m ts=0x2\n"
    NOBODY "bits=0 data=- flags=m ts=0x3\n"
    NOBODY "bits=0 data=- flags=m ts=0x4\n"
    NOBODY "bits=0 data=- flags=m ts=0x80\n"
    NOBODY "bits=0 data=- flags=m ts=0x8a\n"
    NOBODY "bits=0 data=- flags=m ts=0xffffffffffffffff\n"
    NOBODY "bits=0 data=- flags=m ts=0xfffffffffffffffe\n" },
  { "timestamps from no known start have no value", "f002" "e12" "c1"
    "f000" "e12" "c2",
    NOBODY "bits=0 data=- flags=m ts=-\n"
    NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    NOBODY "bits=0 data=- flags=m ts=-\n"
    NOBODY "bits=4 data=0x2 flags=- ts=-\n" },
  { "lowest nibble first", "f00b81" "110" "51234" "e412ab" "f00b01" "51234",
    "W master=0x1 chan=0x0 bits=16 data=0x4321 flags=- ts=-\n"
    "W master=0x1 chan=0x0 bits=0 data=- flags=m ts=0xba21\n"
    "W master=0x0 chan=0x0 bits=16 data=0x1234 flags=- ts=-\n" },
  { "a timestamp before any version", "e12" ASYNC BINARY "c1",
    BAD NOBODY "bits=4 data=0x1 flags=- ts=-\n" },
  { "a version that is none", "f005" ASYNC BINARY "c1",
    BAD NOBODY "bits=4 data=0x1 flags=- ts=-\n" },
  { "reserved opcodes", BINARY "f02" ASYNC BINARY "c1" "f0c" ASYNC BINARY
    "c2" "f0f2" ASYNC BINARY "c3",
    BAD NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    BAD NOBODY "bits=4 data=0x2 flags=- ts=-\n"
    BAD NOBODY "bits=4 data=0x3 flags=- ts=-\n" },
  { "a timestamp's size that is none", BINARY "ef1" ASYNC BINARY "c1",
    BAD NOBODY "bits=4 data=0x1 flags=- ts=-\n" },
  { "nothing is kept across a bad packet", BINARY "101302e15" "f0c"
    ASYNC "c1" BINARY "e0",
    "W master=0x1 chan=0x2 bits=0 data=- flags=m ts=0x5\n"
    BAD NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    NOBODY "bits=0 data=- flags=m ts=0x0\n" },
  { "an ASYNC packet that is too short", BINARY
    "ffffffffffffffffffff0" "c1" ASYNC "c2",
    BAD NOBODY "bits=4 data=0x2 flags=- ts=-\n" },
  { "ASYNC packets that are long", BINARY "f" ASYNC "c1" "fffffff" ASYNC
    "c2",
    NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    NOBODY "bits=4 data=0x2 flags=- ts=-\n" },
  { "an ASYNC packet that is very long", BINARY "c1"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    ASYNC "c2",
    NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    BAD NOBODY "bits=4 data=0x2 flags=- ts=-\n" },
  { "a packet that is not whole takes nibbles from the ASYNC after it",
    BINARY "7" ASYNC "c1" "612" ASYNC BINARY "c2" "f71234567812345678"
    ASYNC BINARY "c3",
    NOBODY "bits=64 data=0xffffffffffffffff flags=- ts=-\n"
    BAD NOBODY "bits=4 data=0x1 flags=- ts=-\n"
    NOBODY "bits=32 data=0x12ffffff flags=- ts=-\n"
    BAD NOBODY "bits=4 data=0x2 flags=- ts=-\n"
    BAD NOBODY "bits=4 data=0x3 flags=- ts=-\n" },
};

/* The trace ends within a packet; these have whole bytes only.  */
static const struct row ends[] =
{
  { "the end within a packet", BINARY "c17", NOBODY
    "bits=4 data=0x1 flags=- ts=-\n" },
  { "the end within a timestamp", BINARY "c1e81234567", NOBODY
    "bits=4 data=0x1 flags=- ts=-\n" },
  { "the end before a timestamp", BINARY "c1e", NOBODY
    "bits=4 data=0x1 flags=- ts=-\n" },
  { "the end within an opcode", BINARY "c1f0", NOBODY
    "bits=4 data=0x1 flags=- ts=-\n" },
  { "the end within an ASYNC", BINARY "c1ffffff", NOBODY
    "bits=4 data=0x1 flags=- ts=-\n" },
};

/* The nibbles of the strings PARTS, up to a NULL, in BYTES from nibble number
   AT on; an odd last one is followed by 0, a null packet.  Returns how many
   bytes.  */
static size_t
pack (uint8_t *bytes, size_t at, const char *const *parts)
{
  for (; *parts != NULL; parts++)
    for (const char *c = *parts; *c != '\0'; c++, at++)
      {
	uint8_t value = (uint8_t) (*c <= '9' ? *c - '0' : *c - 'a' + 10);
	if (at & 1)
	  bytes[at / 2] |= (uint8_t) (value << 4);
	else
	  bytes[at / 2] = value;
      }
  return (at + 1) / 2;
}

/* ROW behind an ASYNC packet that begins at nibble number HALF.  */
static void
check_row (const struct row *row, size_t half)
{
  uint8_t bytes[256] = { 0 };
  char text[1024];
  const char *const parts[] = { ASYNC, row->nibbles, NULL };
  unsigned before = check_failures;
  size_t length = pack (bytes, half, parts);
  snprintf (text, sizeof text, "Y init-decoder\n%sZ end-of-trace\n",
	    row->text);
  sw_check ("STM", 0, bytes, length, text);
  if (check_failures != before)
    fprintf (stderr, "  in: %s, at nibble %zu\n", row->what, half);
}

static void
test_rows (void)
{
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (size_t half = 0; half < 2; half++)
      check_row (&rows[i], half);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    check_row (&ends[i], strlen (ends[i].nibbles) % 2);
}

static void
test_ends (void)
{
  sw_check ("STM", 0, NULL, 0, "Z end-of-trace\n");
  uint8_t bytes[5000];
  memset (bytes, 0xff, sizeof bytes);
  sw_check ("STM", 0, bytes, sizeof bytes, "Y init-decoder\nZ end-of-trace\n");
  /* Ones without end, then data.  */
  bytes[sizeof bytes - 3] = 0x0f;
  bytes[sizeof bytes - 2] = 0x1c;
  bytes[sizeof bytes - 1] = 0x2c;
  sw_check ("STM", 0, bytes, sizeof bytes,
	    "Y init-decoder\n" NOBODY "bits=4 data=0x1 flags=- ts=-\n"
	    NOBODY "bits=4 data=0x2 flags=- ts=-\nZ end-of-trace\n");
}

/* More than a stream hands out at a time, packets across every boundary; the
   place of each, and the counts.  */
static void
test_long (void)
{
  enum { PACKETS = 4000 };
  static uint8_t bytes[PACKETS * 8];
  size_t at = 26, n = 0;
  const char *const start[] = { ASYNC, BINARY, NULL };
  pack (bytes, 0, start);
  for (unsigned i = 0; i < PACKETS; i++)
    {
      char nibbles[16];
      snprintf (nibbles, sizeof nibbles, "6%08x", i);
      const char *const parts[] = { nibbles, NULL };
      pack (bytes, at, parts);
      at += 9;
    }
  size_t length = at / 2;
  struct sw_source source;
  struct tb_decoder *d = sw_open (&source, "STM", 0, bytes, length);
  struct tb_element e[100];
  size_t count, wrong = 0, seen = 0;
  while ((count = d->read (d, e, 1 + n++ % 100)) > 0)
    for (size_t i = 0; i < count; i++)
      if (e[i].kind == TB_ELEMENT_SOFTWARE)
	{
	  wrong += e[i].u.software.data != seen
		   || e[i].index != (26 + 9 * seen) / 2;
	  seen++;
	}
  CHECK_INT (seen, PACKETS);
  CHECK_INT (wrong, 0);
  CHECK_INT (d->stats.bytes, length);
  CHECK_INT (d->stats.packets, PACKETS + 2);
  CHECK_INT (d->stats.syncs, 1);
  CHECK_INT (d->stats.bad_packets, 0);
  tb_decoder_close (d);
}

/* What comes after a break has nothing to do with what was before.  */
static void
test_break (void)
{
  uint8_t first[32] = { 0 }, second[32] = { 0 };
  const char *const before[] = { ASYNC, "c1", "6fff", NULL };
  const char *const after[] = { "ff0", ASYNC, "c2", NULL };
  pack (first, 0, before);
  pack (second, 0, after);
  sw_check_break ("STM", 0x200000, first, second,
		  "Y init-decoder\n" NOBODY "bits=4 data=0x1 flags=- ts=-\n"
		  "Y reset-decoder\n" NOBODY "bits=4 data=0x2 flags=- ts=-\n"
		  "Z end-of-trace\n");
}

static void
test_trace_id (void)
{
  static const struct
  {
    struct tb_device_reg reg;
    unsigned id;
  } regs[] =
  {
    { { .name = "STMTCSR", .has_id = true, .id = 0x3a0, .value = 0xa00005 },
      0x20 },
    { { .name = "TCSR", .has_id = true, .id = 0xe80, .value = 0xff0000 },
      0x7f },
    { { .name = "STMTCSR", .value = 0x300001 }, 0x30 },
    { { .name = "OTHER", .value = 0x300001 }, TB_ID_NONE },
  };
  const struct tb_protocol *stm = tb_protocol_find ("STM");
  CHECK (stm == &tb_protocol_stm && stm->software);
  for (size_t i = 0; i < sizeof regs / sizeof regs[0]; i++)
    {
      struct tb_device device = { .type = "STM", .regs = &regs[i].reg,
				  .nregs = 1 };
      CHECK_INT (stm->trace_id (&device), regs[i].id);
    }
}

int
main (void)
{
  test_rows ();
  test_ends ();
  test_long ();
  test_break ();
  test_trace_id ();
  return check_done ();
}
