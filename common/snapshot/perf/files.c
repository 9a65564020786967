/* The files whose code perf saw.  See files.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "snapshot/perf/files.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_LIBIBERTY_LIBIBERTY_H
# include <libiberty/hashtab.h>
#else
# include <hashtab.h>
#endif

#include "util/buffer.h"

#define MISC_BUILD_ID 0x4000	/* A map has one in the place of device and inode.  */

/* A file that was asked for, or of which only the build ID was told.  */
struct sought
{
  const char *path;
  struct tb_perf_build_id id;	/* By which it was asked for; none: by its path alone.  */
  struct tb_perf_build_id told;	/* Of a file without ID: what perf's list says.  */
  const struct tb_file *file;	/* NULL: it is not there.  */
  bool asked;
};

static hashval_t
hash_sought (const void *item)
{
  const struct sought *sought = item;
  return htab_hash_string (sought->path) ^ (sought->id.size > 0 ? sought->id.bytes[0] : 0);
}

static int
same_sought (const void *left, const void *right)
{
  const struct sought *a = left, *b = right;
  return a->id.size == b->id.size && memcmp (a->id.bytes, b->id.bytes, a->id.size) == 0
	 && strcmp (a->path, b->path) == 0;
}

static void
free_sought (void *item)
{
  struct sought *sought = item;
  free ((char *) sought->path);
  free (sought);
}

/* A new entry of PATH with ID.  NULL: no memory.  */
static struct sought *
add_entry (struct tb_perf_files *files, const char *path, const struct tb_perf_build_id *id)
{
  struct sought *made = calloc (1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->id = *id;
  made->path = strdup (path);
  void **slot = made->path != NULL ? htab_find_slot (files->found, made, INSERT) : NULL;
  if (slot == NULL)
    {
      free_sought (made);
      return NULL;
    }
  return *slot = made;
}

/* The entry of PATH with ID, which is made if it is not there.  NULL: no memory, said.  */
static struct sought *
entry_of (struct tb_perf_files *files, const char *path, const struct tb_perf_build_id *id)
{
  struct sought key = { .path = path, .id = *id }, *entry = NULL;
  if (files->found == NULL)
    files->found = htab_create_alloc (64, hash_sought, same_sought, free_sought, calloc, free);
  if (files->found != NULL)
    entry = htab_find (files->found, &key);
  if (files->found != NULL && entry == NULL)
    entry = add_entry (files, path, id);
  if (entry == NULL)
    tb_no_memory (&files->maker->reader);
  return entry;
}

void
tb_perf_files_mapped (const struct tb_perf_record *record, struct tb_perf_build_id *id)
{
  const uint8_t *bytes = record->bytes;
  if (record->type != TB_PERF_MMAP2 || !(record->misc & MISC_BUILD_ID)
      || bytes[40] > TB_PERF_BUILD_ID)
    return;
  id->size = bytes[40];
  memcpy (id->bytes, bytes + 44, id->size);
}

void
tb_perf_files_note (struct tb_perf_files *files, const char *path,
		    const struct tb_perf_build_id *id)
{
  struct sought *entry = entry_of (files, path, &(struct tb_perf_build_id) { .size = 0 });
  if (entry != NULL)
    entry->told = *id;
}

/* Find the build ID among the notes in SIZE bytes at OFFSET of ELF.  */
static bool
find_note (Elf *elf, uint64_t offset, uint64_t size, Elf_Type type,
	   struct tb_perf_build_id *id)
{
  Elf_Data *data = elf_getdata_rawchunk (elf, (int64_t) offset, size, type);
  GElf_Nhdr note;
  size_t name, body;
  for (size_t at = 0; data != NULL
		      && (at = gelf_getnote (data, at, &note, &name, &body)) > 0;)
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU"
	&& memcmp ((char *) data->d_buf + name, "GNU", sizeof "GNU") == 0
	&& note.n_descsz > 0 && note.n_descsz <= TB_PERF_BUILD_ID)
      {
	id->size = (uint8_t) note.n_descsz;
	memcpy (id->bytes, (char *) data->d_buf + body, note.n_descsz);
	return true;
      }
  return false;
}

/* Take SIZE bytes off those that are LEFT to look at: any number of segments and sections could
   have the same.  */
static bool
take_bytes (size_t *left, uint64_t size)
{
  bool enough = size <= *left;
  *left -= enough ? (size_t) size : 0;
  return enough;
}

/* The build ID in the SIZE bytes DATA, an ELF file.  Its size is 0 where there is none.  */
static void
build_id_of (const uint8_t *data, size_t size, struct tb_perf_build_id *id)
{
  /* Segments and sections have the same notes.  */
  size_t count = 0, left = 2 * size;
  *id = (struct tb_perf_build_id) { .size = 0 };
  elf_version (EV_CURRENT);
  /* libelf reads through a pointer that is not constant.  */
  Elf *elf = size > 0 ? elf_memory ((char *) data, size) : NULL;
  bool found = false;
  if (elf != NULL && elf_kind (elf) == ELF_K_ELF && elf_getphdrnum (elf, &count) == 0)
    for (size_t i = 0; i < count && !found; i++)
      {
	GElf_Phdr header;
	if (gelf_getphdr (elf, (int) i, &header) != NULL && header.p_type == PT_NOTE
	    && header.p_offset <= size && header.p_filesz <= size - header.p_offset
	    && take_bytes (&left, header.p_filesz))
	  found = find_note (elf, header.p_offset, header.p_filesz,
			     header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR, id);
      }
  for (Elf_Scn *scn = NULL; elf != NULL && !found && (scn = elf_nextscn (elf, scn)) != NULL;)
    {
      GElf_Shdr header;
      if (gelf_getshdr (scn, &header) != NULL && header.sh_type == SHT_NOTE
	  && header.sh_offset <= size && header.sh_size <= size - header.sh_offset
	  && take_bytes (&left, header.sh_size))
	found = find_note (elf, header.sh_offset, header.sh_size,
			   header.sh_addralign == 8 ? ELF_T_NHDR8 : ELF_T_NHDR, id);
    }
  elf_end (elf);
}

/* Is PATH a file that can be read?  A disk that fails is another thing than no file.  */
static bool
is_file (struct tb_perf_files *files, const char *path)
{
  struct stat st;
  if (stat (path, &st) == 0)
    return S_ISREG (st.st_mode) && access (path, R_OK) == 0;
  if (errno == EIO || errno == ENOMEM)
    {
      tb_error (files->maker->reader.diag, "%s: cannot look at it: %s", path, strerror (errno));
      files->maker->reader.status = errno == EIO ? TB_ERR_IO : TB_ERR_MEMORY;
    }
  return false;
}

/* Does PATH lead upwards anywhere?  */
static bool
leads_up (const char *path)
{
  for (; (path = strstr (path, "/..")) != NULL; path++)
    if (path[3] == '/' || path[3] == '\0')
      return true;
  return false;
}

/* The file PATH, if it has ID or that is not known.  */
static const struct tb_file *
take_file (struct tb_perf_files *files, const char *path, const struct tb_perf_build_id *id)
{
  if (files->maker->reader.status != TB_OK || !is_file (files, path))
    return NULL;
  const struct tb_file *file = tb_maker_file (files->maker, path);
  struct tb_perf_build_id own;
  if (file == NULL || id->size == 0)
    return file;
  build_id_of (file->map.data, file->map.size, &own);
  /* Some tools leave the zeros at the end out.  */
  static const uint8_t zeros[TB_PERF_BUILD_ID];
  size_t both = own.size < id->size ? own.size : id->size;
  const struct tb_perf_build_id *longer = own.size < id->size ? id : &own;
  if (own.size > 0 && memcmp (own.bytes, id->bytes, both) == 0
      && memcmp (longer->bytes + both, zeros, longer->size - both) == 0)
    return file;
  if (files->other++ == 0)
    snprintf (files->first_other, sizeof files->first_other, "%s", path);
  return NULL;
}

/* The file that the caches below BASE and MIDDLE have by ID as one of NAMES, which end with
   NULL.  SPLIT: a folder has the first byte.  */
static const struct tb_file *
take_cached (struct tb_perf_files *files, const char *base, const char *middle, bool split,
	     const struct tb_perf_build_id *id, const char *const *names)
{
  const struct tb_file *file = NULL;
  char hex[2 * TB_PERF_BUILD_ID + 2], path[4096];
  size_t length = 0;
  if (base == NULL || *base == '\0')
    return NULL;
  for (size_t i = 0; i < id->size; i++)
    length += (size_t) snprintf (hex + length, sizeof hex - length, i == 0 && split
				 ? "%02x/" : "%02x", id->bytes[i]);
  for (; file == NULL && *names != NULL; names++)
    if ((size_t) snprintf (path, sizeof path, "%s%s%s/%s", base, middle, hex, *names)
	< sizeof path)
      file = take_file (files, path, id);
  return file;
}

/* Look for PATH with ID.  */
static const struct tb_file *
look_for (struct tb_perf_files *files, const char *path, const struct tb_perf_build_id *id)
{
  static const char *const cached[] = { "elf", "vdso", "vmlinux", NULL };
  static const char *const fetched[] = { "executable", NULL };
  const struct tb_file *file = NULL;
  char whole[4096];
  /* The kernel has no such names; they would lead out of the folder.  */
  if (files->sysroot != NULL && *path == '/' && !leads_up (path)
      && (size_t) snprintf (whole, sizeof whole, "%s%s", files->sysroot, path) < sizeof whole)
    file = take_file (files, whole, id);
  if (file != NULL || id->size == 0)
    return file;
  const char *home = getenv ("HOME"), *perf = getenv ("PERF_BUILDID_DIR");
  const char *cache = getenv ("DEBUGINFOD_CACHE_PATH"), *base = getenv ("XDG_CACHE_HOME");
  bool has_perf = perf != NULL && *perf != '\0';
  file = take_cached (files, has_perf ? perf : home,
		      has_perf ? "/.build-id/" : "/.debug/.build-id/", true, id, cached);
  if (file == NULL && cache != NULL && *cache != '\0')
    file = take_cached (files, cache, "/", false, id, fetched);
  else if (file == NULL && base != NULL && *base != '\0')
    file = take_cached (files, base, "/debuginfod_client/", false, id, fetched);
  else if (file == NULL)
    file = take_cached (files, home, "/.cache/debuginfod_client/", false, id, fetched);
  return file;
}

const struct tb_file *
tb_perf_files_find (struct tb_perf_files *files, const char *path,
		    const struct tb_perf_build_id *id)
{
  struct sought *entry = entry_of (files, path, id);
  if (entry != NULL && id->size == 0 && entry->told.size > 0)
    entry = entry_of (files, path, &entry->told);
  if (entry == NULL || entry->asked)
    return entry != NULL ? entry->file : NULL;
  entry->asked = true;
  entry->file = look_for (files, path, &entry->id);
  files->missing += entry->file == NULL;
  return entry->file;
}

void
tb_perf_files_fini (struct tb_perf_files *files)
{
  if (files->found != NULL)
    htab_delete (files->found);
}
