/* What the names of registers in Tarmac logs mean.  See tarmac.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/exception.h"
#include "recording/tarmac.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct
{
  const char *spelt, *name;
  uint8_t role;
  uint32_t psr_mask;
} special[] = {
  { "r15", "pc", TB_ROLE_PC, 0 }, { "pc", "pc", TB_ROLE_PC, 0 },
  { "xpsr", "psr", TB_ROLE_PSR, UINT32_MAX },
  { "cpsr", "psr", TB_ROLE_PSR, UINT32_MAX },
  { "psr", "psr", TB_ROLE_PSR, UINT32_MAX },
  { "apsr", "psr", TB_ROLE_PSR, UINT32_C (0xf80f0000) },
  { "apsr_nzcv", "psr", TB_ROLE_PSR, TB_PSR_NZCV },
  { "nzcv", "psr", TB_ROLE_PSR, TB_PSR_NZCV },
  { "ipsr", "psr", TB_ROLE_PSR, TB_PSR_IPSR },
  { "msp", "msp", TB_ROLE_MSP, 0 }, { "psp", "psp", TB_ROLE_PSP, 0 },
  /* Models of the M profile call them so.  */
  { "r13_main", "msp", TB_ROLE_MSP, 0 },
  { "r13_process", "psp", TB_ROLE_PSP, 0 },
  { "sp_main", "msp", TB_ROLE_MSP, 0 },
  { "sp_process", "psp", TB_ROLE_PSP, 0 },
  { "control", "control", TB_ROLE_CONTROL, 0 }, { "vtor", "vtor", TB_ROLE_VTOR, 0 },
  { "r13", "sp", TB_ROLE_BANKED, 0 }, { "sp", "sp", TB_ROLE_BANKED, 0 },
  { "r14", "lr", TB_ROLE_BANKED, 0 }, { "lr", "lr", TB_ROLE_BANKED, 0 },
  { "r8", "r8", TB_ROLE_BANKED, 0 }, { "r9", "r9", TB_ROLE_BANKED, 0 },
  { "r10", "r10", TB_ROLE_BANKED, 0 }, { "r11", "r11", TB_ROLE_BANKED, 0 },
  { "r12", "r12", TB_ROLE_BANKED, 0 }
};

static bool
all_digits (const char *text)
{
  for (; *text >= '0' && *text <= '9'; text++)
    ;
  return *text == 0;
}

bool
tb_tarmac_name (struct tb_tarmac_name *to, const char *text, size_t length)
{
  *to = (struct tb_tarmac_name) { .role = TB_ROLE_PLAIN, .lanes = 1 };
  if (length == 0 || length + 4 > sizeof to->name)
    return false;
  for (size_t i = 0; i < length; i++)
    {
      char c = text[i];
      to->name[i] = c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
    }
  for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
    if (strcmp (to->name, special[i].spelt) == 0)
      {
	strcpy (to->name, special[i].name);
	to->role = special[i].role;
	to->psr_mask = special[i].psr_mask;
	return true;
      }
  /* "r1 (usr)" is "r1_usr".  */
  char *open = strchr (to->name, '('), *close = strchr (to->name, ')');
  if (open != NULL && close != NULL && open > to->name)
    {
      char *p = open;
      while (p > to->name && p[-1] == ' ')
	p--;
      *close = 0;
      *p = '_';
      memmove (p + 1, open + 1, strlen (open + 1) + 1);
      /* There is one of each of these, but for r8 to r12 of FIQ mode.  */
      if (to->name[0] == 'r' && strcmp (p, "_usr") == 0
	  && strncmp (to->name, "r13", 3) != 0
	  && strncmp (to->name, "r14", 3) != 0)
	*p = 0;
    }
  /* A write of 32 bits clears the upper half (DDI 0487, C6).  A dialect calls x15
     E15.  */
  if ((to->name[0] == 'w' || to->name[0] == 'e') && all_digits (to->name + 1))
    to->name[0] = 'x';
  if (to->name[0] == 'x' && all_digits (to->name + 1))
    to->lanes = 2;
  else if (strncmp (to->name, "sp_el", 5) == 0)
    to->lanes = 2;
  /* "r13_svc": a bank by name.  System mode has the registers of user mode.  */
  else if (strncmp (to->name, "r13_", 4) == 0
	   || strncmp (to->name, "r14_", 4) == 0)
    {
      char bank[40];
      strcpy (bank, to->name + 4);
      snprintf (to->name, sizeof to->name, "%s_%s",
		to->name[2] == '3' ? "sp" : "lr",
		strcmp (bank, "sys") == 0 ? "usr" : bank);
    }
  return true;
}

/* Does TEXT begin with BEGINNING, whatever the case?  */
static bool
starts (struct tb_tarmac_word text, const char *beginning)
{
  size_t n = strlen (beginning);
  return text.length >= n && strncasecmp (text.text, beginning, n) == 0;
}

static bool
ends (struct tb_tarmac_word text, const char *end)
{
  size_t n = strlen (end);
  return text.length >= n
	 && strncasecmp (text.text + text.length - n, end, n) == 0;
}

/* Names of exceptions: letters alone, in lower case.  */
static const struct
{
  const char *name;
  uint16_t number;
} exceptions[] = {
  { "nmi", 2 }, { "hardfault", 3 }, { "memmanage", 4 },
  { "memmanagefault", 4 }, { "busfault", 5 }, { "usagefault", 6 },
  { "securefault", 7 }, { "svcall", 11 }, { "svc", 11 },
  { "debugmonitor", 12 }, { "debugmon", 12 }, { "pendsv", 14 },
  { "systick", 15 },
  /* Of which kind they are these do not say.  */
  { "irq", TB_EXCEPTION_UNKNOWN }, { "fiq", TB_EXCEPTION_UNKNOWN },
  { "interrupt", TB_EXCEPTION_UNKNOWN },
  { "externalinterrupt", TB_EXCEPTION_UNKNOWN },
  { "extint", TB_EXCEPTION_UNKNOWN }, { "exc", TB_EXCEPTION_UNKNOWN },
  { "exception", TB_EXCEPTION_UNKNOWN },
  { "undefinedinstruction", TB_EXCEPTION_UNKNOWN },
  { "undef", TB_EXCEPTION_UNKNOWN }, { "prefetchabort", TB_EXCEPTION_UNKNOWN },
  { "dataabort", TB_EXCEPTION_UNKNOWN }, { "abort", TB_EXCEPTION_UNKNOWN },
  { "serror", TB_EXCEPTION_UNKNOWN }, { "hvc", TB_EXCEPTION_UNKNOWN },
  { "smc", TB_EXCEPTION_UNKNOWN }, { "lockup", TB_EXCEPTION_UNKNOWN }
}, numbered[] = {
  /* NUMBER is that of number 0.  */
  { "irq", 16 }, { "interrupt", 16 }, { "externalinterrupt", 16 },
  { "int", 16 }, { "extint", 16 }, { "intisr", 16 },
  { "exc", 0 }, { "exception", 0 }
};

/* Which of AArch64's exceptions NAME is, as models or cycle models call it; false:
   none.  */
static bool
is_aarch64 (struct tb_tarmac_word name, uint16_t *number)
{
  static const char *const kinds[] = { "sync", "irq", "fiq", "serr" };
  static const struct { const char *model, *cycles; } from[] = {
    { "CoreEvent_CURRENT_SP0_", "Current EL with SP_EL0" },
    { "CoreEvent_CURRENT_SPx_", "Current EL with SP_ELx" },
    { "CoreEvent_LOWER_64_", "Lower EL using AArch64" },
    { "CoreEvent_LOWER_32_", "Lower EL using AArch32" }
  };
  for (unsigned i = 0; i < 4; i++)
    {
      struct tb_tarmac_word kind = name;
      size_t n = strlen (from[i].model);
      if (starts (name, from[i].model))
	{
	  kind.text += n;
	  kind.length -= (uint32_t) n;
	}
      else if (!ends (name, from[i].cycles))
	continue;
      for (unsigned k = 0; k < 4; k++)
	if (starts (kind, kinds[k]))
	  {
	    *number = (uint16_t) (TB_EXCEPTION_AARCH64 + 4 * i + k);
	    return true;
	  }
    }
  return false;
}

/* Which kind of exception NAME is, as logs of ours call those of other profiles than M;
   false: none.  */
static bool
is_kind (struct tb_tarmac_word name, uint16_t *number)
{
  static const char own[] = TB_TARMAC_EXCEPTION "_";
  const size_t n = sizeof own - 1;
  for (unsigned kind = 0; starts (name, own) && kind <= TB_EXC_MONITOR; kind++)
    {
      const char *text = tb_exception_kind_name ((enum tb_exception) kind);
      bool same = text != NULL && strlen (text) == name.length - n;
      for (size_t i = 0; same && text[i] != 0; i++)
	same = name.text[n + i] == (text[i] == ' ' ? '_' : text[i]);
      if (same)
	{
	  *number = (uint16_t) (TB_EXCEPTION_KIND + kind);
	  return true;
	}
    }
  return false;
}

/* The last vector of the M profile.  */
#define VECTOR_LAST 511

enum tb_tarmac_event
tb_tarmac_event (const struct tb_tarmac_line *line, uint16_t *number)
{
  struct tb_tarmac_word name = line->name;
  char text[24];
  unsigned n = 0, value = 0;
  bool digits = false;
  *number = TB_EXCEPTION_UNKNOWN;
  if (ends (name, "reset"))
    {
      *number = 1;
      return TB_TARMAC_EVENT_RESET;
    }
  if (starts (name, "debugevent") || starts (name, "debug state"))
    return TB_TARMAC_EVENT_DEBUG;
  if (line->has_number)
    {
      if (starts (name, "CoreEvent_ModeChange"))
	return TB_TARMAC_EVENT_NONE;
      if (!is_aarch64 (name, number) && !is_kind (name, number)
	  && line->number < TB_EXCEPTION_UNKNOWN)
	*number = (uint16_t) line->number;
      return TB_TARMAC_EVENT_EXCEPTION;
    }
  if (is_aarch64 (name, number))
    return TB_TARMAC_EVENT_EXCEPTION;
  for (uint32_t i = 0; i < name.length; i++)
    {
      char ch = name.text[i];
      if (ch >= '0' && ch <= '9' && value <= VECTOR_LAST)
	{
	  value = value * 10 + (unsigned) (ch - '0');
	  digits = true;
	}
      else if (strchr (" _#[]()", ch) == NULL && n < sizeof text - 1)
	text[n++] = ch >= 'A' && ch <= 'Z' ? (char) (ch - 'A' + 'a') : ch;
    }
  text[n] = 0;
  /* Names that only the M profile has tell more than what is in brackets, which is its
     number there.  */
  bool only_m = false;
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
    only_m |= !digits && exceptions[i].number < 16 && strcmp (text, "svc") != 0
	      && strcmp (text, exceptions[i].name) == 0;
  if (line->exception && line->has_vector && !only_m)
    {
      /* Of AArch32 here.  */
      if (line->vector < 32)
	*number = (uint16_t) (TB_EXCEPTION_AARCH32 + line->vector / 4);
      else if (line->vector < 0x800 && line->vector % 128 == 0)
	*number = (uint16_t) (TB_EXCEPTION_AARCH64 + line->vector / 128);
      return TB_TARMAC_EVENT_EXCEPTION;
    }
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
    if (!digits && strcmp (text, exceptions[i].name) == 0)
      {
	*number = exceptions[i].number;
	return TB_TARMAC_EVENT_EXCEPTION;
      }
  for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++)
    if (digits && strcmp (text, numbered[i].name) == 0)
      {
	if (numbered[i].number + value <= VECTOR_LAST)
	  *number = (uint16_t) (numbered[i].number + value);
	return TB_TARMAC_EVENT_EXCEPTION;
      }
  if (line->exception && line->number != 0 && line->number <= VECTOR_LAST)
    *number = (uint16_t) line->number;
  return line->exception ? TB_TARMAC_EVENT_EXCEPTION : TB_TARMAC_EVENT_UNKNOWN;
}
