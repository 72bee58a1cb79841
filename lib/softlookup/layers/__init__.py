"""What a Transformer is built of: attention, masks, positions, norms, feed-forward, blocks."""
