/* The data stream of an ETMv4: what its packets are called.  See decode/data-stream.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/data-stream.h"

#include <stddef.h>

/* Headers whose bits in MASK are VALUE; no two rows have one in common.  */
static const struct header_row
{
  uint8_t mask, value;
  const char *name;
} headers[] = {
  { 0xff, 0x01, "Unnumbered Data Synchronization Marker" },
  { 0xff, 0x02, "Timestamp" },
  { 0xff, 0x03, "Suppression" },
  { 0xff, 0x04, "Event" },
  { 0xfc, 0x10, "P2 Data Value format 4" },
  { 0xfc, 0x14, "P1 Data Address format 3" },
  { 0xf8, 0x18, "P2 Data Value format 5" },
  { 0xf0, 0x20, "P2 Data Value format 1" },
  { 0xf8, 0x30, "P2 Data Value format 2" },
  { 0xf8, 0x38, "P2 Data Value format 6" },
  { 0xe0, 0x40, "P2 Data Value format 3" },
  { 0xf0, 0x60, "P1 Data Address format 4" },
  { 0xf0, 0x70, "P1 Data Address format 1" },
  { 0xc0, 0x80, "P1 Data Address format 2" },
  { 0xff, 0xf5, "P1 Data Address format 7" },
  { 0xfe, 0xf6, "P1 Data Address format 6" },
  { 0xf8, 0xf8, "P1 Data Address format 5" }
};

/* The bytes behind 0x00.  */
static const struct header_row extensions[] = {
  { 0xff, 0x00, TB_DATA_STREAM_SYNC },
  { 0xff, 0x01, "Trace Info" },
  { 0xff, 0x03, "Discard" },
  { 0xff, 0x05, "Overflow" },
  { 0xf1, 0x11, "Numbered Data Synchronization Marker" }
};

static const char *
find (const struct header_row *rows, size_t count, uint8_t byte)
{
  for (size_t i = 0; i < count; i++)
    if ((byte & rows[i].mask) == rows[i].value)
      return rows[i].name;
  return "Reserved";
}

const char *
tb_data_stream_name (uint8_t header, uint8_t next)
{
  return header == 0 ? find (extensions, sizeof extensions / sizeof extensions[0], next)
	 : find (headers, sizeof headers / sizeof headers[0], header);
}

bool
tb_data_stream_synchronised (struct tb_data_stream_sync *sync, uint8_t byte)
{
  bool whole = byte == 0x80 && sync->zeros >= TB_DATA_STREAM_SYNC_BYTES - 1;
  sync->zeros = byte != 0 ? 0 : sync->zeros < TB_DATA_STREAM_SYNC_BYTES ? sync->zeros + 1
		: sync->zeros;
  return whole;
}
