/* What LLDB alone asks.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: LLDB's documentation, "GDB Remote Protocol Extensions"; what comes of an
   answer was tried with LLDB 14 and 22.  */

#include "config.h"

#include "dispatch.h"

/* Packets that GDB does not have.  They are answered like those that are not known, but
   some replies have another form for LLDB.  */
static void
lldb_asks (struct client *c, const struct packet_args *args)
{
  (void) args;
  c->is_lldb = true;
}

/* Tell the architecture where that is of use.  Of an ELF file's "arm" LLDB takes some
   instructions of ARMv6-M for those of A32, and LLDB 22 finds no way out of a handler.  The
   names of later ones it is not told: LLDB 22 hangs where armv7m or armv7em meets such a
   file, and decodes less of armv7 than of "arm".  */
static void
host_info (struct client *c, const struct packet_args *args)
{
  static const char triple[] = "armv6m-none-eabi";
  lldb_asks (c, args);
  if (target_profile (c->target)->arch != TB_ARCH_V6M)
    return;
  reply_text (c, "triple:");
  tb_hex_append (&c->reply, triple, sizeof triple - 1);
  reply_text (c, ";ptrsize:4;endian:little;");
}

const struct packet_handler packets_lldb[] = {
  { "QThreadSuffixSupported", "", lldb_asks },
  { "QListThreadsInStopReply", "", lldb_asks },
  { "qVAttachOrWaitSupported", "", lldb_asks },
  { "qHostInfo", "", host_info },
  { "jThreadsInfo", "", lldb_asks },
  { NULL, NULL, NULL }
};
