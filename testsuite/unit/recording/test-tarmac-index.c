/* Indexes of logs: used where they fit, made anew where anything is amiss.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "recording/session-log.h"
#include "snapshot-tree.h"
#include "state/state.h"

static struct tree tree;
static struct tb_index_options options;

/* Open the log; what the last step but one has in r0, and whether an index was
   used.  */
static bool
open_log (uint64_t *steps, uint64_t *r0)
{
  struct tb_session session;
  const struct tb_session_options how = { .index = &options };
  static const struct tb_state_options plain;
  struct tb_value values[TB_NREGS_MAX];
  tree_forget (&tree);
  if (!CHECK (tb_session_open (&session, tree_path (&tree, "log"), &how,
			       &tree.diag) == TB_OK))
    return false;
  const struct tb_session_stream *s = &session.streams[0];
  struct tb_recording *r = tb_recording_open_facts (s->facts,
						    &s->core->profile,
						    s->core->map);
  struct tb_state *state = tb_state_open (r, &plain, &tree.diag);
  *steps = tb_recording_steps (r);
  tb_state_registers (state, *steps, values);
  *r0 = values[TB_R0].mask != 0 ? values[TB_R0].bits : UINT64_MAX;
  uint8_t bytes[4], origins[4];
  CHECK_INT (tb_state_memory (state, 2, 0x20000000, bytes, origins, 4), 4);
  CHECK_INT (bytes[0], 7);
  struct tb_access_info access;
  CHECK_INT (tb_state_accesses (state, 1, &access, 1), 1);
  CHECK_INT (access.value, 7);
  CHECK_STR (session.cores[0].device->name, "cpu0");
  bool indexed = session.log->tarmac.indexed;
  tb_state_close (state);
  tb_recording_close (r);
  tb_session_close (&session);
  return indexed;
}

/* Write a log of COUNT steps that ends with r0 being LAST.  */
static void
write_log (unsigned count, unsigned last)
{
  static char text[200000];
  char *p = text;
  for (unsigned i = 0; i < count; i++)
    {
      p += sprintf (p, "%u ns IT (%u) %08x 2001 T16 MOV\n", i, i,
		    0x100 + i % 50 * 2);
      p += sprintf (p, "%u ns R r0 %08x\n", i, i + 1 == count ? last : i);
      if (i == 1)
	p += sprintf (p, "1 ns MNW4___D 20000000 00000007\n");
    }
  tree_write_bytes (&tree, "log", text, (size_t) (p - text));
}

static uint8_t *
read_index (size_t *size)
{
  static uint8_t bytes[1 << 20];
  FILE *in = fopen (tree_path (&tree, "index"), "rb");
  *size = in != NULL ? fread (bytes, 1, sizeof bytes, in) : 0;
  if (in != NULL)
    fclose (in);
  return bytes;
}

int
main (void)
{
  static char cache[1024], file[1024];
  uint64_t steps, r0;
  tree_make (&tree);
  snprintf (cache, sizeof cache, "%s", tree_path (&tree, "cache"));
  snprintf (file, sizeof file, "%s", tree_path (&tree, "index"));
  options = (struct tb_index_options) { .cache = cache, .file = file };

  write_log (1000, 5);
  CHECK (!open_log (&steps, &r0));
  CHECK (open_log (&steps, &r0));
  CHECK (steps == 1000 && r0 == 5);

  /* Another content of the same size; one that has grown; an older one.  */
  write_log (1000, 6);
  CHECK (!open_log (&steps, &r0));
  CHECK (steps == 1000 && r0 == 6);
  write_log (1001, 7);
  CHECK (!open_log (&steps, &r0));
  CHECK (steps == 1001 && r0 == 7);
  write_log (900, 8);
  CHECK (!open_log (&steps, &r0));
  CHECK (steps == 900 && r0 == 8);
  CHECK (open_log (&steps, &r0));

  /* A byte that is another one is noticed wherever it is; so is an end.  */
  size_t size;
  uint8_t *bytes = read_index (&size);
  CHECK (size > 1000);
  static uint8_t copy[1 << 20];
  memcpy (copy, bytes, size);
  for (size_t at = 0; at < size; at += 1 + size / 97)
    {
      /* What fills up a column to its full length has no meaning.  */
      memcpy (bytes, copy, size);
      bytes[at] ^= 0x10;
      bool filling = copy[at] == 0;
      tree_write_bytes (&tree, "index", bytes, size);
      bool used = open_log (&steps, &r0);
      CHECK (!used || filling);
      CHECK (steps == 900 && r0 == 8);
      tree_write_bytes (&tree, "index", copy, at);
      CHECK (!open_log (&steps, &r0));
      CHECK (steps == 900 && r0 == 8);
    }

  /* Somebody else's index, who has another secret.  */
  tree_write_bytes (&tree, "index", copy, size);
  CHECK (open_log (&steps, &r0));
  snprintf (cache, sizeof cache, "%s", tree_path (&tree, "cache2"));
  CHECK (!open_log (&steps, &r0));
  CHECK (steps == 900 && r0 == 8);

  /* Too small for one.  */
  options.least = 1 << 20;
  CHECK (!open_log (&steps, &r0));
  tree_remove (&tree);
  return check_done ();
}
