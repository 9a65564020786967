/* One core's lines of a Tarmac log to its facts.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/number.h"

/* This many serial numbers in a row that count by one show that all do.  */
#define COUNTED 16

struct tb_tarmac_core *
tb_tarmac_core_new (const char *name, size_t length, bool reversed)
{
  struct tb_tarmac_core *c = calloc (1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->active = SIZE_MAX;
  c->reversed = reversed;
  for (size_t i = 0; i < 16; i++)
    c->general[i] = SIZE_MAX;
  c->builder = tb_facts_build_new (name, length);
  if (c->builder == NULL)
    {
      free (c);
      return NULL;
    }
  c->facts = tb_facts_build_facts (c->builder);
  return c;
}

void
tb_tarmac_core_free (struct tb_tarmac_core *c)
{
  if (c == NULL)
    return;
  tb_facts_build_free (c->builder);
  tb_column_fini (&c->classes);
  free (c);
}

bool
tb_tarmac_core_is (const struct tb_tarmac_core *c, const char *name,
		   size_t length)
{
  return strncmp (c->facts->name, name, length) == 0
	 && c->facts->name[length] == 0;
}

bool
tb_tarmac_core_failed (const struct tb_tarmac_core *c)
{
  return tb_facts_build_failed (c->builder);
}

uint64_t
tb_tarmac_core_steps (const struct tb_tarmac_core *c)
{
  return c->facts->steps;
}

void
tb_tarmac_core_count (struct tb_tarmac_core *c, unsigned kind, uint64_t lines,
		      uint64_t bytes)
{
  c->facts->kinds[kind].lines += lines;
  c->facts->kinds[kind].bytes += bytes;
}

/* Memory.  */

/* Is ADDRESS in a part of the M profile's memory map that devices have?  */
static inline bool
is_device (const struct tb_tarmac_core *c, uint64_t address)
{
  if (!c->facts->is_m || address > UINT32_MAX)
    return false;
  unsigned part = (unsigned) (address >> 29);
  return part == 2 || part >= 5;
}

static void
add_access (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	    const struct tb_tarmac_where *where);

/* The bytes of LINE, of lanes, as accesses, which are words where they can be (of A64
   double words).  */
static void
add_lanes (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	   const struct tb_tarmac_where *where)
{
  bool a64 = c->vectors.a64;
  if (!line->continued)
    c->stores = line->write;
  for (unsigned at = 0; at < 16;)
    {
      unsigned size = a64 ? 8 : 4;
      while (size > 1
	     && (at % size != 0
		 || (line->touched >> at & ((1u << size) - 1))
		    != (1u << size) - 1))
	size /= 2;
      if (line->touched >> at & 1)
	{
	  unsigned all = (1u << size) - 1;
	  struct tb_tarmac_line part = *line;
	  part.lanes = false;
	  part.write = c->stores;
	  part.address += at;
	  part.length = part.bytes = (uint16_t) size;
	  part.unknown = (line->shown >> at & all) != all;
	  part.value = tb_number (line->wide + at, size);
	  add_access (c, &part, where);
	}
      at += size;
    }
}

static void
add_access (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	    const struct tb_tarmac_where *where)
{
  uint64_t step = tb_tarmac_core_step (c, line);
  bool bus = line->kind == TB_TARMAC_BUS;
  unsigned flags = (line->write ? TB_FACTS_WRITE : 0)
		   | (line->aborted ? TB_FACTS_ABORTED : 0)
		   | (c->after_event ? TB_FACTS_EVENT : 0);
  uint8_t bytes[TB_TARMAC_VALUE] = { 0 };
  unsigned known = line->length;
  bool device = is_device (c, line->address);
  static const uint8_t ports[] = { 0, TB_FACTS_FETCH, TB_FACTS_DEBUG,
				   TB_FACTS_SYSTEM };
  /* What is read ahead is no access of the instruction, either.  */
  flags |= ports[line->speculative && !line->write
		 && line->port == TB_TARMAC_PORT_CORE ? TB_TARMAC_PORT_FETCH
						      : line->port];
  if (line->bytes > 8)
    memcpy (bytes, line->wide, line->bytes);
  else
    for (unsigned i = 0; i < 8; i++)
      bytes[i] = (uint8_t) (line->value >> 8 * i);
  /* The test benches write no more than 32 bits out.  */
  if (line->rtl && known > 4)
    known = 4;
  /* Nor does a store ahead need to be made.  */
  if (line->unknown || line->aborted || (line->write && line->speculative))
    known = 0;
  if (line->address >> 28 == 0xe)
    tb_tarmac_core_vtor_access (c, line, known);
  else if (!line->write && known == 4 && (step == UINT64_MAX || c->between.reset))
    tb_tarmac_core_fetched (c, line->address, (uint32_t) line->value);
  /* There is none before the first instruction, nor is anything at that time
     read or written by one.  */
  if (step == UINT64_MAX)
    step = 0;
  else if (!bus && line->port == TB_TARMAC_PORT_CORE && !c->after_event)
    {
      if (!line->write && step + 1 == c->facts->steps)
	tb_tarmac_core_loaded (c, line);
      /* One simulator writes such lines; what they say is not what was stored, nor
	 need it be where.  */
      if (line->write && tb_tarmac_core_only_loads (c, step))
	{
	  tb_tarmac_core_remark (c, TB_TARMAC_REMARK_STORE, line->name,
				 where->line);
	  tb_facts_build_memory (c->builder, step + 1, line->address, NULL,
				 line->length);
	  return;
	}
    }
  if (c->after_event && line->write && !bus
      && line->port == TB_TARMAC_PORT_CORE)
    tb_tarmac_core_stacked (c, line);
  if (bus)
    {
      flags |= TB_FACTS_BUS;
      /* A transfer on the bus is no access of the instruction before it.  */
      device |= !((flags & TB_FACTS_PORT) == TB_FACTS_FETCH && !line->write);
    }
  tb_facts_build_access (c->builder, step, line->address, bytes,
			 line->length, known, flags, device);
}

/* LINE, of a log that has the bytes in the order of addresses.  What the bus and fetches
   show need not be in that order.  */
static void
add_reversed (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	      const struct tb_tarmac_where *where)
{
  struct tb_tarmac_line turned = *line;
  if (line->kind == TB_TARMAC_BUS || line->port != TB_TARMAC_PORT_CORE
      || line->bytes != line->length || line->length > 4)
    turned.unknown = true;
  turned.value = tb_tarmac_reverse ((uint32_t) line->value, line->length);
  add_access (c, &turned, where);
}

/* Steps.  */

/* The number of the mode that LINE is in.  */
static uint8_t
find_mode (struct tb_tarmac_core *c, struct tb_tarmac_word text)
{
  if (text.length == 0)
    return 0;
  if (text.length > sizeof c->mode_text)
    text.length = sizeof c->mode_text;
  if (text.length == c->mode_length
      && memcmp (c->mode_text, text.text, text.length) == 0)
    return c->mode_number;
  memcpy (c->mode_text, text.text, text.length);
  c->mode_length = text.length;
  c->mode_number = tb_facts_build_mode (c->builder, text.text, text.length);
  /* Models of the M profile have no other modes.  */
  if (text.length >= 4 && (strncasecmp (text.text, "thr", 3) == 0
			   || strncasecmp (text.text, "handler", text.length < 7
					   ? text.length : 7) == 0
			   || strncasecmp (text.text, "hdlr", 4) == 0))
    c->facts->is_m = true;
  return c->mode_number;
}

/* Does the serial number say that instructions are missing before LINE?  */
static bool
is_jump (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	 uint64_t global)
{
  bool jump = false;
  c->in_order = false;
  if (!line->has_tag || c->own)
    return false;
  if (c->has_tag)
    {
      bool next = line->tag == c->last_tag + 1 || line->tag == global + 1;
      c->in_order = next || line->tag == c->last_tag;
      if (next)
	c->counted += c->counted < UINT32_MAX;
      else if (!c->in_order)
	{
	  c->jumps += c->jumps < UINT32_MAX;
	  jump = c->counted >= COUNTED && c->jumps <= c->counted / COUNTED;
	}
    }
  c->last_tag = line->tag;
  c->has_tag = true;
  return jump;
}

/* Before the step that comes now, or the end: which stack pointer is SP?  */
static void
settle_sp (struct tb_tarmac_core *c)
{
  if (!c->facts->is_m || c->own)
    return;
  uint8_t before = c->sp.active;
  tb_sp_settle (&c->sp);
  if (c->sp.lost)
    {
      size_t sp = tb_facts_build_register (c->builder, "sp", 2, 1);
      if (sp != SIZE_MAX)
	tb_facts_build_value (c->builder, sp, 0, c->facts->steps, 0, 0);
    }
  uint32_t mask = 0;
  if (c->active != SIZE_MAX)
    tb_facts_build_last (c->builder, c->active, 0, &mask);
  if (c->sp.active == before && mask != 0)
    return;
  if (c->active == SIZE_MAX)
    c->active = tb_facts_build_register (c->builder, TB_FACTS_ACTIVE_SP,
					 strlen (TB_FACTS_ACTIVE_SP), 1);
  if (c->active != SIZE_MAX)
    tb_facts_build_value (c->builder, c->active, 0, c->facts->steps,
			  c->sp.active, UINT32_MAX);
}

void
tb_tarmac_core_gap (struct tb_tarmac_core *c, uint64_t offset)
{
  const struct tb_event gap = { .step = c->facts->steps, .index = offset,
				.kind = TB_EVENT_GAP,
				.reason = TB_REASON_PAUSED };
  tb_facts_build_event (c->builder, &gap);
  tb_facts_build_forget (c->builder, c->facts->steps);
  tb_sp_lost (&c->sp);
  tb_tarmac_core_vtor (c, false, 0);
}

static void
add_step (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	  const struct tb_tarmac_where *where)
{
  struct tb_columns *f = c->facts;
  f->is_m |= line->rtl;
  f->has_a64 |= line->isa == TB_ISA_A64;
  if (line->how == 'E' || line->how == 'A')
    {
      /* Nothing before it was lost, as a rule; what counts is the number.  */
      is_jump (c, line, where->global);
      tb_tarmac_core_faulted (c, line, where);
      return;
    }
  uint8_t mode = find_mode (c, line->mode);
  c->between.next_offset = where->offset;
  if (is_jump (c, line, where->global) && f->steps > 0)
    tb_tarmac_core_gap (c, where->offset);
  else if (f->steps > 0 && !c->own)
    tb_tarmac_core_between (c, line, f->modes[mode]);
  settle_sp (c);
  if (c->vtor.start != 0)
    tb_tarmac_core_started (c, line->address);
  c->mode = mode;
  const struct tb_facts_code code = {
    .pc = line->address, .opcode = line->opcode, .size = line->size,
    .isa = line->isa, .mode = c->mode,
    .flags = (line->how == 'S' ? TB_CODE_SKIPPED : 0)
	     | (line->how == 'F' ? TB_CODE_FOLDED : 0)
  };
  c->tags[f->steps % TB_TARMAC_TAGS] = line->has_tag ? line->tag : UINT64_MAX;
  tb_facts_build_step (c->builder, &code, line->has_time,
		       line->fraction != 0 || c->finer != 0
		       ? tb_tarmac_core_time (c, line) : line->time);
  if (tb_tarmac_core_failed (c))
    return;
  tb_tarmac_core_ran (c, where->line);
  tb_sp_step (&c->sp, line->opcode, line->size);
  c->after_event = false;
}

/* Lines of tracebridge's own.  */

static void
add_own_register (struct tb_tarmac_core *c, const struct tb_tarmac_own *own)
{
  const struct tb_tarmac_known *k = tb_tarmac_core_name (c, own->word);
  if (k == NULL || k->role == TB_ROLE_PC)
    return;
  if (k->role == TB_ROLE_VECTOR)
    {
      tb_tarmac_core_own_vector (c, own);
      return;
    }
  /* The name tells the width of X registers, not of SP.  */
  const char *name = c->facts->registers[k->reg].name;
  if (own->size > 4 * c->facts->registers[k->reg].nlanes
      && tb_facts_build_register (c->builder, name, strlen (name), (own->size + 3) / 4)
	 == SIZE_MAX)
    return;
  for (unsigned i = 0; i < c->facts->registers[k->reg].nlanes; i++)
    tb_facts_build_value (c->builder, k->reg, i, c->facts->steps,
			  tb_tarmac_own_lane (own->digits, i),
			  tb_tarmac_own_lane (own->mask_digits, i));
}

static bool
add_own (struct tb_tarmac_core *c, const struct tb_tarmac_line *line,
	 uint64_t offset)
{
  struct tb_tarmac_own own;
  uint8_t bytes[8];
  struct tb_facts_code code = { .mode = c->mode };
  struct tb_profile profile;
  if (!tb_tarmac_own (&own, line))
    return false;
  for (unsigned i = 0; i < 8; i++)
    bytes[i] = (uint8_t) (own.value >> 8 * i);
  switch (own.what)
    {
    case TB_OWN_LOG:
      c->own = c->facts->own = true;
      tb_facts_build_literal (c->builder);
      break;
    case TB_OWN_CORE:
      if (c->facts->type == NULL)
	{
	  c->facts->type = strndup (own.word.text, own.word.length);
	  if (c->facts->type == NULL)
	    tb_facts_build_fail (c->builder);
	}
      if (c->facts->type != NULL && tb_profile_find (&profile, c->facts->type))
	{
	  c->facts->is_m = profile.is_m;
	  c->vectors.a64 = profile.has_a64;
	}
      break;
    case TB_OWN_GAP:
      tb_tarmac_core_gap (c, offset);
      break;
    case TB_OWN_STEP:
      code.pc = own.address;
      code.isa = own.isa;
      tb_facts_build_step (c->builder, &code, line->has_time,
			   tb_tarmac_core_time (c, line));
      c->after_event = false;
      break;
    case TB_OWN_END:
      c->facts->end_known = true;
      c->facts->end_pc = own.address;
      break;
    case TB_OWN_REGISTER:
      add_own_register (c, &own);
      break;
    case TB_OWN_FORGET:
      tb_facts_build_forget_memory (c->builder, c->facts->steps);
      break;
    case TB_OWN_MEMORY:
      if (!is_device (c, own.address))
	tb_facts_build_memory (c->builder, c->facts->steps, own.address, bytes,
			       own.size);
      break;
    case TB_OWN_ANYWHERE:
      if (c->facts->steps > 0)
	tb_facts_build_anywhere (c->builder, c->facts->steps - 1);
      break;
    case TB_OWN_READ:
    case TB_OWN_WRITE:
      if (c->facts->steps > 0)
	tb_facts_build_access (c->builder, c->facts->steps - 1, own.address,
			       bytes, own.size, 0,
			       own.what == TB_OWN_WRITE ? TB_FACTS_WRITE : 0,
			       is_device (c, own.address));
      break;
    }
  return true;
}

bool
tb_tarmac_core_add (struct tb_tarmac_core *c,
		    const struct tb_tarmac_line *line,
		    const struct tb_tarmac_where *where)
{
  if (c->lost)
    tb_tarmac_core_lose (c);
  if (c->facts->unit == NULL && line->unit.length > 0)
    c->facts->unit = strndup (line->unit.text, line->unit.length);
  switch (line->kind)
    {
    case TB_TARMAC_STEP:
      add_step (c, line, where);
      break;
    case TB_TARMAC_REGISTER:
      if (!tb_tarmac_core_fits (c, line))
	return false;
      tb_tarmac_core_register (c, line);
      break;
    case TB_TARMAC_MEMORY:
    case TB_TARMAC_BUS:
      if (line->lanes)
	add_lanes (c, line, where);
      else if (c->reversed && line->rtl && line->length > 1)
	add_reversed (c, line, where);
      else
	add_access (c, line, where);
      break;
    case TB_TARMAC_EVENT:
      tb_tarmac_core_event (c, line, where);
      break;
    case TB_TARMAC_OWN:
      return add_own (c, line, where->offset);
    default:
      break;
    }
  return true;
}

/* Where the last instruction goes on, if it is not one that may go elsewhere.  */
static void
find_end (struct tb_columns *f)
{
  if (f->steps == 0 || f->end_known)
    return;
  const struct tb_facts_code *last = tb_facts_step (f, f->steps - 1);
  struct tb_profile profile = { .arch = f->is_m ? TB_ARCH_V81M_MAIN
					  : TB_ARCH_V8A, .is_m = f->is_m };
  struct tb_flow flow = { .kind = TB_FLOW_UNDEFINED };
  if (last->size == 0
      || tb_facts_event_at (f, f->steps)
	 < f->events.size / sizeof (struct tb_event))
    return;
  tb_flow_of (&flow, last->isa, last->opcode, last->size, last->pc, false, &profile);
  bool skipped = last->flags & TB_CODE_SKIPPED;
  if (!skipped && flow.kind != TB_FLOW_OTHER
      && (flow.kind != TB_FLOW_BRANCH || flow.conditional))
    return;
  f->end_known = true;
  f->end_pc = skipped || flow.kind == TB_FLOW_OTHER ? last->pc + last->size
						    : flow.target;
}

struct tb_columns *
tb_tarmac_core_finish (struct tb_tarmac_core *c)
{
  if (c->facts->steps > 0 && !c->own)
    tb_tarmac_core_between (c, NULL, "");
  settle_sp (c);
  struct tb_columns *f = tb_facts_build_finish (c->builder);
  tb_column_fini (&c->classes);
  free (c);
  if (f != NULL)
    find_end (f);
  return f;
}
