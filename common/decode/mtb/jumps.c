/* Which packets a debugger made.  See jumps.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The A bit says that no instruction made a packet, but not what did: an exception,
   or a debugger that set the PC of a halted core (DDI 0486, 2.3.1).  What comes after
   it tells.  Behind an exception there is sooner or later the branch to EXC_RETURN
   that ends it, most often with the way back to the packet's source, or the core
   is still in Handler mode; and it leads to a handler.  */

#include "config.h"
#include "decode/mtb/jumps.h"

#include <stdlib.h>
#include <string.h>

#include "arm/ir/semantics.h"
#include "arm/machine/regs.h"
#include "snapshot/m-frame.h"
#include "util/buffer.h"

/* Exceptions that are open at the same time; more are taken for what they look
   like.  */
#define NESTING 32

/* What is looked at to find out what became of LR: packets, and instructions.  */
#define LR_PACKETS 64
#define LR_INSTRUCTIONS 4096

/* Bytes of memory that are searched for tables that have a handler.  */
#define TABLES_EFFORT (UINT64_C (512) << 20)

/* Handlers of which the answer is kept.  */
#define ASKED 64

#define BX_LR 0x4770

/* What became of an entry.  */
enum fate
{
  FATE_RETURNED,		/* An exception return led back to its source.  */
  FATE_ELSEWHERE,		/* An exception return led elsewhere.  */
  FATE_SKIPPED,			/* The exception before it returned instead.  */
  FATE_LOST,			/* Nothing: trace is missing from somewhere on.  */
  FATE_OPEN			/* Nothing, up to the halt.  */
};

struct jump_entry
{
  uint64_t number;
  uint32_t source, destination;
};

/* Is there a table with the handler at ADDRESS?  Handlers are asked for again and again.  */
struct asked_handler
{
  uint32_t address;
  bool asked, found;
};

struct jump_search
{
  const struct tb_mtb_buffer *buffer;
  const struct tb_vectors *vectors;
  struct tb_follow *follow;
  const struct tb_memmap *map;
  const struct tb_profile *profile;
  int ipsr;			/* At the halt; -1: not known.  */
  struct tb_mtb_jumps *jumps;
  struct jump_entry open[NESTING];
  unsigned depth;
  struct asked_handler asked[ASKED];
  uint64_t effort;		/* That is left to look for others.  */
  bool failed;
};

/* The exception that CORE was in at the halt; -1: not known.  */
static int
halt_exception (const struct tb_device *core)
{
  static const char *const names[] = { "xPSR", "PSR", "IPSR", "CPSR" };
  for (size_t i = 0; core != NULL && i < sizeof names / sizeof names[0]; i++)
    {
      const struct tb_device_reg *reg = tb_device_reg (core, names[i]);
      if (reg != NULL)
	return (int) (reg->value & TB_PSR_IPSR);
    }
  return -1;
}

/* Is the instruction at PC one that may change LR, or not understood?  Sets *SIZE,
   0 where it is not readable, and *OPCODE.  */
static bool
may_change_lr (const struct jump_search *s, uint32_t pc, unsigned *size,
	       uint32_t *opcode)
{
  struct tb_semantics semantics;
  struct tb_semantics_effect effect;
  *size = tb_follow_opcode (s->follow, TB_SPACE_ANY, TB_ISA_T32, pc, opcode);
  if (*size == 0)
    return true;
  tb_semantics_t32 (&semantics, *opcode, *size, pc, s->profile);
  if (!semantics.modelled)
    return true;
  tb_semantics_effect (semantics.uops, semantics.count, false, &effect);
  return (effect.may_write | effect.writes) >> TB_SLOT_LR & 1;
}

/* An exception puts EXC_RETURN into LR.  True where BX LR, before anything could
   have changed LR since ENTRY, led elsewhere.  */
static bool
lr_disproves (const struct jump_search *s, const struct jump_entry *entry)
{
  uint32_t pc = entry->destination, opcode;
  unsigned size, left = LR_INSTRUCTIONS;
  for (uint64_t i = entry->number + 1;
       i < s->buffer->count && i - entry->number <= LR_PACKETS; i++)
    {
      struct tb_mtb_packet p;
      uint64_t index;
      tb_mtb_packet (s->buffer, i, &p, &index);
      /* Of the longest instructions there are not enough to come so far.  */
      if (p.atomic || p.start || (p.source > pc && p.source - pc > 4 * left))
	return false;
      for (; pc < p.source && left > 0; pc += size, left--)
	if (may_change_lr (s, pc, &size, &opcode))
	  return false;
      if (pc != p.source || may_change_lr (s, pc, &size, &opcode))
	return false;
      if (opcode == BX_LR)
	return !tb_m_is_exc_return (p.destination);
      pc = p.destination;
    }
  return false;
}

/* Does any vector lead to where ENTRY went?  Not as far as is known where the effort is
   spent: a jump says less than an exception does.  */
static bool
is_handler (struct jump_search *s, const struct jump_entry *entry)
{
  if (tb_vectors_has (s->vectors, entry->destination))
    return true;
  struct asked_handler *a = &s->asked[entry->destination / 2 % ASKED];
  if (!a->asked || a->address != entry->destination)
    *a = (struct asked_handler) {
      .address = entry->destination, .asked = true,
      .found = tb_vectors_elsewhere (s->map, s->profile, entry->destination, &s->effort)
    };
  return a->found;
}

static bool
is_jump (struct jump_search *s, const struct jump_entry *entry, enum fate fate)
{
  switch (fate)
    {
    case FATE_RETURNED:
      return false;
    case FATE_SKIPPED:
      return true;
    case FATE_ELSEWHERE:
      /* What returned there may be an exception that was active before.  */
      return s->vectors->count > 0 && !is_handler (s, entry);
    case FATE_OPEN:
      if (s->ipsr == 0)
	return true;
      break;
    case FATE_LOST:
      break;
    }
  return (s->vectors->count > 0 && !is_handler (s, entry))
	 || lr_disproves (s, entry);
}

/* ENTRY met its FATE.  */
static void
settle (struct jump_search *s, const struct jump_entry *entry, enum fate fate)
{
  struct tb_mtb_jumps *jumps = s->jumps;
  if (s->failed || !is_jump (s, entry, fate))
    return;
  s->failed = !TB_GROW (jumps->numbers, jumps->capacity, jumps->count, 1);
  if (!s->failed)
    jumps->numbers[jumps->count++] = entry->number;
}

static void
settle_all (struct jump_search *s, enum fate fate)
{
  while (s->depth > 0)
    settle (s, &s->open[--s->depth], fate);
}

/* An exception returned to RESUME.  */
static void
see_return (struct jump_search *s, uint32_t resume)
{
  /* Another handler may follow, and what was interrupted still waits.  */
  bool chained = tb_vectors_has (s->vectors, resume);
  for (unsigned k = s->depth; k-- > 0;)
    if (s->open[k].source == resume && (k + 1 == s->depth || !chained))
      {
	while (s->depth > k + 1)
	  settle (s, &s->open[--s->depth], FATE_SKIPPED);
	settle (s, &s->open[--s->depth], FATE_RETURNED);
	return;
      }
  /* Else the handler chose where to return to.  */
  if (s->depth > 0 && !chained)
    settle (s, &s->open[--s->depth], FATE_ELSEWHERE);
}

static void
see_entry (struct jump_search *s, uint64_t number, const struct tb_mtb_packet *p)
{
  /* What a reset leaves behind is not told.  */
  bool reset = s->vectors->count > 1
	       && p->destination == s->vectors->handler[1]
	       && !tb_vectors_has (s->vectors, p->destination);
  if (reset)
    settle_all (s, FATE_LOST);
  if (s->depth == NESTING)
    {
      settle (s, &s->open[0], FATE_LOST);
      memmove (s->open, s->open + 1, --s->depth * sizeof s->open[0]);
    }
  s->open[s->depth++] = (struct jump_entry) { number, p->source, p->destination };
}

static int
by_number (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

bool
tb_mtb_jumps_find (struct tb_mtb_jumps *jumps,
		   const struct tb_mtb_buffer *buffer,
		   const struct tb_vectors *vectors, struct tb_follow *follow,
		   const struct tb_decoder_config *config)
{
  struct jump_search s = { .buffer = buffer, .vectors = vectors, .follow = follow,
		      .map = config->map, .profile = config->profile,
		      .ipsr = buffer->stopped ? -1
					      : halt_exception (config->core),
		      .jumps = jumps, .effort = TABLES_EFFORT };
  *jumps = (struct tb_mtb_jumps) { 0 };
  for (uint64_t i = 0; i < buffer->count && !s.failed; i++)
    {
      struct tb_mtb_packet p;
      uint64_t index;
      tb_mtb_packet (buffer, i, &p, &index);
      if (p.start)
	settle_all (&s, FATE_LOST);
      if (!p.atomic)
	continue;
      if (tb_m_is_exc_return (p.source))
	see_return (&s, p.destination);
      else if (!tb_m_is_never_code (p.destination))
	see_entry (&s, i, &p);
    }
  settle_all (&s, buffer->stopped ? FATE_LOST : FATE_OPEN);
  if (!s.failed && jumps->count > 0)
    qsort (jumps->numbers, jumps->count, sizeof *jumps->numbers, by_number);
  return !s.failed;
}

void
tb_mtb_jumps_fini (struct tb_mtb_jumps *jumps)
{
  free (jumps->numbers);
  *jumps = (struct tb_mtb_jumps) { 0 };
}

bool
tb_mtb_jumps_has (const struct tb_mtb_jumps *jumps, uint64_t number)
{
  return jumps->count > 0
	 && bsearch (&number, jumps->numbers, jumps->count,
		     sizeof *jumps->numbers, by_number) != NULL;
}
