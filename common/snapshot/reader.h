/* What the parts of the snapshot reader share.  Private to the reader.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_READER_H
#define TB_SNAPSHOT_READER_H

#include "snapshot/ini.h"
#include "snapshot/pool.h"
#include "snapshot/snapshot.h"
#include "snapshot/value.h"

/* More than this is refused or left out: no real system comes near, and
   references between them are looked up one by one.  */
#define TB_MAX_DEVICES 4096
#define TB_MAX_BUFFERS 1024
#define TB_MAX_STREAMS 16384
#define TB_MAX_DUMPS 65536	/* In all devices together.  */
#define TB_MAX_REFERENCES 131072	/* To files, devices and buffers.  */
#define TB_MAX_TEXT ((size_t) 64 << 20)		/* Of all INI files.  */

/* Messages of one severity beyond this number are counted, not shown.  */
#define TB_MAX_MESSAGES 100

/* A file of the snapshot, mapped once however often it is named.  */
struct tb_file
{
  const char *path;		/* Resolved; the key of the table.  */
  struct tb_filemap map;
  const char *role;		/* What an INI file was read as, or NULL.  */
};

/* What a snapshot owns.  */
struct tb_snapshot_store
{
  struct objalloc *pool;	/* Strings, registers, dumps, spans.  */
  struct htab *files;		/* Of struct tb_file, by path.  */
  struct tb_device *devices;
  struct tb_trace_buffer *buffers;
  struct tb_trace_stream *streams;
};

/* An empty one; tb_snapshot_close frees it.  NULL: no memory.  */
struct tb_snapshot_store *tb_snapshot_store_new (void);

/* A snapshot while it is read.  */
struct tb_reader
{
  struct tb_snapshot *snapshot;
  struct tb_snapshot_store *store;
  struct tb_diag *diag;
  bool allow_outside;
  char *root;			/* The directory, resolved.  */
  enum tb_status status;	/* Of the first error.  */
  unsigned messages[TB_ERROR + 1];
  const char **told;		/* What is said once.  */
  size_t ntold, told_capacity;
  size_t text_bytes;
  size_t dumps;
  size_t references;
  size_t devices_capacity;
  size_t streams_capacity;
  size_t lost_buffers;		/* Listed, but their files are missing.  */
};

/* Messages about an entry, a section or a file: "FILE:LINE: [section] key: "
   and the text.  An error makes the reader's status STATUS, if it was TB_OK,
   which for the other severities is not used.  */
void tb_say (struct tb_reader *reader, enum tb_severity severity,
	     const struct tb_ini_entry *entry, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
void tb_say_section (struct tb_reader *reader, enum tb_severity severity,
		     const struct tb_ini_section *section,
		     const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
void tb_say_file (struct tb_reader *reader, enum tb_severity severity,
		  const char *path, const char *format, ...)
  __attribute__ ((format (printf, 4, 5)));
void tb_no_memory (struct tb_reader *reader);

/* True the first time that it is asked for the text that FORMAT makes, until
   there are too many texts.  */
bool tb_once (struct tb_reader *reader, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Count a reference to something elsewhere, made by ENTRY.  False, and an
   error, where there are too many: each costs a search.  */
bool tb_spend (struct tb_reader *reader, const struct tb_ini_entry *entry);

/* What tb_find_file found.  */
enum tb_found
{
  TB_FOUND,
  TB_FOUND_NOT,		/* No such file; nothing was said.  */
  TB_FOUND_BAD		/* An error was said.  */
};

/* Map the file that NAME, (part of) the value of ENTRY, names.  NAME is taken
   whole if there is such a file, otherwise without an inline comment,
   otherwise with '\' for '/' (as tools on Windows write it).  It is relative
   to the snapshot's directory, or failing that to the directory of the file
   that ENTRY stands in.  */
enum tb_found tb_find_file (struct tb_reader *reader,
			    const struct tb_ini_entry *entry,
			    struct tb_slice name, struct tb_file **file);

/* Map the file that the whole value of ENTRY names, WHAT.  NULL after an error.  */
struct tb_file *tb_named_file (struct tb_reader *reader,
			       const struct tb_ini_entry *entry,
			       const char *what);

/* Map PATH, already resolved.  NULL after an error that names ENTRY, or PATH if
   that is NULL.  */
struct tb_file *tb_map_file (struct tb_reader *reader,
			     const struct tb_ini_entry *entry,
			     const char *path);

/* Map PATH, which may be relative and have links in it.  NULL after an error that names it.  */
struct tb_file *tb_map_path (struct tb_reader *reader, const char *path);

/* Parse FILE, called PATH in messages, as ROLE ("the device file of line 7").
   ENTRY, which may be NULL, named it.  False after an error, one of which is
   that it was read before.  */
bool tb_read_ini (struct tb_reader *reader, struct tb_ini *ini,
		  struct tb_file *file, const struct tb_ini_entry *entry,
		  const char *path, const char *role);

/* Say the bad lines of INI; false if there are any.  */
bool tb_check_lines (struct tb_reader *reader, const struct tb_ini *ini);

/* The path of FILE for messages and for tb_device.file.  */
const char *tb_shown_path (struct tb_reader *reader,
			   const struct tb_file *file);

/* One key that a section may have, and where it was found.  */
struct tb_field
{
  const char *key;
  const struct tb_ini_entry *entry;	/* NULL: not there.  */
};

/* Collect the keys of SECTION into the COUNT FIELDS; call it again to go on
   with a section of the same name.  A key that stands twice with two values is
   an error.  An unknown key is a warning unless OTHERS, the kind of section,
   is NULL.  */
void tb_take_fields (struct tb_reader *reader,
		     const struct tb_ini_section *section,
		     struct tb_field *fields, size_t count,
		     const char *others);

/* The value of FIELD without an inline comment; empty if there is none.  */
struct tb_slice tb_field_word (const struct tb_field *field);

/* The value of FIELD without a comment after ';' or, if HASH, '#' (which may be
   part of a name); "" where there is none.  NULL: no memory, said.  */
const char *tb_field_text (struct tb_reader *reader,
			   const struct tb_field *field, bool hash);

/* The value of FIELD as a number in *VALUE, which is left alone where the key
   is absent.  False after an error.  */
bool tb_field_u64 (struct tb_reader *reader, const struct tb_field *field,
		   uint64_t *value);

/* Warn, once for each name, of a section that the format does not have in this
   kind of file.  */
void tb_unknown_section (struct tb_reader *reader,
			 const struct tb_ini_section *section);

/* COUNT elements of SIZE bytes moved from the heap into the pool; frees ITEMS.
   NULL when COUNT is 0 or after an error.  */
void *tb_keep_array (struct tb_reader *reader, void *items, size_t count,
		     size_t size);

/* The parts: each says its errors and goes on as far as it can.  */
void tb_read_device (struct tb_reader *reader,
		     const struct tb_ini_entry *entry);
/* Make DEVICE, whose file has no class, one of CLASS, a core or a trace source, WHY
   (a note).  */
void tb_set_class (struct tb_reader *reader, struct tb_device *device,
		   enum tb_device_class class, const char *why);

void tb_read_dumps (struct tb_reader *reader, const struct tb_ini *ini,
		    struct tb_device *device);
void tb_read_trace (struct tb_reader *reader,
		    const struct tb_ini_entry *entry);
void tb_read_streams (struct tb_reader *reader, const struct tb_ini *ini);

/* The device that NAME in ENTRY refers to: the name of a device, or '@' and a
   location.  Without regard to case, with a warning, if no name is exactly so
   and one device is meant.  NULL where there is none or more than one; that
   is for the caller to say.  */
const struct tb_device *tb_refer_device (struct tb_reader *reader,
					 const struct tb_ini_entry *entry,
					 struct tb_slice name);

/* Threads of one program are cores, which have a map of all its regions each: so many in all
   together.  */
#define TB_MAX_MAPPED_DUMPS (8 << 20)

#endif /* TB_SNAPSHOT_READER_H */
