/* One of three bugs for the program in app.c, by BUG, whose causes are long over when it stops.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   OVERFLOW  the logger writes a number by a recursion that is too deep for its stack, below which
   is what the kernel has of the task "audit"
   STALE  the logger gives a block of memory back and adds to it once more when it is audit's
   HANDLE  the sensor keeps one measurement more than there is room for: behind them is the
   queue that audit sends to

   Audit sleeps for AUDIT_TICKS and then uses what was overwritten.  */
#ifndef BUGS_H
#define BUGS_H

#define OVERFLOW 1
#define STALE 2
#define HANDLE 3
#ifndef AUDIT_TICKS
# define AUDIT_TICKS 60
#endif

#ifndef BUG
# define logger_wrote(value)
# define sensor_measured(value)
#else

static void adjust (int32_t *cells, int count, int32_t by);
static void put_char (char c);

/* A pool of blocks.  */
static union block
{
  union block *next;
  struct
  {
    int32_t *cells;
    uint32_t count;
  } plan;			/* Of audit.  */
  struct
  {
    uint32_t mixed, lines;
  } tally;			/* Of logger.  */
} blocks[3] = { { &blocks[1] }, { &blocks[2] }, { 0 } }, *free_blocks = blocks;

static NOINLINE union block *
take_block (void)
{
  port_enter ();
  union block *block = free_blocks;
  free_blocks = block->next;
  port_leave ();
  return block;
}

static NOINLINE void
give_block (union block *block)
{
  port_enter ();
  block->next = free_blocks;
  free_blocks = block;
  port_leave ();
}

/* Every second measurement, and where the number of audits goes.  */
static struct
{
  uint32_t last[7];
  struct queue *audits;
} kept = { { 0 }, &results };
static uint32_t measurements;

static void
sensor_measured (uint32_t value)
{
  uint32_t at = measurements++ >> 1 & (BUG == HANDLE ? 7 : 3);
  kept.last[at] = value;
}

static NOINLINE void
put_binary (uint32_t value, uint32_t digits)
{
  if (digits > 1)
    put_binary (value >> 1, digits - 1);
  put_char ("01"[value & 1]);
}

static uint32_t lines;
static union block *tally;

static NOINLINE void
add_to_tally (uint32_t value)
{
  tally->tally.mixed = (tally->tally.mixed ^ value) * 2654435761u;
}

static void
logger_wrote (uint32_t value)
{
  lines++;
  if (BUG == OVERFLOW && lines == 32)
    put_binary (value, DIGITS);
  if (BUG != STALE)
    return;
  if (lines == 1)
    tally = take_block ();
  if (lines == 1 || lines == 32)
    add_to_tally (value);
  if (lines == 2)
    give_block (tally);
}

static void
audit_task (void *argument)
{
  int32_t step = (int32_t) (intptr_t) argument;
  task_delay (6);
  union block *block = take_block ();
  block->plan.cells = table;
  block->plan.count = 8;
  for (uint32_t audits = 0;; audits++)
    {
      task_delay (AUDIT_TICKS);
      adjust (block->plan.cells, (int) block->plan.count, step);
      queue_send (kept.audits, audits);
    }
}

#endif
#endif /* BUGS_H */
