/* The STM decoder's interface.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/stm/internal.h"

#include <strings.h>

static bool
stm_matches (const char *type)
{
  return strncasecmp (type, "STM", 3) == 0;
}

static unsigned
stm_trace_id (const struct tb_device *source)
{
  return tb_sw_trace_id (tb_sw_control_register (source, "STMTCSR"));
}

static const struct tb_sw_methods methods =
{
  .decoder_size = sizeof (struct tb_stm_decoder),
  .state_offset = offsetof (struct tb_stm_decoder, s),
  .state_size = sizeof (struct tb_stm_state),
  .id_register = "STMTCSR",
  .search = tb_stm_search,
  .decode = tb_stm_decode,
  .forget = tb_stm_forget
};

static struct tb_decoder *
stm_open (const struct tb_decoder_config *config, struct tb_diag *diag)
{
  struct tb_sw_decoder *sw = tb_sw_open (config, &tb_protocol_stm, &methods, diag);
  return sw == NULL ? NULL : &sw->base;
}

/* TRACEID is STMTCSR bits 22:16.  */
static const struct tb_kind_register stm_registers[] = { { 0x3a0, "STMTCSR", 0 } };
static const struct tb_kind stm_kind = { "STM", 0, 1, 0, 16, stm_registers, NULL };

const struct tb_protocol tb_protocol_stm = {
  .name = "STM",
  .matches = stm_matches,
  .trace_id = stm_trace_id,
  .open = stm_open,
  .software = true,
  .sync_text = "21 nibbles 0xf and one 0x0",
  .states_clock = true,
  .packet_names = tb_stm_count_names,
  .npacket_types = TB_STM_COUNTS,
  .packet_text = tb_stm_packet_text,
  .kinds = &stm_kind,
  .nkinds = 1
};
