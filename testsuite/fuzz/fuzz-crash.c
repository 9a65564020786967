/* Core dumps of kernels: header, registers, memory, lines of a console.  An input of files, as
   fuzz-folder.h has them, is the file "dump" with the program "program.elf", by whose table
   Zephyr's threads are found.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"
#include "fuzz-folder.h"

FUZZ_TARGET (crash)
{
  char dump[sizeof fuzz_folder_path + 20], program[sizeof dump];
  const struct tb_session_elf elves[] = { { .path = program, .core = NULL } };
  struct tb_session session;
  /* The second is a core of AArch64, too.  */
  struct tb_session_options options = {
    .core_type = size % 2 == 0 ? "Cortex-M33" : "ARMv8-A"
  };
  if (!fuzz_is_folder (data, size))
    {
      fuzz_input (data, size, &options);
      return 0;
    }
  const char *folder = fuzz_folder (data, size);
  snprintf (dump, sizeof dump, "%s/dump", folder);
  snprintf (program, sizeof program, "%s/program.elf", folder);
  options = (struct tb_session_options) {
    .elves = elves, .nelves = access (program, R_OK) == 0, .core_type = "Cortex-M33"
  };
  if (tb_session_open (&session, dump, &options, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  return 0;
}
