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
  bool has_data;		/* There is data trace.  */
};

/* decode.c  */

/* What packet P says.  */
void tb_etmv3_decode_packet (struct tb_etmv3_decoder *d,
			     struct tb_element **out,
			     const struct tb_etmv3_packet *p);

/* cancel.c: what becomes of the instruction, or of the exception return, of the
   packet that ends at AT.  */

/* The same, where more atoms do not come next.  */
bool tb_etmv3_cancelled_later (struct tb_etmv3_decoder *d);

/* Packets of the view from AT on show that the instruction before it ran.  False: it did not, or
   that is told further on.  */
bool tb_etmv3_stands (const struct tb_etmv3_decoder *d, size_t at);

/* A later packet says that the instruction did not run.  Most often atoms come next, or
   behind a short branch.  */
static inline bool
tb_etmv3_instruction_cancelled (struct tb_etmv3_decoder *d)
{
  const struct tb_v7_decoder *v7 = &d->v7;
  const struct tb_etmv3_header *headers = d->table.header;
  const uint8_t *next = v7->view + v7->at;

  if (v7->length - v7->at < 3)
    return tb_etmv3_cancelled_later (d);
  if (headers[next[0]].natoms > 0)
    return false;
  struct tb_v7_address address;
  unsigned size = headers[next[0]].type != TB_ETMV3_BRANCH ? 0
		  : tb_v7_address_short (&address, (enum tb_v7_address_form) d->table.form,
					 next, 2);
  return !(size > 0 && headers[next[size]].natoms > 0) && tb_etmv3_cancelled_later (d);
}

/* A later packet says that the exception return was not completed.  If not,
   *RESUME is where it led; *KNOWN: if that is told.  */
bool tb_etmv3_return_cancelled (struct tb_etmv3_decoder *d, uint32_t *resume,
				bool *known);

/* data.c: a packet of data trace; and data are of nobody that is known from here
   on.  */
void tb_etmv3_decode_data (struct tb_etmv3_decoder *d, struct tb_element **out,
			   const struct tb_etmv3_packet *p);

/* The same of the packet at hand, which is of type DATA; TB_ETMV3_DATA_ROOM bytes follow its
   header.  Returns its size.  */
size_t tb_etmv3_decode_normal_data (struct tb_etmv3_decoder *d,
				    struct tb_element **out);

static inline void
tb_etmv3_disown_data (struct tb_etmv3_decoder *d)
{
  d->v7.state.data.now.next = (struct tb_v7_transfer) { .owner = TB_V7_NOBODY };
}

/* An instruction that is IN, if that is not NULL, is not listed: it was taken back,
   or is NOT_KNOWN.  Its data are not those of the one before.  */
void tb_etmv3_disown_unlisted (struct tb_etmv3_decoder *d,
			       const struct tb_etmv3_instruction *in,
			       bool not_known);

/* The COUNT instructions of a line from IN on were listed; the last one was EXECUTED, those
   before it were.  Data that come in order are the newest one's that transfers some
   (IHI 0014, 7.4.2).  */
static inline void
tb_etmv3_own_data (struct tb_v7_in_order *data,
		   const struct tb_etmv3_instruction *in, unsigned count,
		   bool executed)
{
  unsigned ran = count - !executed;

  data->count += count;
  while (ran > 0 && in[ran - 1].transfers == TB_ETMV3_NEVER)
    ran--;
  if (ran == 0)
    return;
  in += ran - 1;
  data->next = (struct tb_v7_transfer) {
    .at = data->count - (count - ran), .pc = in->start,
    .owner = in->transfers == TB_ETMV3_PERHAPS ? TB_V7_NOBODY : TB_V7_INSTRUCTION
  };
}

/* lost.c: atoms cannot be followed, and that is said.  CYCLES are those that the atoms
   have, if cycles are counted.  */

/* No address is known: that is said once; cycles go on.  */
void tb_etmv3_follow_unknown (struct tb_etmv3_decoder *d,
			      struct tb_element **out, uint32_t cycles);

/* The code at the current address cannot be read.  */
void tb_etmv3_no_code (struct tb_etmv3_decoder *d, struct tb_element **out,
		       uint32_t cycles);

/* Execution went on behind what would have stopped the core: the code is not what
   ran.  */
void tb_etmv3_went_on (struct tb_etmv3_decoder *d, struct tb_element **out);

/* flow.c  */

/* A branch packet at hand without exception gives TARGET: where the program
   already is, if the code is what ran.  */
static inline void
tb_etmv3_check_target (struct tb_etmv3_decoder *d, uint32_t target)
{
  struct tb_v7_state *s = &d->v7.state;

  if (__builtin_expect (s->have_address && s->address != target, 0)
      && !s->returned)
    tb_v7_count_jump (&d->v7);
}

/* The address and the ISA of a branch packet after what the state has.  */
uint32_t tb_etmv3_branch_target (const struct tb_etmv3_decoder *d,
				 const struct tb_etmv3_packet *packet,
				 enum tb_isa *isa);

/* The packet at hand is a P-header.  */
void tb_etmv3_follow (struct tb_etmv3_decoder *d, struct tb_element **out,
		      const struct tb_etmv3_header *atoms);

/* traced.c: P-headers of one atom, short branches and normal data of instructions, as long as
   there is nothing to do but to list them and to go on; up to a packet that begins behind
   FULL.  */
void tb_etmv3_follow_traced (struct tb_etmv3_decoder *d, struct tb_element **out,
			     const struct tb_element *full);

/* P-headers, short branches and normal data, as many as there are and have room before STOP.  Where
   execution stands is known, and nobody wants packets to be noted.  */
void tb_etmv3_stretch (struct tb_etmv3_decoder *d, struct tb_element **out,
		       const struct tb_element *stop);

#endif /* TB_DECODE_ETMV3_INTERNAL_H */
