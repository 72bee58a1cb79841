"""What is done with a model of any kind: losses, training, generation, evaluation."""
