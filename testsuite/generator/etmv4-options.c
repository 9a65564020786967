/* What an encoded ETMv4 or ETE trace has, and the registers that say so.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "generator/encode-etmv4.h"

#include <string.h>

void
gen_etmv4_choose (struct gen_etmv4_options *o, enum gen_arch arch,
		  struct gen_random *r)
{
  static const uint8_t vmid_bytes[] = { 0, 1, 2, 4 };
  static const uint16_t depths[] = { 1, 2, 3, 6, 16, 78, 255 };
  static const uint16_t keys[] = { 0, 1, 2, 5, 300 };
  bool is_m = gen_is_m (arch);
  memset (o, 0, sizeof *o);
  o->return_stack = gen_chance (r, 50);
  o->broadcast = gen_chance (r, 15);
  o->timestamps = gen_chance (r, 60);
  o->cycle_counts = gen_chance (r, 50);
  o->threshold = o->cycle_counts ? gen_scaled (r, 10) : 0;
  o->cycle_bits = gen_between (r, 12, 20);
  o->commit_mode_1 = gen_chance (r, 50);
  o->tail_returns = gen_chance (r, 50);
  o->context_id = !is_m && gen_chance (r, 50);
  o->vmid_bytes = is_m ? 0 : vmid_bytes[gen_below (r, 4)];
  o->ete = !is_m && gen_chance (r, 40);
  o->minor = o->ete ? gen_below (r, 4) : gen_below (r, 7);
  o->markers = (o->ete || o->minor >= 6) && gen_chance (r, 50);
  o->wait_is_branch = (o->ete || o->minor >= 3) && gen_chance (r, 50);
  o->sources = o->ete && gen_chance (r, 50) ? gen_below (r, 60) : 0;
  o->instrumentation = o->ete && o->minor >= 3;
  o->transactions = o->ete && gen_chance (r, 50);
  o->start_is_p0 = o->transactions && gen_chance (r, 50);
  o->function_returns = arch == GEN_V8M && o->minor >= 2 && gen_chance (r, 50);
  o->conditionals = arch != GEN_AARCH64 && !o->ete && gen_chance (r, 20);
  if (o->conditionals)
    {
      o->keys = keys[gen_below (r, 5)];
      o->special = o->keys > 0 ? gen_below (r, 3) : 0;
      o->flags = gen_chance (r, 50);
    }
  o->resets = o->ete && gen_chance (r, 50);
  /* What branches within a Q element do to the return stack is not clear.  */
  if (!is_m && !o->return_stack && gen_chance (r, 30))
    o->q = gen_scaled (r, 6);
  if (arch != GEN_AARCH64 && !o->ete && o->q == 0 && gen_chance (r, 30))
    {
      o->loads = gen_chance (r, 70);
      o->stores = !o->loads || gen_chance (r, 50);
      o->accesses_pass = gen_chance (r, 50);
    }
  if (gen_chance (r, 50))
    {
      o->max_speculation = depths[gen_below (r, 7)];
      o->wrong_paths = gen_below (r, 60);
    }
}

void
gen_etmv4_registers (const struct gen_etmv4_options *o, enum gen_arch arch,
		     unsigned trace_id,
		     struct gen_register registers[GEN_ETMV4_REGISTERS])
{
  uint32_t configr = 1 | o->loads << 1 | o->stores << 2 | o->broadcast << 3 | o->cycle_counts << 4
		     | o->context_id << 6 | (o->vmid_bytes > 0) << 7
		     | (o->conditionals ? 7 : 0) << 8
		     | (uint32_t) o->timestamps << 11
		     | (o->q > 0 ? UINT32_C (3) : 0) << 13
		     | (uint32_t) o->return_stack << 12;
  uint32_t idr0 = 1 | 1 << 5 | o->conditionals << 6 | o->cycle_counts << 7 | 1 << 9
		  | (uint32_t) o->flags << 12 | (o->q > 0 ? 3 : 0) << 15
		  | (uint32_t) o->markers << 23 | 8 << 24
		  | (uint32_t) o->commit_mode_1 << 29
		  | (uint32_t) !o->start_is_p0 << 30;
  uint32_t idr1 = o->ete ? 0x4100fff3 : 0x41000403 | (uint32_t) o->minor << 4;
  uint32_t idr2 = (arch == GEN_AARCH64 || arch == GEN_AARCH32 ? 8 : 4)
		  | (o->context_id ? 4 : 0) << 5
		  | (uint32_t) o->vmid_bytes << 10
		  | (uint32_t) (o->cycle_bits - 12) << 25
		  | (uint32_t) o->wait_is_branch << 31;
  const struct gen_register all[GEN_ETMV4_REGISTERS] = {
    { "TRCCONFIGR", 0x004, configr }, { "TRCTRACEIDR", 0x010, trace_id },
    { "TRCIDR0", 0x078, idr0 }, { "TRCIDR1", 0x079, idr1 },
    { "TRCIDR2", 0x07a, idr2 }, { "TRCIDR8", 0x060, o->max_speculation },
    { "TRCIDR12", 0x064, o->keys + o->special }, { "TRCIDR13", 0x065, o->special },
    { "TRCDEVARCH", 0x3ef, 0x47705a13 | (uint32_t) o->minor << 16 }
  };
  memcpy (registers, all, sizeof all);
}
