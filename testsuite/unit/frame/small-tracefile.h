/* A small trace file and its bytes, and files in a folder of the test.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UNIT_SMALL_TRACEFILE_H
#define TB_UNIT_SMALL_TRACEFILE_H

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "frame/frame.h"
#include "tracefile-reader.h"
#include "frame/tracefile.h"

#define FILE_NAME "out.tf"

/* The last message.  */
static char message[1024];

static inline void
keep_message (void *context, enum tb_severity severity, const char *text)
{
  (void) context;
  (void) severity;
  snprintf (message, sizeof message, "%s", text);
}

static struct tb_diag diag = { keep_message, NULL, 0, 0 };

static const char *const collect_regs[] = { "collect $regs" };

/* Two tracepoints, in ascending order.  */
static const struct tb_tracepoint_def two_tracepoints[] =
  {
    { .number = 1, .address = 0x8000, .hits = 3, .collect = collect_regs,
      .ncollect = 1 },
    { .number = 2, .address = 0x8004, .hits = 0x10 }
  };

static const struct tb_tsv_def two_variables[] =
  {
    { 1, "step", 0 }, { 2, "cycles", -1 }
  };

static inline struct tb_tracefile_header
small_header (uint64_t frames)
{
  return (struct tb_tracefile_header)
    {
      .register_bytes = 0x44, .tdesc = "<target>\n</target>\n",
      .frames = frames, .created = 0x1234, .stop_note = "end",
      .tracepoints = two_tracepoints, .ntracepoints = 2,
      .variables = two_variables, .nvariables = 2
    };
}

static const char small_text[] =
  "\177TRACE0\n"
  "R 44\n"
  "status 0;tstop:656e64:0;tframes:2;tcreated:1234;circular:0;disconn:0\n"
  "tsv 2:ffffffffffffffff:0:6379636c6573\n"
  "tsv 1:0:0:73746570\n"
  "tp T2:8004:E:0:0\n"
  "tp Z2:8004:at:0:7:2a307838303034\n"
  "tp V2:8004:10:0\n"
  "tp T1:8000:E:0:0\n"
  "tp Z1:8000:at:0:7:2a307838303030\n"
  "tp Z1:8000:cmd:0:d:636f6c6c656374202472656773\n"
  "tp V1:8000:3:0\n"
  "tdesc <target>\n"
  "tdesc </target>\n"
  "\n";

/* The two frames of write_small.  */
static const uint8_t small_frames[] =
  {
    2, 0, 1 + 0x44 + 13, 0, 0, 0,
    'R', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
    39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57,
    58, 59, 60, 61, 62, 63, 64, 65, 66, 67,
    'V', 1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    1, 0, 11 + 3, 0, 0, 0,
    'M', 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 3, 0, 'x', 'y', 'z',
    0, 0, 0, 0
  };

static inline enum tb_status
write_small (const char *path)
{
  struct tb_tracefile_header header = small_header (2);
  struct tb_tracefile *file = tb_tracefile_create (path, &header, &diag);
  if (file == NULL)
    return TB_ERR_IO;
  uint8_t registers[0x44];
  for (unsigned i = 0; i < sizeof registers; i++)
    registers[i] = (uint8_t) i;
  tb_tracefile_begin (file, 2);
  tb_tracefile_registers (file, registers);
  tb_tracefile_variable (file, 1, -2);
  tb_tracefile_end (file);
  tb_tracefile_begin (file, 1);
  tb_tracefile_memory (file, UINT64_C (0x0123456789abcdef),
		       (const uint8_t *) "xyz", 3);
  tb_tracefile_memory (file, 0, NULL, 0);
  tb_tracefile_end (file);
  return tb_tracefile_finish (file);
}

/* The whole of PATH, *SIZE bytes, malloc'ed; NULL when there is none.  */
static inline uint8_t *
read_whole (const char *path, size_t *size)
{
  *size = 0;
  FILE *file = fopen (path, "rb");
  if (file == NULL)
    return NULL;
  uint8_t *bytes = malloc (1 << 20);
  *size = fread (bytes, 1, 1 << 20, file);
  fclose (file);
  return bytes;
}

static inline void
write_whole (const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen (path, "wb");
  fwrite (bytes, 1, size, file);
  fclose (file);
}

static inline bool
has_contents (const char *path, const void *bytes, size_t size)
{
  size_t have;
  uint8_t *found = read_whole (path, &have);
  bool same = found != NULL && have == size && memcmp (found, bytes, size) == 0;
  free (found);
  return same;
}

/* How many files there are in the working directory.  */
static inline unsigned
count_files (void)
{
  unsigned count = 0;
  DIR *folder = opendir (".");
  struct dirent *entry;
  while ((entry = readdir (folder)) != NULL)
    count += entry->d_type == DT_REG;
  closedir (folder);
  return count;
}

/* Read all of PATH with the strict reader.  */
static inline enum tb_status
read_strictly (const char *path, unsigned *frames, unsigned *blocks)
{
  struct tb_tracefile_reader reader;
  *frames = *blocks = 0;
  enum tb_status status = tb_tracefile_reader_open (&reader, path, &diag);
  if (status != TB_OK)
    return status;
  for (;;)
    {
      struct tb_read_frame frame;
      bool more;
      status = tb_tracefile_reader_frame (&reader, &frame, &more);
      if (status != TB_OK || !more)
	break;
      ++*frames;
      struct tb_read_block block;
      while ((status = tb_tracefile_reader_block (&reader, &frame, &block,
						  &more)) == TB_OK && more)
	++*blocks;
      if (status != TB_OK)
	break;
    }
  tb_tracefile_reader_close (&reader);
  return status;
}

/* Go to a new folder; false: it could not be made.  */
static inline bool
enter_folder (char *name)
{
  if (mkdtemp (name) != NULL && chdir (name) == 0)
    return true;
  perror (name);
  return false;
}

/* Leave it; it must be empty but for the file.  */
static inline void
leave_folder (const char *name)
{
  unlink (FILE_NAME);
  CHECK_INT (count_files (), 0);
  CHECK (chdir ("..") == 0 && rmdir (name) == 0);
}

#endif /* TB_UNIT_SMALL_TRACEFILE_H */
