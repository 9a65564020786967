/* Unit tests of the memory map: precedence, spaces, boundaries.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "snapshot/maker.h"
#include "snapshot/memmap.h"

static char said[4096];

static void
say (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  size_t length = strlen (said);
  snprintf (said + length, sizeof said - length, "%s\n", message);
}

static struct tb_diag diag;

static uint8_t a[256], b[256], c[256];

static void
fill (void)
{
  memset (a, 'a', sizeof a);
  memset (b, 'b', sizeof b);
  memset (c, 'c', sizeof c);
}

static struct tb_memmap *
new_map (void)
{
  said[0] = '\0';
  diag = (struct tb_diag) { .report = say };
  return tb_memmap_new ();
}

static void
add (struct tb_memmap *map, uint64_t address, uint64_t length,
     enum tb_space space, bool dump, const uint8_t *data, const char *name)
{
  struct tb_region region = {
    .address = address, .length = length, .space = space,
    .access = dump ? TB_ACCESS_UNKNOWN : TB_ACCESS_READ,
    .halt_contents = dump, .data = data, .name = name
  };
  CHECK_INT (tb_memmap_add (map, &region, &diag), TB_OK);
}

/* What SPACE has from FIRST on, COUNT bytes, '.' where there is nothing.  */
static const char *
show (const struct tb_memmap *map, enum tb_space space, uint64_t first,
      unsigned count)
{
  static char text[64];
  for (unsigned i = 0; i < count; i++)
    {
      uint64_t length;
      const struct tb_region *region;
      const uint8_t *byte = tb_memmap_at (map, space, first + i, &length,
					  &region);
      text[i] = byte != NULL ? (char) *byte : '.';
      CHECK ((byte != NULL) == (length > 0));
      CHECK ((byte != NULL) == (region != NULL));
    }
  text[count] = '\0';
  return text;
}

/* Each case: regions, and what they come to from address 0 on.  */
static const struct
{
  struct { uint8_t address, length; char data; bool elf; } regions[5];
  const char *bytes;
  unsigned runs;		/* Distinct runs, by their lengths.  */
} overlaps[] = {
  { { { 2, 3, 'a', false } }, "..aaa...", 1 },
  /* Of ELF files the first one wins, whatever is before the other.  */
  { { { 0, 4, 'a', true }, { 2, 4, 'b', true } }, "aaaabb..", 2 },
  { { { 2, 4, 'a', true }, { 0, 4, 'b', true } }, "bbaaaa..", 2 },
  { { { 2, 2, 'a', true }, { 0, 8, 'b', true } }, "bbaabbbb", 3 },
  { { { 0, 8, 'a', true }, { 2, 2, 'b', true } }, "aaaaaaaa", 1 },
  /* Of dumps nobody can tell.  */
  { { { 0, 4, 'a', false }, { 2, 4, 'b', false } }, "aa..bb..", 2 },
  { { { 2, 2, 'a', false }, { 0, 8, 'b', false } }, "bb..bbbb", 2 },
  { { { 0, 8, 'a', false }, { 2, 2, 'b', false }, { 1, 3, 'c', true } }, "aa..aaaa", 2 },
  { { { 0, 4, 'a', false }, { 2, 4, 'a', false }, { 3, 1, 'b', false } }, "aaa.aa..", 2 },
  /* A dump before an ELF.  */
  { { { 0, 8, 'a', true }, { 2, 2, 'b', false } }, "aabbaaaa", 3 },
  { { { 0, 4, 'a', true }, { 0, 4, 'b', true }, { 1, 1, 'c', false } },
    "acaa....", 3 },
  /* One that ends below another.  */
  { { { 0, 2, 'a', true }, { 0, 3, 'b', true }, { 0, 5, 'c', true } },
    "aabcc...", 3 },
  { { { 4, 1, 'a', true }, { 2, 5, 'b', true }, { 0, 8, 'c', true } },
    "ccbbabbc", 5 },
  { { { 0, 1, 'a', true }, { 2, 1, 'b', true }, { 1, 1, 'c', true },
      { 7, 1, 'a', true } }, "acb....a", 4 },
  { { { 3, 1, 'a', true }, { 1, 1, 'b', true }, { 0, 6, 'c', true } },
    "cbcacc..", 5 }
};

static void
test_overlaps (void)
{
  for (size_t i = 0; i < sizeof overlaps / sizeof overlaps[0]; i++)
    {
      struct tb_memmap *map = new_map ();
      for (size_t j = 0; j < 5 && overlaps[i].regions[j].length > 0; j++)
	{
	  char data = overlaps[i].regions[j].data;
	  add (map, overlaps[i].regions[j].address,
	       overlaps[i].regions[j].length, TB_SPACE_ANY,
	       !overlaps[i].regions[j].elf,
	       data == 'a' ? a : data == 'b' ? b : c, "r");
	}
      CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
      if (!CHECK_STR (show (map, TB_SPACE_ANY, 0, 8), overlaps[i].bytes))
	fprintf (stderr, "case %zu\n", i);
      CHECK_STR (show (map, TB_SPACE_EL3, 0, 8), overlaps[i].bytes);
      unsigned runs = 0;
      for (uint64_t at = 0, length; at < 8; at += length > 0 ? length : 1)
	runs += tb_memmap_at (map, TB_SPACE_ANY, at, &length, NULL) != NULL;
      CHECK_INT (runs, overlaps[i].runs);
      tb_memmap_free (map);
    }
}

static void
test_spaces (void)
{
  struct tb_memmap *map = new_map ();
  add (map, 0, 8, TB_SPACE_ANY, true, a, "any");
  add (map, 2, 2, TB_SPACE_EL1N, true, b, "el1n");
  add (map, 6, 4, TB_SPACE_S, true, c, "s");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_EL1N, 0, 12), "aabbaaaa....");
  CHECK_STR (show (map, TB_SPACE_N, 0, 12), "aabbaaaa....");
  CHECK_STR (show (map, TB_SPACE_S, 0, 12), "aaaaaacccc..");
  CHECK_STR (show (map, TB_SPACE_EL1S, 0, 12), "aaaaaacccc..");
  CHECK_STR (show (map, TB_SPACE_EL3, 0, 12), "aaaaaaaa....");
  CHECK_STR (show (map, TB_SPACE_ANY, 0, 12), "aaaaaaaacc..");
  tb_memmap_free (map);

  /* An ELF of the asked space goes before a dump of ANY.  */
  map = new_map ();
  add (map, 0, 4, TB_SPACE_ANY, true, a, "dump");
  add (map, 2, 4, TB_SPACE_EL2, false, b, "elf");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_EL2, 0, 8), "aabbbb..");
  CHECK_STR (show (map, TB_SPACE_H, 0, 8), "aabbbb..");
  const struct tb_region *regions;
  CHECK_INT (tb_memmap_regions (map, &regions), 2);
  CHECK_STR (regions[0].name, "dump");
  tb_memmap_free (map);

  /* Who does not know the space gets what all agree upon.  */
  map = new_map ();
  add (map, 0, 8, TB_SPACE_S, true, a, "s");
  add (map, 4, 8, TB_SPACE_N, true, b, "n");
  add (map, 6, 4, TB_SPACE_EL2, true, b, "el2");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_ANY, 0, 14), "aaaa....bbbb..");
  CHECK_STR (show (map, TB_SPACE_EL3, 0, 14), "..............");
  CHECK_STR (said, "");
  tb_memmap_free (map);
}

static void
test_boundaries (void)
{
  uint8_t bytes[64];
  struct tb_memmap *map = new_map ();
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_ANY, UINT64_MAX - 3, 8), "........");
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, 0, bytes, 1), 0);
  tb_memmap_free (map);

  map = new_map ();
  add (map, 0, 4, TB_SPACE_ANY, true, a, "bottom");
  add (map, 4, 4, TB_SPACE_ANY, true, b, "next");
  add (map, 10, 2, TB_SPACE_ANY, true, c, "island");
  add (map, UINT64_MAX - 3, 4, TB_SPACE_ANY, true, c, "top");
  add (map, UINT64_MAX, 1, TB_SPACE_EL2, true, b, "last");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_ANY, UINT64_MAX - 4, 10), ".ccccaaaab");
  CHECK_STR (show (map, TB_SPACE_EL2, UINT64_MAX - 4, 10), ".cccbaaaab");

  memset (bytes, 0, sizeof bytes);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, 2, bytes, 4), 4);
  CHECK (memcmp (bytes, "aabb", 5) == 0);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, 2, bytes, 60), 6);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, 8, bytes, 4), 0);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, 11, bytes, 4), 1);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, 3, bytes, 0), 0);
  /* A read does not go on at 0.  */
  memset (bytes, 0, sizeof bytes);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_EL2, UINT64_MAX - 1, bytes, 8), 2);
  CHECK (memcmp (bytes, "cb", 3) == 0);
  CHECK_INT (tb_memmap_read (map, TB_SPACE_ANY, UINT64_MAX, bytes, 8), 1);

  uint64_t length;
  const struct tb_region *region;
  CHECK (tb_memmap_at (map, TB_SPACE_ANY, UINT64_MAX - 2, &length, &region)
	 == c + 1);
  CHECK_INT (length, 3);
  CHECK_STR (region->name, "top");
  CHECK (tb_memmap_at (map, TB_SPACE_ANY, 5, &length, NULL) == b + 1);
  CHECK_INT (length, 3);

  /* Regions that cannot be.  */
  static const struct tb_region bad[] = {
    { .address = 1, .length = 0, .data = a, .name = "none" },
    { .address = UINT64_MAX, .length = 2, .data = a, .name = "over" }
  };
  for (size_t i = 0; i < 2; i++)
    {
      CHECK_INT (tb_memmap_add (map, &bad[i], &diag), TB_ERR_INPUT);
      CHECK (strstr (said, bad[i].name) != NULL);
    }

  /* More after the first look-up.  */
  add (map, 8, 2, TB_SPACE_ANY, true, a, "bridge");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_ANY, 0, 12), "aaaabbbbaacc");
  tb_memmap_free (map);
  tb_memmap_free (NULL);
}

/* Overlaps are said where the bytes differ.  */
static void
test_warnings (void)
{
  struct tb_memmap *map = new_map ();
  add (map, 0x100, 16, TB_SPACE_ANY, true, a, "cpu_0.ini [dump0]");
  add (map, 0x108, 16, TB_SPACE_ANY, false, a, "same .text");
  add (map, 0x10c, 2, TB_SPACE_EL2, true, a, "el2");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (said, "");
  tb_memmap_free (map);

  map = new_map ();
  uint8_t other[16];
  memset (other, 'a', sizeof other);
  other[5] = 'z';
  add (map, 0x100, 16, TB_SPACE_ANY, true, a, "dump0");
  add (map, 0x104, 16, TB_SPACE_ANY, false, other, "prog.elf .text");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (said, "memory at 0x109: expected the same bytes in all regions "
	     "there, found 0x61 in dump0 and 0x7a in prog.elf .text; the first "
	     "is taken\n");
  CHECK_INT (diag.warnings, 1);
  tb_memmap_free (map);

  /* A program may write to its data.  */
  map = new_map ();
  struct tb_region data = {
    .address = 0x104, .length = 16, .access = TB_ACCESS_WRITE, .data = other,
    .name = "prog.elf .data"
  };
  add (map, 0x100, 16, TB_SPACE_ANY, true, a, "dump0");
  CHECK_INT (tb_memmap_add (map, &data, &diag), TB_OK);
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (said, "");
  const struct tb_region *region;
  uint64_t length;
  tb_memmap_at (map, TB_SPACE_N, 0x112, &length, &region);
  CHECK_INT (length, 2);
  CHECK_INT (region->access, TB_ACCESS_WRITE);
  tb_memmap_free (map);

  /* Many that differ: sixteen are said.  */
  map = new_map ();
  for (unsigned i = 0; i < 100; i++)
    add (map, i, 8, TB_SPACE_ANY, true, i % 2 != 0 ? a : b, "many");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_INT (diag.warnings, 17);
  CHECK (strstr (said, "bytes differ or were too many to be compared, and are unknown") != NULL);
  tb_memmap_free (map);
}

/* What a snapshot is made of is read up to the first byte that is disputed, whichever dump has
   it.  */
static void
test_disputed_parts (void)
{
  uint8_t other[8], read[16];
  struct tb_snapshot snapshot;
  struct tb_maker maker;
  memset (other, 'a', sizeof other);
  other[4] = 'z';
  tb_maker_init (&maker, &snapshot, "parts", &diag);
  size_t core = tb_maker_device (&maker, TB_CLASS_CORE, "cpu", "Cortex-M33", "parts");
  tb_maker_memory (&maker, core, "first", a, 16, TB_SPACE_ANY, 0x100);
  tb_maker_memory (&maker, core, "second", other, 8, TB_SPACE_ANY, 0x104);
  CHECK_INT (tb_maker_read (&maker, core, 0x100, read, 16), 8);
  CHECK_INT (tb_maker_read (&maker, core, 0x106, read, 8), 2);
  CHECK_INT (tb_maker_read (&maker, core, 0x108, read, 1), 0);
  CHECK_INT (tb_maker_read (&maker, core, 0x109, read, 16), 7);
  CHECK_INT (tb_maker_finish (&maker), TB_OK);
  tb_snapshot_close (&snapshot);
}

/* Dumps that differ: the bytes in which they do are unknown, by each space that would see them.  */
static void
test_disputed (void)
{
  uint8_t other[16], third[16];
  memset (other, 'a', sizeof other);
  memset (third, 'a', sizeof third);
  other[0] = other[5] = other[6] = other[15] = 'z';
  third[6] = third[7] = 'y';
  struct tb_memmap *map = new_map ();
  add (map, 0x100, 16, TB_SPACE_ANY, true, a, "dump0");
  add (map, 0x100, 16, TB_SPACE_ANY, true, other, "dump1");
  add (map, 0x100, 16, TB_SPACE_ANY, true, third, "dump2");
  add (map, 0x100, 16, TB_SPACE_ANY, true, a, "the same again");
  add (map, 0x100, 16, TB_SPACE_ANY, false, c, ".data");
  add (map, 0x10f, 2, TB_SPACE_EL2, true, b, "el2");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_ANY, 0xff, 18), "..aaaa...aaaaaaa.b");
  CHECK_STR (show (map, TB_SPACE_EL1N, 0xff, 18), "..aaaa...aaaaaaa..");
  CHECK_STR (show (map, TB_SPACE_EL2, 0xff, 18), "..aaaa...aaaaaaabb");
  CHECK (strstr (said, "memory at 0x100: expected the same bytes in all dumps of 0x100 to 0x10f, "
		 "found 0x61 in dump0 and 0x7a in dump1; what is there in 4 bytes is unknown\n")
	 != NULL);
  CHECK (strstr (said, "memory at 0x106: expected the same bytes in all dumps of 0x100 to 0x10f, "
		 "found 0x61 in dump0 and 0x79 in dump2; what is there in 2 bytes is unknown\n")
	 != NULL);
  CHECK_INT (diag.warnings, 8);	/* Three of dump0, and el2 has something else than five.  */
  uint64_t first, last, length;
  CHECK (tb_memmap_hole (map, TB_SPACE_ANY, 0x106, &first, &last));
  CHECK_INT (first, 0x105);
  CHECK_INT (last, 0x107);
  CHECK (tb_memmap_hole (map, TB_SPACE_ANY, 0x100, &first, &last));
  CHECK_INT (first, 0);
  CHECK_INT (last, 0x100);
  CHECK (!tb_memmap_hole (map, TB_SPACE_ANY, 0x108, &first, &last));
  CHECK (tb_memmap_at (map, TB_SPACE_ANY, 0x101, &length, NULL) == a + 1);
  CHECK_INT (length, 4);
  tb_memmap_free (map);

  /* What differs of one space is not what others agree upon.  */
  map = new_map ();
  add (map, 0, 4, TB_SPACE_EL1N, true, a, "dump0");
  add (map, 2, 4, TB_SPACE_N, true, b, "dump1");
  add (map, 0, 8, TB_SPACE_EL2, true, a, "dump2");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (show (map, TB_SPACE_N, 0, 8), "aa..bb..");
  CHECK_STR (show (map, TB_SPACE_ANY, 0, 8), "aa....aa");
  CHECK_STR (show (map, TB_SPACE_EL2, 0, 8), "aaaaaaaa");
  tb_memmap_free (map);

  /* So many differences that they are not told apart: from there on nothing is known.  */
  enum { MANY = 40000 };
  uint8_t *x = calloc (1, MANY), *y = calloc (1, MANY);
  CHECK (x != NULL && y != NULL);
  for (unsigned i = 0; i < MANY && y != NULL; i += 2)
    y[i] = 1;
  map = new_map ();
  add (map, 0x1000, MANY, TB_SPACE_ANY, true, x, "x");
  add (map, 0x1000, MANY, TB_SPACE_ANY, true, y, "y");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  unsigned wrong = 0;
  for (unsigned i = 0; i < MANY; i += 2)
    wrong += tb_memmap_at (map, TB_SPACE_ANY, 0x1000 + i, &length, NULL) != NULL;
  CHECK_INT (wrong, 0);
  CHECK (tb_memmap_at (map, TB_SPACE_ANY, 0x1001, &length, NULL) == x + 1);
  CHECK (tb_memmap_at (map, TB_SPACE_ANY, 0x1000 + MANY - 1, &length, NULL) == NULL);
  tb_memmap_free (map);
  free (x);
  free (y);
}

/* The right to write, by address: an ELF says it under a dump, too.  */
static void
test_access (void)
{
  struct tb_memmap *map = new_map ();
  struct tb_region data = {
    .address = 8, .length = 4, .access = TB_ACCESS_WRITE, .data = a,
    .name = ".data"
  };
  add (map, 2, 20, TB_SPACE_EL1N, true, a, "dump");
  add (map, 4, 4, TB_SPACE_ANY, false, a, ".text");
  CHECK_INT (tb_memmap_add (map, &data, &diag), TB_OK);
  data.address = UINT64_MAX;
  data.length = 1;
  CHECK_INT (tb_memmap_add (map, &data, &diag), TB_OK);
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  static const struct
  {
    enum tb_space space;
    uint64_t address;
    enum tb_access access;
    uint64_t length;
  } table[] = {
    { TB_SPACE_N, 0, TB_ACCESS_NONE, 2 },
    { TB_SPACE_N, 2, TB_ACCESS_UNKNOWN, 2 },
    { TB_SPACE_N, 5, TB_ACCESS_READ, 3 },
    { TB_SPACE_N, 8, TB_ACCESS_WRITE, 4 },
    { TB_SPACE_N, 12, TB_ACCESS_UNKNOWN, 10 },
    { TB_SPACE_N, 22, TB_ACCESS_NONE, UINT64_MAX - 22 },
    { TB_SPACE_N, UINT64_MAX, TB_ACCESS_WRITE, 1 },
    { TB_SPACE_EL3, 2, TB_ACCESS_NONE, 2 },
    { TB_SPACE_EL3, 4, TB_ACCESS_READ, 4 },
    { TB_SPACE_EL3, 12, TB_ACCESS_NONE, UINT64_MAX - 12 },
    { TB_SPACE_ANY, 3, TB_ACCESS_UNKNOWN, 1 },
    { TB_SPACE_ANY, 4, TB_ACCESS_READ, 4 },
    { TB_SPACE_ANY, 21, TB_ACCESS_UNKNOWN, 1 }
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
      uint64_t length;
      CHECK_INT (tb_memmap_access (map, table[i].space, table[i].address,
				   &length), table[i].access);
      if (!CHECK_INT (length, table[i].length))
	fprintf (stderr, "case %zu\n", i);
    }
  tb_memmap_free (map);

  map = new_map ();
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  uint64_t length;
  CHECK_INT (tb_memmap_access (map, TB_SPACE_ANY, 0, &length), TB_ACCESS_NONE);
  CHECK_INT (length, UINT64_MAX);
  tb_memmap_free (map);
}

/* The hole at AT, or none if it is MAPPED, is as large as it can be.  */
static bool
check_hole (const struct tb_memmap *map, enum tb_space space, uint64_t at,
	    bool mapped)
{
  uint64_t first, last, length;
  if (mapped)
    return CHECK (!tb_memmap_hole (map, space, at, &first, &last));
  if (!CHECK (tb_memmap_hole (map, space, at, &first, &last))
      || !CHECK (first <= at && at <= last))
    return false;
  for (uint64_t i = first; at == first && i <= last && i < 512; i++)
    if (!CHECK (tb_memmap_at (map, space, i, &length, NULL) == NULL))
      return false;
  return CHECK (first == 0
		|| tb_memmap_at (map, space, first - 1, &length, NULL) != NULL)
	 && CHECK (last == UINT64_MAX
		   || tb_memmap_at (map, space, last + 1, &length, NULL)
		      != NULL);
}

/* The map against a model that looks at one byte after the other.  */
static void
test_random (void)
{
  static uint8_t bytes[24][128];
  static const enum tb_space spaces[] = {
    TB_SPACE_ANY, TB_SPACE_EL1N, TB_SPACE_EL2, TB_SPACE_EL3
  };
  uint32_t seed = 1;
  for (int i = 0; i < 24; i++)
    memset (bytes[i], i + 'A', sizeof bytes[i]);
  for (int round = 0; round < 300; round++)
    {
      struct tb_memmap *map = new_map ();
      diag.report = NULL;
      struct { unsigned address, length, space; bool dump; } regions[24];
      for (int i = 0; i < 24; i++)
	{
	  seed = seed * 1664525 + 1013904223;
	  regions[i].address = seed >> 8 & 0x7f;
	  regions[i].length = 1 + (seed >> 16 & 0x3f);
	  regions[i].space = seed >> 24 & 3;
	  regions[i].dump = seed >> 27 & 1;
	  add (map, regions[i].address, regions[i].length,
	       spaces[regions[i].space], regions[i].dump, bytes[i], "r");
	}
      CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
      for (unsigned at = 0; at < 256; at++)
	{
	  uint64_t length;
	  check_hole (map, TB_SPACE_ANY, at,
		      tb_memmap_at (map, TB_SPACE_ANY, at, &length, NULL)
		      != NULL);
	}
      for (unsigned space = 1; space < 4; space++)
	for (unsigned at = 0; at < 256; at++)
	  {
	    int best = -1, best_rank = 4;
	    for (int i = 0; i < 24; i++)
	      {
		int rank = (regions[i].space == space ? 0 : 2)
			   + (regions[i].dump ? 0 : 1);
		if ((regions[i].space == space || regions[i].space == 0)
		    && at >= regions[i].address
		    && at - regions[i].address < regions[i].length
		    && rank < best_rank)
		  best = i, best_rank = rank;
	      }
	    /* Another dump of the same space has other bytes.  */
	    int winner = best;
	    for (int i = 0; i < 24 && winner >= 0; i++)
	      if (i != winner && regions[i].dump && regions[winner].dump
		  && regions[i].space == regions[winner].space
		  && at >= regions[i].address && at - regions[i].address < regions[i].length)
		best = -1;
	    uint64_t length;
	    const uint8_t *got = tb_memmap_at (map, spaces[space], at, &length,
					       NULL);
	    if (!CHECK ((got != NULL ? *got - 'A' : -1) == best)
		|| !check_hole (map, spaces[space], at, got != NULL))
	      fprintf (stderr, "round %d, space %u, address %u\n", round,
		       space, at);
	  }
      tb_memmap_free (map);
    }
}

/* With nothing mapped at all, and up to both ends.  */
static void
test_hole (void)
{
  uint64_t first = 1, last = 0;
  struct tb_memmap *map = new_map ();
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK (tb_memmap_hole (map, TB_SPACE_N, 77, &first, &last));
  CHECK (first == 0 && last == UINT64_MAX);
  add (map, 0, 16, TB_SPACE_ANY, true, a, "low");
  add (map, UINT64_MAX - 15, 16, TB_SPACE_ANY, true, a, "high");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK (!tb_memmap_hole (map, TB_SPACE_N, 0, &first, &last));
  CHECK (!tb_memmap_hole (map, TB_SPACE_N, UINT64_MAX, &first, &last));
  CHECK (tb_memmap_hole (map, TB_SPACE_N, 16, &first, &last));
  CHECK (first == 16 && last == UINT64_MAX - 16);
  tb_memmap_free (map);
}

/* Contexts: what each sees, and which one a name means.  */
static void
test_contexts (void)
{
  static const enum tb_space first = TB_SPACE_CONTEXTS + 1, second = TB_SPACE_CONTEXTS + 2;
  static const struct
  {
    const char *name;
    enum tb_space space;
  } known[] = {
    { "context:7", first }, { "context:8", first }, { "vmid:2,context:0x7", second },
    { "vmid:3", second }, { "context:9", second }, { "context:9", first }
  }, asked[] = {
    { "context:7", first }, { "vmid:1,context:7", first }, { "vmid:2,context:7", second },
    { "vmid:3,context:7", first }, { "vmid:3,context:1", second }, { "vmid:3", second },
    { "context:9", first }, { "context:1", TB_SPACE_CONTEXTS },
    { "vmid:7", TB_SPACE_CONTEXTS }, { "vmid:2", TB_SPACE_CONTEXTS }
  };
  static const char *const wrong[] = {
    "", "context", "context:", "context:x", "context:7,", ",context:7", "context:7,context:8",
    "context:-1", "context: 7", "context:4294967296", "vmid:1;context:2", "cpu0"
  };
  struct tb_context context;
  struct tb_memmap *map = new_map ();
  add (map, 0, 4, TB_SPACE_ANY, true, a, "all");
  add (map, 2, 4, first, true, b, "first");
  add (map, 2, 8, second, true, c, "second");
  add (map, 8, 4, TB_SPACE_N, true, b, "non-secure");
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK (tb_context_parse ("context:7", &context));
  CHECK_INT (tb_memmap_context (map, &context), TB_SPACE_ANY);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    {
      CHECK (tb_context_parse (known[i].name, &context));
      context.space = known[i].space;
      CHECK_INT (tb_memmap_add_context (map, &context, &diag), TB_OK);
    }
  CHECK_INT (tb_memmap_seal (map, &diag), TB_OK);
  CHECK_STR (said, "");
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
    {
      char text[64];
      CHECK (tb_context_parse (asked[i].name, &context));
      if (!CHECK_INT (tb_memmap_context (map, &context), asked[i].space))
	fprintf (stderr, "%s\n", asked[i].name);
      struct tb_context again;
      tb_context_text (&context, text, sizeof text);
      CHECK (tb_context_parse (text, &again));
      CHECK (again.has_cid == context.has_cid && again.has_vmid == context.has_vmid
	     && again.cid == context.cid && again.vmid == context.vmid);
    }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    if (!CHECK (!tb_context_parse (wrong[i], &context)))
      fprintf (stderr, "%s\n", wrong[i]);
  /* No name at all.  */
  CHECK_INT (tb_memmap_context (map, &(struct tb_context) { 0 }), TB_SPACE_ANY);
  CHECK_STR (show (map, first, 0, 14), "aabbbb..bbbb..");
  CHECK_STR (show (map, second, 0, 14), "aaccccccccbb..");
  CHECK_STR (show (map, TB_SPACE_CONTEXTS, 0, 14), "aaaa....bbbb..");
  CHECK_STR (show (map, TB_SPACE_ANY, 0, 14), "aaaa....bbbb..");
  CHECK_STR (show (map, TB_SPACE_EL3, 0, 14), "aaaa..........");
  tb_memmap_free (map);
}

int
main (void)
{
  fill ();
  test_contexts ();
  test_overlaps ();
  test_spaces ();
  test_boundaries ();
  test_warnings ();
  test_disputed ();
  test_disputed_parts ();
  test_access ();
  test_hole ();
  test_random ();
  return check_done ();
}
