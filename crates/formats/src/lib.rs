//! Every way a deal or a table is read or written.
