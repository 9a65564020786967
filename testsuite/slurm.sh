#!/bin/sh
# Share a batch among the tasks of a job array, on a Slurm of one node of its own, whose
# daemons run as whoever runs the test.
# Copyright (C) 2026 The tracebridge authors.
# This file is part of tracebridge.  Licence: GPL-3.0-or-later.

set -eu

for tool in slurmctld slurmd sbatch squeue scontrol munged; do
  PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
PATH=$PATH:/usr/sbin

srcdir=$(cd "${srcdir:-.}" && pwd)
converter=$(cd ../converter && pwd)/tracebridge-convert
work=$(mktemp -d "${TMPDIR:-/tmp}/tb-slurm-XXXXXX")
chmod 755 "$work"

stop () {
  for name in slurmd slurmctld munged; do
    test ! -s "$work/$name.pid" || kill "$(cat "$work/$name.pid")" 2>/dev/null || :
  done
  sleep 1
  rm -rf "$work"
}
trap stop EXIT

fail () {
  echo "FAIL: $1"
  tail -n 20 "$work"/*.log 2>/dev/null || :
  exit 1
}

# A key, a socket and ports of its own: an installed Slurm is not touched.
mkdir "$work/spool" "$work/state" "$work/in" "$work/munge"
chmod 711 "$work/munge"
dd if=/dev/urandom of="$work/munge.key" bs=64 count=1 2>/dev/null
chmod 600 "$work/munge.key"
port=$((20000 + $$ % 20000))
host=$(hostname -s)
me=$(id -u)
cat > "$work/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CryptoType=crypto/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=10 State=UP
EOF
# Nothing here uses control groups, but what would find out which there are stops slurmd
# where none are mounted.
echo CgroupPlugin=cgroup/v1 > "$work/cgroup.conf"
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
munged --key-file="$work/munge.key" --socket="$work/munge/socket" \
  --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munge.seed" \
  --force >/dev/null 2>&1 || { cat "$work/munged.log"; echo "munged does not start here"; exit 77; }
slurmctld -c || { echo "slurmctld does not start here"; exit 77; }
slurmd -N "$host" || { echo "slurmd does not start here"; exit 77; }
for i in $(seq 120); do
  case $(sinfo -h -o %T 2>/dev/null) in idle*) break ;; esac
  sleep 0.5
done
case $(sinfo -h -o %T 2>/dev/null) in
  idle*) ;;
  *) tail -n 5 "$work"/slurm*.log; echo "Slurm has no node that is ready here"; exit 77 ;;
esac

# The job of the manual, with three tasks, over nine snapshots.
for i in 1 2 3 4 5 6 7 8 9; do
  cp -r "$srcdir/samples/gap-m0" "$work/in/s$i"
done
cat > "$work/job" <<EOF
#!/bin/sh
#SBATCH --array=1-3
"$converter" --last=100 --output-dir="$work/out" --shard=\$SLURM_ARRAY_TASK_ID/3 "$work/in"
EOF
sbatch --output="$work/task-%a.out" --wait "$work/job" || fail "the job array"

cat "$work"/task-*.out
for i in 1 2 3 4 5 6 7 8 9; do
  grep -qx 'result done' "$work/out/s$i.verdict" || fail "verdict of s$i"
done
test "$(cat "$work"/task-*.out | grep -c '^3 inputs in')" = 3 \
  || fail "three tasks with three inputs each"
"$converter" --last=100 --output-dir="$work/alone" "$work/in" >/dev/null 2>&1
for i in 1 2 3 4 5 6 7 8 9; do
  cmp "$work/out/s$i.tfile" "$work/alone/s$i.tfile" || fail "s$i is what one machine makes"
done
"$converter" --last=100 --output-dir="$work/out" "$work/in" 2>/dev/null \
  | grep '9 of them up to date' || fail "nothing is left to do"
