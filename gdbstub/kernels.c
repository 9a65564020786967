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
#include "recording/open-calls.h"
#include "recording/tasks.h"
#include "snapshot/variables.h"
#include "util/number.h"

#define TITLE_MOST 31

/* The slices of a task that are looked at, from the last one back.  */
#define SLICES_MOST 16

/* Steps before the end in which they are.  */
#define LOOKED_MOST (UINT64_C (1) << 20)

/* The object of the task that runs, and members of that.  */
static const struct { const char *running, *title, *priority; } known[] = {
  { "pxCurrentTCB", "pxCurrentTCB->pcTaskName", "pxCurrentTCB->uxPriority" },
  { "_tx_thread_current_ptr", "_tx_thread_current_ptr->tx_thread_name",
    "_tx_thread_current_ptr->tx_thread_priority" },
  { "_kernel.cpus[0].current", "_kernel.cpus[0].current->name",
    "_kernel.cpus[0].current->base.prio" },
  { "osRtxInfo.thread.run.curr", "osRtxInfo.thread.run.curr->name",
    "osRtxInfo.thread.run.curr->priority" },
  { "rt_current_thread", "rt_current_thread->name", "rt_current_thread->current_priority" },
};

struct named
{
  uint64_t object;		/* 0: not known.  */
  char title[TITLE_MOST + 1];
};

struct kernel
{
  bool exists;			/* The program has one.  */
  struct tb_expression running, title, priority;	/* Addresses, the latter two.  */
  bool title_is_pointer;
  unsigned priority_size;	/* Bytes.  */
  bool priority_is_signed;
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
  free (k->priority.code);
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

/* Find out which kernel T's program has.  */
static void
look_for_kernel (struct target *t, struct kernel *k)
{
  struct tb_variables *variables = target_symbols (t) != NULL && target_prepare (t)
				   ? tb_variables_new (t->symbols, 4) : NULL;
  const struct tb_expression_scope scope = { .variables = variables, .no_pc = true,
					     .tdesc = t->tdesc };
  for (size_t i = 0; variables != NULL && i < sizeof known / sizeof known[0] && !k->exists; i++)
    {
      const struct tb_type *title, *priority;
      struct tb_expression value = { 0 };
      /* By itself an array is taken for the address of its first element.  */
      if (!compile ("&%s", known[i].title, &scope, &value, &title))
	continue;
      free (value.code);
      value = (struct tb_expression) { 0 };
      title = tb_type_target (variables, title);
      if (!compile ("%s", known[i].priority, &scope, &value, &priority))
	continue;
      free (value.code);
      k->title_is_pointer = title->kind == TB_TYPE_POINTER;
      k->priority_size = (unsigned) priority->size;
      k->priority_is_signed = priority->is_signed;
      k->exists = (title->kind == TB_TYPE_POINTER || title->kind == TB_TYPE_ARRAY)
		  && priority->size > 0 && priority->size <= 8
		  && compile ("(unsigned long) %s", known[i].running, &scope, &k->running, NULL)
		  && compile ("(unsigned long) &%s", known[i].title, &scope, &k->title, NULL)
		  && compile ("(unsigned long) &%s", known[i].priority, &scope, &k->priority,
			      NULL);
    }
  tb_variables_free (variables);
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

bool
kernels_priority (struct target *t, unsigned number, uint64_t position,
		  int64_t *priority)
{
  const struct named *n = find_named (t, number);
  uint8_t bytes[8];
  uint64_t offset;
  /* The offset is the same in all: any step will do at which one is known.  */
  if (n == NULL || *n->title == 0
      || !find_offset (t, t->kernel, &t->kernel->priority, t->last, &offset)
      || read_known (t, position, n->object + offset, bytes, t->kernel->priority_size)
	 != t->kernel->priority_size)
    return false;
  unsigned size = t->kernel->priority_size;
  uint64_t value = t->kernel->priority_is_signed && bytes[size - 1] & 0x80 ? UINT64_MAX : 0;
  for (unsigned i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  *priority = (int64_t) value;
  return true;
}
