/* From requests to tracepoints.  See request-define.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/request-define.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/collect.h"
#include "frame/expression.h"
#include "frame/moment.h"
#include "frame/request-commands.h"
#include "frame/request-places.h"
#include "frame/request-value.h"
#include "util/buffer.h"

#define BLANKS " \t"

void
tb_definitions_fini (struct tb_definitions *d)
{
  for (size_t i = 0; i < d->count; i++)
    free (d->items[i].name);
  free (d->items);
  *d = (struct tb_definitions) { .items = NULL };
}

bool
tb_definitions_add (struct tb_definitions *d, char *name, size_t first,
		    bool several)
{
  bool ok = name != NULL
	    && TB_GROW (d->items, d->capacity, d->count, 1);
  if (ok)
    d->items[d->count++] = (struct tb_defined) {
      .name = name, .first = first, .several = several
    };
  else
    free (name);
  return ok;
}

static bool
too_many (const struct tb_request *request, struct tb_diag *diag)
{
  tb_error (diag, "%s: expected at most %d tracepoints that say no more than %zu "
	    "MiB, and memory for them", request->origin, TB_TRACEPOINTS_MAX,
	    TB_TRACEPOINT_BYTES_MAX >> 20);
  return false;
}

static struct tb_expression_scope
scope_of (const struct tb_tracepoint_set *set, const struct tb_tracepoint *t,
	  const struct tb_request *request, bool no_pc,
	  const struct tb_define_input *in)
{
  bool is_event = request->kind != TB_REQUEST_PLACE
		  && request->kind != TB_REQUEST_FUNCTIONS;
  /* An event happens at many places: that a variable is not there at one of them is
     no news.  */
  return (struct tb_expression_scope) {
    .variables = in->variables, .pc = t->address, .no_pc = no_pc,
    .tdesc = in->tdesc, .set = set, .diag = is_event ? NULL : in->diag,
    .svd = in->svd, .of_said = request->kind == TB_REQUEST_SOFTWARE,
    .of_store = request->kind == TB_REQUEST_WRITES || request->kind == TB_REQUEST_STORES
  };
}

/* An expression of REQUEST, in the part that begins at OFFSET, is wrong.  A name may be
   unknown for want of symbols.  */
static bool
wrong (const struct tb_request *request, size_t offset,
       const struct tb_expression_error *error,
       const struct tb_define_input *in)
{
  size_t count;
  tb_symbols_functions (in->symbols, &count);
  tb_request_error (request, offset + error->offset, in->diag, "%s%s",
		    error->text, count == 0
		    && (strstr (error->text, "symbol") != NULL
			|| strstr (error->text, "there is no `") != NULL)
		    ? "; symbols come with --elf=FILE" : "");
  return false;
}

/* Tell, once of each request, that "value" at T is not what is stored.  */
static void
tell_of_value (struct tb_definitions *d, const struct tb_tracepoint *t,
	       const struct tb_request *request, const struct tb_define_input *in)
{
  if (d->value_told == d->count)
    return;
  d->value_told = d->count;
  const struct tb_function *function
    = tb_symbols_function_at (in->symbols, t->address);
  char *name = function != NULL ? tb_symbols_demangle (function->name) : NULL;
  tb_warning (in->diag, "%s: `value' is the program's variable here%s%.100s%s; "
	      "$stored is what is stored", request->origin,
	      name != NULL ? " (in " : "", name != NULL ? name : "",
	      name != NULL ? ")" : "");
  free (name);
}

/* Give T what REQUEST's condition says; NO_PC: T's address is not where it is.  False
   after a diagnostic.  */
static bool
define_condition (struct tb_definitions *d, struct tb_tracepoint *t,
		  const struct tb_request *request, bool no_pc,
		  const struct tb_define_input *in)
{
  struct tb_tracepoint_set *set = d->set;
  const struct tb_request_part *part = &request->condition;
  struct tb_expression_error error;
  bool is_variable = false;
  struct tb_expression_scope scope = scope_of (set, t, request, no_pc, in);
  scope.value_is_variable = &is_variable;
  if (part->length == 0)
    return true;
  if (!tb_expression_compile (tb_request_at (request, *part), part->length,
			      &scope, &t->condition, NULL, &error))
    return wrong (request, part->offset, &error, in);
  if (is_variable)
    tell_of_value (d, t, request, in);
  if (t->condition.length > TB_TRACEPOINT_BYTES_MAX - set->bytes
      || !tb_tracepoint_add_source (set, t, TB_SOURCE_CONDITION,
				    tb_request_at (request, *part),
				    part->length))
    return too_many (request, in->diag);
  set->bytes += t->condition.length;
  return true;
}

/* Memory that is told by numbers: LENGTH bytes from OFFSET on, relative to the
   register BASE or to nothing (-1).  */
static bool
add_memory (struct tb_tracepoint_set *set, struct tb_tracepoint *t, int base,
	    uint64_t offset, uint64_t length, bool stepping)
{
  const struct tb_action action = {
    .kind = TB_ACTION_MEMORY, .stepping = stepping, .base = base,
    .offset = offset, .length = length
  };
  return tb_tracepoint_add_action (set, t, &action);
}

/* Give LIST, which is freed, to T.  */
static bool
take_actions (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
	      struct tb_action_list *list, bool stepping)
{
  bool ok = true;
  for (size_t i = 0; i < list->count && ok; i++)
    {
      list->items[i].stepping = stepping;
      ok = tb_tracepoint_add_action (set, t, &list->items[i]);
      if (ok)
	list->items[i].expression = (struct tb_expression) { NULL, 0 };
    }
  tb_action_list_fini (list);
  return ok;
}

bool
tb_define_teval (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
		 const struct tb_request *request, size_t offset,
		 bool stepping, const struct tb_define_input *in)
{
  struct tb_action_list list = { 0 };
  struct tb_expression_error error;
  const struct tb_expression_scope scope = scope_of (set, t, request, false,
						     in);
  if (!tb_expression_teval (request->text + offset,
			    strlen (request->text + offset), &scope, &list,
			    &error))
    return wrong (request, offset, &error, in);
  return take_actions (set, t, &list, stepping)
	 || too_many (request, in->diag);
}

bool
tb_define_item (struct tb_tracepoint_set *set, struct tb_tracepoint *t,
		const struct tb_request *request, struct tb_request_part part,
		bool stepping, bool no_pc, bool *left_out,
		const struct tb_define_input *in)
{
  struct tb_action_list list = { 0 };
  struct tb_expression_error error;
  const struct tb_expression_scope scope = scope_of (set, t, request, no_pc,
						     in);
  uint64_t offset, length;
  int base;
  *left_out = false;
  if (tb_request_number_memory (request, part, in->tdesc, &base, &offset, &length))
    {
      if (length > TB_COLLECT_MOST)
	{
	  tb_request_error (request, part.offset, in->diag, "expected at most %"
			    PRIu64 " bytes", TB_COLLECT_MOST);
	  return false;
	}
      return add_memory (set, t, base, offset, length, stepping)
	     || too_many (request, in->diag);
    }
  if (!tb_expression_collect (tb_request_at (request, part), part.length,
			      &scope, &list, &error))
    {
      /* The others are none the worse for it.  */
      *left_out = strcmp (error.text, TB_EXPRESSION_NO_FLOAT) == 0;
      if (!*left_out)
	return wrong (request, part.offset, &error, in);
      tb_warning (in->diag, "%s: `%.*s' is left out: %s", request->origin,
		  part.length > 100 ? 100 : (int) part.length,
		  tb_request_at (request, part), error.text);
      return true;
    }
  return take_actions (set, t, &list, stepping)
	 || too_many (request, in->diag);
}

/* Add the tracepoint of NUMBER at ADDRESS; NULL after a diagnostic.  */
static struct tb_tracepoint *
define_at (struct tb_definitions *d, unsigned number, uint64_t address,
	   const struct tb_request *request, bool several, bool no_pc,
	   const struct tb_define_input *in)
{
  static const struct tb_action registers = { .kind = TB_ACTION_REGISTERS };
  struct tb_tracepoint_set *set = d->set;
  struct tb_tracepoint *t = tb_tracepoint_add (set, number, address);
  if (t == NULL
      || !tb_tracepoint_add_source (set, t, TB_SOURCE_AT,
				    tb_request_at (request, request->place),
				    request->place.length))
    {
      too_many (request, in->diag);
      return NULL;
    }
  t->steps = request->steps;
  t->pass = request->pass;
  if (!define_condition (d, t, request, no_pc, in))
    return NULL;
  /* Registers are in every frame.  */
  bool *left_out = calloc (request->nitems + 1, sizeof *left_out);
  bool room = left_out != NULL && tb_tracepoint_add_action (set, t, &registers);
  bool ok = room;
  for (size_t i = 0; i < request->nitems && ok; i++)
    ok = tb_define_item (set, t, request, request->items[i].part,
			 request->items[i].stepping, no_pc, &left_out[i], in);
  if (ok)
    ok = room = tb_define_commands (set, t, request, left_out, several, in->tdesc);
  if (!room)
    too_many (request, in->diag);
  free (left_out);
  return ok ? t : NULL;
}

/* An item for what REQUEST names; FUNCTION: of these the one.  */
static bool
add_item (struct tb_definitions *d, const struct tb_request *request,
	  const struct tb_function *function, bool several,
	  const struct tb_define_input *in)
{
  char *name = function != NULL
	       ? tb_symbols_demangle (function->name)
	       : strndup (tb_request_at (request, request->place),
			  request->place.length);
  return tb_definitions_add (d, name, d->set->count, several)
	 || too_many (request, in->diag);
}

static bool
define_places (struct tb_definitions *d, const struct tb_request *request,
	       const struct tb_request_places *places,
	       const struct tb_define_input *in)
{
  bool each = request->kind == TB_REQUEST_FUNCTIONS;
  bool several = !each && places->count > 1;
  for (size_t i = 0; i < places->count; i++)
    {
      const struct tb_request_place *place = &places->items[i];
      if ((each || i == 0)
	  && !add_item (d, request, each ? place->function : NULL, several, in))
	return false;
      if (define_at (d, (unsigned) d->count, place->address, request, several,
		     false, in) == NULL)
	return false;
    }
  return true;
}

/* The PC at MOMENT: that behind the last step is known, or there is no such moment.  */
static uint64_t
pc_at (uint64_t moment, const struct tb_define_input *in)
{
  struct tb_step step;
  return tb_recording_read (in->trace.recording, moment, &step, 1) == 1
	 ? step.pc : in->trace.end_pc;
}

/* The PC at the first of MOMENTS; there is none: an address of one of PLACES, or what
   stands for an address that is not known.  */
static uint64_t
first_pc (const struct tb_request_moments *moments,
	  const struct tb_request_places *places,
	  const struct tb_define_input *in)
{
  if (moments->count > 0)
    return pc_at (moments->items[0], in);
  /* GDB moves an address of more bits than a core has.  */
  return places->count > 0 ? places->items[0].address : TB_POISON32;
}

/* A moment of an event, and where it is.  */
struct placed
{
  uint64_t pc, moment;
  size_t number;		/* Of the moment.  */
};

static int
by_pc (const void *x, const void *y)
{
  const struct placed *a = x, *b = y;
  if (a->pc != b->pc)
    return a->pc < b->pc ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* MOMENTS with their PCs, by these; NULL: no memory.  */
static struct placed *
place_moments (const struct tb_request_moments *moments,
	       const struct tb_define_input *in)
{
  struct placed *list = calloc (moments->count + 1, sizeof *list);
  for (size_t i = 0; i < moments->count && list != NULL; i++)
    {
      list[i].moment = moments->items[i];
      list[i].number = i;
      list[i].pc = pc_at (moments->items[i], in);
    }
  if (list != NULL && moments->count > 0)
    qsort (list, moments->count, sizeof *list, by_pc);
  return list;
}

/* Add the tracepoint of COUNT moments, all at one PC.  */
static bool
define_group (struct tb_definitions *d, const struct tb_request *request,
	      const struct tb_request_moments *moments,
	      const struct placed *group, size_t count, bool several,
	      const struct tb_define_input *in)
{
  uint64_t *items = calloc (count, sizeof *items);
  struct tb_said_value *said = NULL;
  struct tb_tracepoint *t = NULL;
  if (moments->said != NULL)
    said = calloc (count, sizeof *said);
  for (size_t i = 0; i < count && items != NULL; i++)
    {
      items[i] = group[i].moment;
      if (said != NULL)
	said[i] = moments->said[group[i].number];
    }
  if (items != NULL && (said != NULL || moments->said == NULL))
    t = define_at (d, (unsigned) d->count, group->pc, request, several, false,
		   in);
  if (t == NULL)
    {
      free (items);
      free (said);
      return false;
    }
  t->listed = true;
  t->said = said;
  t->moments = items;
  t->nmoments = count;
  return true;
}

/* Names mean something else at each PC: where anything is asked for a tracepoint for
   each, else one for all.  */
static bool
define_moments (struct tb_definitions *d, const struct tb_request *request,
		struct tb_request_moments *moments,
		const struct tb_request_places *places,
		const struct tb_define_input *in)
{
  bool ok = true;
  if ((request->condition.length != 0 || request->nitems != 0)
      && moments->count > 0)
    {
      struct placed *list = place_moments (moments, in);
      bool several = list != NULL
		     && list[0].pc != list[moments->count - 1].pc;
      ok = list != NULL || too_many (request, in->diag);
      for (size_t i = 0, end; i < moments->count && ok; i = end)
	{
	  for (end = i + 1; end < moments->count && list[end].pc == list[i].pc;)
	    end++;
	  ok = define_group (d, request, moments, &list[i], end - i, several,
			     in);
	}
      free (list);
      return ok;
    }
  /* Where it never happens names mean nothing.  */
  struct tb_request bare = *request;
  bare.condition.length = bare.nitems = 0;
  struct tb_tracepoint *t = define_at (d, (unsigned) d->count,
				       first_pc (moments, places, in), &bare,
				       true, true, in);
  if (t == NULL)
    return false;
  t->listed = true;
  t->moments = moments->items;
  t->said = moments->said;
  t->nmoments = moments->count;
  moments->items = NULL;
  moments->said = NULL;
  return true;
}

/* PLACES are the functions that it is about.  */
static bool
define_events (struct tb_definitions *d, const struct tb_request *request,
	       const struct tb_request_places *places,
	       const struct tb_define_input *in)
{
  struct tb_request_subject subject = { .nfunctions = places->count };
  struct tb_request_moments moments = { 0 };
  const struct tb_expression_scope scope = {
    .variables = in->variables, .no_pc = true, .tdesc = in->tdesc,
    .diag = in->diag, .svd = in->svd
  };
  if (request->kind == TB_REQUEST_WRITES
      && !tb_request_memory (request, in->symbols, &scope, &subject.address,
			     &subject.length, in->diag))
    return false;
  if (request->kind == TB_REQUEST_SOFTWARE
      && !tb_request_read_channel (request, &subject.channel, in->diag))
    return false;
  if (tb_request_is_of_value (request)
      && !tb_request_read_value (request, &in->tdesc->profile, &subject.value, in->diag))
    return false;
  const struct tb_function **functions
    = calloc (places->count + 1, sizeof *functions);
  bool ok = functions != NULL || too_many (request, in->diag);
  for (size_t i = 0; i < places->count && ok; i++)
    functions[i] = places->items[i].function;
  subject.functions = functions;
  enum tb_listed listed = TB_LISTED_NO_MEMORY;
  const struct tb_lane *lane = in->trace.lane;
  if (ok && request->kind == TB_REQUEST_SOFTWARE && (lane == NULL || lane->nstreams == 0))
    tb_warning (in->diag, "%s: %.*s: there is no trace of an ITM or STM that tells of this core",
		request->origin, (int) request->place.length,
		tb_request_at (request, request->place));
  if (ok)
    listed = tb_request_list (request->kind, &subject, &in->trace, &moments);
  if (ok && listed == TB_LISTED_TOO_MANY)
    tb_error (in->diag, "%s: %.*s: expected at most %zu places; choose steps "
	      "with --from and --to", request->origin,
	      (int) request->place.length,
	      tb_request_at (request, request->place), TB_REQUEST_MOMENTS_MAX);
  else if (ok && listed == TB_LISTED_NO_MEMORY)
    tb_error (in->diag, "%s: no memory", request->origin);
  ok = ok && listed == TB_LISTED && add_item (d, request, NULL, true, in);
  if (ok)
    {
      d->items[d->count - 1].missed = moments.unknown;
      d->items[d->count - 1].missed_values = tb_request_is_of_value (request);
      d->items[d->count - 1].gaps = moments.gaps;
      d->items[d->count - 1].at_end = moments.at_end;
      d->items[d->count - 1].of_said = request->kind == TB_REQUEST_SOFTWARE;
      d->items[d->count - 1].unplaced = moments.elsewhere;
      if (moments.elsewhere != 0)
	tb_warning (in->diag, "%s: %.*s: it is not known before which step %" PRIu64
		    " of what is said was said; that is no hit", request->origin,
		    (int) request->place.length,
		    tb_request_at (request, request->place), moments.elsewhere);
      ok = define_moments (d, request, &moments, places, in);
    }
  free (moments.items);
  free (moments.said);
  free (functions);
  return ok;
}

bool
tb_define_request (struct tb_definitions *d, const struct tb_request *request,
		   const struct tb_define_input *in)
{
  struct tb_request_places places = { 0 };
  bool place = request->kind == TB_REQUEST_PLACE
	       || request->kind == TB_REQUEST_FUNCTIONS;
  bool named = place || ((request->kind == TB_REQUEST_CALLS
			  || request->kind == TB_REQUEST_RETURNS)
			 && request->subject.length != 0);
  bool ok = !named
	    || tb_request_find (request, in->symbols, &places, in->diag);
  if (ok)
    ok = place ? define_places (d, request, &places, in)
	       : define_events (d, request, &places, in);
  free (places.items);
  return ok;
}
