/* Values of registers, from the command line or a file.  See parts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A file has a register a line, NAME=VALUE or NAME VALUE, as GDB's "info registers" and
   monitor programs of probes print them; what stands behind the value is passed over.  */

#include "config.h"
#include "parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "arm/machine/regs.h"

/* Longer names are none.  */
#define NAME_ROOM 32

/* Is NAME a letter of LETTERS and a number below MOST?  */
static bool
is_numbered (const char *name, const char *letters, uint64_t most)
{
  uint64_t number;
  return strchr (letters, tolower ((unsigned char) *name)) != NULL
	 && isdigit ((unsigned char) name[1])
	 && tb_parse_u64 (name + 1, strlen (name + 1), &number) && number < most;
}

/* How many bits the register NAME of a core of PROFILE has: those that instructions name,
   and the PC, as many as its addresses; system registers of A64, which MRS reads, 64; others as
   many as VALUE.  */
static unsigned
bits_of (const struct tb_profile *profile, const char *name, const struct tb_wide *value)
{
  static const struct { const char *letter; uint64_t most; unsigned bits; } vectors[] = {
    { "s", 32, 32 }, { "d", 32, 64 }, { "qv", 32, 128 }
  };
  size_t count;
  const struct tb_reg_info *regs = tb_regs (profile, &count);
  int number = tb_reg_number (profile, name);
  const char *level = strrchr (name, '_');
  if (number >= 0)
    return value->bits > regs[number].bits ? tb_reg_room (profile, number) : regs[number].bits;
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    if (is_numbered (name, vectors[i].letter, vectors[i].most))
      return vectors[i].bits;
  bool is_system = profile->has_a64 && level != NULL && strncasecmp (level, "_EL", 3) == 0;
  unsigned bits = is_system ? 64 : 32;
  while (bits < value->bits)
    bits *= 2;
  return bits;
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

/* The register of DEVICE, a core of PROFILE, that has another value than VALUE, of BITS bits, and
   is that which NAME names, by any of its names; NULL: there is none.  */
static const struct tb_device_reg *
told_otherwise (const struct tb_maker *maker, size_t device, const struct tb_profile *profile,
		const char *name, unsigned bits, const struct tb_wide *value)
{
  size_t count;
  const struct tb_device_reg *regs = tb_maker_regs (maker, device, &count);
  int number = tb_reg_number (profile, name);
  for (size_t i = 0; i < count; i++)
    if ((strcasecmp (regs[i].name, name) == 0
	 || (number >= 0 && tb_reg_number (profile, regs[i].name) == number))
	&& (regs[i].bits != bits
	    || memcmp (regs[i].bytes, value->bytes, (bits + 7) / 8) != 0))
      return &regs[i];
  return NULL;
}

/* What was made of a text.  */
enum made { MADE, NO_REGISTER, REFUSED };

/* Add the register in the LENGTH characters LINE, which stand at WHERE.  What is refused is told to
   DIAG, and, if NAMES, a name that no register has.  */
static enum made
add_one (struct tb_maker *maker, size_t device, const struct tb_profile *profile,
	 const char *line, size_t length, const char *where, bool names, struct tb_diag *diag)
{
  struct tb_slice rest = tb_trim ((struct tb_slice) { line, length });
  size_t n = 0;
  while (n < rest.length && !isspace ((unsigned char) rest.text[n])
	 && rest.text[n] != '=')
    n++;
  char name[NAME_ROOM];
  if (!is_name (rest.text, n) || n == rest.length)
    return NO_REGISTER;
  memcpy (name, rest.text, n);
  name[n] = '\0';
  rest = tb_trim ((struct tb_slice) { rest.text + n, rest.length - n });
  if (rest.length > 0 && *rest.text == '=')
    rest = tb_trim ((struct tb_slice) { rest.text + 1, rest.length - 1 });
  n = 0;
  while (n < rest.length && !isspace ((unsigned char) rest.text[n]))
    n++;
  struct tb_wide value;
  if (n == 0 || !tb_parse_wide (rest.text, n, &value))
    return NO_REGISTER;
  unsigned bits = bits_of (profile, name, &value);
  if (value.bits > bits)
    {
      tb_error (diag, "%s: expected a value of %u bits for %s of a %s, found one of %u, %.*s",
		where, bits, name, profile->name, value.bits, (int) (n < 80 ? n : 80), rest.text);
      return REFUSED;
    }
  if (names && !is_register (profile, name))
    tb_warning (diag, "--registers: expected the name of a register of the core, such as %s, "
		"found \"%s\"; it is written, but no register that is known here has this name",
		profile->has_a64 ? "x0, sp, pc or ELR_EL1" : "r0, sp, pc or xpsr", name);
  const struct tb_device_reg *other = told_otherwise (maker, device, profile, name, bits, &value);
  if (other != NULL)
    {
      tb_error (diag, "%s: expected the registers once, or with one value, found %s as %.*s, and "
		"%#" PRIx64 " as %s before", where, name, (int) (n < 80 ? n : 80), rest.text,
		other->value, other->name);
      return REFUSED;
    }
  tb_maker_reg_bytes (maker, device, name, -1, bits, value.bytes);
  return MADE;
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
      if (plain.length > 0 && *plain.text != '#' && *plain.text != ';')
	{
	  char where[512];
	  snprintf (where, sizeof where, "%.480s:%u", path, line);
	  enum made made = add_one (maker, device, profile, plain.text, plain.length, where, false,
				    diag);
	  if (made == NO_REGISTER)
	    tb_error (diag, "%s: expected a register and its value, such as r0=0x20, found "
		      "\"%.*s\"", where,
		      (int) (plain.length < 80 ? plain.length : 80), plain.text);
	  if (made != MADE)
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
    {
      enum made made = item.length == 0 ? MADE
		       : add_one (maker, device, profile, item.text, item.length, "--registers",
				  true, diag);
      if (made == NO_REGISTER)
	tb_error (diag, "--registers: expected a file, or NAME=VALUE,..., found \"%.*s\"",
		  (int) (item.length < 80 ? item.length : 80), item.text);
      if (made != MADE)
	return false;
    }
  return true;
}
