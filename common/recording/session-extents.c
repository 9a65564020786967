/* Sessions: ELF files and memory that are named by the user, and what cores share.  See
   session.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-cores.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE UINT64_C (4096)

bool
tb_session_add_text (const char *const **list, size_t *count,
		     const char *text)
{
  const char **more = realloc ((void *) *list, (*count + 1) * sizeof *more);
  if (more == NULL)
    return false;
  more[(*count)++] = text;
  *list = more;
  return true;
}

bool
tb_session_add_elf (struct tb_session_options *options, char *text)
{
  struct tb_session_elf *elves
    = realloc ((void *) options->elves, (options->nelves + 1) * sizeof *elves);
  if (elves == NULL)
    return false;
  options->elves = elves;
  /* A file name may have an '@' of its own.  */
  char *at = access (text, F_OK) != 0 ? strrchr (text, '@') : NULL;
  if (at != NULL)
    *at++ = '\0';
  struct tb_session_elf *elf = &elves[options->nelves++];
  *elf = (struct tb_session_elf) { .path = text };
  if (at == NULL || !tb_context_parse (at, &elf->context))
    *elf = (struct tb_session_elf) { .path = text, .core = at };
  return true;
}

/* TEXT as a whole is a number.  */
static bool
number (const char *text, uint64_t *value)
{
  char *end;
  errno = 0;
  unsigned long long n = strtoull (text, &end, 0);
  *value = n;
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* How many different places the ELF files of CORE name NAME.  */
static size_t
find_symbol (const struct tb_session_core *core, const char *name,
	     struct tb_extent *range)
{
  size_t found = 0;
  for (size_t i = 0; i < core->nelves; i++)
    {
      struct tb_extent one;
      size_t n = tb_elf_image_symbol (core->elves[i], name, &one.address,
				      &one.length);
      if (n == 0)
	continue;
      if (found == 0)
	*range = one;
      found += found == 1 && n == 1 && one.address == range->address ? 0 : n;
    }
  return found;
}

/* What NAME, with or without the size SIZE, is to CORE; a LENGTH of 0: nothing,
   but some other core knows it.  */
static enum tb_status
symbol (const struct tb_session *session, const struct tb_session_core *core,
	const char *option, const char *name, bool sized, uint64_t size,
	struct tb_extent *range, struct tb_diag *diag)
{
  size_t found = find_symbol (core, name, range);
  if (found == 0)
    {
      struct tb_extent other;
      for (size_t i = 0; i < session->ncores; i++)
	if (find_symbol (&session->cores[i], name, &other) != 0)
	  {
	    range->length = 0;
	    return TB_OK;
	  }
      tb_error (diag, "%s: expected an address or a symbol of an ELF file "
		"(--elf) before any ':', found '%s'", option, name);
      return TB_ERR_INPUT;
    }
  if (found > 1)
    {
      tb_error (diag, "%s: %zu places are named '%s': expected ADDRESS:SIZE",
		option, found, name);
      return TB_ERR_INPUT;
    }
  if (!sized && range->length == 0)
    {
      tb_error (diag, "%s: the ELF file does not say how large '%s' is: "
		"expected %s:SIZE", option, name, name);
      return TB_ERR_INPUT;
    }
  if (sized)
    range->length = size;
  return TB_OK;
}

/* One element of a list; it is cut at its colon.  */
static enum tb_status
add_range (const struct tb_session *session,
	   const struct tb_session_core *core, const char *option, char *text,
	   struct tb_extents *extents, struct tb_diag *diag)
{
  struct tb_extent range = { 0, UINT64_MAX };
  uint64_t size = 0;
  char *colon = strrchr (text, ':');
  bool sized = colon != NULL;
  if (strcmp (text, "all") == 0)
    return tb_extents_add (extents, 0, UINT64_MAX) ? TB_OK : TB_ERR_MEMORY;
  if (sized && (!number (colon + 1, &size) || size == 0))
    {
      tb_error (diag, "%s: expected a size of at least 1 after the ':' of '%s'",
		option, text);
      return TB_ERR_INPUT;
    }
  if (sized)
    *colon = '\0';
  if (sized && number (text, &range.address))
    {
      range.length = size;
      if (size - 1 > UINT64_MAX - range.address)
	{
	  tb_error (diag, "%s: expected a size that does not go beyond the last "
		    "address, found %" PRIu64 " bytes at %#" PRIx64, option,
		    size, range.address);
	  return TB_ERR_INPUT;
	}
    }
  else if (number (text, &range.address))
    {
      tb_error (diag, "%s: expected ADDRESS:SIZE, found '%s'", option, text);
      return TB_ERR_INPUT;
    }
  else
    {
      enum tb_status status = symbol (session, core, option, text, sized, size,
				      &range, diag);
      if (status != TB_OK || range.length == 0)
	return status;
    }
  return tb_extents_add (extents, range.address, range.length) ? TB_OK
							     : TB_ERR_MEMORY;
}

enum tb_status
tb_session_add_extents (const struct tb_session *session,
		       const struct tb_session_core *core, const char *option,
		       const char *text, struct tb_extents *extents,
		       struct tb_diag *diag)
{
  char *copy = strdup (text), *rest = NULL;
  enum tb_status status = copy != NULL ? TB_OK : TB_ERR_MEMORY;
  for (char *one = copy != NULL ? strtok_r (copy, ",", &rest) : NULL;
       one != NULL && status == TB_OK; one = strtok_r (NULL, ",", &rest))
    status = add_range (session, core, option, one, extents, diag);
  free (copy);
  return status;
}

/* May the LENGTH bytes DATA at ADDRESS, within a page, be memory of OTHER, too?
   Not if its dumps have something else there, each of them that has any of
   it.  */
static bool
may_be_of (const struct tb_device *other, uint64_t address,
	   const uint8_t *data, uint64_t length)
{
  bool dumped = false;
  for (size_t i = 0; i < other->ndumps; i++)
    {
      const struct tb_dump *dump = &other->dumps[i];
      uint64_t at = address > dump->address ? address : dump->address;
      uint64_t end = address + (length - 1);
      uint64_t dump_end = dump->address + (dump->length - 1);
      if (dump->length == 0 || at > end || at > dump_end)
	continue;
      dumped = true;
      size_t common = (size_t) ((end < dump_end ? end : dump_end) - at) + 1;
      const uint8_t *theirs = dump->data + (at - dump->address);
      const uint8_t *ours = data + (at - address);
      if (theirs == ours || memcmp (theirs, ours, common) == 0)
	return true;
    }
  return !dumped;
}

/* Can some core of SESSION but CORE write what DUMP has at ADDRESS?  */
static bool
is_shared (const struct tb_session *session,
	   const struct tb_session_core *core, const struct tb_dump *dump,
	   uint64_t address, uint64_t length)
{
  for (size_t i = 0; i < session->ncores; i++)
    {
      const struct tb_device *other = session->cores[i].device;
      if (other != NULL && other != core->device
	  && may_be_of (other, address, dump->data + (address - dump->address),
			length))
	return true;
    }
  return false;
}

/* Fill in CORE->shared; false: no memory.  */
static bool
find_shared (const struct tb_session *session, struct tb_session_core *core)
{
  if (core->device == NULL || session->ncores <= 2)
    return true;		/* It is the only one: one has no device.  */
  for (size_t i = 0; i < session->ncores; i++)
    {
      const struct tb_device *own = core->device;
      if (&session->cores[i] == core || !tb_session_shares_dumps (core, &session->cores[i]))
	continue;
      /* They have one memory.  */
      core->is_thread = core->profile.is_m && own->nregs > 0;
      for (size_t k = 0; k < own->ndumps; k++)
	if (!tb_extents_add (&core->shared, own->dumps[k].address, own->dumps[k].length))
	  return false;
      return true;
    }
  for (size_t i = 0; i < core->device->ndumps; i++)
    {
      const struct tb_dump *dump = &core->device->dumps[i];
      for (uint64_t at = 0; at < dump->length;)
	{
	  uint64_t address = dump->address + at;
	  uint64_t length = PAGE - address % PAGE;
	  if (length > dump->length - at)
	    length = dump->length - at;
	  if (is_shared (session, core, dump, address, length)
	      && !tb_extents_add (&core->shared, address, length))
	    return false;
	  at += length;
	}
    }
  return true;
}

/* Bytes of CORE that others can write and that nobody says they do not.  */
static uint64_t
shared_bytes (const struct tb_session_core *core)
{
  uint64_t bytes = 0;
  for (size_t i = 0; i < core->shared.count; i++)
    {
      const struct tb_extent *e = &core->shared.items[i];
      if (!tb_extents_hold (&core->privates, e->address, e->length))
	bytes += e->length;
    }
  return bytes;
}

const struct tb_extents *
tb_session_shared (struct tb_session *session,
		   const struct tb_session_core *core, struct tb_diag *diag)
{
  struct tb_session_core *own = &session->cores[core - session->cores];
  if (!own->shared_found && !find_shared (session, own))
    {
      tb_error (diag, "no memory to compare the dumps of the cores");
      return NULL;
    }
  uint64_t bytes = shared_bytes (own);
  if (!own->shared_found && bytes != 0 && own->is_thread)
    tb_warning (diag, "the threads of %s have one memory, and may have run on several cores at a "
		"time: what is known of memory does not last, and less is known.  --private=all "
		"says that all are tasks of one core.", session->snapshot.path);
  else if (!own->shared_found && bytes != 0)
    tb_note (diag, "%" PRIu64 " bytes of the dumps may be memory that another core "
	     "writes: what is known of them does not last.  --private=LIST says "
	     "what no other core writes.", bytes);
  own->shared_found = true;
  return &own->shared;
}
