/* What LLDB alone asks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: LLDB's documentation, "GDB Remote Protocol Extensions"; what comes of an
   answer was tried with LLDB 14 and 22.  */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "dispatch.h"
#include "registers.h"
#include "tasks.h"
#include "threads.h"

/* Packets that GDB does not have.  They are answered like those that are not known, but
   some replies have another form for LLDB.  */
static void
lldb_asks (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->is_lldb = true;
}

/* Tell that execution stops before what is watched is accessed, as GDB takes it: LLDB 14 takes
   it for stopped behind, and would show the value of the time before as the new one.

   And the architecture, where that is of use.  Of an ELF file's "arm" LLDB takes some
   instructions of ARMv6-M for those of A32, and LLDB 22 finds no way out of a handler.  The
   names of later ones it is not told: LLDB 22 hangs where armv7m or armv7em meets such a
   file, and decodes less of armv7 than of "arm".  */
static void
host_info (struct client *c, const struct packet_args *args)
{
  static const char triple[] = "armv6m-none-eabi";
  lldb_asks (c, args);
  reply_text (c, "watchpoint_exceptions_received:before;");
  if (target_profile (c->target)->arch != TB_ARCH_V6M)
    return;
  reply_text (c, "triple:");
  tb_hex_append (&c->reply, triple, sizeof triple - 1);
  reply_text (c, ";ptrsize:4;endian:little;");
}

/* qWatchpointSupportInfo: of as many as it may have LLDB only looks whether there are any; it asks
   before it takes the above for true.  */
static void
watchpoint_info (struct client *c, const struct packet_args *args)
{
  lldb_asks (c, args);
  reply_printf (c, "num:%d;", BREAKPOINTS_MAX);
}

/* Is ID the thread whose stop was told?  */
static bool
has_stopped (const struct client *c, struct thread_id id)
{
  return id.core == c->stop_thread.core && id.task == c->stop_thread.task;
}

/* What PUT tells of thread ID, into TEXT, in hexadecimal.  */
static void
append_told (struct client *c, const char *key, struct thread_id id,
	     void (*put) (struct client *, struct thread_id, struct tb_buffer *))
{
  struct tb_buffer told = { 0 };
  put (c, id, &told);
  reply_printf (c, "%s:", key);
  if (!told.failed)
    tb_hex_append (&c->reply, told.data, told.size);
  c->reply.failed |= told.failed;
  reply_text (c, ";");
  tb_buffer_fini (&told);
}

/* qThreadStopInfo: why one of the threads has stopped, and its name.  The others have no
   reason of their own.  */
static void
stop_info (struct client *c, const struct packet_args *args)
{
  struct thread_id id;
  lldb_asks (c, args);
  if (c->ended || !threads_parse (c, args->text, args->length, &id)
      || !tasks_listed (c, id))
    {
      reply_error (c);
      return;
    }
  reply_printf (c, "T%02xthread:%" PRIx64 ";", has_stopped (c, id) ? c->stop_signal : 0,
		threads_number (id));
  append_told (c, "hexname", id, threads_put_name);
  if (has_stopped (c, id) && c->stop_description != NULL)
    {
      reply_text (c, "description:");
      tb_hex_append (&c->reply, c->stop_description, strlen (c->stop_description));
      reply_text (c, ";");
    }
}

/* Append TEXT as a string of JSON.  */
static void
append_json (struct tb_buffer *out, const struct tb_buffer *text)
{
  tb_buffer_append (out, "\"", 1);
  for (size_t i = 0; i < text->size; i++)
    if (text->data[i] == '"' || text->data[i] == '\\')
      tb_buffer_printf (out, "\\%c", text->data[i]);
    else if (text->data[i] < ' ')
      tb_buffer_printf (out, "\\u%04x", text->data[i]);
    else
      tb_buffer_append (out, &text->data[i], 1);
  tb_buffer_append (out, "\"", 1);
}

/* Append ,"KEY": and what PUT tells of thread ID.  */
static void
append_member (struct client *c, const char *key, struct thread_id id,
	       void (*put) (struct client *, struct thread_id, struct tb_buffer *))
{
  struct tb_buffer told = { 0 };
  put (c, id, &told);
  reply_printf (c, ",\"%s\":", key);
  append_json (&c->reply, &told);
  c->reply.failed |= told.failed;
  tb_buffer_fini (&told);
}

/* The core that runs it.  */
static void
put_core (struct client *c, struct thread_id id, struct tb_buffer *text)
{
  tb_buffer_printf (text, "%s", threads_target (c, id.core)->name);
}

/* jThreadsInfo: the same of all threads.  */
static void
threads_info (struct client *c, const struct packet_args *args)
{
  const char *before = "[";
  lldb_asks (c, args);
  for (struct thread_id id = THREADS_FIRST; threads_next (c, &id); before = ",")
    {
      bool stopped = has_stopped (c, id);
      reply_printf (c, "%s{\"tid\":%" PRIu64, before, threads_number (id));
      append_member (c, "name", id, threads_put_name);
      if (stopped)
	reply_printf (c, ",\"signal\":%u,\"reason\":\"%s\"", c->stop_signal,
		      c->stop_description != NULL ? "exception" : "signal");
      if (stopped && c->stop_description != NULL)
	reply_printf (c, ",\"description\":\"%s\"", c->stop_description);
      reply_text (c, "}");
    }
  reply_text (c, *before == '[' ? "[]" : "]");
}

/* jThreadExtendedInfo: what a task does, where it waits and since when.  Without a thread it asks
   whether there is such a packet.  */
static void
extended_info (struct client *c, const struct packet_args *args)
{
  static const char key[] = "\"thread\":";
  const char *at = memmem (args->text, args->length, key, sizeof key - 1);
  lldb_asks (c, args);
  if (args->length == 0)
    {
      reply_ok (c);
      return;
    }
  const char *end = args->text + args->length;
  uint64_t number = 0;
  if (at != NULL)
    for (at += sizeof key - 1; at < end && *at >= '0' && *at <= '9' && number < UINT32_MAX; at++)
      number = 10 * number + (uint64_t) (*at - '0');
  for (struct thread_id id = THREADS_FIRST; threads_next (c, &id);)
    if (threads_number (id) == number)
      {
	reply_printf (c, "{\"thread\":%" PRIu64, number);
	append_member (c, "core", id, put_core);
	append_member (c, "state", id, threads_put_standing);
	reply_text (c, "}");
	return;
      }
  reply_error (c);
}

const struct packet_handler packets_lldb[] = {
  { "QThreadSuffixSupported", "", lldb_asks },
  { "QListThreadsInStopReply", "", lldb_asks },
  { "qVAttachOrWaitSupported", "", lldb_asks },
  { "qHostInfo", "", host_info },
  { "qWatchpointSupportInfo:", "", watchpoint_info },
  { "qThreadStopInfo", "*", stop_info },
  { "jThreadsInfo", "", threads_info },
  { "jThreadExtendedInfo:", "*", extended_info },
  { NULL, NULL, NULL }
};
