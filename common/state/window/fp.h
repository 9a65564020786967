/* FP and vector registers along the steps.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   They are named word by word, those of A64 half by half, as slots are (names.h), but
   only where the window may have something to say of them: where an instruction in it,
   the halt or a border has; then STATE->fp is set.  Which names A64 has, and what its
   instructions do to them, is in vectors-a64.c.

   The M profile's exceptions save S0 to S15 and FPSCR, where they are in use, at once, or
   leave room for them until the handler uses FP registers (lazily); once they are saved,
   what they hold is not defined.  Which it is, and whether an FP instruction makes them be
   in use, FPCCR says (memory/fpccr.h).  A return loads them from the frame, unless they
   were not saved yet (ARMv7-M, DDI 0403, B1.5.7, B1.5.8; DDI 0553, B3.20).  */

#ifndef TB_STATE_WINDOW_FP_H
#define TB_STATE_WINDOW_FP_H

#include "state/window/builder.h"

/* S0 to S15 and FPSCR are what a frame has room for.  */
#define TB_FP_FRAME_WORDS 17
#define TB_FP_FRAME_SINGLES 16

/* Set STATE->fp.  */
void tb_fp_find (struct tb_state *state);

/* A value of FP place PLACE of which nothing is known.  */
tb_vid tb_fp_fresh (struct tb_builder *b, unsigned place);

/* Does FP place PLACE have names?  */
bool tb_fp_follows (const struct tb_state *state, unsigned place);

/* The value in FP place PLACE; PLACE becomes ID, as tb_build_write does it.  Without names
   it is another one each time, and stays so.  */
tb_vid tb_fp_read (struct tb_builder *b, unsigned place);
void tb_fp_write (struct tb_builder *b, unsigned place, tb_vid id, bool narrow);

/* Name those that have no name and may have one.  */
void tb_fp_name_all (struct tb_builder *b);

/* The M profile: an FP instruction is about to run.  */
void tb_fp_use (struct tb_builder *b);

/* The same, but an exception came: it had perhaps not begun, and saved a part of what was left to
   be saved.  */
void tb_fp_use_perhaps (struct tb_builder *b);

/* The same of one without accesses, which exceptions give up before it has begun.  */
void tb_fp_save_perhaps (struct tb_builder *b);

/* What was done to what is left to be saved since OLD happened if CONDITION is 1.  */
void tb_fp_merge (struct tb_builder *b, tb_vid condition, const struct tb_names *old);

/* The byte of FPCCR that is followed (memory/fpccr.h); ASPEN in it.  */
tb_vid tb_fp_fpccr (struct tb_builder *b);
/* Put it into STATE->fpccr[END].  */
void tb_fp_name_fpccr (struct tb_builder *b, bool end);
tb_vid tb_fp_is_saved (struct tb_builder *b);

/* CONTROL.FPCA is about to be written: it does not tell any more what is left to be
   saved, and where it becomes 0 the next FP instruction begins with another
   FPSCR.  */
void tb_fp_control (struct tb_builder *b);

/* An exception's entry: if WITH_FP is 1 there is room at FRAME for what it
   interrupted.  */
void tb_fp_enter (struct tb_builder *b, tb_vid frame, tb_vid with_fp);

/* A return: if WITH_FP is 1 they are as they are at FRAME, or were not touched.  */
void tb_fp_leave (struct tb_builder *b, tb_vid frame, tb_vid with_fp);

/* They are as they were in OLD unless CONDITION is 1; or, if OLD is NULL, not
   known.  */
void tb_fp_unless (struct tb_builder *b, tb_vid condition, const tb_vid *old);

/* The border BORDER, at the END or before the names of BUILDER, says what it knows;
   and what is known by the names there are.  */
void tb_fp_state_border (struct tb_state *state, bool end,
			 const struct tb_border *border);
void tb_fp_name_border (struct tb_builder *b, const struct tb_border *border);
void tb_fp_take_border (const struct tb_state *state, bool end,
			struct tb_border *border);

/* State what they are at the halt.  */
void tb_fp_state_halt (struct tb_state *state);

/* Put what is known by the names there are into VECTORS, TB_NVECTORS entries.  */
void tb_fp_values (const struct tb_state *state, struct tb_vector *vectors);

#endif /* TB_STATE_WINDOW_FP_H */
