/* The listing of one trace, made by several threads.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "convert.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "decode/element-text.h"
#include "decode/pc-hash.h"
#include "decode/sections.h"
#include "util/fnv.h"

/* Bytes of the buffer a section that becomes text: five megabytes of it.  */
#define SECTION_SIZE (64 * 1024)

/* Text and ranges of a section that are enough: before its turn ...  */
#define TEXT_MOST (16 * 1024 * 1024)
#define NOTES_MOST (1024 * 1024)
/* ... and when nothing needs to be held back.  */
#define TEXT_ENOUGH (256 * 1024)
#define NOTES_ENOUGH (16 * 1024)

/* Buffers of fewer bytes are not worth a second thread.  */
#define SMALL_BUFFER (1024 * 1024)

/* The ranges that one decoder has delivered.  */
struct lane
{
  const struct tb_decoder *decoder;
  struct tb_pc_ranges *ranges;
};

struct listing
{
  const struct job *job;
  struct tb_outfile *out;
  bool elements, positions, words;
  struct tb_element_sum sum;
  pthread_mutex_t lock;		/* Of what follows.  */
  struct lane *lanes;
  size_t nlanes, lane_capacity;
  struct part *spare;		/* Parts to use again, with their memory.  */
};

/* A section of it.  */
struct part
{
  struct listing *listing;
  struct part *next;		/* Among the spare ones.  */
  bool in_turn;
  struct tb_pc_ranges *ranges;
  struct tb_buffer text;
  struct tb_pc_note *notes;
  size_t nnotes, note_capacity;
  uint64_t nranges;		/* As listings have them.  */
};

/* The ranges of DECODER.  NULL: no memory.  With the lock.  */
static struct tb_pc_ranges *
lane_of (struct listing *l, const struct tb_decoder *decoder)
{
  for (size_t i = 0; i < l->nlanes; i++)
    if (l->lanes[i].decoder == decoder)
      return l->lanes[i].ranges;
  void *lanes = l->lanes;
  if (!tb_grow (&lanes, &l->lane_capacity, l->nlanes, 1, sizeof *l->lanes))
    return NULL;
  l->lanes = lanes;
  struct tb_pc_ranges *ranges = tb_pc_ranges_new ();
  if (ranges != NULL)
    l->lanes[l->nlanes++] = (struct lane) { decoder, ranges };
  return ranges;
}

static void
drop (void *section)
{
  struct part *part = section;
  struct listing *l = part->listing;
  tb_buffer_clear (&part->text);
  part->nnotes = 0;
  part->nranges = 0;
  pthread_mutex_lock (&l->lock);
  part->next = l->spare;
  l->spare = part;
  pthread_mutex_unlock (&l->lock);
}

static void
free_spare (struct listing *l)
{
  while (l->spare != NULL)
    {
      struct part *part = l->spare;
      l->spare = part->next;
      tb_buffer_fini (&part->text);
      free (part->notes);
      free (part);
    }
}

static void *
begin (void *context, bool in_turn, struct tb_decoder *decoder)
{
  struct listing *l = context;
  pthread_mutex_lock (&l->lock);
  struct tb_pc_ranges *ranges = lane_of (l, decoder);
  struct part *part = l->spare;
  if (part != NULL)
    l->spare = part->next;
  pthread_mutex_unlock (&l->lock);
  if (part == NULL)
    part = calloc (1, sizeof *part);
  if (part == NULL)
    return NULL;
  part->listing = l;
  part->in_turn = in_turn;
  part->ranges = ranges;
  if (ranges != NULL)
    return part;
  drop (part);
  return NULL;
}

/* Append the line of ELEMENT, with the columns that are wanted beside what it
   says, each after a tab: its byte in the buffer, as reference listings have it ("-":
   it is not known), and what it says in words, if there are words for it.  */
static void
list_line (struct tb_buffer *text, const struct tb_element *element,
	   bool positions, bool words)
{
  size_t begin = text->size;
  tb_element_text (text, element);
  if (text->failed || text->size == begin || !(positions || words))
    return;
  text->size--;
  if (positions && element->index == TB_INDEX_UNKNOWN)
    tb_buffer_printf (text, "\t@-");
  else if (positions)
    tb_buffer_printf (text, "\t@%" PRIu64, element->index);
  size_t end = text->size;
  if (words)
    {
      tb_buffer_append (text, "\t", 1);
      tb_element_explain (text, element);
      if (text->size == end + 1)
	text->size = end;
    }
  tb_buffer_append (text, "\n", 1);
}

void
list_element (struct tb_buffer *text, const struct tb_element *element,
	      bool positions, bool words)
{
  uint32_t lines = tb_element_lines (element);
  for (uint32_t n = 0; n < lines; n++)
    {
      struct tb_element line;
      tb_element_line (&line, element, n);
      list_line (text, &line, positions, words);
    }
}

static enum tb_section_answer
take (void *section, struct tb_decoder *decoder,
      const struct tb_element *elements, size_t count)
{
  struct part *part = section;
  const struct listing *l = part->listing;
  (void) decoder;
  if (!TB_GROW (part->notes, part->note_capacity, part->nnotes, count))
    return TB_SECTION_FAILED;
  for (size_t i = 0; i < count; i++)
    if (elements[i].kind == TB_ELEMENT_RANGE)
      {
	tb_pc_note (part->ranges, &elements[i], &part->notes[part->nnotes++]);
	part->nranges += tb_element_lines (&elements[i]);
      }
  if (l->elements)
    for (size_t i = 0; i < count; i++)
      list_element (&part->text, &elements[i], l->positions, l->words);
  size_t text = part->in_turn ? TEXT_ENOUGH : TEXT_MOST;
  size_t most = part->in_turn ? NOTES_ENOUGH : NOTES_MOST;
  return part->text.failed ? TB_SECTION_FAILED
	 : part->text.size >= text || part->nnotes >= most ? TB_SECTION_FULL
	 : TB_SECTION_MORE;
}

static enum tb_status
finish (void *context, void *section, struct tb_decoder *decoder)
{
  struct listing *l = context;
  struct part *part = section;
  for (size_t i = 0; i < part->nnotes; i++)
    l->sum.instructions += part->notes[i].count;
  l->sum.pc_hash = tb_pc_hash (l->sum.pc_hash, part->notes, part->nnotes,
			       decoder->follow);
  l->sum.ranges += part->nranges;
  enum tb_status status = tb_outfile_write (l->out, part->text.data,
					    part->text.size);
  drop (part);
  return status;
}

void
list_stream_head (struct tb_buffer *text,
		  const struct tb_session_stream *stream)
{
  if (stream->id != TB_ID_NONE)
    tb_buffer_printf (text, "# id 0x%02x\n", stream->id);
  else
    tb_buffer_printf (text, "# id -\n");
}

enum tb_status
list_trace (struct job *job, const struct tb_session_stream *stream,
	    bool elements, struct tb_outfile *out)
{
  struct listing l = {
    .job = job, .out = out, .sum = TB_ELEMENT_SUM_START,
    .elements = elements,
    .positions = job->options->positions, .words = job->options->verbose
  };
  const struct tb_section_consumer consumer = {
    .context = &l, .begin = begin, .take = take, .finish = finish,
    .drop = drop
  };
  struct tb_sections_options options = {
    .jobs = job->options->shared.jobs, .size = l.elements ? SECTION_SIZE : 0
  };
  struct tb_decoder_config config;
  struct tb_decoder_stats stats = { 0 };
  struct tb_buffer text = { 0 };
  tb_session_decoder_config (stream, &config);
  config.share = job->share;
  if (stream->buffer == NULL || stream->buffer->size < SMALL_BUFFER)
    options.jobs = 1;

  if (l.elements)
    list_stream_head (&text, stream);
  enum tb_status status = text.failed ? TB_ERR_MEMORY
			  : tb_outfile_write (out, text.data, text.size);
  tb_buffer_clear (&text);
  pthread_mutex_init (&l.lock, NULL);
  if (status == TB_OK)
    status = tb_sections_decode (&config, &options, &consumer, &stats,
				 job->diag);
  if (status == TB_OK)
    {
      tb_element_sum_text (&text, stream->id, &l.sum);
      status = text.failed ? TB_ERR_MEMORY
	       : tb_outfile_write (out, text.data, text.size);
    }
  if (status == TB_OK && !l.elements)
    unit_text (stream, "# ", false, tb_outfile_stream (out));
  if (text.failed)
    tb_error (job->diag, "%s: no memory", job->input);
  pthread_mutex_destroy (&l.lock);
  free_spare (&l);
  for (size_t i = 0; i < l.nlanes; i++)
    tb_pc_ranges_free (l.lanes[i].ranges);
  free (l.lanes);
  tb_buffer_fini (&text);
  job_judge (job, stream, &stats);
  job->instructions += l.sum.instructions;
  return status;
}
