/* Confinement.  See confine.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   The list says what is allowed; calls of the kernel that are not in it, those of other
   instruction sets among them, are refused.  Some of them are for C libraries of other
   versions and other machines, where the same function makes another call.  */

#include "config.h"
#include "confine.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined HAVE_LINUX_SECCOMP_H && defined HAVE_LINUX_FILTER_H \
    && defined HAVE_LINUX_AUDIT_H && !defined TB_INSTRUMENTED
# include <endian.h>
# include <fcntl.h>
# include <linux/audit.h>
# include <linux/filter.h>
# include <linux/seccomp.h>
# include <sched.h>
# include <sys/ioctl.h>
# include <sys/mman.h>
# include <sys/prctl.h>
# include <sys/syscall.h>
# include <unistd.h>
# if defined __x86_64__
#  define ARCH AUDIT_ARCH_X86_64
# elif defined __i386__
#  define ARCH AUDIT_ARCH_I386
# elif defined __aarch64__ && __BYTE_ORDER == __LITTLE_ENDIAN
#  define ARCH AUDIT_ARCH_AARCH64
# elif defined __arm__ && __BYTE_ORDER == __LITTLE_ENDIAN
#  define ARCH AUDIT_ARCH_ARM
# elif defined __s390x__
#  define ARCH AUDIT_ARCH_S390X
# elif defined __powerpc64__ && __BYTE_ORDER == __LITTLE_ENDIAN
#  define ARCH AUDIT_ARCH_PPC64LE
# elif defined __riscv && __riscv_xlen == 64
#  define ARCH AUDIT_ARCH_RISCV64
# endif
#endif

#ifdef ARCH

/* What an argument must be.  */
enum test
{
  ANY, EQUAL, HAS, LACKS
};

/* A call that is allowed, if the lower half of its argument number ARGUMENT is as TEST says
   of VALUE.  */
struct rule
{
  long number;
  enum test test;
  unsigned argument;
  uint32_t value;
};

/* clone has its flags elsewhere on s390x, and mmap one argument there: where the others
   are.  */
# ifdef __s390x__
#  define CLONE_FLAGS 1
#  define MMAP_TEST ANY
# else
#  define CLONE_FLAGS 0
#  define MMAP_TEST LACKS
# endif

# define CALL(name) { SYS_##name, ANY, 0, 0 }
# define FLAGS(name) \
  { SYS_##name, EQUAL, 1, F_GETFD }, { SYS_##name, EQUAL, 1, F_SETFD }, \
  { SYS_##name, EQUAL, 1, F_GETFL }, { SYS_##name, EQUAL, 1, F_SETFL }

static const struct rule rules[] = {
  /* What is open.  */
  CALL (read), CALL (write), CALL (readv), CALL (writev), CALL (pread64),
  CALL (lseek), CALL (close), CALL (ppoll),
# ifdef SYS_poll
  CALL (poll),
# endif
# ifdef SYS_ppoll_time64
  CALL (ppoll_time64),
# endif
# ifdef SYS__llseek
  CALL (_llseek),
# endif
  /* Flags alone: with an owner, the signals of a descriptor go to other processes.  */
  FLAGS (fcntl),
# ifdef SYS_fcntl64
  FLAGS (fcntl64),
# endif
  CALL (fstat),
# ifdef SYS_fstat64
  CALL (fstat64),
# endif
  /* Of a descriptor; the C library asks for that of one in this way.  */
# ifdef SYS_newfstatat
  { SYS_newfstatat, EQUAL, 3, AT_EMPTY_PATH },
# endif
# ifdef SYS_fstatat64
  { SYS_fstatat64, EQUAL, 3, AT_EMPTY_PATH },
# endif
# ifdef SYS_statx
  { SYS_statx, HAS, 2, AT_EMPTY_PATH },
# endif
  { SYS_ioctl, EQUAL, 1, TCGETS },
  /* Connections.  No messages: they can hand over descriptors.  */
# ifdef SYS_accept
  CALL (accept),
# endif
# ifdef SYS_accept4
  CALL (accept4),
  CALL (recvfrom), CALL (sendto), CALL (shutdown), CALL (setsockopt),
  CALL (getsockopt), CALL (getsockname), CALL (getpeername),
# endif
# ifdef SYS_recv
  CALL (recv), CALL (send),
# endif
# ifdef SYS_socketcall
  /* accept, getsockname, getpeername, send to recvfrom, shutdown to getsockopt, accept4
     (linux/net.h).  */
  { SYS_socketcall, EQUAL, 0, 5 }, { SYS_socketcall, EQUAL, 0, 6 },
  { SYS_socketcall, EQUAL, 0, 7 }, { SYS_socketcall, EQUAL, 0, 9 },
  { SYS_socketcall, EQUAL, 0, 10 }, { SYS_socketcall, EQUAL, 0, 11 },
  { SYS_socketcall, EQUAL, 0, 12 }, { SYS_socketcall, EQUAL, 0, 13 },
  { SYS_socketcall, EQUAL, 0, 14 }, { SYS_socketcall, EQUAL, 0, 15 },
  { SYS_socketcall, EQUAL, 0, 18 },
# endif
  /* Memory, without code.  */
  CALL (brk), CALL (munmap), CALL (mremap), CALL (madvise),
# ifdef SYS_mmap2
  { SYS_mmap2, LACKS, 2, PROT_EXEC },
# else
  { SYS_mmap, MMAP_TEST, 2, PROT_EXEC },
# endif
  { SYS_mprotect, LACKS, 2, PROT_EXEC },
  CALL (getrandom), CALL (sysinfo),
  /* Threads.  */
  { SYS_clone, HAS, CLONE_FLAGS, CLONE_THREAD },
  CALL (futex), CALL (set_robust_list), CALL (exit), CALL (exit_group),
  CALL (sched_yield), CALL (sched_getaffinity), CALL (gettid), CALL (getpid),
# ifdef SYS_futex_time64
  CALL (futex_time64),
# endif
# ifdef SYS_rseq
  CALL (rseq),
# endif
# ifdef SYS_set_thread_area
  CALL (set_thread_area),
# endif
  /* Signals, to itself alone; see make.  */
  CALL (rt_sigaction), CALL (rt_sigprocmask), CALL (rt_sigpending),
  CALL (rt_sigreturn), CALL (sigaltstack), CALL (restart_syscall),
# ifdef SYS_sigreturn
  CALL (sigreturn),
# endif
  /* The time.  */
  CALL (clock_gettime), CALL (clock_nanosleep), CALL (nanosleep),
  CALL (gettimeofday), CALL (setitimer), CALL (getrusage),
# ifdef SYS_time
  CALL (time),
# endif
# ifdef SYS_clock_gettime64
  CALL (clock_gettime64), CALL (clock_nanosleep_time64),
# endif
};

# define RULES (sizeof rules / sizeof rules[0])

/* Rules that depend on the process, and the most instructions of the filter: five a rule,
   and those around them.  */
# define MORE 4
# define MOST (5 * (RULES + MORE) + 8)

struct filter
{
  struct sock_filter code[MOST];
  unsigned short length;
};

static void
put (struct filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
  f->code[f->length++] = (struct sock_filter) { code, yes, no, k };
}

static void
load (struct filter *f, size_t offset)
{
  put (f, BPF_LD | BPF_W | BPF_ABS, (uint32_t) offset, 0, 0);
}

/* With the number of the call loaded, and loaded again where the rule does not apply.  */
static void
put_rule (struct filter *f, const struct rule *r)
{
  bool any = r->test == ANY;
  put (f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t) r->number, 0, any ? 1 : 4);
  if (!any)
    {
      load (f, offsetof (struct seccomp_data, args) + 8 * r->argument
	       + (__BYTE_ORDER == __BIG_ENDIAN ? 4 : 0));
      put (f, BPF_JMP | BPF_K | (r->test == EQUAL ? BPF_JEQ : BPF_JSET),
	   r->value, r->test == LACKS ? 1 : 0, r->test == LACKS ? 0 : 1);
    }
  put (f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  if (!any)
    load (f, offsetof (struct seccomp_data, nr));
}

static void
make (struct filter *f, bool removes)
{
  uint32_t self = (uint32_t) getpid ();
  load (f, offsetof (struct seccomp_data, arch));
  put (f, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
  put (f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
  load (f, offsetof (struct seccomp_data, nr));
  for (size_t i = 0; i < RULES; i++)
    put_rule (f, &rules[i]);
  put_rule (f, &(struct rule) { SYS_tgkill, EQUAL, 0, self });
  if (removes)
    {
# ifdef SYS_unlink
      put_rule (f, &(struct rule) { SYS_unlink, ANY, 0, 0 });
# endif
      put_rule (f, &(struct rule) { SYS_unlinkat, EQUAL, 2, 0 });
    }
# ifdef SYS_clone3
  /* Its flags are in memory, which a filter cannot read.  Without it the C library takes
     clone.  */
  put (f, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
  put (f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
# endif
  put (f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

const char *
confine (bool removes)
{
  static struct filter filter;
  filter.length = 0;
  make (&filter, removes);
  struct sock_fprog program = { filter.length, filter.code };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return strerror (errno);
  /* 0 is success; else it is an error, or a thread that has another filter.  */
  long result = syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			 SECCOMP_FILTER_FLAG_TSYNC, &program);
  return result == 0 ? NULL
	 : result > 0 ? "a thread is confined already" : strerror (errno);
}

#else

const char *
confine (bool removes)
{
  (void) removes;
  return "this build does without it";
}

#endif
