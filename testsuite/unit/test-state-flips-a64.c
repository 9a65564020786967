/* State of A64 code with a halt state that is not what was: bits of registers and
   RAM at the halt are flipped at random.  Either that is reported, or what is claimed
   agrees with the steps: running any of them forward from what is claimed before it
   gives what is claimed after it, and takes the way that the trace tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include "arm/semantics-a64.h"
#include "corpus-a64-run.h"

#define WINDOW 1500		/* Steps that are looked at.  */

static uint64_t seed = 20261121;

static uint32_t
random_number (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005)
	 + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

/* A step, run on what is claimed before it.  */
struct forward
{
  struct tb_state *state;
  uint64_t step, next_pc;
  bool taken;
  bool known[TB_A64_END];
  uint64_t value[TB_A64_END];
  struct { uint64_t address, value; unsigned size; } stores[8];
  unsigned nstores;
  bool unsure;			/* It may store who knows where.  */
  unsigned wrong;
};

static bool
load (struct forward *f, uint64_t address, unsigned size, uint64_t *value)
{
  uint8_t bytes[8], origins[8];
  *value = 0;
  if (size > 8 || tb_state_memory (f->state, f->step, address, bytes, origins,
				   size) != size)
    return false;
  for (unsigned i = 0; i < size; i++)
    *value |= (uint64_t) bytes[i] << 8 * i;
  return true;
}

static void
set (struct forward *f, unsigned place, bool known, uint64_t value)
{
  if (place >= TB_A64_NPLACES && place < TB_A64_VECTOR)
    return;
  f->known[place] = known;
  f->value[place] = value;
}

static bool
get (const struct forward *f, unsigned place, uint64_t imm, uint64_t *value)
{
  *value = place == TB_A64_IMM ? imm : 0;
  if (place >= TB_A64_NPLACES && place < TB_A64_VECTOR)
    return true;
  *value = f->value[place];
  return f->known[place];
}

static void
operate (struct forward *f, const struct tb_uop_64 *u)
{
  uint64_t a, b, value = 0;
  bool ka = get (f, u->a, u->imm, &a), kb = get (f, u->b, u->imm, &b), flags;
  const bool *k = f->known;
  const uint64_t *v = f->value;
  switch (u->op)
    {
    case TB_OP64_UNKNOWN: case TB_OP64_READ_SP:
      set (f, u->dst, false, 0);
      break;
    case TB_OP64_CONDITION:
      flags = k[TB_A64_N] && k[TB_A64_Z] && k[TB_A64_C] && k[TB_A64_V];
      set (f, u->dst, flags, flags
	   && tb_condition_holds (u->imm, v[TB_A64_N], v[TB_A64_Z],
				  v[TB_A64_C], v[TB_A64_V]));
      break;
    case TB_OP64_SELECT:
      set (f, u->dst, k[TB_A64_IF] && (v[TB_A64_IF] ? ka : kb),
	   v[TB_A64_IF] ? a : b);
      break;
    case TB_OP64_BRANCH:
      f->wrong += ka && (a == u->imm) != f->taken;
      break;
    case TB_OP64_TARGET:
      f->wrong += ka && f->next_pc != 0 && a != f->next_pc;
      break;
    case TB_OP64_LOAD: case TB_OP64_LOAD_LITERAL:
      ka = ka && load (f, a, (unsigned) u->imm, &value);
      set (f, u->dst, ka, value);
      break;
    case TB_OP64_STORE:
      if (ka && kb && f->nstores < 8)
	{
	  f->stores[f->nstores].address = a;
	  f->stores[f->nstores].value = b;
	  f->stores[f->nstores++].size = (unsigned) u->imm;
	}
      break;
    case TB_OP64_STORE_MAYBE:
      f->unsure = true;
      break;
    case TB_OP64_WRITE_SP: case TB_OP64_WRITE_SPSEL:
      set (f, TB_A64_SP, false, 0);
      break;
    case TB_OP64_COMPARED: case TB_OP64_ERET: case TB_OP64_TRAP:
    case TB_OP64_FORGET_MEMORY: case TB_OP64_FORGET_SAVED:
      break;
    case TB_OP64_FORGET_VECTORS: case TB_OP64_FPSR: case TB_OP64_MERGED:
      for (unsigned place = TB_A64_VECTOR; place < TB_A64_END; place++)
	set (f, place, false, 0);
      break;
    default:
      set (f, u->dst, ka && kb, tb_op_value_64 (u->op, a, b));
      break;
    }
}

static uint64_t compared;	/* Values, so far.  */

/* How many of the places are claimed to be otherwise after the step.  */
static unsigned
compare (const struct forward *f, const struct tb_value *after)
{
  unsigned wrong = 0;
  for (unsigned r = 0; r <= TB_SP64; r++)
    compared += f->known[r] && after[r].mask != 0;
  for (unsigned r = 0; r <= TB_SP64; r++)
    wrong += f->known[r] && after[r].bits != (f->value[r] & after[r].mask);
  for (unsigned k = 0; k < 4; k++)
    wrong += f->known[TB_A64_N + k] && after[TB_PSTATE].mask >> (31 - k) & 1
	     && (after[TB_PSTATE].bits >> (31 - k) & 1)
		!= f->value[TB_A64_N + k];
  for (unsigned i = 0; i < f->nstores && f->nstores == 1 && !f->unsure; i++)
    for (unsigned b = 0; b < f->stores[i].size && b < 8; b++)
      {
	uint8_t byte, origin;
	wrong += tb_state_memory (f->state, f->step + 1,
				  f->stores[i].address + b, &byte, &origin, 1)
		 == 1
		 && byte != (uint8_t) (f->stores[i].value >> 8 * b);
      }
  return wrong;
}

/* How many claims contradict each other.  */
static unsigned
contradictions (struct tb_state *state, const struct corpus_run_64 *run)
{
  unsigned wrong = 0;
  for (size_t i = run->count > WINDOW ? run->count - WINDOW : 0;
       i + 1 < run->count; i++)
    {
      const struct corpus_step_64 *s = &run->c.steps[run->traced[i]];
      const struct corpus_step_64 *next = &run->c.steps[run->traced[i + 1]];
      struct tb_value before[TB_NREGS_MAX], after[TB_NREGS_MAX];
      struct tb_semantics_64 semantics;
      tb_semantics_a64 (&semantics, s->opcode, s->pc);
      /* Not where something else happens in between.  */
      if (!semantics.modelled || next->flags & CORPUS_EXCEPTION
	  || s->flags & CORPUS_RETURN
	  || run->traced[i] + 1 != run->traced[i + 1])
	continue;
      tb_state_registers (state, i, before);
      tb_state_registers (state, i + 1, after);
      struct forward f = { .state = state, .step = i, .next_pc = next->pc,
			   .taken = s->flags & CORPUS_TAKEN };
      for (unsigned r = 0; r <= TB_SP64; r++)
	set (&f, r, before[r].mask == UINT64_MAX, before[r].bits);
      for (unsigned k = 0; k < 4; k++)
	set (&f, TB_A64_N + k, before[TB_PSTATE].mask >> (31 - k) & 1,
	     before[TB_PSTATE].bits >> (31 - k) & 1);
      for (unsigned k = 0; k < semantics.count; k++)
	operate (&f, &semantics.uops[k]);
      wrong += f.wrong + compare (&f, after);
    }
  return wrong;
}

static void
flip (struct corpus_run_64 *run, unsigned number, unsigned *reported,
      unsigned *consistent)
{
  /* X0 to SP; not PC.  */
  struct tb_device_reg *reg = &run->f->regs[random_number (32)];
  uint64_t value = reg->value;
  size_t at = random_number ((uint32_t) run->c.halt_size);
  uint8_t byte = run->c.halt_ram[at];
  if (number % 3 != 0)
    reg->value ^= UINT64_C (1) << random_number (number % 2 ? 8 : 64);
  else
    {
      /* Where something is: what was never written proves nothing.  */
      if (run->c.nwrites != 0)
	{
	  const struct corpus_write_64 *w
	    = &run->c.writes[random_number ((uint32_t) run->c.nwrites)];
	  if (random_number (2) && w->address - run->c.ram_base < run->c.halt_size)
	    at = (size_t) (w->address - run->c.ram_base);
	  byte = run->c.halt_ram[at];
	}
      run->c.halt_ram[at] ^= (uint8_t) (1u << random_number (8));
    }
  run->f->options.assume = number % 2 ? TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS
			   : 0;
  run->f->options.window = WINDOW;
  run->f->diag.warnings = 0;
  struct tb_state *state = fake_open (run->f);
  if (CHECK (state != NULL))
    {
      bool told = run->f->diag.warnings != 0;
      *reported += told;
      *consistent += !told;
      CHECK_INT (contradictions (state, run), 0);
      tb_state_close (state);
    }
  reg->value = value;
  run->c.halt_ram[at] = byte;
}

int
main (void)
{
  static const size_t cases[] = { 1, 4, 5, 6, 8, 9 };
  unsigned reported = 0, consistent = 0;
  if (getenv ("TB_SHARED") == NULL)
    return 77;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct corpus_run_64 run;
      if (!corpus_run_open_64 (&run, &corpus_names_64[cases[i]]))
	continue;
      /* The window does not tell where the last branch went.  */
      fake_end (run.f, run.regs[32], false);
      for (unsigned n = 0; n < 16; n++)
	flip (&run, n, &reported, &consistent);
      corpus_run_close_64 (&run);
    }
  printf ("%u flips reported, %u consistent with the steps\n", reported,
	  consistent);
  CHECK (reported > 10 && consistent > 2 && compared > 1000000);
  return check_done ();
}
