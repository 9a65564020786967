/* State of A64 code: the initial data of ELF files.  See start.c.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/a64/internal.h"

/* Words of initial data that are stated, at most.  */
#define WORDS (UINT32_C (1) << 18)

void
tb_a64_known_start (struct tb_a64_builder *b)
{
  struct tb_state *s = b->state;
  const uint8_t *bytes;
  unsigned words = 0;
  s->memory.given = b->names->next_access;
  s->graph.cause = TB_CAUSE_START;
  for (size_t i = 0; s->start != 0 && i < s->options.ninitial; i++)
    {
      const struct tb_initial *item = &s->options.initial[i];
      for (uint64_t at = 0; at < item->length && words < WORDS;)
	{
	  uint64_t address = item->address + at;
	  unsigned size = (address & 7) == 0 && item->length - at >= 8 ? 8 : 1;
	  uint64_t value = item->data != NULL
			   ? tb_memory_number (item->data + at, size) : 0;
	  uint64_t gap = tb_memory_gap (&s->memory, address);
	  if (gap != 0)
	    {
	      at = gap < item->length - at ? at + gap : item->length;
	      continue;
	    }
	  if (tb_memory_kind (&s->memory, address, size, &bytes)
	      == TB_MEMORY_RAM)
	    {
	      tb_vid id = tb_namer_new (&b->n);
	      tb_graph_set_bits (&s->graph, id, UINT64_MAX, value);
	      tb_a64_store (b, tb_namer_constant (&b->n, address), id, size);
	      words++;
	    }
	  at += size;
	}
    }
  s->memory.given_end = b->names->next_access;
  s->graph.cause = TB_CAUSE_TRACE;
}
