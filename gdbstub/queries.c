/* The connection: what is supported.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Packets" and "General Query Packets"; the reasons for what
   is not offered were established with GDB 13.1.  */

#include "config.h"

#include <string.h>

#include "dispatch.h"

/* Does the list TEXT, whose items are set off by ';' and begin after a ':', have
   ITEM?  */
static bool
has_item (const char *text, const char *item)
{
  size_t length = strlen (item);
  while ((text = strpbrk (text, ":;")) != NULL)
    {
      text++;
      if (strncmp (text, item, length) == 0
	  && (text[length] == 0 || text[length] == ';'))
	return true;
    }
  return false;
}

static void
supported (struct client *c, const struct packet_args *args)
{
  c->wants_swbreak = has_item (args->text, "swbreak+");
  c->knows_threads_made = has_item (args->text, "QThreadEvents+");
  c->wants_hwbreak = has_item (args->text, "hwbreak+");
  reply_printf (c, "PacketSize=%x", PACKET_LIMIT);
  reply_text (c, ";QStartNoAckMode+;vContSupported+;swbreak+;hwbreak+"
	      ";ReverseStep+;ReverseContinue+;ConditionalBreakpoints+"
	      ";ConditionalTracepoints+;TracepointSource+"
	      ";EnableDisableTracepoints+;InstallInTrace+;tracenz+"
	      ";QTBuffer:size+;DisconnectedTracing+"
	      ";Qbtrace:bts+;Qbtrace:off+;Qbtrace-conf:bts:size+"
	      ";qXfer:btrace:read+;qXfer:btrace-conf:read+"
	      ";qXfer:features:read+;qXfer:threads:read+"
	      ";qXfer:traceframe-info:read+;qXfer:statictrace:read+");
  if (c->target->elf != NULL)
    reply_text (c, ";qXfer:exec-file:read+");
  if (c->target->session->snapshot.loaded.vector != NULL)
    reply_text (c, ";qXfer:auxv:read+");
}

static void
start_no_ack (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->no_ack = true;
  reply_ok (c);
}

static void
attached (struct client *c, const struct packet_args *args)
{
  (void) args;
  reply_text (c, "1");		/* So that GDB detaches when it quits.  */
}

/* The target needs no symbols looked up, so the reply is empty; but that GDB asks
   means that it has some.  It does before it reads the tracepoints.  */
static void
offer_symbols (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->has_symbols = true;
}

const struct packet_handler packets_queries[] = {
  { "qSupported", "*", supported },
  { "QStartNoAckMode", "", start_no_ack },
  { "qAttached", "*", attached },
  { "qSymbol:", "*", offer_symbols },
  { NULL, NULL, NULL }
};
