/* State of a log's recording.  See log.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/evidence/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/facts.h"
#include "state/evidence/log-doubt.h"
#include "util/number.h"

/* The last address of the Code region of the M profile.  */
#define CODE_LAST UINT32_C (0x1fffffff)

struct tb_state_log
{
  struct tb_recording *recording;
  const struct tb_columns *facts;
  const struct tb_profile *profile;
  const struct tb_extents *volatiles;
  size_t nregs;
  const struct tb_reg_info *regs;
  /* Where the registers are: by mode, as some have banks; NULL: nowhere.  */
  const struct tb_facts_register *(*where)[TB_NREGS_MAX];
  const struct tb_facts_register *active;	/* Which SP; NULL: not told.  */
  /* FP and vector registers, as facts have them, and what controls them.  */
  const struct tb_facts_register *vectors[32], *controls[2];
  bool has_vectors;
  struct tb_log_sve sve;
  /* The registers of a log in doubt.  */
  bool doubted;
  struct tb_facts_register *cut;
};

/* The register that REG is in MODE.  */
static const struct tb_facts_register *
find_register (const struct tb_state_log *l, const char *reg, const char *mode)
{
  char bank[40];
  if (strcmp (reg, "xpsr") == 0 || strcmp (reg, "cpsr") == 0)
    return tb_facts_find (l->facts, "psr");
  tb_facts_bank (bank, reg, mode);
  const struct tb_facts_register *found = tb_facts_find (l->facts, bank);
  return found != NULL ? found : tb_facts_find (l->facts, reg);
}

struct tb_state_log *
tb_state_log_open (struct tb_recording *recording,
		   const struct tb_extents *volatiles)
{
  struct tb_state_log *l = calloc (1, sizeof *l);
  if (l == NULL)
    return NULL;
  l->recording = recording;
  l->volatiles = volatiles;
  l->facts = tb_recording_facts (recording);
  l->profile = tb_recording_profile (recording);
  l->regs = tb_regs (l->profile, &l->nregs);
  l->where = calloc (l->facts->nmodes + 1, sizeof *l->where);
  if (l->where == NULL)
    {
      free (l);
      return NULL;
    }
  for (size_t m = 0; m < l->facts->nmodes; m++)
    for (size_t i = 0; i < l->nregs; i++)
      l->where[m][i] = find_register (l, l->regs[i].name,
				      l->facts->modes[m]);
  /* Behind the last step.  */
  char room[TB_STATE_LOG_MODE];
  const char *end = "";
  bool told = tb_state_log_end_mode (l->facts, &end, room);
  for (size_t i = 0; i < l->nregs; i++)
    {
      const char *name = l->regs[i].name;
      bool banked = strcmp (name, "sp") == 0 || strcmp (name, "lr") == 0
		    || strcmp (name, "r8") == 0 || strcmp (name, "r9") == 0
		    || strncmp (name, "r1", 2) == 0;
      if (told || !banked || strcmp (name, "r1") == 0)
	l->where[l->facts->nmodes][i] = find_register (l, name, end);
    }
  for (unsigned i = 0; i < 32; i++)
    {
      char name[16];
      snprintf (name, sizeof name, "v%u", i);
      l->vectors[i] = tb_facts_find (l->facts, name);
      l->has_vectors |= l->vectors[i] != NULL;
    }
  l->controls[0] = tb_facts_find (l->facts, l->profile->has_a64 ? "fpcr"
								: "fpscr");
  if (l->profile->has_a64)
    l->controls[1] = tb_facts_find (l->facts, "fpsr");
  l->has_vectors |= l->controls[0] != NULL || l->controls[1] != NULL;
  tb_log_sve_find (&l->sve, l->facts);
  if (l->profile->is_m)
    l->active = tb_facts_find (l->facts, TB_FACTS_ACTIVE_SP);
  return l;
}

void
tb_state_log_close (struct tb_state_log *l)
{
  if (l == NULL)
    return;
  tb_log_doubt_free (l->facts, l->cut);
  free (l->where);
  free (l);
}

void
tb_state_log_doubt (struct tb_state_log *l)
{
  if (l->doubted)
    return;
  l->doubted = true;
  l->cut = tb_log_doubt (l, l->profile);
  /* The last place is that behind the last step.  */
  for (size_t m = 0; m <= l->facts->nmodes; m++)
    for (size_t i = 0; i < l->nregs; i++)
      if (l->where[m][i] != NULL)
	l->where[m][i] = l->cut != NULL
			 ? l->cut + (l->where[m][i] - l->facts->registers) : NULL;
}

const struct tb_columns *
tb_state_log_facts (const struct tb_state_log *l)
{
  return l->facts;
}

const struct tb_log_sve *
tb_state_log_sve (const struct tb_state_log *l)
{
  return &l->sve;
}

const struct tb_facts_register *
tb_state_log_place (const struct tb_state_log *l, unsigned mode, unsigned reg)
{
  return l->where[mode][reg];
}

unsigned
tb_state_log_mode (const struct tb_state_log *l, uint64_t step)
{
  const struct tb_columns *f = l->facts;
  return step < f->steps ? tb_facts_step (f, step)->mode : (unsigned) f->nmodes;
}

/* N lanes of REG (which may be NULL) from FIRST on before STEP.  */
static void
get (const struct tb_state_log *l, const struct tb_facts_register *reg, unsigned first,
     unsigned n, uint64_t step, struct tb_value *to)
{
  for (unsigned i = 0; i < n && reg != NULL; i++)
    {
      uint32_t value, mask;
      if (!tb_facts_register (reg, first + i, step, &value, &mask))
	continue;
      to->bits |= (uint64_t) value << 32 * i;
      to->mask |= (uint64_t) mask << 32 * i;
      if (to->origin == TB_UNKNOWN)
	to->origin = TB_STATED;
      if (l->facts->assumed_values.size != 0
	  && tb_facts_assumed_value (l->facts, reg, first + i, step))
	{
	  to->assumed |= (uint64_t) mask << 32 * i;
	  to->origin = TB_ASSUMED;
	}
    }
}

/* SP of the M profile is one of two.  */
static void
get_sp (const struct tb_state_log *l, uint64_t step, struct tb_value *values)
{
  uint32_t which = TB_FACTS_SP_UNKNOWN, mask;
  if (l->active != NULL)
    tb_facts_register (l->active, 0, step, &which, &mask);
  if (which != TB_FACTS_SP_UNKNOWN)
    values[TB_SP] = values[which == TB_FACTS_SP_PSP ? TB_PSP : TB_MSP];
}

/* Which of them holds the PC.  */
static unsigned
pc_of (const struct tb_state_log *l)
{
  return l->regs[0].bits == 64 ? TB_PC64 : TB_PC;
}

/* The registers whose places SP of the M profile depends on.  */
#define STACKS (REG (TB_SP) | REG (TB_MSP) | REG (TB_PSP))
#define REG(reg) (UINT64_C (1) << (reg))

void
tb_state_log_some (const struct tb_state_log *l, uint64_t step, uint64_t set,
		   struct tb_value *values)
{
  const struct tb_columns *f = l->facts;
  if (step > f->steps || f->steps == 0)
    return;
  bool is_m = l->profile->is_m && l->active != NULL;
  if (is_m && set & STACKS)
    set |= STACKS;
  unsigned mode = tb_state_log_mode (l, step);
  for (uint64_t left = set; left != 0; left &= left - 1)
    {
      unsigned i = (unsigned) __builtin_ctzll (left);
      values[i] = (struct tb_value) { .origin = TB_UNKNOWN };
      if (i < l->nregs && i != pc_of (l))
	get (l, l->where[mode][i], 0, l->regs[i].bits / 32, step, &values[i]);
    }
  if (is_m && set & STACKS)
    get_sp (l, step, values);
}

unsigned
tb_state_log_active_sp (const struct tb_state_log *l, uint64_t step)
{
  uint32_t which = TB_FACTS_SP_UNKNOWN, mask;
  if (l->active != NULL)
    tb_facts_register (l->active, 0, step, &which, &mask);
  return which;
}

void
tb_state_log_registers (struct tb_state_log *l, uint64_t step,
			struct tb_value *values)
{
  const struct tb_columns *f = l->facts;
  unsigned mode = tb_state_log_mode (l, step);
  memset (values, 0, TB_NREGS_MAX * sizeof *values);
  if (step > f->steps)
    return;
  if (f->steps > 0)
    {
      const struct tb_facts_code *code
	= tb_facts_step (f, step < f->steps ? step : f->steps - 1);
      struct tb_value *pc = &values[pc_of (l)];
      if (step < f->steps || f->end_known)
	*pc = tb_value_pc (step < f->steps ? code->pc : f->end_pc,
			   l->regs[0].bits == 64 ? UINT64_MAX : UINT32_MAX);
    }
  for (size_t i = 0; i < l->nregs; i++)
    if (i != pc_of (l))
      get (l, l->where[mode][i], 0, l->regs[i].bits / 32, step, &values[i]);
  if (l->profile->is_m && l->active != NULL)
    get_sp (l, step, values);
}

bool
tb_state_log_vectors (struct tb_state_log *l, uint64_t step,
		      struct tb_vector *vectors)
{
  bool any = false;
  if (!l->has_vectors)
    return false;
  memset (vectors, 0, TB_NVECTORS * sizeof *vectors);
  for (unsigned i = 0; i < 32; i++)
    if (l->profile->has_a64)
      for (unsigned half = 0; half < 2; half++)
	get (l, l->vectors[i], 2 * half, 2, step, &vectors[i].half[half]);
    else
      get (l, l->vectors[i / 2], 2 * (i % 2), 2, step, &vectors[i].half[0]);
  for (unsigned i = 0; i < 2; i++)
    get (l, l->controls[i], 0, 1, step, &vectors[TB_FPSCR + i].half[0]);
  for (unsigned i = 0; i < TB_NVECTORS; i++)
    any |= (vectors[i].half[0].mask | vectors[i].half[1].mask) != 0;
  return any;
}

/* Add what memory that does not change has, where nothing tells otherwise at any
   time.  */
static void
fill_fixed (const struct tb_state_log *l, uint64_t address, uint8_t *bytes,
	    uint8_t *origins, size_t length)
{
  const struct tb_memmap *map = tb_recording_memmap (l->recording);
  for (size_t i = 0; i < length && map != NULL;)
    {
      uint64_t at = address + i, same;
      if (at < address)
	break;
      enum tb_access access = tb_memmap_access (map, TB_SPACE_ANY, at, &same);
      bool fixed = access == TB_ACCESS_READ
		   || (access == TB_ACCESS_UNKNOWN && l->profile->is_m
		       && at <= CODE_LAST);
      size_t n = same == 0 || same > length - i ? length - i : (size_t) same;
      if (l->profile->is_m && at <= CODE_LAST && n > CODE_LAST - at + 1)
	n = (size_t) (CODE_LAST - at) + 1;
      for (size_t k = i; k < i + n && fixed; k++)
	if (origins[k] == TB_UNKNOWN
	    && !tb_facts_touched (l->facts, address + k)
	    && tb_memmap_read (map, TB_SPACE_ANY, address + k, &bytes[k], 1)
	       == 1)
	  origins[k] = TB_DERIVED;
      i += n;
    }
}

/* Device registers that STEP reads held then what it read.  */
static void
read_devices (const struct tb_state_log *l, uint64_t step, uint64_t address,
	      uint8_t *bytes, uint8_t *known, size_t length)
{
  size_t count;
  const struct tb_facts_other *o = tb_facts_others (l->facts, step, &count);
  for (size_t i = 0; i < count; i++)
    for (unsigned k = 0; k < o[i].length; k++)
      {
	uint64_t at = o[i].address + k - address;
	if (o[i].device && !(o[i].flags & (TB_FACTS_WRITE | TB_FACTS_BUS))
	    && at < length && !known[at])
	  {
	    bytes[at] = (uint8_t) (o[i].value >> 8 * k);
	    known[at] = 1;
	  }
      }
}

/* Does an instruction of STEP read the byte at ADDRESS?  */
static bool
is_read (const struct tb_state_log *l, uint64_t step, uint64_t address)
{
  enum { MOST = 64 };
  struct tb_facts_access some[MOST];
  size_t n = step < l->facts->steps
	     ? tb_facts_accesses (l->facts, step, some, MOST) : 0;
  for (size_t i = 0; i < n && i < MOST; i++)
    if (!(some[i].flags & (TB_FACTS_WRITE | TB_FACTS_ABORTED | TB_FACTS_BUS
			   | TB_FACTS_PORT | TB_FACTS_ANYWHERE))
	&& address - some[i].address < some[i].length)
      return true;
  return false;
}

/* What lines of other steps say of memory that others change does not hold here.  */
static void
drop_volatile (const struct tb_state_log *l, uint64_t step, uint64_t address,
	       uint8_t *known, size_t length)
{
  if (l->volatiles == NULL || length == 0
      || !tb_extents_hit (l->volatiles, address, length))
    return;
  for (size_t i = 0; i < length; i++)
    if (known[i] && tb_extents_hit (l->volatiles, address + i, 1)
	&& !is_read (l, step, address + i))
      known[i] = 0;
}

size_t
tb_state_log_memory (struct tb_state_log *l, uint64_t step, uint64_t address,
		     uint8_t *bytes, uint8_t *origins, size_t length)
{
  if (step > l->facts->steps)
    step = l->facts->steps;
  tb_facts_memory (l->facts, step, address, bytes, origins, length);
  drop_volatile (l, step, address, origins, length);
  read_devices (l, step, address, bytes, origins, length);
  for (size_t i = 0; i < length; i++)
    origins[i] = origins[i] != 0 ? TB_STATED : TB_UNKNOWN;
  if (l->facts->assumed_memory.size != 0)
    tb_facts_assumed_memory (l->facts, step, address, origins, TB_ASSUMED, length);
  fill_fixed (l, address, bytes, origins, length);
  size_t known = 0;
  for (size_t i = 0; i < length; i++)
    {
      known += origins[i] != TB_UNKNOWN;
      if (origins[i] == TB_UNKNOWN)
	bytes[i] = 0;
    }
  return known;
}

/* The value that access I of the N of STEP moved, into A.  */
static void
find_value (struct tb_state_log *l, uint64_t step,
	    const struct tb_facts_access *some, size_t n, size_t i,
	    struct tb_access_info *a)
{
  uint8_t bytes[8], known[8];
  size_t count;
  if (some[i].flags & TB_FACTS_ABORTED)
    return;
  /* Another one of the step may have stored to the same place: after this one if
     this is a store, else before it.  */
  for (size_t k = a->store ? i + 1 : 0; k < (a->store ? n : i); k++)
    if ((some[k].flags & TB_FACTS_WRITE)
	/* Of a store that the bus shows as another one memory is not known.  */
	&& !(a->store && some[k].flags & TB_FACTS_BUS)
	&& some[k].address < some[i].address + some[i].length
	&& some[i].address < some[k].address + some[k].length)
      return;
  const struct tb_facts_other *o = tb_facts_others (l->facts, step, &count);
  for (size_t k = 0; k < count; k++)
    if (o[k].device && o[k].address == a->address && o[k].length == a->length
	&& ((o[k].flags ^ some[i].flags) & (TB_FACTS_WRITE | TB_FACTS_BUS)) == 0)
      {
	a->value = o[k].value;
	a->value_known = true;
	return;
      }
  if (tb_facts_memory (l->facts, step + a->store, a->address, bytes, known,
		       a->length) != a->length)
    return;
  a->value = tb_number (bytes, a->length);
  a->value_known = true;
}

size_t
tb_state_log_accesses (struct tb_state_log *l, uint64_t step,
		       struct tb_access_info *accesses, size_t capacity)
{
  enum { MOST = 64 };
  struct tb_facts_access some[MOST];
  if (step >= l->facts->steps)
    return 0;
  size_t n = tb_facts_accesses (l->facts, step, some, MOST), count = 0;
  if (n > MOST)
    n = MOST;
  for (size_t i = 0; i < n; i++)
    {
      unsigned flags = some[i].flags;
      /* The debugger's, the fetch's, the bus's and an exception's are not the
	 instruction's.  */
      if ((flags & (TB_FACTS_PORT | TB_FACTS_BUS | TB_FACTS_EVENT
		    | TB_FACTS_ANYWHERE)) != 0)
	continue;
      if (count < capacity)
	{
	  accesses[count] = (struct tb_access_info) {
	    .address = some[i].address, .length = some[i].length,
	    .store = (flags & TB_FACTS_WRITE) != 0, .address_known = true
	  };
	  find_value (l, step, some, n, i, &accesses[count]);
	}
      count++;
    }
  return count;
}

void
tb_state_log_effect (const struct tb_state_log *l, uint64_t step,
		     struct tb_effect *effect)
{
  bool wide = l->regs[0].bits == 64;
  unsigned psr = wide ? TB_PSTATE : TB_PSR, last = wide ? TB_SP64 : TB_LR;
  unsigned mode = tb_facts_step (l->facts, step)->mode;
  *effect = (struct tb_effect) { .reads = 0 };
  for (unsigned i = 0; i < l->nregs; i++)
    {
      const struct tb_facts_register *r = l->where[mode][i];
      if (i == TB_SP && l->profile->is_m && l->active != NULL)
	{
	  uint32_t which = TB_FACTS_SP_UNKNOWN, mask;
	  tb_facts_register (l->active, 0, step + 1, &which, &mask);
	  r = which == TB_FACTS_SP_UNKNOWN ? NULL
	      : l->where[mode][which == TB_FACTS_SP_PSP ? TB_PSP : TB_MSP];
	}
      if (r != NULL && i == psr && tb_facts_changed (r, step + 1))
	effect->writes |= TB_EFFECT_NZCV;
      else if (r != NULL && i <= last && tb_facts_changed (r, step + 1))
	effect->writes |= UINT64_C (1) << i;
    }
  effect->may_write = effect->writes;
  for (unsigned i = 0; i < 32; i++)
    for (unsigned lane = 0; l->vectors[i] != NULL && lane < 4; lane++)
      if (tb_facts_lane_changed (l->vectors[i], lane, step + 1))
	effect->vectors |= UINT64_C (1) << (wide ? 2 * i + lane / 2
						 : (4 * i + lane) % 64);
  effect->may_vectors = effect->vectors;
  for (unsigned i = 0; i < 2; i++)
    effect->controls |= l->controls[i] != NULL
			&& tb_facts_changed (l->controls[i], step + 1);
}

bool
tb_state_log_since (struct tb_state_log *l, uint64_t step, unsigned reg, uint64_t *made)
{
  struct tb_value values[TB_NREGS_MAX];
  uint64_t at;
  tb_state_log_registers (l, step, values);
  if (step > l->facts->steps || values[reg].mask != UINT32_MAX)
    return false;
  unsigned from = reg;
  if (reg == TB_SP && l->profile->is_m && l->active != NULL)
    from = values[TB_PSP].mask == UINT32_MAX
	   && values[TB_PSP].bits == values[TB_SP].bits ? TB_PSP : TB_MSP;
  unsigned mode = tb_state_log_mode (l, step);
  const struct tb_facts_register *r = l->where[mode][from];
  if (r == NULL || !tb_facts_since (r, 0, step, &at))
    return false;
  *made = at > 0 ? at - 1 : 0;
  return true;
}
