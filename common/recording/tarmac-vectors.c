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

/* Lanes of all V registers, and of one that instructions are known to write.  */
enum { LANES = 128, LANES_OF_V = 4 };

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

/* The number of register V NUMBER, of at least LANES lanes; SIZE_MAX: no memory.  */
static size_t
vector (struct tb_tarmac_core *c, unsigned number, unsigned lanes)
{
  char name[16];
  snprintf (name, sizeof name, "v%u", number);
  size_t reg = tb_facts_build_register (c->builder, name, strlen (name), lanes);
  if (reg != SIZE_MAX && !c->vectors.any)
    for (size_t i = 0; i < 32; i++)
      c->vectors.numbers[i] = SIZE_MAX;
  if (reg != SIZE_MAX)
    {
      c->vectors.any = true;
      c->vectors.numbers[number] = reg;
    }
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

/* Before step AT, N lanes of the register LETTER NUMBER have VALUES as far as MASKS
   say; those that WRITTEN has no bit for are as they were.  */
static void
put (struct tb_tarmac_core *c, char letter, unsigned number, unsigned first,
     unsigned n, const uint32_t *values, const uint32_t *masks, uint64_t written,
     uint64_t at)
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
  put (c, letter, number, line->first_bit / 32, n, values, masks, written, at);
}

void
tb_tarmac_core_own_vector (struct tb_tarmac_core *c, const struct tb_tarmac_own *own)
{
  struct tb_tarmac_name name;
  tb_tarmac_name (&name, own->word.text, own->word.length);
  unsigned number = 0;
  for (const char *p = name.name + 1; *p != 0; p++)
    number = number * 10 + (unsigned) (*p - '0');
  const uint64_t value[2] = { own->value, own->high };
  const uint64_t mask[2] = { own->mask, own->high_mask };
  uint32_t values[LANES_OF_V], masks[LANES_OF_V];
  for (unsigned i = 0; i < LANES_OF_V; i++)
    {
      values[i] = (uint32_t) (value[i / 2] >> 32 * (i % 2));
      masks[i] = (uint32_t) (mask[i / 2] >> 32 * (i % 2));
    }
  put (c, name.name[0], number, 0, LANES_OF_V, values, masks, UINT64_MAX,
       c->facts->steps);
}

/* The coprocessors that FP and vector instructions of A32 and T32 are in; with MVE
   more.  */
#define VECTOR_COPROCESSORS 0x0c00
#define MVE_COPROCESSORS 0xcf00

bool
tb_tarmac_uses_vectors (const struct tb_facts_code *code, bool is_m)
{
  uint32_t op = code->opcode;
  if (code->size != 4 || code->flags & TB_CODE_SKIPPED)
    return false;
  if (code->isa == TB_ISA_A64)
    return (op >> 25 & 7) == 7 || ((op >> 25 & 5) == 4 && (op >> 26 & 1) != 0)
	   || (op >> 25 & 15) == 2;
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
    forget_lane (c, i, at);
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
  for (unsigned i = 0; i < s.count; i++)
    {
      unsigned dst = s.uops[i].dst;
      status |= dst == TB_A64_FPSR;
      if (dst < TB_A64_VECTOR || dst >= TB_A64_END)
	continue;
      unsigned lane = 2 * (dst - TB_A64_VECTOR);
      if (s.uops[i].op == TB_OP_FORGET_VECTORS)
	forget_from (c, lane, at);
      else if (dst < TB_A64_FPCR)
	{
	  forget_lane (c, lane, at);
	  forget_lane (c, lane + 1, at);
	}
    }
  if (status)
    forget_control (c, "fpsr", at);
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
  struct tb_semantics s = { .modelled = false };
  if (code->isa == TB_ISA_A64)
    {
      forget_written_64 (c, code, at);
      return;
    }
  if (code->isa == TB_ISA_A32)
    tb_semantics_a32 (&s, code->opcode, (uint32_t) code->pc, &profile);
  else if (code->isa == TB_ISA_T32)
    tb_semantics_t32 (&s, code->opcode, code->size, (uint32_t) code->pc,
		      &profile);
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
	   e->written, 0);
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
