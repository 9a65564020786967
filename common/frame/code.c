/* Code that ran.  See code.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "frame/code.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "recording/facts.h"

/* How many steps on either side of the asked one are looked at; a caller that
   goes from step to step causes reads of half as many at a time.  */
#define REACH 512

/* Bytes where an instruction ran are marked in lines of 64, kept in a table
   where two lines of one place push each other out: forgetting is harmless.  */
#define LINE UINT64_C (64)
#define LINES 1024

struct code_line
{
  uint64_t address;		/* A multiple of LINE.  */
  uint64_t ran;			/* Bit N: byte N; 0: the line is not in use.  */
  uint8_t space;		/* enum tb_space  */
};

struct tb_code
{
  struct tb_recording *recording;
  struct tb_state *state;
  const struct tb_visits *visits;
  uint64_t begin, end;		/* Steps BEGIN to END - 1 are marked.  */
  struct code_line lines[LINES];
};

struct tb_code *
tb_code_new (struct tb_recording *recording, struct tb_state *state)
{
  struct tb_code *code = calloc (1, sizeof *code);
  if (code == NULL)
    return NULL;
  code->recording = recording;
  code->state = state;
  return code;
}

void
tb_code_set_visits (struct tb_code *code, const struct tb_visits *visits)
{
  code->visits = visits;
}

void
tb_code_free (struct tb_code *code)
{
  free (code);
}

static size_t
place_of (uint64_t address)
{
  return address / LINE % LINES;
}

/* The bytes of STEP as they are in memory: code is little-endian (DDI 0406, A3.3.1),
   in T32 halfword by halfword.  */
static void
instruction_bytes (const struct tb_step *step, uint8_t bytes[4])
{
  uint32_t opcode = step->opcode;
  if (step->isa == TB_ISA_T32 && step->size == 4)
    opcode = opcode << 16 | opcode >> 16;
  for (unsigned i = 0; i < step->size; i++)
    bytes[i] = (uint8_t) (opcode >> 8 * i);
}

/* Do the dumps hold STEP?  What a log says need not be in them.  */
static bool
is_dumped (const struct tb_code *code, const struct tb_step *step)
{
  uint8_t dumped[4], ran[4];
  const struct tb_memmap *map = tb_recording_memmap (code->recording);
  if (tb_recording_facts (code->recording) == NULL)
    return true;
  if (map == NULL
      || tb_memmap_read (map, step->space, step->pc, dumped, step->size)
	 != step->size)
    return false;
  instruction_bytes (step, ran);
  return memcmp (dumped, ran, step->size) == 0;
}

static void
mark (struct tb_code *code, const struct tb_step *step)
{
  if (!is_dumped (code, step))
    return;
  for (uint64_t address = step->pc, end = step->pc + step->size;
       address != end; address++)
    {
      struct code_line *line = &code->lines[place_of (address)];
      uint64_t start = address & ~(LINE - 1);
      if (line->address != start || line->space != step->space)
	*line = (struct code_line) { start, 0, step->space };
      line->ran |= UINT64_C (1) << address % LINE;
    }
}

/* Mark the steps BEGIN to END - 1, as far as there are any.  */
static void
mark_steps (struct tb_code *code, uint64_t begin, uint64_t end)
{
  struct tb_step steps[64];
  while (begin < end)
    {
      size_t want = end - begin < 64 ? (size_t) (end - begin) : 64;
      size_t count = tb_recording_read (code->recording, begin, steps, want);
      for (size_t i = 0; i < count; i++)
	mark (code, &steps[i]);
      if (count < want)
	return;
      begin += count;
    }
}

/* Find out what ran near step NUMBER.  */
static void
look_near (struct tb_code *code, uint64_t number)
{
  uint64_t steps = tb_recording_steps (code->recording);
  uint64_t begin = number > REACH ? number - REACH : 0;
  uint64_t end = steps - number > REACH ? number + REACH : steps;
  if (number < code->begin || number >= code->end)
    {
      mark_steps (code, begin, end);
      code->begin = begin;
      code->end = end;
      return;
    }
  if (code->end < end && code->end - number < REACH / 2)
    {
      mark_steps (code, code->end, end);
      code->end = end;
    }
  if (code->begin > begin && number - code->begin < REACH / 2)
    {
      mark_steps (code, begin, code->begin);
      code->begin = begin;
    }
}

/* An instruction ran where the LENGTH bytes at ADDRESS are: set those that are not
   known and are what the dumps hold.  */
static void
take_dump (const struct tb_code *code, uint64_t number, enum tb_space space,
	   uint64_t address, uint8_t *bytes, uint8_t *origins, size_t length)
{
  const struct tb_memmap *map = tb_recording_memmap (code->recording);
  uint8_t dump[LINE];
  if (memchr (origins, TB_UNKNOWN, length) == NULL)
    return;
  /* Mostly all of it.  */
  if (length <= LINE
      && tb_state_holds_code (code->state, number, space, address,
			      (unsigned) length)
      && tb_memmap_read (map, space, address, dump, length) == length)
    {
      for (size_t i = 0; i < length; i++)
	if (origins[i] == TB_UNKNOWN)
	  {
	    bytes[i] = dump[i];
	    origins[i] = TB_STATED;
	  }
      return;
    }
  for (size_t i = 0; i < length;)
    {
      /* A word at a time.  */
      size_t end = i + (4 - (address + i) % 4);
      if (end > length)
	end = length;
      bool asked = false, holds = false;
      for (; i < end; i++)
	{
	  if (origins[i] != TB_UNKNOWN)
	    continue;
	  if (!asked)
	    holds = tb_state_holds_code (code->state, number, space,
					 address + i, (unsigned) (end - i));
	  asked = true;
	  if (holds
	      && tb_memmap_read (map, space, address + i, &bytes[i], 1) == 1)
	    origins[i] = TB_STATED;
	}
    }
}

/* Fill in what ran near.  */
static void
fill_near (const struct tb_code *code, uint64_t number, enum tb_space space,
	   uint64_t address, uint8_t *bytes, uint8_t *origins, size_t length)
{
  for (size_t begin = 0; begin < length;)
    {
      /* What there is of one line.  */
      uint64_t at = address + begin;
      size_t rest = (size_t) (LINE - at % LINE);
      size_t end = length - begin < rest ? length : begin + rest;
      const struct code_line *line = &code->lines[place_of (at)];
      bool here = line->address == (at & ~(LINE - 1)) && line->space == space;
      uint64_t ran = here ? line->ran >> at % LINE : 0;
      for (size_t i = begin; i < end && ran != 0;)
	{
	  size_t stop = i;
	  while (stop < end && (ran & 1) != 0)
	    {
	      stop++;
	      ran >>= 1;
	    }
	  take_dump (code, number, space, address + i, &bytes[i], &origins[i],
		     stop - i);
	  if (stop < end)
	    {
	      i = stop + 1;
	      ran >>= 1;
	    }
	  else
	    i = stop;
	}
      begin = end;
    }
}

/* Fill in what ran anywhere.  A log may have run what is not in the dumps.  */
static void
fill_visited (const struct tb_code *code, uint64_t number,
	      enum tb_space space, uint64_t address, uint8_t *bytes,
	      uint8_t *origins, size_t length)
{
  if (code->visits == NULL || tb_recording_facts (code->recording) != NULL)
    return;
  for (size_t i = 0; i < length;)
    {
      uint64_t same;
      bool ran = tb_visits_ran (code->visits, space, address + i, &same);
      size_t n = same == 0 || same > length - i ? length - i : (size_t) same;
      if (ran)
	take_dump (code, number, space, address + i, &bytes[i], &origins[i],
		   n);
      i += n;
    }
}

bool
tb_code_is_certain (struct tb_state *state, struct tb_recording *recording,
		    uint64_t number, const struct tb_step *step)
{
  uint8_t ran[4], held[4], origins[4];
  if (step->size == 0)
    return false;
  if (tb_recording_facts (recording) != NULL
      || tb_state_holds_code (state, number, step->space, step->pc,
			      step->size))
    return true;
  /* What was stored there may be known.  */
  instruction_bytes (step, ran);
  if (tb_state_memory (state, number, step->pc, held, origins, step->size)
      != step->size)
    return false;
  return memchr (origins, TB_ASSUMED, step->size) == NULL
	 && memcmp (ran, held, step->size) == 0;
}

/* Fill in STEP itself.  */
static void
fill_step (const struct tb_code *code, uint64_t number,
	   const struct tb_step *step, uint64_t address, uint8_t *bytes,
	   uint8_t *origins, size_t length)
{
  uint64_t ahead = address - step->pc, behind = step->pc - address;
  if ((ahead >= step->size && behind >= length)
      || !tb_code_is_certain (code->state, code->recording, number, step))
    return;
  uint8_t ran[4];
  instruction_bytes (step, ran);
  for (unsigned i = 0; i < step->size; i++)
    {
      uint64_t at = step->pc + i - address;
      if (at < length && origins[at] == TB_UNKNOWN)
	{
	  bytes[at] = ran[i];
	  origins[at] = TB_STATED;
	}
    }
}

void
tb_code_fill (struct tb_code *code, uint64_t number,
	      const struct tb_step *step, uint64_t address, uint8_t *bytes,
	      uint8_t *origins, size_t length)
{
  if (memchr (origins, TB_UNKNOWN, length) == NULL)
    return;
  look_near (code, number);
  fill_step (code, number, step, address, bytes, origins, length);
  fill_near (code, number, step->space, address, bytes, origins, length);
  fill_visited (code, number, step->space, address, bytes, origins, length);
}
