"""tracebridge's commands for GDB.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.
"""


def register():
    """Give GDB the commands; once, however often this is called."""
    from . import core, exceptions, members, partly, refresh, refused, snapshot, unknown, watchpoints
    exceptions.register()
    refresh.register()
    watchpoints.register()
    refused.register()
    unknown.register()
    partly.register()
    members.register()
    core.register()
    snapshot.register()
