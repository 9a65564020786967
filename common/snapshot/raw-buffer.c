/* The bytes of a trace buffer, as they are.  See raw-buffer.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/raw-buffer.h"

#include <string.h>

#include "snapshot/maker.h"

enum tb_status
tb_raw_buffer_read (struct tb_snapshot *snapshot, const char *path, const char *core_type,
		    struct tb_diag *diag)
{
  struct tb_maker maker;
  tb_maker_init (&maker, snapshot, path, diag);
  const struct tb_file *file = tb_maker_file (&maker, path);
  const char *slash = strrchr (path, '/');
  if (file != NULL)
    {
      tb_maker_device (&maker, TB_CLASS_CORE, "core", core_type, path);
      size_t buffer = tb_maker_buffer (&maker, slash != NULL ? slash + 1 : path, TB_FORMAT_OTHER);
      tb_maker_span (&maker, buffer, file->map.data, file->map.size);
    }
  return tb_maker_finish (&maker);
}
