/* State: what is taken for granted, premise by premise: a value that is known is not
   where the premise that it rests on is doubted.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "state/explain/why.h"
#include "state/premise.h"
#include "state-program.h"

#define HANDLER 0x140u

/* The M profile.  */

static struct tb_recording *
make_code (void)
{
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x46c0);	/* nop  */
  fake_run (f, MAIN, 2);
  return f;
}

static struct tb_recording *
make_halt (void)
{
  struct tb_recording *f = make_code ();
  fake_reg (f, "R4", 5);
  fake_end (f, MAIN + 4, true);
  return f;
}

static struct tb_recording *
make_read_only (void)
{
  struct tb_recording *f = BEGIN (0x4800,	/* ldr r0,[pc]  */
				  0x46c0,	/* nop  */
				  5, 0);
  fake_run (f, MAIN, 2);
  return f;
}

/* What is stored is loaded again; in between something else may be stored, elsewhere. */
static struct tb_recording *
make_store (uint16_t between)
{
  struct tb_recording *f = BEGIN (0x2120,	/* movs r1,#32  */
				  0x0609,	/* lsls r1,r1,#24  */
				  0x2005,	/* movs r0,#5  */
				  0x6008,	/* str r0,[r1]  */
				  between,
				  0x680a,	/* ldr r2,[r1]  */
				  0x46c0);	/* nop  */
  fake_run (f, MAIN, 7);
  return f;
}

static struct tb_recording *
make_writer (void)
{
  return make_store (0x46c0);	/* nop  */
}

static struct tb_recording *
make_address (void)
{
  return make_store (0x6049);	/* str r1,[r1,#4]  */
}

/* An exception of ARCH where SP is 0x20000084.  */
static struct tb_recording *
make_frame (enum tb_arch arch)
{
  struct tb_recording *f = BEGIN (0x2120,	/* movs r1,#32  */
				  0x0609,	/* lsls r1,r1,#24  */
				  0x3184,	/* adds r1,#0x84  */
				  0x468d);	/* mov sp,r1  */
  flash[HANDLER / 2] = flash[HANDLER / 2 + 1] = 0x46c0;
  f->profile.arch = arch;
  uint32_t pc = fake_run (f, MAIN, 4);
  fake_event (f, TB_EVENT_EXCEPTION, pc)->exception = 15;
  fake_run (f, HANDLER, 2);
  return f;
}

static struct tb_recording *
make_frame_v6 (void)
{
  return make_frame (TB_ARCH_V6M);
}

static struct tb_recording *
make_frame_v7 (void)
{
  return make_frame (TB_ARCH_V7M);
}

static struct tb_recording *
make_frame_fp (void)
{
  return make_frame (TB_ARCH_V7EM);
}

/* A32.  */

static struct tb_recording *
begin_a32 (const uint32_t *code, size_t count)
{
  struct tb_recording *f = fake_new (TB_ARCH_V7A);
  memset (flash, 0, sizeof flash);
  memset (ram, 0, sizeof ram);
  for (size_t i = 0; i < count; i++)
    TARGET_STORE (flash, MAIN + 4 * i, 4, code[i]);
  fake_dump (f, 0, flash, sizeof flash);
  fake_dump (f, FAKE_RAM, ram, sizeof ram);
  fake_run (f, MAIN, (unsigned) count);
  return f;
}

#define BEGIN_A32(...) \
  begin_a32 ((const uint32_t[]) { __VA_ARGS__ }, \
	     sizeof (uint32_t[]) { __VA_ARGS__ } / 4)

static struct tb_recording *
make_literal (void)
{
  struct tb_recording *f = BEGIN_A32 (0xe59f0004,	/* ldr r0,[pc,#4]  */
				      0xe320f000);	/* nop  */
  flash[(MAIN + 12) / 2] = 5;
  return f;
}

static struct tb_recording *
make_store_a32 (void)
{
  return BEGIN_A32 (0xe3a01202,		/* mov r1,#0x20000000  */
		    0xe3a00005,		/* mov r0,#5  */
		    0xe5810000,		/* str r0,[r1]  */
		    0xe320f000, 0xe320f000,
		    0xe5912000,		/* ldr r2,[r1]  */
		    0xe320f000);
}

/* Even what an exception does by itself.  */
static struct tb_recording *
make_worked_out (void)
{
  static const struct tb_device source = { .name = "etm", .type = "ETM4", .evidence = "trace" };
  struct tb_recording *f = make_frame_v6 ();
  f->options.source = &source;
  return f;
}

/* As make_halt, of an MTB whose packets were found in memory; an endless loop is behind them.  */
static struct tb_recording *
make_found (void)
{
  static const struct tb_device source = { .name = "mtb", .type = "MTB", .evidence = "packets" };
  struct tb_recording *f = BEGIN (0x2005,	/* movs r0,#5  */
				  0x46c0,	/* nop  */
				  0xe7fe);	/* b MAIN + 4  */
  fake_step (f, MAIN, 0);
  fake_reg (f, "R4", 5);
  fake_end (f, MAIN + 2, true);
  f->options.source = &source;
  return f;
}

static struct tb_recording *
make_vector (void)
{
  return BEGIN_A32 (0xe3a00005,		/* mov r0,#5  */
		    0xee000a10,		/* vmov s0,r0  */
		    0xee101a10,		/* vmov r1,s0  */
		    0xe320f000);
}

static const struct
{
  const char *name;
  struct tb_recording *(*make) (void);
  uint8_t step, reg;		/* Where VALUE is known.  */
  uint32_t value;
} rows[] = {
  { "dump-is-code", make_code, 1, TB_R0, 5 },
  { "ends-at-halt", make_halt, 0, TB_R4, 5 },
  { "read-only", make_read_only, 1, TB_R0, 5 },
  { "literals", make_literal, 1, TB_R0, 5 },
  { "no-other-writer", make_writer, 6, TB_R2, 5 },
  { "dumps-are-ram", make_store_a32, 6, TB_R2, 5 },
  { "one-address", make_address, 6, TB_R2, 5 },
  { "frames-fit", make_frame_v6, 4, TB_SP, 0x20000060 },
  { "frames-aligned", make_frame_v7, 4, TB_SP, 0x20000060 },
  { "unseen-code", make_frame_fp, 4, TB_SP, 0x20000060 },
  { "little-endian", make_store_a32, 6, TB_R2, 5 },
  { "unit-settings", make_worked_out, 4, TB_SP, 0x20000060 },
  { "found-packets", make_found, 0, TB_R4, 5 },
  { "no-short-vectors", make_vector, 3, TB_R1, 5 }
};

/* Is row I's value known without the premises DOUBT?  */
static bool
known_without (size_t i, uint64_t window, unsigned doubt)
{
  struct tb_recording *f = rows[i].make ();
  f->options.doubt = doubt;
  f->options.window = window;
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  uint32_t value = 0;
  bool known = fake_known (s, rows[i].step, rows[i].reg, &value);
  end (f, s);
  return known;
}

/* What is said of the premises of row I, with the premises DOUBT doubted, is true.  */
static void
test_grounds (size_t i, uint64_t window, unsigned doubt)
{
  struct tb_recording *f = rows[i].make ();
  struct tb_why_query query = { .kind = TB_WHY_REGISTER, .number = rows[i].reg,
				.size = 4 };
  f->options.doubt = doubt;
  f->options.window = window;
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  struct tb_why_grounds g = tb_why_find_grounds (s, rows[i].step, &query);
  end (f, s);
  CHECK_INT (g.doubted, doubt);
  CHECK (!g.failed);
  if (doubt & 1u << i)
    {
      /* It is the reason, beside it perhaps another one.  */
      CHECK_INT (g.rests, 0);
      CHECK (g.missing & 1u << i);
      CHECK (g.otherwise.whole && g.otherwise.value == rows[i].value);
      CHECK (known_without (i, window, doubt & ~g.missing));
      for (unsigned bit = 1; bit < TB_PREMISE_ALL; bit <<= 1)
	if (g.missing & bit)
	  CHECK (!known_without (i, window, (doubt & ~g.missing) | bit));
      return;
    }
  CHECK_INT (g.missing, 0);
  CHECK (g.rests & 1u << i);
  CHECK (known_without (i, window, TB_PREMISE_ALL & ~g.rests));
  for (unsigned bit = 1; bit < TB_PREMISE_ALL; bit <<= 1)
    CHECK_INT (known_without (i, window, (TB_PREMISE_ALL & ~g.rests) | bit),
	       !(g.rests & bit));
}

/* Memory that PSP points into is no flash; where it is 0, as from reset on, it points nowhere.  */
static void
test_stack_pointer (uint32_t psp, bool constant)
{
  struct tb_recording *f = make_read_only ();
  f->options.doubt = TB_PREMISE_LITERALS | TB_PREMISE_NO_WRITER;
  fake_reg (f, "PSP", psp);
  fake_end (f, MAIN + 4, true);
  struct tb_state *s = finish (f);
  CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
  uint32_t value = 0;
  CHECK_INT (fake_known (s, 1, TB_R0, &value), constant);
  CHECK (!constant || value == 5);
  end (f, s);
}

/* Where values rest on nothing but the halt, or on nothing.  */
static void
test_few_grounds (void)
{
  struct tb_recording *f = make_halt ();
  struct tb_why_query query = { .kind = TB_WHY_REGISTER, .number = TB_R4, .size = 4 };
  struct tb_state *s = finish (f);
  struct tb_why_grounds g = tb_why_find_grounds (s, 2, &query);
  struct tb_buffer text = { 0 };
  CHECK_INT (g.rests, TB_PREMISE_HALT);
  tb_why_grounds_text (&text, &g);
  tb_buffer_append (&text, "", 1);
  CHECK_STR ((const char *) text.data, "  rests on ends-at-halt\n");
  tb_buffer_fini (&text);
  /* Nothing tells it, whatever is doubted.  */
  query.number = TB_R7;
  g = tb_why_find_grounds (s, 2, &query);
  CHECK_INT (g.rests | g.missing | g.doubted, 0);
  tb_why_grounds_text (&text, &g);
  CHECK_INT (text.size, 0);
  end (f, s);
}

/* In one window, and in windows of a few steps.  */
static void
test_row (size_t i, uint64_t window)
{
  unsigned bit = 0;
  struct tb_buffer said = { 0 };
  CHECK_INT (tb_premise_ask (rows[i].name, &bit, &said), TB_PREMISES_DOUBTED);
  CHECK_INT (bit, 1u << i);
  for (unsigned doubt = 0; doubt < 2; doubt++)
    {
      struct tb_recording *f = rows[i].make ();
      f->options.doubt = doubt ? bit : 0;
      f->options.window = window;
      struct tb_state *s = finish (f);
      CHECK (tb_state_prepare (s, 0, NULL, NULL, &f->diag));
      uint32_t value = 0;
      bool known = fake_known (s, rows[i].step, rows[i].reg, &value);
      if (!CHECK_INT (known, !doubt))
	fprintf (stderr, "  %s\n", rows[i].name);
      if (known)
	CHECK_INT (value, rows[i].value);
      end (f, s);
    }
}

/* Names in lists.  */
static void
test_parse (void)
{
  unsigned set = 0;
  struct tb_buffer text = { 0 };
  CHECK_INT (tb_premise_ask ("one-address,read-only", &set, &text), TB_PREMISES_DOUBTED);
  CHECK_INT (set, TB_PREMISE_ONE_ADDRESS | TB_PREMISE_READ_ONLY);
  CHECK_INT (text.size, 0);
  CHECK_INT (tb_premise_ask ("", &set, &text), TB_PREMISES_WRONG);
  text.size = 0;
  CHECK_INT (tb_premise_ask ("literals,one-addres,x", &set, &text), TB_PREMISES_WRONG);
  tb_buffer_append (&text, "", 1);
  CHECK (strstr ((const char *) text.data, "found 'one-addres'; did you mean one-address?")
	 != NULL);
  text.size = 0;
  tb_premise_names (&text, TB_PREMISE_CODE | TB_PREMISE_ONE_ADDRESS);
  tb_buffer_append (&text, "", 1);
  CHECK_STR ((const char *) text.data, "dump-is-code, one-address");
  tb_buffer_fini (&text);
}

/* The table for people: each premise with what it states and what breaks it, in lines that
   fit a terminal and are indented alike.  */
static void
test_list (void)
{
  struct tb_buffer text = { 0 };
  char words[4096] = "", want[4096] = "";
  size_t at = 0, column = 0;
  unsigned set = 0;
  CHECK_INT (tb_premise_ask ("list", &set, &text), TB_PREMISES_LISTED);
  CHECK_INT (set, 0);
  for (size_t i = 0; i < text.size; i++)
    {
      char c = (char) text.data[i];
      CHECK (column < 79 || c == '\n');
      CHECK (c != '\n' || column > 18);
      /* Names stand at the begin of a line, all else behind them.  */
      CHECK (column < 18 || column > 18 || c != ' ');
      CHECK (column != 17 || c == ' ');
      column = c == '\n' ? 0 : column + 1;
      if (c == '\n' || c == ' ')
	c = ' ';
      if (c != ' ' || (at > 0 && words[at - 1] != ' '))
	words[at++] = c;
    }
  words[at] = '\0';
  for (size_t i = 0; tb_premise_number (i) != NULL; i++)
    {
      const struct tb_premise *p = tb_premise_number (i);
      size_t n = strlen (want);
      snprintf (want + n, sizeof want - n, "%s %s Broken by %s ", p->name, p->states,
		p->broken_by);
    }
  char plain[4096];
  size_t n = 0;
  for (const char *c = want; *c != '\0'; c++)
    if (*c != ' ' || (n > 0 && plain[n - 1] != ' '))
      plain[n++] = *c;
  plain[n] = '\0';
  CHECK_STR (words, plain);
  tb_buffer_fini (&text);
}

int
main (void)
{
  size_t count = 0;
  while (tb_premise_number (count) != NULL)
    count++;
  /* That of data trace is in test-state-traced.c.  */
  CHECK_INT (count, sizeof rows / sizeof rows[0] + 1);
  CHECK_STR (tb_premise_number (count - 1)->name, "traced-data");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      CHECK_STR (tb_premise_number (i)->name, rows[i].name);
      test_row (i, 0);
      test_row (i, 2);
      for (uint64_t window = 0; window <= 2; window += 2)
	{
	  test_grounds (i, window, 0);
	  test_grounds (i, window, TB_PREMISE_SCALAR & ~(1u << i));
	  test_grounds (i, window, 1u << i);
	  test_grounds (i, window, 1u << i | TB_PREMISE_UNSEEN | TB_PREMISE_CODE);
	}
    }
  CHECK_INT (TB_PREMISE_ALL, (1u << count) - 1);
  test_stack_pointer (0x40, false);
  test_stack_pointer (0, true);
  test_few_grounds ();
  test_parse ();
  test_list ();
  return check_done ();
}
