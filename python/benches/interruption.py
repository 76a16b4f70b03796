"""Measures the time from Ctrl-C to the end of a call: the longest of some repetitions, in milliseconds.

    python benches/interruption.py [REPETITIONS]
"""

from __future__ import annotations

import subprocess
import sys
import textwrap

CALLS = {
    "rejection": "croupier.deal('condition hcp(north) > 37 action average hcp(north)', generate=10**15, sampler='off')",
    "filter": "croupier.deal('condition 1', produce=10**9, generate=10**15, filter=lambda batch: [False] * len(batch))",
    "solve": "croupier.solve(croupier.deal('condition 1', produce=100000, seed=1).deals)",
    "double dummy": "croupier.deal('condition dds(north, spades) == 13 and hcp(north) < 5', produce=1000, generate=10**15)",
}


def delay(call: str) -> float:
    """Returns the seconds between the signal and the exception."""
    program = textwrap.dedent(f"""
        import croupier, os, signal, threading, time
        def interrupt():
            global sent
            time.sleep(0.7)
            sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            {call}
        except KeyboardInterrupt:
            print(time.monotonic() - sent, flush=True)
            os._exit(0)
    """)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    return float(run.stdout)


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, call in CALLS.items():
        longest = max(delay(call) for _ in range(repetitions))
        print(f"{name:14} {1000 * longest:6.0f} ms")


if __name__ == "__main__":
    main()
