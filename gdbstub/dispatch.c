/* Dispatching packets.  See dispatch.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "dispatch.h"

#include <string.h>

bool
packet_parse (const char *pattern, const char *text, size_t size,
	      struct packet_args *args)
{
  *args = (struct packet_args) { .text = text + size };
  size_t at = 0;
  for (; *pattern != 0; pattern++)
    if (*pattern == '*')
      {
	args->text = text + at;
	args->length = size - at;
	return true;
      }
    else if (*pattern == 'x')
      {
	uint64_t value = 0;
	size_t from = at;
	int digit;
	while (at < size && (digit = tb_hex_value ((uint8_t) text[at])) >= 0)
	  {
	    if (value >> 60 != 0)
	      return false;
	    value = value << 4 | (unsigned) digit;
	    at++;
	  }
	if (at == from || args->numbers == PACKET_NUMBERS)
	  return false;
	args->number[args->numbers++] = value;
      }
    else if (at == size || text[at++] != *pattern)
      return false;
  return at == size;
}

void
packet_dispatch (struct client *client, const uint8_t *data, size_t size)
{
  static const struct packet_handler *const tables[] = {
    packets_registers, packets_memory, packets_run, packets_control, packets_breakpoints,
    packets_tfind, packets_tracing, packets_experiment, packets_tsave,
    packets_xfer, packets_btrace, packets_queries, packets_threads, packets_lldb,
    packets_interrupted, packets_callers, packets_monitor, packets_watched
  };
  const char *text = (const char *) data;
  const struct packet_handler *best = NULL;
  size_t longest = 0;
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
    for (const struct packet_handler *h = tables[i]; h->prefix != NULL; h++)
      {
	size_t length = strlen (h->prefix);
	/* What takes no arguments is another packet where some follow: qC and
	   qCRC.  */
	if (length > longest && length <= size
	    && memcmp (text, h->prefix, length) == 0
	    && (*h->pattern != 0 || length == size))
	  {
	    longest = length;
	    best = h;
	  }
      }
  client->packets++;
  if (best == NULL)
    return;
  struct packet_args args;
  if (packet_parse (best->pattern, text + longest, size - longest, &args))
    best->handle (client, &args);
  else
    reply_error (client);
}
