//! The tests of `croupier-lsp`: one program with a module for each feature.

mod conversation;
mod grammars;
mod random_messages;
