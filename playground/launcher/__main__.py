"""``python -m playground.launcher [all|prepare|web|worker]``."""

import sys

from playground.launcher.command import main

if __name__ == "__main__":
    sys.exit(main())
