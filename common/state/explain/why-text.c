/* Explanations in words.  See why.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "state/explain/why.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state/answer/sve.h"

static const struct
{
  const char *name, *words;
} rules[] = {
  [TB_WHY_UNKNOWN] = { "unknown", "made of what is not known" },
  [TB_WHY_TRACE] = { "trace", "the instruction, or the way that the trace went, "
		     "says so" },
  [TB_WHY_LOG] = { "log", "the log says so" },
  [TB_WHY_FRAME] = { "frame", "the frame has it" },
  [TB_WHY_MARKED] = { "marked", "assumed: the frame has it, marked so by who wrote the file" },
  [TB_WHY_DATA] = { "data", "data trace says so" },
  [TB_WHY_HALT] = { "halt", "it is so at the halt" },
  [TB_WHY_BORDER] = { "window", "the steps before or after this one say so "
				"(--window)" },
  [TB_WHY_START] = { "start", "it is so at the start of the trace, as was said "
			      "(--start)" },
  [TB_WHY_FUNCTION] = { "constants", "assumed: a constant of the function" },
  [TB_WHY_MEMORY] = { "memory", "memory that does not change, or the dump, "
		      "holds it" },
  [TB_WHY_OPERATION] = { "operation", "an instruction ties it to" },
  [TB_WHY_SAME] = { "same", "it is another value plus a constant:" },
  [TB_WHY_ACCESS] = { "access", "memory has carried it:" },
  [TB_WHY_KEPT] = { "aapcs", "assumed: a call has kept it:" },
  [TB_WHY_TASK] = { "tasks", "assumed: a task that waited has kept it:" },
  [TB_WHY_SAVED] = { "frames", "assumed: saved on a stack, it stayed there:" },
  [TB_WHY_OBJECT] = { "objects", "assumed: the address that is in the object it was computed "
		      "from" },
  [TB_WHY_CONDITION] = { "condition", "a condition chooses:" },
  [TB_WHY_FEW] = { "few", "every other of the few values that it could have had "
		   "leads to a contradiction" },
  [TB_WHY_BEGIN] = { "begin", "nothing tells what it was: it is from before what "
		     "the trace shows, or the instruction does not say" },
  [TB_WHY_LOADED] = { "loaded", "loaded from an address that is not known" },
  [TB_WHY_CONTENTS] = { "contents", "what memory held is not known" },
  [TB_WHY_DISPUTED] = { "disputed", "data trace contradicts what memory held, and neither "
			"is relied on" },
  [TB_WHY_TRACE_RAM] = { "trace-ram", "the trace unit writes there, and what memory held is not "
			 "known" },
  [TB_WHY_STORE] = { "store", "a store that may have written there" }
};

const char *
tb_why_name (enum tb_why_rule rule)
{
  return rules[rule].name;
}

const char *
tb_why_words (enum tb_why_rule rule)
{
  return rules[rule].words;
}

const char *
tb_why_origin_name (unsigned origin)
{
  static const char *const names[] = {
    [TB_UNKNOWN] = "unknown", [TB_STATED] = "stated",
    [TB_DERIVED] = "certain", [TB_ASSUMED] = "assumed"
  };
  return names[origin];
}

void
tb_why_verdict_text (char *text, size_t size, const struct tb_why_verdict *v)
{
  if (v->whole)
    snprintf (text, size, "0x%" PRIx64 ", %s", v->value,
	      tb_why_origin_name (v->origin));
  else
    snprintf (text, size, "%s", v->origin != TB_UNKNOWN ? "not wholly known"
							 : "not known");
}

static bool
number (const char *text, char **end, uint64_t *value)
{
  errno = 0;
  *value = strtoull (text, end, 0);
  return *text >= '0' && *text <= '9' && errno == 0;
}

/* The register of PROFILE that NAME is: APSR is its flags.  */
static bool
find_register (struct tb_why_query *q, const struct tb_profile *profile,
	       const char *name)
{
  unsigned size;
  int number = tb_reg_typed (profile, strcmp (name, "apsr") == 0 ? "psr" : name, &size);
  if (number < 0)
    return false;
  q->number = (uint8_t) number;
  q->size = (uint8_t) size;
  return true;
}

/* The FP or vector register of PROFILE that NAME is, or is part of.  */
static bool
find_vector (struct tb_why_query *q, const struct tb_profile *profile,
	     const char *name)
{
  bool wide = profile->has_a64;
  static const char *const controls[2][2] = { { "fpscr", NULL },
					      { "fpcr", "fpsr" } };
  q->kind = TB_WHY_VECTOR;
  for (unsigned i = 0; i < 2 && controls[wide][i] != NULL; i++)
    if (strcmp (name, controls[wide][i]) == 0)
      {
	q->number = (uint8_t) (TB_FPSCR + i);
	q->size = 4;
	return true;
      }
  char *end;
  if (name[0] == 0 || strchr ("sdv", name[0]) == NULL || name[1] < '0'
      || name[1] > '9')
    return false;
  unsigned long n = strtoul (name + 1, &end, 10);
  q->size = name[0] == 's' ? 4 : 8;
  q->number = (uint8_t) n;
  if (name[0] == 'v')
    {
      q->address = strcmp (end, ".d[1]") == 0 ? 8 : 0;
      return wide && n < TB_FPSCR
	     && (q->address != 0 || strcmp (end, ".d[0]") == 0);
    }
  if (name[0] == 's' && !wide)
    {
      q->address = 4 * (n % 2);
      q->number = (uint8_t) (n / 2);
    }
  return *end == 0 && n < (profile->is_m && name[0] == 'd' ? 16 : TB_FPSCR);
}

bool
tb_why_parse (struct tb_why_query *q, const struct tb_profile *profile,
	      const char *text)
{
  static const char flags[] = "nzcv";
  char *end;
  *q = (struct tb_why_query) { .kind = TB_WHY_REGISTER };
  if (find_register (q, profile, text))
    return true;
  if (text[0] != 0 && text[1] == 0 && strchr (flags, text[0]) != NULL)
    {
      q->kind = TB_WHY_FLAG;
      q->number = (uint8_t) (strchr (flags, text[0]) - flags);
      return true;
    }
  if (find_vector (q, profile, text))
    return true;
  q->kind = TB_WHY_BYTES;
  q->address = 0;
  q->size = profile->has_a64 ? 8 : 4;
  if (!number (text, &end, &q->address))
    return false;
  if (*end == ':')
    {
      uint64_t size;
      if (!number (end + 1, &end, &size) || size == 0 || size > 8)
	return false;
      q->size = (uint8_t) size;
    }
  return *end == 0;
}

/* The halves of the vector register that TEXT is, q registers of AArch32 two D
   registers; 0: it is none.  */
static unsigned
parse_halves (struct tb_why_named named[2], const struct tb_profile *profile,
	      const char *text)
{
  char *end;
  bool wide = profile->has_a64;
  if ((text[0] != 'q' && !(wide && text[0] == 'v')) || text[1] < '0'
      || text[1] > '9')
    return 0;
  unsigned long n = strtoul (text + 1, &end, 10);
  if (*end != 0 || n >= TB_FPSCR)
    return 0;
  for (unsigned i = 0; i < 2; i++)
    {
      if (wide)
	snprintf (named[i].name, sizeof named[i].name, "v%lu.d[%u]", n, i);
      else
	snprintf (named[i].name, sizeof named[i].name, "d%lu", 2 * n + i);
      if (!tb_why_parse (&named[i].query, profile, named[i].name))
	return 0;
    }
  return 2;
}

/* The SVE register that TEXT begins with, of enum tb_sve_reg, *END what is behind it;
   TB_NSVE: none.  */
static unsigned
sve_register (const char *text, const char **end)
{
  if (strncmp (text, "ffr", 3) == 0)
    {
      *end = text + 3;
      return TB_SVE_FFR;
    }
  char *rest;
  unsigned long most = text[0] == 'z' ? TB_SVE_P : text[0] == 'p' ? TB_SVE_FFR - TB_SVE_P
								  : 0;
  if (most == 0 || text[1] < '0' || text[1] > '9')
    return TB_NSVE;
  unsigned long n = strtoul (text + 1, &rest, 10);
  *end = rest;
  return n < most ? (text[0] == 'z' ? 0 : TB_SVE_P) + (unsigned) n : TB_NSVE;
}

/* The parts of the SVE register that TEXT is, vectors having LENGTH bytes; or the one part
   of a Z register (z0.d[1]); 0: it is none.  */
static unsigned
parse_scalable (struct tb_why_named named[TB_WHY_NAMES], unsigned length,
		const char *text)
{
  const char *end;
  unsigned reg = sve_register (text, &end), count = 0;
  if (length == 0 || reg == TB_NSVE)
    return 0;
  unsigned size = tb_sve_size (length, reg);
  for (unsigned at = 0; at < size; at += 8)
    {
      struct tb_why_named *n = &named[count];
      unsigned part = size - at < 8 ? size - at : 8;
      char name[8];
      n->query = (struct tb_why_query) { .kind = TB_WHY_SVE, .number = (uint8_t) reg,
					 .size = (uint8_t) part, .address = at };
      tb_sve_name (reg, name);
      if (reg < TB_SVE_P)
	snprintf (n->name, sizeof n->name, "%s.d[%u]", name, at / 8);
      else if (size > 8)
	snprintf (n->name, sizeof n->name, "%s<%u:%u>", name, 8 * (at + part) - 1, 8 * at);
      else
	snprintf (n->name, sizeof n->name, "%s", name);
      count += *end == 0 || strcmp (text, n->name) == 0;
    }
  return count;
}

/* Is TEXT a register of a peripheral?  */
static bool
parse_peripheral (struct tb_why_named *named, const struct tb_svd *svd,
		  const char *text)
{
  struct tb_svd_found found;
  if (svd == NULL || !tb_svd_find (svd, text, strlen (text), &found)
      || found.reg == NULL || found.field != NULL)
    return false;
  named->query = (struct tb_why_query) {
    .kind = TB_WHY_BYTES, .address = found.reg->address, .size = (uint8_t) found.reg->bytes
  };
  snprintf (named->name, sizeof named->name, "%s", text);
  return true;
}

unsigned
tb_why_parse_all (struct tb_why_named named[TB_WHY_NAMES],
		  const struct tb_profile *profile, unsigned sve,
		  const struct tb_svd *svd, const char *text)
{
  static const char *const flags[] = { "n", "z", "c", "v" };
  unsigned count = parse_halves (named, profile, text);
  unsigned status = profile->has_a64 ? TB_PSTATE : TB_PSR;
  if (count == 0)
    count = parse_scalable (named, sve, text);
  if (count != 0)
    return count;
  bool all = strcmp (text, "nzcv") == 0;
  if (!all)
    {
      if (!tb_why_parse (&named[0].query, profile, text))
	return parse_peripheral (&named[0], svd, text);
      snprintf (named[count++].name, sizeof named[0].name, "%s", text);
      if (named[0].query.kind != TB_WHY_REGISTER
	  || named[0].query.number != status)
	return count;
    }
  for (unsigned i = 0; i < 4; i++, count++)
    {
      tb_why_parse (&named[count].query, profile, flags[i]);
      snprintf (named[count].name, sizeof named[count].name, "%s", flags[i]);
    }
  return count;
}

void
tb_why_unnamed (struct tb_buffer *text, const char *core, const struct tb_svd *svd,
		const char *name)
{
  struct tb_svd_found found;
  const char *dot = strchr (name, '.'), *end;
  size_t length = dot != NULL ? (size_t) (dot - name) : strlen (name);
  bool described = svd != NULL && tb_svd_find (svd, name, length, &found);
  if (sve_register (name, &end) != TB_NSVE && (*end == 0 || *end == '.'))
    tb_buffer_printf (text, "%.100s is a register, or a part, that SVE has; of these only "
		      "lines of Tarmac logs tell, and none tells of it", name);
  else if (described && dot == NULL)
    tb_buffer_printf (text, "%.100s is a peripheral; expected one of its registers, "
		      "%.100s.REGISTER", name, name);
  else if (described)
    tb_buffer_printf (text, "peripheral %.*s has no register or field \"%.100s\" in the "
		      "device description", (int) length, name, dot + 1);
  else if (dot != NULL && svd != NULL)
    tb_buffer_printf (text, "the device description has no peripheral \"%.*s\"",
		      (int) (length < 100 ? length : 100), name);
  else if (dot != NULL)
    tb_buffer_printf (text, "\"%.100s\" would be a register of a peripheral; names of "
		      "these come with --svd=FILE", name);
  else
    tb_buffer_printf (text, "core %s has no register \"%.100s\"; expected one, a flag "
		      "(n, z, c, v; nzcv), ADDRESS[:SIZE] of up to 8 bytes, or "
		      "PERIPHERAL.REGISTER with --svd", core, name);
}

/* A line as it grows.  */
struct why_line
{
  char *text;
  size_t size, used;
};

static void __attribute__ ((format (printf, 2, 3)))
put (struct why_line *line, const char *format, ...)
{
  va_list arguments;
  if (line->used >= line->size)
    return;
  va_start (arguments, format);
  int n = vsnprintf (line->text + line->used, line->size - line->used, format,
		     arguments);
  va_end (arguments);
  line->used = n < 0 ? line->size : line->used + (size_t) n;
}

/* The PC of STEP; false: it is not known (the end of some traces).  */
static bool
pc_of (struct tb_recording *recording, uint64_t step, uint64_t *pc)
{
  const struct tb_recording_info *info = tb_recording_info (recording);
  struct tb_step one;
  bool known = tb_recording_read (recording, step, &one, 1) == 1;
  *pc = known ? one.pc : info->end_pc;
  return known || (step == info->steps && info->end_known);
}

/* ADDRESS, and what is there.  */
static void
put_address (struct why_line *line, uint64_t address, const struct tb_svd *svd)
{
  struct tb_buffer name = { 0 };
  put (line, ", at 0x%" PRIx64, address);
  if (svd != NULL && tb_svd_put_name (svd, &name, address, 1, false) && !name.failed)
    put (line, " (%.*s)", (int) name.size, (const char *) name.data);
  tb_buffer_fini (&name);
}

void
tb_why_line (char *text, size_t size, struct tb_recording *recording,
	     const struct tb_svd *svd, const struct tb_why *items, size_t at)
{
  struct why_line line = { text, size, 0 };
  const struct tb_why *w = &items[at];
  uint64_t pc;
  if (size != 0)
    *text = 0;
  if (w->known)
    put (&line, "0x%08" PRIx64 " of step %" PRIu64, w->value, w->step);
  else
    put (&line, "step %" PRIu64, w->step);
  if (pc_of (recording, w->step, &pc))
    put (&line, ", pc 0x%08" PRIx64, pc);
  if (w->rule == TB_WHY_OPERATION && w->from_count == 0)
    put (&line, ": an instruction makes it of constants, or of what is known in "
	 "part");
  else
    put (&line, ": %s", rules[w->rule].words);
  if (w->rule == TB_WHY_CONTENTS || w->rule == TB_WHY_DISPUTED || w->rule == TB_WHY_TRACE_RAM)
    put_address (&line, w->operands[1], svd);
  if (!w->known && w->from_count != 0)
    put (&line, ":");
  size_t length = strlen (rules[w->rule].words);
  if (w->from_count == 0 && rules[w->rule].words[length - 1] == ':')
    put (&line, " ...");
  for (unsigned k = 0; k < w->from_count; k++)
    {
      const struct tb_why *from = &items[w->from[k]];
      put (&line, k != 0 ? " and" : "");
      if (from->known)
	put (&line, " 0x%08" PRIx64 " of", from->value);
      put (&line, " step %" PRIu64, from->step);
    }
  if (w->partly && w->from_count != 0)
    put (&line, ", and what is known in part");
}
