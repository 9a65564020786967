/* Documents that GDB reads in pieces: qXfer.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: GDB manual, "General Query Packets", "Traceframe Info Format", "Thread
   List Format".  */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "btrace.h"
#include "dispatch.h"
#include "learned.h"
#include "memory.h"
#include "threads.h"
#include "tracing.h"

/* One kind of document.  */
struct object
{
  const char *name;
  const char *annex;		/* The one that it has.  */
  /* Append it; false: there is none now.  */
  bool (*make) (struct client *client, struct tb_buffer *text);
  /* Is there ever one?  NULL: always.  */
  bool (*is_there) (const struct client *client);
};

static bool
make_features (struct client *c, struct tb_buffer *text)
{
  struct target *t = c->target;
  const struct tb_tdesc *tdesc
    = target_prepare (t) ? t->tdesc : tb_session_tdesc (t->session, t->core, t->diag);
  if (tdesc == NULL)
    return false;
  tb_buffer_append (text, tdesc->text, tdesc->length);
  return true;
}

/* TEXT for use between XML tags and quotes.  */
static void
append_xml (struct tb_buffer *out, const char *text)
{
  for (; *text != 0; text++)
    switch (*text)
      {
      case '<': tb_buffer_printf (out, "&lt;"); break;
      case '>': tb_buffer_printf (out, "&gt;"); break;
      case '&': tb_buffer_printf (out, "&amp;"); break;
      case '"': tb_buffer_printf (out, "&quot;"); break;
      default:
	if ((unsigned char) *text >= ' ')
	  tb_buffer_append (out, text, 1);
      }
}

/* Append what PUT tells of thread ID.  */
static void
append_told (struct client *c, struct thread_id id, struct tb_buffer *text,
	     void (*put) (struct client *, struct thread_id, struct tb_buffer *))
{
  struct tb_buffer told = { 0 };
  put (c, id, &told);
  tb_buffer_append (&told, "", 1);
  text->failed |= told.failed;
  if (!told.failed)
    append_xml (text, (const char *) told.data);
  tb_buffer_fini (&told);
}

static bool
make_threads (struct client *c, struct tb_buffer *text)
{
  /* GDB asks for them when it shows a stop.  */
  c->end_stepped = c->announces = false;
  tb_buffer_printf (text, "<?xml version=\"1.0\"?>\n<threads>\n");
  for (struct thread_id id = THREADS_FIRST; threads_next (c, &id);)
    {
      tb_buffer_printf (text, "<thread id=\"%" PRIx64 "\" name=\"", threads_number (id));
      append_told (c, id, text, threads_put_name);
      tb_buffer_printf (text, "\">");
      append_told (c, id, text, threads_put_standing);
      tb_buffer_printf (text, "</thread>\n");
    }
  tb_buffer_printf (text, "</threads>\n");
  return true;
}

static bool
make_exec_file (struct client *c, struct tb_buffer *text)
{
  const char *path = c->target->elf_path;
  if (path == NULL)
    return false;
  /* GDB has one program for all threads.  */
  for (unsigned i = 0; c->threads != NULL && i < c->nthreads; i++)
    if (c->threads[i].target->elf_path == NULL)
      return false;
  tb_buffer_append (text, path, strlen (path));
  return true;
}

/* Did a kernel start the program?  */
static bool
has_vector (const struct client *c)
{
  return c->target->session->snapshot.loaded.vector != NULL;
}

/* What the kernel told it, by which GDB finds where it was loaded.  */
static bool
make_vector (struct client *c, struct tb_buffer *bytes)
{
  const struct tb_loaded *loaded = &c->target->session->snapshot.loaded;
  tb_buffer_append (bytes, loaded->vector, loaded->vector_size);
  return true;
}

static bool
make_traceframe_info (struct client *c, struct tb_buffer *text)
{
  const struct tb_moment *moment = c->frame >= 0 ? client_moment (c) : NULL;
  if (moment == NULL)
    return false;
  tb_buffer_printf (text, "<?xml version=\"1.0\"?>\n<traceframe-info>\n");
  bool before = target_glance (c->target, true);
  list_known_memory (c, moment, text);
  target_glance (c->target, before);
  struct trace_variable v;
  for (size_t at = 0; next_variable (c, &at, &v);)
    if (v.has_value)
      tb_buffer_printf (text, "<tvar id=\"0x%x\"/>\n", v.number);
  tb_buffer_printf (text, "</traceframe-info>\n");
  return true;
}

static const struct object objects[] = {
  { "features", "target.xml", make_features, NULL },
  { "threads", "", make_threads, NULL },
  { "exec-file", "", make_exec_file, NULL },
  { "auxv", "", make_vector, has_vector },
  { "traceframe-info", "", make_traceframe_info, NULL },
  { "statictrace", "", make_learned, NULL },
  { "btrace-conf", "", make_btrace_conf, NULL },
  { "btrace", "all", make_btrace_all, NULL },
  { "btrace", "new", make_btrace_all, NULL },
  { "btrace", "delta", make_btrace_delta, NULL }
};

/* Send LENGTH bytes from OFFSET on of OBJECT.  */
static void
read_document (struct client *c, const struct object *object, uint64_t offset,
	       uint64_t length)
{
  struct document *d = &c->document;
  if (offset == 0 || d->object != object)
    {
      d->object = object;
      tb_buffer_clear (&d->text);
      if (!object->make (c, &d->text) || d->text.failed)
	{
	  tb_buffer_fini (&d->text);
	  d->text.failed = false;
	  d->object = NULL;
	  reply_error (c);
	  return;
	}
    }
  if (offset > d->text.size)
    {
      reply_error (c);
      return;
    }
  uint64_t rest = d->text.size - offset;
  /* Each byte may need an escape.  */
  if (length > PACKET_LIMIT / 2 - 1)
    length = PACKET_LIMIT / 2 - 1;
  bool more = rest > length;
  if (!more)
    length = rest;
  reply_text (c, more ? "m" : "l");
  tb_buffer_append (&c->reply, d->text.data + offset, (size_t) length);
}

/* Is the text from TEXT to END the word WORD?  */
static bool
is_word (const char *text, const char *end, const char *word)
{
  return (size_t) (end - text) == strlen (word)
	 && memcmp (text, word, (size_t) (end - text)) == 0;
}

/* qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH  */
static void
transfer (struct client *c, const struct packet_args *args)
{
  const char *end = args->text + args->length;
  const char *name_end = strchr (args->text, ':');
  bool exists = false;
  if (name_end == NULL || strncmp (name_end, ":read:", 6) != 0)
    return;
  const char *annex = name_end + 6, *colon = strrchr (annex, ':');
  for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
    {
      const struct object *o = &objects[i];
      struct packet_args range;
      if (!is_word (args->text, name_end, o->name)
	  || (o->is_there != NULL && !o->is_there (c)))
	continue;
      exists = true;
      if (colon == NULL
	  || !packet_parse ("x,x", colon + 1, (size_t) (end - colon - 1),
			    &range))
	{
	  reply_error (c);
	  return;
	}
      if (is_word (annex, colon, o->annex))
	{
	  read_document (c, o, range.number[0], range.number[1]);
	  return;
	}
    }
  if (exists)
    reply_text (c, "E00");
}

const struct packet_handler packets_xfer[] = {
  { "qXfer:", "*", transfer },
  { NULL, NULL, NULL }
};
