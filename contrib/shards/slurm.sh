#!/bin/sh
#SBATCH --job-name=adit
#SBATCH --array=0-63
#SBATCH --cpus-per-task=1
#SBATCH --requeue
# Plays a plan as an array of jobs, one for each part, in a folder that all machines see.
#
#     adit shard plan --of 64 -o plan.json simulate tunnels --games 1000000
#     sbatch --wait contrib/shards/slurm.sh plan.json
#     adit shard merge plan.json plan.*.part
#
# A job that is lost is put into the queue again; it writes the same bytes. `merge` says which parts are missing:
# `sbatch --array=17,40 contrib/shards/slurm.sh plan.json` plays those.
set -eu
exec adit shard run --jobs "${SLURM_CPUS_PER_TASK:-1}" "$1" "$SLURM_ARRAY_TASK_ID"
