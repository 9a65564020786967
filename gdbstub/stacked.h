/* The M profile: what GDB reads to get from a handler to what it interrupted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   GDB's unwinder for exceptions needs EXC_RETURN, the stack pointer that it names,
   and of the frame there the return address and xPSR, each as a whole; where a bit
   of one of them has no value it goes no further (GDB 13.1, arm-tdep.c).  Often what
   it makes use of is certain, but not the rest: the flags in xPSR, whether FP
   registers were stacked; and the trace tells the return address even where no
   stack pointer is known.

   So, unless --unknown=exact asks for nothing but what is known, bits that are not
   known are made up there: in memory flags are 0, as none that is set would be
   doubted.  Words of memory that have such bits are listed by "monitor where", and
   $unknown_memory is 1; $unknown_registers has the registers.  */

#ifndef TB_GDBSTUB_STACKED_H
#define TB_GDBSTUB_STACKED_H

#include "frame/moment.h"

struct client;
struct target;

/* Bytes for GDB from ADDRESS on, where nothing is known of them.  */
struct stacked_patch
{
  uint32_t address;
  uint8_t length;		/* At most 8.  */
  uint8_t bytes[8];
  const char *what;
};

/* Those of one moment.  */
struct stacked
{
  struct stacked_patch patches[16];
  unsigned count;
};

/* Is VALUE, an LR of the M profile, certainly an EXC_RETURN?  */
bool stacked_is_exc_return (const struct tb_value *value);

/* LR, of which this is so, with bits for what is not known of it: no FP registers,
   and PSP if it may be that and VALUES, the registers, do not have it.  */
uint32_t stacked_exc_return (const struct tb_value *values,
			     const struct tb_value *lr);

/* Find out for CLIENT what is to be made up at MOMENT.  */
void stacked_find (struct client *client, const struct tb_moment *moment,
		   struct stacked *stacked);

/* Lay it over LENGTH bytes of memory at ADDRESS, where ORIGINS says that they are
   not known; these become TB_ASSUMED.  False: there are none.  */
bool stacked_fill (const struct stacked *stacked, uint64_t address,
		   uint8_t *bytes, uint8_t *origins, size_t length);

#endif /* TB_GDBSTUB_STACKED_H */
