/* Objects of a twin that are not in the dump.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Nothing tells whether RAM that the dump does not have holds other tasks of the same code.  So
   where the truth has one object all the time, a task's record and its stack, a twin may have
   several, one after the other: ghosts.  Each lies at a place of its own in such RAM, begins with
   what the truth's object holds when it is looked at first, and nobody looks at it in the end.
   Where the truth's record holds its own address a ghost's has that of the next ghost, and the
   last one's that of the object in the dump: who finds the task through its record goes on with
   the next one.  */

#ifndef TB_GENERATOR_GHOSTS_H
#define TB_GENERATOR_GHOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the first ghost is: RAM by the M profile's default map.  */
#define GHOSTS_BASE UINT32_C (0x90000000)
#define GHOSTS_MOST 400

/* Words that ghosts hold first, and that are looked at, of which others are tried.  */
#define GHOSTS_LOOKS 4096

struct ghosts
{
  /* The truth's object: a record, and a stack.  What points behind the stack's end is its, too;
     what points to its lowest word is a limit, which ghosts share, as they lie above it.  */
  uint32_t record, record_end, stack, stack_end;
  uint32_t low, span;		/* Of both together, and what each ghost takes.  */
  unsigned count;		/* Ghosts; 0: none.  */
  unsigned now;			/* The last one that was met; COUNT: the object in the dump.  */
  uint8_t *has;
  uint32_t *set;		/* By byte: ROUND if something is there.  */
  uint32_t round;
  /* What the truth has where a ghost's word was looked at first, in that order.  */
  uint32_t looks[GHOSTS_LOOKS];
  size_t nlooks;
  size_t change;		/* The look with this number finds AS; SIZE_MAX: none.  */
  uint32_t as;
};

/* Make room for ghosts of the object.  False: no memory, or it is none.  */
bool ghosts_open (struct ghosts *g, uint32_t record, uint32_t record_end, uint32_t stack,
		  uint32_t stack_end);
void ghosts_close (struct ghosts *g);

/* Begin with COUNT ghosts, of which none was looked at.  */
void ghosts_begin (struct ghosts *g, unsigned count);

/* Are the SIZE bytes at ADDRESS a ghost's?  They are at *AT of the ghosts' memory then.  */
bool ghosts_have (const struct ghosts *g, uint32_t address, unsigned size, size_t *at);

/* The address in the truth of what is at AT.  */
uint32_t ghosts_truth (const struct ghosts *g, size_t at);

/* Is ADDRESS in the truth's object?  */
bool ghosts_own (const struct ghosts *g, uint32_t address);

/* VALUE, or where it points into the object the same place of ghost NUMBER.  */
uint32_t ghosts_value (const struct ghosts *g, uint32_t value, unsigned number);

/* What SIZE bytes at AT hold; the truth's object holds TRUTH there.  */
uint32_t ghosts_read (struct ghosts *g, size_t at, unsigned size, uint32_t truth);
void ghosts_write (struct ghosts *g, size_t at, unsigned size, uint32_t value);

#endif /* TB_GENERATOR_GHOSTS_H */
