/* Trace files: what is written, byte by byte, and what the strict reader and
   the disk make of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "frame/frame.h"
#include "tracefile-reader.h"
#include "frame/tracefile.h"

#define FILE_NAME "out.tf"

/* The last message.  */
static char message[1024];

static void
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

static struct tb_tracefile_header
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

static enum tb_status
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
static uint8_t *
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

static void
write_whole (const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen (path, "wb");
  fwrite (bytes, 1, size, file);
  fclose (file);
}

static bool
has_contents (const char *path, const void *bytes, size_t size)
{
  size_t have;
  uint8_t *found = read_whole (path, &have);
  bool same = found != NULL && have == size && memcmp (found, bytes, size) == 0;
  free (found);
  return same;
}

/* How many files there are in the working directory.  */
static unsigned
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
static enum tb_status
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

static void
test_bytes (void)
{
  CHECK_INT (write_small (FILE_NAME), TB_OK);
  size_t size;
  uint8_t *bytes = read_whole (FILE_NAME, &size);
  size_t text = sizeof small_text - 1;
  if (!CHECK_INT (size, text + sizeof small_frames))
    return;
  CHECK (memcmp (bytes, small_text, text) == 0);
  CHECK (memcmp (bytes + text, small_frames, sizeof small_frames) == 0);
  CHECK_INT (count_files (), 1);

  unsigned frames, blocks;
  CHECK_INT (read_strictly (FILE_NAME, &frames, &blocks), TB_OK);
  CHECK_INT (frames, 2);
  CHECK_INT (blocks, 3);

  /* No part of it is taken for the whole; but two of the four bytes of the end
     mark are enough.  */
  for (size_t length = 0; length < size; length++)
    {
      write_whole ("part.tf", bytes, length);
      bool whole = read_strictly ("part.tf", &frames, &blocks) == TB_OK;
      if (!CHECK_INT (whole, length == size - 2))
	fprintf (stderr, "cut to %zu bytes\n", length);
    }
  unlink ("part.tf");
  free (bytes);
}

/* Blocks as the reader tells them.  */
static void
test_reader (void)
{
  struct tb_tracefile_reader reader;
  if (!CHECK_INT (tb_tracefile_reader_open (&reader, FILE_NAME, &diag), TB_OK))
    return;
  CHECK_INT (reader.register_bytes, 0x44);
  CHECK_INT (reader.tracepoints, 2);
  CHECK_INT (reader.announced, 2);
  const char *line;
  size_t length, lines = 0;
  while (tb_tracefile_reader_line (&reader, &line, &length))
    if (lines++ == 0)
      CHECK (length == 4 && memcmp (line, "R 44", 4) == 0);
  CHECK_INT (lines, 13);

  struct tb_read_frame frame;
  struct tb_read_block block;
  bool more;
  tb_tracefile_reader_frame (&reader, &frame, &more);
  CHECK_INT (frame.tracepoint, 2);
  CHECK_INT (frame.offset, sizeof small_text - 1 + 6);
  tb_tracefile_reader_block (&reader, &frame, &block, &more);
  CHECK_INT (block.kind, 'R');
  CHECK_INT (block.length, 0x44);
  CHECK_INT (block.bytes[0x43], 0x43);
  tb_tracefile_reader_block (&reader, &frame, &block, &more);
  CHECK_INT (block.kind, 'V');
  CHECK_INT (block.variable, 1);
  CHECK_INT (block.value, -2);
  tb_tracefile_reader_block (&reader, &frame, &block, &more);
  CHECK (!more);
  tb_tracefile_reader_frame (&reader, &frame, &more);
  tb_tracefile_reader_block (&reader, &frame, &block, &more);
  CHECK_INT (block.kind, 'M');
  CHECK_INT (block.address, UINT64_C (0x0123456789abcdef));
  CHECK (block.length == 3 && memcmp (block.bytes, "xyz", 3) == 0);
  tb_tracefile_reader_close (&reader);
}

/* A change of the small file, and a piece of what the reader says.  */
static const struct damage
{
  const char *find, *replace;	/* Of equal length.  */
  const char *says;
} damages[] =
  {
    { "TRACE0", "TRACE1", "byte 0x0: expected the magic" },
    { "R 44", "R 00", "byte 0x8: expected a definition, found \"R 00\"" },
    { "R 44", "R x4", "found \"R x4\"" },
    { "R 44", "Q 44", "found \"Q 44\"" },
    { "0;tstop:", "1;tstop:", "found \"status 1;" },
    { "circular:0", "circular;0", "found \"status 0;" },
    { "tframes:2", "tframes:3", "expected 3 frames as the status says, found 2" },
    { "tframes:2", "tframis:2", "found \"status 0;" },
    { "tp T2:", "tp T3:", "found \"tp Z2:" },
    { "tp T1:8000:E:0:0\n", "tp T1:8000:X:0:0\n", "found \"tp T1:" },
    { "tp T1:8000:E:0:0\n", "tp T1:8000:E:0:g\n", "found \"tp T1:" },
    { "tp Z1:8000:at", "tp Z1:8004:at", "found \"tp Z1:" },
    { "73746570", "7374657g", "found \"tsv 1:" },
    { "tdesc <t", "tdisc <t", "found \"tdisc" },
    { "R\0\1\2", "S\0\1\2", "expected a block, R, M or V, found 0x53" },
    { "M\xef\xcd", "R\xef\xcd", "a block R of 69 bytes where the frame has 14" }
  };

static void
test_damages (void)
{
  size_t size;
  uint8_t *bytes = read_whole (FILE_NAME, &size);
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
    {
      const struct damage *damage = &damages[i];
      /* The three with a zero byte in them begin with a letter and three
	 bytes.  */
      size_t length = damage->find[1] == '\0' ? 4 : strlen (damage->find);
      uint8_t *at = memmem (bytes, size, damage->find, length);
      if (!CHECK (at != NULL))
	continue;
      memcpy (at, damage->replace, length);
      write_whole ("bad.tf", bytes, size);
      memcpy (at, damage->find, length);
      unsigned frames, blocks;
      message[0] = '\0';
      CHECK_INT (read_strictly ("bad.tf", &frames, &blocks), TB_ERR_INPUT);
      if (!CHECK (strstr (message, damage->says) != NULL))
	fprintf (stderr, "it says \"%s\", not \"%s\"\n", message,
		 damage->says);
    }
  free (bytes);
  unlink ("bad.tf");
}

/* An M block holds 65535 bytes.  */
static void
test_split (void)
{
  static const struct { size_t length; size_t blocks[3]; } cases[] =
    {
      { 0, { 0 } }, { 1, { 1 } }, { 65535, { 65535 } }, { 65536, { 65535, 1 } },
      { 131071, { 65535, 65535, 1 } }
    };
  static uint8_t bytes[131071];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t) (i * 7 + (i >> 8));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct tb_tracefile_header header = small_header (1);
      struct tb_tracefile *file
	= tb_tracefile_create (FILE_NAME, &header, &diag);
      tb_tracefile_begin (file, 1);
      tb_tracefile_memory (file, 0x1000, bytes, cases[i].length);
      tb_tracefile_end (file);
      CHECK_INT (tb_tracefile_finish (file), TB_OK);

      struct tb_tracefile_reader reader;
      CHECK_INT (tb_tracefile_reader_open (&reader, FILE_NAME, &diag), TB_OK);
      struct tb_read_frame frame;
      struct tb_read_block block;
      bool more;
      CHECK_INT (tb_tracefile_reader_frame (&reader, &frame, &more), TB_OK);
      size_t done = 0, count = 0;
      while (tb_tracefile_reader_block (&reader, &frame, &block, &more)
	     == TB_OK && more && CHECK (count < 3))
	{
	  CHECK_INT (block.length, cases[i].blocks[count]);
	  CHECK_INT (block.address, 0x1000 + done);
	  CHECK (memcmp (block.bytes, bytes + done, block.length) == 0);
	  done += block.length;
	  count++;
	}
      CHECK_INT (done, cases[i].length);
      tb_tracefile_reader_close (&reader);
    }
}

/* The longest lines that GDB reads, and those one character longer.  */
static void
test_lines (void)
{
  char command[600], tdesc[1100];
  const char *const commands[] = { command };
  struct tb_tracepoint_def tracepoint = { .number = 1, .collect = commands,
					    .ncollect = 1 };
  struct tb_tracefile_header header = small_header (0);
  header.tracepoints = &tracepoint;
  header.ntracepoints = 1;

  /* "tp Z1:0:cmd:0:1eb:" is 18 characters; with the address 0x10, 19.  */
  static const struct { size_t length; uint64_t address; bool fits; } lines[] =
    {
      { 490, 0x10, true }, { 491, 0, false }, { 490, 0x100, false }
    };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    {
      memset (command, 'c', lines[i].length);
      command[lines[i].length] = '\0';
      tracepoint.address = lines[i].address;
      struct tb_tracefile *file
	= tb_tracefile_create (FILE_NAME, &header, &diag);
      CHECK_INT (file != NULL, lines[i].fits);
      if (file != NULL)
	{
	  CHECK_INT (tb_tracefile_finish (file), TB_OK);
	  unsigned frames, blocks;
	  CHECK_INT (read_strictly (FILE_NAME, &frames, &blocks), TB_OK);
	}
      else
	CHECK (strstr (message, "GDB reads at most 999") != NULL);
    }

  for (size_t length = 990; length <= 991; length++)
    {
      memset (tdesc, 'x', length);
      strcpy (tdesc + length, "\n<target/>");
      header = small_header (0);
      header.tdesc = tdesc;
      struct tb_tracefile *file
	= tb_tracefile_create (FILE_NAME, &header, &diag);
      CHECK_INT (file != NULL, length == 990);
      if (file != NULL)
	CHECK_INT (tb_tracefile_finish (file), TB_OK);
    }

  /* Free texts are cut rather than refused.  */
  char notes[3000];
  memset (notes, 'n', sizeof notes);
  notes[sizeof notes - 1] = '\0';
  header = small_header (0);
  header.stop_note = header.notes = notes;
  header.frames = header.created = 0;
  struct tb_tracefile *file = tb_tracefile_create (FILE_NAME, &header, &diag);
  if (CHECK (file != NULL))
    CHECK_INT (tb_tracefile_finish (file), TB_OK);
  unsigned frames, blocks;
  CHECK_INT (read_strictly (FILE_NAME, &frames, &blocks), TB_OK);

  /* The last tracepoint number, and counts that GDB holds in an int.  */
  struct tb_tracepoint_def *many = calloc (32767, sizeof *many);
  for (unsigned i = 0; i < 32767; i++)
    many[i] = (struct tb_tracepoint_def) { .number = i + 1,
						 .address = i * 2 };
  header = small_header (1);
  header.created = UINT64_MAX;
  header.tracepoints = many;
  header.ntracepoints = 32767;
  file = tb_tracefile_create (FILE_NAME, &header, &diag);
  tb_tracefile_begin (file, 32767);
  tb_tracefile_end (file);
  CHECK_INT (tb_tracefile_finish (file), TB_OK);
  free (many);
  struct tb_tracefile_reader reader;
  CHECK_INT (tb_tracefile_reader_open (&reader, FILE_NAME, &diag), TB_OK);
  CHECK_INT (reader.tracepoints, 32767);
  const char *line;
  size_t length;
  while (tb_tracefile_reader_line (&reader, &line, &length))
    if (strncmp (line, "status", 6) == 0)
      CHECK (memmem (line, length, "tcreated:7fffffff;", 18) != NULL);
  tb_tracefile_reader_close (&reader);
}

/* Every length that can be filled is, and with nothing but whole blocks.  */
static void
test_pad (void)
{
  static const size_t cannot[] = { 1, 10, 12, 14, 21, 23, 25, 119 };
  for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
    CHECK (!tb_frame_can_pad (cannot[i]));
  for (size_t length = 0; length < 1000; length++)
    {
      if (length >= TB_FRAME_PAD_MIN)
	CHECK (tb_frame_can_pad (length));
      if (!tb_frame_can_pad (length))
	continue;
      struct tb_frame frame = { 0 };
      tb_frame_variable (&frame, 7, 8);
      tb_frame_pad (&frame, 13 + length, 7, 8);
      CHECK_INT (frame.bytes.size, 13 + length);
      size_t at = 0;
      while (at < frame.bytes.size)
	{
	  const uint8_t *block = frame.bytes.data + at;
	  if (*block == 'V')
	    {
	      CHECK (memcmp (block, "V\7\0\0\0\10\0\0\0\0\0\0\0", 13) == 0);
	      at += 13;
	    }
	  else
	    {
	      CHECK (memcmp (block, "M\0\0\0\0\0\0\0\0\0\0", 11) == 0);
	      at += 11;
	    }
	}
      CHECK_INT (at, frame.bytes.size);
      tb_frame_fini (&frame);
    }
}

/* Places where nothing can be written.  */
static void
test_paths (void)
{
  mkdir ("folder", 0777);
  static const char *const paths[] =
    { "", "folder", "no/such/folder/x.tf", "folder/", "out.tf/x" };
  unsigned before = count_files ();
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    {
      message[0] = '\0';
      CHECK (write_small (paths[i]) != TB_OK);
      CHECK (strncmp (message, paths[i], strlen (paths[i])) == 0);
      CHECK (strstr (message, "cannot create") != NULL);
    }
  CHECK_INT (count_files (), before);

  /* Through a symbolic link, which stays one.  */
  write_whole ("target.tf", "old", 3);
  CHECK_INT (symlink ("target.tf", "link.tf"), 0);
  CHECK_INT (write_small ("link.tf"), TB_OK);
  struct stat st;
  CHECK (lstat ("link.tf", &st) == 0 && S_ISLNK (st.st_mode));
  CHECK (!has_contents ("target.tf", "old", 3));
  unlink ("link.tf");
  unlink ("target.tf");

  /* The mode is the umask's.  */
  mode_t mask = umask (027);
  CHECK_INT (write_small ("mode.tf"), TB_OK);
  umask (mask);
  CHECK (stat ("mode.tf", &st) == 0 && (st.st_mode & 0777) == 0640);
  unlink ("mode.tf");

  /* A name as long as names may be.  */
  char name[256];
  memset (name, 'n', 255);
  name[255] = '\0';
  CHECK_INT (write_small (name), TB_OK);
  unlink (name);
  rmdir ("folder");
  CHECK_INT (count_files (), before);
}

/* An older file stays until the new one is whole.  */
static void
test_abandon (void)
{
  write_whole (FILE_NAME, "old", 3);
  unsigned before = count_files ();
  struct tb_tracefile_header header = small_header (1);
  struct tb_tracefile *file = tb_tracefile_create (FILE_NAME, &header, &diag);
  /* It may have no name until it is whole.  */
  CHECK (count_files () <= before + 1);
  tb_tracefile_begin (file, 1);
  tb_tracefile_end (file);
  tb_tracefile_abandon (file);
  tb_tracefile_abandon (NULL);
  CHECK_INT (count_files (), before);
  CHECK (has_contents (FILE_NAME, "old", 3));
}

static void
test_full (void)
{
  /* A device is written to, not replaced.  */
  message[0] = '\0';
  CHECK (write_small ("/dev/full") == TB_ERR_IO);
  CHECK (strncmp (message, "/dev/full: cannot write: ", 25) == 0);
  struct stat st;
  CHECK (stat ("/dev/full", &st) == 0 && S_ISCHR (st.st_mode));

  write_whole (FILE_NAME, "old", 3);
  unsigned before = count_files ();
  signal (SIGXFSZ, SIG_IGN);
  struct rlimit old, tiny;
  getrlimit (RLIMIT_FSIZE, &old);
  tiny = old;
  tiny.rlim_cur = 100000;
  setrlimit (RLIMIT_FSIZE, &tiny);
  struct tb_tracefile_header header = small_header (1000);
  struct tb_tracefile *file = tb_tracefile_create (FILE_NAME, &header, &diag);
  unsigned written = 0;
  static const uint8_t bytes[1000];
  unsigned errors = diag.errors;
  for (unsigned i = 0; i < 1000; i++)
    {
      tb_tracefile_begin (file, 1);
      tb_tracefile_memory (file, 0, bytes, sizeof bytes);
      written += tb_tracefile_end (file) == TB_OK;
    }
  CHECK (written < 1000);
  CHECK_INT (tb_tracefile_finish (file), TB_ERR_IO);
  setrlimit (RLIMIT_FSIZE, &old);
  CHECK_INT (diag.errors, errors + 1);
  CHECK (strncmp (message, FILE_NAME ": cannot write: ", 22) == 0);
  CHECK_INT (count_files (), before);
  CHECK (has_contents (FILE_NAME, "old", 3));
}

static void
test_stdout (void)
{
  fflush (stdout);
  int saved = dup (STDOUT_FILENO);
  CHECK (freopen ("stdout.tf", "wb", stdout) != NULL);
  CHECK_INT (write_small ("-"), TB_OK);
  fflush (stdout);
  dup2 (saved, STDOUT_FILENO);
  close (saved);
  unsigned frames, blocks;
  CHECK_INT (read_strictly ("stdout.tf", &frames, &blocks), TB_OK);
  CHECK_INT (frames, 2);
  unlink ("stdout.tf");
}

int
main (void)
{
  char folder[] = "test-tracefile.XXXXXX";
  if (mkdtemp (folder) == NULL || chdir (folder) != 0)
    {
      perror (folder);
      return 1;
    }
  test_bytes ();
  test_reader ();
  test_damages ();
  test_split ();
  test_lines ();
  test_pad ();
  test_paths ();
  test_abandon ();
  test_full ();
  test_stdout ();
  unlink (FILE_NAME);
  CHECK_INT (count_files (), 0);
  CHECK (chdir ("..") == 0 && rmdir (folder) == 0);
  return check_done ();
}
