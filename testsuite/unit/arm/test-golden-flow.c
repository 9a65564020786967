/* Flow against the reference: every range of every golden listing, walked over
   the snapshot's code, must end where and how the listing says.

   Needs the environment variable TB_SHARED, the directory that has "golden"
   (its FORMAT.md explains the lines) and "snapshots".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "decode/follow.h"
#include "snapshot/memmap.h"
#include "snapshot/snapshot.h"

/* The most complaints about one listing.  */
#define MOST_COMPLAINTS 10

/* Listings made with code that is not what ran: the kernel's dump was taken
   from another build or before run-time patching.  They have N atoms on B, BL
   and RET by the hundred, which no core traces, and branches followed by
   address packets that lead elsewhere.  How each range is walked can be compared
   all the same.  */
static const char *const wrong_code[] = { "juno_r1_1.", "infrastructure." };

/* One R line.  */
struct range
{
  uint64_t start, end;
  unsigned count, size;
  enum tb_isa isa;
  bool taken;			/* Its atom is E.  */
  bool conditional;
  char type[8], sub[8];
};

/* What a section of a listing (one trace ID) is compared with.  */
struct section
{
  struct tb_follow *follow;
  bool single;			/* ETMv3: a range is one instruction.  */
  bool wrong_code;
  struct tb_follow_options options;
  /* The range before, while nothing that redirects came after it.  */
  bool have_before;
  struct range before;
  struct tb_flow before_flow;
  /* ETMv3: the address up to which the instructions are known, and how many
     after it are in an IT block.  */
  uint64_t known;
  unsigned it_left;
  /* A range that goes on beyond a waypoint or stops before one: the trace must
     tell why, which the next line shows.  */
  bool want_reason;
  struct range cut;
};

static unsigned long ranges, directs, its;
static unsigned complaints;
static const char *listing;

static void
complain (const struct range *r, const char *what, uint64_t got)
{
  check_that (false, listing, 0, what);
  if (complaints++ < MOST_COMPLAINTS)
    fprintf (stderr, "  R %s %#" PRIx64 " %#" PRIx64 " %u %c %s %s %c %u;"
	     " flow says %#" PRIx64 "\n", tb_isa_name (r->isa), r->start,
	     r->end, r->count, r->taken ? 'E' : 'N', r->type, r->sub,
	     r->conditional ? 'c' : '-', r->size, got);
}

static bool
parse_range (struct range *r, const char *line)
{
  char isa[8], atom, conditional;

  if (sscanf (line, "R %7s %" SCNx64 " %" SCNx64 " %u %c %7s %7s %c %u", isa,
	      &r->start, &r->end, &r->count, &atom, r->type, r->sub,
	      &conditional, &r->size) != 9)
    return false;
  r->taken = atom == 'E';
  r->conditional = conditional == 'c';
  for (r->isa = TB_ISA_A64; r->isa < TB_ISA_UNKNOWN; r->isa++)
    if (strcmp (isa, tb_isa_name (r->isa)) == 0)
      return true;
  return false;
}

static const char *
type_name (const struct section *s, const struct tb_flow *flow)
{
  switch (flow->kind)
    {
    case TB_FLOW_BRANCH:
      return "BR";
    case TB_FLOW_INDIRECT:
      return "IBR";
    case TB_FLOW_ISB:
      return "ISB";
    case TB_FLOW_BARRIER:
      return s->options.barrier_is_waypoint ? "DSB" : "OTHER";
    case TB_FLOW_WAIT:
      return s->options.wait_is_branch ? "WFI" : "OTHER";
    case TB_FLOW_TSTART:
      return s->options.tstart_is_waypoint ? "TSTART" : "OTHER";
    case TB_FLOW_UNDEFINED:
      return "UNDEFINED";
    default:
      return "OTHER";
    }
}

/* The reference names ERET only in A64: for RFE, SUBS PC, LR and LDM ...^ of
   A32 and T32, which the manual describes as exception returns (DDI 0487,
   F5.1.181 and others), it prints the sub-type that the form would have had
   without the exception return.  */
static const char *
sub_name (const struct range *r, const struct tb_flow *flow)
{
  switch (flow->sub)
    {
    case TB_SUB_LINK:
      return "LINK";
    case TB_SUB_RETURN:
      return "RET";
    case TB_SUB_ERET:
      return r->isa == TB_ISA_A64 ? "ERET" : r->sub;
    case TB_SUB_V7RETURN:
      return "V7RET";
    default:
      return "NONE";
    }
}

static void
check_last (const struct section *s, const struct range *r,
	    const struct tb_flow *flow)
{
  if (strcmp (type_name (s, flow), r->type) != 0)
    complain (r, "type", flow->kind);
  else if (strcmp (sub_name (r, flow), r->sub) != 0)
    complain (r, "sub", flow->sub);
  if (flow->size != r->size)
    complain (r, "size", flow->size);
  if (flow->marked_conditional != r->conditional)
    complain (r, "conditional", flow->marked_conditional);
  if (!s->wrong_code && !s->single && !r->taken && !flow->conditional)
    complain (r, "not taken, yet not conditional", flow->target);
}

/* ETMv3 listings have single instructions, so that IT blocks are ours to keep
   track of.  An N atom says that the condition failed: there must be one.  */
static void
check_it (struct section *s, const struct range *r, const struct tb_flow *flow)
{
  bool known = s->known == r->start;
  bool in_it = known && s->it_left != 0;

  if (!known)
    s->it_left = 0;
  if (!r->taken && !flow->conditional && known && !in_it)
    complain (r, "not executed, yet not conditional", flow->kind);
  if (flow->it_length != 0)
    s->it_left = flow->it_length;
  else if (in_it)
    s->it_left--;
  s->known = r->end;
  its += in_it;
}

/* Is START where the range before must have led?  */
static void
check_target (struct section *s, const struct range *r)
{
  if (!s->have_before || s->wrong_code)
    return;
  if (!s->before.taken || s->before_flow.kind != TB_FLOW_BRANCH)
    {
      if (s->before_flow.kind != TB_FLOW_INDIRECT
	  && s->before.end != r->start)
	complain (&s->before, "the next range does not follow", r->start);
      return;
    }
  directs++;
  if (s->before_flow.target != r->start)
    complain (&s->before, "target", s->before_flow.target);
  if (s->before_flow.target_isa != r->isa)
    complain (&s->before, "ISA at the target", s->before_flow.target_isa);
}

static void
check_range (struct section *s, const struct range *r)
{
  struct tb_flow flow;
  uint64_t reached;

  ranges++;
  check_target (s, r);
  unsigned count = tb_follow_straight (s->follow, TB_SPACE_ANY, r->isa,
				       r->start, r->end, &reached, &flow);
  if (count != r->count || reached != r->end)
    {
      complain (r, "count or end of a straight walk", reached);
      s->have_before = false;
      return;
    }
  check_last (s, r, &flow);
  if (s->single)
    {
      check_it (s, r, &flow);
      return;
    }

  const struct tb_block *block = tb_follow_block (s->follow, TB_SPACE_ANY,
						  r->isa, r->start);
  if (block->end != r->end)
    {
      s->want_reason = true;
      s->cut = *r;
    }
  else if (block->count != count || block->sub != flow.sub
	   || block->size != flow.size
	   || block->conditional != flow.conditional
	   || (flow.kind == TB_FLOW_BRANCH
	       && (block->kind != flow.kind || block->target != flow.target)))
    complain (r, "the block differs from the straight walk", block->count);
  s->have_before = true;
  s->before = *r;
  s->before_flow = flow;
}

/* The register of SOURCE that both protocols' programmer's models put at word
   ID, 0 where it is not in the snapshot.  */
static uint32_t
reg (const struct tb_device *source, uint32_t id, const char *name)
{
  const struct tb_device_reg *found = tb_device_reg_id (source, id, name);

  return found != NULL ? found->value : 0;
}

static bool
starts (const char *text, const char *with)
{
  return strncmp (text, with, strlen (with)) == 0;
}

/* Prepare S for the trace source of SNAPSHOT with trace ID.  */
static bool
open_section (struct section *s, const struct tb_snapshot *snapshot,
	      const struct tb_memmap *map, unsigned id)
{
  const struct tb_device *source = NULL, *core = NULL;
  struct tb_profile profile;

  *s = (struct section) { .follow = NULL };
  for (size_t i = 0; i < snapshot->nstreams; i++)
    {
      const struct tb_device *device = snapshot->streams[i].source;
      if (device == NULL)
	continue;
      bool etmv4 = starts (device->type, "ETM4") || starts (device->type, "ETE");
      uint32_t own = etmv4 ? reg (device, 0x10, "TRCTRACEIDR")
			   : reg (device, 0x80, "ETMTRACEIDR");
      if ((own & 0x7f) == id && snapshot->streams[i].core != NULL)
	{
	  source = device;
	  core = snapshot->streams[i].core;
	}
    }
  if (source == NULL)
    return false;

  bool ete = starts (source->type, "ETE");
  s->single = starts (source->type, "ETM3");
  for (size_t i = 0; i < sizeof wrong_code / sizeof wrong_code[0]; i++)
    s->wrong_code |= starts (listing, wrong_code[i]);
  /* TRCIDR2.WFXMODE; always so in an ETE.  */
  s->options.wait_is_branch
    = ete || (starts (source->type, "ETM4")
	      && reg (source, 0x7a, "TRCIDR2") >> 31 != 0);
  s->options.tstart_is_waypoint = ete;
  bool ptm = starts (source->type, "PTM") || starts (source->type, "PFT");
  /* ETMCCER[24].  */
  s->options.barrier_is_waypoint
    = ptm && (reg (source, 0x7a, "ETMCCER") & 1 << 24) != 0;
  s->options.it_is_unmarked = ptm;
  tb_profile_find (&profile, core->type);
  s->follow = tb_follow_new (map, &profile, &s->options);
  return s->follow != NULL;
}

static void
check_line (struct section *s, const char *line)
{
  struct range r;

  if (s->want_reason)
    {
      /* An exception, a hole, a path by address (Q), a gap or the end.  A
	 source address packet gives a range and, perhaps, a cycle count.  */
      s->want_reason = false;
      if (line[0] == 'R')
	s->have_before = false;
      else if (strchr ("XAQTYZC", line[0]) == NULL)
	complain (&s->cut, "cut without a reason", 0);
    }
  switch (line[0])
    {
    case 'R':
      if (CHECK (parse_range (&r, line)))
	check_range (s, &r);
      break;
    case 'S': case 'C': case 'V': case 'K': case 'L': case 'W':
      break;
    default:
      s->have_before = false;
      break;
    }
}

static void
check_listing (const char *shared, const char *name)
{
  char path[4096], line[512];
  struct tb_snapshot snapshot;
  struct section section = { .follow = NULL };
  int length = strcspn (name, ".");

  listing = name;
  complaints = 0;
  snprintf (path, sizeof path, "%s/snapshots/%.*s", shared, length, name);
  if (!CHECK (tb_snapshot_open (&snapshot, path, NULL, NULL) == TB_OK))
    return;

  struct tb_memmap *map = tb_memmap_new ();
  for (size_t i = 0; i < snapshot.ndevices; i++)
    for (size_t k = 0; k < snapshot.devices[i].ndumps; k++)
      {
	const struct tb_dump *dump = &snapshot.devices[i].dumps[k];
	struct tb_region region = { .address = dump->address,
				    .length = dump->length,
				    .space = TB_SPACE_ANY,
				    .access = TB_ACCESS_UNKNOWN,
				    .halt_contents = true,
				    .data = dump->data,
				    .name = dump->section };
	CHECK (tb_memmap_add (map, &region, NULL) == TB_OK);
      }
  CHECK (tb_memmap_seal (map, NULL) == TB_OK);

  bool packed = strstr (name, ".xz") != NULL;
  snprintf (path, sizeof path, "%s%s/golden/%s", packed ? "xz -dc " : "",
	    shared, name);
  FILE *file = packed ? popen (path, "r") : fopen (path, "r");
  if (CHECK (file != NULL))
    {
      while (fgets (line, sizeof line, file) != NULL)
	{
	  unsigned id;
	  if (sscanf (line, "# id 0x%x", &id) == 1)
	    {
	      tb_follow_free (section.follow);
	      if (!open_section (&section, &snapshot, map, id))
		section.follow = NULL;
	    }
	  else if (line[0] != '#' && section.follow != NULL)
	    check_line (&section, line);
	}
      if (packed)
	CHECK_INT (pclose (file), 0);
      else
	fclose (file);
    }
  tb_follow_free (section.follow);
  tb_memmap_free (map);
  tb_snapshot_close (&snapshot);
}

int
main (void)
{
  const char *shared = getenv ("TB_SHARED");
  char path[4096];
  struct dirent *entry;

  snprintf (path, sizeof path, "%s/golden", shared != NULL ? shared : "");
  DIR *directory = shared != NULL ? opendir (path) : NULL;
  if (directory == NULL)
    return check_skip ("TB_SHARED is not set or has no golden listings");
  while ((entry = readdir (directory)) != NULL)
    if (strstr (entry->d_name, ".txt") != NULL)
      check_listing (shared, entry->d_name);
  closedir (directory);

  printf ("%lu ranges, %lu direct branches followed, %lu instructions in IT"
	  " blocks\n", ranges, directs, its);
  CHECK (ranges > 1000000);
  CHECK (directs > 500000);
  CHECK (its > 100);
  return check_done ();
}
