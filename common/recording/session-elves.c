/* Are the ELF files of a session the program that ran?  See session-elves.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-elves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/breakpoints.h"
#include "recording/facts.h"
#include "recording/session-log.h"
#include "recording/trace-file.h"
#include "recording/visits.h"

/* RAM of the M profile, in the architecture's memory map (DDI 0403, B3.1).  */
#define M_RAM_FIRST UINT64_C (0x20000000)
#define M_RAM_LAST UINT64_C (0x3fffffff)

/* The most pairs of regions that are compared, whatever the snapshot has.  */
#define PAIRS_MOST 1000000

struct tally
{
  uint64_t bytes, different, first;
};

/* A file of a core, while it is compared.  */
struct compared
{
  const struct tb_session_core *core;
  const struct tb_elf_image *image;
  struct tb_visits *visits;	/* NULL: all counts, whether it ran or not.  */
  /* What is written before the program runs and stays; and RAM.  */
  struct tally lasting, ram;
};

static uint64_t
last_of (const struct tb_region *region)
{
  return region->address + (region->length - 1);
}

/* Could code of REGION, an ELF file's, at ADDRESS be other code by and by?  */
static bool
is_ram (const struct compared *c, const struct tb_region *region,
	uint64_t address)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (c->core->map, &regions);
  if (region->access == TB_ACCESS_WRITE
      || (c->core->profile.is_m && address >= M_RAM_FIRST
	  && address <= M_RAM_LAST))
    return true;
  /* Overlays share addresses.  */
  for (size_t i = 0; i < n; i++)
    if (&regions[i] != region && regions[i].elf == c->image
	&& regions[i].address <= address && address <= last_of (&regions[i]))
      return true;
  return false;
}

/* Did the byte at ADDRESS of DUMP run?  *LENGTH: for how many bytes the answer
   holds at least.  */
static bool
ran (const struct compared *c, const struct tb_region *dump, uint64_t address,
     uint64_t *length)
{
  bool found = false;
  *length = UINT64_MAX;
  for (int s = 0; s < TB_SPACE_LIMIT; s++)
    {
      uint64_t there, left;
      const struct tb_region *region;
      enum tb_space space = (enum tb_space) s;
      bool here = tb_visits_ran (c->visits, space, address, &there);
      if (there != 0 && there < *length)
	*length = there;
      if (!here)
	continue;
      /* In this space another dump may be there.  A log's code stands behind the
	 ELF file's.  */
      tb_memmap_at (c->core->map, space, address, &left, &region);
      found |= region == dump || (region != NULL && region->elf != NULL);
      if (left != 0 && left < *length)
	*length = left;
    }
  return found;
}

/* Count FILE against DUMP from FIRST to LAST, all of which ran.  */
static void
count (struct compared *c, const struct tb_region *file,
       const struct tb_region *dump, uint64_t first, uint64_t last)
{
  const uint8_t *a = file->data + (first - file->address);
  const uint8_t *b = dump->data + (first - dump->address);
  uint64_t length = last - first + 1;
  struct tally *tally = is_ram (c, file, first) ? &c->ram : &c->lasting;
  tally->bytes += length;
  if (memcmp (a, b, (size_t) length) == 0)
    return;
  for (uint64_t i = 0; i < length; i++)
    {
      /* The halfword that has the byte.  */
      uint64_t at = i - ((first + i) & 1 & (i > 0));
      if (a[i] == b[i]
	  || (length - at >= 2
	      && tb_is_breakpoint (b + at, first + at, at, length - at)))
	continue;
      if (tally->different++ == 0)
	tally->first = first + i;
    }
}

/* Compare FILE with DUMP where both are.  */
static void
compare (struct compared *c, const struct tb_region *file,
	 const struct tb_region *dump)
{
  uint64_t first = file->address > dump->address ? file->address
						 : dump->address;
  uint64_t last = last_of (file) < last_of (dump) ? last_of (file)
						  : last_of (dump);
  if (first > last)
    return;
  if (c->visits == NULL)
    {
      count (c, file, dump, first, last);
      return;
    }
  for (uint64_t at = first, length; at <= last; at += length)
    {
      bool here = ran (c, dump, at, &length);
      if (length > last - at + 1 || length == 0)
	length = last - at + 1;
      if (here)
	count (c, file, dump, at, at + length - 1);
      if (length > UINT64_MAX - at)
	break;
    }
}

static void
compare_all (struct compared *c)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (c->core->map, &regions), pairs = 0;
  c->lasting = c->ram = (struct tally) { 0 };
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; regions[i].elf == c->image && k < n; k++)
      /* Contexts have other code than others have.  */
      if (regions[k].elf == NULL
	  && (regions[k].space == regions[i].space
	      || (regions[k].space < TB_SPACE_CONTEXTS
		  && regions[i].space < TB_SPACE_CONTEXTS))
	  && pairs++ < PAIRS_MOST)
	compare (c, &regions[i], &regions[k]);
}

/* Is IMAGE another program than CORE ran, as VISITS say?  NULL: whatever ran.
   Programs load code into RAM, so RAM tells only where there is nothing else to
   compare.  */
static bool
is_wrong (const struct tb_session_core *core,
	  const struct tb_elf_image *image, struct tb_visits *visits,
	  struct tb_wrong_elf *wrong)
{
  struct compared c = { .core = core, .image = image };
  compare_all (&c);
  const struct tally *t = c.lasting.bytes != 0 ? &c.lasting : &c.ram;
  c.visits = visits;
  if (t->different != 0 && visits != NULL)
    compare_all (&c);
  *wrong = (struct tb_wrong_elf) { .bytes = t->bytes,
				   .different = t->different,
				   .first = t->first };
  return t->different != 0;
}

/* What of STREAM ran.  NULL after a diagnostic.  */
static struct tb_recording *
open_recording (const struct tb_session_stream *stream, unsigned jobs,
		struct tb_visits **visits, struct tb_diag *diag)
{
  const struct tb_recording_options options = { .jobs = jobs };
  struct tb_decoder_config config;
  tb_session_decoder_config (stream, &config);
  struct tb_recording *recording = tb_recording_open_trace (&config, &options,
							    diag);
  *visits = recording != NULL ? tb_visits_new (recording) : NULL;
  if (recording != NULL && *visits == NULL)
    {
      tb_error (diag, "no memory to compare --elf with what ran");
      tb_recording_close (recording);
      return NULL;
    }
  for (size_t i = 0; recording != NULL && i < tb_recording_windows (recording);
       i++)
    {
      uint64_t step = tb_recording_window_step (recording, i);
      if (step < tb_recording_steps (recording))
	tb_visits_see (*visits, step);
    }
  return recording;
}

/* Add WRONG, which is IMAGE of CORE, to the COUNT ones that were FOUND.  */
static void
add_wrong (const struct tb_session *s, const struct tb_session_core *core,
	   const struct tb_elf_image *image, struct tb_wrong_elf *wrong,
	   struct tb_wrong_elf *found, size_t *count)
{
  while (wrong->elf < s->nelves && s->elves[wrong->elf] != image)
    wrong->elf++;
  wrong->core = (size_t) (core - s->cores);
  bool known = false;
  for (size_t k = 0; k < *count; k++)
    known |= found[k].core == wrong->core && found[k].elf == wrong->elf;
  if (!known)
    found[(*count)++] = *wrong;
}

/* Add what is wrong of CORE's ELF files by what ran in STREAM.  */
static enum tb_status
check_stream (const struct tb_session *s,
	      const struct tb_session_stream *stream, unsigned jobs,
	      struct tb_wrong_elf *found, size_t *count, struct tb_diag *diag)
{
  const struct tb_session_core *core = stream->core;
  struct tb_visits *visits;
  struct tb_recording *recording = open_recording (stream, jobs, &visits,
						   diag);
  if (recording == NULL)
    return TB_ERR_INPUT;
  for (size_t i = 0; i < core->nelves; i++)
    {
      struct tb_wrong_elf wrong;
      if (!is_wrong (core, core->elves[i], visits, &wrong))
	continue;
      add_wrong (s, core, core->elves[i], &wrong, found, count);
    }
  tb_visits_free (visits);
  tb_recording_close (recording);
  return TB_OK;
}

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
  struct compared c = { .core = core, .image = image };
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions), pairs = 0;
  bool done = false;
  for (size_t i = 0; i < nplaces && pairs < PAIRS_MOST; i++)
    {
      struct tb_region dump;
      done &= i > 0 && places[i - 1].pc == places[i].pc;
      /* One frame tells of a place.  */
      if (done || !code_of (file, &file->frames[places[i].step], &places[i], &dump))
	continue;
      done = true;
      for (size_t k = 0; k < n && pairs++ < PAIRS_MOST; k++)
	if (regions[k].elf == image)
	  compare (&c, &regions[k], &dump);
    }
  const struct tally *t = c.lasting.bytes != 0 ? &c.lasting : &c.ram;
  *wrong = (struct tb_wrong_elf) { .bytes = t->bytes, .different = t->different,
				   .first = t->first };
  return t->different != 0;
}

/* Add what is wrong of CORE's ELF files by the frames of FILE, which FACTS (NULL: none) are of.  */
static enum tb_status
check_frames (const struct tb_session *s, const struct tb_session_core *core,
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
	add_wrong (s, core, core->elves[i], &wrong, found, count);
    }
  free (places);
  return TB_OK;
}

/* Does any ELF file of CORE have other bytes than the dumps anywhere?  */
static bool
may_be_wrong (const struct tb_session_core *core)
{
  bool any = false;
  struct tb_wrong_elf wrong;
  for (size_t i = 0; i < core->nelves && !any; i++)
    any = is_wrong (core, core->elves[i], NULL, &wrong);
  return any;
}

enum tb_status
tb_session_wrong_elves (const struct tb_session *s,
			bool (*wants) (const void *context,
				       const struct tb_session_stream *stream),
			const void *context, unsigned jobs,
			struct tb_wrong_elf **found, size_t *count,
			struct tb_diag *diag)
{
  enum tb_status status = TB_OK;
  *count = 0;
  *found = calloc (s->ncores * s->nelves + 1, sizeof **found);
  if (*found == NULL)
    {
      tb_error (diag, "no memory to compare --elf with what ran");
      return TB_ERR_MEMORY;
    }
  for (size_t i = 0; i < s->nstreams && status == TB_OK; i++)
    {
      const struct tb_session_stream *stream = &s->streams[i];
      if (stream->protocol == NULL || stream->protocol->software || !wants (context, stream))
	continue;
      const struct tb_trace_file *file = tb_session_trace_file (s);
      if (file != NULL)
	status = check_frames (s, stream->core, file,
			       tb_session_log_facts (s, stream->core->device), *found, count,
			       diag);
      else if (may_be_wrong (stream->core))
	status = check_stream (s, stream, jobs, *found, count, diag);
    }
  if (status != TB_OK)
    {
      free (*found);
      *found = NULL;
      *count = 0;
    }
  return status;
}

void
tb_wrong_elf_text (const struct tb_session *s,
		   const struct tb_session_options *options,
		   const struct tb_wrong_elf *wrong, char *text, size_t room)
{
  const struct tb_device *device = s->cores[wrong->core].device;
  snprintf (text, room, "--elf=%s is not the program that %s%s ran: of %" PRIu64
	    " bytes of code that ran %" PRIu64 " differ, the first at %#" PRIx64,
	    options->elves[wrong->elf].path, device != NULL ? "core " : "",
	    device != NULL ? device->name : "the trace's core", wrong->bytes,
	    wrong->different, wrong->first);
}

const char *
tb_wrong_elf_advice (const struct tb_session *s,
		     const struct tb_session_options *options,
		     const struct tb_wrong_elf *wrong, size_t count)
{
  size_t cores = 0;
  for (size_t i = 0; i < s->ncores; i++)
    cores += s->cores[i].device != NULL;
  for (size_t i = 0; i < count && cores > 1; i++)
    if (options->elves[wrong[i].elf].core == NULL)
      return "there are several cores: --elf=FILE@CORE says which one a file is of";
  return NULL;
}

/* Is ELF file number ELF of SESSION one of core NUMBER, and a right one?  */
static bool
is_right (const struct tb_session *s, size_t number, size_t elf,
	  const struct tb_wrong_elf *wrong, size_t count)
{
  const struct tb_session_core *core = &s->cores[number];
  bool used = false;
  for (size_t i = 0; i < core->nelves; i++)
    used |= core->elves[i] == s->elves[elf];
  for (size_t i = 0; i < count; i++)
    used &= wrong[i].core != number || wrong[i].elf != elf;
  return used;
}

struct tb_session_elf *
tb_session_other_elves (const struct tb_session *s,
			const struct tb_session_options *options,
			const struct tb_wrong_elf *wrong, size_t count,
			size_t *nelves)
{
  size_t most = options->nelves * s->ncores + 1, names = 0;
  for (size_t k = 0; k < s->ncores; k++)
    if (s->cores[k].device != NULL)
      names += strlen (s->cores[k].device->name) + 1;
  /* The names of the cores stand behind the list.  */
  struct tb_session_elf *list
    = calloc (1, most * sizeof *list + options->nelves * names);
  char *name = (char *) (list + most);
  /* NELVES may be that of OPTIONS.  */
  size_t n = 0;
  for (size_t i = 0; list != NULL && i < options->nelves; i++)
    {
      bool any = false;
      for (size_t k = 0; k < count; k++)
	any |= wrong[k].elf == i;
      if (!any)
	list[n++] = options->elves[i];
      for (size_t k = 0; any && k < s->ncores; k++)
	if (s->cores[k].device != NULL
	    && is_right (s, k, i, wrong, count))
	  {
	    list[n++] = (struct tb_session_elf) {
	      .path = options->elves[i].path, .core = name,
	      .context = options->elves[i].context };
	    name = stpcpy (name, s->cores[k].device->name) + 1;
	  }
    }
  *nelves = n;
  return list;
}

const char *
tb_session_left_type (const struct tb_session *s, const struct tb_session_options *options,
		      const struct tb_wrong_elf *wrong, size_t count, size_t nleft,
		      struct tb_diag *diag)
{
  for (size_t i = 0; s->elf_type != NULL && i < count; i++)
    {
      const char *type = tb_elf_image_core_type (s->elves[wrong[i].elf]);
      if (type == NULL)
	continue;
      if (nleft == 0)
	tb_warning (diag, "%s: still taken for that of an %s, which %s was built for; "
		    "--core-type=NAME says it better", s->snapshot.path, type,
		    options->elves[wrong[i].elf].path);
      return type;
    }
  return NULL;
}
