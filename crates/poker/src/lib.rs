//! Poker hand evaluation and equity.
