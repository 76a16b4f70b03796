//! Cards, hands and deals: the vocabulary of croupier.
