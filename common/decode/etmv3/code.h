/* Code, one instruction at a time, each decoded once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   In ETMv3 an atom is one instruction.  Instructions in sequence are kept together,
   in lines; lines are kept by address and linked to those that follow them.  */

#ifndef TB_DECODE_ETMV3_CODE_H
#define TB_DECODE_ETMV3_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "decode/element.h"
#include "decode/follow.h"

/* Has an instruction no condition, so that atom N is impossible?  */
enum tb_etmv3_always
{
  TB_ETMV3_SOMETIMES,		/* It has one, or may have.  */
  TB_ETMV3_ALWAYS,
  TB_ETMV3_ASK			/* tb_etmv3_code_always knows.  */
};

/* Does an instruction transfer data that are traced?  */
enum tb_etmv3_transfers
{
  TB_ETMV3_NEVER,
  TB_ETMV3_MEMORY,		/* It loads or stores, if its condition passes.  */
  TB_ETMV3_COPROCESSOR,		/* It moves registers: there is no address.  */
  TB_ETMV3_PERHAPS		/* It is not described.  */
};

/* An instruction of a line.  Small: much code runs once.  */
struct tb_etmv3_instruction
{
  /* Eight bytes as in the element of the range that it is alone, but for the flags:
     see tb_etmv3_range.  */
  uint8_t element;		/* TB_ELEMENT_RANGE  */
  uint8_t flags[2];		/* Of the range, by the atom; an element has a zero in
				   place of the first one.  */
  uint8_t isa;
  uint8_t kind;			/* enum tb_flow_kind  */
  uint8_t sub;			/* enum tb_flow_sub  */
  uint8_t size;			/* Bytes.  */
  uint8_t space;
  uint32_t start;
  uint8_t run;			/* See below.  */
  uint8_t always : 4;		/* enum tb_etmv3_always  */
  uint8_t transfers : 4;	/* enum tb_etmv3_transfers; without data trace
				   always NEVER.  */
  uint16_t wide;		/* A bit for each of four bytes of those of its line
				   from this one on.  */
};

/* What RUN is: of the instructions of the line from this one on, how many in sequence are
   plain, which is to say that where they run nothing is to do but to list them and to go on
   to the next one, which is in the line, too; that it ends the line; and that it would be
   plain, but for that.  */
enum { TB_ETMV3_PLAIN = 0x3f, TB_ETMV3_LAST = 0x40, TB_ETMV3_OPEN = 0x80 };

/* What stands behind the last instruction of a line, which alone may go elsewhere.  */
struct tb_etmv3_way
{
  /* What runs after it, by its atom, where there is nothing to do but to go on; NULL: not
     looked up, or nothing is readable there, or there is more to do.  */
  const struct tb_etmv3_instruction *successor[2];
  uint32_t target;		/* If it is a direct branch.  */
  uint8_t target_isa;
};

/* That of LAST.  */
static inline const struct tb_etmv3_way *
tb_etmv3_way (const struct tb_etmv3_instruction *last)
{
  return (const struct tb_etmv3_way *) (last + 1);
}

static inline uint64_t
tb_etmv3_end (const struct tb_etmv3_instruction *in)
{
  return (uint64_t) in->start + in->size;
}

/* What runs after IN, whose atom was EXECUTED, where there is nothing to do but to go on;
   NULL as in struct tb_etmv3_way, or there is a fault to be counted.  */
static inline const struct tb_etmv3_instruction *
tb_etmv3_successor (const struct tb_etmv3_instruction *in, bool executed)
{
  if (in->run & TB_ETMV3_LAST)
    return tb_etmv3_way (in)->successor[executed];
  return executed || in->always == TB_ETMV3_SOMETIMES ? in + 1 : NULL;
}

/* The instructions from START to LAST, COUNT of them, all of which but LAST are plain
   or open and ran.  */
struct tb_etmv3_run
{
  const struct tb_etmv3_instruction *last;
  uint32_t start, count, wide;		/* As in an element.  */
};

/* Make *E the range of RUN, the atom of whose last instruction was EXECUTED, told by
   the packet at INDEX.  */
static inline void
tb_etmv3_run_range (struct tb_element *e, const struct tb_etmv3_run *run,
		    uint64_t index, bool executed)
{
  const struct tb_etmv3_instruction *last = run->last;

  e->index = index;
  memcpy ((char *) e + offsetof (struct tb_element, kind), last,
	  offsetof (struct tb_etmv3_instruction, start));
  e->reason = TB_REASON_NONE;
  e->flags = (uint8_t) (last->flags[executed]
			| (run->count > 1 ? TB_RANGE_SINGLES : 0));
  e->u.range.start = run->start;
  e->u.range.end = tb_etmv3_end (last);
  e->u.range.count = run->count;
  e->u.range.wide = run->wide;
}

/* Make *E the range that IN is alone; likewise.  */
static inline void
tb_etmv3_range (struct tb_element *e, const struct tb_etmv3_instruction *in,
		uint64_t index, bool executed)
{
  struct tb_etmv3_run run = { .last = in, .start = in->start, .count = 1 };

  tb_etmv3_run_range (e, &run, index, executed);
}

/* The code of one block cache; the fields are for the functions below only.  What leads into
   the middle of a line begins another one, as blocks do elsewhere.  */
struct tb_etmv3_code
{
  const struct tb_etmv3_instruction **slots;	/* The first of lines: open addressing.  */
  uint32_t mask;		/* Number of slots - 1; a power of two.  */
  unsigned shift;		/* 64 - log2 (number of slots).  */
  uint32_t lines;		/* In SLOTS.  */
  uint32_t count;		/* Instructions.  */
  struct tb_follow *follow;
  bool data;
  bool coprocessor;
  unsigned used;		/* Units of the newest chunk.  */
  struct tb_etmv3_chunk *chunks;
};

/* That of FOLLOW, which keeps it beside its blocks and frees it with them.  DATA: there is data
   trace, which is tied to instructions; COPROCESSOR: moves to and from coprocessors are
   traced, too.  All who share FOLLOW say the same.  NULL: no memory.  */
struct tb_etmv3_code *tb_etmv3_code_of (struct tb_follow *follow, bool data,
					bool coprocessor);

/* The slot where the search for an instruction begins.  */
static inline uint32_t
tb_etmv3_code_slot (const struct tb_etmv3_code *code, enum tb_space space,
		    enum tb_isa isa, uint32_t address)
{
  uint64_t key = address ^ (uint64_t) (space << 3 | isa) << 56;

  return (uint32_t) (key * UINT64_C (0x9e3779b97f4a7c15) >> code->shift);
}

static inline bool
tb_etmv3_code_is (const struct tb_etmv3_instruction *in, enum tb_space space,
		  enum tb_isa isa, uint32_t address)
{
  return in->start == address && in->isa == isa && in->space == space;
}

/* What tb_etmv3_code_at does where its first slot is not the line.  */
const struct tb_etmv3_instruction *
tb_etmv3_code_miss (struct tb_etmv3_code *code, enum tb_space space,
		    enum tb_isa isa, uint32_t address);

/* The instruction at ADDRESS, valid until the cache is freed.  NULL: it is not
   readable, or there is no memory.  */
static inline const struct tb_etmv3_instruction *
tb_etmv3_code_at (struct tb_etmv3_code *code, enum tb_space space,
		  enum tb_isa isa, uint32_t address)
{
  const struct tb_etmv3_instruction *in
    = code->slots[tb_etmv3_code_slot (code, space, isa, address)];

  if (__builtin_expect (in != NULL && tb_etmv3_code_is (in, space, isa, address),
			1))
    return in;
  return tb_etmv3_code_miss (code, space, isa, address);
}

/* Has INSTRUCTION, whose ALWAYS is ASK, no condition?  */
bool tb_etmv3_code_always (struct tb_etmv3_code *code,
			   const struct tb_etmv3_instruction *instruction);

/* What runs after INSTRUCTION, whose atom was EXECUTED and which is no indirect
   branch then.  It is remembered in SUCCESSOR if that may have it.  */
const struct tb_etmv3_instruction *
tb_etmv3_code_next (struct tb_etmv3_code *code,
		    const struct tb_etmv3_instruction *instruction,
		    bool executed);

#endif /* TB_DECODE_ETMV3_CODE_H */
