#!/bin/bash
# Two machines under Slurm: sbatch benchmarks/cluster/slurm_train.sh /shared/run --steps 100
#SBATCH --job-name=train
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=00:30:00
#SBATCH --requeue
#SBATCH --output=train-%j.log
set -eu
# The first machine of the job is where all meet, at a port that no other job of ours has.
first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export NODES="$SLURM_JOB_NUM_NODES" RUN_ID="$SLURM_JOB_ID"
export ENDPOINT="$first:$((20000 + SLURM_JOB_ID % 10000))"
# Slurm copies this script elsewhere before it runs it, so the other is found from where sbatch was.
exec srun "$SLURM_SUBMIT_DIR/benchmarks/cluster/train_node.sh" "$@"
