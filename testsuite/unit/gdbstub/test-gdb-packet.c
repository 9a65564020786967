/* Packets of the remote protocol: framing, checksums, escapes, arguments.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "../gdbstub/dispatch.h"
#include "../gdbstub/packet.h"
#include "../gdbstub/transport.h"
#include "check.h"

/* Feed INPUT to a reader of packets up to LIMIT bytes; its events as letters, and
   the contents of whole packets in parentheses.  */
static const char *
events (const char *input, size_t length, size_t limit)
{
  static char text[1024];
  size_t used = 0;
  struct packet_reader reader = { .limit = limit };
  for (size_t i = 0; i < length && used < sizeof text - 200; i++)
    switch (packet_feed (&reader, (uint8_t) input[i]))
      {
      case PACKET_NOTHING: break;
      case PACKET_WHOLE:
	used += (size_t) snprintf (text + used, sizeof text - used, "(%.100s)",
				   (const char *) reader.data);
	break;
      case PACKET_DAMAGED: text[used++] = 'D'; break;
      case PACKET_TOO_LONG: text[used++] = 'L'; break;
      case PACKET_ACK: text[used++] = '+'; break;
      case PACKET_NAK: text[used++] = '-'; break;
      case PACKET_INTERRUPT: text[used++] = 'I'; break;
      }
  if (!packet_between (&reader))
    text[used++] = '~';
  text[used] = 0;
  packet_reader_fini (&reader);
  return text;
}

static void
test_reader (void)
{
  static const struct { const char *input, *want; } rows[] = {
    { "$g#67", "(g)" },
    { "+$g#67+", "+(g)+" },
    { "$#00", "()" },
    { "$m0,4#fd", "(m0,4)" },
    { "$m0,4#FD", "(m0,4)" },
    { "\003", "I" },
    { "$g#67\003$g#67", "(g)I(g)" },
    { "$g\003#6a", "(g\003)" },		/* Inside of a packet it is data.  */
    { "-", "-" },
    { "$g#68", "D" },
    { "$g#6z", "D" },
    { "$g#zz$g#67", "D(g)" },
    { "noise$g#67noise", "(g)" },
    { "$abc$g#67", "(g)" },			/* Cut short by the next.  */
    { "$abc#$g#67", "(g)" },
    { "$abc#1$g#67", "(g)" },
    { "$X}\003}\004}]#33", "(X#$})" },
    { "$a}#", "~" },
    { "$a* #ab", "(a* )" },			/* Clients send no run lengths.  */
    { "$abcdefgh#24", "(abcdefgh)" },
    { "$abcdefghi#8d", "L" },
    { "$abcdefghi#8e", "D" },
    { "$abcdefghi#8d$g#67", "L(g)" },
    { "$ab", "~" },
    { "", "" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    CHECK_STR (events (rows[i].input, strlen (rows[i].input), 8),
	       rows[i].want);
}

static void
test_append (void)
{
  static const struct { const char *contents, *want; } rows[] = {
    { "", "$#00" },
    { "OK", "$OK#9a" },
    { "a#b", "$a}\003b#43" },
    { "$}*#", "$}\004}]}\n}\003#62" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_buffer out = { 0 };
      packet_append (&out, (const uint8_t *) rows[i].contents,
		     strlen (rows[i].contents));
      tb_buffer_append (&out, "", 1);
      CHECK_STR ((const char *) out.data, rows[i].want);
      tb_buffer_fini (&out);
    }
}

/* Whatever is sent is read back, and noise never hurts.  */
static void
test_random (void)
{
  uint32_t seed = 1;
  struct packet_reader reader = { .limit = 300 };
  for (unsigned round = 0; round < 3000; round++)
    {
      uint8_t contents[300];
      size_t length = 0, wholes = 0;
      for (seed = seed * 1664525 + 1013904223; length < (seed >> 24); length++)
	{
	  uint32_t mixed = (seed ^ (uint32_t) length * 2654435761u) >> 13;
	  contents[length] = (uint8_t) mixed;
	}
      for (unsigned i = 0; i < round % 7; i++)
	packet_feed (&reader, contents[i]);
      struct tb_buffer out = { 0 };
      packet_append (&out, contents, length);
      for (size_t i = 0; i < out.size; i++)
	if (packet_feed (&reader, out.data[i]) == PACKET_WHOLE)
	  wholes++;
      CHECK_INT (wholes, 1);
      CHECK (reader.size == length
	     && memcmp (reader.data, contents, length) == 0);
      tb_buffer_fini (&out);
    }
  packet_reader_fini (&reader);
}

static void
test_hex (void)
{
  uint8_t bytes[4];
  CHECK_INT (tb_hex_decode ("0aFf", 4, bytes, 4), 2);
  CHECK_INT (bytes[0], 0x0a);
  CHECK_INT (bytes[1], 0xff);
  CHECK_INT (tb_hex_decode ("0aF", 3, bytes, 4), 1);
  CHECK_INT (tb_hex_decode ("0axx00", 6, bytes, 4), 1);
  CHECK_INT (tb_hex_decode ("0102030405", 10, bytes, 4), 4);
}

static void
test_arguments (void)
{
  static const struct
  {
    const char *pattern, *text;
    bool fits;
    unsigned numbers;
    uint64_t first, second;
    const char *rest;
  }
  rows[] = {
    { "", "", true, 0, 0, 0, "" },
    { "", "x", false, 0, 0, 0, "" },
    { "x", "1f", true, 1, 0x1f, 0, "" },
    { "x", "", false, 0, 0, 0, "" },
    { "x", "g", false, 0, 0, 0, "" },
    { "x", "-1", false, 0, 0, 0, "" },
    { "x", "ffffffffffffffff", true, 1, UINT64_MAX, 0, "" },
    { "x", "00ffffffffffffffff", true, 1, UINT64_MAX, 0, "" },
    { "x", "1ffffffffffffffff", false, 0, 0, 0, "" },
    { "x,x", "20000000,4", true, 2, 0x20000000, 4, "" },
    { "x,x", "20000000,", false, 0, 0, 0, "" },
    { "x,x", "20000000", false, 0, 0, 0, "" },
    { "x,x", "1,2,3", false, 0, 0, 0, "" },
    { "x:x", "1:2", true, 2, 1, 2, "" },
    { "x,x,x*", "0,100,2;X1,27", true, 3, 0, 0x100, ";X1,27" },
    { "*", "anything", true, 0, 0, 0, "anything" },
    { "*", "", true, 0, 0, 0, "" },
    { "rx,x", "r10,20", true, 2, 0x10, 0x20, "" },
    { "x,x,x,x,x", "1,2,3,4,5", false, 0, 0, 0, "" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct packet_args args;
      bool fits = packet_parse (rows[i].pattern, rows[i].text,
				strlen (rows[i].text), &args);
      if (!CHECK (fits == rows[i].fits))
	fprintf (stderr, "row %zu\n", i);
      if (!fits || !rows[i].fits)
	continue;
      CHECK_INT (args.numbers, rows[i].numbers);
      if (args.numbers > 0)
	CHECK_INT (args.number[0], rows[i].first);
      if (args.numbers > 1)
	CHECK_INT (args.number[1], rows[i].second);
      CHECK_STR (args.text, rows[i].rest);
      CHECK_INT (args.length, strlen (rows[i].rest));
    }
}

static void
test_addresses (void)
{
  static const struct
  {
    const char *text;
    bool good;
    enum address_kind kind;
    const char *host;
    unsigned port;
  }
  rows[] = {
    { "3333", true, ADDRESS_TCP, "", 3333 },
    { ":0", true, ADDRESS_TCP, "", 0 },
    { "localhost:1234", true, ADDRESS_TCP, "localhost", 1234 },
    { "0.0.0.0:65535", true, ADDRESS_TCP, "0.0.0.0", 65535 },
    { "[::1]:3333", true, ADDRESS_TCP, "::1", 3333 },
    { "unix:a/b:c", true, ADDRESS_UNIX, "a/b:c", 0 },
    { "stdio", true, ADDRESS_STDIO, "", 0 },
    { "-", true, ADDRESS_STDIO, "", 0 },
    { "::1:3333", false, ADDRESS_TCP, "", 0 },
    { "", false, ADDRESS_TCP, "", 0 },
    { "localhost", false, ADDRESS_TCP, "", 0 },
    { "localhost:", false, ADDRESS_TCP, "", 0 },
    { "localhost:65536", false, ADDRESS_TCP, "", 0 },
    { "localhost:-1", false, ADDRESS_TCP, "", 0 },
    { "localhost:1x", false, ADDRESS_TCP, "", 0 },
    { "unix:", false, ADDRESS_UNIX, "", 0 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct address address;
      bool good = address_parse (&address, rows[i].text);
      if (!CHECK (good == rows[i].good))
	fprintf (stderr, "row %zu\n", i);
      if (!good || !rows[i].good)
	continue;
      CHECK_INT (address.kind, rows[i].kind);
      CHECK_STR (address.host, rows[i].host);
      CHECK_INT (address.port, rows[i].port);
    }
}

int
main (void)
{
  test_reader ();
  test_append ();
  test_random ();
  test_hex ();
  test_arguments ();
  test_addresses ();
  return check_done ();
}
