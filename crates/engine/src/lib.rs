//! Runs a plan over blocks of deals.
