/* Dumps for developers.  See dump.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/dump.h"

#include <inttypes.h>
#include <string.h>

#include "arm/ir/semantics-a64.h"
#include "state/explain/dump-graph.h"
#include "state/explain/variants.h"
#include "state/window/windows.h"

static const char *const slots[TB_NPLACES] = {
  "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp",
  "lr", "sp-other", "n", "z", "c", "v", "spsel", "npriv", "primask", "ipsr", "handler",
  "q", "ge", "fpca", "t0", "t1", "t2", "t3", "if"
};

static const char *const slots_a64[TB_A64_NPLACES] = {
  [TB_A64_SP] = "sp", "n", "z", "c", "v", "spsel", "sp-el0", "sp-el1", "sp-el2", "sp-el3",
  "saved-n", "saved-z", "saved-c", "saved-v", "saved-spsel", "t0", "t1", "t2", "t3", "t4",
  "t5", "if", "sink"
};

/* PLACE of the profile, which is not the immediate and not none.  */
static void
put_place (struct tb_buffer *text, bool wide, unsigned place)
{
  if (wide && place < TB_A64_SP)
    tb_buffer_printf (text, "x%u", place);
  else if (wide && place < TB_A64_NPLACES)
    tb_buffer_printf (text, "%s", slots_a64[place]);
  else if (wide && place == TB_PLACE_ZERO)
    tb_buffer_printf (text, "xzr");
  else if (wide && place < TB_A64_FPCR)
    tb_buffer_printf (text, "v%u.%s", (place - TB_A64_VECTOR) / 2,
		      place % 2 ? "high" : "low");
  else if (wide)
    tb_buffer_printf (text, place == TB_A64_FPCR ? "fpcr" : "fpsr");
  else if (place < TB_NPLACES)
    tb_buffer_printf (text, "%s", slots[place]);
  else if (place < TB_PLACE_FPSCR)
    tb_buffer_printf (text, "s%u", place - TB_PLACE_FP);
  else
    tb_buffer_printf (text, place == TB_PLACE_FPSCR ? "fpscr" : "fpscr-status");
}

/* A line: the operation, its places, and its immediate unless nothing reads it.  */
static void
put_uop (struct tb_buffer *text, bool wide, const struct tb_uop *u)
{
  const uint8_t places[] = { u->dst, u->a, u->b };
  bool any = false, shown = false;
  tb_buffer_printf (text, "  %s", tb_ops[u->op].name);
  for (unsigned k = 0; k < 3; k++)
    {
      if (places[k] == TB_PLACE_NONE || (k == 0 && !tb_op_is (u->op, TB_WRITES | TB_READS_DST))
	  || (u->op <= TB_OP_LAST_VALUE && k > tb_ops[u->op].operands))
	continue;
      tb_buffer_printf (text, "%s", any ? ", " : " ");
      any = true;
      if (places[k] == TB_PLACE_IMM)
	tb_buffer_printf (text, "#0x%" PRIx64, u->imm);
      else
	put_place (text, wide, places[k]);
      shown |= places[k] == TB_PLACE_IMM;
    }
  if (!shown && (u->imm != 0 || tb_op_is (u->op, TB_READS_FLAGS)))
    tb_buffer_printf (text, "%s#0x%" PRIx64, any ? ", " : " ", u->imm);
  if (u->when != TB_ALWAYS)
    {
      tb_buffer_printf (text, " when ");
      put_place (text, wide, u->when);
    }
  tb_buffer_printf (text, "\n");
}

static void
put_ir (struct tb_buffer *text, struct tb_state *s, uint64_t i)
{
  const struct tb_template *t = &s->templates[s->info[i] & TB_INFO_TEMPLATE];
  if (!t->modelled)
    tb_buffer_printf (text, "  not followed: anything may have changed\n");
  for (unsigned k = 0; t->modelled && k < t->count; k++)
    put_uop (text, s->a64 != NULL, &s->uops[t->first + k]);
}

static void
put_graph (struct tb_buffer *text, struct tb_state *s, uint64_t i)
{
  tb_state_seek (s, i);
  tb_vid first = i > 0 ? s->names.next_value : 1;
  uint32_t afirst = i > 0 ? s->names.next_access : 1;
  tb_state_seek (s, i + 1);
  tb_dump_graph (text, &s->graph, &s->memory, first, s->names.next_value, afirst,
		 s->names.next_access);
}

bool
tb_dump_step (struct tb_buffer *text, struct tb_state *state, uint64_t step, unsigned what)
{
  struct tb_step at;
  if (state->log != NULL)
    state = state->derived;
  if (state == NULL)
    {
      tb_buffer_printf (text, "step %" PRIu64 ": lines tell all, nothing is worked out\n",
			step);
      return !text->failed;
    }
  struct tb_state *s = tb_variant_explained (state);
  s = s != NULL ? tb_windows_at (s, step) : NULL;
  if (s == NULL)
    return false;
  uint64_t base = s->base, count = s->steps;
  if (step < base || step - base >= count)
    return true;
  if (step == base)
    tb_buffer_printf (text, "window of the steps %" PRIu64 " to %" PRIu64 "\n", base,
		      base + count - 1);
  tb_buffer_printf (text, "step %" PRIu64, step);
  if (tb_recording_read (s->recording, step, &at, 1) == 1)
    tb_buffer_printf (text, ", pc 0x%" PRIx64 ", opcode 0x%0*" PRIx32, at.pc,
		      2 * at.size, at.opcode);
  tb_buffer_printf (text, "\n");
  if (what & TB_DUMP_IR)
    put_ir (text, s, step - base);
  if (what & TB_DUMP_GRAPH)
    put_graph (text, s, step - base);
  return !text->failed;
}
