/* Crash dumps in the lines of a console (private to the snapshot part).

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_SNAPSHOT_CRASH_CONSOLE_H
#define TB_SNAPSHOT_CRASH_CONSOLE_H

#include "snapshot/reader.h"

/* What stands before the digits in a line, and before the first and behind the last.  */
#define LINE "#CD:"
#define BEGIN LINE "BEGIN#"
#define END LINE "END#"
#define FAILED LINE "ERROR CANNOT DUMP#"

/* Bytes of the head of Zephyr's dump, the first buffer that it puts out.  */
#define TB_ZEPHYR_HEAD 12

/* The lines of a console that bytes stood in.  Zephyr begins a line with each buffer that it puts
   out, the head of a block or what that has, and fills lines but for a buffer's last one
   (coredump_backend_logging.c); so the lengths of lines tell of one that is lost.  Logs that were
   joined otherwise do not.  */
struct tb_console
{
  const size_t *starts;		/* COUNT lines, and the end; NULL: it was no console.  */
  size_t count;
  size_t width;			/* Bytes of a full one.  */
  bool by_buffer;		/* Lines begin so.  */
  bool ended;			/* All that the target had to say is there.  */
  uint64_t effort;		/* Lines that may still be looked at to find a block again.  */
};

/* Put the bytes that the lines from TEXT to END have to TO, which has room; returns how
   many, and *BAD is the first line that has something else (NULL: none).  STARTS, if not NULL, has
   room for each line, and one more: where their bytes begin, *COUNT of them, and where all
   end.  */
size_t tb_console_take (const char *text, const char *end, uint8_t *to, const char **bad,
			size_t *starts, size_t *count);

/* Take the bytes out of the last dump in the *SIZE bytes *DATA, what the console of PATH had; they
   are READER's.  0 bytes: there is none.  Diagnostics are said.  */
void tb_console_unpack (struct tb_console *console, const uint8_t **data, size_t *size,
			const char *path, struct tb_reader *reader);

/* Is the last dump in the SIZE bytes TEXT ended, by its mark or as the target could not go on?  */
bool tb_console_is_ended (const char *text, size_t size);

/* Do whole lines of CONSOLE have the LENGTH bytes at OFFSET?  MAY_END: or up to its end.  */
bool tb_console_is_run (struct tb_console *console, size_t offset, uint64_t length, bool may_end);

#endif /* TB_SNAPSHOT_CRASH_CONSOLE_H */
