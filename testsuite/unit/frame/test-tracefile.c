/* Trace files: what is written, byte by byte, and what the strict reader makes of it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "small-tracefile.h"

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

int
main (void)
{
  char folder[] = "test-tracefile.XXXXXX";
  if (!enter_folder (folder))
    return 1;
  test_bytes ();
  test_reader ();
  test_damages ();
  test_split ();
  test_lines ();
  test_pad ();
  leave_folder (folder);
  return check_done ();
}
