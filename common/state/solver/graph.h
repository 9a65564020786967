/* The graph of values: what is known of each value that was computed.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Every write of a register, flag or temporary in the window makes a new value
   (single assignment); a node ties values together by the operation that made
   one of them.  A node works in every direction: whatever it can conclude of
   any of its values from the others it does.  All conclusions only add
   knowledge, so their order does not matter and running until nothing changes
   ends at one fixpoint.

   What is known of a value: bits, an unsigned interval, and its class: values
   that are the same symbol plus a constant.  When one of a class becomes known,
   all do.

   A graph computes with words of 32 or of 64 bits.  All numbers are kept in 64 bits:
   of a value of a graph of 32 bits is known that the upper ones are 0.  */

#ifndef TB_STATE_SOLVER_GRAPH_H
#define TB_STATE_SOLVER_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arm/ir/semantics.h"
#include "state/solver/marks.h"
#include "state/solver/poll.h"

/* A number of as many bits as a word of the graph has.  */
typedef uint64_t tb_word;

/* A value's number.  0: none.  With TB_CONSTANT: the number of a constant.  */
typedef uint32_t tb_vid;
#define TB_CONSTANT UINT32_C (0x80000000)

/* Operations of nodes beside those of enum tb_op that compute a value; v[0] is
   always what is computed, v[1] and v[2] the operands.  There is no node MOV,
   SUB or BIC: they are made of others.  */
enum tb_node_op
{
  TB_NODE_IF0 = TB_OP_LAST_VALUE + 1,	/* v[2] == 0 implies v[0] == v[1].  */
  TB_NODE_IF1,			/* v[2] == 1 implies v[0] == v[1].  */
  TB_NODE_EITHER,		/* v[0] is v[1] or v[2].  */
  TB_NODE_BYTE,			/* Byte X of v[0] is byte Y of v[1].  */
  TB_NODE_LOAD, TB_NODE_STORE	/* v[0]: access; v[1] address, v[2] value.  */
};

struct tb_node
{
  uint8_t op, x, y;
  uint32_t v[3];
};

/* What is known of a value.  */
struct tb_known
{
  tb_word mask, bits;		/* The bits in MASK are those of BITS.  */
  tb_word lo, hi;		/* LO <= value <= HI.  */
};

/* What made a value wholly known: a fact of one of these kinds, a node (its number
   + TB_CAUSE_NODE), or another value of its class (that with TB_CAUSE_CLASS).  */
enum
{
  TB_CAUSE_NONE,
  TB_CAUSE_TRACE,		/* What the trace or the instruction says.  */
  TB_CAUSE_LOG,			/* What a line of a log says.  */
  TB_CAUSE_DATA,		/* What data trace says.  */
  TB_CAUSE_HALT,		/* The registers at the halt.  */
  TB_CAUSE_BORDER,		/* The window before or after.  */
  TB_CAUSE_START,		/* What the user says of the start.  */
  TB_CAUSE_CONSTANTS,		/* An assumed constant of a function.  */
  TB_CAUSE_OBJECTS,		/* It is assumed to lie within an object.  */
  TB_CAUSE_MEMORY,		/* Constant memory, or what the dump holds.  */
  TB_CAUSE_SPLIT,		/* No other value of few is possible.  */
  TB_CAUSE_NODE
};
#define TB_CAUSE_CLASS UINT32_C (0x80000000)

/* What is known of a value is kept in few bits as it often is one of these.  */
enum tb_graph_kind
{
  TB_KIND_NOTHING,		/* Any number.  */
  TB_KIND_FLAG,			/* 0 or 1.  */
  TB_KIND_BYTE, TB_KIND_HALF,	/* 8 or 16 bits.  */
  TB_KIND_LOW,			/* 32: any number of a graph of 32 bits.  */
  TB_KIND_EVEN, TB_KIND_WORDS,	/* A multiple of 2 or 4.  */
  TB_KIND_LOW_EVEN, TB_KIND_LOW_WORDS,	/* The same of 32 bits.  */
  TB_KIND_SHAPES,		/* So many are in tb_graph_shapes.  */
  TB_KIND_PART = TB_KIND_SHAPES,	/* Any other knowledge.  */
  TB_KIND_ALL			/* The number.  */
};
extern const struct tb_known tb_graph_shapes[TB_KIND_SHAPES];

#define TB_VALUE_BITS 28	/* Of a value's number.  */

#define TB_PLACE_BITS 30	/* Of a node's.  */

/* A value is that of its parent, another one of its class, plus an offset, as long
   as it is not known; a class's root is its own parent (the place of its offset
   holds how many the class has).  What is known needs no parent: the upper half of
   a number of 64 bits goes there.  */
struct tb_graph_value
{
  uint32_t low;			/* The number; PART: which of the parts; else the
				   offset, or the value has a part.  */
  union
  {
    uint32_t high;		/* If ALL.  */
    struct
    {
      uint32_t parent : TB_VALUE_BITS;
      uint32_t kind : 4;	/* enum tb_graph_kind, but for that of ALL.  */
    };
  };
  uint32_t users : TB_PLACE_BITS;	/* The last node that has it; 0: none.  */
  uint32_t stack : 1;		/* It was in SP.  */
  uint32_t all : 1;		/* TB_KIND_ALL  */
};

static inline unsigned
tb_value_kind (const struct tb_graph_value *v)
{
  return v->all ? TB_KIND_ALL : v->kind;
}

static inline tb_word
tb_value_word (const struct tb_graph_value *v)
{
  return v->all ? (uint64_t) v->high << 32 | v->low
	 : (tb_word) (int64_t) (int32_t) v->low;
}

/* What is known of values of kind PART is a shape: many know the same.  */
struct tb_graph_use
{
  uint32_t users;		/* Parts that have it, or had.  */
  uint32_t next;		/* Number + 1 of the next one of its hash, or that
				   is free.  */
};

#define TB_SHAPE_BITS 26	/* Of a shape's number.  */

struct tb_graph_part
{
  uint32_t offset;		/* Of the value, its lower half.  Free: the next free
				   one.  */
  uint32_t shape : TB_SHAPE_BITS;
  uint32_t narrowed : 6;	/* How often only the interval shrank.  */
};

/* Numbers that the values and accesses of a block of nodes are near.  */
struct tb_graph_base
{
  tb_vid value;
  uint32_t access;		/* 0: none yet.  */
};

/* By what a value became known, and when.  */
struct tb_graph_cause
{
  uint32_t cause;		/* TB_CAUSE_...  */
  uint32_t order;		/* That of those it follows from is lower.  */
  tb_vid parent;		/* That it had.  */
};

/* What a value was before a trial.  */
struct tb_graph_undo
{
  tb_vid id;
  uint32_t cause;
  struct tb_graph_part part;	/* If it has one.  */
  tb_word offset;
  uint32_t parent : TB_VALUE_BITS;
  uint32_t kind : 4;
};

struct tb_graph
{
  unsigned bits;		/* Of a word: 32 or 64.  */
  tb_word ones;			/* Just these bits.  */
  struct tb_graph_value *values;
  size_t nvalues, values_room;	/* Value 0 is never used.  */
  /* Frozen: instead of VALUES their kinds and words (of BITS, PART: the number of a
     shape).  */
  void *words;
  uint8_t *kinds;
  struct tb_graph_part *parts;
  size_t nparts, parts_room;
  uint32_t *highs;		/* Words of 64 bits: the upper halves of their offsets.  */
  size_t highs_room;
  uint32_t free_part;		/* Number + 1; 0: none is free.  */
  struct tb_known *shapes;
  struct tb_graph_use *uses;	/* Of each.  */
  size_t nshapes, shapes_room;
  uint32_t free_shape;		/* Number + 1; 0: none is free.  */
  uint32_t *shape_hash;		/* Number + 1.  */
  size_t shape_heads;		/* Its entries: a power of two.  */
  /* Nodes (see graph-nodes.h).  A node's number is its place, from 1.  */
  uint16_t *nodes;
  size_t nnodes, nodes_room;	/* Units of 16 bits.  */
  struct tb_graph_base *bases;
  size_t nbases, bases_room;
  struct tb_marks queued;	/* Nodes to look at, by their places.  */
  struct tb_marks narrowed;	/* Values whose nodes are to be looked at when there
				   is nothing else.  */
  uint32_t *queue;		/* In a trial: in the order they came.  Else of
				   graph-class.c.  */
  size_t queue_next, queue_end, queue_room;
  bool expected;		/* Room was made for what is to come ...  */
  bool built;			/* ... and what comes now is not much.  */
  tb_word *constants;
  size_t nconstants, constants_room;
  uint32_t *interned;		/* Hash: constant number + 1.  */
  size_t interned_room;
  uint32_t cause;		/* Of what is being stated now.  */
  bool causes_on;		/* Keep by what each value became known: set it
				   before there is a value.  */
  struct tb_graph_cause *causes;
  size_t causes_room;
  uint32_t settled;		/* Values that became known so far.  */
  bool conflict;		/* Two facts exclude each other: the input is
				   not what a core did.  */
  bool failed;			/* No memory.  */
  bool trial;			/* Changes are noted, to be undone; classes stay
				   as they are.  */
  bool exact;			/* It goes on only from what is wholly known.  */
  struct tb_graph_undo *undo;
  size_t nundo, undo_room;
  struct tb_poll *poll;		/* Asked meanwhile; who stops it sets FAILED.  NULL: none.  */
  /* Called when the address or the value of an access changed.  */
  void (*access_changed) (void *context, uint32_t access);
  void *context;
};

/* BITS: 32 or 64.  */
void tb_graph_init (struct tb_graph *graph, unsigned bits);
void tb_graph_fini (struct tb_graph *graph);

/* Nothing will be added or solved any more: keep what is known of each value
   only.  Where there is no memory for that it stays as it is.  */
void tb_graph_freeze (struct tb_graph *graph);

/* Bytes that GRAPH has.  */
size_t tb_graph_bytes (const struct tb_graph *graph);

/* There will be TIMES as many values and nodes as there are now: make room for
   just these.  */
void tb_graph_expect (struct tb_graph *graph, double times);

/* There will be few more values and nodes: let go of the room that is left.  */
void tb_graph_trim (struct tb_graph *graph);

/* A new value of which nothing is known.  */
tb_vid tb_graph_new (struct tb_graph *graph);

/* The constant C, modulo the word.  */
tb_vid tb_graph_constant (struct tb_graph *graph, tb_word c);

/* Add a node.  */
void tb_graph_node (struct tb_graph *graph, unsigned op, uint32_t v0,
		    tb_vid v1, tb_vid v2);
void tb_graph_byte (struct tb_graph *graph, tb_vid a, unsigned x, tb_vid b,
		    unsigned y);
void tb_graph_equal (struct tb_graph *graph, tb_vid a, tb_vid b);

/* What frozen GRAPH keeps of ID.  */
static inline tb_word
tb_graph_frozen (const struct tb_graph *graph, tb_vid id)
{
  return graph->bits == 32 ? ((const uint32_t *) graph->words)[id]
	 : ((const uint64_t *) graph->words)[id];
}

/* What is known of ID.  */
static inline struct tb_known
tb_graph_known (const struct tb_graph *graph, tb_vid id)
{
  if (id & TB_CONSTANT)
    {
      tb_word c = graph->constants[id & ~TB_CONSTANT];
      return (struct tb_known) { UINT64_MAX, c, c, c };
    }
  tb_word word;
  unsigned kind;
  if (__builtin_expect (graph->kinds == NULL, 1))
    {
      const struct tb_graph_value *v = &graph->values[id];
      kind = tb_value_kind (v);
      word = kind == TB_KIND_PART ? graph->parts[v->low].shape
	     : (uint64_t) v->high << 32 | v->low;
    }
  else
    {
      word = tb_graph_frozen (graph, id);
      kind = graph->kinds[id];
    }
  if (kind == TB_KIND_ALL)
    return (struct tb_known) { UINT64_MAX, word, word, word };
  return kind == TB_KIND_PART ? graph->shapes[word]
	 : tb_graph_shapes[kind];
}

/* Is ID a value (not a constant) of which not all is known?  */
static inline bool
tb_graph_open (const struct tb_graph *graph, tb_vid id)
{
  return !(id & TB_CONSTANT) && !graph->values[id].all;
}

/* The class of the open value ID: another value; ID is that plus *OFFSET, modulo the
   word.  */
tb_vid tb_graph_class (const struct tb_graph *graph, tb_vid id,
		       tb_word *offset);

/* SP holds ID.  */
static inline void
tb_graph_mark_stack (struct tb_graph *graph, tb_vid id)
{
  if (!graph->failed && !(id & TB_CONSTANT))
    graph->values[id].stack = true;
}

/* By what ID (no constant) became known, and when; TB_CAUSE_NONE where that is not
   kept.  */
struct tb_graph_cause tb_graph_cause (const struct tb_graph *graph,
				      tb_vid id);

/* The node that computes ID (no constant) of others, the oldest that has it as the
   newest of its values; 0: there is none.  */
size_t tb_graph_maker (const struct tb_graph *graph, tb_vid id);

/* Node NUMBER.  */
struct tb_node tb_graph_node_at (const struct tb_graph *graph, size_t number);

static inline bool
tb_known_all (struct tb_known known)
{
  return known.mask == UINT64_MAX;
}

/* State facts.  Contradictions set CONFLICT.  */
void tb_graph_refine (struct tb_graph *graph, tb_vid id,
		      struct tb_known fact);
void tb_graph_set_bits (struct tb_graph *graph, tb_vid id, tb_word mask,
			tb_word bits);
void tb_graph_set_range (struct tb_graph *graph, tb_vid id, tb_word lo,
			 tb_word hi);
static inline void
tb_graph_set (struct tb_graph *graph, tb_vid id, tb_word value)
{
  tb_graph_set_bits (graph, id, UINT64_MAX, value & graph->ones);
}

/* X is Y + OFFSET.  */
void tb_graph_link (struct tb_graph *graph, tb_vid x, tb_vid y,
		    tb_word offset);

/* Is A - B a known constant although neither may be known?  */
bool tb_graph_difference (const struct tb_graph *graph, tb_vid a, tb_vid b,
			  tb_word *difference);

/* Work until nothing more is learned.  */
void tb_graph_solve (struct tb_graph *graph);

/* The same, but UNITS (solver/poll.h) of it at most; false: it was less.  In how many parts it
   is done makes no difference.  */
bool tb_graph_solve_some (struct tb_graph *graph, unsigned units);

/* The same, but no longer than until ID is wholly known.  */
void tb_graph_solve_for (struct tb_graph *graph, tb_vid id);

/* Try what follows if ID is VALUE: work on *VISITS nodes at most (it becomes what
   is left), see whether CONFLICT is set, and what the values in UNDO became.  Then
   undo all of it.  Between two solutions only.  EXACT: go on only from values that
   become wholly known, which costs much less and finds most.  */
void tb_graph_try (struct tb_graph *graph, tb_vid id, tb_word value,
		   bool exact, size_t *visits);
void tb_graph_undo (struct tb_graph *graph);

/* Conclude what a node of operation OP, with BYTES (X | Y << 4) and the values D, A
   and B allows (rules.c).  True: there will be nothing more.  */
bool tb_rule_apply (struct tb_graph *graph, unsigned op, unsigned bytes,
		    tb_vid d, tb_vid a, tb_vid b);

#endif /* TB_STATE_SOLVER_GRAPH_H */
