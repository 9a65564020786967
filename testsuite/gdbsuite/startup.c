/* What programs of GDB's test suite need to run on a bare core: vectors, a start, an end, and
   the calls of a C library (newlib) that have no system below them.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

/* Programs have names of their own, among them "start": ours begin with bare_.  Of link.ld:  */
extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[];
extern char stack_top[], heap_start[], heap_end[];

int main (int argc, char **argv, char **envp);
void bare_reset (void);
void bare_start (void);
void bare_halt (void);
void bare_fault (void);

#if !defined __aarch64__ && __ARM_ARCH_PROFILE == 'M'
__attribute__ ((section (".vectors"), used)) static const void *const vectors[16] = {
  stack_top, bare_reset, bare_fault, bare_fault, bare_fault, bare_fault, bare_fault, bare_fault,
  bare_fault, bare_fault, bare_fault, bare_fault, bare_fault, bare_fault, bare_fault, bare_fault
};
#endif

/* Where a core begins.  The trace of an MTB begins behind the first branch.  */
#if defined __aarch64__
/* With registers of floating point, which functions of many arguments save.  */
__asm__ (".globl bare_reset; bare_reset: mov x0, 3 << 20; msr cpacr_el1, x0; isb;"
	 "ldr x0, =stack_top; mov sp, x0; b bare_start; .ltorg");
#elif __ARM_ARCH_PROFILE == 'M'
__asm__ (".thumb_func; .globl bare_reset; bare_reset: b 1f; 1: ldr r0, =stack_top; mov sp, r0;"
#if defined __ARM_FP
	 "ldr r0, =0xe000ed88; ldr r1, =0xf00000; str r1, [r0]; dsb; isb;"
#endif
	 "ldr r0, =bare_start; bx r0; .ltorg");
#else
__asm__ (".arm; .globl bare_reset; bare_reset: ldr sp, =stack_top; ldr r0, =bare_start; bx r0;"
	 ".ltorg");
#endif

/* The recorder ends a run here.  */
__attribute__ ((noinline, noreturn)) void
bare_halt (void)
{
  for (;;)
    ;
}

/* The recorder gives a run up here.  */
__attribute__ ((noinline, noreturn)) void
bare_fault (void)
{
  for (;;)
    ;
}

__attribute__ ((noreturn)) void
_exit (int status)
{
  (void) status;
  bare_halt ();
}

void exit (int status) __attribute__ ((noreturn));

/* What RAM holds before is nobody's: data are copied, the rest is zeroed.  */
__attribute__ ((noreturn)) void
bare_start (void)
{
  static char *arguments[] = { "program", 0 };
  const uint32_t *from = data_load;

  for (uint32_t *to = data_start; to < data_end; to++)
    *to = *from++;
  for (uint32_t *to = bss_start; to < bss_end; to++)
    *to = 0;
  exit (main (1, arguments, arguments + 1));
}

void
_init (void)
{
}

void
_fini (void)
{
}

void *
_sbrk (int increment)
{
  static char *end = heap_start;
  char *before = end;

  if (increment > heap_end - end)
    {
      errno = ENOMEM;
      return (void *) -1;
    }
  end += increment;
  return before;
}

/* Nobody reads what programs write.  */
int
_write (int file, const char *text, int length)
{
  (void) file;
  (void) text;
  return length;
}

int
_read (int file, char *text, int length)
{
  (void) file;
  (void) text;
  (void) length;
  return 0;
}

int
_close (int file)
{
  (void) file;
  return 0;
}

int
_lseek (int file, int offset, int from)
{
  (void) file;
  (void) offset;
  (void) from;
  return 0;
}

int
_fstat (int file, struct stat *status)
{
  (void) file;
  status->st_mode = S_IFCHR;
  return 0;
}

int
_isatty (int file)
{
  (void) file;
  return 1;
}

int
_getpid (void)
{
  return 1;
}

int
_kill (int process, int signal)
{
  (void) process;
  (void) signal;
  errno = EINVAL;
  return -1;
}
