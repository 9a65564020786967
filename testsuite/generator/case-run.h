/* A case of the corpus, of a core of 32 bits, run anew: what each step loads and stores.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   What an access's address is, is worked out of the registers of the truth; what it
   moved, of the truth's memory, or of the register that a load from elsewhere changed.  */

#ifndef TB_GENERATOR_CASE_RUN_H
#define TB_GENERATOR_CASE_RUN_H

#include "arm/ir/semantics.h"
#include "corpus.h"

#define CASE_ACCESSES_MOST 40

struct case_access
{
  uint32_t address, value;
  unsigned size;
  bool known;			/* The value.  */
  bool is_store;
  bool elsewhere;		/* Of no memory of the truth: the value is that of the
				   register that it was loaded to.  */
};

struct case_run
{
  struct corpus_case c;
  struct tb_profile profile;
  size_t write;			/* The next one of the truth to apply.  */
  uint32_t step;		/* That is run.  */
  /* Of the instruction that is run.  */
  struct case_access accesses[CASE_ACCESSES_MOST];
  unsigned naccesses;
  uint32_t filler;		/* What loads from elsewhere give.  */
};

/* Open the case NAME of the corpus; false where it is not there.  */
bool case_open (struct case_run *run, const char *name);

/* Put what the file cpu_0.ini has behind "KEY=" into TO, of ROOM bytes, and return it.  */
char *case_core_value (const struct case_run *run, const char *key, char *to, size_t room);

/* Put what the truth's memory holds into *VALUE; false where it has none.  */
bool case_read (const struct case_run *run, uint32_t address, unsigned size,
		uint32_t *value);

/* Another one of the accesses.  */
void case_note (struct case_run *run, uint32_t address, unsigned size, uint32_t value,
		bool known);

bool case_is_thumb (const struct case_run *run, const struct corpus_step *s);

/* Put the registers before S into PLACES, of TB_PLACE_END entries.  */
void case_places (const struct case_run *run, const struct corpus_step *s, uint32_t *places);

/* Find what S, which is step number RUN->step of the truth and passed its condition, loaded
   and stored; NEXT is the step behind it, or NULL.  */
void case_find_accesses (struct case_run *run, const struct corpus_step *s,
			 const struct corpus_step *next);

#endif /* TB_GENERATOR_CASE_RUN_H */
