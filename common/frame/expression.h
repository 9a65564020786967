/* Expressions as users write them in conditions and "collect", compiled to what
   GDB would send for them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "Expressions", "Tracepoint Actions", "The GDB Agent
   Expression Mechanism"; where C and GDB 13.1 differ, GDB counts (a character constant
   is a char; a number that is compared with a pointer has 64 bits; the operands of a
   shift are converted together).

   An expression has C's operators but calls, with integers, pointers, enums and
   members; constants ('a', 0x10, 10ul); variables in scope at a PC, functions,
   enumerators; registers ($r0, $sp, $x30); state variables ($step, $mine), the one
   thing that can be assigned to; PERIPHERAL.REGISTER and PERIPHERAL.REGISTER.FIELD of
   a device description; {TYPE} ADDRESS; sizeof; casts; A@N; NAMESPACE::NAME,
   FUNCTION::NAME, 'FILE'::NAME.
   Floating point can be collected but not computed.

   How a tracepoint is made of text:

     struct tb_expression_scope scope = {
       .variables = tb_variables_new (symbols), .pc = address,
       .tdesc = tdesc, .set = set, .diag = diag };
     struct tb_expression_error error;
     struct tb_action_list list = { 0 };
     if (!tb_expression_compile (condition, strlen (condition), &scope,
				 &tracepoint->condition, NULL, &error)
	 || !tb_expression_collect ("$args, *p@4", 11, &scope, &list, &error))
       ... say ERROR.text, which is wrong at character ERROR.offset ...

   and then the actions of LIST are given to the tracepoint, each with its STEPPING as it
   should be.  It is done for each location, as the same name is something else at
   another PC.  */

#ifndef TB_FRAME_EXPRESSION_H
#define TB_FRAME_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/tdesc.h"
#include "frame/tracepoint.h"
#include "snapshot/variables.h"
#include "svd/svd.h"
#include "util/diag.h"

/* The longest text.  */
#define TB_EXPRESSION_TEXT_MAX 8192

/* The variables that a text names.  */
struct tb_expression_named
{
  uint64_t which;		/* Differs where their descriptions are others.  */
  uint64_t outside;		/* The same of those that are outside of functions.  */
  bool local;			/* One is of a function or a block,  */
  bool inlined;			/* of a function that is inlined.  */
};

/* What a text is, beside its value.  */
struct tb_expression_traits
{
  bool is_object;		/* It is a variable, a member, an element, what a pointer points
				   to, or a register; no bit field, and not computed.  */
  /* It has an element INDEX, a constant, of an array that has COUNT elements, and not that
     one.  */
  bool is_outside;
  int64_t index;
  uint64_t count;
};

/* What names mean.  All is borrowed, for the time of a call.  */
struct tb_expression_scope
{
  struct tb_variables *variables;	/* NULL: there are no symbols.  */
  uint64_t pc;
  /* There is no PC: no local variables, arguments or "$_ret".  */
  bool no_pc;
  const struct tb_tdesc *tdesc;	/* What registers there are.  */
  const struct tb_tracepoint_set *set;	/* Whose state variables; NULL: there are
					   none.  */
  const struct tb_svd *svd;		/* Names of peripherals; NULL: none.  */
  /* The place is one that stores: "value" is what ($stored), if the program has no
     variable of that name.  */
  bool of_store;
  bool of_said;			/* "value" is what software said.  */
  /* Becomes true where a text has "value" and the program does have one; NULL: nobody
     asks.  */
  bool *value_is_variable;
  bool float_bits;		/* The value of an expression that is floating point is
				   its bits.  */
  struct tb_expression_named *named;	/* NULL: nobody asks.  */
  struct tb_expression_traits *traits;	/* Set by tb_expression_compile.  NULL: nobody asks.  */
  struct tb_diag *diag;			/* For warnings only; NULL: none.  */
};

/* What is wrong with a text.  */
struct tb_expression_error
{
  size_t offset;		/* At this character of it; its length: at the end.  */
  char text[200];		/* "expected an operand, found `)'"  */
};

/* TEXT where floating point would have to be computed.  */
#define TB_EXPRESSION_NO_FLOAT "floating point is not supported"

/* Compile TEXT, the LENGTH characters of one expression, to the code of its value.
   *CODE becomes memory from malloc (tb_expression_fini); *TYPE, if TYPE is not NULL,
   what the value is, valid as long as SCOPE->variables.  False: *ERROR says why.  */
bool tb_expression_compile (const char *text, size_t length,
			    const struct tb_expression_scope *scope,
			    struct tb_expression *code,
			    const struct tb_type **type,
			    struct tb_expression_error *error);

/* Actions; zero-initialise.  */
struct tb_action_list
{
  struct tb_action *items;
  size_t count, capacity;
};

/* Free LIST, and the expressions of its actions.  */
void tb_action_list_fini (struct tb_action_list *list);

/* Append to LIST the actions for what may stand behind "collect": items separated by
   commas, with "/s" or "/sN" before the first one (follow pointers to characters, at
   most N of them).  An item is an expression, of which all that is read to find it is
   collected too, "$regs", "$args", "$locals" or "$_ret".  A variable of "$args" or
   "$locals" that is not available at the PC is left out with a warning, as are all
   where the file tells nothing of the function; one that is asked for by name is an
   error.  False: *ERROR says why; LIST is as it was.  */
bool tb_expression_collect (const char *text, size_t length,
			    const struct tb_expression_scope *scope,
			    struct tb_action_list *list,
			    struct tb_expression_error *error);

/* The same for what may stand behind "teval": expressions separated by commas, which
   are evaluated for what they set.  */
bool tb_expression_teval (const char *text, size_t length,
			  const struct tb_expression_scope *scope,
			  struct tb_action_list *list,
			  struct tb_expression_error *error);

/* The memory that TEXT names, such as "queue.head" or "table[3]" or "{int} 0x20000000"
   or "*buffer@16": *SIZE bytes at *ADDRESS, the same wherever it is evaluated: an error
   where registers or memory would have to be read.  */
bool tb_expression_place (const char *text, size_t length,
			  const struct tb_expression_scope *scope,
			  uint64_t *address, uint64_t *size,
			  struct tb_expression_error *error);

#endif /* TB_FRAME_EXPRESSION_H */
