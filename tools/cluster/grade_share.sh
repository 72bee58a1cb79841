#!/usr/bin/env bash
#SBATCH --job-name=softlookup-coursework
#SBATCH --array=0-99
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=08:00:00
#SBATCH --output=grade_share_%A_%a.txt
#
# Grade one share of the submissions that lie in a course folder, as a task of a Slurm array or
# as a pod of an indexed Kubernetes Job: with 100 shares, share 7 takes students 7, 107, 207, …
# What has a result already is left alone, so that a task can be started again.
#
#   sbatch grade_share.sh COURSE ASSIGNMENT
set -uo pipefail

course=${1:?the course folder} assignment=${2:?the name of the assignment}
share=${SLURM_ARRAY_TASK_ID:-${JOB_COMPLETION_INDEX:?set by Slurm or by Kubernetes}}
shares=${SLURM_ARRAY_TASK_COUNT:-${SHARES:?set by Slurm, or in the Job}}

softlookup-coursework doctor || exit

number=0 missing=0
for submission in "$course/collected/$assignment"/*/; do
  if ((number++ % shares != share)); then continue; fi
  result=$course/results/$assignment/$(basename "$submission")/result.json
  if [ ! -e "$result" ]; then
    # Its status says whether a person has to look; that is no failure of this task.
    softlookup-coursework one "$course/assignments/$assignment" "$submission" "$result" || true
  fi
  if [ ! -e "$result" ]; then
    echo "$submission has no result" >&2
    missing=1
  fi
done
exit "$missing"
