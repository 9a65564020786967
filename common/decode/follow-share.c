/* Block caches that the decoders of one thread have in common.  See follow-share.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "decode/follow-share.h"

#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

struct tb_follow_share
{
  struct tb_follow **caches;
  size_t count, room;
};

struct tb_follow_share *
tb_follow_share_new (void)
{
  return calloc (1, sizeof (struct tb_follow_share));
}

void
tb_follow_share_free (struct tb_follow_share *share)
{
  if (share == NULL)
    return;
  for (size_t i = 0; i < share->count; i++)
    {
      share->caches[i]->shared = false;
      tb_follow_free (share->caches[i]);
    }
  free (share->caches);
  free (share);
}

/* Do instructions mean the same to X and Y?  */
static bool
same_profile (const struct tb_profile *x, const struct tb_profile *y)
{
  return x->arch == y->arch && x->is_m == y->is_m && x->has_a64 == y->has_a64
	 && x->has_fp == y->has_fp && x->ete == y->ete && x->etm == y->etm
	 && x->zero_block == y->zero_block;
}

static bool
same_options (const struct tb_follow_options *x, const struct tb_follow_options *y)
{
  return x->wait_is_branch == y->wait_is_branch
	 && x->barrier_is_waypoint == y->barrier_is_waypoint
	 && x->tstart_is_waypoint == y->tstart_is_waypoint && x->accesses == y->accesses
	 && x->it_is_unmarked == y->it_is_unmarked
	 && x->user == y->user && x->variant == y->variant;
}

struct tb_follow *
tb_follow_share_get (struct tb_follow_share *share, const struct tb_memmap *map,
		     const struct tb_profile *profile,
		     const struct tb_follow_options *options)
{
  if (share == NULL)
    return tb_follow_new (map, profile, options);
  for (size_t i = 0; i < share->count; i++)
    {
      struct tb_follow *follow = share->caches[i];
      if (same_profile (&follow->profile, profile)
	  && same_options (&follow->options, options)
	  && tb_memmap_same (follow->map, map))
	return follow;
    }
  if (!TB_GROW (share->caches, share->room, share->count, 1))
    return NULL;
  struct tb_follow *follow = tb_follow_new (map, profile, options);
  if (follow == NULL)
    return NULL;
  follow->shared = true;
  share->caches[share->count++] = follow;
  return follow;
}
