/* Tracepoints and state variables as GDB defines them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source of the texts: GDB manual, "Tracepoint Packets".  A tracepoint of several
   locations has a definition for each, which share its number.  */

#ifndef TB_FRAME_TRACEPOINT_H
#define TB_FRAME_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/machine/profile.h"
#include "arm/machine/regs.h"
#include "util/buffer.h"

/* What one set can have: definitions may come from anybody.  */
#define TB_TRACEPOINTS_MAX 4096
#define TB_TRACE_VARIABLES_MAX 1024
#define TB_TRACEPOINT_BYTES_MAX ((size_t) 16 << 20)

/* The bytes of an agent expression (frame/agent.h); CODE is NULL where there is
   none.  */
struct tb_expression
{
  uint8_t *code;
  size_t length;
};

enum tb_action_kind
{
  TB_ACTION_REGISTERS,
  TB_ACTION_MEMORY,
  TB_ACTION_EXPRESSION
};

/* What is done at a hit.  */
struct tb_action
{
  uint8_t kind;			/* enum tb_action_kind  */
  bool stepping;		/* At the steps behind a hit, not at it.  */
  int base;			/* MEMORY: relative to this remote register; -1:
				   to nothing.  */
  uint64_t offset, length;	/* MEMORY  */
  struct tb_expression expression;
};

/* What the user typed.  */
enum tb_source_kind
{
  TB_SOURCE_AT,			/* The location.  */
  TB_SOURCE_CONDITION,
  TB_SOURCE_COMMAND
};

struct tb_source
{
  uint8_t kind;			/* enum tb_source_kind  */
  char *text;
};

/* What was said at a moment.  */
struct tb_said_value
{
  uint64_t value;
  bool known;			/* It is a number.  */
};

struct tb_tracepoint
{
  unsigned number;		/* 1 to 32767.  */
  uint64_t address;
  /* LISTED: it is not at an address, but at these moments, in their order.  */
  bool listed;
  uint64_t *moments;
  size_t nmoments;
  /* What software said at each of them, of which several may be the same then; NULL: they
     are not about that.  */
  struct tb_said_value *said;
  bool enabled;
  uint64_t steps;		/* Frames of single steps behind each hit.  */
  uint64_t pass;		/* The run ends with this hit; 0: with none.  */
  struct tb_expression condition;
  struct tb_action *actions;
  size_t nactions, action_capacity;
  struct tb_source *sources;	/* In their order.  */
  size_t nsources, source_capacity;
  bool stepping;		/* Actions that come from now on are STEPPING.  */

  /* What a run found.  */
  uint64_t hits;
  uint64_t things;		/* SAID: how many of them made these hits.  */
  uint64_t usage;		/* Bytes of its frames' registers and memory, but
				   what expressions collect.  */
  uint64_t unknown;		/* How often the condition met data that are not
				   known,  */
  uint64_t first_unknown;	/* first before this step.  */
};

struct tb_trace_variable
{
  unsigned number;
  char *name;
  int64_t initial;
  unsigned own;			/* enum tb_variable: the program's own, which
				   cannot be set; 0: the user's.  */
  struct tb_value value;	/* The user's: now.  */
};

/* Zero-initialise, or tb_tracepoint_set_init.  */
struct tb_tracepoint_set
{
  struct tb_tracepoint *items;
  size_t count, capacity;
  struct tb_trace_variable *variables;
  size_t nvariables, variable_capacity;
  size_t bytes;			/* Of expressions and texts.  */
};

/* A set with no tracepoint and the program's own state variables.
   False: no memory.  */
bool tb_tracepoint_set_init (struct tb_tracepoint_set *set);
void tb_tracepoint_set_fini (struct tb_tracepoint_set *set);

/* The tracepoint of this number and address; NULL: none.  */
struct tb_tracepoint *
tb_tracepoint_find (const struct tb_tracepoint_set *set, unsigned number,
		    uint64_t address);

/* Add one that is enabled and does nothing; NULL: there are too many, or no
   memory.  Pointers to others do not last.  */
struct tb_tracepoint *tb_tracepoint_add (struct tb_tracepoint_set *set,
					 unsigned number, uint64_t address);

/* Give T, which is of SET, an action, whose code is taken over, or a source, whose
   text is copied.  False: too much, or no memory.  */
bool tb_tracepoint_add_action (struct tb_tracepoint_set *set,
			       struct tb_tracepoint *t,
			       const struct tb_action *action);
bool tb_tracepoint_add_source (struct tb_tracepoint_set *set,
			       struct tb_tracepoint *t,
			       enum tb_source_kind kind, const char *text,
			       size_t length);

/* Append ACTION as it stands in a QTDP packet, with an S before it for the steps.  Of
   registers all are meant.  */
void tb_action_write (struct tb_buffer *text, const struct tb_action *action);

/* Does GDB need the symbols of the program to make sense of SOURCE?  */
bool tb_source_needs_symbols (const struct tb_source *source);

/* The variable of this number, or of this name; NULL: none.  */
struct tb_trace_variable *
tb_trace_variable_find (const struct tb_tracepoint_set *set, unsigned number);
struct tb_trace_variable *
tb_trace_variable_named (const struct tb_tracepoint_set *set,
			 const char *name);

/* Take in a definition, LENGTH characters of what stands behind "QTDP:":
     NUMBER:ADDRESS:E|D:STEPS:PASS[:F...][:S][:X...][-]	a new tracepoint
     -NUMBER:ADDRESS:[S]ACTION...[-]			more actions for it
   behind "QTDPsrc:":
     NUMBER:ADDRESS:at|cond|cmd:START:LENGTH:TEXT in hexadecimal
   or behind "QTDV:":
     NUMBER:INITIAL:OWN:NAME in hexadecimal
   A variable of one of the program's own names is that one.  False: that is no
   such text, there are too many, or there is no memory; nothing but the actions
   before the wrong one is then added.  */
bool tb_tracepoint_read (struct tb_tracepoint_set *set, const char *text,
			 size_t length);
bool tb_tracepoint_read_source (struct tb_tracepoint_set *set,
				const char *text, size_t length);
bool tb_trace_variable_read (struct tb_tracepoint_set *set, const char *text,
			     size_t length);

/* An expression of LENGTH bytes in hexadecimal, as "LENGTH,BYTES" with LENGTH
   hexadecimal too; *AT is then behind it.  */
bool tb_expression_read (struct tb_expression *expression, const char **at,
			 const char *end);
void tb_expression_fini (struct tb_expression *expression);

/* The definition of TRACEPOINT for GDB ("qTfP", "qTsP") is in so many pieces;
   append number PIECE.  */
size_t tb_tracepoint_pieces (const struct tb_tracepoint *tracepoint);
void tb_tracepoint_write (struct tb_buffer *text,
			  const struct tb_tracepoint *tracepoint,
			  size_t piece);

/* Does an action of TRACEPOINT set a state variable?  */
bool tb_tracepoint_sets (const struct tb_tracepoint *tracepoint);

/* Does a run have to know registers or memory at TRACEPOINT, for its condition or
   what it sets?  */
bool tb_tracepoint_reads (const struct tb_tracepoint *tracepoint);

#endif /* TB_FRAME_TRACEPOINT_H */
