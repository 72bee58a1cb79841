"""The sandbox: a kernel that can hurt nobody, and the channel on which it answers."""
