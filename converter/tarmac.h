/* Writing Tarmac logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_TARMAC_H
#define TB_CONVERTER_TARMAC_H

#include "arm/machine/regs.h"
#include "recording/recording.h"
#include "state/state.h"
#include "util/buffer.h"

/* What is written, and what its lines begin with.  */
struct log_text
{
  struct tb_buffer buffer;
  unsigned cpu;
  const char *unit;		/* Of times.  */
  uint64_t time;		/* Of the last instruction.  */
};

/* Begin a line.  */
void log_begin (struct log_text *text);

/* What a reader of the log knows of an FP or vector register, or of one that controls
   them: two halves of 64 bits, of which those of MASK are known.  */
struct log_vector
{
  uint64_t bits[2], mask[2];
  uint64_t good;		/* As of struct log_registers ...  */
  uint8_t told;			/* ... of this many bits; 0: none.  */
};
#define LOG_VECTORS 49

/* tarmac-registers.c: what a reader of the log knows of registers.  Zero-initialise
   before use; then PROFILE and STATE, borrowed, are set.

   Common readers keep what an R line says until the next one of the register: none
   knows a line that takes a value back (dashes, where they are understood, leave what
   was there).  So a register has R lines only from the step on from which it is known
   to the end; before, and for those that are not, lines of tracebridge's own kind
   tell what is known.  */
struct log_registers
{
  const struct tb_profile *profile;
  struct tb_state *state;
  const struct tb_reg_info *regs;
  size_t nregs, psr;
  struct tb_value shown[TB_NREGS_MAX];	/* What a reader knows.  */
  uint64_t good[TB_NREGS_MAX];	/* Known from that step on to the end; UINT64_MAX:
				   never.  */
  uint64_t flags_good;		/* The same of N, Z, C and V where they are before
				   the whole PSR is; else UINT64_MAX.  */
  uint64_t mode_good;		/* The same of the mode; UINT64_MAX: there are no
				   banks.  */
  uint64_t flags_shown;		/* Above 32 bits: nothing.  */
  uint32_t mode;		/* That of the names of SHOWN.  */
  struct log_vector vectors[LOG_VECTORS];
  bool vectors_shown;		/* There were lines of some.  */
  struct tb_vectors_mark vectors_mark;	/* They have not changed since; ...  */
  uint64_t vectors_known, vectors_told;	/* ... of each step: the below of these.  */
  struct log_sve *sve;		/* tarmac-sve.c; NULL: there are none.  */
  uint64_t known, told;		/* Pairs of a step and a register: known as a
				   whole; of these in R lines, too.  */
};

/* Find out what is known for good in steps FROM to TO - 1, and before TO where AFTER.  */
void log_registers_look (struct log_registers *r, uint64_t from, uint64_t to,
			 bool after);

/* Nothing is known any more.  */
void log_registers_forget (struct log_registers *r);

/* Write the registers that are other ones before STEP than a reader knows.  */
void log_registers_put (struct log_registers *r, uint64_t step,
			struct log_text *text);

/* tarmac-vectors.c: the same of FP and vector registers; those above use it.  END is
   behind the last step.  */
void log_vectors_look (struct log_registers *r, uint64_t from, uint64_t end);
void log_vectors_forget (struct log_registers *r);
void log_vectors_put (struct log_registers *r, uint64_t step,
		      struct log_text *text);

/* tarmac-sve.c: the same of SVE registers of logs; those above use it.  LOOK allocates SVE
   of REGISTERS; without memory for that they have no lines, and it returns false.  */
bool log_sve_look (struct log_registers *r, uint64_t from, uint64_t end);
void log_sve_forget (struct log_registers *r);
void log_sve_put (struct log_registers *r, uint64_t step, struct log_text *text);

/* tarmac-memory.c: what a reader of the log knows of memory.  Zero-initialise before
   use.  */
struct log_memory
{
  struct log_word *words;	/* A hash table.  */
  size_t size, count;
  uint32_t generation;		/* Of what is known.  */
  bool any;			/* Something is.  */
  bool failed;			/* No memory: less is known than could be.  */
};

void log_memory_fini (struct log_memory *memory);
void log_memory_forget (struct log_memory *memory);

/* LENGTH bytes at ADDRESS are VALUE, lowest byte first; KNOWN false: they are not
   known any more.  */
void log_memory_put (struct log_memory *memory, uint64_t address,
		     unsigned length, uint64_t value, bool known);

/* Are they known to be VALUE?  */
bool log_memory_is (const struct log_memory *memory, uint64_t address,
		    unsigned length, uint64_t value);

/* disassemble.c: instructions as text.  */
struct disassembler;

/* *NEW is NULL where the program was built without the library that does it.  False: no
   memory.  */
bool disassembler_new (struct disassembler **new,
		       const struct tb_profile *profile);
void disassembler_free (struct disassembler *disassembler);

/* Append the instruction of STEP; without memory TEXT has failed.  DISASSEMBLER may be
   NULL.  */
void disassemble (struct disassembler *disassembler, struct tb_buffer *text,
		  const struct tb_step *step);

#endif /* TB_CONVERTER_TARMAC_H */
