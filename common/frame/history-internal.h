/* Histories: what their files share (private to frame/history*.c).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_HISTORY_INTERNAL_H
#define TB_FRAME_HISTORY_INTERNAL_H

#include "frame/history.h"

/* Pieces of memory that one value is read from.  */
#define TB_HISTORY_RANGES 64

/* Steps between two looks at whether to go on.  */
#define TB_HISTORY_PATIENCE 1024

/* A value, and what it was read from.  */
struct tb_history_read
{
  struct tb_value value;
  struct tb_watch_range ranges[TB_HISTORY_RANGES];
  size_t count;
  bool too_many;
  bool left_out;		/* More is read, at places that are not known.  */
};

/* The bits of a value of TYPE.  */
static inline uint64_t
tb_history_mask (const struct tb_type *type)
{
  return type->size >= 8 ? UINT64_MAX : (UINT64_C (1) << 8 * type->size) - 1;
}

/* Is as much known of the bits MASK of A and B, and the same?  */
static inline bool
tb_history_same (const struct tb_value *a, const struct tb_value *b, uint64_t mask)
{
  return (a->mask & mask) == (b->mask & mask)
	 && (a->bits & a->mask & mask) == (b->bits & b->mask & mask);
}

/* Has a value of TYPE a history?  False: *ERROR says why it has none.  */
bool tb_history_has_value (const struct tb_type *type, struct tb_expression_error *error);

/* What VALUE is at moment NUMBER, and, unless READS is NULL, what it is read from.  */
void tb_history_read_at (const struct tb_history_source *source,
			 const struct tb_expression *value,
			 const struct tb_action_list *reads, uint64_t number,
			 struct tb_history_read *read);

/* What step CHANGE->step stores into what was READ: CHANGE->maybe if it need not have
   happened; and the value after it, if that is not known and the store is all of the place
   that E is, which may be a device's.  */
void tb_history_look_at_store (const struct tb_history_source *source,
			       const struct tb_history_expression *e,
			       const struct tb_history_read *read,
			       struct tb_history_change *change);

/* What the text of an expression means at one PC.  */
struct tb_history_meaning
{
  bool tried, ok;
  uint64_t which;		/* Variables, as struct tb_expression_named has them.  */
  struct tb_expression value;
  struct tb_action_list reads;
};

/* An expression with variables of a function, which mean something else at each PC.  */
struct tb_history_local
{
  char *text;
  struct tb_expression_scope scope;
  const struct tb_function *function;
  uint64_t begin;		/* Its first PC behind what sets it up.  */
  const struct tb_type *type;
  bool is_own;			/* Names are of FUNCTION itself, not of what is inlined.  */
  uint64_t which;		/* The variables that are meant; 0: IS_OWN, those that the
				   names mean at each PC; else not known yet.  */
  uint64_t outside;		/* Of them, those outside of functions.  */
  bool ambiguous;		/* Somewhere others are that are not told with them.  */
  struct tb_history_meaning *meanings;	/* One for each two bytes.  */
  size_t count;
};

/* What the text means at PC; NULL: nothing, and *ERROR says why if it was not tried
   before.  */
const struct tb_history_meaning *
tb_history_meaning_at (struct tb_history_local *local, uint64_t pc,
		       struct tb_expression_error *error);

enum tb_history_compiled
{
  TB_HISTORY_COMPILED,
  TB_HISTORY_NOT_LOCAL,		/* It has no variable of a function.  */
  TB_HISTORY_WRONG		/* *ERROR says what.  */
};

/* Compile TEXT, in which the variables of the function at SCOPE's PC are meant.  */
enum tb_history_compiled
tb_history_compile_here (struct tb_history_expression *expression, const char *text,
			 const struct tb_expression_scope *scope,
			 const struct tb_symbols *symbols,
			 struct tb_expression_error *error);
/* The same of the function that TEXT names, as in "FUNCTION::NAME"; *ERROR stays where it
   names none.  */
enum tb_history_compiled
tb_history_compile_local (struct tb_history_expression *expression, const char *text,
			  const struct tb_expression_scope *scope,
			  const struct tb_symbols *symbols,
			  struct tb_expression_error *error);
void tb_history_local_free (struct tb_history_local *local);

/* tb_history_walk for an expression that has LOCAL.  */
enum tb_search tb_history_walk_local (const struct tb_history_source *source,
				      const struct tb_history_expression *expression,
				      uint64_t from, uint64_t end,
				      bool (*take) (void *context,
						    const struct tb_history_change *change),
				      void *context, struct tb_history_missed *missed);

#endif /* TB_FRAME_HISTORY_INTERNAL_H */
