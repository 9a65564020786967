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
  uint8_t words;		/* That the instruction loads or stores.  */
  uint32_t cycles;		/* Since the one before.  */
  struct gen_fact step;
};

/* What data are of.  */
enum gen_etmv3_owner
{
  GEN_NOBODY, GEN_INSN, GEN_ENTRY, GEN_EXIT
};

struct gen_etmv3_transfer
{
  uint8_t owner;
  uint8_t part;			/* Of the owner's transfers.  */
  bool waits;			/* For its value.  */
  uint32_t pc;
  uint64_t at;			/* Steps told up to it.  */
};

struct gen_etmv3_data
{
  uint64_t told;		/* Steps.  */
  struct gen_etmv3_transfer next, late[4];	/* LATE: by tag.  */
  uint32_t address;		/* Sent last.  */
  uint32_t follows;		/* Behind the last transfer.  */
  bool big_endian;
  bool full;			/* The next address must be sent whole.  */
  bool mute;			/* Whose data would come is told only to who began
				   to read before.  */
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
  struct gen_etmv3_data data;
};

/* All facts there are have been told.  */
void gen_etmv3_note (struct gen_etmv3 *e);

void gen_etmv3_add_atom (struct gen_etmv3 *e,
			 const struct gen_etmv3_atom *atom);

/* Put the atoms that wait into packets.  */
void gen_etmv3_flush (struct gen_etmv3 *e);

/* etmv3-data.c: data that come next are of OWNER (an instruction is at PC), ...  */
void gen_etmv3_own_data (struct gen_etmv3 *e, enum gen_etmv3_owner owner,
			 uint32_t pc);

/* ... or of nobody: there was a synchronisation, by which trace STARTS, or which
   others can BEGIN at.  */
void gen_etmv3_sync_data (struct gen_etmv3 *e, bool starts, bool begin);

/* Put some data packets, where there is data trace.  */
void gen_etmv3_put_data (struct gen_etmv3 *e);

/* A fact about cycles.  */
void gen_etmv3_cycles_fact (struct gen_etmv3 *e, uint32_t count,
			    bool with_previous);

#endif /* GEN_ETMV3_ENCODER_H */
