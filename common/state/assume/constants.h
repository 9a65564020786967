/* Assumption: constants of the enclosing function.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Where a register holds the same constant on every path from the entry of a
   function to an instruction, it is assumed to hold it whenever the instruction
   runs: what a compiler moved out of a loop long before the window becomes
   known.  So does SP where code makes it of its frame pointer, which held SP plus a
   constant on every path.  It rests on these: calls return after the call and keep r4 to r11 (A64:
   x19 to x29); nothing jumps into the middle of a function but what is found to
   (branches, code pointers in read-only memory, and what the trace itself shows).
*/

#ifndef TB_STATE_ASSUME_CONSTANTS_H
#define TB_STATE_ASSUME_CONSTANTS_H

#include "state/assume/code-graph.h"

/* What was found of all the code that is reached from entries.  */
struct tb_constants;

/* Analyse the code of STATE, which has been built.  NULL: no memory.  */
struct tb_constants *tb_constants_find (struct tb_state *state);
void tb_constants_free (struct tb_constants *constants);

/* PC ran, and no way leads there: enter where the next pointer before it leads to; true
   if that is news.  */
bool tb_constants_enter_before (struct tb_constants *constants, uint64_t pc);

/* Enter where code before such entries may branch to, if there is code; true if that is
   news.  */
bool tb_constants_enter_branches (struct tb_constants *constants);

/* The registers (bit N: register N) that hold constants before the instruction T,
   and in *VALUES their values, valid as long as CONSTANTS.  *FUNCTION: the entry of
   the function that it is of.  0 also where T is not what memory holds.  */
uint32_t tb_constants_before (const struct tb_constants *constants,
			      const struct tb_code_step *t,
			      const uint64_t **values, uint64_t *function);

/* Is the frame pointer before T always SP plus *FRAME?  */
bool tb_constants_frame (const struct tb_constants *constants,
			 const struct tb_code_step *t, uint32_t *frame,
			 uint64_t *function);

/* Find what the constants of the window say beyond what STATE, which must have
   been solved, knows; sorted by function.  False: no memory.  */
bool tb_assume_find_constants (struct tb_state *state);

#endif /* TB_STATE_ASSUME_CONSTANTS_H */
