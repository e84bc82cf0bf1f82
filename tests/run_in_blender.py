"""Run a script in a Blender environment's Python and leave at once: `python run_in_blender.py SCRIPT [ARGUMENT ...]`.

Blender 4.5's module hangs at the interpreter's exit while classes are registered (4.2's crashes), so the process ends
with `os._exit` and the script's own exit code; a script need not think of it.
"""

import os
import runpy
import sys
import traceback

code = 0
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as leaving:
    if isinstance(leaving.code, str):
        print(leaving.code, file=sys.stderr)
    code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
except BaseException:
    traceback.print_exc()
    code = 1
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)
