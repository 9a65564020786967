/* FP and vector registers along the steps.  See fp.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/fpccr.h"
#include "state/window/a64.h"
#include "state/window/fp.h"

/* A frame's FPSCR stands behind S0 to S15.  */
#define FRAME_FPSCR (4 * TB_FP_FRAME_SINGLES)

enum { CONTROL = TB_PLACE_FPSCR - TB_PLACE_FP,
       STATUS = TB_PLACE_FPSCR_STATUS - TB_PLACE_FP };

static bool
is_fp (unsigned place)
{
  return place >= TB_PLACE_FP && place < TB_PLACE_END;
}

static bool
has_fp_uop (const struct tb_state *s)
{
  for (size_t i = 0; i < s->ntemplates; i++)
    for (unsigned k = 0; k < s->templates[i].count; k++)
      {
	const struct tb_uop *u = &s->uops[s->templates[i].first + k];
	if (is_fp (u->dst) || is_fp (u->a) || is_fp (u->b))
	  return true;
      }
  return false;
}

static bool
border_knows (const struct tb_border *border)
{
  for (unsigned i = 0; border != NULL && i < TB_NFP; i++)
    if (border->fp[i].mask != 0)
      return true;
  return false;
}

void
tb_fp_find (struct tb_state *s)
{
  unsigned doubt = s->profile->is_m ? TB_PREMISE_UNSEEN : TB_PREMISE_SCALAR;
  if (s->options.doubt & doubt)
    {
      s->fp = false;
      return;
    }
  s->fp = s->fp || has_fp_uop (s)
	  || border_knows (s->before[s->assuming])
	  || border_knows (s->after[s->assuming]);
  for (unsigned i = 0; s->last && !s->fp && i < TB_NVECTORS; i++)
    s->fp = s->vectors_at_halt[i].half[0].mask != 0;
}

/* The bits that FP place number I of FPSCR never has.  */
static uint32_t
never (unsigned i)
{
  return i == CONTROL ? ~TB_FPSCR_CONTROL : i == STATUS ? TB_FPSCR_CONTROL : 0;
}

bool
tb_fp_follows (const struct tb_state *s, unsigned place)
{
  return s->a64 != NULL ? tb_a64_follows (s, place) : s->fp;
}

tb_vid
tb_fp_fresh (struct tb_builder *b, unsigned place)
{
  tb_vid id = tb_namer_new (&b->n);
  uint32_t zero = b->state->a64 == NULL ? never (place - TB_PLACE_FP) : 0;
  if (zero != 0)
    tb_namer_bits (&b->n, id, zero, 0);
  return id;
}

tb_vid
tb_fp_read (struct tb_builder *b, unsigned place)
{
  tb_vid *fp = b->names->fp;
  if (!tb_fp_follows (b->state, place))
    return tb_fp_fresh (b, place);
  if (fp[place - TB_PLACE_FP] == 0)
    fp[place - TB_PLACE_FP] = tb_fp_fresh (b, place);
  return fp[place - TB_PLACE_FP];
}

void
tb_fp_write (struct tb_builder *b, unsigned place, tb_vid id, bool narrow)
{
  if (!tb_fp_follows (b->state, place))
    return;
  b->names->fp[place - TB_PLACE_FP] = id;
  if (b->state->a64 != NULL)
    tb_a64_note_written (b->names, place, narrow);
}

void
tb_fp_name_all (struct tb_builder *b)
{
  for (unsigned i = 0; b->state->fp && i < TB_NFP; i++)
    if (b->names->fp[i] == 0 && tb_fp_follows (b->state, TB_PLACE_FP + i))
      b->names->fp[i] = tb_fp_fresh (b, TB_PLACE_FP + i);
}

/* The FP place of the Ith register that is part of a frame: the singles, and both
   parts of FPSCR.  */
#define FRAME_PLACES TB_FP_LEFT

static unsigned
frame_place (unsigned i)
{
  return i < TB_FP_FRAME_SINGLES ? TB_PLACE_FP + i
	 : TB_PLACE_FPSCR + (i - TB_FP_FRAME_SINGLES);
}

/* Word I of a frame that has what is to be saved.  */
static tb_vid
frame_word (struct tb_builder *b, unsigned i)
{
  const tb_vid *left = b->names->fp_left;
  if (!b->state->fp)
    return tb_namer_new (&b->n);
  return i < TB_FP_FRAME_SINGLES ? left[i]
	 : tb_namer_value (&b->n, TB_OP_ORR, left[TB_FP_FRAME_SINGLES],
			   left[TB_FP_FRAME_SINGLES + 1]);
}

tb_vid
tb_fp_fpccr (struct tb_builder *b)
{
  if (!b->state->memory.has_fpccr)
    return tb_namer_bytes (&b->n, 1);
  tb_vid value = tb_namer_bytes (&b->n, 1);
  tb_namer_access (&b->n, TB_MEM_LOAD, tb_namer_constant (&b->n, TB_FPCCR_TOP), value, 1);
  return value;
}

tb_vid
tb_fp_is_saved (struct tb_builder *b)
{
  return tb_namer_valuei (&b->n, TB_OP_BIT, tb_fp_fpccr (b), TB_FPCCR_ASPEN);
}

static bool
is_constant (const struct tb_builder *b, tb_vid id, tb_word c)
{
  return id == tb_namer_constant (&b->n, c);
}

/* X and Y, which are 0 or 1; 0 is none.  */
static tb_vid
both (struct tb_builder *b, tb_vid x, tb_vid y)
{
  if (x == 0 || y == 0 || is_constant (b, x, 1) || is_constant (b, y, 0))
    return x == 0 ? y : y == 0 ? x : y;
  return is_constant (b, y, 1) || is_constant (b, x, 0) ? x
	 : tb_namer_value (&b->n, TB_OP_AND, x, y);
}

/* Are FP registers left to be saved?  */
static tb_vid
owed (struct tb_builder *b)
{
  if (b->names->fp_owed == 0)
    b->names->fp_owed = tb_build_fresh (b, TB_SLOT_FPCA);
  return b->names->fp_owed;
}

static bool
owes_nothing (const struct tb_builder *b)
{
  return is_constant (b, b->names->fp_owed, 0);
}

/* What is to be saved is what there is now, if WITH_FP is 1; else what there was to
   be saved before.  */
static void
leave (struct tb_builder *b, tb_vid with_fp)
{
  struct tb_names *n = b->names;
  for (unsigned i = 0; b->state->fp && i < FRAME_PLACES; i++)
    {
      tb_vid now = tb_fp_read (b, frame_place (i));
      n->fp_left[i] = owes_nothing (b) || n->fp_frame == 0 ? now
		      : tb_namer_select (&b->n, with_fp, now, n->fp_left[i]);
    }
}

/* PLACE keeps its value if CONDITION is 1.  */
static void
keep_if (struct tb_builder *b, unsigned place, tb_vid condition)
{
  tb_fp_write (b, place,
	       tb_namer_select (&b->n, condition, tb_fp_read (b, place),
				tb_fp_fresh (b, place)), false);
}

/* What an exception's entry left to be saved may be saved now, in part if that is
   INTERRUPTED: an exception may come in the middle of it, after whose return it begins anew
   (Cortex-M33 TRM, 100230, "Lazy stacking").  */
static void
save (struct tb_builder *b, bool interrupted)
{
  struct tb_names *n = b->names;
  tb_vid condition = interrupted ? owed (b) : both (b, b->condition, owed (b));
  if (n->fp_frame == 0)
    /* Somewhere.  */
    tb_build_maybe (b, tb_namer_new (&b->n), tb_namer_new (&b->n), 4, condition,
		    false);
  else
    for (unsigned i = 0; i < TB_FP_FRAME_WORDS; i++)
      tb_build_maybe (b, tb_namer_valuei (&b->n, TB_OP_ADD, n->fp_frame, 4 * i),
		      frame_word (b, i), 4, condition, false);
}

/* An FP instruction begins, or had perhaps begun when it was INTERRUPTED.  */
static void
use (struct tb_builder *b, bool interrupted)
{
  struct tb_names *n = b->names;
  tb_vid in_use = n->slot[TB_SLOT_FPCA], kept = 0;
  unsigned first = !owes_nothing (b) ? 0 : n->fp_used ? FRAME_PLACES
		   : TB_FP_FRAME_SINGLES;
  if (!owes_nothing (b))
    {
      save (b, interrupted);
      /* Where they were in use nothing was left to be saved, if CONTROL was not
	 written.  */
      kept = tb_namer_valuei (&b->n, TB_OP_EOR, owed (b), 1);
      if (!n->fp_untold)
	kept = tb_namer_value (&b->n, TB_OP_ORR, kept, in_use);
    }
  /* Where they are not in use FPSCR begins anew as FPDSCR says.  */
  for (unsigned i = first; b->state->fp && i < FRAME_PLACES; i++)
    {
      if (kept != 0 && (i < TB_FP_FRAME_SINGLES || n->fp_untold))
	keep_if (b, frame_place (i), kept);
      if (i >= TB_FP_FRAME_SINGLES)
	keep_if (b, frame_place (i), in_use);
    }
  n->fp_owed = tb_namer_constant (&b->n, 0);
  n->fp_used = true;
  n->fp_untold = false;
  if (b->state->saves_fp)
    n->slot[TB_SLOT_FPCA] = tb_namer_constant (&b->n, 1);
}

void
tb_fp_use (struct tb_builder *b)
{
  use (b, false);
}

void
tb_fp_use_perhaps (struct tb_builder *b)
{
  struct tb_names *n = b->names, old = *n;
  tb_vid *in_use = &n->slot[TB_SLOT_FPCA];
  b->condition = tb_build_fresh (b, TB_SLOT_FPCA);
  use (b, true);
  *in_use = tb_namer_value (&b->n, TB_OP_ORR, *in_use, tb_fp_is_saved (b));
  *in_use = tb_namer_select (&b->n, b->condition, *in_use, old.slot[TB_SLOT_FPCA]);
  tb_fp_unless (b, b->condition, old.fp);
  tb_fp_merge (b, b->condition, &old);
  b->condition = 0;
}

void
tb_fp_save_perhaps (struct tb_builder *b)
{
  if (!owes_nothing (b))
    save (b, true);
}

void
tb_fp_merge (struct tb_builder *b, tb_vid condition, const struct tb_names *old)
{
  struct tb_names *n = b->names;
  if (n->fp_owed != old->fp_owed)
    n->fp_owed = old->fp_owed == 0 ? 0
		 : tb_namer_select (&b->n, condition, n->fp_owed, old->fp_owed);
  n->fp_used &= old->fp_used;
  n->fp_untold |= old->fp_untold;
}

void
tb_fp_control (struct tb_builder *b)
{
  struct tb_names *n = b->names;
  n->fp_untold = true;
  n->fp_used = false;
}

void
tb_fp_enter (struct tb_builder *b, tb_vid frame, tb_vid with_fp)
{
  struct tb_names *n = b->names;
  n->fp_used = false;
  n->fp_untold = false;
  if (is_constant (b, with_fp, 0))
    return;
  tb_vid lazily = tb_namer_valuei (&b->n, TB_OP_BIT, tb_fp_fpccr (b), TB_FPCCR_LSPEN);
  tb_vid at_once = both (b, with_fp, tb_namer_valuei (&b->n, TB_OP_EOR, lazily, 1));
  leave (b, with_fp);
  for (unsigned i = 0; i < TB_FP_FRAME_WORDS; i++)
    tb_build_maybe (b, tb_namer_valuei (&b->n, TB_OP_ADD, frame, 4 * i),
		    frame_word (b, i), 4, at_once, false);
  if (owes_nothing (b))
    n->fp_frame = frame;
  else
    n->fp_frame = tb_namer_select (&b->n, with_fp, frame, n->fp_frame != 0
				   ? n->fp_frame : tb_namer_new (&b->n));
  n->fp_owed = tb_namer_select (&b->n, with_fp, lazily, owed (b));
  /* If they are saved at once the handler finds anything in them.  */
  tb_vid kept = tb_namer_valuei (&b->n, TB_OP_EOR, at_once, 1);
  for (unsigned i = 0; b->state->fp && i < FRAME_PLACES; i++)
    keep_if (b, frame_place (i), kept);
}

/* A frame's words are loaded into them, if that happens at all.  */
static void
load (struct tb_builder *b, tb_vid frame, tb_vid *loaded)
{
  /* Whether it does is not known, so nothing is concluded from that.  */
  tb_vid before = b->condition;
  b->condition = tb_namer_new (&b->n);
  for (unsigned i = 0; i < TB_FP_FRAME_SINGLES; i++)
    loaded[i] = tb_build_load (b,
			       tb_namer_valuei (&b->n, TB_OP_ADD, frame, 4 * i),
			       4);
  tb_vid word = tb_build_load (b, tb_namer_valuei (&b->n, TB_OP_ADD, frame,
						   FRAME_FPSCR), 4);
  loaded[TB_FP_FRAME_SINGLES] = tb_namer_valuei (&b->n, TB_OP_AND, word,
						 TB_FPSCR_CONTROL);
  loaded[TB_FP_FRAME_SINGLES + 1] = tb_namer_valuei (&b->n, TB_OP_AND, word,
						     ~TB_FPSCR_CONTROL);
  b->condition = before;
}

void
tb_fp_leave (struct tb_builder *b, tb_vid frame, tb_vid with_fp)
{
  struct tb_names *n = b->names;
  tb_vid after[FRAME_PLACES];
  n->fp_used = false;
  n->fp_untold = false;
  if (is_constant (b, with_fp, 0))
    return;
  if (b->state->fp)
    {
      if (owes_nothing (b))
	load (b, frame, after);
      else
	{
	  /* What was left to be saved needs not be loaded; if it was saved at once
	     nobody has touched it or the registers.  */
	  tb_vid same = n->fp_frame == 0 ? 0
			: tb_namer_value (&b->n, TB_OP_ISZERO,
					  tb_namer_value (&b->n, TB_OP_SUB,
							  frame,
							  n->fp_frame), 0);
	  for (unsigned i = 0; i < FRAME_PLACES; i++)
	    {
	      after[i] = tb_fp_fresh (b, frame_place (i));
	      if (same != 0)
		tb_namer_node (&b->n, TB_NODE_IF1, after[i], n->fp_left[i],
			       same);
	    }
	}
      for (unsigned i = 0; i < FRAME_PLACES; i++)
	tb_fp_write (b, frame_place (i),
		     tb_namer_select (&b->n, with_fp, after[i],
				      tb_fp_read (b, frame_place (i))), false);
    }
  /* What was not saved yet need not be any more.  */
  n->fp_owed = tb_namer_select (&b->n, with_fp, tb_namer_constant (&b->n, 0), owed (b));
}

void
tb_fp_unless (struct tb_builder *b, tb_vid condition, const tb_vid *old)
{
  for (unsigned i = 0; b->state->fp && i < TB_NFP; i++)
    {
      tb_vid otherwise = old != NULL ? old[i]
			 : tb_fp_fresh (b, TB_PLACE_FP + i);
      b->names->fp[i] = tb_namer_select (&b->n, condition, b->names->fp[i],
					 otherwise);
    }
}

/* Place number I of VECTORS; *SHIFT: from which of its bits on.  */
static struct tb_value *
place_of (const struct tb_state *s, const struct tb_vector *vectors, unsigned i,
	  unsigned *shift)
{
  const struct tb_value *at = &vectors[TB_FPSCR].half[0];
  *shift = 0;
  if (s->a64 != NULL)
    at = i < 64 ? &vectors[i / 2].half[i % 2]
	 : &vectors[TB_FPSCR + (i - 64)].half[0];
  else if (i < CONTROL)
    {
      at = &vectors[i / 2].half[0];
      *shift = 32 * (i % 2);
    }
  return (struct tb_value *) at;
}

/* The bits of place number I that tell something: others are always 0.  */
static uint64_t
telling (const struct tb_state *s, unsigned i)
{
  return s->a64 != NULL ? UINT64_MAX : (uint32_t) ~never (i);
}

void
tb_fp_state_border (struct tb_state *s, bool end, const struct tb_border *border)
{
  if (border != NULL && s->fpccr[end] != 0)
    tb_graph_set_bits (&s->graph, s->fpccr[end], border->fpccr.mask, border->fpccr.bits);
  for (unsigned i = 0; border != NULL && s->fp && i < TB_NFP; i++)
    if (s->names.fp[i] != 0)
      tb_graph_set_bits (&s->graph, s->names.fp[i], border->fp[i].mask,
			 border->fp[i].bits);
}

void
tb_fp_name_fpccr (struct tb_builder *b, bool end)
{
  struct tb_state *s = b->state;
  tb_vid value = s->memory.has_fpccr ? tb_fp_fpccr (b) : 0;
  if (!b->n.replay)
    s->fpccr[end] = value;
}

void
tb_fp_name_border (struct tb_builder *b, const struct tb_border *border)
{
  if (border != NULL && border->fp_saved)
    b->names->fp_owed = tb_namer_constant (&b->n, 0);
  if (border != NULL && border->fp_used)
    b->names->fp_used = true;
  tb_fp_name_fpccr (b, false);
  if (border != NULL && !tb_state_states_late (b->state) && b->state->fpccr[false] != 0)
    tb_namer_bits (&b->n, b->state->fpccr[false], border->fpccr.mask, border->fpccr.bits);
  bool now = border != NULL && b->state->fp && !tb_state_states_late (b->state);
  for (unsigned i = 0; now && i < TB_NFP; i++)
    if (b->names->fp[i] != 0)
      tb_namer_bits (&b->n, b->names->fp[i], border->fp[i].mask,
		     border->fp[i].bits);
}

void
tb_fp_take_border (const struct tb_state *s, bool end, struct tb_border *border)
{
  tb_vid owed = s->a64 == NULL ? s->names.fp_owed : 0, fpccr = s->fpccr[end];
  struct tb_known k = { 0 };
  if (fpccr != 0)
    border->fpccr = tb_border_known (&s->graph, fpccr);
  if (owed != 0)
    k = tb_graph_known (&s->graph, owed);
  border->fp_saved = s->fp && owed != 0 && tb_known_all (k) && k.bits == 0;
  border->fp_used = s->fp && s->names.fp_used;
  for (unsigned i = 0; s->fp && i < TB_NFP; i++)
    if (s->names.fp[i] != 0)
      {
	border->fp[i] = tb_border_known (&s->graph, s->names.fp[i]);
	border->fp[i].mask &= telling (s, i);
      }
}

void
tb_fp_state_halt (struct tb_state *s)
{
  for (unsigned i = 0; s->fp && i < TB_NFP; i++)
    {
      unsigned shift;
      const struct tb_value *at = place_of (s, s->vectors_at_halt, i, &shift);
      uint64_t mask = at->mask >> shift & s->graph.ones & telling (s, i);
      if (mask != 0 && s->names.fp[i] != 0)
	tb_graph_set_bits (&s->graph, s->names.fp[i], mask,
			   at->bits >> shift & mask);
    }
}

void
tb_fp_values (const struct tb_state *s, struct tb_vector *vectors)
{
  for (unsigned i = 0; s->fp && i < TB_NFP; i++)
    if (s->names.fp[i] != 0)
      {
	unsigned shift;
	struct tb_value *to = place_of (s, vectors, i, &shift);
	struct tb_known k = tb_graph_known (&s->graph, s->names.fp[i]);
	uint64_t mask = k.mask & telling (s, i);
	to->mask |= mask << shift;
	to->bits |= (k.bits & mask) << shift;
	to->origin = to->mask != 0 ? TB_DERIVED : TB_UNKNOWN;
      }
}
