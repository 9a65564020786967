/* Constants of functions against recorded runs of Cortex-M programs: none may
   be wrong at any step, whether the functions are known from symbols or not.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The steps are those of the truth.  Needs the environment variable TB_SHARED. */

#include "config.h"

#include "arm/profile.h"
#include "check.h"
#include "corpus.h"
#include "fake-recording.h"
#include "snapshot/elf-image.h"
#include "state/constants.h"

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
      fake_raw_step (f, s->pc, s->opcode, s->length,
		     s->flags & CORPUS_TAKEN ? TB_STEP_TAKEN : 0);
    }
  fake_end (f, 0, false);
}

/* Compare; returns how many values were said.  */
static unsigned
compare (struct tb_state *state, const struct corpus_case *c)
{
  struct tb_constants *constants = tb_constants_find (state);
  unsigned said = 0, wrong = 0;
  if (!CHECK (constants != NULL))
    return 0;
  for (size_t i = 0; i < c->nsteps; i++)
    {
      const struct corpus_step *s = &c->steps[i];
      struct tb_template t = { .pc = s->pc, .opcode = s->opcode,
			       .size = s->length, .isa = TB_ISA_T32 };
      uint32_t values[TB_CONSTANTS_REGS], function;
      unsigned registers = tb_constants_before (constants, &t, values,
						&function);
      for (unsigned r = 0; r < TB_CONSTANTS_REGS; r++)
	if (registers >> r & 1)
	  {
	    said++;
	    if (values[r] != s->r[r] && wrong++ == 0)
	      printf ("%s: step %zu, pc %x of %x: r%u: said %x, is %x\n",
		      c->directory, i, s->pc, function, r, values[r],
		      s->r[r]);
	  }
    }
  CHECK_INT (wrong, 0);
  tb_constants_free (constants);
  return said;
}

struct wanted
{
  const char *name;
  unsigned with, without;	/* Values said, with symbols and without.  */
};

static void
run_case (const struct wanted *wanted, bool symbols)
{
  struct corpus_case c;
  struct tb_elf_image *elf = NULL;
  uint64_t *functions = NULL;
  size_t count = 0;
  if (!CHECK (corpus_open (&c, wanted->name)))
    return;
  uint32_t flash = 0;
  struct tb_recording *f = fake_new (read_core (&c, &flash));
  fake_dump (f, flash, c.flash, c.flash_size);
  if (symbols)
    {
      char path[600];
      snprintf (path, sizeof path, "%s/program.elf", c.directory);
      elf = tb_elf_image_open (path, NULL);
      CHECK (elf != NULL && tb_elf_image_functions (elf, &functions, &count));
      CHECK (count > 0);
      f->options.functions = functions;
      f->options.nfunctions = count;
    }
  fill (f, &c);
  struct tb_state *state = fake_open (f);
  if (CHECK (state != NULL))
    {
      unsigned said = compare (state, &c);
      printf ("%s%s: %u values\n", wanted->name,
	      symbols ? ", with symbols" : "", said);
      CHECK (said >= (symbols ? wanted->with : wanted->without));
      tb_state_close (state);
    }
  tb_elf_image_close (elf);
  free (functions);
  fake_free (f);
  corpus_close (&c);
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
    { "p31-etm3-m3-sort-long", 9223, 9223 }
  };
  if (getenv ("TB_SHARED") == NULL)
    return 77;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      run_case (&cases[i], true);
      run_case (&cases[i], false);
    }
  return check_done ();
}
