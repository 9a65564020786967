/* State against recorded runs: no value that is claimed may be wrong, and as
   much must be known as could be once.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The steps are those of the truth, so this needs no decoder.  Needs the
   environment variable TB_SHARED.  */

#include "config.h"

#include "check.h"
#include "corpus.h"
#include "fake-recording.h"

struct wanted
{
  const char *name;
  unsigned registers;		/* Known register values, per 1000.  */
  unsigned memory;		/* Known bytes of accesses.  */
};

/* A word that exception entry pushed just before STEP at frame + OFFSET.  */
static uint32_t
pushed (const struct corpus_case *c, uint32_t step, unsigned number)
{
  for (size_t i = 0; i < c->nwrites; i++)
    if (c->writes[i].index == step && c->writes[i].kind == 1)
      return (uint32_t) c->writes[i + number].value;
  return 0;
}

static void
fill (struct tb_recording *f, const struct corpus_case *c)
{
  for (size_t i = 0; i < c->nsteps; i++)
    {
      const struct corpus_step *s = &c->steps[i];
      if (s->flags & CORPUS_EXCEPTION)
	fake_event (f, TB_EVENT_EXCEPTION, pushed (c, (uint32_t) i, 6))
	  ->exception = s->exception;
      /* As an MTB tells it; these programs use MSP alone.  */
      if (i > 0 && c->steps[i - 1].flags & CORPUS_RETURN)
	fake_event (f, TB_EVENT_EXCEPTION_RETURN, s->pc)->value
	  = (s->psr & 0x3f) != 0 ? 0xfffffff1 : 0xfffffff9;
      fake_raw_step (f, s->pc, s->opcode, s->length,
		     s->flags & CORPUS_TAKEN ? TB_STEP_TAKEN : 0);
    }
}

/* The registers of the file cpu_0.ini.  */
static uint32_t
read_regs (struct tb_recording *f, const struct corpus_case *c)
{
  static const char *const names[] = {
    "R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11",
    "R12", "SP", "LR", "xPSR", "PC"
  };
  size_t size;
  uint32_t pc = 0;
  char *text = (char *) corpus_file (c->directory, "cpu_0.ini", &size);
  for (unsigned i = 0; text != NULL && i < 17; i++)
    {
      char key[16];
      snprintf (key, sizeof key, "\n%s=", names[i]);
      text[size - 1] = 0;
      const char *at = strstr (text, key);
      if (at == NULL)
	continue;
      pc = (uint32_t) strtoul (at + strlen (key), NULL, 0);
      if (i < 16)
	fake_reg (f, names[i], pc);
    }
  free (text);
  return pc;
}

/* Does step INDEX of C, whose writes are those from number WRITE on, write where the store A may
   go?  */
static bool
goes_there (const struct corpus_case *c, size_t write, size_t index,
	    const struct tb_access_info *a)
{
  for (; write < c->nwrites && c->writes[write].index == index
	 && c->writes[write].kind == 0; write++)
    if (a->low <= c->writes[write].address && c->writes[write].address <= a->high)
      return true;
  return false;
}

/* Compare what is known before each step; counts the known values.  */
static void
compare (struct tb_state *state, struct corpus_case *c,
	 const struct wanted *wanted)
{
  unsigned known = 0, wrong = 0, memory = 0, wrong_memory = 0, bounded = 0, elsewhere = 0;
  size_t write = 0;
  for (size_t i = 0; i < c->nsteps; i++)
    {
      struct tb_value v[TB_NREGS_MAX];
      struct tb_access_info accesses[20];
      const struct corpus_step *s = &c->steps[i];
      tb_state_registers (state, i, v);
      for (unsigned r = 0; r < 15; r++)
	{
	  wrong += v[r].bits != (s->r[r] & v[r].mask);
	  known += v[r].mask == UINT32_MAX;
	}
      wrong += v[TB_PSR].bits != (s->psr & v[TB_PSR].mask);
      known += (v[TB_PSR].mask & TB_PSR_NZCV) == TB_PSR_NZCV;
      wrong += v[TB_PC].bits != s->pc;
      for (; write < c->nwrites
	     && (c->writes[write].index < i
		 || (c->writes[write].index == i
		     && c->writes[write].kind == 1)); write++)
	corpus_apply (c, &c->writes[write]);
      size_t n = tb_state_accesses (state, i, accesses, 20);
      for (size_t k = 0; k < n; k++)
	{
	  uint8_t bytes[4], origins[4];
	  uint64_t at = accesses[k].address - CORPUS_RAM_BASE;
	  if (accesses[k].store && accesses[k].address_bounded)
	    {
	      bounded++;
	      elsewhere += !goes_there (c, write, i, &accesses[k]);
	    }
	  if (!accesses[k].address_known || at > c->ram_size - 4)
	    continue;
	  tb_state_memory (state, i, accesses[k].address, bytes, origins,
			   accesses[k].length);
	  for (unsigned b = 0; b < accesses[k].length; b++)
	    if (origins[b] != TB_UNKNOWN)
	      {
		memory++;
		wrong_memory += bytes[b] != c->ram[at + b];
	      }
	}
    }
  CHECK_INT (wrong, 0);
  CHECK_INT (wrong_memory, 0);
  CHECK_INT (elsewhere, 0);
  CHECK (memory >= wanted->memory);
  unsigned all = (unsigned) (known * 1000.0 / (16.0 * c->nsteps));
  printf ("%s: %u per 1000 registers, %u bytes of memory, %u stores within bounds\n",
	  wanted->name, all, memory, bounded);
  CHECK (all >= wanted->registers);
}

/* HALTED: with the halt state; else as if the core had gone on.  In windows of
   WINDOW steps, or 0.  */
static void
run_case (const struct wanted *wanted, bool halted, uint64_t window)
{
  struct corpus_case c;
  size_t ram_size = 0;
  if (!CHECK (corpus_open (&c, wanted->name)))
    return;
  uint8_t *ram = corpus_file (c.directory, "ram.bin", &ram_size);
  struct tb_recording *f = fake_new (TB_ARCH_V6M);
  fake_dump (f, 0, c.flash, c.flash_size);
  fake_dump (f, CORPUS_RAM_BASE, ram, ram_size);
  fill (f, &c);
  uint32_t pc = read_regs (f, &c);
  fake_end (f, pc, halted);
  if (strstr (wanted->name, "-ram") != NULL)
    {
      /* The trace buffer: 2 KB at the end of RAM.  */
      f->options.trace_ram = CORPUS_RAM_BASE + 0x3800;
      f->options.trace_ram_length = 0x800;
    }
  f->options.window = window;
  struct tb_state *state = fake_open (f);
  if (state != NULL)
    CHECK (tb_state_prepare (state, 0, NULL, NULL, &f->diag));
  if (CHECK (state != NULL))
    {
      CHECK_INT (tb_state_halt (state),
		 halted ? TB_HALT_USED : TB_HALT_NONE);
      CHECK_INT (f->diag.warnings, 0);
      compare (state, &c, wanted);
      tb_state_close (state);
    }
  fake_free (f);
  free (ram);
  corpus_close (&c);
}

int
main (void)
{
  static const struct wanted with_halt[] = {
    { "p01-mtb-m0-irq-1k", 647, 150 }, { "p02-mtb-m0-sort-4k", 476, 1000 },
    { "p03-mtb-m0-list-256", 746, 20 }, { "p06-mtb-m0-fmt-ram", 928, 1400 },
    { "p27-tarmac-m0-crc", 920, 2600 }
  };
  static const struct wanted without[] = {
    { "p01-mtb-m0-irq-1k", 140, 0 }, { "p02-mtb-m0-sort-4k", 299, 0 },
    { "p03-mtb-m0-list-256", 140, 0 }, { "p06-mtb-m0-fmt-ram", 259, 100 },
    { "p27-tarmac-m0-crc", 705, 800 }
  };
  static const struct wanted in_windows[] = {
    { "p01-mtb-m0-irq-1k", 647, 150 }, { "p02-mtb-m0-sort-4k", 465, 900 },
    { "p03-mtb-m0-list-256", 746, 20 }, { "p06-mtb-m0-fmt-ram", 920, 1400 },
    { "p27-tarmac-m0-crc", 900, 2500 }
  };
  if (getenv ("TB_SHARED") == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < sizeof with_halt / sizeof with_halt[0]; i++)
    {
      run_case (&with_halt[i], true, 0);
      run_case (&without[i], false, 0);
      run_case (&in_windows[i], true, 500);
    }
  return check_done ();
}
