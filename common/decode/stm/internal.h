/* The STM decoder, inside.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_STM_INTERNAL_H
#define TB_DECODE_STM_INTERNAL_H

#include "decode/decoder.h"
#include "decode/stm/packet.h"

enum tb_stm_phase
{
  TB_STM_PHASE_SEARCH, TB_STM_PHASE_DECODE, TB_STM_PHASE_END,
  TB_STM_PHASE_DONE
};

/* How timestamps are written, as the VERSION packet says.  */
enum tb_stm_time
{
  TB_STM_TIME_UNKNOWN,		/* No VERSION packet yet.  */
  TB_STM_TIME_BINARY, TB_STM_TIME_GRAY,
  /* Of STPv2 and STPv1 trace units other than the CoreSight STM: they count
     from a time that the trace does not tell.  */
  TB_STM_TIME_DELTA, TB_STM_TIME_LEGACY
};

/* All that a checkpoint keeps.  */
struct tb_stm_state
{
  enum tb_stm_phase phase;
  bool report;			/* Say that there is no sync.  */
  uint8_t lost;			/* Why: enum tb_reason  */
  bool half;			/* The low nibble of the next byte is used.  */
  uint8_t ones;			/* Nibbles 0xf before this place, at most
				   TB_STM_ASYNC_ONES.  */
  bool little_endian;
  uint8_t sender_flags;		/* TB_SOFTWARE_ID: the next two are known.  */
  uint8_t time_kind;
  uint16_t master, channel;
  uint64_t time;		/* As written: perhaps in Gray code.  */
  struct tb_decoder_stats stats;
  struct tb_stream_place place;
};

struct tb_stm_decoder
{
  struct tb_decoder base;
  struct tb_stream *stream;
  struct tb_stm_table table;
  struct tb_stm_state s;
};

/* Forget everything and look for synchronisation, which was lost for
   REASON.  */
void tb_stm_lose_sync (struct tb_stm_decoder *decoder, enum tb_reason reason);

/* Go ahead from nibble number FROM of BYTES, which the stream gave, to number
   TO.  */
void tb_stm_consume (struct tb_stm_decoder *decoder, const uint8_t *bytes,
		     size_t from, size_t to);

/* Look for synchronisation in what the stream gives.  Returns how many elements
   that made: one at most.  */
size_t tb_stm_search (struct tb_stm_decoder *decoder, struct tb_element *out);

/* Take packets until ROOM elements are made or synchronisation is lost.
   Returns how many elements.  */
size_t tb_stm_decode (struct tb_stm_decoder *decoder, struct tb_element *out,
		      size_t room);

#endif /* TB_DECODE_STM_INTERNAL_H */
