/* Files of tracepoints: what their numbers of registers mean.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_REQUEST_TRANSLATE_H
#define TB_FRAME_REQUEST_TRANSLATE_H

#include "frame/request-define.h"

/* Give the registers in the agent expressions and actions of SET the numbers that
   INPUT's description has for them.  They have those of the description TEXT, of the
   file PATH; where that is empty, of INPUT's if it is the user's, else of the longest
   that the stub makes.  Numbers for what no description has (TB_TDESC_BARE) count only
   where TEXT is one that this program writes.  False after a diagnostic: a number is
   that of no register.  */
bool tb_request_translate (struct tb_tracepoint_set *set,
			   const struct tb_buffer *text, const char *path,
			   const struct tb_define_input *input);

#endif /* TB_FRAME_REQUEST_TRANSLATE_H */
