# does: starts 200 threads
# verdict: graded
# earns: 0
# says: can't start new thread
import threading


# They end when the function does.
def attention(query, key, value):
    over = threading.Event()
    try:
        for _ in range(200):
            threading.Thread(target=over.wait, args=(10,)).start()
    finally:
        over.set()
