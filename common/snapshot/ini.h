/* INI files with line numbers, repeated sections and lines of any length.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   inih does the parsing; this is what the snapshot format needs beyond what
   inih hands over.  Decided here:

   - Section and key names are compared without regard to ASCII case; nothing
     is folded.
   - A section that stands twice is two sections.
   - A line is whole: white space before it means nothing (no continuation).
   - ';' or '#' begins a comment at the start of a line.  Behind a value it is
     kept, because a description or a file name may hold it; tb_ini_plain says
     where the value ends if it is taken for a comment.
   - Lines end with LF or CR-LF; a UTF-8 byte order mark is skipped; any other
     control character means that the file is no text.  */

#ifndef TB_SNAPSHOT_INI_H
#define TB_SNAPSHOT_INI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/status.h"

struct objalloc;

/* Larger files and files with more keys are refused: the largest device files
   in real use have some hundred keys.  */
#define TB_INI_MAX_BYTES ((size_t) 16 << 20)
#define TB_INI_MAX_ENTRIES ((size_t) 1 << 18)

struct tb_ini;

struct tb_ini_section
{
  const struct tb_ini *ini;
  const char *name;		/* "" for keys before the first section.  */
  unsigned line;
  size_t first, count;		/* Its entries.  */
  bool used;			/* For the one who reads it; false.  */
};

struct tb_ini_entry
{
  const struct tb_ini_section *section;
  const char *key;		/* Neither is ever NULL.  */
  const char *value;		/* "" where there is none.  */
  unsigned line;
};

/* A line that is neither a section, a key with a value nor a comment.  */
struct tb_ini_bad
{
  unsigned line;
  const char *text;		/* Its beginning.  */
};

struct tb_ini
{
  const char *path;		/* For messages; borrowed.  */
  struct tb_ini_section *sections;
  size_t nsections;
  struct tb_ini_entry *entries;	/* In the order of the file.  */
  size_t nentries;
  struct tb_ini_bad *bad;
  size_t nbad;
};

/* Parse the SIZE bytes at TEXT, the contents of PATH.  Strings come from POOL
   and live as long as it does.  Bad lines are kept, not reported.  On failure
   DIAG knows why and *INI is zero.  *INI must not move while it is in use.  */
enum tb_status tb_ini_parse (struct tb_ini *ini, struct objalloc *pool,
			     const char *path, const uint8_t *text,
			     size_t size, struct tb_diag *diag);
void tb_ini_fini (struct tb_ini *ini);

/* The length of VALUE without an inline comment: white space and then ';' or,
   if HASH, '#'.  */
size_t tb_ini_plain (const char *value, bool hash);

/* Whether A and B are the same but for the case of ASCII letters.  */
bool tb_same_nocase (const char *a, const char *b);

/* Whether TEXT begins with PREFIX, case ignored.  */
bool tb_begins_nocase (const char *text, const char *prefix);

#endif /* TB_SNAPSHOT_INI_H */
