/* For code-stores.c and recoded.c: looking at a window.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_STATE_WINDOW_CODE_VIEW_H
#define TB_STATE_WINDOW_CODE_VIEW_H

#include "state/window/code-stores.h"

/* Put the instructions that ran, in memory that is not constant, into RAN.  False: no
   memory.  */
bool tb_code_view_gather (const struct tb_code_view *view,
			  struct tb_words *ran);

/* The first step of the window, from FROM on, behind access number ACCESS.  */
uint64_t tb_code_view_after (const struct tb_code_view *view, uint32_t access,
			     uint64_t from);

/* What is known of WORD (its address / 4), or NULL.  */
const struct tb_code_word *tb_code_stores_word
  (const struct tb_code_stores *stores, uint64_t word);

#endif /* TB_STATE_WINDOW_CODE_VIEW_H */
