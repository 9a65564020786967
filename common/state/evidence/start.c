/* The start of the trace, where the user says what it is.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: ARMv6-M (DDI 0419) B1.5.5, ARMv7-M (DDI 0403) B1.5.5, ARMv8-M (DDI
   0553) B3.20 and TakeReset: the main stack pointer is the first word of the
   vector table with its two low bits clear, CONTROL and PRIMASK are 0, the mode is
   Thread; LR is all ones on the Main Extension's and ARMv7-M's cores and UNKNOWN on
   others; R0 to R12, PSP and the flags are UNKNOWN.  FPCCR.ASPEN and LSPEN are 1 (DDI
   0403, B3.2, "Floating-Point Context Control Register"; DDI 0553, "FPCCR").  */

#include "config.h"
#include "recording/facts.h"
#include "state/memory/fpccr.h"
#include "state/window/fp.h"

#include "util/number.h"

#define FPCCR_AT_RESET (1u << TB_FPCCR_ASPEN | 1u << TB_FPCCR_LSPEN)

/* Words of initial data that are stated, at most.  */
#define WORDS (UINT32_C (1) << 18)

/* Is there a vector table at ADDRESS that says that a reset leads to PC?  *SP is the
   stack pointer there, *FIXED whether it does not change, as far as this window
   shows.  */
static bool
is_table (const struct tb_state *s, uint64_t address, uint64_t pc,
	  uint32_t *sp, bool *fixed)
{
  const uint8_t *bytes = NULL;
  if (address > UINT32_MAX - 7)
    return false;
  *fixed = tb_memory_kind (&s->memory, address, 8, &bytes) == TB_MEMORY_CONSTANT;
  if (bytes == NULL || tb_number (bytes + 4, 4) != (pc | 1))
    return false;
  *sp = tb_number_32 (bytes) & ~UINT32_C (3);
  return true;
}

/* Do the bytes BYTES, LENGTH of them, begin with a vector table that has PC for a
   reset, and for none of the other exceptions of the architecture?  */
static bool
has_reset (const uint8_t *bytes, uint64_t length, uint64_t pc)
{
  if (length < 64 || tb_number (bytes + 4, 4) != (pc | 1))
    return false;
  for (unsigned i = 2; i < 16; i++)
    if (tb_number (bytes + 4 * i, 4) == (pc | 1))
      return false;
  return true;
}

static bool
resets_to (const struct tb_memmap *map, uint64_t pc)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (map, &regions);
  for (size_t i = 0; i < n; i++)
    if (has_reset (regions[i].data, regions[i].length, pc))
      return true;
  return false;
}

bool
tb_state_resets_to (const struct tb_state *s, uint64_t pc)
{
  return resets_to (s->memory.map, pc);
}

bool
tb_state_begins_as_reset (const struct tb_state *s)
{
  struct tb_step step;
  return s->profile->is_m && tb_recording_facts (s->recording) == NULL && tb_state_start (s) == 0
	 && tb_recording_read (s->recording, 0, &step, 1) == 1
	 && resets_to (tb_recording_memmap (s->recording), step.pc);
}

/* Does step 0 begin what a vector table calls the handler of reset?  S->reset_sp
   is the stack pointer of all such tables, 0 where they differ: one that this window
   takes for RAM may turn out to be read only in another.  */
static bool
is_reset (struct tb_state *s)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (s->memory.map, &regions);
  uint32_t sp;
  uint64_t pc = s->templates[s->info[0] & TB_INFO_TEMPLATE].pc;
  bool any = false, found = false, fixed;
  /* Address 0 may be an alias of what a dump has elsewhere, or within one.  */
  for (size_t i = 0; i <= n; i++)
    if (is_table (s, i < n ? regions[i].address : 0, pc, &sp, &fixed))
      {
	s->reset_sp = any && sp != s->reset_sp ? 0 : sp;
	any = true;
	found |= fixed;
      }
  return found;
}

void
tb_state_find_start (struct tb_state *s, struct tb_diag *diag)
{
  unsigned start = s->options.start;
  if (start == 0)
    return;
  if (s->base != 0 || s->steps == 0)
    start = 0;
  if (start & TB_START_RESET && !s->profile->is_m)
    {
      tb_warning (diag, "The registers at a reset are known on Cortex-M cores "
		  "alone.  --start=reset is not used.");
      start &= ~(unsigned) TB_START_RESET;
    }
  else if (start & TB_START_RESET && !is_reset (s))
    {
      tb_warning (diag, "The trace does not begin at a reset: expected its first "
		  "instruction, at 0x%08lx, to be the one that a vector table in "
		  "read-only memory names for it.  --start=%s is not used.",
		  (unsigned long)
		  s->templates[s->info[0] & TB_INFO_TEMPLATE].pc,
		  tb_state_start_name (start));
      /* Data that were said to be those of this reset have been used since, too.  */
      start = 0;
    }
  s->start = start;
}

/* VALUE, as the user says.  */
static tb_vid
given (struct tb_builder *b, uint64_t value)
{
  tb_vid id = tb_namer_new (&b->n);
  tb_namer_bits (&b->n, id, UINT64_MAX, value);
  return id;
}

/* State the LENGTH bytes at AT of ITEM as stored.  */
static void
put (struct tb_builder *b, const struct tb_initial *item, uint64_t at,
     unsigned length)
{
  uint64_t value = item->data != NULL
		   ? tb_number (item->data + at, length) : 0;
  tb_vid id = given (b, value);
  tb_namer_access (&b->n, TB_MEM_STORE,
		   tb_namer_constant (&b->n, item->address + at), id, length);
}

/* State the initial data of the ELF files, where RAM is remembered.  */
static void
name_data (struct tb_builder *b)
{
  const struct tb_state *s = b->state;
  const uint8_t *bytes;
  unsigned words = 0, size = s->graph.bits / 8;
  for (size_t i = 0; i < s->options.ninitial; i++)
    {
      const struct tb_initial *item = &s->options.initial[i];
      if (s->start & TB_START_RESET && !item->direct)
	continue;
      for (uint64_t at = 0; at < item->length && words < WORDS;)
	{
	  uint64_t address = item->address + at;
	  bool whole = (address & (size - 1)) == 0 && item->length - at >= size;
	  if (address > s->graph.ones)
	    break;
	  uint64_t gap = tb_memory_gap (&s->memory, address);
	  if (gap != 0)
	    {
	      at = gap < item->length - at ? at + gap : item->length;
	      continue;
	    }
	  if (tb_memory_kind (&s->memory, address, whole ? size : 1, &bytes)
	      == TB_MEMORY_RAM)
	    {
	      put (b, item, at, whole ? size : 1);
	      words++;
	    }
	  at += whole ? size : 1;
	}
    }
}

static void
name_reset (struct tb_builder *b)
{
  const struct tb_state *s = b->state;
  struct tb_names *n = b->names;
  static const uint8_t zeros[] = {
    TB_SLOT_SPSEL, TB_SLOT_NPRIV, TB_SLOT_PRIMASK, TB_SLOT_IPSR,
    TB_SLOT_HANDLER, TB_SLOT_FPCA
  };
  bool main_line = s->profile->arch != TB_ARCH_V6M
		   && s->profile->arch != TB_ARCH_V8M_BASE;
  tb_build_name_all (b);
  for (unsigned i = 0; i < sizeof zeros; i++)
    n->slot[zeros[i]] = tb_namer_constant (&b->n, 0);
  if (s->reset_sp != 0)
    n->slot[TB_SLOT_SP] = given (b, s->reset_sp);
  if (main_line)
    n->slot[TB_SLOT_LR] = given (b, UINT32_MAX);
  n->fp_owed = tb_namer_constant (&b->n, 0);
  if (s->memory.has_fpccr)
    tb_namer_bits (&b->n, tb_fp_fpccr (b), FPCCR_AT_RESET, FPCCR_AT_RESET);
}

void
tb_build_known_start (struct tb_builder *b)
{
  struct tb_state *s = b->state;
  s->graph.cause = TB_CAUSE_START;
  if (s->start & TB_START_RESET)
    name_reset (b);
  uint32_t first = b->names->next_access;
  if (s->start & TB_START_DATA)
    name_data (b);
  s->memory.given = first;
  s->memory.given_end = b->names->next_access;
  s->graph.cause = TB_CAUSE_TRACE;
}

const char *
tb_state_start_name (unsigned start)
{
  static const char *const names[]
    = { NULL, "reset", "data", "reset,data" };
  return names[start & (TB_START_RESET | TB_START_DATA)];
}
