/* Tests of code by core and by context: what ran is read from the dumps of the core
   that ran it, in the address space that it ran in.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <ftw.h>

#include "etmv4-run.h"
#include "target-memory.h"
#include "v7-run.h"
#include "recording/session.h"
#include "snapshot-tree.h"

enum { MOST = 12 };

/* A program: COUNT - 1 times nothing, then a return.  */
struct program
{
  uint32_t words[MOST];
  size_t size;
};

static struct program
make_program (uint32_t nop, uint32_t ret, unsigned count)
{
  struct program p = { .size = count * 4 };
  for (unsigned i = 0; i < count; i++)
    p.words[i] = i + 1 < count ? nop : ret;
  return p;
}

#define A64_NOP 0xd503201f
#define A64_RET 0xd65f03c0
#define A32_NOP 0xe1a00000
#define A32_RET 0xe12fff1e

static void
add_program (struct tb_memmap *map, enum tb_space space, uint64_t address,
	     const struct program *program)
{
  struct tb_region region = { .address = address, .length = program->size,
			      .space = space, .access = TB_ACCESS_UNKNOWN,
			      .halt_contents = true,
			      .data = TARGET_BYTES (program->words,
						    program->size),
			      .name = tb_space_name (space) };
  CHECK_INT (tb_memmap_add (map, &region, NULL), TB_OK);
}

/* How many instructions each return ended, in order, as digits.  */
static void
counts (struct tb_decoder *d, char *text, size_t room)
{
  struct tb_element e[64];
  unsigned count = 0;
  size_t n, at = 0;
  while (CHECK (d != NULL) && (n = d->read (d, e, 64)) > 0)
    for (size_t i = 0; i < n; i++)
      {
	if (e[i].kind == TB_ELEMENT_NO_CODE && at + 1 < room)
	  text[at++] = 'A';
	if (e[i].kind != TB_ELEMENT_RANGE)
	  continue;
	count += e[i].u.range.count;
	if (e[i].last_kind == TB_FLOW_INDIRECT && at + 1 < room)
	  {
	    text[at++] = (char) ('0' + count);
	    count = 0;
	  }
      }
  text[at] = '\0';
  if (d != NULL)
    {
      CHECK_INT (d->stats.bad_image, 0);
      d->close (d);
    }
}

/* ETMv4 and ETE: exception level and security state.  */

/* A context information byte: EL, A64, non-secure, realm or root.  */
#define CONTEXT(el, ns, nse) ((el) | 0x10 | (ns) << 5 | (nse) << 3)

static void
test_etmv4 (void)
{
  static const struct { enum tb_space space; unsigned count; } programs[] = {
    { TB_SPACE_EL1N, 1 }, { TB_SPACE_EL1S, 2 }, { TB_SPACE_EL2, 3 },
    { TB_SPACE_EL3, 4 }, { TB_SPACE_REALM, 5 }, { TB_SPACE_ROOT, 6 }
  };
  static const struct { uint8_t context; char want; } steps[] = {
    { CONTEXT (1, 1, 0), '1' }, { CONTEXT (1, 0, 0), '2' },
    { CONTEXT (2, 1, 0), '3' }, { CONTEXT (3, 0, 0), '4' },
    { CONTEXT (1, 1, 1), '5' }, { CONTEXT (3, 0, 1), '6' },
    { CONTEXT (0, 1, 0), '1' }, { CONTEXT (0, 0, 0), '2' },
    { CONTEXT (0, 1, 1), '5' }, { CONTEXT (2, 1, 0), '3' },
    { CONTEXT (1, 1, 0), '1' }, { CONTEXT (3, 0, 1), '6' },
    { CONTEXT (1, 0, 0), '2' }, { CONTEXT (3, 0, 0), '4' }
  };
  enum { NSTEPS = sizeof steps / sizeof steps[0] };
  struct program made[6], shared = make_program (A64_NOP, A64_RET, 7);
  static const struct run_unit unit = {
    "ETE", "ARM-AA64", 1, 0x2801cea1, 0x4100fff0, 0xd0001088, 0, 0x47705a13,
    { (const uint8_t *) "\0\0\0\0", 4, 0x9000 }
  };
  static const char sync[] = "\0\0\0\0\0\0\0\0\0\0\0\x80\x01\x00\x04";
  uint8_t trace[sizeof sync + NSTEPS * 14];
  char want[2 * NSTEPS + 1] = "", got[64];
  size_t size = sizeof sync - 1;
  memcpy (trace, sync, size);
  for (unsigned i = 0; i < NSTEPS; i++)
    {
      /* 0x1000, where all differ; an atom; 0x2000, which all share; an atom.  */
      const uint8_t bytes[] = { 0x82, 0x00, 0x08, 0, 0, steps[i].context, 0xf7,
				0x9a, 0x00, 0x10, 0, 0, 0xf7 };
      memcpy (trace + size, bytes, sizeof bytes);
      size += sizeof bytes;
      want[2 * i] = steps[i].want;
      want[2 * i + 1] = '7';
    }
  struct run run;
  if (!run_init (&run, &unit, trace, size))
    return;
  for (unsigned i = 0; i < 6; i++)
    {
      made[i] = make_program (A64_NOP, A64_RET, programs[i].count);
      add_program (run.map, programs[i].space, 0x1000, &made[i]);
    }
  add_program (run.map, TB_SPACE_ANY, 0x2000, &shared);
  CHECK_INT (tb_memmap_seal (run.map, NULL), TB_OK);
  counts (tb_decoder_open (&run.config, NULL), got, sizeof got);
  CHECK_STR (got, want);
  run_fini (&run);
}

/* ETMv3 and PTM: secure, non-secure, Hyp.  */

static void
test_v7 (void)
{
  static const struct { const char *name; struct v7_unit unit;
			const char *trace; } table[] = {
    /* I-sync at 0x1000 in each state; P-headers of one to three atoms.  */
    { "ETMv3", { "ETM3.5", "Cortex-A7", 0x400, 0x410cf250, 0x344008f2,
		 { (const uint8_t *) "\0\0\0\0", 4, 0x9000 } },
      "000000000080 082900100000 84 082100100000 88 082b00100000 8c "
      "082100100000 88 082900100000 84" },
    /* The same; the packets of the returns.  */
    { "PTM", { "PTM1.1", "Cortex-A15", 0x400, 0x411cf312, 0x34c01ac2,
	       { (const uint8_t *) "\0\0\0\0", 4, 0x9000 } },
      "000000000080 080010000029 01 080010000021 01 08001000002b 01 "
      "080010000021 01 080010000029 01" }
  };
  static const enum tb_space spaces[] = { TB_SPACE_N, TB_SPACE_S, TB_SPACE_H };
  struct program made[3];
  for (size_t t = 0; t < sizeof table / sizeof table[0]; t++)
    {
      uint8_t trace[256];
      size_t size = v7_bytes (trace, sizeof trace, table[t].trace);
      struct run run;
      char got[64];
      if (!v7_run_init (&run, &table[t].unit, trace, size))
	return;
      for (unsigned i = 0; i < 3; i++)
	{
	  made[i] = make_program (A32_NOP, A32_RET, i + 1);
	  add_program (run.map, spaces[i], 0x1000, &made[i]);
	}
      CHECK_INT (tb_memmap_seal (run.map, NULL), TB_OK);
      counts (tb_decoder_open (&run.config, NULL), got, sizeof got);
      if (!CHECK_STR (got, "12321"))
	fprintf (stderr, "%s\n", table[t].name);
      run_fini (&run);
    }
}

/* Two cores, each with a program of its own at one address.  */

static void
test_cores (void)
{
  static const char cpu[] =
    "[device]\nname=cpu_%u\nclass=core\ntype=Cortex-A57\n\n[dump0]\n"
    "file=code%u.bin\naddress=0x1000\nlength=%u\n";
  static const char etm[] =
    "[device]\nname=ETM_%u\nclass=trace_source\ntype=ETM4.2\n\n[regs]\n"
    "TRCTRACEIDR(0x010)=0x%x\nTRCCONFIGR(0x004)=1\nTRCIDR0(0x078)=0x28000ea1\n"
    "TRCIDR1(0x079)=0x4100f421\nTRCIDR2(0x07a)=0x488\n";
  static const uint8_t trace[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00, 0x04,
    0x82, 0x00, 0x08, 0, 0, 0x31, 0xf7
  };
  struct tree tree;
  char text[512];
  tree_make (&tree);
  tree_write (&tree, "snapshot.ini", "[snapshot]\nversion=1.0\n"
	      "[device_list]\ndevice0=cpu_0.ini\ndevice1=cpu_1.ini\n"
	      "device2=etm_0.ini\ndevice3=etm_1.ini\n"
	      "[trace]\nmetadata=trace.ini\n");
  tree_write (&tree, "trace.ini", "[trace_buffers]\nbuffers=b0,b1\n"
	      "[b0]\nname=B0\nfile=trace.bin\nformat=source_data\n"
	      "[b1]\nname=B1\nfile=trace1.bin\nformat=source_data\n"
	      "[core_trace_sources]\ncpu_0=ETM_0\ncpu_1=ETM_1\n"
	      "[source_buffers]\nETM_0=B0\nETM_1=B1\n");
  tree_write_bytes (&tree, "trace.bin", trace, sizeof trace);
  tree_write_bytes (&tree, "trace1.bin", trace, sizeof trace);
  for (unsigned i = 0; i < 2; i++)
    {
      struct program p = make_program (A64_NOP, A64_RET, 3 + 2 * i);
      char name[32];
      snprintf (name, sizeof name, "code%u.bin", i);
      tree_write_bytes (&tree, name, TARGET_BYTES (p.words, p.size), p.size);
      snprintf (text, sizeof text, cpu, i, i, (unsigned) p.size);
      snprintf (name, sizeof name, "cpu_%u.ini", i);
      tree_write (&tree, name, text);
      snprintf (text, sizeof text, etm, i, 0x10 + i);
      snprintf (name, sizeof name, "etm_%u.ini", i);
      tree_write (&tree, name, text);
    }
  struct tb_session session;
  tree_forget (&tree);
  if (CHECK_INT (tb_session_open (&session, tree.root, NULL, &tree.diag),
		 TB_OK))
    {
      static const char *const want[] = { "3", "5" };
      CHECK_INT (session.nstreams, 2);
      for (unsigned i = 0; i < 2 && i < session.nstreams; i++)
	{
	  char got[8];
	  counts (tb_session_decoder (&session, &session.streams[i],
				      &tree.diag), got, sizeof got);
	  CHECK_STR (got, want[i]);
	}
      tb_session_close (&session);
    }
  else
    fputs (tree.said, stderr);
  tree_remove (&tree);
}

int
main (void)
{
  test_etmv4 ();
  test_v7 ();
  test_cores ();
  return check_done ();
}
