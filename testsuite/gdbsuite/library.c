/* The few functions of a C library that programs of gdb.reverse call, for a core without one.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

void *_sbrk (int increment);
int _write (int file, const char *text, int length);
int _read (int file, char *text, int length);
void _exit (int status) __attribute__ ((noreturn));

void
exit (int status)
{
  _exit (status);
}

int *
__errno (void)
{
  static int number;
  return &number;
}

long
write (int file, const void *text, size_t length)
{
  return _write (file, text, (int) length);
}

long
read (int file, void *text, size_t length)
{
  return _read (file, text, (int) length);
}

int
printf (const char *format, ...)
{
  (void) format;
  return 0;
}

int
puts (const char *text)
{
  (void) text;
  return 0;
}

int
putchar (int c)
{
  return c;
}

void *
malloc (size_t size)
{
  return _sbrk ((int) ((size + 15) & ~(size_t) 15));
}

void
free (void *memory)
{
  (void) memory;
}

void *
memset (void *to, int byte, size_t size)
{
  for (size_t i = 0; i < size; i++)
    ((unsigned char *) to)[i] = (unsigned char) byte;
  return to;
}

void *
memcpy (void *to, const void *from, size_t size)
{
  for (size_t i = 0; i < size; i++)
    ((unsigned char *) to)[i] = ((const unsigned char *) from)[i];
  return to;
}

int
atoi (const char *text)
{
  int number = 0;
  while (*text >= '0' && *text <= '9')
    number = 10 * number + *text++ - '0';
  return number;
}
