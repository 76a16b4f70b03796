//! Random streams and exactly uniform deals.
