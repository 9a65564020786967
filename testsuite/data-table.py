#!/usr/bin/env python3
# How much data trace makes known: a table by case of the corpus.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.
#
# usage: data-table.py BUILD SHARED [CASE...]
#
# Each case, those of 32 bits without others, is encoded anew as ETMv3 trace (generator/data-case.c)
# without data, with addresses, values, and both; whole, and the half in its middle.  A cell has the
# per cent of registers, and of loads and stores, that are known from step 1,000 on.  Ends with status 1
# where a value is wrong.

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["p04", "p10", "p15", "p19", "p20", "p21", "p22", "p23", "p24", "p31"]
INI = ("[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu_0.ini\ndevice1=etm_0.ini\n"
       "[trace]\nmetadata=trace.ini\n")


def judge(script, *words):
    run = subprocess.run([sys.executable, "-B", os.path.join(HERE, script), *words], stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def make(build, case, folder, kinds, part):
    shutil.copytree(case, folder)
    for name in os.listdir(folder):
        os.chmod(os.path.join(folder, name), 0o644)
    for name in ("mtb_0.ini", "ptm_0.ini"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    subprocess.check_call([build + "/testsuite/data-case", os.path.basename(case), folder, kinds, *part])
    if part:
        subprocess.check_call(["xz", "-f", folder + "/truth.bin"])
    with open(folder + "/snapshot.ini", "w") as out:
        out.write(INI)


def cell(build, case, kinds, part):
    """Per cent of registers and accesses, and the number of wrong values."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = scratch + "/case"
        make(build, case, folder, kinds, part)
        for option, name in (("--format=registers", "registers.txt"), ("--changes", "changes.txt")):
            subprocess.check_call([build + "/converter/tracebridge-convert", "--quiet", option, "-o",
                                   folder + "/" + name, folder])
        registers = judge("known-after.py", folder, folder + "/registers.txt", "1000")
        accesses = judge("accesses.py", folder + "/accesses.txt", folder + "/registers.txt",
                         folder + "/changes.txt", "1000")
        return 100 * registers["share"], 100 * accesses["share"], registers["wrong"] + accesses["wrong"]


def main():
    build, shared = sys.argv[1:3]
    os.environ["TB_SHARED"] = shared
    wrong = 0
    print("%-22s %-6s %12s %12s %12s %12s" % ("case", "part", "none", "addresses", "values", "both"))
    for name in sys.argv[3:] or CASES:
        case = glob.glob("%s/corpus/cases/%s-*" % (shared, name))[0]
        for part in ([], ["MIDDLE"]):
            cells = [cell(build, case, kinds, part) for kinds in ("-", "a", "v", "av")]
            wrong += sum(c[2] for c in cells)
            print("%-22s %-6s %s" % (os.path.basename(case), "half" if part else "whole",
                                     " ".join("%5.1f %6.1f" % c[:2] for c in cells)), flush=True)
    print("wrong: %d" % wrong)
    return wrong != 0


sys.exit(main())
