/* Loads from tables in constant memory by an index that is not known.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/memory/memory.h"

#include "util/number.h"

/* Addresses that are tried.  */
#define TABLE_LIMIT 64

/* The lowest value that K leaves which is AT or above; false: there is none.  */
static bool
raise (struct tb_known k, tb_word at, tb_word *value)
{
  if (at > k.hi)
    return false;
  /* Where a known bit differs the bits below are free: if it has to be 1 the
     lowest is taken for them, if it has to be 0 a carry goes up.  */
  for (tb_word differ; (differ = (at ^ k.bits) & k.mask) != 0;)
    {
      unsigned top = 63 - (unsigned) __builtin_clzll (differ);
      tb_word bit = (tb_word) 1 << top;
      if (k.bits & bit)
	at = (at & ~(bit - 1)) | bit | (k.bits & (bit - 1));
      else
	{
	  tb_word up = (at | (bit - 1)) + 1;
	  if (up == 0)
	    return false;
	  at = up;
	}
      if (at > k.hi)
	return false;
    }
  *value = at;
  return true;
}

void
tb_memory_look_up (struct tb_memory *m, uint32_t id)
{
  const struct tb_mem_access *a = &m->accesses[id];
  struct tb_known at = tb_graph_known (m->graph, a->address);
  struct tb_known value = tb_graph_known (m->graph, a->value);
  struct tb_known addresses = { UINT64_MAX, 0, UINT64_MAX, 0 };
  struct tb_known values = { UINT64_MAX, 0, UINT64_MAX, 0 };
  unsigned tried = 0, size = tb_access_size (a);
  bool any = false;

  /* A quick look at whether they may be few.  */
  if (at.hi - at.lo > 0xffff)
    return;
  for (tb_word address = at.lo; raise (at, address, &address);)
    {
      const uint8_t *bytes;
      if (++tried > TABLE_LIMIT
	  || tb_memory_kind (m, address, size, &bytes)
	     != TB_MEMORY_CONSTANT)
	return;
      tb_word there = tb_number (bytes, size);
      if (((there ^ value.bits) & value.mask) == 0 && there >= value.lo
	  && there <= value.hi)
	{
	  if (!any)
	    {
	      addresses.bits = address;
	      values.bits = there;
	    }
	  any = true;
	  addresses.mask &= ~(address ^ addresses.bits);
	  values.mask &= ~(there ^ values.bits);
	  addresses.lo = address < addresses.lo ? address : addresses.lo;
	  addresses.hi = address;
	  values.lo = there < values.lo ? there : values.lo;
	  values.hi = there > values.hi ? there : values.hi;
	}
      if (address == UINT64_MAX)
	break;
      address++;
    }
  if (!any)
    {
      m->graph->conflict = true;
      return;
    }
  addresses.bits &= addresses.mask;
  values.bits &= values.mask;
  tb_graph_refine (m->graph, a->value, values);
  tb_graph_refine (m->graph, a->address, addresses);
}
