//! What an estimate looks at. All features are small whole numbers, so that an estimate is the same everywhere.

use cards::{CardSet, Deal, Holding, Seat, Side, Suit};

/// Features of a suit contract.
pub const SUIT_FEATURES: usize = 32;
/// Features of a notrump contract.
pub const NOTRUMP_FEATURES: usize = 23;

/// Ace, king, queen, jack and ten as bits of a holding.
const HONOURS: [u16; 5] = [1 << 12, 1 << 11, 1 << 10, 1 << 9, 1 << 8];

/// The four hands as a side sees them: its own two, and the opponents, the one behind each of ours first.
struct View {
    ours: [CardSet; 2],
    theirs: [CardSet; 2],
}

impl View {
    fn new(deal: &Deal, side: Side) -> View {
        let [a, b] = side.seats();
        let hand = |seat: Seat| deal.hand(seat);
        View {
            ours: [hand(a), hand(b)],
            theirs: [hand(a.next()), hand(b.next())],
        }
    }

    fn our(&self, hand: usize, suit: Suit) -> u16 {
        self.ours[hand].holding(suit).0
    }

    fn their(&self, hand: usize, suit: Suit) -> u16 {
        self.theirs[hand].holding(suit).0
    }

    fn our_both(&self, suit: Suit) -> u16 {
        self.our(0, suit) | self.our(1, suit)
    }

    fn our_lengths(&self, suit: Suit) -> [i32; 2] {
        [0, 1].map(|hand| len(self.our(hand, suit)))
    }

    fn their_lengths(&self, suit: Suit) -> [i32; 2] {
        [0, 1].map(|hand| len(self.their(hand, suit)))
    }

    /// For king and queen of the opponents: +1 if the hand of ours that plays behind it holds a higher card of the suit,
    /// -1 if only our other hand does.
    fn position(&self, suit: Suit, honour: u16) -> i32 {
        for holder in 0..2 {
            if self.their(holder, suit) & honour != 0 {
                let higher = !(honour * 2 - 1) & 0x1fff;
                // Theirs sit behind ours of the same number, so ours of the other number plays behind them.
                let behind = self.our(1 - holder, suit) & higher;
                let before = self.our(holder, suit) & higher;
                return if behind != 0 {
                    1
                } else if before != 0 {
                    -1
                } else {
                    0
                };
            }
        }
        0
    }

    /// Tricks on top: our cards above the opponents' highest, at most the longer of our hands.
    fn top_tricks(&self, suit: Suit) -> i32 {
        let theirs = self.their(0, suit) | self.their(1, suit);
        let above = match theirs.checked_ilog2() {
            None => 0x1fff,
            Some(best) => !((2 << best) - 1) & 0x1fff,
        };
        let [a, b] = self.our_lengths(suit);
        len(self.our_both(suit) & above).min(a.max(b))
    }
}

fn len(holding: u16) -> i32 {
    Holding(holding).len() as i32
}

/// How many cards a suit lacks to three.
fn shortness(holding: u16) -> i32 {
    (3 - len(holding)).max(0)
}

/// Hands its numbers out into an array, one by one.
struct Row<const N: usize> {
    values: [i32; N],
    next: usize,
}

impl<const N: usize> Row<N> {
    fn new() -> Self {
        // The first feature is the constant.
        let mut values = [0; N];
        values[0] = 1;
        Row { values, next: 1 }
    }

    fn push(&mut self, value: i32) {
        self.values[self.next] = value;
        self.next += 1;
    }
}

/// The features of a suit contract; the first is always 1.
#[must_use]
pub fn suit_features(deal: &Deal, side: Side, trumps: Suit) -> [i32; SUIT_FEATURES] {
    let view = View::new(deal, side);
    let mut row = Row::new();
    let side_suits = || Suit::ALL.into_iter().filter(|&suit| suit != trumps);
    for honour in HONOURS {
        row.push(i32::from(view.our_both(trumps) & honour != 0));
    }
    for honour in HONOURS {
        row.push(
            side_suits()
                .filter(|&suit| view.our_both(suit) & honour != 0)
                .count() as i32,
        );
    }
    let [long, short] = {
        let [a, b] = view.our_lengths(trumps);
        if a >= b { [0, 1] } else { [1, 0] }
    };
    let lengths = view.our_lengths(trumps);
    let fit = lengths[0] + lengths[1];
    row.push(fit);
    row.push((fit - 8).max(0));
    row.push((6 - fit).max(0));
    row.push(lengths[long]);
    // Ruffs in the hand with fewer trumps, and shortness in the other.
    let ruffs: i32 = side_suits()
        .map(|suit| shortness(view.our(short, suit)))
        .sum();
    row.push(ruffs.min(lengths[short]));
    row.push(
        side_suits()
            .map(|suit| shortness(view.our(long, suit)))
            .sum(),
    );
    let voids = |hand: usize| {
        side_suits()
            .filter(|&suit| view.our(hand, suit) == 0)
            .count() as i32
    };
    row.push(voids(0) + voids(1));
    let mut seconds: Vec<i32> = side_suits()
        .map(|suit| view.our_lengths(suit).iter().sum::<i32>())
        .collect();
    seconds.sort_unstable();
    row.push((seconds[2] - 7).max(0));
    row.push(side_suits().map(|suit| view.top_tricks(suit)).sum());
    row.push(view.top_tricks(trumps));
    let theirs = view.their_lengths(trumps);
    row.push(theirs[0].max(theirs[1]));
    row.push((theirs[0] - theirs[1]).abs());
    // What they may ruff.
    let their_ruffs = |hand: usize| {
        let short: i32 = side_suits()
            .map(|suit| shortness(view.their(hand, suit)))
            .sum();
        short.min(theirs[hand])
    };
    row.push(their_ruffs(0) + their_ruffs(1));
    row.push(view.position(trumps, HONOURS[1]));
    row.push(view.position(trumps, HONOURS[2]));
    row.push(
        side_suits()
            .map(|suit| view.position(suit, HONOURS[1]))
            .sum(),
    );
    row.push(
        side_suits()
            .map(|suit| view.position(suit, HONOURS[2]))
            .sum(),
    );
    // Losers as bridge players count them, per hand.
    for hand in [long, short] {
        row.push(side_suits().map(|suit| losers(view.our(hand, suit))).sum());
    }
    row.push(side_suits().map(|suit| quick_losers(&view, suit)).sum());
    row.push(wasted(&view, trumps, short));
    debug_assert_eq!(row.next, SUIT_FEATURES);
    row.values
}

/// Cards of the first three that are not ace, king and queen.
fn losers(holding: u16) -> i32 {
    len(holding).min(3)
        - HONOURS[..3]
            .iter()
            .take(len(holding) as usize)
            .filter(|&&honour| holding & honour != 0)
            .count() as i32
}

/// Rounds of a side suit that the opponents win at once: their top cards, as long as neither of ours ruffs.
fn quick_losers(view: &View, suit: Suit) -> i32 {
    let ours = view.our_both(suit);
    let theirs = view.their(0, suit) | view.their(1, suit);
    let above = match ours.checked_ilog2() {
        None => 0x1fff,
        Some(best) => !((2 << best) - 1) & 0x1fff,
    };
    let [a, b] = view.our_lengths(suit);
    len(theirs & above).min(a.min(b))
}

/// King, queen and jack of the long trump hand opposite partner's void or singleton.
fn wasted(view: &View, trumps: Suit, short: usize) -> i32 {
    let of = |suit: Suit| match len(view.our(short, suit)) {
        0 | 1 => len(view.our(1 - short, suit) & (HONOURS[1] | HONOURS[2] | HONOURS[3])),
        _ => 0,
    };
    Suit::ALL
        .into_iter()
        .filter(|&suit| suit != trumps)
        .map(of)
        .sum()
}

/// The features of a notrump contract; the first is always 1.
#[must_use]
pub fn notrump_features(deal: &Deal, side: Side) -> [i32; NOTRUMP_FEATURES] {
    let view = View::new(deal, side);
    let mut row = Row::new();
    for honour in HONOURS {
        row.push(
            Suit::ALL
                .iter()
                .filter(|&&suit| view.our_both(suit) & honour != 0)
                .count() as i32,
        );
    }
    let top: [i32; 4] = Suit::ALL.map(|suit| view.top_tricks(suit));
    row.push(top.iter().sum());
    row.push(top.iter().filter(|&&tricks| tricks == 0).count() as i32);
    row.push(
        Suit::ALL
            .iter()
            .map(|&suit| view.position(suit, HONOURS[1]))
            .sum(),
    );
    row.push(
        Suit::ALL
            .iter()
            .map(|&suit| view.position(suit, HONOURS[2]))
            .sum(),
    );
    // Our longest suits, and theirs.
    let mut ours = Suit::ALL.map(|suit| {
        let [a, b] = view.our_lengths(suit);
        (a.max(b), a + b)
    });
    ours.sort_unstable();
    row.push(ours[3].0);
    row.push(ours[2].0);
    row.push((ours[3].1 - 7).max(0));
    let mut theirs = Suit::ALL.map(|suit| {
        let [a, b] = view.their_lengths(suit);
        a.max(b)
    });
    theirs.sort_unstable();
    row.push(theirs[3]);
    row.push(theirs[2]);
    // What they can run at once, and with how many of our stoppers between.
    let running = Suit::ALL.map(|suit| {
        let theirs = view.their(0, suit) | view.their(1, suit);
        let ours = view.our_both(suit);
        let above = ours
            .checked_ilog2()
            .map_or(0x1fff, |best| !((2 << best) - 1) & 0x1fff);
        let [a, b] = view.their_lengths(suit);
        let tops = len(theirs & above);
        let [c, d] = view.our_lengths(suit);
        if tops >= c.max(d) {
            a.max(b)
        } else {
            tops.min(a.max(b))
        }
    });
    row.push(running.iter().sum());
    row.push(running.into_iter().max().unwrap_or(0));
    let solid = Suit::ALL.map(|suit| {
        let [a, b] = view.our_lengths(suit);
        let [c, d] = view.their_lengths(suit);
        let tops = len(view.our_both(suit) & above_all(view.their(0, suit) | view.their(1, suit)));
        if tops >= c.max(d) { a.max(b) } else { 0 }
    });
    row.push(solid.iter().sum());
    row.push(solid.into_iter().max().unwrap_or(0));
    // Balance of strength between our hands: entries.
    let points = |hand: usize| -> i32 {
        Suit::ALL
            .iter()
            .map(|&suit| {
                let holding = view.our(hand, suit);
                let count = |i: usize| i32::from(holding & HONOURS[i] != 0);
                4 * count(0) + 3 * count(1) + 2 * count(2) + count(3)
            })
            .sum()
    };
    let (a, b) = (points(0), points(1));
    row.push((a - b).abs());
    row.push((a + b - 26).max(0));
    row.push((14 - a - b).max(0));
    let stopped = |suit: &&Suit| {
        let ours = view.our_both(**suit);
        let [a, b] = view.our_lengths(**suit);
        let longer = a.max(b);
        ours & HONOURS[0] != 0
            || ours & HONOURS[1] != 0 && longer >= 2
            || ours & HONOURS[2] != 0 && longer >= 3
    };
    row.push(4 - Suit::ALL.iter().filter(stopped).count() as i32);
    debug_assert_eq!(row.next, NOTRUMP_FEATURES);
    row.values
}

/// The places above all of some cards.
fn above_all(cards: u16) -> u16 {
    cards
        .checked_ilog2()
        .map_or(0x1fff, |best| !((2 << best) - 1) & 0x1fff)
}
