/* The contexts of a session: those of its snapshot, and those that ELF files are the code of.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_CONTEXTS_H
#define TB_RECORDING_SESSION_CONTEXTS_H

#include "recording/session.h"

/* List the contexts of the snapshot, and those of the ELF files, which get spaces.  Anything
   but TB_OK: no memory, or DIAG was told.  */
enum tb_status tb_session_make_contexts (struct tb_session *session,
					 const struct tb_session_options *options,
					 struct tb_diag *diag);

/* Tell MAP of the contexts, and add what DEVICE (NULL: there is none) has of those that share
   their memory with others in the snapshot, but not the code of an ELF file.  Anything but
   TB_OK: DIAG was told.  */
enum tb_status tb_session_map_contexts (const struct tb_session *session,
					const struct tb_device *device, struct tb_memmap *map,
					struct tb_diag *diag);

/* The space that the code of ELF is in; ANY: it is of no context; TB_SPACE_LIMIT: there are
   too many contexts, and the file is left out.  */
enum tb_space tb_session_elf_space (const struct tb_session *session,
				    const struct tb_session_elf *elf);

#endif /* TB_RECORDING_SESSION_CONTEXTS_H */
