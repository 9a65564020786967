/* Core files as the input of a session.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_CORE_H
#define TB_RECORDING_SESSION_CORE_H

#include "recording/session.h"

/* Fill in *SNAPSHOT, how to read PATH: if it is a core file, which does not say so, what
   kind of core it is of, by what the user says or by the first program in OPTIONS.
   Anything but TB_OK: DIAG was told why.  */
enum tb_status tb_session_core_type (const char *path,
				     const struct tb_session_options *options,
				     struct tb_snapshot_options *snapshot,
				     struct tb_diag *diag);

/* Does OPTIONS, which may be NULL, have --core-type only if PATH takes it, and --sysroot
   likewise?  False: DIAG was told.  */
bool tb_session_takes (const char *path, const struct tb_session_options *options,
		       bool core_type, bool sysroot, struct tb_diag *diag);

/* What kind of core PATH, a file that need not say so, is of: what the user says or the
   first program in OPTIONS, which DIAG is told, else BY_ITSELF, what the file says (NULL:
   nothing), else what a program that was left out says.  WHAT is what messages call such a
   file.  NULL: DIAG was told why.  */
const char *tb_session_told_type (const char *path, const char *what,
				  const char *by_itself,
				  const struct tb_session_options *options,
				  struct tb_diag *diag);

/* S is of the core file PATH: warn where PCs are known, and no ELF file of S has code at any of
   them, as of programs that were loaded elsewhere than their files say.  */
void tb_session_say_elsewhere (const struct tb_session *s, const char *path,
			       struct tb_diag *diag);

/* S is of the core file PATH: warn of ELF files of S that have another build ID than the memory
   that was dumped has in the place of theirs.  */
void tb_session_check_builds (const struct tb_session *s, const char *path, struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_CORE_H */
