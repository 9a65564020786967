/* State of A64 code with a halt state that is not what was: bits of registers and
   RAM at the halt are flipped at random.  Either that is reported, or what is claimed
   agrees with the steps: running any of them forward from what is claimed before it
   gives what is claimed after it, and takes the way that the trace tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include "corpus-a64-run.h"
#include "replay-a64.h"

#define WINDOW 1500		/* Steps that are looked at.  */

static uint64_t seed = 20261121;

static uint32_t
random_number (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005)
	 + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

static uint64_t compared;	/* Claims, so far.  */

/* How many claims contradict each other.  */
static unsigned
contradictions (struct tb_state *state, const struct corpus_run_64 *run)
{
  struct replay_a64 w;
  memset (&w, 0, sizeof w);
  w.r = (struct replay) { .state = state, .recording = run->f, .loud = true };
  replay_steps_a64 (&w, run->count > WINDOW ? run->count - WINDOW : 0,
		    run->count);
  compared += w.r.compared;
  return w.r.wrong;
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
    return check_skip ("TB_SHARED is not set");
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
