/* Loads and stores of A32 and T32 once their encodings are read; for the files of
   arm/lift only.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_ARM_LIFT_TRANSFER_H
#define TB_ARM_LIFT_TRANSFER_H

#include "arm/lift/aarch32.h"

/* How an address comes about: from Rn by an offset, which is added or subtracted before
   the access (INDEX) or only for what is written back.  */
struct tb_sem_addressing
{
  unsigned rn, offset;		/* OFFSET: a place; IMM: IMM.  */
  uint32_t imm, here;		/* HERE: what Rn 15 reads as.  */
  bool index, add, write_back;
};

/* That of F, as far as it is in bits that most encodings share: Rn, P, U and W (bits 24,
   23, 21); the offset is 0.  */
struct tb_sem_addressing tb_sem_addressing (const struct tb_fields *f,
					    uint32_t here);

/* The place that has the address of the access.  T2 is what Rn becomes, if it is written
   back.  T3 may be used.  */
unsigned tb_sem_address (struct tb_semantics *s,
			 const struct tb_sem_addressing *a);

/* Can registers RT, and RT2 if it is below 15, be transferred so?  */
bool tb_sem_may_transfer (const struct tb_sem_addressing *a, unsigned rt,
			  unsigned rt2);

/* Load RT (15: a branch), extended by EXTEND (as tb_sem_load has it), or store it, of
   SIZE bytes.  The offset may be in T1.  */
void tb_sem_transfer (struct tb_semantics *s,
		      const struct tb_sem_addressing *a, bool is_load,
		      unsigned rt, uint32_t size, unsigned extend);

/* LDRD, STRD.  */
void tb_sem_transfer_pair (struct tb_semantics *s,
			   const struct tb_sem_addressing *a, bool is_load,
			   unsigned rt, unsigned rt2);

/* LDREX, STREX and their kin, and without EXCLUSIVE what has acquire or release only, of
   SIZE bytes at Rn + IMM; with RT2 below 15 of two registers.  RD: of stores, whether
   they were done.  False: the registers may not be these.  */
struct tb_sem_exclusive
{
  unsigned rd, rt, rt2, rn;
  uint32_t imm, size;
  bool is_load, exclusive;
};
bool tb_sem_transfer_exclusive (struct tb_semantics *s,
				const struct tb_sem_exclusive *x);

#endif /* TB_ARM_LIFT_TRANSFER_H */
