/* Values of registers, from the command line or a file.  See parts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A file has a register a line, NAME=VALUE or NAME VALUE, as GDB's "info registers" and
   monitor programs of probes print them; what stands behind the value is passed over.  */

#include "config.h"
#include "parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "arm/machine/regs.h"

/* Longer names are none.  */
#define NAME_ROOM 32

/* How many bits the register NAME of a core of PROFILE has: those that instructions name,
   and the PC, as many as its addresses; system registers of A64, which MRS reads, 64.  */
static unsigned
bits_of (const struct tb_profile *profile, const char *name, uint64_t value)
{
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  for (size_t i = 0; i < count; i++)
    if (strcasecmp (regs[i].name, name) == 0)
      return value > UINT32_MAX ? 64 : regs[i].bits;
  const char *level = strrchr (name, '_');
  bool wide = profile->has_a64
	      && (strcasecmp (name, "lr") == 0
		  || (level != NULL && strncasecmp (level, "_EL", 3) == 0));
  return wide || value > UINT32_MAX ? 64 : 32;
}

/* Is NAME a letter of LETTERS and a number below MOST?  */
static bool
is_numbered (const char *name, const char *letters, uint64_t most)
{
  uint64_t number;
  return strchr (letters, tolower ((unsigned char) *name)) != NULL
	 && isdigit ((unsigned char) name[1])
	 && tb_parse_u64 (name + 1, strlen (name + 1), &number) && number < most;
}

/* Is NAME one of a core of PROFILE?  System registers of A64 are by their level.  */
static bool
is_register (const struct tb_profile *profile, const char *name)
{
  static const char *const names[] = {
    "sp", "lr", "pc", "psr", "xpsr", "cpsr", "apsr", "ipsr", "epsr", "spsr", "pstate", "fpscr",
    "fpcr", "fpsr", "ffr", "vpr", "msplim", "psplim", "vtor"
  };
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  for (size_t i = 0; i < count; i++)
    if (strcasecmp (regs[i].name, name) == 0)
      return true;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcasecmp (names[i], name) == 0)
      return true;
  const char *level = strrchr (name, '_');
  return is_numbered (name, "r", 16) || is_numbered (name, "sdqv", 32)
	 || (profile->has_a64 && is_numbered (name, "xwz", 32))
	 || (profile->has_a64 && is_numbered (name, "p", 16))
	 || (profile->has_a64 && level != NULL && strncasecmp (level, "_EL", 3) == 0);
}

/* May the LENGTH characters TEXT name a register?  Others would be something else in a file of a
   snapshot, such as the begin of a section.  */
static bool
is_name (const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!isalnum ((unsigned char) text[i]) && text[i] != '_' && text[i] != '.')
      return false;
  return length > 0 && length < NAME_ROOM;
}

/* Add the register in the LENGTH characters LINE.  False: they do not name one.  DIAG, if not
   NULL, is told of a name that no register has.  */
static bool
add_one (struct tb_maker *maker, size_t device, const struct tb_profile *profile,
	 const char *line, size_t length, struct tb_diag *diag)
{
  struct tb_slice rest = tb_trim ((struct tb_slice) { line, length });
  size_t n = 0;
  while (n < rest.length && !isspace ((unsigned char) rest.text[n])
	 && rest.text[n] != '=')
    n++;
  char name[NAME_ROOM];
  if (!is_name (rest.text, n) || n == rest.length)
    return false;
  memcpy (name, rest.text, n);
  name[n] = '\0';
  rest = tb_trim ((struct tb_slice) { rest.text + n, rest.length - n });
  if (rest.length > 0 && *rest.text == '=')
    rest = tb_trim ((struct tb_slice) { rest.text + 1, rest.length - 1 });
  n = 0;
  while (n < rest.length && !isspace ((unsigned char) rest.text[n]))
    n++;
  uint64_t value;
  if (n == 0 || !tb_parse_u64 (rest.text, n, &value))
    return false;
  if (diag != NULL && !is_register (profile, name))
    tb_warning (diag, "--registers: expected the name of a register of the core, such as %s, "
		"found \"%s\"; it is written, but no register that is known here has this name",
		profile->has_a64 ? "x0, sp, pc or ELR_EL1" : "r0, sp, pc or xpsr", name);
  tb_maker_reg (maker, device, name, -1, bits_of (profile, name, value), value);
  return true;
}

/* Add those of the file PATH.  */
static bool
add_file (struct tb_maker *maker, size_t device, const struct tb_profile *profile,
	  const char *path, struct tb_diag *diag)
{
  const struct tb_file *file = tb_maker_file (maker, path);
  if (file == NULL)
    return false;
  const char *text = (const char *) file->map.data;
  size_t left = file->map.size;
  for (unsigned line = 1; left > 0; line++)
    {
      const char *end = memchr (text, '\n', left);
      size_t length = end != NULL ? (size_t) (end - text) : left;
      bool cr = length > 0 && text[length - 1] == '\r';
      struct tb_slice plain = tb_trim ((struct tb_slice) { text, length - cr });
      if (plain.length > 0 && *plain.text != '#' && *plain.text != ';'
	  && !add_one (maker, device, profile, plain.text, plain.length, NULL))
	{
	  tb_error (diag, "%s:%u: expected a register and its value, such as r0=0x20, found "
		    "\"%.*s\"", path, line,
		    (int) (plain.length < 80 ? plain.length : 80), plain.text);
	  return false;
	}
      length += end != NULL;
      text += length;
      left -= length;
    }
  return true;
}

bool
registers_add (struct tb_maker *maker, size_t device, const struct tb_profile *profile,
	       const char *text, struct tb_diag *diag)
{
  if (strchr (text, '=') == NULL)
    return add_file (maker, device, profile, text, diag);
  struct tb_slice rest = { text, strlen (text) }, item;
  while (tb_next_item (&rest, &item))
    if (item.length > 0 && !add_one (maker, device, profile, item.text, item.length, diag))
      {
	tb_error (diag, "--registers: expected a file, or NAME=VALUE,..., found \"%.*s\"",
		  (int) (item.length < 80 ? item.length : 80), item.text);
	return false;
      }
  return true;
}
