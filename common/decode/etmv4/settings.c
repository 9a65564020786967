/* Reading an ETMv4's or ETE's registers.  See settings.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/settings.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Numbers are those of the register map: the offset divided by four.  What a
   snapshot leaves out is taken as on the Cortex-A53, the trace unit of most
   boards: no speculation, no data trace, 64-bit addresses, 32-bit context and
   8-bit virtual context IDs.  */
static const struct
{
  uint16_t id;
  const char *name;
  uint32_t absent;
  bool needed;			/* Packets cannot be told apart without it.  */
} registers[] =
{
  { 0x004, "TRCCONFIGR", 0x00000001, true },
  { 0x078, "TRCIDR0", 0x28000ea1, true },
  { 0x079, "TRCIDR1", 0x4100f403, true },
  { 0x07a, "TRCIDR2", 0x00000488, true },
  { 0x060, "TRCIDR8", 0, false },
  { 0x3ef, "TRCDEVARCH", 0x47705a13, false },
};

enum { CONFIGR, IDR0, IDR1, IDR2, IDR8, DEVARCH };

static uint32_t
read_register (const struct tb_device *source, int which,
	       struct tb_diag *diag)
{
  const struct tb_device_reg *reg
    = tb_device_reg_id (source, registers[which].id, registers[which].name);
  if (reg != NULL)
    return reg->value;
  if (registers[which].needed)
    tb_warning (diag, "%s: [regs]: expected %s (0x%03x); found none; 0x%08"
		PRIx32 " is assumed", source->file, registers[which].name,
		registers[which].id, registers[which].absent);
  return registers[which].absent;
}

void
tb_etmv4_config_read (struct tb_etmv4_config *config,
		      const struct tb_device *source,
		      const struct tb_profile *profile, struct tb_diag *diag)
{
  memset (config, 0, sizeof *config);
  config->configr = read_register (source, CONFIGR, diag);
  config->idr0 = read_register (source, IDR0, diag);
  config->idr1 = read_register (source, IDR1, diag);
  config->idr2 = read_register (source, IDR2, diag);
  config->max_speculation = read_register (source, IDR8, diag);
  if (strncasecmp (source->type, "ETE", 3) == 0)
    {
      /* DEVARCH: ARCHVER is bits 15:12 (5: ETE), REVISION bits 19:16.  */
      uint32_t arch = read_register (source, DEVARCH, diag);
      config->version = 0x50 | (arch >> 16 & 0xf);
    }
  else
    config->version = 0x40 | (config->idr1 >> 4 & 0xf);	/* TRCARCHMIN  */
  config->is_m = profile != NULL && profile->is_m;
  config->is_v8 = profile == NULL || profile->arch == TB_ARCH_UNKNOWN
		  || profile->arch == TB_ARCH_V8A
		  || profile->arch == TB_ARCH_V8R
		  || profile->arch == TB_ARCH_V8M_BASE
		  || profile->arch == TB_ARCH_V8M_MAIN
		  || profile->arch == TB_ARCH_V81M_MAIN;
}
