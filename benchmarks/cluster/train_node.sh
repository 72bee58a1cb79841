#!/bin/bash
# One machine's part of a training on several: the same on Slurm and on Kubernetes, which say by
# the environment how many machines there are and where they meet.
#
#     NODES=2 RUN_ID=7 ENDPOINT=machine-1:29400 train_node.sh /shared/run --steps 100
#
# The folder must be one that all machines see: the checkpoints lie in it. WORKERS says how many
# processes a machine runs; left out, there is one for each GPU, or for each core without any.
set -eu
# A store for each start: in a shared one workers may look for those who died.
export TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1
exec torchrun \
  --nnodes="$NODES" \
  --nproc-per-node="${WORKERS:-auto}" \
  --max-restarts="${RESTARTS:-3}" \
  --rdzv-backend=c10d \
  --rdzv-id="$RUN_ID" \
  --rdzv-endpoint="$ENDPOINT" \
  -m softlookup.parallel.resumable "$@"
