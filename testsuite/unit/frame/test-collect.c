/* Collection and export, over a made-up recording and state.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "fake-state.h"
#include "frame/collect.h"
#include "frame/export.h"
#include "tracefile-reader.h"

/* A frame taken apart.  */
struct parts
{
  bool has_registers;
  uint8_t registers[TB_TDESC_SIZE_MAX];
  bool has[TB_VAR_COUNT];
  int64_t values[TB_VAR_COUNT];
  struct { uint64_t address; size_t length; const uint8_t *bytes; bool assumed; } memory[200];
  unsigned nmemory;
};

static uint64_t
get_le (const uint8_t *from, unsigned length)
{
  uint64_t value = 0;
  for (unsigned i = length; i > 0; i--)
    value = value << 8 | from[i - 1];
  return value;
}

static void
take_apart (const struct tb_frame *frame, struct parts *parts)
{
  memset (parts, 0, sizeof *parts);
  unsigned size = fake_tdesc ()->size;
  const uint8_t *at = frame->bytes.data;
  const uint8_t *end = at + frame->bytes.size;
  while (at < end)
    switch (*at)
      {
      case 'R':
	CHECK (!parts->has_registers);
	parts->has_registers = true;
	memcpy (parts->registers, at + 1, size);
	at += 1 + size;
	break;
      case 'V':
	{
	  unsigned number = (unsigned) get_le (at + 1, 4);
	  if (CHECK (number > 0 && number < TB_VAR_COUNT))
	    {
	      parts->has[number] = true;
	      parts->values[number] = (int64_t) get_le (at + 5, 8);
	    }
	  at += 13;
	  break;
	}
      case 'M':
	if (CHECK (parts->nmemory < 200))
	  {
	    parts->memory[parts->nmemory].assumed = parts->has[TB_VAR_ASSUMED_MEMORY];
	    parts->memory[parts->nmemory].address = get_le (at + 1, 8);
	    parts->memory[parts->nmemory].length = get_le (at + 9, 2);
	    parts->memory[parts->nmemory++].bytes = at + 11;
	  }
	at += 11 + get_le (at + 9, 2);
	break;
      default:
	CHECK (!"a block");
	return;
      }
  CHECK (at == end);
}

/* The register in slot NUMBER.  */
static uint64_t
slot (const struct parts *parts, unsigned number)
{
  const struct tb_tdesc_slot *where
    = &fake_tdesc ()->slots[number];
  return get_le (parts->registers + where->offset, where->size);
}

/* The byte at ADDRESS in PARTS, or -1.  */
static int
byte_at (const struct parts *parts, uint64_t address)
{
  for (unsigned i = 0; i < parts->nmemory; i++)
    if (address - parts->memory[i].address < parts->memory[i].length)
      return parts->memory[i].bytes[address - parts->memory[i].address];
  return -1;
}

/* How many bytes of PARTS are marked as assumed; *WRONG counts those of data that should be
   and are not, or are and should not be (fake.assumed_memory).  */
static size_t
count_assumed (const struct parts *parts, size_t *wrong)
{
  size_t count = 0;
  *wrong = 0;
  for (unsigned i = 0; i < parts->nmemory; i++)
    for (uint64_t at = parts->memory[i].address;
	 at < parts->memory[i].address + parts->memory[i].length; at++)
      {
	bool data = at >= FAKE_KNOWN || (at >= FAKE_VARIABLES && at < FAKE_VARIABLES_END);
	count += parts->memory[i].assumed;
	*wrong += parts->memory[i].assumed != (data && at % 3 == 0);
      }
  return count;
}

static struct tb_frame frame;

/* Collect STEP of the world as it is now.  */
static enum tb_collected
collect (uint64_t step, enum tb_unknown_policy policy, struct parts *parts,
	 struct tb_collect_info *info)
{
  struct tb_collect_options options = TB_COLLECT_DEFAULTS;
  options.policy = policy;
  struct tb_collector *collector
    = tb_collector_new (fake_state (), fake_recording (), fake_tdesc (),
			&options);
  enum tb_collected what = tb_collect (collector, step, &frame, info);
  take_apart (&frame, parts);
  tb_collector_free (collector);
  CHECK (!frame.bytes.failed);
  CHECK (frame.bytes.size <= options.limit);
  return what;
}

/* All is known: each register, variable and byte by its formula.  */
static void
test_known (void)
{
  static const struct
  {
    char profile;
    uint64_t step;
    uint64_t r5, pc, psr;
    int exception;		/* -1: not collected.  */
  } cases[] =
    {
      { 'm', 0, 0x50000, 0x8000, 0x61000000, 0 },
      { 'm', 7, 0x50007, 0x800e, 0x61000003, 3 },
      { 'm', 250, 0x500fa, 0x8014, 0x61000002, 2 },
      { 'a', 7, 0x50007, 0x801c, 0x60000000, -1 },
      { 'a', 100, 0x50064, 0x8010, 0x60000000, 11 },
      { '6', 7, 0x50007, 0x801c, 0x60000000, -1 },
      { '6', 250, 0x500fa, 0x8028, 0x60000000, -1 }
    };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      uint64_t step = cases[i].step;
      fake_setup (cases[i].profile, 250);
      struct parts parts;
      struct tb_collect_info info;
      CHECK_INT (collect (step, TB_POLICY_SKIP, &parts, &info), TB_COLLECTED);
      CHECK_INT (info.pc, cases[i].pc);
      CHECK_INT (info.unknown, 0);
      CHECK_INT (info.assumed, 0);
      const struct tb_tdesc *layout = fake_tdesc ();
      CHECK (parts.has_registers);
      CHECK_INT (slot (&parts, 5), cases[i].r5);
      CHECK_INT (slot (&parts, layout->sp), FAKE_STACK);
      CHECK_INT (slot (&parts, layout->pc), cases[i].pc);
      CHECK_INT (slot (&parts, layout->psr), cases[i].psr);

      CHECK (parts.has[TB_VAR_STEP] && parts.has[TB_VAR_UNKNOWN]);
      CHECK_INT (parts.values[TB_VAR_STEP], step);
      CHECK_INT (parts.values[TB_VAR_UNKNOWN], 0);
      CHECK (!parts.has[TB_VAR_ASSUMED]);
      CHECK_INT (parts.has[TB_VAR_TIMESTAMP], step >= 10);
      if (step >= 10)
	CHECK_INT (parts.values[TB_VAR_TIMESTAMP], 1000 + step);
      CHECK_INT (parts.values[TB_VAR_CYCLES], 3 * step);
      CHECK_INT (parts.has[TB_VAR_CONTEXT], !fake.profile.is_m && step >= 20);
      CHECK_INT (parts.has[TB_VAR_EL], !fake.profile.is_m && step >= 20);
      if (parts.has[TB_VAR_EL])
	{
	  CHECK_INT (parts.values[TB_VAR_CONTEXT], 0x77);
	  CHECK_INT (parts.values[TB_VAR_EL], 1);
	}
      CHECK_INT (parts.has[TB_VAR_EXCEPTION], cases[i].exception >= 0);
      if (cases[i].exception >= 0)
	CHECK_INT (parts.values[TB_VAR_EXCEPTION], cases[i].exception);
      CHECK_INT (parts.has[TB_VAR_MSP], fake.profile.is_m);
      if (fake.profile.is_m)
	CHECK_INT (parts.values[TB_VAR_PSP], 0x120000 + step);

      /* The code, clipped to where there is some.  */
      unsigned size = fake.size * fake.pcs;
      CHECK_INT (byte_at (&parts, FAKE_CODE - 1), -1);
      CHECK_INT (byte_at (&parts, cases[i].pc + fake.size - 1),
		 fake.profile.is_m ? 0xbf : fake.profile.has_a64 ? 0xd5 : 0xe1);
      if (fake.profile.is_m)
	CHECK (byte_at (&parts, FAKE_CODE) >= 0
	       && byte_at (&parts, FAKE_CODE + size - 1) >= 0);
      CHECK_INT (byte_at (&parts, FAKE_CODE + size), -1);
      /* The stack from SP on, as far as it is known, and not below.  */
      for (uint64_t at = FAKE_STACK - 4; at < FAKE_KNOWN_END + 4; at++)
	CHECK_INT (byte_at (&parts, at),
		   at < FAKE_STACK || at >= FAKE_KNOWN_END
		   ? -1 : (int) ((at + step) & 0xff));
      /* What the step is about to store over; no step, no store.  */
      uint64_t word = FAKE_VARIABLES + 4 * (step % 16);
      for (uint64_t at = word - 1; at <= word + 4; at++)
	CHECK_INT (byte_at (&parts, at),
		   at < word || at == word + 4 || step == 250
		   ? -1 : (int) ((at + step) & 0xff));
      CHECK_INT (parts.nmemory, step == 250 ? 2 : 3);
    }
}

/* Each register unknown by itself, under each policy.  */
static void
test_unknown (void)
{
  static const char profiles[] = { 'm', 'a', '6' };
  for (unsigned p = 0; p < 3; p++)
    {
      fake_setup (profiles[p], 250);
      const struct tb_tdesc *layout = fake_tdesc ();
      uint64_t poison = profiles[p] == '6' ? TB_POISON64 : TB_POISON32;
      for (unsigned i = 0; i < layout->count; i++)
	{
	  fake.unknown = UINT64_C (1) << layout->slots[i].reg;
	  /* Whatever the state says, the step says where the PC is.  */
	  uint64_t want = i == layout->pc ? 0 : UINT64_C (1) << i;
	  struct parts parts;
	  struct tb_collect_info info;
	  CHECK_INT (collect (8, TB_POLICY_MASK, &parts, &info),
		     TB_COLLECTED);
	  CHECK_INT (info.unknown, want);
	  CHECK_INT (parts.values[TB_VAR_UNKNOWN], want);
	  for (unsigned j = 0; j < layout->count; j++)
	    if (j == i && j == layout->psr)
	      /* N is clear, Z set; T set on the M profile, T or M[4] clear on
		 the others; the poison's bits else.  */
	      CHECK_INT (slot (&parts, j), profiles[p] == 'm' ? 0x7bd00bad
			 : profiles[p] == 'a' ? 0x7ad00b8d : 0x7ad00bad);
	    else if (j == i && j != layout->pc)
	      CHECK_INT (slot (&parts, j), poison);
	    else
	      CHECK (slot (&parts, j) != poison);
	  CHECK (byte_at (&parts, info.pc) >= 0);
	  /* Without SP there is no stack to collect.  */
	  CHECK_INT (byte_at (&parts, FAKE_STACK) >= 0, i != layout->sp);

	  CHECK_INT (collect (8, TB_POLICY_OMIT, &parts, &info),
		     i == layout->pc ? TB_COLLECTED : TB_COLLECTED_BARE);
	  CHECK_INT (parts.has_registers, i == layout->pc);
	  CHECK_INT (parts.values[TB_VAR_UNKNOWN], want);
	  CHECK (byte_at (&parts, info.pc) >= 0);
	  CHECK_INT (collect (8, TB_POLICY_SKIP, &parts, &info),
		     i == layout->pc ? TB_COLLECTED : TB_COLLECTED_SKIP);
	}
    }

  /* Assumed values are shown, and said to be assumed.  */
  fake_setup ('m', 250);
  fake.assumed = 0x30;
  struct parts parts;
  struct tb_collect_info info;
  CHECK_INT (collect (9, TB_POLICY_SKIP, &parts, &info), TB_COLLECTED);
  CHECK_INT (info.assumed, 0x30);
  CHECK_INT (parts.values[TB_VAR_ASSUMED], 0x30);
  CHECK_INT (slot (&parts, 4), 0x40009);

  /* And of memory it is told which, the worst of it in bytes that alternate; what is left out
     is what does not fit.  */
  CHECK (!parts.has[TB_VAR_ASSUMED_MEMORY]);
  fake.assumed_memory = true;
  size_t wrong;
  CHECK_INT (collect (9, TB_POLICY_MASK, &parts, &info), TB_COLLECTED);
  CHECK (parts.has[TB_VAR_ASSUMED_MEMORY]);
  CHECK_INT (parts.values[TB_VAR_ASSUMED_MEMORY], count_assumed (&parts, &wrong));
  CHECK_INT (wrong, 0);
  CHECK (parts.values[TB_VAR_ASSUMED_MEMORY] > 10);
  for (uint64_t at = FAKE_STACK; at < FAKE_STACK + 32; at++)
    CHECK_INT (byte_at (&parts, at), (int) ((at + 9) & 0xff));
  CHECK (byte_at (&parts, info.pc) >= 0);

  /* The exception number of a status register that is not known is that of
     the last exception event, if any.  */
  fake.unknown = 1 << TB_PSR;
  collect (9, TB_POLICY_MASK, &parts, &info);
  CHECK (!parts.has[TB_VAR_EXCEPTION]);
  collect (100, TB_POLICY_MASK, &parts, &info);
  CHECK_INT (parts.values[TB_VAR_EXCEPTION], 11);
}

/* FP registers that a frame's block has, as those of both stacks stand behind them: which are
   known, and which of them are assumed.  */
static void
test_vectors (void)
{
  char text[4000];
  size_t n = 0;
  n += (size_t) snprintf (text + n, sizeof text - n, "<target><architecture>arm</architecture>"
			  "<feature name=\"org.gnu.gdb.arm.m-profile\">");
  static const char *const names[] = { "sp", "lr", "pc", "xpsr" };
  for (unsigned i = 0; i < 13; i++)
    n += (size_t) snprintf (text + n, sizeof text - n, "<reg name=\"r%u\" bitsize=\"32\"/>", i);
  for (unsigned i = 0; i < 4; i++)
    n += (size_t) snprintf (text + n, sizeof text - n, "<reg name=\"%s\" bitsize=\"32\"/>",
			    names[i]);
  n += (size_t) snprintf (text + n, sizeof text - n,
			  "</feature><feature name=\"org.gnu.gdb.arm.vfp\">");
  for (unsigned i = 0; i < 16; i++)
    n += (size_t) snprintf (text + n, sizeof text - n,
			    "<reg name=\"d%u\" bitsize=\"64\" type=\"ieee_double\"/>", i);
  n += (size_t) snprintf (text + n, sizeof text - n, "<reg name=\"fpscr\" bitsize=\"32\"/>"
			  "</feature><feature name=\"org.gnu.gdb.arm.m-system\">"
			  "<reg name=\"msp\" bitsize=\"32\"/><reg name=\"psp\" bitsize=\"32\"/>"
			  "</feature></target>");
  fake_setup ('m', 250);
  fake.vectors = true;
  fake.assumed = 0x30;
  struct tb_diag silent = { 0 };
  struct tb_profile profile = fake.profile;
  profile.has_fp = true;
  struct tb_tdesc *tdesc = tb_tdesc_parse (text, n, "text", &profile, &silent);
  if (!CHECK (tdesc != NULL))
    return;
  struct tb_collect_options options = TB_COLLECT_DEFAULTS;
  struct tb_collector *collector = tb_collector_new (fake_state (), fake_recording (), tdesc,
						     &options);
  int64_t unknown = 0, assumed = 0;
  CHECK_INT (tb_collect (collector, 9, &frame, NULL), TB_COLLECTED);
  const uint8_t *at = frame.bytes.data;
  CHECK_INT (*at, 'R');
  CHECK_INT (get_le (at + 1 + tdesc->regs[18].offset, 8), 0x1111111111111111);
  CHECK_INT (get_le (at + 1 + tdesc->regs[19].offset, 8), 0x2222222222222222);
  for (at += 1 + tdesc->size; *at == 'V' && at < frame.bytes.data + frame.bytes.size; at += 13)
    {
      if (get_le (at + 1, 4) == TB_VAR_UNKNOWN)
	unknown = (int64_t) get_le (at + 5, 8);
      if (get_le (at + 1, 4) == TB_VAR_ASSUMED)
	assumed = (int64_t) get_le (at + 5, 8);
    }
  /* D0 is the register behind r0 to xpsr, number 17, and FPSCR number 33.  */
  CHECK_INT (assumed, 0x30 | 1 << 19);
  CHECK_INT (unknown, ((INT64_C (1) << 34) - 1) & ~((INT64_C (1) << 17) - 1) & ~(3 << 18));
  tb_collector_free (collector);

  /* The stub tells the same; not of a thread that waits meanwhile, of which they are not
     known.  */
  struct tb_moments *moments = tb_moments_new (fake_state (), fake_recording (), tdesc);
  struct tb_moment moment, waiting;
  struct tb_value none[TB_NREGS_MAX] = { { .origin = TB_UNKNOWN } };
  CHECK (tb_moment_find (moments, 9, &moment));
  CHECK (tb_moment_variable (moments, &moment, TB_VAR_ASSUMED, &assumed));
  CHECK_INT (assumed, 0x30 | 1 << 19);
  tb_moment_wait (moments, &moment, none, NULL, &waiting);
  CHECK (!tb_moment_variable (moments, &waiting, TB_VAR_ASSUMED, &assumed));
  tb_moments_free (moments);
  tb_tdesc_free (tdesc);
}

/* The end, and what does not fit.  */
static void
test_edges (void)
{
  struct parts parts;
  struct tb_collect_info info;
  fake_setup ('m', 250);
  fake.no_end = true;
  CHECK_INT (collect (250, TB_POLICY_MASK, &parts, &info),
	     TB_COLLECTED_NO_PC);
  CHECK_INT (frame.bytes.size, 0);

  /* A halt state without trace.  */
  fake_setup ('m', 0);
  CHECK_INT (collect (0, TB_POLICY_MASK, &parts, &info), TB_COLLECTED);
  CHECK_INT (slot (&parts, TB_PC), 0x8000);

  /* Holes in what is known are not collected.  */
  fake_setup ('m', 250);
  fake.holes = true;
  CHECK_INT (collect (5, TB_POLICY_MASK, &parts, &info), TB_COLLECTED);
  CHECK_INT (byte_at (&parts, FAKE_STACK + 62), 62 + 5);
  CHECK_INT (byte_at (&parts, FAKE_STACK + 63), -1);
  CHECK_INT (byte_at (&parts, FAKE_STACK + 64), 64 + 5);

  /* Of code in memory that the program may write the instructions are certain
     that ran nearby.  */
  static const struct { uint64_t step, first, last; } ran[] =
    {
      { 240, 0x81a0, 0x81f3 }, { 249, 0x81b2, 0x81f3 }, { 3, 0x8000, 0x8045 },
      { 2999, 0x972e, 0x976f }
    };
  for (unsigned i = 0; i < sizeof ran / sizeof *ran; i++)
    {
      fake_setup ('m', i == 3 ? 3000 : 250);
      fake.pcs = 5000;
      fake.code_in_ram = true;
      CHECK_INT (collect (ran[i].step, TB_POLICY_MASK, &parts, &info),
		 TB_COLLECTED);
      for (uint64_t at = ran[i].first - 2; at <= ran[i].last + 2; at++)
	CHECK_INT (byte_at (&parts, at),
		   at < ran[i].first || at > ran[i].last ? -1
		   : at % 2 == 0 ? 0x00 : 0xbf);
    }

  /* The same from step to step as at once, however one goes.  */
  fake_setup ('m', 3000);
  fake.pcs = 5000;
  fake.code_in_ram = true;
  static const uint64_t ways[][3] =
    { { 0, 2999, 1 }, { 2999, 0, UINT64_MAX }, { 0, 2990, 299 } };
  for (unsigned i = 0; i < 3; i++)
    {
      struct tb_collect_options each = TB_COLLECT_DEFAULTS;
      struct tb_collector *collector
	= tb_collector_new (fake_state (), fake_recording (), fake_tdesc (),
			    &each);
      size_t wrong = 0;
      for (uint64_t step = ways[i][0]; step != ways[i][1]; step += ways[i][2])
	{
	  tb_collect (collector, step, &frame, &info);
	  take_apart (&frame, &parts);
	  for (uint64_t at = info.pc - 64; at < info.pc + 64; at++)
	    wrong += (byte_at (&parts, at) >= 0)
		     != (at >= FAKE_CODE && at < FAKE_CODE + 2 * 3000);
	}
      CHECK_INT (wrong, 0);
      tb_collector_free (collector);
    }

  /* The user's ranges come after all else and are cut at the limit; ranges up
     to the last address do not wrap.  */
  fake_setup ('m', 250);
  struct tb_collect_options options = TB_COLLECT_DEFAULTS;
  struct tb_collect_range ranges[] =
    {
      { FAKE_KNOWN, 0x40 }, { UINT32_MAX - 3, 100 }, { UINT64_C (1) << 32, 4 },
      { FAKE_KNOWN, 0 }
    };
  options.ranges = ranges;
  options.nranges = 4;
  size_t whole = 0;
  for (size_t limit = 1024; limit >= 64; limit -= 16)
    {
      options.limit = limit;
      struct tb_collector *collector
	= tb_collector_new (fake_state (), fake_recording (), fake_tdesc (),
			&options);
      CHECK_INT (tb_collect (collector, 5, &frame, NULL), TB_COLLECTED);
      tb_collector_free (collector);
      take_apart (&frame, &parts);
      if (limit == 1024)
	{
	  whole = frame.bytes.size;
	  CHECK_INT (byte_at (&parts, FAKE_KNOWN + 0x3f), 0x3f + 5);
	  CHECK_INT (byte_at (&parts, FAKE_KNOWN + 0x40), -1);
	}
      else if (limit < whole)
	CHECK_INT (byte_at (&parts, FAKE_KNOWN + 0x3f), -1);
      /* Registers and variables are never cut.  */
      CHECK (parts.has_registers && parts.has[TB_VAR_PSP]);
      CHECK (frame.bytes.size <= limit || parts.nmemory == 0);
    }
}

#define FILE_NAME "test-collect.tf"

static char message[512];

static void
keep_message (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  (void) severity;
  snprintf (message, sizeof message, "%s", text);
}

static struct tb_diag diag = { keep_message, NULL, 0, 0 };

static bool
stop_at_once (void *context, uint64_t done, uint64_t all)
{
  (void) context;
  (void) done;
  (void) all;
  return false;
}

/* Whole files, read back.  */
static void
test_export (void)
{
  static const struct
  {
    struct tb_choose_options choose;
    enum tb_unknown_policy policy;
    unsigned steps, pcs;
    uint64_t unknown;
    unsigned every;
    /* What is expected.  */
    unsigned frames, masked, bare, skipped, crowded, tracepoints;
    uint64_t first_step;
    bool tfind_pc;
  } cases[] =
    {
      /* All, with the state at the end.  */
      { TB_CHOOSE_DEFAULTS, TB_POLICY_MASK, 250, 16, 0, 0,
	251, 0, 0, 0, 0, 16, 0, true },
      { { 0, UINT64_MAX, 0, 5, 0 }, TB_POLICY_MASK, 250, 16, 0, 0,
	5, 0, 0, 0, 0, 5, 246, true },
      { { 0, UINT64_MAX, 5, 0, 0 }, TB_POLICY_MASK, 250, 16, 0, 0,
	5, 0, 0, 0, 0, 5, 0, true },
      { TB_CHOOSE_DEFAULTS, TB_POLICY_MASK, 30000, 16, 0, 0,
	20000, 0, 0, 0, 0, 16, 10001, true },
      /* Snapshot without trace.  */
      { TB_CHOOSE_DEFAULTS, TB_POLICY_MASK, 0, 16, 0, 0,
	1, 0, 0, 0, 0, 1, 0, true },
      /* The policies; steps that are multiples of 4 are known.  */
      { TB_CHOOSE_DEFAULTS, TB_POLICY_MASK, 250, 16, 0x8, 4,
	251, 188, 0, 0, 0, 16, 0, true },
      { TB_CHOOSE_DEFAULTS, TB_POLICY_OMIT, 250, 16, 0x8, 4,
	251, 0, 188, 0, 0, 16, 0, true },
      { TB_CHOOSE_DEFAULTS, TB_POLICY_SKIP, 250, 16, 0x8, 4,
	63, 0, 0, 188, 0, 4, 0, true },
      /* Too many PCs.  */
      { TB_CHOOSE_DEFAULTS, TB_POLICY_MASK, 5000, 2000, 0x8, 4,
	5001, 3750, 0, 0, 0, 1, 0, false },
      { TB_CHOOSE_DEFAULTS, TB_POLICY_OMIT, 5000, 2000, 0x8, 4,
	5001, 0, 3750, 0, 0, 1501, 0, false },
      { TB_CHOOSE_DEFAULTS, TB_POLICY_OMIT, 8000, 8000, 0x8, 4,
	6000, 0, 3999, 0, 2001, 4000, 0, false }
    };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct tb_export_options options = TB_EXPORT_DEFAULTS;
      options.choose = cases[i].choose;
      options.collect.policy = cases[i].policy;
      fake_setup ('m', cases[i].steps);
      fake.pcs = cases[i].pcs;
      fake.unknown = cases[i].unknown;
      fake.unknown_every = cases[i].every;
      fake.holes = i % 2 != 0;
      options.tdesc = fake_tdesc ();
      struct tb_export_summary summary;
      if (!CHECK_INT (tb_export_tracefile (fake_state (), fake_recording (),
					   &options, FILE_NAME, &summary,
					   &diag), TB_OK))
	continue;
      CHECK_INT (summary.steps, cases[i].steps);
      CHECK_INT (summary.frames, cases[i].frames);
      CHECK_INT (summary.masked, cases[i].masked);
      CHECK_INT (summary.bare, cases[i].bare);
      CHECK_INT (summary.skipped, cases[i].skipped);
      CHECK_INT (summary.crowded, cases[i].crowded);
      CHECK_INT (summary.tracepoints, cases[i].tracepoints);
      CHECK_INT (summary.tfind_pc, cases[i].tfind_pc);

      struct tb_tracefile_reader reader;
      if (!CHECK_INT (tb_tracefile_reader_open (&reader, FILE_NAME, &diag),
		      TB_OK))
	continue;
      CHECK_INT (reader.tracepoints, cases[i].tracepoints);
      struct tb_read_frame read;
      struct tb_read_block block;
      bool more;
      size_t frames = 0, size = 0, odd = 0, bare = 0;
      int64_t last = -1;
      while (tb_tracefile_reader_frame (&reader, &read, &more) == TB_OK
	     && more)
	{
	  bool registers = false;
	  int64_t step = -1;
	  while (tb_tracefile_reader_block (&reader, &read, &block, &more)
		 == TB_OK && more)
	    {
	      registers |= block.kind == 'R';
	      if (block.kind == 'V' && block.variable == TB_VAR_STEP)
		step = block.value;
	    }
	  CHECK (!more);
	  if (frames == 0)
	    {
	      size = read.size;
	      CHECK_INT (step, cases[i].first_step);
	    }
	  frames++;
	  bare += !registers;
	  odd += read.size != size;
	  CHECK (step > last);
	  last = step;
	}
      CHECK_INT (frames, cases[i].frames);
      CHECK_INT (bare, cases[i].bare);
      if (cases[i].tfind_pc)
	CHECK_INT (odd, 0);
      CHECK_INT (last == (int64_t) cases[i].steps, summary.end_state);
      tb_tracefile_reader_close (&reader);
    }
  unlink (FILE_NAME);

  /* What cannot be exported.  */
  struct tb_export_options options = TB_EXPORT_DEFAULTS;
  struct tb_export_summary summary;
  fake_setup ('m', 0);
  options.tdesc = fake_tdesc ();
  fake.no_end = true;
  CHECK_INT (tb_export_tracefile (fake_state (), fake_recording (), &options,
				  FILE_NAME, &summary, &diag), TB_ERR_INPUT);
  CHECK (strstr (message, "the PC at the halt is not known") != NULL);
  fake_setup ('m', 100);
  options.choose.from = 200;
  CHECK_INT (tb_export_tracefile (fake_state (), fake_recording (), &options,
				  FILE_NAME, &summary, &diag), TB_ERR_INPUT);
  CHECK (strstr (message, "no step was chosen out of 100") != NULL);
  options.choose.from = 0;
  options.collect.policy = TB_POLICY_SKIP;
  fake.unknown = 1;
  CHECK_INT (tb_export_tracefile (fake_state (), fake_recording (), &options,
				  FILE_NAME, &summary, &diag), TB_ERR_INPUT);
  CHECK (strstr (message, "registers are unknown in all of the 101 steps")
	 != NULL);
  fake_setup ('m', 5000);
  options.progress = stop_at_once;
  CHECK (tb_export_tracefile (fake_state (), fake_recording (), &options,
			      FILE_NAME, &summary, &diag) != TB_OK);
  CHECK (strstr (message, "stopped") != NULL);
  CHECK (access (FILE_NAME, F_OK) != 0);
}

int
main (void)
{
  test_known ();
  test_unknown ();
  test_vectors ();
  test_edges ();
  test_export ();
  tb_frame_fini (&frame);
  return check_done ();
}
