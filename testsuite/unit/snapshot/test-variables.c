/* Variables and types: of a sample, and of files that were tampered with.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: test-variables [ELF FIRST [ROUNDS]]
   tracebridge.gdb/expressions.exp compares names and places with GDB.  */

#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "frame/expression.h"
#include "snapshot/variables.h"
#include "util/buffer.h"

static struct tb_diag silent;

/* Where the sample has its functions.  */
static uint64_t places[64];
static size_t nplaces;

/* What came of exercise.  */
static size_t nactions, ncompiled;

static const struct tb_member *
member (struct tb_variables *v, const struct tb_type *type, const char *name)
{
  size_t count;
  const struct tb_member *members = tb_type_members (v, type, &count);
  for (size_t i = 0; i < count; i++)
    if (members[i].name != NULL && strcmp (members[i].name, name) == 0)
      return &members[i];
  return NULL;
}

static void
test_types (struct tb_variables *v)
{
  const struct tb_type *batch = tb_variables_type (v, 0, TB_TYPES_STRUCT, "batch",
						   5);
  const struct tb_member *m;
  if (!CHECK (batch != NULL))
    return;
  CHECK_INT (batch->kind, TB_TYPE_STRUCT);
  CHECK_INT (batch->size, 44);
  CHECK (!batch->is_incomplete);
  CHECK_STR (batch->name, "batch");
  m = member (v, batch, "slot");
  CHECK (m != NULL && m->offset == 0 && m->bits == 0);
  CHECK_INT (m->type->kind, TB_TYPE_ARRAY);
  CHECK_INT (m->type->count, 8);
  CHECK_INT (m->type->size, 32);
  const struct tb_type *sample = tb_type_target (v, m->type);
  CHECK_INT (sample->kind, TB_TYPE_STRUCT);
  m = member (v, sample, "value");
  CHECK (m != NULL && m->offset == 2 && m->type->kind == TB_TYPE_INTEGER
	 && m->type->is_signed && m->type->size == 2);
  m = member (v, batch, "sink");
  CHECK (m != NULL && m->offset == 32);
  CHECK_INT (m->type->kind, TB_TYPE_POINTER);
  CHECK_INT (m->type->size, 4);
  /* main.c knows what batch.h only declares.  */
  const struct tb_type *report = tb_type_target (v, m->type);
  CHECK_INT (report->kind, TB_TYPE_STRUCT);
  CHECK (!report->is_incomplete);
  CHECK (member (v, batch, "nosuch") == NULL);
  CHECK (tb_variables_type (v, 0, TB_TYPES_STRUCT, "nosuch", 6) == NULL);
  CHECK (tb_variables_type (v, 0, TB_TYPES_UNION, "batch", 5) == NULL);
  const struct tb_type *word = tb_variables_type (v, 0, TB_TYPES_NAMED,
						  "uint32_t", 8);
  CHECK (word != NULL && word->kind == TB_TYPE_INTEGER && !word->is_signed
	 && word->size == 4);
  CHECK (tb_type_target (v, tb_type_pointer (v, word)) == word);
  CHECK (tb_type_pointer (v, word) == tb_type_pointer (v, word));
  const struct tb_type *array = tb_type_array (v, word, 5);
  CHECK (array->size == 20 && tb_type_target (v, array) == word);
  CHECK (tb_type_array (v, word, UINT64_MAX / 2)->is_incomplete);
  CHECK (tb_variables_base (v, TB_TYPE_INTEGER, true, 4)
	 == tb_variables_base (v, TB_TYPE_INTEGER, true, 4));
}

struct listed
{
  unsigned count;
  bool stop;
};

static bool
take (void *context, const struct tb_object *object)
{
  struct listed *listed = context;
  CHECK (object->name != NULL && object->type != NULL && object->is_local);
  listed->count++;
  return !listed->stop;
}

static void
test_objects (struct tb_variables *v, uint64_t batch_put)
{
  struct tb_object object;
  struct tb_storage storage;
  const char *why;
  CHECK (tb_variables_find (v, batch_put + 16, "batch", 5, &object));
  CHECK (object.is_local && object.is_argument);
  CHECK_INT (object.type->kind, TB_TYPE_POINTER);
  CHECK (tb_object_storage (v, &object, batch_put + 16, &storage, &why));
  CHECK_INT (storage.npieces, 1);
  CHECK_INT (storage.pieces[0].kind, TB_PIECE_MEMORY);
  /* Before the prologue the frame is elsewhere.  */
  size_t nops = storage.nops;
  CHECK (tb_object_storage (v, &object, batch_put, &storage, &why));
  CHECK (storage.ops[0].code == TB_STORE_REG && storage.ops[0].number == 13);
  CHECK (nops >= 1);
  CHECK (tb_variables_find (v, batch_put + 16, "::batch", 7, &object));
  CHECK (!object.is_local && object.type->kind == TB_TYPE_STRUCT);
  CHECK (tb_variables_find (v, 0, "batch_put", 9, &object));
  CHECK_INT (object.kind, TB_OBJECT_FUNCTION);
  CHECK_INT (object.value, batch_put);
  CHECK (tb_variables_find (v, 0, "put_number::powers", 18, &object));
  CHECK (tb_variables_find (v, 0, "stack_top", 9, &object));
  CHECK (!tb_variables_find (v, batch_put, "nosuch", 6, &object));
  CHECK (!tb_variables_find (v, batch_put, "", 0, &object));
  CHECK (!tb_variables_find (v, batch_put, "::", 2, &object));
  CHECK (!tb_variables_find (v, batch_put, "nosuch::batch", 13, &object));

  struct listed listed = { 0, false };
  CHECK (tb_variables_list (v, batch_put + 16, true, take, &listed));
  CHECK_INT (listed.count, 3);
  listed = (struct listed) { 0, true };
  CHECK (tb_variables_list (v, batch_put + 16, true, take, &listed));
  CHECK_INT (listed.count, 1);
  CHECK (!tb_variables_list (v, 0x7fffffff, true, take, &listed));
  /* At the entry LR has where it returns to, later the stack.  */
  CHECK (tb_variables_return (v, batch_put, &storage, &why));
  CHECK (storage.pieces[0].kind == TB_PIECE_REGISTER
	 && storage.pieces[0].reg == 14);
  CHECK (tb_variables_return (v, batch_put + 16, &storage, &why));
  CHECK_INT (storage.pieces[0].kind, TB_PIECE_MEMORY);
  CHECK (!tb_variables_return (v, 0x7fffffff, &storage, &why));
}

/* Ask all sorts of things of the ELF file PATH: it must end.  */
static void
exercise (const char *path)
{
  static const char *const texts[] = {
    "batch", "batch->sink->used", "report", "ticks + noise", "sizeof (struct report)",
    "((struct batch *) $r0)->slot[1].value", "channels[1].history[2]", "powers",
    "put_number::powers", "sum", "i", "(uint16_t) ticks", "last_fault.lr", "this"
  };
  struct tb_profile profile;
  struct tb_symbols *symbols = tb_symbols_new ();
  tb_profile_find (&profile, "Cortex-M0+");
  struct tb_tdesc *tdesc = tb_tdesc_own (&profile, NULL);
  if (tb_symbols_add (symbols, path, 0, &silent) == TB_OK)
    {
      struct tb_variables *v = tb_variables_new (symbols, 4);
      for (size_t i = 0; i < nplaces; i++)
	{
	  struct tb_expression_scope scope = {
	    .variables = v, .pc = places[i], .tdesc = tdesc
	  };
	  struct tb_expression_error error;
	  struct tb_action_list list = { 0 };
	  struct tb_expression code;
	  struct tb_line line;
	  tb_expression_collect ("$args", 5, &scope, &list, &error);
	  tb_expression_collect ("$locals", 7, &scope, &list, &error);
	  tb_expression_collect ("$_ret", 5, &scope, &list, &error);
	  tb_symbols_line_at (symbols, places[i], &line);
	  const char *text = texts[i % (sizeof texts / sizeof texts[0])];
	  ncompiled += tb_expression_compile (text, strlen (text), &scope, &code,
					      NULL, &error);
	  nactions += list.count;
	  tb_expression_fini (&code);
	  tb_action_list_fini (&list);
	}
      tb_variables_free (v);
    }
  tb_tdesc_free (tdesc);
  tb_symbols_free (symbols);
}

static void
read_file (const char *path, struct tb_buffer *bytes)
{
  FILE *file = fopen (path, "rb");
  size_t n = 1;
  while (file != NULL && n != 0)
    {
      uint8_t *room = tb_buffer_extend (bytes, 65536);
      n = fread (room, 1, 65536, file);
      bytes->size -= 65536 - n;
    }
  if (CHECK (file != NULL))
    fclose (file);
}

/* Without the table of addresses, as other compilers leave it out, lines and variables
   are found all the same.  */
static void
test_no_table (const char *path, struct tb_symbols *symbols)
{
  struct tb_buffer bytes = { 0 };
  char name[] = "test-variables-XXXXXX";
  int fd = mkstemp (name);
  read_file (path, &bytes);
  char *table = memmem (bytes.data, bytes.size, ".debug_aranges", 14);
  if (!CHECK (fd >= 0 && table != NULL))
    return;
  table[1] = 'x';
  CHECK (write (fd, bytes.data, bytes.size) == (ssize_t) bytes.size);
  struct tb_symbols *without = tb_symbols_new ();
  CHECK_INT (tb_symbols_add (without, name, 0, &silent), TB_OK);
  unsigned lines = 0;
  for (size_t i = 0; i < nplaces; i++)
    {
      struct tb_line a, b;
      bool has = tb_symbols_line_at (symbols, places[i], &a);
      CHECK_INT (tb_symbols_line_at (without, places[i], &b), has);
      if (has)
	CHECK (a.line == b.line && strcmp (a.file, b.file) == 0);
      lines += has;
    }
  CHECK (lines > 10);
  tb_symbols_free (without);
  close (fd);
  unlink (name);
  tb_buffer_fini (&bytes);
}

/* Change bytes of the file PATH and look at it again, ROUNDS times from round FIRST
   on.  */
static void
test_mutations (const char *path, unsigned first, unsigned rounds)
{
  static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
  struct tb_buffer bytes = { 0 };
  char name[] = "test-variables-XXXXXX";
  int fd = mkstemp (name);
  if (!CHECK (fd >= 0))
    return;
  read_file (path, &bytes);
  for (unsigned round = first; round < first + rounds && bytes.size > 0x100;
       round++)
    {
      uint64_t state = round * UINT64_C (0x9e3779b97f4a7c15) + 1;
      uint8_t *copy = malloc (bytes.size);
      memcpy (copy, bytes.data, bytes.size);
      state ^= state >> 31;
      unsigned count = 1 + (unsigned) (state % 24);
      size_t from = 0;
      for (unsigned i = 0; i < count; i++)
	{
	  state = state * UINT64_C (6364136223846793005)
		  + UINT64_C (1442695040888963407);
	  /* All over the file, or near each other, but in the header rarely.  */
	  if (i == 0 || round % 2 == 0)
	    from = 0x34 + (size_t) (state >> 20) % (bytes.size - 0x40);
	  size_t at = from + (round % 2 != 0 ? (size_t) (state >> 50) % 64 : 0);
	  if (at < bytes.size)
	    copy[at] = state & 1 ? values[(state >> 8) % sizeof values]
				 : (uint8_t) (copy[at] ^ 1u << (state >> 8) % 8);
	}
      CHECK (pwrite (fd, copy, bytes.size, 0) == (ssize_t) bytes.size);
      free (copy);
      exercise (name);
    }
  close (fd);
  unlink (name);
  tb_buffer_fini (&bytes);
}

int
main (int argc, char **argv)
{
  static char path[4096];
  const char *source = getenv ("srcdir");
  struct tb_symbols *symbols = tb_symbols_new ();
  uint64_t batch_put = 0;
  size_t count;
  snprintf (path, sizeof path, "%s/samples/crash-o0/program.elf",
	    source != NULL ? source : ".");
  if (argc > 1)
    snprintf (path, sizeof path, "%s", argv[1]);
  CHECK_INT (tb_symbols_add (symbols, path, 0, &silent), TB_OK);
  const struct tb_function *list = tb_symbols_functions (symbols, &count);
  for (size_t i = 0; i < count; i++)
    {
      if (strcmp (list[i].name, "batch_put") == 0)
	batch_put = list[i].address;
      for (unsigned j = 1; j < 3 && nplaces < 64; j++)
	places[nplaces++] = list[i].address
			    + (list[i].end - list[i].address) * j / 3;
    }
  if (argc > 2)
    {
      test_mutations (path, (unsigned) strtoul (argv[2], NULL, 0),
		      argc > 3 ? (unsigned) strtoul (argv[3], NULL, 0) : 1);
      printf ("%zu actions, %zu expressions\n", nactions, ncompiled);
    }
  else
    {
      struct tb_variables *v = tb_variables_new (symbols, 4);
      test_types (v);
      test_objects (v, batch_put);
      tb_variables_free (v);
      test_no_table (path, symbols);
      exercise (path);
      CHECK (nactions > 50 && ncompiled > 10);
      /* Most are not so broken that nothing is found in them.  */
      nactions = 0;
      test_mutations (path, 0, 150);
      CHECK (nactions > 1000);
    }
  tb_symbols_free (symbols);
  return check_done ();
}
