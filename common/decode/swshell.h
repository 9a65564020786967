/* What the decoders of ITM and STM have in common: where they stand, and the
   interface to callers.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A protocol's decoder begins with struct tb_sw_decoder, and its state, one
   block of memory without pointers, with struct tb_sw_state.  */

#ifndef TB_DECODE_SWSHELL_H
#define TB_DECODE_SWSHELL_H

#include "decode/decoder.h"

enum tb_sw_phase
{
  TB_SW_SEARCH,			/* For synchronisation.  */
  TB_SW_DECODE, TB_SW_END, TB_SW_DONE
};

/* All that a checkpoint keeps begins with this.  */
struct tb_sw_state
{
  enum tb_sw_phase phase;
  bool report;			/* Say that there is no sync.  */
  uint8_t lost;			/* Why: enum tb_reason  */
  bool overflow;		/* Packets were lost before the next one.  */
  struct tb_decoder_stats stats;
  struct tb_stream_place place;
};

struct tb_sw_decoder;

/* What a protocol does.  */
struct tb_sw_methods
{
  size_t decoder_size, state_offset, state_size;
  /* The register that has the trace ID, for diagnostics.  */
  const char *id_register;
  /* Look for synchronisation in the LENGTH > 0 bytes at BYTES, which the stream
     gave, and consume what is done with.  */
  void (*search) (struct tb_sw_decoder *decoder, const uint8_t *bytes,
		  size_t length);
  /* Take packets until ROOM elements are made or synchronisation is lost.
     Returns how many elements.  */
  size_t (*decode) (struct tb_sw_decoder *decoder, struct tb_element *out,
		    size_t room);
  /* Synchronisation is lost: nothing that packets said counts.  AT_BREAK: nor
     does what bytes came last.  */
  void (*forget) (struct tb_sw_decoder *decoder, bool at_break);
};

struct tb_sw_decoder
{
  struct tb_decoder base;
  struct tb_stream *stream;
  const struct tb_sw_methods *methods;
  struct tb_sw_state *state;
};

/* A decoder of CONFIG's source for PROTOCOL, as its open () should return it;
   all else in it is zero.  NULL after a diagnostic.  */
struct tb_sw_decoder *tb_sw_open (const struct tb_decoder_config *config,
				  const struct tb_protocol *protocol,
				  const struct tb_sw_methods *methods,
				  struct tb_diag *diag);

/* Forget everything and look for synchronisation, which was lost for
   REASON.  */
void tb_sw_lose_sync (struct tb_sw_decoder *decoder, enum tb_reason reason);

/* The register of SOURCE with the trace ID in bits 22:16, at 0xe80: snapshots
   give its number as such or as that of a word.  NULL: it is not there.  */
const struct tb_device_reg *
tb_sw_control_register (const struct tb_device *source, const char *name);

static inline unsigned
tb_sw_trace_id (const struct tb_device_reg *control)
{
  return control != NULL ? control->value >> 16 & 0x7f : TB_ID_NONE;
}

#endif /* TB_DECODE_SWSHELL_H */
