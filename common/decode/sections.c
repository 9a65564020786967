/* One trace decoded in sections, by several threads.  See sections.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/sections.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Bytes a section at first, and the most; a section is so long that finding its
   start, a synchronisation interval, is a small part of it, even where the caller
   wants short ones.  */
#define SIZE_FIRST (256 * 1024)
#define SIZE_MOST (8 * 1024 * 1024)
#define INTERVALS 48
#define INTERVALS_ASKED 8

/* After this many sections in a row that did not join, the rest is decoded in
   one.  */
#define MISSES_MOST 3

#define JOBS_MOST 64

/* Elements read at a time.  */
#define BATCH 512

/* Where a section starts: behind a synchronisation packet.  */
struct junction
{
  struct tb_stream_place place;
  uint64_t index;		/* Of PLACE in the buffer.  */
  void *saved;			/* NULL: the start of the trace.  */
};

enum slot_state { SLOT_FREE, SLOT_DECODING, SLOT_DONE };

/* A section on its way.  */
struct section_slot
{
  enum slot_state state;
  struct junction start, end;
  bool open_ended;		/* END is not valid: up to the trace's end.  */

  /* What became of it.  */
  void *result;			/* The consumer's; NULL: to be done in turn.  */
  struct tb_decoder_stats stats;
  void *exit;			/* State at END if it is another than END's.  */
  bool joined;
  bool ended;			/* The trace's end was reached.  */
};

struct sections
{
  const struct tb_decoder_config *config;
  const struct tb_section_consumer *consumer;
  uint64_t asked_size;

  pthread_mutex_t lock;		/* Of all below.  */
  pthread_cond_t changed;

  struct tb_decoder *scout;	/* Finds junctions; NULL: one thread only.  */
  uint64_t size;
  struct junction next_start;	/* Of section NEXT.  */
  uint64_t next;		/* The section to claim next.  */
  bool all_claimed;
  unsigned misses;

  struct section_slot *slots;		/* Section N is in slot N % NSLOTS.  */
  unsigned nslots;
  uint64_t turn;		/* The section to finish next.  */
  bool turn_taken;		/* A thread is at it.  */
  bool joined;			/* Its start is where the one before ended.  */
  void *handover;		/* Else this is, ...  */
  bool over;			/* ... unless there is no more to do.  */
  enum tb_status status;
  bool no_memory;		/* That is why, and nobody has said so.  */
  struct tb_decoder_stats stats;
};

static void
junction_fini (struct junction *j)
{
  free (j->saved);
  *j = (struct junction) { 0 };
}

/* Junctions.  */

/* Let the scout read up to behind the next synchronisation packet, but not
   much beyond byte LIMIT.  False: there is none.  */
static bool
scout_sync (struct tb_decoder *scout, uint64_t limit)
{
  struct tb_element elements[BATCH];
  for (;;)
    {
      size_t n = scout->read (scout, elements, BATCH);
      if (scout->at_sync)
	return true;
      if (n == 0 || elements[n - 1].index > limit)
	return false;
    }
}

/* Find a junction at or after byte FROM.  False: there is none that is worth
   it.  */
static bool
find_junction (struct sections *s, uint64_t from, struct junction *j)
{
  struct tb_decoder *scout = s->scout;
  uint64_t size = s->config->buffer->size;
  unsigned id = s->config->buffer->format == TB_FORMAT_SOURCE_DATA
		? TB_ID_NONE : scout->protocol->trace_id (s->config->source);
  for (; from < size; from += s->size)
    {
      struct tb_stream_place place;
      tb_stream_near (s->config->buffer, id, from, &place);
      scout->seek (scout, &place);
      if (!scout_sync (scout, UINT64_MAX))
	return false;
      uint64_t first = scout->tell (scout, &place);
      uint64_t reach = s->size > SIZE_FIRST ? s->size : SIZE_FIRST;
      if (!scout_sync (scout, first + reach))
	continue;
      j->index = scout->tell (scout, &j->place);
      uint64_t least = s->asked_size > 0 ? s->asked_size : SIZE_FIRST;
      uint64_t want = (j->index - first)
		      * (s->asked_size > 0 ? INTERVALS_ASKED : INTERVALS);
      s->size = want < least ? least : want > SIZE_MOST ? SIZE_MOST : want;
      j->saved = scout->save (scout);
      return j->saved != NULL;
    }
  return false;
}

static bool
copy_junction (struct sections *s, struct junction *to,
	       const struct junction *from)
{
  *to = *from;
  s->scout->restore (s->scout, from->saved);
  to->saved = s->scout->save (s->scout);
  return to->saved != NULL;
}

/* Take the next section: its slot.  */
static struct section_slot *
claim (struct sections *s)
{
  struct section_slot *slot = &s->slots[s->next++ % s->nslots];
  *slot = (struct section_slot) { .state = SLOT_DECODING, .start = s->next_start };
  s->next_start = (struct junction) { 0 };
  if (s->scout != NULL && s->misses < MISSES_MOST
      && find_junction (s, slot->start.index + s->size, &s->next_start)
      && s->next_start.index > slot->start.index
      && copy_junction (s, &slot->end, &s->next_start))
    return slot;
  junction_fini (&s->next_start);
  slot->open_ended = true;
  s->all_claimed = true;
  return slot;
}

/* Decoding.  */

static void
fail (struct sections *s, enum tb_status status)
{
  if (s->status == TB_OK)
    s->status = status;
  s->over = true;
  pthread_cond_broadcast (&s->changed);
}

static void
no_memory (struct sections *s)
{
  pthread_mutex_lock (&s->lock);
  s->no_memory = true;
  fail (s, TB_ERR_MEMORY);
  pthread_mutex_unlock (&s->lock);
}

static void *
begin (struct sections *s, bool in_turn, struct tb_decoder *decoder)
{
  void *result = s->consumer->begin (s->consumer->context, in_turn, decoder);
  if (result == NULL)
    no_memory (s);
  return result;
}

/* Whoever has the turn calls this: the result of SLOT is complete.  False: no
   need to go on.  */
static bool
finish (struct sections *s, struct section_slot *slot, struct tb_decoder *decoder)
{
  void *result = slot->result;
  slot->result = NULL;
  enum tb_status status
    = s->consumer->finish (s->consumer->context, result, decoder);
  if (status == TB_OK)
    return true;
  pthread_mutex_lock (&s->lock);
  fail (s, status);
  pthread_mutex_unlock (&s->lock);
  return false;
}

/* It is the turn of SLOT: did it start where the one before ended?  With the
   lock.  */
static bool
fits (const struct sections *s, const struct section_slot *slot)
{
  const struct tb_section_consumer *consumer = s->consumer;
  return s->joined && slot->result != NULL
	 && (consumer->fits == NULL
	     || consumer->fits (consumer->context, slot->result));
}

/* Wait for the turn of SLOT and take it.  False: it will not come, or SLOT is
   of no use as it is.  */
static bool
take_turn (struct sections *s, const struct section_slot *slot)
{
  pthread_mutex_lock (&s->lock);
  while (!s->over
	 && (&s->slots[s->turn % s->nslots] != slot || s->turn_taken))
    pthread_cond_wait (&s->changed, &s->lock);
  bool taken = !s->over && fits (s, slot);
  if (taken)
    s->turn_taken = true;
  pthread_mutex_unlock (&s->lock);
  return taken;
}

/* Where DECODER, which stands behind a synchronisation packet, is at or behind
   the end of SLOT: note in what state, and true.  */
static bool
at_end (struct sections *s, struct section_slot *slot, struct tb_decoder *decoder)
{
  struct tb_stream_place place;
  if (slot->open_ended || decoder->tell (decoder, &place) < slot->end.index)
    return false;
  slot->exit = decoder->save (decoder);
  if (slot->exit == NULL)
    no_memory (s);
  else if (memcmp (&place, &slot->end.place, sizeof place) == 0
	   && decoder->same (slot->exit, slot->end.saved))
    {
      slot->joined = true;
      free (slot->exit);
      slot->exit = NULL;
    }
  return true;
}

static void
drop_result (struct sections *s, struct section_slot *slot)
{
  if (slot->result != NULL)
    s->consumer->drop (slot->result);
  slot->result = NULL;
  free (slot->exit);
  slot->exit = NULL;
  slot->joined = slot->ended = false;
}

/* Decode SLOT from where DECODER stands.  *IN_TURN: it is the thread's turn; it
   may become so.  */
static void
decode (struct sections *s, struct section_slot *slot, struct tb_decoder *decoder,
	bool *in_turn)
{
  struct tb_element elements[BATCH];
  struct tb_decoder_stats before = decoder->stats;
  slot->stats = (struct tb_decoder_stats) { 0 };
  slot->result = begin (s, *in_turn, decoder);
  while (slot->result != NULL)
    {
      size_t n = decoder->read (decoder, elements, BATCH);
      if (n == 0 && !decoder->at_sync)
	{
	  slot->ended = true;
	  break;
	}
      bool end = decoder->at_sync && at_end (s, slot, decoder);
      enum tb_section_answer answer
	= s->consumer->take (slot->result, decoder, elements, n);
      bool failed = answer == TB_SECTION_FAILED
		    || tb_decoder_no_memory (decoder);
      if (failed)
	no_memory (s);
      if (failed || end)
	break;
      if (answer == TB_SECTION_FULL)
	{
	  if (!*in_turn && !take_turn (s, slot))
	    {
	      drop_result (s, slot);
	      return;
	    }
	  *in_turn = true;
	  if (!finish (s, slot, decoder))
	    break;
	  slot->result = begin (s, true, decoder);
	}
    }
  tb_decoder_stats_add (&slot->stats, &decoder->stats, &before);
}

/* SLOT is finished: pass the turn on.  With the lock.  */
static void
pass_turn (struct sections *s, struct section_slot *slot)
{
  tb_decoder_stats_add (&s->stats, &slot->stats, NULL);
  free (s->handover);
  s->handover = slot->exit;
  slot->exit = NULL;
  s->joined = slot->joined;
  s->misses = slot->joined ? 0 : s->misses + 1;
  if (slot->ended)
    s->over = true;
  junction_fini (&slot->start);
  junction_fini (&slot->end);
  slot->state = SLOT_FREE;
  s->turn++;
  s->turn_taken = false;
  pthread_cond_broadcast (&s->changed);
}

/* It is the turn of SLOT, which was decoded before or could not be.  With the
   lock.  */
static void
do_turn (struct sections *s, struct section_slot *slot, struct tb_decoder *decoder)
{
  bool good = fits (s, slot);
  s->turn_taken = true;
  pthread_mutex_unlock (&s->lock);
  if (!good)
    {
      bool in_turn = true;
      drop_result (s, slot);
      decoder->restore (decoder, s->joined ? slot->start.saved : s->handover);
      decode (s, slot, decoder, &in_turn);
    }
  if (slot->result != NULL)
    finish (s, slot, decoder);
  pthread_mutex_lock (&s->lock);
  pass_turn (s, slot);
}

/* Decode a section that nobody has taken yet.  With the lock.  */
static void
do_next (struct sections *s, struct tb_decoder *decoder)
{
  bool in_turn = s->next == 0;
  struct section_slot *slot = claim (s);
  if (slot->open_ended && !in_turn)
    {
      /* It may be of any length: not before its turn.  */
      slot->state = SLOT_DONE;
      return;
    }
  s->turn_taken |= in_turn;
  pthread_mutex_unlock (&s->lock);
  if (slot->start.saved != NULL)
    decoder->restore (decoder, slot->start.saved);
  decode (s, slot, decoder, &in_turn);
  if (in_turn && slot->result != NULL)
    finish (s, slot, decoder);
  pthread_mutex_lock (&s->lock);
  slot->state = SLOT_DONE;
  if (in_turn)
    pass_turn (s, slot);
  else
    pthread_cond_broadcast (&s->changed);
}

struct worker
{
  struct sections *sections;
  struct tb_decoder *decoder;
  pthread_t thread;
};

static void *
work (void *argument)
{
  struct worker *worker = argument;
  struct sections *s = worker->sections;
  pthread_mutex_lock (&s->lock);
  while (!s->over)
    {
      struct section_slot *slot = &s->slots[s->turn % s->nslots];
      if (!s->turn_taken && slot->state == SLOT_DONE)
	do_turn (s, slot, worker->decoder);
      else if (!s->all_claimed && s->next - s->turn < s->nslots)
	do_next (s, worker->decoder);
      else
	pthread_cond_wait (&s->changed, &s->lock);
    }
  pthread_mutex_unlock (&s->lock);
  return NULL;
}

/* The interface.  */

/* Open the decoders of WORKERS, JOBS or as many as will do; returns how many.
   Only the first one may say something.  */
static unsigned
open_workers (struct sections *s, struct worker *workers, unsigned jobs,
	      struct tb_diag *diag)
{
  for (unsigned i = 0; i < jobs; i++)
    {
      struct tb_decoder *d = tb_decoder_open (s->config, i == 0 ? diag : NULL);
      if (d == NULL)
	return i;
      d->stop_at_sync = d->seek != NULL;
      workers[i].sections = s;
      workers[i].decoder = d;
      if (d->seek == NULL)
	return i + 1;
    }
  return jobs;
}

/* Do the work of all WORKERS, of which the first is the caller's thread.  */
static void
run (struct worker *workers, unsigned jobs)
{
  unsigned started = 1;
  while (started < jobs
	 && pthread_create (&workers[started].thread, NULL, work,
			    &workers[started]) == 0)
    started++;
  work (&workers[0]);
  for (unsigned i = 1; i < started; i++)
    pthread_join (workers[i].thread, NULL);
}

enum tb_status
tb_sections_decode (const struct tb_decoder_config *config,
		    const struct tb_sections_options *options,
		    const struct tb_section_consumer *consumer,
		    struct tb_decoder_stats *stats, struct tb_diag *diag)
{
  static const struct tb_sections_options defaults;
  if (options == NULL)
    options = &defaults;
  unsigned jobs = options->jobs < 1 ? 1
		  : options->jobs > JOBS_MOST ? JOBS_MOST : options->jobs;
  /* A share is of one thread.  */
  struct tb_decoder_config own = *config;
  if (jobs > 1)
    own.share = NULL;
  struct sections s = {
    .config = &own, .consumer = consumer, .asked_size = options->size,
    .size = options->size > 0 ? options->size : SIZE_FIRST,
    .joined = true, .status = TB_OK, .nslots = jobs + 2
  };
  struct worker workers[JOBS_MOST] = { 0 };
  s.slots = calloc (s.nslots, sizeof *s.slots);
  if (s.slots == NULL)
    {
      tb_error (diag, "no memory to decode %s", config->source->name);
      return TB_ERR_MEMORY;
    }
  jobs = open_workers (&s, workers, jobs,
		       options->opened_before ? NULL : diag);
  if (jobs == 0)
    {
      free (s.slots);
      return TB_ERR_INPUT;
    }
  if (jobs > 1 && config->buffer != NULL)
    s.scout = tb_decoder_open (config, NULL);
  if (s.scout != NULL)
    s.scout->stop_at_sync = true;
  else
    jobs = 1;
  pthread_mutex_init (&s.lock, NULL);
  pthread_cond_init (&s.changed, NULL);

  run (workers, jobs);

  pthread_cond_destroy (&s.changed);
  pthread_mutex_destroy (&s.lock);
  for (unsigned i = 0; i < s.nslots; i++)
    {
      drop_result (&s, &s.slots[i]);
      junction_fini (&s.slots[i].start);
      junction_fini (&s.slots[i].end);
    }
  free (s.slots);
  junction_fini (&s.next_start);
  free (s.handover);
  tb_decoder_close (s.scout);
  for (unsigned i = 0; i < JOBS_MOST; i++)
    tb_decoder_close (workers[i].decoder);
  if (stats != NULL)
    *stats = s.stats;
  if (s.no_memory)
    tb_error (diag, "no memory to decode %s", config->source->name);
  return s.status;
}
