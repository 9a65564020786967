/* An encoded trace of any protocol, and all that a decoder needs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_CASE_H
#define GEN_CASE_H

#include "generator/observe.h"

enum gen_protocol
{
  GEN_ETMV3, GEN_PTM, GEN_ETMV4, GEN_ITM, GEN_STM, GEN_PROTOCOLS
};

struct gen_case
{
  enum gen_protocol protocol;
  struct gen_program program;	/* ITM, STM: none.  */
  struct gen_walk walk;
  struct gen_trace trace;
  struct gen_subject subject;
  bool waits;			/* Elements wait to be committed.  */
  char about[200];		/* Its core and options in a few words.  */
};

/* A random case of at most STEPS steps.  It must not move.  */
void gen_case_make (struct gen_case *c, enum gen_protocol protocol,
		    unsigned steps, unsigned trace_id,
		    struct gen_random *random);
void gen_case_free (struct gen_case *c);

/* The main function of a program that tests the properties of the decoder of
   PROTOCOL: walks from SEED on, COUNT of them.  */
int gen_case_main (int argc, char **argv, enum gen_protocol protocol,
		   uint64_t seed, unsigned count);

#endif /* GEN_CASE_H */
