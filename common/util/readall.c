/* Reading and writing all that is wanted.  See readall.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/readall.h"

#include <errno.h>
#include <unistd.h>

ssize_t
tb_read_all (int fd, void *bytes, size_t size)
{
  char *to = bytes;
  size_t got = 0;
  while (got < size)
    {
      ssize_t n = read (fd, to + got, size - got);
      if (n == 0)
	break;
      if (n > 0)
	got += (size_t) n;
      else if (errno != EINTR)
	return -1;
    }
  return (ssize_t) got;
}

bool
tb_write_all (int fd, const void *bytes, size_t size)
{
  const char *from = bytes;
  while (size > 0)
    {
      ssize_t n = write (fd, from, size);
      if (n < 0 && errno != EINTR)
	return false;
      if (n > 0)
	{
	  from += n;
	  size -= (size_t) n;
	}
    }
  return true;
}
