/* Reading the truth of the corpus' A64 cases, for unit tests.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   As corpus.h.  */

#ifndef TB_UNIT_CORPUS_A64_H
#define TB_UNIT_CORPUS_A64_H

#include "corpus.h"

/* The state before an instruction.  */
struct corpus_step_64
{
  uint64_t pc;
  uint32_t opcode;
  uint8_t length, flags;
  uint16_t exception;
  uint64_t x[32];		/* SP is the last.  */
  uint32_t pstate, index;
};

struct corpus_write_64
{
  uint32_t index;
  uint8_t size, kind;
  uint16_t zero;
  uint64_t address, value;
};

#define CORPUS_STEP_64 "8*1 4*1 1*2 2*1 8*32 4*2"
#define CORPUS_WRITE_64 "4*1 1*2 2*1 8*2"

/* One that is alone in its case, and has no number.  */
#define CORPUS_ALONE UINT32_MAX

struct corpus_name_64
{
  const char *name;
  unsigned source;		/* Or CORPUS_ALONE.  */
  uint64_t base;		/* Of its code; RAM follows.  */
};

#define CORPUS_RAM_64 0x10000	/* From BASE.  */

static const struct corpus_name_64 corpus_names_64[] = {
  { "p11-etm4-a57-sort", CORPUS_ALONE, 0x40010000 },
  { "p12-etm4-a57-irq-cc", CORPUS_ALONE, 0x40010000 },
  { "p13-etm4-a57-list-cut", CORPUS_ALONE, 0x40010000 },
  { "p14-etm4-a57-fsm-ovf", CORPUS_ALONE, 0x40010000 },
  { "p16-etm4-a57-irq-halt", CORPUS_ALONE, 0x40010000 },
  { "p18-etm4-a57-sort-spec", CORPUS_ALONE, 0x40010000 },
  { "p28-multi-a57x2-itm", 0, 0x40010000 },
  { "p28-multi-a57x2-itm", 1, 0x40010000 },
  { "p29-etm4-a57-irq-el0", CORPUS_ALONE, 0x40010000 },
  { "p30-etm4-a57-list-high", CORPUS_ALONE, 0x140010000 }
};
#define CORPUS_NAMES_64 (sizeof corpus_names_64 / sizeof corpus_names_64[0])

struct corpus_case_64
{
  char directory[512];
  uint64_t flash_base, ram_base;
  struct corpus_step_64 *steps;
  size_t nsteps;
  struct corpus_write_64 *writes;
  size_t nwrites;
  uint8_t *flash, *ram;		/* RAM before step 0.  */
  size_t flash_size, ram_size;
  uint8_t *halt_ram;		/* At the halt.  */
  size_t halt_size;
};

/* A file of the case, NAME, as its source has it.  */
static inline const char *
corpus_name_of (const struct corpus_name_64 *which, const char *name,
		char text[64])
{
  if (which->source == CORPUS_ALONE)
    return name;
  snprintf (text, 64, "c%u_%s", which->source, name);
  return text;
}

/* False where it is not there.  */
static inline bool
corpus_open_64 (struct corpus_case_64 *c, const struct corpus_name_64 *which)
{
  const char *shared = getenv ("TB_SHARED");
  char text[64];
  *c = (struct corpus_case_64) { .flash_base = which->base,
				 .ram_base = which->base + CORPUS_RAM_64 };
  if (shared == NULL)
    return false;
  snprintf (c->directory, sizeof c->directory, "%s/corpus/cases/%s", shared,
	    which->name);
  c->steps = corpus_records (c->directory,
			     corpus_name_of (which, "truth.bin.xz", text),
			     CORPUS_STEP_64, &c->nsteps);
  c->writes = corpus_records (c->directory,
			      corpus_name_of (which, "truth-mem.bin.xz", text),
			      CORPUS_WRITE_64, &c->nwrites);
  c->ram = corpus_file (c->directory,
			corpus_name_of (which, "truth-ram0.bin.xz", text),
			&c->ram_size);
  c->flash = corpus_file (c->directory,
			  corpus_name_of (which, "flash.bin", text),
			  &c->flash_size);
  c->halt_ram = corpus_file (c->directory,
			     corpus_name_of (which, "ram.bin", text),
			     &c->halt_size);
  return c->steps != NULL && c->writes != NULL && c->ram != NULL
	 && c->flash != NULL && c->halt_ram != NULL;
}

static inline void
corpus_close_64 (struct corpus_case_64 *c)
{
  free (c->steps);
  free (c->writes);
  free (c->ram);
  free (c->flash);
  free (c->halt_ram);
}

/* Write to RAM.  */
static inline void
corpus_store_64 (struct corpus_case_64 *c, uint64_t address, unsigned size,
		 uint64_t value)
{
  for (unsigned k = 0; k < size && address - c->ram_base <= c->ram_size - size; k++)
    c->ram[address - c->ram_base + k] = (uint8_t) (value >> 8 * k);
}

#endif /* TB_UNIT_CORPUS_A64_H */
