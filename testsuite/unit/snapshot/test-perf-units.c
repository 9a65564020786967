/* Tests of what perf.data says of trace units and of the kernel's code:
   snapshot/perf/units.h, snapshot/perf/kernel.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "elf-little.h"
#include "snapshot-tree.h"
#include "snapshot/maker.h"
#include "snapshot/perf/kernel.h"
#include "snapshot/perf/switches.h"
#include "snapshot/perf/units.h"
#include "snapshot/segments.h"
#include "util/buffer.h"

#define V3 UINT64_C (0x3030303030303030)
#define V4 UINT64_C (0x4040404040404040)
#define ETE UINT64_C (0x5050505050505050)

static struct tree tree;
static struct tb_snapshot snapshot;
static struct tb_perf_units units;

static void
forget (void)
{
  tb_perf_units_fini (&units);
  tb_snapshot_close (&snapshot);
}

/* Read the COUNT words at WORDS into UNITS and SNAPSHOT, without the LESS last bytes.  */
static enum tb_status
read_words (const uint64_t *words, size_t count, size_t less)
{
  struct tb_maker maker;
  struct tb_buffer bytes = { 0 };
  units = (struct tb_perf_units) { .path = "perf.data" };
  tree_forget (&tree);
  tb_maker_init (&maker, &snapshot, "perf.data", &tree.diag);
  for (size_t i = 0; i < count; i++)
    tb_buffer_append_le (&bytes, words[i], 8);
  /* A block of its own, so that reading behind it is found out.  */
  size_t size = bytes.size - less;
  uint8_t *copy = malloc (size + (size == 0));
  if (!CHECK (copy != NULL && !bytes.failed))
    exit (1);
  if (size > 0)
    memcpy (copy, bytes.data, size);
  tb_perf_units_read (&units, &maker, copy, size, 0x100);
  enum tb_status status = maker.reader.status;
  free (copy);
  tb_buffer_fini (&bytes);
  if (units.count > 0 && status == TB_OK)
    tb_perf_units_set_id (&units, &maker, 7, 0x55, 0);
  tb_maker_finish (&maker);
  return status;
}

#define READ(...) \
  read_words ((const uint64_t[]) { __VA_ARGS__ }, \
	      sizeof ((const uint64_t[]) { __VA_ARGS__ }) / 8, 0)

/* The register NAME of the device NAMED; ~0: there is none.  */
static uint64_t
value_of (const char *named, const char *name)
{
  for (size_t i = 0; i < snapshot.ndevices; i++)
    for (size_t k = 0; k < snapshot.devices[i].nregs; k++)
      if (strcmp (snapshot.devices[i].name, named) == 0
	  && strcmp (snapshot.devices[i].regs[k].name, name) == 0)
	return snapshot.devices[i].regs[k].value;
  return UINT64_MAX;
}

static const char *
type_of (const char *named)
{
  for (size_t i = 0; i < snapshot.ndevices; i++)
    if (strcmp (snapshot.devices[i].name, named) == 0)
      return snapshot.devices[i].type;
  return "none";
}

/* Registers in the order of their kind; those that are not told are none, and more than
   there are names for are passed over.  */
static void
test_good (void)
{
  if (CHECK_INT (READ (1, 3, 0,  V4, 2, 7, 0xc1, 0x91, 2, 3, 4, 5, 6,
		       ETE, 7, 9, 0x41, 0x13, 12, 13, 14, 15, 16, 0x47701a13, 99,
		       V3, 9, 3, 0xc000, 0x12, 0x22), TB_OK) && CHECK_INT (units.count, 3))
    {
      CHECK_INT (units.items[0].cpu, 2);
      CHECK_INT (units.items[0].count, 7);
      CHECK_INT (units.items[1].count, 8);
      CHECK_INT (units.items[2].count, 3);
      CHECK_STR (type_of ("cpu2"), "ARMv8-A");
      CHECK_STR (type_of ("cpu9"), "ARMv7-A");
      CHECK_STR (type_of ("etm2"), "ETM4");
      CHECK_STR (type_of ("ete7"), "ETE");
      CHECK_INT (value_of ("etm2", "TRCCONFIGR"), 0xc1);
      /* An ID has seven bits.  */
      CHECK_INT (value_of ("etm2", "TRCTRACEIDR"), 0x11);
      CHECK_INT (value_of ("etm2", "TRCAUTHSTATUS"), 6);
      CHECK (value_of ("etm2", "TRCDEVARCH") == UINT64_MAX);
      /* What the kernel said later counts, for that CPU alone.  */
      CHECK_INT (value_of ("ete7", "TRCTRACEIDR"), 0x55);
      CHECK_INT (value_of ("ete7", "TRCDEVARCH"), 0x47701a13);
      CHECK_INT (value_of ("etm9", "ETMTRACEIDR"), 0x12);
      CHECK_INT (value_of ("etm9", "ETMCCER"), 0x22);
      CHECK (value_of ("etm9", "ETMIDR") == UINT64_MAX);
      CHECK_INT (tb_perf_units_naming (&units), TB_PERF_BY_VMID);
      CHECK (!tb_perf_units_alike (&units));
    }
  forget ();
  /* Version 0 has no counts, and knows no ETE.  */
  if (CHECK_INT (READ (0, 2, 0,  V4, 0, 0x41, 1, 2, 3, 4, 5, 6,  V3, 1, 0xc000, 2, 3, 0x4114f250),
		 TB_OK) && CHECK_INT (units.count, 2))
    {
      CHECK_STR (type_of ("etm0"), "ETM4");
      CHECK_STR (type_of ("etm1"), "ETM3.5");
      CHECK_INT (value_of ("etm1", "ETMIDR"), 0x4114f250);
      CHECK_INT (tb_perf_units_naming (&units), TB_PERF_BY_CID);
    }
  forget ();
  if (CHECK_INT (READ (1, 1, 0,  V3, 1, 4, 0, 2, 3, 0x411cf312), TB_OK))
    {
      CHECK_STR (type_of ("etm1"), "PTM1.1");
      CHECK_INT (tb_perf_units_naming (&units), TB_PERF_BY_NOTHING);
    }
  forget ();
  CHECK_INT (READ (2, 0, 0), TB_OK);
  CHECK_INT (units.count, 0);
  forget ();
}

/* Units are alike but for their IDs, and those of ETMv4 for what they may trace.  */
static void
test_alike (void)
{
  static const struct { uint64_t words[23]; size_t count; bool alike; } rows[] = {
    { { 1, 2, 0,  V4, 0, 7, 1, 2, 3, 4, 5, 6, 7,  V4, 1, 7, 1, 9, 3, 4, 5, 6, 9 }, 23, true },
    { { 1, 2, 0,  V4, 0, 7, 1, 2, 3, 4, 5, 6, 7,  V4, 1, 7, 1, 9, 3, 4, 8, 6, 7 }, 23, false },
    { { 1, 2, 0,  V4, 0, 7, 1, 2, 3, 4, 5, 6, 7,  V4, 1, 6, 1, 9, 3, 4, 5, 6 }, 22, false },
    { { 1, 2, 0,  V3, 0, 4, 1, 2, 3, 4,  V3, 1, 4, 1, 9, 3, 4 }, 17, true },
    { { 1, 2, 0,  V3, 0, 4, 1, 2, 3, 4,  V3, 1, 4, 1, 9, 3, 5 }, 17, false },
    { { 1, 2, 0,  V3, 0, 4, 1, 2, 3, 4,  V4, 1, 4, 1, 9, 3, 4 }, 17, false }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      if (CHECK_INT (read_words (rows[i].words, rows[i].count, 0), TB_OK)
	  && CHECK_INT (units.count, 2)
	  && !CHECK_INT (tb_perf_units_alike (&units), rows[i].alike))
	fprintf (stderr, "  row %zu\n", i);
      forget ();
    }
}

/* What is refused, with the byte and what was found.  */
static void
test_bad (void)
{
  static const struct { uint64_t words[16]; size_t count, less; const char *want; } rows[] = {
    { { 0 }, 0, 0,
      "byte 0x100: expected metadata of trace units, of version 0 to 2, found 0 words" },
    { { 1, 1, 0 }, 3, 1, "found 2 words" },
    { { 3, 1, 0 }, 3, 0, "found 3 words, version 3" },
    { { 1, 1, 0 }, 3, 0, "byte 0x118: expected the registers of trace unit 1 of 1" },
    { { 1, 1, 0,  V4, 0, 7, 1, 2, 3, 4, 5, 6, 7 }, 13, 1, "byte 0x118: expected the registers" },
    { { 1, 1, 0,  V4, 0, 2, 1, 2 }, 8, 0, "expected the registers" },
    { { 1, 1, 0,  V4, 0, UINT64_MAX, 1, 2, 3 }, 9, 0, "expected the registers" },
    { { 1, 1, 0,  V4 + 1, 0, 3, 1, 2, 3 }, 9, 0, "none that are known" },
    { { 1, 1, 0,  V4, 0 }, 5, 0, "expected the registers" },
    { { 0, 1, 0,  V4, 0, 1, 2, 3, 4, 5, 6 }, 11, 0, "expected the registers" },
    { { 0, 1, 0,  ETE, 0, 1, 2, 3, 4, 5, 6, 7, 8 }, 13, 0, "none that are known" },
    { { 1, 2, 0,  V4, 0, 3, 1, 2, 3,  V4, 1, 3, 1, 2 }, 14, 0,
      "byte 0x148: expected the registers of trace unit 2 of 2" },
    { { 1, 2, 0,  V4, 4, 3, 1, 2, 3,  V3, 4, 3, 1, 2, 3 }, 15, 0,
      "byte 0x150: expected trace unit 2 of 2 on a CPU of its own, found CPU 4 again" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      CHECK_INT (read_words (rows[i].words, rows[i].count, rows[i].less), TB_ERR_INPUT);
      if (!CHECK (strstr (tree.said, rows[i].want) != NULL))
	fprintf (stderr, "  row %zu: expected \"%s\", said: %s\n", i, rows[i].want, tree.said);
      forget ();
    }
}

/* What a record of a map says of the kernel: NAME of LENGTH bytes, of the process PID.  */
static void
take_map (struct tb_perf_kernel *kernel, uint32_t type, uint16_t misc, uint32_t pid,
	  const char *name, size_t length)
{
  size_t head = type == TB_PERF_MMAP ? 40 : 72;
  uint8_t *bytes = calloc (head + length, 1);
  if (!CHECK (bytes != NULL))
    exit (1);
  for (int i = 0; i < 4; i++)
    bytes[8 + i] = (uint8_t) (pid >> 8 * i);
  bytes[32] = 0x80;
  bytes[33] = 0x12;
  if (type == TB_PERF_MMAP2)
    {
      bytes[40] = 2;
      bytes[44] = 0xab;
      bytes[45] = 0xcd;
    }
  memcpy (bytes + head, name, length);
  struct tb_perf_record record = {
    .bytes = bytes, .length = head + length, .type = type, .misc = misc
  };
  tb_perf_kernel_take (kernel, &record);
  free (bytes);
}

static void
test_kernel (void)
{
#define TAKE(type, misc, pid, name) take_map (&k, type, misc, pid, name, sizeof name)
  struct tb_perf_kernel k = { .path = "perf.data" };
  TAKE (TB_PERF_MMAP, 0, 42, "[kernel.kallsyms]_text");
  CHECK (k.reference == 0 && k.modules == 0 && k.name[0] == '\0');
  /* Without a zero at its end it is no name.  */
  take_map (&k, TB_PERF_MMAP, 0, TB_PERF_KERNEL, "[kernel.kallsyms]_text", 22);
  take_map (&k, TB_PERF_MMAP, 0, TB_PERF_KERNEL, "/lib/modules/x.ko", 17);
  CHECK (k.reference == 0 && k.modules == 0 && k.name[0] == '\0');
  TAKE (TB_PERF_MMAP, 0, TB_PERF_KERNEL, "/lib/modules/x.ko");
  TAKE (TB_PERF_MMAP, 0, TB_PERF_KERNEL, "[bpf]");
  TAKE (TB_PERF_MMAP, 0, TB_PERF_KERNEL, "other");
  CHECK_INT (k.modules, 2);
  TAKE (TB_PERF_MMAP, 0, TB_PERF_KERNEL, "[kernel.kallsyms]");
  TAKE (TB_PERF_MMAP, 0, TB_PERF_KERNEL,
	"[kernel.kallsyms]a_name_that_is_longer_than_there_is_room");
  CHECK (k.reference == 0 && k.name[0] == '\0');
  TAKE (TB_PERF_MMAP, 0, TB_PERF_KERNEL, "[kernel.kallsyms]_text");
  CHECK_STR (k.name, "_text");
  CHECK_INT (k.reference, 0x1280);
  CHECK_INT (k.id.size, 0);
  TAKE (TB_PERF_MMAP2, 1 << 14, TB_PERF_KERNEL, "[kernel.kallsyms]_stext");
  CHECK_STR (k.name, "_stext");
  CHECK (k.id.size == 2 && k.id.bytes[0] == 0xab && k.id.bytes[1] == 0xcd);
}

static void
count_segment (void *context, const struct tb_segment *segment)
{
  size_t *count = context;
  *count += segment->size > 0;
}

/* A kernel's file whose data are cut has all of its code: nothing is to be said of it.  */
static void
test_cut_data (void)
{
  struct { Elf64_Ehdr head; Elf64_Phdr parts[2]; uint8_t code[16]; } file = {
    .head = {
      .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_EXEC,
      .e_machine = EM_AARCH64, .e_version = EV_CURRENT, .e_phoff = sizeof (Elf64_Ehdr),
      .e_ehsize = sizeof (Elf64_Ehdr), .e_phentsize = sizeof (Elf64_Phdr), .e_phnum = 2
    },
    .parts = {
      { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 16, .p_memsz = 16 },
      { .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_filesz = 64, .p_memsz = 64 }
    }
  };
  const struct tb_filemap map = { .data = (const uint8_t *) &file, .size = sizeof file };
  file.parts[0].p_offset = sizeof file - sizeof file.code;
  file.parts[1].p_offset = sizeof file - 8;
  elf_little (&file.head, sizeof file.head, ELF_T_EHDR, ELFCLASS64);
  elf_little (file.parts, sizeof file.parts, ELF_T_PHDR, ELFCLASS64);
  size_t count = 0;
  tree_forget (&tree);
  CHECK_INT (tb_segments (&map, "vmlinux", PT_LOAD, PF_X, &tree.diag, TB_WARNING, count_segment,
			  &count), TB_OK);
  CHECK_INT (count, 1);
  CHECK_STR (tree.said, "");
  count = 0;
  CHECK_INT (tb_segments (&map, "vmlinux", PT_LOAD, 0, &tree.diag, TB_WARNING, count_segment,
			  &count), TB_OK);
  CHECK_INT (count, 2);
  CHECK (strstr (tree.said, "vmlinux: expected 64 bytes of segment 1") != NULL);
}

/* What a record says of the kernel's clock, of LENGTH bytes with the head.  */
static struct tb_kernel_clock
read_clock (uint64_t shift, uint64_t mult, bool has_zero, bool has_mask, size_t length)
{
  struct tb_kernel_clock clock = { .known = true };
  uint8_t bytes[56] = { 0 };
  struct tb_buffer told = { 0 };
  const uint64_t words[] = { 0, shift, mult, 5000, 0x100000010, 0xffffff };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    tb_buffer_append_le (&told, words[i], 8);
  memcpy (bytes, told.data, told.size);
  bytes[48] = has_zero;
  bytes[49] = has_mask;
  tb_buffer_fini (&told);
  const struct tb_perf_record record = { .bytes = bytes, .length = length };
  tb_perf_clock_read (&clock, &record);
  return clock;
}

static void
test_clock (void)
{
  uint64_t after, before;
  struct tb_kernel_clock clock = read_clock (2, 42, true, false, 56);
  CHECK (clock.known);
  /* 1003 counts of 10.5 ns from 5000 on, and what may be lost on either side.  */
  tb_kernel_time (&clock, 1003, &after, &before);
  CHECK_INT (after, 5000 + 10531 - 100);
  CHECK_INT (before, 5000 + 10531 + 100);
  /* Of a counter of 24 bits that was at 0x100000010 the next value 0x20 is 0x100000020.  */
  clock = read_clock (2, 42, true, true, 56);
  tb_kernel_time (&clock, 0x20, &after, &before);
  CHECK_INT (after, 5000 + 0x40000008 * UINT64_C (42) - 100);
  /* An older record has neither; one that says so has no zero.  */
  CHECK (read_clock (2, 42, false, false, 32).known);
  CHECK (!read_clock (2, 42, false, true, 56).known);
  CHECK (!read_clock (32, 42, true, false, 56).known);
  CHECK (!read_clock (2, 0, true, false, 56).known);
  CHECK (!read_clock (2, UINT64_C (1) << 32, true, false, 56).known);
}

static void
test_stays (void)
{
  static const struct tb_stay items[] = {
    { .core = 3, .thread = 9, .from = 5, .in = 6, .out = 7, .until = 8 },
    { .core = 1, .thread = 7, .from = 10, .in = 12, .out = 20, .until = 22 },
    { .core = 1, .thread = 8, .from = 20, .in = 22, .out = 30, .until = 32 },
    { .core = 1, .thread = 7, .from = 30, .in = 32, .out = 40, .until = 42 }
  };
  const struct tb_stays all = { .items = items, .count = 4 }, one = tb_stays_of (&all, 1);
  CHECK_INT (one.count, 3);
  CHECK_INT (tb_stays_of (&all, 2).count, 0);
  CHECK (tb_stays_during (&one, 12, 20) == &items[1]);
  CHECK (tb_stays_during (&one, 11, 20) == NULL);
  CHECK (tb_stays_during (&one, 12, 21) == NULL);
  CHECK (tb_stays_during (&one, 25, 24) == NULL);
  CHECK (tb_stays_during (&one, 33, 40) == &items[3]);
  static const struct { uint32_t thread; uint64_t after, before, from, until; } rows[] = {
    { 8, 12, 40, 20, 32 }, { 7, 12, 40, 12, 40 }, { 7, 23, 40, 30, 40 }, { 7, 12, 29, 12, 22 },
    /* Before the first and behind the last nothing is known.  */
    { 8, 9, 40, 9, 40 }, { 8, 12, 43, 12, 43 },
    /* The records say that it did not run: they are not used.  */
    { 9, 12, 40, 12, 40 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      uint64_t after = rows[i].after, before = rows[i].before;
      tb_stays_narrow (&one, rows[i].thread, &after, &before);
      CHECK_INT (after, rows[i].from);
      CHECK_INT (before, rows[i].until);
    }
}

int
main (void)
{
  tree_make (&tree);
  test_cut_data ();
  test_clock ();
  test_stays ();
  test_good ();
  test_alike ();
  test_bad ();
  test_kernel ();
  tree_remove (&tree);
  return check_done ();
}
