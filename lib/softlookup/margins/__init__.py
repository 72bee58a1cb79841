"""One layer of attention as a support vector machine: training, and the convex programmes."""
