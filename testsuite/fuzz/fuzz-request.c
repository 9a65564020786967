/* Tracepoints as --trace takes them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "fuzz.h"

#include "frame/request.h"

FUZZ_TARGET (request)
{
  char *text = malloc (size + 1);
  struct tb_request request;
  MUST (text != NULL);
  memcpy (text, data, size);
  text[size] = 0;
  if (tb_request_parse (&request, text, "--trace", NULL))
    tb_request_fini (&request);
  free (text);
  return 0;
}
