/* A verdict: what became of one input of a batch; kept beside its outputs.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A text file, a line a fact, the word first:

     tracebridge-verdict 1
     options HASH          of the version and the options that shape the output
     result WORD           done, trace-errors, refused, failed, crashed,
			   interrupted
     instructions N        that the trace tells of
     bytes N               of trace
     milliseconds N        that it took
     input SIZE TIME PATH  a file that was read: bytes, time of its last change in
			   nanoseconds
     output SIZE NAME      a file beside this one
     message WORD TEXT     error, warning or note
     end

   In PATH and NAME the end of a line is \n, and a backslash is two of them.

   It is written last, and whole.  So an input whose verdict says that it was
   finished, with these options and of files as they are now, and whose outputs are
   there, need not be converted again.  */

#ifndef TB_CONVERTER_VERDICT_H
#define TB_CONVERTER_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/status.h"

enum result
{
  RESULT_DONE,
  RESULT_TRACE_ERRORS,		/* Done; the trace has errors.  */
  RESULT_REFUSED,		/* The input is bad.  */
  RESULT_FAILED,		/* Something else: reading, writing, memory.  */
  RESULT_CRASHED,		/* The process that worked on it was ended.  */
  RESULT_INTERRUPTED,		/* It was ended as the user wanted that.  */
  RESULTS
};

/* "done" ...  */
const char *result_name (enum result result);

struct verdict_file
{
  char *path;
  uint64_t size, time;
};

struct verdict_message
{
  enum tb_severity severity;
  char *text;
};

struct verdict
{
  uint64_t options;
  enum result result;
  uint64_t instructions, bytes, milliseconds;
  struct verdict_file *inputs, *outputs;	/* Outputs without folder.  */
  size_t ninputs, inputs_room, noutputs, outputs_room;
  struct verdict_message *messages;
  size_t nmessages, messages_room;
};

void verdict_fini (struct verdict *verdict);

/* Note a file as it is now, and a message.  False: no memory.  */
bool verdict_add_input (struct verdict *verdict, const char *path);
bool verdict_add_output (struct verdict *verdict, const char *path);
bool verdict_add_message (struct verdict *verdict, enum tb_severity severity,
			  const char *text);

/* Write VERDICT to PATH.  */
enum tb_status verdict_write (const struct verdict *verdict, const char *path,
			      struct tb_diag *diag);

/* Read what is in PATH; false: nothing that is whole.  */
bool verdict_read (struct verdict *verdict, const char *path);

/* Is VERDICT, read from PATH, the last word on its input, with options whose hash
   is OPTIONS?  */
bool verdict_holds (const struct verdict *verdict, const char *path,
		    uint64_t options);

#endif /* TB_CONVERTER_VERDICT_H */
