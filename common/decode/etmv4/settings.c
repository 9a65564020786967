/* Reading an ETMv4's or ETE's registers.  See settings.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/etmv4/settings.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Numbers are those of the register map: the offset divided by four.

   Not in the table are those that nothing here depends upon.  TRCIDR9 to 11 number the
   keys by which data are tied to instructions, in a data trace stream, which is not
   decoded.  */
static const struct tb_unit_register registers[] = {
  { 0x004, "TRCCONFIGR", "cycle counts, the return stack, which packets there are" },
  { 0x078, "TRCIDR0", "which packets there are, how cycle counts commit" },
  { 0x079, "TRCIDR1", "the version" },
  { 0x07a, "TRCIDR2", "the sizes of context IDs and cycle counts" },
  { 0x060, "TRCIDR8", "how many branches may still be cancelled" },
  { 0x3ef, "TRCDEVARCH", "the version" },
  { 0x010, "TRCTRACEIDR", "which of the buffer's bytes are this source's" },
  { 0x064, "TRCIDR12", "the keys of conditional instructions" },
  { 0x065, "TRCIDR13", "which of the keys of conditional instructions are special" }
};

enum { CONFIGR, IDR0, IDR1, IDR2, IDR8, DEVARCH, TRACEIDR, IDR12, IDR13 };

const struct tb_unit_register *const tb_etmv4_traceidr = &registers[TRACEIDR];

void
tb_etmv4_config_read (struct tb_etmv4_config *config,
		      const struct tb_profile *profile,
		      struct tb_unit_report *report)
{
  const struct tb_device *source = report->source;
  memset (config, 0, sizeof *config);
  /* What a snapshot leaves out is taken as on the Cortex-A53, the trace unit of most
     boards: no speculation, no data trace, 64-bit addresses, 32-bit context and 8-bit
     virtual context IDs.  */
  config->configr = tb_unit_read (report, &registers[CONFIGR], 0x00000001, true);
  config->idr0 = tb_unit_read (report, &registers[IDR0], 0x28000ea1, true);
  config->idr1 = tb_unit_read (report, &registers[IDR1], 0x4100f403, true);
  config->idr2 = tb_unit_read (report, &registers[IDR2], 0x00000488, true);
  config->max_speculation = tb_unit_read (report, &registers[IDR8], 0, false);
  tb_unit_read_permissions (report);
  if (strncasecmp (source->type, "ETE", 3) == 0)
    {
      /* DEVARCH: ARCHVER is bits 15:12 (5: ETE), REVISION bits 19:16.  */
      uint32_t arch = tb_unit_read (report, &registers[DEVARCH], 0x47705a13,
				    false);
      config->version = 0x50 | (arch >> 16 & 0xf);
    }
  else
    config->version = 0x40 | (config->idr1 >> 4 & 0xf);	/* TRCARCHMIN  */
  if (tb_etmv4_traces_conditionals (config))
    {
      config->condition_keys = tb_unit_read (report, &registers[IDR12], 0, false);
      config->special_keys = tb_unit_read (report, &registers[IDR13], 0, false);
    }
  config->is_m = profile != NULL && profile->is_m;
  config->is_v8 = profile == NULL || profile->arch == TB_ARCH_UNKNOWN
		  || profile->arch == TB_ARCH_V8A
		  || profile->arch == TB_ARCH_V8R
		  || profile->arch == TB_ARCH_V8M_BASE
		  || profile->arch == TB_ARCH_V8M_MAIN
		  || profile->arch == TB_ARCH_V81M_MAIN;
}
