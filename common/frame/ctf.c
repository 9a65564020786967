/* Trace frames in the Common Trace Format.  See ctf.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/ctf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frame/frame.h"
#include "util/buffer.h"
#include "util/number.h"
#include "util/outdir.h"

/* What begins each packet (CTF 1.8, 5.1).  */
#define MAGIC UINT32_C (0xc1fc1fc1)

/* GDB's numbers of events.  */
enum
{
  EVENT_REGISTER, EVENT_VARIABLE, EVENT_MEMORY, EVENT_FRAME, EVENT_STATUS,
  EVENT_VARIABLE_DEFINITION, EVENT_TRACEPOINT_DEFINITION
};

/* GDB's numbers: why tracing stopped ("tstop"), and what a breakpoint is.  */
#define STOP_COMMAND 2
#define BREAKPOINT_IS_TRACEPOINT 27

/* Offsets in a packet.  */
#define AT_CONTENT_SIZE 4
#define AT_PACKET_SIZE 8

/* Every register block has this much more than the registers.  */
#define REGISTER_PADDING 1

static const char *const files[] = {
  "metadata", "datastream", ".target.xml", NULL
};

struct tb_ctf
{
  struct tb_outdir *dir;
  struct tb_outfile *stream;
  struct tb_diag *diag;
  struct tb_buffer packet;
  unsigned register_bytes;
};

/* Fields are aligned to their size within the packet.  */
static void
put (struct tb_buffer *packet, uint64_t value, unsigned size)
{
  static const uint8_t zeros[8];
  size_t rest = packet->size % size;
  if (rest != 0)
    tb_buffer_append (packet, zeros, size - rest);
  tb_buffer_append_le (packet, value, size);
}

static void
put_text (struct tb_buffer *packet, const char *text)
{
  tb_buffer_append (packet, text, strlen (text) + 1);
}

static void
begin_packet (struct tb_buffer *packet, unsigned tracepoint)
{
  tb_buffer_clear (packet);
  put (packet, MAGIC, 4);
  put (packet, 0, 4);
  put (packet, 0, 4);
  put (packet, tracepoint, 2);
  put (packet, EVENT_FRAME, 4);
}

static enum tb_status
end_packet (struct tb_ctf *ctf)
{
  struct tb_buffer *packet = &ctf->packet;
  size_t content = packet->size;
  put (packet, 0, 8);
  /* Sizes are in bits, in a word.  */
  if (packet->failed || packet->size > UINT32_MAX / 8)
    {
      tb_error (ctf->diag, "%s: no memory for a frame",
		tb_outfile_name (ctf->stream));
      return TB_ERR_MEMORY;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      packet->data[AT_CONTENT_SIZE + i] = (uint8_t) (content * 8 >> 8 * i);
      packet->data[AT_PACKET_SIZE + i] = (uint8_t) (packet->size * 8 >> 8 * i);
    }
  return tb_outfile_write (ctf->stream, packet->data, packet->size);
}

static void
put_variable (struct tb_buffer *packet, const struct tb_tsv_def *variable)
{
  put (packet, EVENT_VARIABLE_DEFINITION, 4);
  put (packet, (uint64_t) variable->initial, 8);
  put (packet, variable->number, 4);
  put (packet, 0, 4);		/* Not of GDB's own.  */
  put_text (packet, variable->name);
}

static void
put_tracepoint (struct tb_buffer *packet,
		const struct tb_tracepoint_def *tracepoint)
{
  put (packet, EVENT_TRACEPOINT_DEFINITION, 4);
  put (packet, tracepoint->address, 8);
  put (packet, 0, 8);		/* Bytes of frames; not told.  */
  put (packet, tracepoint->number, 4);
  put (packet, !tracepoint->disabled, 4);
  put (packet, tracepoint->steps, 4);
  put (packet, tracepoint->pass, 4);
  put (packet, tracepoint->hits, 4);
  put (packet, BREAKPOINT_IS_TRACEPOINT, 4);
  put_text (packet, "");	/* Condition as bytecode.  */
  put (packet, 0, 4);		/* Actions as the remote protocol has them.  */
  put (packet, 0, 4);		/* The same while stepping.  */
  char at[32];
  snprintf (at, sizeof at, "*0x%llx", (unsigned long long) tracepoint->address);
  put_text (packet, at);
  put_text (packet, tracepoint->condition != NULL ? tracepoint->condition
						  : "");
  put (packet, tracepoint->ncollect, 4);
  for (size_t i = 0; i < tracepoint->ncollect; i++)
    put_text (packet, tracepoint->collect[i]);
}

/* The first packet.  */
static enum tb_status
write_definitions (struct tb_ctf *ctf, const struct tb_tracefile_header *h)
{
  struct tb_buffer *packet = &ctf->packet;
  begin_packet (packet, 0);
  put (packet, EVENT_STATUS, 4);
  put (packet, STOP_COMMAND, 4);
  put (packet, 0, 4);		/* By no tracepoint.  */
  put (packet, h->frames, 4);
  put (packet, h->created, 4);
  put (packet, UINT32_MAX, 4);	/* The buffer's free bytes and size: not known.  */
  put (packet, UINT32_MAX, 4);
  put (packet, 0, 4);		/* Neither disconnected nor circular.  */
  put (packet, 0, 4);
  /* GDB makes its own of the last one first.  */
  for (size_t i = h->nvariables; i > 0; i--)
    put_variable (packet, &h->variables[i - 1]);
  for (size_t i = h->ntracepoints; i > 0; i--)
    put_tracepoint (packet, &h->tracepoints[i - 1]);
  return end_packet (ctf);
}

/* What is in the stream (CTF 1.8, 7: TSDL).  */
static void
compose_metadata (struct tb_buffer *text, unsigned register_bytes)
{
  static const struct
  {
    int number;
    const char *name, *fields;
  } events[] = {
    { EVENT_VARIABLE, "tsv", "uint64_t val; uint32_t num;" },
    { EVENT_MEMORY, "memory",
      "uint64_t address; uint16_t length; uint8_t contents[length];" },
    { EVENT_FRAME, "frame", "" },
    { EVENT_STATUS, "status",
      "int32_t stop_reason; int32_t stopping_tracepoint; "
      "int32_t traceframe_count; int32_t traceframes_created; "
      "int32_t buffer_free; int32_t buffer_size; "
      "int32_t disconnected_tracing; int32_t circular_buffer;" },
    { EVENT_VARIABLE_DEFINITION, "tsv_def",
      "int64_t initial_value; int32_t number; int32_t builtin; chars name;" },
    { EVENT_TRACEPOINT_DEFINITION, "tp_def",
      "uint64_t addr; uint64_t traceframe_usage; int32_t number; "
      "int32_t enabled; int32_t step; int32_t pass; int32_t hit_count; "
      "int32_t type; chars cond; "
      "uint32_t action_num; chars actions[action_num]; "
      "uint32_t step_action_num; chars step_actions[step_action_num]; "
      "chars at_string; chars cond_string; "
      "uint32_t cmd_num; chars cmd_strings[cmd_num];" }
  };
  tb_buffer_printf (text, "/* CTF 1.8 */\n\n");
  for (unsigned size = 8; size <= 64; size *= 2)
    tb_buffer_printf (text, "typealias integer { size = %u; align = %u; signed = "
		      "false; } := uint%u_t;\n", size, size, size);
  for (unsigned size = 32; size <= 64; size *= 2)
    tb_buffer_printf (text, "typealias integer { size = %u; align = %u; signed = "
		      "true; } := int%u_t;\n", size, size, size);
  tb_buffer_printf (text, "typealias integer { size = 8; align = 8; signed = false; "
		    "encoding = ascii; } := ascii;\n"
		    "typealias string { encoding = ascii; } := chars;\n\n"
		    "trace {\n  major = 1; minor = 8; byte_order = le;\n"
		    "  packet.header := struct { uint32_t magic; };\n};\n\n"
		    "stream {\n"
		    "  packet.context := struct { uint32_t content_size; "
		    "uint32_t packet_size; uint16_t tpnum; };\n"
		    "  event.header := struct { uint32_t id; };\n};\n");
  for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
    tb_buffer_printf (text, "\nevent {\n  name = \"%s\"; id = %d;\n  fields := struct "
		      "{ %s };\n};\n", events[i].name, events[i].number,
		      events[i].fields);
  tb_buffer_printf (text, "\nevent {\n  name = \"register\"; id = %d;\n  fields := "
		    "struct { ascii contents[%u]; };\n};\n", EVENT_REGISTER,
		    register_bytes + REGISTER_PADDING);
}

/* Write the SIZE bytes TEXT as the folder's file NAME.  */
static enum tb_status
write_file (struct tb_ctf *ctf, const char *name, const void *text, size_t size)
{
  struct tb_outfile *out = tb_outdir_file (ctf->dir, name);
  if (out == NULL)
    return TB_ERR_IO;
  /* What goes wrong is said, and comes up again at the end.  */
  tb_outfile_write (out, text, size);
  return tb_outfile_finish (out);
}

struct tb_ctf *
tb_ctf_create (const char *path, const struct tb_tracefile_header *h,
	       struct tb_diag *diag)
{
  struct tb_ctf *ctf = calloc (1, sizeof *ctf);
  struct tb_buffer text = { 0 };
  compose_metadata (&text, h->register_bytes);
  if (ctf == NULL || text.failed)
    {
      tb_error (diag, "%s: no memory to write it", path);
      tb_buffer_fini (&text);
      free (ctf);
      return NULL;
    }
  ctf->diag = diag;
  ctf->register_bytes = h->register_bytes;
  ctf->dir = tb_outdir_open (path, files, diag);
  bool good = ctf->dir != NULL
	      && write_file (ctf, "metadata", text.data, text.size) == TB_OK
	      && write_file (ctf, ".target.xml", h->tdesc, strlen (h->tdesc))
		 == TB_OK;
  tb_buffer_fini (&text);
  if (good)
    ctf->stream = tb_outdir_file (ctf->dir, "datastream");
  if (ctf->stream == NULL || write_definitions (ctf, h) != TB_OK)
    {
      tb_ctf_abandon (ctf);
      return NULL;
    }
  return ctf;
}

enum tb_status
tb_ctf_frame (struct tb_ctf *ctf, unsigned tracepoint, const uint8_t *blocks,
	      size_t length)
{
  struct tb_buffer *packet = &ctf->packet;
  begin_packet (packet, tracepoint);
  for (size_t at = 0; at < length;)
    {
      const uint8_t *block = blocks + at;
      size_t size;
      switch (block[0])
	{
	case 'R':
	  put (packet, EVENT_REGISTER, 4);
	  tb_buffer_append (packet, block + TB_BLOCK_R_HEAD,
			    ctf->register_bytes);
	  tb_buffer_append_le (packet, 0, REGISTER_PADDING);
	  at += TB_BLOCK_R_HEAD + ctf->register_bytes;
	  break;
	case 'M':
	  size = (size_t) tb_number (block + 9, 2);
	  put (packet, EVENT_MEMORY, 4);
	  put (packet, tb_number (block + 1, 8), 8);
	  put (packet, size, 2);
	  tb_buffer_append (packet, block + TB_BLOCK_M_HEAD, size);
	  at += TB_BLOCK_M_HEAD + size;
	  break;
	default:
	  assert (block[0] == 'V');
	  put (packet, EVENT_VARIABLE, 4);
	  put (packet, tb_number (block + 5, 8), 8);
	  put (packet, tb_number (block + 1, 4), 4);
	  at += TB_BLOCK_V_SIZE;
	}
    }
  return end_packet (ctf);
}

enum tb_status
tb_ctf_finish (struct tb_ctf *ctf)
{
  enum tb_status status = tb_outfile_finish (ctf->stream);
  ctf->stream = NULL;
  if (status == TB_OK)
    {
      status = tb_outdir_finish (ctf->dir);
      ctf->dir = NULL;
    }
  tb_ctf_abandon (ctf);
  return status;
}

void
tb_ctf_abandon (struct tb_ctf *ctf)
{
  tb_outfile_abandon (ctf->stream);
  tb_outdir_abandon (ctf->dir);
  tb_buffer_fini (&ctf->packet);
  free (ctf);
}
