"""What goes on inside a model: activations, attention weights, interventions."""
