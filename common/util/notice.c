/* Locks with what threads wait for.  See notice.h.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#include "config.h"
#include "util/notice.h"

bool
tb_notice_init (struct tb_notice *c)
{
  if (pthread_mutex_init (&c->lock, NULL) != 0)
    return false;
  if (pthread_cond_init (&c->changed, NULL) == 0)
    return true;
  pthread_mutex_destroy (&c->lock);
  return false;
}

void
tb_notice_fini (struct tb_notice *c)
{
  pthread_cond_destroy (&c->changed);
  pthread_mutex_destroy (&c->lock);
}

void
tb_notice_post (struct tb_notice *c, bool *flag, bool value)
{
  pthread_mutex_lock (&c->lock);
  *flag = value;
  pthread_cond_signal (&c->changed);
  pthread_mutex_unlock (&c->lock);
}

void
tb_notice_await (struct tb_notice *c, const bool *flag, bool value)
{
  pthread_mutex_lock (&c->lock);
  while (*flag != value)
    pthread_cond_wait (&c->changed, &c->lock);
  pthread_mutex_unlock (&c->lock);
}
