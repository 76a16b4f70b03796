//! The tests of `croupier-surfaces`: one program with a module for each feature.

mod surfaces;
