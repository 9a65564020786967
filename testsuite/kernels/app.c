/* Five tasks for the kernel: measurements go by queues from one to the next, two share
   a table under a mutex; the idle task computes.  With BUG one more task audits the table now
   and then, and one of them has a bug (bugs.h).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "kernel.h"

#ifdef __ARM_FP
/* Tasks compute with floating point numbers, too.  */
# define STACK_WORDS 224
typedef float number;
# define EIGHTH(x) ((x) * 0.125f)
#else
# define STACK_WORDS 160
typedef int32_t number;
# define EIGHTH(x) ((x) >> 3)
#endif

extern uint32_t stack_top[];

void Reset_Handler (void);
void SVC_Handler (void);
void PendSV_Handler (void);
void SysTick_Handler (void);
void Sensor_Handler (void);
void unexpected (void);

#ifdef BUG
enum { SENSOR, CONTROL, FILTER, AUDIT, LOGGER, IDLE, TASKS };

/* Below a stack is the task before.  */
static struct
{
  uint32_t stack[STACK_WORDS];
  struct task task;
} stacks[TASKS] __attribute__ ((aligned (8)));
# define TASK(i) (&stacks[i].task)
# define STACK(i) stacks[i].stack
#else
enum { SENSOR, CONTROL, FILTER, LOGGER, IDLE, TASKS };

static struct task tasks[TASKS];
static uint32_t stacks[TASKS][STACK_WORDS] __attribute__ ((aligned (8)));
# define TASK(i) (&tasks[i])
# define STACK(i) stacks[i]
#endif
static struct queue samples, results;
static uint32_t sample_slots[4], result_slots[3];
static struct mutex table_mutex;
static int32_t table[8];
static number weights[4] = { 3, 5, -2, 7 };
static char log_text[64];
static uint32_t log_at, interrupts, sums[8];

#include "bugs.h"

void
unexpected (void)
{
  for (;;)
    ;
}

__attribute__ ((section (".vectors"), used))
static const uintptr_t vectors[18] = {
  (uintptr_t) stack_top, (uintptr_t) Reset_Handler,
  (uintptr_t) unexpected, (uintptr_t) unexpected, (uintptr_t) unexpected,
  (uintptr_t) unexpected, (uintptr_t) unexpected, (uintptr_t) unexpected,
#ifdef PICKS
  [11] = (uintptr_t) unexpected,
#else
  [11] = (uintptr_t) SVC_Handler,
#endif
  [14] = (uintptr_t) PendSV_Handler, (uintptr_t) SysTick_Handler,
  (uintptr_t) Sensor_Handler, (uintptr_t) unexpected
};

void
SysTick_Handler (void)
{
  kernel_tick ();
}

void
Sensor_Handler (void)
{
  interrupts++;
  queue_send_from_interrupt (&samples, 1000 + interrupts % 50);
}

static NOINLINE uint32_t
measure (uint32_t seed, int depth)
{
  if (depth == 0)
    return seed * 1103515245 + 12345;
  return measure (seed ^ (seed >> 3), depth - 1) + (uint32_t) depth;
}

static void
sensor_task (void *argument)
{
  uint32_t seed = (uint32_t) (uintptr_t) argument;
  for (;;)
    {
      seed = measure (seed, 2 + (seed & 1));
      queue_send (&samples, seed >> 22);
      sensor_measured (seed);
      task_delay (1 + (seed >> 30));
    }
}

static NOINLINE void
adjust (int32_t *cells, int count, int32_t by)
{
  for (int i = 0; i < count; i++)
    cells[i] += by - (cells[i] >> 4);
}

static void
control_task (void *argument)
{
  number step = (int32_t) (intptr_t) argument;
  for (;;)
    {
      mutex_lock (&table_mutex);
      adjust (table, 8, (int32_t) step);
      mutex_unlock (&table_mutex);
      step = -step + 1;
      task_delay (2);
    }
}

static NOINLINE number
fir (const number *taps, number *history, number sample)
{
  number sum = 0;
  for (int i = 3; i > 0; i--)
    {
      history[i] = history[i - 1];
      sum += taps[i] * history[i];
    }
  history[0] = sample;
  return EIGHTH (sum + taps[0] * sample);
}

static void
filter_task (void *argument)
{
  number history[4];
  (void) argument;
  for (int i = 0; i < 4; i++)
    history[i] = 0;
  for (;;)
    {
      uint32_t sample = queue_receive (&samples);
      number value = fir (weights, history, (int32_t) sample);
      mutex_lock (&table_mutex);
      table[sample & 7] += (int32_t) value;
      value += (number) table[(sample >> 3) & 7];
      mutex_unlock (&table_mutex);
      queue_send (&results, (uint32_t) (int32_t) value);
    }
}

static NOINLINE void
put_char (char c)
{
  log_text[log_at] = c;
  log_at = (log_at + 1) % sizeof log_text;
}

static NOINLINE void
put_hex (uint32_t value)
{
  if (value >= 16)
    put_hex (value >> 4);
  put_char ("0123456789abcdef"[value & 15]);
}

static void
logger_task (void *argument)
{
  char mark = (char) (uintptr_t) argument;
  for (;;)
    {
      uint32_t value = queue_receive (&results);
      put_hex (value & 0xffff);
      put_char (mark);
      logger_wrote (value);
    }
}

static NOINLINE uint32_t
crc (const uint8_t *data, uint32_t size)
{
  uint32_t value = 0xffffffff;
  while (size-- > 0)
    {
      value ^= *data++;
      for (int i = 0; i < 8; i++)
	value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0);
    }
  return ~value;
}

static void
idle_task (void *argument)
{
  const uint8_t *code = argument;
  for (uint32_t round = 0;; round++)
    {
      sums[round & 7] ^= crc (code + (round & 63) * 8, 8);
#ifdef PORT_THREADX
      /* Then no task is ready.  */
      if ((round & 3) == 3)
	task_delay (1);
#endif
    }
}

void
Reset_Handler (void)
{
  static const struct
  {
    const char *name;
    void (*entry) (void *);
    uint32_t argument, priority;
  } made[TASKS] = {
    { "sensor", sensor_task, 77, 4 }, { "control", control_task, 21, 3 },
    { "filter", filter_task, 0, 2 },
#ifdef BUG
    { "audit", audit_task, 30, 3 },
#endif
    { "logger", logger_task, '|', 1 },
    { "idle", idle_task, CODE, 0 }
  };
#ifdef __ARM_FP
  *(volatile uint32_t *) 0xe000ed88 |= 15 << 20;
  __asm volatile ("dsb\n\tisb" : : : "memory");
#endif
#ifdef PORT_THREADX
  /* Priorities: PendSV lowest, SysTick and the interrupt above it.  */
  *(volatile uint32_t *) 0xe000ed20 = 0xa0c00000;
#else
  /* Priorities: PendSV and SysTick lowest, SVC and the interrupt above them.  */
  *(volatile uint32_t *) 0xe000ed20 = 0xc0c00000;
#endif
  *(volatile uint32_t *) 0xe000e400 = 0x80;
  *(volatile uint32_t *) 0xe000e100 = 1;
  queue_init (&samples, sample_slots, 4);
  queue_init (&results, result_slots, 3);
  mutex_init (&table_mutex);
  for (int i = 0; i < TASKS; i++)
    task_create (TASK (i), made[i].name, made[i].entry,
		 (void *) (uintptr_t) made[i].argument, STACK (i), STACK_WORDS,
		 made[i].priority);
  kernel_start ();
  for (;;)
    ;
}
