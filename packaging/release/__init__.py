"""The parts of `tools/release`."""
