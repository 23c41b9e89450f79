"""Makes its parent the first that the system ends when memory is short."""

import os
from pathlib import Path

from hostile import attempts

attempts(lambda: Path(f"/proc/{os.getppid()}/oom_score_adj").write_text("1000"))
