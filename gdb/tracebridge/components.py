"""The registers of trace units and cores that a snapshot has.

Copyright (C) 2026 The tracebridge authors.
This file is part of tracebridge.  Licence: GPL-3.0-or-later.

A register's number times 4 is its offset from the base of the unit (snapshot format,
3.2.2).
"""
import collections
import re

Unit = collections.namedtuple('Unit', 'kind registers')

# MTB-M0+ TRM (DDI 0486), 3.2.
MTB = Unit('MTB', [('POSITION', 0x000), ('MASTER', 0x001), ('FLOW', 0x002), ('BASE', 0x003)])

# Snapshot format, 4.2.1 and 4.2.2.
ETMV3_REGISTERS = [('ETMCR', 0x000), ('ETMIDR', 0x079), ('ETMCCER', 0x07a),
                   ('ETMTRACEIDR', 0x080)]

# Snapshot format, 4.2.3.
ETMV4_REGISTERS = ([('TRCCONFIGR', 0x004), ('TRCTRACEIDR', 0x010)]
                   + [('TRCIDR%d' % (8 + i), 0x060 + i) for i in range(6)]
                   + [('TRCIDR%d' % i, 0x078 + i) for i in range(3)]
                   + [('TRCAUTHSTATUS', 0x3ee), ('TRCDEVARCH', 0x3ef)])

# DDI 0403, C1.7.6; ARM IHI 0054, 3.2.  What the trace ID and the prescaler are read of.
ITM = Unit('ITM', [('ITM_TCR', 0x3a0)])
STM = Unit('STM', [('STMTCSR', 0x3a0)])

# Links and sinks: what of them tells the way of the trace (DDI 0480: CTRL, IDFILTER0 and 1).
FUNNEL = Unit('CSTF', [('CTRL', 0x000)])
REPLICATOR = Unit('CSREPLICATOR', [('IDFILTER0', 0x000), ('IDFILTER1', 0x001)])
FIFO = Unit('CSTMC', [('CTL', 0x008), ('MODE', 0x00a), ('DEVID', 0x3f2)])

DEVARCH, ETMIDR, TRCIDR1 = 0x3ef, 0x079, 0x079


def trace_unit(read):
    """What the ETM, PTM or ETE is whose register N READ (N) gives; ValueError when it is
    none of them."""
    architecture = read(DEVARCH)
    present, part = architecture >> 20 & 1, architecture & 0xffff
    if present and part in (0x4a13, 0x5a13):        # CoreSight: ETMv4; ETE.
        identity = read(TRCIDR1)
        kind = 'ETE' if part == 0x5a13 else 'ETM4.%d' % (identity >> 4 & 0xf)
        return Unit(kind, ETMV4_REGISTERS)
    identity = read(ETMIDR)                         # IHI 0014: ETMIDR.
    major, minor = identity >> 8 & 0xf, identity >> 4 & 0xf
    if major == 2:
        return Unit('ETM3.%d' % minor, ETMV3_REGISTERS)
    if major == 3:
        return Unit('PFT1.%d' % minor, ETMV3_REGISTERS)
    raise ValueError('neither an ETM nor a PTM nor an ETE: its DEVARCH is 0x%x, its ETMIDR 0x%x'
                     % (architecture, identity))


# Cores that have no unit of a kind: the kind as Unit has it, then what the core is called.  By the
# reference manuals of the cores; of those that may have two kinds nothing is said.
NOT_ON = (
    (r'PFT|ETE', r'cortex-m|armv[678]-m'),
    (r'ETM4', r'cortex-(m0\+?|m1|m3|m4|a[5789]|a15)$|armv6-m'),
    (r'ETM3', r'cortex-(m7|m33|m35p|m52|m55|m85|a3[245]|a53|a57|a72|a73)$|armv8-a'),
    (r'PFT', r'cortex-(a7|a8|a3[245]|a53|a57|a72|a73)$|armv8-a'),
    (r'MTB', r'cortex-[ar]|armv\d-[ar]'),
)


def contradicts(core, kind):
    """Does no core that is called CORE have a trace unit of KIND?"""
    return any(re.match(unit, kind) and re.match(cores, core, re.IGNORECASE)
               for unit, cores in NOT_ON)


CPUID = 0xe000ed00

# CPUID.PARTNO of cores of the M profile.
M_PARTS = {
    0xc20: 'Cortex-M0', 0xc21: 'Cortex-M1', 0xc60: 'Cortex-M0+', 0xc23: 'Cortex-M3',
    0xc24: 'Cortex-M4', 0xc27: 'Cortex-M7', 0xd20: 'Cortex-M23', 0xd21: 'Cortex-M33',
    0xd31: 'Cortex-M35P', 0xd22: 'Cortex-M55', 0xd23: 'Cortex-M85', 0xd24: 'Cortex-M52',
}
# CPUID.ARCHITECTURE where the part is none of these.
M_ARCHITECTURES = {0xc: 'ARMv6-M', 0xf: 'ARMv7-M'}


def m_profile_core(cpuid):
    """The core of the M profile that CPUID names; None where it names none."""
    return M_PARTS.get(cpuid >> 4 & 0xfff) or M_ARCHITECTURES.get(cpuid >> 16 & 0xf)
