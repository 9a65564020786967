/* What kernels call their tasks.  See kernels.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: the kernels' own sources: FreeRTOS tasks.c (10.x), ThreadX tx_thread.h (6.x), Zephyr
   kernel_structs.h (3.x), CMSIS RTX5 rtx_os.h, RT-Thread rtdef.h and scheduler.c (3.x, 4.x).
   Offsets and sizes are the program file's.  */

#include "config.h"
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/expression.h"
#include "kernel-states.h"
#include "recording/open-calls.h"
#include "recording/tasks.h"
#include "snapshot/variables.h"
#include "util/number.h"

#define TITLE_MOST 31

/* Members of an object that its state is read from.  */
#define STATE_MEMBERS 2

/* The slices of a task that are looked at, from the last one back.  */
#define SLICES_MOST 16

/* Steps before the end in which they are.  */
#define LOOKED_MOST (UINT64_C (1) << 20)

/* The object of the task that runs, and members of that.  */
static const struct
{
  const char *running, *title, *priority;
  enum kernel_kind kind;
  /* What the state is read from, as kernel_state_text has it.  */
  const char *state[STATE_MEMBERS];
} known[] = {
  { "pxCurrentTCB", "pxCurrentTCB->pcTaskName", "pxCurrentTCB->uxPriority", KERNEL_FREERTOS,
    { "pxCurrentTCB->xStateListItem.pxContainer", "pxCurrentTCB->xEventListItem.pxContainer" } },
  { "_tx_thread_current_ptr", "_tx_thread_current_ptr->tx_thread_name",
    "_tx_thread_current_ptr->tx_thread_priority", KERNEL_THREADX,
    { "_tx_thread_current_ptr->tx_thread_state" } },
  { "_kernel.cpus[0].current", "_kernel.cpus[0].current->name",
    "_kernel.cpus[0].current->base.prio", KERNEL_ZEPHYR,
    { "_kernel.cpus[0].current->base.thread_state" } },
  { "osRtxInfo.thread.run.curr", "osRtxInfo.thread.run.curr->name",
    "osRtxInfo.thread.run.curr->priority", KERNEL_RTX5, { "osRtxInfo.thread.run.curr->state" } },
  { "rt_current_thread", "rt_current_thread->name", "rt_current_thread->current_priority",
    KERNEL_RT_THREAD, { "rt_current_thread->stat" } },
};

/* What FreeRTOS calls its lists, by enum kernel_list.  */
static const char *const lists[LIST_COUNT] = {
  "pxReadyTasksLists", "xDelayedTaskList1", "xDelayedTaskList2", "xSuspendedTaskList",
  "xPendingReadyList", "xTasksWaitingTermination"
};

struct named
{
  uint64_t object;		/* 0: not known.  */
  char title[TITLE_MOST + 1];
};

/* A number in each object.  */
struct member
{
  struct tb_expression address;	/* Of that which runs.  */
  unsigned size;		/* Bytes; 0: there is none.  */
  bool is_signed;
};

struct kernel
{
  bool exists;			/* The program has one.  */
  enum kernel_kind kind;
  struct tb_expression running, title;	/* TITLE: an address.  */
  bool title_is_pointer;
  struct member priority, state[STATE_MEMBERS];
  struct kernel_span lists[LIST_COUNT];
  size_t count;
  struct named *tasks;
};

void
kernels_free (struct kernel *k)
{
  if (k == NULL)
    return;
  free (k->running.code);
  free (k->title.code);
  free (k->priority.address.code);
  for (unsigned i = 0; i < STATE_MEMBERS; i++)
    free (k->state[i].address.code);
  free (k->tasks);
  free (k);
}

/* Compile FORM, with TEXT in it, as an expression of SCOPE.  */
static bool
compile (const char *form, const char *text, const struct tb_expression_scope *scope,
	 struct tb_expression *code, const struct tb_type **type)
{
  char whole[200];
  struct tb_expression_error error;
  int length = snprintf (whole, sizeof whole, form, text);
  return tb_expression_compile (whole, (size_t) length, scope, code, type, &error);
}

/* The value of CODE at POSITION of T; false: not known.  */
static bool
evaluate (struct target *t, const struct tb_expression *code, uint64_t position,
	  uint64_t *value)
{
  const struct tb_stage stage = target_stage (t);
  struct tb_scene scene;
  struct tb_value found;
  tb_scene_init (&scene, &stage, NULL, position);
  if (tb_scene_evaluate (&scene, code, &found) != TB_AGENT_DONE
      || (found.mask & UINT32_MAX) != UINT32_MAX)
    return false;
  *value = found.bits & UINT32_MAX;
  return true;
}

/* Find the member that TEXT stands for; false: there is none.  */
static bool
find_member (const char *text, const struct tb_expression_scope *scope, struct member *m)
{
  const struct tb_type *type;
  struct tb_expression value = { 0 };
  if (text == NULL || !compile ("%s", text, scope, &value, &type))
    return false;
  free (value.code);
  if (type->size == 0 || type->size > 8
      || !compile ("(unsigned long) &%s", text, scope, &m->address, NULL))
    return false;
  m->size = (unsigned) type->size;
  m->is_signed = type->is_signed;
  return true;
}

/* What FreeRTOS called the member of a list's item in which it is, until version 9.  */
static void
find_old_lists (const struct tb_expression_scope *scope, struct kernel *k)
{
  static const char *const before[STATE_MEMBERS] = {
    "pxCurrentTCB->xStateListItem.pvContainer", "pxCurrentTCB->xEventListItem.pvContainer"
  };
  for (unsigned i = 0; i < STATE_MEMBERS; i++)
    if (k->state[i].size == 0)
      find_member (before[i], scope, &k->state[i]);
}

/* Does T's program have a function NAME?  */
static bool
has_function (const struct target *t, const char *name)
{
  size_t count;
  const struct tb_function *functions = tb_symbols_functions (t->symbols, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp (functions[i].name, name) == 0)
      return true;
  return false;
}

/* Find the lists of FreeRTOS' scheduler.  */
static void
find_lists (struct target *t, struct tb_variables *variables,
	    const struct tb_expression_scope *scope, struct kernel *k)
{
  for (unsigned i = 0; i < LIST_COUNT; i++)
    {
      const struct tb_type *type;
      struct tb_expression address = { 0 };
      uint64_t first;
      if (!compile ("&%s", lists[i], scope, &address, &type))
	continue;
      type = tb_type_target (variables, type);
      if (type->size != 0 && evaluate (t, &address, t->last, &first))
	k->lists[i] = (struct kernel_span) { first, first + type->size - 1 };
      free (address.code);
    }
}

/* Find what T's program has of what states are read from, of the kernel in row NUMBER.  */
static void
look_for_states (struct target *t, struct tb_variables *variables,
		 const struct tb_expression_scope *scope, size_t number, struct kernel *k)
{
  k->kind = known[number].kind;
  /* Numbers of states changed when threads were suspended with flags.  */
  if (k->kind == KERNEL_RT_THREAD && has_function (t, "rt_thread_suspend_with_flag"))
    k->kind = KERNEL_RT_THREAD_FLAGS;
  else if (k->kind == KERNEL_RT_THREAD && !has_function (t, "rt_thread_suspend"))
    return;
  for (unsigned i = 0; i < STATE_MEMBERS; i++)
    find_member (known[number].state[i], scope, &k->state[i]);
  if (k->kind == KERNEL_FREERTOS)
    {
      find_old_lists (scope, k);
      find_lists (t, variables, scope, k);
    }
}

/* Find out which kernel T's program has.  */
static void
look_for_kernel (struct target *t, struct kernel *k)
{
  struct tb_variables *variables = target_prepare (t) ? target_variables (t) : NULL;
  const struct tb_expression_scope scope = { .variables = variables, .no_pc = true,
					     .tdesc = t->tdesc };
  for (size_t i = 0; variables != NULL && i < sizeof known / sizeof known[0] && !k->exists; i++)
    {
      const struct tb_type *title;
      struct tb_expression value = { 0 };
      /* By itself an array is taken for the address of its first element.  */
      if (!compile ("&%s", known[i].title, &scope, &value, &title))
	continue;
      free (value.code);
      title = tb_type_target (variables, title);
      k->title_is_pointer = title->kind == TB_TYPE_POINTER;
      k->exists = (title->kind == TB_TYPE_POINTER || title->kind == TB_TYPE_ARRAY)
		  && find_member (known[i].priority, &scope, &k->priority)
		  && compile ("(unsigned long) %s", known[i].running, &scope, &k->running, NULL)
		  && compile ("(unsigned long) &%s", known[i].title, &scope, &k->title, NULL);
      if (k->exists)
	look_for_states (t, variables, &scope, i, k);
    }
}

/* LENGTH bytes at ADDRESS at POSITION of T; returns how many of the first are known.  */
static size_t
read_known (struct target *t, uint64_t position, uint64_t address, uint8_t *bytes,
	    size_t length)
{
  struct tb_moment moment;
  uint8_t origins[64];
  bool has_pc;
  size_t known_bytes = 0;
  if (!target_moment (t, position, &moment, &has_pc))
    return 0;
  target_memory (t, &moment, address, bytes, origins, length);
  while (known_bytes < length && origins[known_bytes] != TB_UNKNOWN)
    known_bytes++;
  return known_bytes;
}

/* The offset of the member that CODE gives the address of, in the object that runs at
   POSITION.  */
static bool
find_offset (struct target *t, const struct kernel *k, const struct tb_expression *code,
	     uint64_t position, uint64_t *offset)
{
  uint64_t object, address;
  if (!evaluate (t, &k->running, position, &object)
      || !evaluate (t, code, position, &address))
    return false;
  *offset = address - object;
  return true;
}

/* Read the name at OFFSET in N's object at the end of T's recording.  */
static void
read_title (struct target *t, const struct kernel *k, uint64_t offset, struct named *n)
{
  uint8_t bytes[TITLE_MOST];
  uint64_t at = n->object + offset;
  if (k->title_is_pointer)
    {
      if (read_known (t, t->last, at, bytes, 4) != 4)
	return;
      at = tb_number_32 (bytes);
    }
  size_t known_bytes = read_known (t, t->last, at, bytes, sizeof bytes), i = 0;
  while (i < known_bytes && bytes[i] >= ' ' && bytes[i] < 0x7f)
    i++;
  if (i == known_bytes || bytes[i] != 0)
    return;
  memcpy (n->title, bytes, i);
  n->title[i] = 0;
}

/* Find the object of task NUMBER into K, where that has just gone on: some kernels note the next
   one before they switch.  What the recording begins with may be no task of the kernel.  */
static void
find_object (struct target *t, struct kernel *k, unsigned number)
{
  size_t count, tried = 0;
  const struct tb_task_slice *slices = tb_tasks_slices (t->tasks, &count);
  for (size_t i = count; i-- > 0 && tried < SLICES_MOST;)
    {
      const struct tb_task_slice *slice = &slices[i];
      uint64_t object, offset;
      if (slice->task != number || slice->open || slice->begin == TB_BACK_NONE)
	continue;
      tried++;
      /* It is too much to work out all of a long recording for this.  */
      if (t->last - slice->step > LOOKED_MOST)
	return;
      if (!evaluate (t, &k->running, slice->step, &object) || object == 0
	  || !find_offset (t, k, &k->title, slice->step, &offset))
	continue;
      /* No two tasks have one; where two seem to, neither has a name.  */
      for (size_t m = 0; m < k->count; m++)
	if (k->tasks[m].object == object && m != number - 1)
	  {
	    *k->tasks[m].title = 0;
	    return;
	  }
      k->tasks[number - 1].object = object;
      read_title (t, k, offset, &k->tasks[number - 1]);
      return;
    }
}

/* That of T's task NUMBER; NULL: not known.  */
static struct named *
find_named (struct target *t, unsigned number)
{
  struct kernel *k = t->kernel;
  if (k == NULL)
    {
      t->kernel = k = calloc (1, sizeof *k);
      if (k == NULL)
	return NULL;
      look_for_kernel (t, k);
      k->count = tb_tasks_count (target_tasks (t));
      k->tasks = calloc (k->count + 1, sizeof *k->tasks);
    }
  if (!k->exists || k->tasks == NULL || number == 0 || number > k->count)
    return NULL;
  if (k->tasks[number - 1].object == 0)
    find_object (t, k, number);
  return &k->tasks[number - 1];
}

const char *
kernels_title (struct target *t, unsigned number)
{
  const struct named *n = find_named (t, number);
  return n != NULL && *n->title != 0 ? n->title : NULL;
}

/* Member M of the object of task NUMBER of T at POSITION; false: not known.  */
static bool
read_member (struct target *t, unsigned number, const struct member *m, uint64_t position,
	     uint64_t *value)
{
  const struct named *n = find_named (t, number);
  uint8_t bytes[8];
  uint64_t offset;
  /* The offset is the same in all: any step will do at which one is known.  */
  if (n == NULL || *n->title == 0 || m->size == 0
      || !find_offset (t, t->kernel, &m->address, t->last, &offset)
      || read_known (t, position, n->object + offset, bytes, m->size) != m->size)
    return false;
  *value = m->is_signed && bytes[m->size - 1] & 0x80 ? UINT64_MAX : 0;
  for (unsigned i = m->size; i-- > 0;)
    *value = *value << 8 | bytes[i];
  return true;
}

bool
kernels_priority (struct target *t, unsigned number, uint64_t position,
		  int64_t *priority)
{
  uint64_t value;
  if (find_named (t, number) == NULL
      || !read_member (t, number, &t->kernel->priority, position, &value))
    return false;
  *priority = (int64_t) value;
  return true;
}

const char *
kernels_state (struct target *t, unsigned number, uint64_t position)
{
  uint64_t values[STATE_MEMBERS] = { 0 };
  bool is_known[STATE_MEMBERS];
  if (find_named (t, number) == NULL)
    return NULL;
  const struct kernel *k = t->kernel;
  for (unsigned i = 0; i < STATE_MEMBERS; i++)
    is_known[i] = read_member (t, number, &k->state[i], position, &values[i]);
  return kernel_state_text (k->kind, values, is_known, k->lists);
}
