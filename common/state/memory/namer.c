/* Naming of values and accesses.  See namer.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/namer.h"

#include <assert.h>

tb_vid
tb_namer_new (const struct tb_namer *n)
{
  tb_vid id = (*n->next_value)++;
  if (!n->replay)
    {
      tb_vid made = tb_graph_new (n->graph);
      assert (made == id || n->graph->failed);
      (void) made;
    }
  return id;
}

tb_vid
tb_namer_constant (const struct tb_namer *n, tb_word c)
{
  return tb_graph_constant (n->graph, c);
}

void
tb_namer_bits (const struct tb_namer *n, tb_vid id, tb_word mask, tb_word bits)
{
  if (!n->replay && !n->graph->failed)
    tb_graph_set_bits (n->graph, id, mask, bits);
}

void
tb_namer_range (const struct tb_namer *n, tb_vid id, tb_word lo, tb_word hi)
{
  if (!n->replay && !n->graph->failed)
    tb_graph_set_range (n->graph, id, lo, hi);
}

void
tb_namer_node (const struct tb_namer *n, unsigned op, tb_vid d, tb_vid x,
	       tb_vid y)
{
  if (!n->replay)
    tb_graph_node (n->graph, op, d, x, y);
}

/* The number that the constant ID is; of 0, no value, 0.  */
static tb_word
constant_of (const struct tb_namer *n, tb_vid id)
{
  return id != 0 ? tb_graph_known (n->graph, id).bits : 0;
}

tb_vid
tb_namer_value (const struct tb_namer *n, unsigned op, tb_vid x, tb_vid y)
{
  if (op == TB_OP_MOV)
    return x;
  if (n->folds && x & TB_CONSTANT && (y & TB_CONSTANT || y == 0))
    return tb_namer_constant (n, tb_op_value (op, n->graph->bits, constant_of (n, x),
					      constant_of (n, y)));
  if (n->folds && y & TB_CONSTANT && tb_op_is (op, TB_ZERO_KEEPS)
      && constant_of (n, y) == 0)
    return x;
  if (op == TB_OP_SUB && y & TB_CONSTANT)
    return tb_namer_valuei (n, op, x, constant_of (n, y));
  if (op == TB_OP_BIC)
    {
      y = tb_namer_valuei (n, TB_OP_EOR, y, UINT64_MAX);
      op = TB_OP_AND;
    }
  else if (op == TB_OP_REVSH)
    {
      x = tb_namer_value (n, TB_OP_REV16, x, 0);
      op = TB_OP_SXTH;
    }
  tb_vid d = tb_namer_new (n);
  if (op == TB_OP_SUB)		/* d = x - y is x = d + y.  */
    tb_namer_node (n, TB_OP_ADD, x, d, y);
  else
    tb_namer_node (n, op, d, x, y);
  if (tb_op_is (op, TB_FLAG))
    tb_namer_bits (n, d, ~(tb_word) 1, 0);
  return d;
}

tb_vid
tb_namer_valuei (const struct tb_namer *n, unsigned op, tb_vid x, tb_word y)
{
  /* Let what is added be the constant: classes come of it.  */
  if (op == TB_OP_SUB)
    return tb_namer_value (n, TB_OP_ADD, x, tb_namer_constant (n, -y));
  return tb_namer_value (n, op, x, tb_namer_constant (n, y));
}

tb_vid
tb_namer_opposite (const struct tb_namer *n, tb_vid x)
{
  if (x & TB_CONSTANT)
    return tb_namer_constant (n, constant_of (n, x) == 0);
  return tb_namer_valuei (n, TB_OP_EOR, x, 1);
}

tb_vid
tb_namer_select (const struct tb_namer *n, tb_vid condition, tb_vid if1,
		 tb_vid if0)
{
  if (if1 == if0)
    return if1;
  if (condition & TB_CONSTANT)
    return constant_of (n, condition) != 0 ? if1 : if0;
  tb_vid d = tb_namer_new (n);
  tb_namer_node (n, TB_NODE_IF1, d, if1, condition);
  tb_namer_node (n, TB_NODE_IF0, d, if0, condition);
  tb_namer_node (n, TB_NODE_EITHER, d, if1, if0);
  return d;
}

tb_vid
tb_namer_bytes (const struct tb_namer *n, unsigned size)
{
  tb_vid value = tb_namer_new (n);
  if (8 * size < n->graph->bits)
    tb_namer_bits (n, value, ~(((tb_word) 1 << 8 * size) - 1), 0);
  return value;
}

uint32_t
tb_namer_access (const struct tb_namer *n, unsigned kind, tb_vid address,
		 tb_vid value, unsigned size)
{
  uint32_t id = (*n->next_access)++;
  if (!n->replay)
    {
      uint32_t made = tb_memory_add (n->memory, kind, address, value, size,
				     *n->epoch);
      assert (made == id || n->graph->failed);
      (void) made;
    }
  return id;
}
