/* Code that cannot be what ran: counting, and saying so.  See decoder.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/decoder.h"

#include <inttypes.h>

static const struct
{
  const char *name, *text;
} faults[TB_FAULT_COUNT] = {
  [TB_FAULT_NOT_TAKEN] = { "not-taken", "what has no condition did not run" },
  [TB_FAULT_JUMP] = { "jump", "the trace goes on elsewhere than the code" },
  [TB_FAULT_UNDEFINED] = { "undefined", "what ran is no instruction" },
  [TB_FAULT_TRAP] = { "trap", "what stops the core (BKPT, UDF, SVC) did not" },
  [TB_FAULT_RUNAWAY] = { "runaway", "the code has no end within reach" }
};

void
tb_count_fault (struct tb_decoder_stats *stats, enum tb_fault fault,
		uint64_t index, uint64_t address)
{
  if (stats->bad_image < TB_FAULT_PLACES)
    stats->places[stats->bad_image]
      = (struct tb_fault_place) { index, address, fault };
  stats->bad_image++;
  stats->faults[fault]++;
}

void
tb_uncount_fault (struct tb_decoder_stats *stats, enum tb_fault fault)
{
  stats->bad_image--;
  stats->faults[fault]--;
}

const char *
tb_fault_name (enum tb_fault fault)
{
  return faults[fault].name;
}

void
tb_faults_text (struct tb_buffer *buffer, const struct tb_decoder_stats *stats)
{
  const char *separator = "";
  for (unsigned i = 0; i < TB_FAULT_COUNT; i++)
    if (stats->faults[i] > 0)
      {
	tb_buffer_printf (buffer, "%s%" PRIu64 " times %s", separator,
			  stats->faults[i], faults[i].text);
	separator = ", ";
      }
  separator = "; first ";
  for (unsigned i = 0; i < tb_fault_places (stats); i++)
    {
      const struct tb_fault_place *place = &stats->places[i];
      tb_buffer_printf (buffer, "%sat byte %#" PRIx64 " by the code at %#"
			PRIx64 " (%s)", separator, place->index,
			place->address, faults[place->fault].name);
      separator = ", ";
    }
}
