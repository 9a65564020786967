/* Explanations of random programs: what is said of each value fits what is known of it,
   and what is said of what is not known adds up.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "random-program.h"
#include "state/answer/level-sp.h"
#include "state/answer/stacked.h"
#include "state/explain/why.h"
#include "state-reasons.h"

#define MOST 60

/* What is counted of all explanations: more that is told is better.  */
struct tally
{
  unsigned known, whole;	/* Known values; those of which all is told, too.  */
  unsigned unknown, stores;	/* Not known; a store that is in the way is told.  */
  unsigned rules[TB_WHY_STORE + 1];
};

/* Of the COUNT ITEMS number I, which is known.  */
static bool
fits_known (const struct tb_why *items, size_t count, size_t i)
{
  const struct tb_why *w = &items[i];
  bool fits = w->rule < TB_WHY_BEGIN && w->rule != TB_WHY_UNKNOWN;
  for (unsigned k = 0; k < w->from_count; k++)
    {
      const struct tb_why *from = &items[w->from[k]];
      /* It follows from what was known before.  */
      fits &= from->known && w->from[k] != i;
    }
  if (w->rule == TB_WHY_SAME)
    fits &= w->from_count == 1 || count == MOST;
  if (w->rule == TB_WHY_OPERATION && w->told == 7 && w->op != 0
      && w->op <= TB_OP_LAST_VALUE && tb_ops[w->op].operands == 2)
    fits &= w->operands[0] == tb_op_value (w->op, 32, w->operands[1], w->operands[2]);
  return fits;
}

/* One chain.  */
static void
check_chain (const struct world *w, const struct tb_why *items, size_t count,
	     const struct tb_why_verdict *verdict, struct tally *tally)
{
  bool fits = items[0].known == verdict->whole
	      && (!verdict->whole || items[0].value == verdict->value);
  bool partly = false;
  for (size_t i = 0; i < count; i++)
    {
      fits &= items[i].step <= w->steps && items[i].rule <= TB_WHY_STORE;
      fits &= !items[i].assumed;
      for (unsigned k = 0; k < items[i].from_count; k++)
	fits &= items[i].from[k] < count;
      if (items[i].known)
	fits &= fits_known (items, count, i);
      else
	{
	  /* Back to the first that is not known, or the store in the way.  */
	  fits &= items[i].rule == TB_WHY_UNKNOWN || items[i].rule >= TB_WHY_BEGIN;
	  fits &= items[i].from_count <= 2;
	  tally->stores += items[i].rule == TB_WHY_STORE;
	}
      partly |= items[i].partly;
      tally->rules[items[i].rule]++;
    }
  tally->known += verdict->whole;
  tally->unknown += !verdict->whole;
  tally->whole += verdict->whole && !partly && count < MOST;
  if (!CHECK (fits))
    fprintf (stderr, "  of step %u\n", (unsigned) items[0].step);
}

/* What is said of some registers, flags and bytes of W.  */
static void
check_whys (struct world *w, struct tb_state *state, struct tally *tally)
{
  struct tb_why items[MOST];
  for (unsigned i = 0; i < 40; i++)
    {
      uint64_t step = random_number ((uint32_t) w->steps + 1);
      struct tb_why_query q = { .kind = (uint8_t) random_number (3), .size = 4,
				.number = (uint8_t) random_number (15) };
      if (q.kind == TB_WHY_FLAG)
	q.number %= 4;
      if (q.kind == TB_WHY_BYTES)
	{
	  q.size = (uint8_t) (1 + random_number (8));
	  q.address = FAKE_RAM + random_number (4 * RAM_WORDS - 8);
	}
      struct tb_why_verdict verdict
	= tb_why_find_verdict (state, step, &q, &w->f->profile);
      size_t count = tb_state_why (state, step, &q, items, MOST);
      /* Where the halt is used a byte that no step tells is known by it.  */
      if (count != 0)
	check_chain (w, items, count, &verdict, tally);
      /* With less room there is less of the same.  */
      size_t fewer = 1 + random_number (6);
      struct tb_why some[6];
      size_t less = tb_state_why (state, step, &q, some, fewer);
      /* The last one of what is not known is where it came from.  */
      CHECK (less <= fewer && less <= count && less + 1 >= (count < fewer ? count : fewer));
      if (count > 0)
	CHECK (some[0].known == items[0].known && some[0].value == items[0].value
	       && (!items[0].known || some[0].rule == items[0].rule));
    }
}

/* What exceptions put on the stack is what memory has behind them.  Returns how much of
   it is known.  */
static unsigned
check_stacked (const struct world *w, struct tb_state *state)
{
  struct tb_access_info a[30];
  unsigned known = 0;
  for (size_t i = 0; i < w->f->nevents; i++)
    {
      uint64_t step = w->f->events[i].step;
      size_t n = tb_state_stacked (state, step, a, 30);
      if (w->f->events[i].kind != TB_EVENT_EXCEPTION)
	continue;
      /* Before it may come what an instruction stored that was then given up.  */
      if (!CHECK ((n >= 8 && n < 30) || (n == 0 && step == 0)))
	return known;
      for (size_t k = 0; k + 8 < n; k++)
	CHECK (a[k].store && !a[k].address_known);
      for (size_t k = n < 8 ? n : n - 8; k < n; k++)
	{
	  CHECK (a[k].store && a[k].length == 4);
	  known += a[k].address_known + a[k].value_known;
	  uint32_t frame = w->truth[step][w->truth[step][TB_SLOT_LR] == 0xfffffffd
					  ? TB_SLOT_SP_OTHER : TB_SLOT_SP];
	  /* Some go there in another order than the manual has them.  */
	  if (a[k].address_known)
	    CHECK (a[k].address - frame < 32);
	  if (a[k].address_known && a[k].value_known)
	    CHECK_INT (a[k].value, w->truth_ram[step][(a[k].address - FAKE_RAM) / 4]);
	}
    }
  /* Nothing is stacked anywhere else, nor beyond the end.  */
  CHECK_INT (tb_state_stacked (state, 0, a, 30), 0);
  CHECK_INT (tb_state_stacked (state, w->steps + 1, a, 30), 0);
  return known;
}

static struct tb_state *
open_again (void *context)
{
  struct tb_recording *f = context;
  return tb_state_open (f, &f->options, &f->diag);
}

/* The stack pointer of levels, by STATE or one that is made when asked for.  Returns how
   often it is known.  */
static unsigned
check_level_sp (const struct world *w, struct tb_state *state)
{
  unsigned known = 0;
  for (unsigned how = 0; how < 3; how++)
    {
      struct tb_level_sp level = { .recording = w->f, .state = how == 0 ? state : NULL,
				   .open = how == 1 ? open_again : NULL,
				   .context = w->f };
      for (uint64_t step = 0; step <= w->steps; step += 7)
	{
	  uint64_t sp = 1;
	  bool is = tb_level_sp (&level, step, &sp);
	  CHECK (!is || sp == w->truth[step][TB_SLOT_SP]);
	  CHECK (how < 2 || !is);
	  known += is;
	}
      tb_level_sp_fini (&level);
    }
  return known;
}

int
main (void)
{
  static struct world w;
  struct tally tally = { .known = 0 };
  unsigned stores = 0, stacked = 0, sp = 0;
  for (unsigned i = 0; i < 60; i++)
    for (unsigned how = 0; how < 3; how++)
      {
	seed = 31000 + i;
	make (&w);
	if (how != 1)
	  give_registers (&w);
	if (how == 2)
	  w.f->options.window = 30 + random_number (100);
	w.f->options.makers = true;
	struct tb_state *state = fake_open (w.f);
	CHECK (tb_state_prepare (state, 0, NULL, NULL, &w.f->diag));
	check_whys (&w, state, &tally);
	stacked += check_stacked (&w, state);
	if (how == 0)
	  sp += check_level_sp (&w, state);
	if (how == 1)
	  stores += (unsigned) check_all (state, w.f, TB_WHY_NOT_STORE);
	tb_state_close (state);
	fake_free (w.f);
      }
  printf ("%u known, %u wholly told; %u unknown, %u with a store; %u in the way\n",
	  tally.known, tally.whole, tally.unknown, tally.stores, stores);
  for (unsigned i = 0; i <= TB_WHY_STORE; i++)
    printf (" %s %u", tb_why_name (i), tally.rules[i]);
  printf ("\n%u of what is stacked, %u of SP\n", stacked, sp);
  /* More may be known and told one day; less is a loss.  */
  CHECK (tally.known >= 4528);
  CHECK (tally.whole >= 3885);
  CHECK (tally.stores >= 978);
  CHECK (stacked >= 1608);
  CHECK (sp >= 1068);
  return check_done ();
}
