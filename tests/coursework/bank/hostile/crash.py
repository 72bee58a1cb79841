# does: reads address zero
# verdict: graded
# earns: 0
# says: ended itself
import ctypes

ctypes.string_at(0)
