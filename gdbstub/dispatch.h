/* From a packet to the function that answers it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_GDBSTUB_DISPATCH_H
#define TB_GDBSTUB_DISPATCH_H

#include "client.h"

#define PACKET_NUMBERS 4

/* The arguments of a packet as its pattern found them.  */
struct packet_args
{
  uint64_t number[PACKET_NUMBERS];
  unsigned numbers;
  const char *text;		/* The rest; ends with a zero byte that is not
				   counted.  */
  size_t length;
};

/* A packet begins with PREFIX.  What follows must fit PATTERN (and if that is ""
   nothing may):
     x      a hexadecimal number of up to 64 bits
     *      the rest, of any length; only at the end
     other  itself.  */
struct packet_handler
{
  const char *prefix;
  const char *pattern;
  void (*handle) (struct client *client, const struct packet_args *args);
};

/* Do the SIZE bytes of TEXT (ended by a zero byte) fit PATTERN?  */
bool packet_parse (const char *pattern, const char *text, size_t size,
		   struct packet_args *args);

/* Answer the packet of SIZE bytes at DATA, which a zero byte follows: the reply
   is in CLIENT->reply.  Packets that no table has get an empty reply, as the
   protocol wants; those that do not fit their pattern E01.  */
void packet_dispatch (struct client *client, const uint8_t *data, size_t size);

/* The tables, each ended by a NULL prefix, each in the file of its name.  */
extern const struct packet_handler packets_queries[];
extern const struct packet_handler packets_threads[];
extern const struct packet_handler packets_xfer[];
extern const struct packet_handler packets_registers[];
extern const struct packet_handler packets_memory[];
extern const struct packet_handler packets_run[];
extern const struct packet_handler packets_control[];
extern const struct packet_handler packets_breakpoints[];
extern const struct packet_handler packets_tfind[];
extern const struct packet_handler packets_tracing[];
extern const struct packet_handler packets_experiment[];
extern const struct packet_handler packets_tsave[];
extern const struct packet_handler packets_btrace[];
extern const struct packet_handler packets_interrupted[];
extern const struct packet_handler packets_callers[];
extern const struct packet_handler packets_lldb[];
extern const struct packet_handler packets_monitor[];
extern const struct packet_handler packets_watched[];

#endif /* TB_GDBSTUB_DISPATCH_H */
