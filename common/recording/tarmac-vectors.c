/* FP and vector registers of one core's lines of a Tarmac log.  See tarmac-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   They have several names: the facts have them as v0 to v31, of 32-bit lanes.  S and D
   registers of A64 are the lowest lanes of V registers, those of A32 and T32 four and
   two in a row in each (DDI 0487, B1.2.1 and E1.3.1).

   A log need not have lines for them: those that an instruction may write are not
   known behind it, unless a line tells.  */

#include "config.h"
#include "recording/tarmac-core.h"

#include <stdio.h>
#include <string.h>

#include "arm/ir/semantics-a64.h"
#include "arm/ir/semantics.h"

/* Lanes of all V registers, and of one.  A Z register has it for its lowest ones.  */
enum { LANES = 128, LANES_OF_V = 4 };

bool
tb_tarmac_is_predicate (const char *name)
{
  if (strcmp (name, "ffr") == 0)
    return true;
  unsigned number = 0, digits = 0;
  for (const char *p = name + 1; *name == 'p' && *p >= '0' && *p <= '9' && digits < 3;
       p++, digits++)
    number = number * 10 + (unsigned) (*p - '0');
  return digits > 0 && name[1 + digits] == 0 && number < 16;
}

bool
tb_tarmac_is_vector (const char *name)
{
  unsigned number = 0, digits = 0;
  if (strchr ("bhsdqvz", name[0]) == NULL || name[0] == 0)
    return false;
  for (name++; *name >= '0' && *name <= '9' && digits < 3; name++, digits++)
    number = number * 10 + (unsigned) (*name - '0');
  return *name == 0 && digits > 0 && number < 32;
}

void
tb_tarmac_core_vectors_told (struct tb_tarmac_core *c)
{
  for (size_t i = 0; i < 32 && !c->vectors.any; i++)
    c->vectors.numbers[i] = SIZE_MAX;
  c->vectors.any = true;
}

/* The number of register V NUMBER, of at least LANES lanes; SIZE_MAX: no memory.  */
static size_t
vector (struct tb_tarmac_core *c, unsigned number, unsigned lanes)
{
  char name[16];
  snprintf (name, sizeof name, "v%u", number);
  size_t reg = tb_facts_build_register (c->builder, name, strlen (name), lanes);
  tb_tarmac_core_vectors_told (c);
  if (reg != SIZE_MAX)
    c->vectors.numbers[number] = reg;
  return reg;
}

/* Lane LANE of all lanes is not known before step AT.  */
static void
forget_lane (struct tb_tarmac_core *c, unsigned lane, uint64_t at)
{
  size_t reg = c->vectors.any ? c->vectors.numbers[lane / LANES_OF_V] : SIZE_MAX;
  uint32_t mask;
  if (reg == SIZE_MAX || lane % LANES_OF_V >= c->facts->registers[reg].nlanes)
    return;
  uint32_t value = tb_facts_build_last (c->builder, reg, lane % LANES_OF_V,
					&mask);
  if (mask != 0)
    tb_facts_build_value (c->builder, reg, lane % LANES_OF_V, at, value, 0);
}

/* The lanes that register NUMBER has as Z register alone are not known before step AT;
   or, if ZERO, they are 0 then.  */
static void
forget_wide (struct tb_tarmac_core *c, unsigned number, uint64_t at, bool zero)
{
  size_t reg = c->vectors.any ? c->vectors.numbers[number] : SIZE_MAX;
  for (unsigned i = LANES_OF_V;
       reg != SIZE_MAX && i < c->facts->registers[reg].nlanes; i++)
    {
      uint32_t mask, value = tb_facts_build_last (c->builder, reg, i, &mask);
      if (zero && (mask != UINT32_MAX || value != 0))
	tb_facts_build_value (c->builder, reg, i, at, 0, UINT32_MAX);
      else if (!zero && mask != 0)
	tb_facts_build_value (c->builder, reg, i, at, value, 0);
    }
}

/* Predicates and FFR are not known before step AT.  */
static void
forget_predicates (struct tb_tarmac_core *c, uint64_t at)
{
  const struct tb_columns *f = c->facts;
  for (; c->vectors.looked < f->nregisters; c->vectors.looked++)
    {
      const char *name = f->registers[c->vectors.looked].name;
      if (tb_tarmac_is_predicate (name)
	  && c->vectors.npredicates < TB_TARMAC_PREDICATES)
	c->vectors.predicates[c->vectors.npredicates++] = c->vectors.looked;
    }
  for (unsigned i = 0; i < c->vectors.npredicates; i++)
    for (unsigned k = 0; k < f->registers[c->vectors.predicates[i]].nlanes; k++)
      {
	size_t reg = c->vectors.predicates[i];
	uint32_t mask, value = tb_facts_build_last (c->builder, reg, k, &mask);
	if (mask != 0)
	  tb_facts_build_value (c->builder, reg, k, at, value, 0);
      }
}

/* Before step AT, N lanes of the register LETTER NUMBER have VALUES as far as MASKS
   say; those that WRITTEN has no bit for are as they were.  PART: it is said to be a part
   of the register.  */
static void
put (struct tb_tarmac_core *c, char letter, unsigned number, unsigned first,
     unsigned n, const uint32_t *values, const uint32_t *masks, uint64_t written,
     bool part, uint64_t at)
{
  bool a64 = c->vectors.a64, scalar = strchr ("bhsd", letter) != NULL;
  unsigned lane = LANES_OF_V * number;
  if (scalar && !a64)
    {
      lane = letter == 'd' ? 2 * number : number;
      n = letter == 'd' ? 2 : 1;
    }
  else if (letter == 'd')
    n = 2;
  else if (scalar)
    n = 1;
  unsigned top = lane % LANES_OF_V + first + n;
  size_t reg = vector (c, lane / LANES_OF_V, top < LANES_OF_V ? LANES_OF_V : top);
  if (reg == SIZE_MAX)
    return;
  for (unsigned i = 0; i < n; i++)
    if (written >> i & 1)
      tb_facts_build_value (c->builder, reg, lane % LANES_OF_V + first + i, at,
			    values[i], masks[i]);
  /* A shorter line of a Z register need not mean that the rest is as it was.  */
  for (unsigned i = top; letter == 'z' && i < c->facts->registers[reg].nlanes
			 && first == 0 && !part && !c->own; i++)
    {
      uint32_t mask, value = tb_facts_build_last (c->builder, reg, i, &mask);
      if (mask != 0)
	tb_facts_build_value (c->builder, reg, i, at, value, 0);
    }
  /* An instruction of A64 that writes a scalar clears the rest; a line that shows a
     part of a register need not mean that.  */
  for (unsigned i = n; scalar && a64 && i < LANES_OF_V; i++)
    forget_lane (c, lane + i, at);
}

void
tb_tarmac_core_vector (struct tb_tarmac_core *c, const char *name,
		       const struct tb_tarmac_line *line, uint64_t at)
{
  uint32_t values[TB_TARMAC_VALUE / 4], masks[TB_TARMAC_VALUE / 4];
  uint64_t written = 0;
  char letter = name[0];
  unsigned number = 0, n = (line->bytes + 3u) / 4;
  for (name++; *name != 0; name++)
    number = number * 10 + (unsigned) (*name - '0');
  for (unsigned i = 0; i < n; i++)
    {
      bool told = true;
      values[i] = tb_tarmac_core_lane (line, i);
      masks[i] = line->unknown ? tb_tarmac_known (line, i, &told) : UINT32_MAX;
      written |= (uint64_t) told << (i & 63);
    }
  if (letter == 'b' || letter == 'h')
    masks[0] &= letter == 'b' ? 0xff : 0xffff;
  /* A scalar is a number; of a V register that is not said to be a part of it the rest
     is not told.  */
  bool scalar = strchr ("bhsd", letter) != NULL;
  bool part = line->name.text[line->name.length] == '<';
  unsigned want = letter == 'd' ? 2 : scalar ? 1 : part ? n : LANES_OF_V;
  for (; n < want; n++)
    {
      values[n] = 0;
      masks[n] = scalar ? UINT32_MAX : 0;
      written |= UINT64_C (1) << n;
    }
  if (c->facts->steps == 0 && scalar && !c->own
      && c->vectors.nearly < sizeof c->vectors.early / sizeof *c->vectors.early)
    {
      /* Which instruction set it is of is not told yet.  */
      struct tb_tarmac_early *e = &c->vectors.early[c->vectors.nearly++];
      *e = (struct tb_tarmac_early) { .letter = letter,
				      .number = (uint8_t) number,
				      .written = (uint8_t) written };
      e->n = (uint8_t) want;
      memcpy (e->values, values, want * sizeof *values);
      memcpy (e->masks, masks, want * sizeof *masks);
      return;
    }
  put (c, letter, number, line->first_bit / 32, n, values, masks, written, part, at);
}

void
tb_tarmac_core_own_vector (struct tb_tarmac_core *c, const struct tb_tarmac_own *own)
{
  struct tb_tarmac_name name;
  tb_tarmac_name (&name, own->word.text, own->word.length);
  unsigned number = 0, n = LANES_OF_V;
  for (const char *p = name.name + 1; *p != 0; p++)
    number = number * 10 + (unsigned) (*p - '0');
  uint32_t values[TB_TARMAC_VALUE / 4], masks[TB_TARMAC_VALUE / 4];
  if (name.name[0] == 'z')
    n = (own->size + 3) / 4;
  for (unsigned i = 0; i < n; i++)
    {
      values[i] = tb_tarmac_own_lane (own->digits, i);
      masks[i] = tb_tarmac_own_lane (own->mask_digits, i);
    }
  put (c, name.name[0], number, 0, n, values, masks, UINT64_MAX, false,
       c->facts->steps);
  if (name.name[0] == 'z' && own->size == 0)
    {
      for (unsigned i = 0; i < LANES_OF_V; i++)
	forget_lane (c, LANES_OF_V * number + i, c->facts->steps);
      forget_wide (c, number, c->facts->steps, false);
    }
}

/* The coprocessors that FP and vector instructions of A32 and T32 are in; with MVE
   more.  */
#define VECTOR_COPROCESSORS 0x0c00
#define MVE_COPROCESSORS 0xcf00

/* Group SVE of A64, of DDI 0487, C4.1.  */
static bool
is_sve (uint32_t op)
{
  return (op >> 25 & 15) == 2;
}

/* The same, one of A64.  */
static bool
uses_vectors_64 (const struct tb_facts_code *code)
{
  uint32_t op = code->opcode;
  /* Advanced SIMD and FP, their loads and stores, SVE, SME.  */
  if ((op >> 25 & 7) == 7 || ((op >> 25 & 5) == 4 && (op >> 26 & 1) != 0)
      || is_sve (op) || ((op >> 25 & 15) == 0 && op >> 31 != 0))
    return true;
  /* System instructions: MSR of FPCR and FPSR, changes of streaming mode.  */
  struct tb_semantics s;
  bool any = false;
  if (op >> 22 == 0x354)
    {
      tb_semantics_a64 (&s, op, code->pc, 0);
      for (unsigned i = 0; i < s.count; i++)
	any |= s.uops[i].dst >= TB_A64_VECTOR && s.uops[i].dst < TB_A64_END;
    }
  return any;
}

bool
tb_tarmac_uses_vectors (const struct tb_facts_code *code, bool is_m)
{
  uint32_t op = code->opcode;
  if (code->size != 4 || code->flags & TB_CODE_SKIPPED)
    return false;
  if (code->isa == TB_ISA_A64)
    return uses_vectors_64 (code);
  bool thumb = code->isa == TB_ISA_T32;
  bool coprocessor = thumb ? (op >> 26 & 0x3b) == 0x3b
			   : (op >> 26 & 3) == 3 && op >> 28 != 15;
  if (coprocessor && (op >> 24 & 15) == 15)
    return thumb;
  if (coprocessor)
    return (is_m ? MVE_COPROCESSORS : VECTOR_COPROCESSORS) >> (op >> 8 & 15) & 1;
  return thumb ? op >> 24 == 0xf9 && (op >> 20 & 1) == 0
	       : op >> 25 == 0x79 || op >> 24 == 0xf4;
}

static void
forget_from (struct tb_tarmac_core *c, unsigned first, uint64_t at)
{
  for (unsigned i = first; i < LANES; i++)
    {
      forget_lane (c, i, at);
      if (i % LANES_OF_V == LANES_OF_V - 1)
	forget_wide (c, i / LANES_OF_V, at, false);
    }
}

/* Forget the register NAME that controls FP.  */
static void
forget_control (struct tb_tarmac_core *c, const char *name, uint64_t at)
{
  for (size_t i = 0; i < c->facts->nregisters; i++)
    if (strcmp (c->facts->registers[i].name, name) == 0)
      {
	uint32_t mask, value = tb_facts_build_last (c->builder, i, 0, &mask);
	if (mask != 0)
	  tb_facts_build_value (c->builder, i, 0, at, value, 0);
      }
}

static void
forget_written_64 (struct tb_tarmac_core *c, const struct tb_facts_code *code,
		   uint64_t at)
{
  struct tb_semantics s;
  tb_semantics_a64 (&s, code->opcode, code->pc, 0);
  bool status = !s.modelled;
  if (!s.modelled)
    forget_from (c, 0, at);
  bool predicates = !s.modelled || is_sve (code->opcode), control = false;
  for (unsigned i = 0; i < s.count; i++)
    {
      unsigned dst = s.uops[i].dst;
      status |= dst == TB_A64_FPSR;
      control |= dst == TB_A64_FPCR;
      if (dst < TB_A64_VECTOR || dst >= TB_A64_END)
	continue;
      unsigned lane = 2 * (dst - TB_A64_VECTOR);
      if (s.uops[i].op == TB_OP_FORGET_VECTORS)
	{
	  /* A change of streaming mode is one, too: it clears predicates, and sets
	     FPSR.  Loads of SVE do not.  */
	  forget_from (c, lane, at);
	  predicates = true;
	  status |= !is_sve (code->opcode) || code->opcode >> 31 == 0;
	}
      else if (dst < TB_A64_FPCR)
	{
	  forget_lane (c, lane, at);
	  forget_lane (c, lane + 1, at);
	  /* What it does not write of a Z register it clears (DDI 0487, C1.2.5).  */
	  forget_wide (c, lane / LANES_OF_V, at, true);
	}
    }
  if (predicates)
    forget_predicates (c, at);
  if (status)
    forget_control (c, "fpsr", at);
  if (control)
    forget_control (c, "fpcr", at);
}

void
tb_tarmac_core_vectors_ran (struct tb_tarmac_core *c,
			    const struct tb_facts_code *code)
{
  const struct tb_profile profile = {
    .arch = c->facts->is_m ? TB_ARCH_V81M_MAIN : TB_ARCH_V8A,
    .is_m = c->facts->is_m, .has_fp = true
  };
  uint64_t at = c->facts->steps;
  struct tb_semantics s;
  if (code->isa == TB_ISA_A64)
    {
      forget_written_64 (c, code, at);
      return;
    }
  tb_semantics_of (&s, code->isa, code->opcode, code->size, code->pc, TB_IT_NONE, &profile);
  bool status = !s.modelled;
  if (!s.modelled)
    forget_from (c, 0, at);
  for (unsigned i = 0; i < s.count; i++)
    {
      unsigned dst = s.uops[i].dst;
      if (dst >= TB_PLACE_FP && dst < TB_PLACE_FPSCR)
	forget_lane (c, dst - TB_PLACE_FP, at);
      status |= dst >= TB_PLACE_FPSCR && dst < TB_PLACE_END;
    }
  if (status)
    forget_control (c, "fpscr", at);
}

void
tb_tarmac_core_vectors_start (struct tb_tarmac_core *c)
{
  for (unsigned i = 0; i < c->vectors.nearly; i++)
    {
      const struct tb_tarmac_early *e = &c->vectors.early[i];
      put (c, e->letter, e->number, e->first, e->n, e->values, e->masks,
	   e->written, false, 0);
    }
  c->vectors.nearly = 0;
}

void
tb_tarmac_core_vectors_popped (struct tb_tarmac_core *c)
{
  /* S0 to S15 and FPSCR.  */
  for (unsigned i = 0; i < 16; i++)
    forget_lane (c, i, c->facts->steps);
  forget_control (c, "fpscr", c->facts->steps);
}
