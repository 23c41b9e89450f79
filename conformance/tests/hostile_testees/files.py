"""The sealed comparator as a testee, with a place where a trick can stand between it and the files that it opens."""

import importlib.util
import io
import sys
from pathlib import Path


def compares(opened):
    """Serves comparisons; `opened` gets a path that the comparator opens, and the function that opens it honestly."""
    shim = Path(__file__).parent / "conformance/shims/comparator.py"
    found = importlib.util.spec_from_file_location("comparator", shim)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    if sys.argv[1] == "trick":
        plain = module.Comparator.open

        def open_oddly(self, path, mode, encoding):
            if path is module.STAGE_ORDER_DOCUMENT or not isinstance(path, str) or not self.rooted:
                return plain(self, path, mode, encoding)
            return opened(path, lambda path: io.open(path, mode, encoding=encoding))

        module.Comparator.open = open_oddly
    sys.argv[1:] = []
    module.main()
