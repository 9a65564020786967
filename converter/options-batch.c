/* Options for many inputs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "options-values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* K/N  */
bool
parse_shard (struct batch_options *batch, const char *text)
{
  char *end;
  errno = 0;
  unsigned long k = strtoul (text, &end, 10), n = 0;
  if (end != text && *end == '/' && end[1] >= '0' && end[1] <= '9')
    n = strtoul (end + 1, &end, 10);
  if (*text == '-' || *end != '\0' || errno != 0 || k < 1 || n < k
      || n > 1000000)
    return false;
  batch->shard = (unsigned) k;
  batch->shards = (unsigned) n;
  return true;
}

bool
add_input_list (struct batch_options *batch, const char *path)
{
  const char **lists = realloc ((void *) batch->lists,
				(batch->nlists + 1) * sizeof *lists);
  if (lists == NULL)
    return false;
  lists[batch->nlists++] = path;
  batch->lists = lists;
  return true;
}
