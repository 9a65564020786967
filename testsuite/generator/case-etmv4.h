/* A walk encoded as ETMv4 trace, and all that a decoder needs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_CASE_ETMV4_H
#define GEN_CASE_ETMV4_H

#include "generator/encode-etmv4.h"
#include "generator/observe.h"

struct gen_etmv4_case
{
  struct gen_program program;
  struct gen_walk walk;
  struct gen_etmv4_options options;
  struct gen_trace trace;
  struct gen_subject subject;
};

/* A random case of at most STEPS steps.  It must not move.  */
void gen_etmv4_case_make (struct gen_etmv4_case *c, unsigned steps,
			  unsigned trace_id, struct gen_random *random);
void gen_etmv4_case_free (struct gen_etmv4_case *c);

/* Its core and options in a few words.  */
void gen_etmv4_case_describe (const struct gen_etmv4_case *c, char *text,
			      size_t size);

#endif /* GEN_CASE_ETMV4_H */
