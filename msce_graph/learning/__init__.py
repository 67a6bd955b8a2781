"""Values to values: what is learned, with no clock, no randomness and no database."""
