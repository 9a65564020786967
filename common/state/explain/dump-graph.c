/* Values and accesses of a graph, as text.  See dump-graph.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/dump-graph.h"

#include <inttypes.h>

static void
put_id (struct tb_buffer *text, const struct tb_graph *graph, tb_vid id)
{
  if (id & TB_CONSTANT)
    tb_buffer_printf (text, "0x%" PRIx64, (uint64_t) tb_graph_known (graph, id).bits);
  else
    tb_buffer_printf (text, "v%u", id);
}

/* The node NUMBER that made ID, if it computes that.  */
static void
put_node (struct tb_buffer *text, const struct tb_graph *graph, size_t number, tb_vid id)
{
  static const char *const names[]
    = { "IF0", "IF1", "EITHER", "BYTE", "LOAD", "STORE" };
  struct tb_node node = tb_graph_node_at (graph, number);
  if (node.op < TB_NODE_LOAD && node.v[0] != id)
    return;
  tb_buffer_printf (text, " = %s", node.op <= TB_OP_LAST_VALUE
		    ? tb_ops[node.op].name : names[node.op - TB_NODE_IF0]);
  if (node.op == TB_NODE_BYTE)
    tb_buffer_printf (text, " %u of byte %u,", node.x, node.y);
  if (node.op == TB_NODE_LOAD || node.op == TB_NODE_STORE)
    tb_buffer_printf (text, " a%u", node.v[0]);
  for (unsigned k = 1; k < 3; k++)
    if (node.v[k] != 0 && node.op < TB_NODE_LOAD)
      {
	tb_buffer_printf (text, "%s", k == 1 ? " " : ", ");
	put_id (text, graph, node.v[k]);
      }
}

/* What is known of ID, and by what.  */
static void
put_known (struct tb_buffer *text, const struct tb_graph *graph, tb_vid id)
{
  static const char *const causes[] = {
    [TB_CAUSE_NONE] = "-", [TB_CAUSE_TRACE] = "trace", [TB_CAUSE_LOG] = "log",
    [TB_CAUSE_DATA] = "data", [TB_CAUSE_HALT] = "halt", [TB_CAUSE_BORDER] = "window",
    [TB_CAUSE_START] = "start", [TB_CAUSE_CONSTANTS] = "constants",
    [TB_CAUSE_OBJECTS] = "objects", [TB_CAUSE_MEMORY] = "memory", [TB_CAUSE_SPLIT] = "few"
  };
  _Static_assert (sizeof causes / sizeof causes[0] == TB_CAUSE_NODE, "One of each.");
  struct tb_known known = tb_graph_known (graph, id);
  if (!tb_known_all (known))
    {
      /* In a graph of 32 bits those above are 0.  */
      tb_word all = UINT64_MAX >> (64 - graph->bits);
      known.mask &= all;
      if (known.mask != 0)
	tb_buffer_printf (text, "; bits 0x%" PRIx64 " are 0x%" PRIx64,
			  (uint64_t) known.mask, (uint64_t) known.bits);
      if (known.lo != 0 || known.hi != all)
	tb_buffer_printf (text, "; from 0x%" PRIx64 " to 0x%" PRIx64,
			  (uint64_t) known.lo, (uint64_t) known.hi);
      return;
    }
  uint32_t cause = tb_graph_cause (graph, id).cause;
  tb_buffer_printf (text, "; is 0x%" PRIx64 " by ", (uint64_t) known.bits);
  if (cause & TB_CAUSE_CLASS)
    put_id (text, graph, cause & ~TB_CAUSE_CLASS);
  else if (cause < TB_CAUSE_NODE)
    tb_buffer_printf (text, "%s", causes[cause]);
  else
    {
      struct tb_node node = tb_graph_node_at (graph, cause - TB_CAUSE_NODE);
      tb_buffer_printf (text, "the node of ");
      if (node.op < TB_NODE_LOAD)
	put_id (text, graph, node.v[0]);
      else
	tb_buffer_printf (text, "a%u", node.v[0]);
    }
}

void
tb_dump_graph (struct tb_buffer *text, const struct tb_graph *graph,
	       const struct tb_memory *memory, tb_vid first, tb_vid end,
	       uint32_t afirst, uint32_t aend)
{
  static const char *const kinds[] = {
    [TB_MEM_LOAD] = "load", [TB_MEM_STORE] = "store", [TB_MEM_MAYBE] = "perhaps store",
    [TB_MEM_NONE] = "no store", [TB_MEM_FINAL] = "at the halt"
  };
  for (tb_vid id = first; id < end; id++)
    {
      size_t maker = tb_graph_maker (graph, id);
      tb_buffer_printf (text, "  v%u", id);
      if (maker != 0)
	put_node (text, graph, maker, id);
      put_known (text, graph, id);
      tb_buffer_printf (text, "\n");
    }
  for (uint32_t id = afirst; id < aend; id++)
    {
      const struct tb_mem_access *a = &memory->accesses[id];
      tb_buffer_printf (text, "  a%u %s [", id, kinds[a->kind]);
      put_id (text, graph, a->address);
      tb_buffer_printf (text, "]:%u, ", tb_access_size (a));
      put_id (text, graph, a->value);
      tb_buffer_printf (text, "\n");
    }
}
