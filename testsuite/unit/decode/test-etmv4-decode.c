/* Tests of the ETMv4 and ETE decoder: the scenarios, each read in pieces of
   several sizes and through saved states.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "etmv4-scenarios.h"

static void
test_scenarios (void)
{
  static const struct run_reading readings[] = {
    { 4096, false }, { 1, false }, { 2, false }, { 7, false }, { 1, true },
    { 5, true }
  };
  for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
    for (size_t j = 0; j < sizeof readings / sizeof readings[0]; j++)
      {
	const struct scenario *scenario = &scenarios[i];
	struct tb_buffer text = { 0 };
	struct run run;
	/* In memory of its own length, so that reading on would be noticed. */
	uint8_t *trace = malloc (scenario->size + 1);
	if (!CHECK (trace != NULL))
	  return;
	memcpy (trace, scenario->bytes, scenario->size);
	trace = realloc (trace, scenario->size > 0 ? scenario->size : 1);
	if (run_init (&run, &units[scenario->unit], trace, scenario->size))
	  {
	    run_decode (&run, readings[j], &text, NULL);
	    if (!CHECK_STR ((const char *) text.data, scenario->want))
	      fprintf (stderr, "%s, %zu at a time%s\n", scenario->name,
		       readings[j].capacity,
		       readings[j].save ? ", saved and restored" : "");
	  }
	run_fini (&run);
	tb_buffer_fini (&text);
	free (trace);
      }
}

/* Numbers that come with the elements.  */
static void
test_details (void)
{
  static const char bytes[] = "\x33" SYNC AT_1000 "\xf6\x08" SYNC AT_1000
			      "\xff\xf7\x95\x00\xf6";
  struct tb_element e[32];
  struct run run;
  if (!run_init (&run, &units[A57], (const uint8_t *) bytes,
		 sizeof bytes - 1))
    return;
  struct tb_decoder *d = tb_protocol_etmv4.open (&run.config, NULL);
  if (CHECK (d != NULL))
    {
      size_t n = d->read (d, e, 32);
      /* Y P R ! Y P R R R (unknown) R Z  */
      if (CHECK_INT (n, 12))
	{
	  static const uint8_t index[12]
	    = { 0, 15, 21, 22, 22, 37, 43, 43, 43, 44, 47, 48 };
	  for (size_t i = 0; i < n; i++)
	    if (!CHECK_INT (e[i].index, index[i]))
	      fprintf (stderr, "element %zu\n", i);
	  CHECK_INT (e[2].flags, TB_RANGE_CONDITIONAL);
	  CHECK_INT (e[6].flags, TB_RANGE_CONDITIONAL | TB_RANGE_EXECUTED);
	  CHECK_INT (e[9].kind, TB_ELEMENT_NO_CODE);
	  CHECK_INT (e[9].flags, TB_NO_CODE_UNKNOWN | TB_NO_CODE_SILENT);
	  CHECK_INT (e[10].kind, TB_ELEMENT_RANGE);
	  CHECK_INT (e[11].kind, TB_ELEMENT_END);
	  CHECK_INT (e[11].flags, TB_END_ADDRESS);
	  CHECK_INT (e[11].u.address, 0x1008);
	}
      CHECK_INT (d->read (d, e, 32), 0);
      CHECK_INT (d->stats.bytes, sizeof bytes - 1);
      CHECK_INT (d->stats.bad_packets, 1);
      CHECK_INT (d->stats.syncs, 2);
      CHECK_INT (d->stats.skipped, 2);
      d->close (d);
    }
  run_fini (&run);
}

static void
test_sources (void)
{
  CHECK (tb_protocol_etmv4.matches ("ETM4"));
  CHECK (tb_protocol_etmv4.matches ("ETM4.2"));
  CHECK (tb_protocol_etmv4.matches ("ETMv4.0"));
  CHECK (tb_protocol_etmv4.matches ("ETE"));
  CHECK (!tb_protocol_etmv4.matches ("ETM3.5"));
  CHECK (!tb_protocol_etmv4.matches ("PTM1.1"));

  struct run run;
  if (!run_init (&run, &units[A57], NULL, 0))
    return;
  CHECK_INT (tb_protocol_etmv4.trace_id (&run.device), 0x10);
  /* A source without a buffer cannot be decoded, nor one without an ID among
     frames.  */
  struct tb_diag diag = { 0 };
  run.config.buffer = NULL;
  CHECK (tb_protocol_etmv4.open (&run.config, &diag) == NULL);
  CHECK_INT (diag.errors, 1);
  run.config.buffer = &run.buffer;
  run.buffer.format = TB_FORMAT_CORESIGHT;
  run.device.nregs = 1;
  CHECK (tb_protocol_etmv4.open (&run.config, &diag) == NULL);
  CHECK_INT (diag.errors, 2);
  CHECK_INT (diag.warnings, 0);
  run_fini (&run);
}

/* A load that cannot have been passed by is counted each time that it was.  */
static void
test_passed_by (void)
{
  static const char bytes[] = SYNC "\x04" M_AT_300 "\xf6" M_AT_300 "\xf6" M_AT_300 "\xf6";
  struct tb_element e[32];
  struct run run;
  if (!run_init (&run, &units[M7_LOADS], (const uint8_t *) bytes, sizeof bytes - 1))
    return;
  struct tb_decoder *d = tb_protocol_etmv4.open (&run.config, NULL);
  if (CHECK (d != NULL))
    {
      while (d->read (d, e, 32) > 0)
	continue;
      CHECK_INT (d->stats.faults[TB_FAULT_NOT_TAKEN], 3);
      CHECK_INT (d->stats.places[2].address, 0x300);
      tb_decoder_close (d);
    }
  run_fini (&run);
}

int
main (void)
{
  make_code ();
  test_passed_by ();
  test_scenarios ();
  test_details ();
  test_sources ();
  return check_done ();
}
