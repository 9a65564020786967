/* Command lines: what is in front of a program's parser, which ends the program where
   something is wrong.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The input has an argument a line; the linker lets the parser call what is here in place of
   exit and fclose (fuzz.sh).  */

#ifndef TB_FUZZ_ARGUMENTS_H
#define TB_FUZZ_ARGUMENTS_H

#include <getopt.h>
#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <unistd.h>

static jmp_buf fuzz_exit_to;
static bool fuzz_exit_caught;
static int fuzz_exit_status;

_Noreturn void __wrap_exit (int status);
_Noreturn void __real_exit (int status);
int __wrap_fclose (FILE *file);
int __real_fclose (FILE *file);

_Noreturn void
__wrap_exit (int status)
{
  if (!fuzz_exit_caught)
    __real_exit (status);
  fuzz_exit_status = status;
  longjmp (fuzz_exit_to, 1);
}

/* Who ends after "--help" closes standard output before.  */
int
__wrap_fclose (FILE *file)
{
  return file == stdout ? 0 : __real_fclose (file);
}

/* Call PARSE with the arguments that the SIZE bytes DATA have.  It returns, or ends with the
   status of help (0), of a file that cannot be read (1) or of a wrong usage (2).  */
static inline void
fuzz_arguments (const uint8_t *data, size_t size, void (*parse) (int argc, char **argv))
{
  char *text = malloc (size + 2), *arguments[66] = { (char *) "program" };
  MUST (text != NULL);
  memcpy (text, data, size);
  text[size] = text[size + 1] = 0;
  int count = 1;
  for (char *at = text; count < 65 && at < text + size; count++)
    {
      arguments[count] = at;
      at += strcspn (at, "\n");
      *at++ = 0;
    }
  optind = 0;
  opterr = 0;
  /* Programs that end leave their memory to the system.  */
  __lsan_disable ();
  fuzz_exit_caught = true;
  if (setjmp (fuzz_exit_to) == 0)
    parse (count, arguments);
  else
    MUST (fuzz_exit_status >= 0 && fuzz_exit_status <= 2);
  fuzz_exit_caught = false;
  __lsan_enable ();
  free (text);
}

#endif /* TB_FUZZ_ARGUMENTS_H */
