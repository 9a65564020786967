/* The state of logs of random programs: what is claimed must be what was, and no less of
   it than there was.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The log of a program has its instructions, accesses and what they change; what the
   registers held before anybody told is to be worked out.  Some logs leave out a stretch
   of instructions, which their serial numbers show.  */

#include "config.h"

#include <stdarg.h>

#include "random-program.h"
#include "recording/session-log.h"
#include "rounds.h"
#include "snapshot-tree.h"
#include "state/state.h"

#define TEXT_MOST (1u << 18)

/* What the programs make is a log, so that they need no more of a recording than what ran
   and the exceptions.  */
static struct tb_profile cortex_m;
static struct tb_step ran[STEPS + 64];
static bool taken[STEPS + 64];	/* An exception, behind this many steps.  */
static struct tb_event event;
static struct tb_recording made;

struct tb_recording *
fake_new (enum tb_arch arch)
{
  memset (taken, 0, sizeof taken);
  made = (struct tb_recording) { .profile = cortex_m };
  made.profile.arch = arch;
  return &made;
}

void
fake_raw_step (struct tb_recording *f, uint64_t pc, uint32_t opcode, unsigned size,
	       unsigned flags)
{
  ran[f->info.steps++] = (struct tb_step) { .pc = pc, .opcode = opcode,
					    .size = (uint8_t) size,
					    .flags = (uint8_t) flags };
}

struct tb_event *
fake_event (struct tb_recording *f, enum tb_event_kind kind, uint64_t address)
{
  event.address = address;
  taken[f->info.steps] |= kind == TB_EVENT_EXCEPTION;
  return &event;
}

void
fake_dump_items (struct tb_recording *f, uint64_t address, const void *data, size_t item,
		 uint64_t length)
{
  (void) f, (void) address, (void) data, (void) item, (void) length;
}

void
fake_end (struct tb_recording *f, uint64_t pc, bool halted)
{
  f->info.end_known = halted;
  f->info.end_pc = pc;
}

void
fake_reg (struct tb_recording *f, const char *name, uint64_t value)
{
  (void) f, (void) name, (void) value;
}

/* A log as it is written.  */
struct text
{
  struct world *world;
  uint64_t step;		/* Whose lines are written.  */
  size_t length;
  char bytes[TEXT_MOST];
};

static void __attribute__ ((format (printf, 2, 3)))
put (struct text *t, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  int n = vsnprintf (t->bytes + t->length, TEXT_MOST - t->length, format, args);
  va_end (args);
  t->length += (unsigned) n;
  if (t->length >= TEXT_MOST)
    exit (99);
}

static uint32_t
note_load (void *context, uint32_t address, unsigned size)
{
  struct text *t = context;
  uint32_t value
    = address < sizeof t->world->flash
      ? (uint32_t) TARGET_LOAD (t->world->flash, address, size)
      : (uint32_t) TARGET_LOAD (t->world->truth_ram[t->step],
				address - FAKE_RAM, size);
  put (t, "%u ns MNR%u___D %08x %0*x\n", (unsigned) t->step, size, address,
       (int) (2 * size), value);
  return value;
}

static void
note_store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct text *t = context;
  put (t, "%u ns MNW%u___D %08x %0*x\n", (unsigned) t->step, size, address,
       (int) (2 * size), size == 4 ? value : value & ((1u << 8 * size) - 1));
}

/* MSP, or PSP.  */
static uint32_t
stack_of (const uint32_t *p, bool process)
{
  return p[TB_SLOT_SPSEL] == process ? p[TB_SLOT_SP] : p[TB_SLOT_SP_OTHER];
}

/* Lines of what is other in NOW than in OLD, and of the flags where they were SET.  */
static void
put_changes (struct text *t, const uint32_t *old, const uint32_t *now, bool set)
{
  unsigned at = (unsigned) t->step;
  for (unsigned i = 0; i < 13; i++)
    if (old[i] != now[i])
      put (t, "%u ns R r%u %08x\n", at, i, now[i]);
  for (unsigned process = 0; process < 2; process++)
    if (stack_of (old, process) != stack_of (now, process))
      put (t, "%u ns R %s %08x\n", at, process ? "PSP" : "MSP",
	   stack_of (now, process));
  if (old[TB_SLOT_LR] != now[TB_SLOT_LR])
    put (t, "%u ns R r14 %08x\n", at, now[TB_SLOT_LR]);
  if (set || psr_of (old, 0) != psr_of (now, 0))
    put (t, "%u ns R xPSR %08x\n", at, psr_of (now, 0));
  if (old[TB_SLOT_SPSEL] != now[TB_SLOT_SPSEL])
    put (t, "%u ns R CONTROL %08x\n", at, now[TB_SLOT_SPSEL] << 1);
}

/* Lines of the exception before the step behind the one at hand: what it stacks.  */
static void
put_exception (struct text *t)
{
  const uint32_t *now = t->world->truth[t->step + 1];
  unsigned at = (unsigned) t->step;
  uint32_t frame = now[TB_SLOT_LR] == 0xfffffffd ? stack_of (now, true)
						  : stack_of (now, false);
  const uint32_t *words = t->world->truth_ram[t->step + 1];
  put (t, "%u ns E 00000000 00000010 CoreEvent_Exception\n", at);
  for (unsigned i = 0; i < 8; i++)
    {
      uint32_t word = words[(frame - FAKE_RAM) / 4 + i];
      put (t, "%u ns MNW4___D %08x %08x\n", at, frame + 4 * i, word);
    }
}

/* The registers after step T->step alone, without what comes before the next one.  */
static void
put_step (struct text *t, uint64_t serial)
{
  struct world *w = t->world;
  const struct tb_step step = ran[t->step];
  struct tb_semantics s;
  struct tb_semantics_result result;
  struct tb_forward_memory memory = { note_load, note_store, t };
  uint32_t p[TB_NPLACES] = { 0 };
  const uint32_t *old = w->truth[t->step], *now = w->truth[t->step + 1];
  bool failed = step.opcode >> 12 == 13 && !(step.flags & TB_STEP_TAKEN);
  put (t, "%u ns %s (%u) %08x %04x T16 X\n", (unsigned) t->step, failed ? "IS" : "IT",
       (unsigned) serial, (unsigned) step.pc, step.opcode);
  if (t->step == 0)
    put (t, "0 ns R MSP %08x\n0 ns R PSP %08x\n0 ns R CONTROL %08x\n"
	 "0 ns R xPSR %08x\n", stack_of (now, false), stack_of (now, true),
	 now[TB_SLOT_SPSEL] << 1, psr_of (now, 0));
  memcpy (p, old, sizeof w->truth[0]);
  tb_semantics_t32 (&s, step.opcode, 2, (uint32_t) step.pc, &w->f->profile);
  run_32 (&s, p, &memory, &result);
  if (taken[t->step + 1])
    {
      /* What the instruction did, and then what the exception did.  */
      put_changes (t, old, p, random_number (2));
      put_exception (t);
      put_changes (t, p, now, true);
    }
  else
    put_changes (t, old, now, random_number (2));
}

/* Write the log of W, without the LEFT_OUT steps from number GAP on.  */
static void
write_log (struct text *t, struct world *w, uint64_t gap, uint64_t left_out)
{
  t->world = w;
  t->length = 0;
  for (t->step = 0; t->step < w->steps; t->step++)
    if (t->step < gap || t->step >= gap + left_out)
      put_step (t, t->step + 1);
}

/* How many values of LOG's state are not as W's truth, which has LEFT_OUT steps more from
   number GAP on; *KNOWN: how many there are.  */
static unsigned
compare (struct world *w, struct tb_state *state, uint64_t steps, uint64_t gap,
	 uint64_t left_out, unsigned *known)
{
  unsigned wrong = 0;
  for (uint64_t i = 0; i < steps; i++)
    {
      struct tb_value v[TB_NREGS_MAX];
      uint8_t bytes[4 * RAM_WORDS], origins[4 * RAM_WORDS];
      uint64_t at = i < gap ? i : i + left_out;
      const uint32_t *t = w->truth[at];
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r < 15; r++)
	{
	  wrong += v[r].bits != (t[r] & v[r].mask);
	  *known += v[r].mask == UINT32_MAX;
	}
      wrong += v[TB_PSR].bits != (psr_of (t, 0) & v[TB_PSR].mask);
      wrong += v[TB_MSP].bits != (stack_of (t, false) & v[TB_MSP].mask);
      wrong += v[TB_PSP].bits != (stack_of (t, true) & v[TB_PSP].mask);
      *known += (unsigned) __builtin_popcount ((uint32_t) v[TB_PSR].mask >> 28)
		+ (v[TB_MSP].mask == UINT32_MAX) + (v[TB_PSP].mask == UINT32_MAX);
      tb_state_memory (state, i, FAKE_RAM, bytes, origins, sizeof bytes);
      for (unsigned b = 0; b < sizeof bytes; b++)
	if (origins[b] != TB_UNKNOWN)
	  {
	    wrong += bytes[b] != TARGET_LOAD (w->truth_ram[at], b, 1);
	    *known += 1;
	  }
    }
  return wrong;
}

/* One program.  HOW: 0 its log, 1 with a stretch left out, 2 in small windows.  */
static void
test_one (unsigned i, unsigned how, unsigned *steps, unsigned *known, unsigned *warnings)
{
  static struct world w;
  static struct text text;
  static struct tree tree;
  struct tb_session session;
  struct tb_decoder_config config;
  seed = 5000 + i;
  make (&w);
  uint64_t gap = how == 1 ? 1 + random_number ((uint32_t) w.steps - 1) : w.steps;
  uint64_t left_out = how == 1 ? 1 + random_number (6) : 0;
  if (gap + left_out > w.steps)
    left_out = w.steps - gap;
  write_log (&text, &w, gap, left_out);
  tree_forget (&tree);
  tree_write (&tree, "log", text.bytes);
  if (!CHECK (tb_session_open (&session, tree_path (&tree, "log"), NULL, &tree.diag)
	      == TB_OK))
    return;
  tb_session_decoder_config (&session.streams[0], &config);
  struct tb_recording *recording
    = tb_recording_open_trace (&config, NULL, &tree.diag);
  struct tb_state_options options = { .window = how == 2 ? 1 + random_number (60) : 0 };
  struct tb_state *state = tb_state_open (recording, &options, &tree.diag);
  CHECK (tb_state_prepare (state, 0, NULL, NULL, &tree.diag));
  CHECK_INT (tb_recording_steps (recording), w.steps - left_out);
  if (!CHECK_INT (compare (&w, state, w.steps - left_out, gap, left_out, known), 0))
    fprintf (stderr, "program %u, %u\n", i, how);
  *warnings += *tree.said != '\0';
  if (*tree.said != '\0')
    fprintf (stderr, "program %u, %u: %s", i, how, tree.said);
  *steps += (unsigned) w.steps;
  tb_state_close (state);
  tb_recording_close (recording);
  tb_session_close (&session);
}

int
main (void)
{
  tb_profile_find (&cortex_m, "Cortex-M0");
  /* More may be known one day; less is a loss.  */
  static const unsigned least[] = { 1520606, 1111037, 1520081 };
  const unsigned programs = rounds_of (60);
  for (unsigned how = 0; how < 3; how++)
    {
      unsigned steps = 0, known = 0, warnings = 0;
      for (unsigned i = 0; i < programs; i++)
	test_one (i, how, &steps, &known, &warnings);
      printf ("%u steps, %u known values, %u logs with warnings\n", steps, known,
	      warnings);
      CHECK (programs < 60 || known >= least[how]);
      CHECK_INT (warnings, 0);
    }
  return check_done ();
}
