/* Histories: the value of an expression over a recording.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   An expression without registers changes where memory that it reads is stored to: the
   variable, and the pointers on the way to it; what is computed of them (COUNT > 3), or is a
   bit field, only where the value is another one then.  So only stores there are looked at, and
   those of a pointer make it another place from there on.  One with registers is evaluated
   before each step.  One with variables of a function (FUNCTION::NAME, or by a PC) is
   evaluated before each step of that function, in each of its calls apart.

     struct tb_history_expression e;
     if (!tb_history_compile (&e, text, &scope, symbols, &error))
       ... say ERROR.text, which is wrong at character ERROR.offset ...
     tb_history_walk (&source, &e, 0, steps, take, context, &missed);
     tb_history_expression_fini (&e);  */

#ifndef TB_FRAME_HISTORY_H
#define TB_FRAME_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "frame/expression.h"
#include "frame/scene.h"
#include "recording/recording.h"
#include "recording/tasks.h"
#include "snapshot/symbols.h"
#include "state/answer/accesses.h"
#include "util/buffer.h"

struct tb_history_expression
{
  struct tb_expression value;
  struct tb_action_list reads;	/* Which collect what it reads.  */
  const struct tb_type *type;
  bool registers;		/* It reads some.  */
  bool is_place;		/* It is always the SIZE bytes at ADDRESS.  */
  uint64_t address, size;
  struct tb_expression_traits traits;
  /* It has variables of a function; then only TYPE and this count.  NULL: it has none.  */
  struct tb_history_local *local;
};

/* Compile TEXT, whose value must be a number, of floating point too, or a pointer, and
   depend on memory or on registers.  Where SCOPE has a PC, names mean what they mean there.
   SYMBOLS (NULL: none) tell the functions.  What SCOPE has, and SYMBOLS, must live as
   long as the expression.  False: *ERROR says why; there is nothing to free.  */
bool tb_history_compile (struct tb_history_expression *expression, const char *text,
			 const struct tb_expression_scope *scope,
			 const struct tb_symbols *symbols,
			 struct tb_expression_error *error);
void tb_history_expression_fini (struct tb_history_expression *expression);

/* What is asked.  All is borrowed; ACCESSES may be NULL where the expression reads
   registers.  */
struct tb_history_source
{
  struct tb_state *state;
  const struct tb_stage *stage;
  struct tb_accesses *accesses;
  /* For variables of functions: where they are called.  */
  struct tb_recording *recording;
  struct tb_symbols *symbols;
  const struct tb_tasks *tasks;	/* As of struct tb_level_user, like  */
  bool (*sp) (void *context, uint64_t step, uint64_t *sp);
  void *sp_context;
  bool (*go_on) (void *context);	/* False: stop.  NULL: go on.  */
  void *context;
  uint64_t *reached;		/* The step that is looked at.  NULL: nobody asks.  */
};

/* One that was found.  */
struct tb_history_change
{
  /* Its instruction, or an exception that was taken behind it, stored there, perhaps what
     was there before; or changed the registers.  */
  uint64_t step;
  bool is_first;		/* Nothing did: AFTER is the value before this step, the first
				   one, or the first of a call of the function or of another
				   variable of that name, or that to which another call
				   returned, or it is not known what made it so, or
				   AFTER is not known from there on.  */
  bool is_over;			/* The call of the function is, before this step; what AFTER
				   is is not known.  IS_FIRST is set, too.  */
  bool maybe;			/* It need not have happened.  */
  struct tb_value before, after;
};

/* What a walk cannot tell: accesses on the way that may have been to what is read.  */
struct tb_history_missed
{
  uint64_t stores;		/* To addresses that are not known.  */
  uint64_t steps;		/* Instructions whose accesses are not known.  */
  uint64_t gaps;		/* Of the trace.  */
  bool places;			/* More places were read at once than are looked at.  */
  bool unchanged;		/* Nothing that was told changes it.  */
  bool no_call;			/* The function whose variables are meant does not run.  */
};

/* Tell TAKE of the value before step FROM, and of all that changes it up to step END,
   in order, until it returns false.  TB_SEARCH_NONE: all was told.  */
enum tb_search tb_history_walk (const struct tb_history_source *source,
				const struct tb_history_expression *expression,
				uint64_t from, uint64_t end,
				bool (*take) (void *context,
					      const struct tb_history_change *change),
				void *context, struct tb_history_missed *missed);

/* Is VALUE, of TYPE and known, a number and no infinity?  */
bool tb_history_is_number (const struct tb_value *value, const struct tb_type *type);

/* Append VALUE, of TYPE: decimal, pointers hexadecimal, "?" where not all is known.  */
void tb_history_put_value (struct tb_buffer *text, const struct tb_value *value,
			   const struct tb_type *type);

/* "certain", "assumed", "perhaps" or "unknown".  */
const char *tb_history_tier (const struct tb_history_change *change,
			     const struct tb_type *type);

/* Append "5 -> 6, certain" and the like, or the value that is first.  */
void tb_history_put_change (struct tb_buffer *text,
			    const struct tb_history_change *change,
			    const struct tb_type *type);

/* Append what is to be said of EXPRESSION, without a newline: that it has an element which its
   array has not.  Nothing: there is nothing to say.  */
void tb_history_put_remark (struct tb_buffer *text,
			    const struct tb_history_expression *expression);

/* Append lines that say that nothing changes it, and what was missed, each after LEAD; none if
   neither is so.  */
void tb_history_put_missed (struct tb_buffer *text, const char *lead,
			    const struct tb_history_missed *missed);

#endif /* TB_FRAME_HISTORY_H */
