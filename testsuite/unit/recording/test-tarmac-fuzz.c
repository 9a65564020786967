/* Tarmac logs with errors: no line may crash the reader, read beyond the line or make it
   slow, and what is answered stays in its bounds.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "recording/facts.h"
#include "recording/session-log.h"
#include "recording/visits.h"
#include "snapshot-tree.h"
#include "state/state.h"

#define ROUNDS 400
#define LINES 300

static struct tree tree;
static uint64_t seed = 1;

static uint32_t
rnd (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

/* Lines of all kinds, with N, A and V for numbers, addresses and values.  */
static const char *const kinds[] = {
  "N ns IT (A:N) A 2900 T16 CMP", "N ns IS (A:N) A f44f7180 T32 MOV",
  "N ns IA (A:N) A V X B", "N ns IE (A:N) A ---- X", "N ns IT (N) A f44f 7180 T32",
  "N ns R r0 V", "N ns R MSP V", "N ns R PSP V", "N ns R xPSR V",
  "N ns R (A:N) r1 V", "N ns R CONTROL V", "N ns E SysTick", "N ns E Reset",
  "N ns MNW4___D A V", "N ns MNR1___D A V", "N ns MNR4___A A V",
  "N ns MNW4___D (A:N) A V", "N ns BNR4O__I A V", "N ns BNW8___S A V",
  "N clk cpu0 IT (N) A:A_NS V O EL1h_n : NOP", "N clk cpu1 IT (N) A V A svc_s : NOP",
  "N clk cpu0 R X1 V:V", "N clk cpu1 R r13_irq V", "N clk cpu0 R Q0 V_V_V_V",
  "N clk cpu0 R V1<127:64> V", "N clk cpu0 MR8 A:A V_V", "N clk cpu0 MW16 A V_V_V_V",
  "N clk cpu0 MR4X A V", "N clk cpu0 MR4 A (ABORTED)", "N clk cpu0 MW3 A V",
  "N clk cpu0 E A V CoreEvent_X", "N clk cpu0 CACHE LINE", "free text",
  "N clk cpu0 TB log 1", "N clk cpu0 TB core Cortex-M3", "N clk cpu0 TB gap",
  "N clk cpu0 TB step A T", "N clk cpu0 TB end A", "N clk cpu0 TB r2 ?",
  "N clk cpu0 TB X2 V V", "N clk cpu0 TB memory ?", "N clk cpu0 TB memory A 4 V",
  "N clk cpu0 TB read A 8", "N clk cpu0 TB write A 3", "N clk cpu0 TB nonsense",
  "N ns R r0 V N ns R r1 V", "N ns R (A:N) r2 xxxxxxxx", ""
};

/* A line into TEXT, with room for 400 bytes.  */
static size_t
make_line (char *text)
{
  static const uint32_t places[] = { 0x20000000, 0x40000000, 0x100, 0xfffffff8 };
  const char *kind = kinds[rnd (sizeof kinds / sizeof kinds[0])];
  char *p = text;
  for (; *kind != 0; kind++)
    switch (*kind)
      {
      case 'N':
	/* In "MNW4" and "CONTROL" it is a letter.  */
	if (kind[1] == ' ' || kind[1] == ')')
	  p += sprintf (p, "%u", rnd (200));
	else
	  *p++ = *kind;
	break;
      case 'A':
	if (kind[1] == ' ' || kind[1] == ':' || kind[1] == '_' || kind[1] == 0)
	  p += sprintf (p, "%08x", places[rnd (4)] + rnd (24));
	else
	  *p++ = *kind;
	break;
      case 'V':
	if (kind[1] != '1')
	  p += sprintf (p, "%08x", rnd (4) == 0 ? rnd (UINT32_MAX) : rnd (4));
	else
	  *p++ = *kind;
	break;
      default:
	*p++ = *kind;
      }
  /* Now and then a character is another one, or the line shorter.  */
  size_t n = (size_t) (p - text);
  if (n > 0 && rnd (8) == 0)
    text[rnd ((uint32_t) n)] = (char) (1 + rnd (255));
  if (n > 0 && rnd (16) == 0)
    n = rnd ((uint32_t) n);
  text[n++] = '\n';
  return n;
}

/* Ask about everything that STREAM has.  */
static void
ask (const struct tb_session_stream *stream)
{
  static const struct tb_state_options options;
  struct tb_decoder_config config;
  tb_session_decoder_config (stream, &config);
  struct tb_recording *r = tb_recording_open_trace (&config, NULL, NULL);
  struct tb_state *state = tb_state_open (r, &options, NULL);
  uint64_t all = tb_recording_steps (r);
  for (uint64_t step = 0; step <= all; step++)
    {
      struct tb_value values[TB_NREGS_MAX];
      struct tb_access_info accesses[8];
      struct tb_step one;
      uint8_t bytes[64], origins[64];
      uint64_t time;
      tb_state_registers (state, step, values);
      tb_state_memory (state, step, 0x20000000 - 8, bytes, origins, 64);
      tb_state_memory (state, step, UINT64_C (0xfffffffffffffff8), bytes,
		       origins, 16);
      CHECK_INT (origins[15], TB_UNKNOWN);
      tb_state_accesses (state, step, accesses, 8);
      tb_recording_timestamp (r, step, &time);
      CHECK_INT (tb_recording_read (r, step, &one, 1), step < all);
    }
  /* A search meets every step of an address.  */
  struct tb_visits *visits = tb_visits_new (r);
  struct tb_step first;
  if (all > 0 && tb_recording_read (r, 0, &first, 1) == 1)
    {
      const struct tb_visit_range range = { first.pc, first.pc };
      const struct tb_visit_query query = { &range, 1, false };
      uint64_t found = 0;
      CHECK_INT (tb_visits_next (visits, &query, 0, all, &found),
		 TB_SEARCH_FOUND);
      CHECK_INT (found, 0);
    }
  tb_visits_free (visits);
  struct tb_decoder *d = tb_decoder_open (&config, NULL);
  struct tb_element e;
  uint64_t instructions = 0;
  while (d->read (d, &e, 1) > 0)
    if (e.kind == TB_ELEMENT_RANGE)
      instructions += e.u.range.count;
  CHECK_INT (instructions, all);
  tb_decoder_close (d);
  tb_state_close (state);
  tb_recording_close (r);
}

int
main (void)
{
  static char text[LINES * 400];
  tree_make (&tree);
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      struct tb_session session;
      size_t n = 0;
      uint64_t at = seed;
      unsigned failed = check_failures;
      /* What makes it a log.  */
      n += (size_t) sprintf (text, "1 ns IT (1) 00000100 2001 T16 MOV\n");
      for (unsigned i = rnd (LINES); i > 0; i--)
	n += make_line (text + n);
      tree_write_bytes (&tree, "log", text, n);
      tree_forget (&tree);
      if (tb_session_open (&session, tree_path (&tree, "log"), NULL,
			   &tree.diag) != TB_OK)
	continue;
      for (size_t i = 0; i < session.nstreams; i++)
	ask (&session.streams[i]);
      tb_session_close (&session);
      if (check_failures != failed)
	{
	  fprintf (stderr, "  in the round that begins with seed %" PRIu64 "\n",
		   at);
	  break;
	}
    }
  tree_remove (&tree);
  return check_done ();
}
