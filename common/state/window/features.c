/* What of its architecture a program uses, as far as it decides how exceptions
   work.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Base assumption: the code that runs is in the snapshot.  Where none of it uses
   FP registers no frame has room for them; where none of it goes from one
   security state to the other there is one only; where none of it writes PSP or
   CONTROL the main stack is the only one; where no constant is an address in the
   alias of bit-banding none is used.  What is not code may look as if it
   did; then more is thought possible than there is.  */

#include "config.h"
#include "state/window/internal.h"

#include <string.h>

#include "arm/flow/flow.h"
#include "recording/facts.h"
#include "snapshot/m-frame.h"
#include "state/memory/bit-band.h"

static uint32_t
half (const uint8_t *bytes)
{
  return bytes[0] | (uint32_t) bytes[1] << 8;
}

/* Coprocessors 10 and 11 are FP instructions; on ARMv8.1-M those around them
   are FP and vector instructions, too.  */
static bool
is_fp (uint32_t op, enum tb_arch arch)
{
  uint32_t number = op >> 8 & 15;
  return (op & 0xec000000) == 0xec000000
	 && (number >> 1 == 5 || (arch == TB_ARCH_V81M_MAIN && number >= 8));
}

/* BXNS and BLXNS; SG.  */
static bool
is_switch (uint32_t op, unsigned size)
{
  return size == 2 ? (op & 0xff07) == 0x4704 : op == 0xe97fe97f;
}

/* MSR to PSP or CONTROL.  */
static bool
is_stack_switch (uint32_t op)
{
  uint32_t number = op & 0xff;
  return (op & 0xfff0ff00) == 0xf3808800 && (number == 9 || number == 20);
}

static bool
is_alias (uint32_t address)
{
  return address - TB_BIT_ALIAS < TB_BIT_ALIAS_SIZE;
}

/* Does the instruction OP of SIZE bytes at AT of REGION make an address in the
   alias of bit-banding?  MOVT, data processing (modified immediate), and LDR
   (literal): DDI 0403, A7.7.79, A5.3.2, A7.7.44.  */
static bool
has_alias (uint32_t op, unsigned size, const struct tb_region *region,
	   uint64_t at)
{
  uint32_t literal = 0;
  if (size == 2 && op >> 11 == 9)
    literal = 4 * (op & 0xff);
  else if (size == 4 && (op & 0xff7f0000) == 0xf85f0000)
    literal = op >> 23 & 1 ? op & 0xfff : -(op & 0xfff);
  else if (size == 4 && (op & 0xfbf08000) == 0xf2c00000)
    return is_alias ((op >> 16 & 15) << 28 | (op >> 26 & 1) << 27
		     | (op >> 12 & 7) << 24 | (op & 0xff) << 16);
  else if (size == 4 && (op & 0xfa008000) == 0xf0000000)
    {
      uint32_t how = (op >> 26 & 1) << 4 | (op >> 12 & 7) << 1 | (op >> 7 & 1);
      uint32_t byte = 0x80 | (op & 0x7f);
      return how >= 8 && is_alias (byte >> how | byte << (32 - how));
    }
  else
    return false;
  uint64_t there = ((region->address + at + 4) & ~UINT64_C (3))
		   + (uint64_t) (int32_t) literal - region->address;
  return there + 4 <= region->length && there <= region->length
	 && is_alias (half (region->data + there)
		      | half (region->data + there + 2) << 16);
}

/* What code was found to do.  */
struct uses
{
  bool fp, security, psp, bit_band;
};

static void
scan (const struct tb_region *region, enum tb_arch arch, struct uses *uses)
{
  const uint8_t *data = region->data;
  uint64_t length = region->length;
  for (uint64_t at = 0; at + 2 <= length;)
    {
      uint32_t op = half (data + at);
      unsigned size = tb_t32_size (op);
      if (size == 4)
	{
	  if (at + 4 > length)
	    return;
	  op = op << 16 | half (data + at + 2);
	  uses->fp |= is_fp (op, arch);
	  uses->psp |= is_stack_switch (op);
	}
      uses->security |= is_switch (op, size);
      uses->bit_band |= has_alias (op, size, region, at);
      at += size;
    }
}

/* May REGION have code?  What the trace ran is in one; otherwise what is in the
   Code region (below 0x20000000) or is not written.  */
static bool
may_be_code (const struct tb_state *s, const struct tb_region *region)
{
  if (region->address < 0x20000000 || region->access == TB_ACCESS_READ)
    return true;
  for (size_t i = 0; i < s->ntemplates; i++)
    if (s->templates[i].pc - region->address < region->length)
      return true;
  return false;
}

/* What the trace and the halt state show to be in use.  */
static void
see (const struct tb_state *s, struct uses *uses)
{
  const struct tb_value *at = s->at_halt;
  for (size_t i = 0; i < s->nchanges; i++)
    {
      uint32_t exc_return = s->changes[i].exc_return;
      if (exc_return == 0)
	continue;
      uses->psp |= exc_return >> TB_EXC_RETURN_PSP & 1;
      uses->fp |= !(exc_return >> TB_EXC_RETURN_NO_FP & 1);
      uses->security |= !(exc_return >> TB_EXC_RETURN_DCRS & 1)
			|| (exc_return >> TB_EXC_RETURN_S & 1)
			   != (exc_return >> TB_EXC_RETURN_ES & 1);
    }
  if (at[TB_CONTROL].mask != 0)
    {
      uses->psp |= at[TB_CONTROL].bits >> 1 & 1;
      uses->fp |= at[TB_CONTROL].bits >> 2 & 1;
    }
  if (at[TB_SP].mask != 0 && at[TB_MSP].mask != 0)
    uses->psp |= at[TB_SP].bits != at[TB_MSP].bits;
}

/* What a log shows to be in use.  Without any dump of memory there may be code that
   it does not show.  */
static void
see_log (const struct tb_state *s, struct uses *uses)
{
  const struct tb_columns *f = tb_recording_facts (s->recording);
  const struct tb_region *regions;
  size_t count = tb_memmap_regions (s->memory.map, &regions);
  bool dumped = false;
  for (size_t i = 0; i < count; i++)
    dumped |= strcmp (regions[i].name, TB_LOG_CODE) != 0;
  uses->psp |= !dumped || tb_facts_find (f, "psp") != NULL;
  uses->fp |= !dumped;
  uses->security |= !dumped;
}

/* Does the trace tell of both security states?  Between two steps they change where
   exceptions are taken and return, or at a gap.  */
static bool
sees_both (const struct tb_state *s)
{
  struct tb_event first, other;
  bool told = tb_recording_context (s->recording, s->base, &first);
  for (size_t i = 0; i < s->nchanges; i++)
    {
      if (!tb_recording_context (s->recording,
				 s->base + s->changes[i].step, &other))
	continue;
      if (told && other.security != first.security)
	return true;
      first = other;
      told = true;
    }
  return false;
}

void
tb_state_find_features (struct tb_state *s)
{
  enum tb_arch arch = s->profile->arch;
  const char *name = s->profile->name != NULL ? s->profile->name : "";
  struct uses uses = { .fp = false };
  bool never_fp = arch == TB_ARCH_V6M || arch == TB_ARCH_V8M_BASE
		  || strcmp (name, "Cortex-M3") == 0
		  || strcmp (name, "SC300") == 0;
  const struct tb_region *regions;
  size_t count = tb_memmap_regions (s->memory.map, &regions);
  for (size_t i = 0; i < count; i++)
    if (may_be_code (s, &regions[i]))
      scan (&regions[i], arch, &uses);
  see (s, &uses);
  if (s->stated != NULL)
    see_log (s, &uses);
  if (arch >= TB_ARCH_V8M_BASE && s->profile->is_m && !uses.security)
    uses.security = sees_both (s);
  if (s->options.doubt & TB_PREMISE_UNSEEN)
    uses = (struct uses) { true, true, true, true };
  s->has_fp = uses.fp && !never_fp;
  s->two_worlds = uses.security && arch >= TB_ARCH_V8M_BASE;
  s->memory.has_fpccr = s->has_fp && s->profile->is_m && !s->two_worlds;
  s->has_psp = uses.psp || s->two_worlds;
  s->memory.may_bit_band = (arch == TB_ARCH_V7M || arch == TB_ARCH_V7EM)
			   && strcmp (name, "Cortex-M7") != 0;
  s->memory.bit_band |= s->memory.may_bit_band && uses.bit_band;
}
