/* Tests of trace whose sources no file tells of: recording/guess.h, and what sessions make of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "snapshot-tree.h"
#include "recording/guess.h"
#include "recording/session.h"
#include "util/buffer.h"

#define IDS 111

static struct tree tree;

/* Append DATA, SIZE bytes, in frames that begin with ID, filled up with those of nobody's.  */
static void
append_frames (struct tb_buffer *to, const uint8_t *data, size_t size, unsigned id)
{
  for (size_t at = 0; at < size;)
    {
      uint8_t frame[16] = { (uint8_t) (id << 1 | 1) };
      /* Another ID stands at an even place.  */
      size_t n = size - at < 14 ? (size - at - 1) | 1 : 14;
      for (size_t i = 1; i <= n; i++, at++)
	{
	  uint8_t byte = at < size ? data[at] : 0;
	  frame[15] |= (uint8_t) (i % 2 == 0 ? (byte & 1) << i / 2 : 0);
	  frame[i] = i % 2 == 0 ? byte & 0xfe : byte;
	}
      if (n < 14)
	frame[n + 1] = 1;
      tb_buffer_append (to, frame, sizeof frame);
    }
}

/* Make a snapshot of BUFFERS buffers, each of which has trace of all IDs, and no devices but two
   cores.  */
static void
make_snapshot (unsigned buffers)
{
  static const uint8_t code[] = {
    0x1f, 0x20, 0x03, 0xd5, 0x60, 0, 0, 0x54, 0x1f, 0x20, 0x03, 0xd5, 0xfd, 0xff, 0xff, 0x17
  };
  /* Synchronisation, trace info, an address with its context, atoms.  */
  static const uint8_t trace[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 1, 1, 0, 0x82, 0, 8, 0, 0, 0x31,
    0xf6, 0xf7, 0xf7, 0xf6, 0xf7, 0xf7, 0xf6, 0xf7, 0xf7, 0xf6, 0xf7, 0xf7, 0xf6, 0xf7, 0xf7
  };
  struct tb_buffer frames = { 0 }, text = { 0 };
  for (unsigned id = 1; id <= IDS; id++)
    append_frames (&frames, trace, sizeof trace, id);
  tree_write_bytes (&tree, "trace.bin", frames.data, frames.size);
  tree_write_bytes (&tree, "code.bin", code, sizeof code);
  tree_write (&tree, "snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu_0.ini\n"
	      "device1=cpu_1.ini\n[trace]\nmetadata=trace.ini\n");
  for (unsigned i = 0; i < 2; i++)
    tree_write (&tree, i == 0 ? "cpu_0.ini" : "cpu_1.ini",
		i == 0 ? "[device]\nname=cpu_0\nclass=core\ntype=ARMv8-A\n"
		"[dump0]\nfile=code.bin\naddress=0x1000\n"
		: "[device]\nname=cpu_1\nclass=core\ntype=ARMv8-A\n"
		"[dump0]\nfile=code.bin\naddress=0x1000\n");
  tb_buffer_printf (&text, "[trace_buffers]\nbuffers=");
  for (unsigned i = 0; i < buffers; i++)
    tb_buffer_printf (&text, "%sbuffer%u", i > 0 ? "," : "", i);
  for (unsigned i = 0; i < buffers; i++)
    tb_buffer_printf (&text, "\n[buffer%u]\nname=b%u\nfile=trace.bin\nformat=coresight\n", i, i);
  tree_write_bytes (&tree, "trace.ini", text.data, text.size);
  tb_buffer_fini (&text);
  tb_buffer_fini (&frames);
}

/* Several buffers have more sources than there are IDs; of too many it is said that there are, as a
   snapshot has room for no more.  */
static void
test_many_sources (void)
{
  struct tb_session session;
  make_snapshot (2);
  tree_forget (&tree);
  if (CHECK_INT (tb_session_open (&session, tree.root, NULL, &tree.diag), TB_OK))
    {
      CHECK_INT (session.snapshot.ndevices, 2 + 2 * IDS);
      CHECK_INT (session.nstreams, 2 * IDS);
      CHECK_STR (session.snapshot.devices[2 + 2 * IDS - 1].type, "ETM4");
      tb_session_close (&session);
    }
  make_snapshot (5);
  tree_forget (&tree);
  CHECK_INT (tb_session_open (&session, tree.root, NULL, &tree.diag), TB_ERR_INPUT);
  CHECK (strstr (tree.said, "expected at most 512 sources of trace that no file tells of, found "
		 "more") != NULL);
}

/* What is decoded is taken off the effort, and no more than that is.  */
static void
test_effort (void)
{
  struct tb_session session;
  make_snapshot (1);
  tree_forget (&tree);
  if (!CHECK_INT (tb_session_open (&session, tree.root, NULL, &tree.diag), TB_OK))
    return;
  const struct tb_session_core *core = &session.cores[0];
  const struct tb_trace_buffer *buffer = &session.snapshot.buffers[0];
  const struct tb_decoder_config config = {
    .core = core->device, .buffer = buffer, .profile = &core->profile, .map = core->map
  };
  struct tb_guess guess;
  struct tb_guess_effort effort = TB_GUESS_EFFORT;
  uint64_t all = effort.bytes;
  CHECK_INT (tb_guess_find (&guess, &config, 0x10, &effort), 1);
  CHECK (!effort.spent && effort.bytes < all - 2 * buffer->size);
  /* A single contradiction may be the seam of a ring.  */
  struct tb_guess shown = guess;
  for (unsigned n = 0; n < 3; n++)
    {
      struct tb_buffer text = { 0 };
      shown.trial.contradictions = n;
      tb_guess_text (&text, &shown, "");
      tb_buffer_append (&text, "", 1);
      CHECK_INT (strstr ((const char *) text.data, "contradicts 1 time (as where a ring was not "
			 "read from its oldest byte on, at the write pointer), and is") != NULL,
		 n == 1);
      tb_buffer_fini (&text);
    }
  effort.bytes = buffer->size;
  CHECK (tb_guess_try (&guess, &config, 0x10, &effort));
  CHECK_INT (effort.bytes, 0);
  CHECK (!effort.spent);
  CHECK (!tb_guess_try (&guess, &config, 0x10, &effort));
  CHECK (effort.spent);
  effort = (struct tb_guess_effort) { .bytes = 3 * buffer->size };
  CHECK_INT (tb_guess_find (&guess, &config, 0x10, &effort), -1);
  CHECK (effort.spent);
  tb_session_close (&session);
}

int
main (void)
{
  tree_make (&tree);
  test_many_sources ();
  test_effort ();
  tree_remove (&tree);
  return check_done ();
}
