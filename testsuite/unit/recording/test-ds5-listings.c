/* The instructions that Arm DS-5 lists of real captures, in their snapshots.

   Needs the environment variable TB_SHARED, the directory that has "snapshots".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "recording/session.h"

/* Instructions up to and with an ERET that a listing leaves out.  It has all of
   the range that they end but these, and then says that an exception returned:
   so the ERET ran, and as no instruction between is a waypoint, all of them
   did.  */
struct omission
{
  uint64_t first;		/* Address.  */
  unsigned count;
};

#define OMISSIONS 3

static const struct listing
{
  const char *snapshot, *source, *file;
  uint64_t instructions;	/* That the listing has with an opcode.  */
  /* Code that is not in the snapshot has one line for each element that says
     so.  Else its lines are passed over: those of the Juno's are for each
     address packet and each atom after it.  */
  bool unreadable;
  struct omission omissions[OMISSIONS];
} listings[] =
{
  { "TC2", "ETM_0", "ds5-dumps/etmv3_0x10.txt", 7205, true, { { 0, 0 } } },
  { "TC2", "ETM_1", "ds5-dumps/etmv3_0x11.txt", 7471, true, { { 0, 0 } } },
  { "TC2", "ETM_2", "ds5-dumps/etmv3_0x12.txt", 1947, true, { { 0, 0 } } },
  { "TC2", "PTM_0", "ds5-dumps/ptmv1_0x13.txt", 9548, true, { { 0, 0 } } },
  { "tc2-ptm-rstk-t32", "PTM_0_2", "ds-5_trace_dump/a15_rs.txt", 10000, true,
    { { 0, 0 } } },
  { "juno_r1_1", "ETM_1",
    "ds-5-dumps/Trace_Report_0x11_cpu_1_2015Sep17_104748.txt", 216, false,
    { { 0xffffffc000083dd8, 9 } } },
  { "juno_r1_1", "ETM_3",
    "ds-5-dumps/Trace_Report_0x13_cpu_3_2015Sep17_104147.txt", 333, false,
    { { 0xffffffc000083dd8, 9 } } },
  { "juno_r1_1", "ETM_5",
    "ds-5-dumps/Trace_Report_0x15_cpu_5_2015Sep17_105126.txt", 1440, false,
    { { 0xffffffc000083c60, 9 }, { 0xffffffc000084248, 9 },
      { 0xffffffc0000842f0, 9 } } }
};

struct reader
{
  const struct listing *listing;
  FILE *file;
  uint64_t pc;			/* Of the instruction read last.  */
  bool more;			/* There was one.  */
  bool returned;		/* "Return from exception" came before it.  */
};

/* Read on to the next instruction.  */
static void
next (struct reader *r)
{
  char line[512], opcode[16];

  r->returned = false;
  while (fgets (line, sizeof line, r->file) != NULL)
    {
      const char *at = line;
      /* "Instruction INDEX S:ADDRESS ..." or "S:ADDRESS OPCODE ...".  */
      if (strncmp (line, "Instruction\t", 12) == 0)
	at = strchr (line + 12, '\t') + 1;
      r->returned |= strstr (line, "Return from exception") != NULL;
      if (strstr (line, "<Unknown>") != NULL
	  || sscanf (at, "%*[A-Z0-9]:0x%" SCNx64 " %15s", &r->pc, opcode) != 2)
	continue;
      if (!r->listing->unreadable && strcmp (opcode, "?") == 0)
	continue;
      r->more = true;
      return;
    }
  r->more = false;
}

/* How many instructions the listing leaves out from ADDRESS on.  */
static unsigned
omitted (const struct listing *l, uint64_t address)
{
  for (unsigned i = 0; i < OMISSIONS; i++)
    if (l->omissions[i].count > 0 && l->omissions[i].first == address)
      return l->omissions[i].count;
  return 0;
}

/* Does the listing have what E says?  Returns how many instructions of it it
   has, and adds to *LEFT_OUT the others; *SAME is cleared if it differs.  */
static unsigned
compare (struct reader *r, const struct tb_decoder *d,
	 const struct tb_element *e, unsigned *left_out, bool *same)
{
  uint64_t pc = e->u.range.start;
  unsigned count = e->u.range.count, seen = 0;

  for (unsigned k = 0; k < count && *same; k++)
    {
      uint32_t opcode;
      unsigned left = omitted (r->listing, pc);
      if (left > 0 && !(r->more && r->pc == pc))
	{
	  CHECK_INT (left, count - k);
	  CHECK_INT (e->last_sub, TB_SUB_ERET);
	  CHECK (r->returned);
	  *left_out += left;
	  break;
	}
      if (!r->more)
	break;
      *same = CHECK_INT (pc, r->pc);
      seen++;
      next (r);
      pc += tb_follow_opcode (d->follow, (enum tb_space) e->space,
			      (enum tb_isa) e->isa, pc, &opcode);
    }
  return seen;
}

static void
check_listing (const char *shared, const struct listing *l)
{
  char path[512];
  struct tb_session session;
  struct tb_element elements[500];
  struct reader reader = { .listing = l };
  unsigned left_out = 0, expected = 0;
  uint64_t seen = 0;
  bool same = true;
  size_t n;

  snprintf (path, sizeof path, "%s/snapshots/%s/%s", shared, l->snapshot,
	    l->file);
  reader.file = fopen (path, "r");
  snprintf (path, sizeof path, "%s/snapshots/%s", shared, l->snapshot);
  if (!CHECK (reader.file != NULL)
      || !CHECK (tb_session_open (&session, path, NULL, NULL) == TB_OK))
    return;
  struct tb_decoder *d = NULL;
  for (size_t i = 0; i < session.nstreams; i++)
    if (strcmp (session.streams[i].source->name, l->source) == 0)
      d = tb_session_decoder (&session, &session.streams[i], NULL);
  next (&reader);
  while (CHECK (d != NULL) && same && (n = d->read (d, elements, 500)) > 0)
    for (size_t i = 0; i < n && same && reader.more; i++)
      if (elements[i].kind == TB_ELEMENT_RANGE)
	seen += compare (&reader, d, &elements[i], &left_out, &same);
      else if (elements[i].kind == TB_ELEMENT_NO_CODE && l->unreadable)
	{
	  same = CHECK_INT (elements[i].u.address, reader.pc);
	  next (&reader);
	}
  for (unsigned i = 0; i < OMISSIONS; i++)
    expected += l->omissions[i].count;
  CHECK (!reader.more);
  CHECK_INT (seen, l->instructions);
  CHECK_INT (left_out, expected);
  if (!same)
    fprintf (stderr, "%s, after %" PRIu64 " instructions\n", l->file, seen);
  if (d != NULL)
    d->close (d);
  tb_session_close (&session);
  fclose (reader.file);
}

int
main (void)
{
  const char *shared = getenv ("TB_SHARED");

  if (shared == NULL)
    return check_skip ("TB_SHARED is not set");
  for (size_t i = 0; i < sizeof listings / sizeof listings[0]; i++)
    check_listing (shared, &listings[i]);
  return check_done ();
}
