/* --changes: what each instruction writes, a line a step.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A line: step number, PC, then NAME=OLD->NEW for each register that the
   instruction writes and m:ADDRESS:SIZE=OLD->NEW for each store; all but the step
   number hexadecimal, ? for what is not known, a ~ behind what is assumed.  A ? after
   the name: it may be written or not.  A ? alone: the instruction is not
   understood, and one behind m: that it may change memory, too, not known where.
   With a device description a store to a peripheral is followed by a comma, the
   register's name and, in braces, its fields as they are written.
   Condition flags: nzcv, or singly where not all four are written and
   known, or only some assumed.  What exceptions do between two instructions is not
   listed; a comment names them.  */

#include "config.h"
#include "changes.h"

#include <inttypes.h>
#include <string.h>

#include "decode/element.h"
#include "peripherals.h"
#include "state/effect.h"
#include "state/answer/sve.h"
#include "util/hex.h"

/* Memory accesses listed of one step: LDM of all registers and more.  */
#define ACCESSES 64

static void
put_value (struct tb_buffer *line, uint64_t value, bool known, bool assumed)
{
  if (known)
    tb_hex_append_number (line, value);
  if (!known || assumed)
    tb_buffer_append (line, known ? "~" : "?", 1);
}

/* The bits MASK of OLD and NEW, shifted down by SHIFT, as NAME.  Where it need not
   have been written, only if it may have changed.  */
static void
put_change (struct tb_buffer *line, const char *name, bool maybe,
	    const struct tb_value *old, const struct tb_value *new,
	    uint64_t mask, unsigned shift)
{
  bool was = (old->mask & mask) == mask, is = (new->mask & mask) == mask;
  if (maybe && was && is && ((old->bits ^ new->bits) & mask) == 0)
    return;
  tb_buffer_append (line, " ", 1);
  tb_buffer_append (line, name, strlen (name));
  tb_buffer_append (line, maybe ? "?=" : "=", maybe ? 2 : 1);
  put_value (line, (old->bits & mask) >> shift, was,
	     (old->assumed & mask) != 0);
  tb_buffer_append (line, "->", 2);
  put_value (line, (new->bits & mask) >> shift, is,
	     (new->assumed & mask) != 0);
}

/* Are all four flags of V known, and all of them certain or all assumed?  */
static bool
is_one (const struct tb_value *v)
{
  uint64_t assumed = v->assumed & TB_PSR_NZCV;
  return (v->mask & TB_PSR_NZCV) == TB_PSR_NZCV
	 && (assumed == 0 || assumed == TB_PSR_NZCV);
}

static void
put_flags (struct tb_buffer *line, const struct tb_effect *effect,
	   const struct tb_value *old, const struct tb_value *new)
{
  static const char *const names[] = { "n", "z", "c", "v" };
  if ((effect->writes & TB_EFFECT_NZCV) == TB_EFFECT_NZCV && is_one (old)
      && is_one (new))
    {
      put_change (line, "nzcv", false, old, new, TB_PSR_NZCV, 28);
      return;
    }
  for (unsigned i = 0; i < 4; i++)
    if (effect->may_write >> (TB_EFFECT_N + i) & 1)
      put_change (line, names[i], !(effect->writes >> (TB_EFFECT_N + i) & 1),
		  old, new, UINT64_C (1) << (31 - i), 31 - i);
}

static void
put_registers (struct tb_buffer *line, const struct line_source *from,
	       uint64_t step, const struct tb_effect *effect)
{
  size_t count;
  const struct tb_reg_info *regs
    = tb_regs (tb_recording_profile (from->recording), &count);
  bool wide = regs[0].bits == 64;
  uint64_t whole = wide ? UINT64_MAX : UINT32_MAX;
  struct tb_value old[TB_NREGS_MAX], new[TB_NREGS_MAX];
  if (effect->may_write == 0)
    return;
  tb_state_registers (from->state, step, old);
  tb_state_after (from->state, step, new);
  for (size_t i = 0; i < count && i < TB_EFFECT_N; i++)
    if (effect->may_write >> i & 1)
      put_change (line, regs[i].name, !(effect->writes >> i & 1), &old[i],
		  &new[i], whole, 0);
  unsigned psr = wide ? TB_PSTATE : TB_PSR;
  put_flags (line, effect, &old[psr], &new[psr]);
}

/* The D, V, or where only HALF 0 or 1 counts (else 2) S register NUMBER; of a V register
   (WIDE) half 0 is a D register or, as far as it is known, an S register.  */
static void
put_vector (struct tb_buffer *line, unsigned number, unsigned half, bool wide,
	    bool maybe, const struct tb_vector *old,
	    const struct tb_vector *new)
{
  const struct tb_vector *both[2] = { &old[number], &new[number] };
  bool low = wide && half == 0;
  uint64_t known = old[number].half[0].mask | new[number].half[0].mask;
  uint64_t all = low && known <= UINT32_MAX ? UINT32_MAX : UINT64_MAX;
  if (half < 2 && !wide)
    tb_buffer_printf (line, " s%u", 2 * number + half);
  else if (low)
    tb_buffer_printf (line, " %c%u", all == UINT64_MAX ? 'd' : 's', number);
  else
    tb_buffer_printf (line, " %c%u", wide ? 'v' : 'd', number);
  tb_buffer_append (line, maybe ? "?=" : "=", maybe ? 2 : 1);
  for (unsigned i = 0; i < 2; i++)
    {
      const struct tb_value *first = &both[i]->half[0];
      const struct tb_value *high = &both[i]->half[1];
      bool assumed = first->assumed != 0 || (wide && !low && high->assumed != 0);
      if (i == 1)
	tb_buffer_append (line, "->", 2);
      if (half < 2 && !wide)
	put_value (line, first->bits >> 32 * half & UINT32_MAX,
		   (uint32_t) (first->mask >> 32 * half) == UINT32_MAX,
		   (uint32_t) (first->assumed >> 32 * half) != 0);
      else if (low)
	put_value (line, first->bits & all, (first->mask & all) == all, assumed);
      else if (wide && (first->mask & high->mask) == UINT64_MAX
	       && high->bits != 0)
	tb_buffer_printf (line, "%" PRIx64 "%016" PRIx64 "%s", high->bits,
			  first->bits, assumed ? "~" : "");
      else
	put_value (line, first->bits, first->mask == UINT64_MAX
		   && (!wide || high->mask == UINT64_MAX), assumed);
    }
}

void
put_bytes (struct tb_buffer *line, const uint8_t *bytes, unsigned size)
{
  for (unsigned i = size; i > 0; i--)
    tb_buffer_printf (line, "%02x", bytes[i - 1]);
}

/* SVE registers of which a line of a log tells; returns the Z registers among them of which
   more than a V register is known, a bit each.  */
static uint32_t
put_sve (struct tb_buffer *line, const struct line_source *from, uint64_t step)
{
  unsigned length = tb_state_sve_length (from->state);
  uint32_t put = 0;
  for (unsigned i = 0; length != 0 && i < TB_NSVE; i++)
    {
      struct tb_sve values[2];
      char room[8];
      unsigned size = tb_sve_size (length, i), known = 0;
      if ((i < TB_SVE_P && length == TB_SVE_MIN)
	  || tb_state_sve_next (from->state, step, i) != step + 1)
	continue;
      for (unsigned k = 0; k < 2; k++)
	{
	  tb_state_sve (from->state, step + k, i, &values[k]);
	  known |= (unsigned) tb_sve_known (&values[k], 0, size) << k;
	}
      if (known == 0)
	continue;
      put |= i < TB_SVE_P ? UINT32_C (1) << i : 0;
      tb_buffer_printf (line, " %s=", tb_sve_name (i, room));
      for (unsigned k = 0; k < 2; k++)
	{
	  if (k == 1)
	    tb_buffer_append (line, "->", 2);
	  if (known >> k & 1)
	    put_bytes (line, values[k].bytes, size);
	  else
	    tb_buffer_append (line, "?", 1);
	}
    }
  return put;
}

static void
put_vectors (struct tb_buffer *line, const struct line_source *from,
	     uint64_t step, const struct tb_effect *effect)
{
  uint32_t wider = put_sve (line, from, step);
  static const struct tb_vector none[TB_NVECTORS];
  struct tb_vector before[TB_NVECTORS], after[TB_NVECTORS];
  if (effect->may_vectors == 0 && !effect->controls)
    return;
  bool wide = tb_recording_profile (from->recording)->has_a64;
  const struct tb_vector *old
    = tb_state_vectors (from->state, step, before) ? before : none;
  const struct tb_vector *new
    = tb_state_vectors_after (from->state, step, after) ? after : none;
  for (unsigned i = 0; i < TB_FPSCR; i++)
    {
      unsigned may = effect->may_vectors >> 2 * i & 3;
      unsigned sure = effect->vectors >> 2 * i & 3;
      if (may != 0 && !(wider >> i & 1))
	put_vector (line, i, may == 3 ? 2 : may - 1, wide, sure != may, old,
		    new);
    }
  for (unsigned i = TB_FPSCR; effect->controls && i < TB_NVECTORS; i++)
    if (((old[i].half[0].mask | new[i].half[0].mask) & UINT32_MAX)
	== UINT32_MAX)
      put_change (line, i == TB_FPSR ? "fpsr" : wide ? "fpcr" : "fpscr", true,
		  &old[i].half[0], &new[i].half[0], UINT32_MAX, 0);
}

/* What memory holds where A stores, before STEP.  */
static void
put_old (struct tb_buffer *line, const struct line_source *from,
	 uint64_t step, const struct tb_access_info *a)
{
  uint8_t bytes[8], origins[8];
  uint64_t value = 0;
  bool known = a->address_known && a->length <= sizeof bytes
	       && tb_state_memory (from->state, step, a->address, bytes,
				   origins, a->length) == a->length;
  bool assumed = a->address_assumed;
  for (uint32_t i = 0; i < a->length && known; i++)
    {
      value |= (uint64_t) bytes[i] << 8 * i;
      assumed |= origins[i] == TB_ASSUMED;
    }
  put_value (line, value, known, assumed);
}

void
put_changes (struct tb_buffer *line, const struct line_source *from,
	     uint64_t step)
{
  struct tb_effect effect;
  struct tb_access_info accesses[ACCESSES];
  if (!tb_state_effect (from->state, step, &effect))
    {
      tb_buffer_append (line, " ?", 2);
      return;
    }
  put_registers (line, from, step, &effect);
  put_vectors (line, from, step, &effect);
  size_t n = tb_state_accesses (from->state, step, accesses, ACCESSES);
  bool anywhere = !effect.no_stores && !tb_state_analysed (from->state, step);
  for (size_t i = 0; i < n && i < ACCESSES; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      /* As the saving of FP registers that an exception may have put off.  */
      bool unsure = a->store && a->maybe && !a->address_known;
      anywhere |= unsure;
      if (!a->store || unsure)
	continue;
      tb_buffer_append (line, " m:", 3);
      put_value (line, a->address, a->address_known, a->address_assumed);
      tb_buffer_append (line, ":", 1);
      tb_decimal_append (line, a->length);
      tb_buffer_append (line, "=", 1);
      put_old (line, from, step, a);
      tb_buffer_append (line, "->", 2);
      put_value (line, a->value, a->value_known, a->value_assumed);
      put_peripheral (line, from->svd, a, a->value_known ? &a->value : NULL);
    }
  if (anywhere)
    tb_buffer_append (line, " m:?", 4);
}

void
put_events (struct tb_buffer *line, const struct line_source *from,
	    uint64_t step, unsigned flags)
{
  enum { MOST = 16 };
  struct tb_event events[MOST];
  if (!(flags & (TB_STEP_EVENTS | TB_STEP_AFTER_GAP)))
    return;
  size_t n = tb_recording_events (from->recording, step, step, events, MOST);
  for (size_t i = 0; i < n && i < MOST; i++)
    switch (events[i].kind)
      {
      case TB_EVENT_EXCEPTION:
	if (events[i].exception == TB_EXCEPTION_UNKNOWN)
	  tb_buffer_printf (line, "# exception\n");
	else
	  tb_buffer_printf (line, "# exception %u\n", events[i].exception);
	break;
      case TB_EVENT_EXCEPTION_RETURN:
	tb_buffer_printf (line, "# return from an exception\n");
	break;
      case TB_EVENT_GAP:
	tb_buffer_printf (line, "# gap\n");
	break;
      case TB_EVENT_HALT:
	tb_buffer_printf (line, "# halt\n");
	break;
      }
}
