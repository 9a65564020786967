/* Searching in sorted lists.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_UTIL_SEARCH_H
#define TB_UTIL_SEARCH_H

/* Set the variable AT to the first index from 0 to COUNT - 1 at which BEFORE, an
   expression of AT, is false; to COUNT if it is true at all of them.  BEFORE is true up to
   some index and false from there on; it is evaluated O (log COUNT) times.  */
#define TB_LOWER_BOUND(at, count, before)				\
  do									\
    {									\
      __typeof__ (at) low_ = 0, high_ = (count);			\
      while (low_ < high_)						\
	{								\
	  (at) = low_ + (high_ - low_) / 2;				\
	  if (before)							\
	    low_ = (at) + 1;						\
	  else								\
	    high_ = (at);						\
	}								\
      (at) = low_;							\
    }									\
  while (0)

#endif /* TB_UTIL_SEARCH_H */
