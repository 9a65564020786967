/* A snapshot of the parts on the command line.  See parts.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "parts.h"

#include <inttypes.h>
#include <string.h>

#include "snapshot/beside.h"
#include "util/spool.h"

/* The parts while they are put together.  */
struct assembly
{
  struct tb_maker maker;
  struct tb_diag *diag;
  size_t core;			/* That parts are of; TB_MADE_NONE: none yet.  */
  struct tb_profile profile;	/* Its.  */
  unsigned cores;
  bool usage;			/* The text of a part says what cannot be.  */
};

/* "[NAME=]TYPE".  */
static bool
add_core (struct assembly *a, const char *text)
{
  const char *equals = strchr (text, '=');
  const char *type = equals != NULL ? equals + 1 : text;
  char name[64] = "core";
  if (equals != NULL && (equals == text || (size_t) (equals - text) >= sizeof name))
    {
      tb_error (a->diag, "--core=%s: expected [NAME=]TYPE with a name of at most %zu "
		"characters", text, sizeof name - 1);
      a->usage = true;
      return false;
    }
  if (equals != NULL)
    {
      memcpy (name, text, (size_t) (equals - text));
      name[equals - text] = '\0';
    }
  if (!tb_profile_find (&a->profile, type))
    {
      tb_error (a->diag, "--core=%s: expected the name of a core or of an architecture, such "
		"as Cortex-M33 or ARMv7-M, found \"%s\"", text, type);
      a->usage = true;
      return false;
    }
  a->core = tb_maker_device (&a->maker, TB_CLASS_CORE, name, type, "--core");
  a->cores++;
  return true;
}

/* The file PATH, or what comes out of it; NULL after a diagnostic.  */
static const struct tb_file *
part_file (struct assembly *a, const char *path)
{
  struct tb_spool spool;
  if (!tb_spool_is_stream (path))
    return tb_maker_file (&a->maker, path);
  if (tb_spool_open (&spool, path, a->diag) != TB_OK)
    return NULL;
  const struct tb_file *file = tb_maker_file (&a->maker, spool.path);
  /* It is mapped.  */
  tb_spool_close (&spool);
  return file;
}

/* "ADDRESS[,SPACE]@FILE".  */
static bool
add_ram (struct assembly *a, const char *text)
{
  const char *at = strchr (text, '@');
  struct tb_slice rest = { text, at != NULL ? (size_t) (at - text) : 0 }, item;
  enum tb_space space = TB_SPACE_ANY;
  uint64_t address;
  if (at == NULL || !tb_next_item (&rest, &item)
      || !tb_parse_u64 (item.text, item.length, &address)
      || (tb_next_item (&rest, &item)
	  && !tb_space_parse (item.text, item.length, &space)))
    {
      tb_error (a->diag, "--ram=%s: expected ADDRESS@FILE, or ADDRESS,SPACE@FILE where SPACE "
		"is one of " TB_SPACE_NAMES, text);
      a->usage = true;
      return false;
    }
  const struct tb_file *file = part_file (a, at + 1);
  if (file != NULL && !a->profile.has_a64
      && (address > UINT32_MAX || file->map.size > (UINT64_C (1) << 32) - address))
    {
      tb_error (a->diag, "--ram=%s: expected memory below 0x100000000, where the addresses of a "
		"core of 32 bits end, found %#zx bytes at %#" PRIx64, text, file->map.size,
		address);
      return false;
    }
  if (file != NULL)
    tb_maker_dump (&a->maker, a->core, file, 0, file->map.size, space, address);
  return file != NULL;
}

static bool
add_part (struct assembly *a, const struct part *part)
{
  static const char *const names[] = { "core", "ram", "registers" };
  if (part->kind != PART_CORE && a->core == TB_MADE_NONE)
    {
      tb_error (a->diag, "--%s=%s: expected --core=TYPE before it, which it is of",
		names[part->kind], part->text);
      a->usage = true;
      return false;
    }
  switch (part->kind)
    {
    case PART_CORE:
      return add_core (a, part->text);
    case PART_RAM:
      return add_ram (a, part->text);
    case PART_REGISTERS:
      if (registers_add (&a->maker, a->core, &a->profile, part->text, a->diag))
	return true;
      /* What is wrong is in the option, or in the file that it names.  */
      a->usage = strchr (part->text, '=') != NULL;
      return false;
    }
  return false;
}

enum tb_status
parts_make (struct tb_snapshot *snapshot, const struct options *options,
	    bool *usage, struct tb_diag *diag)
{
  struct assembly a = { .diag = diag, .core = TB_MADE_NONE };
  bool done = true;
  tb_maker_init (&a.maker, snapshot, options->output, diag);
  for (size_t i = 0; i < options->nparts && done; i++)
    done = add_part (&a, &options->parts[i]);
  enum tb_status status = tb_maker_finish (&a.maker);
  *usage = a.usage;
  if (status == TB_OK && !done)
    status = TB_ERR_INPUT;
  if (status == TB_OK)
    status = tb_snapshot_add_beside (snapshot, &options->shared.session.snapshot.beside, diag);
  return status;
}
