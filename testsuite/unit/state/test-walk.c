/* State asked for step by step against the same asked for out of order.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Going from one step to the next, state computes and repeats what it has found out
   of each instruction; a step where names are kept, each 256th of a window, is
   looked up in them alone when it is not asked for behind the one before.

   Needs the environment variable TB_SHARED.  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "recording/session.h"
#include "state/state.h"

static struct tb_diag silent;

/* Compare the answers of STATE, of STEPS steps.  */
static void
compare (struct tb_state *state, uint64_t steps, const char *name)
{
  struct tb_value (*values)[TB_NREGS_MAX] = calloc (steps + 1, sizeof *values);
  unsigned different = 0, known = 0;
  if (!CHECK (values != NULL))
    return;
  for (uint64_t i = 0; i <= steps; i++)
    tb_state_registers (state, i, values[i]);
  for (uint64_t i = steps + 1; i-- > 0;)
    {
      struct tb_value alone[TB_NREGS_MAX];
      /* Others in between are left to chance.  */
      if ((steps - i) % 256 != 0 && i % 256 != 0 && i % 61 != 0)
	continue;
      tb_state_registers (state, i, alone);
      for (unsigned r = 0; r < TB_NREGS_MAX; r++)
	{
	  known += alone[r].mask != 0;
	  different += alone[r].bits != values[i][r].bits
		       || alone[r].mask != values[i][r].mask
		       || alone[r].assumed != values[i][r].assumed
		       || alone[r].origin != values[i][r].origin;
	}
    }
  if (!CHECK_INT (different, 0))
    fprintf (stderr, "%s\n", name);
  CHECK (known > steps / 61);
  free (values);
}

static void
run_case (const char *name, unsigned assume, uint64_t window)
{
  char path[512];
  struct tb_session session;
  snprintf (path, sizeof path, "%s/corpus/cases/%s", getenv ("TB_SHARED"),
	    name);
  if (!CHECK_INT (tb_session_open (&session, path, NULL, &silent), TB_OK))
    return;
  const struct tb_session_stream *stream = session.streams;
  struct tb_decoder_config config;
  struct tb_state_options options = { .core = stream->core->device,
				      .window = window, .assume = assume,
				      .functions = stream->core->functions,
				      .nfunctions = stream->core->nfunctions };
  tb_session_trace_ram (stream, &options.trace_ram,
			&options.trace_ram_length);
  tb_session_decoder_config (stream, &config);
  struct tb_recording *r = tb_recording_open_trace (&config, NULL, &silent);
  struct tb_state *s = r != NULL ? tb_state_open (r, &options, &silent) : NULL;
  if (CHECK (s != NULL)
      && CHECK (tb_state_prepare (s, 0, NULL, NULL, &silent)))
    compare (s, tb_recording_steps (r), name);
  tb_state_close (s);
  tb_recording_close (r);
  tb_session_close (&session);
}

int
main (void)
{
  static const char *const cases[] = {
    "p01-mtb-m0-irq-1k", "p02-mtb-m0-sort-4k", "p03-mtb-m0-list-256",
    "p04-mtb-m33-fsm-2k", "p05-mtb-m33-irq-16k", "p06-mtb-m0-fmt-ram",
    "p08-etm4-m33-irq", "p09-etm4-m33-fmt-rs", "p10-etm4-m7-irq",
    "p15-etm4-m33-list-gap", "p19-etm3-m3-fsm", "p20-etm3-m3-irq-ts",
    "p21-etm3-m4-irq-bb", "p17-etm4-a53t-irq", "p22-etm3-a7-list",
    "p23-ptm-a15-irq", "p25-ptm-a15-fmt-ca", "p16-etm4-a57-irq-halt",
    "p12-etm4-a57-irq-cc"
  };
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    run_case (cases[i], 0, 0);
  run_case (cases[9], 0, 3000);
  run_case (cases[15], 0, 1500);
  run_case (cases[1], TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS, 0);
  run_case (cases[4], TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS, 0);
  return check_done ();
}
