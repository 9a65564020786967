/* The doorman: what keeps GDB waiting.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "doorman.h"
#include "util/hex.h"

/* How many notifications, and nothing else, are in TEXT of LENGTH bytes.  */
static unsigned
count (const char *text, size_t length)
{
  unsigned n = 0;
  while (length > 0)
    {
      const char *end = memchr (text, '#', length);
      unsigned char sum = 0;
      if (*text != '%' || end == NULL || (size_t) (end - text) + 3 > length)
	return 0;
      for (const char *p = text + 1; p < end; p++)
	sum = (unsigned char) (sum + (unsigned char) *p);
      CHECK_INT (tb_hex_value ((uint8_t) end[1]) << 4
		 | tb_hex_value ((uint8_t) end[2]), sum);
      length -= (size_t) (end + 3 - text);
      text = end + 3;
      n++;
    }
  return n;
}

int
main (void)
{
  int fds[2];
  char text[4096];
  CHECK_INT (pipe (fds), 0);
  struct doorman *d = doorman_begin (fds[1]);
  CHECK (d != NULL);
  usleep (1800000);
  doorman_end (d);
  ssize_t n = read (fds[0], text, sizeof text);
  /* One each half second, as far as this machine keeps time.  */
  CHECK (n > 0 && count (text, (size_t) n) >= 2);
  CHECK (n > 0 && count (text, (size_t) n) <= 4);
  /* Then it is quiet.  */
  struct pollfd ready = { .fd = fds[0], .events = POLLIN };
  CHECK_INT (poll (&ready, 1, 700), 0);
  /* It ends at once, and nobody who left it ends the program.  */
  doorman_end (doorman_begin (fds[1]));
  close (fds[0]);
  d = doorman_begin (fds[1]);
  usleep (700000);
  doorman_end (d);
  doorman_end (NULL);
  return check_done ();
}
