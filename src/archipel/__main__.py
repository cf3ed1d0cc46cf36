"""`python -m archipel` is `archipel`."""

import sys

from archipel.cli import main

if __name__ == "__main__":
    sys.exit(main())
