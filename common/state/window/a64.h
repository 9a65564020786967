/* State of A64 code: what only cores with AArch64 have.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   General registers go through exceptions as they are; stack pointers are banked
   by exception level.  What an exception's return restores is known where the
   saved state was not written in between.

   These are for a state whose member A64 is not NULL.  */

#ifndef TB_STATE_WINDOW_A64_H
#define TB_STATE_WINDOW_A64_H

#include "arm/ir/semantics-a64.h"
#include "state/window/builder.h"

struct tb_a64
{
  unsigned zero_block;		/* See struct tb_profile.  */
  uint8_t el;			/* At the window's begin.  */
  /* See vectors-a64.c.  Sets of places, from TB_A64_VECTOR on: those that the
     templates use so that something may become known, and with what is told of the
     ends those that have names.  */
  uint64_t vectors_used[2], followed[2];
  uint64_t vectors_merged[2];	/* What becomes 0 by what FPCR is.  */
};

/* Make STATE's member A64.  False: no memory.  */
bool tb_a64_open (struct tb_state *state);

/* code-a64.c: describe T in SEMANTICS, which says that nothing is known of it.  */
void tb_a64_describe (struct tb_state *state, struct tb_template *t,
		      struct tb_semantics *semantics);

/* The window begins at exception level EL, if that is up to 3; else as a log tells.  */
void tb_a64_set_level (struct tb_state *state, uint8_t el);

/* vectors-a64.c  */

/* Does PLACE have names?  */
bool tb_a64_follows (const struct tb_state *state, unsigned place);
/* A template has the COUNT micro-operations UOPS.  */
void tb_a64_note_vectors (struct tb_state *state, const struct tb_uop *uops,
			  unsigned count);
/* The window will be named.  */
void tb_a64_begin_vectors (struct tb_state *state, bool halt);
/* They may hold anything.  */
void tb_a64_forget_vectors (struct tb_builder *b);
bool tb_a64_vector_narrow (const struct tb_builder *b, unsigned place);
/* PLACE got a name of its own, of a value that is NARROW.  */
void tb_a64_note_written (struct tb_names *n, unsigned place, bool narrow);
/* PLACE gets a value of at most the bits MOST, or any if FPCR.NEP is set.  */
void tb_a64_merge_vector (struct tb_builder *b, unsigned place,
			  uint64_t most);

/* levels.c: before step I, the changes.  */
void tb_a64_change (struct tb_builder *b, uint64_t i);
/* Follow a return from an exception, which B has followed as far as the step itself, up to
   step I of the window, to which it leads, or up to the exception that is taken before I once the
   return's context is stated; false: it is not known what lies between.  */
bool tb_a64_follow_return (struct tb_builder *b, uint64_t i);

/* Does step I of the window begin the handler of the one exception that was taken before it,
   from the same exception level with its own stack pointer?  Then SP was before what it is
   in the handler.  */
bool tb_a64_keeps_sp (const struct tb_state *state, uint64_t i);
void tb_a64_write_spsel (struct tb_builder *b, tb_vid value);
tb_vid tb_a64_read_sp (struct tb_builder *b, unsigned el);
void tb_a64_write_sp (struct tb_builder *b, unsigned el, tb_vid value);

/* a64.c: what is known of the slots WHICH by STATE->names, put into VALUES.  */
void tb_a64_values (const struct tb_state *state, uint64_t which,
		    struct tb_value *values);

#endif /* TB_STATE_WINDOW_A64_H */
