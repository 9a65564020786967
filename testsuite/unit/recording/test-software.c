/* Tests of what software said: recording/software.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "recording/software.h"
#include "unit/decode/sw-run.h"

#define BYTES(...) { __VA_ARGS__ }, sizeof (uint8_t[]) { __VA_ARGS__ }

/* A character, and four, that port 0 gets, or 1.  */
#define P0(c) 0x01, (c)
#define P1(c) 0x09, (c)
#define FOUR(a, b, c, d) 0x03, (a), (b), (c), (d)
#define SYNC 0, 0, 0, 0, 0, 0x80

/* What is said, one a line: when, who, what.  */
static const struct row
{
  const char *what;
  uint8_t bytes[80];
  size_t length;
  uint64_t frequency;
  const char *text;
} itm[] =
{
  { "characters are joined to lines",
    BYTES (P0 ('H'), P0 ('e'), P0 ('l'), P0 ('l'), P0 ('o'), P0 ('\n'),
	   FOUR ('f', 'o', 'u', 'r'), FOUR ('s', '\r', '\n', 'x')), 0,
    "-|port 0|Hello\n-|port 0|fours\n-|port 0|x\n" },
  { "two lines of one packet, and an empty one",
    BYTES (FOUR ('a', '\n', 'b', '\n'), FOUR ('\n', 'c', 'd', '\n')), 0,
    "-|port 0|a\n-|port 0|b\n-|port 0|\n-|port 0|cd\n" },
  { "a string's end is no line of its own",
    BYTES (P0 ('a'), P0 ('b'), P0 ('c'), P0 ('d'), P0 ('\n'), P0 (0),
	   P0 ('e'), P0 (0), P0 ('f')), 0,
    "-|port 0|abcd\n-|port 0|e\n-|port 0|f\n" },
  { "each channel has its lines",
    BYTES (P0 ('o'), P1 ('t'), P0 ('n'), P1 ('w'), P0 ('e'), P1 ('o'),
	   P1 ('s'), P1 ('\n'), P0 ('!'), P0 ('\n')), 0,
    "-|port 1|twos\n-|port 0|one!\n" },
  { "a character of several packets, and controls",
    BYTES (P0 (0xe2), P0 (0x82), P0 (0xac), P0 ('\t'), P0 (27), P0 ('\\'),
	   P0 ('u'), P0 ('\n')), 0,
    "-|port 0|\xe2\x82\xac\\x09\\x1b\\\\u\n" },
  { "what is no character makes numbers of all",
    BYTES (P0 ('a'), P0 ('b'), P0 (0xff), P0 ('c'), P0 ('d')), 0,
    "-|port 0|u8 0x61\n-|port 0|u8 0x62\n-|port 0|u8 0xff\n"
    "-|port 0|u8 0x63\n-|port 0|u8 0x64\n" },
  { "the beginning of a character alone is none",
    BYTES (P0 ('a'), P0 ('b'), P0 ('c'), P0 ('d'), P0 (0xc3)), 0,
    "-|port 0|u8 0x61\n-|port 0|u8 0x62\n-|port 0|u8 0x63\n"
    "-|port 0|u8 0x64\n-|port 0|u8 0xc3\n" },
  { "few characters may be a number",
    BYTES (0x02, 'E', '#', 0x0b, 'a', 'b', 'c', 'd'), 0,
    "-|port 0|u16 0x2345\n-|port 1|u32 0x64636261\n" },
  { "zeros in a wide packet are a number's",
    BYTES (FOUR ('a', 0, 0, 0), FOUR ('b', 'c', 'd', 'e')), 0,
    "-|port 0|u32 0x00000061\n-|port 0|u32 0x65646362\n" },
  { "or the end of a string of such packets",
    BYTES (FOUR ('H', 'e', 'l', 'l'), FOUR ('o', 0, 0, 0), FOUR ('w', 'o', 'r', 'd'),
	   FOUR (0, 0, 0, 0), FOUR ('l', 'i', 'n', '\n'), FOUR (0, 0, 0, 0),
	   FOUR ('o', 'k', '\n', 0)), 0,
    "-|port 0|Hello\n-|port 0|word\n-|port 0|lin\n-|port 0|ok\n" },
  { "not where something stands behind the zero",
    BYTES (FOUR ('H', 'e', 'l', 'l'), FOUR ('o', 0, 'w', 0)), 0,
    "-|port 0|u32 0x6c6c6548\n-|port 0|u32 0x0077006f\n" },
  { "nor where the string has no other packet of the size",
    BYTES (P0 ('a'), P0 ('b'), FOUR ('c', 'd', 0, 0)), 0,
    "-|port 0|u8 0x61\n-|port 0|u8 0x62\n-|port 0|u32 0x00006463\n" },
  { "nor behind its end",
    BYTES (FOUR ('H', 'e', 'l', 'l'), FOUR ('o', 0, 0, 0), FOUR ('o', 0, 0, 0)), 0,
    "-|port 0|u32 0x6c6c6548\n-|port 0|u32 0x0000006f\n-|port 0|u32 0x0000006f\n" },
  { "nor behind what was lost",
    BYTES (FOUR ('H', 'e', 'l', 'l'), 0x70, FOUR ('o', 0, 0, 0)), 0,
    "-|port 0|u32 0x6c6c6548\n-|port 0|(packets lost) u32 0x0000006f\n" },
  { "whole short lines alone may be numbers",
    BYTES (FOUR ('o', 'k', '\n', 0), FOUR ('o', 'k', '\n', 0)), 0,
    "-|port 0|u32 0x000a6b6f\n-|port 0|u32 0x000a6b6f\n" },
  { "local time is of the packet before it",
    BYTES (P0 (1), P0 (2), 0x20, P0 (3), 0xd0, 0x05, P0 (4), 0xe0, 0x01,
	   P0 (5)), 0,
    "<=2|port 0|u8 0x01\n2|port 0|u8 0x02\n<=7|port 0|u8 0x03\n"
    "<=8|port 0|u8 0x04\n-|port 0|u8 0x05\n" },
  { "lost packets begin a new time",
    BYTES (0x20, P0 (1), 0x70, P0 (2), 0x30), 0,
    "-|port 0|u8 0x01\n3|port 0|(packets lost) u8 0x02\n" },
  { "also where a time is the first that comes behind them",
    BYTES (P0 (1), 0x70, 0x20, P0 (2), 0x30, P0 (3), 0x70, 0x94, 0x10, 0xb4, 0x00, P0 (4),
	   0x10), 0,
    "@<=0x10|port 0|u8 0x01\n5@<=0x10|port 0|(packets lost) u8 0x02\n"
    "@<=0x10|port 0|u8 0x03\n1@>=0x10|port 0|(packets lost) u8 0x04\n" },
  { "a time behind lost packets is the last that comes",
    BYTES (P0 (1), 0x70, 0x94, 0x10, 0xb4, 0x00, 0x30), 0,
    "@<=0x10|port 0|u8 0x01\n-||not synchronised: overflow\n" },
  { "they end a line",
    BYTES (P0 ('a'), P0 ('b'), 0x70, P0 ('c'), P0 ('d'), P0 ('\n')), 0,
    "-|port 0|ab\n-|port 0|(packets lost) cd\n" },
  { "system time is around what is said",
    BYTES (P0 (1), 0x94, 0x10, 0xb4, 0x00, P0 (2), 0x94, 0x20, P0 (3)), 0,
    "@<=0x10|port 0|u8 0x01\n@0x10-0x20|port 0|u8 0x02\n"
    "@>=0x20|port 0|u8 0x03\n" },
  { "in seconds",
    BYTES (0x94, 0x10, 0xb4, 0x00, P0 (2), 0x94, 0x22), 16,
    "@1.000000000s-2.125000000s|port 0|u8 0x02\n" },
  { "a packet that was late may have happened before a time that was told",
    BYTES (0x94, 0x10, 0xb4, 0x00, P0 (2), 0xe0, 0x01, 0x94, 0x20), 0,
    "<=1@<=0x20|port 0|u8 0x02\n" },
  { "times that go back bound nothing",
    BYTES (0x94, 0x20, 0xb4, 0x00, P0 (1), 0x94, 0x10, P0 (2)), 0,
    "-|port 0|u8 0x01\n-|port 0|u8 0x02\n" },
  { "also where only one side of the step back has something said",
    BYTES (0x94, 0x18, 0xb4, 0x00, P0 (1), 0x94, 0x48, P0 (2), 0x94, 0x20), 0,
    "-|port 0|u8 0x01\n-|port 0|u8 0x02\n" },
  { "or none",
    BYTES (0x94, 0x18, 0xb4, 0x00, P0 (1), 0x94, 0x48, 0x94, 0x20, P0 (2), 0x94, 0x30), 0,
    "-|port 0|u8 0x01\n-|port 0|u8 0x02\n" },
  { "what the DWT says, in words",
    BYTES (0x0e, 0x02, 0x10, 0x17, 0, 0x10, 0, 0), 0,
    "-|DWT|enter exception 2\n-|DWT|PC sample 0x1000\n" },
  { "packets of one match of a comparator are one",
    BYTES (0x5e, 0x04, 0x20, 0x9d, 0x12, 0x57, 0x01, 0x02, 0, 0, 0x96, 0x34, 0x12,
	   0x57, 0, 0x10, 0, 0, 0x5e, 0x08, 0x20, 0x9d, 0x56), 0,
    "-|DWT|comparator 1: address ends in 0x2004, wrote 0x12\n"
    "-|DWT|comparator 1: PC 0x201, read 0x1234\n"
    "-|DWT|comparator 1: PC 0x1000, address ends in 0x2008, wrote 0x56\n" },
  { "with others between, and their time",
    BYTES (0x5e, 0x04, 0x20, P0 (1), 0x4e, 0, 0x30, 0x0e, 2, 0x10, 0x9d, 0x12,
	   0x8d, 0x34, 0x30), 0,
    "<=3|DWT|comparator 1: address ends in 0x2004, wrote 0x12\n"
    "<=3|port 0|u8 0x01\n"
    "3|DWT|comparator 0: address ends in 0x3000, wrote 0x34\n"
    "<=3|DWT|enter exception 2\n" },
  { "not those of two matches",
    BYTES (0x9d, 0x12, 0x5e, 0x04, 0x20, 0x5e, 0x08, 0x20, 0x9d, 0x13, 0x9d, 0x14), 0,
    "-|DWT|comparator 1: wrote 0x12\n"
    "-|DWT|comparator 1: address ends in 0x2004\n"
    "-|DWT|comparator 1: address ends in 0x2008, wrote 0x13\n"
    "-|DWT|comparator 1: wrote 0x14\n" },
  { "nor where packets were lost, or a time was told, between them",
    BYTES (0x5e, 0x04, 0x20, 0x70, 0x9d, 0x12, 0x5e, 0x08, 0x20, 0x20, 0x9d, 0x13), 0,
    "-|DWT|comparator 1: address ends in 0x2004\n"
    "<=2|DWT|(packets lost) comparator 1: wrote 0x12\n"
    "2|DWT|comparator 1: address ends in 0x2008\n"
    "-|DWT|comparator 1: wrote 0x13\n" },
  { "synchronisation is lost within a line",
    BYTES (P0 ('a'), P0 ('b'), 0x04, SYNC, P0 ('c'), P0 ('d'), P0 ('\n')), 0,
    "-|port 0|ab\n-||no packet, at byte 10\n-||not synchronised: bad-packet\n"
    "-|port 0|cd\n" },
};

/* Add a line of SAID, of SOFTWARE, which has the text SAID_TEXT, to TEXT.  */
static void
put_said (struct tb_buffer *text, const struct tb_software *software,
	  const struct tb_said *said, const void *said_text)
{
  tb_said_when (text, software, said);
  tb_buffer_append (text, "|", 1);
  if (said->kind < TB_SAID_NO_SYNC)
    tb_said_who (text, said);
  tb_buffer_append (text, "|", 1);
  tb_said_what_of (text, said, said_text);
  tb_buffer_append (text, "\n", 1);
}

static char *
text_of (struct tb_buffer *text)
{
  tb_buffer_append (text, "", 1);
  if (text->failed)
    abort ();
  return (char *) text->data;
}

/* All that SOFTWARE has.  */
static char *
listing (const struct tb_software *software)
{
  struct tb_buffer text = { 0 };
  for (size_t i = 0; i < software->count; i++)
    put_said (&text, software, &software->items[i],
	      software->items[i].length != 0
	      ? software->text.data + software->items[i].text : NULL);
  return text_of (&text);
}

struct given
{
  const struct tb_software *software;
  struct tb_buffer text;
};

static bool
take_said (void *context, const struct tb_said *said, const void *text)
{
  struct given *given = context;
  put_said (&given->text, given->software, said, text);
  return true;
}

/* The same where it is given one by one; FREQUENCY, if not 0, is that of its times.  */
static char *
given_listing (struct tb_decoder *d, const struct tb_software *read, uint64_t frequency)
{
  struct tb_software software = { .local_rate = read->local_rate,
				  .system_rate = read->system_rate };
  struct given given = { .software = &software };
  struct tb_software_plan *plan = NULL;
  if (!CHECK (tb_software_plan (&software, d, &plan)))
    abort ();
  CHECK_INT (software.said, read->count);
  CHECK_INT (software.count, 0);
  if (frequency != 0)
    software.frequency = frequency;
  CHECK (tb_software_give (plan, take_said, &given));
  tb_software_plan_free (plan);
  tb_software_fini (&software);
  return text_of (&given.text);
}

static void
check_said (const char *what, const char *type, const uint8_t *bytes,
	    size_t length, uint64_t frequency, const char *want)
{
  struct sw_source source;
  struct tb_software software = { 0 };
  struct tb_decoder *d = sw_open (&source, type, 0, bytes, length);
  if (d == NULL)
    abort ();
  CHECK (tb_software_read (&software, d));
  if (frequency != 0)
    software.frequency = frequency;
  char *got = listing (&software);
  if (!CHECK_STR (got, want))
    fprintf (stderr, "  that was: %s\n", what);
  free (got);
  tb_decoder_close (d);
  d = sw_open (&source, type, 0, bytes, length);
  if (d == NULL)
    abort ();
  got = given_listing (d, &software, frequency);
  if (!CHECK_STR (got, want))
    fprintf (stderr, "  that was, one by one: %s\n", what);
  free (got);
  tb_software_fini (&software);
  tb_decoder_close (d);
}

static void
test_itm (void)
{
  for (size_t i = 0; i < sizeof itm / sizeof itm[0]; i++)
    {
      uint8_t bytes[96] = { SYNC };
      memcpy (bytes + 6, itm[i].bytes, itm[i].length);
      check_said (itm[i].what, "ITM", bytes, itm[i].length + 6,
		  itm[i].frequency, itm[i].text);
    }
}

/* An STM's nibbles as digits, the first one lowest in its byte; behind ASYNC and a
   VERSION with binary timestamps.  */
static const struct
{
  const char *what, *digits, *text;
} stm[] =
{
  { "data and a flag are a message",
    "101" "305" "46f" "46e" "465" "fe" "46b" "46d" "fe",
    "-|master 0x1 channel 0x5|one\n-|master 0x1 channel 0x5|km\n" },
  { "a mark begins one",
    "101" "46f" "46e" "f865" "46b" "fe",
    "-|master 0x1 channel 0x0|on\n-|master 0x1 channel 0x0|ek\n" },
  { "words of a string, the last one padded",
    "101" "66c6c6548" "60000006f" "66b636168" "60000000a",
    "-|master 0x1 channel 0x0|Hello\n-|master 0x1 channel 0x0|hack\n" },
  { "numbers of all sizes, marked ones",
    "101" "c7" "4ff" "51234" "612345678" "f8aa" "fe",
    "-|master 0x1 channel 0x0|u4 0x7\n-|master 0x1 channel 0x0|u8 0xff\n"
    "-|master 0x1 channel 0x0|u16 0x1234\n"
    "-|master 0x1 channel 0x0|u32 0x12345678\n"
    "-|master 0x1 channel 0x0|u8 0xaa marked\n"
    "-|master 0x1 channel 0x0|flag\n" },
  { "what has no time was said between those that have",
    "101" "4ff" "f401210" "401" "f402220" "403",
    "@<=0x10|master 0x1 channel 0x0|u8 0xff\n"
    "@0x10|master 0x1 channel 0x0|u8 0x01\n"
    "@0x10-0x20|master 0x1 channel 0x0|u8 0x01\n"
    "@0x20|master 0x1 channel 0x0|u8 0x02\n"
    "@>=0x20|master 0x1 channel 0x0|u8 0x03\n" },
  { "a frequency that is stated counts",
    "101" "f0800000010" "f401210",
    "@<=1.000000000s|master 0x1 channel 0x0|frequency of timestamps 16 Hz\n"
    "@1.000000000s|master 0x1 channel 0x0|u8 0x01\n" },
  { "triggers and errors",
    "101" "f06ab" "299" "f288" "4ff",
    "-|master 0x1 channel 0x0|trigger 0xab\n"
    "-|master 0x1 channel 0x0|master error 0x99\n"
    "-|-|global error 0x88\n-|-|u8 0xff\n" },
  { "an error of a master ends its lines",
    "101" "46c" "46f" "102" "461" "101" "473" "201" "46d" "46f" "465" "fe" "102" "462" "463" "464"
    "fe",
    "-|master 0x1 channel 0x0|los\n-|master 0x1 channel 0x0|master error 0x01\n"
    "-|master 0x1 channel 0x0|(packets lost) moe\n-|master 0x2 channel 0x0|abcd\n" },
  { "a global one ends all, and data that are no text tell of it",
    "101" "46c" "46f" "102" "461" "462" "103" "4ff" "f201" "101" "46d" "46f" "fe" "102" "463"
    "464" "fe" "103" "401" "402",
    "-|master 0x1 channel 0x0|lo\n-|master 0x2 channel 0x0|ab\n"
    "-|master 0x3 channel 0x0|u8 0xff\n-|-|global error 0x01\n"
    "-|master 0x1 channel 0x0|(packets lost) mo\n"
    "-|master 0x2 channel 0x0|(packets lost) cd\n"
    "-|master 0x3 channel 0x0|(packets lost) u8 0x01\n-|master 0x3 channel 0x0|u8 0x02\n" },
  { "one of a master that is not known may be of any",
    "101" "46c" "46f" "f201" "202" "101" "46d" "46f" "fe",
    "-|master 0x1 channel 0x0|lo\n-|-|global error 0x01\n-|-|master error 0x02\n"
    "-|master 0x1 channel 0x0|(packets lost) mo\n" },
};

static void
test_stm (void)
{
  for (size_t i = 0; i < sizeof stm / sizeof stm[0]; i++)
    {
      char digits[200];
      uint8_t bytes[100] = { 0 };
      size_t length;
      snprintf (digits, sizeof digits, "fffffffffffffffffffff0f003%s",
		stm[i].digits);
      length = strlen (digits);
      for (size_t k = 0; k < length; k++)
	{
	  char digit[2] = { digits[k], 0 };
	  bytes[k / 2] |= (uint8_t) (strtoul (digit, NULL, 16) << (k & 1) * 4);
	}
      check_said (stm[i].what, "STM", bytes, (length + 1) / 2, 0, stm[i].text);
    }
}

/* What waits for a time must have room; what need not wait needs none, given one by one.  */
static void
test_room (void)
{
  enum { PACKETS = 4000, TIME = 8 };
  static uint8_t bytes[6 + 2 * PACKETS + TIME + 2] = { SYNC };
  static const uint8_t time[TIME] = { 0x94, 0x10, 0xb4, 0x00, P0 (2), P0 (3) };
  for (size_t i = 0; i < PACKETS; i++)
    bytes[6 + 2 * i] = bytes[7 + 2 * i] = 1;
  for (unsigned timed = 0; timed < 2; timed++)
    for (unsigned given = 0; given < 2; given++)
      {
	struct sw_source source;
	struct tb_software software = { .memory = 1000 * sizeof *software.items };
	struct given taken = { .software = &software };
	struct tb_software_plan *plan = NULL;
	bool fits = !timed && given;
	memcpy (bytes + 6 + 2 * PACKETS, time, timed ? TIME : 0);
	struct tb_decoder *d = sw_open (&source, "ITM", 0, bytes,
					6 + 2 * PACKETS + (timed ? TIME : 0));
	if (d == NULL)
	  abort ();
	if (given)
	  CHECK (tb_software_plan (&software, d, &plan)
		 && tb_software_give (plan, take_said, &taken));
	else
	  CHECK (tb_software_read (&software, d));
	CHECK_INT (software.cut, !fits);
	CHECK (fits ? software.said == PACKETS
	       : software.said > 100 && software.said < 1000
		 && software.cut_at == 6 + 2 * software.said);
	char *text = given ? text_of (&taken.text) : listing (&software);
	size_t lines = 0;
	for (const char *at = text; (at = strchr (at, '\n')) != NULL; at++)
	  lines++;
	CHECK_INT (lines, software.said);
	free (text);
	tb_software_plan_free (plan);
	tb_software_fini (&software);
	tb_decoder_close (d);
      }
}

/* Lines of many, which times and other channels stand between, are each given once, in the order
   of their ends.  */
static void
test_many (void)
{
  enum { LINES = 5000, LINE = 2 * 8 };
  static uint8_t bytes[8 + LINES * (LINE + 4 + 2)] = { SYNC };
  struct tb_buffer want = { 0 };
  size_t length = 6;
  for (unsigned i = 0; i < LINES; i++)
    {
      char line[9];
      unsigned time = 1 + i / 100;
      snprintf (line, sizeof line, "%07u\n", i);
      for (unsigned k = 0; k < 8; k++)
	{
	  if (k == 3)
	    {
	      bytes[length++] = 0x09;
	      bytes[length++] = 1;
	    }
	  bytes[length++] = 0x01;
	  bytes[length++] = (uint8_t) line[k];
	}
      if (i % 100 == 99)
	{
	  bytes[length++] = 0x94;
	  bytes[length++] = (uint8_t) time;
	  bytes[length++] = 0xb4;
	  bytes[length++] = 0;
	}
      for (unsigned k = 0; k < 2; k++)
	{
	  if (time == 1)
	    tb_buffer_printf (&want, "@<=0x1");
	  else
	    tb_buffer_printf (&want, "@0x%x-0x%x", time - 1, time);
	  tb_buffer_printf (&want, k == 0 ? "|port 1|u8 0x01\n" : "|port 0|%07u\n", i);
	}
    }
  tb_buffer_append (&want, "", 1);
  check_said ("many lines", "ITM", bytes, length, 0, (const char *) want.data);
  tb_buffer_fini (&want);
}

int
main (void)
{
  test_room ();
  test_many ();
  test_itm ();
  test_stm ();
  return check_done ();
}
