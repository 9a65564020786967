/* Outcomes of operations that can fail.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_STATUS_H
#define TB_UTIL_STATUS_H

/* What a function that can fail returns.  Anything but TB_OK has been
   explained through the caller's diagnostics (util/diag.h) before it is
   returned.  Bad trace is never a status: it becomes a gap element.  */
enum tb_status
{
  TB_OK = 0,
  TB_ERR_INPUT,		/* A snapshot, ELF or log says what cannot be.  */
  TB_ERR_IO,		/* A file cannot be opened, read or written.  */
  TB_ERR_MEMORY,	/* No memory, or an input asks for an absurd amount.  */
  TB_ERR_UNSUPPORTED	/* Understood, but this program cannot do it.  */
};

#endif /* TB_UTIL_STATUS_H */
