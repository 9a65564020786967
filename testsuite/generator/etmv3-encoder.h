/* The ETMv3 encoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef GEN_ETMV3_ENCODER_H
#define GEN_ETMV3_ENCODER_H

#include "generator/encode-etmv3.h"

#define GEN_ETMV3_ATOMS 32

/* An atom that waits for a packet.  */
struct gen_etmv3_atom
{
  bool passed;
  bool half;			/* The first of two of an instruction.  */
  uint32_t cycles;		/* Since the one before.  */
  struct gen_fact step;
};

struct gen_etmv3
{
  struct gen_trace *trace;
  const struct gen_walk *walk;
  const struct gen_etmv3_options *options;
  struct gen_random *random;
  bool is_m;

  struct gen_v7_last last;
  uint64_t timestamp;		/* As sent.  */
  bool timestamp_sent;		/* Since the last A-sync.  */
  struct gen_etmv3_atom atoms[GEN_ETMV3_ATOMS];
  unsigned natoms;
  size_t known;			/* Facts that packets have told.  */
  struct gen_context context;
  uint32_t cid, vmid;		/* As told.  */
  bool begun;			/* There has been an I-sync packet.  */
  bool vmid_told;
  bool off;
  unsigned reason;		/* Of the next I-sync packet.  */
  bool sync_due;
};

/* All facts there are have been told.  */
void gen_etmv3_note (struct gen_etmv3 *e);

void gen_etmv3_add_atom (struct gen_etmv3 *e,
			 const struct gen_etmv3_atom *atom);

/* Put the atoms that wait into packets.  */
void gen_etmv3_flush (struct gen_etmv3 *e);

/* A fact about cycles.  */
void gen_etmv3_cycles_fact (struct gen_etmv3 *e, uint32_t count,
			    bool with_previous);

#endif /* GEN_ETMV3_ENCODER_H */
