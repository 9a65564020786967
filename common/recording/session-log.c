/* Sessions of a log.  See session-log.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/session-core.h"
#include "snapshot/m-frame.h"

/* Instructions with this many bytes or less between them are one piece of code.  */
#define CODE_APART 64

bool
tb_session_is_log (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISREG (st.st_mode)
	 && tb_tarmac_recognise (path);
}

bool
tb_session_is_trace_file (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 && S_ISREG (st.st_mode)
	 && tb_trace_file_recognise (path);
}

const struct tb_trace_file *
tb_session_trace_file (const struct tb_session *s)
{
  return s->log != NULL && s->log->file.path != NULL ? &s->log->file : NULL;
}

/* The part of PATH behind its last '/'.  */
static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Does LR have an EXC_RETURN that ARMv7-M (DDI 0403, B1.5.8) does not have?  */
static bool
is_v8m (const struct tb_columns *f)
{
  const struct tb_facts_register *lr = tb_facts_find (f, "lr");
  if (lr == NULL || lr->nlanes == 0)
    return false;
  const struct tb_column *values = &lr->lanes[0].values.values;
  const uint32_t *value = (const uint32_t *) values->data;
  for (size_t i = 0; i < values->size / sizeof *value; i++)
    if (tb_m_is_exc_return (value[i]) && (value[i] & UINT32_C (0x63)) != UINT32_C (0x61))
      return true;
  return false;
}

/* What kind of core F is, as far as its lines tell.  */
static const char *
core_type (const struct tb_columns *f)
{
  return f->type != NULL ? f->type
	 : f->is_m ? is_v8m (f) ? "ARMv8-M" : "ARMv7-M"
	 : f->has_a64 ? "ARMv8-A" : "ARMv7-A";
}

/* Read the trace file PATH into LOG: its one core.  */
static enum tb_status
read_trace_file (struct tb_session_log *log, const char *path,
		 const struct tb_session_options *options, struct tb_diag *diag)
{
  enum tb_status status = tb_trace_file_open (&log->file, path, diag);
  if (status != TB_OK)
    return status;
  const char *type
    = tb_session_told_type (path, "the trace file", tb_trace_file_core_type (&log->file),
			    options, diag);
  if (type == NULL)
    return TB_ERR_INPUT;
  log->tarmac.path = strdup (path);
  log->tarmac.cores = calloc (1, sizeof *log->tarmac.cores);
  if (log->tarmac.path == NULL || log->tarmac.cores == NULL)
    return TB_ERR_MEMORY;
  log->tarmac.bytes = log->file.map.size;
  log->tarmac.lines = log->file.lines;
  log->tarmac.cores[0] = tb_trace_file_facts (&log->file, "core", type, diag);
  log->tarmac.ncores = log->tarmac.cores[0] != NULL;
  return log->tarmac.ncores != 0 ? TB_OK : TB_ERR_INPUT;
}

/* Read the log, or the trace file, PATH; make devices of its cores and sources.  */
static enum tb_status
read_log (struct tb_session *s, const char *path,
	  const struct tb_session_options *options, struct tb_diag *diag)
{
  struct tb_session_log *log = calloc (1, sizeof *log);
  s->log = log;
  if (log == NULL)
    return TB_ERR_MEMORY;
  bool frames = tb_session_is_trace_file (path);
  if (!tb_session_takes (path, options, frames, false, diag))
    return TB_ERR_INPUT;
  enum tb_status status
    = frames ? read_trace_file (log, path, options, diag)
      : tb_tarmac_read (&log->tarmac, path, options != NULL ? options->index : NULL,
			options != NULL ? options->jobs : 1, diag);
  if (status != TB_OK)
    return status;
  size_t n = log->tarmac.ncores;
  log->devices = calloc (2 * n + 1, sizeof *log->devices);
  log->names = calloc (n + 1, sizeof *log->names);
  if (log->devices == NULL || log->names == NULL)
    return TB_ERR_MEMORY;
  for (size_t i = 0; i < n; i++)
    {
      const struct tb_columns *f = log->tarmac.cores[i];
      size_t room = strlen (f->name) + sizeof "tarmac-";
      log->names[i] = malloc (room);
      if (log->names[i] == NULL)
	return TB_ERR_MEMORY;
      snprintf (log->names[i], room, frames ? "tfile" : n == 1 ? "tarmac" : "tarmac-%s",
		f->name);
      log->devices[i] = (struct tb_device) {
	.name = f->name, .file = log->tarmac.path, .class = TB_CLASS_CORE,
	.class_name = "core", .type = core_type (f), .location = "",
	.cluster = ""
      };
      log->devices[n + i] = (struct tb_device) {
	.name = log->names[i], .file = log->tarmac.path,
	.class = TB_CLASS_TRACE_SOURCE, .class_name = "trace_source",
	.type = frames ? "trace file" : "TARMAC", .location = "", .cluster = ""
      };
    }
  log->buffer = (struct tb_trace_buffer) {
    .id = frames ? "frames" : "log", .name = base_name (log->tarmac.path),
    .format = TB_FORMAT_SOURCE_DATA, .format_name = frames ? "tfile" : "tarmac",
    .size = log->tarmac.bytes
  };
  return TB_OK;
}

enum tb_status
tb_session_log_open (struct tb_session *s, const char *path,
		     const struct tb_session_options *options,
		     struct tb_diag *diag)
{
  enum tb_status status = read_log (s, path, options, diag);
  if (status != TB_OK)
    return status;
  struct tb_session_log *log = s->log;
  const char *base = base_name (path);
  log->directory = base == path ? strdup (".")
				: strndup (path, (size_t) (base - path));
  if (log->directory == NULL)
    return TB_ERR_MEMORY;
  s->snapshot = (struct tb_snapshot) {
    .directory = log->directory, .path = log->tarmac.path, .version = "",
    .description = "", .devices = log->devices,
    .ndevices = 2 * log->tarmac.ncores, .buffers = &log->buffer, .nbuffers = 1
  };
  return TB_OK;
}

/* The name of a log that belongs to the snapshot beside it.  */
static const char beside[] = "tarmac.log";

bool
tb_session_log_has_snapshot (const char *path, char *directory, size_t size)
{
  const char *base = base_name (path);
  struct tb_snapshot snapshot;
  struct tb_diag silent = { 0 };
  struct stat st;
  char ini[4096];
  int n = snprintf (directory, size, "%.*s", (int) (base - path),
		    base == path ? "" : path);
  if (strcmp (base, beside) != 0 || n < 0 || (size_t) n >= size)
    return false;
  if (n == 0)
    snprintf (directory, size, ".");
  n = snprintf (ini, sizeof ini, "%s/snapshot.ini", directory);
  if (n < 0 || (size_t) n >= sizeof ini || stat (ini, &st) != 0
      || !S_ISREG (st.st_mode)
      || tb_snapshot_open (&snapshot, directory, NULL, &silent) != TB_OK)
    return false;
  bool trace = snapshot.nbuffers != 0 || snapshot.nstreams != 0, core = false;
  for (size_t i = 0; i < snapshot.ndevices; i++)
    {
      trace |= snapshot.devices[i].class == TB_CLASS_TRACE_SOURCE;
      core |= snapshot.devices[i].class == TB_CLASS_CORE;
    }
  tb_snapshot_close (&snapshot);
  return core && !trace;
}

bool
tb_session_log_fits (const struct tb_session *s)
{
  const struct tb_session_log *log = s->log;
  size_t found = 0;
  for (size_t i = 0; log != NULL && i < s->snapshot.ndevices; i++)
    found += tb_session_log_facts (s, &s->snapshot.devices[i]) != NULL;
  return log != NULL && found == log->tarmac.ncores;
}

enum tb_status
tb_session_log_beside (struct tb_session *s, bool asked_for,
		       const struct tb_session_options *options,
		       struct tb_diag *diag)
{
  char path[4096];
  if (s->snapshot.nbuffers != 0 || s->snapshot.nstreams != 0)
    return TB_OK;
  int n = snprintf (path, sizeof path, "%s/%s", s->snapshot.directory, beside);
  if (n < 0 || (size_t) n >= sizeof path || !tb_session_is_log (path))
    return TB_OK;
  tb_note (diag, asked_for ? "%s: read with the snapshot that it lies beside"
	   : "%s: the snapshot has no trace; this log lies beside it and is read "
	     "as such", path);
  enum tb_status status = read_log (s, path, options, diag);
  if (s->log != NULL)
    s->log->asked_for = asked_for;
  return status;
}

void
tb_session_log_close (struct tb_session *s)
{
  struct tb_session_log *log = s->log;
  if (log == NULL)
    return;
  for (size_t i = 0; log->names != NULL && i < log->tarmac.ncores; i++)
    free (log->names[i]);
  for (size_t i = 0; i < log->ncode; i++)
    free (log->code[i]);
  free (log->code);
  free (log->names);
  free (log->devices);
  free (log->directory);
  tb_tarmac_close (&log->tarmac);
  tb_trace_file_close (&log->file);
  free (log);
  s->log = NULL;
}

const struct tb_columns *
tb_session_log_facts (const struct tb_session *s,
		      const struct tb_device *device)
{
  const struct tb_session_log *log = s->log;
  if (log == NULL || device == NULL || device->class != TB_CLASS_CORE)
    return NULL;
  for (size_t i = 0; i < log->tarmac.ncores; i++)
    if (strcmp (log->tarmac.cores[i]->name, device->name) == 0)
      return log->tarmac.cores[i];
  /* One core here and there are the same one whatever their names.  */
  size_t cores = 0;
  for (size_t i = 0; i < s->snapshot.ndevices; i++)
    cores += s->snapshot.devices[i].class == TB_CLASS_CORE;
  return cores == 1 && log->tarmac.ncores == 1 ? log->tarmac.cores[0] : NULL;
}

const struct tb_device *
tb_session_log_source (const struct tb_session *s,
		       const struct tb_columns *facts)
{
  const struct tb_session_log *log = s->log;
  for (size_t i = 0; i < log->tarmac.ncores; i++)
    if (log->tarmac.cores[i] == facts)
      return &log->devices[log->tarmac.ncores + i];
  return NULL;
}

void
tb_session_log_read_code (struct tb_session *s, const struct tb_columns *f,
			  const struct tb_memmap *map)
{
  struct tb_facts_code *codes = (struct tb_facts_code *) f->codes.data;
  if (tb_session_trace_file (s) == NULL)
    return;
  for (size_t i = 0; i < f->codes.size / sizeof *codes; i++)
    {
      struct tb_facts_code *c = &codes[i];
      uint8_t bytes[4];
      size_t n = tb_memmap_read (map, TB_SPACE_ANY, c->pc, bytes, sizeof bytes);
      if (c->size != 0 || n < 2 || c->isa == TB_ISA_UNKNOWN)
	continue;
      uint32_t low = (uint32_t) (bytes[0] | bytes[1] << 8);
      uint32_t high = n == 4 ? (uint32_t) (bytes[2] | bytes[3] << 8) : 0;
      bool t32 = c->isa == TB_ISA_T32 || c->isa == TB_ISA_T32EE;
      /* DDI 0406, A6.1: whether a halfword is the first of two.  */
      bool wide = !t32 || low >> 11 >= 0x1d;
      if (wide && n < 4)
	continue;
      c->size = wide ? 4 : 2;
      c->opcode = !wide ? low : t32 ? low << 16 | high : low | high << 16;
    }
}

/* An instruction, to be sorted by its address; those that ran later come later.  */
struct piece
{
  uint64_t pc;
  uint32_t number;
};

static int
by_address (const void *a, const void *b)
{
  const struct piece *x = a, *y = b;
  return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1)
			: x->number < y->number ? -1 : x->number > y->number;
}

/* Add the code of PIECES, in the order of addresses, COUNT of them without large
   holes, to MAP.  */
static enum tb_status
add_code (struct tb_session_log *log, const struct tb_columns *f,
	  const struct piece *pieces, size_t count, struct tb_memmap *map,
	  struct tb_diag *diag)
{
  const struct tb_facts_code *codes
    = (const struct tb_facts_code *) f->codes.data;
  uint64_t start = pieces[0].pc;
  uint64_t length = pieces[count - 1].pc - start + 4;
  uint8_t *bytes = calloc (1, length), *told = calloc (1, length);
  enum tb_status status = TB_OK;
  bool ok = bytes != NULL && told != NULL
	    && TB_GROW (log->code, log->code_room, log->ncode, 1);
  if (!ok)
    {
      free (bytes);
      free (told);
      return TB_ERR_MEMORY;
    }
  log->code[log->ncode++] = bytes;
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_facts_code *c = &codes[pieces[i].number];
      uint64_t at = c->pc - start;
      uint32_t word = c->isa == TB_ISA_T32 && c->size == 4
		      ? c->opcode >> 16 | c->opcode << 16 : c->opcode;
      for (unsigned k = 0; k < c->size; k++)
	{
	  bytes[at + k] = (uint8_t) (word >> 8 * k);
	  told[at + k] = 1;
	}
    }
  for (uint64_t at = 0, end; at < length && status == TB_OK; at = end)
    {
      for (end = at; end < length && told[end] == told[at]; end++)
	;
      if (!told[at])
	continue;
      const struct tb_region region = {
	.address = start + at, .length = end - at, .access = TB_ACCESS_READ,
	.data = bytes + at, .name = TB_LOG_CODE
      };
      status = tb_memmap_add (map, &region, diag);
    }
  free (told);
  return status;
}

enum tb_status
tb_session_log_map (struct tb_session *s, const struct tb_columns *f,
		    struct tb_memmap *map, struct tb_diag *diag)
{
  const struct tb_facts_code *codes
    = (const struct tb_facts_code *) f->codes.data;
  size_t n = f->codes.size / sizeof *codes, count = 0;
  struct piece *pieces = calloc (n + 1, sizeof *pieces);
  enum tb_status status = pieces != NULL ? TB_OK : TB_ERR_MEMORY;
  for (size_t i = 0; status == TB_OK && i < n; i++)
    if (codes[i].size != 0 && codes[i].pc <= UINT64_MAX - 4)
      pieces[count++] = (struct piece) { codes[i].pc, (uint32_t) i };
  if (count > 0)
    qsort (pieces, count, sizeof *pieces, by_address);
  for (size_t i = 0, end; i < count && status == TB_OK; i = end)
    {
      for (end = i + 1; end < count && pieces[end].pc - pieces[end - 1].pc
				       <= CODE_APART; end++)
	;
      status = add_code (s->log, f, pieces + i, end - i, map, diag);
    }
  free (pieces);
  return status;
}
