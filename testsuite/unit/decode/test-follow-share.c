/* Unit test of decode/follow-share.h: what is shared and what is not, and that decoders which
   share deliver what they deliver alone.

   The latter needs the environment variable TB_SHARED, the directory that has "snapshots" and
   "corpus".

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"

#include <dirent.h>
#include <stdlib.h>

#include "check.h"
#include "decode/element-text.h"
#include "decode/follow-share.h"
#include "recording/session.h"

/* NOP; B to itself.  */
static const uint8_t code[] = { 0x00, 0xbf, 0xfe, 0xe7 };
static const uint8_t other[] = { 0x00, 0xbf, 0xfe, 0xe7 };

/* A map with DATA in SPACE.  */
static struct tb_memmap *
map_of (enum tb_space space, const uint8_t *data)
{
  const struct tb_region region = {
    .address = 0x1000, .length = sizeof code, .space = space,
    .access = TB_ACCESS_UNKNOWN, .halt_contents = true, .data = data, .name = "test"
  };
  struct tb_memmap *map = tb_memmap_new ();
  if (map == NULL)
    abort ();
  CHECK_INT (tb_memmap_add (map, &region, NULL), TB_OK);
  CHECK_INT (tb_memmap_seal (map, NULL), TB_OK);
  return map;
}

static void
test_what_is_shared (void)
{
  struct tb_memmap *map = map_of (TB_SPACE_ANY, code), *twin = map_of (TB_SPACE_ANY, code);
  struct tb_memmap *copy = map_of (TB_SPACE_ANY, other), *secure = map_of (TB_SPACE_S, code);
  struct tb_follow_share *share = tb_follow_share_new ();
  struct tb_profile a7, a15, m3;
  const struct tb_follow_options plain = { .user = &a7 };
  if (share == NULL)
    abort ();
  CHECK (tb_profile_find (&a7, "Cortex-A7") && tb_profile_find (&a15, "Cortex-A15")
	 && tb_profile_find (&m3, "Cortex-M3"));
  struct tb_follow *first = tb_follow_share_get (share, map, &a7, &plain);
  CHECK (first != NULL);
  CHECK (tb_follow_share_get (share, map, &a7, &plain) == first);
  /* A map of the same bytes; a core whose name alone is another.  */
  CHECK (tb_follow_share_get (share, twin, &a7, &plain) == first);
  CHECK (tb_follow_share_get (share, map, &a15, &plain) == first);
  /* Bytes of another place are not compared.  */
  CHECK (tb_follow_share_get (share, copy, &a7, &plain) != first);
  CHECK (tb_follow_share_get (share, secure, &a7, &plain) != first);
  CHECK (tb_follow_share_get (share, map, &m3, &plain) != first);
  const struct tb_follow_options others[] = {
    { .user = &a15 }, { .user = &a7, .variant = 1 }, { .user = &a7, .wait_is_branch = true },
    { .user = &a7, .barrier_is_waypoint = true }, { .user = &a7, .tstart_is_waypoint = true },
    { .user = &a7, .accesses = 1 }, { .user = &a7, .it_is_unmarked = true }
  };
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    {
      struct tb_follow *one = tb_follow_share_get (share, map, &a7, &others[i]);
      CHECK (one != first && one == tb_follow_share_get (share, twin, &a7, &others[i]));
    }

  /* It outlives who used it, and has what they found; space and ISA tell apart.  */
  const struct tb_block *block = tb_follow_block (first, TB_SPACE_ANY, TB_ISA_T32, 0x1000);
  tb_follow_free (first);
  CHECK (tb_follow_block (first, TB_SPACE_ANY, TB_ISA_T32, 0x1000) == block);
  CHECK (tb_follow_block (first, TB_SPACE_N, TB_ISA_T32, 0x1000) != block);
  CHECK (tb_follow_block (first, TB_SPACE_ANY, TB_ISA_A32, 0x1000) != block);

  /* Without a share each has its own.  */
  struct tb_follow *own = tb_follow_share_get (NULL, map, &a7, &plain);
  CHECK (own != NULL && own != first && !own->shared);
  tb_follow_free (own);
  tb_follow_share_free (share);
  tb_follow_share_free (NULL);
  tb_memmap_free (map);
  tb_memmap_free (twin);
  tb_memmap_free (copy);
  tb_memmap_free (secure);
}

/* Maps that know contexts are not compared: each is like itself alone.  */
static void
test_contexts (void)
{
  const struct tb_context context = { .has_cid = true, .cid = 7,
				      .space = (enum tb_space) (TB_SPACE_CONTEXTS + 1) };
  struct tb_memmap *maps[2];
  for (unsigned i = 0; i < 2; i++)
    {
      maps[i] = map_of (TB_SPACE_ANY, code);
      CHECK_INT (tb_memmap_add_context (maps[i], &context, NULL), TB_OK);
      CHECK_INT (tb_memmap_seal (maps[i], NULL), TB_OK);
    }
  CHECK (tb_memmap_same (maps[0], maps[0]) && !tb_memmap_same (maps[0], maps[1]));
  tb_memmap_free (maps[0]);
  tb_memmap_free (maps[1]);
}

/* Want of memory is everybody's from then on; of what is not shared it is told once.  */
static void
test_no_memory (void)
{
  struct tb_follow follow = { .no_memory = true };
  struct tb_decoder one = { .follow = &follow }, two = { .follow = &follow };
  CHECK (tb_decoder_no_memory (&one) && !tb_decoder_no_memory (&one));
  follow.no_memory = follow.shared = true;
  CHECK (tb_decoder_no_memory (&one) && tb_decoder_no_memory (&two));
  CHECK (tb_decoder_no_memory (&one));
}

/* A source, read alone and with others.  */
struct lane
{
  struct tb_decoder *alone, *together;
  bool over;
};

enum { MOST_LANES = 64, BATCH = 7 };

/* Read some elements of LANE both ways.  */
static void
compare_some (struct lane *lane, const char *name)
{
  struct tb_element x[BATCH], y[BATCH];
  struct tb_buffer a = { 0 }, b = { 0 };
  size_t n = lane->alone->read (lane->alone, x, BATCH);
  size_t m = lane->together->read (lane->together, y, BATCH);
  for (size_t i = 0; i < n; i++)
    tb_element_text (&a, &x[i]);
  for (size_t i = 0; i < m; i++)
    tb_element_text (&b, &y[i]);
  bool same = a.size == b.size && (a.size == 0 || memcmp (a.data, b.data, a.size) == 0);
  if (!CHECK (n == m && same))
    fprintf (stderr, "%s: alone \"%.*s\", together \"%.*s\"\n", name, (int) a.size,
	     (const char *) a.data, (int) b.size, (const char *) b.data);
  lane->over = n == 0 || n != m || !same;
  tb_buffer_fini (&a);
  tb_buffer_fini (&b);
}

static bool
same_counts (const struct tb_decoder_stats *a, const struct tb_decoder_stats *b)
{
  bool same = a->packets == b->packets && a->bad_packets == b->bad_packets
	      && a->bad_image == b->bad_image && a->conditions == b->conditions;
  for (unsigned i = 0; i < TB_FAULT_COUNT; i++)
    same &= a->faults[i] == b->faults[i];
  for (unsigned i = 0; i < tb_fault_places (a) && same; i++)
    same = a->places[i].index == b->places[i].index
	   && a->places[i].address == b->places[i].address;
  return same;
}

/* Returns how many caches fewer than decoders there are.  */
static size_t
check_session (const struct tb_session *session, const char *name)
{
  struct lane lanes[MOST_LANES] = { 0 };
  struct tb_follow_share *share = tb_follow_share_new ();
  size_t n = 0, shared = 0;
  for (size_t i = 0; i < session->nstreams && n < MOST_LANES; i++)
    {
      struct tb_decoder_config config;
      if (session->streams[i].protocol == NULL)
	continue;
      tb_session_decoder_config (&session->streams[i], &config);
      lanes[n].alone = tb_decoder_open (&config, NULL);
      config.share = share;
      lanes[n].together = tb_decoder_open (&config, NULL);
      if (!CHECK (lanes[n].alone != NULL && lanes[n].together != NULL))
	lanes[n].over = true;
      n++;
    }
  for (bool any = true; any; )
    {
      any = false;
      for (size_t i = 0; i < n; i++)
	if (!lanes[i].over)
	  {
	    compare_some (&lanes[i], name);
	    any = true;
	  }
    }
  for (size_t i = 0; i < n; i++)
    {
      bool same = false;
      for (size_t k = 0; k < i; k++)
	same |= lanes[i].together->follow != NULL
		&& lanes[k].together->follow == lanes[i].together->follow;
      shared += same;
      if (!CHECK (same_counts (&lanes[i].alone->stats, &lanes[i].together->stats)))
	fprintf (stderr, "%s, source %zu\n", name, i);
    }
  for (size_t i = 0; i < n; i++)
    {
      tb_decoder_close (lanes[i].alone);
      tb_decoder_close (lanes[i].together);
    }
  tb_follow_share_free (share);
  return shared;
}

/* All snapshots of FOLDER of TB_SHARED.  */
static size_t
check_folder (const char *shared, const char *folder)
{
  char path[4096];
  size_t found = 0;
  snprintf (path, sizeof path, "%s/%s", shared, folder);
  DIR *dir = opendir (path);
  if (!CHECK (dir != NULL))
    return 0;
  for (struct dirent *entry; (entry = readdir (dir)) != NULL; )
    {
      struct tb_session session;
      snprintf (path, sizeof path, "%s/%s/%s/snapshot.ini", shared, folder, entry->d_name);
      FILE *file = fopen (path, "r");
      if (file == NULL)
	continue;
      fclose (file);
      path[strlen (path) - strlen ("/snapshot.ini")] = '\0';
      if (!CHECK_INT (tb_session_open (&session, path, NULL, NULL), TB_OK))
	continue;
      found += check_session (&session, entry->d_name);
      tb_session_close (&session);
    }
  closedir (dir);
  return found;
}

int
main (void)
{
  test_what_is_shared ();
  test_contexts ();
  test_no_memory ();
  const char *shared = getenv ("TB_SHARED");
  if (shared != NULL)
    {
      /* TC2's three ETMs and two PTMs among them.  */
      CHECK (check_folder (shared, "snapshots") >= 3);
      check_folder (shared, "corpus/cases");
    }
  return check_done ();
}
