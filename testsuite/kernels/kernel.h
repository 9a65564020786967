/* A small kernel of tasks, for recorded runs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Tasks with priorities, a tick, queues, and mutexes that lend their holder the priority
   of who waits.  A port (port-*.c) switches between tasks the way that kernels in use
   do on its core: the registers that exceptions do not save go to the task's stack, and
   what the stack pointer is then is the first member of the task (not so port-zephyr.c).  */

#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

#define NOINLINE __attribute__ ((noinline))
#define PRIORITIES 5

struct item
{
  struct item *next, *previous;
  struct list *in;
  struct task *owner;
  uint32_t value;
};

struct list
{
  uint32_t count;
  struct item end;
};

struct task
{
  uint32_t *top;		/* Of the stack, while it does not run.  */
  uint32_t *limit;		/* Of the stack.  */
  struct item state, event;
  uint32_t priority, own_priority;
  char name[8];
#ifdef PORT_THREADX
  uint32_t runs;		/* How often it went on.  */
#endif
#ifdef PORT_ZEPHYR
  uint32_t saved[9];		/* R4 to r11 and the stack pointer, while it waits.  */
  uint32_t mask, result;	/* Of the switch that it waits in.  */
#endif
};

struct queue
{
  struct list readers, writers;
  uint32_t *slots;
  uint32_t first, count, room;
};

struct mutex
{
  struct list waiting;
  struct task *holder;
};

extern struct task *volatile running;

/* The kernel.  */
void task_create (struct task *task, const char *name, void (*entry) (void *),
		  void *argument, uint32_t *stack, uint32_t words,
		  uint32_t priority);
void kernel_start (void);
void kernel_tick (void);
void kernel_switch (void);
void task_delay (uint32_t ticks);
void queue_init (struct queue *queue, uint32_t *slots, uint32_t room);
void queue_send (struct queue *queue, uint32_t value);
uint32_t queue_receive (struct queue *queue);
int queue_send_from_interrupt (struct queue *queue, uint32_t value);
void mutex_init (struct mutex *mutex);
void mutex_lock (struct mutex *mutex);
void mutex_unlock (struct mutex *mutex);

/* The port.  */
uint32_t *port_stack (uint32_t *top, uint32_t *limit, void (*entry) (void *),
		      void *argument);
void port_start (void);
void port_enter (void);		/* A critical section; they nest.  */
void port_leave (void);

/* These ports find out beforehand which task is next; of the first it may be none.  */
#if defined PORT_THREADX || defined PORT_ZEPHYR
# define PICKS 1
extern struct task *volatile chosen;
void kernel_pick (void);
#endif

/* The next task, now or when the critical section is over.  */
#define ICSR (*(volatile uint32_t *) 0xe000ed04)
#define PEND_SWITCH (1u << 28)
#ifdef PORT_M3
# define port_yield() (ICSR = PEND_SWITCH, ({ __asm volatile ("dsb\n\tisb" : : : "memory"); }))
#else
void port_yield (void);
#endif

#endif /* KERNEL_H */
