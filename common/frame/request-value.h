/* Reading the value that a request is about.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.  */

#ifndef TB_FRAME_REQUEST_VALUE_H
#define TB_FRAME_REQUEST_VALUE_H

#include "arm/machine/profile.h"
#include "frame/request.h"
#include "state/answer/values.h"

/* Is REQUEST about a value: STORES or TAKES?  */
bool tb_request_is_of_value (const struct tb_request *request);

/* Read what REQUEST, which is one of these, looks for on a core of PROFILE: "5", "-1", "0x41,1"
   (of so many bytes), "5 in $r4".  Without a register TAKES is about all but PC and the status
   registers.  False after a diagnostic.  */
bool tb_request_read_value (const struct tb_request *request, const struct tb_profile *profile,
			    struct tb_wanted_value *wanted, struct tb_diag *diag);

#endif /* TB_FRAME_REQUEST_VALUE_H */
