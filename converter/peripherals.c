/* Accesses to peripherals, by a device description.  See peripherals.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "peripherals.h"

#include <inttypes.h>
#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif
#include <stdlib.h>

#include "json.h"
#include "state/effect.h"

/* Of a register; or of an address of a peripheral of which no register is described.  */
struct peripheral_use
{
  uint64_t address;
  uint64_t loads, stores;
  uint64_t maybe;		/* Stores that need not have happened.  */
  uint64_t step;		/* The last one that stores there for certain, */
  struct tb_access_info last;	/* and that store; */
  uint64_t unsure_then;		/* how many before it may have gone there, with those
				   that go nobody knows where.  */
};

/* Stores so far that may have gone to where USE is, or not.  */
static uint64_t
unsure_stores (const struct peripherals *all, const struct peripheral_use *use)
{
  return all->unknown + use->maybe;
}

void
put_peripheral (struct tb_buffer *line, const struct tb_svd *svd,
		const struct tb_access_info *a, const uint64_t *value)
{
  size_t start = line->size;
  if (svd == NULL || !a->address_known)
    return;
  tb_buffer_append (line, ",", 1);
  if (!tb_svd_put_name (svd, line, a->address, a->length, a->store))
    {
      line->size = start;
      return;
    }
  const struct tb_svd_register *reg
    = tb_svd_at (svd, a->address, a->length, a->store);
  if (reg == NULL || reg->nfields == 0 || value == NULL)
    return;
  tb_buffer_append (line, "{", 1);
  tb_svd_put_part (reg, line, a->address, a->length, *value);
  tb_buffer_append (line, "}", 1);
}

static hashval_t
hash_use (const void *entry)
{
  const struct peripheral_use *use = entry;
  return (hashval_t) (use->address ^ use->address >> 32) * 2654435761u;
}

static int
same_use (const void *x, const void *y)
{
  const struct peripheral_use *a = x, *b = y;
  return a->address == b->address;
}

/* The use of the register that A goes to; NULL: it goes to none, or no memory.  */
static struct peripheral_use *
find_use (struct peripherals *all, const struct tb_access_info *a)
{
  const struct tb_svd_register *reg
    = tb_svd_at (all->svd, a->address, a->length, a->store);
  if (reg == NULL && tb_svd_peripheral_at (all->svd, a->address) == NULL)
    return NULL;
  struct peripheral_use key = { .address = reg != NULL ? reg->address : a->address };
  if (all->uses == NULL)
    all->uses = htab_create_alloc (64, hash_use, same_use, free, calloc, free);
  void **slot = all->uses != NULL ? htab_find_slot (all->uses, &key, INSERT) : NULL;
  if (slot != NULL && *slot == NULL && (*slot = malloc (sizeof key)) != NULL)
    *(struct peripheral_use *) *slot = key;
  if (slot == NULL || *slot == NULL)
    {
      all->failed = true;
      return NULL;
    }
  return *slot;
}

void
peripherals_add (void *context, struct tb_state *state, uint64_t step)
{
  enum { MOST = 64 };
  struct peripherals *all = context;
  struct tb_access_info some[MOST];
  size_t n = tb_state_accesses (state, step, some, MOST);
  bool blind = !tb_state_analysed (state, step);
  all->unknown += blind;
  for (size_t i = 0; i < n && i < MOST && !all->failed; i++)
    {
      all->unknown += some[i].store && !some[i].address_known && !blind;
      struct peripheral_use *use
	= some[i].address_known ? find_use (all, &some[i]) : NULL;
      if (use == NULL)
	continue;
      *(!some[i].store ? &use->loads
	: some[i].maybe ? &use->maybe : &use->stores) += 1;
      if (some[i].store && !some[i].maybe)
	{
	  use->step = step;
	  use->last = some[i];
	  use->unsure_then = unsure_stores (all, use);
	}
    }
}

void
peripherals_fini (struct peripherals *all)
{
  if (all->uses != NULL)
    htab_delete (all->uses);
}

struct listed
{
  const struct peripheral_use **list;
  size_t count;
};

static int
list_use (void **slot, void *context)
{
  struct listed *l = context;
  l->list[l->count++] = *slot;
  return 1;
}

static int
use_order (const void *x, const void *y)
{
  const struct peripheral_use *const *a = x, *const *b = y;
  return (*a)->address < (*b)->address ? -1 : (*a)->address > (*b)->address;
}

/* TEXT, and empty it.  */
static void
put_string (const char *name, struct tb_buffer *text, FILE *out)
{
  tb_buffer_append (text, "", 1);
  fprintf (out, ",\"%s\":", name);
  json_string (text->failed ? "" : (const char *) text->data, out);
  tb_buffer_clear (text);
}

/* What was stored last for certain, and by what.  */
static void
put_last (const struct peripherals *all, const struct peripheral_use *use,
	  const struct named_recording *named, FILE *out)
{
  const struct tb_access_info *a = &use->last;
  const struct tb_svd_register *reg
    = tb_svd_at (all->svd, a->address, a->length, true);
  struct tb_buffer text = { 0 };
  struct tb_step step;
  fprintf (out, ",\"step\":%" PRIu64, use->step);
  if (tb_recording_read (named->recording, use->step, &step, 1) == 1)
    {
      const struct tb_function *function
	= tb_symbols_function_at (named->symbols, step.pc);
      char *name = function != NULL ? tb_symbols_demangle (function->name) : NULL;
      fprintf (out, ",\"pc\":%" PRIu64, step.pc);
      if (name != NULL)
	{
	  fputs (",\"function\":", out);
	  json_string (name, out);
	}
      free (name);
    }
  if (a->value_known)
    {
      /* Of a part of the register which one it is.  */
      struct tb_svd_part part = { .bits = a->value };
      if (reg != NULL
	  && tb_svd_part (reg, a->address, a->length, a->value, &part)
	  && tb_svd_put_bytes (reg, &text, &part))
	tb_buffer_append (&text, ": ", 2);
      tb_buffer_printf (&text, "0x%" PRIx64 "%s", part.bits,
			a->value_assumed || a->address_assumed ? " (assumed)" : "");
      put_string ("value", &text, out);
      if (reg != NULL)
	tb_svd_put_part (reg, &text, a->address, a->length, a->value);
      put_string ("fields", &text, out);
    }
  tb_buffer_fini (&text);
}

bool
peripherals_json (const struct peripherals *all, const struct named_recording *named,
		  FILE *out)
{
  size_t count = all->uses != NULL ? htab_elements (all->uses) : 0;
  struct listed l = { malloc ((count + 1) * sizeof *l.list), 0 };
  struct tb_buffer text = { 0 };
  if (l.list == NULL || all->failed)
    {
      free (l.list);
      return false;
    }
  if (count > 0)
    htab_traverse_noresize (all->uses, list_use, &l);
  qsort (l.list, l.count, sizeof *l.list, use_order);
  fputs (",\"devices\":[", out);
  for (size_t i = 0; i < l.count; i++)
    {
      const struct peripheral_use *use = l.list[i];
      fprintf (out, "%s{\"address\":%" PRIu64 ",\"loads\":%" PRIu64 ",\"stores\":%"
	       PRIu64 ",\"maybe\":%" PRIu64 ",\"since\":%" PRIu64, i > 0 ? "," : "",
	       use->address, use->loads, use->stores, use->maybe,
	       unsure_stores (all, use) - use->unsure_then);
      tb_svd_put_name (all->svd, &text, use->address, 1,
		       use->stores + use->maybe > 0);
      put_string ("name", &text, out);
      if (use->stores > 0)
	put_last (all, use, named, out);
      fputc ('}', out);
    }
  fputc (']', out);
  tb_buffer_fini (&text);
  free (l.list);
  return true;
}
