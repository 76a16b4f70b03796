//! The facts of two hands that the metrics share: lengths, points, trump suit, declarer and dummy.

use cards::{BySuit, CardSet, Deal, Holding, Side, Suit};

use crate::points::{CountTables, PointTable};
use crate::ranks::{self, A, EIGHT, J, K, NINE, Q, T, count};

/// Points and counts of the top cards of a holding, from the ace to the eight.
#[derive(Clone, Copy)]
struct TopCards {
    /// Values that are summed over the suits of a hand: high card points, controls, aces, queens, jacks, tens, nines
    /// and body, one byte each, so that one addition adds them all.
    sums: u64,
    hcp: u8,
    top2: u8,
    top3: u8,
    top4: u8,
    top5: u8,
}

/// Shift that removes the six lowest ranks of a holding: the rest is its index in the table.
const TOP_SEVEN: u32 = 6;

static TOP_CARDS: [TopCards; 128] = top_cards();

const fn top_cards() -> [TopCards; 128] {
    let mut table = [TopCards {
        sums: 0,
        hcp: 0,
        top2: 0,
        top3: 0,
        top4: 0,
        top5: 0,
    }; 128];
    let mut seven = 0;
    while seven < table.len() {
        let cards = (seven as u16) << TOP_SEVEN;
        let held = [A, Q, J, T, NINE, EIGHT];
        let [aces, queens, jacks, tens, nines, eights] = count_each(cards, held);
        let top2 = count(cards, A | K) as u8;
        let top3 = top2 + queens;
        let top4 = top3 + jacks;
        // The four counts of A, AK, AKQ, AKQJ add up to 4, 3, 2, 1.
        let hcp = aces + top2 + top3 + top4;
        let body = 3 * tens + 2 * nines + eights;
        let sums = [hcp, aces + top2, aces, queens, jacks, tens, nines, body];
        let sums = u64::from_le_bytes(sums);
        table[seven] = TopCards {
            sums,
            hcp,
            top2,
            top3,
            top4,
            top5: top4 + tens,
        };
        seven += 1;
    }
    table
}

const fn count_each(holding: u16, cards: [u16; 6]) -> [u8; 6] {
    let mut counts = [0; 6];
    let mut i = 0;
    while i < cards.len() {
        counts[i] = count(holding, cards[i]) as u8;
        i += 1;
    }
    counts
}

/// The facts of one hand.
#[derive(Clone, Copy, Debug)]
pub struct HandFacts {
    pub(super) holdings: BySuit<u16>,
    pub(super) length: BySuit<i32>,
    pub(super) hcp_in: BySuit<i32>,
    pub(super) hcp: i32,
    /// How many of AK, AKQ, AKQJ and AKQJT are held in each suit.
    pub(super) top2: BySuit<i32>,
    pub(super) top3: BySuit<i32>,
    pub(super) top4: BySuit<i32>,
    pub(super) top5: BySuit<i32>,
    pub(super) aces: i32,
    pub(super) queens: i32,
    pub(super) jacks: i32,
    pub(super) tens: i32,
    pub(super) nines: i32,
    pub(super) controls: i32,
    /// Spot cards: 3 for each ten, 2 for each nine, 1 for each eight.
    pub(super) body: i32,
    /// Shortness points of each suit: void 3, stiff 2, doubleton 1.
    pub(super) short: BySuit<i32>,
    /// The sum of the shortness points.
    pub(super) shortness: i32,
    /// Whether every suit has three or four cards.
    pub(super) square: bool,
}

impl HandFacts {
    pub(super) fn new(hand: CardSet) -> HandFacts {
        let holdings = ranks::bits_of_hand(hand);
        let top = holdings.map(|holding| &TOP_CARDS[usize::from(holding >> TOP_SEVEN) % 128]);
        let length = holdings.map(ranks::length);
        let short = length.map(|cards| (3 - cards).max(0));
        let shortness = short.total();
        let sums = top.map(|suit| suit.sums).total().to_le_bytes();
        let [hcp, controls, aces, queens, jacks, tens, nines, body] = sums.map(i32::from);
        HandFacts {
            holdings,
            length,
            hcp_in: top.map(|suit| i32::from(suit.hcp)),
            hcp,
            top2: top.map(|suit| i32::from(suit.top2)),
            top3: top.map(|suit| i32::from(suit.top3)),
            top4: top.map(|suit| i32::from(suit.top4)),
            top5: top.map(|suit| i32::from(suit.top5)),
            aces,
            queens,
            jacks,
            tens,
            nines,
            controls,
            body,
            short,
            shortness,
            square: shortness == 0,
        }
    }

    /// Creates a hand of which only the lengths are valid.
    pub(super) fn of_lengths(length: BySuit<i32>) -> HandFacts {
        let lowest = |cards: i32| Holding((1 << cards.clamp(0, 13)) - 1);
        HandFacts::new(CardSet::from_holdings(length.map(lowest).0))
    }

    /// Replaces the counts that a script can redefine. They have 16 bits, as in DealerV2's server, so that no table can
    /// make a metric overflow.
    fn recount(&mut self, hand: CardSet, tables: &CountTables) {
        let narrow = |count: i32| i32::from(count as i16);
        let in_suits =
            |table: &PointTable| BySuit::from_fn(|suit| narrow(table.suit(hand.holding(suit))));
        let in_hand = |table: &PointTable| narrow(table.hand(hand));
        let [tens, jacks, queens, _, aces, top2, top3, top4, top5, _] = &tables.counts;
        self.hcp_in = in_suits(&tables.hcp);
        self.hcp = in_hand(&tables.hcp);
        self.top2 = in_suits(top2);
        self.top3 = in_suits(top3);
        self.top4 = in_suits(top4);
        self.top5 = in_suits(top5);
        self.tens = in_hand(tens);
        self.jacks = in_hand(jacks);
        self.queens = in_hand(queens);
        self.aces = in_hand(aces);
    }

    /// Returns the lengths, longest first.
    pub(super) fn sorted_lengths(&self) -> [i32; 4] {
        let [a, b, c, d] = self.length.0;
        let (a, b) = (a.max(b), a.min(b));
        let (c, d) = (c.max(d), c.min(d));
        let (longest, third) = (a.max(c), a.min(c));
        let (second, shortest) = (b.max(d), b.min(d));
        [longest, third.max(second), third.min(second), shortest]
    }

    /// Returns the length of the shortest suit.
    pub(super) fn shortest(&self) -> i32 {
        let [a, b, c, d] = self.length.0;
        a.min(b).min(c.min(d))
    }

    /// Returns the number of suits with exactly `cards` cards.
    pub(super) fn suits_of_length(&self, cards: i32) -> i32 {
        self.length
            .0
            .iter()
            .map(|&length| i32::from(length == cards))
            .sum()
    }

    /// Returns one point for every card above `from` in every suit, at most `cap` for each suit.
    pub(super) fn long_cards(&self, from: i32, cap: i32) -> i32 {
        self.length
            .0
            .iter()
            .map(|&length| (length - from).clamp(0, cap))
            .sum()
    }

    /// Returns whether the hand holds the card in the suit.
    pub(super) fn holds(&self, suit: Suit, card: u16) -> bool {
        ranks::any(self.holdings[suit], card)
    }

    /// Returns whether the hand holds all four aces, whatever cards the script counts as aces.
    pub(super) fn has_every_ace(&self) -> bool {
        self.holdings.0.iter().all(|&suit| ranks::any(suit, A))
    }

    /// Returns the sum of `points` over the suits other than trumps, by the length of the suit.
    pub(super) fn side_suits(&self, trumps: Suit, points: impl Fn(i32) -> i32) -> i32 {
        Suit::ALL
            .iter()
            .filter(|&&suit| suit != trumps)
            .map(|&s| points(self.length[s]))
            .sum()
    }
}

/// Two hands as one side: their facts, the best fit, and which hand declares.
///
/// The two hands are numbered 0 (North or East) and 1 (South or West).
#[derive(Clone, Copy, Debug)]
pub struct SideAnalysis {
    pub(super) hands: [HandFacts; 2],
    /// Cards of each suit in both hands.
    pub(super) fit: BySuit<i32>,
    /// The trump suit, if the side has an eight-card fit or five facing two.
    pub(super) trumps: Option<Suit>,
    /// The length of the trump fit; seven if there is none.
    pub(super) fit_length: i32,
    /// The number of the hand that declares.
    pub(super) declarer: usize,
}

impl SideAnalysis {
    /// Analyses the hands of a side of a deal.
    pub fn new(deal: &Deal, side: Side) -> SideAnalysis {
        let [first, second] = side.seats().map(|seat| deal.hand(seat));
        SideAnalysis::of_hands(first, second)
    }

    /// Analyses two hands: North's (or East's), then South's (or West's).
    pub fn of_hands(first: CardSet, second: CardSet) -> SideAnalysis {
        SideAnalysis::of_facts([HandFacts::new(first), HandFacts::new(second)])
    }

    /// Analyses the hands of a side of a deal with the count tables of a script.
    pub fn with_tables(deal: &Deal, side: Side, tables: &CountTables) -> SideAnalysis {
        if *tables == CountTables::STANDARD {
            return SideAnalysis::new(deal, side);
        }
        SideAnalysis::of_hands_with(side.seats().map(|seat| deal.hand(seat)), tables)
    }

    /// Analyses two hands with the count tables of a script.
    pub(super) fn of_hands_with(hands: [CardSet; 2], tables: &CountTables) -> SideAnalysis {
        SideAnalysis::of_facts(hands.map(|hand| {
            let mut facts = HandFacts::new(hand);
            facts.recount(hand, tables);
            facts
        }))
    }

    fn of_facts(hands: [HandFacts; 2]) -> SideAnalysis {
        let fit = BySuit::from_fn(|suit| hands[0].length[suit] + hands[1].length[suit]);
        let trumps = trump_suit(&hands, &fit);
        let lengths = |hand: usize| trumps.map_or(0, |suit| hands[hand].length[suit]);
        let second = (lengths(1), hands[1].hcp) > (lengths(0), hands[0].hcp);
        SideAnalysis {
            hands,
            fit,
            trumps,
            fit_length: trumps.map_or(7, |suit| fit[suit]),
            declarer: usize::from(second),
        }
    }

    /// Returns the number of the hand that will be dummy.
    pub(super) fn dummy(&self) -> usize {
        1 - self.declarer
    }

    /// Returns the trump suit if the fit has eight cards or more.
    pub(super) fn eight_card_fit(&self) -> Option<Suit> {
        self.trumps.filter(|_| self.fit_length >= 8)
    }

    /// Returns the trump suit as the metrics report it: -1 if there is none.
    pub(super) fn trump_number(&self) -> i32 {
        self.trumps.map_or(-1, |suit| suit as i32)
    }

    /// Returns the value of `of` for each hand.
    #[inline]
    pub(super) fn each(&self, mut of: impl FnMut(&HandFacts) -> i32) -> [i32; 2] {
        [of(&self.hands[0]), of(&self.hands[1])]
    }

    /// Returns the misfit of a suit: the length of the longer holding (at most 5) facing a singleton or a void.
    pub(super) fn misfit(&self, suit: Suit) -> i32 {
        let [a, b] = [self.hands[0].length[suit], self.hands[1].length[suit]];
        match (a.min(b), a.max(b)) {
            (0 | 1, 5..) => 5,
            (0 | 1, long @ 3..=4) => long,
            _ => 0,
        }
    }

    /// Returns whether some suit has a misfit of at least this class.
    pub(super) fn has_misfit(&self, class: i32) -> bool {
        Suit::ALL.iter().any(|&suit| self.misfit(suit) >= class)
    }

    /// Computes the usual points for a fit of eight or more. Dummy gets `ruffs`; declarer gets `length`, or `ruffs` too
    /// if both hands have equally many trumps.
    pub(super) fn fit_points(
        &self,
        ruffs: impl Fn(&HandFacts, Suit) -> i32,
        length: impl Fn(&HandFacts, Suit) -> i32,
    ) -> FitPoints {
        let mut points = FitPoints::default();
        let Some(trumps) = self.eight_card_fit() else {
            return points;
        };
        let (declarer, dummy) = (self.declarer, self.dummy());
        points.ruffs[dummy] = ruffs(&self.hands[dummy], trumps);
        if self.hands[dummy].length[trumps] < self.hands[declarer].length[trumps] {
            points.length[declarer] = length(&self.hands[declarer], trumps);
        } else {
            points.ruffs[declarer] = ruffs(&self.hands[declarer], trumps);
        }
        points
    }
}

/// Points for a fit, by hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FitPoints {
    /// Points for shortness that can be ruffed.
    pub(super) ruffs: [i32; 2],
    /// Points for trump length.
    pub(super) length: [i32; 2],
}

fn trump_suit(hands: &[HandFacts; 2], fit: &BySuit<i32>) -> Option<Suit> {
    let [clubs, diamonds, hearts, spades] = fit.0;
    let longest = clubs.max(diamonds).max(hearts.max(spades));
    if longest < 8 {
        return five_two_fit(hands, fit);
    }
    let sharing = |suit: Suit| fit[suit] == longest;
    match (sharing(Suit::Hearts), sharing(Suit::Spades)) {
        (true, false) => Some(Suit::Hearts),
        (false, true) => Some(Suit::Spades),
        (true, true) => Some(better_fit(hands, [Suit::Spades, Suit::Hearts])),
        (false, false) => match (sharing(Suit::Clubs), sharing(Suit::Diamonds)) {
            (true, false) => Some(Suit::Clubs),
            (false, true) => Some(Suit::Diamonds),
            // The order of equal minors depends on the majors, as in DealerV2's server.
            _ if hearts == spades => Some(better_fit(hands, [Suit::Diamonds, Suit::Clubs])),
            _ => Some(better_fit(hands, [Suit::Clubs, Suit::Diamonds])),
        },
    }
}

/// Returns the more even of two fits of equal length, then the one with fewer points, then the first.
fn better_fit(hands: &[HandFacts; 2], suits: [Suit; 2]) -> Suit {
    let key = |suit: Suit| {
        let uneven = (hands[0].length[suit] - hands[1].length[suit]).abs();
        (uneven, hands[0].hcp_in[suit] + hands[1].hcp_in[suit])
    };
    if key(suits[1]) < key(suits[0]) {
        suits[1]
    } else {
        suits[0]
    }
}

/// Returns the trump suit if there is no eight-card fit: only five facing two counts, a major before a minor, then the
/// one with fewer points, then the higher.
fn five_two_fit(hands: &[HandFacts; 2], fit: &BySuit<i32>) -> Option<Suit> {
    let five_two = |suit: Suit| fit[suit] == 7 && matches!(hands[0].length[suit], 5 | 2);
    let points = |suit: Suit| hands[0].hcp_in[suit] + hands[1].hcp_in[suit];
    let mut best: Option<Suit> = None;
    for suit in Suit::ALL.into_iter().filter(|&suit| five_two(suit)) {
        let better = best.is_none_or(|so_far| {
            suit.is_major() != so_far.is_major() || points(suit) <= points(so_far)
        });
        if better {
            best = Some(suit);
        }
    }
    best
}
