/* Files mapped into memory.  See filemap.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/filemap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum tb_status
tb_filemap_open (struct tb_filemap *map, const char *path,
		 struct tb_diag *diag)
{
  *map = (struct tb_filemap) { 0 };
  /* O_NONBLOCK: opening a FIFO that a snapshot names must not hang.  */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    {
      tb_error (diag, "%s: cannot open: %s", path, strerror (errno));
      return TB_ERR_IO;
    }
  struct stat st;
  enum tb_status status = TB_OK;
  if (fstat (fd, &st) != 0)
    {
      tb_error (diag, "%s: cannot stat: %s", path, strerror (errno));
      status = TB_ERR_IO;
    }
  else if (!S_ISREG (st.st_mode))
    {
      tb_error (diag, "%s: expected a regular file, found %s", path,
		S_ISDIR (st.st_mode) ? "a directory" : "a special file");
      status = TB_ERR_INPUT;
    }
  else if ((uint64_t) st.st_size > SIZE_MAX)
    {
      tb_error (diag, "%s: expected at most %zu bytes, which is what a program of %zu bits can "
		"look at, found %" PRIu64, path, SIZE_MAX, 8 * sizeof (void *),
		(uint64_t) st.st_size);
      status = TB_ERR_UNSUPPORTED;
    }
  else if (st.st_size > 0)
    {
      void *data = mmap (NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE,
			 fd, 0);
      if (data == MAP_FAILED)
	{
	  tb_error (diag, "%s: cannot map: %s", path, strerror (errno));
	  status = TB_ERR_IO;
	}
      else
	{
	  map->data = data;
	  map->size = (size_t) st.st_size;
	}
    }
  close (fd);
  return status;
}

void
tb_filemap_close (struct tb_filemap *map)
{
  if (map->data != NULL)
    munmap ((void *) map->data, map->size);
  *map = (struct tb_filemap) { 0 };
}
