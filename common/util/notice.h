/* A lock, and what threads wait for under it.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_NOTICE_H
#define TB_UTIL_NOTICE_H

#include <pthread.h>
#include <stdbool.h>

struct tb_notice
{
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

/* False: the system has none left.  */
bool tb_notice_init (struct tb_notice *notice);
void tb_notice_fini (struct tb_notice *notice);

/* Set *FLAG, which NOTICE guards, to VALUE, and wake the thread that waits.  */
void tb_notice_post (struct tb_notice *notice, bool *flag, bool value);

/* Wait until *FLAG is VALUE.  */
void tb_notice_await (struct tb_notice *notice, const bool *flag, bool value);

#endif /* TB_UTIL_NOTICE_H */
