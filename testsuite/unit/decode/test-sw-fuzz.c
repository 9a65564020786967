/* Damaged ITM and STM trace: decoding ends, does not depend on how it is read,
   and goes on after the next synchronisation.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "sw-run.h"

#define ROUNDS 3000

/* The most bytes before the tail.  */
#define FRONT 400

static uint64_t seed = 0x9e3779b97f4a7c15;

/* Marsaglia's xorshift64.  */
static unsigned
random_below (unsigned limit)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned) ((seed >> 20) % limit);
}

/* Append a random ITM packet, a sync packet sometimes.  */
static size_t
itm_packet (uint8_t *bytes)
{
  static const uint8_t sync[] = { 0, 0, 0, 0, 0, 0x80 };
  static const uint8_t headers[]
    = { 0x70, 0x20, 0xc0, 0xd0, 0x94, 0xb4, 0x18, 0x8c, 0x09, 0x0a, 0x0b,
	0x15, 0x0e, 0x17, 0x47, 0x8e };
  if (random_below (12) == 0)
    {
      memcpy (bytes, sync, sizeof sync);
      return sizeof sync;
    }
  uint8_t header = headers[random_below (sizeof headers)];
  size_t n = 0;
  bytes[n++] = header;
  if (header & 3)
    for (unsigned i = (header & 3) == 3 ? 4 : header & 3; i > 0; i--)
      bytes[n++] = (uint8_t) (random_below (3) != 0 ? random_below (256) : 0);
  else if (header & 0x80)
    {
      for (unsigned i = random_below (3); i > 0; i--)
	bytes[n++] = (uint8_t) (0x80 | random_below (128));
      bytes[n++] = (uint8_t) random_below (128);
    }
  return n;
}

/* Random nibbles that make packets often, an ASYNC packet sometimes; a whole
   number of bytes.  */
static size_t
stm_packet (uint8_t *bytes)
{
  size_t n = 0;
  if (random_below (12) == 0)
    {
      memset (bytes, 0xff, 10);
      bytes[10] = 0x0f;
      bytes[11] = 0x0f;
      bytes[12] = random_below (2) != 0 ? 0x30 : 0x40;
      return 13;
    }
  bytes[n++] = (uint8_t) random_below (256);
  for (unsigned i = random_below (12); i > 0; i--)
    bytes[n++] = (uint8_t) (random_below (3) != 0 ? random_below (256)
			    : random_below (2) != 0 ? 0xff : 0);
  return n;
}

/* What comes after the damage: synchronisation first, and nothing that depends
   on what was before but the first packet.  */
static const struct protocol
{
  const char *type;
  size_t (*packet) (uint8_t *bytes);
  uint8_t tail[40];
  size_t length;
  const char *text;
} protocols[] =
{
  { "ITM", itm_packet,
    { 0, 0, 0, 0, 0, 0x80, 0x01, 1, 0x09, 2, 0x0b, 3, 0, 0, 0, 0x17, 0, 0x10,
      0, 0 }, 20,
    "\nI swit chan=0x1 bytes=1 data=0x02\n"
    "I swit chan=0x1 bytes=4 data=0x00000003\n"
    "I dwt chan=0x2 bytes=4 data=0x00001000\n"
    "Z end-of-trace\n" },
  { "STM", stm_packet,
    { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f,
      /* f003 107 c1 ee 0123456789abcdef c2  */
      0x0f, 0x30, 0x01, 0xc7, 0xe1, 0x0e, 0x21, 0x43, 0x65, 0x87, 0xa9, 0xcb,
      0xed, 0xcf, 0x02 }, 26,
    "\nW master=0x7 chan=0x0 bits=4 data=0x1 flags=- ts=-\n"
    "W master=0x7 chan=0x0 bits=0 data=- flags=m ts=0x123456789abcdef\n"
    "W master=0x7 chan=0x0 bits=4 data=0x2 flags=- ts=-\n"
    "Z end-of-trace\n" },
};

static void
damage (uint8_t *bytes, size_t *length)
{
  for (unsigned i = random_below (6); i > 0 && *length > 1; i--)
    {
      size_t at = random_below ((unsigned) *length);
      switch (random_below (3))
	{
	case 0:
	  bytes[at] ^= (uint8_t) (1 << random_below (8));
	  break;
	case 1:
	  memmove (bytes + at, bytes + at + 1, *length - at - 1);
	  --*length;
	  break;
	default:
	  *length = at;
	}
    }
}

/* Decode, and check what holds of any bytes.  */
static char *
check_bytes (const char *type, const uint8_t *bytes, size_t length)
{
  struct tb_decoder_stats stats;
  char *text = sw_text (type, 0, bytes, length, 512, false, &stats);
  char *other = sw_text (type, 0, bytes, length, 1 + random_below (5),
			 random_below (2) != 0, NULL);
  CHECK (strcmp (text, other) == 0);
  free (other);
  size_t lines = 0, ends = 0;
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n')
      {
	lines++;
	ends += c[1] == 'Z';
      }
  CHECK (lines <= 4 * length + 2);
  CHECK (ends == 1 || strcmp (text, "Z end-of-trace\n") == 0);
  CHECK (stats.bytes == length);
  CHECK (stats.skipped <= length);
  return text;
}

static void
test_damage (const struct protocol *p)
{
  uint8_t bytes[FRONT + sizeof p->tail + 40];
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      size_t length = 0, want = random_below (FRONT);
      unsigned before = check_failures;
      while (length < want)
	length += p->packet (bytes + length);
      damage (bytes, &length);
      /* Sharp ends, so that a read beyond one is seen.  */
      uint8_t *exact = malloc (length + 1);
      if (exact == NULL)
	abort ();
      memcpy (exact, bytes, length);
      free (check_bytes (p->type, exact, length));
      free (exact);

      memcpy (bytes + length, p->tail, p->length);
      length += p->length;
      char *text = check_bytes (p->type, bytes, length);
      size_t size = strlen (text), tail = strlen (p->text);
      const char *end = size >= tail ? text + size - tail : text;
      CHECK_STR (end, p->text);
      free (text);
      if (check_failures != before)
	{
	  fprintf (stderr, "  %s, round %u\n", p->type, round);
	  return;
	}
    }
}

/* Bytes that are nothing.  */
static void
test_noise (const struct protocol *p)
{
  uint8_t bytes[3000];
  for (unsigned round = 0; round < 200; round++)
    {
      size_t length = random_below (sizeof bytes);
      for (size_t i = 0; i < length; i++)
	bytes[i] = (uint8_t) random_below (256);
      if (length >= p->length)
	memcpy (bytes, p->tail, p->length);
      free (check_bytes (p->type, bytes, length));
    }
}

int
main (void)
{
  for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; i++)
    {
      test_damage (&protocols[i]);
      test_noise (&protocols[i]);
    }
  return check_done ();
}
