//! Deals from seat profiles.
