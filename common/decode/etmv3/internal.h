/* The ETMv3 decoder's own parts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Each packet becomes its elements at once; none waits.  Where a later packet
   can take an instruction back (branch with cancel), the bytes ahead are looked
   at before the instruction is listed.  */

#ifndef TB_DECODE_ETMV3_INTERNAL_H
#define TB_DECODE_ETMV3_INTERNAL_H

#include "decode/etmv3/code.h"
#include "decode/etmv3/packet.h"
#include "decode/v7shell.h"

struct tb_etmv3_decoder
{
  struct tb_v7_decoder v7;	/* HERE: struct tb_etmv3_instruction.  */
  struct tb_etmv3_table table;
  struct tb_etmv3_code *code;
  bool cycle_accurate;
  bool halves;			/* 32-bit T32 instructions have two atoms.  */
};

/* decode.c  */

/* What packet P says.  */
void tb_etmv3_decode_packet (struct tb_etmv3_decoder *d,
			     struct tb_element **out,
			     const struct tb_etmv3_packet *p);

/* cancel.c: what becomes of the instruction, or of the exception return, of the
   packet that ends at AT.  */

bool tb_etmv3_look_for_cancel (struct tb_etmv3_decoder *d);

/* A later packet says that the instruction did not run.  */
static inline bool
tb_etmv3_instruction_cancelled (struct tb_etmv3_decoder *d)
{
  /* Most often more atoms come next.  */
  const struct tb_v7_decoder *v7 = &d->v7;
  if (v7->at < v7->length && d->table.header[v7->view[v7->at]].natoms > 0)
    return false;
  return tb_etmv3_look_for_cancel (d);
}

/* A later packet says that the exception return was not completed.  If not,
   *RESUME is where it led; *KNOWN: if that is told.  */
bool tb_etmv3_return_cancelled (struct tb_etmv3_decoder *d, uint32_t *resume,
				bool *known);

/* flow.c  */

/* A branch packet at hand without exception gives TARGET: where the program
   already is, if the code is what ran.  */
static inline void
tb_etmv3_check_target (struct tb_etmv3_decoder *d, uint32_t target)
{
  struct tb_v7_state *s = &d->v7.state;

  if (__builtin_expect (s->have_address && s->address != target, 0)
      && !s->returned)
    tb_count_fault (&s->stats, TB_FAULT_JUMP, s->index, s->address);
}

/* The address and the ISA of a branch packet after what the state has.  */
uint32_t tb_etmv3_branch_target (const struct tb_etmv3_decoder *d,
				 const struct tb_etmv3_packet *packet,
				 enum tb_isa *isa);

/* The packet at hand is a P-header.  */
void tb_etmv3_follow (struct tb_etmv3_decoder *d, struct tb_element **out,
		      const struct tb_etmv3_header *atoms);

#endif /* TB_DECODE_ETMV3_INTERNAL_H */
