/* ETMv3 and PTM: packets, elements, saving, steps and state, over code of the input's own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the unit (the low three bits) and its settings, 64 bytes of
   code, the trace.  */

#include "config.h"
#include "fuzz.h"

#include "fuzz-packets.h"
#include "v7-run.h"

#define CODE_SIZE 64

static const struct v7_unit units[] =
{
  { "ETM3.5", "Cortex-A7", 0x400, 0x410cf250, 0x344008f2, { NULL, 0, 0 } },
  { "ETM3.5", "Cortex-M3", 0x1400, 0x4114f250, 0x18541800, { NULL, 0, 0 } },
  { "ETM3.5", "Cortex-R4", 0xc40c, 0x4104f250, 0x044008f2, { NULL, 0, 0 } },
  { "ETM3.0", "ARM1136JF-S", 0x100404, 0x4100f200, 0, { NULL, 0, 0 } },
  { "PTM1.1", "Cortex-A15", 0x20000400, 0x411cf312, 0x35c01ac2, { NULL, 0, 0 } },
  { "PTM1.0", "Cortex-A9", 0xd400, 0x411cf302, 0x00c019a2, { NULL, 0, 0 } }
};

FUZZ_TARGET (v7)
{
  if (size < 1 + CODE_SIZE)
    return 0;
  /* ETMCR: data addresses and values, cycle-accurate, context IDs, timestamps, return
     stack.  */
  static const uint32_t settings[] = { 0xc, 0x1000, 0xc000, 0x10000000, 0x20000000 };
  struct v7_unit unit = units[(data[0] & 7) % (sizeof units / sizeof units[0])];
  for (unsigned i = 0; i < 5; i++)
    unit.cr ^= data[0] >> (3 + i) & 1 ? settings[i] : 0;
  struct run run;
  unit.code = (struct run_code) { data + 1, CODE_SIZE, 0x1000 };
  MUST (v7_run_init (&run, &unit, data + 1 + CODE_SIZE, size - 1 - CODE_SIZE));
  struct tb_buffer whole = { 0 }, parts = { 0 };
  run_decode (&run, (struct run_reading) { RUN_MOST, false }, &whole, NULL);
  run_decode (&run, (struct run_reading) { 3, true }, &parts, NULL);
  /* How it is read makes no difference.  */
  MUST (check_failures == 0 && whole.size == parts.size
	&& memcmp (whole.data, parts.data, whole.size) == 0);
  tb_buffer_fini (&whole);
  tb_buffer_fini (&parts);
  fuzz_packets (&run.config);
  struct tb_session_core core = { .profile = run.profile, .map = run.map };
  struct tb_session_stream stream = { .source = &run.device, .core = &core,
				      .buffer = &run.buffer,
				      .protocol = tb_protocol_find (unit.type) };
  struct tb_session session = { .streams = &stream, .nstreams = 1 };
  fuzz_session (&session);
  run_fini (&run);
  return 0;
}
