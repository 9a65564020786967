/* The index of one ID: blocks, and looking things up.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "check.h"
#include "decode/id-index.h"

static void
note (struct tb_id_index *index, enum tb_element_kind kind, uint64_t byte,
      uint64_t value)
{
  struct tb_element e = { .kind = kind, .index = byte };
  if (kind == TB_ELEMENT_CONTEXT)
    e.u.context.cid = (uint32_t) value;
  else
    e.u.value = value;
  CHECK (tb_id_index_note (index, &e));
}

/* Blocks of 100 bytes: 0 (sync, timestamps 50 60), 2 (context, trigger), 5 (sync,
   timestamp 40: set back), 9 (timestamp 90).  */
static void
fill (struct tb_id_index *index, bool first, bool second)
{
  if (first)
    {
      CHECK (tb_id_index_note_sync (index, 12));
      note (index, TB_ELEMENT_TIMESTAMP, 20, 50);
      note (index, TB_ELEMENT_RANGE, 21, 0);
      note (index, TB_ELEMENT_TIMESTAMP, 99, 60);
      note (index, TB_ELEMENT_CONTEXT, 200, 7);
    }
  if (second)
    {
      note (index, TB_ELEMENT_EVENT, 250, 3);
      CHECK (tb_id_index_note_sync (index, 512));
      note (index, TB_ELEMENT_TIMESTAMP, 530, 40);
      note (index, TB_ELEMENT_TIMESTAMP, 900, 90);
      /* An element may come after one of later bytes.  */
      note (index, TB_ELEMENT_CONTEXT, 599, 8);
    }
}

static uint64_t
number (const struct tb_id_block *block)
{
  return block != NULL ? block->number : UINT64_MAX;
}

static void
check_all (const struct tb_id_index *x)
{
  static const struct
  {
    enum tb_id_entry_kind kind;
    uint64_t byte, after;
  } table[] = {
    { TB_ID_SYNC, 0, 0 }, { TB_ID_SYNC, 99, 0 }, { TB_ID_SYNC, 100, 5 },
    { TB_ID_SYNC, 599, 5 }, { TB_ID_SYNC, 600, UINT64_MAX },
    { TB_ID_SYNC, UINT64_MAX, UINT64_MAX }, { TB_ID_TRIGGER, 199, 2 },
    { TB_ID_TRIGGER, 200, 2 }, { TB_ID_TIMESTAMP, 500, 5 },
    { TB_ID_TIMESTAMP, 499, 5 }, { TB_ID_CONTEXT, 1000, UINT64_MAX },
    { TB_ID_GAP, 300, UINT64_MAX }
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    CHECK_INT (number (tb_id_index_after (x, table[i].kind, table[i].byte)),
	       table[i].after);
  CHECK (!x->cut);
  CHECK_INT (x->nblocks, 4);
  CHECK_INT (tb_id_index_count (x, TB_ID_TIMESTAMP), 4);
  CHECK_INT (tb_id_index_count (x, TB_ID_CONTEXT), 2);
  CHECK_INT (tb_id_index_count (x, TB_ID_SYNC), 2);
  CHECK_INT (x->blocks[0].first_timestamp, 50);
  CHECK_INT (x->blocks[0].last_timestamp, 60);
  CHECK_INT (x->blocks[0].first_sync, 12);
  CHECK_INT (x->blocks[1].last_context, 7);
  CHECK_INT (x->blocks[2].last_context, 8);
}

/* What no block is left for is not noted; the index says that it is cut.  */
static void
test_cut (void)
{
  struct tb_id_index some = { .block_size = 100, .most = 2 };
  struct tb_id_index other = { .block_size = 100 };
  fill (&some, true, true);
  CHECK (some.cut);
  CHECK_INT (some.nblocks, 2);
  CHECK_INT (tb_id_index_count (&some, TB_ID_TIMESTAMP), 2);
  CHECK_INT (tb_id_index_count (&some, TB_ID_TRIGGER), 1);
  /* So is what it is appended to.  */
  CHECK (tb_id_index_append (&other, &some));
  CHECK (other.cut);
  CHECK_INT (other.nblocks, 2);
  tb_id_index_fini (&some);
  tb_id_index_fini (&other);
}

int
main (void)
{
  struct tb_id_index whole = { .block_size = 100 };
  struct tb_id_index first = whole, second = whole;
  fill (&whole, true, true);
  check_all (&whole);
  /* Block 2 is in both halves.  */
  fill (&first, true, false);
  fill (&second, false, true);
  CHECK (tb_id_index_append (&first, &second));
  check_all (&first);
  tb_id_index_fini (&whole);
  tb_id_index_fini (&first);
  tb_id_index_fini (&second);
  test_cut ();
  struct tb_id_index empty = { .block_size = 1 };
  CHECK (tb_id_index_after (&empty, TB_ID_SYNC, 0) == NULL);
  return check_done ();
}
