/* The remote protocol's frames: whatever was appended as a packet is read as that.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "packet.h"

FUZZ_TARGET (packet)
{
  struct packet_reader reader = { .limit = 1000 };
  for (size_t i = 0; i < size; i++)
    if (packet_feed (&reader, data[i]) == PACKET_WHOLE)
      MUST (reader.size <= 1000 && reader.data[reader.size] == 0);
  packet_reader_fini (&reader);

  struct packet_reader again = { .limit = size };
  struct tb_buffer packet = { 0 };
  enum packet_event event = PACKET_NOTHING;
  packet_append (&packet, data, size);
  for (size_t i = 0; i < packet.size; i++)
    event = packet_feed (&again, packet.data[i]);
  MUST (event == PACKET_WHOLE && again.size == size
	&& memcmp (again.data, data, size) == 0);
  packet_reader_fini (&again);
  tb_buffer_fini (&packet);
  return 0;
}
