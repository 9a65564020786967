/* Unit test of the snapshot reader: damaged files never do harm, and are either
   read or complained of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "snapshot-tree.h"

#define ROUNDS 4000

static const struct { const char *name, *text; } files[] = {
  { "snapshot.ini", tree_snapshot_ini },
  { "cpu_0.ini", tree_cpu_ini },
  { "etm_0.ini", tree_etm_ini },
  { "trace.ini", tree_trace_ini }
};

/* A linear congruential generator (the constants of MMIX): the same rounds in
   every run.  */
static uint64_t state = 20260101;

static unsigned
random_below (size_t limit)
{
  state = state * UINT64_C (6364136223846793005)
	  + UINT64_C (1442695040888963407);
  return (unsigned) ((state >> 33) % limit);
}

/* Damage the LENGTH bytes of TEXT, which has room for twice as many.  Returns
   the new length.  */
static size_t
damage (char *text, size_t length)
{
  static const char special[] = "[]=:;#,()@ \t\r\n\"\\/.0x-\xff";
  for (unsigned n = 1 + random_below (3); n > 0 && length > 0; n--)
    {
      size_t at = random_below (length), count;
      switch (random_below (6))
	{
	case 0:		/* Cut the end off.  */
	  length = at;
	  break;
	case 1:		/* Flip a bit.  */
	  text[at] = (char) (text[at] ^ 1 << random_below (8));
	  break;
	case 2:		/* Put in what means something.  */
	  text[at] = special[random_below (sizeof special - 1)];
	  break;
	case 3:		/* Leave something out.  */
	  count = 1 + random_below (length - at);
	  memmove (text + at, text + at + count, length - at - count);
	  length -= count;
	  break;
	case 4:		/* Say something twice.  */
	  count = 1 + random_below (length - at);
	  if (count > 40)
	    count = 40;
	  memmove (text + at + count, text + at, length - at);
	  length += count;
	  break;
	default:	/* A long run of one character.  */
	  count = random_below (150);
	  memmove (text + at + count, text + at, length - at);
	  memset (text + at, text[at + count], count);
	  length += count;
	  break;
	}
    }
  return length;
}

int
main (void)
{
  static struct tree tree;
  char text[4096];
  unsigned good = 0, bad = 0;
  tree_make (&tree);
  for (unsigned i = 0; i < ROUNDS; i++)
    {
      size_t which = random_below (sizeof files / sizeof files[0]);
      size_t length = strlen (files[which].text);
      memcpy (text, files[which].text, length);
      length = damage (text, length);
      tree_write_bytes (&tree, files[which].name, text, length);

      struct tb_snapshot snapshot;
      enum tb_status status = tree_open (&tree, &snapshot);
      if (status == TB_OK)
	{
	  good++;
	  CHECK_INT (tree.diag.errors, 0);
	  for (size_t j = 0; j < snapshot.ndevices; j++)
	    {
	      const struct tb_device *device = &snapshot.devices[j];
	      uint8_t sum = 0;
	      for (size_t k = 0; k < device->ndumps; k++)
		for (uint64_t n = 0; n < device->dumps[k].length; n++)
		  sum = (uint8_t) (sum + device->dumps[k].data[n]);
	      for (size_t k = 0; k < device->nregs; k++)
		sum = (uint8_t) (sum + device->regs[k].bytes
				 [(device->regs[k].bits - 1) / 8]);
	      CHECK (sum == sum && *device->name != '\0');
	    }
	  tb_snapshot_close (&snapshot);
	}
      else
	{
	  bad++;
	  CHECK (tree.diag.errors > 0);
	  CHECK (snapshot.store == NULL);
	}
      tree_write (&tree, files[which].name, files[which].text);
    }
  /* Damage that is never noticed, or always fatal, would test nothing.  */
  CHECK (good > ROUNDS / 20 && bad > ROUNDS / 20);
  printf ("%u read, %u refused\n", good, bad);
  tree_remove (&tree);
  return check_done ();
}
