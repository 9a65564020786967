/* Trace requests: tracepoints as a user writes them down.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A request is one line,

     LOCATION [if CONDITION] [collect ITEM, ...] [passcount N]
	      [while-stepping N [collect ITEM, ...]]

   in GDB's words.  LOCATION is a place in the code or a kind of event (see enum
   tb_request_kind).  What it means in a program is found out later
   (frame/request-define.h); here it is only taken apart.  */

#ifndef TB_FRAME_REQUEST_H
#define TB_FRAME_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

enum tb_request_kind
{
  TB_REQUEST_PLACE,		/* *ADDRESS, 0x..., SYMBOL, *SYMBOL,
				   SYMBOL+OFFSET, FILE:LINE, FILE:FUNCTION.  */
  TB_REQUEST_FUNCTIONS,		/* /REGEX/: each function whose name matches; a
				   tracepoint each.  */
  /* A frame before the first instruction of each handler; before the first one
     behind each gap; before each instruction that writes a byte of SUBJECT, that stores
     the value SUBJECT, or that puts it into a register; before each branch that is taken;
     before the first instruction of what is called; before each instruction that returns
     from a call.  */
  TB_REQUEST_EXCEPTIONS,	/* exceptions  */
  TB_REQUEST_GAPS,		/* gaps  */
  TB_REQUEST_WRITES,		/* writes to ADDRESS|SYMBOL[+OFFSET][,LENGTH],
				   writes to EXPRESSION[,LENGTH]  */
  TB_REQUEST_STORES,		/* writes of VALUE[,LENGTH]  */
  TB_REQUEST_TAKES,		/* values of VALUE [in REGISTER]  */
  TB_REQUEST_BRANCHES,		/* branches  */
  TB_REQUEST_CALLS,		/* calls [of FUNCTION]  */
  TB_REQUEST_RETURNS,		/* returns [of FUNCTION]  */
  /* Before the first instruction before which software, or the DWT, has said
     something: recording/lane.h.  */
  TB_REQUEST_SOFTWARE		/* software [CHANNEL|MASTER:CHANNEL|dwt]  */
};

/* LENGTH characters from OFFSET on in the text of a request; LENGTH 0: there is
   none.  */
struct tb_request_part
{
  size_t offset, length;
};

struct tb_request_item
{
  struct tb_request_part part;
  bool stepping;		/* Collected at the steps behind a hit.  */
};

struct tb_request
{
  char *text;
  const char *origin;		/* Where it stands, for messages: "--trace",
				   "FILE:LINE"; borrowed.  */
  enum tb_request_kind kind;
  struct tb_request_part place;	/* All of the location.  */
  /* PLACE: the same; FUNCTIONS: the expression; WRITES: what is written; STORES, TAKES:
     the value, and what follows it; CALLS,
     RETURNS: the function, SOFTWARE: the channel, if one is named.  */
  struct tb_request_part subject;
  struct tb_request_part condition;
  struct tb_request_item *items;
  size_t nitems, item_capacity;
  uint64_t steps, pass;
};

/* Take TEXT apart.  ORIGIN is borrowed.  False after a diagnostic that shows the
   place; REQUEST is then empty.  */
bool tb_request_parse (struct tb_request *request, const char *text,
		       const char *origin, struct tb_diag *diag);
void tb_request_fini (struct tb_request *request);

/* Report as an error what is wrong at OFFSET of REQUEST's text, and show it.  */
void tb_request_error (const struct tb_request *request, size_t offset,
		       struct tb_diag *diag, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));

/* The characters of PART.  */
static inline const char *
tb_request_at (const struct tb_request *request, struct tb_request_part part)
{
  return request->text + part.offset;
}

/* A number in C's way (decimal, 0x..., 0...) of all of the LENGTH characters at
   TEXT.  */
bool tb_request_number (const char *text, size_t length, uint64_t *number);

#endif /* TB_FRAME_REQUEST_H */
