"""What could stand in attention's place, and what computes attention in another order."""
