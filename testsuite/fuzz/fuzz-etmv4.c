/* ETMv4 and ETE: packets, elements, saving, steps and state, over code of the input's own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the unit (the low two bits) and its settings, 64 bytes of
   code, the trace.  */

#include "config.h"
#include "fuzz.h"

#include "etmv4-run.h"
#include "fuzz-packets.h"

#define CODE_SIZE 64

static const struct run_unit units[] =
{
  { "ETM4.2", "Cortex-A57", 0xc1, 0x28000ea1, 0x4100f424, 0x00000488, 0, 0, { NULL, 0, 0 } },
  { "ETM4.2", "Cortex-M33", 0x1fff, 0x28000ea1, 0x4100f420, 0x00000084, 0, 0, { NULL, 0, 0 } },
  { "ETM4.0", "Cortex-R5", 0xc1, 0x08000ea1, 0x4100f402, 0x00000084, 0, 0, { NULL, 0, 0 } },
  { "ETE", "Cortex-A57", 0xc1, 0x28000ea1, 0x4100fff3, 0xc0000488, 0, 0x47705a13,
    { NULL, 0, 0 } }
};

FUZZ_TARGET (etmv4)
{
  if (size < 1 + CODE_SIZE)
    return 0;
  /* TRCCONFIGR: BB, CCI, CID, VMID, TS, RS.  */
  static const uint32_t settings[] = { 0x8, 0x10, 0x40, 0x80, 0x800, 0x1000 };
  struct run_unit unit = units[data[0] & 3];
  for (unsigned i = 0; i < 6; i++)
    unit.configr ^= data[0] >> (2 + i) & 1 ? settings[i] : 0;
  struct run run;
  unit.code = (struct run_code) { data + 1, CODE_SIZE, 0x1000 };
  MUST (run_init (&run, &unit, data + 1 + CODE_SIZE, size - 1 - CODE_SIZE));
  struct tb_decoder *d = tb_protocol_etmv4.open (&run.config, NULL);
  if (d != NULL)
    {
      struct tb_buffer whole = { 0 }, parts = { 0 };
      d->close (d);
      run_decode (&run, (struct run_reading) { 4096, false }, &whole, NULL);
      run_decode (&run, (struct run_reading) { 3, true }, &parts, NULL);
      /* How it is read makes no difference.  */
      MUST (whole.size == parts.size
	    && memcmp (whole.data, parts.data, whole.size) == 0);
      MUST (check_failures == 0);
      tb_buffer_fini (&whole);
      tb_buffer_fini (&parts);
      fuzz_packets (&run.config);
      struct tb_session_core core = { .profile = run.profile, .map = run.map };
      struct tb_session_stream stream = { .source = &run.device, .core = &core,
					  .buffer = &run.buffer,
					  .protocol = &tb_protocol_etmv4 };
      struct tb_session session = { .streams = &stream, .nstreams = 1 };
      fuzz_session (&session);
    }
  run_fini (&run);
  return 0;
}
