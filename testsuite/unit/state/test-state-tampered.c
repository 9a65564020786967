/* State of real snapshots whose registers and RAM at the halt were tampered with:
   what is claimed must fit the steps, in every tier and in windows, whether or not
   that was found out.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Needs the environment variable TB_SHARED.  TB_FLIPS=N flips N times in each of all
   cases of the corpus, TB_SEED=N begins with another seed, TB_CASE=NAME is one case
   alone; what went wrong is printed with its seed.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "recording/session.h"
#include "replay-a64.h"
#include "rounds.h"

/* Steps that are replayed, of a longer trace at its end and at random.  */
#define STEPS_MOST 1500

static uint64_t seed;

static uint32_t
random_number (uint32_t below)
{
  seed = seed * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (uint32_t) (seed >> 33) % below;
}

/* What was flipped, to be flipped back.  */
struct flips
{
  struct tb_device_reg *regs[8];
  uint64_t bits[8];
  uint8_t *bytes[8];
  uint8_t masks[8];
  unsigned nregs, nbytes;
};

static void
flip_back (struct flips *f)
{
  for (unsigned i = f->nregs; i-- > 0;)
    f->regs[i]->value ^= f->bits[i];
  for (unsigned i = f->nbytes; i-- > 0;)
    *f->bytes[i] ^= f->masks[i];
  f->nregs = f->nbytes = 0;
}

static void
flip_register (struct flips *f, const struct tb_device *device, bool wide)
{
  const struct tb_device_reg *reg
    = &device->regs[random_number ((uint32_t) device->nregs)];
  if (strcasecmp (reg->name, "pc") == 0)
    return;
  f->regs[f->nregs] = (struct tb_device_reg *) reg;
  f->bits[f->nregs] = UINT64_C (1) << random_number (wide ? 64 : 32);
  /* An xPSR has few bits that count.  */
  if (strcasecmp (reg->name, "xpsr") == 0 || strcasecmp (reg->name, "cpsr") == 0)
    f->bits[f->nregs] = UINT64_C (1) << (28 + random_number (4));
  f->regs[f->nregs]->value ^= f->bits[f->nregs];
  f->nregs++;
}

/* Where something is known to be stored or loaded, or near, or anywhere.  */
static uint64_t
some_address (struct tb_state *honest, uint64_t total,
	      const struct tb_dump *dump)
{
  struct tb_access_info a[REPLAY_STORES];
  for (unsigned tries = 0; tries < 20 && random_number (8) != 0; tries++)
    {
      uint64_t step = total - 1 - random_number ((uint32_t) total);
      size_t n = tb_state_accesses (honest, step, a, REPLAY_STORES);
      if (n != 0 && n <= REPLAY_STORES && a[n - 1].address_known
	  && a[n - 1].address - dump->address < dump->length)
	return a[n - 1].address + random_number (a[n - 1].length);
    }
  return dump->address + random_number ((uint32_t) dump->length);
}

static void
flip_memory (struct flips *f, const struct tb_device *device,
	     struct tb_state *honest, uint64_t total)
{
  const struct tb_dump *dump
    = &device->dumps[random_number ((uint32_t) device->ndumps)];
  /* Not the code.  */
  if (strstr (dump->name, "flash") != NULL || dump->address < 0x20000000)
    return;
  uint64_t at = some_address (honest, total, dump) - dump->address;
  f->bytes[f->nbytes] = (uint8_t *) dump->data + at;
  f->masks[f->nbytes] = (uint8_t) (1u << random_number (8));
  /* Files are mapped, privately.  */
  uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  uintptr_t there = (uintptr_t) f->bytes[f->nbytes] & ~(page - 1);
  mprotect ((void *) there, page, PROT_READ | PROT_WRITE);
  *f->bytes[f->nbytes] ^= f->masks[f->nbytes];
  f->nbytes++;
}

struct tally
{
  unsigned runs, reported, wrong;
  uint64_t compared;
};

static unsigned
count_wrong (struct tb_state *state, struct tb_recording *recording,
	     uint64_t first, uint64_t end, bool prepared, uint64_t *compared)
{
  struct replay_a64 w;
  memset (&w, 0, sizeof w);
  w.r = (struct replay) { .state = state, .recording = recording,
			  .loud = true, .sweep = true, .again = !prepared };
  if (tb_recording_profile (recording)->has_a64)
    replay_steps_a64 (&w, first, end);
  else
    replay_steps (&w.r, first, end);
  *compared += w.r.compared;
  return w.r.wrong;
}

/* Work out and replay with OPTIONS.  */
static void
run (struct tb_recording *recording, struct tb_state_options *options,
     const char *name, uint64_t begun, struct tally *tally)
{
  uint64_t total = tb_recording_steps (recording);
  struct tb_diag diag = { 0 };
  struct tb_state *state = tb_state_open (recording, options, &diag);
  if (!CHECK (state != NULL))
    return;
  /* Windows as they are asked for, or all first.  */
  bool prepared = options->window == 0 || random_number (2);
  if (prepared)
    tb_state_prepare (state, 0, NULL, NULL, &diag);
  uint64_t most = options->window != 0 && !prepared ? total : STEPS_MOST;
  uint64_t first = total > most
		   ? random_number (2) ? total - most
		     : random_number ((uint32_t) (total - most))
		   : 0;
  unsigned wrong = count_wrong (state, recording, first, first + most,
				prepared, &tally->compared);
  tally->runs++;
  tally->reported += diag.warnings != 0;
  tally->wrong += wrong != 0;
  if (!CHECK_INT (wrong, 0))
    fprintf (stderr, "%s: TB_SEED=%" PRIu64 " assume %u window %" PRIu64
	     "%s, from step %" PRIu64 "\n", name, begun, options->assume,
	     options->window, prepared ? "" : " not prepared", first);
  tb_state_close (state);
}

static void
tamper (struct tb_session *session, const struct tb_session_stream *stream,
	const char *name, unsigned times, struct tally *tally)
{
  struct tb_decoder *decoder = tb_session_decoder (session, stream, NULL);
  struct tb_recording *recording
    = decoder != NULL
      ? tb_recording_open (decoder, &stream->core->profile, stream->core->map,
			   NULL)
      : NULL;
  const struct tb_session_core *core = stream->core;
  if (recording == NULL || tb_recording_steps (recording) == 0)
    {
      tb_recording_close (recording);
      return;
    }
  uint64_t total = tb_recording_steps (recording);
  bool wide = core->profile.has_a64;
  struct tb_state_options options
    = { .core = core->device, .initial = core->initial,
	.ninitial = core->ninitial, .functions = core->functions,
	.nfunctions = core->nfunctions, .objects = core->objects,
	.nobjects = core->nobjects, .volatiles = &core->volatiles,
	.privates = &core->privates,
	.shared = tb_session_shared (session, core, NULL) };
  tb_session_trace_ram (stream, &options.trace_ram,
			&options.trace_ram_length);
  struct tb_state *honest = tb_state_open (recording, &options, NULL);
  for (unsigned n = 0; n < times && CHECK (honest != NULL); n++)
    {
      uint64_t begun = seed;
      struct flips flips = { .nregs = 0 };
      unsigned bits = 1u << random_number (3);
      for (unsigned i = 0; i < bits; i++)
	if (random_number (2))
	  flip_register (&flips, core->device, wide);
	else
	  flip_memory (&flips, core->device, honest, total);
      options.assume = random_number (2)
		       ? TB_ASSUME_AAPCS | TB_ASSUME_CONSTANTS
			 | (random_number (2) ? TB_ASSUME_FRAMES : 0)
			 | (random_number (2) ? TB_ASSUME_OBJECTS : 0)
			 | (random_number (4) == 0 ? TB_ASSUME_HALT : 0) : 0;
      options.window = random_number (2) ? 0 : 64 + random_number (640);
      run (recording, &options, name, begun, tally);
      flip_back (&flips);
    }
  tb_state_close (honest);
  tb_recording_close (recording);
}

static void
tamper_case (const char *name, unsigned times, struct tally *tally)
{
  char path[512];
  struct tb_session session;
  snprintf (path, sizeof path, "%s/corpus/cases/%s", getenv ("TB_SHARED"),
	    name);
  if (!CHECK (tb_session_open (&session, path, NULL, NULL) == TB_OK))
    return;
  for (size_t i = 0; i < session.nstreams; i++)
    if (session.streams[i].core->device != NULL
	&& session.streams[i].protocol != NULL)
      tamper (&session, &session.streams[i], name, times, tally);
  tb_session_close (&session);
}

static int
is_case (const struct dirent *entry)
{
  /* Tarmac logs say all themselves.  */
  return entry->d_name[0] == 'p' && strstr (entry->d_name, "tarmac") == NULL;
}

int
main (void)
{
  static const char *const few[] = {
    "p01-mtb-m0-irq-1k", "p04-mtb-m33-fsm-2k", "p22-etm3-a7-list",
    "p16-etm4-a57-irq-halt"
  };
  const char *flips = getenv ("TB_FLIPS"), *only = getenv ("TB_CASE");
  const char *begin = getenv ("TB_SEED");
  struct tally tally = { 0 };
  char all[512];
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  seed = begin != NULL ? strtoull (begin, NULL, 10) : 20261122;
  unsigned times = flips != NULL ? (unsigned) atoi (flips) : rounds_of (3);
  snprintf (all, sizeof all, "%s/corpus/cases", getenv ("TB_SHARED"));
  struct dirent **names;
  int n = flips == NULL || only != NULL ? 0
	  : scandir (all, &names, is_case, alphasort);
  for (int i = 0; i < n; i++)
    tamper_case (names[i]->d_name, times, &tally);
  if (only != NULL)
    tamper_case (only, times, &tally);
  for (size_t i = 0; flips == NULL && only == NULL
		     && i < sizeof few / sizeof few[0]; i++)
    tamper_case (few[i], times, &tally);
  printf ("%u runs, %u reported, %u wrong; %" PRIu64 " claims compared\n",
	  tally.runs, tally.reported, tally.wrong, tally.compared);
  CHECK (tally.compared > 10000);
  return check_done ();
}
