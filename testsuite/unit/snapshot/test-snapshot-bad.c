/* Unit tests of the snapshot reader: what it refuses, and what it says then.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <malloc.h>

#include "snapshot-tree.h"

static struct tree tree;

#define HEAD "[snapshot]\nversion=1.0\n"
#define LIST "[device_list]\nd0=cpu_0.ini\nd1=etm_0.ini\n"
#define CPU "[device]\nname=cpu_0\nclass=core\n"
#define DUMP CPU "[dump]\nfile=code.bin\n"
#define BUFFER "[trace_buffers]\nbuffers=b0\n[b0]\nname=E\n"

/* FILE is TEXT; the open fails with STATUS and says SAID.  */
static const struct
{
  const char *file, *text;
  enum tb_status status;
  const char *said;
} cases[] = {
  /* The version comes before all else, bad lines too.  */
  { "snapshot.ini", "[snapshot]\nversion=1.1\nnonsense\n" LIST,
    TB_ERR_UNSUPPORTED,
    "snapshot.ini:2: [snapshot] version: expected version 1.0 of the format, "
    "found \"1.1\"" },
  { "snapshot.ini", "[snapshot]\nversion=\n" LIST, TB_ERR_UNSUPPORTED,
    "snapshot.ini:2: [snapshot] version: expected version 1.0" },
  { "snapshot.ini", "[snapshot]\nversion=1.0\nversion=2.0\n" LIST,
    TB_ERR_INPUT, "snapshot.ini:3: [snapshot] version: expected the key once, "
    "found it again with another value: \"1.0\" at line 2, \"2.0\" here" },
  { "snapshot.ini", LIST, TB_ERR_INPUT,
    "snapshot.ini: expected a section [snapshot], found none" },
  { "snapshot.ini", "[snapshot]\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:1: [snapshot]: expected the key version, found none" },
  { "snapshot.ini", "", TB_ERR_INPUT, "expected a section [snapshot]" },
  { "snapshot.ini", HEAD, TB_ERR_INPUT,
    "snapshot.ini: expected a section [device_list], found none" },
  { "snapshot.ini", HEAD "[device_list]\n", TB_ERR_INPUT,
    "snapshot.ini:3: [device_list]: expected at least one device" },

  /* Lines.  */
  { "snapshot.ini", HEAD "nonsense\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:3: expected [section], key=value or a comment, found "
    "\"nonsense\"" },
  { "snapshot.ini", HEAD "a:b\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:3: expected [section], key=value or a comment, found "
    "\"a:b\"" },
  { "snapshot.ini", HEAD "=5\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:3: expected [section], key=value" },
  { "snapshot.ini", HEAD "description=one\n  two\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:4: expected [section], key=value or a comment, found "
    "\"two\"" },
  { "snapshot.ini", HEAD "[device_list\nd0=cpu_0.ini\n", TB_ERR_INPUT,
    "snapshot.ini:3: expected [section], key=value or a comment, found "
    "\"[device_list\"" },
  { "snapshot.ini", HEAD "[device_list] d0=cpu_0.ini\n", TB_ERR_INPUT,
    "snapshot.ini:3: expected [section], key=value" },
  { "snapshot.ini", HEAD "a\x01=1\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:3: expected text, found the byte 0x01" },
  { "snapshot.ini", HEAD "a=1\rb=2\n" LIST, TB_ERR_INPUT,
    "snapshot.ini:3: expected text, found the byte 0x0d" },

  /* The device list.  */
  { "snapshot.ini", HEAD "[device_list]\nd0=gone.ini\n", TB_ERR_IO,
    "snapshot.ini:4: [device_list] d0: expected a device file, found no file "
    "\"gone.ini\"" },
  { "snapshot.ini", HEAD "[device_list]\nd0=\n", TB_ERR_INPUT,
    "snapshot.ini:4: [device_list] d0: expected the path of a file, found "
    "nothing" },
  { "snapshot.ini", HEAD LIST "d2=cpu_0.ini\n", TB_ERR_INPUT,
    "snapshot.ini:6: [device_list] d2: expected a file of its own, found " },
  { "snapshot.ini", HEAD LIST "d2=snapshot.ini\n", TB_ERR_INPUT,
    "which was read already as snapshot.ini" },
  { "snapshot.ini", HEAD LIST "[trace]\nmetadata=snapshot.ini\n", TB_ERR_INPUT,
    "snapshot.ini:7: [trace] metadata: expected a file of its own" },
  { "snapshot.ini", HEAD LIST "[trace]\nmetadata=etm_0.ini\n", TB_ERR_INPUT,
    "which was read already as a device file" },
  { "snapshot.ini", HEAD LIST "[trace]\nmetadata=gone.ini\n", TB_ERR_IO,
    "[trace] metadata: expected a trace metadata file, found no file" },
  { "snapshot.ini", HEAD LIST "[trace]\n", TB_ERR_INPUT,
    "snapshot.ini:6: [trace]: expected the key metadata, found none" },
  { "snapshot.ini", HEAD "[device_list]\nd0=code.bin\n", TB_ERR_INPUT,
    "code.bin:1: expected text, found the byte 0x00" },

  /* Paths.  */
  { "snapshot.ini", HEAD "[device_list]\nd0=../gone.ini\n", TB_ERR_INPUT,
    "snapshot.ini:4: [device_list] d0: expected a path inside the snapshot's "
    "directory, found \"../gone.ini\"" },
  { "snapshot.ini", HEAD "[device_list]\nd0=/etc/passwd\n", TB_ERR_INPUT,
    "expected a path inside the snapshot's directory, found \"/etc/passwd\"" },
  { "snapshot.ini", HEAD "[device_list]\nd0=/gone/cpu.ini\n", TB_ERR_INPUT,
    "expected a path inside the snapshot's directory" },
  { "snapshot.ini", HEAD "[device_list]\nd0=sub/../../x\n", TB_ERR_INPUT,
    "expected a path inside the snapshot's directory" },
  { "snapshot.ini", HEAD "[device_list]\nd0=..\\x.ini\n", TB_ERR_INPUT,
    "expected a path inside the snapshot's directory" },
  { "snapshot.ini", HEAD "[device_list]\nd0=out.ini\n", TB_ERR_INPUT,
    "expected a path inside the snapshot's directory, found \"out.ini\"" },
  { "snapshot.ini", HEAD "[device_list]\nd0=out/x\n", TB_ERR_INPUT,
    "expected a path inside the snapshot's directory" },
  { "snapshot.ini", HEAD "[device_list]\nd0=loop\n", TB_ERR_IO,
    "[device_list] d0: expected the path of a file, found \"loop\"" },
  { "snapshot.ini", HEAD "[device_list]\nd0=sub\n", TB_ERR_INPUT,
    "snapshot.ini:4: [device_list] d0: " },
  { "cpu_0.ini", CPU "[dump]\nfile=out/passwd\naddress=0\n", TB_ERR_INPUT,
    "cpu_0.ini:5: [dump] file: expected a path inside" },
  { "cpu_0.ini", CPU "[dump]\nfile=fifo\naddress=0\n", TB_ERR_INPUT,
    "cpu_0.ini:5: [dump] file: " },
  { "trace.ini", BUFFER "file=../../../etc/passwd\nformat=coresight\n",
    TB_ERR_INPUT, "trace.ini:5: [b0] file: expected a path inside" },

  /* Devices.  */
  { "cpu_0.ini", "[regs]\nR0=1\n", TB_ERR_INPUT,
    "cpu_0.ini: expected a section [device], found none" },
  { "cpu_0.ini", "\n[device]\nclass=core\n", TB_ERR_INPUT,
    "cpu_0.ini:2: [device]: expected the key name" },
  { "cpu_0.ini", "[device]\nname=ETM_0\n", TB_ERR_INPUT,
    "[device_list] device1: expected devices of different names, found "
    "\"ETM_0\"" },
  { "cpu_0.ini", CPU "Name=other\n", TB_ERR_INPUT,
    "cpu_0.ini:4: [device] Name: expected the key once" },
  { "cpu_0.ini", CPU "[regs]\nR0=1\nr0=2\n", TB_ERR_INPUT,
    "cpu_0.ini:6: [regs] r0: expected the register once, found it again with "
    "another value: \"1\" at line 5, \"2\" here" },
  { "cpu_0.ini", CPU "[regs]\nR0=pc\n", TB_ERR_INPUT,
    "cpu_0.ini:5: [regs] R0: expected a number of at most 2048 bits, decimal "
    "or 0x and hexadecimal, found \"pc\"" },
  { "cpu_0.ini", CPU "[regs]\nR0=-1\n", TB_ERR_INPUT, "[regs] R0: expected" },
  { "cpu_0.ini", CPU "[regs]\nR0=0x\n", TB_ERR_INPUT, "[regs] R0: expected" },
  { "cpu_0.ini", CPU "[regs]\nR0=12 34\n", TB_ERR_INPUT,
    "[regs] R0: expected" },
  { "cpu_0.ini", CPU "[regs]\nR0(size:0)=1\n", TB_ERR_INPUT,
    "cpu_0.ini:5: [regs] R0(size:0): expected a register of 1 to 2048 bits, "
    "found 0" },
  { "cpu_0.ini", CPU "[regs]\nR0(size:2049)=1\n", TB_ERR_INPUT,
    "expected a register of 1 to 2048 bits, found 2049" },
  { "cpu_0.ini", CPU "[regs]\nR0(size:99999999999999999999)=1\n", TB_ERR_INPUT,
    "expected a register's size in bits, a number" },
  { "cpu_0.ini", CPU "[regs]\nR0(id:x)=1\n", TB_ERR_INPUT,
    "[regs] R0(id:x): expected a register's ID, a number, found \"x\"" },
  { "cpu_0.ini", CPU "[regs]\nR0(0x100000000)=1\n", TB_ERR_INPUT,
    "expected a register's ID, a number" },
  { "cpu_0.ini", CPU "[regs]\nR0(1,id:2)=1\n", TB_ERR_INPUT,
    "expected one ID, found two" },
  { "cpu_0.ini", CPU "[regs]\nR0(1=1\n", TB_ERR_INPUT,
    "cpu_0.ini:5: [regs] R0(1: expected NAME, NAME(ID) or" },
  { "cpu_0.ini", CPU "[regs]\nR0)=1\n", TB_ERR_INPUT, "expected NAME" },
  { "cpu_0.ini", CPU "[regs]\nR0(1)x=1\n", TB_ERR_INPUT, "expected NAME" },
  { "cpu_0.ini", CPU "[regs]\n(1)=1\n", TB_ERR_INPUT, "expected NAME" },

  /* Dumps.  */
  { "cpu_0.ini", DUMP, TB_ERR_INPUT,
    "cpu_0.ini:4: [dump]: expected the key address, found none" },
  { "cpu_0.ini", DUMP "address=here\n", TB_ERR_INPUT,
    "cpu_0.ini:6: [dump] address: expected a number of up to 64 bits" },
  { "cpu_0.ini", DUMP "address=0x10000000000000000\n", TB_ERR_INPUT,
    "cpu_0.ini:6: [dump] address: expected a number of up to 64 bits" },
  { "cpu_0.ini", DUMP "address=0\nlength=65\n", TB_ERR_INPUT,
    "cpu_0.ini:7: [dump] length: expected a length of at most 64 bytes" },
  { "cpu_0.ini", DUMP "address=0\nlength=0xFFFFFFFFFFFFFFFF\n", TB_ERR_INPUT,
    "cpu_0.ini:7: [dump] length: expected a length of at most 64 bytes" },
  { "cpu_0.ini", DUMP "address=0\noffset=65\n", TB_ERR_INPUT,
    "cpu_0.ini:7: [dump] offset: expected an offset of at most 64" },
  { "cpu_0.ini", DUMP "address=0\noffset=32\nlength=33\n", TB_ERR_INPUT,
    "cpu_0.ini:8: [dump] length: expected a length of at most 32 bytes" },
  { "cpu_0.ini", DUMP "address=0xFFFFFFFFFFFFFFC1\n", TB_ERR_INPUT,
    "cpu_0.ini:6: [dump] address: expected a region that ends by the top of "
    "the address space" },
  { "cpu_0.ini", DUMP "address=0\naddress=4\n", TB_ERR_INPUT,
    "cpu_0.ini:7: [dump] address: expected the key once" },

  /* Trace.  */
  { "trace.ini", "[trace_buffers]\n", TB_ERR_INPUT,
    "trace.ini:1: [trace_buffers]: expected the key buffers, found none" },
  { "trace.ini", "[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=E\n"
    "file=trace.bin\nformat=coresight\n", TB_ERR_INPUT,
    "trace.ini:2: [trace_buffers] buffers: expected a section [b1] for this "
    "buffer, found none" },
  { "trace.ini", "[trace_buffers]\nbuffers=source_buffers\n", TB_ERR_INPUT,
    "trace.ini:2: [trace_buffers] buffers: expected the IDs of buffers, found "
    "\"source_buffers\"" },
  { "trace.ini", BUFFER "format=coresight\n", TB_ERR_INPUT,
    "trace.ini:3: [b0]: expected the key file, found none" },
  { "trace.ini", BUFFER "file=trace.bin\n", TB_ERR_INPUT,
    "trace.ini:3: [b0]: expected the key format, found none" },
  { "trace.ini", BUFFER "file=\nformat=coresight\n", TB_ERR_INPUT,
    "trace.ini:5: [b0] file: expected the path of a file, found nothing" },
  { "trace.ini", BUFFER "file=gone.bin\nformat=coresight\n", TB_ERR_IO,
    "trace.ini:5: [b0] file: expected the file of a trace buffer, found no "
    "file \"gone.bin\"" },
  { "trace.ini", BUFFER "file=trace.bin,gone.bin\nformat=coresight\n",
    TB_ERR_IO, "found no file \"gone.bin\"" },
  { "trace.ini", "[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=E\n"
    "file=trace.bin\nformat=coresight\n[b1]\nname=E\nfile=code.bin\n"
    "format=coresight\n", TB_ERR_INPUT,
    "trace.ini:9: [b1] file: expected buffers of different names, found "
    "\"E\"" },
  { "trace.ini", "[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=E\n"
    "file=trace.bin\nformat=coresight\n[b1]\nname=F\nfile=code.bin\n"
    "format=coresight\n", TB_ERR_INPUT,
    "trace.ini: expected a section [source_buffers], because there are 2 trace "
    "buffers" },
  { "trace.ini", BUFFER "file=trace.bin\nformat=coresight\n"
    "[core_trace_sources]\nETM_0=cpu_0\n", TB_ERR_INPUT,
    "trace.ini:8: [core_trace_sources] ETM_0: expected a trace source, found "
    "cpu_0, which is a core" },
  { "trace.ini", BUFFER "file=trace.bin\nformat=coresight\n"
    "[source_buffers]\nETM_0(flow:1)=E\n", TB_ERR_INPUT,
    "trace.ini:8: [source_buffers] ETM_0(flow:1): expected SOURCE or "
    "SOURCE(stream:N)" },
  { "trace.ini", BUFFER "file=trace.bin\nformat=coresight\n"
    "[source_buffers]\nETM_0(stream:128)=E\n", TB_ERR_INPUT,
    "expected SOURCE or SOURCE(stream:N) with N below 128" },
  { "trace.ini", "oops\n", TB_ERR_INPUT,
    "trace.ini:1: expected [section], key=value or a comment, found \"oops\"" }
};

static bool
is_zero (const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (((const uint8_t *) bytes)[i] != 0)
      return false;
  return true;
}

static void
link_to (const char *target, const char *name)
{
  if (symlink (target, tree_path (&tree, name)) != 0)
    {
      perror (name);
      exit (1);
    }
}

static void
test_cases (void)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct tb_snapshot snapshot;
      tree_reset (&tree);
      tree_write (&tree, cases[i].file, cases[i].text);
      enum tb_status status = tree_open (&tree, &snapshot);
      bool good = CHECK_INT (status, cases[i].status);
      good &= CHECK (tree.diag.errors > 0);
      good &= CHECK (is_zero (&snapshot, sizeof snapshot));
      good &= CHECK (tree_said (&tree, cases[i].said));
      if (!good)
	fprintf (stderr, "case %zu: %s:\n%s\n", i, cases[i].file,
		 cases[i].text);
      if (status == TB_OK)
	tb_snapshot_close (&snapshot);
    }
}

/* Links that stay inside are fine; those that do not are, if it is allowed.  */
static void
test_outside (void)
{
  struct tb_snapshot snapshot;
  struct tb_snapshot_options options = { .allow_outside = true };
  struct tree other;
  tree_reset (&tree);
  tree_make (&other);
  link_to ("cpu_0.ini", "inside.ini");
  tree_write (&tree, "snapshot.ini", HEAD "[device_list]\nd0=inside.ini\n"
	      "d1=sub/../etm_0.ini\n");
  CHECK_INT (tree_open (&tree, &snapshot), TB_OK);
  CHECK_INT (snapshot.ndevices, 2);
  tb_snapshot_close (&snapshot);

  char text[1024];
  snprintf (text, sizeof text, HEAD "[device_list]\nd0=%s/cpu_0.ini\n",
	    other.root);
  tree_write (&tree, "snapshot.ini", text);
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_INPUT);
  tree_forget (&tree);
  CHECK_INT (tb_snapshot_open (&snapshot, tree.root, &options, &tree.diag),
	     TB_OK);
  CHECK_STR (tree.said, "");
  CHECK_INT (snapshot.devices[0].ndumps, 1);
  tb_snapshot_close (&snapshot);

  /* A snapshot.ini that is itself a link out; fine where the user names it.  */
  unlink (tree_path (&tree, "snapshot.ini"));
  snprintf (text, sizeof text, "%s/snapshot.ini", other.root);
  link_to (text, "snapshot.ini");
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_INPUT);
  CHECK (tree_said (&tree, "a link that leads out of it (--allow-outside follows it)"));
  tree_forget (&tree);
  CHECK_INT (tb_snapshot_open (&snapshot, tree_path (&tree, "snapshot.ini"),
			       NULL, &tree.diag), TB_OK);
  tb_snapshot_close (&snapshot);
  unlink (tree_path (&tree, "snapshot.ini"));
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_IO);
  CHECK (tree_said (&tree, "snapshot.ini: expected a snapshot's first file"));
  CHECK_INT (tb_snapshot_open (&snapshot, "gone", NULL, NULL), TB_ERR_IO);
  tree_remove (&other);
}

/* A device file in a folder names its dumps from the root or from there.  */
static void
test_folders (void)
{
  struct tb_snapshot snapshot;
  tree_reset (&tree);
  tree_write (&tree, "snapshot.ini", HEAD "[device_list]\nd0=sub/cpu.ini\n");
  tree_write (&tree, "sub/cpu.ini", CPU "[dump]\nfile=code.bin\naddress=0\n"
	      "[dump]\nfile=near.bin\naddress=0x100\n"
	      "[dump]\nfile=../trace.bin\naddress=0x200\n");
  tree_write (&tree, "sub/near.bin", "near");
  if (CHECK_INT (tree_open (&tree, &snapshot), TB_OK))
    {
      CHECK_INT (snapshot.devices[0].ndumps, 3);
      CHECK_INT (snapshot.devices[0].dumps[1].length, 4);
      CHECK_INT (snapshot.devices[0].dumps[2].length, 32);
      tb_snapshot_close (&snapshot);
    }
  else
    fprintf (stderr, "%s", tree.said);
}

/* Files that ask for much, and messages without end.  */
static void
test_limits (void)
{
  struct tb_snapshot snapshot;
  size_t size = (size_t) 17 << 20;
  char *text = malloc (size);
  if (text == NULL)
    exit (1);
  tree_reset (&tree);
  memset (text, ' ', size);
  memcpy (text, tree_cpu_ini, sizeof tree_cpu_ini - 1);
  tree_write_bytes (&tree, "cpu_0.ini", text, size);
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_MEMORY);
  CHECK (tree_said (&tree, "cpu_0.ini: expected an INI file of at most"));

  /* Too many keys.  */
  memcpy (text, "[device]\n", 9);
  for (size_t i = 9; i + 4 <= ((size_t) 2 << 20); i += 4)
    memcpy (text + i, "a=1\n", 4);
  tree_write_bytes (&tree, "cpu_0.ini", text, (size_t) 2 << 20);
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_MEMORY);
  CHECK (tree_said (&tree, "expected at most 262144 keys and sections"));

  /* A line without end, and a key without end.  */
  memset (text, 'x', (size_t) 1 << 20);
  memcpy (text, CPU, sizeof CPU - 1);
  tree_write_bytes (&tree, "cpu_0.ini", text, (size_t) 1 << 20);
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_INPUT);
  CHECK (tree_said (&tree, "cpu_0.ini:4: expected [section], key=value or a "
		    "comment, found \"xxxxxxxx"));
  text[((size_t) 1 << 20) - 2] = '=';
  tree_write_bytes (&tree, "cpu_0.ini", text, (size_t) 1 << 20);
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_INPUT);
  CHECK (tree_said (&tree, "cpu_0.ini:4: expected [section], key=value"));

  /* A hundred thousand bad lines give a hundred messages.  */
  for (size_t i = 0; i < 200000; i += 2)
    memcpy (text + i, "x\n", 2);
  tree_write_bytes (&tree, "cpu_0.ini", text, 200000);
  CHECK_INT (tree_open (&tree, &snapshot), TB_ERR_INPUT);
  CHECK_INT (tree.diag.errors, 101);
  CHECK (tree_said (&tree, "there is more of this kind"));
  free (text);
}

int
main (void)
{
  /* Memory that nobody wrote to has no zeros: texts of errors must end by themselves.  */
  mallopt (M_PERTURB, 0x55);
  tree_make (&tree);
  tree_mkdir (&tree, "sub");
  link_to ("/etc/passwd", "out.ini");
  link_to ("/etc", "out");
  link_to ("loop", "loop");
  if (mkfifo (tree_path (&tree, "fifo"), 0600) != 0)
    return 1;
  test_cases ();
  test_folders ();
  test_limits ();
  test_outside ();
  tree_remove (&tree);
  return check_done ();
}
