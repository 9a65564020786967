/* Values of registers, from the command line or a file.  See parts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A file has a register a line, NAME=VALUE, NAME: VALUE or NAME VALUE, as GDB's "info registers"
   and monitor programs of probes print them, or "(0) NAME (/32): VALUE", as OpenOCD's "reg"
   does; what stands behind the value is passed over, but for what GDB calls raw.  Lines without
   a value that is a number, such as those of registers that could not be read, are passed over,
   too.  */

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
    "xpsr", "apsr", "ipsr", "epsr", "spsr", "pstate", "fpscr", "fpcr", "fpsr", "ffr", "vpr",
    "msplim", "psplim", "vtor"
  };
  if (tb_reg_number (profile, name) >= 0)
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
enum made { MADE, NO_VALUE, NO_REGISTER, REFUSED };

/* REST without its first LENGTH characters, and without blanks.  */
static struct tb_slice
behind (struct tb_slice rest, size_t length)
{
  return tb_trim ((struct tb_slice) { rest.text + length, rest.length - length });
}

/* How long REST is up to the first of the characters STOPS.  */
static size_t
length_to (struct tb_slice rest, const char *stops)
{
  size_t n = 0;
  while (n < rest.length && strchr (stops, rest.text[n]) == NULL)
    n++;
  return n;
}

/* Split REST into a register's NAME and its VALUE, either of which may be empty.  */
static void
split (struct tb_slice rest, struct tb_slice *name, struct tb_slice *value)
{
  static const char raw[] = "(raw ";
  rest = tb_trim (rest);
  /* Its number, of OpenOCD.  */
  if (rest.length > 0 && *rest.text == '(' && length_to (rest, ")") < rest.length)
    rest = behind (rest, length_to (rest, ")") + 1);
  *name = (struct tb_slice) { rest.text, length_to (rest, " \t=:") };
  rest = behind (rest, name->length);
  /* Its bits.  */
  if (rest.length > 1 && rest.text[0] == '(' && rest.text[1] == '/'
      && length_to (rest, ")") < rest.length)
    rest = behind (rest, length_to (rest, ")") + 1);
  if (rest.length > 0 && (*rest.text == '=' || *rest.text == ':'))
    rest = behind (rest, 1);
  const char *found = rest.length > 0 ? memmem (rest.text, rest.length, raw, sizeof raw - 1) : NULL;
  if (found != NULL)
    rest = behind (rest, (size_t) (found - rest.text) + sizeof raw - 1);
  *value = (struct tb_slice) { rest.text, length_to (rest, found != NULL ? ")" : " \t") };
}

/* Add the register in the LENGTH characters LINE, which stand at WHERE.  What is refused is told to
   DIAG, and, if NAMES, a name that no register has.  */
static enum made
add_one (struct tb_maker *maker, size_t device, const struct tb_profile *profile,
	 const char *line, size_t length, const char *where, bool names, struct tb_diag *diag)
{
  struct tb_slice told, number;
  split ((struct tb_slice) { line, length }, &told, &number);
  char name[NAME_ROOM];
  struct tb_wide value;
  if (number.length == 0 || !tb_parse_wide (number.text, number.length, &value))
    return NO_VALUE;
  if (!is_name (told.text, told.length))
    return NO_REGISTER;
  memcpy (name, told.text, told.length);
  name[told.length] = '\0';
  /* Of floating point that GDB and others print, which is no number of bits.  */
  if (!names && is_numbered (name, "sd", 32) && memchr (number.text, 'x', number.length) == NULL)
    return NO_VALUE;
  int shown = number.length < 80 ? (int) number.length : 80;
  unsigned bits = bits_of (profile, name, &value);
  if (value.bits > bits)
    {
      tb_error (diag, "%s: expected a value of %u bits for %s of a %s, found one of %u, %.*s",
		where, bits, name, profile->name, value.bits, shown, number.text);
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
		"%#" PRIx64 " as %s before", where, name, shown, number.text,
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
  size_t left = file->map.size, count = 0, passed = 0;
  struct tb_slice first = { NULL, 0 };
  unsigned first_line = 0;
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
	  if (made == NO_REGISTER || made == REFUSED)
	    return false;
	  if (made == NO_VALUE && passed++ == 0)
	    {
	      first = plain;
	      first_line = line;
	    }
	  count += made == MADE;
	}
      length += end != NULL;
      text += length;
      left -= length;
    }
  int shown = first.length < 80 ? (int) first.length : 80;
  if (passed > 0 && count == 0)
    tb_error (diag, "%s:%u: expected a register and its value, such as r0=0x20, found \"%.*s\", "
	      "and no register in any line", path, first_line, shown, first.text);
  else if (passed > 0)
    tb_warning (diag, "%s:%u: expected a register and a number, such as r0=0x20, found \"%.*s\"; "
		"%zu such line%s passed over", path, first_line, shown, first.text, passed,
		passed == 1 ? " is" : "s are");
  return passed == 0 || count > 0;
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
      if (made == NO_REGISTER || made == NO_VALUE)
	tb_error (diag, "--registers: expected a file, or NAME=VALUE,..., found \"%.*s\"",
		  (int) (item.length < 80 ? item.length : 80), item.text);
      if (made != MADE)
	return false;
    }
  return true;
}
