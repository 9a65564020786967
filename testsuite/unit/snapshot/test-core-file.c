/* Tests of ELF core files: registers of both widths, threads, segments, and what is wrong.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <elf.h>

#include "snapshot-tree.h"
#include "snapshot/core-file.h"
#include "util/buffer.h"

static struct tree tree;
static struct tb_snapshot snapshot;
static struct tb_buffer written;	/* The file that was made last.  */

/* Append a note: its owner with a zero behind it, and SIZE bytes.  */
static void
note (struct tb_buffer *to, const char *owner, unsigned type, const uint8_t *bytes, size_t size)
{
  size_t length = strlen (owner) + 1;
  tb_buffer_append_le (to, length, 4);
  tb_buffer_append_le (to, size, 4);
  tb_buffer_append_le (to, type, 4);
  tb_buffer_append (to, owner, length);
  tb_buffer_append_le (to, 0, -length & 3);
  tb_buffer_append (to, bytes, size);
  tb_buffer_append_le (to, 0, -size & 3);
}

/* The registers of thread PID: byte I of register K is 16 * K + I, of the status register
   0x10, 0, 0, 0x60.  */
static void
status (struct tb_buffer *to, bool wide, unsigned pid)
{
  uint8_t bytes[392] = { 0 };
  size_t size = wide ? 392 : 148, each = wide ? 8 : 4, count = wide ? 33 : 16;
  uint8_t *regs = bytes + (wide ? 112 : 72);
  bytes[wide ? 32 : 24] = (uint8_t) pid;
  for (size_t i = 0; i < each * count; i++)
    regs[i] = (uint8_t) (16 * (i / each) + i % each);
  regs[each * count] = 0x10;
  regs[each * count + 3] = 0x60;
  note (to, "CORE", NT_PRSTATUS, bytes, size);
}

/* Write a core file of MACHINE: NOTES, and eight bytes of memory at ADDRESS, of which CUT are
   not there.  */
static void
write_file (unsigned machine, bool wide, const struct tb_buffer *notes, uint64_t address,
	    size_t cut)
{
  struct tb_buffer file = { 0 };
  size_t word = wide ? 8 : 4, head = wide ? 64 : 52, entry = wide ? 56 : 32;
  uint64_t at = head + 2 * entry;
  static const uint8_t memory[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', wide ? ELFCLASS64 : ELFCLASS32, ELFDATA2LSB,
			      EV_CURRENT };
  tb_buffer_append (&file, ident, sizeof ident);
  tb_buffer_append_le (&file, ET_CORE, 2);
  tb_buffer_append_le (&file, machine, 2);
  tb_buffer_append_le (&file, EV_CURRENT, 4);
  tb_buffer_append_le (&file, 0, word);
  tb_buffer_append_le (&file, head, word);
  tb_buffer_append_le (&file, 0, word);
  tb_buffer_append_le (&file, 0, 4);
  tb_buffer_append_le (&file, head, 2);
  tb_buffer_append_le (&file, entry, 2);
  tb_buffer_append_le (&file, 2, 2);
  tb_buffer_append_le (&file, wide ? 64 : 40, 2);
  tb_buffer_append_le (&file, 0, 4);
  for (int i = 0; i < 2; i++)
    {
      uint64_t size = i == 0 ? notes->size : sizeof memory;
      tb_buffer_append_le (&file, i == 0 ? PT_NOTE : PT_LOAD, 4);
      if (wide)
	tb_buffer_append_le (&file, PF_R, 4);
      tb_buffer_append_le (&file, at, word);
      tb_buffer_append_le (&file, i == 0 ? 0 : address, word);
      tb_buffer_append_le (&file, 0, word);
      tb_buffer_append_le (&file, size, word);
      tb_buffer_append_le (&file, size, word);
      if (!wide)
	tb_buffer_append_le (&file, PF_R, 4);
      tb_buffer_append_le (&file, 4, word);
      at += size;
    }
  tb_buffer_append (&file, notes->data, notes->size);
  tb_buffer_append (&file, memory, sizeof memory);
  if (!CHECK (!file.failed && !notes->failed))
    exit (1);
  tree_write_bytes (&tree, "core", file.data, file.size - cut);
  tb_buffer_fini (&written);
  written = file;
}

static enum tb_status
read_file (const char *type, bool is_m)
{
  struct tb_snapshot_options options = {
    .input = TB_INPUT_CORE_FILE, .core_type = type, .is_m = is_m
  };
  tree_forget (&tree);
  return tb_snapshot_open (&snapshot, tree_path (&tree, "core"), &options, &tree.diag);
}

static const struct tb_device_reg *
reg (size_t device, const char *name)
{
  const struct tb_device *d = &snapshot.devices[device];
  for (size_t i = 0; i < d->nregs; i++)
    if (strcmp (d->regs[i].name, name) == 0)
      return &d->regs[i];
  return NULL;
}

static void
check_reg (size_t device, const char *name, unsigned bits, uint64_t value)
{
  const struct tb_device_reg *r = reg (device, name);
  if (!CHECK (r != NULL) || !CHECK_INT (r->bits, bits) || !CHECK_INT (r->value, value))
    fprintf (stderr, "  %s\n", name);
}

/* FP registers are of the thread before them.  */
static void
test_wide (void)
{
  struct tb_buffer notes = { 0 };
  uint8_t fp[528];
  for (size_t i = 0; i < sizeof fp; i++)
    fp[i] = (uint8_t) (i < 512 ? 8 * (i / 16) + i % 16 : 0xc0 + i - 512);
  status (&notes, true, 11);
  status (&notes, true, 12);
  note (&notes, "CORE", NT_FPREGSET, fp, sizeof fp);
  /* Not of AArch64; too short; of nobody; behind those that were told.  */
  note (&notes, "LINUX", NT_ARM_VFP, fp, 260);
  note (&notes, "OTHER", NT_FPREGSET, fp, sizeof fp);
  note (&notes, "CORE", NT_FPREGSET, fp, sizeof fp);
  status (&notes, true, 12);
  note (&notes, "CORE", NT_FPREGSET, fp, 519);
  write_file (EM_AARCH64, true, &notes, UINT64_C (0xffff000000001000), 0);
  if (CHECK_INT (read_file ("Cortex-A53", false), TB_OK) && CHECK_INT (snapshot.ndevices, 3))
    {
      CHECK_STR (snapshot.devices[0].name, "core");
      CHECK_STR (snapshot.devices[1].name, "thread_12");
      CHECK_STR (snapshot.devices[2].name, "thread_12_2");
      CHECK_INT (snapshot.devices[0].nregs, 34);
      CHECK_INT (snapshot.devices[1].nregs, 34 + 34);
      CHECK_INT (snapshot.devices[2].nregs, 34);
      check_reg (0, "X0", 64, UINT64_C (0x0706050403020100));
      check_reg (0, "X30", 64, UINT64_C (0xe7e6e5e4e3e2e1e0));
      check_reg (0, "SP", 64, UINT64_C (0xf7f6f5f4f3f2f1f0));
      check_reg (0, "PC", 64, UINT64_C (0x0706050403020100));
      check_reg (0, "CPSR", 32, 0x60000010);
      check_reg (1, "V31", 128, UINT64_C (0xfffefdfcfbfaf9f8));
      const struct tb_device_reg *v = reg (1, "V1");
      CHECK (v != NULL && v->bytes[0] == 8 && v->bytes[15] == 23);
      check_reg (1, "FPSR", 32, 0xc3c2c1c0);
      check_reg (1, "FPCR", 32, 0xc7c6c5c4);
      for (size_t i = 0; i < 3; i++)
	if (CHECK_INT (snapshot.devices[i].ndumps, 1))
	  {
	    const struct tb_dump *d = &snapshot.devices[i].dumps[0];
	    CHECK (d->address == UINT64_C (0xffff000000001000) && d->length == 8
		   && d->data[7] == 8);
	  }
    }
  tb_snapshot_close (&snapshot);
  tb_buffer_fini (&notes);
}

static void
test_narrow (void)
{
  struct tb_buffer notes = { 0 };
  uint8_t fp[260];
  for (size_t i = 0; i < sizeof fp; i++)
    fp[i] = (uint8_t) i;
  status (&notes, false, 5);
  note (&notes, "CORE", NT_FPREGSET, fp, sizeof fp);	/* Of the FPA.  */
  note (&notes, "CORE", NT_ARM_VFP, fp, sizeof fp);	/* Linux calls the owner LINUX.  */
  note (&notes, "LINUX", NT_ARM_VFP, fp, sizeof fp - 1);
  note (&notes, "LINUX", NT_ARM_VFP, fp, sizeof fp);
  write_file (EM_ARM, false, &notes, 0xfffffff8, 3);
  for (int m = 0; m < 2; m++)
    {
      if (CHECK_INT (read_file (m ? "Cortex-M4" : "Cortex-A9", m), TB_OK)
	  && CHECK_INT (snapshot.ndevices, 1))
	{
	  CHECK_INT (snapshot.devices[0].nregs, 17 + 33);
	  check_reg (0, "R12", 32, 0xc3c2c1c0);
	  check_reg (0, "SP", 32, 0xd3d2d1d0);
	  check_reg (0, "LR", 32, 0xe3e2e1e0);
	  check_reg (0, "PC", 32, 0xf3f2f1f0);
	  check_reg (0, m ? "xPSR" : "CPSR", 32, 0x60000010);
	  CHECK (reg (0, m ? "CPSR" : "xPSR") == NULL);
	  check_reg (0, "D31", 64, UINT64_C (0xfffefdfcfbfaf9f8));
	  check_reg (0, "FPSCR", 32, 0x03020100);
	  /* Three bytes of the segment are cut off.  */
	  CHECK (snapshot.devices[0].ndumps == 1 && snapshot.devices[0].dumps[0].length == 5);
	  CHECK (strstr (tree.said, "expected 8 bytes of segment 1, memory at 0xfffffff8, found 5: "
			 "the file is cut") != NULL);
	}
      tb_snapshot_close (&snapshot);
    }
  tb_buffer_fini (&notes);
}

/* Read what was written; WANT is said, and the file is read (GOOD) or refused.  */
static void
told (bool good, const char *want)
{
  enum tb_status result = read_file ("Cortex-A9", false);
  CHECK (good == (result == TB_OK));
  if (!CHECK (strstr (tree.said, want) != NULL))
    fprintf (stderr, "  expected \"%s\", said: %s\n", want, tree.said);
  tb_snapshot_close (&snapshot);
}

static void
test_wrong (void)
{
  struct tb_buffer notes = { 0 };
  uint8_t bytes[200] = { 0 };
  note (&notes, "CORE", NT_PRSTATUS, bytes, 144);
  write_file (EM_ARM, false, &notes, 0x1000, 0);
  /* Its memory counts all the same.  */
  told (true, "expected notes NT_PRSTATUS of 148 bytes, found one of 144; this thread is left "
	"out");
  status (&notes, false, 1);
  write_file (EM_ARM, false, &notes, 0xfffffffc, 0);
  told (false, "expected segment 1, 8 bytes at 0xfffffffc, inside of the address space");
  /* Registers whose type is damaged, and whose owner; others may have notes of other sizes.  */
  for (int row = 0; row < 4; row++)
    {
      struct tb_buffer odd = { 0 };
      status (&odd, false, 1);
      note (&odd, row == 1 ? "COR\xc5" : row == 3 ? "OTHER" : "CORE",
	    row == 0 ? 5 : row == 2 ? NT_FILE : NT_PRSTATUS, bytes, row < 3 ? 148 : 16);
      write_file (EM_ARM, false, &odd, 0x1000, 0);
      told (true, "");
      CHECK ((strstr (tree.said, "found 1 as large, of another type or owner, the first at 0x11c: ")
	      != NULL) == (row < 2));
      tb_buffer_fini (&odd);
    }
  /* What fills the segment up, and what is no note.  */
  tb_buffer_append (&notes, bytes, 20);
  write_file (EM_ARM, false, &notes, 0x1000, 0);
  told (true, "this thread is left out");
  CHECK (strstr (tree.said, "expected a note") == NULL);
  notes.data[notes.size - 1] = 1;
  write_file (EM_ARM, false, &notes, 0x1000, 0);
  told (true, "expected a note at ");
  /* The notes go on behind the end.  */
  notes.size -= 20;
  write_file (EM_ARM, false, &notes, 0x1000, 16);
  told (false, "expected 332 bytes of notes at 0x74, found 324: the file is cut");
  /* Which files are core files.  */
  static const struct { unsigned machine; bool wide; enum tb_core_file kind; } rows[] = {
    { EM_ARM, false, TB_CORE_FILE_A32 }, { EM_AARCH64, true, TB_CORE_FILE_A64 },
    { EM_ARM, true, TB_CORE_FILE_NONE }, { EM_AARCH64, false, TB_CORE_FILE_NONE },
    { EM_X86_64, true, TB_CORE_FILE_NONE }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      write_file (rows[i].machine, rows[i].wide, &notes, 0x1000, 0);
      CHECK_INT (tb_core_file_kind (tree_path (&tree, "core")), rows[i].kind);
    }
  tree_write_bytes (&tree, "core", "\x7f" "ELF", 4);
  CHECK_INT (tb_core_file_kind (tree_path (&tree, "core")), TB_CORE_FILE_NONE);
  tb_buffer_fini (&notes);
}

/* Append to TEXT what the snapshot says.  */
static void
print (struct tb_buffer *text)
{
  for (size_t i = 0; i < snapshot.ndevices; i++)
    {
      const struct tb_device *d = &snapshot.devices[i];
      for (size_t k = 0; k < d->nregs; k++)
	{
	  tb_buffer_append (text, d->regs[k].name, strlen (d->regs[k].name));
	  tb_buffer_append (text, d->regs[k].bytes, d->regs[k].bits / 8);
	}
      for (size_t k = 0; k < d->ndumps; k++)
	{
	  tb_buffer_append_le (text, d->dumps[k].address, 8);
	  tb_buffer_append (text, d->dumps[k].data, d->dumps[k].length);
	}
    }
}

/* Each bit of the headers of a file is changed: what is read is what was before, or something is
   said.  Nothing guards the address of a segment but that the SP of a thread is in it, or right
   behind it.  */
static void
test_headers (bool wide)
{
  struct tb_buffer notes = { 0 }, good = { 0 }, bad = { 0 }, file;
  status (&notes, wide, 1);
  /* Where the SP is.  */
  uint64_t address = wide ? UINT64_C (0xf7f6f5f4f3f2f1e8) : 0xd3d2d1c8;
  write_file (wide ? EM_AARCH64 : EM_ARM, wide, &notes, address, 0);
  file = written;
  written = (struct tb_buffer) { 0 };
  const char *type = wide ? "Cortex-A53" : "Cortex-A9";
  CHECK_INT (read_file (type, false), TB_OK);
  CHECK_STR (tree.said, "");
  print (&good);
  tb_snapshot_close (&snapshot);
  size_t head = wide ? 64 : 52, entry = wide ? 56 : 32, at = head + entry + (wide ? 16 : 8);
  unsigned silent = 0, wrong = 0;
  for (size_t bit = 0; bit < 8 * (head + 2 * entry); bit++)
    {
      file.data[bit / 8] ^= (uint8_t) (1 << bit % 8);
      tree_write_bytes (&tree, "core", file.data, file.size);
      enum tb_status result = read_file (type, false);
      tb_buffer_clear (&bad);
      print (&bad);
      if (*tree.said == '\0'
	  && (result != TB_OK || bad.size != good.size
	      || memcmp (bad.data, good.data, bad.size) != 0))
	{
	  silent++;
	  if (bit / 8 != at || bit % 8 > 3)
	    {
	      wrong++;
	      fprintf (stderr, "  nothing is said of bit %zu of byte %zu\n", bit % 8, bit / 8);
	    }
	}
      tb_snapshot_close (&snapshot);
      file.data[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
  CHECK_INT (wrong, 0);
  /* Addresses up to seven bytes away: the SP still is there.  */
  CHECK_INT (silent, 3);
  tb_buffer_fini (&notes);
  tb_buffer_fini (&good);
  tb_buffer_fini (&bad);
  tb_buffer_fini (&file);
}

int
main (void)
{
  tree_make (&tree);
  test_headers (false);
  test_headers (true);
  test_wide ();
  test_narrow ();
  test_wrong ();
  tb_buffer_fini (&written);
  tree_remove (&tree);
  return check_done ();
}
