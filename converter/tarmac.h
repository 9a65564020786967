/* Writing Tarmac logs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_TARMAC_H
#define TB_CONVERTER_TARMAC_H

#include "recording/recording.h"
#include "util/buffer.h"

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

/* NULL: no memory, or built without the library that does it.  */
struct disassembler *disassembler_new (const struct tb_profile *profile);
void disassembler_free (struct disassembler *disassembler);

/* Append the instruction of STEP.  DISASSEMBLER may be NULL.  */
void disassemble (struct disassembler *disassembler, struct tb_buffer *text,
		  const struct tb_step *step);

#endif /* TB_CONVERTER_TARMAC_H */
