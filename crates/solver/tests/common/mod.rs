//! The solved deals of `data/tables.csv`, on which five solvers agree, and random deals.
#![allow(dead_code)]

pub mod positions;

use cards::{Card, CardSet, Deal, Seat, Strain, TrickTable};

/// The strains as DDS numbers them.
pub const DDS_STRAINS: [Strain; 5] = [
    Strain::Spades,
    Strain::Hearts,
    Strain::Diamonds,
    Strain::Clubs,
    Strain::Notrump,
];

/// Returns the hundred deals with their twenty results.
pub fn solved_deals() -> Vec<(Deal, TrickTable)> {
    let mut lines = include_str!("../data/tables.csv").lines();
    let columns: Vec<(Strain, Seat)> = lines
        .next()
        .expect("a heading")
        .split(',')
        .skip(1)
        .map(|name| {
            let (strain, seat) = name.split_once('_').expect("STRAIN_DECLARER");
            let letter = |text: &str| text.chars().next().expect("a letter");
            (
                Strain::from_letter(letter(strain)).expect("a strain"),
                Seat::from_letter(letter(seat)).expect("a seat"),
            )
        })
        .collect();
    assert_eq!(columns.len(), 20);
    lines
        .map(|line| {
            let (deal, numbers) = line.split_once(',').expect("a deal");
            let mut table = TrickTable::default();
            for (&(strain, seat), number) in columns.iter().zip(numbers.split(',')) {
                table.set(seat, strain, number.parse().expect("tricks"));
            }
            (deal.parse().expect("a deal in PBN"), table)
        })
        .collect()
}

/// Iterator over random deals: a Fisher-Yates shuffle driven by a 64-bit mixer.
pub struct RandomDeals(pub u64);

impl RandomDeals {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }
}

impl Iterator for RandomDeals {
    type Item = Deal;

    fn next(&mut self) -> Option<Deal> {
        let mut pack: [usize; 52] = std::array::from_fn(|card| card);
        for i in (1..52).rev() {
            pack.swap(i, self.below(i as u64 + 1) as usize);
        }
        let hand = |seat: usize| -> CardSet {
            pack[13 * seat..][..13]
                .iter()
                .filter_map(|&card| Card::from_index(card))
                .collect()
        };
        Some(Deal::new([hand(0), hand(1), hand(2), hand(3)]).expect("a shuffled pack is a deal"))
    }
}

/// Iterator over deals in which every hand has at most two suits, or three, in turns.
pub struct FreakDeals {
    random: RandomDeals,
    suits: usize,
}

impl FreakDeals {
    pub fn new(seed: u64) -> FreakDeals {
        FreakDeals {
            random: RandomDeals(seed),
            suits: 3,
        }
    }

    /// Gives each hand `suits` suits and deals card by card to hands that may take the card; `None` if a card fits in
    /// no hand.
    fn attempt(&mut self) -> Option<Deal> {
        let mut suits = [[false; 4]; 4];
        for hand in &mut suits {
            while hand.iter().filter(|&&has| has).count() < self.suits {
                hand[self.random.below(4) as usize] = true;
            }
        }
        let mut hands = [CardSet::EMPTY; 4];
        let mut pack: Vec<Card> = CardSet::FULL.iter().collect();
        while !pack.is_empty() {
            let card = pack.swap_remove(self.random.below(pack.len() as u64) as usize);
            let fits = |&seat: &usize| suits[seat][card.index() / 13] && hands[seat].len() < 13;
            let seats: Vec<usize> = (0..4).filter(fits).collect();
            if seats.is_empty() {
                return None;
            }
            hands[seats[self.random.below(seats.len() as u64) as usize]].insert(card);
        }
        Deal::new(hands).ok()
    }
}

impl Iterator for FreakDeals {
    type Item = Deal;

    fn next(&mut self) -> Option<Deal> {
        self.suits = 5 - self.suits;
        loop {
            if let Some(deal) = self.attempt() {
                return Some(deal);
            }
        }
    }
}

/// Seed of the deals of `data/oracle-tables.txt`.
pub const TABLES_SEED: u64 = 1501;
/// Seed of the deals of `data/oracle-leads.txt`.
pub const LEADS_SEED: u64 = 1502;
/// Seed of the positions of `data/oracle-positions.txt`.
pub const POSITIONS_SEED: u64 = 1503;

/// Writes numbers of tricks as hexadecimal digits.
pub fn digits(tricks: impl IntoIterator<Item = u8>) -> String {
    tricks
        .into_iter()
        .map(|tricks| format!("{tricks:X}"))
        .collect()
}

/// Returns declarer and strain of the `i`-th line of `data/oracle-leads.txt`.
pub fn lead_question(i: usize) -> (Seat, Strain) {
    (Seat::from_index(i), Strain::from_index(i % 5))
}
