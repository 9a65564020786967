/* Unit tests of the snapshot reader: buffers and associations.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include "snapshot-tree.h"

static struct tree tree;

/* Buffers b0 (32 bytes), b1 (two files and an empty one), b2 (empty).  */
#define BUFFERS \
  "[trace_buffers]\nbuffers=b0,b1 , b2,\n" \
  "[b2]\nname=ETB_2\nfile=empty.bin\nformat=Source_Data\n" \
  "[b1]\nname=ETB_1\nfile=trace.bin, empty.bin ,more.bin,\n" \
  "format=dstream_coresight\n" \
  "[b0]\nname=ETB_0\nfile=trace.bin\nformat=coresight\n"

/* Each case: the trace metadata, the streams that come of it as
   "core<-source:buffer/stream ", and what is said (NULL: nothing).  */
static const struct
{
  const char *text, *streams, *said;
} cases[] = {
  /* The format's own form, and several sessions of one core.  */
  { BUFFERS "[core_trace_sources]\ncpu_0=ETM_0\ncpu_0=ETM_1\n"
    "[source_buffers]\nETM_1=ETB_1\nETM_0=ETB_0\nITM_0=ETB_0\n",
    "cpu_0<-ETM_1:ETB_1/0 cpu_0<-ETM_0:ETB_0/0 -<-ITM_0:ETB_0/0 ", NULL },
  /* A pair that stands twice; several buffers of one source; streams.  */
  { BUFFERS "[core_trace_sources]\ncpu_0=ETM_0\ncpu_0=ETM_0\n"
    "[source_buffers]\nETM_0=ETB_0, ETB_1,\nETM_0=ETB_0\n"
    "ETM_0 ( stream : 1 )=ETB_1\n",
    "cpu_0<-ETM_0:ETB_0/0 cpu_0<-ETM_0:ETB_1/0 cpu_0<-ETM_0:ETB_1/1 ", NULL },
  /* By location; a buffer by its ID.  */
  { BUFFERS "[core_trace_sources]\ncpu_0=@address:0x80010000\n"
    "cpu_1=@ADDRESS:0x80011000\n"
    "[source_buffers]\nETM_0=b0\n@address:0x80011000=ETB_1\n",
    "cpu_0<-ETM_0:ETB_0/0 cpu_1<-ETM_1:ETB_1/0 ",
    "[core_trace_sources] cpu_1: expected the location of a device, found "
    "\"@ADDRESS:0x80011000\", which is ETM_1 but for upper and lower case" },
  /* As in the format's example: names in another case than the devices'.  */
  { BUFFERS "[core_trace_sources]\nCPU_0=etm_0\n[source_buffers]\n"
    "etm_0=etb_0\n",
    "cpu_0<-ETM_0:ETB_0/0 ",
    "[core_trace_sources] CPU_0: expected the name of a device, found "
    "\"etm_0\", which is ETM_0 but for upper and lower case" },
  /* One buffer, no source_buffers: all sources use it.  */
  { "[trace_buffers]\nbuffers=b0\n[b0]\nname=E\nfile=trace.bin\n"
    "format=coresight\n[core_trace_sources]\ncpu_1=ETM_1\n",
    "cpu_1<-ETM_1:E/0 -<-ETM_0:E/0 -<-ITM_0:E/0 ", NULL },
  /* A buffer with one source's bytes, used by three.  */
  { "[trace_buffers]\nbuffers=b0\n[b0]\nname=E\nfile=trace.bin\n"
    "format=source_data\n",
    "-<-ETM_0:E/0 -<-ETM_1:E/0 -<-ITM_0:E/0 ",
    "expected one source for the buffer E, whose format is source_data, found "
    "ETM_0 and ETM_1" },
  /* Sources and cores that are not devices.  */
  { BUFFERS "[core_trace_sources]\ncpu_9=ETM_0\ncpu_1=ETM_9\n"
    "[source_buffers]\nETM_0=ETB_0\nETM_9=ETB_0\n",
    "-<-ETM_0:ETB_0/0 ",
    "[core_trace_sources] cpu_9: expected a core in the device list, found "
    "\"cpu_9\"" },
  { BUFFERS "[core_trace_sources]\n[source_buffers]\nETM_9=ETB_0\n", "",
    "[source_buffers] ETM_9: expected a trace source in the device list, "
    "found \"ETM_9\"" },
  /* A core's source that no buffer has.  */
  { BUFFERS "[core_trace_sources]\ncpu_0=ETM_0\ncpu_1=ETM_1\n"
    "[source_buffers]\nETM_1=ETB_0\n",
    "cpu_1<-ETM_1:ETB_0/0 cpu_0<-ETM_0:-/0 ", NULL },
  /* No buffer at all: an MTB's trace is in RAM.  */
  { "[core_trace_sources]\ncpu_0=ETM_0\n", "cpu_0<-ETM_0:-/0 ",
    "note: " },
  { "[trace_buffers]\nbuffers=\n[core_trace_sources]\ncpu_0=ETM_0\n",
    "cpu_0<-ETM_0:-/0 ", NULL },
  { BUFFERS "[core_trace_sources]\ncpu_0=ETM_0\ncpu_1=ETM_0\n"
    "[source_buffers]\nETM_0=ETB_0\n", "cpu_0<-ETM_0:ETB_0/0 ",
    "expected one core for a trace source, found cpu_0 and cpu_1 for ETM_0" },
  { BUFFERS "[source_buffers]\nETM_0=ETB_7,ETB_0\n", "-<-ETM_0:ETB_0/0 ",
    "[source_buffers] ETM_0: expected the names of trace buffers, found "
    "\"ETB_7\"" },
  { BUFFERS "[source_buffers]\nETM_0=\n", "",
    "[source_buffers] ETM_0: expected the names of trace buffers, found "
    "nothing" },
  { BUFFERS "[timestamp]\nfrequency=25000000\n[extra]\n[source_buffers]\n", "",
    "warning: " },
  { "[trace_buffers]\nbuffers=b0,b0\n[b0]\nfile=trace.bin\nformat=tpiu\n"
    "colour=1\n[source_buffers]\nETM_0=b0\n", "-<-ETM_0:b0/0 ",
    "[trace_buffers] buffers: expected each buffer once, found \"b0\" again" },
  /* A buffer whose file is missing, and one that is there.  */
  { "[trace_buffers]\nbuffers=b0,b1\n[b0]\nname=E0\nfile=gone.bin\n"
    "format=coresight\n[b1]\nname=E1\nfile=trace.bin\nformat=coresight\n"
    "[core_trace_sources]\ncpu_0=ETM_0\ncpu_1=ETM_1\n"
    "[source_buffers]\nETM_0=E0\nETM_1=E1\n",
    "cpu_1<-ETM_1:E1/0 cpu_0<-ETM_0:-/0 ",
    "trace.ini:5: [b0] file: expected the file of a trace buffer, found no "
    "file \"gone.bin\"; the buffer is left out" }
};

static void
write_devices (void)
{
  tree_reset (&tree);
  tree_write (&tree, "snapshot.ini", "[snapshot]\nversion=1.0\n"
	      "[device_list]\na=cpu_0.ini\nb=cpu_1.ini\nc=etm_0.ini\n"
	      "d=etm_1.ini\ne=itm_0.ini\n[trace]\nmetadata=trace.ini\n");
  tree_write (&tree, "cpu_1.ini", "[device]\nname=cpu_1\nclass=core\n");
  tree_write (&tree, "etm_1.ini", "[device]\nname=ETM_1\nclass=trace_source\n"
	      "location=address:0x80011000\n");
  tree_write (&tree, "itm_0.ini", "[device]\nname=ITM_0\n"
	      "class=trace_source\ntype=ITM\n");
  tree_write (&tree, "empty.bin", "");
  tree_write (&tree, "more.bin", "0123456789");
}

static void
test_streams (void)
{
  write_devices ();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
      struct tb_snapshot snapshot;
      tree_write (&tree, "trace.ini", cases[i].text);
      enum tb_status status = tree_open (&tree, &snapshot);
      if (!CHECK_INT (status, TB_OK))
	{
	  fprintf (stderr, "case %zu: %s", i, tree.said);
	  continue;
	}
      char text[1024] = "";
      for (size_t j = 0; j < snapshot.nstreams; j++)
	{
	  const struct tb_trace_stream *stream = &snapshot.streams[j];
	  size_t length = strlen (text);
	  snprintf (text + length, sizeof text - length, "%s<-%s:%s/%u ",
		    stream->core != NULL ? stream->core->name : "-",
		    stream->source->name,
		    stream->buffer != NULL ? stream->buffer->name : "-",
		    stream->stream);
	}
      if (!CHECK_STR (text, cases[i].streams))
	fprintf (stderr, "case %zu\n", i);
      if (cases[i].said != NULL)
	CHECK (tree_said (&tree, cases[i].said));
      else
	CHECK_STR (tree.said, "");
      tb_snapshot_close (&snapshot);
    }
}

static void
test_buffers (void)
{
  struct tb_snapshot snapshot;
  write_devices ();
  tree_write (&tree, "trace.ini", BUFFERS "[source_buffers]\nETM_0=ETB_1\n");
  if (!CHECK_INT (tree_open (&tree, &snapshot), TB_OK))
    return;
  CHECK_STR (tree.said, "");
  CHECK_INT (snapshot.nbuffers, 3);
  const struct tb_trace_buffer *buffers = snapshot.buffers;
  CHECK_STR (buffers[0].name, "ETB_0");
  CHECK_INT (buffers[0].size, 32);
  CHECK_INT (buffers[0].format, TB_FORMAT_CORESIGHT);
  CHECK_STR (buffers[1].id, "b1");
  CHECK_INT (buffers[1].format, TB_FORMAT_DSTREAM);
  CHECK_STR (buffers[1].format_name, "dstream_coresight");
  CHECK_INT (buffers[1].size, 42);
  CHECK_INT (buffers[1].nspans, 2);
  CHECK_INT (buffers[1].spans[0].size, 32);
  CHECK (buffers[1].spans[0].data == buffers[0].spans[0].data);
  CHECK_INT (buffers[1].spans[1].size, 10);
  CHECK_INT (buffers[1].spans[1].data[9], '9');
  CHECK_INT (buffers[2].format, TB_FORMAT_SOURCE_DATA);
  CHECK_INT (buffers[2].size, 0);
  CHECK_INT (buffers[2].nspans, 0);
  tb_snapshot_close (&snapshot);

  /* An unknown format keeps its name.  */
  tree_write (&tree, "trace.ini", "[trace_buffers]\nbuffers=b0\n[b0]\n"
	      "file=trace.bin\nformat=swo\ncolour=1\n");
  if (!CHECK_INT (tree_open (&tree, &snapshot), TB_OK))
    return;
  CHECK_STR (snapshot.buffers[0].name, "b0");
  CHECK_STR (snapshot.buffers[0].format_name, "swo");
  CHECK_INT (snapshot.buffers[0].format, TB_FORMAT_OTHER);
  CHECK (tree_said (&tree, "trace.ini:3: [b0]: expected the key name"));
  CHECK (tree_said (&tree, "trace.ini:5: [b0] format: expected coresight, "
		    "source_data, dstream_coresight or tpiu, found "
		    "\"swo\""));
  CHECK (tree_said (&tree, "trace.ini:6: [b0] colour: expected a key of a "
		    "trace buffer"));
  tb_snapshot_close (&snapshot);

  /* A trace port's.  */
  tree_write (&tree, "trace.ini", "[trace_buffers]\nbuffers=b0\n[b0]\n"
	      "name=P\nfile=trace.bin\nformat=TPIU\n");
  if (!CHECK_INT (tree_open (&tree, &snapshot), TB_OK))
    return;
  CHECK_INT (snapshot.buffers[0].format, TB_FORMAT_TPIU);
  tb_snapshot_close (&snapshot);

  /* A section that no buffer list names.  */
  tree_write (&tree, "trace.ini", BUFFERS "[b7]\nname=x\n[timestamp]\n"
	      "frequency=1\n[source_buffers]\n");
  if (!CHECK_INT (tree_open (&tree, &snapshot), TB_OK))
    return;
  CHECK (tree_said (&tree, "warning: "));
  CHECK (tree_said (&tree, ": [b7]: expected a section of the snapshot "
		    "format"));
  CHECK_INT (snapshot.timestamp_frequency, 1);
  CHECK_INT (tree.diag.warnings, 1);
  tb_snapshot_close (&snapshot);

  /* How fast timestamps count, and what says nothing of it.  */
  static const struct { const char *section; uint64_t value; const char *said; }
  rows[] = {
    { "", 0, NULL },
    { "[Timestamp]\nFrequency=25000000 ; a second\n", 25000000, NULL },
    { "[timestamp]\nfrequency=0x10\n[timestamp]\nfrequency=0x10\n", 16, NULL },
    { "[timestamp]\nfrequency=0\n", 0, "[timestamp] frequency: expected a number "
      "of timestamps a second, not 0, found \"0\"" },
    { "[timestamp]\nfrequency=25 MHz\n", 0, "found \"25 MHz\"" },
    { "[timestamp]\n", 0, "[timestamp]: expected the key frequency, found none" },
    { "[timestamp]\nfrequency=5\nunit=ns\n", 5, "[timestamp] unit: " },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      char text[500];
      snprintf (text, sizeof text, BUFFERS "%s[source_buffers]\n",
		rows[i].section);
      tree_write (&tree, "trace.ini", text);
      if (!CHECK_INT (tree_open (&tree, &snapshot), TB_OK))
	return;
      CHECK_INT (snapshot.timestamp_frequency, rows[i].value);
      CHECK_INT (tree.diag.warnings, rows[i].said != NULL);
      CHECK (rows[i].said == NULL || tree_said (&tree, rows[i].said));
      tb_snapshot_close (&snapshot);
    }
}

int
main (void)
{
  tree_make (&tree);
  test_streams ();
  test_buffers ();
  tree_remove (&tree);
  return check_done ();
}
