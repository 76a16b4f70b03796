//! Exactly uniform deals under per-seat constraints.
