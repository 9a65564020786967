/* Bytes of an ELF file beside those that ran: is it the program that ran?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Programs load code into RAM, so RAM tells only where there is nothing else to
   compare.  */

#ifndef TB_RECORDING_ELF_BYTES_H
#define TB_RECORDING_ELF_BYTES_H

#include "recording/session-elves.h"
#include "recording/trace-file.h"
#include "recording/visits.h"

/* The most pairs of regions that are compared, whatever the snapshot has.  */
#define TB_ELF_PAIRS_MOST 1000000

struct tb_elf_tally
{
  uint64_t bytes, different, first;
};

/* A file of a core, while it is compared.  */
struct tb_elf_bytes
{
  const struct tb_session_core *core;
  const struct tb_elf_image *image;
  struct tb_visits *visits;	/* NULL: all counts, whether it ran or not.  */
  /* What is written before the program runs and stays; and RAM.  */
  struct tb_elf_tally lasting, ram;
};

/* Compare FILE, a region of the file of C, with DUMP where both are.  */
void tb_elf_bytes_compare (struct tb_elf_bytes *c, const struct tb_region *file,
			   const struct tb_region *dump);

/* Compare the file of C with all dumps of its core, anew.  */
void tb_elf_bytes_compare_all (struct tb_elf_bytes *c);

/* What counts of C, by what was compared so far.  */
const struct tb_elf_tally *tb_elf_bytes_tally (const struct tb_elf_bytes *c);

/* Is it another program, by TALLY?  How far is put into *WRONG.  */
bool tb_elf_tally_differs (const struct tb_elf_tally *tally, struct tb_wrong_elf *wrong);

/* session-elves.c: add WRONG, which is IMAGE of CORE, to the COUNT ones that were FOUND.  */
void tb_wrong_elf_add (const struct tb_session *session, const struct tb_session_core *core,
		       const struct tb_elf_image *image, struct tb_wrong_elf *wrong,
		       struct tb_wrong_elf *found, size_t *count);

/* framed-code.c: add what is wrong of CORE's ELF files by the code in the frames of FILE, which
   FACTS (NULL: none) are of.  */
enum tb_status tb_framed_code_check (const struct tb_session *session,
				     const struct tb_session_core *core,
				     const struct tb_trace_file *file,
				     const struct tb_columns *facts,
				     struct tb_wrong_elf *found, size_t *count,
				     struct tb_diag *diag);

#endif /* TB_RECORDING_ELF_BYTES_H */
