/* --trace and --trace-file on the command line.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/buffer.h"
#include "util/fnv.h"

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  fprintf (stderr, "tracebridge-convert: %s\n", message);
}

static struct trace_option *
add (struct options *o, bool is_file)
{
  if (!TB_GROW (o->traces.items, o->traces.capacity, o->traces.count, 1))
    usage_no_memory ();
  struct trace_option *option = &o->traces.items[o->traces.count++];
  *option = (struct trace_option) { .is_file = is_file };
  return option;
}

void
parse_trace (struct options *o, const char *text)
{
  struct tb_diag diag = { .report = say };
  if (!tb_request_parse (&add (o, false)->request, text, "--trace", &diag))
    try_help ();
}

void
parse_trace_file (struct options *o, const char *path)
{
  struct tb_diag diag = { .report = say };
  struct trace_option *option = add (o, true);
  if (!tb_request_file_read (&option->file, path, &diag))
    exit (EXIT_FAILED);
  /* What is in it shapes outputs.  */
  o->hash = tb_fnv_u64 (o->hash, option->file.hash);
}

void
options_fini_traces (struct options *o)
{
  for (size_t i = 0; i < o->traces.count; i++)
    if (o->traces.items[i].is_file)
      tb_request_file_fini (&o->traces.items[i].file);
    else
      tb_request_fini (&o->traces.items[i].request);
  free (o->traces.items);
  o->traces = (struct trace_options) { .items = NULL };
}
