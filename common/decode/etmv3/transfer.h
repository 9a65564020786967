/* ETMv3 data that come in order, to elements.  See internal.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Private to data.c and traced.c.  What runs for each packet is inline.

   Source: IHI 0014, 7.4 "Data tracing".  A packet without an address is of the word behind
   the transfer before, if it is not the first one of its instruction.  Addresses are
   compressed by the last one that was sent, not by such a word's.  */

#ifndef TB_DECODE_ETMV3_TRANSFER_H
#define TB_DECODE_ETMV3_TRANSFER_H

#include <stddef.h>

#include "decode/etmv3/internal.h"

/* Bytes of a transfer that is one of several.  */
#define TB_ETMV3_WORD 4

/* Whose a transfer is, as its elements say it, and where they come from.  */
struct tb_etmv3_tie
{
  uint64_t index, pc;
  uint32_t back;
  uint8_t flags, part, entry;
  uint8_t isa;
};

/* That of T, after which, or its exception, other instructions were listed up to number
   COUNT.  */
static inline struct tb_etmv3_tie
tb_etmv3_tie (const struct tb_v7_transfer *t, uint64_t count, uint64_t index, uint8_t isa)
{
  static const uint8_t flags[] = {
    [TB_V7_NOBODY] = TB_DATA_UNTIED, [TB_V7_INSTRUCTION] = 0,
    [TB_V7_ENTRY] = TB_DATA_PUSHED, [TB_V7_RETURN] = TB_DATA_POPPED
  };
  uint64_t back = count - t->at;
  bool tied = t->owner != TB_V7_NOBODY && back <= UINT32_MAX;

  return (struct tb_etmv3_tie) {
    .index = index, .isa = isa,
    .pc = tied ? t->pc : 0, .back = tied ? (uint32_t) back : 0,
    .flags = flags[tied ? t->owner : TB_V7_NOBODY], .part = t->part,
    .entry = t->entry
  };
}

/* What tb_etmv3_put_data stores at once.  */
#define TB_ETMV3_IN_ELEMENT(member, other, after)		\
  _Static_assert (offsetof (struct tb_element, member)		\
		  == offsetof (struct tb_element, other) + (after),	\
		  "bytes of an element follow each other")
TB_ETMV3_IN_ELEMENT (flags, kind, 2);
TB_ETMV3_IN_ELEMENT (isa, kind, 3);
TB_ETMV3_IN_ELEMENT (u, kind, 8);
TB_ETMV3_IN_ELEMENT (u.data.bits, u.data.part, 1);
TB_ETMV3_IN_ELEMENT (u.data.entry, u.data.part, 2);
TB_ETMV3_IN_ELEMENT (u.data.sent, u.data.part, 3);

/* An element of KIND, whose FLAGS are those besides TIE's.  Bytes are stored together: there
   are two such elements for each load and store.  */
static inline __attribute__ ((always_inline)) void
tb_etmv3_put_data (struct tb_element **out, const struct tb_etmv3_tie *tie,
		   enum tb_element_kind kind, unsigned flags, uint32_t value,
		   uint32_t bits, uint32_t sent)
{
  struct tb_element *e = (*out)++;
  uint8_t *bytes = (uint8_t *) e;

  e->index = tie->index;
  tb_number_put_64 (bytes + offsetof (struct tb_element, kind),
		    (uint32_t) kind | (tie->flags | flags) << 16 | (uint32_t) tie->isa << 24);
  e->u.data.value = value;
  e->u.data.pc = tie->pc;
  e->u.data.back = tie->back;
  tb_number_put_32 (bytes + offsetof (struct tb_element, u.data.part),
		    tie->part | bits << 8 | (uint32_t) tie->entry << 16 | sent << 24);
}

/* The address of the next transfer, which TOLD is of and TIE, if it is known.  */
static inline __attribute__ ((always_inline)) void
tb_etmv3_put_address (struct tb_v7_in_order *now, struct tb_element **out,
		      const struct tb_etmv3_transfer *told,
		      const struct tb_etmv3_tie *tie)
{
  bool sent = told->address_bits > 0;
  uint32_t mask = (uint32_t) ((UINT64_C (1) << told->address_bits) - 1);

  now->address = (now->address & ~mask) | told->address;
  if (now->bits < told->address_bits)
    now->bits = told->address_bits;
  if (told->has_endianness)
    now->flags = told->big_endian ? TB_DATA_BIG_ENDIAN : 0;
  /* Moves to and from coprocessors have none.  */
  if (!sent && now->next.part == 0)
    return;
  uint32_t address = sent ? now->address : now->follows;
  now->follows = address + TB_ETMV3_WORD;
  if (now->bits == 0)
    return;
  tb_etmv3_put_data (out, tie, TB_ELEMENT_DATA_ADDRESS, now->flags,
		     address & (uint32_t) ((UINT64_C (1) << now->bits) - 1),
		     now->bits, told->address_bits);
}

/* The value TOLD of a transfer of TIE, which FLAGS are of.  FOLLOWED: another packet is seen
   behind it, which is of type NEXT: it may say that the value was not stored (7.4.7).  */
static inline __attribute__ ((always_inline)) void
tb_etmv3_put_value (struct tb_element **out, const struct tb_etmv3_transfer *told,
		    const struct tb_etmv3_tie *tie, bool followed, unsigned next,
		    unsigned flags)
{
  bool failed = followed && next == TB_ETMV3_STORE_FAILED;

  tb_etmv3_put_data (out, tie, TB_ELEMENT_DATA_VALUE,
		     flags | (failed ? TB_DATA_FAILED : 0), told->value,
		     told->has_value ? 32 : 0, followed && !failed);
}

/* The instruction has one transfer more.  */
static inline void
tb_etmv3_next_part (struct tb_v7_transfer *t)
{
  if (t->part < UINT8_MAX)
    t->part++;
  else
    *t = (struct tb_v7_transfer) { .owner = TB_V7_NOBODY, .part = t->part };
}

#endif /* TB_DECODE_ETMV3_TRANSFER_H */
