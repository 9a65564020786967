/* Are the ELF files of a session the program that ran?

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_ELVES_H
#define TB_RECORDING_SESSION_ELVES_H

#include "recording/session.h"

/* An ELF file that is not what a core ran, by their numbers in the session.  */
struct tb_wrong_elf
{
  size_t core, elf;
  /* Bytes of code that ran, and that the file and the snapshot (or the log) have:
     so many, so many of them different, the first one where.  */
  uint64_t bytes, different, first;
};

/* Find the ELF files of SESSION that are not what ran in the streams that WANTS
   says (with CONTEXT): their code differs from the dumps where it ran.  What did
   not run does not count, nor what is not code; nor a breakpoint that a debugger
   put into memory; nor RAM, which programs load code into, unless nothing else
   tells.  With JOBS threads, and only where anything differs, the trace is
   decoded.  *FOUND: free with free ().  Anything but TB_OK: DIAG was told why.  */
enum tb_status
tb_session_wrong_elves (const struct tb_session *session,
			bool (*wants) (const void *context,
				       const struct tb_session_stream *stream),
			const void *context, unsigned jobs,
			struct tb_wrong_elf **found, size_t *count,
			struct tb_diag *diag);

/* "--elf=FILE is not the program that core NAME ran: ..." into TEXT; OPTIONS are
   those that SESSION was opened with.  */
void tb_wrong_elf_text (const struct tb_session *session,
			const struct tb_session_options *options,
			const struct tb_wrong_elf *wrong, char *text,
			size_t room);

/* What to do about the COUNT WRONG files, where they were given for several cores; NULL:
   nothing.  */
const char *tb_wrong_elf_advice (const struct tb_session *session,
				 const struct tb_session_options *options,
				 const struct tb_wrong_elf *wrong, size_t count);

/* The ELF files of OPTIONS, by which SESSION was opened, without the COUNT WRONG
   ones, for the cores for which they are not: an array from malloc of *NELVES,
   which borrows from OPTIONS.  NULL: no memory.  */
struct tb_session_elf *
tb_session_other_elves (const struct tb_session *session,
			const struct tb_session_options *options,
			const struct tb_wrong_elf *wrong, size_t count,
			size_t *nelves);

/* What kind of core the input of SESSION, which was opened by OPTIONS, is still taken for without
   its COUNT WRONG files, which alone said so: another program for it was built for the same kind
   most likely.  DIAG is told where NLEFT, the number of other files, is 0.  NULL: none said so.
   The text is static.  */
const char *tb_session_left_type (const struct tb_session *session,
				  const struct tb_session_options *options,
				  const struct tb_wrong_elf *wrong, size_t count, size_t nleft,
				  struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_ELVES_H */
