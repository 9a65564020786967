/* What levels are called.  See level-names.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/level-names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/element.h"
#include "decode/exception.h"
#include "util/buffer.h"

/* Exceptions of the M profile by number (DDI 0553, B3.9 "Exception numbers and
   exception priority numbers").  */
static const char *const m_names[16] = {
  [1] = "Reset", [2] = "NMI", [3] = "HardFault", [4] = "MemManage",
  [5] = "BusFault", [6] = "UsageFault", [7] = "SecureFault", [11] = "SVCall",
  [12] = "DebugMonitor", [14] = "PendSV", [15] = "SysTick"
};

/* The name of exception NUMBER of the A profile, as logs tell it, into TEXT; false: it is
   a number of a protocol's own.  */
static bool
put_a_name (struct tb_buffer *text, unsigned number)
{
  static const char *const kinds[4] = { "synchronous", "IRQ", "FIQ", "SError" };
  static const char *const from[4] = { " (SP0)", "", " (lower EL)",
				       " (lower EL, AArch32)" };
  static const char *const aarch32[8] = {
    "Reset", "undefined instruction", "SVC", "prefetch abort", "data abort", "HVC",
    "IRQ", "FIQ"
  };
  if (number - TB_EXCEPTION_AARCH64 < 16)
    tb_buffer_printf (text, "%s%s", kinds[number % 4], from[number / 4 % 4]);
  else if (number - TB_EXCEPTION_AARCH32 < 8)
    tb_buffer_printf (text, "%s", aarch32[number % 8]);
  else
    return false;
  return true;
}

bool
tb_exception_put_name (struct tb_buffer *text, unsigned number, unsigned kind,
		       const struct tb_profile *profile)
{
  bool told = number != TB_EXCEPTION_UNKNOWN;
  if (profile->is_m && told && number >= 16)
    tb_buffer_printf (text, "IRQ %u", number - 16u);
  else if (profile->is_m && told && m_names[number] != NULL)
    tb_buffer_printf (text, "%s", m_names[number]);
  else if (profile->is_m && told)
    return false;
  else if (!told || !put_a_name (text, number))
    {
      const char *name = tb_exception_kind_name ((enum tb_exception) kind);
      if (name == NULL)
	return false;
      tb_buffer_printf (text, "%s", name);
    }
  return true;
}

char *
tb_task_name (const struct tb_task *task)
{
  struct tb_buffer text = { 0 };
  char *function = task->function != NULL
		   ? tb_symbols_demangle (task->function->name) : NULL, *name;
  tb_buffer_printf (&text, "task %u", task->number);
  if (function != NULL)
    tb_buffer_printf (&text, " %s", function);
  name = text.failed ? NULL : strndup ((const char *) text.data, text.size);
  free (function);
  tb_buffer_fini (&text);
  return name;
}

char *
tb_level_name (const struct tb_level *level, const struct tb_profile *profile)
{
  struct tb_buffer text = { 0 };
  char *name = NULL;
  if (level->kind == TB_LEVEL_TASK)
    {
      char *task = tb_task_name (level->task);
      if (task != NULL)
	tb_buffer_printf (&text, "[%s]", task);
      text.failed |= task == NULL;
      free (task);
      if (!text.failed)
	name = strndup ((const char *) text.data, text.size);
      tb_buffer_fini (&text);
      return name;
    }
  if (level->function != NULL)
    return tb_symbols_demangle (level->function->name);
  if (level->kind != TB_LEVEL_EXCEPTION && level->address != 0)
    tb_buffer_printf (&text, "%#" PRIx64, level->address);
  else if (level->kind != TB_LEVEL_EXCEPTION)
    tb_buffer_printf (&text, "[unknown]");
  else
    {
      tb_buffer_append (&text, "[", 1);
      if (!tb_exception_put_name (&text, level->number, level->taken, profile))
	tb_buffer_printf (&text, level->number == TB_EXCEPTION_UNKNOWN ? "exception"
			  : "exception %u", level->number);
      tb_buffer_append (&text, "]", 1);
    }
  if (!text.failed)
    name = strndup ((const char *) text.data, text.size);
  tb_buffer_fini (&text);
  return name;
}
