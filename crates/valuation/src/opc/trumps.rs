//! DFIT: points for shortness with a given trump suit, in half points.
//!
//! It depends only on lengths. Both hands start from their distribution points, as far as these count. A hand with
//! enough trumps for ruffing then counts its shortest suit instead.

use cards::{BySuit, Suit};

use super::suit::distribution;

/// The suit lengths of one hand and its suits from shortest to longest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub(super) of: BySuit<i32>,
    /// Shortest first; equal lengths in the order clubs, diamonds, hearts, spades.
    order: [Suit; 4],
}

impl Lengths {
    pub(super) fn new(of: BySuit<i32>) -> Lengths {
        // The suit in the low bits makes every key different, so the sort needs no tie rule.
        let mut keys = [0, 1, 2, 3].map(|suit| of.0[suit] << 2 | suit as i32);
        // A sorting network: comparisons with branches would be unpredictable.
        for (low, high) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            (keys[low], keys[high]) = (keys[low].min(keys[high]), keys[low].max(keys[high]));
        }
        Lengths {
            of,
            order: keys.map(|key| Suit::ALL[(key & 3) as usize]),
        }
    }

    pub(super) fn shortest(&self) -> i32 {
        self.of[self.order[0]]
    }

    fn second_shortest(&self) -> i32 {
        self.of[self.order[1]]
    }
}

/// Points of one hand by suit.
type Entries = BySuit<i32>;

/// Returns DFIT of the two hands with `trumps` as trumps. `opener` is the index of the hand that opened.
pub(super) fn dfit(hands: &[Lengths; 2], opener: usize, trumps: Suit) -> [i32; 2] {
    let trump_lengths = [hands[0].of[trumps], hands[1].of[trumps]];
    match (trump_lengths[0], trump_lengths[1]) {
        (5.., 5..) => both_long(hands),
        (5, 2) => semi_fit(hands, opener, trumps, 1),
        (2, 5) => semi_fit(hands, opener, trumps, 0),
        _ => ordinary(hands, opener, trumps, trump_lengths),
    }
}

/// Returns the points with five trumps in both hands: in every suit the shorter hand ruffs, and half points are kept.
fn both_long(hands: &[Lengths; 2]) -> [i32; 2] {
    let mut sums = [0, 0];
    for suit in Suit::ALL {
        let points = [0, 1].map(|hand| distribution(hands[hand].of[suit]));
        let larger = usize::from(points[1] > points[0]);
        sums[larger] += points[larger];
    }
    sums
}

/// Returns the points with exactly five trumps facing two: the hand with two can ruff in its shortest suit.
fn semi_fit(hands: &[Lengths; 2], opener: usize, trumps: Suit, short: usize) -> [i32; 2] {
    let mut entries = [Entries::default(); 2];
    entries[opener] = hands[opener].of.map(distribution);
    let shortest = hands[short].order[0];
    if hands[short].shortest() <= 1 {
        entries[short][shortest] = 2 * (2 - hands[short].shortest());
        entries[1 - short][shortest] = 0;
    }
    whole_sums(entries, trumps)
}

fn ordinary(hands: &[Lengths; 2], opener: usize, trumps: Suit, lengths: [i32; 2]) -> [i32; 2] {
    let mut entries = [0, 1].map(|hand| {
        if hand == opener || lengths[hand] >= 5 {
            hands[hand].of.map(distribution)
        } else {
            Entries::default()
        }
    });
    if lengths[0] + lengths[1] > 7 {
        claim_ruffs(hands, lengths, &mut entries);
    }
    whole_sums(entries, trumps)
}

/// Counts the shortest suit of each hand for ruffing if the hand has at most four trumps and that suit is short and
/// shorter than its trumps. This replaces its own points there and cancels its partner's.
fn claim_ruffs(hands: &[Lengths; 2], lengths: [i32; 2], entries: &mut [Entries; 2]) {
    let claims = [0, 1].map(|hand: usize| {
        let shortest = hands[hand].shortest();
        lengths[hand] <= 4 && shortest <= 2 && shortest < lengths[hand]
    });
    let suits = [0, 1].map(|hand: usize| hands[hand].order[0]);
    if claims == [true, true] && suits[0] == suits[1] {
        return share_a_suit(hands, suits[0], entries);
    }
    for hand in 0..2 {
        if claims[hand] {
            entries[hand][suits[hand]] = 2 * (lengths[hand] - hands[hand].shortest());
            entries[1 - hand][suits[hand]] = 0;
        }
    }
}

/// Divides a suit in which both hands, with four trumps each, would ruff: one of them uses its second short suit if it
/// has one. Otherwise only the shorter of the two counts.
fn share_a_suit(hands: &[Lengths; 2], suit: Suit, entries: &mut [Entries; 2]) {
    let second = [hands[0].second_shortest(), hands[1].second_shortest()];
    let moving = match second.map(|length| length <= 2) {
        [true, false] => Some(0),
        [true, true] => Some(usize::from(second[0] > second[1])),
        [false, true] => Some(1),
        [false, false] => None,
    };
    let Some(moving) = moving else {
        let ruffing = usize::from(hands[0].of[suit] >= hands[1].of[suit]);
        entries[ruffing][suit] = 2 * (4 - hands[ruffing].of[suit]);
        entries[1 - ruffing][suit] = 0;
        return;
    };
    let staying = 1 - moving;
    let other_suit = hands[moving].order[1];
    entries[moving][other_suit] = 2 * (4 - second[moving]);
    entries[moving][suit] = 0;
    entries[staying][suit] = 2 * (4 - hands[staying].of[suit]);
    entries[staying][other_suit] = 0;
}

/// Returns each hand's sum without the trump suit, truncated to whole points.
fn whole_sums(mut entries: [Entries; 2], trumps: Suit) -> [i32; 2] {
    entries.each_mut().map(|entry| {
        entry[trumps] = 0;
        entry.total() & !1
    })
}
