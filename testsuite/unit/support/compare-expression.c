/* Compare expressions as the library compiles them with those that GDB compiled.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   usage: compare-expression PROFILE ELF...
   Lines on standard input:
     value PC HEX TEXT		what TEXT is worth
     collect PC HEX TEXT	what collecting TEXT reads
     names PC			arguments, then locals, innermost first
     return PC			where the return address is if all registers are 0
     tdesc			the target description
     line ADDRESS		the line of the code there, FILE:LINE, or ?
     function ADDRESS		the function there, or ?
     place TEXT			where tracepoints at TEXT are
   with GDB's bytecode in hexadecimal.  Both are evaluated over memory and registers
   filled with noise, of several kinds.  A line of answer each.  */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/tdesc.h"
#include "frame/agent.h"
#include "frame/expression.h"
#include "frame/request-places.h"
#include "util/hex.h"

#define ROUNDS 24
#define TOUCHED_MAX 65536

static struct tb_variables *variables;
static struct tb_tracepoint_set set;
static struct tb_profile profile;
static struct tb_tdesc *tdesc;

/* The noise of round ROUND, and what was collected.  */
struct scene
{
  unsigned round;
  bool wide;
  uint64_t touched[TOUCHED_MAX];
  size_t ntouched;
};

static uint64_t
noise (const struct scene *scene, uint64_t place)
{
  uint64_t x = (place + 1) * UINT64_C (0x9e3779b97f4a7c15)
	       + scene->round * UINT64_C (0xbf58476d1ce4e5b9);
  x ^= x >> 29;
  x *= UINT64_C (0x94d049bb133111eb);
  x ^= x >> 32;
  /* Small numbers, negative ones, and any.  */
  switch (scene->round % 4)
    {
    case 0: return x & 7;
    case 1: return (x & 7) - 4;
    default: return x;
    }
}

static bool
read_register (void *data, unsigned number, struct tb_value *value)
{
  const struct scene *scene = data;
  uint64_t bits = noise (scene, 1000 + number);
  *value = (struct tb_value) {
    .bits = scene->wide ? bits : (uint32_t) bits, .mask = UINT64_MAX,
    .origin = TB_DERIVED
  };
  return number < 34;
}

static void
read_memory (void *data, uint64_t address, uint8_t *bytes, uint8_t *origins,
	     size_t length)
{
  const struct scene *scene = data;
  for (size_t i = 0; i < length; i++)
    {
      uint64_t at = scene->wide ? address + i : (uint32_t) (address + i);
      bytes[i] = (uint8_t) (noise (scene, at / 4) >> 8 * (at % 4));
      origins[i] = TB_DERIVED;
    }
}

static bool
read_state (void *data, unsigned number, struct tb_value *value)
{
  const struct scene *scene = data;
  *value = (struct tb_value) { .bits = noise (scene, 2000 + number),
			       .mask = UINT64_MAX, .origin = TB_DERIVED };
  return true;
}

static void
touch (void *data, uint64_t address, uint64_t length)
{
  struct scene *scene = data;
  for (uint64_t i = 0; i < length && scene->ntouched < TOUCHED_MAX; i++)
    scene->touched[scene->ntouched++]
      = scene->wide ? address + i : (uint32_t) (address + i);
}

static struct tb_agent_world
world_of (struct scene *scene)
{
  return (struct tb_agent_world) {
    .data = scene, .reg = read_register, .memory = read_memory,
    .get = read_state, .collect = touch,
    .address_mask = scene->wide ? UINT64_MAX : UINT32_MAX
  };
}

static enum tb_agent_status
evaluate (struct scene *scene, const struct tb_expression *code,
	  struct tb_value *value)
{
  struct tb_agent_world world = world_of (scene);
  scene->ntouched = 0;
  return tb_agent_run (code->code, code->length, &world, value);
}

static int
by_number (const void *x, const void *y)
{
  const uint64_t *a = x, *b = y;
  return *a < *b ? -1 : *a > *b;
}

/* Sort what was touched, each byte once.  */
static void
order (struct scene *scene)
{
  size_t n = 0;
  qsort (scene->touched, scene->ntouched, sizeof scene->touched[0], by_number);
  for (size_t i = 0; i < scene->ntouched; i++)
    if (n == 0 || scene->touched[n - 1] != scene->touched[i])
      scene->touched[n++] = scene->touched[i];
  scene->ntouched = n;
}

static void
act (struct scene *scene, const struct tb_action *action)
{
  struct tb_value value = { .bits = 0 };
  struct tb_agent_world world = world_of (scene);
  if (action->kind == TB_ACTION_EXPRESSION)
    tb_agent_run (action->expression.code, action->expression.length, &world,
		  &value);
  else if (action->kind == TB_ACTION_MEMORY)
    {
      if (action->base >= 0)
	read_register (scene, (unsigned) action->base, &value);
      touch (scene, value.bits + action->offset, action->length);
    }
}

static void
compare_value (const struct tb_expression_scope *scope, const char *text,
	       const struct tb_expression *theirs)
{
  static struct scene scene;
  struct tb_expression ours;
  struct tb_expression_error error;
  const struct tb_type *type;
  bool above = false;
  if (!tb_expression_compile (text, strlen (text), scope, &ours, &type, &error))
    {
      printf ("error at %zu: %s\n", error.offset, error.text);
      return;
    }
  for (scene.round = 0; scene.round < ROUNDS; scene.round++)
    {
      struct tb_value a, b;
      scene.wide = profile.has_a64;
      enum tb_agent_status x = evaluate (&scene, &ours, &a);
      enum tb_agent_status y = evaluate (&scene, theirs, &b);
      if (x == y && x == TB_AGENT_DONE && a.bits != b.bits && type->size < 8
	  && (a.bits ^ b.bits) << (64 - 8 * type->size) == 0)
	above = true;
      else if (x != y || (x == TB_AGENT_DONE && a.bits != b.bits))
	{
	  printf ("differs: %s 0x%" PRIx64 ", GDB %s 0x%" PRIx64 "\n",
		  tb_agent_text (x), a.bits, tb_agent_text (y), b.bits);
	  break;
	}
    }
  /* Of optimized variables GDB leaves what is above their type as it is.  */
  if (scene.round == ROUNDS)
    printf (above ? "same in its type\n" : "same\n");
  tb_expression_fini (&ours);
}

static void
compare_collect (const struct tb_expression_scope *scope, const char *text,
		 const struct tb_expression *theirs)
{
  static struct scene a, b;
  struct tb_action_list list = { 0 };
  struct tb_expression_error error;
  if (!tb_expression_collect (text, strlen (text), scope, &list, &error))
    {
      printf ("error at %zu: %s\n", error.offset, error.text);
      return;
    }
  bool same = true;
  for (unsigned round = 0; round < ROUNDS && same; round++)
    {
      struct tb_value value;
      a.round = b.round = round;
      a.wide = b.wide = profile.has_a64;
      a.ntouched = 0;
      for (size_t i = 0; i < list.count; i++)
	act (&a, &list.items[i]);
      evaluate (&b, theirs, &value);
      order (&a);
      order (&b);
      same = a.ntouched == b.ntouched
	     && memcmp (a.touched, b.touched,
			a.ntouched * sizeof a.touched[0]) == 0;
    }
  if (same)
    printf ("same\n");
  else
    printf ("differs: %zu bytes from 0x%" PRIx64 ", GDB %zu from 0x%" PRIx64
	    "\n", a.ntouched, a.ntouched != 0 ? a.touched[0] : 0, b.ntouched,
	    b.ntouched != 0 ? b.touched[0] : 0);
  tb_action_list_fini (&list);
}

static bool
print_name (void *context, const struct tb_object *object)
{
  struct tb_storage storage;
  const char *why = "constant";
  uint64_t pc = *(uint64_t *) context;
  if (object->kind == TB_OBJECT_VARIABLE
      && tb_object_storage (variables, object, pc, &storage, &why))
    why = storage.npieces > 1 ? "pieces"
	  : storage.pieces[0].kind == TB_PIECE_MEMORY ? "memory"
	  : storage.pieces[0].kind == TB_PIECE_REGISTER ? "register" : "value";
  printf (" %s=%s", object->name, strchr (why, ' ') != NULL ? "lost" : why);
  return true;
}

/* The offset in memory, or what else it is.  */
static void
print_return (uint64_t pc)
{
  struct tb_storage storage;
  const char *why;
  uint64_t offset = 0;
  if (!tb_variables_return (variables, pc, &storage, &why))
    printf ("%s\n", why);
  else if (storage.pieces[0].kind == TB_PIECE_REGISTER)
    printf ("register\n");
  else
    {
      for (size_t i = 0; i < storage.nops; i++)
	if (storage.ops[i].code == TB_STORE_CONST)
	  offset += storage.ops[i].number;
      printf ("0x%" PRIx64 "\n", profile.has_a64 ? offset : (uint32_t) offset);
    }
}

static void
report (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) severity;
  fprintf (stderr, "%s\n", message);
}

/* Where tracepoints at WHERE are.  */
static void
print_places (struct tb_symbols *symbols, const char *where)
{
  struct tb_diag diag = { .report = report };
  struct tb_request request;
  struct tb_request_places places = { .items = NULL };
  if (tb_request_parse (&request, where, "place", &diag))
    {
      if (tb_request_find (&request, symbols, &places, &diag))
	for (size_t i = 0; i < places.count; i++)
	  printf ("%s0x%" PRIx64, i > 0 ? " " : "", places.items[i].address);
      tb_request_fini (&request);
    }
  printf ("\n");
  free (places.items);
}

static void
print_line (struct tb_symbols *symbols, uint64_t address)
{
  struct tb_line line;
  if (tb_symbols_line_at (symbols, address, &line))
    printf ("%s:%u\n", line.file, line.line);
  else
    printf ("?\n");
}

static void
print_function (const struct tb_symbols *symbols, uint64_t address)
{
  const struct tb_function *f = tb_symbols_function_at (symbols, address);
  char *name = f != NULL ? tb_symbols_demangle (f->name) : NULL;
  printf ("%s\n", name != NULL ? name : "?");
  free (name);
}

static void
answer (char *line)
{
  struct tb_expression_scope scope = {
    .variables = variables, .tdesc = tdesc, .set = &set
  };
  char *what = strtok (line, " "), *pc = strtok (NULL, " ");
  scope.pc = pc != NULL ? strtoull (pc, NULL, 0) : 0;
  if (strcmp (what, "tdesc") == 0)
    {
      fwrite (tdesc->text, 1, tdesc->length, stdout);
      return;
    }
  if (strcmp (what, "names") == 0)
    {
      printf ("args");
      tb_variables_list (variables, scope.pc, true, print_name, &scope.pc);
      printf (" locals");
      tb_variables_list (variables, scope.pc, false, print_name, &scope.pc);
      printf ("\n");
      return;
    }
  if (strcmp (what, "return") == 0)
    {
      print_return (scope.pc);
      return;
    }
  char *hex = strtok (NULL, " "), *text = strtok (NULL, "");
  if (text == NULL)
    {
      printf ("error: no text\n");
      return;
    }
  uint8_t code[65536];
  struct tb_expression theirs = { code, tb_hex_decode (hex, strlen (hex), code,
						       sizeof code) };
  if (strcmp (what, "value") == 0)
    compare_value (&scope, text, &theirs);
  else
    compare_collect (&scope, text, &theirs);
}

int
main (int argc, char **argv)
{
  struct tb_diag diag = { .report = report };
  struct tb_symbols *symbols = tb_symbols_new ();
  char line[65536];
  static const char own[] = "63:0:0:6d696e65";	/* "$mine"  */
  if (argc < 3 || symbols == NULL || !tb_profile_find (&profile, argv[1])
      || !tb_tracepoint_set_init (&set)
      || !tb_trace_variable_read (&set, own, sizeof own - 1))
    return 2;
  for (int i = 2; i < argc; i++)
    if (tb_symbols_add (symbols, argv[i], 0, &diag) != TB_OK)
      return 1;
  variables = tb_variables_new (symbols, profile.has_a64 ? 8 : 4);
  tdesc = tb_tdesc_own (&profile, NULL);
  if (variables == NULL || tdesc == NULL)
    return 1;
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      line[strcspn (line, "\n")] = 0;
      if (strncmp (line, "place ", 6) == 0)
	print_places (symbols, line + 6);
      else if (strncmp (line, "line ", 5) == 0)
	print_line (symbols, strtoull (line + 5, NULL, 0));
      else if (strncmp (line, "function ", 9) == 0)
	print_function (symbols, strtoull (line + 9, NULL, 0));
      else if (line[0] != 0)
	answer (line);
    }
  tb_tdesc_free (tdesc);
  tb_variables_free (variables);
  tb_symbols_free (symbols);
  tb_tracepoint_set_fini (&set);
  return 0;
}
