/* The data stream that a trace unit sends apart (ETMv4), as far as it can be read:
   what its packets are called.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: the headers and names that OpenCSD declares (trc_pkt_types_etmv4.h, "D stream
   packets").  How long the packets are and what their fields mean is told by no public
   source, so where the one after such a packet begins is known by synchronisation alone: eleven
   bytes of zero and one of 0x80 (IHI 0064, "Alignment Synchronization packet").  */

#ifndef TB_DECODE_DATA_STREAM_H
#define TB_DECODE_DATA_STREAM_H

#include <stdbool.h>
#include <stdint.h>

/* The packet with HEADER; behind 0x00, which leads an extension, with NEXT.  */
const char *tb_data_stream_name (uint8_t header, uint8_t next);

#define TB_DATA_STREAM_SYNC "Alignment Synchronization"
#define TB_DATA_STREAM_SYNC_BYTES 12

/* Looks for synchronisation.  Zero-initialise.  */
struct tb_data_stream_sync
{
  unsigned zeros;		/* So many came last.  */
};

/* Is BYTE, the next one, the last of a synchronisation packet?  */
bool tb_data_stream_synchronised (struct tb_data_stream_sync *sync, uint8_t byte);

#endif /* TB_DECODE_DATA_STREAM_H */
