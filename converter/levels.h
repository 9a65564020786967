/* Levels: the history of calls as a stack of functions and exceptions by name.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   A call opens a level, its return closes it.  An exception opens one, with that of
   its handler above.  Code that runs in another function than the level's, without
   a call, takes the level over: a tail call.  */

#ifndef TB_CONVERTER_LEVELS_H
#define TB_CONVERTER_LEVELS_H

#include "recording/history.h"
#include "snapshot/symbols.h"

/* A level: a function, or (FUNCTION NULL) code without a name that was entered at
   ADDRESS (0: that is not known either), or an exception.  */
struct level
{
  const struct tb_function *function;
  uint64_t address;
  size_t depth;			/* Of the history: calls that are not over.  */
  bool exception;
  uint16_t number;		/* Of the exception.  */
  void *data;			/* The user's.  */
};

/* What happens; STEP: before it.  Those that return false stop the walk.  LEVELS[0]
   to LEVELS[COUNT - 1] are open; what is opened or closed is the last of them.  */
struct level_user
{
  bool (*open) (void *context, struct level *levels, size_t count,
		uint64_t step);
  bool (*close) (void *context, struct level *levels, size_t count,
		 uint64_t step);
  /* INSTRUCTIONS from ADDRESS on ran there.  */
  bool (*ran) (void *context, struct level *levels, size_t count,
	       uint64_t step, uint64_t address, uint32_t instructions);
  void *context;
};

/* Walk RECORDING with the names of SYMBOLS; at the end all levels are closed.
   False if the user said so, or without memory.  */
bool levels_walk (struct tb_recording *recording,
		  const struct tb_symbols *symbols,
		  const struct level_user *user);

/* The name of LEVEL, from malloc; NULL: no memory.  */
char *level_name (const struct level *level,
		  const struct tb_profile *profile);

#endif /* TB_CONVERTER_LEVELS_H */
