/* The inputs of a batch: those that the user named, and those below folders.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_ITEMS_H
#define TB_CONVERTER_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "util/diag.h"

/* A snapshot or a log.  */
struct item
{
  char *input;			/* Its path.  */
  char *name;			/* What its outputs are called: the path below the
				   folder it was found in, or the last part of the
				   path that the user gave.  */
  char *base;			/* The path of its outputs, without suffix.  */
};

/* A file below a folder that has the name of a log and cannot be read as one.  */
struct passed
{
  char *input, *name;		/* As those of an item.  */
  char *why;			/* What is said of it when it is the INPUT.  */
};

struct items
{
  struct item *list;		/* In order of their names.  */
  size_t count, room;
  struct passed *passed;
  size_t npassed, passed_room;
  bool nothing_below;		/* A folder that was given has no input, as was said.  */
};

/* Find all inputs of OPTIONS, those of other shards left out, and warn of files that
   are passed over.  False after a diagnostic: something is not there, or two would
   have one output.  */
bool items_find (struct items *items, const struct options *options,
		 struct tb_diag *diag);
void items_fini (struct items *items);

#endif /* TB_CONVERTER_ITEMS_H */
