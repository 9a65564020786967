/* The kernel.  See kernel.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "kernel.h"

struct task *volatile running;
static struct list ready[PRIORITIES], sleeping;
static volatile uint32_t now;

static void
list_init (struct list *list)
{
  list->count = 0;
  list->end.next = list->end.previous = &list->end;
  list->end.value = UINT32_MAX;
}

/* By their values, behind equal ones.  */
static NOINLINE void
list_add (struct list *list, struct item *item)
{
  struct item *at = list->end.next;
  while (at != &list->end && at->value <= item->value)
    at = at->next;
  item->next = at;
  item->previous = at->previous;
  at->previous->next = item;
  at->previous = item;
  item->in = list;
  list->count++;
}

static NOINLINE void
list_remove (struct item *item)
{
  item->next->previous = item->previous;
  item->previous->next = item->next;
  item->in->count--;
  item->in = 0;
}

#ifdef BUG
/* A task was found in a state that the kernel does not know.  */
NOINLINE void
stop_at (struct task *task)
{
  __asm volatile ("udf #0" : : "r" (task));
}
# define MUST(task, condition) ((condition) ? (void) 0 : stop_at (task))
#else
# define MUST(task, condition)
#endif

#ifdef PICKS
struct task *volatile chosen;

/* Of the most urgent ones that are ready the first is next.  */
NOINLINE void
kernel_pick (void)
{
  uint32_t priority = PRIORITIES;
  while (priority > 0 && ready[priority - 1].count == 0)
    priority--;
  chosen = priority > 0 ? ready[priority - 1].end.next->owner : 0;
}

/* While no task runs each is more urgent, but need not be asked for.  */
# define URGENCY (running != 0 ? running->priority : 0)
#else
# define kernel_pick()
# define URGENCY (running->priority)
#endif

static void
make_ready (struct task *task)
{
  MUST (task, task->own_priority < PRIORITIES);
  task->state.value = 0;
  list_add (&ready[task->priority], &task->state);
  kernel_pick ();
}

void
task_create (struct task *task, const char *name, void (*entry) (void *),
	     void *argument, uint32_t *stack, uint32_t words, uint32_t priority)
{
  for (unsigned i = 0; i + 1 < sizeof task->name; i++)
    {
      task->name[i] = name[i];
      if (name[i] == 0)
	break;
    }
  task->limit = stack;
  task->priority = task->own_priority = priority;
  task->state.owner = task->event.owner = task;
  task->top = port_stack (stack + words, stack, entry, argument);
#ifdef PORT_ZEPHYR
  task->saved[8] = (uint32_t) (uintptr_t) task->top;
#endif
  if (running == 0)
    {
      for (int i = 0; i < PRIORITIES; i++)
	list_init (&ready[i]);
      list_init (&sleeping);
    }
  if (running == 0 || running->priority <= priority)
    running = task;
  make_ready (task);
}

#ifndef PICKS
/* The first of the most urgent ones that are ready goes behind its like.  */
NOINLINE void
kernel_switch (void)
{
  uint32_t priority = PRIORITIES - 1;
  while (ready[priority].count == 0)
    priority--;
  struct item *first = ready[priority].end.next;
  list_remove (first);
  list_add (&ready[priority], first);
  running = first->owner;
}
#endif

void
kernel_start (void)
{
  port_start ();
}

void
kernel_tick (void)
{
  uint32_t woken = 0;
  port_enter ();
  now++;
  while (sleeping.count != 0 && sleeping.end.next->value <= now)
    {
      struct task *task = sleeping.end.next->owner;
      list_remove (&task->state);
      make_ready (task);
      woken |= task->priority >= URGENCY;
    }
  if (woken || ready[URGENCY].count > 1)
    ICSR = PEND_SWITCH;
  port_leave ();
}

NOINLINE void
task_delay (uint32_t ticks)
{
  port_enter ();
  list_remove (&running->state);
  running->state.value = now + ticks;
  list_add (&sleeping, &running->state);
  port_leave ();
  port_yield ();
}

/* The running task waits in LIST.  */
static NOINLINE void
wait_in (struct list *list)
{
  list_remove (&running->state);
  running->event.value = PRIORITIES - running->priority;
  list_add (list, &running->event);
}

/* Who waits in LIST first is ready; is it more urgent?  */
static NOINLINE int
wake (struct list *list)
{
  if (list->count == 0)
    return 0;
  struct task *task = list->end.next->owner;
  list_remove (&task->event);
  make_ready (task);
  return task->priority > URGENCY;
}

void
queue_init (struct queue *queue, uint32_t *slots, uint32_t room)
{
  list_init (&queue->readers);
  list_init (&queue->writers);
  queue->slots = slots;
  queue->first = queue->count = 0;
  queue->room = room;
}

static void
put (struct queue *queue, uint32_t value)
{
  uint32_t at = queue->first + queue->count;
  queue->slots[at >= queue->room ? at - queue->room : at] = value;
  queue->count++;
}

NOINLINE void
queue_send (struct queue *queue, uint32_t value)
{
  port_enter ();
  while (queue->count == queue->room)
    {
      wait_in (&queue->writers);
      port_leave ();
      port_yield ();
      port_enter ();
    }
  put (queue, value);
  int woken = wake (&queue->readers);
  port_leave ();
  if (woken)
    port_yield ();
}

NOINLINE uint32_t
queue_receive (struct queue *queue)
{
  port_enter ();
  while (queue->count == 0)
    {
      wait_in (&queue->readers);
      port_leave ();
      port_yield ();
      port_enter ();
    }
  uint32_t value = queue->slots[queue->first];
  queue->first = queue->first + 1 == queue->room ? 0 : queue->first + 1;
  queue->count--;
  int woken = wake (&queue->writers);
  port_leave ();
  if (woken)
    port_yield ();
  return value;
}

int
queue_send_from_interrupt (struct queue *queue, uint32_t value)
{
  int sent;
  port_enter ();
  sent = queue->count < queue->room;
  if (sent)
    {
      put (queue, value);
      if (wake (&queue->readers))
	ICSR = PEND_SWITCH;
    }
  port_leave ();
  return sent;
}

void
mutex_init (struct mutex *mutex)
{
  list_init (&mutex->waiting);
  mutex->holder = 0;
}

static NOINLINE void
set_priority (struct task *task, uint32_t priority)
{
  struct list *in = task->state.in;
  int is_ready = in >= ready && in < ready + PRIORITIES;
  if (is_ready)
    list_remove (&task->state);
  task->priority = priority;
  if (is_ready)
    make_ready (task);
}

NOINLINE void
mutex_lock (struct mutex *mutex)
{
  port_enter ();
  while (mutex->holder != 0)
    {
      if (mutex->holder->priority < running->priority)
	set_priority (mutex->holder, running->priority);
      wait_in (&mutex->waiting);
      port_leave ();
      port_yield ();
      port_enter ();
    }
  mutex->holder = running;
  port_leave ();
}

NOINLINE void
mutex_unlock (struct mutex *mutex)
{
  port_enter ();
  int lent = running->priority != running->own_priority;
  if (lent)
    set_priority (running, running->own_priority);
  mutex->holder = 0;
  int woken = wake (&mutex->waiting);
  port_leave ();
  if (woken || lent)
    port_yield ();
}
