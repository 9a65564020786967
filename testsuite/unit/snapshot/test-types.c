/* Types as files describe them: enumerations, members and bit fields, arrays, declarations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What is expected follows from DWARF 5, chapter 5 (types), and DWARF 3, 5.5.6 (bit fields
   counted from the high end).  */

#include "config.h"

#include "made-dwarf.h"
#include "snapshot/variables.h"

static struct tb_diag silent;
static char file[] = "test-types-XXXXXX";

/* Begin what KIND describes, called NAME; where it stands.  */
static uint32_t
begin (struct made_bytes *b, unsigned kind, const char *name)
{
  uint32_t at = (uint32_t) b->size;
  made_u8 (b, kind);
  if (name != NULL)
    made_text (b, name);
  return at;
}

static uint32_t
sized (struct made_bytes *b, unsigned kind, const char *name, unsigned size)
{
  uint32_t at = begin (b, kind, name);
  made_u8 (b, size);
  return at;
}

static void
enumerator (struct made_bytes *b, const char *name, unsigned value)
{
  begin (b, MADE_ENUMERATOR, name);
  made_u8 (b, value);
}

static void
typed (struct made_bytes *b, unsigned kind, const char *name, uint32_t type)
{
  begin (b, kind, name);
  made_u32 (b, type);
}

static void
member (struct made_bytes *b, const char *name, uint32_t type, unsigned place)
{
  typed (b, MADE_MEMBER, name, type);
  made_u8 (b, place);
}

static void
placed (struct made_bytes *b, const char *name, const uint8_t *location, unsigned size)
{
  typed (b, MADE_MEMBER_PLACED, name, MADE_INT);
  made_u8 (b, size);
  made_add (b, location, size);
}

static void
bits (struct made_bytes *b, const char *name, unsigned size, unsigned at)
{
  typed (b, MADE_BITS, name, MADE_INT);
  made_u8 (b, size);
  made_u8 (b, at);
}

static void
bits_old (struct made_bytes *b, const char *name, unsigned size, unsigned at, unsigned unit,
	  unsigned place)
{
  typed (b, MADE_BITS_OLD, name, MADE_INT);
  made_u8 (b, size);
  made_u8 (b, at);
  made_u8 (b, unit);
  made_u8 (b, place);
}

static void
add_enums (struct made_bytes *b)
{
  sized (b, MADE_ENUM, "below", 4);
  enumerator (b, "zero", 0);
  enumerator (b, "minus", 0x7f);
  made_u8 (b, 0);
  sized (b, MADE_ENUM, "above", 1);
  enumerator (b, "five", 5);
  made_u8 (b, 0);
  sized (b, MADE_ENUM, "odd", 3);
  made_u8 (b, 0);
  sized (b, MADE_ENUM_CLASS, "closed", 2);
  enumerator (b, "inner", 7);
  made_u8 (b, 0);
  begin (b, MADE_ENUM_DECLARED, "missing");
}

static void
add_structures (struct made_bytes *b)
{
  uint32_t at = begin (b, MADE_STRUCT_DECLARED, "later");
  typed (b, MADE_TYPEDEF, "later_t", at);
  at = begin (b, MADE_STRUCT_DECLARED, "never");
  typed (b, MADE_TYPEDEF, "never_t", at);
  at = begin (b, MADE_STRUCT_DECLARED, "twofold");
  typed (b, MADE_TYPEDEF, "twofold_t", at);
  uint32_t base = sized (b, MADE_STRUCT, "later", 8);
  member (b, "x", MADE_INT, 4);
  made_u8 (b, 0);
  for (unsigned size = 4; size <= 8; size += 4)
    {
      sized (b, MADE_STRUCT, "twofold", size);
      made_u8 (b, 0);
    }

  sized (b, MADE_STRUCT, "all", 40);
  member (b, "first", MADE_INT, 0);
  /* At the end of it, and beyond.  */
  member (b, "last", MADE_INT, 36);
  member (b, "over", MADE_INT, 37);
  member (b, "beyond", MADE_BYTE, 41);
  placed (b, "dwarf2", (const uint8_t[]) { DW_OP_plus_uconst, 8 }, 2);
  placed (b, "computed", (const uint8_t[]) { DW_OP_lit1 }, 1);
  placed (b, "deref", (const uint8_t[]) { DW_OP_plus_uconst, 8, DW_OP_deref }, 3);
  bits (b, "low", 5, 11);
  bits (b, "none", 0, 11);
  bits (b, "long", 65, 0);
  bits (b, "cut", 8, 255);
  bits_old (b, "high", 5, 3, 4, 4);
  bits_old (b, "outside", 5, 30, 4, 4);
  bits_old (b, "wide", 5, 0, 16, 4);
  typed (b, MADE_STATIC, "shared", MADE_INT);
  begin (b, MADE_BASE_CLASS, NULL);
  made_u32 (b, base);
  made_u8 (b, 16);
  begin (b, MADE_VIRTUAL_CLASS, NULL);
  made_u32 (b, base);
  made_u8 (b, 24);
  made_u8 (b, DW_VIRTUALITY_virtual);
  made_u8 (b, 0);

  sized (b, MADE_UNION, "either", 4);
  member (b, "whole", MADE_INT, 0);
  member (b, "part", MADE_BYTE, 0);
  made_u8 (b, 0);

  begin (b, MADE_NAMESPACE, "space");
  sized (b, MADE_STRUCT, "within", 4);
  made_u8 (b, 0);
  made_variable (b, MADE_BARE, "counter", NULL, 0);
  made_u8 (b, 0);
}

/* Add an array of ints with the dimensions of the KINDS, and a name for it.  */
static void
add_array (struct made_bytes *b, const char *name, const uint32_t (*dimensions)[2],
	   unsigned count)
{
  uint32_t at = begin (b, MADE_ARRAY, NULL);
  made_u32 (b, MADE_INT);
  for (unsigned i = 0; i < count; i++)
    {
      made_u8 (b, dimensions[i][0]);
      if (dimensions[i][0] == MADE_UPPER)
	made_u32 (b, dimensions[i][1]);
      else if (dimensions[i][0] == MADE_COUNT)
	made_u8 (b, dimensions[i][1]);
    }
  made_u8 (b, 0);
  typed (b, MADE_TYPEDEF, name, at);
}

static void
add_base (struct made_bytes *b, const char *name, unsigned encoding, unsigned size)
{
  begin (b, MADE_BASE, name);
  made_u8 (b, encoding);
  made_u8 (b, size);
}

static const struct { const char *name; unsigned encoding, size, kind; bool is_signed; }
bases[] = {
  { "flag", DW_ATE_boolean, 1, TB_TYPE_BOOL, false },
  { "s1", DW_ATE_signed_char, 1, TB_TYPE_CHAR, true },
  { "u1", DW_ATE_unsigned_char, 1, TB_TYPE_CHAR, false },
  { "s2", DW_ATE_signed_char, 2, TB_TYPE_INTEGER, true },
  { "u8", DW_ATE_unsigned, 8, TB_TYPE_INTEGER, false },
  { "b1", DW_ATE_unsigned, 1, TB_TYPE_INTEGER, false },
  { "utf", DW_ATE_UTF, 4, TB_TYPE_INTEGER, false },
  { "address", DW_ATE_address, 4, TB_TYPE_INTEGER, false },
  { "u3", DW_ATE_unsigned, 3, TB_TYPE_OTHER, false },
  { "i16", DW_ATE_signed, 16, TB_TYPE_OTHER, true },
  { "complex", DW_ATE_complex_float, 8, TB_TYPE_OTHER, false },
  { "f10", DW_ATE_float, 10, TB_TYPE_FLOAT, false }
};

static const struct tb_type *
type_of (struct tb_variables *v, enum tb_type_space space, const char *name)
{
  const struct tb_type *type = tb_variables_type (v, 0, space, name, strlen (name));
  if (!CHECK (type != NULL))
    {
      fprintf (stderr, "  %s\n", name);
      exit (1);
    }
  return type;
}

static void
check_enums (struct tb_variables *v)
{
  const struct tb_type *type = type_of (v, TB_TYPES_ENUM, "below");
  CHECK (type->kind == TB_TYPE_ENUM && type->is_signed && type->size == 4);
  type = type_of (v, TB_TYPES_ENUM, "above");
  CHECK (type->kind == TB_TYPE_ENUM && !type->is_signed && type->size == 1);
  CHECK_INT (type_of (v, TB_TYPES_ENUM, "odd")->kind, TB_TYPE_OTHER);
  type = type_of (v, TB_TYPES_ENUM, "closed");
  CHECK (type->kind == TB_TYPE_ENUM && type->size == 2 && !type->is_incomplete);
  static const struct { const char *name; uint64_t value; } constants[] = {
    { "zero", 0 }, { "minus", UINT64_MAX }, { "five", 5 }, { "closed::inner", 7 }
  };
  struct tb_object object;
  for (unsigned i = 0; i < sizeof constants / sizeof constants[0]; i++)
    {
      const char *name = constants[i].name;
      if (CHECK (tb_variables_find (v, 0, name, strlen (name), &object)))
	{
	  CHECK_INT (object.kind, TB_OBJECT_CONSTANT);
	  CHECK_INT (object.value, constants[i].value);
	}
    }
  /* Those of an "enum class" are in it alone.  */
  CHECK (!tb_variables_find (v, 0, "inner", 5, &object));
}

static void
check_structures (struct tb_variables *v)
{
  const struct tb_type *type = type_of (v, TB_TYPES_NAMED, "later_t");
  CHECK (type->kind == TB_TYPE_STRUCT && !type->is_incomplete && type->size == 8);
  type = type_of (v, TB_TYPES_NAMED, "never_t");
  CHECK (type->kind == TB_TYPE_STRUCT && type->is_incomplete && type->size == 0);
  /* Two that differ are none.  */
  type = type_of (v, TB_TYPES_NAMED, "twofold_t");
  CHECK (type->kind == TB_TYPE_STRUCT && type->is_incomplete);

  static const struct { const char *name; uint64_t offset; unsigned bits, bit; } wanted[] = {
    { "first", 0, 0, 0 }, { "last", 36, 0, 0 }, { "dwarf2", 8, 0, 0 },
    { "low", 1, 5, 3 }, { "cut", 31, 8, 7 }, { "high", 7, 5, 0 }, { NULL, 16, 0, 0 }
  };
  enum { WANTED = sizeof wanted / sizeof wanted[0] };
  size_t count;
  type = type_of (v, TB_TYPES_STRUCT, "all");
  const struct tb_member *members = tb_type_members (v, type, &count);
  CHECK_INT (count, WANTED);
  for (size_t i = 0; i < count && i < WANTED; i++)
    {
      bool named = wanted[i].name != NULL;
      CHECK (named ? members[i].name != NULL && strcmp (members[i].name, wanted[i].name) == 0
		   : members[i].name == NULL);
      CHECK_INT (members[i].offset, wanted[i].offset);
      CHECK_INT (members[i].bits, wanted[i].bits);
      CHECK_INT (members[i].bit, wanted[i].bit);
    }
  CHECK (tb_type_members (v, type, &count) == members && count == WANTED);

  type = type_of (v, TB_TYPES_UNION, "either");
  members = tb_type_members (v, type, &count);
  CHECK (type->kind == TB_TYPE_UNION && type->size == 4 && count == 2);
  CHECK (count == 2 && strcmp (members[1].name, "part") == 0 && members[1].offset == 0);
  CHECK (tb_variables_type (v, 0, TB_TYPES_STRUCT, "either", 6) == NULL);
  CHECK_INT (type_of (v, TB_TYPES_STRUCT, "space::within")->size, 4);
  CHECK (tb_variables_type (v, 0, TB_TYPES_STRUCT, "within", 6) == NULL);
  struct tb_object object;
  CHECK (tb_variables_find (v, 0, "space::counter", 14, &object));
  CHECK (!tb_variables_find (v, 0, "counter", 7, &object));
  CHECK (!tb_variables_find (v, 0, "other::counter", 14, &object));
}

static void
check_arrays (struct tb_variables *v)
{
  const struct tb_type *type = type_of (v, TB_TYPES_NAMED, "ten");
  CHECK (type->kind == TB_TYPE_ARRAY && type->count == 10 && type->size == 40);
  type = type_of (v, TB_TYPES_NAMED, "matrix");
  CHECK (type->kind == TB_TYPE_ARRAY && type->count == 2 && type->size == 24);
  type = tb_type_target (v, type);
  CHECK (type->kind == TB_TYPE_ARRAY && type->count == 3 && type->size == 12);
  CHECK_INT (tb_type_target (v, type)->kind, TB_TYPE_INTEGER);
  type = type_of (v, TB_TYPES_NAMED, "empty");
  CHECK (type->count == 0 && type->size == 0 && !type->is_incomplete);
  type = type_of (v, TB_TYPES_NAMED, "open");
  CHECK (type->kind == TB_TYPE_ARRAY && type->is_incomplete && type->size == 0);
  type = type_of (v, TB_TYPES_NAMED, "rows");
  CHECK (type->is_incomplete && tb_type_target (v, type)->count == 3);
  type = type_of (v, TB_TYPES_NAMED, "bare");
  CHECK (type->kind == TB_TYPE_ARRAY && type->is_incomplete);
  CHECK (tb_type_array (v, type_of (v, TB_TYPES_NAMED, "u8"), 3)
	 == tb_type_array (v, type_of (v, TB_TYPES_NAMED, "u8"), 3));
}

int
main (void)
{
  static struct made_bytes unit, no_frames;
  int fd = mkstemp (file);
  if (!CHECK (fd >= 0))
    return check_done ();
  close (fd);
  made_begin (&unit, NULL, 0);
  made_end_function (&unit);
  add_enums (&unit);
  add_structures (&unit);
  static const uint32_t ten[][2] = { { MADE_UPPER, 9 } };
  static const uint32_t matrix[][2] = { { MADE_UPPER, 1 }, { MADE_COUNT, 3 } };
  static const uint32_t empty[][2] = { { MADE_UPPER, UINT32_MAX } };
  static const uint32_t rows[][2] = { { MADE_OPEN, 0 }, { MADE_COUNT, 3 } };
  add_array (&unit, "ten", ten, 1);
  add_array (&unit, "matrix", matrix, 2);
  add_array (&unit, "empty", empty, 1);
  add_array (&unit, "open", rows, 1);
  add_array (&unit, "rows", rows, 2);
  add_array (&unit, "bare", rows, 0);
  for (unsigned i = 0; i < sizeof bases / sizeof bases[0]; i++)
    add_base (&unit, bases[i].name, bases[i].encoding, bases[i].size);
  made_write (file, ET_EXEC, &unit, ".debug_frame", &no_frames, 0);

  struct tb_symbols *symbols = tb_symbols_new ();
  CHECK_INT (tb_symbols_add (symbols, file, 0, &silent), TB_OK);
  struct tb_variables *v = tb_variables_new (symbols, 4);
  for (unsigned i = 0; i < sizeof bases / sizeof bases[0]; i++)
    {
      const struct tb_type *type = type_of (v, TB_TYPES_NAMED, bases[i].name);
      CHECK_INT (type->kind, bases[i].kind);
      CHECK_INT (type->is_signed, bases[i].is_signed);
      CHECK_INT (type->size, bases[i].size);
    }
  check_enums (v);
  check_structures (v);
  check_arrays (v);
  tb_variables_free (v);
  tb_symbols_free (symbols);
  unlink (file);
  return check_done ();
}
