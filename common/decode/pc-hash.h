/* The hash of all PCs, range by range, faster than PC by PC.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A byte B takes an FNV-1a hash H to (H ^ B) * P.  As B has eight bits that is
   H * P + D, where D depends on B and on the low byte of H alone; and so the N
   bytes of a range take H to H * P^N + A, where A depends on the range and on the
   low byte of H.  A program runs the same ranges again and again: ranges that
   come often have a table of A.

   What makes that fast is that the low byte can run ahead.  The low half of it
   depends on the low half before alone, and with that known the high half on the
   high half; a range's effect on either is sixteen entries of four bits, a word.
   So nothing waits for the tables of A, which are too large for the caches.  */

#ifndef TB_DECODE_PC_HASH_H
#define TB_DECODE_PC_HASH_H

#include "decode/element.h"
#include "decode/follow.h"

/* Instructions in sequence, noted to be hashed later.  */
struct tb_pc_note
{
  union
  {
    struct tb_pc_range *range;
    uint64_t start;
  } u;
  uint32_t count;		/* Instructions.  */
  uint8_t isa, space;
  bool known;			/* It is RANGE.  */
};

/* The ranges that one decoder has delivered.  */
struct tb_pc_ranges;

struct tb_pc_ranges *tb_pc_ranges_new (void);	/* NULL: no memory.  */
void tb_pc_ranges_free (struct tb_pc_ranges *ranges);

/* Note the range ELEMENT.  One thread at a time may do this with RANGES, while
   another hashes.  */
void tb_pc_note (struct tb_pc_ranges *ranges, const struct tb_element *element,
		 struct tb_pc_note *note);

/* HASH continued with the PCs of COUNT NOTES.  One thread at a time may do this
   for all the notes of some RANGES, which must still exist.  FOLLOW is a block
   cache of that configuration, for the sizes of T32 instructions.  */
uint64_t tb_pc_hash (uint64_t hash, const struct tb_pc_note *notes,
		     size_t count, struct tb_follow *follow);

#endif /* TB_DECODE_PC_HASH_H */
