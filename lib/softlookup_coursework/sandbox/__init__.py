"""The sandbox: an isolated kernel for one submission, and the channel on which it answers."""
