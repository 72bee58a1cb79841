"""Training in several processes: data, sharded, tensor and pipeline parallelism."""
