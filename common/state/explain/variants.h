/* Variants of a state: the same steps worked out under other options.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A state keeps its variants and closes them with itself.  The functions want a state
   that has steps of its own: of a log that which is derived.  They return a borrowed
   state, or NULL without memory.  Nothing is said to anybody while a variant is worked
   out: what there is to say was said of the state itself.  */

#ifndef TB_STATE_EXPLAIN_VARIANTS_H
#define TB_STATE_EXPLAIN_VARIANTS_H

#include "state/state.h"

/* STATE with what explanations need (the option EXPLAIN); STATE itself if it has
   that.  */
struct tb_state *tb_variant_explained (struct tb_state *state);

/* STATE with the premises DOUBT (TB_PREMISE_...) doubted, and no others; STATE itself if
   it doubts just these.  Such a variant may be closed when some more were asked
   for.  */
struct tb_state *tb_variant_doubting (struct tb_state *state, unsigned doubt);

/* STATE without the assumption ASSUMPTION (TB_ASSUME_...).  Such a variant may be closed when
   some more were asked for.  */
struct tb_state *tb_variant_without (struct tb_state *state, unsigned assumption);

/* Let the windows of VARIANT hear of each other.  False: no memory.  */
bool tb_variant_prepare (struct tb_state *variant);

/* STATE, whatever its options doubt, with no premise doubted, for all of its steps; it is
   there until another variant is asked for.  */
struct tb_state *tb_variant_relying (struct tb_state *state);

#endif /* TB_STATE_EXPLAIN_VARIANTS_H */
