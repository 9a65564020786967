/* Which modes of the A and R profile a program uses.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Base assumption, as in features.c: the code that runs is in the snapshot.  Where
   none of it goes to Monitor mode, sets it up or calls it, nothing is routed
   there; likewise Hyp mode.  What is not code may look as if it did.  */

#include "config.h"
#include "state/window/internal.h"

struct a_uses
{
  bool monitor, hyp;
};

/* CPS and SRS of MODE; writes of SCR and MVBAR (CP15 c1, c1, 0 and c12, c0, 1);
   SMC.  HVC; CP15 with opc1 4.  */
static void
see_a32 (uint32_t op, struct a_uses *uses)
{
  unsigned mode = op & 31;
  if ((op & 0xfff1fe20) == 0xf1000000 || (op & 0xfe5fffe0) == 0xf84d0500)
    {
      uses->monitor |= mode == TB_MODE_MON;
      uses->hyp |= mode == TB_MODE_HYP;
    }
  uint32_t cp15 = op & 0x0fff0fff;
  uses->monitor |= cp15 == 0x0e010f11 || cp15 == 0x0e0c0f30
		   || (op & 0x0ffffff0) == 0x01600070;
  uses->hyp |= (op & 0x0ff00f10) == 0x0e800f10
	       || (op & 0xfff000f0) == 0xe1400070;
}

static void
see_t32 (uint32_t op, struct a_uses *uses)
{
  unsigned mode = op & 31;
  if ((op & 0xfffff900) == 0xf3af8100 || (op & 0xffdfffe0) == 0xe80dc000
      || (op & 0xffdfffe0) == 0xe98dc000)
    {
      uses->monitor |= mode == TB_MODE_MON;
      uses->hyp |= mode == TB_MODE_HYP;
    }
  uint32_t cp15 = op & 0xffff0fff;
  uses->monitor |= cp15 == 0xee010f11 || cp15 == 0xee0c0f30
		   || (op & 0xfff0ffff) == 0xf7f08000;
  uses->hyp |= (op & 0xfff00f10) == 0xee800f10
	       || (op & 0xfff0f000) == 0xf7e08000;
}

static void
scan (const uint8_t *data, uint64_t length, struct a_uses *uses)
{
  for (uint64_t at = 0; at + 4 <= length; at += 2)
    {
      uint32_t low = data[at] | (uint32_t) data[at + 1] << 8;
      uint32_t high = data[at + 2] | (uint32_t) data[at + 3] << 8;
      see_t32 (low << 16 | high, uses);
      if (at % 4 == 0)
	see_a32 (high << 16 | low, uses);
    }
}

/* Has REGION code that ran?  */
static bool
has_code (const struct tb_state *s, const struct tb_region *region)
{
  for (size_t i = 0; i < s->ntemplates; i++)
    if (s->templates[i].pc - region->address < region->length)
      return true;
  return false;
}

void
tb_state_find_a_features (struct tb_state *s)
{
  struct a_uses uses = { false, false };
  const struct tb_value *psr = &s->at_halt[TB_PSR];
  const struct tb_region *regions;
  size_t count = tb_memmap_regions (s->memory.map, &regions);
  for (size_t i = 0; i < count; i++)
    if (has_code (s, &regions[i]))
      scan (regions[i].data, regions[i].length, &uses);
  for (size_t i = 0; i < s->nchanges; i++)
    {
      const struct tb_change *c = &s->changes[i];
      uses.monitor |= c->kind == TB_CHANGE_ENTRY && c->taken == TB_EXC_SMC;
      uses.hyp |= (c->kind == TB_CHANGE_ENTRY && c->taken == TB_EXC_HYP)
		  || (c->kind == TB_CHANGE_CONTEXT && c->el == 2);
    }
  if (psr->mask != 0)
    {
      uses.monitor |= (psr->bits & 31) == TB_MODE_MON;
      uses.hyp |= (psr->bits & 31) == TB_MODE_HYP;
    }
  if (s->options.doubt & TB_PREMISE_UNSEEN)
    uses = (struct a_uses) { true, true };
  s->has_monitor = uses.monitor;
  s->has_hyp = uses.hyp;
}
