# SPDX-License-Identifier: MIT
"""What GDB learns of recordings: see wavetape-gdb.py."""
