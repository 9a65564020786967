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

bool tb_etmv3_look_for_cancel (struct tb_etmv3_decoder *d);

/* A later packet says that the instruction did not run.  */
static inline bool
tb_etmv3_instruction_cancelled (struct tb_etmv3_decoder *d)
{
  /* Most often more atoms come next, perhaps after cycles or a branch.  */
  const struct tb_v7_decoder *v7 = &d->v7;
  for (size_t at = v7->at; at < v7->length;)
    {
      const struct tb_etmv3_header *header = &d->table.header[v7->view[at]];
      struct tb_v7_address address;
      unsigned size = 1;
      if (header->natoms > 0)
	return false;
      if (header->type == TB_ETMV3_BRANCH)
	size = tb_v7_address_short (&address,
				    (enum tb_v7_address_form) d->table.form,
				    v7->view + at, v7->length - at);
      else if (header->type != TB_ETMV3_P_HEADER)
	break;
      if (size == 0)
	break;
      at += size;
    }
  return tb_etmv3_look_for_cancel (d);
}

/* A later packet says that the exception return was not completed.  If not,
   *RESUME is where it led; *KNOWN: if that is told.  */
bool tb_etmv3_return_cancelled (struct tb_etmv3_decoder *d, uint32_t *resume,
				bool *known);

/* data.c: a packet of data trace; and data are of nobody that is known from here
   on.  */
void tb_etmv3_decode_data (struct tb_etmv3_decoder *d, struct tb_element **out,
			   const struct tb_etmv3_packet *p);

static inline void
tb_etmv3_disown_data (struct tb_etmv3_decoder *d)
{
  d->v7.state.data.next = (struct tb_v7_transfer) { .owner = TB_V7_NOBODY };
}

/* Instruction IN was listed.  Data that come in order are the newest one's that
   transfers some (IHI 0014, 7.4.2).  */
static inline void
tb_etmv3_own_data (struct tb_v7_data *data,
		   const struct tb_etmv3_instruction *in, bool executed)
{
  data->count++;
  if (__builtin_expect (in->transfers == TB_ETMV3_NEVER || !executed, 1))
    return;
  data->next = (struct tb_v7_transfer) {
    .at = data->count, .pc = (uint32_t) in->start,
    .owner = in->transfers == TB_ETMV3_PERHAPS ? TB_V7_NOBODY
					       : TB_V7_INSTRUCTION
  };
}

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

/* What cycles are of an element.  */
static inline void
tb_etmv3_fill_cycles (struct tb_element *e, uint64_t index, uint8_t isa,
		      unsigned flags, uint32_t cycles)
{
  *e = (struct tb_element) { .index = index, .kind = TB_ELEMENT_CYCLES,
			     .flags = (uint8_t) flags, .isa = isa };
  e->u.value = cycles;
}

/* The packet at hand is a P-header.  */
void tb_etmv3_follow (struct tb_etmv3_decoder *d, struct tb_element **out,
		      const struct tb_etmv3_header *atoms);

/* The same; quicker for what comes most often where cycles are counted: they alone,
   and an instruction with nothing to do but to go on.  */
static inline void
tb_etmv3_follow_short (struct tb_etmv3_decoder *d, struct tb_element **out,
		       const struct tb_etmv3_header *header)
{
  struct tb_v7_state *s = &d->v7.state;
  const struct tb_etmv3_instruction *in = d->v7.here, *next;
  bool executed = header->atoms & 1;

  if (!d->cycle_accurate || header->natoms > 1 || d->has_data || d->halves)
    tb_etmv3_follow (d, out, header);
  else if (header->natoms == 0)
    tb_etmv3_fill_cycles ((*out)++, s->index, s->isa, 0, header->first_cycles);
  else if (in == NULL || (next = in->successor[executed]) == NULL
	   || tb_etmv3_instruction_cancelled (d))
    tb_etmv3_follow (d, out, header);
  else
    {
      struct tb_element *e = *out;
      tb_etmv3_range (e, in, s->index, executed);
      tb_etmv3_fill_cycles (e + 1, s->index, s->isa, TB_CYCLES_WITH_PREVIOUS,
			    header->first_cycles);
      *out = e + 2;
      d->v7.here = next;
      s->returned = false;
      s->address = (uint32_t) next->start;
      s->isa = next->isa;
    }
}

#endif /* TB_DECODE_ETMV3_INTERNAL_H */
