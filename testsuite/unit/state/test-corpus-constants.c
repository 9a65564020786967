/* Constants of functions against recorded runs of programs of all instruction sets:
   none may be wrong at any step, whether the functions are known from symbols or
   not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The steps are those of the truth.  Needs the environment variable TB_SHARED. */

#include "config.h"

#include "arm/machine/profile.h"
#include "check.h"
#include "corpus-a64.h"
#include "fake-recording.h"
#include "rounds.h"
#include "snapshot/elf-image.h"
#include "state/assume/constants.h"

/* The architecture of the core, and in *FLASH where its code is.  */
static enum tb_arch
read_core (const struct corpus_case *c, uint32_t *flash)
{
  struct tb_profile profile = { 0 };
  char type[64] = "";
  size_t size;
  char *text = (char *) corpus_file (c->directory, "cpu_0.ini", &size);
  if (text != NULL)
    {
      text[size - 1] = 0;
      const char *at = strstr (text, "\ntype=");
      if (at != NULL && sscanf (at, "\ntype=%63[^\r\n]", type) == 1)
	CHECK (tb_profile_find (&profile, type));
      /* The first dump.  */
      at = strstr (text, "\naddress=");
      if (CHECK (at != NULL))
	*flash = (uint32_t) strtoul (at + strlen ("\naddress="), NULL, 0);
    }
  free (text);
  return profile.arch;
}

static void
fill (struct tb_recording *f, const struct corpus_case *c)
{
  for (size_t i = 0; i < c->nsteps; i++)
    {
      const struct corpus_step *s = &c->steps[i];
      if (i > 0 && c->steps[i - 1].flags & CORPUS_RETURN)
	fake_event (f, TB_EVENT_EXCEPTION_RETURN, s->pc);
      if (s->flags & CORPUS_EXCEPTION)
	fake_event (f, TB_EVENT_EXCEPTION, 0)->exception = s->exception;
      f->isa = s->flags & CORPUS_THUMB ? TB_ISA_T32 : TB_ISA_A32;
      fake_raw_step (f, s->pc, s->opcode, s->length,
		     s->flags & CORPUS_TAKEN ? TB_STEP_TAKEN : 0);
    }
  fake_end (f, 0, false);
}

/* What was said so far of a run.  */
struct said
{
  const struct tb_constants *constants;
  const char *directory;
  unsigned count, wrong;
};

/* Compare what is said before step I, which is T, with COUNT registers.  */
static void
compare (struct said *said, const struct tb_code_step *t, size_t i,
	 const uint64_t *registers, unsigned count)
{
  const uint64_t *values;
  uint64_t function;
  uint32_t known = tb_constants_before (said->constants, t, &values,
					&function);
  CHECK_INT (known >> count, 0);
  for (unsigned r = 0; r < count; r++)
    if (known >> r & 1)
      {
	said->count++;
	if (values[r] != registers[r] && said->wrong++ == 0)
	  printf ("%s: step %zu, pc %" PRIx64 " of %" PRIx64 ": register %u: "
		  "said %" PRIx64 ", is %" PRIx64 "\n", said->directory, i,
		  t->pc, function, r, values[r], registers[r]);
      }
}

/* On the A and R profile an address tells which instruction set it is of.  */
static void
compare_all (struct said *said, const struct corpus_case *c, bool is_m)
{
  for (size_t i = 0; i < c->nsteps; i++)
    {
      const struct corpus_step *s = &c->steps[i];
      struct tb_code_step t = { .pc = s->pc, .opcode = s->opcode,
				.size = s->length, .ours = true };
      uint64_t registers[13];
      t.pc |= !is_m && s->flags & CORPUS_THUMB;
      for (unsigned r = 0; r < 13; r++)
	registers[r] = s->r[r];
      compare (said, &t, i, registers, 13);
    }
}

struct wanted
{
  const char *name;
  unsigned with, without;	/* Values said, with symbols and without.  */
};

/* The entries of functions of the program in DIRECTORY.  */
static struct tb_elf_image *
take_symbols (struct tb_recording *f, const char *directory,
	      uint64_t **functions)
{
  char path[600];
  size_t count = 0;
  snprintf (path, sizeof path, "%s/program.elf", directory);
  struct tb_elf_image *elf = tb_elf_image_open (path, NULL);
  CHECK (elf != NULL && tb_elf_image_functions (elf, functions, &count));
  CHECK (count > 0);
  f->options.functions = *functions;
  f->options.nfunctions = count;
  return elf;
}

static void
finish (const struct said *said, const struct wanted *wanted, bool symbols)
{
  printf ("%s%s: %u values\n", wanted->name, symbols ? ", with symbols" : "",
	  said->count);
  CHECK_INT (said->wrong, 0);
  CHECK (said->count >= (symbols ? wanted->with : wanted->without));
}

static void
run_case (const struct wanted *wanted, bool symbols)
{
  struct corpus_case c;
  struct tb_elf_image *elf = NULL;
  uint64_t *functions = NULL;
  if (!CHECK (corpus_open (&c, wanted->name)))
    return;
  uint32_t flash = 0;
  enum tb_arch arch = read_core (&c, &flash);
  /* It runs A32 and T32 code.  */
  struct tb_recording *f = fake_new (arch == TB_ARCH_V8A ? TB_ARCH_V7A : arch);
  fake_dump (f, flash, c.flash, c.flash_size);
  if (symbols)
    elf = take_symbols (f, c.directory, &functions);
  fill (f, &c);
  struct tb_state *state = fake_open (f);
  if (CHECK (state != NULL))
    {
      struct tb_constants *constants = tb_constants_find (state);
      struct said said = { constants, c.directory, 0, 0 };
      if (CHECK (constants != NULL))
	compare_all (&said, &c, f->profile.is_m);
      finish (&said, wanted, symbols);
      tb_constants_free (constants);
      tb_state_close (state);
    }
  tb_elf_image_close (elf);
  free (functions);
  fake_free (f);
  corpus_close (&c);
}

static void
run_case_64 (const struct corpus_name_64 *which, const struct wanted *wanted,
	     bool symbols)
{
  struct corpus_case_64 c;
  struct tb_elf_image *elf = NULL;
  uint64_t *functions = NULL;
  if (!CHECK (corpus_open_64 (&c, which)))
    return;
  struct tb_recording *f = fake_new (TB_ARCH_V8A);
  fake_dump (f, c.flash_base, c.flash, c.flash_size);
  if (symbols)
    elf = take_symbols (f, c.directory, &functions);
  for (size_t i = 0; i < c.nsteps; i++)
    {
      const struct corpus_step_64 *s = &c.steps[i];
      if (s->flags & CORPUS_EXCEPTION)
	fake_event (f, TB_EVENT_EXCEPTION, 0);
      fake_raw_step (f, s->pc, s->opcode, 4,
		     s->flags & CORPUS_TAKEN ? TB_STEP_TAKEN : 0);
    }
  fake_end (f, 0, false);
  struct tb_state *state = fake_open (f);
  if (CHECK (state != NULL))
    {
      struct tb_constants *constants = tb_constants_find (state);
      struct said said = { constants, c.directory, 0, 0 };
      for (size_t i = 0; i < c.nsteps && CHECK (constants != NULL); i++)
	{
	  const struct corpus_step_64 *s = &c.steps[i];
	  struct tb_code_step t = { .pc = s->pc, .opcode = s->opcode,
				    .size = 4, .ours = true };
	  compare (&said, &t, i, s->x, 30);
	}
      finish (&said, wanted, symbols);
      tb_constants_free (constants);
      tb_state_close (state);
    }
  tb_elf_image_close (elf);
  free (functions);
  fake_free (f);
  corpus_close_64 (&c);
}

int
main (void)
{
  static const struct wanted cases[] = {
    { "p01-mtb-m0-irq-1k", 345, 345 },
    { "p02-mtb-m0-sort-4k", 1941, 1941 },
    { "p03-mtb-m0-list-256", 53, 53 },
    { "p04-mtb-m33-fsm-2k", 5739, 5739 },
    { "p05-mtb-m33-irq-16k", 909, 909 },
    { "p06-mtb-m0-fmt-ram", 359, 359 },
    { "p07-mtb-m33-sort-64k", 15558, 15558 },
    { "p08-etm4-m33-irq", 4678, 4678 },
    { "p09-etm4-m33-fmt-rs", 8991, 8991 },
    { "p10-etm4-m7-irq", 5359, 5365 },
    { "p15-etm4-m33-list-gap", 23168, 23168 },
    { "p19-etm3-m3-fsm", 44259, 44259 },
    { "p20-etm3-m3-irq-ts", 4370, 4370 },
    { "p21-etm3-m4-irq-bb", 971, 971 },
    { "p26-tarmac-m3-irq", 2467, 2467 },
    { "p27-tarmac-m0-crc", 12144, 12144 },
    { "p31-etm3-m3-sort-long", 9223, 9223 },
    { "p17-etm4-a53t-irq", 5618, 5618 }, { "p22-etm3-a7-list", 13821, 13821 },
    { "p23-ptm-a15-irq", 5746, 5139 }, { "p24-ptm-a15t-sort-rs", 54054, 45257 },
    { "p25-ptm-a15-fmt-ca", 6892, 6892 }
  };
  static const struct wanted cases_64[CORPUS_NAMES_64] = {
    { "p11", 54211, 54211 }, { "p12", 8519, 8519 }, { "p13", 2181, 2181 },
    { "p14", 27011, 27011 }, { "p16", 6224, 6224 }, { "p18", 11422, 11041 },
    { "p28", 0, 4312 }, { "p28", 0, 14306 }, { "p29", 14275, 14275 },
    { "p30", 21127, 21127 }
  };
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      if (case_left (i, sizeof cases / sizeof cases[0]))
	continue;
      run_case (&cases[i], true);
      run_case (&cases[i], false);
    }
  for (size_t i = 0; i < CORPUS_NAMES_64; i++)
    {
      if (case_left (i, CORPUS_NAMES_64))
	continue;
      /* The multi-core case's symbols are those of one core.  */
      if (corpus_names_64[i].source == CORPUS_ALONE)
	run_case_64 (&corpus_names_64[i], &cases_64[i], true);
      run_case_64 (&corpus_names_64[i], &cases_64[i], false);
    }
  return check_done ();
}
