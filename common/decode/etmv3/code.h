/* Code, one instruction at a time, each decoded once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   In ETMv3 an atom is one instruction.  Instructions are kept by address and
   linked to those that follow them, so that going on costs one load.  */

#ifndef TB_DECODE_ETMV3_CODE_H
#define TB_DECODE_ETMV3_CODE_H

#include <stdbool.h>
#include <stdint.h>

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

struct tb_etmv3_instruction
{
  /* What runs after it, by its atom, where there is nothing to do but to go on;
     NULL: not looked up, or nothing is readable there, or there is more to
     do.  */
  const struct tb_etmv3_instruction *successor[2];
  /* The range that it is alone, atom E; without the index.  Its ISA, space and
     start are the key.  */
  struct tb_element range;
  uint32_t target;
  uint8_t target_isa;
  uint8_t flags[2];		/* Those of the range, by the atom.  */
  uint8_t always : 4;		/* enum tb_etmv3_always  */
  uint8_t transfers : 4;	/* enum tb_etmv3_transfers; without data trace
				   always NEVER.  */
};

struct tb_etmv3_code;

/* FOLLOW is borrowed, and so is PROFILE, by which data trace is tied to
   instructions; NULL: there is none.  COPROCESSOR: moves to and from coprocessors
   are traced.  NULL: no memory.  */
struct tb_etmv3_code *tb_etmv3_code_new (struct tb_follow *follow,
					 const struct tb_profile *profile,
					 bool coprocessor);
void tb_etmv3_code_free (struct tb_etmv3_code *code);

/* The instruction at ADDRESS, valid until the cache is freed.  NULL: it is not
   readable, or there is no memory.  */
const struct tb_etmv3_instruction *
tb_etmv3_code_at (struct tb_etmv3_code *code, enum tb_space space,
		  enum tb_isa isa, uint32_t address);

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
