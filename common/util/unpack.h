/* A file that is read from its start to its end; compressed content is unpacked.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   gzip, xz and zstd are known by how their files begin (RFC 1952, 2.3.1; "The
   .xz File Format", 2.1.1; RFC 8878, 3.1.1), as far as their libraries were there
   when this was built.  */

#ifndef TB_UTIL_UNPACK_H
#define TB_UTIL_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"
#include "util/status.h"

struct tb_unpack;

/* Open PATH, a regular file.  NULL after a diagnostic.  DIAG is borrowed.  */
struct tb_unpack *tb_unpack_open (const char *path, struct tb_diag *diag);
void tb_unpack_close (struct tb_unpack *unpack);

/* Let the file have no more than its first SIZE bytes.  Before anything is read.  */
void tb_unpack_limit (struct tb_unpack *unpack, uint64_t size);

/* Up to ROOM bytes into TO; *GOT is 0 at the end only.  What is compressed and
   damaged or cut off ends there, with a warning; tb_unpack_damaged tells.
   Anything but TB_OK: the file cannot be read, and a diagnostic said so.  */
enum tb_status tb_unpack_read (struct tb_unpack *unpack, void *to, size_t room,
			       size_t *got);
bool tb_unpack_damaged (const struct tb_unpack *unpack);

/* "gzip", "xz", "zstd"; NULL: not compressed.  */
const char *tb_unpack_format (const struct tb_unpack *unpack);

#endif /* TB_UTIL_UNPACK_H */
