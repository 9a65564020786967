/* Which thread of a core file an MTB traced last.  See session-mtb.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A core has one MTB, and a core file of it a thread for each task: all but one of them wait, and
   have the registers that they will go on with.  Debuggers write the one that ran first; kernels
   write them in the order of their numbers.  The newest packet leads to the PC of the one that
   ran.  */

#include "config.h"
#include "recording/session-mtb.h"

#include "recording/session-cores.h"
#include "recording/session-mtb-rows.h"

enum tb_status
tb_session_mtb_thread (const struct tb_session *s, const struct tb_session_core *core,
		       uint64_t address, uint64_t length, uint64_t position,
		       struct tb_mtb_effort *effort, const struct tb_session_core **ran)
{
  uint64_t pointer = position & ~UINT64_C (7) & (length - 1);
  uint64_t newest = address + ((pointer - TB_MTB_PACKET_SIZE) & (length - 1));
  const struct tb_dump *dump = tb_session_dump_of (core->device, newest, TB_MTB_PACKET_SIZE);
  const struct tb_session_core *found = NULL;
  *ran = core;
  if (dump == NULL || (pointer == 0 && (position & 4) == 0))
    return TB_OK;
  for (size_t i = 0; i < s->ncores; i++)
    {
      const struct tb_session_core *one = &s->cores[i];
      if (one->device == NULL || (one != core && !tb_session_shares_dumps (core, one)))
	continue;
      const uint64_t *pc = tb_mtb_halt_pc (one->device);
      int leads = pc == NULL ? 0 : tb_mtb_leads_to (dump->data + (newest - dump->address), *pc,
						    core->map, &core->profile, effort);
      if (leads < 0)
	return TB_ERR_MEMORY;
      /* CORE comes first.  */
      if (leads && found != NULL)
	return TB_OK;
      if (leads)
	found = one;
    }
  *ran = found != NULL ? found : core;
  return TB_OK;
}
