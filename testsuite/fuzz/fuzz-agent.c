/* Agent expressions.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "frame/agent.h"

static bool
reg (void *context, unsigned number, struct tb_value *value)
{
  (void) context;
  *value = (struct tb_value) { .bits = number * UINT64_C (0x123456789abcdef),
			       .mask = number % 3 == 0 ? 0 : UINT64_MAX };
  return number < 40;
}

static void
memory (void *context, uint64_t address, uint8_t *bytes, uint8_t *origins,
	size_t length)
{
  (void) context;
  for (size_t i = 0; i < length; i++)
    {
      bytes[i] = (uint8_t) (address + i);
      origins[i] = (address + i) % 7 == 0 ? TB_UNKNOWN : TB_DERIVED;
    }
}

static bool
get (void *context, unsigned number, struct tb_value *value)
{
  return reg (context, number, value);
}

static bool
set (void *context, unsigned number, const struct tb_value *value)
{
  (void) context;
  (void) value;
  return number < 40;
}

static void
collect (void *context, uint64_t address, uint64_t length)
{
  (void) context;
  (void) address;
  (void) length;
}

FUZZ_TARGET (agent)
{
  const struct tb_agent_world world = {
    .reg = reg, .memory = memory, .get = get, .set = set, .collect = collect,
    .address_mask = size % 2 == 0 ? UINT32_MAX : UINT64_MAX
  };
  struct tb_value value;
  enum tb_agent_status status = tb_agent_run (data, size, &world, &value);
  MUST (status == TB_AGENT_DONE || value.mask == 0);
  MUST (*tb_agent_text (status) != 0 || status == TB_AGENT_DONE);
  tb_agent_sets (data, size);
  tb_agent_reads (data, size);
  return 0;
}
