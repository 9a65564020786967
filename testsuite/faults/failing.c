/* Make one allocation of a program fail.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A library for LD_PRELOAD.  It counts the allocations of a process: calls of malloc and
   its relatives, of mmap for memory without a file, and of mremap.

     TB_FAIL_AT=N     allocation N fails, the first being 1; and with
     TB_FAIL_ALL=1    all that come after it
     TB_FAIL_SITES=F  for each allocation a hash of the calls that lead to it, eight bytes
		      each, is written to F at the end of the process
     TB_FAIL_PLACE=F  the calls that led to the allocation that failed are written to F

   Processes that the program starts itself fail in the same way.  glibc only: its own
   functions are taken by their internal names.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t count, size_t size);
extern void *__libc_realloc (void *old, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

/* How many calls are told, and how many of them make a site; those of the library itself
   are left out.  */
#define DEPTH 24
#define OWN 2
#define SITE 8

/* More allocations than this have no site of their own.  */
#define SITES (1 << 22)

static uint64_t at;
static bool all;
static bool started;
static uint64_t count;
static uint64_t *sites;
static const char *sites_file, *place_file;
static __thread bool busy;

static void
tell_place (void **calls, int depth)
{
  int fd = open (place_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0)
    {
      backtrace_symbols_fd (calls, depth, fd);
      close (fd);
    }
}

/* Does the allocation that begins now fail?  */
static bool
fails (void)
{
  if (!started || busy)
    return false;
  uint64_t number = __atomic_add_fetch (&count, 1, __ATOMIC_RELAXED);
  bool now = at != 0 && (number == at || (all && number > at));
  if (sites == NULL && (number != at || place_file == NULL))
    return now;
  busy = true;
  int error = errno;
  void *calls[DEPTH];
  int depth = backtrace (calls, DEPTH);
  if (sites != NULL && number <= SITES)
    {
      uint64_t hash = UINT64_C (0xcbf29ce484222325);
      for (int i = OWN; i < depth && i < OWN + SITE; i++)
	{
	  /* Where the libraries are differs from run to run.  */
	  Dl_info info = { .dli_fbase = NULL };
	  dladdr (calls[i], &info);
	  uintptr_t offset = (uintptr_t) calls[i] - (uintptr_t) info.dli_fbase;
	  hash = (hash ^ offset) * UINT64_C (0x100000001b3);
	}
      sites[number - 1] = hash;
    }
  if (number == at && place_file != NULL)
    tell_place (calls, depth);
  errno = error;
  busy = false;
  return now;
}

void *
malloc (size_t size)
{
  if (fails ())
    {
      errno = ENOMEM;
      return NULL;
    }
  return __libc_malloc (size);
}

void *
calloc (size_t number, size_t size)
{
  if (fails ())
    {
      errno = ENOMEM;
      return NULL;
    }
  return __libc_calloc (number, size);
}

void *
realloc (void *old, size_t size)
{
  if (fails ())
    {
      errno = ENOMEM;
      return NULL;
    }
  return __libc_realloc (old, size);
}

void *
reallocarray (void *old, size_t number, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow (number, size, &bytes))
    {
      errno = ENOMEM;
      return NULL;
    }
  return realloc (old, bytes);
}

void *
memalign (size_t alignment, size_t size)
{
  if (fails ())
    {
      errno = ENOMEM;
      return NULL;
    }
  return __libc_memalign (alignment, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return memalign (alignment, size);
}

int
posix_memalign (void **memory, size_t alignment, size_t size)
{
  if (fails ())
    return ENOMEM;
  *memory = __libc_memalign (alignment, size);
  return *memory != NULL ? 0 : ENOMEM;
}

void *
mmap64 (void *address, size_t length, int protection, int flags, int fd,
	off64_t offset)
{
  if ((flags & MAP_ANONYMOUS) != 0 && fails ())
    {
      errno = ENOMEM;
      return MAP_FAILED;
    }
#ifdef SYS_mmap2
  /* Machines of 32 bits count in pages of 4 KB.  */
  return (void *) syscall (SYS_mmap2, address, length, protection, flags, fd,
			   (long) (offset >> 12));
#else
  return (void *) syscall (SYS_mmap, address, length, protection, flags, fd,
			   offset);
#endif
}

void *
mmap (void *address, size_t length, int protection, int flags, int fd,
      off_t offset)
{
  return mmap64 (address, length, protection, flags, fd, offset);
}

void *
mremap (void *old, size_t old_length, size_t length, int flags, ...)
{
  if (fails ())
    {
      errno = ENOMEM;
      return MAP_FAILED;
    }
  return (void *) syscall (SYS_mremap, old, old_length, length, flags, NULL);
}

static void __attribute__ ((constructor))
begin (void)
{
  const char *text = getenv ("TB_FAIL_AT");
  at = text != NULL ? strtoull (text, NULL, 10) : 0;
  all = getenv ("TB_FAIL_ALL") != NULL;
  place_file = getenv ("TB_FAIL_PLACE");
  sites_file = getenv ("TB_FAIL_SITES");
  if (sites_file != NULL || place_file != NULL)
    {
      /* The unwinder is loaded, and allocates, the first time.  */
      void *calls[DEPTH];
      backtrace (calls, DEPTH);
    }
  if (sites_file != NULL)
    {
      sites = mmap (NULL, SITES * sizeof *sites, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (sites == MAP_FAILED)
	_exit (99);
    }
  started = true;
}

static void __attribute__ ((destructor))
end (void)
{
  started = false;
  if (sites == NULL)
    return;
  int fd = open (sites_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  size_t left = (count < SITES ? count : SITES) * sizeof *sites;
  const char *from = (const char *) sites;
  while (fd >= 0 && left > 0)
    {
      ssize_t written = write (fd, from, left);
      if (written <= 0)
	_exit (99);
      from += written;
      left -= (size_t) written;
    }
}
