/* Core files as the input of a session.  See session-core.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "recording/session-core.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "recording/wrong-input.h"
#include "snapshot/core-file.h"
#include "snapshot/crash-dump.h"
#include "snapshot/perf/data.h"
#include "snapshot/sysfs.h"
#include "snapshot/zephyr-threads.h"

/* What the program PATH was built for; NULL: it does not tell.  False: it is no program that
   can be read, which DIAG was told.  */
static bool
built_for (const char *path, const char **type, struct tb_diag *diag)
{
  struct tb_diag silent = { 0 };
  struct tb_elf_image *image = tb_elf_image_open (path, &silent);
  bool opened = image != NULL;
  /* What there is to say of one that can be read is said where it is used.  */
  if (!opened)
    image = tb_elf_image_open (path, diag);
  *type = opened ? tb_elf_image_core_type (image) : NULL;
  tb_elf_image_close (image);
  return opened;
}

bool
tb_session_takes (const char *path, const struct tb_session_options *options,
		  bool core_type, bool sysroot, struct tb_diag *diag)
{
  struct stat st;
  /* That there is nothing is said where it is opened.  */
  if (options == NULL || stat (path, &st) != 0)
    return true;
  if (options->snapshot.sysroot != NULL && !sysroot)
    tb_error (diag, "--sysroot=%s: expected a file of perf, found %s",
	      options->snapshot.sysroot, path);
  else if (options->core_type != NULL && !core_type)
    tb_error (diag, "--core-type=%s: expected a core file, a trace file, a folder of Linux or "
	      "a file of perf, found %s, which says itself what its cores are",
	      options->core_type, path);
  else
    return true;
  return false;
}

const char *
tb_session_told_type (const char *path, const char *what, const char *by_itself,
		      const struct tb_session_options *options, struct tb_diag *diag)
{
  const char *type = options != NULL ? options->core_type : NULL;
  for (size_t i = 0; type == NULL && options != NULL && i < options->nelves; i++)
    {
      if (!built_for (options->elves[i].path, &type, diag))
	return NULL;
      if (type != NULL)
	tb_note (diag, "%s: taken for that of an %s, which %s was built for; "
		 "--core-type=NAME says it better", path, type, options->elves[i].path);
    }
  if (type == NULL)
    type = by_itself;
  if (type == NULL && options != NULL)
    type = options->left_type;
  if (type == NULL)
    tb_error (diag, "%s: %s does not say what kind of core it is of; give the "
	      "program by --elf=FILE, or --core-type=NAME, such as Cortex-M33", path, what);
  return type;
}

enum tb_status
tb_session_core_type (const char *path, const struct tb_session_options *options,
		      struct tb_snapshot_options *snapshot, struct tb_diag *diag)
{
  enum tb_core_file kind = tb_core_file_kind (path);
  enum tb_crash crash = tb_crash_kind (path, NULL);
  const char *told = options != NULL ? options->core_type : NULL;
  struct tb_profile profile;
  *snapshot = options != NULL ? options->snapshot : (struct tb_snapshot_options) { 0 };
  snapshot->input = kind != TB_CORE_FILE_NONE ? TB_INPUT_CORE_FILE
		    : tb_sysfs_is_folder (path) ? TB_INPUT_SYSFS
		    : tb_perf_is_file (path) ? TB_INPUT_PERF
		    : crash != TB_CRASH_NONE ? TB_INPUT_CRASH
		    : tb_input_is_raw (path, options) ? TB_INPUT_RAW_BUFFER : TB_INPUT_FOLDER;
  if (!tb_session_takes (path, options, snapshot->input != TB_INPUT_FOLDER,
			 snapshot->input == TB_INPUT_PERF, diag))
    return TB_ERR_INPUT;
  if (snapshot->input == TB_INPUT_FOLDER)
    return TB_OK;
  snapshot->core_type = told;
  if (snapshot->input == TB_INPUT_RAW_BUFFER)
    snapshot->core_type = tb_session_told_type (path, "a trace buffer", NULL, options, diag);
  if (snapshot->input == TB_INPUT_RAW_BUFFER)
    return snapshot->core_type != NULL ? TB_OK : TB_ERR_INPUT;
  if (snapshot->input != TB_INPUT_CORE_FILE && snapshot->input != TB_INPUT_CRASH)
    return TB_OK;
  bool a64 = kind == TB_CORE_FILE_A64 || crash == TB_CRASH_ZEPHYR_A64;
  const char *type
    = tb_session_told_type (path, crash != TB_CRASH_NONE ? "a core dump" : "a core file",
			    a64 ? "ARMv8-A" : NULL, options, diag);
  if (type == NULL)
    return TB_ERR_INPUT;
  tb_profile_find (&profile, type);
  if ((a64 && !profile.has_a64) || (crash != TB_CRASH_NONE && !a64 && !profile.is_m))
    {
      tb_error (diag, "%s: expected the core file of an %s, found one of %s", path,
		type, a64 ? "AArch64" : "the M profile");
      return TB_ERR_INPUT;
    }
  snapshot->core_type = type;
  snapshot->is_m = profile.is_m;
  if (crash == TB_CRASH_ZEPHYR_M && options != NULL)
    for (size_t i = 0; i < options->nelves && snapshot->kernel == NULL; i++)
      if (tb_zephyr_has_table (options->elves[i].path))
	snapshot->kernel = options->elves[i].path;
  return TB_OK;
}

/* Does an ELF file of CORE have what is at PC?  */
static bool
elf_has (const struct tb_session_core *core, uint64_t pc)
{
  const struct tb_region *regions;
  size_t n = tb_memmap_regions (core->map, &regions);
  for (size_t i = 0; i < n; i++)
    if (regions[i].elf != NULL && pc - regions[i].address < regions[i].length
	&& pc >= regions[i].address)
      return true;
  return false;
}

void
tb_session_say_elsewhere (const struct tb_session *s, const char *path, struct tb_diag *diag)
{
  const uint64_t *first = NULL;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_session_core *core = &s->cores[i];
      const struct tb_device_reg *pc
	= core->device != NULL && core->nelves > 0 ? tb_device_pc (core->device) : NULL;
      if (pc == NULL)
	continue;
      if (elf_has (core, pc->value & ~UINT64_C (1)))
	return;
      if (first == NULL)
	first = &pc->value;
    }
  if (first != NULL)
    tb_warning (diag, "%s: expected a program of --elf with code at the PC of a thread, %#" PRIx64
		" of the first, found none: it is of another program, or was loaded elsewhere than "
		"its file says, as programs that are position-independent are, and nothing "
		"tells where; what it says of code and names may be wrong", path, *first);
}

/* The SIZE bytes at ADDRESS that SNAPSHOT has in a dump of a core; NULL: they are in none.  */
static const uint8_t *
dumped_at (const struct tb_snapshot *snapshot, uint64_t address, size_t size)
{
  for (size_t i = 0; i < snapshot->ndevices; i++)
    for (size_t k = 0; k < snapshot->devices[i].ndumps; k++)
      {
	const struct tb_dump *dump = &snapshot->devices[i].dumps[k];
	uint64_t offset = address - dump->address;
	if (address >= dump->address && offset < dump->length && size <= dump->length - offset)
	  return dump->data + offset;
      }
  return NULL;
}

void
tb_session_check_builds (const struct tb_session *s, const char *path, struct tb_diag *diag)
{
  for (size_t i = 0; i < s->nelves; i++)
    {
      uint64_t address;
      size_t size;
      const uint8_t *own = tb_elf_image_build_id (s->elves[i], &address, &size);
      const uint8_t *dumped = own != NULL ? dumped_at (&s->snapshot, address, size) : NULL;
      if (dumped != NULL && memcmp (own, dumped, size) != 0)
	tb_warning (diag, "--elf=%s: expected the build ID that %s has at %#" PRIx64 ", "
		    "%02x%02x%02x%02x..., found %02x%02x%02x%02x...: it is of another build, "
		    "and what it says of code and names may be wrong",
		    tb_elf_image_path (s->elves[i]), path, address, dumped[0],
		    size > 1 ? dumped[1] : 0, size > 2 ? dumped[2] : 0, size > 3 ? dumped[3] : 0,
		    own[0], size > 1 ? own[1] : 0, size > 2 ? own[2] : 0, size > 3 ? own[3] : 0);
    }
}
