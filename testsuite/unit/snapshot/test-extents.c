/* Extents, and the memory that the cores of a snapshot share.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "recording/session.h"
#include "snapshot-tree.h"
#include "snapshot/extents.h"

/* What EXTENTS are, as text.  */
static const char *
text (const struct tb_extents *e)
{
  static char buffer[1024];
  size_t length = 0;
  buffer[0] = '\0';
  for (size_t i = 0; i < e->count; i++)
    length += (size_t) snprintf (buffer + length, sizeof buffer - length,
				 "%s%llx+%llx", i > 0 ? " " : "",
				 (unsigned long long) e->items[i].address,
				 (unsigned long long) e->items[i].length);
  return buffer;
}

static void
test_extents (void)
{
  struct tb_extents e = { NULL, 0, 0 };
  CHECK (!tb_extents_hit (NULL, 0, 1));
  CHECK (!tb_extents_hit (&e, 0, UINT64_MAX));
  CHECK (tb_extents_add (&e, 0x20, 0x10) && tb_extents_add (&e, 0x40, 0x10)
	 && tb_extents_add (&e, 0, 4));
  CHECK_STR (text (&e), "0+4 20+10 40+10");
  CHECK (!tb_extents_hit (&e, 4, 0x1c));
  CHECK (tb_extents_hit (&e, 4, 0x1d));
  CHECK (tb_extents_hit (&e, 0x2f, 1));
  CHECK (!tb_extents_hit (&e, 0x30, 0x10));
  CHECK (tb_extents_hold (&e, 0x20, 0x10));
  CHECK (!tb_extents_hold (&e, 0x20, 0x11));
  CHECK (!tb_extents_hold (&e, 0x1f, 2));
  CHECK (tb_extents_add (&e, 0x30, 0x10));	/* It touches both.  */
  CHECK_STR (text (&e), "0+4 20+30");
  CHECK (tb_extents_add (&e, 2, 0x1e));
  CHECK_STR (text (&e), "0+50");
  CHECK (tb_extents_add (&e, UINT64_MAX - 7, 100));
  CHECK_STR (text (&e), "0+50 fffffffffffffff8+8");
  CHECK (tb_extents_hit (&e, UINT64_MAX, 1));
  CHECK (tb_extents_hold (&e, UINT64_MAX - 7, 8));
  CHECK (tb_extents_add (&e, 0, UINT64_MAX));
  CHECK_INT (e.count, 1);
  CHECK (tb_extents_hold (&e, 0x123456, 0x1000));
  tb_extents_fini (&e);
}

/* Two cores with 12 KiB each, at SECOND for the second one.  The first page is as
   the one at the same place of the other, the second one differs.  */
static void
test_shared (bool two, const char *second, const char *want)
{
  struct tree tree;
  struct tb_session session;
  static uint8_t bytes[0x3000];
  char ini[512];
  tree_make (&tree);
  tree_write (&tree, "snapshot.ini", two
	      ? "[snapshot]\nversion=1.0\n[device_list]\na=a.ini\nb=b.ini\n"
	      : "[snapshot]\nversion=1.0\n[device_list]\na=a.ini\n");
  memset (bytes, 0x55, sizeof bytes);
  tree_write_bytes (&tree, "a.bin", bytes, sizeof bytes);
  bytes[0x1fff] = 1;
  bytes[0x2800] = 1;
  tree_write_bytes (&tree, "b.bin", bytes, sizeof bytes);
  tree_write (&tree, "a.ini", "[device]\nname=a\nclass=core\ntype=Cortex-M33\n"
	      "[dump0]\nfile=a.bin\naddress=0x20000000\nlength=0x2800\n");
  snprintf (ini, sizeof ini, "[device]\nname=b\nclass=core\ntype=Cortex-M33\n"
	    "%s%s", *second != '\0' ? "[dump0]\nfile=b.bin\nlength=0x3000\n"
	    "address=" : "", second);
  tree_write (&tree, "b.ini", ini);
  tree_forget (&tree);
  CHECK_INT (tb_session_open (&session, tree.root, NULL, &tree.diag), TB_OK);
  const struct tb_extents *shared
    = tb_session_shared (&session, &session.cores[0], &tree.diag);
  CHECK (shared != NULL);
  if (shared != NULL)
    CHECK_STR (text (shared), want);
  CHECK_INT (strstr (tree.said, "note: ") != NULL, *want != '\0');
  tree_forget (&tree);
  CHECK (tb_session_shared (&session, &session.cores[0], &tree.diag)
	 == shared);
  CHECK_STR (tree.said, "");	/* Said once.  */
  tb_session_close (&session);
  tree_remove (&tree);
}

int
main (void)
{
  test_extents ();
  test_shared (false, "0x20000000", "");
  /* The byte at 0x2800 is beyond the first core's dump.  */
  test_shared (true, "0x20000000", "20000000+1000 20002000+800");
  /* One page lower: both pages differ, the rest it does not list.  */
  test_shared (true, "0x1ffff000", "20002000+800");
  /* What the other core does not list it may work with all the same.  */
  test_shared (true, "0x30000000", "20000000+2800");
  test_shared (true, "", "20000000+2800");
  return check_done ();
}
