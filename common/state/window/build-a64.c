/* State of A64 code: a new value for each write along the steps, and the nodes
   that tie them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/window/a64.h"

#define LOW_WORD UINT64_C (0xffffffff)
#define PLACE(place) (UINT64_C (1) << (place))

tb_vid
tb_a64_fresh (struct tb_builder *b, unsigned slot)
{
  tb_vid id = tb_namer_new (&b->n);
  bool flag = (slot >= TB_A64_N && slot <= TB_A64_SPSEL)
	      || (slot >= TB_A64_SAVED_N && slot <= TB_A64_SAVED_SPSEL);
  if (flag)
    tb_namer_bits (&b->n, id, ~UINT64_C (1), 0);
  return id;
}

static tb_vid
read_place (struct tb_builder *b, unsigned place, uint64_t imm)
{
  if (place == TB_PLACE_IMM)
    return tb_namer_constant (&b->n, imm);
  if (place == TB_PLACE_ZERO)
    return tb_namer_constant (&b->n, 0);
  if (place >= TB_A64_VECTOR)
    return tb_a64_read_vector (b, place);
  if (place >= TB_A64_NPLACES)
    return 0;
  return place < TB_A64_NSLOTS ? b->names->slot[place]
	 : b->temporaries[place - TB_A64_NSLOTS];
}

static bool
is_narrow (const struct tb_builder *b, unsigned place, uint64_t imm)
{
  if (place >= TB_A64_VECTOR)
    return tb_a64_vector_narrow (b, place);
  return place == TB_PLACE_IMM ? imm <= LOW_WORD
	 : place >= TB_A64_NPLACES || b->names->narrow >> place & 1;
}

static void
write_place (struct tb_builder *b, unsigned place, tb_vid id, bool narrow)
{
  struct tb_names *n = b->names;
  if (place >= TB_A64_VECTOR)
    {
      tb_a64_write_vector (b, place, id, narrow);
      return;
    }
  if (place < TB_A64_NSLOTS)
    n->slot[place] = id;
  else
    b->temporaries[place - TB_A64_NSLOTS] = id;
  n->narrow = (n->narrow & ~PLACE (place))
	      | (uint64_t) narrow << place;
  if (place >= TB_A64_N && place <= TB_A64_V)
    n->bits = 0;
}

/* Is the result of U below 2^32 when A and B, its operands, are or are not?  */
static bool
narrows (const struct tb_uop *u, bool a, bool b)
{
  switch (tb_ops[u->op].size)
    {
    case TB_SIZE_A:
      return a || (u->op == TB_OP_LSR && u->b == TB_PLACE_IMM && u->imm >= 32);
    case TB_SIZE_LEAST:
      return a || b;
    case TB_SIZE_MOST:
      return a && b;
    default:
      return tb_ops[u->op].size == TB_SIZE_FEW;
    }
}

static void
name_value (struct tb_builder *b, const struct tb_uop *u, tb_vid x,
	    tb_vid y)
{
  bool a = is_narrow (b, u->a, u->imm), second = is_narrow (b, u->b, u->imm);
  bool narrow = narrows (u, a, second);
  tb_vid d;
  if (u->op == TB_OP_AND && u->b == TB_PLACE_IMM && u->imm == LOW_WORD
	   && a)
    d = x;
  else
    {
      d = tb_namer_value (&b->n, u->op, x, y);
      if (u->op == TB_OP_AND && narrow)
	tb_namer_bits (&b->n, d, ~LOW_WORD, 0);
    }
  if (u->when != TB_ALWAYS)
    {
      d = tb_namer_select (&b->n, read_place (b, u->when, 0), d,
			   read_place (b, u->dst, 0));
      narrow &= is_narrow (b, u->dst, 0);
    }
  write_place (b, u->dst, d, narrow);
}

/* A value that is 1 where condition CC holds.  */
static tb_vid
condition (struct tb_builder *b, unsigned cc)
{
  struct tb_names *n = b->names;
  const tb_vid *flag = &n->slot[TB_A64_N];
  tb_vid x = n->x, y = n->y, value, differ, zero;
  bool invert = cc & 1, compared = n->bits != 0;

  if (compared && cc >= 10 && cc < 14 && n->bits == 32)
    {
      x = tb_namer_value (&b->n, TB_OP_SXTW, x, 0);
      y = tb_namer_value (&b->n, TB_OP_SXTW, y, 0);
    }
  switch (cc >> 1)
    {
    case 0:
      value = flag[1];
      break;
    case 1:
      value = flag[2];
      break;
    case 2:
      value = flag[0];
      break;
    case 3:
      value = flag[3];
      break;
    case 4:			/* C and not Z.  */
      if (compared)
	value = tb_namer_value (&b->n, TB_OP_LTU, y, x);
      else
	{
	  zero = tb_namer_valuei (&b->n, TB_OP_EOR, flag[1], 1);
	  value = tb_namer_value (&b->n, TB_OP_AND, flag[2], zero);
	}
      break;
    case 5:			/* N is V.  */
      value = compared ? tb_namer_value (&b->n, TB_OP_LTS, x, y)
	      : tb_namer_value (&b->n, TB_OP_EOR, flag[0], flag[3]);
      invert = !invert;
      break;
    case 6:			/* N is V, and not Z.  */
      if (compared)
	value = tb_namer_value (&b->n, TB_OP_LTS, y, x);
      else
	{
	  differ = tb_namer_value (&b->n, TB_OP_EOR, flag[0], flag[3]);
	  value = tb_namer_value (&b->n, TB_OP_ORR, differ, flag[1]);
	  invert = !invert;
	}
      break;
    default:			/* Always.  */
      return tb_namer_constant (&b->n, 1);
    }
  return invert ? tb_namer_valuei (&b->n, TB_OP_EOR, value, 1) : value;
}

static tb_vid
load (struct tb_builder *b, tb_vid address, unsigned size)
{
  tb_vid value = tb_namer_bytes (&b->n, size);
  if (!b->maybe && !b->names->foreign)
    tb_namer_access (&b->n, TB_MEM_LOAD, address, value, size);
  return value;
}

/* VALUE was loaded from the literal at ADDRESS by step I.  */
static void
name_literal (struct tb_builder *b, uint64_t i, uint64_t address,
	      tb_vid value, unsigned size)
{
  struct tb_state *s = b->state;
  tb_word literal;
  if (!b->n.replay && !b->maybe && !b->names->foreign
      && tb_memory_literal (&s->memory,
			    s->templates[s->info[i] & TB_INFO_TEMPLATE].pc,
			    address, size, &literal))
    tb_namer_bits (&b->n, value, UINT64_MAX, literal);
}

/* A store by U.  */
static void
store (struct tb_builder *b, const struct tb_uop *u, tb_vid address, tb_vid value)
{
  unsigned size = tb_uop_number (u);
  b->condition = u->when == TB_ALWAYS ? 0 : read_place (b, u->when, 0);
  if (b->condition == tb_namer_constant (&b->n, 1))
    b->condition = 0;
  if (!b->names->foreign)
    tb_build_store (b, b->maybe ? TB_MEM_MAYBE : TB_MEM_STORE, address, value, size);
  b->condition = 0;
}

/* State where the indirect branch of step I went: to VALUE, of which MASK counts.  */
static void
name_target (struct tb_builder *b, uint64_t i, tb_vid value, uint64_t mask)
{
  const struct tb_state *s = b->state;
  size_t count;
  const struct tb_change *change = tb_build_changes (s, i + 1, &count);

  b->names->target = value;
  for (size_t k = 0; k < count; k++)
    if (change[k].kind != TB_CHANGE_CONTEXT)
      return;
  if (i + 1 < s->steps)
       tb_namer_bits (&b->n, value, mask,
		s->templates[s->info[i + 1] & TB_INFO_TEMPLATE].pc);
  else if (s->next_known)
    tb_namer_bits (&b->n, value, mask, s->next_pc);
}

/* A value of which only the bits MOST may be set.  */
static tb_vid
at_most (struct tb_builder *b, uint64_t most)
{
  tb_vid id = tb_namer_new (&b->n);
  if (most != UINT64_MAX)
    tb_namer_bits (&b->n, id, ~most, 0);
  return id;
}

void
tb_a64_name (struct tb_builder *b, const struct tb_uop *u, uint64_t i,
	     uint32_t info)
{
  struct tb_names *n = b->names;
  tb_vid x = read_place (b, u->a, u->imm), y = read_place (b, u->b, u->imm), d;
  switch (u->op)
    {
    case TB_OP_UNKNOWN:
      if (u->dst >= TB_A64_VECTOR && !tb_a64_follows (b->state, u->dst))
	break;
      write_place (b, u->dst, at_most (b, u->imm), u->imm <= LOW_WORD);
      break;
    case TB_OP_FPSR:
      if (tb_a64_follows (b->state, TB_A64_FPSR))
	write_place (b, TB_A64_FPSR,
		       tb_namer_value (&b->n, TB_OP_ORR,
				     read_place (b, TB_A64_FPSR, 0),
				   at_most (b, u->imm)), false);
      break;
    case TB_OP_MERGED:
      tb_a64_merge_vector (b, u->dst, u->imm);
      break;
    case TB_OP_FORGET_VECTORS:
      tb_a64_fresh_vectors (b);
      break;
    case TB_OP_CONDITION:
      write_place (b, u->dst, condition (b, tb_uop_number (u)), true);
      break;
    case TB_OP_COMPARED:
      n->x = x;
      n->y = y;
      n->bits = (uint8_t) u->imm;
      break;
    case TB_OP_BRANCH_IF:
      if (info & (TB_INFO_TAKEN | TB_INFO_NOT_TAKEN))
	tb_namer_bits (&b->n, x, UINT64_MAX,
		       info & TB_INFO_TAKEN ? u->imm : !u->imm);
      break;
    case TB_OP_TARGET:
      name_target (b, i, x, u->imm);
      break;
    case TB_OP_ERET:
      n->returning = true;
      break;
    case TB_OP_TRAP:
      n->trapped = true;
      break;
    case TB_OP_LOAD_LITERAL:
      d = load (b, x, tb_uop_number (u));
      name_literal (b, i, tb_graph_known (&b->state->graph, x).bits, d,
		    tb_uop_number (u));
      write_place (b, u->dst, d, u->imm <= 4);
      break;
    case TB_OP_LOAD:
      write_place (b, u->dst, load (b, x, tb_uop_number (u)), u->imm <= 4);
      break;
    case TB_OP_STORE:
      store (b, u, x, y);
      break;
    case TB_OP_FORGET:
      n->epoch++;
      break;
    case TB_OP_FORGET_SAVED:
      n->saved_el = TB_A64_NO_EL;
      break;
    case TB_OP_READ_SP:
      write_place (b, u->dst, tb_a64_read_sp (b, (unsigned) u->imm), false);
      break;
    case TB_OP_WRITE_SP:
      tb_a64_write_sp (b, (unsigned) u->imm, x);
      break;
    case TB_OP_WRITE_SPSEL:
      tb_a64_write_spsel (b, x);
      break;
    default:
      name_value (b, u, x, y);
      break;
    }
}
