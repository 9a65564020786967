/* Reading Tarmac logs.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/tarmac.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording/log-index.h"
#include "recording/tarmac-kinds.h"
#include "recording/tarmac-lines.h"
#include "util/unpack.h"


/* How much of a file is looked at to recognise it, and how many lines.  */
#define LOOK_BYTES (64 * 1024)
#define LOOK_LINES 400

struct log_reader
{
  struct tb_tarmac_log *log;
  struct tb_diag *diag;
  struct tb_tarmac_core **cores;
  unsigned char said[TB_TARMAC_CORES];	/* Remarks on them that were shown.  */
  size_t ncores;
  struct tb_tarmac_core *last;	/* The core of the last line.  */
  struct tb_tarmac_core *only;	/* That of lines that name none; NULL: none yet.  */
  uint64_t global;		/* Serial number of the last instruction.  */
  bool no_memory;
  bool too_many;
  bool reversed;		/* Data is in the order of addresses.  */
  uint64_t bytes[TB_TARMAC_KINDS];	/* Of lines of no core; ...  */
  uint64_t counts[TB_TARMAC_KINDS];	/* ... so many.  */
  bool timeless;		/* There were records without a time.  */
  struct tb_tarmac_unread unread;
  uint8_t wide[TB_TARMAC_VALUE];
};

bool
tb_tarmac_recognise (const char *path)
{
  struct tb_unpack *u = tb_unpack_open (path, NULL);
  char *text = u != NULL ? malloc (LOOK_BYTES + 1) : NULL;
  uint8_t wide[TB_TARMAC_VALUE];
  size_t size = 0, got = 1, records = 0, others = 0;
  while (text != NULL && got > 0 && size < LOOK_BYTES)
    {
      if (tb_unpack_read (u, text + size, LOOK_BYTES - size, &got) != TB_OK)
	got = 0;
      size += got;
    }
  tb_unpack_close (u);
  if (text == NULL || memchr (text, 0, size) != NULL)
    size = 0;
  for (size_t at = 0; at < size && records + others < LOOK_LINES;)
    {
      char *end = memchr (text + at, '\n', size - at);
      if (end == NULL && size == LOOK_BYTES)
	break;
      if (end == NULL)
	{
	  end = text + size;
	  *end = '\n';
	}
      struct tb_tarmac_line line;
      tb_tarmac_parse (&line, text + at, end, wide);
      bool record = line.kind == TB_TARMAC_STEP
		    || (line.has_time && (line.kind == TB_TARMAC_REGISTER
					  || line.kind == TB_TARMAC_MEMORY
					  || line.kind == TB_TARMAC_EVENT));
      records += record;
      others += !record && line.kind != TB_TARMAC_BLANK
		&& line.kind != TB_TARMAC_NOTE && line.kind != TB_TARMAC_BUS;
      at = (size_t) (end - text) + 1;
    }
  free (text);
  return records > 0 && records >= others / 4;
}

void
tb_tarmac_close (struct tb_tarmac_log *log)
{
  for (size_t i = 0; i < log->ncores; i++)
    tb_facts_free (log->cores[i]);
  free (log->cores);
  free (log->path);
  if (log->index.data != NULL)
    tb_filemap_close (&log->index);
  *log = (struct tb_tarmac_log) { 0 };
}

/* The core that LINE is of.  NULL: there are too many, or no memory.  */
static struct tb_tarmac_core *
core_of (struct log_reader *r, const struct tb_tarmac_line *line)
{
  const char *name = line->cpu.length > 0 ? line->cpu.text : "cpu0";
  size_t length = line->cpu.length > 0 ? line->cpu.length : 4;
  if (line->cpu.length == 0 && r->only != NULL)
    return r->last = r->only;
  if (r->last != NULL && tb_tarmac_core_is (r->last, name, length))
    {
      if (line->cpu.length == 0)
	r->only = r->last;
      return r->last;
    }
  for (size_t i = 0; i < r->ncores; i++)
    if (tb_tarmac_core_is (r->cores[i], name, length))
      return r->last = r->cores[i];
  if (r->ncores == TB_TARMAC_CORES)
    {
      r->too_many = true;
      return NULL;
    }
  struct tb_tarmac_core *core = tb_tarmac_core_new (name, length, r->reversed);
  r->no_memory |= core == NULL;
  if (core != NULL)
    r->cores[r->ncores++] = r->last = core;
  return core;
}

/* Count and show LINE, from TEXT to END, which is not understood; the core that it is of
   may have done what it says.  */
static void
leave_out (struct log_reader *r, const struct tb_tarmac_line *line, const char *text,
	   const char *end, uint64_t offset)
{
  const struct tb_tarmac_where where = { offset, r->log->lines, r->global };
  tb_tarmac_unread_add (&r->unread, line, r->log->path, r->log->lines, text, end,
			r->diag);
  /* A core that no other line names is none.  */
  const char *name = line->cpu.length > 0 ? line->cpu.text : "cpu0";
  size_t length = line->cpu.length > 0 ? line->cpu.length : 4;
  for (size_t i = 0; i < r->ncores; i++)
    if (tb_tarmac_core_is (r->cores[i], name, length))
      tb_tarmac_core_unread (r->cores[i], line, &where, end);
}

/* Add LINE, which is the text from TEXT to END, where a newline stands, or the
   beginning of it.  Returns what is not read.  */
static const char *
add_record (struct log_reader *r, struct tb_tarmac_line *line, const char *text,
	    const char *end, uint64_t offset)
{
  uint64_t length = (uint64_t) (end - text) + 1;
  /* Prose may begin as a record does; where records have no time they look so, too.  */
  if (line->kind == TB_TARMAC_TEXT && r->timeless)
    line->kind = line->problem != TB_TARMAC_FINE ? TB_TARMAC_BAD
		 : tb_tarmac_is_record (line) ? TB_TARMAC_UNKNOWN : TB_TARMAC_TEXT;
  r->log->kinds[line->kind]++;
  switch (line->kind)
    {
    case TB_TARMAC_STEP:
    case TB_TARMAC_REGISTER:
    case TB_TARMAC_MEMORY:
    case TB_TARMAC_BUS:
    case TB_TARMAC_EVENT:
    case TB_TARMAC_OWN:
      {
	struct tb_tarmac_core *core = core_of (r, line);
	/* Once there was no memory nothing fits together any more.  */
	if (core == NULL || tb_tarmac_core_failed (core))
	  break;
	if (line->rest < end)
	  length = (uint64_t) (line->rest - text);
	const struct tb_tarmac_where where = { offset, r->log->lines,
					       r->global };
	if (!tb_tarmac_core_add (core, line, &where))
	  {
	    r->log->kinds[line->kind]--;
	    if (line->kind == TB_TARMAC_REGISTER)
	      line->problem = TB_TARMAC_TOO_LONG;
	    line->kind = line->problem != TB_TARMAC_FINE ? TB_TARMAC_BAD
							 : TB_TARMAC_UNKNOWN;
	    r->log->kinds[line->kind]++;
	    line->at = line->text.text;
	    leave_out (r, line, text, end, offset);
	    r->counts[line->kind]++;
	    r->bytes[line->kind] += length;
	    return line->rest;
	  }
	r->timeless |= !line->has_time;
	tb_tarmac_core_count (core, line->kind, 1, length);
	if (line->kind == TB_TARMAC_STEP && line->has_tag)
	  r->global = line->tag;
      }
      return line->rest;
    case TB_TARMAC_UNKNOWN:
    case TB_TARMAC_BAD:
      leave_out (r, line, text, end, offset);
      break;
    case TB_TARMAC_TEXT:
      tb_tarmac_unread_text (&r->unread, r->log->lines);
      break;
    default:
      break;
    }
  r->counts[line->kind]++;
  r->bytes[line->kind] += length;
  return end;
}

/* One line.  A test bench that writes from two places at once may run two lines
   together: what is behind a value and is a line by itself is one.  */
static void
add_line (struct log_reader *r, struct tb_tarmac_item *item, uint64_t offset)
{
  const char *end = item->end;
  r->log->lines = item->number;
  const char *rest = add_record (r, &item->line, item->text, end, offset);
  while (rest < end && *rest >= '0' && *rest <= '9')
    {
      struct tb_tarmac_line line;
      const char *from = rest;
      tb_tarmac_parse (&line, from, end, r->wide);
      if (line.unit.length == 0 || line.kind == TB_TARMAC_BAD
	  || line.kind == TB_TARMAC_UNKNOWN || line.kind == TB_TARMAC_NOTE)
	break;
      rest = add_record (r, &line, from, end,
			 offset + (uint64_t) (from - item->text));
    }
}

/* Tell of what was remarked since the last time.  */
static void
say_remarks (struct log_reader *r)
{
  static const struct { const char *what, *why; } texts[] = {
    [TB_TARMAC_REMARK_EVENT] = {
      "event", "is of no kind that is known; as execution goes on elsewhere "
      "behind it, it is taken for an exception of unknown kind" },
    [TB_TARMAC_REMARK_STORE] = {
      "a line", "says that an instruction stores that only loads; such lines are "
      "not believed, and what is where they say is not known behind them" },
    [TB_TARMAC_REMARK_JUMP] = {
      "behind this instruction the", "is not one that it leads to, and no line tells "
      "of an exception; such places are taken for exceptions of unknown kind" },
    [TB_TARMAC_REMARK_STACK] = {
      "no line of", "follows an instruction that changes it by what it pushes; behind "
      "such ones it is not known" }
  };
  for (size_t i = 0; i < r->ncores; i++)
    {
      const struct tb_tarmac_remark *remarks;
      unsigned n = tb_tarmac_core_remarks (r->cores[i], &remarks);
      for (; r->said[i] < n; r->said[i]++)
	{
	  const struct tb_tarmac_remark *m = &remarks[r->said[i]];
	  tb_warning (r->diag, "%s:%" PRIu64 ": %s \"%s\" %s", r->log->path,
		      m->line, texts[m->kind].what, m->text,
		      texts[m->kind].why);
	}
    }
}

/* All lines of a batch.  */
static enum tb_status
add_batch (void *context, struct tb_tarmac_batch *batch)
{
  struct log_reader *r = context;
  for (size_t i = 0; i < batch->count; i++)
    add_line (r, &batch->items[i],
	      batch->offset + (uint64_t) (batch->items[i].text
					  - batch->text));
  r->log->lines = batch->lines;
  r->log->kinds[TB_TARMAC_TEXT] += batch->overlong;
  for (uint64_t i = 0; i < batch->overlong; i++)
    tb_tarmac_unread_text (&r->unread, r->log->lines);
  r->log->kinds[TB_TARMAC_BLANK] += batch->blanks;
  r->counts[TB_TARMAC_BLANK] += batch->blanks;
  r->bytes[TB_TARMAC_BLANK] += batch->blank_bytes;
  r->log->bytes = batch->end;
  for (size_t i = 0; i < r->ncores; i++)
    r->no_memory |= tb_tarmac_core_failed (r->cores[i]);
  if (r->no_memory)
    return TB_ERR_MEMORY;
  say_remarks (r);
  if (!r->too_many)
    return TB_OK;
  tb_error (r->diag, "%s:%" PRIu64 ": expected at most %d cores in a log",
	    r->log->path, r->log->lines, TB_TARMAC_CORES);
  return TB_ERR_INPUT;
}

/* What reads LOG, whose path is set.  NULL: no memory.  */
static struct log_reader *
reader_new (struct tb_tarmac_log *log, struct tb_diag *diag)
{
  struct log_reader *r = calloc (1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->log = log;
  r->diag = diag;
  r->global = UINT64_MAX - 1;
  r->cores = calloc (TB_TARMAC_CORES, sizeof *r->cores);
  r->reversed = tb_tarmac_in_memory_order (log->path);
  if (r->cores != NULL)
    return r;
  free (r);
  return NULL;
}

/* Read the first SIZE bytes of the file (that is compressed or not) of LOG, whose path
   is set.  */
static enum tb_status
read_log (struct tb_tarmac_log *log, uint64_t size, unsigned jobs,
	  struct tb_diag *diag)
{
  const char *path = log->path;
  struct tb_unpack *u = tb_unpack_open (path, diag);
  if (u == NULL)
    return TB_ERR_IO;
  tb_unpack_limit (u, size);
  struct log_reader *r = reader_new (log, diag);
  enum tb_status status = TB_ERR_MEMORY;
  if (r != NULL)
    {
      log->packing = tb_unpack_format (u);
      if (r->reversed)
	tb_note (diag, "%s: its M lines show bytes in the order of addresses, as "
		 "registers at loads and stores tell; they are read so", path);
      status = tb_tarmac_lines (u, jobs, add_batch, r);
      log->damaged = tb_unpack_damaged (u);
      log->cores = calloc (r->ncores + 1, sizeof *log->cores);
      if (log->cores == NULL)
	status = TB_ERR_MEMORY;
      for (unsigned i = 0; i < TB_TARMAC_KINDS && r->ncores > 0; i++)
	tb_tarmac_core_count (r->cores[0], i, r->counts[i], r->bytes[i]);
      /* All cores of a log have one unit of time.  */
      uint32_t finer = 1;
      for (size_t i = 0; i < r->ncores; i++)
	if (tb_tarmac_core_finer (r->cores[i]) > finer)
	  finer = tb_tarmac_core_finer (r->cores[i]);
      for (size_t i = 0; i < r->ncores && status == TB_OK; i++)
	tb_tarmac_core_set_unit (r->cores[i], finer);
      for (size_t i = 0; i < r->ncores; i++)
	if (status != TB_OK)
	  tb_tarmac_core_free (r->cores[i]);
	else if ((log->cores[i] = tb_tarmac_core_finish (r->cores[i])) == NULL)
	  status = TB_ERR_MEMORY;
	else
	  log->ncores++;
      free (r->cores);
    }
  if (r != NULL && status == TB_OK)
    tb_tarmac_unread_say (&r->unread, path, diag);
  free (r);
  tb_unpack_close (u);
  if (status == TB_ERR_MEMORY)
    tb_error (diag, "%s: no memory, or more instructions of a core than %lu",
	      path, (unsigned long) UINT32_MAX - 1);
  return status;
}

enum tb_status
tb_tarmac_read (struct tb_tarmac_log *log, const char *path,
		const struct tb_index_options *options, unsigned jobs,
		struct tb_diag *diag)
{
  struct tb_log_index *index = malloc (sizeof *index);
  *log = (struct tb_tarmac_log) { .path = strdup (path) };
  enum tb_status status = index != NULL && log->path != NULL ? TB_OK
							     : TB_ERR_MEMORY;
  bool use = status == TB_OK && tb_log_index_open (index, path, options, diag);
  if (use && tb_log_index_load (index, log, diag))
    log->indexed = true;
  else if (status == TB_OK)
    {
      status = read_log (log, use ? index->size : UINT64_MAX, jobs, diag);
      if (use && status == TB_OK)
	tb_log_index_save (index, log, diag);
    }
  free (index);
  if (status != TB_OK)
    tb_tarmac_close (log);
  for (size_t i = 0; i < log->ncores; i++)
    log->cores[i]->path = log->path;
  return status;
}

/* Which line is looked for.  */
struct wanted_line
{
  struct log_reader *reader;
  const char *core;
  uint64_t step, line;		/* LINE 0: not found yet.  */
};

/* Look for it in BATCH; what is not TB_OK ends the reading.  */
static enum tb_status
look_in_batch (void *context, struct tb_tarmac_batch *batch)
{
  struct wanted_line *w = context;
  struct log_reader *r = w->reader;
  for (size_t i = 0; i < batch->count && w->line == 0; i++)
    {
      add_line (r, &batch->items[i], 0);
      if (r->last != NULL && tb_tarmac_core_steps (r->last) > w->step
	  && tb_tarmac_core_is (r->last, w->core, strlen (w->core)))
	w->line = batch->items[i].number;
    }
  return w->line != 0 || r->too_many ? TB_ERR_INPUT : TB_OK;
}

uint64_t
tb_tarmac_line_of (const struct tb_columns *facts, uint64_t step)
{
  struct tb_diag silent = { 0 };
  struct tb_unpack *u = facts->path != NULL ? tb_unpack_open (facts->path, NULL) : NULL;
  struct tb_tarmac_log log = { .path = u != NULL ? strdup (facts->path) : NULL };
  struct log_reader *r = log.path != NULL ? reader_new (&log, &silent) : NULL;
  struct wanted_line wanted = { .reader = r, .core = facts->name, .step = step };
  if (r != NULL)
    {
      tb_tarmac_lines (u, 1, look_in_batch, &wanted);
      for (size_t i = 0; i < r->ncores; i++)
	tb_tarmac_core_free (r->cores[i]);
      free (r->cores);
    }
  free (r);
  free (log.path);
  tb_unpack_close (u);
  return wanted.line;
}
