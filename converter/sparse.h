/* Cores of which the DWT alone tells.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_CONVERTER_SPARSE_H
#define TB_CONVERTER_SPARSE_H

#include "convert.h"
#include "recording/sparse.h"

/* Call TAKE with CONTEXT and each stream of software's that the user wants, of the core of
   which there is no trace of instructions; SPARSE is what its DWT tells, in the system's time
   if that is wanted (IN_TIME) and can be.  It ends where TAKE returns false.  False: no memory,
   or TAKE did.  */
bool sparse_each (struct job *job, bool in_time,
		  bool (*take) (void *context, const struct tb_session_stream *stream,
				struct tb_sparse *sparse, const struct tb_software *software),
		  void *context);

#endif /* TB_CONVERTER_SPARSE_H */
