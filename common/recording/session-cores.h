/* The cores of a session.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_SESSION_CORES_H
#define TB_RECORDING_SESSION_CORES_H

#include "recording/session.h"

/* Can the core DEVICE run what ELF has?  */
bool tb_session_can_run (const struct tb_device *device, const struct tb_elf_image *elf);

/* Has CORE the dumps of OTHER, which may be NULL?  Threads of a core file have.  */
bool tb_session_shares_dumps (const struct tb_session_core *core,
			      const struct tb_session_core *other);

/* Take from the core DEVICE, of PROFILE, the registers whose values are wider than they are, and
   those that have two values by two of their names; DIAG is told.  False: no memory.  */
bool tb_session_check_registers (struct tb_session *s, const struct tb_device *device,
				 const struct tb_profile *profile, struct tb_diag *diag);

/* Make the cores of S, which has its ELF files and contexts, with their memory; the last one
   is that without a device.  Of errors TB_ERR_MEMORY is said to nobody.  OPTIONS may be
   NULL.  */
enum tb_status tb_session_make_cores (struct tb_session *s,
				      const struct tb_session_options *options,
				      struct tb_diag *diag);

/* Add one more, before the last one: DEVICE, which tb_snapshot_add_core has made.  Errors as
   above.  */
enum tb_status tb_session_add_core (struct tb_session *s, const struct tb_device *device,
				    const struct tb_session_options *options,
				    struct tb_diag *diag);

#endif /* TB_RECORDING_SESSION_CORES_H */
