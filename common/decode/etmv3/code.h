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

struct tb_etmv3_instruction
{
  /* What runs after it and after a direct branch was taken; NULL: not looked
     up, or nothing is readable there.  */
  const struct tb_etmv3_instruction *next, *taken;
  /* The range that it is alone, atom E; without the index.  Its ISA, space and
     start are the key.  */
  struct tb_element range;
  uint32_t target;
  uint8_t target_isa;
  uint8_t failed_flags;		/* Those of the range with atom N.  */
  bool plain;			/* NEXT comes next whatever the atom.  */
  uint8_t always;		/* enum tb_etmv3_always  */
};

struct tb_etmv3_code;

/* FOLLOW is borrowed.  NULL: no memory.  */
struct tb_etmv3_code *tb_etmv3_code_new (struct tb_follow *follow);
void tb_etmv3_code_free (struct tb_etmv3_code *code);

/* The instruction at ADDRESS, valid until the cache is freed.  NULL: it is not
   readable, or there is no memory.  */
const struct tb_etmv3_instruction *
tb_etmv3_code_at (struct tb_etmv3_code *code, enum tb_space space,
		  enum tb_isa isa, uint32_t address);

/* Has INSTRUCTION, whose ALWAYS is ASK, no condition?  */
bool tb_etmv3_code_always (struct tb_etmv3_code *code,
			   const struct tb_etmv3_instruction *instruction);

/* Find the successor that INSTRUCTION lacks, and remember it.  */
const struct tb_etmv3_instruction *
tb_etmv3_code_link (struct tb_etmv3_code *code,
		    const struct tb_etmv3_instruction *instruction,
		    bool taken);

#endif /* TB_DECODE_ETMV3_CODE_H */
