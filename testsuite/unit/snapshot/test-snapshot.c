/* Unit tests of the snapshot reader: every spelling that it accepts.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "snapshot-tree.h"

static struct tree tree;
static struct tb_snapshot snapshot;

/* Open the tree, which must go without an error.  */
static bool
open_good (void)
{
  enum tb_status status = tree_open (&tree, &snapshot);
  if (!CHECK_INT (status, TB_OK) || !CHECK_INT (tree.diag.errors, 0))
    {
      fprintf (stderr, "%s", tree.said);
      return false;
    }
  return true;
}

static void
test_plain (void)
{
  tree_reset (&tree);
  if (!open_good ())
    return;
  CHECK_STR (tree.said, "");
  CHECK_STR (snapshot.version, "1.0");
  CHECK_STR (snapshot.description, "A test");
  CHECK_STR (snapshot.directory, tree.root);
  CHECK_STR (snapshot.path, tree_path (&tree, "snapshot.ini"));
  CHECK_INT (snapshot.ndevices, 2);
  const struct tb_device *cpu = tb_snapshot_device (&snapshot, "cpu_0");
  const struct tb_device *etm = tb_snapshot_device (&snapshot, "ETM_0");
  CHECK (tb_snapshot_device (&snapshot, "etm_0") == NULL);
  if (CHECK (cpu != NULL && etm != NULL))
    {
      CHECK_INT (cpu->class, TB_CLASS_CORE);
      CHECK_INT (etm->class, TB_CLASS_TRACE_SOURCE);
      CHECK_STR (cpu->type, "Cortex-M33");
      CHECK_STR (cpu->location, "");
      CHECK_STR (cpu->cluster, "");
      CHECK_STR (cpu->file, tree_path (&tree, "cpu_0.ini"));
      CHECK_STR (etm->location, "address:0x80010000");
      CHECK_INT (cpu->nregs, 2);
      CHECK_INT (tb_device_reg (cpu, "r0")->value, 0x12345678);
      CHECK_INT (tb_device_reg (cpu, "PC")->value, 4096);
      CHECK (tb_device_reg (cpu, "SP") == NULL);
      CHECK_INT (tb_device_reg_id (etm, 4, "x")->value, 1);
      CHECK_INT (tb_device_reg_id (etm, 99, "trctraceidr")->value, 0x10);
      CHECK (tb_device_reg_id (etm, 99, "x") == NULL);
      CHECK_INT (cpu->ndumps, 1);
      CHECK_STR (cpu->dumps[0].section, "dump0");
      CHECK_STR (cpu->dumps[0].name, "cpu_0.ini [dump0]");
      CHECK_STR (cpu->dumps[0].path, tree_path (&tree, "code.bin"));
      CHECK_INT (cpu->dumps[0].space, TB_SPACE_ANY);
      CHECK_INT (cpu->dumps[0].address, 0x1000);
      CHECK_INT (cpu->dumps[0].length, 64);
      CHECK_INT (cpu->dumps[0].data[63], 63);
    }
  CHECK_INT (snapshot.nbuffers, 1);
  CHECK_STR (snapshot.buffers[0].id, "buffer0");
  CHECK_STR (snapshot.buffers[0].name, "ETB_0");
  CHECK_INT (snapshot.buffers[0].format, TB_FORMAT_CORESIGHT);
  CHECK_INT (snapshot.buffers[0].size, 32);
  CHECK_INT (snapshot.nstreams, 1);
  CHECK (snapshot.streams[0].source == etm);
  CHECK (snapshot.streams[0].core == cpu);
  CHECK (snapshot.streams[0].buffer == snapshot.buffers);
  CHECK_INT (snapshot.streams[0].stream, 0);
  tb_snapshot_close (&snapshot);
  CHECK (snapshot.store == NULL && snapshot.devices == NULL);

  /* By the path of its first file, too.  */
  tree_forget (&tree);
  CHECK_INT (tb_snapshot_open (&snapshot, tree_path (&tree, "snapshot.ini"),
			       NULL, &tree.diag), TB_OK);
  CHECK_STR (snapshot.directory, tree.root);
  CHECK_INT (snapshot.nstreams, 1);
  tb_snapshot_close (&snapshot);
}

/* Register keys, all forms of 3.2.2.  */
static void
test_registers (void)
{
  static const struct
  {
    const char *line, *name;
    bool has_id;
    uint32_t id;
    unsigned bits;
    uint64_t value;
  } table[] = {
    { "A1=0x010", "A1", false, 0, 32, 0x10 },
    { "A2(0x010)=0x11", "A2", true, 0x10, 32, 0x11 },
    { "A3(77) = 0x1234", "A3", true, 77, 32, 0x1234 },
    { "A4(id:0x4)=5", "A4", true, 4, 32, 5 },
    { "A5(size:64)=0xFFFFFFC000081000", "A5", false, 0, 64,
      UINT64_C (0xffffffc000081000) },
    { "A6(id:0x80,size:64)=0x1234000012340000", "A6", true, 0x80, 64,
      UINT64_C (0x1234000012340000) },
    { "A7(size:64,0x82)=18446744073709551615", "A7", true, 0x82, 64,
      UINT64_MAX },
    { "A8 (id: 90, size: 64)=0x1234567000000000", "A8", true, 90, 64,
      UINT64_C (0x1234567000000000) },
    { "  A9( SIZE : 1 , ID : 3 )\t=\t1  ", "A9", true, 3, 1, 1 },
    { "A10=0X7f ; seven f", "A10", false, 0, 32, 0x7f },
    { "A11=007 # decimal", "A11", false, 0, 32, 7 },
    { "A12(size:2048)=0x100000000000000000000000000000000000000000000001",
      "A12", false, 0, 2048, 1 },
    { "A13=0xFFFF000008080000", "A13", false, 0, 64,
      UINT64_C (0xffff000008080000) },
    { "SPSR_EL1[2]=3", "SPSR_EL1[2]", false, 0, 32, 3 },
    { "a1=16", "A1", false, 0, 32, 0x10 }	/* Said twice.  */
  };
  char text[4096] = "[device]\nname=cpu_0\nclass=core\n[regs]\n";
  size_t count = sizeof table / sizeof table[0];
  for (size_t i = 0; i < count; i++)
    {
      strcat (text, table[i].line);
      strcat (text, "\n");
    }
  tree_reset (&tree);
  tree_write (&tree, "cpu_0.ini", text);
  if (!open_good ())
    return;
  const struct tb_device *cpu = &snapshot.devices[0];
  CHECK_INT (cpu->nregs, count - 1);
  for (size_t i = 0; i < count; i++)
    {
      const struct tb_device_reg *reg = tb_device_reg (cpu, table[i].name);
      if (!CHECK (reg != NULL))
	continue;
      CHECK_INT (reg->has_id, table[i].has_id);
      CHECK_INT (reg->id, table[i].id);
      CHECK_INT (reg->bits, table[i].bits);
      CHECK_INT (reg->value, table[i].value);
      uint64_t low = 0;
      for (unsigned j = 0; j < (reg->bits + 7) / 8 && j < 8; j++)
	low |= (uint64_t) reg->bytes[j] << 8 * j;
      CHECK_INT (low, table[i].value);
    }
  const struct tb_device_reg *wide = tb_device_reg (cpu, "A12");
  CHECK_INT (wide->bytes[23], 0x10);
  CHECK_INT (wide->bytes[255], 0);
  CHECK (tree_said (&tree, "[regs] A13: expected \"size:64\""));
  CHECK_INT (tree.diag.warnings, 1);
  tb_snapshot_close (&snapshot);

  /* What cannot be known is unknown, and said.  The second line is the
     format's own example.  */
  tree_write (&tree, "cpu_0.ini", "[device]\nname=cpu_0\nclass=core\n[regs]\n"
	      "B1=\nREG_D(size:64,0x82) = 0x12340000123400000\n"
	      "B3(colour:2)=1\nB4= ; none\nB5=1\n");
  if (!open_good ())
    return;
  CHECK_INT (snapshot.devices[0].nregs, 2);
  CHECK (tree_said (&tree, "cpu_0.ini:5: [regs] B1: expected a value, found "
		    "nothing"));
  CHECK (tree_said (&tree, "cpu_0.ini:6: [regs] REG_D(size:64,0x82): expected "
		    "a value of 64 bits"));
  CHECK (tree_said (&tree, "cpu_0.ini:7: [regs] B3(colour:2): expected id or "
		    "size, found \"colour\""));
  CHECK (tree_said (&tree, "cpu_0.ini:8: [regs] B4: "));
  tb_snapshot_close (&snapshot);
}

static void
test_dumps (void)
{
  tree_reset (&tree);
  tree_write (&tree, "cpu_0.ini",
	      "[device]\nname=cpu_0\nclass=core\n"
	      "[dump]\nfile=code.bin\naddress=0x100\n"
	      "[dump]\nfile=code.bin\naddress=0x200\noffset=16\nspace=el1n\n"
	      "[dump]\n[dump.text]\nFILE = code.bin ; all of it\n"
	      "Address = 0x300 ; here\nLength=8 # bytes\n"
	      "[dump__libc_thread_freeres_fn_and_a_name_that_is_longer_than_50]"
	      " ; why\nfile=code.bin\noffset=0x3f\nlength=1\n"
	      "address=0xFFFFFFFFFFFFFFFF\n"
	      "[dump_ram area]\nfile=./code.bin\naddress=768\nspace=S\n"
	      "[DUMP3a]\nfile=gone.bin\naddress=0\n"
	      "[dump4]\nfile=code.bin\naddress=0\nspace=AXI\n"
	      "[dump5]\nfile=code.bin\naddress=0\nlength=0\n"
	      "[dump6]\nfile=gone.bin\naddress=0\n");
  enum tb_status status = tree_open (&tree, &snapshot);
  CHECK_INT (status, TB_ERR_INPUT);
  CHECK (tree_said (&tree, "cpu_0.ini:12: [dump]: expected the key file, found "
		    "none"));

  /* Without the section that is wrong.  */
  tree_write (&tree, "cpu_0.ini",
	      "[device]\nname=cpu_0\nclass=core\n"
	      "[dump]\nfile=code.bin\naddress=0x100\n"
	      "[dump]\nfile=code.bin\naddress=0x200\noffset=16\nspace=el1n\n"
	      "[dump.text]\nFILE = code.bin ; all of it\n"
	      "Address = 0x300 ; here\nLength=8 # bytes\n"
	      "[dump__libc_thread_freeres_fn_and_a_name_that_is_longer_than_50]"
	      " ; why\nfile=code.bin\noffset=0x3f\nlength=1\n"
	      "address=0xFFFFFFFFFFFFFFFF\n"
	      "[dump_ram area]\nfile=./code.bin\naddress=768\nspace=S\n"
	      "[DUMP3a]\nfile=gone.bin\naddress=0\n"
	      "[dump4]\nfile=code.bin\naddress=0\nspace=AXI\n"
	      "[dump5]\nfile=code.bin\naddress=0\nlength=0\n"
	      "[dump6]\nfile=gone.bin\naddress=0\nalign=4\n");
  if (!open_good ())
    return;
  static const struct
  {
    const char *section;
    enum tb_space space;
    uint64_t address, length;
    uint8_t first;
  } table[] = {
    { "dump", TB_SPACE_ANY, 0x100, 64, 0 },
    { "dump", TB_SPACE_EL1N, 0x200, 48, 16 },
    { "dump.text", TB_SPACE_ANY, 0x300, 8, 0 },
    { "dump__libc_thread_freeres_fn_and_a_name_that_is_longer_than_50",
      TB_SPACE_ANY, UINT64_MAX, 1, 0x3f },
    { "dump_ram area", TB_SPACE_S, 768, 64, 0 }
  };
  size_t count = sizeof table / sizeof table[0];
  const struct tb_device *cpu = &snapshot.devices[0];
  if (CHECK_INT (cpu->ndumps, count))
    for (size_t i = 0; i < count; i++)
      {
	CHECK_STR (cpu->dumps[i].section, table[i].section);
	CHECK_INT (cpu->dumps[i].space, table[i].space);
	CHECK_INT (cpu->dumps[i].address, table[i].address);
	CHECK_INT (cpu->dumps[i].length, table[i].length);
	CHECK_INT (cpu->dumps[i].data[0], table[i].first);
	/* One file is mapped once.  */
	CHECK (cpu->dumps[i].data - table[i].first == cpu->dumps[0].data);
      }
  CHECK_INT (cpu->missing_dumps, 2);
  CHECK (tree_said (&tree, "[DUMP3a] file: expected a file with the contents "
		    "of memory, found no file \"gone.bin\""));
  CHECK (strstr (tree.said, "[dump6] file") == NULL);	/* Said once.  */
  CHECK (tree_said (&tree, "[dump4] space: expected an address space"));
  CHECK (tree_said (&tree, "[dump5]: expected the contents of memory, found 0 "
		    "bytes"));
  CHECK (tree_said (&tree, "[dump6] align: expected a key of a dump section"));
  CHECK_INT (tree.diag.warnings, 4);
  tb_snapshot_close (&snapshot);

  static const char *const spaces[TB_SPACE_COUNT] = {
    "-", "N", "S", "H", "EL1N", "EL1S", "EL2", "EL3", "P", "NP", "SP",
    "REALM", "ROOT"
  };
  for (int i = TB_SPACE_ANY; i < TB_SPACE_COUNT; i++)
    CHECK_STR (tb_space_name ((enum tb_space) i), spaces[i]);
}

/* What a text file may look like.  */
static void
test_text (void)
{
  tree_reset (&tree);
  tree_write (&tree, "snapshot.ini",
	      "\xef\xbb\xbf; DS-5 snapshot\r\n# and more\r\n\r\n"
	      "  [SnapShot]  # head\r\n\tVersion = 1.0 ; the only one\r\n"
	      "  description = a; b ; c # d : e = f  \r\n"
	      "[ device_list ]\r\n  device0 = cpu_0.ini\r\n"
	      "  device1=etm_0.ini ; the source\r\n[clusters]\r\n"
	      "Cluster 0=cpu_0, ETM_0,\r\n[trace]\r\nmetadata=trace.ini");
  if (!open_good ())
    return;
  CHECK_STR (tree.said, "");
  CHECK_STR (snapshot.description, "a; b ; c # d : e = f");
  CHECK_INT (snapshot.ndevices, 2);
  CHECK_STR (snapshot.devices[0].cluster, "Cluster 0");
  CHECK_STR (snapshot.devices[1].cluster, "Cluster 0");
  CHECK_INT (snapshot.nstreams, 1);
  tb_snapshot_close (&snapshot);

  /* A description of many lines' length comes whole, spaces and all, and the
     lines behind it keep their numbers.  */
  char text[8192], long_text[3001];
  for (size_t i = 0; i + 1 < sizeof long_text; i++)
    long_text[i] = "ab ;#:=[] \t"[i % 11];
  long_text[sizeof long_text - 1] = '\0';
  strcpy (long_text + 2990, "the end");
  snprintf (text, sizeof text, "[snapshot]\nversion=1.0\ndescription=%s\n"
	    "colour=red\n[device_list]\nd=cpu_0.ini\n", long_text);
  tree_write (&tree, "snapshot.ini", text);
  if (!open_good ())
    return;
  CHECK_STR (snapshot.description, long_text);
  CHECK (tree_said (&tree, "snapshot.ini:4: [snapshot] colour: expected a key "
		    "of [snapshot], found an unknown one"));
  CHECK_INT (snapshot.ndevices, 1);
  CHECK_INT (snapshot.nbuffers, 0);
  tb_snapshot_close (&snapshot);

  /* Names with what could be taken for a comment.  */
  tree_reset (&tree);
  tree_write (&tree, "cpu_0.ini", "[device]\nname=Core #1\nclass=core # yes\n"
	      "extra=anything\n[dump]\nfile=a #1.bin\naddress=0\n"
	      "[dump]\nfile=sub\\code.bin\naddress=64\n");
  tree_mkdir (&tree, "sub");
  tree_write (&tree, "a #1.bin", "xy");
  tree_write (&tree, "sub/code.bin", "xyz");
  tree_write (&tree, "trace.ini", "[trace_buffers]\nbuffers=b ; one\n[b]\n"
	      "name=B 1\nfile=trace.bin\nformat=source_data ; raw\n"
	      "[core_trace_sources]\nCore #1=ETM_0 # its own\n"
	      "[source_buffers]\nETM_0=B 1 ; all\n");
  if (!open_good ())
    return;
  CHECK_STR (tree.said, "");
  CHECK_STR (snapshot.devices[0].name, "Core #1");
  CHECK_INT (snapshot.devices[0].class, TB_CLASS_CORE);
  CHECK_INT (snapshot.devices[0].ndumps, 2);
  CHECK_INT (snapshot.devices[0].dumps[0].length, 2);
  CHECK_INT (snapshot.devices[0].dumps[1].length, 3);
  CHECK_INT (snapshot.nstreams, 1);
  CHECK (snapshot.streams[0].core == snapshot.devices);
  CHECK_INT (snapshot.buffers[0].format, TB_FORMAT_SOURCE_DATA);
  tb_snapshot_close (&snapshot);
}

/* Unknown sections and keys are said once each; other devices are read.  */
static void
test_unknown (void)
{
  tree_reset (&tree);
  tree_write (&tree, "snapshot.ini", "early=1\n[snapshot]\nversion=1.0\n"
	      "[future]\na=1\n[future]\nb=1\n[device_list]\na=cpu_0.ini\n"
	      "A=etm_0.ini\nc=ahb.ini\nd=other.ini\n[clusters]\n"
	      "C=cpu_0,gone\nD=cpu_0\n[trace]\nmetadata=trace.ini\nx=1\n");
  tree_write (&tree, "ahb.ini", "[device]\nname=AHB\nclass=memory_space\n"
	      "[dump]\nfile=code.bin\naddress=0\n");
  tree_write (&tree, "other.ini", "[device]\nname=TPIU\nclass=trace_sink\n"
	      "location=address:0x80010000\n");
  if (!open_good ())
    return;
  CHECK (tree_said (&tree, "snapshot.ini:1: []: expected a section line"));
  CHECK (tree_said (&tree, "snapshot.ini:4: [future]: expected a section of "
		    "the snapshot format"));
  CHECK (strstr (tree.said, "snapshot.ini:6: [future]") == NULL);
  CHECK (tree_said (&tree, "snapshot.ini:10: [device_list] A: expected each "
		    "key once, found it at line 9"));
  CHECK (tree_said (&tree, "[clusters] C: expected devices of the device list, "
		    "found \"gone\""));
  CHECK (tree_said (&tree, "[clusters] D: expected each device in one "
		    "cluster"));
  CHECK (tree_said (&tree, "[trace] x: expected a key of [trace]"));
  CHECK (tree_said (&tree, "[device_list] d: expected devices of different "
		    "locations, found \"address:0x80010000\""));
  CHECK_INT (tree.diag.warnings, 7);
  CHECK_INT (snapshot.ndevices, 4);
  CHECK_INT (snapshot.devices[2].class, TB_CLASS_MEMORY_SPACE);
  CHECK_INT (snapshot.devices[2].ndumps, 1);
  CHECK_INT (snapshot.devices[3].class, TB_CLASS_OTHER);
  CHECK_STR (snapshot.devices[3].class_name, "trace_sink");
  CHECK_STR (snapshot.devices[0].cluster, "C");
  tb_snapshot_close (&snapshot);
}

int
main (void)
{
  tree_make (&tree);
  test_plain ();
  test_registers ();
  test_dumps ();
  test_text ();
  test_unknown ();
  tree_remove (&tree);
  return check_done ();
}
