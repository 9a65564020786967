/* What full data trace of a case of the corpus cannot tell.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: data-bound CASE FOLDER

   FOLDER is what data-case made of CASE, its truth.bin packed anew.  Printed is a line for
   each step of the trace: a mask of the registers before it (r0 to r12, sp, lr; bit 15: a
   flag) that nobody can know of this trace, even with each address and value of it.  The
   proof is another run: a stretch of the trace, or a handler of the M profile (whose
   architecture leaves r0 to r3, r12 and flags UNKNOWN where it begins), begins with another
   value in a register or flag, and runs the same instructions, whose conditions, branches,
   addresses and values, loaded and stored, are all the same, from there to the stretch's
   end; where it differs from the truth nothing tells the two apart.  Runs that cannot be
   followed for certain prove nothing, and where the halt is behind the trace the registers
   must be the same there.  So what is not in a mask may be known or not.  */

#include "config.h"

#include "generator/case-run.h"
#include "run-32.h"

/* r0 to r12, SP, LR: bits of their places; the flags.  */
#define REGISTERS UINT32_C (0x7fff)
/* r4 to r11: no frame of an exception has them.  */
#define KEPT_BY_CALLEE UINT32_C (0x0ff0)
#define OF_MODE (TB_SLOT_BIT (TB_SLOT_SP) | TB_SLOT_BIT (TB_SLOT_LR))
#define OF_FIQ UINT32_C (0x1f00)
/* r0 to r3, r12 and flags: what an exception leaves of them is UNKNOWN.  */
#define LOST_BY_ENTRY (UINT32_C (0x100f) | TB_SLOTS_NZCV)
#define TAKES_PART (REGISTERS | TB_SLOTS_NZCV)
#define FLAG 15

#define NPLACES (TB_SLOT_V + 1)

/* Other values of a register: one bit is other, or it is one of these more or less.  */
#define BITS 32
static const uint32_t others[] = { 1, UINT32_MAX, 4, (uint32_t) -4, 8, 0x01010101, 0x12345678 };
#define VALUES (BITS + sizeof others / sizeof others[0])

/* What is known of a step of the trace.  */
struct step
{
  const struct corpus_step *s;
  size_t index;			/* In the truth.  */
  size_t first;			/* Of ACCESSES.  */
  unsigned count;
  bool begins, ends;		/* A stretch.  */
  bool followed;		/* Run on the truth it gives the truth's next registers.  */
  uint32_t touches;		/* Places that it reads or may write.  */
  uint32_t banks;		/* Modes of which it names registers.  */
};

struct bound
{
  struct case_run run;
  struct step *steps;
  size_t nsteps;
  struct case_access *accesses;
  size_t naccesses, room;
  uint32_t *unknowable;		/* Of each step: places.  */
  uint32_t *differing;		/* The same, of the run that is tried.  */
  /* Of the instruction that is run.  */
  const struct step *at;
  unsigned done;
  bool same;			/* It did what the truth did.  */
};

static uint32_t
mask_of (unsigned size)
{
  return size < 4 ? (UINT32_C (1) << 8 * size) - 1 : UINT32_MAX;
}

/* The next access of the instruction, if it is at ADDRESS.  */
static const struct case_access *
next_access (struct bound *b, uint32_t address, unsigned size, bool store)
{
  const struct case_access *a = &b->accesses[b->at->first + b->done];
  if (b->done++ < b->at->count && a->address == address && a->size == size
      && a->is_store == store && a->known)
    return a;
  b->same = false;
  return NULL;
}

static uint32_t
load (void *context, uint32_t address, unsigned size)
{
  const struct case_access *a = next_access (context, address, size, false);
  return a != NULL ? a->value & mask_of (size) : 0;
}

static void
store (void *context, uint32_t address, unsigned size, uint32_t value)
{
  struct bound *b = context;
  const struct case_access *a = next_access (b, address, size, true);
  if (a != NULL && ((a->value ^ value) & mask_of (size)) != 0)
    b->same = false;
}

static bool
describe (const struct bound *b, const struct corpus_step *s, struct tb_semantics *semantics)
{
  const struct tb_profile *profile = &b->run.profile;
  uint8_t it = (uint8_t) ((s->psr >> 8 & 0xfc) | (s->psr >> 25 & 3));
  if (case_is_thumb (&b->run, s))
    tb_semantics_t32_it (semantics, s->opcode, s->length, s->pc, tb_it_condition (it), profile);
  else
    tb_semantics_a32 (semantics, s->opcode, s->pc, profile);
  return semantics->modelled;
}

/* Run AT on PLACES.  Returns whether it does what it did, as far as RESULT does not
   tell.  */
static bool
run_at (struct bound *b, const struct step *at, uint32_t *places,
	struct tb_semantics_result *result)
{
  struct tb_semantics semantics;
  struct tb_forward_memory memory = { load, store, b };
  if (!describe (b, at->s, &semantics))
    return false;
  b->at = at;
  b->done = 0;
  b->same = true;
  run_32 (&semantics, places, &memory, result);
  return b->same && b->done == at->count && !result->banked;
}

static bool
same_result (const struct tb_semantics_result *x, const struct tb_semantics_result *y)
{
  return x->conditional == y->conditional && x->taken == y->taken && x->skipped == y->skipped
	 && x->indirect == y->indirect && (!x->indirect || x->target == y->target);
}

/* The places of both that differ.  */
static uint32_t
difference (const uint32_t *x, const uint32_t *y)
{
  uint32_t mask = 0;
  for (unsigned i = 0; i < TB_NSLOTS; i++)
    if (x[i] != y[i])
      mask |= TB_SLOT_BIT (i);
  return mask;
}

/* Does an exception follow AT, or is AT a return from one?  */
static bool
leaves (const struct step *at)
{
  return !at->ends && (at->s->flags & CORPUS_RETURN || at[1].s->flags & CORPUS_EXCEPTION);
}

/* The bit of MODE; user and system mode have the same registers.  */
static uint32_t
mode_bit (uint32_t mode)
{
  return UINT32_C (1) << (mode == TB_MODE_USR ? TB_MODE_SYS : mode & 31);
}

/* Look what AT touches.  That modes have registers for themselves is no matter of one instruction
   (pass_modes).  */
static void
look_effect (const struct bound *b, struct step *at)
{
  struct tb_semantics semantics;
  struct tb_semantics_effect effect;
  at->touches = at->banks = UINT32_MAX;
  if (!describe (b, at->s, &semantics))
    return;
  at->touches = at->banks = 0;
  for (unsigned i = 0; i < semantics.count; i++)
    {
      struct tb_uop *u = &semantics.uops[i];
      if (u->op == TB_OP_READ_BANKED || u->op == TB_OP_WRITE_BANKED)
	{
	  at->banks |= mode_bit (TB_SYS_REG_MODE ((uint32_t) u->imm));
	  at->touches |= TB_SLOT_BIT (TB_SYS_REG_R ((uint32_t) u->imm));
	}
      if (u->op == TB_OP_WRITE_BANKED || u->op == TB_OP_MODE)
	u->dst = TB_PLACE_NONE;
      if (u->op == TB_OP_READ_BANKED || u->op == TB_OP_WRITE_BANKED || u->op == TB_OP_MODE)
	u->op = TB_OP_MOV;
    }
  tb_semantics_effect (semantics.uops, semantics.count, false, &effect);
  at->touches |= (uint32_t) (effect.reads | effect.may_write | effect.writes);
}

/* Look what AT touches, and whether running it gives what the truth has behind it.  */
static void
look (struct bound *b, struct step *at)
{
  struct tb_semantics_result result;
  uint32_t places[TB_PLACE_END], next[TB_PLACE_END];
  look_effect (b, at);
  case_places (&b->run, at->s, places);
  if (!run_at (b, at, places, &result))
    return;
  /* What is behind the last one, the truth may not have; nothing is told of it.  */
  at->followed = at->index + 1 >= b->run.c.nsteps || leaves (at);
  if (!at->followed)
    {
      case_places (&b->run, at->s + 1, next);
      at->followed = (difference (places, next) & TAKES_PART) == 0;
    }
}

/* The run that is tried, and what differs from the truth.  */
struct twin
{
  uint32_t places[TB_PLACE_END];
  uint32_t differ;		/* Places.  */
  /* A and R profile: that of them which the mode HOME has, while in one that has others.  */
  uint32_t home, hidden, of_home[NPLACES];
};

static uint32_t
mode_of (const struct bound *b, const struct step *at)
{
  uint32_t mode = b->run.profile.is_m ? 0 : at->s->psr & 31;
  return mode == TB_MODE_USR ? TB_MODE_SYS : mode;
}

/* The M profile takes an exception, or returns from one, behind AT.  False: the run proves
   nothing.  */
static bool
pass_frame (const struct step *at, struct twin *t)
{
  bool unstacks = at->s->flags & CORPUS_RETURN
		  && !(at[1].s->flags & (CORPUS_TAIL_CHAIN | CORPUS_EXCEPTION));
  /* What the frame has is loaded from it, and its values are told.  */
  if (unstacks && (t->differ & TB_SLOT_BIT (TB_SLOT_SP)) == 0)
    t->differ &= KEPT_BY_CALLEE;
  return (t->differ & ~KEPT_BY_CALLEE) == 0;
}

/* The places that MODE has in common with the mode T began in.  */
static uint32_t
in_common (const struct twin *t, uint32_t mode)
{
  return mode == t->home ? UINT32_MAX
	 : mode == TB_MODE_FIQ || t->home == TB_MODE_FIQ ? ~(OF_MODE | OF_FIQ) : ~OF_MODE;
}

/* AT and the step behind it have different modes.  False: the run proves nothing.  */
static bool
pass_modes (const struct bound *b, const struct step *at, struct twin *t)
{
  uint32_t before = in_common (t, mode_of (b, at)), behind = in_common (t, mode_of (b, at + 1));
  uint32_t hides = before & ~behind, shows = behind & ~before;
  if ((t->differ & (TB_SLOTS_NZCV | ~before)) != 0)
    return false;
  for (unsigned k = 0; k < NPLACES; k++)
    {
      if (hides >> k & 1)
	t->of_home[k] = t->places[k];
      if (shows >> k & 1)
	t->places[k] = t->of_home[k];
    }
  t->hidden |= t->differ & hides;
  t->differ = (t->differ & ~hides) | (t->hidden & shows);
  t->hidden &= ~shows;
  return true;
}

/* What AT leads to, if the trace goes on.  False: the run proves nothing.  */
static bool
pass (const struct bound *b, const struct step *at, struct twin *t)
{
  bool is_m = b->run.profile.is_m;
  if (at->ends)
    return true;
  if (is_m && leaves (at))
    return pass_frame (at, t);
  return is_m || mode_of (b, at) == mode_of (b, at + 1) || pass_modes (b, at, t);
}

/* Run AT, where something that it touches differs.  False: the run proves nothing.  */
static bool
run_both (struct bound *b, const struct step *at, struct twin *t)
{
  struct tb_semantics_result ours, theirs;
  uint32_t truth[TB_PLACE_END], ran[TB_PLACE_END];
  case_places (&b->run, at->s, truth);
  memcpy (ran, truth, sizeof ran);
  for (unsigned k = 0; k < NPLACES; k++)
    if (t->differ >> k & 1)
      ran[k] = t->places[k];
  if (!at->followed || !run_at (b, at, truth, &theirs) || !run_at (b, at, ran, &ours)
      || !same_result (&ours, &theirs))
    return false;
  t->differ = difference (ran, truth);
  memcpy (t->places, ran, sizeof ran);
  return (t->differ & ~TAKES_PART) == 0;
}

/* Run T from step FIRST to its stretch's end.  Returns whether all was as it was.  Where it
   differed is in DIFFERING, up to step *END.  */
static bool
try_run (struct bound *b, size_t first, struct twin *t, size_t *end)
{
  t->home = mode_of (b, &b->steps[first]);
  for (size_t i = first; (t->differ | t->hidden) != 0; i++)
    {
      const struct step *at = &b->steps[i];
      b->differing[i] = t->differ;
      *end = i + 1;
      if (t->hidden != 0 && at->banks & ((t->hidden & OF_FIQ) != 0 ? UINT32_MAX
					  : mode_bit (t->home)))
	return false;
      if (((t->differ & at->touches) != 0 && !run_both (b, at, t)) || !pass (b, at, t))
	return false;
      if (at->ends)
	/* The halt is known where the trace leads to it.  */
	return (t->differ | t->hidden) == 0 || at->index + 1 < b->run.c.nsteps;
    }
  return true;
}

/* Begin with another value in PLACE, the one numbered K, at step FIRST.  */
static void
try_value (struct bound *b, size_t first, unsigned place, size_t k)
{
  struct twin twin = { .differ = TB_SLOT_BIT (place) };
  size_t end = first;
  case_places (&b->run, b->steps[first].s, twin.places);
  if (place >= TB_SLOT_N)
    twin.places[place] ^= 1;
  else if (k < BITS)
    twin.places[place] ^= UINT32_C (1) << k;
  else
    twin.places[place] += others[k - BITS];
  if (try_run (b, first, &twin, &end))
    for (size_t i = first; i < end; i++)
      b->unknowable[i] |= b->differing[i];
}

/* Places that may hold anything before step FIRST: where the trace begins, and where the M
   profile takes an exception (DDI 0403, B1.5.6, ExceptionTaken).  */
static uint32_t
places_open (const struct bound *b, size_t first)
{
  if (b->steps[first].begins)
    return TAKES_PART;
  return b->run.profile.is_m && b->steps[first].s->flags & CORPUS_EXCEPTION ? LOST_BY_ENTRY : 0;
}

static void
try_all (struct bound *b, size_t first)
{
  uint32_t open = places_open (b, first);
  for (unsigned place = 0; place < NPLACES; place++)
    {
      bool flag = place >= TB_SLOT_N;
      if (!(open >> place & 1))
	continue;
      for (size_t k = 0; k < (flag ? 1 : VALUES); k++)
	/* SP of the M profile has no low bits.  */
	if (place != TB_SLOT_SP || !b->run.profile.is_m || (k > 1 && k != BITS && k != BITS + 1))
	  try_value (b, first, place, k);
    }
}

/* Find what the steps of the trace, told by FLAGS, accessed.  */
static bool
read_steps (struct bound *b, const struct corpus_step *flags, size_t count)
{
  struct case_run *run = &b->run;
  struct corpus_case *c = &run->c;
  if (count != c->nsteps)
    return false;
  for (size_t i = 0; i < c->nsteps; i++)
    {
      struct corpus_step *s = &c->steps[i];
      bool traced = flags[i].flags & CORPUS_IN_TRACE;
      /* The entry of an exception writes its frame.  */
      while (run->write < c->nwrites && (c->writes[run->write].index < i
					 || (c->writes[run->write].index == i
					     && c->writes[run->write].kind == 1)))
	corpus_apply (c, &c->writes[run->write++]);
      run->step = (uint32_t) i;
      if (traced)
	{
	  struct step *at = &b->steps[b->nsteps++];
	  case_find_accesses (run, s, i + 1 < c->nsteps ? s + 1 : NULL);
	  if (b->naccesses + run->naccesses > b->room)
	    {
	      b->room = 2 * b->room + CASE_ACCESSES_MOST;
	      b->accesses = realloc (b->accesses, b->room * sizeof *b->accesses);
	      if (b->accesses == NULL)
		return false;
	    }
	  *at = (struct step) { .s = s, .index = i, .first = b->naccesses,
				.count = run->naccesses };
	  if (!(s->flags & CORPUS_PASSED))
	    at->count = 0;
	  memcpy (b->accesses + b->naccesses, run->accesses,
		  run->naccesses * sizeof *b->accesses);
	  b->naccesses += run->naccesses;
	  at->begins = i == 0 || !(flags[i - 1].flags & CORPUS_IN_TRACE);
	  at->ends = i + 1 == c->nsteps || !(flags[i + 1].flags & CORPUS_IN_TRACE);
	}
      while (run->write < c->nwrites && c->writes[run->write].index == i
	     && c->writes[run->write].kind == 0)
	corpus_apply (c, &c->writes[run->write++]);
    }
  return b->nsteps > 0;
}

int
main (int argc, char **argv)
{
  static struct bound b;
  size_t count = 0, followed = 0;
  if (argc != 3)
    {
      fprintf (stderr, "usage: data-bound CASE FOLDER\n");
      return 2;
    }
  struct corpus_step *flags = corpus_records (argv[2], "truth.bin.xz", CORPUS_STEP, &count);
  if (!case_open (&b.run, argv[1]) || flags == NULL)
    {
      fprintf (stderr, "data-bound: no case %s in %s\n", argv[1], argv[2]);
      return 1;
    }
  b.steps = calloc (count, sizeof *b.steps);
  b.unknowable = calloc (count, sizeof *b.unknowable);
  b.differing = calloc (count, sizeof *b.differing);
  if (b.steps == NULL || b.unknowable == NULL || b.differing == NULL
      || !read_steps (&b, flags, count))
    {
      fprintf (stderr, "data-bound: %s is not of %s\n", argv[2], argv[1]);
      return 1;
    }
  for (size_t i = 0; i < b.nsteps; i++)
    {
      look (&b, &b.steps[i]);
      followed += b.steps[i].followed;
    }
  for (size_t i = 0; i < b.nsteps; i++)
    try_all (&b, i);
  fprintf (stderr, "%zu of %zu steps can be followed\n", followed, b.nsteps);
  for (size_t i = 0; i < b.nsteps; i++)
    printf ("%zu %x\n", i, (unsigned) ((b.unknowable[i] & REGISTERS)
				       | (unsigned) ((b.unknowable[i] & TB_SLOTS_NZCV) != 0)
				       << FLAG));
  free (flags);
  free (b.steps);
  free (b.accesses);
  free (b.unknowable);
  free (b.differing);
  corpus_close (&b.run.c);
  return 0;
}
