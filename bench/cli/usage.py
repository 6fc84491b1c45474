"""Runs a command and prints, as its last line, what it took: wall and CPU seconds and peak memory in MiB."""

import json
import os
import sys
import time

started = time.time()
process = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(process, 0)
print(json.dumps({"startedMs": started * 1000, "wallMs": (time.time() - started) * 1000, "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000, "peakMiB": usage.ru_maxrss / 1024, "code": os.waitstatus_to_exitcode(status)}))
