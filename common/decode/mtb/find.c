/* Finding the packets of a Micro Trace Buffer in memory.  See find.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/mtb/find.h"

#include <stdlib.h>

#include "decode/follow.h"
#include "decode/mtb/mtb.h"
#include "decode/mtb/path.h"
#include "snapshot/m-frame.h"
#include "util/number.h"

/* Bytes of code between two packets that are looked through.  */
#define REACH 65536

#define PACKET TB_MTB_PACKET_SIZE

struct mtb_search
{
  const uint8_t *data;
  uint64_t count;		/* Packets that there is room for.  */
  struct tb_follow *follow;
  const uint64_t *halt_pc;
  struct tb_mtb_effort *effort;
  /* Where code was found last, LENGTH bytes from FIRST on, and where none is, from FIRST to LAST
     (nowhere yet, if FIRST is behind LAST): most packets ask for the same.  */
  struct { uint64_t first, length; } code;
  struct { uint64_t first, last; } hole;
  bool failed;
  uint8_t *links;		/* A bit for each packet: the next one comes behind it.  */
};

static struct tb_mtb_packet
packet_at (const struct mtb_search *s, uint64_t number)
{
  return tb_mtb_packet_of (tb_number_32 (&s->data[PACKET * number]),
			   tb_number_32 (&s->data[PACKET * number + 4]));
}

static bool
has_code (struct mtb_search *s, uint32_t address)
{
  const struct tb_memmap *map = s->follow->map;
  uint64_t length;
  if (address - s->code.first < s->code.length)
    return true;
  if (address >= s->hole.first && address <= s->hole.last)
    return false;
  if (tb_memmap_at (map, TB_SPACE_ANY, address, &length, NULL) == NULL)
    return !tb_memmap_hole (map, TB_SPACE_ANY, address, &s->hole.first, &s->hole.last);
  s->code.first = address;
  s->code.length = length;
  return true;
}

/* Does the code at PC, to which a branch led unless RESUMED, lead without branching to Q's source,
   and is that what Q takes it for: the branch that leads to its destination or, if it is ATOMIC,
   anything?  */
static bool
leads_to (struct mtb_search *s, uint32_t pc, bool resumed, const struct tb_mtb_packet *q)
{
  uint32_t at;
  if (q->source < pc || q->source - pc >= REACH)
    return false;
  enum tb_mtb_path path = tb_mtb_path (s->follow, pc, resumed, q, s->effort, &at);
  if (path == TB_MTB_PATH_UNKNOWN && !s->effort->spent)
    s->failed |= tb_follow_block (s->follow, TB_SPACE_ANY, TB_ISA_T32, at) == NULL;
  if (path != TB_MTB_PATH_FITS || q->atomic)
    return path == TB_MTB_PATH_FITS;
  /* Other instructions that make a packet would make one of any two addresses in a row.  */
  const struct tb_block *block = tb_follow_block (s->follow, TB_SPACE_ANY, TB_ISA_T32, at);
  return block != NULL && q->source == block->end - block->size && tb_mtb_may_jump (block, q)
	 /* What a register has does not lead to itself again.  */
	 && !(block->kind == TB_FLOW_INDIRECT && q->source == q->destination);
}

/* May a packet lead to ADDRESS: code, the end of an exception, or a lockup?  */
static bool
may_lead_to (struct mtb_search *s, uint32_t address)
{
  return tb_m_is_exc_return (address) || tb_m_is_lockup (address) || has_code (s, address);
}

/* Does packet Q come behind P?  */
static bool
follows (struct mtb_search *s, const struct tb_mtb_packet *p,
	 const struct tb_mtb_packet *q)
{
  /* A word again and again: memory that was painted, or a table with one handler.  */
  if (q->atomic && q->source == q->destination && p->destination == q->source
      && p->source == q->source)
    return false;
  if (tb_m_is_exc_return (p->destination))
    return q->atomic && q->source == p->destination && has_code (s, q->destination);
  if (q->source < p->destination || q->source - p->destination >= REACH
      || tb_m_is_never_code (q->source) || !may_lead_to (s, q->destination)
      || !has_code (s, p->destination))
    return false;
  return leads_to (s, p->destination, false, q);
}

static bool
is_link (const struct mtb_search *s, uint64_t number)
{
  return s->links[number / 8] >> number % 8 & 1;
}

/* Is there, at the source of P, a branch that may lead to its destination?  */
static bool
is_jump (struct mtb_search *s, const struct tb_mtb_packet *p)
{
  return !tb_m_is_never_code (p->source) && has_code (s, p->source)
	 && may_lead_to (s, p->destination) && leads_to (s, p->source, true, p);
}

/* Was tracing started again with packet NUMBER?  An exception, of which any two addresses of code
   tell, is not believed by itself: SHOWN, the packets behind it show a branch.  */
static bool
is_resumed (struct mtb_search *s, uint64_t number, bool shown)
{
  struct tb_mtb_packet p = packet_at (s, number);
  return p.start && (p.atomic ? shown : is_jump (s, &p));
}

/* Note which packets lead to the next one, or are the last before a pause in tracing.  */
static void
find_links (struct mtb_search *s)
{
  struct tb_mtb_packet p = packet_at (s, 0), q;
  for (uint64_t i = 0; i + 1 < s->count && !s->failed; i++, p = q)
    {
      q = packet_at (s, i + 1);
      if (follows (s, &p, &q))
	s->links[i / 8] |= (uint8_t) (1u << i % 8);
    }
  /* From the end, so that an exception behind a pause sees what else comes behind pauses.  */
  bool shown = false;
  for (uint64_t i = s->count - 1; i-- > 0 && !s->failed;)
    {
      if (!is_link (s, i) && is_resumed (s, i + 1, shown))
	{
	  p = packet_at (s, i);
	  if ((i > 0 && is_link (s, i - 1)) || is_jump (s, &p))
	    s->links[i / 8] |= (uint8_t) (1u << i % 8);
	}
      /* Of packet I: those that it is linked to have a branch.  */
      shown = is_link (s, i) && (shown || !packet_at (s, i + 1).atomic);
    }
}

/* Does packet NUMBER lead to the halt?  */
static bool
leads_to_halt (struct mtb_search *s, uint64_t number)
{
  if (s->halt_pc == NULL)
    return false;
  const struct tb_mtb_packet halt
    = { .source = (uint32_t) *s->halt_pc & ~1u, .atomic = true };
  struct tb_mtb_packet p = packet_at (s, number);
  return !tb_m_is_never_code (p.destination) && leads_to (s, p.destination, false, &halt);
}

/* The pauses in tracing between the N packets from FIRST on, of which the one POINTER is the
   oldest: how many others tracing was started with.  */
static uint64_t
count_pauses (const struct mtb_search *s, uint64_t first, uint64_t n, uint64_t pointer)
{
  uint64_t pauses = 0;
  for (uint64_t i = 0; i < n; i++)
    pauses += i != pointer && packet_at (s, first + i).start;
  return pauses;
}

/* Of the N packets from FIRST on, which lead to each other all around, the one behind that
   which alone leads to the halt; N: there is none.  */
static uint64_t
find_newest (struct mtb_search *s, uint64_t first, uint64_t n)
{
  uint64_t found = n;
  for (uint64_t i = 0; i < n; i++)
    if (leads_to_halt (s, first + i))
      {
	if (found != n)
	  return n;
	found = (i + 1) % n;
      }
  return found;
}

/* Of the N packets from FIRST on, which lead to each other all around, the most that no place which
   the newest may have parts: those between two that lead to the halt.  *BEGIN: the first of them,
   from FIRST.  0: nothing is known, or one alone leads there.  */
static uint64_t
find_sure (struct mtb_search *s, uint64_t first, uint64_t n, uint64_t *begin)
{
  uint64_t last = n, oldest = n, most = 0;
  for (uint64_t i = 0; i < n; i++)
    if (leads_to_halt (s, first + i))
      {
	if (last != n && i - last > most)
	  {
	    most = i - last;
	    *begin = last + 1;
	  }
	oldest = oldest == n ? i : oldest;
	last = i;
      }
  if (oldest == last || s->effort->spent)
    return 0;
  if (oldest + n - last > most)
    {
      most = oldest + n - last;
      *begin = (last + 1) % n;
    }
  /* Without the one that leads to the halt: most likely it is not the newest.  */
  return most - 1 >= TB_MTB_FIND_LEAST ? most - 1 : 0;
}

/* Is [FIRST, FIRST + N) an area that was written round and round?  Then the next one comes behind
   each packet, the first behind the last, but for the newest one, or none where it leads
   to the oldest by chance.  *POINTER: the oldest one's, from FIRST; N: it is not known.  */
static bool
is_round (struct mtb_search *s, uint64_t first, uint64_t n, uint64_t *pointer)
{
  unsigned breaks = 0;
  struct tb_mtb_packet last = packet_at (s, first + n - 1), p = packet_at (s, first);
  bool around = !p.start && follows (s, &last, &p), link = around;
  *pointer = 0;
  for (uint64_t i = first; i < first + n && breaks < 2; i++)
    {
      if (!link)
	{
	  *pointer = i - first;
	  breaks++;
	}
      link = is_link (s, i);
    }
  if (breaks > 1)
    return false;
  /* If the program does not lead from the last to the first, there may be packets of an earlier
     run behind a pause.  */
  if (!around)
    return count_pauses (s, first, n, 0) == 0;
  /* The newest leads to the oldest by chance, or tracing was started with the oldest, or what is
     no link is another pause.  */
  if (breaks == 0 || packet_at (s, first + *pointer).start)
    *pointer = find_newest (s, first, n);
  return true;
}

/* Are the N packets from BEGIN on, which lead to each other, more than chance?  That an exception
   comes where the one before leads is true of any table of addresses of code.  */
static bool
is_row (const struct mtb_search *s, uint64_t begin, uint64_t n)
{
  uint64_t branches = 0;
  if (n < TB_MTB_FIND_LEAST)
    return false;
  for (uint64_t i = begin + 1; i < begin + n; i++)
    branches += !packet_at (s, i).atomic;
  return branches >= TB_MTB_FIND_LEAST / 2 && branches >= n / 8;
}

/* Is packet NUMBER in one of the COUNT AREAS?  */
static bool
is_taken (const struct tb_mtb_area *areas, size_t count, uint64_t number)
{
  for (size_t i = 0; i < count; i++)
    if (PACKET * number - areas[i].offset < PACKET * areas[i].packets
	&& PACKET * number >= areas[i].offset)
      return true;
  return false;
}

/* The longest row in none of the COUNT AREAS: packets [*FIRST, *FIRST + *N).  False: there is
   none.  */
static bool
find_longest (const struct mtb_search *s, const struct tb_mtb_area *areas, size_t count,
	      uint64_t *first, uint64_t *n)
{
  *n = 0;
  for (uint64_t i = 0, begin = 0; i < s->count; i++)
    if (!is_link (s, i))
      {
	uint64_t length = i + 1 - begin;
	if (length > *n && length >= TB_MTB_FIND_LEAST && !is_taken (areas, count, begin)
	    && !is_taken (areas, count, i) && is_row (s, begin, length))
	  {
	    *n = length;
	    *first = begin;
	  }
	begin = i + 1;
      }
  return *n > 0;
}

/* How many of the N packets from FIRST on, which is the oldest, were written up to the halt.
   Behind the newest there may be those of an earlier run that begin as if behind a pause: what
   comes behind a pause is only taken if it alone leads to the halt.  0: it is not known.  */
static uint64_t
count_written (struct mtb_search *s, uint64_t first, uint64_t n)
{
  uint64_t paused = 0, halted = 0;
  unsigned halts = 0;
  for (uint64_t i = 1; i <= n; i++)
    if (i == n || packet_at (s, first + i).start)
      {
	paused = paused == 0 ? i : paused;
	if (leads_to_halt (s, first + i - 1))
	  {
	    halted = i;
	    halts++;
	  }
      }
  uint64_t written = halts == 0 ? paused : halts == 1 ? halted : 0;
  return is_row (s, first, written) ? written : 0;
}

/* Settle what the row of N packets from FIRST on is part of: of all packets, if EXACT.  */
static void
find_area (struct mtb_search *s, uint64_t address, bool exact, uint64_t first, uint64_t n,
	   struct tb_mtb_area *area)
{
  uint64_t skew = exact ? 0 : address / PACKET, pointer, least = TB_MTB_FIND_LEAST;
  *area = (struct tb_mtb_area) { .packets = 0 };
  /* All of the row is in the area.  */
  while (least < n)
    least *= 2;
  for (uint64_t size = exact ? s->count : least; size <= s->count; size *= 2)
    {
      uint64_t at = (first + skew) & ~(size - 1);
      /* Where the newest is the last one, and leads on behind it, that is no end.  */
      if (at >= skew && at - skew + size <= s->count
	  && size >= TB_MTB_FIND_LEAST && is_round (s, at - skew, size, &pointer)
	  && (pointer != 0 || !is_link (s, at - skew + size - 1)))
	*area = (struct tb_mtb_area) {
	  .offset = PACKET * (at - skew), .length = PACKET * size,
	  .pointer = PACKET * pointer, .wrapped = true, .round = pointer == size,
	  .packets = size
	};
    }
  if (area->packets >= n)
    {
      uint64_t begin = 0;
      if (area->round)
	area->sure = find_sure (s, area->offset / PACKET, area->packets, &begin);
      area->sure_first = PACKET * begin;
      return;
    }
  uint64_t written = count_written (s, first, n);
  if (written == 0)
    {
      *area = (struct tb_mtb_area) {
	.offset = PACKET * first, .length = PACKET * n, .round = true, .packets = n
      };
      return;
    }
  n = written;
  /* What was not yet written round begins where the area does.  */
  uint64_t size = 2;
  while (size <= n)
    size *= 2;
  *area = (struct tb_mtb_area) {
    .offset = PACKET * first, .length = PACKET * size, .pointer = PACKET * n,
    .packets = n
  };
  if (first + size <= s->count)
    return;
  /* It does not fit in there, so that it begins or ends elsewhere.  */
  area->open = true;
  area->cut = !exact && first + n == s->count;
  /* Without as many bytes before it as are lacking behind it the newest ones
     are taken, all of them if their size is that of a buffer.  */
  if (n == size / 2 || first < size - n)
    {
      size /= 2;
      area->offset = PACKET * (first + n - size);
      area->length = PACKET * size;
      area->pointer = 0;
      area->wrapped = true;
      area->packets = size;
      area->older = n - size;
    }
}

/* Does the newest packet of AREA lead to the halt?  */
static bool
ends_at_halt (struct mtb_search *s, const struct tb_mtb_area *area)
{
  uint64_t n = area->packets;
  return !area->round
	 && leads_to_halt (s, area->offset / PACKET + (area->pointer / PACKET + n - 1) % n);
}

int
tb_mtb_leads_to (const uint8_t packet[PACKET], uint64_t pc, const struct tb_memmap *map,
		 const struct tb_profile *profile, struct tb_mtb_effort *effort)
{
  struct tb_follow_options options = { .wait_is_branch = false };
  struct mtb_search s = {
    .data = packet, .count = 1, .halt_pc = &pc, .follow = tb_follow_new (map, profile, &options),
    .effort = effort, .hole = { .first = 1 }
  };
  bool leads = s.follow != NULL && leads_to_halt (&s, 0);
  s.failed |= s.follow == NULL;
  tb_follow_free (s.follow);
  return s.failed ? -1 : leads;
}

int
tb_mtb_find (struct tb_mtb_area *areas, int most, const uint8_t *data, uint64_t address,
	     uint64_t length, bool exact, const uint64_t *halt_pc,
	     const struct tb_memmap *map, const struct tb_profile *profile,
	     struct tb_mtb_effort *effort)
{
  uint64_t skip = -address % PACKET, first = 0, n;
  if (!profile->is_m || length < skip + PACKET * TB_MTB_FIND_LEAST)
    return 0;
  if (length - skip > effort->bytes)
    {
      effort->spent = true;
      length = skip + effort->bytes;
    }
  effort->bytes -= length - skip;
  if (length - skip < PACKET)
    return 0;
  struct tb_follow_options options = { .wait_is_branch = false };
  struct mtb_search s = {
    .data = data + skip, .count = (length - skip) / PACKET,
    .halt_pc = halt_pc, .follow = tb_follow_new (map, profile, &options),
    .effort = effort, .hole = { .first = 1 }
  };
  int found = 0;
  s.links = calloc ((size_t) (s.count / 8 + 1), 1);
  s.failed = s.follow == NULL || s.links == NULL;
  if (!s.failed)
    find_links (&s);
  while (!s.failed && found < most && find_longest (&s, areas, (size_t) found, &first, &n))
    {
      struct tb_mtb_area *area = &areas[found++];
      find_area (&s, address + skip, exact, first, n, area);
      area->at_halt = ends_at_halt (&s, area);
      area->pauses = count_pauses (&s, area->offset / PACKET, area->packets,
				   area->round ? area->packets
				   : area->pointer / PACKET % area->packets);
    }
  for (int i = 0; i < found; i++)
    areas[i].offset += skip;
  tb_follow_free (s.follow);
  free (s.links);
  return s.failed ? -1 : found;
}
