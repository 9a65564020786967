/* The STM decoder, inside.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_DECODE_STM_INTERNAL_H
#define TB_DECODE_STM_INTERNAL_H

#include "decode/stm/packet.h"
#include "decode/swshell.h"

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
  struct tb_sw_state sw;
  bool half;			/* The low nibble of the next byte is used.  */
  uint8_t ones;			/* Nibbles 0xf before this place, at most
				   TB_STM_ASYNC_ONES.  */
  bool little_endian;
  uint8_t sender_flags;		/* TB_SOFTWARE_ID: the next two are known.  */
  uint8_t time_kind;
  uint16_t master, channel;
  uint64_t time;		/* As written: perhaps in Gray code.  */
};

struct tb_stm_decoder
{
  struct tb_sw_decoder sw;
  struct tb_stm_state s;
};

/* Go ahead from nibble number FROM of BYTES, which the stream gave, to number
   TO.  */
void tb_stm_consume (struct tb_stm_decoder *decoder, const uint8_t *bytes,
		     size_t from, size_t to);

/* sync.c, decode.c: what struct tb_sw_methods wants.  */
void tb_stm_forget (struct tb_sw_decoder *sw, bool at_break);
void tb_stm_search (struct tb_sw_decoder *sw, const uint8_t *bytes,
		    size_t length);
size_t tb_stm_decode (struct tb_sw_decoder *sw, struct tb_element *out,
		      size_t room);

#endif /* TB_DECODE_STM_INTERNAL_H */
