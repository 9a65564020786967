/* Snapshot folders: the input has their files, each as fuzz-folder.h has
   them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "fuzz-folder.h"

FUZZ_TARGET (snapshot)
{
  const char *folder = fuzz_folder (data, size);
  struct tb_session session;
  if (tb_session_open (&session, folder, NULL, NULL) == TB_OK)
    {
      fuzz_session (&session);
      tb_session_close (&session);
    }
  return 0;
}
