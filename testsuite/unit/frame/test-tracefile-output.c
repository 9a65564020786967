/* Trace files: what becomes of the file where the disk or the writer fails, and of an
   older one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "small-tracefile.h"

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
  if (!enter_folder (folder))
    return 1;
  test_paths ();
  test_abandon ();
  test_full ();
  test_stdout ();
  leave_folder (folder);
  return check_done ();
}
