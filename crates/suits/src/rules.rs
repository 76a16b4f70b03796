//! The rules by which declarer moves between his hands: with unlimited or limited entries.

use std::hash::Hash;

use cards::{Holding, Rank, Seat};

use crate::classes::{Classes, VOID};
use crate::counts::Counts;

/// One of declarer's two hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    North,
    South,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::North, Side::South];

    pub(crate) fn other(self) -> Side {
        match self {
            Side::North => Side::South,
            Side::South => Side::North,
        }
    }

    pub(crate) fn seat(self) -> Seat {
        match self {
            Side::North => Seat::North,
            Side::South => Seat::South,
        }
    }

    /// Returns whether West plays second when this hand leads.
    pub(crate) fn west_is_second(self) -> bool {
        self == Side::South
    }
}

/// Declarer's part of a trick. Cards are numbers whose meaning depends on the rules; smaller numbers are higher cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trick {
    pub(crate) leader: Side,
    pub(crate) lead: u8,
    /// The card of third hand, or [`VOID`].
    pub(crate) third: u8,
}

/// Representation of declarer's cards, and the leads that he may make.
pub(crate) trait Rules {
    /// Declarer's cards, and everything else that determines his options.
    type State: Copy + Eq + Hash;

    /// Returns the state at the start of the play.
    fn start(&self) -> Self::State;

    /// Returns the representative of all states that are equal if the cards `left` of the defenders remain. Valid only
    /// at the start of a trick.
    fn canonical(&self, state: Self::State, left: Counts) -> Self::State;

    /// Returns the number of tricks that are certain with every best line and are left out of the search.
    fn sure(&self, state: Self::State) -> i8;

    /// Returns an upper bound of the number of tricks.
    fn most(&self, state: Self::State) -> i8;

    /// Returns the cards that `side` can lead, as a bit mask, without cards that are equal to a lower one.
    fn leads(&self, state: Self::State, side: Side, left: Counts) -> u16;

    /// Returns the cards that third hand can play, as a bit mask, without those that are never better than another; 0
    /// for a void. `before` and `after` are the defenders' cards before and after the card `second` of second hand.
    fn thirds(
        &self,
        state: Self::State,
        leader: Side,
        lead: u8,
        second: u8,
        before: Counts,
        after: Counts,
    ) -> u16;

    /// Returns the gap of a card, or [`VOID`] for [`VOID`].
    fn gap(&self, card: u8) -> u8;

    /// Returns the state after a trick that declarer won or lost.
    fn after(&self, state: Self::State, trick: Trick, won: bool) -> Self::State;

    /// Returns the rank of `card` in `holding` if the cards `left` of the defenders remain at the start of the trick.
    fn rank(&self, holding: Holding, card: u8, left: Counts) -> Option<Rank>;

    /// Returns whether declarer wins the trick to which the defenders play classes `second` and `fourth`.
    #[inline]
    fn wins(&self, trick: Trick, second: u8, fourth: u8) -> bool {
        self.gap(trick.lead).min(self.gap(trick.third)) <= second.min(fourth)
    }
}

/// Returns the gap that `gap` has merged into if the cards `left` of the defenders remain.
fn merged_gap(mut gap: u8, left: Counts) -> u8 {
    while gap > 0 && !left.has(gap - 1) {
        gap -= 1;
    }
    gap
}

/// Unlimited entries: declarer leads from either hand. A card is its gap, because only the number of cards in each gap
/// matters.
pub(crate) struct Unlimited {
    start: [Counts; 2],
    classes: u8,
    gaps: [u8; 13],
    /// Whether to keep every card of third hand, to test the reduction.
    pub(crate) keeps_all_thirds: bool,
}

impl Unlimited {
    pub(crate) fn new(hands: [Holding; 2], classes: &Classes) -> Self {
        let start = hands.map(|hand| {
            hand.iter().fold(Counts::default(), |counts, rank| {
                counts.plus(classes.gap(rank), 1)
            })
        });
        Unlimited {
            start,
            classes: classes.len(),
            gaps: Rank::ALL.map(|rank| classes.gap(rank)),
            keeps_all_thirds: false,
        }
    }

    /// Returns the highest remaining card that a gap beats. Gaps with the same value have the same effect.
    fn effect(&self, gap: u8, left: Counts) -> u8 {
        (gap..self.classes)
            .find(|&class| left.has(class))
            .unwrap_or(self.classes)
    }
}

impl Rules for Unlimited {
    type State = [Counts; 2];

    fn start(&self) -> [Counts; 2] {
        self.start
    }

    fn canonical(&self, [mut north, mut south]: [Counts; 2], left: Counts) -> [Counts; 2] {
        for class in (0..self.classes).rev() {
            if !left.has(class) {
                north = north.pull_up(class);
                south = south.pull_up(class);
            }
        }
        [north, south]
    }

    fn sure(&self, state: [Counts; 2]) -> i8 {
        let tops = (state[0].get(0) + state[1].get(0)) as i8;
        tops.min(self.most(state))
    }

    fn most(&self, [north, south]: [Counts; 2]) -> i8 {
        north.total().max(south.total()) as i8
    }

    fn leads(&self, state: [Counts; 2], side: Side, _: Counts) -> u16 {
        state[side as usize].places()
    }

    fn thirds(
        &self,
        state: [Counts; 2],
        leader: Side,
        lead: u8,
        second: u8,
        _: Counts,
        after: Counts,
    ) -> u16 {
        let hand = state[leader.other() as usize];
        let cards = hand.places();
        if self.keeps_all_thirds {
            return cards;
        }
        let (mut kept, mut effects) = (0, 0u32);
        for gap in (0..=self.classes).rev().filter(|gap| cards >> gap & 1 == 1) {
            let best = gap.min(lead);
            let effect = match best <= second {
                true => self.effect(best, after),
                false => 31,
            };
            if effects >> effect & 1 == 0 {
                effects |= 1 << effect;
                kept |= 1 << gap;
            }
        }
        kept
    }

    fn gap(&self, card: u8) -> u8 {
        card
    }

    fn after(&self, mut state: [Counts; 2], trick: Trick, _: bool) -> [Counts; 2] {
        let leader = trick.leader as usize;
        state[leader] = state[leader].minus_one(trick.lead);
        if trick.third != VOID {
            let third = trick.leader.other() as usize;
            state[third] = state[third].minus_one(trick.third);
        }
        state
    }

    fn rank(&self, holding: Holding, card: u8, left: Counts) -> Option<Rank> {
        let ranks: Vec<Rank> = holding.iter().collect();
        ranks
            .into_iter()
            .rev()
            .find(|rank| merged_gap(self.gaps[rank.index()], left) == card)
    }
}

/// Limited entries to one hand: a lead from it costs an entry unless it won the previous trick. A card is its distance
/// from the ace, because it matters which of declarer's cards wins.
pub(crate) struct Limited {
    hands: [u16; 2],
    side: Side,
    entries: u8,
    gaps: [u8; 13],
}

/// A state under [`Limited`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LimitedState {
    hands: [u16; 2],
    entries: u8,
    /// Whether the hand with limited entries won the previous trick.
    is_there: bool,
}

impl Limited {
    pub(crate) fn new(hands: [Holding; 2], classes: &Classes, side: Side, entries: u8) -> Self {
        let mut gaps = Rank::ALL.map(|rank| classes.gap(rank));
        gaps.reverse();
        Limited {
            hands: hands.map(|hand| {
                hand.iter()
                    .fold(0, |mask, rank| mask | 1 << (12 - rank.index()))
            }),
            side,
            entries,
            gaps,
        }
    }

    /// Returns the lowest card of each sequence in `hand`: cards without a card of `other` or a remaining card of the
    /// defenders between them.
    fn lowest_of_sequences(&self, hand: u16, other: u16, left: Counts) -> u16 {
        let mut kept = 0;
        let mut below: Option<u8> = None;
        for card in (0..13).rev().filter(|card| hand >> card & 1 == 1) {
            let touches = below.is_some_and(|below| {
                let between = (1u16 << below) - (1 << card);
                let (high, low) = (self.gaps[usize::from(card)], self.gaps[usize::from(below)]);
                other & between == 0 && (high..low).all(|class| !left.has(class))
            });
            if !touches {
                kept |= 1 << card;
            }
            below = Some(card);
        }
        kept
    }
}

impl Rules for Limited {
    type State = LimitedState;

    fn start(&self) -> LimitedState {
        LimitedState {
            hands: self.hands,
            entries: self.entries,
            is_there: false,
        }
    }

    fn canonical(&self, mut state: LimitedState, _: Counts) -> LimitedState {
        let cards = state.hands[self.side as usize].count_ones() as u8;
        state.entries = state.entries.min(cards);
        state.is_there &= cards > 0;
        state
    }

    fn sure(&self, _: LimitedState) -> i8 {
        0
    }

    fn most(&self, state: LimitedState) -> i8 {
        state
            .hands
            .map(u16::count_ones)
            .into_iter()
            .max()
            .unwrap_or(0) as i8
    }

    fn leads(&self, state: LimitedState, side: Side, left: Counts) -> u16 {
        if side == self.side && !state.is_there && state.entries == 0 {
            return 0;
        }
        let other = state.hands[side.other() as usize];
        self.lowest_of_sequences(state.hands[side as usize], other, left)
    }

    fn thirds(
        &self,
        state: LimitedState,
        leader: Side,
        _: u8,
        _: u8,
        before: Counts,
        _: Counts,
    ) -> u16 {
        let hand = state.hands[leader.other() as usize];
        self.lowest_of_sequences(hand, state.hands[leader as usize], before)
    }

    fn gap(&self, card: u8) -> u8 {
        match card {
            VOID => VOID,
            card => self.gaps[usize::from(card)],
        }
    }

    fn after(&self, mut state: LimitedState, trick: Trick, won: bool) -> LimitedState {
        state.hands[trick.leader as usize] &= !(1 << trick.lead);
        if trick.third != VOID {
            state.hands[trick.leader.other() as usize] &= !(1 << trick.third);
        }
        if trick.leader == self.side && !state.is_there {
            state.entries -= 1;
        }
        let winner = match trick.lead < trick.third {
            true => trick.leader,
            false => trick.leader.other(),
        };
        state.is_there = won && winner == self.side;
        state
    }

    fn rank(&self, _: Holding, card: u8, _: Counts) -> Option<Rank> {
        Rank::from_index(12 - usize::from(card))
    }
}
