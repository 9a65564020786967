/* Tasks as threads.  See tasks.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: DDI 0403, B1.5.6; DDI 0553, B3.18.  */

#include "config.h"
#include "tasks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arm/machine/m-frame.h"
#include "interrupted.h"
#include "kernel-states.h"
#include "kernels.h"
#include "recording/level-names.h"
#include "recording/open-calls.h"
#include "run.h"
#include "slices.h"
#include "state/effect.h"
#include "threads.h"

#define EXC_RETURN_PSP 4

/* Those of core NUMBER; NULL: it has none that are threads.  */
static const struct tb_tasks *
shown (struct client *c, size_t number)
{
  struct target *t = threads_target (c, number);
  if (!t->tasks_as_threads || c->nthreads > THREADS_CORES_MOST)
    return NULL;
  const struct tb_tasks *tasks = target_tasks (t);
  return tb_tasks_count (tasks) != 0 ? tasks : NULL;
}

unsigned
tasks_count (struct client *c, size_t number)
{
  return (unsigned) tb_tasks_count (shown (c, number));
}

/* The task that core NUMBER runs where C stands; 0: none, or not known.  */
static unsigned
runner (struct client *c, size_t number)
{
  const struct tb_task_slice *slice = tb_tasks_at (shown (c, number),
						   threads_position (c, number));
  return slice != NULL ? slice->task : 0;
}

unsigned
tasks_runner_at (struct client *c, uint64_t position)
{
  const struct tb_task_slice *slice = tb_tasks_at (shown (c, c->thread), position);
  return slice != NULL ? slice->task : 0;
}

bool
tasks_listed (struct client *c, struct thread_id id)
{
  struct tb_task_standing standing;
  if (id.task == 0)
    return runner (c, id.core) == 0 || c->follows_core
	   || (c->chosen.core == id.core && c->chosen.task == 0);
  tb_task_stand (shown (c, id.core), id.task, threads_position (c, id.core), &standing);
  return standing.state != TB_TASK_LOST && !standing.beyond
	 && (standing.slice != NULL || standing.next != NULL);
}

void
tasks_stop (struct client *c)
{
  /* A step of the core's thread is that of no other.  */
  bool core = c->follows_core || c->chose_core || (c->steps && c->stepped == 0);
  c->task = core ? 0 : runner (c, c->thread);
  /* LLDB lets the one alone run that it steps, and goes on stepping for ever where another one is
     said to have stopped.  GDB 13 ends with an internal error then, where it steps over a
     breakpoint.  */
  if ((c->is_lldb || c->steps_over) && c->steps && c->stepped != 0
      && tasks_listed (c, (struct thread_id) { c->thread, c->stepped }))
    c->task = c->stepped;
  c->user = c->chosen = (struct thread_id) { c->thread, c->task };
  c->steps = false;
  c->stop_told = true;
}

void
tasks_leave (struct client *c)
{
  c->task = 0;
  for (size_t i = 0; c->threads != NULL && i < c->nthreads; i++)
    c->threads[i].task = 0;
}

void
tasks_forget (struct client *c)
{
  tasks_leave (c);
  c->user.task = c->chosen.task = 0;
  c->resumed = (struct thread_id) { SIZE_MAX, 0 };
}

void
tasks_stand (struct client *c, unsigned number, struct tb_task_standing *standing)
{
  tb_task_stand (shown (c, c->thread), number, c->position, standing);
}

/* Put what is known of the words that the exception before step HANDLER stacked, before step
   NUMBER, into VALUES, in place of what they were then: some kernels write to them.  */
static void
read_frame (struct target *t, const struct tb_moment *moment, uint64_t handler,
	    struct tb_value *values)
{
  uint8_t bytes[TB_M_FRAME_SIZE], origins[TB_M_FRAME_SIZE];
  struct tb_value entry[TB_NREGS_MAX];
  tb_state_registers (t->state, handler, entry);
  const struct tb_value *lr = &entry[TB_LR];
  if (lr->origin == TB_UNKNOWN || !(lr->mask & EXC_RETURN_PSP))
    return;
  const struct tb_value *sp = &entry[lr->bits & EXC_RETURN_PSP ? TB_PSP : TB_SP];
  if (!tb_moment_whole (sp, 4) || sp->origin == TB_ASSUMED)
    return;
  target_memory (t, moment, sp->bits, bytes, origins, sizeof bytes);
  for (unsigned i = 0; i < TB_M_FRAME_GENERAL; i++)
    {
      uint32_t word = 0;
      bool known = true, assumed = false;
      for (unsigned k = 0; k < 4; k++)
	{
	  word |= (uint32_t) bytes[4 * i + k] << 8 * k;
	  known &= origins[4 * i + k] != TB_UNKNOWN;
	  assumed |= origins[4 * i + k] == TB_ASSUMED;
	}
      if (known)
	values[tb_m_frame_regs[i]]
	  = (struct tb_value) { .bits = word, .mask = UINT64_MAX,
				.origin = assumed ? TB_ASSUMED : TB_DERIVED };
    }
}

/* Put the registers with which a task that STANDING tells of waits at MOMENT into VALUES, and its
   PC into *PC.  False: they are not known.  */
static bool
read_waiting (struct client *c, const struct tb_task_standing *standing,
	      const struct tb_moment *moment, struct tb_value *values, uint64_t *pc)
{
  struct target *t = c->target;
  const struct tb_open_exceptions *all = interrupted_find (c);
  struct tb_open_exception open;
  if (all == NULL || standing->unsure != UINT64_MAX || standing->beyond)
    return false;
  if (standing->state == TB_TASK_UNSEEN)
    {
      uint64_t first, over, from = standing->next->step;
      from = slices_pass_handlers (all, t->last, from - 1, false, from, &first, &over);
      tb_state_registers (t->state, from, values);
      return position_pc (t, from, pc);
    }
  if (standing->state != TB_TASK_WAITS || standing->address == TB_BACK_NONE)
    return false;
  uint64_t left;
  bool ran = slices_left (all, standing->slice, moment->number, &left);
  *pc = standing->address & ~UINT64_C (1);
  /* What the function that it waits in keeps of its registers is not told.  */
  if (standing->slice->by_call)
    return true;
  /* Of a slice in which it made no step its registers are those of the one before, of which the
     recording may have the frame alone.  */
  if (!ran && standing->slice->suspended != 0)
    return true;
  if (ran)
    tb_state_after (t->state, left, values);
  if (ran && tb_open_exceptions_at (all, left, &open, 1) == 0)
    {
      struct tb_value *psr = &values[TB_PSR];
      psr->bits &= ~(uint64_t) TB_PSR_IPSR;
      psr->mask |= TB_PSR_IPSR;
    }
  read_frame (t, moment, ran ? left + 1 : 0, values);
  return true;
}

bool
tasks_see (struct client *c, const struct tb_moment *moment, struct tb_moment *view)
{
  struct tb_task_standing standing;
  struct tb_value values[TB_NREGS_MAX] = { { .origin = TB_UNKNOWN } };
  const struct tb_tasks *tasks = shown (c, c->thread);
  uint64_t pc;
  if (c->task > tb_tasks_count (tasks))
    return false;
  tb_task_stand (tasks, c->task, moment->number, &standing);
  if (standing.state == TB_TASK_RUNS)
    return false;
  bool known = read_waiting (c, &standing, moment, values, &pc);
  tb_moment_wait (c->target->moments, moment, values, known ? &pc : NULL, view);
  return true;
}

bool
tasks_put_name (struct client *c, struct thread_id id, struct tb_buffer *text)
{
  if (id.task == 0)
    return false;
  const struct tb_tasks *tasks = shown (c, id.core);
  struct tb_task_standing standing;
  char *name = tb_task_name (tb_tasks_get (tasks, id.task));
  tb_task_stand (tasks, id.task, threads_position (c, id.core), &standing);
  text->failed |= name == NULL;
  const char *title = kernels_title (threads_target (c, id.core), id.task);
  if (title != NULL)
    tb_buffer_printf (text, "%s (", title);
  tb_buffer_printf (text, "%s%s%s", name != NULL ? name : "",
		    standing.unsure != UINT64_MAX ? "?" : "", title != NULL ? ")" : "");
  free (name);
  return true;
}

/* Append what the kernel of T knows of its task NUMBER at POSITION; RUNS: it runs.  */
static void
put_kernel (struct target *t, unsigned number, uint64_t position, bool runs,
	    struct tb_buffer *text)
{
  int64_t priority;
  if (kernels_priority (t, number, position, &priority))
    tb_buffer_printf (text, ", priority %" PRId64, priority);
  const char *state = kernels_state (t, number, position);
  if (state != NULL && !(runs && kernel_state_runs (state)))
    tb_buffer_printf (text, ", %s", state);
}

bool
tasks_put_standing (struct client *c, struct thread_id id, struct tb_buffer *text)
{
  struct target *t = threads_target (c, id.core);
  uint64_t position = threads_position (c, id.core);
  struct tb_task_standing standing;
  tb_task_stand (shown (c, id.core), id.task, position, &standing);
  bool runs = standing.state == TB_TASK_RUNS;
  tb_task_put_standing (text, &standing, t->symbols);
  put_kernel (t, id.task, position, runs, text);
  return runs;
}

void
tasks_put_kernel (struct target *t, unsigned number, uint64_t position, struct tb_buffer *text)
{
  struct tb_task_standing standing;
  const char *title = kernels_title (t, number);
  if (title == NULL)
    return;
  tb_task_stand (target_tasks (t), number, position, &standing);
  tb_buffer_printf (text, "; the kernel: %s", title);
  put_kernel (t, number, position, standing.state == TB_TASK_RUNS, text);
}
