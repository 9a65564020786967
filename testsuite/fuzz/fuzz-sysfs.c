/* Folders of Linux's trace units and buffers: the input has their files, as fuzz-folder.h
   has them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"
#include "fuzz-folder.h"

FUZZ_TARGET (sysfs)
{
  const char *folder = fuzz_folder (data, size);
  /* A file's name as in the folder could be an ELF file's, too.  */
  char elf[sizeof fuzz_folder_path + 10];
  snprintf (elf, sizeof elf, "%s/code.elf", folder);
  const struct tb_session_elf elves[] = { { .path = elf, .core = NULL } };
  const struct tb_session_options options = {
    .elves = elves, .nelves = access (elf, R_OK) == 0
  };
  struct tb_session session;
  if (tb_session_open (&session, folder, &options, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  return 0;
}
