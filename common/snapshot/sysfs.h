/* Trace buffers as Linux hands them out, with what its sysfs says of the trace units.

   Copyright (C) 2026 The tracebridge authors.
   This file is part of tracebridge.  Licence: GPL-3.0-or-later.

   Source: Linux, Documentation/trace/coresight and Documentation/ABI/testing,
   sysfs-bus-coresight-devices-etm4x, -etm3x, -tmc, -stm: folders of devices under
   /sys/bus/coresight/devices, the registers of each as files of one number.  A folder with
   copies of them (etm0, etm1 ...) and with what was read from the sinks (/dev/tmc_etr0 as
   the file tmc_etr0 or tmc_etr0.bin, /dev/crash_tmc_etr0 after a crash) is an input.  In
   place of the latter, images of the memory of a kernel that crashed count (ramdump.h).  */

#ifndef TB_SNAPSHOT_SYSFS_H
#define TB_SNAPSHOT_SYSFS_H

#include "snapshot/snapshot.h"

/* Is PATH such a folder?  */
bool tb_sysfs_is_folder (const char *path);

/* Read PATH as a snapshot whose cores are of TYPE, or if that is NULL of what their trace
   units show: Armv8 or Armv7.  Registers that are not there are to be worked out.  Anything
   but TB_OK: DIAG was told why; the snapshot is to be closed in any case.  */
enum tb_status tb_sysfs_read (struct tb_snapshot *snapshot, const char *path,
			      const char *type, struct tb_diag *diag);

#endif /* TB_SNAPSHOT_SYSFS_H */
