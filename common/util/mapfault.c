/* Mapped files that became shorter.  See mapfault.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: proc(5), /proc/PID/maps: "FIRST-END PERMISSIONS OFFSET DEVICE INODE PATH", the
   numbers but INODE in hexadecimal.  */

#include "config.h"
#include "util/mapfault.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/hex.h"
#include "util/spool.h"
#include "util/readall.h"

/* Where in a line of the list the reader is.  */
enum map_part
{
  PART_FIRST, PART_END, PART_MIDDLE, PART_BLANKS, PART_PATH
};

struct map_line
{
  enum map_part part;
  unsigned fields;		/* Blanks behind fields since PART_MIDDLE.  */
  uint64_t first, end;
  size_t length;		/* Of the path.  */
  char path[4096];
};

/* Take one character.  True: the line is complete.  */
static bool
take (struct map_line *l, char c)
{
  if (c == '\n')
    return true;
  switch (l->part)
    {
    case PART_FIRST:
      if (c == '-')
	l->part = PART_END;
      else
	l->first = l->first << 4 | (unsigned) tb_hex_value ((uint8_t) c);
      break;
    case PART_END:
      if (c == ' ')
	l->part = PART_MIDDLE;
      else
	l->end = l->end << 4 | (unsigned) tb_hex_value ((uint8_t) c);
      break;
    case PART_MIDDLE:
      if (c == ' ' && ++l->fields == 4)
	l->part = PART_BLANKS;
      break;
    case PART_BLANKS:
      if (c == ' ')
	break;
      l->part = PART_PATH;
      /* Fall through.  */
    case PART_PATH:
      if (l->length < sizeof l->path)
	l->path[l->length++] = c;
      break;
    }
  return false;
}

/* The list of mappings, opened at the start; -1: it was not.  */
static int kept = -1;

/* Find the mapping that has ADDRESS in LINE; false: there is none of a file.  */
static bool
find (struct map_line *line, uintptr_t address)
{
  char some[512];
  ssize_t n;
  bool found = false;
  /* A process that may not open files any more has what it opened at the start.  That of
     a process that a program starts is not in there.  */
  int fd = open ("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    fd = kept;
  *line = (struct map_line) { .part = PART_FIRST };
  while (fd >= 0 && !found
	 && ((n = read (fd, some, sizeof some)) > 0 || (n < 0 && errno == EINTR)))
    for (ssize_t i = 0; i < n && !found; i++)
      if (take (line, some[i]))
	{
	  found = address >= line->first && address < line->end;
	  if (!found)
	    {
	      line->part = PART_FIRST;
	      line->fields = 0;
	      line->first = line->end = 0;
	      line->length = 0;
	    }
	}
  if (fd >= 0)
    close (fd);
  return found && line->length > 0 && line->path[0] == '/';
}

static void
put (const char *text, size_t length)
{
  tb_write_all (STDERR_FILENO, text, length);
}

static void
on_signal (int number, siginfo_t *info, void *context)
{
  (void) context;
  static const char what[]
    = ": what was to be read is gone: the file was cut, or its disk failed, while it "
      "was in use\n";
  struct map_line line;
  /* Who sent it by kill has no address.  */
  if (info->si_code > 0 && find (&line, (uintptr_t) info->si_addr))
    {
      const char *program = program_invocation_short_name;
      put (program, strlen (program));
      put (": ", 2);
      char shown[4 * sizeof line.path];
      line.path[line.length < sizeof line.path ? line.length : sizeof line.path - 1] = '\0';
      size_t length = tb_diag_plain (shown, sizeof shown, line.path, false);
      put (shown, length < sizeof shown ? length : sizeof shown - 1);
      put (what, sizeof what - 1);
      tb_spool_remove ();
      _exit (1);
    }
  signal (number, SIG_DFL);
  raise (number);
}

void
tb_mapfault_guard (void)
{
  struct sigaction action = { .sa_sigaction = on_signal,
			      .sa_flags = SA_SIGINFO };
  sigemptyset (&action.sa_mask);
  kept = open ("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  sigaction (SIGBUS, &action, NULL);
}
