//! Pure functions from hands to numbers.
