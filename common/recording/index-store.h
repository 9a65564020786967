/* Where index files are, and the secret that makes them the user's own.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_RECORDING_INDEX_STORE_H
#define TB_RECORDING_INDEX_STORE_H

#include "recording/index-file.h"
#include "util/diag.h"
#include "util/status.h"

/* Buffers of this many bytes and more are worth an index.  */
#define TB_INDEX_LEAST (UINT64_C (16) << 20)

/* Where the user wants an index to be.  */
enum tb_index_place
{
  TB_INDEX_AUTO,		/* In the cache, of large captures.  */
  TB_INDEX_OFF,
  TB_INDEX_BESIDE,		/* Beside what it is of.  */
  TB_INDEX_FILE
};

/* Options that say so, and the names in them.  */
struct tb_index_choice
{
  struct tb_index_options options;
  char cache[4096], file[4096];
};

/* What TEXT, the value of --index, says: a place, or the name of a FILE.  False: neither;
   WHY, of SIZE bytes, gets what was expected.  */
bool tb_index_parse (const char *text, enum tb_index_place *place, const char **file,
		     char *why, size_t size);

/* Fill CHOICE for PLACE, of a capture that FILE (TB_INDEX_FILE) or BESIDE with
   ".tbindex" behind is the index of (NULL: it can have none beside it).  A warning if
   there is no place for the secret; DIAG may be NULL.  */
void tb_index_choose (struct tb_index_choice *choice,
		      enum tb_index_place place, const char *file,
		      const char *beside, struct tb_diag *diag);

/* The secret of the cache DIRECTORY, which is made if need be (mode 0700), from
   its file "secret" (mode 0600), likewise.  A secret that others may read or
   that belongs to somebody else is not taken.  Anything but TB_OK: there is
   none, and a warning said why.  */
enum tb_status tb_index_secret (const char *directory,
				uint8_t secret[TB_MAC_SECRET],
				struct tb_diag *diag);

/* Read the file PATH; false, with a note if there is something that is no index
   of the buffer with KEY.  */
bool tb_index_load (struct tb_index *index, const char *path,
		    struct tb_mac_value buffer_key,
		    const struct tb_mac_key *key, struct tb_diag *diag);

/* Write PATH.  A failure is a warning.  */
void tb_index_save (const struct tb_index *index, const char *path,
		    const struct tb_mac_key *key, struct tb_diag *diag);

#endif /* TB_RECORDING_INDEX_STORE_H */
