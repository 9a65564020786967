/* Whole sessions of the stub: packets one behind the other, over a sample.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: lines, each the contents of a packet, which get their frame and sum here.  A line
   that begins with a blank goes out as it is, without a frame; after "~" in a packet comes the
   text of a monitor command, which is sent as qRcmd.  */

#include "config.h"
#include "fuzz.h"

#include <getopt.h>

#include "options.h"
#include "server.h"
#include "util/hex.h"

static struct options options;
static int quiet = -1, silence[2];

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  MUST (*message != 0);
}

static struct tb_diag diag = { .report = say };

static void
prepare (void)
{
  static char *arguments[] = { "stub", "--listen=stdio", "--window=2000",
			       "--elf=" FUZZ_SAMPLES "/crash-o0/program.elf",
			       FUZZ_SAMPLES "/crash-o0", NULL };
  options_parse (&options, 5, arguments);
  quiet = open ("/dev/null", O_RDWR | O_CLOEXEC);
  /* A client that neither says anything itself nor leaves.  */
  MUST (quiet > 2 && pipe (silence) == 0);
}

/* Append what the LENGTH bytes LINE stand for to TO.  */
static void
send_line (struct tb_buffer *to, const uint8_t *line, size_t length)
{
  struct tb_buffer packet = { 0 };
  if (length > 0 && line[0] == ' ')
    tb_buffer_append (to, line + 1, length - 1);
  else if (length > 0 && line[0] == '~')
    {
      tb_buffer_append (&packet, "qRcmd,", 6);
      tb_hex_append (&packet, line + 1, length - 1);
      packet_append (to, packet.data, packet.size);
    }
  else
    packet_append (to, line, length);
  tb_buffer_fini (&packet);
}

FUZZ_TARGET (session)
{
  if (quiet < 0)
    prepare ();
  struct targets targets;
  struct server server;
  MUST (targets_open (&targets, &options, &diag) == TB_OK);
  MUST (server_open (&server, &targets, 0, &options.listen, &diag));
  struct client *c = &server.clients[0];
  c->in = silence[0];
  c->out = quiet;
  const uint8_t *end = data + size;
  for (const uint8_t *line = data, *next; line < end && !c->gone; line = next)
    {
      const uint8_t *stop = memchr (line, 10, (size_t) (end - line));
      next = stop != NULL ? stop + 1 : end;
      send_line (&c->input, line, (size_t) ((stop != NULL ? stop : end) - line));
      client_process (c);
      MUST (!c->busy && (c->gone || client_position (c) <= c->target->last));
    }
  /* These stay open for the next.  */
  c->in = dup (silence[0]);
  c->out = c->in;
  server_close (&server);
  targets_close (&targets);
  return 0;
}
