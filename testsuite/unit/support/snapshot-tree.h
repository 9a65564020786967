/* Little snapshots in a temporary directory, for unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_SNAPSHOT_TREE_H
#define TB_UNIT_SNAPSHOT_TREE_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "snapshot/snapshot.h"

/* A directory and what was said when it was last opened.  */
struct tree
{
  char root[512];
  char said[1 << 19];		/* "error: TEXT\n" ...  */
  size_t said_length;
  struct tb_diag diag;
};

static inline void
tree_say (void *context, enum tb_severity severity, const char *message)
{
  static const char *const names[] = { "note", "warning", "error" };
  struct tree *tree = context;
  size_t room = sizeof tree->said - tree->said_length;
  int length = snprintf (tree->said + tree->said_length, room, "%s: %s\n",
			 names[severity], message);
  if (length > 0 && (size_t) length < room)
    tree->said_length += (size_t) length;
}

static inline void
tree_forget (struct tree *tree)
{
  tree->said_length = 0;
  tree->said[0] = '\0';
  tree->diag = (struct tb_diag) { .report = tree_say, .context = tree };
}

/* The path of NAME in the tree; valid until the next call.  */
static inline const char *
tree_path (const struct tree *tree, const char *name)
{
  static char path[1024];
  snprintf (path, sizeof path, "%s/%s", tree->root, name);
  return path;
}

static inline void
tree_write_bytes (struct tree *tree, const char *name, const void *bytes,
		  size_t size)
{
  FILE *file = fopen (tree_path (tree, name), "wb");
  if (file == NULL || fwrite (bytes, 1, size, file) != size
      || fclose (file) != 0)
    {
      perror (name);
      exit (1);
    }
}

static inline void
tree_write (struct tree *tree, const char *name, const char *text)
{
  tree_write_bytes (tree, name, text, strlen (text));
}

static inline void
tree_mkdir (struct tree *tree, const char *name)
{
  if (mkdir (tree_path (tree, name), 0777) != 0)
    {
      perror (name);
      exit (1);
    }
}

/* What the tests begin with: a core and its trace source.  */
static const char tree_snapshot_ini[] =
  "[snapshot]\nversion=1.0\ndescription=A test\n\n"
  "[device_list]\ndevice0=cpu_0.ini\ndevice1=etm_0.ini\n\n"
  "[trace]\nmetadata=trace.ini\n";
static const char tree_cpu_ini[] =
  "[device]\nname=cpu_0\nclass=core\ntype=Cortex-M33\n\n"
  "[regs]\nR0=0x12345678\nPC=4096\n\n"
  "[dump0]\nfile=code.bin\naddress=0x1000\nlength=0x40\n";
static const char tree_etm_ini[] =
  "[device]\nname=ETM_0\nclass=trace_source\ntype=ETM4.2\n"
  "location=address:0x80010000\n\n"
  "[regs]\nTRCTRACEIDR(0x010)=0x10\nTRCCONFIGR(id:0x4)=0x1\n";
static const char tree_trace_ini[] =
  "[trace_buffers]\nbuffers=buffer0\n\n"
  "[buffer0]\nname=ETB_0\nfile=trace.bin\nformat=coresight\n\n"
  "[core_trace_sources]\ncpu_0=ETM_0\n\n[source_buffers]\nETM_0=ETB_0\n";

/* Write the files that the tests begin with.  */
static inline void
tree_reset (struct tree *tree)
{
  uint8_t bytes[64];
  for (unsigned i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t) i;
  tree_write (tree, "snapshot.ini", tree_snapshot_ini);
  tree_write (tree, "cpu_0.ini", tree_cpu_ini);
  tree_write (tree, "etm_0.ini", tree_etm_ini);
  tree_write (tree, "trace.ini", tree_trace_ini);
  tree_write_bytes (tree, "code.bin", bytes, sizeof bytes);
  tree_write_bytes (tree, "trace.bin", bytes, 32);
}

static inline void
tree_make (struct tree *tree)
{
  const char *temporary = getenv ("TMPDIR");
  snprintf (tree->root, sizeof tree->root, "%s/tb-snapshot-XXXXXX",
	    temporary != NULL ? temporary : P_tmpdir);
  if (mkdtemp (tree->root) == NULL)
    {
      perror (tree->root);
      exit (1);
    }
  tree_forget (tree);
  tree_reset (tree);
}

static inline int
tree_remove_one (const char *path, const struct stat *st, int type,
		 struct FTW *place)
{
  (void) st;
  (void) type;
  (void) place;
  return remove (path);
}

static inline void
tree_remove (struct tree *tree)
{
  nftw (tree->root, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Open the tree anew; what is said is only what this open says.  */
static inline enum tb_status
tree_open (struct tree *tree, struct tb_snapshot *snapshot)
{
  tree_forget (tree);
  return tb_snapshot_open (snapshot, tree->root, NULL, &tree->diag);
}

/* Whether TEXT was said.  Prints what was said if not.  */
static inline bool
tree_said (const struct tree *tree, const char *text)
{
  if (strstr (tree->said, text) != NULL)
    return true;
  fprintf (stderr, "expected \"%s\" in:\n%s", text, tree->said);
  return false;
}

#endif /* TB_UNIT_SNAPSHOT_TREE_H */
