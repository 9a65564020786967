/* Raw trace of which nothing tells what sent it: the kind of unit and its settings are worked
   out, and what they lead to is looked at.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input: a byte that chooses the core and the format, 64 bytes of code, the trace.  */

#include "config.h"
#include "fuzz.h"

#include "snapshot/maker.h"

#define CODE_SIZE 64

FUZZ_TARGET (guess)
{
  static const char *const cores[] = { "Cortex-A57", "Cortex-M33", "Cortex-A9", "Cortex-M3" };
  static const enum tb_buffer_format formats[] = { TB_FORMAT_OTHER, TB_FORMAT_SOURCE_DATA,
						    TB_FORMAT_CORESIGHT };
  if (size < 1 + CODE_SIZE)
    return 0;
  struct tb_snapshot snapshot;
  struct tb_maker m;
  tb_maker_init (&m, &snapshot, "input", NULL);
  size_t c = tb_maker_device (&m, TB_CLASS_CORE, "cpu", cores[data[0] & 3], "cpu.ini");
  size_t s = tb_maker_device (&m, TB_CLASS_TRACE_SOURCE, "unit", "", "unit.ini");
  tb_maker_unsettled (&m, s);
  tb_maker_memory (&m, c, "code", data + 1, CODE_SIZE, TB_SPACE_ANY, 0x1000);
  size_t b = tb_maker_buffer (&m, "buffer", formats[(data[0] >> 2 & 3) % 3]);
  tb_maker_span (&m, b, data + 1 + CODE_SIZE, size - 1 - CODE_SIZE);
  if (data[0] & 16)
    tb_maker_join (&m, b);
  tb_maker_stream (&m, s, c, b);
  struct tb_session session;
  if (tb_maker_finish (&m) == TB_OK
      && tb_session_open_made (&session, &snapshot, NULL, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  return 0;
}
