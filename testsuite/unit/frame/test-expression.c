/* Expressions: text to value, what is wrong and where, what is collected.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The program is the sample that was compiled without optimisation; values come of a
   scene in which all is known.  tracebridge.gdb/expressions.exp compares many more
   expressions with GDB.  */

#include "config.h"

#include <stdlib.h>

#include "check.h"
#include "frame/agent.h"
#include "frame/expression-internal.h"

/* Register N holds 0x20000000 + 0x10 * N, but r0 -2, r1 3; the word of memory at A is A,
   but a string at 0x30000000.  State variable N is N + 4; 99 is "$mine".  */
static bool
read_register (void *data, unsigned number, struct tb_value *value)
{
  (void) data;
  uint32_t bits = number == 0 ? (uint32_t) -2 : number == 1
		  ? 3 : 0x20000000 + 0x10 * number;
  *value = (struct tb_value) { .bits = bits, .mask = UINT64_MAX,
			       .origin = TB_DERIVED };
  return number < 34;
}

static void
read_memory (void *data, uint64_t address, uint8_t *bytes, uint8_t *origins,
	     size_t length)
{
  static const char text[] = "hello";
  (void) data;
  for (size_t i = 0; i < length; i++)
    {
      uint64_t at = address + i;
      bool is_text = at >= 0x30000000 && at < 0x30000000 + sizeof text;
      bytes[i] = is_text ? (uint8_t) text[at - 0x30000000]
		 : (uint8_t) (at / 4 * 4 >> 8 * (at % 4));
      origins[i] = TB_DERIVED;
    }
}

static bool
read_state (void *data, unsigned number, struct tb_value *value)
{
  (void) data;
  *value = (struct tb_value) { .bits = number + 4, .mask = UINT64_MAX,
			       .origin = TB_DERIVED };
  return true;
}

static uint64_t set_to;

static bool
set_state (void *data, unsigned number, const struct tb_value *value)
{
  (void) data;
  set_to = value->bits;
  return number == 99;
}

static char collected[512];

static void
collect (void *data, uint64_t address, uint64_t length)
{
  (void) data;
  size_t at = strlen (collected);
  snprintf (collected + at, sizeof collected - at, "%" PRIx64 "+%" PRIx64 " ",
	    address, length);
}

static const struct tb_agent_world world = {
  .reg = read_register, .memory = read_memory, .get = read_state, .set = set_state,
  .collect = collect, .address_mask = 0xffffffff
};

static struct tb_expression_scope scope;
static unsigned warnings;

static void
count_warnings (void *context, enum tb_severity severity, const char *message)
{
  (void) context;
  (void) message;
  warnings += severity == TB_WARNING;
}

static struct tb_diag diag = { .report = count_warnings };

static void
check_value (const char *text, uint64_t value)
{
  struct tb_expression code;
  struct tb_expression_error error;
  struct tb_value got = { .bits = 0 };
  size_t length = strlen (text);
  /* Without a zero behind it, so that reading beyond it is found out.  */
  char *copy = malloc (length + (length == 0));
  memcpy (copy, text, length);
  if (!CHECK (tb_expression_compile (copy, length, &scope, &code, NULL, &error)))
    fprintf (stderr, "  %s: %zu: %s\n", text, error.offset, error.text);
  else
    {
      bool right = CHECK_INT (tb_agent_run (code.code, code.length, &world,
					    &got), TB_AGENT_DONE);
      right &= CHECK_INT (got.bits, value);
      if (!right)
	fprintf (stderr, "  %s\n", text);
      tb_expression_fini (&code);
    }
  free (copy);
}

/* Where the program has its variable "batch".  */
#define GLOBAL UINT64_C (0x20000000)
#define N(x) ((uint64_t) (int64_t) (x))

static void
test_values (void)
{
  static const struct { const char *text; uint64_t value; } rows[] = {
    /* Constants.  */
    { "0", 0 }, { "017", 15 }, { "0x1F", 31 }, { "0b101", 5 }, { "10ul", 10 },
    { "'a'", 'a' }, { "'\\n'", 10 }, { "'\\''", 39 }, { "'\\x7f'", 127 },
    { "'\\377'", 255 }, { "0xffffffffffffffff", UINT64_MAX },
    /* Precedence and grouping.  */
    { "1+2*3", 7 }, { "(1+2)*3", 9 }, { "10-3-2", 5 }, { "100/7/2", 7 },
    { "2+3<<1", 10 }, { "1<<2+1", 8 }, { "5&3==3", 1 }, { "1|2^3&4", 3 },
    { "1||0&&0", 1 }, { "1?2:0?3:4", 2 }, { "0?1:0?2:3", 3 }, { "-2-3", N (-5) },
    { "- -3", 3 }, { "!5", 0 }, { "!!5", 1 }, { "~5", N (-6) }, { "1,2", 2 },
    { "7 % 4", 3 }, { "-7%4", N (-3) }, { "-7/2", N (-3) }, { "3>2>1", 0 },
    /* Types: C11, 6.3.1.8.  */
    { "0x7fffffff+1", N (INT32_MIN) }, { "0xffffffff+1", 0 },
    { "0xffffffffll+1", UINT64_C (0x100000000) }, { "-1<1u", 0 },
    { "-1<1", 1 }, { "-1ll<1u", 1 }, { "5u-6", 0xffffffff }, { "~0u", 0xffffffff },
    { "-1>>1", N (-1) }, { "0x80000000>>31", 1 }, { "-5/2u", 0x7ffffffd },
    { "sizeof(int)", 4 }, { "sizeof (long long)", 8 }, { "sizeof(void*)", 4 },
    { "sizeof 1ll", 8 }, { "sizeof(short[3])", 6 },
    { "(char)300", 44 }, { "(signed char)200", N (-56) },
    { "(unsigned short)-1", 65535 }, { "(short)0x18000", N (-32768) },
    { "(unsigned)-1", 0xffffffff }, { "(long long)(unsigned)-1", 0xffffffff },
    { "(unsigned long long)-1", UINT64_MAX }, { "(bool)256", 1 },
    { "(unsigned char)200+(unsigned char)100", 300 },
    /* Registers and state variables.  */
    { "$r0", N (-2) }, { "$r0<0", 1 }, { "$sp", 0x200000d0 },
    { "$lr", 0x200000e0 }, { "$pc", 0x200000f0 }, { "$xpsr", 0x20000190 },
    { "$fp", 0x200000b0 }, { "(unsigned)$r0>>1", 0x7fffffff },
    { "$step", 5 }, { "$exception*2", 20 }, { "$mine", 103 },
    { "$r0==-2&&$r1==3", 1 },
    /* Memory.  */
    { "*(int*)$sp", 0x200000d0 }, { "*(unsigned char*)($sp+1)", 0 },
    { "((int*)$sp)[2]", 0x200000d8 }, { "((int*)$sp)[-1]", 0x200000cc },
    { "{short}$sp", 0xd0 }, { "{unsigned char}0x30000001", 'e' },
    { "*(int*)0x20000040", 0x20000040 }, { "(int*)$sp+1", 0x200000d4 },
    { "1+(int*)$sp", 0x200000d4 }, { "(int*)$sp-1", 0x200000cc },
    { "(int*)24-(int*)8", 4 }, { "(int*)8-(int*)24", N (-4) },
    { "&((int*)$sp)[2]", 0x200000d8 }, { "$sp==0x200000d0", 1 },
    /* Names.  In batch_put the arguments are on the stack: batch at r7 + 12, channel
       at r7 + 8.  */
    { "&::batch", GLOBAL }, { "&'main.c'::batch", GLOBAL },
    { "sizeof 'main.c'::batch.slot", 32 },
    { "batch", 0x2000007c }, { "sizeof *batch", 44 }, { "sizeof batch", 4 },
    { "sizeof batch->slot", 32 }, { "::batch.count", GLOBAL + 0x24 },
    { "&::batch.slot[3].value", GLOBAL + 14 }, { "::batch.slot[1].channel", 4 },
    { "*&ticks==ticks", 1 }, { "channel", 0x20000078 },
    { "batch->count", 0x200000a0 }, { "(*batch).count", 0x200000a0 },
    { "batch.count", 0x200000a0 }, { "batch[1].lost", 0x200000d0 },
    { "&batch[1]", 0x200000a8 }, { "&batch[0x5d00000]", 0x1fc0007c },
    { "&((struct batch *) $r0)->lost", 0x26 }, { "batch+1", 0x200000a8 },
    { "main", 0x1dc }, { "sizeof(struct batch)", 44 },
    { "((struct batch *) 0x20000100)->lost", 0x20000128 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check_value (rows[i].text, rows[i].value);
}

static void
test_errors (void)
{
  static const struct { const char *text; size_t offset; const char *part; }
  rows[] = {
    { "", 0, "expected an operand" }, { "1 +", 3, "expected an operand" },
    { "1 + )", 4, "found `)'" }, { "(1", 2, "`)'" }, { "1 2", 2, "operator" },
    { "a[1", 0, "no `a'" }, { "5 + nosuch", 4, "no `nosuch'" },
    { "$nosuch", 0, "`$nosuch'" }, { "1.5", 0, "floating point" },
    { "\"x\"", 0, "strings" }, { "08", 0, "no number" }, { "0x", 0, "no number" },
    { "12ab", 0, "no number" }, { "0x1ffffffffffffffff", 0, "64 bits" },
    { "''", 0, "character" }, { "'ab'", 0, "one character" }, { "#", 0, "unexpected" },
    { "main ()", 5, "called" }, { "ticks = 1", 6, "state variables" },
    { "$step = 1", 0, "cannot be set" }, { "ticks++", 5, "state variables" },
    { "*5", 0, "pointer" }, { "&5", 0, "no address" }, { "1/0", 1, "zero" },
    { "::batch", 0, "number or a pointer" }, { "batch->nosuch", 7, "no member" },
    { "(struct nosuch *) 0", 8, "no struct" }, { "$sp * 2", 4, "pointer" },
    { "(double) 1", 0, "floating point" }, { "sizeof (struct nosuch)", 15, "struct" },
    { "1 ? 2", 5, "`:'" }, { "ticks @ 2 + nosuch", 12, "nosuch" },
    { "ticks @ 0", 8, "positive" }, { "5 @ 2", 2, "not in memory" },
    { "(unsigned signed) 1", 1, "both" }, { "'batch.c'::batch", 0, "no `'batch.c" },
    { "'ain.c'::batch", 0, "no `" }, { "'main.c'::", 0, "one character" }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_expression code;
      struct tb_expression_error error = { 0, "" };
      bool right = CHECK (!tb_expression_compile (rows[i].text,
						  strlen (rows[i].text), &scope,
						  &code, NULL, &error));
      right &= CHECK_INT (error.offset, rows[i].offset);
      right &= CHECK (strstr (error.text, rows[i].part) != NULL);
      right &= CHECK (code.code == NULL);
      if (!right)
	fprintf (stderr, "  %s: %s\n", rows[i].text, error.text);
    }
  /* As deep, as long and as many as anybody likes.  */
  static const char *const repeated[] = { "(", "-", "1+", "*", "1?", "a[", "{int}",
					  "(int)", "sizeof ", "1,", "a." };
  for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++)
    {
      static char text[TB_EXPRESSION_TEXT_MAX + 100];
      struct tb_expression code;
      struct tb_expression_error error;
      size_t each = strlen (repeated[i]), n = 0;
      while (n + each < sizeof text)
	{
	  memcpy (text + n, repeated[i], each);
	  n += each;
	}
      CHECK (!tb_expression_compile (text, n, &scope, &code, NULL, &error));
      CHECK (!tb_expression_compile (text, TB_EXPRESSION_TEXT_MAX - 10, &scope,
				     &code, NULL, &error));
    }
}

/* What TEXT collects: R, and the memory; "!": it is refused.  */
static const char *
collects (const char *text)
{
  static char all[600];
  struct tb_action_list list = { 0 };
  struct tb_expression_error error;
  struct tb_value value;
  bool registers = false;
  collected[0] = 0;
  if (!tb_expression_collect (text, strlen (text), &scope, &list, &error))
    {
      CHECK_INT (list.count, 0);
      snprintf (all, sizeof all, "! %s", error.text);
      return all;
    }
  for (size_t i = 0; i < list.count; i++)
    {
      const struct tb_action *a = &list.items[i];
      registers |= a->kind == TB_ACTION_REGISTERS;
      value.bits = 0;
      if (a->kind == TB_ACTION_MEMORY && a->base >= 0)
	read_register (NULL, (unsigned) a->base, &value);
      if (a->kind == TB_ACTION_MEMORY)
	collect (NULL, value.bits + a->offset, a->length);
      if (a->kind == TB_ACTION_EXPRESSION)
	CHECK_INT (tb_agent_run (a->expression.code, a->expression.length,
				 &world, &value), TB_AGENT_DONE);
    }
  tb_action_list_fini (&list);
  snprintf (all, sizeof all, "%s%s", registers ? "R " : "", collected);
  return all;
}

static void
test_collect (void)
{
  static const struct { const char *text, *all; } rows[] = {
    { "$regs", "R " }, { "$r3", "R " }, { "ticks", "200000a8+4 " },
    { "ticks, noise", "200000a8+4 2000002c+4 " }, { "ticks,ticks", "200000a8+4 " },
    { "batch", "R 2000007c+4 " }, { "*batch", "R 2000007c+4 2000007c+2c " },
    { "batch->slot[1]", "R 2000007c+4 20000080+4 " },
    { "batch->slot[1].value", "R 2000007c+4 20000082+2 " },
    { "batch->sink->used", "R 2000007c+4 2000009c+4 2000009c+4 " },
    { "batch->sink->nosuch", "! `report' has no member `nosuch'" },
    { "$args", "R 2000007c+4 20000078+4 20000074+4 " },
    { "*(char*)$sp@16", "R 200000d0+10 " }, { "{int}0x20000000@4", "20000000+10 " },
    { "*(char*)$sp@$r1", "R 200000d0+3 " }, { "$r0+ticks", "R 200000a8+4 " },
    { "$step", "" }, { "5", "" }, { "/s (char*)0x30000000", "30000000+6 " },
    { "/s2 (char*)0x30000000", "30000000+2 " },
    { "/s *(char (*)@", "! " }, { "/x ticks", "! expected `/s', perhaps with a "
					      "number" },
    { "$_ret", "R 2000008c+4 " }, { "$_sdata", "! there are no static tracepoint "
						"markers" },
    { "ticks,", "! expected an operand" }, { "ticks noise", "! expected `,', found "
							    "`noise'" },
    { "stack_top, nosuch", "! " }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const char *all = collects (rows[i].text);
      if (!CHECK (strncmp (all, rows[i].all, strlen (rows[i].all)) == 0
		  && (all[0] == '!' || strlen (all) == strlen (rows[i].all))))
	fprintf (stderr, "  %s: %s\n", rows[i].text, all);
    }
}

static void
test_others (void)
{
  struct tb_action_list list = { 0 };
  struct tb_expression_error error;
  struct tb_value value;
  uint64_t address, size;
  CHECK (tb_expression_teval ("$mine = $mine + 1, $mine *= 2", 29, &scope, &list,
			      &error));
  CHECK_INT (list.count, 2);
  for (size_t i = 0; i < list.count; i++)
    {
      CHECK_INT (tb_agent_run (list.items[i].expression.code,
			       list.items[i].expression.length, &world, &value),
		 TB_AGENT_DONE);
      CHECK_INT (set_to, i == 0 ? 104 : 206);
    }
  CHECK (!tb_expression_teval ("$mine = 1, x", 12, &scope, &list, &error));
  CHECK_INT (list.count, 2);
  tb_action_list_fini (&list);

  CHECK (tb_expression_place ("ticks", 5, &scope, &address, &size, &error));
  CHECK_INT (address, 0x200000a8);
  CHECK_INT (size, 4);
  CHECK (tb_expression_place ("{short}0x20000000@3", 19, &scope, &address, &size,
			      &error));
  CHECK_INT (address, 0x20000000);
  CHECK_INT (size, 6);
  /* What lies before the first address is at the end, and behind the last one at the begin.  */
  static const char before_0[] = "((short *) 2)[-3]",
		    behind_last[] = "((struct batch *) 0xffffffff)->count";
  CHECK (tb_expression_place (before_0, sizeof before_0 - 1, &scope, &address, &size, &error));
  CHECK_INT (address, 0xfffffffc);
  CHECK_INT (size, 2);
  CHECK (tb_expression_place (behind_last, sizeof behind_last - 1, &scope, &address, &size,
			      &error));
  CHECK_INT (address, 0x23);
  CHECK_INT (size, 4);
  CHECK (!tb_expression_place ("batch->count", 12, &scope, &address, &size,
			       &error));
  CHECK (!tb_expression_place ("5", 1, &scope, &address, &size, &error));

  /* Without a program, and without a PC.  */
  struct tb_expression_scope bare = { .tdesc = scope.tdesc,
				      .set = scope.set };
  struct tb_expression code;
  const struct tb_type *type;
  CHECK (tb_expression_compile ("*(int *) $sp + $step", 20, &bare, &code, &type,
				&error));
  CHECK (type == NULL);
  tb_expression_fini (&code);
  CHECK (!tb_expression_compile ("ticks", 5, &bare, &code, NULL, &error));
  bare = scope;
  bare.no_pc = true;
  CHECK (tb_expression_compile ("ticks", 5, &bare, &code, &type, &error));
  CHECK_INT (type->kind, TB_TYPE_INTEGER);
  tb_expression_fini (&code);
  CHECK (!tb_expression_compile ("channel", 7, &bare, &code, NULL, &error));
  CHECK (!tb_expression_collect ("$locals", 7, &bare, &list, &error));
  CHECK_INT (warnings, 0);
  /* Where no function is described there are none.  */
  bare.no_pc = false;
  bare.pc = 0x7fffffff;
  CHECK (tb_expression_collect ("$locals", 7, &bare, &list, &error));
  CHECK_INT (list.count, 0);
  CHECK_INT (warnings, 1);
}

/* AArch64, without a program.  Addresses have 64 bits.  */
static void
test_a64 (void)
{
  static const struct { const char *text; uint64_t value; } rows[] = {
    { "sizeof (long)", 8 }, { "sizeof (int)", 4 }, { "sizeof (void *)", 8 },
    { "$x1", 3 }, { "$x2 + 1", 0x20000021 }, { "$w0", 0xfffffffe },
    { "(int) $x0", N (-2) }, { "$w0 == 0xfffffffe", 1 }, { "$lr", 0x200001e0 },
    { "$x30 - $lr", 0 }, { "$fp", 0x200001d0 }, { "$sp", 0x200001f0 },
    { "sizeof $x0", 8 }, { "sizeof $w0", 4 }, { "1l << 40", UINT64_C (1) << 40 },
    { "(long *) 8 - (long *) 24", N (-2) }, { "(int) ($x0 << 4)", N (-32) },
    { "(char *) -1 == -1", 1 }, { "2147483648", 0x80000000 },
    { "$el", 15 }, { "(unsigned char) $x0", 0xfe }
  };
  struct tb_expression_scope old = scope;
  struct tb_tracepoint_set set;
  struct tb_profile profile;
  struct tb_expression code;
  struct tb_expression_error error;
  CHECK (tb_profile_find (&profile, "Cortex-A57"));
  CHECK (tb_tracepoint_set_init (&set));
  struct tb_tdesc *tdesc = tb_tdesc_own (&profile, NULL);
  scope = (struct tb_expression_scope) { .tdesc = tdesc, .set = &set };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    check_value (rows[i].text, rows[i].value);
  CHECK (!tb_expression_compile ("$r0", 3, &scope, &code, NULL, &error));
  CHECK (!tb_expression_compile ("$psp", 4, &scope, &code, NULL, &error));
  tb_tracepoint_set_fini (&set);
  tb_tdesc_free (tdesc);
  scope = old;
  CHECK (!tb_expression_compile ("$x0", 3, &scope, &code, NULL, &error));
}

/* Noise: it must end, and read nothing that is not there.  */
static void
test_noise (void)
{
  static const char *const words[] = {
    "1", "'a'", "ticks", "batch", "channel", "$r0", "$step", "$mine", "(", ")", "[",
    "]", "{", "}", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=",
    "?", ":", ".", "->", "&&", "||", "<<", ">>", "==", "@", ",", "sizeof", "int",
    "struct", "count", "slot", "char", "unsigned", "value", "sink", "0x20000000",
    " ", "/s", "$args", "$locals", "::", "\\", "'", "\"", "\377", "(int)", "(char*)"
  };
  uint32_t state = 1;
  unsigned done = 0;
  for (unsigned round = 0; round < 30000; round++)
    {
      char text[400];
      size_t length = 0;
      state = state * 1664525 + 1013904223;
      unsigned count = 1 + (state >> 20) % (round % 3 == 0 ? 24 : 5);
      for (unsigned i = 0; i < count; i++)
	{
	  state = state * 1664525 + 1013904223;
	  const char *word = words[(state >> 8) % (sizeof words / sizeof *words)];
	  memcpy (text + length, word, strlen (word));
	  length += strlen (word);
	}
      char *copy = malloc (length + 1);
      struct tb_expression code;
      struct tb_expression_error error = { SIZE_MAX, "" };
      struct tb_action_list list = { 0 };
      struct tb_value value;
      uint64_t address, size;
      memcpy (copy, text, length);
      copy = realloc (copy, length + (length == 0));
      if (tb_expression_compile (copy, length, &scope, &code, NULL, &error))
	{
	  enum tb_agent_status status = tb_agent_run (code.code, code.length,
						      &world, &value);
	  CHECK (status != TB_AGENT_MALFORMED && status != TB_AGENT_STACK_ERROR
		 && status != TB_AGENT_NO_FLOAT && status != TB_AGENT_TOO_LONG);
	  done++;
	}
      else if (!CHECK (error.offset <= length && error.text[0] != 0))
	fprintf (stderr, "  %.*s\n", (int) length, copy);
      tb_expression_fini (&code);
      tb_expression_collect (copy, length, &scope, &list, &error);
      tb_expression_teval (copy, length, &scope, &list, &error);
      tb_expression_place (copy, length, &scope, &address, &size, &error);
      tb_action_list_fini (&list);
      free (copy);
    }
  if (!CHECK (done > 500))
    fprintf (stderr, "  %u\n", done);
}

/* The numbers that DWARF has for registers of floating point: of A32 and T32 S registers are halves
   of D registers; of A64 both are parts of V registers, and D registers have no numbers.  */
static void
test_fp_places (void)
{
  static const struct tb_tdesc_options options = { .fp = true };
  static const struct
  {
    const char *core;
    unsigned address_size, number;
    const char *name;		/* NULL: it is none.  */
    uint64_t offset;
  } rows[] = {
    { "Cortex-A15", 4, 63, NULL, 0 }, { "Cortex-A15", 4, 64, "d0", 0 },
    { "Cortex-A15", 4, 65, "d0", 4 }, { "Cortex-A15", 4, 94, "d15", 0 },
    { "Cortex-A15", 4, 95, "d15", 4 }, { "Cortex-A15", 4, 96, NULL, 0 },
    { "Cortex-A15", 4, 127, NULL, 0 }, { "Cortex-A15", 4, 128, NULL, 0 },
    { "Cortex-A15", 4, 255, NULL, 0 }, { "Cortex-A15", 4, 256, "d0", 0 },
    { "Cortex-A15", 4, 257, "d1", 0 }, { "Cortex-A15", 4, 287, "d31", 0 },
    { "Cortex-A15", 4, 288, NULL, 0 }, { "Cortex-A15", 4, 512, NULL, 0 },
    { "Cortex-M4", 4, 256, "d0", 0 }, { "Cortex-M4", 4, 271, "d15", 0 },
    { "Cortex-M4", 4, 272, NULL, 0 }, { "Cortex-M4", 4, 95, "d15", 4 },
    { "Cortex-A57", 8, 63, NULL, 0 }, { "Cortex-A57", 8, 64, "v0", 0 },
    { "Cortex-A57", 8, 65, "v1", 0 }, { "Cortex-A57", 8, 95, "v31", 0 },
    { "Cortex-A57", 8, 96, NULL, 0 }, { "Cortex-A57", 8, 256, NULL, 0 },
    { "Cortex-A57", 8, 257, NULL, 0 }
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      struct tb_profile profile;
      CHECK (tb_profile_find (&profile, rows[i].core));
      struct tb_tdesc *tdesc = tb_tdesc_own (&profile, &options);
      struct tb_compiler c = { .tdesc = tdesc, .address_size = rows[i].address_size };
      struct tb_emitter e = { .c = &c };
      struct tb_lvalue place = { .kind = TB_LVALUE_FIXED };
      const char *name = NULL;
      bool ok = CHECK_INT (tb_emit_fp_place (&e, rows[i].number, &place), rows[i].name != NULL);
      for (unsigned r = 0; r < tdesc->nregs && place.kind == TB_LVALUE_REGISTER; r++)
	if (tdesc->regs[r].gdb == place.base)
	  name = tdesc->regs[r].name;
      if (rows[i].name != NULL)
	ok = ok && CHECK_STR (name, rows[i].name) && CHECK_INT (place.offset, rows[i].offset)
	     && CHECK (e.uses_registers);
      if (!ok)
	fprintf (stderr, "  %s: register %u\n", rows[i].core, rows[i].number);
      tb_tdesc_free (tdesc);
    }
}

int
main (void)
{
  static char path[4096];
  const char *source = getenv ("srcdir");
  struct tb_symbols *symbols = tb_symbols_new ();
  struct tb_tracepoint_set set;
  struct tb_profile profile;
  static const char mine[] = "63:0:0:6d696e65";
  snprintf (path, sizeof path, "%s/samples/crash-o0/program.elf",
	    source != NULL ? source : ".");
  CHECK (tb_profile_find (&profile, "Cortex-M0+"));
  CHECK (tb_tracepoint_set_init (&set));
  CHECK (tb_trace_variable_read (&set, mine, sizeof mine - 1));
  CHECK_INT (tb_symbols_add (symbols, path, 0, &diag), TB_OK);
  struct tb_variables *variables = tb_variables_new (symbols, 4);
  struct tb_tdesc *tdesc = tb_tdesc_own (&profile, NULL);
  uint64_t batch_put = 0;
  size_t count;
  const struct tb_function *list = tb_symbols_functions (symbols, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp (list[i].name, "batch_put") == 0)
      batch_put = list[i].address;
  /* Behind the prologue, where locals have their places.  */
  scope = (struct tb_expression_scope) {
    .variables = variables, .pc = batch_put + 16, .tdesc = tdesc,
    .set = &set, .diag = &diag
  };
  test_values ();
  test_errors ();
  test_collect ();
  test_others ();
  test_a64 ();
  test_fp_places ();
  test_noise ();
  tb_variables_free (variables);
  tb_symbols_free (symbols);
  tb_tracepoint_set_fini (&set);
  tb_tdesc_free (tdesc);
  return check_done ();
}
