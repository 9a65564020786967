/* Monitor command for names of peripherals: svd.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "monitor.h"
#include "state/answer/accesses.h"
#include "svd/svd.h"

static void
list_peripherals (const struct monitor_call *call, const struct tb_svd *svd)
{
  size_t count;
  const struct tb_svd_peripheral *p = tb_svd_peripherals (svd, &count);
  const char *device = tb_svd_device (svd);
  monitor_print (call, "%s: %zu peripherals\n", device != NULL ? device : "device",
		 count);
  for (size_t i = 0; i < count; i++)
    monitor_print (call, "0x%08" PRIx64 " %-16s %s\n", p[i].address, p[i].name,
		   p[i].description != NULL ? p[i].description : "");
}

static void
list_registers (const struct monitor_call *call, const struct tb_svd *svd,
		const struct tb_svd_peripheral *p)
{
  const struct tb_svd_register *r = tb_svd_of (svd, p);
  for (size_t i = 0; i < p->count; i++)
    monitor_print (call, "0x%08" PRIx64 ":%u %s.%-12s %s\n", r[i].address,
		   r[i].bytes, p->name, r[i].name,
		   r[i].description != NULL ? r[i].description : "");
  if (p->count == 0)
    monitor_print (call, "%s: no registers are described.\n", p->name);
}

static void
list_fields (const struct monitor_call *call, const struct tb_svd_found *found)
{
  const struct tb_svd_register *r = found->reg;
  monitor_print (call, "0x%08" PRIx64 ":%u %s.%s%s%s\n", r->address, r->bytes,
		 r->peripheral->name, r->name, r->description != NULL ? " " : "",
		 r->description != NULL ? r->description : "");
  for (size_t i = 0; i < r->nfields; i++)
    {
      const struct tb_svd_field *f = &r->fields[i];
      if (found->field != NULL && found->field != f)
	continue;
      monitor_print (call, "  %s [%u:%u]", f->name, f->lsb + f->width - 1, f->lsb);
      for (size_t k = 0; k < f->nvalues; k++)
	if (f->values[k].is_default)
	  monitor_print (call, " %s=other", f->values[k].name);
	else
	  monitor_print (call, " %s=%" PRIu64, f->values[k].name,
			 f->values[k].bits);
      monitor_print (call, "\n");
    }
}

/* What the access A of STEP stores to REG: "last stored to by step 5, 0x5
   MODE=OUTPUT,...", of a part of it "last stored to bytes 2 to 3 by step 5, 0x5".  */
static void
show_store (const struct monitor_call *call, const struct tb_svd_register *reg,
	    uint64_t step, const struct tb_access_info *a,
	    const struct tb_svd_part *part)
{
  struct tb_buffer text = { 0 };
  tb_buffer_printf (&text, "last stored to ");
  if (tb_svd_put_bytes (reg, &text, part))
    tb_buffer_append (&text, " ", 1);
  tb_buffer_printf (&text, "by step %" PRIu64, step);
  if (a->value_known && a->length <= 8)
    {
      tb_buffer_printf (&text, ", 0x%" PRIx64 "%s", part->bits,
			a->value_assumed || a->address_assumed ? " (assumed)" : "");
      size_t end = text.size;
      tb_buffer_append (&text, " ", 1);
      tb_svd_put_part (reg, &text, a->address, a->length, a->value);
      if (text.size == end + 1)
	text.size = end;
    }
  monitor_print (call, "%.*s\n", (int) text.size, (const char *) text.data);
  tb_buffer_fini (&text);
}

/* What the instruction of STEP, which accesses REG, stores there: MAYBE is set if none of
   it need have happened.  With PRINT it is told, unless it is that.  */
static void
show_stores (const struct monitor_call *call, const struct tb_svd_register *reg,
	     uint64_t step, bool print, bool *maybe)
{
  enum { MOST = 32 };
  struct tb_access_info accesses[MOST];
  struct tb_state *state = call->client->target->state;
  size_t n = tb_state_accesses (state, step, accesses, MOST), certain = 0, unsure = 0;
  for (size_t i = 0; i < n && i < MOST; i++)
    {
      const struct tb_access_info *a = &accesses[i];
      struct tb_svd_part part;
      if (!a->store || !a->address_known
	  || !tb_svd_part (reg, a->address, a->length, a->value, &part))
	continue;
      *(a->maybe ? &unsure : &certain) += 1;
      if (print && !a->maybe)
	show_store (call, reg, step, a, &part);
    }
  *maybe = certain == 0 && unsure > 0;
  if (print && certain + unsure == 0)
    monitor_print (call, "last stored to by step %" PRIu64 "\n", step);
}

/* Tell of the last store to REG before where the client is, and of what may have been
   stored there since.  What a device holds can change by itself, so that is not what a
   load would find.  */
static void
show_last_store (const struct monitor_call *call,
		 const struct tb_svd_register *reg)
{
  struct target *t = call->client->target;
  struct tb_access_found found;
  const struct tb_watch_range watch = {
    .address = reg->address, .length = reg->bytes, .stores = true
  };
  uint64_t before = client_position (call->client);
  uint64_t unknown = 0, blind = 0, gaps = 0, unsure = 0, last_unsure = 0;
  if (t->stream == NULL)
    return;
  if (!target_prepare_accesses (t))
    {
      monitor_print (call, "There is no memory to look for stores.\n");
      return;
    }
  tb_accesses_set_poll (t->accesses, client_poll, call->client);
  enum tb_search result;
  for (bool maybe = true; maybe; before = found.step)
    {
      result = tb_accesses_previous (t->accesses, &watch, 1, before,
				     tb_accesses_first (t->accesses), &found);
      unknown += found.unknown_stores;
      blind += found.unknown_steps;
      gaps += found.gaps;
      if (result != TB_SEARCH_FOUND)
	break;
      show_stores (call, reg, found.step, false, &maybe);
      if (maybe && unsure++ == 0)
	last_unsure = found.step;
    }
  tb_accesses_set_poll (t->accesses, NULL, NULL);
  if (result == TB_SEARCH_FOUND)
    {
      bool maybe;
      show_stores (call, reg, found.step, true, &maybe);
    }
  else if (result == TB_SEARCH_NONE)
    monitor_print (call, "not stored to before this step, as far as is known\n");
  else
    {
      monitor_print (call, "The search for stores was not finished.\n");
      return;
    }
  if (unsure > 0)
    monitor_print (call, "perhaps stored to since, the last time by step %" PRIu64
		   ": %" PRIu64 " stores need not have happened\n", last_unsure,
		   unsure);
  if (unknown > 0)
    monitor_print (call, "%" PRIu64 " stores in between are to addresses that are "
		   "not known\n", unknown);
  if (blind > 0)
    monitor_print (call, "%" PRIu64 " steps in between may store nobody knows where\n",
		   blind);
  if (gaps > 0)
    monitor_print (call, "%" PRIu64 " gaps of the trace are in between; what ran there "
		   "may have stored to it\n", gaps);
}

/* svd [PERIPHERAL[.REGISTER[.FIELD]]|ADDRESS]  */
static bool
svd (const struct monitor_call *call)
{
  const struct tb_svd *s = call->client->target->session->svd;
  struct tb_svd_found found = { .peripheral = NULL };
  uint64_t address;
  if (call->count > 2)
    return false;
  if (s == NULL)
    {
      monitor_print (call, "There are no names of peripherals; they come with "
		     "--svd=FILE.\n");
      return true;
    }
  if (call->count == 1)
    {
      list_peripherals (call, s);
      return true;
    }
  const char *what = call->words[1];
  if (monitor_number (what, &address))
    {
      found.reg = tb_svd_at (s, address, 1, false);
      found.peripheral = found.reg != NULL ? found.reg->peripheral
					   : tb_svd_peripheral_at (s, address);
    }
  else if (!tb_svd_find (s, what, strlen (what), &found))
    found.peripheral = NULL;
  if (found.reg != NULL)
    {
      list_fields (call, &found);
      show_last_store (call, found.reg);
    }
  else if (found.peripheral != NULL)
    list_registers (call, s, found.peripheral);
  else
    monitor_print (call, "Nothing is described as \"%.100s\"; \"monitor svd\" "
		   "lists the peripherals.\n", what);
  return true;
}

const struct monitor_verb verbs_svd[] = {
  { "svd", "[PERIPHERAL[.REGISTER[.FIELD]]|ADDRESS]",
    "List peripherals or their registers, or show a register: its fields, and what "
    "was last stored to it.", svd },
  { NULL, NULL, NULL, NULL }
};
