"""The command line: `python -m ascendtensor run program.py` runs a pyACL program without an NPU."""

from importlib import import_module

if __name__ == "__main__":
    # The command belongs to the embedded runtime, which the library above it does not otherwise name.
    import_module("ascendtensor.embedded.command").main()
