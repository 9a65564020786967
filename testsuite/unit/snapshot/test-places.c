/* Where variables stand, by each operation of a location, and what is refused, why.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is expected follows from DWARF 5, 2.5 (expressions) and 2.6 (locations).  */

#include "config.h"

#include "made-dwarf.h"
#include "places-text.h"
#include "snapshot/variables-internal.h"

static struct tb_diag silent;

#define BYTES(...) (const uint8_t[]) { __VA_ARGS__ }, sizeof ((const uint8_t[]) { __VA_ARGS__ })
#define RESTS_ON_MORE "its location is too complicated"
#define NONSENSE "its location makes no sense"
#define FLOATING "its location needs floating point"
#define ENTRY "its value at the function's entry is needed"

/* Operations of two values: the bytes, and what is expected.  */
#define TWO(op, name) \
  { BYTES (DW_OP_lit9, DW_OP_lit2, op), "memory: const 9, const 2, " name }
#define ONE(op, name) { BYTES (DW_OP_lit9, op), "memory: const 9, " name }
/* The same of a value that has a type of its own.  */
#define TYPED(op) DW_OP_lit9, DW_OP_convert, MADE_INT, DW_OP_lit2, op
#define PIECE DW_OP_reg0, DW_OP_piece, 1
#define PIECES_4 PIECE, PIECE, PIECE, PIECE

static const struct row
{
  const uint8_t *bytes;
  size_t size;
  const char *expected;
} rows[] = {
  { BYTES (DW_OP_lit0), "memory: const 0" },
  { BYTES (DW_OP_lit31), "memory: const 31" },
  { BYTES (DW_OP_addr, 0x78, 0x56, 0x34, 0x12), "memory: const 305419896" },
  { BYTES (DW_OP_const1u, 0xff), "memory: const 255" },
  { BYTES (DW_OP_const1s, 0xff), "memory: const -1" },
  { BYTES (DW_OP_const2u, 0xfe, 0xff), "memory: const 65534" },
  { BYTES (DW_OP_const2s, 0xfe, 0xff), "memory: const -2" },
  { BYTES (DW_OP_const4u, 0xfd, 0xff, 0xff, 0xff), "memory: const 4294967293" },
  { BYTES (DW_OP_const4s, 0xfd, 0xff, 0xff, 0xff), "memory: const -3" },
  { BYTES (DW_OP_const8u, 1, 0, 0, 0, 1, 0, 0, 0), "memory: const 4294967297" },
  { BYTES (DW_OP_const8s, 0xfc, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    "memory: const -4" },
  { BYTES (DW_OP_constu, 0x81, 0x01), "memory: const 129" },
  { BYTES (DW_OP_consts, 0x7f), "memory: const -1" },
  { BYTES (DW_OP_addrx, 0), "memory: const 4160" },
  { BYTES (DW_OP_GNU_addr_index, 1), "memory: const 4160" },
  { BYTES (DW_OP_constx, 1, DW_OP_stack_value), "value: const 4160" },
  { BYTES (DW_OP_addrx, 2), NONSENSE },

  { BYTES (DW_OP_reg0), "register 0" },
  { BYTES (DW_OP_reg31), "register 31" },
  { BYTES (DW_OP_regx, 0x84, 0x02), "register 260" },
  { BYTES (DW_OP_regx, 0xff, 0xff, 0xff, 0xff, 0x0f), NONSENSE },
  { BYTES (DW_OP_breg0, 0), "memory: reg 0" },
  { BYTES (DW_OP_breg13, 8), "memory: reg 13, const 8, add" },
  { BYTES (DW_OP_breg31, 0x7c), "memory: reg 31, const -4, add" },
  { BYTES (DW_OP_bregx, 40, 0x7c), "memory: reg 40, const -4, add" },
  { BYTES (DW_OP_fbreg, 0), "memory: reg 11" },
  { BYTES (DW_OP_fbreg, 0x78), "memory: reg 11, const -8, add" },
  { BYTES (DW_OP_call_frame_cfa), "memory: reg 13, const 16, add" },

  { BYTES (DW_OP_breg13, 4, DW_OP_deref), "memory: reg 13, const 4, add, load 4" },
  { BYTES (DW_OP_lit8, DW_OP_deref_size, 1), "memory: const 8, load 1" },
  { BYTES (DW_OP_lit8, DW_OP_deref_size, 2), "memory: const 8, load 2" },
  { BYTES (DW_OP_lit8, DW_OP_deref_size, 8), "memory: const 8, load 8" },
  { BYTES (DW_OP_lit8, DW_OP_deref_size, 3), NONSENSE },
  { BYTES (DW_OP_lit8, DW_OP_deref_size, 0), NONSENSE },
  { BYTES (DW_OP_deref), NONSENSE },
  { BYTES (DW_OP_lit8, DW_OP_plus_uconst, 0x80, 0x01), "memory: const 8, const 128, add" },
  { BYTES (DW_OP_plus_uconst, 1), NONSENSE },
  { BYTES (DW_OP_lit8, DW_OP_nop), "memory: const 8" },

  TWO (DW_OP_plus, "add"), TWO (DW_OP_minus, "sub"), TWO (DW_OP_mul, "mul"),
  TWO (DW_OP_div, "div"), TWO (DW_OP_mod, "rem"), TWO (DW_OP_and, "and"),
  TWO (DW_OP_or, "or"), TWO (DW_OP_xor, "xor"), TWO (DW_OP_shl, "shl"),
  TWO (DW_OP_shr, "shr"), TWO (DW_OP_shra, "sar"), TWO (DW_OP_eq, "eq"),
  TWO (DW_OP_ne, "ne"), TWO (DW_OP_lt, "lt"), TWO (DW_OP_le, "le"),
  TWO (DW_OP_gt, "gt"), TWO (DW_OP_ge, "ge"), TWO (DW_OP_drop, "drop"),
  ONE (DW_OP_neg, "neg"), ONE (DW_OP_not, "not"),
  { BYTES (DW_OP_lit9, DW_OP_dup, DW_OP_plus), "memory: const 9, dup, add" },
  { BYTES (DW_OP_lit9, DW_OP_lit2, DW_OP_swap, DW_OP_minus),
    "memory: const 9, const 2, swap, sub" },
  { BYTES (DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop, DW_OP_drop),
    "memory: const 1, const 2, const 3, rot, drop, drop" },
  { BYTES (DW_OP_lit1, DW_OP_lit2, DW_OP_over, DW_OP_drop, DW_OP_drop),
    "memory: const 1, const 2, pick 1, drop, drop" },
  { BYTES (DW_OP_lit1, DW_OP_pick, 0, DW_OP_drop), "memory: const 1, pick 0, drop" },
  /* Too little on the stack.  */
  { BYTES (DW_OP_lit1, DW_OP_over), NONSENSE },
  { BYTES (DW_OP_lit1, DW_OP_pick, 1), NONSENSE },
  { BYTES (DW_OP_lit1, DW_OP_plus), NONSENSE },
  { BYTES (DW_OP_lit1, DW_OP_lit2, DW_OP_rot), NONSENSE },
  { BYTES (DW_OP_drop), NONSENSE },
  /* And too much or nothing at the end.  */
  { BYTES (DW_OP_lit1, DW_OP_lit2), NONSENSE },
  { BYTES (DW_OP_lit1, DW_OP_drop), NONSENSE },

  { BYTES (DW_OP_lit5, DW_OP_stack_value), "value: const 5" },
  { BYTES (DW_OP_implicit_value, 2, 0x34, 0x12), "value: const 4660" },
  { BYTES (DW_OP_implicit_value, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9), "its value is too long" },
  { BYTES (DW_OP_const_type, MADE_INT, 4, 7, 0, 0, 0, DW_OP_stack_value),
    "value: const 7, sign 32" },
  { BYTES (DW_OP_GNU_const_type, MADE_BYTE, 1, 7, DW_OP_stack_value),
    "value: const 7, zero 8" },
  { BYTES (DW_OP_regval_type, 3, MADE_INT), "memory: reg 3, sign 32" },
  { BYTES (DW_OP_GNU_regval_type, 3, MADE_BYTE), "memory: reg 3, zero 8" },
  { BYTES (DW_OP_breg2, 0, DW_OP_convert, MADE_BYTE), "memory: reg 2, zero 8" },
  { BYTES (DW_OP_breg2, 0, DW_OP_reinterpret, MADE_INT), "memory: reg 2, sign 32" },
  { BYTES (DW_OP_breg2, 0, DW_OP_convert, 0), "memory: reg 2" },
  { BYTES (DW_OP_breg2, 0, DW_OP_GNU_reinterpret, 0), "memory: reg 2" },
  { BYTES (DW_OP_breg2, 0, DW_OP_convert, MADE_FLOAT), FLOATING },
  { BYTES (DW_OP_breg2, 0, DW_OP_convert, MADE_WIDE), FLOATING },
  { BYTES (DW_OP_regval_type, 3, MADE_FLOAT), FLOATING },
  { BYTES (DW_OP_convert, MADE_INT), NONSENSE },
  /* Signs matter to these, and are not followed.  */
  { BYTES (TYPED (DW_OP_div)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_mod)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_shr)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_shra)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_eq)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_ne)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_lt)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_ge)), RESTS_ON_MORE },
  { BYTES (TYPED (DW_OP_shl)), "memory: const 9, sign 32, const 2, shl" },
  { BYTES (TYPED (DW_OP_plus)), "memory: const 9, sign 32, const 2, add" },

  { BYTES (DW_OP_implicit_pointer, 30, 0, 0, 0, 0), "it points to what is optimized out" },
  { BYTES (DW_OP_lit0, DW_OP_form_tls_address), "each thread has its own" },
  { BYTES (DW_OP_lit0, DW_OP_GNU_push_tls_address), "each thread has its own" },
  { BYTES (DW_OP_lit0, DW_OP_lit0, DW_OP_xderef), RESTS_ON_MORE },
  { BYTES (DW_OP_push_object_address), RESTS_ON_MORE },

  { BYTES (DW_OP_reg0, DW_OP_piece, 4, DW_OP_reg1, DW_OP_piece, 4),
    "register 0 of 4; register 1 of 4" },
  { BYTES (DW_OP_piece, 4, DW_OP_breg13, 0, DW_OP_piece, 2),
    "lost of 4; memory of 2: reg 13" },
  { BYTES (DW_OP_lit1, DW_OP_stack_value, DW_OP_piece, 4, DW_OP_breg13, 0, DW_OP_piece, 4),
    "value of 4: const 1; memory of 4: reg 13" },
  { BYTES (DW_OP_reg0, DW_OP_bit_piece, 16, 0, DW_OP_reg1, DW_OP_bit_piece, 8, 0),
    "register 0 of 2; register 1 of 1" },
  { BYTES (DW_OP_reg0, DW_OP_bit_piece, 12, 0), RESTS_ON_MORE },
  { BYTES (DW_OP_reg0, DW_OP_bit_piece, 0, 0), RESTS_ON_MORE },
  { BYTES (DW_OP_reg0, DW_OP_bit_piece, 8, 1), RESTS_ON_MORE },
  { BYTES (PIECES_4, PIECES_4, PIECES_4, PIECES_4, PIECE), RESTS_ON_MORE },
  /* What stands behind the last piece belongs to nothing.  */
  { BYTES (DW_OP_reg0, DW_OP_piece, 4, DW_OP_lit0), NONSENSE },
  { BYTES (DW_OP_reg0, DW_OP_piece, 4, DW_OP_reg1), NONSENSE },
  { BYTES (DW_OP_lit0, DW_OP_reg0), NONSENSE },
  { BYTES (DW_OP_lit0, DW_OP_lit1, DW_OP_piece, 4), NONSENSE },

  { BYTES (DW_OP_entry_value, 1, DW_OP_reg2, DW_OP_stack_value), ENTRY },
  { NULL, 0, "optimized out" }
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* At the function's first instruction alone the values at its entry are known.  */
static const struct row at_entry[] = {
  { BYTES (DW_OP_entry_value, 1, DW_OP_reg2, DW_OP_stack_value), "value: reg 2" },
  { BYTES (DW_OP_GNU_entry_value, 2, DW_OP_regx, 40, DW_OP_stack_value), "value: reg 40" },
  { BYTES (DW_OP_entry_value, 2, DW_OP_breg2, 0, DW_OP_stack_value), ENTRY },
  { BYTES (DW_OP_entry_value, 2, DW_OP_lit1, DW_OP_reg2, DW_OP_stack_value), ENTRY }
};

enum { ENTRIES = sizeof at_entry / sizeof at_entry[0] };

/* The places of variables by the frame base of their function.  */
static const struct
{
  const uint8_t *bytes;
  size_t size;
  const char *expected;
} bases[] = {
  { BYTES (DW_OP_call_frame_cfa), "memory: reg 13, const 16, add, const 4, add" },
  { BYTES (DW_OP_breg7, 8), "memory: reg 7, const 8, add, const 4, add" },
  { BYTES (DW_OP_regx, 40), "memory: reg 40, const 4, add" },
  { BYTES (DW_OP_fbreg, 0), "its function has no frame" },
  { BYTES (DW_OP_deref), NONSENSE },
  { NULL, 0, "its function has no frame" }
};

/* The rules of .debug_frame: the frame is at R13 + 16.  */
static void
make_frames (struct made_bytes *frames)
{
  frames->size = 0;
  made_u32 (frames, 0);
  made_u32 (frames, UINT32_MAX);
  made_add (frames, (const uint8_t[]) { 1, 0, 2, 0x7c, 14, DW_CFA_def_cfa, 13, 16 }, 8);
  made_length (frames, 0);
  size_t fde = frames->size;
  made_u32 (frames, 0);
  made_u32 (frames, 0);
  made_u32 (frames, MADE_LOW);
  made_u32 (frames, MADE_HIGH - MADE_LOW);
  made_length (frames, fde);
}

static const char *
place_of (struct tb_variables *v, const char *name, uint64_t pc)
{
  static char text[1024];
  struct tb_object object;
  struct tb_storage storage;
  const char *why;
  if (!CHECK (tb_variables_find (v, pc, name, strlen (name), &object)))
    return "not found";
  if (!tb_object_storage (v, &object, pc, &storage, &why))
    return why;
  return storage_text (&storage, text, sizeof text);
}

/* What tb_variables_find and tb_object_storage say of the file NAME.  */
static struct tb_variables *
open_made (const char *name, struct tb_symbols **symbols)
{
  *symbols = tb_symbols_new ();
  CHECK_INT (tb_symbols_add (*symbols, name, 0, &silent), TB_OK);
  return tb_variables_new (*symbols, 4);
}

static void
test_rows (const char *file)
{
  struct made_bytes unit, frames;
  struct tb_symbols *symbols;
  char name[16];
  make_frames (&frames);
  made_begin (&unit, BYTES (DW_OP_reg11));
  for (unsigned i = 0; i < ROWS; i++)
    {
      snprintf (name, sizeof name, "v%u", i);
      made_variable (&unit, MADE_VARIABLE, name, rows[i].bytes, rows[i].size);
    }
  for (unsigned i = 0; i < ENTRIES; i++)
    {
      snprintf (name, sizeof name, "e%u", i);
      made_variable (&unit, MADE_VARIABLE, name, at_entry[i].bytes, at_entry[i].size);
    }
  /* As many operations as are kept, and one more.  */
  uint8_t many[TB_STORAGE_OPS + 1];
  many[0] = DW_OP_lit1;
  memset (many + 1, DW_OP_not, sizeof many - 1);
  made_variable (&unit, MADE_VARIABLE, "most", many, TB_STORAGE_OPS);
  made_variable (&unit, MADE_VARIABLE, "more", many, TB_STORAGE_OPS + 1);
  made_variable (&unit, MADE_BARE, "bare", NULL, 0);
  made_variable (&unit, MADE_DECLARED, "hidden", NULL, 0);
  made_end_function (&unit);
  made_variable (&unit, MADE_DECLARED, "known", NULL, 0);
  made_variable (&unit, MADE_DECLARED, "unknown", NULL, 0);
  made_write (file, ET_EXEC, &unit, ".debug_frame", &frames, 0);

  struct tb_variables *v = open_made (file, &symbols);
  for (unsigned i = 0; i < ROWS; i++)
    {
      snprintf (name, sizeof name, "v%u", i);
      if (!CHECK_STR (place_of (v, name, MADE_LOW + 16), rows[i].expected))
	fprintf (stderr, "in row %u of the locations\n", i);
    }
  for (unsigned i = 0; i < ENTRIES; i++)
    {
      snprintf (name, sizeof name, "e%u", i);
      CHECK_STR (place_of (v, name, MADE_LOW), at_entry[i].expected);
      CHECK_STR (place_of (v, name, MADE_LOW + 2), ENTRY);
    }
  CHECK (strncmp (place_of (v, "most", MADE_LOW), "memory: const 1, not, not", 25) == 0);
  CHECK_STR (place_of (v, "more", MADE_LOW), RESTS_ON_MORE);
  CHECK_STR (place_of (v, "known", MADE_LOW), "memory: const 4224");
  CHECK_STR (place_of (v, "unknown", MADE_LOW), "optimized out");
  CHECK_STR (place_of (v, "bare", MADE_LOW), "optimized out");
  /* A function has no place, and neither has what is of no file.  */
  struct tb_object object;
  struct tb_storage storage;
  const char *why;
  CHECK (!tb_variables_find (v, MADE_LOW, "hidden", 6, &object));
  CHECK (tb_variables_find (v, 0, "fn", 2, &object));
  CHECK (!tb_object_storage (v, &object, MADE_LOW, &storage, &why));
  /* What is asked for again and again, as in a long session, stays what it is.  */
  bool again = tb_variables_find (v, MADE_LOW, "most", 4, &object);
  for (size_t i = 0; again && i <= TB_OPERATIONS_MAX / TB_STORAGE_OPS; i++)
    again = tb_object_storage (v, &object, MADE_LOW, &storage, &why);
  CHECK (again);
  CHECK (tb_variables_find (v, MADE_LOW, "v0", 2, &object));
  object.file = 1;
  CHECK (!tb_object_storage (v, &object, MADE_LOW, &storage, &why));
  tb_variables_free (v);
  tb_symbols_free (symbols);
}

static void
test_bases (const char *file)
{
  for (unsigned i = 0; i < sizeof bases / sizeof bases[0]; i++)
    {
      struct made_bytes unit, frames;
      struct tb_symbols *symbols;
      make_frames (&frames);
      made_begin (&unit, bases[i].bytes, bases[i].size);
      made_variable (&unit, MADE_VARIABLE, "v", BYTES (DW_OP_fbreg, 4));
      made_end_function (&unit);
      made_write (file, ET_EXEC, &unit, ".debug_frame", &frames, 0);
      struct tb_variables *v = open_made (file, &symbols);
      if (!CHECK_STR (place_of (v, "v", MADE_LOW + 16), bases[i].expected))
	fprintf (stderr, "in row %u of the frame bases\n", i);
      tb_variables_free (v);
      tb_symbols_free (symbols);
    }
}

/* A library that was mapped elsewhere: its addresses are those there.  */
static void
test_mapped (const char *file)
{
  const uint64_t bias = 0x500000, at = MADE_LOW + bias;
  struct made_bytes unit, frames;
  make_frames (&frames);
  made_begin (&unit, BYTES (DW_OP_call_frame_cfa));
  made_variable (&unit, MADE_VARIABLE, "fixed", BYTES (DW_OP_addr, 0x40, 0x10, 0, 0));
  made_variable (&unit, MADE_VARIABLE, "indexed", BYTES (DW_OP_addrx, 1));
  made_variable (&unit, MADE_VARIABLE, "value", BYTES (DW_OP_constx, 1, DW_OP_stack_value));
  made_variable (&unit, MADE_VARIABLE, "frame", BYTES (DW_OP_fbreg, 4));
  made_variable (&unit, MADE_VARIABLE, "entry",
		 BYTES (DW_OP_entry_value, 1, DW_OP_reg2, DW_OP_stack_value));
  made_end_function (&unit);
  made_variable (&unit, MADE_DECLARED, "known", NULL, 0);
  made_write (file, ET_DYN, &unit, ".debug_frame", &frames, 0);
  struct tb_symbols *symbols = tb_symbols_new ();
  CHECK_INT (tb_symbols_add_mapped (symbols, file, at, MADE_OFFSET, MADE_HIGH - MADE_LOW,
				    &silent), TB_OK);
  struct tb_variables *v = tb_variables_new (symbols, 4);
  CHECK_STR (place_of (v, "fixed", at + 16), "memory: const 5247040");
  CHECK_STR (place_of (v, "indexed", at + 16), "memory: const 5247040");
  CHECK_STR (place_of (v, "value", at + 16), "value: const 4160");
  CHECK_STR (place_of (v, "frame", at + 16), "memory: reg 13, const 16, add, const 4, add");
  CHECK_STR (place_of (v, "entry", at), "value: reg 2");
  CHECK_STR (place_of (v, "entry", at + 2), ENTRY);
  CHECK_STR (place_of (v, "known", at), "memory: const 5247104");
  struct tb_object object;
  CHECK (!tb_variables_find (v, MADE_LOW + 16, "fixed", 5, &object));
  CHECK (tb_variables_find (v, 0, "fn", 2, &object));
  CHECK_INT (object.value, at);
  tb_variables_free (v);
  tb_symbols_free (symbols);
}

int
main (void)
{
  char name[] = "test-places-XXXXXX";
  int fd = mkstemp (name);
  if (!CHECK (fd >= 0))
    return check_done ();
  close (fd);
  test_rows (name);
  test_bases (name);
  test_mapped (name);
  unlink (name);
  return check_done ();
}
