/* Code in the frames of a trace file, beside the ELF files given with it.  See elf-bytes.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/elf-bytes.h"

#include <stdlib.h>

#include "recording/facts.h"

/* A frame of a trace file, to be sorted by where its core was.  */
struct frame_place
{
  uint64_t pc, step;
  uint8_t size;			/* Of what is compared there.  */
};

static int
by_place (const void *a, const void *b)
{
  const struct frame_place *x = a, *y = b;
  return x->pc != y->pc ? (x->pc < y->pc ? -1 : 1)
			: x->step < y->step ? -1 : x->step > y->step;
}

/* What FRAME of FILE has for certain of the memory from PLACE's PC on, into *DUMP.  False:
   nothing.  */
static bool
code_of (const struct tb_trace_file *file, const struct tb_trace_file_frame *frame,
	 const struct frame_place *place, struct tb_region *dump)
{
  struct tb_trace_file_block b;
  for (uint32_t at = 0; tb_trace_file_block (file, frame, &at, &b);)
    /* Behind this variable is what is assumed.  */
    if (b.kind == 'V' && b.number == file->assumed_memory)
      return false;
    else if (b.kind == 'M' && b.address <= place->pc
	     && place->pc - b.address < b.length
	     && b.length - (place->pc - b.address) >= place->size)
      {
	*dump = (struct tb_region) {
	  .address = place->pc, .length = place->size,
	  .data = b.data + (place->pc - b.address)
	};
	return true;
      }
  return false;
}

/* Is IMAGE another program than CORE ran, as the code in the frames of FILE says, of which
   there are NPLACES at PLACES?  */
static bool
differs_in_frames (const struct tb_session_core *core, const struct tb_elf_image *image,
		   const struct tb_trace_file *file, const struct frame_place *places,
		   size_t nplaces, struct tb_wrong_elf *wrong)
{
  struct tb_elf_bytes c = { .core = core, .image = image };
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions), pairs = 0;
  bool done = false;
  for (size_t i = 0; i < nplaces && pairs < TB_ELF_PAIRS_MOST; i++)
    {
      struct tb_region dump;
      done &= i > 0 && places[i - 1].pc == places[i].pc;
      /* One frame tells of a place.  */
      if (done || !code_of (file, &file->frames[places[i].step], &places[i], &dump))
	continue;
      done = true;
      for (size_t k = 0; k < n && pairs++ < TB_ELF_PAIRS_MOST; k++)
	if (regions[k].elf == image)
	  tb_elf_bytes_compare (&c, &regions[k], &dump);
    }
  return tb_elf_tally_differs (tb_elf_bytes_tally (&c), wrong);
}

enum tb_status
tb_framed_code_check (const struct tb_session *s, const struct tb_session_core *core,
		      const struct tb_trace_file *file, const struct tb_columns *facts,
		      struct tb_wrong_elf *found, size_t *count, struct tb_diag *diag)
{
  struct frame_place *places = calloc (file->nframes + 1, sizeof *places);
  if (places == NULL)
    {
      tb_error (diag, "no memory to compare --elf with what ran");
      return TB_ERR_MEMORY;
    }
  struct tb_step step;
  size_t n = 0;
  for (; facts != NULL && n < file->nframes && tb_facts_read (facts, n, &step, 1) == 1;
       n++)
    places[n] = (struct frame_place) {
      .pc = step.pc, .step = n,
      .size = step.isa == TB_ISA_A32 || step.isa == TB_ISA_A64 ? 4 : 2
    };
  qsort (places, n, sizeof *places, by_place);
  for (size_t i = 0; i < core->nelves; i++)
    {
      struct tb_wrong_elf wrong;
      if (differs_in_frames (core, core->elves[i], file, places, n, &wrong))
	tb_wrong_elf_add (s, core, core->elves[i], &wrong, found, count);
    }
  free (places);
  return TB_OK;
}
