//! Double-dummy results behind one small interface.
