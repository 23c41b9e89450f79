"""Starts threads until there are no more."""

import threading

from hostile import attempts


def start():
    end, started = threading.Event(), []
    threading.stack_size(64 << 10)
    try:
        while len(started) < 5000:
            thread = threading.Thread(target=end.wait)
            thread.start()
            started.append(thread)
    finally:
        end.set()
        for thread in started:
            thread.join()


attempts(start)
